/**
 * The plainest bucket that there is, and the commands by which others are held against it: a bucket of this process, and one in Redis.
 */
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as TestClock from "effect/TestClock"
import * as fc from "fast-check"
import { expect } from "vitest"
import type { Bucket } from "../src/transport/Quota.js"

/** What is known of a bucket by adding up each moment as it passes. Times are milliseconds. */
interface BucketModel {
  readonly limit: number
  readonly size: number
  now: number
  tokens: number
  rate: number
  /** Nothing is sent before. */
  until: number
  raisedAt: number
  loweredAt: number
  /** All moments that a pause was told to end at. */
  readonly told: Array<number>
}

interface BucketUnderTest {
  readonly bucket: Bucket
  readonly run: <A>(effect: Effect.Effect<A>) => Promise<A>
  /** Whether it knows by itself when the n-th token will be there: one of a fleet only guesses what others take. */
  readonly foresees: boolean
}

/** Where a duration is stored in nanoseconds, and a number of tokens in millionths. */
const TOLERANCE = 0.01

const expectClose = (found: number, expected: number): void =>
  expect(Math.abs(found - expected)).toBeLessThan(TOLERANCE)

const waitOf = ({ now, rate, tokens, until }: BucketModel): number =>
  Math.max(0, until - now) + (Math.max(0, -tokens) * 1_000) / rate

class PassTime implements fc.AsyncCommand<BucketModel, BucketUnderTest> {
  constructor(readonly ms: number) {}
  check(): boolean {
    return true
  }
  async run(plain: BucketModel, { run }: BucketUnderTest): Promise<void> {
    await run(TestClock.adjust(this.ms))
    const before = Math.max(plain.now, plain.until)
    plain.now += this.ms
    const free = Math.max(0, plain.now - before)
    plain.tokens = Math.min(plain.size, plain.tokens + (free * plain.rate) / 1_000)
  }
  toString(): string {
    return `${this.ms} ms pass`
  }
}

class TakeTokens implements fc.AsyncCommand<BucketModel, BucketUnderTest> {
  /** A call costs one token of requests, and any number of credits: more than the bucket holds, too. */
  constructor(readonly taken: number) {}
  check(): boolean {
    return true
  }
  async run(plain: BucketModel, { bucket, run }: BucketUnderTest): Promise<void> {
    const wait = await run(bucket.reserve(this.taken))
    plain.tokens -= this.taken
    expectClose(wait, waitOf(plain))
    // a pause is a moment: nothing is sent before the latest of those that were told, however often they were
    expect(plain.now + wait).toBeGreaterThanOrEqual(Math.max(...plain.told) - TOLERANCE)
  }
  toString(): string {
    return `take ${this.taken}`
  }
}

class RestoreTokens implements fc.AsyncCommand<BucketModel, BucketUnderTest> {
  constructor(readonly unused: number) {}
  check(plain: Readonly<BucketModel>): boolean {
    return plain.tokens <= plain.size - this.unused
  }
  async run(plain: BucketModel, { bucket, run }: BucketUnderTest): Promise<void> {
    await run(bucket.restore(this.unused))
    plain.tokens = Math.min(plain.size, plain.tokens + this.unused)
  }
  toString(): string {
    return `restore ${this.unused}`
  }
}

class RefuseRequest implements fc.AsyncCommand<BucketModel, BucketUnderTest> {
  /** `ago`: how long ago the request was sent that is refused now. */
  constructor(
    readonly pause: number,
    readonly ago: number
  ) {}
  check(): boolean {
    return true
  }
  async run(plain: BucketModel, { bucket, run }: BucketUnderTest): Promise<void> {
    const { now } = plain
    const sent = now - this.ago
    const rate = await run(bucket.recordRefusal(sent, now, this.pause))
    const isNews = sent >= plain.loweredAt
    plain.told.push(now + Math.min(60_000, this.pause))
    plain.until = Math.max(...plain.told)
    if (plain.until > now) plain.tokens = Math.min(1, plain.tokens)
    if (isNews) {
      plain.rate = Math.max(plain.limit / 10, plain.rate / 2)
      plain.loweredAt = now
      plain.raisedAt = now
    }
    if (isNews) expect(rate).toBeCloseTo(plain.rate, 6)
    else expect(rate).toBeUndefined()
    expectClose(bucket.blockedUntil(), plain.until)
  }
  toString(): string {
    return `refused ${this.ago} ms after it was sent, for ${this.pause} ms`
  }
}

