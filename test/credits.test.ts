// @runtime both
/** The credits that clients spend: their prices, their events, and their account. */
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { vi } from "vitest"
import type { PoolEvent } from "../src/balancer/Observation.js"
import { cache } from "../src/cache.js"
import { chargeOfRoute, chargesOfNode, creditsOfNodeCall, makeAccount } from "../src/data/credits.js"
import { QuotaExceeded } from "../src/data/SdkError.js"
import { init } from "../src/promise.js"
import { quota, routeCredits } from "../src/quota.js"
import { runs } from "./properties.js"

const api = "https://provider.example"
const key = "secret-key"

/** What a request is answered: a status, or nothing at all. */
type Outcome = number | "lost"

/** A provider in the place of `fetch`, with a bill of its own. */
const provider = (outcomeOf: (turn: number) => Outcome = () => 200) => {
  const seen: Array<{ readonly url: string; readonly body: string; readonly at: number }> = []
  let turn = 0
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input)
    const body = typeof init?.body === "string" ? init.body : ""
    const json: unknown = body === "" ? undefined : JSON.parse(body)
    const answer = (request: unknown): unknown => {
      const { id, method } = Object(request)
      return { jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x1" : "0x10" }
    }
    const isCheck = /eth_(chainId|blockNumber)/.test(body)
    const outcome = isCheck ? 200 : outcomeOf(turn++)
    if (outcome === "lost") throw new TypeError("the connection was lost")
    seen.push({ url, body, at: performance.now() })
    const said = url.includes("/v4/")
      ? { value: "1", symbol: "ETH", basePair: "EUR", timestamp: 1 }
      : Array.isArray(json)
        ? json.map(answer)
        : answer(json)
    return new Response(JSON.stringify(said), {
      status: outcome,
      headers: { "content-type": "application/json" }
    })
  }
  return { fetch, seen }
}

const common = {
  network: "ethereum-mainnet",
  quiet: true,
  apiKey: key,
  hedge: false,
  retryDelay: 1,
  provider: { baseUrl: api },
  rpc: { nodes: [{ url: `${api}/node` }], oneTimeLoadBalancing: true, evictNodesOnFailure: false }
} as const

const chargedIn = (events: ReadonlyArray<PoolEvent>) =>
  events.flatMap((event) => (event._tag === "Charged" ? [event] : []))

const sumOf = (events: ReadonlyArray<PoolEvent>): number =>
  chargedIn(events).reduce((sum, { credits = 0 }) => sum + credits, 0)

const asked = ["gasPrice", "call", "list", "trace", "symbol", "rate", "portfolio"] as const

const call = { to: `0x${"00".repeat(20)}` } as const

describe("prices", () => {
  it("are those of methods of nodes: traces, contracts, and all others", () => {
    const prices = {
      eth_call: 5,
      eth_blockNumber: 2,
      eth_callMany: 2,
      eth_callBundle: 2,
      debug_traceCall: 50,
      trace_block: 50,
      "/v1/trace_api/get_block": 50,
      "/v1/chain/get_info": 2,
      arbtrace_call: 2,
      getBalance: 2
    }
    expect(Object.fromEntries(Object.keys(prices).map((name) => [name, creditsOfNodeCall(name)]))).toEqual(
      prices
    )
  })

  it("are those of each call of a list, and of one route where a body is no call", () => {
    expect(chargesOfNode("POST", "/", '[{"method":"eth_call"},{"method":"trace_block"},{}]')).toEqual([
      { route: "eth_call", credits: 5 },
      { route: "trace_block", credits: 50 }
    ])
    // a contract's own fields are no methods
    expect(chargesOfNode("POST", "/", '{"method":"eth_call","params":[{"method":"debug_x"}]}')).toEqual([
      { route: "eth_call", credits: 5 }
    ])
    for (const body of ["", "no json", '{"method":1}', "[]", "null", new Uint8Array([1]), undefined])
      expect(chargesOfNode("GET", "/eth/v1/beacon/genesis", body)).toEqual([
        { route: "GET of a node", credits: 2 }
      ])
    expect(chargesOfNode("POST", "/v1/trace_api/get_block", "{}")).toEqual([
      { route: "POST of a node", credits: 50 }
    ])
  })

  it("are exported as they are charged", () => {
    for (const [credits, routes] of Object.entries(routeCredits))
      for (const route of routes) {
        const [method = "", path = ""] = route.split(" ")
        expect(chargeOfRoute(method, path)).toEqual({ route, credits: Number(credits) })
      }
  })

  it("are those of routes by their whole path; others go by its beginning, whatever is in the rest", () => {
    expect(chargeOfRoute("GET", "v4/data/wallet/portfolio")).toEqual({
      route: "GET v4/data/wallet/portfolio",
      credits: 50
    })
    expect(chargeOfRoute("POST", "v4/subscription")).toEqual({ route: "POST v4/subscription", credits: 50 })
    expect(chargeOfRoute("GET", "v4/subscription")).toEqual({ route: "GET v4/subscription", credits: 1 })
    expect(chargeOfRoute("DELETE", "v4/subscription/5f3")).toEqual({ route: "DELETE v4/subscription" })
    expect(chargeOfRoute("GET", "v3/data/wallet/portfolio")).toEqual({ route: "GET v3/data" })
    expect(chargeOfRoute("GET", "v4/rate/BTC")).toEqual({ route: "GET v4/rate" })
  })
})

