import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Data from "../../src/services/DataApi.js"
import { bodyOf, scripted } from "./scripted.js"

const owner = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const chain = "ethereum-mainnet"
const page = (result: unknown) => ({ json: { result } })

describe("the data API", () => {
  it.effect("has one table of paths, and the configuration says which names", () =>
    Effect.gen(function* () {
      const asked = (dataApi: "data" | "portfolio") =>
        Effect.gen(function* () {
          const answers = [page([]), page([]), page([]), page([]), { json: [] }, { json: {} }]
          const { lines, service } = yield* scripted(Data.make, answers, { dataApi })
          yield* service.getBalancesOfAddresses({ chain, addresses: owner })
          yield* service.getTransactions({ chain, addresses: [owner] })
          yield* service.getTransactionsByHash({ chain, hash: "0x1" })
          yield* service.getEvents({ chain })
          yield* service.getBlocks({ chain })
          yield* service.getLatestBlock({ chain })
          return lines().map((line) => line.replace(/^GET \/v4\/|\?.*$/g, ""))
        })
      expect(yield* asked("data")).toEqual([
        "data/balances",
        "data/transactions",
        "data/transactions",
        "data/events",
        "data/blocks",
        "data/blocks/latest"
      ])
      expect(yield* asked("portfolio")).toEqual([
        "data/wallet/portfolio",
        "data/transaction/history",
        "data/transactions",
        "data/defi/events",
        "data/defi/blocks",
        "data/defi/blocks/latest"
      ])
    })
  )

  it.effect("is asked with lists joined, from the first block, and without what is a default", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* scripted(Data.make, [page([]), page([])])
      yield* service.getTransactions({
        chain: "ethereum",
        addresses: [owner, "0x2"],
        transactionTypes: ["nft", "multitoken"],
        transactionSubtype: "incoming",
        blockFrom: 0,
        blockTo: 20,
        pageSize: 25,
        offset: 0
      })
      yield* service.getTokensFromCollection({
        chain,
        collectionAddresses: owner,
        tokenTypes: ["nft"],
        excludeMetadata: false
      })
      expect(lines()).toEqual([
        `GET /v4/data/transactions?chain=ethereum&blockFrom=0&blockTo=20&addresses=${owner},0x2&transactionTypes=nft,multitoken&transactionSubtype=incoming&pageSize=25`,
        `GET /v4/data/collections?chain=ethereum-mainnet&collectionAddresses=${owner}&tokenTypes=nft`
      ])
    })
  )

  it.effect("keeps every digit of unspent outputs", () =>
    Effect.gen(function* () {
      const text =
        '[{"chain":"doge-mainnet","address":"D","txHash":"h","index":1,"value":123456789012.12345678}]'
      const { service } = yield* scripted(Data.make, [{ text }])
      expect(
        yield* service.getUtxosByAddress({ chain: "doge-mainnet", address: "D", totalValue: 1 })
      ).toEqual([
        { chain: "doge-mainnet", address: "D", txHash: "h", index: 1, value: "123456789012.12345678" }
      ])
    })
  )

  it.effect("deploys tokens once, whatever comes of it", () =>
    Effect.gen(function* () {
      const token = {
        chain: "celo",
        owner,
        name: "n",
        symbol: "s",
        initialSupply: "1.25",
        initialHolder: owner,
        decimals: 2
      }
      const { sent, service } = yield* scripted(Data.make, [{ status: 502, text: "" }], { retryCount: 3 })
      expect(yield* Effect.flip(service.createFungibleToken(token))).toMatchObject({ status: 502 })
      expect(sent.map(bodyOf)).toEqual([{ ...token, decimals: "2", contractType: "fungible" }])
      const refused = (fields: object) => Effect.flip(service.createFungibleToken({ ...token, ...fields }))
      for (const initialSupply of ["1.234", "-1", "1e3", "many", ""]) {
        expect(yield* refused({ initialSupply })).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining("initialSupply: must be")
        })
      }
      expect(yield* refused({ decimals: -1 })).toMatchObject({
        reason: expect.stringContaining("decimals: must be a whole number from 0 to 255")
      })
      expect(yield* refused({ owner: "" })).toMatchObject({ reason: expect.stringContaining("owner: ") })
    })
  )

  it.effect("streams lists page by page as they are consumed", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* scripted(Data.make, [
        page(["a", "b"]),
        page(["c", "d"]),
        page(["e"]),
        page(["a", "b"])
      ])
      const stream = (limit?: number) =>
        service.streamOwnersOfToken({
          chain,
          tokenAddress: owner,
          pageSize: 2,
          ...(limit === undefined ? {} : { limit })
        })
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(stream()))).toEqual(["a", "b", "c", "d", "e"])
      expect(lines().map((line) => line.replace(/^.*pageSize=2&?/, ""))).toEqual(["", "offset=1", "offset=2"])
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(stream(2)))).toEqual(["a", "b"])
      expect(lines().length).toBe(4)
    })
  )

  it.effect("tells a list that is none by its path", () =>
    Effect.gen(function* () {
      const { service } = yield* scripted(Data.make, [page({}), { json: null }])
      const ask = Effect.flip(service.getEvents({ chain }))
      expect(yield* ask).toMatchObject({
        _tag: "GatewayError",
        kind: "malformed",
        call: "data.getEvents",
        message: expect.stringContaining("result: must be a list")
      })
      expect(yield* ask).toMatchObject({ kind: "malformed" })
    })
  )

  it.effect("is not asked what makes no sense", () =>
    Effect.gen(function* () {
      const { service } = yield* scripted(Data.make, [])
      const refused: ReadonlyArray<Effect.Effect<unknown, Data.DataError>> = [
        service.getBalancesOfAddresses({ chain: "", addresses: owner }),
        service.getBalancesOfAddresses({ chain, addresses: [] }),
        service.getOwnersOfToken({ chain, tokenAddress: owner, pageSize: 0 }),
        service.getTransactions({ chain, offset: -1 }),
        service.getEvents({ chain, blockFrom: Number.NaN }),
        service.getUtxosByAddress({ chain, address: owner, totalValue: -1 })
      ]
      const reasons = yield* Effect.forEach(refused, (ask) =>
        Effect.map(Effect.flip(ask), (error) => `${error._tag} ${error.message}`)
      )
      for (const [i, field] of [
        "chain",
        "addresses",
        "pageSize",
        "offset",
        "blockFrom",
        "totalValue"
      ].entries()) {
        expect(reasons[i]).toContain("InvalidArgument")
        expect(reasons[i]).toContain(`${field}: must be`)
      }
    })
  )
})
