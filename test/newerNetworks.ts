/**
 * The networks that came after the reference SDK's: what two public sources say of each, the chain's coin and its id. viem has its
 * own modules of them; of the list `ethereum-lists/chains`, this is what its file of the chain id said in 2026.
 */
import * as chains from "viem/chains"

interface Listed {
  readonly symbol: string
  readonly decimals: number
  readonly chainId: number
}

interface Newer {
  /** viem's definition. */
  readonly viem: (typeof chains)["monad"] | { readonly id: number; readonly nativeCurrency: object }
  /** The other source, and what it says. */
  readonly listed: Listed
  readonly from: string
}

const list = "ethereum-lists/chains"

/** The newer networks with chain ids. */
export const newerChains = {
  "monad-mainnet": {
    viem: chains.monad,
    listed: { symbol: "MON", decimals: 18, chainId: 143 },
    from: list
  },
  "hyperevm-mainnet": {
    viem: chains.hyperEvm,
    listed: { symbol: "HYPE", decimals: 18, chainId: 999 },
    // the list of chains still has a testnet of Wanchain under this id
    from: "Hyperliquid's documentation of HyperEVM"
  },
  "plasma-mainnet": {
    viem: chains.plasma,
    listed: { symbol: "XPL", decimals: 18, chainId: 9745 },
    from: list
  },
  "xlayer-mainnet": {
    viem: chains.xLayer,
    listed: { symbol: "OKB", decimals: 18, chainId: 196 },
    from: list
  },
  "abstract-mainnet": {
    viem: chains.abstract,
    listed: { symbol: "ETH", decimals: 18, chainId: 2741 },
    from: list
  },
  "plume-mainnet": {
    viem: chains.plumeMainnet,
    listed: { symbol: "PLUME", decimals: 18, chainId: 98866 },
    from: list
  },
  "robinhood-mainnet": {
    viem: chains.robinhood,
    listed: { symbol: "ETH", decimals: 18, chainId: 4663 },
    from: list
  },
  "moonbeam-mainnet": {
    viem: chains.moonbeam,
    listed: { symbol: "GLMR", decimals: 18, chainId: 1284 },
    from: list
  },
  "moonriver-mainnet": {
    viem: chains.moonriver,
    listed: { symbol: "MOVR", decimals: 18, chainId: 1285 },
    from: list
  },
  "moonbase-alpha": {
    viem: chains.moonbaseAlpha,
    listed: { symbol: "DEV", decimals: 18, chainId: 1287 },
    from: list
  },
  "celo-sepolia": {
    viem: chains.celoSepolia,
    listed: { symbol: "CELO", decimals: 18, chainId: 11142220 },
    from: list
  },
  "tron-nile": {
    viem: chains.tronNile,
    listed: { symbol: "TRX", decimals: 6, chainId: 3448148188 },
    from: list
  }
} as const satisfies Readonly<Record<string, Newer>>

/** Every network that the facts about the reference SDK do not have. */
export const newer: ReadonlyArray<string> = [
  ...Object.keys(newerChains),
  "sui-mainnet",
  "sui-testnet",
  "sui-devnet",
  "aptos-mainnet",
  "aptos-testnet",
  "aptos-devnet"
]
