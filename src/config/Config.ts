/**
 * The configuration of a client: the form that users write, its checks, and the form that the rest of the SDK reads.
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
 * A key, or one per version of the provider's API: text, and on the Effect surface `Redacted` text too.
 *
 * @since 0.1.0
 * @category models
 */
export type ApiKey<Secret = string | Redacted.Redacted> =
  | Secret
  | { readonly v3?: Secret; readonly v4?: Secret }

/**
 * Second attempts: a read that takes longer than almost all others (the 95th percentile, and a bit) is sent to another
 * node too, and the first answer wins. `maxExtraLoad` is the share of calls that may be sent twice, up to 1. `delay` (in
 * milliseconds) stands in place of the observed times.
 *
 * @since 0.1.0
 * @category models
 */
export interface HedgeOptions<out Time = number> {
  readonly maxExtraLoad?: number
  readonly delay?: Time
}

/**
 * Attempts at other nodes: each call brings `ratio` of one, and `burst` of them may be made at once (0 allows none ever). When
 * there are none left, calls fail with the error of their first node.
 *
 * @since 0.1.0
 * @category models
 */
export interface RetryBudgetOptions {
  readonly ratio?: number
  readonly burst?: number
}

/**
 * Sockets of subscriptions. `webSocket` makes them; by default that is the runtime's own constructor, or that of the
 * package `undici` on Node 20. A socket that has been silent for `idle` milliseconds (default 15,000) is asked something,
 * and replaced if it does not answer within `timeout` (default: `attemptTimeout`), which is also the limit of opening one.
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
 * The nodes that may answer the reads of a client: any that is chosen, or only one that is not behind its earlier reads.
 *
 * @since 0.1.0
 * @category models
 */
export type Consistency = "eventual" | "monotonic"

/**
 * The error that the consistency of a client brings to its reads: `BlockNotReached`, if it is `"monotonic"`.
 *
 * @since 0.1.0
 * @category errors
 */
export type ConsistencyError<C> = "monotonic" extends C ? BlockNotReached : never

/**
 * A client within a quota: its door to the network, its pool, whose calls wait for their turn, and the credits that it has spent.
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
 * A pool whose listeners hear of a quota.
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
 * A quota, which clients over `http` are brought within. It fails with `InvalidConfig` for limits of nodes that are none.
 *
 * @since 0.1.0
 * @category models
 */
export type Quota = (http: HttpService, config: ResolvedConfig) => Effect.Effect<LimitedClient, InvalidConfig>

/**
 * A node for `health` options.
 *
 * @since 0.1.0
 * @category models
 */
export interface HintedNode {
  readonly index: number
  readonly printableUrl: string
  /** The end of its cooldown, in milliseconds on the monotonic clock. */
  readonly cooldownUntil: number
}

/**
 * A pool for `health` options. They listen to its events, may set which of its healthy nodes it prefers (`pick`), have a node probed
 * (`probeSuspect`), and let the first calls start without the first round of checks (`endFirstRound`). They cannot evict or readmit a node.
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
 * What others have found of the nodes of a pool, as hints to it.
 *
 * @since 0.1.0
 * @category models
 */
export type SharedHealth = <N extends HintedNode>(pool: HintedPool<N>) => Effect.Effect<void>

/**
 * The configuration of a client. Times are milliseconds, or on the Effect surface any `DurationInput`. Everything but `network`
 * has a default.
 *
 * @since 0.1.0
 * @category models
 */
export interface SdkConfig<
  N extends AnyNetwork = AnyNetwork,
  out C extends Consistency = Consistency,
  out Time = number
