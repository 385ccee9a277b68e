import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Pool from "../../src/balancer/Pool.js"
import { runs } from "../properties.js"

type Kinds = ReadonlyArray<Pool.NodeType>

const N: Pool.NodeType = "NORMAL"
const A: Pool.NodeType = "ARCHIVE"

const poolOf = (
  types: Kinds,
  options: {
    readonly evict?: boolean
    readonly allowed?: number
    readonly random?: number
  } = {}
): Pool.Pool =>
  Pool.make(
    types.map((type, i) => ({ url: `https://node-${i}.example`, type, headers: {}, sendApiKey: false })),
    {
      allowedBlocksBehind: options.allowed ?? 10,
      evict: options.evict ?? true,
      random: () => options.random ?? 0
    }
  )

const none: ReadonlySet<number> = new Set()

const failAll = (pool: Pool.Pool, ...indices: ReadonlyArray<number>): Pool.Pool =>
  indices.reduce(Pool.markFailed, pool)

const flags = (pool: Pool.Pool): ReadonlyArray<boolean> => pool.nodes.map((node) => node.failed)

const chosen = (
  pool: Pool.Pool,
  type: Pool.NodeType,
  tried: Iterable<number> = [],
  now = 0
): Pool.NodeChoice => Pool.select(pool, { nodeType: type, tried: new Set(tried) }, now)[0]

/** One call on nodes of which `dead` do not answer: its nodes, and the pool after it. */
const call = (
  start: Pool.Pool,
  type: Pool.NodeType,
  dead: ReadonlySet<number>,
  now = 0
): {
  readonly pool: Pool.Pool
  readonly sent: ReadonlyArray<number>
  readonly end: Pool.NodeChoice["_tag"] | "answer"
} => {
  let pool = start
  const tried = new Set<number>()
  for (;;) {
    const [choice, next] = Pool.select(pool, { nodeType: type, tried }, now)
    pool = next
    if (choice._tag === "exhausted")
      return { pool: Pool.resetFailed(pool, choice.type), sent: [...tried], end: choice._tag }
    if (choice._tag === "none") return { pool, sent: [...tried], end: choice._tag }
    if (!dead.has(choice.index)) {
      return { pool: Pool.markHealthy(pool, choice.index), sent: [...tried, choice.index], end: "answer" }
    }
    tried.add(choice.index)
    pool = Pool.markFailed(pool, choice.index)
  }
}

const seen = (...nodes: ReadonlyArray<readonly [height: number, time: number, failed?: boolean]>) =>
  nodes.map(([lastBlock, lastResponseTime, failed = false]) => ({ lastBlock, lastResponseTime, failed }))

describe("a new pool", () => {
  it("starts with a random node of each type", () => {
    const types = [N, A, N, A, N]
    const starts = [0, 0.34, 0.67, 0.999_999].map((random) => poolOf(types, { random }).active)
    expect(starts).toEqual([
      { NORMAL: 0, ARCHIVE: 1 },
      { NORMAL: 2, ARCHIVE: 1 },
      { NORMAL: 4, ARCHIVE: 3 },
      { NORMAL: 4, ARCHIVE: 3 }
    ])
    // some sources of randomness reach 1
    expect(poolOf(types, { random: 1 }).active).toEqual({ NORMAL: 4, ARCHIVE: 3 })
  })

  it("draws for each type apart", () => {
    const pool = Pool.make(poolOf([N, N, A, A]).nodes, {
      allowedBlocksBehind: 10,
      evict: true,
      random: (type) => (type === N ? 0.9 : 0.1)
    })
    expect(pool.active).toEqual({ NORMAL: 1, ARCHIVE: 2 })
  })

  it("has no active node of a type that has no nodes", () => {
    expect(poolOf([A]).active).toEqual({ NORMAL: undefined, ARCHIVE: 0 })
  })

  it("says noActiveNode only when a check has found none, though it may have no nodes at all", () => {
    expect(poolOf([]).hasFailedRound).toBe(false)
    expect(Pool.recordChecks(poolOf([]), []).hasFailedRound).toBe(true)
    expect(poolOf([N]).hasFailedRound).toBe(false)
    expect(chosen(poolOf([]), N)).toEqual({ _tag: "none", isTemporary: false })
  })
})

