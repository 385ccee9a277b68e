/**
 * One attempt of a call at one node: it yields an answer that may be believed, or why there is none. What follows from that
 * is the matter of `Failover.ts`.
 *
 * What a node tells of its height is compared with what it had told when the attempt began: an answer of a node that has
 * fallen back meanwhile is not believed. Under a floor (`minBlock`) a node is believed only when it has told its height after
 * its answer: it was there before, and has not fallen back.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../services/Config.js"
import type { Exchange } from "./Exchange.js"
import type { Heights } from "./Height.js"
import type { Latencies } from "./Latency.js"
import { answered, type Member, told } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import type { Run } from "./Run.js"
import { failureOf, type Refusal } from "./Verdict.js"

/**
 * An attempt: the node, and how it was when the attempt began at `start`, in milliseconds since 1970. `index` is -1 for a node
 * that the pool has not chosen; it ends after `limit` milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempt {
  readonly member: Member
  readonly index: number
  readonly start: number
  readonly limit: number
  /** What the member had of these at the start. */
  readonly failures: number
  readonly height: number
  readonly lapses: number
  /** The turn of its request (`Height.ts`). */
  readonly turn: number
}

/**
 * The attempts of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface Attempts {
  readonly begin: (member: Member, index: number, start: number, limit: number) => Attempt
  readonly send: <A>(attempt: Attempt, run: Run<A>) => Effect.Effect<A, Refusal>
  /** The node is well, unless it has failed others since. */
  readonly alive: (attempt: Attempt) => void
  /** With monotonic consistency: the highest block that a reader may have seen. */
  readonly seen: () => number | undefined
}

/** Calls in flight are counted where somebody chooses by them. */
const inFlight = <A, E>(member: Member, sent: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.ensuring(
    Effect.suspend(() => {
      member.inFlight++
      return sent
    }),
    Effect.sync(() => {
      member.inFlight--
    })
  )

/**
 * Attempts that send by `exchange`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: ResolvedConfig,
  exchange: Exchange,
  heights: Heights,
  latencies: Latencies,
  nodes: Nodes,
  observer: Observer
): Attempts => {
  let seen = config.consistency === "monotonic" ? 0 : undefined

  const alive = ({ failures, index, member }: Attempt): void => {
    if (member.failures === failures) nodes.update((state) => Pool.succeed(state, index))
  }

  const done = <A>(attempt: Attempt, { call, clock }: Run<A>, value: A): Effect.Effect<A> => {
    const { index, member, start } = attempt
    if (index !== -1) {
      const now = clock.unsafeCurrentTimeMillis()
      answered(member, now, start)
      latencies.add(now - start)
      if (observer.isHeard()) {
        observer.emit({ _tag: "Answered", url: member.shown, call: call.label, ms: now - start }, now)
      }
      alive(attempt)
    }
    observer.succeeded()
    return Effect.succeed(value)
  }

  const isFar = ({ height }: Attempt, at: number): boolean => at < height - config.allowedBlocksBehind

  /** It has told less than before. If that is far less, nothing that it answers meanwhile is believed. */
  const behind = (
    attempt: Attempt,
    { call, floor }: Run<unknown>,
    at: number
  ): Effect.Effect<never, Refusal> => {
    const { height, index, lapses, member } = attempt
    const far = isFar(attempt, at)
    const isNews = far && member.lapses === lapses
    if (isNews) member.lapses++
    const error = failureOf("behind", call.label, member, `the node has fallen from block ${height} to ${at}`)
    // a node that is a little behind, or the only one, is asked again when it is there
    const isOver = floor === undefined || (far && index !== -1 && !nodes.isAlone())
    return Effect.fail({ fault: isOver ? (isNews ? "node" : "elsewhere") : "behind", error })
  }

  /** What it has told last, after its answer, decides whether that is of the block. */
  const confirmed = <A>(
    attempt: Attempt,
    run: Run<A>,
    value: A,
    at: number | undefined,
    floor: number
  ): Effect.Effect<A, Refusal> => {
    const { height, member } = attempt
    if (at === undefined) {
      const error = failureOf("network", run.call.label, member, "the node does not tell its height")
      return Effect.fail({ fault: "node", error })
    }
    // nobody can say which block was read by one that has fallen meanwhile, however little
    if (height < floor || at < (seen === undefined ? floor : height)) return behind(attempt, run, at)
    if (seen !== undefined) seen = Math.max(seen, at)
    return done(attempt, run, value)
  }

  const believed = <A>(attempt: Attempt, run: Run<A>, value: A): Effect.Effect<A, Refusal> => {
    const { index, lapses, limit, member, start, turn } = attempt
    const { call, clock, floor } = run
    const found = Number(call.heightOf?.(value) ?? Number.NaN)
    const at = Number.isNaN(found) ? undefined : found
    if (at !== undefined) told(member, at, turn)
    if (index !== -1 && !nodes.isAlone() && call.repeat === "read") {
      const hasFallen = at === undefined ? member.lapses !== lapses : isFar(attempt, at)
      if (hasFallen) return behind(attempt, run, at ?? member.height)
    }
    if (floor === undefined) return done(attempt, run, value)
    // answers in a list may be of several heights
    if (at !== undefined && call.id !== undefined) return confirmed(attempt, run, value, at, floor)
    const last = Effect.raceFirst(
      heights.confirm(member, heights.turn()),
      Effect.as(Effect.sleep(Math.max(1, start + limit - clock.unsafeCurrentTimeMillis())), undefined)
    )
    return Effect.flatMap(last, (height) => confirmed(attempt, run, value, height, floor))
  }

  return {
    begin: (member, index, start, limit) => {
      const { failures, height, lapses } = member
      return { member, index, start, limit, failures, height, lapses, turn: heights.turn() }
    },
    send: (attempt, run) => {
      const { limit, member, start } = attempt
      const { call, clock } = run
      if (observer.isHeard()) {
        observer.emit({ _tag: "Picked", url: member.shown, type: run.wanted, call: call.label }, start)
      }
      const sent = exchange(member, call, start + limit, clock)
      return Effect.flatMap(nodes.countsCalls ? inFlight(member, sent) : sent, (value) =>
        believed(attempt, run, value)
      )
    },
    alive,
    seen: () => seen
  }
}
