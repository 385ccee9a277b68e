/**
 * Response times of the newest calls, and the delay before a backup request that follows from them.
 *
 * @since 0.1.0
 */

/** The number of response times that are kept, and how many new ones come before the percentile is computed again. */
const WINDOW = 128
const REFRESH_EVERY = 16

/** The delay before a backup request until there are enough response times, in milliseconds. */
const DEFAULT_HEDGE_DELAY = 1_000

/** The margin above the percentile, in milliseconds, for the resolution of timers. */
const MARGIN = 10

/**
 * The newest response times of a pool, in milliseconds. `p95` is undefined until there are enough of them. A call that takes longer than
 * `hedgeDelay` gets a backup request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Latencies {
  readonly add: (ms: number) => void
  readonly p95: () => number | undefined
  readonly hedgeDelay: () => number
}

/**
 * Makes an empty window of response times. `fixed` is a hedging delay that does not depend on them.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (fixed?: number): Latencies => {
  const times = new Float64Array(WINDOW)
  let count = 0
  let p95: number | undefined
  return {
    add: (ms) => {
      times[count % WINDOW] = ms
      count++
      if (count % REFRESH_EVERY !== 0) return
      const sorted = times.slice(0, Math.min(count, WINDOW)).sort()
      p95 = sorted[Math.floor((sorted.length - 1) * 0.95)]
    },
    p95: () => p95,
    hedgeDelay: () => fixed ?? (p95 === undefined ? DEFAULT_HEDGE_DELAY : p95 * 1.2 + MARGIN)
  }
}

/** The time constant of the average, in milliseconds. */
const DECAY = 10_000

/**
 * A peak-sensitive moving average (Finagle's peak EWMA): it rises to a worse time at once, and falls slowly.
 *
 * @since 0.1.0
 * @category getters
 */
export const peakAverage = (average: number, ms: number, since: number): number =>
  ms + Math.max(0, average - ms) * Math.exp(-Math.max(0, since) / DECAY)
