// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints, eos } from "../../src/chains/Eos.js"
import { networks } from "../../src/data/Network.js"
import { init } from "../../src/promise.js"
import { makeWire, runError, runIgnoring, runValue } from "./wire.js"

const id = "77f7a8ea18c8b2c3a5e8e7b5c5e25ef2f6c8dfd09a1bb4d2a4f9d6b1c0e7a8f9"
const packed = { signatures: ["SIG_K1_a", "SIG_K1_b"], compression: "none", packedTrx: "b0e2a65f" } as const

/** The body that was sent, read. */
const read = (body: unknown): unknown => JSON.parse(String(body))

/** An error as nodeos has it. */
const said = (code: number, name: string, what: string, message: string, status = 500): object => ({
  code: status,
  message: "Internal Service Error",
  error: { code, name, what, details: [{ message, file: "a.cpp", line_number: 1, method: "m" }] }
})

const action = (data: unknown) => ({
  account: "eosio.token",
  name: "transfer",
  authorization: [{ actor: "eosio", permission: "active" }],
  data
})

const transaction = (data: unknown) => ({
  expiration: "2023-07-01T00:00:00",
  refBlockNum: 1,
  refBlockPrefix: 2,
  maxNetUsageWords: 0,
  maxCpuUsageMs: 0,
  delaySec: 0,
  contextFreeActions: [action(data)],
  actions: [{ ...action(data), hexData: "00" }]
})

const wired = (data: unknown) => ({
  expiration: "2023-07-01T00:00:00",
  ref_block_num: 1,
  ref_block_prefix: 2,
  max_net_usage_words: 0,
  max_cpu_usage_ms: 0,
  delay_sec: 0,
  context_free_actions: [action(data)],
  actions: [{ ...action(data), hex_data: "00" }]
})

