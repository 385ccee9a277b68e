/** Ledgers and transactions that Horizon has told. */
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Stellar.js"
import { makeWire, runValue } from "../chains/wire.js"
import { readFixtures } from "./fixtures.js"

interface Corpus {
  readonly file: string
  readonly records: ReadonlyArray<Readonly<Record<string, unknown>>>
}

const recorded: ReadonlyArray<Corpus> = readFixtures("stellar").map(({ file, text }) => ({
  file,
  records: JSON.parse(text).records
}))

describe("answers recorded from Horizon", () => {
  it.each(recorded)("$file", async ({ file, records }) => {
    expect(records.length).toBeGreaterThan(10)
    const { answers, client, sent } = makeWire(endpoints)
    const page = { _links: {}, _embedded: { records } }
    answers(page)
    const read = file.endsWith("ledgers.json") ? client.getLedgers() : client.getTransactions()
    expect(await runValue<unknown, unknown>(read)).toEqual(page)
    for (const { envelope_xdr: tx } of records) {
      if (typeof tx !== "string") continue
      await runValue(client.submitTransaction({ tx }))
      expect(new URLSearchParams(String(sent()[2])).get("tx")).toBe(tx)
    }
  })
})
