/**
 * The provider's REST API: versioned base url, keys, headers, query, retries, uploads and downloads.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { withMetrics } from "../balancer/Metrics.js"
import { type Counters, CountersRef } from "../balancer/Observation.js"
import { Config, type ResolvedConfig } from "../config/Config.js"
import { makeHeaders, makeSecretHider } from "../config/headers.js"
import { Logger, type LoggerService } from "../config/Logger.js"
import { findCallOptionsProblem } from "../config/optionChecks.js"
import { isProviderUrl } from "../config/resolveConfig.js"
import {
  decodeErrorBody,
  displayUrl,
  type ErrorBody,
  type GatewayCallError,
  GatewayError,
  hideErrorSecrets,
  reasonOf
} from "../data/SdkError.js"
import { markSecrets } from "../data/secrets.js"
import { withoutTail } from "../data/tail.js"
import type { HideSecrets } from "../data/untrusted.js"
import { keepDeadlines } from "../http/deadlines.js"
import { Http, type HttpRequest, type HttpResponse, type HttpService, monotonic } from "../http/service.js"
import { allSpans } from "../transport/ClientSpans.js"
import { parseNumbers } from "../wire/lossless.js"
import { toQueryString } from "../wire/route.js"
import { CallOptions, outcomeOf, type Trace, Tracing, type TracingService } from "../wire/Transport.js"

/**
 * A request to the provider. `write` marks requests that are never retried. `version` overrides the configured version of the API. `base`
 * replaces the versioned url; the API key is sent only to the provider's own hosts.
 *
 * @since 0.1.0
 * @category models
 */
export interface GatewayRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** After the version: `data/balances`. */
  readonly path: string
  /** The path as spans name it, if it contains values: `rate/{currency}`. */
  readonly template?: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly form?: FormData
  readonly version?: "V3" | "V4"
  readonly base?: string
  readonly write?: boolean
  /** Numbers of the answer arrive as their digits (text), for amounts that a float would round. */
  readonly exact?: boolean
  /** A body that is read while it is sent, and its content type. */
  readonly stream?: { readonly body: ReadableStream<Uint8Array>; readonly type: string }
  /** Makes `timeout` the limit between two chunks, for files. */
  readonly idle?: boolean
  /** Additional time for the call, in milliseconds. */
  readonly extraTimeout?: number
  /** Takes the chunks of the answer, instead of its bytes and without a size limit. The next chunk is read when the promise resolves. */
  readonly sink?: (chunk: Uint8Array) => Promise<void>
}

/**
 * The provider's REST API.
 *
 * @since 0.1.0
 * @category models
 */
export interface GatewayService {
  /** Sends a request and reads the JSON answer, which has the shape that the provider's documentation promises. */
  readonly request: <A = unknown>(request: GatewayRequest) => Effect.Effect<A, GatewayCallError>
  /** Sends a request, and yields the answer's bytes and content type. */
  readonly download: (
    request: GatewayRequest
  ) => Effect.Effect<
    { readonly bytes: Uint8Array; readonly contentType: string | undefined },
    GatewayCallError
  >
}

/**
 * The provider's REST API, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Gateway extends /*#__PURE__*/ Context.Tag("effect-chains/services/Gateway")<
  Gateway,
  GatewayService
>() {}

const isServerError = (error: GatewayCallError): boolean =>
  "status" in error && error.status !== undefined && error.status >= 500

/** The parts that requests to the provider need. */
interface RequestContext {
  readonly config: ResolvedConfig
  readonly http: HttpService
  readonly logger: LoggerService
  readonly hide: HideSecrets
  readonly tracing: TracingService | undefined
  readonly counters: Counters | undefined
  /** Of one request. */
  readonly trace?: Trace | undefined
}

