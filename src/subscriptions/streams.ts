import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Config } from "../config/Config.js"
import { Logger } from "../config/Logger.js"
import { InvalidArgument, reasonOf, SubscriptionOverflow } from "../data/SdkError.js"
import { type SubscriptionTrace, Tracing } from "../wire/Transport.js"
import type { StartedSubscription } from "./connectionState.js"
import type {
  AnySubscriptionOptions,
  Follower,
  Subscriber,
  SubscriptionDeclaration,
  SubscriptionEvent,
  SubscriptionTable
} from "./declaration.js"
import { computeBackoffMs, runSubscription, type SharedContext } from "./lifecycle.js"
import { isTransient } from "./polling.js"
import { EventQueue, type MissedEvents, type OverflowPolicy } from "./queue.js"
import type { SubscriptionError } from "./Subscription.js"
import { makeSockets } from "./sockets.js"
import { makeSocketTargets } from "./socketTargets.js"

/** The default of `buffer`: how many items may wait for the consumer. */
const DEFAULT_BUFFER = 4_096

const retrySchedule = /*#__PURE__*/ Schedule.modifyDelayEffect(Schedule.forever, computeBackoffMs)

/** The subscriptions of a client by their names. */
export type MakeSubscription = (
  name: string,
  args: ReadonlyArray<never>
) => Stream.Stream<unknown, SubscriptionError>

type AnyDeclaration = SubscriptionDeclaration<ReadonlyArray<never>, unknown>

const isPositiveInteger = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

const isPollingOption = (polling: unknown = false): boolean =>
  polling === false || typeof polling === "function" || Number(polling) >= 0 || Schedule.isSchedule(polling)

const findOptionsProblem = (
  { buffer = 1, maxGap = 1, onMode, overflow = "fail", polling }: AnySubscriptionOptions,
  { noSocketsReason }: SubscriptionTable
): string | undefined =>
  !isPositiveInteger(buffer) || !isPositiveInteger(maxGap)
    ? "buffer and maxGap must be whole numbers from 1"
    : overflow !== "fail" && overflow !== "sliding"
      ? 'overflow must be "fail" or "sliding"'
      : !isPollingOption(polling)
        ? "polling must be milliseconds, a function of the count of pauses before, false, or on the Effect surface a Schedule"
        : onMode !== undefined && typeof onMode !== "function"
          ? "onMode must be a function"
          : noSocketsReason !== undefined && polling === false
            ? `polling must not be false: ${noSocketsReason}`
            : undefined

/** The parameters that a subscription is made with, out of the caller's arguments. */
const encodeParams = (
  table: SubscriptionTable,
  { params }: AnyDeclaration,
  args: ReadonlyArray<never>
): ReadonlyArray<unknown> => {
  const encoded = params(...args)
  // an argument that cannot be encoded is the caller's fault, and not a socket's
  table.integers.stringify(encoded)
  return encoded
}

/** The rule of a subscription for an item without room. */
const overflowPolicyOf = (
  label: string,
  declaration: AnyDeclaration,
  options: AnySubscriptionOptions
): OverflowPolicy => {
  const { buffer = DEFAULT_BUFFER, overflow } = options
  if (declaration.head !== undefined) return "reread"
  return overflow === "sliding"
    ? "sliding"
    : { fail: () => new SubscriptionOverflow({ subscription: label, buffer }) }
}

/** The items that a follower makes of an event. While the nodes cannot be asked, it waits for them. */
const makeEventHandler =
  ({ client }: Subscriber, { head }: AnyDeclaration, follower: Follower<unknown>) =>
  (
    event: SubscriptionEvent<unknown> | MissedEvents
  ): Effect.Effect<ReadonlyArray<unknown>, SubscriptionError> => {
    const handleOnce = Effect.suspend(() => {
      if (event._tag !== "Missed") return follower.handle(event)
      return head === undefined
        ? follower.handle({ _tag: "Connected", isFirst: false, head: undefined })
        : Effect.flatMap(head.readFromPool(client), (now) => follower.handle({ _tag: "Polled", head: now }))
    })
    return Effect.retry(handleOnce, { schedule: retrySchedule, while: isTransient })
  }

