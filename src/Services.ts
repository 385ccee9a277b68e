/**
 * What a client has beside its nodes: the services over the provider's REST API, and what each of their methods does.
 * They are loaded when first called, so that an application ships only what it uses.
 *
 * @since 0.1.0
 */
import type * as Network from "./Network.js"
import type { RatesService } from "./services/Rates.js"
import type { WalletProviderService } from "./services/WalletProvider.js"

/**
 * The services of a client, by name. A new service is a line here, its methods in {@link catalogue}, and a line in the
 * loaders.
 *
 * @since 0.1.0
 * @category types
 */
export interface Services {
  /** Exchange rates. */
  readonly rates: RatesService
  /** Browser wallets. */
  readonly wallet: WalletProviderService
}

/**
 * What a method does: it reads, it may have an effect (`write`: never repeated on its own), or it yields items as they
 * are consumed (`stream`).
 *
 * @since 0.1.0
 * @category models
 */
export type MethodKind = "read" | "write" | "stream"

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
 * Every method of every service, and what it does. The Promise and Rx surfaces are derived from it.
 *
 * @since 0.1.0
 * @category data
 */
export const catalogue: { readonly [S in keyof Services]: Methods<Services[S]> } = {
  rates: { getCurrentRate: "read", getCurrentRateBatch: "read" },
  wallet: {
    discover: "read",
    use: "write",
    // it may ask the user
    getWallet: "write",
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
    accountsChanged: "stream",
    chainChanged: "stream"
  }
}

type Row<N extends Network.Network> = (typeof Network.networks)[N]

/** The families with browser wallets. */
type EvmFamily = "evm" | "evm-beacon" | "evm-native" | "zksync"

/**
 * The names of the services that a network has, by the columns of its row.
 *
 * @since 0.1.0
 * @category types
 */
export type ServiceName<N extends Network.Network> =
  | "rates"
  | (Row<N> extends { readonly family: EvmFamily; readonly chainId: number } ? "wallet" : never)
  | (Row<N> extends { readonly data: string } ? never : never)

/**
 * The services of a network, on the Effect surface.
 *
 * @since 0.1.0
 * @category types
 */
export type ServicesOf<N extends Network.Network> = Pick<Services, ServiceName<N>>
