/**
 * The page: as many components as wanted, each with a balance of its own, over the hooks of this SDK, and over TanStack Query with the
 * same SDK's options or with viem. The node is a `fetch` in the page, so that what is measured is the page's work.
 */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { type ReactElement, type ReactNode, useLayoutEffect } from "react"
import { createRoot, type Root } from "react-dom/client"
import { createPublicClient, custom } from "viem"
import { SdkProvider, useInvalidate, useRpc } from "../../../react/index.js"
import { rpcQueryOptions } from "../../../react/query.js"
import { init, type PromiseSdk } from "../../../src/promise.js"

const url = "https://node.invalid/"

/** What nodes answer now. */
let height = 0n

const answerTo = (method: string, address: string): string => {
  switch (method) {
    case "eth_chainId":
      return "0x1"
    case "eth_blockNumber":
      return `0x${(height + 1n).toString(16)}`
    case "eth_getBalance":
      return `0x${(BigInt(address) + height).toString(16)}`
    default:
      throw new Error(`unexpected: ${method}`)
  }
}

/** An answer of a node, in a task of its own as answers of nodes are. */
const node: typeof fetch = (_, settings) =>
  new Promise((resolve, reject) => {
    const { id, method, params = [] } = JSON.parse(String(settings?.body))
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      try {
        const result = answerTo(method, params[0])
        resolve(
          new Response(JSON.stringify({ jsonrpc: "2.0", id, result }), {
            headers: { "content-type": "application/json" }
          })
        )
      } catch (error) {
        reject(error)
      }
    }
    port2.postMessage(0)
  })

const config = {
  network: "ethereum-mainnet",
  quiet: true,
  verifyChain: false,
  hedge: false,
  rpc: { nodes: [{ url }], statusCheckInterval: Number.POSITIVE_INFINITY },
  fetch: node
} as const

const addressOf = (index: number): `0x${string}` => `0x${(index + 1).toString(16).padStart(40, "0")}`

/** What the components have shown, and how often they were rendered. */
const told = { renders: 0, shown: new Map<number, bigint>(), changed: () => {} }

const Row = ({ index, wei }: { readonly index: number; readonly wei: bigint | undefined }): ReactElement => {
  useLayoutEffect(() => {
    if (wei === undefined) return
    told.shown.set(index, wei)
    told.changed()
  }, [index, wei])
  return <li>{String(wei)}</li>
}

/** A way to ask for balances: what stands above the components, what one of them is, and how all answers are asked for again. */
interface Way {
  readonly above: (children: ReactNode) => ReactElement
  readonly Balance: (props: { readonly index: number }) => ReactElement
  readonly again: () => Promise<unknown>
}

let invalidate = (): Promise<unknown> => Promise.reject(new Error("the provider is not on the page"))

const Invalidating = (): ReactNode => {
  const some = useInvalidate()
  useLayoutEffect(() => {
    invalidate = () => some(() => true)
  })
  return null
}

const OwnBalance: Way["Balance"] = ({ index }) => {
  told.renders++
  const { data } = useRpc("getBalance", [addressOf(index)], { network: "ethereum-mainnet" })
  return <Row index={index} wei={data} />
}

const ownWay = (): Way => ({
  above: (children) => (
    <SdkProvider config={config}>
      <Invalidating />
      {children}
    </SdkProvider>
  ),
  Balance: OwnBalance,
  again: () => invalidate()
})

const tanstackWay = (Balance: Way["Balance"]): Way => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 1_000 } } })
  return {
    above: (children) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    Balance,
    again: () => client.invalidateQueries()
  }
}

let sdk: PromiseSdk<"ethereum-mainnet">

const QueryBalance: Way["Balance"] = ({ index }) => {
  told.renders++
  const { data } = useQuery(rpcQueryOptions(sdk, "getBalance", [addressOf(index)]))
  return <Row index={index} wei={data} />
}

const queryWay = async (): Promise<Way> => {
  sdk = await init(config)
  return tanstackWay(QueryBalance)
}

const viem = createPublicClient({
  transport: custom({
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      return (await (await node(url, { method: "POST", body })).json()).result
    }
  })
})

const ViemBalance: Way["Balance"] = ({ index }) => {
  told.renders++
  const address = addressOf(index)
  const { data } = useQuery({
    queryKey: ["balance", { address }],
    queryFn: () => viem.getBalance({ address })
  })
  return <Row index={index} wei={data} />
}

const ways = {
  "effect-chains/react": ownWay,
  "effect-chains/query": queryWay,
  viem: () => tanstackWay(ViemBalance)
}

export type WayName = keyof typeof ways

/** One turn of a way: milliseconds of each part, and renders of its components. */
export interface Turn {
  readonly mount: number
  readonly change: number
  readonly same: number
  readonly renders: { readonly mount: number; readonly change: number; readonly same: number }
}

/** Resolves when all components show the answers of now. */
const shownBy = (count: number): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (told.shown.size < count) return
      for (const [index, wei] of told.shown) if (wei !== BigInt(index + 1) + height) return
      told.changed = () => {}
      resolve()
    }
    let waiting = count
    told.changed = () => {
      if (--waiting <= 0) look()
    }
  })

const timed = async (work: () => Promise<unknown>) => {
  told.renders = 0
  const start = performance.now()
  await work()
  return { time: performance.now() - start, renders: told.renders }
}

/** A task after all that is under way, so that no part pays for another. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

const turn = async (name: WayName, count: number): Promise<Turn> => {
  const { above, again, Balance } = await ways[name]()
  const root: Root = createRoot(document.body.appendChild(document.createElement("main")))
  const show = (indexes: ReadonlyArray<number>): void =>
    root.render(
      above(
        <ul>
          {indexes.map((index) => (
            <Balance key={index} index={index} />
          ))}
        </ul>
      )
    )
  // the client is made, and has its first answer, before anything is measured
  const shown = shownBy(1)
  show([count])
  await shown
  await rest()
  told.shown.clear()
  const all = Array.from({ length: count }, (_, index) => index)
  const mount = await timed(() => {
    const done = shownBy(count)
    show([...all, count])
    return done
  })
  await rest()
  height++
  told.shown.clear()
  const change = await timed(async () => {
    const done = shownBy(count + 1)
    void again()
    await done
  })
  await rest()
  const same = await timed(again)
  root.unmount()
  document.body.replaceChildren()
  told.shown.clear()
  await rest()
  return {
    mount: mount.time,
    change: change.time,
    same: same.time,
    renders: { mount: mount.renders, change: change.renders, same: same.renders }
  }
}

declare global {
  interface Window {
    turn: typeof turn
  }
}

window.turn = turn
