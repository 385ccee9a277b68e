/**
 * The other names of networks: those of the provider and ids by CAIP-2, which are taken as ids, and those of the field, in which a wrong id is looked
 * up. They are apart from the rows, and loaded where an id is unknown: clients with a right one have nothing of them.
 */
import { caip2IdsOf, networksWith } from "./caip2Table.js"
import type { NetworkInfo } from "./Network.js"
import { findNearestId } from "./nearest.js"
import * as constants from "./rows.js"

interface Names {
  /** Names of the provider's hosts and node lists, where they are not the id. */
  readonly provider?: string
  /** Tickers, short names of chain lists (EIP-3770), names in other libraries. With `-mainnet` behind it, each is one of a mainnet, too. */
  readonly field?: string
}

// biome-ignore format: one line per network
export const names: Readonly<Record<string, Names>> = {
  "abstract-mainnet": { field: "abstract abs" },
  "algorand-mainnet-algod": { field: "algo algorand algorand-mainnet algod" },
  "algorand-testnet-algod": { field: "algorand-testnet algo-testnet" },
  "aptos-mainnet": { field: "apt aptos" },
  "arb-nova-mainnet": { field: "arbitrum-nova nova" },
  "arb-testnet": { provider: "arbitrum-one-sepolia", field: "arbitrum-sepolia arb-sepolia arb1-sepolia arbitrum-testnet" },
  "arbitrum-one-mainnet": { provider: "arb-one-mainnet", field: "arb arb1 arbitrum arb-one arbitrum-one arbone" },
  "avalanche-c-mainnet": { provider: "avax-mainnet", field: "avax avalanche avax-c avaxc c-chain cchain avalanche-c-chain" },
  "avax-testnet": { field: "fuji avalanche-fuji avalanche-testnet avax-fuji" },
  "base-mainnet": { field: "base" },
  "base-sepolia": { field: "base-testnet basesep" },
  "bch-testnet": { field: "bitcoin-cash-testnet tbch" },
  "berachain-mainnet": { field: "bera berachain" },
  "bitcoin-cash-mainnet": { provider: "bch-mainnet", field: "bch bitcoincash bitcoin-cash" },
  "bitcoin-mainnet": { field: "btc bitcoin xbt" },
  "bitcoin-testnet": { field: "tbtc btc-testnet bitcoin-testnet3 testnet3" },
  "bitcoin-testnet4": { field: "btc-testnet4 testnet4" },
  "bsc-mainnet": { field: "bnb bsc binance binance-smart-chain bnb-smart-chain bnb-chain bnbchain bep20 smartchain" },
  "bsc-testnet": { field: "bnb-testnet bnbt chapel" },
  "cardano-mainnet": { field: "ada cardano" },
  "cardano-preprod": { field: "preprod ada-preprod cardano-testnet" },
  "casper-mainnet": { field: "cspr casper" },
  "celo-mainnet": { field: "celo" },
  "celo-sepolia": { field: "celo-sep" },
  "celo-testnet": { field: "alfajores celo-alfajores" },
  "chiliz-mainnet": { field: "chz chiliz" },
  "cosmos-mainnet": { field: "atom cosmos cosmoshub cosmoshub-4 cosmos-hub" },
  "cro-testnet": { field: "tcro cronos-testnet" },
  "cronos-mainnet": { provider: "cro-mainnet", field: "cro cronos" },
  "doge-mainnet": { provider: "dogecoin-mainnet", field: "doge dogecoin" },
  "doge-testnet": { provider: "dogecoin-testnet" },
  "dot-mainnet": { provider: "polkadot-mainnet", field: "dot polkadot" },
  "dot-testnet": { provider: "polkadot-westend", field: "westend wnd polkadot-testnet" },
  "egld-mainnet": { field: "egld multiversx elrond" },
  "egld-testnet": { field: "multiversx-testnet elrond-testnet" },
  "eon-mainnet": { provider: "horizen-eon-mainnet", field: "eon horizen-eon" },
  "eos-mainnet": { field: "eos vaulta" },
  "eos-testnet": { provider: "eos-jungle", field: "jungle jungle4 vaulta-testnet" },
  "ethereum-classic-mainnet": { field: "etc ethereum-classic" },
  "ethereum-classic-testnet": { field: "mordor etc-testnet etc-mordor" },
  "ethereum-holesky": { field: "holesky eth-holesky hol" },
  "ethereum-hoodi": { field: "hoodi eth-hoodi" },
  "ethereum-mainnet": { field: "eth ether ethereum mainnet homestead erc20 ethereum-beacon" },
  "ethereum-sepolia": { field: "sepolia eth-sepolia sep eth-testnet ethereum-testnet" },
  "fantom-mainnet": { field: "ftm fantom opera" },
  "fantom-testnet": { field: "ftm-testnet tftm" },
  "flare-coston": { field: "coston" },
  "flare-coston2": { field: "coston2" },
  "flare-mainnet": { field: "flr flare" },
  "flare-songbird": { field: "sgb songbird" },
  "flow-mainnet": { field: "flow" },
  "gno-mainnet": { field: "gno gnosis xdai gnosis-chain gnosischain" },
  "gno-testnet": { field: "chiado gnosis-chiado gnosis-testnet" },
  "haqq-mainnet": { field: "islm haqq" },
  "hedera-mainnet-mirror": { field: "hbar hedera hedera-mainnet hashgraph" },
  "hedera-previewnet-mirror": { field: "hedera-previewnet previewnet" },
  "hedera-testnet-mirror": { field: "hedera-testnet hbar-testnet" },
  "horizen-eon-gobi": { field: "gobi eon-gobi" },
  "hyperevm-mainnet": { field: "hype hyperevm hyperliquid hyper-evm" },
  "kadena-mainnet": { field: "kda kadena" },
  "kaia-kairos": { field: "kairos kaia-testnet" },
  "kaia-mainnet": { field: "kaia" },
  "kcs-mainnet": { field: "kcs kcc kucoin" },
  "klaytn-baobab": { field: "baobab klay-baobab" },
  "klaytn-mainnet": { field: "klay klaytn cypress" },
  "lisk-mainnet": { field: "lsk lisk" },
  "lisk-sepolia": { provider: "lisk-testnet", field: "lsk-sepolia" },
  "litecoin-mainnet": { field: "ltc litecoin" },
  "litecoin-testnet": { field: "tltc ltc-testnet" },
  "mocachain-devnet": { field: "moca mocachain" },
  "monad-mainnet": { field: "mon monad" },
  "monad-testnet": { field: "mon-testnet" },
  "moonbase-alpha": { field: "moonbase mbase" },
  "moonbeam-mainnet": { field: "glmr moonbeam mbeam" },
  "moonriver-mainnet": { field: "movr moonriver mriver" },
  "near-mainnet": { field: "near near-protocol" },
  "oasis-mainnet": { field: "rose oasis emerald oasis-emerald" },
  "one-mainnet-s0": { field: "one harmony harmony-one one-mainnet" },
  "one-testnet-s0": { field: "one-testnet harmony-testnet" },
  "optimism-mainnet": { field: "op optimism oeth op-mainnet opt" },
  "optimism-testnet": { field: "op-sepolia optimism-sepolia op-testnet opsep" },
  "palm-mainnet": { field: "palm" },
  "plasma-mainnet": { field: "xpl plasma" },
  "plume-mainnet": { field: "plume" },
  "polygon-amoy": { field: "amoy matic-amoy polygon-testnet matic-testnet" },
  "polygon-mainnet": { field: "matic pol polygon polygon-pos" },
  "ripple-mainnet": { field: "xrp xrpl ripple xrp-ledger" },
  "ripple-testnet": { field: "xrp-testnet xrpl-testnet" },
  "robinhood-mainnet": { field: "robinhood robinhoodchain robinhood-chain" },
  "ronin-mainnet": { field: "ron ronin axie" },
  "ronin-saigon": { field: "saigon ronin-testnet" },
  "rsk-mainnet": { field: "rsk rbtc rootstock" },
  "rsk-testnet": { field: "rootstock-testnet trsk" },
  "solana-devnet": { field: "sol-devnet" },
  "solana-mainnet": { field: "sol solana mainnet-beta solana-mainnet-beta solana-beta" },
  "sonic-blaze": { field: "blaze sonic-testnet" },
  "sonic-mainnet": { field: "sonic s" },
  "stellar-mainnet": { field: "xlm stellar pubnet stellar-pubnet stellar-public" },
  "stellar-testnet": { field: "xlm-testnet" },
  "sui-mainnet": { field: "sui" },
  "tezos-mainnet": { field: "xtz tezos tez" },
  "tezos-testnet": { provider: "tezos-shadownet", field: "xtz-testnet tezos-ghostnet ghostnet" },
  "ton-mainnet": { field: "ton toncoin the-open-network" },
  "tron-mainnet": { field: "trx tron trc20" },
  "tron-nile": { field: "nile trx-nile" },
  "tron-testnet": { field: "shasta tron-shasta trx-testnet" },
  "unichain-mainnet": { field: "unichain" },
  "vechain-mainnet": { field: "vet vechain" },
  "xdc-testnet": { field: "apothem xdc-apothem xinfin-testnet" },
  "xinfin-mainnet": { provider: "xdc-mainnet", field: "xdc xinfin" },
  "xlayer-mainnet": { field: "okb xlayer x-layer" },
  "zcash-mainnet": { field: "zec zcash" },
  "zilliqa-mainnet": { field: "zil zilliqa" },
  "zksync-mainnet": { field: "zks zksync zksync-era era zksync-era-mainnet" },
  "zksync-testnet": { field: "zksync-sepolia zksync-era-sepolia zksync-sepolia-testnet" }
}

