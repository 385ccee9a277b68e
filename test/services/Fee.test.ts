// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Network from "../../src/data/Network.js"
import { format } from "../../src/data/Units.js"
import * as Fee from "../../src/services/Fee.js"
import { divideByPowerOf10, isAmount } from "../../src/services/internal/amounts.js"
import { type Answer, makeScripted } from "./scripted.js"

const fee = (answer: Answer, network: Network.Network = "ethereum-mainnet") =>
  Effect.flatMap(makeScripted(Fee.make, [answer], { network, retryCount: 0 }), ({ service }) =>
    service.getCurrentFee()
  )

const time = "2026-01-01T00:00:00.000Z"

describe("the fee of an EVM network", () => {
  it.effect("is in Gwei, exact, whatever form the provider's number has", () =>
    Effect.gen(function* () {
      const text = `{"slow":1,"medium":123456789012345678901234567,"fast":1.5e9,"baseFee":"7","time":"${time}","block":20000000}`
      expect(yield* fee({ text })).toEqual({
        chain: "ethereum-mainnet",
        gasPrice: {
          slow: "0.000000001",
          medium: "123456789012345678.901234567",
          fast: "1.5",
          baseFee: "0.000000007",
          unit: "Gwei"
        },
        lastRecalculated: time,
        basedOnBlockNumber: 20_000_000
      })
    })
  )

  it.effect("that lacks a field is a malformed answer which names it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(fee({ json: { slow: -1, medium: "x", fast: 1, time, block: 1 } }))
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed", call: "fee.getCurrentFee" })
      expect(error.message).toContain("slow: must not be below zero")
      expect(error.message).toContain("medium: must be")
      expect(error.message).toContain("baseFee: is missing")
    })
  )
})

describe("the fee of a Bitcoin-style network", () => {
  it.effect("is per byte, with the digits of the answer", () =>
    Effect.gen(function* () {
      const text = `{"slow":1e-7,"medium":5.10,"fast":9.25,"time":"${time}","block":800000}`
      const { lines, service } = yield* makeScripted(Fee.make, [{ text }], { network: "litecoin-mainnet" })
      expect(yield* service.getCurrentFee()).toEqual({
        chain: "litecoin-mainnet",
        slow: "0.0000001",
        medium: "5.1",
        fast: "9.25",
        lastRecalculated: time,
        basedOnBlockNumber: 800_000
      })
      expect(lines()).toEqual(["GET /v4/blockchain/fee/LTC"])
    })
  )
})

describe("fees", () => {
  it.effect("of other networks fail without a request", () =>
    Effect.gen(function* () {
      const without = Object.keys(Network.networks)
        .filter(Network.isNetwork)
        .filter((network) => !Network.hasFee(network))
      expect(without.length).toBeGreaterThan(100)
      for (const network of without) {
        const { sent, service } = yield* makeScripted(Fee.make, [], {
          network,
          rpc: { nodes: [{ url: "https://node.example" }] }
        })
        const error = yield* Effect.flip(service.getCurrentFee())
        expect(error).toMatchObject({ _tag: "NotSupportedForNetwork", feature: "fee", network })
        expect(error.message).toBe(`Unsupported network ${network}`)
        expect(sent).toEqual([])
      }
    })
  )

  it.effect("are asked for again at every call", () =>
    Effect.gen(function* () {
      const json = { slow: 1, medium: 2, fast: 3, time, block: 1 }
      const { sent, service } = yield* makeScripted(Fee.make, [{ json }, { json }], {
        network: "doge-mainnet"
      })
      yield* service.getCurrentFee()
      yield* service.getCurrentFee()
      expect(sent.length).toBe(2)
    })
  )
})

describe("decimal text", () => {
  it("is exact, and never in exponent form", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.bigInt({ min: 0n, max: 10n ** 50n }),
        FastCheck.integer({ min: -20, max: 20 }),
        FastCheck.integer({ min: 0, max: 18 }),
        (digits, exponent, power) => {
          const text = `${digits}e${exponent}`
          expect(isAmount(text)).toBe(true)
          const shift = power - exponent
          const exact = shift >= 0 ? format(digits, shift) : String(digits * 10n ** BigInt(-shift))
          expect(divideByPowerOf10(text, power)).toBe(exact)
          expect(exact).toMatch(/^\d+(\.\d+)?$/)
        }
      )
    )
  })

  it("refuses what is no number, or would be written out for ever", () => {
    for (const text of ["", "1e1000000", "0x1", "NaN", "1.", ".5", "1,5", "Infinity"])
      expect(isAmount(text)).toBe(false)
  })
})
