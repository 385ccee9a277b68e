// @runtime both
/** The quota of a key: its queue, its bucket, and clients within it. */
import { createServer } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import fc from "fast-check"
import { vi } from "vitest"
import { InvalidConfig, QuotaExceeded } from "../src/data/SdkError.js"
import { init } from "../src/entries/Ethereum.js"
import { monotonic } from "../src/http/service.js"
import { init as initWhole } from "../src/promise.js"
import {
  type Bucket,
  lowerRate,
  makeLocalBucket,
  makeQueue,
  makeRate,
  quota,
  raiseRate
} from "../src/transport/Quota.js"
import { simulate } from "./balancer/simulation.js"
import { checkBucket } from "./bucketModel.js"
import { runs } from "./properties.js"

const now = Effect.clockWith((clock) => Effect.succeed(monotonic(clock)))

interface Asked {
  readonly at: number
  readonly rank: number
  readonly patience: number
  /** It is given up after so many milliseconds. */
  readonly leaves?: number | undefined
}

interface Ended extends Asked {
  readonly served: boolean
  readonly gaveUp: boolean
  readonly end: number
}

/** A queue under a clock of its own: when each was served, or refused. */
const played = (rate: number, burst: number, asked: ReadonlyArray<Asked>): Promise<ReadonlyArray<Ended>> =>
  playedBy(makeLocalBucket({ perSecond: rate, burst }), asked)

const playedBy = async (
  bucket: Bucket,
  asked: ReadonlyArray<Asked>,
  used = (): void => {}
): Promise<ReadonlyArray<Ended>> => {
  const exit = await simulate(() =>
    Effect.gen(function* () {
      const queue = makeQueue({ requests: bucket })
      const fibers = yield* Effect.forEach(asked, (each) =>
        Effect.fork(
          Effect.gen(function* () {
            yield* Effect.sleep(each.at)
            const taken = Effect.tap(queue.take(each.rank, (yield* now) + each.patience, "call"), () =>
              Effect.sync(used)
            )
            const gone =
              each.leaves === undefined
                ? taken
                : Effect.raceFirst(
                    taken,
                    Effect.zipRight(Effect.sleep(each.leaves), Effect.fail("left" as const))
                  )
            const outcome = yield* Effect.either(gone)
            const served = Either.isRight(outcome)
            return {
              ...each,
              served,
              gaveUp: Either.match(outcome, { onLeft: (reason) => reason === "left", onRight: () => false }),
              end: yield* now
            }
          })
        )
      )
      const ended = yield* Effect.forEach(fibers, Fiber.join)
      // a token that was reserved for one who has gone is given back a little later
      yield* Effect.sleep(1_000)
      return ended
    })
  )
  if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
  return exit.value
}

/** By how many the requests of the worst window are above what the bucket allows in it. */
const excess = (times: ReadonlyArray<number>, rate: number, burst: number): number => {
  const sorted = [...times].sort((a, b) => a - b)
  let worst = Number.NEGATIVE_INFINITY
  for (const [i, from] of sorted.entries())
    for (const [j, to] of sorted.entries())
      if (j >= i) worst = Math.max(worst, j - i + 1 - burst - ((to - from) * rate) / 1_000)
  return worst
}

const calls = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 2_000 }),
    rank: fc.integer({ min: 0, max: 2 }),
    patience: fc.integer({ min: 0, max: 4_000 }),
    leaves: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined, freq: 5 })
  }),
  { minLength: 1, maxLength: 50 }
)
// a clock of whole milliseconds rounds each time to the next one
const ROUNDING = 1

