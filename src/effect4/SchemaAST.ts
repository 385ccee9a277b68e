import * as Option from "effect4/Option"
import type * as Schemas from "effect4/SchemaAST"

/** A sentence of its own, which may stand for all problems inside. */
export type Told = (issue: unknown) => string | { readonly message: string; readonly override: boolean }

/** What is said of a schema, by the names of Schema.ts here. */
interface Annotations {
  readonly told?: Told | undefined
  readonly description?: string | undefined
}

/**
 * A schema as a tree of Effect 3. A refinement was a node of its own around what it refines, and is one of the `checks` of the same
 * node now; so is a transformation, which is its `encoding`.
 */
export type AST = { readonly annotations: Annotations } & (
  | {
      readonly _tag:
        | "StringKeyword"
        | "TemplateLiteral"
        | "NumberKeyword"
        | "BigIntKeyword"
        | "BooleanKeyword"
        | "UndefinedKeyword"
        | "UnknownKeyword"
        | "ObjectKeyword"
        | "TupleType"
        | "TypeLiteral"
        | "Declaration"
    }
  | { readonly _tag: "Literal"; readonly literal: Schemas.LiteralValue | null }
  | { readonly _tag: "Enums"; readonly enums: ReadonlyArray<readonly [string, string | number]> }
  | { readonly _tag: "Union"; readonly types: ReadonlyArray<AST> }
  | { readonly _tag: "Suspend"; readonly f: () => AST }
  | { readonly _tag: "Refinement"; readonly from: AST }
  | { readonly _tag: "Transformation"; readonly from: AST }
)

const tags = {
  String: "StringKeyword",
  TemplateLiteral: "TemplateLiteral",
  Number: "NumberKeyword",
  BigInt: "BigIntKeyword",
  Boolean: "BooleanKeyword",
  Undefined: "UndefinedKeyword",
  Unknown: "UnknownKeyword",
  ObjectKeyword: "ObjectKeyword",
  Arrays: "TupleType",
  Objects: "TypeLiteral",
  Declaration: "Declaration"
} as const

/** The node itself, without its checks and where it comes from. */
export const plain = (ast: Schemas.AST): AST => {
  const annotations: Annotations = ast.annotations ?? {}
  switch (ast._tag) {
    case "Literal":
      return { _tag: "Literal", literal: ast.literal, annotations }
    case "Null":
      return { _tag: "Literal", literal: null, annotations }
    case "Enum":
      return { _tag: "Enums", enums: ast.enums, annotations }
    case "Union":
      return { _tag: "Union", types: ast.types.map(viewOf), annotations }
    case "Suspend":
      return { _tag: "Suspend", f: () => viewOf(ast.thunk()), annotations }
    case "Void":
    case "Never":
    case "Any":
    case "Symbol":
    case "UniqueSymbol":
      throw new Error(`No schema of the sources has ${ast._tag}`)
    default:
      return { _tag: tags[ast._tag], annotations }
  }
}

/** Where it comes from, if that is another type. */
export const transformed = (ast: Schemas.AST): AST => {
  const [link] = ast.encoding ?? []
  return link === undefined
    ? plain(ast)
    : { _tag: "Transformation", from: viewOf(link.to), annotations: ast.annotations ?? {} }
}

/** The node, and each of its first checks around it. */
export const refined = (ast: Schemas.AST, count: number): AST =>
  [...(ast.checks ?? [])]
    .slice(0, count)
    .reduce<AST>(
      (from, { annotations }) => ({ _tag: "Refinement", from, annotations: annotations ?? {} }),
      transformed(ast)
    )

export const viewOf = (ast: Schemas.AST): AST => refined(ast, Number.POSITIVE_INFINITY)

export const getDescriptionAnnotation = ({ annotations }: AST): Option.Option<string> =>
  Option.fromNullishOr(annotations.description)
export const getMessageAnnotation = ({ annotations }: AST): Option.Option<Told> =>
  Option.fromNullishOr(annotations.told)
