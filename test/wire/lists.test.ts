/** Lists of answers as they are on the wire: where each answer begins and ends, whose it is, and what a node says in place of one. */
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import type { Fault } from "../../src/data/Endpoint.js"
import { numberIntegers } from "../../src/data/integers.js"
import { decodeRpc } from "../../src/wire/jsonRpc.js"
import { isAboutBatch, type ListedCall, readList } from "../../src/wire/readList.js"
import { findResult, findStringEnd, splitList } from "../../src/wire/splitList.js"

const url = "https://node.example"

describe("the elements of a list", () => {
  const ids = (text: string) => splitList(text)?.map(({ id }) => id)
  const texts = (text: string) => splitList(text)?.map((element) => element.text)

  it("are what stands between its commas, whatever white space there is", () => {
    expect(texts(' \n\r\t[ {"a":[1,2]} ,\t"x,]" ,\r\n[ ]\n] \n')).toEqual(['{"a":[1,2]} ', '"x,]" ', "[ ]\n"])
    expect(texts("[1]")).toEqual(["1"])
    expect(texts("[]")).toEqual([])
    // a hole is no element: the reader of each would not find it either
    expect(texts("[1,,2]")).toEqual(["1", "2"])
  })

  it.each([
    "",
    " ",
    "1",
    "{}",
    '{"a":[1]}',
    "[1",
    '["a',
    "[1}",
    "[{]",
    "[1]]",
    "[1] x",
    "[[1]",
    "x[1]",
    "x]",
    "{1]"
  ])("are none in %s", (text) => {
    expect(splitList(text)).toBeUndefined()
  })

  it("have the id that is a member of their own, as a number or as text", () => {
    expect(ids('[{"id":1},{"a":{"id":2},"id":"3"},{"id" : \n4 ,"b":5}]')).toEqual([1, 3, 4])
    expect(ids('[{"id":1234567890123456}]')).toEqual([1_234_567_890_123_456])
    expect(ids('[{"id":"1234567890123456"}]')).toEqual([1_234_567_890_123_456])
  })

  it("keep their id whatever else is called so", () => {
    expect(ids('[{"id":1,"a":"id"},{"id":2,"a":"id","3" :0},{"id":3,"a":["id",7]}]')).toEqual([1, 2, 3])
  })

  it.each([
    '{"a":{"id":2}}',
    '{"b":["id",7]}',
    '{"id":null}',
    '{"id":1.5}',
    '{"id":-1}',
    '{"id":"1x"}',
    '{"id":"x1"}',
    '{"id":x1}',
    '{"id":12345678901234567}',
    '{"id":""}',
    '{"it":1}',
    '{"id2":1}',
    '{"x":"id","y":1}',
    '["id",1]',
    '"id"',
    "1"
  ])("have none in %s", (element) => {
    expect(ids(`[${element}]`)).toEqual([undefined])
  })

  it("do not take the id of the one before", () => {
    expect(ids('[{"id":1},{"a":2},{"id":3}]')).toEqual([1, undefined, 3])
  })

  it("are not led astray by quotes and brackets inside of texts", () => {
    expect(ids(String.raw`[{"a":"\"}]","id":1},{"b":"\\","id":2},{"c":"\\\"","id":3}]`)).toEqual([1, 2, 3])
  })
})

describe("the end of a text", () => {
  it.each([
    ['"a"', 2],
    ['""', 1],
    [String.raw`"\""`, 3],
    [String.raw`"\\"`, 3],
    [String.raw`"\\\""`, 5],
    ['"a', -1],
    [String.raw`"a\"`, -1]
  ])("of %s is at %i", (text, end) => {
    expect(findStringEnd(text, 0)).toBe(end)
  })
})

describe("the result of an answer, as it was written", () => {
  it.each([
    ['{"id":1,"result": {"b":[1,{"c":"}"}] } ,"x":2}', '{"b":[1,{"c":"}"}] }'],
    ['{"result":"0x1"}', '"0x1"'],
    ['{"result": 7 }', "7"],
    ['{ "result" : [1,2] , "id":3}', "[1,2]"],
    ['{"a":{"result":1},"result":2}', "2"],
    ['{"a":[{"result":1}],"result":"result"}', '"result"'],
    ['{"x":"result","result":[]}', "[]"],
    ['{"result":{"result":1},"id":2}', '{"result":1}'],
    ['{"result":"a","result":"b"}', '"a"']
  ])("of %s is %s", (text, result) => {
    expect(findResult(text)).toBe(result)
  })

  it.each(['{"id":1}', '{"a":{"result":1}}', '{"result":1', '{"results":1}', '["result",1]', "", '{"result'])(
    "of %s is none",
    (text) => {
      expect(findResult(text)).toBeUndefined()
    }
  )
})

