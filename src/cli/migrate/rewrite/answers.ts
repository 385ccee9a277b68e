/** The answers of the old package's calls: which expressions have one, and what is in it. */
import type ts from "typescript"
import { isOldDeclaration, isOldSymbol } from "../project.js"
import type { Envelope, FileContext } from "./context.js"
import { isUnknown, membersOf, typeOf } from "./expressionTypes.js"
import { skipParentheses } from "./syntax.js"

/** The shape of a call's answer: an envelope, a list of them, a plain value, or nothing to wait for. */
type AnswerKind = Envelope | "list" | "value" | "now"

const isOldType = ({ checker }: FileContext, type: ts.Type, name: string): boolean => {
  const members = membersOf(checker.getNonNullableType(type))
  return members.length > 0 && members.every(({ symbol }) => symbol?.name === name && isOldSymbol(symbol))
}

/** The envelope that a type is; undefined for other types. */
export const envelopeOf = (context: FileContext, type: ts.Type): Envelope | undefined => {
  if (isOldType(context, type, "JsonRpcResponse")) return "result"
  return isOldType(context, type, "ResponseDto") ? "data" : undefined
}

/** The envelope that an expression's type is. */
export const envelopeOfExpression = (context: FileContext, node: ts.Expression): Envelope | undefined =>
  envelopeOf(context, typeOf(context, node))

export const promisedType = ({ checker }: FileContext, type: ts.Type): ts.Type | undefined =>
  type.symbol?.name === "Promise" ? checker.getAwaitedType(type) : undefined

export const isBigNumber = ({ checker }: FileContext, type: ts.Type): boolean => {
  const present = checker.getNonNullableType(type)
  return present.symbol?.name === "BigNumber" && !present.isUnion()
}

/** Whether an envelope has an amount, which is a bigint from now on. */
export const hasAmount = (context: FileContext, type: ts.Type): boolean => {
  const { checker } = context
  const present = checker.getNonNullableType(type)
  if (envelopeOf(context, present) !== "result") return false
  const property = checker.getPropertyOfType(present, "result")
  return property !== undefined && isBigNumber(context, checker.getTypeOfSymbol(property))
}

/** Whether an expression reads the content of a call's envelope. */
export const isContentRead = (context: FileContext, node: ts.Node): boolean => {
  const inner = context.ts.isExpression(node) ? skipParentheses(context, node) : node
  return (
    context.ts.isPropertyAccessExpression(inner) &&
    inner.name.text === "result" &&
    envelopeOfExpression(context, inner.expression) === "result"
  )
}

/** A method of the old package: the class that has it, and its name. */
export interface OldMethod {
  readonly owner: string | undefined
  readonly name: string
}

/** The class or interface around a declaration. */
export const ownerOf = ({ ts }: FileContext, declaration: ts.Node): string | undefined => {
  for (let node = declaration.parent; node !== undefined && !ts.isSourceFile(node); node = node.parent)
    if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) return node.name?.text
  return undefined
}

const nameOf = ({ ts }: FileContext, declaration: ts.SignatureDeclaration): string => {
  const { parent } = declaration
  const named = declaration.name ?? (ts.isPropertySignature(parent) ? parent.name : undefined)
  return named?.getText() ?? ""
}

/** The old package's method that is called; undefined for other calls. */
export const findMethod = (context: FileContext, call: ts.CallExpression): OldMethod | undefined => {
  const { checker, ts } = context
  const resolved = checker.getResolvedSignature(call)?.declaration
  const isUntyped = isUnknown(context, checker.getTypeAtLocation(call.expression))
  const declaration =
    isOldDeclaration(resolved) || !isUntyped
      ? resolved
      : typeOf(context, call.expression).getCallSignatures()[0]?.declaration
  if (declaration === undefined || !isOldDeclaration(declaration) || ts.isJSDocSignature(declaration))
    return undefined
  return { owner: ownerOf(context, declaration), name: nameOf(context, declaration) }
}

/** Methods that ask no node: the client's own, and those that give an object. */
const isService = ({ name, owner }: OldMethod): boolean =>
  owner !== undefined && owner !== "TatumSDK" && !["destroy", "use", "extension"].includes(name)

/** The kind of answer of a call of a service; undefined for other expressions. */
export const answerKindOf = (context: FileContext, node: ts.Expression): AnswerKind | undefined => {
  const call = skipParentheses(context, node)
  const method = context.ts.isCallExpression(call) ? findMethod(context, call) : undefined
  if (method === undefined || !isService(method)) return undefined
  const awaited = promisedType(context, typeOf(context, call))
  if (awaited === undefined) return "now"
  return (
    envelopeOf(context, awaited) ??
    (context.checker.typeToString(awaited).includes("JsonRpcResponse") ? "list" : "value")
  )
}
