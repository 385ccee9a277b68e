/**
 * The configuration of a client: the form that users write, its checks, and the resolved form that the SDK reads.
 *
 * @since 0.1.0
 */

import * as EffectConfig from "effect/Config"
import { InvalidData } from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { Credits } from "../data/credits.js"
import { claimDefinition, definedRow, networkIdOf } from "../data/definedNetworks.js"
import { type AnyNetwork, type Family, type NetworkInfo, type NetworkTable, table } from "../data/Network.js"
import type { NodeEntry, ServerUrls } from "../data/Node.js"
import { findNearest } from "../data/nearest.js"
import {
  type BlockNotReached,
  type ConfigIssue,
  displayUrl,
  InvalidConfig,
  kindOf,
  UnsupportedNetwork
} from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import { isRecord } from "../data/untrusted.js"
import type { HttpService } from "../http/service.js"
import type { MakeWebSocket } from "../http/webSocket.js"
import type {
  BatchOptions,
  CallOptionsShape,
  QuorumOptions,
  TransportService,
  TransportWithOptions
} from "../wire/Transport.js"
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
 * prefers (`pick`), have a node probed (`probeSuspect`), and spare the first calls the waiting for the first round of checks (`endFirstRound`). They can
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
    pick: ((candidates: ReadonlyArray<number>) => number | undefined) | undefined
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
    /** Check the nodes once, at the start; default false. */
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
  /** Another provider than the public one: your own gateway, or the sandbox. */
  readonly provider?: {
    readonly baseUrl?: string
    readonly nodeListUrl?: string
    readonly domain?: string
  }
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

/**
 * The configuration of the current client.
 *
 * @since 0.1.0
 * @category services
 */
export class Config extends /*#__PURE__*/ Context.Tag("effect-chains/services/Config")<
  Config,
  ResolvedConfig
>() {}

/**
 * The default limits of batches. Most nodes take 100 requests; many are behind a proxy that refuses bodies of 1 MiB.
 *
 * @since 0.1.0
 * @category constants
 */
export const batchDefaults: Required<BatchOptions> = { size: 100, bytes: 500_000, window: 0 }

/**
 * The domain of the public provider.
 *
 * @since 0.1.0
 * @category constants
 */
export const PROVIDER_DOMAIN = "tatum.io"

/** The API of the public provider. */
const PUBLIC_API_URL = `https://api.${PROVIDER_DOMAIN}`

/**
 * The environment variable with the provider's base url.
 *
 * @since 0.1.0
 * @category constants
 */
export const BASE_URL_VARIABLE = "TATUM_URL"

/**
 * Checks a value. It returns undefined if the value is valid, one sentence about it, or issues of the fields inside
 * it.
 *
 * @since 0.1.0
 * @category operations
 */
export type OptionCheck = (value: unknown, path: string) => string | ReadonlyArray<ConfigIssue> | undefined

/** A check for every option. The compiler reports an option without one. */
type OptionChecks<Options> = { readonly [K in keyof NonNullable<Options>]-?: OptionCheck }

/** Checks a boolean. */
export const boolean: OptionCheck = (value) =>
  typeof value === "boolean" ? undefined : `must be true or false, not ${kindOf(value)}`

/** Checks a whole number from 0. */
export const wholeNumber: OptionCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0
    ? undefined
    : `must be a whole number from 0, not ${kindOf(value)}`

const milliseconds: OptionCheck = (value) =>
  typeof value === "number" && value >= 0 && Number.isFinite(value)
    ? undefined
    : `must be a number of milliseconds from 0, not ${kindOf(value)}`

const positiveNumber: OptionCheck = (value) =>
  typeof value === "number" && value > 0 ? undefined : `must be a number above 0, not ${kindOf(value)}`

/** Checks that a value is one of these. */
export const oneOf =
  (...options: ReadonlyArray<unknown>): OptionCheck =>
  (value) =>
    options.includes(value)
      ? undefined
      : `must be ${options.map((option) => JSON.stringify(option)).join(" or ")}, not ${kindOf(value)}`

const positiveInteger: OptionCheck = (value) =>
  typeof value === "number" && Number.isInteger(value) && value > 0
    ? undefined
    : `must be a whole number from 1, not ${kindOf(value)}`

const fraction: OptionCheck = (value) =>
  typeof value === "number" && value >= 0 && value <= 1
    ? undefined
    : `must be a number from 0 to 1, not ${kindOf(value)}`

