/**
 * The quota of an API key: the client delays requests so that they stay within the plan's rate limit, and counts their credits.
 *
 * A call waits before it is sent, so that the time does not count against its node. That pays for its first request. Each further request
 * (a retry, a backup request, an early read, a check of a node) pays for itself, before calls that have not started. Writes go first,
 * then the call with the earliest deadline. A call that cannot be served in time fails at once, and nothing is sent.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import type { Limit, LimitedClient, Quota, QuotaPool, ResolvedConfig } from "../config/Config.js"
import { type OptionCheck, shape } from "../config/optionChecks.js"
import { isProviderUrl } from "../config/resolveConfig.js"
import { type Account, type Charge, chargeOfRoute, chargesOfNode, makeAccount } from "../data/credits.js"
import { type ConfigIssue, copyError, displayUrl, InvalidConfig, QuotaExceeded } from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import { isRecord } from "../data/untrusted.js"
import {
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  monotonic,
  parseRetryAfter
} from "../http/service.js"
import { type Call, type CallError, CallOptions, type TransportService } from "../wire/Transport.js"

/**
 * The rate of a bucket: `perSecond` tokens per second, and at most `burst` of them at once (default: those of one second).
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenRate {
  readonly perSecond: number
  readonly burst?: number
}

/**
 * The limits of a quota: of the API key in requests, in `credits` or in both, and of your own nodes by their urls. A node's entry in a
 * configuration may have a limit, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuotaOptions extends Partial<Limit> {
  /** The credits per second, and the most at once. A call that costs more than that waits for longer. */
  readonly credits?: TokenRate
  readonly nodes?: Readonly<Record<string, Limit>>
}

/**
 * A bucket of tokens: one per request, or one per credit. Times are milliseconds on the monotonic clock.
 *
 * - `reserve` takes tokens, and yields the milliseconds until they may be used. `restore` gives unused ones back.
 * - `msUntil` yields the milliseconds until the n-th token from now, and takes none. Nothing may be sent before `blockedUntil`.
 * - `recordSuccess` records an answered request. `recordRefusal` records a 429 to a request that was sent at `sent`; it yields the new
 *   rate, or undefined if a later request has lowered it already.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bucket {
  readonly reserve: (tokens: number) => Effect.Effect<number>
  readonly restore: (tokens: number) => Effect.Effect<void>
  readonly msUntil: (n: number, now: number) => number
  readonly blockedUntil: () => number
  readonly recordSuccess: (now: number) => Effect.Effect<void>
  readonly recordRefusal: (sent: number, now: number, pause: number) => Effect.Effect<number | undefined>
}

/**
 * A rate that adapts to refusals: `rate` in tokens per second, the times of its last change and its last decrease, and the end of the pause.
 * Times are milliseconds on one clock.
 *
 * @since 0.1.0
 * @category models
 */
export interface AdaptiveRate {
  readonly rate: number
  readonly updatedAt: number
  readonly loweredAt: number
  readonly blockedUntil: number
}

/** The share of the limit by which the rate recovers per second while requests succeed. */
const RECOVERY_PER_SECOND = 0.05

/** The lowest rate, as a share of the limit. */
const MIN_RATE_SHARE = 0.1

/** The factor by which the longest answer time decays with every answer. */
const ANSWER_TIME_DECAY = 0.9

/** The longest pause that a provider can ask for, in milliseconds. */
const MAX_PAUSE_MS = 60_000

/**
 * Makes a rate at its limit.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRate = (limit: number): AdaptiveRate => ({
  rate: limit,
  updatedAt: Number.NEGATIVE_INFINITY,
  loweredAt: Number.NEGATIVE_INFINITY,
  blockedUntil: Number.NEGATIVE_INFINITY
})

/**
 * The rate after a refusal: half of it, and a pause. Of several pauses the one that ends last counts. A request that was sent before the last
 * decrease only extends the pause.
 *
 * @since 0.1.0
 * @category operations
 */
export const lowerRate = (
  current: AdaptiveRate,
  limit: number,
  { now, pause, sent }: { readonly sent: number; readonly now: number; readonly pause: number }
): AdaptiveRate => {
  const blockedUntil = Math.max(current.blockedUntil, now + Math.min(pause, MAX_PAUSE_MS))
  if (sent < current.loweredAt)
    return blockedUntil === current.blockedUntil ? current : { ...current, blockedUntil }
  return {
    rate: Math.max(limit * MIN_RATE_SHARE, current.rate / 2),
    updatedAt: now,
    loweredAt: now,
    blockedUntil
  }
}

/**
 * The rate after a success: it recovers by 5 % of the limit per second.
 *
 * @since 0.1.0
 * @category operations
 */
export const raiseRate = (current: AdaptiveRate, limit: number, now: number): AdaptiveRate =>
  current.rate >= limit || now < current.blockedUntil
    ? current
    : {
        ...current,
        rate: Math.min(
          limit,
          current.rate + (limit * RECOVERY_PER_SECOND * Math.min(1_000, now - current.updatedAt)) / 1_000
        ),
        updatedAt: now
      }

