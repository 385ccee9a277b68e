/** Answers of the TON API: their integers. */
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Ton.js"
import { makeWire, runValue } from "../chains/wire.js"
import { type Fixture, readFixtures } from "./fixtures.js"

const recorded: ReadonlyArray<Fixture> = readFixtures("ton").filter(({ file }) => file.includes("/api/"))

/** Integers of these names are amounts or logical times; the user's data is not looked at. */
const large =
  /^(lt|amount|balance|value|.*_fees?|.*_lt|fees_.*|total_fees|end_balance|credit|grams|.*capabilities|query_id)$/

const integers = (item: unknown, name = ""): ReadonlyArray<readonly [string, number | bigint]> =>
  typeof item === "bigint" || (typeof item === "number" && Number.isInteger(item))
    ? [[name, item]]
    : Array.isArray(item)
      ? item.flatMap((each) => integers(each, name))
      : typeof item === "object" && item !== null
        ? Object.entries(item).flatMap(([key, each]) => (key === "decoded_body" ? [] : integers(each, key)))
        : []

describe("answers recorded from TON", () => {
  it("are there in number", () => expect(recorded.length).toBeGreaterThan(5))

  it.each(recorded)("$file", async ({ text }) => {
    const { answers, client } = makeWire(endpoints)
    answers(text)
    const read: unknown = await runValue(client.getBlockchainMasterchainHead())
    const found = integers(read)
    for (const [name, integer] of found) {
      expect([name, typeof integer]).toEqual([name, large.test(name) ? "bigint" : "number"])
    }
    // the same text, whatever became of its integers, with the list that this call promises
    const plain = (item: unknown): unknown =>
      JSON.parse(JSON.stringify(item, (_, each) => (typeof each === "bigint" ? Number(each) : each)))
    expect(plain(read)).toEqual({ prev_refs: [], ...JSON.parse(text) })
  })
})