describe("a route of nodeos", () => {
  it("gets the data of actions and the arguments of contracts as they are given", async () => {
    const { client, sent } = makeWire(endpoints)
    const data = { maxPrice: "2.0000 EOS", snake_case: [{ innerKey: 1, data: { deepKey: null } }] }
    await runValue(
      client.getRequiredKeys({ transaction: transaction(data), availableKeys: ["EOS6MRy", "PUB_K1_a"] })
    )
    expect(sent()[1]).toBe("/v1/chain/get_required_keys")
    expect(read(sent()[2])).toEqual({ transaction: wired(data), available_keys: ["EOS6MRy", "PUB_K1_a"] })
    await runValue(client.abiJsonToBin({ code: "eosio.token", action: "transfer", args: data }))
    expect(read(sent()[2])).toEqual({ code: "eosio.token", action: "transfer", args: data })
    await runValue(client.getTransactionId(transaction(data)))
    expect(read(sent()[2])).toEqual(wired(data))
    await runValue(client.computeTransaction({ transaction: { ...transaction(data), signatures: [] } }))
    expect(read(sent()[2])).toEqual({ transaction: { ...wired(data), signatures: [] } })
    await runValue(client.sendReadOnlyTransaction({ transaction: transaction(data) }))
    expect(read(sent()[2])).toEqual({ transaction: wired(data) })
    await runValue(client.sendTransaction2({ retryTrx: true, transaction: transaction(data) }))
    expect(read(sent()[2])).toEqual({ retry_trx: true, transaction: wired(data) })
    const sending = { returnFailureTrace: false, retryTrxNumBlocks: 2, transaction: packed }
    await runValue(client.sendTransaction2(sending))
    expect(read(sent()[2])).toEqual({
      return_failure_trace: false,
      retry_trx_num_blocks: 2,
      transaction: { signatures: packed.signatures, compression: "none", packed_trx: "b0e2a65f" }
    })
  })

  it("gets lists as they are, and several transactions as a list", async () => {
    const { client, sent } = makeWire(endpoints)
    await runIgnoring(
      client.getAccountsByAuthorizers({ accounts: ["eosio", { actor: "a" }], keys: ["EOS6MRy"] })
    )
    expect(read(sent()[2])).toEqual({ accounts: ["eosio", { actor: "a" }], keys: ["EOS6MRy"] })
    const { compression, signatures } = packed
    await runIgnoring(
      client.pushTransactions([packed, { ...transaction({ aB: 1 }), contextFreeData: ["00"] }])
    )
    expect(sent()[1]).toBe("/v1/chain/push_transactions")
    expect(read(sent()[2])).toEqual([
      { signatures, compression, packed_trx: "b0e2a65f" },
      { ...wired({ aB: 1 }), context_free_data: ["00"] }
    ])
  })

  it("gets a body where the node wants one, and none where it takes none", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getInfo())
    expect(sent()).toEqual(["POST", "/v1/chain/get_info", undefined])
    await runValue(client.getProducers())
    expect(sent()).toEqual(["POST", "/v1/chain/get_producers", "{}"])
    await runValue(client.getScheduledTransaction())
    expect(sent()).toEqual(["POST", "/v1/chain/get_scheduled_transactions", "{}"])
    await runValue(client.getScheduledTransaction({ lowerBound: "a", timeLimitMs: 5 }))
    expect(read(sent()[2])).toEqual({ lower_bound: "a", time_limit_ms: 5 })
    await runValue(client.getActions({ accountName: "eosio", pos: -1, offset: -20 }))
    expect(sent()).toEqual([
      "POST",
      "/v1/history/get_actions",
      `{"account_name":"eosio","pos":-1,"offset":-20}`
    ])
    await runValue(client.getBlockTrace({ blockNum: 5 }))
    expect(sent().slice(1)).toEqual(["/v1/trace_api/get_block", `{"block_num":5}`])
  })

  it("is not asked with what it cannot take", async () => {
    const { calls, client } = makeWire(endpoints)
    // @ts-expect-error a name where an object belongs
    expect(await runError(client.getAccount("eosio"))).toMatchObject({ _tag: "InvalidArgument" })
    // @ts-expect-error one argument too many
    expect(await runError(client.getBlock({ blockNumOrId: 1 }, 2))).toMatchObject({ _tag: "InvalidArgument" })
    expect(calls).toHaveLength(0)
  })

  it("takes integers of any size as digits", async () => {
    const { client, sent } = makeWire(endpoints)
    const args = { small: 5n, large: 9007199254740993n, huge: 18446744073709551616n, negative: -7n }
    await runValue(client.abiJsonToBin({ code: "a", action: "b", args }))
    expect(read(sent()[2])).toMatchObject({
      args: { small: "5", large: "9007199254740993", huge: "18446744073709551616", negative: "-7" }
    })
    await runValue(client.getTableRows({ code: "a", table: "b", scope: "c", lowerBound: 9007199254740993n }))
    expect(read(sent()[2])).toMatchObject({ lower_bound: "9007199254740993" })
  })

  it("answers with integers that are exact, or none at all", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(
      `{"rows":[{"amount":4294967295,"supply":"18446744073709551616","camelCase":{"a_b":1}}],"more":false}`
    )
    const { rows } = await runValue(client.getTableRows({ code: "a", table: "b", scope: "c", json: true }))
    expect(rows).toEqual([{ amount: 4294967295, supply: "18446744073709551616", camelCase: { a_b: 1 } }])
    for (const digits of ["9007199254740993", "18446744073709551616"]) {
      answers(`{"rows":[{"amount":${digits}}],"more":false}`)
      const failed = await runError(client.getTableRows({ code: "a", table: "b", scope: "c", json: true }))
      expect(failed).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    }
  })

  it("answers with text and lists, too", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(JSON.stringify(id))
    expect(await runValue(client.getTransactionId(transaction("00")))).toBe(id)
    answers(`["1.0000 EOS","2.000 JUNGLE"]`)
    expect(await runValue(client.getCurrencyBalance({ code: "eosio.token", account: "a" }))).toEqual([
      "1.0000 EOS",
      "2.000 JUNGLE"
    ])
  })
})

