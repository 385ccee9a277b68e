/**
 * The one door to the network: `send` a request, get status and body. Deadlines cover headers and body, redirects are
 * refused, bodies are capped, aborting closes the socket, and no tracing header leaves the process.
 *
 * @since 0.1.0
 */
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

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
  readonly body?: string | FormData | undefined
  readonly timeout: number
  readonly maxBytes: number
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
 * No answer. `connect` means that nothing can have reached the other side; after `network` and `timeout` something may
 * have.
 *
 * @since 0.1.0
 * @category errors
 */
export class HttpFailure extends Data.TaggedError("HttpFailure")<{
  readonly kind: "connect" | "network" | "timeout" | "too-large" | "redirect"
  readonly reason: string
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
}

/**
 * The seam between the SDK and the network.
 *
 * @since 0.1.0
 * @category services
 */
export class Http extends Context.Tag("effect-chains/Http")<Http, HttpService>() {}

const timedOut = (request: HttpRequest): HttpFailure =>
  new HttpFailure({ kind: "timeout", reason: `no answer within ${request.timeout} ms` })

const tooLarge = (request: HttpRequest): HttpFailure =>
  new HttpFailure({ kind: "too-large", reason: `the answer is larger than ${request.maxBytes} bytes` })

const redirected = (status: number): HttpFailure =>
  new HttpFailure({ kind: "redirect", reason: `a redirect${status === 0 ? "" : ` (HTTP ${status})`}, which is refused` })

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

const unreachable = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"])

/** The innermost cause that has a code: fetch wraps what really happened, sometimes twice. */
const root = (error: unknown): { readonly code?: unknown; readonly message: string } => {
  let current = error
  while (current instanceof Error && !("code" in current) && current.cause !== undefined) current = current.cause
  return current instanceof AggregateError && current.errors[0] instanceof Error
    ? current.errors[0]
    : current instanceof Error
      ? current
      : { message: String(current) }
}

const failed = (error: unknown): HttpFailure => {
  if (error instanceof HttpFailure) return error
  const { code, message } = root(error)
  return new HttpFailure({
    kind: typeof code === "string" && unreachable.has(code) ? "connect" : "network",
    reason: message === "" ? String(code ?? "the connection failed") : message
  })
}

const decoder = new TextDecoder()

class Bytes implements HttpResponse {
  constructor(
    readonly status: number,
    readonly header: HttpResponse["header"],
    readonly bytes: Uint8Array
  ) {}
  get text(): string {
    return decoder.decode(this.bytes)
  }
}

