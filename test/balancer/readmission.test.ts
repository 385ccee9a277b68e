/** How nodes fail and come back, without requests: real nodes of a pool, whose probes answer what the test has them say. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as TestClock from "effect/TestClock"
import * as Activity from "../../src/balancer/Activity.js"
import { makeCallContext } from "../../src/balancer/CallContext.js"
import * as Health from "../../src/balancer/Health.js"
import * as Nodes from "../../src/balancer/Nodes.js"
import * as Observation from "../../src/balancer/Observation.js"
import type { CheckOutcome } from "../../src/balancer/Pool.js"
import type { ProbeOutcome } from "../../src/balancer/Probe.js"
import * as Readmission from "../../src/balancer/Readmission.js"
import type { ResolvedConfig } from "../../src/config/Config.js"
import { resolve } from "../../src/config/resolveConfig.js"
import type { Repeat } from "../../src/data/Endpoint.js"
import { toEffect } from "../../src/data/eitherValues.js"
import { NodeError, RpcError } from "../../src/data/SdkError.js"
import { monotonic } from "../../src/http/service.js"
import type { Rejection } from "../../src/wire/Transport.js"

const [A, B, C] = ["https://a.example", "https://b.example", "https://c.example"] as const

const nothing = (): never => {
  throw new Error("nobody is to ask for this")
}

interface Setting {
  readonly config?: Partial<ResolvedConfig>
  readonly isProbed?: boolean
  readonly urls?: ReadonlyArray<string>
  readonly random?: number
}

/** A pool of which nobody has failed. `answers` is what a node answers to a probe: a failure, if it is not in there. */
const setUp = ({ config: more = {}, isProbed = true, urls = [A, B, C], random = 0.5 }: Setting = {}) =>
  Effect.gen(function* () {
    const network = "ethereum-mainnet"
    const found = yield* Effect.orDie(resolve({ network, rpc: { nodes: urls.map((url) => ({ url })) } }))
    const config: ResolvedConfig = { ...found, ...more }
    const nodes = yield* Nodes.make(config, Effect.sync(nothing), {
      layout: undefined,
      random: () => random,
      counters: undefined
    })
    const clock = yield* Effect.clock
    // no clock of a process begins with its pool
    yield* TestClock.adjust(5_000)
    const begun = monotonic(clock)
    const at = () => Math.round(monotonic(clock) - begun)
    const told: Array<unknown> = []
    const observer = Observation.make(network, undefined)
    observer.listen(({ at: _, ...event }) => {
      told.push(event)
    })
    const logged: Array<string> = []
    const log = (message: string) => Effect.sync(() => void logged.push(message))
    const answers = new Map<string, ProbeOutcome>()
    const untrusted = new Map<string, "failed" | "limited">()
    /** How long an answer to a probe takes, in milliseconds, and what happens to a node meanwhile. */
    const way = { ms: 0, slow: "", meanwhile: (_: Nodes.Node): unknown => undefined }
    const probes: Array<{ readonly url: string; readonly at: number; readonly timeout: number | undefined }> =
      []
    const activity = yield* Activity.make
    const readmission = Readmission.make({
      activity,
      config,
      nodes,
      observer,
      random: () => random,
      scope: yield* Effect.scope,
      chainIdCheck: {
        isTrusted: nothing,
        covers: nothing,
        verify: nothing,
        verifyThen: (node, answer) =>
          typeof answer === "string" ? nothing() : Effect.succeed(untrusted.get(node.url) ?? answer)
      },
      heights: {
        nextSequence: nothing,
        probeShared: nothing,
        confirmHeight: nothing,
        waitForBlock: nothing,
        probe: (node, timeout) =>
          Effect.suspend(() => {
            probes.push({ url: node.url, at: at(), timeout })
            way.meanwhile(node)
            const answer = Effect.sync(() => answers.get(node.url) ?? "failed")
            const ms = node.url === way.slow ? 60_000 : way.ms
            return ms === 0 ? answer : Effect.delay(answer, ms)
          })
      }
    })
    const health: Health.Health = {
      config,
      isProbed,
      nodes,
      observer,
      readmission,
      logger: {
        verbose: true,
        debug: (message) => log(message()),
        info: nothing,
        warn: nothing,
        error: (message) => log(message())
      }
    }
    const node = (url: string): Nodes.PoolNode => {
      const one = nodes.all.find((each) => each.url === url)
      if (one === undefined) throw new Error(url)
      return one
    }
    return {
      activity,
      answers,
      at,
      clock,
      health,
      logged,
      node,
      nodes,
      observer,
      probes,
      readmission,
      told,
      untrusted,
      way,
      /** It has answered a call just now. */
      answered: (url: string) =>
        Nodes.recordAnswer(nodes, node(url), monotonic(clock) - 20, monotonic(clock)),
      called: activity.recordCall(Effect.void, monotonic(clock)),
      failed: () => nodes.all.filter((each) => Nodes.hasFailed(nodes, each)).map(({ url }) => url),
      times: (url: string) => probes.filter((probe) => probe.url === url).map((probe) => probe.at)
    }
  })

