// @runtime both
/** Reads that must not be behind a block, and nodes that fall behind while they are read. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { evm } from "../../src/chains/Evm.js"
import { resolve } from "../../src/config/resolveConfig.js"
import { init } from "../../src/promise.js"
import { make as makeClient, makeRawRpc } from "../../src/transport/Client.js"
import { makeLayered } from "../../src/transport/layerStack.js"
import * as layers from "../../src/transport/layers.js"
import type { CallOptionsShape } from "../../src/wire/Transport.js"
import {
  A,
  B,
  type Behaviour,
  C,
  delayAnswer,
  failureAnswer,
  makeWorld,
  type NodeAnswer,
  type NodeRequest,
  resultAnswer,
  runEither,
  runLeft,
  runRight,
  settle,
  staticConfig,
  textAnswer,
  type World,
  withCallOptions
} from "./world.js"

const ADDRESS = "0x0000000000000000000000000000000000000001"

const hex = (height: number): string => `0x${height.toString(16)}`

interface Request {
  readonly id: unknown
  readonly method: string
}

/** A node whose balances are its height when it is asked, so that every answer shows how old it is. */
interface Chain {
  height: number
  ms: number
  /** Answers lists of requests. */
  lists: boolean
}

const valueOf = ({ method }: Request, height: number): string =>
  method === "eth_chainId" ? "0x1" : hex(height)

const serve =
  (chain: Chain): Behaviour =>
  (ask: NodeRequest): NodeAnswer => {
    const body: unknown = JSON.parse(String(ask.request.body))
    const { height, ms } = chain
    if (Array.isArray(body)) {
      if (!chain.lists)
        return textAnswer({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "no batches" } })
      const answers = body.map((each: Request) => ({
        jsonrpc: "2.0",
        id: each.id,
        result: valueOf(each, height)
      }))
      return delayAnswer(textAnswer(answers), ms)
    }
    const answer = resultAnswer(ask, valueOf({ id: ask.id, method: ask.method }, height))
    return delayAnswer(answer, ask.method === "eth_getBalance" ? 2 * ms : ms)
  }

const chain = (height: number, more: Partial<Chain> = {}): Chain => ({ height, ms: 10, lists: true, ...more })

/** A client with its stack, as users have it. */
const client = (more: World, config: World["config"] = more.config) =>
  Effect.gen(function* () {
    const w = yield* makeWorld({ ...more, ...(config === undefined ? {} : { config }) })
    const resolved = yield* resolve({ network: "ethereum-mainnet", ...config })
    const transport = yield* makeLayered(w.transport, resolved, layers)
    const routing = { archive: true, batchArchive: true }
    return {
      ...w,
      rpc: makeClient(evm.endpoints, transport, routing),
      raw: makeRawRpc(evm.endpoints, transport, routing)
    }
  })

type Client = Effect.Effect.Success<ReturnType<typeof client>>

const balance = ({ rpc }: Pick<Client, "rpc">, more: CallOptionsShape = {}) =>
  Effect.map(withCallOptions(more)(rpc.getBalance(ADDRESS)), Number)

/** Requests by url and method. */
const asked = (w: Client): ReadonlyArray<string> =>
  w.sent
    .filter(({ method }) => method !== "eth_chainId")
    .map(({ method, url }) => `${url.slice("https://".length, "https://".length + 1)} ${method}`)

