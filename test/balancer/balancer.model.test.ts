// @runtime both
/**
 * The balancer in worlds made at random: nodes that change their ways, calls at any time, any configuration. Every world
 * runs in a time of its own, and the same seed makes the same world.
 */
import { keccak_256 } from "@noble/hashes/sha3.js"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import type { PoolEvent } from "../../src/balancer/Observation.js"
import type { SdkConfig } from "../../src/config/Config.js"
import { resolve } from "../../src/config/resolveConfig.js"
import { RpcError } from "../../src/data/SdkError.js"
import { makeRawRpc } from "../../src/transport/Client.js"
import { makeLayered } from "../../src/transport/layerStack.js"
import * as layers from "../../src/transport/layers.js"
import { runs } from "../properties.js"
import { simulate } from "./simulation.js"
import {
  type Behaviour,
  delayAnswer,
  errorAnswer,
  failureAnswer,
  isCheck,
  isProbe,
  makeWorld,
  type NodeAnswer,
  type NodeRequest,
  resultAnswer,
  tested,
  textAnswer,
  withCallOptions
} from "./world.js"

type Mood =
  | { readonly _tag: "well" | "slow" | "breaks"; readonly ms: number }
  | { readonly _tag: "busy"; readonly seconds: number | undefined }
  | { readonly _tag: "garbage"; readonly body: string }
  /** A proxy in front of it knows it no more: every answer has this status, and nothing of the protocol. */
  | { readonly _tag: "notProtocol"; readonly status: number }
  /** A proxy in front of it refuses some requests, while probes and all others pass. */
  | { readonly _tag: "walled"; readonly ms: number; readonly each: number }
  | { readonly _tag: "hangs" | "refuses" | "gateway" | "limit" | "internal" }

interface NodePlan {
  readonly archive: boolean
  /** It answers from the first moment to the last. */
  readonly steady: boolean
  readonly wrongChain: boolean
  readonly behind: number
  readonly moods: ReadonlyArray<{ readonly mood: Mood; readonly lasts: number }>
}

interface CallPlan {
  readonly kind: "read" | "archive" | "write" | "broadcast"
  readonly at: number
  readonly timeout: number | undefined
  readonly attemptTimeout: number | undefined
  /** Its caller has enough after so long, whatever comes of it. */
  readonly leaves?: number | undefined
}

type Plan = Pick<SdkConfig, "hedge" | "retryBudget"> & {
  readonly nodes: ReadonlyArray<NodePlan>
  /** All nodes are paths of one host. */
  readonly oneHost?: boolean
  readonly calls: ReadonlyArray<CallPlan>
  readonly selection: "fastest" | "p2c" | "weighted" | "round-robin" | "pinned"
  readonly retryCount: number
  readonly retryDelay: number
  readonly timeout: number
  readonly attemptTimeout: number
  readonly evict: boolean
  readonly interval: number
  /** The client is closed at this time, whoever waits. */
  readonly closes: number | undefined
}

/** How many times as many worlds as usual: the nightly run has the time for more. */
const TIMES = Number(process.env.MODEL_TIMES ?? 1)

/** CI is a gate, which the same change passes every time; other runs, and the nightly one, look at new worlds, or again at those of `MODEL_SEED`. */
const GATE = process.env.CI !== undefined && TIMES === 1 ? "20261122" : undefined
const CHOSEN = process.env.MODEL_SEED ?? GATE
const SEED = CHOSEN === undefined ? {} : { seed: Number(CHOSEN) }

const urlOf = (i: number): string => `https://n${i}.example`

const urlIn = ({ oneHost = false }: Plan, i: number): string =>
  oneHost ? `https://one.example/n${i}` : urlOf(i)

const ms = (min: number, max: number) => fc.integer({ min, max })

const record = <A>(of: { [K in keyof A]: fc.Arbitrary<A[K]> }) => fc.record(of, { noNullPrototype: true })

const well = ms(1, 80).map((ms): Mood => ({ _tag: "well", ms }))

/** What proxies answer in the place of nodes. */
const foreign = fc
  .constantFrom(404, 402, 410, 405, 451, 304, 400)
  .map((status): Mood => ({ _tag: "notProtocol", status }))

const mood = fc.oneof(
  { weight: 4, arbitrary: well },
  { weight: 2, arbitrary: ms(300, 6_000).map((ms): Mood => ({ _tag: "slow", ms })) },
  { weight: 1, arbitrary: ms(0, 900).map((ms): Mood => ({ _tag: "breaks", ms })) },
  {
    weight: 1,
    arbitrary: fc.option(fc.nat(20), { nil: undefined }).map((seconds): Mood => ({ _tag: "busy", seconds }))
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        "<html>",
        "null",
        "[]",
        '{"jsonrpc":"2.0","id":"x","result":"0x9"}',
        '{"jsonrpc":"2.0","i'
      )
      .map((body): Mood => ({ _tag: "garbage", body }))
  },
  { weight: 3, arbitrary: foreign },
  {
    weight: 1,
    arbitrary: record<Mood & { readonly _tag: "walled" }>({
      _tag: fc.constant("walled"),
      ms: ms(1, 80),
      each: ms(1, 4)
    })
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom(
        "hangs" as const,
        "refuses" as const,
        "gateway" as const,
        "limit" as const,
        "internal" as const
      )
      .map((_tag): Mood => ({ _tag }))
  }
)

const steady = record<NodePlan>({
  archive: fc.constant(false),
  steady: fc.constant(true),
  wrongChain: fc.constant(false),
  behind: fc.constant(0),
  // quick enough never to be overtaken by a second attempt: the shortest wait for those is 11 ms
  moods: ms(1, 10).map((ms) => [{ mood: { _tag: "well" as const, ms }, lasts: Number.POSITIVE_INFINITY }])
})

