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

/** An answer to keep: its name, and for how many milliseconds it is valid (forever if `ms` is undefined). */
interface KeptResponse {
  readonly name: string
  readonly ms: number | undefined
  readonly now: number
  readonly response: HttpResponse
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

/** Reads an answer from the store, and keeps it in memory. */
const readFromStore = (memory: Memory, store: Store, name: string): Effect.Effect<HttpResponse | undefined> =>
  Effect.map(
    takeFromStore(() => store.get(toStoreName(name))),
    (raw) => {
      const found = unpackResponse(raw)
      if (found === undefined) return undefined
      memory.storeHits++
      memory.set(name, String(raw), Number.POSITIVE_INFINITY)
      return found
    }
  )

/** Keeps an answer in memory, and in the store if it is valid forever. */
const keepResponse = (
  memory: Memory,
  store: Store | undefined,
  { ms, name, now, response }: KeptResponse
): void => {
  const raw = packResponse(response)
  memory.set(name, raw, ms === undefined ? Number.POSITIVE_INFINITY : now + ms)
  // in the background: an answer that could not be written is fetched again
  if (ms === undefined && store !== undefined)
    void (async () => store.set(toStoreName(name), raw))().catch(() => {})
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

  return (path, http, { apiKey, network }) => {
    const keys = [apiKey.V3, apiKey.V4].flatMap((key) => (key === undefined ? [] : [Redacted.value(key)]))

    const fetchAndKeep = (request: HttpRequest, name: string, { isAnswer, ms }: ServiceValidity) =>
      Effect.suspend(() => {
        memory.misses++
        return Effect.tap(http.send(request), (response) =>
          Effect.clockWith((clock) =>
            Effect.sync(() => {
              if (response.status !== 200 || response.bytes.length > MAX_BYTES || !isAnswer(response)) return
              keepResponse(memory, store, { ms, name, now: monotonic(clock), response })
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
      const validity = validityOf(path)
      const { maxBytes, sink, url } = request
      if (validity === undefined || sink !== undefined || keys.some((key) => url.includes(key)))
        return http.send(request)
      return Effect.flatMap(CallOptions, ({ coalesce }) =>
        Effect.clockWith((clock) => {
          if (coalesce === false) return http.send(request)
          const isForever = validity.ms === undefined
          const name = `effect-chains ${STORE_VERSION} ${isForever ? "" : `${writeEpoch} ${network} `}GET ${url}`
          const raw = memory.get(name, monotonic(clock))
          const found = unpackResponse(raw)
          if (found !== undefined) memory.hits++
          return Effect.flatMap(
            found === undefined && isForever && store !== undefined
              ? readFromStore(memory, store, name)
              : Effect.succeed(found),
            (kept) =>
              kept !== undefined && kept.bytes.length <= maxBytes
                ? Effect.succeed(kept)
                : fetchAndKeep(request, name, validity)
          )
        })
      )
    }
  }
}