describe("the queue", () => {
  it("never goes above the bucket in any window, and serves nobody too late", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        calls,
        async (rate, burst, asked) => {
          const served = (await played(rate, burst, asked)).filter((each) => each.served)
          const times = served.map(({ end }) => end)
          expect(excess(times, rate, burst)).toBeLessThanOrEqual((ROUNDING * rate) / 1_000 + 1e-6)
          for (const { at, end, patience } of served)
            expect(end).toBeLessThanOrEqual(at + patience + ROUNDING)
        }
      ),
      { numRuns: runs(150) }
    ))

  it("leaves no token unused that somebody waits for, and refuses only what has no place", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 20 }),
        fc
          .array(fc.integer({ min: 0, max: 4_000 }), { minLength: 1, maxLength: 60 })
          .map((all) => all.sort((a, b) => a - b)),
        async (rate, burst, patiences) => {
          const asked = patiences.map((patience) => ({ at: 0, rank: 2, patience }))
          const ended = await played(rate, burst, asked)
          // by earliest deadline: as many as can be served at all
          let possible = 0
          for (const patience of patiences)
            if (((possible + 1 - burst) * 1_000) / rate <= patience + 1e-9) possible++
          expect(ended.filter(({ served }) => served)).toHaveLength(possible)
          // at once
          for (const { end, served } of ended) if (!served) expect(end).toBe(0)
        }
      ),
      { numRuns: runs(150) }
    ))

  it("serves writes first, then by deadline, then in order", async () => {
    const at = 10
    const ended = await played(10, 1, [
      { at: 0, rank: 2, patience: 9_000 },
      { at, rank: 2, patience: 9_000 },
      { at, rank: 2, patience: 9_000 },
      { at, rank: 2, patience: 500 },
      { at, rank: 1, patience: 9_000 },
      { at, rank: 0, patience: 9_000 }
    ])
    expect(ended.map(({ end }) => end)).toEqual([0, 400, 500, 300, 200, 100])
  })

  it("gives back the token of one who has gone, and lets a write go before reads that wait", async () => {
    const ended = await played(1, 1, [
      { at: 0, rank: 2, patience: 9_000 },
      { at: 1, rank: 2, patience: 9_000, leaves: 100 },
      { at: 1_500, rank: 2, patience: 0 }
    ])
    expect(ended.map(({ gaveUp, served }) => [served, gaveUp])).toEqual([
      [true, false],
      [false, true],
      [true, false]
    ])
    const late = await played(1, 1, [
      { at: 0, rank: 2, patience: 9_000 },
      { at: 10, rank: 2, patience: 1_200 },
      { at: 500, rank: 0, patience: 9_000 }
    ])
    // the write has taken the place of the read, which hears of it at once
    expect(late.map(({ end, served }) => [served, end])).toEqual([
      [true, 0],
      [false, 500],
      [true, 1_000]
    ])
  })

  it("gives back every token that nobody has used, though its owner leaves in that very moment", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), calls, async (tenths, asked) => {
        const local = makeLocalBucket({ perSecond: tenths * 10, burst: 2 })
        let taken = 0
        let used = 0
        const bucket = {
          ...local,
          reserve: (tokens: number) => {
            taken += tokens
            return local.reserve(tokens)
          },
          restore: (tokens: number) => {
            taken -= tokens
            return local.restore(tokens)
          }
        }
        // all times are those at which tokens come
        await playedBy(
          bucket,
          asked.map((each) => ({
            ...each,
            at: 0,
            leaves: each.rank === 0 ? undefined : each.at - (each.at % 100)
          })),
          () => {
            used++
          }
        )
        expect(taken).toBe(used)
      }),
      { numRuns: runs(150) }
    ))

  it.effect("says when it could be served", () =>
    Effect.gen(function* () {
      const queue = makeQueue({ requests: makeLocalBucket({ perSecond: 2, burst: 1 }) })
      const start = yield* now
      yield* queue.take(2, start, "first")
      const waits = yield* Effect.fork(queue.take(2, start + 5_000, "second"))
      yield* TestClock.adjust(0)
      const error = yield* Effect.flip(queue.take(2, start + 400, "third"))
      expect(error).toEqual(new QuotaExceeded({ call: "third", retryAfter: 1_000 }))
      yield* TestClock.adjust(500)
      yield* Fiber.join(waits)
      yield* TestClock.adjust(500)
      yield* queue.take(2, start + 1_000, "fourth")
    })
  )
})

/** A call that costs so many credits. */
interface Priced {
  readonly at: number
  readonly rank: number
  readonly patience: number
  readonly credits: number
  readonly leaves?: number | undefined
}

