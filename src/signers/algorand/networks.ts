/** What signing needs to know of the networks of the family, beside their rows. */
import type { Network } from "../../data/Network.js"

/** The chain that signatures are for: the hash of its first state (Base64), and its name. */
export interface Genesis {
  readonly hash: string
  readonly id: string
}

const chains: Partial<Record<Network, Genesis>> = {
  "algorand-mainnet-algod": { hash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=", id: "mainnet-v1.0" },
  "algorand-testnet-algod": { hash: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=", id: "testnet-v1.0" }
}

export const genesisOf = (network: Network): Genesis | undefined => chains[network]
