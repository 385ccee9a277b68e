import * as Effect from "effect/Effect"
import type { BrowserWallet, DiscoveredWallet } from "../services/WalletProvider.js"

/** What discovery needs of a window. */
interface Page {
  addEventListener(type: string, listener: (event: unknown) => void): void
  removeEventListener(type: string, listener: (event: unknown) => void): void
  dispatchEvent(event: Event): unknown
}

/** EIP-6963. */
const ANNOUNCE = "eip6963:announceProvider"
const REQUEST = "eip6963:requestProvider"

/** The member of a value that came from elsewhere; a getter that throws is an absent member. */
export const member = (value: unknown, name: string): unknown => {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** Whether a value can be asked as EIP-1193 has it. */
export const isWallet = (value: unknown): value is BrowserWallet =>
  typeof member(value, "request") === "function"

const isPage = (value: unknown): value is Page =>
  ["addEventListener", "removeEventListener", "dispatchEvent"].every(
    (name) => typeof member(value, name) === "function"
  )

/** There is no window in a worker, nor on a server. */
const page = (): unknown => member(globalThis, "window")

/** An announcement, copied: whoever made it cannot change it afterwards. Anybody on the page can make one. */
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

/** Asks the page's wallets to announce themselves. Those that are there do so before this returns. */
const hear = Effect.sync((): Hearing => {
  const window = page()
  const found = new Map<string, DiscoveredWallet>()
  if (!isPage(window)) return { found, end: () => {} }
  const listener = (event: unknown): void => {
    const wallet = announced(event)
    // the first announcement of an id stands: a later one cannot take its place
    if (wallet !== undefined && !found.has(wallet.uuid)) found.set(wallet.uuid, wallet)
  }
  window.addEventListener(ANNOUNCE, listener)
  window.dispatchEvent(new Event(REQUEST))
  return { found, end: () => window.removeEventListener(ANNOUNCE, listener) }
})

const hearing = <A>(use: (found: ReadonlyMap<string, DiscoveredWallet>) => Effect.Effect<A>) =>
  Effect.acquireUseRelease(
    hear,
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

/** How often to look again, 25 ms apart: extensions put their wallets into the page while it loads. */
const LOOKS = 20

/** The page's wallet: the first that announces itself, or else `window.ethereum`. */
export const first: Effect.Effect<BrowserWallet | undefined> = hearing((found) => {
  const look = Effect.sync(() => [...found.values()][0]?.provider ?? injected())
  return Effect.flatMap(look, (wallet) =>
    wallet !== undefined || page() === undefined
      ? Effect.succeed(wallet)
      : Effect.repeat(Effect.zipRight(Effect.sleep("25 millis"), look), {
          until: (late) => late !== undefined,
          times: LOOKS - 1
        })
  )
})
