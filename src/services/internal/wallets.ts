import * as Effect from "effect/Effect"
import type { BrowserWallet } from "../../config/Extension.js"
import { member } from "../../data/foreign.js"
import { WalletNotChosen, WalletNotFound, WalletNotInstalled } from "../../data/SdkError.js"

/**
 * A wallet that has announced itself on the page (EIP-6963). `uuid` is new with every page, `rdns` stays the same; `icon`
 * is a data URI, to be shown in an `<img>` only. Nobody verifies the words of wallets about themselves.
 *
 * @since 0.1.0
 * @category models
 */
export interface DiscoveredWallet {
  readonly uuid: string
  readonly name: string
  readonly icon: string
  readonly rdns: string
  readonly provider: BrowserWallet
}

/** The part of a window that discovery needs. */
interface Page {
  addEventListener(type: string, listener: (event: unknown) => void): void
  removeEventListener(type: string, listener: (event: unknown) => void): void
  dispatchEvent(event: Event): unknown
}

/** EIP-6963. */
const ANNOUNCE = "eip6963:announceProvider"
const REQUEST = "eip6963:requestProvider"

/** Whether a value can be asked as EIP-1193 has it. */
export const isWallet = (value: unknown): value is BrowserWallet =>
  typeof member(value, "request") === "function"

const isPage = (value: unknown): value is Page =>
  ["addEventListener", "removeEventListener", "dispatchEvent"].every(
    (name) => typeof member(value, name) === "function"
  )

/** There is no window in a worker, nor on a server. */
const page = (): unknown => member(globalThis, "window")

/** An announcement, copied: its sender cannot change it afterwards. Anybody on the page can make one. */
const announced = (event: unknown): DiscoveredWallet | undefined => {
  const detail = member(event, "detail")
  const provider = member(detail, "provider")
  const info = member(detail, "info")
  const [uuid, name, icon, rdns] = ["uuid", "name", "icon", "rdns"].map((field) => member(info, field))
  return isWallet(provider) &&
    typeof uuid === "string" &&
    typeof name === "string" &&
    typeof icon === "string" &&
    typeof rdns === "string"
    ? { uuid, name, icon, rdns, provider }
    : undefined
}

interface Hearing {
  readonly found: Map<string, DiscoveredWallet>
  readonly end: () => void
}

/**
 * Asks the page's wallets to announce themselves. Those that are there do so before this returns; `late` is told of others,
 * once for each rdns.
 */
export const hear = (late: (wallet: DiscoveredWallet) => void = () => {}): Effect.Effect<Hearing> =>
  Effect.sync(() => {
    const window = page()
    const found = new Map<string, DiscoveredWallet>()
    if (!isPage(window)) return { found, end: () => {} }
    let isAsking = true
    const listener = (event: unknown): void => {
      const wallet = announced(event)
      // the first announcement of an id stands: a later one cannot take its place
      if (wallet === undefined || found.has(wallet.uuid)) return
      const isNew = Array.from(found.values()).every(({ rdns }) => rdns !== wallet.rdns)
      found.set(wallet.uuid, wallet)
      if (isNew && !isAsking) late(wallet)
    }
    window.addEventListener(ANNOUNCE, listener)
    window.dispatchEvent(new Event(REQUEST))
    isAsking = false
    return { found, end: () => window.removeEventListener(ANNOUNCE, listener) }
  })

const hearing = <A, E = never>(use: (found: ReadonlyMap<string, DiscoveredWallet>) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    hear(),
    ({ found }) => use(found),
    ({ end }) => Effect.sync(end)
  )

/** The page's wallets that announce themselves within this time. */
export const discover: Effect.Effect<ReadonlyArray<DiscoveredWallet>> = hearing((found) =>
  Effect.map(Effect.sleep("100 millis"), () => [...found.values()])
)

/** A wallet of the time before EIP-6963. */
const injected = (): BrowserWallet | undefined => {
  const wallet = member(page(), "ethereum")
  return isWallet(wallet) ? wallet : undefined
}

/** A wallet that a client can use, and the name by which an origin remembers it. */
export interface Candidate {
  readonly id: string
  readonly provider: BrowserWallet
}

/** A choice: a wallet, or its name alone where it has to be looked for; without a name, nothing was chosen. */
export type Choice = Partial<Candidate>

/** The name of nothing: the user has left, and no wallet is looked at before they choose again. */
export const LEFT = "none"

/** The name of a wallet that was passed in as an object: nobody can find it again. */
const PASSED = "object"

const RDNS = "rdns:"
const CONFIGURED = "configured:"
const INJECTED = "window.ethereum"

/** The name of a wallet that announces itself. */
export const idOf = (rdns: string): string => `${RDNS}${rdns}`

/** A wallet that the application brings along. */
export const configured = (name: string, provider: BrowserWallet): Candidate => ({
  id: `${CONFIGURED}${name}`,
  provider
})

