/**
 * The HTTP clients of the SDK, as layers of `Http`. Deadlines cover headers and body, redirects are refused, bodies have a size limit,
 * interruption closes the socket, and no tracing headers are sent.
 *
 * @since 0.1.0
 */
import type { Readable as NodeReadable } from "node:stream"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Dispatcher } from "undici"
import { isEmptyBody, platformFailure } from "./platformFailure.js"
import {
  BodyCollector,
  type Deadline,
  encodeForm,
  Http,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  isRedirect,
  isStream,
  makeFetch,
  readBody,
  redirectFailure,
  startDeadline,
  timeoutFailure,
  toHttpFailure,
  watchChunks,
  withoutContentType
} from "./service.js"

export {
  Http,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  makeFetch
} from "./service.js"

/** A deadline that is never extended. */
const fixedDeadline: Deadline = { extend: () => {}, stop: () => {} }

/**
 * Runs an effect with the deadline of a request. It takes one fiber and a timer: a race or Effect's timeout take a second fiber, which costs a
 * fifth of the time of a call.
 */
const withDeadline = <A>(
  request: HttpRequest,
  run: (late: Deadline) => Effect.Effect<A, HttpFailure>
): Effect.Effect<A, HttpFailure> =>
  Effect.suspend(() => {
    let late = fixedDeadline
    return Effect.flatMap(
      Effect.fork(run({ extend: () => late.extend(), stop: () => late.stop() })),
      (fiber) =>
        Effect.async<A, HttpFailure>((resume) => {
          late = startDeadline(request, () => {
            // not awaited: releasing the resources may take long
            Effect.runFork(Fiber.interrupt(fiber))
            resume(timeoutFailure(request))
          })
          fiber.addObserver((exit) => {
            late.stop()
            resume(exit)
          })
          return Effect.zipRight(Effect.sync(late.stop), Fiber.interrupt(fiber))
        })
    )
  })

/**
 * Runs an exchange with a scope that is closed only if it fails. After a complete answer there is nothing to abort, and an abort costs as much
 * as a request.
 */
