/** Networks as services know them: by the row that their client has, and by what the provider calls them. */
import * as Effect from "effect/Effect"
import { loadRows } from "../../chains/registry.js"
import { evmFamilies, type Family, type Network, type NetworkInfo } from "../../data/Network.js"
import { allIds } from "../../data/NetworkTable.js"
import { networksByCode } from "../../data/notificationCodes.js"
import type { LoadError } from "../../data/SdkError.js"

const evm: ReadonlyArray<Family> = evmFamilies

/** Whether it speaks Ethereum JSON-RPC as an EVM chain. */
export const isEvm = ({ family }: NetworkInfo): boolean => evm.includes(family)

const isNetwork = (id: string): id is Network => allIds.familyOf(id) !== undefined

/** The row of a network that need not be the client's own, if there is one of this id. */
export const loadNetworkInfo = (id: string): Effect.Effect<NetworkInfo | undefined, LoadError> => {
  const family = allIds.familyOf(id)
  return family === undefined
    ? Effect.succeed(undefined)
    : Effect.map(loadRows(family), (rows) => rows.find((row) => row.id === id))
}

/** Ids of the provider's notifications and data that differ from those of our table. */
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
 * The network of a chain, as the provider's notifications name it: by a code (`ETH`), which stands for the mainnet or for
 * its default testnet, or by an id (`ethereum-sepolia`). Nothing for a chain that the table does not know.
 */
export const networkOfChain = (chain: string, testnet = false): Network | undefined => {
  const known = Object.hasOwn(networksByName, chain) ? networksByName[chain] : chain
  const [first = "", second = first] = known?.split(" ") ?? []
  const id = testnet ? second : first
  return isNetwork(id) ? id : undefined
}
