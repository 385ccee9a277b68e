import type { Clock as ClockService } from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import type * as Original from "effect/TestClock"
import { Clock } from "../../src/lean/Clock.js"
import { as } from "../../src/lean/cast.js"
import { toMillis } from "../../src/lean/Duration.js"
import { async, type Effect, flatMap, suspend, sync, unit, withFiber } from "../../src/lean/fiberRuntime.js"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A clock that stands still until a test adjusts it, and wakes those who sleep as effect's own does. */
class TestClock {
  private now = 0
  private sleepers: ReadonlyArray<Sleeper> = []
  readonly currentTimeMillis = sync(() => this.now)
  readonly currentTimeNanos = sync(() => this.unsafeCurrentTimeNanos())

  unsafeCurrentTimeMillis(): number {
    return this.now
  }
  unsafeCurrentTimeNanos(): bigint {
    return BigInt(Math.floor(this.now * 1e6))
  }
  sleep(duration: DurationInput): Effect<void> {
    return suspend((): Effect<void> => {
      const at = this.now + toMillis(duration)
      if (at <= this.now) return unit
      return async<void>((resume) => {
        const sleeper: Sleeper = { at, wake: () => resume(unit) }
        this.sleepers = [sleeper, ...this.sleepers]
        return sync(() => {
          this.sleepers = this.sleepers.filter((each) => each !== sleeper)
        })
      })
    })
  }
  /** One after the other: whoever is woken may sleep again before the end. */
  adjust(duration: DurationInput): Effect<void> {
    return suspend(() => this.until(this.now + toMillis(duration)))
  }
  /** When those who sleep wake. */
  sleeps(): Effect<ReadonlyArray<number>> {
    return sync(() => this.sleepers.map(({ at }) => at))
  }
  private until(end: number): Effect<void> {
    return flatMap(settled, () => {
      const [next] = this.sleepers.toSorted((one, other) => one.at - other.at)
      if (next === undefined || next.at > end) {
        this.now = end
        return unit
      }
      this.now = next.at
      this.sleepers = this.sleepers.filter((each) => each !== next)
      next.wake()
      return this.until(end)
    })
  }
}

/** All fibers wait for time, or for what is not of this process. */
const settled = async<void>((resume) => {
  const turn = (n: number): void => void setTimeout(() => (n === 0 ? resume(unit) : turn(n - 1)), 0)
  turn(2)
})

/** A clock of its own for a test, which begins at 0. */
export const make = (): ClockService => as(new TestClock())

export const adjust: typeof Original.adjust = /*#__PURE__*/ as((duration: DurationInput) =>
  withFiber((fiber) => as<TestClock>(fiber.getRef(as(Clock))).adjust(duration))
)

export const sleeps: typeof Original.sleeps = /*#__PURE__*/ as(() =>
  withFiber((fiber) => as<TestClock>(fiber.getRef(as(Clock))).sleeps())
)
