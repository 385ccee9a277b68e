/** The old package's module where `require` or `import()` loads it. */
import type ts from "typescript"
import { type FileContext, quoted, removeStatement, replaceNode } from "./context.js"
import { isConsumed, symbolOf } from "./fileNames.js"
import { importSpecifier } from "./newImports.js"
import { isOldModule, markKept, type OldImport } from "./oldModule.js"
import { awaitedCall, skipParentheses } from "./syntax.js"

/** `await import(…)` gives `init` of ours, or goes. */
const rewriteDynamicImport = (
  context: FileContext,
  { name }: ts.VariableDeclaration,
  { source, statement }: { readonly source: ts.Node; readonly statement: ts.Node }
): boolean => {
  const isInit =
    !context.ts.isObjectBindingPattern(name) ||
    name.elements.some((each) => (each.propertyName ?? each.name).getText() === "TatumSDK")
  if (isInit) {
    replaceNode(context, name, `{ ${importSpecifier(context, "init", ": ")} }`)
    replaceNode(context, source, quoted(context, "effect-chains/promise"))
  } else removeStatement(context, statement)
  return isInit
}

/** The call that loads the old package, and the module's name in it. */
const findLoading = (
  context: FileContext,
  node: ts.VariableDeclaration
): { readonly source: ts.Node; readonly isRequire: boolean } | undefined => {
  const { ts } = context
  if (node.initializer === undefined) return undefined
  const call = awaitedCall(context, node.initializer) ?? skipParentheses(context, node.initializer)
  if (!ts.isCallExpression(call)) return undefined
  const isRequire = call.expression.getText() === "require"
  const [source] = call.arguments
  const isLoading = isRequire || call.expression.kind === ts.SyntaxKind.ImportKeyword
  return isLoading && isOldModule(context, source) ? { source, isRequire } : undefined
}

/** The names of a loaded module that are still used; undefined if it goes. */
const listKept = (
  context: FileContext,
  { name }: ts.VariableDeclaration
): ReadonlyArray<string> | undefined => {
  const { ts } = context
  const isUsed = (each: ts.Node) => {
    const symbol = symbolOf(context, each)
    return symbol === undefined || !isConsumed(context, symbol)
  }
  const elements = ts.isObjectBindingPattern(name) ? name.elements : []
  const kept = elements.filter((element) => isUsed(element.name)).map((element) => element.getText())
  return (ts.isIdentifier(name) ? isUsed(name) : kept.length > 0) ? kept : undefined
}

/** `const { TatumSDK } = require("@tatumio/tatum")`, and the same with `await import`. */
const rewriteLoading = (
  context: FileContext,
  node: ts.VariableDeclaration
): OldImport | "init" | undefined => {
  const { ts } = context
  const loading = findLoading(context, node)
  if (loading === undefined) return undefined
  const kept = listKept(context, node)
  const statement = node.parent.parent
  const isAlone = ts.isVariableDeclarationList(node.parent) && node.parent.declarations.length === 1
  if (kept !== undefined || !isAlone || !ts.isVariableStatement(statement)) {
    markKept(context, node, kept ?? [])
    return undefined
  }
  if (loading.isRequire) return { node: statement, kept: [], form: "require" }
  return rewriteDynamicImport(context, node, { source: loading.source, statement }) ? "init" : undefined
}

/** Rewrites what loads the module: the statements that go, and "init" where an `import()` gives it from now on. */
export const rewriteLoadings = (context: FileContext): ReadonlyArray<OldImport | "init"> => {
  const { file, ts } = context
  const found: Array<OldImport | "init"> = []
  const visit = (node: ts.Node): void => {
    const each = ts.isVariableDeclaration(node) ? rewriteLoading(context, node) : undefined
    if (each !== undefined) found.push(each)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}
