/**
 * Heads of chains made at random, which fork, over sockets that close, lag, repeat themselves and change the order, with HTTP
 * beside them. Every world runs in a time of its own, and the same seed makes the same world.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Runtime from "effect/Runtime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { PoolEvent } from "../src/balancer/Observation.js"
import { ethereum } from "../src/chains/Ethereum.js"
import { makeClient, makeFamilySource } from "../src/client/clientParts.js"
import type { SdkConfig } from "../src/config/Config.js"
import { makeEffect } from "../src/config/Logger.js"
import { resolve } from "../src/config/resolveConfig.js"
import { table } from "../src/data/Network.js"
import { Http, type HttpFailure, type HttpRequest, type HttpResponse } from "../src/http/Http.js"
import { table as evm } from "../src/subscriptions/Evm.js"
import type {
  EvmSubscriptions,
  Head,
  SubscriptionMode,
  SubscriptionOptions,
  WebSocketLike
} from "../src/subscriptions/Subscription.js"
import { makeSubscriptions } from "../src/subscriptions/streams.js"
import * as layers from "../src/transport/layers.js"
import { type SimulatedTime, simulate } from "./balancer/simulation.js"
import { runs } from "./properties.js"

interface Block {
  readonly number: string
  readonly hash: string
  readonly parentHash: string
  /** When the chain has come to it, in milliseconds. */
  readonly at: number
}

/** What becomes of the chain: after a pause, so many of its newest blocks are given up for so many others. */
interface Step {
  readonly after: number
  readonly gone: number
  readonly come: number
}

/** How a socket goes. Times are milliseconds. */
interface SocketPlan {
  /** Its node never closes its side. */
  readonly stays?: true
  /** It opens after so long; `refused`: it never does, and says so; `hangs`: it says nothing at all. */
  readonly opens: number | "refused" | "hangs"
  /** It closes so long after that. */
  readonly closes: number | undefined
  /** It says nothing of itself any more so long after that, but answers. */
  readonly quiet: number | undefined
  /** How far the backends are behind that each tell of every head. */
  readonly lags: ReadonlyArray<number>
  /** Each notification takes up to so much longer: they overtake each other. */
  readonly jitter: number
}

interface Plan {
  readonly steps: ReadonlyArray<Step>
  /** The sockets, in the order in which they are asked for; the last one stands for all that follow. */
  readonly sockets: ReadonlyArray<SocketPlan>
  /** How long the nodes take over HTTP, and how far they are behind. */
  readonly latency: number
  readonly lag: number
}

const hex = (value: number): string => `0x${value.toString(16)}`

const START = 100

/** The chain of a plan: all it ever had, and how it was at a time. */
const chainOf = (steps: ReadonlyArray<Step>) => {
  let branch = 0
  let at = 0
  let blocks: ReadonlyArray<Block> = []
  const extend = (count: number): ReadonlyArray<Block> => {
    const added: Array<Block> = []
    for (let i = 0; i < count; i++) {
      const number = START + blocks.length + i
      const parent = added.at(-1) ?? blocks.at(-1)
      added.push({
        number: hex(number),
        hash: `0xb${number}${branch === 0 ? "" : `x${branch}`}`,
        parentHash: parent?.hash ?? "0x0",
        at
      })
    }
    return added
  }
  blocks = extend(20)
  const versions: Array<{ readonly at: number; readonly blocks: ReadonlyArray<Block> }> = [{ at: 0, blocks }]
  const news: Array<Block> = []
  for (const { after, come, gone } of steps) {
    at += after
    if (gone > 0) branch++
    blocks = blocks.slice(0, blocks.length - gone)
    const added = extend(come)
    news.push(...added)
    blocks = [...blocks, ...added]
    versions.push({ at, blocks })
  }
  return {
    end: at,
    /** All that came, also what was given up. */
    news,
    last: blocks,
    asOf: (time: number) => versions.findLast((version) => version.at <= time)?.blocks ?? []
  }
}

