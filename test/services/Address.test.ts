// @runtime both

import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import { ClientFamily } from "../../src/balancer/Family.js"
import { loadFamily } from "../../src/chains/registry.js"
import { isDataApiUtxo, supports } from "../../src/data/Coverage.js"
import { checksumAddress } from "../../src/data/evmAddress.js"
import { info, isNetwork, type Network, networks } from "../../src/data/Network.js"
import { format } from "../../src/data/Units.js"
import { HttpFailure } from "../../src/http/Http.js"
import * as Address from "../../src/services/Address.js"
import { Transport, type TransportService } from "../../src/wire/Transport.js"
import { runs } from "../properties.js"
import { type Answer, makeScripted } from "./scripted.js"

interface NodeAnswer {
  readonly status?: number
  readonly json: unknown
}

interface Asked {
  readonly path: string
  readonly body: unknown
}

/** A node that is not there. */
const noNode = ({ path }: Asked): NodeAnswer => {
  throw new Error(`unexpected call of a node: ${path}`)
}

/** The service over a node and over answers of the provider, each of which fails on what was not expected. */
const address = (
  network: Network,
  answers: ReadonlyArray<Answer | HttpFailure>,
  node: (asked: Asked) => NodeAnswer = noNode,
  dataApi: "auto" | "v4" | "legacy" = "auto"
) => {
  const asked: Array<Asked> = []
  const transport: TransportService = {
    send: (call) =>
      Effect.suspend(() => {
        const request = { path: call.path, body: JSON.parse(String(call.body)) }
        asked.push(request)
        const { json, status = 200 } = node(request)
        const read = call.decode({ status, text: JSON.stringify(json), url: "https://node.example" })
        return Either.isLeft(read) ? Effect.fail(read.left.error) : Effect.succeed(read.right)
      }),
    nodeUrl: () => Effect.dieMessage("unexpected")
  }
  return Effect.map(
    makeScripted(
      Address.make.pipe(
        Effect.provideServiceEffect(ClientFamily, Effect.orDie(loadFamily(info(network).family))),
        Effect.provideService(Transport, transport)
      ),
      answers,
      { network, retryCount: 0, dataApi }
    ),
    (made) => ({ ...made, asked })
  )
}

const one = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"
const two = "0xe7438d25519dcf7301238cb3ef8a824e805aa7f0"
const three = "0x211500d1960bdb7ba3390347ffd8ad486b897a18"
const token = "0x5169fe503d6dacb7ac0495faa342ee9731892490"

/** A JSON-RPC node: a result per item, in whatever order. */
const rpcNode =
  (answer: (params: ReadonlyArray<unknown>, batched: boolean) => object) =>
  ({ body }: Asked): NodeAnswer => {
    const reply = (
      request: { readonly id: unknown; readonly params: ReadonlyArray<unknown> },
      batched: boolean
    ) => ({
      jsonrpc: "2.0",
      id: request.id,
      ...answer(request.params, batched)
    })
    return {
      json: Array.isArray(body)
        ? body.map((each) => reply(each, true)).reverse()
        : reply(JSON.parse(JSON.stringify(body)), false)
    }
  }

const held = (rows: ReadonlyArray<object>) => ({ json: { result: rows, prevPage: "", nextPage: "" } })
const row = (fields: object = {}) => ({
  chain: "ethereum-mainnet",
  type: "fungible",
  address: one,
  balance: "100",
  tokenAddress: token,
  ...fields
})

/** The same account with the checksum of EIP-55. */
const checksummed = checksumAddress(one)

