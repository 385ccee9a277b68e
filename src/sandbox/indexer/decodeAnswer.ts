/**
 * The answers of nodes to their indexer.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SandboxError } from "../SandboxError.js"

/**
 * Decodes the answer of a method. Fails for one that does not fit the schema (`chain`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const decodeAnswer = <A, I>(
  method: string,
  schema: Schema.Schema<A, I>
): ((said: unknown) => Effect.Effect<A, SandboxError>) => {
  const decode = Schema.decodeUnknown(schema)
  return (said) =>
    Effect.mapError(
      decode(said),
      ({ message }) =>
        new SandboxError({
          reason: "chain",
          message: `The node's answer to ${method} cannot be read: ${message}`
        })
    )
}
