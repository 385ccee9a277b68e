import { Result, Rx } from "@effect-rx/rx-react"
import * as Option from "effect/Option"
import type { DiscoveredWallet, WalletReadError } from "../src/services/WalletProvider.js"
import { type Derived, errorOf, valueOf } from "./Reactive.js"
import { shared } from "./values.js"

/**
 * The wallet of the page as it is now.
 *
 * @since 0.1.0
 * @category models
 */
export interface WalletState {
  /** Those that have announced themselves (EIP-6963). */
  readonly wallets: ReadonlyArray<DiscoveredWallet>
  /** The account that is used, if the page may see one. */
  readonly account: string | undefined
  readonly accounts: ReadonlyArray<string>
  /** The chain that the wallet is on (EIP-155). */
  readonly chainId: bigint | undefined
  readonly isConnected: boolean
}

export const stateOf = (
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

/** How wallets announce themselves (EIP-6963). */
const ANNOUNCE = "eip6963:announceProvider"

type Said<A> = Result.Result<A, WalletReadError>

/** What the methods of these names say is declared, but not to whom looks them up by name. */
const said = <A>(rx: unknown): Rx.Rx<Said<A>> => rx as Rx.Rx<Said<A>>

/** What a wallet says by itself and when it is asked: of its accounts, of its chain. */
export const partsOf = ({ live, read }: Derived) =>
  [
    said<ReadonlyArray<string>>(live("wallet.accountsChanged", [])),
    said<ReadonlyArray<string>>(read("wallet.getAccounts", [])),
    said<bigint>(live("wallet.chainChanged", [])),
    said<bigint>(read("wallet.chainId", []))
  ] as const

/** The newest of what a wallet has said. */
const newest = <A>(told: Said<A>, asked: Said<A>): Said<A> =>
  Result.isSuccess(told) && !(Result.isSuccess(asked) && asked.timestamp > told.timestamp) ? told : asked

/** Why a wallet says nothing, if it is for want of one. */
const lacking = (part: Said<unknown>): string | undefined =>
  Result.isFailure(part) ? /^WalletNot\w+/.exec(errorOf(part.cause)._tag)?.[0] : undefined

/** What is known of a wallet: of one that is not there, nothing. */
const knownOf = <A>(part: Said<A>): A | undefined => (lacking(part) === undefined ? valueOf(part) : undefined)

/** The wallet of a page: it is there as soon as its accounts are known, or that there is none. */
export const walletOf = (derived: Derived): Rx.Rx<Said<WalletState>> => {
  const discover = said<ReadonlyArray<DiscoveredWallet>>(derived.read("wallet.discover", []))
  const live = partsOf(derived)
  const [accountsTold, accountsAsked, chainTold, chainAsked] = live
  const known = new Set<unknown>()
  const wallet = Rx.readable(
    (get): Said<WalletState> => {
      const before = get.self<Said<WalletState>>()
      const found = get(discover)
      const [accounts, chainId] = [get(accountsAsked), get(chainAsked)] as const
      const seen = newest(get(accountsTold), accounts)
      const chain = newest(get(chainTold), chainId)
      // a wallet that comes late may be the one that was chosen
      const heard = (event: Event): void => {
        const { rdns } = Object(Object(Reflect.get(event, "detail")).info)
        if (!known.has(rdns) && !found.waiting) get.refresh(wallet)
        known.add(rdns)
      }
      globalThis.window?.addEventListener(ANNOUNCE, heard)
      get.addFinalizer(() => globalThis.window?.removeEventListener(ANNOUNCE, heard))
      if (!Result.isSuccess(found)) return Result.replacePrevious(found, before)
      if (Result.isInitial(seen)) return Result.initial(true)
      // without this a failure that has come first would hide what comes after it: to registries they are the same
      const waiting = found.waiting || accounts.waiting || chainId.waiting
      const state = Result.success(
        shared(Option.flatMap(before, Result.value), stateOf(found.value, knownOf(seen), knownOf(chain))),
        { waiting }
      )
      const parts: ReadonlyArray<Said<unknown>> = [seen, chain]
      // a page without a wallet, or without a choice, is no error
      const failed = parts.find(
        (part) => Result.isFailure(part) && (lacking(part) ?? "WalletNotFound") === "WalletNotFound"
      )
      return failed !== undefined && Result.isFailure(failed)
        ? Result.failure(failed.cause, { previousSuccess: Option.some(state), waiting })
        : state
    },
    (refresh) => {
      const all: ReadonlyArray<Rx.Rx<unknown>> = [discover, ...live]
      for (const part of all) refresh(part)
    }
  )
  return Rx.setLazy(wallet, false)
}
