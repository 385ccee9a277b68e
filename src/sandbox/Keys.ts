/**
 * API keys: who may use the provider, at which rate and with which quota.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Network from "../data/Network.js"
import type { HandlerRequest, HandlerResponse } from "./Handler.js"
import { jsonResponse } from "./Loopback.js"
import { SandboxError } from "./SandboxError.js"

/**
 * An API key. `requestsPerSecond` may be a fraction. It is also the size of a burst, which is at least one request.
 * Every accepted request costs one of the `credits`, which are not renewed. Without these options there is no limit.
 * With a `version` the key is valid for that version of the API alone. The key "" stands for requests without a key.
 *
 * @since 0.1.0
 * @category models
 */
export interface ApiKey {
  readonly key: string
  readonly requestsPerSecond?: number
  readonly credits?: number
  readonly version?: "V3" | "V4"
}

/**
 * The keys of the configuration. Without `apiKeys` every key is valid except `invalid`, and requests need no key. With
 * `apiKeys` all other keys are refused, and requests without a key may come five times per second, unless the key "" is
 * in the list.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeysOptions {
  readonly apiKeys?: ReadonlyArray<ApiKey>
}

/**
 * The usage of a key: accepted and refused requests, and the remaining credits if they are limited. Requests with
 * unknown keys count under the key `undefined`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Usage {
  readonly key: string | undefined
  readonly requests: number
  readonly refused: number
  readonly creditsLeft?: number
}

/**
 * The keys. `check` counts a request. It yields the answer of a refusal, or undefined for an accepted request: 401 for
 * an invalid key, 403 without credits, 429 with Retry-After (seconds) for too many requests.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeysService {
  readonly check: (received: HandlerRequest) => Effect.Effect<HandlerResponse | undefined>
  readonly usage: Effect.Effect<ReadonlyArray<Usage>>
}

/**
 * The keys of a sandbox.
 *
 * @since 0.1.0
 * @category services
 */
export class Keys extends Context.Tag("effect-chains/sandbox/Keys")<Keys, KeysService>() {}

/** The quota of requests without a key when the keys are configured. */
const ANONYMOUS_QUOTA: ApiKey = { key: "", requestsPerSecond: 5 }

/** The key that is never valid, with which clients can test a refusal without any option. */
const INVALID = "invalid"

/** The number of keys that are counted one by one when every key is valid. */
const MAX_COUNTED = 1_000

interface KeyAccount {
  readonly quota: ApiKey
  requests: number
  refused: number
  /** The number of requests that may come now, as of `time` (milliseconds). */
  tokens: number
  time: number | undefined
}

const makeAccount = (quota: ApiKey): KeyAccount => ({
  quota,
  requests: 0,
  refused: 0,
  tokens: Math.max(1, quota.requestsPerSecond ?? 1),
  time: undefined
})

/** Networks whose nodes have a single url. In the gateway's path the segment behind the network is then a key. */
const SINGLE_URL_FAMILIES: ReadonlyArray<Network.FamilyId> = [
  ...Network.evmFamilies,
  "utxo",
  "utxo-estimatefee",
  "doge",
  "solana",
  "xrp",
  "rostrum",
  "casper"
]

const GATEWAY_PATH = /^\/v[34]\/blockchain\/node\/([^/?]+)\/([^/?]+)/

