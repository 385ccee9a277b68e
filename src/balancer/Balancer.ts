/**
 * Sends calls over the pool of nodes: picks a node, retries on others when it fails, and keeps the pool's picture of its
 * nodes fresh with scheduled checks. All fibers end with the scope.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MutableRef from "effect/MutableRef"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { PCGRandom } from "effect/Utils"
import { withoutSecrets } from "../internal/headers.js"
import { Http, type HttpFailure, type HttpResponse } from "../internal/http.js"
import { join } from "../internal/route.js"
import { isTestnet } from "../Network.js"
import {
  BlockNotReached,
  CallTimeout,
  displayUrl,
  InvalidArgument,
  NoActiveNode,
  NodeError
} from "../SdkError.js"
import {
  Config,
  gatewayNodeUrl,
  isProviderUrl,
  type ResolvedNode,
  usesNodeLists
} from "../services/Config.js"
import { Logger } from "../services/Logger.js"
import {
  type Call,
  type CallError,
  CallOptions,
  type CallOptionsShape,
  type Rejection,
  Transport,
  type TransportService
} from "../Transport.js"
import { unreferenced, type Waiting, watch } from "./Background.js"
import * as Budget from "./Budget.js"
import { Checks, type Probe as ProbeOf } from "./Family.js"
import * as Height from "./Height.js"
import * as Latency from "./Latency.js"
import { answered, type Member, make as makeMember, TROUBLES, told } from "./Member.js"
import { fetchLists, PROBE_TIMEOUT } from "./NodeList.js"
import * as Pool from "./NodePool.js"
import * as Observation from "./Observation.js"
import * as Probe from "./Probe.js"
import * as Recovery from "./Recovery.js"
import { policyOf } from "./Selection.js"
import { isAmbiguous, isServerError, pauseOf } from "./Verdict.js"

/**
 * A node as a dashboard shows it. `url` is as it may be printed.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodeSnapshot {
  readonly url: string
  readonly type: Pool.NodeType
  readonly active: boolean
  readonly failed: boolean
  readonly lastBlock: number
  readonly lastResponseTime: number
}

/**
 * The pool of a client: what it knows of its nodes, and a check at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodePoolService {
  /** The nodes as they are known now. */
  readonly snapshot: Effect.Effect<ReadonlyArray<NodeSnapshot>>
  /** Checks all nodes now; the periodic checks go on as they were. */
  readonly check: Effect.Effect<void>
  /** Tells what happens from now on; `NodePool.changes` of `effect-chains` is the same as a stream. */
  readonly listen: Observation.Listen
}

/**
 * The pool of the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class NodePool extends Context.Tag("effect-chains/balancer/NodePool")<NodePool, NodePoolService>() {}

/** Pause between two requests for node lists that could not be fetched, where nodes are not checked regularly. */
const LIST_INTERVAL = 60_000

const MALFORMED_OR_DOWN =
  "Looks like your request is malformed or all RPC nodes are down. Turn on verbose mode to see more details and check status pages."

/** The earliest second attempt where nothing was observed yet, and what is added to the percentile, in milliseconds. */
const UNKNOWN_DELAY = 1_000
const MARGIN = 10

/** How soon a call that waits looks again whether its node has been found to have failed, in milliseconds. */
const SOON = 10

/** The same for a call that waits to ask its node again. */
const LOOK = 100

/** An event before it has its time. */
type EventOf<E> = E extends { readonly at: number } ? Omit<E, "at"> : never

type ChosenNode = Pool.Choice & { readonly _tag: "node" }

/** A second attempt may be made so often at once, where there were only few calls before. */
const HEDGE_BURST = 10

/** The state of a call whose attempts go two ways: one waits at the first node, the other has moved on. */
interface Lane {
  moved: boolean
  waiting: boolean
  /** The first node is to be asked again after a pause. */
  pausing: boolean
  failure: CallError | undefined
}