/**
 * Makes a bucket in memory. During a pause no tokens are added, and at most one is kept: one request is sent when the pause ends, and the others
 * at the rate of that time.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLocalBucket = ({ perSecond: limit, burst = limit }: TokenRate): Bucket => {
  const size = Math.max(1, burst)
  let adaptive = makeRate(limit)
  let tokens = size
  let at = Number.NEGATIVE_INFINITY
  const refill = (now: number): void => {
    const since = Math.max(at, adaptive.blockedUntil)
    if (now > since && tokens < size)
      tokens = Math.min(size, tokens + ((now - since) * adaptive.rate) / 1_000)
    at = Math.max(at, now)
  }
  const due = (now: number): number => {
    const start = Math.max(0, adaptive.blockedUntil - now)
    return tokens >= 0 ? start : start - (tokens * 1_000) / adaptive.rate
  }
  return {
    reserve: (taken) =>
      Effect.clockWith((clock) => {
        const now = monotonic(clock)
        refill(now)
        tokens -= taken
        return Effect.succeed(due(now))
      }),
    restore: (unused) =>
      Effect.sync(() => {
        tokens = Math.min(size, tokens + unused)
      }),
    msUntil: (n, now) => {
      refill(now)
      return Math.max(0, adaptive.blockedUntil - now) + Math.max(0, ((n - tokens) * 1_000) / adaptive.rate)
    },
    blockedUntil: () => adaptive.blockedUntil,
    recordSuccess: (now) =>
      Effect.sync(() => {
        refill(now)
        adaptive = raiseRate(adaptive, limit, now)
      }),
    recordRefusal: (sent, now, pause) =>
      Effect.sync(() => {
        refill(now)
        const { loweredAt } = adaptive
        adaptive = lowerRate(adaptive, limit, { sent, now, pause })
        if (adaptive.blockedUntil > now) tokens = Math.min(tokens, 1)
        return sent < loweredAt ? undefined : adaptive.rate
      })
  }
}

/** A request that waits for its tokens. The lowest rank goes first, then the earliest deadline. */
interface Waiter {
  readonly rank: number
  readonly deadline: number
  readonly sequence: number
  readonly call: string
  readonly credits: number
  readonly resume: (outcome: Effect.Effect<void, QuotaExceeded>) => void
}

/**
 * The buckets of a queue: a call takes one token from `requests`, and one per credit from `credits`.
 *
 * @since 0.1.0
 * @category models
 */
export type QuotaBuckets =
  | { readonly requests: Bucket; readonly credits?: Bucket | undefined }
  | { readonly requests?: undefined; readonly credits: Bucket }

/**
 * The queue of a quota. `take` waits for the tokens of a call with these credits (default 0), or fails at once if they cannot be there by the
 * deadline (milliseconds on the monotonic clock). `restore` gives unused ones back. `bucket` records successes and refusals: the bucket of
 * requests, or that of credits if it is the only one, as `unit` says.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuotaQueue {
  readonly bucket: Bucket
  readonly unit: "requests" | "credits"
  readonly hasCredits: boolean
  readonly take: (
    rank: number,
    deadline: number,
    call: string,
    credits?: number
  ) => Effect.Effect<void, QuotaExceeded>
  readonly restore: (credits?: number) => Effect.Effect<void>
}

/** A bucket of a queue, with the tokens that are reserved for the first waiter and the time from which they may be used. */
interface ReservedBucket {
  readonly bucket: Bucket
  readonly costOf: (call: Pick<Waiter, "credits">) => number
  readonly hasFixedCost: boolean
  reserved: number
  readyAt: number
}

/** How often a serving queue checks whether a waiter is left, in milliseconds. */
const POLL_MS = 250

/** The resolution of timers, in milliseconds. */
const TIMER_RESOLUTION_MS = 1

/** Times that differ by less than this many milliseconds count as equal. */
const EPSILON_MS = 1e-6

const isBefore = (a: Waiter, b: Waiter): boolean =>
  a.rank !== b.rank
    ? a.rank < b.rank
    : a.deadline !== b.deadline
      ? a.deadline < b.deadline
      : a.sequence < b.sequence

/** The index at which a new waiter is inserted. */
const findInsertIndex = (waiting: ReadonlyArray<Waiter>, waiter: Waiter): number => {
  let [low, high] = [0, waiting.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = waiting[middle]
    if (other !== undefined && isBefore(other, waiter)) low = middle + 1
    else high = middle
  }
  return low
}

/** The sum of the tokens that calls need of each bucket. */
class TokenDemand {
  private readonly sums: Array<number>
  constructor(
    private readonly reservedBuckets: ReadonlyArray<ReservedBucket>,
    calls: ReadonlyArray<Waiter>
  ) {
    this.sums = reservedBuckets.map(({ costOf }) => calls.reduce((sum, call) => sum + costOf(call), 0))
  }
  add(call: Waiter, times = 1): this {
    for (const [i, { costOf }] of this.reservedBuckets.entries())
      this.sums[i] = (this.sums[i] ?? 0) + times * costOf(call)
    return this
  }
  /** The milliseconds until all of them are there. */
  timeToServe(now: number): number {
    let ms = 0
    for (const [i, { bucket, reserved }] of this.reservedBuckets.entries())
      ms = Math.max(ms, bucket.msUntil((this.sums[i] ?? 0) - reserved, now))
    return ms
  }
}

