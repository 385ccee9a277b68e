import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as TestClock from "effect/TestClock"
import type { HandlerRequest } from "../../src/sandbox/Handler.js"
import { findKey, make } from "../../src/sandbox/Keys.js"
import { parseBody } from "../../src/sandbox/Loopback.js"

const request = (key?: string, path = "/v4/data/balances"): HandlerRequest => ({
  method: "GET",
  path,
  headers: key === undefined ? {} : { "x-api-key": key },
  body: Buffer.alloc(0)
})

describe("keys", () => {
  const outcome = (keys: Effect.Effect.Success<ReturnType<typeof make>>, received: HandlerRequest) =>
    Effect.map(keys.check(received), (answer) => (answer === undefined ? 200 : answer.status))

  it.effect("are all good without the option, but for the one that is not", () =>
    Effect.gen(function* () {
      const keys = yield* make()
      for (const key of [undefined, "", "anything", "ключ"])
        for (let i = 0; i < 50; i++) expect(yield* outcome(keys, request(key))).toBe(200)
      const refused = yield* keys.check(request("invalid"))
      expect(refused?.status).toBe(401)
      expect(parseBody(refused?.body ?? Buffer.alloc(0))).toEqual({
        statusCode: 401,
        errorCode: "subscription.invalid",
        message: "The API key is not valid"
      })
      expect(yield* keys.usage).toEqual([
        { key: "", requests: 100, refused: 0 },
        { key: "anything", requests: 50, refused: 0 },
        { key: "ключ", requests: 50, refused: 0 },
        { key: undefined, requests: 0, refused: 1 }
      ])
    })
  )

  it.effect(
    "that nobody made are refused with it, and none at all is let through a few times per second",
    () =>
      Effect.gen(function* () {
        const keys = yield* make({ apiKeys: [{ key: "A" }] })
        expect(yield* outcome(keys, request("A"))).toBe(200)
        expect(yield* outcome(keys, request("B"))).toBe(401)
        expect(yield* outcome(keys, request("a"))).toBe(401)
        expect(yield* outcome(keys, request("invalid"))).toBe(401)
        for (let i = 0; i < 5; i++) expect(yield* outcome(keys, request())).toBe(200)
        expect(yield* outcome(keys, request())).toBe(429)
        expect(yield* outcome(keys, request("A"))).toBe(200)

        const open = yield* make({ apiKeys: [{ key: "" }] })
        for (let i = 0; i < 50; i++) expect(yield* outcome(open, request())).toBe(200)
        const closed = yield* make({ apiKeys: [{ key: "", credits: 0 }] })
        expect(yield* outcome(closed, request())).toBe(403)
      })
  )

  it.effect("have so many requests per second, and are told when the next one may come", () =>
    Effect.gen(function* () {
      const keys = yield* make({
        apiKeys: [
          { key: "fast", requestsPerSecond: 2 },
          { key: "slow", requestsPerSecond: 0.2 }
        ]
      })
      expect(yield* outcome(keys, request("fast"))).toBe(200)
      expect(yield* outcome(keys, request("fast"))).toBe(200)
      const refused = yield* keys.check(request("fast"))
      expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "1" } })
      expect(parseBody(refused?.body ?? Buffer.alloc(0))).toMatchObject({
        statusCode: 429,
        errorCode: "too.many.requests"
      })
      yield* TestClock.adjust("499 millis")
      expect(yield* outcome(keys, request("fast"))).toBe(429)
      yield* TestClock.adjust("1 millis")
      expect(yield* outcome(keys, request("fast"))).toBe(200)
      expect(yield* outcome(keys, request("fast"))).toBe(429)
      // what is not used is not saved up
      yield* TestClock.adjust("1 hour")
      expect(yield* Effect.replicateEffect(outcome(keys, request("fast")), 3)).toEqual([200, 200, 429])

      expect(yield* outcome(keys, request("slow"))).toBe(200)
      expect(yield* keys.check(request("slow"))).toMatchObject({ headers: { "retry-after": "5" } })
      yield* TestClock.adjust("1100 millis")
      expect(yield* keys.check(request("slow"))).toMatchObject({ headers: { "retry-after": "4" } })
      // whoever waits as long as that is let through
      yield* TestClock.adjust("4 seconds")
      expect(yield* outcome(keys, request("slow"))).toBe(200)
    })
  )

  it.effect("have credits, which what is refused does not cost", () =>
    Effect.gen(function* () {
      const keys = yield* make({ apiKeys: [{ key: "A", credits: 3, requestsPerSecond: 2 }, { key: "B" }] })
      const codes = yield* Effect.replicateEffect(outcome(keys, request("A")), 3)
      yield* TestClock.adjust("1 second")
      expect([...codes, ...(yield* Effect.replicateEffect(outcome(keys, request("A")), 2))]).toEqual([
        200, 200, 429, 200, 403
      ])
      const refused = yield* keys.check(request("A"))
      expect(parseBody(refused?.body ?? Buffer.alloc(0))).toMatchObject({
        statusCode: 403,
        errorCode: "credit.exhausted"
      })
      yield* TestClock.adjust("30 days")
      expect(yield* outcome(keys, request("A"))).toBe(403)
      expect(yield* outcome(keys, request("B"))).toBe(200)
      expect(yield* keys.usage).toEqual([
        { key: "", requests: 0, refused: 0 },
        { key: "A", requests: 3, refused: 4, creditsLeft: 0 },
        { key: "B", requests: 1, refused: 0 }
      ])
    })
  )

  it.effect("of one version are not good for the other", () =>
    Effect.gen(function* () {
      const keys = yield* make({
        apiKeys: [
          { key: "three", version: "V3", credits: 1 },
          { key: "four", version: "V4" },
          { key: "both" }
        ]
      })
      const seen = yield* Effect.forEach(["four", "both"], (key) =>
        Effect.forEach(["/v3/ethereum/web3", "/v4/data/balances"], (path) =>
          outcome(keys, request(key, path))
        )
      )
      expect(seen).toEqual([
        [401, 200],
        [200, 200]
      ])
      expect(yield* outcome(keys, request("three"))).toBe(401)
      expect(yield* outcome(keys, request("three", "/v3/blockchain/node/ethereum-mainnet"))).toBe(200)
    })
  )

  it("may stand in the gateway's path", () => {
    const gateway = "/v3/blockchain/node"
    for (const [path, key] of [
      [`${gateway}/ethereum-mainnet/KEY`, "KEY"],
      [`${gateway}/ethereum-mainnet/KEY?x=1`, "KEY"],
      [`${gateway}/ethereum-mainnet/KEY/eth/v1/node/health`, "KEY"],
      [`${gateway}/ethereum-mainnet/eth/v1/node/health`, ""],
      [`${gateway}/ethereum-mainnet`, ""],
      [`${gateway}/ethereum-mainnet/`, ""],
      [`${gateway}/bitcoin-mainnet/KEY`, "KEY"],
      [`${gateway}/my-own-chain/KEY`, "KEY"],
      [`${gateway}/tezos-mainnet/chains/main/blocks`, ""],
      [`${gateway}/tezos-mainnet/KNOWN/chains/main/blocks`, "KNOWN"],
      ["/v4/data/KEY/KNOWN", ""]
    ] as const)
      expect([path, findKey({ headers: {}, path }, (known) => known === "KNOWN")]).toEqual([path, key])
    expect(findKey({ headers: { "x-api-key": "A" }, path: `${gateway}/ethereum-mainnet/B` })).toBe("A")
    expect(findKey({ headers: { "x-api-key": "" }, path: `${gateway}/ethereum-mainnet/B` })).toBe("B")
  })

  it.effect("with quotas that are none are refused at the start", () =>
    Effect.gen(function* () {
      for (const apiKeys of [
        [{ key: "A" }, { key: "A" }],
        ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY].map((requestsPerSecond) => [
          { key: "A", requestsPerSecond }
        ]),
        ...[-1, 0.5, Number.NaN].map((credits) => [{ key: "A", credits }])
      ]) {
        const error = yield* Effect.flip(make({ apiKeys }))
        expect(error).toMatchObject({ _tag: "SandboxError", reason: "options" })
        expect(error.message).toContain('"A"')
      }
    })
  )

  it.effect("never get more than their rate and their first burst, however they come", () =>
    Effect.gen(function* () {
      const runs = FastCheck.sample(
        FastCheck.tuple(
          FastCheck.constantFrom(0.5, 1, 3, 10),
          FastCheck.array(FastCheck.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 60 })
        ),
        { numRuns: 40, seed: 7 }
      )
      for (const [requestsPerSecond, pauses] of runs) {
        const keys = yield* make({ apiKeys: [{ key: "A", requestsPerSecond }] })
        let passed = 0
        let let_through = 0
        for (const pause of pauses) {
          yield* TestClock.adjust(pause)
          passed += passed === 0 && let_through === 0 ? 0 : pause
          if ((yield* outcome(keys, request("A"))) === 200) let_through++
        }
        const most = Math.max(1, requestsPerSecond) + (passed / 1_000) * requestsPerSecond
        expect(let_through).toBeLessThanOrEqual(most + 1e-6)
        expect(let_through).toBeGreaterThanOrEqual(Math.min(pauses.length, 1))
      }
    })
  )
})
