// @runtime both
/** What a cache keeps of the provider's services, by the real services over a script of answers, and by a client over HTTP. */
import { createServer } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import { cache } from "../src/cache.js"
import type { Network } from "../src/data/Network.js"
import { init } from "../src/promise.js"
import * as Fee from "../src/services/Fee.js"
import * as Nft from "../src/services/Nft.js"
import * as Rates from "../src/services/Rates.js"
import * as Storage from "../src/services/Storage.js"
import * as Token from "../src/services/Token.js"
import { CallOptions } from "../src/wire/Transport.js"
import { type Answer, makeScripted } from "./services/scripted.js"

const time = "2026-01-01T00:00:00.000Z"
const fee = (price: number): Answer => ({
  json: { slow: price, medium: price, fast: price, baseFee: price, time, block: 1 }
})
const rate = (value: string): Answer => ({
  json: { _id: "BTC", value, basePair: "EUR", timestamp: 1, source: "s" }
})
const token = (symbol: string): Answer => ({ json: { symbol, tokenType: "fungible", decimals: 18 } })
const tokenAddress = `0x${"11".repeat(20)}`
/** The document of a token: of one, today's data API has nothing else. */
const nft = (name: string): Answer => ({ json: { name } })
const CID = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPkdG"
const file = (text: string): Answer => ({ text, type: "text/plain" })
const textOf = (blob: Effect.Effect<Blob, unknown>) =>
  Effect.flatMap(blob, (found) => Effect.promise(() => found.text()))

/** A place that outlives a cache. */
const place = () => {
  const kept = new Map<string, string>()
  return {
    kept,
    store: {
      get: async (name: string) => kept.get(name),
      set: async (name: string, value: string) => void kept.set(name, value)
    }
  }
}

/** The reads of services whose answers hold for a while: each with two answers, and what it makes of them. */
const reads = [
  [
    "fees",
    3_000,
    [fee(1), fee(2)],
    (answers: ReadonlyArray<Answer>, coalesce: ReturnType<typeof cache>) =>
      Effect.map(makeScripted(Fee.make, answers, { coalesce }), ({ sent, service }) => ({
        sent,
        ask: Effect.map(service.getCurrentFee(), (found) => Reflect.get(found, "gasPrice").slow)
      })),
    ["0.000000001", "0.000000002"]
  ],
  [
    "rates",
    5_000,
    [rate("1"), rate("2")],
    (answers: ReadonlyArray<Answer>, coalesce: ReturnType<typeof cache>) =>
      Effect.map(makeScripted(Rates.make, answers, { coalesce }), ({ sent, service }) => ({
        sent,
        ask: Effect.map(service.getCurrentRate("BTC", "EUR"), ({ value }) => value)
      })),
    ["1", "2"]
  ],
  [
    "details of tokens",
    60_000,
    [token("ONE"), token("TWO")],
    (answers: ReadonlyArray<Answer>, coalesce: ReturnType<typeof cache>) =>
      Effect.map(makeScripted(Token.make, answers, { coalesce }), ({ sent, service }) => ({
        sent,
        ask: Effect.map(service.getTokenMetadata({ tokenAddress }), ({ symbol }) => symbol)
      })),
    ["ONE", "TWO"]
  ],
  [
    "metadata of NFTs",
    60_000,
    [nft("one"), nft("two")],
    (answers: ReadonlyArray<Answer>, coalesce: ReturnType<typeof cache>) =>
      Effect.map(makeScripted(Nft.make, answers, { coalesce }), ({ sent, service }) => ({
        sent,
        ask: Effect.map(
          service.getNftMetadata({ tokenAddress, tokenId: "1" }),
          (found) => found?.metadata?.name
        )
      })),
    ["one", "two"]
  ]
] as const

