/** The state machine of a pool against a model of it: the invariants that head `src/balancer/Pool.ts`. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Pool from "../../src/balancer/Pool.js"
import { runs } from "../properties.js"

const N: Pool.NodeType = "NORMAL"
const A: Pool.NodeType = "ARCHIVE"
const types = [N, A] as const
const other = (type: Pool.NodeType): Pool.NodeType => (type === N ? A : N)

/** A call under way: the nodes that it has tried, in their order, and the one that it waits for. */
interface Flight {
  readonly wanted: Pool.NodeType
  readonly tried: ReadonlyArray<number>
  readonly at: number
  readonly trial: boolean
}

/** What is known of the trials of a type in a row: who was asked, and until when nobody else is. */
interface Trials {
  readonly asked: ReadonlyArray<number>
  readonly until: number
}

interface Model {
  readonly kinds: ReadonlyArray<Pool.NodeType>
  readonly allowed: number
  readonly evict: boolean
  readonly out: Set<number>
  readonly heights: Array<number>
  readonly times: Array<number>
  readonly active: Record<Pool.NodeType, number | undefined>
  readonly trials: Record<Pool.NodeType, Trials | undefined>
  readonly flights: Array<Flight>
  now: number
  /** The last check has found nobody, and nobody has answered since. */
  down: boolean
}

interface Real {
  pool: Pool.Pool
}

const all = (m: Model, type: Pool.NodeType): ReadonlyArray<number> =>
  m.kinds.flatMap((kind, i) => (kind === type ? [i] : []))

const healthy = (m: Model, type: Pool.NodeType, tried: ReadonlyArray<number> = []): ReadonlyArray<number> =>
  all(m, type).filter((i) => !m.out.has(i) && !tried.includes(i))

const heightOf = (m: Model, i: number): number => {
  const height = m.heights[i] ?? -1
  return Number.isFinite(height) ? height : -1
}

/** Of the nodes that may be chosen, those that are not more than the allowance behind the best of them. */
const inStep = (m: Model, nodes: ReadonlyArray<number>): ReadonlyArray<number> => {
  const best = Math.max(...nodes.map((i) => heightOf(m, i)))
  return nodes.filter((i) => best - heightOf(m, i) <= m.allowed)
}

const quickest = (m: Model, nodes: ReadonlyArray<number>): number | undefined =>
  inStep(m, nodes).toSorted((a, b) => (m.times[a] ?? 0) - (m.times[b] ?? 0) || a - b)[0]

type Prefer = (candidates: ReadonlyArray<number>) => number

const preferred = (seed: number | undefined, seen: Array<ReadonlyArray<number>>): Prefer | undefined =>
  seed === undefined
    ? undefined
    : (candidates) => {
        seen.push(candidates)
        return candidates[seed % candidates.length] ?? -1
      }

