import type * as Micro from "effect/Micro"
import type * as Original from "effect/Scheduler"
import { as, scheduler } from "../../src/lean/micro.js"

/** Fibers that have run on a scheduler of a test. */
export const seen = new Set<Micro.MicroFiber<unknown, unknown>>()

/** Those of them that are not counted. */
export const ignored = new WeakSet<Micro.MicroFiber<unknown, unknown>>()

/** Tasks wait until a test steps. */
class Controlled implements Micro.MicroScheduler {
  readonly tasks: { buckets: Array<() => void> } = { buckets: [] }
  scheduleTask(task: () => void): void {
    this.tasks.buckets.push(task)
  }
  /** It is asked before each operation, and so learns of every fiber. */
  shouldYield(fiber: Micro.MicroFiber<unknown, unknown>): boolean {
    seen.add(fiber)
    return scheduler.shouldYield(fiber)
  }
  flush(): void {
    while (this.tasks.buckets.length > 0) this.step()
  }
  step(): void {
    const { buckets } = this.tasks
    this.tasks.buckets = []
    for (const task of buckets) task()
  }
}

export const ControlledScheduler: typeof Original.ControlledScheduler = /*#__PURE__*/ as(Controlled)