const closeUnlessRead = <A, E>(exchange: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.onError(Scope.extend(exchange, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
  )

/** Runs a step of a collector, which throws to refuse an answer. */
const tryCollect = <A>(run: () => A): Effect.Effect<A, HttpFailure> =>
  Effect.try({ try: run, catch: toHttpFailure })

/** Reads the body of an answer. A pull costs less than half as much as the runners of Stream. */
const readStream = (
  request: HttpRequest,
  response: HttpClientResponse,
  late: Deadline
): Effect.Effect<HttpResponse, HttpFailure, Scope.Scope> =>
  Effect.gen(function* () {
    // platform clients compute the headers on each access
    const { headers } = response
    const header = (name: string): string | undefined => headers[name]
    const collector = yield* tryCollect(() => new BodyCollector(request, response.status, header))
    const pull = yield* Stream.toPull(response.stream)
    const take = (chunks: Iterable<Uint8Array>): Effect.Effect<void, HttpFailure> =>
      request.sink === undefined
        ? tryCollect(() => {
            for (const chunk of chunks) void collector.take(chunk)
          })
        : Effect.tryPromise({
            try: async () => {
              late.stop()
              for (const chunk of chunks) await collector.take(chunk)
            },
            catch: toHttpFailure
          })
    const rest: Effect.Effect<void, HttpFailure> = Effect.matchEffect(pull, {
      onSuccess: (chunks) =>
        Effect.flatMap(take(chunks), () => {
          late.extend()
          return rest
        }),
      onFailure: (error) =>
        Option.isNone(error) || isEmptyBody(error.value)
          ? Effect.void
          : Effect.fail(platformFailure(error.value))
    })
    yield* rest
    return collector.toResponse()
  })

/**
 * Sends through the program's own `HttpClient` of `@effect/platform`, middleware included. Tracing headers are off, since public nodes refuse
 * them by CORS. Redirects are refused if the client passes them on; for fetch, provide `FetchHttpClient.RequestInit` with
 * `redirect: "manual"` or `"error"`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPlatform: Layer.Layer<Http, never, HttpClient.HttpClient> = /*#__PURE__*/ Layer.effect(
  Http,
  /*#__PURE__*/ Effect.map(HttpClient.HttpClient, (platform): HttpService => {
    // the client's spans contain the whole url, with the key that a provider may put there; the scope closes an incomplete answer
    const client = platform.pipe(
      HttpClient.withTracerDisabledWhen(() => true),
      HttpClient.withTracerPropagation(false),
      HttpClient.withScope
    )
    // raw bodies without a content-length: Node's fetch refuses a second one once undici 7 has been imported
    const bodyOf = ({ body, headers }: HttpRequest, late: Deadline): Effect.Effect<HttpBody.HttpBody> =>
      body === undefined
        ? Effect.succeed(HttpBody.empty)
        : body instanceof FormData
          ? Effect.map(
              Effect.promise(() => encodeForm(body)),
              ({ bytes, type }) => HttpBody.raw(bytes, { contentType: type })
            )
          : isStream(body)
            ? Effect.succeed(
                HttpBody.stream(
                  Stream.fromReadableStream(() => watchChunks(body, late.extend), toHttpFailure),
                  headers["content-type"] ?? "application/octet-stream"
                )
              )
            : Effect.succeed(
                HttpBody.raw(body, { contentType: headers["content-type"] ?? "application/json" })
              )
    const exchange = Effect.fnUntraced(function* (request: HttpRequest, late: Deadline) {
      const base = HttpClientRequest.make(request.method)(request.url, { headers: request.headers })
      const body = yield* bodyOf(request, late)
      const response = yield* client
        .execute(body._tag === "Empty" ? base : HttpClientRequest.setBody(base, body))
        .pipe(Effect.mapError(platformFailure))
      if (isRedirect(response.status))
        return yield* redirectFailure(response.status, response.headers.location)
      // the client over fetch has fetch's response, whose body costs half as much to read as a Stream
      const source: unknown = Reflect.get(response, "source")
      if (source instanceof Response && source.type === "opaqueredirect")
        return yield* redirectFailure(0, undefined)
      if (source instanceof Response)
        return yield* Effect.tryPromise({ try: () => readBody(request, source, late), catch: toHttpFailure })
      return yield* Effect.scoped(readStream(request, response, late))
    })
    return {
      keepsDeadlines: true,
      send: (request) => withDeadline(request, (late) => closeUnlessRead(exchange(request, late)))
    }
  })
)

/** The parts that a request through undici needs. */
interface UndiciParts {
  readonly agent: Dispatcher
  readonly Readable: typeof NodeReadable
}

/**
 * A request through undici's dispatch. This handler takes half as long as undici's `request`, which makes a stream, a signal and promises.
 */
class UndiciRequest implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined
  private collector: BodyCollector | undefined
  private upload: NodeReadable | undefined
  private isEnded = false
  private readonly late: Deadline

  constructor(
    private readonly request: HttpRequest,
    private readonly undici: UndiciParts,
    private readonly resume: (outcome: Effect.Effect<HttpResponse, HttpFailure>) => void
  ) {
    this.late = startDeadline(request, () => this.fail(timeoutFailure(request)))
  }

  start(): void {
    this.failOnThrow(() => {
      const { body, headers } = this.request
      if (body instanceof FormData)
        encodeForm(body).then(({ bytes, type }) => {
          const typed = { ...withoutContentType(headers), "content-type": type }
          this.failOnThrow(() => this.dispatch(bytes, typed))
        }, this.fail)
      else if (isStream(body)) {
        this.upload = this.undici.Readable.from(watchChunks(body, this.late.extend))
        this.dispatch(this.upload, headers)
      } else this.dispatch(body ?? null, headers)
    })
  }

  private dispatch(
    body: NonNullable<Dispatcher.DispatchOptions["body"]> | null,
    headers: HttpRequest["headers"]
  ): void {
    const { origin, pathname, search } = new URL(this.request.url)
    const { method } = this.request
    this.undici.agent.dispatch({ origin, path: `${pathname}${search}`, method, headers, body }, this)
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    this.controller = started
    if (this.isEnded) this.abort()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  ): void {
    this.failOnThrow(() => {
      // an interim response: the final one follows
      if (status < 200) return
      if (isRedirect(status)) throw redirectFailure(status, [headers.location].flat()[0])
      this.collector = new BodyCollector(this.request, status, (name) => {
        const value = headers[name]
        return typeof value === "object" ? value.join(", ") : value
      })
    })
  }

  onResponseData(own: Dispatcher.DispatchController, chunk: Buffer): void {
    this.failOnThrow(() => {
      // undici sends an empty chunk at the end of a pause, which must not start the next pause
      if (chunk.byteLength === 0) return
      const taken = this.collector?.take(chunk)
      this.late.extend()
      if (taken === undefined) return
      own.pause()
      this.late.stop()
      taken.then(() => {
        if (this.isEnded) return
        this.late.extend()
        own.resume()
      }, this.fail)
    })
  }

  onResponseEnd(): void {
    this.failOnThrow(() => {
      if (this.collector !== undefined) this.end(Effect.succeed(this.collector.toResponse()))
    })
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  readonly abort = (): void => {
    this.isEnded = true
    this.late.stop()
    this.controller?.abort(new Error("given up"))
    this.upload?.destroy()
  }

  private readonly fail = (error: unknown): void => {
    if (this.isEnded) return
    this.end(Effect.fail(toHttpFailure(error)))
    this.abort()
  }

  private end(outcome: Effect.Effect<HttpResponse, HttpFailure>): void {
    this.isEnded = true
    this.late.stop()
    this.resume(outcome)
  }

  /** Runs a step of the handler. If it throws, the request fails. */
  private failOnThrow(run: () => void): void {
    if (this.isEnded) return
    try {
      run()
    } catch (error) {
      this.fail(error)
    }
  }
}

/**
 * Sends through undici's connection pool, the fastest client on Node. Needs the package `undici` (7 or later).
 *
 * @since 0.1.0
 * @category layers
 */
export const layerUndici: Layer.Layer<Http> = /*#__PURE__*/ Layer.scoped(
  Http,
  /*#__PURE__*/ Effect.gen(function* () {
    const undici = yield* Effect.promise(() => import("./undici.js").then(({ loadUndici }) => loadUndici()))
    const agent = yield* Effect.acquireRelease(
      Effect.sync(() => new undici.Agent({ headersTimeout: 0, bodyTimeout: 0 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    const { Readable } = globalThis.process.getBuiltinModule("node:stream")
    return {
      keepsDeadlines: true,
      send: (request) =>
        Effect.async<HttpResponse, HttpFailure>((resume) => {
          const dispatched = new UndiciRequest(request, { agent, Readable }, resume)
          dispatched.start()
          return Effect.sync(dispatched.abort)
        })
    }
  })
)

/**
 * {@link makeFetch} with the global `fetch`, as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFetch: Layer.Layer<Http> = /*#__PURE__*/ Layer.sync(
  Http,
  (): HttpService => ({ ...makeFetch(), keepsDeadlines: true })
)
