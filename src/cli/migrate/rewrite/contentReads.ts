/** Reads of an answer's content: `answer.result` is `getOrThrow(answer)`. */
import type ts from "typescript"
import { isPlainAmount, isPlainUse, rewritePlainUses } from "./amounts.js"
import { envelopeOfExpression, hasAmount } from "./answers.js"
import { type Envelope, type FileContext, replaceNode } from "./context.js"
import { isNullable, typeOf } from "./expressionTypes.js"
import { referencesOf, symbolOf } from "./fileNames.js"
import { wrappersOf } from "./getOrThrow.js"
import { isFailureRead, isPlainHeldAmount, targetOf, unwrappedEnvelopeOf } from "./heldAnswers.js"
import { isDereferenced, isGuard, skipParentheses } from "./syntax.js"

/** A content that is read is there: `content!` is `content`. */
const dropAssertion = ({ edits, ts }: FileContext, node: ts.Node): void => {
  if (ts.isNonNullExpression(node.parent)) edits.replace(node.end, node.parent.end, "")
}

export const dropAssertions = (context: FileContext, symbol: ts.Symbol | undefined): void => {
  for (const use of referencesOf(context, symbol)) dropAssertion(context, use)
}

interface ContentRead {
  readonly node: ts.PropertyAccessExpression
  readonly envelope: Envelope
  /** The name that holds the answer. */
  readonly holder: ts.Symbol | undefined
  /** The variable that the content is the value of. */
  readonly target: ts.Symbol | undefined
  /** The uses of the content. */
  readonly uses: ReadonlyArray<ts.Node>
  readonly isAmount: boolean
  /** Whether the content is an amount whose uses work with a bigint. */
  readonly isPlain: boolean
}

const describeRead = (
  context: FileContext,
  node: ts.PropertyAccessExpression,
  envelope: Envelope
): ContentRead => {
  const inner = skipParentheses(context, node.expression)
  const target = targetOf(context, node)
  const uses = target === undefined ? [node] : referencesOf(context, target)
  const isAmount = hasAmount(context, typeOf(context, node.expression))
  const isPlain =
    isAmount && (target === undefined ? isPlainUse(context, node) : isPlainAmount(context, target, uses))
  const holder = context.ts.isIdentifier(inner) ? symbolOf(context, inner) : undefined
  return { node, envelope, holder, target, uses, isAmount, isPlain }
}

/** The name that held the answer has its content. */
const rewriteReadOfHolder = (context: FileContext, read: ContentRead, holder: ts.Symbol): void => {
  const { isPlain, node, uses } = read
  if (isPlainHeldAmount(context, holder) && isPlain) rewritePlainUses(context, uses)
  dropAssertion(context, node)
  context.edits.replace(node.expression.end, node.end, "")
}

/** The program looks at the failure, so that the content may be null. */
const rewriteNullableRead = (context: FileContext, read: ContentRead, isOptional: boolean): void => {
  const { envelope, isAmount, isPlain, node, target, uses } = read
  if (envelope === "data") return
  if (isPlain && target === undefined && !isOptional) rewritePlainUses(context, uses)
  else if (isAmount) context.marks.add(node, "this amount is a `bigint` here, or null after a failure")
  replaceNode(context, node.name, "data")
}

const rewriteThrowingRead = (context: FileContext, read: ContentRead): void => {
  const { isAmount, isPlain, node, target, uses } = read
  const { edits, file, ts } = context
  const { expression } = node
  if (isPlain) rewritePlainUses(context, uses)
  dropAssertion(context, node)
  dropAssertions(context, target)
  const [before, after] = wrappersOf(context, isAmount && !isPlain)
  // `(await call).result` has its parentheses already
  const cut = ts.isParenthesizedExpression(expression) ? 1 : 0
  context.decisions.settled.add(skipParentheses(context, expression))
  edits.insertBefore(expression.getStart(file), before.slice(0, before.length - cut))
  edits.replace(expression.end, node.end, after.slice(cut))
}

/** Rewrites `answer.result`, and `answer.data` where the program expects it to be there. */
export const rewriteContentRead = (context: FileContext, node: ts.PropertyAccessExpression): void => {
  if (node.name.text !== "result" && node.name.text !== "data") return
  const envelope = envelopeOfExpression(context, node.expression)
  if (envelope !== node.name.text) return
  const read = describeRead(context, node, envelope)
  const { holder } = read
  if (holder !== undefined && unwrappedEnvelopeOf(context, holder) === envelope) {
    rewriteReadOfHolder(context, read, holder)
    return
  }
  const isOptional =
    node.questionDotToken !== undefined || isNullable(context, typeOf(context, node.expression))
  if (isOptional || isFailureRead(context, holder)) {
    rewriteNullableRead(context, read, isOptional)
    return
  }
  const isThere = isDereferenced(context, node) && !isGuard(context, node)
  if (envelope === "result" || isThere) rewriteThrowingRead(context, read)
}
