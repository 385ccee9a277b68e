import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import { toEffect } from "../../data/eitherValues.js"
import { GatewayError, InvalidArgument, kindOf } from "../../data/SdkError.js"
import { hideSecretsOf } from "../../data/secrets.js"
import { sanitize, toPrintableJson } from "../../data/untrusted.js"

/** One problem, and its path. */
interface SchemaProblem {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** The most lines of an error message, to keep it readable. */
const MOST_LINES = 10

/** What a schema requires, in words. A union has several. Services only use these kinds of schemas. */
const describeTypes = (ast: AST.AST): ReadonlyArray<string> => {
  const described = AST.getDescriptionAnnotation(ast)
  switch (ast._tag) {
    case "StringKeyword":
      return ["text"]
    case "NumberKeyword":
      return ["a number"]
    case "BigIntKeyword":
      return ["a bigint"]
    case "BooleanKeyword":
      return ["true or false"]
    case "TupleType":
      return ["a list"]
    case "TypeLiteral":
      return ["an object"]
    case "Literal":
      return [typeof ast.literal === "bigint" ? String(ast.literal) : JSON.stringify(ast.literal)]
    case "Enums":
      return ast.enums.map(([, value]) => JSON.stringify(value))
    case "Union":
      return [...new Set(ast.types.flatMap(describeTypes))]
    case "Transformation":
      return describeTypes(ast.from)
    case "Refinement":
      return described._tag === "Some" ? [described.value] : describeTypes(ast.from)
    case "UndefinedKeyword":
      return []
    default:
      return described._tag === "Some" ? [described.value] : ["another value"]
  }
}

const describeMismatch = (ast: AST.AST, actual: unknown): string => {
  const words = describeTypes(ast)
  return `must be ${words.length === 0 ? "left out" : words.join(" or ")}, not ${kindOf(actual)}`
}

/** The schema's own message for this, if it has one. `final`: it stands for all problems inside. */
const messageOf = (
  issue: ParseResult.ParseIssue & { readonly ast: AST.AST }
): { readonly text: string; readonly final: boolean } | undefined => {
  const annotation = AST.getMessageAnnotation(issue.ast)
  if (annotation._tag === "None") return undefined
  const text = annotation.value(issue)
  if (typeof text === "string") return { text, final: false }
  if (Effect.isEffect(text)) return undefined
  return typeof text.message === "string" ? { text: text.message, final: text.override } : undefined
}

/** The problem of a union is that of its member nearest to the value. If none is near, it is the union's own. */
const problemsInUnion = (
  issue: ParseResult.Composite,
  path: SchemaProblem["path"]
): ReadonlyArray<SchemaProblem> => {
  const issues = [issue.issues].flat()
  const inside = issues
    .filter(({ _tag }) => _tag !== "Type")
    .map((member) => collectProblems(member, path))
    .sort((a, b) => a.length - b.length)
  return inside[0] ?? [{ path, message: describeMismatch(issue.ast, issue.actual) }]
}

const collectProblems = (
  issue: ParseResult.ParseIssue,
  path: SchemaProblem["path"] = []
): ReadonlyArray<SchemaProblem> => {
  switch (issue._tag) {
    case "Pointer":
      return collectProblems(issue.issue, [...path, ...[issue.path].flat()])
    case "Type": {
      const message = messageOf(issue)?.text ?? issue.message ?? describeMismatch(issue.ast, issue.actual)
      return [{ path, message }]
    }
    case "Composite": {
      const sentence = messageOf(issue)
      if (sentence?.final === true) return [{ path, message: sentence.text }]
      return issue.ast._tag === "Union"
        ? problemsInUnion(issue, path)
        : [issue.issues]
            .flat()
            .slice(0, MOST_LINES)
            .flatMap((each) => collectProblems(each, path))
    }
    case "Refinement":
    case "Transformation": {
      const sentence = messageOf(issue)
      const isOwn = issue.kind === "Predicate" || issue.kind === "Transformation"
      return sentence !== undefined && (isOwn || sentence.final)
        ? [{ path, message: sentence.text }]
        : collectProblems(issue.issue, path)
    }
    default:
      return [{ path, message: "is missing" }]
  }
}

/** One line per problem: the path of the field, and the problem. */
const formatProblems = (issue: ParseResult.ParseIssue): ReadonlyArray<string> => {
  const wrongs = collectProblems(issue)
  const more = wrongs.length - MOST_LINES
  return [
    ...wrongs
      .slice(0, MOST_LINES)
      .map(({ message, path }) =>
        path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
      ),
    ...(more > 0 ? [`and ${more} more`] : [])
  ]
}

/** Decodes a value, or yields its problems. A value that is nested too deeply for every schema is invalid. */
const makeDecoder = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all" })
  return (value: unknown): Either.Either<A, ReadonlyArray<string>> => {
    try {
      return Either.mapLeft(decode(value), formatProblems)
    } catch (error) {
      if (error instanceof RangeError) return Either.left(["is nested too deeply"])
      throw error
    }
  }
}

/**
 * Checks the arguments of a service's method before anything is sent. Fields outside the schema are dropped, so that nothing is sent by
 * accident.
 */
export const makeInputCheck = <A, I>(call: string, schema: Schema.Schema<A, I>) => {
  const read = makeDecoder(schema)
  return (value: unknown): Effect.Effect<A, InvalidArgument> =>
    toEffect(Either.mapLeft(read(value), (wrong) => new InvalidArgument({ call, reason: wrong.join("; ") })))
}

/** The longest excerpt of an answer that an error repeats, in characters. */
const MAX_EXCERPT_LENGTH = 200

/** An answer as it is shown in errors: texts that may be keys or addresses are shortened. */
const formatExcerpt = (value: unknown): string =>
  toPrintableJson(
    sanitize(value, (text) => (text.length > 24 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text)),
    MAX_EXCERPT_LENGTH
  ) ?? "nothing"

/** Reads an answer of the provider that the SDK computes with. The error of a malformed one has the path of the field. */
export const makeAnswerReader = <A, I>(call: string, schema: Schema.Schema<A, I>) => {
  const read = makeDecoder(schema)
  return (value: unknown): Effect.Effect<A, GatewayError> =>
    toEffect(
      Either.mapLeft(read(value), (wrong) => {
        const what = wrong.slice(0, 3).join("; ")
        const message = `The provider's answer is not what its documentation promises: ${what}. It begins with ${formatExcerpt(sanitize(value, hideSecretsOf(value)))}`
        return new GatewayError({ call, kind: "malformed", messages: [message] })
      })
    )
}
