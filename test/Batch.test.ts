// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { PCGRandom } from "effect/Utils"

import { batchDefaults } from "../src/config/resolveConfig.js"
import { get, group, rpc } from "../src/data/Endpoint.js"
import { numberIntegers } from "../src/data/integers.js"
import { NoActiveNode, NodeError, withAttempts } from "../src/data/SdkError.js"
import { init, type PromiseRpcSdk } from "../src/promise.js"
import * as Batch from "../src/transport/Batch.js"
import { make as makeClient, makeRawRpc } from "../src/transport/Client.js"
import { bigintIntegers } from "../src/wire/bigintIntegers.js"
import { decodeRpc } from "../src/wire/jsonRpc.js"
import { readList } from "../src/wire/readList.js"
import { splitList } from "../src/wire/splitList.js"
import {
  type BatchOptions,
  CallOptions,
  type CallOptionsShape,
  type Rejection,
  type Reply
} from "../src/wire/Transport.js"
import { type HeldCall, makeHeldCall } from "./held.js"
import { runs } from "./properties.js"

const routing = { archive: true, batchArchive: true }
const table = group(
  {
    limits: [-32005],
    classify: ({ code }) => (code === -32005 ? "node" : code === -32000 ? "elsewhere" : "caller")
  },
  {
    balance: rpc<[address: string, block?: string], bigint>("balance")
      .archive((_, block) => block === "old")
      .decode((text: string) => BigInt(text)),
    echo: rpc<[value: unknown], unknown>("echo"),
    submit: rpc<[tx: string], string>("submit").broadcast(),
    airdrop: rpc<[to: string], string>("airdrop").write(),
    route: get("/blocks/{id}")
  }
)

const timeout = 30_000

/** Lists of 100 answers that are read. */
const RUNS = runs(10_000)

const setup = (batch: boolean | BatchOptions = true) =>
  Effect.gen(function* () {
    const { sent, transport } = makeHeldCall()
    const layered = yield* Batch.make(transport, {
      timeout,
      batch: batch === false ? undefined : { ...batchDefaults, ...(batch === true ? {} : batch) }
    })
    return { sent, rpc: makeClient(table, layered, routing), raw: makeRawRpc(table, layered, routing) }
  })

const turn = Effect.zipRight(
  Effect.promise(() => new Promise<void>((resolve) => setImmediate(() => resolve()))),
  TestClock.adjust(0)
)

/** Starts calls in fibers of their own, and lets the tick pass. */
const start = <A, E>(...calls: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.zipLeft(
    Effect.forEach(calls, (call) => Effect.fork(call)),
    turn
  )

interface Request {
  readonly id: number
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

const isRequest = (value: unknown): value is Request =>
  typeof value === "object" && value !== null && typeof Reflect.get(value, "id") === "number"

const requestsOf = ({ json }: HeldCall): ReadonlyArray<Request> => {
  const all: ReadonlyArray<unknown> = Array.isArray(json) ? json : [json]
  return all.filter(isRequest)
}

const shapes = (sent: ReadonlyArray<HeldCall>): ReadonlyArray<number | "single"> =>
  sent.map(({ json }) => (Array.isArray(json) ? json.length : "single"))

const nth = (sent: ReadonlyArray<HeldCall>, index: number): HeldCall => {
  const one = sent[index]
  if (one === undefined) throw new Error(`there is no request ${index} among ${sent.length}`)
  return one
}

/** The right answer to a request: its first parameter. */
const good = ({ id, params }: Request): string => JSON.stringify({ jsonrpc: "2.0", id, result: params[0] })
const bad =
  (code: number, message: string) =>
  ({ id }: Request): string =>
    JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })

/** Answers a request, or a list of them, item by item; "" leaves one out. */
const answer = (
  one: HeldCall,
  item: (request: Request, index: number) => string = good,
  status = 200
): void => {
  const texts = requestsOf(one).map(item)
  one.answer(
    Array.isArray(one.json) ? `[${texts.filter((text) => text !== "").join(",")}]` : (texts[0] ?? ""),
    status
  )
}

const outcomes = <A, E>(fibers: ReadonlyArray<Fiber.Fiber<A, E>>) =>
  Effect.zipRight(
    turn,
    Effect.forEach(fibers, (fiber) =>
      Effect.flatMap(Fiber.poll(fiber), (exit) =>
        exit._tag === "None"
          ? Effect.dieMessage("a call hangs")
          : Effect.either(Effect.flatten(Effect.succeed(exit.value)))
      )
    )
  )
