// @runtime both
/** The events of a pool as they happen. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type { NodePoolView } from "../../src/balancer/NodePool.js"
import type { PoolEvent } from "../../src/balancer/Observation.js"
import {
  A,
  B,
  type Behaviour,
  C,
  checkedConfig,
  delayAnswer,
  isProbe,
  makeNode,
  makeWorld,
  resultAnswer,
  runLeft,
  runRight,
  staticConfig,
  textAnswer,
  unreachableNode
} from "./world.js"

/** Nodes that answer calls after so many milliseconds, and checks at once. */
const takes = (ms: number): Behaviour =>
  makeNode((ask) => (ask.method === "eth_gasPrice" ? delayAnswer(resultAnswer(ask, "0x2a"), ms) : undefined))

/** A listener that keeps what it is told. */
const listen = (pool: NodePoolView): Array<PoolEvent> => {
  const told: Array<PoolEvent> = []
  pool.listen((event) => told.push(event))
  return told
}

/** Events without their times, their calls numbered from 1. */
const untimed = (events: ReadonlyArray<PoolEvent>) => {
  const ids = [...new Set(events.flatMap((event) => ("id" in event ? [event.id] : [])))]
  return events.map(({ at: _, ...event }) =>
    "id" in event ? { ...event, id: ids.indexOf(event.id) + 1 } : event
  )
}

const call = "eth_gasPrice"
const type = "NORMAL" as const

