/** The quota of a fleet, over a real Redis. */
import { createServer } from "node:http"
import { connect, createServer as createTcpServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { CallOptions, Http } from "effect-chains"
import { make as makeClient } from "effect-chains/effect/chains/Ethereum"
import { Redis } from "ioredis"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { make } from "../src/Quota.js"
import { findMissing, type Server, startRedis } from "./servers.js"

const lacking = findMissing()
if (lacking !== undefined) console.log(lacking)
let server: Server | undefined
const url = (): string => server?.url ?? ""

beforeAll(async () => {
  if (lacking === undefined) server = await startRedis()
})
afterAll(async () => {
  await server?.end()
})

const failureOf = (options: Parameters<typeof make>[0]): Promise<unknown> =>
  Effect.runPromise(Effect.scoped(Effect.flip(make(options))))

it.skipIf(lacking !== undefined)("says what is wrong with Redis before anything is sent", async () => {
  const limit = { requestsPerSecond: 50 }
  expect(await failureOf({ ...limit, url: "nothing" })).toMatchObject({ _tag: "RedisUnusable" })
  const named = await failureOf({ ...limit, url: `${url()}/fleet` })
  expect(named).toMatchObject({
    _tag: "RedisUnusable",
    reason: expect.stringContaining("number of a database")
  })
  expect(await failureOf({ ...limit, url: "redis://127.0.0.1:1" })).toMatchObject({ _tag: "RedisUnusable" })
  const client = new Redis(url())
  try {
    await client.set("other:version", "99")
    expect(await failureOf({ ...limit, url: url(), prefix: "other:" })).toMatchObject({
      _tag: "StoreOfOtherVersion",
      found: "99"
    })
  } finally {
    client.disconnect()
  }
  const real = Date.now
  try {
    Date.now = () => real() + 60_500
    expect(await failureOf({ ...limit, url: url() })).toMatchObject({ _tag: "ClockOff" })
  } finally {
    Date.now = real
  }
})

/** A node that notes when it was asked, and refuses as long as it is told to. */
const node = async () => {
  const at: Array<number> = []
  const state = { refuses: false }
  const http = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
      at.push(performance.now())
      const result = method === "eth_chainId" ? "0x1" : "0x10"
      response.writeHead(state.refuses ? 429 : 200, {
        "content-type": "application/json",
        "retry-after": "1"
      })
      response.end(JSON.stringify(state.refuses ? {} : { jsonrpc: "2.0", id, result }))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const address = http.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    at,
    state,
    url: `http://127.0.0.1:${port}`,
    end: () =>
      new Promise<void>((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      })
  }
}

/** The most requests of any second. */
const worst = (at: ReadonlyArray<number>): number =>
  Math.max(...at.map((from) => at.filter((to) => to >= from && to < from + 1_000).length))

/**
 * The most requests that may arrive in a second: the rate, the burst, and what was let go before and is late. So long this process had no turn,
 * or Redis did not answer. Processes that did not share would send 60 and more.
 */
const lateness = () => {
  const redis = new Redis(url(), { maxRetriesPerRequest: 0, enableOfflineQueue: false }).on("error", () => {})
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last - 10)
    last = now
    redis.ping().then(
      () => {
        longest = Math.max(longest, performance.now() - now)
      },
      () => {}
    )
  }, 10)
  return {
    most: (rate: number) => (rate * (1_000 + longest)) / 1_000 + 4 + 10,
    end: () => {
      clearInterval(timer)
      redis.disconnect()
    }
  }
}

/** Until so many processes of a quota have looked at Redis twice: what stood there before is known to them. */
const looked = async (name: string, count: number): Promise<void> => {
  const redis = new Redis(url())
  const times = async () => {
    const pairs = await redis.zrange(`effect-chains:${name}:processes`, 0, -1, "WITHSCORES")
    return new Map(pairs.flatMap((member, i) => (i % 2 === 0 ? [[member, pairs[i + 1]] as const] : [])))
  }
  try {
    for (let i = 0; i < 2; i++) {
      const before = await times()
      await expect
        .poll(async () => [...(await times())].filter(([member, time]) => before.get(member) !== time).length)
        .toBeGreaterThanOrEqual(count)
    }
  } finally {
    redis.disconnect()
  }
}