const values = <A, E>(fibers: ReadonlyArray<Fiber.Fiber<A, E>>) =>
  Effect.map(outcomes(fibers), (all) => all.map((each) => Either.getOrThrowWith(each, (error) => error)))

const using = (options: CallOptionsShape) => Effect.provideService(CallOptions, options)
const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, i) => i)

describe("reads of the same tick", () => {
  it.scoped("have ids of their own, those of one effect that is run several times, too", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const call = rpc.echo("x")
      yield* start(call, call, call)
      const ids = sent.flatMap(requestsOf).map(({ id }) => id)
      expect(ids).toHaveLength(3)
      expect(new Set(ids).size).toBe(3)
    })
  )

  it.scoped("travel as one list, and every caller gets the answer with its id, in any order", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(50).map((i) => rpc.balance(String(i))))
      expect(shapes(sent)).toEqual([50])
      const list = nth(sent, 0)
      expect(list.call).toMatchObject({
        label: "batch of 50",
        repeat: "read",
        verb: "POST",
        path: "",
        archive: false
      })
      list.answer(`[${requestsOf(list).toReversed().map(good).join(" , ")}]`)
      expect(yield* values(fibers)).toEqual(upTo(50).map(BigInt))
      expect(sent).toHaveLength(1)
    })
  )

  it.scoped("are no list if there is only one, which is sent as it is", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(rpc.balance("7"))
      expect(shapes(sent)).toEqual(["single"])
      answer(nth(sent, 0))
      expect(yield* values(fibers)).toEqual([7n])
    })
  )

  it.scoped("are those of one fiber, too", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(
        Effect.forEach(upTo(20), (i) => rpc.balance(String(i)), { concurrency: "unbounded" })
      )
      expect(shapes(sent)).toEqual([20])
      answer(nth(sent, 0))
      expect(yield* values(fibers)).toEqual([upTo(20).map(BigInt)])
    })
  )

  it.scoped("are sent apart where their routing or options differ", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const both = (options: CallOptionsShape) => [1, 2].map((i) => using(options)(rpc.balance(String(i))))
      const fibers = yield* start(
        ...both({}),
        rpc.balance("1", "old"),
        rpc.balance("2", "old"),
        ...both({ timeout: 1_000 }),
        ...both({ attemptTimeout: 500 }),
        ...both({ node: "https://a.example" }),
        ...both({ minBlock: 7 }),
        ...both({ archive: "strict" })
      )
      expect(shapes(sent)).toEqual([2, 2, 2, 2, 2, 2, 2])
      expect(sent.map(({ call }) => call.archive)).toEqual([false, true, ...upTo(5).map(() => false)])
      expect(sent.map(({ options }) => options)).toEqual([
        {},
        {},
        { timeout: 1_000 },
        { attemptTimeout: 500 },
        { node: "https://a.example" },
        { minBlock: 7 },
        { archive: "strict" }
      ])
      for (const each of sent) answer(each)
      expect(yield* values(fibers)).toEqual(upTo(7).flatMap(() => [1n, 2n]))
    })
  )

  it.scoped("are no broadcasts, writes, REST routes or raw calls under an id of their own", () =>
    Effect.gen(function* () {
      const { raw, rpc, sent } = yield* setup()
      const one = (id?: number) =>
        raw.rawRpcCall({ method: "echo", params: [1], ...(id === undefined ? {} : { id }) })
      yield* start<unknown, unknown>(
        rpc.submit("a"),
        rpc.airdrop("b"),
        rpc.route({ id: 1 }),
        one(5),
        one(),
        one()
      )
      expect(sent.map(({ call }) => call.label)).toEqual([
        "submit",
        "airdrop",
        "GET /blocks/{id}",
        "echo",
        "batch of 2"
      ])
    })
  )

  it.scoped("travel alone where nobody wants lists, and together where a call does", () =>
    Effect.gen(function* () {
      const off = yield* setup(false)
      yield* start(off.rpc.balance("1"), off.rpc.balance("2"))
      expect(shapes(off.sent)).toEqual(["single", "single"])
      yield* start(...upTo(4).map((i) => using({ batch: true })(off.rpc.balance(String(i)))))
      yield* start(...upTo(4).map((i) => using({ batch: { size: 2 } })(off.rpc.balance(String(i)))))
      yield* start(...upTo(2).map((i) => using({ batch: { size: Number.NaN } })(off.rpc.balance(String(i)))))
      expect(shapes(off.sent)).toEqual(["single", "single", 4, 2, 2, "single", "single"])
      const on = yield* setup()
      yield* start(...upTo(2).map((i) => using({ batch: false })(on.rpc.balance(String(i)))))
      expect(shapes(on.sent)).toEqual(["single", "single"])
    })
  )

  it.scoped("fill lists of the size and bytes that are allowed", () =>
    Effect.gen(function* () {
      const bySize = yield* setup({ size: 20 })
      const fibers = yield* start(...upTo(50).map((i) => bySize.rpc.balance(String(i))))
      expect(shapes(bySize.sent)).toEqual([20, 20, 10])
      for (const each of bySize.sent) answer(each)
      expect(yield* values(fibers)).toEqual(upTo(50).map(BigInt))
      const byBytes = yield* setup({ bytes: 1_000 })
      yield* start(
        ...upTo(9).map(() => byBytes.rpc.echo("x".repeat(250))),
        byBytes.rpc.echo("x".repeat(5_000))
      )
      expect(shapes(byBytes.sent)).toEqual([3, 3, 3, "single"])
    })
  )

  it.scoped("wait for others as long as the window says, and no longer", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup({ window: 50 })
      const fibers = yield* start(rpc.balance("1"))
      yield* TestClock.adjust(49)
      const more = yield* start(rpc.balance("2"))
      expect(sent).toHaveLength(0)
      yield* TestClock.adjust(1)
      expect(shapes(sent)).toEqual([2])
      // their deadline has not moved
      expect(nth(sent, 0).options).toEqual({ timeout: timeout - 50 })
      answer(nth(sent, 0))
      expect(yield* values([...fibers, ...more])).toEqual([1n, 2n])
    })
  )

  it.scoped("are read by their own endpoints, where one that cannot be read breaks no other", () =>
    Effect.gen(function* () {
      const { sent, transport } = makeHeldCall()
      const layered = yield* Batch.make(transport, { timeout, batch: batchDefaults })
      const big = makeClient(
        group(
          { integers: bigintIntegers },
          { all: rpc<[], unknown>("all"), some: rpc<[], unknown>("some").numbers(["decimals"]) }
        ),
        layered,
        routing
      )
      const small = makeClient(table, layered, routing)
      const fibers = yield* start<unknown, unknown>(big.all(), big.some(), small.echo(1), small.echo(2))
      const results = [`{"decimals":6,"x":1}`, `{"decimals":6,"x":1}`, "12345678901234567890", `"2"`]
      answer(nth(sent, 0), ({ id }, i) => `{"jsonrpc":"2.0","id":${id},"result":${results[i]}}`)
      const [all, some, unsafe, echoed] = yield* outcomes(fibers)
      expect(all).toEqual(Either.right({ decimals: 6n, x: 1n }))
      expect(some).toEqual(Either.right({ decimals: 6, x: 1n }))
      expect(unsafe !== undefined && Either.isLeft(unsafe) && unsafe.left).toMatchObject({
        _tag: "NodeError",
        call: "echo"
      })
      expect(echoed).toEqual(Either.right("2"))
    })
  )
})

