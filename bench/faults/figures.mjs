/** What the calls of a fault window say: all times in milliseconds. */
import { quantile } from "../stats.mjs"

/** A call that took longer is as bad as one that failed, for a user who waits. */
const SLOW = 300
/** So many good calls in a row, and the client is over it. */
const STEADY = 50

/**
 * How long after `from` calls were still failing, wrong or slower than 300 ms: until the first of 50 in a row that were
 * not. 0 if none was, Infinity if the calls never were that good again.
 */
export const failover = (calls, from) => {
  let bad = 0
  let good = 0
  for (const [due, took, outcome] of [...calls].sort((a, b) => a[0] - b[0])) {
    if (outcome === "ok" && took <= SLOW) {
      good += 1
      if (good === STEADY) return bad
    } else {
      good = 0
      bad = Math.max(bad, due - from + 1)
    }
  }
  return good === calls.length ? bad : Number.POSITIVE_INFINITY
}

/** `calls` of which `counted` tell the latency, and how many requests they have cost the nodes. */
export const figures = ({ calls, timed, requests, duration, rate }) => {
  const ok = calls.filter(([, , outcome]) => outcome === "ok").length
  const times = timed.map(([, took]) => took)
  const errors = {}
  for (const [, , outcome] of calls) {
    if (outcome !== "ok") errors[outcome] = (errors[outcome] ?? 0) + 1
  }
  return {
    calls: calls.length,
    success: (100 * ok) / calls.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    extra: 100 * (requests / ((duration * rate) / 1_000) - 1),
    errors
  }
}
