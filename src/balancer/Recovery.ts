/**
 * How failed nodes come back: each is asked again and again, on a back-off of its own.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { unreferenced } from "./Background.js"
import type { Member } from "./Member.js"
import type { Checked } from "./NodePool.js"

/** The pause before a probe, in milliseconds: from 0.5 s on, to 30 s, jittered by a quarter. */
const pauseAt = (count: number, random: number): number =>
  Math.min(30_000, 500 * 1.1 ** Math.min(count, 43)) * (0.75 + random / 2)

/** Limits of a probe, in milliseconds and in times of what calls take: who takes longer is not back yet. */
const TIMEOUT = 500
const TIMES = 8

/** Without calls for so long (in milliseconds), failed nodes are left alone. */
const IDLE = 60_000

/**
 * What recovery needs of the pool. `isOut` says whether the node still has to come back; `probe` asks it within so many
 * milliseconds, and yields what it has found of a node that serves the right chain; `admit` puts it back, and yields whether
 * that is the end: a node that is well, but far behind, is asked again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Patient {
  readonly isOut: () => boolean
  readonly probe: (timeout: number) => Effect.Effect<Checked>
  readonly admit: (found: Exclude<Checked, "failed">) => Effect.Effect<boolean>
}

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
  readonly begin: (member: Member, patient: Patient, pause: number | undefined) => Effect.Effect<void>
}

/**
 * Makes the recovery of a pool: its fibers end with the scope. `typical` is what calls take, in milliseconds.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly scope: Scope.Scope
  readonly random: () => number
  readonly typical: () => number | undefined
}): Effect.Effect<Recovery> =>
  Effect.map(Effect.makeLatch(true), (busy) => {
    const { random, scope, typical } = options
    let lastCall = 0
    let idle = false
    const whileBusy = Effect.clockWith((clock) => {
      if (clock.unsafeCurrentTimeMillis() - lastCall <= IDLE) return Effect.void
      idle = true
      busy.unsafeClose()
      return busy.await
    })
    const trialOf = (patient: Patient): Effect.Effect<boolean> => {
      /** It answers, but what it knows is old: until that is over nobody would choose it. */
      let isLate = false
      const isOver = (): boolean => !patient.isOut() && !isLate
      return Effect.gen(function* () {
        yield* whileBusy
        if (isOver()) return true
        const found = yield* patient.probe(Math.max(TIMEOUT, TIMES * (typical() ?? 0)))
        if (found === "failed") return false
        if (isOver()) return true
        isLate = !(yield* patient.admit(found))
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
      begin: (member, patient, pause) =>
        Effect.suspend(() => {
          if (member.recovering) return Effect.void
          member.recovering = true
          return Effect.sleep(pause ?? pauseAt(0, random())).pipe(
            Effect.zipRight(
              Effect.repeat(trialOf(patient), {
                until: (over) => over,
                schedule: Schedule.addDelay(Schedule.forever, (count) => pauseAt(count + 1, random()))
              })
            ),
            Effect.ensuring(
              Effect.sync(() => {
                member.recovering = false
              })
            ),
            unreferenced,
            Effect.forkIn(scope),
            Effect.asVoid
          )
        })
    }
  })
