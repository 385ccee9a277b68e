// @runtime both
/** Hints of others to a pool: what they change, and what they cannot. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/TestClock"
import * as fc from "fast-check"
import { type Board, type Hint, health, type Member } from "../../src/balancer/Hints.js"
import { InvalidConfig } from "../../src/data/SdkError.js"
import {
  A,
  B,
  C,
  checkedConfig,
  isProbe,
  makeNode,
  makeWorld,
  resultAnswer,
  runEither,
  runRight,
  slowNode,
  unreachableNode,
  type World
} from "./world.js"

/** A board that a test holds in its hands. */
const board = (initialHints: ReadonlyArray<Hint> = []) => {
  const members: Array<Member> = []
  const told: Array<Hint> = []
  const made: Board = {
    join: (member) => {
      members.push(member)
      return {
        initialHints,
        publish: (hints) => told.push(...hints),
        leave: () => void members.splice(members.indexOf(member), 1)
      }
    }
  }
  return {
    made,
    members,
    told,
    hint: (...hints: ReadonlyArray<Hint>) => {
      for (const { onHints } of members) onHints(hints)
    }
  }
}

const failed = (url: string): Hint => ({ _tag: "Failed", url, type: "NORMAL" })
const cooled = (url: string, ms: number): Hint => ({ _tag: "Cooled", url, type: "NORMAL", ms })
const found = (url: string, height: number, ms = 1): Hint => ({
  _tag: "Found",
  url,
  type: "NORMAL",
  height,
  ms
})

/** A client with hints, whose nodes are checked. */
const hinted = (nodes: World["nodes"], known: ReadonlyArray<Hint> = []) =>
  Effect.gen(function* () {
    const others = board(known)
    const made = yield* makeWorld({
      nodes,
      config: { ...checkedConfig(...Object.keys(nodes)), health: health(others.made), quiet: true }
    })
    return { ...made, ...others }
  })

const ready = (nodes: World["nodes"]) =>
  Effect.gen(function* () {
    const made = yield* hinted(nodes)
    yield* runRight(made.rpc.gasPrice())
    yield* runRight(made.pool.check)
    made.sent.length = 0
    return made
  })

const well = { [A]: slowNode(10), [B]: slowNode(20), [C]: slowNode(30) }

describe("a hint that a node fails", () => {
  it.scoped("makes the pool ask it, and prefer others meanwhile", () =>
    Effect.gen(function* () {
      const { failed: out, hint, hosts, pool, probes, rpc } = yield* ready(well)
      yield* runRight(rpc.gasPrice())
      hint(failed(A))
      yield* runRight(rpc.gasPrice())
      expect(hosts()).toEqual([A, B])
      expect(probes().map(({ url }) => url)).toEqual([A])
      yield* TestClock.adjust(2_000)
      yield* runRight(pool.check)
      yield* runRight(rpc.gasPrice())
      expect(hosts().at(-1)).toBe(A)
      expect(yield* out).toEqual([])
    })
  )

  it.scoped("takes it out by its own probe", () =>
    Effect.gen(function* () {
      const state = { isDead: false }
      const {
        failed: out,
        hint,
        hosts,
        rpc
      } = yield* ready({
        ...well,
        [A]: (ask) => (state.isDead ? unreachableNode(ask) : slowNode(10)(ask))
      })
      state.isDead = true
      hint(failed(A))
      yield* TestClock.adjust(600)
      expect(yield* out).toEqual([A])
      yield* runRight(rpc.gasPrice())
      expect(hosts()).toEqual([B])
    })
  )

  it.scoped("is not heard again soon, when it was not borne out", () =>
    Effect.gen(function* () {
      const { hint, hosts, probes, rpc } = yield* ready(well)
      hint(failed(A))
      yield* TestClock.adjust(2_000)
      hint(failed(A))
      yield* runRight(rpc.gasPrice())
      expect(probes()).toHaveLength(1)
      yield* TestClock.adjust(3_000)
      hint(failed(A))
      yield* runRight(rpc.gasPrice())
      expect(probes()).toHaveLength(2)
      expect(hosts().at(-1)).toBe(B)
    })
  )

  it.scoped("of all nodes changes nothing but that they are asked", () =>
    Effect.gen(function* () {
      const { failed: out, hint, hosts, rpc } = yield* ready(well)
      hint(failed(A), failed(B), failed(C))
      // more than one at a time: none of them is a trial
      yield* runRight(Effect.all([rpc.gasPrice(), rpc.gasPrice()], { concurrency: 2 }))
      expect(hosts()).toEqual([A, A])
      yield* TestClock.adjust(600)
      expect(yield* out).toEqual([])
    })
  )
})

it.scoped("a node that wants to be left alone is left, for ten seconds at most, and not probed", () =>
  Effect.gen(function* () {
    const { hint, hosts, probes, rpc } = yield* ready(well)
    hint(cooled(A, 3_600_000))
    yield* runRight(rpc.gasPrice())
    yield* TestClock.adjust(9_000)
    yield* runRight(rpc.gasPrice())
    expect(probes()).toEqual([])
    expect(hosts()).toEqual([B, B])
    yield* TestClock.adjust(1_000)
    hint(cooled(B, 1_000))
    yield* runRight(rpc.gasPrice())
    expect(hosts().at(-1)).toBe(A)
  })
)

it.scoped("a node that others have found behind is not preferred until it is checked", () =>
  Effect.gen(function* () {
    const { hint, hosts, pool, rpc } = yield* ready(well)
    hint(found(A, 100), found(B, 200), found(C, 200))
    yield* runRight(rpc.gasPrice())
    expect(hosts()).toEqual([B])
    hint(found(A, 1e15))
    yield* runRight(pool.check)
    yield* TestClock.adjust(60_000)
    yield* runRight(rpc.gasPrice())
    expect(hosts().at(-1)).toBe(A)
  })
)

