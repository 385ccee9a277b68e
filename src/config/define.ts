/**
 * Networks of the application's own: what is wrong with a definition is said when it is made.
 *
 * @since 0.1.0
 */
import type {
  AlgorandParameters,
  ChainParameters,
  CosmosParameters,
  SolanaParameters,
  StellarParameters,
  TezosParameters,
  UtxoParameters
} from "../data/ChainParameters.js"
import { chainIds } from "../data/chainIds.js"
import { type DefinedRow, ROW } from "../data/defined.js"
import { isRecord } from "../data/foreign.js"
import { ids } from "../data/ids.js"
import {
  type ChainCheck,
  type Currency,
  type Explorer,
  evmFamilies,
  type Family,
  type NetworkDefinition,
  type Rollup
} from "../data/Network.js"
import { allIds } from "../data/NetworkTable.js"
import type { NodeEntry } from "../data/Node.js"
import { type ConfigIssue, InvalidConfig, kindOf } from "../data/SdkError.js"
import { boolean, type Check, count, httpUrl, list, nodeList, oneOf, shape } from "./Config.js"

/** What every definition says. */
interface Common<F extends Family> {
  /** Small letters, digits and hyphens: no id of the table of networks. */
  readonly id: string
  readonly family: F
  /** The native coin. */
  readonly currency: Currency
  /** The name for people. Default: the id. */
  readonly name?: string
  /** Whether its coins have no price. Default: false. */
  readonly testnet?: boolean
  /** The nodes of clients whose configuration has none. */
  readonly nodes?: ReadonlyArray<NodeEntry>
  readonly explorers?: ReadonlyArray<Explorer>
  /** The provider's name of the network in the path of its gateway, for clients without nodes of their own. */
  readonly slug?: string
}

type EvmFamily = (typeof evmFamilies)[number]

/** The parameters that a family asks for. */
interface Needed {
  readonly cosmos: { readonly cosmos: CosmosParameters }
  readonly utxo: { readonly utxo: UtxoParameters }
  readonly "utxo-estimatefee": { readonly utxo: UtxoParameters }
  readonly doge: { readonly utxo: UtxoParameters }
  readonly solana: { readonly solana: SolanaParameters }
  readonly stellar: { readonly stellar: StellarParameters }
  readonly tezos: { readonly tezos: TezosParameters }
  readonly "algorand-algod": { readonly algorand: AlgorandParameters }
}

/**
 * What a definition is made of. EVM chains have a `chainId`, and rollups a `rollup` (`"op"` or `"arbitrum"`), by which receipts have the
 * fields of their stack and payments count the fee of the chain below. Other families have their parameters under their name: `cosmos`,
 * `utxo`, `solana`, `stellar`, `tezos`, `algorand`.
 *
 * @since 0.1.0
 * @category models
 */
export type NetworkDefinitionOptions =
  | (Common<EvmFamily> & { readonly chainId: number; readonly rollup?: Rollup })
  | { readonly [F in keyof Needed]: Common<F> & Needed[F] }[keyof Needed]
  | (Common<"tron"> & { readonly chainId?: number })
  | Common<Exclude<Family, EvmFamily | "tron" | keyof Needed>>

/**
 * The definition that is made of options: with their id, family, chain id and stack in its type.
 *
 * @since 0.1.0
 * @category types
 */
export type DefinedBy<D extends NetworkDefinitionOptions> = NetworkDefinition<
  D["id"],
  D["family"],
  D extends { readonly chainId: infer C extends number } ? C : undefined,
  D extends { readonly rollup: infer R extends Rollup } ? R : undefined
>

const text =
  (what: string, pattern: RegExp): Check =>
  (value) =>
    typeof value === "string" && pattern.test(value) ? undefined : `must be ${what}`

const byte: Check = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255
    ? undefined
    : `must be a whole number from 0 to 255, not ${kindOf(value)}`

const positive: Check = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0
    ? undefined
    : `must be a safe integer above 0, not ${kindOf(value)}`

