/**
 * How long answers of services stay valid, by their paths. Only the cache needs this table, so it is not in the services: every
 * application ships those, and few have a cache.
 *
 * @since 0.1.0
 */
import { isRecord } from "../data/untrusted.js"
import type { HttpResponse } from "../http/service.js"
import type { ServiceValidity } from "../transport/ServiceCache.js"

/** Fees are estimates of the next blocks, in milliseconds. */
const FEES_MS = 3_000

/** The provider takes rates from exchanges, in milliseconds. */
const RATES_MS = 5_000

/**
 * For how long details of tokens are kept, in milliseconds. Names and decimals do not change, but supplies and the creators' texts may.
 */
const TOKENS_MS = 60_000

const jsonIn = ({ text }: HttpResponse): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether an answer is an object with these fields. Error pages, `null` and empty lists are not. */
const hasFields =
  (...fields: ReadonlyArray<string>) =>
  (response: HttpResponse): boolean => {
    const json = jsonIn(response)
    const items: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
    return (
      items.length > 0 &&
      items.every(
        (item) => isRecord(item) && fields.every((field) => item[field] !== undefined && item[field] !== null)
      )
    )
  }

/** Content identifiers of both versions, and a path after them: their content never changes. Names (IPNS) do not match. */
const CID =
  /^ipfs\/(Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,}|B[A-Z2-7]{50,}|f[0-9a-f]{60,}|z[1-9A-HJ-NP-Za-km-z]{45,})(\/|$)/

const lifetimes: ReadonlyArray<readonly [path: RegExp, holding: ServiceValidity]> = [
  [
    /^blockchain\/fee\/[^/]+$/,
    { ms: FEES_MS, isAnswer: hasFields("slow", "medium", "fast", "time", "block") }
  ],
  [/^rate\/[^/]+$/, { ms: RATES_MS, isAnswer: hasFields("value", "basePair") }],
  [/^data\/tokens$/, { ms: TOKENS_MS, isAnswer: hasFields("tokenType") }],
  // the metadata of one token, or tokens with theirs
  [
    /^data\/metadata$/,
    {
      ms: TOKENS_MS,
      isAnswer: (response) =>
        hasFields("name")(response) || hasFields("tokenAddress", "tokenId", "metadata")(response)
    }
  ],
  [CID, { isAnswer: ({ bytes }) => bytes.length > 0 }]
]

/**
 * How long the answer of a path holds (after the version: `rate/BTC`), if it holds at all.
 *
 * @since 0.1.0
 * @category getters
 */
export const lifetimeOf = (path: string): ServiceValidity | undefined =>
  lifetimes.find(([pattern]) => pattern.test(path))?.[1]
