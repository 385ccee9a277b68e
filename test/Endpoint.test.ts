// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Endpoint from "../src/data/Endpoint.js"
import { make } from "../src/transport/Client.js"
import { bigintIntegers } from "../src/wire/bigintIntegers.js"
import { recase } from "../src/wire/casing.js"
import { parseRoute } from "../src/wire/route.js"
import type { Call, TransportService } from "../src/wire/Transport.js"
import { runs } from "./properties.js"

const { del, dialectOf, dual, get, group, post, put, rpc, specOf } = Endpoint

interface Recording {
  readonly transport: TransportService
  readonly calls: Array<Call<unknown>>
}

/** Records every call and answers `{}`, or the JSON-RPC result null. A call that a test does not read fails it. */
const record = (): Recording => {
  const calls: Array<Call<unknown>> = []
  return {
    calls,
    transport: {
      send: (call) =>
        Effect.suspend(() => {
          calls.push(call)
          const id: unknown = typeof call.body === "string" ? JSON.parse(call.body).id : undefined
          const text = id === undefined ? "{}" : JSON.stringify({ jsonrpc: "2.0", id, result: null })
          return Either.match(call.decode({ status: 200, text, url: "https://node.example" }), {
            onLeft: (rejection) => Effect.fail(rejection.error),
            onRight: Effect.succeed
          })
        }),
      nodeUrl: () => Effect.die("no test asks for a url")
    }
  }
}

const routing = { archive: true, batchArchive: true }

/** The one call that a client's function makes. */
const sent = <G extends object>(
  table: G,
  use: (client: ReturnType<typeof make<G>>) => Effect.Effect<unknown, unknown>
): Effect.Effect<Call<unknown>> =>
  Effect.gen(function* () {
    const { calls, transport } = record()
    yield* Effect.orDie(
      Effect.mapError(use(make(table, transport, routing)), (error) => new Error(String(error)))
    )
    expect(calls).toHaveLength(1)
    return yield* Effect.fromNullable(calls[0])
  }).pipe(Effect.orDie)

/** What a client's function fails with before anything is sent. */
const refused = <G extends object, E>(
  table: G,
  use: (client: ReturnType<typeof make<G>>) => Effect.Effect<unknown, E>
): Effect.Effect<E> =>
  Effect.gen(function* () {
    const { calls, transport } = record()
    const error = yield* Effect.flip(use(make(table, transport, routing)))
    expect(calls).toEqual([])
    return error
  }).pipe(Effect.orDie)

const bodyOf = (call: Call<unknown>): unknown => JSON.parse(String(call.body))

const paramsOf = (call: Call<unknown>): unknown => JSON.parse(String(call.body)).params

