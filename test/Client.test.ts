// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { endpoints as nearEndpoints } from "../src/chains/Near.js"
import { get, group, post, Refused, rpc } from "../src/data/Endpoint.js"
import { numberIntegers } from "../src/data/integers.js"
import { NoActiveNode } from "../src/data/SdkError.js"
import {
  type BatchItem,
  type JsonRpcRequest,
  make,
  makeRawRpc,
  type RawOptions
} from "../src/transport/Client.js"
import { bigintIntegers } from "../src/wire/bigintIntegers.js"
import type { Call, CallError, Rejection, TransportService } from "../src/wire/Transport.js"
import { runs } from "./properties.js"

const url = "https://node.example/v3/SECRET-KEY-0123456789"
const routing = { archive: true, batchArchive: true }

interface Answer {
  readonly status?: number
  readonly text: string
}

type Node = (body: unknown, call: Call<unknown>) => Answer

interface Double {
  readonly transport: TransportService
  readonly calls: Array<Call<unknown>>
  /** The judgement of the last answer, if it was no success. */
  readonly rejections: Array<Rejection>
}

/** A transport with one node, and no balancer: what the node answers is judged, and the judgement kept. */
const double = (node: Node): Double => {
  const calls: Array<Call<unknown>> = []
  const rejections: Array<Rejection> = []
  return {
    calls,
    rejections,
    transport: {
      send: (call) =>
        Effect.suspend(() => {
          calls.push(call)
          const body: unknown = typeof call.body === "string" ? JSON.parse(call.body) : undefined
          const { status = 200, text } = node(body, call)
          return Either.match(call.decode({ status, text, url }), {
            onLeft: (rejection): Effect.Effect<never, CallError> => {
              rejections.push(rejection)
              return Effect.fail(rejection.error)
            },
            onRight: (value) => Effect.succeed(value)
          })
        }),
      nodeUrl: (archive) =>
        archive
          ? Effect.succeed("https://archive.example")
          : Effect.fail(new NoActiveNode({ network: "x", type: "NORMAL", manual: false, reason: "a test" }))
    }
  }
}

const idOf = (body: unknown): unknown =>
  typeof body === "object" && body !== null ? Reflect.get(body, "id") : undefined

/** An answer to the request at hand: what is given, under its id. */
const answering =
  (fields: object, status = 200): Node =>
  (body) => ({ status, text: JSON.stringify({ jsonrpc: "2.0", id: idOf(body), ...fields }) })

const saying =
  (text: string, status = 200): Node =>
  () => ({ status, text })

const table = group(
  { integers: numberIntegers, reads: /^(?:[abc]|eth_chainId)$/ },
  { one: rpc<[a?: unknown], unknown>("one"), rest: get("/rest"), none: post("/none").noContent() }
)
const bigTable = group(
  { integers: bigintIntegers, reads: /^[abc]$/ },
  {
    one: rpc<[a?: unknown], unknown>("one"),
    some: rpc<[], unknown>("some").numbers(["decimals", "list.[].slot", "map.*.n"]),
    rest: get("/rest").numbers(["n"]),
    write: rpc<[], unknown>("write").write()
  }
)

/** The judgement of one answer: whose fault, and which error. */
const judged = (node: Node, big = false) =>
  Effect.gen(function* () {
    const { rejections, transport } = double(node)
    const client = big ? make(bigTable, transport, routing) : make(table, transport, routing)
    const error = yield* Effect.flip(client.one())
    const [rejection] = rejections
    expect(rejections).toHaveLength(1)
    expect(rejection?.error).toBe(error)
    return { fault: rejection?.fault, error }
  })

