// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Polkadot.js"
import { networks } from "../../src/data/Network.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

const hash = `0x${"ab".repeat(32)}` as const

describe("a node of Polkadot", () => {
  it("gets parameters by position, null where one between is left out", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("null")
    await runValue(client.chainGetHeader())
    expect(sent()).toEqual({ method: "chain_getHeader", params: [] })
    await runValue(client.chainGetBlockHash(7n))
    expect(sent()).toEqual({ method: "chain_getBlockHash", params: [7] })
    await runValue(client.chainGetBlockHashes([7, 8n]))
    expect(sent()).toEqual({ method: "chain_getBlockHash", params: [[7, 8]] })
    await runValue(client.stateGetKeysPaged("0x26aa", 10, null, hash))
    expect(sent()).toEqual({ method: "state_getKeysPaged", params: ["0x26aa", 10, null, hash] })
    await runValue(client.stateGetKeysPaged("0x26aa", 10))
    expect(sent().params).toEqual(["0x26aa", 10])
    await runValue(client.stateQueryStorageAt(["0x26aa"], hash))
    expect(sent()).toEqual({ method: "state_queryStorageAt", params: [["0x26aa"], hash] })
  })

  it("answers with numbers, and exact weights", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result(`{"peers":20,"isSyncing":false,"shouldHavePeers":true}`)
    expect(await runValue(client.systemHealth())).toEqual({
      peers: 20,
      isSyncing: false,
      shouldHavePeers: true
    })
    result("7")
    expect(await runValue(client.systemAccountNextIndex("15oF"))).toBe(7)
    result(`{"apis":[["0xdf6acb689907609b",5]],"specVersion":1003000}`)
    expect(await runValue(client.stateGetRuntimeVersion())).toEqual({
      apis: [["0xdf6acb689907609b", 5]],
      specVersion: 1_003_000
    })
    result(
      `{"weight":{"ref_time":18446744073709551615,"proof_size":3593},"class":"normal","partialFee":"154000000"}`
    )
    expect(await runValue(client.paymentQueryInfo("0x01"))).toEqual({
      weight: { ref_time: 18_446_744_073_709_551_615n, proof_size: 3_593n },
      class: "normal",
      partialFee: "154000000"
    })
    result("9007199254740993")
    expect(await runError(client.systemAccountNextIndex("15oF"))).toMatchObject({ _tag: "NodeError" })
    expect(await runValue(client.rawRpcCall({ method: "system_health" }))).toBe(9_007_199_254_740_993n)
  })

  it.each([
    [1010, "Invalid Transaction", "Transaction is outdated", "caller"],
    [1012, "Transaction is temporarily banned", undefined, "caller"],
    [1014, "Priority is too low: (1 vs 1)", undefined, "caller"],
    [1016, "Immediately Dropped", "The transaction couldn't enter the pool because of the limit", "node"],
    [4003, "Client error: UnknownBlock: Header was not found in the database", undefined, "elsewhere"],
    [
      4003,
      "Client error: Api called for an unknown Block: State already discarded for 0xab",
      undefined,
      "elsewhere"
    ],
    [1, "GRANDPA RPC endpoint not ready", undefined, "elsewhere"],
    [-32601, "RPC call is unsafe to be called externally", undefined, "elsewhere"],
    [-32602, "Invalid params", "expected a hex string", "caller"],
    [-32009, "Server is busy, try again later", undefined, "node"],
    [-32603, "Internal error", undefined, "unclear"]
  ])("answers with %i %s (%s) by the fault of: %s", async (code, message, data, whose) => {
    const { body, call, client, fault } = makeRpcNode(endpoints)
    body("{}")
    await runError(client.systemChain())
    const id = Number(JSON.parse(String(call().body)).id) + 1
    body(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } }))
    await runError(client.systemChain())
    expect(fault()).toBe(whose)
  })

  it("has taken an extrinsic that it already has: the hash is that of its bytes", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result(`"${hash}"`)
    await runValue(client.authorSubmitExtrinsic("0x280402000b"))
    const { accepted, repeat } = call()
    expect(repeat).toBe("broadcast")
    expect(accepted?.known.test("Transaction Already Imported")).toBe(true)
    expect(accepted?.known.test("Priority is too low: (1 vs 1)")).toBe(false)
    // BLAKE2b-256 of "abc", of RFC 7693's function with an output of 32 bytes
    await runValue(client.authorSubmitExtrinsic("0x616263"))
    expect(await call().accepted?.result("Transaction Already Imported")).toBe(
      "0xbddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
    )
  })

  it("gets reads again, and writes that nobody knows once", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result("null")
    const raw: ReadonlyArray<readonly [string, string]> = [
      ["chain_getBlock", "read"],
      ["state_queryStorage", "read"],
      ["system_dryRun", "read"],
      ["payment_queryCallInfo", "read"],
      ["author_submitExtrinsic", "broadcast"],
      ["author_rotateKeys", "write"],
      ["author_insertKey", "write"],
      ["system_addReservedPeer", "write"]
    ]
    for (const [method, repeat] of raw) {
      await runValue(client.rawRpcCall({ method, params: [] }))
      expect([method, call().repeat]).toEqual([method, repeat])
    }
  })
})

describe("the networks of Polkadot", () => {
  it("are of the family", () => {
    expect([networks["dot-mainnet"].family, networks["dot-testnet"].family]).toEqual(["polkadot", "polkadot"])
  })
})
