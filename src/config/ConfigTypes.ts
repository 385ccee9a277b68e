/**
 * The types of a client's configuration: the form that users write, and the resolved form that the SDK reads.
 *
 * @since 0.1.0
 */

import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Credits } from "../data/credits.js"
import type { AnyNetwork, NetworkInfo } from "../data/Network.js"
import type { NodeEntry } from "../data/Node.js"
import type { BlockNotReached, InvalidConfig } from "../data/SdkError.js"
import type { HttpService } from "../http/service.js"
import type { MakeWebSocket } from "../http/webSocket.js"
import type { BatchOptions, TransportService, TransportWithOptions } from "../wire/Transport.js"
import type { Extension, WalletExtension } from "./Extension.js"
import type { LogSink } from "./LogSink.js"

export type { Limit, NodeEntry, ServerUrls } from "../data/Node.js"

/**
 * How nodes are chosen:
 *
 * - `fastest`: the fastest node in step, until it fails (the default).
 * - `p2c`: the better of two random nodes, by moving average of their response times and calls in flight.
 * - `weighted`: at random, by the `weight` of the node entries (default 1).
 * - `round-robin`: one after the other.
 * - `{ node }`: this url alone, as long as it is in the pool; calls fail when it does.
 *
 * @since 0.1.0
 * @category models
 */
export type Selection = "fastest" | "p2c" | "weighted" | "round-robin" | { readonly node: string }

/**
 * An API key, or one for each version of the provider's API. The Effect surface also takes `Redacted` keys.
 *
 * @since 0.1.0
 * @category models
 */
export type ApiKey<Secret = string | Redacted.Redacted> =
  | Secret
  | { readonly v3?: Secret; readonly v4?: Secret }

/**
 * Hedging: a read that takes longer than the 95th percentile of reads is also sent to another node, and the first
 * answer wins. `maxExtraLoad` (0 to 1) is the share of calls that may be sent twice. `delay`, in milliseconds,
 * replaces the measured percentile.
 *
 * @since 0.1.0
 * @category models
 */
export interface HedgeOptions<out Time = number> {
  readonly maxExtraLoad?: number
  readonly delay?: Time
}

/**
 * The budget of attempts at other nodes. Each call adds `ratio` of an attempt; at most `burst` attempts accumulate (0
 * allows none). When the budget is empty, calls fail with the error of their first node.
 *
 * @since 0.1.0
 * @category models
 */
export interface RetryBudgetOptions {
  readonly ratio?: number
  readonly burst?: number
}

/**
 * Sockets of subscriptions. `webSocket` makes them (default: the runtime's constructor, or that of the package
 * `undici` on Node 20). A socket that is silent for `idle` milliseconds (default 15,000) is probed, and replaced if
 * it does not answer within `timeout` (default: `attemptTimeout`), which also limits the opening of a socket.
 *
 * @since 0.1.0
 * @category models
 */
export interface SocketOptions<out Time = number> {
  readonly webSocket?: MakeWebSocket
  readonly idle?: Time
  readonly timeout?: Time
}

/**
 * Which nodes may answer the reads of a client: any (`"eventual"`), or only one that is not behind the client's
 * earlier reads (`"monotonic"`).
 *
 * @since 0.1.0
 * @category models
 */
export type Consistency = "eventual" | "monotonic"

/**
 * The error that a consistency adds to reads: `BlockNotReached` for `"monotonic"`.
 *
 * @since 0.1.0
 * @category errors
 */
export type ConsistencyError<C> = "monotonic" extends C ? BlockNotReached : never

/**
 * A quota, applied to one client: its `http`, its pool, whose calls wait for the quota, and its spent credits.
 *
 * @since 0.1.0
 * @category models
 */
export interface LimitedClient {
  readonly http: HttpService
  readonly limitTransport: (pool: QuotaPool) => TransportService
  readonly credits: () => Credits
}

