import { ids } from "./ids.js"
import type { Family, Network, NetworkInfo, NetworkRow, NetworkTable } from "./Network.js"
import { nearestId } from "./nearest.js"

/** The table of the ids of all networks by family, without a row. */
export const allIds: NetworkTable = /*#__PURE__*/ (() => {
  // the keys of a record of families are families, which Object.keys does not say
  const names = Object.keys(ids) as ReadonlyArray<Family>
  const families = new Map(names.flatMap((family) => ids[family].split(" ").map((id) => [id, family])))
  return {
    suggest: (id) => nearestId(id, [...families.keys()]),
    familyOf: (id) => families.get(id),
    info: () => undefined
  }
})()

/** The same with some rows: so an application of one family ships its rows alone. */
export const withRows = (rows: ReadonlyArray<NetworkRow>): NetworkTable => ({
  ...allIds,
  info: (network: Network): NetworkInfo | undefined => rows.find(({ id }) => id === network)
})
