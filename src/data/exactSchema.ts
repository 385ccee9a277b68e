import * as Schema from "effect/Schema"
import type * as Types from "effect/Types"

/** Schemas of exactly the fields of a type: one that is missing, too much, or of another type does not compile. */
export type Exactly<A, F extends Schema.Struct.Fields> =
  Types.Equals<Types.Simplify<Schema.Struct.Type<F>>, Types.Simplify<A>> extends true ? unknown : never

/** A field that may be left out, and is not undefined. */
export const optionalExact = <A, I>(
  schema: Schema.Schema<A, I>
): Schema.optionalWith<Schema.Schema<A, I>, { exact: true }> => Schema.optionalWith(schema, { exact: true })
