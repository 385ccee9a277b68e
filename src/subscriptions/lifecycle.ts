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
import { ConnectionState, type StartedSubscription } from "./connectionState.js"
import type { HeadRequest, Subscriber } from "./declaration.js"
import { poll } from "./polling.js"
import type { SubscriptionError } from "./Subscription.js"
import { IDLE_MS, type OpenSocket, STABLE_MS } from "./sockets.js"
import type { SocketTarget, SocketTargets } from "./socketTargets.js"

/** The parts that the subscriptions of a client share. */
export interface SharedContext {
  readonly subscriber: Subscriber
  readonly targets: SocketTargets
  readonly openSocket: OpenSocket
}

/** Pauses before the next attempt (milliseconds): from 0.2 s on, to 15 s, jittered by a fifth. */
export const computeBackoffMs = (count: number): Effect.Effect<number> =>
  Effect.map(
    Random.next,
    (random) => Math.min(15_000, 200 * 1.7 ** Math.min(count, 9)) * (0.8 + 0.4 * random)
  )

/** Reads the head of a node, and fails if the node is too far behind the others, like a call. */
const readHead = (
  { targets, subscriber }: SharedContext,
  connection: Connection,
  question: HeadRequest,
  url: string
): Effect.Effect<unknown, NodeError | Refusal> => {
  const failNode = (kind: NodeErrorKind, reason: string): Effect.Effect<never, NodeError> =>
    Effect.zipRight(targets.recordLoss(url), new NodeError({ kind, call: question.method, url, reason }))
  const checkHead = (answer: unknown): Effect.Effect<unknown, NodeError> => {
    const head = Effect.try({ try: () => question.decode(answer), catch: reasonOf })
    return Effect.matchEffect(head, {
      onFailure: (reason) => failNode("malformed", reason),
      onSuccess: (at) => {
        const { allowedBlocksBehind, nodes } = subscriber.pool.state()
        const highest = Math.max(0, ...nodes.map((node) => (node.failed ? 0 : node.lastBlock)))
        const behind = highest - question.heightOf(at)
        return behind > allowedBlocksBehind
          ? failNode("behind", `the node is ${behind} blocks behind others`)
          : Effect.succeed(at)
      }
    })
  }
  return Effect.flatMap(connection.call(question.method, question.params), checkHead)
}

/** Subscribes at a node, until the connection is lost. */
const subscribeAtNode = (
  shared: SharedContext,
  state: ConnectionState,
  target: SocketTarget
): Effect.Effect<never, NodeError | Refusal | WebSocketUnavailable> =>
  Effect.gen(function* () {
    const { declaration, params } = state.subscription
    const { idle: idleMs = IDLE_MS } = Context.get(shared.subscriber.context, Config).subscriptions
    const connection = yield* shared.openSocket(target)
    const onNotification = (value: unknown): void => state.recordNotification(declaration.decode(value))
    yield* connection.subscribe({ ...declaration, params, onNotification })
    const readNodeHead = declaration.head && readHead(shared, connection, declaration.head, target.url)
    yield* state.recordConnected(target.url, readNodeHead && (yield* readNodeHead))
    if (readNodeHead === undefined) return yield* connection.awaitLoss
    const recordHead = Effect.map(readNodeHead, (head) => state.recordHeadRead(head))
    return yield* Effect.raceFirst(
      connection.awaitLoss,
      Effect.forever(Effect.zipRight(Effect.sleep(2 * idleMs), recordHead))
    )
  }).pipe(
    Effect.tapError(() => state.recordDisconnected),
    Effect.scoped
  )

/** Subscribes at one node after the other. It never succeeds, and fails with the error that ends the subscription. */
const subscribeAtAnyNode = (
  shared: SharedContext,
  state: ConnectionState,
  isPolled: boolean
): Effect.Effect<never, SubscriptionError> => {
  const { context } = shared.subscriber
  const { network } = Context.get(context, Config)
  const logger = Context.get(context, Logger)
  const refusals = new Map<string, RpcError>()
  /** No node has sockets for it: polls are all that it has. */
  const failUnlessPolled = (error: SubscriptionError): Effect.Effect<never, SubscriptionError> =>
    isPolled ? Effect.zipRight(state.recordRefused, Effect.never) : Effect.fail(error)
  const attempt = Effect.gen(function* () {
    const ranked = yield* shared.targets.ranked
    const target = ranked.find(({ url }) => !refusals.has(url))
    const [refusal] = [...refusals.values()]
    if (target === undefined) {
      if (refusal !== undefined) return yield* failUnlessPolled(refusal)
      const reason = "there is no node for subscriptions"
      return yield* new NoActiveNode({ network, type: "NORMAL", manual: false, reason })
    }
    // in a fiber of its own: a fiber that is interrupted while its socket closes would go on here
    const fiber = yield* Effect.fork(subscribeAtNode(shared, state, target))
    const error = yield* Effect.flip(Fiber.join(fiber))
    yield* logger.debug(
      () => `The subscription ${state.subscription.label} was interrupted: ${formatReason(error)}`
    )
    if (error._tag === "WebSocketUnavailable") return yield* failUnlessPolled(error)
    state.lastError = error._tag === "Refusal" ? error.error : error
    if (error._tag !== "Refusal") return
    if (error.fault === "caller") return yield* error.error
    if (error.fault === "elsewhere") refusals.set(target.url, error.error)
  })
  let attempts = 0
  return Effect.forever(
    Effect.clockWith((clock) => {
      const start = monotonic(clock)
      return Effect.flatMap(attempt, () => {
        if (monotonic(clock) - start > STABLE_MS) attempts = 0
        return Effect.flatMap(computeBackoffMs(attempts++), Effect.sleep)
      })
    })
  )
}
const formatReason = (error: NodeError | Refusal | WebSocketUnavailable): string =>
  error._tag === "Refusal" ? error.error.message : error.message

/** A subscription without a notification within the time of a call ends, with the error that has kept it from beginning. */
const failUnlessBegun = (
  { subscriber }: SharedContext,
  state: ConnectionState
): Effect.Effect<never, SubscriptionError> =>
  Effect.flatMap(CallOptions, ({ timeout = Context.get(subscriber.context, Config).timeout }) =>
    Effect.delay(
      Effect.suspend(() =>
        state.hasBegun
          ? Effect.never
          : Effect.fail(state.lastError ?? new CallTimeout({ call: state.subscription.label, timeout }))
      ),
      timeout
    )
  )

/** Runs a subscription, at some node or by polls, until all nodes refuse it. */
export const runSubscription = (
  shared: SharedContext,
  subscription: StartedSubscription
): Effect.Effect<never, SubscriptionError> =>
  Effect.clockWith((clock) => {
    const { subscriber } = shared
    const { declaration, options } = subscription
    const state = new ConnectionState(subscription, subscriber.pool.report, clock)
    const isPolled = declaration.head !== undefined && options.polling !== false
    return Effect.raceFirst(
      subscribeAtAnyNode(shared, state, isPolled),
      Effect.raceFirst(poll(subscriber, state, options.polling), failUnlessBegun(shared, state))
    )
  })