> {
  /** Id of the network, as in the table of networks, or a definition, as `defineNetwork` makes it. */
  readonly network: N
  /** Without a key only a subset of the features works. */
  readonly apiKey?: ApiKey
  /** Version of the provider's API; default V4. */
  readonly version?: "V3" | "V4"
  /** How often an answer of 500 to 599 is asked for again; default 1, 0 for never. */
  readonly retryCount?: number
  /** Pause before such a retry; default 1,000. */
  readonly retryDelay?: Time
  /** Limit of a whole call with its attempts; default 30,000. */
  readonly timeout?: Time
  /** Limit of a single attempt; default 10,000. */
  readonly attemptTimeout?: Time
  /** Largest answer of a node, in bytes; default 64 MiB. */
  readonly maxResponseBytes?: number
  readonly rpc?: {
    /** Nodes of your own, used in place of the provider's. */
    readonly nodes?: ReadonlyArray<NodeEntry>
    /** Check the nodes once, at the start, and never again; default false. */
    readonly oneTimeLoadBalancing?: boolean
    /** How many blocks a node may be behind the highest and still be chosen; default 10. */
    readonly allowedBlocksBehind?: number
    /** Keep failed nodes out until a check or a trial call brings them back; default true for several own nodes. */
    readonly evictNodesOnFailure?: boolean
    /** Pause between two status checks; default 60,000. `Infinity` for no periodic checks. */
    readonly statusCheckInterval?: Time
    /** The rounds of status checks after the first one, in place of `statusCheckInterval`. There are none after its end. */
    readonly checks?: Schedule.Schedule<unknown>
    /**
     * The probes of a failed node, in place of those after half a second and, ever more seldom, every 30 seconds. It begins with a
     * pause; after its end the node comes back by a status check, or a call when all have failed.
     */
    readonly readmission?: Schedule.Schedule<unknown>
    /** Whether a call for an archive node goes to a normal one when no archive node is well: default `"prefer"`, it does. */
    readonly archive?: "prefer" | "strict"
  }
  /** The provider, where it is not the public one: a gateway of your own, or the sandbox. */
  readonly provider?: {
    readonly baseUrl?: string
    readonly nodeListUrl?: string
    readonly domain?: string
  }
  /**
   * The generation of the data API: today's (`"v4"`), the one before it (`"legacy"`), or (`"auto"`, the default) today's and, where the
   * provider does not have a route of it, the one before.
   */
  readonly dataApi?: "auto" | "v4" | "legacy"
  /** Send the SDK's own headers to every host, not only to the provider's; default false. */
  readonly sendSdkHeaders?: boolean
  /** Ask every node for its chain id before it is trusted; default true. */
  readonly verifyChain?: boolean
  /** How nodes are chosen; default the fastest one in step. */
  readonly selection?: Selection
  /** Second attempts on slow reads, at another node: default true, which is `{ maxExtraLoad: 0.08 }`. */
  readonly hedge?: boolean | HedgeOptions<Time>
  /** A limit on attempts at other nodes after failures, per client: default true, which is `{ ratio: 0.2, burst: 200 }`. */
  readonly retryBudget?: boolean | RetryBudgetOptions
  /** One request for equal reads in flight; default false. A cache (`Cache.make`, `cache` of `effect-chains/cache`) keeps answers, too. */
  readonly coalesce?: boolean | CoalesceLayer
  /** JSON-RPC reads of the same tick travel as one batch: default false; true is `{ size: 100, window: 0 }`. */
  readonly batch?: boolean | BatchOptions<Time>
  /**
   * The nodes that may answer reads: any that is chosen (`"eventual"`, the default), or only one that is not behind the earlier
   * reads of this client (`"monotonic"`). The latter asks the node of every answer for its height.
   */
  readonly consistency?: C
  /**
   * The quota of the key and of nodes, of `effect-chains/quota`: clients that are given the same one share it. It counts credits, too. By
   * default there is none.
   */
  readonly quota?: Quota
  /** What other processes have found of the nodes, as `health` of `effect-chains/health` makes it of a board. By default there is none. */
  readonly health?: SharedHealth
  /** Sockets of subscriptions. */
  readonly subscriptions?: SocketOptions<Time>
  /** Where log lines go; default the console, or the Effect logger. */
  readonly logger?: LogSink
  /** No log lines at all. */
  readonly quiet?: boolean
  /** Log every request and every decision of the balancer. */
  readonly verbose?: boolean
  /** Extensions to start with the client, and to end with it. */
  readonly configureExtensions?: ReadonlyArray<Extension>
  /** Wallet providers to start with the client, and to end with it. The first that has a `provider` is its wallet. */
  readonly configureWalletProviders?: ReadonlyArray<WalletExtension>
}

