// @runtime both
/**
 * Answers that are nested as deep as 20 kB of brackets can be: code that walks them has to end, and no other answer may suffer.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { init, type Result } from "../src/promise.js"
import { decode } from "../src/webhook.js"
import { bigintIntegers } from "../src/wire/bigintIntegers.js"

const brackets = "[".repeat(10_000) + "]".repeat(10_000)

/** What the node answers to a request with this id. */
let answer: (id: unknown, nth: number) => string = () => "{}"
/** What the provider answers. */
let provided = "{}"

const server = createServer(async (request, response) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  const text = Buffer.concat(chunks).toString()
  const asked: unknown = text === "" ? undefined : JSON.parse(text)
  const idOf = (one: unknown): string => JSON.stringify(Reflect.get(Object(one), "id"))
  response.writeHead(200, { "content-type": "application/json" })
  response.end(
    asked === undefined
      ? provided
      : Array.isArray(asked)
        ? `[${asked.map((one, i) => answer(idOf(one), i)).join(",")}]`
        : answer(idOf(asked), 0)
  )
})

let url = ""
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})

const options = () => ({
  quiet: true,
  verifyChain: false,
  timeout: 5_000,
  rpc: { nodes: [{ url }], oneTimeLoadBalancing: true },
  provider: { baseUrl: url }
})

const client = () => init({ network: "ethereum-mainnet", ...options() })

const tagOf = (result: Result<unknown, Error>): unknown =>
  result.status === "ERROR" ? Reflect.get(Object(result.error.cause), "_tag") : result.data

const good = (id: unknown): string => `{"jsonrpc":"2.0","id":${id},"result":"0x1"}`

/** Where brackets may stand in an answer that is none. */
const places: ReadonlyArray<readonly [where: string, make: (id: unknown) => string]> = [
  ["error.message", (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":${brackets}}}`],
  [
    "error.data",
    (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"no","data":${brackets}}}`
  ],
  ["error.code", (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":${brackets},"message":"no"}}`],
  ["error", (id) => `{"jsonrpc":"2.0","id":${id},"error":{"a":${brackets}}}`],
  ["id", () => `{"jsonrpc":"2.0","id":${brackets},"result":"0x1"}`]
]

describe.each(["ethereum-mainnet", "solana-mainnet"] as const)("brackets in an answer of %s", (network) => {
  it.each(places)("in %s end the call with a typed error", async (_, make) => {
    const sdk = await init({ network, ...options() })
    answer = make
    const result = await sdk.rpc.rawRpcCall({ method: "eth_getBalance", params: [] })
    expect(["RpcError", "NodeError", "NoActiveNode"]).toContain(tagOf(result))
    expect(JSON.stringify(result.status === "ERROR" ? result.error.message : "").length).toBeLessThan(20_000)
    await sdk.destroy()
  })

  it.each(places)("in %s cost no other answer of a batch", async (_, make) => {
    const sdk = await init({ network, ...options() })
    answer = (id, nth) => (nth === 1 ? make(id) : good(id))
    const bodies = [1, 2, 3].map(() => ({ method: "eth_getBalance", params: [] }))
    const result = await sdk.rpc.rawBatchRpcCall(bodies)
    const items = result.status === "SUCCESS" ? result.data.map(tagOf) : [tagOf(result)]
    expect(items).toHaveLength(3)
    expect([items[0], items[2]]).toEqual(["0x1", "0x1"])
    expect(["RpcError", "NodeError"]).toContain(items[1])
    await sdk.destroy()
  })
})

describe("brackets in an automatic batch", () => {
  it.each(places)("in %s cost no other call", async (_, make) => {
    const sdk = await client()
    answer = (id, nth) => (nth === 1 ? make(id) : good(id))
    const results = await Promise.all(
      ["0x1", "0x2", "0x3"].map((address) =>
        sdk.with({ batch: true }).rpc.getBalance(address.padEnd(42, "0"))
      )
    )
    expect([results[0], results[2]].map((result) => result && tagOf(result))).toEqual([1n, 1n])
    expect(tagOf(results[1] ?? expect.fail("no result"))).not.toBe("Unexpected")
    await sdk.destroy()
  })
})

describe("brackets in a result", () => {
  it("are no height, wherever a height is looked for", async () => {
    const sdk = await client()
    for (const result of [brackets, '{"toString":1,"valueOf":1}']) {
      answer = (id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`
      for (const outcome of [
        await sdk.rpc.blockNumber(),
        await sdk.rpc.rawRpcCall({ method: "eth_blockNumber" }),
        await sdk.rpc.rawBatchRpcCall([{ method: "eth_blockNumber" }, { method: "eth_blockNumber" }])
      ])
        expect(tagOf(outcome)).not.toBe("Unexpected")
    }
    await sdk.destroy()
  })

  it("are compared by a quorum", async () => {
    const sdk = await init({
      network: "ethereum-mainnet",
      quiet: true,
      verifyChain: false,
      rpc: { nodes: [{ url }, { url: `${url}/b` }], oneTimeLoadBalancing: true }
    })
    answer = (id) => `{"jsonrpc":"2.0","id":${id},"result":${brackets}}`
    const asked = sdk.with({ quorum: { nodes: 2, agree: 2 } }).rpc
    expect((await asked.rawRpcCall({ method: "eth_gasPrice" })).status).toBe("SUCCESS")
    await sdk.destroy()
  })

  it("in one of a list of exact integers cost no other", async () => {
    // on any stack
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    const sdk = await init({ network: "algorand-mainnet-algod", quiet: true, rpc: { nodes: [{ url }] } })
    answer = (id, nth) =>
      nth === 1 ? `{"jsonrpc":"2.0","id":${id},"result":${deep}}` : `{"jsonrpc":"2.0","id":${id},"result":1}`
    expect(() => bigintIntegers.parse(deep, [])).toThrow(RangeError)
    const result = await sdk.rpc.rawBatchRpcCall([{ method: "a" }, { method: "b" }, { method: "c" }])
    expect(result.status === "SUCCESS" ? result.data.map(tagOf) : tagOf(result)).toEqual([
      1n,
      "NodeError",
      1n
    ])
    await sdk.destroy()
  })
})

describe("brackets of the provider", () => {
  it.each([
    ["a list of them", `[${brackets}]`],
    ["an item", `[{"id":${brackets}}]`],
    ["a field of an item", `[{"id":"1","type":"t","attr":{"chain":${brackets},"url":"u"}}]`],
    ["a field that nobody asked for", `{"x":${brackets}}`]
  ])("as %s are a malformed answer", async (_, body) => {
    const sdk = await client()
    provided = body
    for (const result of [
      await sdk.notification.getAll(),
      await sdk.notification.getAllExecutedWebhooks(),
      await sdk.rates.getCurrentRate("BTC", "EUR"),
      await sdk.fee.getCurrentFee()
    ]) {
      const outcome = tagOf(result)
      if (result.status === "ERROR") expect(outcome).toBe("GatewayError")
    }
    const [first] = [await sdk.notification.getAll()]
    expect(tagOf(first)).toBe("GatewayError")
    await sdk.destroy()
  })

  it("in a webhook are malformed", async () => {
    for (const body of [
      brackets,
      `{"subscriptionType":${brackets}}`,
      `{"data":${brackets}}`,
      `{"data":{"a":${brackets}}}`
    ])
      expect(tagOf(await decode(body))).toBe("GatewayError")
  })
})