describe("a route", () => {
  it.effect("takes the names of its template from the input, encoded", () =>
    Effect.gen(function* () {
      const table = { balance: get("/v2/accounts/{address}/assets/{id}") }
      const call = yield* sent(table, (client) => client.balance({ address: "a/b?c#d é", id: 7n }))
      expect(call.path).toBe("/v2/accounts/a%2Fb%3Fc%23d%20%C3%A9/assets/7")
      expect(call.body).toBeUndefined()
      expect([call.verb, call.label]).toEqual(["GET", "GET /v2/accounts/{address}/assets/{id}"])
    })
  )

  it.effect("takes zero for a name", () =>
    Effect.gen(function* () {
      const call = yield* sent({ block: get("/blocks/{round}") }, (client) => client.block({ round: 0 }))
      expect(call.path).toBe("/blocks/0")
    })
  )

  it.effect.each([undefined, null, "", ".", ".."])(
    "refuses %j for a name: it would ask for another route",
    (id) =>
      Effect.gen(function* () {
        // wrong on purpose: what JavaScript may pass
        const input = { id } as { readonly id: string }
        const error = yield* refused({ one: get("/things/{id}/parts") }, (client) => client.one(input))
        expect(error).toMatchObject({ _tag: "InvalidArgument", call: "GET /things/{id}/parts" })
        expect(error.message).toContain("id")
      })
  )

  it.effect.each([null, 5, "text", [1]])("refuses %j in place of the input", (input) =>
    Effect.gen(function* () {
      // wrong on purpose: what JavaScript may pass
      const wrong = input as unknown as { readonly id: string }
      expect(yield* refused({ one: get("/things/{id}") }, (client) => client.one(wrong))).toMatchObject({
        _tag: "InvalidArgument"
      })
      const optional = { one: get("/things").query<{ readonly id?: string }>() }
      expect(yield* refused(optional, (client) => client.one(wrong))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )

  it.prop(
    "keeps every other name inside its segment",
    { id: FastCheck.fullUnicodeString({ minLength: 1 }).filter((id) => id !== "." && id !== "..") },
    ({ id }) => {
      const url = new URL(`https://node.example${parseRoute("/things/{id}/parts").build({ id })}`)
      const [, first, second, third, ...rest] = url.pathname.split("/")
      expect([first, decodeURIComponent(second ?? ""), third, rest]).toEqual(["things", id, "parts", []])
      expect([url.search, url.hash, url.host]).toEqual(["", "", "node.example"])
    },
    { fastCheck: { numRuns: runs(500) } }
  )

  it.effect("puts the rest of a GET and of a DELETE into the query: empty ones stay out, lists repeat", () =>
    Effect.gen(function* () {
      interface Query {
        readonly limit?: number
        readonly status: ReadonlyArray<string>
        readonly none?: string | undefined
        readonly empty: string
        readonly zero: number
        readonly no: boolean
      }
      const input = {
        id: "1",
        limit: 5,
        status: ["a b", "c&d"],
        none: undefined,
        empty: "",
        zero: 0,
        no: false
      }
      const query = "?limit=5&status=a+b&status=c%26d&zero=0&no=false"
      for (const table of [{ it: get("/x/{id}").query<Query>() }, { it: del("/x/{id}").query<Query>() }]) {
        const call = yield* sent(table, (client) => client.it(input))
        expect([call.path, call.body]).toEqual([`/x/1${query}`, undefined])
      }
    })
  )

  it.effect("puts the rest of a POST and of a PUT into the body, but for the names in {?…}", () =>
    Effect.gen(function* () {
      const input = { id: "1", format: "json", round: 3, txn: { a: [1] }, big: 2n }
      for (const table of [
        { it: post("/x/{id}{?format,round}").query<object>().body<object>() },
        { it: put("/x/{id}{?format,round}").query<object>().body<object>() }
      ]) {
        const call = yield* sent(table, (client) => client.it(input))
        expect(call.path).toBe("/x/1?format=json&round=3")
        expect(bodyOf(call)).toEqual({ txn: { a: [1] }, big: "0x2" })
      }
    })
  )

  it.effect("may be called without input when nothing is required", () =>
    Effect.gen(function* () {
      const call = yield* sent({ it: get("/status").query<{ readonly a?: number }>() }, (client) =>
        client.it()
      )
      expect(call.path).toBe("/status")
    })
  )

  it.effect("has the prefix of its group before it", () =>
    Effect.gen(function* () {
      const table = group({ prefix: "/v1/chain" }, { info: get("/get_info") })
      expect((yield* sent(table, (client) => client.info())).path).toBe("/v1/chain/get_info")
    })
  )

  it.effect("whose input cannot be sent is refused", () =>
    Effect.gen(function* () {
      const circular: Record<string, unknown> = {}
      circular.self = circular
      const table = { it: post("/x").body<object>(), of: get("/x/{id}") }
      expect(yield* refused(table, (client) => client.it(circular))).toMatchObject({
        _tag: "InvalidArgument"
      })
      // half of a surrogate pair has no encoding
      expect(yield* refused(table, (client) => client.of({ id: "\ud800" }))).toMatchObject({
        _tag: "InvalidArgument"
      })
    })
  )
})

describe("names on the wire", () => {
  it.each([
    ["blockFrom", "block_from", "block-from"],
    ["minBlockFromTip", "min_block_from_tip", "min-block-from-tip"],
    ["cpHeight2", "cp_height2", "cp-height2"],
    ["already_snake", "already_snake", "already_snake"],
    ["already-dash", "already-dash", "already-dash"],
    ["Permission_id", "Permission_id", "Permission_id"],
    ["TxID", "tx_i_d", "tx-i-d"],
    ["plain", "plain", "plain"],
    ["", "", ""]
  ])("%s is %s in snake case, %s in dash case, and itself in camel case", (name, snake, dash) => {
    expect([recase(name, "snake"), recase(name, "dash"), recase(name, "camel")]).toEqual([snake, dash, name])
  })

  it.effect("follow the case of the group, in query and body on their own", () =>
    Effect.gen(function* () {
      const table = group(
        { query: "dash", body: "snake" },
        { it: post("/x/{blockId}{?waitFor}").query<object>().body<object>() }
      )
      const input = {
        blockId: "aB",
        waitFor: "theEnd",
        rawTxn: { innerName: "keepCase", list: [{ deepName: 1 }] }
      }
      const call = yield* sent(table, (client) => client.it(input))
      expect(call.path).toBe("/x/aB?wait-for=theEnd")
      expect(bodyOf(call)).toEqual({ raw_txn: { inner_name: "keepCase", list: [{ deep_name: 1 }] } })
    })
  )

  it.effect("are never those of the user under verbatim()", () =>
    Effect.gen(function* () {
      const data = {
        actionData: { fromAccount: "a", to_account: "b", "memo-Field": { deepKey: [{ anyKey: 1 }] } }
      }
      const table = group({ body: "snake" }, { it: post("/x").body<object>().verbatim() })
      expect(bodyOf(yield* sent(table, (client) => client.it(data)))).toEqual(data)
    })
  )

  it.effect("are never those of the user inside fields that are kept", () =>
    Effect.gen(function* () {
      const table = group({ body: "snake" }, { it: post("/x").body<object>().keep("actionData") })
      const input = {
        pushNow: 1,
        actionData: { fromAccount: "a" },
        outerField: { actionData: { deepKey: 1 } }
      }
      expect(bodyOf(yield* sent(table, (client) => client.it(input)))).toEqual({
        push_now: 1,
        action_data: { fromAccount: "a" },
        outer_field: { action_data: { deepKey: 1 } }
      })
    })
  )

  it.effect("may be any, also one that objects have of themselves", () =>
    Effect.gen(function* () {
      const table = group({ body: "snake" }, { it: post("/x").body<object>() })
      const data: object = JSON.parse('{ "__proto__": 1, "constructor": 2 }')
      expect((yield* sent(table, (client) => client.it(data))).body).toBe('{"__proto__":1,"constructor":2}')
    })
  )

  it.prop(
    "under verbatim() are sent as they are, whatever they are",
    { data: FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue({ maxDepth: 2 })) },
    ({ data }) =>
      Effect.gen(function* () {
        const table = group({ body: "snake" }, { it: post("/x").body<object>().verbatim() })
        const call = yield* sent(table, (client) => client.it(data))
        expect(bodyOf(call)).toEqual(JSON.parse(JSON.stringify(data)))
      }).pipe(Effect.runSync)
  )
})

describe("the parameters of a JSON-RPC method", () => {
  const table = {
    three: rpc<[a?: unknown, b?: unknown, c?: unknown], unknown>("three"),
    encoded: rpc<[a: number], unknown>("encoded").params((a) => ({ value: a * 2 }))
  }

  it.effect("are the arguments, without those left out at the end", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [ReadonlyArray<unknown>, ReadonlyArray<unknown>]> = [
        [[], []],
        [
          [1, 2, 3],
          [1, 2, 3]
        ],
        [[1, undefined, undefined], [1]],
        [[1, null, undefined], [1]],
        [[undefined, undefined, undefined], []],
        [
          [undefined, 2, undefined],
          [null, 2]
        ],
        [
          [1, undefined, 3],
          [1, null, 3]
        ],
        [
          [0, false, ""],
          [0, false, ""]
        ],
        [
          [[], {}, [undefined]],
          [[], {}, [null]]
        ]
      ]
      for (const [[a, b, c], params] of cases) {
        expect(paramsOf(yield* sent(table, (client) => client.three(a, b, c)))).toEqual(params)
      }
      expect(paramsOf(yield* sent(table, (client) => client.three()))).toEqual([])
    })
  )

  it.effect("trim and fill in the same way among bigint integers, where numbers of JSON stay numbers", () =>
    Effect.gen(function* () {
      const big = group({ integers: bigintIntegers }, table)
      const call = yield* sent(big, (client) => client.three(2n ** 64n, undefined, 5))
      expect(call.body).toContain('"params":[18446744073709551616,null,5]')
      const trimmed = yield* sent(big, (client) => client.three(1n, undefined))
      expect(trimmed.body).toContain('"params":[1]')
    })
  )

  it.effect("are what params() makes of the arguments", () =>
    Effect.gen(function* () {
      expect(paramsOf(yield* sent(table, (client) => client.encoded(2)))).toEqual({ value: 4 })
    })
  )

  it.effect("are one object in a named dialect, and a list of one object in a wrapped one", () =>
    Effect.gen(function* () {
      const natural = { it: rpc<[input?: object], unknown>("it") }
      const input = { blockIdentifier: { heightValue: 1 } }
      const snake = { block_identifier: { height_value: 1 } }
      const named = group({ parameters: "named" }, natural)
      const wrapped = group({ parameters: "wrapped", names: "snake" }, natural)
      expect(paramsOf(yield* sent(named, (client) => client.it(input)))).toEqual(input)
      expect(paramsOf(yield* sent(named, (client) => client.it()))).toEqual({})
      expect(paramsOf(yield* sent(wrapped, (client) => client.it(input)))).toEqual([snake])
      expect(paramsOf(yield* sent(wrapped, (client) => client.it()))).toEqual([{}])
      const own = { it: rpc<[a: number], unknown>("it").params((a) => ({ someName: a })) }
      expect(paramsOf(yield* sent(group({ parameters: "wrapped" }, own), (client) => client.it(1)))).toEqual([
        { someName: 1 }
      ])
    })
  )

  it.effect("that an encoder refuses never leave", () =>
    Effect.gen(function* () {
      const strict = {
        it: rpc<[a: number], unknown>("it").params((a) => {
          if (a < 0) throw new Error("a must not be negative")
          return [a]
        })
      }
      expect(yield* refused(strict, (client) => client.it(-1))).toMatchObject({
        _tag: "InvalidArgument",
        call: "it",
        reason: "a must not be negative"
      })
    })
  )

  it.effect("that cannot be serialised never leave", () =>
    Effect.gen(function* () {
      const circular: Array<unknown> = []
      circular.push(circular)
      const hostile = {
        toJSON() {
          throw Object.create(null)
        }
      }
      for (const value of [circular, hostile, -1n]) {
        expect(yield* refused(table, (client) => client.three(value))).toMatchObject({
          _tag: "InvalidArgument"
        })
      }
    })
  )
})

