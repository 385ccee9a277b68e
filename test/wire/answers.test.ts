/** Answers as they are read from the wire: whose they are, what they say, and whose fault it is where they say nothing. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { type Dialect, Refused, type Repeat } from "../../src/data/Endpoint.js"
import { numberIntegers } from "../../src/data/integers.js"
import { bigintIntegers } from "../../src/wire/bigintIntegers.js"
import {
  decodeRest,
  decodeRpc,
  hasError,
  isErrorStatus,
  type JsonRpcRequest,
  makeInternalRead,
  nextId,
  readReply,
  sendBatch
} from "../../src/wire/jsonRpc.js"
import type { Call, Rejection } from "../../src/wire/Transport.js"

const url = "https://node.example"

const told = (read: Either.Either<unknown, Rejection>) =>
  Either.match(read, {
    onRight: (value) => ({ value }),
    onLeft: ({ error, fault }) => ({ fault, ...error, message: error.message })
  })

interface Asked {
  readonly status?: number
  readonly id?: string | number
  readonly dialect?: Dialect
  readonly decode?: (value: unknown) => unknown
  readonly big?: boolean
  readonly numbers?: ReadonlyArray<string>
}

/** What becomes of an answer to the request with the id 7. */
const read = (answer: unknown, asked: Asked = {}) => {
  const { status = 200, id = 7, dialect = {}, decode, big = false, numbers = [] } = asked
  const text = typeof answer === "string" ? answer : JSON.stringify(answer)
  const { parse } = big ? bigintIntegers : numberIntegers
  return told(decodeRpc({ status, text, url }, { method: "m", id, parse, numbers, decode, dialect }))
}

const malformed = (reason: string, status = 200) => ({
  fault: "node",
  _tag: "NodeError",
  kind: "malformed",
  call: "m",
  status,
  reason
})
const failed = (fault: string, status: number, reason: string) => ({
  fault,
  _tag: "NodeError",
  kind: "status",
  status,
  reason
})

describe("ids of requests", () => {
  it("are each the next one", () => {
    const first = nextId()
    expect(first).toBeGreaterThan(0)
    expect([nextId(), nextId()]).toEqual([first + 1, first + 2])
  })
})

describe("statuses", () => {
  it("from 200 to 299 are those of success", () => {
    expect([199, 200, 204, 299, 300, 404].map(isErrorStatus)).toEqual([true, false, false, false, true, true])
  })
})

describe("a member that says no", () => {
  it.each([
    [{ error: {} }, true],
    [{ error: "no" }, true],
    [{ error: "no", result: 1 }, true],
    [{ error: "" }, true],
    [{ error: "", result: 1 }, false],
    [{ error: null }, false],
    [{ error: [] }, false],
    [{ error: 1 }, false],
    [{ result: 1 }, false],
    [{}, false]
  ])("of %o: %s", (json, says) => {
    expect(hasError(json)).toBe(says)
  })
})

