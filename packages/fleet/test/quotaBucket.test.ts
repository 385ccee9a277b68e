/** The bucket in Redis against the plainest one that there is, under the clock of the test: the same commands as those for a process' own. */
import * as RateLimiter from "@effect/experimental/RateLimiter"
import { afterAll, beforeAll, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Redis } from "ioredis"
import { checkBucket } from "../../../test/bucketModel.js"
import { makeBucket, makeRateLimiterStore, type SharedState } from "../src/quotaBucket.js"
import { findMissing, type Server, startRedis } from "./servers.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)
let server: Server | undefined

beforeAll(async () => {
  if (lacking === undefined) server = await startRedis()
})
afterAll(async () => {
  await server?.end()
})

it.scoped.skipIf(lacking !== undefined)(
  "is the plainest one that there is, whatever it is told, and however often",
  () =>
    Effect.gen(function* () {
      const clock = yield* Effect.clock
      const redis = yield* Effect.acquireRelease(
        Effect.sync(() => new Redis(server?.url ?? "")),
        (connection) => Effect.sync(() => connection.disconnect())
      )
      const prefix = "plain:"
      const time = (): number => clock.unsafeCurrentTimeMillis()
      const limiter = yield* Effect.provideService(
        RateLimiter.make,
        RateLimiter.RateLimiterStore,
        makeRateLimiterStore({ redis, time }, prefix)
      )
      const shared: SharedState = { redis, limiter, prefix, time, skew: 0, processCount: 1, shareCount: 1 }
      let made = 0
      yield* checkBucket((rate) => Effect.sync(() => makeBucket(shared, `bucket${++made}`, rate)), {
        foresees: false,
        numRuns: 150
      })
    })
)
