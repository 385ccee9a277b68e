/**
 * The block heights of nodes, for reads with `minBlock`. Requests have sequence numbers: the answer to the later request is the newer one,
 * whenever it comes.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { monotonic } from "../http/service.js"
import { type InFlight, repeatUntilTrue, shareInFlight } from "./Background.js"
import { PROBE_TIMEOUT } from "./NodeList.js"
import { hasReached, type Node, recordHeight } from "./Nodes.js"
import type { ProbeOutcome } from "./Probe.js"

/** The pause before a node that has not reached the block is asked again, in milliseconds: from 0.1 s to 1 s, with jitter. */
const backOffAt = (count: number, random: number): number =>
  Math.min(1_000, 100 * 1.5 ** Math.min(count, 6)) * (0.75 + random / 2)

/** How long calls that wait for the same node share an answer, in milliseconds. */
const SHARED_FOR = 50

/** How long a call waits for all nodes' answers before it uses those that have come, in milliseconds. */
const ANSWER_WAIT = 100

/**
 * Asks nodes for their heights.
 *
 * @since 0.1.0
 * @category models
 */
export interface Heights {
  /** The sequence number of a request that begins now. */
  readonly nextSequence: () => number
  /** Sends a new request, with a limit of `timeout` milliseconds if that is given. */
  readonly probe: (node: Node, timeout?: number) => Effect.Effect<ProbeOutcome>
  /** Sends a request, or joins one in flight. */
  readonly probeShared: (node: Node) => Effect.Effect<ProbeOutcome>
  /** The height from a request that was sent after the one with the number `since`; undefined if the node does not answer. */
  readonly confirmHeight: (node: Node, since: number) => Effect.Effect<number | undefined>
  /** Waits until one of the nodes has reached a block. It asks the first node first, then all; undefined if none of them answers. */
  readonly waitForBlock: <N extends Node>(
    nodes: ReadonlyArray<N>,
    block: number
  ) => Effect.Effect<N | undefined>
}

/** When a node was last asked, and whether it did not answer. */
interface LastProbe {
  readonly at: number
  readonly isSilent: boolean
}

interface Needs {
  readonly lastProbes: Map<Node, LastProbe>
  readonly sharedProbes: InFlight<Node, ProbeOutcome, never>
  readonly random: () => number
}

const confirmHeight = (needs: Needs, node: Node, since: number): Effect.Effect<number | undefined> =>
  Effect.suspend(() => {
    // a request in flight was sent before `since`
    const isNew = !needs.sharedProbes.isRunning(node)
    return Effect.flatMap(needs.sharedProbes.run(node), () =>
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
  const { lastProbes, sharedProbes, random } = needs
  const found = (): N | undefined => nodes.find((node) => hasReached(node, block))
  let isFirst = true
  const probeOnce = Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const due = (isFirst ? nodes.slice(0, 1) : nodes).filter(
      (node) =>
        sharedProbes.isRunning(node) ||
        now - (lastProbes.get(node)?.at ?? Number.NEGATIVE_INFINITY) >= SHARED_FOR
    )
    return Effect.map(
      // a slower answer counts in the next round
      Effect.raceFirst(
        Effect.forEach(due, sharedProbes.run, { concurrency: "unbounded", discard: true }),
        Effect.sleep(ANSWER_WAIT)
      ),
      () => {
        const isOver =
          found() !== undefined ||
          (!isFirst && nodes.every((node) => lastProbes.get(node)?.isSilent === true))
        isFirst = false
        return isOver
      }
    )
  })
  const pauses = Schedule.modifyDelayEffect(Schedule.forever, (count) =>
    Effect.succeed(backOffAt(count, random()))
  )
  return Effect.map(repeatUntilTrue(probeOnce, pauses), found)
}

/**
 * Makes the service over `sendProbe`. Shared requests run in the scope: a caller that gives up does not end them for others.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  scope: Scope.Scope,
  random: () => number,
  sendProbe: (node: Node, timeout?: number) => Effect.Effect<ProbeOutcome>
): Heights => {
  let last = 0
  const nextSequence = (): number => ++last

  const probe = (node: Node, timeout?: number): Effect.Effect<ProbeOutcome> =>
    Effect.suspend(() => {
      const own = nextSequence()
      return Effect.map(sendProbe(node, timeout), (found) => {
        if (typeof found === "object") recordHeight(node, found.height, own)
        return found
      })
    })

  const lastProbes = new Map<Node, LastProbe>()
  const sharedProbes = shareInFlight(scope, (node: Node) =>
    Effect.clockWith((clock) => {
      const at = monotonic(clock)
      lastProbes.set(node, { at, isSilent: lastProbes.get(node)?.isSilent === true })
      return Effect.map(probe(node, PROBE_TIMEOUT), (found) => {
        lastProbes.set(node, { at, isSilent: typeof found !== "object" })
        return found
      })
    })
  )
  const needs = { lastProbes, sharedProbes, random }

  return {
    nextSequence,
    probe,
    probeShared: sharedProbes.run,
    confirmHeight: (node, since) => confirmHeight(needs, node, since),
    waitForBlock: (nodes, block) => waitForBlock(needs, nodes, block)
  }
}