describe("an answer", () => {
  it("is its result, whatever else it says, and whatever its status", () => {
    for (const result of [null, false, 0, "", [], { a: 1 }])
      for (const more of [{}, { error: null }, { error: "" }, { jsonrpc: "2.0" }])
        expect(read({ id: 7, result, ...more })).toEqual({ value: result })
    expect(read({ id: 7, result: 1 }, { status: 404 })).toEqual({ value: 1 })
  })

  it("is ours by its id, as a number of any kind or the text that it was", () => {
    expect(read({ id: "a", result: 1 }, { id: "a" })).toEqual({ value: 1 })
    expect(read({ id: 7, result: 1 }, { big: true })).toEqual({ value: 1n })
    for (const [id, name] of [
      [8, "8"],
      ["7", '"7"'],
      [null, "null"],
      [undefined, "none"]
    ]) {
      const another = malformed(`the answer to another request (id ${name})`)
      expect(read({ id, result: 1 })).toMatchObject(another)
      expect(read({ id, result: 1 }, { big: true })).toMatchObject(another)
    }
    expect(read({ id: 7, result: 1 }, { id: "7", big: true })).toMatchObject(
      malformed("the answer to another request (id 7)")
    )
    // which is no integer, and can be compared with one all the same
    expect(read({ id: 7, result: 1 }, { id: 7.5 })).toMatchObject(
      malformed("the answer to another request (id 7)")
    )
  })

  it("is ours without an id, or with its text, where nodes of a family answer so", () => {
    expect(read({ result: 1 }, { dialect: { anonymous: true } })).toEqual({ value: 1 })
    expect(read({ id: "7", result: 1 }, { dialect: { textIds: true } })).toEqual({ value: 1 })
    expect(read({ id: 8, result: 1 }, { dialect: { anonymous: true } })).toMatchObject({ kind: "malformed" })
    expect(read({ id: "8", result: 1 }, { dialect: { textIds: true } })).toMatchObject({ kind: "malformed" })
  })

  it("that is an error without an id is ours, unless its status says more", () => {
    const error = { code: -32602, message: "no" }
    for (const id of [null, undefined])
      expect(read({ id, error })).toMatchObject({ _tag: "RpcError", fault: "caller" })
    expect(read({ id: null, error }, { status: 404 })).toMatchObject({ _tag: "RpcError", fault: "caller" })
    expect(read({ id: 8, error })).toMatchObject({ kind: "malformed" })
    for (const [status, fault] of [
      [500, "node"],
      [429, "limited"],
      [408, "limited"],
      [401, "unclear"],
      [403, "unclear"]
    ] as const)
      expect(read({ id: null, error }, { status })).toMatchObject(
        failed(fault, status, `HTTP ${status}: {"id":null,"error":{"code":-32602,"message":"no"}}`)
      )
  })

  it("is none with neither result nor error", () => {
    expect(read({ id: 7 })).toMatchObject(malformed("an answer with neither result nor error"))
    expect(read({})).toMatchObject(malformed("an object that is no JSON-RPC answer"))
    expect(read({ ok: true })).toMatchObject(malformed("an object that is no JSON-RPC answer"))
    expect(read({ error: null })).toMatchObject(malformed("the answer to another request (id none)"))
    expect(read({ id: 7 }, { status: 502 })).toMatchObject({ fault: "node", kind: "status" })
  })

  it.each([
    ["[1]", "an array for a single call"],
    ["null", "null"],
    ["7", "a bare number"],
    ['"a"', "a bare string"],
    ["true", "a bare boolean"]
  ])("is none where it is %s", (text, what) => {
    for (const big of [false, true])
      expect(read(text, { big })).toMatchObject(malformed(`${what} in place of a JSON-RPC answer`))
    expect(read(text, { status: 404 })).toMatchObject({ fault: "unclear", kind: "status", status: 404 })
  })

  it("that is no JSON says what it is", () => {
    expect(read(" ")).toMatchObject(malformed("an empty body"))
    expect(read(" <html><title>Gone</title></html>")).toMatchObject(malformed("an HTML page: Gone"))
    const { reason } = read("oh") as { readonly reason: string }
    expect(reason).toMatch(/^a body that is not valid JSON \(.+\)$/)
  })

  it.each([
    [500, "node", "oh", "HTTP 500: oh"],
    [499, "unclear", "oh", "HTTP 499: oh"],
    [404, "unclear", "", "HTTP 404 with an empty body"],
    [408, "limited", "oh", "HTTP 408: oh"],
    [429, "limited", '{"message":"slow down"}', "HTTP 429: slow down"],
    [402, "unclear", '{"message":["pay","now"]}', "HTTP 402: pay; now"],
    [503, "node", "HTTP 503, says the proxy", "HTTP 503, says the proxy"]
  ])("of HTTP %i and none of the protocol's is the fault of: %s", (status, fault, text, reason) => {
    expect(read(text, { status })).toMatchObject(failed(fault, status, reason))
  })

  it("with an integer that would lose digits is nobody's fault but ours", () => {
    expect(read('{"id":7,"result":9007199254740993}')).toMatchObject({
      fault: "caller",
      kind: "malformed",
      status: 200,
      reason: expect.stringContaining("$.result is above 2^53")
    })
    expect(read('{"id":7,"result":9007199254740993}', { big: true })).toEqual({
      value: 9_007_199_254_740_993n
    })
    expect(read('{"id":7,"result":{"a":5}}', { big: true, numbers: ["**.a"] })).toEqual({ value: { a: 5 } })
  })
})