describe("an item of a list", () => {
  it.scoped("fails alone, with the error that it would have had alone", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      answer(nth(sent, 0), (request, i) => (i === 1 ? bad(3, "execution reverted")(request) : good(request)))
      const [zero, one, two] = yield* outcomes(fibers)
      expect([zero, two]).toEqual([Either.right(0n), Either.right(2n)])
      expect(one !== undefined && Either.isLeft(one) && one.left).toMatchObject({
        _tag: "RpcError",
        method: "balance",
        code: 3
      })
      expect(sent).toHaveLength(1)
    })
  )

  const asked: ReadonlyArray<readonly [string, (request: Request) => string]> = [
    ["has no answer", () => ""],
    ["has an answer that speaks of the node", bad(-32005, "rate limit exceeded")],
    ["is known elsewhere", bad(-32000, "missing trie node")],
    ["has an answer that cannot be read", ({ id }) => `{"jsonrpc":"2.0","id":${id},"result":}`],
    ["has an answer under another id", (request) => good({ ...request, id: request.id + 1_000_000 })],
    ["has an answer without an id", ({ params }) => JSON.stringify({ jsonrpc: "2.0", result: params[0] })],
    ["has two answers that differ", (request) => `${good(request)},${good({ ...request, params: ["666"] })}`],
    ["has an answer of the wrong type", ({ id }) => `{"jsonrpc":"2.0","id":${id},"result":"no number"}`]
  ]
  it.scoped.each(asked)("is asked for alone if it %s", ([, item]) =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      answer(nth(sent, 0), (request, i) => (i === 1 ? item(request) : good(request)))
      yield* turn
      expect(shapes(sent)).toEqual([3, "single"])
      expect(requestsOf(nth(sent, 1))).toEqual([requestsOf(nth(sent, 0))[1]])
      answer(nth(sent, 1))
      expect(yield* values(fibers)).toEqual([0n, 1n, 2n])
    })
  )

  it.scoped("may be answered twice in the same words", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      answer(nth(sent, 0), (request) => `${good(request)},${good(request)}`)
      expect(yield* values(fibers)).toEqual([0n, 1n, 2n])
      expect(sent).toHaveLength(1)
    })
  )

  it.scoped("is asked for alone within the time that the call still has", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(2).map((i) => rpc.balance(String(i))))
      yield* TestClock.adjust(29_000)
      answer(nth(sent, 0), (request, i) => (i === 0 ? good(request) : ""))
      yield* turn
      expect(nth(sent, 1).options).toEqual({ timeout: 1_000 })
      answer(nth(sent, 1))
      expect(yield* values(fibers)).toEqual([0n, 1n])
    })
  )
})