const well: CheckOutcome = { height: 100, time: 20 }

describe("a node that has failed a call", () => {
  it.scoped("is out, and that is told and logged once", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* Health.evictNode(w.health, w.node(A), { reason: "socket hang up" })
      yield* Health.evictNode(w.health, w.node(A), { reason: "again" })
      expect(w.failed()).toEqual([A])
      expect(w.told).toEqual([{ _tag: "Failed", url: A, reason: "socket hang up" }])
      expect(w.logged[0]).toBe(`Switching to another server, marking ${A} as unstable.`)
      expect(w.node(A)).toMatchObject({ isSlow: false, failures: 2 })
    })
  )

  it.scoped("and wants to be left alone is not probed before that is over", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* Health.evictNode(w.health, w.node(A), { reason: "socket hang up" })
      yield* Health.startCooldown(w.health, w.node(A), 7_000)
      expect(w.told.at(-1)).toEqual({ _tag: "Cooled", url: A, ms: 7_000 })
      w.answers.set(A, well)
      yield* TestClock.adjust(6_999)
      yield* w.readmission.probeFailed
      expect(w.probes).toEqual([])
      yield* TestClock.adjust(1_000)
      expect(w.times(A)).toHaveLength(1)
      expect(w.failed()).toEqual([])
      expect(w.told.at(-1)).toEqual({ _tag: "Readmitted", url: A, height: 100 })
    })
  )

  it.scoped(
    "wants a pause that is a moment, however often it is told, and that nobody is believed to want for ever",
    () =>
      Effect.gen(function* () {
        const w = yield* setUp()
        const start = monotonic(w.clock)
        const until = () => w.node(A).cooldownUntil - start
        for (let i = 0; i < 20; i++) yield* Health.startCooldown(w.health, w.node(A), 2_000)
        expect(until()).toBe(2_000)
        yield* Health.startCooldown(w.health, w.node(A), 1_000)
        expect(until()).toBe(2_000)
        yield* TestClock.adjust(1_500)
        yield* Health.startCooldown(w.health, w.node(A), 1_000)
        expect(until()).toBe(2_500)
        yield* Health.startCooldown(w.health, w.node(A), 86_400_000)
        expect(until()).toBe(61_500)
        expect(w.failed()).toEqual([])
      })
  )

  it.scoped(
    "is left alone where nobody probes, where checks do not go on, and where it is the only one",
    () =>
      Effect.gen(function* () {
        for (const setting of [
          { isProbed: false },
          { config: { statusCheckInterval: Number.POSITIVE_INFINITY } },
          { config: { oneTimeLoadBalancing: true } },
          { urls: [A] }
        ]) {
          const w = yield* setUp(setting)
          yield* w.called
          yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
          yield* TestClock.adjust(50_000)
          expect(w.probes).toEqual([])
          expect(w.failed()).toEqual([A])
        }
      })
  )

  it.scoped("is spared copies of calls for a second", () =>
    Effect.gen(function* () {
      const w = yield* setUp({ isProbed: false })
      const now = monotonic(w.clock)
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      expect(w.node(A).nextShadowReadAt).toBe(now + 1_000)
      // a failure that is no news does not begin that anew
      yield* TestClock.adjust(500)
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      expect(w.node(A).nextShadowReadAt).toBe(now + 1_000)
    })
  )
})