describe("balances on EVM networks", () => {
  it.effect("have one spelling of each address: the caller's", () =>
    Effect.gen(function* () {
      const { service } = yield* address(
        "ethereum-mainnet",
        [held([row(), row({ address: two })]), held([]), { json: { symbol: "TST", decimals: 0 } }],
        rpcNode(() => ({ result: "0x1" }))
      )
      const balances = yield* service.getBalance({ addresses: [checksummed, two] })
      expect(balances.map(({ address, type }) => `${type} ${address}`)).toEqual([
        `native ${checksummed}`,
        `native ${two}`,
        `fungible ${checksummed}`,
        `fungible ${two}`
      ])
      // what was not asked for stays as the provider has it
      expect(balances.map(({ tokenAddress }) => tokenAddress)).toEqual([undefined, undefined, token, token])
    })
  )

  it.effect("come from the node and the data API, exact, with each token looked up once", () =>
    Effect.gen(function* () {
      const { asked, lines, service } = yield* address(
        "ethereum-mainnet",
        [
          // a number that a float cannot hold, and one with an exponent
          {
            text: `{"result":[${JSON.stringify(row({ address: two }))},${JSON.stringify(row()).replace('"100"', "123456789012345678901234567890.5")},${JSON.stringify(row({ balance: "1e-18" }))}]}`
          },
          held([]),
          { json: { symbol: "TST", decimals: 0 } }
        ],
        rpcNode(() => ({ result: "0x1" }))
      )
      const natives = {
        address: one,
        asset: "ETH",
        decimals: 18,
        balance: "0.000000000000000001",
        type: "native"
      }
      const fungible = { address: one, tokenAddress: token, type: "fungible", asset: "TST", decimals: 0 }
      expect(yield* service.getBalance({ address: one })).toEqual([
        natives,
        { ...fungible, address: two, balance: "100" },
        { ...fungible, balance: "123456789012345678901234567890.5" },
        { ...fungible, balance: "0.000000000000000001" }
      ])
      expect(asked.map(({ body }) => body)).toMatchObject([
        { method: "eth_getBalance", params: [one, "pending"] }
      ])
      expect(lines()).toEqual([
        `GET /v4/data/wallet/portfolio?chain=ethereum-mainnet&addresses=${one}&excludeMetadata=true&tokenTypes=fungible&pageSize=10`,
        `GET /v4/data/wallet/portfolio?chain=ethereum-mainnet&addresses=${one}&excludeMetadata=true&tokenTypes=nft,multitoken&pageSize=10`,
        `GET /v4/data/tokens?chain=ethereum-mainnet&tokenAddress=${token}`
      ])
    })
  )

  it.effect("are told without what a token is, where that cannot be found out", () =>
    Effect.gen(function* () {
      const { service } = yield* address("bsc-mainnet", [
        held([row(), row({ tokenAddress: two }), row({ tokenAddress: three })]),
        { status: 404, json: { message: "no such token" } },
        new HttpFailure({ kind: "network", reason: "gone" }),
        { json: { symbol: 7 } }
      ])
      const balances = yield* service.getBalance({ addresses: [one], tokenTypes: ["fungible"] })
      expect(balances).toEqual(
        [token, two, three].map((tokenAddress) => ({
          address: one,
          tokenAddress,
          balance: "100",
          type: "fungible"
        }))
      )
    })
  )

  it.effect("of three addresses are one batch; what it lacks is asked for by itself", () =>
    Effect.gen(function* () {
      const { asked, service } = yield* address(
        "ethereum-mainnet",
        [],
        rpcNode(([of], batched) =>
          of === two && batched
            ? { error: { code: -32005, message: "limit" } }
            : { result: of === one ? "0x2" : "0x3" }
        )
      )
      const balances = yield* service.getBalance({ addresses: [one, two, three], tokenTypes: ["native"] })
      expect(balances.map((each) => [each.address, each.balance])).toEqual([
        [one, "0.000000000000000002"],
        [two, "0.000000000000000003"],
        [three, "0.000000000000000003"]
      ])
      expect(asked.map(({ body }) => (Array.isArray(body) ? body.length : 1))).toEqual([3, 1])
    })
  )

  it.effect("of two addresses are two calls", () =>
    Effect.gen(function* () {
      const { asked, service } = yield* address(
        "bsc-mainnet",
        [],
        rpcNode(() => ({ result: "0x0" }))
      )
      yield* service.getBalance({ addresses: [one, two], tokenTypes: ["native"] })
      expect(asked.map(({ body }) => Array.isArray(body))).toEqual([false, false])
    })
  )

  it.effect("have every digit, whatever the node answers", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(FastCheck.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (wei) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const result = `0x${wei.toString(16)}`
              const { service } = yield* address(
                "base-mainnet",
                [],
                rpcNode(() => ({ result }))
              )
              const [first] = yield* service.getBalance({ address: one, tokenTypes: ["native"] })
              expect(first?.balance).toBe(format(wei, 18))
              expect(first?.balance).toMatch(/^\d+(\.\d*[1-9])?$/)
            })
          )
        ),
        { numRuns: runs(40) }
      )
    )
  )

  it.effect("outside of the data API are native ones alone", () =>
    Effect.gen(function* () {
      const { service } = yield* address(
        "fantom-mainnet",
        [],
        rpcNode(() => ({ result: "0xde0b6b3a7640000" }))
      )
      expect(yield* service.getBalance({ addresses: [one] })).toEqual([
        { address: one, asset: "FTM", decimals: 18, balance: "1", type: "native" }
      ])
      expect(
        yield* Effect.flip(service.getBalance({ address: one, tokenTypes: ["fungible"] }))
      ).toMatchObject({
        _tag: "NotSupportedForNetwork",
        feature: "address balances"
      })
    })
  )

  it.effect("that are malformed are told by the path of the field", () =>
    Effect.gen(function* () {
      const { service } = yield* address("bsc-mainnet", [
        held([row(), row({ balance: "much", type: "coupon" })]),
        held([row({ balance: "-1" })]),
        { json: { result: null } },
        { json: {} }
      ])
      const ask = Effect.flip(service.getBalance({ address: one, tokenTypes: ["nft"] }))
      const first = yield* ask
      expect(first).toMatchObject({ _tag: "GatewayError", kind: "malformed", call: "address.getBalance" })
      expect(first.message).toContain("result.1.balance: must be a decimal number")
      expect(first.message).toContain("result.1.type: must be one of native, fungible, nft, multitoken")
      expect((yield* ask).message).toContain("result.0.balance: must not be below zero")
      expect((yield* ask).message).toContain("result: must be a list")
      expect((yield* ask).message).toContain("result: is missing")
    })
  )
})