const fickle = record<NodePlan>({
  archive: fc.nat(4).map((n) => n === 4),
  steady: fc.constant(false),
  wrongChain: fc.nat(9).map((n) => n === 9),
  behind: fc.constantFrom(0, 0, 0, 5, 50),
  moods: fc.array(record({ mood, lasts: ms(100, 15_000) }), { minLength: 1, maxLength: 5 })
})

const calls = fc.array(
  record<CallPlan>({
    kind: fc.constantFrom("read", "read", "read", "archive", "write", "broadcast"),
    at: fc.oneof(fc.nat(3_000), fc.nat(40_000)),
    timeout: fc.option(ms(200, 20_000), { nil: undefined, freq: 3 }),
    attemptTimeout: fc.option(ms(200, 5_000), { nil: undefined, freq: 3 })
  }),
  { minLength: 1, maxLength: 25, size: "max" }
)

/** The same, half of which are left at some time. */
const leftCalls = fc
  .tuple(calls, fc.array(fc.oneof(ms(0, 100), ms(0, 6_000)), { minLength: 12, maxLength: 12 }))
  .map(([all, times]) => all.map((call, i) => (i % 2 === 0 ? { ...call, leaves: times[i / 2] } : call)))

const settings = {
  calls,
  hedge: fc.oneof(fc.boolean(), record({ delay: ms(50, 600), maxExtraLoad: fc.constantFrom(0, 0.05, 0.3) })),
  retryBudget: fc.oneof(fc.boolean(), record({ ratio: fc.constantFrom(0, 0.1, 0.5), burst: fc.nat(5) })),
  selection: fc.constantFrom<Plan["selection"]>("fastest", "fastest", "p2c", "weighted", "round-robin"),
  retryCount: fc.nat(2),
  retryDelay: fc.nat(1_000),
  timeout: ms(500, 30_000),
  attemptTimeout: ms(300, 10_000),
  evict: fc.boolean(),
  interval: fc.constantFrom(Number.POSITIVE_INFINITY, 60_000, 60_000, 7_000),
  closes: fc.option(fc.nat(20_000), { nil: undefined, freq: 4 })
}

const anyPlan = record<Plan>({
  ...settings,
  nodes: fc.array(fickle, { minLength: 1, maxLength: 5 }),
  selection: fc.oneof({ weight: 8, arbitrary: settings.selection }, fc.constant<"pinned">("pinned"))
})

/** One node is well all the time, and calls have the time to get to it past all the others. */
const steadyPlan = fc
  .tuple(
    record<Plan>({
      ...settings,
      nodes: fc.array(fickle, { minLength: 1, maxLength: 4 }),
      closes: fc.constant(undefined),
      retryBudget: fc.boolean()
    }),
    steady,
    fc.nat(4)
  )
  .map(([plan, node, place]): Plan => {
    const { attemptTimeout, nodes, retryCount, retryDelay } = plan
    return {
      ...plan,
      nodes: nodes.toSpliced(place, 0, node),
      timeout: (nodes.length + 1) * ((retryCount + 1) * attemptTimeout + retryCount * retryDelay),
      calls: plan.calls.map((call) => ({ ...call, timeout: undefined, attemptTimeout: undefined }))
    }
  })

/** Seed 365680027: two nodes say the same internal error to the first read before the probe of one of them is back. */
const agreeing: Plan = {
  calls: [295, 0].map((at) => ({ kind: "read", at, timeout: undefined, attemptTimeout: undefined })),
  hedge: { delay: 50, maxExtraLoad: 0 },
  retryBudget: false,
  selection: "round-robin",
  retryCount: 0,
  retryDelay: 0,
  timeout: 900,
  attemptTimeout: 300,
  evict: false,
  interval: 60_000,
  closes: undefined,
  nodes: [
    [
      { mood: { _tag: "slow" as const, ms: 300 }, lasts: 100 },
      { mood: { _tag: "internal" as const }, lasts: 201 },
      { mood: { _tag: "notProtocol" as const, status: 404 }, lasts: 100 }
    ],
    [{ mood: { _tag: "well" as const, ms: 1 }, lasts: Number.POSITIVE_INFINITY }],
    [
      { mood: { _tag: "well" as const, ms: 1 }, lasts: 100 },
      { mood: { _tag: "internal" as const }, lasts: 100 }
    ]
  ].map((moods, i) => ({ archive: false, steady: i === 1, wrongChain: false, behind: 0, moods }))
}

/** Two of four are gone at the same moment, in a way that cannot have had an effect; the others are well all the time. */
const halfPlan = fc
  .tuple(
    record<Plan>({
      ...settings,
      nodes: fc.array(
        fickle.map((node) => ({ ...node, archive: false, wrongChain: false, behind: 0 })),
        { minLength: 4, maxLength: 4 }
      ),
      closes: fc.constant(undefined),
      retryBudget: fc.boolean()
    }),
    fc.oneof(
      foreign,
      fc.constant<Mood>({ _tag: "refuses" }),
      fc.constant<Mood>({ _tag: "busy", seconds: undefined })
    ),
    fc.nat(10_000),
    fc.subarray([0, 1, 2, 3], { minLength: 2, maxLength: 2 }),
    // quick enough never to be overtaken
    ms(1, 10)
  )
  .map(([plan, gone, at, out, ms]): Plan => {
    const isWell = { _tag: "well" as const, ms }
    return {
      ...plan,
      nodes: plan.nodes.map((node, i) => ({
        ...node,
        moods: [
          { mood: isWell, lasts: out.includes(i) ? at : Number.POSITIVE_INFINITY },
          { mood: gone, lasts: Number.POSITIVE_INFINITY }
        ]
      })),
      timeout: 4 * plan.attemptTimeout + 4_000,
      calls: plan.calls.map((call) => ({ ...call, timeout: undefined, attemptTimeout: undefined }))
    }
  })

/** So long after a storm (in milliseconds) everything is as before. */
const CALM = 1_000

