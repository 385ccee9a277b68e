// @runtime both
/** Pauses that nodes ask for: calls wait for the first node that is back, within their deadlines and the budget of retries. */
import { createServer } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { init } from "../../src/entries/Ethereum.js"
import {
  A,
  B,
  type Behaviour,
  checkedConfig,
  errorAnswer,
  failureAnswer,
  isProbe,
  makeNode,
  makeWorld,
  type NodeAnswer,
  type NodeRequest,
  runLeft,
  runRight,
  runTimed,
  staticConfig,
  withCallOptions
} from "./world.js"

const enough = (seconds?: number, status = 429): NodeAnswer => ({
  status,
  text: "Too Many Requests",
  headers: seconds === undefined ? {} : { "retry-after": String(seconds) }
})

/** It refuses everything until then, probes and checks of its chain too, and tells the time that is left of that. */
const limitedUntil =
  (until: number, answer = (ms: number): NodeAnswer => enough(Math.ceil(ms / 1_000))): Behaviour =>
  (ask) =>
    ask.at < until ? answer(until - ask.at) : makeNode()(ask)

describe("a call whose nodes have all asked for a pause", () => {
  for (const count of [1, 2])
    for (const [what, configured] of [
      ["that are checked", checkedConfig],
      ["that nobody checks", staticConfig]
    ] as const)
      it.scoped(`waits for the first of ${count} ${what}, and so do twenty of them`, () =>
        Effect.gen(function* () {
          const urls = [A, B].slice(0, count)
          const w = yield* makeWorld({
            config: configured(...urls),
            nodes: Object.fromEntries(urls.map((url, i) => [url, limitedUntil(1_000 + i * 5_000)]))
          })
          const start = yield* runTimed(w.rpc.gasPrice())
          expect(start).toMatchObject({ exit: Exit.succeed(42n) })
          expect(start.took).toBeGreaterThanOrEqual(1_000)
          expect(start.took).toBeLessThan(1_500)
        })
      )

  it.scoped("waits beside others, of which none fails, and nothing is sent meanwhile", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: { [A]: limitedUntil(1_000), [B]: limitedUntil(1_000) }
      })
      const first = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(100)
      const before = w.sent.length
      const calls = yield* Effect.fork(
        Effect.replicateEffect(w.rpc.gasPrice(), 20, { concurrency: "unbounded" })
      )
      yield* TestClock.adjust(850)
      expect(w.sent).toHaveLength(before)
      yield* TestClock.adjust(200)
      expect(yield* Fiber.join(calls)).toEqual(Array.from({ length: 20 }, () => 42n))
      expect(yield* Fiber.join(first)).toBe(42n)
      expect(yield* w.failed).toEqual([])
    })
  )

  it.scoped("is no read: a broadcast waits, and a write that was refused before it was begun", () =>
    Effect.gen(function* () {
      for (const method of ["eth_sendRawTransaction", "eth_sendTransaction"]) {
        let isLimited = true
        const w = yield* makeWorld({
          config: { ...staticConfig(A), verifyChain: false },
          nodes: { [A]: makeNode((ask) => (ask.method === method && isLimited ? enough(1) : undefined)) }
        })
        const sent = yield* Effect.fork(w.raw.rawRpcCall({ method, params: ["0x02"] }))
        yield* TestClock.adjust(900)
        expect(w.hosts()).toEqual([A])
        isLimited = false
        yield* TestClock.adjust(100)
        expect(yield* Fiber.join(sent)).toBe("0x2a")
        expect(w.hosts()).toEqual([A, A])
      }
    })
  )

  it.scoped("fails at once where the pause is longer than it may take, and says for how long", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: staticConfig(A, B),
        nodes: { [A]: limitedUntil(40_000), [B]: limitedUntil(50_000) }
      })
      const first = yield* runTimed(w.rpc.gasPrice())
      expect(first.took).toBe(0)
      const why = yield* runLeft(w.rpc.gasPrice().pipe(withCallOptions({ timeout: 5_000 })))
      expect(why).toMatchObject({ _tag: "NoActiveNode", retryAfter: 40_000 })
      expect(String(why)).toContain("all 2 nodes have asked for a pause")
      expect(String(why)).toContain("Ask again in 40000 ms")
      // the same call has time enough for that
      yield* TestClock.adjust(20_000)
      const late = yield* runTimed(w.rpc.gasPrice())
      expect(late).toMatchObject({ exit: Exit.succeed(42n) })
    })
  )

  it.scoped("names itself, and not the check of the chain, whose failure is the reason", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({ config: staticConfig(A), nodes: { [A]: () => enough(60) } })
      const why = yield* runLeft(w.rpc.gasPrice())
      expect(why).toMatchObject({
        _tag: "NodeError",
        call: "eth_gasPrice",
        status: 429,
        retryAfter: 60_000,
        message: "eth_gasPrice failed: chain check: HTTP 429"
      })
      const dead = yield* makeWorld({
        config: staticConfig(A),
        nodes: { [A]: () => failureAnswer("connect") }
      })
      expect(yield* runLeft(dead.rpc.gasPrice())).toMatchObject({
        _tag: "NodeError",
        call: "eth_gasPrice",
        kind: "connect",
        message: "eth_gasPrice failed: chain check: it is a failure: connect"
      })
    })
  )

  it.scoped("is sent again no more often than the budget of retries has tokens", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A), verifyChain: false, retryBudget: { ratio: 0, burst: 3 } },
        nodes: { [A]: () => enough(1) }
      })
      const why = yield* runLeft(w.rpc.gasPrice())
      expect(why).toMatchObject({ _tag: "NodeError", status: 429, retryAfter: 1_000 })
      expect(w.hosts()).toHaveLength(4)
    })
  )

  it.scoped("ends by its deadline with what the node has said, though that says a second each time", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A), verifyChain: false },
        nodes: { [A]: () => enough(1) }
      })
      const { exit, took } = yield* runTimed(w.rpc.gasPrice().pipe(withCallOptions({ timeout: 5_500 })))
      expect(took).toBeLessThanOrEqual(5_500)
      expect(exit).toMatchObject({ cause: { error: { _tag: "NodeError", status: 429 } } })
      expect(w.hosts()).toHaveLength(6)
    })
  )

  it.scoped("is not sent at once again and again where the pause is none", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A), verifyChain: false },
        nodes: { [A]: () => enough(0) }
      })
      yield* runLeft(w.rpc.gasPrice().pipe(withCallOptions({ timeout: 1_000 })))
      expect(w.hosts().length).toBeLessThanOrEqual(21)
    })
  )

  it.scoped("goes to another node that is back before", () =>
    Effect.gen(function* () {
      let isDead = false
      const w = yield* makeWorld({
        config: { ...checkedConfig(A, B), hedge: false, verifyChain: false },
        nodes: {
          [A]: makeNode(() => (isDead ? failureAnswer("connect") : undefined)),
          [B]: makeNode((ask) => (isProbe(ask) || ask.n === 0 ? undefined : enough(20)))
        }
      })
      yield* runRight(w.rpc.gasPrice())
      isDead = true
      yield* runRight(w.rpc.gasPrice())
      expect(w.hosts()).toEqual([A, A, B])
      const call = yield* Effect.fork(w.rpc.gasPrice())
      yield* TestClock.adjust(300)
      expect(w.hosts()).toEqual([A, A, B, B])
      isDead = false
      yield* TestClock.adjust(2_000)
      expect(yield* Fiber.join(call)).toBe(42n)
      expect(w.hosts()).toEqual([A, A, B, B, A])
    })
  )

  it.scoped("and is for one node alone waits for that one", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: { [A]: limitedUntil(2_000), [B]: makeNode() }
      })
      expect(
        (yield* runTimed(w.rpc.gasPrice().pipe(withCallOptions({ node: A })))).took
      ).toBeGreaterThanOrEqual(2_000)
      expect(new Set(w.hosts())).toEqual(new Set([A]))
      const late = yield* makeWorld({
        config: { ...staticConfig(A, B), verifyChain: false },
        nodes: { [A]: () => enough(60), [B]: makeNode() }
      })
      const pinned = late.rpc.gasPrice().pipe(withCallOptions({ node: A, timeout: 5_000 }))
      expect(yield* runLeft(pinned)).toMatchObject({ _tag: "NodeError", retryAfter: 60_000, url: A })
      expect(yield* runLeft(pinned)).toMatchObject({ _tag: "NoActiveNode", retryAfter: 60_000 })
      // it holds for whoever asks
      expect(yield* runRight(late.rpc.gasPrice())).toBe(42n)
      expect(late.hosts()).toEqual([A, B])
    })
  )
})