describe("the answer to a single JSON-RPC call", () => {
  it.effect.each([
    ["null", null],
    ["false", false],
    ["an empty text", ""],
    ["zero", 0],
    ["an object", { a: [1, 2.5, null] }]
  ])("is its result, be it %s", ([, result]) =>
    Effect.gen(function* () {
      for (const fields of [
        { result },
        { result, error: null },
        { result, error: undefined },
        { result, error: "" }
      ]) {
        const { transport } = double(answering(fields))
        expect(yield* make(table, transport, routing).one()).toEqual(result)
      }
    })
  )

  it.effect("is read without the version, as Bitcoin Core before 28 answers", () =>
    Effect.gen(function* () {
      const { transport } = double((body) => ({
        text: JSON.stringify({ result: 7, error: null, id: idOf(body) })
      }))
      expect(yield* make(table, transport, routing).one()).toBe(7)
    })
  )

  const bad: ReadonlyArray<
    readonly [what: string, node: Node, fault: Rejection["fault"], expected: object, reason: RegExp]
  > = [
    [
      "an HTML page",
      saying("<!DOCTYPE html><html><title>Welcome to nginx!</title></html>"),
      "node",
      { _tag: "NodeError", kind: "malformed", status: 200 },
      /^one failed: an HTML page: Welcome to nginx!$/
    ],
    [
      "truncated JSON",
      saying('{"jsonrpc":"2.0","id":1,"resu'),
      "node",
      { kind: "malformed" },
      /not valid JSON/
    ],
    ["an empty body", saying(""), "node", { kind: "malformed" }, /an empty body$/],
    ["plain text", saying("Not a JSON-RPC service"), "node", { kind: "malformed" }, /not valid JSON/],
    [
      "the answer to another id",
      (body) => ({ text: JSON.stringify({ jsonrpc: "2.0", id: Number(idOf(body)) + 1, result: 1 }) }),
      "node",
      { kind: "malformed" },
      /another request \(id \d+\)/
    ],
    [
      "our id as text",
      (body) => ({ text: JSON.stringify({ jsonrpc: "2.0", id: String(idOf(body)), result: 1 }) }),
      "node",
      { kind: "malformed" },
      /another request \(id "\d+"\)/
    ],
    [
      "a result without an id",
      saying('{"jsonrpc":"2.0","result":1}'),
      "node",
      { kind: "malformed" },
      /id none/
    ],
    [
      "a result with id null",
      saying('{"jsonrpc":"2.0","result":1,"id":null}'),
      "node",
      { kind: "malformed" },
      /id null/
    ],
    [
      "an array",
      (body) => ({ text: JSON.stringify([{ jsonrpc: "2.0", id: idOf(body), result: 1 }]) }),
      "node",
      { kind: "malformed" },
      /an array for a single call/
    ],
    ["null", saying("null"), "node", { kind: "malformed" }, /null in place of/],
    ["a bare string", saying('"ok"'), "node", { kind: "malformed" }, /a bare string/],
    ["a bare number", saying("5"), "node", { kind: "malformed" }, /a bare number/],
    ["true", saying("true"), "node", { kind: "malformed" }, /a bare boolean/],
    ["an empty object", saying("{}"), "node", { kind: "malformed" }, /no JSON-RPC answer/],
    ["neither result nor error", answering({}), "node", { kind: "malformed" }, /neither|no JSON-RPC answer/],
    ["error null and no result", answering({ error: null }), "node", { kind: "malformed" }, /neither/],
    ["an error that is a number", answering({ error: 5 }), "node", { kind: "malformed" }, /neither/],
    [
      "an error",
      answering({ error: { code: -32602, message: "bad params", data: { at: 0 } } }),
      "caller",
      { _tag: "RpcError", method: "one", code: -32602, rpcMessage: "bad params", data: { at: 0 } },
      /^bad params$/
    ],
    [
      "an error beside result null",
      answering({ result: null, error: { code: -5, message: "No such block" } }),
      "unclear",
      { _tag: "RpcError", code: -5 },
      /^No such block$/
    ],
    [
      "an error that is text",
      answering({ error: "nope" }),
      "unclear",
      { _tag: "RpcError", code: 0 },
      /^nope$/
    ],
    [
      "an error with a code that is text",
      answering({ error: { code: "-32000", message: "no" } }),
      "unclear",
      { _tag: "RpcError", code: -32000 },
      /^no$/
    ],
    [
      "an error with a code that is none",
      answering({ error: { code: "SERVER_ERROR", message: "no" } }),
      "unclear",
      { _tag: "RpcError", code: 0 },
      /^no$/
    ],
    [
      "an error without a message",
      answering({ error: { code: 7, why: { a: 1 } } }),
      "unclear",
      { _tag: "RpcError", code: 7 },
      /^\{"code":"?7"?,"why":\{"a":"?1"?\}\}$/
    ],
    [
      "an error with id null",
      saying('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'),
      "unclear",
      { _tag: "RpcError", code: -32700 },
      /^Parse error$/
    ],
    [
      "an error without an id",
      saying('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"}}', 400),
      "unclear",
      { _tag: "RpcError", code: -32600 },
      /^Invalid Request$/
    ],
    [
      "an error for another id",
      saying('{"jsonrpc":"2.0","id":-7,"error":{"code":-32600,"message":"no"}}'),
      "node",
      { _tag: "NodeError", kind: "malformed" },
      /another request \(id -7\)/
    ],
    [
      "HTTP 500 with an error for our id: the body decides",
      answering({ result: null, error: { code: -8, message: "Block height out of range" } }, 500),
      "unclear",
      { _tag: "RpcError", code: -8 },
      /^Block height out of range$/
    ],
    [
      "HTTP 404 with an error for our id: the body decides",
      answering({ error: { code: -32601, message: "Method not found" } }, 404),
      "elsewhere",
      { _tag: "RpcError", code: -32601 },
      /^Method not found$/
    ],
    [
      "HTTP 429 with an error for our id: the node is busy",
      answering({ error: { code: -32000, message: "slow down" } }, 429),
      "limited",
      { _tag: "RpcError" },
      /^slow down$/
    ],
    [
      "HTTP 503 with an error that names no request: the status decides",
      saying('{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"upstream down"}}', 503),
      "node",
      { _tag: "NodeError", kind: "status", status: 503 },
      /HTTP 503: .*upstream down/
    ],
    [
      "HTTP 500 with an error for another id: the status decides",
      saying('{"jsonrpc":"2.0","id":-7,"error":{"code":1,"message":"no"}}', 500),
      "node",
      { kind: "status", status: 500 },
      /HTTP 500/
    ],
    [
      "an empty 401",
      saying("", 401),
      "unclear",
      { kind: "status", status: 401 },
      /^one failed: HTTP 401 with an empty body$/
    ],
    ["a 403", saying("Forbidden", 403), "unclear", { kind: "status", status: 403 }, /HTTP 403: Forbidden$/],
    ["a 408", saying("", 408), "limited", { kind: "status", status: 408 }, /HTTP 408/],
    [
      "a 429 of text",
      saying("slow down", 429),
      "limited",
      { kind: "status", status: 429 },
      /HTTP 429: slow down/
    ],
    [
      "a 502 page",
      saying("<html></html>", 502),
      "node",
      { kind: "status", status: 502 },
      /HTTP 502 with an HTML page/
    ],
    ["a 503 with a list", saying("[]", 503), "node", { kind: "status", status: 503 }, /HTTP 503/],
    [
      "a 400 of text",
      saying("bad request", 400),
      "unclear",
      { _tag: "NodeError", kind: "status", status: 400 },
      /HTTP 400: bad request$/
    ],
    [
      "an empty 404",
      saying("", 404),
      "unclear",
      { _tag: "NodeError", kind: "status", status: 404 },
      /HTTP 404 with an empty body/
    ],
    [
      "a 413 of JSON that is none of ours",
      saying('{"message":"too large"}', 413),
      "unclear",
      { _tag: "NodeError", kind: "status", status: 413 },
      /HTTP 413: too large$/
    ]
  ]

  for (const [what, node, fault, expected, reason] of bad) {
    it.effect(`that is ${what} is the fault of the ${fault}, among numbers and bigints alike`, () =>
      Effect.gen(function* () {
        for (const big of [false, true]) {
          const judgement = yield* judged(node, big)
          expect(judgement.fault).toBe(fault)
          // nothing shows where the node is, beyond its host
          expect(String(judgement.error)).not.toContain("SECRET-KEY")
          expect(judgement.error.message).toMatch(reason)
          if (!big || !("data" in expected)) expect(judgement.error).toMatchObject(expected)
        }
      })
    )
  }

  it.effect("that the family's rule blames on the node or on nobody is so judged", () =>
    Effect.gen(function* () {
      const faults = ["node", "elsewhere", "caller"] as const
      for (const [code, fault] of faults.entries()) {
        const { rejections, transport } = double(answering({ error: { code, message: "m" } }))
        const seen: Array<unknown> = []
        const judging = group(
          {
            classify: (error) => {
              seen.push(error)
              return faults[error.code] ?? "caller"
            }
          },
          { one: rpc<[], unknown>("one") }
        )
        yield* Effect.flip(make(judging, transport, routing).one())
        // what a node says of itself harms none
        expect(rejections[0]?.fault).toBe(fault === "node" ? "declined" : fault)
        expect(seen).toEqual([{ code, message: "m" }])
      }
    })
  )

  it.effect("that its decoder cannot read is the node's fault, and one that it refuses the caller's", () =>
    Effect.gen(function* () {
      const decoding = {
        broken: rpc<[], string>("broken").decode(
          (value: { readonly a: { readonly b: string } }) => value.a.b
        ),
        refused: rpc<[], string>("refused").decode(() => {
          throw new Refused("there is no contract")
        })
      }
      const { rejections, transport } = double(answering({ result: {} }))
      const client = make(decoding, transport, routing)
      const broken = yield* Effect.flip(client.broken())
      const refused = yield* Effect.flip(client.refused())
      expect(rejections.map((rejection) => rejection.fault)).toEqual(["node", "caller"])
      expect(broken).toMatchObject({ _tag: "NodeError", kind: "malformed" })
      expect(refused).toMatchObject({
        _tag: "InvalidArgument",
        reason: "there is no contract",
        call: "refused"
      })
    })
  )

  it.effect("has no code where the node has an object for one, whatever that has for a toString", () =>
    Effect.gen(function* () {
      const { transport } = double(answering({ error: { code: { toString: 0 }, message: "no" } }))
      const error = yield* Effect.flip(make(table, transport, routing).one())
      expect(error).toMatchObject({ _tag: "RpcError", code: 0, rpcMessage: "no" })
    })
  )

  it.prop(
    "is a result or a typed error, whatever the body and the status",
    {
      text: FastCheck.oneof(
        FastCheck.json(),
        FastCheck.string(),
        FastCheck.record(
          {
            jsonrpc: FastCheck.constant("2.0"),
            id: FastCheck.oneof(FastCheck.jsonValue(), FastCheck.constant("OURS")),
            result: FastCheck.jsonValue(),
            error: FastCheck.oneof(
              FastCheck.jsonValue(),
              FastCheck.record(
                { code: FastCheck.jsonValue(), message: FastCheck.jsonValue(), data: FastCheck.jsonValue() },
                { requiredKeys: [] }
              )
            )
          },
          { requiredKeys: [] }
        ).map((body) => JSON.stringify(body))
      ),
      status: FastCheck.constantFrom(200, 201, 204, 304, 400, 401, 404, 429, 500, 503),
      big: FastCheck.boolean()
    },
    ({ big, status, text }) => {
      const { transport } = double((body) => ({ status, text: text.replace('"OURS"', String(idOf(body))) }))
      const client = big ? make(bigTable, transport, routing) : make(table, transport, routing)
      const outcome = Effect.runSync(Effect.either(client.one()))
      if (Either.isLeft(outcome)) {
        expect(["NodeError", "RpcError", "RequestRejected"]).toContain(outcome.left._tag)
        expect(outcome.left.message).toEqual(expect.any(String))
        expect(JSON.stringify(outcome.left)).not.toContain("SECRET-KEY")
      }
    },
    { fastCheck: { numRuns: runs(2_000) } }
  )
})