/** Runs a plan for so long after its last block; has what was told, and when. */
const run = async (plan: Plan, rest: number, options: SubscriptionOptions = {}, timeout = 30_000) => {
  const chain = chainOf(plan.steps)
  const told: Array<{ readonly head: Head; readonly at: number }> = []
  const modes: Array<SubscriptionMode> = []
  const events: Array<PoolEvent> = []
  const posted: Array<string> = []
  const surprises: Array<string> = []
  let opened = 0
  let failure: unknown
  let begun = 0
  let farewell = 0

  const answer = (method: string, params: ReadonlyArray<unknown>, now: number): unknown => {
    const blocks = chain.asOf(now)
    const block = (at: number) => blocks[at - START] ?? null
    switch (method) {
      case "eth_chainId":
        return "0x1"
      case "eth_blockNumber":
        return hex(START + blocks.length - 1)
      case "eth_getBlockByNumber":
        return params[0] === "latest" ? blocks.at(-1) : block(Number(params[0]))
      case "eth_subscribe":
        return "0x5"
      case "eth_unsubscribe":
        return true
      default:
        surprises.push(method)
        return null
    }
  }

  const program = (time: SimulatedTime) =>
    Effect.gen(function* () {
      const runtime = yield* Effect.runtime<never>()
      const world = yield* Scope.make()
      /** Does something so much later, as long as the world goes on. */
      const later = (ms: number, act: () => void): void => {
        Runtime.runFork(runtime)(Effect.delay(Effect.sync(act), ms), { scope: world })
      }
      const random = fc.sample(fc.nat(1_000), { seed: 7, numRuns: 64 })
      let drawn = 0

      const http: typeof Http.Service = {
        send: (request: HttpRequest) =>
          Effect.suspend((): Effect.Effect<HttpResponse, HttpFailure> => {
            const json: unknown = JSON.parse(String(request.body))
            const one = (body: unknown) => {
              const { id, method, params } = Object(body)
              posted.push(method)
              const result = answer(method, params ?? [], Math.max(0, time.now() - plan.lag))
              return { jsonrpc: "2.0", id, result }
            }
            const text = JSON.stringify(Array.isArray(json) ? json.map(one) : one(json))
            return Effect.succeed({ status: 200, header: () => undefined, bytes: new Uint8Array(), text })
          }).pipe(Effect.delay(plan.latency))
      }

      const socket = (): WebSocketLike => {
        const own = plan.sockets[Math.min(opened++, plan.sockets.length - 1)]
        const listeners = new Map<
          string,
          (event: { readonly data?: unknown; readonly code?: number }) => void
        >()
        let state: "opening" | "open" | "closed" = "opening"
        let since = Number.POSITIVE_INFINITY
        let subscribed = false
        const emit = (type: string, event: object = {}): void => listeners.get(type)?.(event)
        const close = (code: number): void => {
          if (state === "closed") return
          state = "closed"
          emit("close", { code })
        }
        const say = (message: unknown): void => {
          if (state === "open") emit("message", { data: JSON.stringify(message) })
        }
        const tell = (head: Block): void => {
          if (!subscribed || time.now() - since > (own?.quiet ?? Number.POSITIVE_INFINITY)) return
          say({ jsonrpc: "2.0", method: "eth_subscription", params: { subscription: "0x5", result: head } })
        }
        const open = (): void => {
          if (state === "closed") return
          state = "open"
          since = time.now()
          emit("open")
          if (own?.closes !== undefined) later(own.closes, () => close(1006))
          for (const head of chain.news) {
            if (head.at > time.now() + (own?.closes ?? Number.POSITIVE_INFINITY)) break
            for (const lag of own?.lags ?? []) {
              const jitter = ((own?.jitter ?? 0) * (random[drawn++ % random.length] ?? 0)) / 1_000
              const due = head.at + lag + jitter - time.now()
              if (due > 0) later(due, () => tell(head))
            }
          }
        }
        if (own?.opens === "refused") later(1, () => close(1006))
        else if (typeof own?.opens === "number") later(own.opens, open)
        return {
          addEventListener: (type, listener) => void listeners.set(type, listener),
          close: () => {
            if (own?.stays === undefined) later(1, () => close(1000))
          },
          send: (data) => {
            const { id, method, params } = JSON.parse(data)
            const lag = Math.min(...(own?.lags ?? [0]))
            later(5, () => {
              if (method === "eth_subscribe") subscribed = true
              say({ jsonrpc: "2.0", id, result: answer(method, params, Math.max(0, time.now() - lag)) })
            })
          }
        }
      }

      const client = yield* Scope.make()
      // without surfaces, which load what they need when they need it: no time goes by meanwhile
      const config = {
        network: "ethereum-mainnet",
        quiet: true,
        timeout,
        rpc: { nodes: [{ url: "https://one.example" }], statusCheckInterval: Number.POSITIVE_INFINITY },
        subscriptions: { webSocket: socket }
      } satisfies SdkConfig
      const parts = yield* makeClient(
        config,
        // options of subscriptions are those of whole clients
        { ...makeFamilySource({ "evm-beacon": ethereum }, table, layers)(config, "its module"), resolve },
        makeEffect
      ).pipe(Effect.provideService(Http, http), Scope.extend(client))
      parts.sdk.nodes.listen((event) => events.push(event))
      const subscribe = yield* Scope.extend(
        makeSubscriptions(evm, { ...parts, client: parts.makeCalls }),
        client
      )
      begun = time.now()
      const given = [{ ...options, onMode: (mode: SubscriptionMode) => modes.push(mode) }]
      // the maker says no more of its streams than their names
      const heads = subscribe("newHeads", given as never) as ReturnType<EvmSubscriptions["newHeads"]>
      const fiber = yield* Effect.fork(
        Effect.either(
          Stream.runForEach(heads, (head) => Effect.sync(() => told.push({ head, at: time.now() })))
        )
      )
      yield* Effect.sleep(chain.end + rest - time.now())
      const ended = fiber.unsafePoll()
      if (ended !== null) failure = Exit.isSuccess(ended) ? ended.value : ended
      const leaving = time.now()
      yield* Fiber.interrupt(fiber)
      yield* Scope.close(client, Exit.void)
      farewell = time.now() - leaving
      yield* Scope.close(world, Exit.void)
    }).pipe(Effect.withRandom(Random.make("a seed")))

  const exit = await simulate(program)
  if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
  expect(surprises).toEqual([])
  return {
    chain,
    told,
    modes,
    events,
    posted,
    begun,
    farewell,
    failure,
    hashes: told.map(({ head }) => head.hash)
  }
}

