/**
 * How long nodes take to answer, as far as the newest calls tell.
 *
 * @since 0.1.0
 */

/** Calls that are remembered, and how many new ones there are before the quantile is looked up again. */
const REMEMBERED = 128
const EVERY = 16

/**
 * The newest response times of a pool. `p95` is in milliseconds; undefined until there are enough of them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Latencies {
  readonly add: (ms: number) => void
  readonly p95: () => number | undefined
}

/**
 * No response times yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): Latencies => {
  const times = new Float64Array(REMEMBERED)
  let count = 0
  let p95: number | undefined
  return {
    add: (ms) => {
      times[count % REMEMBERED] = ms
      count++
      if (count % EVERY !== 0) return
      const sorted = times.slice(0, Math.min(count, REMEMBERED)).sort()
      p95 = sorted[Math.floor((sorted.length - 1) * 0.95)]
    },
    p95: () => p95
  }
}

/** The time constant of the average, in milliseconds: what is older than this hardly counts. */
const MEMORY = 10_000

/**
 * A peak-sensitive moving average (Finagle's peak EWMA): it jumps up to a worse time at once, and comes down slowly.
 *
 * @since 0.1.0
 * @category averages
 */
export const peakAverage = (average: number, ms: number, since: number): number =>
  ms >= average ? ms : ms + (average - ms) * Math.exp(-Math.max(0, since) / MEMORY)
