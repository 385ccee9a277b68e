/** The market by the data API: candles, changes and histories of the table of prices, rates by contract, and rankings of tokens. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import * as Candles from "../../src/sandbox/provider/data/Candles.js"
import * as Rate from "../../src/sandbox/provider/Rate.js"
import * as Sandbox from "../../src/sandbox/Sandbox.js"
import * as Schemas from "../../src/services/Schemas.js"
import { requireBinary } from "../nodes/process.js"
import { fromCall, makeClient } from "./client.js"
import { fetchJson } from "./serve.js"
import { alice, bob, callContract, carol, deployCollection, deployFungible, rpcAt } from "./tokens.js"

const available = requireBinary("anvil", "the market by the data API") !== undefined

const chain = "ethereum-mainnet"
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe("candles", () => {
  const seed = "a seed"
  const instant = FastCheck.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) })
  const symbol = FastCheck.constantFrom("BTC", "eth", "PEPE", "EUR", "USD")
  const at = (
    code: string,
    interval: keyof typeof Candles.intervalMs,
    time: number,
    now = Number.MAX_SAFE_INTEGER
  ) => {
    const candle = Candles.makeCandle(code, interval, time, { now, seed })
    if (candle === undefined) throw new Error(`${code} has no candle`)
    const [open, high, low, close, volume] = [
      candle.open,
      candle.high,
      candle.low,
      candle.close,
      candle.volume
    ].map(Number)
    return { timestamp: candle.timestamp, open, high, low, close, volume } as Record<
      "timestamp" | "open" | "high" | "low" | "close" | "volume",
      number
    >
  }

  it("hold their prices, and the shorter ones in them", () => {
    FastCheck.assert(
      FastCheck.property(
        symbol,
        instant,
        FastCheck.constantFrom(["5m", "1m", 5], ["1h", "15m", 4], ["4h", "2h", 2], ["1d", "1h", 24] as const),
        (code, time, [long, short, parts]) => {
          const whole = at(code, long as "1h", time)
          const inner = Array.from({ length: Number(parts) }, (_, i) =>
            at(code, short as "1h", whole.timestamp + i * Candles.intervalMs[short as "1h"])
          )
          expect(whole.low).toBeLessThanOrEqual(Math.min(whole.open, whole.close))
          expect(whole.high).toBeGreaterThanOrEqual(Math.max(whole.open, whole.close))
          expect([inner[0]?.open, inner.at(-1)?.close]).toEqual([whole.open, whole.close])
          expect(Math.max(...inner.map(({ high }) => high))).toBe(whole.high)
          expect(Math.min(...inner.map(({ low }) => low))).toBe(whole.low)
          const volume = inner.reduce((sum, each) => sum + each.volume, 0)
          expect(volume / whole.volume).toBeCloseTo(1, 6)
          for (const [i, each] of inner.entries()) if (i > 0) expect(each.open).toBe(inner[i - 1]?.close)
          const price = Rate.findPrice(code, time, seed) ?? Number.NaN
          // prices have ten digits on the wire
          expect(price).toBeGreaterThanOrEqual(whole.low * (1 - 1e-8))
          expect(price).toBeLessThanOrEqual(whole.high * (1 + 1e-8))
        }
      ),
      { numRuns: 60 }
    )
  })

  it("begin at whole intervals, on Mondays, and with the months of the calendar", () => {
    FastCheck.assert(
      FastCheck.property(
        instant,
        FastCheck.constantFrom("1m", "45m", "4h", "1d", "1w", "1M" as const),
        (time, interval) => {
          const start = Candles.startOfInterval(interval as "1w", time)
          expect(start).toBeLessThanOrEqual(time)
          expect(Candles.startOfInterval(interval as "1w", start)).toBe(start)
          expect(Candles.startOfInterval(interval as "1w", start - 1)).toBeLessThan(start)
          if (interval === "1w") expect(new Date(start).getUTCDay()).toBe(1)
          if (interval === "1M") expect(new Date(start).toISOString()).toMatch(/-01T00:00:00.000Z$/)
        }
      )
    )
    expect(new Date(Candles.startOfInterval("1M", Date.UTC(2024, 1, 29, 12))).toISOString()).toBe(
      "2024-02-01T00:00:00.000Z"
    )
  })

  it("end with the present, and have as much volume as there was time", () => {
    const now = Date.UTC(2026, 3, 1, 10, 30)
    const half = at("BTC", "1h", now, now)
    expect(half.close).toBeCloseTo(Rate.findPrice("BTC", now, seed) ?? 0, 3)
    expect(half.volume / at("BTC", "1h", now).volume).toBeCloseTo(0.5, 1)
    const last = Candles.makeLastCandles("BTC", "1M", 4, { now, seed }) ?? []
    expect(last.map(({ timestamp }) => new Date(timestamp).getUTCMonth())).toEqual([0, 1, 2, 3])
  })
})

describe("prices by the data API", () => {
  it.scopedLive("have candles, changes and a history, which agree with the rate", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({ networks: [], seed: "market" })
      const { rates } = (yield* makeClient(sandbox, chain)).data
      const before = Date.now()
      const candles = yield* fromCall(() =>
        rates.getOhlcvBatch({ symbol: "ETH", numberOfCandles: 3, interval: "1h" })
      )
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.Candle))(candles)).toEqual(candles)
      expect(candles.map(({ timestamp }) => timestamp % HOUR)).toEqual([0, 0, 0])
      const [first, second, third] = candles
      expect([second?.timestamp, third?.timestamp]).toEqual([
        Number(first?.timestamp) + HOUR,
        Number(first?.timestamp) + 2 * HOUR
      ])
      const unix = Number(first?.timestamp) + 1
      expect(yield* fromCall(() => rates.getOhlcv({ symbol: "ETH", interval: "1h", unix }))).toEqual([first])
      const time = new Date(unix).toISOString()
      expect(yield* fromCall(() => rates.getOhlcv({ symbol: "ETH", interval: "1h", time }))).toEqual([first])
      // a minute by default
      expect(yield* fromCall(() => rates.getOhlcv({ symbol: "ETH", unix }))).toMatchObject([
        { timestamp: first?.timestamp, open: first?.open }
      ])

      const [from, to] = [before - 2 * DAY, before]
      const history = yield* fromCall(() => rates.getHistory({ symbol: "BTC", basePair: "ETH", from, to }))
      expect(history[0]?.timestamp).toBe(from)
      expect(history.length).toBeGreaterThan(500)
      expect(history.length).toBeLessThanOrEqual(1_000)
      for (const { timestamp, value } of history.slice(0, 5)) {
        const [btc, eth] = ["BTC", "ETH"].map(
          (code) => Rate.findPrice(code, timestamp, "market") ?? Number.NaN
        )
        expect(Number(value) / (Number(btc) / Number(eth))).toBeCloseTo(1, 8)
      }
      expect(
        yield* fromCall(() => rates.getHistory({ symbol: "BTC", from: to + DAY, to: to + 2 * DAY }))
      ).toEqual([])

      const change = yield* fromCall(() =>
        rates.getPriceChange({ symbol: "BTC", basePair: "USD", interval: "1h" })
      )
      expect(Schema.decodeUnknownSync(Schemas.PriceChange)(change)).toEqual(change)
      expect(change.closeTime - change.openTime).toBe(HOUR)
      expect(change.closeTime).toBeGreaterThanOrEqual(before)
      expect(Number(change.open) + Number(change.absoluteChange)).toBeCloseTo(Number(change.close), 4)
      expect(change.percentageChange).toBeCloseTo(
        (100 * Number(change.absoluteChange)) / Number(change.open),
        3
      )
      const batch = yield* fromCall(() =>
        rates.getPriceChangeBatch([
          { symbol: "BTC", basePair: "USD", interval: "1w" },
          { symbol: "SOL", batchId: "mine" }
        ])
      )
      expect(
        batch.map((row) => [row.batchId, row.symbol, row.basePair, row.closeTime - row.openTime])
      ).toEqual([
        ["BTC/USD", "BTC", "USD", 7 * DAY],
        ["mine", "SOL", "EUR", DAY]
      ])

      const route = `${sandbox.baseUrl}/v4/data/rate`
      // the provider's description has the words of intervals at these parameters
      const odd = yield* fetchJson(`${route}/price-change?symbol=BTC&basePair=15m`)
      expect(odd.body).toMatchObject({ symbol: "BTC", basePair: "EUR" })
      expect(Number(Object(odd.body).closeTime) - Number(Object(odd.body).openTime)).toBe(15 * MINUTE)
      for (const [path, part] of [
        ["symbol/OHLCV?symbol=BTC", "exactly one of unix and time"],
        [`symbol/OHLCV?symbol=BTC&unix=1&time=${time}`, "exactly one of unix and time"],
        [`symbol/OHLCV?symbol=BTC&unix=${before + DAY}`, "unix must not be in the future"],
        ["symbol/OHLCV?symbol=BTC&unix=1&interval=3m", "interval"],
        ["symbol/OHLCV?symbol=NOPE&unix=1", "symbol must be the code of a currency"],
        ["symbol/OHLCV/batch?symbol=BTC&numberOfCandles=0", "numberOfCandles must be a whole number from 1"],
        [
          "symbol/OHLCV/batch?symbol=BTC&numberOfCandles=1000&interval=1M",
          "numberOfCandles must be at most 12"
        ],
        [`history?symbol=BTC&from=${to}&to=${from}`, "from must not be later than to"],
        ["price-change?symbol=NOPE", "symbol must be the code of a currency"]
      ] as const) {
        const { body, status } = yield* fetchJson(`${route}/${path}`)
        expect([path, status, JSON.stringify(body)]).toEqual([path, 400, expect.stringContaining(part)])
      }
    })
  )
})

describe.runIf(available)("tokens of a chain", () => {
  it.scopedLive("have rates by the symbols of their contracts, and are ranked", () =>
    Effect.gen(function* () {
      const sandbox = yield* Sandbox.make({
        networks: [{ network: chain, nodes: 1, archive: 0 }],
        seed: "market"
      })
      const rpc = rpcAt(sandbox.network(chain).urls[0] ?? "")
      const { rates, tokens } = (yield* makeClient(sandbox, chain)).data
      const dollars = yield* deployFungible(rpc, { decimals: 6, supply: 10n ** 12n, symbol: "USDC" })
      const own = yield* deployFungible(rpc, { decimals: 18, supply: 10n ** 18n, symbol: "OWN" })
      yield* deployCollection(rpc)
      for (const to of [bob, carol]) yield* callContract(rpc, dollars.contract, "transfer", [to, 1_000_000n])
      for (let i = 0; i < 4; i++) yield* callContract(rpc, own.contract, "transfer", [bob, 1n])

      const rate = yield* fromCall(() =>
        rates.getByContract({ chain, contractAddress: dollars.contract, basePair: "USD" })
      )
      expect(rate).toMatchObject({ id: "USDC", basePair: "USD", source: "effect-chains sandbox" })
      expect(Number(rate.value)).toBeCloseTo(1, 1)
      expect(
        yield* fromCall(() =>
          rates.getByContractBatch([
            { chain, contractAddress: dollars.contract, basePair: "EUR", batchId: "one" }
          ])
        )
      ).toMatchObject([{ batchId: "one", symbol: "USDC", basePair: "EUR" }])
      for (const [contractAddress, status] of [
        [own.contract, 404],
        [alice, 404],
        ["token", 400]
      ] as const) {
        const refused = yield* Effect.promise(() => rates.getByContract({ chain, contractAddress }))
        expect(refused.status === "ERROR" && refused.error.cause).toMatchObject({
          _tag: "GatewayError",
          status
        })
      }

      const newest = yield* fromCall(() => tokens.getNewest({ chain }))
      expect(Schema.decodeUnknownSync(Schema.Array(Schemas.RankedToken))(newest)).toEqual(newest)
      const addresses = (rows: ReadonlyArray<{ readonly tokenAddress?: string }>) =>
        rows.map((row) => row.tokenAddress)
      expect(addresses(newest)).toEqual([own.contract, dollars.contract])
      expect(newest[1]).toMatchObject({ rank: 2, symbol: "USDC", chain, type: "fungible" })
      // a million of them, at about a dollar
      expect(Number(newest[1]?.fdv) / 1e6).toBeCloseTo(1, 1)
      expect(Object.keys(newest[1]?.priceChanges ?? {})).toEqual(["5m", "15m", "1h", "3h", "6h", "1d"])
      expect(newest[0]).not.toHaveProperty("priceUSD")
      expect(addresses(yield* fromCall(() => tokens.getPopular({ chain })))).toEqual([
        dollars.contract,
        own.contract
      ])
      expect(addresses(yield* fromCall(() => tokens.getTrending({ chain })))).toEqual([
        own.contract,
        dollars.contract
      ])
      expect(yield* fromCall(() => tokens.getTrending({ chain, pageSize: 1, offset: 1 }))).toMatchObject([
        { rank: 2, tokenAddress: dollars.contract }
      ])

      // two days later, what moves is another one, by the chain's own clock
      yield* rpc("evm_increaseTime", [2 * 86_400])
      yield* callContract(rpc, dollars.contract, "transfer", [bob, 1n])
      expect(addresses(yield* fromCall(() => tokens.getTrending({ chain })))).toEqual([dollars.contract])
      const [from, to] = [Date.parse(newest[1]?.firstMint ?? ""), Date.now() + DAY]
      const history = yield* fromCall(() => tokens.getPopularHistory({ chain, from, to }))
      expect(history).toMatchObject({ data: [{ rank: 1, tokenAddress: own.contract }, { rank: 2 }] })

      const { body, status } = yield* fetchJson(
        `${sandbox.baseUrl}/v4/data/tokens/newest?chain=polygon-mainnet`
      )
      expect([status, JSON.stringify(body)]).toEqual([
        400,
        expect.stringContaining("chain must be one of ethereum-mainnet, base-mainnet")
      ])
    })
  )
})
