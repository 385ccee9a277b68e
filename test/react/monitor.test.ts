import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Monitor } from "../../react/playground/live/monitor.js"
import type { NodePoolView, NodeSnapshot } from "../../src/balancer/NodePool.js"
import type { PoolEvent } from "../../src/balancer/Observation.js"

const a = "http://127.0.0.1:1"
const b = "http://127.0.0.1:2"

const node = (url: string, active: boolean): NodeSnapshot => ({
  url,
  type: "NORMAL",
  active,
  failed: false,
  lastBlock: 5,
  lastResponseTime: 7
})

/** A pool whose events the test makes. */
const pooled = () => {
  const listeners = new Set<(event: PoolEvent) => void>()
  let checkedFields: Partial<NodeSnapshot> = {}
  const service: NodePoolView = {
    snapshot: Effect.sync(() => [
      { ...node(a, true), ...checkedFields },
      { ...node(b, false), ...checkedFields }
    ]),
    check: Effect.dieMessage("unexpected: a check"),
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }
  }
  return {
    service,
    listeners,
    /** What the next looks at the nodes find. */
    checked: (found: Partial<NodeSnapshot>) => {
      checkedFields = found
    },
    tell: (...events: ReadonlyArray<PoolEvent>) => {
      for (const event of events) for (const listener of listeners) listener(event)
    }
  }
}

const pickedEvent = (at: number, url: string, id = 1, call = "eth_call"): PoolEvent => ({
  _tag: "Attempted",
  at,
  url,
  type: "NORMAL",
  wanted: "NORMAL",
  call,
  id
})
const answeredEvent = (at: number, url: string, ms: number, id = 1): PoolEvent => ({
  _tag: "Answered",
  at,
  url,
  call: "eth_call",
  id,
  ms
})
const hedgedEvent = (at: number, url: string, id = 1): PoolEvent => ({
  _tag: "Hedged",
  at,
  url,
  call: "eth_call",
  id
})