const refuseWaiter = ({ call, resume }: Waiter, ms: number): void =>
  resume(Effect.fail(new QuotaExceeded({ call, retryAfter: Math.max(1, Math.ceil(ms)) })))

/** The waiters, in the order in which they are served. */
class WaitingList {
  readonly waiters: Array<Waiter> = []
  isServing = false
  /** Ends the pause of the server. */
  wake: (() => void) | undefined
  constructor(private readonly reservedBuckets: ReadonlyArray<ReservedBucket>) {}

  private demandBefore(index: number): TokenDemand {
    return new TokenDemand(this.reservedBuckets, this.waiters.slice(0, index))
  }

  /** Refuses the waiters from an index on that cannot be served in time any more. */
  refuseLate(from: number, now: number): void {
    const needs = this.demandBefore(from)
    for (let i = from; i < this.waiters.length; ) {
      const waiter = this.waiters[i]
      if (waiter === undefined) return
      const ms = needs.add(waiter).timeToServe(now)
      if (now + ms <= waiter.deadline + EPSILON_MS) i++
      else {
        needs.add(waiter, -1)
        this.waiters.splice(i, 1)
        refuseWaiter(waiter, ms)
      }
    }
  }

  /** Adds a waiter. It is refused if it would be late, or make a waiter of its rank or a lower one late. */
  enter(waiter: Waiter, now: number): boolean {
    const place = findInsertIndex(this.waiters, waiter)
    const last = this.waiters.findLastIndex(({ rank }) => rank <= waiter.rank)
    const needs = this.demandBefore(place).add(waiter)
    const isLate = (deadline: number): boolean => now + needs.timeToServe(now) > deadline + EPSILON_MS
    if (
      isLate(waiter.deadline) ||
      this.waiters.slice(place, last + 1).some((each) => {
        needs.add(each)
        return isLate(each.deadline)
      })
    ) {
      refuseWaiter(
        waiter,
        this.demandBefore(last + 1)
          .add(waiter)
          .timeToServe(now)
      )
      return false
    }
    this.waiters.splice(place, 0, waiter)
    this.refuseLate(Math.max(place, last) + 1, now)
    if (place === 0) this.wake?.()
    return true
  }

  leave(waiter: Waiter): void {
    const index = this.waiters.indexOf(waiter)
    if (index >= 0) this.waiters.splice(index, 1)
  }
}

/** Reserves tokens of a bucket, and records when they may be used. */
const reserveTokens = (reservedBucket: ReservedBucket, tokens: number): Effect.Effect<void> =>
  Effect.flatMap(reservedBucket.bucket.reserve(tokens), (wait) =>
    Effect.clockWith((clock) => {
      if (wait > 0 || reservedBucket.reserved === 0) reservedBucket.readyAt = monotonic(clock) + wait
      reservedBucket.reserved += tokens
      return Effect.void
    })
  )

/** The time from which all reserved tokens may be used. */
const allReadyAt = (reservedBuckets: ReadonlyArray<ReservedBucket>): number =>
  Math.max(...reservedBuckets.map(({ reserved, readyAt }) => (reserved > 0 ? readyAt : 0)))

/**
 * Renews reservations that have waited for the other bucket, and yields the time from which all may be used. Without that, a bucket that fills
 * up meanwhile would give out the reserved tokens and a full burst at once.
 */
const renewReservations = (reservedBuckets: ReadonlyArray<ReservedBucket>): Effect.Effect<number> =>
  Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const late = reservedBuckets.filter(
      ({ reserved, readyAt }) => reserved > 0 && now >= readyAt + TIMER_RESOLUTION_MS
    )
    const renewed = Effect.forEach(
      reservedBuckets.length > 1 ? late : [],
      (reservedBucket) => {
        const { reserved } = reservedBucket
        reservedBucket.reserved = 0
        return Effect.zipRight(
          reservedBucket.bucket.restore(reserved),
          reserveTokens(reservedBucket, reserved)
        )
      },
      { discard: true }
    )
    return Effect.map(renewed, () => allReadyAt(reservedBuckets))
  })

/** Reserves the tokens that the first waiter lacks, and yields the time from which all may be used. */
const reserveFor = (
  reservedBuckets: ReadonlyArray<ReservedBucket>,
  first: Waiter | undefined
): Effect.Effect<number> => {
  const reserved = Effect.forEach(
    reservedBuckets,
    (each) => {
      const lacks = first === undefined ? 0 : each.costOf(first) - each.reserved
      return lacks <= 0 ? Effect.void : reserveTokens(each, lacks)
    },
    { discard: true }
  )
  return Effect.map(reserved, () => allReadyAt(reservedBuckets))
}