/** Begins a subscription, which ends with the scope, or with the client. */
const startSubscription = (
  shared: SharedContext,
  openQueues: Set<EventQueue<unknown>>,
  start: Omit<StartedSubscription, "queue" | "trace">,
  args: ReadonlyArray<never>
): Effect.Effect<Stream.Stream<unknown, SubscriptionError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { subscriber } = shared
    const { declaration, label, options } = start
    const { network } = Context.get(subscriber.context, Config)
    const more = Context.get(subscriber.context, Tracing)?.extra
    const trace = more && (yield* more.traceSubscription(label, network))
    const runInSpan: SubscriptionTrace["within"] = trace?.within ?? ((effect) => effect)
    const queue = new EventQueue<unknown>(
      options.buffer ?? DEFAULT_BUFFER,
      overflowPolicyOf(label, declaration, options)
    )
    yield* Effect.acquireRelease(
      Effect.sync(() => openQueues.add(queue)),
      () =>
        Effect.sync(() => {
          openQueues.delete(queue)
          queue.close()
        })
    )
    const warn = (message: string) => Context.get(subscriber.context, Logger).warn(() => message)
    const { makeFollower = () => passThroughFollower } = declaration
    const follower: Follower<unknown> = makeFollower({ client: subscriber.client, options, warn }, ...args)
    // nobody looks at the fiber: a defect in it ends the stream as well, which would be silent for ever
    const runUntilError = Effect.catchAllCause(runSubscription(shared, { ...start, queue, trace }), (cause) =>
      Effect.sync(() => queue.endWith(Effect.failCause(cause)))
    )
    yield* Effect.forkScoped(runInSpan(runUntilError))
    const handleEvent = makeEventHandler(subscriber, declaration, follower)
    return Stream.paginateChunkEffect(undefined, () =>
      Effect.map(runInSpan(Effect.flatMap(queue.take, handleEvent)), (items) => [
        Chunk.unsafeFromArray(items),
        follower.isOver?.() === true ? Option.none() : Option.some(undefined)
      ])
    )
  })

/** Makes the subscriptions of a table for a client. Their sockets, and the subscriptions themselves, end with the scope. */
export const makeSubscriptions = (
  table: SubscriptionTable,
  subscriber: Subscriber
): Effect.Effect<MakeSubscription, never, Scope.Scope> =>
  Effect.gen(function* () {
    const config = Context.get(subscriber.context, Config)
    const targets = makeSocketTargets(config, subscriber.pool.state, table.toSocketUrl)
    const shared: SharedContext = {
      subscriber,
      targets,
      openSocket: yield* makeSockets(subscriber, table, targets)
    }
    const open = new Set<EventQueue<unknown>>()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const queue of open) queue.close()
      })
    )
    return (name, args) => {
      const label = `subscribe.${name}`
      const declaration = table.declarations[name]
      if (declaration === undefined) throw new Error(label)
      const callArgs = args.slice(0, declaration.arity)
      const options: AnySubscriptionOptions = args[declaration.arity] ?? {}
      const start = Effect.gen(function* () {
        const reason = findOptionsProblem(options, table)
        if (reason !== undefined) return yield* new InvalidArgument({ call: label, reason })
        const params = yield* Effect.try({
          try: () => encodeParams(table, declaration, callArgs),
          catch: (error) => new InvalidArgument({ call: label, reason: reasonOf(error) })
        })
        return yield* startSubscription(shared, open, { label, declaration, params, options }, callArgs)
      })
      return Stream.unwrapScoped(start)
    }
  })

const passThroughFollower: Follower<unknown> = {
  handle: (event) => Effect.succeed(event._tag === "Item" ? [event.item] : [])
}
