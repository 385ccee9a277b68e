/**
 * Aggregates a pool's events: attempts for the timeline, and numbers per node. It keeps a bounded history, and notifies its listeners at
 * most twice a second.
 */

import * as Effect from "effect/Effect"
import type { NodePoolView, NodeSnapshot } from "../../../src/balancer/NodePool.js"
import type { PoolEvent } from "../../../src/balancer/Observation.js"

/** The outcome of an attempt. `lost`: another attempt was faster, or the caller is gone. */
export type Outcome = "open" | "ok" | "failed" | "lost"

/** An attempt of a call at a node. Attempts of one call have the same `callId`. Times are in milliseconds since 1970. */
export interface Attempt {
  readonly id: number
  readonly callId: number
  readonly call: string
  readonly url: string
  readonly start: number
  readonly kind: "first" | "hedge" | "retry"
  end: number | undefined
  outcome: Outcome
}

/** A call: its attempts, in their order. */
export interface CallTrace {
  readonly id: number
  readonly call: string
  readonly attempts: ReadonlyArray<Attempt>
}

/** An event of a node. */
export interface NodeEvent {
  readonly id: number
  readonly at: number
  readonly kind: "failed" | "readmitted" | "cooled" | "exhausted"
  readonly url: string
  readonly text: string
}

/** The numbers of a node. `latencies` are the last ones in milliseconds, `times` theirs in seconds since 1970. */
export interface NodeNumbers {
  readonly times: ReadonlyArray<number>
  readonly latencies: ReadonlyArray<number>
  readonly ejections: number
  readonly answered: number
}

/** The state of a pool, for the page. */
export interface MonitorSnapshot {
  readonly nodes: ReadonlyArray<NodeSnapshot>
  readonly numbers: ReadonlyMap<string, NodeNumbers>
  readonly calls: ReadonlyArray<CallTrace>
  /** Calls with more than one attempt. They are kept longer than the others. */
  readonly multiAttemptCalls: ReadonlyArray<CallTrace>
  readonly nodeEvents: ReadonlyArray<NodeEvent>
  readonly answered: number
  readonly hedged: number
  readonly retried: number
  readonly exhausted: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  /** When the last node stopped answering, in milliseconds since 1970; undefined while one answers. */
  readonly silentSince: number | undefined
}

const EMPTY_SNAPSHOT: MonitorSnapshot = {
  nodes: [],
  numbers: new Map(),
  calls: [],
  multiAttemptCalls: [],
  nodeEvents: [],
  answered: 0,
  hedged: 0,
  retried: 0,
  exhausted: 0,
  p50: undefined,
  p95: undefined,
  silentSince: undefined
}

type EventOf<Tag> = Extract<PoolEvent, { readonly _tag: Tag }>

/** Enough for half a minute at twenty attempts per second. */
const MAX_ATTEMPTS = 800

const MAX_CALLS = 60

const MAX_SAMPLES = 90

/** The time between two snapshots, in milliseconds. */
const POLL_INTERVAL_MS = 500

/** An open attempt that is older has lost its caller: no attempt may last longer. */
const ATTEMPT_TIMEOUT_MS = 11_000

const percentile = (sorted: ReadonlyArray<number>, part: number): number | undefined =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]

/** Copies a call: its attempts still change, and a snapshot must not. */
const toCallTrace = (id: number, attempts: ReadonlyArray<Attempt>): CallTrace => ({
  id,
  call: attempts[0]?.call ?? "",
  attempts: attempts.map((attempt) => ({ ...attempt }))
})

