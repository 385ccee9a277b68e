import { describe, expect, it } from "vitest"
import { classify, endpoints } from "../../src/chains/Rostrum.js"
import { error, rpcNode, value } from "./wire.js"

describe("an Electrum server", () => {
  it("gives amounts as bigint whatever their size, heights and positions as numbers", async () => {
    const { client, result } = rpcNode(endpoints)
    for (const amount of ["0", "9007199254740993", "18446744073709551616"]) {
      result(`{"confirmed":${amount},"unconfirmed":-1}`)
      expect(await value(client.blockchainAddressGetBalance({ address: "a" }))).toEqual({
        confirmed: BigInt(amount),
        unconfirmed: -1n
      })
      result(`{"confirmed":{"token":${amount}},"unconfirmed":{},"cursor":null}`)
      expect((await value(client.tokenAddressGetBalance({ address: "a" }))).confirmed).toEqual({
        token: BigInt(amount)
      })
      result(`{"unspent":[{"height":0,"tx_pos":1,"value":546,"token_amount":${amount}}],"cursor":"c"}`)
      expect((await value(client.tokenScripthashListUnspent({ scripthash: "s" }))).unspent).toEqual([
        { height: 0, tx_pos: 1, value: 546n, token_amount: BigInt(amount) }
      ])
    }
    result('{"height":800000,"hex":"00"}')
    expect(await value(client.blockchainHeadersTip())).toEqual({ height: 800000, hex: "00" })
    result('[{"tx_hash":"t","height":-1,"fee":200}]')
    expect(await value(client.blockchainAddressGetHistory({ address: "a" }))).toEqual([
      { tx_hash: "t", height: -1, fee: 200n }
    ])
  })

  it("gives fees and decoded transactions in whole coins, as numbers", async () => {
    const { client, result } = rpcNode(endpoints)
    for (const [text, fee] of [
      ["-1", -1],
      ["0.00001", 0.00001],
      ["1.0", 1]
    ] as const) {
      result(text)
      expect(await value(client.blockchainEstimateFee(6))).toBe(fee)
      expect(await value(client.blockchainRelayFee())).toBe(fee)
    }
    result(
      '{"txid":"t","version":2,"vin":[{"sequence":4294967295,"vout":1}],"vout":[{"value":1,"n":0},{"value":0.5,"n":1}]}'
    )
    expect(await value(client.blockchainTransactionGet({ tx_hash: "t", verbose: true }))).toEqual({
      txid: "t",
      version: 2,
      vin: [{ sequence: 4294967295, vout: 1 }],
      vout: [
        { value: 1, n: 0 },
        { value: 0.5, n: 1 }
      ]
    })
    result("[[53.01,102131],[1,5]]")
    expect(await value(client.mempoolGetFeeHistogram())).toEqual([
      [53.01, 102131],
      [1, 5]
    ])
  })

  it("keeps each argument in its place", async () => {
    const { client, result, sent } = rpcNode(endpoints)
    result("null")
    await value(client.tokenAddressGetHistory({ address: "a", token: "t" }))
    expect(sent().params).toEqual(["a", null, "t"])
    await value(client.tokenTransactionGetHistory({ token: "t", commitment: "00" }))
    expect(sent().params).toEqual(["t", null, "00"])
    await value(client.blockchainTransactionGetMerkle({ tx_hash: "t", height: 0 }))
    expect(sent().params).toEqual(["t", 0])
    await value(client.blockchainBlockHeader({ height: 0 }))
    expect(sent().params).toEqual([0, 0])
    await value(client.blockchainUtxoGet({ tx_hash: "t", output_index: 0 }))
    expect(sent().params).toEqual(["t", 0])
  })

  it("is not asked for half an output", async () => {
    const { client } = rpcNode(endpoints)
    expect(await error(client.blockchainUtxoGet({ tx_hash: "t" }))).toMatchObject({ _tag: "InvalidArgument" })
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
