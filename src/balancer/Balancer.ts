/**
 * Sends calls over the pool of nodes: picks a node, retries on others when it fails, and keeps the pool's picture of its
 * nodes fresh with scheduled checks. All fibers end with the scope.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as DefaultServices from "effect/DefaultServices"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as MutableRef from "effect/MutableRef"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { headersFor } from "../internal/headers.js"
import { Http, type HttpFailure, type HttpResponse } from "../internal/http.js"
import { join } from "../internal/route.js"
import { isTestnet } from "../Network.js"
import { CallTimeout, displayUrl, NoActiveNode, NodeError } from "../SdkError.js"
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
import { Checks } from "./Family.js"
import { fetchLists } from "./NodeList.js"
import * as Pool from "./NodePool.js"
import * as Probe from "./Probe.js"

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

/** Timers of background fibers must not keep a process alive. Another clock than the live one is left as it is. */
const unreferenced = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.clockWith((clock) =>
    clock === Context.get(DefaultServices.liveServices, Clock.Clock)
      ? Effect.withClock(effect, {
          [Clock.ClockTypeId]: Clock.ClockTypeId,
          unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
          unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
          currentTimeMillis: clock.currentTimeMillis,
          currentTimeNanos: clock.currentTimeNanos,
          sleep: (duration) =>
            Effect.async<void>((resume) => {
              // a timer holds 31 bits: what is longer than 24 days ends then
              const delay = Math.min(2 ** 31 - 1, Duration.toMillis(duration))
              const timer = setTimeout(() => resume(Effect.void), delay)
              if (typeof timer === "object") timer.unref()
              return Effect.sync(() => clearTimeout(timer))
            })
        })
      : effect
  )

/** Whether a write may have had its effect although it failed like this. */
const isAmbiguous = (error: Rejection["error"]): boolean =>
  error._tag === "NodeError" &&
  (error.kind === "network" ||
    error.kind === "timeout" ||
    error.kind === "malformed" ||
    error.kind === "too-large" ||
    (error.kind === "status" && (error.status ?? 0) >= 500))

const isServerError = (error: Rejection["error"]): boolean =>
  error._tag === "NodeError" && error.kind === "status" && (error.status ?? 0) >= 500

interface Member extends Probe.Target {
  /** What REST routes are appended to. */
  readonly rest: string
  verified: boolean
  verifying: Fiber.Fiber<void, NodeError> | undefined
}

