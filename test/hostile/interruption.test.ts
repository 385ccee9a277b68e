/** Calls that are given up at random points, by Effect and by AbortSignal: what they held is free, and the client is as before. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as Sdk from "../../src/client/Sdk.js"
import { type Http, layerFetch, layerPlatform, layerUndici } from "../../src/http/Http.js"
import { init } from "../../src/promise.js"
import { CallOptions } from "../../src/wire/Transport.js"
import { Chance } from "./answers.js"
import { exchangeOf, variety } from "./exchanges.js"
import { type HostileServer, startServer } from "./process.js"
import { someOf } from "./times.js"

const seed = Number(process.env.FUZZ_SEED ?? 13)
const CALLS = someOf(400)
/** They begin within so many milliseconds. */
const SPREAD = 500
const network = "ethereum-mainnet"

let server: HostileServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.end())

const bad = (what: string): string => {
  const at = Array.from({ length: variety }, (_, i) => i).find((i) => exchangeOf(i).what === what)
  if (at === undefined) throw new Error(`there is no exchange ${what}`)
  return `${server.url}/bad/${at}/any`
}

/** Nodes that make calls wait: for the head, for the rest of a body, for a moment. None of them ever fails. */
const waits = () => [
  bad("never answers"),
  bad("stands still within the body"),
  `${server.url}/slow/15/any`,
  `${server.url}/slow/3/any`
]

const optionsOf = (urls: ReadonlyArray<string>) =>
  ({
    network,
    quiet: true,
    verifyChain: false,
    selection: "round-robin",
    attemptTimeout: 20_000,
    retryBudget: { ratio: 0, burst: 3 },
    hedge: false,
    rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY }
  }) as const

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits until no more sockets than these are open. */
const settles = async (most: number, within: number): Promise<number> => {
  const until = performance.now() + within
  for (;;) {
    const { open } = await server.seen()
    if (open <= most || performance.now() > until) return open
    await pause(50)
  }
}

const ways: ReadonlyArray<readonly [string, Layer.Layer<Http>]> = [
  ["fetch", layerFetch],
  ["undici", layerUndici],
  ["node:http", Layer.provide(layerPlatform, NodeHttpClient.layer)]
]

/** Sockets that are kept for the next request live for four seconds (undici); those that live for so long hang. In milliseconds. */
const KEPT = 40_000

describe.each(ways)("calls over %s", (_, layer) => {
  it.each([
    {},
    { batch: true, coalesce: true },
    // where others overtake a silent node, it has failed
    { hedge: { delay: 10, maxExtraLoad: 0.5 } }
  ] as const)(
    "that are interrupted at any time (%j) free their sockets, and cost no node its name",
    async (more) => {
      const runtime = ManagedRuntime.make(layer)
      const chance = new Chance(seed)
      await runtime.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const sdk = yield* Sdk.makeHttp({ ...optionsOf(waits()), ...more })
            const answered = yield* Effect.forEach(
              Array.from({ length: CALLS }, () => [chance.below(SPREAD), chance.below(60)] as const),
              ([start, lasts]) =>
                Effect.gen(function* () {
                  yield* Effect.sleep(start)
                  const fiber = yield* Effect.fork(sdk.rpc.gasPrice())
                  yield* Effect.sleep(lasts)
                  const exit = yield* Fiber.interrupt(fiber)
                  if (Exit.isSuccess(exit)) expect(exit.value).toBe(1n)
                  else expect(Exit.isInterrupted(exit)).toBe(true)
                  return Exit.isSuccess(exit)
                }),
              { concurrency: "unbounded" }
            )
            const nodes = yield* sdk.nodes.snapshot
            if (!("hedge" in more)) expect(nodes.filter(({ failed }) => failed)).toEqual([])
            const count = answered.filter(Boolean).length
            console.log(`hostile: ${CALLS} calls interrupted, ${count} of them answered before`)
            expect(count).toBeLessThan(CALLS)
            // a call after them finds the client as it was
            const node = `${server.url}/slow/3/any`
            const after = yield* sdk.rpc
              .gasPrice()
              .pipe(Effect.provideService(CallOptions, { node }), Effect.timeout(300_000))
            expect(after).toBe(1n)
          })
        )
      )
      await runtime.dispose()
      expect(await settles(0, KEPT)).toBe(0)
    }
  )
})

describe("calls of promises", () => {
  it("that are aborted at any time end as aborted, free their sockets, and cost no node its name", async () => {
    const chance = new Chance(seed + 1)
    const sdk = await init(optionsOf(waits()))
    const reason = new Error("the user has left")
    const ends = await Promise.all(
      Array.from({ length: CALLS }, async (_, i) => {
        const [start, lasts] = [chance.below(SPREAD), chance.below(60)]
        await pause(start)
        const controller = new AbortController()
        // some are given up before they begin
        if (i % 10 === 0) controller.abort(reason)
        const call = sdk.with({ signal: controller.signal }).rpc.gasPrice()
        const aborted = pause(lasts).then(() => controller.abort(reason))
        const result = await call
        await aborted
        return result
      })
    )
    // its own time-out is twenty seconds, and no end for this reason
    for (const result of ends) {
      if (result.status === "SUCCESS") expect(result.data).toBe(1n)
      else expect(result.error.cause).toMatchObject({ _tag: "Aborted", reason })
    }
    expect(sdk.nodes().filter(({ failed }) => failed)).toEqual([])
    const well = sdk.with({ node: `${server.url}/slow/3/any`, timeout: 10_000 })
    expect((await well.rpc.gasPrice()).data).toBe(1n)
    await sdk.destroy()
    expect(await settles(0, KEPT)).toBe(0)
  })

  it("leave no listener on a signal that many of them share", async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    const sdk = await init(optionsOf([`${server.url}/well/any`]))
    await Promise.all(Array.from({ length: 200 }, () => sdk.with({ signal }).rpc.gasPrice()))
    await sdk.destroy()
    expect(listeners).toBeLessThanOrEqual(1)
  })
})
