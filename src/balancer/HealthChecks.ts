/**
 * Rounds of checks: all nodes at once, at the start and then regularly, for as long as calls come. They also ask for the
 * provider's node lists again where these gave nothing.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { type ResolvedConfig, usesNodeLists } from "../config/Config.js"
import type { LoggerService } from "../config/Logger.js"
import { behind, untilOver } from "./Background.js"
import type { ChainIdCheck } from "./ChainIdCheck.js"
import { type Health, isRegular } from "./Health.js"
import type { Heights } from "./Height.js"
import type { Member } from "./Member.js"
import * as Pool from "./NodePool.js"
import type { Nodes } from "./Nodes.js"

/** Pause between two requests for node lists that could not be fetched, where nodes are not checked regularly. */
const LIST_INTERVAL = 60_000

/** How many nodes are asked at the same time: each of them costs a socket. */
const AT_ONCE = 32

/**
 * The rounds of a client.
 *
 * @since 0.1.0
 * @category models
 */
export interface HealthChecks {
  /** One round now; it never fails. */
  readonly check: Effect.Effect<void>
  /** A call, of which the checks are told: they sleep while nobody calls. */
  readonly noted: <A, E>(call: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Whether calls wait for the first node that the first round finds well, since no node gets a call before its check. */
  readonly isAwaited: () => boolean
  /** The first round has found a node, or is over. */
  readonly known: Effect.Effect<void>
  /** Starts what the configuration asks for, as a fiber that ends with the scope. */
  readonly start: Effect.Effect<void>
}

/** `atOnce`: the node is asked for its height and its chain at the same time. */
const checkOf = (
  { probe }: Heights,
  { believe }: ChainIdCheck,
  member: Member,
  atOnce: boolean
): Effect.Effect<Pool.Checked> =>
  Effect.gen(function* () {
    const believing = yield* Effect.fork(atOnce ? believe(member, true) : Effect.succeed(true))
    const found = yield* probe(member)
    const trusted = yield* Fiber.join(believing)
    if (found === "failed") {
      member.verified = false
      member.slow = false
    }
    return found === "failed" || trusted === "failed" ? "failed" : yield* believe(member, found)
  })

/** Whether calls come. Those that do wake the checks: the first one after each round, should they sleep. */
const activity = Effect.map(Effect.makeLatch(false), (awake) => {
  let calls = 0
  // calls came in the last two rounds, or the checks wait for the next one
  let idle = 0
  return {
    noted: <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      calls++ === 0 ? Effect.zipRight(awake.open, call) : call,
    begun: awake.await,
    whileBusy: Effect.suspend(() => {
      idle = calls === 0 ? idle + 1 : 0
      calls = 0
      if (idle < 2) return Effect.void
      awake.unsafeClose()
      return Effect.map(awake.await, () => {
        idle = 0
        calls = 0
      })
    })
  }
})

interface Needs {
  readonly chainIdCheck: ChainIdCheck
  readonly config: ResolvedConfig
  readonly health: Health
  readonly heights: Heights
  /** Without it, nodes cannot be asked, and there are only lists to fetch. */
  readonly isProbed: boolean
  readonly logger: LoggerService
  readonly nodes: Nodes
  readonly scope: Scope.Scope
}

/**
 * The rounds over the nodes, of which none has begun.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (needs: Needs): Effect.Effect<HealthChecks> =>
  Effect.gen(function* () {
    const { chainIdCheck, config, health, heights, isProbed, logger, nodes, scope } = needs
    const { isAlone, members, state, update } = nodes
    const regular = isRegular(config)
    const { begun, noted, whileBusy } = yield* activity
    let isKnown = false
    const known = yield* Effect.makeLatch(false)
    const knows = Effect.suspend(() => {
      isKnown = true
      return known.open
    })
    const checkedFirst =
      !isAlone() &&
      isProbed &&
      !members().every(chainIdCheck.isTrusted) &&
      (regular || config.oneTimeLoadBalancing)
    const isAwaited = (): boolean => checkedFirst && !isKnown

    const checked = (member: Member, isFirst: boolean): Effect.Effect<Pool.Checked> =>
      Effect.flatMap(
        checkOf(heights, chainIdCheck, member, isFirst),
        (found): Effect.Effect<Pool.Checked> => {
          if (!isFirst || found === "failed") return Effect.succeed(found)
          update((pool) => Pool.found(pool, member.index, found))
          return Effect.as(knows, found)
        }
      )

    const check = Effect.gen(function* () {
      yield* nodes.refetch
      const asked = members()
      if (!isProbed || asked.length === 0) return
      const before = asked.map(({ failures }) => failures)
      const isFirst = isAwaited()
      const outcomes = yield* Effect.forEach(asked, (member) => checked(member, isFirst), {
        concurrency: AT_ONCE
      })
      // of a node that has failed since, while others were waited for, its answer says nothing any more
      const valid = outcomes.map((outcome, i) =>
        outcome === "failed" || asked[i]?.failures === before[i] ? outcome : undefined
      )
      const out = asked.map(({ index }) => nodes.hasFailed(index))
      update((pool) => Pool.checked(pool, valid))
      yield* Effect.forEach(asked, (member, i) => {
        const found = valid[i]
        return found === undefined ? Effect.void : health.checked(member, found, out[i] === true)
      })
      const more = asked.length > AT_ONCE ? ` and ${asked.length - AT_ONCE} more` : ""
      yield* logger.debug(() => `Checked nodes: ${JSON.stringify(nodes.snapshot().slice(0, AT_ONCE))}${more}`)
      if (state().noActiveNode) yield* logger.error("No active node found, please set node urls manually.")
    }).pipe(
      Effect.catchAllCause((cause) =>
        logger.error(`LoadBalancing failed to check statuses. Error: ${cause}`)
      ),
      Effect.ensuring(knows)
    )

    const pause = Number.isFinite(config.statusCheckInterval) ? config.statusCheckInterval : LIST_INTERVAL
    // without regular checks, rounds go on until there is a node list
    const step = Effect.map(Effect.zipRight(whileBusy, check), () => !regular && members().length > 0)
    const periodic = Effect.zipRight(
      begun,
      untilOver(step, () => pause)
    )

    const start = Effect.suspend(() => {
      const none = members().length === 0
      if (config.oneTimeLoadBalancing && !none) {
        // the provider balances only some networks from the start; elsewhere the user's own nodes are checked when used
        return behind(config.info.loadBalanced === true ? check : Effect.zipRight(begun, check), scope)
      }
      return (regular && !isAlone()) || (usesNodeLists(config) && none)
        ? behind(periodic, scope)
        : Effect.void
    })
    return { check, noted, isAwaited, known: known.await, start }
  })
