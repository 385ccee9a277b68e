/** Whole transactions of an account of Solana, from elsewhere or of instructions: their previews, and what is signed of them. */
import * as Effect from "effect/Effect"
import { decodeBase58 } from "../../chains/internal/base58.js"
import { bytesOfBase64 } from "../../data/base64.js"
import { loadOnce } from "../../data/loadOnce.js"
import { type InvalidArgument, reasonOf, SigningFailed } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { maxOf, requireWhole, withAgreement } from "../evidence.js"
import type { ContractCall, Prepared, PrepareError, ReadError, Signed } from "../Signer.js"
import { checkFeeCap, invalidArgument, speedProblem, trySigning } from "../signerChecks.js"
import { warnOfApproval } from "../simulation.js"
import type { Account } from "./accounts.js"
import { addressProblem } from "./address.js"
import {
  ADVANCE_NONCE,
  encodeComputeUnitLimit,
  encodeInstruction,
  encodeMemo,
  INITIALIZE_NONCE,
  isKnownProgram,
  MAX_COMPUTE_UNITS,
  NONCE_BYTES,
  programs,
  RECENT_BLOCKHASHES,
  RENT,
  SET_COMPUTE_UNIT_PRICE
} from "./layout.js"
import {
  choosePrice,
  readMarketPrice,
  readOwnNonce,
  readRent,
  type SignerContext,
  toComputeUnitLimit,
  tryForUnits,
  warnOfNonce
} from "./payments.js"
import {
  type BlockhashLifetime,
  CONFIRMED,
  type LookupTables,
  readAccounts,
  readLifetime,
  readLookupTables,
  readNonce
} from "./reading.js"
import { makeSeededAccount, type SeededAccount } from "./seededAccount.js"
import { simulateWith } from "./simulation.js"
import type {
  KitInstruction,
  PreparedNonceAccount,
  SolanaInstruction,
  SolanaInstructionsRequest,
  SolanaNonce,
  SolanaRequest,
  SolanaSigner,
  SolanaTransaction,
  SolanaWire,
  SolanaWireRequest
} from "./Types.js"
import {
  callsOf,
  compileInstructions,
  encodeWire,
  findHash,
  findMissingSigners,
  findNonceAccount,
  findSeededAddress,
  type Plan,
  readWire,
  type WireTransaction
} from "./wire.js"

const CALL = "prepareTransaction"

const refuse = (reason: string): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(invalidArgument(CALL, reason))

/** No transaction is longer: of version 1, and of the others. */
const MAX_BYTES = { 1: 4_096, other: 1_232 } as const

/** Reads bytes of a transaction, and refuses one that this account does not sign, or that lacks the signature of another one. */
const readSignable = async (address: string, bytes: Uint8Array): Promise<WireTransaction> => {
  const wire = readWire(bytes)
  const { signers, version } = wire
  const most = version === 1 ? MAX_BYTES[1] : MAX_BYTES.other
  if (bytes.length > most)
    throw new Error(`it has ${bytes.length} bytes, and at most ${most} fit: give lookupTables, or split it`)
  if (!signers.includes(address))
    throw new Error(`this account does not sign it: ${signers.join(", ")} do. Have it made for ${address}`)
  const missing = await findMissingSigners(wire, address)
  if (missing.length > 0)
    throw new Error(
      `it lacks the signature of ${missing.join(", ")}: have it signed there first, since they cannot sign after it was sent`
    )
  return wire
}

/** Runs what throws sentences about a transaction. */
const check = <A>(run: () => A | Promise<A>, call = CALL): Effect.Effect<A, InvalidArgument> =>
  Effect.tryPromise({ try: async () => run(), catch: (error) => invalidArgument(call, reasonOf(error)) })

const readBytes = ({ kit }: SignerContext, given: unknown): Uint8Array => {
  if (kit.isBytes(given)) return Uint8Array.from(given)
  if (typeof given === "string" && /^[A-Za-z0-9+/]+={0,2}$/.test(given)) return bytesOfBase64(given)
  throw new Error("transaction is the bytes of a transaction, or Base64 of them")
}

/** The accounts that a transaction may write, those that it takes from tables too. */
const findWritable = (
  { lookups, writable }: WireTransaction,
  tables: LookupTables
): ReadonlyArray<string> => {
  const take = (table: string, index: number): string => {
    const found = tables[table]?.[index]
    if (found === undefined)
      throw new Error(`the lookup table ${table} has no address at ${index}: get the transaction again`)
    return found
  }
  const taken = lookups.flatMap(({ readonly, table, writable: indexes }) => {
    for (const index of readonly) take(table, index)
    return indexes.map((index) => take(table, index))
  })
  return [...writable, ...taken]
}

