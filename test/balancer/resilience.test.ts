// @runtime both
/** The balancer's own measures: second attempts, trouble in silence, probes of failed nodes, budgets, policies. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import {
  A,
  B,
  type Behaviour,
  C,
  delayAnswer,
  errorAnswer,
  makeNode,
  makeWorld,
  resultAnswer,
  runLeft,
  runRight,
  runWithin,
  settle,
  slowNode,
  textAnswer,
  withCallOptions
} from "./world.js"

/** Nodes that answer calls after so many milliseconds, and probes at once. */
const takes = (ms: number): Behaviour =>
  makeNode((ask) => (ask.method === "eth_gasPrice" ? delayAnswer(resultAnswer(ask, "0x2a"), ms) : undefined))

const silent: Behaviour = makeNode((ask) => (ask.method === "eth_gasPrice" ? "hang" : undefined))

/** Nodes of the user's own under the checks that are the default. */
const pool = (...urls: ReadonlyArray<string>) => ({ rpc: { nodes: urls.map((url) => ({ url })) } })

const quiet = (...urls: ReadonlyArray<string>) => ({
  rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY }
})

/** So many calls at the same time. */
const together = <X, E, R>(count: number, call: Effect.Effect<X, E, R>) =>
  Effect.fork(Effect.replicateEffect(call, count, { concurrency: "unbounded" }))

describe("the first call", () => {
  /** Every request takes so long. */
  const D = "https://d.example"

  it.scoped("that is signed goes to the first node that is well, and to none that says nothing", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: pool(A, B, C, D),
        // the second one passes its check while the call is at the third one
        nodes: { [A]: () => "hang", [B]: slowNode(200), [C]: slowNode(140), [D]: () => "hang" }
      })
      const calling = yield* Effect.fork(w.rpc.sendRawTransaction("0x00"))
      yield* settle
      // the height and the chain are asked for at the same time, and then the call is made
      yield* TestClock.adjust(139)
      expect(w.calls()).toEqual([])
      yield* TestClock.adjust(1)
      expect(w.hosts()).toEqual([C])
      yield* TestClock.adjust(140)
      yield* Fiber.join(calling)
      expect(w.hosts()).toEqual([C])
      expect(yield* w.active).toEqual([C])
    })
  )

  it.scoped("that reads is at three nodes beside their checks, and the first that is well answers it", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: pool(A, B, C, D),
        nodes: { [A]: () => "hang", [B]: slowNode(300), [C]: slowNode(140), [D]: slowNode(200) }
      })
      const answered: Array<number> = []
      w.pool.listen((event) => {
        if (event._tag === "Answered") answered.push(event.ms)
      })
      yield* runWithin(140, w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A, B, C])
      expect(answered).toEqual([140])
      expect(yield* w.active).toEqual([C])
    })
  )

  it.scoped("that reads goes to a fourth node that is well before those three", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: pool(A, B, C, D),
        nodes: { [A]: () => "hang", [B]: slowNode(500), [C]: () => "hang", [D]: slowNode(140) }
      })
      yield* runWithin(280, w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A, B, C, D])
    })
  )

  it.scoped("that reads from a block on is sent to nothing that has not told its height", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: pool(A, B), nodes: { [A]: slowNode(200), [B]: slowNode(140) } })
      const calling = yield* Effect.fork(w.rpc.gasPrice().pipe(withCallOptions({ minBlock: 1n })))
      yield* settle
      yield* TestClock.adjust(139)
      expect(w.calls()).toEqual([])
      yield* TestClock.adjust(1_000)
      expect(yield* Fiber.join(calling)).toBe(42n)
      expect(w.hosts()).toEqual([B])
    })
  )

  it.scoped("is not answered by a node of another chain, however soon it answers", () =>
    Effect.gen(function* () {
      const poison = makeNode(
        (ask) => (ask.method === "eth_gasPrice" ? resultAnswer(ask, "0xbad") : undefined),
        {
          chain: "0x539"
        }
      )
      const w = yield* makeWorld({ config: pool(A, B), nodes: { [A]: poison, [B]: slowNode(140) } })
      expect(yield* runWithin(140, w.rpc.gasPrice())).toEqual(Exit.succeed(42n))
      expect(w.hosts()).toEqual([A, B])
    })
  )

  it.scoped("is asked for again where an early read has failed before the node was found well", () =>
    Effect.gen(function* () {
      const well = slowNode(140)
      const w = yield* makeWorld({
        config: pool(A, B),
        nodes: {
          [A]: () => "hang",
          [B]: (ask) => (ask.at === 0 && ask.method === "eth_gasPrice" ? textAnswer("", 404) : well(ask))
        }
      })
      expect(yield* runWithin(280, w.rpc.gasPrice())).toEqual(Exit.succeed(42n))
      expect(w.hosts()).toEqual([A, B, B])
    })
  )

  it.scoped("with many others spends no more on that than the budget of second attempts has", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: pool(A, B, C, D),
        nodes: { [A]: slowNode(300), [B]: slowNode(300), [C]: slowNode(140), [D]: slowNode(200) }
      })
      const calling = yield* Effect.fork(
        Effect.forEach(Array.from({ length: 64 }), () => w.rpc.gasPrice(), { concurrency: "unbounded" })
      )
      yield* settle
      // ten, and the share of 64 calls
      const early = w.hosts()
      expect(early).toHaveLength(15)
      yield* TestClock.adjust(280)
      yield* Fiber.join(calling)
      // those at the node that was well first were answers
      expect(w.calls()).toHaveLength(64 + early.filter((url) => url !== C).length)
    })
  )

  it.scoped("is sent to no node before its check where there are no second attempts", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...pool(A, B), hedge: false },
        nodes: { [A]: slowNode(300), [B]: slowNode(140) }
      })
      yield* runWithin(280, w.rpc.gasPrice())
      expect(w.hosts()).toEqual([B])
    })
  )

  it.scoped("waits for a second at most, and for no longer than it may take", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...pool(A, B), hedge: false },
        nodes: { [A]: slowNode(3_000), [B]: slowNode(3_000) }
      })
      const calling = yield* Effect.fork(w.rpc.gasPrice())
      const hurried = yield* Effect.fork(runLeft(w.rpc.gasPrice().pipe(withCallOptions({ timeout: 50 }))))
      yield* settle
      yield* TestClock.adjust(60)
      expect((yield* Fiber.join(hurried))._tag).toBe("CallTimeout")
      yield* TestClock.adjust(3_000)
      // the chain checks were under way meanwhile
      expect(w.hosts()).toHaveLength(1)
      yield* TestClock.adjust(3_000)
      expect(yield* Fiber.join(calling)).toBe(42n)
    })
  )

  it.scoped("is not held up by nodes that all refuse to tell their height", () =>
    Effect.gen(function* () {
      const mute = makeNode((ask) => (ask.method === "eth_blockNumber" ? textAnswer("", 403) : undefined))
      const w = yield* makeWorld({ config: pool(A, B), nodes: { [A]: mute, [B]: mute } })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
    })
  )
})