describe("balances elsewhere", () => {
  const solanaAddresses = [
    "83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri",
    "So11111111111111111111111111111111111111112"
  ]

  it.effect("of Solana are one batch, even for one address", () =>
    Effect.gen(function* () {
      const { asked, service } = yield* address(
        "solana-mainnet",
        [],
        rpcNode(([of]) => ({
          result: { context: { slot: 1 }, value: of === solanaAddresses[0] ? 1_500_000_000 : 1 }
        }))
      )
      const tokenTypes = ["native"] as const
      const balances = yield* service.getBalance({ addresses: solanaAddresses, tokenTypes })
      expect(balances.map(({ balance }) => balance)).toEqual(["1.5", "0.000000001"])
      yield* service.getBalance({ addresses: solanaAddresses.slice(0, 1), tokenTypes })
      expect(asked.map(({ body }) => Array.isArray(body) && body.length)).toEqual([2, 1])
      expect(asked[0]?.body).toMatchObject([
        { method: "getBalance", params: [solanaAddresses[0], { commitment: "processed" }] },
        {}
      ])
    })
  )

  it.effect(
    "of Solana have the tokens of its portfolio, and the coins of the nodes alone before it had one",
    () =>
      Effect.gen(function* () {
        const mint = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v"
        const [owner = ""] = solanaAddresses
        const coins = rpcNode(() => ({ result: { context: { slot: 1 }, value: 1_500_000_000 } }))
        const held = {
          chain: "solana-mainnet",
          type: "fungible",
          address: owner,
          balance: "2500000",
          denominatedBalance: "2.5",
          decimals: 6,
          tokenAddress: mint
        }
        const { lines, service } = yield* address(
          "solana-mainnet",
          [{ json: [held] }, { json: [] }, { status: 404, json: { errorCode: "token.not.found" } }],
          coins
        )
        const native = { address: owner, asset: "SOL", decimals: 9, balance: "1.5", type: "native" }
        expect(yield* service.getBalance({ address: owner })).toEqual([
          native,
          { address: owner, tokenAddress: mint, balance: "2.5", decimals: 6, type: "fungible" }
        ])
        expect(lines().map((line) => /tokenTypes=\w+/.exec(line)?.[0])).toEqual([
          "tokenTypes=fungible",
          "tokenTypes=nft",
          undefined
        ])
        const before = yield* address("solana-mainnet", [], coins, "legacy")
        expect(yield* before.service.getBalance({ address: owner })).toEqual([native])
      })
  )

  it.effect("of the XRP ledger are zero without an account, and fail with other errors", () =>
    Effect.gen(function* () {
      let result: object = {
        error: "actNotFound",
        error_code: 19,
        status: "error",
        error_message: "Account not found."
      }
      const { service } = yield* address(
        "ripple-mainnet",
        [],
        rpcNode(() => ({ result }))
      )
      const ask = service.getBalance({ address: "rf1BiGeXwwQoi8Z2ueFYTEXSwuJYfV2Jpn" })
      expect(yield* ask).toMatchObject([{ balance: "0", asset: "XRP" }])
      result = { status: "success", account_data: { Balance: "100000000000000001" } }
      expect(yield* ask).toMatchObject([{ balance: "100000000000.000001" }])
      result = { status: "error", error: "actMalformed" }
      expect(yield* Effect.flip(ask)).toMatchObject({ _tag: "RpcError" })
      result = { status: "success", account_data: {} }
      expect(yield* Effect.flip(ask)).toMatchObject({ _tag: "NodeError", kind: "malformed" })
    })
  )

  it.effect("of Bitcoin are the exact sum of unspent outputs", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* address("bitcoin-mainnet", [
        { text: '[{"value":0.1},{"value":0.2},{"value":1e-8},{"value":"20999999.97690000"}]' },
        { json: [] },
        { json: [{ value: 1 }, { worth: 2 }] },
        { json: { result: [] } }
      ])
      const ask = service.getBalance({ address: "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh" })
      expect(yield* ask).toEqual([
        {
          address: "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh",
          asset: "BTC",
          decimals: 8,
          balance: "21000000.27690001",
          type: "native"
        }
      ])
      expect(lines()[0]).toContain("totalValue=200000000000")
      expect(yield* ask).toMatchObject([{ balance: "0" }])
      expect((yield* Effect.flip(ask)).message).toContain("1.value: is missing")
      expect((yield* Effect.flip(ask)).message).toContain("must be a list")
    })
  )

  it.effect("of Tezos are those of the data API", () =>
    Effect.gen(function* () {
      const coin = { address: "tz1", symbol: "XTZ", type: "native", tokenAddress: "x", tokenId: "0" }
      const token = { address: "tz1", balance: "2", type: "nft", tokenAddress: "KT1", tokenId: "0" }
      const { lines, service } = yield* address("tezos-mainnet", [
        { json: [{ ...coin, balance: "1000000", denominatedBalance: "1", decimals: 6 }] },
        held([]),
        held([token])
      ])
      const owner = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
      const asked = `chain=tezos-mainnet&addresses=${owner}`
      expect(yield* service.getBalance({ address: owner })).toEqual([
        { address: "tz1", asset: "XTZ", decimals: 6, balance: "1", type: "native" },
        token
      ])
      expect(lines()).toEqual(
        ["native", "fungible", "nft,multitoken"].map(
          (kinds) => `GET /v4/data/wallet/portfolio?${asked}&tokenTypes=${kinds}`
        )
      )
      // the legacy generation has whole coins, decimals or not
      const before = yield* address(
        "tezos-mainnet",
        [held([{ ...coin, balance: "1", decimals: 6 }, token])],
        noNode,
        "legacy"
      )
      expect(yield* before.service.getBalance({ address: owner })).toEqual([
        { address: "tz1", asset: "XTZ", decimals: 6, balance: "1", type: "native" },
        token
      ])
      expect(before.lines()).toEqual([`GET /v4/data/balances?${asked}`])
    })
  )
})

