/** Times as Effect writes them, on the surface where programs are Effects. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as fc from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Sdk from "../src/client/Sdk.js"
import * as CallOptions from "../src/config/CallOptions.js"
import * as Config from "../src/config/Config.js"
import { toMilliseconds } from "../src/config/durations.js"
import { Http } from "../src/http/Http.js"

const network = "ethereum-mainnet"

describe("times of a configuration", () => {
  it.effect("are durations, numbers of milliseconds, or texts", () =>
    Effect.gen(function* () {
      const config = yield* Effect.provide(
        Config.Config,
        Config.layer({
          network,
          retryDelay: "2 seconds",
          timeout: Duration.minutes(1),
          attemptTimeout: 5_000,
          rpc: { statusCheckInterval: "2 minutes" },
          hedge: { delay: "80 millis" },
          batch: { window: "5 millis", size: 10 },
          subscriptions: { idle: "20 seconds", timeout: [3, 0] }
        })
      )
      expect(config).toMatchObject({
        retryDelay: 2_000,
        timeout: 60_000,
        attemptTimeout: 5_000,
        statusCheckInterval: 120_000,
        hedge: { delay: 80 },
        batch: { window: 5, size: 10 },
        subscriptions: { idle: 20_000, timeout: 3_000 }
      })
    })
  )

  it.effect("that are none of these are told by their path, and all at once", () =>
    Effect.gen(function* () {
      // what a program in JavaScript may pass
      const wrong = { network, timeout: "soon", retryDelay: -1, hedge: { delay: {} } } as unknown
      const error = yield* Effect.flip(
        Effect.provide(Config.Config, Config.layer(wrong as Parameters<typeof Config.layer>[0]))
      )
      expect(error).toMatchObject({
        _tag: "InvalidConfig",
        issues: [{ path: "timeout" }, { path: "retryDelay" }, { path: "hedge.delay" }]
      })
    })
  )

  it.prop(
    "change no other option",
    [fc.record({ quiet: fc.boolean(), retryCount: fc.nat(), timeout: fc.nat() })],
    ([options]) => {
      expect(toMilliseconds({ network, ...options })).toEqual({ network, ...options })
    }
  )

  it.scoped("hold for a client and for single calls", () =>
    Effect.gen(function* () {
      const silent = Layer.succeed(Http, { send: () => Effect.never })
      const { rpc } = yield* Effect.provide(
        Sdk.makeHttp({
          network,
          quiet: true,
          timeout: "8 seconds",
          verifyChain: false,
          rpc: { nodes: [{ url: "https://node.example" }], statusCheckInterval: Duration.infinity }
        }),
        silent
      )
      const usual = yield* Effect.fork(Effect.flip(rpc.blockNumber()))
      const short = yield* Effect.fork(
        Effect.flip(rpc.blockNumber().pipe(CallOptions.with({ timeout: "2 seconds" })))
      )
      yield* TestClock.adjust("2 seconds")
      expect(yield* Fiber.join(short)).toMatchObject({ _tag: "CallTimeout", timeout: 2_000 })
      expect(usual.unsafePoll()).toBeNull()
      yield* TestClock.adjust("6 seconds")
      expect(yield* Fiber.join(usual)).toMatchObject({ _tag: "CallTimeout", timeout: 8_000 })
    })
  )
})
