/** What signing needs for the networks of the family, besides their rows. */
import { algorand } from "../../data/caip2.js"
import { findDefinedRow } from "../../data/definedNetworks.js"
import type { Network } from "../../data/Network.js"

/** The chain that signatures are for: the hash of its first state (Base64), and its name. */
export interface Genesis {
  readonly hash: string
  readonly id: string
}

const genesisByNetwork: Readonly<Record<string, Genesis>> = {
  "algorand-mainnet-algod": { hash: algorand["algorand-mainnet-algod"], id: "mainnet-v1.0" },
  "algorand-testnet-algod": { hash: algorand["algorand-testnet-algod"], id: "testnet-v1.0" }
} satisfies Partial<Record<Network, Genesis>>

export const genesisOf = (network: string): Genesis | undefined => {
  const own = findDefinedRow(network)?.algorand
  return own === undefined ? genesisByNetwork[network] : { hash: own.genesisHash, id: own.genesisId }
}
