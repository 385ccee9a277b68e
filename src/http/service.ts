import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { type QuotaExceeded, reasonOf } from "../data/SdkError.js"
import { findCorsRefusal } from "./cors.js"

/**
 * A request. `timeout` (milliseconds) covers connecting, headers and body; `maxBytes` caps the body.
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
  /** `timeout` starts anew with every chunk that is sent or received: of a file, only a standstill is too long. */
  readonly isTimeoutPerChunk?: boolean
  /** Gets the chunks of a successful answer (2xx) in place of `bytes`; the next one is read when it is done with one. */
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
 * When a server wants to be asked again, in milliseconds (RFC 9110, section 10.2.3), or undefined where it does not say.
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
 * No answer. `connect` means that nothing can have reached the other side; after `network` and `timeout` something may
 * have.
 *
 * @since 0.1.0
 * @category errors
 */
export class HttpFailure extends Data.TaggedError("HttpFailure")<{
  readonly kind: "connect" | "network" | "timeout" | "too-large" | "redirect"
  readonly reason: string
  /** Of a redirect that keeps the method: where it leads, as the answer names it; else nothing. */
  readonly location?: string
  /** Of a redirect in a browser, which hides where it leads. */
  readonly isHidden?: true
  /** It was not sent for want of a quota: what the call is to make of that. */
  readonly refusal?: { readonly fault: "elsewhere"; readonly error: QuotaExceeded; readonly unsent: true }
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
  /** It ends requests at their deadline by itself. On the Effect surface clients do so for one that does not say this. */
  readonly keepsDeadlines?: true
}

/**
 * The seam between the SDK and the network.
 *
 * @since 0.1.0
 * @category services
 */
export class Http extends /*#__PURE__*/ Context.Tag("effect-chains/Http")<Http, HttpService>() {}

export const timeoutFailure = (request: HttpRequest): HttpFailure =>
  new HttpFailure({ kind: "timeout", reason: `no answer within ${request.timeout} ms` })

export const tooLargeFailure = (request: HttpRequest): HttpFailure =>
  new HttpFailure({ kind: "too-large", reason: `the answer is larger than ${request.maxBytes} bytes` })

/** Statuses by which a server says that all of a request belongs to another url. */
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

/** The innermost cause that has a code: fetch wraps the real error, sometimes twice. */
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

/** A timer holds 31 bits; a longer deadline is none. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The deadline of a request. Where only a standstill is too long, `touch` moves it; `end` stops it. */
export interface Deadline {
  readonly extend: () => void
  readonly stop: () => void
}

/**
 * Runs after a turn of the event loop, in which what has come is read. A process that was stopped wakes with its timers, when answers that
 * came meanwhile are not read yet: their requests would end as late, and be sent again.
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

/** A body whose chunks are noticed as they leave. */
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

/** Takes the chunks of an answer, as the request says. A slow consumer of chunks is no standstill of the other side. */
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

/** Whether a declared length can be believed: it counts the bytes before decompression. */
const declaredLength = (header: HttpResponse["header"]): number =>
  header("content-encoding") === undefined ? Number(header("content-length")) : 0

/** The body of an answer of fetch, as the request wants it. */
export const readBody = async (
  request: HttpRequest,
  response: Response,
  late: Deadline
): Promise<HttpResponse> => {
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined
  const collector = new BodyCollector(request, response.status, header)
  const { body } = response
  // React Native has no streams: an answer has its bytes there, and no body
  if (body === undefined) await collector.take(new Uint8Array(await response.arrayBuffer()))
  // a declared length says nothing of the size after decompression, and browsers hide that there was any
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

/** The content type of a form has its boundary, which only its encoder knows. */
export const withoutContentType = (headers: HttpRequest["headers"]): HttpRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"))

/** A form as bytes, and their content type: not every client can send one. */
export const encodeForm = async (
  form: FormData
): Promise<{ readonly bytes: Uint8Array; readonly type: string }> => {
  const encoded = new Response(form)
  return {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get("content-type") ?? ""
  }
}

/** Streams need a word to fetch, which its types do not know everywhere. */
const fetchBody = ({ body }: HttpRequest, late: Deadline): RequestInit & { readonly duplex?: "half" } =>
  body === undefined
    ? {}
    : isStream(body)
      ? { body: watchChunks(body, late.extend), duplex: "half" }
      : { body }

/** The origin of a url, if it is another one than the page's: for those, browsers hide why a request has failed. */
const foreignOrigin = (url: string): string => {
  const { location } = globalThis
  if (location === undefined) return ""
  const { origin } = new URL(url, location.href)
  return origin === location.origin ? "" : origin
}

/** A failure waits no longer for its reason (in milliseconds): meanwhile its call does not get to another node. */
const CORS_PROBE_WAIT_MS = 300

/** Why a request to another origin has failed, where that is a refusal by CORS and is known in time. */
const findRefusalInTime = (fetch: typeof globalThis.fetch, origin: string): Promise<string | undefined> =>
  Promise.race([
    findCorsRefusal(fetch, origin),
    new Promise<undefined>((resolve) => setTimeout(resolve, CORS_PROBE_WAIT_MS))
  ])

/**
 * Sends through a `fetch` function, as `effect-chains/promise` does: the smallest way in a bundle.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFetch = (fetch: typeof globalThis.fetch = globalThis.fetch): HttpService => {
  /** Origins whose answers a page has read, and its own, as "". */
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
            // browsers throw this error whenever they keep an answer from a page
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
 * The time in milliseconds on a clock that never jumps: for deadlines and pauses. It has nothing to do with the time of day,
 * which a machine may set anew while calls are in flight.
 *
 * @since 0.1.0
 * @category getters
 */
export const monotonic = (clock: Clock.Clock): number => Number(clock.unsafeCurrentTimeNanos()) / 1e6
