/**
 * Reads the SDK's methods for the RPC console from the sources, with the compiler, so that nothing is written twice.
 */
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import ts from "typescript"
import type { Plugin } from "vite"
import type { Argument, Method, MethodKind, MethodTable, Shape } from "../react/playground/console/model.js"

/** The length in characters after which type texts are cut, since they are next to inputs. */
const MAX_TYPE_LENGTH = 160

/** The number of fields above which objects are written as JSON. */
const MAX_FIELDS = 40

const firstLine = (text: string): string =>
  text
    .trim()
    .split(/\n\s*\n/, 1)[0]
    ?.replace(/\s+/g, " ") ?? ""

const METHOD_KINDS: ReadonlyArray<MethodKind> = ["read", "write", "broadcast", "stream", "live"]
const parseKind = (text: string): MethodKind | undefined => METHOD_KINDS.find((kind) => kind === text)

class MethodReader {
  constructor(
    readonly checker: ts.TypeChecker,
    readonly root: ts.Node
  ) {}

  docOf(symbol: ts.Symbol): string {
    return firstLine(ts.displayPartsToString(symbol.getDocumentationComment(this.checker)))
  }

  textOf(type: ts.Type): string {
    const text = this.checker.typeToString(
      type,
      this.root,
      ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope
    )
    const short = text.replaceAll("readonly ", "").replaceAll(/import\("[^"]*"\)\./g, "")
    return short.length > MAX_TYPE_LENGTH ? `${short.slice(0, MAX_TYPE_LENGTH - 1)}…` : short
  }

  typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbolAtLocation(symbol, this.root)
  }

  /** The fields of a data object, merged over its alternatives. */
  private fieldsOf(types: ReadonlyArray<ts.Type>, depth: number): ReadonlyArray<Argument> | undefined {
    const { checker } = this
    const found = new Map<string, { readonly symbols: Array<ts.Symbol>; readonly optional: boolean }>()
    for (const type of types) {
      const isPlain =
        !checker.isArrayLikeType(type) &&
        type.getCallSignatures().length === 0 &&
        checker.getIndexInfosOfType(type).length === 0
      const properties = checker.getPropertiesOfType(type)
      const names = properties.map((property) => property.getName())
      if (!isPlain || names.some((name) => name.startsWith("__@"))) return undefined
      for (const property of properties) {
        if (this.shapeOf(this.typeOf(property), 9) === undefined) continue
        const before = found.get(property.getName())
        const optional = (property.flags & ts.SymbolFlags.Optional) !== 0
        found.set(property.getName(), {
          symbols: [...(before?.symbols ?? []), property],
          optional: optional || (before?.optional ?? false)
        })
      }
    }
    if (found.size === 0 || found.size > MAX_FIELDS) return undefined
    return [...found].map(([name, { optional, symbols }]): Argument => {
      const type = symbols
        .map((symbol) => this.typeOf(symbol))
        .find((each) => this.shapeOf(each, 9) !== undefined)
      const everywhere = symbols.length === types.length
      const doc = symbols.map((symbol) => this.docOf(symbol)).find((line) => line !== "")
      return {
        ...this.makeArgument(name, type ?? checker.getUnknownType(), optional || !everywhere, depth + 1),
        ...(doc === undefined ? {} : { doc })
      }
    })
  }

