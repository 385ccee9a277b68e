/**
 * How often a property is tried. Tests that run on both runtimes try half of theirs on the lean one at each commit, and a quarter on Effect
 * (projects `lean` and `effect` in vitest.config.ts); the night tries all of it on the lean one. Those of signers, most of whose work are curves,
 * try a quarter on the lean one, and the whole at night on Effect.
 */
export const runs = (all: number): number =>
  Math.ceil(all * Number(process.env.EFFECT_CHAINS_PROPERTY_SHARE ?? 1))
