/**
 * Subscriptions to the events of a chain, over WebSockets of its nodes: streams that outlive lost connections.
 *
 * All subscriptions of a client share one socket per node. It opens with the first subscription and closes with the last. If a socket
 * is lost, or is silent and does not answer a ping, the subscriptions move to a socket of another node. Data that a chain keeps (heads
 * and logs of EVM chains, accounts and signatures of Solana) is read over HTTP from where the stream was. Streams of other data
 * continue with what comes next. On the XRP Ledger, each subscription has a socket of its own.
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
import type { AnyNetwork, FamilyId, FamilyOf } from "../data/Network.js"
import type { LoadError, RpcCallError, SubscriptionOverflow, WebSocketUnavailable } from "../data/SdkError.js"

export type { SubscriptionMode } from "../balancer/Observation.js"

export type { MakeWebSocket, WebSocketLike } from "../http/webSocket.js"

/**
 * Options of a single subscription.
 *
 * `buffer` is how many items may wait for a slow consumer (default 4,096). If more arrive, subscriptions to EVM heads and logs read the
 * dropped items over HTTP as soon as the consumer takes items again. Other subscriptions end with `SubscriptionOverflow`, or lose the
 * oldest items (`overflow: "sliding"`).
 *
 * `polling` (EVM heads and logs) is the pause between polls over HTTP while a subscription has no socket: milliseconds (default: the
 * time of two blocks, from 1,000 to 3,000), `Polling` for pauses that change, or `false` for no polls. Unless pauses change, heads are
 * also polled while the socket is silent for the time of two blocks (at least 3,000). Without polls, a subscription that gets no socket
 * within `timeout`, the time limit of a call, ends with the last node's error. One that had a socket keeps looking for another.
 *
 * `maxGap` (EVM heads and logs) is the most blocks that are read after an interruption (default 1,000 for heads, 10,000 for logs). Of a
 * longer interruption, the newest blocks are read.
 *
 * `onMode` gets each change of the subscription's mode. Listeners of the pool get the event `Subscribed`, with the node.
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
 * The pauses between two polls, instead of a `Schedule` on the Promise surface: milliseconds by the count of the pauses before, from 0.
 * `Infinity` ends the polling. A value that is no time ends the subscription with `InvalidArgument`.
 *
 * @since 0.1.0
 * @category models
 */
export type PollingDelay = (count: number) => number

/**
 * The errors that end a subscription: the node refuses it (`RpcError`, `InvalidArgument`), its buffer is full, this runtime has no
 * WebSocket, no node can start it, or a call that fills a gap fails. A lost socket does not end it.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubscriptionError = LoadError | RpcCallError | SubscriptionOverflow | WebSocketUnavailable

/**
 * The header of a block in `newHeads`: a block without its transactions, uncles and withdrawals.
 *
 * @since 0.1.0
 * @category models
 */
export interface Head extends Omit<BlockHeader, "totalDifficulty" | "number" | "hash"> {
  readonly number: Hex
  readonly hash: Hex
}

/**
 * The logs to subscribe to: of one address or several, with topics as in `eth_getLogs`.
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
  /** New heads of the chain, in order, each once. After a reorganisation, the parent of the next head is not the previous head. */
  readonly newHeads: (options?: Options) => Stream.Stream<Head, SubscriptionError>
  /**
   * New logs, each once, and again with `removed: true` if a reorganisation removes its block. After an interruption the last 32 blocks
   * are read again to keep this promise.
   */
  readonly logs: (filter?: LogSubscription, options?: Options) => Stream.Stream<Log, SubscriptionError>
  /** Hashes of transactions that reach the node's mempool. Hashes during an interruption are missed. */
  readonly newPendingTransactions: (options?: Options) => Stream.Stream<Hex, SubscriptionError>
}

/**
 * Subscriptions of Tron. Its nodes have no sockets, so heads and logs are polled over HTTP (`polling`).
 *
 * @since 0.1.0
 * @category operations
 */
export interface TronSubscriptions<in Options = SubscriptionOptions>
  extends Pick<EvmSubscriptions<Options>, "newHeads" | "logs"> {}

/**
 * The transactions whose logs to subscribe to: all but votes, all, or those that mention an account.
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
  /** Also reports when the node has received the transaction. */
  readonly enableReceivedNotification?: boolean
}

