// @runtime both
import { describe, expect, it } from "vitest"
import * as Evm from "../../src/chains/Evm.js"
import { endpoints } from "../../src/chains/Klaytn.js"
import { specOf } from "../../src/data/Endpoint.js"
import { makeRpcNode, runError, runIgnoring, runValue } from "./wire.js"

const address = `0x${"ab".repeat(20)}`
const hash = `0x${"cd".repeat(32)}`

type Klaytn = ReturnType<typeof makeRpcNode<typeof endpoints>>["client"]

/** Every method of two names: the call with the arguments before the choice, and the request on the wire. */
const duals: ReadonlyArray<
  readonly [
    name: string,
    call: (client: Klaytn, native?: boolean) => Parameters<typeof runValue>[0],
    params: unknown
  ]
> = [
  ["blockNumber", (client, native) => client.blockNumber(native), []],
  ["chainId", (client, native) => client.chainId(native), []],
  ["gasPrice", (client, native) => client.gasPrice(native), []],
  ["maxPriorityFeePerGas", (client, native) => client.maxPriorityFeePerGas(native), []],
  ["getBalance", (client, native) => client.getBalance(address, 16n, native), [address, "0x10"]],
  [
    "getTransactionCount",
    (client, native) => client.getTransactionCount(address, "latest", native),
    [address, "latest"]
  ],
  ["getCode", (client, native) => client.getCode(address, 16n, native), [address, "0x10"]],
  [
    "getStorageAt",
    (client, native) => client.getStorageAt(address, 1, 16n, native),
    [address, "0x1", "0x10"]
  ],
  ["estimateGas", (client, native) => client.estimateGas({ to: address }, native), [{ to: address }]],
  ["getBlockByHash", (client, native) => client.getBlockByHash(hash, true, native), [hash, true]],
  ["getBlockByNumber", (client, native) => client.getBlockByNumber(16, false, native), ["0x10", false]],
  ["getBlockReceipts", (client, native) => client.getBlockReceipts(16, native), ["0x10"]],
  [
    "getBlockTransactionCountByHash",
    (client, native) => client.getBlockTransactionCountByHash(hash, native),
    [hash]
  ],
  [
    "getBlockTransactionCountByNumber",
    (client, native) => client.getBlockTransactionCountByNumber(16, native),
    ["0x10"]
  ],
  ["getTransactionByHash", (client, native) => client.getTransactionByHash(hash, native), [hash]],
  [
    "getTransactionByBlockHashAndIndex",
    (client, native) => client.getTransactionByBlockHashAndIndex(hash, 2, native),
    [hash, "0x2"]
  ],
  [
    "getTransactionByBlockNumberAndIndex",
    (client, native) => client.getTransactionByBlockNumberAndIndex(16, 2, native),
    ["0x10", "0x2"]
  ],
  ["getTransactionReceipt", (client, native) => client.getTransactionReceipt(hash, native), [hash]],
  [
    "getLogs",
    (client, native) => client.getLogs({ address, fromBlock: 16 }, native),
    [{ address, fromBlock: "0x10" }]
  ],
  ["sendRawTransaction", (client, native) => client.sendRawTransaction("0xf8", native), ["0xf8"]]
]

describe("a method of Klaytn", () => {
  it("that has two names is in this test", () => {
    const declared = Object.entries(endpoints).flatMap(([name, endpoint]) => {
      const spec = specOf(endpoint)
      return spec?.kind === "rpc" && spec.dual !== undefined ? [name] : []
    })
    expect(declared.sort()).toEqual(duals.map(([name]) => name).sort())
  })

  it.each(duals)("%s takes its own name when the last argument says so", async (name, ask, params) => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result('"0x10"')
    await runIgnoring(ask(client, true))
    expect(sent()).toEqual({ method: `klay_${name}`, params })
    await runIgnoring(ask(client, false))
    expect(sent()).toEqual({ method: `eth_${name}`, params })
    await runIgnoring(ask(client))
    expect(sent()).toEqual({ method: `eth_${name}`, params })
  })

  it("is read and repeated alike under both names", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result('"0x2540be400"')
    expect(await runValue(client.gasPrice(true))).toBe(10_000_000_000n)
    expect(await runValue(client.gasPrice())).toBe(10_000_000_000n)
    await runValue(client.sendRawTransaction("0xf8", true))
    expect(call()).toMatchObject({ label: "klay_sendRawTransaction", repeat: "broadcast" })
    await runValue(client.rawRpcCall({ method: "klay_sendRawTransaction", params: ["0xf8"] }))
    expect(call().repeat).toBe("broadcast")
  })

  it("goes to an archive node by the same rule under both names", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result('"0x10"')
    for (const native of [true, false]) {
      await runValue(client.getBalance(address, 16n, native))
      expect(call().archive).toBe(true)
      await runValue(client.getBalance(address, "latest", native))
      expect(call().archive).toBe(false)
      await runValue(client.getCode(address, undefined, native))
      expect(call().archive).toBe(true)
    }
    await runValue(client.rawRpcCall({ method: "klay_getBalance", params: [address, "0x10"] }))
    expect(call().archive).toBe(true)
  })

  it("says of errors what EVM nodes say, under its own name", async () => {
    const { client, fails, fault } = makeRpcNode(endpoints)
    fails(-32601, "the method klay_getLogs does not exist/is not available")
    expect(await runError(client.getLogs({}, true))).toMatchObject({
      _tag: "RpcError",
      code: -32601,
      method: "klay_getLogs"
    })
    expect(fault()).toBe("elsewhere")
  })

  it("that has one name is the EVM's", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result('"0x"')
    await runValue(client.call({ to: address }))
    expect(sent()).toEqual({ method: "eth_call", params: [{ to: address }, "latest"] })
    expect(Object.keys(endpoints).sort()).toEqual(Object.keys(Evm.endpoints).sort())
  })
})
