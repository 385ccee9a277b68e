/**
 * Makes the reference of services and families: pages of each surface with its own types, the errors and an example of each service method,
 * and one page of the types that they share. All of it is read from the declarations, by the compiler.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { type ExampleContext, exampleOf } from "../react/playground/console/examples.js"
import { formatLiteral } from "../react/playground/snippets/literal.js"
import { type FamilyId, type Network, type NetworkInfo, networks } from "../src/data/Network.js"
import { catalogue, type MethodKind } from "../src/services/Services.js"

/** A surface, as its folder is called. */
type Surface = "promise" | "effect" | "react"

/** A page of the reference: its path in `docs/api`, its text, the paths of the methods on it, and the programs of their examples. */
export interface ReferencePage {
  readonly path: string
  readonly text: string
  readonly members: ReadonlyArray<string>
  readonly examples: ReadonlyArray<string>
}

/** The network of examples that no vector has. */
const NETWORK = "ethereum-mainnet"

/** The file that names the types to read. It exists in the compiler alone. */
const ENTRY = "reference.virtual.ts"

/** The length after which a type is cut in a table. */
const MAX_TYPE_LENGTH = 140

/** The length of a line of code that is not broken. */
const MAX_LINE = 90

interface Vector {
  readonly target: string
  readonly network: string
  readonly args: ReadonlyArray<unknown>
}

/** The network of each family that stands for it: one that lives, best with archive nodes, and meant by its currency alone. */
const networkOfFamily = new Map<FamilyId, Network>()
const fitness = ({ archive, defaultMainnet, status }: NetworkInfo): number =>
  (status === undefined ? 4 : 0) + (archive === true ? 2 : 0) + (defaultMainnet === true ? 1 : 0)
// the ids of the table, which Object.entries does not say
for (const [id, row] of Object.entries(networks) as ReadonlyArray<[Network, NetworkInfo]>) {
  const known = networkOfFamily.get(row.family)
  if (known === undefined || fitness(row) > fitness(networks[known])) networkOfFamily.set(row.family, id)
}

const makeEntry = (): string => {
  const rpc = (name: string, of: (network: string) => string): string =>
    [
      `export interface ${name} {`,
      ...[...networkOfFamily].map(([family, network]) => `  readonly "${family}": ${of(`"${network}"`)}`),
      "}"
    ].join("\n")
  return [
    'import type { PromiseSdk } from "./src/client/PromiseSdk.js"',
    'import type { Sdk } from "./src/client/Sdk.js"',
    'import type { PromisedRpcOf, RpcOf } from "./src/chains/registry.js"',
    `export interface Clients { readonly promise: PromiseSdk<"${NETWORK}">; readonly effect: Sdk<"${NETWORK}"> }`,
    rpc("PromiseNodes", (network) => `PromisedRpcOf<${network}, never>`),
    rpc("EffectNodes", (network) => `RpcOf<${network}>`)
  ].join("\n")
}

/** A method of a service or of a family's nodes. */
interface Method {
  /** Its path in the client, such as `address.getBalance`. */
  readonly path: string
  readonly kind: MethodKind
  readonly doc: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Its arguments, and in brackets, behind its type parameters. */
  readonly arguments: string
  readonly call: string
  readonly result: string
  /** The type of what it returns, around its result. */
  readonly returns: string
  readonly errors: ReadonlyArray<string>
  /** The declared types in its signature. */
  readonly types: ReadonlyArray<string>
}

interface Parameter {
  readonly name: string
  readonly type: ts.Type
  readonly isOptional: boolean
}

/** What a call returns: its result and its errors, and the words around them. */
interface Returned {
  readonly result: ts.Type
  readonly errors?: ts.Type
  readonly wrap: (result: string) => string
}

const isStringLiteral = (type: ts.Type): type is ts.StringLiteralType => type.isStringLiteral()

/** The kind of a service method, by the catalogue. */
const kindOf = (path: string): MethodKind => {
  const found = path
    .split(".")
    .reduce<unknown>(
      (group, name) => (typeof group === "object" && group !== null ? Reflect.get(group, name) : undefined),
      catalogue
    )
  return found === "write" || found === "stream" || found === "live" ? found : "read"
}

class Reader {
  readonly checker: ts.TypeChecker
  readonly entry: ts.SourceFile
  /** The declared types that signatures name, by their names. */
  readonly declared = new Map<string, ts.Declaration>()

