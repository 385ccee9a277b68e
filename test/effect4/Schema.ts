import * as Effect from "effect4/Effect"
import * as Schemas from "effect4/Schema"
import type * as AST from "effect4/SchemaAST"
import * as Getter from "effect4/SchemaGetter"
import * as Issue from "effect4/SchemaIssue"
import * as Transformation from "effect4/SchemaTransformation"

export * from "effect4/Schema"

/** A schema that is read and written is a `Codec`. */
export type Schema<A, I = A, R = never> = Schemas.Codec<A, I, R, R>

export declare namespace Schema {
  type AnyNoContext = Schemas.Top & { readonly DecodingServices: never; readonly EncodingServices: never }
  type Type<S extends Schemas.Top> = S["Type"]
  type Encoded<S extends Schemas.Top> = S["Encoded"]
}

/** A message was a function, and could be final; it is text now, and so the function stands under a name of its own. */
export interface Annotations {
  readonly message?: (issue: never) => string | { readonly message: string; readonly override: boolean }
  readonly description?: string
  readonly identifier?: string
}

const noted = ({ message, ...annotations }: Annotations) => ({ ...annotations, told: message })

type Named<S extends Schemas.Top> = S & { readonly annotations: (more: Annotations) => Named<S> }

/** `annotate` was called `annotations`. */
const named = <S extends Schemas.Top>(schema: S): Named<S> =>
  Object.assign(schema, { annotations: (more: Annotations) => named(copied(schema, noted(more))) })

/** The schema with annotations more; without any, one that is not the library's own. */
const copied = <S extends Schemas.Top>(schema: S, more: Readonly<Record<string, unknown>> = {}): S =>
  schema.annotate(more) as S

export const Unknown = named(copied(Schemas.Unknown))
const string = named(copied(Schemas.String))
const number = named(copied(Schemas.Number))
const boolean = named(copied(Schemas.Boolean))

export { boolean as Boolean, number as Number, string as String }

export const BigIntFromSelf = named(copied(Schemas.BigInt))

export const declare = <A>(is: (value: unknown) => value is A, annotations: Annotations = {}) =>
  named(Schemas.declare(is, noted(annotations)))
export const instanceOf = <C extends abstract new (...args: never) => unknown>(constructor: C) =>
  named(Schemas.instanceOf(constructor, { description: `an instance of ${constructor.name}` }))

/** One literal, or several in a list. */
export const Literal = <const L extends ReadonlyArray<AST.LiteralValue>>(...values: L) =>
  named(Schemas.Literals(values))

/** In a list. */
export const Union = <const M extends ReadonlyArray<Schemas.Top>>(...members: M) =>
  named(Schemas.Union(members))
export const NullOr = <S extends Schemas.Top>(self: S) => named(Schemas.NullOr(self))
export const NullishOr = <S extends Schemas.Top>(self: S) => named(Schemas.NullishOr(self))

const array = <S extends Schemas.Top>(item: S) => named(Schemas.Array(item))

export { array as Array }
export const NonEmptyArray = <S extends Schemas.Top>(item: S) => named(Schemas.NonEmptyArray(item))

export type optional<S extends Schemas.Top> = Schemas.optional<S>
export const optional = <S extends Schemas.Top>(self: S) => Schemas.optional(self)

/** `withDecodingDefault`, whose default is an effect, and is of what is written. */
export const optionalWith = <S extends Schemas.Top>(
  self: S,
  { default: otherwise }: { readonly default: () => S["Encoded"] }
) => Schemas.withDecodingDefault<S>(Effect.sync(otherwise))(self)

/** The name of a field belongs to its record, which has `encodeKeys`; until the record is made, it is noted at the field. */
export const fromKey =
  (from: string) =>
  <S extends Schemas.Top>(self: S): S & { readonly from: string } =>
    Object.assign(copied(self), { from })

const fromOf = (field: Schemas.Top): string | undefined =>
  "from" in field && typeof field.from === "string" ? field.from : undefined

