import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Network from "../../src/data/Network.js"
import { group, Rate as Row } from "../../src/sandbox/api/Rate.js"
import * as Rate from "../../src/sandbox/provider/Rate.js"
import { fetchJson, serve } from "./serve.js"

const provider = serve(
  HttpApiBuilder.api(HttpApi.make("provider").add(group)).pipe(Layer.provide(Rate.layer("a seed")))
)
const decode = Schema.decodeUnknownSync(Row)
const DAY = 86_400_000
const NOON = Date.UTC(2026, 5, 1, 12)
/** Coins without a price. */
const worthless = ["WND", "CFLR", "C2FLR", "DEV"]

describe("prices", () => {
  it("exist of every currency of the networks", () => {
    const codes = Object.keys(Network.networks)
      .filter(Network.isNetwork)
      .flatMap((network) => [Network.info(network).currency, Network.info(network).symbol])
      .filter((code) => !worthless.includes(code))
    for (const code of new Set(codes))
      expect([code, Rate.findPrice(code, NOON)]).toEqual([code, expect.any(Number)])
    expect(Rate.findPrice("TEST123", NOON)).toBeUndefined()
    expect(Rate.findPrice("constructor", NOON)).toBeUndefined()
  })

  it("are the same for the same seed and time, and otherwise others", () => {
    expect(Rate.findPrice("BTC", NOON, "a")).toBe(Rate.findPrice("BTC", NOON, "a"))
    expect(Rate.findPrice("btc", NOON, "a")).toBe(Rate.findPrice("BTC", NOON, "a"))
    expect(Rate.findPrice("BTC", NOON, "b")).not.toBe(Rate.findPrice("BTC", NOON, "a"))
    expect(Rate.findPrice("BTC", NOON + 1_000, "a")).not.toBe(Rate.findPrice("BTC", NOON, "a"))
    expect(Rate.findPrice("ETH_BASE", NOON, "a")).toBe(Rate.findPrice("ETH", NOON, "a"))
    expect(Rate.findPrice("USD", NOON, "a")).toBe(1)
  })

  it("move, but neither far nor in leaps", () => {
    const of = (code: string, step: number) =>
      Array.from({ length: 2_000 }, (_, i) => Rate.findPrice(code, NOON + i * step, "a") ?? Number.NaN)
    for (const [code, least, most] of [
      ["BTC", 0.02, 0.4],
      ["EUR", 0.001, 0.013]
    ] as const) {
      const days = of(code, DAY)
      const spread = Math.max(...days) / Math.min(...days) - 1
      expect(spread).toBeGreaterThan(least)
      expect(spread).toBeLessThan(most)
    }
    const seconds = of("BTC", 1_000)
    expect(new Set(seconds).size).toBe(seconds.length)
    for (const [i, price] of seconds.entries())
      expect(Math.abs(price / (seconds[i - 1] ?? price) - 1)).toBeLessThan(0.001)
  })
})

describe("rates of the sandbox", () => {
  it.scopedLive("are those of the prices at the time", () =>
    Effect.gen(function* () {
      const url = yield* provider
      for (const [path, currency, basePair] of [
        ["BTC?basePair=EUR", "BTC", "EUR"],
        ["BTC", "BTC", "EUR"],
        ["EUR?basePair=JPY&type=testnet", "EUR", "JPY"],
        ["SHIB?basePair=BTC", "SHIB", "BTC"],
        ["USD?basePair=USD", "USD", "USD"]
      ] as const) {
        const { body, status } = yield* fetchJson(`${url}/rate/${path}`)
        expect(status).toBe(200)
        const rate = decode(body)
        expect(rate).toMatchObject({ _id: currency, basePair })
        expect(rate.batchId).toBeUndefined()
        expect(Math.abs(rate.timestamp - Date.now())).toBeLessThan(10_000)
        expect(rate.value).toMatch(/^\d+(\.\d*[1-9])?$/)
        const price = (code: string) => Rate.findPrice(code, rate.timestamp, "a seed") ?? Number.NaN
        expect(Number(rate.value)).toBeGreaterThan(0)
        expect(Number(rate.value) / (price(currency) / price(basePair))).toBeCloseTo(1, 8)
      }
    })
  )

  it.scopedLive("come in batches, of one time", () =>
    Effect.gen(function* () {
      const url = yield* provider
      const { body, status } = yield* fetchJson(`${url}/rate`, [
        { currency: "BTC", basePair: "EUR", batchId: "first" },
        { currency: "EUR", basePair: "BTC" },
        { currency: "BTC", basePair: "USD", batchId: "first" }
      ])
      expect(status).toBe(200)
      const rates = Schema.decodeUnknownSync(Schema.Array(Row))(body)
      expect(rates.map(({ batchId }) => batchId)).toEqual(["first", "EUR/BTC", "first"])
      expect(new Set(rates.map(({ timestamp }) => timestamp)).size).toBe(1)
      const [there, back] = rates.map(({ value }) => Number(value))
      expect((there ?? 0) * (back ?? 0)).toBeCloseTo(1, 7)
    })
  )

  it.scopedLive("are refused for currencies that nobody knows", () =>
    Effect.gen(function* () {
      const url = yield* provider
      const refusal = (...data: ReadonlyArray<string>) => ({
        status: 400,
        body: {
          statusCode: 400,
          errorCode: "validation.failed",
          data: data.map((field) => expect.stringContaining(`${field} must be`))
        }
      })
      expect(yield* fetchJson(`${url}/rate/NONE?basePair=EUR`)).toMatchObject(refusal("currency"))
      expect(yield* fetchJson(`${url}/rate/NONE?basePair=NEITHER`)).toMatchObject(
        refusal("currency", "basePair")
      )
      const batch = [
        { currency: "BTC", basePair: "EUR" },
        { currency: "BTC", basePair: "NEITHER" }
      ]
      expect(yield* fetchJson(`${url}/rate`, batch)).toMatchObject(refusal("1.basePair"))
      expect((yield* fetchJson(`${url}/rate`, [])).status).toBe(400)
    })
  )
})