/**
 * A key is sent in a header, so it must be visible ASCII. `fetch` would refuse others, and repeat them in its error.
 */
const secret: OptionCheck = (value) => {
  const text = Redacted.isRedacted(value) ? Redacted.value(value) : value
  if (typeof text !== "string") return "must be a string or a Redacted string"
  return /^[\x21-\x7e]*$/.test(text)
    ? undefined
    : "must be visible ASCII characters without spaces or line breaks"
}

/** The longest url that servers take. */
const MAX_URL_LENGTH = 8_192

/** Checks a url. The message does not repeat the value, which may contain a key. */
export const httpUrl: OptionCheck = (value) => {
  if (typeof value !== "string") return `must be a url, not ${kindOf(value)}`
  if (value.length > MAX_URL_LENGTH) return `must be a url of at most ${MAX_URL_LENGTH} characters`
  if (!URL.canParse(value)) return 'must be an absolute url such as "https://node.example"'
  return /^https?:$/.test(new URL(value).protocol) ? undefined : "must be an http or https url"
}

/** Checks the base url of a provider. Paths are appended to it, so it has no query and no user info. */
const providerUrl: OptionCheck = (value, path) => {
  const problem = httpUrl(value, path)
  if (problem !== undefined) return problem
  const { hash, password, search, username } = new URL(String(value))
  return hash + password + search + username === "" ? undefined : "must have no query, fragment or user info"
}

const describeUnknownOption = (name: string, names: ReadonlyArray<string>): string => {
  const near = findNearest(name, names)
  const list = `here are ${names.join(", ")}`
  return `is not an option; ${near === undefined ? `t${list}` : `did you mean ${near}? T${list}`}`
}

/**
 * Checks an object with these fields and no others. All fields are optional.
 *
 * @since 0.1.0
 * @category operations
 */
export const shape =
  (
    fields: Readonly<Record<string, OptionCheck>>
  ): ((value: unknown, path: string) => ReadonlyArray<ConfigIssue>) =>
  (value, path) => {
    if (!isRecord(value)) return [{ path, message: `must be an object, not ${kindOf(value)}` }]
    return Object.entries(value).flatMap(([name, field]): ReadonlyArray<ConfigIssue> => {
      const at = path === "" ? name : `${path}.${name}`
      const check = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (check === undefined)
        return [{ path: at, message: describeUnknownOption(name, Object.keys(fields)) }]
      if (field === undefined) return []
      const found = check(field, at)
      return found === undefined ? [] : typeof found === "string" ? [{ path: at, message: found }] : found
    })
  }

/** Checks a boolean, or an object with options. */
const booleanOrShape =
  (of: Readonly<Record<string, OptionCheck>>): OptionCheck =>
  (value, path) =>
    isRecord(value)
      ? shape(of)(value, path)
      : typeof value === "boolean"
        ? undefined
        : `must be true, false or an object with ${Object.keys(of).join(", ")}, not ${kindOf(value)}`

/** Checks a list. */
export const list =
  (item: (value: unknown, path: string) => ReadonlyArray<ConfigIssue>): OptionCheck =>
  (value, path) =>
    Array.isArray(value)
      ? value.flatMap((entry, i) => item(entry, `${path}[${i}]`))
      : `must be a list, not ${kindOf(value)}`

const headers: OptionCheck = (value) => {
  if (!isRecord(value)) return `must be an object of strings, not ${kindOf(value)}`
  try {
    for (const [name, item] of Object.entries(value)) {
      if (typeof item !== "string") return "must be an object of strings"
      new Headers([[name, item]])
    }
    return undefined
  } catch {
    return "must have only names and values that HTTP allows"
  }
}

const serverUrlChecks = {
  jsonRpcUrl: httpUrl,
  beaconUrl: httpUrl,
  rosettaUrl: httpUrl,
  waspUrl: httpUrl,
  tonCenterUrl: httpUrl,
  graphqlUrl: httpUrl
} satisfies OptionChecks<ServerUrls>

const nodeEntry = shape({
  ...serverUrlChecks,
  url: httpUrl,
  wsUrl: (value) =>
    typeof value === "string" && URL.canParse(value) && /^wss?:$/.test(new URL(value).protocol)
      ? undefined
      : "must be a ws or wss url",
  type: oneOf("normal", "archive", 0, 1),
  weight: positiveNumber,
  headers,
  sendApiKey: boolean,
  // the option `quota` checks it
  quota: () => undefined
} satisfies OptionChecks<NodeEntry>)