/** What the account pays for a transaction. Nodes may know of fees that are not computed here. */
const readFee = ({ address, kit, rpc }: SignerContext, { fee, signers, transaction }: WireTransaction) =>
  signers[0] !== address
    ? Effect.succeed(0n)
    : Effect.flatMap(rpc.getFeeForMessage(kit.encodeMessage(transaction), CONFIRMED), ({ value }) =>
        value === null
          ? Effect.succeed(fee)
          : Effect.map(requireWhole("getFeeForMessage", "the fee", value), (said) => maxOf(said, fee))
      )

/** What a person should know of the programs that get the account's signature. */
const warnOfPrograms = (
  address: string,
  { accounts, instructions }: WireTransaction
): ReadonlyArray<string> => {
  const own = accounts.indexOf(address)
  const unknown = instructions.filter(
    ({ accounts: indexes, program }) => !isKnownProgram(program) && indexes.includes(own)
  )
  return [...new Set(unknown.map(({ program }) => program))].map(
    (program) =>
      `The account signs for the program ${program}, which is not among the known ones: only its simulation says what it does.`
  )
}

/** A transaction, how long it is good, and what is known of it already. */
interface Timed {
  readonly wire: WireTransaction
  readonly lifetime: Pick<SolanaTransaction, "blockhash" | "lastValidBlockHeight" | "nonce">
  readonly warnings?: ReadonlyArray<string>
}

/** The preview of a transaction, with what it takes from the account by its simulation. */
const preview = (
  context: SignerContext,
  { lifetime, warnings = [], wire }: Timed,
  { maxFee }: Pick<SolanaRequest, "maxFee">
): Effect.Effect<Prepared<SolanaTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, coin, network, row, rpc } = context
    const [tables, fee] = yield* Effect.all(
      [
        readLookupTables(
          rpc,
          wire.lookups.map(({ table }) => table)
        ),
        readFee(context, wire)
      ],
      { concurrency: "unbounded" }
    )
    const writable = yield* check(() => findWritable(wire, tables))
    yield* checkFeeCap(fee, maxFee, coin, caps.solana.fee)
    const calls = callsOf(wire)
    const to = calls[0]?.contract ?? ""
    const draft: Prepared<SolanaTransaction> = {
      network,
      from: address,
      to,
      amount: 0n,
      fee,
      outgoing: [],
      warnings: [],
      transaction: {
        from: address,
        to,
        amount: 0n,
        ...lifetime,
        wire: {
          encoded: encodeWire(wire, address),
          version: wire.version,
          calls,
          signers: wire.signers,
          writable
        }
      }
    }
    const outcome = yield* simulateWith(context.kit, context, row, draft)
    if (!outcome.succeeds) return yield* refuse(`the chain refuses it: ${outcome.reason ?? ""}`)
    const leaving = outcome.changes.filter(({ address: of, units }) => of === address && units < 0n)
    const amount = -(leaving.find(({ token }) => token === undefined)?.units ?? 0n)
    return {
      ...draft,
      amount,
      outgoing: [
        ...leaving
          .filter(({ token }) => token !== undefined)
          .map(({ address: _, ...each }) => ({
            ...each,
            amount: Units.format(-each.units, each.decimals),
            units: -each.units
          })),
        { asset: coin.asset, amount: Units.format(amount + fee, coin.decimals) }
      ],
      warnings: [
        ...warnings,
        ...warnOfPrograms(address, wire),
        ...outcome.approvals.map(warnOfApproval),
        ...outcome.warnings
      ],
      transaction: { ...draft.transaction, amount }
    }
  })

/**
 * How long the blockhash of a transaction from elsewhere is good, of which nodes tell nothing: one that they know is at most as new as the
 * newest that a node has at the same slot.
 */
const readBlockhashLifetime = (
  { rpc }: SignerContext,
  { lifetime: blockhash }: WireTransaction,
  besides = ""
) =>
  Effect.gen(function* () {
    const { context, value } = yield* withAgreement(
      rpc.isBlockhashValid(blockhash, CONFIRMED),
      (one, other) => one.value === other.value
    )
    if (value !== true)
      return yield* refuse(
        `its blockhash ${blockhash} is too old, or of another network${besides}: get the transaction again, and prepare it at once`
      )
    const newest = yield* rpc.getLatestBlockhash({ ...CONFIRMED, minContextSlot: context.slot })
    const last = newest.value.lastValidBlockHeight
    return {
      blockhash,
      lastValidBlockHeight: yield* requireWhole("getLatestBlockhash", "lastValidBlockHeight", last)
    }
  })