/** A queue before both buckets, under a clock of its own: when each call was served, or refused, and what is left over. */
const spent = async (
  requests: Parameters<typeof makeLocalBucket>[0] | undefined,
  credits: Parameters<typeof makeLocalBucket>[0],
  asked: ReadonlyArray<Priced>
) => {
  const taken = { requests: 0, credits: 0 }
  const counted = (rate: Parameters<typeof makeLocalBucket>[0], unit: keyof typeof taken): Bucket => {
    const bucket = makeLocalBucket(rate)
    return {
      ...bucket,
      reserve: (tokens) => {
        taken[unit] += tokens
        return bucket.reserve(tokens)
      },
      restore: (tokens) => {
        taken[unit] -= tokens
        return bucket.restore(tokens)
      }
    }
  }
  const exit = await simulate(() =>
    Effect.gen(function* () {
      const ofCredits = counted(credits, "credits")
      const queue = makeQueue(
        requests === undefined
          ? { credits: ofCredits }
          : { requests: counted(requests, "requests"), credits: ofCredits }
      )
      const ended = yield* Effect.forEach(
        asked,
        ({ at, leaves, patience, rank, ...each }) =>
          Effect.gen(function* () {
            yield* Effect.sleep(at)
            const taking = queue.take(rank, (yield* now) + patience, "call", each.credits)
            const outcome = yield* Effect.either(
              leaves === undefined
                ? taking
                : Effect.raceFirst(taking, Effect.zipRight(Effect.sleep(leaves), Effect.fail("left")))
            )
            return { ...each, at, patience, served: Either.isRight(outcome), end: yield* now }
          }),
        { concurrency: "unbounded" }
      )
      // what was reserved for one who has gone is given back a little later
      yield* Effect.sleep(1_000)
      return ended
    })
  )
  if (Exit.isFailure(exit)) throw new Error(String(exit.cause))
  return { ended: exit.value, taken }
}

describe("the queue, of calls with prices", () => {
  const prices = [0, 1, 2, 5, 10, 20, 50]
  const priced = fc.array(
    fc.record({
      at: fc.integer({ min: 0, max: 2_000 }),
      rank: fc.integer({ min: 0, max: 2 }),
      patience: fc.integer({ min: 0, max: 6_000 }),
      credits: fc.constantFrom(...prices),
      leaves: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: undefined, freq: 5 })
    }),
    { minLength: 1, maxLength: 40 }
  )

  it("goes above neither bucket in any window, serves nobody too late, and gives back what nobody has used", () =>
    fc.assert(
      fc.asyncProperty(
        fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 5, max: 200 }),
        fc.integer({ min: 50, max: 120 }),
        priced,
        async (rate, burst, creditRate, creditBurst, asked) => {
          const { ended, taken } = await spent(
            rate === undefined ? undefined : { perSecond: rate, burst },
            { perSecond: creditRate, burst: creditBurst },
            asked
          )
          const served = ended.filter((each) => each.served).sort((a, b) => a.end - b.end)
          for (const [i, { end: from }] of served.entries()) {
            let credits = 0
            for (const [j, { credits: price, end: to }] of served.slice(i).entries()) {
              credits += price
              const seconds = (to - from + ROUNDING) / 1_000
              expect(credits).toBeLessThanOrEqual(creditBurst + seconds * creditRate + 1e-6)
              if (rate !== undefined) expect(j + 1).toBeLessThanOrEqual(burst + seconds * rate + 1e-6)
            }
          }
          for (const { at, end, patience } of served)
            expect(end).toBeLessThanOrEqual(at + patience + ROUNDING)
          expect(taken.credits).toBe(served.reduce((sum, { credits }) => sum + credits, 0))
          expect(taken.requests).toBe(rate === undefined ? 0 : served.length)
        }
      ),
      { numRuns: runs(200) }
    ))

  it("sends no burst of requests behind a call that has waited for its credits", async () => {
    const { ended } = await spent({ perSecond: 2, burst: 1 }, { perSecond: 5, burst: 50 }, [
      { at: 0, rank: 0, patience: 0, credits: 5 },
      { at: 0, rank: 0, patience: 10_000, credits: 50 },
      { at: 0, rank: 0, patience: 10_000, credits: 0 }
    ])
    expect(ended.map(({ end }) => end)).toEqual([0, 1_000, 1_500])
  })

  it("spends no more credits at once behind a call that has waited for its turn", async () => {
    const { ended } = await spent({ perSecond: 1, burst: 1 }, { perSecond: 10, burst: 10 }, [
      { at: 0, rank: 0, patience: 0, credits: 0 },
      { at: 0, rank: 0, patience: 10_000, credits: 10 },
      { at: 0, rank: 1, patience: 20_000, credits: 20 }
    ])
    expect(ended.map(({ end }) => end)).toEqual([0, 1_000, 3_000])
  })

  const at = 10
  const patience = 60_000

  it("lets each wait for its price, and one that costs more than a full bucket for the rest of it", async () => {
    const prices = [10, 5, 5, 0, 30, 1]
    const { ended } = await spent(
      undefined,
      { perSecond: 10, burst: 10 },
      prices.map((credits, i) => ({ at: i, rank: 2, patience: patience + i, credits }))
    )
    expect(ended.map(({ end }) => end)).toEqual([0, 500, 1_000, 1_000, 4_000, 4_100])
  })

  it("lets a dear write go before a cheap read for which tokens were reserved", async () => {
    const { ended } = await spent(undefined, { perSecond: 10, burst: 10 }, [
      { at: 0, rank: 2, patience, credits: 10 },
      { at, rank: 2, patience, credits: 5 },
      { at: 200, rank: 0, patience, credits: 20 }
    ])
    expect(ended.map(({ end }) => end)).toEqual([0, 2_500, 2_000])
  })

  it("lets a cheap write go before a dear read, whose tokens are not there yet", async () => {
    const { ended, taken } = await spent(undefined, { perSecond: 10, burst: 10 }, [
      { at: 0, rank: 2, patience, credits: 10 },
      { at, rank: 2, patience, credits: 10 },
      { at: 200, rank: 0, patience, credits: 1 }
    ])
    expect(ended.map(({ end }) => end)).toEqual([0, 1_100, 200])
    expect(taken.credits).toBe(21)
  })

  it("refuses at once what the credits will not be there for, and not what costs less", async () => {
    const { ended } = await spent({ perSecond: 1_000, burst: 100 }, { perSecond: 10, burst: 10 }, [
      { at: 0, rank: 2, patience: 100, credits: 10 },
      { at, rank: 2, patience: 900, credits: 10 },
      { at, rank: 2, patience: 900, credits: 5 }
    ])
    expect(ended.map(({ end, served }) => [served, end])).toEqual([
      [true, 0],
      [false, 10],
      [true, 500]
    ])
  })
})