describe("answers of services that hold for a while", () => {
  it.effect.each(reads)("%s", ([_, ms, answers, make, [first, second]]) =>
    Effect.gen(function* () {
      const kept = cache()
      const { ask, sent } = yield* make(answers, kept)
      expect([yield* ask, yield* ask]).toEqual([first, first])
      yield* TestClock.adjust(ms - 1)
      expect(yield* ask).toBe(first)
      expect(sent).toHaveLength(1)
      yield* TestClock.adjust(1)
      expect(yield* ask).toBe(second)
      expect(sent).toHaveLength(2)
      expect(kept.stats()).toMatchObject({ hits: 2, misses: 2 })
    })
  )

  it.effect(
    "are those of one url, one network and all clients of the cache, and are asked for where one must",
    () =>
      Effect.gen(function* () {
        const coalesce = cache()
        const rates = (config: {
          readonly network?: Network
          readonly provider?: { readonly baseUrl: string }
        }) => makeScripted(Rates.make, [rate("1"), rate("2")], { coalesce, ...config })
        const first = yield* rates({})
        const ask = ({ service }: typeof first, pair = "EUR") => service.getCurrentRate("BTC", pair)
        yield* ask(first)
        yield* ask(first, "USD")
        expect(first.sent).toHaveLength(2)
        const same = yield* rates({})
        expect((yield* ask(same)).value).toBe("1")
        expect(same.sent).toEqual([])
        for (const config of [
          { network: "ethereum-sepolia" },
          { provider: { baseUrl: "https://other.example" } }
        ] as const) {
          const other = yield* rates(config)
          yield* ask(other)
          expect(other.sent).toHaveLength(1)
        }
        yield* Effect.provideService(ask(same), CallOptions, { coalesce: false })
        expect(same.sent).toHaveLength(1)
      })
  )

  it.effect("are none that are errors, null, empty, or look like something else", () =>
    Effect.gen(function* () {
      const wrong: ReadonlyArray<Answer> = [
        { status: 500, json: { message: "no" } },
        { status: 203, json: rate("0").json },
        { json: null },
        { json: [] },
        { json: {} },
        { json: { value: null, basePair: "EUR" } },
        { text: "<html>" }
      ]
      const { sent, service } = yield* makeScripted(Rates.make, [...wrong, rate("1")], {
        coalesce: cache(),
        retryCount: 0
      })
      for (const _ of wrong) yield* Effect.exit(service.getCurrentRate("BTC", "EUR"))
      expect((yield* service.getCurrentRate("BTC", "EUR")).value).toBe("1")
      expect(sent).toHaveLength(wrong.length + 1)
    })
  )

  it.effect("end with a write, which is never kept", () =>
    Effect.gen(function* () {
      const coalesce = cache()
      const { sent, service } = yield* makeScripted(
        Token.make,
        [token("ONE"), { json: { txId: "0x1" } }, { json: { txId: "0x2" } }, token("TWO")],
        { coalesce }
      )
      const name = Effect.map(service.getTokenMetadata({ tokenAddress }), ({ symbol }) => symbol)
      yield* name
      const deploy = service.createNewFungibleToken({
        symbol: "ONE",
        name: "One",
        initialSupply: "1",
        decimals: 18,
        owner: tokenAddress,
        initialHolder: tokenAddress
      })
      expect([yield* deploy, yield* deploy]).toEqual([{ txId: "0x1" }, { txId: "0x2" }])
      expect(yield* name).toBe("TWO")
      expect(sent).toHaveLength(4)
    })
  )

  it.effect("stand under no name that has the key", () =>
    Effect.gen(function* () {
      const { kept, store } = place()
      const coalesce = cache({ store })
      const plain = yield* makeScripted(Storage.make, [file("one")], { coalesce, apiKey: "KEY" })
      yield* plain.service.getFile({ id: CID })
      yield* Effect.promise(() => Promise.resolve())
      expect([...kept.keys()]).toEqual([expect.stringContaining(`/ipfs/${CID}`)])
      expect([...kept.keys()].join()).not.toContain("KEY")
      const inUrl = yield* makeScripted(Storage.make, [file("one"), file("two")], {
        coalesce,
        apiKey: "KEY",
        provider: { baseUrl: "https://gateway.example/KEY" }
      })
      yield* inUrl.service.getFile({ id: CID })
      expect(yield* textOf(inUrl.service.getFile({ id: CID }))).toBe("two")
      expect(kept.size).toBe(1)
    })
  )
})

