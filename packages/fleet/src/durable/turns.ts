/**
 * The loop that every durable payment runs. A turn checks the chain for a while in one activity. Between turns the workflow is suspended: it
 * is in the database alone, and takes no memory. Each chain family gives the check, and says what its result means.
 */
import * as Activity from "@effect/workflow/Activity"
import * as DurableClock from "@effect/workflow/DurableClock"
import type { WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"

/** How often a turn checks, and for how long. */
export interface TurnTiming {
  readonly pollingInterval: Duration.DurationInput
  readonly suspendAfter: Duration.DurationInput
}

/** The time after a check, in milliseconds since 1970, and whether the turn has to end. */
export interface Moment {
  readonly now: number
  readonly isTimeUp: boolean
}

/** A turn: its check, and how it goes on. A callback that gives undefined lets it check again. */
export interface Turn<S, E, A, F> {
  readonly check: Effect.Effect<S, E>
  readonly onChecked: (seen: S, moment: Moment) => Effect.Effect<A | undefined, F>
  readonly onFailed: (error: E, moment: Moment) => Effect.Effect<A | undefined, F>
  readonly onTimeUp: () => A | undefined
}

/** Checks until a callback gives a result. */
export const runTurn = <S, E, A, F>(
  { pollingInterval, suspendAfter }: TurnTiming,
  { check, onChecked, onFailed, onTimeUp }: Turn<S, E, A, F>
): Effect.Effect<A, F> =>
  Effect.gen(function* () {
    const deadline = (yield* Clock.currentTimeMillis) + Duration.toMillis(suspendAfter)
    for (;;) {
      const checked = yield* Effect.either(check)
      const now = yield* Clock.currentTimeMillis
      const moment = { now, isTimeUp: now >= deadline }
      const result = yield* Either.isRight(checked)
        ? onChecked(checked.right, moment)
        : Effect.tap(onFailed(checked.left, moment), (ended) =>
            ended === undefined ? Effect.logDebug("tried again", checked.left) : Effect.void
          )
      const ended = result ?? (moment.isTimeUp ? onTimeUp() : undefined)
      if (ended !== undefined) return ended
      yield* Effect.sleep(pollingInterval)
    }
  })

/** What follows from a turn: the end, or another turn with this state, at once or after a pause. */
export type Step<A, S> = { readonly end: A } | { readonly state: S; readonly pause?: Duration.DurationInput }

/** Runs turns until one is the end. Each is an activity, which may run twice. */
export const runTurns = <T, I, E, J, A, S>({
  error,
  initial,
  name,
  next,
  result,
  turn
}: {
  readonly name: string
  readonly result: Schema.Schema<T, I>
  readonly error: Schema.Schema<E, J>
  readonly initial: S
  readonly turn: (state: S) => Effect.Effect<T, E>
  /** `index` counts turns from 0. */
  readonly next: (result: T, state: S, index: number) => Step<A, S>
}): Effect.Effect<A, E, WorkflowEngine | WorkflowInstance> =>
  Effect.gen(function* () {
    let state = initial
    for (let index = 0; ; index++) {
      const ended: T = yield* Activity.make({
        name: `${name}/${index}`,
        success: result,
        error,
        execute: turn(state)
      })
      const step = next(ended, state, index)
      if ("end" in step) return step.end
      state = step.state
      if (step.pause !== undefined)
        yield* DurableClock.sleep({
          name: `${name}/${index}/pause`,
          duration: step.pause,
          inMemoryThreshold: "0 millis"
        })
    }
  })
