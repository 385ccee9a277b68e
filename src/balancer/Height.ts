/**
 * How high nodes are, for reads that are not to go back behind a block. Requests have turns: of two requests the later one
 * has the higher turn, and what it tells is newer, whatever the clock says.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { type Member, told } from "./Member.js"
import type { Checked } from "./NodePool.js"

/** The pause before a node that is not there yet is asked again, in milliseconds: from 0.1 s to 1 s, jittered. */
const pauseAt = (count: number, random: number): number =>
  Math.min(1_000, 100 * 1.5 ** Math.min(count, 6)) * (0.75 + random / 2)

/** Calls that wait for the same node share its answers for so long, in milliseconds. */
const RECENT = 50

/** How long a call waits for all answers before it looks at those that have come, in milliseconds. */
const PATIENCE = 100

/**
 * Asks nodes for their heights. `turn` is that of a request that begins now; `ask` shares the request with everybody who
 * asks meanwhile; `confirm` yields what the node tells to a request that was sent after a turn, and nothing if it does not
 * answer; `reach` waits until one of the nodes is at a block, and yields nothing if none of them answers. The first one is
 * asked before the others are.
 *
 * @since 0.1.0
 * @category models
 */
export interface Heights {
  readonly turn: () => number
  readonly ask: (member: Member) => Effect.Effect<Checked>
  readonly confirm: (member: Member, since: number) => Effect.Effect<number | undefined>
  readonly reach: (members: ReadonlyArray<Member>, block: number) => Effect.Effect<Member | undefined>
}

/**
 * Asks by `probe`, in the scope: who gives up does not end it for others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: {
  readonly scope: Scope.Scope
  readonly random: () => number
  readonly probe: (member: Member) => Effect.Effect<Checked>
}): Heights => {
  const { probe, random, scope } = options
  let last = 0
  const turn = (): number => ++last

  const ask = (member: Member): Effect.Effect<Checked> =>
    Effect.clockWith((clock) => {
      const running = member.asking
      if (running !== undefined) return Fiber.join(running)
      const at = turn()
      member.askedAt = clock.unsafeCurrentTimeMillis()
      return probe(member).pipe(
        Effect.tap((found) =>
          Effect.sync(() => {
            member.silent = found === "failed"
            if (found !== "failed") told(member, found.height, at)
          })
        ),
        Effect.ensuring(
          Effect.sync(() => {
            member.asking = undefined
          })
        ),
        Effect.forkIn(scope),
        Effect.tap((fiber) =>
          Effect.sync(() => {
            // it may be over already
            if (fiber.unsafePoll() === null) member.asking = fiber
          })
        ),
        Effect.flatMap(Fiber.join)
      )
    })

  const confirm = (member: Member, since: number): Effect.Effect<number | undefined> =>
    Effect.suspend(() => {
      // what is on its way was sent before
      const isNew = member.asking === undefined
      return Effect.flatMap(ask(member), () =>
        member.toldAt > since
          ? Effect.succeed(member.height)
          : isNew
            ? Effect.succeed(undefined)
            : confirm(member, since)
      )
    })

  return {
    turn,
    ask,
    confirm,
    reach: (members, block) => {
      const found = (): Member | undefined => members.find(({ height }) => height >= block)
      let isFirst = true
      const look = Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis()
        const asked = (isFirst ? members.slice(0, 1) : members).filter(
          ({ askedAt, asking }) => asking !== undefined || now - askedAt >= RECENT
        )
        return Effect.map(
          // who takes longer tells it to a later look
          Effect.raceFirst(
            Effect.forEach(asked, ask, { concurrency: "unbounded", discard: true }),
            Effect.sleep(PATIENCE)
          ),
          () => {
            const isOver = found() !== undefined || (!isFirst && members.every(({ silent }) => silent))
            isFirst = false
            return isOver
          }
        )
      })
      return Effect.map(
        Effect.repeat(look, {
          until: (isOver) => isOver,
          schedule: Schedule.addDelay(Schedule.forever, (count) => pauseAt(count, random()))
        }),
        found
      )
    }
  }
}