describe("a pause", () => {
  it.scoped("is asked for by the code of a limit, too, whose error says when it is over", () =>
    Effect.gen(function* () {
      const limit = makeNode((ask: NodeRequest) =>
        ask.method === "eth_call" ? errorAnswer(ask, -32005, "limit exceeded") : undefined
      )
      const w = yield* makeWorld({ config: staticConfig(A, B), nodes: { [A]: limit, [B]: limit } })
      const why = yield* runLeft(w.rpc.call({ to: "0x1" }).pipe(withCallOptions({ timeout: 900 })))
      expect(why).toMatchObject({ _tag: "RpcError", code: -32005, retryAfter: 1_000 })
      expect(yield* runTimed(w.rpc.gasPrice())).toMatchObject({ took: 1_000, exit: Exit.succeed(42n) })
    })
  )

  it.scoped("of a server error is one for reads, and none for a write, which may have been done", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: { ...staticConfig(A), verifyChain: false },
        nodes: { [A]: limitedUntil(1_000, (ms) => enough(Math.ceil(ms / 1_000), 503)) }
      })
      const write = w.raw.rawRpcCall({ method: "eth_sendTransaction", params: [] })
      expect(yield* runLeft(write)).toMatchObject({ _tag: "NodeError", status: 503 })
      expect(yield* runTimed(w.rpc.gasPrice())).toMatchObject({ took: 1_000, exit: Exit.succeed(42n) })
      expect(w.calls().map(({ method }) => method)).toEqual(["eth_sendTransaction", "eth_gasPrice"])
    })
  )

  it.scoped("that a probe or a check of the chain is told puts no node out", () =>
    Effect.gen(function* () {
      const w = yield* makeWorld({
        config: checkedConfig(A, B),
        nodes: { [A]: limitedUntil(3_000), [B]: limitedUntil(3_000) }
      })
      yield* runRight(w.pool.check)
      expect(yield* w.failed).toEqual([A, B])
      expect(w.logs.filter((line) => line.startsWith("error"))).toEqual([])
      yield* TestClock.adjust(3_000)
      expect(yield* w.failed).toEqual([])
      expect((yield* runTimed(w.rpc.gasPrice())).took).toBe(0)
    })
  )
})

