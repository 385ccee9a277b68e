/** Patterns that take an answer apart: `const { result } = await call`. */
import type ts from "typescript"
import { isPlainAmount, isPlainUse, rewritePlainUses } from "./amounts.js"
import { envelopeOf, hasAmount } from "./answers.js"
import { dropAssertions } from "./contentReads.js"
import { type FileContext, needValue, replaceNode, wrapNode } from "./context.js"
import { isNullable, typeOf } from "./expressionTypes.js"
import { referencesOf, symbolOf, takeName } from "./fileNames.js"
import { replaceReference, wrappersOf } from "./getOrThrow.js"
import { awaitedCall, isDereferenced, isGuard, skipParentheses } from "./syntax.js"

type Fields = ReadonlyMap<string, ts.BindingElement>

/** A pattern of an answer, and the element that takes its content. */
interface AnswerPattern {
  readonly pattern: ts.ObjectBindingPattern
  readonly type: ts.Type
  readonly fields: Fields
  readonly content: ts.BindingElement
  /** Whether the pattern takes nothing but the content. */
  readonly isAlone: boolean
  readonly symbol: ts.Symbol | undefined
  readonly uses: ReadonlyArray<ts.Identifier>
}

interface AmountPattern extends AnswerPattern {
  readonly isAmount: boolean
  /** Whether the content is an amount whose uses work with a bigint. */
  readonly isPlain: boolean
}

const fieldsOf = (pattern: ts.ObjectBindingPattern): Fields =>
  new Map(
    pattern.elements.map((element) => [
      element.dotDotDotToken === undefined ? (element.propertyName ?? element.name).getText() : "...",
      element
    ])
  )

/** The type that a pattern takes apart. */
export const patternType = (context: FileContext, pattern: ts.ObjectBindingPattern): ts.Type => {
  const { parent } = pattern
  return context.ts.isVariableDeclaration(parent) && parent.initializer !== undefined
    ? typeOf(context, parent.initializer)
    : context.checker.getTypeAtLocation(pattern)
}

const markOtherFields = ({ marks }: FileContext, fields: Fields): void => {
  for (const name of ["id", "jsonrpc", "..."]) {
    const field = fields.get(name)
    if (field !== undefined) marks.add(field, "results have `status`, `data` and `error` only")
  }
}

/** `const { result } = await call` is `const result = getOrThrow(await call)`. */
const replaceByContent = (
  context: FileContext,
  declaration: ts.VariableDeclaration,
  content: ts.BindingElement,
  isBigNumber: boolean
): void => {
  const { initializer, name, type } = declaration
  if (initializer === undefined) return
  context.edits.replace(name.getStart(context.file), type?.end ?? name.end, content.name.getText())
  dropAssertions(context, symbolOf(context, content.name))
  const [before, after] = wrappersOf(context, isBigNumber)
  const fallback = content.initializer === undefined ? "" : ` ?? ${content.initializer.getText()}`
  context.decisions.settled.add(skipParentheses(context, initializer))
  wrapNode(context, initializer, [before, `${after}${fallback}`])
}

/** `const { data } = await call`, where the program expects the content to be there. */
const rewriteDataPattern = (
  context: FileContext,
  { content, isAlone, pattern, symbol, uses }: AnswerPattern
) => {
  const { parent } = pattern
  if (!isAlone || !context.ts.isVariableDeclaration(parent) || content.initializer !== undefined) return
  const isUsed = symbol === undefined || uses.some((use) => isDereferenced(context, use))
  if (isUsed && !uses.some((use) => isGuard(context, use)) && parent.type === undefined)
    replaceByContent(context, parent, content, false)
}

/** The call whose answer an element of `const […] = await Promise.all([…])` is. */
const findCallOfAll = (context: FileContext, element: ts.Node): ts.Expression | undefined => {
  const { ts } = context
  const list = element.parent
  if (
    !ts.isBindingElement(element) ||
    !ts.isArrayBindingPattern(list) ||
    !ts.isVariableDeclaration(list.parent)
  )
    return undefined
  const call = awaitedCall(context, list.parent.initializer)
  if (call?.expression.getText() !== "Promise.all") return undefined
  const [all] = call.arguments
  const given =
    all !== undefined && ts.isArrayLiteralExpression(all)
      ? all.elements[list.elements.indexOf(element)]
      : undefined
  return given === undefined || ts.isSpreadElement(given) ? undefined : given
}

