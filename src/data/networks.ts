/**
 * The networks and the enumerations as constants, each of them left out of a bundle that does not name it.
 *
 * ```ts
 * import * as Network from "effect-chains/networks"
 *
 * const network = Network.ETHEREUM
 * ```
 *
 * @since 0.1.0
 */
import type { Network } from "./Network.js"

/** `algorand-mainnet-algod`: ALGO. @since 0.1.0 @category mainnets */
export const ALGORAND_ALGOD = "algorand-mainnet-algod" satisfies Network
/** `algorand-mainnet-indexer`: ALGO. @since 0.1.0 @category mainnets */
export const ALGORAND_INDEXER = "algorand-mainnet-indexer" satisfies Network
/** `arb-nova-mainnet`: ETH, chain id 42170. @since 0.1.0 @category mainnets */
export const ARBITRUM_NOVA = "arb-nova-mainnet" satisfies Network
/** `arbitrum-one-mainnet`: ETH, chain id 42161. @since 0.1.0 @category mainnets */
export const ARBITRUM_ONE = "arbitrum-one-mainnet" satisfies Network
/** `aurora-mainnet`: ETH, chain id 1313161554. @since 0.1.0 @category mainnets */
export const AURORA = "aurora-mainnet" satisfies Network
/** `avalanche-c-mainnet`: AVAX, chain id 43114. @since 0.1.0 @category mainnets */
export const AVALANCHE_C = "avalanche-c-mainnet" satisfies Network
/** `avax-p-mainnet`: AVAX. @since 0.1.0 @category mainnets */
export const AVALANCHE_P = "avax-p-mainnet" satisfies Network
/** `avax-x-mainnet`: AVAX. @since 0.1.0 @category mainnets */
export const AVALANCHE_X = "avax-x-mainnet" satisfies Network
/** `base-mainnet`: ETH, chain id 8453. @since 0.1.0 @category mainnets */
export const BASE = "base-mainnet" satisfies Network
/** `bsc-mainnet`: BNB, chain id 56. @since 0.1.0 @category mainnets */
export const BINANCE_SMART_CHAIN = "bsc-mainnet" satisfies Network
/** `bitcoin-mainnet`: BTC. @since 0.1.0 @category mainnets */
export const BITCOIN = "bitcoin-mainnet" satisfies Network
/** `bitcoin-cash-mainnet`: BCH. @since 0.1.0 @category mainnets */
export const BITCOIN_CASH = "bitcoin-cash-mainnet" satisfies Network
/** `cardano-mainnet`: ADA. @since 0.1.0 @category mainnets */
export const CARDANO_ROSETTA = "cardano-mainnet" satisfies Network
/** `cosmos-mainnet`: ATOM. @since 0.1.0 @category mainnets */
export const COSMOS_ROSETTA = "cosmos-mainnet" satisfies Network
/** `celo-mainnet`: CELO, chain id 42220. @since 0.1.0 @category mainnets */
export const CELO = "celo-mainnet" satisfies Network
/** `cronos-mainnet`: CRO, chain id 25. @since 0.1.0 @category mainnets */
export const CRONOS = "cronos-mainnet" satisfies Network
/** `doge-mainnet`: DOGE. @since 0.1.0 @category mainnets */
export const DOGECOIN = "doge-mainnet" satisfies Network
/** `eos-mainnet`: EOS. Renamed to Vaulta. @since 0.1.0 @category mainnets */
export const EOS = "eos-mainnet" satisfies Network
/** `eon-mainnet`: ZEN, chain id 7332. @since 0.1.0 @category mainnets @deprecated Shut down. */
export const HORIZEN_EON = "eon-mainnet" satisfies Network
/** `chiliz-mainnet`: CHZ, chain id 88888. @since 0.1.0 @category mainnets */
export const CHILIZ = "chiliz-mainnet" satisfies Network
/** `ethereum-mainnet`: ETH, chain id 1. @since 0.1.0 @category mainnets */
export const ETHEREUM = "ethereum-mainnet" satisfies Network
/** `ethereum-classic-mainnet`: ETC, chain id 61. @since 0.1.0 @category mainnets */
export const ETHEREUM_CLASSIC = "ethereum-classic-mainnet" satisfies Network
/** `fantom-mainnet`: FTM, chain id 250. @since 0.1.0 @category mainnets */
export const FANTOM = "fantom-mainnet" satisfies Network
/** `flare-mainnet`: FLR, chain id 14. @since 0.1.0 @category mainnets */
export const FLARE = "flare-mainnet" satisfies Network
/** `flow-mainnet`: FLOW. @since 0.1.0 @category mainnets */
export const FLOW = "flow-mainnet" satisfies Network
/** `gno-mainnet`: XDAI, chain id 100. @since 0.1.0 @category mainnets */
export const GNOSIS = "gno-mainnet" satisfies Network
/** `haqq-mainnet`: ISLM, chain id 11235. @since 0.1.0 @category mainnets */
export const HAQQ = "haqq-mainnet" satisfies Network
/** `one-mainnet-s0`: ONE, chain id 1666600000. @since 0.1.0 @category mainnets @deprecated Shut down. */
export const HARMONY_ONE_SHARD_0 = "one-mainnet-s0" satisfies Network
/** `iota-mainnet`: IOTA. Wrapped is the API before Rebased. @since 0.1.0 @category mainnets */
export const IOTA = "iota-mainnet" satisfies Network
/** `kadena-mainnet`: KDA. @since 0.1.0 @category mainnets @deprecated Shut down. */
export const KADENA = "kadena-mainnet" satisfies Network
/** `klaytn-mainnet`: KAIA, chain id 8217. Now `kaia-mainnet`. @since 0.1.0 @category mainnets */
export const KLAYTN = "klaytn-mainnet" satisfies Network
/** `kcs-mainnet`: KCS, chain id 321. @since 0.1.0 @category mainnets */
export const KUCOIN = "kcs-mainnet" satisfies Network
/** `litecoin-mainnet`: LTC. @since 0.1.0 @category mainnets */
export const LITECOIN = "litecoin-mainnet" satisfies Network
/** `egld-mainnet`: EGLD. @since 0.1.0 @category mainnets */
export const MULTIVERSX = "egld-mainnet" satisfies Network
/** `near-mainnet`: NEAR. @since 0.1.0 @category mainnets */
export const NEAR = "near-mainnet" satisfies Network
/** `oasis-mainnet`: ROSE, chain id 42262. @since 0.1.0 @category mainnets */
export const OASIS = "oasis-mainnet" satisfies Network
/** `optimism-mainnet`: ETH, chain id 10. @since 0.1.0 @category mainnets */
export const OPTIMISM = "optimism-mainnet" satisfies Network
/** `palm-mainnet`: PALM, chain id 11297108109. @since 0.1.0 @category mainnets */
export const PALM = "palm-mainnet" satisfies Network
/** `polygon-mainnet`: MATIC, chain id 137. @since 0.1.0 @category mainnets */
export const POLYGON = "polygon-mainnet" satisfies Network
/** `dot-mainnet`: DOT. @since 0.1.0 @category mainnets */
export const POLKADOT = "dot-mainnet" satisfies Network
/** `bch-mainnet-rostrum`: BCH. @since 0.1.0 @category mainnets */
export const ROSTRUM = "bch-mainnet-rostrum" satisfies Network
/** `rsk-mainnet`: RBTC, chain id 30. @since 0.1.0 @category mainnets */
export const RSK = "rsk-mainnet" satisfies Network
/** `solana-mainnet`: SOL. @since 0.1.0 @category mainnets */
export const SOLANA = "solana-mainnet" satisfies Network
/** `stellar-mainnet`: XLM. @since 0.1.0 @category mainnets */
export const STELLAR = "stellar-mainnet" satisfies Network
/** `tezos-mainnet`: XTZ. @since 0.1.0 @category mainnets */
export const TEZOS = "tezos-mainnet" satisfies Network
/** `tron-mainnet`: TRX, chain id 728126428. @since 0.1.0 @category mainnets */
export const TRON = "tron-mainnet" satisfies Network
/** `vechain-mainnet`: VET, chain id 100009. @since 0.1.0 @category mainnets */
export const VECHAIN = "vechain-mainnet" satisfies Network
/** `xinfin-mainnet`: XDC, chain id 50. @since 0.1.0 @category mainnets */
export const XINFIN = "xinfin-mainnet" satisfies Network
/** `ripple-mainnet`: XRP. @since 0.1.0 @category mainnets */
export const XRP = "ripple-mainnet" satisfies Network
/** `zcash-mainnet`: ZEC. @since 0.1.0 @category mainnets */
export const ZCASH = "zcash-mainnet" satisfies Network
/** `zilliqa-mainnet`: ZIL. @since 0.1.0 @category mainnets */
export const ZILLIQA = "zilliqa-mainnet" satisfies Network
/** `bitcoin-mainnet-electrs`: BTC. @since 0.1.0 @category mainnets */
export const BITCOIN_ELECTRS = "bitcoin-mainnet-electrs" satisfies Network
/** `casper-mainnet`: CSPR. @since 0.1.0 @category mainnets */
export const CASPER = "casper-mainnet" satisfies Network
/** `ton-mainnet`: TON. @since 0.1.0 @category mainnets */
export const TON = "ton-mainnet" satisfies Network
/** `zksync-mainnet`: ETH, chain id 324. @since 0.1.0 @category mainnets */
export const ZK_SYNC = "zksync-mainnet" satisfies Network
/** `ronin-mainnet`: RON, chain id 2020. @since 0.1.0 @category mainnets */
export const RONIN = "ronin-mainnet" satisfies Network
/** `sonic-mainnet`: S, chain id 146. @since 0.1.0 @category mainnets */
export const SONIC_MAINNET = "sonic-mainnet" satisfies Network
/** `kaia-mainnet`: KAIA, chain id 8217. @since 0.1.0 @category mainnets */
export const KAIA_MAINNET = "kaia-mainnet" satisfies Network
/** `berachain-mainnet`: BERA, chain id 80094. @since 0.1.0 @category mainnets */
export const BERACHAIN_MAINNET = "berachain-mainnet" satisfies Network
/** `unichain-mainnet`: ETH, chain id 130. @since 0.1.0 @category mainnets */
export const UNICHAIN_MAINNET = "unichain-mainnet" satisfies Network
/** `lisk-mainnet`: ETH, chain id 1135. Its end has been announced. @since 0.1.0 @category mainnets */
export const LISK_MAINNET = "lisk-mainnet" satisfies Network
/** `mocachain-devnet`: MOCA, chain id 5151. A devnet that counts as a mainnet. @since 0.1.0 @category mainnets */
export const MOCACHAIN_DEVNET = "mocachain-devnet" satisfies Network
/** `bnb-beacon-chain-mainnet`: BNB. @since 0.1.0 @category mainnets @deprecated Shut down. */
export const BNB = "bnb-beacon-chain-mainnet" satisfies Network
/** `algorand-testnet-algod`: ALGO. @since 0.1.0 @category testnets */
export const ALGORAND_ALGOD_TESTNET = "algorand-testnet-algod" satisfies Network
/** `algorand-testnet-indexer`: ALGO. @since 0.1.0 @category testnets */
export const ALGORAND_INDEXER_TESTNET = "algorand-testnet-indexer" satisfies Network
/** `arb-testnet`: ETH, chain id 421614. Really Arbitrum Sepolia. @since 0.1.0 @category testnets */
export const ARBITRUM_NOVA_TESTNET = "arb-testnet" satisfies Network
/** `aurora-testnet`: ETH, chain id 1313161555. @since 0.1.0 @category testnets */
export const AURORA_TESTNET = "aurora-testnet" satisfies Network
/** `avax-testnet`: AVAX, chain id 43113. @since 0.1.0 @category testnets */
export const AVALANCHE_C_TESTNET = "avax-testnet" satisfies Network
/** `avax-p-testnet`: AVAX. @since 0.1.0 @category testnets */
export const AVALANCHE_P_TESTNET = "avax-p-testnet" satisfies Network
/** `avax-x-testnet`: AVAX. @since 0.1.0 @category testnets */
export const AVALANCHE_X_TESTNET = "avax-x-testnet" satisfies Network
/** `base-sepolia`: ETH, chain id 84532. @since 0.1.0 @category testnets */
export const BASE_SEPOLIA = "base-sepolia" satisfies Network
/** `bsc-testnet`: BNB, chain id 97. @since 0.1.0 @category testnets */
export const BINANCE_SMART_CHAIN_TESTNET = "bsc-testnet" satisfies Network
/** `bitcoin-testnet`: BTC. @since 0.1.0 @category testnets */
export const BITCOIN_TESTNET = "bitcoin-testnet" satisfies Network
/** `bitcoin-testnet4`: BTC. @since 0.1.0 @category testnets */
export const BITCOIN_TESTNET_4 = "bitcoin-testnet4" satisfies Network
/** `bch-testnet`: BCH. @since 0.1.0 @category testnets */
export const BITCOIN_CASH_TESTNET = "bch-testnet" satisfies Network
/** `cardano-preprod`: ADA. @since 0.1.0 @category testnets */
export const CARDANO_ROSETTA_PREPROD = "cardano-preprod" satisfies Network
/** `celo-testnet`: CELO, chain id 44787. @since 0.1.0 @category testnets @deprecated Shut down. */
export const CELO_ALFAJORES = "celo-testnet" satisfies Network
/** `cro-testnet`: CRO, chain id 338. @since 0.1.0 @category testnets */
export const CRONOS_TESTNET = "cro-testnet" satisfies Network
/** `doge-testnet`: DOGE. @since 0.1.0 @category testnets */
export const DOGECOIN_TESTNET = "doge-testnet" satisfies Network
/** `ethereum-sepolia`: ETH, chain id 11155111. @since 0.1.0 @category testnets */
export const ETHEREUM_SEPOLIA = "ethereum-sepolia" satisfies Network
/** `ethereum-holesky`: ETH, chain id 17000. @since 0.1.0 @category testnets @deprecated Shut down. */
export const ETHEREUM_HOLESKY = "ethereum-holesky" satisfies Network
/** `ethereum-hoodi`: ETH, chain id 560048. @since 0.1.0 @category testnets */
export const ETHEREUM_HOODI = "ethereum-hoodi" satisfies Network
/** `ethereum-classic-testnet`: ETC, chain id 63. @since 0.1.0 @category testnets */
export const ETHEREUM_CLASSIC_TESTNET = "ethereum-classic-testnet" satisfies Network
/** `eos-testnet`: EOS. @since 0.1.0 @category testnets */
export const EOS_TESTNET = "eos-testnet" satisfies Network
/** `fantom-testnet`: FTM, chain id 4002. @since 0.1.0 @category testnets */
export const FANTOM_TESTNET = "fantom-testnet" satisfies Network
/** `flare-coston`: CFLR, chain id 16. @since 0.1.0 @category testnets */
export const FLARE_COSTON = "flare-coston" satisfies Network
/** `flare-coston2`: C2FLR, chain id 114. @since 0.1.0 @category testnets */
export const FLARE_COSTON_2 = "flare-coston2" satisfies Network
/** `flare-songbird`: SGB, chain id 19. Real money in spite of the marker. @since 0.1.0 @category testnets */
export const FLARE_SONGBIRD = "flare-songbird" satisfies Network
/** `flow-testnet`: FLOW. @since 0.1.0 @category testnets */
export const FLOW_TESTNET = "flow-testnet" satisfies Network
/** `gno-testnet`: XDAI, chain id 10200. @since 0.1.0 @category testnets */
export const GNOSIS_TESTNET = "gno-testnet" satisfies Network
/** `haqq-testnet`: ISLM, chain id 54211. @since 0.1.0 @category testnets */
export const HAQQ_TESTNET = "haqq-testnet" satisfies Network
/** `one-testnet-s0`: ONE, chain id 1666700000. @since 0.1.0 @category testnets @deprecated Shut down. */
export const HARMONY_ONE_TESTNET_SHARD_0 = "one-testnet-s0" satisfies Network
/** `horizen-eon-gobi`: ZEN, chain id 1663. @since 0.1.0 @category testnets @deprecated Shut down. */
export const HORIZEN_EON_GOBI = "horizen-eon-gobi" satisfies Network
/** `kadena-testnet`: KDA. @since 0.1.0 @category testnets @deprecated Shut down. */
export const KADENA_TESTNET = "kadena-testnet" satisfies Network
/** `klaytn-baobab`: KAIA, chain id 1001. Now `kaia-kairos`. @since 0.1.0 @category testnets */
export const KLAYTN_BAOBAB = "klaytn-baobab" satisfies Network
/** `kcs-testnet`: KCS, chain id 322. @since 0.1.0 @category testnets */
export const KUCOIN_TESTNET = "kcs-testnet" satisfies Network
/** `litecoin-testnet`: LTC. @since 0.1.0 @category testnets */
export const LITECOIN_TESTNET = "litecoin-testnet" satisfies Network
/** `egld-testnet`: EGLD. @since 0.1.0 @category testnets */
export const MULTIVERSX_TESTNET = "egld-testnet" satisfies Network
/** `near-testnet`: NEAR. @since 0.1.0 @category testnets */
export const NEAR_TESTNET = "near-testnet" satisfies Network
/** `oasis-testnet`: ROSE, chain id 42261. @since 0.1.0 @category testnets */
export const OASIS_TESTNET = "oasis-testnet" satisfies Network
/** `optimism-testnet`: ETH, chain id 11155420. @since 0.1.0 @category testnets */
export const OPTIMISM_TESTNET = "optimism-testnet" satisfies Network
/** `palm-testnet`: PALM, chain id 11297108099. @since 0.1.0 @category testnets */
export const PALM_TESTNET = "palm-testnet" satisfies Network
/** `polygon-amoy`: MATIC, chain id 80002. @since 0.1.0 @category testnets */
export const POLYGON_AMOY = "polygon-amoy" satisfies Network
/** `dot-testnet`: WND. @since 0.1.0 @category testnets */
export const POLKADOT_TESTNET = "dot-testnet" satisfies Network
/** `rsk-testnet`: RBTC, chain id 31. @since 0.1.0 @category testnets */
export const RSK_TESTNET = "rsk-testnet" satisfies Network
/** `solana-devnet`: SOL. @since 0.1.0 @category testnets */
export const SOLANA_DEVNET = "solana-devnet" satisfies Network
/** `stellar-testnet`: XLM. @since 0.1.0 @category testnets */
export const STELLAR_TESTNET = "stellar-testnet" satisfies Network
/** `tezos-testnet`: XTZ. @since 0.1.0 @category testnets @deprecated Shut down. */
export const TEZOS_TESTNET = "tezos-testnet" satisfies Network
/** `tron-testnet`: TRX, chain id 2494104990. @since 0.1.0 @category testnets */
export const TRON_SHASTA = "tron-testnet" satisfies Network
/** `vechain-testnet`: VET, chain id 100010. @since 0.1.0 @category testnets */
export const VECHAIN_TESTNET = "vechain-testnet" satisfies Network
/** `xdc-testnet`: XDC, chain id 51. @since 0.1.0 @category testnets */
export const XINFIN_TESTNET = "xdc-testnet" satisfies Network
/** `ripple-testnet`: XRP. @since 0.1.0 @category testnets */
export const XRP_TESTNET = "ripple-testnet" satisfies Network
/** `zcash-testnet`: ZEC. @since 0.1.0 @category testnets */
export const ZCASH_TESTNET = "zcash-testnet" satisfies Network
/** `zilliqa-testnet`: ZIL. @since 0.1.0 @category testnets */
export const ZILLIQA_TESTNET = "zilliqa-testnet" satisfies Network
/** `iota-testnet`: IOTA. Wrapped is the API before Rebased. @since 0.1.0 @category testnets */
export const IOTA_TESTNET = "iota-testnet" satisfies Network
/** `bitcoin-testnet-electrs`: BTC. @since 0.1.0 @category testnets */
export const BITCOIN_ELECTRS_TESTNET = "bitcoin-testnet-electrs" satisfies Network
/** `bch-testnet-rostrum`: BCH. @since 0.1.0 @category testnets */
export const ROSTRUM_TESTNET = "bch-testnet-rostrum" satisfies Network
/** `ton-testnet`: TON. @since 0.1.0 @category testnets */
export const TON_TESTNET = "ton-testnet" satisfies Network
/** `zksync-testnet`: ETH, chain id 300. @since 0.1.0 @category testnets */
export const ZK_SYNC_TESTNET = "zksync-testnet" satisfies Network
/** `ronin-saigon`: RON, chain id 202601. @since 0.1.0 @category testnets */
export const RONIN_SAIGON = "ronin-saigon" satisfies Network
/** `sonic-blaze`: S, chain id 57054. Its operator has announced its end. @since 0.1.0 @category testnets */
export const SONIC_BLAZE = "sonic-blaze" satisfies Network
/** `kaia-kairos`: KAIA, chain id 1001. @since 0.1.0 @category testnets */
export const KAIA_KAIROS = "kaia-kairos" satisfies Network
/** `unichain-sepolia`: ETH, chain id 1301. @since 0.1.0 @category testnets */
export const UNICHAIN_SEPOLIA = "unichain-sepolia" satisfies Network
/** `monad-testnet`: MON, chain id 10143. @since 0.1.0 @category testnets */
export const MONAD_TESTNET = "monad-testnet" satisfies Network
/** `lisk-sepolia`: ETH, chain id 4202. @since 0.1.0 @category testnets */
export const LISK_SEPOLIA = "lisk-sepolia" satisfies Network