describe("the answer of a route", () => {
  const rest = (node: Node) => {
    const { rejections, transport } = double(node)
    return Effect.map(Effect.either(make(table, transport, routing).rest()), (outcome) => ({
      outcome,
      rejections
    }))
  }

  it.effect.each([
    ["a list", "[1,2]", [1, 2]],
    ["a bare text", '"0.1"', "0.1"],
    ["a bare number", "17", 17],
    ["null", "null", null]
  ])("may be %s", ([, text, expected]) =>
    Effect.gen(function* () {
      const { outcome } = yield* rest(saying(String(text)))
      expect(Either.getOrThrow(outcome)).toEqual(expected)
    })
  )

  it.effect("is nothing where nothing is expected", () =>
    Effect.gen(function* () {
      const { transport } = double(saying("", 200))
      expect(yield* make(table, transport, routing).none()).toBeUndefined()
    })
  )

  const bad: ReadonlyArray<readonly [what: string, node: Node, fault: Rejection["fault"], expected: object]> =
    [
      ["an empty 200", saying(""), "node", { kind: "malformed" }],
      ["HTML", saying("<html>"), "node", { kind: "malformed" }],
      ["cut JSON", saying('{"a"'), "node", { kind: "malformed" }],
      ["a 500", saying('{"message":"x"}', 500), "node", { kind: "status", reason: "HTTP 500: x" }],
      ["a 401", saying("", 401), "unclear", { kind: "status", status: 401 }],
      [
        "a 404",
        saying('{"message":"no account"}', 404),
        "unclear",
        { _tag: "NodeError", kind: "status", status: 404, reason: "HTTP 404: no account" }
      ],
      [
        "a 400",
        saying("bad round", 400),
        "unclear",
        { _tag: "NodeError", kind: "status", status: 400, reason: "HTTP 400: bad round" }
      ]
    ]
  it.effect.each(bad)("that is %s is judged", ([, node, fault, expected]) =>
    Effect.gen(function* () {
      const { outcome, rejections } = yield* rest(node)
      expect(rejections.map((rejection) => rejection.fault)).toEqual([fault])
      expect(Either.isLeft(outcome) ? outcome.left : outcome.right).toMatchObject(expected)
    })
  )
})

/** Integers around every limit that JavaScript has, and any other. */
const integer = FastCheck.oneof(
  FastCheck.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  FastCheck.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 53n - 1n,
    2n ** 53n,
    2n ** 53n + 1n,
    2n ** 64n,
    10n ** 15n,
    10n ** 16n
  )
)