describe("a node that has failed a check", () => {
  it.scoped("is told of as news, and asked until it is back", () =>
    Effect.gen(function* () {
      for (const wasOut of [false, true]) {
        const w = yield* setUp()
        yield* w.called
        Nodes.recordChecks(w.nodes, ["failed", well, well])
        yield* Health.handleFailedCheck(w.health, w.node(A), wasOut)
        expect(w.told).toEqual(wasOut ? [] : [{ _tag: "Failed", url: A, reason: "it has failed a check" }])
        yield* TestClock.adjust(600)
        expect(w.times(A)).toEqual([500])
      }
    })
  )
})

describe("a node that others have overtaken", () => {
  it.scoped("fails by that at the third time in a row, as one that is slow", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      w.answered(A)
      yield* Health.recordOvertaken(w.health, w.node(A))
      yield* Health.recordOvertaken(w.health, w.node(A))
      expect(w.told).toEqual([])
      yield* Health.recordOvertaken(w.health, w.node(A))
      expect(w.told).toEqual([{ _tag: "Failed", url: A, reason: "other nodes answer sooner" }])
      expect(w.node(A).isSlow).toBe(true)
    })
  )

  it.scoped(
    "by answers to what it has not answered fails as often, or at once where nobody can probe it",
    () =>
      Effect.gen(function* () {
        const reason = "another node has answered what it has not"
        const w = yield* setUp()
        w.answered(A)
        for (let i = 0; i < 3; i++) {
          expect(w.told).toEqual([])
          yield* Health.recordAnsweredElsewhere(w.health, [w.node(A)])
        }
        expect(w.told).toEqual([{ _tag: "Failed", url: A, reason }])
        const v = yield* setUp({ isProbed: false })
        yield* Health.recordAnsweredElsewhere(v.health, [v.node(A), v.node(B)])
        yield* Health.recordAnsweredElsewhere(v.health, [v.node(A), v.node(C)])
        expect(v.told).toEqual([A, B, C].map((url) => ({ _tag: "Failed", url, reason })))
        // what is out already is not in more trouble by that
        expect(v.node(A).failures).toBe(1)
      })
  )
})

describe("a node in doubt", () => {
  it.scoped("is asked once in a second, and fails where it does not answer", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      w.answers.set(A, well)
      yield* Health.probeSuspect(w.health, w.node(A))
      yield* Health.probeSuspect(w.health, w.node(A))
      yield* TestClock.adjust(999)
      yield* Health.probeSuspect(w.health, w.node(A))
      yield* TestClock.adjust(0)
      expect(w.times(A)).toEqual([0])
      expect(w.failed()).toEqual([])
      w.answers.clear()
      yield* TestClock.adjust(1)
      yield* Health.probeSuspect(w.health, w.node(A))
      yield* TestClock.adjust(0)
      expect(w.times(A)).toEqual([0, 1_000])
      expect(w.told).toEqual([{ _tag: "Failed", url: A, reason: "it has failed a check" }])
      // what is out is asked by its own back-off alone
      yield* TestClock.adjust(5_000)
      const before = w.probes.length
      yield* Health.probeSuspect(w.health, w.node(A))
      yield* TestClock.adjust(0)
      expect(w.probes).toHaveLength(before)
    })
  )

  it.scoped("is not asked where nobody probes, or there is no other one", () =>
    Effect.gen(function* () {
      for (const setting of [{ isProbed: false }, { urls: [A] }]) {
        const w = yield* setUp(setting)
        yield* Health.probeSuspect(w.health, w.node(A))
        yield* TestClock.adjust(0)
        expect([w.probes, w.failed()]).toEqual([[], []])
      }
    })
  )
})