describe("balances of Tron", () => {
  const owner = "TQuDQGdYmzuicmjkWrdpFWXKxpb9P17777"
  const usdt = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
  const odd = "TXLAQ63Xg1NAzckPwKHvzw7CSEmLMEqcdj"
  const word = (hex: string) => hex.padStart(64, "0")
  const text = (value: string) => Buffer.from(value).toString("hex")

  /** Contracts by their address and function. */
  const contracts =
    (answers: Readonly<Record<string, object>>) =>
    ({ body, path }: Asked): NodeAnswer => {
      const { contract_address, function_selector } = JSON.parse(JSON.stringify(body))
      const json = answers[`${contract_address} ${function_selector}`]
      if (path !== "/wallet/triggerconstantcontract" || json === undefined) return noNode({ path, body })
      return { json }
    }

  it.effect("are in whole coins, with each token's contract asked once for all calls", () =>
    Effect.gen(function* () {
      const account = { json: { balance: 19220661330, trc20: [{ [usdt]: "900000" }, { [usdt]: "1" }] } }
      const { asked, service } = yield* address(
        "tron-mainnet",
        [account, account],
        contracts({
          [`${usdt} symbol()`]: {
            constant_result: [`${word("20")}${word("4")}${text("USDT").padEnd(64, "0")}`]
          },
          [`${usdt} decimals()`]: { constant_result: [word("6")] }
        })
      )
      const fungible = { address: owner, asset: "USDT", decimals: 6, type: "fungible", tokenAddress: usdt }
      const expected = [
        { address: owner, asset: "TRX", decimals: 6, balance: "19220.66133", type: "native" },
        { ...fungible, balance: "0.9" },
        { ...fungible, balance: "0.000001" }
      ]
      expect(yield* service.getBalance({ address: owner })).toEqual(expected)
      expect(yield* service.getBalance({ address: owner })).toEqual(expected)
      expect(asked.length).toBe(2)
    })
  )

  it.effect("leave out what a contract does not say, and stay in its smallest unit then", () =>
    Effect.gen(function* () {
      const { service } = yield* address(
        "tron-mainnet",
        [{ json: { trc20: [{ [usdt]: "12" }, { [odd]: "34" }] } }],
        contracts({
          // one word of text, and a number that is no number of decimals
          [`${usdt} symbol()`]: { constant_result: [text("MKR").padEnd(64, "0")] },
          [`${usdt} decimals()`]: { constant_result: ["f".repeat(64)] },
          [`${odd} symbol()`]: { result: { code: "CONTRACT_VALIDATE_ERROR", message: text("no contract") } },
          [`${odd} decimals()`]: { constant_result: [""] }
        })
      )
      expect(yield* service.getBalance({ address: owner })).toEqual([
        { address: owner, asset: "TRX", decimals: 6, balance: "0", type: "native" },
        { address: owner, asset: "MKR", balance: "12", type: "fungible", tokenAddress: usdt },
        { address: owner, balance: "34", type: "fungible", tokenAddress: odd }
      ])
    })
  )

  it.effect("fail where Tron says so, and where a node cannot answer; the next call asks again", () =>
    Effect.gen(function* () {
      let busy = true
      const account = { json: { balance: 1, trc20: [{ [usdt]: "1" }] } }
      const { service } = yield* address(
        "tron-mainnet",
        [{ json: { Error: "class org.tron.core.exception" } }, account, account],
        () => ({
          json: busy ? { Error: "SERVER_BUSY" } : { constant_result: [word("0")] },
          status: busy ? 503 : 200
        })
      )
      const ask = service.getBalance({ address: owner })
      expect(yield* Effect.flip(ask)).toMatchObject({
        _tag: "GatewayError",
        messages: ["class org.tron.core.exception"]
      })
      expect(yield* Effect.flip(ask)).toMatchObject({ _tag: "NodeError" })
      busy = false
      expect(yield* ask).toMatchObject([{ balance: "0.000001" }, { balance: "1", decimals: 0 }])
    })
  )
})

