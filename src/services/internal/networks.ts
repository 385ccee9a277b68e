/** Networks as services know them: by the row that their client has, and by what the provider calls them. */
import * as Effect from "effect/Effect"
import { loadRows } from "../../chains/registry.js"
import { evmFamilies, type FamilyId, type Network, type NetworkInfo } from "../../data/Network.js"
import { allIds } from "../../data/NetworkTable.js"
import { networksByCode } from "../../data/notificationCodes.js"
import type { LoadError } from "../../data/SdkError.js"

const evm: ReadonlyArray<FamilyId> = evmFamilies

/** Whether it speaks Ethereum JSON-RPC as an EVM chain. */
export const isEvm = ({ family }: NetworkInfo): boolean => evm.includes(family)

const isNetwork = (id: string): id is Network => allIds.familyOf(id) !== undefined

/** The row of any network by its id, if there is one. */
export const loadNetworkInfo = (id: string): Effect.Effect<NetworkInfo | undefined, LoadError> => {
  const family = allIds.familyOf(id)
  return family === undefined
    ? Effect.succeed(undefined)
    : Effect.map(loadRows(family), (rows) => rows.find((row) => row.id === id))
}

/** Ids of the provider's notifications and data that differ from the SDK's. */
const networkIds: Readonly<Record<string, string>> = {
  "arb-one-mainnet": "arbitrum-one-mainnet",
  "avax-mainnet": "avalanche-c-mainnet",
  "bch-mainnet": "bitcoin-cash-mainnet",
  "cro-mainnet": "cronos-mainnet",
  "klaytn-cypress": "klaytn-mainnet",
  "litecoin-core-mainnet": "litecoin-mainnet",
  "litecoin-core-testnet": "litecoin-testnet"
}

/** The networks of chains, by codes and by ids. */
const networksByName: Readonly<Record<string, string>> = { ...networksByCode, ...networkIds }

/** The id under which the provider's notifications know a network. */
export const providerChainOf = (network: string): string =>
  Object.keys(networkIds).find((id) => networkIds[id] === network) ?? network

/**
 * The network of a chain in the provider's notifications: a code (`ETH`) of a mainnet or its default testnet, or an id
 * (`ethereum-sepolia`). Undefined for chains that the table does not know.
 */
export const networkOfChain = (chain: string, testnet = false): Network | undefined => {
  const known = Object.hasOwn(networksByName, chain) ? networksByName[chain] : chain
  const [first = "", second = first] = known?.split(" ") ?? []
  const id = testnet ? second : first
  return isNetwork(id) ? id : undefined
}
