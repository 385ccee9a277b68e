import fc from "fast-check"
import { expect, it } from "vitest"
import { AddressSet, shardOf } from "../src/watch/AddressSet.js"

const hex = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`

it("holds what a set of JavaScript holds, whatever is added and taken off", () => {
  // few addresses, so that they come again, and differ in the first bytes or the last ones
  const address = fc.oneof(
    fc.integer({ min: 0, max: 3_000 }).map(hex),
    fc.integer({ min: 1, max: 3_000 }).map((n) => `0x${n.toString(16).padStart(8, "0")}${"ab".repeat(16)}`)
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), address), { maxLength: 4_000, size: "max" }), (steps) => {
      const [ours, theirs] = [new AddressSet(), new Set<string>()]
      for (const [isAdded, each] of steps) {
        if (isAdded) expect(ours.add(each)).toBe(!theirs.has(each) && theirs.add(each).has(each))
        else expect(ours.delete(each)).toBe(theirs.delete(each))
      }
      expect(ours.size).toBe(theirs.size)
      for (const [, each] of steps) expect(ours.has(each)).toBe(theirs.has(each))
    }),
    { numRuns: 50 }
  )
})

it("knows an address in any case, the one of zeros, and takes nothing that is none", () => {
  const set = new AddressSet()
  expect(set.add(hex(0))).toBe(true)
  expect(set.add(`0x${"ABCDEF0123".repeat(4)}`)).toBe(true)
  expect(set.has(`0x${"abcdef0123".repeat(4)}`)).toBe(true)
  for (const bad of [
    "",
    "0x",
    hex(1).slice(0, 41),
    `${hex(1)}0`,
    hex(1).replace("0x", "1x"),
    `0x${"g".repeat(40)}`
  ]) {
    expect(set.add(bad)).toBe(false)
    expect(set.has(bad)).toBe(false)
    expect(set.delete(bad)).toBe(false)
  }
  expect(set.size).toBe(2)
})

it("gives each address one shard, and all shards their part", () => {
  const counts = [0, 0, 0]
  for (let i = 0; i < 3_000; i++) counts[shardOf(hex(i), 3)] = (counts[shardOf(hex(i), 3)] ?? 0) + 1
  expect(counts).toEqual([1_000, 1_000, 1_000])
})
