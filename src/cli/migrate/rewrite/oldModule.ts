/** The module of the old package, and what still uses it. */
import type ts from "typescript"
import { isOldModuleName } from "../project.js"
import type { FileContext } from "./context.js"

/** How a module is imported: by `import`, or by `require`. */
export type ImportForm = "import" | "require"

/** A statement that goes, or has fewer names. */
export interface OldImport {
  readonly node: ts.Node
  /** The names that are still of the old package. */
  readonly kept: ReadonlyArray<string>
  readonly form: ImportForm
}

export const isOldModule = ({ ts }: FileContext, node: ts.Node | undefined): node is ts.StringLiteral =>
  node !== undefined && ts.isStringLiteral(node) && isOldModuleName(node.text)

/** Marks what still uses the old package. */
export const markKept = ({ marks }: FileContext, node: ts.Node, names: ReadonlyArray<string>): void =>
  marks.add(
    node,
    names.length === 0
      ? "this import of @tatumio/tatum is still in use: what uses it has no equivalent that could be written"
      : `still of @tatumio/tatum: ${names.map((name) => `\`${name}\``).join(", ")}`
  )
