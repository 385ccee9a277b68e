// @runtime both
import { describe, expect, it } from "vitest"
import { type BlockRequest, endpoints } from "../../src/chains/Iota.js"
import { specOf } from "../../src/data/Endpoint.js"
import { makeWire, runError, runValue } from "./wire.js"

const chainID = "iota1prcw42l7apdkhw6syp5ju4w3v6ffg6nvj9s7y9zk2smj8t4qgvse9umqpg4"
const id = `0x${"ab".repeat(32)}`

const transaction: BlockRequest = {
  protocolVersion: 2,
  payload: {
    type: 6,
    essence: {
      type: 1,
      networkId: "8453507715857476362",
      inputsCommitment: id,
      inputs: [{ type: 0, transactionId: id, transactionOutputIndex: 0 }],
      outputs: [
        {
          type: 3,
          amount: "18446744073709551615",
          nativeTokens: [{ id, amount: "0x1" }],
          unlockConditions: [{ type: 0, address: { type: 0, pubKeyHash: id } }]
        }
      ]
    },
    unlocks: [{ type: 0, signature: { type: 0, publicKey: id, signature: id } }]
  }
}

describe("the node", () => {
  it("gets blocks as they are, in JSON or bytes", async () => {
    const { client, headers, sent } = makeWire(endpoints)
    await runValue(client.submitBlock(transaction))
    expect(sent()).toEqual(["POST", "/api/core/v2/blocks", JSON.stringify(transaction)])
    await runValue(client.submitBlockBytes(new Uint8Array([2, 1])))
    expect(sent()).toEqual(["POST", "/api/core/v2/blocks", new Uint8Array([2, 1])])
    expect(headers()).toEqual({ "content-type": "application/vnd.iota.serializer-v1" })
  })

  it("gets a block again only if that does nothing more", async () => {
    const { calls, client } = makeWire(endpoints)
    const data: BlockRequest = { protocolVersion: 2, payload: { type: 5, tag: "0x61", data: "0x62" } }
    await runValue(client.submitBlock(transaction))
    await runValue(client.submitBlock(data))
    await runValue(client.submitBlock({ ...data, parents: [id], nonce: "5" }))
    expect(calls.map((call) => call.repeat)).toEqual(["broadcast", "write", "broadcast"])
  })

  it("tells ids and indices by their places in paths, and filters by query", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.lookupMilestoneByIndex(5n))
    expect(sent()[1]).toBe("/api/core/v2/milestones/by-index/5")
    await runValue(client.getPeerInfo("12D3"))
    expect(sent()[1]).toBe("/api/core/v2/peers/12D3")
    await runValue(
      client.getBasicOutputs({ hasTimelock: false, expiresBefore: 1690000000, cursor: "0x1.100" })
    )
    expect(sent()[1]).toBe(
      "/api/indexer/v1/outputs/basic?hasTimelock=false&expiresBefore=1690000000&cursor=0x1.100"
    )
    await runValue(client.getBlockChildren(id, { pageSize: 2, sort: "asc" }))
    expect(sent()[1]).toBe(`/api/explorer/v2/blocks/${id}/children?pageSize=2&sort=asc`)
    await runValue(client.getTokenDistribution())
    expect(sent()[1]).toBe("/api/explorer/v2/ledger/token-distribution")
  })

  it.each([
    [404, { error: { code: "404", message: "block not found" } }, "elsewhere"],
    [404, { error: { code: "404", message: "output not found: pruned" } }, "elsewhere"],
    [400, { error: { code: "400", message: "invalid block" } }, "caller"],
    [403, { error: { code: "403", message: "forbidden" } }, "unclear"],
    [503, { error: { code: "503", message: "node is not synced" } }, "node"]
  ])("that says %i %j blames: %s", async (status, answer, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(answer, status)
    const failed = await runError(client.getBlockDataById({ blockId: id }))
    expect(fault()).toBe(whose)
    expect(failed.message).toContain(answer.error.message)
    expect(failed._tag).toBe(whose === "node" || whose === "unclear" ? "NodeError" : "RequestRejected")
  })

  it("is well if its health has no words, and not if it is unavailable", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    answers("")
    expect(await runValue(client.getNodeHealth())).toBeUndefined()
    answers("", 503)
    await runError(client.getNodeHealth())
    expect(fault()).toBe("node")
  })
})

