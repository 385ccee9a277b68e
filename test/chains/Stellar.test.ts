// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Stellar.js"
import { makeWire, runError, runValue } from "./wire.js"

const account = "GA2224DCGO3WHC4EALA2PR2BZEMAYZPBPTHS243ZYYWQMBWRPJSZH5A6"

const problem = (name: string, status: number, more: object = {}): object => ({
  type: `https://stellar.org/horizon-errors/${name}`,
  title: name,
  status,
  detail: "what it means",
  ...more
})

describe("Horizon", () => {
  it("gets a transaction as a form, with every character of it, and none that is no Base64", async () => {
    const { client, headers, sent } = makeWire(endpoints)
    const tx = "AAAA+/8="
    await runValue(client.submitTransaction({ tx }))
    const [verb, path, body] = sent()
    expect([verb, path]).toEqual(["POST", "/transactions"])
    expect([...new URLSearchParams(String(body))]).toEqual([["tx", tx]])
    expect(headers()).toEqual({ "content-type": "application/x-www-form-urlencoded" })
    expect(endpoints.submitTransaction.spec.repeat).toBe("broadcast")
    expect(await runError(client.submitTransaction({ tx: `${tx}&tx=x y` }))).toMatchObject({
      _tag: "InvalidArgument"
    })
  })

  it("is asked in snake_case, with lists as one value", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getLiquidityPools({ reserves: ["native", `USDC:${account}`], limit: 2 }))
    expect(sent()[1]).toBe(`/liquidity_pools?reserves=native%2CUSDC%3A${account}&limit=2`)
    await runValue(client.getOperations({ join: ["transactions"], includeFailed: false }))
    expect(sent()[1]).toBe("/operations?join=transactions&include_failed=false")
  })

  it("is not told what strict-send does not know", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(
      client.getStrictSendPaymentPaths({
        sourceAccount: account,
        sourceAssets: ["native"],
        sourceAssetType: "native",
        sourceAmount: "1",
        destinationAssets: ["native", `USDC:${account}`]
      })
    )
    expect(sent()[1]).toBe(
      `/paths/strict-send?source_asset_type=native&source_amount=1&destination_assets=native%2CUSDC%3A${account}`
    )
  })

  it("keeps names that only look like a path in their place", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getAccountData({ accountId: account, key: "a/b?c" }))
    expect(sent()[1]).toBe(`/accounts/${account}/data/a%2Fb%3Fc`)
  })

  it("says what is missing in a path", async () => {
    const { calls, client } = makeWire(endpoints)
    // @ts-expect-error the account is missing
    expect(await runError(client.getAccount({}))).toMatchObject({ reason: "accountId is missing" })
    // @ts-expect-error the account is missing
    expect(await runError(client.getAccountOperations())).toMatchObject({ _tag: "InvalidArgument" })
    expect(calls).toHaveLength(0)
  })

  it("answers with integers that are exact, or none at all", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"sequence":9007199254740991}`)
    expect((await runValue(client.getLedger({ sequence: 9007199254740991 }))).sequence).toBe(9007199254740991)
    for (const digits of ["9007199254740993", "18446744073709551616"]) {
      answers(`{"sequence":${digits}}`)
      expect(await runError(client.getLedger({ sequence: 9007199254740991 }))).toMatchObject({
        kind: "malformed"
      })
    }
    answers(
      `{"id":"${account}","sequence":"18446744073709551615","balances":[{"balance":"922337203685.4775807"}]}`
    )
    const { balances, sequence } = await runValue(client.getAccount({ accountId: account }))
    expect([sequence, balances[0]?.balance]).toEqual(["18446744073709551615", "922337203685.4775807"])
  })

  it("names the codes of a transaction that it refused", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    const extras = {
      result_codes: { transaction: "tx_failed", operations: ["op_success", "op_underfunded"] }
    }
    answers(problem("transaction_failed", 400, { extras }), 400)
    const failed = await runError(client.submitTransaction({ tx: "AAAA" }))
    expect(failed).toMatchObject({
      _tag: "RequestRejected",
      status: 400,
      messages: ["transaction_failed: what it means", "tx_failed", "op_success", "op_underfunded"]
    })
    expect(fault()).toBe("caller")
  })

  it.each([
    ["not_found", 404, "caller"],
    ["bad_request", 400, "caller"],
    ["before_history", 410, "elsewhere"],
    ["rate_limit_exceeded", 429, "node"],
    ["stale_history", 503, "node"],
    ["timeout", 504, "node"],
    ["server_error", 500, "node"]
  ])("takes %s (%i) for the fault of: %s", async (name, status, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(problem(name, status), status)
    await runError(client.getTransaction({ transactionHash: "ab".repeat(32) }))
    expect(fault()).toBe(whose)
    // the same in an answer that claims to be a success
    answers(problem(name, status))
    const failed = await runError(client.getTransaction({ transactionHash: "ab".repeat(32) }))
    expect(failed).toMatchObject({ _tag: "RequestRejected", messages: [`${name}: what it means`] })
  })

  it.each([
    ["DUPLICATE", 409, "caller"],
    ["ERROR", 400, "caller"],
    ["TRY_AGAIN_LATER", 503, "node"],
    ["ERROR", 200, "caller"],
    ["TRY_AGAIN_LATER", 200, "node"]
  ])("fails when a submission is %s (%i), by the fault of: %s", async (verdict, status, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers({ tx_status: verdict, hash: "ab", error_result_xdr: "AAA=" }, status)
    const failed = await runError(client.submitTransactionAsync({ tx: "AAAA" }))
    expect(failed.message).toContain(`${verdict}: transaction ab, result AAA=`)
    expect(fault()).toBe(whose)
  })

  it("succeeds when a submission is pending", async () => {
    const { answers, client } = makeWire(endpoints)
    answers({ tx_status: "PENDING", hash: "ab" }, 201)
    expect(await runValue(client.submitTransactionAsync({ tx: "AAAA" }))).toEqual({
      tx_status: "PENDING",
      hash: "ab"
    })
  })
})
