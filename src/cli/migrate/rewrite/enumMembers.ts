/** Members of the old package's enumerations: `Network.ETHEREUM` is `"ethereum-mainnet"`. */
import type ts from "typescript"
import { isOldDeclaration } from "../project.js"
import names from "../tatum.json" with { type: "json" }
import { consume, type FileContext, needTypes, quoted, replaceNode } from "./context.js"
import { symbolOf } from "./fileNames.js"
import { findField, isConst } from "./syntax.js"

/** Our values for the members of enumerations, whose values there are others. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ApiVersion: { V3: "V3", V4: "V4" },
  Network: names.networks,
  RpcNodeType: { NORMAL: "normal", ARCHIVE: "archive" },
  Status: { SUCCESS: "SUCCESS", ERROR: "ERROR" }
}

interface EnumMember {
  /** The enumeration. */
  readonly name: string
  /** Our value; undefined if there is none. */
  readonly value: string | undefined
}

/** The member of one of the old package's enumerations that an expression is. */
export const enumMemberOf = (context: FileContext, node: ts.Node): EnumMember | undefined => {
  const { ts } = context
  if (!ts.isPropertyAccessExpression(node)) return undefined
  const declaration = symbolOf(context, node)?.valueDeclaration
  if (declaration === undefined || !ts.isEnumMember(declaration) || !isOldDeclaration(declaration))
    return undefined
  const name = declaration.parent.name.text
  const values = VALUES[name]
  return values === undefined ? undefined : { name, value: values[declaration.name.getText()] }
}

/** The network that the literal of a configuration names. */
export const literalNetworkOf = (
  context: FileContext,
  object: ts.Expression | undefined
): string | undefined => {
  const { ts } = context
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined
  const network = findField(object, "network")
  if (network === undefined || !ts.isPropertyAssignment(network)) return undefined
  const member = enumMemberOf(context, network.initializer)
  return member?.name === "Network" ? member.value : undefined
}

/** What an expression is the value of, as it is or as one of two. */
const placeOf = ({ ts }: FileContext, node: ts.Node): ts.Node => {
  let place = node.parent
  while (ts.isConditionalExpression(place) || ts.isParenthesizedExpression(place)) place = place.parent
  return place
}

/** Whether a text keeps its literal type in a place, without `as const`. */
const isLiteralKept = ({ checker, ts }: FileContext, node: ts.Expression, place: ts.Node): boolean => {
  const contextual = checker.getContextualType(node)
  if (contextual !== undefined && (contextual.flags & ts.TypeFlags.Any) === 0) return true
  return (
    !ts.isPropertyAssignment(place) &&
    !ts.isArrayLiteralExpression(place) &&
    !ts.isReturnStatement(place) &&
    !ts.isArrowFunction(place)
  )
}

/** `let network = Network.ETHEREUM` may have another network later. */
const widenVariable = (context: FileContext, { name, type }: ts.VariableDeclaration): void => {
  if (type !== undefined || context.style.isScript) return
  needTypes(context, "PromiseSdk")
  context.edits.insertAfter(name.end, `: PromiseSdk[${quoted(context, "network")}]`)
}

/** Rewrites a member, and says whether the expression is one. */
export const rewriteEnumMember = (context: FileContext, node: ts.PropertyAccessExpression): boolean => {
  const { ts } = context
  const member = enumMemberOf(context, node)
  if (member === undefined) return false
  if (member.value === undefined) {
    context.marks.add(node, `there is no ${node.getText()} here`)
    return true
  }
  consume(context, node)
  const place = placeOf(context, node)
  const isLiteral =
    context.style.isScript || ts.isComputedPropertyName(place) || isLiteralKept(context, node, place)
  const text = quoted(context, member.value)
  replaceNode(context, node, isLiteral ? text : `${text} as const`)
  if (member.name === "Network" && ts.isVariableDeclaration(place) && !isConst(context, place))
    widenVariable(context, place)
  return true
}