const hash = text("the 64 hexadecimal digits of a block's hash", /^[0-9a-f]{64}$/i)
const base58 = (what: string) => text(what, /^[1-9A-HJ-NP-Za-km-z]{32,60}$/)

/** A check of an object whose fields have to be there, but for those of `optional`. */
const complete =
  (required: Readonly<Record<string, Check>>, optional: Readonly<Record<string, Check>> = {}): Check =>
  (value, path) => {
    const found = shape({ ...required, ...optional })(value, path)
    return isRecord(value)
      ? [
          ...Object.keys(required).flatMap((name) =>
            value[name] === undefined
              ? [{ path: path === "" ? name : `${path}.${name}`, message: "is missing" }]
              : []
          ),
          ...found
        ]
      : found
  }

const parameters = {
  cosmos: complete(
    {
      chainId: text("the chain's id, such as osmosis-1", /^[!-~]{1,50}$/),
      bech32Prefix: text("a prefix of small letters and digits", /^[a-z][a-z0-9]{0,82}$/),
      denom: text("a denomination of 3 to 128 characters", /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/)
    },
    { gasPrice: text('a decimal number as text, such as "0.025"', /^\d{1,20}(\.\d{1,18})?$/) }
  ),
  utxo: complete(
    { genesisHash: hash, pubKeyHash: byte, scriptHash: byte, wif: byte },
    {
      bech32: text("a prefix of small letters and digits", /^[a-z][a-z0-9]{0,82}$/),
      coinType: count,
      dustRate: positive,
      relayFee: positive,
      messagePrefix: text("a text of at most 100 characters", /^[\x20-\x7e\n]{1,100}$/)
    }
  ),
  solana: complete({ genesisHash: base58("a hash as base58 text") }),
  stellar: complete({ passphrase: text("a text of at most 200 characters", /^[\x20-\x7e]{1,200}$/) }),
  tezos: complete({
    chainId: text("the chain's id: Net and 12 characters of base58", /^Net[1-9A-HJ-NP-Za-km-z]{12}$/)
  }),
  algorand: complete({
    genesisHash: text("a hash of 32 bytes as Base64", /^[A-Za-z0-9+/]{43}=$/),
    genesisId: text("the name of the first state", /^[!-~]{1,64}$/)
  })
} satisfies Readonly<Record<string, Check>>

type Parameter = keyof typeof parameters

/** The parameters that a family needs. */
const needed: { readonly [F in Family]?: Parameter } & { readonly [F in keyof Needed]: Parameter } = {
  cosmos: "cosmos",
  utxo: "utxo",
  "utxo-estimatefee": "utxo",
  doge: "utxo",
  solana: "solana",
  stellar: "stellar",
  tezos: "tezos",
  "algorand-algod": "algorand"
}

const evm: ReadonlyArray<string> = evmFamilies

// the keys of a record of families are families, which Object.keys does not say
const families = Object.keys(ids) as ReadonlyArray<Family>

/** The problem of an id. Names of members of all objects would be found in every table. */
const id: Check = (value) =>
  typeof value !== "string" || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) || value.length > 64 || value in {}
    ? "must be at most 64 small letters, digits and hyphens, such as my-chain"
    : allIds.familyOf(value) === undefined
      ? undefined
      : "is a network of the table: give its id as `network`, and nodes of your own in `rpc.nodes`"

const explorer = complete(
  { url: httpUrl },
  { name: text("a name of at most 100 characters", /^[^\p{Cc}]{1,100}$/u) }
)

/** The fields that all definitions have, with their checks. */
const common = {
  required: {
    id,
    family: oneOf(...families),
    currency: complete(
      {
        symbol: text("a ticker of at most 20 characters without spaces", /^[^\s\p{Cc}]{1,20}$/u),
        decimals: byte
      },
      { name: text("a name of at most 100 characters", /^[^\p{Cc}]{1,100}$/u) }
    )
  },
  optional: {
    name: text("a name of at most 100 characters", /^[^\p{Cc}]{1,100}$/u),
    testnet: boolean,
    nodes: nodeList,
    explorers: list((value, path) => asIssues(explorer(value, path), path)),
    slug: text("the provider's name of a network, such as my-mainnet", /^[a-z0-9]+(-[a-z0-9]+)*$/)
  }
} satisfies Readonly<Record<string, Readonly<Record<string, Check>>>>