describe("a node that refuses lists", () => {
  const object = (fields: object) => JSON.stringify({ jsonrpc: "2.0", id: null, ...fields })
  const refusals: ReadonlyArray<readonly [string, string, number]> = [
    ["one object with -32600", object({ error: { code: -32600, message: "Invalid Request" } }), 200],
    [
      "an error under an id of nobody",
      object({ id: 0, error: { code: -32700, message: "Parse error" } }),
      200
    ],
    ["one result", object({ id: 0, result: "0x1" }), 200],
    [
      "an error with HTTP 500, as bitcoind has it",
      object({ error: { code: -32700, message: "Top-level object parse error" } }),
      500
    ],
    ["HTTP 400 and no JSON", "unable to parse request", 400],
    ["HTTP 404", "not found", 404],
    ["HTTP 405", "", 405],
    [
      "a list with -32600 for all",
      `[${object({ error: { code: -32600, message: "batch requests are not supported" } })}]`,
      200
    ]
  ]
  it.scoped.each(refusals)(
    "(%s) is asked for each alone, and not asked for lists for a while",
    ([, text, status]) =>
      Effect.gen(function* () {
        const { rpc, sent } = yield* setup()
        const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
        const list = nth(sent, 0)
        list.answer(text.replace(`"id":0`, `"id":${requestsOf(list)[0]?.id}`), status)
        yield* turn
        for (let i = 1; i < sent.length; i++) {
          answer(nth(sent, i))
          yield* turn
        }
        expect(shapes(sent)).toEqual([3, "single", "single", "single"])
        expect(yield* values(fibers)).toEqual([0n, 1n, 2n])
        yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
        expect(shapes(sent).slice(4)).toEqual(["single", "single", "single"])
        yield* TestClock.adjust("5 minutes")
        yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
        expect(shapes(sent).slice(7)).toEqual([3])
      })
  )
})

