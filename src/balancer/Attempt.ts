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
import type { ResolvedConfig } from "../config/Config.js"
import { monotonic } from "../http/time.js"
import type { CallContext } from "./CallContext.js"
import type { Health } from "./Health.js"
import type { Heights } from "./Height.js"
import type { History } from "./History.js"
import type { Latencies } from "./Latency.js"
import { answered, type Member, told } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { NodeRequest } from "./NodeRequest.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import { failureOf, type Refusal } from "./Outcome.js"

/**
 * An attempt: the node, and how it was when the attempt began at `start` (`internal/time.ts`). `index` is -1 for a node
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
  readonly send: <A>(attempt: Attempt, context: CallContext<A>) => Effect.Effect<A, Refusal>
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

interface Needs {
  readonly config: ResolvedConfig
  readonly request: NodeRequest
  readonly health: Pick<Health, "refuted">
  readonly heights: Heights
  /** Whether a node holds a block: nothing, where it cannot be asked. */
  readonly history: History | undefined
  readonly latencies: Latencies
  readonly nodes: Nodes
  readonly observer: Observer
}

/**
 * Attempts that send by `request`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Attempts => {
  const { config, request, health, heights, history, latencies, nodes, observer } = needs
  let seen = config.consistency === "monotonic" ? 0 : undefined

  const alive = ({ failures, index, member }: Attempt): void => {
    if (member.failures === failures) nodes.update((state) => Pool.succeed(state, index))
  }

  const done = <A>(attempt: Attempt, context: CallContext<A>, value: A): Effect.Effect<A> => {
    const { call, clock, suspects } = context
    const { index, member, start } = attempt
    if (index !== -1) {
      const now = monotonic(clock)
      answered(member, now, start)
      latencies.add(now - start)
      if (observer.isHeard()) {
        observer.emit(
          { _tag: "Answered", url: member.shown, call: call.label, ms: now - start },
          clock.unsafeCurrentTimeMillis()
        )
      }
      alive(attempt)
    }
    observer.succeeded()
    if (suspects === undefined) return Effect.succeed(value)
    return Effect.as(health.refuted(suspects.filter((each) => each !== member)), value)
  }

  const isFar = ({ height }: Attempt, at: number): boolean => at < height - config.allowedBlocksBehind

  /** It has told less than before. If that is far less, nothing that it answers meanwhile is believed. */
  const behind = (
    attempt: Attempt,
    { call, floor }: CallContext<unknown>,
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
    context: CallContext<A>,
    value: A,
    at: number | undefined,
    floor: number
  ): Effect.Effect<A, Refusal> => {
    const { height, member } = attempt
    if (at === undefined) {
      const error = failureOf("network", context.call.label, member, "the node does not tell its height")
      return Effect.fail({ fault: "node", error })
    }
    // nobody can say which block was read by one that has fallen meanwhile, however little
    if (height < floor || at < (seen === undefined ? floor : height)) return behind(attempt, context, at)
    if (seen !== undefined) seen = Math.max(seen, at)
    return done(attempt, context, value)
  }

  /** A node of the other type that answers with nothing for a past block has to show that it holds that block. */
  const believed = <A>(attempt: Attempt, context: CallContext<A>, value: A): Effect.Effect<A, Refusal> => {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0)
    if (!isEmpty || history === undefined || context.call.past === undefined)
      return timely(attempt, context, value)
    if (context.wanted !== "ARCHIVE" || nodes.typeOf(attempt.index) !== "NORMAL" || !nodes.has("ARCHIVE"))
      return timely(attempt, context, value)
    return Effect.zipRight(
      history.shown(attempt.member, context),
      Effect.suspend(() => timely(attempt, context, value))
    )
  }

  /** What it tells of its height has to fit what it had told before. */
  const timely = <A>(attempt: Attempt, context: CallContext<A>, value: A): Effect.Effect<A, Refusal> => {
    const { index, lapses, limit, member, start, turn } = attempt
    const { call, clock, floor } = context
    const found = Number(call.heightOf?.(value) ?? Number.NaN)
    const at = Number.isNaN(found) ? undefined : found
    if (at !== undefined) told(member, at, turn)
    if (index !== -1 && !nodes.isAlone() && call.repeat === "read") {
      const hasFallen = at === undefined ? member.lapses !== lapses : isFar(attempt, at)
      if (hasFallen) return behind(attempt, context, at ?? member.height)
    }
    if (floor === undefined) return done(attempt, context, value)
    // answers in a list may be of several heights
    if (at !== undefined && call.id !== undefined) return confirmed(attempt, context, value, at, floor)
    const last = Effect.raceFirst(
      heights.confirm(member, heights.turn()),
      Effect.as(Effect.sleep(Math.max(1, start + limit - monotonic(clock))), undefined)
    )
    return Effect.flatMap(last, (height) => confirmed(attempt, context, value, height, floor))
  }

  return {
    begin: (member, index, start, limit) => {
      const { failures, height, lapses } = member
      return { member, index, start, limit, failures, height, lapses, turn: heights.turn() }
    },
    send: (attempt, context) => {
      const { limit, member, start } = attempt
      const { call, clock } = context
      if (observer.isHeard()) {
        const { wanted } = context
        const type = nodes.typeOf(attempt.index) ?? wanted
        observer.emit(
          { _tag: "Picked", url: member.shown, type, wanted, call: call.label },
          clock.unsafeCurrentTimeMillis()
        )
      }
      const sent = request(member, call, start + limit, clock)
      return Effect.flatMap(nodes.countsCalls ? inFlight(member, sent) : sent, (value) =>
        believed(attempt, context, value)
      )
    },
    alive,
    seen: () => seen
  }
}