/** All nodes are behind one host, which has enough of its clients, then knows nothing of them, and is well again. */
const stormPlan = fc
  .tuple(
    record<Plan>({
      ...settings,
      nodes: fc.array(
        fickle.map((node) => ({ ...node, archive: false, wrongChain: false, behind: 0 })),
        { minLength: 2, maxLength: 4 }
      ),
      closes: fc.constant(undefined)
    }),
    fc.tuple(ms(0, 5_000), ms(1, 10_000), ms(1, 10_000)),
    fc.option(fc.nat(2), { nil: undefined }),
    foreign,
    ms(1, 80)
  )
  .map(([plan, lasts, seconds, gone, ms]): Plan => {
    const isWell = { _tag: "well" as const, ms }
    const moods: ReadonlyArray<Mood> = [isWell, { _tag: "busy", seconds }, gone, isWell]
    return {
      ...plan,
      oneHost: true,
      // where nodes are not probed, eviction lets one call through per back-off, which may be 30 s
      evict: plan.evict && Number.isFinite(plan.interval),
      nodes: plan.nodes.map((node) => ({
        ...node,
        moods: moods.map((mood, i) => ({ mood, lasts: lasts[i] ?? Number.POSITIVE_INFINITY }))
      })),
      calls: plan.calls.map((call) => ({ ...call, timeout: undefined, attemptTimeout: undefined }))
    }
  })

/** There is more to be sent twice than any budget allows. */
const greedyPlan = fc
  .tuple(
    record<Plan>({
      ...settings,
      calls: fc.array(
        record<CallPlan>({
          kind: fc.constant<"read">("read"),
          at: fc.nat(4_000),
          timeout: fc.constant(undefined),
          attemptTimeout: fc.constant(undefined)
        }),
        { minLength: 15, maxLength: 50, size: "max" }
      ),
      nodes: fc.array(
        fickle.map((node) => ({ ...node, archive: false, wrongChain: false })),
        { minLength: 2, maxLength: 4 }
      ),
      retryBudget: record({ ratio: fc.constantFrom(0, 0.1), burst: fc.nat(4) }),
      // attempts at other nodes are easier to count where nodes are not asked again
      evict: fc.constant(false),
      retryCount: fc.constant(0),
      closes: fc.constant(undefined)
    }),
    fc.boolean(),
    ms(150, 900)
  )
  .map(
    ([plan, isSlow, ms]): Plan =>
      isSlow
        ? {
            ...plan,
            hedge: { delay: 50, maxExtraLoad: 0.05 },
            nodes: plan.nodes.map((node, i) => ({
              ...node,
              moods: [{ mood: { _tag: "slow", ms: ms + i }, lasts: 1 }]
            }))
          }
        : { ...plan, hedge: false }
  )

const hashOf = (raw: unknown): string =>
  `0x${Buffer.from(keccak_256(Buffer.from(String(raw).slice(2), "hex"))).toString("hex")}`

const moodAt = (node: NodePlan, at: number): Mood => {
  let end = 0
  for (const { lasts, mood } of node.moods) {
    end += lasts
    if (at < end) return mood
  }
  return node.moods.at(-1)?.mood ?? { _tag: "hangs" }
}

/** Whether what the node then says may be JSON. */
const isVague = ({ _tag }: Mood): boolean => _tag === "garbage" || _tag === "limit" || _tag === "internal"

/** What came of a call, and of the requests that were made for it. */
interface Outcome {
  readonly plan: CallPlan
  readonly label: string
  readonly start: number
  readonly end: number
  readonly exit: Exit.Exit<unknown, unknown>
  readonly param: string
  readonly expected: string
  readonly limit: number
}

interface Seen {
  readonly outcomes: ReadonlyArray<Outcome>
  readonly sent: ReadonlyArray<NodeRequest>
  readonly events: ReadonlyArray<PoolEvent>
  /** Picks of failed nodes while one that was not tried was well. */
  readonly mistakes: ReadonlyArray<string>
  /** How often a write had its effect, at worst. */
  readonly effects: ReadonlyMap<string, number>
  /** More than before the first call, a minute after the last one, while the client lives. */
  readonly idle: { readonly open: number; readonly fibers: number; readonly timers: number }
  readonly after: {
    readonly open: number
    readonly fibers: number
    readonly timers: number
    readonly sent: number
  }
}

/** The code of an error that a node has by itself, and the milliseconds after which it says so. */
const INTERNAL = -32603
const SAYS = 5

const isReading = (label: string): boolean => /^(test|debug)_read/.test(label)

const labelOf = (kind: CallPlan["kind"], i: number): string =>
  kind === "read"
    ? `test_read${i}`
    : kind === "archive"
      ? `debug_read${i}`
      : kind === "write"
        ? "eth_sendTransaction"
        : "eth_sendRawTransaction"

const paramOf = (kind: CallPlan["kind"], i: number): string =>
  kind === "broadcast" ? `0x02${i.toString(16).padStart(4, "0")}` : `${kind} ${i}`

const isWrite = ({ method }: NodeRequest): boolean => method === "eth_sendTransaction"
const isBroadcast = ({ method }: NodeRequest): boolean => method === "eth_sendRawTransaction"
const paramIn = ({ params }: NodeRequest): string => (Array.isArray(params) ? String(params[0]) : "")

const page = "<html><body>Not here</body></html>"

/** Whether a proxy does not like what it is asked: every `each`-th parameter. */
const isRefused = (each: number, ask: NodeRequest): boolean =>
  !isProbe(ask) && !isCheck(ask) && Number(/\d+$/.exec(paramIn(ask))?.[0] ?? 1) % each === 0

/** The end of an effect that is interrupted after so many milliseconds, unless it is over by then. */
const leftAfter = <A, E>(ms: number, made: Effect.Effect<A, E>): Effect.Effect<Exit.Exit<A, E>> =>
  Effect.flatMap(Effect.fork(made), (fiber) =>
    Effect.zipRight(Effect.raceFirst(Fiber.await(fiber), Effect.sleep(ms)), Fiber.interrupt(fiber))
  )

