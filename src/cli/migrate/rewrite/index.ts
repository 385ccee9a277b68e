/** Rewrites one file of a program of `@tatumio/tatum` by the types of its expressions. */
import type ts from "typescript"
import { envelopeOfExpression } from "./answers.js"
import { rewriteAwait, rewriteCall } from "./calls.js"
import { rewriteContentRead } from "./contentReads.js"
import { type FileContext, makeContext, type Shared } from "./context.js"
import { rewriteEnumMember } from "./enumMembers.js"
import { indexNames, symbolOf } from "./fileNames.js"
import { rewriteHeldAnswer, unwrappedEnvelopeOf } from "./heldAnswers.js"
import { moveImports } from "./imports.js"
import { rewritePattern } from "./patterns.js"
import { rewriteTypeReference } from "./typeReferences.js"
import { markMethodValue, markUntypedAnswer } from "./untyped.js"
import { markExtensionClass } from "./walletProviders.js"

export type { Shared } from "./context.js"

/** A name of an answer that is used as a whole. */
const visitName = (context: FileContext, node: ts.Identifier): void => {
  if (!context.ts.isExpression(node.parent) || envelopeOfExpression(context, node) !== "result") return
  if (unwrappedEnvelopeOf(context, symbolOf(context, node)) === undefined) markUntypedAnswer(context, node)
}

/** Rewrites a node, and says whether the nodes in it are to be visited. */
const rewriteNode = (context: FileContext, node: ts.Node): boolean => {
  const { ts } = context
  if (ts.isVariableDeclaration(node)) rewriteHeldAnswer(context, node)
  if (ts.isObjectBindingPattern(node)) rewritePattern(context, node)
  if (ts.isAwaitExpression(node)) rewriteAwait(context, node)
  if (ts.isCallExpression(node)) rewriteCall(context, node)
  if (ts.isTypeReferenceNode(node)) rewriteTypeReference(context, node)
  if (ts.isIdentifier(node)) visitName(context, node)
  if (!ts.isPropertyAccessExpression(node)) return true
  if (rewriteEnumMember(context, node)) return false
  rewriteContentRead(context, node)
  markMethodValue(context, node)
  return true
}

const visit = (context: FileContext, node: ts.Node): void => {
  const { decisions, ts } = context
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || decisions.dropped.has(node)) return
  if (markExtensionClass(context, node)) return
  if (rewriteNode(context, node)) ts.forEachChild(node, (child) => visit(context, child))
}

/** The text of a file after the rewrite. */
export const rewriteFile = (shared: Shared, file: ts.SourceFile): string => {
  const context = makeContext(shared, file, indexNames(shared, file))
  visit(context, file)
  moveImports(context)
  for (const { at, text } of context.marks.list()) context.edits.insertLine(at, text)
  return context.edits.apply(file.text)
}
