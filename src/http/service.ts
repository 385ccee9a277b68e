import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { type QuotaExceeded, reasonOf } from "../data/SdkError.js"
import { findCorsRefusal } from "./cors.js"

/**
 * A request. `timeout` (milliseconds) covers connecting, headers and body; `maxBytes` is the size limit of the answer's body.
 *
 * @since 0.1.0
 * @category models
 */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData | ReadableStream<Uint8Array> | undefined
  readonly timeout: number
  readonly maxBytes: number
  /** `timeout` is the limit between two chunks, sent or received, instead of the whole request. */
  readonly isTimeoutPerChunk?: boolean
  /** Gets the chunks of a successful answer (2xx) in place of `bytes`. The next chunk is read when the promise has resolved. */
  readonly sink?: (chunk: Uint8Array) => Promise<void>
}

/**
 * A whole answer. Header names are lower case.
 *
 * @since 0.1.0
 * @category models
 */
export interface HttpResponse {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly bytes: Uint8Array
  readonly text: string
}

/**
 * Parses the header `Retry-After` into milliseconds from now (RFC 9110, section 10.2.3); undefined without a valid one.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseRetryAfter = (
  response: Pick<HttpResponse, "header">,
  clock: Clock.Clock
): number | undefined => {
  const header = response.header("retry-after") ?? ""
  const seconds = Number(header)
  const said =
    header === "" || Number.isNaN(seconds)
      ? Date.parse(header) - clock.unsafeCurrentTimeMillis()
      : seconds * 1_000
  return Number.isFinite(said) ? Math.max(0, said) : undefined
}

/**
 * The failure of a request. With `connect` nothing can have reached the server; with `network` and `timeout` something may have.
 *
 * @since 0.1.0
 * @category errors
 */
export class HttpFailure extends Data.TaggedError("HttpFailure")<{
  readonly kind: "connect" | "network" | "timeout" | "too-large" | "redirect"
  readonly reason: string
  /** The target of a redirect that keeps the method, as the server sent it. */
  readonly location?: string
  /** A redirect in a browser, which hides the target. */
  readonly isHidden?: true
  /** The request was not sent because of the quota. */
  readonly rejection?: { readonly fault: "elsewhere"; readonly error: QuotaExceeded; readonly unsent: true }
}> {
  override get message(): string {
    return this.reason
  }
}

/**
 * Sends requests.
 *
 * @since 0.1.0
 * @category models
 */
export interface HttpService {
  readonly send: (request: HttpRequest) => Effect.Effect<HttpResponse, HttpFailure>
  /** The service ends requests at their deadline by itself. Without this flag, clients of the Effect surface do it. */
  readonly keepsDeadlines?: true
}

/**
 * The HTTP client of the SDK. Every request goes through it.
 *
 * @since 0.1.0
 * @category services
 */
export class Http extends /*#__PURE__*/ Context.Tag("effect-chains/Http")<Http, HttpService>() {}

export const timeoutFailure = (request: HttpRequest): HttpFailure =>
  new HttpFailure({ kind: "timeout", reason: `no answer within ${request.timeout} ms` })

export const tooLargeFailure = (request: HttpRequest): HttpFailure =>
  new HttpFailure({ kind: "too-large", reason: `the answer is larger than ${request.maxBytes} bytes` })

/** The statuses of a redirect that keeps the whole request. */
const MOVED_STATUSES = [301, 302, 307, 308]

export const redirectFailure = (status: number, location: string | null | undefined): HttpFailure =>
  new HttpFailure({
    kind: "redirect",
    reason: `a redirect${status === 0 ? "" : ` (HTTP ${status})`}, which is refused`,
    ...(typeof location === "string" && MOVED_STATUSES.includes(status) ? { location } : {}),
    ...(status === 0 ? { isHidden: true } : {})
  })

export const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

const UNREACHABLE_CODES = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
])

