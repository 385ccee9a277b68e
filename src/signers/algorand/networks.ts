/** What signing needs to know of the networks of the family, beside their rows. */
import { rowOfId } from "../../data/defined.js"
import type { Network } from "../../data/Network.js"

/** The chain that signatures are for: the hash of its first state (Base64), and its name. */
export interface Genesis {
  readonly hash: string
  readonly id: string
}

const chains: Readonly<Record<string, Genesis>> = {
  "algorand-mainnet-algod": { hash: "wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=", id: "mainnet-v1.0" },
  "algorand-testnet-algod": { hash: "SGO1GKSzyE7IEPItTxCByw9x8FmnrCDexi9/cOUJOiI=", id: "testnet-v1.0" }
} satisfies Partial<Record<Network, Genesis>>

export const genesisOf = (network: string): Genesis | undefined => {
  const own = rowOfId(network)?.algorand
  return own === undefined ? chains[network] : { hash: own.genesisHash, id: own.genesisId }
}
