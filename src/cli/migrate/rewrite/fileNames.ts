/** The names of a file, and where they are used. */
import type ts from "typescript"
import type { FileContext, FileNames, Shared } from "./context.js"

const referredSymbol = ({ checker, compiler: ts }: Shared, node: ts.Identifier): ts.Symbol | undefined => {
  if (ts.isShorthandPropertyAssignment(node.parent))
    return checker.getShorthandAssignmentValueSymbol(node.parent)
  return ts.isExportSpecifier(node.parent)
    ? checker.getExportSpecifierLocalTargetSymbol(node.parent)
    : checker.getSymbolAtLocation(node)
}

export const indexNames = (shared: Shared, file: ts.SourceFile): FileNames => {
  const { compiler: ts } = shared
  const references = new Map<ts.Symbol, Array<ts.Identifier>>()
  const identifiers = new Set<string>()
  const add = (node: ts.Identifier): void => {
    if (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) return
    identifiers.add(node.text)
    const symbol = referredSymbol(shared, node)
    if (symbol === undefined) return
    const known = references.get(symbol)
    if (known === undefined) references.set(symbol, [node])
    else known.push(node)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) add(node)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { references, identifiers }
}

export const symbolOf = ({ checker }: FileContext, node: ts.Node): ts.Symbol | undefined =>
  checker.getSymbolAtLocation(node)

/** The symbol that an imported name stands for. */
export const targetOfAlias = (
  { checker, ts }: FileContext,
  symbol: ts.Symbol | undefined
): ts.Symbol | undefined =>
  symbol !== undefined && (symbol.flags & ts.SymbolFlags.Alias) !== 0
    ? checker.getAliasedSymbol(symbol)
    : symbol

/** The uses of a name in the file, without its declaration. */
export const referencesOf = (
  { names }: FileContext,
  symbol: ts.Symbol | undefined
): ReadonlyArray<ts.Identifier> =>
  symbol === undefined
    ? []
    : (names.references.get(symbol) ?? []).filter(
        (node) =>
          !(symbol.declarations ?? []).some((declaration) => Reflect.get(declaration, "name") === node)
      )

/** Whether all uses of a name are gone after the edits. */
export const isConsumed = (context: FileContext, symbol: ts.Symbol | undefined): boolean =>
  referencesOf(context, symbol).every((use) => context.decisions.consumed.has(use))

/** A name that the function around a node does not have. */
export const takeName = ({ decisions, ts }: FileContext, within: ts.Node, wanted: string): string => {
  let scope = within
  while (!ts.isSourceFile(scope) && !ts.isFunctionLike(scope)) scope = scope.parent
  const taken = decisions.takenNames.get(scope) ?? new Set()
  decisions.takenNames.set(scope, taken)
  const collect = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) taken.add(node.text)
    ts.forEachChild(node, collect)
  }
  if (taken.size === 0) collect(scope)
  for (let at = 1; ; at++) {
    const name = at === 1 ? wanted : `${wanted}${at}`
    if (taken.has(name)) continue
    taken.add(name)
    return name
  }
}