it.skipIf(lacking !== undefined)("shares the rate, and goes on while Redis is away", async () => {
  const target = await node()
  const late = lateness()
  const limit = { requestsPerSecond: 40, burst: 4, url: url(), processes: 2 }
  const replica = Effect.gen(function* () {
    const quota = yield* make(limit)
    const nodes = [{ url: target.url, sendApiKey: true }]
    return yield* makeClient({
      network: "ethereum-mainnet",
      apiKey: "secret",
      quiet: true,
      quota,
      rpc: { nodes }
    })
  })
  try {
    await Effect.gen(function* () {
      const replicas = yield* Effect.all([replica, replica])
      const calls = (count: number) =>
        Effect.forEach(
          Array.from({ length: count }, (_, i) => i),
          (i) => Effect.flatMap(Effect.fromNullable(replicas[i % 2]), ({ rpc }) => rpc.gasPrice()),
          { concurrency: "unbounded" }
        )
      yield* calls(120)
      expect(worst(target.at)).toBeLessThanOrEqual(late.most(40))
      yield* Effect.promise(() => server?.stop() ?? Promise.resolve())
      target.at.length = 0
      yield* calls(60)
      expect(worst(target.at)).toBeLessThanOrEqual(late.most(40))
      yield* Effect.promise(() => server?.start() ?? Promise.resolve())
      yield* Effect.promise(() => looked("key", 2))
      // what has failed there is tried again after a second
      yield* Effect.sleep(1_000)
      target.at.length = 0
      yield* calls(60)
      expect(worst(target.at)).toBeLessThanOrEqual(late.most(40))
    }).pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
    const client = new Redis(url())
    try {
      for (const key of await client.keys("effect-chains:*"))
        expect(await client.pttl(key)).toBeGreaterThan(0)
    } finally {
      client.disconnect()
    }
  } finally {
    late.end()
    await target.end()
  }
})

it.skipIf(lacking !== undefined)("shares a limit in credits, and one in requests beside it", async () => {
  const target = await node()
  const late = lateness()
  const replica = Effect.gen(function* () {
    const quota = yield* make({
      requestsPerSecond: 1_000,
      credits: { perSecond: 200, burst: 20 },
      url: url(),
      processes: 2,
      prefix: "credits:"
    })
    return yield* makeClient({
      network: "ethereum-mainnet",
      apiKey: "secret",
      quiet: true,
      quota,
      provider: { baseUrl: target.url },
      rpc: { nodes: [{ url: `${target.url}/node` }] }
    })
  })
  const client = new Redis(url())
  try {
    await Effect.gen(function* () {
      const replicas = yield* Effect.all([replica, replica])
      yield* Effect.forEach(
        Array.from({ length: 120 }, (_, i) => i),
        (i) =>
          Effect.flatMap(Effect.fromNullable(replicas[i % 2]), ({ rpc }) =>
            rpc.call({ to: `0x${"00".repeat(20)}` })
          ),
        { concurrency: "unbounded" }
      )
      // five credits a call: forty calls a second, and four at once; the checks of two clients cost two each
      expect(worst(target.at)).toBeLessThanOrEqual(late.most(40) + 4)
      const [one, other] = yield* Effect.forEach(replicas, ({ credits }) => credits())
      const spent = [one, other].map((each) => each?.routes.eth_call?.credits ?? 0)
      expect(spent).toEqual([300, 300])
      // one that costs more than the bucket holds waits for all of its credits
      const before = performance.now()
      const [first] = replicas
      yield* first?.rpc.rawRpcCall({ method: "debug_traceBlockByNumber", params: ["0x1"] }) ?? Effect.void
      yield* first?.rpc.rawRpcCall({ method: "debug_traceBlockByNumber", params: ["0x1"] }) ?? Effect.void
      // at least eighty of a hundred credits had to come
      expect(performance.now() - before).toBeGreaterThan(350)
    }).pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
    const keys = await client.keys("credits:*:bucket")
    expect(keys.toSorted()).toEqual(["credits:key:bucket", "credits:key:credits:bucket"])
  } finally {
    late.end()
    client.disconnect()
    await target.end()
  }
})