describe("integers", () => {
  const result = (text: string) =>
    double((body) => ({ text: `{"jsonrpc":"2.0","id":${idOf(body)},"result":${text}}` }))
  const ask = (text: string) => Effect.either(make(table, result(text).transport, routing).one())
  const askBig = (text: string) => make(bigTable, result(text).transport, routing).one()

  it.prop(
    "are numbers in a number group, and a typed error of nobody's node where a number would lose digits",
    { value: integer, before: FastCheck.constantFrom("", " ", "\n") },
    ({ before, value }) =>
      Effect.gen(function* () {
        const safe = Number.isSafeInteger(Number(value))
        for (const [text, pick] of [
          [`${before}${value}`, (json: unknown) => json],
          [`{"a":${before}${value}}`, (json: unknown) => Reflect.get(Object(json), "a")],
          [`["x",${before}${value}]`, (json: unknown) => Reflect.get(Object(json), 1)]
        ] as const) {
          const outcome = yield* ask(text)
          if (safe) expect(pick(Either.getOrThrow(outcome))).toBe(Number(value))
          else {
            expect(Either.isLeft(outcome) && outcome.left).toMatchObject({
              _tag: "NodeError",
              kind: "malformed"
            })
            expect(Either.isLeft(outcome) && outcome.left.message).toContain("would lose digits")
          }
        }
      }).pipe(Effect.runSync),
    { fastCheck: { numRuns: runs(500) } }
  )

  it.prop(
    "are bigints in a bigint group, whatever their value, and none loses a digit",
    { value: integer },
    ({ value }) =>
      Effect.gen(function* () {
        expect(yield* askBig(`${value}`)).toBe(value)
        expect(yield* askBig(`{"a":[${value}, {"b": ${value}}]}`)).toEqual({ a: [value, { b: value }] })
        expect(yield* askBig(`[${value}.5]`)).toEqual([Number(`${value}.5`)])
      }).pipe(Effect.runSync),
    { fastCheck: { numRuns: runs(500) } }
  )

  it.effect("beyond 2^53 at the top of a route's answer are seen, too", () =>
    Effect.gen(function* () {
      const { rejections, transport } = double(saying("9007199254740993"))
      yield* Effect.flip(make(table, transport, routing).rest())
      expect(rejections).toMatchObject([{ fault: "caller", error: { kind: "malformed" } }])
    })
  )

  it.effect("beyond 2^53 blame no node: every other one holds them as well", () =>
    Effect.gen(function* () {
      const { rejections, transport } = result("18446744073709551616")
      const error = yield* Effect.flip(make(table, transport, routing).one())
      expect(error.message).toBe("one failed: the integer at $.result is above 2^53 and would lose digits")
      expect(rejections.map((rejection) => rejection.fault)).toEqual(["caller"])
    })
  )

  it.effect("of many digits inside text, and fractions of many digits, are no integers", () =>
    Effect.gen(function* () {
      const text = '{"a":": 12345678901234567890","b":0.12345678901234567890,"c":1.5e300}'
      expect(yield* ask(text)).toEqual(
        Either.right({ a: ": 12345678901234567890", b: 0.12345678901234568, c: 1.5e300 })
      )
      expect(yield* askBig(text)).toEqual({ a: ": 12345678901234567890", b: 0.12345678901234568, c: 1.5e300 })
    })
  )

  it.effect("of a bigint group stay numbers at the paths that the endpoint lists, and only there", () =>
    Effect.gen(function* () {
      const text =
        '{"decimals":6,"amount":6,"list":[{"slot":1,"other":2},{"slot":3}],"map":{"a":{"n":1},"b":{"n":2,"m":3}},"slot":9}'
      const { transport } = result(text)
      expect(yield* make(bigTable, transport, routing).some()).toEqual({
        decimals: 6,
        amount: 6n,
        list: [{ slot: 1, other: 2n }, { slot: 3 }],
        map: { a: { n: 1 }, b: { n: 2, m: 3n } },
        slot: 9n
      })
    })
  )

  it.effect("at such a path that a number cannot hold are a typed error, and blame no node", () =>
    Effect.gen(function* () {
      const { rejections, transport } = result('{"decimals":9007199254740993}')
      const error = yield* Effect.flip(make(bigTable, transport, routing).some())
      expect(error.message).toContain("$.result.decimals is above 2^53")
      expect(rejections.map((rejection) => rejection.fault)).toEqual(["caller"])
      const route = double(saying('{"n":9007199254740993}'))
      yield* Effect.flip(make(bigTable, route.transport, routing).rest())
      expect(route.rejections.map((rejection) => rejection.fault)).toEqual(["caller"])
    })
  )

  it.effect("as arguments are quantities in a number group, and digits in a bigint group", () =>
    Effect.gen(function* () {
      const { calls, transport } = double(answering({ result: null }))
      yield* make(table, transport, routing).one({ value: 2n ** 64n, n: 5 })
      yield* make(bigTable, transport, routing).one({ value: 2n ** 64n, n: 5 })
      expect(String(calls[0]?.body)).toContain('"params":[{"value":"0x10000000000000000","n":5}]')
      expect(String(calls[1]?.body)).toContain('"params":[{"value":18446744073709551616,"n":5}]')
    })
  )
})