/** A logger needs all levels: a missing one would fail only at its first line. */
const logger: OptionCheck = (value) => {
  const missing = ["trace", "debug", "info", "warn", "error"].filter(
    (level) =>
      !(typeof value === "object" && value !== null && typeof Reflect.get(value, level) === "function")
  )
  return missing.length === 0 ? undefined : `must have the functions ${missing.join(", ")}`
}

const apiKeys = shape({ v3: secret, v4: secret })

const callable: OptionCheck = (value) =>
  value === undefined || typeof value === "function" ? undefined : "must be a function"

const makeExtensionChecks = (networks: NetworkTable): Readonly<Record<string, OptionCheck>> => ({
  name: (value) => (typeof value === "string" && value !== "" ? undefined : "must be a name"),
  supportedNetworks: (value) =>
    value === undefined ||
    (Array.isArray(value) &&
      value.every((id) => typeof id === "string" && networks.familyOf(id) !== undefined))
      ? undefined
      : "must be a list of network ids",
  init: callable,
  destroy: callable
})

const walletProvider: OptionCheck = (value) =>
  value === undefined || (isRecord(value) && typeof value.request === "function")
    ? undefined
    : "must be an EIP-1193 provider: an object with the function request"

/** Extensions may be instances of a class: other members are allowed, and methods may be on the prototype. */
const extensionList = (of: Readonly<Record<string, OptionCheck>>): OptionCheck =>
  list((value, path) => {
    if (!isRecord(value)) return [{ path, message: `must be an object, not ${kindOf(value)}` }]
    return Object.entries(of).flatMap(([name, check]): ReadonlyArray<ConfigIssue> => {
      const message = check(Reflect.get(value, name), `${path}.${name}`)
      return typeof message === "string" ? [{ path: `${path}.${name}`, message }] : []
    })
  })

/** An example of a node entry, for error messages. */
const NODE_EXAMPLE = '{ url: "https://node.example", type: "normal" }'

/** Checks a list of nodes. */
export const nodeList: OptionCheck = list((value, path) =>
  !isRecord(value)
    ? [{ path, message: `must be ${NODE_EXAMPLE}, not ${kindOf(value)}` }]
    : value.url === undefined
      ? [{ path: `${path}.url`, message: `is missing: a node is ${NODE_EXAMPLE}` }, ...nodeEntry(value, path)]
      : nodeEntry(value, path)
)

const schedule: OptionCheck = (value) =>
  Schedule.isSchedule(value) ? undefined : `must be a Schedule of Effect, not ${kindOf(value)}`

const archivePreference = oneOf("prefer", "strict")

const batchOptionChecks = { size: positiveInteger, bytes: positiveInteger, window: milliseconds }

const importedFunction: OptionCheck = (value) =>
  value === undefined || typeof value === "function"
    ? undefined
    : `must be what its module exports, not ${kindOf(value)}`