describe("an error of the protocol", () => {
  const said = (error: unknown, asked?: Asked) => read({ id: 7, error }, asked)

  it.each([
    [-32602, "caller"],
    [-32601, "elsewhere"],
    [-32600, "unclear"],
    [-32000, "unclear"],
    [3, "unclear"]
  ])("with the code %i is the fault of: %s", (code, fault) => {
    expect(said({ code, message: "no", data: "0x" })).toMatchObject({
      _tag: "RpcError",
      fault,
      method: "m",
      code,
      rpcMessage: "no",
      data: "0x",
      url
    })
  })

  it("is the fault of whom the family says", () => {
    const seen: Array<unknown> = []
    const classify: Dialect["classify"] = (error) => {
      seen.push(error)
      return "elsewhere"
    }
    expect(said({ code: 3, message: "no", data: 1 }, { dialect: { classify } })).toMatchObject({
      fault: "elsewhere"
    })
    expect(seen).toEqual([{ code: 3, message: "no", data: 1 }])
  })

  it("that a family calls the node's is a limit by its code, and by its words nothing that harms a node", () => {
    const dialect: Dialect = { classify: () => "node", limits: [-32005] }
    for (const code of [429, -32429, -16429, -32005])
      expect(said({ code, message: "no" }, { dialect })).toMatchObject({ fault: "limited", code })
    for (const code of [-32000, -32603, 0, 3, 503])
      for (const message of ["rate limit: too many requests, try again", "", "busy"])
        for (const status of [200, 400, 500, 503])
          expect(said({ code, message }, { dialect, status })).toMatchObject({ fault: "declined", code })
    // a code that another family has for that
    expect(said({ code: -32005, message: "no" }, { dialect: { classify: () => "node" } })).toMatchObject({
      fault: "declined"
    })
    // and where the family says that it is the request's, the code says nothing
    expect(said({ code: 429, message: "no" }, { dialect: { classify: () => "caller" } })).toMatchObject({
      fault: "caller"
    })
  })

  it.each([
    [400, "caller"],
    [401, "unclear"],
    [402, "unclear"],
    [403, "unclear"],
    [404, "caller"],
    [408, "limited"],
    [429, "limited"],
    [500, "caller"]
  ])("with HTTP %i, and the words of a caller's, is the fault of: %s", (status, fault) => {
    expect(said({ code: -32602, message: "no" }, { status })).toMatchObject({ _tag: "RpcError", fault })
  })

  it.each([
    [3, 3],
    ["3", 3],
    ["-32000", -32_000],
    [1.5, 0],
    ["1.5", 0],
    ["x", 0],
    ["", 0],
    [" ", 0],
    [null, 0],
    [undefined, 0],
    [true, 0],
    [[3], 0],
    [{ toString: 1 }, 0]
  ])("has its code where that is a whole number: %o", (code, number) => {
    expect(said({ code, message: "no" })).toMatchObject({ code: number })
    if (code === 3) expect(said({ code, message: "no" }, { big: true })).toMatchObject({ code: 3 })
  })

  it("says what there is to say", () => {
    expect(said("no")).toMatchObject({ code: 0, rpcMessage: "no" })
    expect(Object.hasOwn(said("no"), "data")).toBe(false)
    expect(said({ code: 3 })).toMatchObject({ rpcMessage: '{"code":3}' })
    expect(said({ code: 3, message: "" })).toMatchObject({ rpcMessage: '{"code":3,"message":""}' })
    expect(said({ code: 3, message: { a: 1 } })).toMatchObject({ rpcMessage: '{"code":3,"message":{"a":1}}' })
  })

  it("may be a result in which the chain says no", () => {
    const refusal: Dialect["refusal"] = (answer) =>
      answer === "no"
        ? { message: "it says no" }
        : answer === "never"
          ? { code: 9, message: "never" }
          : undefined
    const result = (value: string, dialect: Dialect = { refusal }) =>
      read({ id: 7, result: value }, { dialect })
    expect(result("yes")).toEqual({ value: "yes" })
    expect(result("no")).toMatchObject({
      _tag: "RpcError",
      fault: "caller",
      method: "m",
      code: 0,
      rpcMessage: "it says no",
      data: "no"
    })
    const classify: Dialect["classify"] = ({ code, message }) =>
      code === 9 && message === "never" ? "elsewhere" : "node"
    expect(result("never", { refusal, classify })).toMatchObject({ fault: "elsewhere", code: 9 })
    expect(result("no", { refusal, classify })).toMatchObject({ fault: "declined" })
  })
})

