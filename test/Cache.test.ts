// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { facts } from "../src/chains/cacheRules.js"
import { dialect } from "../src/chains/evm/endpoints.js"
import * as Cache from "../src/client/Cache.js"
import { group, rpc } from "../src/data/Endpoint.js"
import { networks } from "../src/data/Network.js"
import { InvalidConfig } from "../src/data/SdkError.js"
import { Memory } from "../src/transport/Cache.js"
import { make as makeClient } from "../src/transport/Client.js"
import { findResult } from "../src/wire/splitList.js"
import { CallOptions, type CallOptionsShape } from "../src/wire/Transport.js"
import { makeChainModel } from "./chainModel.js"
import { runs } from "./properties.js"

interface Found {
  readonly number: string
  readonly hash: string
}

const table = group(dialect, {
  block: rpc<[at: string, full: boolean], Found | null>("eth_getBlockByNumber"),
  byHash: rpc<[hash: string, full: boolean], Found | null>("eth_getBlockByHash"),
  receipt: rpc<[hash: string], unknown>("eth_getTransactionReceipt"),
  balance: rpc<[address: string, at: unknown], string>("eth_getBalance"),
  code: rpc<[address: string, at: unknown], unknown>("eth_getCode"),
  height: rpc<[], string>("eth_blockNumber"),
  unknown: rpc<[], string>("eth_coinbase"),
  send: rpc<[raw: string], string>("eth_sendRawTransaction").broadcast()
})

const info = { id: "ethereum-mainnet", ...networks["ethereum-mainnet"] } as const
const A = "https://a.example"
const B = "https://b.example"
const hex = (value: number): string => `0x${value.toString(16)}`
const using = (options: CallOptionsShape) => Effect.provideService(CallOptions, options)

/** An effect while time goes on, and what is done in the background after it. */
const through = <E, R>(effect: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* TestClock.adjust(600)
    return yield* Fiber.join(fiber)
  })

const setup = (options?: Cache.CacheOptions, model = makeChainModel(), cache = Cache.make(options)) =>
  Effect.gen(function* () {
    const layer = yield* cache(model.transport, { coalesce: cache, info })
    const routing = { archive: false, batchArchive: false }
    const provided = makeClient(group({ ...dialect, gateway: true }, { block: table.block }), layer, routing)
    return { cache, model, provided, rpc: makeClient(table, layer, routing) }
  })

/** A chain of 20 blocks, of which 11 are final, and a cache that knows its node. */
const warm = (options?: Cache.CacheOptions, model = makeChainModel()) =>
  Effect.gen(function* () {
    const made = yield* setup(options, model)
    if (model.chain().blocks.length === 1) model.mine(20)
    model.finalise(10)
    model.follow(A)
    yield* through(made.rpc.receipt(hex(0)))
    return made
  })

/** The requests that an effect takes. */
const requests = <E, R>(model: ReturnType<typeof makeChainModel>, effect: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const before = model.counts.requests
    yield* through(effect)
    return model.counts.requests - before
  })

