/**
 * Subscriptions to the events of a chain, over WebSockets of its nodes: streams that outlive lost connections.
 *
 * All subscriptions of a client share one socket per node, which is opened with the first of them and closed with the last.
 * A socket that is lost, or silent and without an answer when asked, is replaced by one to another node, the subscriptions
 * are made again there, and data that a chain keeps (heads and logs of EVM chains, accounts and signatures of Solana) is
 * read over HTTP from where the stream was. Streams of other data just go on. On the XRP Ledger, each has a socket of its own.
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
  Block,
  BlockConfig,
  Commitment,
  CommitmentConfig,
  KeyedAccount,
  ProgramAccountFilter,
  Pubkey,
  Signature,
  TransactionError,
  WithContext
} from "../chains/Solana.js"
import type * as Xrp from "../chains/Xrp.js"
import type { AnyNetwork, Family, FamilyOf } from "../data/Network.js"
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
 * (default: the time of two blocks, from 1,000 to 3,000), `Polling` for pauses that change, or `false` for never. Heads are asked for
 * as well while the socket is silent for two blocks (3,000 at least), unless pauses change. With `false`, and where nothing can be polled, a subscription that no
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
export interface SubscriptionOptions<out Polling = Schedule.Schedule<unknown>> {
  readonly buffer?: number
  readonly overflow?: "fail" | "sliding"
  readonly polling?: number | Polling | false
  readonly maxGap?: number
  readonly onMode?: (mode: SubscriptionMode) => void
}

/**
 * The pauses between two questions over HTTP, in place of a `Schedule` on the Promise surface: milliseconds by the count of the pauses
 * before, from 0. After `Infinity` nothing is asked over HTTP any more. What is no time ends the subscription with `InvalidArgument`.
 *
 * @since 0.1.0
 * @category models
 */
export type PollingDelay = (count: number) => number

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
export interface EvmSubscriptions<in Options = SubscriptionOptions> {
  /**
   * Heads of the chain from now on, in their order, none of them left out and none twice. A reorganisation shows as a
   * head whose parent is not the one before it.
   */
  readonly newHeads: (options?: Options) => Stream.Stream<Head, SubscriptionError>
  /**
   * Logs from now on, each once; again with `removed: true` if its block is given up. After an interruption the last 32
   * blocks are looked at again, so that this is true for them as well.
   */
  readonly logs: (filter?: LogSubscription, options?: Options) => Stream.Stream<Log, SubscriptionError>
  /** Hashes of transactions that have reached the node's pool. After an interruption it just goes on. */
  readonly newPendingTransactions: (options?: Options) => Stream.Stream<Hex, SubscriptionError>
}

/**
 * Subscriptions of Tron, whose nodes have no sockets: they are asked for heads and logs over HTTP (`polling`).
 *
 * @since 0.1.0
 * @category operations
 */
export interface TronSubscriptions<in Options = SubscriptionOptions>
  extends Pick<EvmSubscriptions<Options>, "newHeads" | "logs"> {}

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
 * Blocks to subscribe to: all, or those that mention an account or a program.
 *
 * @since 0.1.0
 * @category models
 */
export type SolanaBlockFilter = "all" | { readonly mentionsAccountOrProgram: Pubkey }

/**
 * Options of subscribing to blocks, from `confirmed` on. Without `maxSupportedTransactionVersion` a block with a versioned
 * transaction comes as an error.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockSubscription extends Omit<BlockConfig, "commitment" | "rewards"> {
  readonly commitment?: "confirmed" | "finalized"
  readonly showRewards?: boolean
}

/**
 * A block, or why the node cannot give it.
 *
 * @since 0.1.0
 * @category models
 */
export interface BlockUpdate {
  readonly slot: bigint
  readonly block: Block | null
  readonly err: "BlockStoreError" | { readonly UnsupportedTransactionVersion: bigint } | null
}

/**
 * A vote of a validator as the node saw it pass, before it is in a block. `timestamp` is in seconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface Vote {
  readonly votePubkey: Pubkey
  readonly slots: ReadonlyArray<bigint>
  readonly hash: string
  readonly timestamp: bigint | null
  readonly signature: Signature
}

/**
 * The figures of a slot that a node has worked through.
 *
 * @since 0.1.0
 * @category models
 */
export interface SlotStats {
  readonly maxTransactionsPerEntry: bigint
  readonly numFailedTransactions: bigint
  readonly numSuccessfulTransactions: bigint
  readonly numTransactionEntries: bigint
}

/**
 * What has become of a slot on the node. `timestamp` is in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export type SlotUpdate = { readonly slot: bigint; readonly timestamp: bigint } & (
  | { readonly type: "firstShredReceived" | "completed" | "optimisticConfirmation" | "root" }
  | { readonly type: "createdBank"; readonly parent: bigint }
  | { readonly type: "frozen"; readonly stats: SlotStats }
  | { readonly type: "dead"; readonly err: string }
)

/**
 * Subscriptions of Solana.
 *
 * @since 0.1.0
 * @category operations
 */