it.scoped(
  "a node that others have found behind is preferred again once its own check finds it elsewhere",
  () =>
    Effect.gen(function* () {
      const state = { height: 100 }
      const { hint, hosts, pool, rpc } = yield* ready({
        ...well,
        [A]: (ask) => (isProbe(ask) ? resultAnswer(ask, `0x${state.height.toString(16)}`) : slowNode(10)(ask))
      })
      hint(found(A, 100), found(B, 200), found(C, 200))
      yield* runRight(rpc.gasPrice())
      state.height = 101
      yield* runRight(pool.check)
      yield* runRight(rpc.gasPrice())
      expect(hosts()).toEqual([B, A])
    })
)

describe("a new pool", () => {
  it.scoped("sends its first call to the node that others know well, beside its check", () =>
    Effect.gen(function* () {
      const { checks, hosts, rpc } = yield* hinted(well, [found(A, 100, 50), found(C, 100, 5), failed(B)])
      yield* runRight(rpc.gasPrice())
      expect(hosts()).toEqual([C])
      expect(checks().map(({ url }) => url)).toContain(C)
    })
  )

  it.scoped("believes no answer of a node of another chain, whoever calls it well", () =>
    Effect.gen(function* () {
      const { hosts, rpc } = yield* hinted({ ...well, [C]: makeNode(undefined, { chain: "0x2" }) }, [
        found(C, 100, 5)
      ])
      yield* runRight(rpc.gasPrice())
      expect(hosts()[0]).toBe(C)
      expect(hosts().length).toBeGreaterThan(1)
    })
  )

  it.scoped("goes by its own checks as soon as it has any", () =>
    Effect.gen(function* () {
      const { hosts, pool, rpc } = yield* hinted(well, [found(C, 100, 5)])
      yield* runRight(rpc.gasPrice())
      yield* runRight(pool.check)
      yield* runRight(rpc.gasPrice())
      expect(hosts()).toEqual([C, A])
    })
  )
})

it.scoped("tells others what it has found", () =>
  Effect.gen(function* () {
    const state = { status: 200 }
    const { members, rpc, told } = yield* ready({
      ...well,
      [A]: makeNode((ask) =>
        state.status === 200 || ask.method !== "eth_gasPrice"
          ? undefined
          : { status: state.status, text: "{}", headers: { "retry-after": "3" } }
      ),
      [B]: makeNode((ask) =>
        state.status === 503 && ask.method === "eth_gasPrice" ? unreachableNode(ask) : undefined
      )
    })
    expect(members[0]?.findings().map(({ url }) => url)).toEqual([A, B, C])
    expect(members[0]).toMatchObject({ network: "ethereum-mainnet", chain: 1 })
    state.status = 429
    yield* runRight(rpc.gasPrice())
    yield* Effect.promise(() => Promise.resolve())
    expect(told).toEqual([cooled(A, 3_000)])
    state.status = 503
    yield* runRight(rpc.gasPrice())
    yield* Effect.promise(() => Promise.resolve())
    expect(told).toEqual([cooled(A, 3_000), failed(B)])
    expect(members[0]?.findings().map(({ url }) => url)).toEqual([C])
  })
)

it.scoped("tells of a node that asks for no pause as of one in cooldown, and of no failure beside it", () =>
  Effect.gen(function* () {
    const state = { isLimited: false }
    const { rpc, told } = yield* ready({
      ...well,
      [A]: makeNode((ask) =>
        state.isLimited && ask.method === "eth_gasPrice"
          ? { status: 429, text: "{}", headers: { "retry-after": "0" } }
          : undefined
      )
    })
    state.isLimited = true
    yield* runRight(rpc.gasPrice())
    yield* Effect.promise(() => Promise.resolve())
    expect(told).toEqual([cooled(A, 0)])
  })
)

it.effect("leaves the board with its scope", () =>
  Effect.gen(function* () {
    const { members } = yield* Effect.scoped(hinted(well))
    expect(members).toEqual([])
  })
)

it("refuses a board that is none", () => {
  // what someone writes who has no types
  const nothing: unknown = {}
  expect(() => health(nothing as Board)).toThrow(InvalidConfig)
})

const anyHint = fc.oneof(
  fc.constantFrom(A, B, C, "https://d.example", "").map(failed),
  fc.tuple(fc.constantFrom(A, B, C), fc.double()).map(([url, ms]) => cooled(url, ms)),
  fc.tuple(fc.constantFrom(A, B, C), fc.double(), fc.double()).map(([url, h, ms]) => found(url, h, ms))
)

it.effect(
  "hints of any kind fail no call, put no node out that is well, and bring none back that is not",
  () =>
    Effect.forEach(
      fc.sample(
        fc.tuple(
          fc.array(anyHint, { maxLength: 6 }),
          fc.array(fc.array(anyHint, { maxLength: 6 }), { maxLength: 3 })
        ),
        12
      ),
      ([known, rounds]) =>
        Effect.scoped(
          Effect.gen(function* () {
            const made = yield* hinted({ [A]: unreachableNode, [B]: slowNode(20), [C]: slowNode(30) }, known)
            yield* runRight(made.rpc.gasPrice())
            yield* runEither(made.pool.check)
            for (const round of rounds) {
              made.hint(...round)
              yield* runRight(made.rpc.gasPrice())
              yield* TestClock.adjust(300)
              expect(yield* made.failed, JSON.stringify([known, rounds])).toEqual([A])
            }
          })
        ),
      { discard: true }
    )
)