describe("a cache that knows finality", () => {
  it.scoped("keeps what is final, and nothing above it", () =>
    Effect.gen(function* () {
      const { model, rpc } = yield* warm()
      for (const read of [rpc.block("0x5", false), rpc.receipt("0x6"), rpc.balance("0x1", "0x7")]) {
        expect(yield* requests(model, read)).toBe(1)
        expect(yield* requests(model, read)).toBe(0)
      }
      // ten is final, eleven is not; nobody knows what a tag will mean
      expect(yield* requests(model, Effect.zipRight(rpc.block("0xa", false), rpc.block("0xa", false)))).toBe(
        1
      )
      yield* through(rpc.block("0xb", false))
      expect(yield* requests(model, rpc.block("0xb", false))).toBeGreaterThan(0)
      yield* through(rpc.balance("0x1", "latest"))
      expect(yield* requests(model, rpc.balance("0x1", "latest"))).toBe(1)
      expect(yield* requests(model, Effect.zipRight(rpc.unknown(), rpc.unknown()))).toBe(2)
    })
  )

  it.scoped("keeps a block by its hash only if it is the chain's", () =>
    Effect.gen(function* () {
      const model = makeChainModel()
      model.mine(6)
      const [lost] = [model.chain().blocks[4]?.hash ?? ""]
      model.reorganise(4)
      model.mine(14)
      const { rpc } = yield* warm({}, model)
      const kept = model.chain().blocks[4]?.hash ?? ""
      yield* through(rpc.byHash(kept, false))
      expect(yield* requests(model, rpc.byHash(kept, false))).toBe(0)
      expect(yield* through(rpc.byHash(lost, false))).toEqual({ number: "0x4", hash: lost })
      expect(yield* requests(model, rpc.byHash(lost, false))).toBeGreaterThan(0)
      // a state by the hash of a block is that of the block
      yield* through(rpc.balance("0x1", { blockHash: kept }))
      expect(yield* requests(model, rpc.balance("0x1", { blockHash: kept }))).toBe(0)
      yield* through(rpc.balance("0x1", { blockHash: lost }))
      expect(yield* requests(model, rpc.balance("0x1", { blockHash: lost }))).toBeGreaterThan(0)
    })
  )

  it.scoped("keeps nothing of null, and nothing of a node of another chain", () =>
    Effect.gen(function* () {
      const { model, rpc } = yield* warm()
      yield* through(rpc.receipt("0xff"))
      expect(yield* requests(model, rpc.receipt("0xff"))).toBe(1)
      // not of a final block either: the node may have thrown it away
      yield* through(rpc.code("0x1", "0x5"))
      expect(yield* requests(model, rpc.code("0x1", "0x5"))).toBe(1)
      const other = makeChainModel(1_000)
      other.mine(20)
      other.finalise(0)
      model.stray(B, other.chain)
      model.leave(A)
      yield* through(rpc.block("0x3", false))
      yield* TestClock.adjust(3_000)
      expect(yield* requests(model, rpc.block("0x3", false))).toBeGreaterThan(0)
      expect(yield* requests(model, rpc.block("0x3", false))).toBeGreaterThan(0)
    })
  )

  it.scoped(
    "asks nodes where a node, a quorum's node or no sharing is asked for, and gives everybody a value of his own",
    () =>
      Effect.gen(function* () {
        const { model, rpc } = yield* warm()
        const read = rpc.block("0x5", false)
        yield* through(read)
        expect(yield* requests(model, using({ node: A })(read))).toBe(1)
        expect(yield* requests(model, using({ coalesce: false })(read))).toBe(1)
        expect(yield* requests(model, using({ minBlock: 3 })(read))).toBe(0)
        const [one, other] = [yield* read, yield* read]
        expect(one).toEqual(other)
        expect(one).not.toBe(other)
      })
  )

  it.scoped("sends one request for equal reads at once", () =>
    Effect.gen(function* () {
      const { model, rpc } = yield* warm()
      const reads = Effect.forEach(Array.from({ length: 50 }), () => rpc.block("0x5", false), {
        concurrency: "unbounded"
      })
      expect(yield* requests(model, reads)).toBe(1)
    })
  )

  it.scoped("holds heads for a moment, until a write", () =>
    Effect.gen(function* () {
      const { model, rpc } = yield* warm()
      const quickly = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(effect)
          yield* TestClock.adjust(2)
          return yield* Fiber.join(fiber)
        })
      const quick = quickly(rpc.height())
      const before = model.counts.requests
      yield* quick
      yield* quick
      expect(model.counts.requests - before).toBe(1)
      model.mine(1)
      const unsent = model.counts.requests
      yield* quickly(rpc.send("0x1"))
      expect(model.counts.requests - unsent).toBe(1)
      expect(yield* quick).toBe(hex(model.chain().blocks.length - 1))
      yield* TestClock.adjust(300)
      expect(yield* requests(model, rpc.height())).toBe(1)
    })
  )

  it.scoped("keeps nothing of the provider's own nodes, which are no node of the pool", () =>
    Effect.gen(function* () {
      const { model, provided, rpc } = yield* warm()
      yield* through(rpc.block("0x5", false))
      expect(yield* requests(model, provided.block("0x6", false))).toBe(1)
      expect(yield* requests(model, provided.block("0x6", false))).toBe(1)
    })
  )

  it.scoped("keeps no answer that was on its way when its block became final: it may be another one's", () =>
    Effect.gen(function* () {
      const { model, rpc } = yield* warm()
      model.take((method, [first]) => (method === "eth_getBlockByNumber" && first === "0xb" ? 6_000 : 1))
      const late = yield* Effect.fork(rpc.block("0xb", false))
      yield* TestClock.adjust(2_500)
      model.reorganise(15)
      model.mine(20)
      model.finalise(5)
      // what is final is asked for with a read above it
      yield* through(rpc.block("0xc", false))
      yield* TestClock.adjust(6_000)
      const left = yield* Fiber.join(late)
      model.take(() => 1)
      expect(left).not.toEqual(model.truth("eth_getBlockByNumber", ["0xb"]))
      expect(yield* through(rpc.block("0xb", false))).toEqual(model.truth("eth_getBlockByNumber", ["0xb"]))
    })
  )

  it.scoped("has one memory for clients of two chains, and mixes nothing", () =>
    Effect.gen(function* () {
      const cache = Cache.make()
      const [one, other] = [makeChainModel(), makeChainModel(5_000)]
      for (const model of [one, other]) {
        model.mine(20)
        model.finalise(5)
        model.follow(A)
      }
      const first = yield* setup({}, one, cache)
      const second = yield* setup({}, other, cache)
      for (const { rpc } of [first, second, first, second]) yield* through(rpc.block("0x5", false))
      expect(yield* through(first.rpc.block("0x5", false))).toEqual(
        one.truth("eth_getBlockByNumber", ["0x5"])
      )
      expect(yield* through(second.rpc.block("0x5", false))).toEqual(
        other.truth("eth_getBlockByNumber", ["0x5"])
      )
      expect(cache.stats().hits).toBeGreaterThan(0)
    })
  )

  it.scoped(
    "has a store, from which a new process answers, and does without one that fails or never answers",
    () =>
      Effect.gen(function* () {
        const kept = new Map<string, string>()
        const store: Cache.Store = {
          get: async (name) => kept.get(name),
          set: async (name, value) => kept.set(name, value)
        }
        const { model, rpc } = yield* warm({ store })
        yield* through(rpc.block("0x5", false))
        // promises of the store take turns of the event loop
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5)))
        expect([...kept.keys()].every((name) => name.length <= 300 && name.includes(model.hashOf(1)))).toBe(
          true
        )
        expect(kept.size).toBeGreaterThan(0)
        const again = yield* setup({ store }, model)
        const read = again.rpc.block("0x5", false)
        const fiber = yield* Effect.fork(read)
        for (let i = 0; i < 20; i++) {
          yield* TestClock.adjust(1)
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))
        }
        expect(yield* Fiber.join(fiber)).toEqual(model.truth("eth_getBlockByNumber", ["0x5"]))
        expect(again.cache.stats()).toMatchObject({ storeHits: 1, misses: 0 })
        const broken: Cache.Store = {
          get: () => Promise.reject(new Error("broken")),
          set: () => new Promise(() => {}),
          lock: () => Promise.reject(new Error("broken"))
        }
        const without = yield* setup({ store: broken }, model)
        for (let i = 0; i < 3; i++) {
          const asked = yield* Effect.fork(without.rpc.block("0x5", false))
          for (let k = 0; k < 20; k++) {
            yield* TestClock.adjust(100)
            yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))
          }
          expect(yield* Fiber.join(asked)).toEqual(model.truth("eth_getBlockByNumber", ["0x5"]))
        }
        expect(without.cache.stats().hits).toBeGreaterThan(0)
      })
  )

  it("refuses a limit that is none, and a store that is none", () => {
    expect(() => Cache.make({ bytes: 0 })).toThrow(InvalidConfig)
    expect(() => Cache.make({ bytes: Number.NaN })).toThrow("a number of bytes")
    expect(() => Cache.make({ store: Object.create(null) })).toThrow("get and set")
  })
})