/** The options that clients of all kinds have. */
const nodeOptionChecks = {
  // a chain id passes here: a later error says which network it is
  network: (value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "bigint" || isRecord(value)
      ? undefined
      : `must be the id of a network, not ${kindOf(value)}`,
  apiKey: (value, path) =>
    isRecord(value) && !Redacted.isRedacted(value) ? apiKeys(value, path) : secret(value, path),
  version: oneOf("V3", "V4"),
  retryCount: wholeNumber,
  retryDelay: milliseconds,
  timeout: positiveNumber,
  attemptTimeout: positiveNumber,
  maxResponseBytes: positiveNumber,
  rpc: shape({
    nodes: nodeList,
    oneTimeLoadBalancing: boolean,
    allowedBlocksBehind: wholeNumber,
    evictNodesOnFailure: boolean,
    statusCheckInterval: positiveNumber,
    checks: schedule,
    readmission: schedule,
    archive: archivePreference
  } satisfies OptionChecks<SdkConfig["rpc"]>),
  provider: shape({
    baseUrl: providerUrl,
    nodeListUrl: providerUrl,
    domain: (value) =>
      typeof value === "string" && /^[a-z0-9.-]+$/i.test(value)
        ? undefined
        : 'must be a host name such as "example.com"'
  }),
  sendSdkHeaders: boolean,
  verifyChain: boolean,
  selection: (value, path) =>
    isRecord(value) && value.node !== undefined
      ? shape({ node: httpUrl })(value, path)
      : oneOf("fastest", "p2c", "weighted", "round-robin")(value, path),
  hedge: booleanOrShape({ maxExtraLoad: fraction, delay: milliseconds }),
  retryBudget: booleanOrShape({ ratio: fraction, burst: wholeNumber }),
  consistency: oneOf("eventual", "monotonic"),
  quota: importedFunction,
  health: importedFunction,
  logger,
  quiet: boolean,
  verbose: boolean
} satisfies Readonly<Record<string, OptionCheck>>

const layerOptionChecks = {
  batch: booleanOrShape(batchOptionChecks),
  coalesce: (value: unknown, path: string) => (typeof value === "function" ? undefined : boolean(value, path))
}

/**
 * The option checks of a client with services.
 *
 * @since 0.1.0
 * @category operations
 */
export const makeAllOptionChecks = (networks: NetworkTable): Readonly<Record<string, OptionCheck>> =>
  ({
    ...nodeOptionChecks,
    ...layerOptionChecks,
    dataApi: oneOf("auto", "v4", "legacy"),
    subscriptions: shape({
      webSocket: callable,
      idle: positiveNumber,
      timeout: positiveNumber
    }),
    configureExtensions: extensionList(makeExtensionChecks(networks)),
    configureWalletProviders: extensionList({ ...makeExtensionChecks(networks), provider: walletProvider })
  }) satisfies OptionChecks<SdkConfig>

/**
 * The option checks of a client of nodes with these layers.
 *
 * @since 0.1.0
 * @category operations
 */
export const makeNodeOptionChecks = (layers: object): Readonly<Record<string, OptionCheck>> => ({
  ...nodeOptionChecks,
  layers: shape({ batch: importedFunction, coalesce: importedFunction, quorum: importedFunction }),
  ...Object.fromEntries(Object.entries(layerOptionChecks).filter(([name]) => name in layers))
})

const quorum: OptionCheck = (value) =>
  isRecord(value) &&
  Object.keys(value).every((name) => name === "nodes" || name === "agree" || name === "isSame") &&
  positiveInteger(value.nodes, "") === undefined &&
  positiveInteger(value.agree, "") === undefined &&
  Number(value.agree) <= Number(value.nodes) &&
  (value.isSame === undefined || typeof value.isSame === "function")
    ? undefined
    : "must be { nodes, agree }: whole numbers from 1, of which agree is not the larger one"

const callOptionChecks: OptionChecks<CallOptionsShape> = {
  timeout: positiveNumber,
  attemptTimeout: positiveNumber,
  node: (value, path) =>
    typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? undefined : httpUrl(value, path),
  coalesce: boolean,
  batch: booleanOrShape(batchOptionChecks),
  quorum,
  minBlock: (value) =>
    (typeof value === "bigint" || typeof value === "number") &&
    Number.isSafeInteger(Number(value)) &&
    value >= 0
      ? undefined
      : `must be the number of a block, a whole number from 0, not ${kindOf(value)}`,
  archive: archivePreference
}

/** Options that passed their checks. Calls repeat the same object. */
const checkedOptions = new WeakSet<object>()

/**
 * Returns all problems of a call's options as text, or undefined. An object is checked once. `more` are options of
 * the surface.
 *
 * @since 0.1.0
 * @category operations
 */
export const findCallOptionsProblem = (
  options: object,
  more: Readonly<Record<string, OptionCheck>> = {}
): string | undefined => {
  if (checkedOptions.has(options)) return undefined
  const issues = shape({ ...callOptionChecks, ...more })(options, "")
  if (issues.length > 0)
    return issues.map(({ message, path }) => `${path || "options"} ${message}`).join("; ")
  checkedOptions.add(options)
  return undefined
}

const redact = (key: string | Redacted.Redacted | undefined): Redacted.Redacted | undefined =>
  key === undefined || key === "" ? undefined : typeof key === "string" ? Redacted.make(key) : key

/** The key of one version is used for the other one if that has none. */
const resolveKeys = (apiKey: ApiKey | undefined): ResolvedConfig["apiKey"] => {
  const { v3, v4 } =
    apiKey === undefined || typeof apiKey === "string" || Redacted.isRedacted(apiKey)
      ? { v3: apiKey, v4: undefined }
      : apiKey
  const V3 = redact(v3)
  const V4 = redact(v4)
  return { V3: V3 ?? V4, V4: V4 ?? V3 }
}

const removeTrailingSlashes = (url: string): string => withoutTail(url.trim(), "/")

/** Decodes user info. Text with a stray percent sign stays as it is. */
const decodeUserInfo = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Removes trailing slashes, and moves user info to the headers. */
const moveUserInfoToHeader = (text: string, own: Readonly<Record<string, string>>) => {
  const url = new URL(text)
  const { username, password } = url
  url.username = ""
  url.password = ""
  if (username + password === "") return { url: removeTrailingSlashes(text), headers: own }
  const userInfo = new TextEncoder().encode(`${decodeUserInfo(username)}:${decodeUserInfo(password)}`)
  const authorization = `Basic ${btoa(String.fromCharCode(...userInfo))}`
  return { url: removeTrailingSlashes(url.href), headers: { authorization, ...own } }
}

/**
 * Resolves a node entry: removes trailing slashes, and moves user info to an Authorization header (RFC 7617). Header
 * names become lower case, so that none is sent twice.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveNode = (entry: NodeEntry): ResolvedNode => {
  const own = Object.fromEntries(
    Object.entries(entry.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  )
  const servers = Object.entries(entry).flatMap(([name, url]: readonly [string, unknown]) =>
    Object.hasOwn(serverUrlChecks, name) && typeof url === "string"
      ? [[name, moveUserInfoToHeader(url, own)] as const]
      : []
  )
  return {
    ...entry,
    ...moveUserInfoToHeader(entry.url, own),
    type: entry.type === "archive" || entry.type === 1 ? "ARCHIVE" : "NORMAL",
    sendApiKey: entry.sendApiKey ?? false,
    ...(entry.wsUrl === undefined ? {} : { socket: moveUserInfoToHeader(entry.wsUrl, own) }),
    ...(servers.length === 0 ? {} : { servers: Object.fromEntries(servers) })
  }
}

/** Removes the version from a base url. */
const removeApiVersion = (url: string): string => removeTrailingSlashes(url).replace(/\/v[34]$/, "")

/** Limits an interval to the 24 days that a timer can count: a longer one would fire at once. */
const clampIntervalMs = (milliseconds: number): number =>
  Number.isFinite(milliseconds) ? Math.min(milliseconds, 2 ** 31 - 1) : milliseconds

/** The options of a feature, or undefined if it is off. */
const resolveToggle = <A extends object>(given: boolean | Partial<A>, usual: A): A | undefined =>
  given === false ? undefined : { ...usual, ...(given === true ? {} : given) }

const hostOf = (url: string): string => new URL(url).hostname

/**
 * Checks a configuration, and fills in defaults.
 *
 * @since 0.1.0
 * @category models
 */
export type ResolveConfig = (
  config: SdkConfig,
  environment?: { readonly baseUrl?: string | undefined }
) => Effect.Effect<ResolvedConfig, InvalidConfig | UnsupportedNetwork>

/**
 * Makes `InvalidConfig` with one issue.
 *
 * @since 0.1.0
 * @category errors
 */
export const makeInvalidConfig = (path: string, message: string): InvalidConfig =>
  new InvalidConfig({ issues: [{ path, message }] })

/**
 * Fails with `InvalidConfig` with one issue.
 *
 * @since 0.1.0
 * @category errors
 */
export const failInvalidConfig = (path: string, message: string): Effect.Effect<never, InvalidConfig> =>
  Effect.fail(makeInvalidConfig(path, message))

/**
 * Finds the row of a network.
 *
 * @since 0.1.0
 * @category models
 */
export type FindNetwork = (network: unknown) => Effect.Effect<NetworkInfo, InvalidConfig | UnsupportedNetwork>

/**
 * Finds rows in a table of networks. If the table has some families alone, `describeOtherFamily` says where to import
 * the others from.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFindNetwork =
  (networks: NetworkTable, describeOtherFamily?: (family: Family | undefined) => string): FindNetwork =>
  (network) => {
    if (isRecord(network)) return failInvalidConfig("network", "must be an id, or what defineNetwork returns")
    // it may be a chain id
    const id = String(network)
    const info = networks.info(id)
    if (info !== undefined) return Effect.succeed(info)
    const family = networks.familyOf(id)
    const suggestion = family === undefined ? networks.suggest(id) : undefined
    return suggestion === undefined && describeOtherFamily !== undefined
      ? failInvalidConfig("network", describeOtherFamily(family))
      : Effect.fail(makeUnsupportedNetwork(id, suggestion))
  }

/**
 * Makes the error of an unknown network.
 *
 * @since 0.1.0
 * @category errors
 */
export const makeUnsupportedNetwork = (network: string, suggestion: string | undefined): UnsupportedNetwork =>
  new UnsupportedNetwork({ network, ...(suggestion === undefined ? {} : { suggestion }) })

/**
 * Makes a function that checks configurations.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeResolveConfig =
  (find: FindNetwork, fields: Readonly<Record<string, OptionCheck>>): ResolveConfig =>
  (config, environment = {}) => {
    const issues = !isRecord(config)
      ? [{ path: "config", message: "must be an object" }]
      : [
          ...(config.network === undefined ? [{ path: "network", message: "is missing" }] : []),
          ...shape(fields)(config, ""),
          ...claimDefinition(config.network, config.rpc?.nodes)
        ]
    if (issues.length > 0) return Effect.fail(new InvalidConfig({ issues }))
    const row = definedRow(config.network)
    return Effect.flatMap(row === undefined ? find(config.network) : Effect.succeed(row), (info) =>
      applyDefaults(config, info, environment)
    )
  }

/** Leaves out undefined options, which would replace defaults. */
const omitUndefined = <A extends object>(
  fields: A
): { readonly [K in keyof A]?: Exclude<A[K], undefined> } => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  // the type says that undefined is filtered out, which Object.fromEntries cannot express
  return Object.fromEntries(entries) as { readonly [K in keyof A]?: Exclude<A[K], undefined> }
}

