import type * as Original from "effect/SchemaAST"
import { as } from "./cast.js"
import { none, some } from "./Option.js"

/** What is said of a schema. */
interface Annotations {
  readonly message?: (issue: unknown) => unknown
  readonly description?: string
}

/** A field of a record: its name in the input, its type, and where it may be missing, what stands for it then. */
interface Field {
  readonly name: string
  readonly from: string
  readonly type: Node
  readonly isOptional: boolean
  readonly otherwise: (() => unknown) | undefined
}

/** The outcome of a filter: whether it is right, a sentence, or one of a field. */
type Verdict =
  | boolean
  | string
  | undefined
  | { readonly path: ReadonlyArray<PropertyKey>; readonly message: string }

/** What becomes of a value, or why nothing does. */
type Conversion = { readonly value: unknown } | { readonly problem: string }

/** A schema of what a predicate knows. */
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

/** A schema, under the tags of effect's, with the parts that messages are made of. */
type Node = { readonly annotations: Annotations } & (
  | { readonly _tag: "UnknownKeyword" }
  | Keyword
  | { readonly _tag: "Literal"; readonly literal: unknown }
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
