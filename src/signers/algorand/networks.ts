/** What signing needs to know of the networks of the family, beside their rows. */
import { algorand } from "../../data/caip2.js"
import type { Network } from "../../data/Network.js"

/** The chain that signatures are for: the hash of its first state (Base64), and its name. */
export interface Genesis {
  readonly hash: string
  readonly id: string
}

const chains: Partial<Record<Network, Genesis>> = {
  "algorand-mainnet-algod": { hash: algorand["algorand-mainnet-algod"], id: "mainnet-v1.0" },
  "algorand-testnet-algod": { hash: algorand["algorand-testnet-algod"], id: "testnet-v1.0" }
}

export const genesisOf = (network: Network): Genesis | undefined => chains[network]