/**
 * A configuration after its checks, with every default filled in. Keys are redacted.
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
  /** The environment's url in place of `baseUrl` and its version, for calls that are bound to no version. */
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
  /** The extensions among them that may bring a wallet. */
  readonly walletProviders: ReadonlyArray<WalletExtension>
}

/**
 * A node entry after its checks: no trailing slash, user info moved to a header.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedNode extends Pick<NodeEntry, "weight" | "quota"> {
  readonly url: string
  readonly type: "NORMAL" | "ARCHIVE"
  readonly headers: Readonly<Record<string, string>>
  readonly sendApiKey: boolean
  /** The entry's own place for subscriptions; without it they go where the calls go. */
  readonly socket?: ResolvedServer
  /** The node's other servers, by the options that have their urls. */
  readonly servers?: Readonly<Record<string, ResolvedServer>>
}

/**
 * A url of a node entry after its checks, with the headers of requests to it.
 *
 * @since 0.1.0
 * @category models
 */
export interface ResolvedServer {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * A layer in which equal reads share what it says: a cache is one. Of the configuration it sees what it is in, and the network.
 * `services`, where it has them, is what a request of a service goes by, which is named by its path after the version.
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
 * The configuration of the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class Config extends /*#__PURE__*/ Context.Tag("effect-chains/services/Config")<
  Config,
  ResolvedConfig
>() {}

/**
 * The defaults of batches. Most nodes take a list of 100; many are behind a proxy that refuses bodies of 1 MiB.
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
 * The environment variable that replaces the provider's base url.
 *
 * @since 0.1.0
 * @category constants
 */
export const BASE_URL_VARIABLE = "TATUM_URL"

/**
 * A check of a value. It yields nothing if the value is right, else one sentence about it, or issues of the fields inside it.
 *
 * @since 0.1.0
 * @category operations
 */
export type OptionCheck = (value: unknown, path: string) => string | ReadonlyArray<ConfigIssue> | undefined

/** A check for every option: the compiler asks for that of a new one. */
type OptionChecks<Options> = { readonly [K in keyof NonNullable<Options>]-?: OptionCheck }

/** The check of a switch. */
export const boolean: OptionCheck = (value) =>
  typeof value === "boolean" ? undefined : `must be true or false, not ${kindOf(value)}`

/** The check of a whole number from 0. */
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

/** The check of one of these values. */
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

/** A key goes into a header, which takes visible ASCII only; a sender would refuse others, and repeat them in its error. */
const secret: OptionCheck = (value) => {
  const text = Redacted.isRedacted(value) ? Redacted.value(value) : value
  if (typeof text !== "string") return "must be a string or a Redacted string"
  return /^[\x21-\x7e]*$/.test(text)
    ? undefined
    : "must be visible ASCII characters without spaces or line breaks"
}

/** The longest url: no server takes a longer one. */
const MAX_URL_LENGTH = 8_192

/** The check of a url. The value is not repeated: a text that is no url may still hold a key. */
export const httpUrl: OptionCheck = (value) => {
  if (typeof value !== "string") return `must be a url, not ${kindOf(value)}`
  if (value.length > MAX_URL_LENGTH) return `must be a url of at most ${MAX_URL_LENGTH} characters`
  if (!URL.canParse(value)) return 'must be an absolute url such as "https://node.example"'
  return /^https?:$/.test(new URL(value).protocol) ? undefined : "must be an http or https url"
}

/** The base of paths, with a key beside it: neither query nor user info may be in it. */
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
 * The check of an object with these fields and no others. A field that is not there is right.
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

/** A switch, or an object with its options. */
const booleanOrShape =
  (of: Readonly<Record<string, OptionCheck>>): OptionCheck =>
  (value, path) =>
    isRecord(value)
      ? shape(of)(value, path)
      : typeof value === "boolean"
        ? undefined
        : `must be true, false or an object with ${Object.keys(of).join(", ")}, not ${kindOf(value)}`

/** The check of a list. */
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
  // the option `quota`, which has the rest, looks at it
  quota: () => undefined
} satisfies OptionChecks<NodeEntry>)

