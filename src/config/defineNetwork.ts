/**
 * Defines networks that the SDK does not know. `defineNetwork` reports what is wrong at once.
 *
 * @since 0.1.0
 */
import type { ChainParameters } from "../data/ChainParameters.js"
import { chainIds } from "../data/chainIds.js"
import { type DataRouteName, dataRoutes } from "../data/dataRoutes.js"
import { type DefinedRow, ROW_KEY } from "../data/definedNetworks.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { ids } from "../data/ids.js"
import {
  type Currency,
  type Explorer,
  evmFamilies,
  type FamilyId,
  type NetworkDefinition,
  type ProvidedServices,
  type Rollup
} from "../data/Network.js"
import { allIds } from "../data/NetworkTable.js"
import type { NodeEntry } from "../data/Node.js"
import { type ConfigIssue, InvalidConfig } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import {
  byte,
  getParameterCheck,
  makeChainCheck,
  type NumberedFamily,
  type ParameterName,
  parameterByFamily,
  parameterNames,
  positiveSafeInteger,
  textMatching
} from "./chainParameters.js"
import {
  boolean,
  httpUrl,
  listOf,
  nodeList,
  type OptionCheck,
  oneOf,
  shape,
  shapeWithRequired,
  toIssues
} from "./optionChecks.js"

/** The options of every definition. */
interface CommonOptions<F extends FamilyId> {
  /** Small letters, digits and hyphens; not the id of a network that the SDK knows. */
  readonly id: string
  readonly family: F
  /** The native coin. */
  readonly currency: Currency
  /** The display name. Default: the id. */
  readonly name?: string
  /** Whether it is a test network. Default: false. */
  readonly testnet?: boolean
  /** The nodes of clients without `rpc.nodes`. */
  readonly nodes?: ReadonlyArray<NodeEntry>
  readonly explorers?: ReadonlyArray<Explorer>
  /** The provider's name of the network, in the path of its gateway and in its API. */
  readonly slug?: string
  /**
   * The provider's services for the network. They need `slug`. Default: those that need no data of the network.
   */
  readonly services?: ProvidedServices & { readonly data?: ReadonlyArray<DataRouteName> }
}

type EvmFamily = (typeof evmFamilies)[number]

/** The families whose chains are identified by parameters other than a chain id. */
type ParameterizedFamily = keyof typeof parameterByFamily

/** The field with parameters that a family requires. */
type RequiredParameter<F extends ParameterizedFamily> = Required<
  Pick<ChainParameters, (typeof parameterByFamily)[F]>
>

/**
 * The options of `defineNetwork`. EVM chains and Tron have a `chainId`. A rollup has `rollup` (`"op"` or
 * `"arbitrum"`): its receipts have the fields of that stack, and payments include the fee of the chain below. Other
 * families identify their chain by parameters in a field of their own. Nodes of another chain are never used.
 *
 * @since 0.1.0
 * @category models
 */
export type NetworkDefinitionOptions =
  | (CommonOptions<EvmFamily> & { readonly chainId: number; readonly rollup?: Rollup })
  | (CommonOptions<"tron"> & { readonly chainId: number })
  | { readonly [F in ParameterizedFamily]: CommonOptions<F> & RequiredParameter<F> }[ParameterizedFamily]

/**
 * The type of the definition that these options make.
 *
 * @since 0.1.0
 * @category types
 */
export type NetworkDefinitionOf<D extends NetworkDefinitionOptions> = NetworkDefinition<
  D["id"],
  D["family"],
  D extends { readonly chainId: infer C extends number } ? C : undefined,
  D extends { readonly rollup: infer R extends Rollup } ? R : undefined,
  D extends { readonly services: infer S extends ProvidedServices } ? S : undefined
>

/** The name of a family's field with parameters, if it has one. */
const getParameterName = (family: FamilyId): ParameterName | undefined => {
  const all: { readonly [F in Exclude<FamilyId, NumberedFamily>]?: ParameterName } = parameterByFamily
  return Object.hasOwn(all, family) ? all[family as ParameterizedFamily] : undefined
}

const evmFamilyIds: ReadonlyArray<string> = evmFamilies