export interface SolanaSubscriptions<in Options = SubscriptionOptions> {
  /**
   * An account, whenever it changes. After an interruption it is read, and passed on if it is another one than before:
   * states between the two are not told, and null is an account that is gone.
   */
  readonly account: (
    pubkey: Pubkey,
    config?: Omit<AccountConfig, "minContextSlot">,
    options?: Options
  ) => Stream.Stream<WithContext<Account | null>, SubscriptionError>
  /** Logs of transactions. After an interruption it just goes on. */
  readonly logs: (
    filter?: SolanaLogsFilter,
    config?: CommitmentConfig,
    options?: Options
  ) => Stream.Stream<WithContext<TransactionLogs>, SubscriptionError>
  /** Accounts of a program, whenever one changes. After an interruption it just goes on. */
  readonly program: (
    programId: Pubkey,
    config?: ProgramSubscription,
    options?: Options
  ) => Stream.Stream<WithContext<KeyedAccount>, SubscriptionError>
  /** How a transaction ends, after which the stream ends too. An earlier end is told at once. */
  readonly signature: (
    signature: Signature,
    config?: SignatureSubscription,
    options?: Options
  ) => Stream.Stream<WithContext<SignatureResult>, SubscriptionError>
  /** Slots as the node works on them. After an interruption it just goes on. */
  readonly slot: (options?: Options) => Stream.Stream<SlotInfo, SubscriptionError>
  /** Slots as they become roots. After an interruption it just goes on. */
  readonly root: (options?: Options) => Stream.Stream<bigint, SubscriptionError>
  /** Blocks, from nodes that have that turned on (unstable). After an interruption it just goes on. */
  readonly block: (
    filter?: SolanaBlockFilter,
    config?: BlockSubscription,
    options?: Options
  ) => Stream.Stream<WithContext<BlockUpdate>, SubscriptionError>
  /** Votes, from nodes that have that turned on (unstable). After an interruption it just goes on. */
  readonly vote: (options?: Options) => Stream.Stream<Vote, SubscriptionError>
  /** What becomes of slots on the node (unstable). After an interruption it just goes on. */
  readonly slotsUpdates: (options?: Options) => Stream.Stream<SlotUpdate, SubscriptionError>
}

/**
 * A ledger of the XRP Ledger that was validated. Fees and reserves are in drops, `ledger_time` in seconds since 2000.
 *
 * @since 0.1.0
 * @category models
 */
export interface LedgerClosed {
  readonly type: "ledgerClosed"
  readonly fee_base: number
  readonly fee_ref?: number
  readonly ledger_hash: Xrp.Hex
  readonly ledger_index: number
  readonly ledger_time: number
  readonly network_id?: number
  readonly reserve_base: number
  readonly reserve_inc: number
  readonly txn_count: number
  readonly validated_ledgers?: string
}

/**
 * A transaction of the XRP Ledger: in a validated ledger, or (`validated` is false) on its way into one. It is under
 * `transaction`, or with its hash beside it under `tx_json`, by the version of the server's API.
 *
 * @since 0.1.0
 * @category models
 */
export interface TransactionMessage {
  readonly type: "transaction"
  readonly status?: string
  readonly engine_result: string
  readonly engine_result_code: number
  readonly engine_result_message: string
  readonly close_time_iso?: string
  readonly hash?: Xrp.Hex
  readonly ledger_current_index?: number
  readonly ledger_hash?: Xrp.Hex
  readonly ledger_index?: number
  readonly meta?: Xrp.Metadata
  readonly transaction?: Xrp.Transaction & { readonly date?: number; readonly owner_funds?: string }
  readonly tx_json?: Xrp.Transaction & { readonly date?: number; readonly owner_funds?: string }
  readonly validated?: boolean
}

/**
 * A vote of a validator for a ledger. `signing_time` is in seconds since 2000, amounts are in drops.
 *
 * @since 0.1.0
 * @category models
 */
export interface ValidationReceived {
  readonly type: "validationReceived"
  readonly amendments?: ReadonlyArray<Xrp.Hex>
  readonly base_fee?: number
  readonly cookie?: string
  readonly data?: Xrp.Hex
  readonly flags: number
  readonly full: boolean
  readonly ledger_hash: Xrp.Hex
  readonly ledger_index: string | number
  readonly load_fee?: number
  readonly master_key?: string
  readonly network_id?: number
  readonly reserve_base?: number
  readonly reserve_inc?: number
  readonly server_version?: string
  readonly signature: Xrp.Hex
  readonly signing_time: number
  readonly validated_hash?: Xrp.Hex
  readonly validation_public_key: string
}

/**
 * New keys of a validator.
 *
 * @since 0.1.0
 * @category models
 */
export interface ManifestReceived {
  readonly type: "manifestReceived"
  readonly domain?: string
  readonly manifest?: string
  readonly master_key: string
  readonly master_signature: Xrp.Hex
  readonly seq: number
  readonly signature?: Xrp.Hex
  readonly signing_key?: string
}

/**
 * The phase of the consensus that the server is in.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConsensusPhase {
  readonly type: "consensusPhase"
  readonly consensus: "open" | "establish" | "accepted"
}

/**
 * What a peer of the server does. `date` is in seconds since 2000.
 *
 * @since 0.1.0
 * @category models
 */