describe("all nodes that have failed one call", () => {
  it.scoped("stay out with eviction, which is logged, and are let in again without it", () =>
    Effect.gen(function* () {
      for (const evictNodesOnFailure of [true, false]) {
        const w = yield* setUp({ config: { evictNodesOnFailure }, isProbed: false })
        for (const url of [A, B, C]) yield* Health.evictNode(w.health, w.node(url), { reason: "r" })
        w.logged.length = 0
        yield* Health.recordExhaustion(w.health, "NORMAL")
        expect(w.told.at(-1)).toEqual({ _tag: "Exhausted", type: "NORMAL" })
        expect(w.failed()).toEqual(evictNodesOnFailure ? [A, B, C] : [])
        expect(w.logged.map((line) => line.slice(0, 71))).toEqual(
          evictNodesOnFailure
            ? ["Looks like your request is malformed or all RPC nodes are down. Turn on"]
            : []
        )
      }
    })
  )

  it.scoped.each([
    ["are asked at once where nodes are checked", {}, true, [A, B]],
    ["are left to calls without checks", { statusCheckInterval: Number.POSITIVE_INFINITY }, true, []],
    ["are left to calls after the only check", { oneTimeLoadBalancing: true }, true, []],
    ["are left to calls where nobody probes", {}, false, []]
  ] as const)("%s", ([, config, isProbed, expected]) =>
    Effect.gen(function* () {
      const w = yield* setUp({ config: { evictNodesOnFailure: true, ...config }, isProbed, urls: [A, B] })
      for (const url of [A, B]) Nodes.markFailed(w.nodes, w.node(url))
      yield* Health.recordExhaustion(w.health, "NORMAL")
      yield* TestClock.adjust(0)
      expect(w.probes.map(({ url }) => url)).toEqual(expected)
    })
  )

  it.scoped("and a pause that a node asks for are logged with their length", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* Health.startCooldown(w.health, w.node(A), 1_200.4)
      expect(w.logged).toEqual([`Leaving ${A} alone for 1201 ms, as it asks for.`])
    })
  )
})

describe("checks that go on", () => {
  it.scoped("are those with an interval, which are not done once alone", () =>
    Effect.gen(function* () {
      const { health } = yield* setUp()
      const is = (more: Partial<ResolvedConfig>) => Health.hasPeriodicChecks({ ...health.config, ...more })
      expect([
        is({}),
        is({ statusCheckInterval: Number.POSITIVE_INFINITY }),
        is({ oneTimeLoadBalancing: true })
      ]).toEqual([true, false, false])
    })
  )
})

