// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Rates from "../../src/services/Rates.js"
import { makeScripted, parseBody } from "./scripted.js"

/** A value that JavaScript may pass. */
const anything = (value: unknown) => value as never

describe("rates", () => {
  it.effect("are asked for by the currency's code, which stays one segment", () =>
    Effect.gen(function* () {
      const rate = { _id: "BTC", value: "1.5", basePair: "EUR", timestamp: 1, source: "x" }
      const { lines, service } = yield* makeScripted(Rates.make, [{ json: rate }, { json: rate }])
      expect(yield* service.getCurrentRate("BTC", "EUR")).toEqual(rate)
      yield* service.getCurrentRate("USDC.e", "USD")
      expect(lines()).toEqual(["GET /v4/rate/BTC?basePair=EUR", "GET /v4/rate/USDC.e?basePair=USD"])
    })
  )

  it.effect("of a batch have an id, and the caller's list stays as it is", () =>
    Effect.gen(function* () {
      const pairs = Object.freeze([
        Object.freeze({ currency: "BTC", basePair: "EUR" }),
        Object.freeze({ currency: "ETH", basePair: "USD", batchId: "mine" })
      ])
      const { sent, service } = yield* makeScripted(Rates.make, [{ json: [] }])
      expect(yield* service.getCurrentRateBatch(pairs)).toEqual([])
      expect(parseBody(sent[0])).toEqual([
        { currency: "BTC", basePair: "EUR", batchId: "BTC/EUR" },
        { currency: "ETH", basePair: "USD", batchId: "mine" }
      ])
    })
  )

  it.effect("of what is no code are refused, and nothing is sent", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(Rates.make, [])
      const refused: ReadonlyArray<Effect.Effect<unknown, Error & { readonly _tag: string }>> = [
        service.getCurrentRate("", "EUR"),
        service.getCurrentRate("BTC", "../secret"),
        service.getCurrentRate("BTC/EUR", "EUR"),
        service.getCurrentRate(anything(5), "EUR"),
        service.getCurrentRateBatch([]),
        service.getCurrentRateBatch([{ currency: "BTC", basePair: " " }]),
        service.getCurrentRateBatch(anything("BTC"))
      ]
      for (const call of refused) {
        const error = yield* Effect.flip(call)
        expect(error._tag).toBe("InvalidArgument")
      }
      const error = yield* Effect.flip(service.getCurrentRateBatch([{ currency: "BTC", basePair: " " }]))
      expect(error.message).toBe(
        "rates.getCurrentRateBatch: 0.basePair: must be the code of a currency, such as BTC"
      )
      expect(sent).toEqual([])
    })
  )

  it.effect("are asked for again after a server error, batches too, and fail with the provider's words", () =>
    Effect.gen(function* () {
      const busy = { status: 503, json: { message: "busy" } }
      const { sent, service } = yield* makeScripted(Rates.make, [busy, { json: [] }, busy, busy])
      yield* service.getCurrentRateBatch([{ currency: "BTC", basePair: "EUR" }])
      const error = yield* Effect.flip(service.getCurrentRate("BTC", "EUR"))
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "status", status: 503, messages: ["busy"] })
      expect(sent.length).toBe(4)
    })
  )
})