describe("second attempts", () => {
  it.scoped("go to another node when the first one takes too long, and the first answer wins", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100 } },
        nodes: { [A]: takes(5_000), [B]: takes(50) }
      })
      const call = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(90)
      expect(w.hosts()).toEqual([A])
      yield* TestClock.adjust(70)
      expect(yield* Fiber.join(call)).toBe(42n)
      expect(w.hosts()).toEqual([A, B])
      yield* settle
      // the loser's connection is free again, and one loss is no failure
      expect(w.open()).toBe(0)
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("do not happen when the first node answers in time, fails at once, or refuses the request", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100 } },
        nodes: { [A]: takes(60), [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A])
      yield* TestClock.adjust(1_000)
      expect(w.hosts()).toEqual([A])
    })
  )

  it.scoped("are never made for what is signed or what changes something", () =>
    Effect.gen(function* () {
      const slow: Behaviour = makeNode((ask) =>
        ask.method.startsWith("eth_send")
          ? delayAnswer(resultAnswer(ask, `0x${"1".repeat(64)}`), 3_000)
          : undefined
      )
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100 } },
        nodes: { [A]: slow, [B]: slow }
      })
      yield* runRight(w.rpc.sendRawTransaction("0x02"))
      expect(w.hosts()).toEqual([A])
    })
  )

  it.scoped("are as many as the budget allows: ten at once, and a share of the calls after that", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100, maxExtraLoad: 0.1 } },
        // both are slow, so nobody is overtaken
        nodes: { [A]: takes(200), [B]: takes(400) }
      })
      const calls = yield* together(30, w.rpc.gasPrice())
      yield* settle
      yield* TestClock.adjust(250)
      yield* Fiber.join(calls)
      expect(w.hosts().filter((host) => host === B)).toHaveLength(10)
      const more = yield* together(30, w.rpc.gasPrice())
      yield* settle
      yield* TestClock.adjust(250)
      yield* Fiber.join(more)
      expect(w.hosts().filter((host) => host === B)).toHaveLength(13)
    })
  )

  it.scoped("can be switched off", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: false },
        nodes: { [A]: takes(9_000), [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A])
    })
  )

  it.scoped("follow what calls usually take", () =>
    Effect.gen(function* () {
      let ms = 20
      const w = yield* makeWorld({
        config: quiet(A, B),
        nodes: { [A]: (ask) => takes(ms)(ask), [B]: makeNode() }
      })
      for (let i = 0; i < 32; i++) {
        const call = yield* Effect.fork(w.rpc.gasPrice())
        yield* TestClock.adjust(20)
        yield* Fiber.join(call)
      }
      ms = 5_000
      const call = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(70)
      expect(yield* Fiber.join(call)).toBe(42n)
    })
  )

  it.scoped("leave the active node in its place, whichever node answers them in the end", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B, C), hedge: { delay: 100 } },
        nodes: {
          [A]: takes(5_000),
          [B]: makeNode((ask) => (ask.method === "eth_gasPrice" ? { failure: "connect" } : undefined)),
          [C]: takes(50)
        }
      })
      expect(yield* w.active).toEqual([A])
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(w.hosts()).toEqual([A, B, C])
      expect(yield* w.failed).toEqual([B])
      expect(yield* w.active).toEqual([A])
    })
  )

  it.scoped("become the call when the first node fails, and their node the active one", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B, C), hedge: { delay: 100 } },
        nodes: {
          [A]: makeNode((ask) =>
            ask.method === "eth_gasPrice" ? delayAnswer({ failure: "connect" }, 150) : undefined
          ),
          // before it would get a backup request of its own
          [B]: makeNode((ask) =>
            ask.method === "eth_gasPrice" ? delayAnswer(errorAnswer(ask, -32050, "odd"), 90) : undefined
          ),
          [C]: takes(50)
        }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(yield* w.active).toEqual([C])
    })
  )

  it.scoped("that fail leave the first node its time", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100 } },
        nodes: {
          [A]: takes(1_000),
          [B]: makeNode((ask) => (ask.method === "eth_gasPrice" ? { failure: "connect" } : undefined))
        }
      })
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(yield* w.failed).toEqual([B])
    })
  )
})

