// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Data from "../../src/services/DataApi.js"
import { makeScripted, parseBody } from "./scripted.js"

const owner = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const chain = "ethereum-mainnet"
const page = (result: unknown) => ({ json: { result } })

describe("the data API", () => {
  it.effect("is asked in the words of the generation that the configuration names", () =>
    Effect.gen(function* () {
      const asked = (dataApi: "v4" | "legacy") =>
        Effect.gen(function* () {
          const one = [page([]), page([]), page([]), page([]), { json: [] }, { json: {} }, page([])]
          const answers = dataApi === "v4" ? [page([]), page([]), ...one] : one
          const { lines, service } = yield* makeScripted(Data.make, answers, { dataApi })
          yield* service.getBalancesOfAddresses({ chain, addresses: owner })
          yield* service.getTransactions({ chain, addresses: [owner], transactionSubtype: "incoming" })
          yield* service.getTransactionsByHash({ chain, hash: "0x1" })
          yield* service.getEvents({ chain, contractAddress: owner, contractAddresses: ["0x2", "0x3"] })
          yield* service.getBlocks({ chain, blockFrom: 0, blockTo: 2 })
          yield* service.getLatestBlock({ chain })
          yield* service.getTokenMetadata({ chain, tokenAddress: owner, tokenIds: ["7"] })
          return lines().map((line) => line.replace(/^GET \/v4\/|chain=ethereum-mainnet&?/g, ""))
        })
      expect(yield* asked("legacy")).toEqual([
        `data/balances?addresses=${owner}`,
        `data/transactions?addresses=${owner}&transactionSubtype=incoming`,
        "data/transactions?hash=0x1",
        `data/events?contractAddress=${owner}&contractAddresses=0x2,0x3`,
        "data/blocks?blockFrom=0&blockTo=2",
        "data/blocks/latest?",
        `data/metadata?tokenAddress=${owner}&tokenIds=7`
      ])
      expect(yield* asked("v4")).toEqual([
        ...["native", "fungible", "nft,multitoken"].map(
          (kinds) => `data/wallet/portfolio?addresses=${owner}&tokenTypes=${kinds}`
        ),
        `data/transaction/history?addresses=${owner}&transactionSubtype=incoming`,
        "data/transactions/hash?hash=0x1",
        `data/defi/events?address=${owner},0x2,0x3`,
        "data/defi/blocks?from=0&to=2",
        "data/defi/blocks/latest?",
        `data/metadata?tokenAddress=${owner}&tokenId=7`
      ])
    })
  )

  it.effect("has balances in one shape: whole coins and tokens", () =>
    Effect.gen(function* () {
      const at = { chain, address: owner }
      const native = { ...at, type: "native", balance: "1500000000000000001", decimals: 18 }
      const item = { ...at, type: "nft", balance: "1", tokenAddress: "0x2", tokenId: "7" }
      const today = yield* makeScripted(Data.make, [
        { json: [{ ...native, denominatedBalance: "1.500000000000000001" }] },
        {
          json: [
            { ...at, type: "fungible", balance: "25", decimals: 1, tokenAddress: "0x1" },
            // what the provider has worked out is enough by itself
            { ...at, type: "fungible", balance: "25", denominatedBalance: "0.25", tokenAddress: "0x3" }
          ]
        },
        page([item])
      ])
      expect(yield* today.service.getBalancesOfAddresses({ chain: "ethereum", addresses: owner })).toEqual([
        { ...native, balance: "1.500000000000000001" },
        { ...at, type: "fungible", balance: "2.5", decimals: 1, tokenAddress: "0x1" },
        { ...at, type: "fungible", balance: "0.25", tokenAddress: "0x3" },
        item
      ])
      const before = yield* makeScripted(Data.make, [page([{ ...native, balance: "1.5" }])], {
        dataApi: "legacy"
      })
      expect(yield* before.service.getBalancesOfAddresses({ chain, addresses: owner })).toEqual([
        { ...native, balance: "1.5" }
      ])
    })
  )

  it.effect("names networks by their ids, whatever the provider calls them", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [
        page([{ chain: "arb-one-mainnet", type: "fungible", balance: "1", address: owner }]),
        page([{ chain: "arb-one-mainnet", txHash: "0x1" }])
      ])
      const query = { addresses: owner, tokenTypes: "fungible" }
      expect(
        yield* service.getBalancesOfAddresses({ chain: "arbitrum-one-mainnet", ...query })
      ).toMatchObject([{ chain: "arbitrum-one-mainnet" }])
      expect(yield* service.getTransactions({ chain: "arb-one-mainnet", addresses: owner })).toMatchObject([
        { chain: "arbitrum-one-mainnet", hash: "0x1" }
      ])
      for (const line of lines()) expect(line).toContain("chain=arb-one-mainnet&")
      expect(yield* Effect.flip(service.getEvents({ chain: "bitcoin-mainnet" }))).toMatchObject({
        _tag: "NotSupportedForNetwork",
        feature: "data",
        network: "bitcoin-mainnet",
        networks: expect.arrayContaining(["ethereum-mainnet", "arbitrum-one-mainnet", "monad-mainnet"])
      })
    })
  )

  it.effect("does not ask today's routes what they cannot be asked", () =>
    Effect.gen(function* () {
      const fixed = yield* makeScripted(Data.make, [], { dataApi: "v4" })
      const lacking: ReadonlyArray<readonly [Effect.Effect<unknown, Data.DataError>, string]> = [
        [fixed.service.getEvents({ chain, signatures: "x" }), "does not know signatures"],
        [fixed.service.getBlocks({ chain, blockIds: "1", pageSize: 2 }), "does not know blockIds, pageSize"],
        [fixed.service.getTokensFromCollection({ chain, tokenIds: "1" }), "does not know tokenIds"],
        [fixed.service.getTokenMetadata({ chain, tokenAddress: owner }), "needs tokenIds"]
      ]
      for (const [ask, reason] of lacking)
        expect(yield* Effect.flip(ask)).toMatchObject({
          _tag: "InvalidArgument",
          reason: expect.stringContaining(reason)
        })
      // the legacy generation may know, and is asked once where it is gone
      const gone = { status: 404, json: { message: "Cannot GET /v4/data/events" } }
      const { lines, service } = yield* makeScripted(Data.make, [page(["a"]), gone, page([])])
      expect(yield* service.getEvents({ chain, signatures: "x" })).toEqual(["a"])
      const ask = service.getEvents({ chain, signatures: "y" })
      for (let i = 0; i < 2; i++)
        expect(yield* Effect.flip(ask)).toMatchObject({ _tag: "InvalidArgument", call: "data.getEvents" })
      expect(yield* service.getEvents({ chain })).toEqual([])
      expect(lines().map((line) => line.replace(/\?.*/, ""))).toEqual([
        "GET /v4/data/events",
        "GET /v4/data/events",
        "GET /v4/data/defi/events"
      ])
    })
  )

  it.effect("is asked with lists joined, from the first block, and without what is a default", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(Data.make, [page([]), page([])], { dataApi: "legacy" })
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
      const { service } = yield* makeScripted(Data.make, [{ text }])
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
      const { sent, service } = yield* makeScripted(Data.make, [{ status: 502, text: "" }], { retryCount: 3 })
      expect(yield* Effect.flip(service.createFungibleToken(token))).toMatchObject({ status: 502 })
      expect(sent.map(parseBody)).toEqual([{ ...token, decimals: "2", contractType: "fungible" }])
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
      const { lines, service } = yield* makeScripted(Data.make, [
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
      const { service } = yield* makeScripted(Data.make, [page({}), { json: null }])
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
      const { service } = yield* makeScripted(Data.make, [])
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