// The enumerations: frozen, since they are shared. A bundler keeps a call that is not marked as pure.

/**
 * The version of the provider's API.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const ApiVersion = /* @__PURE__ */ Object.freeze({ V3: "V3", V4: "V4" } as const)

/**
 * One of the values of the constant `ApiVersion`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type ApiVersion = (typeof ApiVersion)[keyof typeof ApiVersion]

/**
 * What kind of request a node failed.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const RequestKind = /* @__PURE__ */ Object.freeze({
  RPC: "RPC",
  POST: "POST",
  GET: "GET",
  BATCH: "BATCH",
  PUT: "PUT",
  DELETE: "DELETE"
} as const)

/**
 * One of the values of the constant `RequestKind`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type RequestKind = (typeof RequestKind)[keyof typeof RequestKind]

/**
 * How grave a log line is, from the least to the most.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const LogLevel = /* @__PURE__ */ Object.freeze({
  TRACE: "trace",
  DEBUG: "debug",
  INFO: "info",
  WARN: "warn",
  ERROR: "error"
} as const)

/**
 * One of the values of the constant `LogLevel`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type LogLevel = (typeof LogLevel)[keyof typeof LogLevel]

/**
 * What a subscription watches.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const NotificationType = /* @__PURE__ */ Object.freeze({
  ADDRESS_EVENT: "ADDRESS_EVENT",
  INCOMING_NATIVE_TX: "INCOMING_NATIVE_TX",
  OUTGOING_NATIVE_TX: "OUTGOING_NATIVE_TX",
  OUTGOING_FAILED_TX: "OUTGOING_FAILED_TX",
  PAID_FEE: "PAID_FEE",
  INCOMING_INTERNAL_TX: "INCOMING_INTERNAL_TX",
  OUTGOING_INTERNAL_TX: "OUTGOING_INTERNAL_TX",
  INCOMING_FUNGIBLE_TX: "INCOMING_FUNGIBLE_TX",
  OUTGOING_FUNGIBLE_TX: "OUTGOING_FUNGIBLE_TX",
  INCOMING_NFT_TX: "INCOMING_NFT_TX",
  OUTGOING_NFT_TX: "OUTGOING_NFT_TX",
  INCOMING_MULTITOKEN_TX: "INCOMING_MULTITOKEN_TX",
  OUTGOING_MULTITOKEN_TX: "OUTGOING_MULTITOKEN_TX",
  CONTRACT_ADDRESS_LOG_EVENT: "CONTRACT_ADDRESS_LOG_EVENT",
  FAILED_TXS_PER_BLOCK: "FAILED_TXS_PER_BLOCK"
} as const)

