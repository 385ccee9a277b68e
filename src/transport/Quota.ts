/**
 * The quota of a key: requests wait for their turn in the client, in place of being refused by the provider. It counts the credits that
 * they cost, too.
 *
 * A call waits before it is sent, so that its node is not blamed for the time: it pays for its first request there. Every further one
 * (a second attempt, an early read, a check of a node) pays for itself, and before calls that have not begun. Writes go first of all,
 * then the call with the earliest deadline. What cannot be served in time fails at once, and nothing of it is sent.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Runtime from "effect/Runtime"
import {
  isProviderUrl,
  type Limit,
  type LimitedClient,
  type OptionCheck,
  type Quota,
  type QuotaPool,
  type ResolvedConfig,
  shape
} from "../config/Config.js"
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
 * The rate of a bucket: `perSecond` tokens come in a second, and `burst` of them are there after a rest (default: those of a second).
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenRate {
  readonly perSecond: number
  readonly burst?: number
}

/**
 * The limit of a key in requests, in `credits`, or in both, and those of nodes of one's own by their urls, which hold for all requests to
 * these nodes. Nodes have limits in their entries of a configuration, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuotaOptions extends Partial<Limit> {
  /** The credits of a second, and those that may be spent at once after a rest. A call that costs more than these goes when it has waited. */
  readonly credits?: TokenRate
  readonly nodes?: Readonly<Record<string, Limit>>
}

/**
 * Where tokens come from: one per request, or one per credit. `reserve` takes some and yields the milliseconds until they may be used,
 * `restore` gives back those that nobody has used. `after` says in how many milliseconds the n-th token from now will be there, and takes
 * none; `until` is the time (`monotonic`) before which nothing may be sent. `answered` and `refused` (429) tell how a request went that was
 * sent at a time; the latter yields the rate from now on, or undefined where it knew that already.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bucket {
  readonly reserve: (tokens: number) => Effect.Effect<number>
  readonly restore: (tokens: number) => Effect.Effect<void>
  readonly waitFor: (n: number, now: number) => number
  readonly blockedUntil: () => number
  readonly recordSuccess: (now: number) => Effect.Effect<void>
  readonly recordRefusal: (sent: number, now: number, pause: number) => Effect.Effect<number | undefined>
}

/**
 * A rate that gives way to refusals: the tokens of a second now, since when, and until when nothing is sent. Times are milliseconds on
 * one clock.
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

/** The share of the limit that the rate wins back in a second in which requests succeed. */
const RECOVERY_PER_SECOND = 0.05

/** The lowest rate, as a share of the limit. */
const MIN_RATE_SHARE = 0.1

/** How much of a long answer is remembered after a shorter one. */
const ANSWER_TIME_DECAY = 0.9

/** No provider is believed that asks for a longer pause, in milliseconds. */
const MAX_PAUSE_MS = 60_000

/**
 * A pace at the limit.
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
 * The pace after a refusal: half the rate, and nothing until the pause is over. A pause is a moment: of several that were told the latest
 * one counts, however often they are. Of requests that were sent before the rate was lowered it is told all the same, and the rate is
 * as it was.
 *
 * @since 0.1.0
 * @category operations
 */
export const lowerRate = (
  pace: AdaptiveRate,
  limit: number,
  { now, pause, sent }: { readonly sent: number; readonly now: number; readonly pause: number }
): AdaptiveRate => {
  const blockedUntil = Math.max(pace.blockedUntil, now + Math.min(pause, MAX_PAUSE_MS))
  if (sent < pace.loweredAt) return blockedUntil === pace.blockedUntil ? pace : { ...pace, blockedUntil }
  return {
    rate: Math.max(limit * MIN_RATE_SHARE, pace.rate / 2),
    updatedAt: now,
    loweredAt: now,
    blockedUntil
  }
}

/**
 * The pace after a success: a twentieth of the limit more for a second.
 *
 * @since 0.1.0
 * @category operations
 */
export const raiseRate = (pace: AdaptiveRate, limit: number, now: number): AdaptiveRate =>
  pace.rate >= limit || now < pace.blockedUntil
    ? pace
    : {
        ...pace,
        rate: Math.min(
          limit,
          pace.rate + (limit * RECOVERY_PER_SECOND * Math.min(1_000, now - pace.updatedAt)) / 1_000
        ),
        updatedAt: now
      }