it.skipIf(lacking !== undefined)(
  "shares the limit of a node's own entry, and names no url in Redis",
  async () => {
    const target = await node()
    const replica = Effect.gen(function* () {
      const quota = yield* make({ url: url(), processes: 2, prefix: "entries:" })
      const entry = { url: `${target.url}/secret-path`, quota: { requestsPerSecond: 40, burst: 4 } }
      return yield* makeClient({ network: "ethereum-mainnet", quiet: true, quota, rpc: { nodes: [entry] } })
    })
    const client = new Redis(url())
    const late = lateness()
    try {
      await Effect.gen(function* () {
        const replicas = yield* Effect.all([replica, replica])
        yield* Effect.forEach(
          Array.from({ length: 80 }, (_, i) => i),
          (i) => Effect.flatMap(Effect.fromNullable(replicas[i % 2]), ({ rpc }) => rpc.gasPrice()),
          { concurrency: "unbounded" }
        )
        expect(worst(target.at)).toBeLessThanOrEqual(late.most(40))
      }).pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
      const keys = await client.keys("entries:*")
      expect(keys.filter((key) => key.endsWith(":bucket"))).toHaveLength(1)
      expect(keys.join(" ")).not.toMatch(/secret-path|127\.0\.0\.1/)
    } finally {
      late.end()
      client.disconnect()
      await target.end()
    }
  }
)

it.skipIf(lacking !== undefined)("follows the rate that a 429 to another process has lowered", async () => {
  const target = await node()
  const limit = { requestsPerSecond: 40, burst: 4, url: url(), processes: 2, name: "lowered" }
  const late = lateness()
  const replica = Effect.gen(function* () {
    const quota = yield* make(limit)
    return yield* makeClient({
      network: "ethereum-mainnet",
      apiKey: "secret",
      quiet: true,
      quota,
      rpc: { nodes: [{ url: target.url, sendApiKey: true }], oneTimeLoadBalancing: true }
    })
  })
  try {
    await Effect.gen(function* () {
      const [refused, other] = yield* Effect.all([replica, replica])
      yield* Effect.all([refused.rpc.gasPrice(), other.rpc.gasPrice()])
      target.state.refuses = true
      yield* Effect.ignore(CallOptions.with(refused.rpc.gasPrice(), { timeout: 500 }))
      target.state.refuses = false
      const refusedAt = target.at.at(-1) ?? Number.NaN
      // a process looks at the rate of the others four times a second
      yield* Effect.promise(() => looked("lowered", 2))
      target.at.length = 0
      yield* Effect.all(
        Array.from({ length: 20 }, () => other.rpc.gasPrice()),
        { concurrency: "unbounded" }
      )
      // the pause of a second, and then half the rate
      expect(performance.now() - refusedAt).toBeGreaterThan(1_600)
      expect(worst(target.at)).toBeLessThanOrEqual(late.most(20))
    }).pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
  } finally {
    late.end()
    await target.end()
  }
})

