/** What signing needs for the networks of the family, besides their rows. */

import type { CosmosParameters } from "../../data/ChainParameters.js"
import { cosmos } from "../../data/caip2.js"
import { findDefinedRow } from "../../data/definedNetworks.js"
import type { Network, NetworkDefinition } from "../../data/Network.js"

export interface Chain {
  /** The chain id in signatures, which makes them invalid on other chains. */
  readonly chainId: string
  /** The text before addresses of accounts. */
  readonly prefix: string
  /** The smallest unit of the chain's coin. */
  readonly denom: string
  /** The gas price, in the smallest unit, of chains without a fee market: the one that the chain's directory recommends. */
  readonly gasPrice: string
}

const chains: Readonly<Record<string, Chain>> = {
  "cosmos-mainnet": { chainId: cosmos["cosmos-mainnet"], prefix: "cosmos", denom: "uatom", gasPrice: "0.025" }
} satisfies Partial<Record<Network, Chain>>

/** The price of gas of the Cosmos Hub, which most chains have taken over. */
const DEFAULT_GAS_PRICE = "0.025"

const definedChain = ({ bech32Prefix, chainId, denom, gasPrice }: CosmosParameters): Chain => ({
  chainId,
  prefix: bech32Prefix,
  denom,
  gasPrice: gasPrice ?? DEFAULT_GAS_PRICE
})

/** The chain of a network by its id or its definition. */
export const chainOf = (network: string | NetworkDefinition): Chain | undefined => {
  const defined = typeof network === "string" ? findDefinedRow(network) : network
  if (defined?.cosmos !== undefined) return definedChain(defined.cosmos)
  return typeof network === "string" ? chains[network] : undefined
}
