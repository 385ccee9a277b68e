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
  type Check,
  isProviderUrl,
  type Limit,
  type Limited,
  type LimitedPool,
  type Quota,
  type ResolvedConfig,
  shape
} from "../config/Config.js"
import { type Account, account, type Charge, chargeOfRoute, chargesOfNode } from "../data/credits.js"
import { isRecord } from "../data/foreign.js"
import { type ConfigIssue, displayUrl, InvalidConfig, QuotaExceeded, remade } from "../data/SdkError.js"
import { withoutTail } from "../data/tail.js"
import {
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpService,
  monotonic,
  retryAfterIn
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
  readonly after: (n: number, now: number) => number
  readonly until: () => number
  readonly answered: (now: number) => Effect.Effect<void>
  readonly refused: (sent: number, now: number, pause: number) => Effect.Effect<number | undefined>
}

/**
 * A rate that gives way to refusals: the tokens of a second now, since when, and until when nothing is sent. Times are milliseconds on
 * one clock.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pace {
  readonly rate: number
  readonly since: number
  readonly lowered: number
  readonly until: number
}

/** The share of the limit that the rate wins back in a second in which requests succeed. */
const RAISE = 0.05

/** The lowest rate, as a share of the limit. */
const LOWEST = 0.1

/** How much of a long answer is remembered after a shorter one. */
const FADES = 0.9

/** No provider is believed that asks for a longer pause, in milliseconds. */
const LONGEST_PAUSE = 60_000

/**
 * A pace at the limit.
 *
 * @since 0.1.0
 * @category constructors
 */
export const steady = (limit: number): Pace => ({
  rate: limit,
  since: Number.NEGATIVE_INFINITY,
  lowered: Number.NEGATIVE_INFINITY,
  until: Number.NEGATIVE_INFINITY
})

/**
 * The pace after a refusal: half the rate, and nothing until the pause is over. A pause is a moment: of several that were told the latest
 * one counts, however often they are. Of requests that were sent before the rate was lowered it is told all the same, and the rate is
 * as it was.
 *
 * @since 0.1.0
 * @category operations
 */
export const lower = (
  pace: Pace,
  limit: number,
  { now, pause, sent }: { readonly sent: number; readonly now: number; readonly pause: number }
): Pace => {
  const until = Math.max(pace.until, now + Math.min(pause, LONGEST_PAUSE))
  if (sent < pace.lowered) return until === pace.until ? pace : { ...pace, until }
  return { rate: Math.max(limit * LOWEST, pace.rate / 2), since: now, lowered: now, until }
}

/**
 * The pace after a success: a twentieth of the limit more for a second.
 *
 * @since 0.1.0
 * @category operations
 */
export const raise = (pace: Pace, limit: number, now: number): Pace =>
  pace.rate >= limit || now < pace.until
    ? pace
    : {
        ...pace,
        rate: Math.min(limit, pace.rate + (limit * RAISE * Math.min(1_000, now - pace.since)) / 1_000),
        since: now
      }

/**
 * A bucket of this process. During a pause no token comes, and of those that there were one stays: the first request goes when the pause
 * is over, and the others at the rate that there is then.
 *
 * @since 0.1.0
 * @category constructors
 */
export const localBucket = ({ perSecond: limit, burst = limit }: TokenRate): Bucket => {
  const size = Math.max(1, burst)
  let pace = steady(limit)
  let tokens = size
  let at = Number.NEGATIVE_INFINITY
  const refill = (now: number): void => {
    const since = Math.max(at, pace.until)
    if (now > since && tokens < size) tokens = Math.min(size, tokens + ((now - since) * pace.rate) / 1_000)
    at = Math.max(at, now)
  }
  const due = (now: number): number => {
    const start = Math.max(0, pace.until - now)
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
    after: (n, now) => {
      refill(now)
      return Math.max(0, pace.until - now) + Math.max(0, ((n - tokens) * 1_000) / pace.rate)
    },
    until: () => pace.until,
    answered: (now) =>
      Effect.sync(() => {
        refill(now)
        pace = raise(pace, limit, now)
      }),
    refused: (sent, now, pause) =>
      Effect.sync(() => {
        refill(now)
        const { lowered } = pace
        pace = lower(pace, limit, { sent, now, pause })
        if (pace.until > now) tokens = Math.min(tokens, 1)
        return sent < lowered ? undefined : pace.rate
      })
  }
}

