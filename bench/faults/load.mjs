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
 * Starts the load; `stop` ends it and resolves to the calls when the last has been answered or is too late. A call is
 * `[when it was due, how long it took, outcome]` in milliseconds, its outcome `"ok"`, `"wrong"`, `"late"` or an error.
 */
export const startLoad = (client, { rate, deadline, heights }) => {
  const calls = []
  const running = new Set()
  let n = 0
  const start = now()

  const one = async (due, of) => {
    const asksHeight = heights || of % HEIGHTS === 0
    let outcome
    try {
      const value = await within(asksHeight ? client.height() : client.balance(address(of)), deadline)
      const time = now()
      outcome =
        value === late
          ? "late"
          : (asksHeight ? isHeight(value, due, time) : isBalance(value, address(of), due, time))
            ? "ok"
            : "wrong"
    } catch (error) {
      outcome = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 160) : String(error)
    }
    calls.push([due, now() - due, outcome])
  }

  let timer
  const tick = () => {
    // what a late timer has left out is made up for, and counts from when it was due
    for (let due = start + (n * 1_000) / rate; due <= now(); due = start + (n * 1_000) / rate) {
      n += 1
      const call = one(due, n)
      running.add(call)
      call.finally(() => running.delete(call))
    }
    timer = setTimeout(tick, Math.max(0, start + (n * 1_000) / rate - now()))
  }
  tick()

  return {
    stop: async () => {
      clearTimeout(timer)
      await Promise.all(running)
      return calls
    }
  }
}