/** The sink of log lines needs every level, or it would fail at the first line of the level that it lacks. */
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

/** Extensions may be instances of a class, with members of their own and methods on the prototype. */
const extensionList = (of: Readonly<Record<string, OptionCheck>>): OptionCheck =>
  list((value, path) => {
    if (!isRecord(value)) return [{ path, message: `must be an object, not ${kindOf(value)}` }]
    return Object.entries(of).flatMap(([name, check]): ReadonlyArray<ConfigIssue> => {
      const message = check(Reflect.get(value, name), `${path}.${name}`)
      return typeof message === "string" ? [{ path: `${path}.${name}`, message }] : []
    })
  })

/** An example of a node, for the error about anything else. */
const NODE_EXAMPLE = '{ url: "https://node.example", type: "normal" }'

/** The check of a list of nodes. */
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

/** The options about nodes, which clients of all kinds have. */
const nodeOptionChecks = {
  // a chain id, of which the error says what it stands for
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
 * The checks of the options of a client that has all parts.
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
 * The checks of the options of a client that has nodes, and of the layers between them and its calls those of `layers`.
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

/** Options that have passed their checks: the same ones come with call after call. */
const checkedOptions = new WeakSet<object>()

/**
 * The problems of the options of a call, in words and all at once; undefined where there are none. Equal options are one object
 * on all surfaces, which is checked once. `more` are options of the surface itself.
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

/** A key for one version serves the other too where that one has none. */
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

/** User info as it was meant; a percent sign that stands for itself stays one. */
const decodeUserInfo = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A url without its trailing slashes, and headers with its user info. */
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
 * Reads a node url: without its trailing slashes, its user info as an Authorization header (RFC 7617). Names of headers
 * become lower case, so that none is sent twice.
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

/** A base url may be given with its version. */
const removeApiVersion = (url: string): string => removeTrailingSlashes(url).replace(/\/v[34]$/, "")

/** At most 24 days, which a timer can count: a longer pause would be none at all. */
const clampIntervalMs = (milliseconds: number): number =>
  Number.isFinite(milliseconds) ? Math.min(milliseconds, 2 ** 31 - 1) : milliseconds

/** The options of a part that can be switched off, if it is on. */
const resolveToggle = <A extends object>(given: boolean | Partial<A>, usual: A): A | undefined =>
  given === false ? undefined : { ...usual, ...(given === true ? {} : given) }

const hostOf = (url: string): string => new URL(url).hostname

/**
 * How a configuration is checked against a table of networks, and its defaults filled in.
 *
 * @since 0.1.0
 * @category models
 */
export type ResolveConfig = (
  config: SdkConfig,
  environment?: { readonly baseUrl?: string | undefined }
) => Effect.Effect<ResolvedConfig, InvalidConfig | UnsupportedNetwork>

/**
 * The error of a configuration that is refused for one reason.
 *
 * @since 0.1.0
 * @category errors
 */
export const makeInvalidConfig = (path: string, message: string): InvalidConfig =>
  new InvalidConfig({ issues: [{ path, message }] })

/**
 * A configuration that is refused for one reason.
 *
 * @since 0.1.0
 * @category errors
 */
export const failInvalidConfig = (path: string, message: string): Effect.Effect<never, InvalidConfig> =>
  Effect.fail(makeInvalidConfig(path, message))

/**
 * How the row of a network is found, or why there is none.
 *
 * @since 0.1.0
 * @category models
 */
export type FindNetwork = (network: unknown) => Effect.Effect<NetworkInfo, InvalidConfig | UnsupportedNetwork>

/**
 * Finds rows in a table of networks. Where it has not those of all, `elsewhere` says to which module to turn.
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
 * The error of a network that no client knows.
 *
 * @since 0.1.0
 * @category errors
 */
export const makeUnsupportedNetwork = (network: string, suggestion: string | undefined): UnsupportedNetwork =>
  new UnsupportedNetwork({ network, ...(suggestion === undefined ? {} : { suggestion }) })

/**
 * Checks configurations, by the rows of their networks.
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

/** Leaves out the options that are not set: an absent option and an undefined one are not the same. */
const omitUndefined = <A extends object>(
  fields: A
): { readonly [K in keyof A]?: Exclude<A[K], undefined> } => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  // the type says that undefined is filtered out, which Object.fromEntries cannot express
  return Object.fromEntries(entries) as { readonly [K in keyof A]?: Exclude<A[K], undefined> }
}

