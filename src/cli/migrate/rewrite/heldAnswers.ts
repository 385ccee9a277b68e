/** Names that hold an answer, as in `const answer = await call`. */
import type ts from "typescript"
import { isPlainAmount, isPlainUse } from "./amounts.js"
import { envelopeOf, hasAmount } from "./answers.js"
import { type Envelope, type FileContext, wrapNode } from "./context.js"
import { isNullable, typeOf } from "./expressionTypes.js"
import { referencesOf, symbolOf } from "./fileNames.js"
import { wrappersOf } from "./getOrThrow.js"
import {
  isDereferenced,
  isFixedLocally,
  isGuard,
  isMemberRead,
  skipParentheses,
  withParentheses
} from "./syntax.js"

/** The variable that an expression is the whole value of. */
export const targetOf = (context: FileContext, node: ts.Node): ts.Symbol | undefined => {
  const { ts } = context
  const { parent } = withParentheses(context, node)
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name) || parent.type !== undefined)
    return undefined
  return isFixedLocally(context, parent) ? symbolOf(context, parent.name) : undefined
}

/** Whether the program looks at a held answer's failure. */
export const isFailureRead = (context: FileContext, symbol: ts.Symbol | undefined): boolean =>
  referencesOf(context, symbol).some(
    (node) => isMemberRead(context, node, "error") || isMemberRead(context, node, "status")
  )

/** The awaited call of a variable that is seen in its file alone, and has no type of its own. */
const heldCallOf = (context: FileContext, symbol: ts.Symbol): ts.Expression | undefined => {
  const { ts } = context
  const declaration = symbol.valueDeclaration
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return undefined
  const { initializer, name, type } = declaration
  if (!ts.isIdentifier(name) || type !== undefined || initializer === undefined) return undefined
  if (!isFixedLocally(context, declaration)) return undefined
  return ts.isAwaitExpression(skipParentheses(context, initializer)) ? initializer : undefined
}

/** The reads of an answer's content; undefined if the answer is used in another way, too. */
const contentReadsOf = (
  context: FileContext,
  symbol: ts.Symbol,
  envelope: Envelope
): ReadonlyArray<ts.Node> | undefined => {
  const { ts } = context
  const reads: Array<ts.Node> = []
  for (const node of referencesOf(context, symbol)) {
    const { parent } = withParentheses(context, node)
    const isRead = ts.isPropertyAccessExpression(parent) && parent.name.text === envelope
    if (!isRead || parent.questionDotToken !== undefined) return undefined
    reads.push(parent)
  }
  return reads.length === 0 ? undefined : reads
}

const findUnwrapped = (context: FileContext, symbol: ts.Symbol): Envelope | undefined => {
  const call = heldCallOf(context, symbol)
  const type = call === undefined ? undefined : typeOf(context, call)
  const envelope = type === undefined || isNullable(context, type) ? undefined : envelopeOf(context, type)
  const reads = envelope === undefined ? undefined : contentReadsOf(context, symbol, envelope)
  if (reads === undefined) return undefined
  if (envelope === "result") return envelope
  // a failure's content is null there: a program that expects it is left alone
  const isExpectedThere = reads.some((node) => isDereferenced(context, node))
  return isExpectedThere && !reads.some((node) => isGuard(context, node)) ? envelope : undefined
}

/** The envelope of a held answer, if each use of it reads the content alone. */
export const unwrappedEnvelopeOf = (
  context: FileContext,
  symbol: ts.Symbol | undefined
): Envelope | undefined => {
  if (symbol === undefined) return undefined
  const { unwrapped } = context.decisions
  if (!unwrapped.has(symbol)) unwrapped.set(symbol, findUnwrapped(context, symbol))
  return unwrapped.get(symbol)
}

/** Whether all reads of a held answer's amount work with a bigint. If not, each of its names keeps a BigNumber. */
export const isPlainHeldAmount = (context: FileContext, symbol: ts.Symbol): boolean => {
  const { plainAmounts, plainHeldAmounts } = context.decisions
  const known = plainHeldAmounts.get(symbol)
  if (known !== undefined) return known
  const reads = referencesOf(context, symbol).map((node) => withParentheses(context, node).parent)
  const targets = reads.flatMap((read) => targetOf(context, read) ?? [])
  const isPlain =
    targets.every((target) => isPlainAmount(context, target, referencesOf(context, target))) &&
    reads.every((read) => targetOf(context, read) !== undefined || isPlainUse(context, read))
  if (!isPlain) for (const target of targets) plainAmounts.set(target, false)
  plainHeldAmounts.set(symbol, isPlain)
  return isPlain
}

/** Rewrites `const answer = await call`, where the answer's content alone is used. */
export const rewriteHeldAnswer = (context: FileContext, node: ts.VariableDeclaration): void => {
  const { initializer, name } = node
  const symbol = symbolOf(context, name)
  const envelope = unwrappedEnvelopeOf(context, symbol)
  if (envelope === undefined || symbol === undefined || initializer === undefined) return
  const isBigNumber = hasAmount(context, typeOf(context, initializer)) && !isPlainHeldAmount(context, symbol)
  context.decisions.settled.add(skipParentheses(context, initializer))
  wrapNode(context, initializer, wrappersOf(context, isBigNumber))
}
