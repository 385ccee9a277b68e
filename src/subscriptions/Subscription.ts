/**
 * Subscriptions to the events of a chain, over WebSockets of its nodes: streams that outlive lost connections.
 *
 * All subscriptions of a client share one socket per node, which is opened with the first of them and closed with the last.
 * A socket that is lost, or silent and without an answer when asked, is replaced by one to another node, the subscriptions
 * are made again there, and data that a chain keeps (heads and logs of EVM chains, accounts and signatures of Solana) is
 * read over HTTP from where the stream was. Streams of other data just go on.
 *
 * ```ts
 * const heads = sdk.rpc.subscribe.newHeads().pipe(Stream.take(10))
 * ```
 *
 * @since 0.1.0
 */
import type * as Schedule from "effect/Schedule"
import type * as Stream from "effect/Stream"
import type { SubscriptionMode } from "../balancer/Observation.js"
import type { BlockHeader, Hex, Log, LogFilter } from "../chains/Evm.js"
import type {
  Account,
  AccountConfig,
  Commitment,
  CommitmentConfig,
  KeyedAccount,
  ProgramAccountFilter,
  Pubkey,
  Signature,
  TransactionError,
  WithContext
} from "../chains/Solana.js"
import type { Family, Network, networks } from "../data/Network.js"
import type { LoadError, RpcCallError, SubscriptionOverflow, WebSocketUnavailable } from "../data/SdkError.js"

export type { SubscriptionMode } from "../balancer/Observation.js"

export type { MakeWebSocket, WebSocketLike } from "../http/webSocket.js"

/**
 * Options of a single subscription.
 *
 * `buffer` items (default 4,096) may wait for a slow consumer. When there are more, subscriptions to EVM heads and logs
 * read dropped items over HTTP as soon as the consumer is there again; others end with `SubscriptionOverflow`, or
 * lose the oldest items (`overflow: "sliding"`).
 *
 * `polling` (EVM heads and logs) is how often the nodes are asked over HTTP while a subscription has no socket: milliseconds
 * (default: the time of two blocks, from 1,000 to 3,000), a schedule, or `false` for never. Heads are asked for as well while
 * the socket is silent for two blocks (3,000 at least). With `false`, and where nothing can be polled, a subscription that no
 * node lets have a socket ends with that node's failure after `timeout`, the limit of a call; one that had a socket
 * goes on looking for another.
 *
 * `maxGap` (EVM heads and logs) is the most blocks that are read after an interruption (default 1,000 for heads, 10,000
 * for logs); of a longer one, the newest are.
 *
 * `onMode` is told how the subscription goes, whenever that changes. Listeners of the pool are told as well, and of
 * which node (`Subscribed`).
 *
 * @since 0.1.0
 * @category models
 */
export interface SubscriptionOptions {
  readonly buffer?: number
  readonly overflow?: "fail" | "sliding"
  readonly polling?: number | Schedule.Schedule<unknown> | false
  readonly maxGap?: number
  readonly onMode?: (mode: SubscriptionMode) => void
}

/**
 * The errors that end a subscription: the node's own no to it (`RpcError`, `InvalidArgument`), no room in its buffer, no
 * WebSocket in this runtime, no node to begin at, or a failed call of those that fill gaps. A lost socket is no such end.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubscriptionError = LoadError | RpcCallError | SubscriptionOverflow | WebSocketUnavailable

/**
 * The header of a block, as `newHeads` has it: a block without its transactions, uncles and withdrawals.
 *
 * @since 0.1.0
 * @category models
 */
export interface Head extends Omit<BlockHeader, "totalDifficulty" | "number" | "hash"> {
  readonly number: Hex
  readonly hash: Hex
}

/**
 * The logs to subscribe to: those of one address or of several, and topics as `eth_getLogs` has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface LogSubscription extends Pick<LogFilter, "address" | "topics"> {}

/**
 * Subscriptions of EVM chains (`eth_subscribe`).
 *
 * @since 0.1.0
 * @category operations
 */
export interface EvmSubscriptions {
  /**
   * Heads of the chain from now on, in their order, none of them left out and none twice. A reorganisation shows as a
   * head whose parent is not the one before it.
   */
  readonly newHeads: (options?: SubscriptionOptions) => Stream.Stream<Head, SubscriptionError>
  /**
   * Logs from now on, each once; again with `removed: true` if its block is given up. After an interruption the last 32
   * blocks are looked at again, so that this is true for them as well.
   */
  readonly logs: (
    filter?: LogSubscription,
    options?: SubscriptionOptions
  ) => Stream.Stream<Log, SubscriptionError>
  /** Hashes of transactions that have reached the node's pool. After an interruption it just goes on. */
  readonly newPendingTransactions: (options?: SubscriptionOptions) => Stream.Stream<Hex, SubscriptionError>
}

