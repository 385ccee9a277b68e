import { readFileSync } from "node:fs"
import { join } from "node:path"
import { cpuUsage } from "node:process"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { chart } from "../bench/chart.mjs"
import { type Call, failover, figures } from "../bench/faults/figures.mjs"
import { kinds } from "../bench/faults/kinds.mjs"
import { assign, faults, timing } from "../bench/faults/plan.mjs"
import { available, measureFaults } from "../bench/faults/run.mjs"
import { bundle, loaded, viteBundle } from "../bench/sizes/bundle.mjs"
import { forms, pages } from "../bench/sizes/pages.mjs"
import { mean, median, quantile, round } from "../bench/stats.mjs"
import { bars, grid, page, shade } from "../bench/svg.mjs"
import { check, targets } from "../bench/targets.mjs"
import { init, type PromiseSdk } from "../src/promise.js"

const CALLS = 2_000
const url = "https://node.example/v1"
const address = `0x${"1".repeat(40)}`

let asked: Array<string> = []

/** A node in the process: the rest of a call's time is the client's. */
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

it("asks the node once per call, and for its chain beside the first", async () => {
  asked = []
  expect(await sdk.rpc.getBalance(address)).toEqual({ status: "SUCCESS", data: 42n })
  expect(asked.toSorted()).toEqual(["eth_chainId", "eth_getBalance"])
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

describe("npm run bench", () => {
  it("takes quantiles by nearest rank, and the middle of an even count between two", () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i)
    expect([0, 0.5, 0.99, 1].map((q) => quantile(values, q))).toEqual([1, 50, 99, 100])
    expect(quantile([7], 0.99)).toBe(7)
    expect(quantile([], 0.5)).toBeNaN()
    expect(median([4, 1, 3])).toBe(3)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(mean([1, 2, 6])).toBe(3)
    expect([round(1.25, 1), round(-0.04), round(Number.POSITIVE_INFINITY), round(undefined)]).toEqual([
      1.3,
      0,
      null,
      null
    ])
  })

  /** A call every 10 ms from 1,000, as good or bad as `of` says. */
  const calls = (count: number, of: (i: number) => readonly [number, string]): ReadonlyArray<Call> =>
    Array.from({ length: count }, (_, i) => [1_000 + 10 * i, ...of(i)])

  it("tells the time to failover from the last bad call before fifty good ones", () => {
    expect(
      failover(
        calls(200, () => [25, "ok"]),
        1_000
      )
    ).toBe(0)
    // slow, wrong and failed calls are bad; a good one between them is not the end
    const bad: Record<number, readonly [number, string]> = {
      0: [2_000, "ok"],
      3: [20, "wrong"],
      20: [5_000, "late"]
    }
    expect(
      failover(
        calls(200, (i) => bad[i] ?? [25, "ok"]),
        1_000
      )
    ).toBe(201)
    // what comes after is another matter
    expect(
      failover(
        calls(200, (i) => [25, i === 100 ? "late" : "ok"]),
        1_000
      )
    ).toBe(0)
    expect(
      failover(
        calls(200, (i) => [25, i % 40 === 0 ? "late" : "ok"]),
        1_000
      )
    ).toBe(Number.POSITIVE_INFINITY)
    expect(failover([], 1_000)).toBe(0)
  })

  it("counts wrong answers as failures, and requests beyond one per call as extra load", () => {
    const all = calls(100, (i) => (i < 2 ? [20, "wrong"] : i === 2 ? [5_000, "late"] : [20 + i, "ok"]))
    const found = figures({ calls: all, timed: all, requests: 108, duration: 1_000, rate: 100 })
    expect(found).toMatchObject({ calls: 100, success: 97, p50: 70, p99: 119, errors: { wrong: 2, late: 1 } })
    expect(found.extra).toBeCloseTo(8)
  })

  it("has every fault with a kind for every node that misbehaves", () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
    expect(faults.length).toBeGreaterThan(17)
    for (const fault of faults) {
      const changes = assign(fault, [3, 0, 1, 2, 4])
      expect(changes).toHaveLength(fault.nodes)
      if (fault.nodes > 0) expect(changes[0]?.node).toBe(3)
      for (const { kind } of changes) expect(Object.keys(kinds)).toContain(kind)
    }
  })

  it("names every miss, and misses what should have been measured and was not", () => {
    const wanted = [
      { name: "correct", measure: "faults/*/success", least: 99.9, unit: "%", except: ["odd"] },
      { name: "p99", measure: "faults/*/p99", most: 150, unit: "ms" },
      { name: "ratio", measure: "overhead/x", most: 0.6, unit: "x" }
    ]
    const measures = {
      "faults/hang/success": 99.8,
      "faults/odd/success": 0,
      "faults/reset/success": 99.9,
      "faults/hang/p99": Number.POSITIVE_INFINITY,
      "faults/reset/p99": undefined
    }
    const missed = (parts: ReadonlyArray<string>, options?: { readonly filtered?: boolean }) =>
      check(wanted, measures, parts, options).flatMap(({ measure, met }) => (met ? [] : [measure]))
    expect(missed(["faults"])).toEqual(["faults/hang/success", "faults/hang/p99"])
    expect(missed(["overhead"])).toEqual(["overhead/x"])
    expect(missed(["overhead"], { filtered: true })).toEqual([])
    expect(check(wanted, measures, ["faults"])).toHaveLength(3)
  })

  it("has targets for what the parts measure, each with one limit", () => {
    for (const { measure, least, most } of targets) {
      expect(["faults", "overhead", "runtimes", "startup", "churn", "fleet"]).toContain(measure.split("/")[0])
      expect([least, most].filter((limit) => limit !== undefined)).toHaveLength(1)
    }
  })

  it("has a page for every entry that a browser can load, and imports it there", () => {
    const { exports }: { readonly exports: Record<string, unknown> } = JSON.parse(
      readFileSync(join(import.meta.dirname, "..", "package.json"), "utf8")
    )
    // a server, what asks that server in tests, and no module at all
    const elsewhere = ["./sandbox", "./sandbox/client", "./package.json"]
    // those of Effect 4 are measured over it (test/react/bundle.test.ts), since `effect` is Effect 3 here
    const entries = Object.keys(exports).filter(
      (entry) => !elsewhere.includes(entry) && !/^\.\/effect4(\/|$)/.test(entry)
    )
    expect(entries.length).toBeGreaterThan(10)
    for (const entry of entries) {
      const name = entry.replace(/^\./, "effect-chains")
      const page = pages.find((one) =>
        [name.replace("*", "Ethereum"), name.replace("*", "Evm")].includes(one.name)
      )
      expect(page?.code, name).toContain(`from "${page?.name}"`)
    }
  })

  it("takes for a first load the chunks that are named, by either bundler, and misses none in silence", async () => {
    const code = `
      import { round } from "./bench/stats.mjs"
      console.log(round, () => import("./bench/table.mjs"), () => import("./bench/targets.mjs"))`
    for (const make of [bundle, viteBundle]) {
      const outputs = await make(code, { splitting: true })
      const first = loaded(outputs, "app.ts", "bench/table.mjs")
      expect(first.map(({ entryPoint }) => entryPoint)).toEqual(["app.ts", "bench/table.mjs"])
      expect(outputs).toHaveLength(3)
      // what is in a chunk of another file is found there
      expect(loaded(outputs, "bench/stats.mjs")).toEqual(first.slice(0, 1))
      expect(() => loaded(outputs, "app.ts", "bench/ipc.mjs")).toThrow("bench/ipc.mjs is in no output")
      expect(await make(code)).toHaveLength(1)
    }
  })

  it("draws sizes in either form, as the mean of both bundlers", () => {
    const rows = forms.map((form, i) => ({ name: "effect-chains/x", form, gzip: 10 + i, vite: 20 + i }))
    const svg = chart({ sizes: { commit: "c", machine: "m", date: "2026-01-01T00:00:00Z", rows } })
    expect([...svg.matchAll(/>([^<]* kB [^<]*)</g)].map(([, text]) => text)).toEqual([
      "15 kB (10, 20)",
      "16 kB (11, 21)"
    ])
  })

  it("draws charts that are well-formed, whatever names are in them", () => {
    const svg = page(
      [
        grid({
          title: "a < b & c",
          rows: ["x"],
          columns: ["y", "z"],
          cell: (_, column) => (column === "y" ? { text: "100", share: 1 } : undefined)
        }),
        bars({
          title: "t",
          items: [
            ['"q"', 2],
            ["p", 1]
          ],
          unit: "µs",
          own: (name) => name === "p"
        })
      ],
      "it's"
    )
    expect(svg.startsWith("<svg ")).toBe(true)
    expect(svg).toContain("a &lt; b &amp; c")
    expect(svg).toContain("&quot;q&quot;")
    expect(svg).toContain("<title>it&#39;s</title>")
    // one cell and two bars; the bar of half the value is half as wide
    const widths = [...svg.matchAll(/<rect x="240" y="[\d.]+" width="([\d.]+)"/g)].map(([, width]) =>
      Number(width)
    )
    expect(widths).toHaveLength(2)
    expect(widths[0]).toBe(2 * (widths[1] ?? Number.NaN))
    expect(svg.match(/<(g|text|svg|title)\b/g)?.length).toBe(svg.match(/<\/(g|text|svg|title)>/g)?.length)
    // the colours of the site
    const tokens = readFileSync(new URL("../react/playground/tokens.css", import.meta.url), "utf8")
    const [, accent] = /--accent: (#\w+);/.exec(tokens) ?? []
    expect(svg).toContain(`fill="${accent}"`)
    expect(shade(0)).toContain("hsl(0 ")
    expect(shade(1)).toContain("hsl(130 ")
  })

  it("draws names above a column in lines that fit", () => {
    const { body } = grid({
      title: "t",
      rows: ["a"],
      columns: ["ethers FallbackProvider", "fetch, one node"],
      cell: () => undefined
    })
    const lines = body.flatMap((text) => /font-size="10".*>(.+)<\/text>/.exec(text)?.[1] ?? [])
    expect(lines).toEqual(["ethers", "Fallback", "Provider", "fetch", "one node"])
  })

  it("has drawn its newest results for the docs", () => {
    // `npm run bench -- --write` draws them
    const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8")
    expect(read("docs/bench.svg")).toBe(chart(JSON.parse(read("bench/results/latest.json"))))
  })

  it("measures a fault: a client that tries other nodes answers, one that does not fails", async () => {
    const clients = ["viem fallback", "fetch, one node"]
    const heard: Array<string> = []
    const rows = await measureFaults({
      clients,
      faults: faults.filter(({ name }) => name === "http500"),
      timing: { ...timing.quick, primed: 20, warm: 500, fault: 1_000, heal: 500, rate: 40 },
      dist: "none",
      tries: 1,
      onRows: (measured) => heard.push(...measured.map(({ client }) => client))
    })
    expect(heard).toEqual(clients)
    const [fallback, bare] = rows
    expect(fallback).toMatchObject({ fault: "http500", client: "viem fallback", rejections: 0 })
    expect(fallback?.out).toBeUndefined()
    // on a busy machine, calls at the edges of the fault see the node before or after it
    expect((fallback?.success ?? 0) - (bare?.success ?? 100)).toBeGreaterThan(50)
    // how much later answers come is the machine's, too
    expect(fallback?.extra).toEqual(expect.any(Number))
    expect(bare?.readmission).toBeGreaterThanOrEqual(0)
  })

  it("leaves out a client that cannot be made, and says why", async () => {
    const { names, out } = await available(["effect-chains", "fetch, one node"], "/no/such/folder")
    expect(names).toEqual(["fetch, one node"])
    expect(out).toEqual([{ name: "effect-chains", reason: expect.stringMatching(/Cannot find module/) }])
  })
})
