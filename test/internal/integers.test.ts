import * as FastCheck from "effect/FastCheck"
import { isInteger, parse, stringify } from "lossless-json"
import { describe, expect, it } from "vitest"
import { numberIntegers } from "../../src/data/integers.js"
import { parseLossless, stringifyLossless } from "../../src/wire/lossless.js"
import { runs } from "../properties.js"

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

/** The outcome of JSON.parse for a text: the value, or a refusal. */
const outcome = <A>(read: () => A): { readonly value: A } | "refused" => {
  try {
    return { value: read() }
  } catch {
    return "refused"
  }
}

describe("integers that are read without losing a digit", () => {
  const library = (text: string): unknown =>
    parse(text, undefined, (digits) => {
      if (isInteger(digits)) return BigInt(digits)
      // beyond 52 bits a double is not told from its neighbours by its digits: an amount of coins is its text there
      const isTold = !/^-?\d+\.\d{8}$/.test(digits) || Math.abs(Number(digits.replace(".", ""))) < 2 ** 52
      return isTold ? Number(digits) : digits
    })

  it("are what another reader of such makes of them, in any JSON", () => {
    const integer = FastCheck.bigInt().map(String)
    const float = FastCheck.double({ noNaN: true, noDefaultInfinity: true }).map((value) =>
      Number.isInteger(value) ? `${value}.0`.replace(/^(.*e.*)\.0$/, "$1") : String(value)
    )
    const text = FastCheck.oneof(
      FastCheck.string(),
      FastCheck.constantFrom('12 "3', "\\", "0", "-1.5e3")
    ).map((value) => JSON.stringify(value))
    const json = FastCheck.letrec<{ readonly any: string }>((tie) => ({
      any: FastCheck.oneof(
        { depthSize: "small" },
        integer,
        float,
        text,
        FastCheck.constantFrom("true", "false", "null"),
        FastCheck.array(tie("any")).map((items) => `[${items.join(" , ")}]`),
        FastCheck.uniqueArray(FastCheck.tuple(text, tie("any")), { selector: ([key]) => key }).map(
          (members) => `{${members.map(([key, value]) => `${key} : ${value}`).join(",")}}`
        )
      )
    })).any
    FastCheck.assert(
      FastCheck.property(json, (made) => {
        expect(parseLossless(made)).toEqual(library(made))
      }),
      { numRuns: runs(500) }
    )
  })

  it("are refused where JSON refuses them", () => {
    const parts = FastCheck.constantFrom(
      ...'0 1 9 00 -1 - + . 1. .5 1.5 1.5.2 1e 1e5 1E+5 e --1 12-3 , : [ ] { } true nul 1true " \\ "a" \n'.split(
        " "
      )
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.array(parts, { maxLength: 8 }), (tokens) => {
        const text = tokens.join("")
        const plain = outcome((): unknown => JSON.parse(text))
        const exact = outcome(() => parseLossless(text))
        expect(exact === "refused").toBe(plain === "refused")
      }),
      { numRuns: runs(5_000) }
    )
    for (const text of [
      "01",
      "1.5.2",
      "--5",
      "+5",
      "[1 2]",
      '{"a":1,}',
      "1e",
      "Infinity",
      "NaN",
      '"abc 12'
    ]) {
      expect(outcome(() => parseLossless(text))).toBe("refused")
    }
    expect(parseLossless("[-0, 1.0, 1e2, 123456789012345678901234567890]")).toEqual([
      0n,
      1,
      100,
      123456789012345678901234567890n
    ])
  })

  it("take time in proportion to their text, however it is made", () => {
    const size = 300_000
    const began = performance.now()
    for (const text of [
      `"${'\\"'.repeat(size)}`,
      `["${"\\\\".repeat(size)}",1]`,
      "1".repeat(1_000) + "-".repeat(size),
      '"1"'.repeat(size)
    ])
      outcome(() => parseLossless(text))
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

describe("values that are written without losing a digit", () => {
  it("are what another writer of such makes of them", () => {
    const leaf = FastCheck.oneof(
      FastCheck.bigInt(),
      FastCheck.double(),
      FastCheck.string({ unit: "binary" }),
      FastCheck.boolean(),
      FastCheck.date(),
      FastCheck.constantFrom(null, undefined, Symbol("none"), () => 1, { toJSON: () => 5n })
    )
    const { any } = FastCheck.letrec<{ readonly any: unknown }>((tie) => ({
      any: FastCheck.oneof(
        { depthSize: "small" },
        leaf,
        FastCheck.array(tie("any")),
        FastCheck.sparseArray(tie("any"), { maxLength: 4 }),
        FastCheck.dictionary(FastCheck.string(), tie("any"))
      )
    }))
    FastCheck.assert(
      FastCheck.property(any, (value) => {
        expect(stringifyLossless(value)).toBe(stringify(value))
      }),
      { numRuns: runs(1_000) }
    )
    expect(stringifyLossless({ id: 1, params: [2n ** 80n, undefined, { to: undefined }] })).toBe(
      '{"id":1,"params":[1208925819614629174706176,null,{}]}'
    )
  })
})
