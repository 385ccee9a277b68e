/** Reads as requests of Effect: `Effect.forEach` with `batching` sends those of one fiber in one list. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Scope from "effect/Scope"
import * as Metrics from "../src/balancer/Metrics.js"
import * as Sdk from "../src/client/Sdk.js"
import * as CallOptions from "../src/config/CallOptions.js"
import { Http, type HttpResponse } from "../src/http/Http.js"

const address = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`

interface Asked {
  readonly id: number
  readonly method: string
  readonly params: ReadonlyArray<string>
}

const response = (value: unknown): HttpResponse => {
  const text = JSON.stringify(value)
  return { status: 200, text, header: () => undefined, bytes: new TextEncoder().encode(text) }
}

/** A node whose balances are the numbers of the addresses, and that knows no address 13. */
const answerTo = ({ id, method, params }: Asked): object =>
  method === "eth_getBalance" && BigInt(params[0] ?? 0) === 13n
    ? { jsonrpc: "2.0", id, error: { code: 3, message: "no such address" } }
    : {
        jsonrpc: "2.0",
        id,
        result: method === "eth_getBalance" ? `0x${BigInt(params[0] ?? 0).toString(16)}` : "0x1"
      }

const client = (batch: boolean, isSilent = false) =>
  Effect.gen(function* () {
    let abandoned = 0
    const bodies: Array<ReadonlyArray<Asked>> = []
    const http = Layer.succeed(Http, {
      send: ({ body }) =>
        Effect.suspend(() => {
          const asked: Asked | ReadonlyArray<Asked> = JSON.parse(String(body))
          const list = Array.isArray(asked) ? asked : [asked]
          bodies.push(list)
          return isSilent
            ? Effect.onInterrupt(Effect.never, () => Effect.sync(() => abandoned++))
            : Effect.succeed(response(Array.isArray(asked) ? list.map(answerTo) : answerTo(list[0])))
        })
    })
    const sdk = yield* Effect.provide(
      Sdk.makeHttp({
        network: "ethereum-mainnet",
        quiet: true,
        verifyChain: false,
        hedge: false,
        timeout: 400,
        batch,
        rpc: { nodes: [{ url: "https://node.example" }], statusCheckInterval: Number.POSITIVE_INFINITY }
      }),
      http
    )
    return { abandoned: () => abandoned, bodies, rpc: sdk.rpc }
  })

/** The calls of the process that ended so. */
const countOf = (outcome: string): Effect.Effect<number> =>
  Effect.map(
    Metric.value(
      Metric.tagged(Metric.tagged(Metrics.calls, "network", "ethereum-mainnet"), "outcome", outcome)
    ),
    ({ count }) => count
  )

const many = Array.from({ length: 10 }, (_, i) => i)

