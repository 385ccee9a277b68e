import { describe, expect, it } from "vitest"
import { numberIntegers } from "../../src/internal/integers.js"

describe("integers that are numbers", () => {
  it("are refused where they would lose digits, and rounded only under names that are listed", () => {
    const { parse } = numberIntegers
    const text =
      '{"result":{"softforks":[{"bip9":{"timeout":9223372036854775807,"since":9007199254740991}}]}}'
    expect(() => parse(text, [])).toThrow("$.result.softforks.0.bip9.timeout")
    expect(parse(text, ["**.timeout"])).toEqual({
      result: { softforks: [{ bip9: { timeout: 2 ** 63, since: Number.MAX_SAFE_INTEGER } }] }
    })
    expect(() => parse(text.replace("since", "height").replace("0991", "0993"), ["**.timeout"])).toThrow(
      "$.result.softforks.0.bip9.height"
    )
    expect(() => parse("[9007199254740993]", ["**.timeout"])).toThrow("$.0")
  })

  it("are quantities as arguments, beside whatever else", () => {
    const { stringify } = numberIntegers
    expect(stringify(["0xa", "latest"])).toBe('["0xa","latest"]')
    expect(stringify(["0xa", 255n])).toBe('["0xa","0xff"]')
    expect(stringify([{ fromBlock: 16n, topics: ["a", null] }, undefined])).toBe(
      '[{"fromBlock":"0x10","topics":["a",null]},null]'
    )
    expect(stringify([])).toBe("[]")
    expect(stringify(undefined)).toBe("null")
    expect(() => stringify([-1n])).toThrow("negative")
  })
})