/** A request of the service as `Http` takes it: its url and its headers. */
const toUrlAndHeaders = (
  { config }: RequestContext,
  request: GatewayRequest
): Pick<HttpRequest, "url" | "headers"> => {
  const api = request.version ?? config.version
  // the url of the environment is not for requests that are bound to a version of the API
  const overriddenUrl = request.version === undefined ? config.baseUrlOverride : undefined
  const base =
    (request.base === undefined ? undefined : withoutTail(request.base, "/")) ??
    overriddenUrl ??
    `${config.baseUrl}/${api.toLowerCase()}`
  // without a key, the provider needs the marker to know the network; other servers do not know it
  const testnetMarker =
    config.info.testnet === true &&
    config.apiKey[config.version] === undefined &&
    (request.base === undefined || isProviderUrl(config, base))
      ? { type: "testnet" }
      : {}
  // empty values stay out (specification, section 7), and so do zero and false: all of them are defaults
  const pairs = Object.entries({ ...request.query, ...testnetMarker }).filter(([, value]) => Boolean(value))
  const url = `${base}/${request.path.replace(/^\/+/, "")}${toQueryString(pairs)}`
  const { "content-type": contentType, ...rest } = makeHeaders(config, url, {
    body: request.body !== undefined,
    api
  })
  // the boundary of a form is part of its content type, which only the sender knows
  const type = request.stream?.type ?? (request.form === undefined ? contentType : undefined)
  return { url, headers: type === undefined ? rest : { ...rest, "content-type": type } }
}

/** The provider's error messages. The body may be `null` or empty. */
const readErrorBody = ({ status, text }: HttpResponse): ErrorBody => {
  const { messages, ...more } = decodeErrorBody(text, status)
  const words = messages.filter((message) => !/^(null|undefined)?$/.test(message))
  return { messages: words.length > 0 ? words : [`HTTP ${status} without a reason`], ...more }
}

const labelOf = ({ method, path }: GatewayRequest): string => `${method} ${path}`

const failWith = (
  { hide }: RequestContext,
  request: GatewayRequest,
  fields: Omit<ConstructorParameters<typeof GatewayError>[0], "call">
): Effect.Effect<never, GatewayError> =>
  Effect.fail(hideErrorSecrets(new GatewayError({ call: labelOf(request), ...fields }), hide))

/** Makes one attempt of a request, which takes at most `remaining()` milliseconds. A status outside 200 to 299 is a failure. */
const makeAttempt = (
  context: RequestContext,
  request: GatewayRequest,
  body: HttpRequest["body"],
  remaining: () => number
): Effect.Effect<HttpResponse, GatewayCallError> => {
  const { config, http, logger, trace } = context
  const { coalesce } = config
  const sendCoalesced =
    typeof coalesce === "function" ? coalesce.services?.(request.path, http, config) : undefined
  const sendOnce = sendCoalesced ?? http.send
  const { idle: isTimeoutPerChunk = false, sink } = request
  const { headers, url } = toUrlAndHeaders(context, request)
  const recordTrace = (status?: number): void => {
    if (trace !== undefined)
      trace.node = { url: displayUrl(url), ...(status === undefined ? {} : { status }) }
  }
  return Effect.suspend(() => {
    recordTrace()
    if (trace !== undefined) trace.attempts++
    return sendOnce({
      method: request.method,
      url,
      headers,
      body,
      timeout: remaining(),
      maxBytes: sink === undefined ? config.maxResponseBytes : Number.POSITIVE_INFINITY,
      ...(isTimeoutPerChunk ? { isTimeoutPerChunk } : {}),
      ...(sink === undefined ? {} : { sink })
    })
  }).pipe(
    Effect.catchAll(
      ({ kind, reason, rejection }): Effect.Effect<never, GatewayCallError> =>
        rejection === undefined
          ? failWith(context, request, { kind, messages: [reason] })
          : Effect.fail(rejection.error)
    ),
    Effect.tap((response) => logger.debug(() => `[${labelOf(request)}] HTTP ${response.status}`)),
    Effect.flatMap((response) => {
      const { status } = response
      recordTrace(status)
      if (status >= 200 && status < 300) return Effect.succeed(response)
      return failWith(context, request, { kind: "status", status, ...readErrorBody(response) })
    })
  )
}