const play = (plan: Plan): Promise<Exit.Exit<Seen, unknown>> =>
  simulate((time) =>
    Effect.gen(function* () {
      const effects = new Map<string, number>()
      /** It has reached the node, which may do what it says even if nobody learns of it. */
      const done = (ask: NodeRequest): void => {
        if (isWrite(ask) || isBroadcast(ask)) effects.set(paramIn(ask), (effects.get(paramIn(ask)) ?? 0) + 1)
      }
      const serve = (node: NodePlan, ask: NodeRequest): NodeAnswer => {
        if (isCheck(ask)) return resultAnswer(ask, node.wrongChain ? "0x539" : "0x1")
        if (isProbe(ask)) return resultAnswer(ask, `0x${(1_000 - node.behind).toString(16)}`)
        if (node.wrongChain) return resultAnswer(ask, "the wrong chain")
        if (isBroadcast(ask)) {
          const isKnown = (effects.get(paramIn(ask)) ?? 0) > 0
          // its digest is made by a promise
          if (isKnown) time.withPromises()
          const answer = isKnown
            ? errorAnswer(ask, -32000, "already known")
            : resultAnswer(ask, hashOf(paramIn(ask)))
          done(ask)
          return answer
        }
        done(ask)
        return resultAnswer(ask, paramIn(ask))
      }
      const behaviour =
        (node: NodePlan): Behaviour =>
        (ask) => {
          const mood = moodAt(node, ask.at)
          // what does not say its chain is trusted, and a node that says nothing of use can be of any
          if (isCheck(ask) && node.wrongChain && isVague(mood)) return textAnswer("Bad gateway", 502)
          switch (mood._tag) {
            case "well":
            case "slow":
              return delayAnswer(serve(node, ask), mood.ms)
            case "breaks":
              done(ask)
              return delayAnswer(failureAnswer("network"), mood.ms)
            case "refuses":
              return failureAnswer("connect")
            case "hangs":
              done(ask)
              return "hang"
            case "gateway":
              done(ask)
              return delayAnswer(textAnswer("Bad gateway", 502), 5)
            case "notProtocol":
              return delayAnswer(textAnswer(page, mood.status), 5)
            case "walled":
              return isRefused(mood.each, ask)
                ? delayAnswer(textAnswer(page, 403), mood.ms)
                : delayAnswer(serve(node, ask), mood.ms)
            case "busy": {
              const headers = mood.seconds === undefined ? {} : { "retry-after": String(mood.seconds) }
              return { status: 429, text: "slow down", headers, after: 5 }
            }
            case "limit":
              return delayAnswer(errorAnswer(ask, -32005, "limit exceeded"), 5)
            case "internal":
              done(ask)
              return delayAnswer(errorAnswer(ask, INTERNAL, "Internal error"), SAYS)
            case "garbage":
              done(ask)
              return delayAnswer(textAnswer(mood.body), 5)
          }
        }
      const scope = yield* Scope.make()
      const w = yield* Scope.extend(
        makeWorld({
          config: {
            rpc: {
              nodes: plan.nodes.map(({ archive }, i) => ({
                url: urlIn(plan, i),
                type: archive ? "archive" : "normal",
                weight: i + 1
              })),
              evictNodesOnFailure: plan.evict,
              statusCheckInterval: plan.interval
            },
            selection: plan.selection === "pinned" ? { node: urlOf(0) } : plan.selection,
            retryCount: plan.retryCount,
            retryDelay: plan.retryDelay,
            timeout: plan.timeout,
            attemptTimeout: plan.attemptTimeout,
            ...(plan.hedge === undefined ? {} : { hedge: plan.hedge }),
            ...(plan.retryBudget === undefined ? {} : { retryBudget: plan.retryBudget })
          },
          nodes: Object.fromEntries(plan.nodes.map((node, i) => [urlIn(plan, i), behaviour(node)]))
        }),
        scope
      )
      const events: Array<PoolEvent> = []
      const mistakes: Array<string> = []
      const clock = yield* Effect.clock
      const picked = new Map<string, Set<string>>()
      w.pool.listen((event) => {
        events.push(event)
        if (event._tag !== "Attempted" || !isReading(event.call) || plan.selection === "pinned") return
        const tried = picked.get(event.call) ?? new Set()
        const nodes = Effect.runSync(Effect.withClock(w.pool.snapshot, clock))
        const node = nodes.find(({ url }) => url === event.url)
        // one that fails in the moment in which it was chosen was well when it was
        const isFailing = events.some(
          (each) => each._tag === "Failed" && each.url === event.url && each.at === event.at
        )
        const better = nodes.filter(
          ({ failed, type, url }) => !failed && type === node?.type && !tried.has(url)
        )
        if (node?.failed === true && !isFailing && better.length > 0)
          mistakes.push(
            `${event.call} at ${event.at}: ${event.url} in place of ${better.map(({ url }) => url)}`
          )
        picked.set(event.call, tried.add(event.url))
      })
      const outcomes: Array<Outcome> = []
      const before = { fibers: time.fibers(), timers: time.timers() }
      const begun = yield* Effect.forEach(plan.calls, (call, i) =>
        Effect.fork(
          Effect.gen(function* () {
            yield* Effect.sleep(call.at)
            const label = labelOf(call.kind, i)
            const param = paramOf(call.kind, i)
            const own = {
              ...(call.timeout === undefined ? {} : { timeout: call.timeout }),
              ...(call.attemptTimeout === undefined ? {} : { attemptTimeout: call.attemptTimeout })
            }
            const start = time.now()
            const made = w.raw.rawRpcCall({ method: label, params: [param] }).pipe(withCallOptions(own))
            const exit = yield* call.leaves === undefined ? Effect.exit(made) : leftAfter(call.leaves, made)
            outcomes.push({
              plan: call,
              label,
              start,
              end: time.now(),
              exit,
              param,
              expected: call.kind === "broadcast" ? hashOf(param) : param,
              limit: call.timeout ?? plan.timeout
            })
          })
        )
      )
      if (plan.closes === undefined) yield* Fiber.joinAll(begun)
      else {
        yield* Effect.sleep(plan.closes)
        yield* Fiber.interruptAll(begun)
      }
      // checks of chains that calls have begun go on without them, and end by their deadlines
      yield* Effect.sleep("1 minute")
      const idle = {
        open: w.open(),
        fibers: time.fibers() - before.fibers,
        timers: time.timers() - before.timers
      }
      yield* Scope.close(scope, Exit.void)
      // whoever is interrupted gets a moment to end, but no time
      yield* Effect.sleep(0)
      const left = { open: w.open(), fibers: time.fibers(), timers: time.timers() }
      const sent = w.sent.length
      yield* Effect.sleep("10 minutes")
      return {
        outcomes,
        sent: w.sent,
        events,
        mistakes,
        effects,
        idle,
        after: { ...left, sent: w.sent.length - sent }
      }
    })
  )

