/** Outputs of Bitcoin and its kin: what a payment of them costs, which of them it spends, and which of them are still there. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { info } from "../../src/data/Network.js"
import { make, type SpendingTransaction } from "../../src/signers/bitcoin/Coins.js"
import { chains } from "../../src/signers/bitcoin/networks.js"
import { makeFindUtxos } from "../../src/signers/bitcoin/reading.js"
import {
  dustLimitOf,
  feeOf,
  findShortfall,
  type SelectionTerms,
  select,
  sizeOf
} from "../../src/signers/bitcoin/selection.js"
import type { AddressType, BitcoinInput } from "../../src/signers/bitcoin/Types.js"
import { coinNumbers } from "../../src/wire/coinNumbers.js"

const coin = (amount: bigint, vout = 0, txid = "ab"): BitcoinInput => ({ txid, vout, amount })

describe("the size of a payment", () => {
  // of before SegWit each input has 148 bytes; what is counted has more digits from 253 and from 65,536 on
  it.each<readonly [number, AddressType, ReadonlyArray<number>, number]>([
    [1, "p2pkh", [25], 192],
    [1, "p2pkh", [25, 25], 226],
    [2, "p2pkh", [25, 25], 374],
    [252, "p2pkh", [25], 44 + 252 * 148],
    [253, "p2pkh", [25], 46 + 253 * 148],
    [65_535, "p2pkh", [25], 46 + 65_535 * 148],
    [65_536, "p2pkh", [25], 48 + 65_536 * 148],
    [1, "p2pkh", [252], 158 + 261],
    [1, "p2pkh", [253], 158 + 264],
    // three quarters of what unlocks an output of SegWit do not count
    [1, "p2wpkh", [22], 110],
    [1, "p2wpkh", [22, 22], 141],
    [2, "p2wpkh", [22], 178],
    [1, "p2wpkh", [34], 122]
  ])("with %i inputs of %s and scripts of %j bytes", (inputs, type, scripts, size) => {
    expect(sizeOf(inputs, type, scripts)).toBe(size)
  })
})

/** A rate of one unit for a byte: fees are sizes. */
const terms: SelectionTerms = { amount: 10_000n, rate: 1_000n, type: "p2pkh", to: 25, own: 25, dust: 546n }

describe("the fee of a payment", () => {
  it("is its size at the rate, of which a part is a whole", () => {
    expect(feeOf(terms, 1, false)).toBe(192n)
    expect(feeOf(terms, 1, true)).toBe(226n)
    expect(feeOf(terms, 2, false)).toBe(340n)
    expect(feeOf({ ...terms, to: 34 }, 1, true)).toBe(235n)
    expect(feeOf({ ...terms, own: 22 }, 1, true)).toBe(223n)
    expect(feeOf({ ...terms, rate: 1_001n }, 1, false)).toBe(193n)
    expect(feeOf({ ...terms, rate: 1n }, 1, false)).toBe(1n)
  })
})

describe("dust", () => {
  /** A script with this beginning. */
  const script = (length: number, ...bytes: ReadonlyArray<number>) =>
    Uint8Array.from({ length }, (_, i) => bytes[i] ?? 0xaa)

  it.each<readonly [string, Uint8Array, bigint]>([
    ["the hash of a key", script(25, 0x76, 0xa9, 0x14), 546n],
    ["the hash of a script", script(23, 0xa9, 0x14), 540n],
    ["SegWit", script(22, 0, 0x14), 294n],
    ["a script of SegWit", script(34, 0, 0x20), 330n],
    ["Taproot", script(34, 0x51, 0x20), 330n],
    ["the shortest program", script(4, 0x51, 0x02), 240n],
    ["the longest program, of the last version", script(42, 0x60, 0x28), 354n],
    ["less than a program", script(3, 0x51, 0x01), 480n],
    ["more than a program", script(43, 0x60, 0x29), 600n],
    ["no version before the first", script(34, 0x50, 0x20), 573n],
    ["no version after the last", script(34, 0x61, 0x20), 573n],
    ["no program: its length is wrong", script(22, 0, 0x15), 537n],
    ["nothing", script(0), 471n]
  ])("is what costs more to spend than it is worth: %s", (_, bytes, least) => {
    const { "bitcoin-mainnet": bitcoin, "litecoin-mainnet": litecoin, "doge-mainnet": doge } = chains
    if (bitcoin === undefined || litecoin === undefined || doge === undefined) throw new Error("no chain")
    expect(dustLimitOf(bitcoin, bytes)).toBe(least)
    expect(dustLimitOf(litecoin, bytes)).toBe(10n * least)
    expect(dustLimitOf({ ...bitcoin, dust: { rate: 1n } }, bytes)).toBe(0n)
    expect(dustLimitOf(doge, bytes)).toBe(1_000_000n)
  })
})