/** Ends the reservations, and gives back the tokens that the call, if any, does not need. */
const restoreUnused = (
  reservedBuckets: ReadonlyArray<ReservedBucket>,
  call?: Waiter
): Effect.Effect<void> => {
  const unused = reservedBuckets.map((each) => {
    const rest = call === undefined ? each.reserved : each.reserved - each.costOf(call)
    each.reserved = 0
    return rest > 0 ? each.bucket.restore(rest) : Effect.void
  })
  return Effect.all(unused, { discard: true })
}

/**
 * Makes the effect that serves the waiters until there are none. It reserves the tokens of one call at a time, for whoever is first when they
 * can be used.
 */
const makeServer = (
  waiting: WaitingList,
  reservedBuckets: ReadonlyArray<ReservedBucket>
): Effect.Effect<void> => {
  const isOfOnePrice = reservedBuckets.every(({ hasFixedCost }) => hasFixedCost)
  const woken = Effect.async<void>((resume) => {
    waiting.wake = () => resume(Effect.void)
  })
  const pause = (ms: number): Effect.Effect<void> =>
    isOfOnePrice ? Effect.sleep(ms) : Effect.raceFirst(Effect.sleep(ms), woken)

  /** Waits until the reserved tokens may be used. Yields false if the first waiter changes to one that needs fewer. */
  const waitUntilUsable = (ready: number): Effect.Effect<boolean> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      const until = Math.max(ready, ...reservedBuckets.map(({ bucket }) => bucket.blockedUntil()))
      // sums of fractions lose precision, and timers take whole milliseconds
      const left = Math.ceil(until - now - EPSILON_MS)
      waiting.refuseLate(0, now)
      const [next] = waiting.waiters
      if (left <= 0 || next === undefined) return Effect.succeed(true)
      if (reservedBuckets.some(({ reserved, costOf }) => costOf(next) < reserved))
        return Effect.succeed(false)
      return Effect.flatMap(pause(Math.min(left, POLL_MS)), () => waitUntilUsable(ready))
    })

  /** Lets the first waiter go, and gives back the tokens that it does not need. */
  const releaseFirst: Effect.Effect<void> = Effect.suspend(() => {
    const [next] = waiting.waiters
    // another waiter, which needs more, may be first by now
    if (next !== undefined && reservedBuckets.some(({ reserved, costOf }) => costOf(next) > reserved))
      return step
    waiting.waiters.shift()
    next?.resume(Effect.void)
    return restoreUnused(reservedBuckets, next)
  })

  const reserve = Effect.suspend(() => reserveFor(reservedBuckets, waiting.waiters[0]))
  const step: Effect.Effect<void> = Effect.flatMap(Effect.flatMap(reserve, waitUntilUsable), (isFirst) =>
    // a waiter that needs fewer tokens has become first, and must not wait for those of another
    Effect.flatMap(
      isFirst ? Effect.flatMap(renewReservations(reservedBuckets), waitUntilUsable) : Effect.succeed(false),
      (isUsable) => (isUsable ? releaseFirst : Effect.zipRight(restoreUnused(reservedBuckets), step))
    )
  )

  const serve: Effect.Effect<void> = Effect.suspend(() => {
    if (waiting.waiters.length > 0) return Effect.zipRight(step, serve)
    waiting.isServing = false
    return Effect.void
  })
  return serve
}

const toReservedBuckets = ({ credits, requests }: QuotaBuckets): ReadonlyArray<ReservedBucket> => {
  const one: ReservedBucket["costOf"] = () => 1
  const each: ReservedBucket["costOf"] = (call) => call.credits
  return [
    ...(requests === undefined
      ? []
      : [{ bucket: requests, costOf: one, hasFixedCost: true, reserved: 0, readyAt: 0 }]),
    ...(credits === undefined
      ? []
      : [{ bucket: credits, costOf: each, hasFixedCost: false, reserved: 0, readyAt: 0 }])
  ]
}

/**
 * Makes the queue of a quota.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeQueue = (buckets: QuotaBuckets): QuotaQueue => {
  const reservedBuckets = toReservedBuckets(buckets)
  const waiting = new WaitingList(reservedBuckets)
  const serve = makeServer(waiting, reservedBuckets)
  let turns = 0

  const join = (waiter: Waiter, runtime: Runtime.Runtime<never>, now: number): Effect.Effect<void> => {
    if (waiting.enter(waiter, now) && !waiting.isServing) {
      waiting.isServing = true
      Runtime.runFork(runtime, serve)
    }
    return Effect.sync(() => waiting.leave(waiter))
  }

  return {
    ...(buckets.requests === undefined
      ? { bucket: buckets.credits, unit: "credits" }
      : { bucket: buckets.requests, unit: "requests" }),
    hasCredits: buckets.credits !== undefined,
    restore: (credits = 0) =>
      Effect.forEach(reservedBuckets, ({ bucket, costOf }) => bucket.restore(costOf({ credits })), {
        discard: true
      }),
    take: (rank, deadline, call, credits = 0) =>
      Effect.flatMap(Effect.runtime<never>(), (runtime) =>
        Effect.clockWith((clock) =>
          Effect.async<void, QuotaExceeded>((resume) =>
            join({ rank, deadline, sequence: ++turns, call, credits, resume }, runtime, monotonic(clock))
          )
        )
      )
  }
}

/** The ranks: writes, requests of calls that have started, and calls that have not started. */
const [WRITE_RANK, STARTED_RANK, CALL_RANK] = [0, 1, 2]