/** Whether a node asks for a pause in its answer to a request. */
const isPausing = ({ nodes }: Plan, ask: NodeRequest): boolean => {
  const node = nodes[Number(ask.url.slice("https://n".length, -".example".length))]
  const mood = node && moodAt(node, ask.at)._tag
  return mood === "busy" || mood === "limit"
}

/** Whether the node of a request had failed by then. */
const isOutBy = (events: ReadonlyArray<PoolEvent>, ask: NodeRequest): boolean =>
  events.findLast(
    (event) =>
      (event._tag === "Failed" || event._tag === "Readmitted") && event.url === ask.url && event.at <= ask.at
  )?._tag === "Failed"

/**
 * Whether a call has ended with an internal error that two nodes, each on a host of its own, had said to it. As decided, that is the
 * answer, though another node is well: the request itself may be what none of them can bear.
 */
const isAgreedUpon = (
  plan: Plan,
  sent: ReadonlyArray<NodeRequest>,
  { end, exit, param }: Outcome
): boolean => {
  const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  if (!(failure instanceof RpcError) || failure.code !== INTERNAL) return false
  const said = plan.nodes.filter((node, i) =>
    sent.some(
      (ask) =>
        ask.url === urlIn(plan, i) &&
        paramIn(ask) === param &&
        ask.at + SAYS <= end &&
        moodAt(node, ask.at)._tag === "internal"
    )
  )
  return plan.oneHost !== true && said.length > 1
}

const seenIn = async (plan: Plan): Promise<Seen> => {
  const exit = await play(plan)
  if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
  return exit.value
}

/** All nodes have failed but one that rests for longer than the last call has: the call itself is the trial of one of them. */
const restingPlan: Plan = {
  calls: [
    { kind: "read", at: 6_988, timeout: undefined, attemptTimeout: undefined },
    { kind: "broadcast", at: 6_483, timeout: undefined, attemptTimeout: undefined },
    { kind: "read", at: 0, timeout: 200, attemptTimeout: 200 }
  ],
  hedge: false,
  retryBudget: { ratio: 0, burst: 3 },
  selection: "fastest",
  retryCount: 0,
  retryDelay: 0,
  timeout: 500,
  attemptTimeout: 300,
  evict: false,
  interval: Number.POSITIVE_INFINITY,
  closes: undefined,
  nodes: [
    [{ mood: { _tag: "notProtocol", status: 404 }, lasts: 100 } as const],
    [
      { mood: { _tag: "walled", ms: 2, each: 1 }, lasts: 6_487 } as const,
      { mood: { _tag: "slow", ms: 4_182 }, lasts: 3_525 } as const
    ],
    [{ mood: { _tag: "gateway" }, lasts: 6_743 } as const],
    [{ mood: { _tag: "notProtocol", status: 402 }, lasts: 919 } as const],
    [{ mood: { _tag: "busy", seconds: 8 }, lasts: 14_056 } as const]
  ].map((moods, i) => ({ archive: i === 1, steady: false, wrongChain: false, behind: 0, moods }))
}

/** `known` are worlds in which a property was wrong once: they come first. */
const holds = <A>(
  plans: fc.Arbitrary<A>,
  check: (plan: A) => Promise<void>,
  numRuns: number,
  known: ReadonlyArray<A> = []
): Promise<void> =>
  fc.assert(fc.asyncProperty(plans, check), {
    numRuns: runs(numRuns * TIMES),
    examples: known.map((plan): [A] => [plan]),
    // a world that was wrong by chance has more smaller ones than memory holds
    ...(TIMES === 1 ? { interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true } : {}),
    ...SEED
  })

// The id of a transaction that a node knows already is made by this module, which is loaded with the first of them. That takes its time,
// more than the few turns of the event loop that a simulation waits for promises.
beforeAll(() => import("../../src/data/keccak.js"))

