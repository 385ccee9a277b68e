import { ids } from "./ids.js"
import type { Family, Network, NetworkInfo, NetworkRow, NetworkTable } from "./Network.js"
import { nearestId } from "./nearest.js"

/** The table of some rows, and of the ids of all networks by family: so an application of one family ships its rows alone. */
export const tableOf = (
  rows: ReadonlyArray<NetworkRow>,
  ids: { readonly [F in Family]: string }
): NetworkTable => {
  const infos = new Map<Network, NetworkInfo>(rows.map((row) => [row.id, row]))
  // the keys of a record of families are families, which Object.keys does not say
  const names = Object.keys(ids) as ReadonlyArray<Family>
  const families = new Map(names.flatMap((family) => ids[family].split(" ").map((id) => [id, family])))
  return {
    suggest: (id) => nearestId(id, [...families.keys()]),
    familyOf: (id) => families.get(id),
    info: (network) => infos.get(network)
  }
}

/** The table of the ids alone. */
export const allIds: NetworkTable = /*#__PURE__*/ tableOf([], ids)