/**
 * Records, by network, how many milliseconds a call has waited for its turn.
 *
 * @since 0.1.0
 * @category observability
 */
export type RecordWait = (network: string) => (ms: number) => void

/**
 * Records, by network, the credits of an answered call of a route.
 *
 * @since 0.1.0
 * @category observability
 */
export type RecordSpent = (network: string) => (route: string, credits: number) => void

/** The tokens that a call has taken before it was sent. */
interface Payment {
  readonly queue: QuotaQueue
  readonly rank: number
  readonly call: string
  readonly credits: number
  requestsLeft: number
}

class CallPayment extends Context.Reference<CallPayment>()("effect-chains/transport/Quota/Paid", {
  defaultValue: (): Payment | undefined => undefined
}) {}

/** The pause after a 429 without `Retry-After`, in milliseconds. */
const DEFAULT_PAUSE_MS = 1_000

/** The queues of a quota: of the API key, and of nodes by their urls. */
interface QuotaQueues {
  readonly key: QuotaQueue | undefined
  readonly nodes: ReadonlyMap<string, QuotaQueue>
}

/** A url without user info, query and trailing slash, in the spelling of `URL`. */
const normalizeUrl = (url: string): string => {
  const { host, pathname, protocol } = new URL(url)
  return `${protocol}//${host}${withoutTail(pathname, "/")}`
}

/** Makes the check whether the provider counts a request: it has the API key, or it goes to the provider if there is no key. */
const makeIsCounted = (config: ResolvedConfig): ((request: HttpRequest) => boolean) => {
  const keys = [config.apiKey.V3, config.apiKey.V4].flatMap((each) =>
    each === undefined ? [] : [Redacted.value(each)]
  )
  return ({ headers, url }) =>
    keys.length === 0
      ? isProviderUrl(config, url)
      : keys.some((each) => headers["x-api-key"] === each || url.includes(`/${each}`))
}

/** Makes the look-up of a request's queue: that of its node, else that of the API key if the provider counts the request. */
const makeFindQueue = (
  { key, nodes }: QuotaQueues,
  isCounted: (request: HttpRequest) => boolean
): ((request: HttpRequest) => QuotaQueue | undefined) => {
  return (request) => {
    const bare = normalizeUrl(request.url)
    let own = ""
    for (const node of nodes.keys())
      if (node.length > own.length && (bare === node || bare.startsWith(`${node}/`))) own = node
    return nodes.get(own) ?? (isCounted(request) ? key : undefined)
  }
}

/** The path of a request to the provider's API, from the version on; undefined for a request to a node. */
const findRoute = ({ baseUrl, baseUrlOverride }: ResolvedConfig, url: string): string | undefined => {
  const base = [`${baseUrl}/v`, ...(baseUrlOverride === undefined ? [] : [`${baseUrlOverride}/`])].find(
    (each) => url.startsWith(each)
  )
  if (base === undefined || url.includes("/blockchain/node/")) return undefined
  const path = /\/(v\d\/[^?]*)/.exec(url)?.[1]
  return path ?? `v4/${url.slice(base.length).replace(/\?.*/, "")}`
}

/** The charges of a request to the provider. Node lists are files, which cost nothing. */
const chargesOf = (config: ResolvedConfig, { body, method, url }: HttpRequest): ReadonlyArray<Charge> => {
  // a provider may have its lists beside all else
  if (url.startsWith(`${config.nodeListUrl}/`) && url.endsWith("/list.json")) return []
  const route = findRoute(config, url)
  return route === undefined
    ? chargesOfNode(method, new URL(url).pathname, body)
    : [chargeOfRoute(method, route)]
}

const sumCredits = (charges: ReadonlyArray<Charge>): number =>
  charges.reduce((sum, { credits = 0 }) => sum + credits, 0)

/** The queue that all nodes of a client share; undefined if they have different ones. */
const findCommonQueue = (
  findQueue: (request: HttpRequest) => QuotaQueue | undefined,
  config: ResolvedConfig
): QuotaQueue | undefined => {
  const key = config.apiKey[config.version]
  const header = (sent: boolean) => (sent && key !== undefined ? { "x-api-key": Redacted.value(key) } : {})
  const targets = config.nodes ?? [{ url: config.baseUrl, sendApiKey: true }]
  const found = targets.map(({ sendApiKey, url }) =>
    findQueue({
      method: "POST",
      url,
      headers: header(sendApiKey || isProviderUrl(config, url)),
      timeout: 0,
      maxBytes: 0
    })
  )
  return found.every((queue) => queue === found[0]) ? found[0] : undefined
}

