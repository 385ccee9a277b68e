import { type FamilyId, networks } from "../../src/data/Network.js"

const idsByFamily = new Map<FamilyId, ReadonlyArray<string>>()
for (const [id, { family }] of Object.entries(networks))
  idsByFamily.set(family, [...(idsByFamily.get(family) ?? []), id])

/** Replaces `src/data/ids.ts` in the page (see `scripts/playgroundConfig.ts`): the ids of networks by family, from the table. */
export const ids: { readonly [family: string]: string } = Object.fromEntries(
  Array.from(idsByFamily, ([family, all]) => [family, all.join(" ")])
)
