/** Equivalents of the types of `@tatumio/tatum`, as code. */
import type ts from "typescript"
import { type Compiler, isOldSymbol } from "./project.js"
import names from "./tatum.json" with { type: "json" }

/** The types of ours that equivalents are made of. */
export type NeededType = "PromiseSdk" | "InitConfig" | "Result" | "SdkError"

/** The code of a type, its type parameters, and the imports that it needs. */
export interface Equivalent {
  readonly code: string
  readonly parameters: string
  readonly needed: ReadonlyArray<NeededType>
}

interface Client {
  readonly networks: string
  readonly members: Readonly<Record<string, string | undefined>>
}

const clients: Readonly<Record<string, Client | undefined>> = names.clients
const suites: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = names.suites
const places: Readonly<Record<string, string | undefined>> = names.met

/** Types with an equivalent of a few words. */
const KNOWN: Readonly<
  Record<string, readonly [code: string, parameters: string, ...needed: ReadonlyArray<NeededType>]>
> = {
  ApiVersion: ['"V3" | "V4"', ""],
  EvmLoadBalancerRpc: ['PromiseSdk<"ethereum-mainnet">["rpc"]', "", "PromiseSdk"],
  EvmRpc: ['PromiseSdk<"ethereum-mainnet">["rpc"]', "", "PromiseSdk"],
  ITatumSdkChain: ["PromiseSdk", "", "PromiseSdk"],
  JsonRpcResponse: ["Result<T, SdkError>", "<T>", "Result", "SdkError"],
  Logger: ['NonNullable<InitConfig["logger"]>', "", "InitConfig"],
  MetaMask: ['PromiseSdk<"ethereum-mainnet">["wallet"]', "", "PromiseSdk"],
  Network: ['PromiseSdk["network"]', "", "PromiseSdk"],
  ResponseDto: ["Result<T, SdkError>", "<T>", "Result", "SdkError"],
  RpcNode: ['NonNullable<NonNullable<InitConfig["rpc"]>["nodes"]>[number]', "", "InitConfig"],
  RpcNodeType: ['"normal" | "archive"', ""],
  Status: ['"SUCCESS" | "ERROR"', ""],
  TatumConfig: ["InitConfig", "", "InitConfig"],
  TatumSdkChain: ["PromiseSdk", "", "PromiseSdk"],
  TxId: ["string", ""],
  UtxoRpc: ['PromiseSdk<"bitcoin-mainnet">["rpc"]', "", "PromiseSdk"]
}

const toIndexes = (path: string): string =>
  path
    .split(".")
    .map((name) => `["${name}"]`)
    .join("")

export class Equivalents {
  private readonly found = new Map<ts.Symbol, Equivalent | undefined>()

  constructor(
    readonly compiler: Compiler,
    readonly checker: ts.TypeChecker,
    /** The old package's exports. */
    readonly module: ts.Symbol | undefined,
    /** The networks that the program starts clients of, by the client's class. */
    readonly usedNetworks: ReadonlyMap<string, ReadonlySet<string>>
  ) {}

  private target(symbol: ts.Symbol | undefined): ts.Symbol | undefined {
    return symbol !== undefined && (symbol.flags & this.compiler.SymbolFlags.Alias) !== 0
      ? this.checker.getAliasedSymbol(symbol)
      : symbol
  }

  /** The class of a client; undefined for other types. */
  clientOf(symbol: ts.Symbol | undefined): string | undefined {
    const target = this.target(symbol)
    return target !== undefined && isOldSymbol(target) && clients[target.name] !== undefined
      ? target.name
      : undefined
  }

  /** The ids of a client's networks, as a union: those that the program uses, or all of them. */
  networksOf(client: string, quote: string): string {
    const used = this.usedNetworks.get(client)
    const all = clients[client]?.networks.split(" ") ?? []
    const ids = used === undefined || used.size === 0 ? all : all.filter((id) => used.has(id))
    return (ids.length === 0 ? all : ids).map((id) => `${quote}${id}${quote}`).join(" | ")
  }

  /** The equivalent of a type; undefined if there is none. */
  find(symbol: ts.Symbol, quote: string): Equivalent | undefined {
    if (!this.found.has(symbol)) {
      const made = this.make(symbol)
      this.found.set(symbol, made)
    }
    const made = this.found.get(symbol)
    return made === undefined || quote === '"' ? made : { ...made, code: made.code.replaceAll('"', quote) }
  }

  private make(symbol: ts.Symbol): Equivalent | undefined {
    const { name } = symbol
    const [code, parameters = "", ...needed] = KNOWN[name] ?? []
    if (code !== undefined) return { code, parameters, needed }
    if (clients[name] !== undefined)
      return { code: `PromiseSdk<${this.networksOf(name, '"')}>`, parameters: "", needed: ["PromiseSdk"] }
    return this.findService(name) ?? this.findInSignature(symbol)
  }

  /** A network whose client has the same service: one that the program uses, if there is one. */
  private networkOf(client: string, member: string): string {
    const suite = clients[client]?.members[member]
    const same = Object.entries(clients).filter(
      ([name, each]) => name === client || each?.members[member] === suite
    )
    const used = same.flatMap(([name]) => [...(this.usedNetworks.get(name) ?? [])])
    const all = same.flatMap(([, each]) => each?.networks.split(" ") ?? [])
    return (
      [...used, ...all.filter((id) => id === "ethereum-mainnet")][0] ??
      all.find((id) => id.includes("mainnet")) ??
      ""
    )
  }

