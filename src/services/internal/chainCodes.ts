import * as Network from "../../data/Network.js"

/** Ids of the provider's notifications and data that differ from those of our table. */
const others: Readonly<Record<string, Network.Network>> = {
  "arb-one-mainnet": "arbitrum-one-mainnet",
  "avax-mainnet": "avalanche-c-mainnet",
  "bch-mainnet": "bitcoin-cash-mainnet",
  "cro-mainnet": "cronos-mainnet",
  "klaytn-cypress": "klaytn-mainnet",
  "litecoin-core-mainnet": "litecoin-mainnet",
  "litecoin-core-testnet": "litecoin-testnet"
}

const rows = Object.keys(Network.networks).filter(Network.isNetwork)

/**
 * The network of a chain, as the provider's notifications name it: by a code (`ETH`), which stands for the mainnet or for
 * its default testnet, or by an id (`ethereum-sepolia`). Nothing for a chain that the table does not know.
 */
export const networkOfChain = (chain: string, testnet = false): Network.Network | undefined => {
  if (Network.isNetwork(chain)) return chain
  if (Object.hasOwn(others, chain)) return others[chain]
  const named = rows.filter((network) => Network.info(network).notification === chain)
  const kind = named.filter((network) => Network.isTestnet(network) === testnet)
  const chosen = kind.length > 0 ? kind : named
  return chosen.find((network) => !Network.isAlternateTestnet(network)) ?? chosen[0]
}