describe("the probes of a node that has failed", () => {
  const out = (w: Effect.Effect.Success<ReturnType<typeof setUp>>, url: string) => {
    Nodes.markFailed(w.nodes, w.node(url))
    return w.readmission.startProbing(w.node(url))
  }

  it.scoped("begin after half a second, are a tenth farther apart each time, and stay at half a minute", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* out(w, A)
      expect(w.node(A).nextProbeAt).toBe(monotonic(w.clock) + 500)
      for (let i = 0; i < 60; i++) {
        yield* w.activity.recordCall(Effect.void, monotonic(w.clock))
        yield* TestClock.adjust(10_000)
      }
      const times = w.times(A)
      const pauses = times.map((time, i) => time - (times[i - 1] ?? 0))
      expect(pauses.slice(0, 4)).toEqual(
        [500, 550, 605, 665].map((ms) => expect.toSatisfy((given: number) => Math.abs(given - ms) <= 1))
      )
      expect(Math.max(...pauses)).toBeGreaterThan(29_000)
      expect(Math.max(...pauses)).toBeLessThanOrEqual(30_001)
      // those of one that is probed already do not begin anew
      const before = w.probes.length
      yield* w.readmission.startProbing(w.node(A))
      yield* TestClock.adjust(100)
      expect(w.probes).toHaveLength(before)
    })
  )

  it.scoped("are jittered by a quarter", () =>
    Effect.gen(function* () {
      for (const [random, ms] of [
        [0, 375],
        [0.9999, 625]
      ] as const) {
        const w = yield* setUp({ random })
        yield* w.called
        yield* out(w, A)
        expect(Math.abs((w.node(A).nextProbeAt ?? 0) - monotonic(w.clock) - ms)).toBeLessThan(1)
      }
    })
  )

  it.scoped("wait half a second for an answer, or eight times as long as calls take", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* out(w, A)
      yield* TestClock.adjust(500)
      for (let i = 0; i < 16; i++) w.nodes.latencies.add(200)
      yield* TestClock.adjust(551)
      expect(w.probes.map(({ timeout }) => timeout)).toEqual([500, 1_600])
    })
  )

  it.scoped("follow the schedule of the user, which begins with a pause, and end with it", () =>
    Effect.gen(function* () {
      const readmission = Schedule.intersect(Schedule.spaced(2_000), Schedule.recurs(2))
      const w = yield* setUp({ config: { readmission } })
      yield* w.called
      yield* out(w, A)
      yield* TestClock.adjust(1)
      expect(w.node(A).nextProbeAt).toBe(monotonic(w.clock) + 1_999)
      yield* TestClock.adjust(20_000)
      expect(w.times(A)).toEqual([2_000, 4_000])
      expect(w.node(A).nextProbeAt).toBeUndefined()
    })
  )

  it.scoped("rest while nobody calls for a minute, until the next call", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* out(w, A)
      yield* TestClock.adjust(300_000)
      const before = w.probes.length
      expect(w.times(A).at(-1)).toBeLessThan(60_000)
      expect(w.times(A).at(-1)).toBeGreaterThan(50_000)
      yield* w.activity.recordCall(Effect.void, monotonic(w.clock))
      yield* TestClock.adjust(0)
      expect(w.probes).toHaveLength(before + 1)
    })
  )

  it.scoped("go on while it does not answer, or is not to be trusted, and are over when it is well", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      Nodes.markVerified(w.node(A))
      yield* out(w, A)
      yield* TestClock.adjust(500)
      w.answers.set(A, well)
      w.untrusted.set(A, "failed")
      yield* TestClock.adjust(551)
      expect([w.times(A).length, w.failed()]).toEqual([2, [A]])
      w.untrusted.set(A, "limited")
      yield* TestClock.adjust(606)
      expect([w.times(A).length, w.failed()]).toEqual([3, [A]])
      w.untrusted.clear()
      yield* TestClock.adjust(667)
      expect([w.times(A).length, w.failed()]).toEqual([4, []])
      expect(w.told).toEqual([{ _tag: "Readmitted", url: A, height: 100 }])
      yield* TestClock.adjust(30_000)
      expect(w.times(A)).toHaveLength(4)
      // and they begin anew when it fails again
      yield* out(w, A)
      yield* TestClock.adjust(500)
      expect(w.times(A)).toHaveLength(5)
    })
  )

  it.scoped("go on while it limits them, which takes nothing of what is known of it", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* out(w, A)
      Nodes.markVerified(w.node(A))
      w.answers.set(A, "limited")
      yield* TestClock.adjust(500)
      expect([w.times(A).length, w.failed(), w.node(A).isVerified]).toEqual([1, [A], true])
      w.answers.delete(A)
      yield* TestClock.adjust(551)
      expect([w.times(A).length, w.failed(), w.node(A).isVerified]).toEqual([2, [A], false])
    })
  )

  it.scoped("are started once, however often that is wanted", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* out(w, A)
      for (let i = 0; i < 3; i++) yield* w.readmission.startProbing(w.node(A))
      yield* TestClock.adjust(500)
      expect(w.times(A)).toHaveLength(1)
    })
  )

  it.scoped("are none of a node that is back by a call meanwhile", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      yield* out(w, A)
      Nodes.markHealthy(w.nodes, w.node(A), w.node(A).failures)
      yield* TestClock.adjust(60_000)
      expect([w.probes, w.told]).toEqual([[], []])
    })
  )

  it.scoped(
    "go on for a node that is far behind, which is in the pool and not chosen, until it is in step",
    () =>
      Effect.gen(function* () {
        const w = yield* setUp()
        yield* w.called
        Nodes.recordChecks(w.nodes, [well, well, well])
        yield* out(w, A)
        w.answers.set(A, { height: 10, time: 5 })
        yield* TestClock.adjust(500)
        expect([w.failed(), w.told]).toEqual([[], []])
        w.answers.set(A, well)
        yield* TestClock.adjust(551)
        expect(w.told).toEqual([{ _tag: "Readmitted", url: A, height: 100 }])
        yield* TestClock.adjust(30_000)
        expect(w.probes).toHaveLength(2)
      })
  )

  it.scoped("take from one that is silent the trust in its chain, and in its being only slow", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      Nodes.markFailed(w.nodes, w.node(A), true)
      Nodes.markVerified(w.node(A))
      yield* w.readmission.startProbing(w.node(A))
      yield* TestClock.adjust(500)
      expect(w.node(A)).toMatchObject({ isSlow: false, isVerified: false })
    })
  )
})

