import * as Effect from "effect/Effect"
import type { BrowserWallet } from "../../config/Extension.js"
import { WalletNotChosen, WalletNotFound, WalletNotInstalled } from "../../data/SdkError.js"
import { readMember } from "../../data/untrusted.js"

/**
 * A wallet that is announced on the page (EIP-6963). `uuid` is new on each page, `rdns` stays; `icon` is a data URI that only an `<img>`
 * should show. Nobody verifies what wallets say about themselves.
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
interface EventWindow {
  addEventListener(type: string, listener: (event: unknown) => void): void
  removeEventListener(type: string, listener: (event: unknown) => void): void
  dispatchEvent(event: Event): unknown
}

/** EIP-6963. */
const ANNOUNCE = "eip6963:announceProvider"
const REQUEST = "eip6963:requestProvider"

/** Whether a value has the request function of EIP-1193. */
export const isWallet = (value: unknown): value is BrowserWallet =>
  typeof readMember(value, "request") === "function"

const isEventWindow = (value: unknown): value is EventWindow =>
  ["addEventListener", "removeEventListener", "dispatchEvent"].every(
    (name) => typeof readMember(value, name) === "function"
  )

/** There is no window in a worker, nor on a server. */
const getWindow = (): unknown => readMember(globalThis, "window")

/** An announcement, copied: its sender cannot change it afterwards. Anybody on the page can make one. */
const parseAnnouncement = (event: unknown): DiscoveredWallet | undefined => {
  const detail = readMember(event, "detail")
  const provider = readMember(detail, "provider")
  const info = readMember(detail, "info")
  const [uuid, name, icon, rdns] = ["uuid", "name", "icon", "rdns"].map((field) => readMember(info, field))
  return isWallet(provider) &&
    typeof uuid === "string" &&
    typeof name === "string" &&
    typeof icon === "string" &&
    typeof rdns === "string"
    ? { uuid, name, icon, rdns, provider }
    : undefined
}

interface WalletListener {
  readonly found: Map<string, DiscoveredWallet>
  readonly end: () => void
}

/**
 * Asks the page's wallets to announce themselves. Wallets that are loaded do so before this returns; `late` gets the others, once per
 * rdns.
 */
export const listenForWallets = (
  onLateWallet: (wallet: DiscoveredWallet) => void = () => {}
): Effect.Effect<WalletListener> =>
  Effect.sync(() => {
    const window = getWindow()
    const found = new Map<string, DiscoveredWallet>()
    if (!isEventWindow(window)) return { found, end: () => {} }
    let isAsking = true
    const listener = (event: unknown): void => {
      const wallet = parseAnnouncement(event)
      // the first announcement of an id counts: a later one cannot replace it
      if (wallet === undefined || found.has(wallet.uuid)) return
      const isNew = Array.from(found.values()).every(({ rdns }) => rdns !== wallet.rdns)
      found.set(wallet.uuid, wallet)
      if (isNew && !isAsking) onLateWallet(wallet)
    }
    window.addEventListener(ANNOUNCE, listener)
    window.dispatchEvent(new Event(REQUEST))
    isAsking = false
    return { found, end: () => window.removeEventListener(ANNOUNCE, listener) }
  })

const withWallets = <A, E = never>(
  use: (found: ReadonlyMap<string, DiscoveredWallet>) => Effect.Effect<A, E>
) =>
  Effect.acquireUseRelease(
    listenForWallets(),
    ({ found }) => use(found),
    ({ end }) => Effect.sync(end)
  )

/** The page's wallets that announce themselves within this time. */
export const discover: Effect.Effect<ReadonlyArray<DiscoveredWallet>> = withWallets((found) =>
  Effect.map(Effect.sleep("100 millis"), () => [...found.values()])
)

/** A wallet of the time before EIP-6963. */
const findInjected = (): BrowserWallet | undefined => {
  const wallet = readMember(getWindow(), "ethereum")
  return isWallet(wallet) ? wallet : undefined
}

/** A wallet that a client can use, and the name by which an origin remembers it. */
export interface WalletCandidate {
  readonly id: string
  readonly provider: BrowserWallet
}

/** A choice: a wallet, or only its name if it has to be looked for. Without a name, nothing was chosen. */
export type WalletChoice = Partial<WalletCandidate>

/** The name of no wallet: the user has disconnected, and no wallet is used before the next choice. */
export const DISCONNECTED_ID = "none"

/** The name of a wallet that was passed in as an object, which cannot be found again. */
const PASSED_OBJECT_ID = "object"

const RDNS_PREFIX = "rdns:"
const CONFIGURED_PREFIX = "configured:"
const INJECTED_ID = "window.ethereum"

/** The name of a wallet that announces itself. */
export const walletIdOf = (rdns: string): string => `${RDNS_PREFIX}${rdns}`

/** A wallet that the application brings along. */
export const makeConfigured = (name: string, provider: BrowserWallet): WalletCandidate => ({
  id: `${CONFIGURED_PREFIX}${name}`,
  provider
})