describe("files by their content identifiers", () => {
  it.effect("are kept for good, with their type, and by a store beyond the process", () =>
    Effect.gen(function* () {
      const { kept, store } = place()
      const id = `${CID}/a.txt`
      const first = yield* makeScripted(Storage.make, [file("\u00e9\u0000text")], {
        coalesce: cache({ store })
      })
      yield* first.service.getFile({ id })
      yield* TestClock.adjust("400 days")
      const again = yield* first.service.getFile({ id })
      expect(again.type).toBe("text/plain")
      expect(yield* textOf(Effect.succeed(again))).toBe("\u00e9\u0000text")
      expect(first.sent).toHaveLength(1)
      // another process
      const coalesce = cache({ store })
      const second = yield* makeScripted(Storage.make, [file("two")], { coalesce })
      expect(yield* textOf(second.service.getFile({ id }))).toBe("\u00e9\u0000text")
      expect(second.sent).toEqual([])
      expect(coalesce.stats()).toMatchObject({ storeHits: 1 })
      // what somebody else has left there is none
      for (const name of kept.keys()) kept.set(name, "\u2603")
      const third = yield* makeScripted(Storage.make, [file("two")], { coalesce: cache({ store }) })
      expect(yield* textOf(third.service.getFile({ id }))).toBe("two")
    })
  )

  it.effect("are none that are empty, too large for the cache or the client, or have another name", () =>
    Effect.gen(function* () {
      const ask = (
        id: string,
        answers: ReadonlyArray<Answer>,
        config: { maxResponseBytes?: number } = {},
        kept = cache()
      ) =>
        Effect.gen(function* () {
          const { sent, service } = yield* makeScripted(Storage.make, answers, { coalesce: kept, ...config })
          for (const _ of answers) yield* service.getFile({ id })
          return sent.length
        })
      expect(yield* ask(CID, [file(""), file("one")])).toBe(2)
      expect(yield* ask("name", [file("one"), file("one")])).toBe(2)
      expect(yield* ask(CID, [file("x".repeat(1_000_001)), file("one")])).toBe(2)
      const shared = cache()
      expect(yield* ask(CID, [file("four")], {}, shared)).toBe(1)
      expect(yield* ask(CID, [file("one")], { maxResponseBytes: 3 }, shared)).toBe(1)
    })
  )

  it.live("are asked for where the store fails", () =>
    Effect.gen(function* () {
      const broken = {
        get: () => Promise.reject(new Error("no")),
        set: () => Promise.reject(new Error("no"))
      }
      const { sent, service } = yield* makeScripted(Storage.make, [file("one")], {
        coalesce: cache({ store: broken })
      })
      expect(yield* textOf(service.getFile({ id: CID }))).toBe("one")
      expect(yield* textOf(service.getFile({ id: CID }))).toBe("one")
      expect(sent).toHaveLength(1)
    })
  )
})

it("are kept of a client over HTTP", async () => {
  const asked: Array<string> = []
  const server = createServer(({ url = "" }, response) => {
    asked.push(url)
    response.setHeader("content-type", "application/json")
    response.end(
      JSON.stringify(url.includes("/rate/") ? rate("1").json : { jsonrpc: "2.0", id: 1, result: "0x1" })
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const baseUrl = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
  const kept = cache()
  const sdk = await init({
    network: "ethereum-mainnet",
    apiKey: "KEY",
    quiet: true,
    coalesce: kept,
    provider: { baseUrl },
    rpc: { nodes: [{ url: baseUrl }], oneTimeLoadBalancing: true }
  })
  try {
    for (let i = 0; i < 3; i++)
      expect((await sdk.rates.getCurrentRate("BTC", "EUR")).data).toMatchObject({ value: "1" })
    expect(asked.filter((url) => url.includes("/rate/"))).toHaveLength(1)
    expect(kept.stats().hits).toBeGreaterThanOrEqual(2)
  } finally {
    await sdk.destroy()
    server.close().closeAllConnections()
  }
})