/** Chooses in the model and in the pool, which must agree. */
const select = (
  m: Model,
  r: Real,
  nodeType: Pool.NodeType,
  tried: ReadonlyArray<number>,
  seed: number | undefined
): Pool.NodeChoice => {
  const before = r.pool
  const seen: Array<ReadonlyArray<number>> = []
  const [choice, after] = Pool.select(
    before,
    { nodeType, tried: new Set(tried) },
    m.now,
    preferred(seed, seen)
  )
  r.pool = after
  const crossed = tried.some((i) => m.kinds[i] === other(nodeType))
  const kinds = crossed ? [other(nodeType)] : [nodeType, other(nodeType)]

  const taken = (from: Pool.NodeType): boolean => {
    const candidates = healthy(m, from, tried)
    if (candidates.length === 0) return false
    const active = m.active[from]
    const index =
      seed !== undefined
        ? inStep(m, candidates)[seed % inStep(m, candidates).length]
        : active !== undefined && candidates.includes(active)
          ? active
          : quickest(m, candidates)
    expect(choice).toEqual({ _tag: "node", index, type: from, isTrial: false })
    if (seed !== undefined) expect(seen).toEqual([inStep(m, candidates)])
    m.active[from] = index
    return true
  }
  const tries = (from: Pool.NodeType): boolean => {
    const nodes = all(m, from)
    const { asked, until } = m.trials[from] ?? { asked: [], until: m.now }
    if (nodes.length === 0 || m.now < until) return false
    expect(choice).toMatchObject({ _tag: "node", type: from, isTrial: true })
    const index = choice._tag === "node" ? choice.index : -1
    expect(nodes).toContain(index)
    // each in its turn (without eviction, what has been reset may be asked again before its turn)
    if (m.evict) expect(asked.slice(Math.max(0, asked.length - nodes.length + 1))).not.toContain(index)
    if (asked.length === 0) expect(index).toBe(m.active[from])
    m.trials[from] = {
      asked: [...asked, index],
      until: m.now + Math.min(30_000, 1_000 * 2 ** asked.length)
    }
    return true
  }

  if (kinds.some(taken)) return choice
  if (tried.length > 0) {
    expect(choice).toEqual({ _tag: "exhausted", type: nodeType })
    return choice
  }
  if (kinds.some(tries)) return choice
  if (m.evict || m.kinds.length === 0) {
    expect(choice).toEqual({ _tag: "none", isTemporary: m.kinds.length > 0 })
    return choice
  }
  m.out.clear()
  expect(kinds.some(taken)).toBe(true)
  return choice
}

/** A call goes on: to its next node, or to its end. */
const goOn = (
  m: Model,
  r: Real,
  flight: Omit<Flight, "at" | "trial">,
  seed: number | undefined
): Pool.NodeChoice => {
  const { wanted, tried } = flight
  const choice = select(m, r, wanted, tried, seed)
  if (choice._tag === "node") {
    // 5: no call gets a node twice, and none comes back from the other type
    expect(tried).not.toContain(choice.index)
    if (choice.type === wanted) for (const index of tried) expect(m.kinds[index]).toBe(wanted)
    expect(m.kinds[choice.index]).toBe(choice.type)
    m.flights.push({ ...flight, at: choice.index, trial: choice.isTrial })
  }
  if (choice._tag === "exhausted") {
    r.pool = Pool.resetFailed(r.pool, choice.type)
    if (!m.evict) for (const i of all(m, choice.type)) m.out.delete(i)
  }
  return choice
}

const markFailed = (m: Model, r: Real, index: number): void => {
  const type = m.kinds[index]
  r.pool = Pool.markFailed(r.pool, index)
  if (type === undefined) return
  m.out.add(index)
  if (m.active[type] === index) m.active[type] = quickest(m, healthy(m, type)) ?? index
}

const wellAgain = (m: Model, type: Pool.NodeType): void => {
  m.trials[type] = undefined
  m.down = false
}

/** What must hold of every pool, whatever has happened to it. The numbers are those of the list in `Pool.ts`. */
const hold = (m: Model, { pool }: Real): void => {
  // 1: nobody is lost, nobody is there twice
  expect(pool.nodes.map(({ url, type }) => [url, type])).toEqual(m.kinds.map((type, i) => [urlOf(i), type]))
  expect(pool.nodes.flatMap(({ failed }, i) => (failed ? [i] : []))).toEqual(
    [...m.out].toSorted((a, b) => a - b)
  )
  expect(pool.nodes.map(({ lastBlock }) => lastBlock)).toEqual(m.heights)
  expect(pool.nodes.map(({ lastResponseTime }) => lastResponseTime)).toEqual(m.times)
  for (const type of types) {
    // 2 and 3: an active node of each type that has nodes, and a healthy one where there is one
    const active = pool.active[type]
    expect(active).toBe(m.active[type])
    expect(pool.nodes[active ?? Number.NaN]?.type).toBe(all(m, type).length > 0 ? type : undefined)
    if (healthy(m, type).length > 0) expect(m.out.has(active ?? Number.NaN)).toBe(false)
    const level = inStep(m, healthy(m, type))
    for (const i of all(m, type)) expect(Pool.isInSync(pool, i)).toBe(level.includes(i))
    // 6: a back-off that is never longer than 30 s
    const trial = pool.trial[type]
    expect(trial?.at).toBe(m.trials[type]?.until)
    if (trial !== undefined) expect(trial.at - m.now).toBeLessThanOrEqual(30_000)
  }
  // 10
  expect(pool.hasFailedRound).toBe(m.down)
}

