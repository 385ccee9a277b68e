// @runtime both
import * as FastCheck from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import { endpoints, graphQlDocument, sui } from "../../src/chains/Sui.js"
import { info, networks } from "../../src/data/Network.js"
import { runs } from "../properties.js"
import { makeRpcNode, makeWire, runError, runIgnoring, runValue } from "./wire.js"

const owner = `0x${"7d".repeat(32)}`
const digest = "76gyHCk7FRrGACRqXM7Ybj5uJLtAzgEMJ5P9CeEzxZSG"

describe("a node of Sui", () => {
  it("gets integers of 64 bits as decimal strings, whatever the caller has", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("null")
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (sequence) => {
        await runIgnoring(client.getCheckpoint(sequence))
        expect(sent()).toEqual({ method: "sui_getCheckpoint", params: [String(sequence)] })
      }),
      { numRuns: runs(50) }
    )
    await runIgnoring(client.getCheckpoint(digest))
    expect(sent().params).toEqual([digest])
    await runIgnoring(client.getCheckpoints(7, 3n))
    expect(sent().params).toEqual(["7", 3, false])
    await runIgnoring(client.getCheckpoints(undefined, undefined, true))
    expect(sent().params).toEqual([null, null, true])
    await runIgnoring(client.devInspectTransactionBlock(owner, "AAAA", { epoch: 7, additionalArgs: {} }))
    expect(sent().params).toEqual([owner, "AAAA", null, "7", {}])
    await runIgnoring(client.getCommitteeInfo())
    expect(sent().params).toEqual([])
    await runIgnoring(client.getCommitteeInfo(7n))
    expect(sent().params).toEqual(["7"])
    await runIgnoring(client.devInspectTransactionBlock(owner, "AAAA", { gasPrice: 750n }))
    expect(sent().params).toEqual([owner, "AAAA", "750"])
  })

  it("gets the version of one past object as a number, and those of several as text", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result("null")
    await runIgnoring(client.tryGetPastObject(owner, 2n ** 63n))
    expect(String(call().body)).toContain(`["${owner}",9223372036854775808]`)
    await runIgnoring(client.tryMultiGetPastObjects([{ objectId: owner, version: 7n }], { showType: true }))
    expect(String(call().body)).toContain(`[[{"objectId":"${owner}","version":"7"}],{"showType":true}]`)
  })

  it("gets bytes in Base64, and text that is none is refused", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    const refused = await runError(client.executeTransactionBlock("AAAA", ["0x123"]))
    expect(refused).toMatchObject({ _tag: "InvalidArgument" })
    await runIgnoring(client.executeTransactionBlock("AAAA", ["BBBB"], { showEffects: true }))
    expect(sent()).toEqual({
      method: "sui_executeTransactionBlock",
      params: ["AAAA", ["BBBB"], { showEffects: true }]
    })
  })

  it("answers with heights and prices as bigint, and with exact versions", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result('"18446744073709551615"')
    expect(await runValue(client.getLatestCheckpointSequenceNumber())).toBe(2n ** 64n - 1n)
    result('"750"')
    expect(await runValue(client.getReferenceGasPrice())).toBe(750n)
    // versions of cancelled transactions are beyond 2^53; counts and decimals are numbers, and what a contract calls so is not
    result(
      `{"digest":"${digest}","effects":{"sharedObjects":[{"objectId":"0x5","version":9223372036854775807,"digest":"d"}]},
        "events":[{"parsedJson":{"decimals":9,"line":7}}],"rawEffects":[1,255]}`
    )
    expect(await runValue(client.getTransactionBlock(digest))).toEqual({
      digest,
      effects: { sharedObjects: [{ objectId: "0x5", version: 9_223_372_036_854_775_807n, digest: "d" }] },
      events: [{ parsedJson: { decimals: 9n, line: 7n } }],
      rawEffects: [1, 255]
    })
    result('{"decimals":9,"symbol":"SUI"}')
    expect(await runValue(client.getCoinMetadata("0x2::sui::SUI"))).toEqual({ decimals: 9, symbol: "SUI" })
  })

  it("is not believed where it answers about something else", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result('{"digest":"9oMuwErpRvwEPBpKs7w2Tqj1QXpJMMuQEWGQVvvcM8Qg"}')
    expect(await runError(client.getTransactionBlock(digest))).toMatchObject({ _tag: "NodeError" })
    result(`{"data":{"objectId":"0x${"0".repeat(63)}5"}}`)
    expect(await runValue(client.getObject("0x5"))).toEqual({ data: { objectId: `0x${"0".repeat(63)}5` } })
  })

  it.each([
    [-32_602, "Could not find the referenced transaction [TransactionDigest(76gy)].", "elsewhere"],
    [-32_602, "Verified checkpoint not found for sequence number: 7", "elsewhere"],
    [-32_602, "Required indexes are not available on this node", "elsewhere"],
    [-32_602, "Invalid params", "caller"],
    [-32_601, "Method not found", "elsewhere"],
    [
      -32_002,
      "Transaction validator signing failed due to issues with transaction inputs, please review the errors and try again:\n- Could not find the referenced object 0x00 at version None",
      "caller"
    ],
    [-32_002, "Invalid user signature: bad", "caller"],
    [-32_050, "Transaction timed out before reaching finality", "node"],
    [-32_603, "Internal error", "unclear"],
    [-32_000, "Some failure", "unclear"]
  ] as const)("error %i, %j, is the fault of %s", async (code, message, fault) => {
    const node = makeRpcNode(endpoints)
    node.fails(code, message)
    await runError(node.client.getTransactionBlock(digest))
    expect(node.fault()).toBe(fault)
  })
})