describe("streams of balances", () => {
  it.effect("have native balances once, then tokens page by page as they are consumed", () =>
    Effect.gen(function* () {
      const tokens = Array.from({ length: 5 }, (_, i) => row({ tokenId: String(i) }))
      const { lines, service } = yield* address(
        "ethereum-mainnet",
        [
          held(tokens.slice(0, 2)),
          { json: { symbol: "TST", decimals: 2 } },
          held(tokens.slice(2, 4)),
          held(tokens.slice(4))
        ],
        rpcNode(() => ({ result: "0x0" }))
      )
      const first = yield* Stream.runCollect(service.streamBalance({ address: one, pageSize: 2, limit: 3 }))
      expect(Chunk.toReadonlyArray(first).map(({ tokenId, type }) => tokenId ?? type)).toEqual([
        "native",
        "0",
        "1"
      ])
      expect(lines().length).toBe(2)
    })
  )

  it.effect("go on to the last page, and look up each token once", () =>
    Effect.gen(function* () {
      const tokens = Array.from({ length: 5 }, (_, i) => row({ tokenId: String(i) }))
      const { lines, service } = yield* address("ethereum-mainnet", [
        held(tokens.slice(0, 2)),
        { json: { symbol: "TST" } },
        held(tokens.slice(2, 4)),
        held(tokens.slice(4))
      ])
      const all = yield* Stream.runCollect(
        service.streamBalance({ address: one, pageSize: 2, tokenTypes: ["multitoken"] })
      )
      expect(Chunk.toReadonlyArray(all).map(({ asset, tokenId }) => [tokenId, asset])).toEqual(
        tokens.map((_, i) => [String(i), "TST"])
      )
      expect(lines().filter((line) => line.includes("data/tokens")).length).toBe(1)
    })
  )

  it.effect("go on when coins stand among the tokens of a page", () =>
    Effect.gen(function* () {
      const coin = row({ type: "native", tokenAddress: undefined, tokenId: undefined })
      const tokens = Array.from({ length: 3 }, (_, i) => row({ tokenId: String(i) }))
      const { service } = yield* address(
        "ethereum-mainnet",
        [
          held([coin, ...tokens.slice(0, 1)]),
          { json: { symbol: "TST", decimals: 2 } },
          held(tokens.slice(1, 3)),
          held([])
        ],
        rpcNode(() => ({ result: "0x0" }))
      )
      const tokenTypes = ["native", "multitoken"] as const
      const all = yield* Stream.runCollect(service.streamBalance({ address: one, pageSize: 2, tokenTypes }))
      expect(Chunk.toReadonlyArray(all).map(({ tokenId, type }) => tokenId ?? type)).toEqual([
        "native",
        "0",
        "1",
        "2"
      ])
    })
  )

  it.effect("go through one kind of tokens after the other", () =>
    Effect.gen(function* () {
      const kinds = [
        [row({ tokenId: "a" }), row({ tokenId: "b" })],
        [row({ tokenId: "c" })],
        [row({ tokenId: "d" })]
      ]
      const { lines, service } = yield* address("ethereum-mainnet", [
        held(kinds[0] ?? []),
        { json: { symbol: "TST", decimals: 2 } },
        held(kinds[1] ?? []),
        held(kinds[2] ?? [])
      ])
      const tokenTypes = ["fungible", "nft"] as const
      const all = yield* Stream.runCollect(service.streamBalance({ address: one, pageSize: 2, tokenTypes }))
      expect(Chunk.toReadonlyArray(all).map(({ tokenId }) => tokenId)).toEqual(["a", "b", "c", "d"])
      expect(lines().flatMap((line) => /tokenTypes=\w+|offset=\d/g.exec(line)?.[0] ?? [])).toEqual([
        "tokenTypes=fungible",
        "tokenTypes=fungible",
        "tokenTypes=nft"
      ])
    })
  )

  it.effect("end with the failure of a page", () =>
    Effect.gen(function* () {
      const { service } = yield* address("bsc-mainnet", [{ status: 403, json: { message: "no" } }])
      const error = yield* Effect.flip(
        Stream.runCollect(service.streamBalance({ address: one, tokenTypes: ["nft"] }))
      )
      expect(error).toMatchObject({ _tag: "GatewayError", status: 403 })
      expect(
        yield* Effect.flip(Stream.runCollect(service.streamBalance({ address: one, pageSize: 0 })))
      ).toMatchObject({ _tag: "InvalidArgument", call: "address.streamBalance" })
    })
  )
})

