/**
 * How failed nodes come back: each is asked again and again, on a back-off of its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { behind, untilOver } from "./Background.js"
import type { Heights } from "./Height.js"
import type { Latencies } from "./Latency.js"
import type { Member } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { Nodes } from "./Nodes.js"
import type { Observer } from "./Observation.js"
import type { Trust } from "./Trust.js"

/** The pause before a probe, in milliseconds: from 0.5 s on, to 30 s, jittered by a quarter. */
const pauseAt = (count: number, random: number): number =>
  Math.min(30_000, 500 * 1.1 ** Math.min(count, 43)) * (0.75 + random / 2)

/** Limits of a probe, in milliseconds and in times of what calls take: who takes longer is not back yet. */
const TIMEOUT = 500
const TIMES = 8

/** Without calls for so long (in milliseconds), failed nodes are left alone. */
const IDLE = 60_000

/**
 * The recovery of a pool's nodes. `called` is told of every call: without any for a minute failed nodes are left alone,
 * until the next one. `begin` starts the probes of a node, unless they run; `pause` (milliseconds) is when it wants to be
 * asked itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface Recovery {
  readonly called: (now: number) => void
  readonly begin: (member: Member, pause: number | undefined) => Effect.Effect<void>
}

/**
 * Makes the recovery of a pool: its fibers end with the scope.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  heights: Heights,
  latencies: Latencies,
  nodes: Nodes,
  observer: Observer,
  random: () => number,
  scope: Scope.Scope,
  trust: Trust
): Effect.Effect<Recovery> =>
  Effect.map(Effect.makeLatch(true), (busy) => {
    let lastCall = 0
    let idle = false
    const whileBusy = Effect.clockWith((clock) => {
      if (clock.unsafeCurrentTimeMillis() - lastCall <= IDLE) return Effect.void
      idle = true
      busy.unsafeClose()
      return busy.await
    })

    /** Puts the node back, and yields whether that is the end: one that is well, but far behind, is asked again. */
    const admit = (member: Member, found: Exclude<Pool.Checked, "failed">) => {
      member.troubles = 0
      nodes.update((state) => Pool.readmit(state, member.index, found))
      return Pool.isInStep(nodes.state(), member.index)
        ? Effect.as(observer.happened({ _tag: "Readmitted", url: member.shown, height: found.height }), true)
        : Effect.succeed(false)
    }

    const trialOf = (member: Member): Effect.Effect<boolean> => {
      /** It answers, but what it knows is old: until that is over nobody would choose it. */
      let isLate = false
      const isOver = (): boolean => !nodes.hasFailed(member.index) && !isLate
      return Effect.gen(function* () {
        yield* whileBusy
        if (isOver()) return true
        const found = yield* heights.probe(member, Math.max(TIMEOUT, TIMES * (latencies.p95() ?? 0)))
        if (found === "failed") {
          member.slow = false
          return false
        }
        const believed = yield* trust.believe(member, found)
        if (believed === "failed") return false
        if (isOver()) return true
        isLate = !(yield* admit(member, believed))
        return !isLate
      })
    }
    return {
      called: (now) => {
        lastCall = now
        if (!idle) return
        idle = false
        busy.unsafeOpen()
      },
      begin: (member, pause) =>
        Effect.suspend(() => {
          if (member.recovering) return Effect.void
          member.recovering = true
          const back = Effect.zipRight(
            Effect.sleep(pause ?? pauseAt(0, random())),
            untilOver(trialOf(member), (count) => pauseAt(count + 1, random()))
          )
          const over = Effect.sync(() => {
            member.recovering = false
          })
          return behind(Effect.ensuring(back, over), scope)
        })
    }
  })
