// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Tron.js"
import { specOf } from "../../src/data/Endpoint.js"
import { init } from "../../src/entries/Tron.js"
import { makeRpcNode, makeWire, runError, runValue } from "./wire.js"

const owner = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8"
const other = "TVDGpn4hCSzJ5nkHPLetk8KQBtwaTppnkr"
const contract = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"

/** A number that no double holds exactly. */
const large = 9_007_199_254_740_993n

const hexOf = (text: string): string => Buffer.from(text).toString("hex")

describe("a broadcast that an earlier attempt has delivered", () => {
  it("is the success that the node would have answered", async () => {
    const { answers, calls, client } = makeWire(endpoints)
    answers({ code: "DUP_TRANSACTION_ERROR", txid: "ab", message: hexOf("Dup transaction.") })
    const failed = await runError(client.broadcastTransaction({ txID: "ab", signature: ["00"] }))
    const { accepted } = calls[0] ?? {}
    expect(accepted?.known.test(failed.message)).toBe(true)
    expect(await accepted?.result(failed.message)).toEqual({ result: true, txid: "ab" })
    expect(accepted?.known.test("SIGERROR: Validate signature error")).toBe(false)
  })
})

describe("the wallet routes of a Tron node", () => {
  it("take snake_case names, exact integers, and addresses as they are", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(
      client.createTransaction(owner, other, large, { visible: true, permissionId: 2, extraData: "68" })
    )
    expect(sent()).toEqual([
      "POST",
      "/wallet/createtransaction",
      `{"owner_address":"${owner}","to_address":"${other}","amount":9007199254740993,"visible":true,"extra_data":"68","Permission_id":2}`
    ])
    await runValue(client.createTransaction(`41${"ab".repeat(20)}`, other, 5))
    expect(sent()[2]).toBe(`{"owner_address":"41${"ab".repeat(20)}","to_address":"${other}","amount":5}`)
    await runValue(
      client.triggerSmartContract(owner, contract, "transfer(address,uint256)", "00", { feeLimit: large })
    )
    expect(sent()).toEqual([
      "POST",
      "/wallet/triggersmartcontract",
      `{"owner_address":"${owner}","contract_address":"${contract}","function_selector":"transfer(address,uint256)","parameter":"00","fee_limit":9007199254740993}`
    ])
    const permission = {
      type: 2,
      permissionName: "active0",
      threshold: 1,
      keys: [{ address: owner, weight: 1 }]
    }
    await runValue(client.accountPermissionUpdate(owner, [permission]))
    expect(JSON.parse(String(sent()[2]))).toEqual({
      owner_address: owner,
      actives: [{ type: 2, permission_name: "active0", threshold: 1, keys: [{ address: owner, weight: 1 }] }]
    })
  })

  it("that are asked for delegations take camelCase names", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getDelegatedResourceV2(owner, other, { visible: true }))
    expect(sent()).toEqual([
      "POST",
      "/wallet/getdelegatedresourcev2",
      `{"fromAddress":"${owner}","toAddress":"${other}","visible":true}`
    ])
  })

  it("are asked with nothing where there is nothing to say", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getNowBlock())
    expect(sent()).toEqual(["POST", "/wallet/getnowblock", undefined])
    await runValue(client.listNodes())
    expect(sent()).toEqual(["GET", "/wallet/listnodes", undefined])
  })

  it("get a signed transaction as it was made", async () => {
    const { calls, client, sent } = makeWire(endpoints)
    const transaction = {
      visible: true,
      txID: "aa",
      raw_data: {
        contract: [
          {
            parameter: {
              value: { owner_address: owner, amount: 1, userKey: { innerKey: 1 } },
              type_url: "x"
            },
            type: "T"
          }
        ],
        ref_block_bytes: "b4ae",
        ref_block_hash: "48c0",
        expiration: 1_700_000_000_000,
        timestamp: 1_699_999_940_000
      },
      raw_data_hex: "0a02",
      signature: ["aa12"]
    }
    await runValue(client.broadcastTransaction(transaction))
    expect(sent()[1]).toBe("/wallet/broadcasttransaction")
    expect(sent()[2]).toBe(JSON.stringify(transaction))
    expect(calls.map(({ repeat }) => repeat)).toEqual(["broadcast"])
    await runValue(client.broadcastHex("0a85"))
    expect(sent()).toEqual(["POST", "/wallet/broadcasthex", '{"transaction":"0a85"}'])
  })

  it("answer with integers that arrive exact", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(
      `{"address":"${owner}","balance":9007199254740993,"assetV2":[{"key":"1000001","value":9223372036854775807}]}`
    )
    expect(await runValue(client.getAccount(owner))).toEqual({
      address: owner,
      balance: large,
      assetV2: [{ key: "1000001", value: 9_223_372_036_854_775_807n }]
    })
    answers('{"burnTrxAmount":12345678901234567}')
    expect(await runValue(client.getBurnTRX())).toEqual({ burnTrxAmount: 12_345_678_901_234_567n })
  })

  it.each([
    [
      "an Error",
      { Error: "class org.tron.core.exception.X : not found" },
      "class org.tron.core.exception.X : not found"
    ],
    ["an Error that is no text", { Error: { at: 1 } }, '{"at":1}'],
    [
      "a refused broadcast",
      { result: false, code: "SIGERROR", txid: "aa", message: hexOf("Validate signature error") },
      "SIGERROR: Validate signature error"
    ],
    [
      "a message of several bytes a letter",
      { code: "OTHER_ERROR", message: hexOf("ошибка ✗") },
      "OTHER_ERROR: ошибка ✗"
    ],
    [
      "a message that is plain",
      { code: "TAPOS_ERROR", message: "Tapos failed" },
      "TAPOS_ERROR: Tapos failed"
    ],
    ["a code alone", { code: "CONTRACT_EXE_ERROR" }, "CONTRACT_EXE_ERROR: refused"],
    [
      "a refused call of a contract",
      { result: { code: "CONTRACT_VALIDATE_ERROR", message: hexOf("No contract") } },
      "CONTRACT_VALIDATE_ERROR: No contract"
    ]
  ])("say no with status 200: %s", async (_, body, message) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body)
    expect(await runError(client.broadcastHex("00"))).toMatchObject({
      _tag: "RequestRejected",
      status: 200,
      messages: [message]
    })
    expect(fault()).toBe(/^OTHER_ERROR|^{/.test(message) ? "unclear" : "caller")
  })

  it.each(["SERVER_BUSY", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "NO_CONNECTION", "BLOCK_UNSOLIDIFIED"])(
    "that say %s are at fault themselves",
    async (code) => {
      const { answers, client, fault } = makeWire(endpoints)
      answers({ result: false, code })
      expect(await runError(client.broadcastHex("00"))).toMatchObject({ _tag: "RequestRejected" })
      expect(fault()).toBe("node")
    }
  )

  it.each([
    ["a broadcast that was taken", { result: true, code: "SUCCESS", txid: "aa" }],
    [
      "a transaction that was not made for a reason of the contract",
      { result: { result: true, message: hexOf("REVERT") } }
    ],
    ["code of a contract", { code: "SUCCESS", bytecode: "00" }],
    ["that signatures are missing", { result: { code: "NOT_ENOUGH_PERMISSION" }, approved_list: [] }],
    ["nothing about an account", {}]
  ])("say yes: %s", async (_, body) => {
    const { answers, client } = makeWire(endpoints)
    answers(body)
    expect(await runValue(client.broadcastHex("00"))).toEqual(body)
  })

  it("read what they can say of a contract without sending it", async () => {
    const spec = specOf(endpoints.triggerConstantContract)
    expect(spec).toMatchObject({ kind: "rest", repeat: "read" })
    // a refused call has neither been made nor is it anybody's fault but the caller's
    const { answers, client, fault } = makeWire(endpoints)
    answers("<html>502</html>", 502)
    expect(await runError(client.triggerConstantContract(owner, contract, "f()", ""))).toMatchObject({
      _tag: "NodeError"
    })
    expect(fault()).toBe("node")
  })
})

