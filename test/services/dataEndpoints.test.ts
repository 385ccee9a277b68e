// @runtime both
/** The declared routes of the data API: every one is asked once, and each form of answer is read. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { idOfChain } from "../../src/data/dataRoutes.js"
import { chainOfRoute, networksOfRoute, type V4Route, v4Routes } from "../../src/data/v4Routes.js"
import * as Data from "../../src/services/DataApi.js"
import { catalogue } from "../../src/services/Services.js"
import { samples } from "./dataSamples.js"
import { makeScripted, parseBody } from "./scripted.js"

const owner = "0x53e8577c4347c365e4e0da5b57a589cb6f2ab849"

const at = (service: object, path: string): unknown =>
  path
    .split(".")
    .slice(1)
    .reduce<unknown>((value, name) => Reflect.get(Object(value), name), service)

/** Calls a method by its path, as the surfaces do. */
const callAt = (service: object, path: string, given: unknown): Effect.Effect<unknown, Data.DataError> => {
  const method = at(service, path)
  if (typeof method !== "function") throw new Error(`${path} is no method`)
  return method(given)
}

const paged = samples.filter(({ endpoint }) => endpoint.form === "pages")
const withChain = samples.filter(({ query }) => query.chain !== undefined)

describe("a declared route", () => {
  it.effect.each(samples)("of $path is asked once, under the provider's name for the chain", (sample) =>
    Effect.gen(function* () {
      const { endpoint, path, query } = sample
      const { form, route } = endpoint
      const { lines, sent, service } = yield* makeScripted(Data.make, [{ json: sample.answer }])
      const said = yield* callAt(service, path, form === "batch" ? [query] : query)
      expect(Array.isArray(said)).toBe(form !== "one")
      expect(lines()).toHaveLength(1)
      const [line = ""] = lines()
      const method = route.isPost === true ? "POST" : "GET"
      expect(line.startsWith(`${method} /v4/${route.v4}${route.isPost === true ? "" : "?"}`)).toBe(true)
      const chain = query.chain === undefined ? undefined : chainOfRoute(route, String(query.chain))
      const body = parseBody(sent[0])
      if (route.isPost !== true)
        for (const [name, value] of Object.entries(query))
          expect(line).toContain(`${name}=${name === "chain" ? chain : String(value)}`)
      else if (form === "batch")
        expect(body).toEqual([
          { batchId: expect.any(String), ...query, ...(chain === undefined ? {} : { chain }) }
        ])
      else expect(body).toEqual({ ...query, chain })
    })
  )

  it.effect.each(withChain)(
    "of $path refuses other networks, with those that it serves",
    ({ endpoint, path, query }) =>
      Effect.gen(function* () {
        const { service } = yield* makeScripted(Data.make, [])
        const asked = { ...query, chain: "kadena-mainnet" }
        expect(
          yield* Effect.flip(callAt(service, path, endpoint.form === "batch" ? [asked] : asked))
        ).toMatchObject({
          _tag: "NotSupportedForNetwork",
          network: "kadena-mainnet",
          networks: networksOfRoute(endpoint.route)
        })
      })
  )

  it.effect.each(samples)("of $path checks its input before anything is sent", ({ endpoint, path, query }) =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Data.make, [])
      for (const name of Object.keys(query)) {
        const asked = { ...query, [name]: { not: "this" } }
        expect(
          yield* Effect.flip(callAt(service, path, endpoint.form === "batch" ? [asked] : asked))
        ).toMatchObject({ _tag: "InvalidArgument", call: path, reason: expect.stringContaining(name) })
      }
    })
  )

  it.effect.each(samples)("of $path tells an answer of another form", ({ endpoint, path, query }) =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Data.make, [{ json: "down" }])
      expect(
        yield* Effect.flip(callAt(service, path, endpoint.form === "batch" ? [query] : query))
      ).toMatchObject({ _tag: "GatewayError", kind: "malformed" })
    })
  )

  it.effect.each(paged)("of $path has a stream that ends with the last page", ({ path, query }) =>
    Effect.gen(function* () {
      const pages = [["a", "b"], ["c", "d"], ["e"]].map((names) => ({
        json: names.map((name) => ({ name }))
      }))
      const { lines, service } = yield* makeScripted(Data.make, pages)
      const stream = at(service, path.replace(/\.get(\w+)$/, ".stream$1"))
      if (typeof stream !== "function") throw new Error(`${path} has no stream`)
      const items: Stream.Stream<unknown, Data.DataError> = stream({ ...query, pageSize: 2 })
      const all = Chunk.toReadonlyArray(yield* Stream.runCollect(items))
      expect(all).toEqual(["a", "b", "c", "d", "e"].map((name) => ({ name })))
      expect(lines().map((line) => /offset=(\d+)/.exec(line)?.[1])).toEqual([undefined, "1", "2"])
      const wrong: Stream.Stream<unknown, Data.DataError> = stream({ ...query, pageSize: 0 })
      expect(yield* Effect.flip(Stream.runDrain(wrong))).toMatchObject({ _tag: "InvalidArgument" })
    })
  )

  it("has its kind in the catalogue", () => {
    const kinds = samples.flatMap(({ endpoint, path }) => [
      [path, "read"],
      ...(endpoint.form === "pages" ? [[path.replace(/\.get(\w+)$/, ".stream$1"), "stream"]] : [])
    ])
    for (const [path = "", kind] of kinds) expect([path, at(catalogue.data, path)]).toEqual([path, kind])
    const leaves = (group: object): number =>
      Object.values(group).reduce<number>(
        (count, each) => count + (typeof each === "string" ? 1 : leaves(each)),
        0
      )
    const groups = Object.values(catalogue.data).filter((entry) => typeof entry === "object")
    expect(groups.reduce((count, group) => count + leaves(group), 0)).toBe(kinds.length)
  })

  it("takes every name of a network that it serves", () => {
    for (const route of Object.values<V4Route>(v4Routes))
      for (const chain of route.chains) {
        const named = chainOfRoute(route, idOfChain(chain))
        expect(named === undefined ? chain : idOfChain(named)).toBe(idOfChain(chain))
        expect(named).toBeDefined()
      }
    expect(chainOfRoute(v4Routes.balance, "ethereum")).toBe("ethereum-mainnet")
    expect(chainOfRoute(v4Routes.balance, "arbitrum-one-mainnet")).toBe("arb-one-mainnet")
    expect(chainOfRoute(v4Routes.mempool, "doge-mainnet")).toBe("dogecoin-mainnet")
    expect(chainOfRoute(v4Routes.utxoHistoryBatch, "doge-mainnet")).toBe("doge-mainnet")
    expect(chainOfRoute(v4Routes.gas, "avalanche-c-mainnet")).toBe("AVAX")
    expect(chainOfRoute(v4Routes.gas, "bsc")).toBe("BSC")
    expect(chainOfRoute(v4Routes.gas, "bitcoin-mainnet")).toBeUndefined()
  })
})

