import { async, type Effect, type Scheduler, sync, unit } from "./fiberRuntime.js"

/** The fibers that wait for one event. */
export class WaitQueue {
  private waiters = new Set<(end: Effect) => void>()
  readonly wait: Effect = async((resume) => {
    this.waiters.add(resume)
    return sync(() => this.waiters.delete(resume))
  })
  /** Resumes all waiting fibers in order, in a later task. */
  wake(scheduler: Scheduler, end: Effect = unit): void {
    if (this.waiters.size === 0) return
    scheduler.scheduleTask(() => {
      const { waiters } = this
      this.waiters = new Set()
      for (const resume of waiters) resume(end)
    })
  }
}