const renamed = (fields: Readonly<Record<string, Schemas.Top>>, names: ReadonlyMap<string, string>) => {
  const written = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [names.get(name) ?? name, field])
  )
  const rename = (input: object, name: (key: string) => string | undefined): object =>
    Object.fromEntries(Object.entries(input).map(([key, value]) => [name(key) ?? key, value]))
  const back = new Map([...names].map(([name, from]) => [from, name]))
  const to = Schemas.toType(Schemas.Struct(fields))
  // encodeKeys tells of a problem under the name of the type, and not under that which is written
  return Schemas.Struct(written).pipe(
    Schemas.decodeTo(
      to,
      Transformation.transform<object, object>({
        decode: (input) => rename(input, (key) => back.get(key)),
        encode: (input) => rename(input, (key) => names.get(key))
      }) as never
    )
  )
}

export type Struct<F extends Schemas.Struct.Fields> = Named<Schemas.Struct<F>>

export declare namespace Struct {
  type Fields = Schemas.Struct.Fields
  type Encoded<F extends Fields> = Schemas.Struct<F>["Encoded"]
}

/** A record with a rest is a `StructWithRest`. */
export const Struct = <const F extends Schemas.Struct.Fields>(
  fields: F,
  rest?: { readonly key: typeof string; readonly value: Schemas.Top }
): Named<Schemas.Struct<F>> => {
  const all = fields as unknown as Readonly<Record<string, Schemas.Top>>
  const names = new Map(
    Object.entries(all).flatMap(([name, field]) => {
      const from = fromOf(field)
      return from === undefined ? [] : [[name, from] as const]
    })
  )
  if (names.size > 0) return named(renamed(all, names) as never)
  const struct = Schemas.Struct(fields)
  if (rest === undefined) return named(struct)
  return named(Schemas.StructWithRest(struct as never, [Schemas.Record(Schemas.String, rest.value)]) as never)
}

/** The key comes first, and the value then. */
export const Record = <V extends Schemas.Top>({
  value
}: {
  readonly key: typeof string
  readonly value: V
}) => named(Schemas.Record(Schemas.String, value))

export interface FilterIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

type Verdict = boolean | string | undefined | FilterIssue

/** A `check`; it is the last one where it fails, and says `issue` where it said `message`. */
export const filter =
  <S extends Schemas.Top>(is: (value: NoInfer<S["Type"]>) => Verdict, annotations: Annotations = {}) =>
  (self: S): filter<S> =>
    named(copied(self.check(checkOf(is, annotations)) as S))

export type filter<S extends Schemas.Top> = Named<S>

const checkOf = <A>(is: (value: A) => Verdict, annotations: Annotations) =>
  Schemas.makeFilter<A>(
    (value) => {
      const verdict = is(value)
      return typeof verdict === "object" ? { path: verdict.path, issue: verdict.message } : verdict
    },
    noted(annotations),
    true
  )

type Of<A> = Schemas.Top & { readonly Type: A }

export const pattern = <S extends Of<string>>(regex: RegExp, annotations?: Annotations) =>
  filter<S>((value) => regex.test(value), {
    description: `a string matching the pattern ${regex.source}`,
    ...annotations
  })
export const between = <S extends Of<number>>(least: number, most: number) =>
  filter<S>((value) => value >= least && value <= most, {
    description: `a number between ${least} and ${most}`
  })
export const nonNegative = <S extends Of<number>>() =>
  filter<S>((value) => value >= 0, { description: "a non-negative number" })
export const int = <S extends Of<number>>() =>
  filter<S>((value) => globalThis.Number.isSafeInteger(value), { description: "an integer" })
export const Int = int<typeof number>()(number)
export const NonEmptyString = filter<typeof string>((value) => value.length > 0, {
  description: "a non empty string"
})(string)

const numbers = new Set(["NaN", "Infinity", "-Infinity"])

/** Effect 4's own reads text that is no number as `NaN`, where Effect 3's refused it. */
export const NumberFromString = named(
  Schemas.String.pipe(
    Schemas.decodeTo(Schemas.Number, {
      decode: Getter.transformEffect((written: string, options) => {
        const read = globalThis.Number(written)
        return written.trim() !== "" && (numbers.has(written) || !globalThis.Number.isNaN(read))
          ? Effect.succeed(read)
          : Effect.fail(
              new Issue.InvalidValue(
                { message: `Unable to decode ${JSON.stringify(written)} into a number` },
                written,
                options
              )
            )
      }),
      encode: Getter.transform((value: number) => globalThis.String(value))
    })
  )
)