describe("whatever nodes do, and whoever calls", () => {
  it("calls end by their deadlines with the right answer, writes happen once, nothing is left", () =>
    holds(
      anyPlan,
      async (plan) => {
        const { after, effects, mistakes, outcomes } = await seenIn(plan)
        for (const { end, exit, label, limit, param, plan, expected, start } of outcomes) {
          // a request is given at least a millisecond
          expect(end - start, `${label} at ${start}`).toBeLessThanOrEqual(limit + 1)
          if (Exit.isSuccess(exit)) expect([label, exit.value]).toEqual([label, expected])
          // a bug in the balancer is no failure of a call
          else expect(Cause.isFailType(exit.cause) || Cause.isInterrupted(exit.cause)).toBe(true)
          if (plan.kind === "write") expect(effects.get(param) ?? 0).toBeLessThanOrEqual(1)
        }
        if (plan.closes === undefined) expect(outcomes).toHaveLength(plan.calls.length)
        expect(mistakes).toEqual([])
        expect(after).toEqual({ open: 0, fibers: 0, timers: 0, sent: 0 })
      },
      50
    ))

  it("a call that is left is over at once, frees what it held, and costs the others nothing", () =>
    holds(
      fc.tuple(steadyPlan, leftCalls).map(
        ([plan, calls]): Plan => ({
          ...plan,
          // nothing is asked in the background, so that what is left over is a call's
          evict: false,
          interval: Number.POSITIVE_INFINITY,
          retryBudget: false,
          calls: calls.map((call) => ({ ...call, timeout: undefined, attemptTimeout: undefined }))
        })
      ),
      async (plan) => {
        const { after, effects, events, idle, outcomes, sent } = await seenIn(plan)
        expect(outcomes).toHaveLength(plan.calls.length)
        for (const outcome of outcomes) {
          const { end, exit, label, param, plan: call, expected, start } = outcome
          if (call.kind === "write") expect(effects.get(param) ?? 0).toBeLessThanOrEqual(1)
          if (Exit.isSuccess(exit)) expect([label, exit.value]).toEqual([label, expected])
          if (call.leaves === undefined) {
            if (call.kind !== "read" || isAgreedUpon(plan, sent, outcome)) continue
            expect([label, start, Exit.isSuccess(exit) ? "ok" : Cause.pretty(exit.cause)]).toEqual([
              label,
              start,
              "ok"
            ])
            continue
          }
          expect(end - start, `${label} at ${start}`).toBeLessThanOrEqual(call.leaves)
          // nothing is sent for it any more, but for the copy that shows whether a failed node is well
          const late = sent.filter((ask) => paramIn(ask) === param && ask.at > end && !isOutBy(events, ask))
          expect([label, late]).toEqual([label, []])
        }
        expect(idle).toEqual({ open: 0, fibers: 0, timers: 0 })
        expect(after).toEqual({ open: 0, fibers: 0, timers: 0, sent: 0 })
      },
      25
    ))

  it("reads succeed while one node is well", () =>
    holds(
      steadyPlan,
      async (plan) => {
        const { outcomes, sent } = await seenIn(plan)
        for (const outcome of outcomes) {
          const { exit, label, start } = outcome
          if (outcome.plan.kind !== "read" || isAgreedUpon(plan, sent, outcome)) continue
          expect([label, start, Exit.isSuccess(exit) ? "ok" : Cause.pretty(exit.cause)]).toEqual([
            label,
            start,
            "ok"
          ])
        }
      },
      25,
      [agreeing]
    ))

  it("no call fails when two of four nodes are gone at once", () =>
    holds(
      halfPlan,
      async (plan) => {
        const { effects, outcomes } = await seenIn(plan)
        for (const { exit, label, param, plan: call, start } of outcomes) {
          expect([label, start, Exit.isSuccess(exit) ? "ok" : Cause.pretty(exit.cause)]).toEqual([
            label,
            start,
            "ok"
          ])
          if (call.kind === "write") expect(effects.get(param)).toBe(1)
        }
      },
      20
    ))

  it("no request is blamed while all nodes of one host refuse it, and calls succeed when that is over", () =>
    holds(
      stormPlan,
      async (plan) => {
        const { effects, outcomes } = await seenIn(plan)
        const [well, busy, gone] = (plan.nodes[0]?.moods ?? []).map(({ lasts }) => lasts)
        const stormEnd = (well ?? 0) + (busy ?? 0) + (gone ?? 0)
        for (const { exit, label, param, plan: call, start } of outcomes) {
          if (call.kind === "write") expect(effects.get(param) ?? 0).toBeLessThanOrEqual(1)
          if (Exit.isSuccess(exit)) continue
          expect([label, start, stormEnd, start > stormEnd + CALM ? Cause.pretty(exit.cause) : "ok"]).toEqual(
            [label, start, stormEnd, "ok"]
          )
          expect(Cause.squash(exit.cause)).toMatchObject({
            _tag: expect.stringMatching(/^(NodeError|NoActiveNode|CallTimeout)$/)
          })
        }
      },
      20
    ))

  it.each([
    ["", anyPlan.map((plan) => ({ ...plan, closes: undefined }))],
    [", where that is less than could be", greedyPlan]
  ] as const)(
    "requests that nobody asked for are as many as the budgets allow, and the failures%s",
    (_, plans) =>
      holds(
        plans,
        async (plan) => {
          const { events, outcomes, sent } = await seenIn(plan)
          const { hedge = true, retryBudget = true } = plan
          const resolved = await Effect.runPromise(resolve({ network: "ethereum-mainnet", hedge }))
          const share = resolved.hedge?.maxExtraLoad ?? 0
          const hedged = events.flatMap((event) => (event._tag === "Hedged" ? [event] : []))
          let beside = hedged.length
          let moves = 0
          let answered = 0
          for (const { exit, label, param, plan: call } of outcomes) {
            const all = sent.filter((ask) => paramIn(ask) === param)
            // beside a call that goes elsewhere, a failed node that nobody probes gets a copy
            // where all have failed, one of them is picked, which is no copy
            const isPicked = (ask: NodeRequest): boolean =>
              events.some(
                (event) =>
                  event._tag === "Attempted" &&
                  event.call === label &&
                  event.url === ask.url &&
                  event.at <= ask.at
              )
            const copy =
              all.length > 1 ? all.find((ask) => isOutBy(events, ask) && !isPicked(ask)) : undefined
            // a read goes to nodes of which nothing is known yet before it is their turn
            const early = all.filter((ask) => ask !== copy && !isPicked(ask))
            expect(early.length).toBeLessThanOrEqual(call.kind === "read" || call.kind === "archive" ? 3 : 0)
            beside += early.length
            const own = all.filter((ask) => ask !== copy && !early.includes(ask))
            const overtaken = hedged.flatMap((event) => (event.call === label ? [event.url] : []))
            const seconds = overtaken.length
            if (call.kind === "write" || call.kind === "broadcast") expect(seconds).toBe(0)
            // one node is overtaken once
            expect(new Set(overtaken).size).toBe(seconds)
            expect(seconds).toBeLessThan(plan.nodes.length)
            const urls = new Set(own.map(({ url }) => url))
            // a node that has asked for a pause is asked again after it, which takes a token
            let pauses = 0
            for (const url of urls) {
              const asks = own.filter((ask) => ask.url === url)
              const paused = asks.slice(0, -1).filter((ask) => isPausing(plan, ask)).length
              expect(asks.length).toBeLessThanOrEqual(1 + plan.retryCount + paused)
              pauses += paused
            }
            // the last resort of a call that no other node has answered is a slow one that is out, and takes no token
            const last = own.at(-1)
            const isLastResort = last !== undefined && isOutBy(events, last)
            moves += Math.max(0, urls.size - (isLastResort ? 2 : 1)) + pauses
            if (urls.size + pauses > 1 && exit._tag === "Success") answered++
            // each further request has its reason: a node that was not well, or that others have found to have failed
            const reasons = own.slice(0, -1).filter((ask) => {
              const node = plan.nodes[Number(ask.url.slice("https://n".length, -".example".length))]
              const isBad = node === undefined || moodAt(node, ask.at)._tag !== "well" || node.wrongChain
              return (
                isBad ||
                events.some((event) => event._tag === "Failed" && event.url === ask.url && event.at >= ask.at)
              )
            })
            expect(own.length - 1).toBeLessThanOrEqual(reasons.length + seconds)
          }
          // a second attempt is a whole one
          expect(beside).toBeLessThanOrEqual(
            hedge === false ? 0 : Math.floor(10 + share * outcomes.length + 1e-9)
          )
          if (typeof retryBudget === "object" && hedge === false) {
            const { burst = 200, ratio = 0.2 } = retryBudget
            // what is answered where it has moved to gives back its token, and one more
            expect(moves).toBeLessThanOrEqual(
              Math.floor(burst + ratio * outcomes.length + 1e-9) + 2 * answered
            )
          }
        },
        25,
        [restingPlan]
      )
  )
})

