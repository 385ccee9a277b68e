/** An open-loop load: calls begin at their times, whether or not earlier ones have been answered. */
import { inspect } from "node:util"
import { median } from "../stats.mjs"
import { address, isBalance, isHeight } from "../world.mjs"
import { WORDS } from "./kinds.mjs"

const now = () => performance.timeOrigin + performance.now()

/** One call of so many asks for the height, the others for the balance of an address each. */
const HEIGHTS = 5

/** Under a load of calls to a contract, one of so many is one. */
const CALLS = 10

/** The reads of a multicall. */
const READS = 120

/** The ways to make a call: each yields whether its answer, or its failure, is the right one. */
const ways = {
  height: (client) => async (due) => {
    const value = await client.height()
    return () => isHeight(value, due, now())
  },
  balance: (client, of) => async (due) => {
    const value = await client.balance(of)
    return () => isBalance(value, of, due, now())
  },
  // a contract that refuses is told to the caller, in its own words
  contract: (client, of) => async (due) => {
    try {
      const value = await client.contract(of)
      return () => isBalance(value, of, due, now())
    } catch (error) {
      return () => inspect(error, { depth: 6 }).includes(WORDS)
    }
  },
  multicall: (client, _, n) => async (due) => {
    const all = Array.from({ length: READS }, (_, i) => address(n * READS + i))
    const values = await client.multicall(all)
    return () => values.length === READS && all.every((of, i) => isBalance(values[i], of, due, now()))
  }
}

/** Milliseconds that a call of a warm client takes to a node that takes 20 to 30. */
const PACE = 33
/** So many calls tell whether it is warm. */
const RECENT = 50
/** Seconds after which the load begins anyway: under a fault from the start no call may be that fast. */
const WARM = 6

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
export const caller = (client, { deadline, load }) => {
  const calls = []
  let n = 0

  const one = async (due = now()) => {
    n += 1
    const of = address(n)
    const isCall = (load === "contract" || load === "multicall") && n % CALLS === 3
    const way = load === "heights" || n % HEIGHTS === 0 ? "height" : isCall ? load : "balance"
    let outcome
    try {
      const isRight = await within(ways[way](client, of, n)(due), deadline)
      outcome = isRight === late ? "late" : isRight() ? "ok" : "wrong"
    } catch (error) {
      outcome = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 160) : String(error)
    }
    calls.push([due, now() - due, outcome])
  }

  return {
    calls,
    /**
     * So many calls, three at a time, for the compiler; and on until the last ones took no longer than `PACE`, since a
     * program that is still being compiled does not keep up with the load, on a slow machine for seconds.
     */
    warm: async (count) => {
      const until = now() + 1_000 * WARM
      const slow = () => calls.length < RECENT || median(calls.slice(-RECENT).map(([, time]) => time)) > PACE
      const worker = async () => {
        while (n < count || (slow() && now() < until)) await one()
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
