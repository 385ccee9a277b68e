// @runtime both
import { describe, expect, it } from "vitest"
import { endpoints } from "../../src/chains/Kadena.js"
import { makeWire, runError, runValue } from "./wire.js"

const network = { apiVersion: "0.0", nodeVersion: "mainnet01", chain: 0 } as const
const place = "/chainweb/0.0/mainnet01"
const hash = "h".repeat(43)

describe("a Chainweb node", () => {
  it("is asked under the network's path, with and without the chain", async () => {
    const { client, sent } = makeWire(endpoints)
    await runValue(client.getBlock({ network, query: { limit: 2, minheight: 0 } }))
    expect(sent()).toEqual(["GET", `${place}/chain/0/block?limit=2&minheight=0`, undefined])
    await runValue(client.getCurrentCut({ network, query: { maxheight: 9007199254740993n } }))
    expect(sent()[1]).toBe(`${place}/cut?maxheight=9007199254740993`)
    await runValue(client.getCurrentCut({ network, maxheight: 5 }))
    expect(sent()[1]).toBe(`${place}/cut?maxheight=5`)
    await runValue(client.getPendingTransactions({ network, nonce: -4683248684880063035n, since: 436n }))
    expect(sent()).toEqual([
      "POST",
      `${place}/chain/0/mempool/getPending?nonce=-4683248684880063035&since=436`,
      undefined
    ])
  })

  it("sends a branch's bounds in the body and its page in the query", async () => {
    const { client, headers, sent } = makeWire(endpoints)
    const branch = { lower: [hash], upper: [hash] }
    await runValue(client.getBlockBranches({ network, ...branch, query: { limit: 1 } }))
    expect(sent()).toEqual(["POST", `${place}/chain/0/block/branch?limit=1`, JSON.stringify(branch)])
    await runValue(client.getDecodedBlockHeaderBranches({ network, ...branch }))
    expect(sent()).toEqual(["POST", `${place}/chain/0/header/branch`, JSON.stringify(branch)])
    expect(headers().accept).toBe("application/json;blockheader-encoding=object")
  })

  it("sends no note of the caller's with a cut or a peer", async () => {
    const { client, sent } = makeWire(endpoints)
    const address = { hostname: "node.example", port: 443 }
    const cut = { height: 2n ** 64n, weight: hash, hashes: { "0": { hash, height: 1 } } }
    await runValue(client.publishCut({ ...cut, origin: { id: null, address, network }, network }))
    expect(sent()[0]).toBe("PUT")
    expect(sent()[1]).toBe(`${place}/cut`)
    expect(sent()[2]).toContain('"height":18446744073709551616')
    expect(sent()[2]).toContain('"origin":{"id":null,"address":{"hostname":"node.example","port":443}}')
    expect(sent()[2]).not.toContain("mainnet01")
    const peer = JSON.stringify({ id: "p", address })
    await runValue(client.putCutNetworkPeerInfo({ id: "p", address, network }))
    expect(sent()).toEqual(["PUT", `${place}/cut/peer`, peer])
    await runValue(
      client.putCutNetworkPeerInfo({ id: "p", address, apiVersion: "0.0", nodeVersion: "mainnet01" })
    )
    expect(sent()).toEqual(["PUT", `${place}/cut/peer`, peer])
  })

  it("gets transactions and Pact's commands as they are", async () => {
    const { client, sent } = makeWire(endpoints)
    const command = { cmd: '{"payload":{"exec":{"data":{"userKey":1}}}}', hash, sigs: [{ sig: "s" }] }
    await runValue(client.pactLocal({ network, command, preflight: true, rewindDepth: 2 }))
    expect(sent()).toEqual([
      "POST",
      `${place}/chain/0/pact/api/v1/local?preflight=true&rewindDepth=2`,
      JSON.stringify(command)
    ])
    await runValue(client.pactSend({ network, cmds: [command] }))
    expect(sent()[2]).toBe(JSON.stringify({ cmds: [command] }))
    await runValue(client.insertTransactionsIntoMempool({ network, body: ["{}"] }))
    expect(sent()).toEqual(["PUT", `${place}/chain/0/mempool/insert`, '["{}"]'])
  })

  it("says what is missing in a path", async () => {
    const { calls, client } = makeWire(endpoints)
    // @ts-expect-error the network is missing
    expect(await runError(client.getBlock({}))).toMatchObject({ reason: "apiVersion is missing" })
    const chainless = { apiVersion: "0.0", nodeVersion: "x" }
    // @ts-expect-error the chain is missing
    expect(await runError(client.getBlock({ network: chainless }))).toMatchObject({
      reason: "chain is missing"
    })
    // @ts-expect-error the input is missing
    expect(await runError(client.getBlockHashes())).toMatchObject({ _tag: "InvalidArgument" })
    expect(calls).toHaveLength(0)
  })

  it.each([
    ["7", 7n],
    ["9007199254740993", 9007199254740993n],
    ["7530864100535968633", 7530864100535968633n],
    ["-4683248684880063035", -4683248684880063035n],
    ["18446744073709551616", 18446744073709551616n]
  ])("reads %s exactly", async (digits, integer) => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"hashes":[],"highwaterMark":[${digits},399]}`)
    const { highwaterMark } = await runValue(client.getPendingTransactions({ network }))
    expect(highwaterMark).toEqual([integer, 399n])
  })

  it("has chain ids, ports and page sizes as numbers, but not in what contracts say", async () => {
    const { answers, client } = makeWire(endpoints)
    answers(`{"limit":1,"next":null,"items":[{"id":null,"address":{"hostname":"h","port":443}}]}`)
    expect(await runValue(client.getMempoolPeers({ network }))).toEqual({
      limit: 1,
      next: null,
      items: [{ id: null, address: { hostname: "h", port: 443 } }]
    })
    answers(`{"limit":1,"next":null,"items":[{"header":{"chainId":3,"height":5},"payloadWithOutputs":{}}]}`)
    const blocks = await runValue(client.getBlock({ network }))
    expect(blocks.items[0]?.header).toEqual({ chainId: 3, height: 5n })
    answers(`{"gas":7,"result":{"status":"success","data":{"port":1,"limit":2.5,"chainId":3}}}`)
    const { gas, result } = await runValue(client.pactListen({ network, listen: hash }))
    expect(gas).toBe(7n)
    expect(result).toEqual({ status: "success", data: { port: 1n, limit: 2.5, chainId: 3n } })
  })

  it("reads the text of the health check", async () => {
    const { answers, client, sent } = makeWire(endpoints)
    answers("Health check OK.")
    expect(await runValue(client.checkNodeHealth())).toBe("Health check OK.")
    expect(sent()[1]).toBe("/health-check")
  })

  it("takes a failed transaction for an outcome", async () => {
    const { answers, client } = makeWire(endpoints)
    const failed = { status: "failure", error: { message: "no row", type: "EvalError" } }
    answers({ k: { reqKey: "k", result: failed } })
    expect(await runValue(client.pactPoll({ network, requestKeys: [hash] }))).toEqual({
      k: { reqKey: "k", result: failed }
    })
  })

  it.each([
    [404, { key: "h", reason: "key not found" }, "elsewhere"],
    [404, "", "unclear"],
    [400, "Validation failed for hash h: attempt to buy gas failed", "caller"],
    [429, "", "node"],
    [503, "", "node"]
  ])("answers %i with %j by the fault of: %s", async (status, body, whose) => {
    const { answers, client, fault } = makeWire(endpoints)
    answers(body, status)
    const failed = await runError(client.getBlockHeaderByHash({ network, blockHash: hash }))
    expect(fault()).toBe(whose)
    expect(failed._tag).toBe(whose === "node" || whose === "unclear" ? "NodeError" : "RequestRejected")
  })

  it("repeats only what is signed or changes nothing", () => {
    expect(endpoints.pactSend.spec.repeat).toBe("broadcast")
    expect(endpoints.putCutNetworkPeerInfo.spec.repeat).toBe("write")
    expect(endpoints.getPendingTransactions.spec.repeat).toBe("read")
  })
})
