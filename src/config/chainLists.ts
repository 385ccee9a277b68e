/**
 * Makes definitions from published data: viem's chain objects, `ethereum-lists/chains` and `cosmos/chain-registry`.
 * You pass the data; nothing is fetched.
 *
 * @since 0.1.0
 */

import type { Explorer, NetworkDefinition, Rollup } from "../data/Network.js"
import type { NodeEntry } from "../data/Node.js"
import { type ConfigIssue, InvalidConfig, kindOf } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { parseDefinition } from "./defineNetwork.js"

/**
 * Options beside the data. `id` is the network's id (default: its name in small letters with hyphens). `nodes`
 * replace those of the data. `keys` fill placeholders in urls (`${INFURA_API_KEY}`); urls with other placeholders are
 * left out. `rollup` is the stack of a rollup.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromListOptions<Id extends string = string, R extends Rollup | undefined = undefined> {
  readonly id?: Id
  readonly nodes?: ReadonlyArray<NodeEntry>
  readonly keys?: Readonly<Record<string, string>>
  readonly rollup?: R
}

/**
 * A chain object of viem: the fields that are read.
 *
 * @since 0.1.0
 * @category models
 */
export interface ViemChain {
  readonly id: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpcUrls: {
    readonly default: {
      readonly http: ReadonlyArray<string>
      readonly webSocket?: ReadonlyArray<string> | undefined
    }
  }
  readonly blockExplorers?: { readonly default: { readonly name: string; readonly url: string } } | undefined
  readonly testnet?: boolean | undefined
  // its types are those of contracts that no builder needs
  readonly contracts?: object | undefined
}

const throwInvalidConfig = (issues: ReadonlyArray<ConfigIssue>): never => {
  throw new InvalidConfig({ issues })
}

/** Reads members of unknown data, and collects what is wrong with its path. */
class ChainReader {
  readonly issues: Array<ConfigIssue> = []

  constructor(readonly root: unknown) {}

  get(path: string): unknown {
    return path
      .split(".")
      .reduce<unknown>(
        (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
        this.root
      )
  }

  text(path: string): string {
    const value = this.get(path)
    if (typeof value === "string" && value !== "") return value
    this.issues.push({
      path,
      message: value === undefined ? "is missing" : `must be text, not ${kindOf(value)}`
    })
    return ""
  }

  number(path: string): number {
    const value = this.get(path)
    if (typeof value === "number" && Number.isSafeInteger(value)) return value
    this.issues.push({
      path,
      message: value === undefined ? "is missing" : `must be a whole number, not ${kindOf(value)}`
    })
    return 0
  }

  list(path: string): ReadonlyArray<unknown> {
    const value = this.get(path)
    if (value === undefined) return []
    if (Array.isArray(value)) return value
    this.issues.push({ path, message: `must be a list, not ${kindOf(value)}` })
    return []
  }

  /** The strings of a list, or of a member of its items. */
  texts(path: string, member?: string): ReadonlyArray<string> {
    return this.list(path).flatMap((item, i) => {
      const value = member === undefined ? item : isRecord(item) ? item[member] : undefined
      if (typeof value === "string") return [value]
      this.issues.push({
        path: `${path}[${i}]${member === undefined ? "" : `.${member}`}`,
        message: `must be text, not ${kindOf(value)}`
      })
      return []
    })
  }

  /** Throws the collected issues, if there are some. */
  throwIssues(): void {
    if (this.issues.length > 0) throwInvalidConfig(this.issues)
  }
}

/** Reads a chain object. Getters and proxies that throw are reported as unreadable data. */
const readChain = <A>(data: unknown, read: (reader: ChainReader) => A): A => {
  const reader = new ChainReader(data)
  if (!isRecord(data))
    return throwInvalidConfig([{ path: "chain", message: `must be an object, not ${kindOf(data)}` }])
  try {
    return read(reader)
  } catch (error) {
    if (error instanceof InvalidConfig) throw error
    return throwInvalidConfig([{ path: "chain", message: "cannot be read" }])
  }
}

/** Converts a name to an id of small letters, digits and hyphens. */
const toNetworkId = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 64)
    .replace(/^-|-$/g, "")

