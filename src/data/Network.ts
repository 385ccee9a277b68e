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
  "algorand-mainnet-algod": { family: "algorand-algod", currency: "ALGO", symbol: "ALGO", decimals: 6, defaultMainnet: true, loadBalanced: true }, // ALGORAND_ALGOD
  "algorand-mainnet-indexer": { family: "algorand-indexer", currency: "ALGO", symbol: "ALGO", decimals: 6, loadBalanced: true }, // ALGORAND_INDEXER
  "arb-nova-mainnet": { family: "evm", currency: "ETH_ARB", symbol: "ETH", asset: "ARB", decimals: 18, defaultMainnet: true, chainId: 42170 }, // ARBITRUM_NOVA
  "arbitrum-one-mainnet": { family: "evm", currency: "ETH_ARB", symbol: "ETH", asset: "ARB", decimals: 18, chainId: 42161, loadBalanced: true, notification: "ETH_ARB" }, // ARBITRUM_ONE
  "aurora-mainnet": { family: "evm", currency: "AURORA", symbol: "ETH", asset: "AURA", decimals: 18, chainId: 1313161554 }, // AURORA
  "avalanche-c-mainnet": { family: "evm", currency: "AVAX", symbol: "AVAX", decimals: 18, defaultMainnet: true, chainId: 43114, loadBalanced: true, notification: "AVAX" }, // AVALANCHE_C
  "avax-p-mainnet": { family: "avalanche-p", currency: "AVAX", symbol: "AVAX", decimals: 9 }, // AVALANCHE_P
  "avax-x-mainnet": { family: "avalanche-x", currency: "AVAX", symbol: "AVAX", decimals: 9 }, // AVALANCHE_X
  "base-mainnet": { family: "evm", currency: "ETH_BASE", symbol: "ETH", asset: "BASE", decimals: 18, chainId: 8453, loadBalanced: true, notification: "ETH_BASE" }, // BASE
  "bsc-mainnet": { family: "evm", currency: "BSC", symbol: "BNB", decimals: 18, defaultMainnet: true, chainId: 56, loadBalanced: true, notification: "BSC" }, // BINANCE_SMART_CHAIN
  "bitcoin-mainnet": { family: "utxo", currency: "BTC", symbol: "BTC", decimals: 8, loadBalanced: true, notification: "BTC", fee: true }, // BITCOIN
  "bitcoin-cash-mainnet": { family: "utxo-estimatefee", currency: "BCH", symbol: "BCH", decimals: 8, loadBalanced: true, notification: "BCH" }, // BITCOIN_CASH
  "cardano-mainnet": { family: "cardano", currency: "ADA", symbol: "ADA", decimals: 6, defaultMainnet: true, loadBalanced: true }, // CARDANO_ROSETTA
  "cosmos-mainnet": { family: "cosmos", currency: "ATOM", symbol: "ATOM", decimals: 6, defaultMainnet: true, loadBalanced: true }, // COSMOS_ROSETTA
  "celo-mainnet": { family: "evm", currency: "CELO", symbol: "CELO", decimals: 18, chainId: 42220, loadBalanced: true, notification: "CELO" }, // CELO
  "cronos-mainnet": { family: "evm", currency: "CRO", symbol: "CRO", decimals: 18, defaultMainnet: true, chainId: 25, loadBalanced: true, notification: "CRO" }, // CRONOS
  "doge-mainnet": { family: "doge", currency: "DOGE", symbol: "DOGE", decimals: 8, loadBalanced: true, notification: "DOGE", fee: true, list: "dogecoin-mainnet" }, // DOGECOIN
  "eos-mainnet": { family: "eos", currency: "EOS", symbol: "EOS", decimals: 4, defaultMainnet: true, loadBalanced: true, status: "renamed" }, // EOS: Renamed to Vaulta.
  "eon-mainnet": { family: "evm", currency: "ZEN", symbol: "ZEN", asset: "EON", decimals: 18, chainId: 7332, loadBalanced: true, notification: "EON", list: "horizen-eon-mainnet", status: "sunset" }, // HORIZEN_EON
  "chiliz-mainnet": { family: "evm", currency: "CHZ", symbol: "CHZ", asset: "CHILIZ", decimals: 18, chainId: 88888, loadBalanced: true, archive: true, notification: "CHZ" }, // CHILIZ
  "ethereum-mainnet": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, defaultMainnet: true, chainId: 1, loadBalanced: true, archive: true, notification: "ETH", fee: true }, // ETHEREUM
  "ethereum-classic-mainnet": { family: "evm", currency: "ETC", symbol: "ETC", decimals: 18, defaultMainnet: true, chainId: 61, loadBalanced: true }, // ETHEREUM_CLASSIC
  "fantom-mainnet": { family: "evm", currency: "FTM", symbol: "FTM", decimals: 18, chainId: 250, loadBalanced: true, notification: "FTM" }, // FANTOM
  "flare-mainnet": { family: "evm", currency: "FLR", symbol: "FLR", asset: "FLARE", decimals: 18, defaultMainnet: true, chainId: 14, loadBalanced: true, notification: "FLR" }, // FLARE
  "flow-mainnet": { family: "flow", currency: "FLOW", symbol: "FLOW", decimals: 8 }, // FLOW
  "gno-mainnet": { family: "evm", currency: "GNO", symbol: "XDAI", asset: "GNO", decimals: 18, chainId: 100 }, // GNOSIS
  "haqq-mainnet": { family: "evm", currency: "ISLM", symbol: "ISLM", asset: "HAQQ", decimals: 18, chainId: 11235, loadBalanced: true, archive: true }, // HAQQ
  "one-mainnet-s0": { family: "evm", currency: "ONE", symbol: "ONE", decimals: 18, chainId: 1666600000, status: "sunset" }, // HARMONY_ONE_SHARD_0
  "iota-mainnet": { family: "iota", currency: "IOTA", symbol: "IOTA", decimals: 6, defaultMainnet: true, loadBalanced: true, status: "protocol-changed" }, // IOTA: Wrapped is the API before Rebased.
  "kadena-mainnet": { family: "kadena", currency: "KADENA", symbol: "KDA", asset: "KADENA", decimals: 12, defaultMainnet: true, loadBalanced: true, status: "sunset" }, // KADENA
  "klaytn-mainnet": { family: "evm-native", currency: "KLAY", symbol: "KAIA", asset: "KLAY", decimals: 18, defaultMainnet: true, chainId: 8217, loadBalanced: true, archive: true, notification: "KLAY", status: "renamed" }, // KLAYTN: Now `kaia-mainnet`.
  "kcs-mainnet": { family: "evm", currency: "KCS", symbol: "KCS", decimals: 18, chainId: 321 }, // KUCOIN
  "litecoin-mainnet": { family: "utxo", currency: "LTC", symbol: "LTC", decimals: 8, loadBalanced: true, notification: "LTC", fee: true }, // LITECOIN
  "egld-mainnet": { family: "multiversx", currency: "EGLD", symbol: "EGLD", decimals: 18 }, // MULTIVERSX
  "near-mainnet": { family: "near", currency: "NEAR", symbol: "NEAR", decimals: 24 }, // NEAR
  "oasis-mainnet": { family: "evm", currency: "XOS", symbol: "ROSE", decimals: 18, chainId: 42262 }, // OASIS
  "optimism-mainnet": { family: "evm", currency: "ETH_OP", symbol: "ETH", asset: "OPT", decimals: 18, defaultMainnet: true, chainId: 10, loadBalanced: true, notification: "ETH_OP" }, // OPTIMISM
  "palm-mainnet": { family: "evm", currency: "PALM", symbol: "PALM", decimals: 18, chainId: 11297108109 }, // PALM
  "polygon-mainnet": { family: "evm", currency: "MATIC", symbol: "MATIC", decimals: 18, defaultMainnet: true, chainId: 137, loadBalanced: true, archive: true, notification: "MATIC" }, // POLYGON
  "dot-mainnet": { family: "polkadot", currency: "DOT", symbol: "DOT", decimals: 10 }, // POLKADOT
  "bch-mainnet-rostrum": { family: "rostrum", currency: "BCH", symbol: "BCH", decimals: 8, loadBalanced: true }, // ROSTRUM
  "rsk-mainnet": { family: "evm", currency: "RSK", symbol: "RBTC", decimals: 18, chainId: 30 }, // RSK
  "solana-mainnet": { family: "solana", currency: "SOL", symbol: "SOL", decimals: 9, defaultMainnet: true, loadBalanced: true, archive: true, notification: "SOL" }, // SOLANA
  "stellar-mainnet": { family: "stellar", currency: "XLM", symbol: "XLM", decimals: 7, loadBalanced: true }, // STELLAR
  "tezos-mainnet": { family: "tezos", currency: "TEZOS", symbol: "XTZ", decimals: 6, defaultMainnet: true, loadBalanced: true, notification: "TEZOS" }, // TEZOS
  "tron-mainnet": { family: "tron", currency: "TRON", symbol: "TRX", decimals: 6, chainId: 728126428, loadBalanced: true, notification: "TRON" }, // TRON
  "vechain-mainnet": { family: "evm", currency: "VET", symbol: "VET", decimals: 18, chainId: 100009 }, // VECHAIN
  "xinfin-mainnet": { family: "evm", currency: "XDC", symbol: "XDC", decimals: 18, chainId: 50, loadBalanced: true }, // XINFIN
  "ripple-mainnet": { family: "xrp", currency: "XRP", symbol: "XRP", decimals: 6, loadBalanced: true, notification: "XRP" }, // XRP
  "zcash-mainnet": { family: "utxo", currency: "ZCASH", symbol: "ZEC", decimals: 8, loadBalanced: true }, // ZCASH
  "zilliqa-mainnet": { family: "zilliqa", currency: "ZIL", symbol: "ZIL", decimals: 12 }, // ZILLIQA
  "bitcoin-mainnet-electrs": { family: "electrs", currency: "BTC", symbol: "BTC", decimals: 8, loadBalanced: true }, // BITCOIN_ELECTRS
  "casper-mainnet": { family: "casper", currency: "CSPR", symbol: "CSPR", asset: "CASPER", decimals: 9, loadBalanced: true }, // CASPER
  "ton-mainnet": { family: "ton", currency: "TON", symbol: "TON", decimals: 9 }, // TON
  "zksync-mainnet": { family: "zksync", currency: "ZKS", symbol: "ETH", asset: "ZKS", decimals: 18, chainId: 324, loadBalanced: true }, // ZK_SYNC
  "abstract-mainnet": { family: "zksync", currency: "ETH_ABSTRACT", symbol: "ETH", decimals: 18, chainId: 2741, gateway: "https://abstract-mainnet.gateway.tatum.io" }, // ABSTRACT_MAINNET
  "ronin-mainnet": { family: "evm", currency: "RON", symbol: "RON", decimals: 18, chainId: 2020 }, // RONIN
  "sonic-mainnet": { family: "evm", currency: "S", symbol: "S", asset: "SONIC", decimals: 18, chainId: 146 }, // SONIC_MAINNET
  "kaia-mainnet": { family: "evm", currency: "KAIA", symbol: "KAIA", decimals: 18, chainId: 8217 }, // KAIA_MAINNET
  "berachain-mainnet": { family: "evm", currency: "BERA", symbol: "BERA", decimals: 18, defaultMainnet: true, chainId: 80094, notification: "BERA" }, // BERACHAIN_MAINNET
  "unichain-mainnet": { family: "evm", currency: "ETH_UNI", symbol: "ETH", asset: "UNI", decimals: 18, defaultMainnet: true, chainId: 130, notification: "ETH_UNI" }, // UNICHAIN_MAINNET
  "lisk-mainnet": { family: "evm", currency: "ETH_LISK", symbol: "ETH", asset: "LISK", decimals: 18, defaultMainnet: true, chainId: 1135, status: "sunset-announced" }, // LISK_MAINNET: Its end has been announced.
  "algorand-testnet-algod": { family: "algorand-algod", currency: "ALGO", symbol: "ALGO", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true }, // ALGORAND_ALGOD_TESTNET
  "algorand-testnet-indexer": { family: "algorand-indexer", currency: "ALGO", symbol: "ALGO", decimals: 6, testnet: true, loadBalanced: true }, // ALGORAND_INDEXER_TESTNET
  "arb-testnet": { family: "evm", currency: "ETH_ARB", symbol: "ETH", asset: "ARB", decimals: 18, testnet: true, defaultTestnet: true, chainId: 421614 }, // ARBITRUM_NOVA_TESTNET: Really Arbitrum Sepolia.
  "aurora-testnet": { family: "evm", currency: "AURORA", symbol: "ETH", asset: "AURA", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1313161555 }, // AURORA_TESTNET
  "avax-testnet": { family: "evm", currency: "AVAX", symbol: "AVAX", decimals: 18, testnet: true, defaultTestnet: true, chainId: 43113, notification: "AVAX" }, // AVALANCHE_C_TESTNET
  "avax-p-testnet": { family: "avalanche-p", currency: "AVAX", symbol: "AVAX", decimals: 9, testnet: true }, // AVALANCHE_P_TESTNET
  "avax-x-testnet": { family: "avalanche-x", currency: "AVAX", symbol: "AVAX", decimals: 9, testnet: true }, // AVALANCHE_X_TESTNET
  "base-sepolia": { family: "evm", currency: "ETH_BASE", symbol: "ETH", asset: "BASE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 84532, notification: "ETH_BASE" }, // BASE_SEPOLIA
  "bsc-testnet": { family: "evm", currency: "BSC", symbol: "BNB", decimals: 18, testnet: true, defaultTestnet: true, chainId: 97, notification: "BSC" }, // BINANCE_SMART_CHAIN_TESTNET
  "bitcoin-testnet": { family: "utxo", currency: "BTC", symbol: "BTC", decimals: 8, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "BTC", fee: true }, // BITCOIN_TESTNET
  "bitcoin-testnet4": { family: "utxo", currency: "BTC", symbol: "BTC", decimals: 8, testnet: true, notification: "BTC", fee: true }, // BITCOIN_TESTNET_4
  "bch-testnet": { family: "utxo-estimatefee", currency: "BCH", symbol: "BCH", decimals: 8, testnet: true, defaultTestnet: true, notification: "BCH" }, // BITCOIN_CASH_TESTNET
  "cardano-preprod": { family: "cardano", currency: "ADA", symbol: "ADA", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true }, // CARDANO_ROSETTA_PREPROD
  "celo-testnet": { family: "evm", currency: "CELO", symbol: "CELO", decimals: 18, testnet: true, defaultTestnet: true, chainId: 44787, loadBalanced: true, notification: "CELO", status: "sunset" }, // CELO_ALFAJORES
  "cro-testnet": { family: "evm", currency: "CRO", symbol: "CRO", decimals: 18, testnet: true, defaultTestnet: true, chainId: 338 }, // CRONOS_TESTNET
  "doge-testnet": { family: "doge", currency: "DOGE", symbol: "DOGE", decimals: 8, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "DOGE", fee: true, list: "dogecoin-testnet" }, // DOGECOIN_TESTNET
  "ethereum-sepolia": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, testnet: true, defaultTestnet: true, chainId: 11155111, loadBalanced: true, archive: true, notification: "ETH", fee: true }, // ETHEREUM_SEPOLIA
  "ethereum-holesky": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, testnet: true, chainId: 17000, loadBalanced: true, archive: true, notification: "ETH", status: "sunset" }, // ETHEREUM_HOLESKY
  "ethereum-hoodi": { family: "evm-beacon", currency: "ETH", symbol: "ETH", decimals: 18, testnet: true, chainId: 560048, loadBalanced: true, archive: true, notification: "ETH" }, // ETHEREUM_HOODI
  "ethereum-classic-testnet": { family: "evm", currency: "ETC", symbol: "ETC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 63, loadBalanced: true }, // ETHEREUM_CLASSIC_TESTNET
  "eos-testnet": { family: "eos", currency: "EOS", symbol: "EOS", decimals: 4, testnet: true, defaultTestnet: true }, // EOS_TESTNET
  "fantom-testnet": { family: "evm", currency: "FTM", symbol: "FTM", decimals: 18, testnet: true, defaultTestnet: true, chainId: 4002, notification: "FTM" }, // FANTOM_TESTNET
  "flare-coston": { family: "evm", currency: "SGB", symbol: "CFLR", asset: "FLARE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 16, loadBalanced: true, notification: "FLR" }, // FLARE_COSTON
  "flare-coston2": { family: "evm", currency: "FLR", symbol: "C2FLR", asset: "FLARE", decimals: 18, testnet: true, chainId: 114, loadBalanced: true, notification: "FLR" }, // FLARE_COSTON_2
  "flare-songbird": { family: "evm", currency: "SGB", symbol: "SGB", asset: "FLARE", decimals: 18, testnet: true, realMoney: true, chainId: 19, loadBalanced: true, notification: "FLR" }, // FLARE_SONGBIRD: Real money in spite of the marker.
  "flow-testnet": { family: "flow", currency: "FLOW", symbol: "FLOW", decimals: 8, testnet: true, defaultTestnet: true }, // FLOW_TESTNET
  "gno-testnet": { family: "evm", currency: "GNO", symbol: "XDAI", asset: "GNO", decimals: 18, testnet: true, chainId: 10200 }, // GNOSIS_TESTNET
  "haqq-testnet": { family: "evm", currency: "ISLM", symbol: "ISLM", asset: "HAQQ", decimals: 18, testnet: true, defaultTestnet: true, chainId: 54211, loadBalanced: true, archive: true }, // HAQQ_TESTNET
  "one-testnet-s0": { family: "evm", currency: "ONE", symbol: "ONE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1666700000, status: "sunset" }, // HARMONY_ONE_TESTNET_SHARD_0
  "horizen-eon-gobi": { family: "evm", currency: "ZEN", symbol: "ZEN", asset: "EON", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1663, loadBalanced: true, status: "sunset" }, // HORIZEN_EON_GOBI
  "kadena-testnet": { family: "kadena", currency: "KADENA", symbol: "KDA", asset: "KADENA", decimals: 12, testnet: true, defaultTestnet: true, loadBalanced: true, status: "sunset" }, // KADENA_TESTNET
  "klaytn-baobab": { family: "evm-native", currency: "KLAY", symbol: "KAIA", asset: "KLAY", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1001, loadBalanced: true, archive: true, notification: "KLAY", status: "renamed" }, // KLAYTN_BAOBAB: Now `kaia-kairos`.
  "kcs-testnet": { family: "evm", currency: "KCS", symbol: "KCS", decimals: 18, testnet: true, chainId: 322 }, // KUCOIN_TESTNET
  "litecoin-testnet": { family: "utxo", currency: "LTC", symbol: "LTC", decimals: 8, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "LTC", fee: true }, // LITECOIN_TESTNET
  "egld-testnet": { family: "multiversx", currency: "EGLD", symbol: "EGLD", decimals: 18, testnet: true }, // MULTIVERSX_TESTNET
  "near-testnet": { family: "near", currency: "NEAR", symbol: "NEAR", decimals: 24, testnet: true, defaultTestnet: true }, // NEAR_TESTNET
  "oasis-testnet": { family: "evm", currency: "XOS", symbol: "ROSE", decimals: 18, testnet: true, defaultTestnet: true, chainId: 42261 }, // OASIS_TESTNET
  "optimism-testnet": { family: "evm", currency: "ETH_OP", symbol: "ETH", asset: "OPT", decimals: 18, testnet: true, defaultTestnet: true, chainId: 11155420, loadBalanced: true, notification: "ETH_OP" }, // OPTIMISM_TESTNET
  "palm-testnet": { family: "evm", currency: "PALM", symbol: "PALM", decimals: 18, testnet: true, defaultTestnet: true, chainId: 11297108099 }, // PALM_TESTNET
  "polygon-amoy": { family: "evm", currency: "MATIC", symbol: "MATIC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 80002, loadBalanced: true, archive: true, notification: "MATIC" }, // POLYGON_AMOY
  "dot-testnet": { family: "polkadot", currency: "DOT", symbol: "WND", asset: "DOT", decimals: 12, testnet: true }, // POLKADOT_TESTNET
  "rsk-testnet": { family: "evm", currency: "RSK", symbol: "RBTC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 31 }, // RSK_TESTNET
  "solana-devnet": { family: "solana", currency: "SOL", symbol: "SOL", decimals: 9, testnet: true, defaultTestnet: true, loadBalanced: true, archive: true, notification: "SOL" }, // SOLANA_DEVNET
  "stellar-testnet": { family: "stellar", currency: "XLM", symbol: "XLM", decimals: 7, testnet: true, defaultTestnet: true }, // STELLAR_TESTNET
  "tezos-testnet": { family: "tezos", currency: "TEZOS", symbol: "XTZ", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true, status: "sunset" }, // TEZOS_TESTNET
  "tron-testnet": { family: "tron", currency: "TRON", symbol: "TRX", decimals: 6, testnet: true, defaultTestnet: true, chainId: 2494104990, notification: "TRON", node: "https://api.shasta.trongrid.io/jsonrpc" }, // TRON_SHASTA
  "vechain-testnet": { family: "evm", currency: "VET", symbol: "VET", decimals: 18, testnet: true, defaultTestnet: true, chainId: 100010 }, // VECHAIN_TESTNET
  "xdc-testnet": { family: "evm", currency: "XDC", symbol: "XDC", decimals: 18, testnet: true, defaultTestnet: true, chainId: 51 }, // XINFIN_TESTNET
  "ripple-testnet": { family: "xrp", currency: "XRP", symbol: "XRP", decimals: 6, testnet: true, defaultTestnet: true, loadBalanced: true, notification: "XRP" }, // XRP_TESTNET
  "zcash-testnet": { family: "utxo", currency: "ZCASH", symbol: "ZEC", decimals: 8, testnet: true, defaultTestnet: true }, // ZCASH_TESTNET
  "zilliqa-testnet": { family: "zilliqa", currency: "ZIL", symbol: "ZIL", decimals: 12, testnet: true, defaultTestnet: true }, // ZILLIQA_TESTNET
  "iota-testnet": { family: "iota", currency: "IOTA", symbol: "IOTA", decimals: 6, testnet: true, defaultTestnet: true, status: "protocol-changed" }, // IOTA_TESTNET: Wrapped is the API before Rebased.
  "bitcoin-testnet-electrs": { family: "electrs", currency: "BTC", symbol: "BTC", decimals: 8, testnet: true, loadBalanced: true }, // BITCOIN_ELECTRS_TESTNET
  "bch-testnet-rostrum": { family: "rostrum", currency: "BCH", symbol: "BCH", decimals: 8, testnet: true, loadBalanced: true }, // ROSTRUM_TESTNET
  "ton-testnet": { family: "ton", currency: "TON", symbol: "TON", decimals: 9, testnet: true }, // TON_TESTNET
  "zksync-testnet": { family: "zksync", currency: "ZKS", symbol: "ETH", asset: "ZKS", decimals: 18, testnet: true, chainId: 300, loadBalanced: true }, // ZK_SYNC_TESTNET
  "ronin-saigon": { family: "evm", currency: "RON", symbol: "RON", decimals: 18, testnet: true, chainId: 202601 }, // RONIN_SAIGON
  "sonic-blaze": { family: "evm", currency: "S", symbol: "S", asset: "SONIC", decimals: 18, testnet: true, chainId: 57054, status: "deprecated" }, // SONIC_BLAZE: Its operator has announced its end.
  "kaia-kairos": { family: "evm", currency: "KAIA", symbol: "KAIA", decimals: 18, testnet: true, chainId: 1001 }, // KAIA_KAIROS
  "unichain-sepolia": { family: "evm", currency: "ETH_UNI", symbol: "ETH", asset: "UNI", decimals: 18, testnet: true, defaultTestnet: true, chainId: 1301 }, // UNICHAIN_SEPOLIA
  "monad-testnet": { family: "evm", currency: "MON", symbol: "MON", decimals: 18, testnet: true, defaultTestnet: true, chainId: 10143, notification: "MON" }, // MONAD_TESTNET
  "mocachain-devnet": { family: "evm", currency: "MOCA", symbol: "MOCA", decimals: 18, realMoney: false, defaultMainnet: true, chainId: 5151, notification: "MOCA" }, // MOCACHAIN_DEVNET: A devnet that counts as a mainnet.
  "lisk-sepolia": { family: "evm", currency: "ETH_LISK", symbol: "ETH", asset: "LISK", decimals: 18, testnet: true, defaultTestnet: true, chainId: 4202 }, // LISK_SEPOLIA
  "monad-mainnet": { family: "evm", currency: "MON", symbol: "MON", decimals: 18, chainId: 143, gateway: "https://monad-mainnet.gateway.tatum.io" }, // MONAD_MAINNET
  "hyperevm-mainnet": { family: "evm", currency: "HYPE", symbol: "HYPE", decimals: 18, chainId: 999, gateway: "https://hyperevm-mainnet.gateway.tatum.io" }, // HYPEREVM_MAINNET
  "plasma-mainnet": { family: "evm", currency: "XPL", symbol: "XPL", decimals: 18, chainId: 9745, gateway: "https://plasma-mainnet.gateway.tatum.io" }, // PLASMA_MAINNET
  "xlayer-mainnet": { family: "evm", currency: "OKB", symbol: "OKB", decimals: 18, chainId: 196, ownNodes: true }, // XLAYER_MAINNET: Needs nodes of your own.
  "plume-mainnet": { family: "evm", currency: "PLUME", symbol: "PLUME", decimals: 18, chainId: 98866, gateway: "https://plume-mainnet.gateway.tatum.io" }, // PLUME_MAINNET
  "robinhood-mainnet": { family: "evm", currency: "ETH_ROBINHOOD", symbol: "ETH", decimals: 18, chainId: 4663, ownNodes: true }, // ROBINHOOD_MAINNET: Needs nodes of your own.
  "moonbeam-mainnet": { family: "evm", currency: "GLMR", symbol: "GLMR", decimals: 18, chainId: 1284, ownNodes: true }, // MOONBEAM_MAINNET: Needs nodes of your own.
  "moonriver-mainnet": { family: "evm", currency: "MOVR", symbol: "MOVR", decimals: 18, chainId: 1285, ownNodes: true }, // MOONRIVER_MAINNET: Needs nodes of your own.
  "moonbase-alpha": { family: "evm", currency: "GLMR", symbol: "DEV", decimals: 18, testnet: true, chainId: 1287, ownNodes: true }, // MOONBASE_ALPHA: Needs nodes of your own.
  "celo-sepolia": { family: "evm", currency: "CELO", symbol: "CELO", decimals: 18, testnet: true, chainId: 11142220, gateway: "https://celo-sepolia.gateway.tatum.io" }, // CELO_SEPOLIA
  "tron-nile": { family: "tron", currency: "TRON", symbol: "TRX", decimals: 6, testnet: true, chainId: 3448148188, gateway: "https://tron-nile.gateway.tatum.io/jsonrpc" }, // TRON_NILE
  "sui-mainnet": { family: "sui", currency: "SUI", symbol: "SUI", decimals: 9, gateway: "https://sui-mainnet.gateway.tatum.io" }, // SUI_MAINNET
  "sui-testnet": { family: "sui", currency: "SUI", symbol: "SUI", decimals: 9, testnet: true, gateway: "https://sui-testnet.gateway.tatum.io" }, // SUI_TESTNET
  "sui-devnet": { family: "sui", currency: "SUI", symbol: "SUI", decimals: 9, testnet: true, gateway: "https://sui-devnet.gateway.tatum.io" }, // SUI_DEVNET
  "aptos-mainnet": { family: "aptos", currency: "APT", symbol: "APT", decimals: 8, ownNodes: true }, // APTOS_MAINNET: Needs nodes of your own.
  "aptos-testnet": { family: "aptos", currency: "APT", symbol: "APT", decimals: 8, testnet: true, ownNodes: true }, // APTOS_TESTNET: Needs nodes of your own.
  "aptos-devnet": { family: "aptos", currency: "APT", symbol: "APT", decimals: 8, testnet: true, ownNodes: true }, // APTOS_DEVNET: Needs nodes of your own.
  "hedera-mainnet-mirror": { family: "hedera-mirror", currency: "HBAR", symbol: "HBAR", decimals: 8, ownNodes: true }, // HEDERA_MIRROR_MAINNET: Needs nodes of your own.
  "hedera-testnet-mirror": { family: "hedera-mirror", currency: "HBAR", symbol: "HBAR", decimals: 8, testnet: true, ownNodes: true }, // HEDERA_MIRROR_TESTNET: Needs nodes of your own.
  "hedera-previewnet-mirror": { family: "hedera-mirror", currency: "HBAR", symbol: "HBAR", decimals: 8, testnet: true, ownNodes: true }, // HEDERA_MIRROR_PREVIEWNET: Needs nodes of your own.
  "bnb-beacon-chain-mainnet": { family: "bnb", currency: "BNB", symbol: "BNB", decimals: 8, defaultMainnet: true, loadBalanced: true, status: "sunset" } // BNB
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
export type Family = (typeof networks)[Network]["family"]

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
  readonly family: Family
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
  readonly family: Family
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
  out F extends Family = Family,
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
] as const satisfies ReadonlyArray<Family>

const evm: ReadonlyArray<Family> = evmFamilies
const utxo: ReadonlyArray<Family> = ["utxo", "utxo-estimatefee", "doge"]

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
  readonly familyOf: (id: string) => Family | undefined
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