describe("the JSON-RPC of a Tron node", () => {
  it("is asked as an EVM node, with its conversions", async () => {
    const { client, call, result, sent } = makeRpcNode(endpoints)
    result('"0x3a3529440000"')
    expect(await runValue(client.getBalance(`0x${"ab".repeat(20)}`, 18_000_000n))).toBe(64_000_000_000_000n)
    expect(sent()).toEqual({ method: "eth_getBalance", params: [`0x${"ab".repeat(20)}`, "0x112a880"] })
    expect(call().path).toBe("")
    result('{"number":"0x1","size":9007199254740991}')
    expect(await runValue(client.getBlockByNumber("latest"))).toEqual({
      number: "0x1",
      size: 9_007_199_254_740_991,
      transactions: [],
      uncles: []
    })
  })

  it("has the errors of JSON-RPC, and an Error in a result is none", async () => {
    const { client, fails, result } = makeRpcNode(endpoints)
    fails(-32602, "invalid argument 0")
    expect(await runError(client.chainId())).toMatchObject({ _tag: "RpcError", code: -32602 })
    result('{"Error":"a name like another"}')
    expect(await runValue(client.getTransactionByHash(`0x${"00".repeat(32)}`))).toEqual({
      Error: "a name like another"
    })
  })

  it("is where raw calls go", async () => {
    const { call, client, result } = makeRpcNode(endpoints)
    result('"0x2b6653dc"')
    expect(await runValue(client.rawRpcCall({ method: "eth_chainId" }))).toBe("0x2b6653dc")
    expect(call()).toMatchObject({ verb: "POST", path: "" })
  })
})

describe("the url of a Tron node", () => {
  it.each([
    [
      "https://node.example/jsonrpc",
      "https://node.example/jsonrpc",
      "https://node.example/wallet/getnowblock"
    ],
    [
      "https://node.example/jsonrpc/",
      "https://node.example/jsonrpc",
      "https://node.example/wallet/getnowblock"
    ],
    [
      "https://node.example/key",
      "https://node.example/key/jsonrpc",
      "https://node.example/key/wallet/getnowblock"
    ],
    [
      "https://node.example/jsonrpc?key=1",
      "https://node.example/jsonrpc?key=1",
      "https://node.example/wallet/getnowblock?key=1"
    ],
    ["https://jsonrpc", "https://jsonrpc/jsonrpc", "https://jsonrpc/wallet/getnowblock"]
  ])("%s serves both", async (url, rpc, rest) => {
    const asked: Array<string> = []
    const sdk = await init({
      network: "tron-mainnet",
      rpc: { nodes: [{ url, type: 0 }], statusCheckInterval: Number.POSITIVE_INFINITY },
      verifyChain: false,
      fetch: async (input, options) => {
        const body = typeof options?.body === "string" ? JSON.parse(options.body) : undefined
        asked.push(String(input instanceof Request ? input.url : input))
        return new Response(
          JSON.stringify(body === undefined ? {} : { jsonrpc: "2.0", id: body.id, result: "0x1" })
        )
      }
    })
    try {
      asked.length = 0
      expect(await sdk.rpc.blockNumber()).toMatchObject({ status: "SUCCESS", data: 1n })
      expect(await sdk.rpc.getNowBlock()).toMatchObject({ status: "SUCCESS", data: {} })
      expect(asked).toEqual([rpc, rest])
    } finally {
      await sdk.destroy()
    }
  })
})
