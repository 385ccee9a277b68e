/**
 * Writes declarations of the sources in the names of Effect 4. The compiler has written them with the names of Effect 3, which the modules
 * of `src/effect4` give to the types of Effect 4.
 */
import ts from "typescript"

/** Modules with another name. */
const MODULES = {
  "effect/Either": "effect/Result",
  "effect/ConfigError": "effect/Config",
  "effect/Runtime": "effect/Context"
}

/** Types with another name; `args` gives the type arguments in another order. */
const first = ([one]) => [one]
const swapped = ([one, two]) => [two, one]
const NAMES = {
  "effect/Config": { "Config.Success": "Success", "Config.Wrap": "Wrap" },
  "effect/Context": { Tag: "Service", TagClass: "ServiceClass" },
  "effect/Duration": { DurationInput: "Input" },
  "effect/Effect": { "Effect.Context": "Services", "Effect.Error": "Error", "Effect.Success": "Success" },
  "effect/Either": { Either: "Result", Left: ["Failure", swapped], Right: ["Success", swapped] },
  "effect/Fiber": { RuntimeFiber: "Fiber" },
  "effect/Metric": { "Metric.Counter": "Counter", "Metric.Histogram": "Histogram" },
  "effect/Runtime": { Runtime: "Context" },
  "effect/Schema": {
    Array$: "$Array",
    Literal: "Literals",
    Schema: "Codec",
    "Schema.AnyNoContext": "Top",
    "Schema.Encoded": "Codec.Encoded",
    optionalWith: ["optionalKey", first],
    transform: ["decodeTo", swapped]
  },
  "effect/Scope": { CloseableScope: "Closeable" }
}

const moduleOf = (id) =>
  MODULES[id] ?? id.replace(/^@effect\/platform\//, "effect/http/").replace(/^effect4\//, "effect/")

/** The names in a chain `A.B.C`, or undefined for anything else. */
const chainOf = (node) => {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isQualifiedName(node)) {
    const left = chainOf(node.left)
    return left && [...left, node.right.text]
  }
  if (ts.isPropertyAccessExpression(node)) {
    const left = chainOf(node.expression)
    return left && [...left, node.name.text]
  }
  return undefined
}

/** The new name of a member of a module. */
const renamed = (module, names) => {
  const found = NAMES[module]?.[names.join(".")]
  if (found === undefined) return undefined
  const [name, args] = typeof found === "string" ? [found] : found
  return { name, args }
}

export const toEffect4 = (text, file) => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const edits = []
  const replace = (node, by) => edits.push([node.getStart(), node.end, by])
  const spaces = new Map()
  for (const statement of source.statements) {
    if (!(ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))) continue
    const id = statement.moduleSpecifier?.text
    if (id === undefined) continue
    const bindings = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause
    if (bindings !== undefined && ts.isNamespaceImport(bindings)) spaces.set(bindings.name.text, id)
    else if (bindings !== undefined && "elements" in bindings)
      for (const element of bindings.elements) {
        const name = (element.propertyName ?? element.name).text
        const other = renamed(id, [name])?.name
        if (other !== undefined)
          replace(element, `${element.isTypeOnly ? "type " : ""}${other} as ${element.name.text}`)
      }
  }
  const visit = (node) => {
    if (ts.isStringLiteral(node)) {
      const isSpecifier =
        ts.isImportDeclaration(node.parent) ||
        ts.isExportDeclaration(node.parent) ||
        (ts.isLiteralTypeNode(node.parent) && ts.isImportTypeNode(node.parent.parent))
      if (isSpecifier && moduleOf(node.text) !== node.text) replace(node, JSON.stringify(moduleOf(node.text)))
    }
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression
      const [space, ...names] = chainOf(name) ?? []
      const module = spaces.get(space)
      const other = module && renamed(module, names)
      if (other !== undefined) {
        replace(name, `${space}.${other.name}`)
        changeArguments(node, other)
      }
    }
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) {
      const id = node.argument.literal.text
      const module = id.replace(/^effect4\//, "effect/")
      const other = renamed(module, chainOf(node.qualifier))
      if (other !== undefined) {
        replace(node.qualifier, other.name)
        changeArguments(node, other)
      }
    }
    ts.forEachChild(node, visit)
  }
  /** Type arguments in another order: their texts are moved as they are, after edits inside of them. */
  const moves = []
  const changeArguments = (node, { args }) => {
    const all = node.typeArguments
    if (args === undefined || all === undefined) return
    moves.push({ start: all.pos, end: all.end, nodes: args([...all]) })
  }
  visit(source)
  return apply(text, edits, moves)
}

/** Applies edits to a range of a text; a move is an edit whose text is made of ranges inside of it. */
const apply = (text, edits, moves, from = 0, to = text.length) => {
  const inside = moves.filter(({ start, end }) => start >= from && end <= to)
  const outer = inside.filter(
    (one) => !inside.some((other) => other !== one && other.start <= one.start && other.end >= one.end)
  )
  const rest = moves.filter((one) => !outer.includes(one))
  const changes = [
    ...edits
      .filter(([start, end]) => start >= from && end <= to)
      .filter(([start, end]) => !outer.some((move) => start >= move.start && end <= move.end)),
    ...outer.map(({ start, end, nodes }) => [
      start,
      end,
      nodes.map((node) => apply(text, edits, rest, node.getStart(), node.end)).join(", ")
    ])
  ].sort(([a], [b]) => a - b)
  let at = from
  let out = ""
  for (const [start, end, by] of changes) {
    out += text.slice(at, start) + by
    at = end
  }
  return out + text.slice(at, to)
}
