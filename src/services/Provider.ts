/**
 * Low-level access to endpoints of the provider without a method of their own, and to JSON-RPC endpoints by their url.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Config, type ResolvedConfig } from "../config/Config.js"
import { makeHeaders, makeSecretHider } from "../config/headers.js"
import { findCallOptionsProblem } from "../config/optionChecks.js"
import { toEffect } from "../data/eitherValues.js"
import {
  displayUrl,
  type GatewayCallError,
  InvalidArgument,
  type LoadError,
  NodeError,
  type RpcCallError
} from "../data/SdkError.js"
import type { HideSecrets } from "../data/untrusted.js"
import { Http, type HttpService } from "../http/service.js"
import { type BatchItem, type JsonRpcRequest, makeRawRpc } from "../transport/Client.js"
import { readReply } from "../wire/jsonRpc.js"
import { joinUrl } from "../wire/route.js"
import {
  type Call,
  CallOptions,
  Tracing,
  type TracingService,
  type TransportService
} from "../wire/Transport.js"
import { Gateway, type GatewayRequest } from "./Gateway.js"
import { makeInputCheck } from "./internal/schema.js"

/**
 * A request by its path. `params` become the query, without empty values, zero and false. `basePath` replaces the provider's versioned
 * url; the API key is sent only to the provider's own hosts.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderRequest {
  /** After the version: `data/balances`. Without query: that is in `params`. */
  readonly path?: string
  readonly basePath?: string
  readonly params?: Readonly<Record<string, unknown>>
  /** Default: the configured version of the API. */
  readonly version?: "V3" | "V4"
}

/**
 * A request with a body, which is sent as JSON.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderBodyRequest extends ProviderRequest {
  readonly body?: unknown
}

/**
 * An upload: the content of one file, sent as the field `file` of a form.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderUpload extends ProviderRequest {
  readonly body: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string
}

/**
 * The answer to a JSON-RPC call by url: the result, or for a list of bodies one outcome per body.
 *
 * @since 0.1.0
 * @category types
 */
export type RpcAnswer<B> = B extends ReadonlyArray<unknown> ? ReadonlyArray<BatchItem> : unknown

/**
 * The errors of low-level requests.
 *
 * @since 0.1.0
 * @category errors
 */
export type ProviderError = GatewayCallError | InvalidArgument | LoadError

/**
 * Low-level access to the provider. Answers have the shape that its documentation promises: nothing checks them.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProviderService {
  /** A GET, repeated on a server error. */
  readonly get: <A = unknown>(request: ProviderRequest) => Effect.Effect<A, ProviderError>
  /** A POST, sent once. */
  readonly post: <A = unknown>(request: ProviderBodyRequest) => Effect.Effect<A, ProviderError>
  /** A PUT, which is not retried. */
  readonly put: <A = unknown>(request: ProviderBodyRequest) => Effect.Effect<A, ProviderError>
  /** A DELETE, sent once. */
  readonly delete: <A = unknown>(request: ProviderRequest) => Effect.Effect<A, ProviderError>
  /** Uploads a file, once. */
  readonly uploadFile: <A = unknown>(request: ProviderUpload) => Effect.Effect<A, ProviderError>
  /** Downloads a file, and retries after server errors. The blob has the answer's content type. */
  readonly getFile: (request: ProviderRequest) => Effect.Effect<Blob, ProviderError>
  /** One JSON-RPC request, or a list of them as a batch, to a url, outside of the pool of nodes. Sent once. */
  readonly rpcCall: <B extends JsonRpcRequest | ReadonlyArray<JsonRpcRequest>>(
    url: string,
    body: B
  ) => Effect.Effect<RpcAnswer<B>, RpcCallError>
}

/**
 * Low-level access to the provider, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Provider extends /*#__PURE__*/ Context.Tag("effect-chains/services/Provider")<
  Provider,
  ProviderService
>() {}

const isWebUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Whether a url can precede a path. User info would be sent, and a query would end up in the middle. */
const isBase = (text: string): boolean => {
  if (!isWebUrl(text)) return false
  const { hash, password, search, username } = new URL(text)
  return [hash, password, search, username].every((part) => part === "")
}

const targetFields = {
  path: Schema.optional(
    Schema.String.pipe(
      // urls read a backslash as a slash, and drop tabs and line breaks
      Schema.pattern(/^[^?#\\\s]*$/, {
        message: () => "must have no query, fragment, backslash or space in it: parameters go in params"
      }),
      Schema.filter((path) => !path.split("/").some((part) => /^(\.|%2e){1,2}$/i.test(part)), {
        message: () => "must have no . and no .. in it"
      })
    )
  ),
  basePath: Schema.optional(
    Schema.String.pipe(
      Schema.filter(isBase, { message: () => "must be an http or https url without user info and query" })
    )
  ),
  params: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  version: Schema.optional(Schema.Literal("V3", "V4"))
}

const request = Schema.Struct({ ...targetFields, body: Schema.optional(Schema.Unknown) })
const Content = Schema.Union(
  Schema.instanceOf(Blob),
  Schema.instanceOf<typeof Uint8Array<ArrayBuffer>>(Uint8Array),
  Schema.instanceOf(ArrayBuffer),
  Schema.String
).pipe(Schema.annotations({ message: () => ({ message: "must be a Blob, bytes or text", override: true }) }))