describe("an account", () => {
  it("adds up whatever is charged to it, and does not grow with every name", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record(
            { route: fc.string(), credits: fc.nat({ max: 500 }) },
            { requiredKeys: ["route"], noNullPrototype: true }
          ),
          { maxLength: 100 }
        ),
        (charges) => {
          const { charge, read } = makeAccount()
          const added = [...charges, { route: "__proto__", credits: 7 }].map(charge)
          const { routes, spent, unpriced } = read()
          const all = Object.values(routes)
          expect(spent).toBe(added.reduce((sum, { credits = 0 }) => sum + credits, 0))
          expect(all.reduce((sum, { credits = 0 }) => sum + credits, 0)).toBe(spent)
          expect(all.reduce((sum, { calls }) => sum + calls, 0)).toBe(added.length)
          expect(unpriced).toBe(added.filter(({ credits }) => credits === undefined).length)
        }
      )
    ))

  it("has a thousand routes and one for the rest, which says so of what it is told", () => {
    const { charge, read } = makeAccount()
    for (let i = 0; i < 1_500; i++) charge({ route: `m${i}`, credits: 2 })
    expect(charge({ route: "m0", credits: 2 })).toEqual({ route: "m0", credits: 2 })
    expect(charge({ route: "n", credits: 2 })).toEqual({ route: "other routes", credits: 2 })
    expect(charge({ route: "n" })).toEqual({ route: "other routes" })
    const { routes, spent, unpriced } = read()
    expect([spent, unpriced]).toEqual([3_004, 1])
    expect(Object.keys(routes)).toHaveLength(1_001)
    expect(routes["other routes"]).toEqual({ calls: 502, credits: 1_002 })
  })
})

