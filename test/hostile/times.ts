/**
 * How many random cases: 1 is what a run of the whole suite has, of which each commit meets a quarter. `HOSTILE_TIMES` is another factor,
 * which the nightly runs set.
 */
export const times = Number(process.env.HOSTILE_TIMES ?? 0.25)

/** So many of a whole run's cases as this run has, at least one. */
export const someOf = (cases: number): number => Math.ceil(times * cases)

/** Of all cases those that this run has: the first of each kind, and of the others so many as its share. */
export const shareOf = <A>(
  all: ReadonlyArray<A>,
  kindOf: (item: A) => unknown = () => ""
): ReadonlyArray<A> => {
  const stride = Math.max(1, Math.round(1 / times))
  const kinds = new Set<unknown>()
  return all.filter((item, i) => {
    const isFirst = !kinds.has(kindOf(item))
    kinds.add(kindOf(item))
    return isFirst || i % stride === 0
  })
}

/** A limit against what hangs, in milliseconds. */
export const limit = Math.max(1, times) * 600_000