const transfer = (fields: object = {}) => ({
  chain: "ethereum-mainnet",
  blockNumber: 3_306_734,
  hash: "0x5413",
  transactionType: "fungible",
  transactionIndex: 0,
  tokenAddress: token,
  amount: "-1",
  timestamp: 1_681_724_700_000,
  address: one,
  counterAddress: two,
  transactionSubtype: "outgoing",
  ...fields
})

describe("histories", () => {
  it.effect("of EVM networks are what the data API has, with amounts written out", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* address("ethereum-mainnet", [
        held([transfer({ amount: "-1e-18", tokenId: null })]),
        held([transfer({ amount: "x" })])
      ])
      const ask = service.getTransactions({
        address: one,
        fromBlock: 0,
        transactionDirection: "outgoing",
        page: 1
      })
      expect(yield* ask).toEqual([transfer({ amount: "-0.000000000000000001" })])
      expect(lines()).toEqual([
        `GET /v4/data/transaction/history?chain=ethereum-mainnet&addresses=${one}&transactionSubtype=outgoing&blockFrom=0&pageSize=10&offset=1`
      ])
      expect((yield* Effect.flip(ask)).message).toContain("result.0.amount: must be a decimal number")
    })
  )

  it.effect("of Bitcoin are net amounts of the address; offsets count transactions", () =>
    Effect.gen(function* () {
      const mine = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh"
      const answers: ReadonlyArray<Answer> = [
        {
          json: [
            {
              hash: "h",
              time: 7,
              inputs: [{ coin: null }],
              outputs: [{ address: mine, value: 625_000_000 }]
            },
            {
              hash: "i",
              time: 8,
              blockNumber: 9,
              inputs: [{ coin: { address: mine, value: "1" } }],
              outputs: []
            }
          ]
        },
        { json: [{ hash: "h", time: 7, outputs: [{ address: mine, value: 1.5 }] }] }
      ]
      const { lines, service } = yield* address("bitcoin-mainnet", answers, noNode, "legacy")
      const ask = service.getTransactions({ addresses: [mine], page: 2, pageSize: 3 })
      const common = { chain: "bitcoin-mainnet", address: mine }
      expect(yield* ask).toEqual([
        { ...common, hash: "h", timestamp: 7, transactionType: "incoming", amount: "6.25" },
        { ...common, hash: "i", timestamp: 8, blockNumber: 9, transactionType: "outgoing", amount: "1" }
      ])
      expect(lines()).toEqual([`GET /v3/bitcoin/transaction/address/${mine}?pageSize=3&offset=6`])
      // a fraction of a satoshi, or coins as a number: guessing would be wrong by a factor of 10^8
      expect((yield* Effect.flip(ask)).message).toContain(
        "0.outputs.0.value: must be coins as text, or a whole"
      )
    })
  )

  it.effect("of Bitcoin come in one answer today, of which a page is a part", () =>
    Effect.gen(function* () {
      const mine = "DBXu2kgc3xtvCUWFcxFE3r9hEYgmuaaCyD"
      const rows = ["a", "b", "c", "d", "e"].map((hash, i) => ({
        hash,
        time: 1,
        ...(i === 0 ? {} : { blockNumber: 10 - i })
      }))
      const history = { json: rows }
      const { lines, service } = yield* address(
        "doge-mainnet",
        Array.from({ length: 5 }, () => history)
      )
      const hashes = (query: object) =>
        Effect.map(service.getTransactions({ address: mine, ...query }), (found) =>
          "result" in found ? [] : found.map(({ hash }) => hash)
        )
      expect(yield* hashes({ pageSize: 2 })).toEqual(["a", "b"])
      expect(yield* hashes({ pageSize: 2, page: 2, transactionDirection: "incoming" })).toEqual(["e"])
      expect(yield* hashes({ fromBlock: 7, toBlock: 8 })).toEqual(["c", "d"])
      expect(yield* hashes({ page: 1 })).toEqual([])
      // what a stream has got is not asked for again
      const all = yield* Stream.runCollect(service.streamTransactions({ address: mine, pageSize: 2 }))
      expect(Chunk.toReadonlyArray(all).map(({ hash }) => hash)).toEqual(["a", "b", "c", "d", "e"])
      const route = `GET /v4/data/blockchains/transaction/history/utxos?chain=dogecoin-mainnet&address=${mine}`
      expect(lines()).toEqual([route, `${route}&txType=incoming`, route, route, route])
    })
  )

  it.effect("of Bitcoin are streamed page by page in the legacy generation", () =>
    Effect.gen(function* () {
      const mine = "bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh"
      const page = (...hashes: ReadonlyArray<string>) => ({ json: hashes.map((hash) => ({ hash, time: 1 })) })
      const { lines, service } = yield* address(
        "litecoin-mainnet",
        [page("a", "b"), page("c", "d"), page("e")],
        noNode,
        "legacy"
      )
      const stream = service.streamTransactions({ address: mine, pageSize: 2 })
      const all = yield* Stream.runCollect(stream)
      expect(Chunk.toReadonlyArray(all).map(({ hash }) => hash)).toEqual(["a", "b", "c", "d", "e"])
      expect(lines().map((line) => /offset=\d+/.exec(line)?.[0])).toEqual([undefined, "offset=2", "offset=4"])
    })
  )

  it.effect("of Tezos are pages, and streams follow their cursors", () =>
    Effect.gen(function* () {
      const of = "tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb"
      const page = (hash: string, nextPage: string | null) => ({
        json: { result: [transfer({ hash })], nextPage }
      })
      const { lines, service } = yield* address("tezos-mainnet", [
        page("a", "n"),
        page("b", "n2"),
        page("c", null)
      ])
      expect(yield* service.getTransactions({ address: of, cursor: "m" })).toMatchObject({
        result: [{ hash: "a" }],
        prevPage: "",
        nextPage: "n"
      })
      const rest = yield* Stream.runCollect(service.streamTransactions({ address: of }))
      expect(Chunk.toReadonlyArray(rest).map(({ hash }) => hash)).toEqual(["b", "c"])
      expect(lines().map((line) => /cursor=\w+/.exec(line)?.[0])).toEqual([
        "cursor=m",
        undefined,
        "cursor=n2"
      ])
    })
  )

  it.effect("of Tezos are asked of the provider without an address, too, and nowhere else", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* address("tezos-mainnet", [
        { json: { result: [transfer({ hash: "a" })], nextPage: null } }
      ])
      // the service of the test is that of any network, whose type wants an address
      const query: object = {}
      const getTransactions: (query: never) => Effect.Effect<unknown, { readonly message: string }> =
        service.getTransactions
      expect(yield* getTransactions(query as never)).toMatchObject({ result: [{ hash: "a" }] })
      expect(lines()).toEqual(["GET /v4/data/transaction/history?chain=tezos-mainnet"])
      const elsewhere = yield* address("ethereum-mainnet", [])
      const refused: (query: never) => Effect.Effect<unknown, { readonly message: string }> =
        elsewhere.service.getTransactions
      expect((yield* Effect.flip(refused(query as never))).message).toBe(
        "address.getTransactions: must have either address or addresses, a list of at least one"
      )
    })
  )

  it.effect("of EVM networks have the caller's spelling of its address", () =>
    Effect.gen(function* () {
      const { service } = yield* address("ethereum-mainnet", [
        held([transfer({ counterAddress: two })]),
        held([transfer()])
      ])
      expect(yield* service.getTransactions({ address: checksummed })).toMatchObject([
        { address: checksummed, counterAddress: two }
      ])
      const streamed = yield* Stream.runCollect(
        service.streamTransactions({ address: checksummed, limit: 1 })
      )
      expect([...streamed]).toMatchObject([{ address: checksummed }])
    })
  )

  it.effect("of EVM networks are streamed as they are consumed", () =>
    Effect.gen(function* () {
      const { lines, service } = yield* address("ethereum-mainnet", [
        held([transfer({ hash: "a" }), transfer({ hash: "b" })]),
        held([transfer({ hash: "c" })])
      ])
      const stream = service.streamTransactions({ address: one, pageSize: 2 })
      expect((yield* Stream.runCollect(Stream.take(stream, 2))).length).toBe(2)
      expect(lines().length).toBe(1)
    })
  )

  it.effect("are not there for networks without one", () =>
    Effect.gen(function* () {
      const { service } = yield* address("solana-mainnet", [])
      expect(yield* Effect.flip(service.getTransactions({ address: "x" }))).toMatchObject({
        _tag: "NotSupportedForNetwork",
        message: "Not supported for solana-mainnet network."
      })
      expect(
        yield* Effect.flip(Stream.runCollect(service.streamTransactions({ address: "x" })))
      ).toMatchObject({ _tag: "NotSupportedForNetwork" })
    })
  )
})

