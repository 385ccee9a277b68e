import type * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { DiscoveredWallet, WalletReadError } from "../src/services/WalletProvider.js"
import type { NetworkClient } from "./ClientStore.js"
import { errorOf, type RxFactory } from "./Reactive.js"
import * as Result from "./Result.js"
import * as Rx from "./Rx.js"
import { keepIdentity } from "./values.js"

/**
 * The state of the page's wallet.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletState {
  /** The wallets that have announced themselves (EIP-6963). */
  readonly wallets: ReadonlyArray<DiscoveredWallet>
  /** The selected account, if the user has connected the page. */
  readonly account: string | undefined
  readonly accounts: ReadonlyArray<string>
  /** The wallet's chain (EIP-155). */
  readonly chainId: bigint | undefined
  readonly isConnected: boolean
}

export const makeWalletState = (
  wallets: WalletState["wallets"] = [],
  accounts: WalletState["accounts"] = [],
  chainId?: bigint
): WalletState => ({
  wallets,
  account: accounts[0],
  accounts,
  chainId,
  isConnected: accounts.length > 0
})

type WalletResult<A> = Result.Result<A, WalletReadError>

type GetWalletRx = <A>(path: string, args: ReadonlyArray<unknown>) => Rx.Rx<WalletResult<A>>

/** The Rx factory with typed answers: a look-up by path loses the types of the methods. */
interface WalletRxFactory {
  readonly live: GetWalletRx
  readonly read: GetWalletRx
}

/** The accounts and the chain of a wallet: of each the Rx of its events, and that of its read. */
const makeWalletParts = ({ live, read }: WalletRxFactory) =>
  [
    live<ReadonlyArray<string>>("wallet.accountsChanged", []),
    read<ReadonlyArray<string>>("wallet.getAccounts", []),
    live<bigint>("wallet.chainChanged", []),
    read<bigint>("wallet.chainId", [])
  ] as const

/** The last event since the read, else the answer of the read: an earlier event may be another wallet's. */
const preferEvent = <A>(event: WalletResult<A>, read: WalletResult<A>): WalletResult<A> =>
  Result.isSuccess(event) && !event.waiting ? event : read

/** The value of a result that has not failed. A value from before a failure may be another wallet's. */
const currentValueOf = <A>(part: WalletResult<A>): A | undefined =>
  Result.isSuccess(part) ? part.value : undefined

/** The cause of a failure. That no wallet is installed, or none of several is chosen, is a state and no failure. */
const failureCauseOf = (part: WalletResult<unknown>): Cause.Cause<WalletReadError> | undefined =>
  Result.isFailure(part) && !/Installed|Chosen/.test(errorOf(part.cause)._tag) ? part.cause : undefined

/**
 * The Rx of the page's wallet. It stays initial until the first read of the accounts has ended. If there is no wallet, that read fails, and the
 * state has no account.
 */
const makeWalletRx = (factory: RxFactory): Rx.Rx<WalletResult<WalletState>> => {
  const { live, read } = factory as WalletRxFactory
  const discover = read<ReadonlyArray<DiscoveredWallet>>("wallet.discover", [])
  const parts = makeWalletParts({ live, read })
  const [accountsEvent, accountsRead, chainEvent, chainRead] = parts
  const changes = live<unknown>("wallet.changed", [])
  const wallet = Rx.readable(
    (get): WalletResult<WalletState> => {
      const previous = get.self<WalletResult<WalletState>>()
      const wallets = get(discover)
      const [readAccounts, readChain] = [get(accountsRead), get(chainRead)] as const
      const accounts = preferEvent(get(accountsEvent), readAccounts)
      const chain = preferEvent(get(chainEvent), readChain)
      get.mount(changes)
      get.subscribe(changes, () => get.refresh(wallet))
      if (!Result.isSuccess(wallets)) return Result.replacePrevious(wallets, previous)
      if (Result.isInitial(accounts)) return Result.initial(true)
      // the registry ignores a failure whose cause equals the last one's, unless `waiting` has changed
      const waiting = wallets.waiting || readAccounts.waiting || readChain.waiting
      const state = Result.success(
        keepIdentity(
          Option.flatMap(previous, Result.value),
          makeWalletState(wallets.value, currentValueOf(accounts), currentValueOf(chain))
        ),
        { waiting }
      )
      const cause = failureCauseOf(accounts) ?? failureCauseOf(chain)
      return cause === undefined
        ? state
        : Result.failure(cause, { previousSuccess: Option.some(state), waiting })
    },
    (refresh) => {
      const sources: ReadonlyArray<Rx.Rx<unknown>> = [discover, ...parts]
      for (const source of sources) refresh(source)
    }
  )
  return Rx.setLazy(wallet, false)
}

const wallets = new WeakMap<NetworkClient, ReturnType<typeof makeWalletRx>>()

/** The page's wallet on a network, one Rx for all hooks. A page without these hooks does not load it. */
export const walletOf = (client: NetworkClient): ReturnType<typeof makeWalletRx> => {
  const wallet = wallets.get(client) ?? makeWalletRx(client)
  wallets.set(client, wallet)
  return wallet
}
