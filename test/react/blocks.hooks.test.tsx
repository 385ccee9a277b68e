/** Hooks that follow the chain, under StrictMode, over a real WebSocket: undici's, for that of jsdom is none of Node's. */
import { act, cleanup, render, screen } from "@testing-library/react"
import { type ReactNode, StrictMode } from "react"
import { WebSocket } from "undici"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  type ProviderConfig,
  SdkProvider,
  type SdkProviderProps,
  useBlockNumber,
  useRpc,
  useWatch
} from "../../react/index.js"
import { type SocketNode, startSocketNode } from "../sockets.js"
import { advanceTime, installVirtualTime } from "./clock.js"

// the page's events are not those that Node's sockets tell of
const ofPage = await vi.hoisted(async () => {
  const { transferableAbortController } = await import("node:util")
  const controller = transferableAbortController()
  const nodeEvent = new Promise<Event>((resolve) => {
    controller.signal.addEventListener("abort", resolve, { once: true })
  })
  controller.abort()
  const { Event } = globalThis
  globalThis.Event = Object.getPrototypeOf(await nodeEvent).constructor
  return Event
})

const ETHEREUM = "ethereum-mainnet"
const SOLANA = "solana-mainnet"
const ADDRESS = `0x${"a1".repeat(20)}`
const OTHER = `0x${"b2".repeat(20)}`

installVirtualTime()

let node: SocketNode
let height = 5
let subscribes = true
const unexpected: Array<string> = []

const headOf = (at: number): object => ({
  number: `0x${at.toString(16)}`,
  hash: `0x${at}a`,
  parentHash: `0x${at - 1}a`
})

beforeEach(async () => {
  height = 5
  subscribes = true
  node = await startSocketNode((method, params) => {
    if (method === "eth_subscribe") {
      return subscribes ? { result: "0x1" } : { error: { code: -32_601, message: "no subscriptions here" } }
    }
    if (method === "eth_unsubscribe") return { result: true }
    if (method === "signatureSubscribe") return { result: 7 }
    if (method === "signatureUnsubscribe") return { result: true }
    if (method === "getSignatureStatuses") return { result: { context: { slot: 1 }, value: [null] } }
    if (method === "eth_blockNumber") return { result: `0x${height.toString(16)}` }
    const [block] = Array.isArray(params) ? params : []
    if (method === "eth_getBlockByNumber") {
      return { result: headOf(block === "latest" ? height : Number(block)) }
    }
    if (method === "eth_getBlockByHash") return { result: headOf(Number(String(block).slice(2, -1))) }
    if (method === "eth_getBalance") return { result: `0x${height.toString(16)}` }
    unexpected.push(method)
    return { error: { code: -32_601, message: `unexpected ${method}` } }
  })
})

afterAll(() => {
  // the next file of the worker has the same page
  globalThis.Event = ofPage
})

afterEach(async () => {
  cleanup()
  vi.restoreAllMocks()
  await node.close()
  expect(unexpected.splice(0)).toEqual([])
})

const mineBlock = (): void => {
  height++
  for (const peer of node.open()) {
    peer.send({
      jsonrpc: "2.0",
      method: "eth_subscription",
      params: { subscription: "0x1", result: headOf(height) }
    })
  }
}

/** One for all renders: a new function in each would be warned of. */
const openSocket = (url: string) => new WebSocket(url)

const App = ({
  children,
  defaults = {}
}: Pick<SdkProviderProps, "defaults"> & { readonly children: ReactNode }) => {
  const config: ProviderConfig = {
    network: ETHEREUM,
    quiet: true,
    verifyChain: false,
    hedge: false,
    retryCount: 0,
    rpc: { nodes: [{ url: node.url }], statusCheckInterval: Number.POSITIVE_INFINITY },
    networks: { [SOLANA]: { rpc: { nodes: [{ url: node.url, wsUrl: node.url.replace("http", "ws") }] } } },
    subscriptions: { webSocket: openSocket }
  }
  return (
    <StrictMode>
      <SdkProvider config={config} defaults={defaults}>
        {children}
      </SdkProvider>
    </StrictMode>
  )
}

const Balance = ({ address = ADDRESS }: { readonly address?: string }) => (
  <p>{`balance ${useRpc("getBalance", [address], { network: ETHEREUM, refresh: "blocks" }).data}`}</p>
)

/** A balance, and one that is not to follow the chain. */
const Plain = () => {
  const { data } = useRpc("getBalance", [ADDRESS], { network: ETHEREUM })
  const fixed = useRpc("getBalance", [OTHER], { network: ETHEREUM, refresh: false })
  return <p>{`plain ${data} ${fixed.data}`}</p>
}

const seen: Array<string> = []

const Height = () => {
  const { data, error, status } = useBlockNumber({ network: ETHEREUM, watch: true })
  const text = `height ${status} ${data} ${error?._tag}`
  if (seen.at(-1) !== text) seen.push(text)
  return <p>{text}</p>
}

