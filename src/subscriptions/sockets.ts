import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as RcMap from "effect/RcMap"
import type * as Scope from "effect/Scope"
import { findChainProblem } from "../balancer/chainProblem.js"
import { ClientFamily, fieldAt } from "../balancer/Family.js"
import { Config } from "../config/Config.js"
import { makeSecretHider } from "../config/headers.js"
import { NodeError, WebSocketUnavailable } from "../data/SdkError.js"
import { findSocketMaker } from "../http/webSocket.js"
import { type Connection, connect } from "./connection.js"
import type { Subscriber, SubscriptionTable } from "./declaration.js"
import type { SocketTarget, SocketTargets } from "./socketTargets.js"

/** A socket that nobody has heard of for so long is asked something (milliseconds). */
export const IDLE_MS = 15_000

/** A connection that has lasted for so long has worked: earlier losses are forgotten. */
export const STABLE_MS = 10_000

/** Gives the socket to a place: the one that is there, or a new one. It is closed when nobody has it any more. */
export type OpenSocket = (
  place: SocketTarget
) => Effect.Effect<Connection, NodeError | WebSocketUnavailable, Scope.Scope>

/** Asks on a new socket whether its node is of the right chain, where the client asks that of nodes. */
const checkChain = (
  { call }: Connection,
  url: string,
  context: Subscriber["context"]
): Effect.Effect<void, NodeError> => {
  const { info, verifyChain } = Context.get(context, Config)
  const chain = info.check ?? Context.get(context, ClientFamily).chain
  const method = fieldAt("method")(chain?.body)
  if (chain === undefined || !verifyChain || typeof method !== "string") return Effect.void
  const params = fieldAt("params")(chain.body)
  return call(method, Array.isArray(params) ? params : []).pipe(
    Effect.flatMap((result) => {
      const problem = findChainProblem(chain, chain.chainIn({ result }), info)
      return problem === undefined
        ? Effect.void
        : Effect.fail(new NodeError({ ...problem, call: "chain check", url }))
    }),
    // a node that does not know the method counts as checked, as in the pool
    Effect.catchTag("Refusal", () => Effect.void)
  )
}

/** The sockets of a client, which its subscriptions share. They end with the scope. */
export const makeSockets = (
  { context }: Subscriber,
  table: SubscriptionTable,
  targets: SocketTargets
): Effect.Effect<OpenSocket, never, Scope.Scope> =>
  Effect.gen(function* () {
    const config = Context.get(context, Config)
    const { attemptTimeout, maxResponseBytes, subscriptions } = config
    const hide = makeSecretHider(config)
    const { idle: idleMs = IDLE_MS, timeout: timeoutMs = attemptTimeout, webSocket } = subscriptions
    const lookup = ({ headers, url }: SocketTarget): ReturnType<OpenSocket> =>
      Effect.gen(function* () {
        const construct = yield* findSocketMaker(webSocket)
        const connection = yield* connect({
          ...table,
          hide,
          url,
          openSocket: () => construct(url, headers),
          timeoutMs,
          idleMs,
          maxBytes: maxResponseBytes
        })
        yield* checkChain(connection, url, context)
        yield* Effect.forkScoped(Effect.delay(targets.forgetLosses(url), STABLE_MS))
        yield* Effect.forkScoped(Effect.catchAll(connection.awaitLoss, () => targets.recordLoss(url)))
        return connection
      }).pipe(
        Effect.tapError((error) => (error._tag === "NodeError" ? targets.recordLoss(url) : Effect.void))
      )
    const targetsByUrl = new Map<string, SocketTarget>()
    const sockets = yield* RcMap.make({
      lookup: (key: string) =>
        Effect.suspend(() => {
          const place = targetsByUrl.get(key.slice(key.indexOf(" ") + 1))
          if (place === undefined) throw new Error("a socket to nowhere")
          return lookup(place)
        })
    })
    // what comes on such a socket names no subscription: each has one of its own
    if (table.dialect !== undefined) return lookup
    if (table.noSocketsReason !== undefined) return () => Effect.fail(new WebSocketUnavailable())
    return (place) => {
      targetsByUrl.set(place.url, place)
      return RcMap.get(sockets, `${targets.countLosses(place.url)} ${place.url}`)
    }
  })
