// @runtime both
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import * as Contract from "../../src/services/Contract.js"
import { makeScripted, parseBody } from "./scripted.js"

const owner = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"

describe("a contract", () => {
  it.effect("is deployed with the fields of its template, once", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(Contract.make, [
        { json: { txId: "0xabc" } },
        { status: 500, text: "boom" }
      ])
      const contract = { contractType: "nft", owner, name: "Bored", baseURI: "ipfs://base/" } as const
      expect(yield* service.deploy(contract)).toEqual({ txId: "0xabc" })
      expect(parseBody(sent[0])).toEqual({ ...contract, chain: "ethereum-mainnet" })
      expect(yield* Effect.flip(service.deploy(contract))).toMatchObject({ status: 500 })
      expect(lines()).toEqual(["POST /v4/contract/deploy", "POST /v4/contract/deploy"])
    })
  )

  it.effect("is prepared for a wallet of one's own", () =>
    Effect.gen(function* () {
      const { lines, sent, service } = yield* makeScripted(Contract.make, [
        { json: { data: "0x6080" } },
        { json: { data: "no hex" } }
      ])
      const preparation = { contractType: "fungible", params: ["Name", "SYM", 18] } as const
      expect(yield* service.prepare(preparation)).toEqual({ data: "0x6080" })
      expect(parseBody(sent[0])).toEqual(preparation)
      expect((yield* Effect.flip(service.prepare(preparation))).message).toContain(
        "data: must be hexadecimal"
      )
      expect(lines()[0]).toBe("POST /v4/contract/deploy/prepare")
    })
  )

  it.effect.each([
    [{}, "contractType"],
    [{ contractType: "nft" }, "owner"],
    [{ contractType: "car", owner }, "must be one of nft, fungible, multitoken"]
  ] as const)("like %j is refused before anything is sent", ([contract, reason]) =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Contract.make, [])
      const error = yield* Effect.flip(service.deploy(contract as unknown as Contract.NewContract))
      expect(error._tag).toBe("InvalidArgument")
      expect(error.message).toContain(reason)
    })
  )

  it.effect("is for networks with templates", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Contract.make, [], { network: "bitcoin-mainnet" })
      expect(yield* Effect.flip(service.prepare({ contractType: "nft", params: [] }))).toMatchObject({
        _tag: "NotSupportedForNetwork"
      })
    })
  )
})
