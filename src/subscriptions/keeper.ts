import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import { Config } from "../config/Config.js"
import { Logger } from "../config/Logger.js"
import {
  CallTimeout,
  NoActiveNode,
  NodeError,
  type NodeErrorKind,
  type RpcError,
  reasonOf,
  type WebSocketUnavailable
} from "../data/SdkError.js"
import { monotonic } from "../http/service.js"
import { CallOptions } from "../wire/Transport.js"
import type { Connection, Refusal } from "./connection.js"
import type { HeadQuestion, Subscriber } from "./declaration.js"
import type { Place, Places } from "./places.js"
import { poll } from "./polling.js"
import type { SubscriptionError } from "./Subscription.js"
import { IDLE, type OpenSocket, SETTLED } from "./sockets.js"
import { type Begun, Standing } from "./standing.js"

/** The parts that the subscriptions of a client share. */
export interface Shared {
  readonly subscriber: Subscriber
  readonly places: Places
  readonly open: OpenSocket
}

/** Pauses before the next attempt (milliseconds): from 0.2 s on, to 15 s, jittered by a fifth. */
export const pause = (count: number): Effect.Effect<number> =>
  Effect.map(
    Random.next,
    (random) => Math.min(15_000, 200 * 1.7 ** Math.min(count, 9)) * (0.8 + 0.4 * random)
  )

/** Reads where a node stands, and leaves it if that is too far behind the others, as calls do. */
const whereIs = (
  { places, subscriber }: Shared,
  connection: Connection,
  question: HeadQuestion,
  url: string
): Effect.Effect<unknown, NodeError | Refusal> => {
  const failed = (kind: NodeErrorKind, reason: string): Effect.Effect<never, NodeError> =>
    Effect.zipRight(places.isLost(url), new NodeError({ kind, call: question.method, url, reason }))
  const read = (answer: unknown): Effect.Effect<unknown, NodeError> => {
    const head = Effect.try({ try: () => question.decode(answer), catch: reasonOf })
    return Effect.matchEffect(head, {
      onFailure: (reason) => failed("malformed", reason),
      onSuccess: (at) => {
        const { allowedBlocksBehind, nodes } = subscriber.pool.state()
        const highest = Math.max(0, ...nodes.map((node) => (node.failed ? 0 : node.lastBlock)))
        const behind = highest - question.height(at)
        return behind > allowedBlocksBehind
          ? failed("behind", `the node is ${behind} blocks behind others`)
          : Effect.succeed(at)
      }
    })
  }
  return Effect.flatMap(connection.call(question.method, question.params), read)
}

/** Stands at a node for as long as that goes well. */
const standAt = (
  shared: Shared,
  standing: Standing,
  place: Place
): Effect.Effect<never, NodeError | Refusal | WebSocketUnavailable> =>
  Effect.gen(function* () {
    const { declaration, params } = standing.of
    const { idle = IDLE } = Context.get(shared.subscriber.context, Config).subscriptions
    const connection = yield* shared.open(place)
    const take = (value: unknown): void => standing.takes(declaration.decode(value))
    yield* connection.subscribe({ ...declaration, params, take })
    const ask = declaration.head && whereIs(shared, connection, declaration.head, place.url)
    yield* standing.stands(place.url, ask && (yield* ask))
    if (ask === undefined) return yield* connection.lost
    const mark = Effect.map(ask, (head) => standing.isMarked(head))
    return yield* Effect.raceFirst(
      connection.lost,
      Effect.forever(Effect.zipRight(Effect.sleep(2 * idle), mark))
    )
  }).pipe(
    Effect.tapError(() => standing.falls),
    Effect.scoped
  )

/** Looks for a node to stand at, one after the other. It fails with the error that ends the subscription, and never succeeds. */
const seek = (
  shared: Shared,
  standing: Standing,
  isPolled: boolean
): Effect.Effect<never, SubscriptionError> => {
  const { context } = shared.subscriber
  const { network } = Context.get(context, Config)
  const logger = Context.get(context, Logger)
  const refused = new Map<string, RpcError>()
  /** No node has sockets for it: polls are all that it has. */
  const without = (error: SubscriptionError): Effect.Effect<never, SubscriptionError> =>
    isPolled ? Effect.zipRight(standing.isGivenUp, Effect.never) : Effect.fail(error)
  const attempt = Effect.gen(function* () {
    const all = yield* shared.places.ranked
    const place = all.find(({ url }) => !refused.has(url))
    const [said] = [...refused.values()]
    if (place === undefined) {
      if (said !== undefined) return yield* without(said)
      const reason = "there is no node for subscriptions"
      return yield* new NoActiveNode({ network, type: "NORMAL", manual: false, reason })
    }
    // in a fiber of its own: one that is interrupted while its socket closes forgets that, and would go on here
    const stood = yield* Effect.fork(standAt(shared, standing, place))
    const error = yield* Effect.flip(Fiber.join(stood))
    yield* logger.debug(() => `The subscription ${standing.of.label} was interrupted: ${why(error)}`)
    if (error._tag === "WebSocketUnavailable") return yield* without(error)
    standing.problem = error._tag === "Refusal" ? error.error : error
    if (error._tag !== "Refusal") return
    if (error.fault === "caller") return yield* error.error
    if (error.fault === "elsewhere") refused.set(place.url, error.error)
  })
  let attempts = 0
  return Effect.forever(
    Effect.clockWith((clock) => {
      const start = monotonic(clock)
      return Effect.flatMap(attempt, () => {
        if (monotonic(clock) - start > SETTLED) attempts = 0
        return Effect.flatMap(pause(attempts++), Effect.sleep)
      })
    })
  )
}
const why = (error: NodeError | Refusal | WebSocketUnavailable): string =>
  error._tag === "Refusal" ? error.error.message : error.message

/** A subscription without a notification within the time of a call ends, with the error that has kept it from beginning. */
const begins = ({ subscriber }: Shared, standing: Standing): Effect.Effect<never, SubscriptionError> =>
  Effect.flatMap(CallOptions, ({ timeout = Context.get(subscriber.context, Config).timeout }) =>
    Effect.delay(
      Effect.suspend(() =>
        standing.hasBegun
          ? Effect.never
          : Effect.fail(standing.problem ?? new CallTimeout({ call: standing.of.label, timeout }))
      ),
      timeout
    )
  )

/** Keeps a subscription at some node, or polls for it, until the nodes say no to it for all. */
export const keep = (shared: Shared, begun: Begun): Effect.Effect<never, SubscriptionError> =>
  Effect.clockWith((clock) => {
    const { subscriber } = shared
    const { declaration, options } = begun
    const standing = new Standing(begun, subscriber.pool.report, clock)
    const isPolled = declaration.head !== undefined && options.polling !== false
    return Effect.raceFirst(
      seek(shared, standing, isPolled),
      Effect.raceFirst(poll(subscriber, standing, options.polling), begins(shared, standing))
    )
  })