/** The rank of a request: those of services are calls that have not started, all others belong to calls or to checks. */
const rankOf = (config: ResolvedConfig, { method, url }: HttpRequest): number =>
  !url.startsWith(`${config.baseUrl}/v`) || url.includes("/blockchain/node/")
    ? STARTED_RANK
    : method === "GET"
      ? CALL_RANK
      : WRITE_RANK

/** The name of a request in `QuotaExceeded`: the path for services, the host for nodes, since their paths may contain a key. */
const labelOf = (rank: number, { method, url }: HttpRequest): string => {
  const { host, pathname } = new URL(url)
  return `${method} ${rank === STARTED_RANK ? host : pathname.replace(/^\/v\d+\//, "")}`
}

/** A call that asks for its turn. It has to end within `timeout`, by `deadline`. */
interface TurnRequest {
  readonly rank: number
  readonly call: string
  readonly credits: number
  readonly timeout: number
  readonly deadline: number
}

/** Sends the requests of a client within its quota. */
interface QuotaSender {
  readonly take: (queue: QuotaQueue, turn: TurnRequest) => Effect.Effect<void, QuotaExceeded>
  readonly send: (queue: QuotaQueue, request: HttpRequest) => ReturnType<HttpService["send"]>
}

const makeQuotaSender = (
  http: HttpService,
  refused: (unit: QuotaQueue["unit"], rate: number, ms: number) => Effect.Effect<void>,
  waited: (ms: number) => void
): QuotaSender => {
  /** The longest answer time of late, in milliseconds. */
  let answer = 0

  const recordResponse = (queue: QuotaQueue, response: HttpResponse, sent: number): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      answer = Math.max(now - sent, answer * ANSWER_TIME_DECAY)
      if (response.status !== 429)
        return response.status < 400 ? queue.bucket.recordSuccess(now) : Effect.void
      const ms = parseRetryAfter(response, clock) ?? DEFAULT_PAUSE_MS
      return Effect.flatMap(queue.bucket.recordRefusal(sent, now, ms), (rate) =>
        rate === undefined ? Effect.void : refused(queue.unit, rate, ms)
      )
    })

  return {
    take: (queue, { call, credits, deadline, rank, timeout }) =>
      Effect.clockWith((clock) => {
        const from = monotonic(clock)
        // a later turn would leave no time for the answer
        const due = deadline - Math.min(answer, timeout / 2)
        return Effect.map(queue.take(rank, due, call, credits), () => waited(monotonic(clock) - from))
      }),
    send: (queue, request) =>
      Effect.clockWith((clock) => {
        const sent = monotonic(clock)
        return Effect.tap(http.send(request), (response) => recordResponse(queue, response, sent))
      })
  }
}

/** The meters of waiting times and credits. */
interface Meters {
  readonly waited: RecordWait
  readonly spent: RecordSpent
}

type ReportEvent = QuotaPool["report"]

/** Makes the function that sends a request after its turn, or at once if its call has paid for it. */
const makeSendInTurn =
  (
    turns: QuotaSender,
    config: ResolvedConfig,
    reportOverQuota: (error: QuotaExceeded) => Effect.Effect<void>
  ) =>
  (queue: QuotaQueue, request: HttpRequest, credits: number): ReturnType<HttpService["send"]> =>
    Effect.flatMap(CallPayment, (paid) =>
      Effect.clockWith((clock) => {
        if (paid?.queue === queue && paid.requestsLeft > 0 && paid.credits === credits) {
          paid.requestsLeft--
          return turns.send(queue, request)
        }
        const { timeout } = request
        const deadline = monotonic(clock) + timeout
        const rank = paid === undefined ? rankOf(config, request) : Math.min(paid.rank, STARTED_RANK)
        const call = paid?.call ?? labelOf(rank, request)
        return Effect.matchEffect(turns.take(queue, { rank, call, credits, timeout, deadline }), {
          onFailure: (error) =>
            Effect.zipRight(
              // the pool reports those of calls and checks
              rank === STARTED_RANK ? Effect.void : reportOverQuota(error),
              Effect.fail(
                new HttpFailure({
                  kind: "connect",
                  reason: error.message,
                  rejection: { fault: "elsewhere", error, unsent: true }
                })
              )
            ),
          onSuccess: () =>
            turns.send(queue, { ...request, timeout: Math.max(1, deadline - monotonic(clock)) })
        })
      })
    )

