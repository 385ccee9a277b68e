import type * as Original from "effect/SchemaAST"
import { as } from "./cast.js"
import { none, some } from "./Option.js"

/** The annotations of a schema. */
interface Annotations {
  readonly message?: (issue: unknown) => unknown
  readonly description?: string
}

/** A field of a record: its name, its name in the input, its type, and its default if it is optional. */
interface Field {
  readonly name: string
  readonly from: string
  readonly type: Node
  readonly isOptional: boolean
  readonly otherwise: (() => unknown) | undefined
}

/** The result of a filter: whether the value is valid, a message, or a message about a field. */
type Verdict =
  | boolean
  | string
  | undefined
  | { readonly path: ReadonlyArray<PropertyKey>; readonly message: string }

/** A converted value, or the reason of a failure. */
type Conversion = { readonly value: unknown } | { readonly problem: string }

/** A schema with a predicate. */
interface Keyword {
  readonly _tag:
    | "StringKeyword"
    | "NumberKeyword"
    | "BigIntKeyword"
    | "BooleanKeyword"
    | "UndefinedKeyword"
    | "Declaration"
  readonly is: (value: unknown) => boolean
}

/** The parts of a schema that messages need, with the tags of Effect's. */
type Node = { readonly annotations: Annotations } & (
  | { readonly _tag: "UnknownKeyword" }
  | Keyword
  | { readonly _tag: "Literal"; readonly literal: unknown }
  | { readonly _tag: "Enums"; readonly enums: ReadonlyArray<readonly [name: string, value: unknown]> }
  | { readonly _tag: "TupleType"; readonly item: Node; readonly least: number }
  | { readonly _tag: "TypeLiteral"; readonly fields: ReadonlyArray<Field>; readonly rest: Node | undefined }
  | { readonly _tag: "Union"; readonly types: ReadonlyArray<Node> }
  | { readonly _tag: "Refinement"; readonly from: Node; readonly filter: (value: unknown) => Verdict }
  | {
      readonly _tag: "Transformation"
      readonly from: Node
      readonly read: ((value: unknown) => Conversion) | undefined
    }
)

export type { Annotations, Field, Keyword, Node, Verdict }

const annotation =
  (name: keyof Annotations) =>
  ({ annotations }: Node): unknown => {
    const value = annotations[name]
    return value === undefined ? none() : some(value)
  }

export const getDescriptionAnnotation: typeof Original.getDescriptionAnnotation = /*#__PURE__*/ as(
  /*#__PURE__*/ annotation("description")
)
export const getMessageAnnotation: typeof Original.getMessageAnnotation = /*#__PURE__*/ as(
  /*#__PURE__*/ annotation("message")
)