/**
 * A bucket of this process. During a pause no token comes, and of those that there were one stays: the first request goes when the pause
 * is over, and the others at the rate that there is then.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeLocalBucket = ({ perSecond: limit, burst = limit }: TokenRate): Bucket => {
  const size = Math.max(1, burst)
  let pace = makeRate(limit)
  let tokens = size
  let at = Number.NEGATIVE_INFINITY
  const refill = (now: number): void => {
    const since = Math.max(at, pace.blockedUntil)
    if (now > since && tokens < size) tokens = Math.min(size, tokens + ((now - since) * pace.rate) / 1_000)
    at = Math.max(at, now)
  }
  const due = (now: number): number => {
    const start = Math.max(0, pace.blockedUntil - now)
    return tokens >= 0 ? start : start - (tokens * 1_000) / pace.rate
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
    waitFor: (n, now) => {
      refill(now)
      return Math.max(0, pace.blockedUntil - now) + Math.max(0, ((n - tokens) * 1_000) / pace.rate)
    },
    blockedUntil: () => pace.blockedUntil,
    recordSuccess: (now) =>
      Effect.sync(() => {
        refill(now)
        pace = raiseRate(pace, limit, now)
      }),
    recordRefusal: (sent, now, pause) =>
      Effect.sync(() => {
        refill(now)
        const { loweredAt } = pace
        pace = lowerRate(pace, limit, { sent, now, pause })
        if (pace.blockedUntil > now) tokens = Math.min(tokens, 1)
        return sent < loweredAt ? undefined : pace.rate
      })
  }
}

/** One that waits for its tokens: those of the lowest rank go first, and then those with the earliest deadline. */
interface Waiter {
  readonly rank: number
  readonly deadline: number
  readonly sequence: number
  readonly call: string
  readonly credits: number
  readonly resume: (outcome: Effect.Effect<void, QuotaExceeded>) => void
}

/**
 * The buckets of a queue: every call takes a token from that of `requests`, and one for each credit from that of `credits`.
 *
 * @since 0.1.0
 * @category models
 */
export type QuotaBuckets =
  | { readonly requests: Bucket; readonly credits?: Bucket | undefined }
  | { readonly requests?: undefined; readonly credits: Bucket }

/**
 * The queue before buckets. `take` waits for the tokens of a call that costs so many credits (default 0), or fails at once where they
 * will not be there by the deadline (`monotonic`). `restore` gives them back unused. `bucket` is told how requests went: that of requests,
 * or that of credits where it is the only one. `unit` says which one it is.
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

/** A bucket of a queue: the tokens that a call takes, those that are reserved for the first one that waits, and when they may be used. */
interface ReservedBucket {
  readonly bucket: Bucket
  readonly costOf: (call: Pick<Waiter, "credits">) => number
  readonly hasFixedCost: boolean
  reserved: number
  readyAt: number
}

/** The pump of a queue looks so often whether somebody is still waiting, in milliseconds. */
const POLL_MS = 250

/** Timers know whole milliseconds. */
const TIMER_RESOLUTION_MS = 1

/** Times that differ by less, in milliseconds, are the same. */
const EPSILON_MS = 1e-6

const isBefore = (a: Waiter, b: Waiter): boolean =>
  a.rank !== b.rank
    ? a.rank < b.rank
    : a.deadline !== b.deadline
      ? a.deadline < b.deadline
      : a.sequence < b.sequence

/** The index of the first waiter that a new one goes before. */
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

/** The tokens that calls need of each bucket, added up. */
class TokenDemand {
  private readonly sums: Array<number>
  constructor(
    private readonly purses: ReadonlyArray<ReservedBucket>,
    calls: ReadonlyArray<Waiter>
  ) {
    this.sums = purses.map(({ costOf }) => calls.reduce((sum, call) => sum + costOf(call), 0))
  }
  add(call: Waiter, times = 1): this {
    for (const [i, { costOf }] of this.purses.entries())
      this.sums[i] = (this.sums[i] ?? 0) + times * costOf(call)
    return this
  }
  /** In how many milliseconds the last one of them is served. */
  timeToServe(now: number): number {
    let ms = 0
    for (const [i, { bucket, reserved }] of this.purses.entries())
      ms = Math.max(ms, bucket.waitFor((this.sums[i] ?? 0) - reserved, now))
    return ms
  }
}

