/**
 * How failed nodes come back: each is asked again and again, on a back-off of its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/time.js"
import { behind, shared, untilOver } from "./Background.js"
import type { ChainIdCheck } from "./ChainIdCheck.js"
import type { Heights } from "./Height.js"
import type { Latencies } from "./Latency.js"
import type { Member } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"

/** The pause before a probe, in milliseconds: from 0.5 s on, to 30 s, jittered by a quarter. */
const pauseAt = (count: number, random: number): number =>
  Math.min(30_000, 500 * 1.1 ** Math.min(count, 43)) * (0.75 + random / 2)

/** Limits of a probe, in milliseconds and in times of what calls take: who takes longer is not back yet. */
const TIMEOUT = 500
const TIMES = 8

/** Without calls for so long (in milliseconds), failed nodes are left alone. */
const IDLE = 60_000

/** A node that is in doubt, and a pool that is out, are asked at most once in so long, in milliseconds. */
const AGAIN = 1_000

/**
 * The recovery of a pool's nodes. `called` is told of every call: without any for a minute failed nodes are left alone,
 * until the next one. `begin` starts the probes of a node, unless they run; `pause` (milliseconds) is when it wants to be
 * asked itself. `doubt` asks a node for its probe beside the calls, unless it was asked just now, and does what is to be done if it does
 * not answer. `revive` asks all failed nodes at once, until one is back; many calls share one such round.
 *
 * @since 0.1.0
 * @category models
 */
export interface Readmission {
  readonly called: (now: number) => void
  readonly begin: (member: Member, pause: number | undefined) => Effect.Effect<void>
  readonly doubt: (member: Member, unwell: Effect.Effect<void>) => Effect.Effect<void>
  readonly revive: Effect.Effect<void>
}

interface Needs {
  readonly heights: Heights
  readonly latencies: Latencies
  readonly nodes: Nodes
  readonly observer: Observer
  readonly random: () => number
  readonly scope: Scope.Scope
  readonly chainIdCheck: ChainIdCheck
}

/**
 * Makes the recovery of a pool: its fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Effect.Effect<Readmission> =>
  Effect.map(Effect.makeLatch(true), (busy) => {
    const { heights, latencies, nodes, observer, random, scope, chainIdCheck } = needs
    let lastCall = 0
    let idle = false
    const whileBusy = Effect.clockWith((clock) => {
      if (monotonic(clock) - lastCall <= IDLE) return Effect.void
      idle = true
      busy.unsafeClose()
      return busy.await
    })

    const probe = (member: Member) => heights.probe(member, Math.max(TIMEOUT, TIMES * (latencies.p95() ?? 0)))

    /** Puts the node back, and yields whether that is the end: one that is well, but far behind, is asked again. */
    const admit = (member: Member, found: Exclude<Pool.Checked, "failed">) => {
      member.troubles = 0
      nodes.update((state) => Pool.readmit(state, member.index, found))
      return Pool.isInStep(nodes.state(), member.index)
        ? Effect.as(observer.happened({ _tag: "Readmitted", url: member.shown, height: found.height }), true)
        : Effect.succeed(false)
    }

    /** Asks a failed node whether it is back. What it knows may be old: until that is over nobody would choose it. */
    const trial = (member: Member, isLate = false): Effect.Effect<boolean> => {
      const isOver = (): boolean => !nodes.hasFailed(member.index) && !isLate
      return Effect.gen(function* () {
        if (isOver()) return true
        const found = yield* probe(member)
        if (found === "failed") {
          member.slow = false
          return false
        }
        const believed = yield* chainIdCheck.believe(member, found)
        if (believed === "failed") return false
        return isOver() || (yield* admit(member, believed))
      })
    }

    const trials = (member: Member): Effect.Effect<void> => {
      let isLate = false
      const next = Effect.zipRight(
        whileBusy,
        Effect.suspend(() => {
          member.askedAgainAt = undefined
          return Effect.map(trial(member, isLate), (isBack) => {
            isLate = !isBack && !nodes.hasFailed(member.index)
            return isBack
          })
        })
      )
      return untilOver(next, (count) => pauseAt(count + 1, random()), member)
    }

    let revivedAt = Number.NEGATIVE_INFINITY
    let reviving: Fiber.Fiber<void> | undefined
    const revive: Effect.Effect<void> = Effect.clockWith((clock) => {
      if (reviving !== undefined) return Fiber.join(reviving)
      if (monotonic(clock) - revivedAt < AGAIN) return Effect.void
      revivedAt = monotonic(clock)
      const out = nodes.members().filter(({ index }) => nodes.hasFailed(index))
      // the first that is back ends the waiting for the others, which are asked on their own back-off
      const asked = Effect.forEach(
        out,
        (member) => Effect.flatMap(trial(member), (isBack) => (isBack ? Effect.fail(true) : Effect.void)),
        { concurrency: "unbounded", discard: true }
      )
      return shared(Effect.ignore(asked), scope, (fiber) => {
        reviving = fiber
      })
    })

    return {
      called: (now) => {
        lastCall = now
        if (!idle) return
        idle = false
        busy.unsafeOpen()
      },
      begin: (member, pause) =>
        Effect.clockWith((clock) => {
          if (member.recovering) return Effect.void
          member.recovering = true
          const first = pause ?? pauseAt(0, random())
          member.askedAgainAt = monotonic(clock) + first
          const over = Effect.sync(() => {
            member.recovering = false
            member.askedAgainAt = undefined
          })
          const back = Effect.zipRight(Effect.sleep(first), trials(member))
          return behind(Effect.ensuring(back, over), scope)
        }),
      doubt: (member, unwell) =>
        Effect.clockWith((clock) => {
          const now = monotonic(clock)
          if (now - member.suspectedAt < AGAIN || nodes.hasFailed(member.index)) return Effect.void
          member.suspectedAt = now
          return behind(
            Effect.flatMap(probe(member), (found) => (found === "failed" ? unwell : Effect.void)),
            scope
          )
        }),
      revive
    }
  })
