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

interface NewerChain {
  /** viem's definition. */
  readonly viem: {
    readonly id: number
    readonly nativeCurrency: object
    readonly rpcUrls: { readonly default: { readonly http: ReadonlyArray<string> } }
    readonly blockExplorers?: { readonly default: { readonly url: string } }
  }
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
} as const satisfies Readonly<Record<string, NewerChain>>

const profile = "the profile of its CAIP-2 namespace"
const sui = { coin: "SUI, 9", coinFrom: "Sui's documentation of `sui::sui`" } as const
const aptos = { coin: "APT, 8", coinFrom: "BitGo's documentation" } as const
const hedera = { coin: "HBAR, 8", coinFrom: "Hedera's documentation" } as const

/** The newer networks without a chain id of EIP-155: what their chain is called, their coin, and the source of each. */
export const otherChains: Readonly<
  Record<
    string,
    { readonly chain?: string; readonly from?: string; readonly coin: string; readonly coinFrom: string }
  >
> = {
  "sui-mainnet": { chain: "35834a8a", from: profile, ...sui },
  // its identifier changes when it begins anew
  "sui-testnet": sui,
  "sui-devnet": sui,
  "aptos-mainnet": { chain: "1", from: profile, ...aptos },
  "aptos-testnet": { chain: "2", from: profile, ...aptos },
  // its id changes when it begins anew
  "aptos-devnet": aptos,
  "hedera-mainnet-mirror": { chain: "mainnet", from: profile, ...hedera },
  "hedera-testnet-mirror": { chain: "testnet", from: profile, ...hedera },
  "hedera-previewnet-mirror": { chain: "previewnet", from: profile, ...hedera }
}

const lists = "DefiLlama/chainlist, maradeeym/rpcnodeslist"

/** The hosts of the provider: the networks for which a source names one, and the source. */
export const hosts: Readonly<Record<string, string>> = {
  "monad-mainnet": lists,
  "hyperevm-mainnet": lists,
  "plasma-mainnet": lists,
  "abstract-mainnet": lists,
  "plume-mainnet": lists,
  "celo-sepolia": lists,
  "tron-nile": "applications in public repositories",
  "sui-mainnet": lists,
  "sui-testnet": lists,
  "sui-devnet": lists
}

/** Every network that the facts about the reference SDK do not have. */
export const newerNetworks: ReadonlyArray<string> = [...Object.keys(newerChains), ...Object.keys(otherChains)]