  /** The shape of a value's input; undefined if the only value is `undefined`. */
  shapeOf(type: ts.Type, depth = 0): Shape | undefined {
    const { TypeFlags } = ts
    const parts = (type.isUnion() ? type.types : [type]).filter(
      (part) => (part.flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) === 0
    )
    if (parts.length === 0) return undefined
    const of = new Set<"string" | "number" | "bigint" | "boolean">()
    const options: Array<string> = []
    const objects: Array<ts.Type> = []
    let closed = true
    let json = false
    for (const part of parts) {
      if (part.isStringLiteral()) {
        of.add("string")
        options.push(part.value)
      } else if (part.isNumberLiteral()) {
        of.add("number")
        options.push(String(part.value))
      } else if (part.flags & TypeFlags.BooleanLike) of.add("boolean")
      else if (part.flags & (TypeFlags.StringLike | TypeFlags.NumberLike | TypeFlags.BigIntLike)) {
        of.add(
          part.flags & TypeFlags.StringLike
            ? "string"
            : part.flags & TypeFlags.NumberLike
              ? "number"
              : "bigint"
        )
        closed = false
      } else if (
        part.isIntersection() &&
        part.types.some((each) => (each.flags & TypeFlags.StringLike) !== 0)
      ) {
        // `string & {}`: any text, with suggestions
        of.add("string")
        closed = false
      } else if (part.flags & TypeFlags.Null) json = true
      else objects.push(part)
    }
    if (of.size === 0) {
      const fields = depth === 0 && !json ? this.fieldsOf(objects, depth) : undefined
      return fields === undefined ? { kind: "json" } : { kind: "object", fields }
    }
    if (of.has("boolean") && of.size === 1) closed = true
    return {
      kind: "scalar",
      of: [...of],
      ...(options.length > 0 ? { options } : {}),
      ...(closed && objects.length === 0 && !json ? { closed } : {}),
      ...(objects.length > 0 || json ? { json: true } : {})
    }
  }

  makeArgument(name: string, declared: ts.Type, isOptional: boolean, depth = 0): Argument {
    // an argument that decides the answer's type has a type parameter
    const type = this.checker.getBaseConstraintOfType(declared) ?? declared
    // removing undefined from `unknown` would yield `{}`
    const isAnything = (type.flags & ts.TypeFlags.Unknown) !== 0
    const shown = isOptional && !isAnything ? this.checker.getNonNullableType(type) : type
    return {
      name,
      type: this.textOf(shown),
      shape: this.shapeOf(type, depth) ?? { kind: "json" },
      ...(isOptional ? { optional: true } : {})
    }
  }

  private isTuple(type: ts.Type): type is ts.TupleTypeReference {
    return this.checker.isTupleType(type)
  }

  private isReference(type: ts.Type): type is ts.TypeReference {
    return "target" in type
  }

  /** The parameters of a function. Those of a rest parameter that is a tuple are separate. */
  argumentsOf(signature: ts.Signature): ReadonlyArray<Argument> {
    return signature.getParameters().flatMap((parameter): ReadonlyArray<Argument> => {
      const type = this.typeOf(parameter)
      const declaration = parameter.valueDeclaration
      const isRest =
        declaration === undefined || (ts.isParameter(declaration) && declaration.dotDotDotToken !== undefined)
      if (isRest && this.isTuple(type)) {
        const { elementFlags, labeledElementDeclarations } = type.target
        return this.checker.getTypeArguments(type).flatMap((element, i) => {
          const label = labeledElementDeclarations?.[i]?.name
          const isOptional = ((elementFlags[i] ?? 0) & ts.ElementFlags.Optional) !== 0
          // an input without any field is not shown
          if (isOptional && this.textOf(this.checker.getNonNullableType(element)) === "{}") return []
          return [this.makeArgument(label?.getText() ?? "", element, isOptional)]
        })
      }
      const isOptional =
        declaration !== undefined &&
        ts.isParameter(declaration) &&
        this.checker.isOptionalParameter(declaration)
      return [this.makeArgument(parameter.getName(), type, isOptional)]
    })
  }

  /** What repeating a call does, if its function is marked as one that may have an effect. */
  private repeatOf(type: ts.Type): MethodKind | undefined {
    const mark = this.checker.getPropertyOfType(type, "repeat")
    const repeat = mark === undefined ? undefined : this.typeOf(mark)
    return repeat?.isStringLiteral() === true ? parseKind(repeat.value) : undefined
  }

  /** The name of an endpoint at the node, from the call that declares it. */
  private wireOf(node: ts.Node | undefined): string | undefined {
    if (node === undefined) return undefined
    if (ts.isPropertyAssignment(node)) return this.wireOf(node.initializer)
    if (ts.isPropertyAccessExpression(node)) {
      return this.wireOf(this.checker.getSymbolAtLocation(node)?.valueDeclaration)
    }
    if (!ts.isCallExpression(node)) return undefined
    const [first] = node.arguments
    if (ts.isIdentifier(node.expression)) {
      const { text } = node.expression
      if (first !== undefined && ts.isStringLiteralLike(first)) {
        const verb = { get: "GET ", post: "POST ", put: "PUT ", del: "DELETE " }[text]
        return `${verb ?? ""}${first.text}`
      }
      return first === undefined ? undefined : this.wireOf(first)
    }
    return ts.isPropertyAccessExpression(node.expression)
      ? this.wireOf(node.expression.expression)
      : undefined
  }

