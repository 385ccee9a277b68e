import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { canonical, difference, line } from "./compare.js"
import { isReminder, rules } from "./exceptions.js"
import { recorder } from "./recorder.js"
import { run } from "./run.js"
import { type CallVector, decode, load, type WireRequest } from "./vectors.js"

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

  it("fails a vector that expects another error: its text, or its code", async () => {
    const refused = vector("flow/rpc-error-body-is-returned")
    const ended = (error: object) => ({ ...refused, result: { jsonrpc: "2.0", id: 1, error } })
    expect(await run(refused)).toEqual([])
    expect(await run(ended({ code: -32000, message: "y" }))).not.toEqual([])
    expect(await run(ended({ code: -32001, message: "x" }))).not.toEqual([])
    const down = vector("flow/rpc-failover-all-down")
    expect(await run(down)).toEqual([])
    expect(await run({ ...down, error: "another" })).not.toEqual([])
    expect(await run({ ...down, logged: ["never said"] })).not.toEqual([])
  })

  it("compares the items of a batch one by one, by their ids", async () => {
    const bodies = [1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] }))
    const answers = [
      { jsonrpc: "2.0", id: 2, error: { code: 3, message: "no" } },
      { jsonrpc: "2.0", id: 1, result: "0x1" }
    ]
    const batch: CallVector = {
      ...vector("evm/rawBatchRpcCall#batch"),
      args: [bodies],
      requests: [{ method: "POST", base: "node-archive", path: "", body: bodies }],
      responses: [{ body: answers }],
      result: answers
    }
    expect(await run(batch)).toEqual([])
    expect(await run({ ...batch, result: [answers[0], { ...answers[1], result: "0x2" }] })).not.toEqual([])
    // an item that the recorded batch left open is an ERROR here, and answered ones are not open
    expect(await run({ ...batch, result: [answers[0]] })).not.toEqual([])
    expect(
      await run({ ...batch, result: [...answers, { jsonrpc: "2.0", id: 3, result: "0x1" }] })
    ).not.toEqual([])
  })

  it("fails a follow-up call that went elsewhere, and a node url that differs", async () => {
    const sticks = vector("flow/rpc-failover-sticks")
    const [next] = sticks.followUps
    if (next === undefined) throw new Error("the vector has no follow-up")
    expect(await run(sticks)).toEqual([])
    expect(
      await run({ ...sticks, followUps: [{ ...next, requests: sticks.requests.slice(0, 1) }] })
    ).not.toEqual([])
    const list = vector("init/remote-list@ethereum-mainnet")
    expect(await run(list)).toEqual([])
    expect(await run({ ...list, rpcNodeUrl: "https://normal-1.rpc.tatum.io" })).not.toEqual([])
  })

  it("expects an init to be refused only where its vector says so", async () => {
    const list = vector("init/remote-list@ethereum-mainnet")
    expect(await run({ ...list, error: "no" })).not.toEqual([])
    const unknown: CallVector = { ...list, network: "nowhere-mainnet", requests: [] }
    expect(await run(unknown)).not.toEqual([])
    expect(await run({ ...unknown, error: "Unsupported network nowhere-mainnet" })).toEqual([])
  })

  it("fails a vector whose method does not exist", async () => {
    expect(await run({ ...balance, target: "rpc.noSuchMethod" })).not.toEqual([])
  })

  it("has a reason for every rule", () => {
    for (const { reason } of rules) expect(reason.length).toBeGreaterThan(30)
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
  })
})

