// @runtime both
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { describe, expect, it } from "vitest"
import { casper, classify, endpoints } from "../../src/chains/Casper.js"
import { networks } from "../../src/data/Network.js"
import { runs } from "../properties.js"
import { makeRpcNode } from "./wire.js"

const value = Effect.runPromise
const error = <A, E>(effect: Effect.Effect<A, E>): Promise<E> => Effect.runPromise(Effect.flip(effect))

describe("a block of Casper", () => {
  it("is a height if it is a number, and a hash if it is anything else", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
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
      { numRuns: runs(50) }
    )
  })

  it("is an identifier among named parameters too", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
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
    const { client, result, sent } = makeRpcNode(endpoints)
    result(
      `{"stored_value":{"CLValue":{"cl_type":{"Map":{}},"parsed":{"weight":18446744073709551616,"someName":1}}}}`
    )
    const key = "uref-0000000000000000000000000000000000000000000000000000000000000001-007"
    const state = { StateRootHash: "00".repeat(32) }
    const answer: unknown = await value(
      client.queryGlobalState({ key, path: ["someName", "other_name"], state_identifier: state })
    )
    expect(sent().params).toEqual({ key, path: ["someName", "other_name"], state_identifier: state })
    expect(answer).toMatchObject({
      stored_value: { CLValue: { parsed: { weight: 18446744073709551616n, someName: 1n } } }
    })
  })

  it.each([0n, 2n ** 53n + 1n, 2n ** 64n])("and heights are exact: %s", async (height) => {
    const { client, result } = makeRpcNode(endpoints)
    result(`{"api_version":"2.0.0","last_added_block_info":{"height":${height},"era_id":1}}`)
    expect(await value(client.infoGetStatus())).toMatchObject({
      last_added_block_info: { height, era_id: 1n }
    })
  })
})

describe("answers of Casper 2", () => {
  it("have small numbers as numbers, and amounts and heights exactly", async () => {
    const { client, result } = makeRpcNode(endpoints)
    const version = { protocol_version_major: 2, entity_version: 1 }
    const proof = { api_version: "2.0.0", merkle_proof: "00" }
    const lists = { groups: [], lock_status: "Unlocked" }
    const versioned = { versions: [], disabled_versions: [version], ...lists }
    result(JSON.stringify({ ...proof, package: { Package: versioned } }))
    const package_identifier = { PackageAddr: "package-00" }
    expect((await value(client.stateGetPackage({ package_identifier }))).package.Package).toEqual(versioned)
    const contract = { access_key: "uref-00-007", versions: [], disabled_versions: [[2, 1]], ...lists }
    result(JSON.stringify({ ...proof, package: { ContractPackage: contract } }))
    expect((await value(client.stateGetPackage({ package_identifier }))).package.ContractPackage).toEqual(
      contract
    )
    const limits = `"delegation_rate":10,"reserved_slots":0,"maximum_delegation_amount":9007199254740993`
    result(`{"auction_state":{"bids":[{"public_key":"01","bid":{"Validator":{${limits}}}}]}}`)
    const [bid] = (await value(client.stateGetAuctionInfoV2())).auction_state.bids
    expect(bid?.bid.Validator).toEqual({
      delegation_rate: 10,
      reserved_slots: 0,
      maximum_delegation_amount: 9007199254740993n
    })
    const mode = `{"PaymentLimited":{"payment_amount":9007199254740993,"gas_price_tolerance":1}}`
    result(`{"transaction":{"Version1":{"payload":{"pricing_mode":${mode}}}}}`)
    expect(
      (await value(client.infoGetTransaction({ transaction_hash: { Version1: "00".repeat(32) } })))
        .transaction
    ).toEqual({
      Version1: {
        payload: {
          pricing_mode: {
            PaymentLimited: { payment_amount: 9007199254740993n, gas_price_tolerance: 1 }
          }
        }
      }
    })
  })

  it.each([
    [{ public_key: "02", staked_amount: "5", bonding_purse: "uref-00-007", delegatee: "01" }, undefined],
    [
      {
        delegator_public_key: "02",
        delegator: {
          delegator_public_key: "02",
          staked_amount: "5",
          bonding_purse: "uref-00-007",
          validator_public_key: "01"
        }
      },
      "01"
    ]
  ])("and bids of the auction are told from those of Casper 1: %o", async (delegator, validator) => {
    const { client, result } = makeRpcNode(endpoints)
    const bid = { validator_public_key: validator, delegators: [delegator], delegation_rate: 10 }
    result(JSON.stringify({ auction_state: { bids: [{ public_key: "01", bid }] } }))
    const stakes = (await value(client.stateGetAuctionInfo())).auction_state.bids.flatMap((each) =>
      each.bid.validator_public_key === undefined
        ? each.bid.delegators.map(({ public_key, staked_amount }) => [public_key, staked_amount])
        : each.bid.delegators.map(({ delegator: { delegator_public_key, staked_amount } }) => [
            delegator_public_key,
            staked_amount
          ])
    )
    expect(stakes).toEqual([["02", "5"]])
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
    const node = makeRpcNode(endpoints)
    node.fails(code, message)
    expect((await error(node.client.infoGetPeers())).message).toBe(message)
    expect(node.fault()).toBe(fault)
  })

  it("before anything is sent tells which account is missing", async () => {
    const { client } = makeRpcNode(endpoints)
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