/** The innermost cause with a code: fetch wraps the real error, sometimes twice. */
const findRootCause = (error: unknown): { readonly code?: unknown; readonly message: string } => {
  let current = error
  while (current instanceof Error && !("code" in current) && current.cause !== undefined)
    current = current.cause
  return current instanceof AggregateError && current.errors[0] instanceof Error
    ? current.errors[0]
    : current instanceof Error
      ? current
      : { message: reasonOf(current) }
}

export const toHttpFailure = (error: unknown): HttpFailure => {
  if (error instanceof HttpFailure) return error
  const { code, message } = findRootCause(error)
  return new HttpFailure({
    kind: typeof code === "string" && UNREACHABLE_CODES.has(code) ? "connect" : "network",
    reason: message || String(code ?? "the connection failed")
  })
}

/** Timers have 31 bits. A request with a longer timeout has no deadline. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The deadline of a request. `extend` restarts it if `timeout` is per chunk; `stop` ends it. */
export interface Deadline {
  readonly extend: () => void
  readonly stop: () => void
}

/**
 * Runs after the next turn of the event loop. When a suspended process wakes, its timers fire before the answers that have come meanwhile are
 * read; without this turn, their requests would time out and be sent again.
 */
export const afterTurn = (run: () => void): ReturnType<typeof setTimeout> => setTimeout(run, 1)

export const startDeadline = (request: HttpRequest, late: () => void): Deadline => {
  const ring = (): void => {
    timer = afterTurn(late)
  }
  const start = () => (request.timeout > MAX_TIMER_MS ? undefined : setTimeout(ring, request.timeout))
  let timer = start()
  const stop = (): void => clearTimeout(timer)
  return {
    stop,
    extend: () => {
      if (request.isTimeoutPerChunk) {
        stop()
        timer = start()
      }
    }
  }
}

export const isStream = (body: HttpRequest["body"]): body is ReadableStream<Uint8Array> =>
  typeof ReadableStream === "function" && body instanceof ReadableStream

/** Calls `touch` for every chunk of a body that is sent. */
export const watchChunks = (
  body: ReadableStream<Uint8Array>,
  touch: () => void
): ReadableStream<Uint8Array> =>
  body.pipeThrough(
    new TransformStream({
      transform: (chunk, controller) => {
        touch()
        controller.enqueue(chunk)
      }
    })
  )

/** Collects the chunks of an answer, or passes them to the request's `sink`. */
export class BodyCollector {
  private readonly chunks: Array<Uint8Array> = []
  private size = 0
  constructor(
    readonly request: HttpRequest,
    readonly status: number,
    readonly header: HttpResponse["header"]
  ) {
    if (declaredLength(header) > request.maxBytes) throw tooLargeFailure(request)
  }
  take(chunk: Uint8Array): Promise<void> | undefined {
    const { maxBytes, sink } = this.request
    this.size += chunk.byteLength
    if (this.size > maxBytes) throw tooLargeFailure(this.request)
    if (sink !== undefined && this.status >= 200 && this.status < 300) return sink(chunk)
    this.chunks.push(chunk)
    return undefined
  }
  toResponse(): HttpResponse {
    return new BytesResponse(this.status, this.header, concat(this.chunks, this.chunks.length && this.size))
  }
}

const decoder = new TextDecoder()

export class BytesResponse implements HttpResponse {
  constructor(
    readonly status: number,
    readonly header: HttpResponse["header"],
    readonly bytes: Uint8Array
  ) {}
  get text(): string {
    return decoder.decode(this.bytes)
  }
}

const concat = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0]
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.byteLength
  }
  return all
}

/** The declared length of the body; 0 for a compressed one, whose length is that before decompression. */
const declaredLength = (header: HttpResponse["header"]): number =>
  header("content-encoding") === undefined ? Number(header("content-length")) : 0