const refuseWaiter = ({ call, resume }: Waiter, ms: number): void =>
  resume(Effect.fail(new QuotaExceeded({ call, retryAfter: Math.max(1, Math.ceil(ms)) })))

/** Those who wait, in the order in which they are served. */
class WaitingList {
  readonly waiters: Array<Waiter> = []
  isServing = false
  /** Ends a pause of those who serve. */
  wake: (() => void) | undefined
  constructor(private readonly purses: ReadonlyArray<ReservedBucket>) {}

  private demandBefore(index: number): TokenDemand {
    return new TokenDemand(this.purses, this.waiters.slice(0, index))
  }

  /** Refuses those from an index on that cannot be served in time any more. */
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

  /** One who would be too late himself, or make somebody of his rank too late who was let in before, is refused. */
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

/** Reserves tokens of a bucket, and notes when they may be used. */
const reserveTokens = (purse: ReservedBucket, tokens: number): Effect.Effect<void> =>
  Effect.flatMap(purse.bucket.reserve(tokens), (wait) =>
    Effect.clockWith((clock) => {
      if (wait > 0 || purse.reserved === 0) purse.readyAt = monotonic(clock) + wait
      purse.reserved += tokens
      return Effect.void
    })
  )

/** When all that is reserved may be used. */
const allReadyAt = (purses: ReadonlyArray<ReservedBucket>): number =>
  Math.max(...purses.map(({ reserved, readyAt }) => (reserved > 0 ? readyAt : 0)))

/**
 * Reserves anew what waited for the tokens of the other bucket, and yields when all of it may be used: a bucket that fills up while
 * tokens of it are held would give them and a full burst at once.
 */
const renewReservations = (purses: ReadonlyArray<ReservedBucket>): Effect.Effect<number> =>
  Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const late = purses.filter(
      ({ reserved, readyAt }) => reserved > 0 && now >= readyAt + TIMER_RESOLUTION_MS
    )
    const renewed = Effect.forEach(
      purses.length > 1 ? late : [],
      (purse) => {
        const { reserved } = purse
        purse.reserved = 0
        return Effect.zipRight(purse.bucket.restore(reserved), reserveTokens(purse, reserved))
      },
      { discard: true }
    )
    return Effect.map(renewed, () => allReadyAt(purses))
  })

/**
 * Serves those who wait, until there are none. The tokens of one call are reserved at a time, for whoever is first when they can be
 * used.
 */
