/** An open-loop load: calls begin at their times, whether or not earlier ones have been answered. */
import { address, isBalance, isHeight } from "../world.mjs"

/** One call of so many asks for the height, the others for the balance of an address each. */
const HEIGHTS = 5

const now = () => performance.timeOrigin + performance.now()

const late = Symbol("late")

/** `value` of the promise, or `late` after so many milliseconds; no timer is left behind. */
const within = (promise, milliseconds) => {
  let timer
  const expired = new Promise((resolve) => {
    timer = setTimeout(() => resolve(late), milliseconds)
  })
  return Promise.race([promise, expired]).finally(() => clearTimeout(timer))
}

/**
 * Makes calls and keeps what came of them: `[when it was due, how long it took, outcome]` in milliseconds, the outcome
 * `"ok"`, `"wrong"`, `"late"` or an error.
 */
export const caller = (client, { deadline, heights }) => {
  const calls = []
  let n = 0

  const one = async (due = now()) => {
    n += 1
    const of = address(n)
    const asksHeight = heights || n % HEIGHTS === 0
    let outcome
    try {
      const value = await within(asksHeight ? client.height() : client.balance(of), deadline)
      const time = now()
      const right = () => (asksHeight ? isHeight(value, due, time) : isBalance(value, of, due, time))
      outcome = value === late ? "late" : right() ? "ok" : "wrong"
    } catch (error) {
      outcome = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 160) : String(error)
    }
    calls.push([due, now() - due, outcome])
  }

  return {
    calls,
    /** So many calls, three at a time, for the compiler: a second or so, or as long as the machine takes for it. */
    warm: async (count) => {
      const worker = async () => {
        while (n < count) await one()
      }
      await Promise.all([worker(), worker(), worker()])
    },
    /** Starts the load; `stop` ends it, and resolves when the last call has been answered or is too late. */
    start: (rate) => {
      const running = new Set()
      const start = now()
      let begun = 0
      const next = () => start + (begun * 1_000) / rate
      let timer
      const tick = () => {
        // what a late timer has left out is made up for, and counts from when it was due
        for (; next() <= now(); begun++) {
          const call = one(next())
          running.add(call)
          call.finally(() => running.delete(call))
        }
        timer = setTimeout(tick, next() - now())
      }
      tick()
      return {
        stop: async () => {
          clearTimeout(timer)
          await Promise.all(running)
        }
      }
    }
  }
}
