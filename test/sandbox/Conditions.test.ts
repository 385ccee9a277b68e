/** Conditions of subscriptions, against a reference that compares in another way. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Condition, type Field, meetsConditions } from "../../src/sandbox/Conditions.js"

type One = typeof Condition.Type

const address = fc.stringMatching(/^[0-9a-fA-F]{40}$/).map((digits) => `0x${digits}`)
const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)
const symbol = fc.constantFrom("USDT", "usdt", "WETH", "", "7")
const kind = fc.constantFrom("native", "fungible", "nft", "multitoken")

/** Few values, so that they are often the same. */
const values = fc.record({
  value: fc.oneof(amount, fc.constantFrom("0", "1", "2", "10", "010")),
  tokenId: fc.constantFrom("0", "1", "9", "10", undefined),
  from: fc.oneof(address, fc.constantFrom("0xab", "0xAB", "bc1qx", undefined)),
  to: fc.constantFrom("0xab", "0xAB", "bc1qx", "bc1qX", undefined),
  contractAddress: fc.constantFrom("0xab", "0xAB", undefined),
  "tokenMetadata.type": kind,
  "tokenMetadata.symbol": fc.option(symbol, { nil: undefined })
})

const conditions = values.chain((taken) =>
  fc.array(
    fc.constantFrom(...(Object.keys(taken) as ReadonlyArray<Field>)).chain((field) =>
      fc.record({
        field: fc.constant(field),
        operator: fc.constantFrom(
          ">" as const,
          ">=" as const,
          "<" as const,
          "<=" as const,
          "==" as const,
          "!=" as const
        ),
        value: fc.constant(taken[field] ?? "5")
      })
    ),
    { maxLength: 4 }
  )
)

/** Pads numbers to one length, so that text has their order. */
const padded = (digits: string): string => digits.replace(/^0+(?=\d)/, "").padStart(200, "0")

const reference = (
  event: Readonly<Record<Field, string | undefined>>,
  { field, operator, value }: One
): boolean => {
  const actual = event[field]
  const isNumber = /^[0-9]+$/.test(value) && actual !== undefined && /^[0-9]+$/.test(actual)
  const isHex = value.startsWith("0x")
  const [a, b] = isNumber
    ? [padded(actual), padded(value)]
    : isHex
      ? [actual?.toLowerCase(), value.toLowerCase()]
      : [actual, value]
  if (operator === "==" || operator === "!=") return (a === b) === (operator === "==")
  if (!isNumber || a === undefined || b === undefined) return false
  const sorted = [a, b].sort()
  const isLess = a !== b && sorted[0] === a
  return { "<": isLess, "<=": isLess || a === b, ">": !isLess && a !== b, ">=": !isLess }[operator]
}

describe("conditions of subscriptions", () => {
  it("are met as a reference says, all of them", () => {
    let met = 0
    fc.assert(
      fc.property(values, conditions, (event, all) => {
        const expected = all.filter((each) => !reference(event, each)).length === 0
        if (all.length > 0 && expected) met++
        expect(meetsConditions(all, (field) => event[field])).toBe(expected)
      }),
      { numRuns: 2_000 }
    )
    // the values are not so many that hardly any would be met
    expect(met).toBeGreaterThan(50)
  })

  it("compare amounts as numbers, beyond 2^53, and not as text", () => {
    const value = (operator: One["operator"], than: string, is: string): boolean =>
      meetsConditions([{ field: "value", operator, value: than }], () => is)
    expect(value(">", "9", "10")).toBe(true)
    expect(value(">", "9007199254740992", "9007199254740993")).toBe(true)
    expect(value("<=", "9007199254740992", "9007199254740993")).toBe(false)
    expect(value("==", "010", "10")).toBe(true)
    expect(value(">", "many", "10")).toBe(false)
  })

  it("on a field that an event lacks are met by no comparison but !=", () => {
    for (const operator of [">", ">=", "<", "<=", "=="] as const)
      expect(meetsConditions([{ field: "tokenId", operator, value: "0" }], () => undefined)).toBe(false)
    expect(meetsConditions([{ field: "tokenId", operator: "!=", value: "0" }], () => undefined)).toBe(true)
    expect(meetsConditions([], () => undefined)).toBe(true)
  })
})