/** A way to Redis that can be cut. */
const way = async (to: string) => {
  const { hostname, port } = new URL(to)
  const open = new Set<Socket>()
  let isCut = false
  const door = createTcpServer((socket) => {
    if (isCut) return void socket.destroy()
    const far = connect(Number(port), hostname)
    for (const each of [socket, far]) {
      open.add(each)
      each.on("error", () => {})
      each.on("close", () => {
        socket.destroy()
        far.destroy()
      })
    }
    socket.pipe(far).pipe(socket)
  })
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve))
  const address = door.address()
  const cut = (): void => {
    isCut = true
    for (const each of open) each.destroy()
  }
  return {
    url: `redis://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    cut,
    end: () => {
      cut()
      door.close()
    }
  }
}

it.skipIf(lacking !== undefined)(
  "leaves those that have lost Redis their parts, and says once that it is away",
  async () => {
    const target = await node()
    const road = await way(url())
    const late = lateness()
    const logged: Array<string> = []
    const logger = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => {
        logged.push(String(message))
      })
    )
    const printed = vi.spyOn(console, "error").mockImplementation(() => {})
    const replica = (to: string) =>
      Effect.gen(function* () {
        const quota = yield* make({ requestsPerSecond: 40, burst: 4, url: to, processes: 2, name: "parts" })
        return yield* makeClient({
          network: "ethereum-mainnet",
          apiKey: "secret",
          quiet: true,
          quota,
          rpc: { nodes: [{ url: target.url, sendApiKey: true }], oneTimeLoadBalancing: true }
        })
      })
    try {
      await Effect.gen(function* () {
        const [one, two] = yield* Effect.all([replica(url()), replica(road.url)])
        yield* Effect.all([one.rpc.gasPrice(), two.rpc.gasPrice()])
        road.cut()
        yield* two.rpc.gasPrice()
        // the second one is known to be away
        yield* Effect.promise(async () => {
          const redis = new Redis(url())
          const there = async () =>
            redis.zcount(
              "effect-chains:parts:processes",
              Number((await redis.time())[0]) * 1_000 - 1_500,
              "+inf"
            )
          await expect
            .poll(there)
            .toBe(1)
            .finally(() => redis.disconnect())
          await looked("parts", 1)
        })
        target.at.length = 0
        yield* Effect.forEach(
          Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? one : two)),
          ({ rpc }) => rpc.gasPrice(),
          { concurrency: "unbounded" }
        )
        expect(worst(target.at)).toBeLessThanOrEqual(late.most(40))
      }).pipe(Effect.scoped, Effect.provide([Http.layerFetch, logger]), Effect.runPromise)
      expect(logged.filter((line) => /is away/.test(line))).toHaveLength(1)
      expect(printed.mock.calls.flat().filter((each) => /ioredis/.test(String(each)))).toEqual([])
    } finally {
      printed.mockRestore()
      late.end()
      road.end()
      await target.end()
    }
  }
)

it.skipIf(lacking !== undefined)("takes the parts of those that have said that they go", async () => {
  const target = await node()
  const road = await way(url())
  /** A client that has lost Redis, for which there were two processes, of which one has gone or has stayed. */
  const made = (name: string, goes: boolean) =>
    Effect.gen(function* () {
      const limit = { requestsPerSecond: 40, burst: 4, name }
      // one of eight that there may be, of two that there were, and of one that is left
      const quota = yield* make({ ...limit, url: road.url })
      const other = Effect.zipRight(
        make({ ...limit, url: url() }),
        Effect.promise(() => looked(name, 2))
      )
      yield* goes ? Effect.scoped(other) : other
      yield* Effect.promise(() => looked(name, goes ? 1 : 2))
      const { rpc } = yield* makeClient({
        network: "ethereum-mainnet",
        apiKey: "secret",
        quiet: true,
        quota,
        rpc: { nodes: [{ url: target.url, sendApiKey: true }], oneTimeLoadBalancing: true }
      })
      yield* rpc.gasPrice()
      return rpc
    })
  const ended: Array<string> = []
  const calling = Effect.gen(function* () {
    const clients = yield* Effect.all({ whole: made("gone", true), half: made("stayed", false) })
    road.cut()
    yield* Effect.all(
      (["half", "whole"] as const).map((name) =>
        Effect.zipRight(
          Effect.all(
            Array.from({ length: 40 }, () => clients[name].gasPrice()),
            { concurrency: "unbounded" }
          ),
          Effect.sync(() => ended.push(name))
        )
      ),
      { concurrency: "unbounded" }
    )
  })
  try {
    await calling.pipe(Effect.scoped, Effect.provide(Http.layerFetch), Effect.runPromise)
    // a second by the whole rate, and two by a half of it
    expect(ended).toEqual(["whole", "half"])
  } finally {
    road.end()
    await target.end()
  }
})
