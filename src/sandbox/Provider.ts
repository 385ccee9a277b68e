/**
 * The provider over HTTP: the REST API in both versions, the gateway to the nodes, the node lists, and the sandbox's
 * own routes under /sandbox. Its documentation is at /docs, as OpenAPI at /openapi.json.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import * as HttpApiSwagger from "@effect/platform/HttpApiSwagger"
import * as HttpServer from "@effect/platform/HttpServer"
import * as HttpServerError from "@effect/platform/HttpServerError"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { type Dependencies, layer } from "./Api.js"
import { type FaultPlace, Faults } from "./Faults.js"
import type { Handler, HandlerRequest, HandlerResponse } from "./Handler.js"
import { findKey, Keys, type KeysService } from "./Keys.js"
import { fromWebResponse, jsonResponse } from "./Loopback.js"
import { Networks, type NetworksService } from "./Networks.js"
import { type Generations, hasPath } from "./provider/Data.js"
import type { SandboxError } from "./SandboxError.js"

const makeRefusal = (
  statusCode: number,
  errorCode: string,
  message: string,
  data?: ReadonlyArray<string>
) => ({
  statusCode,
  errorCode,
  message,
  ...(data === undefined ? {} : { data })
})

const refuse = (statusCode: number, errorCode: string, message: string): Effect.Effect<HandlerResponse> =>
  Effect.succeed(jsonResponse(makeRefusal(statusCode, errorCode, message), statusCode))

const isDecodeError = (error: unknown): error is HttpApiDecodeError =>
  Predicate.isTagged(error, "HttpApiDecodeError")

/** Writes HttpApi's refusals in the provider's format. */
const describeErrors = HttpApiBuilder.middleware((app) =>
  Effect.catchAllCause(app, (cause) => {
    const error = Cause.squash(cause)
    if (isDecodeError(error))
      return HttpServerResponse.json(
        makeRefusal(
          400,
          "validation.failed",
          "Request validation failed. Please see data for additional information.",
          error.issues.map(({ message, path }) => `${path.map(String).join(".")} ${message}`.trim())
        ),
        { status: 400 }
      ).pipe(Effect.orDie)
    if (error instanceof HttpServerError.RequestError && error.reason === "Decode")
      return HttpServerResponse.json(makeRefusal(400, "validation.failed", "The body is not valid JSON."), {
        status: 400
      }).pipe(Effect.orDie)
    if (error instanceof HttpServerError.RouteNotFound)
      return HttpServerResponse.json(
        makeRefusal(404, "not.found", `The sandbox has no ${error.request.method} ${error.request.url}`),
        { status: 404 }
      ).pipe(Effect.orDie)
    // HttpApi writes the failures that a route declares
    if (Cause.isFailType(cause) || Cause.isInterrupted(cause)) return Effect.failCause(cause)
    return Effect.zipRight(
      Effect.logError("The sandbox failed", cause),
      HttpServerResponse.json(makeRefusal(500, "internal", Cause.pretty(cause)), { status: 500 }).pipe(
        Effect.orDie
      )
    )
  })
)

/** The routes of HttpApi, which both versions share. Their paths have no version. */
const makeRest = (
  seed: string,
  generations: Generations
): Effect.Effect<Handler, never, Dependencies | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Dependencies>()
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        HttpApiBuilder.toWebHandler(
          Layer.mergeAll(
            describeErrors,
            HttpApiBuilder.middlewareOpenApi(),
            HttpApiSwagger.layer(),
            HttpServer.layerContext
          ).pipe(Layer.provideMerge(layer(seed, generations)), Layer.provide(Layer.succeedContext(context)))
        )
      ),
      (web) => Effect.promise(() => web.dispose())
    )
    return ({ body, headers, method, path }) =>
      Effect.promise((signal) =>
        handler(
          new Request(new URL(path, "http://127.0.0.1"), {
            method,
            headers: Object.entries(headers).flatMap(
              ([name, value]): ReadonlyArray<[string, string]> =>
                typeof value === "string" ? [[name, value]] : []
            ),
            ...(method === "GET" || method === "HEAD" || body.length === 0
              ? {}
              : { body: new Uint8Array(body) }),
            signal
          })
        )
      ).pipe(Effect.flatMap(fromWebResponse))
  })

/** The part of a gateway's path after the network: the key, if there is one, and the path at the node. */
const GATEWAY_PATH = /^\/v[34]\/blockchain\/node\/([^/]+)(?:\/([^/]+))?(\/.*)?$/

interface GatewayRequest {
  readonly network: string
  readonly key: string | undefined
  readonly path: string
}