describe("a bucket", () => {
  it.effect("is the plainest one that there is, whatever it is told, and however often", () =>
    checkBucket((rate) => Effect.sync(() => makeLocalBucket(rate)), { foresees: true, numRuns: runs(500) })
  )

  const told: ReadonlyArray<readonly [count: number, rate: number, pause: number, burst: number]> = [
    [1, 100, 1_000, 100],
    [5, 100, 1_000, 100],
    [10, 100, 1_000, 100],
    [20, 50, 1_000, 50],
    [1, 5, 5_000, 5],
    [20, 5, 5_000, 5]
  ]
  it.effect.each(told)(
    "is silent for the pause and no longer, though %d requests are told of it",
    ([count, rate, pause, burst]) =>
      Effect.gen(function* () {
        const queue = makeQueue({ requests: makeLocalBucket({ perSecond: rate, burst }) })
        const { bucket } = queue
        const start = yield* now
        yield* queue.take(2, start, "first")
        // one after the other, as their answers come
        for (let i = 0; i < count; i++) {
          yield* bucket.recordRefusal(start, yield* now, pause - 2 * i)
          expect(bucket.msUntil(1, yield* now)).toBeLessThanOrEqual(pause + 1_000 / (rate / 10))
          yield* TestClock.adjust(2)
        }
        const next = yield* Effect.fork(Effect.zipRight(queue.take(2, start + 60_000, "next"), now))
        yield* TestClock.adjust(60_000)
        const silence = (yield* Fiber.join(next)) - start
        expect(silence).toBeGreaterThanOrEqual(pause)
        // the token that there was, or the next one at half the rate
        expect(silence).toBeLessThanOrEqual(pause + 1_000 / (rate / 2) + 1)
      })
  )
})