const urlOf = (i: number): string => `https://node-${i}.example`

type Command = fc.Command<Model, Real>

const command = (
  what: string,
  check: (m: Readonly<Model>) => boolean,
  run: (m: Model, r: Real) => void
): Command => ({
  check,
  run: (m, r) => {
    run(m, r)
    hold(m, r)
  },
  toString: () => what
})

const anyway = (): boolean => true

const call = (wanted: Pool.NodeType, seed: number | undefined): Command =>
  command(`call(${wanted}${seed === undefined ? "" : `, ${seed}`})`, anyway, (m, r) => {
    const kept = [...m.out]
    const choice = goOn(m, r, { wanted, tried: [] }, seed)
    // 4: a failed node only as a trial, and only where no healthy one is
    if (choice._tag === "node") {
      expect(choice.isTrial).toBe(m.out.has(choice.index))
      if (choice.isTrial) expect([...healthy(m, N), ...healthy(m, A)]).toEqual([])
    }
    // 7: who calls for the first time is held back only with eviction, and then only while all have failed
    if (choice._tag === "none")
      expect(m.kinds.length === 0 || (m.evict && kept.length === m.kinds.length)).toBe(true)
    expect(choice._tag).not.toBe("exhausted")
  })

const flying =
  (nth: number) =>
  (m: Readonly<Model>): boolean =>
    m.flights.length > nth

const land = (m: Model, nth: number): Flight => {
  const [flight] = m.flights.splice(nth, 1)
  if (flight === undefined) throw new Error("there is no such call")
  return flight
}

const fails = (nth: number, seed: number | undefined): Command =>
  command(`fails(${nth})`, flying(nth), (m, r) => {
    const flight = land(m, nth)
    markFailed(m, r, flight.at)
    goOn(m, r, { wanted: flight.wanted, tried: [...flight.tried, flight.at] }, seed)
  })

/** The node lacks what is asked for, and has not failed. */
const elsewhere = (nth: number, seed: number | undefined): Command =>
  command(`elsewhere(${nth})`, flying(nth), (m, r) => {
    const flight = land(m, nth)
    goOn(m, r, { wanted: flight.wanted, tried: [...flight.tried, flight.at] }, seed)
  })

/** A call that waits is sent to another node too, which must not become active by that. */
const second = (nth: number, seed: number | undefined): Command =>
  command(`second(${nth})`, flying(nth), (m, r) => {
    const flight = m.flights[nth]
    if (flight === undefined) return
    const before = r.pool
    const active = { ...m.active }
    const choice = select(m, r, flight.wanted, [...flight.tried, flight.at], seed)
    r.pool = before
    Object.assign(m.active, active)
    if (choice._tag === "node") {
      expect(choice.isTrial).toBe(false)
      m.flights.push({
        wanted: flight.wanted,
        tried: [...flight.tried, flight.at],
        at: choice.index,
        trial: false
      })
    }
  })