/** The defaults of all clients (specification, sections 3 and 9). */
const DEFAULTS = {
  version: "V4",
  retryCount: 1,
  retryDelay: 1_000,
  timeout: 30_000,
  attemptTimeout: 10_000,
  maxResponseBytes: 64 * 1024 * 1024,
  oneTimeLoadBalancing: false,
  allowedBlocksBehind: 10,
  statusCheckInterval: 60_000,
  archive: "prefer",
  dataApi: "auto",
  sendSdkHeaders: false,
  verifyChain: true,
  selection: "fastest",
  hedge: true,
  retryBudget: true,
  coalesce: false,
  batch: false,
  consistency: "eventual",
  subscriptions: {},
  quiet: false,
  verbose: false
} as const

const applyDefaults = (
  config: SdkConfig,
  info: NetworkInfo,
  environment: NonNullable<Parameters<ResolveConfig>[1]>
): Effect.Effect<ResolvedConfig, InvalidConfig> => {
  if (config.provider?.baseUrl === undefined && environment.baseUrl !== undefined) {
    const problem = providerUrl(environment.baseUrl, "")
    if (typeof problem === "string") return failInvalidConfig(BASE_URL_VARIABLE, problem)
  }
  const {
    apiKey,
    configureExtensions = [],
    configureWalletProviders: walletProviders = [],
    network,
    provider = {},
    rpc: { nodes = info.nodes, ...rpc } = {},
    ...options
  } = config
  // without a quota nothing applies the limits of nodes
  if (config.quota === undefined && nodes?.some(({ quota }) => quota))
    return failInvalidConfig("quota", "is missing")
  const isPublic = provider.baseUrl === undefined
  if (info.ownNodes === true && isPublic && nodes === undefined) {
    return failInvalidConfig("rpc.nodes", `is missing: ${network} works with nodes of your own alone`)
  }
  const base = removeApiVersion(provider.baseUrl ?? PUBLIC_API_URL)
  const filled = { ...DEFAULTS, ...omitUndefined(rpc), ...omitUndefined(options) }
  return Effect.succeed({
    logger: undefined,
    health: undefined,
    checks: undefined,
    readmission: undefined,
    evictNodesOnFailure: (nodes?.length ?? 0) > 1 && !filled.oneTimeLoadBalancing,
    ...filled,
    network: networkIdOf(network),
    info,
    apiKey: resolveKeys(apiKey),
    nodes: nodes?.map(resolveNode),
    statusCheckInterval: clampIntervalMs(filled.statusCheckInterval),
    baseUrl: base,
    baseUrlOverride:
      isPublic && environment.baseUrl !== undefined ? removeTrailingSlashes(environment.baseUrl) : undefined,
    nodeListUrl: removeTrailingSlashes(provider.nodeListUrl ?? `https://rpc.${PROVIDER_DOMAIN}`),
    domain: (provider.domain ?? (isPublic ? PROVIDER_DOMAIN : hostOf(base))).toLowerCase(),
    hedge: resolveToggle<NonNullable<ResolvedConfig["hedge"]>>(filled.hedge, {
      maxExtraLoad: 0.08,
      delay: undefined
    }),
    retryBudget: resolveToggle(filled.retryBudget, { ratio: 0.2, burst: 200 }),
    batch: resolveToggle(filled.batch, batchDefaults),
    extensions: [...configureExtensions, ...walletProviders],
    walletProviders
  })
}

