/** What signing needs to know of the networks of the family, beside their rows. */
import { cosmos } from "../../data/caip2.js"
import { findDefinedRow } from "../../data/definedNetworks.js"
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