/** Sends a request, and retries it unless it is a write. All attempts share the call's deadline. */
const sendWithRetries = (
  context: RequestContext,
  request: GatewayRequest,
  body: HttpRequest["body"],
  timeout: number
): Effect.Effect<HttpResponse, GatewayCallError> =>
  Effect.clockWith((clock) => {
    const { retryCount, retryDelay } = context.config
    const deadline = monotonic(clock) + timeout
    // a time limit per chunk is the same for each attempt
    const remaining = (): number => (request.idle === true ? timeout : deadline - monotonic(clock))
    const attempt = makeAttempt(context, request, body, remaining)
    const mayRetry = (error: GatewayCallError): boolean =>
      isServerError(error) && (request.idle === true || remaining() > retryDelay)
    return request.write === true
      ? attempt
      : Effect.retry(attempt, { schedule: Schedule.spaced(retryDelay), times: retryCount, while: mayRetry })
  })

const send = (
  context: RequestContext,
  request: GatewayRequest
): Effect.Effect<HttpResponse, GatewayCallError> =>
  Effect.flatMap(CallOptions, (options) => {
    const problem = findCallOptionsProblem(options)
    if (problem !== undefined) return failWith(context, request, { kind: "malformed", messages: [problem] })
    try {
      const { form, extraTimeout = 0, stream } = request
      const body =
        stream?.body ?? form ?? (request.body === undefined ? undefined : JSON.stringify(request.body))
      return sendWithRetries(context, request, body, options.timeout ?? context.config.timeout + extraTimeout)
    } catch (error) {
      const messages = [`The request cannot be sent: ${reasonOf(error)}`]
      return failWith(context, request, { kind: "malformed", messages })
    }
  })

const readBody = (
  { hide }: RequestContext,
  request: GatewayRequest,
  { status, text }: HttpResponse
): Effect.Effect<unknown, GatewayError> =>
  text === ""
    ? Effect.void
    : Effect.try({
        try: (): unknown =>
          markSecrets(
            request.exact === true ? parseNumbers(text, (digits) => digits) : JSON.parse(text),
            hide
          ),
        catch: () =>
          new GatewayError({
            call: labelOf(request),
            kind: "malformed",
            status,
            messages: ["The provider's answer is not valid JSON."]
          })
      })

/** Counts a request, and makes a span of it. */
const withTelemetry = <A>(
  { config, counters, tracing }: RequestContext,
  { method, path, template = path }: GatewayRequest,
  made: (trace?: Trace) => Effect.Effect<A, GatewayCallError>
): Effect.Effect<A, GatewayCallError> => {
  const { network } = config
  const sent = tracing?.extra?.traceRequest({ network, method, path: template }, made) ?? made()
  return counters === undefined
    ? sent
    : Effect.onExit(sent, (exit: Exit.Exit<A, GatewayCallError>) =>
        Effect.sync(counters.request(network, outcomeOf(exit)))
      )
}

/**
 * Makes the provider's REST API over an `Http` and a configuration. After statuses 500 to 599 it retries requests that are not writes
 * `retryCount` times, with pauses of `retryDelay`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<GatewayService, never, Config | Http | Logger> = Effect.gen(function* () {
  const config = yield* Config
  const context: RequestContext = {
    config,
    http: yield* Http,
    logger: yield* Logger,
    hide: makeSecretHider(config),
    tracing: yield* Tracing,
    counters: yield* CountersRef
  }
  const request = (fields: GatewayRequest): Effect.Effect<unknown, GatewayCallError> =>
    withTelemetry(context, fields, (trace) =>
      Effect.flatMap(send({ ...context, trace }, fields), (response) => readBody(context, fields, response))
    )
  return {
    // the caller names the type of the answer, which cannot be checked here, as with JSON.parse
    request: request as GatewayService["request"],
    download: (request) =>
      withTelemetry(context, request, (trace) =>
        Effect.map(send({ ...context, trace }, request), (response) => ({
          bytes: response.bytes,
          contentType: response.header("content-type")
        }))
      )
  }
})

/**
 * The provider's REST API as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Gateway, never, Config | Http | Logger> = /*#__PURE__*/ Layer.effect(
  Gateway,
  /*#__PURE__*/ withMetrics(
    /*#__PURE__*/ Effect.provideService(/*#__PURE__*/ keepDeadlines(make), Tracing, allSpans)
  )
)
