import { describe, expect, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { format, parse } from "../../src/data/Units.js"
import { sumAmounts, toPlainDecimal } from "../../src/services/internal/amounts.js"
import { netChangeOf } from "../../src/services/internal/utxoHistory.js"

/** Up to 78 digits, as many as 2^256 has. */
const units = FastCheck.bigInt({ min: 0n, max: 10n ** 78n - 1n })
const decimals = FastCheck.integer({ min: 0, max: 78 })
const written = /^-?\d+(\.\d*[1-9])?$/

describe("amounts", () => {
  it("are written with all their digits, whatever their size", () => {
    FastCheck.assert(
      FastCheck.property(units, decimals, (amount, digits) => {
        const text = format(amount, digits)
        expect(text).toMatch(written)
        expect(parse(text, digits)).toEqual(Option.some(amount))
      })
    )
  })

  it("are summed without rounding, whatever their digits after the point", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.tuple(units, decimals)), (amounts) => {
        const total = sumAmounts(amounts.map(([amount, digits]) => format(amount, digits)))
        const expected = amounts.reduce(
          (all, [amount, digits]) => all + amount * 10n ** BigInt(78 - digits),
          0n
        )
        expect(total).toMatch(written)
        expect(parse(total, 78)).toEqual(Option.some(expected))
      })
    )
  })

  it("are the same whether the provider writes them with an exponent or without", () => {
    FastCheck.assert(
      FastCheck.property(units, FastCheck.integer({ min: -78, max: 78 }), (amount, exponent) => {
        const expected =
          exponent < 0 ? format(amount, -exponent) : format(amount * 10n ** BigInt(exponent), 0)
        expect(toPlainDecimal(`${amount}e${exponent}`)).toBe(expected)
        expect(sumAmounts([`${amount}E${exponent}`])).toBe(expected)
      })
    )
  })

  it("keep the digits that the provider wrote", () => {
    expect(toPlainDecimal("1.50")).toBe("1.50")
    expect(toPlainDecimal("-1e-18")).toBe("-0.000000000000000001")
    expect(sumAmounts([])).toBe("0")
    expect(sumAmounts(["0.1", "0.2", "-0.3"])).toBe("0")
  })
})

describe("what a transaction changes", () => {
  const coin = FastCheck.record({
    address: FastCheck.constantFrom("mine", "theirs", null),
    value: FastCheck.bigInt({ min: 0n, max: 2n ** 63n })
  })

  it("is what came less what went, to the last satoshi", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(coin), FastCheck.array(coin), (inputs, outputs) => {
        const coins = (list: typeof inputs) =>
          list.map(({ address, value }) => ({ address, value: format(value, 8) }))
        const mine = (list: typeof inputs) =>
          list.reduce((all, { address, value }) => (address === "mine" ? all + value : all), 0n)
        const { amount, transactionType } = netChangeOf(
          {
            hash: "h",
            time: 0,
            inputs: [...coins(inputs).map((each) => ({ coin: each })), { coin: null }],
            outputs: coins(outputs)
          },
          "mine"
        )
        const change = mine(outputs) - mine(inputs)
        expect(amount).toBe(format(change < 0n ? -change : change, 8))
        if (change !== 0n) expect(transactionType).toBe(change < 0n ? "outgoing" : "incoming")
      })
    )
  })

  it("takes numbers for satoshis and text for coins", () => {
    const row = {
      hash: "h",
      time: 0,
      inputs: [],
      outputs: [
        { address: "mine", value: 2 },
        { address: "mine", value: "2" }
      ]
    }
    expect(netChangeOf(row, "mine")).toEqual({ transactionType: "incoming", amount: "2.00000002" })
  })
})
