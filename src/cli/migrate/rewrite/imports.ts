/** Imports of the old package: what uses them is rewritten, so that most of them go. */
import type ts from "typescript"
import { type FileContext, needTypes, replaceNode } from "./context.js"
import { isConsumed, referencesOf, symbolOf, targetOfAlias } from "./fileNames.js"
import { rewriteLoadings } from "./loadedModules.js"
import { writeAliases, writeImports } from "./newImports.js"
import { isOldModule, markKept, type OldImport } from "./oldModule.js"

/** The declaration of a type that has the equivalent's code; undefined if there is none. */
const writeAlias = (
  context: FileContext,
  target: ts.Symbol | undefined,
  name: string
): string | undefined => {
  const { shared, style } = context
  const found = target === undefined ? undefined : shared.equivalents.find(target, style.quote)
  if (found === undefined) return undefined
  needTypes(context, ...found.needed)
  return `type ${name}${found.parameters} = ${found.code}${style.end}`
}

/** Rewrites `export type { Ethereum } from …`, and returns the names that it declares. */
const rewriteReexport = (context: FileContext, node: ts.ExportDeclaration): ReadonlyArray<string> => {
  const { checker, shared, style, ts } = context
  const { exportClause } = node
  const elements =
    exportClause !== undefined && ts.isNamedExports(exportClause) ? [...exportClause.elements] : []
  const typeOfElement = (element: ts.ExportSpecifier): ts.Symbol | undefined => {
    const target = targetOfAlias(context, checker.getExportSpecifierLocalTargetSymbol(element))
    const isValue = ((target?.flags ?? 0) & (ts.SymbolFlags.Enum | ts.SymbolFlags.Variable)) !== 0
    const isKnown = target !== undefined && shared.equivalents.find(target, style.quote) !== undefined
    return isKnown && !isValue ? target : undefined
  }
  const types = elements.map(typeOfElement)
  if (types.length === 0 || types.includes(undefined)) {
    markKept(
      context,
      node,
      elements.map((element) => element.getText())
    )
    return []
  }
  const names = elements.map(({ name }) => name.text)
  const aliases = names.flatMap((name, at) => writeAlias(context, types[at], name) ?? [])
  replaceNode(context, node, aliases.map((alias) => `export ${alias}`).join("\n"))
  return names
}

/** Whether an imported name is still used after the rewrite. */
const isKept = (context: FileContext, element: ts.ImportSpecifier): boolean => {
  const symbol = symbolOf(context, element.name)
  return referencesOf(context, symbol).some(
    (use) => use.parent !== element && !context.decisions.consumed.has(use)
  )
}

/** The type that takes the place of an imported one; undefined if none has to. */
const findAlias = (
  context: FileContext,
  { name }: ts.ImportSpecifier,
  exported: ReadonlySet<string>
): string | undefined => {
  const symbol = symbolOf(context, name)
  if (symbol === undefined || !context.decisions.aliased.has(symbol)) return undefined
  const alias = writeAlias(context, context.checker.getAliasedSymbol(symbol), name.text)
  return exported.has(name.text) ? undefined : alias
}

/** `import * as tatum from …`, which goes if all of its uses are gone. */
const rewriteWholeImport = (
  context: FileContext,
  node: ts.ImportDeclaration,
  name: ts.Identifier | undefined
): ReadonlyArray<OldImport> => {
  if (name !== undefined && isConsumed(context, symbolOf(context, name)))
    return [{ node, kept: [], form: "import" }]
  markKept(context, node, [])
  return []
}

/** An import declaration: marked if it stays as it is. */
const rewriteImport = (context: FileContext, node: ts.ImportDeclaration): ReadonlyArray<OldImport> => {
  const bindings = node.importClause?.namedBindings
  if (bindings === undefined || !context.ts.isNamedImports(bindings))
    return rewriteWholeImport(context, node, bindings?.name)
  const kept = bindings.elements.filter((element) => isKept(context, element)).map((each) => each.getText())
  if (kept.length < bindings.elements.length) return [{ node, kept, form: "import" }]
  markKept(context, node, kept)
  return []
}

/** The imports that change. Those that stay are marked. */
const rewriteImports = (context: FileContext): ReadonlyArray<OldImport> => {
  const { file, ts } = context
  return file.statements.flatMap((statement) => {
    if (ts.isImportDeclaration(statement) && isOldModule(context, statement.moduleSpecifier))
      return rewriteImport(context, statement)
    if (
      ts.isImportEqualsDeclaration(statement) &&
      ts.isExternalModuleReference(statement.moduleReference) &&
      isOldModule(context, statement.moduleReference.expression)
    )
      markKept(context, statement, [])
    return []
  })
}

/** The types that take the place of imported ones, and are not declared by an export. */
const listAliases = (context: FileContext, exported: ReadonlySet<string>): ReadonlyArray<string> => {
  const { file, ts } = context
  return file.statements.flatMap((statement) => {
    const isOld = ts.isImportDeclaration(statement) && isOldModule(context, statement.moduleSpecifier)
    const bindings = isOld ? statement.importClause?.namedBindings : undefined
    if (bindings === undefined || !ts.isNamedImports(bindings)) return []
    return bindings.elements
      .filter((element) => !isKept(context, element))
      .flatMap((element) => findAlias(context, element, exported) ?? [])
  })
}

/** Rewrites what imports the old package, and adds what the file needs now. */
export const moveImports = (context: FileContext): void => {
  const { file, ts } = context
  const exported = new Set(
    file.statements.flatMap((statement) =>
      ts.isExportDeclaration(statement) && isOldModule(context, statement.moduleSpecifier)
        ? rewriteReexport(context, statement)
        : []
    )
  )
  const imports = rewriteImports(context)
  const aliases = listAliases(context, exported)
  const loadings = rewriteLoadings(context)
  // an `import()` gives it
  if (loadings.includes("init")) context.decisions.needed.delete("init")
  writeImports(context, [...imports, ...loadings.filter((each) => each !== "init")])
  writeAliases(context, aliases)
}
