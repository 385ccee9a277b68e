import type { Clock as ClockService } from "effect/Clock"
import type { DurationInput } from "effect/Duration"
import * as Micro from "effect/Micro"
import type * as Original from "effect/TestClock"
import { Clock } from "../../src/lean/Clock.js"
import { toMillis } from "../../src/lean/Duration.js"
import { as } from "../../src/lean/micro.js"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** A clock that stands still until a test adjusts it, and wakes those who sleep as effect's own does. */
class TestClock {
  private now = 0
  private sleepers: ReadonlyArray<Sleeper> = []
  readonly currentTimeMillis = Micro.sync(() => this.now)
  readonly currentTimeNanos = Micro.sync(() => this.unsafeCurrentTimeNanos())

  unsafeCurrentTimeMillis(): number {
    return this.now
  }
  unsafeCurrentTimeNanos(): bigint {
    return BigInt(Math.floor(this.now * 1e6))
  }
  sleep(duration: DurationInput): Micro.Micro<void> {
    return Micro.suspend(() => {
      const at = this.now + toMillis(duration)
      if (at <= this.now) return Micro.void
      return Micro.async<void>((resume) => {
        const sleeper: Sleeper = { at, wake: () => resume(Micro.void) }
        this.sleepers = [sleeper, ...this.sleepers]
        return Micro.sync(() => {
          this.sleepers = this.sleepers.filter((each) => each !== sleeper)
        })
      })
    })
  }
  /** One after the other: whoever is woken may sleep again before the end. */
  adjust(duration: DurationInput): Micro.Micro<void> {
    return Micro.suspend(() => this.until(this.now + toMillis(duration)))
  }
  private until(end: number): Micro.Micro<void> {
    return Micro.flatMap(settled, () => {
      const [next] = this.sleepers.toSorted((one, other) => one.at - other.at)
      if (next === undefined || next.at > end) {
        this.now = end
        return Micro.void
      }
      this.now = next.at
      this.sleepers = this.sleepers.filter((each) => each !== next)
      next.wake()
      return this.until(end)
    })
  }
}

/** All fibers wait for time, or for what is not of this process. */
const settled = Micro.async<void>((resume) => {
  const turn = (n: number): void => void setTimeout(() => (n === 0 ? resume(Micro.void) : turn(n - 1)), 0)
  turn(2)
})

/** A clock of its own for a test, which begins at 0. */
export const make = (): ClockService => as(new TestClock())

export const adjust: typeof Original.adjust = /*#__PURE__*/ as((duration: DurationInput) =>
  Micro.withMicroFiber<void>((fiber) => as<TestClock>(fiber.getRef(as<never>(Clock))).adjust(duration))
)