  /** A service of a client, as `Nft` is. */
  private findService(name: string): Equivalent | undefined {
    for (const [client, each] of Object.entries(clients)) {
      const member = Object.entries(each?.members ?? {}).find(([, suite]) => suite === name)?.[0]
      if (member !== undefined && each?.networks.includes("mainnet") === true)
        return {
          code: `PromiseSdk<"${this.networkOf(client, member)}">["${member}"]`,
          parameters: "",
          needed: ["PromiseSdk"]
        }
    }
    return undefined
  }

  private placeOf(name: string): string | undefined {
    const place = places[name]
    return place?.startsWith("of ") === true ? this.placeOf(place.slice(3)) : place
  }

  /** A type by a method that takes or answers it. */
  private findInSignature(symbol: ts.Symbol): Equivalent | undefined {
    const [client = "", path = "", role = ""] = this.placeOf(symbol.name)?.split(" ") ?? []
    const found = this.findAt(symbol, client, path, role)
    if (found !== undefined) return found
    for (const [owner, each] of Object.entries(clients))
      for (const [member, suite = ""] of Object.entries(each?.members ?? {}))
        for (const methods of Object.values(suites[suite] ?? {}))
          for (const method of methods.split(" "))
            for (const place of ["0", "1", "answer"]) {
              const other = this.findAt(symbol, owner, `${member}.${method}`, place)
              if (other !== undefined) return other
            }
    return undefined
  }

  private findAt(symbol: ts.Symbol, client: string, path: string, role: string): Equivalent | undefined {
    const { checker } = this
    const owner = this.target(this.exportOf(client))
    if (owner === undefined || clients[client] === undefined) return undefined
    let type = checker.getDeclaredTypeOfSymbol(owner)
    for (const name of path.split(".")) {
      const property = checker.getPropertyOfType(type, name)
      if (property === undefined) return undefined
      type = checker.getTypeOfSymbol(property)
    }
    const [signature] = type.getCallSignatures()
    if (signature === undefined) return undefined
    const parameter = role === "answer" ? undefined : signature.parameters[Number(role)]
    if (role !== "answer" && parameter === undefined) return undefined
    const root = parameter === undefined ? this.answerOf(signature) : checker.getTypeOfSymbol(parameter)
    const steps = root === undefined ? undefined : this.findPath(root, symbol)
    if (steps === undefined) return undefined
    const call = `PromiseSdk<"${this.networkOf(client, path.split(".")[0] ?? "")}">${toIndexes(path)}`
    const start =
      parameter === undefined
        ? `Extract<Awaited<ReturnType<${call}>>, { status: "SUCCESS" }>["data"]`
        : `NonNullable<Parameters<${call}>[${role}]>`
    const code = steps.reduce(
      (inner, step) => (step === "" ? `NonNullable<${inner}>` : `${inner}${step}`),
      start
    )
    return { code, parameters: "", needed: ["PromiseSdk"] }
  }

  private exportOf(name: string): ts.Symbol | undefined {
    return this.module === undefined
      ? undefined
      : this.checker.getExportsOfModule(this.module).find((each) => each.name === name)
  }

  private answerOf(signature: ts.Signature): ts.Type | undefined {
    const awaited = this.checker.getAwaitedType(signature.getReturnType())
    if (awaited === undefined) return undefined
    for (const name of ["result", "data"]) {
      const isEnvelope =
        isOldSymbol(awaited.symbol) && /^(JsonRpcResponse|ResponseDto)$/.test(awaited.symbol.name)
      const property = isEnvelope ? this.checker.getPropertyOfType(awaited, name) : undefined
      if (property !== undefined) return this.checker.getTypeOfSymbol(property)
    }
    return awaited
  }

  /** Two declarations of one name: which of them an import means does not matter here. */
  private isNamesake(one: ts.Symbol | undefined, other: ts.Symbol): boolean {
    return one?.name === other.name && isOldSymbol(one) && isOldSymbol(other)
  }

  /** The indexes from a type to a named part of it. */
  private findPath(type: ts.Type, symbol: ts.Symbol, depth = 0): ReadonlyArray<string> | undefined {
    const { checker, compiler } = this
    const present = checker.getNonNullableType(type)
    const isHere = (each: ts.Type) =>
      each.symbol === symbol || each.aliasSymbol === symbol || this.isNamesake(each.symbol, symbol)
    const isOptional = present !== type && depth > 0
    const before = isOptional ? [""] : []
    if (isHere(present) || (present.isUnion() && present.types.some(isHere))) return before
    if (depth > 3) return undefined
    if (checker.isArrayType(present)) {
      const [element] = checker.getTypeArguments(present as ts.TypeReference)
      const rest = element === undefined ? undefined : this.findPath(element, symbol, depth + 1)
      return rest === undefined ? undefined : [...before, "[number]", ...rest]
    }
    if ((present.flags & compiler.TypeFlags.Object) === 0) return undefined
    for (const property of checker.getPropertiesOfType(present)) {
      if (!isOldSymbol(property)) continue
      const rest = this.findPath(checker.getTypeOfSymbol(property), symbol, depth + 1)
      if (rest !== undefined) return [...before, `["${property.name}"]`, ...rest]
    }
    return undefined
  }
}