/** Reads the body of a response of fetch. */
export const readBody = async (
  request: HttpRequest,
  response: Response,
  late: Deadline
): Promise<HttpResponse> => {
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined
  const collector = new BodyCollector(request, response.status, header)
  const { body } = response
  // React Native has no streams: `body` is undefined there
  if (body === undefined) await collector.take(new Uint8Array(await response.arrayBuffer()))
  // count the bytes while reading: the declared length may be that before decompression, which browsers hide
  const reader = body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (next?.done !== false) return collector.toResponse()
    const taken = collector.take(next.value)
    if (taken !== undefined) {
      late.stop()
      await taken
    }
    late.extend()
  }
}

/** Removes the content type: that of a form contains a boundary, which the encoder sets. */
export const withoutContentType = (headers: HttpRequest["headers"]): HttpRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"))

/** Encodes a form, for clients that cannot send one. */
export const encodeForm = async (
  form: FormData
): Promise<{ readonly bytes: Uint8Array; readonly type: string }> => {
  const encoded = new Response(form)
  return {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get("content-type") ?? ""
  }
}

/** The body options of fetch. A stream needs `duplex`, which some types of fetch lack. */
const fetchBody = ({ body }: HttpRequest, late: Deadline): RequestInit & { readonly duplex?: "half" } =>
  body === undefined
    ? {}
    : isStream(body)
      ? { body: watchChunks(body, late.extend), duplex: "half" }
      : { body }

/** The origin of a url; "" for the page's own. For other origins, browsers hide why a request has failed. */
const foreignOrigin = (url: string): string => {
  const { location } = globalThis
  if (location === undefined) return ""
  const { origin } = new URL(url, location.href)
  return origin === location.origin ? "" : origin
}

/** How long a failure waits for the CORS probe, in milliseconds: its call cannot go to another node meanwhile. */
const CORS_PROBE_WAIT_MS = 300

/** The reason if a request has failed because of CORS and the probe ends in time, else undefined. */
const findRefusalInTime = (fetch: typeof globalThis.fetch, origin: string): Promise<string | undefined> =>
  Promise.race([
    findCorsRefusal(fetch, origin),
    new Promise<undefined>((resolve) => setTimeout(resolve, CORS_PROBE_WAIT_MS))
  ])

/**
 * Makes a client over a `fetch` function: the smallest one in a bundle, and the default of `effect-chains/promise`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFetch = (fetch: OnThisEffect<typeof globalThis.fetch> = globalThis.fetch): HttpService => {
  /** The origins whose answers the page could read; "" is its own. */
  const read = new Set([""])
  return {
    send: (request) =>
      Effect.async<HttpResponse, HttpFailure>((resume) => {
        const controller = new AbortController()
        const late = startDeadline(request, () => {
          resume(Effect.fail(timeoutFailure(request)))
          controller.abort()
        })
        const end = (outcome: Effect.Effect<HttpResponse, HttpFailure>): void => {
          late.stop()
          resume(outcome)
        }
        const run = async (): Promise<void> => {
          let origin = ""
          try {
            origin = foreignOrigin(request.url)
            const response = await fetch(request.url, {
              method: request.method,
              headers:
                request.body instanceof FormData ? withoutContentType(request.headers) : request.headers,
              redirect: "manual",
              signal: controller.signal,
              ...fetchBody(request, late)
            })
            read.add(origin)
            if (response.type === "opaqueredirect" || isRedirect(response.status))
              throw redirectFailure(response.status, response.headers.get("location"))
            end(Effect.succeed(await readBody(request, response, late)))
          } catch (error) {
            // browsers throw a TypeError when they hide an answer from a page
            const isHidden = error instanceof TypeError && !read.has(origin)
            end(
              Effect.fail(
                toHttpFailure((isHidden ? await findRefusalInTime(fetch, origin) : undefined) ?? error)
              )
            )
            controller.abort()
          }
        }
        void run()
        return Effect.sync(() => {
          late.stop()
          controller.abort()
        })
      })
  }
}

/**
 * The time in milliseconds on the monotonic clock, for deadlines and pauses. Unlike the time of day it never jumps.
 *
 * @since 0.1.0
 * @category getters
 */
export const monotonic = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6