const numberOf = ({ number }: { readonly number: string }): number => Number(number)

type Ran = Awaited<ReturnType<typeof run>>

/** What a consumer knows who goes by what is told: every head stands on its parent, and none is told that stands there. */
const viewOf = ({ chain, told }: Ran): ReadonlyArray<Head> => {
  const had = new Set(chain.news.map(({ hash }) => hash))
  let view: ReadonlyArray<Head> = []
  for (const { head } of told) {
    if (!had.has(head.hash)) throw new Error(`${head.hash} was there before, or never`)
    if (view.some(({ hash }) => hash === head.hash)) throw new Error(`${head.hash} was told twice`)
    const parent = view.findLastIndex(({ hash }) => hash === head.parentHash)
    const [first] = view
    if (parent === -1 && first !== undefined && numberOf(head) > numberOf(first)) {
      throw new Error(`the parent of ${head.hash} was left out`)
    }
    view = [...view.slice(0, parent + 1), head]
  }
  return view
}

/** All heads from the first one on, and none that came after the beginning is missing. */
const expectAll = (ran: Ran, begin = 0): void => {
  expect(ran.failure).toBeUndefined()
  const view = viewOf(ran)
  const { asOf, last } = ran.chain
  const top = START + asOf(ran.begun + begin).length - 1
  const first = Math.min(
    view[0] === undefined ? Number.POSITIVE_INFINITY : numberOf(view[0]),
    // of a branch that was there, only its newest block is known
    ...last.filter(({ at }) => at > ran.begun + begin).map((block) => Math.max(top, numberOf(block)))
  )
  expect(view.map(({ hash }) => hash)).toEqual(
    last.filter((block) => numberOf(block) >= first).map(({ hash }) => hash)
  )
}

/** Heads that stayed, and how long it took until they were told. */
const delays = ({ chain, told }: Ran): ReadonlyArray<number> =>
  chain.last.flatMap(({ at, hash }) => {
    const first = told.find(({ head }) => head.hash === hash)
    return first === undefined ? [] : [first.at - at]
  })

const every = (after: number, count: number): ReadonlyArray<Step> =>
  Array.from({ length: count }, () => ({ after, gone: 0, come: 1 }))

const well: SocketPlan = { opens: 20, closes: undefined, quiet: undefined, lags: [10], jitter: 0 }