const operation = FastCheck.oneof(
  {
    weight: 3,
    arbitrary: FastCheck.record({ do: FastCheck.constant("mine"), by: FastCheck.integer({ min: 1, max: 3 }) })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("reorganise"),
      by: FastCheck.integer({ min: 1, max: 5 })
    })
  },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("finalise"),
      by: FastCheck.integer({ min: 0, max: 4 })
    })
  },
  { weight: 1, arbitrary: FastCheck.record({ do: FastCheck.constant("stay"), by: FastCheck.constant(0) }) },
  { weight: 1, arbitrary: FastCheck.record({ do: FastCheck.constant("follow"), by: FastCheck.constant(0) }) },
  {
    weight: 2,
    arbitrary: FastCheck.record({
      do: FastCheck.constant("wait"),
      by: FastCheck.integer({ min: 1, max: 3_000 })
    })
  },
  { weight: 8, arbitrary: FastCheck.record({ do: FastCheck.constant("read"), by: FastCheck.nat(60) }) }
)

it.effect.prop(
  "whatever the chain does, an answer that is kept is that of the chain",
  [FastCheck.array(operation, { maxLength: 60 })],
  ([operations]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { cache, model, rpc } = yield* setup()
        model.follow(A)
        model.follow(B)
        for (const { by, do: what } of operations) {
          if (what === "mine") model.mine(by)
          else if (what === "reorganise") model.reorganise(by)
          else if (what === "finalise") model.finalise(by)
          // a node that lags: it may have a branch that the others have left
          else if (what === "stay") model.stay(B)
          else if (what === "follow") model.follow(B)
          else if (what === "wait") yield* TestClock.adjust(by)
          else {
            const at = hex(by % (model.chain().blocks.length + 1))
            const hashes = model.hashes()
            const hash = hashes[by % hashes.length] ?? ""
            const reads = [
              [rpc.block(at, false), "eth_getBlockByNumber", [at]],
              [rpc.receipt(at), "eth_getTransactionReceipt", [at]],
              [rpc.balance("0x1", at), "eth_getBalance", ["0x1", at]],
              [rpc.byHash(hash, false), "eth_getBlockByHash", [hash]]
            ] as const
            for (const [read, method, params] of reads) {
              const before = cache.stats().hits
              // a head or a fork may have no balance
              const answer = yield* through(Effect.orElseSucceed(read, () => undefined))
              if (cache.stats().hits === before) continue
              expect(answer).toEqual(model.truth(method, params))
              if (method === "eth_getBlockByHash")
                expect(model.chain().blocks.some((block) => block.hash === hash)).toBe(true)
            }
          }
        }
      })
    ),
  { fastCheck: { numRuns: runs(60) } }
)