describe("a client", () => {
  it("counts nothing without a quota, and nothing that goes to nodes of one's own", async () => {
    const { fetch, seen } = provider()
    const free = await init({ ...common, fetch })
    expect(free.credits()).toBeUndefined()
    await free.destroy()
    const own = await init({
      ...common,
      fetch,
      quota: quota(),
      rpc: { ...common.rpc, nodes: [{ url: "https://own.example" }] }
    })
    const events: Array<PoolEvent> = []
    own.listen((event) => events.push(event))
    seen.length = 0
    expect((await own.rpc.call(call)).status).toBe("SUCCESS")
    expect(seen.some(({ body }) => body.includes("eth_call"))).toBe(true)
    expect(own.credits()).toEqual({ spent: 0, unpriced: 0, routes: {} })
    expect(chargedIn(events)).toEqual([])
    await own.destroy()
  })

  it("tells what each answered call has cost, by its route, and no secret", async () => {
    const { fetch } = provider()
    const sdk = await init({ ...common, fetch, quota: quota(), verifyChain: false })
    await sdk.checkNodes()
    const events: Array<PoolEvent> = []
    const before = sdk.credits()?.spent ?? Number.NaN
    sdk.listen((event) => events.push(event))
    try {
      await sdk.rpc.gasPrice()
      await sdk.rpc.call(call)
      await sdk.rpc.call(call)
      await sdk.rpc.rawBatchRpcCall([
        { method: "eth_gasPrice" },
        { method: "debug_traceTransaction", params: ["0x01"] }
      ])
      await sdk.data.rates.getBySymbol({ symbol: "ETH", basePair: "EUR" })
      await sdk.rates.getCurrentRate("ETH", "EUR")
      await sdk.provider.get({ path: "data/utxos", params: { address: "secret-address" } })
      const { routes, spent = 0, unpriced } = sdk.credits() ?? {}
      expect(routes).toMatchObject({
        eth_gasPrice: { calls: 2, credits: 4 },
        eth_call: { calls: 2, credits: 10 },
        debug_traceTransaction: { calls: 1, credits: 50 },
        "GET v4/data/rate/symbol": { calls: 1, credits: 20 },
        "GET v4/rate": { calls: 1 },
        "GET v4/data/utxos": { calls: 1, credits: 100 }
      })
      expect(unpriced).toBe(1)
      expect(spent - before).toBe(sumOf(events))
      expect(sumOf(events)).toBe(184)
      expect(chargedIn(events).find(({ route }) => route === "GET v4/rate")).toEqual({
        _tag: "Charged",
        at: expect.any(Number),
        url: `${api}/…`,
        route: "GET v4/rate"
      })
      expect(JSON.stringify([events, sdk.credits()])).not.toMatch(/secret/)
      // with other options it is the same client
      expect(sdk.with({ timeout: 1_000 }).credits()).toEqual(sdk.credits())
    } finally {
      await sdk.destroy()
    }
  })

  it("counts a shared, a kept and a repeated answer as often as the provider has given it", async () => {
    const outcomes: Array<Outcome> = [500, 200, "lost"]
    const { fetch } = provider(() => outcomes.shift() ?? 200)
    const sdk = await init({ ...common, fetch, quota: quota(), coalesce: cache(), verifyChain: false })
    try {
      // after a server error it is sent again, and both are answers
      expect((await sdk.provider.get({ path: "data/tokens" })).status).toBe("SUCCESS")
      expect(sdk.credits()?.routes["GET v4/data/tokens"]).toEqual({ calls: 2, credits: 40 })
      expect((await sdk.provider.get({ path: "data/tokens" })).status).toBe("ERROR")
      expect(sdk.credits()?.routes["GET v4/data/tokens"]).toEqual({ calls: 2, credits: 40 })
      // the same rate, which a cache holds for a while
      for (let i = 0; i < 3; i++) await sdk.rates.getCurrentRate("ETH", "EUR")
      expect(sdk.credits()?.routes["GET v4/rate"]).toEqual({ calls: 1 })
      await Promise.all([sdk.rpc.call(call), sdk.rpc.call(call)])
      expect(sdk.credits()?.routes.eth_call).toEqual({ calls: 1, credits: 5 })
    } finally {
      await sdk.destroy()
    }
  })

  it("has a price for each call, check and service that was answered, whatever comes of it", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            ask: fc.constantFrom(...asked),
            outcome: fc.constantFrom<Outcome>(200, 200, 200, 400, 403, 404, 500, 503, "lost")
          }),
          { minLength: 1, maxLength: 12 }
        ),
        fc.boolean(),
        async (steps, together) => {
          const { fetch, seen } = provider((turn) => steps[turn % steps.length]?.outcome ?? 200)
          const sdk = await init({
            ...common,
            fetch,
            retryCount: 1,
            quota: quota({ requestsPerSecond: 1e6, credits: { perSecond: 1e6 } }),
            batch: together
          })
          const events: Array<PoolEvent> = []
          sdk.listen((event) => events.push(event))
          const first = sdk.credits()?.spent ?? Number.NaN
          const asks = {
            gasPrice: () => sdk.rpc.gasPrice(),
            call: () => sdk.rpc.call(call),
            list: () => sdk.rpc.rawBatchRpcCall([{ method: "eth_call" }, { method: "eth_gasPrice" }]),
            trace: () => sdk.rpc.rawRpcCall({ method: "trace_block", params: ["0x1"] }),
            symbol: () => sdk.data.rates.getBySymbol({ symbol: "ETH", basePair: "EUR" }),
            rate: () => sdk.rates.getCurrentRate("ETH", "EUR"),
            portfolio: () => sdk.provider.get({ path: "data/wallet/portfolio" })
          }
          if (together) await Promise.all(steps.map(({ ask }) => asks[ask]()))
          else for (const { ask } of steps) await asks[ask]()
          // the bill of the provider, by prices of the test's own
          const prices: ReadonlyArray<readonly [RegExp, number]> = [
            [/"method":"eth_(gasPrice|chainId|blockNumber|getBlockByNumber)"/g, 2],
            [/"method":"eth_call"/g, 5],
            [/"method":"trace_block"/g, 50],
            [/\/v4\/data\/rate\/symbol/g, 20],
            [/\/v4\/data\/wallet\/portfolio/g, 50]
          ]
          const bill = () =>
            seen.reduce(
              (sum, { body, url }) =>
                sum +
                prices.reduce(
                  (all, [pattern, price]) => all + [...`${url} ${body}`.matchAll(pattern)].length * price,
                  0
                ),
              0
            )
          await vi.waitFor(() => expect(sdk.credits()?.spent).toBe(bill()), { interval: 1 })
          const { routes, spent = Number.NaN } = sdk.credits() ?? {}
          expect(first + sumOf(events)).toBe(spent)
          expect(Object.values(routes ?? {}).reduce((sum, { credits = 0 }) => sum + credits, 0)).toBe(spent)
          await sdk.destroy()
        }
      ),
      { numRuns: runs(60) }
    ))

  it("spends the credits that there are to the last call that they suffice for, and none of them twice", async () => {
    const { fetch } = provider()
    const burst = 203
    const sdk = await init({
      ...common,
      fetch,
      verifyChain: false,
      quota: quota({ credits: { perSecond: 0.001, burst } })
    })
    try {
      await sdk.checkNodes()
      let refused: unknown
      for (let i = 0; i < 100 && refused === undefined; i++) {
        // services pay from the same bucket: 20 credits once in a while
        if (i % 10 === 0) await sdk.provider.get({ path: "data/tokens" })
        else refused = (await sdk.rpc.call(call)).error?.cause
      }
      expect(refused).toBeInstanceOf(QuotaExceeded)
      const { spent } = sdk.credits() ?? { spent: Number.NaN }
      expect(spent).toBeLessThanOrEqual(burst)
      expect(spent).toBeGreaterThan(burst - 5)
    } finally {
      await sdk.destroy()
    }
  })

  it("keeps to a limit in credits: the dear ones wait longer, and what has no place is told so", async () => {
    const { fetch, seen } = provider()
    const sdk = await init({
      ...common,
      fetch,
      verifyChain: false,
      quota: quota({ credits: { perSecond: 500, burst: 50 } })
    })
    try {
      await sdk.rpc.gasPrice()
      seen.length = 0
      const results = await Promise.all(Array.from({ length: 60 }, () => sdk.rpc.call(call)))
      expect(results.flatMap(({ error }) => error?.message ?? [])).toEqual([])
      const times = seen.map(({ at }) => at)
      // 300 credits, of which 50 may be there: five are ten milliseconds
      expect(Number(times.at(-1)) - Number(times[0])).toBeGreaterThan(450)
      const { error } = await sdk
        .with({ timeout: 100 })
        .rpc.rawBatchRpcCall(Array.from({ length: 5 }, () => ({ method: "debug_traceTransaction" })))
      expect(error?.cause).toBeInstanceOf(QuotaExceeded)
      const cheap = await sdk.rpc.gasPrice()
      expect(cheap.status).toBe("SUCCESS")
      expect(sdk.credits()?.routes.debug_traceTransaction).toBeUndefined()
    } finally {
      await sdk.destroy()
    }
  })
})