describe("a node that takes shorter lists", () => {
  const said: ReadonlyArray<readonly [string, (request: Request) => string, number, number]> = [
    [
      "in one object, with its limit",
      () =>
        bad(-32600, "batch limit 4 exceeded. Requested batch of size: 10")({ id: 0, method: "", params: [] }),
      200,
      4
    ],
    [
      "in one object, without it",
      () => `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}`,
      200,
      5
    ],
    [
      "in a list with one error for the first request",
      (request) => `[${bad(-32600, "batch too large")(request)}]`,
      200,
      5
    ],
    [
      "in a list with one error for nobody",
      () => `[{"id":null,"error":{"code":-32007,"message":"Batch size is over the limit of 3"}}]`,
      200,
      3
    ],
    ["by HTTP 413", () => "<html>Request Entity Too Large</html>", 413, 5]
  ]
  it.scoped.each(said)(
    "(it says so %s) gets such, and is not asked for longer ones",
    ([, text, status, size]) =>
      Effect.gen(function* () {
        const { rpc, sent } = yield* setup()
        const fibers = yield* start(...upTo(10).map((i) => rpc.balance(String(i))))
        const [first] = requestsOf(nth(sent, 0))
        if (first === undefined) throw new Error("an empty list was sent")
        nth(sent, 0).answer(text(first), status)
        yield* turn
        const lengths = Array.from({ length: Math.ceil(10 / size) }, (_, i) => Math.min(size, 10 - i * size))
        const shaped = lengths.map((length) => (length === 1 ? "single" : length))
        expect(shapes(sent)).toEqual([10, ...shaped])
        for (const each of sent.slice(1)) answer(each)
        expect(yield* values(fibers)).toEqual(upTo(10).map(BigInt))
        yield* start(...upTo(10).map((i) => rpc.balance(String(i))))
        expect(shapes(sent).slice(1 + shaped.length)).toEqual(shaped)
      })
  )

  it.scoped("is asked again for what had no room in its answer", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(10).map((i) => rpc.balance(String(i))))
      answer(nth(sent, 0), (request, i) =>
        i < 6 ? good(request) : bad(-32003, "response too large")(request)
      )
      yield* turn
      expect(shapes(sent)).toEqual([10, 4])
      answer(nth(sent, 1))
      expect(yield* values(fibers)).toEqual(upTo(10).map(BigInt))
    })
  )

  it.scoped("may take none but single ones", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(8).map((i) => rpc.balance(String(i))))
      for (let i = 0; i < sent.length; i++) {
        const one = nth(sent, i)
        if (Array.isArray(one.json)) one.answer("", 413)
        else answer(one)
        yield* turn
      }
      expect(shapes(sent)).toEqual([8, 4, 4, 2, 2, 2, 2, ...upTo(8).map(() => "single")])
      expect(yield* values(fibers)).toEqual(upTo(8).map(BigInt))
    })
  )
})

describe("a list that fails", () => {
  const failure = (kind: NodeError["kind"], status?: number) =>
    new NodeError({
      kind,
      call: "batch of 3",
      url: "https://a.example",
      reason: "it is broken",
      ...(status === undefined ? {} : { status })
    })

  it.scoped("fails its calls, each under its own name", () =>
    Effect.gen(function* () {
      for (const error of [
        failure("network"),
        failure("timeout"),
        new NoActiveNode({ network: "ethereum-mainnet", type: "NORMAL", manual: false, reason: "a test" })
      ]) {
        const { rpc, sent } = yield* setup()
        const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
        nth(sent, 0).fail(error)
        for (const outcome of yield* outcomes(fibers)) {
          expect(Either.isLeft(outcome) && outcome.left).toMatchObject(
            error._tag === "NodeError"
              ? { _tag: "NodeError", kind: error.kind, call: "balance" }
              : { _tag: "NoActiveNode" }
          )
        }
        expect(sent).toHaveLength(1)
      }
    })
  )

  it.scoped("tells its calls where it has been tried", () =>
    Effect.gen(function* () {
      const tried = [{ node: "https://a.example", ms: 5, outcome: "down" }] as const
      for (const error of [
        failure("network"),
        new NoActiveNode({ network: "ethereum-mainnet", type: "NORMAL", manual: false, reason: "a test" })
      ]) {
        const { rpc, sent } = yield* setup()
        const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
        nth(sent, 0).fail(withAttempts(error, tried))
        for (const outcome of yield* outcomes(fibers))
          expect(Either.isLeft(outcome) && outcome.left.attempts).toEqual(tried)
      }
    })
  )

  it.scoped("where it may be the list's fault: one call alone tells, and if that is served, all are", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      nth(sent, 0).fail(failure("status", 500))
      yield* turn
      expect(shapes(sent)).toEqual([3, "single"])
      answer(nth(sent, 1))
      yield* turn
      expect(shapes(sent)).toEqual([3, "single", "single", "single"])
      answer(nth(sent, 2))
      answer(nth(sent, 3))
      expect(yield* values(fibers)).toEqual([0n, 1n, 2n])
    })
  )

  it.scoped("and if it is not served, nothing more is sent", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      nth(sent, 0).fail(failure("malformed"))
      yield* turn
      nth(sent, 1).fail(failure("network"))
      for (const outcome of yield* outcomes(fibers)) expect(Either.isLeft(outcome)).toBe(true)
      expect(shapes(sent)).toEqual([3, "single"])
      yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      expect(shapes(sent).slice(2)).toEqual([3])
    })
  )

  it.scoped("is the node's failure if it answers nothing, or every answer speaks of the node", () =>
    Effect.gen(function* () {
      const limited = ({ id }: Request) => bad(-32005, "rate limit exceeded")({ id, method: "", params: [] })
      const answers: ReadonlyArray<
        readonly [(list: ReadonlyArray<Request>) => string, status: number, fault: Rejection["fault"]]
      > = [
        [() => "[]", 200, "node"],
        [() => `[{"jsonrpc":"2.0","id":999999999,"result":"1"}]`, 200, "node"],
        [(list) => `[${list.map(limited).join(",")}]`, 200, "limited"],
        [
          () => `{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"rate limit exceeded"}}`,
          200,
          "limited"
        ],
        [() => `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"slow down"}}`, 429, "limited"],
        [() => "<html>Bad Gateway</html>", 502, "node"],
        [() => `[{"jsonrpc":"2.0","id":`, 200, "node"],
        [() => "null", 200, "node"]
      ]
      for (const [text, status, fault] of answers) {
        const { rpc, sent } = yield* setup()
        yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
        const list = nth(sent, 0)
        const judged = list.call.decode({ status, text: text(requestsOf(list)), url: "https://a.example" })
        expect(Either.isLeft(judged) && judged.left.fault).toBe(fault)
      }
    })
  )
})