describe("the probes of a node that is back by a call", () => {
  it.scoped("are over, and no news, be it while it is asked or before it is asked again", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      yield* w.called
      for (const url of [A, B]) {
        Nodes.markFailed(w.nodes, w.node(url))
        yield* w.readmission.startProbing(w.node(url))
      }
      const back = (node: Nodes.Node) => Nodes.markHealthy(w.nodes, node, node.failures)
      w.answers.set(A, well)
      w.way.meanwhile = (node) => node.url === A && back(node)
      yield* TestClock.adjust(500)
      back(w.node(B))
      yield* TestClock.adjust(50_000)
      expect(w.probes.map(({ url }) => url).toSorted()).toEqual([A, B])
      expect(w.told).toEqual([])
    })
  )
})

describe("a pool of which all nodes have failed", () => {
  it.scoped("is asked as a whole, at most once in a second, and goes on with the first that is back", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      Nodes.recordChecks(w.nodes, ["failed", "failed", well])
      yield* w.readmission.probeFailed
      // what is well is not asked
      expect(w.probes.map(({ url }) => url)).toEqual([A, B])
      yield* TestClock.adjust(999)
      yield* w.readmission.probeFailed
      expect(w.probes).toHaveLength(2)
      yield* TestClock.adjust(1)
      w.answers.set(B, well)
      yield* Effect.all([w.readmission.probeFailed, w.readmission.probeFailed], { concurrency: "unbounded" })
      expect(w.probes).toHaveLength(4)
      expect(w.failed()).toEqual([A])
      expect(w.told).toEqual([{ _tag: "Readmitted", url: B, height: 100 }])
    })
  )
})

describe("a round of questions to a pool that is out", () => {
  const out = (w: Effect.Effect.Success<ReturnType<typeof setUp>>) => {
    Nodes.recordChecks(w.nodes, ["failed", "failed", well])
    w.way.ms = 50
  }

  it.scoped("asks all at once, and is waited for by all who want a node, until one of them is back", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      out(w)
      w.answers.set(B, well)
      const first = yield* Effect.fork(w.readmission.probeFailed)
      yield* TestClock.adjust(10)
      const second = yield* Effect.fork(w.readmission.probeFailed)
      yield* TestClock.adjust(39)
      expect(w.probes.map(({ at, url }) => [url, at])).toEqual([
        [A, 0],
        [B, 0]
      ])
      for (const each of [first, second]) expect((yield* Fiber.poll(each))._tag).toBe("None")
      yield* TestClock.adjust(1)
      for (const each of [first, second]) yield* Fiber.join(each)
      expect(w.failed()).toEqual([A])
      expect(w.probes).toHaveLength(2)
    })
  )

  it.scoped("does not wait for a node that is silent when another one is back", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      out(w)
      w.way.slow = A
      w.answers.set(B, well)
      const round = yield* Effect.fork(w.readmission.probeFailed)
      yield* TestClock.adjust(50)
      yield* Fiber.join(round)
      expect(w.failed()).toEqual([A])
    })
  )

  it.scoped("has no news of a node that a call has brought back meanwhile", () =>
    Effect.gen(function* () {
      const w = yield* setUp()
      out(w)
      w.answers.set(B, well)
      w.way.meanwhile = (node) => node.url === B && Nodes.markHealthy(w.nodes, node, node.failures)
      const round = yield* Effect.fork(w.readmission.probeFailed)
      yield* TestClock.adjust(50)
      yield* Fiber.join(round)
      expect([w.failed(), w.told]).toEqual([[A], []])
    })
  )
})

