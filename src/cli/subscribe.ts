/**
 * `effect-chains subscribe`: events of a chain as they come.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { isRecord } from "../data/foreign.js"
import { nearest } from "../data/nearest.js"
import { type ConnectionOptions, connect } from "./Connection.js"
import { wrong } from "./Failure.js"
import { argument } from "./Methods.js"
import { answer, readable } from "./Output.js"

/**
 * Prints the events of a subscription, one a line, until it is ended, or `count` of them.
 *
 * @since 0.1.0
 * @category operations
 */
export const run = (
  options: ConnectionOptions & {
    readonly network: string
    readonly kind: string
    readonly args: ReadonlyArray<string>
    readonly count: Option.Option<number>
  }
): Effect.Effect<void, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const args = yield* Effect.forEach(options.args, argument)
    const { network, rpc } = yield* connect(options.network, options)
    const { subscribe } = rpc
    if (!isRecord(subscribe))
      return yield* wrong(
        `There are no subscriptions on ${network}: EVM chains, Tron, Solana and the XRP Ledger have some`
      )
    const begin = Object.hasOwn(subscribe, options.kind) ? subscribe[options.kind] : undefined
    if (typeof begin !== "function") {
      const near = nearest(options.kind, Object.keys(subscribe))
      return yield* wrong(
        `${network} has no subscription ${options.kind}${near === undefined ? "" : `: did you mean ${near}?`} There are ${Object.keys(subscribe).join(", ")}`
      )
    }
    // the members of a network's subscriptions are streams of its events
    const events = begin(...args) as Stream.Stream<unknown, unknown>
    const count = Option.getOrUndefined(options.count)
    yield* Stream.runForEach(count === undefined ? events : Stream.take(events, count), (event) =>
      answer(options.json, event, readable)
    )
  })