// the keys of a record of families are families, which Object.keys does not say
const allFamilies = (Object.keys(ids) as ReadonlyArray<FamilyId>).filter(
  // without a way to identify its chain, a definition could get answers of another one
  (family) => evmFamilyIds.includes(family) || family === "tron" || getParameterName(family) !== undefined
)

/** Checks an id. Names such as `constructor` are refused, since every object has them. */
const networkId: OptionCheck = (value) =>
  typeof value !== "string" || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(value) || value.length > 64 || value in {}
    ? "must be at most 64 small letters, digits and hyphens, such as my-chain"
    : allIds.familyOf(value) === undefined
      ? undefined
      : "is a network of the table: give its id as `network`, and nodes of your own in `rpc.nodes`"

const explorer = shapeWithRequired(
  { url: httpUrl },
  { name: textMatching("a name of at most 100 characters", /^[^\p{Cc}]{1,100}$/u) }
)

const ledgerCode = textMatching("the provider's code of a ledger, such as ETH_BASE", /^[A-Z0-9_]{1,40}$/)

// the keys of this table are routes, which Object.keys does not say
const dataRouteNames = Object.keys(dataRoutes) as ReadonlyArray<DataRouteName>

/** The checks of fields that all definitions have. */
const commonChecks = {
  required: {
    id: networkId,
    family: oneOf(...allFamilies),
    currency: shapeWithRequired(
      {
        symbol: textMatching("a ticker of at most 20 characters without spaces", /^[^\s\p{Cc}]{1,20}$/u),
        decimals: byte
      },
      { name: textMatching("a name of at most 100 characters", /^[^\p{Cc}]{1,100}$/u) }
    )
  },
  optional: {
    name: textMatching("a name of at most 100 characters", /^[^\p{Cc}]{1,100}$/u),
    testnet: boolean,
    nodes: nodeList,
    explorers: listOf(explorer),
    slug: textMatching("the provider's name of a network, such as my-mainnet", /^[a-z0-9]+(-[a-z0-9]+)*$/),
    services: shape({
      data: listOf(oneOf(...dataRouteNames)),
      fee: (value) => (value === true ? undefined : "must be true, or left out"),
      notification: ledgerCode,
      code: ledgerCode
    })
  }
} satisfies Readonly<Record<string, Readonly<Record<string, OptionCheck>>>>

const chainId: OptionCheck = (value, path) => {
  const problem = positiveSafeInteger(value, path)
  if (problem !== undefined) return problem
  const known = chainIds[Number(value)]
  return known === undefined
    ? undefined
    : `is that of ${known}: give that id as \`network\`, and nodes of your own in \`rpc.nodes\``
}

const allParameterChecks = Object.fromEntries(parameterNames.map((name) => [name, getParameterCheck(name)]))

/** Finds all issues of a definition. */
const findProblems = (value: unknown): ReadonlyArray<ConfigIssue> => {
  const family = isRecord(value) ? value.family : undefined
  const own = allFamilies.find((each) => each === family)
  const parameter = own === undefined ? undefined : getParameterName(own)
  const isEvm = own !== undefined && evmFamilyIds.includes(own)
  const check = shapeWithRequired(
    {
      ...commonChecks.required,
      ...(isEvm || own === "tron" ? { chainId } : {}),
      ...(parameter === undefined ? {} : { [parameter]: getParameterCheck(parameter) })
    },
    {
      ...commonChecks.optional,
      ...(isEvm ? { rollup: oneOf("op", "arbitrum") } : {}),
      // an unknown family: any family's fields are allowed
      ...(own === undefined ? { chainId, rollup: oneOf("op", "arbitrum"), ...allParameterChecks } : {})
    }
  )
  const isUnnamed = isRecord(value) && value.services !== undefined && value.slug === undefined
  return [
    ...toIssues(check(value, ""), "definition"),
    ...(isUnnamed ? [{ path: "slug", message: "is missing: services know the network by it" }] : [])
  ].map((issue) => (issue.path === "" ? { ...issue, path: "definition" } : issue))
}

