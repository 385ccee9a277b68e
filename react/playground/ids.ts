import { type Family, networks } from "../../src/data/Network.js"

const idsByFamily = new Map<Family, ReadonlyArray<string>>()
for (const [id, { family }] of Object.entries(networks))
  idsByFamily.set(family, [...(idsByFamily.get(family) ?? []), id])

/** The ids of networks by family, as `src/data/ids.ts` has them, of the table that the page has anyway (`config.ts`). */
export const ids: { readonly [family: string]: string } = Object.fromEntries(
  Array.from(idsByFamily, ([family, all]) => [family, all.join(" ")])
)
