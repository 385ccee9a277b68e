/**
 * The definitions that clients have been made for, by id. Signers and contracts know a network by its client's id, and look here for what
 * the table has not.
 */
import { isRecord } from "./foreign.js"
import type { AnyNetwork, NetworkDefinition, NetworkRow } from "./Network.js"

/** Where a definition has its row. Copies of the package know each other's definitions by it. */
export const ROW = /*#__PURE__*/ Symbol.for("effect-chains/NetworkDefinition")

const rows = new Map<string, NetworkRow>()

/** The row of a definition; undefined for what is none. */
export const definedRow = (value: unknown): NetworkRow | undefined =>
  // only defineNetwork writes it, after its checks
  isRecord(value) ? (Reflect.get(value, ROW) as NetworkRow | undefined) : undefined

/** The id of a network: what it is itself, or that of its definition. */
export const idOf = (network: AnyNetwork): string => (typeof network === "string" ? network : network.id)

/** Whether a value is a definition. */
export const isDefinition = (value: unknown): value is NetworkDefinition => definedRow(value) !== undefined

/** Keeps the row of a definition, unless another chain has its id: then the problem is told. */
export const conflictOf = (row: NetworkRow): string | undefined => {
  if ((rows.get(row.id) ?? row).identity !== row.identity)
    return `is another definition of ${row.id} than the one that is in use`
  rows.set(row.id, row)
  return undefined
}

/** The row of the definition with an id that a client has been made for. */
export const rowOfId = (id: string): NetworkRow | undefined => rows.get(id)
