import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { rules } from "./exceptions.js"
import { run } from "./run.js"
import { type CallVector, load } from "./vectors.js"

const vectors = load([join(import.meta.dirname, "vectors")])

const vector = (id: string): CallVector => {
  const found = vectors.find((each) => each.id === id)
  if (found?.kind !== "call") throw new Error(`there is no vector ${id}`)
  return found
}

const balance = vector("evm/getBalance#genesis")
const [request] = balance.requests
if (request === undefined) throw new Error("the vector has no request")

describe("the conformance runner", () => {
  it("passes a vector as it was recorded", async () => {
    expect(await run(balance)).toEqual([])
  })

  it.each([
    ["another path", { ...request, path: "/rpc" }],
    ["another base", { ...request, base: "node-archive" }],
    ["another verb", { ...request, method: "GET" }],
    ["a query", { ...request, query: [["type", "testnet"]] as const }],
    ["a header", { ...request, headers: { "accept-language": "en" } }],
    [
      "another method",
      { ...request, body: { jsonrpc: "2.0", id: 1, method: "eth_getCode", params: ["0x", "0x0"] } }
    ],
    ["no parameters", { ...request, body: { jsonrpc: "2.0", id: 1, method: "eth_getBalance" } }]
  ])("fails a vector that expects %s", async (_, changed) => {
    expect(await run({ ...balance, requests: [changed] })).not.toEqual([])
  })

  it("fails a vector that expects a request more, or one less", async () => {
    expect(await run({ ...balance, requests: [request, request] })).not.toEqual([])
    expect(await run({ ...balance, requests: [] })).not.toEqual([])
  })

  it("fails a vector that expects another result, or another end", async () => {
    const height = vector("evm/blockNumber#decode-hex")
    expect(await run(height)).toEqual([])
    expect(
      await run({ ...height, result: { jsonrpc: "2.0", id: 1, result: { $BigNumber: "1" } } })
    ).not.toEqual([])
    expect(await run({ ...height, error: "Error: boom" })).not.toEqual([])
  })

  it("fails a vector whose method does not exist", async () => {
    expect(await run({ ...balance, target: "rpc.noSuchMethod" })).not.toEqual([])
  })

  it("has a reason for every rule", () => {
    for (const { reason } of rules) expect(reason.length).toBeGreaterThan(30)
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  })
})