describe("the end of a pause", () => {
  it.scoped("has come for the call that has waited, though timers ring a moment early", () =>
    Effect.gen(function* () {
      let isAsked = true
      const limiting = makeNode((ask) => {
        if (ask.method !== "eth_gasPrice") return undefined
        isAsked = !isAsked
        return isAsked ? undefined : enough(1)
      })
      const w = yield* makeWorld({ config: staticConfig(A), nodes: { [A]: limiting } })
      const clock = yield* Effect.clock
      // a millisecond early, and time passes with each look at it: for one of these steps the pause is over between two looks
      for (let step = 10_000; step < 400_000; step += 10_000) {
        let passed = 0n
        const nanos = (): bigint => {
          passed += BigInt(step)
          return clock.unsafeCurrentTimeNanos() + passed
        }
        const sleep = (duration: Duration.Duration) =>
          clock.sleep(Duration.millis(Math.max(0, Duration.toMillis(duration) - 1)))
        const own = new Proxy(clock, {
          get: (of, name) =>
            name === "unsafeCurrentTimeNanos" ? nanos : name === "sleep" ? sleep : Reflect.get(of, name, of)
        })
        const call = yield* runTimed(Effect.withClock(w.rpc.gasPrice(), own))
        expect([step, call.exit]).toEqual([step, Exit.succeed(42n)])
      }
    })
  )
})

describe("a pool that one call has exhausted", () => {
  it.scoped("has each node back whose probe passes, at once", () =>
    Effect.gen(function* () {
      const odd = makeNode((ask) =>
        ask.method === "eth_call" ? { text: "<html>nothing of the protocol</html>" } : undefined
      )
      const w = yield* makeWorld({ config: checkedConfig(A, B), nodes: { [A]: odd, [B]: odd } })
      yield* runRight(w.rpc.gasPrice())
      for (let i = 0; i < 10; i++) {
        expect(yield* runLeft(w.rpc.call({ to: "0x1" }))).toMatchObject({ kind: "malformed" })
        expect(yield* runTimed(w.rpc.gasPrice())).toMatchObject({ took: 0, exit: Exit.succeed(42n) })
      }
      expect(yield* w.failed).toEqual([])
    })
  )
})

describe("a client beside a real server", () => {
  it.live("waits as long as that says, and no call fails", () =>
    Effect.promise(async () => {
      const times: Array<number> = []
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { id, method } = JSON.parse(Buffer.concat(chunks).toString())
          const now = performance.now()
          times.push(now)
          if (now - (times[0] ?? now) < 1_000) return response.writeHead(429, { "retry-after": "1" }).end()
          const value = method === "eth_chainId" ? "0x1" : "0x10"
          return response.end(JSON.stringify({ jsonrpc: "2.0", id, result: value }))
        })
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const sdk = await init({
        network: "ethereum-mainnet",
        quiet: true,
        rpc: { nodes: [{ url: `http://127.0.0.1:${port}` }] }
      })
      try {
        const calls = await Promise.all(Array.from({ length: 20 }, () => sdk.rpc.gasPrice()))
        expect(calls.flatMap(({ error }) => error?.message ?? [])).toEqual([])
      } finally {
        await sdk.destroy()
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    })
  )
})