export interface PeerStatusChange {
  readonly type: "peerStatusChange"
  readonly action: "CLOSING_LEDGER" | "ACCEPTED_LEDGER" | "SWITCHED_LEDGER" | "LOST_SYNC"
  readonly date: number
  readonly ledger_hash?: Xrp.Hex
  readonly ledger_index?: number
  readonly ledger_index_max?: number
  readonly ledger_index_min?: number
}

/**
 * The state and the load of the server. `base_fee` is in drops, factors are in units of `load_base`.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServerStatusChange {
  readonly type: "serverStatus"
  readonly base_fee?: number
  readonly load_base?: number
  readonly load_factor?: number
  readonly load_factor_fee_escalation?: number
  readonly load_factor_fee_queue?: number
  readonly load_factor_fee_reference?: number
  readonly load_factor_server?: number
  readonly server_status: string
}

/**
 * The changes of the order books in a ledger that was validated.
 *
 * @since 0.1.0
 * @category models
 */
export interface BookChangesMessage extends Omit<Xrp.BookChanges, "type" | "status" | "warnings"> {
  readonly type: "bookChanges"
}

/**
 * An order book to subscribe to: offers that give one currency for another, and with `both` those of the other way too.
 *
 * @since 0.1.0
 * @category models
 */
export interface BookSubscription {
  readonly takerGets: Xrp.Currency
  readonly takerPays: Xrp.Currency
  readonly taker?: Xrp.Address
  readonly both?: boolean
  readonly domain?: Xrp.Hex
}

/**
 * Subscriptions of the XRP Ledger (`subscribe`). Servers that are not one's own refuse some of them.
 *
 * @since 0.1.0
 * @category operations
 */
export interface XrpSubscriptions<in Options = SubscriptionOptions> {
  /** Ledgers as they are validated, none twice. After an interruption it just goes on. */
  readonly ledger: (options?: Options) => Stream.Stream<LedgerClosed, SubscriptionError>
  /** Transactions of validated ledgers. After an interruption it just goes on. */
  readonly transactions: (options?: Options) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** The same, and transactions on their way. After an interruption it just goes on. */
  readonly transactionsProposed: (options?: Options) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** Validated transactions that concern accounts. After an interruption it just goes on. */
  readonly accounts: (
    accounts: ReadonlyArray<Xrp.Address>,
    options?: Options
  ) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** The same, and transactions on their way. After an interruption it just goes on. */
  readonly accountsProposed: (
    accounts: ReadonlyArray<Xrp.Address>,
    options?: Options
  ) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** Validated transactions that change order books. After an interruption it just goes on. */
  readonly books: (
    books: ReadonlyArray<BookSubscription>,
    options?: Options
  ) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** How all order books moved, ledger by ledger. After an interruption it just goes on. */
  readonly bookChanges: (options?: Options) => Stream.Stream<BookChangesMessage, SubscriptionError>
  /** Votes of validators. After an interruption it just goes on. */
  readonly validations: (options?: Options) => Stream.Stream<ValidationReceived, SubscriptionError>
  /** New keys of validators. After an interruption it just goes on. */
  readonly manifests: (options?: Options) => Stream.Stream<ManifestReceived, SubscriptionError>
  /** Phases of the consensus. After an interruption it just goes on. */
  readonly consensus: (options?: Options) => Stream.Stream<ConsensusPhase, SubscriptionError>
  /** What the server's peers do: for its owner. After an interruption it just goes on. */
  readonly peerStatus: (options?: Options) => Stream.Stream<PeerStatusChange, SubscriptionError>
  /** State of the server, whenever it changes. After an interruption it just goes on. */
  readonly server: (options?: Options) => Stream.Stream<ServerStatusChange, SubscriptionError>
}

/**
 * The subscriptions of families of chains that have some.
 *
 * @since 0.1.0
 * @category types
 */
export interface Subscriptions<in Options = SubscriptionOptions> {
  readonly evm: EvmSubscriptions<Options>
  readonly "evm-beacon": EvmSubscriptions<Options>
  readonly "evm-native": EvmSubscriptions<Options>
  readonly zksync: EvmSubscriptions<Options>
  readonly solana: SolanaSubscriptions<Options>
  readonly tron: TronSubscriptions<Options>
  readonly xrp: XrpSubscriptions<Options>
}

/**
 * The subscriptions of a network beside its calls, on the surface whose subscriptions are `S`.
 *
 * @since 0.1.0
 * @category types
 */
export type WithSubscriptions<
  N extends AnyNetwork,
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
  solana: {
    account: true,
    logs: true,
    program: true,
    signature: true,
    slot: true,
    root: true,
    block: true,
    vote: true,
    slotsUpdates: true
  },
  tron: { newHeads: true, logs: true },
  xrp: {
    ledger: true,
    transactions: true,
    transactionsProposed: true,
    accounts: true,
    accountsProposed: true,
    books: true,
    bookChanges: true,
    validations: true,
    manifests: true,
    consensus: true,
    peerStatus: true,
    server: true
  }
}