/**
 * A pool that reports the quota's events to its listeners.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuotaPool extends TransportService {
  readonly report: (
    event:
      | {
          readonly _tag: "Limited"
          readonly rate: number
          readonly unit: "requests" | "credits"
          readonly ms: number
        }
      | { readonly _tag: "OverQuota"; readonly call: string; readonly ms: number }
      | {
          readonly _tag: "Charged"
          readonly url: string
          readonly route: string
          readonly credits?: number
        }
  ) => Effect.Effect<void>
}

/**
 * Applies a quota to a client. Fails with `InvalidConfig` for invalid limits of nodes.
 *
 * @since 0.1.0
 * @category models
 */
export type Quota = (http: HttpService, config: ResolvedConfig) => Effect.Effect<LimitedClient, InvalidConfig>

/**
 * A node, as a source of health hints sees it.
 *
 * @since 0.1.0
 * @category models
 */
export interface HintedNode {
  readonly index: number
  readonly printableUrl: string
  /** The end of its cooldown, in milliseconds of the monotonic clock. */
  readonly cooldownUntil: number
}

/**
 * A pool as those see it who bring it hints of others: they hear what happens in it, may set which of its healthy nodes in step it
 * prefers (`policy`), have a node probed (`probeSuspect`), and spare the first calls the waiting for the first round of checks (`endFirstRound`). They can
 * neither put a node out nor find it well.
 *
 * @since 0.1.0
 * @category models
 */
export interface HintedPool<N extends HintedNode> {
  readonly config: ResolvedConfig
  readonly scope: Scope.Scope
  readonly nodes: {
    readonly all: ReadonlyArray<N>
    readonly pool: {
      readonly nodes: ReadonlyArray<
        Pick<ResolvedNode, "type"> & {
          readonly lastBlock: number
          readonly lastResponseTime: number
          readonly failed: boolean
        }
      >
      readonly active: Readonly<Record<"NORMAL" | "ARCHIVE", number | undefined>>
      readonly allowedBlocksBehind: number
    }
    policy: ((candidates: ReadonlyArray<number>) => number | undefined) | undefined
  }
  readonly observer: {
    readonly listen: (
      listener: (event: { readonly _tag: string; readonly url?: string; readonly ms?: number }) => void
    ) => () => void
  }
  readonly healthChecks: { readonly endFirstRound: Effect.Effect<void> }
  readonly probeSuspect: (node: N) => Effect.Effect<void>
}

/**
 * Applies the findings of other processes to a pool, as hints.
 *
 * @since 0.1.0
 * @category models
 */
export type SharedHealth = <N extends HintedNode>(pool: HintedPool<N>) => Effect.Effect<void>

/**
 * A provider in place of the public one: `"sandbox"` is `effect-chains sandbox` on this machine, a url is where a
 * provider has its API and its node lists. In an object, `nodeListUrl` defaults to `baseUrl`, and `domain` to its host.
 *
 * @since 0.1.0
 * @category models
 */
export type ProviderOption =
  | "sandbox"
  | (string & {})
  | { readonly baseUrl: string; readonly nodeListUrl?: string; readonly domain?: string }

/** The environment variables that every client reads. */
export interface Environment {
  readonly TATUM_URL?: string | undefined
  readonly EFFECT_CHAINS_PROVIDER?: string | undefined
}

/**
 * The configuration of a client. Durations are milliseconds, or any `DurationInput` on the Effect surface. All
 * options but `network` have a default.
 *
 * @since 0.1.0
 * @category models
 */
export interface SdkConfig<
  N extends AnyNetwork = AnyNetwork,
  out C extends Consistency = Consistency,
  out Time = number