describe("memory", () => {
  it("has a limit of bytes, and lets go of what nobody has asked for the longest time", () => {
    const memory = new Memory(10_000)
    const text = "x".repeat(400)
    for (let i = 0; i < 9; i++) memory.set(`n${i}`, text, Number.POSITIVE_INFINITY)
    expect(memory.get("n0", 0)).toBe(text)
    for (let i = 9; i < 14; i++) memory.set(`n${i}`, text, Number.POSITIVE_INFINITY)
    expect(memory.get("n0", 0)).toBe(text)
    expect(memory.get("n1", 0)).toBeUndefined()
    expect(memory.stats().bytes).toBeLessThanOrEqual(10_000)
    memory.set("large", "x".repeat(5_000), Number.POSITIVE_INFINITY)
    expect(memory.get("large", 0)).toBeUndefined()
    // an eighth of all drives out too many others
    memory.set("eighth", "x".repeat(700), Number.POSITIVE_INFINITY)
    expect(memory.get("eighth", 0)).toBeUndefined()
    memory.set("soon", "1", 5)
    expect(memory.get("soon", 4)).toBe("1")
    expect(memory.get("soon", 5)).toBeUndefined()
    for (let i = 0; i < 20; i++) memory.set("n0", text, Number.POSITIVE_INFINITY)
    expect(memory.stats().bytes).toBeLessThanOrEqual(10_000)
  })
})

