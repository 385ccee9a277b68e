import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { GatewayError, InvalidArgument } from "../SdkError.js"
import { type Hiding, shown, tellAll } from "./foreign.js"
import { hidingIn } from "./secrets.js"

/** One line per thing that is wrong: the path of the field, and what is wrong with it. */
const lines = (error: ParseResult.ParseError): ReadonlyArray<string> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
  )

/** What of a value the messages of a schema may be made of, in characters. */
const PROBLEM = 16_384

/** What is wrong with a value. Messages repeat what is there, of which some must not be, and some is nested too deeply. */
const problemsOf = (
  decode: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>,
  value: unknown,
  hide?: Hiding
): ReadonlyArray<string> => {
  const decoded = decode(tellAll(value, hide, PROBLEM))
  return decoded._tag === "Right"
    ? ["it is too large"]
    : lines(new ParseResult.ParseError({ issue: decoded.left }))
}

/**
 * What a method of a service was given, checked before anything is sent. What the schema does not name is dropped, so
 * that nothing is sent by accident.
 */
export const input = <A, I>(call: string, schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all" })
  return (value: unknown): Effect.Effect<A, InvalidArgument> => {
    const decoded = decode(value)
    return decoded._tag === "Right"
      ? Effect.succeed(decoded.right)
      : Effect.fail(
          new InvalidArgument({
            call,
            reason: problemsOf(decode, value).join("; ")
          })
        )
  }
}

/** The longest excerpt of an answer that an error repeats, in characters. */
const EXCERPT = 200

/** An answer as it may be shown: what could be a key or an address of somebody is cut out of it. */
const excerpt = (value: unknown): string =>
  shown(
    tellAll(value, (text) => (text.length > 24 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text)),
    EXCERPT
  ) ?? "nothing"

/** What the provider answered, where we compute with it: a malformed answer is told by the path of the field. */
export const answer = <A, I>(call: string, schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all" })
  return (value: unknown): Effect.Effect<A, GatewayError> => {
    const decoded = decode(value)
    if (decoded._tag === "Right") return Effect.succeed(decoded.right)
    const hide = hidingIn(value)
    const problems = problemsOf(decode, value, hide).slice(0, 3)
    return Effect.fail(
      new GatewayError({
        call,
        kind: "malformed",
        messages: [
          `The provider's answer is not what its documentation promises: ${problems.join("; ")}. It begins with ${excerpt(tellAll(value, hide))}`
        ]
      })
    )
  }
}
