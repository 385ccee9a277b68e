import { Result, Rx } from "@effect-rx/rx-react"
import type * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { DiscoveredWallet, WalletReadError } from "../src/services/WalletProvider.js"
import { errorOf, type RxFactory } from "./Reactive.js"
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

/** The accounts and the chain of a wallet, each by event and by read. */
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

/** The cause of a failure. A page without a wallet, or where the user has chosen none of several, is no failure. */
const failureCauseOf = (part: WalletResult<unknown>): Cause.Cause<WalletReadError> | undefined =>
  Result.isFailure(part) && !/Installed|Chosen/.test(errorOf(part.cause)._tag) ? part.cause : undefined

/** The Rx of the page's wallet. It has a value as soon as the accounts are known, or that there is no wallet. */
export const makeWalletRx = (derived: RxFactory): Rx.Rx<WalletResult<WalletState>> => {
  const factory = derived as WalletRxFactory
  const discover = factory.read<ReadonlyArray<DiscoveredWallet>>("wallet.discover", [])
  const live = makeWalletParts(factory)
  const [accountsEvent, accountsRead, chainEvent, chainRead] = live
  const changed = derived.live("wallet.changed", [])
  const wallet = Rx.readable(
    (get): WalletResult<WalletState> => {
      const before = get.self<WalletResult<WalletState>>()
      const found = get(discover)
      const [accounts, chainId] = [get(accountsRead), get(chainRead)] as const
      const seen = preferEvent(get(accountsEvent), accounts)
      const chain = preferEvent(get(chainEvent), chainId)
      get.mount(changed)
      get.subscribe(changed, () => get.refresh(wallet))
      if (!Result.isSuccess(found)) return Result.replacePrevious(found, before)
      if (Result.isInitial(seen)) return Result.initial(true)
      // the registry takes two failures of equal cause for the same one: `waiting` tells a later failure from an earlier one
      const waiting = found.waiting || accounts.waiting || chainId.waiting
      const state = Result.success(
        keepIdentity(
          Option.flatMap(before, Result.value),
          makeWalletState(found.value, currentValueOf(seen), currentValueOf(chain))
        ),
        { waiting }
      )
      const cause = failureCauseOf(seen) ?? failureCauseOf(chain)
      return cause === undefined
        ? state
        : Result.failure(cause, { previousSuccess: Option.some(state), waiting })
    },
    (refresh) => {
      const all: ReadonlyArray<Rx.Rx<unknown>> = [discover, ...live]
      for (const part of all) refresh(part)
    }
  )
  return Rx.setLazy(wallet, false)
}