/** Whose fault a code is, at the node of these tests. */
const faults: Readonly<Record<number, Fault>> = { [-32005]: "node", 3: "caller", 4: "elsewhere", 429: "node" }

const item = (id: number): ListedCall => ({
  id,
  call: {
    label: "echo",
    repeat: "read",
    archive: false,
    gateway: false,
    verb: "POST",
    path: "",
    body: "",
    decode: (reply) =>
      decodeRpc(reply, {
        method: "echo",
        id,
        parse: numberIntegers.parse,
        numbers: [],
        decode: undefined,
        dialect: { classify: ({ code }) => faults[code] ?? "unclear" }
      })
  }
})

const ten = Array.from({ length: 10 }, (_, i) => item(i + 1))

const read = (text: string, status = 200, items: ReadonlyArray<ListedCall> = ten) => {
  const outcome = readList({ status, text, url }, "list", items)
  if (Either.isLeft(outcome)) return outcome.left
  expect(["answered", "refused"]).toContain(outcome.right._tag)
  return outcome.right._tag === "answered"
    ? outcome.right.answers.map(
        (answer) => answer && Either.match(answer, { onLeft: ({ error }) => error._tag, onRight: String })
      )
    : outcome.right.size
}

const said = (code: number, message: unknown, more: object = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message }, ...more })
const refusal = (id: number, code: number, message: string) =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })
const good = (id: number) => JSON.stringify({ jsonrpc: "2.0", id, result: `of ${id}` })

describe("a list of answers", () => {
  const two = [item(1), item(2)]

  it("gives each request its own, by its id", () => {
    expect(read(`[${good(2)},${good(1)}]`, 200, two)).toEqual(["of 1", "of 2"])
    expect(read(`[${good(2)},${good(9)}]`, 200, two)).toEqual([undefined, "of 2"])
  })

  it("gives nobody what was answered twice in other words", () => {
    expect(read(`[${good(1)},${good(1)},${good(2)}]`, 200, two)).toEqual(["of 1", "of 2"])
    expect(read(`[${good(1)},${good(1).replace("of", "not of")},${good(2)}]`, 200, two)).toEqual([
      undefined,
      "of 2"
    ])
  })

  it("gives nobody what was answered three times, and not always in the same words", () => {
    const other = good(1).replace("of", "not of")
    for (const answers of [
      [good(1), other, good(1)],
      [good(1), good(1), other],
      [good(1), other, good(1).replace("of", "nor of")]
    ])
      expect(read(`[${answers.join()},${good(2)}]`, 200, two)).toEqual([undefined, "of 2"])
  })

  it("tells each request its own error, where another one was answered or is at fault", () => {
    expect(read(`[${good(1)},${refusal(2, -32005, "limit")}]`, 200, two)).toEqual(["of 1", "RpcError"])
    expect(read(`[${refusal(1, 3, "reverted")},${refusal(2, -32005, "limit")}]`, 200, two)).toEqual([
      "RpcError",
      "RpcError"
    ])
    expect(read(`[${refusal(1, 4, "pruned")},${refusal(2, 4, "pruned")}]`, 200, two)).toEqual([
      "RpcError",
      "RpcError"
    ])
  })

  it("is the node's failure where every answer speaks of the node, or some do and no caller is at fault", () => {
    expect(read(`[${refusal(1, 4, "pruned")},${refusal(2, -32005, "limit")}]`, 200, two)).toMatchObject({
      fault: "declined",
      error: { _tag: "RpcError", code: -32005 }
    })
    expect(read(`[${refusal(1, 4, "pruned")},${refusal(2, 429, "limit")}]`, 200, two)).toMatchObject({
      fault: "limited",
      error: { _tag: "RpcError", code: 429 }
    })
    const broken = JSON.stringify({ jsonrpc: "2.0", id: 2 })
    expect(read(`[${refusal(1, 4, "pruned")},${broken}]`, 200, two)).toMatchObject({
      fault: "node",
      error: { _tag: "NodeError", kind: "malformed" }
    })
  })

  it("was refused where its answers speak of the list, or say nothing but that they are no requests", () => {
    const big = refusal(1, -32000, "response size too large")
    expect(read(`[${big}]`)).toBe(5)
    expect(read(`[${refusal(1, 4, "pruned")},${refusal(2, -32000, "batch limit is 3")}]`)).toBe(3)
    expect(read(`[${refusal(1, -32600, "invalid")},${refusal(2, -32600, "invalid")}]`, 200, two)).toBe(1)
    expect(read(`[${refusal(1, -32600, "invalid")},${refusal(2, 4, "pruned")}]`, 200, two)).toEqual([
      "RpcError",
      "RpcError"
    ])
    // one that was answered tells that the list was read
    expect(read(`[${good(1)},${refusal(2, -32000, "response too big")}]`, 200, two)).toEqual([
      "of 1",
      "RpcError"
    ])
  })

  it("with an error that is no request's is about the list", () => {
    expect(read(`[${said(-32600, "batch of max 4")}]`)).toBe(4)
    expect(read(`[${said(-32005, "too many requests")}]`)).toMatchObject({ fault: "declined" })
  })

  it("that answers nothing is the node's failure, as its status says or as malformed", () => {
    for (const text of ["[]", `[${good(77)}]`, "[1]", "[x]"]) {
      expect(read(text)).toMatchObject({
        fault: "node",
        error: { kind: "malformed", reason: "a list that answers none of its requests" }
      })
      expect(read(text, 503)).toMatchObject({ fault: "node", error: { kind: "status", status: 503 } })
    }
  })
})

