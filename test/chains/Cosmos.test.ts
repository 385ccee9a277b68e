// @runtime both
import { describe, expect, it } from "vitest"
import { type Any, classify, cosmos, endpoints, type Tx } from "../../src/chains/Cosmos.js"
import { networks } from "../../src/data/Network.js"
import { makeRpcNode, makeWire, runError, runValue } from "./wire.js"

const big = 9007199254740993n
const hash = "A4D3F3C2B1E0F9D8C7B6A5F4E3D2C1B0A9F8E7D6C5B4A3F2E1D0C9B8A7F6E5D4"
const broadcast = { tx_bytes: "CpIB", mode: "BROADCAST_MODE_SYNC" } as const

const txOf = (...messages: ReadonlyArray<Any>): Tx => ({
  body: { messages, memo: "snake_case and camelCase" },
  auth_info: { signer_infos: [], fee: { amount: [], gas_limit: "200000" } },
  signatures: ["c2lnbmF0dXJl"]
})

/** The outcome of a transaction, in the form of nodes. */
const outcome = (fields: object): object => ({
  height: "0",
  txhash: hash,
  codespace: "",
  code: 0,
  data: "",
  raw_log: "",
  logs: [],
  info: "",
  gas_wanted: "0",
  gas_used: "0",
  tx: null,
  timestamp: "",
  events: [],
  ...fields
})