/**
 * Transactions whose logs to subscribe to: all but votes, all, or those that mention an account.
 *
 * @since 0.1.0
 * @category models
 */
export type SolanaLogsFilter = "all" | "allWithVotes" | { readonly mentions: readonly [Pubkey] }

/**
 * The log lines of a transaction.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionLogs {
  readonly signature: Signature
  readonly err: TransactionError | null
  readonly logs: ReadonlyArray<string>
}

/**
 * Options of subscribing to the accounts of a program.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProgramSubscription extends Omit<AccountConfig, "minContextSlot"> {
  readonly filters?: ReadonlyArray<ProgramAccountFilter>
}

/**
 * Options of subscribing to a signature.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignatureSubscription extends CommitmentConfig {
  readonly commitment?: Commitment
  /** Tell when the node has received the transaction, too. */
  readonly enableReceivedNotification?: boolean
}

/**
 * The news of a signature: that the node has it, and how it ended.
 *
 * @since 0.1.0
 * @category models
 */
export type SignatureResult = "receivedSignature" | { readonly err: TransactionError | null }

/**
 * A slot that the node works on.
 *
 * @since 0.1.0
 * @category models
 */
export interface SlotInfo {
  readonly parent: bigint
  readonly root: bigint
  readonly slot: bigint
}

/**
 * Subscriptions of Solana.
 *
 * @since 0.1.0
 * @category operations
 */
export interface SolanaSubscriptions {
  /**
   * An account, whenever it changes. After an interruption it is read, and passed on if it is another one than before:
   * states between the two are not told, and null is an account that is gone.
   */
  readonly account: (
    pubkey: Pubkey,
    config?: Omit<AccountConfig, "minContextSlot">,
    options?: SubscriptionOptions
  ) => Stream.Stream<WithContext<Account | null>, SubscriptionError>
  /** Logs of transactions. After an interruption it just goes on. */
  readonly logs: (
    filter?: SolanaLogsFilter,
    config?: CommitmentConfig,
    options?: SubscriptionOptions
  ) => Stream.Stream<WithContext<TransactionLogs>, SubscriptionError>
  /** Accounts of a program, whenever one changes. After an interruption it just goes on. */
  readonly program: (
    programId: Pubkey,
    config?: ProgramSubscription,
    options?: SubscriptionOptions
  ) => Stream.Stream<WithContext<KeyedAccount>, SubscriptionError>
  /** How a transaction ends, after which the stream ends too. An earlier end is told at once. */
  readonly signature: (
    signature: Signature,
    config?: SignatureSubscription,
    options?: SubscriptionOptions
  ) => Stream.Stream<WithContext<SignatureResult>, SubscriptionError>
  /** Slots as the node works on them. After an interruption it just goes on. */
  readonly slot: (options?: SubscriptionOptions) => Stream.Stream<SlotInfo, SubscriptionError>
  /** Slots as they become roots. After an interruption it just goes on. */
  readonly root: (options?: SubscriptionOptions) => Stream.Stream<bigint, SubscriptionError>
}

/**
 * The subscriptions of families of chains that have some.
 *
 * @since 0.1.0
 * @category types
 */
export interface Subscriptions {
  readonly evm: EvmSubscriptions
  readonly "evm-beacon": EvmSubscriptions
  readonly "evm-native": EvmSubscriptions
  readonly zksync: EvmSubscriptions
  readonly solana: SolanaSubscriptions
}

type FamilyOf<N extends Network> = (typeof networks)[N]["family"]

/**
 * The subscriptions of a network beside its calls, on the surface whose subscriptions are `S`.
 *
 * @since 0.1.0
 * @category types
 */
export type Subscribing<
  N extends Network,
  S extends Readonly<Record<keyof Subscriptions, unknown>> = Subscriptions
> = FamilyOf<N> extends keyof Subscriptions ? { readonly subscribe: S[FamilyOf<N>] } : unknown

type Names<S> = { readonly [K in keyof S]: true }

const evm: Names<EvmSubscriptions> = { newHeads: true, logs: true, newPendingTransactions: true }

/**
 * The names of the subscriptions of every family that has some. The surfaces are derived from it.
 *
 * @since 0.1.0
 * @category constants
 */
export const subscriptions: { readonly [F in Family]?: Readonly<Record<string, true>> } & {
  readonly [F in keyof Subscriptions]: Names<Subscriptions[F]>
} = {
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  solana: { account: true, logs: true, program: true, signature: true, slot: true, root: true }
}