/**
 * Starts the balancer of a client: nodes from the configuration or from the provider's lists, checks as a scoped fiber.
 * It never fails: nodes that cannot be reached are a matter of the calls.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  TransportService & NodePoolService & { readonly state: () => Pool.Pool },
  never,
  Config | Logger | Http | Checks | Scope.Scope
> = Effect.gen(function* () {
  const config = yield* Config
  const logger = yield* Logger
  const http = yield* Http
  const checks = yield* Checks
  const scope = yield* Effect.scope
  const remote = usesNodeLists(config)
  const probe = checks.probe?.(config.network, config.info)
  const chain = config.verifyChain ? checks.chain : undefined

  const memberOf = (node: ResolvedNode): Member =>
    makeMember(config, node, checks.restUrl?.(node.url) ?? node.url)

  const poolOf = (nodes: ReadonlyArray<ResolvedNode>) =>
    Effect.zipWith(Random.next, Random.next, (normal, archive) =>
      Pool.make(nodes, {
        allowedBlocksBehind: config.allowedBlocksBehind,
        evict: config.evictNodesOnFailure,
        random: (type) => (type === "NORMAL" ? normal : archive)
      })
    )

  const unkeyed = isTestnet(config.network) && config.apiKey[config.version] === undefined
  const gateway: ResolvedNode = {
    url: config.info.node ?? gatewayNodeUrl(config),
    type: "NORMAL",
    headers: {},
    sendApiKey: false
  }
  const configured = config.nodes ?? (remote ? yield* fetchLists(config, http, logger) : [gateway])
  const pool = MutableRef.make(yield* poolOf(configured))
  let members = configured.map(memberOf)
  const gatewayMember = memberOf(gateway)
  if (config.nodes?.length === 0) yield* logger.error("No RPC URLs provided")

  /** Calls since the last round, for the checks to sleep while nobody calls. */
  let calls = 0
  const awake = yield* Effect.makeLatch(false)
  /** The first round has found a node, or is over. */
  let isKnown = false
  const known = yield* Effect.makeLatch(false)
  const knows = Effect.suspend(() => {
    isKnown = true
    return known.open
  })
  const latencies = Latency.make()
  const { hedge, retryBudget } = config
  const hedges = hedge && Budget.make({ share: hedge.maxExtraLoad, burst: HEDGE_BURST })
  const retries =
    retryBudget === undefined
      ? Budget.unlimited
      : Budget.make({ share: retryBudget.ratio, burst: retryBudget.burst })
  const generator = new PCGRandom(yield* Random.nextInt)
  const random = (): number => generator.number()
  const heights = Height.make({
    scope,
    random,
    probe: (member) =>
      probe === undefined ? Effect.succeed("failed") : Probe.run(http, member, probe, PROBE_TIMEOUT)
  })
  /** With monotonic consistency: the highest block that a reader may have seen. */
  let seen = config.consistency === "monotonic" ? 0 : undefined
  const recovery = yield* Recovery.make({ scope, random, typical: latencies.p95 })
  const waiting = watch(scope)
  const policy = policyOf(config.selection)
  const pick: Pool.Preference | undefined =
    policy &&
    ((indices) => {
      const candidates = indices.flatMap((index) => {
        const member = members[index]
        return member === undefined ? [] : { index, ...member }
      })
      return policy(candidates, random)?.index ?? -1
    })

  const listeners = new Set<(event: Observation.PoolEvent) => void>()
  const pooled = Metric.tagged(Observation.events, "network", config.network)
  const counted = Metric.tagged(Observation.calls, "network", config.network)
  const succeeded = Observation.recorder(Observation.calls, { network: config.network, outcome: "ok" })
  const failed = ({ _tag }: CallError): Effect.Effect<void> =>
    Metric.increment(Metric.tagged(counted, "outcome", _tag))
  const emit = (event: EventOf<Observation.PoolEvent>, now: number): void => {
    for (const listener of listeners) {
      try {
        listener({ ...event, at: now })
      } catch {
        // it is the user's, and no call is to end for what goes wrong in it
      }
    }
  }
  /** What is rare enough to be counted one by one. */
  const happened = (event: EventOf<Observation.PoolEvent>): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      emit(event, clock.unsafeCurrentTimeMillis())
      return Metric.increment(Metric.tagged(pooled, "kind", event._tag))
    })

  const update = (change: (state: Pool.Pool) => Pool.Pool): void => {
    MutableRef.update(pool, change)
  }

  const verify = (member: Member): Effect.Effect<void, NodeError> =>
    Effect.suspend(() => {
      if (chain === undefined || member.verified) return Effect.void
      const running = member.verifying
      if (running !== undefined) return Fiber.join(running)
      // in the pool's scope, so that a caller who gives up does not end it for the others
      return Probe.verify(http, member, chain, config.info).pipe(
        Effect.onExit((exit) =>
          Effect.sync(() => {
            member.verified = exit._tag === "Success"
            member.verifying = undefined
          })
        ),
        Effect.forkIn(scope),
        Effect.tap((fiber) =>
          Effect.sync(() => {
            // it may be over already, and a failure that is over must not be kept
            if (fiber.unsafePoll() === null) member.verifying = fiber
          })
        ),
        Effect.flatMap(Fiber.join)
      )
    })

  const regular = Number.isFinite(config.statusCheckInterval) && !config.oneTimeLoadBalancing

  /** A node is asked for its chain before it gets a call, and the first round asks all of them: calls wait for the first answer. */
  const checkedFirst =
    members.length > 1 &&
    probe !== undefined &&
    chain !== undefined &&
    (regular || config.oneTimeLoadBalancing)

  const hasFailed = (index: number): boolean => MutableRef.get(pool).nodes[index]?.failed === true

  /** Waits for a pause to be over, and no longer than until others have found that the node has failed. */
  const untilOut = (index: number, ms: number): Effect.Effect<boolean> =>
    index === -1 || members.length < 2
      ? Effect.as(Effect.sleep(ms), false)
      : Effect.suspend(() =>
          hasFailed(index)
            ? Effect.succeed(true)
            : ms <= 0
              ? Effect.succeed(false)
              : Effect.zipRight(Effect.sleep(Math.min(LOOK, ms)), untilOut(index, ms - LOOK))
        )

  const probed = (member: Member, by: ProbeOf, timeout?: number): Effect.Effect<Pool.Checked> =>
    Effect.suspend(() => {
      const turn = heights.turn()
      return Effect.tap(Probe.run(http, member, by, timeout), (found) =>
        Effect.sync(() => found !== "failed" && told(member, found.height, turn))
      )
    })

  /** How a failed node comes back: where there are others, and checks at all. */
  const patientOf = (member: Member, index: number): Recovery.Patient | undefined =>
    probe === undefined || !regular || members.length < 2
      ? undefined
      : {
          isOut: () => hasFailed(index) && members[index] === member,
          probe: (timeout) =>
            Effect.flatMap(probed(member, probe, timeout), (found) =>
              found === "failed"
                ? Effect.sync((): Pool.Checked => {
                    member.slow = false
                    return "failed"
                  })
                : Effect.match(verify(member), {
                    onFailure: (): Pool.Checked => "failed",
                    onSuccess: () => found
                  })
            ),
          admit: (found) =>
            Effect.suspend(() => {
              member.troubles = 0
              update((state) => Pool.readmit(state, index, found))
              return Pool.isInStep(MutableRef.get(pool), index)
                ? Effect.as(
                    happened({ _tag: "Readmitted", url: displayUrl(member.url), height: found.height }),
                    true
                  )
                : Effect.succeed(false)
            })
        }

  const recover = (member: Member, index: number, pause?: number): Effect.Effect<void> => {
    const patient = patientOf(member, index)
    return patient === undefined ? Effect.void : recovery.begin(member, patient, pause)
  }

  /** `pause` (milliseconds) is when the node itself wants to be asked again. */
  const markFailed = (index: number, reason: string, pause?: number): Effect.Effect<void> => {
    const isNews = !hasFailed(index)
    update((state) => Pool.fail(state, index))
    const member = members[index]
    if (member === undefined) return Effect.void
    member.verified = false
    member.troubles = 0
    member.slow = false
    member.failures++
    const url = displayUrl(member.url)
    return logger
      .debug(() => `Switching to another server, marking ${url} as unstable.`)
      .pipe(
        Effect.zipRight(isNews ? happened({ _tag: "Failed", url, reason }) : Effect.void),
        Effect.zipRight(pause === undefined ? Effect.void : happened({ _tag: "Cooled", url, ms: pause })),
        Effect.zipRight(recover(member, index, pause))
      )
  }

  const refetch = Effect.gen(function* () {
    if (!remote || members.length > 0) return
    const nodes = yield* fetchLists(config, http, logger)
    members = nodes.map(memberOf)
    MutableRef.set(pool, yield* poolOf(nodes))
  })

  /** `atOnce`: the node is asked for its height and its chain at the same time. */
  const check = (member: Member, probe: ProbeOf, atOnce: boolean): Effect.Effect<Pool.Checked> =>
    Effect.gen(function* () {
      const verifying = yield* Effect.fork(atOnce ? verify(member) : Effect.void)
      const outcome = yield* probed(member, probe)
      const trusted = yield* Fiber.await(verifying)
      if (outcome === "failed") {
        member.verified = false
        member.slow = false
      }
      if (outcome === "failed" || Exit.isFailure(trusted)) return "failed"
      return yield* Effect.match(verify(member), {
        onFailure: (): Pool.Checked => "failed",
        onSuccess: () => outcome
      })
    })

  /** Calls wait for the first node that the first round finds well. */
  const checkFirst = (member: Member, index: number, probe: ProbeOf): Effect.Effect<Pool.Checked> =>
    Effect.tap(check(member, probe, true), (outcome) => {
      if (outcome === "failed" || members[index] !== member) return Effect.void
      update((state) => Pool.found(state, index, outcome))
      return knows
    })

  const round = Effect.gen(function* () {
    yield* refetch
    if (probe === undefined || members.length === 0) return
    const before = members.map(({ failures }) => failures)
    const isFirst = checkedFirst && !isKnown
    const outcomes = yield* Effect.forEach(
      members,
      (member, i) => (isFirst ? checkFirst(member, i, probe) : check(member, probe, false)),
      { concurrency: "unbounded" }
    )
    // of a node that has failed since, while others were waited for, its answer says nothing any more
    const valid = outcomes.map((outcome, i) =>
      outcome === "failed" || members[i]?.failures === before[i] ? outcome : undefined
    )
    update((state) => Pool.checked(state, valid))
    const state = MutableRef.get(pool)
    yield* Effect.forEach(members, (member, i) => (valid[i] === "failed" ? recover(member, i) : Effect.void))
    yield* logger.debug(() => `Checked nodes: ${JSON.stringify(snapshotOf(state))}`)
    if (state.noActiveNode) yield* logger.error("No active node found, please set node urls manually.")
  }).pipe(
    Effect.catchAllCause((cause) => logger.error(`LoadBalancing failed to check statuses. Error: ${cause}`)),
    Effect.ensuring(knows)
  )

  const pause = Number.isFinite(config.statusCheckInterval) ? config.statusCheckInterval : LIST_INTERVAL

  const periodic = Effect.gen(function* () {
    // calls came in the last two rounds, or the fiber waits here for the next one
    let idle = 0
    const step = Effect.gen(function* () {
      idle = calls === 0 ? idle + 1 : 0
      calls = 0
      if (idle >= 2) {
        awake.unsafeClose()
        yield* awake.await
        idle = 0
        calls = 0
      }
      yield* round
    })
    yield* awake.await
    // without regular checks, rounds go on until there is a node list
    yield* Effect.repeat(step, {
      schedule: Schedule.spaced(Duration.millis(pause)),
      while: () => regular || members.length === 0
    })
  })

  if (config.oneTimeLoadBalancing && members.length > 0) {
    // the provider balances only some networks from the start; elsewhere the user's own nodes are checked when used
    const start = config.info.loadBalanced === true ? Effect.void : awake.await
    yield* Effect.forkScoped(unreferenced(Effect.zipRight(start, round)))
  } else if ((regular && members.length > 1) || (remote && members.length === 0)) {
    yield* Effect.forkScoped(unreferenced(periodic))
  }

  const snapshotOf = (state: Pool.Pool): ReadonlyArray<NodeSnapshot> =>
    state.nodes.map((node, i) => ({
      url: displayUrl(node.url),
      type: node.type,
      active: state.active[node.type] === i,
      failed: node.failed,
      lastBlock: node.lastBlock,
      lastResponseTime: node.lastResponseTime
    }))

  const noNode = (type: Pool.NodeType, resting: boolean): NoActiveNode => {
    const { noActiveNode, nodes } = MutableRef.get(pool)
    return new NoActiveNode({
      network: config.network,
      type,
      manual: noActiveNode,
      reason: resting
        ? `all ${nodes.length} nodes have failed; the next call is let through after a back-off`
        : config.nodes?.length === 0
          ? "No RPC URLs provided: rpc.nodes is empty"
          : "the provider's node lists gave no usable node"
    })
  }

  const headersOf = (member: Member, call: Call<unknown>): Readonly<Record<string, string>> => {
    const own = call.body === undefined ? member.headers.GET : member.headers.POST
    return call.headers === undefined ? own : { ...own, ...call.headers }
  }

  /** The marker stands for the key that would have told the provider which network it is; to others it means nothing. */
  const urlOf = (member: Member, { marked = false, path }: Call<unknown>): string => {
    const url = path === "" ? member.url : join(member.rest, path)
    return marked && unkeyed && isProviderUrl(config, url)
      ? `${url}${url.includes("?") ? "&" : "?"}type=testnet`
      : url
  }

  /** Fails with a NodeError if the node is not trusted: then the call itself has not been sent. */
  const exchange = <A>(
    member: Member,
    call: Call<A>,
    until: number,
    clock: Clock.Clock
  ): Effect.Effect<readonly [Either.Either<A, Rejection>, number | undefined], HttpFailure | NodeError> => {
    const headers = headersOf(member, call)
    const answered = Effect.suspend(() =>
      Effect.map(
        http.send({
          method: call.verb,
          url: urlOf(member, call),
          headers,
          body: call.body,
          timeout: Math.max(1, until - clock.unsafeCurrentTimeMillis()),
          maxBytes: config.maxResponseBytes
        }),
        (response: HttpResponse) => {
          const { status, text } = response
          const outcome = call.decode({ status, text, url: member.url })
          if (Either.isRight(outcome)) return [outcome, undefined] as const
          const said = withoutSecrets(text, headers)
          const concealed = said === text ? outcome : call.decode({ status, text: said, url: member.url })
          return [concealed, pauseOf(response, outcome.left, clock)] as const
        }
      )
    )
    // REST routes of a JSON-RPC chain may be served by a program that knows nothing of chain ids
    if (chain === undefined || member.verified || call.path !== "") return answered
    const limit = until - clock.unsafeCurrentTimeMillis()
    return Effect.zipRight(
      Effect.timeoutFail(verify(member), {
        duration: limit,
        onTimeout: () =>
          new NodeError({
            kind: "timeout",
            call: "chain check",
            url: member.url,
            reason: `no answer within ${limit} ms`
          })
      }),
      answered
    )
  }

  const rejectionOf = (error: HttpFailure | NodeError, call: Call<unknown>, url: string): Rejection => ({
    fault: "node",
    error:
      error._tag === "NodeError"
        ? error
        : new NodeError({ kind: error.kind, call: call.label, url, reason: error.reason })
  })

  const selectFor = (wanted: Pool.NodeType, tried: ReadonlySet<number>, clock: Clock.Clock) =>
    Pool.select(MutableRef.get(pool), wanted, tried, clock.unsafeCurrentTimeMillis(), pick)

  /** Calls in flight are counted where somebody chooses by them. */
  const inFlight = <A, E>(member: Member, sent: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    pick === undefined
      ? sent
      : Effect.ensuring(
          Effect.suspend(() => {
            member.inFlight++
            return sent
          }),
          Effect.sync(() => {
            member.inFlight--
          })
        )

  const hedgeDelay = (): number => {
    const p95 = latencies.p95()
    return hedge?.delay ?? (p95 === undefined ? UNKNOWN_DELAY : p95 * 1.2 + MARGIN)
  }

  /** Somebody else was quicker, although later asked. When the node says nothing at all, others that wait count too. */
  const overtaken = (member: Member, index: number): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const isSilent = clock.unsafeCurrentTimeMillis() - member.answeredAt > hedgeDelay()
      member.troubles++
      return member.troubles + (isSilent ? member.overdue - 1 : 0) < TROUBLES
        ? Effect.void
        : Effect.zipLeft(
            markFailed(index, "other nodes answer sooner"),
            Effect.sync(() => {
              member.slow = true
            })
          )
    })

  /** One call: the loop over its attempts. The state that a call has of its own is in the closure. */
  const run = <A>(
    call: Call<A>,
    options: CallOptionsShape,
    clock: Clock.Clock
  ): Effect.Effect<A, CallError> => {
    const { patience = 0 } = call
    const timeout = options.timeout ?? Math.max(patience, config.timeout)
    const attemptTimeout = options.attemptTimeout ?? Math.max(patience, config.attemptTimeout)
    const deadline = clock.unsafeCurrentTimeMillis() + timeout
    const wanted: Pool.NodeType = call.archive ? "ARCHIVE" : "NORMAL"
    const tried = new Set<number>()
    /** The answer must be of a node that is at this block. */
    const floor =
      call.repeat === "read" && options.minBlock !== undefined ? Number(options.minBlock) : undefined
    const isThere = (index: number): boolean => (members[index]?.height ?? -1) >= (floor ?? -1)
    /** Whether an earlier attempt may have reached a node. */
    let delivered = false
    let lastError: Rejection["error"] | undefined
    let nodeFailed = false

    const tooLate = (): Effect.Effect<never, CallError> =>
      Effect.fail(
        new CallTimeout({
          call: call.label,
          timeout,
          ...(lastError === undefined ? {} : { last: lastError.message })
        })
      )

    /** What an attempt leads to. `lane` is where the call has gone meanwhile, if it was tired of waiting. */
    const attempt = (
      member: Member,
      index: number,
      again: number,
      lane?: Lane
    ): Effect.Effect<A, CallError> => {
      const start = clock.unsafeCurrentTimeMillis()
      const remaining = deadline - start
      if (remaining <= 0) return tooLate()
      const limit = Math.min(attemptTimeout, remaining)
      const { failures, height, lapses } = member
      const turn = heights.turn()
      const alive = (): void => {
        if (member.failures === failures) update((state) => Pool.succeed(state, index))
      }
      /** On to another node, unless the call is there already. */
      const moveOn = (left?: number): Effect.Effect<A, CallError> => {
        if (lane === undefined)
          return spendRetry() ? next(left) : Effect.fail(lastError ?? noNode(wanted, false))
        lane.waiting = false
        if (lane.failure !== undefined) return Effect.fail(lane.failure)
        if (lane.moved) return Effect.never
        lane.moved = true
        return spendRetry() ? next(left) : Effect.fail(lastError ?? noNode(wanted, false))
      }
      const rejected = (
        rejection: Rejection,
        unsent = false,
        pause?: number
      ): Effect.Effect<A, CallError> => {
        const { error } = rejection
        const accepted = call.accepted
        if (
          delivered &&
          accepted !== undefined &&
          error._tag !== "NodeError" &&
          accepted.known.test(error.message)
        ) {
          // where nobody can say what it stands for, the node's own answer stands
          return Effect.map(
            Effect.tryPromise({ try: () => accepted.result(error.message), catch: () => error }),
            (value) => {
              succeeded(1)
              return value
            }
          )
        }
        // a node that says what is wrong with the request is alive
        if (rejection.fault !== "node" && error._tag !== "RequestRejected") alive()
        if (rejection.fault === "caller") return Effect.fail(error)
        lastError = error
        if (!unsent && !(error._tag === "NodeError" && error.kind === "connect")) delivered = true
        const mayRepeat = call.repeat !== "write" || unsent || !isAmbiguous(error)
        if (rejection.fault === "elsewhere") return index === -1 ? Effect.fail(error) : moveOn(index)
        const wait = config.retryDelay
        if (
          isServerError(error) &&
          mayRepeat &&
          again > 0 &&
          lane?.moved !== true &&
          // when other calls have met the same, there is nothing to wait for
          (index === -1 || members.length < 2 || (!hasFailed(index) && ++member.troubles < TROUBLES)) &&
          deadline - clock.unsafeCurrentTimeMillis() > wait
        ) {
          if (lane !== undefined) lane.pausing = true
          return Effect.flatMap(untilOut(index, wait), (isOut) => {
            if (lane !== undefined) lane.pausing = false
            return isOut ? moveOn(index) : attempt(member, index, again - 1, lane)
          })
        }
        nodeFailed = true
        const timedOut = error._tag === "NodeError" && error.kind === "timeout"
        // timers may be a moment early, and in what is then left nothing can be answered
        const over = deadline - clock.unsafeCurrentTimeMillis() < (timedOut ? 10 : 1)
        if (index === -1) return over ? tooLate() : Effect.fail(error)
        // a node is not to blame for how little other nodes had left it of the call's time
        const blamed = !timedOut || limit * 2 >= Math.min(attemptTimeout, timeout)
        return Effect.zipRight(
          blamed ? Effect.suspend(() => markFailed(index, error.message, pause)) : Effect.void,
          mayRepeat ? Effect.suspend(() => (over ? tooLate() : moveOn(index))) : Effect.fail(error)
        )
      }
      if (listeners.size > 0)
        emit({ _tag: "Picked", url: displayUrl(member.url), type: wanted, call: call.label }, start)
      const isFar = (at: number): boolean => at < height - config.allowedBlocksBehind
      const failure = (kind: "behind" | "network", reason: string): NodeError =>
        new NodeError({ kind, call: call.label, url: member.url, reason })
      /** It has told less than before. If that is far less, nothing that it answers meanwhile is believed. */
      const behind = (at: number): Effect.Effect<A, CallError> => {
        const isNews = isFar(at) && member.lapses === lapses
        if (isNews) member.lapses++
        const error = failure("behind", `the node has fallen from block ${height} to ${at}`)
        if (floor === undefined || (isFar(at) && index !== -1 && members.length > 1))
          return rejected({ fault: isNews ? "node" : "elsewhere", error })
        // a node that is a little behind, or the only one, is asked again when it is there
        lastError = error
        return index === -1 ? pinnedTo(member) : moveOn()
      }
      const done = (value: A): Effect.Effect<A, CallError> => {
        if (index !== -1) {
          const now = clock.unsafeCurrentTimeMillis()
          answered(member, now, start)
          latencies.add(now - start)
          if (listeners.size > 0)
            emit({ _tag: "Answered", url: displayUrl(member.url), call: call.label, ms: now - start }, now)
          alive()
        }
        succeeded(1)
        return Effect.succeed(value)
      }
      /** The node has told its height since it has answered: it was there before, and has not fallen back. */
      const confirmed = (value: A, at: number | undefined, block: number): Effect.Effect<A, CallError> => {
        if (at === undefined)
          return rejected({ fault: "node", error: failure("network", "the node does not tell its height") })
        // nobody can say which block was read by one that has fallen meanwhile, however little
        if (height < block || at < (seen === undefined ? block : height)) return behind(at)
        if (seen !== undefined) seen = Math.max(seen, at)
        return done(value)
      }
      return Effect.matchEffect(inFlight(member, exchange(member, call, start + limit, clock)), {
        onFailure: (error) => rejected(rejectionOf(error, call, member.url), error._tag === "NodeError"),
        onSuccess: ([outcome, pause]) => {
          if (Either.isLeft(outcome)) return rejected(outcome.left, false, pause)
          const value = outcome.right
          const found = Number(call.heightOf?.(value) ?? Number.NaN)
          const at = Number.isNaN(found) ? undefined : found
          if (at !== undefined) told(member, at, turn)
          if (index !== -1 && members.length > 1 && call.repeat === "read") {
            if (at !== undefined ? isFar(at) : member.lapses !== lapses) return behind(at ?? member.height)
          }
          if (floor === undefined) return done(value)
          // answers in a list may be of several heights
          return at !== undefined && call.id !== undefined
            ? confirmed(value, at, floor)
            : Effect.flatMap(
                Effect.timeoutTo(heights.confirm(member, heights.turn()), {
                  duration: Math.max(1, start + limit - clock.unsafeCurrentTimeMillis()),
                  onTimeout: () => undefined,
                  onSuccess: (last) => last
                }),
                (last) => confirmed(value, last, floor)
              )
        }
      })
    }

    /** The first attempt at a node, and a second one at another when this one takes longer than calls do. */
    const hedged = (member: Member, index: number): Effect.Effect<A, CallError> => {
      const lane: Lane = { moved: false, waiting: true, pausing: false, failure: undefined }
      const second = Effect.suspend((): Effect.Effect<A, CallError> => {
        if (lane.moved) return Effect.never
        const [choice] = selectFor(wanted, new Set([...tried, index]), clock)
        if (choice._tag !== "node" || choice.trial) return Effect.never
        // the node may have been found to have failed by others, and then nothing is spent
        if (!hasFailed(index) && (lane.pausing || hedges?.spend() !== true))
          return Effect.zipRight(Effect.sleep(SOON), second)
        lane.moved = true
        return Effect.matchEffect(
          Effect.zipRight(
            hasFailed(index)
              ? Effect.void
              : happened({ _tag: "Hedged", url: displayUrl(member.url), call: call.label }),
            next(index, true)
          ),
          {
            onFailure: (error) => {
              lane.failure = error
              return lane.waiting ? Effect.never : Effect.fail(error)
            },
            onSuccess: (value) =>
              lane.waiting ? Effect.as(overtaken(member, index), value) : Effect.succeed(value)
          }
        )
      })
      return Effect.flatMap(
        Effect.fork(Effect.suspend(() => attempt(member, index, config.retryCount, lane))),
        (first) =>
          Effect.async<A, CallError>((resume) => {
            const call: Waiting = {
              due: clock.unsafeCurrentTimeMillis() + hedgeDelay(),
              wake: () =>
                resume(
                  Effect.suspend(() => {
                    member.overdue++
                    const over = Effect.zipRight(
                      Effect.sync(() => member.overdue--),
                      Fiber.interruptFork(first)
                    )
                    return Effect.ensuring(Effect.raceFirst(Fiber.join(first), second), over)
                  })
                )
            }
            waiting.add(call)
            first.addObserver((exit) => {
              waiting.remove(call)
              resume(exit)
            })
            return Effect.zipRight(
              Effect.sync(() => waiting.remove(call)),
              Fiber.interrupt(first)
            )
          })
      )
    }

    const spendRetry = (): boolean => retries.spend()

    const begin = (member: Member, index: number): Effect.Effect<A, CallError> =>
      hedges !== undefined && call.repeat === "read" && members.length > 1
        ? Effect.zipRight(
            waiting.begin,
            Effect.suspend(() => hedged(member, index))
          )
        : attempt(member, index, config.retryCount)

    /** Asks until one of these nodes is at the block, or none of them answers. */
    const arrival = (asked: ReadonlyArray<Member>, block: number) =>
      Effect.timeoutFail(heights.reach(asked, block), {
        duration: Math.max(0, deadline - clock.unsafeCurrentTimeMillis()),
        onTimeout: () => {
          const best = asked.reduce((a, b) => (b.height > a.height ? b : a))
          const height = best.height < 0 ? undefined : best.height
          return new BlockNotReached({ call: call.label, minBlock: block, height, url: best.url, timeout })
        }
      })

    /** No node is known to be at the block. One that does not answer is left to the call, which fails there as any does. */
    const arrive = (member: Member, { index, trial, type }: ChosenNode, block: number) => {
      const { nodes } = MutableRef.get(pool)
      const others = members.filter((_, i) => {
        const node = nodes[i]
        return !trial && i !== index && !tried.has(i) && node?.type === type && !node.failed
      })
      return Effect.flatMap(arrival([member, ...others], block), (found = member) =>
        begin(found, members.indexOf(found))
      )
    }

    const pinnedTo = (member: Member): Effect.Effect<A, CallError> => {
      const sent = Effect.suspend(() => attempt(member, -1, config.retryCount))
      return floor === undefined ? sent : Effect.zipRight(arrival([member], floor), sent)
    }

    const next = (left?: number, isSecond = false): Effect.Effect<A, CallError> => {
      if (left !== undefined) tried.add(left)
      if (floor !== undefined) {
        const index = Pool.among(MutableRef.get(pool), wanted, tried, isThere, pick)
        const member = members[index]
        if (member !== undefined) return begin(member, index)
      }
      const [choice, state] = selectFor(wanted, tried, clock)
      // a second attempt says nothing yet of the node that is active
      if (!isSecond) MutableRef.set(pool, state)
      if (choice._tag === "node") {
        const member = members[choice.index]
        if (member !== undefined)
          return floor === undefined ? begin(member, choice.index) : arrive(member, choice, floor)
      }
      if (choice._tag === "exhausted" && lastError !== undefined) {
        const last = members.findIndex(
          ({ slow }, i) =>
            slow &&
            hasFailed(i) &&
            isThere(i) &&
            !tried.has(i) &&
            MutableRef.get(pool).nodes[i]?.type === choice.type
        )
        const resort = members[last]
        if (resort !== undefined) {
          tried.add(last)
          return attempt(resort, last, 0)
        }
        const error = lastError
        if (!nodeFailed) return Effect.fail(error)
        update((current) => Pool.exhaust(current, choice.type))
        const end = clock.unsafeCurrentTimeMillis() >= deadline ? tooLate() : Effect.fail(error)
        const gone = Effect.zipRight(happened({ _tag: "Exhausted", type: choice.type }), end)
        return config.evictNodesOnFailure ? Effect.zipRight(logger.error(MALFORMED_OR_DOWN), gone) : gone
      }
      return Effect.fail(noNode(wanted, choice._tag === "none" && choice.resting))
    }

    if (floor !== undefined && probe === undefined)
      return Effect.fail(
        new InvalidArgument({
          call: call.label,
          reason: `minBlock: nodes of ${config.network} cannot be asked for their height`
        })
      )
    hedges?.earn()
    retries.earn()
    const only = options.node ?? (typeof config.selection === "object" ? config.selection.node : undefined)
    if (only !== undefined) {
      const pinned = only.replace(/\/+$/, "")
      const member = members.find(({ url }) => url === pinned)
      return member === undefined
        ? Effect.fail(
            new NoActiveNode({
              network: config.network,
              type: wanted,
              manual: false,
              reason: `the pinned node ${displayUrl(pinned)} is not in the pool`
            })
          )
        : pinnedTo(member)
    }
    if (call.gateway && config.nodes === undefined) return pinnedTo(gatewayMember)
    if (isKnown || !checkedFirst || call.path !== "") return next()
    return Effect.zipRight(
      Effect.timeoutOption(known.await, Math.min(UNKNOWN_DELAY, timeout)),
      Effect.suspend(() => next())
    )
  }

  return {
    send: (call) =>
      Effect.flatMap(CallOptions, (options) =>
        Effect.clockWith((clock) => {
          recovery.called(clock.unsafeCurrentTimeMillis())
          // the first call after a round wakes the checks, should they sleep
          const sent = Observation.traced(
            Effect.tapError(run(call, options, clock), failed),
            config.network,
            call.label
          )
          return calls++ === 0 ? Effect.zipRight(awake.open, sent) : sent
        })
      ),
    nodeUrl: (archive) =>
      Effect.clockWith((clock) => {
        const wanted: Pool.NodeType = archive ? "ARCHIVE" : "NORMAL"
        const state = MutableRef.get(pool)
        const [choice] = selectFor(wanted, new Set(), clock)
        const node = choice._tag === "node" ? state.nodes[choice.index] : undefined
        return node === undefined
          ? Effect.fail(noNode(wanted, state.nodes.length > 0))
          : Effect.succeed(node.url)
      }),
    nodeUrls: (archive, minBlock = -1) => {
      const isThere = (i: number): boolean => (members[i]?.height ?? -1) >= minBlock
      const unknown = members.filter((_, i) => !isThere(i) && !hasFailed(i))
      // who does not answer as soon as others do is no good node
      const asked =
        unknown.length === 0
          ? Effect.void
          : Effect.raceFirst(
              Effect.forEach(unknown, heights.ask, { concurrency: "unbounded", discard: true }),
              Effect.sleep(hedgeDelay())
            )
      return Effect.map(asked, () => {
        const { nodes } = MutableRef.get(pool)
        const rankOf = (i: number, { failed, type }: Pool.Node): number =>
          (failed ? 4 : 0) + (isThere(i) ? 0 : 2) + ((type === "ARCHIVE") === archive ? 0 : 1)
        return nodes
          .map((node, i) => ({ node, rank: rankOf(i, node) }))
          .sort((a, b) => a.rank - b.rank || a.node.lastResponseTime - b.node.lastResponseTime)
          .map(({ node }) => node.url)
      })
    },
    seen: () => seen,
    listen: (listener) => {
      // a listener of its own, so that one that is given twice is told twice
      const own = (event: Observation.PoolEvent): void => listener(event)
      listeners.add(own)
      return () => void listeners.delete(own)
    },
    snapshot: Effect.sync(() => snapshotOf(MutableRef.get(pool))),
    check: round,
    state: () => MutableRef.get(pool)
  }
})

/**
 * The balancer as the transport and the pool of a client.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Transport | NodePool, never, Config | Logger | Http | Checks> =
  /*#__PURE__*/ Layer.scopedContext(
    /*#__PURE__*/ Effect.map(make, (balancer) =>
      Context.add(Context.make(Transport, balancer), NodePool, balancer)
    )
  )
