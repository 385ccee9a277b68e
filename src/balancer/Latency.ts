/**
 * How long nodes take to answer, as far as the newest calls tell.
 *
 * @since 0.1.0
 */

/** Calls that are remembered, and how many new ones there are before the quantile is looked up again. */
const WINDOW = 128
const REFRESH_EVERY = 16

/** How long a call waits, in milliseconds, where nothing was observed yet. */
const DEFAULT_HEDGE_DELAY = 1_000

/** The margin above the percentile, in milliseconds: timers are no finer. */
const MARGIN = 10

/**
 * The newest response times of a pool, in milliseconds. `p95` is undefined until there are enough of them; a call that takes
 * longer than `patience` takes longer than calls do.
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
 * No response times yet. `fixed` is a patience that does not depend on them.
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

/** The time constant of the average, in milliseconds: older times hardly count. */
const DECAY = 10_000

/**
 * A peak-sensitive moving average (Finagle's peak EWMA): it jumps up to a worse time at once, and comes down slowly.
 *
 * @since 0.1.0
 * @category getters
 */
export const peakAverage = (average: number, ms: number, since: number): number =>
  ms + Math.max(0, average - ms) * Math.exp(-Math.max(0, since) / DECAY)