class AnswerRequest implements fc.AsyncCommand<BucketModel, BucketUnderTest> {
  check(): boolean {
    return true
  }
  async run(plain: BucketModel, { bucket, foresees, run }: BucketUnderTest): Promise<void> {
    const { limit, now, raisedAt, rate, until } = plain
    await run(bucket.recordSuccess(now))
    // a bucket of a fleet tells the others a new rate four times a second
    if (rate >= limit || now < until || (!foresees && now - raisedAt < 250)) return
    plain.rate = Math.min(limit, rate + (limit * 0.05 * Math.min(1_000, now - raisedAt)) / 1_000)
    plain.raisedAt = now
  }
  toString(): string {
    return "answered"
  }
}

class ForeseeWait implements fc.AsyncCommand<BucketModel, BucketUnderTest> {
  constructor(readonly n: number) {}
  check(): boolean {
    return true
  }
  async run({ now, rate, tokens, until }: BucketModel, { bucket, foresees }: BucketUnderTest): Promise<void> {
    const found = bucket.msUntil(this.n, now)
    const pause = Math.max(0, until - now)
    if (foresees) expectClose(found, pause + (Math.max(0, this.n - tokens) * 1_000) / rate)
    else expect(found).toBeGreaterThanOrEqual(pause - TOLERANCE)
  }
  toString(): string {
    return `when is the token ${this.n} there?`
  }
}

const ms = (max: number) => fc.integer({ min: 0, max })

const commands = fc.commands<BucketModel, BucketUnderTest, false>(
  [
    fc.oneof(ms(50), ms(3_000), ms(70_000)).map((time) => new PassTime(time)),
    fc.constant(new TakeTokens(1)),
    fc.integer({ min: 1, max: 120 }).map((taken) => new TakeTokens(taken)),
    fc.integer({ min: 1, max: 5 }).map((unused) => new RestoreTokens(unused)),
    fc.tuple(fc.oneof(ms(2_000), ms(100_000)), ms(500)).map(([pause, ago]) => new RefuseRequest(pause, ago)),
    fc.tuple(ms(2_000), fc.constant(0)).map(([pause, ago]) => new RefuseRequest(pause, ago)),
    fc.constant(new AnswerRequest()),
    fc.integer({ min: 1, max: 20 }).map((n) => new ForeseeWait(n))
  ],
  { maxCommands: 60, size: "max" }
)

/** Holds buckets of any limit against the plain one, under the clock of the test. */
export const checkBucket = (
  make: (rate: { readonly perSecond: number; readonly burst: number }) => Effect.Effect<Bucket>,
  { foresees, numRuns }: { readonly foresees: boolean; readonly numRuns: number }
): Effect.Effect<void> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) => {
    const run = <A>(effect: Effect.Effect<A>): Promise<A> =>
      new Promise((resolve, reject) => {
        Runtime.runFork(runtime, effect).addObserver((exit) =>
          exit._tag === "Success" ? resolve(exit.value) : reject(exit.cause)
        )
      })
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.integer({ min: 1, max: 50 }),
      commands,
      async (limit, size, all) => {
        const bucket = await run(make({ perSecond: limit, burst: size }))
        const now = await run(Effect.clockWith((clock) => clock.currentTimeMillis))
        await fc.asyncModelRun(
          () => ({
            model: {
              limit,
              size,
              now,
              tokens: size,
              rate: limit,
              until: Number.NEGATIVE_INFINITY,
              raisedAt: Number.NEGATIVE_INFINITY,
              loweredAt: Number.NEGATIVE_INFINITY,
              told: [Number.NEGATIVE_INFINITY]
            },
            real: { bucket, run, foresees }
          }),
          all
        )
      }
    )
    return Effect.promise(() => fc.assert(property, { numRuns, seed: 20261128 }))
  })