const asIssues = (found: ReturnType<Check>, path: string): ReadonlyArray<ConfigIssue> =>
  found === undefined ? [] : typeof found === "string" ? [{ path, message: found }] : found

const chainId: Check = (value, path) => {
  const problem = positive(value, path)
  if (problem !== undefined) return problem
  const known = chainIds[Number(value)]
  return known === undefined
    ? undefined
    : `is that of ${known}: give that id as \`network\`, and nodes of your own in \`rpc.nodes\``
}

/** All that is wrong with a definition. */
const problemsOf = (value: unknown): ReadonlyArray<ConfigIssue> => {
  const family = isRecord(value) ? value.family : undefined
  const own = families.find((each) => each === family)
  const parameter = own === undefined ? undefined : needed[own]
  const isEvm = own !== undefined && evm.includes(own)
  const check = complete(
    {
      ...common.required,
      ...(isEvm ? { chainId } : {}),
      ...(parameter === undefined ? {} : { [parameter]: parameters[parameter] })
    },
    {
      ...common.optional,
      ...(isEvm ? { rollup: oneOf("op", "arbitrum") } : {}),
      ...(own === "tron" ? { chainId } : {}),
      // the family is wrong: what it would need is not known
      ...(own === undefined ? { chainId, rollup: oneOf("op", "arbitrum"), ...parameters } : {})
    }
  )
  return asIssues(check(value, ""), "definition").map((issue) =>
    issue.path === "" ? { ...issue, path: "definition" } : issue
  )
}

/** A copy of plain data that nobody can change. Fields that are undefined are left out. */
const frozen = (value: unknown): unknown =>
  Array.isArray(value)
    ? Object.freeze(value.map(frozen))
    : isRecord(value)
      ? Object.freeze(
          Object.fromEntries(
            Object.entries(value).flatMap(([name, field]) =>
              field === undefined ? [] : [[name, frozen(field)]]
            )
          )
        )
      : value

/** Text that is equal for equal data, in whatever order its fields are. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each
  )

/** What a definition is, in so far as it tells its chain from others: its nodes, explorers and names may change. */
const identityOf = ({ explorers: _e, name: _m, nodes: _n, slug: _s, ...chain }: NetworkDefinition): string =>
  canonical(chain)

const memberOf = (answer: unknown, ...names: ReadonlyArray<string>): unknown =>
  names.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), answer)

/** A question whose answer has the text that stands for the chain. */
const question = (
  { body, path = "" }: { readonly body?: unknown; readonly path?: string },
  expected: string,
  ...names: ReadonlyArray<string>
): { readonly check: ChainCheck } => ({
  check: {
    verb: body === undefined ? "GET" : "POST",
    path,
    body,
    expected,
    matches: (answer) => {
      const said = memberOf(answer, ...names)
      return typeof said === "string" ? said === expected : undefined
    }
  }
})

const call = (method: string, ...params: ReadonlyArray<unknown>) => ({
  body: { jsonrpc: "2.0", id: 1, method, params }
})

/** How nodes of chains that have no chain id are asked for their chain. */
const checkOf = ({ algorand, cosmos, solana, stellar, tezos, utxo }: NetworkDefinition) => {
  if (cosmos !== undefined)
    return question(
      { path: "/cosmos/base/tendermint/v1beta1/node_info" },
      cosmos.chainId,
      "default_node_info",
      "network"
    )
  if (utxo !== undefined) return question(call("getblockhash", 0), utxo.genesisHash.toLowerCase(), "result")
  if (solana !== undefined) return question(call("getGenesisHash"), solana.genesisHash, "result")
  if (stellar !== undefined) return question({ path: "/" }, stellar.passphrase, "network_passphrase")
  if (algorand !== undefined)
    return question({ path: "/v2/transactions/params" }, algorand.genesisHash, "genesis-hash")
  return tezos === undefined ? {} : question({ path: "/chains/main/chain_id" }, tezos.chainId)
}