/**
 * How long a transaction from elsewhere is good: as long as the nonce account that it begins with has its value, or as its blockhash is. One
 * may use a nonce account for another reason.
 */
const readLifetimeOf = (
  context: SignerContext,
  wire: WireTransaction
): Effect.Effect<Timed["lifetime"], ReadError> =>
  Effect.gen(function* () {
    const account = findNonceAccount(wire)
    if (account === undefined) return yield* readBlockhashLifetime(context, wire)
    const { value } = yield* readNonce(context.rpc, account)
    return value === wire.lifetime
      ? { nonce: { account, value } }
      : yield* readBlockhashLifetime(context, wire, `, and the nonce account ${account} has another value`)
  })

const prepareWire = (context: SignerContext, request: SolanaWireRequest) =>
  Effect.gen(function* () {
    const wire = yield* check(() => readSignable(context.address, readBytes(context, request.transaction)))
    const lifetime = yield* readLifetimeOf(context, wire)
    return yield* preview(context, { wire, lifetime, warnings: warnOfNonce(lifetime) }, request)
  })

/** The bits of a role of kit. */
const WRITABLE_BIT = 1
const SIGNER_BIT = 2

/** An instruction in our form, after its check. Throws with what is wrong. */
const toInstruction = (
  { address, kit }: SignerContext,
  given: SolanaInstruction | KitInstruction,
  at: number
): SolanaInstruction => {
  if (!isRecord(given as unknown)) throw new Error(`instructions[${at}] must be { program, accounts, data }`)
  const { accounts = [], data } = given
  const checkAddress = (place: string, text: string): string => {
    const problem = addressProblem(text)
    if (problem !== undefined) throw new Error(`instructions[${at}].${place} ${problem}`)
    return text
  }
  if (data !== undefined && !kit.isBytes(data))
    throw new Error(`instructions[${at}].data must be a Uint8Array`)
  if (!Array.isArray(accounts)) throw new Error(`instructions[${at}].accounts must be a list`)
  const read: SolanaInstruction = {
    program:
      "programAddress" in given
        ? checkAddress("programAddress", given.programAddress)
        : checkAddress("program", given.program),
    accounts: accounts.map((account, i) => ({
      address: checkAddress(`accounts[${i}].address`, account?.address),
      ...("role" in account
        ? { isSigner: (account.role & SIGNER_BIT) > 0, isWritable: (account.role & WRITABLE_BIT) > 0 }
        : { isSigner: account.isSigner === true, isWritable: account.isWritable === true })
    })),
    ...(data === undefined ? {} : { data: Uint8Array.from(data) })
  }
  const other = read.accounts?.find((account) => account.isSigner === true && account.address !== address)
  if (other !== undefined)
    throw new Error(
      `instructions[${at}] needs the signature of ${other.address}: compile it elsewhere, have it signed there, and prepare the transaction`
    )
  return read
}

const isComputeBudget = ({ program }: SolanaInstruction): boolean => program === programs.computeBudget

const toBudget = (data: Uint8Array): SolanaInstruction => ({ program: programs.computeBudget, data })

/** Compiles instructions to a transaction that this account pays. */
const compile = (
  { address }: SignerContext,
  instructions: Plan["instructions"],
  tables: LookupTables,
  lifetime: BlockhashLifetime
): Effect.Effect<WireTransaction, InvalidArgument> =>
  check(() => readSignable(address, compileInstructions({ payer: address, instructions, tables }, lifetime)))

/** What instructions are compiled with. */
interface Given {
  readonly tables: LookupTables
  readonly nonce: SolanaNonce | undefined
}