describe("answers", () => {
  it.effect(
    "of a batch too large for one request come out in order, and no request has too many addresses",
    () =>
      Effect.gen(function* () {
        const addresses = Array.from({ length: 25 }, (_, i) => `T${i}`)
        const rows = (from: number, to: number) =>
          addresses.slice(from, to).map((address) => ({ address, balance: "1" }))
        const { lines, service } = yield* makeScripted(Data.make, [
          { json: rows(0, 10) },
          { json: rows(10, 20) },
          { json: rows(20, 25) }
        ])
        const balances = yield* service.blockchains.getBalanceBatch({ chain: "tron-mainnet", addresses })
        expect(balances.map(({ address }) => address)).toEqual(addresses)
        expect(lines().map((line) => line.split("addresses=")[1]?.split(",").length)).toEqual([10, 10, 5])
        const other = yield* makeScripted(Data.make, [{ json: rows(0, 25) }])
        yield* other.service.blockchains.getBalanceBatch({
          chain: "ethereum-mainnet",
          addresses: addresses.join(",")
        })
        expect(other.lines()).toHaveLength(1)
      })
  )

  it.effect("are about our networks, whatever the provider calls them", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Data.make, [
        { json: [{ address: owner, chain: "arb-one-mainnet", name: "a.eth", resolved: true }] },
        { json: { value: 3.1e-7, valueAsString: "0.00000031", address: "D1", chain: "dogecoin-mainnet" } }
      ])
      expect(yield* service.names.resolve({ chain: "arbitrum-one-mainnet", name: "a.eth" })).toEqual([
        { address: owner, chain: "arbitrum-one-mainnet", name: "a.eth", resolved: true }
      ])
      expect(yield* service.mining.getTotalRewards({ chain: "doge-mainnet", address: "D1" })).toEqual({
        value: "0.00000031",
        address: "D1",
        chain: "doge-mainnet"
      })
    })
  )

  it.effect("keep every digit of unspent outputs", () =>
    Effect.gen(function* () {
      const text = `[{"txHash":"ab","index":1,"value":90071992547409.93123456,"address":"D1"}]`
      const { service } = yield* makeScripted(Data.make, [{ text }])
      expect(
        yield* service.blockchains.getUtxosBatch({
          chain: "doge-mainnet",
          addresses: ["D1"],
          totalValue: 0.5
        })
      ).toEqual([
        { txHash: "ab", index: 1, value: "90071992547409.93123456", address: "D1", chain: "doge-mainnet" }
      ])
    })
  )

  it.effect("may be pages, under either of the names that the provider has for their rows", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Data.make, [
        { json: { data: [{ rank: 1, chain: "base-mainnet" }] } },
        { json: { result: [{ name: "New" }], nextPage: "" } }
      ])
      expect(yield* service.tokens.getTrending({ chain: "base-mainnet", pageSize: 1 })).toEqual([
        { rank: 1, chain: "base-mainnet" }
      ])
      expect(yield* service.tokens.getNewest({ chain: "base-mainnet" })).toEqual([{ name: "New" }])
    })
  )

  it.effect("of batches have the ids of their items, which are made where they are missing", () =>
    Effect.gen(function* () {
      const { sent, service } = yield* makeScripted(Data.make, [{ json: [] }, { json: [] }])
      yield* service.rates.getBySymbolBatch([
        { symbol: "BTC", basePair: "EUR" },
        { symbol: "ETH", basePair: "EUR", batchId: "mine" }
      ])
      yield* service.rates.getByContractBatch([
        { chain: "arbitrum-one-mainnet", contractAddress: "0x1", basePair: "USD" }
      ])
      expect(sent.map(parseBody)).toEqual([
        [
          { batchId: "BTC/EUR", symbol: "BTC", basePair: "EUR" },
          { batchId: "mine", symbol: "ETH", basePair: "EUR" }
        ],
        [{ batchId: "0x1/USD", chain: "arb-one-mainnet", contractAddress: "0x1", basePair: "USD" }]
      ])
    })
  )

  it.effect("of candles are asked for at one time", () =>
    Effect.gen(function* () {
      const { service } = yield* makeScripted(Data.make, [])
      for (const times of [{}, { unix: 1, time: "2026-01-01T00:00:00Z" }])
        expect(yield* Effect.flip(service.rates.getOhlcv({ symbol: "BTC", ...times }))).toMatchObject({
          _tag: "InvalidArgument",
          reason: "must have either unix or time"
        })
      expect(yield* Effect.flip(service.rates.getBySymbolBatch([]))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )
})
