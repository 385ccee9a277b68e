/**
 * The quota of a key: requests wait for their turn in the client, in place of being refused by the provider.
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
import { isRecord } from "../data/foreign.js"
import { type ConfigIssue, InvalidConfig, QuotaExceeded, remade } from "../data/SdkError.js"
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
 * The limit of a key, and those of nodes of one's own by their urls, which hold for all requests to these nodes. Nodes have limits in
 * their entries of a configuration, too.
 *
 * @since 0.1.0
 * @category models
 */
export interface QuotaOptions extends Partial<Limit> {
  readonly nodes?: Readonly<Record<string, Limit>>
}

/**
 * Where tokens come from: one per request. `reserve` takes one and yields the milliseconds until it may be used, `restore` gives back one
 * that nobody has used. `after` says in how many milliseconds the n-th token from now will be there, and takes none; `until` is
 * the time (`monotonic`) before which nothing may be sent. `answered` and `refused` (429) tell how a request went that was sent at a
 * time; the latter yields the rate from now on, or undefined where it knew that already.
 *
 * @since 0.1.0
 * @category models
 */
export interface Bucket {
  readonly reserve: Effect.Effect<number>
  readonly restore: Effect.Effect<void>
  readonly after: (n: number, now: number) => number
  readonly until: () => number
  readonly answered: (now: number) => Effect.Effect<void>
  readonly refused: (sent: number, now: number, pause: number) => Effect.Effect<number | undefined>
}

/**
 * A rate that gives way to refusals: the requests a second now, since when, and until when nothing is sent. Times are milliseconds on
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
export const localBucket = ({ requestsPerSecond: limit, burst = limit }: Limit): Bucket => {
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
    reserve: Effect.clockWith((clock) => {
      const now = monotonic(clock)
      refill(now)
      tokens -= 1
      return Effect.succeed(due(now))
    }),
    restore: Effect.sync(() => {
      tokens = Math.min(size, tokens + 1)
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

/** One that waits for a token: those of the lowest rank go first, and then those with the earliest deadline. */
interface Waiter {
  readonly rank: number
  readonly deadline: number
  readonly turn: number
  readonly call: string
  readonly resume: (outcome: Effect.Effect<void, QuotaExceeded>) => void
}

/**
 * The queue before a bucket. `take` waits for a token, or fails at once where there will be none by the deadline (`monotonic`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Queue {
  readonly bucket: Bucket
  readonly take: (rank: number, deadline: number, call: string) => Effect.Effect<void, QuotaExceeded>
}

/** The pump of a queue looks so often whether somebody is still waiting, in milliseconds. */
const LOOK = 250

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

