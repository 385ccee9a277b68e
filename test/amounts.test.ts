import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatEther, formatUnits, isSdkError, parseEther, parseUnits } from "../src/promise.js"

const thrown = (parse: () => unknown): unknown => {
  try {
    return { returned: parse() }
  } catch (error) {
    return error
  }
}

describe("amounts of the Promise surface", () => {
  it("come back from their text as they were", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), fc.nat(255), (amount, decimals) => {
        expect(parseUnits(formatUnits(amount, decimals), decimals)).toBe(amount)
      })
    )
  })

  it.each([
    ["1.5", 18, 1_500_000_000_000_000_000n],
    ["0", 18, 0n],
    ["007", 0, 7n],
    ["25", 6, 25_000_000n],
    ["1.500", 1, 15n],
    ["0.000000000000000001", 18, 1n]
  ])("%j with %i decimals is read", (text, decimals, amount) => {
    expect(parseUnits(text, decimals)).toBe(amount)
  })

  it.each([
    "+1",
    "-1",
    "-0",
    " 1",
    "1 ",
    "1\n",
    "5.",
    ".5",
    ".",
    "",
    "1e3",
    "0x10",
    "1,5",
    "1_000",
    "1.2.3",
    "१",
    "NaN"
  ])("%j is refused", (text) => {
    expect(thrown(() => parseUnits(text, 18))).toMatchObject({ _tag: "InvalidArgument", call: "parseUnits" })
    expect(thrown(() => parseEther(text))).toSatisfy(isSdkError)
  })

  it("a text that is read is digits, and a point between two of them", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0123456789.+-eE ,_x\n"), maxLength: 8 }), (text) => {
        const isRead = !isSdkError(thrown(() => parseUnits(text, 8)))
        expect([text, isRead]).toEqual([text, /^[0-9]+(\.[0-9]+)?$/.test(text) && !text.endsWith("\n")])
      })
    )
  })

  it("digits that the coin does not have are refused, not rounded", () => {
    expect(thrown(() => parseUnits("0.1234567", 6))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("more than 6 digits")
    })
  })

  it.each([-1, 1.5, 256, Number.NaN, Number.POSITIVE_INFINITY])("%j is no number of decimals", (decimals) => {
    expect(thrown(() => parseUnits("1", decimals))).toMatchObject({ _tag: "InvalidArgument" })
    expect(thrown(() => formatUnits(1n, decimals))).toMatchObject({ _tag: "InvalidArgument" })
  })

  it("of ether have 18 decimals, and differences a sign", () => {
    expect([parseEther("1.5"), formatEther(1_500_000_000_000_000_000n), formatEther(-1n)]).toEqual([
      1_500_000_000_000_000_000n,
      "1.5",
      "-0.000000000000000001"
    ])
  })
})