/** `const [{ result: a }] = await Promise.all([call()])` is `const [a] = await Promise.all([call().then(getOrThrow)])`. */
const rewriteElementOfAll = (context: FileContext, pattern: AmountPattern): boolean => {
  const { content, isAmount, isPlain } = pattern
  const call = findCallOfAll(context, pattern.pattern.parent)
  if (call === undefined || content.initializer !== undefined) return false
  replaceNode(context, pattern.pattern, content.name.getText())
  const isBigNumber = isAmount && !isPlain
  const [before, after] = wrappersOf(context, isBigNumber)
  context.edits.insertAfter(
    call.end,
    isBigNumber ? `.then((answer) => ${before}answer${after})` : `.then(${needValue(context, "getOrThrow")})`
  )
  return true
}

/** `({ result }) => result` is `(answer) => getOrThrow(answer)`. */
const renamePattern = (
  context: FileContext,
  { isAmount, pattern, uses }: AmountPattern,
  symbol: ts.Symbol
) => {
  const name = takeName(context, pattern, "answer")
  replaceNode(context, pattern, name)
  context.decisions.renamed.add(symbol)
  // other contents may be null after a success, too: a block that no node has
  if (isAmount) dropAssertions(context, symbol)
  for (const use of uses) {
    const isPlain = isAmount && isPlainUse(context, use)
    if (isPlain) rewritePlainUses(context, [use])
    replaceReference(context, use, { name, isBigNumber: isAmount && !isPlain })
  }
}

/** The program looks at the failure, so that the content may be null. */
const rewriteNullableContent = (context: FileContext, each: AmountPattern): void => {
  const { content, fields, isAmount, isPlain, pattern, uses } = each
  const { edits, file, marks } = context
  const name = content.name.getText()
  edits.replace(content.getStart(file), content.name.end, `data: ${name}`)
  if (isPlain) rewritePlainUses(context, uses)
  else if (isAmount) marks.add(pattern, `\`${name}\` is a \`bigint\` here, or null after a failure`)
  else if (!fields.has("error")) marks.add(pattern, "after a failure `data` is null, and nothing is thrown")
  if (content.initializer !== undefined)
    marks.add(pattern, "the default does not apply after a failure: `data` is null then")
  markOtherFields(context, fields)
}

/** Puts the content in the place of the pattern, where nothing else is taken. */
const rewriteLoneContent = (context: FileContext, each: AmountPattern): boolean => {
  const { content, isAmount, isPlain, pattern, symbol, type, uses } = each
  const { parent } = pattern
  const isThere = !isNullable(context, type)
  if (context.ts.isVariableDeclaration(parent) && parent.initializer !== undefined && isThere)
    replaceByContent(context, parent, content, isAmount && !isPlain)
  else if (!rewriteElementOfAll(context, each)) {
    if (symbol === undefined || content.initializer !== undefined || !isThere) return false
    renamePattern(context, each, symbol)
    return true
  }
  if (isPlain) rewritePlainUses(context, uses)
  return true
}

/** Rewrites a pattern that takes an answer apart. */
export const rewritePattern = (context: FileContext, pattern: ts.ObjectBindingPattern): void => {
  const type = patternType(context, pattern)
  const envelope = envelopeOf(context, type)
  if (envelope === undefined) return
  const fields = fieldsOf(pattern)
  const content = fields.get(envelope)
  if (content === undefined) {
    if (envelope === "result") markOtherFields(context, fields)
    return
  }
  const symbol = context.ts.isIdentifier(content.name) ? symbolOf(context, content.name) : undefined
  const uses = referencesOf(context, symbol)
  const each = { pattern, type, fields, content, isAlone: fields.size === 1, symbol, uses }
  if (envelope === "data") {
    rewriteDataPattern(context, each)
    return
  }
  const isAmount = hasAmount(context, type)
  const found = { ...each, isAmount, isPlain: isAmount && isPlainAmount(context, symbol, uses) }
  if (!found.isAlone || !rewriteLoneContent(context, found)) rewriteNullableContent(context, found)
}
