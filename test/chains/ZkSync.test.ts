// @runtime both
import { describe, expect, it } from "vitest"
import * as Evm from "../../src/chains/Evm.js"
import { endpoints } from "../../src/chains/ZkSync.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

const address = `0x${"ab".repeat(20)}`
const hash = `0x${"cd".repeat(32)}`

describe("a ZKsync node", () => {
  it("is asked under the names that it has, which differ in case", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result('"0x10"')
    expect(await runValue(client.zksL1BatchNumber())).toBe(16n)
    expect(sent()).toEqual({ method: "zks_L1BatchNumber", params: [] })
    expect(await runValue(client.zksL1ChainId())).toBe(16n)
    expect(sent().method).toBe("zks_L1ChainId")
    expect(await runValue(client.zksGetL1GasPrice())).toBe(16n)
    expect(sent().method).toBe("zks_getL1GasPrice")
    expect(await runValue(client.zksEstimateGasL1ToL2({ to: address, value: "0x1" }))).toBe(16n)
    expect(sent()).toEqual({ method: "zks_estimateGasL1ToL2", params: [{ to: address, value: "0x1" }] })
    result(`"${address}"`)
    expect(await runValue(client.zksGetMinContract())).toBe(address)
    expect(sent().method).toBe("zks_getMainContract")
    expect(await runValue(client.zksGetBridgeHubContract())).toBe(address)
    expect(sent().method).toBe("zks_getBridgehubContract")
  })

  it("takes numbers of blocks and batches as JSON numbers, and named inputs in its order", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("null")
    expect(await runValue(client.zksGetBlockDetails(140_599))).toBeNull()
    expect(sent().params).toEqual([140_599])
    expect(await runValue(client.zksGetL1BatchBlockRange(12_345))).toBeNull()
    expect(sent().params).toEqual([12_345])
    await runValue(client.zksGetL2ToL1LogProof(hash))
    expect(sent().params).toEqual([hash])
    await runValue(client.zksGetL2ToL1LogProof(hash, 0n))
    expect(sent().params).toEqual([hash, 0])
    await runValue(client.zksGetL2ToL1MsgProof({ block: 5187, sender: address, msg: hash }))
    expect(sent().params).toEqual([5187, address, hash])
    await runValue(client.zksGetL2ToL1MsgProof({ msg: hash, l2LogPosition: 0, sender: address, block: 5187 }))
    expect(sent().params).toEqual([5187, address, hash, 0])
    await runValue(client.zksGetProof({ timePoint: 354_895, arrayOfData: [hash], data: address }))
    expect(sent()).toEqual({ method: "zks_getProof", params: [address, [hash], 354_895] })
  })

  it("answers with objects whose names nobody changes", async () => {
    const { client, result } = makeRpcNode(endpoints)
    const details = {
      number: 140_599,
      l1BatchNumber: 1617,
      timestamp: 1_679_815_038,
      rootHash: null,
      status: "sealed",
      l1GasPrice: 20_690_385_511,
      baseSystemContractsHashes: { bootloader: hash, default_aa: hash }
    }
    result(JSON.stringify(details))
    expect(await runValue(client.zksGetBlockDetails(140_599))).toEqual(details)
    result(`{"${address}":"0x2fbd72a1121b3100"}`)
    expect(await runValue(client.zksGetAllAccountBalances(address))).toEqual({
      [address]: "0x2fbd72a1121b3100"
    })
    result("[0,2,0,0,255]")
    expect(await runValue(client.zksGetBytecodeByHash(hash))).toEqual([0, 2, 0, 0, 255])
  })

  it("refuses a quantity that is none: the node's fault", async () => {
    const { client, fault, result } = makeRpcNode(endpoints)
    result('{"not":"a number"}')
    expect(await runError(client.zksL1BatchNumber())).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    expect(fault()).toBe("node")
  })

  it("sends a signed transaction once more without harm", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result(`{"transactionHash":"${hash}","storageLogs":[],"events":[]}`)
    await runValue(client.zksSendRawTransactionWithDetailedOutput("0xf8"))
    expect(sent()).toEqual({ method: "zks_sendRawTransactionWithDetailedOutput", params: ["0xf8"] })
    expect(call().repeat).toBe("broadcast")
    await runValue(
      client.rawRpcCall({ method: "zks_sendRawTransactionWithDetailedOutput", params: ["0xf8"] })
    )
    expect(call().repeat).toBe("broadcast")
    await runValue(client.zksEstimateFee({ to: address }))
    expect(call()).toMatchObject({ repeat: "read", archive: false })
  })

  it("has all that an EVM node has", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    expect(Object.keys(Evm.endpoints).every((name) => name in endpoints)).toBe(true)
    result('"0x144"')
    expect(await runValue(client.chainId())).toBe(324n)
    expect(sent().method).toBe("eth_chainId")
  })
})
