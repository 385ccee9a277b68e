import fc from "fast-check"
import { expect, it } from "vitest"
import { encodeBase58 } from "../../../src/chains/internal/base58.js"
import { AddressSet, type KeyFormat, shardOf } from "../src/watch/AddressSet.js"
import * as Bitcoin from "../src/watch/Bitcoin.js"
import * as Evm from "../src/watch/Evm.js"
import * as Solana from "../src/watch/Solana.js"

/** As `expect`, which is too slow to be asked a hundred thousand times. */
const same = (one: boolean, other: boolean): void => {
  if (one !== other) expect(one).toBe(other)
}

const hex = (n: number, bytes = 20): string => n.toString(16).padStart(2 * bytes, "0")
const account = (n: number): string => `0x${hex(n)}`

/** Addresses of a family by number: the same number is the same address. */
const families: ReadonlyArray<readonly [name: string, keys: KeyFormat, address: (n: number) => string]> = [
  // those that differ in the first bytes, and those that differ in the last ones
  ["EVM", Evm.keyFormat, (n) => (n % 2 === 0 ? account(n) : `0x${hex(n, 4)}${"ab".repeat(16)}`)],
  [
    "Bitcoin",
    Bitcoin.keyFormat,
    (n) => [`76a914${hex(n)}88ac`, `a914${hex(n)}87`, `0014${hex(n)}`, `5120${hex(n, 32)}`][n % 4] ?? ""
  ],
  [
    "Solana",
    Solana.keyFormat,
    (n) => encodeBase58(Uint8Array.from(Buffer.from(hex(n, n % 2 === 0 ? 32 : 4).padEnd(64, "7"), "hex")))
  ]
]

it.each(families)(
  "holds of %s what a set of JavaScript holds, whatever is added and taken off",
  (_, keys, addressOf) => {
    // few addresses, so that they come again
    const address = fc.integer({ min: 0, max: 3_000 }).map(addressOf)
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), address), { maxLength: 4_000, size: "max" }), (steps) => {
        const [ours, theirs] = [new AddressSet(keys), new Set<string>()]
        for (const [isAdded, each] of steps) {
          if (isAdded) same(ours.add(each), !theirs.has(each) && theirs.add(each).has(each))
          else same(ours.delete(each), theirs.delete(each))
        }
        expect(ours.size).toBe(theirs.size)
        for (const [, each] of steps) same(ours.has(each), theirs.has(each))
      }),
      { numRuns: 30 }
    )
  }
)

it("holds more than a page, and gives it back", () => {
  const set = new AddressSet(Evm.keyFormat)
  for (let i = 0; i < 40_000; i++) same(set.add(account(i)), true)
  const most = set.bytes
  for (let i = 0; i < 40_000; i += 2) same(set.delete(account(i)), true)
  expect(set.size).toBe(20_000)
  expect(set.bytes).toBeLessThan(most)
  for (let i = 0; i < 40_000; i++) same(set.has(account(i)), i % 2 === 1)
})

it("keeps texts of Solana apart whatever their lengths are", () => {
  const text = fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
  fc.assert(
    fc.property(text, text, (one, other) => {
      const set = new AddressSet(Solana.keyFormat)
      expect(set.add(one)).toBe(true)
      expect(set.has(other)).toBe(one === other)
      expect(set.has(one)).toBe(true)
    })
  )
})

it("knows an address of EVM in any case, the one of zeros, and takes nothing that is none", () => {
  const set = new AddressSet(Evm.keyFormat)
  expect(set.add(account(0))).toBe(true)
  expect(set.add(`0x${"ABCDEF0123".repeat(4)}`)).toBe(true)
  expect(set.has(`0x${"abcdef0123".repeat(4)}`)).toBe(true)
  for (const bad of [
    "",
    "0x",
    account(1).slice(0, 41),
    `${account(1)}0`,
    account(1).replace("0x", "1x"),
    `0x${"g".repeat(40)}`
  ]) {
    expect(set.add(bad)).toBe(false)
    expect(set.has(bad)).toBe(false)
    expect(set.delete(bad)).toBe(false)
  }
  expect(set.size).toBe(2)
})

it("takes no script that has no address, and no text that is none of Solana", () => {
  const scripts = new AddressSet(Bitcoin.keyFormat)
  for (const bad of [
    "",
    "6a",
    `0014${hex(1, 19)}`,
    `76a914${hex(1)}88ad`,
    `0014${"zz".repeat(20)}`,
    `5220${hex(1, 32)}`
  ])
    expect(scripts.add(bad)).toBe(false)
  const texts = new AddressSet(Solana.keyFormat)
  for (const bad of [
    "",
    "1".repeat(31),
    "1".repeat(45),
    `${"1".repeat(31)}0`,
    `${"1".repeat(31)}é`,
    "l".repeat(40)
  ])
    expect(texts.add(bad)).toBe(false)
  expect(scripts.size + texts.size).toBe(0)
})

it("gives each address one shard, and all shards their part", () => {
  for (const [, , address] of families) {
    const counts = [0, 0, 0]
    for (let i = 0; i < 3_000; i++) counts[shardOf(address(i), 3)] = (counts[shardOf(address(i), 3)] ?? 0) + 1
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  }
})