/** A call that only some nodes may have. */
const few = (nodeType: Pool.NodeType, may: ReadonlyArray<number>, seed: number | undefined): Command =>
  command(`few(${nodeType}, ${may})`, anyway, (m, r) => {
    const before = r.pool
    const index = Pool.selectAmong(
      before,
      { nodeType, tried: new Set() },
      (i) => may.includes(i),
      preferred(seed, [])
    )
    // 11: nothing has changed, and the choice is one of those that may be, healthy, in step with them
    expect(r.pool).toBe(before)
    const type = healthy(m, nodeType).length > 0 ? nodeType : other(nodeType)
    const candidates = healthy(m, type).filter((i) => may.includes(i))
    if (candidates.length === 0) return expect(index).toBeUndefined()
    expect(candidates).toContain(index)
    const active = m.active[type]
    if (seed !== undefined || active === undefined || !candidates.includes(active))
      expect(inStep(m, candidates)).toContain(index)
    else expect(index).toBe(active)
  })

const succeeds = (nth: number): Command =>
  command(`succeeds(${nth})`, flying(nth), (m, r) => {
    const { at } = land(m, nth)
    const type = m.kinds[at]
    const before = r.pool
    r.pool = Pool.markHealthy(r.pool, at)
    if (type === undefined) return
    if (m.out.delete(at)) m.active[type] = at
    else if (m.trials[type] === undefined) {
      // a success that is no news costs nothing
      expect(r.pool).toBe(before)
      return
    }
    wellAgain(m, type)
  })

const given = (nth: number, height: number, time: number): Command =>
  command(
    `readmitted(${nth}, height ${height}, ${time} ms)`,
    ({ out }) => out.size > nth,
    (m, r) => {
      const index = [...m.out][nth] ?? -1
      const type = m.kinds[index]
      if (type === undefined) throw new Error("there is no such node")
      const active = m.active[type]
      r.pool = Pool.readmit(r.pool, index, { height, time })
      // what the others have said is older, and none of them is to fall behind by that
      const others = healthy(m, type)
      const level = inStep(m, others)
      m.heights[index] =
        others.length === 0 ? height : Math.min(height, Math.max(...others.map((i) => heightOf(m, i))))
      m.times[index] = time
      m.out.delete(index)
      expect(inStep(m, healthy(m, type))).toEqual(expect.arrayContaining([...level]))
      // 9: the active node stays, unless it has failed
      if (active !== undefined && m.out.has(active)) m.active[type] = index
      wellAgain(m, type)
    }
  )

/** The first round of checks has found a node, while it waits for others. */
const found = (index: number, height: number, time: number): Command =>
  command(
    `found(${index}, height ${height}, ${time} ms)`,
    ({ kinds }) => index < kinds.length,
    (m, r) => {
      const type = m.kinds[index]
      if (type === undefined) throw new Error("there is no such node")
      r.pool = Pool.recordFirstCheck(r.pool, index, { height, time })
      m.heights[index] = height
      m.times[index] = time
      m.out.delete(index)
      const level = inStep(m, healthy(m, type))
      const active = m.active[type]
      // who was found before stays active; who was not heard of makes room, but for nobody who is behind
      const stays = active !== undefined && (m.times[active] ?? 0) > 0 && level.includes(active)
      if (!stays && level.includes(index)) m.active[type] = index
      // 3
      if (m.active[type] !== undefined && m.out.has(m.active[type])) m.active[type] = index
      wellAgain(m, type)
    }
  )

const checked = (outcomes: ReadonlyArray<Pool.CheckOutcome | undefined>): Command =>
  command(`checked(${JSON.stringify(outcomes)})`, anyway, (m, r) => {
    r.pool = Pool.recordChecks(r.pool, outcomes)
    for (const i of m.kinds.keys()) {
      const outcome = outcomes[i]
      if (outcome === undefined) continue
      if (outcome === "failed") {
        m.out.add(i)
        continue
      }
      m.out.delete(i)
      m.heights[i] = outcome.height
      m.times[i] = outcome.time
    }
    for (const type of types) {
      const best = quickest(m, healthy(m, type))
      if (best === undefined) continue
      m.active[type] = best
      m.trials[type] = undefined
      // 8
      expect(inStep(m, healthy(m, type))).toContain(r.pool.active[type])
    }
    m.down = m.out.size === m.kinds.length
  })

