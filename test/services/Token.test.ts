// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Token from "../../src/services/Token.js"
import { makeScripted, parseBody } from "./scripted.js"

const one = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const token = "0x5169fe503d6dacb7ac0495faa342ee9731892490"
const held = (rows: ReadonlyArray<object>) => ({ json: { result: rows } })
const row = (fields: object = {}) => ({
  chain: "celo-mainnet",
  type: "fungible",
  address: one,
  balance: "100",
  tokenAddress: token,
  lastUpdatedBlockNumber: 7,
  ...fields
})
const transfer = (fields: object = {}) => ({
  chain: "celo-mainnet",
  blockNumber: 1,
  hash: "0x1",
  transactionType: "fungible",
  amount: "1",
  timestamp: 2,
  address: one,
  ...fields
})

describe("balances of fungible tokens", () => {
  it.effect("are exact, and only those", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(
        Token.make,
        [
          { text: `{"result":[${JSON.stringify(row()).replace('"100"', "1e-18")}]}` },
          held([row({ balance: null })])
        ],
        { network: "celo-mainnet" }
      )
      expect(yield* service.getBalance({ address: one, page: 1 })).toEqual([
        row({ balance: "0.000000000000000001" })
      ])
      expect(lines()).toEqual([
        `GET /v4/data/wallet/portfolio?chain=celo-mainnet&addresses=${one}&tokenTypes=fungible&pageSize=50&offset=1`
      ])
      const error = yield* Effect.flip(service.getBalance({ addresses: [one] }))
      expect(error).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
      expect(error.message).toContain("result.0.balance: ")
    })
  )

  it.effect("are streamed page by page as they are consumed", () =>
    Effect.gen(function* () {
      const rows = ["1", "2", "3"].map((balance) => row({ balance }))
      const { lines, service } = yield* makeScripted(Token.make, [
        held(rows.slice(0, 2)),
        held(rows.slice(2))
      ])
      const stream = service.streamBalance({ addresses: [one], pageSize: 2 })
      const all = yield* Stream.runCollect(stream)
      expect(Chunk.toReadonlyArray(all).map(({ balance }) => balance)).toEqual(["1", "2", "3"])
      expect(lines().length).toBe(2)
    })
  )

  it.effect("are those of networks of the data API", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Token.make, [], { network: "fantom-mainnet" })
      expect(yield* Effect.flip(service.getBalance({ address: one }))).toMatchObject({
        message: "Not supported for fantom-mainnet network.",
        networks: expect.arrayContaining(["ethereum-mainnet", "arbitrum-one-mainnet"])
      })
      const unsupported: ReadonlyArray<Effect.Effect<unknown, Token.TokenError>> = [
        service.getTokenMetadata({ tokenAddress: token }),
        service.getAllFungibleTransactions({ address: one }),
        Stream.runCollect(service.streamAllFungibleTransactions({ address: one }))
      ]
      for (const ask of unsupported) {
        expect(yield* Effect.flip(ask)).toMatchObject({
          _tag: "NotSupportedForNetwork",
          feature: "token",
          message: "Unsupported network fantom-mainnet",
          networks: expect.arrayContaining(["ethereum-mainnet", "arbitrum-one-mainnet"])
        })
      }
      // each route has networks of its own
      const holesky = yield* makeScripted(Token.make, [{ json: [] }], { network: "ethereum-holesky" })
      expect(yield* holesky.service.getBalance({ address: one })).toEqual([])
      expect(yield* Effect.flip(holesky.service.getAllFungibleTransactions({ address: one }))).toMatchObject({
        _tag: "NotSupportedForNetwork",
        feature: "token",
        networks: expect.arrayContaining(["ethereum-sepolia"])
      })
    })
  )
})

describe("fungible tokens", () => {
  it.effect("are described with every digit of their supply, on Amoy too", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(
        Token.make,
        [
          {
            text: '{"symbol":"TST","name":"Test","supply":"1000","decimals":0,"tokenType":"fungible","cap":null}'
          },
          { json: { tokenType: "coupon", decimals: "x" } }
        ],
        { network: "polygon-amoy", dataApi: "legacy" }
      )
      const ask = service.getTokenMetadata({ tokenAddress: token })
      expect(yield* ask).toEqual({
        symbol: "TST",
        name: "Test",
        supply: "1000",
        decimals: 0,
        tokenType: "fungible"
      })
      expect(lines()).toEqual([`GET /v4/data/tokens?chain=polygon-amoy&tokenAddress=${token}`])
      const error = yield* Effect.flip(ask)
      expect(error.message).toContain("tokenType: must be one of fungible, nft, multitoken")
      expect(error.message).toContain("decimals")
    })
  )

  it.effect("are deployed once, and refused before anything is sent", () =>
    Effect.gen(function* () {
      const made = { owner: one, name: "My", symbol: "MY", initialSupply: "0.000001", initialHolder: one }
      const { sent, service } = yield* makeScripted(
        Token.make,
        [{ json: { txId: "0xabc" } }, { json: {} }, { status: 500, text: "" }],
        { retryCount: 3 }
      )
      expect(yield* service.createNewFungibleToken({ ...made, decimals: "6" })).toEqual({ txId: "0xabc" })
      expect(parseBody(sent[0])).toEqual({
        ...made,
        decimals: "6",
        chain: "ethereum",
        contractType: "fungible"
      })
      const failed = (fields: object) => Effect.flip(service.createNewFungibleToken({ ...made, ...fields }))
      expect((yield* failed({})).message).toContain("txId: is missing")
      expect(yield* failed({})).toMatchObject({ status: 500 })
      expect(sent.length).toBe(3)
      for (const fields of [
        { decimals: 5 },
        { decimals: 256 },
        { initialSupply: "-1" },
        { initialSupply: "1e18" },
        { owner: "me" },
        { minter: "0x1" },
        { name: " " }
      ]) {
        expect(yield* failed(fields)).toMatchObject({
          _tag: "InvalidArgument",
          call: "token.createNewFungibleToken",
          reason: expect.stringContaining(": must be")
        })
      }
    })
  )

  it.effect("have transfers, which are streamed as they are consumed", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* makeScripted(
        Token.make,
        [
          held([transfer({ tokenId: "1", amount: "-1e-7" })]),
          held([transfer({ hash: "a" }), transfer({ hash: "b" })]),
          held([transfer({ hash: "c" }), transfer({ hash: "d" })])
        ],
        { network: "celo-mainnet" }
      )
      expect(
        yield* service.getAllFungibleTransactions({
          address: one,
          transactionTypes: ["incoming", "zero-transfer"],
          blockFrom: 0
        })
      ).toEqual([transfer({ amount: "-0.0000001" })])
      expect(lines()).toEqual([
        `GET /v4/data/transaction/history?chain=celo-mainnet&addresses=${one}&transactionTypes=fungible&transactionSubtype=incoming,zero-transfer&blockFrom=0&pageSize=50`
      ])
      const three = yield* Stream.runCollect(
        service.streamAllFungibleTransactions({ address: one, pageSize: 2, limit: 3 })
      )
      expect(Chunk.toReadonlyArray(three).map(({ hash }) => hash)).toEqual(["a", "b", "c"])
      expect(lines().length).toBe(3)
    })
  )
})
