/** What an answer is about, and amounts: both as the chain's nodes write them. */

import * as Effect from "effect/Effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Bitcoin from "../../src/chains/Bitcoin.js"
import * as Evm from "../../src/chains/Evm.js"
import { loadFamily } from "../../src/client/Sdk.js"
import { get, specOf } from "../../src/data/Endpoint.js"
import { type FamilyId, networks } from "../../src/data/Network.js"
import { makeResultReader } from "../../src/wire/resultReader.js"
import { makeRpcNode, runError, runValue } from "../chains/wire.js"
import { walk } from "../specs/tables.js"

const hash = `0x${"ab".repeat(32)}`
const other = `0x${"cd".repeat(32)}`

const families: ReadonlyArray<FamilyId> = [
  ...new Set(Object.values(networks).map(({ family }) => family))
].sort()

/** A value with something at a path. */
const nested = (path: string, inner: unknown): unknown =>
  path.split(".").reduceRight<unknown>((made, name) => ({ [name]: made }), inner)

/** Arguments of which one is this. */
const asked = (key: number | string, given: unknown): ReadonlyArray<unknown> =>
  typeof key === "number" ? [...new Array<undefined>(key), given] : [nested(key, given)]

describe.each(families)("an answer of %s", (family) => {
  it("is held against what was asked, wherever the table says that it repeats that", async () => {
    const { endpoints } = await Effect.runPromise(loadFamily(family))
    const { methods, routes } = walk(endpoints)
    for (const { dialect, name, spec } of [...methods, ...routes])
      for (const [path, key] of Object.entries(spec.echoes ?? {})) {
        const read = makeResultReader({ ...spec, decode: (result: unknown) => result, lists: [] }, dialect)
        if (read === undefined) throw new Error(name)
        const about = (what: unknown) => read(asked(key, hash))(nested(path, what))
        expect(about(hash), name).toEqual(nested(path, hash))
        expect(() => about(other), `${name}: ${path}`).toThrow("was asked for")
        // what an answer does not say, it does not say wrongly
        expect(about(null), name).toEqual(nested(path, null))
        expect(read(asked(key, undefined))(nested(path, hash)), name).toEqual(nested(path, hash))
      }
  })
})

describe("what was asked", () => {
  it("may be a number or its digits, a tag, or letters of another case", async () => {
    const { client, result } = makeRpcNode(Evm.endpoints)
    const block = (number: string) => result(JSON.stringify({ number, hash, transactions: [], uncles: [] }))
    block("0x10")
    for (const height of [16, 16n, "16", "0x10", "0x010", "latest", "finalized"] as const)
      expect(await runValue(client.getBlockByNumber(height))).toMatchObject({ number: "0x10" })
    for (const height of [17, 15n, "17", "0x11"] as const)
      expect(await runError(client.getBlockByNumber(height))).toMatchObject({
        _tag: "NodeError",
        kind: "malformed"
      })
    result(JSON.stringify({ transactionHash: hash, logs: null }))
    expect(await runValue(client.getTransactionReceipt(hash.toUpperCase().replace("0X", "0x")))).toEqual({
      transactionHash: hash,
      logs: []
    })
    expect(await runError(client.getTransactionReceipt(other))).toMatchObject({ _tag: "NodeError" })
    result("null")
    expect(await runValue(client.getTransactionReceipt(other))).toBeNull()
  })
})

describe("what was asked and what was answered", () => {
  const read = makeResultReader(specOf(get("/things/{id}").echoes({ id: "id" })) ?? expect.fail())
  const about = (asked: unknown, answered: unknown) => () => read?.([{ id: asked }])({ id: answered })
  const digits = "ab".repeat(32)
  const base58 = "BLockGenesisGenesisGenesisGenesisGenesisf79b5d1CoW2"

  it.each([
    ["a hash without 0x", digits, `0x${digits.toUpperCase()}`],
    ["a hash with 0x", `0x${digits}`, digits.toUpperCase()],
    ["a height, and a hash", "7", digits],
    ["a hash, and a height as text", `0x${digits}`, "7"],
    ["a hash, and a height", digits, 7n],
    ["a hash of digits alone, and a height", "1".repeat(64), 7],
    ["a word, and a height", "head", "7"]
  ])("may be written in different ways: %s", (_, asked, answered) => {
    expect(about(asked, answered)).not.toThrow()
  })

  it.each([
    ["another hash without 0x", digits, `0x${"cd".repeat(32)}`],
    ["another hash in Base58", base58, base58.replace("L", "M")],
    ["another hash in Base64", `${"A".repeat(43)}=`, `${"B".repeat(43)}=`],
    ["another raw address of TON", `0:${digits}`, `0:${"cd".repeat(32)}`],
    ["another height", 7, "8"],
    ["another height as text", "7", 8],
    ["a part of the hash", digits, digits.slice(2)]
  ])("are not the same: %s", (_, asked, answered) => {
    expect(about(asked, answered)).toThrow("was asked for")
  })
})

describe("amounts in whole coins", () => {
  const { client, result } = makeRpcNode(Bitcoin.endpoints)
  const amount = fc
    .bigInt({ min: 0n, max: 2n ** 63n })
    .map((units) => `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, "0")}`)

  it("keep their digits: as a number where it has them, and as text elsewhere", async () => {
    await fc.assert(
      fc.asyncProperty(amount, async (digits) => {
        result(`{"confirmations":6,"value":${digits}}`)
        const output = await runValue(client.getTxOut("ab".repeat(32), 0))
        const found: unknown = Reflect.get(Object(output), "value")
        expect(typeof found === "number" ? found.toFixed(8) : found).toBe(digits)
        if (digits.length < 16) expect(typeof found).toBe("number")
      })
    )
  })

  it("are text in the digits of the node where a raw call wants text", async () => {
    result('{"value":1234567890.12345678,"difficulty":0.1,"height":7}')
    const asText = { integers: "string" } as const
    expect(await runValue(client.rawRpcCall({ method: "gettxout" }, asText))).toEqual({
      value: "1234567890.12345678",
      difficulty: 0.1,
      height: "7"
    })
    expect(await runValue(client.rawRpcCall({ method: "gettxout" }))).toEqual({
      value: "1234567890.12345678",
      difficulty: 0.1,
      height: 7
    })
  })
})
