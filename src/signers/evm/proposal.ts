/** Proposals of Safe accounts: what the contract says of its owners and payments, previews, and the execution. */
import * as Effect from "effect/Effect"
import type { Hex, LogFilter } from "../../chains/evm/Types.js"
import { textOf } from "../../data/abiText.js"
import { checksumAddress } from "../../data/evmAddress.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type {
  AccountFacts,
  ExecutableProposal,
  PayloadCodec,
  Proposal,
  ProposalError,
  ProposalFamily,
  ProposalRequest
} from "../proposalFamily.js"
import type { Prepared, ReadError } from "../Signer.js"
import { checkBalance, invalidArgument, sweepableAmount, toFixedAmount } from "../signerChecks.js"
import { toOutgoing } from "../tokens.js"
import { checkReceiver, findWarnings } from "./payments.js"
import { BALANCE_OF, encodeWord, parseWord, readToken } from "./reading.js"
import {
  encodeExecution,
  encodeHashCall,
  encodeTransfer,
  parseTypedData,
  readTerms,
  toTypedData
} from "./safe.js"
import type { EvmCalls, EvmClient, EvmSigner, SafeTransaction } from "./Types.js"

/**
 * The calls that proposals of Safe accounts need. Every client of an EVM chain has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface SafeCalls extends EvmCalls {
  readonly getLogs: (filter: LogFilter) => Effect.Effect<
    ReadonlyArray<{
      readonly topics: ReadonlyArray<Hex>
      readonly data: Hex
      readonly transactionHash: Hex | null
    }>,
    ReadError
  >
}

/**
 * A client of an EVM chain, as far as proposals of Safe accounts use it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SafeClient extends Omit<EvmClient, "rpc"> {
  readonly rpc: SafeCalls
}

/**
 * Who executes the payment of a Safe, and pays the network's fee for it: any signer of the network.
 *
 * @since 0.1.0
 * @category models
 */
export interface SafeExecutor extends Pick<EvmSigner, "network" | "sendTransaction"> {}

/** Function selectors of the contract. */
const VERSION = "0xffa1ad74"
const GET_OWNERS = "0xa0e67e2b"
const GET_THRESHOLD = "0xe75235b8"
const NONCE = "0xaffed0e0"
const GET_STORAGE_AT = "0x5624b25b"
const GET_MODULES = "0xcc2f8452"
const APPROVED_HASHES = "0x7d832974"

/** Where the contract keeps its guard: the hash of `guard_manager.guard.address`. */
const GUARD_SLOT = 0x4a204f620c8c5ccdca3fd54d003badd85ba500436a431f0cbda4f558c93c34c8n

/** The event of an execution, which has the hash of the payment. */
const EXECUTION_SUCCESS = "0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e"

/** More modules than this are not listed by name. */
const MODULE_PAGE = 10n

const isSameAnswer = (one: string, other: string): boolean => one === other

const makeAsk =
  (rpc: EvmCalls, contract: string) =>
  (selector: Hex, ...words: ReadonlyArray<string | bigint>): Effect.Effect<Hex, ReadError> =>
    withAgreement(
      rpc.call({ to: contract, data: `${selector}${words.map(encodeWord).join("")}` }),
      isSameAnswer
    )

const wordAt = (answer: Hex, at: number): string => answer.slice(2 + 64 * at, 66 + 64 * at)

const readNumber = (call: string, answer: string): Effect.Effect<number, ReadError> => {
  const value = parseWord(answer)
  return value === undefined || value > BigInt(Number.MAX_SAFE_INTEGER)
    ? Effect.fail(makeMalformedError("eth_call", `${call} is no number`))
    : Effect.succeed(Number(value))
}

/** The addresses of an array, whose length stands at a word. */
const readAddresses = (
  call: string,
  answer: Hex,
  lengthAt: number
): Effect.Effect<ReadonlyArray<Hex>, ReadError> => {
  const length = Number(`0x${wordAt(answer, lengthAt)}`)
  const words = Array.from({ length: answer.length / 64 > length ? length : 0 }, (_, i) =>
    wordAt(answer, lengthAt + 1 + i)
  )
  return words.length === length && words.every((word) => /^0{24}[0-9a-f]{40}$/i.test(word))
    ? Effect.succeed(words.map((word) => checksumAddress(`0x${word.slice(24)}`) as Hex))
    : Effect.fail(makeMalformedError("eth_call", `${call} is no list of addresses`))
}