describe("the comparison", () => {
  const lines = ["a", "b", "c"]

  it("knows an order only between what was not sent at once", () => {
    expect(difference(lines, ["b", "a", "c"], [0, 0, 2])).toEqual([])
    expect(difference(lines, ["b", "a", "c"], [0, 1, 2])).not.toEqual([])
    expect(difference(lines, ["a", "c", "b"], [0, 0, 2])).not.toEqual([])
    expect(difference(lines, ["c", "b", "a"])).toEqual([])
  })

  it("shows what was expected and what was sent, cut to where they differ", () => {
    const long = "x".repeat(1000)
    const [want = "", got = ""] = difference([`${long}1`], [`${long}2`])
    expect(want).toMatch(/^- …x+1$/)
    expect(got).toMatch(/^\+ …x+2$/)
    expect(want.length).toBeLessThan(300)
  })

  it("compares segments decoded, and keeps an encoded slash apart from a separator", () => {
    const shown = (path: string): string => line({ ...request, path }, balance)
    expect(shown("/a%40b")).toBe(shown("/a@b"))
    expect(shown("/a%2Fb")).toBe(shown("/a%2fb"))
    expect(shown("/a%2Fb")).not.toBe(shown("/a/b"))
  })

  it("compares the key where the vectors keep it", () => {
    const keyed: WireRequest = { ...request, headers: { "x-api-key": "KEY" } }
    const service = { ...balance, id: "rates.getCurrentRate#all@ethereum-mainnet" }
    expect(line(keyed, balance)).toBe(line(request, balance))
    expect(line(keyed, service)).not.toBe(line(request, service))
    const other: WireRequest = { ...request, headers: { "x-api-key": "OTHER" } }
    expect(line(other, balance)).not.toBe(line(request, balance))
  })

  it("tells values apart that JSON would make equal", () => {
    const text = (value: unknown): string => JSON.stringify(canonical(value))
    expect(text(new Blob(["abc"]))).toBe(text(decode({ $Blob: "(3 bytes)" })))
    expect(text(new Blob(["abc"]))).not.toBe(text(decode({ $Blob: "(4 bytes)" })))
    expect(text(new Blob(["abc"]))).not.toBe(text({}))
    expect(text(Number.NaN)).not.toBe(text(null))
    expect(text(1n)).not.toBe(text(1))
  })
})

describe("the recording fetch", () => {
  const get = (path: string): WireRequest => ({ method: "GET", base: "v4", path })
  const same = (one: WireRequest, other: WireRequest): boolean => one.path === other.path
  const wire = () =>
    recorder(
      {
        target: "address.getBalance",
        requests: [get("/a"), get("/b")],
        responses: [{ body: "a" }, { body: "b" }, { body: "more" }]
      },
      same
    )

  it("gives each request its own reply, whatever their order, and notes what was sent at once", async () => {
    const recording = wire()
    recording.play()
    const ask = async (path: string): Promise<unknown> =>
      (await recording.fetch(`https://api.tatum.io/v4${path}`)).json()
    expect(await Promise.all([ask("/b"), ask("/a")])).toEqual(["b", "a"])
    expect(await ask("/c")).toBe("more")
    expect(await ask("/c")).toEqual({})
    const [first, second, third] = recording.take().map(({ round }) => round)
    expect(first).toBe(second)
    expect(third).not.toBe(second)
  })

  it("keeps the replies of a call from those that follow", async () => {
    const recording = wire()
    recording.play()
    recording.next()
    expect(await (await recording.fetch("https://api.tatum.io/v4/a")).json()).toBe("more")
    expect(await (await recording.fetch("https://api.tatum.io/v4/a")).json()).toEqual({})
  })
})

describe("reminders", () => {
  it("are only those that no rule settles", () => {
    const shasta = vectors.flatMap((each) =>
      each.kind === "call" && each.suspectIds.join() === "shasta-hard-coded-host" ? [each] : []
    )
    expect(shasta.length).toBeGreaterThan(50)
    expect(shasta.some(isReminder)).toBe(false)
    expect(isReminder({ ...balance, suspectIds: ["never-heard-of"], severity: "bug" })).toBe(true)
    expect(isReminder({ ...balance, suspectIds: ["never-heard-of"], severity: "quirk" })).toBe(false)
  })
})