/**
 * A queue before a bucket. One token is reserved at a time, for whoever is first when it can be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const queueOf = (bucket: Bucket): Queue => {
  const waiting: Array<Waiter> = []
  let turns = 0
  let held = 0
  let isServing = false

  const refuse = ({ call, resume }: Waiter, ms: number): void =>
    resume(Effect.fail(new QuotaExceeded({ call, retryAfter: Math.max(1, Math.ceil(ms)) })))

  /** In how many milliseconds the one at an index will be served. */
  const served = (index: number, now: number): number => bucket.after(index + 1 - held, now)

  /** Refuses those from an index on that cannot be served in time any more. */
  const review = (from: number, now: number): void => {
    for (let i = from; i < waiting.length; ) {
      const waiter = waiting[i]
      const ms = served(i, now)
      if (waiter === undefined || now + ms <= waiter.deadline + MOMENT) i++
      else {
        waiting.splice(i, 1)
        refuse(waiter, ms)
      }
    }
  }

  /** One who would be too late himself, or make somebody of his rank too late who was let in before, is refused. */
  const enter = (waiter: Waiter, now: number): boolean => {
    const place = placeOf(waiting, waiter)
    const last = waiting.findLastIndex(({ rank }) => rank <= waiter.rank)
    let isLate = now + served(place, now) > waiter.deadline + MOMENT
    for (let i = place; i <= last && !isLate; i++)
      isLate = now + served(i + 1, now) > (waiting[i]?.deadline ?? Number.POSITIVE_INFINITY) + MOMENT
    if (isLate) {
      refuse(waiter, served(last + 1, now))
      return false
    }
    waiting.splice(place, 0, waiter)
    review(Math.max(place, last) + 1, now)
    return true
  }

  /** Waits until a reserved token may be used, as long as there is somebody to use it. */
  const usable = (ready: number): Effect.Effect<void> =>
    Effect.clockWith((clock) => {
      const now = monotonic(clock)
      // sums of fractions lose their last digits, and timers know whole milliseconds
      const left = Math.ceil(Math.max(ready, bucket.until()) - now - MOMENT)
      review(0, now)
      return left <= 0 || waiting.length === 0
        ? Effect.void
        : Effect.flatMap(Effect.sleep(Math.min(left, LOOK)), () => usable(ready))
    })

  const hand: Effect.Effect<void> = Effect.suspend(() => {
    held = 0
    const next = waiting.shift()
    next?.resume(Effect.void)
    return next === undefined ? bucket.restore : Effect.void
  })

  const serve: Effect.Effect<void> = Effect.suspend(() => {
    if (waiting.length === 0) {
      isServing = false
      return Effect.void
    }
    const reserved = Effect.flatMap(bucket.reserve, (wait) => {
      held = 1
      return Effect.clockWith((clock) => usable(monotonic(clock) + wait))
    })
    return Effect.zipRight(Effect.zipRight(reserved, hand), serve)
  })

  const join = (waiter: Waiter, runtime: Runtime.Runtime<never>, now: number): Effect.Effect<void> => {
    if (enter(waiter, now) && !isServing) {
      isServing = true
      Runtime.runFork(runtime, serve)
    }
    return Effect.sync(() => {
      const index = waiting.indexOf(waiter)
      if (index >= 0) waiting.splice(index, 1)
    })
  }

  return {
    bucket,
    take: (rank, deadline, call) =>
      Effect.flatMap(Effect.runtime<never>(), (runtime) =>
        Effect.clockWith((clock) =>
          Effect.async<void, QuotaExceeded>((resume) =>
            join({ rank, deadline, turn: ++turns, call, resume }, runtime, monotonic(clock))
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

/** A token that a call has paid with before it was sent. */
interface Payment {
  readonly queue: Queue
  readonly rank: number
  readonly call: string
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

/** The queue of a request: that of its node, or that of the key if it carries it. */
const queueFor = (
  { key, nodes }: Queues,
  config: ResolvedConfig
): ((request: HttpRequest) => Queue | undefined) => {
  const keys = [config.apiKey.V3, config.apiKey.V4].flatMap((each) =>
    each === undefined ? [] : [Redacted.value(each)]
  )
  return ({ headers, url }) => {
    const bare = bareUrl(url)
    let own = ""
    for (const node of nodes.keys())
      if (node.length > own.length && (bare === node || bare.startsWith(`${node}/`))) own = node
    const limited = nodes.get(own)
    if (limited !== undefined) return limited
    const carries =
      keys.length === 0
        ? isProviderUrl(config, url)
        : keys.some((each) => headers["x-api-key"] === each || url.includes(`/${each}`))
    return carries ? key : undefined
  }
}

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
  refused: (rate: number, ms: number) => Effect.Effect<void>,
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
        rate === undefined ? Effect.void : refused(rate, ms)
      )
    })

  return {
    take: (queue, { call, deadline, rank, timeout }) =>
      Effect.clockWith((clock) => {
        const from = monotonic(clock)
        // what comes later would leave its answer no time
        return Effect.map(queue.take(rank, deadline - Math.min(answer, timeout / 2), call), () =>
          waited(monotonic(clock) - from)
        )
      }),
    send: (queue, request) =>
      Effect.clockWith((clock) => {
        const sent = monotonic(clock)
        return Effect.tap(http.send(request), (response) => told(queue, response, sent))
      })
  }
}

const limited = (queues: Queues, http: HttpService, config: ResolvedConfig, waited: Waited): Limited => {
  const of = queueFor(queues, config)
  const common = commonOf(of, config)
  let pool: LimitedPool | undefined
  const turns = turnsOf(
    http,
    (rate, ms) => pool?.happened({ _tag: "Limited", rate, ms }) ?? Effect.void,
    waited(config.network)
  )

  const over = ({ call, retryAfter: ms }: QuotaExceeded): Effect.Effect<void> =>
    pool?.happened({ _tag: "OverQuota", call, ms }) ?? Effect.void

  const send: HttpService["send"] = (request) => {
    const queue = of(request)
    return queue === undefined
      ? http.send(request)
      : Effect.flatMap(Paid, (paid) =>
          Effect.clockWith((clock) => {
            if (paid?.queue === queue && paid.left > 0) {
              paid.left--
              return turns.send(queue, request)
            }
            const deadline = monotonic(clock) + request.timeout
            const rank = paid === undefined ? rankOf(config, request) : Math.min(paid.rank, BEGUN)
            return Effect.matchEffect(
              turns.take(queue, {
                rank,
                call: paid?.call ?? labelOf(rank, request),
                timeout: request.timeout,
                deadline
              }),
              {
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
              }
            )
          })
        )
  }

  const payFirst = <A>(queue: Queue, call: Call<A>, inner: TransportService): Effect.Effect<A, CallError> =>
    Effect.flatMap(CallOptions, (options) =>
      Effect.clockWith((clock) => {
        const timeout = options.timeout ?? Math.max(call.patience ?? 0, config.timeout)
        const deadline = monotonic(clock) + timeout
        const rank = call.repeat === "read" ? CALL : WRITE
        const paid: Payment = { queue, rank, call: call.label, left: 1 }
        const sent = Effect.suspend(() => {
          const rest = { ...options, timeout: Math.max(1, deadline - monotonic(clock)) }
          return Effect.provideService(Effect.provideService(inner.send(call), Paid, paid), CallOptions, rest)
        })
        const unused = Effect.suspend(() => (paid.left > 0 ? queue.bucket.restore : Effect.void))
        const turn = Effect.tapError(turns.take(queue, { rank, call: call.label, timeout, deadline }), over)
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
 * A quota whose tokens come from buckets of one's own: `bucketOf` is asked once for the key, under the name `key`, if it has a limit, and
 * once for every node that has one, under its url. `waited` gets the milliseconds that each call of a network has waited for its turn.
 * Throws `InvalidConfig` for limits that are none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quotaOver = (
  { nodes = {}, ...limit }: QuotaOptions,
  bucketOf: (name: string, limit: Limit) => Bucket,
  waited: Waited = () => () => {}
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
    for (const [node, each] of limits) if (!queues.has(node)) queues.set(node, queueOf(bucketOf(node, each)))
    return issues
  }
  const given = Object.entries(nodes).map(([url, each]) => ({ path: "quota.nodes", url, limit: each }))
  const issues = [
    ...(Object.keys(limit).length === 0 ? [] : issuesOf("quota", limit)),
    ...(given.every(({ url }) => URL.canParse(url))
      ? take(given)
      : [{ path: "quota.nodes", message: "must be limits by the urls of nodes" }])
  ]
  if (issues.length > 0) throw new InvalidConfig({ issues })
  const key =
    requestsPerSecond === undefined ? undefined : queueOf(bucketOf("key", { ...limit, requestsPerSecond }))
  return (http, config) =>
    Effect.suspend(() => {
      const found = take(
        (config.nodes ?? []).flatMap(({ quota, url }, i) =>
          quota === undefined ? [] : [{ path: `rpc.nodes[${i}].quota`, url, limit: quota }]
        )
      )
      return found.length > 0
        ? Effect.fail(new InvalidConfig({ issues: found }))
        : Effect.succeed(limited({ key, nodes: withServers(queues, config) }, http, config, waited))
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
 * succeed. Without a limit of the key there are those of nodes alone. Throws `InvalidConfig` for limits that are none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const quota = (options: QuotaOptions = {}): Quota =>
  quotaOver(options, (_, limit) => localBucket(limit))
