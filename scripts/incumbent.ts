/**
 * `node scripts/run.mjs scripts/incumbent.ts PACKAGE FACTS` writes `src/cli/migrate/tatum.json`: the names of the
 * public surface of `@tatumio/tatum`, the kind of each method's answer, and the networks of each client. The compiler
 * reads them from the declarations. PACKAGE is the package's folder as npm installs it, and FACTS the file
 * `networks.json` of the shared facts. The package's code is not read.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"

const [folder, facts] = process.argv.slice(2)
if (folder === undefined || facts === undefined)
  throw new Error("usage: node scripts/run.mjs scripts/incumbent.ts PACKAGE FACTS")

const entry = join(folder, "dist", "src", "main.d.ts")
const program = ts.createProgram([entry], {
  skipLibCheck: true,
  strict: true,
  experimentalDecorators: true,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  ignoreDeprecations: "6.0",
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2020,
  types: []
})
const checker = program.getTypeChecker()
const source = program.getSourceFile(entry)
const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
if (module === undefined) throw new Error(`${entry} is not a module`)

const exported = checker
  .getExportsOfModule(module)
  .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
  .sort((one, other) => (one.name < other.name ? -1 : 1))

const kinds = [
  ["class", ts.SymbolFlags.Class],
  ["enum", ts.SymbolFlags.Enum],
  ["interface", ts.SymbolFlags.Interface],
  ["type", ts.SymbolFlags.TypeAlias],
  ["const", ts.SymbolFlags.Variable]
] as const

const isPublic = (symbol: ts.Symbol): boolean =>
  !(symbol.declarations ?? []).some(
    (declaration) =>
      ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)
  )

/** The callable public members of a type, by their dotted paths. */
const listCalls = (type: ts.Type, prefix = ""): ReadonlyArray<readonly [string, ts.Signature]> =>
  checker.getPropertiesOfType(type).flatMap((member): ReadonlyArray<readonly [string, ts.Signature]> => {
    if (!isPublic(member)) return []
    const own = checker.getTypeOfSymbol(member)
    const [signature] = own.getCallSignatures()
    if (signature !== undefined) return [[`${prefix}${member.name}`, signature]]
    const isGroup = checker
      .getPropertiesOfType(own)
      .some((each) => checker.getTypeOfSymbol(each).getCallSignatures().length > 0)
    return isGroup && !(own.flags & ts.TypeFlags.StringLike) ? listCalls(own, `${prefix}${member.name}.`) : []
  })

/**
 * The kind of a call's answer: an envelope of JSON-RPC (`result`), one of the provider (`data`), a value, or nothing to
 * await.
 */
const answerKindOf = (signature: ts.Signature): "result" | "data" | "value" | "now" => {
  const text = checker.typeToString(signature.getReturnType(), undefined, ts.TypeFormatFlags.NoTruncation)
  if (!text.startsWith("Promise<")) return "now"
  if (text.startsWith("Promise<JsonRpcResponse<")) return "result"
  return text.startsWith("Promise<ResponseDto<") ? "data" : "value"
}

const groupByAnswer = (type: ts.Type): Readonly<Record<string, string>> => {
  const groups: Record<string, Array<string>> = {}
  for (const [path, signature] of listCalls(type)) {
    const answer = answerKindOf(signature)
    groups[answer] = [...(groups[answer] ?? []), path]
  }
  return Object.fromEntries(Object.entries(groups).map(([answer, paths]) => [answer, paths.sort().join(" ")]))
}

const networks: ReadonlyArray<{ readonly id: string; readonly chain: string; readonly enumKey: string }> =
  JSON.parse(readFileSync(facts, "utf8"))
const { version }: { readonly version: string } = JSON.parse(
  readFileSync(join(folder, "package.json"), "utf8")
)

const suites: Record<string, Readonly<Record<string, string>>> = {}
const clients: Record<
  string,
  { readonly networks: string; readonly members: Readonly<Record<string, string>> }
> = {}
for (const symbol of exported.filter(({ flags }) => flags & ts.SymbolFlags.Class)) {
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const members: Record<string, string> = {}
  for (const member of checker.getPropertiesOfType(type)) {
    const own = checker.getTypeOfSymbol(member)
    const name = (own.aliasSymbol ?? own.getSymbol())?.name
    if (!isPublic(member) || name === undefined || own.getCallSignatures().length > 0) continue
    if (["rpc", "address", "nft", "token", "fee", "ipfs", "rates", "notification"].includes(member.name)) {
      members[member.name] = name
      suites[name] ??= groupByAnswer(own)
    }
  }
  const ids = networks.filter(({ chain }) => chain === symbol.name).map(({ id }) => id)
  if (ids.length > 0) clients[symbol.name] = { networks: ids.sort().join(" "), members }
}

/** The names of types in a declaration. */
const collectTypeNames = (node: ts.Node, into = new Set<string>()): Set<string> => {
  if (ts.isTypeReferenceNode(node)) into.add(node.typeName.getText())
  if (ts.isExpressionWithTypeArguments(node)) into.add(node.expression.getText())
  ts.forEachChild(node, (child) => void collectTypeNames(child, into))
  return into
}

/** The first place of each exported type: an argument or the answer of a method, or a part of another type. */
const firstPlaces: Record<string, string> = {}
const isType = new Map(
  exported
    .filter(({ flags }) => flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias))
    .map((each) => [each.name, each])
)
for (const [client, { members }] of Object.entries(clients)) {
  const owner = exported.find(({ name }) => name === client)
  if (owner === undefined) continue
  for (const member of Object.keys(members)) {
    const property = checker.getPropertyOfType(checker.getDeclaredTypeOfSymbol(owner), member)
    if (property === undefined) continue
    for (const [path, signature] of listCalls(checker.getTypeOfSymbol(property))) {
      const { declaration } = signature
      if (declaration === undefined) continue
      declaration.parameters.forEach((parameter, at) => {
        for (const name of collectTypeNames(parameter))
          if (isType.has(name)) firstPlaces[name] ??= `${client} ${member}.${path} ${at}`
      })
      if (declaration.type !== undefined)
        for (const name of collectTypeNames(declaration.type))
          if (isType.has(name)) firstPlaces[name] ??= `${client} ${member}.${path} answer`
    }
  }
}
for (let before = -1; before !== Object.keys(firstPlaces).length; ) {
  before = Object.keys(firstPlaces).length
  for (const name of Object.keys(firstPlaces)) {
    for (const declaration of isType.get(name)?.declarations ?? [])
      for (const part of collectTypeNames(declaration))
        if (isType.has(part)) firstPlaces[part] ??= `of ${name}`
  }
}

writeFileSync(
  "src/cli/migrate/tatum.json",
  JSON.stringify({
    version,
    networks: Object.fromEntries(networks.map(({ enumKey, id }) => [enumKey, id])),
    clients,
    suites,
    exports: Object.fromEntries(
      kinds.map(([kind, flag], at) => [
        kind,
        exported
          .filter(({ flags }) => flags & flag && !kinds.slice(0, at).some(([, other]) => flags & other))
          .map(({ name }) => name)
          .join(" ")
      ])
    ),
    met: firstPlaces
  })
)
