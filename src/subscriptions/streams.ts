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
import type {
  Declaration,
  Follower,
  Happening,
  Subscriber,
  SubscriptionTable,
  Wishes
} from "./declaration.js"
import { keep, pause, type Shared } from "./keeper.js"
import { type Full, Mailbox, type Missed } from "./mailbox.js"
import { makePlaces } from "./places.js"
import { isPassing } from "./polling.js"
import type { SubscriptionError } from "./Subscription.js"
import { makeSockets } from "./sockets.js"
import type { Begun } from "./standing.js"

/** Items that may wait for a consumer, where nothing else is said. */
const BUFFER = 4_096

const backOff = /*#__PURE__*/ Schedule.modifyDelayEffect(Schedule.forever, pause)

/** The subscriptions of a client by their names. */
export type Streams = (name: string, args: ReadonlyArray<never>) => Stream.Stream<unknown, SubscriptionError>

type AnyDeclaration = Declaration<ReadonlyArray<never>, unknown>

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1

const isPolling = (polling: unknown = false): boolean =>
  polling === false || typeof polling === "function" || Number(polling) >= 0 || Schedule.isSchedule(polling)

const problemWith = (
  { buffer = 1, maxGap = 1, onMode, overflow = "fail", polling }: Wishes,
  { withoutSockets }: SubscriptionTable
): string | undefined =>
  !isCount(buffer) || !isCount(maxGap)
    ? "buffer and maxGap must be whole numbers from 1"
    : overflow !== "fail" && overflow !== "sliding"
      ? 'overflow must be "fail" or "sliding"'
      : !isPolling(polling)
        ? "polling must be milliseconds, a function of the count of pauses before, false, or on the Effect surface a Schedule"
        : onMode !== undefined && typeof onMode !== "function"
          ? "onMode must be a function"
          : withoutSockets !== undefined && polling === false
            ? `polling must not be false: ${withoutSockets}`
            : undefined

/** The parameters that a subscription is made with, out of the caller's arguments. */
const paramsOf = (
  table: SubscriptionTable,
  { params }: AnyDeclaration,
  own: ReadonlyArray<never>
): ReadonlyArray<unknown> => {
  const made = params(...own)
  // an argument that cannot be sent is the caller's fault, and not that of a socket
  table.integers.stringify(made)
  return made
}

/** The rule of a subscription for an item without room. */
const fullOf = (label: string, declaration: AnyDeclaration, options: Wishes): Full => {
  const { buffer = BUFFER, overflow } = options
  if (declaration.head !== undefined) return "reread"
  return overflow === "sliding"
    ? "sliding"
    : { fail: () => new SubscriptionOverflow({ subscription: label, buffer }) }
}

/** The items that a follower makes of an event. While the nodes cannot be asked, it waits for them. */
const followed =
  ({ client }: Subscriber, { head }: AnyDeclaration, follower: Follower<unknown>) =>
  (event: Happening<unknown> | Missed): Effect.Effect<ReadonlyArray<unknown>, SubscriptionError> => {
    const on = Effect.suspend(() => {
      if (event._tag !== "Missed") return follower.on(event)
      return head === undefined
        ? follower.on({ _tag: "Up", first: false, head: undefined })
        : Effect.flatMap(head.read(client), (now) => follower.on({ _tag: "Polled", head: now }))
    })
    return Effect.retry(on, { schedule: backOff, while: isPassing })
  }

/** Begins a subscription, which ends with the scope, or with the client. */
const begin = (
  shared: Shared,
  open: Set<Mailbox<unknown>>,
  begun: Omit<Begun, "mailbox" | "trace">,
  own: ReadonlyArray<never>
): Effect.Effect<Stream.Stream<unknown, SubscriptionError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { subscriber } = shared
    const { declaration, label, options } = begun
    const { network } = Context.get(subscriber.context, Config)
    const more = Context.get(subscriber.context, Tracing)?.extra
    const trace = more && (yield* more.traceSubscription(label, network))
    const within: SubscriptionTrace["within"] = trace?.within ?? ((effect) => effect)
    const mailbox = new Mailbox<unknown>(options.buffer ?? BUFFER, fullOf(label, declaration, options))
    yield* Effect.acquireRelease(
      Effect.sync(() => open.add(mailbox)),
      () =>
        Effect.sync(() => {
          open.delete(mailbox)
          mailbox.close()
        })
    )
    const warn = (message: string) => Context.get(subscriber.context, Logger).warn(message)
    const { follow = () => asTheyCome } = declaration
    const follower: Follower<unknown> = follow({ client: subscriber.client, options, warn }, ...own)
    const kept = Effect.catchAll(keep(shared, { ...begun, mailbox, trace }), (error) =>
      Effect.sync(() => mailbox.fail(error))
    )
    yield* Effect.forkScoped(within(kept))
    const step = followed(subscriber, declaration, follower)
    return Stream.paginateChunkEffect(undefined, () =>
      Effect.map(within(Effect.flatMap(mailbox.take, step)), (items) => [
        Chunk.unsafeFromArray(items),
        follower.isOver?.() === true ? Option.none() : Option.some(undefined)
      ])
    )
  })

/** Makes the subscriptions of a table for a client. Their sockets, and the subscriptions themselves, end with the scope. */
export const makeOf = (
  table: SubscriptionTable,
  subscriber: Subscriber
): Effect.Effect<Streams, never, Scope.Scope> =>
  Effect.gen(function* () {
    const config = Context.get(subscriber.context, Config)
    const places = makePlaces(config, subscriber.pool.state, table.socketUrl)
    const shared: Shared = { subscriber, places, open: yield* makeSockets(subscriber, table, places) }
    const open = new Set<Mailbox<unknown>>()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const mailbox of open) mailbox.close()
      })
    )
    return (name, args) => {
      const label = `subscribe.${name}`
      const declaration = table.declarations[name]
      if (declaration === undefined) throw new Error(label)
      const own = args.slice(0, declaration.arity)
      const options: Wishes = args[declaration.arity] ?? {}
      const made = Effect.gen(function* () {
        const reason = problemWith(options, table)
        if (reason !== undefined) return yield* new InvalidArgument({ call: label, reason })
        const params = yield* Effect.try({
          try: () => paramsOf(table, declaration, own),
          catch: (error) => new InvalidArgument({ call: label, reason: reasonOf(error) })
        })
        return yield* begin(shared, open, { label, declaration, params, options }, own)
      })
      return Stream.unwrapScoped(made)
    }
  })

const asTheyCome: Follower<unknown> = {
  on: (event) => Effect.succeed(event._tag === "Item" ? [event.item] : [])
}
