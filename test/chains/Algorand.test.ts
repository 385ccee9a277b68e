// @runtime both
import { describe, expect, it } from "vitest"
import { algodEndpoints, indexerEndpoints } from "../../src/chains/Algorand.js"
import { makeWire, runError, runValue } from "./wire.js"

const address = "PNWOET7LLOWMBMLE4KOCELCX6X3D3Q4H2Q4QJASYIEOF7YIPPQBG3YQ5YI"

describe("algod", () => {
  it("sends signed transactions as bytes, from base64 or bytes", async () => {
    const { answers, client, headers, sent } = makeWire(algodEndpoints)
    answers({ txId: "ABC" })
    await runValue(client.broadcastTransaction({ rawtxn: "gqP/AA==" }))
    expect(sent()).toEqual(["POST", "/v2/transactions", new Uint8Array([0x82, 0xa3, 0xff, 0])])
    expect(headers()).toEqual({ "content-type": "application/x-binary" })
    await runValue(client.broadcastTransaction({ rawtxn: new Uint8Array([1, 2]), skipPqAddressCheck: true }))
    expect(sent()).toEqual(["POST", "/v2/transactions?skip-pq-address-check=true", new Uint8Array([1, 2])])
  })

  it("refuses what is no base64, and a transaction that is not there", async () => {
    const { calls, client } = makeWire(algodEndpoints)
    expect((await runError(client.broadcastTransaction({ rawtxn: "*" })))._tag).toBe("InvalidArgument")
    // @ts-expect-error the transaction is missing
    expect((await runError(client.broadcastTransaction({})))._tag).toBe("InvalidArgument")
    expect(calls).toHaveLength(0)
  })

  it.each([
    ["0", 0n],
    ["9007199254740993", 9007199254740993n],
    ["18446744073709551615", 18446744073709551615n]
  ])("reads the amount %s exactly", async (digits, amount) => {
    const { answers, client } = makeWire(algodEndpoints)
    answers(`{"address":"${address}","amount":${digits}}`)
    expect((await runValue(client.getAccountInfo({ address }))).amount).toBe(amount)
  })

  it("has decimals and codes as numbers, at any depth", async () => {
    const { answers, client } = makeWire(algodEndpoints)
    answers(`{"index":1,"params":{"decimals":6,"total":18446744073709551615}}`)
    const { params } = await runValue(client.getAssetInformation({ assetId: 1 }))
    expect(params).toEqual({ decimals: 6, total: 18446744073709551615n })
    answers(`{"id":1,"params":{"global-state":[{"key":"YQ==","value":{"type":2,"bytes":"","uint":7}}]}}`)
    const { params: application } = await runValue(client.getApplicationInfo({ applicationId: 1 }))
    expect(application?.["global-state"]?.[0]?.value).toEqual({ type: 2, bytes: "", uint: 7n })
  })

  it("sends integers of any size, in paths and bodies", async () => {
    const { client, sent } = makeWire(algodEndpoints)
    await runValue(client.getAssetInformation({ assetId: 18446744073709551615n }))
    expect(sent()[1]).toBe("/v2/assets/18446744073709551615")
    await runValue(client.simulateTransaction({ "txn-groups": [], round: 9007199254740993n }))
    expect(sent()[2]).toBe(`{"txn-groups":[],"round":9007199254740993}`)
  })

  it("leaves the user's transactions in a simulation as they are", async () => {
    const { client, sent } = makeWire(algodEndpoints)
    const txn = { type: "appl", snd: address, apaa: ["aB=="], userKey: { innerKey: 1 } } as const
    await runValue(client.simulateTransaction({ format: "json", "txn-groups": [{ txns: [{ txn }] }] }))
    expect(sent()).toEqual([
      "POST",
      "/v2/transactions/simulate?format=json",
      JSON.stringify({ "txn-groups": [{ txns: [{ txn }] }] })
    ])
  })

  it("asks with one value for several parts, and without a body where there is none", async () => {
    const { client, sent } = makeWire(algodEndpoints)
    await runValue(
      client.getAccountInfo({ address, exclude: ["created-apps-params", "created-assets-params"] })
    )
    expect(sent()[1]).toBe(`/v2/accounts/${address}?exclude=created-apps-params%2Ccreated-assets-params`)
    await runValue(client.getApplicationBox({ applicationId: 1, name: "b64:+/A=" }))
    expect(sent()[1]).toBe("/v2/applications/1/box?name=b64%3A%2B%2FA%3D")
    await runValue(client.syncLedgerRound({ round: 5n }))
    expect(sent()).toEqual(["POST", "/v2/ledger/sync/5", undefined])
  })

  it("says what is missing in a path", async () => {
    const { calls, client } = makeWire(algodEndpoints)
    // @ts-expect-error the round is missing
    const failed = await runError(client.getBlock({}))
    expect(failed).toMatchObject({ _tag: "InvalidArgument", reason: "round is missing" })
    expect(calls).toHaveLength(0)
  })

  it.each([
    [404, "failed to retrieve information from the ledger", "elsewhere"],
    [404, "couldn't find the required transaction in the required range", "elsewhere"],
    [404, "asset does not exist", "caller"],
    [400, "TransactionPool.Remember: txn dead: round 10 outside of 1--5", "caller"],
    [401, "Invalid API Token", "unclear"],
    [429, "slow down", "node"],
    [500, "failed to retrieve information from the ledger", "node"],
    [503, "operation not available during catchup", "node"]
  ])("takes %i %s for the fault of: %s", async (status, message, whose) => {
    const { answers, client, fault } = makeWire(algodEndpoints)
    answers({ message }, status)
    const failed = await runError(client.getBlock({ round: 1 }))
    expect(fault()).toBe(whose)
    expect(failed.message).toContain(message)
    expect(failed._tag).toBe(whose === "node" || whose === "unclear" ? "NodeError" : "RequestRejected")
  })

  it("never repeats what only a write may do, and may repeat what is signed", () => {
    const { broadcastTransaction, simulateTransaction, syncLedgerRound } = algodEndpoints
    expect(broadcastTransaction.spec.repeat).toBe("broadcast")
    expect(syncLedgerRound.spec.repeat).toBe("write")
    expect(simulateTransaction.spec.repeat).toBe("read")
  })
})

describe("the indexer", () => {
  it("asks in dash-case, with lists as one value", async () => {
    const { client, sent } = makeWire(indexerEndpoints)
    await runValue(
      client.getAccounts({ exclude: ["assets", "created-apps"], currencyGreaterThan: 2n ** 64n })
    )
    expect(sent()[1]).toBe(
      "/v2/accounts?exclude=assets%2Ccreated-apps&currency-greater-than=18446744073709551616"
    )
    await runValue(client.getBlockHeaders({ proposers: [address, address], minRound: 1 }))
    expect(sent()[1]).toBe(`/v2/block-headers?proposers=${address}%2C${address}&min-round=1`)
  })

  it("refuses an input that is no object", async () => {
    const { client } = makeWire(indexerEndpoints)
    // @ts-expect-error the input is a record
    expect((await runError(client.getAccounts("all")))._tag).toBe("InvalidArgument")
  })

  it("lets another indexer look for a transaction, not for an account", async () => {
    const { answers, client, fault } = makeWire(indexerEndpoints)
    answers({ message: "no transaction found for transaction id: A" }, 404)
    await runError(client.getTransaction({ txid: "A" }))
    expect(fault()).toBe("elsewhere")
    answers({ message: "no accounts found for address: A" }, 404)
    await runError(client.getAccount({ accountId: "A" }))
    expect(fault()).toBe("caller")
  })
})