const reads = {
  get: makeInputCheck("provider.get", request),
  post: makeInputCheck("provider.post", request),
  put: makeInputCheck("provider.put", request),
  delete: makeInputCheck("provider.delete", request),
  uploadFile: makeInputCheck("provider.uploadFile", Schema.Struct({ ...targetFields, body: Content })),
  getFile: makeInputCheck("provider.getFile", request)
}

type RequestTarget = Schema.Schema.Type<typeof request>

const toGatewayRequest = (
  method: GatewayRequest["method"],
  { basePath, params, path = "", version }: Omit<RequestTarget, "body">
): GatewayRequest => ({
  method,
  path,
  template: "{path}",
  ...(params === undefined ? {} : { query: params }),
  ...(version === undefined ? {} : { version }),
  ...(basePath === undefined ? {} : { base: basePath })
})

/** What a request to a node needs. */
interface NodeContext {
  readonly config: ResolvedConfig
  readonly http: HttpService
  readonly tracing: TracingService | undefined
  readonly hide: HideSecrets
}

/** Makes a transport that tries one node once. */
const makeNodeTransport = ({ config, hide, http, tracing }: NodeContext, url: string): TransportService => ({
  nodeUrl: () => Effect.succeed(url),
  send: (request) => {
    const send = <A>(call: Call<A>) =>
      Effect.flatMap(CallOptions, (options) => {
        const reason = findCallOptionsProblem(options)
        if (reason !== undefined) return Effect.fail(new InvalidArgument({ call: call.label, reason }))
        return http
          .send({
            method: call.verb,
            url: joinUrl(url, call.path),
            headers: makeHeaders(config, url, { body: true }),
            body: call.body,
            timeout: options.timeout ?? config.timeout,
            maxBytes: config.maxResponseBytes
          })
          .pipe(
            Effect.mapError(
              ({ kind, reason }) => new NodeError({ kind, call: call.label, url, reason: hide(reason) })
            ),
            Effect.flatMap(({ status, text }) => {
              if (call.trace !== undefined) call.trace.node = { url: displayUrl(url), status }
              return Effect.mapError(
                toEffect(readReply(call, { status, text, url, hide })),
                ({ error }) => error
              )
            })
          )
      })
    return tracing === undefined ? send(request) : tracing.traceCall(request, send, config.network)
  }
})

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<ProviderService, never, Config | Gateway | Http> = Effect.gen(function* () {
  const config = yield* Config
  const gateway = yield* Gateway
  const context: NodeContext = {
    config,
    http: yield* Http,
    tracing: yield* Tracing,
    hide: makeSecretHider(config)
  }
  const service = {
    get: (request: ProviderRequest) =>
      Effect.flatMap(reads.get(request), (given) => gateway.request(toGatewayRequest("GET", given))),
    post: (request: ProviderBodyRequest) =>
      Effect.flatMap(reads.post(request), (given) =>
        gateway.request({ ...toGatewayRequest("POST", given), body: given.body, write: true })
      ),
    put: (request: ProviderBodyRequest) =>
      Effect.flatMap(reads.put(request), (given) =>
        gateway.request({ ...toGatewayRequest("PUT", given), body: given.body, write: true })
      ),
    delete: (request: ProviderRequest) =>
      Effect.flatMap(reads.delete(request), (given) =>
        gateway.request({ ...toGatewayRequest("DELETE", given), write: true })
      ),
    uploadFile: (upload: ProviderUpload) =>
      Effect.flatMap(reads.uploadFile(upload), (given) => {
        const form = new FormData()
        form.append("file", given.body instanceof Blob ? given.body : new Blob([given.body]))
        return gateway.request({ ...toGatewayRequest("POST", given), form, write: true })
      }),
    getFile: (request: ProviderRequest) =>
      Effect.flatMap(reads.getFile(request), (given) =>
        Effect.map(
          gateway.download(toGatewayRequest("GET", given)),
          ({ bytes, contentType = "" }) => new Blob([new Uint8Array(bytes)], { type: contentType })
        )
      ),
    rpcCall: (url: string, body: JsonRpcRequest | ReadonlyArray<JsonRpcRequest>) => {
      if (!isWebUrl(url)) {
        return Effect.fail(
          new InvalidArgument({ call: "provider.rpcCall", reason: "the url must be an http or https url" })
        )
      }
      const raw = makeRawRpc({}, makeNodeTransport(context, url), { archive: false, batchArchive: false })
      return isList(body) ? raw.rawBatchRpcCall(body) : raw.rawRpcCall(body)
    }
  }
  // the caller names the type of the answers, which cannot be checked here, as with JSON.parse
  return service as ProviderService
})

const isList = (
  body: JsonRpcRequest | ReadonlyArray<JsonRpcRequest>
): body is ReadonlyArray<JsonRpcRequest> => Array.isArray(body)

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Provider, never, Config | Gateway | Http> = /*#__PURE__*/ Layer.effect(
  Provider,
  make
)
