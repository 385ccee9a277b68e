/**
 * The HTTP clients that need no `@effect/platform`, as layers of `Http`: `effect-chains/effect/http`. A page that imports this entry ships what
 * it uses of it, with every bundler; of a namespace of `effect-chains`, esbuild ships all members.
 *
 * Deadlines cover headers and body, redirects are refused, bodies have a size limit, interruption closes the socket, and no tracing headers are
 * sent.
 *
 * @since 0.1.0
 */
import type { Readable as NodeReadable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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
