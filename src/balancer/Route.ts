/**
 * Where a call goes: to the node that it is pinned to, or to the one that the pool has for it, and then to the next one; under
 * a floor (`minBlock`) to a node that is at the block. A slow node gets a rival (`Hedge.ts`).
 *
 * A call asks no node twice, but for a pause after a server error and for a node that is not at the block yet.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { ResolvedConfig } from "../config/Config.js"
import { BlockNotReached, displayUrl, InvalidArgument, NoActiveNode } from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import { monotonic } from "../http/time.js"
import type { CallError, CallOptionsShape } from "../wire/Transport.js"
import { type CallContext, left, tooLate } from "./CallContext.js"
import type { Copies } from "./Copies.js"
import type { Health } from "./Health.js"
import type { HealthChecks } from "./HealthChecks.js"
import type { Hedging, Lane } from "./Hedge.js"
import type { Heights } from "./Height.js"
import { UNKNOWN_DELAY } from "./Latency.js"
import type { Member } from "./Member.js"
import type { Choice } from "./NodePool.js"
import type { Nodes } from "./Nodes.js"

/**
 * Makes an attempt, and what follows from it. `index` is -1 for a node that the pool has not chosen; `again` is how often the
 * node may be asked once more; `lane` is where the call has gone meanwhile, tired of waiting.
 *
 * @since 0.1.0
 * @category models
 */
export type Send = <A>(
  context: CallContext<A>,
  member: Member,
  index: number,
  again: number,
  lane?: Lane
) => Effect.Effect<A, CallError>

/**
 * The ways of a client's calls. `next` leaves the node at `left`; `isSecond` is a rival, while the first is still waited for.
 *
 * @since 0.1.0
 * @category models
 */
export interface Route {
  readonly start: <A>(context: CallContext<A>, options: CallOptionsShape) => Effect.Effect<A, CallError>
  readonly next: <A>(
    context: CallContext<A>,
    left?: number,
    isSecond?: boolean
  ) => Effect.Effect<A, CallError>
  readonly pinnedTo: <A>(context: CallContext<A>, member: Member) => Effect.Effect<A, CallError>
}

type ChosenNode = Choice & { readonly _tag: "node" }

/** A node of the wanted type that the call has not asked, and that has failed by being slow. */
const lastResort = (nodes: Nodes, { floor = -1, tried, wanted }: CallContext<unknown>): Member | undefined =>
  nodes
    .members()
    .find(
      ({ index, slow }) =>
        slow &&
        nodes.hasFailed(index) &&
        nodes.isAt(index, floor) &&
        !tried.has(index) &&
        nodes.typeOf(index) === wanted
    )

/** The nodes that the call may go to beside the one that was chosen. */
const othersOf = (nodes: Nodes, { tried }: CallContext<unknown>, chosen: ChosenNode): ReadonlyArray<Member> =>
  nodes.members().filter(({ index }) => {
    const node = nodes.state().nodes[index]
    return (
      !chosen.trial &&
      index !== chosen.index &&
      !tried.has(index) &&
      node?.type === chosen.type &&
      !node.failed
    )
  })

/** Asks until one of these nodes is at the block, or none of them answers. */
const arrival = (
  heights: Pick<Heights, "reach">,
  context: CallContext<unknown>,
  asked: ReadonlyArray<Member>,
  block: number
) =>
  Effect.timeoutFail(heights.reach(asked, block), {
    duration: Math.max(0, left(context)),
    onTimeout: () => {
      const best = asked.reduce((a, b) => (b.height > a.height ? b : a))
      const height = best.height < 0 ? undefined : best.height
      const { call, timeout } = context
      return new BlockNotReached({ call: call.label, minBlock: block, height, url: best.url, timeout })
    }
  })

interface Needs {
  readonly config: ResolvedConfig
  /** Sends copies of calls to nodes that have failed, where nodes are not probed. */
  readonly copies: Pick<Copies, "beside"> | undefined
  readonly health: Pick<Health, "exhausted">
  readonly heights: Pick<Heights, "reach">
  readonly hedging: Hedging | undefined
  /** Whether nodes can be asked for their height. */
  readonly isProbed: boolean
  readonly nodes: Nodes
  /** Asks whether a node of a pool is back of which all have failed. */
  readonly revive: Effect.Effect<void> | undefined
  readonly healthChecks: Pick<HealthChecks, "isAwaited" | "known">
  readonly send: Send
}

