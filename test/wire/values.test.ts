/** Values on the wire: which integers are numbers, whose names have which case, and which refusal of a broadcast is its success. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import { describe, expect, it } from "vitest"
import { NodeError } from "../../src/data/SdkError.js"
import { findAcceptedValue, makeAccepted } from "../../src/wire/accepted.js"
import { bigintIntegers } from "../../src/wire/bigintIntegers.js"
import { recase, recaseDeep } from "../../src/wire/casing.js"
import { integersToText, parseIntegersAsText, parseLossless } from "../../src/wire/lossless.js"
import { CallOptions, optionsKey, outcomeOf, Tracing } from "../../src/wire/Transport.js"

describe("integers that are bigint, except where the endpoint lists them", () => {
  const read = (json: unknown, ...paths: ReadonlyArray<string>) =>
    bigintIntegers.parse(JSON.stringify(json), paths)

  it.each<readonly [string, unknown, unknown]>([
    ["a", { a: 1, b: { a: 2 }, c: null }, { a: 1, b: { a: 2n }, c: null }],
    ["b.a", { a: 1, b: { a: 2 }, c: { b: { a: 3 } } }, { a: 1n, b: { a: 2 }, c: { b: { a: 3n } } }],
    ["**.a", { a: 1, b: [{ a: 2, c: 3 }] }, { a: 1, b: [{ a: 2, c: 3n }] }],
    ["**.a", { a: { a: 1, b: 2 } }, { a: { a: 1, b: 2n } }],
    ["**.a", { a: 1, b: "text", c: true }, { a: 1, b: "text", c: true }],
    ["**.b.a", { a: 1, c: { b: { a: 2 } } }, { a: 1n, c: { b: { a: 2 } } }],
    ["**.*.a", { a: 1, b: { a: 2 } }, { a: 1n, b: { a: 2 } }],
    ["*", { a: 1, b: { a: 2 } }, { a: 1, b: { a: 2n } }],
    ["b.*", { a: 1, b: { a: 2 } }, { a: 1n, b: { a: 2 } }],
    ["*.a", { a: 1, b: { a: 2 }, c: { b: 3 } }, { a: 1n, b: { a: 2 }, c: { b: 3n } }],
    ["c.[]", { c: [1, 2], d: { 0: 3 } }, { c: [1, 2], d: { 0: 3n } }],
    ["c.[].a", { c: [{ a: 1 }, { b: 2 }], a: 3 }, { c: [{ a: 1 }, { b: 2n }], a: 3n }],
    ["c.[].a", { c: { 0: { a: 1 } } }, { c: { 0: { a: 1n } } }],
    ["**.[]", { x: { 0: 1 }, y: [2] }, { x: { 0: 1n }, y: [2] }],
    ["a", 7, 7n],
    ["a", [7], [7n]]
  ])("at %s, and nowhere else", (path, json, found) => {
    expect(read(json, path)).toEqual(found)
  })

  it("at any of several paths with one name at their end", () => {
    expect(read({ x: { a: 1 }, y: { a: 2 }, z: { a: 3 } }, "x.a", "y.a")).toEqual({
      x: { a: 1 },
      y: { a: 2 },
      z: { a: 3n }
    })
  })

  it("are bigint in the user's own data, whatever its names", () => {
    const json = { a: 1, data: { a: 2 }, list: [{ data: { a: 3 }, a: 4 }] }
    expect(read(json, "**.a", "!**.data")).toEqual({
      a: 1,
      data: { a: 2n },
      list: [{ data: { a: 3n }, a: 4 }]
    })
    expect(read(json, "**.a", "!data")).toEqual({
      a: 1,
      data: { a: 2n },
      list: [{ data: { a: 3 }, a: 4 }]
    })
    // what is left alone is not listed by that
    expect(read({ data: 1 }, "!data")).toEqual({ data: 1n })
  })

  it("are all bigint without a list", () => {
    expect(read({ a: 1, b: [2.5, "3", true, null] })).toEqual({ a: 1n, b: [2.5, "3", true, null] })
  })

  it("are never rounded: who lists one that a number cannot hold is told where it is", () => {
    const text = '{"id":9007199254740993,"result":[{"a":9007199254740993}]}'
    expect(() => bigintIntegers.parse(text, ["**.a"])).toThrow("$.result.0.a")
    expect(() => bigintIntegers.parse(text, ["**.a"], "result")).toThrow("$.result.0.a")
    // outside of what is the answer's it harms nobody
    expect(bigintIntegers.parse(text, ["id"], "result")).toMatchObject({ id: 9_007_199_254_740_993n })
    expect(() => bigintIntegers.parse(text, ["id"])).toThrow("$.id")
  })

  it("are written as JSON has them", () => {
    expect(bigintIntegers.stringify({ a: 2n ** 64n, b: [1] })).toBe('{"a":18446744073709551616,"b":[1]}')
    expect(bigintIntegers.stringify(undefined)).toBe("null")
  })
})

describe("integers as texts", () => {
  it("are those of results, at any depth, and never the ids of requests", () => {
    const one = { jsonrpc: "2.0", id: 1n, result: { a: 2n ** 64n, b: [3n, 0.5, null] } }
    const told = { jsonrpc: "2.0", id: 1n, result: { a: "18446744073709551616", b: ["3", 0.5, null] } }
    expect(integersToText(one)).toEqual(told)
    expect(integersToText([one, one])).toEqual([told, told])
    expect(integersToText(parseLossless('{"result":5}'))).toEqual({ result: "5" })
  })

  it("are none in an answer that is no object", () => {
    expect(integersToText(null)).toBe(null)
    expect(integersToText("a")).toBe("a")
  })
})

describe("JSON without a loss", () => {
  it.each([
    ["[1, -2 ,3.0,4e1,-0.5E-1]", [1n, -2n, 3, 40, -0.05]],
    [String.raw`{"a\"1":"2\\","b":3}`, { 'a"1': "2\\", b: 3n }],
    ['{"12":[true,false,null,"-1"]}', { 12: [true, false, null, "-1"] }],
    ["7", 7n],
    ['"7"', "7"],
    ["", undefined],
    ["01", undefined],
    ["+1", undefined],
    ["1.", undefined],
    [".5", undefined],
    ["1e", undefined],
    ["1-2", undefined],
    ["--1", undefined],
    ['"1', undefined],
    ['[1,"2]', undefined]
  ])("of %s is what it says, or nothing", (text, value) => {
    if (value === undefined) expect(() => parseLossless(text)).toThrow(SyntaxError)
    else expect(parseLossless(text)).toEqual(value)
  })

  it.each([
    ["0.1", 0.1],
    ["-12.50", -12.5],
    // 2^52 - 1 without its point, and 2^52, from which on a double has neighbours in the last digit
    ["45035996.27370495", 45_035_996.27370495],
    ["45035996.27370496", "45035996.27370496"],
    ["-45035996.27370496", "-45035996.27370496"],
    ["1.2345678901234567e3", 1.2345678901234567e3],
    ["1234567890.12345678E1", Number("12345678901.2345678")]
  ])("has the number %s as %s where integers are text", (digits, value) => {
    expect(parseIntegersAsText(`{"value":${digits},"count":7}`)).toEqual({ value, count: "7" })
  })
})

describe("names on the wire", () => {
  it.each([
    ["blockFrom", "block_from", "block-from"],
    ["TxID", "tx_i_d", "tx-i-d"],
    ["Permission_id", "Permission_id", "Permission_id"],
    ["plain", "plain", "plain"]
  ])("%s is %s or %s, and itself in camel case", (name, snake, dash) => {
    expect([recase(name, "snake"), recase(name, "dash"), recase(name, "camel")]).toEqual([snake, dash, name])
    expect(recase(name, "dot")).toBe(dash.replaceAll("-", "."))
  })

  const value = {
    aB: [{ cD: 1 }, null, "eF"],
    keptOne: { iJ: 2 },
    in: { keptTwo: { kL: 3 }, mN: 4 },
    keptTwo: { oP: 5 }
  }

  it("are changed at any depth, but not in what is kept: by name, or by name in its parent", () => {
    expect(recaseDeep(value, "snake", ["keptOne", "in.keptTwo"])).toEqual({
      a_b: [{ c_d: 1 }, null, "eF"],
      kept_one: { iJ: 2 },
      in: { kept_two: { kL: 3 }, m_n: 4 },
      kept_two: { o_p: 5 }
    })
    expect(recaseDeep({ in: [{ keptTwo: { kL: 3 } }] }, "dash", ["in.keptTwo"])).toEqual({
      in: [{ "kept-two": { kL: 3 } }]
    })
  })

  it("are as they were in camel case, and so are bytes", () => {
    expect(recaseDeep(value, "camel", [])).toBe(value)
    const bytes = Uint8Array.of(1, 2)
    expect(recaseDeep({ rawTx: bytes }, "snake", [])).toEqual({ raw_tx: bytes })
    expect(recaseDeep(bytes, "snake", [])).toBe(bytes)
    expect(recaseDeep(null, "snake", [])).toBe(null)
    expect(recaseDeep("aB", "snake", [])).toBe("aB")
  })
})

describe("a refusal of a broadcast that an earlier attempt has delivered", () => {
  const result = async (params: ReadonlyArray<unknown>, said: string) => `${params.join()} ${said}`
  const ambiguous = { known: /nonce too low/, by: "find" }
  const refusal = new NodeError({ kind: "network", call: "find", url: "https://node.example", reason: "r" })

  const asked = (said: string, find?: Parameters<typeof makeAccepted>[2], params: unknown = ["tx"]) => {
    const effect = findAcceptedValue(
      makeAccepted({ known: /already known/, ambiguous, result }, params, find),
      said
    )
    return effect && Effect.runPromise(Effect.either(effect))
  }

  it("is its success by the words of nodes, made of its parameters and these words", async () => {
    expect(await asked("already known: 1")).toMatchObject({ _tag: "Right", right: "tx already known: 1" })
    expect(await asked("already known", undefined, { of: "a route" })).toMatchObject({
      right: " already known"
    })
  })

  it("is no success by other words", () => {
    expect(asked("out of gas")).toBeUndefined()
    expect(asked("out of gas", () => () => Effect.succeed(1))).toBeUndefined()
    expect(findAcceptedValue(undefined, "already known")).toBeUndefined()
    expect(
      findAcceptedValue(
        makeAccepted({ known: /already known/, result }, [], () => () => Effect.succeed(1)),
        "nonce too low"
      )
    ).toBeUndefined()
  })

  it("is perhaps one by words that others may have caused: where the chain has it, and nowhere else", async () => {
    const looked: Array<unknown> = []
    const finding = (found: unknown) => (method: string) => (id: unknown) =>
      Effect.sync(() => {
        looked.push([method, id])
        return found
      })
    expect(await asked("nonce too low", finding({}))).toMatchObject({ right: "tx nonce too low" })
    expect(looked).toEqual([["find", "tx nonce too low"]])
    expect(await asked("nonce too low", finding(null))).toMatchObject({ _tag: "Left" })
    expect(await asked("nonce too low", () => () => Effect.fail(refusal))).toMatchObject({ left: refusal })
    // nobody can be asked
    expect(asked("nonce too low")).toBeUndefined()
  })
})

describe("the options of calls that share a request", () => {
  it.each([
    { timeout: 5 },
    { attemptTimeout: 5 },
    { node: "https://node.example" },
    { minBlock: 5n },
    { archive: "strict" as const }
  ])("are a key of theirs: %o", (options) => {
    const [[name, value] = []] = Object.entries(options)
    expect(optionsKey(options)).toBe(`${name}=${value} `)
    expect(optionsKey({ ...options, batch: true })).toBe(optionsKey(options))
  })

  it("are none where they say only how calls share", () => {
    expect(optionsKey({})).toBe("")
    expect(optionsKey({ coalesce: true, batch: { size: 2 }, quorum: { nodes: 2, agree: 2 } })).toBe("")
  })

  it("differ where any of them differs", () => {
    const keys = [{ timeout: 5 }, { timeout: 6 }, { attemptTimeout: 5 }, { timeout: 5, attemptTimeout: 5 }]
    expect(new Set(keys.map(optionsKey)).size).toBe(4)
  })

  it("are none by default, and there are no spans", async () => {
    expect(await Effect.runPromise(Effect.all([CallOptions, Tracing]))).toEqual([{}, undefined])
  })
})

describe("the outcome of a call in metrics and spans", () => {
  it.each<readonly [string, Exit.Exit<unknown, unknown>]>([
    ["ok", Exit.succeed(1)],
    ["NodeError", Exit.fail({ _tag: "NodeError" })],
    ["undefined", Exit.fail(undefined)],
    ["interrupted", Exit.interrupt(FiberId.none)],
    ["defect", Exit.die(new Error("oh"))],
    ["defect", Exit.failCause(Cause.parallel(Cause.interrupt(FiberId.none), Cause.die(new Error("oh"))))]
  ])("is %s", (outcome, exit) => {
    expect(outcomeOf(exit)).toBe(outcome)
  })
})
