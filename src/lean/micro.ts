/**
 * What the modules of the lean runtime are made of: functions of effect's names and types over `effect/Micro`, of which they use
 * nothing but what is public.
 */
import type { Clock } from "effect/Clock"
import type * as Effect from "effect/Effect"
import * as Micro from "effect/Micro"
import { as } from "./cast.js"

export { as } from "./cast.js"

/** Microtasks, as effect's own: Micro's tasks would cost a turn of the event loop each. After many in a row, others get theirs. */
class Scheduler implements Micro.MicroScheduler {
  private tasks: Array<() => void> = []
  private isRunning = false
  scheduleTask(task: () => void): void {
    this.tasks.push(task)
    if (this.isRunning) return
    this.isRunning = true
    this.later(0)
  }
  shouldYield(fiber: Micro.MicroFiber<unknown, unknown>): boolean {
    return fiber.currentOpCount >= 2_048
  }
  flush(): void {
    while (this.tasks.length > 0) this.run()
  }
  private later(depth: number): void {
    if (depth >= 2_048) setTimeout(() => this.turn(0), 0)
    else queueMicrotask(() => this.turn(depth + 1))
  }
  private turn(depth: number): void {
    try {
      this.run()
    } finally {
      if (this.tasks.length > 0) this.later(depth)
      else this.isRunning = false
    }
  }
  private run(): void {
    const { tasks } = this
    this.tasks = []
    let done = 0
    try {
      for (const task of tasks) {
        done++
        task()
      }
    } finally {
      // an observer that throws keeps no other from its turn
      if (done < tasks.length) this.tasks = [...tasks.slice(done), ...this.tasks]
    }
  }
}

export const scheduler: Micro.MicroScheduler = /*#__PURE__*/ new Scheduler()
export const options = { scheduler }

/** Runs an effect of this runtime; it begins at once. */
export const started = <A, E>(effect: Micro.Micro<A, E>): Micro.MicroFiber<A, E> =>
  Micro.runFork(effect, options)

/** By a cause of which nothing is rendered: Micro's own is an Error with the text of the failure. */
export const fail: typeof Effect.fail = /*#__PURE__*/ as((error: unknown) =>
  Micro.failCause(as<Micro.MicroCause<unknown>>({ _tag: "Fail", error }))
)

type Any = Micro.Micro<unknown, unknown>

/** A step whose exceptions are defects: by one that is thrown, Micro (effect 3.22.4) ends the fiber without its finalizers. */
export const guarded =
  <A extends ReadonlyArray<unknown>, B extends Any>(step: (...args: A) => B) =>
  (...args: A): B => {
    try {
      return step(...args)
    } catch (error) {
      return as(Micro.die(error))
    }
  }

export const suspend = (make: () => Any): Any => Micro.suspend(guarded(make))
export const flatMap = (self: Any, then: (value: unknown) => Any): Any => Micro.flatMap(self, guarded(then))
export const map = (self: Any, change: (value: unknown) => unknown): Any =>
  flatMap(self, (value) => Micro.succeed(change(value)))
export const withFiber = (use: (fiber: Micro.MicroFiber<unknown, unknown>) => Any): Any =>
  Micro.withMicroFiber<unknown, unknown, never>(guarded(use))

/** Interrupts a fiber, and yields its end. */
export const interrupted = <A, E>(fiber: Micro.MicroFiber<A, E>): Micro.Micro<Micro.MicroExit<A, E>> =>
  Micro.suspend(() => {
    fiber.unsafeInterrupt()
    return Micro.fiberAwait(fiber)
  })

/** Ends a fiber with a scope. A part of the scope is its own, and goes with it. */
export const inScope = <A, E>(
  fiber: Micro.MicroFiber<A, E>,
  within: Micro.MicroScope
): Micro.Micro<Micro.MicroFiber<A, E>> =>
  Micro.flatMap(within.fork, (own) =>
    Micro.map(
      own.addFinalizer(() => as(interrupted(fiber))),
      () => {
        fiber.addObserver((exit) => void started(own.close(exit)))
        return fiber
      }
    )
  )

/** A timer holds 31 bits, and would be over at once if it were to hold more: one that is longer ends after 24 days. */
const LONGEST = 2 ** 31 - 1

const now = (): number => Date.now()
const nanos = (): bigint => BigInt(Math.round(performance.now() * 1e6))

/** The time of the machine. Nanoseconds count from the start of the process or page. */
export const live: Clock = /*#__PURE__*/ as({
  unsafeCurrentTimeMillis: now,
  unsafeCurrentTimeNanos: nanos,
  currentTimeMillis: Micro.sync(now),
  currentTimeNanos: Micro.sync(nanos),
  sleep: (duration: number) =>
    Micro.async<void>((resume) => {
      const timer = setTimeout(() => resume(Micro.void), Math.min(duration, LONGEST))
      return Micro.sync(() => clearTimeout(timer))
    })
})