/**
 * Routes over `nodes`, whose attempts are made by `send`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Route => {
  const { config, copies, health, heights, hedging, isProbed, nodes, revive, healthChecks, send } = needs
  const { retryCount, selection } = config

  /** The first attempt at a node, and a second one at another when this one takes longer than calls do. */
  const begin = <A>(context: CallContext<A>, member: Member): Effect.Effect<A, CallError> =>
    hedging === undefined || context.call.repeat !== "read" || nodes.isAlone()
      ? send(context, member, member.index, retryCount)
      : hedging.race(context, member, {
          first: (lane) => send(context, member, member.index, retryCount, lane),
          second: () => next(context, member.index, true)
        })

  const pinnedTo: Route["pinnedTo"] = (context, member) => {
    const sent = Effect.suspend(() => send(context, member, -1, retryCount))
    return context.floor === undefined
      ? sent
      : Effect.zipRight(arrival(heights, context, [member], context.floor), sent)
  }

  const pinned = <A>(context: CallContext<A>, url: string): Effect.Effect<A, CallError> => {
    const member = nodes.members().find((each) => each.url === url)
    if (member !== undefined) return pinnedTo(context, member)
    const reason = `the pinned node ${displayUrl(url)} is not in the pool`
    return Effect.fail(
      new NoActiveNode({ network: config.network, type: context.wanted, manual: false, reason })
    )
  }

  /** A call for an archive node that only other nodes have refused: they know less, and say nothing of the request. */
  const unproven = (context: CallContext<unknown>, error: CallError): CallError => {
    const isRefusal = error._tag === "RpcError" || error._tag === "RequestRejected"
    if (!isRefusal || context.wanted !== "ARCHIVE" || context.ownRefused || !nodes.has("ARCHIVE"))
      return error
    const { manual, network, reason, retryAfter, type } = nodes.noNode(
      "ARCHIVE",
      true,
      monotonic(context.clock)
    )
    const more = retryAfter === undefined ? {} : { retryAfter }
    return new NoActiveNode({ manual, network, reason, type, last: error, ...more })
  }

  /** Every node has been asked: one that has failed by being slow is better than none. */
  const exhausted = <A>(context: CallContext<A>, error: CallError): Effect.Effect<A, CallError> => {
    const resort = lastResort(nodes, context)
    if (resort !== undefined) {
      context.tried.add(resort.index)
      return send(context, resort, resort.index, 0)
    }
    if (!context.nodeFailed) return Effect.fail(unproven(context, error))
    const types = new Set([...context.tried].map((index) => nodes.typeOf(index) ?? context.wanted))
    return Effect.zipRight(
      Effect.forEach(types, health.exhausted, { discard: true }),
      left(context) <= 0 ? tooLate(context) : Effect.fail(unproven(context, error))
    )
  }

  /** No node is known to be at the block. One that does not answer is left to the call, which fails there as any does. */
  const arrive = <A>(context: CallContext<A>, member: Member, choice: ChosenNode, block: number) =>
    Effect.flatMap(
      arrival(heights, context, [member, ...othersOf(nodes, context, choice)], block),
      (found = member) => begin(context, found)
    )

  const next: Route["next"] = (context, from, isSecond = false) => {
    const { clock, floor, lastError, tried, wanted } = context
    if (from !== undefined) tried.add(from)
    if (floor !== undefined) {
      const member = nodes.among(context, (index) => nodes.isAt(index, floor))
      if (member !== undefined) return begin(context, member)
    }
    const [choice, state] = nodes.select(context, tried, monotonic(clock))
    // a second attempt says nothing yet of the node that is active
    if (!isSecond) nodes.update(() => state)
    if (choice._tag === "node") {
      const member = nodes.members()[choice.index]
      if (member !== undefined)
        return floor === undefined ? begin(context, member) : arrive(context, member, choice, floor)
    }
    if (choice._tag === "exhausted" && lastError !== undefined) return exhausted(context, lastError)
    return Effect.fail(nodes.noNode(wanted, choice._tag === "none" && choice.resting, monotonic(clock)))
  }

  /** A call for which no node is well asks all of them whether they are back, before it is sent to one that has failed. */
  const first = <A>(context: CallContext<A>): Effect.Effect<A, CallError> => {
    if (revive === undefined) return next(context)
    const [choice] = nodes.select(context, context.tried, monotonic(context.clock))
    const isOut = choice._tag === "node" ? choice.trial : choice._tag === "none" && choice.resting
    return isOut
      ? Effect.zipRight(
          Effect.raceFirst(revive, Effect.sleep(Math.max(0, left(context)))),
          Effect.suspend(() => (left(context) <= 0 ? tooLate(context) : next(context)))
        )
      : next(context)
  }

  const start: Route["start"] = (context, { node }) => {
    const { call, floor, timeout } = context
    if (floor !== undefined && !isProbed) {
      const reason = `minBlock: nodes of ${config.network} cannot be asked for their height`
      return Effect.fail(new InvalidArgument({ call: call.label, reason }))
    }
    const only = node ?? (typeof selection === "object" ? selection.node : undefined)
    if (only !== undefined) return pinned(context, withoutTail(only, "/"))
    if (call.gateway && config.nodes === undefined) return pinnedTo(context, nodes.gateway)
    if (!healthChecks.isAwaited() || call.path !== "") {
      return copies === undefined ? first(context) : Effect.zipRight(copies.beside(context), first(context))
    }
    return Effect.zipRight(
      Effect.raceFirst(healthChecks.known, Effect.sleep(Math.min(UNKNOWN_DELAY, timeout))),
      Effect.suspend(() => first(context))
    )
  }

  return { start, next, pinnedTo }
}
