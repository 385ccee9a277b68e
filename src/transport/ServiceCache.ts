/**
 * The cache of services: answers with status 200 to GET requests, if they look like an answer to the request. A write drops all
 * answers that are valid for a limited time.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { CoalesceLayer } from "../config/Config.js"
import { base64Of, bytesOfBase64 } from "../data/base64.js"
import { type HttpRequest, type HttpResponse, monotonic } from "../http/service.js"
import { CallOptions } from "../wire/Transport.js"
import { type Memory, STORE_VERSION, type Store, takeFromStore, toStoreName } from "./Cache.js"

/**
 * How long an answer of a service is valid: `ms` milliseconds, or forever without it. Only what passes `isAnswer` is kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface ServiceValidity {
  readonly ms?: number
  readonly isAnswer: (response: HttpResponse) => boolean
}

/** The largest answer that is kept, in bytes. */
const MAX_BYTES = 1_000_000

/** Encodes an answer as text: its content type and its bytes. */
const packResponse = ({ bytes, header }: HttpResponse): string =>
  `${header("content-type") ?? ""}\n${base64Of(bytes)}`

/** Decodes such a text; undefined for any other text. */
const unpackResponse = (raw: unknown): HttpResponse | undefined => {
  if (typeof raw !== "string") return undefined
  const end = raw.indexOf("\n")
  const type = raw.slice(0, Math.max(0, end))
  try {
    const bytes = bytesOfBase64(raw.slice(end + 1))
    return {
      status: 200,
      header: (name) => (name === "content-type" && type !== "" ? type : undefined),
      bytes,
      get text() {
        return new TextDecoder().decode(bytes)
      }
    }
  } catch {
    return undefined
  }
}

/**
 * Makes the cache of services. The name of an answer is the url of the request, with the network if the answer is valid for a limited time.
 * Answers to urls that contain an API key are not kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeServiceCache = (
  memory: Memory,
  store: Store | undefined,
  validityOf: (path: string) => ServiceValidity | undefined
): NonNullable<CoalesceLayer["services"]> => {
  /** Part of the names of answers that are valid for a limited time. It changes after every write. */
  let writeEpoch = 0

  const readFromStore = (name: string): Effect.Effect<HttpResponse | undefined> =>
    store === undefined
      ? Effect.succeed(undefined)
      : Effect.map(
          takeFromStore(() => store.get(toStoreName(name))),
          (raw) => {
            const found = unpackResponse(raw)
            if (found === undefined) return undefined
            memory.storeHits++
            memory.set(name, String(raw), Number.POSITIVE_INFINITY)
            return found
          }
        )

  return (path, http, { apiKey, network }) => {
    const keys = [apiKey.V3, apiKey.V4].flatMap((key) => (key === undefined ? [] : [Redacted.value(key)]))

    const fetchAndKeep = (request: HttpRequest, name: string, { isAnswer, ms }: ServiceValidity) =>
      Effect.suspend(() => {
        memory.misses++
        return Effect.tap(http.send(request), (response) =>
          Effect.clockWith((clock) =>
            Effect.sync(() => {
              if (response.status !== 200 || response.bytes.length > MAX_BYTES || !isAnswer(response)) return
              const raw = packResponse(response)
              memory.set(name, raw, ms === undefined ? Number.POSITIVE_INFINITY : monotonic(clock) + ms)
              // in the background: an answer that could not be written is fetched again
              if (ms === undefined && store !== undefined)
                void (async () => store.set(toStoreName(name), raw))().catch(() => {})
            })
          )
        )
      })

    return (request) => {
      if (request.method !== "GET")
        return Effect.ensuring(
          http.send(request),
          Effect.sync(() => {
            writeEpoch++
          })
        )
      const holding = validityOf(path)
      const { maxBytes, sink, url } = request
      if (holding === undefined || sink !== undefined || keys.some((key) => url.includes(key)))
        return http.send(request)
      return Effect.flatMap(CallOptions, ({ coalesce }) =>
        Effect.clockWith((clock) => {
          if (coalesce === false) return http.send(request)
          const isForGood = holding.ms === undefined
          const name = `effect-chains ${STORE_VERSION} ${isForGood ? "" : `${writeEpoch} ${network} `}GET ${url}`
          const raw = memory.get(name, monotonic(clock))
          const found = unpackResponse(raw)
          if (found !== undefined) memory.hits++
          return Effect.flatMap(
            found === undefined && isForGood ? readFromStore(name) : Effect.succeed(found),
            (kept) =>
              kept !== undefined && kept.bytes.length <= maxBytes
                ? Effect.succeed(kept)
                : fetchAndKeep(request, name, holding)
          )
        })
      )
    }
  }
}