describe("an error of nodeos", () => {
  const ask = async (body: unknown, status = 500) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body, status)
    return { error: await runError(client.pushTransaction(packed)), fault: fault() }
  }

  it("is the caller's, but for what is the node's own affair", async () => {
    const faults: ReadonlyArray<readonly [code: number, name: string, fault: string]> = [
      [0, "exception", "caller"],
      [10, "assert_exception", "caller"],
      [3010001, "name_type_exception", "caller"],
      [3015001, "abi_not_found_exception", "caller"],
      [3040005, "expired_tx_exception", "caller"],
      [3040013, "tx_too_big", "caller"],
      [3050003, "eosio_assert_message_exception", "caller"],
      [3080001, "ram_usage_exceeded", "caller"],
      [3080002, "tx_net_usage_exceeded", "caller"],
      [3060002, "account_query_exception", "caller"],
      [3090003, "unsatisfied_authorization", "caller"],
      [3100010, "json_parse_exception", "caller"],
      [3160002, "table_access_violation", "caller"],
      [3200006, "invalid_http_request", "caller"],
      [3015010, "abi_serialization_deadline_exception", "elsewhere"],
      [3020001, "fork_db_block_not_found", "elsewhere"],
      [3040007, "invalid_ref_block_exception", "elsewhere"],
      [3040011, "tx_not_found", "elsewhere"],
      [3040018, "tx_resource_exhaustion", "elsewhere"],
      [3080003, "block_net_usage_exceeded", "elsewhere"],
      [3080004, "tx_cpu_usage_exceeded", "elsewhere"],
      [3080006, "deadline_exception", "elsewhere"],
      [3081001, "leeway_deadline_exception", "elsewhere"],
      [3100002, "unknown_block_exception", "elsewhere"],
      [3100003, "unknown_transaction_exception", "elsewhere"],
      [3100006, "subjective_block_production_exception", "elsewhere"],
      [3100008, "unsupported_feature", "elsewhere"],
      [3110001, "missing_chain_api_plugin_exception", "elsewhere"],
      [3130002, "actor_blacklist_exception", "elsewhere"],
      [2, "timeout_exception", "node"],
      [3060101, "database_guard_exception", "node"],
      [3100001, "rate_limiting_state_inconsistent", "node"],
      [3140001, "checkpoint_exception", "node"],
      [3170002, "missing_pending_block_state", "node"],
      [3180003, "gap_in_reversible_blocks_db", "node"],
      [3190003, "block_log_not_found", "node"],
      [3260001, "finalizer_safety_exception", "node"]
    ]
    for (const [code, name, fault] of faults) {
      expect([code, (await ask(said(code, name, "What", "why"))).fault]).toEqual([code, fault])
    }
  })

  it("tells what happened, and why", async () => {
    const body = said(
      3050003,
      "eosio_assert_message_exception",
      "eosio_assert_message assertion failure",
      "overdrawn balance"
    )
    expect((await ask(body)).error).toMatchObject({
      _tag: "RequestRejected",
      status: 500,
      messages: [
        "eosio_assert_message assertion failure (3050003 eosio_assert_message_exception)",
        "overdrawn balance"
      ]
    })
    // what was said of an account that does not exist before Leap
    const { error: unknown } = await ask(said(0, "exception", "unspecified", "unknown key (name): abc"))
    expect(unknown.message).toBe("Internal Service Error (0 exception); unknown key (name): abc")
  })

  it("blames nobody for missing signatures and missing endpoints, whose statuses would say otherwise", async () => {
    const unsigned = said(3090003, "unsatisfied_authorization", "Provided keys", "missing", 401)
    expect(await ask(unsigned, 401)).toMatchObject({ fault: "caller", error: { status: 401 } })
    const nowhere = said(0, "exception", "unspecified", "Unknown Endpoint", 404)
    expect(await ask(nowhere, 404)).toMatchObject({ fault: "elsewhere", error: { status: 404 } })
  })

  it("is the node's if it is busy, or if it is not nodeos that speaks", async () => {
    for (const [body, status] of [
      [said(503, "Busy", "Too many bytes in flight: 5", "", 503), 503],
      [said(3050003, "a", "b", "c"), 429],
      ["<html>oops</html>", 500],
      [{ code: 500, message: "oops" }, 500],
      [{ statusCode: 500, error: { code: "a" } }, 500]
    ] as const) {
      expect([body, status, (await ask(body, status)).fault]).toEqual([body, status, "node"])
    }
    for (const [body, status] of [
      [said(3050003, "a", "b", "c"), 403],
      [{ code: 401, message: "no key" }, 401],
      [{ message: "no" }, 404]
    ] as const) {
      expect([body, status, (await ask(body, status)).fault]).toEqual([body, status, "unclear"])
    }
  })

  it("is never a success, whatever its status", async () => {
    const { error: refused, fault } = await ask(said(3080006, "deadline_exception", "Too long", "5ms"), 200)
    expect(refused).toMatchObject({
      _tag: "RequestRejected",
      messages: ["Too long (3080006 deadline_exception); 5ms"]
    })
    expect(fault).toBe("elsewhere")
  })
})