describe("a caller who leaves", () => {
  it.scoped("before the list is sent is not in it", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup({ window: 50 })
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      yield* Fiber.interrupt(fibers[1] ?? Fiber.never)
      yield* TestClock.adjust(50)
      expect(requestsOf(nth(sent, 0)).map(({ params }) => params)).toEqual([["0"], ["2"]])
      const none = yield* start(rpc.balance("3"), rpc.balance("4"))
      yield* Fiber.interruptAll(none)
      yield* TestClock.adjust(50)
      expect(sent).toHaveLength(1)
    })
  )

  it.scoped("afterwards leaves the others alone, and the last one ends the request", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      for (const [i, fiber] of fibers.entries()) {
        expect(nth(sent, 0).aborted()).toBe(false)
        yield* Fiber.interrupt(fiber)
        expect(nth(sent, 0).aborted()).toBe(i === 2)
      }
    })
  )

  it.scoped("while it is asked for alone ends that", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      answer(nth(sent, 0), (request, i) => (i === 1 ? "" : good(request)))
      yield* turn
      yield* Fiber.interrupt(fibers[1] ?? Fiber.never)
      expect(nth(sent, 1).aborted()).toBe(true)
    })
  )

  it.effect("is not needed: the scope ends calls that wait, and lists", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { rpc, sent } = yield* Scope.extend(setup({ window: 50 }), scope)
      const first = yield* start(...upTo(3).map((i) => rpc.balance(String(i))))
      yield* TestClock.adjust(50)
      const second = yield* start(rpc.balance("3"))
      yield* Scope.close(scope, Exit.void)
      expect(nth(sent, 0).aborted()).toBe(true)
      for (const fiber of first) expect(Exit.isInterrupted(yield* Fiber.await(fiber))).toBe(true)
      for (const fiber of second)
        expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({ _tag: "Aborted" })
      // what is called later goes the plain way, to whatever the transport says by then
      yield* start(rpc.balance("4"))
      expect(shapes(sent)).toEqual([3, "single"])
    })
  )
})

/** What a node may do to an answer, and where in the list it puts it. */
const whole: readonly [Mischief, number] = ["good", 0]

type Mischief = "good" | "drop" | "twice" | "clash" | "foreign" | "text" | "null" | "error" | "limit"

/** What a node may do to one answer of a list. */
const mischiefs: ReadonlyArray<Mischief> = [
  "good",
  "good",
  "good",
  "drop",
  "twice",
  "clash",
  "foreign",
  "text",
  "null",
  "error",
  "limit"
]
const mischief = FastCheck.constantFrom(...mischiefs)