describe("GraphQL of Sui", () => {
  it("sends the query with its variables, and answers with data", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers({ data: { checkpoint: { sequenceNumber: 7 } } })
    const query = "query ($n: UInt53) { checkpoint(sequenceNumber: $n) { sequenceNumber } }"
    expect(await runValue(client.graphql(query, { n: 7, someName: { inner_name: 1 } }))).toEqual({
      data: { checkpoint: { sequenceNumber: 7 } }
    })
    const [verb, path, body] = sent()
    expect([verb, path]).toEqual(["POST", "/graphql"])
    expect(JSON.parse(String(body))).toEqual({ query, variables: { n: 7, someName: { inner_name: 1 } } })
  })

  it("answers with the type of a document", async () => {
    const { answers, client } = makeWire(endpoints)
    answers({ data: { chainIdentifier: "4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S" } })
    const document = graphQlDocument<{ readonly chainIdentifier: string }>("{ chainIdentifier }")
    const { data } = await runValue(client.graphql(document))
    expectTypeOf(data).toEqualTypeOf<{ readonly chainIdentifier: string }>()
    expect(data.chainIdentifier).toMatch(/^4btiui/)
  })

  it("keeps errors beside data, and fails where there are errors alone", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    const errors = [{ message: "no such field", extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }]
    answers({ data: { address: null }, errors })
    expect(await runValue(client.graphql("{ address }"))).toEqual({ data: { address: null }, errors })
    answers({ data: null, errors })
    expect(await runError(client.graphql("{ addres }"))).toMatchObject({
      message: expect.stringContaining("no such field")
    })
    expect(fault()).toBe("caller")
    answers({ errors: [{ message: "timed out", extensions: { code: "REQUEST_TIMEOUT" } }] }, 504)
    await runError(client.graphql("{ epochs }"))
    expect(fault()).not.toBe("caller")
  })
})

describe("checks of nodes of Sui", () => {
  const chainIn = (result: unknown) => sui.chain?.chainIn({ result })
  const isExpected = (id: string, network: "sui-mainnet" | "sui-testnet" | "sui-devnet") =>
    sui.chain?.isExpected?.(id, info(network))

  it("tell the main network from the others", () => {
    expect(chainIn("35834a8a")).toBe("35834a8a")
    expect(chainIn(undefined)).toBeUndefined()
    expect(chainIn("0x")).toBeUndefined()
    expect(isExpected("35834a8a", "sui-mainnet")).toBe(true)
    expect(isExpected("4c78adac", "sui-mainnet")).toBe(false)
    expect(isExpected("4c78adac", "sui-testnet")).toBe(true)
    expect(isExpected("35834a8a", "sui-devnet")).toBe(false)
  })

  it("ask an indexer in its own words", () => {
    const { otherwise } = sui.probe("sui-mainnet", networks["sui-mainnet"])
    expect(otherwise?.path).toBe("/graphql")
    expect(otherwise?.height({ data: { checkpoint: { sequenceNumber: 7 } } })).toBe(7)
  })
})