describe("the outputs that a payment spends", () => {
  const amounts = (...all: ReadonlyArray<bigint>) => all.map((amount, vout) => coin(amount, vout))
  const chosen = (...all: ReadonlyArray<bigint>) => {
    const found = select(terms, amounts(...all))
    return found && { ...found, coins: found.coins.map(({ amount }) => amount) }
  }

  it("are the smallest one that is enough, whatever their order", () => {
    const found = { coins: [11_000n], fee: 226n, change: 774n }
    expect(chosen(50_000n, 11_000n, 9_000n)).toEqual(found)
    expect(chosen(9_000n, 11_000n, 50_000n)).toEqual(found)
    expect(chosen(11_000n, 50_000n, 9_000n)).toEqual(found)
    const many = Array.from({ length: 20 }, (_, i) => 11_000n + BigInt((i * 7) % 20))
    expect(chosen(...many)).toEqual(found)
  })

  it("are few where none is enough: the largest, and of the others the smallest that will do", () => {
    expect(chosen(3_000n, 9_000n, 4_000n, 2_000n)).toEqual({
      coins: [9_000n, 2_000n],
      fee: 374n,
      change: 626n
    })
    expect(chosen(3_000n, 5_000n, 4_000n)).toEqual({
      coins: [5_000n, 4_000n, 3_000n],
      fee: 522n,
      change: 1_478n
    })
  })

  it("give change that is no dust, and leave less to the fee", () => {
    expect(chosen(10_000n + 226n + 546n)).toEqual({ coins: [10_772n], fee: 226n, change: 546n })
    expect(chosen(10_000n + 226n + 545n)).toEqual({ coins: [10_771n], fee: 771n, change: 0n })
    expect(chosen(10_000n + 192n)).toEqual({ coins: [10_192n], fee: 192n, change: 0n })
    expect(chosen(10_000n + 191n)).toBeUndefined()
    expect(chosen()).toBeUndefined()
  })

  it("are none that cost more than they are worth", () => {
    expect(chosen(10_100n, 149n, 148n)).toBeUndefined()
    expect(chosen(10_100n, 149n, 240n)).toEqual({ coins: [10_100n, 240n], fee: 340n, change: 0n })
    // each of these is worth one unit more than it costs, and a hundred of them are missing
    expect(chosen(10_092n, ...Array.from({ length: 100 }, () => 149n))?.coins).toHaveLength(101)
    expect(chosen(10_092n, ...Array.from({ length: 200 }, () => 148n))).toBeUndefined()
  })

  it("are no more than nodes relay in one transaction", () => {
    // 675 inputs with two outputs have 99,980 bytes
    const all = Array.from({ length: 676 }, () => 1_000n)
    const spending = (amount: bigint) => select({ ...terms, amount }, amounts(...all))
    expect(spending(675_000n - 99_946n)?.coins).toHaveLength(675)
    expect(spending(675_000n - 99_946n + 1n)).toBeUndefined()
    // and with these scripts 100,000
    const long = { ...terms, to: 35, own: 35 }
    expect(sizeOf(675, "p2pkh", [35, 35])).toBe(100_000)
    expect(select({ ...long, amount: 575_000n }, amounts(...all))?.coins).toHaveLength(675)
    expect(select({ ...long, own: 36, amount: 575_000n }, amounts(...all))).toBeUndefined()
  })

  it("are missed with what they have, and what it takes", () => {
    expect(findShortfall(terms, [])).toEqual({ needed: 10_192n, available: 0n })
    expect(findShortfall(terms, amounts(1_000n))).toEqual({ needed: 10_192n, available: 1_000n })
    expect(findShortfall(terms, amounts(1_000n, 30n))).toEqual({ needed: 10_340n, available: 1_030n })
  })
})

