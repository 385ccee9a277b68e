/**
 * Runs a program in a time of its own, which jumps from one event to the next: a minute of it costs as much as its events.
 * The order of events is always the same, so that a failure can be repeated.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scheduler from "effect/Scheduler"
import * as Supervisor from "effect/Supervisor"

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** The time of a simulation, and what is left over in it. */
export interface SimulatedTime {
  readonly now: () => number
  /** Timers that nobody has cancelled. */
  readonly timers: () => number
  /** Fibers that have not ended, but for the one that asks. */
  readonly fibers: () => number
  /** From now on promises are waited for: the event loop turns before time goes on. */
  readonly withPromises: () => void
}

/** More than this happens only where something goes round in circles. */
const MOST_EVENTS = 200_000

/** Yields how the program ended; throws if it never does. */
export const simulate = async <A, E>(
  program: (time: SimulatedTime) => Effect.Effect<A, E>
): Promise<Exit.Exit<A, E>> => {
  let now = 0
  let promises = false
  let turned = true
  /** In the order of their time, those of the same time in the order in which they came. */
  const timers: Array<Timer> = []
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: () => now,
    unsafeCurrentTimeNanos: () => BigInt(Math.round(now)) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanos: Effect.sync(() => BigInt(Math.round(now)) * 1_000_000n),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const at = now + Duration.toMillis(duration)
        if (!Number.isFinite(at)) return
        const timer: Timer = { at, fire: () => resume(Effect.void) }
        let place = timers.length
        while (place > 0 && (timers[place - 1]?.at ?? 0) > at) place--
        timers.splice(place, 0, timer)
        return Effect.sync(() => {
          const index = timers.indexOf(timer)
          if (index !== -1) timers.splice(index, 1)
        })
      })
  }
  const scheduler = new Scheduler.ControlledScheduler()
  const supervisor = Effect.runSync(Supervisor.track)
  const time: SimulatedTime = {
    now: () => now,
    timers: () => timers.length,
    fibers: () => Effect.runSync(supervisor.value).length,
    withPromises: () => {
      promises = true
    }
  }
  const fiber = Effect.runFork(
    Effect.supervised(
      Effect.suspend(() => program(time)),
      supervisor
    ).pipe(Effect.withClock(clock)),
    { scheduler }
  )
  for (let events = 0; events < MOST_EVENTS; events++) {
    while (scheduler.tasks.buckets.length > 0) scheduler.step()
    const exit = fiber.unsafePoll()
    if (exit !== null) return exit
    if (promises && !turned) {
      turned = true
      for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    turned = false
    const next = Option.fromNullable(timers.shift())
    if (Option.isNone(next)) throw new Error(`it waits for ever from ${now} ms on`)
    now = Math.max(now, next.value.at)
    next.value.fire()
  }
  throw new Error(`more than ${MOST_EVENTS} things have happened by ${now} ms`)
}
