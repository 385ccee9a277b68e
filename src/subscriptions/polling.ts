import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Config } from "../config/Config.js"
import { Logger } from "../config/Logger.js"
import { InvalidArgument, type RpcCallError, reasonOf } from "../data/SdkError.js"
import type { ConnectionState } from "./connectionState.js"
import type { AnySubscriptionOptions, Subscriber } from "./declaration.js"
import type { PollingDelay, SubscriptionError } from "./Subscription.js"
import { IDLE_MS } from "./sockets.js"

/** Without a socket the nodes are asked when two blocks are due: not more often than `MIN_POLL_MS`, nor less than `MAX_POLL_MS` (ms). */
const MIN_POLL_MS = 1_000
const MAX_POLL_MS = 3_000

/** Whether an error may go away: the nodes cannot be reached, or do not answer in time. */
export const isTransient = (error: RpcCallError): boolean =>
  error._tag === "NoActiveNode" ||
  error._tag === "CallTimeout" ||
  (error._tag === "NodeError" && error.kind !== "malformed" && error.kind !== "too-large")

/** How long nothing may be heard of the chain before the nodes are asked over HTTP, in milliseconds. */
const maxSilenceMs = (state: ConnectionState, polling: number | undefined, longestMs: number): number => {
  const expectedMs = 2 * state.blockTimeMs
  if (!state.hasSocket) {
    return Math.max(
      1,
      polling ?? (expectedMs === 0 ? MAX_POLL_MS : Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, expectedMs)))
    )
  }
  // without an item in every block, silence does not mean that the socket is dead
  return state.subscription.declaration.heightOf === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(polling ?? 0, Math.min(longestMs, Math.max(MAX_POLL_MS, expectedMs)))
}

/** The socket of a subscription is gone. */
const waitForDisconnect = (state: ConnectionState): Effect.Effect<void> =>
  Effect.suspend(() =>
    state.hasSocket ? Effect.zipRight(Effect.sleep(MIN_POLL_MS), waitForDisconnect(state)) : Effect.void
  )

/** Reads the pause from the user's function, which may throw or return anything. */
const readPauseMs = (
  pauses: PollingDelay,
  call: string,
  count: number
): Effect.Effect<number, InvalidArgument> =>
  Effect.suspend(() => {
    const problem = `polling(${count}) must be milliseconds`
    try {
      const pause: unknown = pauses(count)
      return typeof pause === "number" && pause >= 0
        ? Effect.succeed(Math.max(1, pause))
        : Effect.fail(new InvalidArgument({ call, reason: `${problem}, not ${String(pause)}` }))
    } catch (error) {
      return Effect.fail(new InvalidArgument({ call, reason: `${problem}, and throws: ${reasonOf(error)}` }))
    }
  })

/** Does something after each pause, for ever. */
const repeatWithPauses = <E>(
  action: Effect.Effect<void, E>,
  pauses: PollingDelay,
  call: string,
  count = 0
): Effect.Effect<never, E | InvalidArgument> =>
  readPauseMs(pauses, call, count).pipe(
    Effect.flatMap(Effect.sleep),
    Effect.zipRight(action),
    Effect.flatMap(() => repeatWithPauses(action, pauses, call, count + 1))
  )

/**
 * Polls the nodes' head over HTTP: at the start, while the subscription has no socket, and when its socket is silent for too long. It
 * fails only if the subscription has no other way.
 */
export const poll = (
  { client, context }: Subscriber,
  state: ConnectionState,
  polling: AnySubscriptionOptions["polling"]
): Effect.Effect<never, SubscriptionError> => {
  const { declaration, label } = state.subscription
  const { head } = declaration
  if (head === undefined || polling === false) return Effect.never
  const logger = Context.get(context, Logger)
  const { idle: idleMs = IDLE_MS } = Context.get(context, Config).subscriptions
  const pollOnce = Effect.matchEffect(
    Effect.suspend(() => head.readFromPool(client)),
    {
      onSuccess: (answer) => state.recordPoll(answer),
      onFailure: (error): Effect.Effect<void, SubscriptionError> => {
        state.recordPollFailure(error)
        return state.isSocketRefused && !isTransient(error)
          ? Effect.fail(error)
          : logger.debug(() => `The subscription ${label} could not be polled: ${error.message}`)
      }
    }
  )
  const pollOnceDisconnected = Effect.zipRight(waitForDisconnect(state), pollOnce)
  if (typeof polling === "function")
    return pollOnce.pipe(Effect.zipRight(repeatWithPauses(pollOnceDisconnected, polling, label)))
  if (Schedule.isSchedule(polling)) {
    return pollOnce.pipe(
      Effect.zipRight(Effect.repeat(pollOnceDisconnected, polling)),
      Effect.zipRight(Effect.never)
    )
  }
  const step = Effect.suspend(() => {
    const remainingMs = maxSilenceMs(state, polling, 2 * idleMs) - state.silenceMs
    // losing the socket shortens the pause
    return remainingMs > 0 ? Effect.sleep(Math.min(remainingMs, MIN_POLL_MS)) : pollOnce
  })
  return Effect.zipRight(pollOnce, Effect.forever(step))
}
