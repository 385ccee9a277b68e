import type * as Original from "effect/Scheduler"
import { as } from "../../src/lean/cast.js"
import { type Fiber, type Scheduler, scheduler } from "../../src/lean/fiberRuntime.js"

/** Fibers that have run on a scheduler of a test. */
export const seen = new Set<Fiber>()

/** Those of them that are not counted. */
export const ignored = new WeakSet<Fiber>()

/** Tasks wait until a test steps. */
class Controlled implements Scheduler {
  readonly tasks: { buckets: Array<() => void> } = { buckets: [] }
  scheduleTask(task: () => void): void {
    this.tasks.buckets.push(task)
  }
  /** It is asked before each step, and so learns of every fiber. */
  shouldYield(fiber: Fiber, steps: number): boolean {
    seen.add(fiber)
    return scheduler.shouldYield(fiber, steps)
  }
  step(): void {
    const { buckets } = this.tasks
    this.tasks.buckets = []
    for (const task of buckets) task()
  }
}

export const ControlledScheduler: typeof Original.ControlledScheduler = /*#__PURE__*/ as(Controlled)