describe("the pace", () => {
  it("halves once for the requests that were on their way, waits as told, and comes back", () => {
    const first = lowerRate(makeRate(40), 40, { sent: 1_000, now: 1_010, pause: 3_000 })
    expect(first).toMatchObject({ rate: 20, blockedUntil: 4_010 })
    expect(lowerRate(first, 40, { sent: 1_000, now: 1_010, pause: 3_000 })).toBe(first)
    // the later of two moments counts, whoever tells it
    expect(lowerRate(first, 40, { sent: 1_000, now: 1_020, pause: 5_000 })).toEqual({
      ...first,
      blockedUntil: 6_020
    })
    expect(raiseRate(first, 40, 2_000)).toBe(first)
    const second = lowerRate(first, 40, { sent: 4_020, now: 4_030, pause: 0 })
    expect(second).toMatchObject({ rate: 10 })
    let rate = second
    for (let at = 4_530; at <= 30_000; at += 500) rate = raiseRate(rate, 40, at)
    expect(rate.rate).toBe(40)
    let lowest = makeRate(40)
    for (let at = 0; at < 20; at++) lowest = lowerRate(lowest, 40, { sent: at, now: at, pause: 1e9 })
    expect(lowest).toMatchObject({ rate: 4, blockedUntil: 60_019 })
  })

  it.effect("holds in a bucket: nothing before the pause is over, and then at the lower rate", () =>
    Effect.gen(function* () {
      const bucket = makeLocalBucket({ perSecond: 10, burst: 10 })
      const start = yield* now
      expect(yield* bucket.recordRefusal(start, start, 2_000)).toBe(5)
      expect(yield* bucket.recordRefusal(start - 1, start, 2_000)).toBeUndefined()
      expect(yield* bucket.reserve(1)).toBe(2_000)
      expect(yield* bucket.reserve(1)).toBe(2_200)
      yield* bucket.restore(1)
      expect(bucket.msUntil(1, start)).toBe(2_200)
    })
  )
})