  /** The methods of an object of functions and groups. A function that yields no Effect and no Stream is no method. */
  methodsOf(
    type: ts.Type,
    prefix: string,
    kindOf: (path: string) => MethodKind | undefined
  ): ReadonlyArray<Method> {
    return this.checker.getPropertiesOfType(type).flatMap((property): ReadonlyArray<Method> => {
      const path = `${prefix}.${property.getName()}`
      const own = this.typeOf(property)
      const [signature] = own.getCallSignatures()
      if (signature === undefined) return this.methodsOf(own, path, kindOf)
      const result = signature.getReturnType()
      const name = (result.aliasSymbol ?? result.getSymbol())?.getName()
      if (name !== "Effect" && name !== "Stream") return []
      const [declaration] = property.declarations ?? []
      const yielded = this.isReference(result) ? this.checker.getTypeArguments(result)[0] : undefined
      const wire = this.wireOf(declaration)
      return [
        {
          path,
          kind: kindOf(path) ?? this.repeatOf(own) ?? (name === "Stream" ? "live" : "read"),
          doc: this.docOf(property),
          args: this.argumentsOf(signature),
          // the caller of a raw call decides its type
          returns: yielded === undefined || yielded.isTypeParameter() ? "unknown" : this.textOf(yielded),
          ...(wire === undefined ? {} : { wire })
        }
      ]
    })
  }
}

/** The literal of a declared constant, without its type annotations. */
const findLiteral = (node: ts.Expression | undefined): ts.Expression | undefined =>
  node !== undefined && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    ? findLiteral(node.expression)
    : node

/** The description of every service method by its path, from the catalogue. */
const readCatalogue = (
  node: ts.Expression | undefined,
  prefix: string,
  into: Map<string, MethodKind>
): Map<string, MethodKind> => {
  const literal = findLiteral(node)
  if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return into
  for (const property of literal.properties) {
    if (!ts.isPropertyAssignment(property)) continue
    const path = prefix === "" ? property.name.getText() : `${prefix}.${property.name.getText()}`
    const value = findLiteral(property.initializer)
    const kind = value !== undefined && ts.isStringLiteral(value) ? parseKind(value.text) : undefined
    if (kind === undefined) readCatalogue(value, path, into)
    else into.set(path, kind)
  }
  return into
}

/** Reads the methods of all families and services from the sources. It takes about three seconds. */
export const readMethods = (root: string): MethodTable => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const entry = join(root, "src", "chains", "registry.ts")
  const services = join(root, "src", "services", "Services.ts")
  const program = ts.createProgram([entry, services], {
    ...options,
    noEmit: true,
    skipLibCheck: true,
    types: []
  })
  const checker = program.getTypeChecker()
  const findExport = (
    file: string,
    name: string
  ): { readonly symbol: ts.Symbol; readonly source: ts.SourceFile } => {
    const source = program.getSourceFile(file)
    const module = source === undefined ? undefined : checker.getSymbolAtLocation(source)
    const symbol =
      module === undefined ? undefined : checker.getExportsOfModule(module).find((each) => each.name === name)
    if (source === undefined || symbol === undefined) throw new Error(`${file} has no ${name}`)
    return { symbol, source }
  }
  const clients = findExport(entry, "Clients")
  const ofServices = findExport(services, "Services")
  const catalogue = findExport(services, "catalogue").symbol.valueDeclaration
  const kindsOf = readCatalogue(
    catalogue !== undefined && ts.isVariableDeclaration(catalogue) ? catalogue.initializer : undefined,
    "",
    new Map()
  )
  const members = (
    { source, symbol }: typeof clients,
    prefixOf: (name: string) => string,
    kindOf: (path: string) => MethodKind | undefined
  ): Readonly<Record<string, ReadonlyArray<Method>>> => {
    const reader = new MethodReader(checker, source)
    const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
    return Object.fromEntries(
      properties.map((property) => {
        const name = property.getName()
        return [name, reader.methodsOf(reader.typeOf(property), prefixOf(name), kindOf)]
      })
    )
  }
  return {
    families: members(
      clients,
      () => "rpc",
      () => undefined
    ),
    services: members(
      ofServices,
      (name) => name,
      (path) => kindsOf.get(path)
    )
  }
}

