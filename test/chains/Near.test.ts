// @runtime both
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Near.js"
import { networks } from "../../src/data/Network.js"
import { runs } from "../properties.js"
import { makeRpcNode, runError, runIgnoring, runValue } from "./wire.js"

const accountId = "alice.near"
const signedTxBase64 = "AAAA"

describe("a node of NEAR", () => {
  it("is asked about the newest final block where a call names none", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await runValue(client.block())
    expect(sent()).toEqual({ method: "block", params: { finality: "final" } })
    await runValue(client.block({ finality: "optimistic" }))
    expect(sent().params).toEqual({ finality: "optimistic" })
    await runValue(client.changesInBlock({ syncCheckpoint: "genesis" }))
    expect(sent()).toEqual({
      method: "EXPERIMENTAL_changes_in_block",
      params: { sync_checkpoint: "genesis" }
    })
    await runValue(client.viewAccount({ accountId }))
    expect(sent()).toEqual({
      method: "query",
      params: { request_type: "view_account", account_id: accountId, finality: "final" }
    })
  })

  it("gets heights of any size as numbers, and hashes as text", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (height) => {
        await runValue(client.block({ blockId: height }))
        expect(String(call().body)).toContain(`"params":{"block_id":${height}}`)
      }),
      { numRuns: runs(50) }
    )
    await runValue(client.chunk({ blockId: "9FvZ", shardId: 3 }))
    expect(sent().params).toEqual({ block_id: "9FvZ", shard_id: 3 })
  })

  it("gets the names of questions in its own spelling, and the values as they are", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await runValue(
      client.callFunction({ accountId, methodName: "ftBalanceOf", argsBase64: "e30=", blockId: 7 })
    )
    expect(sent().params).toEqual({
      request_type: "call_function",
      account_id: accountId,
      method_name: "ftBalanceOf",
      args_base64: "e30=",
      block_id: 7
    })
    const keys = [{ accountId, publicKey: "ed25519:abC" }]
    await runValue(client.changes({ changesType: "single_access_key_changes", keys, finality: "final" }))
    expect(sent().params).toEqual({
      changes_type: "single_access_key_changes",
      keys: [{ account_id: accountId, public_key: "ed25519:abC" }],
      finality: "final"
    })
  })

  it("is asked for the newest where nothing is given, in words that it reads", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await runIgnoring(client.gasPrice())
    expect(sent()).toEqual({ method: "gas_price", params: { block_id: null } })
    await runIgnoring(client.gasPrice(7n))
    expect(sent().params).toEqual({ block_id: 7 })
    await runIgnoring(client.validators())
    expect(sent()).toEqual({ method: "validators", params: { latest: null } })
    await runIgnoring(client.validators({ epochId: "9FvZ" }))
    expect(sent().params).toEqual({ epoch_id: "9FvZ" })
    await runIgnoring(client.validatorsOrdered())
    expect(sent().params).toEqual({ block_id: null })
    await runIgnoring(client.status())
    expect(sent().params).toEqual({})
  })

  it("answers with exact times, heights and gas, and with numbers for the rest", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result(
      `{"author":"a","chunks":[{"shard_id":3,"gas_limit":1000000000000000,"height_created":7}],
        "header":{"height":128414812,"timestamp":1727712345678901234,"chunks_included":6,"latest_protocol_version":79,
        "chunk_endorsements":[[255,3]]}}`
    )
    expect(await runValue(client.block())).toEqual({
      author: "a",
      chunks: [{ shard_id: 3, gas_limit: 1_000_000_000_000_000n, height_created: 7n }],
      header: {
        height: 128_414_812n,
        timestamp: 1_727_712_345_678_901_234n,
        chunks_included: 6,
        latest_protocol_version: 79,
        chunk_endorsements: [[255, 3]]
      }
    })
    result(`{"result":[34,49,34],"logs":[],"block_height":7,"block_hash":"h"}`)
    const called = { result: [34, 49, 34], logs: [], block_height: 7n, block_hash: "h" }
    expect(await runValue(client.callFunction({ accountId, methodName: "m", argsBase64: "" }))).toEqual(
      called
    )
    expect(
      await runValue(
        client.query({ requestType: "call_function", accountId, methodName: "m", argsBase64: "" })
      )
    ).toEqual(called)
  })

  it("keeps one type for all integers of a raw call", async () => {
    const { client, result } = makeRpcNode(endpoints)
    result(`{"header":{"height":7,"timestamp":1727712345678901234},"shard_id":3}`)
    const timestamp = 1_727_712_345_678_901_234n
    expect(await runValue(client.rawRpcCall({ method: "block" }))).toEqual({
      header: { height: 7n, timestamp },
      shard_id: 3n
    })
  })

  it.each([
    [-32000, "Server error", "DB Not Found Error: BLOCK HEIGHT: 7 \n Cause: Unknown", "elsewhere"],
    [
      -32000,
      "Server error",
      "The data for block #7 is garbage collected on this node, use an archival node to fetch historical data",
      "elsewhere"
    ],
    [-32000, "Server error", "Transaction 9FvZ doesn't exist", "elsewhere"],
    [-32000, "Server error", "The node does not track the shard ID 3", "elsewhere"],
    [-32000, "Server error", "There are no fully synchronized blocks on the node yet", "node"],
    [-32000, "Server error", "Timeout", "node"],
    [-32000, "Server error", "account bob.near does not exist while viewing", "caller"],
    [-32000, "Server error", "access key ed25519:abc does not exist while viewing", "caller"],
    [
      -32000,
      "Server error",
      { TxExecutionError: { InvalidTxError: { InvalidNonce: { tx_nonce: 1, ak_nonce: 2 } } } },
      "caller"
    ],
    [-32000, "Server error", "something else", "unclear"],
    [-32700, "Parse error", "Failed parsing args: missing field `account_id`", "caller"],
    [-32601, "Method not found", "nobody_knows", "elsewhere"]
  ])("answers with %i %s and %j by the fault of: %s", async (code, message, data, whose) => {
    const { body, call, client, fault } = makeRpcNode(endpoints)
    body("{}")
    await runError(client.viewAccount({ accountId }))
    const id = Number(JSON.parse(String(call().body)).id) + 1
    body(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data, name: "HANDLER_ERROR" } }))
    await runError(client.viewAccount({ accountId }))
    expect(fault()).toBe(whose)
  })

  it("gets signed transactions again, and writes that nobody knows once", async () => {
    for (const name of ["sendTx", "broadcastTxAsync", "broadcastTxCommit"] as const) {
      expect(endpoints[name].spec.repeat).toBe("broadcast")
    }
    const { call, client, result } = makeRpcNode(endpoints)
    result("{}")
    await runValue(client.sendTx({ signedTxBase64, waitUntil: "FINAL" }))
    expect(JSON.parse(String(call().body)).params).toEqual({
      signed_tx_base64: signedTxBase64,
      wait_until: "FINAL"
    })
    const raw: ReadonlyArray<readonly [string, string]> = [
      ["broadcast_tx_commit", "broadcast"],
      ["send_tx", "broadcast"],
      ["query", "read"],
      ["EXPERIMENTAL_tx_status", "read"],
      ["EXPERIMENTAL_split_storage_info", "read"],
      ["block_effects", "read"],
      ["adv_produce_blocks", "write"]
    ]
    for (const [method, repeat] of raw) {
      await runValue(client.rawRpcCall({ method }))
      expect([method, call().repeat]).toEqual([method, repeat])
    }
  })
})

describe("the networks of NEAR", () => {
  it("are of the family", () => {
    expect([networks["near-mainnet"].family, networks["near-testnet"].family]).toEqual(["near", "near"])
  })
})
