/**
 * The routes of the provider's data API that exist in today's generation alone: the path of each, and the chains that it serves.
 * They are not in {@link dataRoutes} because `address`, `token` and `nft` need none of them: a page that calls those has
 * nothing of this table.
 *
 * The source is the provider's description of April 2026.
 *
 * @since 0.1.0
 */
import { cardano, coins, type DataRoute, dataRoutes, evm, findChain, idOfChain } from "./dataRoutes.js"

/**
 * A route of today's generation alone.
 *
 * @since 0.1.0
 * @category models
 */
export interface V4Route extends Pick<DataRoute, "v4" | "chains"> {
  /** Its parameters are a JSON body. */
  readonly isPost?: true
  /** The most addresses of one request, and of one request about these chains. */
  readonly most?: number
  readonly mostOn?: Readonly<Record<string, number>>
  /** The ids of the networks of a route that has codes of currencies in place of chains. */
  readonly codes?: Readonly<Record<string, string>>
}

/** EVM networks, whose accounts count their transactions. */
const counting = [
  "arb-one-mainnet",
  "arb-testnet",
  "avax-mainnet",
  "avax-testnet",
  "base-mainnet",
  "base-sepolia",
  "berachain-mainnet",
  "bsc-mainnet",
  "bsc-testnet",
  "celo-mainnet",
  "chiliz-mainnet",
  "cro-mainnet",
  "cro-testnet",
  "egld-mainnet",
  "egld-testnet",
  "ethereum-classic-mainnet",
  "ethereum-classic-testnet",
  "ethereum-mainnet",
  "ethereum-sepolia",
  "fantom-mainnet",
  "fantom-testnet",
  "flare-coston",
  "flare-coston2",
  "flare-mainnet",
  "flare-songbird",
  "kcs-mainnet",
  "kcs-testnet",
  "klaytn-baobab",
  "klaytn-cypress",
  "monad-mainnet",
  "monad-testnet",
  "one-mainnet-s0",
  "one-testnet-s0",
  "optimism-mainnet",
  "optimism-testnet",
  "polygon-amoy",
  "polygon-mainnet",
  "sonic-blaze",
  "sonic-mainnet",
  "unichain-mainnet",
  "unichain-sepolia",
  "xdc-mainnet",
  "xdc-testnet"
]

const others = [
  "algorand-mainnet-algod",
  "algorand-testnet-algod",
  ...coins,
  ...cardano,
  "ripple-mainnet",
  "ripple-testnet",
  "solana-devnet",
  "solana-mainnet",
  "stellar-mainnet",
  "stellar-testnet",
  "tron-mainnet",
  "tron-testnet",
  "vechain-mainnet",
  "vechain-testnet"
]

const eos = ["eos-mainnet", "eos-testnet"]
const bitcoinCash = ["bch-mainnet", "bch-testnet"]
const zcash = ["zcash-mainnet", "zcash-testnet"]

const balances = [...counting, ...others, ...eos]
const blocks = [...balances, ...bitcoinCash, ...zcash]
const transactions = [...counting, ...others, ...bitcoinCash, ...zcash]

/** Bitcoin's kind in the names that these routes have for it. */
const dogecoins = [
  "bitcoin-mainnet",
  "bitcoin-testnet",
  "litecoin-mainnet",
  "litecoin-testnet",
  "dogecoin-mainnet",
  "dogecoin-testnet"
]

const staked = ["solana-mainnet", "ethereum-mainnet"]
const ranked = ["ethereum-mainnet", "base-mainnet"]

const priced = [
  "ethereum-mainnet",
  "solana-mainnet",
  "base-mainnet",
  "arb-one-mainnet",
  "bsc-mainnet",
  "polygon-mainnet",
  "optimism-mainnet",
  "berachain-mainnet",
  "unichain-mainnet",
  "celo-mainnet"
]

const multitokens = [
  ...evm.filter((chain) => chain !== "bsc-mainnet"),
  "ethereum-holesky",
  "polygon-amoy",
  "celo-testnet",
  "algorand-mainnet-algod",
  "algorand-testnet-algod"
]

/**
 * The table of routes. Those without chains are about symbols of currencies.
 *
 * @since 0.1.0
 * @category constants
 */
