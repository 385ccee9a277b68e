/**
 * How much of what is random a run tries: all of it, or this share (`EFFECT_CHAINS_PROPERTY_SHARE`, which projects of vitest.config.ts set for
 * what each commit tries; the night and the mutants try all of it).
 */
export const share = Number(process.env.EFFECT_CHAINS_PROPERTY_SHARE ?? 1)

/** How often a property is tried: as often as the share says, but no fewer than ten times if it has so many. */
export const runs = (all: number): number => Math.min(all, Math.max(10, Math.ceil(all * share)))

/** Of a list as much as a share, spread over it; others begin elsewhere (`at`), so that together they meet all. */
export const spread = <A>(all: ReadonlyArray<A>, part: number, at = 0): ReadonlyArray<A> =>
  all.filter((_, i) => (i + at) % Math.max(1, Math.round(1 / part)) === 0)
