/**
 * The HTTP clients of the SDK, as layers of `Http`. Deadlines cover headers and body, redirects are refused, bodies have a size limit,
 * interruption closes the socket, and no tracing headers are sent.
 *
 * @since 0.1.0
 */
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
  readBody,
  redirectFailure,
  startDeadline,
  timeoutFailure,
  toHttpFailure,
  watchChunks
} from "./service.js"

export {
  Http,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  layerFetch,
  layerUndici,
  makeFetch
} from "./layers.js"

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
