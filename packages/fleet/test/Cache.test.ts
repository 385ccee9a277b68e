import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { Http, Sdk, SdkCache } from "effect-chains"
import { Anvil } from "effect-chains/sandbox"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { freePort } from "../../../scripts/freePort.mjs"
import * as Cache from "../src/Cache.js"
import { start } from "./processes.js"
import { programPath } from "./processGroup.js"
import { findMissing, type Server, startRedis } from "./servers.js"

const found = await Effect.runPromise(Effect.either(Anvil.binary))
const lacking =
  findMissing() ?? (found._tag === "Left" ? "left out: the fleet's cache (no anvil)" : undefined)
if (lacking !== undefined) {
  if (process.env.CI === "true") throw new Error(lacking)
  console.log(lacking)
}

const scoped = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(effect))

describe.skipIf(lacking !== undefined)("stores of the cache", () => {
  const scope = Effect.runSync(Scope.make())
  const folder = mkdtempSync(join(tmpdir(), "fleet-cache-"))
  let url = ""
  let server: Server

  beforeAll(async () => {
    server = await startRedis()
    const node = await Effect.runPromise(
      Scope.extend(Anvil.start({ chainId: 1, noMining: true, accounts: 1 }), scope)
    )
    url = node.url
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "anvil_mine", params: ["0xc8"] })
    })
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  })

  const until = (condition: () => boolean) =>
    Effect.repeat(Effect.sync(condition), { until: (is) => is, schedule: Schedule.spaced("10 millis") })

  let next = 100
  /**
   * A client as a process has one: with a cache of its own over a store. It knows what is final, by a block that no other one asks for:
   * what the store has already would not make it ask a node.
   */
  const process = (store: SdkCache.Store) =>
    Effect.gen(function* () {
      const own = next++
      /** The names of what was written. */
      const written = new Set<string>()
      const cache = SdkCache.make({
        store: {
          ...store,
          set: async (key, value) => {
            await store.set(key, value)
            written.add(key)
          }
        }
      })
      const sdk = yield* Sdk.makeHttp({
        network: "ethereum-mainnet",
        rpc: { nodes: [{ url }] },
        coalesce: cache,
        quiet: true
      }).pipe(Effect.provide(Http.layerFetch))
      while (cache.stats().hits === 0) {
        yield* sdk.rpc.getBlockByNumber(own, false)
        yield* Effect.sleep(10)
      }
      return { cache, sdk, written }
    })

  const blocks = (from: number) => Array.from({ length: 20 }, (_, i) => from + i)

  const stores = {
    redis: () => Cache.redis({ url: server.url }),
    lmdb: () => Cache.lmdb({ path: join(folder, "lmdb") }),
    files: () => Cache.files({ path: join(folder, "files") })
  }
  for (const [name, open] of Object.entries(stores)) {
    it(`answers a new process from ${name}`, async () => {
      const read = Effect.gen(function* () {
        const { cache, sdk, written } = yield* process(yield* open())
        const before = cache.stats()
        written.clear()
        const answers = yield* Effect.forEach(blocks(1), (at) => sdk.rpc.getBlockByNumber(at, false))
        const misses = cache.stats().misses - before.misses
        yield* until(() => written.size >= misses)
        return { answers, misses, stored: cache.stats().storeHits - before.storeHits }
      })
      const first = await scoped(read)
      const second = await scoped(read)
      expect(first).toMatchObject({ misses: 20, stored: 0 })
      expect(second).toMatchObject({ misses: 0, stored: 20 })
      expect(second.answers).toEqual(first.answers)
    })
  }

  it("has one process ask for what several want", async () => {
    const open = Cache.redis({ url: server.url, name: `flights ${crypto.randomUUID()}` })
    const asked = await scoped(
      Effect.gen(function* () {
        const all = yield* Effect.forEach(Array.from({ length: 4 }), () => Effect.flatMap(open, process))
        const before = all.map(({ cache }) => cache.stats().misses)
        // what a process read to know what is final may be written late, and is none of these, which have their transactions
        const stored = () =>
          new Set(all.flatMap(({ written }) => [...written].filter((name) => name.includes(",true"))))
        // time passes slower, so that nobody gives up on a busy machine: before all is in the store by those who ask for it, then by Redis
        yield* Effect.acquireRelease(
          Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })),
          () => Effect.sync(() => vi.useRealTimers())
        )
        let isDone = false
        const reading = yield* Effect.forEach(
          all,
          ({ sdk }) =>
            Effect.forEach(blocks(30), (at) => sdk.rpc.getBlockByNumber(at, true), {
              concurrency: "unbounded"
            }),
          { concurrency: "unbounded" }
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              isDone = true
            })
          ),
          Effect.fork
        )
        yield* Effect.promise(async () => {
          let last = performance.now()
          let left = 0
          while (!isDone) {
            const now = performance.now()
            left += (now - last) / (stored().size >= 20 ? 4 : 20)
            last = now
            vi.advanceTimersByTime(Math.trunc(left))
            left -= Math.trunc(left)
            await new Promise((resolve) => setImmediate(resolve))
          }
        })
        yield* Fiber.join(reading)
        return all.reduce((sum, { cache }, i) => sum + cache.stats().misses - (before[i] ?? 0), 0)
      })
    )
    // of 80 that they would send without a lock
    expect(asked).toBe(20)
  })

  it("has one of two processes ask the node for a block that both want", async () => {
    const blockAt = (height: number) => ({
      number: `0x${height.toString(16)}`,
      hash: `0x${height.toString(16).padStart(64, "0")}`,
      transactions: []
    })
    const asked: Array<number> = []
    const node = createServer(async (request, response) => {
      let text = ""
      for await (const chunk of request) text += chunk
      const { id, method, params }: { id: number; method: string; params: ReadonlyArray<unknown> } =
        JSON.parse(text)
      const height = params[0] === "finalized" ? 900 : Number(params[0])
      if (height >= 100 && height < 140) asked.push(height)
      const result =
        method === "eth_chainId" ? "0x1" : method === "eth_blockNumber" ? "0x3e8" : blockAt(height)
      response.setHeader("content-type", "application/json")
      // so long that both want the block at the same time
      setTimeout(() => response.end(JSON.stringify({ jsonrpc: "2.0", id, result })), 50)
    })
    await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
    const address = node.address()
    const name = `processes ${crypto.randomUUID()}`
    const env = {
      READER_NODE: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`,
      READER_REDIS: server.url,
      READER_NAME: name
    }
    const readers = [0, 1].map((i) => start(programPath("cacheReader"), env, join(folder, `reader-${i}.txt`)))
    try {
      await Promise.all(readers.map(({ up }) => up))
      const answers = readers.map(({ child }) => once(child, "message"))
      for (const { child } of readers) child.send("read")
      const hashes = await Promise.all(answers)
      const wanted = Array.from({ length: 40 }, (_, i) => blockAt(100 + i).hash)
      expect(hashes.map(([all]) => all)).toEqual([wanted, wanted])
      expect(new Set(asked).size).toBe(40)
      // all of 80 would be sent without a lock; how many are late on a busy machine is told by the test above, which has its own time
      expect(asked.length).toBeLessThan(80)
    } finally {
      await Promise.all(readers.map(({ kill }) => kill()))
      node.close().closeAllConnections()
    }
  })

  it("goes on without Redis, and with it when it is back", async () => {
    const away = `away ${crypto.randomUUID()}`
    await scoped(
      Effect.gen(function* () {
        const { cache, sdk } = yield* process(yield* Cache.redis({ url: server.url, name: away }))
        const { hits } = cache.stats()
        yield* Effect.promise(() => server.stop())
        const answer = yield* sdk.rpc.getBlockByNumber(60, false)
        expect(answer?.number).toBe("0x3c")
        yield* Effect.promise(() => server.start())
        const second = yield* process(yield* Cache.redis({ url: server.url, name: away }))
        const { storeHits } = second.cache.stats()
        // the first process connects again by itself: what it reads then, the other one has from it
        for (let at = 61; second.cache.stats().storeHits === storeHits; at++) {
          yield* sdk.rpc.getBlockByNumber(at, false)
          yield* Effect.sleep(100)
          yield* second.sdk.rpc.getBlockByNumber(at, false)
        }
        expect(cache.stats().hits).toBe(hits)
      })
    )
  })

  it("opens while Redis is away", async () => {
    const port = await freePort()
    const block = await scoped(
      Effect.gen(function* () {
        const { sdk } = yield* process(yield* Cache.redis({ url: `redis://127.0.0.1:${port}` }))
        return yield* sdk.rpc.getBlockByNumber(3, false)
      })
    )
    expect(block?.number).toBe("0x3")
  })

  it("refuses what is no store, and one of another version, and repeats no password", async () => {
    const refused = (store: Effect.Effect<unknown, Cache.CacheStoreError, Scope.Scope>) =>
      scoped(Effect.flip(store))
    for (const wrong of ["", "redis", "http://cache.example", "redis://:hidden@h:1/name"]) {
      const error = await refused(Cache.redis({ url: wrong }))
      expect(error).toBeInstanceOf(Cache.InvalidCacheStore)
      expect(error.message).toContain("url")
      expect(error.message).not.toContain("hidden")
    }
    const asUser = server.url.replace("redis://", "redis://nobody:hidden@")
    const denied = await refused(Cache.redis({ url: asUser }))
    expect(denied.message).toContain("does not let us in")
    writeFileSync(join(folder, "plain"), "")
    expect(await refused(Cache.files({ path: join(folder, "plain", "in") }))).toMatchObject({
      option: "path"
    })
    expect(await refused(Cache.lmdb({ path: "" }))).toMatchObject({ option: "path" })
    const client = new Redis(server.url)
    await client.set("old:version", "0")
    client.disconnect()
    const other = await refused(Cache.redis({ url: server.url, name: "old" }))
    expect(other).toMatchObject({ _tag: "CacheStoreOfOtherVersion", found: "0" })
  })
})