describe("a route of the Cosmos SDK", () => {
  it("keeps the slashes of a coin's name, and lets none lead out of it", async () => {
    const { calls, client, sent } = makeWire(endpoints)
    await runValue(client.getDenomMetadata({ denom: "ibc/27394FB0" }))
    expect(sent()).toEqual(["GET", "/cosmos/bank/v1beta1/denoms_metadata/ibc/27394FB0", undefined])
    await runValue(client.getSupplyOfCoin({ denom: "factory/cosmos1abc/a b" }))
    expect(sent()[1]).toBe("/cosmos/bank/v1beta1/supply/factory/cosmos1abc/a%20b")
    await runValue(client.getDenomOwners({ denom: "ibc/27394FB0", "pagination.limit": 2 }))
    expect(sent()[1]).toBe("/cosmos/bank/v1beta1/denom_owners/ibc/27394FB0?pagination.limit=2")
    const asked = calls.length
    for (const denom of ["../params", "ibc/../params", "ibc//a", ""]) {
      expect(await runError(client.getDenomOwners({ denom }))).toMatchObject({ _tag: "InvalidArgument" })
    }
    expect(calls.length).toBe(asked)
  })

  it("takes a name with slashes in its query, and one without in a single segment", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getBalanceByDenom({ address: "cosmos1abc", denom: "ibc/27394FB0" }))
    expect(sent()[1]).toBe("/cosmos/bank/v1beta1/balances/cosmos1abc/by_denom?denom=ibc%2F27394FB0")
    await runValue(client.getAppliedPlan({ name: "v15/../a" }))
    expect(sent()[1]).toBe("/cosmos/upgrade/v1beta1/applied_plan/v15%2F..%2Fa")
  })

  it("is not asked without what belongs to its path", async () => {
    const { calls, client } = makeWire(endpoints)
    const errors = await Promise.all([
      runError(client.getAccountDetails({ address: "" })),
      runError(client.getVote({ proposal_id: 848, voter: "" })),
      runError(client.getDelegation({ validator_addr: "cosmosvaloper1abc", delegator_addr: "" })),
      runError(client.getTxByHash("")),
      runError(client.govV1.getVote({ proposal_id: "", voter: "cosmos1abc" }))
    ])
    expect(errors.map(({ _tag }) => _tag)).toEqual(errors.map(() => "InvalidArgument"))
    expect(calls).toEqual([])
  })

  it("asks for pages under dotted names, whichever way they are given", async () => {
    const { calls, client, sent } = makeWire(endpoints)
    const page = "pagination.key=a%2Bb%3D&pagination.offset=9007199254740993&pagination.countTotal=false"
    await runValue(
      client.getAccounts({
        "pagination.key": "a+b=",
        "pagination.offset": big,
        "pagination.countTotal": false
      })
    )
    expect(sent()[1]).toBe(`/cosmos/auth/v1beta1/accounts?${page}`)
    await runValue(client.getAccounts({ pagination: { key: "a+b=", offset: big, countTotal: false } }))
    expect(sent()[1]).toBe(`/cosmos/auth/v1beta1/accounts?${page}`)
    await runValue(client.govV1.getProposals({ voter: "cosmos1abc", pagination: { reverse: true } }))
    expect(sent()[1]).toBe("/cosmos/gov/v1/proposals?voter=cosmos1abc&pagination.reverse=true")
    await runValue(client.getAccounts())
    expect(sent()[1]).toBe("/cosmos/auth/v1beta1/accounts")
    const asked = calls.length
    // @ts-expect-error pages are an object
    const wrong = client.getAccounts({ pagination: "5" })
    expect(await runError(wrong)).toMatchObject({ _tag: "InvalidArgument" })
    expect(calls.length).toBe(asked)
  })

  it("asks for delegations without the side that the question leaves open", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(
      client.getDelegations({
        delegator_address: "cosmos1abc",
        validator_addr: "cosmosvaloper1abc",
        pagination: { limit: 5 }
      })
    )
    expect(sent()[1]).toBe("/cosmos/staking/v1beta1/delegations/cosmos1abc?pagination.limit=5")
    await runValue(
      client.getDelegationsForValidator({
        delegator_address: "cosmos1abc",
        validator_addr: "cosmosvaloper1abc"
      })
    )
    expect(sent()[1]).toBe("/cosmos/staking/v1beta1/validators/cosmosvaloper1abc/delegations")
  })

  it("repeats the name of a list, and sends heights of any size", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(
      client.getTxsByEvent({ events: ["tx.height=5", "message.action='/cosmos.bank.v1beta1.MsgSend'"] })
    )
    expect(new URLSearchParams(sent()[1].split("?")[1]).getAll("events")).toEqual([
      "tx.height=5",
      "message.action='/cosmos.bank.v1beta1.MsgSend'"
    ])
    await runValue(client.getUpgradedConsensusState(2n ** 64n))
    expect(sent()[1]).toBe("/cosmos/upgrade/v1beta1/upgraded_consensus_state/18446744073709551616")
  })

  it("gets transactions as they are: no name in them is changed, and long integers are text", async () => {
    const { client, sent } = makeWire(endpoints)
    const message = {
      "@type": "/cosmwasm.wasm.v1.MsgExecuteContract",
      msg: { transferFrom: { tokenId: "1", owner_addr: "cosmos1abc", amount: big, few: 5 } }
    }
    await runValue(client.simulate({ tx: txOf(message) }))
    const [verb, path, body] = sent()
    expect([verb, path]).toEqual(["POST", "/cosmos/tx/v1beta1/simulate"])
    expect(JSON.parse(String(body))).toEqual({
      tx: txOf({
        ...message,
        msg: { transferFrom: { tokenId: "1", owner_addr: "cosmos1abc", amount: "9007199254740993", few: 5 } }
      })
    })
    await runValue(client.encodeTx({ tx: txOf({ "@type": "/a.B", someName: [2n ** 64n] }) }))
    expect(String(sent()[2])).toContain(`{"@type":"/a.B","someName":["18446744073709551616"]}`)
  })

  it("has its long integers as text, exactly, and tells of one that is no text and too long", async () => {
    const { answers, client } = makeWire(endpoints)
    for (const amount of ["7", String(big), String(2n ** 64n)]) {
      answers(`{"amount":{"denom":"uatom","amount":"${amount}"}}`)
      expect(await runValue(client.getSupplyByDenom({ denom: "uatom" }))).toEqual({
        amount: { denom: "uatom", amount }
      })
    }
    answers(`{"amount":{"denom":"uatom","amount":${big}}}`)
    expect(await runError(client.getSupplyByDenom({ denom: "uatom" }))).toMatchObject({
      _tag: "NodeError",
      kind: "malformed"
    })
  })
})