/** Refuses what is no Safe whose payments name their chain: those before 1.3.0 do not. */
const checkVersion = (rpc: EvmCalls, account: string): Effect.Effect<void, ProposalError> =>
  Effect.flatMap(
    Effect.catchTag(makeAsk(rpc, account)(VERSION), "RpcError", () => Effect.succeed("0x" as const)),
    (answer) => {
      const version = answer === "0x" ? undefined : textOf(answer.slice(2))
      const [, major = 0, minor = 0] = (/^(\d+)\.(\d+)\./.exec(version ?? "") ?? []).map(Number)
      return major > 1 || (major === 1 && minor >= 3)
        ? Effect.void
        : Effect.fail(
            invalidArgument(
              "propose",
              `from: ${account} is no Safe of version 1.3.0 or later${version === undefined ? "" : `, and says that it is ${version}`}`
            )
          )
    }
  )

const requireChainId = ({ chainId, id }: NetworkRow): Effect.Effect<number, ProposalError> =>
  chainId === undefined
    ? Effect.fail(invalidArgument("propose", `${id} has no chain id, without which nothing can be signed`))
    : Effect.succeed(chainId)

const readBalance = (
  { rpc }: SafeClient,
  safe: string,
  token: string | undefined
): Effect.Effect<bigint, ReadError> =>
  token === undefined
    ? rpc.getBalance(safe)
    : Effect.flatMap(makeAsk(rpc, token)(BALANCE_OF, safe), (answer) => {
        const held = parseWord(answer)
        return held === undefined
          ? Effect.fail(makeMalformedError("eth_call", `${token} tells no balance`))
          : Effect.succeed(held)
      })

/** The asset of a payment: the chain's coin, or a token. */
const readAsset = ({ rpc }: SafeClient, row: NetworkRow, token: string | undefined, decimals?: number) =>
  token === undefined
    ? Effect.succeed({
        asset: row.symbol,
        decimals: row.decimals,
        name: row.symbol,
        token: undefined,
        warnings: []
      })
    : readToken(rpc, row, token, decimals)

const isNonce = (nonce: unknown): nonce is number => Number.isSafeInteger(nonce) && Number(nonce) >= 0

const draft = (client: SafeClient, row: NetworkRow, request: ProposalRequest) =>
  Effect.gen(function* () {
    const { network, rpc } = client
    const chainId = yield* requireChainId(row)
    const onChain = { chainId, network }
    const safe = yield* checkReceiver(onChain, request.from)
    const to = yield* checkReceiver(onChain, request.to)
    if (request.memo !== undefined)
      return yield* invalidArgument("propose", "payments of EVM chains have no memo")
    if (request.until !== undefined)
      return yield* invalidArgument("propose", "payments of a Safe do not expire: leave out until")
    yield* checkVersion(rpc, safe)
    const next = yield* readNumber("nonce()", yield* makeAsk(rpc, safe)(NONCE))
    const { nonce = next } = request
    if (!isNonce(nonce) || nonce < next)
      return yield* invalidArgument(
        "propose",
        `nonce must be a whole number of at least ${next}, the next one of the account`
      )
    const token = request.token === undefined ? undefined : yield* checkReceiver(onChain, request.token)
    const { decimals, name } = yield* readAsset(client, row, token, request.decimals)
    const asset = { address: safe, asset: name, decimals, ...(token === undefined ? {} : { token }) }
    const amount =
      (yield* toFixedAmount(request.amount, decimals, name)) ??
      (yield* sweepableAmount(yield* readBalance(client, safe, token), 0n, asset))
    const checksummed = (address: string): Hex => checksumAddress(address) as Hex
    const since = Number((yield* rpc.getBlockByNumber("latest"))?.number)
    const common = { chainId, safe: checksummed(safe), nonce: BigInt(nonce) }
    const transaction: SafeTransaction =
      token === undefined
        ? { ...common, to: checksummed(to), value: amount }
        : { ...common, to: checksummed(token), value: 0n, data: encodeTransfer(to, amount) }
    return isNonce(since)
      ? { transaction, since }
      : yield* makeMalformedError("eth_getBlockByNumber", "the newest block has no number")
  })