describe("the playground's monitor of a pool", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
  afterEach(() => void vi.useRealTimers())

  const follow = () => {
    const pool = pooled()
    const monitor = new Monitor()
    const stop = monitor.follow(pool.service)
    return { monitor, pool, stop, now: Date.now() }
  }

  it("tells an answer to its call, of several that ask the same at once", () => {
    const { monitor, now, pool } = follow()
    pool.tell(pickedEvent(now, a, 1), pickedEvent(now, a, 2), answeredEvent(now + 50, a, 50, 1))
    expect(monitor.attempts.map(({ outcome }) => outcome)).toEqual(["ok", "open"])
    pool.tell(answeredEvent(now + 90, a, 90, 2))
    expect(monitor.attempts.map(({ end, outcome }) => [end, outcome])).toEqual([
      [now + 50, "ok"],
      [now + 90, "ok"]
    ])
  })

  it("keeps the ways of two calls that ask the same at once apart: one goes to a second node, one on to another", () => {
    const { monitor, now, pool } = follow()
    pool.tell(pickedEvent(now, a, 1), pickedEvent(now, a, 2))
    pool.tell(hedgedEvent(now + 20, a, 1), pickedEvent(now + 25, b, 2), pickedEvent(now + 26, b, 1))
    pool.tell(answeredEvent(now + 30, b, 4, 1), answeredEvent(now + 40, b, 15, 2))
    vi.advanceTimersByTime(500)
    const { calls, hedged: second, retried } = monitor.getSnapshot()
    expect([second, retried]).toEqual([1, 1])
    const waysOf = (id: number) =>
      calls.find((call) => call.id === id)?.attempts.map(({ outcome, url, kind }) => [url, kind, outcome])
    expect(waysOf(1)).toEqual([
      [a, "first", "lost"],
      [b, "hedge", "ok"]
    ])
    expect(waysOf(2)).toEqual([
      [a, "first", "failed"],
      [b, "retry", "ok"]
    ])
  })

  it("puts the second attempt of a slow call beside the first, and the slower one has lost", () => {
    const { monitor, now, pool } = follow()
    pool.tell(pickedEvent(now, a), hedgedEvent(now + 20, a), pickedEvent(now + 20, b))
    pool.tell(answeredEvent(now + 30, b, 10))
    vi.advanceTimersByTime(500)
    const { calls, hedged: second, retried } = monitor.getSnapshot()
    expect([second, retried]).toEqual([1, 0])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.attempts.map(({ outcome, url, kind }) => [url, kind, outcome])).toEqual([
      [a, "first", "lost"],
      [b, "hedge", "ok"]
    ])
  })

  it("tells since when no node has answered, until one does, or a check finds one well", () => {
    const { monitor, now, pool } = follow()
    const exhausted = (type: "NORMAL" | "ARCHIVE"): PoolEvent => ({ _tag: "Exhausted", at: now, type })
    const since = () => {
      vi.advanceTimersByTime(500)
      return monitor.getSnapshot().silentSince
    }
    pool.tell(exhausted("ARCHIVE"))
    expect(since()).toBeUndefined()
    pool.tell(exhausted("NORMAL"), { ...exhausted("NORMAL"), at: now + 9 })
    expect([since(), since()]).toEqual([now, now])
    pool.tell(answeredEvent(now + 600, a, 10))
    expect(since()).toBeUndefined()
    pool.tell(exhausted("NORMAL"))
    expect(since()).toBe(now)
    pool.checked({ lastBlock: 6 })
    expect(since()).toBeUndefined()
    pool.checked({ failed: true })
    expect(since()).toBe(Date.now())
    pool.checked({ failed: false, lastBlock: 7 })
    expect(since()).toBeUndefined()
  })

  it("takes no check for a new one that was made before the nodes failed", () => {
    const { monitor, pool } = follow()
    const since = () => {
      vi.advanceTimersByTime(500)
      return monitor.getSnapshot().silentSince
    }
    // between two looks they are found well, and then fail
    pool.checked({ failed: true, lastBlock: 6 })
    const silent = since()
    expect(silent).toBe(Date.now())
    // without eviction their flags are taken back as soon as all of them have failed
    pool.checked({ failed: false, lastBlock: 6 })
    expect(since()).toBe(silent)
    pool.checked({ failed: false, lastBlock: 7 })
    expect(since()).toBeUndefined()
  })

  it("knows a call that goes on at another node after its own has failed", () => {
    const { monitor, now, pool } = follow()
    pool.tell(pickedEvent(now, a), pickedEvent(now, a, 2, "eth_gasPrice"))
    pool.tell({ _tag: "Failed", at: now + 5, url: a, reason: "refused" }, pickedEvent(now + 5, b))
    pool.tell(answeredEvent(now + 9, b, 4), answeredEvent(now + 9, a, 9, 2))
    vi.advanceTimersByTime(500)
    const { calls, nodeEvents, numbers, retried } = monitor.getSnapshot()
    expect(retried).toBe(1)
    expect(nodeEvents.map(({ kind, text, url }) => [kind, url, text])).toEqual([["failed", a, "refused"]])
    expect(numbers.get(a)).toMatchObject({ ejections: 1, answered: 1 })
    expect(calls.find(({ call }) => call === "eth_call")?.attempts.map(({ outcome }) => outcome)).toEqual([
      "failed",
      "ok"
    ])
    // the other call was under way at the failed node, and was answered all the same
    expect(calls.find(({ call }) => call === "eth_gasPrice")?.attempts.map(({ outcome }) => outcome)).toEqual(
      ["ok"]
    )
  })

  it("tells its listeners twice a second at most, and keeps a bounded past", () => {
    const { monitor, now, pool, stop } = follow()
    let notifications = 0
    monitor.subscribe(() => {
      notifications++
    })
    for (let i = 0; i < 5_000; i++) pool.tell(pickedEvent(now + i, a, i), answeredEvent(now + i, a, 1, i))
    vi.advanceTimersByTime(1_000)
    expect(notifications).toBeLessThanOrEqual(2)
    expect(notifications).toBeGreaterThan(0)
    expect(monitor.attempts.length).toBeLessThanOrEqual(800)
    expect(monitor.getSnapshot().answered).toBe(5_000)
    expect(monitor.getSnapshot().numbers.get(a)?.times.length).toBeLessThanOrEqual(90)
    stop()
    expect(pool.listeners.size).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("takes a call that comes later for a new one, and keeps those of two nodes when others have passed", () => {
    const { monitor, now, pool } = follow()
    pool.tell(
      pickedEvent(now, a),
      { _tag: "Failed", at: now + 5, url: a, reason: "refused" },
      pickedEvent(now + 6, b)
    )
    pool.tell(answeredEvent(now + 9, b, 3))
    pool.tell(pickedEvent(now + 10, a, 2, "eth_gasPrice"), {
      _tag: "Failed",
      at: now + 11,
      url: a,
      reason: "refused"
    })
    pool.tell(pickedEvent(now + 900, b, 3, "eth_gasPrice"), answeredEvent(now + 901, b, 1, 3))
    for (let i = 0; i < 1_000; i++)
      pool.tell(pickedEvent(now + 1_000 + i, b, 9 + i), answeredEvent(now + 1_000 + i, b, 0, 9 + i))
    vi.advanceTimersByTime(500)
    const { calls, multiAttemptCalls, retried } = monitor.getSnapshot()
    expect(retried).toBe(1)
    expect(calls.every(({ attempts }) => attempts.length === 1)).toBe(true)
    expect(
      multiAttemptCalls.map(({ attempts }) => attempts.map(({ outcome, url }) => [url, outcome]))
    ).toEqual([
      [
        [a, "failed"],
        [b, "ok"]
      ]
    ])
  })

  it("gives up on an attempt that nobody hears of any more", () => {
    const { monitor, now, pool } = follow()
    pool.tell(pickedEvent(now, a))
    vi.advanceTimersByTime(31_000)
    pool.tell(pickedEvent(Date.now(), b, 2, "eth_gasPrice"))
    vi.advanceTimersByTime(500)
    expect(monitor.attempts.map(({ outcome }) => outcome)).toEqual(["lost", "open"])
  })
})
