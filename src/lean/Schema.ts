import type * as Original from "effect/Schema"
import { as } from "./cast.js"
import type { Annotations, Field, Keyword, Node, Verdict } from "./SchemaAST.js"

/** A schema that decodes only. Members of a union are tried in order. */
class Schema {
  readonly ast: Node
  readonly fields: Readonly<Record<string, unknown>> | undefined
  constructor(ast: Node, fields?: Schema["fields"]) {
    this.ast = ast
    this.fields = fields
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return steps.reduce<unknown>((self, step) => step(self), this)
  }
}

/** A field that is optional, or has another name in the input. */
class Property {
  readonly field: Omit<Field, "name" | "from"> & { readonly from?: string }
  constructor(field: Property["field"]) {
    this.field = field
  }
  pipe(...steps: ReadonlyArray<(self: unknown) => unknown>): unknown {
    return steps.reduce<unknown>((self, step) => step(self), this)
  }
}

export const annotations: typeof Original.annotations = /*#__PURE__*/ as(
  (more: Annotations) =>
    ({ ast, fields }: Schema) =>
      new Schema({ ...ast, annotations: { ...ast.annotations, ...more } }, fields)
)

const noAnnotations = { annotations: {} }

const keyword = (
  _tag: Keyword["_tag"],
  is: (value: unknown) => boolean,
  annotations: Annotations = {}
): Schema => new Schema({ _tag, is, annotations })

const literal = (value: unknown): Schema => new Schema({ _tag: "Literal", literal: value, ...noAnnotations })
const union = (...members: ReadonlyArray<Schema>): Schema =>
  new Schema({ _tag: "Union", types: members.map(({ ast }) => ast), ...noAnnotations })

const text = /*#__PURE__*/ keyword("StringKeyword", (value) => typeof value === "string")
const number = /*#__PURE__*/ keyword("NumberKeyword", (value) => typeof value === "number")
const absent = /*#__PURE__*/ keyword("UndefinedKeyword", (value) => value === undefined)
const nil = /*#__PURE__*/ literal(null)

export const Unknown: typeof Original.Unknown = /*#__PURE__*/ as(
  /*#__PURE__*/ new Schema({ _tag: "UnknownKeyword", ...noAnnotations })
)
const string: typeof Original.String = /*#__PURE__*/ as(text)
const numeric: typeof Original.Number = /*#__PURE__*/ as(number)
const bool: typeof Original.Boolean = /*#__PURE__*/ as(
  /*#__PURE__*/ keyword("BooleanKeyword", (value) => typeof value === "boolean")
)

export { bool as Boolean, numeric as Number, string as String }

export const BigIntFromSelf: typeof Original.BigIntFromSelf = /*#__PURE__*/ as(
  /*#__PURE__*/ keyword("BigIntKeyword", (value) => typeof value === "bigint")
)

/** Takes no type parameters. */
export const declare: typeof Original.declare = /*#__PURE__*/ as(
  (is: (value: unknown) => boolean, annotations?: Annotations) => keyword("Declaration", is, annotations)
)

export const instanceOf: typeof Original.instanceOf = /*#__PURE__*/ as(
  (constructor: abstract new () => unknown) =>
    keyword("Declaration", (value) => value instanceof constructor, {
      description: `an instance of ${constructor.name}`
    })
)

export const Literal: typeof Original.Literal = /*#__PURE__*/ as((...values: ReadonlyArray<unknown>) =>
  values.length === 1 ? literal(values[0]) : union(...values.map(literal))
)
export const Union: typeof Original.Union = /*#__PURE__*/ as(union)
export const NullOr: typeof Original.NullOr = /*#__PURE__*/ as((self: Schema) => union(self, nil))
export const NullishOr: typeof Original.NullishOr = /*#__PURE__*/ as((self: Schema) =>
  union(self, nil, absent)
)

const arrayOfAtLeast =
  (least: number) =>
  ({ ast: item }: Schema): Schema =>
    new Schema({ _tag: "TupleType", item, least, ...noAnnotations })
const array: typeof Original.Array = /*#__PURE__*/ as(/*#__PURE__*/ arrayOfAtLeast(0))

export { array as Array }
export const NonEmptyArray: typeof Original.NonEmptyArray = /*#__PURE__*/ as(/*#__PURE__*/ arrayOfAtLeast(1))

export const optional: typeof Original.optional = /*#__PURE__*/ as(
  (self: Schema) => new Property({ type: union(self, absent).ast, isOptional: true, otherwise: undefined })
)

