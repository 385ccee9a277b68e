// @runtime both
/** Faults that the models and reviews have found, each as the smallest world that shows it. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { describe, expect, it } from "vitest"
import { policyOf } from "../../src/balancer/Selection.js"
import { type SimulatedTime, simulate } from "./simulation.js"
import {
  A,
  B,
  type Behaviour,
  C,
  checkedConfig,
  delayAnswer,
  errorAnswer,
  failureAnswer,
  isCheck,
  isProbe,
  makeNode,
  makeWorld,
  type NodeAnswer,
  type NodeRequest,
  resultAnswer,
  staticConfig,
  textAnswer
} from "./world.js"

const inTime = async <E>(
  program: (time: SimulatedTime) => Effect.Effect<void, E, Scope.Scope>
): Promise<void> => {
  const exit = await simulate((time) => Effect.scoped(program(time)))
  if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
}

/** A node that can be switched off. */
const mortal = (alive: Behaviour): { readonly node: Behaviour; dies: boolean } => {
  const state = {
    dies: false,
    node: (ask: NodeRequest): NodeAnswer | undefined => (state.dies ? failureAnswer("connect") : alive(ask))
  }
  return state
}

/** Calls are answered after so many milliseconds. */
const takes = (ms: number): Behaviour =>
  makeNode((ask) => (ask.method === "eth_gasPrice" ? delayAnswer(resultAnswer(ask, "0x2a"), ms) : undefined))

describe("calls that wait", () => {
  it("are woken when they are due, also while an earlier one has a longer time to wait", () =>
    inTime((time) =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: (ask) => (ask.method === "test_silence" ? "hang" : takes(5)(ask)),
            [B]: (ask) =>
              ask.method === "test_silence" ? delayAnswer(resultAnswer(ask, 1), 5) : takes(5)(ask)
          }
        })
        const silence = w.raw.rawRpcCall({ method: "test_silence", params: [] })
        // nothing is known yet, so that it waits for a second
        const early = yield* Effect.fork(silence)
        for (let i = 0; i < 20; i++) yield* w.rpc.gasPrice()
        const start = time.now()
        yield* silence
        expect(time.now() - start).toBeLessThan(150)
        yield* Fiber.join(early)
      })
    ))
})

describe("a chain check", () => {
  const vague: ReadonlyArray<readonly [string, (ask: NodeRequest) => NodeAnswer]> = [
    ["a limit", (ask) => errorAnswer(ask, -32005, "limit exceeded")],
    ["null", () => textAnswer("null")],
    ["the answer to another request", () => textAnswer({ jsonrpc: "2.0", id: "x", result: "0x1" })]
  ]
  for (const [what, answer] of vague) {
    // only a node that does not know the question is trusted without an answer
    it(`that is answered with ${what} is no reason to trust the node`, () =>
      inTime(() =>
        Effect.gen(function* () {
          const w = yield* makeWorld({
            config: staticConfig(A, B),
            nodes: {
              [A]: (ask) => (isCheck(ask) ? answer(ask) : resultAnswer(ask, "0xbad")),
              [B]: makeNode()
            }
          })
          expect(yield* w.rpc.gasPrice()).toBe(42n)
        })
      ))
  }
})

describe("a write", () => {
  // that is the node's fault, and yet it may be done
  it("is not sent again when the node says that it took too long", () =>
    inTime(() =>
      Effect.gen(function* () {
        const w = yield* makeWorld({
          config: staticConfig(A, B),
          nodes: {
            [A]: makeNode((ask) =>
              ask.method === "eth_sendTransaction" ? errorAnswer(ask, -32000, "request timed out") : undefined
            ),
            [B]: makeNode()
          }
        })
        yield* Effect.either(w.raw.rawRpcCall({ method: "eth_sendTransaction", params: [{}] }))
        expect(w.hosts()).toEqual([A])
      })
    ))
})

describe("the better of two", () => {
  it("is no node that has never answered, and lets a hundred calls wait", () => {
    const silent = { index: 0, averageMs: 0, inFlight: 100, weight: 1 }
    const known = { index: 1, averageMs: 20, inFlight: 1, weight: 1 }
    expect(policyOf("p2c")?.([silent, known], () => 0)).toBe(known)
  })
})

describe("a round of checks", () => {
  // its outcomes count when the slowest is there: the others may be ten seconds old by then
  it("brings no node back by what it said before it failed", () =>
    inTime(() =>
      Effect.gen(function* () {
        const a = mortal(makeNode())
        const w = yield* makeWorld({
          config: { ...checkedConfig(A, B, C), hedge: false, verifyChain: false },
          nodes: { [A]: a.node, [B]: makeNode(), [C]: makeNode((ask) => (isProbe(ask) ? "hang" : undefined)) }
        })
        yield* w.rpc.gasPrice()
        yield* Effect.sleep(1_000)
        a.dies = true
        yield* w.rpc.gasPrice()
        for (let second = 0; second < 15; second++) {
          expect(yield* w.failed, `after ${second} s`).toContain(A)
          yield* Effect.sleep(1_000)
        }
      })
    ))
})

describe("a node that comes back", () => {
  // its height is of now, and those of the others are of the last round
  it("does not put the others out of step", () =>
    inTime((time) =>
      Effect.gen(function* () {
        const four = makeNode((ask) =>
          isProbe(ask)
            ? resultAnswer(ask, `0x${Math.floor(1_000 + time.now() / 250).toString(16)}`)
            : undefined
        )
        const a = mortal(four)
        const w = yield* makeWorld({
          config: { ...checkedConfig(A, B, C), selection: "round-robin", verifyChain: false },
          nodes: { [A]: a.node, [B]: four, [C]: four }
        })
        for (let i = 0; i < 3; i++) yield* w.rpc.gasPrice()
        yield* Effect.sleep(10_000)
        a.dies = true
        for (let i = 0; i < 3; i++) yield* w.rpc.gasPrice()
        a.dies = false
        yield* Effect.sleep(10_000)
        const before = w.hosts().length
        for (let i = 0; i < 9; i++) yield* w.rpc.gasPrice()
        expect(new Set(w.hosts().slice(before)).size).toBe(3)
      })
    ))
})

describe("a node that was overtaken", () => {
  // without regular checks nobody asks it again
  it("is there when the one that overtook it dies", () =>
    inTime(() =>
      Effect.gen(function* () {
        const b = mortal(takes(5))
        const w = yield* makeWorld({
          config: { ...staticConfig(A, B), verifyChain: false, hedge: { delay: 50 } },
          nodes: { [A]: takes(150), [B]: b.node }
        })
        for (let i = 0; i < 5; i++) yield* w.rpc.gasPrice()
        b.dies = true
        expect(yield* w.rpc.gasPrice()).toBe(42n)
      })
    ))
})
