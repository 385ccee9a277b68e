// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Aptos.js"
import { makeWire, runError, runIgnoring, runValue } from "./wire.js"

const hash = `0x${"88".repeat(32)}`

describe("a node of Aptos", () => {
  it("is asked under /v1, with queries in snake_case", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(client.getLedgerInfo())
    expect(sent()).toEqual(["GET", "/v1", undefined])
    await runIgnoring(
      client.getAccountResource({
        address: "0x1",
        resourceType: "0x1::coin::CoinStore<0x1::a::B>",
        ledgerVersion: 7n
      })
    )
    expect(sent()[1]).toBe(
      "/v1/accounts/0x1/resource/0x1%3A%3Acoin%3A%3ACoinStore%3C0x1%3A%3Aa%3A%3AB%3E?ledger_version=7"
    )
    await runIgnoring(client.getTransactionsAuxiliaryInfo({ startVersion: 2n ** 63n }))
    expect(sent()[1]).toBe("/v1/transactions/auxiliary_info?start_version=9223372036854775808")
  })

  it("gets signed transactions as bytes of their own type", async () => {
    const { answers, client, headers, sent } = makeWire(endpoints)
    answers({ hash })
    await runValue(client.submitTransaction({ transaction: Uint8Array.of(1, 2, 3) }))
    expect(sent()).toEqual(["POST", "/v1/transactions", Uint8Array.of(1, 2, 3)])
    expect(headers()["content-type"]).toBe("application/x.aptos.signed_transaction+bcs")
  })

  it("gets calls as they are, and the version in the query", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers('["18446744073709551615",7,{"index":8}]')
    const call = {
      function: "0x1::coin::balance",
      type_arguments: ["0x1::a::B"],
      arguments: ["0x1", { someField: 1 }]
    }
    const answer = await runValue(client.view({ ...call, ledgerVersion: 9 }))
    expect(answer).toEqual(["18446744073709551615", 7n, { index: 8n }])
    const [verb, path, body] = sent()
    expect([verb, path]).toEqual(["POST", "/v1/view?ledger_version=9"])
    expect(JSON.parse(String(body))).toEqual(call)
  })

  it("refuses keys and signatures that are no bytes, wherever they stand", async () => {
    const { client } = makeWire(endpoints)
    const unsigned = {
      sender: "0x1",
      sequence_number: "1",
      max_gas_amount: "2000",
      gas_unit_price: "100",
      expiration_timestamp_secs: "1",
      payload: {
        type: "entry_function_payload",
        function: "0x1::a::b",
        type_arguments: [],
        arguments: ["value"]
      }
    } as const
    const wrong = {
      type: "single_sender",
      public_key: { type: "ed25519", value: "0x0" },
      signature: { type: "ed25519", value: "0x00" }
    } as const
    expect(await runError(client.submitTransactionJson({ ...unsigned, signature: wrong }))).toMatchObject({
      _tag: "InvalidArgument",
      reason: expect.stringContaining("public_key.value")
    })
  })

  it("answers with amounts of any size, and with numbers where they are small", async () => {
    const { answers, client } = makeWire(endpoints)
    answers("12345678901234567890")
    expect(await runValue(client.getAccountBalance({ address: "0x1", assetType: "0xa" }))).toBe(
      12_345_678_901_234_567_890n
    )
    answers('{"chain_id":1,"block_height":"7"}')
    expect(await runValue(client.getLedgerInfo())).toEqual({ chain_id: 1, block_height: "7" })
    answers('{"type":"0x1::a::B","data":{"chain_id":1}}')
    expect(await runValue(client.getAccountResource({ address: "0x1", resourceType: "0x1::a::B" }))).toEqual({
      type: "0x1::a::B",
      data: { chain_id: 1n }
    })
  })

  it("is not believed where it answers about another transaction", async () => {
    const { answers, client } = makeWire(endpoints)
    answers({ type: "pending_transaction", hash: `0x${"99".repeat(32)}` })
    expect(await runError(client.getTransactionByHash({ hash }))).toMatchObject({ _tag: "NodeError" })
  })

  it.each([
    [404, "transaction_not_found", "elsewhere"],
    [410, "version_pruned", "elsewhere"],
    [404, "account_not_found", "caller"],
    [400, "invalid_input", "caller"],
    [400, "vm_error", "caller"],
    [403, "api_disabled", "unclear"]
  ] as const)("status %i with %s is the fault of %s", async (status, code, fault) => {
    const node = makeWire(endpoints)
    node.answers({ message: "no", error_code: code, vm_error_code: null }, status)
    await runError(node.client.getTransactionByHash({ hash }))
    expect(node.fault()).toBe(fault)
  })
})