/**
 * Checks a configuration, and fills in defaults. It reports all issues at once. An unknown network is a separate
 * error.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolve: ResolveConfig = /*#__PURE__*/ makeResolveConfig(
  /*#__PURE__*/ makeFindNetwork(table),
  /*#__PURE__*/ makeAllOptionChecks(table)
)

/**
 * Whether a url is the provider's: it has the origin of the base url, or its host is the provider's domain or a
 * subdomain, over https. Plain http is accepted only for the host of a base url of plain http (the sandbox on
 * loopback).
 *
 * @since 0.1.0
 * @category getters
 */
export const isProviderUrl = (
  config: Pick<ResolvedConfig, "domain" | "baseUrl"> & Partial<Pick<ResolvedConfig, "baseUrlOverride">>,
  url: string
): boolean => {
  if (!URL.canParse(url)) return false
  const { host, hostname, password, protocol, username } = new URL(url)
  const base = new URL(config.baseUrl)
  if (username + password !== "") return false
  if (protocol === base.protocol && host === base.host) return true
  if (config.baseUrlOverride !== undefined && new URL(config.baseUrlOverride).origin === new URL(url).origin)
    return true
  const known = hostname === config.domain || hostname.endsWith(`.${config.domain}`)
  return known && (protocol === "https:" || (protocol === base.protocol && hostname === base.hostname))
}

