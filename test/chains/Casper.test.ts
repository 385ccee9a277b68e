import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { casper, classify, endpoints } from "../../src/chains/Casper.js"
import { networks } from "../../src/data/Network.js"
import { rpcNode } from "./wire.js"

const value = Effect.runPromise
const error = <A, E>(effect: Effect.Effect<A, E>): Promise<E> => Effect.runPromise(Effect.flip(effect))

describe("a block of Casper", () => {
  it("is a height if it is a number, and a hash if it is anything else", async () => {
    const { call, client, result, sent } = rpcNode(endpoints)
    result("{}")
    await value(client.chainGetBlock("7"))
    expect(sent().params).toEqual([{ Hash: "7" }])
    await value(client.chainGetBlock())
    expect(sent().params).toEqual([])
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 64n }), async (height) => {
        await value(client.chainGetBlock(height))
        expect(String(call().body)).toContain(`"params":[{"Height":${height}}]`)
        const number = Number(height % 2n ** 53n)
        await value(client.chainGetStateRootHash(number))
        expect(sent().params).toEqual([{ Height: number }])
      }),
      { numRuns: 50 }
    )
  })

  it("is an identifier among named parameters too", async () => {
    const { client, result, sent } = rpcNode(endpoints)
    result("{}")
    await value(client.stateGetEntity({ entity_identifier: { PublicKey: "01ab" }, block_identifier: 12 }))
    expect(sent().params).toEqual({
      entity_identifier: { PublicKey: "01ab" },
      block_identifier: { Height: 12 }
    })
  })
})

describe("what belongs to a contract on Casper", () => {
  it("is sent as it is, and comes back with its names and its integers", async () => {
    const { client, result, sent } = rpcNode(endpoints)
    result(
      `{"stored_value":{"CLValue":{"cl_type":{"Map":{}},"parsed":{"weight":18446744073709551616,"someName":1}}}}`
    )
    const key = "uref-0000000000000000000000000000000000000000000000000000000000000001-007"
    const state = { StateRootHash: "00" }
    const answer: unknown = await value(
      client.queryGlobalState({ key, path: ["someName", "other_name"], state_identifier: state })
    )
    expect(sent().params).toEqual({ key, path: ["someName", "other_name"], state_identifier: state })
    expect(answer).toMatchObject({
      stored_value: { CLValue: { parsed: { weight: 18446744073709551616n, someName: 1n } } }
    })
  })

  it.each([0n, 2n ** 53n + 1n, 2n ** 64n])("and heights are exact: %s", async (height) => {
    const { client, result } = rpcNode(endpoints)
    result(`{"api_version":"2.0.0","last_added_block_info":{"height":${height},"era_id":1}}`)
    expect(await value(client.infoGetStatus())).toMatchObject({
      last_added_block_info: { height, era_id: 1n }
    })
  })
})

describe("a refusal of Casper", () => {
  it.each([
    [-32008, "invalid deploy: the payment amount was zero", "caller"],
    [-32602, "Invalid params", "caller"],
    [-32000, "No such deploy", "elsewhere"],
    [-32001, "No such block", "elsewhere"],
    [-32601, "Method not found", "elsewhere"],
    [-32603, "Internal error", "unclear"],
    [-32000, "Too many requests", "node"]
  ] as const)("%s, %s, is about the %s", async (code, message, fault) => {
    expect(classify({ code, message })).toBe(fault)
    const node = rpcNode(endpoints)
    node.fails(code, message)
    expect((await error(node.client.infoGetPeers())).message).toBe(message)
    expect(node.fault()).toBe(fault)
  })

  it("before anything is sent tells which account is missing", async () => {
    const { client } = rpcNode(endpoints)
    expect((await error(client.stateGetAccountInfo({}))).message).toContain("public_key is missing")
  })
})

describe("a node of Casper", () => {
  it("tells its height", () => {
    const probe = casper.probe?.("casper-mainnet", networks["casper-mainnet"])
    expect(probe?.height({ result: { last_added_block_info: { height: 4_500_000 } } })).toBe(4_500_000)
    expect(probe?.height({ result: { last_added_block_info: null } })).toBeUndefined()
  })
})