/** Others have found that the node has failed, or it was overtaken too often. */
const overtaken = (index: number): Command =>
  command(
    `overtaken(${index})`,
    ({ kinds }) => index < kinds.length,
    (m, r) => markFailed(m, r, index)
  )

const waits = (ms: number): Command =>
  command(`waits(${ms} ms)`, anyway, (m) => {
    m.now += ms
  })

const seeds = fc.option(fc.nat(11), { nil: undefined })
const heights = fc.oneof(
  { weight: 6, arbitrary: fc.nat(40) },
  { weight: 1, arbitrary: fc.constantFrom(-1, 9e15) }
)
const nth = fc.nat(5)

const commands = fc.commands(
  [
    fc.tuple(fc.constantFrom(...types), seeds).map((args) => call(...args)),
    fc.constantFrom(...types).map((type) => call(type, undefined)),
    fc.tuple(nth, seeds).map((args) => fails(...args)),
    fc.nat(1).map((n) => fails(n, undefined)),
    fc.tuple(nth, seeds).map((args) => elsewhere(...args)),
    fc.tuple(nth, seeds).map((args) => second(...args)),
    nth.map(succeeds),
    fc.tuple(fc.constantFrom(...types), fc.uniqueArray(fc.nat(5)), seeds).map((args) => few(...args)),
    fc.tuple(nth, heights, fc.nat(30)).map((args) => given(...args)),
    fc
      .array(
        fc.oneof(
          fc.constantFrom("failed" as const, "failed" as const, undefined),
          fc.record({ height: heights, time: fc.nat(30) }, { noNullPrototype: true })
        ),
        { maxLength: 6 }
      )
      .map(checked),
    fc.tuple(fc.nat(5), heights, fc.nat(30)).map((args) => found(...args)),
    fc.nat(5).map(overtaken),
    fc.oneof(fc.nat(2_000), fc.nat(40_000)).map(waits)
  ],
  { maxCommands: 60, size: "max" }
)

const setting = fc.record(
  {
    kinds: fc.array(fc.constantFrom(...types), { maxLength: 6 }),
    evict: fc.boolean(),
    allowed: fc.nat(20),
    random: fc.double({ min: 0, max: 1, noNaN: true })
  },
  { noNullPrototype: true }
)

type Setting = typeof setting extends fc.Arbitrary<infer S> ? S : never

const start = ({
  allowed,
  evict,
  kinds,
  random
}: Setting): { readonly model: Model; readonly real: Real } => {
  const pool = Pool.make(
    kinds.map((type, i) => ({ url: urlOf(i), type, headers: {}, sendApiKey: false })),
    { allowedBlocksBehind: allowed, evict, random: () => random }
  )
  const active = (type: Pool.NodeType) => pool.active[type]
  return {
    model: {
      kinds,
      allowed,
      evict,
      out: new Set(),
      heights: kinds.map(() => 0),
      times: kinds.map(() => 0),
      active: { NORMAL: active(N), ARCHIVE: active(A) },
      trials: { NORMAL: undefined, ARCHIVE: undefined },
      flights: [],
      now: 0,
      down: false
    },
    real: { pool }
  }
}

/** One call on nodes of which only `back` answers. Yields whether it did. */
const reaches = (real: Real, nodeType: Pool.NodeType, back: number, now: number): boolean => {
  const tried = new Set<number>()
  for (;;) {
    const [choice, pool] = Pool.select(real.pool, { nodeType, tried }, now)
    real.pool = choice._tag === "exhausted" ? Pool.resetFailed(pool, choice.type) : pool
    if (choice._tag !== "node") return false
    if (choice.index === back) {
      real.pool = Pool.markHealthy(real.pool, back)
      return true
    }
    tried.add(choice.index)
    real.pool = Pool.markFailed(real.pool, choice.index)
  }
}