describe("Wasp", () => {
  it("has the chain in the path, never in the body", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.setChainRecord({ chainID, accessNodes: ["a"], isActive: true }))
    expect(sent()).toEqual([
      "POST",
      `/v1/chains/${chainID}/chainrecord`,
      '{"accessNodes":["a"],"isActive":true}'
    ])
    await runValue(client.estimateGasOnledger({ chainID }, { outputBytes: "0x01" }))
    expect(sent()[2]).toBe('{"outputBytes":"0x01"}')
    await runValue(client.changeUserPassword({ username: "a/b", password: "c" }))
    expect(sent()).toEqual(["PUT", "/v1/users/a%2Fb/password", '{"password":"c"}'])
    await runValue(client.addAccessNode({ chainID, peer: "p" }))
    expect(sent()).toEqual(["PUT", `/v1/chains/${chainID}/access-node/p`, undefined])
    await runValue(client.authenticate({ loginRequest: { username: "u", password: "p" } }))
    expect(sent()).toEqual(["POST", "/auth", '{"username":"u","password":"p"}'])
  })

  it("asks at the paths of Wasp 1", async () => {
    const { client, sent } = makeWire(endpoints)
    const chain = `/v1/chains/${chainID}/core`
    await runValue(client.accountsGetAccountBalance({ chainID, agentID: "a", block: 5 }))
    expect(sent()[1]).toBe(`${chain}/accounts/account/a/balance?block=5`)
    await runValue(client.accountsGetAccountFoundries({ chainID, agentID: "a" }))
    expect(sent()[1]).toBe(`${chain}/accounts/account/a/foundries`)
    await runValue(client.accountsGetAccountNFTIDs({ chainID, agentID: "a" }))
    expect(sent()[1]).toBe(`${chain}/accounts/account/a/nfts`)
    await runValue(client.accountsGetAccountNonce({ chainID, agentID: "a" }))
    expect(sent()[1]).toBe(`${chain}/accounts/account/a/nonce`)
    await runValue(client.blocklogGetEventsOfBlock({ chainID, blockIndex: 5 }))
    expect(sent()[1]).toBe(`${chain}/blocklog/events/block/5`)
    await runValue(client.blocklogGetEventsOfLatestBlock({ chainID }))
    expect(sent()[1]).toBe(`${chain}/blocklog/events/block/latest`)
    await runValue(client.blocklogGetRequestIsProcessed({ chainID, requestID: "a-0" }))
    expect(sent()[1]).toBe(`${chain}/blocklog/requests/a-0/is_processed`)
    await runValue(client.getChainMessageMetrics({ chainID }))
    expect(sent()[1]).toBe(`/v1/metrics/chain/${chainID}/messages`)
    await runValue(client.getChainPipeMetrics({ chainID }))
    expect(sent()[1]).toBe(`/v1/metrics/chain/${chainID}/pipe`)
    await runValue(client.getChainWorkflowMetrics({ chainID }))
    expect(sent()[1]).toBe(`/v1/metrics/chain/${chainID}/workflow`)
  })

  it("gets the user's arguments as they are", async () => {
    const { client, sent } = makeWire(endpoints)
    const call = {
      contractName: "a",
      functionName: "b",
      arguments: { Items: [{ key: "0x6B", value: "0x56" }] }
    }
    await runValue(client.callView({ chainID, ...call }))
    expect(sent()).toEqual(["POST", `/v1/chains/${chainID}/callview`, JSON.stringify(call)])
    const request = { jsonrpc: "2.0", id: 1, method: "eth_call", params: [{ userKey: 1 }] } as const
    await runValue(client.submitJSONRPCRequest({ chainID, request }))
    expect(sent()).toEqual(["POST", `/v1/chains/${chainID}/evm`, JSON.stringify(request)])
  })

  it.each([
    ["5", 5n],
    ["9007199254740993", 9007199254740993n],
    ["18446744073709551616", 18446744073709551616n]
  ])("has the time %s of an event exactly", async (digits, timestamp) => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"events":[{"contractID":1011572226,"topic":"t","timestamp":${digits},"payload":"0x"}]}`)
    expect((await runValue(client.blocklogGetEventsOfLatestBlock({ chainID }))).events).toEqual([
      { contractID: 1011572226, topic: "t", timestamp, payload: "0x" }
    ])
  })

  it("has no rounded numbers elsewhere: they are typed errors", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    answers('{"gasBurnLog":[{"code":1,"gasBurned":9007199254740993}]}')
    const failed = await runError(client.getReceipt({ chainID, requestID: "a" }))
    expect(failed.message).toContain("above 2^53")
    expect(fault()).toBe("caller")
  })

  it("says no to a JSON-RPC request in a success, which is an error", async () => {
    const { answers, client, fault } = makeWire(endpoints)
    answers({ jsonrpc: "2.0", id: 1, error: { code: 3, message: "execution reverted" } })
    expect((await runError(client.submitJSONRPCRequest({ chainID })))._tag).toBe("RequestRejected")
    expect(fault()).toBe("caller")
    answers({ jsonrpc: "2.0", id: 1, error: { code: -32000, message: "nonce too low" } })
    const failed = await runError(client.submitJSONRPCRequest({ chainID }))
    expect([failed._tag, fault()]).toEqual(["RequestRejected", "unclear"])
    expect(failed.message).toContain("nonce too low")
    answers({ jsonrpc: "2.0", id: 1, error: { code: -32000 } })
    expect((await runError(client.submitJSONRPCRequest({ chainID }))).message).toContain("-32000")
    answers({ jsonrpc: "2.0", id: 1, result: "0x1" })
    expect(await runValue(client.submitJSONRPCRequest({ chainID }))).toMatchObject({ result: "0x1" })
  })

  it("is not to blame for a wait in which nothing came", async () => {
    const { answers, client, fault, sent } = makeWire(endpoints)
    answers("", 408)
    const failed = await runError(client.waitForRequest({ chainID, requestID: "a-0", timeoutSeconds: 5 }))
    expect([failed._tag, fault()]).toEqual(["RequestRejected", "caller"])
    expect(sent()[1]).toBe(`/v1/chains/${chainID}/requests/a-0/wait?timeoutSeconds=5`)
  })

  it("says what is missing", async () => {
    const { calls, client } = makeWire(endpoints)
    const missing = { chainID, blobHash: id }
    // @ts-expect-error the field is missing
    expect(await runError(client.blobsGetBlobValue(missing))).toMatchObject({
      _tag: "InvalidArgument",
      reason: "fieldKey is missing"
    })
    // @ts-expect-error the chain is missing
    expect((await runError(client.getChainInfo({})))._tag).toBe("InvalidArgument")
    // @ts-expect-error the block is missing
    expect((await runError(client.submitBlock()))._tag).toBe("InvalidArgument")
    expect((await runError(client.getUser("")))._tag).toBe("InvalidArgument")
    expect(calls).toHaveLength(0)
  })
})

it("repeats only what does nothing more", () => {
  const repeats = Object.entries(endpoints).flatMap(([name, endpoint]) => {
    const spec = specOf(endpoint)
    return spec === undefined || spec.repeat === "read" ? [] : [[name, spec.repeat]]
  })
  const of = (repeat: string) => repeats.flatMap(([name, each]) => (each === repeat ? [name] : [])).sort()
  expect(of("broadcast")).toEqual(["offLedger", "submitBlockBytes", "submitJSONRPCRequest"])
  expect(of("write")).toEqual(
    [
      ...["submitBlock", "addPeer", "removePeer", "pruneDatabase", "createSnapshot"],
      ...["activateChain", "deactivateChain", "addAccessNode", "removeAccessNode", "setChainRecord"],
      ...["dumpAccounts", "generateDKS", "trustPeer", "distrustPeer", "shutdownNode"],
      ...["addUser", "deleteUser", "changeUserPassword", "changeUserPermissions"]
    ].sort()
  )
})
