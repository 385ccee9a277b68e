/** Properties of the balancer's arithmetic: budgets, response times, and the choice of nodes. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { PCGRandom } from "effect/Utils"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Budget from "../../src/balancer/Budget.js"
import * as Latency from "../../src/balancer/Latency.js"
import {
  type Candidate,
  makeIndexPolicy,
  policyOf,
  type SelectionPolicy
} from "../../src/balancer/Selection.js"
import type { Selection } from "../../src/config/Config.js"
import { runs } from "../properties.js"

describe("a budget", () => {
  const events = fc.array(fc.constantFrom("call", "spend"), { maxLength: 300, size: "max" })

  it("never gives more than its burst and the share of the calls, and gives what it has", () => {
    fc.assert(
      fc.property(fc.nat(8), fc.integer({ min: 0, max: 100 }), events, (burst, percent, steps) => {
        const budget = Budget.make({ burst, share: percent / 100 })
        // the same in whole numbers
        let hundredths = burst * 100
        let calls = 0
        let spent = 0
        for (const step of steps) {
          if (step === "call") {
            budget.earn()
            calls++
            hundredths = Math.min(burst * 100, hundredths + percent)
            continue
          }
          const has = hundredths >= 100
          // a sum of fractions may miss a whole one by a hair: then the next call brings it
          const isClose = percent > 0 && hundredths % 100 === 0
          const given = budget.spend()
          if (!isClose || !has) expect(given).toBe(has)
          if (given) {
            spent++
            hundredths -= 100
          }
          expect(spent).toBeLessThanOrEqual(burst + (percent * calls) / 100)
        }
      })
    )
  })

  it("saves up no more than its burst, however many calls there were", () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(500),
        (burst, share, calls) => {
          const budget = Budget.make({ burst, share })
          for (let i = 0; i < calls; i++) budget.earn()
          let spent = 0
          while (budget.spend()) spent++
          expect(spent).toBe(burst)
        }
      )
    )
  })

  it("keeps what answers have brought above its burst, whatever other answers come", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const budget = Budget.make({ burst: 1, share: 0 })
        const waiting = yield* Effect.fork(budget.waitForRefill)
        yield* Effect.yieldNow()
        // an answer while somebody waits brings two tokens, of which one is above the burst
        yield* budget.track(Effect.void)
        yield* Fiber.join(waiting)
        // one without anybody waiting fills up to the burst alone
        yield* budget.track(Effect.void)
        let spent = 0
        while (budget.spend()) spent++
        expect(spent).toBe(3)
      })
    ))

  it("is worth waiting for while requests of others are on their way, and not for one's own", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const budget = Budget.make({ burst: 1, share: 0 })
        const [own, other] = [{ retriesInFlight: 0 }, { retriesInFlight: 0 }]
        expect(budget.isRefillLikely(own)).toBe(false)
        const held = yield* Deferred.make<void>()
        const sent = yield* Effect.fork(budget.track(Deferred.await(held), own))
        yield* Effect.yieldNow()
        expect(own.retriesInFlight).toBe(1)
        expect(budget.isRefillLikely(own)).toBe(false)
        expect(budget.isRefillLikely(other)).toBe(true)
        yield* Deferred.succeed(held, undefined)
        yield* Fiber.join(sent)
        expect(own.retriesInFlight).toBe(0)
        expect(budget.isRefillLikely(other)).toBe(false)
      })
    ))

  it("without limit gives always, and nobody waits for it", async () => {
    for (let i = 0; i < 1_000; i++) expect(Budget.unlimited.spend()).toBe(true)
    Budget.unlimited.earn()
    expect(Budget.unlimited.isRefillLikely()).toBe(false)
    expect(await Effect.runPromise(Budget.unlimited.track(Effect.succeed(7)))).toBe(7)
    await Effect.runPromise(Budget.unlimited.waitForRefill)
  })
})

describe("a budget of requests that are on their way", () => {
  const spent = (budget: Budget.Budget): number => {
    let count = 0
    while (budget.spend()) count++
    return count
  }
  const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  /** Who waits for a token: \`woken\` has those that go on. */
  const waiters = (budget: Budget.Budget, count: number) =>
    Effect.gen(function* () {
      const woken: Array<number> = []
      const fibers = yield* Effect.forEach(Array.from({ length: count }).keys(), (i) =>
        Effect.fork(Effect.andThen(budget.waitForRefill, () => woken.push(i)))
      )
      yield* turn
      return { fibers, woken }
    })

  it("gets a token back for each that is answered, and no more than fit", async () => {
    const budget = Budget.make({ burst: 2, share: 0.1 })
    expect(spent(budget)).toBe(2)
    expect(await Effect.runPromise(budget.track(Effect.succeed("answer")))).toBe("answer")
    expect(spent(budget)).toBe(1)
    for (let i = 0; i < 5; i++) await Effect.runPromise(budget.track(Effect.void))
    expect(spent(budget)).toBe(2)
  })

  it("gets none back for those that fail or are left", async () => {
    const budget = Budget.make({ burst: 2, share: 0.1 })
    expect(spent(budget)).toBe(2)
    expect(await Effect.runPromise(Effect.flip(budget.track(Effect.fail("no"))))).toBe("no")
    await Effect.runPromise(Effect.exit(budget.track(Effect.interrupt)))
    expect(spent(budget)).toBe(0)
    expect(budget.isRefillLikely()).toBe(false)
  })

  it("is promising as long as one of them is on its way", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const budget = Budget.make({ burst: 2, share: 0.1 })
        expect(budget.isRefillLikely()).toBe(false)
        const one = yield* Effect.fork(budget.track(Effect.never))
        const two = yield* Effect.fork(budget.track(Effect.never))
        yield* turn
        expect(budget.isRefillLikely()).toBe(true)
        yield* Fiber.interrupt(one)
        expect(budget.isRefillLikely()).toBe(true)
        yield* Fiber.interrupt(two)
        expect(budget.isRefillLikely()).toBe(false)
      })
    ))

  it("lets two that wait go on with each answer, the first that came, with a token each", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const budget = Budget.make({ burst: 1, share: 0.5 })
        spent(budget)
        const { fibers, woken } = yield* waiters(budget, 5)
        yield* budget.track(Effect.void)
        yield* turn
        expect(woken).toEqual([0, 1])
        // calls add nothing above the burst, and take nothing away from it
        budget.earn()
        expect(spent(budget)).toBe(2)
        yield* budget.track(Effect.void)
        yield* budget.track(Effect.void)
        yield* turn
        expect(woken).toEqual([0, 1, 2, 3, 4])
        yield* Fiber.joinAll(fibers)
      })
    ))

  it("lets all that wait go on, to hear that there is none, when the last of them has failed", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const budget = Budget.make({ burst: 1, share: 0.1 })
        spent(budget)
        const last = yield* Effect.fork(budget.track(Effect.never))
        yield* turn
        const { fibers, woken } = yield* waiters(budget, 4)
        yield* Effect.exit(budget.track(Effect.fail("no")))
        yield* turn
        expect(woken).toEqual([])
        yield* Fiber.interrupt(last)
        yield* Fiber.joinAll(fibers)
        expect(woken).toEqual([0, 1, 2, 3])
        expect(spent(budget)).toBe(0)
      })
    ))

  it("forgets who waits no more", () =>
    Effect.runPromise(
      Effect.gen(function* () {
        const budget = Budget.make({ burst: 4, share: 0.1 })
        spent(budget)
        const { fibers } = yield* waiters(budget, 2)
        yield* Fiber.interruptAll(fibers)
        yield* budget.track(Effect.void)
        expect(spent(budget)).toBe(1)
      })
    ))
})

