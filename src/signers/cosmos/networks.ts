/** What signing needs to know of the networks of the family, beside their rows. */
import { cosmos } from "../../data/caip2.js"
import type { Network } from "../../data/Network.js"

export interface Chain {
  /** What stands in signatures: one for another chain is none here. */
  readonly chainId: string
  /** The text before addresses of accounts. */
  readonly prefix: string
  /** The smallest unit of the chain's coin. */
  readonly denom: string
  /** The price of gas where the chain has no market for it: what its directory recommends, in the smallest unit. */
  readonly gasPrice: string
}

const chains: Partial<Record<Network, Chain>> = {
  "cosmos-mainnet": { chainId: cosmos["cosmos-mainnet"], prefix: "cosmos", denom: "uatom", gasPrice: "0.025" }
}

export const chainOf = (network: Network): Chain | undefined => chains[network]
