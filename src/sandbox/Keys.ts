/**
 * API keys: access to the provider, with rates and quotas.
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
 * A key. `requestsPerSecond` may be a fraction; so many requests may come at once (one, if it is less), and more as time
 * goes by. Every request that is let through costs one of its `credits`, which do not come back. Without either it has no
 * limit. With a `version` it is good for that version of the API alone. The key "" is that of requests without one.
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
 * The keys of the configuration. Without `apiKeys` any key is good, and none is too, but for `invalid`. With them all others are
 * refused, and requests without a key are let through five times per second, unless the key "" is among them.
 *
 * @since 0.1.0
 * @category models
 */
export interface KeysOptions {
  readonly apiKeys?: ReadonlyArray<ApiKey>
}

/**
 * The record of a key: requests that were let through and that were refused, and the credits that are left, if they are
 * counted. Requests with unknown keys count under the key `undefined`.
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
 * The keys. `check` counts a request and yields the answer that refuses it, or undefined where it may go on: 401 for a key
 * that is not good, 403 without credits, 429 with Retry-After (seconds) for requests that come too fast.
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

/** The quota of requests without a key where keys count. */
const ANONYMOUS_QUOTA: ApiKey = { key: "", requestsPerSecond: 5 }

/** The key that is never good, so that clients can be tested without any option. */
const INVALID = "invalid"

/** Keys that are counted one by one where any is good. */
const MAX_COUNTED = 1_000

interface KeyAccount {
  readonly quota: ApiKey
  requests: number
  refused: number
  /** Requests that may come now, as of `time` (milliseconds). */
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

/** The networks whose nodes have one url for everything: the segment behind them in the gateway's path is a key. */
const SINGLE_URL_FAMILIES: ReadonlyArray<Network.Family> = [
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
 * The key of a request: that of the header `x-api-key`, or else the one in the gateway's path
 * (`/v3/blockchain/node/ethereum-mainnet/KEY`), where the path of the node itself cannot stand in its place. Without any it
 * is "".
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
    // where there is a consensus layer, its paths begin with `/eth/v1/`
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
      // Pages see the header of another origin only where it is named.
      "access-control-expose-headers": "retry-after"
    }
  }
}

/** The answer to a request that is one too many for its key; a request that is not is counted. */
const chargeRequest = (account: KeyAccount, now: number): HandlerResponse | undefined => {
  const { quota } = account
  const { credits, requestsPerSecond: rate } = quota
  if (credits !== undefined && account.requests >= credits)
    return makeRefusal(403, "credit.exhausted", `The ${credits} credits of the API key are used up`)
  if (rate !== undefined) {
    const passed = Math.max(0, now - (account.time ?? now)) / 1_000
    account.tokens = Math.min(Math.max(1, rate), account.tokens + passed * rate)
    account.time = now
    // Sums of fractions lose their last digits.
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
 * Makes the keys. Fails if a key is named twice or has a quota that is none (`options`).
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
              account === undefined ? "The API key is not valid" : `The API key is one for ${only}`
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
