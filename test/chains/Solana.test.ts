// @runtime both
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeBase58, encodeBase58 } from "../../src/chains/internal/base58.js"
import { classify, endpoints, needsArchive } from "../../src/chains/Solana.js"
import { makeRpcNode, runError, runIgnoring, runValue } from "./wire.js"

/** 64 bytes. */
const signature = "1".repeat(64)

describe("a Solana node", () => {
  it("gives integers as bigint whatever their size", async () => {
    const { client, result } = makeRpcNode(endpoints)
    for (const lamports of ["0", "1", "9007199254740993", "18446744073709551616"]) {
      result(`{"context":{"slot":${lamports},"apiVersion":"2.0"},"value":${lamports}}`)
      const balance = await runValue(client.getBalance("a"))
      expect(balance).toEqual({
        context: { slot: BigInt(lamports), apiVersion: "2.0" },
        value: BigInt(lamports)
      })
      result(lamports)
      expect(await runValue(client.getSlot())).toBe(BigInt(lamports))
    }
    result('{"context":{"slot":1},"value":{"lamports":5,"rentEpoch":18446744073709551615,"space":165}}')
    expect((await runValue(client.getAccountInfo("a"))).value).toEqual({
      lamports: 5n,
      rentEpoch: 18446744073709551615n,
      space: 165n
    })
  })

  it("gives decimals, indices, versions and codes as numbers, at any depth", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result('{"context":{"slot":1},"value":{"amount":"7","decimals":6,"uiAmount":1,"uiAmountString":"1"}}')
    expect((await runValue(client.getTokenSupply("m"))).value).toEqual({
      amount: "7",
      decimals: 6,
      uiAmount: 1,
      uiAmountString: "1"
    })
    const transaction = `{"slot":5,"blockTime":null,"version":0,
      "transaction":{"signatures":["${signature}"],"message":{"accountKeys":["a"],"recentBlockhash":"h",
        "header":{"numRequiredSignatures":1,"numReadonlySignedAccounts":0,"numReadonlyUnsignedAccounts":1},
        "instructions":[{"programIdIndex":2,"accounts":[0,1],"data":"","stackHeight":1}],
        "addressTableLookups":[{"accountKey":"t","writableIndexes":[3],"readonlyIndexes":[4]}]}},
      "meta":{"err":{"InstructionError":[2,{"Custom":6000}]},"status":{"Err":{"InstructionError":[2,{"Custom":6000}]}},
        "fee":5000,"preBalances":[1],"postBalances":[9007199254740993],
        "postTokenBalances":[{"accountIndex":3,"mint":"m","uiTokenAmount":{"amount":"1","decimals":9,"uiAmount":null,"uiAmountString":"0"}}],
        "innerInstructions":[{"index":1,"instructions":[{"programIdIndex":0,"accounts":[5],"data":"","stackHeight":2}]}],
        "rewards":[{"pubkey":"p","lamports":-5,"postBalance":1,"rewardType":"Voting","commission":7}],
        "computeUnitsConsumed":200}}`
    result(transaction)
    const one = await runValue(client.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))
    expect(one).toMatchObject({
      slot: 5n,
      blockTime: null,
      version: 0,
      transaction: {
        message: {
          header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 },
          instructions: [{ programIdIndex: 2, accounts: [0, 1], stackHeight: 1 }],
          addressTableLookups: [{ writableIndexes: [3], readonlyIndexes: [4] }]
        }
      },
      meta: {
        err: { InstructionError: [2, { Custom: 6000 }] },
        status: { Err: { InstructionError: [2, { Custom: 6000 }] } },
        fee: 5000n,
        postBalances: [9007199254740993n],
        postTokenBalances: [{ accountIndex: 3, uiTokenAmount: { decimals: 9 } }],
        innerInstructions: [{ index: 1, instructions: [{ programIdIndex: 0, accounts: [5] }] }],
        rewards: [{ lamports: -5n, commission: 7 }],
        computeUnitsConsumed: 200n
      }
    })
    result(`{"blockhash":"h","parentSlot":1,"transactions":[${transaction}],"rewards":[{"commission":null}]}`)
    const block = await runValue(client.getBlock(5))
    expect(block?.parentSlot).toBe(1n)
    expect(block?.transactions?.[0]?.meta).toEqual(one?.meta)
    expect(block?.transactions?.[0]?.transaction).toEqual(one?.transaction)
    result('[{"signature":"s","slot":1,"err":{"InstructionError":[0,"Custom"]},"blockTime":1700000000}]')
    expect((await runValue(client.getSignaturesForAddress("a")))[0]).toMatchObject({
      slot: 1n,
      err: { InstructionError: [0, "Custom"] },
      blockTime: 1700000000n
    })
  })

  it("gives keyed maps by their keys", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result(
      '{"context":{"slot":1},"value":{"byIdentity":{"decimals":[4,3]},"range":{"firstSlot":0,"lastSlot":9}}}'
    )
    expect((await runValue(client.getBlockProduction())).value.byIdentity).toEqual({ decimals: [4n, 3n] })
    result('{"v1":[0,1,2]}')
    expect(await runValue(client.getLeaderSchedule())).toEqual({ v1: [0n, 1n, 2n] })
    result("null")
    expect(await runValue(client.getLeaderSchedule(7))).toBeNull()
  })

  it("is sent bigints as JSON integers, zero included, and options in their place", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result('"s"')
    await runIgnoring(client.requestAirdrop("a", 18446744073709551615n))
    expect(call().body).toContain('"params":["a",18446744073709551615]')
    expect(call().repeat).toBe("write")
    await runIgnoring(client.getLeaderSchedule(0))
    expect(sent().params).toEqual([0])
    await runIgnoring(client.getLeaderSchedule(null, { identity: "v" }))
    expect(sent().params).toEqual([null, { identity: "v" }])
    await runIgnoring(client.getBlocks(5, undefined, { commitment: "confirmed" }))
    expect(sent().params).toEqual([5, { commitment: "confirmed" }])
    await runIgnoring(client.getBlocksWithLimit(0n, 3n, { commitment: "confirmed" }))
    expect(sent().params).toEqual([0, 3, { commitment: "confirmed" }])
    await runIgnoring(client.getSlotLeaders(0, 1n))
    expect(sent().params).toEqual([0, 1])
  })

  it("is asked for the past on archive nodes, by exact names, raw calls too", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result("null")
    await runValue(client.getBlock(1))
    expect(call().archive).toBe(true)
    await runValue(client.getBlockHeight())
    expect(call().archive).toBe(false)
    await runValue(client.rawRpcCall({ method: "getConfirmedSignaturesForAddress2", params: [] }))
    expect(call().archive).toBe(true)
    await runValue(client.rawRpcCall({ method: "getBlockProduction" }))
    expect(call().archive).toBe(false)
    expect(await runValue(client.getRpcNodeUrl())).toBe("https://normal.example")
    expect(
      Object.keys(endpoints)
        .filter((name) => needsArchive(name))
        .sort()
    ).toEqual([
      "getBlock",
      "getBlockTime",
      "getBlocks",
      "getBlocksWithLimit",
      "getInflationReward",
      "getProgramAccounts",
      "getSignaturesForAddress"
    ])
  })

  it("answers a broadcast it has processed already with the first signature", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result('"s"')
    const signature = Uint8Array.from({ length: 64 }, (_, i) => i)
    const bytes = Uint8Array.from([1, ...signature, 9, 9, 9])
    await runValue(client.sendTransaction(encodeBase58(bytes)))
    expect(call().repeat).toBe("broadcast")
    expect(await call().accepted?.result("already known")).toBe(encodeBase58(signature))
    const base64 = Buffer.from(bytes).toString("base64")
    await runValue(client.sendTransaction(base64, { encoding: "base64" }))
    expect(await call().accepted?.result("already known")).toBe(encodeBase58(signature))
    expect(call().accepted?.known.test("This transaction has already been processed")).toBe(true)
    expect(call().accepted?.known.test("Blockhash not found")).toBe(false)
  })

  it.each([
    [-32005, "Node is behind by 150 slots", "node"],
    [429, "Too many requests for a specific RPC call", "node"],
    [-32000, "rate limit reached, try again later", "node"],
    [-32004, "Block not available for slot 5", "elsewhere"],
    [-32007, "Slot 5 was skipped, or missing due to ledger jump to recent snapshot", "elsewhere"],
    [-32011, "Transaction history is not available from this node", "elsewhere"],
    [-32016, "Minimum context slot has not been reached", "elsewhere"],
    [-32002, "Transaction simulation failed: Blockhash not found", "elsewhere"],
    [-32601, "Method not found", "elsewhere"],
    [-32002, "Transaction simulation failed: Error: custom program error: try again", "caller"],
    [-32003, "Transaction signature verification failure", "caller"],
    [-32602, "Invalid param: WrongSize", "caller"]
  ] as const)("with %i (%s) speaks of the %s", async (code, message, whose) => {
    expect(classify({ code, message })).toBe(whose)
    const { client, fails, fault } = makeRpcNode(endpoints)
    fails(code, message)
    expect(await runError(client.getSlot())).toMatchObject({ _tag: "RpcError", code, message })
    expect(fault()).toBe(whose)
  })
})

describe("Base58", () => {
  it("is read and written as Bitcoin has it", () => {
    expect(encodeBase58(new TextEncoder().encode("Hello World!"))).toBe("2NEpo7TZRRrLZSi2U")
    expect(encodeBase58(new Uint8Array(32))).toBe("1".repeat(32))
    expect(encodeBase58(new Uint8Array())).toBe("")
    expect(decodeBase58("")).toEqual(new Uint8Array())
    expect(() => decodeBase58("0OIl")).toThrow("no Base58 character")
  })

  it("comes back the same", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(decodeBase58(encodeBase58(bytes))).toEqual(Uint8Array.from(bytes))
      })
    )
  })
})
