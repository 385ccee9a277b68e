/**
 * The sum of a pool's events: attempts as bars, and numbers per node. It keeps a bounded past and tells its
 * listeners a few times a second at most, however many events come.
 */

import * as Effect from "effect/Effect"
import type { NodePoolView, NodeSnapshot } from "../../../src/balancer/NodePool.js"
import type { PoolEvent } from "../../../src/balancer/Observation.js"

/** The outcome of an attempt. `lost` is one that another was faster than, or whose caller has gone. */
export type Outcome = "open" | "ok" | "failed" | "lost"

/** An attempt of a call at a node. Those of one call share its number; times are in milliseconds since 1970. */
export interface Attempt {
  readonly id: number
  readonly callId: number
  readonly call: string
  readonly url: string
  readonly start: number
  readonly why: "first" | "hedge" | "retry"
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
export interface Mark {
  readonly id: number
  readonly at: number
  readonly kind: "failed" | "readmitted" | "cooled" | "exhausted"
  readonly url: string
  readonly text: string
}

/** The numbers of a node. Samples are the last latencies: seconds since 1970 and milliseconds. */
export interface NodeNumbers {
  readonly times: ReadonlyArray<number>
  readonly latencies: ReadonlyArray<number>
  readonly ejections: number
  readonly answered: number
}

/** A picture of a pool at a moment, for the page. */
export interface Picture {
  readonly nodes: ReadonlyArray<NodeSnapshot>
  readonly numbers: ReadonlyMap<string, NodeNumbers>
  readonly calls: ReadonlyArray<CallTrace>
  /** Calls of more than one attempt; they are kept for longer. */
  readonly notable: ReadonlyArray<CallTrace>
  readonly marks: ReadonlyArray<Mark>
  readonly answered: number
  readonly hedged: number
  readonly retried: number
  readonly exhausted: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  /** Since when no node has answered anything, in milliseconds since 1970; undefined while some do. */
  readonly silentSince: number | undefined
}

const EMPTY: Picture = {
  nodes: [],
  numbers: new Map(),
  calls: [],
  notable: [],
  marks: [],
  answered: 0,
  hedged: 0,
  retried: 0,
  exhausted: 0,
  p50: undefined,
  p95: undefined,
  silentSince: undefined
}

type Of<Tag> = Extract<PoolEvent, { readonly _tag: Tag }>

/** Attempts that are kept: half a minute of twenty a second. */
const KEPT = 800

const CALLS = 60

const SAMPLES = 90

/** Pause between two pictures, and between two looks at the pool, in milliseconds. */
const PAUSE = 500

/** An attempt that has not been heard of for so long has no caller any more, in milliseconds: none may last longer. */
const STALE = 11_000

const share = (sorted: ReadonlyArray<number>, part: number): number | undefined =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]

/** A call as it is now: attempts go on changing, and a picture does not. */
const traceOf = (id: number, attempts: ReadonlyArray<Attempt>): CallTrace => ({
  id,
  call: attempts[0]?.call ?? "",
  attempts: attempts.map((attempt) => ({ ...attempt }))
})

/** Follows a pool. */
export class Monitor {
  /** The attempts, oldest first: the timeline draws them as they are now. */
  readonly attempts: Array<Attempt> = []
  readonly marks: Array<Mark> = []
  private readonly numbers = new Map<
    string,
    { times: Array<number>; latencies: Array<number>; ejections: number; answered: number }
  >()
  private readonly recent: Array<number> = []
  private readonly listeners = new Set<() => void>()
  /** Calls that go to a second node as well. */
  private readonly hedges = new Set<number>()
  /** The last calls of more than one attempt, oldest first: they outlive the others. */
  private notable: ReadonlyArray<ReadonlyArray<Attempt>> = []
  private counts = { answered: 0, hedged: 0, retried: 0, exhausted: 0 }
  private lastChecks = new Map<string, string>()
  private ids = 0
  private picture: Picture = EMPTY
  private dirty = false
  private silentSince: number | undefined

