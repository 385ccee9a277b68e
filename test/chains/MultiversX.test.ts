// @runtime both
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/MultiversX.js"
import { runs } from "../properties.js"
import { makeWire, runError, runValue } from "./wire.js"

const address = "erd1qqqqqqqqqqqqqpgq0lzzvt2faev4upyf586tg38s84d7zsaj2jpsglugga"
const hash = "ab".repeat(32)

describe("the proxy of MultiversX", () => {
  it("is asked by paths and queries", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getNetworkStatus({ shard: 4_294_967_295 }))
    expect(sent().slice(0, 2)).toEqual(["GET", "/network/status/4294967295"])
    await runValue(client.getAccount({ address, onFinalBlock: true }))
    expect(sent()[1]).toBe(`/address/${address}?onFinalBlock=true`)
    await runValue(client.getAccountNft({ address, tokenIdentifier: "LKMEX-aab910", nonce: 7n }))
    expect(sent()[1]).toBe(`/address/${address}/nft/LKMEX-aab910/nonce/7`)
    await runValue(client.getTransaction({ txHash: hash, withResults: true }))
    expect(sent()[1]).toBe(`/transaction/${hash}?withResults=true`)
    await runValue(client.getBlockByNonce({ shard: 1, nonce: 2n ** 60n, withTxs: true }))
    expect(sent()[1]).toBe(`/block/1/by-nonce/${2n ** 60n}?withTxs=true`)
    await runValue(client.queryVm({ scAddress: address, funcName: "getSum", args: ["2a"] }))
    expect(sent()).toEqual([
      "POST",
      "/vm-values/query",
      JSON.stringify({ scAddress: address, funcName: "getSum", args: ["2a"] })
    ])
  })

  const transaction = {
    nonce: 7n,
    value: "1",
    receiver: address,
    sender: address,
    gasPrice: 1_000_000_000,
    gasLimit: 50_000n,
    signature: "cd",
    chainID: "1",
    version: 2
  }

  it("gets signed transactions with exact integers, one or a list, and again", async () => {
    const { calls, client, sent } = makeWire(endpoints)
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (nonce) => {
        await runValue(client.sendTransaction({ ...transaction, nonce }))
        expect(String(sent()[2])).toContain(`"nonce":${nonce},`)
      }),
      { numRuns: runs(50) }
    )
    expect(calls.at(-1)?.repeat).toBe("broadcast")
    await runValue(client.sendTransactions({ transactions: [transaction, transaction] }))
    expect(sent().slice(0, 2)).toEqual(["POST", "/transaction/send-multiple"])
    expect(JSON.parse(String(sent()[2]))).toHaveLength(2)
    expect(calls.at(-1)?.repeat).toBe("broadcast")
    await runValue(client.simulateTransaction({ ...transaction, checkSignature: false }))
    expect(sent()[1]).toBe("/transaction/simulate?checkSignature=false")
    expect(String(sent()[2])).not.toContain("checkSignature")
    for (const name of ["simulateTransaction", "getTransactionCost", "queryVm"] as const) {
      expect(endpoints[name].spec.repeat).toBe("read")
    }
  })

  it("answers in its envelope, with exact gas and values, and numbers for what is small", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(
      `{"data":{"data":{"returnData":["Kg=="],"returnCode":"ok","gasRemaining":18446744073685949187}},"error":"","code":"successful"}`
    )
    expect(await runValue(client.queryVm({ scAddress: address, funcName: "getSum" }))).toEqual({
      data: { data: { returnData: ["Kg=="], returnCode: "ok", gasRemaining: 18_446_744_073_685_949_187n } },
      error: "",
      code: "successful"
    })
    answers(
      `{"data":{"transaction":{"nonce":7,"epoch":1800,"sourceShard":1,"destinationShard":4294967295,"gasLimit":50000,
        "smartContractResults":[{"value":19440250000000,"callType":0}],"receiversShardIDs":[1]}},"error":"","code":"successful"}`
    )
    expect((await runValue(client.getTransaction({ txHash: hash }))).data.transaction).toEqual({
      nonce: 7n,
      epoch: 1800,
      sourceShard: 1,
      destinationShard: 4_294_967_295,
      gasLimit: 50_000n,
      smartContractResults: [{ value: 19_440_250_000_000n, callType: 0 }],
      receiversShardIDs: [1]
    })
  })

  const said = (message: string, code: string) => ({ data: null, error: message, code })

  it.each([
    [400, said("invalid address: invalid checksum", "bad_request"), "caller"],
    [400, said("transaction generation failed: invalid signature", "bad_request"), "caller"],
    [500, said("lowerNonceInTransaction", "internal_issue"), "caller"],
    [500, said("transaction not found", "internal_issue"), "elsewhere"],
    [500, said("getting block failed: cannot get block", "internal_issue"), "elsewhere"],
    [500, said("sending request error: connection refused", "internal_issue"), "node"],
    [500, said("no observers available", "internal_issue"), "node"],
    [500, said("something else", "internal_issue"), "unclear"],
    [200, said("transaction not found", "internal_issue"), "elsewhere"],
    [200, said("insufficient funds", "bad_request"), "caller"],
    [429, said("too many requests", "bad_request"), "node"],
    [502, "Bad gateway", "node"]
  ])("answers with %i %j by the fault of: %s", async (status, body, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body, status)
    await runError(client.sendTransaction(transaction))
    expect(fault()).toBe(whose)
  })
})