/** Fills the placeholders of a url with keys. Returns undefined if a key is missing. */
const fillPlaceholders = (url: string, keys: Readonly<Record<string, string>>): string | undefined => {
  const names = [...url.matchAll(/\$\{(\w{1,100})\}/g)].flatMap(([, name]) => name ?? [])
  if (!names.every((name) => Object.hasOwn(keys, name))) return undefined
  const whole = url.replace(/\$\{(\w{1,100})\}/g, (_, name: string) => encodeURIComponent(keys[name] ?? ""))
  // a placeholder of another form cannot be filled
  return /[{}<>]|API[_-]?KEY/i.test(whole.replace(/^[^?]*\/\//, "")) && names.length === 0 ? undefined : whole
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : "")

/**
 * Makes nodes of urls. A socket url goes to the node with its host, or else to the first node without a socket.
 */
const toNodes = (
  urls: ReadonlyArray<string>,
  { keys = {}, nodes }: Pick<FromListOptions, "keys" | "nodes">
): ReadonlyArray<NodeEntry> => {
  if (nodes !== undefined) return nodes
  const all = urls.flatMap((url) => fillPlaceholders(url.trim(), keys) ?? [])
  const http = [...new Set(all.filter((url) => /^https?:/i.test(url)))]
  const sockets = [...new Set(all.filter((url) => /^wss?:/i.test(url)))]
  const own = new Map<string, string>()
  for (const socket of sockets) {
    const free = http.filter((url) => !own.has(url))
    const url = free.find((each) => hostOf(each) === hostOf(socket)) ?? free[0]
    if (url !== undefined) own.set(url, socket)
  }
  return http.map((url) => {
    const wsUrl = own.get(url)
    return { url, ...(wsUrl === undefined ? {} : { wsUrl }) }
  })
}

const toExplorers = (found: ReadonlyArray<unknown>): ReadonlyArray<Explorer> =>
  found.flatMap((each) =>
    isRecord(each) && typeof each.url === "string" && /^https?:/i.test(each.url)
      ? [{ url: each.url, ...(typeof each.name === "string" && each.name !== "" ? { name: each.name } : {}) }]
      : []
  )

/** The gas oracle of OP stack rollups. */
const GAS_ORACLE = "0x420000000000000000000000000000000000000f"

const detectRollup = (reader: ChainReader): Rollup | undefined => {
  const address = reader.get("contracts.gasPriceOracle.address")
  return typeof address === "string" && address.toLowerCase() === GAS_ORACLE ? "op" : undefined
}

/** Makes a definition. Issues name the fields of the definition, not of the data. */
const makeDefinition = (fields: object): NetworkDefinition =>
  parseDefinition(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

/**
 * Defines a network by a chain object of viem (`import { zora } from "viem/chains"`). Chains of the OP stack are
 * recognised by their gas oracle. Throws `InvalidConfig` for invalid data, and for the chain of a network that the
 * SDK knows.
 *
 * ```ts
 * const network = fromViemChain(zora, { id: "zora-mainnet", rollup: "op" })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromViemChain = <
  const C extends ViemChain,
  const Id extends string = string,
  const R extends Rollup | undefined = undefined
>(
  chain: C,
  options: FromListOptions<Id, R> = {}
): NetworkDefinition<Id, "evm", C["id"], R, undefined> =>
  readChain(chain, (reader) => {
    const name = reader.text("name")
    const urls = [...reader.texts("rpcUrls.default.http"), ...reader.texts("rpcUrls.default.webSocket")]
    const fields = {
      id: options.id ?? toNetworkId(name),
      family: "evm",
      chainId: reader.number("id"),
      name,
      currency: {
        symbol: reader.text("nativeCurrency.symbol"),
        decimals: reader.number("nativeCurrency.decimals"),
        name: reader.text("nativeCurrency.name")
      },
      testnet: reader.get("testnet") === true,
      rollup: options.rollup ?? detectRollup(reader),
      nodes: toNodes(urls, options),
      explorers: toExplorers([reader.get("blockExplorers.default")])
    }
    reader.throwIssues()
    // the id and the chain id are those of the arguments
    return makeDefinition(fields) as NetworkDefinition<Id, "evm", C["id"], R, undefined>
  })

/**
 * An entry of `ethereum-lists/chains`: the fields that are read.
 *
 * @since 0.1.0
 * @category models
 */
export interface EthereumListChain {
  readonly chainId: number
  readonly name: string
  readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
  readonly rpc: ReadonlyArray<string>
  readonly explorers?: ReadonlyArray<{ readonly name: string; readonly url: string }>
  readonly slip44?: number
}

/**
 * Defines a network by an entry of `ethereum-lists/chains` (`_data/chains/eip155-….json`). Coin type 1 means a test
 * network. Throws `InvalidConfig` for invalid data, and for the chain of a network that the SDK knows.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromEthereumList = <
  const C extends EthereumListChain,
  const Id extends string = string,
  const R extends Rollup | undefined = undefined
>(
  chain: C,
  options: FromListOptions<Id, R> = {}
): NetworkDefinition<Id, "evm", C["chainId"], R, undefined> =>
  readChain(chain, (reader) => {
    const name = reader.text("name")
    const fields = {
      id: options.id ?? toNetworkId(name),
      family: "evm",
      chainId: reader.number("chainId"),
      name,
      currency: {
        symbol: reader.text("nativeCurrency.symbol"),
        decimals: reader.number("nativeCurrency.decimals"),
        name: reader.text("nativeCurrency.name")
      },
      testnet: reader.get("slip44") === 1,
      rollup: options.rollup,
      nodes: toNodes(reader.texts("rpc"), options),
      explorers: toExplorers(reader.list("explorers"))
    }
    reader.throwIssues()
    // the id and the chain id are those of the arguments
    return makeDefinition(fields) as NetworkDefinition<Id, "evm", C["chainId"], R, undefined>
  })

/**
 * A `chain.json` of `cosmos/chain-registry`: the fields that are read.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosRegistryChain {
  readonly chain_name: string
  readonly chain_id: string
  readonly bech32_prefix: string
  readonly pretty_name?: string
  readonly network_type?: string
  readonly fees?: {
    readonly fee_tokens: ReadonlyArray<{
      readonly denom: string
      readonly fixed_min_gas_price?: number
      readonly average_gas_price?: number
    }>
  }
  readonly staking?: { readonly staking_tokens: ReadonlyArray<{ readonly denom: string }> }
  readonly apis?: { readonly rest?: ReadonlyArray<{ readonly address: string }> }
  readonly explorers?: ReadonlyArray<{ readonly url?: string; readonly kind?: string }>
}

/**
 * An `assetlist.json` of `cosmos/chain-registry`, with the coin's ticker and decimals: the fields that are read.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosAssetList {
  readonly assets: ReadonlyArray<{
    readonly base: string
    readonly display: string
    readonly symbol: string
    readonly name?: string
    readonly denom_units: ReadonlyArray<{ readonly denom: string; readonly exponent: number }>
  }>
}

/** Formats a price without an exponent, which Cosmos chains do not read. */
const formatDecimal = (price: number): string => {
  const [digits = "", exponent] = String(price).split("e-")
  if (exponent === undefined) return digits
  const [whole = "", part = ""] = digits.split(".")
  return `0.${"0".repeat(Number(exponent) - 1)}${whole}${part}`.slice(0, 20)
}

/** The gas price that the registry recommends, in the coin's smallest unit. */
const findGasPrice = (fees: ReadonlyArray<unknown>, denom: string): string | undefined => {
  const token = fees.find((each) => isRecord(each) && each.denom === denom)
  const price = isRecord(token) ? (token.average_gas_price ?? token.fixed_min_gas_price) : undefined
  return typeof price === "number" && price >= 0 && price < 1e20 ? formatDecimal(price) : undefined
}

/** Reads the chain's coin from its asset list. */
const readCoin = (
  assets: ChainReader,
  denom: string
): { readonly symbol: string; readonly decimals: number; readonly name?: string } => {
  const at = assets.list("assets").findIndex((each) => isRecord(each) && each.base === denom)
  if (at < 0)
    return throwInvalidConfig([{ path: "assets", message: `have no ${denom}, the chain's own coin` }])
  const coin = `assets.${at}`
  const display = assets.text(`${coin}.display`)
  const units = assets.list(`${coin}.denom_units`)
  const unit = units.findIndex((each) => isRecord(each) && each.denom === display)
  const name = assets.get(`${coin}.name`)
  const found = {
    symbol: assets.text(`${coin}.symbol`),
    decimals: assets.number(`${coin}.denom_units.${unit}.exponent`),
    ...(typeof name === "string" && name !== "" ? { name } : {})
  }
  assets.throwIssues()
  return found
}

/**
 * Defines a network by its `chain.json` and `assetlist.json` of `cosmos/chain-registry`. Its nodes are the chain's
 * REST servers. Throws `InvalidConfig` for invalid data.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromCosmosRegistry = <const Id extends string = string>(
  chain: CosmosRegistryChain,
  assetList: CosmosAssetList,
  options: Omit<FromListOptions<Id>, "rollup"> = {}
): NetworkDefinition<Id, "cosmos", undefined, undefined, undefined> =>
  readChain(chain, (reader) => {
    const chainName = reader.text("chain_name")
    const fees = reader.list("fees.fee_tokens")
    const pretty = reader.get("pretty_name")
    const staked = reader.texts("staking.staking_tokens", "denom")[0]
    const denom = staked ?? reader.texts("fees.fee_tokens", "denom")[0]
    if (denom === undefined)
      reader.issues.push({ path: "staking.staking_tokens", message: "must name the chain's own coin" })
    const parameters = {
      chainId: reader.text("chain_id"),
      bech32Prefix: reader.text("bech32_prefix"),
      denom: denom ?? ""
    }
    const urls = reader.texts("apis.rest", "address")
    reader.throwIssues()
    const currency = readChain(assetList, (assets) => readCoin(assets, parameters.denom))
    const gasPrice = findGasPrice(fees, parameters.denom)
    // the id is that of the options
    return makeDefinition({
      id: options.id ?? toNetworkId(chainName),
      family: "cosmos",
      name: typeof pretty === "string" && pretty !== "" ? pretty : chainName,
      currency,
      testnet: ["testnet", "devnet"].includes(String(reader.get("network_type"))),
      cosmos: { ...parameters, ...(gasPrice === undefined ? {} : { gasPrice }) },
      nodes: toNodes(urls, options),
      explorers: toExplorers(
        reader.list("explorers").map((each) => (isRecord(each) ? { url: each.url, name: each.kind } : each))
      )
    }) as NetworkDefinition<Id, "cosmos", undefined, undefined, undefined>
  })