/** The limit and the price of compute units that instructions need, unless they have instructions of the compute budget. */
const priceInstructions = (
  context: SignerContext,
  instructions: Plan["instructions"],
  { nonce, tables }: Given,
  { maxFee, speed }: SolanaInstructionsRequest
) =>
  Effect.gen(function* () {
    if (instructions.some(isComputeBudget)) return { budget: [], warnings: [] }
    const { address, coin, rpc } = context
    const budgetOf = (limit: number) => toBudget(encodeComputeUnitLimit(limit))
    const lifetime =
      nonce === undefined ? yield* readLifetime(rpc) : { blockhash: nonce.value, lastValidBlockHeight: 0n }
    // the chain wants the use of a nonce first, so that the limit is behind the rest
    const trial = yield* compile(context, [...instructions, budgetOf(MAX_COMPUTE_UNITS)], tables, lifetime)
    const base = yield* readFee(context, trial)
    const cap = yield* checkFeeCap(base, maxFee, coin, caps.solana.fee)
    const written = yield* check(() => findWritable(trial, tables))
    const [units, wanted] = yield* Effect.all(
      [tryForUnits(context, encodeWire(trial, address), nonce), readMarketPrice(context, written, speed)],
      { concurrency: "unbounded" }
    )
    const limit = toComputeUnitLimit(instructions.length, units)
    const { price, warnings } = choosePrice(wanted, limit, cap - base)
    return {
      budget: [
        budgetOf(limit),
        ...(price === 0n ? [] : [toBudget(encodeInstruction(SET_COMPUTE_UNIT_PRICE, price))])
      ],
      warnings
    }
  })

/** Gives what is compiled a blockhash with which it was not made before. */
export type Dating = <A extends { readonly message: string }, E>(
  compile: (lifetime: BlockhashLifetime) => Effect.Effect<A, E>
) => Effect.Effect<A, E | ReadError | SigningFailed>

/** An account, and what tells its transactions apart. */
export interface Preparing {
  readonly context: SignerContext
  readonly date: Dating
}

/** Compiles instructions for the value of a nonce account, or for a blockhash with which they were not compiled before. */
const compileTimed = (
  { context, date }: Preparing,
  instructions: Plan["instructions"],
  { nonce, tables }: Given
): Effect.Effect<Timed, ReadError> => {
  if (nonce !== undefined)
    return Effect.map(
      compile(context, instructions, tables, { blockhash: nonce.value, lastValidBlockHeight: 0n }),
      (wire) => ({ wire, lifetime: { nonce } })
    )
  const dated = date((lifetime) =>
    Effect.map(compile(context, instructions, tables, lifetime), (wire) => ({
      lifetime,
      wire,
      message: context.kit.encodeMessage(wire.transaction)
    }))
  )
  // nothing is signed yet
  return Effect.mapError(dated, (error) =>
    error._tag === "SigningFailed" ? invalidArgument(CALL, error.reason) : error
  )
}

/** The instruction that the chain wants first in a transaction with a nonce. */
const toNonceAdvance = ({ address }: SignerContext, { account }: SolanaNonce): SolanaInstruction => ({
  program: programs.system,
  accounts: [
    { address: account, isWritable: true },
    { address: RECENT_BLOCKHASHES },
    { address, isSigner: true }
  ],
  data: Uint8Array.from(ADVANCE_NONCE)
})

/** Makes an account at an address that follows from ours, so that no other key signs, and a nonce of it. */
const makeNonceAccountInstructions = (
  made: Omit<SeededAccount, "owner" | "space">
): ReadonlyArray<SolanaInstruction> => [
  makeSeededAccount({ ...made, owner: programs.system, space: NONCE_BYTES }),
  {
    program: programs.system,
    accounts: [
      { address: made.account, isWritable: true },
      { address: RECENT_BLOCKHASHES },
      { address: RENT }
    ],
    data: Uint8Array.of(...INITIALIZE_NONCE, ...decodeBase58(made.address))
  }
]

const prepareInstructions = (preparing: Preparing, request: SolanaInstructionsRequest) =>
  Effect.gen(function* () {
    const { context } = preparing
    const { rpc } = context
    const { lookupTables = [] } = request
    const problem = speedProblem(request.speed)
    if (problem !== undefined) return yield* refuse(problem)
    const instructions = yield* check(() => {
      if (!Array.isArray(request.instructions) || request.instructions.length === 0)
        throw new Error("instructions must be a list with at least one")
      const wrong = lookupTables.map((table) => addressProblem(table)).find((each) => each !== undefined)
      if (wrong !== undefined) throw new Error(`an address of lookupTables ${wrong}`)
      return request.instructions.map((each, at) => toInstruction(context, each, at))
    })
    const tables = yield* readLookupTables(rpc, lookupTables)
    const { nonceAccount } = request
    const nonce = nonceAccount === undefined ? undefined : yield* readOwnNonce(context, nonceAccount)
    const given = { nonce, tables }
    const first = nonce === undefined ? [] : [toNonceAdvance(context, nonce)]
    const { budget, warnings } = yield* priceInstructions(
      context,
      [...first, ...instructions],
      given,
      request
    )
    const timed = yield* compileTimed(preparing, [...first, ...budget, ...instructions], given)
    return yield* preview(
      context,
      { ...timed, warnings: [...warnings, ...warnOfNonce(timed.lifetime)] },
      request
    )
  })

