/**
 * The one door to the network: `send` a request, get status and body. Deadlines cover headers and body, redirects are
 * refused, bodies are capped, aborting closes the socket, and no tracing header leaves the process.
 *
 * @since 0.1.0
 */
import type { Readable as NodeReadable } from "node:stream"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
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

/** The deadline of a request that has one for all of it: it never moves. */
const fixedDeadline: Deadline = { extend: () => {}, stop: () => {} }

/**
 * Runs until it ends, or until its deadline. It is one fiber and a timer: a race, or Effect's own timeout, would be two fibers, which
 * take a fifth of the time of a call.
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
            // nobody waits for its end: what it holds may take long to let go
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
 * With a scope that is closed where the answer was not read to its end: after that nothing is left to be aborted, and to abort costs as
 * much as to send.
 */
const closeUnlessRead = <A, E>(exchange: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.flatMap(Scope.make(), (scope) =>
    Effect.onError(Scope.extend(exchange, scope), (cause) => Scope.close(scope, Exit.failCause(cause)))
  )

/** A step of a collector, which refuses by an exception. */
const tryCollect = <A>(run: () => A): Effect.Effect<A, HttpFailure> =>
  Effect.try({ try: run, catch: toHttpFailure })

/** The failure behind an error of a platform client, whose reason `Transport` covers all failures on the way. */
const platformFailure = (error: HttpClientError): HttpFailure => toHttpFailure(error.cause ?? error)

/** Reads the stream of an answer. To pull costs less than half as much as the runners of Stream. */
const readStream = (
  request: HttpRequest,
  response: HttpClientResponse,
  late: Deadline
): Effect.Effect<HttpResponse, HttpFailure, Scope.Scope> =>
  Effect.gen(function* () {
    // platform clients make the headers anew whenever they are asked for them
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
      // an empty body is an error of its own for platform clients, and no error for us
      onFailure: (error) =>
        Option.isNone(error) || error.value.reason === "EmptyBody"
          ? Effect.void
          : platformFailure(error.value)
    })
    yield* rest
    return collector.toResponse()
  })

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
    // its spans hold the whole url, in which providers put keys; the scope closes an answer that is not read to its end
    const client = platform.pipe(
      HttpClient.withTracerDisabledWhen(() => true),
      HttpClient.withTracerPropagation(false),
      HttpClient.withScope
    )
    // raw bodies, without a length of their own: Node's fetch refuses the second one once undici 7 has been imported
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
      // the client over fetch holds the answer of fetch: reading that costs half as much as Stream
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

/** The parts that requests through undici need. */
interface UndiciParts {
  readonly agent: Dispatcher
  readonly Readable: typeof NodeReadable
}

/**
 * A request on its way through undici. A handler takes half as long as undici's `request`, which makes a stream, a signal
 * and promises.
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
      // an interim answer: the real one follows
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
      // an empty chunk comes at the end of a pause; if it led to a pause, there would be no end
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

  /** An error in a handler ends the request, and nothing else. */
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
 * Sends through undici's connection pool, the fastest way on Node. Needs the package `undici` (7 or later).
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