const splitNames = (text = ""): ReadonlyArray<string> => text.split(" ").filter((name) => name !== "")

// the table of networks itself has to stay where bundlers can leave it out
const rows: Readonly<Record<string, NetworkInfo>> = Object.fromEntries(
  Object.values(constants).map((row) => [row.id, row])
)

/** The network that has a name in one of its lists. */
const findByName = (
  kind: keyof Names,
  isNamed: (id: string, list: ReadonlyArray<string>) => boolean
): string | undefined => Object.entries(names).find(([id, each]) => isNamed(id, splitNames(each[kind])))?.[0]

/** The network of a chain id, as a number or hexadecimal, also of Tron's in the namespace of others: of several, one that lives. */
const findByChainId = (id: string): string | undefined => {
  const [, number] = /^(?:eip155:)?(0x[0-9a-f]+|\d+)$/.exec(id) ?? []
  const found = Object.keys(rows).filter(
    (each) => number !== undefined && rows[each]?.chainId === Number(number)
  )
  return found.find((each) => rows[each]?.status === undefined) ?? found[0]
}

/**
 * The network that a text which is no id was meant to be: one that the provider or CAIP-2 calls so (`isAlias`), else one that is called
 * so in the field, has this chain id, or an id that is near.
 */
export const findMeantNetwork = (
  text: string
): { readonly network: string; readonly isAlias: boolean } | undefined => {
  const [chain] = networksWith(caip2IdsOf(rows), text)
  if (chain !== undefined) return { network: chain, isAlias: true }
  const name = text
    .slice(0, 100)
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-")
  const alias = findByName("provider", (_, list) => list.includes(name))
  if (alias !== undefined) return { network: alias, isAlias: name === text }
  const ofMainnet = name.replace(/-mainnet$/, "")
  const network =
    findByChainId(name) ??
    findByName(
      "field",
      (id, list) => list.includes(name) || (rows[id]?.testnet !== true && list.includes(ofMainnet))
    ) ??
    findNearestId(text, Object.keys(rows))
  return network === undefined ? undefined : { network, isAlias: false }
}
