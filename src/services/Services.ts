/**
 * The services of a client over the provider's REST API, and the kind of each of their methods. A service is loaded with its first call,
 * so that an application ships only what it uses.
 *
 * @since 0.1.0
 */
import type * as Redacted from "effect/Redacted"
import type { ServiceName } from "../data/Coverage.js"
import type * as Network from "../data/Network.js"
import type { AddressService } from "./Address.js"
import type { ContractService } from "./Contract.js"
import type { DataApiService } from "./DataApi.js"
import type { ExplorerService } from "./Explorer.js"
import type { FeeService } from "./Fee.js"
import type { NftService } from "./Nft.js"
import type { NotificationService } from "./Notification.js"
import type { ProviderService } from "./Provider.js"
import type { RatesService } from "./Rates.js"
import type { StorageService } from "./Storage.js"
import type { TokenService } from "./Token.js"
import type { WalletProviderService } from "./WalletProvider.js"

/**
 * The services of a client, by name. A new service is a line here, its methods in {@link catalogue}, its networks in
 * `Coverage.serviceNeeds`, and a line in the loaders.
 *
 * @since 0.1.0
 * @category types
 */
export interface Services {
  /** Balances and histories of addresses. */
  readonly address: AddressService
  /** Contracts of the provider's templates. */
  readonly contract: ContractService
  /** The data API without a layer above it. */
  readonly data: DataApiService
  /** Links to a block explorer. */
  readonly explorer: ExplorerService
  /** The current fees of a transaction. */
  readonly fee: FeeService
  /** Low-level access to the provider. */
  readonly provider: ProviderService
  /** Files on IPFS. */
  readonly ipfs: StorageService
  /** Non-fungible tokens and multitokens. */
  readonly nft: NftService
  /** Subscriptions, and the calls that the provider has made for them. */
  readonly notification: NotificationService
  /** Exchange rates. */
  readonly rates: RatesService
  /** Fungible tokens. */
  readonly token: TokenService
  /** Browser wallets. */
  readonly wallet: WalletProviderService
}

/**
 * The kind of a method: a read, a `write` (never retried), a `stream` of a list's items, or `live` events from now on.
 *
 * @since 0.1.0
 * @category models
 */
export type MethodKind = "read" | "write" | "stream" | "live"

/**
 * The methods of a service by kind; groups of methods nest.
 *
 * @since 0.1.0
 * @category models
 */
export type Methods<S> = {
  readonly [K in keyof S]: S[K] extends (...args: never) => unknown ? MethodKind : Methods<S[K]>
}

/**
 * Every method of every service, and its kind. The Promise and Rx surfaces are derived from it.
 *
 * @since 0.1.0
 * @category constants
 */