describe("families", () => {
  it("declare what the balances of their networks need, wherever the service is", async () => {
    const served = Object.keys(networks).filter(
      (id): id is Network => isNetwork(id) && supports(id, "address")
    )
    expect(served.length).toBeGreaterThan(20)
    for (const network of served) {
      const { family } = info(network)
      const declared = await Effect.runPromise(loadFamily(family))
      expect(declared.address, network).toBeDefined()
      // the data API has the coins of the others
      if (family !== "tezos" && !isDataApiUtxo(network))
        expect(declared.nativeBalances ?? declared.account, network).toBeDefined()
    }
  })
})

describe("questions that cannot be asked", () => {
  /** What a caller without types may pass. */
  const untyped: (service: unknown, query: unknown) => Effect.Effect<unknown, unknown> = (service, query) =>
    Effect.suspend(() => {
      const method: unknown =
        typeof service === "object" && service !== null ? Reflect.get(service, "getBalance") : 0
      if (typeof method !== "function") throw new Error("no such method")
      return method(query)
    })

  it.effect("are refused before anything is sent", () =>
    Effect.gen(function* () {
      const { service } = yield* address("ethereum-mainnet", [])
      const refused: ReadonlyArray<readonly [unknown, string]> = [
        [undefined, "must be an object"],
        [one, "must be an object"],
        [{}, "either address or addresses"],
        [{ address: one, addresses: [one] }, "either address or addresses"],
        [{ addresses: [] }, "addresses"],
        [{ addresses: [one, 7] }, "addresses.1"],
        [{ address: "" }, "address"],
        [
          { address: `${one}0` },
          `address: "${one}0" is not an address of ethereum-mainnet, which is 0x and 40 hexadecimal digits`
        ],
        [
          { addresses: [one, "vitalik.eth"] },
          'addresses.1: "vitalik.eth" is not an address of ethereum-mainnet'
        ],
        [{ address: one, pageSize: 0 }, "pageSize: must be a whole number from 1"],
        [{ address: one, page: -1 }, "page: must be a whole number from 0"],
        [{ address: one, page: 0.5 }, "page: must be a whole number from 0"],
        [{ address: one, tokenTypes: ["coupon"] }, "tokenTypes.0"],
        [{ address: one, tokenTypes: [] }, "tokenTypes"]
      ]
      for (const [query, reason] of refused) {
        const error = yield* Effect.flip(untyped(service, query))
        expect(error).toMatchObject({ _tag: "InvalidArgument", reason: expect.stringContaining(reason) })
      }
    })
  )

  it.effect("for several addresses are refused where one is asked for", () =>
    Effect.gen(function* () {
      const { service } = yield* address("ripple-mainnet", [])
      expect(yield* Effect.flip(service.getBalance({ addresses: ["a", "b"] }))).toMatchObject({
        _tag: "UtxoSingleAddress",
        addresses: 2
      })
      const bitcoin = yield* address("bitcoin-mainnet", [])
      expect(yield* Effect.flip(bitcoin.service.getTransactions({ addresses: ["a", "b"] }))).toMatchObject({
        _tag: "UtxoSingleAddress"
      })
    })
  )
})
