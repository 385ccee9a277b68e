/**
 * The routes of the provider's data API: the path of each in today's generation (`v4`) and in the one before it (`legacy`), and
 * the chains that it serves. Chains have the provider's names, which {@link idOfChain} takes to ids of the
 * network table. Types, services and the sandbox read this one table; a page that calls no service has nothing of it.
 *
 * The source of `v4` is the provider's description of April 2026. Legacy chains are those that the SDK has always asked for.
 *
 * @since 0.1.0
 */

/**
 * A route. A parameter that has another name in v4 is in `renamed`, one that v4 lacks in `lacking`.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataRoute {
  readonly v4: string
  readonly legacy?: string
  readonly chains: ReadonlyArray<string>
  readonly legacyChains?: ReadonlyArray<string>
  readonly renamed?: Readonly<Record<string, string>>
  readonly lacking?: ReadonlyArray<string>
}

/** EVM chains that almost every route serves. */
export const evm = [
  "ethereum-mainnet",
  "ethereum-sepolia",
  "base-mainnet",
  "base-sepolia",
  "arb-one-mainnet",
  "arb-testnet",
  "bsc-mainnet",
  "polygon-mainnet",
  "optimism-mainnet",
  "optimism-testnet",
  "berachain-mainnet",
  "unichain-mainnet",
  "unichain-sepolia",
  "monad-testnet",
  "celo-mainnet"
] as const

/** The chains of events and blocks, and of most questions about tokens. */
const tokens = [
  ...evm,
  "ethereum-holesky",
  "bsc-testnet",
  "monad-mainnet",
  "celo-testnet",
  "chiliz-mainnet"
] as const

const collections = [...evm, "ethereum-holesky", "bsc-testnet", "celo-testnet", "chiliz-mainnet"] as const

const legacyEvm = [
  "ethereum-mainnet",
  "ethereum-sepolia",
  "bsc-mainnet",
  "bsc-testnet",
  "polygon-mainnet",
  "polygon-amoy",
  "celo-mainnet",
  "celo-testnet",
  "eon-mainnet"
] as const

const legacy = [...legacyEvm, "tezos-mainnet", "tezos-testnet"] as const

/** Chains of Bitcoin's kind under the names of the network table. */
export const coins = [
  "bitcoin-mainnet",
  "bitcoin-testnet",
  "litecoin-mainnet",
  "litecoin-testnet",
  "doge-mainnet",
  "doge-testnet"
] as const

export const cardano = ["cardano-mainnet", "cardano-preprod"] as const

/**
 * The table of routes.
 *
 * @since 0.1.0
 * @category constants
 */
export const dataRoutes = {
  portfolio: {
    v4: "data/wallet/portfolio",
    legacy: "data/balances",
    // Moca Chain is in the provider's announcement, and not in its description
    chains: [
      ...tokens,
      "polygon-amoy",
      "solana-mainnet",
      "solana-devnet",
      "tezos-mainnet",
      "mocachain-devnet"
    ],
    legacyChains: legacy
  },
  history: {
    v4: "data/transaction/history",
    legacy: "data/transactions",
    chains: [...evm, "bsc-testnet", "polygon-amoy", "monad-mainnet", "chiliz-mainnet", "tezos-mainnet"],
    legacyChains: legacy,
    renamed: { tokenTypes: "transactionTypes", transactionSubTypes: "transactionSubtype" }
  },
  transactionsByHash: {
    v4: "data/transactions/hash",
    legacy: "data/transactions",
    chains: [...tokens, "tezos-mainnet"],
    legacyChains: legacy
  },
  events: {
    v4: "data/defi/events",
    legacy: "data/events",
    chains: tokens,
    legacyChains: legacyEvm,
    renamed: { contractAddress: "address", contractAddresses: "address" },
    lacking: ["signatures"]
  },
  blocks: {
    v4: "data/defi/blocks",
    legacy: "data/blocks",
    chains: tokens,
    legacyChains: [...legacyEvm, ...coins],
    renamed: { blockFrom: "from", blockTo: "to" },
    lacking: ["blockIds", "timeFrom", "timeTo", "pageSize", "offset"]
  },
  latestBlock: {
    v4: "data/defi/blocks/latest",
    legacy: "data/blocks/latest",
    chains: tokens,
    legacyChains: [...legacyEvm, ...coins]
  },
  collections: {
    v4: "data/collections",
    legacy: "data/collections",
    chains: [...collections, "tezos-mainnet"],
    legacyChains: legacy,
    renamed: { tokenAddress: "collectionAddresses" },
    lacking: ["tokenIds", "tokenTypes"]
  },
  metadata: {
    v4: "data/metadata",
    legacy: "data/metadata",
    chains: collections,
    legacyChains: legacy,
    renamed: { tokenIds: "tokenId" }
  },
  owners: {
    v4: "data/owners",
    legacy: "data/owners",
    chains: [...evm, "ethereum-holesky", "celo-testnet"],
    legacyChains: legacy
  },
  ownership: {
    v4: "data/owners/address",
    legacy: "data/owners/address",
    chains: tokens,
    legacyChains: legacy,
    renamed: { address: "ownerAddress" }
  },
  tokens: {
    v4: "data/tokens",
    legacy: "data/tokens",
    chains: [...tokens, "solana-mainnet", "solana-devnet", "tezos-mainnet"],
    legacyChains: legacy
  },
  utxos: {
    v4: "data/utxos",
    legacy: "data/utxos",
    // the short names come last: a network is asked for under its full one
    chains: [...coins, ...cardano, "bitcoin", "litecoin", "doge", "cardano"],
    legacyChains: [...coins, ...cardano]
  },
  utxoHistory: {
    v4: "data/blockchains/transaction/history/utxos",
    legacy: "{chain}/transaction/address/{address}",
    chains: [
      "bitcoin-mainnet",
      "bitcoin-testnet",
      "litecoin-mainnet",
      "litecoin-testnet",
      "dogecoin-mainnet",
      "dogecoin-testnet",
      ...cardano
    ],
    legacyChains: coins,
    lacking: ["pageSize", "offset", "blockFrom", "blockTo"]
  }
} as const satisfies Record<string, DataRoute>