describe("a result that the endpoint reads", () => {
  it("is what it makes of it, or the node's failure, or what it refuses", () => {
    const result = { id: 7, result: "0x2a" }
    expect(read(result, { decode: (value) => BigInt(String(value)) })).toEqual({ value: 42n })
    const broken = () => {
      throw new Error("not hexadecimal")
    }
    expect(read(result, { decode: broken })).toMatchObject(
      malformed("a result that cannot be read (not hexadecimal)")
    )
    const refusing = () => {
      throw new Refused("it is too deep")
    }
    expect(read(result, { decode: refusing })).toMatchObject({
      _tag: "InvalidArgument",
      fault: "caller",
      call: "m",
      reason: "it is too deep"
    })
  })

  it("never breaks a call, and never tells a secret of the client", () => {
    const reply = { status: 200, text: "", url, hide: (text: string) => text.replace("KEY", "…") }
    const decode = (): never => {
      throw new Error("KEY is wrong")
    }
    expect(told(readReply({ label: "m", decode }, reply))).toMatchObject(
      malformed("an answer that cannot be read (… is wrong)")
    )
    expect(told(readReply({ label: "m", decode: () => Either.right(5) }, reply))).toEqual({ value: 5 })
  })
})

describe("a read of the SDK's own", () => {
  it("is one call as nodes know it, of which the answer is as it was said", () => {
    const { decode, ...call } = makeInternalRead(7, "m", [1, "a"])
    expect(call).toEqual({
      label: "m",
      repeat: "read",
      archive: false,
      gateway: false,
      verb: "POST",
      path: "",
      body: '{"jsonrpc":"2.0","id":7,"method":"m","params":[1,"a"]}'
    })
    const reply = (text: string) => ({ status: 200, text, url })
    expect(told(decode(reply('{"id":7,"result":5}')))).toEqual({ value: 5 })
    expect(told(decode(reply('{"result":5}')))).toMatchObject({ kind: "malformed" })
    const anonymous = makeInternalRead(7, "m", [], { anonymous: true })
    expect(told(anonymous.decode(reply('{"result":5}')))).toEqual({ value: 5 })
  })
})

