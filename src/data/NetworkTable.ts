import { ids } from "./ids.js"
import type { FamilyId, NetworkRow, NetworkTable } from "./Network.js"
import { findNearestId } from "./nearest.js"

/** The table of the ids of all networks by family, without a row. */
export const allIds: NetworkTable = /*#__PURE__*/ (() => {
  // the keys of a record of families are families, which Object.keys does not say
  const names = Object.keys(ids) as ReadonlyArray<FamilyId>
  const families = new Map(names.flatMap((family) => ids[family].split(" ").map((id) => [id, family])))
  return {
    suggest: (id) => findNearestId(id, [...families.keys()]),
    familyOf: (id) => families.get(id),
    info: () => undefined
  }
})()

/** The rows of the networks of a client that knows no others: so an application of one family ships its rows alone. */
export const tableOf = (rows: ReadonlyArray<NetworkRow>): NetworkTable => {
  const info = (id: string): NetworkRow | undefined => rows.find((row) => row.id === id)
  return {
    suggest: (id) =>
      rows.find(({ chainId }) => chainId !== undefined && chainId === Number(id))?.id ??
      findNearestId(
        id,
        rows.map((row) => row.id)
      ),
    familyOf: (id) => info(id)?.family,
    info
  }
}

/** The same, where the ids of others are known. */
export const withRows = (rows: ReadonlyArray<NetworkRow>): NetworkTable => ({
  ...allIds,
  info: tableOf(rows).info
})