  /** Follows a pool until it is told to stop. */
  follow(pool: NodePoolView): () => void {
    const stop = pool.listen((event) => this.take(event))
    const look = () => {
      const nodes = Effect.runSync(pool.snapshot)
      this.checked(nodes)
      if (!this.dirty && !this.moved(nodes)) return
      this.dirty = false
      this.paint(nodes)
    }
    look()
    const timer = setInterval(look, PAUSE)
    return () => {
      clearInterval(timer)
      stop()
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  readonly current = (): Picture => this.picture

  private of(url: string) {
    const known = this.numbers.get(url)
    if (known !== undefined) return known
    const fresh = { times: [], latencies: [], ejections: 0, answered: 0 }
    this.numbers.set(url, fresh)
    return fresh
  }

  private sample(url: string, at: number, ms: number): void {
    const { latencies, times } = this.of(url)
    // a chart of a minute needs no more than a few points a second
    const last = times.at(-1) ?? 0
    if (at / 1_000 - last < 0.3) {
      latencies[latencies.length - 1] = Math.max(latencies.at(-1) ?? 0, ms)
      return
    }
    times.push(at / 1_000)
    latencies.push(ms)
    if (times.length > SAMPLES) {
      times.shift()
      latencies.shift()
    }
  }

  /** Nodes that get no calls are still checked, and those checks have latencies too. */
  private checked(nodes: ReadonlyArray<NodeSnapshot>): void {
    for (const { failed, lastBlock, lastResponseTime, url } of nodes) {
      const check = `${lastBlock}/${lastResponseTime}`
      if (lastBlock <= 0 || this.lastChecks.get(url) === check) continue
      this.lastChecks.set(url, check)
      // it was made before the node failed
      if (failed) continue
      this.silentSince = undefined
      this.sample(url, Date.now(), lastResponseTime)
      this.dirty = true
    }
  }

  private moved(nodes: ReadonlyArray<NodeSnapshot>): boolean {
    return (
      nodes.length !== this.picture.nodes.length ||
      nodes.some((node, i) => {
        const before = this.picture.nodes[i]
        return (
          before === undefined ||
          before.active !== node.active ||
          before.failed !== node.failed ||
          before.lastBlock !== node.lastBlock
        )
      })
    )
  }

  private mark(at: number, kind: Mark["kind"], url: string, text: string): void {
    this.marks.push({ id: ++this.ids, at, kind, url, text })
    if (this.marks.length > 100) this.marks.shift()
  }

  private take(event: PoolEvent): void {
    this.dirty = true
    switch (event._tag) {
      case "Picked":
        this.picked(event)
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
        this.mark(event.at, "cooled", event.url, `left alone for ${event.ms} ms, as it has asked for`)
        break
      case "Readmitted":
        this.silentSince = undefined
        this.mark(event.at, "readmitted", event.url, `well again at block ${event.height}`)
        break
      case "Exhausted":
        this.counts.exhausted++
        // an archive node more or less leaves the others
        if (event.type === "NORMAL") this.silentSince ??= event.at
        this.mark(event.at, "exhausted", "", `all ${event.type.toLowerCase()} nodes have failed a call`)
        break
      case "Subscribed":
        // the event is no news of a node
        break
    }
  }

  private failed(at: number, url: string, reason: string): void {
    this.of(url).ejections++
    this.mark(at, "failed", url, reason)
  }

  private picked({ at, call, id, url }: Of<"Picked">): void {
    const before = this.attempts.findLast((each) => each.callId === id)
    const why = before === undefined ? "first" : this.hedges.delete(id) ? "hedge" : "retry"
    if (before !== undefined && why === "retry") {
      this.counts.retried++
      // whichever of them was under way, the call has left it
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
      why,
      end: undefined,
      outcome: "open"
    }
    this.attempts.push(attempt)
    if (before !== undefined) {
      const known = this.notable.find(([first]) => first?.callId === id) ?? [before]
      const others = this.notable.filter((each) => each !== known)
      this.notable = [...others, [...known, attempt]].slice(-CALLS)
    }
    if (this.attempts.length > KEPT) this.attempts.splice(0, 100)
  }

  private answered({ at, id, ms, url }: Of<"Answered">): void {
    this.counts.answered++
    this.silentSince = undefined
    this.of(url).answered++
    this.sample(url, at, ms)
    this.recent.push(ms)
    if (this.recent.length > 200) this.recent.shift()
    this.hedges.delete(id)
    const own = this.attempts.filter((each) => each.callId === id)
    const found = own.findLast((each) => each.url === url)
    if (found === undefined) return
    found.outcome = "ok"
    found.end = at
    // the first answer is the call's: the other nodes that are still asked have lost
    for (const each of own) {
      if (each.outcome !== "open") continue
      each.outcome = "lost"
      each.end = at
    }
  }

  private paint(nodes: ReadonlyArray<NodeSnapshot>): void {
    const now = Date.now()
    if (nodes.length > 0 && nodes.every(({ failed }) => failed)) this.silentSince ??= now
    for (const each of this.attempts) {
      if (each.outcome !== "open" || now - each.start < STALE) continue
      each.outcome = "lost"
      each.end = each.start + STALE
    }
    const calls = new Map<number, Array<Attempt>>()
    for (let i = this.attempts.length - 1; i >= 0 && calls.size < CALLS; i--) {
      const attempt = this.attempts[i]
      if (attempt === undefined) break
      const known = calls.get(attempt.callId)
      if (known === undefined) calls.set(attempt.callId, [attempt])
      else known.unshift(attempt)
    }
    const sorted = [...this.recent].sort((a, b) => a - b)
    this.picture = {
      nodes,
      numbers: new Map(
        [...this.numbers].map(([url, { answered, ejections, latencies, times }]) => [
          url,
          { answered, ejections, latencies: [...latencies], times: [...times] }
        ])
      ),
      calls: [...calls].map(([id, attempts]) => traceOf(id, attempts)),
      notable: this.notable.map((attempts) => traceOf(attempts[0]?.callId ?? 0, attempts)).reverse(),
      marks: [...this.marks].reverse(),
      ...this.counts,
      p50: share(sorted, 0.5),
      p95: share(sorted, 0.95),
      silentSince: this.silentSince
    }
    for (const listener of this.listeners) listener()
  }
}
