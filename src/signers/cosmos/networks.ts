/** What signing needs for the networks of the family, besides their rows. */
import { cosmos } from "../../data/caip2.js"
import { findDefinedRow } from "../../data/definedNetworks.js"
import type { Network } from "../../data/Network.js"

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

export const chainOf = (network: string): Chain | undefined => {
  const own = findDefinedRow(network)?.cosmos
  return own === undefined
    ? chains[network]
    : {
        chainId: own.chainId,
        prefix: own.bech32Prefix,
        denom: own.denom,
        gasPrice: own.gasPrice ?? DEFAULT_GAS_PRICE
      }
}