export const v4Routes = {
  balance: { v4: "data/blockchains/balance", chains: balances },
  balanceBatch: {
    v4: "data/blockchains/balance/batch",
    chains: balances,
    most: 30,
    mostOn: { "tron-mainnet": 10, "tron-testnet": 10 }
  },
  block: { v4: "data/blockchains/block", chains: blocks },
  currentBlock: { v4: "data/blockchains/block/current", chains: blocks },
  blockByHash: { v4: "data/blockchains/block/hash", chains: blocks },
  blockAtTime: {
    v4: "data/block/time",
    chains: [...evm, "ethereum-holesky", "bitcoin-mainnet", "bsc-testnet", "celo-testnet"]
  },
  mempool: { v4: "data/blockchains/mempool", chains: [...dogecoins, ...bitcoinCash] },
  transaction: { v4: "data/blockchains/transaction", chains: transactions },
  transactionCount: { v4: "data/blockchains/transaction/count", chains: counting },
  internalTransactions: {
    v4: "data/blockchains/transaction/internal",
    chains: [
      ...evm,
      "avax-mainnet",
      "avax-testnet",
      "bsc-testnet",
      "monad-mainnet",
      "polygon-amoy",
      "sonic-blaze",
      "sonic-mainnet",
      "xdc-mainnet",
      "xdc-testnet"
    ]
  },
  utxoInfo: { v4: "data/blockchains/utxo/info", chains: [...dogecoins, ...bitcoinCash] },
  utxoHistory: dataRoutes.utxoHistory,
  utxoHistoryBatch: {
    v4: "data/blockchains/transaction/history/utxos/batch",
    // the description has Dogecoin under one name among the route's chains, under the other in its body: the body's comes first
    chains: [...coins, ...cardano, "dogecoin-mainnet", "dogecoin-testnet"],
    isPost: true
  },
  utxosBatch: { v4: "data/utxos/batch", chains: dataRoutes.utxos.chains, isPost: true },
  gas: {
    v4: "blockchainOperations/gas",
    chains: [],
    isPost: true,
    // POL_ETH is passed on, but is no network's id here: the description does not say which network it means
    codes: {
      BSC: "bsc-mainnet",
      CELO: "celo-mainnet",
      EGLD: "egld-mainnet",
      ETH: "ethereum-mainnet",
      ONE: "one-mainnet-s0",
      KLAY: "klaytn-mainnet",
      KCS: "kcs-mainnet",
      FLR: "flare-mainnet",
      CRO: "cronos-mainnet",
      AVAX: "avalanche-c-mainnet",
      BASE: "base-mainnet",
      POL_ETH: "POL_ETH",
      OPTIMISM: "optimism-mainnet",
      FTM: "fantom-mainnet",
      S: "sonic-mainnet"
    }
  },
  miningRewards: { v4: "data/mining/rewards", chains: dogecoins },
  totalMiningRewards: { v4: "data/mining/totalRewards", chains: dogecoins },
  nftBalances: {
    v4: "data/nft/balances",
    chains: [...multitokens, "bsc-mainnet", "bsc-testnet", "solana-devnet", "solana-mainnet"]
  },
  multitokenBalances: { v4: "data/multitoken/balances", chains: multitokens },
  name: {
    v4: "data/ns/name",
    chains: ["ethereum-mainnet", "base-mainnet", "bsc-mainnet", "arb-one-mainnet", "solana-mainnet"]
  },
  rateByContract: { v4: "data/rate/contract", chains: priced },
  rateByContractBatch: { v4: "data/rate/contract/batch", chains: priced, isPost: true },
  rateBySymbol: { v4: "data/rate/symbol", chains: [] },
  rateBySymbolBatch: { v4: "data/rate/symbol/batch", chains: [], isPost: true },
  // the description has chains for it, and no parameter that takes one
  rateHistory: { v4: "data/rate/history", chains: ranked },
  priceChange: { v4: "data/rate/price-change", chains: [] },
  priceChangeBatch: { v4: "data/rate/price-change/batch", chains: [], isPost: true },
  ohlcv: { v4: "data/rate/symbol/OHLCV", chains: [] },
  ohlcvBatch: { v4: "data/rate/symbol/OHLCV/batch", chains: [] },
  liquidAssets: { v4: "data/staking/liquid/current-assets", chains: staked },
  liquidPools: { v4: "data/staking/liquid/pools", chains: staked },
  stakedAssets: { v4: "data/staking/native/current-assets", chains: staked },
  stakedAssetsByValidator: {
    v4: "data/staking/native/current-assets-by-validator",
    chains: staked
  },
  stakingPools: { v4: "data/staking/native/pools", chains: ["solana-mainnet"] },
  stakingRewards: { v4: "data/staking/native/rewards", chains: staked },
  stakingTransactions: { v4: "data/staking/native/transactions", chains: staked },
  newestTokens: { v4: "data/tokens/newest", chains: ranked },
  popularTokens: { v4: "data/tokens/popular", chains: ranked },
  popularTokensHistory: { v4: "data/tokens/popular/history", chains: ranked },
  trendingTokens: { v4: "data/tokens/trending", chains: ranked },
  transferDna: { v4: "data/transactions/dna", chains: ranked },
  balanceAt: {
    v4: "data/wallet/balance/time",
    chains: ["bitcoin-mainnet", ...priced.filter((chain) => chain !== "solana-mainnet")]
  },
  reputation: { v4: "data/wallet/reputation", chains: ranked },
  reputationPortfolio: { v4: "data/wallet/reputation/portfolio", chains: ranked },
  reputationTokens: { v4: "data/wallet/reputation/tokens", chains: ranked }
} as const satisfies Record<string, V4Route>

/**
 * The provider's name for the chain that a text means on a route, or undefined if the route does not serve it: the text is the id of a
 * network, the provider's name for it, or the short name of a mainnet (`ethereum`).
 *
 * @since 0.1.0
 * @category getters
 */
export const chainOfRoute = ({ chains, codes = {} }: V4Route, text: string): string | undefined =>
  findChain(chains, text) ??
  Object.entries(codes).find(
    ([code, id]) => code === text || id === idOfChain(text) || id === idOfChain(`${text}-mainnet`)
  )?.[0]

/**
 * The ids of the networks that a route serves.
 *
 * @since 0.1.0
 * @category getters
 */
export const networksOfRoute = ({ chains, codes = {} }: V4Route): ReadonlyArray<string> => [
  ...new Set([...chains.map(idOfChain), ...Object.values(codes)])
]