const makeServer = (waiting: WaitingList, purses: ReadonlyArray<ReservedBucket>): Effect.Effect<void> => {
  const isOfOnePrice = purses.every(({ hasFixedCost }) => hasFixedCost)
  const woken = Effect.async<void>((resume) => {
    waiting.wake = () => resume(Effect.void)
  })
  const pause = (ms: number): Effect.Effect<void> =>
    isOfOnePrice ? Effect.sleep(ms) : Effect.raceFirst(Effect.sleep(ms), woken)

  /** Waits until reserved tokens may be used, as long as the first one needs all of them: yields whether they may be. */
  const usable = (ready: number): Effect.Effect<boolean> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      const until = Math.max(ready, ...purses.map(({ bucket }) => bucket.blockedUntil()))
      // sums of fractions lose their last digits, and timers know whole milliseconds
      const left = Math.ceil(until - now - EPSILON_MS)
      waiting.refuseLate(0, now)
      const [next] = waiting.waiters
      if (left <= 0 || next === undefined) return Effect.succeed(true)
      if (purses.some(({ reserved, costOf }) => costOf(next) < reserved)) return Effect.succeed(false)
      return Effect.flatMap(pause(Math.min(left, POLL_MS)), () => usable(ready))
    })

  /** Reserves what the first one lacks, and yields when all of it may be used. */
  const reserve: Effect.Effect<number> = Effect.suspend(() => {
    const [next] = waiting.waiters
    const reserved = Effect.forEach(
      purses,
      (purse) => {
        const lacks = next === undefined ? 0 : purse.costOf(next) - purse.reserved
        return lacks <= 0 ? Effect.void : reserveTokens(purse, lacks)
      },
      { discard: true }
    )
    return Effect.map(reserved, () => allReadyAt(purses))
  })

  /** Gives back all that is reserved, but for what a call takes. */
  const restore = (call: Waiter | undefined): Effect.Effect<void> => {
    const unused = purses.map((purse) => {
      const rest = call === undefined ? purse.reserved : purse.reserved - purse.costOf(call)
      purse.reserved = 0
      return rest > 0 ? purse.bucket.restore(rest) : Effect.void
    })
    return Effect.all(unused, { discard: true })
  }

  /** Gives the reserved tokens to the first one, and those that it does not need back. */
  const hand: Effect.Effect<void> = Effect.suspend(() => {
    const [next] = waiting.waiters
    // another one may be first by now, who needs more
    if (next !== undefined && purses.some(({ reserved, costOf }) => costOf(next) > reserved)) return step
    waiting.waiters.shift()
    next?.resume(Effect.void)
    return restore(next)
  })

  const step: Effect.Effect<void> = Effect.flatMap(Effect.flatMap(reserve, usable), (isFirst) =>
    // one who needs less has come first, and does not wait for the tokens of another
    Effect.flatMap(
      isFirst ? Effect.flatMap(renewReservations(purses), usable) : Effect.succeed(false),
      (isUsable) => (isUsable ? hand : Effect.zipRight(restore(undefined), step))
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
 * A queue before buckets.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeQueue = (buckets: QuotaBuckets): QuotaQueue => {
  const purses = toReservedBuckets(buckets)
  const waiting = new WaitingList(purses)
  const serve = makeServer(waiting, purses)
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
      Effect.forEach(purses, ({ bucket, costOf }) => bucket.restore(costOf({ credits })), {
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

/** Writes, what belongs to calls that have begun, and calls that have not. */
const [WRITE_RANK, STARTED_RANK, CALL_RANK] = [0, 1, 2]

/**
 * What is told, by network, how many milliseconds a call has waited for its turn.
 *
 * @since 0.1.0
 * @category observability
 */
export type RecordWait = (network: string) => (ms: number) => void

/**
 * What is told, by network, that an answered call of a route has cost so many credits.
 *
 * @since 0.1.0
 * @category observability
 */
export type RecordSpent = (network: string) => (route: string, credits: number) => void

/** The tokens that a call has paid with before it was sent. */
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

/** The pause after a 429 that says of none, in milliseconds. */
const DEFAULT_PAUSE_MS = 1_000

/** The queues of a quota: that of the key, and those of nodes by their urls. */
interface QuotaQueues {
  readonly key: QuotaQueue | undefined
  readonly nodes: ReadonlyMap<string, QuotaQueue>
}

/** A url without its user info, which goes into a header, and as all write it. */
const normalizeUrl = (url: string): string => {
  const { host, pathname, protocol } = new URL(url)
  return `${protocol}//${host}${withoutTail(pathname, "/")}`
}

/** Whether a request is the provider's to count: it carries the key, or goes to the provider where there is none. */
const makeIsCounted = (config: ResolvedConfig): ((request: HttpRequest) => boolean) => {
  const keys = [config.apiKey.V3, config.apiKey.V4].flatMap((each) =>
    each === undefined ? [] : [Redacted.value(each)]
  )
  return ({ headers, url }) =>
    keys.length === 0
      ? isProviderUrl(config, url)
      : keys.some((each) => headers["x-api-key"] === each || url.includes(`/${each}`))
}

/** The queue of a request: that of its node, or that of the key if it carries it. */
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

/** The path of a request to the provider's API, from the version on; undefined for one to a node. */
const findRoute = ({ baseUrl, baseUrlOverride }: ResolvedConfig, url: string): string | undefined => {
  const base = [`${baseUrl}/v`, ...(baseUrlOverride === undefined ? [] : [`${baseUrlOverride}/`])].find(
    (each) => url.startsWith(each)
  )
  if (base === undefined || url.includes("/blockchain/node/")) return undefined
  const path = /\/(v\d\/[^?]*)/.exec(url)?.[1]
  return path ?? `v4/${url.slice(base.length).replace(/\?.*/, "")}`
}

/** What a request to the provider is charged as. Its lists of nodes are files, which cost nothing. */
const chargesOf = (config: ResolvedConfig, { body, method, url }: HttpRequest): ReadonlyArray<Charge> => {
  if (url.startsWith(config.nodeListUrl)) return []
  const route = findRoute(config, url)
  return route === undefined
    ? chargesOfNode(method, new URL(url).pathname, body)
    : [chargeOfRoute(method, route)]
}

const sumCredits = (charges: ReadonlyArray<Charge>): number =>
  charges.reduce((sum, { credits = 0 }) => sum + credits, 0)

/** The queue that all calls of a client have to pass, if there is one: the nodes that they can go to have it in common. */
const findCommonQueue = (
  of: (request: HttpRequest) => QuotaQueue | undefined,
  config: ResolvedConfig
): QuotaQueue | undefined => {
  const key = config.apiKey[config.version]
  const header = (sent: boolean) => (sent && key !== undefined ? { "x-api-key": Redacted.value(key) } : {})
  const targets = config.nodes ?? [{ url: config.baseUrl, sendApiKey: true }]
  const found = targets.map(({ sendApiKey, url }) =>
    of({
      method: "POST",
      url,
      headers: header(sendApiKey || isProviderUrl(config, url)),
      timeout: 0,
      maxBytes: 0
    })
  )
  return found.every((queue) => queue === found[0]) ? found[0] : undefined
}

/** Requests of services are calls that have not begun; all others belong to calls and to nodes. */
const rankOf = (config: ResolvedConfig, { method, url }: HttpRequest): number =>
  !url.startsWith(`${config.baseUrl}/v`) || url.includes("/blockchain/node/")
    ? STARTED_RANK
    : method === "GET"
      ? CALL_RANK
      : WRITE_RANK

/** A request as its refusal names it: one of a service by its path, others by the host, since paths may have a key in them. */
const labelOf = (rank: number, { method, url }: HttpRequest): string => {
  const { host, pathname } = new URL(url)
  return `${method} ${rank === STARTED_RANK ? host : pathname.replace(/^\/v\d+\//, "")}`
}

/** The turn of a call that has to end within `timeout`, by `deadline`. */
interface TurnRequest {
  readonly rank: number
  readonly call: string
  readonly credits: number
  readonly timeout: number
  readonly deadline: number
}

/** Requests of a client that have their turn. */
interface QuotaSender {
  readonly take: (queue: QuotaQueue, turn: TurnRequest) => Effect.Effect<void, QuotaExceeded>
  readonly send: (queue: QuotaQueue, request: HttpRequest) => ReturnType<HttpService["send"]>
}

const makeQuotaSender = (
  http: HttpService,
  refused: (unit: QuotaQueue["unit"], rate: number, ms: number) => Effect.Effect<void>,
  waited: (ms: number) => void
): QuotaSender => {
  /** What an answer takes, in milliseconds: the longest one of late. */
  let answer = 0

  const told = (queue: QuotaQueue, response: HttpResponse, sent: number): Effect.Effect<void> =>
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
        // what comes later would leave its answer no time
        const due = deadline - Math.min(answer, timeout / 2)
        return Effect.map(queue.take(rank, due, call, credits), () => waited(monotonic(clock) - from))
      }),
    send: (queue, request) =>
      Effect.clockWith((clock) => {
        const sent = monotonic(clock)
        return Effect.tap(http.send(request), (response) => told(queue, response, sent))
      })
  }
}

/** Those who are told what calls have waited, and what they have cost. */
interface Meters {
  readonly waited: RecordWait
  readonly spent: RecordSpent
}

type ReportEvent = QuotaPool["report"]

/** Sends a request when it has its turn, unless its call has paid for it. */
const makeSendInTurn =
  (turns: QuotaSender, config: ResolvedConfig, over: (error: QuotaExceeded) => Effect.Effect<void>) =>
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
              // of what belongs to calls and to nodes, their pool tells
              rank === STARTED_RANK ? Effect.void : over(error),
              Effect.fail(
                new HttpFailure({
                  kind: "connect",
                  reason: error.message,
                  refusal: { fault: "elsewhere", error, unsent: true }
                })
              )
            ),
          onSuccess: () =>
            turns.send(queue, { ...request, timeout: Math.max(1, deadline - monotonic(clock)) })
        })
      })
    )