describe("events", () => {
  it.scoped("say what a check has found out, once", () =>
    Effect.gen(function* () {
      let well = false
      const w = yield* makeWorld({
        config: staticConfig(A, B),
        nodes: { [A]: (ask) => (well ? makeNode()(ask) : unreachableNode(ask)), [B]: makeNode() }
      })
      const told = listen(w.pool)
      yield* runRight(w.pool.check)
      yield* runRight(w.pool.check)
      expect(untimed(told)).toEqual([{ _tag: "Failed", url: A, reason: "it has failed a check" }])
      well = true
      yield* runRight(w.pool.check)
      yield* runRight(w.pool.check)
      expect(untimed(told).slice(1)).toEqual([{ _tag: "Readmitted", url: A, height: 100 }])
    })
  )

  it.scoped("say which node was picked for a call, and when it has answered", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: takes(30), [B]: makeNode() } })
      const told = listen(w.pool)
      yield* TestClock.adjust(1_000)
      const asked = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(100)
      yield* Fiber.join(asked)
      expect(told).toEqual([
        { _tag: "Attempted", url: A, type, wanted: type, call, id: expect.any(Number), at: 1_000 },
        { _tag: "Answered", url: A, call, id: expect.any(Number), ms: 30, at: 1_030 }
      ])
    })
  )

  it.scoped("tell calls apart that ask the same at once", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), coalesce: false, hedge: { delay: 100 } },
        nodes: { [A]: takes(5_000), [B]: takes(50) }
      })
      const told = listen(w.pool)
      const both = yield* Effect.fork(
        Effect.replicateEffect(w.rpc.gasPrice(), 2, { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(1_000)
      yield* Fiber.join(both)
      for (const id of [1, 2]) {
        const own = untimed(told).filter((event) => "id" in event && event.id === id)
        expect(own.map(({ _tag }) => _tag)).toEqual(["Attempted", "Hedged", "Attempted", "Answered"])
      }
    })
  )

  it.scoped("say why a node has failed, before they say which is next", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: { [A]: unreachableNode, [B]: makeNode() }
      })
      const told = listen(w.pool)
      yield* runRight(w.rpc.gasPrice())
      yield* runRight(w.rpc.gasPrice())
      expect(untimed(told)).toEqual([
        { _tag: "Attempted", url: A, type, wanted: type, call, id: 1 },
        { _tag: "Failed", url: A, reason: "eth_gasPrice failed: it is a failure: connect" },
        { _tag: "Attempted", url: B, type, wanted: type, call, id: 1 },
        { _tag: "Answered", url: B, call, id: 1, ms: 0 },
        { _tag: "Attempted", url: B, type, wanted: type, call, id: 2 },
        { _tag: "Answered", url: B, call, id: 2, ms: 0 }
      ])
    })
  )

  it.scoped("say that a call is sent to a second node too, and which node made it wait", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), hedge: { delay: 100 } },
        nodes: { [A]: takes(5_000), [B]: takes(50) }
      })
      const told = listen(w.pool)
      const asked = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(300)
      yield* Fiber.join(asked)
      expect(untimed(told)).toEqual([
        { _tag: "Attempted", url: A, type, wanted: type, call, id: 1 },
        { _tag: "Hedged", url: A, call, id: 1 },
        { _tag: "Attempted", url: B, type, wanted: type, call, id: 1 },
        { _tag: "Answered", url: B, call, id: 1, ms: 50 }
      ])
      expect(told[1]?.at).toBeGreaterThanOrEqual(100)
    })
  )

  it.scoped("say when all nodes of a type have failed a call", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: { [A]: unreachableNode, [B]: unreachableNode }
      })
      const told = listen(w.pool)
      yield* runLeft(w.rpc.gasPrice())
      expect(told.map(({ _tag }) => _tag)).toEqual([
        "Attempted",
        "Failed",
        "Attempted",
        "Failed",
        "Exhausted"
      ])
      expect(untimed(told).at(-1)).toEqual({ _tag: "Exhausted", type })
    })
  )

  it.scoped(
    "say how long a node wants to be left alone: it has not failed, and is back when that is over",
    () =>
      Effect.gen(function* () {
        let limited = false
        const w = yield* makeWorld({
          config: { ...checkedConfig(A, B), hedge: false },
          nodes: {
            [A]: (ask) =>
              limited ? { status: 429, text: "slow down", headers: { "retry-after": "7" } } : makeNode()(ask),
            [B]: makeNode((ask) => (isProbe(ask) ? delayAnswer(resultAnswer(ask, "0x64"), 5) : undefined))
          }
        })
        yield* runRight(w.rpc.gasPrice())
        yield* TestClock.adjust(100)
        limited = true
        const told = listen(w.pool)
        yield* runRight(w.rpc.gasPrice())
        limited = false
        yield* TestClock.adjust(6_999)
        expect(yield* w.failed).toEqual([A])
        yield* TestClock.adjust(1)
        expect(yield* w.failed).toEqual([])
        expect(untimed(told)).toEqual([
          { _tag: "Attempted", url: A, type, wanted: type, call, id: 1 },
          { _tag: "Cooled", url: A, ms: 7_000 },
          { _tag: "Attempted", url: B, type, wanted: type, call, id: 1 },
          { _tag: "Answered", url: B, call, id: 1, ms: 0 }
        ])
      })
  )

  it.scoped("say once that a node has failed, however many calls it has failed", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), hedge: false },
        nodes: {
          [A]: makeNode((ask) => (ask.method === call ? { failure: "network", after: 20 } : undefined)),
          [B]: makeNode()
        }
      })
      const told = listen(w.pool)
      const asked = yield* Effect.fork(
        Effect.replicateEffect(w.rpc.gasPrice(), 5, { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(100)
      yield* Fiber.join(asked)
      const tags = told.map(({ _tag }) => _tag)
      expect(tags.filter((tag) => tag === "Attempted")).toHaveLength(10)
      expect(tags.filter((tag) => tag === "Failed")).toHaveLength(1)
    })
  )

  it.scoped("hold no key and no user info, neither in urls nor in what nodes say", () =>
    Effect.gen(function* () {
      const key = "0123456789abcdef0123456789abcdef"
      const path = `https://a.example/v3/${key}`
      const sick: Behaviour = () => textAnswer(`nothing at ${path}?token=queriedsecret0123456789`, 429)
      const w = yield* makeWorld({
        config: {
          rpc: {
            nodes: [
              { url: `https://hugo:opensesame@a.example/v3/${key}?token=queriedsecret0123456789` },
              { url: `https://b.example/${key}` },
              { url: C }
            ],
            statusCheckInterval: Number.POSITIVE_INFINITY
          },
          verifyChain: false,
          hedge: { delay: 100 }
        },
        nodes: {
          "https://a.example": sick,
          [`https://b.example/${key}`]: takes(2_000),
          [C]: takes(10)
        }
      })
      const told = listen(w.pool)
      const asked = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(1_000)
      yield* Fiber.join(asked)
      expect(told.map(({ _tag }) => _tag)).toEqual([
        "Attempted",
        "Cooled",
        "Attempted",
        "Hedged",
        "Attempted",
        "Answered"
      ])
      const shown = JSON.stringify([told, yield* w.pool.snapshot])
      for (const secret of [key, "hugo", "opensesame", "queriedsecret"]) expect(shown).not.toContain(secret)
      expect(told[0]).toMatchObject({ url: "https://a.example/\u2026" })
      expect(told[2]).toMatchObject({ url: "https://b.example/\u2026" })
      expect(told[5]).toMatchObject({ url: C })
    })
  )

  it.scoped("are told to each listener until it is taken back, also to one that is there twice", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A), nodes: { [A]: makeNode() } })
      let count = 0
      const listener = (): void => {
        count++
      }
      const first = w.pool.listen(listener)
      const second = w.pool.listen(listener)
      yield* runRight(w.rpc.gasPrice())
      expect(count).toBe(4)
      first()
      first()
      yield* runRight(w.rpc.gasPrice())
      expect(count).toBe(6)
      second()
      yield* runRight(w.rpc.gasPrice())
      expect(count).toBe(6)
    })
  )

  // the listener is the user's: what goes wrong in it is no reason for a call to end as a defect
  it.scoped("reach the others, and harm no call, when a listener throws", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A), nodes: { [A]: makeNode() } })
      w.pool.listen(() => {
        throw new Error("a bug of the listener's own")
      })
      const told = listen(w.pool)
      expect(yield* runRight(w.rpc.gasPrice())).toBe(42n)
      expect(told).toHaveLength(2)
    })
  )
})
