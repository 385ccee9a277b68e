// @runtime both
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { bnb, classify, endpoints } from "../../src/chains/Bnb.js"
import { networks } from "../../src/data/Network.js"
import { makeRpcNode } from "./wire.js"

const value = Effect.runPromise
const error = <A, E>(effect: Effect.Effect<A, E>): Promise<E> => Effect.runPromise(Effect.flip(effect))

describe("a node of the Beacon Chain", () => {
  it("is asked by names in snake case, with integers as text", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await value(client.block({ height: 9007199254740993n }))
    expect(sent()).toEqual({ method: "block", params: { height: "9007199254740993" } })
    await value(client.txSearch({ query: "tx.height=5", perPage: 30, page: 1, prove: false }))
    expect(sent()).toEqual({
      method: "tx_search",
      params: { query: "tx.height=5", per_page: "30", page: "1", prove: false }
    })
    await value(client.status())
    expect(sent()).toEqual({ method: "status", params: {} })
  })

  it("is asked for a range by the names that it reads, which are in camelCase", async () => {
    const { client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    await value(client.blockchain({ minHeight: 1, maxHeight: 10n }))
    expect(sent()).toEqual({ method: "blockchain", params: { minHeight: "1", maxHeight: "10" } })
  })

  it("gets evidence as it is: no name in it is changed", async () => {
    const { call, client, result, sent } = makeRpcNode(endpoints)
    result("{}")
    const evidence = {
      type: "tendermint/DuplicateVoteEvidence",
      value: { PubKey: {}, VoteA: { someName: 1 } }
    }
    await value(client.broadcastEvidence({ evidence }))
    expect(sent().params).toEqual([evidence])
    expect(call().repeat).toBe("broadcast")
  })

  it("that refuses a transaction inside a 200 has failed the call, with its words", async () => {
    const { client, fault, result } = makeRpcNode(endpoints)
    result(`{"code":5,"data":"","log":"insufficient funds","codespace":"sdk","hash":"AB"}`)
    for (const refused of [client.broadcastTxSync({ tx: "dHg=" }), client.broadcastTxAsync({ tx: "dHg=" })]) {
      expect((await error(refused)).message).toContain("sdk 5: insufficient funds")
      expect(fault()).toBe("caller")
    }
    result(`{"check_tx":{},"deliver_tx":{"code":11,"log":"out of gas"},"hash":"AB","height":"7"}`)
    expect((await error(client.broadcastTxCommit({ tx: "dHg=" }))).message).toContain("11: out of gas")
    result(`{"response":{"code":2,"log":"unknown path"}}`)
    expect((await error(client.abciQuery({ path: "/nothing" }))).message).toContain("unknown path")
  })

  it("that tells of a failed transaction in a block has answered", async () => {
    const { client, result } = makeRpcNode(endpoints)
    const tx = {
      hash: "AB".repeat(32),
      height: "7",
      index: 0,
      tx_result: { code: 11, log: "out of gas" },
      tx: "dHg="
    }
    result(JSON.stringify(tx))
    expect(await value(client.tx({ hash: `0x${"AB".repeat(32)}` }))).toEqual(tx)
    result(JSON.stringify({ txs: [tx], total_count: "1" }))
    expect(await value(client.txSearch({ query: "tx.height=7" }))).toEqual({ txs: [tx], total_count: "1" })
  })

  it("has its errors judged by their words, most of which stand in the data", () => {
    const internal = { code: -32603, message: "Internal error" }
    expect(classify({ ...internal, data: "height 9 must be less than or equal to 8" })).toBe("elsewhere")
    expect(classify({ ...internal, data: "tx (AB) not found" })).toBe("elsewhere")
    expect(classify({ ...internal, data: "mempool is full: number of txs 5000" })).toBe("node")
    expect(classify({ ...internal, data: "tx already exists in cache" })).toBe("caller")
    expect(classify({ code: -32601, message: "Method not found" })).toBe("elsewhere")
    expect(classify({ code: -32602, message: "Invalid params" })).toBe("caller")
    expect(classify({ code: 65_541, message: "not found" })).toBe("caller")
  })

  it("tells its height by the newest block", () => {
    const probe = bnb.probe?.("bnb-beacon-chain-mainnet", networks["bnb-beacon-chain-mainnet"])
    expect(probe?.height({ result: { block: { header: { height: "384544850" } } } })).toBe("384544850")
    expect(probe?.height({ result: { block: null } })).toBeUndefined()
  })
})