describe("response times", () => {
  const WINDOW = 128
  const times = fc.array(
    fc.oneof(fc.integer({ min: 0, max: 50 }), fc.double({ min: 0, max: 60_000, noNaN: true })),
    {
      maxLength: 400,
      size: "max"
    }
  )

  it("have a 95th percentile that lies where it must in the newest of them", () => {
    fc.assert(
      fc.property(times, (all) => {
        const latencies = Latency.make()
        let known: number | undefined
        for (const [i, ms] of all.entries()) {
          latencies.add(ms)
          const count = i + 1
          // it is looked up again after every 16
          if (count % 16 === 0) {
            const newest = all.slice(Math.max(0, count - WINDOW), count)
            known = latencies.p95()
            if (known === undefined) throw new Error(`nothing after ${count} calls`)
            const p95 = known
            expect(newest).toContain(p95)
            expect(newest.filter((each) => each < p95).length).toBeLessThanOrEqual(0.95 * newest.length)
            expect(newest.filter((each) => each <= p95).length).toBeGreaterThan(0.95 * (newest.length - 1))
          } else expect(latencies.p95()).toBe(known)
        }
      })
    )
  })

  it("have an average between the best and the worst, which a worse time raises at once", () => {
    const sample = fc.tuple(fc.double({ min: 0, max: 60_000, noNaN: true }), fc.nat(100_000))
    fc.assert(
      fc.property(fc.array(sample, { minLength: 1, maxLength: 60 }), (samples) => {
        let average = 0
        for (const [ms, since] of samples) {
          const before = average
          average = Latency.peakAverage(before, ms, since)
          if (ms >= before) expect(average).toBe(ms)
          else {
            expect(average).toBeGreaterThanOrEqual(ms)
            expect(average).toBeLessThanOrEqual(before)
            // the longer ago, the less it counts
            expect(Latency.peakAverage(before, ms, since + 1_000)).toBeLessThanOrEqual(average)
          }
        }
        expect(average).toBeLessThanOrEqual(Math.max(...samples.map(([ms]) => ms)))
      })
    )
  })

  it("come down to a better time by two thirds in ten seconds", () => {
    expect(Latency.peakAverage(100, 0, 10_000)).toBeCloseTo(36.8, 1)
    expect(Latency.peakAverage(100, 50, 10_000)).toBeCloseTo(68.4, 1)
    expect(Latency.peakAverage(100, 0, 100_000)).toBeLessThan(0.1)
  })

  it("say how long to wait: a second while nobody knows, then a fifth and 10 ms longer than calls take", () => {
    const latencies = Latency.make()
    expect(latencies.hedgeDelay()).toBe(1_000)
    for (let i = 0; i < 16; i++) latencies.add(100)
    expect(latencies.hedgeDelay()).toBe(130)
    const fixed = Latency.make(70)
    expect(fixed.hedgeDelay()).toBe(70)
    for (let i = 0; i < 16; i++) fixed.add(100)
    expect(fixed.hedgeDelay()).toBe(70)
  })

  it("from a clock that went back do not raise the average above what it was", () => {
    expect(Latency.peakAverage(100, 10, -5_000)).toBe(100)
  })
})