  constructor(readonly root: string) {
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile)
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
    const path = join(root, ENTRY)
    const settings = { ...options, noEmit: true, skipLibCheck: true, types: ["node"] }
    const host = ts.createCompilerHost(settings)
    const { fileExists, getSourceFile, readFile } = host
    host.fileExists = (name) => name === path || fileExists(name)
    host.readFile = (name) => (name === path ? makeEntry() : readFile(name))
    host.getSourceFile = (name, version, ...rest) =>
      name === path ? ts.createSourceFile(name, makeEntry(), version) : getSourceFile(name, version, ...rest)
    const program = ts.createProgram([path], settings, host)
    this.checker = program.getTypeChecker()
    const entry = program.getSourceFile(path)
    if (entry === undefined) throw new Error("the compiler has no entry")
    this.entry = entry
  }

  /** The members of one of the entry's interfaces, with their types. */
  membersOf(name: string): ReadonlyArray<readonly [name: string, type: ts.Type]> {
    const module = this.checker.getSymbolAtLocation(this.entry)
    const symbol = module && this.checker.getExportsOfModule(module).find((each) => each.name === name)
    if (symbol === undefined) throw new Error(`the entry has no ${name}`)
    return this.checker
      .getPropertiesOfType(this.checker.getDeclaredTypeOfSymbol(symbol))
      .map((property) => [property.getName(), this.typeOf(property)])
  }

  typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbolAtLocation(symbol, this.entry)
  }

  /** The members of a type by their names. */
  propertiesOf(type: ts.Type): ReadonlyArray<readonly [name: string, symbol: ts.Symbol, type: ts.Type]> {
    return this.checker
      .getPropertiesOfType(type)
      .map((property) => [property.getName(), property, this.typeOf(property)])
  }

  docOf(symbol: ts.Symbol): string {
    return (
      ts
        .displayPartsToString(symbol.getDocumentationComment(this.checker))
        .split(/\n\s*\n/, 1)[0]
        ?.replace(/`?\{@link (?:\w+\.)*([^}]+)\}`?/g, "`$1`")
        .replace(/\s+/g, " ")
        .trim() ?? ""
    )
  }

  textOf(type: ts.Type): string {
    return this.checker
      .typeToString(
        type,
        this.entry,
        ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope
      )
      .replaceAll(/import\("[^"]*"\)\./g, "")
  }

  isReference(type: ts.Type): type is ts.TypeReference {
    return "target" in type
  }

  nameOf(type: ts.Type): string | undefined {
    return (type.aliasSymbol ?? type.getSymbol())?.getName()
  }

  argumentsOf(type: ts.Type): ReadonlyArray<ts.Type> {
    return this.isReference(type) ? this.checker.getTypeArguments(type) : []
  }

  /** The value and the errors of a `Result`. */
  private partsOf(type: ts.Type): Pick<Returned, "result" | "errors"> {
    const members = type.isUnion() ? type.types : [type]
    const of = (name: string) =>
      members
        .filter((member) => member.getSymbol()?.getName() === name)
        .map((member) => this.argumentsOf(member)[0])
    const [result] = of("Success")
    const errors = of("Failure")[0]
    return result === undefined ? { result: type } : { result, ...(errors === undefined ? {} : { errors }) }
  }

  returnedOf(type: ts.Type): Returned {
    const name = type.getSymbol()?.getName()
    const [first, errors] = this.argumentsOf(type)
    if (first === undefined) return { result: type, wrap: (text) => text }
    if (name === "Promise") return { ...this.partsOf(first), wrap: (text) => `Promise<Result<${text}, E>>` }
    if (name === "AsyncIterable")
      return { ...this.partsOf(first), wrap: (text) => `AsyncIterable<Result<${text}, E>>` }
    if ((name === "Effect" || name === "Stream") && errors !== undefined)
      return { result: first, errors, wrap: (text) => `${name}<${text}, E>` }
    return { result: type, wrap: (text) => text }
  }

  /** The tags of the errors in a type. */
  tagsOf(type: ts.Type): ReadonlyArray<string> {
    const members = type.isUnion() ? type.types : [type]
    const tags = members.flatMap((member) => {
      const tag = this.checker.getPropertyOfType(member, "_tag")
      const value = tag === undefined ? undefined : this.typeOf(tag)
      return value !== undefined && isStringLiteral(value) ? [value.value] : []
    })
    return [...new Set(tags)].sort()
  }

  /** The parameters of a call. Those of a rest parameter that is a tuple are separate. */
  parametersOf(signature: ts.Signature): ReadonlyArray<Parameter> {
    return signature.getParameters().flatMap((parameter): ReadonlyArray<Parameter> => {
      const type = this.typeOf(parameter)
      const declaration = parameter.valueDeclaration
      const isRest =
        declaration === undefined || (ts.isParameter(declaration) && declaration.dotDotDotToken !== undefined)
      if (isRest && this.checker.isTupleType(type) && this.isReference(type)) {
        const { elementFlags, labeledElementDeclarations }: Partial<ts.TupleType> = type.target
        return this.checker.getTypeArguments(type).map((element, i) => ({
          name: labeledElementDeclarations?.[i]?.name.getText() ?? `value${i + 1}`,
          type: element,
          isOptional: ((elementFlags?.[i] ?? 0) & ts.ElementFlags.Optional) !== 0
        }))
      }
      const isOptional =
        declaration !== undefined &&
        ts.isParameter(declaration) &&
        this.checker.isOptionalParameter(declaration)
      return [{ name: parameter.getName(), type, isOptional }]
    })
  }

  /** Keeps the declared types that a type names, with those that their declarations name. Yields the names of the former. */
  private namesIn(type: ts.Type): ReadonlyArray<string> {
    const members = type.aliasSymbol === undefined && type.isUnionOrIntersection() ? type.types : []
    const symbol = type.aliasSymbol ?? type.getSymbol()
    const own = symbol === undefined || members.length > 0 ? undefined : this.keep(symbol)
    const inner = [...members, ...(type.aliasTypeArguments ?? []), ...this.argumentsOf(type)]
    return [
      ...(own === undefined ? [] : [own]),
      ...inner.filter((each) => each !== type).flatMap((each) => this.namesIn(each))
    ]
  }

  /** Keeps the declaration of a model of the SDK. Errors have pages of their own, and no page has services. */
  private keep(symbol: ts.Symbol): string | undefined {
    const declaration = symbol.declarations?.find(
      (each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)
    )
    const name = symbol.getName()
    if (declaration === undefined || this.declared.has(name))
      return this.declared.has(name) ? name : undefined
    const file = declaration.getSourceFile().fileName.slice(this.root.length)
    const isModel =
      file.startsWith("/src/") && !/\b(Effect|Stream|Promise|Context|Layer)[.<]/.test(declaration.getText())
    if (!isModel || !this.isExported(declaration)) return undefined
    this.declared.set(name, declaration)
    const visit = (node: ts.Node): void => {
      if (ts.isTypeReferenceNode(node)) {
        const found = this.checker.getSymbolAtLocation(node.typeName)
        if (found !== undefined)
          this.keep(found.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(found) : found)
      }
      ts.forEachChild(node, visit)
    }
    ts.forEachChild(declaration, visit)
    return name
  }

  private isExported(declaration: ts.Declaration): boolean {
    return (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0
  }

  /** The methods of an object of functions and groups. */
  methodsOf(type: ts.Type, prefix: string, withTypes: boolean): ReadonlyArray<Method> {
    return this.propertiesOf(type).flatMap(([name, symbol, own]): ReadonlyArray<Method> => {
      const path = `${prefix}.${name}`
      const [signature] = own.getCallSignatures()
      if (signature === undefined)
        return own.getProperties().length > 0 && !own.isUnion() ? this.methodsOf(own, path, withTypes) : []
      const parameters = this.parametersOf(signature)
      const returned = this.returnedOf(signature.getReturnType())
      const generics = signature.getTypeParameters() ?? []
      const call = parameters.map(({ isOptional, name: parameter, type: of }) => {
        const shown = isOptional ? this.checker.getNonNullableType(of) : of
        return `${parameter}${isOptional ? "?" : ""}: ${this.textOf(shown)}`
      })
      const types = withTypes
        ? [...parameters.map(({ type: of }) => of), returned.result].flatMap((each) => this.namesIn(each))
        : []
      return [
        {
          path,
          kind: kindOf(path),
          doc: this.docOf(symbol),
          parameters,
          arguments: call.join(", "),
          call: `${generics.length > 0 ? `<${generics.map((each) => this.textOf(each)).join(", ")}>` : ""}(${call.join(", ")})`,
          result: this.textOf(returned.result),
          returns: returned.wrap(this.textOf(returned.result)),
          errors: returned.errors === undefined ? [] : this.tagsOf(returned.errors),
          types: [...new Set(types)].sort()
        }
      ]
    })
  }
}

const accounts = ["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]

const context: ExampleContext = {
  network: NETWORK,
  accounts,
  nft: "0xBC4CA0EdA7647A8aB7C2061c2E118A18a936f13D",
  token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  inbox: "https://shop.example/hook"
}

/** Bytes, as vectors write them. */
interface Bytes {
  readonly $Buffer: string
}

/** The arguments of an example as code. */
const formatArguments = (values: ReadonlyArray<unknown>, pad: string): string =>
  values
    .map((value) => formatLiteral(value, pad))
    .join(", ")
    .replace(/\{\s*\$Buffer: ("[^"]*")\s*\}/g, "new TextEncoder().encode($1)")

/** The fields that choose a page of a list, which its stream does not take. */
const PAGING = ["page", "pageSize", "offset", "cursor"]

/** Values of arguments whose type says too little, by their places. */
const placed: Readonly<Record<string, unknown>> = {
  "data.names.resolve.name": "vitalik.eth",
  "explorer.block.block": 19_000_000n,
  "explorer.token.token": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  "wallet.use.wallet": "io.metamask"
}

/** Texts of arguments by their names, and numbers. */
const texts: Readonly<Record<string, string>> = {
  id: "64c1e5f0a1b2c3d4e5f60718",
  initialSupply: "1000000",
  name: "Example",
  secret: "a secret of at least 16 characters",
  symbol: "ETH",
  tokenAddresses: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  validator:
    "0x80000001677f23a227dfed6f61b132d114be83b8ad0aa5f3c5d1d77e6ee0bf5f73b0af750cc34e8f2dae73c21dc36f4a"
}
const numbers: Readonly<Record<string, number>> = {
  from: 1_704_067_200_000,
  numberOfCandles: 24,
  to: 1_706_745_600_000
}

class Examples {
  readonly vectors: ReadonlyMap<string, ReadonlyArray<Vector>>

  constructor(readonly reader: Reader) {
    const vectors: ReadonlyArray<Vector> = JSON.parse(
      readFileSync(join(reader.root, "test/conformance/vectors/services.json"), "utf8")
    )
    const found = new Map<string, Array<Vector>>()
    for (const vector of vectors) {
      const path = vector.target
        .replace("$container.TatumApi.", "data.")
        .replace("$container.TatumConnector.", "provider.")
      found.set(path, [...(found.get(path) ?? []), vector])
    }
    this.vectors = found
  }

  /** The vector of a method that fits best. */
  private vectorOf(path: string): Vector | undefined {
    const vectors = this.vectors.get(path) ?? []
    return vectors.find(({ network }) => network === NETWORK) ?? vectors[0]
  }

  /** The network and the arguments of a method's example: those of a vector, for a stream of its list's; else values of the types. */
  argumentsOf({ kind, parameters, path }: Method): {
    readonly network: string
    readonly values: ReadonlyArray<unknown>
  } {
    const vector = this.vectorOf(path)
    if (vector !== undefined) return { network: vector.network, values: vector.args }
    const list = kind === "stream" ? this.vectorOf(path.replace(/\.stream([A-Z]\w*)$/, ".get$1")) : undefined
    if (list !== undefined) {
      const values = list.args.map((value) =>
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).filter(([key]) => !PAGING.includes(key)))
          : value
      )
      return { network: list.network, values }
    }
    const values = parameters
      .filter(({ isOptional }) => !isOptional)
      .map(({ name, type }) => this.valueOf(path, name, type, 0))
    return { network: NETWORK, values }
  }

  private scalar(path: string, name: string, of: "string" | "number" | "bigint"): string | number | bigint {
    const text = exampleOf(path, { name, type: of, shape: { kind: "scalar", of: [of] } }, context)
    if (of === "string") return texts[name] ?? text ?? name
    const number = numbers[name] ?? (/^\d+$/.test(text ?? "") ? Number(text) : 1)
    return of === "bigint" ? BigInt(number) : number
  }

  /** A value of a type. */
  private valueOf(path: string, name: string, declared: ts.Type, depth: number): unknown {
    const { checker } = this.reader
    const own = placed[`${path}.${name}`]
    if (own !== undefined) return own
    const type = checker.getBaseConstraintOfType(declared) ?? declared
    const parts = (type.isUnion() ? type.types : [type]).filter(
      ({ flags }) => (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) === 0
    )
    const has = (flags: ts.TypeFlags): boolean => parts.some((part) => (part.flags & flags) !== 0)
    const literals = parts.filter(isStringLiteral).map(({ value }) => value)
    const usual = this.scalar(path, name, "string")
    if (literals.length > 0) return literals.find((value) => value === usual) ?? literals[0]
    const [number] = parts.filter((part) => part.isNumberLiteral())
    if (number?.isNumberLiteral() === true) return number.value
    if (has(ts.TypeFlags.StringLike)) return usual
    if (has(ts.TypeFlags.BooleanLike)) return true
    if (has(ts.TypeFlags.BigIntLike)) return this.scalar(path, name, "bigint")
    if (has(ts.TypeFlags.NumberLike)) return this.scalar(path, name, "number")
    const [object] = parts
    if (object === undefined || depth > 4) return {}
    if (/^(Uint8Array|Blob|ArrayBuffer)$/.test(object.getSymbol()?.getName() ?? ""))
      return { $Buffer: "hello" } satisfies Bytes
    if (checker.isArrayLikeType(object)) {
      const [element] = this.reader.argumentsOf(object)
      return element === undefined ? [] : [this.valueOf(path, name.replace(/e?s$/, ""), element, depth + 1)]
    }
    return Object.fromEntries(
      this.reader
        .propertiesOf(object)
        .filter(([, field]) => (field.flags & ts.SymbolFlags.Optional) === 0)
        .map(([key, , of]) => [key, this.valueOf(path, key, of, depth + 1)])
    )
  }
}

const importsOf: Readonly<Record<Surface, string>> = {
  promise: 'import { init } from "effect-chains/promise"',
  effect: 'import { Effect, Stream } from "effect"\nimport { Sdk } from "effect-chains"',
  react: 'import { useRead, useWrite } from "effect-chains/react"'
}

/** The code of an example on a surface; undefined where the surface has no such call. */
const exampleCode = (
  surface: Surface,
  { kind, path }: Method,
  { network, values }: { readonly values: ReadonlyArray<unknown>; readonly network: string }
): string | undefined => {
  const config = `{ network: ${JSON.stringify(network)} }`
  const isStream = kind === "stream" || kind === "live"
  if (surface === "react") {
    if (isStream) return undefined
    if (kind === "write")
      return [
        `const { run, status } = useWrite("${path}", ${config})`,
        `const send = () => run(${formatArguments(values, "")})`
      ].join("\n")
    const parts = [`"${path}"`, `[${formatArguments(values, "  ")}]`, config]
    const line = `const { data, error } = useRead(${parts.join(", ")})`
    return line.length <= MAX_LINE && !line.includes("\n")
      ? line
      : `const { data, error } = useRead(\n  ${parts.join(",\n  ")}\n)`
  }
  if (surface === "effect") {
    const call = `sdk.${path}(${formatArguments(values, "  ")})`
    return [
      "const program = Effect.gen(function* () {",
      `  const sdk = yield* Sdk.make(${config})`,
      isStream ? `  return yield* Stream.runCollect(${call})` : `  return yield* ${call}`,
      "})"
    ].join("\n")
  }
  const call = `sdk.${path}(${formatArguments(values, "")})`
  return [
    `const sdk = await init(${config})`,
    ...(isStream
      ? [
          ...(call.length <= MAX_LINE ? [] : [`const items = ${call}`]),
          `for await (const item of ${call.length <= MAX_LINE ? call : "items"}) {`,
          '  if (item.status === "ERROR") throw item.error.cause',
          "  console.log(item.data)",
          "}"
        ]
      : [
          `const result = await ${call}`,
          'if (result.status === "ERROR") throw result.error.cause',
          "console.log(result.data)"
        ])
  ].join("\n")
}

const anchorOf = (name: string): string => name.toLowerCase().replace(/[^\w]/g, "")

const errorLinks = (errors: ReadonlyArray<string>): string =>
  errors.map((tag) => `[${tag}](../../errors/${tag.toLowerCase()}.md)`).join(", ")

const surfaceNames: Readonly<Record<Surface, string>> = {
  promise: "promises",
  effect: "Effect",
  react: "React"
}

const surfaces: ReadonlyArray<Surface> = ["promise", "effect", "react"]

const beginnings: Readonly<Record<Surface, string>> = {
  promise:
    "A call resolves to a `Result` and never rejects: look at its `status`. `E` are the errors that are listed with the method. Besides them, any call can end with [Aborted](../../errors/aborted.md), [InvalidArgument](../../errors/invalidargument.md) or [Unexpected](../../errors/unexpected.md). Lists that you page through are async iterables.",
  effect:
    "A call is an Effect that is sent when it runs. `E` are the errors that are listed with the method. Lists that you page through are Streams.",
  react:
    "Reads are hooks that share one request among all components. Writes are sent by the `run` of their hook. The errors are in `error`, those that are listed with the method and [Unexpected](../../errors/unexpected.md)."
}

const cut = (text: string): string =>
  text.length > MAX_TYPE_LENGTH ? `${text.slice(0, MAX_TYPE_LENGTH - 1)}…` : text

/** Code in a cell of a table. */
const cellOf = (text: string): string =>
  text === "" ? "" : `\`${cut(text).replaceAll("|", "\\|").replaceAll("`", "'")}\``

const signatureOf = (surface: Surface, method: Method): string => {
  const { call, kind, path, result, returns } = method
  if (surface !== "react") return `sdk.${path}${call}: ${returns}`
  return kind === "read"
    ? `useRead("${path}", [${method.arguments}]): { data?: ${result}, error?: E, … }`
    : `useWrite("${path}"): { run: ${call} => Promise<Result<${result}, E>>, status, … }`
}

const servicePage = (
  surface: Surface,
  service: { readonly name: string; readonly doc: string; readonly methods: ReadonlyArray<Method> },
  examples: Examples
): ReferencePage => {
  const programs: Array<string> = []
  const members: Array<string> = []
  const parts = service.methods.flatMap((method) => {
    const code = exampleCode(surface, method, examples.argumentsOf(method))
    if (code === undefined) return []
    const program = `${importsOf[surface]}\n\n${code}`
    programs.push(program)
    members.push(method.path)
    return [
      [
        `### ${method.path.slice(service.name.length + 1)}`,
        method.doc,
        `\`\`\`ts\n${signatureOf(surface, method)}\n\`\`\``,
        ...(method.types.length === 0
          ? []
          : [`Types: ${method.types.map((name) => `[${name}](../types.md#${anchorOf(name)})`).join(", ")}`]),
        method.errors.length === 0 ? "It has no errors of its own." : `Errors: ${errorLinks(method.errors)}`,
        `\`\`\`ts\n${code}\n\`\`\``
      ].join("\n\n")
    ]
  })
  const others = surfaces
    .filter((each) => each !== surface)
    .map((each) => `[${surfaceNames[each]}](../${each}/${service.name}.md)`)
  const text = [
    `# \`${service.name}\` with ${surfaceNames[surface]}`,
    service.doc,
    beginnings[surface],
    `The guide: [services](../../services.md). The same with ${others.join(" and ")}. Examples begin with:`,
    `\`\`\`ts\n${importsOf[surface]}\n\`\`\``,
    "## Methods",
    ...parts
  ].join("\n\n")
  return { path: `${surface}/${service.name}.md`, text: `${text}\n`, members, examples: programs }
}

/** The errors that most methods have. */
const usualErrors = (methods: ReadonlyArray<Method>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const { errors } of methods) for (const tag of errors) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > methods.length / 2).map(([tag]) => tag)
}

const familyPage = (
  surface: "promise" | "effect",
  family: FamilyId,
  methods: ReadonlyArray<Method>
): ReferencePage => {
  const usual = usualErrors(methods)
  const rows = methods.map(({ arguments: taken, doc, errors, path, result }) => {
    const more = errors.filter((tag) => !usual.includes(tag))
    const notes = [doc.replaceAll("|", "\\|"), more.length === 0 ? "" : `Also: ${errorLinks(more)}`]
    return `| \`${path.slice("rpc.".length)}\` | ${cellOf(taken)} | ${cellOf(result)} | ${notes.filter(Boolean).join(" ")} |`
  })
  const other = surface === "promise" ? "effect" : "promise"
  const text = [
    `# Nodes of \`${family}\` with ${surfaceNames[surface]}`,
    `The calls in \`sdk.rpc\` of the networks of this family, such as \`${networkOfFamily.get(family)}\`. [All networks](../../networks.md).`,
    `${beginnings[surface]} The table has the result of each call.`,
    `Errors of every call: ${errorLinks(usual)}. The same with [${surfaceNames[other]}](../${other}/nodes-${family}.md); in React, \`useRpc("name", [arguments])\` reads them.`,
    ["| method | arguments | result | what it does |", "| --- | --- | --- | --- |", ...rows].join("\n")
  ].join("\n\n")
  return { path: `${surface}/nodes-${family}.md`, text: `${text}\n`, members: [], examples: [] }
}

const indexPage = (
  surface: Surface,
  services: ReadonlyArray<{ readonly name: string; readonly doc: string }>
): ReferencePage => {
  const families = [...networkOfFamily.keys()].sort()
  const text = [
    `# Reference with ${surfaceNames[surface]}`,
    beginnings[surface],
    "## Services",
    services.map(({ doc, name }) => `- [\`sdk.${name}\`](${name}.md): ${doc}`).join("\n"),
    ...(surface === "react"
      ? []
      : [
          "## Nodes",
          "What `sdk.rpc` has is decided by the network's family:",
          families.map((family) => `- [\`${family}\`](nodes-${family}.md)`).join("\n")
        ]),
    "## Types and errors",
    "[Types](../types.md) that the methods share, and [all errors](../../errors.md)."
  ].join("\n\n")
  return { path: `${surface}/index.md`, text: `${text}\n`, members: [], examples: [] }
}

const typesPage = (reader: Reader): ReferencePage => {
  const parts = [...reader.declared]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, declaration]) => {
      const doc = reader.docOf(reader.checker.getSymbolAtLocation(nameNodeOf(declaration)) ?? failOn(name))
      const code = declaration.getText().replace(/^export (declare )?/, "")
      return [`### ${name}`, doc, `\`\`\`ts\n${code}\n\`\`\``].filter(Boolean).join("\n\n")
    })
  const text = [
    "# Types",
    "The types that methods of services take and return, on every surface.",
    "## All types",
    ...parts
  ]
  return { path: "types.md", text: `${text.join("\n\n")}\n`, members: [], examples: [] }
}