/** One that waits for its tokens: those of the lowest rank go first, and then those with the earliest deadline. */
interface Waiter {
  readonly rank: number
  readonly deadline: number
  readonly turn: number
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
export type Buckets =
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
export interface Queue {
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
interface Purse {
  readonly bucket: Bucket
  readonly priceOf: (call: Pick<Waiter, "credits">) => number
  readonly isOfOnePrice: boolean
  held: number
  ready: number
}

/** The pump of a queue looks so often whether somebody is still waiting, in milliseconds. */
const LOOK = 250

/** Timers know whole milliseconds. */
const TICK = 1

/** Times that differ by less, in milliseconds, are the same. */
const MOMENT = 1e-6

const isBefore = (a: Waiter, b: Waiter): boolean =>
  a.rank !== b.rank ? a.rank < b.rank : a.deadline !== b.deadline ? a.deadline < b.deadline : a.turn < b.turn

/** The index of the first waiter that a new one goes before. */
const placeOf = (waiting: ReadonlyArray<Waiter>, waiter: Waiter): number => {
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
class Needs {
  private readonly sums: Array<number>
  constructor(
    private readonly purses: ReadonlyArray<Purse>,
    calls: ReadonlyArray<Waiter>
  ) {
    this.sums = purses.map(({ priceOf }) => calls.reduce((sum, call) => sum + priceOf(call), 0))
  }
  add(call: Waiter, times = 1): this {
    for (const [i, { priceOf }] of this.purses.entries())
      this.sums[i] = (this.sums[i] ?? 0) + times * priceOf(call)
    return this
  }
  /** In how many milliseconds the last one of them is served. */
  served(now: number): number {
    let ms = 0
    for (const [i, { bucket, held }] of this.purses.entries())
      ms = Math.max(ms, bucket.after((this.sums[i] ?? 0) - held, now))
    return ms
  }
}

const refuse = ({ call, resume }: Waiter, ms: number): void =>
  resume(Effect.fail(new QuotaExceeded({ call, retryAfter: Math.max(1, Math.ceil(ms)) })))

/** Those who wait, in the order in which they are served. */
class Waiting {
  readonly all: Array<Waiter> = []
  isServed = false
  /** Ends a pause of those who serve. */
  wake: (() => void) | undefined
  constructor(private readonly purses: ReadonlyArray<Purse>) {}

  private before(index: number): Needs {
    return new Needs(this.purses, this.all.slice(0, index))
  }

  /** Refuses those from an index on that cannot be served in time any more. */
  review(from: number, now: number): void {
    const needs = this.before(from)
    for (let i = from; i < this.all.length; ) {
      const waiter = this.all[i]
      if (waiter === undefined) return
      const ms = needs.add(waiter).served(now)
      if (now + ms <= waiter.deadline + MOMENT) i++
      else {
        needs.add(waiter, -1)
        this.all.splice(i, 1)
        refuse(waiter, ms)
      }
    }
  }

  /** One who would be too late himself, or make somebody of his rank too late who was let in before, is refused. */
  enter(waiter: Waiter, now: number): boolean {
    const place = placeOf(this.all, waiter)
    const last = this.all.findLastIndex(({ rank }) => rank <= waiter.rank)
    const needs = this.before(place).add(waiter)
    const isLate = (deadline: number): boolean => now + needs.served(now) > deadline + MOMENT
    if (
      isLate(waiter.deadline) ||
      this.all.slice(place, last + 1).some((each) => {
        needs.add(each)
        return isLate(each.deadline)
      })
    ) {
      refuse(
        waiter,
        this.before(last + 1)
          .add(waiter)
          .served(now)
      )
      return false
    }
    this.all.splice(place, 0, waiter)
    this.review(Math.max(place, last) + 1, now)
    if (place === 0) this.wake?.()
    return true
  }

  leave(waiter: Waiter): void {
    const index = this.all.indexOf(waiter)
    if (index >= 0) this.all.splice(index, 1)
  }
}

/** Reserves tokens of a bucket, and notes when they may be used. */
const reserveOf = (purse: Purse, tokens: number): Effect.Effect<void> =>
  Effect.flatMap(purse.bucket.reserve(tokens), (wait) =>
    Effect.clockWith((clock) => {
      if (wait > 0 || purse.held === 0) purse.ready = monotonic(clock) + wait
      purse.held += tokens
      return Effect.void
    })
  )

/** When all that is reserved may be used. */
const readyOf = (purses: ReadonlyArray<Purse>): number =>
  Math.max(...purses.map(({ held, ready }) => (held > 0 ? ready : 0)))

/**
 * Reserves anew what waited for the tokens of the other bucket, and yields when all of it may be used: a bucket that fills up while
 * tokens of it are held would give them and a full burst at once.
 */
const renew = (purses: ReadonlyArray<Purse>): Effect.Effect<number> =>
  Effect.clockWith((clock) => {
    const now = monotonic(clock)
    const late = purses.filter(({ held, ready }) => held > 0 && now >= ready + TICK)
    const renewed = Effect.forEach(
      purses.length > 1 ? late : [],
      (purse) => {
        const { held } = purse
        purse.held = 0
        return Effect.zipRight(purse.bucket.restore(held), reserveOf(purse, held))
      },
      { discard: true }
    )
    return Effect.map(renewed, () => readyOf(purses))
  })

/**
 * Serves those who wait, until there are none. The tokens of one call are reserved at a time, for whoever is first when they can be
 * used.
 */
const serving = (waiting: Waiting, purses: ReadonlyArray<Purse>): Effect.Effect<void> => {
  const isOfOnePrice = purses.every(({ isOfOnePrice }) => isOfOnePrice)
  const woken = Effect.async<void>((resume) => {
    waiting.wake = () => resume(Effect.void)
  })
  const pause = (ms: number): Effect.Effect<void> =>
    isOfOnePrice ? Effect.sleep(ms) : Effect.raceFirst(Effect.sleep(ms), woken)

  /** Waits until reserved tokens may be used, as long as the first one needs all of them: yields whether they may be. */
  const usable = (ready: number): Effect.Effect<boolean> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      const until = Math.max(ready, ...purses.map(({ bucket }) => bucket.until()))
      // sums of fractions lose their last digits, and timers know whole milliseconds
      const left = Math.ceil(until - now - MOMENT)
      waiting.review(0, now)
      const [next] = waiting.all
      if (left <= 0 || next === undefined) return Effect.succeed(true)
      if (purses.some(({ held, priceOf }) => priceOf(next) < held)) return Effect.succeed(false)
      return Effect.flatMap(pause(Math.min(left, LOOK)), () => usable(ready))
    })