/**
 * Starts the balancer of a client: nodes from the configuration or from the provider's lists, checks as a scoped fiber.
 * It never fails: nodes that cannot be reached are a matter of the calls.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<
  TransportService & NodePoolService,
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

  const memberOf = (node: ResolvedNode): Member => {
    const headers = (body: boolean) => ({
      ...headersFor(config, node.url, { body, sendApiKey: node.sendApiKey }),
      ...node.headers
    })
    return {
      url: node.url,
      rest: checks.restUrl?.(node.url) ?? node.url,
      headers: { GET: headers(false), POST: headers(true) },
      verified: false,
      verifying: undefined
    }
  }

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

  const markFailed = (index: number): Effect.Effect<void> => {
    update((state) => Pool.fail(state, index))
    const member = members[index]
    if (member === undefined) return Effect.void
    member.verified = false
    return logger.debug(() => `Switching to another server, marking ${displayUrl(member.url)} as unstable.`)
  }

  const refetch = Effect.gen(function* () {
    if (!remote || members.length > 0) return
    const nodes = yield* fetchLists(config, http, logger)
    members = nodes.map(memberOf)
    MutableRef.set(pool, yield* poolOf(nodes))
  })

  const round = Effect.gen(function* () {
    yield* refetch
    if (probe === undefined || members.length === 0) return
    const outcomes = yield* Effect.forEach(
      members,
      (member) =>
        Effect.flatMap(Probe.run(http, member, probe), (outcome) => {
          if (outcome !== "failed") {
            return Effect.match(verify(member), {
              onFailure: (): Pool.Checked => "failed",
              onSuccess: () => outcome
            })
          }
          member.verified = false
          return Effect.succeed<Pool.Checked>("failed")
        }),
      { concurrency: "unbounded" }
    )
    update((state) => Pool.checked(state, outcomes))
    const state = MutableRef.get(pool)
    yield* logger.debug(() => `Checked nodes: ${JSON.stringify(snapshotOf(state))}`)
    if (state.noActiveNode) yield* logger.error("No active node found, please set node urls manually.")
  }).pipe(
    Effect.catchAllCause((cause) => logger.error(`LoadBalancing failed to check statuses. Error: ${cause}`))
  )

  const regular = Number.isFinite(config.statusCheckInterval) && !config.oneTimeLoadBalancing
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
  ): Effect.Effect<Either.Either<A, Rejection>, HttpFailure | NodeError> => {
    const answered = Effect.suspend(() =>
      Effect.map(
        http.send({
          method: call.verb,
          url: urlOf(member, call),
          headers: headersOf(member, call),
          body: call.body,
          timeout: Math.max(1, until - clock.unsafeCurrentTimeMillis()),
          maxBytes: config.maxResponseBytes
        }),
        (response: HttpResponse) =>
          call.decode({ status: response.status, text: response.text, url: member.url })
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

    const attempt = (member: Member, index: number, retries: number): Effect.Effect<A, CallError> => {
      const start = clock.unsafeCurrentTimeMillis()
      const remaining = deadline - start
      if (remaining <= 0) return tooLate()
      const limit = Math.min(attemptTimeout, remaining)
      const rejected = (rejection: Rejection, unsent = false): Effect.Effect<A, CallError> => {
        const { error } = rejection
        const accepted = call.accepted
        if (
          delivered &&
          accepted !== undefined &&
          error._tag !== "NodeError" &&
          accepted.known.test(error.message)
        ) {
          // where nobody can say what it stands for, the node's own answer stands
          return Effect.tryPromise({ try: () => accepted.result(error.message), catch: () => error })
        }
        // a node that says what is wrong with the request is alive
        if (rejection.fault !== "node" && error._tag !== "RequestRejected") {
          update((state) => Pool.succeed(state, index))
        }
        if (rejection.fault === "caller") return Effect.fail(error)
        lastError = error
        if (!unsent && !(error._tag === "NodeError" && error.kind === "connect")) delivered = true
        const mayRepeat = call.repeat !== "write" || unsent || !isAmbiguous(error)
        if (rejection.fault === "elsewhere") return index === -1 ? Effect.fail(error) : next(index)
        const pause = config.retryDelay
        if (
          isServerError(error) &&
          mayRepeat &&
          retries > 0 &&
          deadline - clock.unsafeCurrentTimeMillis() > pause
        ) {
          return Effect.zipRight(
            Effect.sleep(pause),
            Effect.suspend(() => attempt(member, index, retries - 1))
          )
        }
        nodeFailed = true
        const timedOut = error._tag === "NodeError" && error.kind === "timeout"
        // timers may be a moment early, and in what is then left nothing can be answered
        const over = deadline - clock.unsafeCurrentTimeMillis() < (timedOut ? 10 : 1)
        if (index === -1) return over ? tooLate() : Effect.fail(error)
        // a node is not to blame for how little other nodes had left it of the call's time
        const blamed = !timedOut || limit * 2 >= Math.min(attemptTimeout, timeout)
        return Effect.zipRight(
          blamed ? Effect.suspend(() => markFailed(index)) : Effect.void,
          mayRepeat ? Effect.suspend(() => (over ? tooLate() : next(index))) : Effect.fail(error)
        )
      }
      return Effect.matchEffect(exchange(member, call, start + limit, clock), {
        onFailure: (error) => rejected(rejectionOf(error, call, member.url), error._tag === "NodeError"),
        onSuccess: (outcome) => {
          if (Either.isLeft(outcome)) return rejected(outcome.left)
          if (index !== -1) update((state) => Pool.succeed(state, index))
          return Effect.succeed(outcome.right)
        }
      })
    }

    const next = (failed?: number): Effect.Effect<A, CallError> => {
      if (failed !== undefined) tried.add(failed)
      const [choice, state] = Pool.select(
        MutableRef.get(pool),
        wanted,
        tried,
        clock.unsafeCurrentTimeMillis()
      )
      MutableRef.set(pool, state)
      if (choice._tag === "node") {
        const member = members[choice.index]
        if (member !== undefined) return attempt(member, choice.index, config.retryCount)
      }
      if (choice._tag === "exhausted" && lastError !== undefined) {
        const error = lastError
        if (!nodeFailed) return Effect.fail(error)
        update((current) => Pool.exhaust(current, choice.type))
        const gone = clock.unsafeCurrentTimeMillis() >= deadline ? tooLate() : Effect.fail(error)
        return config.evictNodesOnFailure ? Effect.zipRight(logger.error(MALFORMED_OR_DOWN), gone) : gone
      }
      return Effect.fail(noNode(wanted, choice._tag === "none" && choice.resting))
    }

    if (options.node !== undefined) {
      const pinned = options.node.replace(/\/+$/, "")
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
        : attempt(member, -1, config.retryCount)
    }
    return call.gateway && config.nodes === undefined ? attempt(gatewayMember, -1, config.retryCount) : next()
  }

  return {
    send: (call) =>
      Effect.flatMap(CallOptions, (options) =>
        Effect.clockWith((clock) =>
          // the first call after a round wakes the checks, should they sleep
          calls++ === 0 ? Effect.zipRight(awake.open, run(call, options, clock)) : run(call, options, clock)
        )
      ),
    nodeUrl: (archive) =>
      Effect.clockWith((clock) => {
        const wanted: Pool.NodeType = archive ? "ARCHIVE" : "NORMAL"
        const state = MutableRef.get(pool)
        const [choice] = Pool.select(state, wanted, new Set(), clock.unsafeCurrentTimeMillis())
        const node = choice._tag === "node" ? state.nodes[choice.index] : undefined
        return node === undefined
          ? Effect.fail(noNode(wanted, state.nodes.length > 0))
          : Effect.succeed(node.url)
      }),
    snapshot: Effect.sync(() => snapshotOf(MutableRef.get(pool))),
    check: round
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