describe("a node that is silent", () => {
  it.scoped("has failed once it was overtaken three times in a row, and calls that wait for it move on", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100, maxExtraLoad: 0 } },
        nodes: { [A]: silent, [B]: takes(10) }
      })
      // ten may be sent twice; the others wait until the node is known to have failed
      const calls = yield* together(100, w.rpc.gasPrice())
      yield* TestClock.adjust(200)
      expect((yield* Fiber.join(calls)).every((value) => value === 42n)).toBe(true)
      expect(yield* w.failed).toEqual([A])
      expect(yield* w.active).toEqual([B])
      expect(w.open()).toBe(0)
    })
  )

  it.scoped("is in trouble no more when it answers in between", () =>
    Effect.gen(function* () {
      let n = 0
      const w = yield* makeWorld({
        config: { ...quiet(A, B), hedge: { delay: 100 } },
        nodes: {
          [A]: (ask) => (ask.method === "eth_gasPrice" && ++n % 3 !== 0 ? "hang" : takes(10)(ask)),
          [B]: takes(10)
        }
      })
      for (let i = 0; i < 9; i++) yield* runRight(w.rpc.gasPrice())
      expect(yield* w.failed).toEqual([])
    })
  )
})

describe("a node with server errors", () => {
  it.scoped("is left by all calls as soon as three have met them", () =>
    Effect.gen(function* () {
      const sick: Behaviour = makeNode((ask) =>
        ask.method === "eth_gasPrice" ? textAnswer("Bad gateway", 502) : undefined
      )
      const w = yield* makeWorld({ config: quiet(A, B), nodes: { [A]: sick, [B]: makeNode() } })
      const calls = yield* together(5, w.rpc.gasPrice())
      // retryDelay is a second
      yield* TestClock.adjust(100)
      yield* Fiber.join(calls)
      expect(yield* w.failed).toEqual([A])
    })
  )
})