describe("a transaction that fails in an answer that is no error", () => {
  const failed = (code: number) => ({
    transaction_id: id,
    processed: {
      id,
      except: {
        code,
        name: "eosio_assert_message_exception",
        message: "assertion failure",
        stack: [
          { format: `assertion failure with message: \${s} \${n} \${other}`, data: { s: `no \${n}`, n: 5 } }
        ]
      }
    }
  })

  it("is an error where it was sent or read", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(failed(3050003), 202)
    const errors = [
      await runError(client.sendTransaction2({ transaction: packed, returnFailureTrace: true })),
      await runError(client.sendReadOnlyTransaction({ transaction: packed })),
      await runError(client.pushTransaction(packed))
    ]
    expect(errors).toMatchObject(
      errors.map(() => ({
        _tag: "RequestRejected",
        status: 202,
        messages: [
          `assertion failure (3050003 eosio_assert_message_exception); assertion failure with message: no \${n} 5 \${other}`
        ]
      }))
    )
    expect(fault()).toBe("caller")
    answers(failed(3080004), 202)
    await runError(client.sendTransaction(packed))
    expect(fault()).toBe("elsewhere")
  })

  it("is the outcome where it was tried", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(failed(3050003))
    const { processed } = await runValue(client.computeTransaction({ transaction: packed }))
    expect(processed.except?.code).toBe(3050003)
  })

  it("is an outcome among others where several were sent", async () => {
    const { answers, client } = makeWire(endpoints)
    const outcomes = [
      { transaction_id: id, processed: { id, except: null } },
      { transaction_id: "0".repeat(64), processed: { error: "3050003 …" } }
    ]
    answers(outcomes, 202)
    expect(await runValue(client.pushTransactions([packed, packed]))).toEqual(outcomes)
  })
})

describe("a broadcast of EOS", () => {
  const duplicate = said(3040008, "tx_duplicate", "Duplicate transaction", `duplicate transaction ${id}`, 409)

  it("is known by the node's own words, which name the transaction", async () => {
    const { answers, calls, client } = makeWire(endpoints)
    answers(duplicate, 409)
    const first = await runError(client.pushTransaction(packed))
    expect(first).toMatchObject({ _tag: "RequestRejected", status: 409 })
    const accepted = calls[0]?.accepted
    expect(accepted?.known.test(first.message)).toBe(true)
    expect(await accepted?.result(first.message)).toEqual({ transaction_id: id })
    await expect(accepted?.result("Duplicate transaction (3040008 tx_duplicate)")).rejects.toThrow()
  })

  it("is not mistaken for one that a contract refuses in the same words", async () => {
    const { answers, calls, client } = makeWire(endpoints)
    answers(said(3050003, "eosio_assert_message_exception", "assertion", `(3040008 tx_duplicate) ${id}`), 500)
    const refused = await runError(client.sendTransaction(packed))
    expect(calls[0]?.accepted?.known.test(refused.message)).toBe(false)
  })

  it("is what sends signed data, and nothing else", () => {
    const sending = Object.entries(endpoints).flatMap(([name, { spec }]) =>
      spec.repeat === "read" ? [] : [[name, spec.repeat]]
    )
    expect(Object.fromEntries(sending)).toEqual({
      pushTransaction: "broadcast",
      pushTransactions: "broadcast",
      sendTransaction: "broadcast",
      sendTransaction2: "broadcast",
      pushBlock: "broadcast"
    })
  })

  it("succeeds when a node that did not answer in time had taken it", async () => {
    let asked = 0
    const sdk = await init({
      network: "eos-mainnet",
      rpc: { nodes: [{ url: "http://127.0.0.1:1" }, { url: "http://127.0.0.2:1" }] },
      retryDelay: 0,
      quiet: true,
      fetch: async (url) => {
        if (String(url).endsWith("/get_info")) return Response.json({ head_block_num: 5 })
        expect(String(url)).toMatch(/\/v1\/chain\/push_transaction$/)
        asked++
        return asked === 1 ? new Response("oops", { status: 502 }) : Response.json(duplicate, { status: 409 })
      }
    })
    const result = await sdk.rpc.pushTransaction(packed)
    await sdk.destroy()
    expect(result.data).toEqual({ transaction_id: id })
    expect(asked).toBe(2)
  })
})