/** The hash of the transaction that has executed a payment; undefined if nodes do not show it. */
const findExecution = (
  { rpc }: SafeClient,
  safe: string,
  { id, since }: Pick<Proposal, "id" | "since">
): Effect.Effect<string | undefined> =>
  rpc.getLogs({ address: safe as Hex, fromBlock: since, topics: [EXECUTION_SUCCESS] }).pipe(
    // the hash is a topic from 1.4.0 on, and the first word of the data before
    Effect.map(
      (logs) =>
        logs.find(({ data, topics }) => [topics[1], data.slice(0, 66)].includes(id))?.transactionHash ??
        undefined
    ),
    // many nodes limit how far back they look
    Effect.orElseSucceed(() => undefined)
  )

const describeProgress = (
  next: number,
  { nonce }: SafeTransaction,
  hash: string | undefined
): AccountFacts["progress"] => {
  if (BigInt(next) === nonce) return undefined
  if (BigInt(next) < nonce)
    return {
      status: "queued",
      reason: `it has the nonce ${nonce}, and the account's next one is ${next}: those before it come first`
    }
  return hash === undefined
    ? {
        status: "void",
        reason: `the account has used the nonce ${nonce}, and nodes do not show that it was for this payment`
      }
    : { status: "executed", hash }
}

const readAccount = (
  client: SafeClient,
  _row: NetworkRow,
  transaction: SafeTransaction,
  proposal: Pick<Proposal, "id" | "since">
): Effect.Effect<AccountFacts, ProposalError> =>
  Effect.gen(function* () {
    const { rpc } = client
    const { safe } = transaction
    const ask = makeAsk(rpc, safe)
    yield* checkVersion(rpc, safe)
    const said = yield* withAgreement(rpc.call({ to: safe, data: encodeHashCall(transaction) }), isSameAnswer)
    if (said !== proposal.id)
      return yield* invalidArgument(
        "inspect",
        `id: it is ${proposal.id}, and the contract computes another hash of the payment, ${said}`
      )
    const answers = yield* Effect.all([ask(GET_OWNERS), ask(GET_THRESHOLD), ask(NONCE)], {
      concurrency: "unbounded"
    })
    const owners = yield* readAddresses("getOwners()", answers[0], 1)
    const threshold = yield* readNumber("getThreshold()", answers[1])
    const next = yield* readNumber("nonce()", answers[2])
    const hash = BigInt(next) > transaction.nonce ? yield* findExecution(client, safe, proposal) : undefined
    const approved = yield* Effect.all(
      owners.map((owner) => ask(APPROVED_HASHES, owner, proposal.id)),
      { concurrency: "unbounded" }
    )
    const progress = describeProgress(next, transaction, hash)
    return {
      members: owners.map((address) => ({ address, weight: 1 })),
      threshold,
      approvals: owners.filter((_, i) => parseWord(approved[i]) !== 0n),
      ...(progress === undefined ? {} : { progress })
    }
  })

/** What else can pay from the account, or can stop a payment of it. */
const warnOfContracts = (rpc: EvmCalls, safe: string): Effect.Effect<ReadonlyArray<string>, ReadError> =>
  Effect.gen(function* () {
    const ask = makeAsk(rpc, safe)
    const [storage, page] = yield* Effect.all(
      [ask(GET_STORAGE_AT, GUARD_SLOT, 1n), ask(GET_MODULES, 1n, MODULE_PAGE)],
      { concurrency: "unbounded" }
    )
    const guard = wordAt(storage, 2).slice(24)
    const modules = yield* readAddresses("getModulesPaginated()", page, 2)
    return [
      ...(/^0*$/.test(guard)
        ? []
        : [`The account has a guard, ${checksumAddress(`0x${guard}`)}, which can refuse its payments.`]),
      ...(modules.length === 0
        ? []
        : [
            `The account has modules, which can pay from it without its owners: ${modules.join(", ")}${BigInt(modules.length) === MODULE_PAGE ? " and perhaps more" : ""}.`
          ])
    ]
  })

