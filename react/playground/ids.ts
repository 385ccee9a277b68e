import { type Family, networks } from "../../src/data/Network.js"

const of = new Map<Family, ReadonlyArray<string>>()
for (const [id, { family }] of Object.entries(networks)) of.set(family, [...(of.get(family) ?? []), id])

/** The ids of networks by family, as `src/data/ids.ts` has them, of the table that the page has anyway (`config.ts`). */
export const ids: { readonly [family: string]: string } = Object.fromEntries(
  Array.from(of, ([family, all]) => [family, all.join(" ")])
)