const failOn = (name: string): never => {
  throw new Error(`${name} has no symbol`)
}

const nameNodeOf = (declaration: ts.Declaration): ts.Node =>
  ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)
    ? declaration.name
    : declaration

/** The pages of the reference, and where each member of a service is: its path, by its surface. */
export const makeReference = (root: string): ReadonlyArray<ReferencePage> => {
  const reader = new Reader(root)
  const clients = new Map(reader.membersOf("Clients"))
  const servicesOf = (surface: "promise" | "effect") => {
    const client = clients.get(surface)
    if (client === undefined) throw new Error(`no client of ${surface}`)
    return reader
      .propertiesOf(client)
      .filter(([name]) => Object.hasOwn(catalogue, name))
      .map(([name, symbol, type]) => ({
        name,
        doc: reader.docOf(symbol),
        methods: reader.methodsOf(type, name, true)
      }))
  }
  const promise = servicesOf("promise")
  const effect = servicesOf("effect")
  const examples = new Examples(reader)
  const services: ReadonlyArray<ReferencePage> = surfaces.flatMap((surface) =>
    (surface === "effect" ? effect : promise).map((service) => servicePage(surface, service, examples))
  )
  const families = (["promise", "effect"] as const).flatMap((surface) =>
    reader
      .membersOf(surface === "promise" ? "PromiseNodes" : "EffectNodes")
      // the entry has the families of the table
      .map(([family, type]) => familyPage(surface, family as FamilyId, reader.methodsOf(type, "rpc", false)))
  )
  return [
    ...surfaces.map((surface) => indexPage(surface, promise)),
    ...services,
    ...families,
    typesPage(reader)
  ]
}

/** The anchor of a method on its page, as the site makes it of the heading. */
const anchorOfMember = (path: string): string =>
  path
    .slice(path.indexOf(".") + 1)
    .toLowerCase()
    .replaceAll(".", "")

/** Where the members of services are: by surface and path, a page in `docs` with its anchor. */
export const membersOf = (
  pages: ReadonlyArray<ReferencePage>
): Readonly<Record<string, Readonly<Record<string, string>>>> =>
  Object.fromEntries(
    surfaces.map((surface) => [
      surface,
      Object.fromEntries(
        pages
          .filter(({ path }) => path.startsWith(`${surface}/`))
          .flatMap(({ members, path }) =>
            members.map((each) => [each, `api/${path}#${anchorOfMember(each)}`])
          )
      )
    ])
  )
