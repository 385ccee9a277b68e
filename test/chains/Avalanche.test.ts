// @runtime both
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { pEndpoints, xEndpoints } from "../../src/chains/Avalanche.js"
import { networks } from "../../src/data/Network.js"
import { runs } from "../properties.js"
import { makeRpcNode, runError, runValue } from "./wire.js"

const txID = "2oJCbb8pfdxEHAf9A8CdN4Afj9VSR3xzyzNkf8tDv7aM1sfNFL"

describe("a node of Avalanche", () => {
  it("gets parameters by name, and none as an empty object", async () => {
    const p = makeRpcNode(pEndpoints)
    p.result("{}")
    await runValue(p.client.getHeight())
    expect(p.sent()).toEqual({ method: "platform.getHeight", params: {} })
    await runValue(p.client.getCurrentValidators({ nodeIDs: ["NodeID-a"] }))
    expect(p.sent()).toEqual({
      method: "platform.getCurrentValidators",
      params: { nodeIDs: ["NodeID-a"] }
    })
    await runValue(p.client.getValidatorsAt({ height: "proposed" }))
    expect(p.sent().params).toEqual({ height: "proposed" })
    await runValue(p.client.getUTXOs({ addresses: ["P-avax1"], limit: 5, sourceChain: "X" }))
    expect(p.sent().params).toEqual({ addresses: ["P-avax1"], limit: 5, sourceChain: "X" })
    const x = makeRpcNode(xEndpoints)
    x.result("{}")
    await runValue(x.client.getBalance({ address: "X-avax1", assetID: "AVAX" }))
    expect(x.sent()).toEqual({
      method: "avm.getBalance",
      params: { address: "X-avax1", assetID: "AVAX" }
    })
  })

  it("gets heights of any size as text", async () => {
    const { client, result, sent } = makeRpcNode(xEndpoints)
    result("{}")
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 64n - 1n }), async (height) => {
        await runValue(client.getBlockByHeight({ height, encoding: "json" }))
        expect(sent().params).toEqual({ height: String(height), encoding: "json" })
      }),
      { numRuns: runs(50) }
    )
  })

  it("answers with exact amounts in transactions, and numbers for what is small", async () => {
    const { client, result } = makeRpcNode(pEndpoints)
    result(
      `{"tx":{"id":"${txID}","unsignedTx":{"networkID":1,"inputs":[{"txID":"t","outputIndex":1,"input":
        {"amount":18446744073709551615,"signatureIndices":[0,1]}}],"validator":{"start":1682945406,
        "weight":48944170378},"rewardsOwner":{"locktime":0,"threshold":1}}},"encoding":"json"}`
    )
    expect(await runValue(client.getTx({ txID, encoding: "json" }))).toEqual({
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
    expect(await runValue(client.getValidatorsAt({ height: 1 }))).toEqual({
      validators: { "NodeID-a": 2_000_000_000_000_000n }
    })
    expect(await runValue(client.rawRpcCall({ method: "platform.getValidatorsAt" }))).toEqual({
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
    const { client, fails, fault } = makeRpcNode(pEndpoints)
    fails(code, message)
    await runError(client.getTx({ txID }))
    expect(fault()).toBe(whose)
  })

  it("gets signed transactions again, and writes that nobody knows once", async () => {
    for (const [method, { client, call, result }] of [
      ["platform.issueTx", makeRpcNode(pEndpoints)],
      ["avm.issueTx", makeRpcNode(xEndpoints)]
    ] as const) {
      result(`{"txID":"a"}`)
      expect(await runValue(client.issueTx({ tx: "0x00" }))).toEqual({ txID: "a" })
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
        await runValue(client.rawRpcCall({ method: name, params: {} }))
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