/** Collects the events of a pool. */
export class Monitor {
  /** The attempts, oldest first. The timeline draws them live. */
  readonly attempts: Array<Attempt> = []
  readonly nodeEvents: Array<NodeEvent> = []
  private readonly numbers = new Map<
    string,
    { times: Array<number>; latencies: Array<number>; ejections: number; answered: number }
  >()
  private readonly recentLatencies: Array<number> = []
  private readonly listeners = new Set<() => void>()
  /** Ids of hedged calls whose second attempt has not been reported yet. */
  private readonly hedges = new Set<number>()
  /** The last calls with more than one attempt, oldest first. They outlive the others. */
  private multiAttemptCalls: ReadonlyArray<ReadonlyArray<Attempt>> = []
  private counts = { answered: 0, hedged: 0, retried: 0, exhausted: 0 }
  private lastChecks = new Map<string, string>()
  private ids = 0
  private snapshot: MonitorSnapshot = EMPTY_SNAPSHOT
  private isDirty = false
  private silentSince: number | undefined

  /** Follows a pool. Returns the function that stops it. */
  follow(pool: NodePoolView): () => void {
    const stop = pool.listen((event) => this.handleEvent(event))
    const look = () => {
      const nodes = Effect.runSync(pool.snapshot)
      this.recordChecks(nodes)
      if (!this.isDirty && !this.hasChanged(nodes)) return
      this.isDirty = false
      this.updateSnapshot(nodes)
    }
    look()
    const timer = setInterval(look, POLL_INTERVAL_MS)
    return () => {
      clearInterval(timer)
      stop()
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  readonly getSnapshot = (): MonitorSnapshot => this.snapshot

  private numbersOf(url: string) {
    const known = this.numbers.get(url)
    if (known !== undefined) return known
    const fresh = { times: [], latencies: [], ejections: 0, answered: 0 }
    this.numbers.set(url, fresh)
    return fresh
  }

  private addSample(url: string, at: number, ms: number): void {
    const { latencies, times } = this.numbersOf(url)
    // a chart of a minute needs at most three points per second
    const last = times.at(-1) ?? 0
    if (at / 1_000 - last < 0.3) {
      latencies[latencies.length - 1] = Math.max(latencies.at(-1) ?? 0, ms)
      return
    }
    times.push(at / 1_000)
    latencies.push(ms)
    if (times.length > MAX_SAMPLES) {
      times.shift()
      latencies.shift()
    }
  }

  /** Samples the latencies of health checks: a node without calls has no others. */
  private recordChecks(nodes: ReadonlyArray<NodeSnapshot>): void {
    for (const { failed, lastBlock, lastResponseTime, url } of nodes) {
      const check = `${lastBlock}/${lastResponseTime}`
      if (lastBlock <= 0 || this.lastChecks.get(url) === check) continue
      this.lastChecks.set(url, check)
      // it was made before the node failed
      if (failed) continue
      this.silentSince = undefined
      this.addSample(url, Date.now(), lastResponseTime)
      this.isDirty = true
    }
  }

  private hasChanged(nodes: ReadonlyArray<NodeSnapshot>): boolean {
    return (
      nodes.length !== this.snapshot.nodes.length ||
      nodes.some((node, i) => {
        const before = this.snapshot.nodes[i]
        return (
          before === undefined ||
          before.active !== node.active ||
          before.failed !== node.failed ||
          before.lastBlock !== node.lastBlock
        )
      })
    )
  }

  private addNodeEvent(at: number, kind: NodeEvent["kind"], url: string, text: string): void {
    this.nodeEvents.push({ id: ++this.ids, at, kind, url, text })
    if (this.nodeEvents.length > 100) this.nodeEvents.shift()
  }

  private handleEvent(event: PoolEvent): void {
    this.isDirty = true
    switch (event._tag) {
      case "Attempted":
        this.recordAttempted(event)
        break
      case "Answered":
        this.answered(event)
        break
      case "Hedged":
        this.counts.hedged++
        this.hedges.add(event.id)
        break
      case "Failed":
        this.failed(event.at, event.url, event.reason)
        break
      case "Cooled":
        this.addNodeEvent(event.at, "cooled", event.url, `left alone for ${event.ms} ms, as it has asked for`)
        break
      case "Readmitted":
        this.silentSince = undefined
        this.addNodeEvent(event.at, "readmitted", event.url, `well again at block ${event.height}`)
        break
      case "Exhausted":
        this.counts.exhausted++
        // the normal nodes still answer when all archive nodes have failed
        if (event.type === "NORMAL") this.silentSince ??= event.at
        this.addNodeEvent(
          event.at,
          "exhausted",
          "",
          `all ${event.type.toLowerCase()} nodes have failed a call`
        )
        break
      case "Subscribed":
        // the event is no news of a node
        break
    }
  }

  private failed(at: number, url: string, reason: string): void {
    this.numbersOf(url).ejections++
    this.addNodeEvent(at, "failed", url, reason)
  }

  private recordAttempted({ at, call, id, url }: EventOf<"Attempted">): void {
    const before = this.attempts.findLast((each) => each.callId === id)
    const kind = before === undefined ? "first" : this.hedges.delete(id) ? "hedge" : "retry"
    if (before !== undefined && kind === "retry") {
      this.counts.retried++
      // a retry means that every open attempt of the call has failed
      for (const each of this.attempts) {
        if (each.callId !== id || each.outcome !== "open") continue
        each.outcome = "failed"
        each.end = at
      }
    }
    const attempt: Attempt = {
      id: ++this.ids,
      callId: id,
      call,
      url,
      start: at,
      kind,
      end: undefined,
      outcome: "open"
    }
    this.attempts.push(attempt)
    if (before !== undefined) {
      const known = this.multiAttemptCalls.find(([first]) => first?.callId === id) ?? [before]
      const others = this.multiAttemptCalls.filter((each) => each !== known)
      this.multiAttemptCalls = [...others, [...known, attempt]].slice(-MAX_CALLS)
    }
    if (this.attempts.length > MAX_ATTEMPTS) this.attempts.splice(0, 100)
  }

  private answered({ at, id, ms, url }: EventOf<"Answered">): void {
    this.counts.answered++
    this.silentSince = undefined
    this.numbersOf(url).answered++
    this.addSample(url, at, ms)
    this.recentLatencies.push(ms)
    if (this.recentLatencies.length > 200) this.recentLatencies.shift()
    this.hedges.delete(id)
    const own = this.attempts.filter((each) => each.callId === id)
    const found = own.findLast((each) => each.url === url)
    if (found === undefined) return
    found.outcome = "ok"
    found.end = at
    // the first answer wins, and the open attempts of the call have lost
    for (const each of own) {
      if (each.outcome !== "open") continue
      each.outcome = "lost"
      each.end = at
    }
  }

  private updateSnapshot(nodes: ReadonlyArray<NodeSnapshot>): void {
    const now = Date.now()
    if (nodes.length > 0 && nodes.every(({ failed }) => failed)) this.silentSince ??= now
    for (const each of this.attempts) {
      if (each.outcome !== "open" || now - each.start < ATTEMPT_TIMEOUT_MS) continue
      each.outcome = "lost"
      each.end = each.start + ATTEMPT_TIMEOUT_MS
    }
    const calls = new Map<number, Array<Attempt>>()
    for (let i = this.attempts.length - 1; i >= 0 && calls.size < MAX_CALLS; i--) {
      const attempt = this.attempts[i]
      if (attempt === undefined) break
      const known = calls.get(attempt.callId)
      if (known === undefined) calls.set(attempt.callId, [attempt])
      else known.unshift(attempt)
    }
    const sorted = [...this.recentLatencies].sort((a, b) => a - b)
    this.snapshot = {
      nodes,
      numbers: new Map(
        [...this.numbers].map(([url, { answered, ejections, latencies, times }]) => [
          url,
          { answered, ejections, latencies: [...latencies], times: [...times] }
        ])
      ),
      calls: [...calls].map(([id, attempts]) => toCallTrace(id, attempts)),
      multiAttemptCalls: this.multiAttemptCalls
        .map((attempts) => toCallTrace(attempts[0]?.callId ?? 0, attempts))
        .reverse(),
      nodeEvents: [...this.nodeEvents].reverse(),
      ...this.counts,
      p50: percentile(sorted, 0.5),
      p95: percentile(sorted, 0.95),
      silentSince: this.silentSince
    }
    for (const listener of this.listeners) listener()
  }
}
