import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { GatewayError, InvalidArgument } from "../SdkError.js"

/** One line per thing that is wrong: the path of the field, and what is wrong with it. */
const lines = (error: ParseResult.ParseError): ReadonlyArray<string> =>
  ParseResult.ArrayFormatter.formatErrorSync(error).map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join(".")}: ${message}`
  )

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
            reason: lines(new ParseResult.ParseError({ issue: decoded.left })).join("; ")
          })
        )
  }
}

/** The longest excerpt of an answer that an error repeats. */
const EXCERPT = 200

/** An answer as it may be shown: what could be a key or an address of somebody is cut out of it. */
const excerpt = (value: unknown): string => {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === "bigint"
      ? String(item)
      : typeof item === "string" && item.length > 24
        ? `${item.slice(0, 6)}…${item.slice(-4)}`
        : item
  )
  const shown = text ?? String(value)
  return shown.length > EXCERPT ? `${shown.slice(0, EXCERPT)}…` : shown
}

/** What the provider answered, where we compute with it: a malformed answer is told by the path of the field. */
export const answer = <A, I>(call: string, schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all" })
  return (value: unknown): Effect.Effect<A, GatewayError> => {
    const decoded = decode(value)
    return decoded._tag === "Right"
      ? Effect.succeed(decoded.right)
      : Effect.fail(
          new GatewayError({
            call,
            kind: "malformed",
            messages: [
              `The provider's answer is not what its documentation promises: ${lines(
                new ParseResult.ParseError({ issue: decoded.left })
              )
                .slice(0, 3)
                .join("; ")}. It begins with ${excerpt(value)}`
            ]
          })
        )
  }
}