/**
 * One of the values of the constant `NotificationType`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type NotificationType = (typeof NotificationType)[keyof typeof NotificationType]

/**
 * What a node keeps: the recent state, or all of the past too.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const NodeType = /* @__PURE__ */ Object.freeze({ NORMAL: 0, ARCHIVE: 1 } as const)

/**
 * One of the values of the constant `NodeType`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type NodeType = (typeof NodeType)[keyof typeof NodeType]

/**
 * What kind of asset a balance or a contract is about.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const TokenType = /* @__PURE__ */ Object.freeze({
  NATIVE: "native",
  FUNGIBLE: "fungible",
  NFT: "nft",
  MULTITOKEN: "multitoken"
} as const)

/**
 * One of the values of the constant `TokenType`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type TokenType = (typeof TokenType)[keyof typeof TokenType]

/**
 * The direction of a transaction, seen from the address asked about.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const TransactionType = /* @__PURE__ */ Object.freeze({
  INCOMING: "incoming",
  OUTGOING: "outgoing"
} as const)

/**
 * One of the values of the constant `TransactionType`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type TransactionType = (typeof TransactionType)[keyof typeof TransactionType]

/**
 * How a call on a Promise client ended.
 *
 * @since 0.1.0
 * @category enumerations
 */
export const ResultStatus = /* @__PURE__ */ Object.freeze({ SUCCESS: "SUCCESS", ERROR: "ERROR" } as const)

/**
 * One of the values of the constant `ResultStatus`.
 *
 * @since 0.1.0
 * @category enumerations
 */
export type ResultStatus = (typeof ResultStatus)[keyof typeof ResultStatus]
