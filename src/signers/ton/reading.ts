/** What a payment needs of nodes of TON: the state of its wallet, and whether a message of it has landed. */
import * as Effect from "effect/Effect"
import {
  type CheckOutcome,
  makeOutcomeCheck,
  pollUntilConfirmed,
  type SeenTransaction
} from "../../chains/internal/Confirmation.js"
import { bytesOfBase64 } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import type { NetworkRow } from "../../data/Network.js"
import {
  NonceTaken,
  reasonOf,
  TransactionDropped,
  type TransactionFailed,
  TransactionReplaced
} from "../../data/SdkError.js"
import { type Broadcaster, broadcastTransaction, type TransactionStatus } from "../broadcast.js"
import { makeMalformedError, parseWhole } from "../evidence.js"
import type { NodesOf, ReadError, Signed, SubmitError } from "../Signer.js"
import { invalidArgument } from "../signerChecks.js"
import type { CellsModule } from "./accounts.js"
import type { WalletContract, WalletOrder } from "./cells.js"
import type { TonCalls } from "./Types.js"

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly isTest: boolean
  readonly nodes: NodesOf["nodes"]
  readonly row: NetworkRow
  readonly rpc: TonCalls
  readonly cells: CellsModule
  readonly contract: WalletContract
  readonly address: string
  readonly coin: { readonly asset: string; readonly decimals: number }
  /** The last message that was handed over. */
  readonly last: { order: WalletOrder | undefined }
}

/** A wallet, as it is at a time (seconds). Its last transaction has the logical time `lt`. */
export interface WalletState {
  readonly balance: bigint
  readonly isDeployed: boolean
  readonly seqno: number
  readonly time: number
  readonly lt: bigint
}

const failSigner = (address: string, reason: string): Effect.Effect<never, ReadError> =>
  Effect.fail(invalidArgument("signer", `${address} ${reason}`))

/** The wallet. All of it is of one moment, so that its number and the time fit together. */
export const readWalletState = ({
  address,
  contract,
  rpc
}: SignerContext): Effect.Effect<WalletState, ReadError> =>
  Effect.flatMap(
    rpc.getAddressInformation(contract.raw),
    ({ result }): Effect.Effect<WalletState, ReadError> => {
      const { balance, code, data, last_transaction_id: last, state, sync_utime: time } = result
      const [coins, lt] = [parseWhole(balance), parseWhole(last?.lt)]
      if (coins === undefined || lt === undefined)
        return Effect.fail(
          makeMalformedError("getAddressInformation", `${address} has numbers that are none`)
        )
      const known = { balance: coins, time, lt }
      if (state === "frozen") return failSigner(address, "is frozen")
      if (state !== "active") return Effect.succeed({ ...known, isDeployed: false, seqno: 0 })
      const read = Effect.try({
        // it throws errors of the library's
        try: () => contract.readSeqno(code, data),
        catch: (error) => makeMalformedError("getAddressInformation", reasonOf(error))
      })
      return Effect.flatMap(read, (seqno) =>
        seqno === undefined
          ? failSigner(address, "is no wallet that this key may sign for")
          : Effect.succeed({ ...known, isDeployed: true, seqno })
      )
    }
  )

/** Seconds for which a message is good: until then it lands, or never. */
export const VALID_SECONDS = 120

/** The time here, in seconds. */
export const nowSeconds: Effect.Effect<number> = /*#__PURE__*/ Effect.map(Effect.clock, (clock) =>
  Math.floor(clock.unsafeCurrentTimeMillis() / 1_000)
)

/** Milliseconds between two looks: blocks take a few seconds. */
const POLL_MS = 1_500

/**
 * The wallet, once the last message has landed or is too late: it takes one number after another. Where a chain makes no blocks, its
 * time stands still, and that of here has to do.
 */
export const waitForLastOrder = (account: SignerContext): Effect.Effect<WalletState, ReadError> =>
  Effect.flatMap(Effect.all([readWalletState(account), nowSeconds]), ([state, time]) => {
    const { order } = account.last
    return order === undefined ||
      state.seqno > order.seqno ||
      state.time > order.validUntil ||
      time > order.validUntil + VALID_SECONDS
      ? Effect.succeed(state)
      : Effect.delay(waitForLastOrder(account), POLL_MS)
  })

/** Transactions of an account in one answer, and answers that are looked through. */
const PAGE_SIZE = 50
const MAX_PAGES = 10

/** A transaction of a wallet, as nodes give it. */
type WalletTransaction = Effect.Effect.Success<ReturnType<TonCalls["getTransactions"]>>["result"][number]

/** What the history of a wallet says of a message, and how far it goes. */
interface SearchResult {
  readonly landed?: WalletTransaction
  readonly lt: bigint
}