> {
  /** The id of a network, or a definition that `defineNetwork` made. */
  readonly network: N
  /** The provider's API key. Without it, only some features work. */
  readonly apiKey?: ApiKey
  /** Version of the provider's API; default V4. */
  readonly version?: "V3" | "V4"
  /** Retries at the same node after HTTP 500 to 599; default 1, 0 for none. */
  readonly retryCount?: number
  /** Pause before such a retry; default 1,000 ms. */
  readonly retryDelay?: Time
  /** Limit of a call with all its attempts; default 30,000 ms. */
  readonly timeout?: Time
  /** Limit of one attempt; default 10,000 ms. */
  readonly attemptTimeout?: Time
  /** Largest response of a node, in bytes; default 64 MiB. */
  readonly maxResponseBytes?: number
  readonly rpc?: {
    /** Your own nodes, in place of the provider's. */
    readonly nodes?: ReadonlyArray<NodeEntry>
    /**
     * Check the nodes once, in place of periodic checks: at the start on networks that the provider balances, with the first call on others.
     * Default false.
     */
    readonly oneTimeLoadBalancing?: boolean
    /** How many blocks a node may be behind the highest one and still be chosen; default 10. */
    readonly allowedBlocksBehind?: number
    /** Evict failed nodes until a check or a probe readmits them; default true with several own nodes. */
    readonly evictNodesOnFailure?: boolean
    /** Pause between two status checks; default 60,000 ms. `Infinity` for no periodic checks. */
    readonly statusCheckInterval?: Time
    /**
     * The schedule of status checks after the first, in place of `statusCheckInterval`. Checks stop when it ends.
     */
    readonly checks?: Schedule.Schedule<unknown>
    /**
     * The schedule of probes of a failed node. Default: after half a second, with back-off up to every 30 seconds. It
     * begins with a pause. After its end a status check readmits the node, or a call when all nodes have failed.
     */
    readonly readmission?: Schedule.Schedule<unknown>
    /**
     * Whether a normal node answers a call for an archive node when no archive node is healthy. Default `"prefer"`:
     * it does. `"strict"`: the call fails.
     */
    readonly archive?: "prefer" | "strict"
  }
  /**
   * The provider: `"sandbox"` (`effect-chains sandbox`, at http://127.0.0.1:4100), the url of a provider, or its parts.
   * Default: the environment variable `EFFECT_CHAINS_PROVIDER` (`sandbox` or a url), or else the public provider.
   */
  readonly provider?: ProviderOption
  /**
   * The generation of the data API: the current one (`"v4"`), the previous one (`"legacy"`), or the current one and,
   * for routes that the provider does not have there, the previous one (`"auto"`, the default).
   */
  readonly dataApi?: "auto" | "v4" | "legacy"
  /** Send the SDK's own headers to every host, not only to the provider's; default false. */
  readonly sendSdkHeaders?: boolean
  /** Check that every node serves the configured chain before it gets calls; default true. */
  readonly verifyChain?: boolean
  /** How nodes are chosen; default `"fastest"`: the fastest node that has the latest block. */
  readonly selection?: Selection
  /** Send slow reads to another node, too. Default true: `{ maxExtraLoad: 0.08 }`. */
  readonly hedge?: boolean | HedgeOptions<Time>
  /** Limit the client's attempts at other nodes after failures. Default true: `{ ratio: 0.2, burst: 200 }`. */
  readonly retryBudget?: boolean | RetryBudgetOptions
  /**
   * Send equal reads in flight once; default false. A cache (`SdkCache.make`, `cache` of `effect-chains/cache`) also
   * keeps answers.
   */
  readonly coalesce?: boolean | CoalesceLayer
  /** Send JSON-RPC reads of the same tick as one batch. Default false; true is `{ size: 100, window: 0 }`. */
  readonly batch?: boolean | BatchOptions<Time>
  /**
   * Which nodes may answer reads: any (`"eventual"`, the default), or only one that is not behind the earlier reads
   * of this client (`"monotonic"`), which asks the node of every answer for its height.
   */
  readonly consistency?: C
  /**
   * A quota of the key and of nodes, from `effect-chains/quota`. Clients with the same quota share it. It also counts
   * credits. Default: none.
   */
  readonly quota?: Quota
  /**
   * Findings of other processes about the nodes: `health` of `effect-chains/health` makes them of a board. Default:
   * none.
   */
  readonly health?: SharedHealth
  /** Sockets of subscriptions. */
  readonly subscriptions?: SocketOptions<Time>
  /** The logger; default the console, or the Effect logger. */
  readonly logger?: LogSink
  /** Write no log lines. */
  readonly quiet?: boolean
  /** Log every request and every decision of the balancer. */
  readonly verbose?: boolean
  /** Extensions that start and end with the client. */
  readonly configureExtensions?: ReadonlyArray<Extension>
  /**
   * Wallet providers that start and end with the client. The first one with a `provider` is the client's wallet.
   */
  readonly configureWalletProviders?: ReadonlyArray<WalletExtension>
}

