/** Metrics of a pool and of the calls to it. Spans: test/traces.test.ts. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import * as TestClock from "effect/TestClock"
import * as Metrics from "../../src/balancer/Metrics.js"
import { evm } from "../../src/chains/Evm.js"
import { resolve } from "../../src/config/resolveConfig.js"
import { make as makeClient, makeRawRpc } from "../../src/transport/Client.js"
import { makeLayered } from "../../src/transport/layerStack.js"
import * as layers from "../../src/transport/layers.js"
import {
  A,
  B,
  type Behaviour,
  delayAnswer,
  errorAnswer,
  failureAnswer,
  makeNode,
  makeWorld,
  resultAnswer,
  runLeft,
  runRight,
  staticConfig,
  unreachableNode,
  type World
} from "./world.js"

const network = "ethereum-mainnet"

/** A client with its stack: calls are counted at its top. */
const client = (of: World) =>
  Effect.gen(function* () {
    const w = yield* makeWorld(of)
    const resolved = yield* resolve({ network, ...of.config })
    const transport = yield* makeLayered(w.transport, resolved, layers)
    const routing = { archive: true, batchArchive: true }
    return {
      ...w,
      rpc: makeClient(evm.endpoints, transport, routing),
      raw: makeRawRpc(evm.endpoints, transport, routing)
    }
  })

const takes = (ms: number): Behaviour =>
  makeNode((ask) => (ask.method === "eth_gasPrice" ? delayAnswer(resultAnswer(ask, "0x2a"), ms) : undefined))

/** The calls of an outcome so far: metrics are those of the process. */
const calls = (outcome: string) =>
  Effect.map(
    Metric.value(Metric.tagged(Metric.tagged(Metrics.calls, "network", network), "outcome", outcome)),
    ({ count }) => count
  )

const events = (kind: string) =>
  Effect.map(
    Metric.value(Metric.tagged(Metric.tagged(Metrics.events, "network", network), "kind", kind)),
    ({ count }) => count
  )

const answers = (url: string) =>
  Metric.value(Metric.tagged(Metric.tagged(Metrics.latency, "network", network), "node", url))

/** How much more there is of each after an effect than before it. */
const growth = <X, E, R>(
  of: Readonly<Record<string, Effect.Effect<number>>>,
  effect: Effect.Effect<X, E, R>
) =>
  Effect.gen(function* () {
    const before: Readonly<Record<string, number>> = yield* Effect.all(of)
    yield* effect
    const after: Readonly<Record<string, number>> = yield* Effect.all(of)
    return Object.fromEntries(Object.entries(after).map(([key, count]) => [key, count - (before[key] ?? 0)]))
  })

describe("metrics", () => {
  it.scoped("count calls by their outcome, each once", () =>
    Effect.gen(function* () {
      const w = yield* client({
        config: { ...staticConfig(A, B), hedge: false, timeout: 2_000, attemptTimeout: 2_000 },
        nodes: {
          [A]: makeNode((ask) =>
            ask.method === "eth_call"
              ? errorAnswer(ask, 3, "execution reverted")
              : ask.method === "eth_protocolVersion"
                ? "hang"
                : undefined
          ),
          [B]: makeNode()
        }
      })
      const counted = { ok: calls("ok"), RpcError: calls("RpcError"), CallTimeout: calls("CallTimeout") }
      expect(yield* growth(counted, Effect.replicateEffect(runRight(w.rpc.gasPrice()), 3))).toEqual({
        ok: 3,
        RpcError: 0,
        CallTimeout: 0
      })
      const reverted = runLeft(w.raw.rawRpcCall({ method: "eth_call", params: [{ to: "0x1" }, "latest"] }))
      expect(yield* growth(counted, reverted)).toEqual({ ok: 0, RpcError: 1, CallTimeout: 0 })
      expect(yield* growth(counted, runLeft(w.rpc.protocolVersion()))).toEqual({
        ok: 0,
        RpcError: 0,
        CallTimeout: 1
      })
    })
  )

  it.scoped("count a call that several nodes have failed as one", () =>
    Effect.gen(function* () {
      const w = yield* client({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: {
          [A]: unreachableNode,
          [B]: (ask) => (ask.n === 0 ? resultAnswer(ask, "0x2a") : failureAnswer("connect"))
        }
      })
      const counted = { ok: calls("ok"), NodeError: calls("NodeError"), NoActiveNode: calls("NoActiveNode") }
      const of = { ...counted, failed: events("Failed"), exhausted: events("Exhausted") }
      expect(yield* growth(of, runRight(w.rpc.gasPrice()))).toEqual({
        ok: 1,
        NodeError: 0,
        NoActiveNode: 0,
        failed: 1,
        exhausted: 0
      })
      // B fails too, then one trial is let through, and then none
      expect(yield* growth(of, runLeft(w.rpc.gasPrice()))).toMatchObject({
        NodeError: 1,
        failed: 1,
        exhausted: 1
      })
      expect(yield* growth(of, runLeft(w.rpc.gasPrice()))).toMatchObject({ NodeError: 1, failed: 0 })
      expect(yield* growth(of, runLeft(w.rpc.gasPrice()))).toMatchObject({ NodeError: 0, NoActiveNode: 1 })
    })
  )

  it.scoped(
    "count second attempts, and measure what nodes take to answer, by node and without its path",
    () =>
      Effect.gen(function* () {
        const path = "https://metered.example/0123456789abcdef0123456789abcdef"
        const w = yield* client({
          config: { ...staticConfig(A, path), hedge: { delay: 100 } },
          nodes: { [A]: takes(1_000), [path]: takes(50) }
        })
        const shown = "https://metered.example/\u2026"
        const before = yield* answers(shown)
        const asked = Effect.flatMap(Effect.fork(w.rpc.gasPrice()), (call) =>
          Effect.zipRight(TestClock.adjust(400), Fiber.join(call))
        )
        const of = { ok: calls("ok"), hedged: events("Hedged") }
        expect(yield* growth(of, asked)).toEqual({ ok: 1, hedged: 1 })
        const after = yield* answers(shown)
        expect(after.count - before.count).toBe(1)
        expect(after.sum - before.sum).toBe(50)
        expect((yield* answers(path)).count).toBe(0)
      })
  )

  it.scoped('count a broadcast that is "already known" when it is sent again as the success that it is', () =>
    Effect.gen(function* () {
      const w = yield* client({
        config: { ...staticConfig(A, B), retryCount: 0 },
        nodes: {
          [A]: makeNode((ask) =>
            ask.method === "eth_sendRawTransaction" ? failureAnswer("network") : undefined
          ),
          [B]: makeNode((ask) =>
            ask.method === "eth_sendRawTransaction" ? errorAnswer(ask, -32000, "already known") : undefined
          )
        }
      })
      const sent = Effect.gen(function* () {
        const call = yield* Effect.fork(w.rpc.sendRawTransaction("0x00"))
        yield* TestClock.adjust(1_000)
        // the digest is made by a promise
        yield* Fiber.join(call)
      })
      expect(yield* growth({ ok: calls("ok") }, sent)).toEqual({ ok: 1 })
    })
  )
})