/** Adds what the provider has answered to an account. Every answer counts: the provider does not say which ones are free. */
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
  const of = makeFindQueue(queues, isCounted)
  const common = findCommonQueue(of, config)
  const own = makeAccount()
  let pool: QuotaPool | undefined
  const tell: ReportEvent = (event) => pool?.report(event) ?? Effect.void
  const over = ({ call, retryAfter: ms }: QuotaExceeded): Effect.Effect<void> =>
    tell({ _tag: "OverQuota", call, ms })
  const turns = makeQuotaSender(
    http,
    (unit, rate, ms) => tell({ _tag: "Limited", rate, unit, ms }),
    meters.waited(config.network)
  )
  const inTurn = makeSendInTurn(turns, config, over)
  const charged = makeChargeAccount(own, meters.spent(config.network), tell)

  const send: HttpService["send"] = (request) => {
    const queue = of(request)
    const charges = isCounted(request) ? chargesOf(config, request) : []
    const sent =
      queue === undefined
        ? http.send(request)
        : inTurn(queue, request, queue.hasCredits ? sumCredits(charges) : 0)
    return charges.length === 0 ? sent : Effect.tap(sent, () => charged(request.url, charges))
  }

  const payFirst = <A>(
    queue: QuotaQueue,
    call: Call<A>,
    inner: TransportService
  ): Effect.Effect<A, CallError> =>
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
          over
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

  return {
    http: { ...http, send },
    credits: own.read,
    limitTransport: (inner) => {
      pool = inner
      return common === undefined ? inner : { ...inner, send: (call) => payFirst(common, call, inner) }
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

/** What is wrong with a limit in credits, if anything. */
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

/** What is wrong with a limit, if anything. */
const findLimitIssues = (path: string, limit: unknown): ReadonlyArray<ConfigIssue> =>
  isRecord(limit) && limit.requestsPerSecond === undefined
    ? [{ path: `${path}.requestsPerSecond`, message: "is missing" }, ...checkLimit(limit, path)]
    : checkLimit(limit, path)

/** A limit that is asked for: where, and of which node. */
interface RequestedLimit {
  readonly path: string
  readonly url: string
  readonly limit: Limit
}

/** What is wrong with limits of nodes, which come to those that `limits` has: a node has one, however its url is written. */
const addLimits = (limits: Map<string, Required<Limit>>, asked: ReadonlyArray<RequestedLimit>) =>
  asked.flatMap(({ limit, path, url }): ReadonlyArray<ConfigIssue> => {
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

/** The queues by the urls of nodes' other servers, too: a plan counts a node's requests, whichever program answers. */
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
 * A quota whose tokens come from buckets of one's own: `bucketOf` is asked once for the key, under the name `key`, if it has a limit, once
 * for its credits, under the name `credits`, if they have one, and once for every node that has one, under its url. `waited` gets the
 * milliseconds that each call of a network has waited for its turn, `spent` the credits of each that was answered. Throws `InvalidConfig`
 * for limits that are none.
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
  /** Takes all of these limits, or none. */
  const take = (asked: ReadonlyArray<RequestedLimit>): ReadonlyArray<ConfigIssue> => {
    const wanted = new Map(limits)
    const issues = addLimits(wanted, asked)
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
      ? take(given)
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
      const found = take(
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
 * The quota of a key, and of nodes, in the memory of this process, as the option `quota` of clients: all clients that are given the same
 * one share it.
 *
 * ```ts
 * const shared = quota({ requestsPerSecond: 50, burst: 50 })
 * const ethereum = await init({ network: "ethereum-mainnet", apiKey, quota: shared })
 * const polygon = await init({ network: "polygon-mainnet", apiKey, quota: shared })
 * ```
 *
 * Calls wait for their turn within their deadlines, writes first; one that cannot be served in time fails at once with
 * `QuotaExceeded`. A 429 halves the rate and is followed by the pause that it asks for; the rate comes back while requests
 * succeed. Without a limit of the key there are those of nodes alone. Clients with a quota count their credits, whatever its limits are:
 * `sdk.credits()` has them. Throws `InvalidConfig` for limits that are none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quota = (options: QuotaOptions = {}): Quota =>
  makeQuota(options, (_, rate) => makeLocalBucket(rate))
