import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { networks } from "../src/data/Network.js"
import { XRP } from "../src/data/rows.js"
import { defineNetwork } from "../src/define.js"
import { isSdkError } from "../src/promise.js"
import { type Asset, formatAmount, parseAmount } from "../src/units.js"

const thrown = (convert: () => unknown): unknown => {
  try {
    return { returned: convert() }
  } catch (error) {
    return error
  }
}

const ids = Object.keys(networks) as ReadonlyArray<keyof typeof networks>

const defined = defineNetwork({
  id: "seven-digits",
  family: "evm",
  chainId: 990_077,
  currency: { symbol: "SVN", decimals: 7 },
  nodes: [{ url: "http://127.0.0.1:9" }]
})

describe("amounts of an asset", () => {
  it("come back from their text as they were, in the decimals of the network, the row or the token", () => {
    const asset: fc.Arbitrary<Asset> = fc.oneof(
      fc.constantFrom(...ids),
      fc.nat(255).map((decimals) => ({ decimals })),
      fc.constant(XRP),
      fc.constant(defined)
    )
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), asset, (units, of) => {
        const text = formatAmount(units, of)
        expect(parseAmount(text, of)).toBe(units)
        if (typeof of === "string") {
          expect(text).toBe(formatAmount(units, { decimals: networks[of].decimals }))
          expect(text).toBe(formatAmount(units, networks[of]))
        }
      })
    )
  })

  it.each([
    ["ethereum-mainnet", "1.5", 1_500_000_000_000_000_000n],
    ["bitcoin-mainnet", "0.00000001", 1n],
    ["doge-mainnet", "1", 100_000_000n],
    ["solana-mainnet", "0.000000001", 1n],
    ["ton-mainnet", "1.5", 1_500_000_000n],
    ["tron-mainnet", "1", 1_000_000n],
    ["ripple-mainnet", "0.000012", 12n],
    ["stellar-mainnet", "0.00001", 100n],
    ["cosmos-mainnet", "1", 1_000_000n],
    ["algorand-mainnet-algod", "0.001", 1_000n],
    ["tezos-mainnet", "0.000001", 1n]
  ] as const)("of %s are as its ledger counts: %s is %d", (network, text, units) => {
    expect(parseAmount(text, network)).toBe(units)
    expect(formatAmount(units, network)).toBe(text)
  })

  it("of a token are by its decimals, and of a defined network by its definition", () => {
    expect(parseAmount("2.5", { decimals: 6, symbol: "USDC" } as Asset)).toBe(2_500_000n)
    expect(formatAmount(15n, defined)).toBe("0.0000015")
  })

  it.each([
    [() => parseAmount("0.0000001", "ripple-mainnet"), "InvalidArgument"],
    [() => parseAmount("-1", "ripple-mainnet"), "InvalidArgument"],
    [() => parseAmount("1", { decimals: -1 }), "InvalidArgument"],
    [() => formatAmount(1n, { decimals: 1.5 }), "InvalidArgument"]
  ])("are refused with a tagged error: %s", (convert, tag) => {
    expect(thrown(convert)).toSatisfy(isSdkError)
    expect(thrown(convert)).toMatchObject({ _tag: tag })
  })

  it.each([
    ["ripple-mainet", { _tag: "UnsupportedNetwork", network: "ripple-mainet", suggestion: "ripple-mainnet" }],
    ["constructor", { _tag: "UnsupportedNetwork", network: "constructor" }],
    [
      undefined,
      { _tag: "InvalidArgument", reason: "the asset must be a network or have decimals, not undefined" }
    ],
    [null, { _tag: "InvalidArgument" }],
    [18, { _tag: "InvalidArgument", reason: "the asset must be a network or have decimals, not number 18" }],
    [{}, { _tag: "InvalidArgument" }],
    [{ decimals: "6" }, { _tag: "InvalidArgument" }]
  ])("of what is no asset are refused: %j", (asset, error) => {
    // wrong on purpose: what JavaScript may pass
    const wrong = asset as Asset
    expect(thrown(() => parseAmount("1", wrong))).toMatchObject(error)
    expect(thrown(() => formatAmount(1n, wrong))).toMatchObject(error)
  })
})