describe("a transaction", () => {
  it("that is not taken, inside a 200, has failed the call, with the chain's words", async () => {
    const { answers, calls, client, fault, sent } = makeWire(endpoints)
    answers({ tx_response: outcome({ code: 32, codespace: "sdk", raw_log: "account sequence mismatch" }) })
    const refused = await runError(client.broadcastTx(broadcast))
    expect(refused).toMatchObject({ _tag: "RequestRejected", status: 200 })
    expect(refused.message).toBe(`sdk 32: account sequence mismatch (transaction ${hash})`)
    expect(fault()).toBe("caller")
    expect(sent()).toEqual(["POST", "/cosmos/tx/v1beta1/txs", JSON.stringify(broadcast)])
    expect(calls.map(({ repeat }) => repeat)).toEqual(["broadcast"])
  })

  it("that is taken is an answer", async () => {
    const { answers, client } = makeWire(endpoints)
    const answer = { tx_response: outcome({}) }
    answers(answer)
    expect(await runValue(client.broadcastTx(broadcast))).toEqual(answer)
  })

  it("that failed in its block is an answer too, and so is one that would fail", async () => {
    const { answers, client } = makeWire(endpoints)
    const failed = outcome({ code: 11, codespace: "sdk", raw_log: "out of gas", height: "5" })
    const one = { tx: txOf(), tx_response: failed }
    answers(one)
    expect(await runValue(client.getTxByHash(hash))).toEqual(one)
    // some proxies leave out the transaction itself
    answers({ tx_response: failed })
    expect(await runValue(client.getTxByHash(hash))).toEqual({ tx_response: failed })
    const several = { txs: [txOf()], tx_responses: [failed], pagination: null, total: "1" }
    answers(several)
    expect(await runValue(client.getTxsByEvent({ events: ["tx.height=5"] }))).toEqual(several)
  })

  it("that a full pool has no room for is another node's to take", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    answers({ tx_response: outcome({ code: 20, codespace: "sdk" }) })
    expect((await runError(client.broadcastTx(broadcast))).message).toContain("sdk 20: mempool is full")
    expect(fault()).toBe("node")
    // a code of another module, whose log a contract has written
    answers({ tx_response: outcome({ code: 20, codespace: "wasm", raw_log: "mempool is full, try again" }) })
    await runError(client.broadcastTx(broadcast))
    expect(fault()).toBe("caller")
    answers({ tx_response: outcome({ code: 5, codespace: "wasm", raw_log: "tx not found" }) })
    await runError(client.broadcastTx(broadcast))
    expect(fault()).toBe("caller")
  })

  it("that is in the pool already, after an attempt of ours, is the one that was sent", async () => {
    const { answers, calls, client } = makeWire(endpoints)
    answers({ tx_response: outcome({ code: 19, codespace: "sdk" }) })
    const { message } = await runError(client.broadcastTx(broadcast))
    expect(message).toContain("sdk 19: tx already in mempool")
    const accepted = calls.at(-1)?.accepted
    expect(accepted?.known.test(message)).toBe(true)
    expect(await accepted?.result(message)).toEqual({ tx_response: outcome({}) })
    for (const other of [
      `sdk 19: tx already in mempool`,
      `wasm 19: (transaction ${hash})`,
      `wasm 5: sdk 19: x (transaction ${hash})`,
      `sdk 32: incorrect account sequence (transaction ${hash})`
    ]) {
      expect(accepted?.known.test(other)).toBe(false)
    }
  })
})