  /** Reserves what the first one lacks, and yields when all of it may be used. */
  const reserve: Effect.Effect<number> = Effect.suspend(() => {
    const [next] = waiting.all
    const reserved = Effect.forEach(
      purses,
      (purse) => {
        const lacks = next === undefined ? 0 : purse.priceOf(next) - purse.held
        return lacks <= 0 ? Effect.void : reserveOf(purse, lacks)
      },
      { discard: true }
    )
    return Effect.map(reserved, () => readyOf(purses))
  })

  /** Gives back all that is reserved, but for what a call takes. */
  const restore = (call: Waiter | undefined): Effect.Effect<void> => {
    const unused = purses.map((purse) => {
      const rest = call === undefined ? purse.held : purse.held - purse.priceOf(call)
      purse.held = 0
      return rest > 0 ? purse.bucket.restore(rest) : Effect.void
    })
    return Effect.all(unused, { discard: true })
  }

  /** Gives the reserved tokens to the first one, and those that it does not need back. */
  const hand: Effect.Effect<void> = Effect.suspend(() => {
    const [next] = waiting.all
    // another one may be first by now, who needs more
    if (next !== undefined && purses.some(({ held, priceOf }) => priceOf(next) > held)) return step
    waiting.all.shift()
    next?.resume(Effect.void)
    return restore(next)
  })