it.effect.prop(
  "every call gets its own answer, whatever a node does to a list: shuffled, dropped, doubled, foreign, swapped",
  [FastCheck.array(FastCheck.tuple(mischief, FastCheck.nat()), { minLength: 2, maxLength: 200 })],
  ([plan]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { rpc, sent } = yield* setup({ size: 64 })
        const fibers = yield* start(...plan.map((_, i) => rpc.echo(`value ${i}`)))
        let at = 0
        for (let n = 0; n < sent.length; n++) {
          const one = nth(sent, n)
          if (!Array.isArray(one.json)) {
            answer(one)
            yield* turn
            continue
          }
          const elements = requestsOf(one).flatMap((request) => {
            const [kind, order] = plan[at++] ?? whole
            const foreign = { ...request, id: request.id + 1_000_000, params: ["of somebody else"] }
            const texts: { readonly [K in Mischief]: ReadonlyArray<string> } = {
              good: [good(request)],
              drop: [],
              twice: [good(request), good(request)],
              clash: [good(request), good({ ...request, params: ["another"] })],
              foreign: [good(foreign), good(request)],
              text: [`{"result":${JSON.stringify(request.params[0])},"id":"${request.id}"}`],
              null: [good(request).replace(/"id":\d+/, `"id":null`)],
              error: [bad(-32602, `no ${String(request.params[0])}`)(request)],
              limit: [bad(-32005, "rate limit")(request)]
            }
            return texts[kind].map((text) => ({ text, order }))
          })
          const shuffled = elements.toSorted((a, b) => a.order - b.order).map(({ text }) => text)
          const judged = one.call.decode({
            status: 200,
            text: `[${shuffled.join(",")}]`,
            url: "https://a.example"
          })
          if (Either.isLeft(judged)) {
            // the balancer would try other nodes: here the next one is a good one
            answer(one)
          } else one.answer(`[${shuffled.join(",")}]`)
          yield* turn
        }
        const all = yield* outcomes(fibers)
        for (const [i, outcome] of all.entries()) {
          if (Either.isRight(outcome)) expect(outcome.right).toBe(`value ${i}`)
          else {
            expect(plan[i]?.[0]).toBe("error")
            expect(outcome.left).toMatchObject({ rpcMessage: `no value ${i}` })
          }
        }
      })
    ),
  { fastCheck: { numRuns: runs(150) } }
)

it("a list's answers are attributed by id alone, however many are shuffled, dropped, doubled and foreign", () => {
  const random = new PCGRandom(7)
  const decode = (id: number) => (reply: Reply) =>
    decodeRpc(reply, {
      method: "echo",
      id,
      parse: numberIntegers.parse,
      numbers: [],
      decode: undefined,
      dialect: {}
    })
  let attributed = 0
  let missing = 0
  for (let run = 0; run < RUNS; run++) {
    const ids = Array.from({ length: 100 }, (_, i) => 100_000 * (run % 7) + 3 * i + 1)
    const items = ids.map((id) => ({
      id,
      call: {
        label: "echo",
        repeat: "read" as const,
        archive: false,
        gateway: false,
        verb: "POST" as const,
        path: "",
        body: "",
        decode: decode(id)
      }
    }))
    const gone = new Set<number>()
    const texts = ids.flatMap((id): ReadonlyArray<string> => {
      const text = `{"jsonrpc":"2.0","result":"of ${id}","id":${id}}`
      const chance = random.integer(20)
      if (chance === 0) {
        gone.add(id)
        return []
      }
      if (chance === 1) return [text, text]
      if (chance === 2) return [text, `{"jsonrpc":"2.0","result":"foreign","id":${id + 1}}`]
      if (chance !== 3) return [text]
      gone.add(id)
      return [text, text.replace("of", "not of")]
    })
    for (let i = texts.length - 1; i > 0; i--) {
      const j = random.integer(i + 1)
      const [a, b] = [texts[i], texts[j]]
      if (a === undefined || b === undefined) throw new Error("out of the list")
      texts[i] = b
      texts[j] = a
    }
    const outcome = readList(
      { status: 200, text: `[${texts.join()}]`, url: "https://a.example" },
      "batch",
      items
    )
    if (Either.isLeft(outcome) || outcome.right._tag !== "answered") throw new Error("it was not read")
    for (const [i, answer] of outcome.right.answers.entries()) {
      const id = ids[i] ?? 0
      if (answer === undefined) {
        missing++
        if (!gone.has(id)) throw new Error(`${id} has lost its answer`)
      } else if (Either.isRight(answer) && answer.right === `of ${id}` && !gone.has(id)) attributed++
      else throw new Error(`${id} has got ${JSON.stringify(answer)}`)
    }
  }
  expect(attributed + missing).toBe(RUNS * 100)
  expect(missing).toBeGreaterThan(RUNS)
})