describe("batching of Effect", () => {
  it.scopedLive("sends the reads of one fiber in one list, each with its own answer", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true)
      const balances = yield* Effect.forEach(many, (n) => rpc.getBalance(address(n)), {
        batching: true
      }).pipe(CallOptions.withBatching)
      expect(balances).toEqual(many.map(BigInt))
      expect(bodies.map((list) => list.length)).toEqual([10])
    })
  )

  it.scopedLive("needs no client that makes lists, and is asked for", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(false)
      const all = Effect.forEach(many, (n) => rpc.getBalance(address(n)), { batching: true })
      expect(yield* all.pipe(CallOptions.withBatching)).toEqual(many.map(BigInt))
      expect(bodies.map((list) => list.length)).toEqual([10])
      yield* all
      expect(bodies).toHaveLength(11)
    })
  )

  it.scopedLive("is for those who say so: without it reads of one fiber go one after the other", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true)
      yield* Effect.forEach(many, (n) => rpc.getBalance(address(n))).pipe(CallOptions.withBatching)
      expect(bodies.map((list) => list.length)).toEqual(many.map(() => 1))
    })
  )

  it.scopedLive("fails for the read that fails, and for no other", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true)
      const both = yield* Effect.forEach([12, 13], (n) => Effect.either(rpc.getBalance(address(n))), {
        batching: true
      }).pipe(CallOptions.withBatching)
      expect(both).toMatchObject([{ right: 12n }, { left: { _tag: "RpcError", code: 3 } }])
      expect(bodies).toHaveLength(1)
    })
  )

  it.scopedLive("shares its list with the reads of other fibers", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true)
      const read = (n: number) => rpc.getBalance(address(n))
      const balances = yield* Effect.all(
        [
          Effect.forEach([1, 2, 3], read, { batching: true }).pipe(CallOptions.withBatching),
          Effect.forEach([4, 5, 6], read, { batching: true }).pipe(CallOptions.withBatching),
          Effect.forEach([7, 8, 9], read, { concurrency: "unbounded" })
        ],
        { concurrency: "unbounded" }
      )
      expect(balances).toEqual([
        [1n, 2n, 3n],
        [4n, 5n, 6n],
        [7n, 8n, 9n]
      ])
      expect(bodies.map((list) => list.length)).toEqual([9])
    })
  )

  it.scopedLive("has one request for equal reads that are coalesced", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true)
      const equal = Effect.forEach([1, 1, 2], (n) => rpc.getBalance(address(n)), { batching: true })
      const balances = yield* equal.pipe(CallOptions.with({ coalesce: true }), CallOptions.withBatching)
      expect(balances).toEqual([1n, 1n, 2n])
      expect(bodies.map((list) => list.length)).toEqual([2])
    })
  )

  for (const [name, options] of [
    ["of one fiber", { batching: true }],
    ["of a fiber each", { concurrency: "unbounded" }]
  ] as const) {
    it.scopedLive(`counts each read ${name} once, answered or failed`, () =>
      Effect.gen(function* () {
        const { bodies, rpc } = yield* client(true)
        const read = (n: number) => Effect.either(rpc.getBalance(address(n)))
        const all = Effect.forEach([12, 13, 14], read, options).pipe(CallOptions.withBatching)
        // loads the layer
        yield* all
        const [ok, failed] = [yield* countOf("ok"), yield* countOf("RpcError")]
        yield* all
        expect([(yield* countOf("ok")) - ok, (yield* countOf("RpcError")) - failed]).toEqual([2, 1])
        expect(bodies.map((list) => list.length)).toEqual([3, 3])
      })
    )

    it.live(`ends reads ${name} with their client`, () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { bodies, rpc } = yield* Scope.extend(client(true), scope)
        const read = (n: number) => Effect.flip(rpc.getBalance(address(n)))
        yield* Effect.forEach([13, 13], read, options).pipe(CallOptions.withBatching)
        yield* Scope.close(scope, Exit.void)
        const errors = yield* Effect.forEach([1, 2], read, options).pipe(CallOptions.withBatching)
        expect(errors.map(({ _tag }) => _tag)).toEqual(["Aborted", "Aborted"])
        expect(bodies.map((list) => list.length)).toEqual([2])
      })
    )
  }

  it.scopedLive("counts reads that are interrupted once", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true, true)
      const read = (n: number) => Effect.exit(rpc.getBalance(address(n)))
      const all = Effect.forEach(many, read, { concurrency: "unbounded" })
      // loads the layer, and ends by its deadline
      yield* all
      const interrupted = yield* countOf("interrupted")
      const running = yield* Effect.fork(all)
      yield* Effect.repeat(Effect.sleep(1), { until: () => bodies.length === 2 })
      yield* Fiber.interrupt(running)
      expect((yield* countOf("interrupted")) - interrupted).toBe(many.length)
    })
  )

  it.scopedLive("abandons the list of a program that fails beside it, by its deadline", () =>
    Effect.gen(function* () {
      const { abandoned, bodies, rpc } = yield* client(true, true)
      const reads = [
        ...many.map((n) => rpc.getBalance(address(n))),
        Effect.zipRight(Effect.sleep(20), Effect.fail("stop"))
      ]
      const failed = Effect.all(reads, { batching: true, concurrency: "unbounded", discard: true })
      expect(yield* Effect.flip(failed.pipe(CallOptions.withBatching))).toBe("stop")
      expect(bodies.map((list) => list.length)).toEqual([10])
      expect(abandoned()).toBe(1)
    })
  )

  it.scopedLive("keeps the options of each read", () =>
    Effect.gen(function* () {
      const { rpc } = yield* client(true, true)
      const ended = yield* Effect.forEach(
        [50, 100],
        (timeout) => Effect.flip(rpc.getBalance(address(1)).pipe(CallOptions.with({ timeout }))),
        { batching: true }
      ).pipe(CallOptions.withBatching)
      expect(ended).toMatchObject([
        { _tag: "CallTimeout", timeout: 50 },
        { _tag: "CallTimeout", timeout: 100 }
      ])
    })
  )

  it.scopedLive("leaves writes alone", () =>
    Effect.gen(function* () {
      const { bodies, rpc } = yield* client(true)
      yield* Effect.forEach([1, 2], () => Effect.either(rpc.sendRawTransaction("0x00")), {
        batching: true
      }).pipe(CallOptions.withBatching)
      expect(bodies.map((list) => list.length)).toEqual([1, 1])
    })
  )

  // Effect 3.22 interrupts a fiber whose requests it batches when they have ended, whatever their resolver does
  it.scopedLive("has an interrupted fiber end with the list on its way, by its deadline", () =>
    Effect.gen(function* () {
      const { abandoned, bodies, rpc } = yield* client(true, true)
      const fiber = yield* Effect.fork(
        Effect.forEach(many, (n) => rpc.getBalance(address(n)), { batching: true }).pipe(
          CallOptions.withBatching
        )
      )
      while (bodies.length === 0) yield* Effect.sleep(1)
      expect(bodies.map((list) => list.length)).toEqual([10])
      const exit = yield* Fiber.interrupt(fiber)
      expect(Exit.isInterrupted(exit)).toBe(true)
      expect(abandoned()).toBe(1)
      expect(bodies).toHaveLength(1)
    })
  )
})