/** A provider that takes `rate` requests a second for the key, as the sandbox does, and says 429 to others. */
const provider = async (rate: number, slowly = (_method: string): number => 0) => {
  const seen: Array<{ readonly method: string; readonly status: number; readonly at: number }> = []
  let tokens = rate
  let at = performance.now()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      const { id, method } = body === "" ? { id: 0, method: String(request.url) } : JSON.parse(body)
      const time = performance.now()
      tokens = Math.min(rate, tokens + ((time - at) * rate) / 1_000)
      at = time
      const status = tokens < 1 ? 429 : 200
      if (status === 200) tokens--
      seen.push({ method, status, at: time })
      const result = method === "eth_chainId" ? "0x1" : "0x10"
      response.writeHead(status, {
        "content-type": "application/json",
        ...(status === 429 ? { "retry-after": "1" } : {})
      })
      const said = status === 429 ? { message: "too fast" } : { jsonrpc: "2.0", id, result }
      setTimeout(() => response.end(JSON.stringify(said)), slowly(method))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
  return {
    url,
    seen,
    end: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

const common = { network: "ethereum-mainnet", quiet: true, apiKey: "secret" } as const

describe("clients within a quota", () => {
  it("share it, wait within their deadlines, and are told in time what has no place", async () => {
    const server = await provider(40)
    try {
      const shared = quota({ requestsPerSecond: 40, burst: 10 })
      const nodes = [{ url: server.url, sendApiKey: true }]
      const [one, two] = await Promise.all([
        init({ ...common, quota: shared, rpc: { nodes } }),
        init({ ...common, quota: shared, rpc: { nodes } })
      ])
      const heard: Array<string> = []
      one.listen(({ _tag }) => heard.push(_tag))
      try {
        const client = (i: number) => (i % 2 === 0 ? one : two)
        const results = await Promise.all(
          Array.from({ length: 90 }, (_, i) => client(i).with({ timeout: 5_000 }).rpc.blockNumber())
        )
        expect(results.flatMap(({ error }) => error?.message ?? [])).toEqual([])
        const ends: Array<"answered" | "refused" | "late"> = []
        const calls = Array.from({ length: 60 }, async () => {
          const { error, status } = await one.with({ timeout: 500 }).rpc.blockNumber()
          const isRefused = error?.cause instanceof QuotaExceeded
          ends.push(status === "SUCCESS" ? "answered" : isRefused ? "refused" : "late")
        })
        await Promise.all(calls)
        expect(ends.filter((end) => end === "refused").length).toBeGreaterThan(20)
        // before those that have their turn; late timers take its place from the last one that had one, or two
        const behind = ends.slice(ends.lastIndexOf("answered"))
        expect(behind.filter((end) => end === "refused").length).toBeLessThan(3)
        expect(server.seen.filter(({ status }) => status === 429)).toEqual([])
        expect(heard).toContain("OverQuota")
      } finally {
        await Promise.all([one.destroy(), two.destroy()])
      }
    } finally {
      await server.end()
    }
  })

  it("send writes before reads that wait, and have limits of single nodes", async () => {
    const server = await provider(1_000)
    try {
      const own = quota({
        requestsPerSecond: 1,
        nodes: { [`${server.url}/`]: { requestsPerSecond: 10, burst: 1 } }
      })
      const sdk = await init({ ...common, quota: own, rpc: { nodes: [{ url: server.url }] } })
      try {
        await sdk.rpc.blockNumber()
        server.seen.length = 0
        const reads = Array.from({ length: 6 }, () => sdk.rpc.gasPrice())
        // the others wait for their turn
        await vi.waitFor(() => expect(server.seen).not.toEqual([]), { timeout: 300_000, interval: 5 })
        await sdk.rpc.sendRawTransaction("0x01")
        await Promise.all(reads)
        const methods = server.seen
          .map(({ method }) => method)
          .filter((method) => !/chainId|blockNumber/.test(method))
        expect(methods.indexOf("eth_sendRawTransaction")).toBeLessThanOrEqual(2)
        const times = server.seen.map(({ at }) => at)
        expect(Number(times.at(-1)) - Number(times[0])).toBeGreaterThan((times.length - 2) * 95)
      } finally {
        await sdk.destroy()
      }
    } finally {
      await server.end()
    }
  })

  it("keep to the limits of their nodes' entries, and share those of one quota", async () => {
    const slow = await provider(1_000)
    try {
      const shared = quota()
      const limit = { requestsPerSecond: 20, burst: 2 }
      const rest = { quota: shared, verifyChain: false, hedge: false } as const
      const [one, two] = await Promise.all([
        init({ ...common, ...rest, rpc: { nodes: [{ url: slow.url, quota: limit }] } }),
        // as all write it, it is the same node
        init({
          ...common,
          ...rest,
          rpc: { nodes: [{ url: `${slow.url.replace("http", "HTTP")}/`, quota: { ...limit } }] }
        })
      ])
      try {
        await Promise.all([one, two].flatMap((sdk) => Array.from({ length: 15 }, () => sdk.rpc.gasPrice())))
        const times = slow.seen.map(({ at }) => at)
        expect(times.length).toBeGreaterThanOrEqual(30)
        // fifty milliseconds apart but for the burst; with a bucket each they would take half of it
        expect(Number(times.at(-1)) - Number(times[0])).toBeGreaterThan((times.length - 6) * 40)
      } finally {
        await Promise.all([one, two].map((sdk) => sdk.destroy()))
      }
    } finally {
      await slow.end()
    }
  })

  it("do not have a node without a limit wait for those of another one", async () => {
    const [slow, other] = await Promise.all([provider(1_000), provider(1_000)])
    try {
      const rest = { quota: quota(), verifyChain: false, hedge: false } as const
      const limit = { requestsPerSecond: 1, burst: 1 }
      const [limited, free] = await Promise.all([
        init({ ...common, ...rest, rpc: { nodes: [{ url: slow.url, quota: limit }] } }),
        init({ ...common, ...rest, rpc: { nodes: [{ url: other.url }] } })
      ])
      try {
        const pending = Promise.all(Array.from({ length: 20 }, () => limited.rpc.gasPrice()))
        await Promise.all(Array.from({ length: 60 }, () => free.rpc.gasPrice()))
        // the limited ones would take nineteen seconds
        await limited.destroy()
        expect((await pending).filter(({ status }) => status === "ERROR").length).toBeGreaterThan(0)
      } finally {
        await Promise.all([limited, free].map((sdk) => sdk.destroy()))
      }
    } finally {
      await Promise.all([slow.end(), other.end()])
    }
  })

  it("hear of limits in nodes' entries that are none, or that nothing would hold", async () => {
    const url = "https://node.example"
    const whyNot = async (
      limits: ReadonlyArray<unknown>,
      option: object = { quota: quota() },
      urls: ReadonlyArray<string> = limits.map((_, i) => `${url}/${i}`)
    ) => {
      const nodes = limits.map((limit, i) => ({ url: urls[i], quota: limit }))
      const config: object = { ...common, ...option, rpc: { nodes } }
      const error: unknown = await init(config as Parameters<typeof init>[0]).then(
        (sdk) => sdk.destroy(),
        (error: unknown) => error
      )
      return error instanceof InvalidConfig ? error.issues : []
    }
    expect(await whyNot([{ requestsPerSecond: 5 }], {})).toEqual([
      { path: "quota", message: expect.stringMatching(/is missing/) }
    ])
    expect(
      await whyNot([5, {}, { requestsPerSecond: "5" }, { requestsPerSecond: 5, burst: 0.5, brust: 1 }, null])
    ).toEqual([
      { path: "rpc.nodes[0].quota", message: "must be an object, not number 5" },
      { path: "rpc.nodes[1].quota.requestsPerSecond", message: "is missing" },
      { path: "rpc.nodes[2].quota.requestsPerSecond", message: "must be a number above 0" },
      { path: "rpc.nodes[3].quota.burst", message: expect.stringMatching(/^must be a number from 1/) },
      { path: "rpc.nodes[3].quota.brust", message: expect.stringMatching(/^is not an option/) },
      { path: "rpc.nodes[4].quota", message: "must be an object, not null" }
    ])
    const shared = quota({ requestsPerSecond: 50, nodes: { [`${url}/0`]: { requestsPerSecond: 5 } } })
    expect(await whyNot([{ requestsPerSecond: 6 }], { quota: shared })).toEqual([
      { path: "rpc.nodes[0].quota", message: expect.stringMatching(/has for the node already/) }
    ])
    const twice = [`${url}/0`, `${url}/0/`]
    expect(
      await whyNot([{ requestsPerSecond: 5 }, { requestsPerSecond: 6 }], { quota: quota() }, twice)
    ).toEqual([{ path: "rpc.nodes[1].quota", message: expect.stringMatching(/has for the node already/) }])
    const bursts = [{ requestsPerSecond: 5 }, { requestsPerSecond: 5, burst: 6 }]
    expect(await whyNot(bursts, { quota: quota() }, twice)).toHaveLength(1)
    const each = Object.fromEntries(twice.map((each, i) => [each, { requestsPerSecond: 5 + i }]))
    expect(() => quota({ nodes: each })).toThrow(/has for the node already/)
    // the default is what was said
    expect(await whyNot([{ requestsPerSecond: 5, burst: 5 }], { quota: shared })).toEqual([])
  })

  it("give back the token of a call that was never sent", async () => {
    const server = await provider(1_000)
    try {
      const sdk = await init({
        ...common,
        quota: quota({ requestsPerSecond: 0.01, burst: 6 }),
        verifyChain: false,
        rpc: { nodes: [{ url: server.url, sendApiKey: true }], oneTimeLoadBalancing: true }
      })
      try {
        await sdk.rpc.blockNumber()
        // until nothing more comes of the one check
        for (let before = 0; server.seen.length !== before; ) {
          before = server.seen.length
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
        const left = 6 - server.seen.length
        expect(left).toBeGreaterThan(1)
        for (let i = 0; i < 10; i++) {
          const { error } = await sdk.with({ node: "https://elsewhere.example" }).rpc.gasPrice()
          expect(error?.cause).toBeDefined()
          expect(error?.cause).not.toBeInstanceOf(QuotaExceeded)
        }
        for (let i = 0; i < left; i++) expect((await sdk.rpc.gasPrice()).status).toBe("SUCCESS")
        expect((await sdk.rpc.gasPrice()).error?.cause).toBeInstanceOf(QuotaExceeded)
      } finally {
        await sdk.destroy()
      }
    } finally {
      await server.end()
    }
  })

  it("slow down after a 429 of a quota that others use too, and tell it", async () => {
    const server = await provider(10)
    try {
      const sdk = await init({
        ...common,
        quota: quota({ requestsPerSecond: 40, burst: 40 }),
        rpc: { nodes: [{ url: server.url, sendApiKey: true }] }
      })
      const rates: Array<number> = []
      sdk.listen((event) => {
        if (event._tag === "Limited") rates.push(event.rate)
      })
      try {
        await Promise.all(Array.from({ length: 30 }, () => sdk.rpc.gasPrice()))
        expect(rates[0]).toBe(20)
      } finally {
        await sdk.destroy()
      }
    } finally {
      await server.end()
    }
  })

  it("let no call wait so long that no time is left for its answer", async () => {
    // a long answer is remembered by nine tenths after each shorter one
    const times: Readonly<Record<string, number>> = { eth_gasPrice: 250, eth_blockNumber: 180 }
    const server = await provider(1_000, (method) => times[method] ?? 0)
    try {
      const sdk = await init({
        ...common,
        quota: quota({ requestsPerSecond: 20, burst: 1 }),
        rpc: { nodes: [{ url: server.url, sendApiKey: true }], oneTimeLoadBalancing: true }
      })
      try {
        await sdk.rpc.gasPrice()
        // one that was quick does not make the others so
        await sdk.rpc.chainId()
        const results = await Promise.all(
          Array.from({ length: 40 }, () => sdk.with({ timeout: 1_200 }).rpc.blockNumber())
        )
        const late = results.flatMap(({ error }) =>
          error === undefined || error.cause instanceof QuotaExceeded ? [] : [error.message]
        )
        expect(late).toEqual([])
        expect(results.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(10)
      } finally {
        await sdk.destroy()
      }
    } finally {
      await server.end()
    }
  })

  it("tell the same of the provider's API as of nodes", async () => {
    const server = await provider(1_000)
    try {
      const sdk = await initWhole({
        ...common,
        quota: quota({ requestsPerSecond: 0.01, burst: 1 }),
        provider: { baseUrl: server.url },
        rpc: { nodes: [{ url: server.url }], oneTimeLoadBalancing: true }
      })
      const heard: Array<string> = []
      sdk.listen((event) => {
        if (event._tag === "OverQuota") heard.push(event.call)
      })
      try {
        // the one token there is
        await sdk.with({ timeout: 200 }).rates.getCurrentRate("ETH", "EUR")
        heard.length = 0
        const { error } = await sdk.with({ timeout: 200 }).rates.getCurrentRate("BTC", "EUR")
        expect(error?.cause).toBeInstanceOf(QuotaExceeded)
        expect(error?.cause).toMatchObject({ call: "GET rate/BTC" })
        expect(heard).toEqual(["GET rate/BTC"])
        expect(server.seen.filter(({ method }) => method === "/v4/rate/BTC")).toEqual([])
      } finally {
        await sdk.destroy()
      }
    } finally {
      await server.end()
    }
  })

  it("have to be given one that is one", async () => {
    expect(() => quota({ requestsPerSecond: 0, burst: 0 })).toThrow(InvalidConfig)
    expect(() => quota({ requestsPerSecond: 1, nodes: { nothing: { requestsPerSecond: 1 } } })).toThrow(
      /urls of nodes/
    )
    const misspelt: object = { requestPerSecond: 1 }
    expect(() => quota(misspelt)).toThrow(
      /quota.requestsPerSecond is missing.*did you mean requestsPerSecond/
    )
    const wrong: object = { ...common, quota: { requestsPerSecond: 50 } }
    for (const [credits, what] of [
      [{}, /quota.credits.perSecond is missing/],
      [{ perSecond: 0 }, /quota.credits.perSecond must be a number above 0/],
      [{ perSecond: 5, burst: 0.5 }, /quota.credits.burst must be a number from 1/],
      [{ perSecond: 5, brust: 5 }, /quota.credits.brust is not an option/],
      [5, /quota.credits must be an object/]
    ] as const) {
      const options: object = { credits }
      expect(() => quota(options)).toThrow(what)
    }
    await expect(init(wrong as Parameters<typeof init>[0])).rejects.toThrow(
      /quota must be what its module exports/
    )
  })
})