describe("a refusal", () => {
  it("of a question to the store is an error; where the state is gone, another node may have it", async () => {
    const { answers, client, fault, sent } = makeWire(endpoints)
    const ask = client.abciQuery({ path: "/store/bank/key", data: "AA==", height: 5n, prove: true })
    answers({ code: 6, codespace: "sdk", log: "unknown query path", info: "", value: null })
    expect((await runError(ask)).message).toBe("sdk 6: unknown query path")
    expect(fault()).toBe("caller")
    expect(sent()[1]).toBe(
      "/cosmos/base/tendermint/v1beta1/abci_query?path=%2Fstore%2Fbank%2Fkey&data=AA%3D%3D&height=5&prove=true"
    )
    answers({ code: 18, codespace: "sdk", log: "failed to load state at height 5; version does not exist" })
    await runError(ask)
    expect(fault()).toBe("elsewhere")
    answers({ code: 0, log: "", value: "AA==" })
    expect(await runValue(ask)).toMatchObject({ value: "AA==" })
  })

  const pruned =
    "failed to load state at height 66; version mismatch on immutable IAVL tree; version does not exist (latest height: 99)"
  const table: ReadonlyArray<readonly [status: number, code: number, message: string, fault: string]> = [
    [404, 5, "account cosmos1abc not found", "caller"],
    [404, 5, `tx not found: ${hash}`, "elsewhere"],
    [400, 3, "decoding bech32 failed: invalid checksum", "caller"],
    [400, 3, "requested block height is bigger then the chain length", "elsewhere"],
    [400, 3, `${pruned}: invalid request`, "elsewhere"],
    [500, 2, `codespace sdk code 18: invalid request: ${pruned}`, "elsewhere"],
    [500, 2, "height 1 is not available, lowest height is 4724001", "elsewhere"],
    [500, 2, "codespace sdk code 26: invalid height", "caller"],
    [500, 2, "something that nobody has seen before", "elsewhere"],
    [500, 2, "account sequence mismatch, expected 5, got 4 with gas used: '42000'", "caller"],
    [500, 2, "contract: rate limit, try again; tx not found with gas used: '42000'", "caller"],
    [500, 2, "post failed: dial tcp 127.0.0.1:26657: connect: connection refused", "node"],
    [500, 13, "failed to parse chain height", "elsewhere"],
    [501, 12, "Not Implemented", "elsewhere"],
    [503, 14, "connection error", "node"],
    [504, 4, "context deadline exceeded", "node"],
    [429, 8, "out of range", "node"],
    [403, 7, "no key", "unclear"]
  ]
  it.each(table)("%i with code %i (%s) speaks of: %4$s", async (status, code, message, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers({ code, message, details: [] }, status)
    expect((await runError(client.getLatestBlock())).message).toContain(message)
    expect(fault()).toBe(whose)
  })

  it("by what stands before the node is judged by its status", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    answers({ statusCode: 500, message: "tx not found" }, 500)
    await runError(client.getLatestBlock())
    expect(fault()).toBe("node")
    answers("<html>Bad Gateway</html>", 502)
    await runError(client.getLatestBlock())
    expect(fault()).toBe("node")
    answers({ code: 1, message: "no such path" }, 404)
    await runError(client.getLatestBlock())
    expect(fault()).toBe("unclear")
  })

  it("of a raw call is judged by its words, most of which stand in the data", () => {
    const inner = { code: -32603, message: "Internal error" }
    expect(classify({ ...inner, data: "height 9 must be less than or equal to 8" })).toBe("elsewhere")
    expect(classify({ ...inner, data: `tx (${hash}) not found, err: <nil>` })).toBe("elsewhere")
    expect(classify({ ...inner, data: "could not find results for height #5" })).toBe("elsewhere")
    expect(classify({ ...inner, data: "mempool is full: number of txs 5000" })).toBe("node")
    expect(classify({ ...inner, data: "tx already exists in cache" })).toBe("caller")
    expect(classify({ code: -32601, message: "Method not found" })).toBe("elsewhere")
    expect(classify({ code: -32602, message: "Invalid params" })).toBe("caller")
  })
})

describe("Rosetta's routes", () => {
  const networkIdentifier = { blockchain: "cosmos", network: "mainnet" }

  it("are asked as on Cardano, with bigints in metadata and numbers where the interface has them", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers(`{"current_block_identifier":{"index":5,"hash":"AB"},"metadata":{"seen":${big}}}`)
    expect(await runValue(client.getNetworkStatus({ networkIdentifier }))).toMatchObject({
      current_block_identifier: { index: 5 },
      metadata: { seen: big }
    })
    expect(sent()).toEqual([
      "POST",
      "/network/status",
      JSON.stringify({ network_identifier: networkIdentifier })
    ])
  })

  it("have their own errors, which no route of the SDK has, and the other way round", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    const said = { code: 4, message: "Block not found", retriable: false }
    answers(said, 500)
    await runError(client.getBlock({ networkIdentifier, blockIdentifier: {} }))
    expect(fault()).toBe("elsewhere")
    await runError(client.getLatestBlock())
    expect(fault()).toBe("node")
    answers(said)
    expect(await runError(client.getBlock({ networkIdentifier, blockIdentifier: {} }))).toMatchObject({
      _tag: "RequestRejected"
    })
    answers({ code: 3, message: "no", details: [] }, 500)
    await runError(client.getBlock({ networkIdentifier, blockIdentifier: {} }))
    expect(fault()).toBe("node")
  })
})

describe("a node of Cosmos", () => {
  it("answers raw calls with numbers, by the rules of its own routes", async () => {
    const { client, fails, fault, result } = makeRpcNode(endpoints)
    result(`{"n_txs":"5","total":5}`)
    expect(await runValue(client.rawRpcCall({ method: "num_unconfirmed_txs" }))).toEqual({
      n_txs: "5",
      total: 5
    })
    fails(-32603, "height 1 is not available, lowest height is 5")
    await runError(client.rawRpcCall({ method: "block" }))
    expect(fault()).toBe("elsewhere")
  })

  it("tells its height by Rosetta, as mainnet", () => {
    const probe = cosmos.probe?.("cosmos-mainnet", networks["cosmos-mainnet"])
    expect(probe).toMatchObject({
      verb: "POST",
      path: "/network/status",
      body: { network_identifier: { blockchain: "cosmos", network: "mainnet" } }
    })
    expect(probe?.height({ current_block_identifier: { index: 9 } })).toBe(9)
    expect(probe?.height({ code: 3, message: "no", details: [] })).toBeUndefined()
  })
})