describe("where and how a call is sent", () => {
  const table = group(
    { archive: (method, params) => method === "old" && Array.isArray(params) && params[0] === 1 },
    {
      old: rpc<[at: number], unknown>("old"),
      always: rpc<[], unknown>("always").archive(),
      sometimes: rpc<[at: number], unknown>("sometimes").archive((at) => at > 5),
      never: rpc<[at: number], unknown>("old").archive(() => false)
    }
  )

  it.effect("an archive node is asked when the endpoint or, without its own rule, the group says so", () =>
    Effect.gen(function* () {
      const archive = (use: Parameters<typeof sent<typeof table>>[1]) =>
        Effect.map(sent(table, use), (call) => call.archive)
      expect(yield* archive((client) => client.old(1))).toBe(true)
      expect(yield* archive((client) => client.old(2))).toBe(false)
      expect(yield* archive((client) => client.always())).toBe(true)
      expect(yield* archive((client) => client.sometimes(5))).toBe(false)
      expect(yield* archive((client) => client.sometimes(6))).toBe(true)
      expect(yield* archive((client) => client.never(1))).toBe(false)
    })
  )

  it.effect("no archive node is asked on a network without them", () =>
    Effect.gen(function* () {
      const { calls, transport } = record()
      const client = make(table, transport, { archive: false, batchArchive: false })
      yield* client.old(1)
      yield* client.always()
      expect(calls.map((call) => call.archive)).toEqual([false, false])
    })
  )

  it.effect("reads, writes and broadcasts are told apart in the data and in the call", () =>
    Effect.gen(function* () {
      const mixed = {
        read: rpc<[], unknown>("a"),
        write: rpc<[], unknown>("b").write(),
        broadcast: rpc<[], unknown>("c").broadcast(),
        get: get("/a"),
        put: put("/b").write(),
        push: post("/c").broadcast()
      }
      expect(Object.values(mixed).map((endpoint) => specOf(endpoint)?.repeat)).toEqual([
        "read",
        "write",
        "broadcast",
        "read",
        "write",
        "broadcast"
      ])
      const { calls, transport } = record()
      const client = make(mixed, transport, routing)
      yield* client.read()
      yield* client.write()
      yield* client.broadcast()
      yield* client.get()
      yield* client.put()
      yield* client.push()
      expect(calls.map((call) => call.repeat)).toEqual([
        "read",
        "write",
        "broadcast",
        "read",
        "write",
        "broadcast"
      ])
    })
  )

  it.effect("the gateway is asked when the endpoint or its group says so", () =>
    Effect.gen(function* () {
      const { calls, transport } = record()
      const one = { a: rpc<[], unknown>("a").gateway(), b: rpc<[], unknown>("b"), c: get("/c").gateway() }
      const client = make({ one, all: group({ gateway: true }, one) }, transport, routing)
      yield* client.one.a()
      yield* client.one.b()
      yield* client.one.c()
      yield* client.all.b()
      expect(calls.map((call) => call.gateway)).toEqual([true, false, true, true])
    })
  )

  it.effect("the last argument chooses the native name of a dual method, and is not sent", () =>
    Effect.gen(function* () {
      const getBalance = rpc<[address: string, block?: string], unknown>("eth_getBalance")
      const both = {
        balance: dual<[address: string, block?: string, native?: boolean], unknown, "read">(getBalance, {
          argument: 2,
          prefix: "klay_"
        })
      }
      const asked = (native?: boolean) =>
        Effect.map(
          sent(both, (client) => client.balance("0x1", "latest", native)),
          (call) => [call.label, bodyOf(call)]
        )
      const body = (method: string) => [
        method,
        expect.objectContaining({ method, params: ["0x1", "latest"], jsonrpc: "2.0" })
      ]
      expect(yield* asked()).toEqual(body("eth_getBalance"))
      expect(yield* asked(false)).toEqual(body("eth_getBalance"))
      expect(yield* asked(true)).toEqual(body("klay_getBalance"))
    })
  )
})