/**
 * The key of a request: the header `x-api-key`, or else the segment in the gateway's path
 * (`/v3/blockchain/node/ethereum-mainnet/KEY`), unless that segment may belong to the node's own path. "" for none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const findKey = (
  { headers, path }: Pick<HandlerRequest, "headers" | "path">,
  isKnown: (key: string) => boolean = () => false
): string => {
  const header = headers["x-api-key"]
  if (typeof header === "string" && header !== "") return header
  const [, network = "", segment] = GATEWAY_PATH.exec(path) ?? []
  if (segment === undefined) return ""
  const isKey =
    isKnown(segment) ||
    segment === INVALID ||
    !Network.isNetwork(network) ||
    // paths of the consensus layer begin with `/eth/v1/`
    (SINGLE_URL_FAMILIES.includes(Network.info(network).family) && segment !== "eth")
  return isKey ? segment : ""
}

const apiVersionOf = (path: string): ApiKey["version"] | undefined =>
  path.startsWith("/v3/") ? "V3" : path.startsWith("/v4/") ? "V4" : undefined

const makeRefusal = (statusCode: 401 | 403 | 429, errorCode: string, message: string): HandlerResponse =>
  jsonResponse({ statusCode, errorCode, message }, statusCode)

const makeRateLimitRefusal = (seconds: number, { requestsPerSecond }: ApiKey): HandlerResponse => {
  const answer = makeRefusal(
    429,
    "too.many.requests",
    `The API key may make ${requestsPerSecond} requests per second`
  )
  return {
    ...answer,
    headers: {
      ...answer.headers,
      "retry-after": String(seconds),
      // browsers show a page of another origin only the headers that are named here
      "access-control-expose-headers": "retry-after"
    }
  }
}

/** Charges a request to its key. Yields the refusal of a request above the quota, which is not charged. */
const chargeRequest = (account: KeyAccount, now: number): HandlerResponse | undefined => {
  const { quota } = account
  const { credits, requestsPerSecond: rate } = quota
  if (credits !== undefined && account.requests >= credits)
    return makeRefusal(403, "credit.exhausted", `The ${credits} credits of the API key are used up`)
  if (rate !== undefined) {
    const passed = Math.max(0, now - (account.time ?? now)) / 1_000
    account.tokens = Math.min(Math.max(1, rate), account.tokens + passed * rate)
    account.time = now
    // the tolerance is for the rounding errors of fractions
    if (account.tokens < 1 - 1e-9)
      return makeRateLimitRefusal(Math.max(1, Math.ceil((1 - account.tokens) / rate)), quota)
    account.tokens -= 1
  }
  account.requests++
  return undefined
}

const findProblem = (keys: ReadonlyArray<ApiKey>): string | undefined => {
  const twice = keys.find(({ key }, i) => keys.findIndex((other) => other.key === key) !== i)
  if (twice !== undefined) return `"${twice.key}" stands in apiKeys twice`
  const wrong = keys.find(
    ({ credits = 0, requestsPerSecond = 1 }) =>
      !(
        Number.isFinite(requestsPerSecond) &&
        requestsPerSecond > 0 &&
        Number.isInteger(credits) &&
        credits >= 0
      )
  )
  return wrong === undefined
    ? undefined
    : `"requestsPerSecond" of the key "${wrong.key}" must be above 0, and "credits" a whole number from 0`
}

/**
 * Makes the keys. Fails if a key is named twice or has an invalid quota (`options`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ apiKeys }: KeysOptions = {}): Effect.Effect<KeysService, SandboxError> =>
  Effect.suspend(() => {
    const message = findProblem(apiKeys ?? [])
    if (message !== undefined) return new SandboxError({ reason: "options", message })
    const accounts = new Map<string, KeyAccount>(
      [...(apiKeys === undefined ? [] : [ANONYMOUS_QUOTA]), ...(apiKeys ?? [])].map((quota) => [
        quota.key,
        makeAccount(quota)
      ])
    )
    let unknown = 0

    const accountOf = (key: string): KeyAccount | undefined => {
      const known = accounts.get(key)
      if (known !== undefined || apiKeys !== undefined || key === INVALID) return known
      const account = makeAccount({ key })
      if (accounts.size < MAX_COUNTED) accounts.set(key, account)
      return account
    }

    return Effect.succeed<KeysService>({
      check: (received) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const account = accountOf(findKey(received, (key) => key !== "" && accounts.has(key)))
          const version = apiVersionOf(received.path)
          const { version: only } = account?.quota ?? {}
          if (account === undefined || (only !== undefined && version !== undefined && only !== version)) {
            if (account === undefined) unknown++
            else account.refused++
            return makeRefusal(
              401,
              "subscription.invalid",
              account === undefined ? "The API key is not valid" : `The API key is valid for ${only} only`
            )
          }
          const refused = chargeRequest(account, now)
          if (refused !== undefined) account.refused++
          return refused
        }),
      usage: Effect.sync(() => [
        ...[...accounts.values()].map(({ quota: { credits, key }, refused, requests }) => ({
          key,
          requests,
          refused,
          ...(credits === undefined ? {} : { creditsLeft: credits - requests })
        })),
        ...(unknown === 0 ? [] : [{ key: undefined, requests: 0, refused: unknown }])
      ])
    })
  })

/**
 * The keys as a layer; see `make`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: KeysOptions = {}): Layer.Layer<Keys, SandboxError> =>
  Layer.effect(Keys, make(options))