/**
 * The url of the provider's gateway to nodes of the network (v3). The provider wants the key in the path. Networks
 * with a host of their own at the public provider use that host, with the key in a header.
 *
 * @since 0.1.0
 * @category getters
 */
export const gatewayNodeUrl = (config: ResolvedConfig): string => {
  const { gateway } = config.info
  if (gateway !== undefined && config.baseUrl === PUBLIC_API_URL) return gateway
  const key = config.apiKey.V3
  return `${config.baseUrl}/v3/blockchain/node/${config.info.slug ?? config.network}${key === undefined ? "" : `/${Redacted.value(key)}`}`
}

/**
 * Whether the nodes come from the provider's lists: the user gave none, and the network has lists.
 *
 * @since 0.1.0
 * @category getters
 */
export const usesNodeLists = (config: ResolvedConfig): boolean =>
  config.nodes === undefined && config.info.loadBalanced === true

interface DurationOptions {
  readonly [name: string]: true | DurationOptions
}

/** The options that are durations, by their path. */
const durationOptions: DurationOptions = {
  retryDelay: true,
  timeout: true,
  attemptTimeout: true,
  rpc: { statusCheckInterval: true },
  hedge: { delay: true },
  batch: { window: true },
  subscriptions: { idle: true, timeout: true }
}

/** Converts the durations in a value to milliseconds. */
const convertDurations = (value: unknown, of: true | DurationOptions | undefined): unknown => {
  if (of === true) {
    const duration = Duration.decodeUnknown(value)
    return typeof value === "number" || Option.isNone(duration) ? value : Duration.toMillis(duration.value)
  }
  return of === undefined || !isRecord(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).map(([name, field]) => [name, convertDurations(field, of[name])])
      )
}