describe("a table", () => {
  it("is data: builders leave what they are built on as it was", () => {
    const base = rpc<[], unknown>("m")
    const changed = base.archive().write().numbers(["a.b"]).decode(String).gateway()
    expect(specOf(base)).toEqual({ kind: "rpc", method: "m", repeat: "read" })
    expect(specOf(changed)).toMatchObject({ archive: true, repeat: "write", numbers: ["a.b"], gateway: true })
    const path = get("/a/{b}")
    path.query<object>().noContent()
    expect(specOf(path)).toEqual({ kind: "rest", verb: "GET", template: "/a/{b}", repeat: "read" })
  })

  it("hides its dialect from those who list its members", () => {
    const table = group({ query: "dash" }, { a: get("/a") })
    expect(Object.keys(table)).toEqual(["a"])
    expect(dialectOf(table)).toEqual({ query: "dash" })
    expect(dialectOf({})).toEqual({})
    expect(specOf(table)).toBeUndefined()
  })

  it.effect("nests, and an inner group overrides the outer one field by field", () =>
    Effect.gen(function* () {
      const { calls, transport } = record()
      const table = group(
        { prefix: "/outer", query: "snake" },
        {
          a: get("/a").query<object>(),
          inner: group(
            { query: "dash" },
            {
              b: get("/b").query<object>(),
              deep: group({ prefix: "/deep" }, { c: get("/c").query<object>() })
            }
          )
        }
      )
      const client = make(table, transport, routing)
      const input = { someName: 1 }
      yield* client.a(input)
      yield* client.inner.b(input)
      yield* client.inner.deep.c(input)
      expect(calls.map((call) => call.path)).toEqual([
        "/outer/a?some_name=1",
        "/outer/b?some-name=1",
        "/deep/c?some-name=1"
      ])
    })
  )

  it.effect("merged with another keeps the dialect of each endpoint", () =>
    Effect.gen(function* () {
      const { calls, transport } = record()
      const table = Endpoint.merge(
        group({ prefix: "/one", query: "snake" }, { a: get("/a").query<object>() }),
        group({ prefix: "/two", query: "dash" }, { b: get("/b").query<object>() })
      )
      const client = make(table, transport, routing)
      yield* client.a({ someName: 1 })
      yield* client.b({ someName: 1 })
      expect(calls.map((call) => call.path)).toEqual(["/one/a?some_name=1", "/two/b?some-name=1"])
      expect(dialectOf(table)).toEqual({ prefix: "/one", query: "snake" })
    })
  )

  it.effect("gives every call an id of its own", () =>
    Effect.gen(function* () {
      const { calls, transport } = record()
      const client = make({ a: rpc<[], unknown>("a") }, transport, routing)
      for (let i = 0; i < 100; i++) yield* client.a()
      const ids = calls.map((call) => JSON.parse(String(call.body)).id)
      expect(new Set(ids).size).toBe(100)
    })
  )
})
