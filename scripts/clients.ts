/**
 * Makes digests of answers from the type declarations of the chains' own clients: kinds, fields and optionality. The
 * files of `scripts/clients` say which of a client's types belongs to which call. The packages are installed in a
 * folder of their own, and none of their declarations is kept.
 *
 *     node scripts/run.mjs scripts/clients.ts [--check] [names]
 *
 * `--check` compares the digests with those of the repository, and writes nothing.
 */
import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import ts from "typescript"
import { formatDigest } from "./digests.js"

type Json = Readonly<Record<string, unknown>>

/** A client: its project, its packages (the first one has the types), and its conventions. */
interface ExternalClient {
  readonly project: string
  readonly packages: Readonly<Record<string, string>>
  /**
   * The client's fields are in camelCase, and the answers' in snake_case. Words that begin with a capital are the same.
   */
  readonly isSnakeCase?: boolean
}

const clients: Readonly<Record<string, ExternalClient>> = {
  avalanche: { project: "avalanchejs", packages: { "@avalabs/avalanchejs": "5.0.0" } },
  near: {
    project: "@near-js/jsonrpc-types",
    packages: { "@near-js/jsonrpc-types": "1.4.0" },
    isSnakeCase: true
  },
  solana: { project: "@solana/rpc-api", packages: { "@solana/rpc-api": "8.4.0" } },
  tezos: {
    project: "Taquito (@taquito/rpc)",
    packages: { "@taquito/rpc": "25.0.0", "bignumber.js": "10.0.2" }
  },
  tron: { project: "tronweb", packages: { tronweb: "6.5.1" } },
  viem: { project: "viem", packages: { viem: "2.57.1" } },
  "viem-op": { project: "viem, for the OP stack", packages: { viem: "2.57.1" } },
  "viem-zksync": { project: "viem, for ZKsync", packages: { viem: "2.57.1" } },
  xrp: { project: "xrpl.js", packages: { xrpl: "5.3.0" } },
  zilliqa: {
    project: "zilliqa-js",
    packages: { "@zilliqa-js/blockchain": "3.5.0", "@zilliqa-js/core": "3.5.0" }
  }
}

/** The kinds of JSON values that clients convert to instances of their classes. */
const CLASS_KINDS: Readonly<Record<string, Json>> = {
  BigNumber: { type: "string" },
  Date: { type: "string" },
  Uint8Array: {},
  Buffer: {}
}

const folder = resolve("node_modules/.cache/effect-chains/clients")
const sources = "scripts/clients"

const toSnakeCase = (name: string): string =>
  /^[A-Z_]/.test(name) ? name : name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Void

const hasFlags = (type: ts.Type, flags: ts.TypeFlags): boolean => (type.flags & flags) !== 0

