import { cpuUsage } from "node:process"
import { afterAll, beforeAll, expect, it } from "vitest"
import { init, type PromiseSdk } from "../src/promise.js"

const CALLS = 2_000
const url = "https://node.example/v1"
const address = `0x${"1".repeat(40)}`

let asked: Array<string> = []

/** A node in the process: what is left of a call's time is ours. */
const fakeFetch: typeof globalThis.fetch = async (_, request) => {
  const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(String(request?.body))
  asked.push(method)
  const text = JSON.stringify({ jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x1" : "0x2a" })
  return new Response(text, {
    headers: { "content-type": "application/json", "content-length": String(text.length) }
  })
}

let sdk: PromiseSdk<"ethereum-mainnet">

beforeAll(async () => {
  sdk = await init({
    network: "ethereum-mainnet",
    rpc: { nodes: [{ url }], statusCheckInterval: Number.POSITIVE_INFINITY },
    fetch: fakeFetch,
    quiet: true
  })
})

afterAll(() => sdk.destroy())

/** CPU time of a call, in microseconds. */
const costOf = async (call: () => Promise<unknown>): Promise<number> => {
  const start = cpuUsage()
  for (let i = 0; i < CALLS; i++) await call()
  const { user, system } = cpuUsage(start)
  return (user + system) / CALLS
}

const bare = async (): Promise<bigint> => {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "eth_getBalance",
    params: [address, "latest"]
  })
  const response = await fakeFetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body
  })
  const { result }: { readonly result: string } = JSON.parse(await response.text())
  return BigInt(result)
}

it("asks the node once per call, and for its chain before the first", async () => {
  asked = []
  expect(await sdk.rpc.getBalance(address)).toEqual({ status: "SUCCESS", data: 42n })
  expect(asked).toEqual(["eth_chainId", "eth_getBalance"])
  asked = []
  for (let i = 0; i < 10; i++) await sdk.rpc.getBalance(address)
  await Promise.all(Array.from({ length: 10 }, () => sdk.rpc.blockNumber()))
  expect(asked).toHaveLength(20)
})

it("costs little CPU beside the request itself", async () => {
  const call = () => sdk.rpc.getBalance(address)
  // the first round is for the compiler
  await costOf(bare)
  await costOf(call)
  const baseline = await costOf(bare)
  const ours = await costOf(call)
  console.log(`CPU per call: ${ours.toFixed(0)} µs, a bare fetch ${baseline.toFixed(0)} µs`)
  expect(ours).toBeLessThan(5 * baseline + 300)
})