type Found = ReadonlyMap<string, DiscoveredWallet>

/** All there are now: those of the application, those that have announced themselves, and the page's own. */
const candidates = (own: ReadonlyArray<Candidate>, found: Found): ReadonlyArray<Candidate> => {
  const old = injected()
  return [
    ...own,
    ...Array.from(found.values(), ({ provider, rdns }) => ({ id: idOf(rdns), provider })),
    ...(old === undefined ? [] : [{ id: INJECTED, provider: old }])
  ]
}

/** The name of a wallet that is passed in: the one it has on the page, if it is there. */
export const named = (own: ReadonlyArray<Candidate>, provider: BrowserWallet): Effect.Effect<Candidate> =>
  hearing((found) =>
    Effect.sync(() => ({
      id: candidates(own, found).find((each) => each.provider === provider)?.id ?? PASSED,
      provider
    }))
  )

/** How a name is shown. */
const shown = (id: string): string =>
  id === PASSED
    ? "one that the page had made itself"
    : [RDNS, CONFIGURED].reduce((text, kind) => (text.startsWith(kind) ? text.slice(kind.length) : text), id)

/** How often to look, 25 ms apart: extensions put their wallets into the page while it loads. */
const LOOKS = 20

/** After so many looks, those that are there are taken for all. */
const SETTLED = 4

/** Why there is no wallet. */
export type Missing = WalletNotInstalled | WalletNotFound | WalletNotChosen

/**
 * The wallet that was chosen, and no other, as soon as it is there. Where none was: the first of the application's own, or
 * the only one that announces itself, or `window.ethereum`, in this order. `passive` does not go back to users who left.
 */
export const resolve = (options: {
  readonly own: ReadonlyArray<Candidate>
  readonly choice: () => Choice
  readonly passive: boolean
}): Effect.Effect<Candidate, Missing> =>
  hearing((found) => {
    const { choice, own, passive } = options
    const look = (turn: number): Effect.Effect<Candidate, Missing> =>
      Effect.suspend(() => {
        const { id, provider } = choice()
        if (id !== undefined && provider !== undefined) return Effect.succeed({ id, provider })
        const all = candidates(own, found)
        const rdns = [...new Set(Array.from(found.values(), (each) => each.rdns))]
        const isChosen = id !== undefined && id !== LEFT
        if (!isChosen && own[0] === undefined && rdns.length > 1)
          return new WalletNotChosen({ wallets: rdns })
        const late = turn >= LOOKS || page() === undefined
        const wallet = isChosen
          ? all.find((each) => each.id === id)
          : own[0] !== undefined || turn >= SETTLED
            ? all[0]
            : undefined
        if (id === LEFT && passive && (wallet !== undefined || late))
          return new WalletNotChosen({ wallets: rdns })
        if (wallet !== undefined) return Effect.succeed(wallet)
        if (late) return isChosen ? new WalletNotFound({ wallet: shown(id) }) : new WalletNotInstalled()
        return Effect.zipRight(Effect.sleep("25 millis"), look(turn + 1))
      })
    return look(0)
  })

/** The part of localStorage that is used. */
interface Store {
  getItem(key: string): unknown
  setItem(key: string, value: string): unknown
  removeItem(key: string): unknown
}

const isStore = (value: unknown): value is Store =>
  ["getItem", "setItem", "removeItem"].every((name) => typeof member(value, name) === "function")

/** Uses the storage of the origin, which outlives the page. It may be forbidden or full: then nothing is kept. */
const keeping = <A>(use: (store: Store) => A): A | undefined => {
  const store = member(page(), "localStorage")
  try {
    return isStore(store) ? use(store) : undefined
  } catch {
    return undefined
  }
}

/** The keys of remembered choices: of a chain, and of all chains of its kind (CAIP-2). */
const keysOf = (chainId: number) => ({
  chain: `effect-chains.wallet.eip155:${chainId}`,
  kind: "effect-chains.wallet.eip155"
})

/** The name of the wallet that was chosen for a chain, else the last one for another chain of the kind. */
export const remembered = (chainId: number): string | undefined =>
  keeping((store) => {
    const { chain, kind } = keysOf(chainId)
    return [store.getItem(chain), store.getItem(kind)].find(
      (id): id is string => typeof id === "string" && id !== ""
    )
  })

/** Remembers the choice of a wallet for a chain. */
export const remember = (chainId: number, id: string): void => {
  const { chain, kind } = keysOf(chainId)
  keeping((store) => {
    store.setItem(chain, id)
    if (id === LEFT) store.removeItem(kind)
    else store.setItem(kind, id)
  })
}

/** Whether nothing was chosen for a chain, or its user has left. */
export const isFree = (chainId: number): boolean =>
  keeping((store) => [null, LEFT].some((id) => store.getItem(keysOf(chainId).chain) === id)) ?? false
