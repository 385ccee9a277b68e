import type * as Fiber from "effect4/Fiber"
import * as Original from "effect4/Scheduler"

/** Fibers that have run on a scheduler of a test. */
export const seen = new Set<Fiber.Fiber<unknown, unknown>>()

/** Those of them that are not counted. */
export const ignored = new WeakSet<Fiber.Fiber<unknown, unknown>>()

const usual = new Original.MixedScheduler()

/** Tasks wait until a test steps. */
export class ControlledScheduler implements Original.Scheduler {
  readonly executionMode = "async"
  readonly tasks: { buckets: Array<() => void> } = { buckets: [] }
  /** It is asked before each step, and so learns of every fiber. */
  shouldYield(fiber: Fiber.Fiber<unknown, unknown>): boolean {
    seen.add(fiber)
    return usual.shouldYield(fiber)
  }
  makeDispatcher(): Original.SchedulerDispatcher {
    return {
      scheduleTask: (task) => void this.tasks.buckets.push(task),
      flush: () => {
        while (this.tasks.buckets.length > 0) this.step()
      }
    }
  }
  step(): void {
    const { buckets } = this.tasks
    this.tasks.buckets = []
    for (const task of buckets) task()
  }
}
