/**
 * How high nodes are, for reads that are not to go back behind a block. Requests have turns: of two requests the later one
 * has the higher turn, and what it tells is newer, whatever the clock says.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/service.js"
import { type InFlight, repeatUntilTrue, shareInFlight } from "./Background.js"
import { PROBE_TIMEOUT } from "./NodeList.js"
import { isAt, type Node, recordHeight } from "./Nodes.js"
import type { ProbeOutcome } from "./Probe.js"

/** The pause before a node that is not there yet is asked again, in milliseconds: from 0.1 s to 1 s, jittered. */
const backOffAt = (count: number, random: number): number =>
  Math.min(1_000, 100 * 1.5 ** Math.min(count, 6)) * (0.75 + random / 2)

/** Calls that wait for the same node share its answers for so long, in milliseconds. */
const SHARED_FOR = 50

/** How long a call waits for all answers before it looks at those that have come, in milliseconds. */
const ANSWER_WAIT = 100

/**
 * Asks nodes for their heights.
 *
 * @since 0.1.0
 * @category models
 */
export interface Heights {
  /** The turn of a request that begins now. */
  readonly nextSequence: () => number
  /** Asks anew, within `timeout` milliseconds where that is given. */
  readonly probe: (node: Node, timeout?: number) => Effect.Effect<ProbeOutcome>
  /** Asks, and shares the request with everybody who asks meanwhile. */
  readonly probeShared: (node: Node) => Effect.Effect<ProbeOutcome>
  /** The height in the answer to a request that was sent after a turn; nothing if the node does not answer. */
  readonly confirmHeight: (node: Node, since: number) => Effect.Effect<number | undefined>
  /** Waits until one of the nodes is at a block. The first is asked before the others; nothing if none of them answers. */
  readonly waitForBlock: <N extends Node>(
    nodes: ReadonlyArray<N>,
    block: number
  ) => Effect.Effect<N | undefined>
}

/** When a node was last asked for all who wait, and whether that was for nothing. */
interface LastQuestion {
  readonly at: number
  readonly isSilent: boolean
}

interface Needs {
  readonly asked: Map<Node, LastQuestion>
  readonly asking: InFlight<Node, ProbeOutcome, never>
  readonly random: () => number
}

const confirmHeight = (needs: Needs, node: Node, since: number): Effect.Effect<number | undefined> =>
  Effect.suspend(() => {
    // a request that is on its way was sent before
    const isNew = !needs.asking.isRunning(node)
    return Effect.flatMap(needs.asking.run(node), () =>
      node.heightSequence > since
        ? Effect.succeed(node.height)
        : isNew
          ? Effect.succeed(undefined)
          : confirmHeight(needs, node, since)
    )
  })

const waitForBlock = <N extends Node>(
  needs: Needs,
  nodes: ReadonlyArray<N>,
  block: number
): Effect.Effect<N | undefined> => {
  const { asked, asking, random } = needs
  const found = (): N | undefined => nodes.find((node) => isAt(node, block))
  let isFirst = true
  const look = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const due = (isFirst ? nodes.slice(0, 1) : nodes).filter(
      (node) =>
        asking.isRunning(node) || now - (asked.get(node)?.at ?? Number.NEGATIVE_INFINITY) >= SHARED_FOR
    )
    return Effect.map(
      // a slower node tells it to a later look
      Effect.raceFirst(
        Effect.forEach(due, asking.run, { concurrency: "unbounded", discard: true }),
        Effect.sleep(ANSWER_WAIT)
      ),
      () => {
        const isOver =
          found() !== undefined || (!isFirst && nodes.every((node) => asked.get(node)?.isSilent === true))
        isFirst = false
        return isOver
      }
    )
  })
  const pauses = Schedule.modifyDelayEffect(Schedule.forever, (count) =>
    Effect.succeed(backOffAt(count, random()))
  )
  return Effect.map(repeatUntilTrue(look, pauses), found)
}

/**
 * Asks by `probed`, in the scope: a caller that gives up does not end it for others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  scope: Scope.Scope,
  random: () => number,
  probed: (node: Node, timeout?: number) => Effect.Effect<ProbeOutcome>
): Heights => {
  let last = 0
  const nextSequence = (): number => ++last

  const probe = (node: Node, timeout?: number): Effect.Effect<ProbeOutcome> =>
    Effect.suspend(() => {
      const own = nextSequence()
      return Effect.map(probed(node, timeout), (found) => {
        if (typeof found === "object") recordHeight(node, found.height, own)
        return found
      })
    })

  const asked = new Map<Node, LastQuestion>()
  const asking = shareInFlight(scope, (node: Node) =>
    Effect.clockWith((clock) => {
      const at = monotonic(clock)
      asked.set(node, { at, isSilent: asked.get(node)?.isSilent === true })
      return Effect.map(probe(node, PROBE_TIMEOUT), (found) => {
        asked.set(node, { at, isSilent: typeof found !== "object" })
        return found
      })
    })
  )
  const needs = { asked, asking, random }

  return {
    nextSequence,
    probe,
    probeShared: asking.run,
    confirmHeight: (node, since) => confirmHeight(needs, node, since),
    waitForBlock: (nodes, block) => waitForBlock(needs, nodes, block)
  }
}
