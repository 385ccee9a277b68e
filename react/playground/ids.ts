import { type Family, networks } from "../../src/data/Network.js"

const of = new Map<Family, ReadonlyArray<string>>()
for (const [id, { family }] of Object.entries(networks)) of.set(family, [...(of.get(family) ?? []), id])

/** The ids of networks by family: this page has the whole table, in which they stand, and loads no list of them beside it. */
export const ids: { readonly [family: string]: string } = Object.fromEntries(
  Array.from(of, ([family, all]) => [family, all.join(" ")])
)