describe("the answer of a REST route", () => {
  type Reading = Parameters<typeof decodeRest>[1]
  const reading: Reading = {
    label: "GET /x",
    parse: numberIntegers.parse,
    numbers: [],
    decode: undefined,
    noContent: false,
    text: false,
    classify: undefined,
    refusal: undefined,
    failure: undefined
  }
  const rest = (text: string, more: Partial<Reading> = {}, status = 200) =>
    told(decodeRest({ status, text, url }, { ...reading, ...more }))

  it("is its JSON, its text, or nothing, as the endpoint has it", () => {
    expect(rest('{"a":1}')).toEqual({ value: { a: 1 } })
    expect(rest("[1]", { parse: bigintIntegers.parse })).toEqual({ value: [1n] })
    expect(rest('{"a":1,"b":2}', { parse: bigintIntegers.parse, numbers: ["a"] })).toEqual({
      value: { a: 1, b: 2n }
    })
    expect(rest("oh", { text: true })).toEqual({ value: "oh" })
    expect(rest("oh", { text: true, decode: (text) => `${text}!` })).toEqual({ value: "oh!" })
    expect(rest("5", { decode: Number })).toEqual({ value: 5 })
    expect(rest("oh", { noContent: true })).toEqual({ value: undefined })
  })

  it("is malformed where it cannot be read", () => {
    expect(rest("oh")).toMatchObject({ fault: "node", kind: "malformed", call: "GET /x" })
    const broken = () => {
      throw new Error("no")
    }
    expect(rest("5", { decode: broken })).toMatchObject({ fault: "node", kind: "malformed", call: "GET /x" })
  })

  it("with a failed status is the fault of whom its family says, by its body", () => {
    const seen: Array<unknown> = []
    const failure: Reading["failure"] = (answer, status, text) => {
      seen.push([answer, status, text])
      return status === 404
        ? { fault: "elsewhere", messages: ["pruned", "gone"] }
        : status === 418
          ? { fault: "node", messages: ["syncing", "wait"] }
          : undefined
    }
    expect(rest('{"a":1}', { failure }, 404)).toMatchObject({
      _tag: "RequestRejected",
      fault: "elsewhere",
      call: "GET /x",
      status: 404,
      messages: ["pruned", "gone"],
      body: '{"a":1}',
      url
    })
    expect(rest("oh", { failure }, 418)).toMatchObject(failed("declined", 418, "HTTP 418: syncing; wait"))
    expect(rest("oh", { failure }, 400)).toMatchObject(failed("unclear", 400, "HTTP 400: oh"))
    expect(rest("oh", {}, 503)).toMatchObject(failed("node", 503, "HTTP 503: oh"))
    expect(rest("oh", { noContent: true }, 300)).toMatchObject({ kind: "status" })
    expect(seen).toEqual([
      [{ a: 1 }, 404, '{"a":1}'],
      [undefined, 418, "oh"],
      [undefined, 400, "oh"]
    ])
  })

  it("may be a success in which the chain says no", () => {
    const refusal: Reading["refusal"] = (answer) =>
      answer === 1 ? { message: "no" } : answer === 2 ? { code: 9, message: "never" } : undefined
    expect(rest("3", { refusal })).toEqual({ value: 3 })
    expect(rest("1", { refusal })).toMatchObject({
      _tag: "RequestRejected",
      fault: "caller",
      call: "GET /x",
      status: 200,
      messages: ["no"],
      body: "1"
    })
    const classify: Reading["classify"] = ({ code, message }) =>
      code === 9 && message === "never" ? "elsewhere" : code === 0 ? "node" : "unclear"
    expect(rest("2", { refusal, classify })).toMatchObject({ fault: "elsewhere" })
    expect(rest("1", { refusal, classify })).toMatchObject({ fault: "declined" })
    expect(rest("1", { refusal, classify, limits: [0] })).toMatchObject({ fault: "limited" })
  })
})

