/**
 * The networks: one table, one line each. Everything that differs from network to network is a column of it, and
 * every predicate reads a column: a new network is one new line. Behind the line stand the name of its constant in
 * `effect-chains/networks`, and an addition to its docs.
 *
 * Two columns deviate from the provider's data. `symbol` and `decimals` are those of the chain: Stellar's
 * decimals are 7, because one lumen is 10^7 stroops. The provider's own value stands in `asset`.
 *
 * @since 0.1.0
 */
import type { ChainParameters } from "./ChainParameters.js"
import type { NodeEntry } from "./Node.js"
import { findNearestId } from "./nearest.js"

/** A column that is left out is false, or has the default that stands beside it. */
interface Columns {
  /** The provider's ledger code, as its API takes it: neither a ticker nor unique (`BSC`, `ETH_ARB`). */
  readonly currency: string
  /** The ticker of the native coin. Polygon keeps `MATIC`. */
  readonly symbol: string
  /** The provider's name of the native coin. Default: `symbol`. */
  readonly asset?: string
  /** Digits after the point of the native coin: one coin is 10^decimals of the smallest unit. */
  readonly decimals: number
  /** The provider counts it as a testnet, and its API goes by that. */
  readonly testnet?: true
  /** Whether the coin has a price, where `testnet` says the opposite. Default: not `testnet`. */
  readonly realMoney?: boolean
  /** The mainnet that the provider means by `currency` alone. */
  readonly defaultMainnet?: true
  /** The testnet that the provider means by `currency` alone. */
  readonly defaultTestnet?: true
  /** The EIP-155 chain id, a safe integer that may exceed 32 bits. Default: none. */
  readonly chainId?: number
  /** The provider publishes a list of nodes for it; otherwise calls go through the gateway. */
  readonly loadBalanced?: true
  /** Calls about the past go to archive nodes. */
  readonly archive?: true
  /** The code in the `chain` attribute of a subscription. Default: no subscriptions. */
  readonly notification?: string
  /** The provider estimates fees. */
  readonly fee?: true
  /** The name in the url of the node list. Default: the id. */
  readonly list?: string
  /** Url of the public node that serves the network, where neither the provider's lists nor its gateway do. */
  readonly node?: string
  /** Url of the network's nodes at the public provider, where they have a host of their own. Default: they are at its API, by the id. */
  readonly gateway?: string
  /** No host of the provider is known for it: a client needs nodes of its own. */
  readonly ownNodes?: true
  /** The state of the network. Default: live. */
  readonly status?: "sunset" | "renamed" | "protocol-changed" | "sunset-announced" | "deprecated"
}

/**
 * The table of networks, by id.
 *
 * @since 0.1.0
 * @category getters
 */