/** Makes the function that sends a call once it has paid for its first request. */
const makePayFirst =
  (
    turns: QuotaSender,
    config: ResolvedConfig,
    reportOverQuota: (error: QuotaExceeded) => Effect.Effect<void>
  ) =>
  <A>(queue: QuotaQueue, call: Call<A>, inner: TransportService): Effect.Effect<A, CallError> =>
    Effect.flatMap(CallOptions, (options) =>
      Effect.clockWith((clock) => {
        const timeout = options.timeout ?? Math.max(call.minTimeout ?? 0, config.timeout)
        const deadline = monotonic(clock) + timeout
        const rank = call.repeat === "read" ? CALL_RANK : WRITE_RANK
        const credits = queue.hasCredits ? sumCredits(chargesOfNode(call.verb, call.path, call.body)) : 0
        const paid: Payment = { queue, rank, call: call.label, credits, requestsLeft: 1 }
        const sent = Effect.suspend(() => {
          const rest = { ...options, timeout: Math.max(1, deadline - monotonic(clock)) }
          return Effect.provideService(
            Effect.provideService(inner.send(call), CallPayment, paid),
            CallOptions,
            rest
          )
        })
        const unused = Effect.suspend(() => (paid.requestsLeft > 0 ? queue.restore(credits) : Effect.void))
        const turn = Effect.tapError(
          turns.take(queue, { rank, call: call.label, credits, timeout, deadline }),
          reportOverQuota
        )
        return Effect.mapError(
          Effect.flatMap(turn, () => Effect.ensuring(sent, unused)),
          (error) =>
            error._tag === "CallTimeout"
              ? copyError(error, (value, field) => (field === "timeout" ? timeout : value))
              : error
        )
      })
    )

/** Makes the function that adds charges to an account. Every answer counts: the provider does not say which ones are free. */
const makeChargeAccount =
  ({ charge }: Account, spent: ReturnType<RecordSpent>, tell: ReportEvent) =>
  (url: string, charges: ReadonlyArray<Charge>): Effect.Effect<void> =>
    Effect.forEach(
      charges,
      (each) => {
        const added = charge(each)
        if (added.credits !== undefined) spent(added.route, added.credits)
        return tell({ _tag: "Charged", url: displayUrl(url), ...added })
      },
      { discard: true }
    )

const makeLimitedClient = (
  queues: QuotaQueues,
  http: HttpService,
  config: ResolvedConfig,
  meters: Meters
): LimitedClient => {
  const isCounted = makeIsCounted(config)
  const findQueue = makeFindQueue(queues, isCounted)
  const commonQueue = findCommonQueue(findQueue, config)
  const account = makeAccount()
  let pool: QuotaPool | undefined
  const report: ReportEvent = (event) => pool?.report(event) ?? Effect.void
  const reportOverQuota = ({ call, retryAfter: ms }: QuotaExceeded): Effect.Effect<void> =>
    report({ _tag: "OverQuota", call, ms })
  const turns = makeQuotaSender(
    http,
    (unit, rate, ms) => report({ _tag: "Limited", rate, unit, ms }),
    meters.waited(config.network)
  )
  const sendInTurn = makeSendInTurn(turns, config, reportOverQuota)
  const payFirst = makePayFirst(turns, config, reportOverQuota)
  const chargeAccount = makeChargeAccount(account, meters.spent(config.network), report)

  const send: HttpService["send"] = (request) => {
    const queue = findQueue(request)
    const charges = isCounted(request) ? chargesOf(config, request) : []
    const sent =
      queue === undefined
        ? http.send(request)
        : sendInTurn(queue, request, queue.hasCredits ? sumCredits(charges) : 0)
    return charges.length === 0 ? sent : Effect.tap(sent, () => chargeAccount(request.url, charges))
  }

  return {
    http: { ...http, send },
    credits: account.read,
    limitTransport: (inner) => {
      pool = inner
      return commonQueue === undefined
        ? inner
        : { ...inner, send: (call) => payFirst(commonQueue, call, inner) }
    }
  }
}

const checkPerSecond: OptionCheck = (value) =>
  typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "must be a number above 0"

const checkLimit = shape({
  requestsPerSecond: checkPerSecond,
  burst: (value) =>
    typeof value === "number" && value >= 1 && Number.isFinite(value)
      ? undefined
      : "must be a number from 1: fewer requests than one are never sent"
})

const checkRate = shape({
  perSecond: checkPerSecond,
  burst: (value) =>
    typeof value === "number" && value >= 1 && Number.isFinite(value) ? undefined : "must be a number from 1"
})

/** The issues of a limit in credits. */
const findCreditIssues = (rate: unknown): ReadonlyArray<ConfigIssue> =>
  rate === undefined
    ? []
    : isRecord(rate) && rate.perSecond === undefined
      ? [{ path: "quota.credits.perSecond", message: "is missing" }, ...checkRate(rate, "quota.credits")]
      : checkRate(rate, "quota.credits")

/** The rate of a limit's bucket. */
const toTokenRate = ({ burst, requestsPerSecond }: Limit): TokenRate => ({
  perSecond: requestsPerSecond,
  ...(burst === undefined ? {} : { burst })
})

/** The issues of a limit. */
const findLimitIssues = (path: string, limit: unknown): ReadonlyArray<ConfigIssue> =>
  isRecord(limit) && limit.requestsPerSecond === undefined
    ? [{ path: `${path}.requestsPerSecond`, message: "is missing" }, ...checkLimit(limit, path)]
    : checkLimit(limit, path)