  const step: Effect.Effect<void> = Effect.flatMap(Effect.flatMap(reserve, usable), (isFirst) =>
    // one who needs less has come first, and does not wait for the tokens of another
    Effect.flatMap(isFirst ? Effect.flatMap(renew(purses), usable) : Effect.succeed(false), (isUsable) =>
      isUsable ? hand : Effect.zipRight(restore(undefined), step)
    )
  )

  const serve: Effect.Effect<void> = Effect.suspend(() => {
    if (waiting.all.length > 0) return Effect.zipRight(step, serve)
    waiting.isServed = false
    return Effect.void
  })
  return serve
}

const pursesOf = ({ credits, requests }: Buckets): ReadonlyArray<Purse> => {
  const one: Purse["priceOf"] = () => 1
  const each: Purse["priceOf"] = (call) => call.credits
  return [
    ...(requests === undefined
      ? []
      : [{ bucket: requests, priceOf: one, isOfOnePrice: true, held: 0, ready: 0 }]),
    ...(credits === undefined
      ? []
      : [{ bucket: credits, priceOf: each, isOfOnePrice: false, held: 0, ready: 0 }])
  ]
}

/**
 * A queue before buckets.
 *
 * @since 0.1.0
 * @category constructors
 */
export const queueOf = (buckets: Buckets): Queue => {
  const purses = pursesOf(buckets)
  const waiting = new Waiting(purses)
  const serve = serving(waiting, purses)
  let turns = 0

  const join = (waiter: Waiter, runtime: Runtime.Runtime<never>, now: number): Effect.Effect<void> => {
    if (waiting.enter(waiter, now) && !waiting.isServed) {
      waiting.isServed = true
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
      Effect.forEach(purses, ({ bucket, priceOf }) => bucket.restore(priceOf({ credits })), {
        discard: true
      }),
    take: (rank, deadline, call, credits = 0) =>
      Effect.flatMap(Effect.runtime<never>(), (runtime) =>
        Effect.clockWith((clock) =>
          Effect.async<void, QuotaExceeded>((resume) =>
            join({ rank, deadline, turn: ++turns, call, credits, resume }, runtime, monotonic(clock))
          )
        )
      )
  }
}

/** Writes, what belongs to calls that have begun, and calls that have not. */
const [WRITE, BEGUN, CALL] = [0, 1, 2]

/**
 * What is told, by network, how many milliseconds a call has waited for its turn.
 *
 * @since 0.1.0
 * @category observability
 */
export type Waited = (network: string) => (ms: number) => void

/**
 * What is told, by network, that an answered call of a route has cost so many credits.
 *
 * @since 0.1.0
 * @category observability
 */
export type Spent = (network: string) => (route: string, credits: number) => void

/** The tokens that a call has paid with before it was sent. */
interface Payment {
  readonly queue: Queue
  readonly rank: number
  readonly call: string
  readonly credits: number
  left: number
}

class Paid extends Context.Reference<Paid>()("effect-chains/transport/Quota/Paid", {
  defaultValue: (): Payment | undefined => undefined
}) {}

/** The pause after a 429 that says of none, in milliseconds. */
const PAUSE = 1_000

/** The queues of a quota: that of the key, and those of nodes by their urls. */
interface Queues {
  readonly key: Queue | undefined
  readonly nodes: ReadonlyMap<string, Queue>
}

/** A url without its user info, which goes into a header, and as all write it. */
const bareUrl = (url: string): string => {
  const { host, pathname, protocol } = new URL(url)
  return `${protocol}//${host}${withoutTail(pathname, "/")}`
}

/** Whether a request is the provider's to count: it carries the key, or goes to the provider where there is none. */
const countedBy = (config: ResolvedConfig): ((request: HttpRequest) => boolean) => {
  const keys = [config.apiKey.V3, config.apiKey.V4].flatMap((each) =>
    each === undefined ? [] : [Redacted.value(each)]
  )
  return ({ headers, url }) =>
    keys.length === 0
      ? isProviderUrl(config, url)
      : keys.some((each) => headers["x-api-key"] === each || url.includes(`/${each}`))
}

/** The queue of a request: that of its node, or that of the key if it carries it. */
const queueFor = (
  { key, nodes }: Queues,
  isCounted: (request: HttpRequest) => boolean
): ((request: HttpRequest) => Queue | undefined) => {
  return (request) => {
    const bare = bareUrl(request.url)
    let own = ""
    for (const node of nodes.keys())
      if (node.length > own.length && (bare === node || bare.startsWith(`${node}/`))) own = node
    return nodes.get(own) ?? (isCounted(request) ? key : undefined)
  }
}

/** The path of a request to the provider's API, from the version on; undefined for one to a node. */
const routeIn = ({ baseUrl, override }: ResolvedConfig, url: string): string | undefined => {
  const base = [`${baseUrl}/v`, ...(override === undefined ? [] : [`${override}/`])].find((each) =>
    url.startsWith(each)
  )
  if (base === undefined || url.includes("/blockchain/node/")) return undefined
  const path = /\/(v\d\/[^?]*)/.exec(url)?.[1]
  return path ?? `v4/${url.slice(base.length).replace(/\?.*/, "")}`
}

/** What a request to the provider is charged as. Its lists of nodes are files, which cost nothing. */
const chargesOf = (config: ResolvedConfig, { body, method, url }: HttpRequest): ReadonlyArray<Charge> => {
  if (url.startsWith(config.nodeListUrl)) return []
  const route = routeIn(config, url)
  return route === undefined
    ? chargesOfNode(method, new URL(url).pathname, body)
    : [chargeOfRoute(method, route)]
}

const creditsOf = (charges: ReadonlyArray<Charge>): number =>
  charges.reduce((sum, { credits = 0 }) => sum + credits, 0)

/** The queue that all calls of a client have to pass, if there is one: the nodes that they can go to have it in common. */
const commonOf = (
  of: (request: HttpRequest) => Queue | undefined,
  config: ResolvedConfig
): Queue | undefined => {
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
    ? BEGUN
    : method === "GET"
      ? CALL
      : WRITE

/** A request as its refusal names it: one of a service by its path, others by the host, since paths may have a key in them. */
const labelOf = (rank: number, { method, url }: HttpRequest): string => {
  const { host, pathname } = new URL(url)
  return `${method} ${rank === BEGUN ? host : pathname.replace(/^\/v\d+\//, "")}`
}

/** The turn of a call that has to end within `timeout`, by `deadline`. */
interface Turn {
  readonly rank: number
  readonly call: string
  readonly credits: number
  readonly timeout: number
  readonly deadline: number
}

/** Requests of a client that have their turn. */
interface Turns {
  readonly take: (queue: Queue, turn: Turn) => Effect.Effect<void, QuotaExceeded>
  readonly send: (queue: Queue, request: HttpRequest) => ReturnType<HttpService["send"]>
}

const turnsOf = (
  http: HttpService,
  refused: (unit: Queue["unit"], rate: number, ms: number) => Effect.Effect<void>,
  waited: (ms: number) => void
): Turns => {
  /** What an answer takes, in milliseconds: the longest one of late. */
  let answer = 0

  const told = (queue: Queue, response: HttpResponse, sent: number): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      answer = Math.max(now - sent, answer * FADES)
      if (response.status !== 429) return response.status < 400 ? queue.bucket.answered(now) : Effect.void
      const ms = retryAfterIn(response, clock) ?? PAUSE
      return Effect.flatMap(queue.bucket.refused(sent, now, ms), (rate) =>
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
  readonly waited: Waited
  readonly spent: Spent
}

type Tell = LimitedPool["report"]

/** Sends a request when it has its turn, unless its call has paid for it. */
const sendIn =
  (turns: Turns, config: ResolvedConfig, over: (error: QuotaExceeded) => Effect.Effect<void>) =>
  (queue: Queue, request: HttpRequest, credits: number): ReturnType<HttpService["send"]> =>
    Effect.flatMap(Paid, (paid) =>
      Effect.clockWith((clock) => {
        if (paid?.queue === queue && paid.left > 0 && paid.credits === credits) {
          paid.left--
          return turns.send(queue, request)
        }
        const { timeout } = request
        const deadline = monotonic(clock) + timeout
        const rank = paid === undefined ? rankOf(config, request) : Math.min(paid.rank, BEGUN)
        const call = paid?.call ?? labelOf(rank, request)
        return Effect.matchEffect(turns.take(queue, { rank, call, credits, timeout, deadline }), {
          onFailure: (error) =>
            Effect.zipRight(
              // of what belongs to calls and to nodes, their pool tells
              rank === BEGUN ? Effect.void : over(error),
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
const chargeTo =
  ({ charge }: Account, spent: ReturnType<Spent>, tell: Tell) =>
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

const limited = (queues: Queues, http: HttpService, config: ResolvedConfig, meters: Meters): Limited => {
  const isCounted = countedBy(config)
  const of = queueFor(queues, isCounted)
  const common = commonOf(of, config)
  const own = account()
  let pool: LimitedPool | undefined
  const tell: Tell = (event) => pool?.report(event) ?? Effect.void
  const over = ({ call, retryAfter: ms }: QuotaExceeded): Effect.Effect<void> =>
    tell({ _tag: "OverQuota", call, ms })
  const turns = turnsOf(
    http,
    (unit, rate, ms) => tell({ _tag: "Limited", rate, unit, ms }),
    meters.waited(config.network)
  )
  const inTurn = sendIn(turns, config, over)
  const charged = chargeTo(own, meters.spent(config.network), tell)

  const send: HttpService["send"] = (request) => {
    const queue = of(request)
    const charges = isCounted(request) ? chargesOf(config, request) : []
    const sent =
      queue === undefined
        ? http.send(request)
        : inTurn(queue, request, queue.hasCredits ? creditsOf(charges) : 0)
    return charges.length === 0 ? sent : Effect.tap(sent, () => charged(request.url, charges))
  }

  const payFirst = <A>(queue: Queue, call: Call<A>, inner: TransportService): Effect.Effect<A, CallError> =>
    Effect.flatMap(CallOptions, (options) =>
      Effect.clockWith((clock) => {
        const timeout = options.timeout ?? Math.max(call.patience ?? 0, config.timeout)
        const deadline = monotonic(clock) + timeout
        const rank = call.repeat === "read" ? CALL : WRITE
        const credits = queue.hasCredits ? creditsOf(chargesOfNode(call.verb, call.path, call.body)) : 0
        const paid: Payment = { queue, rank, call: call.label, credits, left: 1 }
        const sent = Effect.suspend(() => {
          const rest = { ...options, timeout: Math.max(1, deadline - monotonic(clock)) }
          return Effect.provideService(Effect.provideService(inner.send(call), Paid, paid), CallOptions, rest)
        })
        const unused = Effect.suspend(() => (paid.left > 0 ? queue.restore(credits) : Effect.void))
        const turn = Effect.tapError(
          turns.take(queue, { rank, call: call.label, credits, timeout, deadline }),
          over
        )
        return Effect.mapError(
          Effect.flatMap(turn, () => Effect.ensuring(sent, unused)),
          (error) =>
            error._tag === "CallTimeout"
              ? remade(error, (value, field) => (field === "timeout" ? timeout : value))
              : error
        )
      })
    )

  return {
    http: { ...http, send },
    credits: own.read,
    over: (inner) => {
      pool = inner
      return common === undefined ? inner : { ...inner, send: (call) => payFirst(common, call, inner) }
    }
  }
}

const perSecond: Check = (value) =>
  typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "must be a number above 0"

const limitShape = shape({
  requestsPerSecond: perSecond,
  burst: (value) =>
    typeof value === "number" && value >= 1 && Number.isFinite(value)
      ? undefined
      : "must be a number from 1: fewer requests than one are never sent"
})

const rateShape = shape({
  perSecond: perSecond,
  burst: (value) =>
    typeof value === "number" && value >= 1 && Number.isFinite(value) ? undefined : "must be a number from 1"
})

/** What is wrong with a limit in credits, if anything. */
const issuesOfCredits = (rate: unknown): ReadonlyArray<ConfigIssue> =>
  rate === undefined
    ? []
    : isRecord(rate) && rate.perSecond === undefined
      ? [{ path: "quota.credits.perSecond", message: "is missing" }, ...rateShape(rate, "quota.credits")]
      : rateShape(rate, "quota.credits")

/** The rate of a limit's bucket. */
const rateOf = ({ burst, requestsPerSecond }: Limit): TokenRate => ({
  perSecond: requestsPerSecond,
  ...(burst === undefined ? {} : { burst })
})

/** What is wrong with a limit, if anything. */
const issuesOf = (path: string, limit: unknown): ReadonlyArray<ConfigIssue> =>
  isRecord(limit) && limit.requestsPerSecond === undefined
    ? [{ path: `${path}.requestsPerSecond`, message: "is missing" }, ...limitShape(limit, path)]
    : limitShape(limit, path)

/** A limit that is asked for: where, and of which node. */
interface Asked {
  readonly path: string
  readonly url: string
  readonly limit: Limit
}

/** What is wrong with limits of nodes, which come to those that `limits` has: a node has one, however its url is written. */
const issuesIn = (limits: Map<string, Required<Limit>>, asked: ReadonlyArray<Asked>) =>
  asked.flatMap(({ limit, path, url }): ReadonlyArray<ConfigIssue> => {
    const issues = issuesOf(path, limit)
    if (issues.length > 0) return issues
    const { requestsPerSecond, burst = requestsPerSecond } = limit
    const node = bareUrl(url)
    const found = limits.get(node) ?? { requestsPerSecond, burst }
    limits.set(node, found)
    return found.requestsPerSecond === requestsPerSecond && found.burst === burst
      ? []
      : [{ path, message: "is not the one that this quota has for the node already" }]
  })

/** The queues by the urls of nodes' other servers, too: a plan counts a node's requests, whichever program answers. */
const withServers = (
  queues: ReadonlyMap<string, Queue>,
  { nodes = [] }: ResolvedConfig
): ReadonlyMap<string, Queue> => {
  const all = new Map(queues)
  for (const { servers = {}, url } of nodes) {
    const queue = queues.get(bareUrl(url))
    if (queue !== undefined) for (const server of Object.values(servers)) all.set(bareUrl(server.url), queue)
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
export const quotaOver = (
  { credits, nodes = {}, ...limit }: QuotaOptions,
  bucketOf: (name: string, rate: TokenRate) => Bucket,
  waited: Waited = () => () => {},
  spent: Spent = () => () => {}
): Quota => {
  const { requestsPerSecond } = limit
  const queues = new Map<string, Queue>()
  let limits = new Map<string, Required<Limit>>()
  /** Takes all of these limits, or none. */
  const take = (asked: ReadonlyArray<Asked>): ReadonlyArray<ConfigIssue> => {
    const wanted = new Map(limits)
    const issues = issuesIn(wanted, asked)
    if (issues.length > 0) return issues
    limits = wanted
    for (const [node, each] of limits)
      if (!queues.has(node)) queues.set(node, queueOf({ requests: bucketOf(node, rateOf(each)) }))
    return issues
  }
  const given = Object.entries(nodes).map(([url, each]) => ({ path: "quota.nodes", url, limit: each }))
  const issues = [
    ...(Object.keys(limit).length === 0 ? [] : issuesOf("quota", limit)),
    ...issuesOfCredits(credits),
    ...(given.every(({ url }) => URL.canParse(url))
      ? take(given)
      : [{ path: "quota.nodes", message: "must be limits by the urls of nodes" }])
  ]
  if (issues.length > 0) throw new InvalidConfig({ issues })
  const creditBucket = credits && bucketOf("credits", credits)
  const key =
    requestsPerSecond !== undefined
      ? queueOf({ requests: bucketOf("key", rateOf({ ...limit, requestsPerSecond })), credits: creditBucket })
      : creditBucket && queueOf({ credits: creditBucket })
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
            limited({ key, nodes: withServers(queues, config) }, http, config, { waited, spent })
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
export const quota = (options: QuotaOptions = {}): Quota => quotaOver(options, (_, rate) => localBucket(rate))
