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

/** How long a socket may be silent before it is pinged (milliseconds). */
export const IDLE_MS = 15_000

/** After how long a connection counts as stable and earlier losses are forgotten (milliseconds). */
export const STABLE_MS = 10_000

/** Opens the socket at a target, or shares an open one. It closes when its last user releases it. */
export type OpenSocket = (
  place: SocketTarget
) => Effect.Effect<Connection, NodeError | WebSocketUnavailable, Scope.Scope>

/** Checks on a new socket that its node is of the right chain, if the client checks chains. */
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
    // notifications of such a socket do not name their subscription, so each subscription needs its own
    if (table.dialect !== undefined) return lookup
    if (table.noSocketsReason !== undefined) return () => Effect.fail(new WebSocketUnavailable())
    return (place) => {
      targetsByUrl.set(place.url, place)
      return RcMap.get(sockets, `${targets.countLosses(place.url)} ${place.url}`)
    }
  })