/** The parameters that a definition has. */
const parametersOf = (definition: NetworkDefinition): ChainParameters =>
  Object.fromEntries(Object.entries(definition).filter(([name]) => Object.hasOwn(parameters, name)))

/** The row of a definition. */
const rowOf = (definition: NetworkDefinition): DefinedRow => {
  const identity = identityOf(definition)
  const { chainId, currency, explorers, family, id, nodes, rollup, slug, testnet } = definition
  const row: DefinedRow = {
    ...parametersOf(definition),
    id,
    family,
    currency: currency.symbol,
    symbol: currency.symbol,
    decimals: currency.decimals,
    explorers,
    ...(testnet ? { testnet } : {}),
    ...(chainId === undefined ? {} : { chainId }),
    ...(rollup === undefined ? {} : { rollup }),
    ...(nodes.length === 0 ? {} : { nodes }),
    ...(slug === undefined ? {} : { slug }),
    ...checkOf(definition),
    identity,
    claim: (rows, given) => {
      if (given === undefined && nodes.length === 0 && slug === undefined)
        return [
          {
            path: "rpc.nodes",
            message: `is missing: ${id} is a network of your own, so give nodes here or in its definition, or the provider's name of it as \`slug\` there`
          }
        ]
      const known = rows.get(id)
      if (known !== undefined && known.identity !== identity)
        return [{ path: "network", message: `is another definition of ${id} than the one that is in use` }]
      rows.set(id, row)
      return []
    }
  }
  return Object.freeze(row)
}

/** A definition of data that has been checked. */
const made = (options: NetworkDefinitionOptions): NetworkDefinition => {
  // the mark that makes it a definition comes with its row
  const definition = {
    name: options.id,
    testnet: false,
    nodes: Object.freeze([]),
    explorers: Object.freeze([]),
    chainId: undefined,
    rollup: undefined,
    slug: undefined,
    ...options
  } as unknown as NetworkDefinition
  return Object.freeze(Object.defineProperty(definition, ROW, { value: rowOf(definition) }))
}

/**
 * The definition that data of others makes, a file for example. Throws `InvalidConfig` with all that is wrong.
 *
 * @since 0.1.0
 * @category constructors
 */
export const definitionOf = (value: unknown): NetworkDefinition => {
  let problems: ReadonlyArray<ConfigIssue>
  try {
    // what is checked is what is kept: a getter may say something else the next time
    const copy = frozen(value)
    problems = problemsOf(copy)
    // it has passed the checks
    if (problems.length === 0) return made(copy as NetworkDefinitionOptions)
  } catch {
    // a getter or a proxy of the caller's
    problems = [{ path: "definition", message: "cannot be read" }]
  }
  throw new InvalidConfig({ issues: problems })
}

/**
 * Defines a network that the table does not have. What it returns stands wherever `network` takes an id: clients of all surfaces, hooks,
 * signers, contracts and subscriptions are typed by it as by the networks of the table. Throws `InvalidConfig` for a definition that is
 * wrong, for an id of the table, and for the chain id of a network of the table.
 *
 * ```ts
 * const zora = defineNetwork({
 *   id: "zora-mainnet",
 *   family: "evm",
 *   chainId: 7777777,
 *   currency: { symbol: "ETH", decimals: 18 },
 *   rollup: "op",
 *   nodes: [{ url: "https://rpc.zora.energy" }]
 * })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const defineNetwork = <const D extends NetworkDefinitionOptions>(definition: D): DefinedBy<D> =>
  // what the definition says is in its type
  definitionOf(definition) as DefinedBy<D>
