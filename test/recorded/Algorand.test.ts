/** Answers of algod and of the indexer: their integers. */
import { describe, expect, it } from "vitest"
import { algodEndpoints, indexerEndpoints } from "../../src/chains/Algorand.js"
import { makeWire, runError, runValue } from "../chains/wire.js"
import { type Fixture, readFixtures } from "./fixtures.js"

/** Every integer of a value, with the name that it stands under. */
const integers = (item: unknown, name = ""): ReadonlyArray<readonly [string, number | bigint]> =>
  typeof item === "bigint" || (typeof item === "number" && Number.isInteger(item))
    ? [[name, item]]
    : Array.isArray(item)
      ? item.flatMap((each) => integers(each, "[]"))
      : typeof item === "object" && item !== null
        ? Object.entries(item).flatMap(([key, each]) => integers(each, key))
        : []

const digitsOf = (text: string): ReadonlyArray<string> => text.match(/(?<=[[:,]\s*)-?\d+(?=\s*[,\]}])/g) ?? []

const recorded: ReadonlyArray<Fixture> = readFixtures("algorand").filter(({ text }) => text.trim() !== "")

describe("answers recorded from Algorand", () => {
  it("are there in number", () => expect(recorded.length).toBeGreaterThan(80))

  it.each(recorded)("$file", async ({ file, text }) => {
    const { answers, client } = makeWire(file.includes("indexer") ? indexerEndpoints : algodEndpoints)
    answers(text)
    const read = await runValue<unknown, unknown>(
      "getHealth" in client ? client.getHealth() : client.getNodeStatus()
    )
    const found = integers(read)
    expect(found.map(([, integer]) => String(integer)).sort()).toEqual([...digitsOf(text)].sort())
    for (const [name, integer] of found) {
      expect([name, typeof integer]).toEqual([
        name,
        ["decimals", "type", "action"].includes(name) ? "number" : "bigint"
      ])
    }
  })

  it("are errors where the node says no", async () => {
    const said = recorded.filter(({ file }) => file.includes("ErrorResponse"))
    expect(said.length).toBeGreaterThan(0)
    for (const { text } of said) {
      const { answers, client } = makeWire(algodEndpoints)
      answers(text, 400)
      expect((await runError(client.getNodeStatus()))._tag).toBe("RequestRejected")
    }
  })
})
