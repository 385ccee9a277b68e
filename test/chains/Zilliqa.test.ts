// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Zilliqa.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

const address = "ab".repeat(20)
const hash = "cd".repeat(32)

describe("a node of Zilliqa", () => {
  it("gets numbers of blocks as text, and an empty text where it takes nothing", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await runValue(client.getBlockchainInfo())
    expect(sent()).toEqual({ method: "GetBlockchainInfo", params: [""] })
    for (const block of [7, 7n, "7"]) {
      await runValue(client.getTxBlock(block))
      expect(sent()).toEqual({ method: "GetTxBlock", params: ["7"] })
    }
    await runValue(client.getTxnBodiesForTxBlockEx(7))
    expect(sent().params).toEqual(["7", "0"])
    await runValue(client.getTxnBodiesForTxBlockEx(7, 2n))
    expect(sent().params).toEqual(["7", "2"])
    await runValue(client.txBlockListing(1))
    expect(sent()).toEqual({ method: "TxBlockListing", params: [1] })
    await runValue(client.getSmartContractSubState(address, "balances"))
    expect(sent().params).toEqual([address, "balances", []])
    await runValue(client.getSmartContractSubState(address, "balances", ["0xcd"]))
    expect(sent().params).toEqual([address, "balances", ["0xcd"]])
    await runValue(client.getStateProof(address, hash))
    expect(sent().params).toEqual([address, hash, "latest"])
  })

  it("gets a signed transaction as it is, and again", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result(`{"TranID":"ab","Info":"Non-contract txn, sent to shard"}`)
    const transaction = {
      version: 65_537,
      nonce: 1,
      toAddr: "0x4BAF5faDA8e5Db92C3d3242618c5B47133AE003C",
      amount: "1000000000000",
      pubKey: `02${hash}`,
      gasPrice: "2000000016",
      gasLimit: "50",
      signature: hash.repeat(2)
    }
    expect(await runValue(client.createTransaction(transaction))).toEqual({
      TranID: "ab",
      Info: "Non-contract txn, sent to shard"
    })
    expect(sent().params).toEqual([transaction])
    expect(call().repeat).toBe("broadcast")
    const raw: ReadonlyArray<readonly [string, string]> = [
      ["CreateTransaction", "broadcast"],
      ["GetPrevDifficulty", "read"],
      ["eth_getBalance", "read"],
      ["eth_sendRawTransaction", "broadcast"],
      ["eth_getFilterChanges", "write"],
      ["AddAnything", "write"]
    ]
    for (const [method, repeat] of raw) {
      await runValue(client.rawRpcCall({ method, params: [] }))
      expect([method, call().repeat]).toEqual([method, repeat])
    }
  })

  it("answers with numbers for counts, and text for amounts and heights", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result(`{"balance":"18446744073709551616","nonce":7}`)
    expect(await runValue(client.getBalance(address))).toEqual({ balance: "18446744073709551616", nonce: 7 })
    expect(await runValue(client.rawRpcCall({ method: "GetBalance", params: ["ab"] }))).toEqual({
      balance: "18446744073709551616",
      nonce: 7n
    })
    result(`{"NumPeers":20,"TransactionRate":0.5,"NumTxBlocks":"12000001"}`)
    expect(await runValue(client.getBlockchainInfo())).toEqual({
      NumPeers: 20,
      TransactionRate: 0.5,
      NumTxBlocks: "12000001"
    })
    result("0")
    expect(await runValue(client.getTransactionRate())).toBe(0)
  })

  it.each([
    [-5, "Account is not created", "caller"],
    [-8, "Address size not appropriate", "caller"],
    [-20, "Txn Hash not Present", "elsewhere"],
    [-20, "Failed to get Microblock", "elsewhere"],
    [-26, "Nonce too low", "caller"],
    [-28, "Node is starting", "node"],
    [-32, "API deprecated", "elsewhere"],
    [-32601, "METHOD_NOT_FOUND", "elsewhere"],
    [-1, "Unable to process", "unclear"]
  ])("answers with %i %s by the fault of: %s", async (code, message, whose) => {
    const { client, fails, fault } = makeRpcNode(endpoints)
    fails(code, message)
    await runError(client.getBalance(address))
    expect(fault()).toBe(whose)
  })
})
