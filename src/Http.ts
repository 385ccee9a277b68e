/**
 * The one door to the network: `send` a request, get status and body. Deadlines cover headers and body, redirects are
 * refused, bodies are capped, aborting closes the socket, and no tracing header leaves the process.
 *
 * @since 0.1.0
 */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
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
  readonly body?: string | Uint8Array<ArrayBuffer> | FormData | undefined
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
  new HttpFailure({
    kind: "redirect",
    reason: `a redirect${status === 0 ? "" : ` (HTTP ${status})`}, which is refused`
  })

const isRedirect = (status: number): boolean => status >= 300 && status < 400 && status !== 304

const unreachable = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
])

/** The innermost cause that has a code: fetch wraps what really happened, sometimes twice. */
const root = (error: unknown): { readonly code?: unknown; readonly message: string } => {
  let current = error
  while (current instanceof Error && !("code" in current) && current.cause !== undefined)
    current = current.cause
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

/** A timer holds 31 bits; a longer deadline is none. */
const MAX_DELAY = 2 ** 31 - 1

const deadline = (request: HttpRequest, late: () => void): ReturnType<typeof setTimeout> | undefined =>
  request.timeout > MAX_DELAY ? undefined : setTimeout(late, request.timeout)

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
  const chunks: Array<Uint8Array> = []
  let size = 0
  // a declared length says nothing of what decompression makes of it, and browsers hide that there was any
  const reader = response.body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (next === undefined || next.done) return new Bytes(response.status, header, concat(chunks, size))
    const { value } = next
    size += value.byteLength
    if (size > request.maxBytes) throw tooLarge(request)
    chunks.push(value)
  }
}

/** The content type of a form has its boundary, which whoever encodes it knows. */
const withoutType = (headers: HttpRequest["headers"]): HttpRequest["headers"] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"))

/** A form as bytes, and their content type: not every client can send one. */
const encodeForm = async (form: FormData): Promise<{ readonly bytes: Uint8Array; readonly type: string }> => {
  const encoded = new Response(form)
  return {
    bytes: new Uint8Array(await encoded.arrayBuffer()),
    type: encoded.headers.get("content-type") ?? ""
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
      const timer = deadline(request, () => {
        resume(Effect.fail(timedOut(request)))
        controller.abort()
      })
      const end = (outcome: Effect.Effect<HttpResponse, HttpFailure>): void => {
        clearTimeout(timer)
        resume(outcome)
      }
      const run = async (): Promise<void> => {
        try {
          const response = await fetch(request.url, {
            method: request.method,
            headers: request.body instanceof FormData ? withoutType(request.headers) : request.headers,
            redirect: "manual",
            signal: controller.signal,
            ...(request.body === undefined ? {} : { body: request.body })
          })
          if (response.type === "opaqueredirect" || isRedirect(response.status))
            throw redirected(response.status)
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
export const layerFetch: Layer.Layer<Http> = /*#__PURE__*/ Layer.sync(Http, () => makeFetch())

/** How the errors of platform clients name what happened; the reason `Transport` covers all that broke on the way. */
const fromPlatform = (error: HttpClientError): HttpFailure => failed(error.cause ?? new Error(error.message))

/**
 * Sends through `@effect/platform`'s HttpClient: with its middleware and the user's own client. Tracing headers are
 * switched off, as CORS at public nodes refuses them. Redirects are refused for clients that hand them over; provide
 * `FetchHttpClient.RequestInit` with `redirect: "manual"` or `"error"` for fetch.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPlatform: Layer.Layer<Http, never, HttpClient.HttpClient> = /*#__PURE__*/ Layer.effect(
  Http,
  /*#__PURE__*/ Effect.map(HttpClient.HttpClient, (platform): HttpService => {
    // its spans hold the whole url, in which providers put keys; in a scope, what is not read to its end is closed
    const client = platform.pipe(
      HttpClient.withTracerDisabledWhen(() => true),
      HttpClient.withTracerPropagation(false),
      HttpClient.withScope
    )
    // raw bodies, without a length of their own: Node's fetch refuses the second one once undici 7 has been imported
    const bodyOf = ({ body, headers }: HttpRequest): Effect.Effect<HttpBody.HttpBody> =>
      body === undefined
        ? Effect.succeed(HttpBody.empty)
        : body instanceof FormData
          ? Effect.map(
              Effect.promise(() => encodeForm(body)),
              ({ bytes, type }) => HttpBody.raw(bytes, { contentType: type })
            )
          : Effect.succeed(HttpBody.raw(body, { contentType: headers["content-type"] ?? "application/json" }))
    const exchange = Effect.fnUntraced(function* (request: HttpRequest) {
      const base = HttpClientRequest.make(request.method)(request.url, { headers: request.headers })
      const body = yield* bodyOf(request)
      const response = yield* client
        .execute(body._tag === "Empty" ? base : HttpClientRequest.setBody(base, body))
        .pipe(Effect.mapError(fromPlatform))
      if (isRedirect(response.status)) return yield* redirected(response.status)
      // platform clients make the headers anew whenever they are asked for them
      const { headers } = response
      const header = (name: string): string | undefined => headers[name]
      const length = declared(header)
      if (length !== undefined && length > request.maxBytes) return yield* tooLarge(request)
      const chunks: Array<Uint8Array> = []
      let size = 0
      // pulling costs less than half of what the runners of Stream do
      const pull = yield* Stream.toPull(response.stream)
      const rest: Effect.Effect<void, HttpFailure> = Effect.matchEffect(pull, {
        onSuccess: (pulled) => {
          for (const chunk of pulled) {
            size += chunk.byteLength
            chunks.push(chunk)
          }
          return size > request.maxBytes ? tooLarge(request) : rest
        },
        // an empty body is an error of its own for platform clients, and no error for us
        onFailure: (error) =>
          Option.isNone(error) || error.value.reason === "EmptyBody" ? Effect.void : fromPlatform(error.value)
      })
      yield* rest
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

/** Not a literal in the import: bundles for browsers would fail on the Node modules that it needs. */
const undiciPackage: string = "undici"

/**
 * Sends through undici's connection pool, the fastest way on Node. Needs the package `undici` (7 or later).
 *
 * @since 0.1.0
 * @category layers
 */
export const layerUndici: Layer.Layer<Http> = /*#__PURE__*/ Layer.scoped(
  Http,
  /*#__PURE__*/ Effect.gen(function* () {
    const undici: typeof import("undici") = yield* Effect.promise(
      () => import(/* @vite-ignore */ /* webpackIgnore: true */ undiciPackage)
    )
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new undici.Agent({ headersTimeout: 0, bodyTimeout: 0 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const exchange = async (request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
      const form = request.body instanceof FormData ? await encodeForm(request.body) : undefined
      const reply = await undici.request(request.url, {
        dispatcher: agent,
        method: request.method,
        headers:
          form === undefined
            ? request.headers
            : { ...withoutType(request.headers), "content-type": form.type },
        signal,
        ...(form !== undefined
          ? { body: form.bytes }
          : request.body === undefined || request.body instanceof FormData
            ? {}
            : { body: request.body })
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
          const timer = deadline(request, () => {
            resume(Effect.fail(timedOut(request)))
            controller.abort()
          })
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