const ended: Array<boolean> = []

const Confirmation = ({ signature }: { readonly signature: string }) => {
  const { error, status } = useWatch(
    "rpc.subscribe.signature",
    [signature],
    ({ value }) => ended.push(value !== "receivedSignature" && value.err === null),
    { network: SOLANA }
  )
  return <p>{`${status} ${error?._tag}`}</p>
}

const countRequests = (name: string): number => node.posted.filter((method) => method === name).length

const subscriptions = (): number =>
  node.peers.flatMap((peer) => peer.requests.filter(({ method }) => method === "eth_subscribe")).length

const show = (state: DocumentVisibilityState): void => {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state)
  act(() => {
    const event = document.createEvent("Event")
    event.initEvent("visibilitychange")
    document.dispatchEvent(event)
  })
}

describe("hooks that follow the chain", () => {
  it("ask once per balance and block, over one subscription, and let go of it", async () => {
    const { unmount } = render(
      <App>
        <Balance />
        <Balance />
        <Balance address={OTHER} />
        <Height />
      </App>
    )
    await expect.poll(() => screen.queryAllByText("balance 5").length).toBe(3)
    await expect.poll(subscriptions).toBe(1)
    await screen.findByText("height success 5 undefined")
    for (const next of [6, 7]) {
      mineBlock()
      await expect.poll(() => screen.queryAllByText(`balance ${next}`).length).toBe(3)
      await screen.findByText(`height success ${next} undefined`)
    }
    expect(countRequests("eth_getBalance")).toBe(6)
    expect(subscriptions()).toBe(1)
    unmount()
    await advanceTime(3_000)
    await expect.poll(() => node.open().length).toBe(0)
  })

  it("are brought up to date with every block where the provider says so, and the component does not object", async () => {
    render(
      <App defaults={{ refresh: "blocks" }}>
        <Plain />
        <Height />
      </App>
    )
    await screen.findByText("plain 5 5")
    await expect.poll(subscriptions).toBe(1)
    await screen.findByText("height success 5 undefined")
    mineBlock()
    await screen.findByText("plain 6 5")
    await screen.findByText("height success 6 undefined")
    expect(countRequests("eth_getBalance")).toBe(3)
  })

  it("wait while the page is hidden, and ask once when it is shown, however many blocks there were", async () => {
    render(
      <App>
        <Balance />
        <Height />
      </App>
    )
    await screen.findByText("balance 5")
    await expect.poll(subscriptions).toBe(1)
    await screen.findByText("height success 5 undefined")
    show("hidden")
    for (let i = 0; i < 3; i++) mineBlock()
    // the height is told, nobody asks for it
    await screen.findByText("height success 8 undefined")
    expect(countRequests("eth_getBalance")).toBe(1)
    expect(screen.getByText("balance 5")).toBeDefined()
    show("visible")
    await screen.findByText("balance 8")
    expect(countRequests("eth_getBalance")).toBe(2)
  })

  it("ask for the height now and then where no node tells of blocks", async () => {
    subscribes = false
    render(
      <App>
        <Balance />
        <Height />
      </App>
    )
    await screen.findByText("balance 5")
    await expect.poll(subscriptions).toBeGreaterThan(0)
    await screen.findByText("height success 5 undefined")
    height = 9
    await advanceTime(4_000)
    await screen.findByText("height success 9 undefined")
    await screen.findByText("balance 9")
    expect(countRequests("eth_getBalance")).toBe(2)
  })

  it("keep the last height when the subscription ends, and go on by asking", async () => {
    render(
      <App>
        <Height />
      </App>
    )
    await expect.poll(subscriptions).toBe(1)
    mineBlock()
    await screen.findByText("height success 6 undefined")
    seen.length = 0
    subscribes = false
    height = 11
    for (const peer of node.open()) peer.disconnect()
    await advanceTime(4_000)
    await screen.findByText("height success 11 undefined")
    expect(seen.filter((text) => text.includes("loading"))).toEqual([])
  })
})

describe("a stream that ends", () => {
  const count = (name: string) =>
    node.peers.flatMap(({ requests }) => requests.filter(({ method }) => method === name)).length

  it("is ended, until another one begins", async () => {
    const page = (signature: string) => (
      <App>
        <Confirmation signature={signature} />
      </App>
    )
    const { rerender } = render(page("1".repeat(64)))
    await screen.findByText("watching undefined")
    await expect.poll(() => count("signatureSubscribe")).toBeGreaterThan(0)
    for (const peer of node.open())
      peer.send({
        jsonrpc: "2.0",
        method: "signatureNotification",
        params: { subscription: 7, result: { context: { slot: 5 }, value: { err: null } } }
      })
    await screen.findByText("ended undefined")
    expect(ended).toEqual([true])
    rerender(page("2".repeat(64)))
    await screen.findByText("watching undefined")
  })
})