/** Converts declared types to kinds. Alternatives are one kind with all of their fields. */
const makeTypeReader = (checker: ts.TypeChecker, { isSnakeCase: isSnake = false }: ExternalClient) => {
  const numbers = new Map<ts.Type, number>()
  const names = new Map<string, string>()
  const types = new Map<string, Json>()
  /** The types being read. A type that contains itself has a name. */
  const open = new Map<string, string | undefined>()
  const isOptional = (member: ts.Symbol, type: ts.Type): boolean =>
    (member.flags & ts.SymbolFlags.Optional) !== 0 || parts(type).some((each) => hasFlags(each, nothing))

  const parts = (type: ts.Type): ReadonlyArray<ts.Type> => {
    if (type.isUnion()) return type.types.flatMap(parts)
    // template texts are texts, though the compiler counts them as types that are instantiated later
    if (hasFlags(type, ts.TypeFlags.StringLike) || !hasFlags(type, ts.TypeFlags.Instantiable)) return [type]
    const bound = checker.getBaseConstraintOfType(type)
    return bound === undefined || bound === type ? [checker.getUnknownType()] : parts(bound)
  }

  const objectOf = (alternatives: ReadonlyArray<ts.Type>): Json => {
    const fields = new Map<string, { readonly types: Array<ts.Type>; needed: number }>()
    for (const type of alternatives)
      for (const member of checker.getPropertiesOfType(type)) {
        const of = checker.getTypeOfSymbol(member)
        if (
          member.name.startsWith("__") ||
          of.getCallSignatures().length > 0 ||
          hasFlags(of, ts.TypeFlags.Never)
        )
          continue
        const name = isSnake ? toSnakeCase(member.name) : member.name
        const field = fields.get(name) ?? { types: [], needed: 0 }
        fields.set(name, field)
        field.types.push(of)
        if (!isOptional(member, of)) field.needed++
      }
    const indexes = alternatives.flatMap((type) =>
      checker.getIndexInfosOfType(type).map((index) => index.type)
    )
    const needed = [...fields].flatMap(([name, field]) =>
      field.needed === alternatives.length ? [name] : []
    )
    return {
      type: "object",
      ...(fields.size === 0
        ? {}
        : {
            properties: Object.fromEntries([...fields].map(([name, field]) => [name, kindOf(field.types)])),
            required: needed
          }),
      ...(indexes.length === 0 ? {} : { additionalProperties: kindOf(indexes) })
    }
  }

  const keyOf = (alternatives: ReadonlyArray<ts.Type>): string => {
    for (const each of alternatives) if (!numbers.has(each)) numbers.set(each, numbers.size)
    return alternatives.map((each) => numbers.get(each)).join()
  }

  const reserve = (base: string): string => {
    let name = base
    for (let i = 2; types.has(name); i++) name = `${base}${i}`
    types.set(name, {})
    return name
  }

  /** Objects have a name, since they may contain themselves. */
  const toNamedObject = (alternatives: ReadonlyArray<ts.Type>): Json => {
    const key = keyOf(alternatives)
    const known = names.get(key)
    if (known !== undefined) return { $ref: `#/types/${known}` }
    const own = alternatives
      .map((each) => (each.getSymbol() ?? each.aliasSymbol)?.name)
      .find((name) => name !== undefined && !name.startsWith("__"))
    const name = reserve(own ?? "Value")
    names.set(key, name)
    types.set(name, objectOf(alternatives))
    return { $ref: `#/types/${name}` }
  }

  /** The kind of types. It has a name if they contain themselves, such as lists of lists. */
  const kindOf = (given: ReadonlyArray<ts.Type>): Json => {
    const all = [...new Set(given.flatMap(parts))].filter((each) => !hasFlags(each, nothing))
    const key = keyOf(all)
    if (open.has(key)) {
      const name = open.get(key) ?? reserve("List")
      open.set(key, name)
      return { $ref: `#/types/${name}` }
    }
    open.set(key, undefined)
    const kind = written(all)
    const name = open.get(key)
    open.delete(key)
    if (name === undefined) return kind
    types.set(name, kind)
    return { $ref: `#/types/${name}` }
  }

  const written = (all: ReadonlyArray<ts.Type>): Json => {
    const words = new Set<string | number>()
    const simple = new Set<string>()
    const kinds: Array<Json> = []
    const items: Array<ts.Type> = []
    const tuples: Array<ReadonlyArray<ts.Type>> = []
    const objects: Array<ts.Type> = []
    for (const type of all) {
      // an intersection of a simple type with another type is a brand
      const some = (flags: ts.TypeFlags): boolean =>
        (type.isIntersection() ? type.types : [type]).some((each) => hasFlags(each, flags))
      const symbol = type.getSymbol()?.name
      // the flags do not say that an array's or a promise's type is a reference, which has type arguments
      const inner = () => checker.getTypeArguments(type as ts.TypeReference)
      const known = symbol === undefined ? undefined : CLASS_KINDS[symbol]
      if (hasFlags(type, ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
      if (symbol === "Promise") return kindOf(inner())
      if (hasFlags(type, ts.TypeFlags.Null)) simple.add("null")
      else if (type.isStringLiteral() || type.isNumberLiteral()) words.add(type.value)
      else if (some(ts.TypeFlags.StringLike)) simple.add("string")
      else if (some(ts.TypeFlags.BigIntLike)) simple.add("integer")
      else if (some(ts.TypeFlags.NumberLike)) simple.add("number")
      else if (some(ts.TypeFlags.BooleanLike)) simple.add("boolean")
      else if (known !== undefined) kinds.push(known)
      else if (checker.isTupleType(type)) tuples.push(inner())
      else if (checker.isArrayType(type)) items.push(...inner())
      else objects.push(type)
    }
    const [tuple, ...others] = tuples
    if (tuple !== undefined && others.length === 0 && items.length === 0)
      kinds.push({ type: "array", prefixItems: tuple.map((each) => kindOf([each])) })
    else if (tuples.length > 0 || items.length > 0)
      kinds.push({ type: "array", items: kindOf([...items, ...tuples.flat()]) })
    if (objects.length > 0) kinds.push(toNamedObject(objects))
    // any text includes the listed words
    const listed = [...words].filter((word) => !simple.has(typeof word)).sort()
    if (listed.length > 0) kinds.push({ enum: listed })
    if (simple.size > 0) kinds.push({ type: simple.size === 1 ? [...simple][0] : [...simple].sort() })
    const [only, ...more] = kinds
    return only === undefined ? {} : more.length === 0 ? only : { anyOf: kinds }
  }

  return {
    /** The answer of a method from all of its signatures, or of a type. */
    answer: (type: ts.Type): Json => {
      const signatures = type.getCallSignatures()
      return kindOf(signatures.length === 0 ? [type] : signatures.map((each) => each.getReturnType()))
    },
    types
  }
}

/** Merges equal types under the first of their names. */
const mergeTypes = <A>(
  rows: A,
  types: ReadonlyMap<string, Json>
): readonly [A, ReadonlyMap<string, Json>] => {
  const names = new Map<string, string>()
  const same = new Map<string, string>()
  for (const [name, kind] of types) {
    const text = JSON.stringify(kind)
    const first = names.get(text)
    if (first === undefined) names.set(text, name)
    else same.set(`#/types/${name}`, `#/types/${first}`)
  }
  if (same.size === 0) return [rows, types]
  const renameTypes = <B>(value: B): B =>
    JSON.parse(JSON.stringify(value), (key, each) => (key === "$ref" ? (same.get(each) ?? each) : each))
  const left = [...types].filter(([name]) => !same.has(`#/types/${name}`))
  return mergeTypes(renameTypes(rows), new Map(left.map(([name, kind]) => [name, renameTypes(kind)])))
}

const makeDigest = (name: string, client: ExternalClient): string => {
  const file = join(folder, `${name}.ts`)
  const program = ts.createProgram([file], {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ["node"]
  })
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`${file} does not exist`)
  const [wrong] = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  if (wrong !== undefined)
    throw new Error(`${name}: ${ts.flattenDiagnosticMessageText(wrong.messageText, " ")}`)
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(source)
  const methods = module && checker.getExportsOfModule(module).find((each) => each.name === "Answers")
  if (methods === undefined) throw new Error(`${name} exports no Answers`)
  const { answer, types } = makeTypeReader(checker, client)
  const all = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(methods))
    .map((member) => ({ name: member.name, result: answer(checker.getTypeOfSymbol(member)) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const [rows, distinct] = mergeTypes(all, types)
  const version = Object.entries(client.packages).map(([name, version]) => `${name} ${version}`)
  return formatDigest({
    source: `${client.project}, by its type declarations`,
    version: version.join(", "),
    operations: rows.flatMap(({ name, result }) => {
      const [verb, path] = name.split(" ")
      return path === undefined ? [] : [{ verb, path, parameters: [], result }]
    }),
    methods: rows.flatMap(({ name, result }) => (name.includes(" ") ? [] : [{ name, params: [], result }])),
    types: [...distinct].sort(([one], [other]) => (one < other ? -1 : 1))
  })
}

const install = (): void => {
  mkdirSync(folder, { recursive: true })
  const dependencies = Object.assign({}, ...Object.values(clients).map(({ packages }) => packages))
  const text = JSON.stringify({ private: true, dependencies: { "@types/node": "20.19.43", ...dependencies } })
  const file = join(folder, "package.json")
  const isThere = (() => {
    try {
      return readFileSync(join(folder, "node_modules/.installed"), "utf8") === text
    } catch {
      return false
    }
  })()
  if (!isThere) {
    writeFileSync(file, text)
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--legacy-peer-deps"]
    execFileSync("npm", ["install", ...flags], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] })
    writeFileSync(join(folder, "node_modules/.installed"), text)
  }
  for (const each of readdirSync(sources)) cpSync(join(sources, each), join(folder, each))
}

const [, , ...given] = process.argv
const clientNames = given.filter((each) => !each.startsWith("--"))
install()
for (const [name, client] of Object.entries(clients)) {
  if (clientNames.length > 0 && !clientNames.includes(name)) continue
  const file = `test/specs/digests/client-${name}.json`
  const text = makeDigest(name, client)
  if (!given.includes("--check")) writeFileSync(file, text)
  else if (readFileSync(file, "utf8") !== text)
    throw new Error(`${file} differs from the declarations of ${client.project}`)
}
