import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { decodeBase58 } from "../src/chains/internal/base58.js"
import { format, formatAmount, parse, parseAmount } from "../src/data/AssetUnits.js"
import { networks } from "../src/data/Network.js"
import { runs } from "./properties.js"

const decimals = FastCheck.nat(40)
const amount = FastCheck.bigInt({ min: -(2n ** 300n), max: 2n ** 300n })

describe("amounts", () => {
  it.prop(
    "come back from their text as they were, which is never in exponent form",
    { amount, decimals },
    ({ amount, decimals }) => {
      const text = format(amount, decimals)
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/)
      expect(parse(text, decimals)).toEqual(Option.some(amount))
    },
    { fastCheck: { numRuns: runs(2_000) } }
  )

  it.each([
    [0n, 18, "0"],
    [1n, 18, "0.000000000000000001"],
    [1_500_000_000_000_000_000n, 18, "1.5"],
    [-1n, 18, "-0.000000000000000001"],
    [-1_500_000_000_000_000_000n, 18, "-1.5"],
    [100n, 0, "100"],
    [0n, 0, "0"],
    [100n, 2, "1"],
    [10n, 2, "0.1"],
    [2n ** 256n - 1n, 18, "115792089237316195423570985008687907853269984665640564039457.584007913129639935"],
    [10_000_000n, 7, "1"],
    [1n, 24, "0.000000000000000000000001"]
  ])("of %d with %d decimals are %s", (units, digits, text) => {
    expect(format(units, digits)).toBe(text)
    expect(parse(text, digits)).toEqual(Option.some(units))
  })

  it("of EVM nodes are taken as they are", () => {
    expect(format("0x14d1120d7b160000", 18)).toBe("1.5")
    expect(format("0x0", 18)).toBe("0")
  })

  it.each([
    ["1", 18, 10n ** 18n],
    ["1.0", 0, 1n],
    ["1.500", 1, 15n],
    ["00.5", 1, 5n],
    [".5", 1, 5n],
    ["5.", 0, 5n],
    ["+2", 0, 2n],
    ["-0", 18, 0n],
    [" 1.5\n", 1, 15n],
    [`1${"0".repeat(5_000)}`, 0, 10n ** 5_000n]
  ])("are read leniently where nothing is lost (%#)", (text, digits, units) =>
    expect(parse(text, digits)).toEqual(Option.some(units))
  )

  it.each([
    "",
    " ",
    ".",
    "-",
    "+",
    "-.",
    "1.2.3",
    "1,5",
    "1_000",
    "0x10",
    "1e3",
    "1E3",
    "1e1000000000",
    "-1e-5",
    "Infinity",
    "NaN",
    "null",
    "1 000",
    "१",
    "1n",
    "--1",
    "0b1"
  ])("are not read from %j", (text) => expect(parse(text, 18)).toEqual(Option.none()))

  it("are not rounded: more digits than the coin has are none", () => {
    expect(parse("0.0000000000000000001", 18)).toEqual(Option.none())
    expect(parse("1.5", 0)).toEqual(Option.none())
    expect(parse("0.100", 1)).toEqual(Option.some(1n))
  })

  it.prop(
    "are read or not, never thrown at, whatever the text is",
    { text: FastCheck.oneof(FastCheck.string(), FastCheck.stringMatching(/^[-+.0-9eExX]{0,12}$/)), decimals },
    ({ decimals, text }) => {
      const units = parse(text, decimals)
      if (Option.isSome(units)) expect(Number(format(units.value, decimals))).toBeCloseTo(Number(text), 5)
    },
    { fastCheck: { numRuns: runs(2_000) } }
  )
})

describe("amounts of an asset", () => {
  const ids = Object.keys(networks) as ReadonlyArray<keyof typeof networks>

  it.prop(
    "are those of its decimals",
    { units: FastCheck.bigInt({ min: 0n, max: 2n ** 256n }), network: FastCheck.constantFrom(...ids) },
    ({ network, units }) => {
      const text = Either.getOrThrow(formatAmount(units, network))
      expect(text).toBe(format(units, networks[network].decimals))
      expect(parseAmount(text, network)).toEqual(Either.right(units))
      expect(parseAmount(text, { decimals: networks[network].decimals })).toEqual(Either.right(units))
    }
  )

  it("are left with a tagged error", () => {
    const tagOf = (wrong: Either.Either<unknown, { readonly _tag: string }>) =>
      Either.isLeft(wrong) ? wrong.left._tag : undefined
    expect(tagOf(parseAmount("-1", "ton-mainnet"))).toBe("InvalidArgument")
    expect(tagOf(formatAmount(1n, { decimals: -1 }))).toBe("InvalidArgument")
    // wrong on purpose: what JavaScript may pass
    expect(tagOf(formatAmount(1n, "ton-mainet" as "ton-mainnet"))).toBe("UnsupportedNetwork")
  })
})

describe("texts that are long", () => {
  it.each([
    ["digits", "1".repeat(160_000)],
    ["zeros", "0".repeat(160_000)],
    ["zeros and something else", `0.${"0".repeat(160_000)}x`],
    ["spaces", `${" ".repeat(160_000)}1`],
    ["points", ".".repeat(160_000)]
  ])("of %s are no amounts, and take no time", (_, text) => {
    const started = performance.now()
    expect(parse(text, 18)).toEqual(Option.none())
    expect(performance.now() - started).toBeLessThan(100)
  })

  it("are no Base58 either", () => {
    const started = performance.now()
    expect(() => decodeBase58("2".repeat(200_000))).toThrow("200000 characters are too many for Base58")
    expect(performance.now() - started).toBeLessThan(100)
  })
})