/**
 * Converts the durations in options of a client or a call to milliseconds. A value that is no duration stays as it
 * is, for the option's check to report.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMilliseconds: {
  <Config extends SdkConfig<AnyNetwork, Consistency, Duration.DurationInput>>(
    config: Config
  ): Config & SdkConfig<AnyNetwork, Consistency>
  (options: CallOptionsShape<QuorumOptions, bigint | number, Duration.DurationInput>): CallOptionsShape
  // durations become numbers, and nothing else changes
} = (options: object): never => convertDurations(options, durationOptions) as never

/**
 * Resolves a configuration with the base url of the environment.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveWithEnvironment = <Config extends SdkConfig, E>(
  config: Config,
  by: (config: Config, environment?: Parameters<ResolveConfig>[1]) => Effect.Effect<ResolvedConfig, E>
): Effect.Effect<ResolvedConfig, E> =>
  Effect.flatMap(
    Effect.orElseSucceed(EffectConfig.string(BASE_URL_VARIABLE), () => ""),
    // an empty variable counts as unset
    (base) => by(config, { baseUrl: base === "" ? undefined : base })
  )

/**
 * The layer of a configuration object.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  config: SdkConfig<AnyNetwork, Consistency, Duration.DurationInput>
): Layer.Layer<Config, InvalidConfig | UnsupportedNetwork> =>
  Layer.effect(
    Config,
    Effect.suspend(() => resolveWithEnvironment(toMilliseconds(config), resolve))
  )

const optionalVariable = <A>(config: EffectConfig.Config<A>): EffectConfig.Config<A | undefined> =>
  EffectConfig.map(EffectConfig.option(config), Option.getOrUndefined)

/** An empty variable counts as unset: `Number("")` would be 0. */
const parseVariable = <A>(
  name: string,
  what: string,
  parse: (text: string) => A | undefined
): EffectConfig.Config<A> =>
  EffectConfig.mapOrFail(EffectConfig.nonEmptyString(name), (text) => {
    const value = parse(text.trim())
    return value === undefined ? Either.left(InvalidData([], `must be ${what}`)) : Either.right(value)
  })

const numberVariable = (name: string): EffectConfig.Config<number> =>
  parseVariable(name, "a number", (text) =>
    text === "" || Number.isNaN(Number(text)) ? undefined : Number(text)
  )

const booleanVariable = (name: string): EffectConfig.Config<boolean> =>
  parseVariable(name, "true or false", (text) =>
    /^(true|yes|on|1)$/i.test(text) ? true : /^(false|no|off|0)$/i.test(text) ? false : undefined
  )

/**
 * The options that can come from the environment (or any other `ConfigProvider`): `TATUM_API_KEY`, `TATUM_API_KEY_V3`,
 * `TATUM_API_KEY_V4`, `TATUM_VERSION`, `TATUM_RETRY_COUNT`, `TATUM_RETRY_DELAY`, `TATUM_TIMEOUT`,
 * `TATUM_ATTEMPT_TIMEOUT`, `TATUM_QUIET`, `TATUM_VERBOSE` and `TATUM_NODES` (urls, comma separated), or those of another prefix.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromEnvironment = (
  prefix = "TATUM"
): EffectConfig.Config<Partial<Omit<SdkConfig, "network" | "consistency">>> =>
  EffectConfig.map(
    EffectConfig.all({
      key: optionalVariable(EffectConfig.redacted(`${prefix}_API_KEY`)),
      v3: optionalVariable(EffectConfig.redacted(`${prefix}_API_KEY_V3`)),
      v4: optionalVariable(EffectConfig.redacted(`${prefix}_API_KEY_V4`)),
      version: optionalVariable(EffectConfig.literal("V3", "V4")(`${prefix}_VERSION`)),
      retryCount: optionalVariable(numberVariable(`${prefix}_RETRY_COUNT`)),
      retryDelay: optionalVariable(numberVariable(`${prefix}_RETRY_DELAY`)),
      timeout: optionalVariable(numberVariable(`${prefix}_TIMEOUT`)),
      attemptTimeout: optionalVariable(numberVariable(`${prefix}_ATTEMPT_TIMEOUT`)),
      quiet: optionalVariable(booleanVariable(`${prefix}_QUIET`)),
      verbose: optionalVariable(booleanVariable(`${prefix}_VERBOSE`)),
      nodes: optionalVariable(EffectConfig.array(EffectConfig.nonEmptyString(), `${prefix}_NODES`))
    }),
    ({ key, v3, v4, nodes, ...rest }) => ({
      ...omitUndefined(rest),
      ...(v3 !== undefined || v4 !== undefined
        ? { apiKey: omitUndefined({ v3: v3 ?? key, v4: v4 ?? key }) }
        : key === undefined
          ? {}
          : { apiKey: key }),
      ...(nodes === undefined ? {} : { rpc: { nodes: nodes.map((url) => ({ url })) } })
    })
  )

/**
 * Describes a configuration without its secrets.
 *
 * @since 0.1.0
 * @category conversions
 */
export const describe = (config: ResolvedConfig): string =>
  `${config.network} over ${config.nodes?.map((entry) => displayUrl(entry.url)).join(", ") ?? displayUrl(config.baseUrl)}`