/**
 * A checked configuration with all defaults. Keys are redacted.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedConfig {
  /** The network's id. */
  readonly network: string
  readonly info: NetworkInfo
  readonly apiKey: { readonly V3: Redacted.Redacted | undefined; readonly V4: Redacted.Redacted | undefined }
  readonly version: "V3" | "V4"
  readonly retryCount: number
  readonly retryDelay: number
  readonly timeout: number
  readonly attemptTimeout: number
  readonly maxResponseBytes: number
  readonly nodes: ReadonlyArray<ResolvedNode> | undefined
  readonly oneTimeLoadBalancing: boolean
  readonly allowedBlocksBehind: number
  readonly evictNodesOnFailure: boolean
  readonly statusCheckInterval: number
  readonly checks: Schedule.Schedule<unknown> | undefined
  readonly readmission: Schedule.Schedule<unknown> | undefined
  readonly archive: "prefer" | "strict"
  readonly baseUrl: string
  /**
   * The url of the environment variable. It replaces `baseUrl` and its version for calls that need no version.
   */
  readonly baseUrlOverride: string | undefined
  readonly nodeListUrl: string
  readonly domain: string
  /** Whether the provider comes from the environment. */
  readonly isMoved: boolean
  readonly dataApi: "auto" | "v4" | "legacy"
  readonly sendSdkHeaders: boolean
  readonly verifyChain: boolean
  readonly selection: Selection
  readonly hedge: { readonly maxExtraLoad: number; readonly delay: number | undefined } | undefined
  readonly retryBudget: Required<RetryBudgetOptions> | undefined
  readonly coalesce: boolean | CoalesceLayer
  readonly batch: Required<BatchOptions> | undefined
  readonly consistency: Consistency
  readonly health: SharedHealth | undefined
  readonly subscriptions: SocketOptions
  readonly logger: LogSink | undefined
  readonly quiet: boolean
  readonly verbose: boolean
  readonly extensions: ReadonlyArray<Extension>
  /** The extensions that may have a wallet. */
  readonly walletProviders: ReadonlyArray<WalletExtension>
}

/**
 * A checked node entry, without a trailing slash, and with its user info in a header.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedNode extends Pick<NodeEntry, "weight" | "quota"> {
  readonly url: string
  readonly type: "NORMAL" | "ARCHIVE"
  readonly headers: Readonly<Record<string, string>>
  readonly sendApiKey: boolean
  /** The server for subscriptions; default: that of calls. */
  readonly socket?: ResolvedServer
  /** The node's other servers, by the names of their options. */
  readonly servers?: Readonly<Record<string, ResolvedServer>>
}

/**
 * A checked url of a node entry, with the headers of requests to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The layer of the option `coalesce`, such as a cache: equal reads share a request or an answer. `services` does the
 * same for requests of services, by their path after the version.
 *
 * @since 0.1.0
 * @category types
 */
export interface CoalesceLayer {
  (
    inner: TransportService,
    config: Pick<ResolvedConfig, "coalesce"> & Partial<Pick<ResolvedConfig, "info">>
  ): Effect.Effect<TransportWithOptions, never, Scope.Scope>
  readonly services?: (
    path: string,
    http: HttpService,
    config: Pick<ResolvedConfig, "apiKey" | "network">
  ) => HttpService["send"]
}
