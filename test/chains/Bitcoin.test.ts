// @runtime both
import { describe, expect, it } from "vitest"
import { classify, dogeEndpoints, endpoints, estimateFeeEndpoints } from "../../src/chains/Bitcoin.js"
import { isUnknownTransaction } from "../../src/chains/internal/unknown.js"
import { RpcError } from "../../src/data/SdkError.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

/** The coinbase of Bitcoin's genesis block, and the transaction of block 170: two well-known ids. */
const genesis =
  "01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000"
const genesisId = "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b"

/** The same with the marks and a witness of BIP 144 in it, which do not change the id. */
const witnessed = `01000000${"0001"}${genesis.slice(8, -8)}${"0102aabb"}00000000`

const id = "ab".repeat(32)

describe("a Bitcoin node", () => {
  it.each([
    [-5, "No such mempool or blockchain transaction", true],
    [-5, "", true],
    [-1, "Transaction not found.", true],
    [-1, "Invalid TXID.", false],
    [-8, "Transaction not found.", false]
  ])("knows no such transaction by %i %j: %s", (code, rpcMessage, isUnknown) =>
    expect(
      isUnknownTransaction(new RpcError({ method: "getrawtransaction", code, rpcMessage, url: "https://n" }))
    ).toBe(isUnknown)
  )

  it("is asked for whole blocks by number, one of Dogecoin by boolean", async () => {
    const bitcoin = makeRpcNode(endpoints)
    bitcoin.result('"00"')
    await runValue(bitcoin.client.getBlock(id))
    expect(bitcoin.sent()).toEqual({ method: "getblock", params: [id, 1] })
    const cash = makeRpcNode(estimateFeeEndpoints)
    cash.result('"00"')
    await runValue(cash.client.getBlock(id))
    expect(cash.sent().params).toEqual([id, 1])
    const doge = makeRpcNode(dogeEndpoints)
    doge.result('"00"')
    await runValue(doge.client.getBlock(id))
    expect(doge.sent().params).toEqual([id, true])
    await runValue(doge.client.getBlock(id, false))
    expect(doge.sent().params).toEqual([id, false])
  })

  it("keeps the place of the locktime", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result('"00"')
    const inputs = [{ txid: "aa", vout: 0 }]
    const outputs = [{ myAddress: "0.00000001" }, { data: "00ff" }]
    await runValue(client.createRawTransaction(inputs, outputs))
    expect(sent().params).toEqual([inputs, outputs])
    await runValue(client.createRawTransaction(inputs, outputs, 0))
    expect(sent().params).toEqual([inputs, outputs, 0])
    await runValue(client.createRawTransaction(inputs, outputs, undefined, false))
    expect(sent().params).toEqual([inputs, outputs, 0, false])
  })

  it("is given time to wait and to scan, and nothing waits beside such a call", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result('{"hash":"h","height":7}')
    expect(await runValue(client.waitForNewBlock())).toEqual({ hash: "h", height: 7 })
    expect(sent()).toEqual({ method: "waitfornewblock", params: [60_000] })
    expect(call()).toMatchObject({ repeat: "read", minTimeout: 75_000, id: undefined })
    await runValue(client.waitForNewBlock(0, "ab".repeat(32)))
    expect(sent().params).toEqual([0, "ab".repeat(32)])
    await runValue(client.waitForBlock(id))
    expect(sent()).toEqual({ method: "waitforblock", params: [id, 60_000] })
    await runValue(client.waitForBlockHeight(8, 100n))
    expect(sent()).toEqual({ method: "waitforblockheight", params: [8, 100] })
    await runValue(client.scanTxOutSet([{ desc: "wpkh()", range: [0, 5] }]))
    expect(sent()).toEqual({ method: "scantxoutset", params: ["start", [{ desc: "wpkh()", range: [0, 5] }]] })
    expect(call()).toMatchObject({ repeat: "read", minTimeout: 600_000 })
    await runValue(client.scanBlocks(["addr()"]))
    expect(sent()).toEqual({ method: "scanblocks", params: ["start", ["addr()"]] })
    await runValue(client.scanBlocks(["addr()"], { stopHeight: 9, checkBlocks: true }))
    expect(sent().params).toEqual(["start", ["addr()"], null, 9, null, { filter_false_positives: true }])
    result("null")
    expect(await runValue(client.scanBlocksStatus())).toBeNull()
    expect(sent().params).toEqual(["status"])
    expect(call().minTimeout).toBeUndefined()
    result("false")
    expect(await runValue(client.scanTxOutSetAbort())).toBe(false)
    expect(sent().params).toEqual(["abort"])
    expect(await runValue(client.scanBlocksAbort())).toBe(false)
    result('{"activity":[]}')
    await runValue(client.getDescriptorActivity(["ab".repeat(32)], ["addr()"]))
    expect(sent()).toEqual({ method: "getdescriptoractivity", params: [["ab".repeat(32)], ["addr()"]] })
    result('{"headers":1,"chainstates":[]}')
    expect(await runValue(client.getChainStates())).toEqual({ headers: 1, chainstates: [] })
  })

  it("gives amounts as the numbers it sends, and refuses integers that would lose digits", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result('{"value":20999999.97690000,"confirmations":1,"coinbase":false}')
    expect(await runValue(client.getTxOut(id, 0))).toMatchObject({ value: 20999999.9769, confirmations: 1 })
    result("null")
    expect(await runValue(client.getTxOut(id, 0))).toBeNull()
    result("9007199254740993")
    expect(await runError(client.getBlockCount())).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    result('{"total_out":2099999997690000}')
    expect(await runValue(client.getBlockStats(1))).toEqual({ total_out: 2099999997690000 })
  })

  it("answers a broadcast that it knows with the transaction's id", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result('"id"')
    const idOf = async (transaction: string) => {
      await runValue(client.sendRawTransaction(transaction))
      return call().accepted?.result("already known")
    }
    expect(await idOf(genesis)).toBe(genesisId)
    expect(await idOf(witnessed)).toBe(genesisId)
    // Zcash: the fourth version is hashed whole, the fifth in another way; MWEB and nonsense are not guessed at
    expect(await idOf(`04000080${genesis.slice(8)}`)).toMatch(/^[0-9a-f]{64}$/)
    for (const raw of [
      `05000080${genesis.slice(8)}`,
      `01000000${"0008"}00`,
      "0100000000010",
      "xyz",
      `${witnessed.slice(0, 60)}`
    ]) {
      await expect(idOf(raw)).rejects.toThrow()
    }
    const known = call().accepted?.known
    for (const message of [
      "Transaction already in block chain",
      "Transaction outputs already in utxo set",
      "txn-already-in-mempool",
      "txn-already-known"
    ]) {
      expect(known?.test(message)).toBe(true)
    }
    expect(known?.test("bad-txns-inputs-missingorspent")).toBe(false)
    expect(call().repeat).toBe("broadcast")
  })

  it.each([
    [-28, "Loading block index…", "node"],
    [-10, "Bitcoin Core is in initial sync and waiting for blocks...", "node"],
    [-32603, "Work queue depth exceeded", "node"],
    [-1, "Block not available (pruned data)", "elsewhere"],
    [-5, "No such mempool transaction. Use -txindex or provide a block hash", "elsewhere"],
    [-5, "Transaction not in mempool", "elsewhere"],
    [-5, "Block not found", "elsewhere"],
    [-32601, "Method not found", "elsewhere"],
    [-8, "Block height out of range", "caller"],
    [-26, "mandatory-script-verify-flag-failed", "caller"],
    [-25, "bad-txns-inputs-missingorspent", "caller"],
    [-3, "Amount out of range", "caller"]
  ] as const)("with %i (%s) speaks of the %s, with HTTP 500 as with 200", async (code, message, whose) => {
    expect(classify({ code, message })).toBe(whose)
    for (const status of [200, 500]) {
      const { client, fails, fault } = makeRpcNode(endpoints)
      fails(code, message, status)
      expect(await runError(client.getBlockCount())).toMatchObject({ _tag: "RpcError", code, message })
      expect(fault()).toBe(whose)
    }
  })

  it("has estimatefee where the chain has it", async () => {
    const cash = makeRpcNode(estimateFeeEndpoints)
    cash.result("0.00001")
    expect(await runValue(cash.client.estimateFee())).toBe(0.00001)
    expect(cash.sent()).toEqual({ method: "estimatefee", params: [] })
    const doge = makeRpcNode(dogeEndpoints)
    doge.result("-1")
    expect(await runValue(doge.client.estimateFee(3))).toBe(-1)
    expect(doge.sent().params).toEqual([3])
    expect(Object.keys(endpoints)).not.toContain("estimateFee")
  })
})