describe("a batch", () => {
  type Identified = JsonRpcRequest & { readonly id: string | number }
  const a: Identified = { id: 1, method: "a" }
  const b: Identified = { id: 2, method: "b" }

  interface Node {
    readonly status?: number
    readonly listed?: ReadonlyArray<Identified>
    readonly big?: boolean
    readonly repeat?: Repeat
    readonly isRepeated?: boolean
    readonly accepted?: Call<unknown>["accepted"]
    readonly dialect?: Dialect
  }

  interface Outcome {
    readonly items?: ReadonlyArray<unknown>
    readonly error?: unknown
    readonly alone: ReadonlyArray<string>
  }

  /** What each request gets, or the failure of the whole; `alone` is what was sent one by one. */
  const sent = async (text: string, node: Node = {}): Promise<Outcome> => {
    const { status = 200, listed = [a, b], big = false, repeat = "read", accepted, dialect = {} } = node
    const alone: Array<string> = []
    const { parse } = big ? bigintIntegers : numberIntegers
    const made = sendBatch([a, b], listed, {
      parse,
      dialect,
      repeatOf: () => repeat,
      acceptedOf: () => accepted,
      sendOne: ({ method }) =>
        Effect.suspend(() => {
          alone.push(method)
          return Effect.succeed(`${method} alone`)
        }),
      send: (decode, repeated) =>
        Effect.suspend(() => {
          if (listed.length === 0) throw new Error("there is nothing to send")
          if (node.isRepeated === true) repeated()
          return Either.match(decode({ status, text, url }), {
            onLeft: ({ error }) => Effect.fail(error),
            onRight: Effect.succeed
          })
        })
    })
    const read = await Effect.runPromise(Effect.either(made))
    return Either.match(read, {
      onLeft: (error): Outcome => ({ error, alone }),
      onRight: (items): Outcome => ({
        items: items.map((item) => Either.match(item, { onLeft: String, onRight: (value) => value })),
        alone
      })
    })
  }
  const good = (id: unknown, result: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result })

  it("gives each request its own answer, by its id alone", async () => {
    for (const big of [false, true])
      expect(await sent(`[${good(2, "B")},${good(1, "A")}]`, { big })).toEqual({
        items: ["A", "B"],
        alone: []
      })
    expect(await sent(`[${good(2, 2)},${good(1, 1)}]`, { big: true })).toEqual({ items: [1n, 2n], alone: [] })
  })

  it("tells a request what is wrong with its answer, and no other one", async () => {
    const missing = await sent(`[${good(1, "A")},7,null,${good(99, "X")}]`)
    expect(missing.items?.[0]).toBe("A")
    expect(missing.items?.[1]).toContain("b failed: the batch has no answer to it")
    const text = await sent(`[${good(1, "A")},${good("2", "B")}]`)
    expect(text.items?.[1]).toContain("b failed: the batch has no answer to it")
    const twice = await sent(`[${good(1, "A")},${good(2, "B")},${good(2, "B")},${good(2, "B")}]`)
    expect(twice.items?.[1]).toContain("b failed: the batch has two answers to it")
    const no = await sent(`[${good(1, "A")},{"id":2,"error":{"code":3,"message":"reverted"}}]`)
    expect(no.items?.[1]).toContain("reverted")
    expect([missing.alone, twice.alone, no.alone]).toEqual([[], [], []])
  })

  const plain = {
    parse: numberIntegers.parse,
    dialect: {},
    repeatOf: () => "read" as const,
    acceptedOf: () => undefined
  }

  it("fails the request by the node, whose answer to it is malformed", async () => {
    const one = await Effect.runPromise(
      sendBatch([a], [a], {
        ...plain,
        sendOne: () => Effect.die("it was answered"),
        send: (decode) =>
          Either.match(decode({ status: 200, text: "[]", url }), {
            onLeft: ({ error }) => Effect.fail(error),
            onRight: Effect.succeed
          })
      })
    )
    expect(one.map(Either.flip)).toMatchObject([
      { right: { _tag: "NodeError", kind: "malformed", call: "a" } }
    ])
  })

  it("asks one by one, but eight at the same time", async () => {
    const requests = Array.from({ length: 12 }, (_, id): Identified => ({ id, method: "a" }))
    let [now, most] = [0, 0]
    const all = await Effect.runPromise(
      sendBatch(requests, [], {
        ...plain,
        sendOne: ({ id }) =>
          Effect.promise(async () => {
            most = Math.max(most, ++now)
            await new Promise((resolve) => setImmediate(resolve))
            now--
            return id
          }),
        send: () => Effect.die("there is nothing to send")
      })
    )
    expect(all.map((item) => Either.getOrThrow(item))).toEqual(requests.map(({ id }) => id))
    expect(most).toBe(8)
    // one that is in no list is not taken for one that has been answered
    expect(
      await Effect.runPromise(
        sendBatch([a], [], {
          ...plain,
          sendOne: () => Effect.succeed("alone"),
          send: () => Effect.die("there is nothing to send")
        })
      )
    ).toEqual([Either.right("alone")])
  })

  it("tells a request that its integer would lose digits, where the others can be read", async () => {
    const one = await sent(`[${good(1, "A")},{"id":2,"result":9007199254740993}]`)
    expect(one.items?.[0]).toBe("A")
    expect(one.items?.[1]).toContain("$.result is above 2^53")
    const big = await sent(`[${good(1, "A")},{"id":2,"result":9007199254740993}]`, { big: true })
    expect(big.items).toEqual(["A", 9_007_199_254_740_993n])
    // one answer in the place of the list
    expect((await sent('{"jsonrpc":"2.0","id":1,"result":9007199254740993}')).error).toMatchObject({
      kind: "malformed",
      reason: expect.stringContaining("$.result is above 2^53")
    })
    // what is no list of answers besides is no JSON at all
    expect((await sent(`[{"id":2,"result":9007199254740993},oh]`)).error).toMatchObject({ kind: "malformed" })
  })

  it("is asked one by one by whom a node refuses it", async () => {
    const alone = { items: ["a alone", "b alone"], alone: ["a", "b"] }
    for (const error of ["no batches", { code: -32600, message: "no" }]) {
      expect(await sent(JSON.stringify({ jsonrpc: "2.0", id: null, error }))).toEqual(alone)
      expect(await sent(JSON.stringify({ error }), { status: 499 })).toEqual(alone)
      // also where writes were in it, since nothing has been done
      expect(await sent(JSON.stringify({ error }), { repeat: "write" })).toEqual(alone)
    }
    expect(await sent("oh", { status: 400 })).toEqual(alone)
    // what is too large was not read, whatever the page says
    expect(await sent("<html>", { status: 413 })).toEqual(alone)
    expect(await sent("<html>", { status: 413, repeat: "write" })).toEqual(alone)
    expect(await sent("", { listed: [] })).toEqual(alone)
  })

  it("gives a request without an answer the error that names nobody, each its own where there is one for each", async () => {
    const nameless = (message: string, more: object = {}) =>
      JSON.stringify({ jsonrpc: "2.0", error: { code: -32700, message }, ...more })
    const each = await sent(`[${nameless("first", { id: null })},${nameless("second")}]`)
    expect(each.items?.map(String)).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("second")
    ])
    const one = await sent(`[${nameless("broken")}]`)
    expect(one.items?.map(String)).toEqual([
      expect.stringContaining("broken"),
      expect.stringContaining("broken")
    ])
    // an error of somebody else's, and what is no error, say nothing of it
    const other = await sent(`[${good(1, "A")},${nameless("not yours", { id: 9 })},${good(null, "X")}]`)
    expect(other.items?.[1]).toContain("b failed: the batch has no answer to it")
    expect(each.alone.concat(one.alone, other.alone)).toEqual([])
  })

  it("that was answered with one result is read for that request, and sent again where nothing is done twice", async () => {
    expect(await sent(good(1, "A"))).toEqual({ items: ["A", "b alone"], alone: ["b"] })
    expect(await sent(good(2, "B"), { repeat: "broadcast" })).toEqual({
      items: ["a alone", "B"],
      alone: ["a"]
    })
    const write = await sent(good(1, "A"), { repeat: "write" })
    expect(write.alone).toEqual([])
    expect(write.items?.[0]).toBe("A")
    expect(write.items?.[1]).toContain(
      "b failed: one answer in place of a list; the node may have done this all the same"
    )
  })

  it("is the node's failure where its answer is none of the protocol's", async () => {
    expect((await sent('{"error":"no"}', { status: 500 })).error).toMatchObject({
      kind: "status",
      status: 500
    })
    expect((await sent(good(1, "A"), { status: 429 })).error).toMatchObject({ kind: "status", status: 429 })
    expect((await sent("{}")).error).toMatchObject({
      kind: "malformed",
      call: "batch of 2",
      reason: "neither a list of answers nor an error"
    })
    expect((await sent("7", { status: 404 })).error).toMatchObject({ kind: "status", status: 404 })
    expect((await sent("oh")).error).toMatchObject({ kind: "malformed", call: "batch of 2" })
    expect((await sent("oh", { status: 502 })).error).toMatchObject({ kind: "status", status: 502 })
  })

  it("has some of its requests in a list, and the others one by one, in their order", async () => {
    expect(await sent(`[${good(2, "B")}]`, { listed: [b] })).toEqual({
      items: ["a alone", "B"],
      alone: ["a"]
    })
  })

  it("that was sent again takes a refusal for a success where it stands for one", async () => {
    const known = `[${good(1, "A")},{"id":2,"error":{"code":-32000,"message":"already known"}}]`
    const accepted = { known: /already known/, result: async (said: string) => `hash, ${said}` }
    expect((await sent(known, { accepted, isRepeated: true })).items).toEqual(["A", "hash, already known"])
    expect((await sent(known, { accepted })).items?.[1]).toContain("RpcError")
    expect((await sent(known, { isRepeated: true })).items?.[1]).toContain("RpcError")
    // nobody can tell what it is
    const result = () => Promise.reject(new Error("no hash"))
    expect((await sent(known, { accepted: { ...accepted, result }, isRepeated: true })).items?.[1]).toContain(
      "RpcError"
    )
    // what is no refusal stands for nothing
    expect(
      (await sent(`[${good(1, "A")}]`, { accepted: { ...accepted, known: /./ }, isRepeated: true }))
        .items?.[1]
    ).toMatch(/^NodeError.*the batch has no answer to it/)
  })
})