type FoundWallets = ReadonlyMap<string, DiscoveredWallet>

/** All present wallets: those of the application, the announced ones, and the page's own. */
const listCandidates = (
  own: ReadonlyArray<WalletCandidate>,
  found: FoundWallets
): ReadonlyArray<WalletCandidate> => {
  const old = findInjected()
  return [
    ...own,
    ...Array.from(found.values(), ({ provider, rdns }) => ({ id: walletIdOf(rdns), provider })),
    ...(old === undefined ? [] : [{ id: INJECTED_ID, provider: old }])
  ]
}

/** The name of a wallet that is passed in: the one that it has on the page, if it is there. */
export const identifyWallet = (
  own: ReadonlyArray<WalletCandidate>,
  provider: BrowserWallet
): Effect.Effect<WalletCandidate> =>
  withWallets((found) =>
    Effect.sync(() => ({
      id: listCandidates(own, found).find((each) => each.provider === provider)?.id ?? PASSED_OBJECT_ID,
      provider
    }))
  )

/** How a name is shown. */
const formatWalletId = (id: string): string =>
  id === PASSED_OBJECT_ID
    ? "one that the page had made itself"
    : [RDNS_PREFIX, CONFIGURED_PREFIX].reduce(
        (text, kind) => (text.startsWith(kind) ? text.slice(kind.length) : text),
        id
      )

/** How often to look, every 25 ms: extensions inject their wallets while the page loads. */
const MAX_LOOKS = 20

/** After this many looks, the wallets found so far are taken for all. */
const LOOKS_UNTIL_COMPLETE = 4

/** Why there is no wallet. */
export type WalletMissing = WalletNotInstalled | WalletNotFound | WalletNotChosen

/**
 * Resolves the chosen wallet, and no other, as soon as it is there. Without a choice it is the first of the application's own, the only
 * one that announces itself, or `window.ethereum`, in this order. `passive` does not reconnect users who have disconnected.
 */
export const resolveWallet = (options: {
  readonly own: ReadonlyArray<WalletCandidate>
  readonly choice: () => WalletChoice
  readonly passive: boolean
}): Effect.Effect<WalletCandidate, WalletMissing> =>
  withWallets((found) => {
    const { choice, own, passive } = options
    const look = (turn: number): Effect.Effect<WalletCandidate, WalletMissing> =>
      Effect.suspend(() => {
        const { id, provider } = choice()
        if (id !== undefined && provider !== undefined) return Effect.succeed({ id, provider })
        const all = listCandidates(own, found)
        const rdns = [...new Set(Array.from(found.values(), (each) => each.rdns))]
        const isChosen = id !== undefined && id !== DISCONNECTED_ID
        if (!isChosen && own[0] === undefined && rdns.length > 1)
          return new WalletNotChosen({ wallets: rdns })
        const late = turn >= MAX_LOOKS || getWindow() === undefined
        const wallet = isChosen
          ? all.find((each) => each.id === id)
          : own[0] !== undefined || turn >= LOOKS_UNTIL_COMPLETE
            ? all[0]
            : undefined
        if (id === DISCONNECTED_ID && passive && (wallet !== undefined || late))
          return new WalletNotChosen({ wallets: rdns })
        if (wallet !== undefined) return Effect.succeed(wallet)
        if (late)
          return isChosen ? new WalletNotFound({ wallet: formatWalletId(id) }) : new WalletNotInstalled()
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
  ["getItem", "setItem", "removeItem"].every((name) => typeof readMember(value, name) === "function")

/** Uses the storage of the origin, which outlives the page. It may be forbidden or full: then nothing is kept. */
const withStore = <A>(use: (store: Store) => A): A | undefined => {
  const store = readMember(getWindow(), "localStorage")
  try {
    return isStore(store) ? use(store) : undefined
  } catch {
    return undefined
  }
}

/** The keys of remembered choices: of a chain, and of all chains of its kind (CAIP-2). */
const storageKeysOf = (chainId: number) => ({
  chain: `effect-chains.wallet.eip155:${chainId}`,
  kind: "effect-chains.wallet.eip155"
})

/** The name of the wallet that was chosen for a chain, else the last one for another chain of the kind. */
export const readRemembered = (chainId: number): string | undefined =>
  withStore((store) => {
    const { chain, kind } = storageKeysOf(chainId)
    return [store.getItem(chain), store.getItem(kind)].find(
      (id): id is string => typeof id === "string" && id !== ""
    )
  })

/** Remembers the choice of a wallet for a chain. */
export const rememberChoice = (chainId: number, id: string): void => {
  const { chain, kind } = storageKeysOf(chainId)
  withStore((store) => {
    store.setItem(chain, id)
    if (id === DISCONNECTED_ID) store.removeItem(kind)
    else store.setItem(kind, id)
  })
}

/** Whether nothing was chosen for a chain, or its user has left. */
export const hasNoChoice = (chainId: number): boolean =>
  withStore((store) =>
    [null, DISCONNECTED_ID].some((id) => store.getItem(storageKeysOf(chainId).chain) === id)
  ) ?? false