/** The limit of a node, and where the options have it. */
interface RequestedLimit {
  readonly path: string
  readonly url: string
  readonly limit: Limit
}

/** Adds limits of nodes to `limits`, and yields their issues. A node has one limit, however its url is written. */
const addLimits = (limits: Map<string, Required<Limit>>, requested: ReadonlyArray<RequestedLimit>) =>
  requested.flatMap(({ limit, path, url }): ReadonlyArray<ConfigIssue> => {
    const issues = findLimitIssues(path, limit)
    if (issues.length > 0) return issues
    const { requestsPerSecond, burst = requestsPerSecond } = limit
    const node = normalizeUrl(url)
    const found = limits.get(node) ?? { requestsPerSecond, burst }
    limits.set(node, found)
    return found.requestsPerSecond === requestsPerSecond && found.burst === burst
      ? []
      : [{ path, message: "is not the one that this quota has for the node already" }]
  })

/** Adds the urls of the nodes' other servers to the queues: a plan counts all requests to a node. */
const withServers = (
  queues: ReadonlyMap<string, QuotaQueue>,
  { nodes = [] }: ResolvedConfig
): ReadonlyMap<string, QuotaQueue> => {
  const all = new Map(queues)
  for (const { servers = {}, url } of nodes) {
    const queue = queues.get(normalizeUrl(url))
    if (queue !== undefined)
      for (const server of Object.values(servers)) all.set(normalizeUrl(server.url), queue)
  }
  return all
}

/**
 * Makes a quota over buckets of your own. `bucketOf` is called once per limit: with the name `key` for the API key, `credits` for its credits,
 * and with its url for each node. `waited` gets the waiting time of each call, `spent` the credits of each answered call. Throws
 * `InvalidConfig` for invalid limits.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeQuota = (
  { credits, nodes = {}, ...limit }: QuotaOptions,
  bucketOf: (name: string, rate: TokenRate) => Bucket,
  waited: RecordWait = () => () => {},
  spent: RecordSpent = () => () => {}
): Quota => {
  const { requestsPerSecond } = limit
  const queues = new Map<string, QuotaQueue>()
  let limits = new Map<string, Required<Limit>>()
  /** Adds all of these limits, or none if one is invalid. */
  const addNodeLimits = (requested: ReadonlyArray<RequestedLimit>): ReadonlyArray<ConfigIssue> => {
    const wanted = new Map(limits)
    const issues = addLimits(wanted, requested)
    if (issues.length > 0) return issues
    limits = wanted
    for (const [node, each] of limits)
      if (!queues.has(node)) queues.set(node, makeQueue({ requests: bucketOf(node, toTokenRate(each)) }))
    return issues
  }
  const given = Object.entries(nodes).map(([url, each]) => ({ path: "quota.nodes", url, limit: each }))
  const issues = [
    ...(Object.keys(limit).length === 0 ? [] : findLimitIssues("quota", limit)),
    ...findCreditIssues(credits),
    ...(given.every(({ url }) => URL.canParse(url))
      ? addNodeLimits(given)
      : [{ path: "quota.nodes", message: "must be limits by the urls of nodes" }])
  ]
  if (issues.length > 0) throw new InvalidConfig({ issues })
  const creditBucket = credits && bucketOf("credits", credits)
  const key =
    requestsPerSecond !== undefined
      ? makeQueue({
          requests: bucketOf("key", toTokenRate({ ...limit, requestsPerSecond })),
          credits: creditBucket
        })
      : creditBucket && makeQueue({ credits: creditBucket })
  return (http, config) =>
    Effect.suspend(() => {
      const found = addNodeLimits(
        (config.nodes ?? []).flatMap(({ quota, url }, i) =>
          quota === undefined ? [] : [{ path: `rpc.nodes[${i}].quota`, url, limit: quota }]
        )
      )
      return found.length > 0
        ? Effect.fail(new InvalidConfig({ issues: found }))
        : Effect.succeed(
            makeLimitedClient({ key, nodes: withServers(queues, config) }, http, config, { waited, spent })
          )
    })
}

/**
 * Makes the option `quota` of clients: the limits of an API key and of nodes, in memory. All clients with the same value share it.
 *
 * ```ts
 * const shared = quota({ requestsPerSecond: 50, burst: 50 })
 * const ethereum = await init({ network: "ethereum-mainnet", apiKey, quota: shared })
 * const polygon = await init({ network: "polygon-mainnet", apiKey, quota: shared })
 * ```
 *
 * Calls wait for their turn within their deadlines, writes first. A call that cannot be served in time fails at once with `QuotaExceeded`. A
 * 429 halves the rate and starts the pause that it asks for; while requests succeed, the rate recovers. Clients with a quota count their
 * credits: `sdk.credits()` has them. Throws `InvalidConfig` for invalid limits.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quota = (options: QuotaOptions = {}): Quota =>
  makeQuota(options, (_, rate) => makeLocalBucket(rate))
