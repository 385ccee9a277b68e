/** Arguments of calls: amounts and block heights are bigints. */
import type ts from "typescript"
import { isPlainAmount } from "./amounts.js"
import { envelopeOf, isBigNumber, isContentRead } from "./answers.js"
import { type FileContext, wrapNode } from "./context.js"
import { isNullable, membersOf } from "./expressionTypes.js"
import { referencesOf, symbolOf } from "./fileNames.js"
import { targetOf } from "./heldAnswers.js"
import { patternType } from "./patterns.js"

/** The positions of calls' block arguments. A height is a bigint here, and may be a number there. */
const BLOCK_ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ["call", 1],
  ["estimateGas", 1],
  ["getBalance", 1],
  ["getCode", 1],
  ["getProof", 2],
  ["getStorageAt", 2],
  ["getTransactionCount", 1]
])

/** Whether a variable is a bigint after the rewrite. */
const isPlainVariable = (context: FileContext, symbol: ts.Symbol): boolean => {
  const { ts } = context
  const declaration = symbol.valueDeclaration
  if (declaration === undefined) return false
  if (context.decisions.renamed.has(symbol)) return true
  const isContent =
    ts.isBindingElement(declaration) && ts.isObjectBindingPattern(declaration.parent)
      ? envelopeOf(context, patternType(context, declaration.parent)) === "result"
      : ts.isVariableDeclaration(declaration) &&
        declaration.initializer !== undefined &&
        isContentRead(context, declaration.initializer) &&
        targetOf(context, declaration.initializer) !== undefined
  return isContent && isPlainAmount(context, symbol, referencesOf(context, symbol))
}

const rewriteAmount = (context: FileContext, argument: ts.Expression): void => {
  const symbol = context.ts.isIdentifier(argument) ? symbolOf(context, argument) : undefined
  const isPlain =
    (symbol !== undefined && isPlainVariable(context, symbol)) || isContentRead(context, argument)
  if (!isPlain) wrapNode(context, argument, ["BigInt(", ".toFixed())"])
}

const rewriteHeight = (context: FileContext, argument: ts.Expression, type: ts.Type): void => {
  const { TypeFlags, isIdentifier, isNumericLiteral } = context.ts
  const members = membersOf(type)
  const areAll = (flag: ts.TypeFlags) => members.every(({ flags }) => (flags & flag) !== 0)
  if (!areAll(TypeFlags.NumberLike | TypeFlags.Undefined) || areAll(TypeFlags.Undefined)) return
  if (isNumericLiteral(argument)) context.edits.insertAfter(argument.end, "n")
  else if (!isNullable(context, type)) wrapNode(context, argument, ["BigInt(", ")"])
  else if (isIdentifier(argument))
    wrapNode(context, argument, [`${argument.text} === undefined ? undefined : BigInt(`, ")"])
}

/** Rewrites the arguments of a service's method. */
export const rewriteArguments = (context: FileContext, call: ts.CallExpression, method: string): void => {
  const height = BLOCK_ARGUMENTS.get(method)
  call.arguments.forEach((argument, at) => {
    const type = context.checker.getTypeAtLocation(argument)
    if (isBigNumber(context, type)) rewriteAmount(context, argument)
    else if (at === height) rewriteHeight(context, argument, type)
  })
}
