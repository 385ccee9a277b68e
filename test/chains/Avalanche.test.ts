import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { pEndpoints, xEndpoints } from "../../src/chains/Avalanche.js"
import { networks } from "../../src/data/Network.js"
import { error, rpcNode, value } from "./wire.js"

const txID = "2oJCbb8pfdxEHAf9A8CdN4Afj9VSR3xzyzNkf8tDv7aM1sfNFL"

describe("a node of Avalanche", () => {
  it("gets parameters by name, and none as an empty object", async () => {
    const p = rpcNode(pEndpoints)
    p.result("{}")
    await value(p.client.getHeight())
    expect(p.sent()).toEqual({ method: "platform.getHeight", params: {} })
    await value(p.client.getCurrentValidators({ nodeIDs: ["NodeID-a"] }))
    expect(p.sent()).toEqual({
      method: "platform.getCurrentValidators",
      params: { nodeIDs: ["NodeID-a"] }
    })
    await value(p.client.getValidatorsAt({ height: "proposed" }))
    expect(p.sent().params).toEqual({ height: "proposed" })
    await value(p.client.getUTXOs({ addresses: ["P-avax1"], limit: 5, sourceChain: "X" }))
    expect(p.sent().params).toEqual({ addresses: ["P-avax1"], limit: 5, sourceChain: "X" })
    const x = rpcNode(xEndpoints)
    x.result("{}")
    await value(x.client.getBalance({ address: "X-avax1", assetID: "AVAX" }))
    expect(x.sent()).toEqual({
      method: "avm.getBalance",
      params: { address: "X-avax1", assetID: "AVAX" }
    })
  })

  it("gets heights of any size as text", async () => {
    const { client, result, sent } = rpcNode(xEndpoints)
    result("{}")
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (height) => {
        await value(client.getBlockByHeight({ height, encoding: "json" }))
        expect(sent().params).toEqual({ height: String(height), encoding: "json" })
      }),
      { numRuns: 50 }
    )
  })

  it("answers with exact amounts in transactions, and numbers for what is small", async () => {
    const { client, result } = rpcNode(pEndpoints)
    result(
      `{"tx":{"id":"${txID}","unsignedTx":{"networkID":1,"inputs":[{"txID":"t","outputIndex":1,"input":
        {"amount":18446744073709551615,"signatureIndices":[0,1]}}],"validator":{"start":1682945406,
        "weight":48944170378},"rewardsOwner":{"locktime":0,"threshold":1}}},"encoding":"json"}`
    )
    expect(await value(client.getTx({ txID, encoding: "json" }))).toEqual({
      tx: {
        id: txID,
        unsignedTx: {
          networkID: 1,
          inputs: [
            {
              txID: "t",
              outputIndex: 1,
              input: { amount: 18_446_744_073_709_551_615n, signatureIndices: [0, 1] }
            }
          ],
          validator: { start: 1_682_945_406n, weight: 48_944_170_378n },
          rewardsOwner: { locktime: 0n, threshold: 1 }
        }
      },
      encoding: "json"
    })
    result(`{"validators":{"NodeID-a":2000000000000000}}`)
    expect(await value(client.getValidatorsAt({ height: 1 }))).toEqual({
      validators: { "NodeID-a": 2_000_000_000_000_000n }
    })
    expect(await value(client.rawRpcCall({ method: "platform.getValidatorsAt" }))).toEqual({
      validators: { "NodeID-a": 2_000_000_000_000_000n }
    })
  })

  it.each([
    [-32000, "not found", "elsewhere"],
    [-32000, "couldn't get tx: not found", "elsewhere"],
    [-32000, "chain is not done bootstrapping", "node"],
    [-32000, "couldn't parse tx: unpack failed", "caller"],
    [-32000, "problem decoding transaction: invalid checksum", "caller"],
    [-32000, "couldn't issue tx: tx conflicts with an accepted one", "caller"],
    [-32000, "argument 'addresses' not given", "caller"],
    [-32601, "the method platform.foo does not exist", "elsewhere"],
    [-32000, "something else", "unclear"]
  ])("answers with %i %s by the fault of: %s", async (code, message, whose) => {
    const { client, fails, fault } = rpcNode(pEndpoints)
    fails(code, message)
    await error(client.getTx({ txID }))
    expect(fault()).toBe(whose)
  })

  it("gets signed transactions again, and writes that nobody knows once", async () => {
    for (const [method, { client, call, result }] of [
      ["platform.issueTx", rpcNode(pEndpoints)],
      ["avm.issueTx", rpcNode(xEndpoints)]
    ] as const) {
      result(`{"txID":"a"}`)
      expect(await value(client.issueTx({ tx: "0x00" }))).toEqual({ txID: "a" })
      expect([call().label, call().repeat]).toEqual([method, "broadcast"])
      const raw: ReadonlyArray<readonly [string, string]> = [
        [method, "broadcast"],
        ["avax.issueTx", "broadcast"],
        ["info.getNetworkID", "read"],
        ["platform.getMaxStakeAmount", "read"],
        ["platform.exportKey", "write"],
        ["avm.send", "write"]
      ]
      for (const [name, repeat] of raw) {
        await value(client.rawRpcCall({ method: name, params: {} }))
        expect([name, call().repeat]).toEqual([name, repeat])
      }
    }
  })
})

describe("the networks of Avalanche", () => {
  it("are a family for each chain", () => {
    expect(networks["avax-p-testnet"].family).toBe("avalanche-p")
    expect(networks["avax-x-mainnet"].family).toBe("avalanche-x")
    expect(networks["avalanche-c-mainnet"].family).toBe("evm")
  })
})
