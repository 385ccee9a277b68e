/**
 * How many random cases: 1 is what a run of the whole suite has, of which each commit meets a quarter. `HOSTILE_TIMES` is another factor,
 * which the nightly runs set.
 */
export const times = Number(process.env.HOSTILE_TIMES ?? 0.25)

/** So many of a whole run's cases as this run has, at least one. */
export const someOf = (cases: number): number => Math.ceil(times * cases)

/** A limit against what hangs, in milliseconds. */
export const limit = Math.max(1, times) * 600_000
