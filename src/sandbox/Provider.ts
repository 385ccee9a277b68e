/**
 * The provider over HTTP: its REST API in both versions, the gateway to the nodes, the lists of nodes, and the sandbox's own
 * routes under /sandbox. Its documentation is at /docs, as OpenAPI at /openapi.json.
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
import { type Dependencies, live } from "./Api.js"
import { Faults, type Where } from "./Faults.js"
import { Keys, keyOf } from "./Keys.js"
import { answerOf, json } from "./Loopback.js"
import type { Answer, Handler, Received } from "./Message.js"
import { Networks } from "./Networks.js"
import { type Generations, isThere } from "./provider/Data.js"
import type { SandboxError } from "./SandboxError.js"

const refusal = (statusCode: number, errorCode: string, message: string, data?: ReadonlyArray<string>) => ({
  statusCode,
  errorCode,
  message,
  ...(data === undefined ? {} : { data })
})

const refuse = (statusCode: number, errorCode: string, message: string): Effect.Effect<Answer> =>
  Effect.succeed(json(refusal(statusCode, errorCode, message), statusCode))

const isDecodeError = (error: unknown): error is HttpApiDecodeError =>
  Predicate.isTagged(error, "HttpApiDecodeError")

/** The refusals of HttpApi, in the provider's words. */
const inWords = HttpApiBuilder.middleware((app) =>
  Effect.catchAllCause(app, (cause) => {
    const error = Cause.squash(cause)
    if (isDecodeError(error))
      return HttpServerResponse.json(
        refusal(
          400,
          "validation.failed",
          "Request validation failed. Please see data for additional information.",
          error.issues.map(({ message, path }) => `${path.map(String).join(".")} ${message}`.trim())
        ),
        { status: 400 }
      ).pipe(Effect.orDie)
    if (error instanceof HttpServerError.RequestError && error.reason === "Decode")
      return HttpServerResponse.json(refusal(400, "validation.failed", "The body is not valid JSON."), {
        status: 400
      }).pipe(Effect.orDie)
    if (error instanceof HttpServerError.RouteNotFound)
      return HttpServerResponse.json(
        refusal(404, "not.found", `The sandbox has no ${error.request.method} ${error.request.url}`),
        { status: 404 }
      ).pipe(Effect.orDie)
    // HttpApi writes the failures that a route declares
    if (Cause.isFailType(cause) || Cause.isInterrupted(cause)) return Effect.failCause(cause)
    return Effect.zipRight(
      Effect.logError("The sandbox failed", cause),
      HttpServerResponse.json(refusal(500, "internal", Cause.pretty(cause)), { status: 500 }).pipe(
        Effect.orDie
      )
    )
  })
)

/** The routes that HttpApi serves, which are those of both versions without the version. */
const rest = (
  seed: string,
  generations: Generations
): Effect.Effect<Handler, never, Dependencies | Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Dependencies>()
    const { handler } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        HttpApiBuilder.toWebHandler(
          Layer.mergeAll(
            inWords,
            HttpApiBuilder.middlewareOpenApi(),
            HttpApiSwagger.layer(),
            HttpServer.layerContext
          ).pipe(Layer.provideMerge(live(seed, generations)), Layer.provide(Layer.succeedContext(context)))
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
      ).pipe(Effect.flatMap(answerOf))
  })

/** The part of a gateway's path behind the network: a key, if there is one, and the path at the node. */
const gatewayPath = /^\/v[34]\/blockchain\/node\/([^/]+)(?:\/([^/]+))?(\/.*)?$/

interface Gate {
  readonly network: string
  readonly key: string | undefined
  readonly path: string
}

const gateOf = (received: Received): Gate | undefined => {
  const [path = "", query] = received.path.split("?", 2)
  const [, network, segment, more = ""] = gatewayPath.exec(path) ?? []
  if (network === undefined) return undefined
  const key = keyOf(received)
  const isKey = segment !== undefined && segment === key
  const behind = isKey || segment === undefined ? more : `/${segment}${more}`
  return {
    network,
    key: key === "" ? undefined : key,
    path: `${behind === "" ? "/" : behind}${query === undefined ? "" : `?${query}`}`
  }
}

const listPath = /^\/([^/]+?)(-archive)?\/list\.json$/
const versioned = /^\/(v[34])(\/.*)?$/

/**
 * The whole provider, as one handler. The gateway goes to the nodes themselves, past the faults of their
 * public urls; faults of routes act on the gateway and on the REST API alike. Of the data API it has the routes of `generations`.
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
    const web = yield* rest(seed, generations)

    const running = (name: string) => {
      const id = networks.named(name)
      return id === undefined ? Effect.succeed(undefined) : networks.get(id)
    }
    const unavailable = (error: SandboxError) => refuse(503, "node.unavailable", error.message)
    const missing = ({ method, path }: Received) =>
      refuse(404, "not.found", `The sandbox has no ${method} ${path.split("?", 1)[0]}`)

    const lists = (received: Received, name: string, archive: boolean): Effect.Effect<Answer> =>
      Effect.flatMap(running(name), (found) =>
        found === undefined
          ? missing(received)
          : Effect.succeed(
              json((archive ? found.archive : found.nodes).map(({ url }) => ({ url, type: archive ? 1 : 0 })))
            )
      ).pipe(Effect.catchAll(unavailable))

    const gateway =
      ({ network, path }: Gate): Handler =>
      (received) =>
        Effect.gen(function* () {
          const found = yield* running(network)
          if (found === undefined) return yield* missing(received)
          const answer = yield* found.handler({ ...received, path })
          return answer === "drop"
            ? yield* refuse(503, "node.unavailable", `No node of ${network} is up`)
            : answer
        }).pipe(Effect.catchAll(unavailable))

    /** Each request is checked, and each message of a WebSocket, which costs as much. */
    const checked =
      (handler: Handler): Handler =>
      (received) =>
        Effect.flatMap(keys.check(received), (refused) =>
          refused === undefined ? handler(received) : Effect.succeed(refused)
        ).pipe(
          Effect.map((answer) => {
            if (answer === "drop" || answer.socket === undefined) return answer
            const { socket } = answer
            return { ...answer, socket: (line) => Effect.map(socket(line), checked) } satisfies Answer
          })
        )

    /** A handler behind the check of its key and the faults of its route. */
    const provided = (where: Where, handler: Handler): Handler => checked(faults.around(where, handler))

    return (received) => {
      const [path = "/"] = received.path.split("?", 1)
      const [, list, archive] = listPath.exec(path) ?? []
      if (list !== undefined && received.method === "GET") {
        const isArchive = archive !== undefined
        return faults.around({ label: path }, () => lists(received, list, isArchive))(received)
      }
      const gate = gateOf(received)
      if (gate !== undefined) {
        const headers = gate.key === undefined ? {} : { "x-api-key": gate.key }
        const where = { network: networks.named(gate.network) ?? gate.network, label: path }
        return provided(where, gateway(gate))({ ...received, headers: { ...received.headers, ...headers } })
      }
      const [, version, route = "/"] = versioned.exec(path) ?? []
      // The sandbox's own routes have no version: no fault and no key stands before them.
      if (version !== undefined && !/^\/sandbox(?:\/|$)/i.test(route)) {
        const without = { ...received, path: received.path.slice(version.length + 1) || "/" }
        const serve = isThere(generations, route)
          ? () => web(without)
          : () => refuse(404, "not.found", `Cannot ${received.method} ${path}`)
        return provided({ label: route }, serve)(received)
      }
      return web(received)
    }
  })