// biome-ignore format: one line per network
export const networks = {
  "algorand-mainnet-algod": { family: "algorand-algod", currency: "ALGO", symbol: "ALGO", decimals: 6, defaultMainnet: true, loadBalanced: true },
  "algorand-mainnet-indexer": { family: "algorand-indexer", currency: "ALGO", symbol: "ALGO", decimals: 6, loadBalanced: true },
  "arb-nova-mainnet": { family: "evm", currency: "ETH_ARB", symbol: "ETH", asset: "ARB", decimals: 18, defaultMainnet: true, chainId: 42170 },
  "arbitrum-one-mainnet": { family: "evm", currency: "ETH_ARB", symbol: "ETH", asset: "ARB", decimals: 18, chainId: 42161, loadBalanced: true, notification: "ETH_ARB" },
  "aurora-mainnet": { family: "evm", currency: "AURORA", symbol: "ETH", asset: "AURA", decimals: 18, chainId: 1313161554 },
  "avalanche-c-mainnet": { family: "evm", currency: "AVAX", symbol: "AVAX", decimals: 18, defaultMainnet: true, chainId: 43114, loadBalanced: true, notification: "AVAX" },
  "avax-p-mainnet": { family: "avalanche-p", currency: "AVAX", symbol: "AVAX", decimals: 9 },
  "avax-x-mainnet": { family: "avalanche-x", currency: "AVAX", symbol: "AVAX", decimals: 9 },
  "base-mainnet": { family: "evm", currency: "ETH_BASE", symbol: "ETH", asset: "BASE", decimals: 18, chainId: 8453, loadBalanced: true, notification: "ETH_BASE" },
  "bsc-mainnet": { family: "evm", currency: "BSC", symbol: "BNB", decimals: 18, defaultMainnet: true, chainId: 56, loadBalanced: true, notification: "BSC" },
  "bitcoin-mainnet": { family: "utxo", currency: "BTC", symbol: "BTC", decimals: 8, loadBalanced: true, notification: "BTC", fee: true },
  "bitcoin-cash-mainnet": { family: "utxo-estimatefee", currency: "BCH", symbol: "BCH", decimals: 8, loadBalanced: true, notification: "BCH" },
  "cardano-mainnet": { family: "cardano", currency: "ADA", symbol: "ADA", decimals: 6, defaultMainnet: true, loadBalanced: true },
  "cosmos-mainnet": { family: "cosmos", currency: "ATOM", symbol: "ATOM", decimals: 6, defaultMainnet: true, loadBalanced: true },
  "celo-mainnet": { family: "evm", currency: "CELO", symbol: "CELO", decimals: 18, chainId: 42220, loadBalanced: true, notification: "CELO" },
  "cronos-mainnet": { family: "evm", currency: "CRO", symbol: "CRO", decimals: 18, defaultMainnet: true, chainId: 25, loadBalanced: true, notification: "CRO" },
  "doge-mainnet": { family: "doge", currency: "DOGE", symbol: "DOGE", decimals: 8, loadBalanced: true, notification: "DOGE", fee: true, list: "dogecoin-mainnet" },
  "eos-mainnet": { family: "eos", currency: "EOS", symbol: "EOS", decimals: 4, defaultMainnet: true, loadBalanced: true, status: "renamed" },
  "eon-mainnet": { family: "evm", currency: "ZEN", symbol: "ZEN", asset: "EON", decimals: 18, chainId: 7332, loadBalanced: true, notification: "EON", list: "horizen-eon-mainnet", status: "sunset" },
  "chiliz-mainnet": { family: "evm", currency: "CHZ", symbol: "CHZ", asset: "CHILIZ", decimals: 18, chainId: 88888, loadBalanced: true, archive: true, notification: "CHZ" },
  "ethereum-mainnet": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, defaultMainnet: true, chainId: 1, loadBalanced: true, archive: true, notification: "ETH", fee: true },
  "ethereum-classic-mainnet": { family: "evm", currency: "ETC", symbol: "ETC", decimals: 18, defaultMainnet: true, chainId: 61, loadBalanced: true },
  "fantom-mainnet": { family: "evm", currency: "FTM", symbol: "FTM", decimals: 18, chainId: 250, loadBalanced: true, notification: "FTM" },
  "flare-mainnet": { family: "evm", currency: "FLR", symbol: "FLR", asset: "FLARE", decimals: 18, defaultMainnet: true, chainId: 14, loadBalanced: true, notification: "FLR" },
  "flow-mainnet": { family: "flow", currency: "FLOW", symbol: "FLOW", decimals: 8 },
  "gno-mainnet": { family: "evm", currency: "GNO", symbol: "XDAI", asset: "GNO", decimals: 18, chainId: 100 },
  "haqq-mainnet": { family: "evm", currency: "ISLM", symbol: "ISLM", asset: "HAQQ", decimals: 18, chainId: 11235, loadBalanced: true, archive: true },
  "one-mainnet-s0": { family: "evm", currency: "ONE", symbol: "ONE", decimals: 18, chainId: 1666600000, status: "sunset" },
  "iota-mainnet": { family: "iota", currency: "IOTA", symbol: "IOTA", decimals: 6, defaultMainnet: true, loadBalanced: true, status: "protocol-changed" },
  "kadena-mainnet": { family: "kadena", currency: "KADENA", symbol: "KDA", asset: "KADENA", decimals: 12, defaultMainnet: true, loadBalanced: true, status: "sunset" },
  "klaytn-mainnet": { family: "evm-native", currency: "KLAY", symbol: "KAIA", asset: "KLAY", decimals: 18, defaultMainnet: true, chainId: 8217, loadBalanced: true, archive: true, notification: "KLAY", status: "renamed" },
  "kcs-mainnet": { family: "evm", currency: "KCS", symbol: "KCS", decimals: 18, chainId: 321 },
  "litecoin-mainnet": { family: "utxo", currency: "LTC", symbol: "LTC", decimals: 8, loadBalanced: true, notification: "LTC", fee: true },
  "egld-mainnet": { family: "multiversx", currency: "EGLD", symbol: "EGLD", decimals: 18 },
  "near-mainnet": { family: "near", currency: "NEAR", symbol: "NEAR", decimals: 24 },
  "oasis-mainnet": { family: "evm", currency: "XOS", symbol: "ROSE", decimals: 18, chainId: 42262 },
  "optimism-mainnet": { family: "evm", currency: "ETH_OP", symbol: "ETH", asset: "OPT", decimals: 18, defaultMainnet: true, chainId: 10, loadBalanced: true, notification: "ETH_OP" },
  "palm-mainnet": { family: "evm", currency: "PALM", symbol: "PALM", decimals: 18, chainId: 11297108109 },
  "polygon-mainnet": { family: "evm", currency: "MATIC", symbol: "MATIC", decimals: 18, defaultMainnet: true, chainId: 137, loadBalanced: true, archive: true, notification: "MATIC" },
  "dot-mainnet": { family: "polkadot", currency: "DOT", symbol: "DOT", decimals: 10 },
  "bch-mainnet-rostrum": { family: "rostrum", currency: "BCH", symbol: "BCH", decimals: 8, loadBalanced: true },
  "rsk-mainnet": { family: "evm", currency: "RSK", symbol: "RBTC", decimals: 18, chainId: 30 },
  "solana-mainnet": { family: "solana", currency: "SOL", symbol: "SOL", decimals: 9, defaultMainnet: true, loadBalanced: true, archive: true, notification: "SOL" },
  "stellar-mainnet": { family: "stellar", currency: "XLM", symbol: "XLM", decimals: 7, loadBalanced: true },
  "tezos-mainnet": { family: "tezos", currency: "TEZOS", symbol: "XTZ", decimals: 6, defaultMainnet: true, loadBalanced: true, notification: "TEZOS" },
  "tron-mainnet": { family: "tron", currency: "TRON", symbol: "TRX", decimals: 6, chainId: 728126428, loadBalanced: true, notification: "TRON" },
  "vechain-mainnet": { family: "evm", currency: "VET", symbol: "VET", decimals: 18, chainId: 100009 },
  "xinfin-mainnet": { family: "evm", currency: "XDC", symbol: "XDC", decimals: 18, chainId: 50, loadBalanced: true },
  "ripple-mainnet": { family: "xrp", currency: "XRP", symbol: "XRP", decimals: 6, loadBalanced: true, notification: "XRP" },
  "zcash-mainnet": { family: "utxo", currency: "ZCASH", symbol: "ZEC", decimals: 8, loadBalanced: true },
  "zilliqa-mainnet": { family: "zilliqa", currency: "ZIL", symbol: "ZIL", decimals: 12 },
  "bitcoin-mainnet-electrs": { family: "electrs", currency: "BTC", symbol: "BTC", decimals: 8, loadBalanced: true },
  "casper-mainnet": { family: "casper", currency: "CSPR", symbol: "CSPR", asset: "CASPER", decimals: 9, loadBalanced: true },
  "ton-mainnet": { family: "ton", currency: "TON", symbol: "TON", decimals: 9 },
  "zksync-mainnet": { family: "zksync", currency: "ZKS", symbol: "ETH", asset: "ZKS", decimals: 18, chainId: 324, loadBalanced: true },
  "abstract-mainnet": { family: "zksync", currency: "ETH_ABSTRACT", symbol: "ETH", decimals: 18, chainId: 2741, gateway: "https://abstract-mainnet.gateway.tatum.io" },
  "ronin-mainnet": { family: "evm", currency: "RON", symbol: "RON", decimals: 18, chainId: 2020 },
  "sonic-mainnet": { family: "evm", currency: "S", symbol: "S", asset: "SONIC", decimals: 18, chainId: 146 },
  "kaia-mainnet": { family: "evm", currency: "KAIA", symbol: "KAIA", decimals: 18, chainId: 8217 },
  "berachain-mainnet": { family: "evm", currency: "BERA", symbol: "BERA", decimals: 18, defaultMainnet: true, chainId: 80094, notification: "BERA" },
  "unichain-mainnet": { family: "evm", currency: "ETH_UNI", symbol: "ETH", asset: "UNI", decimals: 18, defaultMainnet: true, chainId: 130, notification: "ETH_UNI" },
  "lisk-mainnet": { family: "evm", currency: "ETH_LISK", symbol: "ETH", asset: "LISK", decimals: 18, defaultMainnet: true, chainId: 1135, status: "sunset-announced" },
  "algorand-testnet-algod": { family: "algorand-algod", currency: "ALGO", symbol: "ALGO", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true },
  "algorand-testnet-indexer": { family: "algorand-indexer", currency: "ALGO", symbol: "ALGO", decimals: 6, testnet: true, loadBalanced: true },
  "arb-testnet": { family: "evm", currency: "ETH_ARB", symbol: "ETH", asset: "ARB", decimals: 18, testnet: true, defaultTestnet: true, chainId: 421614 },
  "aurora-testnet": { family: "evm", currency: "AURORA", symbol: "ETH", asset: "AURA", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1313161555 },
  "avax-testnet": { family: "evm", currency: "AVAX", symbol: "AVAX", decimals: 18, testnet: true, defaultTestnet: true, chainId: 43113, notification: "AVAX" },
  "avax-p-testnet": { family: "avalanche-p", currency: "AVAX", symbol: "AVAX", decimals: 9, testnet: true },
  "avax-x-testnet": { family: "avalanche-x", currency: "AVAX", symbol: "AVAX", decimals: 9, testnet: true },
  "base-sepolia": { family: "evm", currency: "ETH_BASE", symbol: "ETH", asset: "BASE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 84532, notification: "ETH_BASE" },
  "bsc-testnet": { family: "evm", currency: "BSC", symbol: "BNB", decimals: 18, testnet: true, defaultTestnet: true, chainId: 97, notification: "BSC" },
  "bitcoin-testnet": { family: "utxo", currency: "BTC", symbol: "BTC", decimals: 8, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "BTC", fee: true },
  "bitcoin-testnet4": { family: "utxo", currency: "BTC", symbol: "BTC", decimals: 8, testnet: true, notification: "BTC", fee: true },
  "bch-testnet": { family: "utxo-estimatefee", currency: "BCH", symbol: "BCH", decimals: 8, testnet: true, defaultTestnet: true, notification: "BCH" },
  "cardano-preprod": { family: "cardano", currency: "ADA", symbol: "ADA", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true },
  "celo-testnet": { family: "evm", currency: "CELO", symbol: "CELO", decimals: 18, testnet: true, defaultTestnet: true, chainId: 44787, loadBalanced: true, notification: "CELO", status: "sunset" },
  "cro-testnet": { family: "evm", currency: "CRO", symbol: "CRO", decimals: 18, testnet: true, defaultTestnet: true, chainId: 338 },
  "doge-testnet": { family: "doge", currency: "DOGE", symbol: "DOGE", decimals: 8, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "DOGE", fee: true, list: "dogecoin-testnet" },
  "ethereum-sepolia": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, testnet: true, defaultTestnet: true, chainId: 11155111, loadBalanced: true, archive: true, notification: "ETH", fee: true },
  "ethereum-holesky": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, testnet: true, chainId: 17000, loadBalanced: true, archive: true, notification: "ETH", status: "sunset" },
  "ethereum-hoodi": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, testnet: true, chainId: 560048, loadBalanced: true, archive: true, notification: "ETH" },
  "ethereum-classic-testnet": { family: "evm", currency: "ETC", symbol: "ETC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 63, loadBalanced: true },
  "eos-testnet": { family: "eos", currency: "EOS", symbol: "EOS", decimals: 4, testnet: true, defaultTestnet: true },
  "fantom-testnet": { family: "evm", currency: "FTM", symbol: "FTM", decimals: 18, testnet: true, defaultTestnet: true, chainId: 4002, notification: "FTM" },
  "flare-coston": { family: "evm", currency: "SGB", symbol: "CFLR", asset: "FLARE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 16, loadBalanced: true, notification: "FLR" },
  "flare-coston2": { family: "evm", currency: "FLR", symbol: "C2FLR", asset: "FLARE", decimals: 18, testnet: true, chainId: 114, loadBalanced: true, notification: "FLR" },
  "flare-songbird": { family: "evm", currency: "SGB", symbol: "SGB", asset: "FLARE", decimals: 18, testnet: true, realMoney: true, chainId: 19, loadBalanced: true, notification: "FLR" },
  "flow-testnet": { family: "flow", currency: "FLOW", symbol: "FLOW", decimals: 8, testnet: true, defaultTestnet: true },
  "gno-testnet": { family: "evm", currency: "GNO", symbol: "XDAI", asset: "GNO", decimals: 18, testnet: true, chainId: 10200 },
  "haqq-testnet": { family: "evm", currency: "ISLM", symbol: "ISLM", asset: "HAQQ", decimals: 18, testnet: true, defaultTestnet: true, chainId: 54211, loadBalanced: true, archive: true },
  "one-testnet-s0": { family: "evm", currency: "ONE", symbol: "ONE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1666700000, status: "sunset" },
  "horizen-eon-gobi": { family: "evm", currency: "ZEN", symbol: "ZEN", asset: "EON", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1663, loadBalanced: true, status: "sunset" },
  "kadena-testnet": { family: "kadena", currency: "KADENA", symbol: "KDA", asset: "KADENA", decimals: 12, testnet: true, defaultTestnet: true, loadBalanced: true, status: "sunset" },
  "klaytn-baobab": { family: "evm-native", currency: "KLAY", symbol: "KAIA", asset: "KLAY", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1001, loadBalanced: true, archive: true, notification: "KLAY", status: "renamed" },
  "kcs-testnet": { family: "evm", currency: "KCS", symbol: "KCS", decimals: 18, testnet: true, chainId: 322 },
  "litecoin-testnet": { family: "utxo", currency: "LTC", symbol: "LTC", decimals: 8, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "LTC", fee: true },
  "egld-testnet": { family: "multiversx", currency: "EGLD", symbol: "EGLD", decimals: 18, testnet: true },
  "near-testnet": { family: "near", currency: "NEAR", symbol: "NEAR", decimals: 24, testnet: true, defaultTestnet: true },
  "oasis-testnet": { family: "evm", currency: "XOS", symbol: "ROSE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 42261 },
  "optimism-testnet": { family: "evm", currency: "ETH_OP", symbol: "ETH", asset: "OPT", decimals: 18, testnet: true, defaultTestnet: true, chainId: 11155420, loadBalanced: true, notification: "ETH_OP" },
  "palm-testnet": { family: "evm", currency: "PALM", symbol: "PALM", decimals: 18, testnet: true, defaultTestnet: true, chainId: 11297108099 },
  "polygon-amoy": { family: "evm", currency: "MATIC", symbol: "MATIC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 80002, loadBalanced: true, archive: true, notification: "MATIC" },
  "dot-testnet": { family: "polkadot", currency: "DOT", symbol: "WND", asset: "DOT", decimals: 12, testnet: true },
  "rsk-testnet": { family: "evm", currency: "RSK", symbol: "RBTC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 31 },
  "solana-devnet": { family: "solana", currency: "SOL", symbol: "SOL", decimals: 9, testnet: true, defaultTestnet: true, loadBalanced: true, archive: true, notification: "SOL" },
  "stellar-testnet": { family: "stellar", currency: "XLM", symbol: "XLM", decimals: 7, testnet: true, defaultTestnet: true },
  "tezos-testnet": { family: "tezos", currency: "TEZOS", symbol: "XTZ", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true, status: "sunset" },
  "tron-testnet": { family: "tron", currency: "TRON", symbol: "TRX", decimals: 6, testnet: true, defaultTestnet: true, chainId: 2494104990, notification: "TRON", node: "https://api.shasta.trongrid.io/jsonrpc" },
  "vechain-testnet": { family: "evm", currency: "VET", symbol: "VET", decimals: 18, testnet: true, defaultTestnet: true, chainId: 100010 },
  "xdc-testnet": { family: "evm", currency: "XDC", symbol: "XDC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 51 },
  "ripple-testnet": { family: "xrp", currency: "XRP", symbol: "XRP", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "XRP" },
  "zcash-testnet": { family: "utxo", currency: "ZCASH", symbol: "ZEC", decimals: 8, testnet: true, defaultTestnet: true },
  "zilliqa-testnet": { family: "zilliqa", currency: "ZIL", symbol: "ZIL", decimals: 12, testnet: true, defaultTestnet: true },
  "iota-testnet": { family: "iota", currency: "IOTA", symbol: "IOTA", decimals: 6, testnet: true, defaultTestnet: true, status: "protocol-changed" },
  "bitcoin-testnet-electrs": { family: "electrs", currency: "BTC", symbol: "BTC", decimals: 8, testnet: true, loadBalanced: true },
  "bch-testnet-rostrum": { family: "rostrum", currency: "BCH", symbol: "BCH", decimals: 8, testnet: true, loadBalanced: true },
  "ton-testnet": { family: "ton", currency: "TON", symbol: "TON", decimals: 9, testnet: true },
  "zksync-testnet": { family: "zksync", currency: "ZKS", symbol: "ETH", asset: "ZKS", decimals: 18, testnet: true, chainId: 300, loadBalanced: true },
  "ronin-saigon": { family: "evm", currency: "RON", symbol: "RON", decimals: 18, testnet: true, chainId: 202601 },
  "sonic-blaze": { family: "evm", currency: "S", symbol: "S", asset: "SONIC", decimals: 18, testnet: true, chainId: 57054, status: "deprecated" },
  "kaia-kairos": { family: "evm", currency: "KAIA", symbol: "KAIA", decimals: 18, testnet: true, chainId: 1001 },
  "unichain-sepolia": { family: "evm", currency: "ETH_UNI", symbol: "ETH", asset: "UNI", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1301 },
  "monad-testnet": { family: "evm", currency: "MON", symbol: "MON", decimals: 18, testnet: true, defaultTestnet: true, chainId: 10143, notification: "MON" },
  "mocachain-devnet": { family: "evm", currency: "MOCA", symbol: "MOCA", decimals: 18, realMoney: false, defaultMainnet: true, chainId: 5151, notification: "MOCA" },
  "lisk-sepolia": { family: "evm", currency: "ETH_LISK", symbol: "ETH", asset: "LISK", decimals: 18, testnet: true, defaultTestnet: true, chainId: 4202 },
  "monad-mainnet": { family: "evm", currency: "MON", symbol: "MON", decimals: 18, chainId: 143, gateway: "https://monad-mainnet.gateway.tatum.io" },
  "hyperevm-mainnet": { family: "evm", currency: "HYPE", symbol: "HYPE", decimals: 18, chainId: 999, gateway: "https://hyperevm-mainnet.gateway.tatum.io" },
  "plasma-mainnet": { family: "evm", currency: "XPL", symbol: "XPL", decimals: 18, chainId: 9745, gateway: "https://plasma-mainnet.gateway.tatum.io" },
  "xlayer-mainnet": { family: "evm", currency: "OKB", symbol: "OKB", decimals: 18, chainId: 196, ownNodes: true },
  "plume-mainnet": { family: "evm", currency: "PLUME", symbol: "PLUME", decimals: 18, chainId: 98866, gateway: "https://plume-mainnet.gateway.tatum.io" },
  "robinhood-mainnet": { family: "evm", currency: "ETH_ROBINHOOD", symbol: "ETH", decimals: 18, chainId: 4663, ownNodes: true },
  "moonbeam-mainnet": { family: "evm", currency: "GLMR", symbol: "GLMR", decimals: 18, chainId: 1284, ownNodes: true },
  "moonriver-mainnet": { family: "evm", currency: "MOVR", symbol: "MOVR", decimals: 18, chainId: 1285, ownNodes: true },
  "moonbase-alpha": { family: "evm", currency: "GLMR", symbol: "DEV", decimals: 18, testnet: true, chainId: 1287, ownNodes: true },
  "celo-sepolia": { family: "evm", currency: "CELO", symbol: "CELO", decimals: 18, testnet: true, chainId: 11142220, gateway: "https://celo-sepolia.gateway.tatum.io" },
  "tron-nile": { family: "tron", currency: "TRON", symbol: "TRX", decimals: 6, testnet: true, chainId: 3448148188, gateway: "https://tron-nile.gateway.tatum.io/jsonrpc" },
  "sui-mainnet": { family: "sui", currency: "SUI", symbol: "SUI", decimals: 9, gateway: "https://sui-mainnet.gateway.tatum.io" },
  "sui-testnet": { family: "sui", currency: "SUI", symbol: "SUI", decimals: 9, testnet: true, gateway: "https://sui-testnet.gateway.tatum.io" },
  "sui-devnet": { family: "sui", currency: "SUI", symbol: "SUI", decimals: 9, testnet: true, gateway: "https://sui-devnet.gateway.tatum.io" },
  "aptos-mainnet": { family: "aptos", currency: "APT", symbol: "APT", decimals: 8, ownNodes: true },
  "aptos-testnet": { family: "aptos", currency: "APT", symbol: "APT", decimals: 8, testnet: true, ownNodes: true },
  "aptos-devnet": { family: "aptos", currency: "APT", symbol: "APT", decimals: 8, testnet: true, ownNodes: true },
  "hedera-mainnet-mirror": { family: "hedera-mirror", currency: "HBAR", symbol: "HBAR", decimals: 8, ownNodes: true },
  "hedera-testnet-mirror": { family: "hedera-mirror", currency: "HBAR", symbol: "HBAR", decimals: 8, testnet: true, ownNodes: true },
  "hedera-previewnet-mirror": { family: "hedera-mirror", currency: "HBAR", symbol: "HBAR", decimals: 8, testnet: true, ownNodes: true },
  "bnb-beacon-chain-mainnet": { family: "bnb", currency: "BNB", symbol: "BNB", decimals: 8, defaultMainnet: true, loadBalanced: true, status: "sunset" }
} as const satisfies Record<string, Columns & { readonly family: string }>

/**
 * The stack of each EVM network that is a rollup: its receipts and blocks have fields of their own. Only types read it, so
 * that no application carries it.
 *
 * @since 0.1.0
 * @category types
 */
export interface RollupStacks {
  readonly "arb-nova-mainnet": "arbitrum"
  readonly "arbitrum-one-mainnet": "arbitrum"
  readonly "base-mainnet": "op"
  readonly "celo-mainnet": "op"
  readonly "optimism-mainnet": "op"
  readonly "unichain-mainnet": "op"
  readonly "lisk-mainnet": "op"
  readonly "arb-testnet": "arbitrum"
  readonly "base-sepolia": "op"
  readonly "celo-testnet": "op"
  readonly "optimism-testnet": "op"
  readonly "unichain-sepolia": "op"
  readonly "lisk-sepolia": "op"
  readonly "celo-sepolia": "op"
  readonly "plume-mainnet": "arbitrum"
  readonly "robinhood-mainnet": "arbitrum"
}

/**
 * The id of a network.
 *
 * @since 0.1.0
 * @category models
 */
export type Network = keyof typeof networks

/**
 * The protocol of a network, which decides its client, its endpoints and its probe. `evm-beacon` is `evm` with the routes
 * of the consensus layer, and `evm-native` has a second prefix (`klay_`). These are the families of the lines above; the
 * registry of families does not compile where it lacks one of them.
 *
 * @since 0.1.0
 * @category models
 */
export type FamilyId = (typeof networks)[Network]["family"]

/**
 * The stack of an EVM network that is a rollup.
 *
 * @since 0.1.0
 * @category models
 */
export type Rollup = RollupStacks[keyof RollupStacks]

/**
 * The question that tells which chain a node serves.
 *
 * @since 0.1.0
 * @category models
 */
export interface ChainCheck {
  readonly verb: "GET" | "POST"
  /** The rest of the url, after the node's. */
  readonly path: string
  readonly body: unknown
  /** What the chain is called in the answer, or in words. Default: its chain id. Without either, all nodes are trusted. */
  readonly expected?: (network: NetworkInfo) => string | number | undefined
  /** The chain that the answer names. `undefined`: the node does not say. */
  readonly chainIn: (answer: unknown) => string | undefined
  /** Whether a chain is the expected one. Default: it is called so. */
  readonly isExpected?: (chain: string, network: NetworkInfo) => boolean
  /** What is asked in place of it where a node has no such route (404, 405 or 501): it may be another program of the same chain. */
  readonly fallback?: ChainCheck
}

/**
 * The columns that definitions alone have.
 *
 * @since 0.1.0
 * @category models
 */
export interface DefinedColumns extends ChainParameters {
  /** The stack of a rollup. */
  readonly rollup?: Rollup
  /** The provider's name of the network in the path of its gateway. Default: the id. */
  readonly slug?: string
  /** The routes of the data API that serve it. */
  readonly routes?: ReadonlyArray<string>
  /** The nodes of a client whose configuration has none. */
  readonly nodes?: ReadonlyArray<NodeEntry>
  /** How its nodes are asked for their chain, where the family does not say it. */
  readonly check?: ChainCheck
  /** The explorers of its blocks. */
  readonly explorers?: ReadonlyArray<Explorer>
  /** What tells the chain from others, as text: two definitions of one id have the same. */
  readonly identity?: string
}

/**
 * One line of the table, or what a definition says in its place.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkInfo extends Columns, DefinedColumns {
  /** The protocol of the network. */
  readonly family: FamilyId
}

/**
 * One line of the table as a value of its own, with the id of its network: what `effect-chains/chains` has.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkRow<out N extends string = string> extends NetworkInfo {
  readonly [NetworkType]?: N
  readonly id: N
}

/** The network as it is in types: of a row its id, of a definition the definition. No value has it. */
declare const NetworkType: unique symbol

/**
 * A network that is not given by its id: a row of `effect-chains/chains`, or a definition.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkValue<out N> {
  readonly [NetworkType]?: N
  readonly id: string
  readonly family: FamilyId
}

/**
 * The native coin of a defined network: its ticker, and the digits after its point.
 *
 * @since 0.1.0
 * @category models
 */
export interface Currency {
  readonly symbol: string
  readonly decimals: number
  readonly name?: string
}

/**
 * An explorer of a network's blocks: the url of its first page, and its name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Explorer {
  readonly url: string
  readonly name?: string
}

/**
 * What the provider does for a defined network: the routes of the data API that serve it, whether fees are estimated, and the code in the
 * `chain` attribute of its subscriptions. `code` is the provider's ledger code, by which fees are asked for (default: the ticker).
 *
 * @since 0.1.0
 * @category models
 */
export interface ProvidedServices {
  readonly data?: ReadonlyArray<string>
  readonly fee?: true
  readonly notification?: string
  readonly code?: string
}

/** Only `defineNetwork` makes definitions. */
declare const Defined: unique symbol

/**
 * A network of the application's own, as `defineNetwork` of `effect-chains/networks/define` makes it: it stands wherever `network` takes
 * an id. It is frozen, and its id, family, chain id, stack and services are in its type.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkDefinition<
  out Id extends string = string,
  out F extends FamilyId = FamilyId,
  out ChainId extends number | undefined = number | undefined,
  out R extends Rollup | undefined = Rollup | undefined,
  out S extends ProvidedServices | undefined = ProvidedServices | undefined
> extends ChainParameters {
  readonly [Defined]: true
  readonly [NetworkType]?: NetworkDefinition<Id, F, ChainId, R, S>
  readonly id: Id
  readonly family: F
  readonly chainId: ChainId
  readonly rollup: R
  readonly currency: Currency
  readonly name: string
  readonly testnet: boolean
  readonly nodes: ReadonlyArray<NodeEntry>
  readonly explorers: ReadonlyArray<Explorer>
  readonly slug: string | undefined
  readonly services: S
}

/**
 * The network of a client: an id of the table, or a definition.
 *
 * @since 0.1.0
 * @category models
 */
export type AnyNetwork = Network | NetworkDefinition

/**
 * The row of a network, as a type: its line of the table, or its definition.
 *
 * @since 0.1.0
 * @category types
 */
export type RowOf<N extends AnyNetwork> = N extends Network
  ? (typeof networks)[N]
  : N extends { readonly services: infer S }
    ? N & ColumnsOf<S>
    : N

/** The columns of a definition's row that its services are. */
type ColumnsOf<S> = (S extends { readonly fee: true } ? { readonly fee: true } : unknown) &
  (S extends { readonly notification: infer C extends string } ? { readonly notification: C } : unknown)

/**
 * The id of a network.
 *
 * @since 0.1.0
 * @category types
 */
export type IdOf<N extends AnyNetwork> = N extends NetworkDefinition<infer Id> ? Id : N

/**
 * The family of a network.
 *
 * @since 0.1.0
 * @category types
 */
export type FamilyOf<N extends AnyNetwork> = RowOf<N>["family"]

/**
 * Whether a string is the id of a network.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isNetwork = (value: string): value is Network => Object.hasOwn(networks, value)

/**
 * The line of a network, with the columns that it leaves out as optional ones.
 *
 * @since 0.1.0
 * @category getters
 */
export const info = (network: Network): NetworkInfo => networks[network]

/**
 * The families of EVM chains, which speak Ethereum JSON-RPC.
 *
 * @since 0.1.0
 * @category getters
 */
export const evmFamilies = [
  "evm",
  "evm-beacon",
  "evm-native",
  "zksync"
] as const satisfies ReadonlyArray<FamilyId>

const evm: ReadonlyArray<FamilyId> = evmFamilies
const utxo: ReadonlyArray<FamilyId> = ["utxo", "utxo-estimatefee", "doge"]

/**
 * Whether it speaks Ethereum JSON-RPC as an EVM chain. Tron, which has a chain id, does not count.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isEvm = (network: Network): boolean => evm.includes(info(network).family)

/**
 * Whether the provider counts it as a testnet. Songbird does although its coin has a price: see `realMoney`.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTestnet = (network: Network): boolean => info(network).testnet === true

/**
 * Whether the provider publishes a list of nodes for it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isLoadBalanced = (network: Network): boolean => info(network).loadBalanced === true

/**
 * Whether calls about the past go to archive nodes.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isArchive = (network: Network): boolean => info(network).archive === true

/**
 * Whether it is a Solana network.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSolana = (network: Network): boolean => info(network).family === "solana"

/**
 * Whether it is a network of the XRP ledger.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isXrp = (network: Network): boolean => info(network).family === "xrp"

/**
 * Whether it is a Tron network.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isTron = (network: Network): boolean => info(network).family === "tron"

/**
 * Whether its nodes speak the JSON-RPC of Bitcoin Core. Electrum servers (`rostrum`, `electrs`) do not count.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isUtxo = (network: Network): boolean => utxo.includes(info(network).family)

/**
 * Whether it is a testnet beside the one that its currency stands for, so that a request has to name it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isAlternateTestnet = (network: Network): boolean =>
  isTestnet(network) && info(network).defaultTestnet !== true

/**
 * Whether the provider estimates fees for it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasFee = (network: Network): boolean => info(network).fee === true

/**
 * Whether there are subscriptions for it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const hasNotifications = (network: Network): boolean => info(network).notification !== undefined

/**
 * Whether a browser wallet can be used: the network is EVM based and has a chain id.
 *
 * @since 0.1.0
 * @category predicates
 */
export const supportsBrowserWallet = (network: Network): boolean =>
  isEvm(network) && info(network).chainId !== undefined

/**
 * Whether a client needs nodes of its own for it: no host of the provider is known that serves it.
 *
 * @since 0.1.0
 * @category predicates
 */
export const needsOwnNodes = (network: Network): boolean => info(network).ownNodes === true

/**
 * Whether it has been shut down.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSunset = (network: Network): boolean => info(network).status === "sunset"

/**
 * The network that a wrong id was probably meant to be: the nearest one, or the first that begins with it (`ethereum`). Undefined where
 * nothing is near. Names of the provider and of the field, and chain ids, are looked up by what makes a client.
 *
 * @since 0.1.0
 * @category getters
 */
export const suggest = (id: string): Network | undefined =>
  findNearestId(id, Object.keys(networks).filter(isNetwork))

/**
 * The networks as a client looks them up when it is made: the rows that its module has, and the ids of all, so that it can say of
 * the others what they are.
 *
 * @since 0.1.0
 * @category models
 */
export interface NetworkTable {
  /** The id that a wrong one was probably meant to be. */
  readonly suggest: (id: string) => string | undefined
  /** The family of a network; undefined if no network has that id. */
  readonly familyOf: (id: string) => FamilyId | undefined
  readonly info: (id: string) => NetworkInfo | undefined
}

/**
 * The table with the rows of all networks.
 *
 * @since 0.1.0
 * @category getters
 */
export const table: NetworkTable = {
  suggest,
  familyOf: (id) => (isNetwork(id) ? networks[id].family : undefined),
  info: (id) => (isNetwork(id) ? networks[id] : undefined)
}