describe("selection", () => {
  const policy = (selection: Selection): SelectionPolicy => {
    const pick = policyOf(selection)
    if (pick === undefined) throw new Error("the pool's own rule")
    return pick
  }
  const candidate = (index: number, more: Partial<Candidate> = {}): Candidate => ({
    index,
    averageMs: 0,
    inFlight: 0,
    weight: 1,
    ...more
  })
  const seeded = (seed: number) => {
    const generator = new PCGRandom(seed)
    return () => generator.number()
  }
  const seed = fc.integer({ min: 1, max: 2 ** 31 - 1 })

  const candidates = fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 }).chain((indices) =>
    fc.tuple(
      ...indices
        .toSorted((a, b) => a - b)
        .map((index) =>
          fc.record(
            {
              index: fc.constant(index),
              averageMs: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 10_000, noNaN: true })),
              inFlight: fc.nat(50),
              weight: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0.01, max: 5, noNaN: true }))
            },
            { noNullPrototype: true }
          )
        )
    )
  )

  it.each(["p2c", "weighted", "round-robin"] as const)("by %s takes one of the candidates", (name) => {
    fc.assert(
      fc.property(
        candidates,
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (from, random) => {
          expect(from).toContain(policy(name)(from, () => random))
        }
      )
    )
  })

  it("by weight gives each node its share", () => {
    const weights = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 6 })
    const draws = 3_000
    fc.assert(
      fc.property(weights, seed, (given, start) => {
        const from = given.map((weight, index) => candidate(index, { weight }))
        const random = seeded(start)
        const counts = given.map(() => 0)
        for (let i = 0; i < draws; i++) {
          const index = policy("weighted")(from, random)?.index ?? -1
          counts[index] = (counts[index] ?? 0) + 1
        }
        const sum = given.reduce((a, b) => a + b)
        for (const [i, weight] of given.entries()) {
          const share = weight / sum
          // six standard deviations: once in 500 million
          expect(Math.abs((counts[i] ?? 0) - draws * share)).toBeLessThan(
            6 * Math.sqrt(draws * share * (1 - share))
          )
        }
      }),
      { numRuns: runs(60) }
    )
  })

  it("of the better of two never takes the worse one, and looks at two different ones", () => {
    // what has never answered is tried once, and then it has to answer before it is tried again
    const cost = ({ averageMs, inFlight }: Candidate): number =>
      averageMs === 0 && inFlight > 0 ? Number.MAX_VALUE : averageMs * (inFlight + 1)
    fc.assert(
      fc.property(candidates, seed, (from, start) => {
        const taken = policy("p2c")(from, seeded(start))
        // the same numbers say which two they were
        const random = seeded(start)
        const one = Math.floor(random() * from.length)
        const isOnly = from.length === 1
        if (isOnly) {
          expect(taken).toBe(from[0])
          return
        }
        const others = from.filter((_, i) => i !== one)
        const isOneOfThem = taken === from[one]
        if (taken === undefined) throw new Error("nothing was taken")
        const first = from[one]
        if (first === undefined) throw new Error("there is no such candidate")
        if (isOneOfThem) expect(others.some((other) => cost(first) <= cost(other))).toBe(true)
        else {
          expect(others).toContain(taken)
          expect(cost(taken)).toBeLessThan(cost(first))
        }
        // and so the worst of all is taken only where another one is as bad
        const worst = Math.max(...from.map(cost))
        if (cost(taken) === worst)
          expect(from.filter((each) => cost(each) === worst).length).toBeGreaterThan(1)
      }),
      { numRuns: runs(300) }
    )
  })

  it("of the better of two looks at every pair", () => {
    const from = [
      candidate(0, { averageMs: 3 }),
      candidate(1, { averageMs: 2 }),
      candidate(2, { averageMs: 1 })
    ]
    const random = seeded(7)
    const counts = [0, 0, 0]
    for (let i = 0; i < 3_000; i++) {
      const index = policy("p2c")(from, random)?.index ?? -1
      counts[index] = (counts[index] ?? 0) + 1
    }
    // of three pairs, the best is in two, and the second best wins the third
    expect(counts[0]).toBe(0)
    expect(Math.abs((counts[1] ?? 0) - 1_000)).toBeLessThan(160)
    expect(Math.abs((counts[2] ?? 0) - 2_000)).toBeLessThan(160)
  })

  it("in turn is fair: between two turns of a node, nobody who was there all the time is left out", () => {
    // who is there at each turn; nodes come and go
    const turns = fc.array(
      fc
        .uniqueArray(fc.nat(5), { minLength: 1, maxLength: 6 })
        .map((indices) => indices.toSorted((a, b) => a - b)),
      { minLength: 1, maxLength: 80, size: "max" }
    )
    fc.assert(
      fc.property(turns, (there) => {
        const pick = policy("round-robin")
        const taken: Array<number> = []
        for (const [turn, indices] of there.entries()) {
          const index =
            pick(
              indices.map((i) => candidate(i)),
              () => 0
            )?.index ?? -1
          expect(indices).toContain(index)
          const last = taken.lastIndexOf(index)
          if (last !== -1) {
            const between = there.slice(last + 1, turn + 1)
            for (const other of indices) {
              if (other === index || !between.every((each) => each.includes(other))) continue
              expect(taken.slice(last + 1)).toContain(other)
            }
          }
          taken.push(index)
        }
      }),
      { numRuns: runs(300) }
    )
  })

  it("in turn gives equal shares while the same nodes are there", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 7 }),
        fc.nat(5),
        (indices, rounds) => {
          const pick = policy("round-robin")
          const from = indices.toSorted((a, b) => a - b).map((i) => candidate(i))
          const counts = new Map<number, number>()
          for (let i = 0; i < from.length * rounds; i++) {
            const index = pick(from, () => 0)?.index ?? -1
            counts.set(index, (counts.get(index) ?? 0) + 1)
          }
          for (const count of counts.values()) expect(count).toBe(rounds)
        }
      )
    )
  })

  /** Numbers that come in this order, as no source of randomness would bring them. */
  const inTurn = (...numbers: ReadonlyArray<number>) => {
    const left = [...numbers]
    return () => left.shift() ?? 0
  }

  it("of the better of two counts calls in flight, and the second may be any other one", () => {
    const busy = [candidate(0, { averageMs: 10, inFlight: 3 }), candidate(1, { averageMs: 20 })]
    expect(policy("p2c")(busy, inTurn(0, 0))?.index).toBe(1)
    expect(policy("p2c")(busy, inTurn(0.5, 0))?.index).toBe(1)
    const three = [
      candidate(0, { averageMs: 3 }),
      candidate(1, { averageMs: 5 }),
      candidate(2, { averageMs: 1 })
    ]
    expect(policy("p2c")(three, inTurn(0, 0.9))?.index).toBe(2)
    expect(policy("p2c")(three, inTurn(0, 0.4))?.index).toBe(0)
    expect(policy("p2c")(three, inTurn(0.9, 0.4))?.index).toBe(2)
    expect(policy("p2c")(three, inTurn(0.4, 0.9))?.index).toBe(0)
  })

  it("of the better of two tries who has never answered once, and then the other until it has", () => {
    const known = candidate(1, { averageMs: 50 })
    expect(policy("p2c")([candidate(0), known], inTurn(0.5, 0))?.index).toBe(0)
    expect(policy("p2c")([candidate(0, { inFlight: 1 }), known], inTurn(0, 0))?.index).toBe(1)
  })

  it("by weight begins a share where the one before ends, also for sources of randomness that reach 1", () => {
    const from = [candidate(0, { weight: 1 }), candidate(1, { weight: 2 }), candidate(2, { weight: 1 })]
    const at = (number: number) => policy("weighted")(from, () => number)?.index
    expect([0, 0.24, 0.25, 0.74, 0.75, 0.99, 1].map(at)).toEqual([0, 0, 1, 1, 2, 2, 2])
  })

  it("in turn begins with the first, and goes on behind who is gone", () => {
    const pick = policy("round-robin")
    const next = (...indices: ReadonlyArray<number>) =>
      pick(
        indices.map((i) => candidate(i)),
        () => 0
      )?.index
    expect([next(0, 1, 2), next(0, 2), next(0, 1), next(0, 1)]).toEqual([0, 2, 0, 1])
  })

  it("as the pool asks for it is by index, among those that are known", () => {
    const all = [
      candidate(0, { averageMs: 5 }),
      candidate(1, { averageMs: 1 }),
      candidate(2, { averageMs: 9 })
    ]
    const at = (index: number) => all[index]
    expect(makeIndexPolicy("p2c", at, () => 0)?.([0, 1])).toBe(1)
    expect(makeIndexPolicy("p2c", at, () => 0)?.([2, 7])).toBe(2)
    expect(makeIndexPolicy("p2c", at, () => 0)?.([7, 2])).toBe(2)
    for (const name of ["p2c", "weighted", "round-robin"] as const) {
      expect(makeIndexPolicy(name, at, () => 0)?.([7])).toBeUndefined()
      expect(makeIndexPolicy(name, at, () => 0)?.([2])).toBe(2)
    }
  })

  it("of the fastest is the pool's own rule", () => {
    expect(policyOf("fastest")).toBeUndefined()
    expect(
      makeIndexPolicy(
        "fastest",
        () => undefined,
        () => 0
      )
    ).toBeUndefined()
  })
})
