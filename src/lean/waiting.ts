import { async, type Effect, type Scheduler, sync, unit } from "./machine.js"

/** Those who wait for the same. */
export class Waiting {
  private all = new Set<(end: Effect) => void>()
  readonly wait: Effect = async((resume) => {
    this.all.add(resume)
    return sync(() => this.all.delete(resume))
  })
  /** They go on, in their order, after the one who wakes them. */
  wake(scheduler: Scheduler, end: Effect = unit): void {
    if (this.all.size === 0) return
    scheduler.scheduleTask(() => {
      const { all } = this
      this.all = new Set()
      for (const resume of all) resume(end)
    })
  }
}