/** A hash of all files that the methods are read from. */
const hashSources = (root: string): string => {
  const hash = createHash("sha256").update(ts.version)
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  const files = sources
    .filter((name) => name.endsWith(".ts") && !name.startsWith("sandbox"))
    .map((name) => join("src", name))
  for (const name of [...files, join("scripts", "methods.ts")].sort()) {
    hash.update(name).update(readFileSync(join(root, name)))
  }
  return hash.digest("hex").slice(0, 32)
}

const cacheFile = (root: string): string =>
  join(root, "node_modules", ".cache", "effect-chains", `methods-${hashSources(root)}.json`)

const readCache = (file: string): MethodTable | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return undefined
  }
}

/** The result of {@link readMethods}, cached for each state of the sources. */
export const cachedMethods = (root: string, read: typeof readMethods = readMethods): MethodTable => {
  const file = cacheFile(root)
  const known = readCache(file)
  if (known !== undefined) return known
  const methods = read(root)
  mkdirSync(dirname(file), { recursive: true })
  // renamed when it is complete, since others may read it at any time
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, JSON.stringify(methods))
  renameSync(draft, file)
  return methods
}

/** The timeout in milliseconds, for a compiler on a busy machine. */
const READ_TIMEOUT_MS = 600_000

/**
 * The result of {@link cachedMethods}. If it is not cached yet, another process reads it: the server could not answer
 * for those seconds, or a minute on a busy machine.
 */
const readInProcess = async (root: string): Promise<MethodTable> => {
  const known = readCache(cacheFile(root))
  if (known !== undefined) return known
  await new Promise<void>((resolve, reject) => {
    const args = [join(root, "scripts", "run.mjs"), join("scripts", "methodsMain.ts"), root]
    execFile(process.execPath, args, { cwd: root, timeout: READ_TIMEOUT_MS }, (error) =>
      error === null ? resolve() : reject(error)
    )
  })
  return cachedMethods(root)
}

const ID = "virtual:effect-chains-methods"

/**
 * The methods as modules of a Vite page: one per family and one for the services, so that a page loads those of its
 * network. `virtual:effect-chains-methods` exports a function per family, and `services`, which import them.
 */
export const methodsPlugin = (root: string): Plugin => {
  let read: Promise<MethodTable> | undefined
  const methods = (): Promise<MethodTable> => {
    read ??= readInProcess(root).catch((error: unknown) => {
      // the next request tries again, after the sources may have been corrected
      read = undefined
      throw error
    })
    return read
  }
  const moduleOf = async (id: string): Promise<string | undefined> => {
    const { families, services } = await methods()
    if (id === ID) {
      const names = [...Object.keys(families), "services"]
      const lines = names.map((name) => `  ${JSON.stringify(name)}: () => import("${ID}/${name}")`)
      return `export default {\n${lines.join(",\n")}\n}\n`
    }
    const name = id.slice(ID.length + 1)
    const found = name === "services" ? Object.values(services).flat() : families[name]
    // parsing a string is cheaper for a page than a literal of the same size
    return found === undefined
      ? undefined
      : `export default JSON.parse(${JSON.stringify(JSON.stringify(found))})\n`
  }
  return {
    name: "effect-chains-methods",
    resolveId: (id) => (id === ID || id.startsWith(`${ID}/`) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith(`\0${ID}`) ? moduleOf(id.slice(1)) : undefined),
    configureServer: (server) => {
      server.watcher.on("change", (file) => {
        if (file.startsWith(join(root, "src"))) read = undefined
      })
    }
  }
}