describe("a block that is passed on", () => {
  it("is sent as it is, and answered with nothing", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers("{}", 202)
    const block = {
      timestamp: "2023-07-01T00:00:00.500",
      producer: "a",
      confirmed: 0,
      previous: id,
      transaction_mroot: id,
      action_mroot: id,
      schedule_version: 1,
      producer_signature: "SIG_K1_a",
      transactions: [
        {
          status: "executed",
          cpu_usage_us: 100,
          net_usage_words: 0,
          trx: {
            id,
            signatures: ["SIG_K1_a"],
            compression: "none",
            packed_context_free_data: "",
            context_free_data: [],
            packed_trx: "b0e2a65f",
            transaction: wired({ maxPrice: "2.0000 EOS" })
          }
        }
      ]
    } as const
    expect(await runValue(client.pushBlock(block))).toBeUndefined()
    expect(read(sent()[2])).toEqual(block)
  })
})

describe("a node of EOS", () => {
  it("tells its height", () => {
    const probe = eos.probe?.("eos-mainnet", networks["eos-mainnet"])
    expect(probe).toMatchObject({ verb: "POST", path: "/v1/chain/get_info" })
    expect(probe?.height({ head_block_num: 5 })).toBe(5)
  })

  const askedAt = async (network: "eos-mainnet" | "eos-testnet", config: object): Promise<string> => {
    const urls: Array<string> = []
    const sdk = await init({
      network,
      quiet: true,
      ...config,
      fetch: async (url) => {
        urls.push(String(url))
        return Response.json({ head_block_num: 5 })
      }
    })
    urls.length = 0
    await sdk.rpc.getInfo()
    await sdk.destroy()
    return urls[0] ?? ""
  }

  it("is asked at the provider's, who is told of a testnet by the key or by a marker", async () => {
    const base = "https://api.tatum.io/v3/blockchain/node/eos-testnet"
    expect(await askedAt("eos-testnet", {})).toBe(`${base}/v1/chain/get_info?type=testnet`)
    expect(await askedAt("eos-testnet", { apiKey: "KEY" })).toBe(`${base}/KEY/v1/chain/get_info`)
    const nodes = [{ url: "https://node.example/" }]
    expect(await askedAt("eos-testnet", { rpc: { nodes } })).toBe("https://node.example/v1/chain/get_info")
  })
})

describe("what has nothing to say", () => {
  it("is asked with an empty object", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getAccountsByAuthorizers())
    expect(sent()).toEqual(["POST", "/v1/chain/get_accounts_by_authorizers", "{}"])
  })

  it("has no brackets behind its words", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    const error404 = { code: 0, name: "", what: "", details: [] }
    answers({ code: 404, message: "Trace API: block trace missing", error: error404 }, 404)
    expect((await runError(client.getBlockTrace({ blockNum: 7 }))).message).toBe(
      "Trace API: block trace missing"
    )
    expect(fault()).toBe("elsewhere")
  })
})
