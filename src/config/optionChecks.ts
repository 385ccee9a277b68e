/**
 * Checks of options. Each option of a client and of a call has one.
 *
 * @since 0.1.0
 */

import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { NetworkTable } from "../data/Network.js"
import type { NodeEntry, ServerUrls } from "../data/Node.js"
import { findNearest } from "../data/nearest.js"
import { type ConfigIssue, kindOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { CallOptionsShape } from "../wire/Transport.js"
import type { Environment, SdkConfig } from "./ConfigTypes.js"

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

/** The page of the public provider that gives keys. */
export const SIGNUP_URL = "https://co.tatum.io/signup"

/** What no key has: a name of keys, or the signs of a template. */
const PLACEHOLDER = /your.{0,20}key|^(my.?)?api.?key$|[<>[\]{}…]|\.\.\./i

/**
 * A key is sent in a header, so it must be visible ASCII. `fetch` would refuse others, and repeat them in its error.
 * Keys are random: text that names a key, is a template, or repeats one or two characters stands in place of one.
 */
const secret: OptionCheck = (value) => {
  const text = Redacted.isRedacted(value) ? Redacted.value(value) : value
  if (typeof text !== "string") return "must be a string or a Redacted string"
  if (PLACEHOLDER.test(text) || (text.length > 2 && new Set(text).size < 3))
    return `is a placeholder: get a key at ${SIGNUP_URL}, or leave it out: the sandbox and many networks need none`
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
export const providerUrl: OptionCheck = (value, path) => {
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

/** What a check has found, as issues. */
export const toIssues = (found: ReturnType<OptionCheck>, path: string): ReadonlyArray<ConfigIssue> =>
  found === undefined ? [] : typeof found === "string" ? [{ path, message: found }] : found

/** Checks a list of what one check holds for. */
export const listOf = (check: OptionCheck): OptionCheck =>
  list((value, path) => toIssues(check(value, path), path))

/** Checks an object with required and optional fields. */
export const shapeWithRequired =
  (
    required: Readonly<Record<string, OptionCheck>>,
    optional: Readonly<Record<string, OptionCheck>> = {}
  ): OptionCheck =>
  (value, path) => {
    const found = shape({ ...required, ...optional })(value, path)
    return isRecord(value)
      ? [
          ...Object.keys(required).flatMap((field) =>
            value[field] === undefined
              ? [{ path: path === "" ? field : `${path}.${field}`, message: "is missing" }]
              : []
          ),
          ...found
        ]
      : found
  }

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

export const serverUrlChecks = {
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

/** Checks an object of which this field is required. Errors have the example. */
const shapeWith =
  (required: string, example: string, check: ReturnType<typeof shape>): ReturnType<typeof shape> =>
  (value, path) =>
    !isRecord(value)
      ? [{ path, message: `must be ${example}, not ${kindOf(value)}` }]
      : value[required] === undefined
        ? [{ path: `${path}.${required}`, message: `is missing: give ${example}` }, ...check(value, path)]
        : check(value, path)

/** Checks a list of nodes. */
export const nodeList: OptionCheck = list(
  shapeWith("url", '{ url: "https://node.example", type: "normal" }', nodeEntry)
)

/** `baseUrl` is required: without it, the other urls would be another provider's than the public one, which gets calls. */
const providerParts = shapeWith(
  "baseUrl",
  '"sandbox", a url or { baseUrl, nodeListUrl, domain }',
  shape({
    baseUrl: providerUrl,
    nodeListUrl: providerUrl,
    domain: (value) =>
      typeof value === "string" && /^[a-z0-9.-]+$/i.test(value)
        ? undefined
        : 'must be a host name such as "example.com"'
  })
)

/** Checks the provider of a configuration, or that of the environment. */
const provider: OptionCheck = (value, path) => {
  if (typeof value !== "string") return providerParts(value, path)
  const problem = value === "sandbox" ? undefined : providerUrl(value, path)
  return problem && `is not "sandbox", and ${problem}`
}

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
  provider,
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

/** Checks the variables of the environment. */
export const checkEnvironment = /*#__PURE__*/ shape({
  TATUM_URL: providerUrl,
  EFFECT_CHAINS_PROVIDER: provider
} satisfies OptionChecks<Environment>)

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
