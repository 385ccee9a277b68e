/** Amounts: BigNumbers that are bigints from now on, where all of their uses work with one. */
import type ts from "typescript"
import { answerKindOf } from "./answers.js"
import type { FileContext } from "./context.js"
import { withParentheses } from "./syntax.js"

/** A use that works with a bigint: the method's call that changes, and its new code. */
interface PlainUse {
  readonly call?: ts.CallExpression
  readonly code?: string
}

const CONVERSIONS = new Set(["String", "Number", "BigInt"])
const WRITERS = new Set(["toFixed", "toJSON", "valueOf"])

const argumentUse = (context: FileContext, call: ts.CallExpression): PlainUse | undefined => {
  const { expression } = call
  const isConversion = context.ts.isIdentifier(expression) && CONVERSIONS.has(expression.text)
  return isConversion || answerKindOf(context, call) !== undefined ? {} : undefined
}

const methodUse = (call: ts.CallExpression, name: string): PlainUse | undefined => {
  const given = call.arguments.map((argument) => argument.getText())
  if (name === "toNumber") return { call, code: "Number" }
  if (name === "toString" && given.length < 2) return { call, code: `.toString(${given.join("")})` }
  const isWhole = given.length === 0 || given[0] === "0"
  return WRITERS.has(name) && isWhole ? { call, code: ".toString()" } : undefined
}

/** How an amount is used, if a bigint can take its place; undefined where it has to stay a BigNumber. */
const plainUseOf = (context: FileContext, node: ts.Node): PlainUse | undefined => {
  const { ts } = context
  const each = withParentheses(context, node)
  const { parent } = each
  if (ts.isTemplateSpan(parent) || ts.isExpressionStatement(parent)) return {}
  if (ts.isCallExpression(parent) && parent.expression !== each) return argumentUse(context, parent)
  if (!ts.isPropertyAccessExpression(parent) || !ts.isCallExpression(parent.parent)) return undefined
  return parent.parent.expression === parent ? methodUse(parent.parent, parent.name.text) : undefined
}

export const isPlainUse = (context: FileContext, node: ts.Node): boolean =>
  plainUseOf(context, node) !== undefined

/** Whether all uses of a name work with a bigint. */
export const isPlainAmount = (
  context: FileContext,
  symbol: ts.Symbol | undefined,
  uses: ReadonlyArray<ts.Node>
): boolean => {
  if (symbol === undefined) return false
  const { plainAmounts } = context.decisions
  const known = plainAmounts.get(symbol)
  if (known !== undefined) return known
  const isPlain = uses.length > 0 && uses.every((node) => isPlainUse(context, node))
  plainAmounts.set(symbol, isPlain)
  return isPlain
}

const rewritePlainUse = (context: FileContext, node: ts.Node): void => {
  const { edits, file } = context
  const { call, code } = plainUseOf(context, node) ?? {}
  const each = withParentheses(context, node)
  if (call === undefined || code === undefined) return
  if (code === "Number") {
    edits.insertBefore(each.getStart(file), "Number(")
    edits.replace(each.end, call.end, ")")
  } else edits.replace(each.end, call.end, code)
}

/** Rewrites the uses of an amount that is a bigint now. */
export const rewritePlainUses = (context: FileContext, uses: ReadonlyArray<ts.Node>): void => {
  for (const use of uses) rewritePlainUse(context, use)
}
