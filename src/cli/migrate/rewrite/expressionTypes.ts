/** The types of expressions, also where the program declares none. */
import type ts from "typescript"
import { isOldDeclaration } from "../project.js"
import type { FileContext } from "./context.js"
import { skipParentheses } from "./syntax.js"

/** How many names and calls are followed to a type. */
const MAX_DEPTH = 8

export const isUnknown = ({ ts: { TypeFlags } }: FileContext, type: ts.Type): boolean =>
  (type.flags & (TypeFlags.Any | TypeFlags.Null | TypeFlags.Undefined | TypeFlags.Never)) !== 0

/** The members of a union, or the type itself. */
export const membersOf = (type: ts.Type): ReadonlyArray<ts.Type> => (type.isUnion() ? type.types : [type])

export const isNullable = ({ ts: { TypeFlags } }: FileContext, type: ts.Type): boolean =>
  membersOf(type).some(({ flags }) => (flags & (TypeFlags.Null | TypeFlags.Undefined)) !== 0)

/** The type of an expression: what the checker says, or else what is assigned to its names. */
export const typeOf = (context: FileContext, node: ts.Expression, depth = 0): ts.Type => {
  const type = context.checker.getTypeAtLocation(node)
  return isUnknown(context, type) && depth < MAX_DEPTH ? (guessType(context, node, depth + 1) ?? type) : type
}

const guessType = (context: FileContext, node: ts.Expression, depth: number): ts.Type | undefined => {
  const { ts } = context
  const inner = skipParentheses(context, node)
  if (inner !== node) return typeOf(context, inner, depth)
  if (ts.isAwaitExpression(node)) return guessAwaitedType(context, node, depth)
  if (ts.isCallExpression(node)) {
    const own = typeOf(context, node.expression, depth).getCallSignatures()[0]?.getReturnType()
    return own === undefined || isUnknown(context, own) ? returnedType(context, node, depth) : own
  }
  return (
    assignedType(context, node, depth) ??
    (ts.isPropertyAccessExpression(node) ? memberType(context, node, depth) : undefined)
  )
}

const guessAwaitedType = (
  context: FileContext,
  { expression }: ts.AwaitExpression,
  depth: number
): ts.Type | undefined => {
  const awaited = context.checker.getAwaitedType(typeOf(context, expression, depth))
  return awaited === undefined || isUnknown(context, awaited)
    ? returnedType(context, skipParentheses(context, expression), depth)
    : awaited
}

const assignedType = (context: FileContext, node: ts.Expression, depth: number): ts.Type | undefined => {
  const symbol = context.checker.getSymbolAtLocation(node)
  const values = symbol === undefined ? [] : (context.shared.assigned.get(symbol) ?? [])
  for (const value of values) {
    const type = typeOf(context, value, depth)
    if (!isUnknown(context, type)) return type
  }
  return undefined
}

const memberType = (
  context: FileContext,
  node: ts.PropertyAccessExpression,
  depth: number
): ts.Type | undefined => {
  const { checker } = context
  const owner = checker.getNonNullableType(typeOf(context, node.expression, depth))
  const property = checker.getPropertyOfType(owner, node.name.text)
  return property === undefined ? undefined : checker.getTypeOfSymbolAtLocation(property, node)
}

/** What the `return` statements of a function have, without those of functions in it. */
const returnedExpressions = ({ ts }: FileContext, body: ts.ConciseBody): ReadonlyArray<ts.Expression> => {
  if (!ts.isBlock(body)) return [body]
  const values: Array<ts.Expression> = []
  const collect = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.expression !== undefined) values.push(node.expression)
    ts.forEachChild(node, collect)
  }
  ts.forEachChild(body, collect)
  return values
}

/** What a function of the program returns that has no types. */
const returnedType = (context: FileContext, call: ts.Expression, depth: number): ts.Type | undefined => {
  const { checker, ts } = context
  if (!ts.isCallExpression(call)) return undefined
  const made = checker.getResolvedSignature(call)?.declaration
  const body = made !== undefined && ts.isFunctionLike(made) && "body" in made ? made.body : undefined
  if (body === undefined || isOldDeclaration(made)) return undefined
  for (const value of returnedExpressions(context, body)) {
    const type = checker.getAwaitedType(typeOf(context, value, depth))
    if (type !== undefined && !isUnknown(context, type)) return type
  }
  return undefined
}
