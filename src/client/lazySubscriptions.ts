import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { Config } from "../config/Config.js"
import { loadOnce } from "../data/loadOnce.js"
import { NodeError } from "../data/SdkError.js"
import type { SubscriptionTable } from "../subscriptions/declaration.js"
import { type Subscriptions, subscriptions } from "../subscriptions/Subscription.js"
import type { MakeSubscription } from "../subscriptions/streams.js"
import type { MakeCalls } from "../transport/Client.js"
import type { TransportService } from "../wire/Transport.js"
import type { ClientParts } from "./clientParts.js"

const loadEvm = () => import("../subscriptions/Evm.js")

/** Methods that make, read or end a filter or subscription. A node keeps these for its caller. */
const FILTER_METHOD =
  /_(?:(?:new|get|uninstall)(?:Block|PendingTransactions?)?Filter(?:Changes|Logs)?|(?:un)?subscribe)$/

/**
 * Sends calls of a filter to the node that made it. The code is loaded with the first filter. Filters and subscriptions
 * share a chunk: both backfill missed blocks.
 */
export const pinFilters = (inner: TransportService, makeCalls: MakeCalls): TransportService => {
  const filters = loadOnce(loadEvm, ({ makeFilters }) => Effect.succeed(makeFilters(inner, makeCalls)))
  return {
    ...inner,
    isSentAlone: (method) => FILTER_METHOD.test(method),
    send: (call) =>
      call.repeat === "write" && FILTER_METHOD.test(call.label)
        ? (inner.observe ?? sendUnobserved)(call, (part) =>
            Effect.flatMap(
              Effect.mapError(
                filters,
                ({ message }) =>
                  new NodeError({ kind: "network", call: call.label, url: "", reason: message })
              ),
              (send) => send({ ...part, isPart: true })
            )
          )
        : inner.send(call)
  }
}

const sendUnobserved: NonNullable<TransportService["observe"]> = (call, send) => send(call)

/** Loads the subscriptions of a family, with the first of them. */
const subscriptionLoaders: {
  readonly [F in keyof Subscriptions]: () => Promise<{ readonly table: SubscriptionTable }>
} = {
  evm: loadEvm,
  "evm-beacon": loadEvm,
  "evm-native": loadEvm,
  zksync: loadEvm,
  // they speak as those of EVM chains over HTTP
  tron: async () => ({
    table: { ...(await loadEvm()).table, noSocketsReason: "nodes of Tron have no sockets" }
  }),
  solana: () => import("../subscriptions/Solana.js"),
  xrp: () => import("../subscriptions/Xrp.js")
}

/** Converts a subscription to a surface. It is loaded when it runs. */
export type SubscriptionSurface = (stream: Effect.Effect<Stream.Stream<unknown, Error>, Error>) => unknown

const hasSubscriptions = (family: string): family is keyof Subscriptions =>
  Object.hasOwn(subscriptionLoaders, family)

/**
 * Makes `subscribe` of a client on a surface, or nothing for families without subscriptions. `load` loads what all
 * families share.
 */
export const makeSubscribe = (
  { makeCalls, context, pool, scope }: ClientParts,
  load: () => Promise<Pick<typeof import("../subscriptions/streams.js"), "makeSubscriptions">>
): ((surface: SubscriptionSurface) => object) => {
  const { family } = Context.get(context, Config).info
  if (!hasSubscriptions(family)) return () => ({})
  const streams = loadOnce(
    () => Promise.all([subscriptionLoaders[family](), load()]),
    ([{ table }, { makeSubscriptions }]): Effect.Effect<MakeSubscription> =>
      Effect.provideService(
        makeSubscriptions(table, { client: makeCalls, context, pool }),
        Scope.Scope,
        scope
      )
  )
  const names: ReadonlyArray<string> = Object.keys(subscriptions[family])
  return (surface) => ({
    subscribe: Object.fromEntries(
      names.map((name) => [
        name,
        Object.assign(
          (...args: ReadonlyArray<never>) =>
            surface(Effect.map(streams, (subscribe) => subscribe(name, args))),
          { live: true }
        )
      ])
    )
  })
}