describe("a budget of retries", () => {
  it("is waited for no longer when those who used it up were left: there is none to come", async () => {
    const exit = await simulate((time) =>
      Effect.scoped(
        Effect.gen(function* () {
          const w = yield* makeWorld({
            config: {
              rpc: {
                nodes: [{ url: urlOf(0) }, { url: urlOf(1) }],
                statusCheckInterval: Number.POSITIVE_INFINITY,
                evictNodesOnFailure: false
              },
              hedge: false,
              retryCount: 0,
              retryBudget: { ratio: 0, burst: 2 },
              verifyChain: false
            },
            nodes: { [urlOf(0)]: () => delayAnswer(failureAnswer("connect"), 10), [urlOf(1)]: () => "hang" }
          })
          const read = w.raw.rawRpcCall({ method: "test_read", params: [] })
          // the others are asked for first, and have the tokens
          const third = Effect.zipRight(
            Effect.yieldNow(),
            Effect.map(Effect.exit(read), (exit) => ({ exit, at: time.now() }))
          )
          const [, , waited] = yield* Effect.all([leftAfter(50, read), leftAfter(90, read), third], {
            concurrency: "unbounded"
          })
          return waited
        })
      )
    )
    if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
    expect(exit.value.at).toBe(90)
    expect(exit.value.exit).toMatchObject({ cause: { error: { _tag: "NodeError", kind: "connect" } } })
  })
})

describe("the loser of two attempts", () => {
  it("is over at once, though the caller goes on", async () => {
    const exit = await simulate(() =>
      Effect.scoped(
        Effect.gen(function* () {
          const slow: Behaviour = (ask) => delayAnswer(resultAnswer(ask, 1), 5_000)
          const w = yield* makeWorld({
            config: {
              rpc: {
                nodes: [{ url: urlOf(0) }, { url: urlOf(1) }],
                statusCheckInterval: Number.POSITIVE_INFINITY
              },
              hedge: { delay: 100 },
              verifyChain: false
            },
            nodes: { [urlOf(0)]: slow, [urlOf(1)]: (ask) => delayAnswer(resultAnswer(ask, 2), 10) }
          })
          expect(yield* w.raw.rawRpcCall({ method: "test_read", params: [] })).toBe(2)
          yield* Effect.sleep(0)
          expect(w.sent).toHaveLength(2)
          expect(w.open()).toBe(0)
        })
      )
    )
    expect(exit).toEqual(Exit.void)
  })
})

interface HeightPlan {
  readonly nodes: ReadonlyArray<{
    readonly start: number
    /** It falls back by so many blocks, more than it makes up for while a call lasts. */
    readonly falls: { readonly at: number; readonly by: number } | undefined
    readonly moods: NodePlan["moods"]
  }>
  readonly calls: ReadonlyArray<{ readonly at: number; readonly ahead: number; readonly timeout: number }>
  readonly period: number
  readonly monotonic: boolean
  readonly coalesce: boolean
  readonly hedge: boolean
  readonly evict: boolean
  readonly interval: number
  readonly selection: Plan["selection"]
}