/** An answer whose body was read as text: the bytes are made only for those who ask. */
class Text implements HttpResponse {
  constructor(
    readonly status: number,
    readonly header: HttpResponse["header"],
    readonly text: string
  ) {}
  get bytes(): Uint8Array {
    return new TextEncoder().encode(this.text)
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
const declared = (header: HttpResponse["header"]): number | undefined => {
  const length = header("content-length")
  return length === undefined || header("content-encoding") !== undefined ? undefined : Number(length)
}

const readBody = async (request: HttpRequest, response: Response): Promise<HttpResponse> => {
  const header = (name: string): string | undefined => response.headers.get(name) ?? undefined
  const length = declared(header)
  if (length !== undefined && length > request.maxBytes) throw tooLarge(request)
  const textual = /json|text/.test(header("content-type") ?? "json")
  if (response.body === null || length !== undefined) {
    return textual
      ? new Text(response.status, header, await response.text())
      : new Bytes(response.status, header, new Uint8Array(await response.arrayBuffer()))
  }
  const chunks: Array<Uint8Array> = []
  let size = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Bytes(response.status, header, concat(chunks, size))
    size += value.byteLength
    if (size > request.maxBytes) throw tooLarge(request)
    chunks.push(value)
  }
}

/**
 * Sends through a `fetch` function: what `effect-chains/promise` uses, and the smallest in a bundle.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFetch = (fetch: typeof globalThis.fetch = globalThis.fetch): HttpService => ({
  send: (request) =>
    Effect.async<HttpResponse, HttpFailure>((resume) => {
      const controller = new AbortController()
      const timer = setTimeout(() => {
        resume(Effect.fail(timedOut(request)))
        controller.abort()
      }, request.timeout)
      const end = (outcome: Effect.Effect<HttpResponse, HttpFailure>): void => {
        clearTimeout(timer)
        resume(outcome)
      }
      const run = async (): Promise<void> => {
        try {
          const response = await fetch(request.url, {
            method: request.method,
            headers: request.headers,
            redirect: "manual",
            signal: controller.signal,
            ...(request.body === undefined ? {} : { body: request.body })
          })
          if (response.type === "opaqueredirect" || isRedirect(response.status)) throw redirected(response.status)
          end(Effect.succeed(await readBody(request, response)))
        } catch (error) {
          end(Effect.fail(failed(error)))
          controller.abort()
        }
      }
      void run()
      return Effect.sync(() => {
        clearTimeout(timer)
        controller.abort()
      })
    })
})

/**
 * {@link makeFetch} with the global `fetch`, as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFetch: Layer.Layer<Http> = Layer.sync(Http, () => makeFetch())

/** How the errors of platform clients name what happened; the reason `Transport` covers all that broke on the way. */
const fromPlatform = (error: HttpClientError): HttpFailure =>
  failed(error.cause ?? new Error(error.message))

/**
 * Sends through `@effect/platform`'s HttpClient: with its middleware and the user's own client. Tracing headers are
 * switched off, as CORS at public nodes refuses them. Redirects are refused for clients that hand them over; provide
 * `FetchHttpClient.RequestInit` with `redirect: "manual"` or `"error"` for fetch.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPlatform: Layer.Layer<Http, never, HttpClient.HttpClient> = Layer.effect(
  Http,
  Effect.map(HttpClient.HttpClient, (platform): HttpService => {
    const client = platform.pipe(HttpClient.withTracerPropagation(false))
    const exchange = Effect.fnUntraced(function* (request: HttpRequest) {
      const base = HttpClientRequest.make(request.method)(request.url, { headers: request.headers })
      const { body } = request
      const response = yield* client
        .execute(
          body === undefined
            ? base
            : typeof body === "string"
              ? HttpClientRequest.bodyText(body, request.headers["content-type"] ?? "application/json")(base)
              : HttpClientRequest.bodyFormData(body)(base)
        )
        .pipe(Effect.mapError(fromPlatform))
      if (isRedirect(response.status)) return yield* redirected(response.status)
      const header = (name: string): string | undefined => response.headers[name]
      const length = declared(header)
      if (length !== undefined && length > request.maxBytes) return yield* tooLarge(request)
      if (length !== undefined) {
        const bytes = yield* Effect.mapError(response.arrayBuffer, fromPlatform)
        return new Bytes(response.status, header, new Uint8Array(bytes))
      }
      const chunks: Array<Uint8Array> = []
      let size = 0
      yield* Stream.runForEach(Stream.mapError(response.stream, fromPlatform), (chunk) => {
        size += chunk.byteLength
        chunks.push(chunk)
        return size > request.maxBytes ? tooLarge(request) : Effect.void
      }).pipe(
        // an empty body is an error of its own for platform clients, and no error for us
        Effect.catchIf((failure) => /empty/i.test(failure.reason), () => Effect.void)
      )
      return new Bytes(response.status, header, concat(chunks, size))
    })
    return {
      send: (request) =>
        Effect.scoped(exchange(request)).pipe(
          Effect.timeoutFail({ duration: request.timeout, onTimeout: () => timedOut(request) })
        )
    }
  })
)

/**
 * Sends through undici's connection pool, the fastest way on Node. Needs the package `undici` (7 or later).
 *
 * @since 0.1.0
 * @category layers
 */
export const layerUndici: Layer.Layer<Http> = Layer.scoped(
  Http,
  Effect.gen(function* () {
    const undici = yield* Effect.promise(() => import("undici"))
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new undici.Agent({ headersTimeout: 0, bodyTimeout: 0 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const exchange = async (request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
      const form = request.body instanceof FormData ? new Response(request.body) : undefined
      const reply = await undici.request(request.url, {
        dispatcher: agent,
        method: request.method,
        headers: { ...request.headers, ...Object.fromEntries(form?.headers ?? []) },
        signal,
        ...(form !== undefined
          ? { body: new Uint8Array(await form.arrayBuffer()) }
          : typeof request.body === "string"
            ? { body: request.body }
            : {})
      })
      const header = (name: string): string | undefined => {
        const value = reply.headers[name]
        return Array.isArray(value) ? value.join(", ") : value
      }
      if (isRedirect(reply.statusCode)) throw redirected(reply.statusCode)
      const length = declared(header)
      if (length !== undefined && length > request.maxBytes) throw tooLarge(request)
      const chunks: Array<Uint8Array> = []
      let size = 0
      for await (const chunk of reply.body) {
        const bytes: Uint8Array = chunk
        size += bytes.byteLength
        if (size > request.maxBytes) throw tooLarge(request)
        chunks.push(bytes)
      }
      return new Bytes(reply.statusCode, header, concat(chunks, size))
    }
    return {
      send: (request) =>
        Effect.async<HttpResponse, HttpFailure>((resume) => {
          const controller = new AbortController()
          const timer = setTimeout(() => {
            resume(Effect.fail(timedOut(request)))
            controller.abort()
          }, request.timeout)
          exchange(request, controller.signal).then(
            (response) => {
              clearTimeout(timer)
              resume(Effect.succeed(response))
            },
            (error: unknown) => {
              clearTimeout(timer)
              resume(Effect.fail(failed(error)))
              controller.abort()
            }
          )
          return Effect.sync(() => {
            clearTimeout(timer)
            controller.abort()
          })
        })
    }
  })
)