describe("a read with minBlock", () => {
  it.scoped("goes to a node that is there, however the others are preferred", () =>
    Effect.gen(function* () {
      const w = yield* client({
        config: staticConfig(A, B),
        nodes: { [A]: serve(chain(99)), [B]: serve(chain(100)) }
      })
      expect(yield* runRight(balance(w))).toBe(99)
      expect(yield* runRight(balance(w, { minBlock: 100 }))).toBe(100)
      expect(yield* runRight(balance(w, { minBlock: 100n }))).toBe(100)
      expect(yield* runRight(balance(w, { minBlock: 99 }))).toBeGreaterThanOrEqual(99)
      // who has not asked is served as before, and nobody has failed
      expect(yield* runRight(balance(w))).toBe(99)
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("asks a node for its height only if that is not known", () =>
    Effect.gen(function* () {
      const w = yield* client({ config: staticConfig(A), nodes: { [A]: serve(chain(100)) } })
      expect(yield* runRight(w.rpc.blockNumber())).toBe(100n)
      expect(yield* runRight(balance(w, { minBlock: 100 }))).toBe(100)
      // it says after its answer that it was there when it gave it
      expect(asked(w)).toEqual(["a eth_blockNumber", "a eth_getBalance", "a eth_blockNumber"])
    })
  )

  it.scoped("waits until a node gets there", () =>
    Effect.gen(function* () {
      const a = chain(98)
      const b = chain(97)
      const w = yield* client({ config: staticConfig(A, B), nodes: { [A]: serve(a), [B]: serve(b) } })
      const reading = yield* Effect.fork(balance(w, { minBlock: 100, timeout: 10_000 }))
      yield* TestClock.adjust(3_000)
      expect(reading.unsafePoll()).toBe(null)
      b.height = 100
      yield* TestClock.adjust(1_300)
      yield* TestClock.adjust(100)
      yield* settle
      expect(yield* Fiber.join(reading)).toBe(100)
      expect(w.hosts()).toEqual([B])
      // nobody is asked more often than every 50 ms, nor for ever more than every 1.25 s
      expect(w.probes().length).toBeLessThan(40)
      expect(w.open()).toBe(0)
    })
  )

  it.scoped("shares the questions with all that wait", () =>
    Effect.gen(function* () {
      const a = chain(98)
      const w = yield* client({ config: staticConfig(A), nodes: { [A]: serve(a) } })
      const reading = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 20 }), () => balance(w, { minBlock: 100, timeout: 10_000 }), {
          concurrency: "unbounded"
        })
      )
      for (let i = 0; i < 30; i++) yield* TestClock.adjust(100)
      expect(w.probes().length).toBeLessThan(60)
      a.height = 100
      for (let i = 0; i < 20; i++) yield* TestClock.adjust(100)
      expect(yield* Fiber.join(reading)).toEqual(Array.from({ length: 20 }, () => 100))
    })
  )

  it.scoped("says which block was asked for, and how far the best node is, when the time is up", () =>
    Effect.gen(function* () {
      const w = yield* client({
        config: staticConfig(A, B),
        nodes: { [A]: serve(chain(97)), [B]: serve(chain(98)) }
      })
      const start = yield* Clock.currentTimeMillis
      const error = yield* runLeft(balance(w, { minBlock: 100, timeout: 2_000 }))
      expect(error).toMatchObject({
        _tag: "BlockNotReached",
        call: "eth_getBalance",
        minBlock: 100,
        height: 98,
        url: "https://b.example",
        timeout: 2_000
      })
      expect(error.message).toBe(
        "eth_getBalance: no node has reached block 100 within 2000 ms, the best one is at 98"
      )
      expect((yield* Clock.currentTimeMillis) - start).toBeLessThanOrEqual(2_250)
      // it is not their fault
      expect(yield* w.failed).toEqual([])
      expect(w.hosts()).toEqual([])
    })
  )

  it.scoped("leaves nodes that do not answer, and fails with what the last one did", () =>
    Effect.gen(function* () {
      const w = yield* client({
        config: staticConfig(A, B),
        nodes: { [A]: () => failureAnswer("connect"), [B]: serve(chain(100)) }
      })
      expect(yield* runRight(balance(w, { minBlock: 100 }))).toBe(100)
      const none = yield* client({
        config: staticConfig(A, B),
        nodes: { [A]: () => failureAnswer("connect"), [B]: () => failureAnswer("connect") }
      })
      expect(yield* runLeft(balance(none, { minBlock: 100 }))).toMatchObject({
        _tag: "NodeError",
        kind: "connect"
      })
      expect(yield* none.failed).toEqual([A, B])
    })
  )

  it.scoped("is not answered by a node that was there, and has fallen behind since", () =>
    Effect.gen(function* () {
      const a = chain(100)
      const w = yield* client({
        config: staticConfig(A, B),
        nodes: { [A]: serve(a), [B]: serve(chain(100)) }
      })
      expect(yield* runRight(balance(w, { minBlock: 100 }))).toBe(100)
      a.height = 95
      expect(yield* runRight(balance(w, { minBlock: 100 }))).toBe(100)
      // a few blocks are no failure
      expect(yield* w.failed).toEqual([])
      a.height = 100
      expect(yield* runRight(balance(w, { node: A, minBlock: 100 }))).toBe(100)
      a.height = 10
      expect(yield* runRight(balance(w, { minBlock: 100 }))).toBe(100)
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("waits for the node that it is pinned to, and for no other", () =>
    Effect.gen(function* () {
      const a = chain(98)
      const w = yield* client({
        config: staticConfig(A, B),
        nodes: { [A]: serve(a), [B]: serve(chain(100)) }
      })
      expect(yield* runLeft(balance(w, { node: A, minBlock: 100, timeout: 500 }))).toMatchObject({
        _tag: "BlockNotReached",
        height: 98,
        url: A
      })
      a.height = 100
      expect(yield* runRight(balance(w, { node: A, minBlock: 100 }))).toBe(100)
      expect(w.sent.filter(({ url }) => url === B)).toEqual([])
    })
  )

  it.scoped("is nothing to writes", () =>
    Effect.gen(function* () {
      const w = yield* client({ config: staticConfig(A), nodes: { [A]: serve(chain(1)) } })
      yield* runRight(
        withCallOptions({ minBlock: 1_000_000 })(w.raw.rawRpcCall({ method: "eth_sendTransaction" }))
      )
      const { length } = w.sent
      yield* runLeft(
        withCallOptions({ minBlock: -1 })(w.raw.rawRpcCall({ method: "eth_sendRawTransaction" }))
      )
      expect(w.sent).toHaveLength(length)
      expect(w.probes()).toEqual([])
    })
  )

  it.scoped("is refused with what is no block, and where nodes cannot be asked", () =>
    Effect.gen(function* () {
      const w = yield* client({ config: staticConfig(A), nodes: { [A]: serve(chain(100)) } })
      for (const minBlock of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, -1n, 2n ** 60n]) {
        expect(yield* runLeft(balance(w, { minBlock })), String(minBlock)).toMatchObject({
          _tag: "InvalidArgument",
          message: expect.stringMatching(
            /^eth_getBalance: minBlock must be the number of a block, a whole number from 0, not /
          )
        })
      }
      expect(w.sent).toEqual([])
      const blind = yield* client({ config: staticConfig(A), nodes: { [A]: serve(chain(100)) }, family: {} })
      expect(yield* runLeft(balance(blind, { minBlock: 1 }))).toMatchObject({ _tag: "InvalidArgument" })
      expect(blind.sent).toEqual([])
    })
  )

  it.scoped("shares a request only with calls that ask for the same block", () =>
    Effect.gen(function* () {
      const config = { ...staticConfig(A, B), coalesce: true }
      const w = yield* client({ config, nodes: { [A]: serve(chain(99)), [B]: serve(chain(100)) } })
      const blocks = [undefined, 99, 100, 100, undefined]
      const answers = yield* runRight(
        Effect.forEach(blocks, (minBlock) => balance(w, minBlock === undefined ? {} : { minBlock }), {
          concurrency: "unbounded"
        })
      )
      expect(answers).toEqual([99, expect.any(Number), 100, 100, 99])
      expect(w.calls()).toHaveLength(3)
    })
  )

  it.scopedLive("is in a list only with calls that ask for the same block", () =>
    Effect.gen(function* () {
      const config = { ...staticConfig(A, B), batch: true }
      const w = yield* client({
        config,
        nodes: { [A]: serve(chain(99, { ms: 1 })), [B]: serve(chain(100, { ms: 1 })) }
      })
      const blocks = [undefined, 100, undefined, 100]
      const answers = yield* Effect.forEach(
        blocks,
        (minBlock) => balance(w, minBlock === undefined ? {} : { minBlock }),
        { concurrency: "unbounded" }
      )
      expect(answers).toEqual([99, 100, 99, 100])
      expect(w.calls().map(({ url }) => url)).toEqual([A, B])
      expect(
        yield* Effect.flip(
          Effect.all(
            [balance(w, { minBlock: 101, timeout: 300 }), balance(w, { minBlock: 101, timeout: 300 })],
            {
              concurrency: "unbounded"
            }
          )
        )
      ).toMatchObject({ _tag: "BlockNotReached", call: "eth_getBalance", minBlock: 101, height: 100 })
    })
  )

  it.scoped("is asked of nodes that are there when several have to agree", () =>
    Effect.gen(function* () {
      const nodes = { [A]: serve(chain(99)), [B]: serve(chain(100)), [C]: serve(chain(100)) }
      const w = yield* client({ config: staticConfig(A, B, C), nodes })
      const quorum = { nodes: 2, agree: 2 }
      expect(yield* runRight(balance(w, { quorum, minBlock: 100 }))).toBe(100)
      expect([...w.hosts()].sort()).toEqual([B, C])
      // the third gets there too late
      const all = { nodes: 3, agree: 3 }
      expect(yield* runLeft(balance(w, { quorum: all, minBlock: 100, timeout: 1_000 }))).toMatchObject({
        _tag: "NoQuorum"
      })
    })
  )
})

describe("monotonic consistency", () => {
  const config = { ...staticConfig(A, B), consistency: "monotonic" as const }

  it.scoped("never goes back behind what was read, at whatever node", () =>
    Effect.gen(function* () {
      const a = chain(100)
      const b = chain(98)
      const w = yield* client({ config, nodes: { [A]: serve(a), [B]: serve(b) } })
      expect(yield* runRight(w.rpc.blockNumber())).toBe(100n)
      a.ms = 60_000
      const reading = yield* Effect.fork(balance(w, { timeout: 20_000, attemptTimeout: 500 }))
      for (let i = 0; i < 50; i++) yield* TestClock.adjust(100)
      expect(reading.unsafePoll()).toBe(null)
      b.height = 101
      for (let i = 0; i < 50; i++) yield* TestClock.adjust(100)
      expect(yield* Fiber.join(reading)).toBe(101)
      a.ms = 10
      // what a balance was read at is not gone back behind either
      expect(yield* runLeft(balance(w, { node: A, timeout: 1_000 }))).toMatchObject({
        _tag: "BlockNotReached",
        minBlock: 101
      })
    })
  )

  it("is had on every network, and refused where it is misspelt", async () => {
    const refused = (config: object): Promise<unknown> =>
      init({ network: "avax-p-mainnet", quiet: true, ...config }).then(
        (sdk) => sdk.destroy(),
        (error: unknown) => error
      )
    const rpc = { nodes: [{ url: A }] }
    expect(await refused({ rpc })).toBe(undefined)
    expect(await refused({ rpc, consistency: "monotonic" })).toBe(undefined)
    expect(await refused({ rpc, consistency: "monotonous" })).toMatchObject({
      _tag: "InvalidConfig",
      issues: [{ path: "consistency" }]
    })
  })

  it.scoped("finds out a node that falls back, by the first answer already", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* client({ config, nodes: { [A]: serve(a), [B]: serve(chain(2_000)) } })
      expect(yield* runRight(balance(w))).toBe(2_000)
      a.height = 1_000
      const answers = yield* runRight(
        Effect.forEach(Array.from({ length: 20 }), () => balance(w), { concurrency: "unbounded" })
      )
      expect(new Set(answers)).toEqual(new Set([2_000]))
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("has one request for all that are answered meanwhile", () =>
    Effect.gen(function* () {
      const w = yield* client({ config, nodes: { [A]: serve(chain(5)), [B]: serve(chain(5)) } })
      yield* runRight(
        Effect.forEach(Array.from({ length: 50 }), () => balance(w), { concurrency: "unbounded" })
      )
      // before the first answer, and after all of them
      expect(w.probes().length).toBeLessThanOrEqual(3)
    })
  )
})

describe("a node that falls far behind what it has said", () => {
  const begin = (a: Chain, more: World["config"] = {}) =>
    client({
      config: { ...staticConfig(A, B), hedge: false, ...more },
      nodes: { [A]: serve(a), [B]: serve(chain(2_000)) }
    })

  it.scoped("is found out by every height, though several are on their way at once", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* begin(a)
      yield* runRight(w.rpc.blockNumber())
      a.height = 1_000
      const heights = yield* runRight(
        Effect.forEach(Array.from({ length: 5 }), () => w.rpc.blockNumber(), { concurrency: "unbounded" })
      )
      expect(heights).toEqual([2_000n, 2_000n, 2_000n, 2_000n, 2_000n])
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("is not believed in anything that it answers meanwhile", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* begin(a)
      yield* runRight(w.rpc.blockNumber())
      a.height = 1_000
      const [height, value] = yield* runRight(
        Effect.all([w.rpc.blockNumber(), balance(w)], { concurrency: "unbounded" })
      )
      expect([height, value]).toEqual([2_000n, 2_000])
    })
  )

  it.scoped("is found out by the first height, where probes have told the one before", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* begin(a)
      yield* runRight(w.pool.check)
      a.height = 1_000
      expect(yield* runRight(w.rpc.blockNumber())).toBe(2_000n)
    })
  )

  it.scoped("is found out by raw calls, and by those that share a request", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* begin(a, { coalesce: true })
      yield* runRight(w.rpc.blockNumber())
      a.height = 1_000
      expect(yield* runRight(w.rpc.blockNumber())).toBe(2_000n)
      const b = chain(2_000)
      const raw = yield* begin(b)
      yield* runRight(raw.rpc.blockNumber())
      b.height = 1_000
      expect(yield* runRight(raw.raw.rawRpcCall({ method: "eth_blockNumber" }))).toBe(hex(2_000))
    })
  )

  it.scopedLive("is found out by a height inside a list", () =>
    Effect.gen(function* () {
      const a = chain(2_000, { ms: 1 })
      const w = yield* begin(a, { batch: true })
      yield* Effect.all([w.rpc.blockNumber(), balance(w)], { concurrency: "unbounded" })
      a.height = 1_000
      const answers = yield* Effect.all([balance(w), w.rpc.blockNumber(), balance(w)], {
        concurrency: "unbounded"
      })
      expect(answers).toEqual([2_000, 2_000n, 2_000])
      expect(yield* w.failed).toEqual([A])
    })
  )

  it.scoped("is found out by a height inside a list of the user's own", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* begin(a)
      const list = w.raw.rawBatchRpcCall([{ method: "eth_getBalance" }, { method: "eth_blockNumber" }])
      yield* runRight(list)
      a.height = 1_000
      const answers = yield* runRight(list)
      expect(answers.map(Either.getOrNull)).toEqual([hex(2_000), hex(2_000)])
    })
  )

  it.scoped("is served again when all of them have", () =>
    Effect.gen(function* () {
      const a = chain(2_000)
      const w = yield* client({ config: staticConfig(A), nodes: { [A]: serve(a) } })
      yield* runRight(w.rpc.blockNumber())
      a.height = 1_000
      expect(Exit.isSuccess(yield* Effect.exit(runEither(w.rpc.blockNumber())))).toBe(true)
      expect(yield* runRight(w.rpc.blockNumber())).toBe(1_000n)
    })
  )
})