/** Makes a frozen copy of plain data, without undefined fields. */
const copyFrozen = (value: unknown): unknown =>
  Array.isArray(value)
    ? Object.freeze(value.map(copyFrozen))
    : isRecord(value)
      ? Object.freeze(
          Object.fromEntries(
            Object.entries(value).flatMap(([name, field]) =>
              field === undefined ? [] : [[name, copyFrozen(field)]]
            )
          )
        )
      : value

/** Converts data to text that does not depend on the order of fields. */
const toCanonicalText = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each
  )

/** The part of a definition that identifies its chain. Nodes, explorers and names may differ. */
const toIdentity = ({
  explorers: _e,
  name: _m,
  nodes: _n,
  services: _v,
  slug: _s,
  ...chain
}: NetworkDefinition): string => toCanonicalText(chain)

/** The request that asks a node for its chain, for chains without a chain id of EIP-155. */
const toNodeCheck = (definition: NetworkDefinition): Pick<DefinedRow, "check"> => {
  const parameter = getParameterName(definition.family)
  const check = parameter === undefined ? undefined : makeChainCheck(parameter, definition, definition.family)
  return check === undefined ? {} : { check }
}

/** The parameters of a definition. */
const pickParameters = (definition: NetworkDefinition): ChainParameters =>
  Object.fromEntries(
    Object.entries(definition).filter(([name]) => parameterNames.some((each) => each === name))
  )

/** Makes the row of a definition. */
const makeRow = (definition: NetworkDefinition): DefinedRow => {
  const identity = toIdentity(definition)
  const { chainId, currency, explorers, family, id, nodes, rollup, services = {}, slug, testnet } = definition
  const row: DefinedRow = {
    ...pickParameters(definition),
    id,
    family,
    currency: services.code ?? currency.symbol,
    symbol: currency.symbol,
    decimals: currency.decimals,
    explorers,
    ...(testnet ? { testnet } : {}),
    ...(chainId === undefined ? {} : { chainId }),
    ...(rollup === undefined ? {} : { rollup }),
    ...(nodes.length === 0 ? {} : { nodes }),
    ...(slug === undefined ? {} : { slug }),
    ...(services.data === undefined ? {} : { routes: services.data }),
    ...(services.fee === undefined ? {} : { fee: services.fee }),
    ...(services.notification === undefined ? {} : { notification: services.notification }),
    ...toNodeCheck(definition),
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

/** Makes a definition from checked options. */
const makeDefinition = (options: NetworkDefinitionOptions): NetworkDefinition => {
  // the mark that makes it a definition comes with its row
  const definition = {
    name: options.id,
    testnet: false,
    nodes: Object.freeze([]),
    explorers: Object.freeze([]),
    chainId: undefined,
    rollup: undefined,
    slug: undefined,
    services: undefined,
    ...options
  } as unknown as NetworkDefinition
  return Object.freeze(Object.defineProperty(definition, ROW_KEY, { value: makeRow(definition) }))
}

/**
 * Parses a definition from unknown data, such as a file. Throws `InvalidConfig` with all issues.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parseDefinition = (value: unknown): NetworkDefinition => {
  let problems: ReadonlyArray<ConfigIssue>
  try {
    // checks the copy that is kept: a getter may return another value the next time
    const copy = copyFrozen(value)
    problems = findProblems(copy)
    // it has passed the checks
    if (problems.length === 0) return makeDefinition(copy as NetworkDefinitionOptions)
  } catch {
    // a getter or a proxy of the caller's
    problems = [{ path: "definition", message: "cannot be read" }]
  }
  throw new InvalidConfig({ issues: problems })
}

/**
 * Defines a network that the SDK does not know. Use the result wherever `network` takes an id: clients, hooks,
 * signers, contracts and subscriptions are typed by it. Throws `InvalidConfig` for an invalid definition, and for the
 * id or chain id of a network that the SDK knows.
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
export const defineNetwork = <const D extends NetworkDefinitionOptions>(
  definition: OnThisEffect<D>
): NetworkDefinitionOf<D> =>
  // what the definition says is in its type
  parseDefinition(definition) as NetworkDefinitionOf<D>