export const catalogue = {
  address: {
    getBalance: "read",
    streamBalance: "stream",
    getTransactions: "read",
    streamTransactions: "stream"
  },
  contract: { deploy: "write", prepare: "read" },
  data: {
    getTokensFromCollection: "read",
    streamTokensFromCollection: "stream",
    getTokenMetadata: "read",
    getBalancesOfAddresses: "read",
    streamBalancesOfAddresses: "stream",
    getOwnersOfToken: "read",
    streamOwnersOfToken: "stream",
    checkOwner: "read",
    getTransactions: "read",
    streamTransactions: "stream",
    getTransactionsByHash: "read",
    getEvents: "read",
    streamEvents: "stream",
    getBlocks: "read",
    getLatestBlock: "read",
    getTokenInfo: "read",
    getUtxosByAddress: "read",
    createFungibleToken: "write",
    blockchains: {
      getBalance: "read",
      getBalanceBatch: "read",
      getBlock: "read",
      getBlockByHash: "read",
      getCurrentBlock: "read",
      getBlockAtTime: "read",
      getMempool: "read",
      getTransaction: "read",
      getTransactionCount: "read",
      getInternalTransactions: "read",
      getUtxo: "read",
      getUtxosBatch: "read",
      getUtxoHistory: "read",
      getUtxoHistoryBatch: "read",
      estimateGas: "read"
    },
    mining: { getRewards: "read", streamRewards: "stream", getTotalRewards: "read" },
    names: { resolve: "read" },
    nfts: { getBalances: "read", streamBalances: "stream" },
    multitokens: { getBalances: "read", streamBalances: "stream" },
    rates: {
      getByContract: "read",
      getByContractBatch: "read",
      getBySymbol: "read",
      getBySymbolBatch: "read",
      getHistory: "read",
      getPriceChange: "read",
      getPriceChangeBatch: "read",
      getOhlcv: "read",
      getOhlcvBatch: "read"
    },
    staking: {
      liquid: { getAssets: "read", getPools: "read" },
      native: {
        getAssets: "read",
        getAssetsByValidator: "read",
        getPools: "read",
        getRewards: "read",
        getTransactions: "read",
        streamTransactions: "stream"
      }
    },
    tokens: {
      getNewest: "read",
      streamNewest: "stream",
      getPopular: "read",
      streamPopular: "stream",
      getPopularHistory: "read",
      getTrending: "read",
      streamTrending: "stream",
      getTransfersDna: "read"
    },
    wallet: {
      getBalanceAt: "read",
      getReputation: "read",
      getReputationPortfolio: "read",
      getReputationTokens: "read"
    }
  },
  explorer: { tx: "read", address: "read", block: "read", token: "read" },
  fee: { getCurrentFee: "read" },
  provider: {
    get: "read",
    post: "write",
    put: "write",
    delete: "write",
    uploadFile: "write",
    getFile: "read",
    rpcCall: "write"
  },
  ipfs: { uploadFile: "write", getFile: "read", streamFile: "stream" },
  nft: {
    createNftCollection: "write",
    createMultiTokenNftCollection: "write",
    mintNft: "write",
    mintNftWithMetadata: "write",
    getBalance: "read",
    streamBalance: "stream",
    getAllNftTransactions: "read",
    streamAllNftTransactions: "stream",
    getAllNftTransactionsByAddress: "read",
    streamAllNftTransactionsByAddress: "stream",
    getNftMetadata: "read",
    getNftOwner: "read",
    streamNftOwner: "stream",
    checkNftOwner: "read",
    getNftsInCollection: "read",
    streamNftsInCollection: "stream"
  },
  notification: {
    subscribe: {
      addressEvent: "write",
      incomingNativeTx: "write",
      outgoingNativeTx: "write",
      outgoingFailedTx: "write",
      paidFee: "write",
      incomingInternalTx: "write",
      outgoingInternalTx: "write",
      incomingFungibleTx: "write",
      outgoingFungibleTx: "write",
      incomingNftTx: "write",
      outgoingNftTx: "write",
      incomingMultitokenTx: "write",
      outgoingMultitokenTx: "write",
      contractAddressLogEvent: "write",
      failedTxsPerBlock: "write"
    },
    getAll: "read",
    streamAll: "stream",
    count: "read",
    update: "write",
    updateNetwork: "write",
    unsubscribe: "write",
    getAllExecutedWebhooks: "read",
    streamAllExecutedWebhooks: "stream",
    countExecutedWebhooks: "read",
    templates: {
      create: "write",
      getAll: "read",
      streamAll: "stream",
      update: "write",
      delete: "write",
      getDefault: "read",
      setDefault: "write"
    },
    enableHmac: "write",
    disableHmac: "write"
  },
  rates: { getCurrentRate: "read", getCurrentRateBatch: "read" },
  token: {
    getBalance: "read",
    streamBalance: "stream",
    getTokenMetadata: "read",
    createNewFungibleToken: "write",
    getAllFungibleTransactions: "read",
    streamAllFungibleTransactions: "stream"
  },
  wallet: {
    discover: "read",
    use: "write",
    disconnect: "write",
    // it may ask the user
    getWallet: "write",
    getProvider: "write",
    getAccounts: "read",
    chainId: "read",
    switchChain: "write",
    transferNative: "write",
    transferErc20: "write",
    approveErc20: "write",
    transferNft: "write",
    createNftCollection: "write",
    createFungibleToken: "write",
    createErc1155NftCollection: "write",
    signAndBroadcast: "write",
    changed: "live",
    accountsChanged: "live",
    chainChanged: "live"
  }
} as const satisfies { readonly [S in keyof Services]: Methods<Services[S]> }

/** Services whose answer or error types depend on the network. */
interface Specific<N extends Network.AnyNetwork, Secret> {
  /** Balances and histories of addresses. */
  readonly address: AddressService<N>
  /** Contracts of the provider's templates. */
  readonly contract: ContractService<N>
  /** Links to a block explorer. */
  readonly explorer: ExplorerService<N>
  /** The current fees of a transaction. */
  readonly fee: FeeService<N>
  /** Non-fungible tokens and multitokens. */
  readonly nft: NftService<N>
  /** Subscriptions, and the calls that the provider has made for them. */
  readonly notification: NotificationService<N, Secret>
  /** Fungible tokens. */
  readonly token: TokenService<N>
}

/**
 * The services of a network, on the Effect surface, or with secrets as another one has them.
 *
 * @since 0.1.0
 * @category types
 */
export type ServicesOf<N extends Network.AnyNetwork, Secret = string | Redacted.Redacted> = Pick<
  Services,
  Exclude<ServiceName<N>, keyof Specific<N, Secret>>
> &
  Pick<Specific<N, Secret>, Extract<ServiceName<N>, keyof Specific<N, Secret>>>