/**
 * The news of a signature: the node has received it, or how it ended.
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
 * Options of block subscriptions, from `confirmed` on. Without `maxSupportedTransactionVersion`, a block with a versioned transaction
 * arrives as an error.
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
 * The progress of a slot on the node. `timestamp` is in milliseconds since 1970.
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
   * An account, whenever it changes. After an interruption it is read, and reported if it has changed. States in between are missed; null
   * means that the account is gone.
   */
  readonly account: (
    pubkey: Pubkey,
    config?: Omit<AccountConfig, "minContextSlot">,
    options?: Options
  ) => Stream.Stream<WithContext<Account | null>, SubscriptionError>
  /** Logs of transactions. Those during an interruption are missed. */
  readonly logs: (
    filter?: SolanaLogsFilter,
    config?: CommitmentConfig,
    options?: Options
  ) => Stream.Stream<WithContext<TransactionLogs>, SubscriptionError>
  /** The accounts of a program, whenever one changes. Changes during an interruption are missed. */
  readonly program: (
    programId: Pubkey,
    config?: ProgramSubscription,
    options?: Options
  ) => Stream.Stream<WithContext<KeyedAccount>, SubscriptionError>
  /** How a transaction ends; then the stream ends too. If it has already ended, that is reported at once. */
  readonly signature: (
    signature: Signature,
    config?: SignatureSubscription,
    options?: Options
  ) => Stream.Stream<WithContext<SignatureResult>, SubscriptionError>
  /** Slots as the node processes them. Those during an interruption are missed. */
  readonly slot: (options?: Options) => Stream.Stream<SlotInfo, SubscriptionError>
  /** Slots as they become roots. Those during an interruption are missed. */
  readonly root: (options?: Options) => Stream.Stream<bigint, SubscriptionError>
  /** Blocks, from nodes that enable this subscription (unstable). Those during an interruption are missed. */
  readonly block: (
    filter?: SolanaBlockFilter,
    config?: BlockSubscription,
    options?: Options
  ) => Stream.Stream<WithContext<BlockUpdate>, SubscriptionError>
  /** Votes, from nodes that enable this subscription (unstable). Those during an interruption are missed. */
  readonly vote: (options?: Options) => Stream.Stream<Vote, SubscriptionError>
  /** The progress of slots on the node (unstable). Changes during an interruption are missed. */
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
 * A transaction of the XRP Ledger: in a validated ledger, or, if `validated` is false, on its way into one. It is under `transaction`, or
 * with its hash beside it under `tx_json`, depending on the version of the server's API.
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
 * An order book to subscribe to: offers of one currency for another. `both` adds the offers in the opposite direction.
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
  /** Ledgers as they are validated, each once. Those during an interruption are missed. */
  readonly ledger: (options?: Options) => Stream.Stream<LedgerClosed, SubscriptionError>
  /** Transactions of validated ledgers. Those during an interruption are missed. */
  readonly transactions: (options?: Options) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** The same, and transactions that are not validated yet. Those during an interruption are missed. */
  readonly transactionsProposed: (options?: Options) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** Validated transactions that concern accounts. Those during an interruption are missed. */
  readonly accounts: (
    accounts: ReadonlyArray<Xrp.Address>,
    options?: Options
  ) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** The same, and transactions that are not validated yet. Those during an interruption are missed. */
  readonly accountsProposed: (
    accounts: ReadonlyArray<Xrp.Address>,
    options?: Options
  ) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** Validated transactions that change order books. Those during an interruption are missed. */
  readonly books: (
    books: ReadonlyArray<BookSubscription>,
    options?: Options
  ) => Stream.Stream<TransactionMessage, SubscriptionError>
  /** The changes of all order books in each ledger. Those during an interruption are missed. */
  readonly bookChanges: (options?: Options) => Stream.Stream<BookChangesMessage, SubscriptionError>
  /** Votes of validators. Those during an interruption are missed. */
  readonly validations: (options?: Options) => Stream.Stream<ValidationReceived, SubscriptionError>
  /** New keys of validators. Those during an interruption are missed. */
  readonly manifests: (options?: Options) => Stream.Stream<ManifestReceived, SubscriptionError>
  /** Phases of the consensus. Those during an interruption are missed. */
  readonly consensus: (options?: Options) => Stream.Stream<ConsensusPhase, SubscriptionError>
  /** What the server's peers do, for its owner. Changes during an interruption are missed. */
  readonly peerStatus: (options?: Options) => Stream.Stream<PeerStatusChange, SubscriptionError>
  /** The state of the server, whenever it changes. Changes during an interruption are missed. */
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
 * A network's subscriptions beside its calls. `S` is the surface's type of the subscriptions.
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
export const subscriptions: { readonly [F in FamilyId]?: Readonly<Record<string, true>> } & {
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
