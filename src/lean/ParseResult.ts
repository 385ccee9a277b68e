import type * as Original from "effect/ParseResult"
import { as } from "./cast.js"
import { left, right } from "./Either.js"
import type { Field, Node, Verdict } from "./SchemaAST.js"

type DerivedNode = Node & { readonly _tag: "Refinement" | "Transformation" }

type Ast = { readonly ast: Node; readonly actual: unknown }

/** An issue, with the tags and names of Effect's. */
type Issue =
  | ({ readonly _tag: "Type"; readonly message: string | undefined } & Ast)
  | ({ readonly _tag: "Composite"; readonly issues: ReadonlyArray<Issue> } & Ast)
  | ({
      readonly _tag: "Refinement" | "Transformation"
      readonly kind: "From" | "Predicate"
      readonly issue: Issue
    } & Ast)
  | {
      readonly _tag: "Pointer"
      readonly path: PropertyKey | ReadonlyArray<PropertyKey>
      readonly issue: Issue
    }
  | { readonly _tag: "Missing" }

/** A value, or an issue. */
type ReadOutcome = { readonly value: unknown } | { readonly issue: Issue }

const failType = (ast: Node, actual: unknown, message?: string): ReadOutcome => ({
  issue: { _tag: "Type", ast, actual, message }
})

const failComposite = (ast: Node, actual: unknown, issues: ReadonlyArray<Issue>): ReadOutcome => ({
  issue: { _tag: "Composite", ast, actual, issues }
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const hasOwnField = (input: object, name: string): boolean => Object.hasOwn(input, name)

const applyVerdict = (ast: Node, actual: unknown, verdict: Verdict): ReadOutcome => {
  if (verdict === undefined || verdict === true) return { value: actual }
  if (typeof verdict !== "object") return failType(ast, actual, verdict === false ? undefined : verdict)
  // an empty path means the value itself
  return {
    issue: {
      _tag: "Pointer",
      path: verdict.path,
      issue: { _tag: "Type", ast, actual, message: verdict.message }
    }
  }
}

/** Filters or transforms a value that was read. */
const deriveValue = (ast: DerivedNode, value: unknown): ReadOutcome => {
  if (ast._tag === "Refinement") return applyVerdict(ast, value, ast.filter(value))
  const outcome = ast.read?.(value) ?? { value }
  return "value" in outcome ? outcome : failType(ast, value, outcome.problem)
}

/** Reads a refinement or transformation. The issue's kind says which side failed, as in Effect. */
const readDerived = (ast: DerivedNode, actual: unknown): ReadOutcome => {
  const { _tag } = ast
  const from = read(ast.from, actual)
  if ("issue" in from) return { issue: { _tag, ast, actual, kind: "From", issue: from.issue } }
  const outcome = deriveValue(ast, from.value)
  return "value" in outcome
    ? outcome
    : { issue: { _tag, ast, actual, kind: "Predicate", issue: outcome.issue } }
}

const readList = (ast: Node & { readonly _tag: "TupleType" }, input: unknown): ReadOutcome => {
  if (!Array.isArray(input)) return failType(ast, input)
  const issues: Array<Issue> = []
  for (let i = input.length; i < ast.least; i++)
    issues.push({ _tag: "Pointer", path: i, issue: { _tag: "Missing" } })
  const value: Array<unknown> = []
  for (let i = 0; i < input.length; i++) {
    const item = read(ast.item, input[i])
    if ("issue" in item) issues.push({ _tag: "Pointer", path: i, issue: item.issue })
    else value.push(item.value)
  }
  return issues.length > 0 ? failComposite(ast, input, issues) : { value }
}

/** Reads a field into a record, or returns its issue. */
const readField = (
  { from, isOptional, name, otherwise, type }: Field,
  input: Readonly<Record<string, unknown>>,
  into: Record<string, unknown>
): Issue | undefined => {
  const isThere = hasOwnField(input, from)
  if (!isThere && isOptional) {
    if (otherwise !== undefined) into[name] = otherwise()
    return undefined
  }
  const part = read(type, input[from])
  if ("issue" in part)
    return { _tag: "Pointer", path: from, issue: isThere ? part.issue : { _tag: "Missing" } }
  into[name] = part.value === undefined && otherwise !== undefined ? otherwise() : part.value
  return undefined
}

const readRecord = (ast: Node & { readonly _tag: "TypeLiteral" }, input: unknown): ReadOutcome => {
  if (!isRecord(input)) return failType(ast, input)
  const value: Record<string, unknown> = {}
  const issues = ast.fields.flatMap((each) => readField(each, input, value) ?? [])
  if (ast.rest !== undefined) {
    for (const key of Object.keys(input)) {
      const part = read(ast.rest, input[key])
      if ("issue" in part) issues.push({ _tag: "Pointer", path: key, issue: part.issue })
      else if (ast.fields.every(({ name }) => name !== key)) value[key] = part.value
    }
  }
  return issues.length > 0 ? failComposite(ast, input, issues) : { value }
}

const readUnion = (ast: Node & { readonly _tag: "Union" }, input: unknown): ReadOutcome => {
  const issues: Array<Issue> = []
  for (const type of ast.types) {
    const member = read(type, input)
    if (!("issue" in member)) return member
    issues.push(member.issue)
  }
  return failComposite(ast, input, issues)
}

const read = (ast: Node, input: unknown): ReadOutcome => {
  switch (ast._tag) {
    case "UnknownKeyword":
      return { value: input }
    case "Literal":
      return input === ast.literal ? { value: input } : failType(ast, input)
    case "Enums":
      return ast.enums.some(([, value]) => value === input) ? { value: input } : failType(ast, input)
    case "TupleType":
      return readList(ast, input)
    case "TypeLiteral":
      return readRecord(ast, input)
    case "Union":
      return readUnion(ast, input)
    case "Refinement":
    case "Transformation":
      return readDerived(ast, input)
    default:
      return ast.is(input) ? { value: input } : failType(ast, input)
  }
}

/** Always collects all errors. */
export const decodeUnknownEither: typeof Original.decodeUnknownEither = /*#__PURE__*/ as(
  ({ ast }: { readonly ast: Node }) =>
    (input: unknown) => {
      const outcome = read(ast, input)
      return "issue" in outcome ? left(outcome.issue) : right(outcome.value)
    }
)
