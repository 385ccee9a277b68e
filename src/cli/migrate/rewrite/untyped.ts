/** Uses of calls and answers that no type follows: they are marked, and left as they are. */
import type ts from "typescript"
import { isOldDeclaration } from "../project.js"
import names from "../tatum.json" with { type: "json" }
import { ownerOf, promisedType } from "./answers.js"
import type { FileContext } from "./context.js"
import { typeOf } from "./expressionTypes.js"
import { withParentheses } from "./syntax.js"

const SERVICES = new Set(["rpc", "address", "nft", "token", "notification", "ipfs", "rates", "fee"])
const METHODS = new Set(
  Object.values(names.suites)
    .flatMap((suite) => Object.values(suite))
    .flatMap((methods) => methods.split(" "))
    .map((path) => path.slice(path.lastIndexOf(".") + 1))
)

/** Marks a call of a client whose type is unknown. */
export const markUntypedCall = (context: FileContext, call: ts.CallExpression): void => {
  const { marks, ts } = context
  const { expression } = call
  if (!ts.isPropertyAccessExpression(expression) || !METHODS.has(expression.name.text)) return
  let service = expression.expression
  while (ts.isPropertyAccessExpression(service) && !SERVICES.has(service.name.text))
    service = service.expression
  if (!ts.isPropertyAccessExpression(service)) return
  if ((typeOf(context, service.expression).flags & ts.TypeFlags.Any) !== 0)
    marks.add(
      call,
      "the client has no type here, so this call was not rewritten: it resolves to { status, data, error } and never throws"
    )
}

/** Whether an expression goes where nothing has a type. */
const isUntypedPlace = (context: FileContext, node: ts.Expression): boolean => {
  const { checker, ts } = context
  const outer = withParentheses(context, node)
  const { parent } = outer
  if (ts.isVariableDeclaration(parent) && parent.type?.kind === ts.SyntaxKind.AnyKeyword) return true
  const isArgument = ts.isCallExpression(parent) && parent.expression !== outer
  const isField = ts.isPropertyAssignment(parent) || ts.isSpreadAssignment(parent)
  if (!isArgument && !isField) return false
  if (isArgument && /^console\b/.test(parent.expression.getText())) return false
  const contextual = checker.getContextualType(node)
  return contextual === undefined || (contextual.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
}

/** Marks an answer that goes as a whole where nothing has types. */
export const markUntypedAnswer = (context: FileContext, node: ts.Expression): void => {
  if (isUntypedPlace(context, node))
    context.marks.add(
      node,
      "the whole answer is { status, data, error } here, in place of { jsonrpc, id, result }"
    )
}

/** Marks a method of a service that is passed on. */
export const markMethodValue = (context: FileContext, node: ts.PropertyAccessExpression): void => {
  const { marks, ts } = context
  const { parent } = node
  if (ts.isCallExpression(parent) && parent.expression === node) return
  const [signature] = typeOf(context, node).getCallSignatures()
  const declaration = signature?.declaration
  if (signature === undefined || declaration === undefined || !isOldDeclaration(declaration)) return
  if (ownerOf(context, declaration) === undefined || ts.isPropertyAccessExpression(parent)) return
  if (promisedType(context, signature.getReturnType()) !== undefined)
    marks.add(node, "this method resolves to { status, data, error }, and never throws")
}
