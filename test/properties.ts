/**
 * How often a property is tried. The tests that run on both runtimes try theirs in full on the lean one, and a share of it on Effect (project
 * `effect` in vitest.config.ts). Those of signers, most of whose work are curves, try a share on the lean one, and the whole at night on Effect.
 */
export const runs = (all: number): number =>
  Math.ceil(all * Number(process.env.EFFECT_CHAINS_PROPERTY_SHARE ?? 1))
