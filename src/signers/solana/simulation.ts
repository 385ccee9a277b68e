/** What a payment of Solana would change: the accounts that it writes, before it and after a node has tried it. */
import * as Effect from "effect/Effect"
import { encodeBase58 } from "../../chains/internal/base58.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import type { InvalidArgument, NodeError } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { sanitizeText } from "../../data/untrusted.js"
import { makeMalformedError, maxOf, minOf, requireWhole, withAgreement } from "../evidence.js"
import type { Outgoing, Prepared, ReadError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import type { Approval, BalanceChange, SimulatedOutcome, SimulateError } from "../simulation.js"
import { type TokenFactsError, toOutgoing } from "../tokens.js"
import type { KitModule } from "./accounts.js"
import {
  type AccountState,
  computeBudgetProblem,
  isAmount,
  MAX_U64,
  parseDelegation,
  parseHolding,
  parseMint,
  parseNonce,
  parsePermanentDelegate,
  programs
} from "./layout.js"
import {
  describeRefusal,
  parseAccounts,
  readAccounts,
  readMintFacts,
  type States,
  toStates,
  trialConfig
} from "./reading.js"
import type { SolanaCalls, SolanaNonce, SolanaToken, SolanaTransaction } from "./Types.js"

/**
 * The calls that a simulation needs. Every client of Solana has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaSimulationCalls
  extends Pick<SolanaCalls, "getMultipleAccounts" | "simulateTransaction"> {}

/**
 * A client of Solana, as far as simulations use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaSimulationClient {
  readonly network: string
  readonly rpc: SolanaSimulationCalls
}

const METHOD = "simulateTransaction"

/** An account before the transaction and after it. */
interface Difference {
  readonly address: string
  readonly before: AccountState | undefined
  readonly after: AccountState | undefined
}

/** What a trial has shown. `isShared` says that others have written to the accounts meanwhile. */
interface Trial {
  readonly differences: ReadonlyArray<Difference>
  readonly reason?: string
  readonly fee?: bigint
  readonly isShared: boolean
}

/** The bytes of a payment. Nodes put a blockhash of theirs in place of the one of zeros. */
const compile = (
  kit: KitModule,
  { transaction }: Prepared<SolanaTransaction>
): Effect.Effect<string, InvalidArgument> => {
  const { amount, computeUnitLimit, computeUnitPrice, from, wire } = transaction
  if (wire !== undefined) return Effect.succeed(wire.encoded)
  const problem = isAmount(amount)
    ? computeBudgetProblem(computeUnitLimit, computeUnitPrice)
    : "its amount is none of 64 bits"
  if (problem !== undefined) return Effect.fail(invalidArgument("simulate", problem))
  return Effect.try({
    try: () =>
      kit.encodeTransaction(
        kit.compile(transaction, { blockhash: programs.system, lastValidBlockHeight: 0n }),
        from
      ),
    catch: () => invalidArgument("simulate", "it names accounts that are none of Solana")
  })
}

/** The accounts that a transaction writes to, and the account itself. */
const writtenBy = ({ from, to, token, wire }: SolanaTransaction): ReadonlyArray<string> => [
  ...new Set(
    wire !== undefined
      ? [from, ...wire.writable]
      : token === undefined
        ? [from, to]
        : [from, token.source, token.destination]
  )
]

const isSameState = (one: AccountState | undefined, other: AccountState | undefined): boolean =>
  one?.lamports === other?.lamports && String(one?.data) === String(other?.data)

/** Checks that a node has told all accounts, and their lamports. */
const checkStates = (
  call: string,
  addresses: ReadonlyArray<string>,
  states: ReadonlyArray<AccountState | undefined>
): Effect.Effect<void, NodeError> =>
  states.length === addresses.length &&
  states.every((state) => state === undefined || (typeof state.lamports === "bigint" && state.lamports >= 0n))
    ? Effect.void
    : Effect.fail(
        makeMalformedError(call, "the accounts of the transaction were expected, with their lamports")
      )

/** How often a trial is repeated while others write to its accounts: their payments are not to be taken for its own. */
const MAX_TRIALS = 3

const lamportsOf = (state: AccountState | undefined): bigint => state?.lamports ?? 0n

/** What nodes try: the bytes, and the accounts to look at. */
interface Attempt {
  readonly bytes: string
  readonly nonce: SolanaNonce | undefined
  readonly addresses: ReadonlyArray<string>
  /** The account of a whole transaction, of which two nodes have to show what leaves it. The amount of a payment is known without a trial. */
  readonly payer: string | undefined
}

/** Whether an account is the one that signs, or one for tokens of it. */
const isOwn = (owner: string, address: string | undefined, ...states: States): boolean =>
  address === owner || states.some((state) => parseHolding(state)?.owner === owner)

/** Two trials may differ by a twentieth: exchanges ask for other amounts from one slot to the next. */
const TOLERANCE = 20n

/** Whether about the same leaves an account by two trials. What comes in need not be the same. */
const isAboutSame = (before: bigint, one: bigint, other: bigint): boolean => {
  const [first, second] = [maxOf(before - one, 0n), maxOf(before - other, 0n)]
  return (maxOf(first, second) - minOf(first, second)) * TOLERANCE <= maxOf(first, second)
}

type Answer = Effect.Effect.Success<ReturnType<SolanaSimulationCalls["simulateTransaction"]>>

const hasFailed = ({ value: { err } }: Answer): boolean => err !== null && err !== undefined

/** Whether two nodes show about the same of the accounts of an owner. */
const isSameTrial =
  (owner: string, addresses: ReadonlyArray<string>, before: States) =>
  (one: Answer, other: Answer): boolean => {
    if (hasFailed(one) || hasFailed(other)) return hasFailed(one) === hasFailed(other)
    const [first, second] = [toStates(one.value.accounts ?? []), toStates(other.value.accounts ?? [])]
    return before.every((state, at) => {
      const givesSame = rights.every(
        ({ holderOf }) => holderOf(state) !== owner || holderOf(first[at]) === holderOf(second[at])
      )
      if (!givesSame || !isOwn(owner, addresses[at], state)) return givesSame
      const [had, has, hasToo] = [state, first[at], second[at]].map(
        (each) => parseHolding(each)?.amount ?? 0n
      )
      return (
        first[at]?.owner === second[at]?.owner &&
        parseHolding(first[at])?.owner === parseHolding(second[at])?.owner &&
        isAboutSame(lamportsOf(state), lamportsOf(first[at]), lamportsOf(second[at])) &&
        isAboutSame(had ?? 0n, has ?? 0n, hasToo ?? 0n)
      )
    })
  }

const tryTransaction = (
  rpc: SolanaSimulationCalls,
  attempt: Attempt,
  left = MAX_TRIALS - 1
): Effect.Effect<Trial, ReadError> =>
  Effect.gen(function* () {
    const { addresses, bytes, nonce, payer } = attempt
    const isWatched = (address: string, state: AccountState | undefined): boolean =>
      payer === undefined || isOwn(payer, address, state)
    const before = yield* readAccounts(
      rpc,
      addresses,
      payer === undefined
        ? undefined
        : (one, other) =>
            addresses.every(
              (address, at) => !isOwn(payer, address, one[at], other[at]) || isSameState(one[at], other[at])
            )
    )
    const call = rpc.simulateTransaction(bytes, {
      ...trialConfig(nonce),
      accounts: { encoding: "base64", addresses }
    })
    const { value } = yield* payer === undefined
      ? call
      : withAgreement(call, isSameTrial(payer, addresses, before))
    const { accounts, err, fee, logs } = value
    if (err !== null && err !== undefined)
      return { differences: [], reason: describeRefusal(err, logs), isShared: false }
    const after = yield* parseAccounts(METHOD, accounts ?? [])
    const later = yield* readAccounts(rpc, addresses)
    const isShared = addresses.some(
      (address, at) => isWatched(address, before[at]) && !isSameState(before[at], later[at])
    )
    if (isShared && left > 0) return yield* tryTransaction(rpc, attempt, left - 1)
    yield* checkStates("getMultipleAccounts", addresses, before)
    yield* checkStates(METHOD, addresses, after)
    return {
      differences: addresses.map((address, at) => ({ address, before: before[at], after: after[at] })),
      ...(fee === null || fee === undefined ? {} : { fee: yield* requireWhole(METHOD, "the fee", fee) }),
      isShared
    }
  })

/** What the trial does to the coins of an address. The payer's own change is without the fee. */
const toCoinChange = (
  { address, after, before }: Difference,
  { decimals, symbol: asset }: NetworkRow,
  fee: bigint
): BalanceChange => {
  const units = lamportsOf(after) - lamportsOf(before) + fee
  return { address, asset, amount: Units.format(units, decimals), units, decimals }
}

/** What the preview calls the token that it pays. */
interface ShownToken extends Pick<Outgoing, "asset" | "symbol"> {
  readonly mint: string
  readonly decimals: number
  readonly permanentDelegate?: string
}

const shownTokenOf = ({ outgoing }: Prepared<unknown>, { decimals, mint }: SolanaToken): ShownToken => {
  const { asset, symbol } = outgoing.find(({ token }) => token === mint) ?? { asset: mint, symbol: undefined }
  return { asset, mint, decimals, ...(symbol === undefined ? {} : { symbol }) }
}

/** The token that an account is for; undefined if it is for none. */
const mintOf = ({ after, before }: Difference): string | undefined =>
  (parseHolding(before) ?? parseHolding(after))?.mint

/** What the trial does to the tokens of an account's owner. */
const toTokenChange = (
  { after, before }: Difference,
  token: ShownToken | undefined
): ReadonlyArray<BalanceChange> => {
  const [had, has] = [parseHolding(before), parseHolding(after)]
  const address = (had ?? has)?.owner
  const units = (has?.amount ?? 0n) - (had?.amount ?? 0n)
  return address === undefined || token === undefined
    ? []
    : [{ address, ...toOutgoing(token.mint, units, token), units, decimals: token.decimals }]
}

/** An owner may have several accounts for a token: what matters is their sum. */
const sumChanges = (changes: ReadonlyArray<BalanceChange>): ReadonlyArray<BalanceChange> => {
  const sums = new Map<string, BalanceChange>()
  for (const change of changes) {
    const key = `${change.address} ${change.asset}`
    const units = (sums.get(key)?.units ?? 0n) + change.units
    sums.set(key, { ...change, units, amount: Units.format(units, change.decimals) })
  }
  return [...sums.values()]
}

/** An allowance that the trial gives of an account's tokens. */
const findApproval = (
  { after, before }: Difference,
  token: ShownToken | undefined
): ReadonlyArray<Approval> => {
  const [had, has] = [parseDelegation(before), parseDelegation(after)]
  if (
    token === undefined ||
    has === undefined ||
    has.amount === 0n ||
    (had?.delegate === has.delegate && had.amount >= has.amount)
  )
    return []
  const { delegate: spender, amount: units } = has
  return [{ spender, ...toOutgoing(token.mint, units, token), unlimited: units === MAX_U64 }]
}

/** What gives an account away for good, in place of its tokens or coins. */
const warnOfNewOwner = ({ address, after, before }: Difference): ReadonlyArray<string> => {
  if (before === undefined || after === undefined) return []
  const [had, has] = [parseHolding(before)?.owner, parseHolding(after)?.owner]
  return before.owner !== after.owner
    ? [`It would give the account ${address} to the program ${after.owner}.`]
    : had !== has && has !== undefined
      ? [`It would give the account ${address} and its tokens to ${has}.`]
      : []
}

/** A key of an account's data: at a place, if the number before it says that it is there. */
const keyAt = (
  state: AccountState | undefined,
  at: number,
  isThere: (data: DataView) => boolean
): string | undefined => {
  if (state === undefined || state.data.length < at + 32) return undefined
  const { data } = state
  return isThere(new DataView(data.buffer, data.byteOffset, data.byteLength))
    ? encodeBase58(data.subarray(at, at + 32))
    : undefined
}

/** The program that programs which can change belong to. */
const LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"

/** Rights over accounts that are not in their owner: who has them, and what is given away with them. */
const rights: ReadonlyArray<{
  readonly what: string
  readonly holderOf: (state: AccountState | undefined) => string | undefined
}> = [
  { what: "the nonce account", holderOf: (state) => parseNonce(state)?.authority },
  {
    what: "the stake account, with its coins,",
    // state, rent, who stakes, who takes out
    holderOf: (state) =>
      state?.owner === programs.stake ? keyAt(state, 44, (data) => data.getUint32(0, true) > 0) : undefined
  },
  {
    what: "the right to make new tokens of the mint",
    holderOf: (state) =>
      parseMint(state) === undefined ? undefined : keyAt(state, 4, (data) => data.getUint32(0, true) === 1)
  },
  {
    what: "the right to close the account for tokens",
    // without one it is the owner's
    holderOf: (state) => {
      const holding = parseHolding(state)
      return holding === undefined
        ? undefined
        : (keyAt(state, 133, (data) => data.getUint32(129, true) === 1) ?? holding.owner)
    }
  },
  {
    what: "the right to change the program of",
    holderOf: (state) =>
      state?.owner === LOADER
        ? keyAt(state, 13, (data) => data.getUint32(0, true) === 3 && data.getUint8(12) === 1)
        : undefined
  }
]

/** Rights that the account gives to others. A new owner of tokens has all of them. */
const warnOfRights = (account: string, each: Difference): ReadonlyArray<string> =>
  warnOfNewOwner(each).length > 0
    ? []
    : rights.flatMap(({ holderOf, what }) => {
        const [had, has] = [holderOf(each.before), holderOf(each.after)]
        return had === account && has !== undefined && has !== account
          ? [`It would give ${what} ${each.address} to ${has}.`]
          : []
      })

/** Whom a payment pays, as changes name him: accounts for tokens are those of their owners. */
const receiverOf = (
  { to, transaction: { token } }: Prepared<SolanaTransaction>,
  differences: ReadonlyArray<Difference>
): string => {
  const destination = differences.find(({ address }) => address === token?.destination)
  return parseHolding(destination?.before ?? destination?.after)?.owner ?? to
}

/** The tokens of a transaction by their mints: that of a payment, or those that the account has or gets by another one. */
const findTokens = (
  { rpc }: SolanaSimulationClient,
  row: NetworkRow,
  prepared: Prepared<SolanaTransaction>,
  differences: ReadonlyArray<Difference>
): Effect.Effect<ReadonlyMap<string, ShownToken>, TokenFactsError> =>
  Effect.gen(function* () {
    const { from, transaction } = prepared
    const { token, wire } = transaction
    if (token !== undefined) return new Map([[token.mint, shownTokenOf(prepared, token)]])
    const mints =
      wire === undefined
        ? []
        : differences.flatMap((each) => {
            const mint = isOwn(from, "", each.before, each.after) ? mintOf(each) : undefined
            return mint === undefined ? [] : [mint]
          })
    const addresses = [...new Set(mints)]
    if (addresses.length === 0) return new Map()
    const states = yield* readAccounts(rpc, addresses)
    const shown = yield* Effect.forEach(addresses, (mint, at) => {
      const { decimals } = parseMint(states[at]) ?? { decimals: 0 }
      const permanentDelegate = parsePermanentDelegate(states[at])
      return Effect.map(
        readMintFacts(row, mint, decimals),
        ({ asset, symbol }): readonly [string, ShownToken] => [
          mint,
          {
            asset,
            mint,
            decimals,
            ...(symbol === undefined ? {} : { symbol }),
            ...(permanentDelegate === undefined ? {} : { permanentDelegate })
          }
        ]
      )
    })
    return new Map(shown)
  })

/** Simulates a prepared transaction of Solana, over kit. */
export const simulateWith = (
  kit: KitModule,
  client: SolanaSimulationClient,
  row: NetworkRow,
  prepared: Prepared<SolanaTransaction>
): Effect.Effect<SimulatedOutcome, TokenFactsError> =>
  Effect.gen(function* () {
    const { from, transaction } = prepared
    const { wire } = transaction
    const bytes = yield* compile(kit, prepared)
    const { differences, fee, isShared, reason } = yield* tryTransaction(client.rpc, {
      bytes,
      nonce: transaction.nonce,
      addresses: writtenBy(transaction),
      payer: wire === undefined ? undefined : from
    })
    const tokens = yield* findTokens(client, row, prepared, differences)
    const tokenOf = (each: Difference): ShownToken | undefined => tokens.get(mintOf(each) ?? "")
    const payer = wire === undefined ? from : wire.signers[0]
    const ofTokens = sumChanges(differences.flatMap((each) => toTokenChange(each, tokenOf(each))))
    const ofCoins = differences.map((each) =>
      toCoinChange(each, row, each.address === payer ? (fee ?? prepared.fee) : 0n)
    )
    return {
      succeeds: reason === undefined,
      ...(reason === undefined ? {} : { reason: sanitizeText(reason) }),
      changes: [...ofTokens, ...ofCoins].filter(({ units }) => units !== 0n),
      // the account of another owner is his to give
      approvals: differences
        .filter(({ before }) => parseHolding(before)?.owner === from)
        .flatMap((each) => findApproval(each, tokenOf(each))),
      warnings: [
        ...differences
          .filter(({ address, before }) => wire === undefined || isOwn(from, address, before))
          .flatMap(warnOfNewOwner),
        ...differences.flatMap((each) => warnOfRights(from, each)),
        ...[...tokens.values()].flatMap(({ asset, permanentDelegate }) =>
          permanentDelegate === undefined
            ? []
            : [`${permanentDelegate} can take the token ${asset} from every account.`]
        ),
        ...(isShared
          ? ["Others pay to or from these accounts just now: a part of the changes may be theirs."]
          : [])
      ],
      method: METHOD,
      ...(wire === undefined ? { receiver: receiverOf(prepared, differences) } : {}),
      ...(fee === undefined || payer !== from ? {} : { fee })
    }
  })

/** Simulates a prepared transaction of Solana. */
export const simulate = (
  client: SolanaSimulationClient,
  row: NetworkRow,
  prepared: Prepared<SolanaTransaction>
): Effect.Effect<SimulatedOutcome, SimulateError> =>
  Effect.flatMap(
    loadPeer("@solana/kit", () => import("./kit.js")),
    (kit) => simulateWith(kit, client, row, prepared)
  )