describe("fastest", () => {
  it("is not deceived by the order of the list", () => {
    expect(Pool.findFastest(seen([100, 90], [101, 5]), 10)).toBe(1)
    expect(Pool.findFastest(seen([101, 5], [100, 90]), 10)).toBe(0)
  })

  it("takes the highest when the others are more than the allowance behind, however fast", () => {
    expect(Pool.findFastest(seen([100, 1], [111, 500], [100, 2]), 10)).toBe(1)
    expect(Pool.findFastest(seen([101, 1], [111, 500]), 10)).toBe(0)
  })

  it("with no allowance takes the fastest of the highest", () => {
    expect(Pool.findFastest(seen([10, 1], [11, 9], [11, 8]), 0)).toBe(2)
  })

  it("takes the first of equals", () => {
    expect(Pool.findFastest(seen([5, 5], [5, 5]), 10)).toBe(0)
  })

  it("leaves out failed nodes, and lets them set no height for the others", () => {
    expect(Pool.findFastest(seen([1_000, 1, true], [10, 50], [9, 40]), 10)).toBe(2)
    expect(Pool.findFastest(seen([1, 1, true]), 10)).toBeUndefined()
    expect(Pool.findFastest([], 10)).toBeUndefined()
  })

  it("leaves out nodes that are not eligible, and lets them set no height for the others", () => {
    expect(Pool.findFastest(seen([1_000, 1], [10, 50], [9, 40]), 10, (i) => i > 0)).toBe(2)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
    "prefers a node that says its height to one with %d",
    (height) => {
      expect(Pool.findFastest(seen([height, 1], [100, 50]), 10)).toBe(1)
      expect(Pool.findFastest(seen([100, 50], [height, 1]), 10)).toBe(0)
    }
  )

  it("prefers a node at the first block of a chain to one that says no height", () => {
    expect(Pool.findFastest(seen([Number.NaN, 1], [0, 50]), 0)).toBe(1)
  })

  it.each([Number.NaN, -1, 0])("finds a node when all heights are %d", (height) => {
    expect(Pool.findFastest(seen([height, 9], [height, 3], [height, 5]), 10)).toBe(1)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("finds a node although its time is %d", (time) => {
    expect(Pool.findFastest(seen([1, time]), 10)).toBe(0)
    expect(Pool.findFastest(seen([1, time], [1, 3]), 10)).toBe(1)
  })

  it("finds a node when the allowance is not a number", () => {
    expect(Pool.findFastest(seen([1, 5], [2, 3]), Number.NaN)).toBeDefined()
  })

  const health = fc.record({
    lastBlock: fc.oneof(fc.nat(200), fc.constantFrom(-1, 0, Number.NaN, 9e15)),
    lastResponseTime: fc.nat(50),
    failed: fc.boolean()
  })

  const fastestOf = <Node extends Parameters<typeof Pool.findFastest>[0][number]>(
    nodes: ReadonlyArray<Node>,
    allowed: number
  ): Node | undefined => nodes[Pool.findFastest(nodes, allowed) ?? Number.NaN]

  it("finds a node exactly when one is healthy", () => {
    fc.assert(
      fc.property(fc.array(health), fc.nat(20), (nodes, allowed) => {
        const index = Pool.findFastest(nodes, allowed)
        expect(index === undefined).toBe(nodes.every((node) => node.failed))
        if (index !== undefined) expect(nodes[index]?.failed).toBe(false)
      })
    )
  })

  it("takes the same node in whatever order they stand, as long as times differ", () => {
    const distinct = fc.uniqueArray(fc.nat(10_000), { minLength: 1, maxLength: 8 }).chain((times) =>
      fc.tuple(
        fc.tuple(
          ...times.map((lastResponseTime) =>
            fc
              .record({ lastBlock: fc.nat(60), failed: fc.boolean() })
              .map((node) => ({ ...node, lastResponseTime }))
          )
        ),
        fc.shuffledSubarray(
          times.map((_, i) => i),
          { minLength: times.length, maxLength: times.length }
        )
      )
    )
    fc.assert(
      fc.property(distinct, fc.nat(20), ([nodes, order], allowed) => {
        const shuffled = order.flatMap((i) => nodes[i] ?? [])
        expect(fastestOf(shuffled, allowed)).toBe(fastestOf(nodes, allowed))
      })
    )
  })

  it("keeps its choice when that node gets faster, or another one slower, lower or out", () => {
    const cases = fc.tuple(
      fc.array(health, { minLength: 2, maxLength: 6 }),
      fc.nat(20),
      fc.nat(5),
      fc.nat(50)
    )
    fc.assert(
      fc.property(cases, ([nodes, allowed, other, by]) => {
        const index = Pool.findFastest(nodes, allowed)
        fc.pre(index !== undefined)
        const change = (at: number, with_: Partial<(typeof nodes)[number]>) =>
          nodes.map((node, i) => (i === at ? { ...node, ...with_ } : node))
        const faster = change(index, { lastResponseTime: (nodes[index]?.lastResponseTime ?? 0) - by })
        expect(Pool.findFastest(faster, allowed)).toBe(index)
        const slower = nodes[other]
        if (other === index || slower === undefined) return
        const time = slower.lastResponseTime + by
        expect(Pool.findFastest(change(other, { lastResponseTime: time }), allowed)).toBe(index)
      })
    )
  })

  it("never takes a node that is beaten by another in both height and time", () => {
    fc.assert(
      fc.property(fc.array(health, { maxLength: 8 }), fc.nat(20), (nodes, allowed) => {
        const best = fastestOf(nodes, allowed)
        for (const node of nodes) {
          if (node.failed || best === undefined) continue
          expect(node.lastBlock > best.lastBlock && node.lastResponseTime < best.lastResponseTime).toBe(false)
        }
      })
    )
  })
})

describe("a call that fails (specification, section 4)", () => {
  it("1: marks the node that failed", () => {
    expect(flags(Pool.markFailed(poolOf([N, N]), 0))).toEqual([true, false])
  })

  it("2: makes the fastest healthy node of the type active", () => {
    const pool = Pool.recordChecks(poolOf([N, N, N, A]), [
      { height: 100, time: 1 },
      { height: 100, time: 9 },
      { height: 100, time: 5 },
      { height: 900, time: 0 }
    ])
    expect(pool.active).toEqual({ NORMAL: 0, ARCHIVE: 3 })
    expect(Pool.markFailed(pool, 0).active).toEqual({ NORMAL: 2, ARCHIVE: 3 })
  })

  it("2: leaves the active node alone when another one failed", () => {
    const pool = poolOf([N, N, N], { random: 0.5 })
    const failed = Pool.markFailed(pool, 2)
    expect(failed.active.NORMAL).toBe(1)
    expect(flags(failed)).toEqual([false, false, true])
  })

  it("3: is tried on one node after the other until it succeeds", () => {
    const { sent, end, pool } = call(poolOf([N, N, N, N]), N, new Set([0, 1]))
    expect([sent, end]).toEqual([[0, 1, 2], "answer"])
    expect(flags(pool)).toEqual([true, true, false, false])
    expect(pool.active.NORMAL).toBe(2)
    expect(call(pool, N, none).sent).toEqual([2])
  })

  it("4: with eviction, a pool of failed nodes stays failed", () => {
    const { sent, end, pool } = call(poolOf([N, N], { evict: true }), N, new Set([0, 1]))
    expect([sent, end, flags(pool)]).toEqual([[0, 1], "exhausted", [true, true]])
  })

  it("5: without eviction, all flags of the type are reset at once", () => {
    const start = Pool.markFailed(Pool.markFailed(poolOf([N, N, A, A], { evict: false }), 2), 3)
    const { sent, end, pool } = call(start, N, new Set([0, 1]))
    expect([sent, end, flags(pool)]).toEqual([[0, 1], "exhausted", [false, false, true, true]])
    expect(call(pool, N, new Set([0])).end).toBe("answer")
  })

  it("6: ends at once when no node has been chosen", () => {
    expect(call(poolOf([]), N, none)).toMatchObject({ sent: [], end: "none" })
  })

  it("takes no notice of a node that does not exist", () => {
    const pool = poolOf([N])
    for (const index of [-1, 1, Number.NaN]) {
      expect(Pool.markFailed(pool, index)).toBe(pool)
      expect(Pool.markHealthy(pool, index)).toBe(pool)
      expect(Pool.readmit(pool, index, { height: 1, time: 1 })).toBe(pool)
      expect(Pool.recordFirstCheck(pool, index, { height: 1, time: 1 })).toBe(pool)
      expect(Pool.isInSync(pool, index)).toBe(false)
      expect(chosen(pool, N, [index])).toMatchObject({ _tag: "node", index: 0 })
    }
  })

  it("copies nothing for a choice that changes nothing", () => {
    const pool = poolOf([N, N])
    expect(Pool.select(pool, { nodeType: N, tried: none }, 0)[1]).toBe(pool)
  })

  it("changes nothing when a healthy node succeeds", () => {
    const pool = poolOf([N, N])
    expect(Pool.markHealthy(pool, 1)).toBe(pool)
  })
})

describe("fallbacks", () => {
  it("sends an archive call to a normal node where there are no archive nodes, and the other way round", () => {
    expect(chosen(poolOf([N]), A)).toEqual({ _tag: "node", index: 0, type: N, isTrial: false })
    expect(chosen(poolOf([A]), N)).toEqual({ _tag: "node", index: 0, type: A, isTrial: false })
  })

  it("keeps the types apart where both have nodes", () => {
    const pool = poolOf([N, A, N, A])
    expect(chosen(pool, N)).toMatchObject({ index: 0 })
    expect(chosen(pool, A)).toMatchObject({ index: 1 })
    expect(call(pool, A, new Set([1])).sent).toEqual([1, 3])
    expect(call(pool, N, new Set([0])).sent).toEqual([0, 2])
  })

  it("crosses to the other type within a call, once, when its own is exhausted", () => {
    const pool = poolOf([N, A, N, A])
    expect(call(pool, A, new Set([0, 1, 2, 3]))).toMatchObject({ sent: [1, 3, 0, 2], end: "exhausted" })
    expect(call(pool, N, new Set([0, 2]))).toMatchObject({ sent: [0, 2, 1], end: "answer" })
    // once: who is there stays there
    const crossed = Pool.markHealthy(failAll(pool, 1, 3), 1)
    expect(Pool.select(crossed, { nodeType: A, tried: new Set([1, 0]) }, 0)[0]).toMatchObject({
      index: 2,
      type: N
    })
  })

  it("crosses nowhere where that is forbidden", () => {
    const pool = poolOf([N, A])
    const strict = true
    expect(Pool.select(pool, { nodeType: A, tried: new Set([1]), strict }, 0)[0]).toEqual({
      _tag: "exhausted",
      type: A
    })
    expect(Pool.select(poolOf([N]), { nodeType: A, tried: none, strict }, 0)[0]).toEqual({
      _tag: "none",
      isTemporary: false
    })
    expect(Pool.select(failAll(pool, 1), { nodeType: A, tried: none, strict }, 0)[0]).toMatchObject({
      index: 1,
      isTrial: true
    })
  })

  it.each([
    [A, N],
    [N, A]
  ] as const)("sends a call for %s to %s while all of its own are out", (wanted, type) => {
    const pool = failAll(poolOf([wanted, type, wanted]), 0, 2)
    expect(chosen(pool, wanted)).toEqual({ _tag: "node", index: 1, type, isTrial: false })
  })

  it("stays with the type it fell back to", () => {
    const { sent, end } = call(poolOf([A, A]), N, new Set([0, 1]))
    expect([sent, end]).toEqual([[0, 1], "exhausted"])
  })
})

describe("nodes that cool down", () => {
  const selectAt = (
    pool: Pool.Pool,
    cooling: Iterable<number>,
    tried: Iterable<number> = []
  ): Pool.NodeChoice =>
    Pool.select(pool, { nodeType: N, tried: new Set(tried), coolingDown: new Set(cooling) }, 0)[0]

  it("get no call, whether the call has tried others or not", () => {
    const pool = poolOf([N, N, N])
    expect(selectAt(pool, [])).toMatchObject({ index: 0 })
    expect(selectAt(pool, [0])).toMatchObject({ index: 1, isTrial: false })
    expect(selectAt(pool, [1], [0])).toMatchObject({ index: 2, isTrial: false })
    expect(selectAt(pool, [2], [0, 1])).toEqual({ _tag: "exhausted", type: N })
  })

  it("leave a call without a node when they are all, for they have not failed", () => {
    for (const evict of [true, false]) {
      const pool = poolOf([N, N], { evict })
      expect(selectAt(pool, [0, 1])).toEqual({ _tag: "none", isTemporary: true })
      // one that has failed as well is not put back for that
      const out = failAll(pool, 0)
      const both = { nodeType: N, tried: none, coolingDown: new Set([0, 1]) }
      expect(Pool.select(out, both, 0)).toEqual([{ _tag: "none", isTemporary: true }, out])
    }
  })

  it("are not tried on trial, which goes to one that has failed", () => {
    for (const evict of [true, false])
      expect(selectAt(failAll(poolOf([N, N, N], { evict }), 0, 1, 2), [0, 1])).toMatchObject({
        index: 2,
        isTrial: true
      })
  })

  it("bring no node of another type back that has failed", () => {
    const pool = failAll(poolOf([N, A], { evict: false }), 1)
    const strict = { nodeType: N, tried: none, strict: true, coolingDown: new Set([0]) }
    expect(Pool.select(pool, strict, 0)).toEqual([{ _tag: "none", isTemporary: true }, pool])
  })
})

describe("trial calls", () => {
  const out = failAll(poolOf([N, N, N]), 0, 1, 2)

  it("lets one call through, and holds the others back until the back-off is over", () => {
    const [first, pool] = Pool.select(out, { nodeType: N, tried: none }, 1_000)
    expect(first).toMatchObject({ _tag: "node", isTrial: true })
    expect(chosen(pool, N, [], 1_000)).toEqual({ _tag: "none", isTemporary: true })
    expect(chosen(pool, N, [], 1_999)).toEqual({ _tag: "none", isTemporary: true })
    expect(chosen(pool, N, [], 2_000)).toMatchObject({ _tag: "node", isTrial: true })
  })

  it("waits twice as long after each trial that failed, and never longer than 30 s", () => {
    let pool = out
    let now = 0
    const waits: Array<number> = []
    for (let i = 0; i < 9; i++) {
      const result = call(pool, N, new Set([0, 1, 2]), now)
      expect(result.sent).toHaveLength(1)
      pool = result.pool
      let wait = 0
      while (chosen(pool, N, [], now + wait)._tag !== "node") wait += 500
      waits.push(wait)
      now += wait
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000])
  })

  it("keeps the back-off of one type when a node of the other recovers", () => {
    const both = failAll(poolOf([N, A]), 0, 1)
    const strict = { tried: none, strict: true }
    const [, normal] = Pool.select(both, { ...strict, nodeType: N }, 1_000)
    const [, pool] = Pool.select(normal, { ...strict, nodeType: A }, 1_000)
    const recovered = Pool.markHealthy(pool, 0)
    const archive = { ...strict, nodeType: A }
    expect(Pool.select(recovered, archive, 1_999)[0]).toEqual({ _tag: "none", isTemporary: true })
    expect(Pool.select(recovered, archive, 2_000)[0]).toMatchObject({ _tag: "node", isTrial: true })
  })

  it("asks another node each time, so that none is lost for ever", () => {
    let pool = out
    const asked: Array<number> = []
    for (let i = 0; i < 6; i++) {
      const { sent, pool: next } = call(pool, N, new Set([0, 1, 2]), i * 30_000)
      asked.push(...sent)
      pool = next
    }
    expect(asked.slice(0, 3).toSorted()).toEqual([0, 1, 2])
    expect(asked.slice(3).toSorted()).toEqual([0, 1, 2])
  })

  it("brings a node back when it succeeds, and opens the pool again", () => {
    const { pool, sent, end } = call(out, N, none)
    const [index = -1] = sent
    expect(end).toBe("answer")
    expect(pool.active.NORMAL).toBe(index)
    expect(flags(pool).filter((failed) => !failed)).toHaveLength(1)
    for (let i = 0; i < 5; i++) expect(call(pool, N, none).sent).toEqual([index])
  })

  it("makes the node active that came back, whichever it is", () => {
    const second = call(out, N, new Set([0, 1, 2]), 0).pool
    const { pool, sent } = call(second, N, none, 30_000)
    expect(sent).not.toEqual([second.active.NORMAL])
    expect([pool.active.NORMAL]).toEqual(sent)
  })

  it("starts again with a second's pause after a success", () => {
    let pool = out
    for (let now = 0; now < 100_000; now += 30_000) pool = call(pool, N, new Set([0, 1, 2]), now).pool
    pool = call(pool, N, none, 200_000).pool
    pool = failAll(pool, 0, 1, 2)
    pool = call(pool, N, new Set([0, 1, 2]), 300_000).pool
    expect(chosen(pool, N, [], 300_999)._tag).toBe("none")
    expect(chosen(pool, N, [], 301_000)._tag).toBe("node")
  })

  it("tries at once again when a call has succeeded since, without eviction too", () => {
    const [first, trying] = Pool.select(
      failAll(poolOf([N], { evict: false }), 0),
      { nodeType: N, tried: none },
      0
    )
    expect(first).toMatchObject({ isTrial: true })
    const [second, reset] = Pool.select(trying, { nodeType: N, tried: none }, 1)
    expect(second).toMatchObject({ isTrial: false })
    expect(chosen(Pool.markFailed(reset, 0), N, [], 2)).toMatchObject({ isTrial: false })
    expect(chosen(Pool.markFailed(Pool.markHealthy(reset, 0), 0), N, [], 2)).toMatchObject({ isTrial: true })
  })

  it("makes nobody wait without eviction", () => {
    const pool = Pool.recordChecks(poolOf([N, N], { evict: false }), ["failed", "failed"])
    const [first, after] = Pool.select(pool, { nodeType: N, tried: none }, 0)
    expect(first._tag).toBe("node")
    expect(chosen(after, N)._tag).toBe("node")
    // and such a call has all nodes to try, as the flags are reset
    expect(call(after, N, new Set([0])).end).toBe("answer")
  })
})

describe("a round of checks", () => {
  it("takes failed nodes out and brings others back", () => {
    const pool = Pool.recordChecks(failAll(poolOf([N, N, N]), 2), [
      "failed",
      { height: 5, time: 3 },
      { height: 5, time: 2 }
    ])
    expect(flags(pool)).toEqual([true, false, false])
    expect(pool.active.NORMAL).toBe(2)
    expect(pool.nodes.map((node) => [node.lastBlock, node.lastResponseTime])).toEqual([
      [0, 0],
      [5, 3],
      [5, 2]
    ])
  })

  it("ends the back-off of a type that has a healthy node again", () => {
    let pool = failAll(poolOf([N, N]), 0, 1)
    pool = Pool.select(pool, { nodeType: N, tried: none }, 0)[1]
    expect(chosen(pool, N)._tag).toBe("none")
    pool = Pool.recordChecks(pool, ["failed", { height: 1, time: 1 }])
    expect(chosen(pool, N)).toEqual({ _tag: "node", index: 1, type: N, isTrial: false })
    // what comes after is a new failure, with a trial of its own
    expect(chosen(Pool.markFailed(pool, 1), N)).toMatchObject({ _tag: "node", isTrial: true })
  })

  it("sets noActiveNode exactly when no node of either type is healthy, and a success takes it back", () => {
    const ok = { height: 1, time: 1 }
    expect(Pool.recordChecks(poolOf([N, A]), ["failed", ok]).hasFailedRound).toBe(false)
    expect(Pool.recordChecks(poolOf([N, A]), [ok, "failed"]).hasFailedRound).toBe(false)
    const down = Pool.recordChecks(poolOf([N, A]), ["failed", "failed"])
    expect(down.hasFailedRound).toBe(true)
    expect(Pool.markHealthy(down, 0).hasFailedRound).toBe(false)
    expect(Pool.recordChecks(down, [ok, "failed"]).hasFailedRound).toBe(false)
  })

  it("lets a liar about its height win only until its first call fails", () => {
    const liar = { height: 9e15, time: 1 }
    const pool = Pool.recordChecks(poolOf([N, N, N]), [
      liar,
      { height: 100, time: 5 },
      { height: 101, time: 4 }
    ])
    const { sent, pool: after } = call(pool, N, new Set([0]))
    expect(sent).toEqual([0, 2])
    expect(call(after, N, none).sent).toEqual([2])
    expect(call(after, N, new Set([2])).sent).toEqual([2, 1])
  })

  it("leaves nodes without an outcome as they are", () => {
    const pool = failAll(poolOf([N, N]), 0)
    expect(flags(Pool.recordChecks(pool, []))).toEqual([true, false])
  })
})

describe("a node that a probe has found well again", () => {
  it("is at the height that it tells, where its own old one is all that is known", () => {
    const pool = Pool.recordChecks(poolOf([N, A]), [
      { height: 10, time: 1 },
      { height: 5, time: 1 }
    ])
    expect(Pool.readmit(pool, 0, { height: 50, time: 2 }).nodes[0]?.lastBlock).toBe(50)
  })
})

describe("whatever happens to a pool", () => {
  interface Model {
    pool: Pool.Pool
    now: number
  }
  /** A call under way: what it has tried, and where it is now. */
  interface Flight {
    readonly type: Pool.NodeType
    readonly tried: Set<number>
    at: number | undefined
  }

  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("start" as const), type: fc.constantFrom(N, A) }) },
    { weight: 4, arbitrary: fc.record({ _tag: fc.constant("fails" as const), flight: fc.nat(7) }) },
    { weight: 3, arbitrary: fc.record({ _tag: fc.constant("succeeds" as const), flight: fc.nat(7) }) },
    { weight: 1, arbitrary: fc.record({ _tag: fc.constant("elsewhere" as const), flight: fc.nat(7) }) },
    { weight: 2, arbitrary: fc.record({ _tag: fc.constant("waits" as const), time: fc.nat(40_000) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        _tag: fc.constant("checked" as const),
        outcomes: fc.array(
          fc.oneof(
            fc.constant("failed" as const),
            fc.record({ height: fc.oneof(fc.nat(50), fc.constant(9e15)), time: fc.nat(99) })
          ),
          { maxLength: 6 }
        )
      })
    }
  )

  const scenario = fc.record({
    types: fc.array(fc.constantFrom(N, A), { maxLength: 6 }),
    evict: fc.boolean(),
    allowed: fc.nat(20),
    random: fc.double({ min: 0, max: 1, noNaN: true }),
    steps: fc.array(step, { maxLength: 60 })
  })

  const valid = (pool: Pool.Pool): void => {
    for (const type of [N, A] as const) {
      const active = pool.active[type]
      if (pool.nodes.some((node) => node.type === type))
        expect(pool.nodes[active ?? Number.NaN]?.type).toBe(type)
      else expect(active).toBeUndefined()
    }
    if (pool.nodes.some((node) => !node.failed) && pool.evict) {
      expect(pool.hasFailedRound).toBe(false)
    }
  }

  const healthy = (pool: Pool.Pool, type: Pool.NodeType, tried: ReadonlySet<number>): boolean =>
    pool.nodes.some((node, i) => node.type === type && !node.failed && !tried.has(i))

  const play = (
    { types, steps, ...options }: typeof scenario extends fc.Arbitrary<infer S> ? S : never,
    look: (before: Pool.Pool, choice: Pool.NodeChoice, flight: Flight, model: Model) => void
  ): Model => {
    const model: Model = { pool: poolOf(types, options), now: 0 }
    const flights: Array<Flight> = []
    const go = (flight: Flight): void => {
      const before = model.pool
      const [choice, pool] = Pool.select(before, { nodeType: flight.type, tried: flight.tried }, model.now)
      model.pool = pool
      look(before, choice, flight, model)
      flight.at = choice._tag === "node" ? choice.index : undefined
      if (choice._tag === "exhausted") model.pool = Pool.resetFailed(model.pool, choice.type)
      if (flight.at === undefined) flights.splice(flights.indexOf(flight), 1)
    }
    for (const event of steps) {
      if (event._tag === "start") {
        const flight: Flight = { type: event.type, tried: new Set(), at: undefined }
        flights.push(flight)
        go(flight)
      } else if (event._tag === "waits") model.now += event.time
      else if (event._tag === "checked") model.pool = Pool.recordChecks(model.pool, event.outcomes)
      else {
        const flight = flights[event.flight % Math.max(1, flights.length)]
        if (flight?.at === undefined) continue
        if (event._tag === "succeeds") {
          model.pool = Pool.markHealthy(model.pool, flight.at)
          expect(model.pool.nodes[flight.at]?.failed).toBe(false)
          flights.splice(flights.indexOf(flight), 1)
        } else {
          if (event._tag === "fails") {
            const before = flags(model.pool)
            model.pool = Pool.markFailed(model.pool, flight.at)
            // only the node that failed is marked
            expect(flags(model.pool)).toEqual(before.map((failed, i) => failed || i === flight.at))
          }
          flight.tried.add(flight.at)
          go(flight)
        }
      }
      valid(model.pool)
    }
    return model
  }

  const thousand = { numRuns: runs(1_000) }

  it("the active node of a type is a node of that type, or there is none", () => {
    fc.assert(
      fc.property(scenario, (s) => {
        play(s, () => {})
      }),
      thousand
    )
  })

  it("no call gets a node twice, nor comes back from the other type", () => {
    fc.assert(
      fc.property(scenario, (s) => {
        play(s, (before, choice, { tried, type }) => {
          if (choice._tag !== "node") return
          expect(tried.has(choice.index)).toBe(false)
          expect(before.nodes[choice.index]?.type).toBe(choice.type)
          if (choice.type === type) for (const index of tried) expect(before.nodes[index]?.type).toBe(type)
        })
      }),
      thousand
    )
  })

  it("no failed node is chosen while a healthy one is untried", () => {
    fc.assert(
      fc.property(scenario, (s) => {
        play(s, (before, choice, { tried, type }) => {
          if (choice._tag === "node" && before.nodes[choice.index]?.failed === true) {
            expect([healthy(before, N, tried), healthy(before, A, tried)]).toEqual([false, false])
          }
          // and none is missed: a call ends only when nothing healthy is left to it
          if (choice._tag === "none")
            expect(healthy(before, N, tried) || healthy(before, A, tried)).toBe(false)
          const crossed = [...tried].some((i) => before.nodes[i]?.type !== type)
          if (choice._tag === "exhausted") {
            for (const each of [N, A])
              if (!crossed || each !== type) expect(healthy(before, each, tried)).toBe(false)
          }
          if (healthy(before, type, tried) && tried.size === 0)
            expect(choice).toMatchObject({ type, isTrial: false })
        })
      }),
      thousand
    )
  })

  it("without eviction no call is held back, and no node stays failed for ever", () => {
    fc.assert(
      fc.property(scenario, (s) => {
        const { pool, now } = play({ ...s, evict: false }, (before, choice) => {
          if (choice._tag === "none") expect(before.nodes).toEqual([])
        })
        // one node comes back, all others are dead: a few calls of its type find it
        for (const [back, node] of pool.nodes.entries()) {
          const dead = new Set(pool.nodes.keys())
          dead.delete(back)
          let state = pool
          let found = false
          for (let i = 0; i < 4 && !found; i++) {
            const result = call(state, node.type, dead, now + i * 30_000)
            state = result.pool
            found = result.end === "answer"
          }
          expect(found).toBe(true)
        }
      }),
      { numRuns: runs(300) }
    )
  })

  it("with eviction no node is lost: trials find the one that is back", () => {
    fc.assert(
      fc.property(scenario, (s) => {
        const model = play({ ...s, evict: true }, () => {})
        for (const [back, node] of model.pool.nodes.entries()) {
          const dead = new Set(model.pool.nodes.keys())
          dead.delete(back)
          let state = model.pool
          let found = false
          // a call finds all healthy nodes dead, then each trial asks one
          for (let i = 0; i < model.pool.nodes.length + 2 && !found; i++) {
            const result = call(state, node.type, dead, model.now + (i + 1) * 30_000)
            state = result.pool
            found = result.end === "answer" && result.sent.includes(back)
          }
          expect(found).toBe(true)
        }
      }),
      { numRuns: runs(300) }
    )
  })

  it("with eviction there is at most one trial per type and back-off", () => {
    fc.assert(
      fc.property(scenario, (s) => {
        const trials: Record<Pool.NodeType, Array<number>> = { NORMAL: [], ARCHIVE: [] }
        play(
          {
            ...s,
            evict: true,
            steps: s.steps.filter(({ _tag }) => _tag !== "checked" && _tag !== "succeeds")
          },
          (_, choice, __, { now }) => {
            if (choice._tag === "node" && choice.isTrial) trials[choice.type].push(now)
          }
        )
        for (const times of Object.values(trials)) {
          times.forEach((time, i) => {
            const last = times[i - 1]
            if (last !== undefined)
              expect(time - last).toBeGreaterThanOrEqual(Math.min(30_000, 1_000 * 2 ** (i - 1)))
          })
        }
      }),
      { numRuns: runs(300) }
    )
  })
})
