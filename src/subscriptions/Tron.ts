import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isRecord } from "../data/foreign.js"
import { InvalidArgument, LoadError, reasonOf, WebSocketUnavailable } from "../data/SdkError.js"
import type { TronSubscriptions } from "./Subscription.js"
import { type MakeStreams, makeOf } from "./streams.js"

/** Not imported as they are: what pages of EVM chains load would be in more pieces. */
const evm = Effect.tryPromise({
  try: () => import("./Evm.js"),
  catch: (error) => new LoadError({ reason: reasonOf(error) })
})

const none = new WebSocketUnavailable()

/** The subscriptions of Tron, whose nodes speak as those of EVM chains over HTTP, and have no sockets. */
export const make: MakeStreams = (subscriber) =>
  Effect.gen(function* () {
    const { table } = yield* evm
    const { logs, newHeads } = table.declarations
    const polled = { newHeads, logs } satisfies { readonly [K in keyof TronSubscriptions]: unknown }
    const subscribe = yield* makeOf({ ...table, declarations: polled }, () =>
      Effect.succeed(() => Effect.fail(none))
    )(subscriber)
    return (name, args) =>
      args.some((arg: unknown) => isRecord(arg) && arg.polling === false)
        ? Stream.fail(
            new InvalidArgument({
              call: `subscribe.${name}`,
              reason: "polling must not be false: nodes of Tron have no sockets"
            })
          )
        : subscribe(name, args)
  })
