/** Queries of syntax trees for both codemods. */
import * as recast from "recast"

const { builders: b, namedTypes: n } = recast.types

export type Node = recast.types.namedTypes.Node
export type Program = recast.types.namedTypes.Program
export type Import = recast.types.namedTypes.ImportDeclaration

/** Rewrites a tree in place. `note` marks a node, whose line is reported at the end. */
export type Rewrite = (ast: recast.types.namedTypes.File, note: Note) => void

/** Adds a note about a node. */
export type Note = (node: recast.types.namedTypes.Node, message: string) => void

/** The parts of `a.b.c`, or of `this.a`; undefined for an expression with calls or computed names. */
export const memberChain = (node: Node | null | undefined): ReadonlyArray<string> | undefined => {
  if (n.Identifier.check(node)) return [node.name]
  if (n.ThisExpression.check(node)) return ["this"]
  if (!n.MemberExpression.check(node) || node.computed === true || !n.Identifier.check(node.property))
    return undefined
  const before = memberChain(node.object)
  return before === undefined ? undefined : [...before, node.property.name]
}

/** The value of a property in an object literal. */
export const findField = (object: Node | null | undefined, name: string): Node | undefined => {
  if (!n.ObjectExpression.check(object)) return undefined
  for (const property of object.properties) {
    if (!n.ObjectProperty.check(property) && !n.Property.check(property)) continue
    if (n.Identifier.check(property.key) && property.key.name === name) return property.value
  }
  return undefined
}

/** The imports of packages in a program. */
export const findImports = (
  { body }: Program,
  isWanted: (source: string) => boolean
): ReadonlyArray<Import> =>
  body.filter(
    (each): each is Import => n.ImportDeclaration.check(each) && isWanted(String(each.source.value))
  )

/** A program's local names of its imports, by their names in the package. */
export const localNames = (imports: ReadonlyArray<Import>): ReadonlyMap<string, string> =>
  new Map(
    imports
      .flatMap(({ specifiers }) => specifiers ?? [])
      .flatMap((each) =>
        n.ImportSpecifier.check(each)
          ? [[String(each.local?.name ?? each.imported.name), String(each.imported.name)] as const]
          : []
      )
  )

/** Whether a tree uses a name, other than in imports and as a member's name. */
export const isUsed = (program: Program, name: string): boolean => {
  let found = false
  recast.types.visit(program, {
    visitImportDeclaration: () => false,
    visitIdentifier(path) {
      const parent: Node = path.parent.node
      const isMember =
        (n.MemberExpression.check(parent) && parent.property === path.node && parent.computed !== true) ||
        ((n.ObjectProperty.check(parent) || n.Property.check(parent)) &&
          parent.key === path.node &&
          parent.shorthand !== true)
      if (path.node.name === name && !isMember) found = true
      this.traverse(path)
    }
  })
  return found
}

/** `import { one, type Two } from "source"`. */
export const makeImport = (
  source: string,
  values: ReadonlyArray<readonly [name: string, local: string]>
): Import =>
  b.importDeclaration(
    values.map(([name, local]) => b.importSpecifier(b.identifier(name), b.identifier(local))),
    b.literal(source)
  )