const preview = (
  client: SafeClient,
  row: NetworkRow,
  transaction: SafeTransaction
): Effect.Effect<Prepared<SafeTransaction>, ProposalError> =>
  Effect.gen(function* () {
    const { network, rpc } = client
    const { amount, to, token } = readTerms(transaction)
    const { data, safe, value } = transaction
    const known = yield* readAsset(client, row, token)
    const asset = { address: safe, asset: known.name, decimals: known.decimals }
    const [held, warnings, contracts] = yield* Effect.all(
      [
        readBalance(client, safe, token),
        findWarnings({ address: safe, rpc }, to as Hex, known.token === undefined ? undefined : known),
        warnOfContracts(rpc, safe)
      ],
      { concurrency: "unbounded" }
    )
    yield* checkBalance(amount, held, token === undefined ? asset : { ...asset, token })
    // a payment that fails is executed by nobody
    const answer = yield* rpc.call({
      from: safe,
      to: transaction.to,
      value: `0x${value.toString(16)}`,
      ...(data === undefined ? {} : { data })
    })
    if (data !== undefined && parseWord(answer) === 0n)
      return yield* invalidArgument("propose", `the token ${known.name} refuses the transfer`)
    return {
      network,
      from: safe,
      to,
      ...(token === undefined ? {} : { token }),
      amount,
      fee: 0n,
      outgoing: [
        token === undefined
          ? { asset: row.symbol, amount: Units.format(amount, row.decimals) }
          : toOutgoing(token, amount, known)
      ],
      warnings: [...warnings, ...known.warnings, ...contracts],
      transaction
    }
  })

const SIGNATURE = /^0x[0-9a-f]{130}$/i

const loadCodec = (row: NetworkRow): Effect.Effect<PayloadCodec<SafeTransaction>, ProposalError> =>
  Effect.map(
    Effect.all([loadPeer("ox", () => import("./ox.js")), requireChainId(row)]),
    ([ox, chainId]): PayloadCodec<SafeTransaction> => {
      const hash = (transaction: SafeTransaction): Hex => ox.hashTypedData(toTypedData(transaction))
      return {
        encode: (transaction) => JSON.stringify(toTypedData(transaction)),
        decode: (payload) => {
          const transaction = parseTypedData(payload)
          if (transaction.chainId !== chainId)
            throw new Error(`it is for the chain ${transaction.chainId}, and ${row.id} is ${chainId}`)
          return transaction
        },
        hash,
        readTerms: (transaction) => {
          const { from, token, ...terms } = readTerms(transaction)
          return { ...terms, from, ...(token === undefined ? {} : { token }) }
        },
        verify: (transaction, { member, signature }) => {
          if (!SIGNATURE.test(signature)) return false
          const v = Number(`0x${signature.slice(130)}`)
          if (v === 0)
            throw new Error(
              "a contract has signed it (EIP-1271), which is not verified here: the contract can call approveHash of the account instead, which is counted"
            )
          if (v === 1) throw new Error("approvals on the chain are read there, and not from the proposal")
          // what eth_sign has signed is a message, and the contract tells it apart by a higher v
          const isMessage = v > 30
          const digest = isMessage ? ox.hashMessage(hash(transaction)) : hash(transaction)
          const plain: Hex = `0x${signature.slice(2, 130)}${(isMessage ? v - 4 : v).toString(16)}`
          return ox.recoverSigner(digest, plain) === member
        }
      }
    }
  )

/** The approvals as the contract takes them: in the order of their owners, and one on the chain by a word of its own. */
const joinApprovals = ({ approvals }: ExecutableProposal<SafeTransaction>): Hex =>
  `0x${[...approvals]
    .sort((one, other) => (one.member.toLowerCase() < other.member.toLowerCase() ? -1 : 1))
    .map(
      ({ member, signature }) => signature?.signature.slice(2) ?? `${encodeWord(member)}${encodeWord(0n)}01`
    )
    .join("")}`

/** Proposals of Safe accounts. */
export const family: ProposalFamily<SafeClient, SafeTransaction, SafeExecutor> = {
  loadCodec,
  draft,
  readAccount,
  preview,
  execute: ({ network }, _row, ready, { confirmations, signer }) => {
    if (typeof signer?.sendTransaction !== "function" || signer.network !== network)
      return Effect.fail(
        invalidArgument(
          "execute",
          `the payment of a Safe is sent by a signer of ${network}, which pays the fee: pass it as signer`
        )
      )
    const { transaction } = ready.prepared
    return signer.sendTransaction({
      to: transaction.safe,
      data: encodeExecution(transaction, joinApprovals(ready)),
      ...(confirmations === undefined ? {} : { confirmations })
    })
  }
}