/** Looks for a message of a wallet, from its newest transaction back to those of before it was made. */
const searchTransactions = (
  account: SignerContext,
  hash: string,
  since: number
): Effect.Effect<SearchResult, ReadError> => {
  const { cells, contract, rpc } = account
  const from = (
    left: number,
    newest: bigint | undefined,
    context: { readonly lt: string; readonly hash: string } | undefined
  ): Effect.Effect<SearchResult, ReadError> =>
    Effect.flatMap(
      rpc.getTransactions({ address: contract.raw, limit: PAGE_SIZE, ...context }),
      ({ result }) => {
        const last = result.at(-1)
        const lt = newest ?? BigInt(result[0]?.transaction_id.lt ?? 0)
        const landed = result.find(({ data }) => cells.parseExecutedMessage(data)?.hash === hash)
        if (landed !== undefined) return Effect.succeed({ landed, lt })
        return last === undefined || result.length < PAGE_SIZE || last.utime < since || left === 0
          ? Effect.succeed({ lt })
          : from(left - 1, lt, { lt: last.transaction_id.lt, hash: last.transaction_id.hash })
      }
    )
  return from(MAX_PAGES, undefined, undefined)
}

/** The transactions of a message have no time before that. */
const earliestTimeOf = ({ validUntil }: WalletOrder): number => validUntil - 2 * VALID_SECONDS

/** Milliseconds until nodes show a message that one of them has taken: only once it has landed. */
const PROPAGATION_MS = 20_000

/** What a node shows of a message: it has landed, another one with its number has, or it can land no more. */
const lookUpMessage = (
  account: SignerContext,
  hash: string,
  order: WalletOrder
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    const { landed, lt } = yield* searchTransactions(account, hash, earliestTimeOf(order))
    if (landed !== undefined) return "known"
    const { lt: newest, seqno, time } = yield* readWalletState(account)
    // a history that is behind the wallet says nothing
    if (lt < newest) return "absent"
    if (seqno > order.seqno) return "replaced"
    return time > order.validUntil
      ? yield* new TransactionDropped({ hash, reason: "its time is over" })
      : "absent"
  })

/** Hands a message to the relay of nodes, which take it as hexadecimal. */
const relayMessage = ({ contract: { publicKey }, rpc }: SignerContext, { raw }: Signed) =>
  rpc.gaslessSend({ wallet_public_key: publicKey, boc: bytesToHex(bytesOfBase64(raw)) })

/** Hands a message to nodes. `isOpen`: its bytes have gone out before. */
export const broadcastMessage = (
  account: SignerContext,
  message: Signed & { readonly isRelayed?: boolean },
  order: WalletOrder,
  wasBroadcast = false
): Effect.Effect<void, SubmitError> => {
  const broadcaster: Broadcaster = {
    nodes: account.nodes,
    propagationMs: PROPAGATION_MS,
    broadcast: (signed): Effect.Effect<unknown, ReadError> =>
      message.isRelayed === true
        ? relayMessage(account, signed)
        : account.rpc.sendBocReturnHash({ boc: signed.raw }),
    lookUp: (hash) => lookUpMessage(account, hash, order)
  }
  return Effect.flatMap(broadcastTransaction(broadcaster, message, wasBroadcast), (outcome) =>
    outcome === "accepted"
      ? Effect.void
      : Effect.fail(new NonceTaken({ address: account.address, nonce: order.seqno }))
  )
}

/**
 * A message that has landed, with the blocks of the masterchain since then; undefined as long as it may. It is not given up before its
 * time is over, by a node that has seen what the wallet has.
 */
const checkConfirmation =
  (account: SignerContext, hash: string, order: WalletOrder) =>
  (since: { block?: number }): Effect.Effect<SeenTransaction<WalletTransaction> | undefined, SubmitError> =>
    Effect.gen(function* () {
      const { landed, lt } = yield* searchTransactions(account, hash, earliestTimeOf(order))
      if (landed !== undefined) {
        const { result } = yield* account.rpc.getMasterchainInfo()
        since.block ??= result.last.seqno
        return { transaction: landed, confirmations: result.last.seqno - since.block + 1 }
      }
      const state = yield* readWalletState(account)
      if (state.time <= order.validUntil || lt < state.lt) return undefined
      return yield* state.seqno > order.seqno
        ? new TransactionReplaced({ hash, by: `another message with the number ${order.seqno}` })
        : new TransactionDropped({ hash, reason: "its time is over" })
    })

const makeMessageCheck = ({
  cells
}: SignerContext): CheckOutcome<WalletTransaction, TransactionFailed<WalletTransaction>> =>
  makeOutcomeCheck(({ data }) => {
    const { problem, sent } = cells.parseExecutedMessage(data) ?? { problem: undefined, sent: 0 }
    return problem === undefined && sent > 0 ? undefined : { reason: problem ?? "nothing was sent" }
  })

/** Waits until a message is so deep in the chain, and has been done there. */
export const waitForConfirmations = (
  account: SignerContext,
  hash: string,
  order: WalletOrder,
  confirmations: number
): Effect.Effect<unknown, SubmitError> => {
  const looked = checkConfirmation(account, hash, order)
  const since = {}
  return pollUntilConfirmed(
    hash,
    { confirmations, pollingInterval: POLL_MS, timeout: 2 * VALID_SECONDS * 1_000 },
    Effect.suspend(() => looked(since)),
    makeMessageCheck(account)
  )
}