it("finds the result of an answer as it was written", () => {
  expect(findResult('{"id":1,"jsonrpc":"2.0","result":{"a":[1,"]}"],"result":2}}')).toBe(
    '{"a":[1,"]}"],"result":2}'
  )
  expect(findResult('{"x":{"result":1},"result" : "q\\"}" , "id":1}')).toBe('"q\\"}"')
  expect(findResult('{"result":12345678901234567890}')).toBe("12345678901234567890")
  expect(findResult('{"result":null,"id":2}')).toBe("null")
  expect(findResult('{"error":{"result":1}}')).toBeUndefined()
  expect(findResult("[]")).toBeUndefined()
})

describe("facts", () => {
  const of = (family: keyof typeof facts, method: string, ...params: ReadonlyArray<unknown>) =>
    facts[family]?.validityOf(method, params)
  const hash = `0x${"ab".repeat(32)}`
  it("of EVM chains", () => {
    expect(of("evm", "eth_getLogs", { fromBlock: "0x1", toBlock: "0x5" })).toEqual({
      _tag: "blockNumber",
      block: 5
    })
    expect(of("evm", "eth_getLogs", { fromBlock: "0x1" })).toBeUndefined()
    expect(of("evm", "eth_getLogs", { blockHash: hash })).toEqual({ _tag: "blockHash", hash })
    expect(of("evm", "eth_call", {}, "latest")).toBeUndefined()
    expect(of("evm", "eth_call", {}, "0x10")).toEqual({ _tag: "blockNumber", block: 16 })
    expect(of("evm", "eth_call", {}, { blockNumber: "0x2" })).toEqual({ _tag: "blockNumber", block: 2 })
    expect(of("evm", "eth_getTransactionCount", "0x1", "pending")).toBeUndefined()
    expect(of("evm-native", "klay_getBlockByNumber", "0x1", true)).toEqual({ _tag: "blockNumber", block: 1 })
    expect(of("evm", "eth_sendRawTransaction", "0x1")).toBeUndefined()
  })
  it("of Bitcoin and its kin: answers that tell confirmations are none", () => {
    const id = "ab".repeat(32)
    expect(of("utxo", "getblock", id, 0)).toEqual({ _tag: "blockHash", hash: id })
    expect(of("utxo", "getblock", id, 1)).toBeUndefined()
    expect(of("utxo", "getblock", id)).toBeUndefined()
    expect(of("utxo", "getrawtransaction", id, false)).toBeUndefined()
    expect(of("utxo", "getrawtransaction", id, false, id)).toEqual({ _tag: "blockHash", hash: id })
    expect(of("doge", "getblockhash", 7)).toEqual({ _tag: "blockNumber", block: 7 })
  })
  it("of Solana: what nodes call final", () => {
    expect(of("solana", "getBlock", 5)).toEqual({ _tag: "forever" })
    expect(of("solana", "getBlock", 5, { commitment: "confirmed" })).toBeUndefined()
    expect(of("solana", "getTransaction", "s", { encoding: "json" })).toEqual({ _tag: "forever" })
  })
})