describe("raw calls", () => {
  const raw = (node: Node, endpoints: object = table) => {
    const seen = double(node)
    return { ...seen, client: makeRawRpc(endpoints, seen.transport, routing) }
  }

  it.effect.each([0, 1, 7_000_000_000, "mine", "", "5"])("keep the caller's id %j on the wire", (id) =>
    Effect.gen(function* () {
      for (const endpoints of [table, bigTable]) {
        const { calls, client } = raw(answering({ result: "0x1" }), endpoints)
        expect(yield* client.rawRpcCall<string>({ jsonrpc: "2.0", id, method: "m", params: [1] })).toBe("0x1")
        expect(JSON.parse(String(calls[0]?.body))).toEqual({ jsonrpc: "2.0", id, method: "m", params: [1] })
      }
    })
  )

  it.effect("get an id where they have none, be it left out, undefined or null", () =>
    Effect.gen(function* () {
      const { calls, client } = raw(answering({ result: true }))
      // null and undefined: what JavaScript may pass
      const bodies = [
        { method: "m" },
        { method: "m", id: undefined },
        { method: "m", id: null }
      ] as Array<JsonRpcRequest>
      for (const body of bodies) expect(yield* client.rawRpcCall(body)).toBe(true)
      for (const call of calls) {
        expect(JSON.parse(String(call.body))).toEqual({ jsonrpc: "2.0", id: expect.any(Number), method: "m" })
      }
    })
  )

  it.effect("keep the version 1.0 and fields of the caller's own", () =>
    Effect.gen(function* () {
      const { calls, client } = raw(answering({ result: 1 }))
      const body = { jsonrpc: "1.0", id: "a", method: "m", params: { named: 1 }, extra: true } as const
      yield* client.rawRpcCall(body)
      expect(JSON.parse(String(calls[0]?.body))).toEqual(body)
    })
  )

  it.effect("with an answer to another id fail, text ids among bigints too", () =>
    Effect.gen(function* () {
      for (const endpoints of [table, bigTable]) {
        for (const id of ["mine", "5", 5]) {
          const { client } = raw(saying('{"jsonrpc":"2.0","id":6,"result":1}'), endpoints)
          const error = yield* Effect.flip(client.rawRpcCall({ id, method: "m" }))
          expect(error).toMatchObject({ _tag: "NodeError", kind: "malformed" })
        }
      }
      const { client } = raw(saying('{"jsonrpc":"2.0","id":5,"result":1}'), bigTable)
      expect(yield* Effect.flip(client.rawRpcCall({ id: "5", method: "m" }))).toMatchObject({
        kind: "malformed"
      })
    })
  )

  it.effect.each([
    null,
    undefined,
    "eth_call",
    5,
    [],
    {},
    { method: 5 },
    { method: "m", id: {} },
    { method: "m", id: 1.5 },
    { method: "m", id: Number.NaN },
    { method: "m", id: true },
    { method: "m", params: [-1n] }
  ])("that cannot be sent are refused before anything leaves (%#)", (body) =>
    Effect.gen(function* () {
      const { calls, client } = raw(saying("unexpected"))
      // wrong on purpose: what JavaScript may pass
      const wrong = body as unknown as JsonRpcRequest
      expect(yield* Effect.flip(client.rawRpcCall(wrong))).toMatchObject({ _tag: "InvalidArgument" })
      expect(yield* Effect.flip(client.rawBatchRpcCall([wrong]))).toMatchObject({ _tag: "InvalidArgument" })
      expect(calls).toEqual([])
    })
  )

  it.effect("are repeated as the table says of their method; what no table knows is a write", () =>
    Effect.gen(function* () {
      const known = group(
        { reads: /^ask_/, broadcasts: /^push_/ },
        {
          one: rpc<[], unknown>("odd_name").write(),
          nested: { two: rpc<[], unknown>("sendIt").broadcast(), three: rpc<[], unknown>("submitless") }
        }
      )
      const { calls, client } = raw(answering({ result: 1 }), known)
      const methods = {
        odd_name: "write",
        sendIt: "broadcast",
        submitless: "read",
        ask_whatever: "read",
        push_whatever: "broadcast",
        eth_getBalance: "write",
        evm_increaseTime: "write",
        getblockcount: "write"
      }
      for (const method of Object.keys(methods)) yield* client.rawRpcCall({ method })
      expect(Object.fromEntries(calls.map((call) => [call.label, call.repeat]))).toEqual(methods)
      const { calls: batched, client: batches } = raw(saying("[]"), known)
      yield* batches.rawBatchRpcCall([{ method: "ask_this" }, { method: "submitless" }])
      yield* batches.rawBatchRpcCall([{ method: "ask_this" }, { method: "sendIt" }])
      yield* batches.rawBatchRpcCall([{ method: "sendIt" }, { method: "admin_addPeer" }])
      expect(batched.map((call) => call.repeat)).toEqual(["read", "broadcast", "write"])
    })
  )

  it.effect("of a known broadcast know what an answer of 'already known' stands for", () =>
    Effect.gen(function* () {
      const known = {
        push: rpc<[raw: string], unknown>("push").broadcast({
          known: /already known/,
          result: async ([signed]) => `hash of ${String(signed)}`
        })
      }
      const { calls, client, transport } = raw(answering({ result: 1 }), known)
      yield* client.rawRpcCall({ method: "push", params: ["0x12"] })
      yield* make(known, transport, routing).push("0x34")
      const results = yield* Effect.promise(() =>
        Promise.all(calls.map((call) => call.accepted?.result("already known")))
      )
      expect(results).toEqual(["hash of 0x12", "hash of 0x34"])
      expect(calls[0]?.accepted?.known.test("tx already known")).toBe(true)
    })
  )

  it.effect("round in raw calls the same integers as in others, and no others", () =>
    Effect.gen(function* () {
      const known = group(
        { integers: numberIntegers, numbers: ["**.timeout"] },
        { state: rpc<[], unknown>("state") }
      )
      const text =
        (fields: string): Node =>
        (body) => ({
          status: 200,
          text: `{"jsonrpc":"2.0","id":${JSON.stringify(idOf(body))},"result":{${fields}}}`
        })
      const { client } = raw(text('"fork":{"timeout":9223372036854775807}'), known)
      expect(yield* client.rawRpcCall({ method: "state" })).toEqual({ fork: { timeout: 2 ** 63 } })
      const { client: other } = raw(text('"amount":9223372036854775807'), known)
      expect(yield* Effect.flip(other.rawRpcCall({ method: "state" }))).toMatchObject({ kind: "malformed" })
    })
  )

  /** An answer of NEAR: a block's time is in nanoseconds. */
  const near = (body: unknown): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(idOf(body))},"result":{"header":{"height":128414812,"timestamp":1727712345678901234,"gas_price":"100000000","validator_proposals":[],"score":1.5,"text":"1727712345678901234 \\" 5","empty":{}}}}`
  const header = {
    gas_price: "100000000",
    validator_proposals: [],
    score: 1.5,
    text: '1727712345678901234 " 5',
    empty: {}
  }

  it.effect("have one type for all integers, as the caller asks", () =>
    Effect.gen(function* () {
      const time = 1_727_712_345_678_901_234n
      const exact = { header: { ...header, height: 128_414_812n, timestamp: time } }
      const textual = { header: { ...header, height: "128414812", timestamp: String(time) } }
      for (const id of [undefined, 5, "5"]) {
        const request = { method: "a", ...(id === undefined ? {} : { id }) }
        for (const [endpoints, usual] of [
          [nearEndpoints, exact],
          [bigTable, exact]
        ] as const) {
          const { client } = raw((body) => ({ text: near(body) }), endpoints)
          expect(yield* client.rawRpcCall(request)).toEqual(usual)
          expect(yield* client.rawRpcCall(request, {})).toEqual(usual)
          expect(yield* client.rawRpcCall(request, { integers: "bigint" })).toEqual(exact)
          expect(yield* client.rawRpcCall(request, { integers: "string" })).toEqual(textual)
        }
        const { client, rejections } = raw((body) => ({ text: near(body) }), table)
        expect(yield* client.rawRpcCall(request, { integers: "bigint" })).toEqual(exact)
        expect(yield* client.rawRpcCall(request, { integers: "string" })).toEqual(textual)
        expect(yield* Effect.flip(client.rawRpcCall(request))).toMatchObject({
          _tag: "NodeError",
          message:
            'a failed: the integer at $.result.header.timestamp is above 2^53 and would lose digits: ask for { integers: "bigint" } or { integers: "string" }'
        })
        expect(rejections).toMatchObject([{ fault: "caller" }])
      }
    })
  )

  it.effect("have it in batches, too, where only the answer that a number cannot hold fails", () =>
    Effect.gen(function* () {
      const list: Node = (bodies) => ({
        text: `[${(Array.isArray(bodies) ? bodies : []).map((body) => (idOf(body) === 1 ? near(body) : `{"id":${JSON.stringify(idOf(body))},"result":7,"error":null,"time":12345678901234567890}`)).join()}]`
      })
      const bodies = [
        { id: 1, method: "a" },
        { id: "2", method: "b" }
      ]
      const { client } = raw(list)
      const at = { header: { timestamp: 1_727_712_345_678_901_234n } }
      expect(yield* client.rawBatchRpcCall(bodies, { integers: "bigint" })).toMatchObject([
        { _tag: "Right", right: at },
        { _tag: "Right", right: 7n }
      ])
      expect(yield* client.rawBatchRpcCall(bodies, { integers: "string" })).toMatchObject([
        { _tag: "Right", right: { header: { timestamp: "1727712345678901234" } } },
        { _tag: "Right", right: "7" }
      ])
      expect(yield* client.rawBatchRpcCall(bodies, { integers: "number" })).toMatchObject([
        { _tag: "Left", left: { message: expect.stringContaining("integers") } },
        { _tag: "Right", right: 7 }
      ])
    })
  )

  it.effect("refuse options that they do not have", () =>
    Effect.gen(function* () {
      const { calls, client } = raw(saying("unexpected"))
      for (const wrong of [
        { integers: "float" },
        { integers: 5 },
        { integer: "bigint" },
        { integers: null }
      ]) {
        // wrong on purpose: what JavaScript may pass
        const options = wrong as unknown as RawOptions
        expect(yield* Effect.flip(client.rawRpcCall({ method: "a" }, options))).toMatchObject({
          _tag: "InvalidArgument"
        })
        expect(yield* Effect.flip(client.rawBatchRpcCall([{ method: "a" }], options))).toMatchObject({
          _tag: "InvalidArgument"
        })
      }
      expect(calls).toEqual([])
    })
  )

  it.effect("and others do not fail for an integer beside the result", () =>
    Effect.gen(function* () {
      const huge = "123456789012345678901234567890"
      const beside =
        (fields: string): Node =>
        (body) => ({
          text: `{"jsonrpc":"2.0","time":${huge},"id":${JSON.stringify(idOf(body))},${fields}}`
        })
      for (const endpoints of [table, bigTable]) {
        const ok = raw(beside('"result":"0x1"'), endpoints)
        expect(yield* ok.client.rawRpcCall({ method: "a" })).toBe("0x1")
        expect(yield* make(endpoints, ok.transport, routing).one()).toBe("0x1")
        const no = raw(beside(`"error":{"code":-32000,"message":"no","data":{"at":${huge}}}`), endpoints)
        for (const failing of [
          no.client.rawRpcCall({ method: "a" }),
          make(endpoints, no.transport, routing).one()
        ])
          expect(yield* Effect.flip(failing)).toMatchObject({ _tag: "RpcError", code: -32000, message: "no" })
        const odd = raw(beside(`"error":{"code":${huge},"message":"no"}`), endpoints)
        expect(yield* Effect.flip(odd.client.rawRpcCall({ method: "a" }))).toMatchObject({
          _tag: "RpcError",
          code: 0
        })
        const foreign = raw(saying(`{"jsonrpc":"2.0","id":${huge},"result":1}`), endpoints)
        expect(yield* Effect.flip(foreign.client.rawRpcCall({ method: "a" }))).toMatchObject({
          message: expect.stringContaining("the answer to another request")
        })
      }
      const small = group({ integers: bigintIntegers, numbers: ["**.at"] }, { one: rpc<[], unknown>("one") })
      const { transport } = double(beside(`"error":{"code":1,"message":"no","data":{"at":${huge}}}`))
      expect(yield* Effect.flip(make(small, transport, routing).one())).toMatchObject({ _tag: "RpcError" })
    })
  )

  it.effect("that take one input refuse a second argument, which would be lost", () =>
    Effect.gen(function* () {
      const named = group({ parameters: "named" }, { ask: rpc<[input?: object], unknown>("ask") })
      const rest = { get: get("/a/{b}"), own: post("/own").args((a: unknown, b: unknown) => ({ a, b })) }
      const { calls, transport } = double(saying("{}"))
      const tooMany = (method: (...args: ReadonlyArray<never>) => Effect.Effect<unknown, unknown>) =>
        Effect.flip(Reflect.apply(method, undefined, [{ b: 1 }, 2]) as Effect.Effect<unknown, Error>)
      for (const method of [make(named, transport, routing).ask, make(rest, transport, routing).get]) {
        expect(yield* tooMany(method)).toMatchObject({
          _tag: "InvalidArgument",
          reason: "it takes one argument, and the call has 2"
        })
      }
      expect(calls).toHaveLength(0)
      yield* make(rest, transport, routing).own(1, 2)
      expect(calls).toHaveLength(1)
    })
  )

  it.effect("of a REST route are known by what the node says, too", () =>
    Effect.gen(function* () {
      const known = {
        push: post("/push/{to}")
          .body<{ readonly raw: string }>()
          .broadcast({
            known: /already/,
            result: async ([input], said) => `${JSON.stringify(input)} ${said}`
          })
      }
      const { calls, transport } = double(saying("{}"))
      yield* make(known, transport, routing).push({ to: "a", raw: "0x12" })
      expect(yield* Effect.promise(async () => calls[0]?.accepted?.result("already there: 7"))).toBe(
        '{"to":"a","raw":"0x12"} already there: 7'
      )
    })
  )

  it.effect("go to archive nodes by the rule of the group, batches as the network prefers", () =>
    Effect.gen(function* () {
      const rule = group({ archive: (method: string) => method === "old" }, {})
      const { calls, client } = raw(answering({ result: 1 }), rule)
      yield* client.rawRpcCall({ method: "old" })
      yield* client.rawRpcCall({ method: "new" })
      yield* client.rawBatchRpcCall([{ method: "new" }])
      expect(calls.map((call) => call.archive).slice(0, 3)).toEqual([true, false, true])
    })
  )

  it.effect("include the url of the node, with a path behind it", () =>
    Effect.gen(function* () {
      const { client, transport } = raw(saying(""))
      expect(yield* client.getRpcNodeUrl()).toBe("https://archive.example")
      expect(yield* client.getRpcNodeUrl("/x")).toBe("https://archive.example/x")
      const plain = makeRawRpc(table, transport, { archive: false, batchArchive: false })
      expect(yield* Effect.flip(plain.getRpcNodeUrl())).toMatchObject({ _tag: "NoActiveNode" })
    })
  )
})

describe("batches", () => {
  const run = (node: Node, bodies: ReadonlyArray<JsonRpcRequest>, endpoints: object = table) => {
    const seen = double(node)
    const effect = makeRawRpc(endpoints, seen.transport, routing).rawBatchRpcCall(bodies)
    return { ...seen, effect }
  }
  const three = [
    { id: 1, method: "a" },
    { id: 2, method: "b" },
    { id: "x", method: "c" }
  ]
  const brief = (items: ReadonlyArray<BatchItem>) =>
    items.map(Either.match({ onLeft: ({ message }) => message, onRight: (result) => result }))

  it.effect("are one request; each body gets its own outcome, in the order of the bodies", () =>
    Effect.gen(function* () {
      const { calls, effect } = run(
        saying(
          '[{"id":"x","result":"C"},{"id":2,"error":{"code":3,"message":"no B"}},{"jsonrpc":"2.0","id":1,"result":null}]'
        ),
        three
      )
      const items = yield* effect
      expect(brief(items)).toEqual([null, "no B", "C"])
      expect(items[1]).toMatchObject({ left: { _tag: "RpcError", code: 3, method: "b" } })
      expect(calls).toHaveLength(1)
      expect(calls[0]?.label).toBe("batch of 3")
      expect(JSON.parse(String(calls[0]?.body))).toEqual(three.map((body) => ({ jsonrpc: "2.0", ...body })))
    })
  )

  it.effect("are read whatever the status, if the body is a list", () =>
    Effect.gen(function* () {
      const { effect } = run(
        saying('[{"id":1,"result":1},{"id":2,"result":2},{"id":"x","result":3}]', 500),
        three
      )
      expect(brief(yield* effect)).toEqual([1, 2, 3])
    })
  )

  it.effect("lose only the answer whose integer would lose digits", () =>
    Effect.gen(function* () {
      const { effect } = run(
        saying(
          '[{"id":2,"result":{"a":[12345678901234567890]}},{"id":"x","result":9007199254740991},{"id":1,"result":1}]'
        ),
        three
      )
      const items = yield* effect
      expect(brief(items)).toEqual([
        1,
        'b failed: the integer at $.result.a.0 is above 2^53 and would lose digits: ask for { integers: "bigint" } or { integers: "string" }',
        Number.MAX_SAFE_INTEGER
      ])
    })
  )

  it.effect.each([[], "text", null, undefined, {}, [null], [{}]])(
    "that are none are refused (%#)",
    (bodies) =>
      Effect.gen(function* () {
        // wrong on purpose: what JavaScript may pass
        const { calls, effect } = run(saying(""), bodies as unknown as ReadonlyArray<JsonRpcRequest>)
        expect(yield* Effect.flip(effect)).toMatchObject({ _tag: "InvalidArgument" })
        expect(calls).toEqual([])
      })
  )

  it.effect("with an id twice are refused", () =>
    Effect.gen(function* () {
      const { calls, effect } = run(saying(""), [
        { id: 1, method: "a" },
        { id: 1, method: "b" }
      ])
      expect(yield* Effect.flip(effect)).toMatchObject({
        _tag: "InvalidArgument",
        reason: "two bodies of the batch have the same id"
      })
      expect(calls).toEqual([])
    })
  )

  it.effect("never give a body without id one that another body has", () =>
    Effect.gen(function* () {
      // the ids that are next in the process
      const probe = double(answering({ result: 1 }))
      yield* makeRawRpc(table, probe.transport, routing).rawRpcCall({ method: "m" })
      const next = Number(JSON.parse(String(probe.calls[0]?.body)).id) + 1
      const bodies = [
        { method: "first" },
        ...Array.from({ length: 20 }, (_, i) => ({ id: next + i, method: `m${i}` })),
        { method: "last" }
      ]
      const { calls, effect } = run(saying("[]"), bodies)
      expect(yield* effect).toHaveLength(22)
      const sent: ReadonlyArray<{ readonly id: unknown }> = JSON.parse(String(calls[0]?.body))
      expect(new Set(sent.map(({ id }) => id)).size).toBe(22)
    })
  )

  const refusals: ReadonlyArray<readonly [what: string, text: string, status: number]> = [
    [
      "an error with id null",
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no batches"}}',
      200
    ],
    [
      "an error for the first id",
      '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no batches"}}',
      200
    ],
    ["an error with status 400", '{"error":{"code":-32600,"message":"no batches"}}', 400],
    ["an error with status 500", '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}', 500],
    ["HTTP 413 of a proxy", "<html>413 Request Entity Too Large</html>", 413],
    ["HTTP 413 without a body", "", 413],
    ["HTTP 413 and JSON of another kind", '{"message":"too large"}', 413],
    [
      "HTTP 413 and an error",
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"too large"}}',
      413
    ],
    ["HTTP 413 and a list", '[{"id":null,"error":{"code":-32600,"message":"too large"}}]', 413]
  ]
  it.effect.each(refusals)("refused with %s are asked one by one", ([, text, status]) =>
    Effect.gen(function* () {
      const { calls, effect } = run(
        (body) =>
          Array.isArray(body)
            ? { status, text }
            : { text: JSON.stringify({ id: idOf(body), result: `single ${idOf(body)}` }) },
        [...three, { id: 9, method: "eth_sendTransaction" }]
      )
      expect(brief(yield* effect)).toEqual(["single 1", "single 2", "single x", "single 9"])
      expect(calls.map((call) => call.label)).toEqual(["batch of 4", "a", "b", "c", "eth_sendTransaction"])
    })
  )

  it.effect("keep the node's words for each body where it could not tell whose request it was", () =>
    Effect.gen(function* () {
      const refusal = (message: string) => ({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } })
      const answered = { jsonrpc: "2.0", id: 2, result: "B" }
      for (const [list, said] of [
        [[refusal("Invalid request")], ["Invalid request", "Invalid request", "Invalid request"]],
        [["one", "two", "three"].map(refusal), ["one", "two", "three"]],
        [
          [refusal("the first"), answered],
          ["the first", "B", "the first"]
        ],
        // without an id at all
        [[{ error: { code: -32_600, message: "who?" } }], ["who?", "who?", "who?"]]
      ] as const) {
        const { calls, effect } = run(saying(JSON.stringify(list)), three)
        const items = yield* effect
        expect(brief(items)).toEqual(said)
        for (const item of items)
          if (Either.isLeft(item)) expect(item.left).toMatchObject({ _tag: "RpcError", code: -32_600 })
        // the node has spoken: nothing is asked again
        expect(calls).toHaveLength(1)
      }
    })
  )

  it.effect("asked one by one still give each body its own outcome", () =>
    Effect.gen(function* () {
      const { effect } = run((body) => {
        if (Array.isArray(body))
          return { text: '{"jsonrpc":"2.0","error":{"code":1,"message":"no batches"}}' }
        return idOf(body) === 2
          ? { status: 503, text: "down" }
          : { text: JSON.stringify({ id: idOf(body), result: 1 }) }
      }, three)
      expect(brief(yield* effect)).toEqual([1, "b failed: HTTP 503: down", 1])
    })
  )

  it.effect("answered with the one result of a body keep it, and ask for the others one by one", () =>
    Effect.gen(function* () {
      for (const endpoints of [table, bigTable]) {
        const { calls, effect } = run(
          (body) =>
            Array.isArray(body)
              ? { text: '{"jsonrpc":"2.0","id":2,"result":"B"}' }
              : { text: JSON.stringify({ id: idOf(body), result: `single ${idOf(body)}` }) },
          three,
          endpoints
        )
        expect(brief(yield* effect)).toEqual(["single 1", "B", "single x"])
        expect(calls.map((call) => call.label)).toEqual(["batch of 3", "a", "c"])
      }
    })
  )

  it.effect("answered with one result never send a write again, which the node may have done", () =>
    Effect.gen(function* () {
      const { calls, effect } = run(
        (body) =>
          Array.isArray(body)
            ? { text: '{"jsonrpc":"2.0","id":1,"result":"A"}' }
            : { text: JSON.stringify({ id: idOf(body), result: "single" }) },
        [
          { id: 1, method: "eth_sendTransaction" },
          { id: 2, method: "eth_sendTransaction" },
          { id: 3, method: "eth_chainId" }
        ]
      )
      const items = yield* effect
      expect(items.map(({ _tag }) => _tag)).toEqual(["Right", "Left", "Right"])
      expect(calls.map((call) => call.label)).toEqual(["batch of 3", "eth_chainId"])
    })
  )

  const failures: ReadonlyArray<
    readonly [what: string, node: Node, fault: Rejection["fault"], expected: object]
  > = [
    ["HTML", saying("<html></html>"), "node", { kind: "malformed" }],
    ["text", saying('"ok"'), "node", { kind: "malformed" }],
    ["null", saying("null"), "node", { kind: "malformed" }],
    ["nothing", saying(""), "node", { kind: "malformed" }],
    ["an object of another kind", saying('{"a":1}'), "node", { kind: "malformed" }],
    ["a 503 page", saying("<html></html>", 503), "node", { kind: "status", status: 503 }],
    [
      "a 504 of a gateway, in JSON",
      saying('{"error":"Gateway Timeout"}', 504),
      "node",
      { kind: "status", status: 504 }
    ],
    [
      "a 429 of JSON-RPC",
      saying('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"slow"}}', 429),
      "limited",
      { status: 429 }
    ],
    [
      "a 401 of JSON-RPC",
      saying('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"key"}}', 401),
      "unclear",
      { status: 401 }
    ],
    ["a 414", saying("too large", 414), "unclear", { _tag: "NodeError", status: 414 }]
  ]
  it.effect.each(failures)("answered with %s fail as a whole", ([, node, fault, expected]) =>
    Effect.gen(function* () {
      const { calls, effect, rejections } = run(node, three)
      expect(yield* Effect.flip(effect)).toMatchObject(expected)
      expect(rejections.map((rejection) => rejection.fault)).toEqual([fault])
      expect(calls).toHaveLength(1)
    })
  )

  /** What happens to the list of answers on its way: dropped, doubled, mixed with strangers, shuffled. */
  const mishap = FastCheck.record({
    ids: FastCheck.uniqueArray(FastCheck.oneof(FastCheck.nat(50), FastCheck.string({ maxLength: 3 })), {
      minLength: 1,
      maxLength: 12
    }),
    drop: FastCheck.array(FastCheck.nat(11), { maxLength: 4 }),
    twice: FastCheck.array(FastCheck.nat(11), { maxLength: 3 }),
    foreign: FastCheck.array(
      FastCheck.oneof(FastCheck.integer(), FastCheck.string(), FastCheck.constantFrom("1", 1, null, {}, [1])),
      {
        maxLength: 4
      }
    ),
    junk: FastCheck.subarray([5, "x", true, [], [[1]], null]),
    seed: FastCheck.nat(),
    big: FastCheck.boolean()
  })

  it.prop(
    "never give one body the answer of another: shuffled, dropped, doubled and foreign answers",
    { mishap },
    ({ mishap: { big, drop, foreign, ids, junk, seed, twice } }) => {
      const isOurs = (id: unknown): boolean => ids.some((own) => own === id)
      const dropped = new Set(drop)
      const doubled = new Set(twice)
      const answers: Array<unknown> = []
      ids.forEach((id, i) => {
        if (!dropped.has(i)) answers.push({ jsonrpc: "2.0", id, result: { of: String(id), kind: typeof id } })
        if (!dropped.has(i) && doubled.has(i))
          answers.push({ jsonrpc: "2.0", id, result: "the second answer" })
      })
      for (const id of foreign) if (!isOurs(id)) answers.push({ jsonrpc: "2.0", id, result: "foreign" })
      answers.push(...junk)
      const shuffled = answers
        .map((answer, i) => ({ answer, rank: ((i + 1) * (seed + 7) * 2_654_435_761) % 4_294_967_296 }))
        .sort((a, b) => a.rank - b.rank)
        .map(({ answer }) => answer)
      const { calls, effect } = run(
        saying(JSON.stringify(shuffled)),
        ids.map((id) => ({ id, method: `m-${id}` })),
        big ? bigTable : table
      )
      const items = Effect.runSync(effect)
      expect(calls).toHaveLength(1)
      expect(items).toHaveLength(ids.length)
      ids.forEach((id, i) => {
        const item = items[i]
        if (dropped.has(i) || doubled.has(i)) {
          expect(item).toMatchObject({
            left: { _tag: "NodeError", kind: "malformed", call: `m-${id}` }
          })
        } else expect(item).toEqual(Either.right({ of: String(id), kind: typeof id }))
      })
    },
    { fastCheck: { numRuns: runs(1_000) } }
  )
})

