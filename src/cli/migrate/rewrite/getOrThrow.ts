/** `getOrThrow(…)`, which reads a result's content and throws after a failure, and the BigNumber of an amount. */
import type ts from "typescript"
import { type FileContext, needValue, replaceNode } from "./context.js"
import { takeName } from "./fileNames.js"

/** The file's import of `BigNumber`, which is of the value from now on. */
const findBigNumber = (context: FileContext): string | undefined => {
  const { edits, file, ts } = context
  for (const statement of file.statements) {
    const clause = ts.isImportDeclaration(statement) ? statement.importClause : undefined
    if (clause === undefined || !/bignumber\.js/.test(statement.getText())) continue
    const named = clause.namedBindings
    const element =
      named !== undefined && ts.isNamedImports(named)
        ? named.elements.find((each) => (each.propertyName ?? each.name).getText() === "BigNumber")
        : undefined
    const name = clause.name ?? element?.name
    if (name === undefined) continue
    const names = clause.name ?? named ?? clause
    if (clause.isTypeOnly) edits.replace(statement.getStart(file), names.getStart(file), "import ")
    if (element?.isTypeOnly === true)
      edits.replace(element.getStart(file), (element.propertyName ?? element.name).getStart(file), "")
    return name.text
  }
  return undefined
}

/** The file's name of `BigNumber`, which it may have imported as a type alone. */
const bigNumberOf = (context: FileContext): string => {
  const { decisions, file } = context
  if (decisions.bigNumber === undefined) {
    const known = findBigNumber(context)
    decisions.bigNumber = { name: known ?? takeName(context, file, "BigNumber"), isNew: known === undefined }
  }
  return decisions.bigNumber.name
}

/** What goes around an expression whose content is read: `getOrThrow(…)`, in a BigNumber where one is used. */
export const wrappersOf = (
  context: FileContext,
  isBigNumber: boolean
): readonly [before: string, after: string] => {
  const getOrThrow = needValue(context, "getOrThrow")
  return isBigNumber ? [`new ${bigNumberOf(context)}(String(${getOrThrow}(`, ")))"] : [`${getOrThrow}(`, ")"]
}

/** Writes a read of an answer in the place of a name. */
export const replaceReference = (
  context: FileContext,
  use: ts.Identifier,
  { isBigNumber, name }: { readonly name: string; readonly isBigNumber: boolean }
): void => {
  const [before, after] = wrappersOf(context, isBigNumber)
  const field = context.ts.isShorthandPropertyAssignment(use.parent) ? `${use.text}: ` : ""
  replaceNode(context, use, `${field}${before}${name}${after}`)
}