describe("the outputs of an account", () => {
  const [first, second] = [coin(1_000n, 0, "11"), coin(2_000n, 1, "11")]
  const change = coin(500n, 1, "aa")
  const out = (
    hash: string,
    inputs: ReadonlyArray<BitcoinInput>,
    gives?: BitcoinInput
  ): SpendingTransaction => ({
    hash,
    raw: "",
    isAccepted: true,
    inputs,
    ...(gives === undefined ? {} : { change: gives })
  })

  it("are spent once, and not those beside them", () => {
    const coins = make()
    expect(coins.filterUnspent([first, second])).toEqual([first, second])
    coins.add(out("aa", [first]))
    expect(coins.filterUnspent([first, second])).toEqual([second])
    expect(coins.filterUnspent([{ ...first, txid: "12" }])).toHaveLength(1)
    coins.drop("aa")
    expect(coins.filterUnspent([first, second])).toEqual([first, second])
    coins.drop("aa")
    coins.drop("nothing")
  })

  it("give change, which is there until it is spent or its payment is gone", () => {
    const coins = make()
    const payment = out("aa", [first], change)
    coins.add(payment)
    coins.add(out("cc", [coin(9n, 9)]))
    expect(coins.unspentChange()).toEqual([change])
    expect(coins.findParent(change)).toBe(payment)
    // what it pays to others has its hash, too
    expect(coins.findParent({ ...change, vout: 0 })).toBeUndefined()
    expect(coins.findParent(first)).toBeUndefined()
    expect(coins.findParent(coin(1n, 0, "cc"))).toBeUndefined()
    coins.add(out("bb", [change]))
    expect(coins.unspentChange()).toEqual([])
    coins.drop("bb")
    expect(coins.unspentChange()).toEqual([change])
    coins.drop("aa")
    expect(coins.unspentChange()).toEqual([])
  })

  it("tell what spends them, each once", () => {
    const coins = make()
    const payment = out("aa", [first, second], change)
    coins.add(payment)
    expect(coins.findSpenders([first, second, change])).toEqual([payment])
    expect(coins.findSpenders([change])).toEqual([])
  })

  it("are remembered of the last 1,024 payments", () => {
    const coins = make()
    for (let i = 0; i < 1_024; i++) coins.add(out(String(i), [coin(1n, i)]))
    expect(coins.filterUnspent([coin(1n, 0), coin(1n, 1)])).toEqual([])
    coins.add(out("1024", [coin(1n, 1_024)]))
    expect(coins.filterUnspent([coin(1n, 0), coin(1n, 1), coin(1n, 1_024)])).toEqual([coin(1n, 0)])
  })
})

describe("amounts as nodes give them", () => {
  const txid = "ab".repeat(32)
  /** What an output with these coins is read as. */
  const read = (coins: unknown) => {
    const listed = [{ txid, vout: 0, coins }]
    const find = makeFindUtxos(
      { ...info("doge-mainnet"), id: "doge-mainnet" },
      async () => listed as never,
      undefined
    )
    return Effect.runPromise(Effect.either(find?.("D") ?? Effect.die("nobody finds")))
  }
  const digits = (units: bigint) => `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, "0")}`

  it("are read to the last digit as text, and as numbers that have it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 63n }), async (amount) => {
        const found = [{ txid, vout: 0, amount }]
        expect(await read(digits(amount))).toMatchObject({ right: found })
        const asNumber = await read(Number(digits(amount)))
        // a number that stands for several amounts is none of them
        const isOne = [amount - 1n, amount + 1n].every(
          (other) => other < 0n || Number(digits(other)) !== Number(digits(amount))
        )
        if (isOne) expect(asNumber).toMatchObject({ right: found })
        else expect(Either.isLeft(asNumber), digits(amount)).toBe(true)
      }),
      // from 2^26 coins on, some have a double with others; from 2^27 on, all
      {
        examples: [
          [7_693_437_225_640_992n],
          [2n ** 26n * 10n ** 8n - 1n],
          [123_456_789_012_345_678n],
          [2n ** 53n - 1n],
          [2n ** 53n],
          [2n ** 53n + 1n],
          [0n],
          [1n]
        ]
      }
    )
  })

  it("are read whether the client has given them as text or as a number", async () => {
    await fc.assert(
      fc.asyncProperty(fc.bigInt({ min: 0n, max: 2n ** 63n }), async (amount) => {
        const given = coinNumbers.parse(digits(amount), [])
        expect(await read(given), String(given)).toMatchObject({ right: [{ txid, vout: 0, amount }] })
      }),
      { examples: [[7_693_437_225_640_992n], [7_693_437_225_000_000n], [123_456_789_050_000_000n]] }
    )
  })

  it.each([
    1.000000001,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e21,
    "1.000000001",
    "1e3",
    "-1",
    "",
    5n,
    null,
    {}
  ])("are refused as %s", async (coins) => {
    expect(await read(coins)).toMatchObject({ left: { _tag: "InvalidArgument", call: "utxos" } })
  })
})