describe("the id of a JSON-RPC request", () => {
  const any = FastCheck.record({
    kind: FastCheck.constantFrom("method" as const, "raw" as const, "batch" as const),
    runs: FastCheck.integer({ min: 2, max: 6 }),
    isTogether: FastCheck.boolean()
  })

  it("belongs to one sending, however often and in whatever order an effect is run", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.array(any, { minLength: 1, maxLength: 6 }), async (plans) => {
        const { calls, transport } = double((body) => ({
          text: JSON.stringify(
            Array.isArray(body)
              ? body.map((each) => ({ id: idOf(each), result: 1 }))
              : { id: idOf(body), result: 1 }
          )
        }))
        const client = make(table, transport, routing)
        const raw = makeRawRpc(table, transport, routing)
        const made = {
          method: client.one(),
          raw: raw.rawRpcCall({ method: "a" }),
          batch: raw.rawBatchRpcCall([{ method: "a" }, { method: "b" }])
        }
        for (const { isTogether, kind, runs } of plans)
          await Effect.runPromise(
            Effect.replicateEffect(made[kind], runs, { concurrency: isTogether ? "unbounded" : 1 })
          )
        const ids = calls.flatMap(({ body }) => {
          const sent: unknown = JSON.parse(String(body))
          return Array.isArray(sent) ? sent.map(idOf) : [idOf(sent)]
        })
        expect(ids.length).toBe(
          plans.reduce((sum, { kind, runs }) => sum + (kind === "batch" ? 2 * runs : runs), 0)
        )
        expect(new Set(ids).size).toBe(ids.length)
      })
    ))

  it.effect("and its body are made when it is run: of what its arguments are then", () =>
    Effect.gen(function* () {
      const { calls, transport } = double(answering({ result: 1 }))
      const argument = { at: 1 }
      const call = make(table, transport, routing).one(argument)
      yield* call
      argument.at = 2
      yield* call
      expect(calls.map(({ body }) => JSON.parse(String(body)).params)).toEqual([[{ at: 1 }], [{ at: 2 }]])
    })
  )
})
