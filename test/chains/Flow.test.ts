// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Flow.js"
import { makeRpcNode, makeWire, runError, runIgnoring, runValue } from "./wire.js"

const id = "ab".repeat(32)

describe("an access node of Flow", () => {
  it("is asked in its own spelling, with commas in lists", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(client.getBlocks({ height: [7, 8n, "9"] }))
    expect(sent()[1]).toBe("/v1/blocks?height=7%2C8%2C9")
    await runIgnoring(client.getBlocks({ startHeight: 7, endHeight: "sealed", expand: ["payload"] }))
    expect(sent()[1]).toBe("/v1/blocks?start_height=7&end_height=sealed&expand=payload")
    await runIgnoring(client.getBlock({ id, select: ["header.id", "header.height"] }))
    expect(sent()[1]).toBe(`/v1/blocks/${id}?select=header.id%2Cheader.height`)
    await runIgnoring(client.getTransactionResult({ transactionId: id, agreeingExecutorsCount: 2 }))
    expect(sent()[1]).toBe(`/v1/transaction_results/${id}?agreeing_executors_count=2`)
    await runIgnoring(client.getAccountKey({ address: "1654653399040a61", index: 0, blockHeight: 7n }))
    expect(sent()[1]).toBe("/v1/accounts/1654653399040a61/keys/0?block_height=7")
    await runIgnoring(client.getEvents({ type: "flow.AccountCreated", blockIds: [id, id] }))
    expect(sent()[1]).toBe(`/v1/events?type=flow.AccountCreated&block_ids=${id}%2C${id}`)
    await runIgnoring(client.getNodeVersionInfo())
    expect(sent().slice(0, 2)).toEqual(["GET", "/v1/node_version_info"])
  })

  it("runs a script at a block, which stands in the query", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers('"eyJ0eXBlIjoiSW50IiwidmFsdWUiOiI0MiJ9"')
    expect(
      await runValue(client.executeScript({ script: "AAAA", arguments: ["BBBB"], blockHeight: 7 }))
    ).toBe("eyJ0eXBlIjoiSW50IiwidmFsdWUiOiI0MiJ9")
    expect(sent()).toEqual(["POST", "/v1/scripts?block_height=7", '{"script":"AAAA","arguments":["BBBB"]}'])
  })

  it("gets a signed transaction in its own spelling, and again", async () => {
    const { calls, client, sent } = makeWire(endpoints)
    const address = "1654653399040a61"
    await runValue(
      client.sendTransaction({
        script: "AAAA",
        arguments: [],
        referenceBlockId: id,
        gasLimit: "9999",
        payer: address,
        proposalKey: { address, keyIndex: "0", sequenceNumber: "7" },
        authorizers: [address],
        payloadSignatures: [],
        envelopeSignatures: [{ address, keyIndex: "0", signature: "CCCC" }]
      })
    )
    expect([sent()[0], sent()[1], JSON.parse(String(sent()[2]))]).toEqual([
      "POST",
      "/v1/transactions",
      {
        script: "AAAA",
        arguments: [],
        reference_block_id: id,
        gas_limit: "9999",
        payer: address,
        proposal_key: { address, key_index: "0", sequence_number: "7" },
        authorizers: [address],
        payload_signatures: [],
        envelope_signatures: [{ address, key_index: "0", signature: "CCCC" }]
      }
    ])
    expect(calls.at(-1)?.repeat).toBe("broadcast")
    expect(endpoints.executeScript.spec.repeat).toBe("read")
  })

  it("answers with integers as text, and codes as numbers", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"status":"Sealed","status_code":1,"computation_used":"18446744073709551615"}`)
    expect(await runValue(client.getTransactionResult({ transactionId: id }))).toEqual({
      status: "Sealed",
      // there are always some or none
      events: [],
      status_code: 1,
      computation_used: "18446744073709551615"
    })
  })

  it.each([
    [400, { code: 400, message: "invalid ID: must be 64 characters" }, "caller"],
    [
      400,
      { code: 400, message: "requested height 7 is less than the node's root block height" },
      "elsewhere"
    ],
    [404, { code: 404, message: "Flow resource not found: could not find resource" }, "elsewhere"],
    [500, { code: 500, message: "internal server error" }, "node"],
    [429, { code: 429, message: "rate limit reached" }, "node"],
    [404, "<html>", "unclear"]
  ])("answers with %i %j by the fault of: %s", async (status, body, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body, status)
    await runError(client.getTransaction({ id }))
    expect(fault()).toBe(whose)
  })

  it("has an EVM side for raw calls, of which reads may be repeated", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result('"0x2eb"')
    const raw: ReadonlyArray<readonly [string, string]> = [
      ["eth_chainId", "read"],
      ["eth_sendRawTransaction", "broadcast"],
      ["eth_newFilter", "write"]
    ]
    for (const [method, repeat] of raw) {
      expect(await runValue(client.rawRpcCall({ method, params: [] }))).toBe("0x2eb")
      expect([method, call().repeat]).toEqual([method, repeat])
    }
  })
})
