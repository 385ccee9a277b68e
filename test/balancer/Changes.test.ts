/** The events of a pool as a stream. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import { changes, changesOf } from "../../src/balancer/Changes.js"
import type { NodePoolView } from "../../src/balancer/NodePool.js"
import type { PoolEvent } from "../../src/balancer/Observation.js"
import { A, B, makeNode, makeWorld, runRight, settle, staticConfig, unreachableNode } from "./world.js"

/** Events without their times. */
const untimed = (events: ReadonlyArray<PoolEvent>) => events.map(({ at: _, ...event }) => event)

const call = "eth_gasPrice"
const type = "NORMAL" as const

/** A pool that tells what a test wants. */
const spoken = () => {
  const listeners = new Set<(event: PoolEvent) => void>()
  const unasked = Effect.dieMessage("nobody asks for this")
  const pool: NodePoolView = {
    snapshot: unasked,
    check: unasked,
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
  return {
    pool,
    listening: () => listeners.size,
    tell: (at: number) => {
      for (const listener of listeners) listener({ _tag: "Exhausted", type, at })
    }
  }
}

const times = (events: Iterable<PoolEvent>): ReadonlyArray<number> => Array.from(events, ({ at }) => at)

describe("the stream of changes", () => {
  it.scoped("has the events of the pool in their order, from its start on", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: { [A]: unreachableNode, [B]: makeNode() }
      })
      yield* runRight(w.rpc.gasPrice())
      class Client extends Context.Tag("test/Client")<Client, { readonly nodes: typeof w.pool }>() {}
      const provided = changes(Client).pipe(Stream.provideLayer(Layer.succeed(Client, { nodes: w.pool })))
      const read = yield* Effect.fork(Stream.runCollect(Stream.take(provided, 2)))
      yield* settle
      yield* runRight(w.rpc.gasPrice())
      expect(untimed(Chunk.toReadonlyArray(yield* Fiber.join(read)))).toEqual([
        { _tag: "Attempted", url: B, type, wanted: type, call, id: expect.any(Number) },
        { _tag: "Answered", url: B, call, id: expect.any(Number), ms: 0 }
      ])
    })
  )

  it.effect("listens only while it runs, and not after its end, a failure or an interruption", () =>
    Effect.gen(function* () {
      const { listening, pool, tell } = spoken()
      const stream = changesOf(pool)
      expect(listening()).toBe(0)
      const taken = yield* Effect.fork(Stream.runCollect(Stream.take(stream, 1)))
      const failing = yield* Effect.fork(Effect.flip(Stream.runForEach(stream, () => Effect.fail("enough"))))
      const endless = yield* Effect.fork(Stream.runDrain(stream))
      yield* settle
      expect(listening()).toBe(3)
      tell(1)
      yield* Fiber.join(taken)
      expect(yield* Fiber.join(failing)).toBe("enough")
      expect(listening()).toBe(1)
      yield* Fiber.interrupt(endless)
      expect(listening()).toBe(0)
    })
  )

  it.effect("loses the oldest events of who is more than 256 behind, and nothing else", () =>
    Effect.gen(function* () {
      const { pool, tell } = spoken()
      const read: Array<number> = []
      const slow = yield* changesOf(pool).pipe(
        Stream.rechunk(1),
        Stream.runForEach(({ at }) => {
          read.push(at)
          return Effect.sleep(1_000)
        }),
        Effect.fork
      )
      yield* settle
      tell(0)
      yield* settle
      expect(read).toEqual([0])
      for (let at = 1; at <= 1_000; at++) tell(at)
      yield* TestClock.adjust(1_000 * 1_000)
      const rest = read.slice(1)
      expect(rest).toHaveLength(256)
      expect(rest).toEqual(Array.from({ length: 256 }, (_, i) => 745 + i))
      yield* Fiber.interrupt(slow)
    })
  )

  it.effect("of two readers are two: who is slow takes nothing from the other", () =>
    Effect.gen(function* () {
      const { pool, tell } = spoken()
      const stuck = yield* Effect.fork(Stream.runForEach(changesOf(pool), () => Effect.never))
      const quick = yield* Effect.fork(Stream.runCollect(Stream.take(changesOf(pool), 600)))
      yield* settle
      for (let at = 0; at < 600; at++) {
        tell(at)
        if (at % 100 === 99) yield* settle
      }
      expect(times(yield* Fiber.join(quick))).toEqual(Array.from({ length: 600 }, (_, i) => i))
      yield* Fiber.interrupt(stuck)
    })
  )
})