const plan = (steps: ReadonlyArray<Step>, ...sockets: ReadonlyArray<SocketPlan>): Plan => ({
  steps,
  sockets,
  latency: 40,
  lag: 0
})

describe("heads", () => {
  it.each([
    [1_000, 3_000],
    [12_000, 3_000],
    [250, 1_500]
  ])("over sockets that close after 400 ms are told soon, with a block every %i ms", async (time, limit) => {
    const ran = await run(plan(every(time, Math.ceil(120_000 / time)), { ...well, closes: 400 }), 10_000)
    expectAll(ran)
    expect(Math.max(...delays(ran))).toBeLessThan(limit + 200)
    expect(ran.modes.slice(0, 2)).toEqual(["socket", "polling"])
  })

  it.each([
    [1_000, 3_000],
    [12_000, 24_000]
  ])("are asked for where a socket has nothing to say for two blocks of %i ms", async (time, limit) => {
    const steps = every(time, Math.ceil(120_000 / time))
    for (const quiet of [0, 30_000]) {
      const ran = await run(plan(steps, { ...well, quiet }), 60_000)
      expectAll(ran)
      expect(Math.max(...delays(ran))).toBeLessThan(limit + 200)
    }
  })

  it("are not asked for over HTTP while a socket tells them", async () => {
    const ran = await run(plan(every(12_000, 10), well), 5_000)
    expectAll(ran)
    expect(ran.modes).toEqual(["socket"])
    // one for the beginning, and some as long as nobody knows how fast the chain is
    expect(ran.posted.filter((method) => method === "eth_getBlockByNumber").length).toBeLessThan(12)
  })

  it.each([["refused" as const], ["hangs" as const]])(
    "of the first seconds are told where sockets are %s",
    async (opens) => {
      const steps = [{ after: 150, gone: 0, come: 1 }, ...every(300, 20)]
      const ran = await run(plan(steps, { ...well, opens }), 10_000)
      expectAll(ran, 100)
      expect(ran.hashes[0]).toBe(`0xb${START + 20}`)
      expect(ran.modes).toEqual(["polling"])
    }
  )

  it("end with the goodbye of their node, which is waited for half a second", async () => {
    expect((await run(plan(every(1_000, 3), well), 500)).farewell).toBe(1)
    expect((await run(plan(every(1_000, 3), { ...well, stays: true }), 500)).farewell).toBe(500)
  })

  it("are told once by a socket whose backends are not in step", async () => {
    for (const lags of [
      [0, 2_500],
      [1_700, 0, 900]
    ]) {
      const ran = await run(plan(every(1_000, 40), { ...well, lags }), 10_000)
      expectAll(ran)
      expect(new Set(ran.hashes).size).toBe(ran.hashes.length)
    }
  })

  it("that were there before are not told, where the nodes are behind the socket", async () => {
    const late: Plan = { ...plan(every(300, 20), { ...well, opens: 1, lags: [0] }), latency: 60, lag: 2_000 }
    const ran = await run({ ...late, steps: [{ after: 5, gone: 0, come: 3 }, ...late.steps] }, 5_000)
    expectAll(ran, 500)
  })

  it("of another branch are told at once, even where it is no longer", async () => {
    const steps = [...every(5_000, 4), { after: 5_000, gone: 2, come: 2 }, { after: 5_000, gone: 3, come: 1 }]
    const ran = await run(plan(steps, well), 4_000)
    expectAll(ran)
    expect(ran.hashes.slice(-3)).toEqual([`0xb${START + 22}x1`, `0xb${START + 23}x1`, `0xb${START + 21}x2`])
    expect(Math.max(...delays(ran))).toBeLessThan(1_000)
  })
})

