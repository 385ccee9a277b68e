// @runtime both
/** Schedules of the user's own, for the rounds of checks and for the probes of failed nodes. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import { A, B, type Behaviour, makeNode, makeWorld, runRight, settle } from "./world.js"

/** So many pauses of one length. */
const pauses = (times: number, pause: number) =>
  Schedule.modifyDelayEffect(Schedule.recurs(times), () => Effect.succeed(pause))

const nodes = [{ url: A }, { url: B }]

describe("the user's schedule", () => {
  it.scoped("has the rounds of checks, until it ends", () =>
    Effect.gen(function* () {
      const checks = pauses(2, 5_000)
      const w = yield* makeWorld({
        config: { rpc: { nodes, checks } },
        nodes: { [A]: makeNode(), [B]: makeNode() }
      })
      yield* settle
      const begun = w.probes()[0]?.at ?? 0
      yield* runRight(w.rpc.gasPrice())
      yield* TestClock.adjust("1 minute")
      const rounds = w.probes().map(({ at }) => at - begun)
      expect(rounds).toEqual([0, 0, 5_000, 5_000, 10_000, 10_000])
    })
  )

  it.scoped("has the probes of a failed node, after a pause, until it ends", () =>
    Effect.gen(function* () {
      let isDown = false
      const well = makeNode()
      const failing: Behaviour = (ask) => (isDown ? { failure: "connect" } : well(ask))
      const readmission = pauses(3, 7_000)
      const w = yield* makeWorld({
        config: { rpc: { nodes, readmission, statusCheckInterval: 3_600_000 } },
        nodes: { [A]: failing, [B]: makeNode() }
      })
      yield* settle
      isDown = true
      const { sent } = w
      const before = sent.length
      yield* runRight(w.rpc.gasPrice())
      const begun = sent[before]?.at ?? 0
      yield* TestClock.adjust("40 seconds")
      const probes = sent.slice(before).filter(({ method, url }) => url === A && method === "eth_blockNumber")
      // the round in which the node fails asks it twice
      expect(probes.map(({ at }) => at - begun)).toEqual([0, 0, 7_000, 14_000, 21_000])
      expect(yield* w.pool.snapshot).toMatchObject([{ failed: true }, { failed: false }])
    })
  )

  it.scoped("is followed once for a node that fails more than once meanwhile", () =>
    Effect.gen(function* () {
      let isDown = false
      const well = makeNode()
      const failing: Behaviour = (ask) => (isDown ? { failure: "connect" } : well(ask))
      const readmission = Schedule.spaced("7 seconds")
      const w = yield* makeWorld({
        config: { rpc: { nodes, readmission, statusCheckInterval: 3_600_000 } },
        nodes: { [A]: failing, [B]: failing }
      })
      yield* settle
      isDown = true
      for (let i = 0; i < 3; i++) yield* Effect.fork(Effect.either(w.rpc.gasPrice()))
      yield* TestClock.adjust("6 seconds")
      const before = w.sent.length
      yield* TestClock.adjust("10 seconds")
      const probes = w.sent
        .slice(before)
        .filter(({ method, url }) => url === A && method === "eth_blockNumber")
      const times = probes.map(({ at }) => at)
      expect(times.length).toBeGreaterThan(0)
      expect(new Set(times).size).toBe(times.length)
    })
  )

  it.effect("has to be one", () =>
    Effect.gen(function* () {
      // what a program in JavaScript may pass
      const checks = "every minute" as unknown as Schedule.Schedule<unknown>
      const error = yield* Effect.flip(
        Effect.scoped(makeWorld({ config: { rpc: { nodes, checks } }, nodes: {} }))
      )
      expect(error).toMatchObject({
        _tag: "InvalidConfig",
        issues: [
          { path: "rpc.checks", message: expect.stringContaining("must be a Schedule of Effect, not ") }
        ]
      })
    })
  )
})
