// @vitest-environment node
/** Reads that are done again with every new block. It needs no document, and jsdom's sockets are not those of Node. */
import { Result } from "@effect-rx/rx-react"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { cacheEntryOf } from "../../react/CacheEntry.js"
import { ClientStore } from "../../react/ClientStore.js"
import { makeRefresher } from "../../react/Refresh.js"
import { makeConfiguredSource } from "../../react/SdkProvider.js"
import { type SocketNode, startSocketNode } from "../sockets.js"

const ADDRESSES = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`]

let node: SocketNode
let height = 5
let wei = 1

beforeEach(async () => {
  height = 5
  wei = 1
  node = await startSocketNode((method) => {
    if (method === "eth_subscribe") return { result: "0x1" }
    if (method === "eth_unsubscribe") return { result: true }
    if (method === "eth_blockNumber") return { result: `0x${height.toString(16)}` }
    // what was mined before the subscription was there
    if (method === "eth_getBlockByNumber") return { result: headOf(height) }
    if (method === "eth_getBalance") return { result: `0x${wei.toString(16)}` }
    return { error: { code: -32_601, message: `unexpected ${method}` } }
  })
})

afterEach(() => node.close())

const headOf = (at: number): object => ({
  number: `0x${at}`,
  hash: `0x${at}a`,
  parentHash: `0x${at - 1}a`
})

const mine = (next: number): void => {
  height = next
  wei = next
  node.peers[0]?.send({
    jsonrpc: "2.0",
    method: "eth_subscription",
    params: {
      subscription: "0x1",
      result: headOf(next)
    }
  })
}

describe("new blocks", () => {
  it("have every read asked for once per block, over one subscription, until nobody looks", async () => {
    const clients = new ClientStore(
      makeConfiguredSource({
        network: "ethereum-mainnet",
        quiet: true,
        verifyChain: false,
        rpc: { nodes: [{ url: node.url }], statusCheckInterval: Number.POSITIVE_INFINITY }
      })
    )
    const { blocks, read } = clients.clientFor("ethereum-mainnet")
    const reads = ADDRESSES.map((address) => read("rpc.getBalance", [address]))
    for (const rx of [...reads, blocks.height]) cacheEntryOf(rx)?.extendGcTime(0)
    // two components per balance, and one that shows the height
    const ends = [...reads, ...reads].flatMap((rx) => [
      clients.registry.mount(rx),
      clients.registry.mount(makeRefresher(rx, "blocks", false, blocks.watch))
    ])
    ends.push(clients.registry.mount(blocks.watch))
    const values = () => reads.map((rx) => Result.value(clients.registry.get(rx)))
    const all = (value: bigint) => ADDRESSES.map(() => expect.objectContaining({ value }))
    const subscriptions = () =>
      node.peers.flatMap(({ requests }) => requests.filter(({ method }) => method === "eth_subscribe")).length
    await expect.poll(values).toEqual(all(1n))
    await expect.poll(subscriptions).toBe(1)
    const asked = () => node.posted.filter((method) => method === "eth_getBalance").length
    expect(asked()).toBe(2)
    for (const next of [6, 7]) {
      mine(next)
      await expect.poll(values).toEqual(all(BigInt(next)))
      expect(Result.value(clients.registry.get(blocks.watch))).toMatchObject({ value: BigInt(next) })
    }
    expect(asked()).toBe(6)
    expect(subscriptions()).toBe(1)
    for (const end of ends) end()
    await expect.poll(() => node.open().length).toBe(0)
    await expect.poll(() => clients.registry.getNodes().size).toBe(0)
  })
})