const plainMood = fc.oneof(
  { weight: 5, arbitrary: well },
  { weight: 1, arbitrary: ms(300, 1_500).map((ms): Mood => ({ _tag: "slow", ms })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom("hangs" as const, "refuses" as const, "gateway" as const)
      .map((_tag): Mood => ({ _tag }))
  }
)

const heightPlan = record<HeightPlan>({
  nodes: fc.array(
    record<HeightPlan["nodes"][number]>({
      start: ms(990, 1_000),
      falls: fc.option(record({ at: fc.nat(20_000), by: ms(20, 400) }), { nil: undefined }),
      moods: fc.array(record({ mood: plainMood, lasts: ms(500, 15_000) }), { minLength: 1, maxLength: 4 })
    }),
    { minLength: 1, maxLength: 4 }
  ),
  calls: fc.array(
    record({
      at: fc.oneof(fc.nat(3_000), fc.nat(25_000)),
      ahead: fc.integer({ min: -15, max: 6 }),
      timeout: ms(300, 12_000)
    }),
    { minLength: 1, maxLength: 15, size: "max" }
  ),
  period: ms(500, 4_000),
  monotonic: fc.boolean(),
  coalesce: fc.boolean(),
  hedge: fc.boolean(),
  evict: fc.boolean(),
  interval: fc.constantFrom(2_000, 60_000, Number.POSITIVE_INFINITY),
  selection: settings.selection
})

/** A read, and the height of the node when it was asked: that is what it is answered with. */
interface HeightRead {
  readonly start: number
  readonly end: number
  readonly minBlock: number | undefined
  readonly limit: number
  readonly exit: Exit.Exit<unknown, unknown>
}

const heightAt = (plan: HeightPlan, i: number, at: number): number => {
  const { falls, start = 0 } = plan.nodes[i] ?? {}
  const grown = start + Math.floor(at / plan.period)
  return falls !== undefined && at >= falls.at ? grown - falls.by : grown
}

const readHeights = (plan: HeightPlan): Promise<Exit.Exit<ReadonlyArray<HeightRead>, unknown>> =>
  simulate((time) =>
    Effect.scoped(
      Effect.gen(function* () {
        const config = {
          rpc: {
            nodes: plan.nodes.map((_, i) => ({ url: urlOf(i) })),
            evictNodesOnFailure: plan.evict,
            statusCheckInterval: plan.interval
          },
          selection: plan.selection === "pinned" ? { node: urlOf(0) } : plan.selection,
          attemptTimeout: 2_000,
          hedge: plan.hedge,
          coalesce: plan.coalesce,
          consistency: plan.monotonic ? ("monotonic" as const) : ("eventual" as const)
        }
        const behaviour =
          (i: number): Behaviour =>
          (ask) => {
            const { moods = [] } = plan.nodes[i] ?? {}
            const mood = moodAt(
              { archive: false, steady: false, wrongChain: false, behind: 0, moods },
              ask.at
            )
            if (mood._tag === "hangs") return "hang"
            if (mood._tag === "refuses") return failureAnswer("connect")
            if (!("ms" in mood)) return delayAnswer(textAnswer("Bad gateway", 502), 5)
            const height = `0x${heightAt(plan, i, ask.at).toString(16)}`
            return delayAnswer(resultAnswer(ask, isCheck(ask) ? "0x1" : height), mood.ms)
          }
        const w = yield* makeWorld({
          config,
          nodes: Object.fromEntries(plan.nodes.map((_, i) => [urlOf(i), behaviour(i)]))
        })
        const transport = yield* makeLayered(
          w.transport,
          yield* resolve({ network: "ethereum-mainnet", ...config }),
          layers
        )
        const raw = makeRawRpc(tested, transport, { archive: true, batchArchive: true })
        return yield* Effect.forEach(
          plan.calls,
          ({ ahead, at, timeout }) =>
            Effect.gen(function* () {
              yield* Effect.sleep(at)
              const start = time.now()
              // with monotonic consistency that is often left to it
              const minBlock =
                plan.monotonic && ahead < 0 ? undefined : 1_000 + Math.floor(start / plan.period) + ahead
              const exit = yield* Effect.exit(
                raw
                  .rawRpcCall({ method: "test_read", params: [] })
                  .pipe(withCallOptions({ timeout, ...(minBlock === undefined ? {} : { minBlock }) }))
              )
              return { start, end: time.now(), minBlock, limit: timeout, exit }
            }),
          { concurrency: "unbounded" }
        )
      })
    )
  )

describe("reads that must not be behind a block", () => {
  it(
    "are answered by a node that is there, or not at all; and monotonic ones never go back",
    () =>
      holds(
        heightPlan,
        async (plan) => {
          const exit = await readHeights(plan)
          if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
          const answered = exit.value.flatMap((read) =>
            Exit.isSuccess(read.exit) ? [{ ...read, height: Number(read.exit.value) }] : []
          )
          for (const { end, exit: outcome, limit, start } of exit.value) {
            expect(end - start).toBeLessThanOrEqual(limit + 1)
            if (Exit.isFailure(outcome)) expect(Cause.isFailType(outcome.cause)).toBe(true)
          }
          for (const { height, minBlock, start } of answered)
            if (minBlock !== undefined) expect([start, height >= minBlock]).toEqual([start, true])
          if (!plan.monotonic) return
          for (const early of answered)
            for (const late of answered)
              if (late.start > early.end)
                expect([early.end, late.start, late.height >= early.height]).toEqual([
                  early.end,
                  late.start,
                  true
                ])
        },
        25
      ),
    60_000 * TIMES
  )

  it("are answered while a node that is there is well", () =>
    holds(
      heightPlan.map((plan) => ({
        ...plan,
        selection: "fastest" as const,
        nodes: [
          ...plan.nodes,
          {
            start: 1_010,
            falls: undefined,
            moods: [{ mood: { _tag: "well" as const, ms: 5 }, lasts: Number.POSITIVE_INFINITY }]
          }
        ],
        // calls that ask of it what it has, for as long as others may hang
        calls: plan.calls.map((call) => ({ ...call, timeout: 20_000 }))
      })),
      async (plan) => {
        const exit = await readHeights(plan)
        if (Exit.isFailure(exit)) throw new Error(Cause.pretty(exit.cause))
        for (const { exit: outcome, start } of exit.value)
          expect([start, Exit.isSuccess(outcome) ? "ok" : Cause.pretty(outcome.cause)]).toEqual([start, "ok"])
      },
      20
    ))
})
