import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { Config } from "../config/Config.js"
import { Logger } from "../config/Logger.js"
import { InvalidArgument, type RpcCallError, reasonOf } from "../data/SdkError.js"
import type { Subscriber, Wishes } from "./declaration.js"
import type { Pauses, SubscriptionError } from "./Subscription.js"
import { IDLE } from "./sockets.js"
import type { Standing } from "./standing.js"

/** Without a socket the nodes are asked when two blocks are due: not more often than `OFTEN`, nor less than `SELDOM` (ms). */
const OFTEN = 1_000
const SELDOM = 3_000

/** Nodes that are not there now, or do not answer now, may be there later. */
export const isPassing = (error: RpcCallError): boolean =>
  error._tag === "NoActiveNode" ||
  error._tag === "CallTimeout" ||
  (error._tag === "NodeError" && error.kind !== "malformed" && error.kind !== "too-large")

/** How long nothing may be heard of the chain before the nodes are asked over HTTP, in milliseconds. */
const patience = (standing: Standing, polling: number | undefined, longest: number): number => {
  const due = 2 * standing.blockTime
  if (!standing.isUp) {
    return Math.max(1, polling ?? (due === 0 ? SELDOM : Math.min(SELDOM, Math.max(OFTEN, due))))
  }
  // where not every block has something to tell, silence says nothing of a socket
  return standing.of.declaration.heightOf === undefined
    ? Number.POSITIVE_INFINITY
    : Math.max(polling ?? 0, Math.min(longest, Math.max(SELDOM, due)))
}

/** The socket of a subscription is gone. */
const untilDown = (standing: Standing): Effect.Effect<void> =>
  Effect.suspend(() =>
    standing.isUp ? Effect.zipRight(Effect.sleep(OFTEN), untilDown(standing)) : Effect.void
  )

/** The pause that a function of the user's says, which may say or throw anything. */
const pauseOf = (pauses: Pauses, call: string, count: number): Effect.Effect<number, InvalidArgument> =>
  Effect.suspend(() => {
    const said = `polling(${count}) must be milliseconds`
    try {
      const pause: unknown = pauses(count)
      return typeof pause === "number" && pause >= 0
        ? Effect.succeed(Math.max(1, pause))
        : Effect.fail(new InvalidArgument({ call, reason: `${said}, not ${String(pause)}` }))
    } catch (error) {
      return Effect.fail(new InvalidArgument({ call, reason: `${said}, and throws: ${reasonOf(error)}` }))
    }
  })

/** Does something after each pause, for ever. */
const paced = <E>(
  again: Effect.Effect<void, E>,
  pauses: Pauses,
  call: string,
  count = 0
): Effect.Effect<never, E | InvalidArgument> =>
  pauseOf(pauses, call, count).pipe(
    Effect.flatMap(Effect.sleep),
    Effect.zipRight(again),
    Effect.flatMap(() => paced(again, pauses, call, count + 1))
  )

/**
 * Asks the nodes over HTTP where the chain is: at the beginning, whenever a subscription is without a socket, and when its
 * socket is silent for too long. It fails only when there is no other way for a subscription than this.
 */
export const poll = (
  { client, context }: Subscriber,
  standing: Standing,
  polling: Wishes["polling"]
): Effect.Effect<never, SubscriptionError> => {
  const { declaration, label } = standing.of
  const { head } = declaration
  if (head === undefined || polling === false) return Effect.never
  const logger = Context.get(context, Logger)
  const { idle = IDLE } = Context.get(context, Config).subscriptions
  const ask = Effect.matchEffect(
    Effect.suspend(() => head.read(client)),
    {
      onSuccess: (answer) => standing.isAnswered(answer),
      onFailure: (error): Effect.Effect<void, SubscriptionError> => {
        standing.isUnanswered(error)
        return standing.isRefused && !isPassing(error)
          ? Effect.fail(error)
          : logger.debug(() => `The subscription ${label} could not be polled: ${error.message}`)
      }
    }
  )
  const again = Effect.zipRight(untilDown(standing), ask)
  if (typeof polling === "function") return ask.pipe(Effect.zipRight(paced(again, polling, label)))
  if (Schedule.isSchedule(polling)) {
    return ask.pipe(Effect.zipRight(Effect.repeat(again, polling)), Effect.zipRight(Effect.never))
  }
  const step = Effect.suspend(() => {
    const left = patience(standing, polling, 2 * idle) - standing.silence
    // a socket that is lost meanwhile shortens it
    return left > 0 ? Effect.sleep(Math.min(left, OFTEN)) : ask
  })
  return Effect.zipRight(ask, Effect.forever(step))
}
