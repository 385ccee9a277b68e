/**
 * The definitions that clients have been made for, by id. Signers and contracts know a network by its client's id, and look here for what
 * the table has not.
 */
import type { AnyNetwork, NetworkDefinition, NetworkRow } from "./Network.js"
import type { ConfigIssue } from "./SdkError.js"

/** Where a definition has its row. Copies of the package know each other's definitions by it. */
export const ROW_KEY = "~row"

/** A row that knows whether a client can be made of it. */
export interface DefinedRow extends NetworkRow {
  /**
   * Takes its id in a table of rows, or says why it cannot: another definition has it, or the nodes of a configuration are those of
   * nobody.
   */
  readonly claim: (
    rows: Map<string, NetworkRow>,
    nodes: ReadonlyArray<unknown> | undefined
  ) => ReadonlyArray<ConfigIssue>
}

const rows = new Map<string, NetworkRow>()

/** The row of a definition; undefined for what is none. Only defineNetwork writes it, after its checks. */
export const definedRow = (value: unknown): DefinedRow | undefined =>
  (value as { readonly [ROW_KEY]?: DefinedRow } | null | undefined)?.[ROW_KEY]

/** The id of a network: what it is itself, or that of its definition. */
export const networkIdOf = (network: AnyNetwork): string =>
  typeof network === "string" ? network : network.id

/** Whether a value is a definition. */
export const isDefinition = (value: unknown): value is NetworkDefinition => definedRow(value) !== undefined

/** Keeps the row of a definition, unless there are problems with it, or with the nodes of its client. Other networks have none. */
export const claimDefinition = (
  network: unknown,
  nodes: ReadonlyArray<unknown> | undefined
): ReadonlyArray<ConfigIssue> => definedRow(network)?.claim(rows, nodes) ?? []

/** The row of the definition with an id that a client has been made for. */
export const findDefinedRow = (id: string): NetworkRow | undefined => rows.get(id)
