/** Calls of the old package, and the answers that are awaited. */
import type ts from "typescript"
import { answerKindOf, envelopeOfExpression, findMethod, isContentRead, type OldMethod } from "./answers.js"
import { rewriteArguments } from "./callArguments.js"
import { type FileContext, needValue, wrapNode } from "./context.js"
import { markHandlers, markTry } from "./failures.js"
import { wrappersOf } from "./getOrThrow.js"
import { rewriteInit } from "./init.js"
import { withParentheses } from "./syntax.js"
import { markUntypedAnswer, markUntypedCall } from "./untyped.js"
import { markExtensionCall, rewriteWalletProvider } from "./walletProviders.js"

/** `tatum.rpc.destroy()` is `tatum.destroy()`. */
const rewriteDestroy = ({ edits, ts }: FileContext, { expression }: ts.CallExpression): void => {
  if (!ts.isPropertyAccessExpression(expression)) return
  const { expression: rpc } = expression
  if (ts.isPropertyAccessExpression(rpc) && rpc.name.text === "rpc")
    edits.replace(rpc.expression.end, rpc.end, "")
}

/** Rewrites a call of the client's own methods, and says whether it is one. */
const rewriteClientCall = (
  context: FileContext,
  call: ts.CallExpression,
  { name, owner }: OldMethod
): boolean => {
  if (name === "init" && owner === "TatumSDK") rewriteInit(context, call)
  else if (name === "use" && owner === "WalletProvider") rewriteWalletProvider(context, call)
  else if (name === "extension") markExtensionCall(context, call)
  else return false
  return true
}

const rewriteServiceCall = (context: FileContext, call: ts.CallExpression, name: string): void => {
  const { edits, marks, ts } = context
  const kind = answerKindOf(context, call)
  rewriteArguments(context, call, name)
  if (kind === "list") marks.add(call, "each item of a batch is a result of its own: { status, data, error }")
  if (kind !== "value") return
  const { parent } = withParentheses(context, call)
  if (!ts.isAwaitExpression(parent) && !ts.isExpressionStatement(parent))
    edits.insertAfter(call.end, `.then(${needValue(context, "getOrThrow")})`)
  if (name === "getFile") marks.add(call, "a failure throws here; it was an answer with `status` ERROR")
}

export const rewriteCall = (context: FileContext, call: ts.CallExpression): void => {
  const method = findMethod(context, call)
  if (method !== undefined && rewriteClientCall(context, call, method)) return
  if (method?.name === "destroy") rewriteDestroy(context, call)
  if (method === undefined || answerKindOf(context, call) === undefined) markUntypedCall(context, call)
  else rewriteServiceCall(context, call, method.name)
  markHandlers(context, call)
}

/** Rewrites an awaited answer that is not held: a failure throws, as it did. */
export const rewriteAwait = (context: FileContext, node: ts.AwaitExpression): void => {
  const { decisions, ts } = context
  if (answerKindOf(context, node.expression) === "value") {
    wrapNode(context, node, wrappersOf(context, false))
    return
  }
  if (envelopeOfExpression(context, node) !== "result") return
  if (ts.isExpressionStatement(node.parent)) {
    decisions.settled.add(node)
    wrapNode(context, node, wrappersOf(context, false))
  }
  const isRead = isContentRead(context, withParentheses(context, node).parent)
  if (!decisions.settled.has(node) && !isRead) markTry(context, node)
  markUntypedAnswer(context, node)
}