const parseGatewayRequest = (received: HandlerRequest): GatewayRequest | undefined => {
  const [path = "", query] = received.path.split("?", 2)
  const [, network, segment, more = ""] = GATEWAY_PATH.exec(path) ?? []
  if (network === undefined) return undefined
  const key = findKey(received)
  const isKey = segment !== undefined && segment === key
  const behind = isKey || segment === undefined ? more : `/${segment}${more}`
  return {
    network,
    key: key === "" ? undefined : key,
    path: `${behind === "" ? "/" : behind}${query === undefined ? "" : `?${query}`}`
  }
}

const NODE_LIST_PATH = /^\/([^/]+?)(-archive)?\/list\.json$/
const VERSIONED_PATH = /^\/(v[34])(\/.*)?$/

/** Checks the key of each request and of each message in a WebSocket, which costs the same. */
const withKeyCheck =
  (keys: KeysService, handler: Handler): Handler =>
  (received) =>
    Effect.flatMap(keys.check(received), (refused) =>
      refused === undefined ? handler(received) : Effect.succeed(refused)
    ).pipe(
      Effect.map((answer) => {
        if (answer === "drop" || answer.socket === undefined) return answer
        const { socket } = answer
        return {
          ...answer,
          socket: (line) => Effect.map(socket(line), (messages) => withKeyCheck(keys, messages))
        } satisfies HandlerResponse
      })
    )

const refuseUnavailable = (error: SandboxError) => refuse(503, "node.unavailable", error.message)

const refuseMissing = ({ method, path }: HandlerRequest) =>
  refuse(404, "not.found", `The sandbox has no ${method} ${path.split("?", 1)[0]}`)

/** A network by the provider's name. It starts if it does not run. */
const findRunning = (networks: NetworksService, name: string) => {
  const id = networks.findByName(name)
  return id === undefined ? Effect.succeed(undefined) : networks.get(id)
}

const serveNodeList =
  (networks: NetworksService, name: string, isArchive: boolean): Handler =>
  (received) =>
    Effect.flatMap(findRunning(networks, name), (found) =>
      found === undefined
        ? refuseMissing(received)
        : Effect.succeed(
            jsonResponse(
              (isArchive ? found.archive : found.nodes).map(({ url }) => ({ url, type: isArchive ? 1 : 0 }))
            )
          )
    ).pipe(Effect.catchAll(refuseUnavailable))

const serveGateway =
  (networks: NetworksService, { network, path }: GatewayRequest): Handler =>
  (received) =>
    Effect.gen(function* () {
      const found = yield* findRunning(networks, network)
      if (found === undefined) return yield* refuseMissing(received)
      const answer = yield* found.handler({ ...received, path })
      return answer === "drop"
        ? yield* refuse(503, "node.unavailable", `No node of ${network} is running`)
        : answer
    }).pipe(Effect.catchAll(refuseUnavailable))

/**
 * The whole provider as one handler. The gateway forwards to the nodes without the faults of their urls; faults of
 * routes apply to the gateway and to the REST API. `generations` are the versions of the data API to serve.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  seed: string,
  generations: Generations = "v4"
): Effect.Effect<Handler, never, Dependencies | Networks | Faults | Keys | Scope.Scope> =>
  Effect.gen(function* () {
    const networks = yield* Networks
    const faults = yield* Faults
    const keys = yield* Keys
    const web = yield* makeRest(seed, generations)

    /** Checks the key of a request and applies its route's faults before the handler. */
    const serveProvider = (where: FaultPlace, handler: Handler): Handler =>
      withKeyCheck(keys, faults.wrapHandler(where, handler))

    return (received) => {
      const [path = "/"] = received.path.split("?", 1)
      const [, list, archive] = NODE_LIST_PATH.exec(path) ?? []
      if (list !== undefined && received.method === "GET")
        return faults.wrapHandler(
          { label: path },
          serveNodeList(networks, list, archive !== undefined)
        )(received)
      const gate = parseGatewayRequest(received)
      if (gate !== undefined) {
        const headers = gate.key === undefined ? {} : { "x-api-key": gate.key }
        const where = { network: networks.findByName(gate.network) ?? gate.network, label: path }
        return serveProvider(
          where,
          serveGateway(networks, gate)
        )({ ...received, headers: { ...received.headers, ...headers } })
      }
      const [, version, route = "/"] = VERSIONED_PATH.exec(path) ?? []
      // The sandbox's own routes have no version. They have no faults and need no key.
      if (version !== undefined && !/^\/sandbox(?:\/|$)/i.test(route)) {
        const withoutVersion = { ...received, path: received.path.slice(version.length + 1) || "/" }
        const serve = hasPath(generations, route)
          ? () => web(withoutVersion)
          : () => refuse(404, "not.found", `Cannot ${received.method} ${path}`)
        return serveProvider({ label: route }, serve)(received)
      }
      return web(received)
    }
  })
