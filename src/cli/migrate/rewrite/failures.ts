/** What handles a call's failure: calls resolve to a result, and do not reject. */
import type ts from "typescript"
import { envelopeOf, promisedType } from "./answers.js"
import type { FileContext } from "./context.js"
import { typeOf } from "./expressionTypes.js"

/** The `try` with a `catch` around a node, in the same function. */
const findTry = ({ ts }: FileContext, node: ts.Node): ts.TryStatement | undefined => {
  for (let each = node; !ts.isSourceFile(each) && !ts.isFunctionLike(each); each = each.parent) {
    const { parent } = each
    if (ts.isTryStatement(parent) && parent.tryBlock === each && parent.catchClause !== undefined)
      return parent
  }
  return undefined
}

/** Marks the `try` around a call that does not throw. */
export const markTry = (context: FileContext, node: ts.Node): void => {
  const statement = findTry(context, node)
  if (statement !== undefined)
    context.marks.add(
      statement,
      "a call that fails does not throw: look at the `status` of its result, since this `catch` does not see it"
    )
}

/** `Promise.allSettled`, `any` and `race`, which tell failures by rejections. */
const markCombinator = (context: FileContext, call: ts.CallExpression, name: string): void => {
  if (!["allSettled", "any", "race"].includes(name)) return
  const { NoTruncation } = context.ts.TypeFormatFlags
  const type = context.checker.typeToString(typeOf(context, call), undefined, NoTruncation)
  if (type.includes("JsonRpcResponse"))
    context.marks.add(call, "calls do not reject: look at the `status` of each result")
}

/** Marks handlers of rejections, which results do not reach. */
export const markHandlers = (context: FileContext, call: ts.CallExpression): void => {
  const { expression } = call
  if (!context.ts.isPropertyAccessExpression(expression)) return
  const name = expression.name.text
  if (expression.expression.getText() === "Promise") {
    markCombinator(context, call, name)
    return
  }
  const handlesFailure = name === "catch" || (name === "then" && call.arguments.length > 1)
  const awaited = handlesFailure ? promisedType(context, typeOf(context, expression.expression)) : undefined
  if (awaited !== undefined && envelopeOf(context, awaited) === "result")
    context.marks.add(
      call,
      "calls do not reject, so that this handler does not run: look at the `status` of the result"
    )
}