describe("a pool against its model", () => {
  it("chooses as the model does, and keeps the invariants, whatever happens", () => {
    fc.assert(
      fc.property(setting, commands, (given, steps) => {
        const started = start(given)
        hold(started.model, started.real)
        fc.modelRun(() => started, steps)
      }),
      { numRuns: runs(300) }
    )
  })

  it("loses nobody: after every history, whoever comes back alone is found within a trial per node", () => {
    fc.assert(
      fc.property(setting, commands, (given, steps) => {
        const { model, real } = start(given)
        fc.modelRun(() => ({ model, real }), steps)
        const kept = real.pool
        // some call is let through as soon as every back-off is over
        if (kept.nodes.length > 0) {
          for (const type of types)
            expect(Pool.select(kept, { nodeType: type, tried: new Set() }, model.now + 30_000)[0]._tag).toBe(
              "node"
            )
        }
        for (const [back, type] of model.kinds.entries()) {
          const own = { pool: kept }
          let calls = 0
          // the first call may find that the others, which seem well, are dead
          while (!reaches(own, type, back, model.now + (calls + 1) * 30_000)) {
            calls++
            expect(calls).toBeLessThanOrEqual(all(model, type).length + 2)
          }
          expect(own.pool.active[type]).toBe(back)
          expect(own.pool.nodes[back]?.failed).toBe(false)
        }
      }),
      { numRuns: runs(200) }
    )
  })

  it("lets trials through at 1, 2, 4, 8, 16 s and every 30 s, however often it is asked, and no more", () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 80, size: "max" })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), gaps, (nodes, pauses) => {
        const kinds = Array.from({ length: nodes }, () => N)
        const { real } = start({ kinds, evict: true, allowed: 0, random: 0 })
        for (const i of kinds.keys()) real.pool = Pool.markFailed(real.pool, i)
        let now = 0
        let due = 0
        let trials = 0
        const first = real.pool.active[N]
        for (const pause of pauses) {
          now += pause
          const [choice, pool] = Pool.select(real.pool, { nodeType: N, tried: new Set() }, now)
          real.pool = choice._tag === "node" ? Pool.markFailed(pool, choice.index) : pool
          expect(choice._tag).toBe(now >= due ? "node" : "none")
          if (now < due) continue
          expect(choice).toMatchObject({ index: ((first ?? Number.NaN) + trials) % nodes, isTrial: true })
          due = now + Math.min(30_000, 1_000 * 2 ** trials)
          trials++
        }
      }),
      { numRuns: runs(200) }
    )
  })

  it("never takes a node that is behind the allowance while one in step is healthy", () => {
    const known = fc.record(
      {
        lastBlock: fc.oneof(fc.nat(60), fc.constantFrom(-1, 9e15, Number.NaN)),
        lastResponseTime: fc.oneof(fc.nat(50), fc.constant(Number.NaN)),
        failed: fc.boolean()
      },
      { noNullPrototype: true }
    )
    fc.assert(
      fc.property(
        fc.array(known, { maxLength: 8 }),
        fc.nat(20),
        fc.uniqueArray(fc.nat(7)),
        (nodes, allowed, left) => {
          const eligible = (i: number): boolean => !left.includes(i)
          const index = Pool.findFastest(nodes, allowed, eligible)
          const may = nodes.filter(({ failed }, i) => !failed && eligible(i))
          const level = (height: number): number => (Number.isFinite(height) ? height : -1)
          const taken = nodes[index ?? Number.NaN]
          expect(taken === undefined).toBe(may.length === 0)
          if (taken === undefined) return
          expect(may).toContain(taken)
          const best = Math.max(...may.map(({ lastBlock }) => level(lastBlock)))
          expect(best - level(taken.lastBlock)).toBeLessThanOrEqual(allowed)
          for (const { lastBlock, lastResponseTime } of may) {
            if (best - level(lastBlock) <= allowed)
              expect(lastResponseTime < taken.lastResponseTime).toBe(false)
          }
        }
      ),
      { numRuns: runs(500) }
    )
  })
})
