// @runtime both
import { describe, expect, it } from "vitest"
import { classify, endpoints } from "../../src/chains/Rostrum.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

const id = "ab".repeat(32)

describe("an Electrum server", () => {
  it("gives amounts as bigint whatever their size, heights and positions as numbers", async () => {
    const { client, result } = makeRpcNode(endpoints)
    for (const amount of ["0", "9007199254740993", "18446744073709551616"]) {
      result(`{"confirmed":${amount},"unconfirmed":-1}`)
      expect(await runValue(client.blockchainAddressGetBalance({ address: "a" }))).toEqual({
        confirmed: BigInt(amount),
        unconfirmed: -1n
      })
      result(`{"confirmed":{"token":${amount}},"unconfirmed":{},"cursor":null}`)
      expect((await runValue(client.tokenAddressGetBalance({ address: "a" }))).confirmed).toEqual({
        token: BigInt(amount)
      })
      result(`{"unspent":[{"height":0,"tx_pos":1,"value":546,"token_amount":${amount}}],"cursor":"c"}`)
      expect((await runValue(client.tokenScripthashListUnspent({ scripthash: id }))).unspent).toEqual([
        { height: 0, tx_pos: 1, value: 546n, token_amount: BigInt(amount) }
      ])
    }
    result('{"height":800000,"hex":"00"}')
    expect(await runValue(client.blockchainHeadersTip())).toEqual({ height: 800000, hex: "00" })
    result('[{"tx_hash":"t","height":-1,"fee":200}]')
    expect(await runValue(client.blockchainAddressGetHistory({ address: "a" }))).toEqual([
      { tx_hash: "t", height: -1, fee: 200n }
    ])
  })

  it("gives fees and decoded transactions in whole coins, as numbers", async () => {
    const { client, result } = makeRpcNode(endpoints)
    for (const [text, fee] of [
      ["-1", -1],
      ["0.00001", 0.00001],
      ["1.0", 1]
    ] as const) {
      result(text)
      expect(await runValue(client.blockchainEstimateFee(6))).toBe(fee)
      expect(await runValue(client.blockchainRelayFee())).toBe(fee)
    }
    result(
      `{"txid":"${id}","version":2,"vin":[{"sequence":4294967295,"vout":1}],"vout":[{"value":1,"n":0},{"value":0.5,"n":1}]}`
    )
    expect(await runValue(client.blockchainTransactionGet({ tx_hash: id, verbose: true }))).toEqual({
      txid: id,
      version: 2,
      vin: [{ sequence: 4294967295, vout: 1 }],
      vout: [
        { value: 1, n: 0 },
        { value: 0.5, n: 1 }
      ]
    })
    result("[[53.01,102131],[1,5]]")
    expect(await runValue(client.mempoolGetFeeHistogram())).toEqual([
      [53.01, 102131],
      [1, 5]
    ])
  })

  it("keeps each argument in its place", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("null")
    await runValue(client.tokenAddressGetHistory({ address: "a", token: "t" }))
    expect(sent().params).toEqual(["a", null, "t"])
    await runValue(client.tokenTransactionGetHistory({ token: "t", commitment: "00" }))
    expect(sent().params).toEqual(["t", null, "00"])
    await runValue(client.blockchainTransactionGetMerkle({ tx_hash: id, height: 0 }))
    expect(sent().params).toEqual([id, 0])
    await runValue(client.blockchainBlockHeader({ height: 0 }))
    expect(sent().params).toEqual([0, 0])
    await runValue(client.blockchainUtxoGet({ tx_hash: id, output_index: 0 }))
    expect(sent().params).toEqual([id, 0])
  })

  it("is asked in Fulcrum's words, and answers null where there is nothing", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result("null")
    expect(await runValue(client.blockchainTransactionDsproofGet(id))).toBeNull()
    expect(sent()).toEqual({ method: "blockchain.transaction.dsproof.get", params: [id] })
    expect(await runValue(client.blockchainUtxoGetInfo({ tx_hash: id, output_index: 1 }))).toBeNull()
    expect(sent()).toEqual({ method: "blockchain.utxo.get_info", params: [id, 1] })
    expect(await runValue(client.blockchainTransactionGetHeight(id))).toBeNull()
    expect(await runValue(client.blockchainAddressGetFirstUse({ address: "a" }))).toBeNull()
    result("840000")
    expect(await runValue(client.blockchainTransactionGetHeight(id))).toBe(840_000)
    result('"high"')
    expect(await runError(client.blockchainTransactionGetHeight(id))).toMatchObject({ kind: "malformed" })
    result(
      '{"confirmed_height":126184,"scripthash":"s","token_data":{"amount":"9007199254740993"},"value":1000000}'
    )
    expect(await runValue(client.blockchainUtxoGetInfo({ tx_hash: id, output_index: 0 }))).toEqual({
      confirmed_height: 126_184,
      scripthash: "s",
      token_data: { amount: "9007199254740993" },
      value: 1_000_000n
    })
    result('{"outpoint":{"txid":"t","vout":3}}')
    expect(await runValue(client.blockchainTransactionDsproofGet(id))).toEqual({
      outpoint: { txid: "t", vout: 3 }
    })
    result("[]")
    await runValue(client.blockchainRpaGetHistory({ prefix: "ab", from_height: 825_000 }))
    expect(sent()).toEqual({ method: "blockchain.rpa.get_history", params: ["ab", 825_000] })
    result('{"height":1,"hex":"00"}')
    expect(await runValue(client.blockchainHeaderGet(id))).toEqual({ height: 1, hex: "00" })
    expect(await runValue(client.blockchainHeadersGetTip())).toEqual({ height: 1, hex: "00" })
    result('{"success":false,"errors":[{"txid":"t","error":"missing"}]}')
    expect(await runValue(client.blockchainTransactionBroadcastPackage(["00", "01"]))).toMatchObject({
      success: false
    })
    expect(sent().params).toEqual([["00", "01"]])
    expect(call().repeat).toBe("broadcast")
    result('{"package_msg":"success","tx-results":{"w":{"txid":"t","vsize":110,"fees":{"base":1}}}}')
    expect(await runValue(client.blockchainTransactionBroadcastPackage(["00"], true))).toEqual({
      package_msg: "success",
      "tx-results": { w: { txid: "t", vsize: 110, fees: { base: 1 } } }
    })
    result('{"mempoolminfee":1,"unbroadcastcount":5}')
    expect(await runValue(client.mempoolGetInfo())).toEqual({ mempoolminfee: 1, unbroadcastcount: 5 })
    result('{"pruning":null,"hosts":{"h":{"tcp_port":51001,"ssl_port":null}},"rpa":{"prefix_bits":16}}')
    expect(await runValue(client.serverFeatures())).toEqual({
      pruning: null,
      hosts: { h: { tcp_port: 51_001, ssl_port: null } },
      rpa: { prefix_bits: 16 }
    })
  })

  it("is not asked for half an output", async () => {
    const { client } = makeRpcNode(endpoints)
    expect(await runError(client.blockchainUtxoGet({ tx_hash: id }))).toMatchObject({
      _tag: "InvalidArgument"
    })
  })

  it.each([
    [-102, "server busy - request timed out", "node"],
    [-101, "excessive resource usage", "node"],
    [1, "timeout", "node"],
    [-32601, "unknown method", "elsewhere"],
    [-32603, "internal error: missing transaction", "elsewhere"],
    [2, "missing transaction", "elsewhere"],
    [-32602, "invalid address", "caller"],
    [1, "the transaction was rejected by network rules", "caller"]
  ] as const)("with %i (%s) speaks of the %s", (code, message, whose) => {
    expect(classify({ code, message })).toBe(whose)
  })
})