describe("a subscription", () => {
  it.each([["refused" as const], ["hangs" as const]])(
    "that is not polled ends with a typed error within its time where sockets are %s",
    async (opens) => {
      const ran = await run(
        plan(every(1_000, 20), { ...well, opens }),
        5_000,
        { polling: false },
        opens === "hangs" ? 8_000 : 20_000
      )
      expect(ran.told).toEqual([])
      expect(ran.failure).toMatchObject({
        _tag: "Left",
        left:
          opens === "hangs"
            ? { _tag: "CallTimeout", call: "subscribe.newHeads", timeout: 8_000 }
            : { _tag: "NodeError", kind: "connect" }
      })
    }
  )

  it("that has had a socket goes on looking for another", async () => {
    const sockets = [
      { ...well, closes: 5_000 },
      ...Array.from({ length: 12 }, () => ({ ...well, opens: "refused" as const })),
      well
    ]
    const ran = await run(plan(every(1_000, 200), ...sockets), 5_000, { polling: false })
    expectAll(ran, 500)
    expect(ran.modes).toEqual(["socket"])
  })

  it("says whether it goes by a socket or is polled", async () => {
    const refused = { ...well, opens: "refused" as const }
    const sockets = [{ ...well, closes: 20_000 }, ...Array.from({ length: 8 }, () => refused), well]
    const ran = await run(plan(every(1_000, 90), ...sockets), 5_000)
    expectAll(ran)
    expect(ran.modes).toEqual(["socket", "polling", "socket"])
    const subscribed = ran.events.filter(({ _tag }) => _tag === "Subscribed")
    const told = { _tag: "Subscribed", subscription: "subscribe.newHeads" }
    expect(subscribed).toEqual([
      { ...told, at: expect.any(Number), mode: "socket", url: "wss://one.example" },
      { ...told, at: expect.any(Number), mode: "polling" },
      { ...told, at: expect.any(Number), mode: "socket", url: "wss://one.example" }
    ])
  })
})

const socketPlan: fc.Arbitrary<SocketPlan> = fc.record(
  {
    opens: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 1, max: 800 }) },
      { weight: 2, arbitrary: fc.constant("refused" as const) },
      { weight: 1, arbitrary: fc.constant("hangs" as const) }
    ),
    closes: fc.option(fc.integer({ min: 50, max: 20_000 }), { nil: undefined, freq: 4 }),
    quiet: fc.option(fc.integer({ min: 0, max: 15_000 }), { nil: undefined, freq: 3 }),
    lags: fc.array(fc.nat(4_000), { minLength: 1, maxLength: 3 }),
    jitter: fc.constantFrom(0, 100, 3_000)
  },
  { noNullPrototype: true }
)

/** A branch that takes over is no shorter than the other one: else what was told may come back from a node that is late. */
const step: fc.Arbitrary<Step> = fc
  .record(
    {
      after: fc.integer({ min: 50, max: 3_000 }),
      gone: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 5 }) }
      ),
      more: fc.nat(2)
    },
    { noNullPrototype: true }
  )
  .map(({ after, gone, more }) => ({ after, gone, come: gone === 0 ? 1 + more : gone + more }))

/** The longest time without a new height. */
const slowest = (steps: ReadonlyArray<Step>): number => {
  let [height, highest, waited, longest] = [0, 0, 0, 0]
  for (const { after, come, gone } of steps) {
    height += come - gone
    waited += after
    longest = Math.max(longest, waited)
    if (height > highest) waited = 0
    highest = Math.max(highest, height)
  }
  return longest
}

const anyPlan: fc.Arbitrary<Plan> = fc.record(
  {
    steps: fc.array(step, { minLength: 10, maxLength: 60 }),
    sockets: fc.array(socketPlan, { minLength: 1, maxLength: 6 }),
    latency: fc.integer({ min: 1, max: 300 }),
    lag: fc.nat(800)
  },
  { noNullPrototype: true }
)

/** `MODEL_TIMES` makes as many times as many plans, as the nightly runs do. */
const times = Number(process.env.MODEL_TIMES ?? 1)

describe("whatever the chain and the sockets do", () => {
  it(
    "every head that stays is told once, in its place and soon",
    async () => {
      const property = fc.asyncProperty(anyPlan, async (world) => {
        const ran = await run(world, 20_000)
        expectAll(ran, 2_000)
        const forks = world.steps.some(({ gone }) => gone > 0)
        if (!forks) expect(new Set(ran.hashes).size).toBe(ran.hashes.length)
        // two blocks, which take longest where another branch is no higher, and twice that where the chain turns away while it is
        // read; what sockets lag, and what the nodes take
        const lag = Math.max(...world.sockets.map(({ jitter, lags }) => Math.min(...lags) + jitter))
        const silence = Math.max(3_000, 2 * slowest(world.steps)) * (forks ? 2 : 1)
        expect(Math.max(0, ...delays(ran))).toBeLessThan(silence + lag + 3_000)
      })
      await fc.assert(property, { numRuns: runs(30) * times, endOnFailure: true })
    },
    times * 120_000
  )
})