/** The preview of a whole transaction. */
export const prepareTransaction = (
  preparing: Preparing,
  request: SolanaRequest
): Effect.Effect<Prepared<SolanaTransaction>, PrepareError> => {
  const given: unknown = request
  if (!isRecord(given) || "instructions" in given === "transaction" in given)
    return refuse("it takes { transaction }, or { instructions }")
  return "instructions" in request
    ? prepareInstructions(preparing, request)
    : prepareWire(preparing.context, request)
}

/** The longest seed of an address, in bytes. */
const MAX_SEED_BYTES = 32

/** The preview of a new nonce account. */
export const prepareNonceAccount = (
  preparing: Preparing,
  { seed = "nonce", ...options }: Parameters<SolanaSigner["prepareNonceAccount"]>[0] & object
): Effect.Effect<PreparedNonceAccount, PrepareError> =>
  Effect.gen(function* () {
    const { context } = preparing
    const { address } = context
    const bytes = encodeMemo(String(seed))
    if (typeof seed !== "string" || bytes.length === 0 || bytes.length > MAX_SEED_BYTES)
      return yield* refuse(`seed must be text of 1 to ${MAX_SEED_BYTES} bytes`)
    const account = yield* check(() => findSeededAddress(address, seed))
    const [existing] = yield* readAccounts(context.rpc, [account])
    if (existing !== undefined)
      return yield* refuse(`the account ${account} is there already: give another seed, or use it`)
    const rent = yield* readRent(context, NONCE_BYTES)
    const instructions = makeNonceAccountInstructions({ account, address, seed, lamports: rent })
    return {
      ...(yield* prepareInstructions(preparing, { ...options, instructions })),
      nonceAccount: account
    }
  })

const isSameCall = (one: ContractCall, other: ContractCall | undefined): boolean =>
  one.contract === other?.contract && one.method === other?.method

/** Whether bytes call, and are signed and written by, what the preview says. It has the accounts of lookup tables behind the others. */
const isSameWire = (read: WireTransaction, said: SolanaWire): boolean => {
  const calls = callsOf(read)
  return (
    calls.length === said.calls.length &&
    calls.every((call, at) => isSameCall(call, said.calls[at])) &&
    read.signers.every((signer, at) => signer === said.signers[at]) &&
    read.writable.every((account, at) => account === said.writable[at])
  )
}

/**
 * Reads the bytes that are to be signed. They have to do what the preview and the policy had before them, for a fee of at most `fee`, if there
 * is a preview.
 */
const readAsPreviewed = (
  { address }: SignerContext,
  said: SolanaWire,
  fee: bigint | undefined
): Effect.Effect<WireTransaction, InvalidArgument> =>
  check(async () => {
    const read = await readSignable(address, bytesOfBase64(said.encoded))
    const isDearer = fee !== undefined && read.signers[0] === address && read.fee > fee
    if (!isSameWire(read, said) || isDearer)
      throw new Error("its transaction is another one than that of its preview")
    return read
  }, "sign")

/** What reads bytes that stake is loaded with the first of them. */
const loadStakeProgram = /*#__PURE__*/ loadOnce(() => import("./stakeProgram.js"), Effect.succeed)

/** Refuses bytes that do another thing than the staking that their transaction names. */
const checkStaking = (
  wire: WireTransaction,
  transaction: SolanaTransaction
): Effect.Effect<void, InvalidArgument | SigningFailed> =>
  transaction.staking === undefined
    ? Effect.void
    : Effect.flatMap(
        Effect.mapError(loadStakeProgram, ({ reason }) => new SigningFailed({ reason })),
        ({ isStaking }) =>
          check(() => {
            if (!isStaking(wire, transaction)) throw new Error("its bytes stake another thing than it says")
          }, "sign")
      )

/** A transaction that is one as a whole. */
type WholeTransaction = SolanaTransaction & { readonly wire: SolanaWire }

/** Signs a whole transaction. Those signatures that it has stay. */
export const signWire = (
  context: SignerContext,
  account: Account,
  transaction: WholeTransaction,
  fee?: bigint
): Effect.Effect<Signed, InvalidArgument | SigningFailed> =>
  Effect.gen(function* () {
    const wire = yield* readAsPreviewed(context, transaction.wire, fee)
    yield* checkStaking(wire, transaction)
    const signature = yield* trySigning((request) => account.signTransaction(wire.transaction, request))
    return {
      raw: encodeWire(wire, context.address, signature),
      hash: findHash(wire, context.address, signature)
    }
  })