/** Takes a default alone, which also replaces undefined. */
export const optionalWith: typeof Original.optionalWith = /*#__PURE__*/ as(
  (self: Schema, { default: otherwise }: { readonly default: () => unknown }) =>
    new Property({ type: union(self, absent).ast, isOptional: true, otherwise })
)

export const fromKey: typeof Original.fromKey = /*#__PURE__*/ as(
  (from: string) =>
    ({ field }: Property) =>
      new Property({ ...field, from })
)

const toField = ([name, of]: readonly [string, Schema | Property]): Field =>
  of instanceof Property
    ? { from: name, ...of.field, name }
    : { name, from: name, type: of.ast, isOptional: false, otherwise: undefined }

/** A default or another name makes the whole record a transformation. */
const isTransformed = ({ from, name, otherwise }: Field): boolean => from !== name || otherwise !== undefined

export const Struct: typeof Original.Struct = /*#__PURE__*/ as(
  (fields: Readonly<Record<string, Schema | Property>>, rest?: { readonly value: Schema }) => {
    const all = Object.entries(fields).map(toField)
    const from: Node = { _tag: "TypeLiteral", fields: all, rest: rest?.value.ast, ...noAnnotations }
    return new Schema(
      all.some(isTransformed) ? { _tag: "Transformation", from, read: undefined, ...noAnnotations } : from,
      fields
    )
  }
)

/** Keys are any strings. */
export const Record: typeof Original.Record = /*#__PURE__*/ as(
  ({ value }: { readonly value: Schema }) =>
    new Schema({ _tag: "TypeLiteral", fields: [], rest: value.ast, ...noAnnotations })
)

/** A constant object of names and values. */
export const Enums: typeof Original.Enums = /*#__PURE__*/ as((enums: Readonly<Record<string, unknown>>) => {
  const entries = Object.entries(enums)
  return new Schema({ _tag: "Enums", enums: entries, ...noAnnotations })
})

/** Decoded records have the property, whatever was there before. */
export const attachPropertySignature: typeof Original.attachPropertySignature = /*#__PURE__*/ as(
  (name: string, value: unknown) =>
    ({ ast: from }: Schema): Schema =>
      new Schema({
        _tag: "Transformation",
        from,
        read: (record) => ({ value: { ...as<object>(record), [name]: value } }),
        ...noAnnotations
      })
)

const refine =
  (filter: (value: never) => Verdict, annotations: Annotations = {}) =>
  ({ ast: from }: Schema): Schema =>
    new Schema({ _tag: "Refinement", from, filter: as(filter), annotations })

export const filter: typeof Original.filter = /*#__PURE__*/ as(refine)

export const pattern: typeof Original.pattern = /*#__PURE__*/ as((regex: RegExp, annotations?: Annotations) =>
  refine((value: string) => regex.test(value), {
    description: `a string matching the pattern ${regex.source}`,
    ...annotations
  })
)
export const between: typeof Original.between = /*#__PURE__*/ as((least: number, most: number) =>
  refine((value: number) => value >= least && value <= most, {
    description: `a number between ${least} and ${most}`
  })
)
export const nonNegative: typeof Original.nonNegative = /*#__PURE__*/ as(() =>
  refine((value: number) => value >= 0, { description: "a non-negative number" })
)
const integer = () =>
  refine((value: number) => globalThis.Number.isSafeInteger(value), { description: "an integer" })

export const int: typeof Original.int = /*#__PURE__*/ as(integer)
export const Int: typeof Original.Int = /*#__PURE__*/ as(/*#__PURE__*/ integer()(number))
export const NonEmptyString: typeof Original.NonEmptyString = /*#__PURE__*/ as(
  /*#__PURE__*/ refine((value: string) => value.length > 0, { description: "a non empty string" })(text)
)

const numbers = new Set(["NaN", "Infinity", "-Infinity"])

export const NumberFromString: typeof Original.NumberFromString = /*#__PURE__*/ as(
  /*#__PURE__*/ new Schema({
    _tag: "Transformation",
    from: text.ast,
    read: (value) => {
      const written = globalThis.String(value)
      const read = globalThis.Number(written)
      return written.trim() !== "" && (numbers.has(written) || !globalThis.Number.isNaN(read))
        ? { value: read }
        : { problem: `Unable to decode ${JSON.stringify(written)} into a number` }
    },
    ...noAnnotations
  })
)
