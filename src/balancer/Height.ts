/**
 * How high nodes are, for reads that are not to go back behind a block. Requests have turns: of two requests the later one
 * has the higher turn, and what it tells is newer, whatever the clock says.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/time.js"
import { shared, untilOver } from "./Background.js"
import { type Member, told } from "./Member.js"
import { PROBE_TIMEOUT } from "./NodeList.js"
import type { Checked } from "./NodePool.js"

/** The pause before a node that is not there yet is asked again, in milliseconds: from 0.1 s to 1 s, jittered. */
const pauseAt = (count: number, random: number): number =>
  Math.min(1_000, 100 * 1.5 ** Math.min(count, 6)) * (0.75 + random / 2)

/** Calls that wait for the same node share its answers for so long, in milliseconds. */
const RECENT = 50

/** How long a call waits for all answers before it looks at those that have come, in milliseconds. */
const PATIENCE = 100

/**
 * Asks nodes for their heights. `turn` is that of a request that begins now; `probe` asks anew, within `timeout` milliseconds
 * where that is given; `ask` shares the request with everybody who asks meanwhile; `confirm` yields what the node tells to a
 * request that was sent after a turn, and nothing if it does not answer; `reach` waits until one of the nodes is at a block,
 * and yields nothing if none of them answers. The first one is asked before the others are.
 *
 * @since 0.1.0
 * @category models
 */
export interface Heights {
  readonly turn: () => number
  readonly probe: (member: Member, timeout?: number) => Effect.Effect<Checked>
  readonly ask: (member: Member) => Effect.Effect<Checked>
  readonly confirm: (member: Member, since: number) => Effect.Effect<number | undefined>
  readonly reach: (members: ReadonlyArray<Member>, block: number) => Effect.Effect<Member | undefined>
}

/**
 * Asks by `probed`, in the scope: who gives up does not end it for others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  scope: Scope.Scope,
  random: () => number,
  probed: (member: Member, timeout?: number) => Effect.Effect<Checked>
): Heights => {
  let last = 0
  const turn = (): number => ++last

  const probe = (member: Member, timeout?: number): Effect.Effect<Checked> =>
    Effect.suspend(() => {
      const asked = turn()
      return Effect.map(probed(member, timeout), (found) => {
        if (found !== "failed") told(member, found.height, asked)
        return found
      })
    })

  const ask = (member: Member): Effect.Effect<Checked> =>
    Effect.clockWith((clock) => {
      const running = member.asking
      if (running !== undefined) return Fiber.join(running)
      member.askedAt = monotonic(clock)
      const asked = Effect.map(probe(member, PROBE_TIMEOUT), (found) => {
        member.silent = found === "failed"
        return found
      })
      return shared(asked, scope, (fiber) => {
        member.asking = fiber
      })
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
    probe,
    ask,
    confirm,
    reach: (members, block) => {
      const found = (): Member | undefined => members.find(({ height }) => height >= block)
      let isFirst = true
      const look = Effect.clockWith((clock) => {
        const now = monotonic(clock)
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
        untilOver(look, (count) => pauseAt(count, random())),
        found
      )
    }
  }
}