describe("an object in place of a list", () => {
  it.each([
    ["says that there are too many", said(-32600, "too many requests in the list"), 5],
    ["names its limit", said(-32600, "limit is 3"), 3],
    ["names the larger limit of several", said(-32600, "limit: 7 per list, 2 per second"), 7],
    ["names no limit that is one", said(-32600, "limit exceeded: 0 of 10 in 99"), 5],
    ["says nothing of sizes", said(-32600, "no lists, not even of 3"), 1],
    ["speaks of the batch under another code", said(-32000, "Batch size exceeds 6"), 6],
    ["is a result", JSON.stringify({ jsonrpc: "2.0", id: 1, result: 1 }), 1],
    ["is a result of nobody", JSON.stringify({ jsonrpc: "2.0", result: 1 }), 1],
    ["is neither a result nor an error", JSON.stringify({ jsonrpc: "2.0" }), 1],
    ["has a code that is nobody's fault", said(4, "pruned"), 1],
    ["is an error without words", said(4, 7), 1],
    ["answers one of the requests", said(-32005, "limited", { id: 1 }), 1],
    ["is a text for an error", JSON.stringify({ error: "batch too large" }), 5]
  ])("refuses the list where it %s", (_, text, size) => {
    expect(read(text)).toBe(size)
  })

  it("never takes fewer than one", () => {
    expect(read(said(-32600, "too large"), 200, [item(1)])).toBe(1)
    expect(read(said(-32600, "too large"), 200, ten.slice(0, 3))).toBe(1)
  })

  it("is the node's failure where it says that the node serves nobody now", () => {
    expect(read(said(-32005, "limited"))).toMatchObject({ fault: "declined", error: { code: -32005 } })
    expect(read(said(-32005, "limited"), 500)).toMatchObject({ fault: "declined", error: { code: -32005 } })
    expect(read(said(429, "limited"))).toMatchObject({ fault: "limited", error: { code: 429 } })
    expect(read(said(4, "pruned"), 429)).toMatchObject({
      fault: "limited",
      error: { kind: "status", status: 429 }
    })
    expect(read(said(4, "pay"), 402)).toMatchObject({ fault: "unclear", error: { status: 402 } })
  })

  it("that is none of the protocol's is judged by its status", () => {
    expect(read('{"error":"no","ok":false}', 500)).toMatchObject({ fault: "node", error: { kind: "status" } })
    expect(read('{"error":"no"}', 499)).toBe(1)
    expect(read('{"ok":false}')).toMatchObject({
      fault: "node",
      error: { kind: "malformed", reason: "neither a list of answers nor an error" }
    })
    expect(read("null", 404)).toMatchObject({ fault: "unclear", error: { kind: "status", status: 404 } })
    expect(read("7")).toMatchObject({ fault: "node", error: { kind: "malformed" } })
  })

  it("that is no JSON is the node's failure, or with HTTP 400 its refusal of lists", () => {
    expect(read("oh", 400)).toBe(1)
    expect(read("oh")).toMatchObject({ fault: "node", error: { kind: "malformed" } })
    expect(read("oh", 502)).toMatchObject({ fault: "node", error: { kind: "status", status: 502 } })
  })
})

describe("words about the list", () => {
  it.each([
    "batch limit",
    "no Batch",
    "response too large",
    "Response is too big",
    "response size too large"
  ])("are %s", (message) => {
    expect(isAboutBatch(message)).toBe(true)
  })
  it.each(["microbatch", "too large", "responses", "a response that is large"])("are not %s", (message) => {
    expect(isAboutBatch(message)).toBe(false)
  })
})