/**
 * The name of a route in {@link dataRoutes}.
 *
 * @since 0.1.0
 * @category types
 */
export type DataRouteName = keyof typeof dataRoutes

/** Networks whose tokens the provider deploys by its own templates: of this route its description says nothing. */
export const deploymentNetworks = legacy

/** The provider's names for networks that have other ids here. */
const networkIds = {
  "arb-one-mainnet": "arbitrum-one-mainnet",
  "avax-mainnet": "avalanche-c-mainnet",
  "bch-mainnet": "bitcoin-cash-mainnet",
  bitcoin: "bitcoin-mainnet",
  cardano: "cardano-mainnet",
  "cro-mainnet": "cronos-mainnet",
  doge: "doge-mainnet",
  "dogecoin-mainnet": "doge-mainnet",
  "dogecoin-testnet": "doge-testnet",
  "klaytn-cypress": "klaytn-mainnet",
  litecoin: "litecoin-mainnet",
  "xdc-mainnet": "xinfin-mainnet"
} as const

type Ids = typeof networkIds

/** The id of the network that a name of the provider means. */
type IdOf<C extends string> = C extends keyof Ids ? Ids[C] : C

type ChainsOf<R extends DataRoute> =
  | R["chains"][number]
  | (R extends { readonly legacyChains: ReadonlyArray<infer C extends string> } ? C : never)

/**
 * The ids of the networks that a route serves, in either generation.
 *
 * @since 0.1.0
 * @category types
 */
export type Served<R extends DataRouteName | "deployments"> = R extends DataRouteName
  ? IdOf<ChainsOf<(typeof dataRoutes)[R]>>
  : (typeof deploymentNetworks)[number]

/**
 * The id of the network that a name of the provider means: `arbitrum-one-mainnet` of `arb-one-mainnet`. Other names are ids already.
 *
 * @since 0.1.0
 * @category conversions
 */
export const idOfChain = (name: string): string =>
  Object.hasOwn(networkIds, name) ? networkIds[name as keyof Ids] : name

/** The first of these chains that a text means: by an id, by the provider's name, or by the short name of a mainnet. */
export const findChain = (chains: ReadonlyArray<string>, text: string): string | undefined =>
  [text, `${text}-mainnet`]
    .map((name) => chains.find((chain) => idOfChain(chain) === idOfChain(name)))
    .find((chain) => chain !== undefined)

/**
 * A chain as the two generations of a route name it. One that does not serve it is left out.
 *
 * @since 0.1.0
 * @category models
 */
export interface DataChain {
  readonly v4?: string
  readonly legacy?: string
}

/**
 * The chain that a text means on a route, or undefined if the route does not serve it: the id of a network, the provider's name
 * for it, or the short name of a mainnet (`ethereum`).
 *
 * @since 0.1.0
 * @category getters
 */
export const findRouteChain = (route: DataRouteName, text: string): DataChain | undefined => {
  const { chains, legacyChains }: DataRoute = dataRoutes[route]
  const v4 = findChain(chains, text)
  const before = findChain(legacyChains ?? [], text)
  return v4 === undefined && before === undefined
    ? undefined
    : { ...(v4 === undefined ? {} : { v4 }), ...(before === undefined ? {} : { legacy: before }) }
}

/**
 * The ids of the networks that a route serves, in either generation or in the legacy one alone.
 *
 * @since 0.1.0
 * @category getters
 */
export const networksServedBy = (
  route: DataRouteName | "deployments",
  generation: "auto" | "v4" | "legacy" = "auto"
): ReadonlyArray<string> => {
  if (route === "deployments") return deploymentNetworks
  const { chains, legacyChains = [] }: DataRoute = dataRoutes[route]
  return [...new Set([...(generation === "legacy" ? [] : chains), ...legacyChains].map(idOfChain))]
}

/**
 * Whether a route serves a network, in either generation or in the legacy one alone. `defined` are the routes of today that the
 * network's definition names.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isServed = (
  route: DataRouteName | "deployments",
  network: string,
  generation?: "auto" | "v4" | "legacy",
  defined: ReadonlyArray<string> = []
): boolean =>
  networksServedBy(route, generation).includes(network) ||
  (generation !== "legacy" && defined.includes(route))