/** The defaults of the specification (sections 3 and 9), where they are the same for all clients. */
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
  // nothing would hold the limits of nodes
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
 * Checks a configuration and fills in the defaults. All that is wrong is reported at once, field by field; an unknown
 * network is an error of its own.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolve: ResolveConfig = /*#__PURE__*/ makeResolveConfig(
  /*#__PURE__*/ makeFindNetwork(table),
  /*#__PURE__*/ makeAllOptionChecks(table)
)

/**
 * Whether a url is the provider's own: it has the origin of the base url, or its host is the domain or ends with a dot
 * and the domain, over https. Plain http is for the host of a base url of plain http alone (the sandbox on loopback).
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
 * The url under which the gateway serves nodes of the network (v3), with the key in it, as the provider wants it. Networks with a
 * host of their own at the public provider are there, where the key is in a header.
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
 * Whether the nodes come from the provider's lists: there are none of the user's own, and the network has such lists.
 *
 * @since 0.1.0
 * @category getters
 */
export const usesNodeLists = (config: ResolvedConfig): boolean =>
  config.nodes === undefined && config.info.loadBalanced === true

interface DurationOptions {
  readonly [name: string]: true | DurationOptions
}

/** The options that are times, where they stand. */
const durationOptions: DurationOptions = {
  retryDelay: true,
  timeout: true,
  attemptTimeout: true,
  rpc: { statusCheckInterval: true },
  hedge: { delay: true },
  batch: { window: true },
  subscriptions: { idle: true, timeout: true }
}

/** The times in a value become numbers. */
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
 * The same options, of a client or of calls, with their times in milliseconds. A value that is no duration stays as it is, for
 * the check of the option to say so.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toMilliseconds: {
  <N extends AnyNetwork, C extends Consistency>(
    config: SdkConfig<N, C, Duration.DurationInput>
  ): SdkConfig<N, C>
  (options: CallOptionsShape<QuorumOptions, bigint | number, Duration.DurationInput>): CallOptionsShape
  // times become numbers, and nothing else changes
} = (options: object): never => convertDurations(options, durationOptions) as never

/**
 * Resolves with the environment's base url; by default any network.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveWithEnvironment = <E>(
  config: SdkConfig,
  by: (...args: Parameters<ResolveConfig>) => Effect.Effect<ResolvedConfig, E>
): Effect.Effect<ResolvedConfig, E> =>
  Effect.flatMap(
    Effect.orElseSucceed(EffectConfig.string(BASE_URL_VARIABLE), () => ""),
    // a variable that is set to nothing is not set
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

/** A variable that is set to nothing is not set: `Number("")` would be 0. */
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
 * The part of a configuration that may be printed.
 *
 * @since 0.1.0
 * @category conversions
 */
export const describe = (config: ResolvedConfig): string =>
  `${config.network} over ${config.nodes?.map((entry) => displayUrl(entry.url)).join(", ") ?? displayUrl(config.baseUrl)}`
