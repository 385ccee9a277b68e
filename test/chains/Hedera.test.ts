// @runtime both
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { accounts, endpoints } from "../../src/chains/Hedera.js"
import { type MakeCalls, make, makeRawRpc } from "../../src/transport/Client.js"
import { makeWire, runError, runIgnoring, runValue } from "./wire.js"

const refusal = (message: string, detail?: string) => ({
  _status: { messages: [detail === undefined ? { message } : { message, detail, data: null }] }
})

describe("a mirror node of Hedera", () => {
  it("is asked under /api/v1, with dots in the names of queries", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(client.getBlocks())
    expect(sent()).toEqual(["GET", "/api/v1/blocks", undefined])
    await runIgnoring(
      client.getAccounts({
        accountId: "gte:0.0.100",
        accountPublickey: "ab",
        accountBalance: 2n ** 63n,
        limit: 3
      })
    )
    expect(sent()[1]).toBe(
      "/api/v1/accounts?account.id=gte%3A0.0.100&account.publickey=ab&account.balance=9223372036854775808&limit=3"
    )
  })

  it("has ids in paths and in queries apart from each other", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(client.getTokenNfts({ tokenId: "0.0.3", accountId: "0.0.2", serialnumber: "gt:7" }))
    expect(sent()[1]).toBe("/api/v1/tokens/0.0.3/nfts?account.id=0.0.2&serialnumber=gt%3A7")
  })

  it("gets a span of time as two comparisons, with all digits", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(
      client.getTransactions({ timestamp: ["gte:1651560386.060890949", "lt:1651560387.000000000"] })
    )
    expect(sent()[1]).toBe(
      "/api/v1/transactions?timestamp=gte%3A1651560386.060890949&timestamp=lt%3A1651560387.000000000"
    )
  })

  it("gets a call of a contract with exact numbers", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers({ result: "0x01" })
    const to = `0x${"11".repeat(20)}`
    const data = Uint8Array.of(6, 253, 222, 3)
    expect(await runValue(client.callContract({ data, to, value: 5_000_000_000_000_000_001n }))).toEqual({
      result: "0x01"
    })
    expect(sent()).toEqual([
      "POST",
      "/api/v1/contracts/call",
      `{"data":"0x06fdde03","to":"${to}","value":5000000000000000001}`
    ])
    expect(await runError(client.callContract({ data: "0x0", to }))).toMatchObject({
      _tag: "InvalidArgument"
    })
  })

  it("gets a transaction whose fees it estimates as bytes, and the rest in the query", async () => {
    const { client, headers, sent } = makeWire(endpoints)
    await runIgnoring(
      client.estimateFees({ transaction: Uint8Array.of(1, 2), mode: "STATE", highVolumeThrottle: 10 })
    )
    expect(sent()).toEqual([
      "POST",
      "/api/v1/network/fees?mode=STATE&high_volume_throttle=10",
      Uint8Array.of(1, 2)
    ])
    expect(headers()["content-type"]).toBe("application/protobuf")
  })

  it("answers with amounts of any size, with numbers where they are small, and with times as text", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(
      '{"stake_total":3500000000000000001,"staking_reward_fee_fraction":1,"node_reward_fee_fraction":0.5,"staking_period":{"from":"1655164800.000000001","to":null}}'
    )
    expect(await runValue(client.getNetworkStake())).toEqual({
      stake_total: 3_500_000_000_000_000_001n,
      staking_reward_fee_fraction: 1,
      node_reward_fee_fraction: 0.5,
      staking_period: { from: "1655164800.000000001", to: null }
    })
    answers('{"tokens":[{"token_id":"0.0.3","decimals":8,"type":"FUNGIBLE_COMMON"}],"links":{"next":null}}')
    expect((await runValue(client.getTokens())).tokens).toEqual([
      { token_id: "0.0.3", decimals: 8, type: "FUNGIBLE_COMMON" }
    ])
    answers('{"blocks":null,"links":{"next":null}}')
    expect((await runValue(client.getBlocks())).blocks).toEqual([])
  })

  it("is not believed where it answers about another token, but for ids in another form", async () => {
    const { answers, client } = makeWire(endpoints)
    answers({ token_id: "0.0.4" })
    expect(await runError(client.getToken({ tokenId: "0.0.3" }))).toMatchObject({ _tag: "NodeError" })
    expect(await runValue(client.getToken({ tokenId: "4" }))).toEqual({ token_id: "0.0.4" })
    const address = `0x${"11".repeat(20)}`
    answers({ contract_id: "0.0.4", evm_address: address })
    expect(await runValue(client.getContract({ contract: address }))).toMatchObject({ contract_id: "0.0.4" })
  })

  it.each([
    [404, "Not found", "elsewhere"],
    [400, "Invalid parameter: account.id", "caller"],
    [415, "Unsupported Media Type", "caller"],
    [429, "Too many requests", "node"],
    [403, "Forbidden", "unclear"],
    [500, "Generic error", "node"],
    [503, "Unable to connect to database", "node"]
  ] as const)("status %i with %s is the fault of %s", async (status, message, fault) => {
    const node = makeWire(endpoints)
    node.answers(refusal(message), status)
    await runError(node.client.getBlocks())
    expect(node.fault()).toBe(fault)
  })

  it("says what is wrong with its details", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(refusal("CONTRACT_REVERT_EXECUTED", "Custom revert message"), 400)
    expect(await runError(client.callContract({ to: `0x${"11".repeat(20)}` }))).toMatchObject({
      _tag: "RequestRejected",
      message: expect.stringContaining("CONTRACT_REVERT_EXECUTED: Custom revert message")
    })
    answers('{"_status":{"messages":"Not found"}}', 404)
    expect(await runError(client.getBlocks())).not.toMatchObject({ _tag: "RequestRejected" })
  })

  it("has the balances of accounts in tinybars, without their transactions", async () => {
    const { answers, calls, transport } = makeWire(endpoints)
    const routing = { archive: false, batchArchive: false }
    const client: MakeCalls = (table) => ({
      ...make(table, transport, routing),
      ...makeRawRpc(table, transport, routing)
    })
    answers(
      '{"account":"0.0.2","balance":{"balance":4999999999999999999,"timestamp":"1.0","tokens":[]},"transactions":[]}'
    )
    expect(await Effect.runPromise(accounts.nativeBalances(client, ["0.0.2"]))).toEqual([
      4_999_999_999_999_999_999n
    ])
    expect(calls.map(({ path }) => path)).toEqual(["/api/v1/accounts/0.0.2?transactions=false"])
    answers('{"account":"0.0.2","balance":null,"transactions":[]}')
    expect(await Effect.runPromise(accounts.nativeBalances(client, ["0.0.2"]))).toEqual([0n])
  })
})