describe("a node that falls behind", () => {
  it.scoped("is left at once, and stays out although answers from before come in", () =>
    Effect.gen(function* () {
      let height = 5_000
      const w = yield* makeWorld({
        config: { ...pool(A, B), hedge: false },
        nodes: {
          [A]: (ask) =>
            ask.method === "eth_blockNumber"
              ? resultAnswer(ask, `0x${height.toString(16)}`)
              : ask.method === "eth_gasPrice"
                ? delayAnswer(resultAnswer(ask, "0x2a"), 40)
                : makeNode()(ask),
          [B]: (ask) => (ask.method === "eth_blockNumber" ? resultAnswer(ask, "0x1389") : makeNode()(ask))
        }
      })
      expect(yield* runRight(w.rpc.blockNumber())).toBe(5_000n)
      height = 4_000
      const slow = yield* Effect.fork(w.rpc.gasPrice())
      yield* settle
      expect(yield* runRight(w.rpc.blockNumber())).toBe(5_001n)
      expect(yield* w.failed).toEqual([A])
      yield* TestClock.adjust(50)
      expect(yield* Fiber.join(slow)).toBe(42n)
      expect(yield* w.active).toEqual([B])
      // well enough to be asked, but out of step
      yield* TestClock.adjust(5_000)
      expect(yield* w.failed).toEqual([])
      expect(yield* w.active).toEqual([B])
    })
  )
})

