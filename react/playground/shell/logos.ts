import type { Network } from "../../../src/data/Network.js"

/**
 * The names of logos in the icon set, by the beginning of a network's name; the first that fits counts. Networks without a row have
 * no logo there (Haqq, Palm, Moca), or one that is white alone (Casper, EOS).
 */
const logoRows: ReadonlyArray<readonly [beginning: string, logo: string]> = [
  ["algorand", "algorand"],
  ["aptos", "aptos"],
  ["arb-nova", "arbitrum-nova"],
  ["arb", "arbitrum-one"],
  ["aurora", "aurora"],
  ["ava", "avalanche"],
  ["base", "base"],
  ["bch", "bch"],
  ["berachain", "berachain"],
  ["bitcoin-cash", "bch"],
  ["bitcoin", "bitcoin"],
  ["bnb", "bnb"],
  ["bsc", "binance-smart-chain"],
  ["cardano", "cardano"],
  ["celo", "celo"],
  ["chiliz", "chiliz"],
  ["cosmos", "cosmos"],
  ["cro", "cronos"],
  ["doge", "doge"],
  ["dot", "polkadot"],
  ["egld", "multiversx"],
  ["eon", "zen"],
  ["ethereum-classic", "ethereum-classic"],
  ["ethereum", "ethereum"],
  ["fantom", "fantom"],
  ["flare-songbird", "songbird"],
  ["flare", "flare"],
  ["flow", "flow"],
  ["gno", "gnosis"],
  ["hedera", "hedera-hashgraph"],
  ["horizen", "zen"],
  ["iota", "iota"],
  ["kadena", "kda"],
  ["kaia", "kaia"],
  ["kcs", "kucoin"],
  ["klaytn", "klay"],
  ["lisk", "lisk"],
  ["litecoin", "litecoin"],
  ["monad", "monad"],
  ["near", "near-protocol"],
  ["oasis", "rose"],
  ["one", "harmony"],
  ["optimism", "optimism"],
  ["polygon", "polygon"],
  ["ripple", "xrp"],
  ["ronin", "ronin"],
  ["rsk", "rootstock"],
  ["solana", "solana"],
  ["sonic", "sonic"],
  ["stellar", "xlm"],
  ["sui", "sui"],
  ["tezos", "xtz"],
  ["ton", "ton"],
  ["tron", "tron"],
  ["unichain", "unichain"],
  ["vechain", "vet"],
  ["xdc", "xdc"],
  ["xinfin", "xdc"],
  ["zcash", "zec"],
  ["zilliqa", "zilliqa"],
  ["zksync", "zksync"]
]

/** All logos that the page may ask for. */
export const logos: ReadonlySet<string> = new Set(logoRows.map(([, logo]) => logo))

/** The name of a network's logo, if there is one. */
export const logoOf = (network: Network): string | undefined =>
  logoRows.find(([beginning]) => network.startsWith(beginning))?.[1]