describe("on the Promise surface", () => {
  const node = (how: (list: ReadonlyArray<Request>) => string | undefined = () => undefined) => {
    const bodies: Array<{ readonly url: string; readonly length: number | undefined }> = []
    const fetch: typeof globalThis.fetch = async (url, init) => {
      const json: unknown = JSON.parse(String(init?.body))
      const list = Array.isArray(json) ? json.filter(isRequest) : [json].filter(isRequest)
      const one = ({ id, method, params }: Request): string =>
        JSON.stringify({ jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x1" : params[0] })
      if (list[0]?.method !== "eth_chainId")
        bodies.push({ url: String(url), length: Array.isArray(json) ? list.length : undefined })
      if (String(url).startsWith("https://a.")) throw new TypeError("fetch failed")
      return new Response(
        Array.isArray(json) ? (how(list) ?? `[${list.map(one).join()}]`) : one(list[0] ?? fail())
      )
    }
    return { bodies, fetch }
  }
  const fail = (): never => {
    throw new Error("a request that is none")
  }
  const client = (fetch: typeof globalThis.fetch, more: object, ...urls: ReadonlyArray<string>) =>
    init({
      network: "ethereum-mainnet",
      quiet: true,
      fetch,
      rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY },
      ...more
    })
  const blocks = (sdk: Pick<PromiseRpcSdk<"ethereum-mainnet">, "rpc">, ...values: ReadonlyArray<number>) =>
    Promise.all(values.map((value) => sdk.rpc.rawRpcCall({ method: "eth_call", params: [value] }))).then(
      (results) => results.map((result) => (result.status === "SUCCESS" ? result.data : result.error.message))
    )

  it("calls are collected where the configuration says so, and the list fails over as any call does", async () => {
    const { bodies, fetch } = node()
    const sdk = await client(fetch, { batch: true }, "https://a.example", "https://b.example")
    try {
      expect(await blocks(sdk, 1, 2, 3)).toEqual([1, 2, 3])
      expect(bodies.filter(({ url }) => url.startsWith("https://b."))).toEqual([
        { url: "https://b.example", length: 3 }
      ])
    } finally {
      await sdk.destroy()
    }
  })

  it("calls are collected or shared where single calls say so", async () => {
    const { bodies, fetch } = node()
    const sdk = await client(fetch, {}, "https://b.example")
    try {
      expect(await blocks(sdk.with({ batch: true }), 1, 2)).toEqual([1, 2])
      expect(await blocks(sdk.with({ coalesce: true }), 3, 3)).toEqual([3, 3])
      expect(await blocks(sdk.with({ coalesce: true, batch: true }), 4, 4, 5)).toEqual([4, 4, 5])
      expect(await blocks(sdk, 6, 6)).toEqual([6, 6])
      expect(bodies.map(({ length }) => length)).toEqual([2, undefined, 2, undefined, undefined])
    } finally {
      await sdk.destroy()
    }
  })

  it("nodes that know no lists are no less useful", async () => {
    const { bodies, fetch } = node(
      () => `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid request"}}`
    )
    const sdk = await client(fetch, { batch: true }, "https://b.example")
    try {
      expect(await blocks(sdk, 1, 2)).toEqual([1, 2])
      expect(await blocks(sdk, 3, 4)).toEqual([3, 4])
      expect(bodies.map(({ length }) => length)).toEqual([2, undefined, undefined, undefined, undefined])
    } finally {
      await sdk.destroy()
    }
  })
})

describe("the elements of a JSON list", () => {
  it("are what JSON.parse finds, as they were written", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(
          FastCheck.oneof(
            FastCheck.jsonValue(),
            FastCheck.record({ id: FastCheck.nat(), x: FastCheck.jsonValue() })
          )
        ),
        FastCheck.constantFrom(0, 2, "\t"),
        (list, indent) => {
          const found = splitList(JSON.stringify(list, undefined, indent))
          expect(found?.map(({ text }) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(list)))
          const ids = list.map((item) =>
            typeof item === "object" && item !== null && !Array.isArray(item) && Object.hasOwn(item, "id")
              ? Reflect.get(item, "id")
              : undefined
          )
          for (const [i, id] of ids.entries()) {
            if (typeof id === "number" && Number.isSafeInteger(id) && id >= 0 && !Object.is(id, -0))
              expect(found?.[i]?.id).toBe(id)
          }
        }
      ),
      { numRuns: runs(500) }
    )
  })

  it("are none in what is no list, or not all of one", () => {
    const whole = `[{"id":1,"a":"]}\\\\"},[{"id":2}],"x"]`
    expect(splitList(whole)?.map(({ id }) => id)).toEqual([1, undefined, undefined])
    for (let end = 0; end < whole.length; end++) expect(splitList(whole.slice(0, end))).toBeUndefined()
    for (const text of ["", "{}", "null", "[1] 2", "[1}", `["`]) expect(splitList(text)).toBeUndefined()
    expect(splitList(" [ ] ")).toEqual([])
  })
})