describe("a failed node", () => {
  it.scoped("is probed on a back-off of its own, and is back when it is well", () =>
    Effect.gen(function* () {
      let well = true
      const w = yield* makeWorld({
        config: { ...pool(A, B), hedge: false },
        nodes: { [A]: (ask) => (well ? makeNode()(ask) : { failure: "connect" }), [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      well = false
      const since = w.probes().length
      yield* runRight(w.rpc.gasPrice())
      expect(yield* w.failed).toEqual([A])
      yield* TestClock.adjust(30_000)
      const gaps = w
        .probes()
        .slice(since)
        .filter(({ url }) => url === A)
        .map(({ at }, i, all) => at - (all[i - 1]?.at ?? 0))
        .slice(1)
      expect(gaps.length).toBeGreaterThan(9)
      // each pause is longer than the one before, but for the jitter
      const sum = (some: ReadonlyArray<number>): number => some.reduce((all, gap) => all + gap, 0)
      expect(sum(gaps.slice(-5))).toBeGreaterThan(sum(gaps.slice(0, 5)) * 1.5)
      expect(new Set(gaps).size).toBe(gaps.length)
      well = true
      yield* TestClock.adjust(15_000)
      expect(yield* w.failed).toEqual([])
      // it serves again, but the other one stays active
      expect(yield* w.active).toEqual([B])
    })
  )

  it.scoped("that no call has met, but a round of checks, is probed on its back-off too", () =>
    Effect.gen(function* () {
      let chain = "0x539"
      const w = yield* makeWorld({
        config: pool(A, B),
        nodes: { [A]: (ask) => makeNode(undefined, { chain })(ask), [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      expect(yield* w.failed).toEqual([A])
      expect(yield* w.active).toEqual([B])
      chain = "0x1"
      yield* TestClock.adjust(3_000)
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("is left alone while nobody calls", () =>
    Effect.gen(function* () {
      let well = true
      const w = yield* makeWorld({
        config: { ...pool(A, B), hedge: false },
        nodes: { [A]: (ask) => (well ? makeNode()(ask) : { failure: "connect" }), [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      well = false
      yield* runRight(w.rpc.gasPrice())
      yield* TestClock.adjust("10 minutes")
      const probes = w.probes().length
      yield* TestClock.adjust("10 minutes")
      expect(w.probes()).toHaveLength(probes)
      well = true
      yield* runRight(w.rpc.gasPrice())
      yield* TestClock.adjust("1 minute")
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("that wants to be asked later is asked then, and others serve meanwhile", () =>
    Effect.gen(function* () {
      let limited = false
      const w = yield* makeWorld({
        config: { ...pool(A, B), hedge: false },
        nodes: {
          [A]: (ask) =>
            limited ? { status: 429, text: "slow down", headers: { "retry-after": "7" } } : makeNode()(ask),
          [B]: makeNode()
        }
      })
      yield* runRight(w.rpc.gasPrice())
      limited = true
      yield* runRight(w.rpc.gasPrice())
      const asked = () => w.sent.filter(({ url }) => url === A).length
      const before = asked()
      yield* TestClock.adjust(6_500)
      yield* runRight(w.pool.check)
      expect([asked(), yield* w.failed]).toEqual([before, [A]])
      limited = false
      yield* TestClock.adjust(500)
      expect(yield* w.failed).toEqual([])
      yield* runRight(w.pool.check)
      expect(asked()).toBeGreaterThan(before)
    })
  )
})

describe("the retry budget", () => {
  it.scoped("keeps an outage from being multiplied", () =>
    Effect.gen(function* () {
      const dead: Behaviour = () => ({ failure: "connect" })
      const w = yield* makeWorld({
        config: {
          rpc: { ...quiet(A, B, C).rpc, evictNodesOnFailure: false },
          retryBudget: { ratio: 0.1, burst: 5 },
          verifyChain: false
        },
        nodes: { [A]: dead, [B]: dead, [C]: dead }
      })
      for (let i = 0; i < 100; i++) yield* runLeft(w.rpc.gasPrice())
      expect(w.hosts().length).toBeLessThanOrEqual(100 + 5 + 10 + 1)
      expect(w.hosts().length).toBeGreaterThan(100)
    })
  )
})

describe("selection", () => {
  it.scoped("round-robin takes one node after the other", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B, C), selection: "round-robin" },
        nodes: { [A]: makeNode(), [B]: makeNode(), [C]: makeNode() }
      })
      for (let i = 0; i < 6; i++) yield* runRight(w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A, B, C, A, B, C])
    })
  )

  it.scoped("p2c prefers the node that answers faster", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B, C), selection: "p2c", hedge: false },
        nodes: { [A]: takes(200), [B]: takes(10), [C]: takes(200) }
      })
      for (let i = 0; i < 60; i++) {
        const call = yield* Effect.fork(w.rpc.gasPrice())
        yield* TestClock.adjust(200)
        yield* Fiber.join(call)
      }
      const share = w.hosts().filter((host) => host === B).length / 60
      expect(share).toBeGreaterThan(0.5)
    })
  )

  it.scoped("weighted gives nodes their shares, and those of a failed one to the others", () =>
    Effect.gen(function* () {
      let well = true
      const w = yield* makeWorld({
        config: {
          rpc: {
            nodes: [
              { url: A, weight: 9 },
              { url: B, weight: 1 }
            ],
            statusCheckInterval: Number.POSITIVE_INFINITY
          },
          selection: "weighted"
        },
        nodes: { [A]: (ask) => (well ? makeNode()(ask) : { failure: "connect" }), [B]: makeNode() }
      })
      for (let i = 0; i < 200; i++) yield* runRight(w.rpc.gasPrice())
      const share = w.hosts().filter((host) => host === A).length / 200
      expect(share).toBeGreaterThan(0.8)
      expect(share).toBeLessThan(0.98)
      well = false
      const before = w.hosts().length
      for (let i = 0; i < 20; i++) yield* runRight(w.rpc.gasPrice())
      expect(
        w
          .hosts()
          .slice(before)
          .filter((host) => host === A).length
      ).toBeLessThanOrEqual(1)
    })
  )

  it.scoped("of one node sends everything there", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), selection: { node: `${B}/` } },
        nodes: { [A]: makeNode(), [B]: makeNode((ask) => (ask.n > 2 ? { failure: "connect" } : undefined)) }
      })
      expect(yield* runRight(w.transport.nodeUrl(false))).toBe(B)
      for (let i = 0; i < 3; i++) yield* runRight(w.rpc.gasPrice())
      expect((yield* runLeft(w.rpc.gasPrice()))._tag).toBe("NodeError")
      expect(new Set(w.hosts())).toEqual(new Set([B]))
    })
  )

  it.scoped("of a node that the pool does not have names it, for calls and for their url", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...quiet(A, B), selection: { node: C } },
        nodes: { [A]: makeNode(), [B]: makeNode() }
      })
      const refusals = [yield* runLeft(w.rpc.gasPrice()), yield* runLeft(w.transport.nodeUrl(false))]
      expect(refusals.map(({ _tag }) => _tag)).toEqual(["NoActiveNode", "NoActiveNode"])
      expect(new Set(refusals.map(({ message }) => message)).size).toBe(1)
      expect(w.hosts()).toEqual([])
    })
  )
})
