/** Where an expression stands, and what its surroundings do with it. */
import type ts from "typescript"
import type { FileContext } from "./context.js"

type Syntax = Pick<FileContext, "ts">

/** The expression in parentheses and before a `!`. */
export const skipParentheses = (context: Syntax, node: ts.Expression): ts.Expression =>
  context.ts.isParenthesizedExpression(node) || context.ts.isNonNullExpression(node)
    ? skipParentheses(context, node.expression)
    : node

/** An expression with the parentheses and the `!` around it. */
export const withParentheses = (context: Syntax, node: ts.Node): ts.Node => {
  const { parent } = node
  return (context.ts.isParenthesizedExpression(parent) || context.ts.isNonNullExpression(parent)) &&
    parent.expression === node
    ? withParentheses(context, parent)
    : node
}

/** The call that is awaited; undefined for other expressions. */
export const awaitedCall = (
  context: Syntax,
  node: ts.Expression | undefined
): ts.CallExpression | undefined => {
  const value = node === undefined ? undefined : skipParentheses(context, node)
  if (value === undefined || !context.ts.isAwaitExpression(value)) return undefined
  const call = skipParentheses(context, value.expression)
  return context.ts.isCallExpression(call) ? call : undefined
}

/** The property of an object literal. */
export const findField = (
  object: ts.ObjectLiteralExpression,
  name: string
): ts.ObjectLiteralElementLike | undefined => object.properties.find((each) => each.name?.getText() === name)

export const isConst = ({ ts }: Syntax, declaration: ts.VariableDeclaration): boolean =>
  (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0

/** Whether all uses of a variable are in its file, and see the value of its declaration. */
export const isFixedLocally = (context: Syntax, declaration: ts.VariableDeclaration): boolean => {
  const { ts } = context
  const isExported = (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0
  return isConst(context, declaration) && !isExported
}

/** Whether a member of this name is read. */
export const isMemberRead = (context: Syntax, node: ts.Node, name: string): boolean => {
  const { parent } = withParentheses(context, node)
  return context.ts.isPropertyAccessExpression(parent) && parent.name.text === name
}

/** Whether an operator looks whether its operands are there. */
const isGuardOperator = ({ ts }: Syntax, expression: ts.BinaryExpression): boolean => {
  const { kind } = expression.operatorToken
  const { SyntaxKind } = ts
  return (
    kind === SyntaxKind.AmpersandAmpersandToken ||
    kind === SyntaxKind.BarBarToken ||
    kind === SyntaxKind.QuestionQuestionToken ||
    /\b(null|undefined)\b/.test(expression.getText())
  )
}

/** Whether an expression is checked for being there. */
export const isGuard = (context: Syntax, node: ts.Node): boolean => {
  const { ts } = context
  const each = withParentheses(context, node)
  const { parent } = each
  const isMember = ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)
  if (isMember && parent.expression === each) return parent.questionDotToken !== undefined
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) return parent.expression === each
  if (ts.isConditionalExpression(parent)) return parent.condition === each
  if (ts.isPrefixUnaryExpression(parent)) return parent.operator === ts.SyntaxKind.ExclamationToken
  return ts.isBinaryExpression(parent) && isGuardOperator(context, parent)
}

/** Whether an expression is used in a way that throws if it is null. */
export const isDereferenced = (context: Syntax, node: ts.Node): boolean => {
  const { ts } = context
  if (ts.isNonNullExpression(node.parent)) return false
  const each = withParentheses(context, node)
  const { parent } = each
  if (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent))
    return parent.expression === each && parent.questionDotToken === undefined
  if (ts.isForOfStatement(parent)) return parent.expression === each
  if (ts.isVariableDeclaration(parent)) return !ts.isIdentifier(parent.name) && parent.initializer === each
  return ts.isSpreadElement(parent)
}