describe("copies of reads for nodes that nobody probes", () => {
  const url = A
  const nodeFault: Rejection = {
    fault: "node",
    error: new NodeError({ kind: "network", call: "eth_gasPrice", url, reason: "socket hang up" })
  }
  const revert: Rejection = {
    fault: "caller",
    error: new RpcError({ method: "eth_gasPrice", code: 3, rpcMessage: "execution reverted", url })
  }

  /** A pool without probes: `copied` says which nodes have got a copy, and `say` what they answer from now on. */
  const copying = Effect.gen(function* () {
    const w = yield* setUp({ isProbed: false })
    const copied: Array<string> = []
    let said: Rejection | undefined = nodeFault
    const beside = Readmission.makeSendShadowRead({
      nodes: w.nodes,
      observer: w.observer,
      scope: yield* Effect.scope,
      request: (node, sent, until) =>
        Effect.suspend(() => {
          copied.push(node.url)
          expect(sent.trace).toBeUndefined()
          expect(sent.label).toBe("eth_gasPrice")
          expect(until - monotonic(w.clock)).toBe(1_234)
          w.way.meanwhile(node)
          return said === undefined
            ? toEffect(sent.decode({ status: 200, text: "", url }))
            : Effect.fail(said)
        })
    })
    /** `routed` is the node that the call itself goes to. */
    const call = (repeat: Repeat = "read", routed = w.node(B)) => {
      const context = makeCallContext(
        {
          label: "eth_gasPrice",
          repeat,
          archive: false,
          gateway: false,
          verb: "POST",
          path: "",
          body: "{}",
          decode: () => Either.right(1)
        },
        { attemptTimeout: 1_234 },
        w.health.config,
        w.clock
      )
      if (routed.index !== undefined) context.tried.add(routed.index)
      return Effect.zipRight(beside(context), TestClock.adjust(0))
    }
    return {
      ...w,
      call,
      copied,
      say: (rejection: Rejection | undefined) => {
        said = rejection
      }
    }
  })

  it.scoped("go to one that is out, at its turns, which are farther apart each time", () =>
    Effect.gen(function* () {
      const w = yield* copying
      yield* w.call()
      expect(w.copied).toEqual([])
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      const times: Array<number> = []
      for (let i = 0; i < 16; i++) {
        const before = w.copied.length
        yield* w.call()
        if (w.copied.length > before) times.push(w.at())
        yield* TestClock.adjust(500)
      }
      expect(times).toEqual([1_000, 3_000, 7_000])
      expect(new Set(w.copied)).toEqual(new Set([A]))
      expect(w.failed()).toEqual([A])
    })
  )

  it.scoped("bring it back by an answer, and by words that speak of the call alone", () =>
    Effect.gen(function* () {
      for (const rejection of [undefined, revert]) {
        const w = yield* copying
        yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
        Nodes.recordHeight(w.node(A), 77, 1)
        w.say(rejection)
        yield* TestClock.adjust(1_000)
        yield* w.call()
        expect(w.failed()).toEqual([])
        expect(w.told.at(-1)).toEqual({ _tag: "Readmitted", url: A, height: 77 })
        yield* TestClock.adjust(60_000)
        yield* w.call()
        expect(w.copied).toEqual([A])
      }
    })
  )

  it.scoped("are none of a call that tries a failed node itself, because the others cool down", () =>
    Effect.gen(function* () {
      const w = yield* copying
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      yield* TestClock.adjust(1_000)
      yield* w.call("read", w.node(A))
      expect(w.copied).toEqual([])
      yield* w.call()
      expect(w.copied).toEqual([A])
    })
  )

  it.scoped("tell of the height 0 where it has told none", () =>
    Effect.gen(function* () {
      const w = yield* copying
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      w.say(undefined)
      yield* TestClock.adjust(1_000)
      yield* w.call()
      expect(w.told.at(-1)).toEqual({ _tag: "Readmitted", url: A, height: 0 })
    })
  )

  it.scoped("have no news of a node that is back meanwhile", () =>
    Effect.gen(function* () {
      const w = yield* copying
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      w.say(undefined)
      w.way.meanwhile = (node) => Nodes.markHealthy(w.nodes, node, node.failures)
      yield* TestClock.adjust(1_000)
      yield* w.call()
      expect(w.copied).toEqual([A])
      expect(w.told).toEqual([{ _tag: "Failed", url: A, reason: "r" }])
    })
  )

  it.scoped("are none of writes, nor while all nodes are out, where a call is a trial itself", () =>
    Effect.gen(function* () {
      const w = yield* copying
      yield* Health.evictNode(w.health, w.node(A), { reason: "r" })
      yield* TestClock.adjust(1_000)
      yield* w.call("write")
      yield* w.call("broadcast")
      expect(w.copied).toEqual([])
      yield* Health.evictNode(w.health, w.node(B), { reason: "r" })
      yield* Health.evictNode(w.health, w.node(C), { reason: "r" })
      yield* TestClock.adjust(5_000)
      yield* w.call()
      expect(w.copied).toEqual([])
    })
  )
})
