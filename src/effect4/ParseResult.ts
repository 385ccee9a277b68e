import * as Result from "effect4/Result"
import * as Schemas from "effect4/Schema"
import type * as Nodes from "effect4/SchemaAST"
import type * as Issues from "effect4/SchemaIssue"
import * as Parser from "effect4/SchemaParser"
import { type Either, left, right } from "./Either.js"
import { type AST, plain, refined, transformed } from "./SchemaAST.js"

interface Of {
  readonly ast: AST
  readonly actual: unknown
}

/** An issue as Effect 3 told it. */
export type ParseIssue =
  | ({ readonly _tag: "Type"; readonly message: string | undefined } & Of)
  | Composite
  | ({
      readonly _tag: "Refinement" | "Transformation"
      readonly kind: "From" | "Predicate" | "Encoded" | "Transformation"
      readonly issue: ParseIssue
    } & Of)
  | { readonly _tag: "Pointer"; readonly path: ReadonlyArray<PropertyKey>; readonly issue: ParseIssue }
  | { readonly _tag: "Missing" | "Unexpected" | "Forbidden"; readonly message: string | undefined }

export interface Composite extends Of {
  readonly _tag: "Composite"
  readonly issues: ReadonlyArray<ParseIssue>
}

const told: Nodes.ParseOptions = { errors: "all", reportInput: true }

/** What failed of a node before its checks: each of those says that it came from there. */
const within = (ast: Nodes.AST, actual: unknown, issue: ParseIssue, from = 0): ParseIssue =>
  (ast.checks ?? []).slice(from).reduce<ParseIssue>(
    (inner, _, i) => ({
      _tag: "Refinement",
      kind: "From",
      ast: refined(ast, from + i + 1),
      actual,
      issue: inner
    }),
    issue
  )

const messageOf = (issue: Issues.Issue): string | undefined =>
  issue._tag === "InvalidValue" && typeof issue.annotations?.message === "string"
    ? issue.annotations.message
    : undefined

/** The verdict of a check, of which there may be more behind it. */
const checked = (ast: Nodes.AST, { filter, input, issue }: Issues.Filter): ParseIssue => {
  const checks: ReadonlyArray<unknown> = ast.checks ?? []
  const at = checks.indexOf(filter)
  const own = refined(ast, at + 1)
  const said: ParseIssue =
    issue._tag === "InvalidValue"
      ? { _tag: "Type", ast: own, actual: input, message: messageOf(issue) }
      : toldOf(ast, issue)
  return within(
    ast,
    input,
    { _tag: "Refinement", kind: "Predicate", ast: own, actual: input, issue: said },
    at + 1
  )
}

const encoded = (issue: Issues.Encoding): ParseIssue => {
  const of = { _tag: "Transformation", ast: transformed(issue.ast), actual: issue.input } as const
  const inner = toldOf(issue.ast, issue.issue)
  const kind = issue.issue._tag === "InvalidValue" ? "Transformation" : "Encoded"
  return within(issue.ast, issue.input, { ...of, kind, issue: inner })
}

/** Checks of a node come in a composite of it: here they are the one that failed. */
const composed = (issue: Issues.Composite): ParseIssue => {
  const [first] = issue.issues
  if (first._tag === "Filter") return checked(issue.ast, first)
  const issues = issue.issues.map((each) => toldOf(issue.ast, each))
  return within(issue.ast, issue.input, {
    _tag: "Composite",
    ast: plain(issue.ast),
    actual: issue.input,
    issues
  })
}

/** A choice tells nothing of members that are of another type than the value: each is asked again. */
const memberIssue = (member: Nodes.AST, input: unknown): ReadonlyArray<ParseIssue> =>
  Result.match(Parser.decodeUnknownResult(Schemas.make<Schemas.Codec<unknown>>(member), told)(input), {
    onFailure: (issue) => [toldOf(member, issue)],
    onSuccess: () => []
  })

const toldOf = (ast: Nodes.AST, issue: Issues.Issue): ParseIssue => {
  const actual = issue.input
  switch (issue._tag) {
    case "Pointer":
      return { _tag: "Pointer", path: issue.path, issue: toldOf(ast, issue.issue) }
    case "MissingKey":
      return { _tag: "Missing", message: undefined }
    case "UnexpectedKey":
      return { _tag: "Unexpected", message: undefined }
    case "Forbidden":
      return { _tag: "Forbidden", message: undefined }
    case "Composite":
      return composed(issue)
    case "AnyOf":
      return within(issue.ast, actual, {
        _tag: "Composite",
        ast: plain(issue.ast),
        actual,
        issues: issue.ast.types.flatMap((member) => memberIssue(member, actual))
      })
    case "InvalidType":
      return within(issue.ast, actual, { _tag: "Type", ast: plain(issue.ast), actual, message: undefined })
    case "Filter":
      return checked(ast, issue)
    case "Encoding":
      return encoded(issue)
    default:
      return { _tag: "Type", ast: plain(ast), actual, message: messageOf(issue) }
  }
}

/** It yields a `Result`, and its options are those of a parser. */
export const decodeUnknownEither = <A, I>(
  schema: Schemas.Codec<A, I>,
  options?: Nodes.ParseOptions
): ((input: unknown) => Either<A, ParseIssue>) => {
  const decode = Parser.decodeUnknownResult(schema, { ...told, ...options })
  return (input) =>
    Result.match(decode(input), {
      onFailure: (issue) => left(toldOf(schema.ast, issue)),
      onSuccess: right
    })
}
