/**
 * Resolves configurations: checks them, finds their network, and applies defaults.
 *
 * @since 0.1.0
 */

import * as EffectConfig from "effect/Config"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { claimDefinition, definedRow, networkIdOf } from "../data/definedNetworks.js"
import { type FamilyId, type NetworkInfo, type NetworkTable, table } from "../data/Network.js"
import type { NodeEntry } from "../data/Node.js"
import { InvalidConfig, UnsupportedNetwork } from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import { isRecord } from "../data/untrusted.js"
import type { BatchOptions } from "../wire/Transport.js"
import type {
  ApiKey,
  Environment,
  ProviderOption,
  ResolvedConfig,
  ResolvedNode,
  SdkConfig
} from "./ConfigTypes.js"
import {
  checkEnvironment,
  makeAllOptionChecks,
  type OptionCheck,
  serverUrlChecks,
  shape
} from "./optionChecks.js"

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
 * Where `effect-chains sandbox` listens by default.
 *
 * @since 0.1.0
 * @category constants
 */
export const SANDBOX_URL = "http://127.0.0.1:4100"

/**
 * The environment variable with the provider's base url.
 *
 * @since 0.1.0
 * @category constants
 */
export const BASE_URL_VARIABLE = "TATUM_URL"

/**
 * The environment variable with another provider: `sandbox`, or the url where a provider has everything.
 *
 * @since 0.1.0
 * @category constants
 */
export const PROVIDER_VARIABLE = "EFFECT_CHAINS_PROVIDER"

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

/**
 * Checks a configuration, and fills in defaults.
 *
 * @since 0.1.0
 * @category models
 */
export type ResolveConfig = (
  config: SdkConfig,
  environment?: Environment
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
  (networks: NetworkTable, describeOtherFamily?: (family: FamilyId | undefined) => string): FindNetwork =>
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
          // a provider of the configuration replaces that of the environment
          ...(config.provider === undefined ? checkEnvironment(environment, "") : []),
          ...claimDefinition(config.network, config.rpc?.nodes)
        ]
    if (issues.length > 0) return Effect.fail(new InvalidConfig({ issues }))
    const row = definedRow(config.network)
    return Effect.flatMap(row === undefined ? find(config.network) : Effect.succeed(row), (info) =>
      applyDefaults(config, info, environment)
    )
  }

/** Leaves out undefined options, which would replace defaults. */
export const omitUndefined = <A extends object>(
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

/** The parts of a provider. Those that are not given follow from its base url, and never from another provider's. */
const resolveProvider = (
  provider: ProviderOption | undefined
): Pick<ResolvedConfig, "baseUrl" | "nodeListUrl" | "domain"> => {
  const given: Exclude<ProviderOption, string> =
    provider === undefined
      ? { baseUrl: PUBLIC_API_URL, nodeListUrl: `https://rpc.${PROVIDER_DOMAIN}`, domain: PROVIDER_DOMAIN }
      : typeof provider === "string"
        ? { baseUrl: provider === "sandbox" ? SANDBOX_URL : provider }
        : provider
  const baseUrl = removeApiVersion(given.baseUrl)
  const { domain = new URL(baseUrl).hostname, nodeListUrl = baseUrl } = given
  return { baseUrl, nodeListUrl: removeTrailingSlashes(nodeListUrl), domain: domain.toLowerCase() }
}

const applyDefaults = (
  config: SdkConfig,
  info: NetworkInfo,
  environment: Environment
): Effect.Effect<ResolvedConfig, InvalidConfig> => {
  const {
    apiKey,
    configureExtensions = [],
    configureWalletProviders: walletProviders = [],
    network,
    provider = environment.EFFECT_CHAINS_PROVIDER,
    rpc: { nodes = info.nodes, ...rpc } = {},
    ...options
  } = config
  // without a quota nothing applies the limits of nodes
  if (config.quota === undefined && nodes?.some(({ quota }) => quota))
    return failInvalidConfig("quota", "is missing")
  const isPublic = provider === undefined
  if (info.ownNodes === true && isPublic && nodes === undefined) {
    return failInvalidConfig("rpc.nodes", `is missing: ${network} works with nodes of your own alone`)
  }
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
    ...resolveProvider(provider),
    isMoved: config.provider !== provider,
    baseUrlOverride:
      isPublic && environment.TATUM_URL !== undefined
        ? removeTrailingSlashes(environment.TATUM_URL)
        : undefined,
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

/** Reads a variable of the environment. An empty one counts as unset. */
const readVariable = (name: string): Effect.Effect<string | undefined> =>
  Effect.map(
    Effect.orElseSucceed(EffectConfig.string(name), () => ""),
    (value) => value || undefined
  )

/**
 * Resolves a configuration with the provider of the environment.
 *
 * @since 0.1.0
 * @category getters
 */
export const resolveWithEnvironment = <Config extends SdkConfig, E>(
  config: Config,
  by: (config: Config, environment?: Parameters<ResolveConfig>[1]) => Effect.Effect<ResolvedConfig, E>
): Effect.Effect<ResolvedConfig, E> =>
  Effect.flatMap(
    Effect.forEach([BASE_URL_VARIABLE, PROVIDER_VARIABLE], readVariable),
    ([TATUM_URL, EFFECT_CHAINS_PROVIDER]) => by(config, { TATUM_URL, EFFECT_CHAINS_PROVIDER })
  )
