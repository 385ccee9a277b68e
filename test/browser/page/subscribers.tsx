/** The page: many components that are subscribed to few balances, and functions for the test to call. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { type ReactElement, StrictMode } from "react"
import { createRoot, type Root } from "react-dom/client"
import { SdkProvider, useBalance } from "../../../react/index.js"
import type { ProviderConfig } from "../../../react/SdkProvider.js"

export interface Wanted {
  readonly addresses: ReadonlyArray<string>
  readonly components: number
  readonly node: string
  readonly socket: string
  readonly strict: boolean
  readonly batch: boolean
}

// answers are held no longer than a component takes to come back, so that tests see what is left without them
const options = { refresh: "blocks", gcTime: 400 } as const

const Balance = ({ address }: { readonly address: string }): ReactElement => {
  const { data, error, status } = useBalance({ address, tokenTypes: ["native"] }, options)
  return <li data-status={status}>{data?.[0]?.balance ?? error?.message ?? "…"}</li>
}

const configOf = ({ batch, node, socket }: Wanted): ProviderConfig => ({
  network: "ethereum-mainnet",
  quiet: true,
  verifyChain: false,
  hedge: false,
  batch,
  rpc: { nodes: [{ url: node, wsUrl: socket }], statusCheckInterval: Number.POSITIVE_INFINITY }
})

class Subscribers {
  private root: Root | undefined

  mount(wanted: Wanted): void {
    this.root = createRoot(document.body.appendChild(document.createElement("main")))
    this.show(wanted, true)
  }

  /** Has the components come and go, below a provider that stays. */
  show(wanted: Wanted, shown: boolean): void {
    const { addresses, components, strict } = wanted
    const turns = Math.ceil(components / addresses.length)
    const rows = Array.from({ length: turns }, (_, turn) =>
      addresses.map((address) => ({ address, key: `${address} ${turn}` }))
    ).flat()
    const list = (
      <SdkProvider config={configOf(wanted)}>
        <ul>
          {rows.slice(0, shown ? components : 0).map(({ address, key }) => (
            <Balance key={key} address={address} />
          ))}
        </ul>
      </SdkProvider>
    )
    this.root?.render(strict ? <StrictMode>{list}</StrictMode> : list)
  }

  unmount(): void {
    this.root?.unmount()
    this.root = undefined
    document.body.replaceChildren()
  }

  /** The same requests without the SDK, for comparison: yields how long it takes on the page's thread, all in all. */
  async bare(node: string, addresses: ReadonlyArray<string>): Promise<void> {
    await Promise.all(
      addresses.map(async (address, id) => {
        const body = JSON.stringify({
          jsonrpc: "2.0",
          id,
          method: "eth_getBalance",
          params: [address, "latest"]
        })
        const headers = { "content-type": "application/json" }
        return (await fetch(node, { method: "POST", headers, body })).json()
      })
    )
  }

  /** What the components show. */
  shown(): ReadonlyArray<string> {
    return [...document.querySelectorAll("li")].map((item) => item.textContent ?? "")
  }

  /** Fibers that no other has started and that have not ended, the one that looks left out. */
  fibers(): number {
    return Effect.runSync(Fiber.roots).length - 1
  }
}

declare global {
  interface Window {
    subscribers: Subscribers
    /** Timers that wait, by their kind: counted from before the first script. */
    timers: Map<unknown, string>
  }
}

window.subscribers = new Subscribers()
