import * as Effect from "effect4/Effect"
import { dual } from "effect4/Function"
import * as Option from "effect4/Option"
import * as Schemas from "effect4/Schema"
import type * as AST from "effect4/SchemaAST"
import * as Getter from "effect4/SchemaGetter"
import * as Issue from "effect4/SchemaIssue"
import * as Transformation from "effect4/SchemaTransformation"

export * from "effect4/Schema"

/** A schema that is read and written is a `Codec`. */
export type Schema<A, I = A, R = never> = Schemas.Codec<A, I, R, R>

export declare namespace Schema {
  type AnyNoContext = Schemas.Codec<unknown, unknown>
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

/** `annotate` was called `annotations`. */
const annotated = <S extends Schemas.Top>(self: S, more: Annotations): S => copied(self, noted(more))

export const annotations: {
  (more: Annotations): <S extends Schemas.Top>(self: S) => S
  <S extends Schemas.Top>(self: S, more: Annotations): S
} = dual(2, annotated)

/** The schema with annotations more; without any, one that is not the library's own. */
const copied = <S extends Schemas.Top>(schema: S, more: Readonly<Record<string, unknown>> = {}): S =>
  schema.annotate(more) as S

export const BigIntFromSelf = Schemas.BigInt
export const JsonNumber = Schemas.Finite
export const Defect = Schemas.Defect()

export const declare = <A>(is: (value: unknown) => value is A, annotations: Annotations = {}) =>
  Schemas.declare(is, noted(annotations))
export const instanceOf = <C extends abstract new (...args: never) => unknown>(constructor: C) =>
  Schemas.instanceOf(constructor, { description: `an instance of ${constructor.name}` })

/** One literal, or several in a list. */
export const Literal = <const L extends ReadonlyArray<AST.LiteralValue>>(...values: L) =>
  Schemas.Literals(values)

export type Literal<L extends ReadonlyArray<AST.LiteralValue>> = Schemas.Literals<L>

export const Enums = Schemas.Enum

/** In a list. */
export const Union = <const M extends ReadonlyArray<Schemas.Top>>(...members: M): Schemas.Union<M> =>
  Schemas.Union(members)

export type Union<M extends ReadonlyArray<Schemas.Top>> = Schemas.Union<M>
export type Array$<S extends Schemas.Top> = Schemas.$Array<S>

export type optional<S extends Schemas.Top> = Schemas.optional<S>
export const optional = <S extends Schemas.Top>(self: S) => Schemas.optional(self)

export type declare<A> = Schemas.declare<A>

export type optionalWith<S extends Schemas.Top, _Options> = Schemas.optionalKey<S>

/** `optionalKey`; or `withDecodingDefault`, whose default is an effect, and is of what is written. */
export const optionalWith: {
  <S extends Schemas.Top>(self: S, options: { readonly exact: true }): Schemas.optionalKey<S>
  <S extends Schemas.Top>(
    self: S,
    options: { readonly default: () => S["Encoded"] }
  ): Schemas.withDecodingDefault<S>
} = (<S extends Schemas.Top>(
  self: S,
  options: { readonly exact: true } | { readonly default: () => S["Encoded"] }
) =>
  "default" in options
    ? Schemas.withDecodingDefault<S>(Effect.sync(options.default))(self)
    : // an overload is not told from the other by the compiler
      Schemas.optionalKey(self)) as never

/** `decodeTo`, whose functions are getters. */
export type transform<From extends Schemas.Top, To extends Schemas.Top> = Schemas.decodeTo<To, From>
export const transform = <From extends Schemas.Top, To extends Schemas.Top>(
  from: From,
  to: To,
  { decode, encode }: Ways<From, To>
): Schemas.decodeTo<To, From> =>
  from.pipe(
    Schemas.decodeTo(to, { decode: Getter.transform(decode), encode: Getter.transform(encode) })
  ) as Schemas.decodeTo<To, From>

interface Ways<From extends Schemas.Top, To extends Schemas.Top> {
  readonly strict: boolean
  readonly decode: (value: From["Type"]) => To["Encoded"]
  readonly encode: (value: To["Encoded"]) => From["Type"]
}

/** The same with a key that may be absent where it is written. */
export const optionalToRequired = <From extends Schemas.Top, To extends Schemas.Top>(
  from: From,
  to: To,
  ways: {
    readonly decode: (value: Option.Option<From["Type"]>) => To["Encoded"]
    readonly encode: (value: To["Encoded"]) => Option.Option<From["Type"]>
  }
): Schemas.decodeTo<To, Schemas.optionalKey<From>> =>
  Schemas.optionalKey(from).pipe(
    Schemas.decodeTo(to, {
      decode: Getter.transformOptional((value: Option.Option<From["Type"]>) =>
        Option.some(ways.decode(value))
      ),
      encode: Getter.transformOptional((value: Option.Option<To["Encoded"]>) =>
        Option.flatMap(value, ways.encode)
      )
    })
  ) as Schemas.decodeTo<To, Schemas.optionalKey<From>>

/** A field that is in the type alone. */
export const attachPropertySignature =
  <const K extends string, const L extends AST.LiteralValue>(key: K, literal: L) =>
  <F extends Schemas.Struct.Fields>(
    self: Schemas.Struct<F>
  ): Schemas.decodeTo<
    Schemas.Struct<
      { readonly [N in keyof F]: Schemas.toType<F[N]> } & { readonly [N in K]: Schemas.Literal<L> }
    >,
    Schemas.Struct<F>
  > => {
    const to = Schemas.Struct({ ...Schemas.toType(self).schema.fields, [key]: Schemas.Literal(literal) })
    return self.pipe(
      Schemas.decodeTo(
        Schemas.toType(to),
        Transformation.transform<object, object>({
          decode: (input) => ({ ...input, [key]: literal }),
          encode: (input) => Object.fromEntries(Object.entries(input).filter(([name]) => name !== key))
        }) as never
      )
    ) as never
  }

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

export type Struct<F extends Schemas.Struct.Fields> = Schemas.Struct<F>

export declare namespace Struct {
  type Fields = Schemas.Struct.Fields
  type Type<F extends Fields> = Schemas.Struct.Type<F>
  type Encoded<F extends Fields> = Schemas.Struct<F>["Encoded"]
}

/** A record with a rest is a `StructWithRest`. */
export const Struct = <const F extends Schemas.Struct.Fields>(
  fields: F,
  rest?: { readonly key: typeof Schemas.String; readonly value: Schemas.Top }
): Schemas.Struct<F> => {
  const all = fields as unknown as Readonly<Record<string, Schemas.Top>>
  const names = new Map(
    Object.entries(all).flatMap(([name, field]) => {
      const from = fromOf(field)
      return from === undefined ? [] : [[name, from] as const]
    })
  )
  if (names.size > 0) return renamed(all, names) as never
  const struct = Schemas.Struct(fields)
  if (rest === undefined) return struct
  return Schemas.StructWithRest(struct as never, [Schemas.Record(Schemas.String, rest.value)]) as never
}

/** The key comes first, and the value then. */
export const Record = <V extends Schemas.Top>({
  value
}: {
  readonly key: typeof Schemas.String
  readonly value: V
}): Schemas.$Record<typeof Schemas.String, V> => Schemas.Record(Schemas.String, value)

export interface FilterIssue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

type Verdict = boolean | string | undefined | FilterIssue

export type filter<S extends Schemas.Top> = S

/** A `check`; it is the last one where it fails, and says `issue` where it said `message`. */
export const filter: {
  <C extends A, B extends A, A = C>(
    is: (value: A) => value is B,
    annotations?: Annotations
  ): <I, RD, RE>(self: Schemas.Codec<C, I, RD, RE>) => Schemas.Codec<B & C, I, RD, RE>
  <S extends Schemas.Top>(
    is: (value: NoInfer<S["Type"]>) => Verdict,
    annotations?: Annotations
  ): (self: S) => S
} =
  (is: (value: never) => Verdict, annotations: Annotations = {}) =>
  <S extends Schemas.Top>(self: S): S =>
    copied(self.check(checkOf(is as (value: unknown) => Verdict, annotations)) as S)

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
export const Int = int<typeof Schemas.Number>()(Schemas.Number)
export const NonEmptyString = filter<typeof Schemas.String>((value) => value.length > 0, {
  description: "a non empty string"
})(Schemas.String)

const numbers = new Set(["NaN", "Infinity", "-Infinity"])

/** Effect 4's own reads text that is no number as `NaN`, where Effect 3's refused it. */
export const NumberFromString = Schemas.String.pipe(
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
