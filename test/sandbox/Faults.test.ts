import { request as send } from "node:http"
import { resolve } from "node:path"
import { gzipSync } from "node:zlib"
import { describe, expect, it, layer } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { build } from "esbuild"
import * as fc from "fast-check"
import { privateKeyToAccount } from "viem/accounts"
import * as Faults from "../../src/sandbox/Faults.js"
import type { Handler, HandlerRequest, HandlerResponse } from "../../src/sandbox/Handler.js"
import { forwardRequest, jsonResponse, listen, parseBody } from "../../src/sandbox/Loopback.js"
import * as NodeProxy from "../../src/sandbox/NodeProxy.js"
import * as Anvil from "../../src/sandbox/nodes/Anvil.js"

const ID = "ethereum-mainnet"
const NODE = `${ID}/normal-1`
const LIMIT = 300_000
/** The first account of the mnemonic "test test … junk", which is public knowledge. */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
const SENDER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const RECEIVER = "0x00000000000000000000000000000000000000aa"

const found = Effect.runSync(Effect.either(Anvil.binary))
const available = Either.isRight(found)
if (!available && process.env.CI !== "true") console.log("left out: faults on anvil (no anvil binary)")
if (!available && process.env.CI === "true") it.effect("has an anvil binary in CI", () => found)

describe("patterns of rules", () => {
  it("fit what an expression with .* for each star fits", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "/", "\n"), maxLength: 8 })
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 6 })
    fc.assert(
      fc.property(pattern, text, (pattern, text) => {
        const expected = new RegExp(`^${pattern.replace(/\*+/g, ".*")}$`, "s").test(text)
        expect(Faults.makeMatcher(pattern)(text)).toBe(expected)
      }),
      { numRuns: 2_000 }
    )
  })

  it("are plain text but for stars", () => {
    expect(Faults.makeMatcher("/v1.0/(a|b)+/*")("/v1.0/(a|b)+/x")).toBe(true)
    expect(Faults.makeMatcher("/v1.0/*")("/v1x0/x")).toBe(false)
  })

  it("read a text once, however many stars they have", () => {
    // by all the ways to share it among the stars this would never end
    expect(Faults.makeMatcher("*a".repeat(200))(`${"a".repeat(100_000)}b`)).toBe(false)
  })
})

const field = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value
  )

/** What the node behind the faults answers to a call. */
const result = (call: unknown): unknown => {
  switch (field(call, "method")) {
    case "eth_blockNumber":
      return "0x64"
    case "getblockcount":
      return 100
    default:
      return { params: field(call, "params"), big: { list: [1, 2.5, "seven 7"] }, flag: true }
  }
}

/** A small node: JSON-RPC by POST, single calls and batches, and JSON about the path by GET. */
const node: Handler = ({ body, method, path }) =>
  Effect.sync(() => {
    if (method !== "POST") return jsonResponse({ path, items: [{ id: 12, name: "first" }] })
    const asked = parseBody(body)
    const answer = (call: unknown) => ({ jsonrpc: "2.0", id: field(call, "id"), result: result(call) })
    return jsonResponse(Array.isArray(asked) ? asked.map(answer) : answer(asked))
  })

const call = (method: string, id: unknown = 7, ...params: ReadonlyArray<unknown>) => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

/** An engine before the small node, on a port of its own. */
const served = (where: Faults.FaultPlace = { network: ID, node: NODE, label: NODE }, handler = node) =>
  Effect.gen(function* () {
    const faults = yield* Faults.make
    const url = `http://127.0.0.1:${yield* listen(faults.wrapHandler(where, handler))}`
    return { faults, url }
  })

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const ask = (url: string, init: RequestInit = {}, limit = LIMIT): Effect.Effect<Reply, string> =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(limit) })
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    catch: (error) => (error instanceof Error ? `${error.name} ${String(error.cause ?? "")}` : String(error))
  })

const post = (url: string, body: unknown, limit = LIMIT) =>
  ask(
    url,
    { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    limit
  )

const read = (url: string, body: unknown) =>
  Effect.map(post(url, body), ({ text }): unknown => JSON.parse(text))

const rpc = (url: string, method: string, ...params: ReadonlyArray<unknown>) =>
  Effect.map(read(url, call(method, 7, ...params)), (answer) => field(answer, "result"))

const healthy = { jsonrpc: "2.0", id: 7, result: "0x64" }
const ms = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.suspend(() => {
    const started = performance.now()
    return Effect.map(effect, (value) => [performance.now() - started, value] as const)
  })

/** How the chunks of an answer came in: their bytes and their times since the request, and whether it ended. */
const pieces = (url: string, limit: number) =>
  Effect.async<{ readonly at: ReadonlyArray<number>; readonly text: string; readonly ended: boolean }>(
    (resume) => {
      const started = performance.now()
      const at: Array<number> = []
      let text = ""
      const end = (ended: boolean): void => resume(Effect.succeed({ at, text, ended }))
      const outgoing = send(url, { method: "POST" }, (response) => {
        response.on("data", (chunk: Buffer) => {
          at.push(performance.now() - started)
          text += chunk.toString()
        })
        response.once("end", () => end(true))
      })
      outgoing.on("error", () => end(false))
      outgoing.end(JSON.stringify(call("eth_blockNumber")))
      const timer = setTimeout(() => {
        end(false)
        outgoing.destroy()
      }, limit)
      return Effect.sync(() => clearTimeout(timer))
    }
  )

describe("each fault", () => {
  it.scopedLive("is absent without a rule: the answer is the node's, byte for byte", () =>
    Effect.gen(function* () {
      const handler: Handler = () =>
        Effect.succeed({
          ...jsonResponse(null),
          body: Buffer.from('{ "id":7,"result": 18446744073709551615 }')
        })
      const { faults, url } = yield* served(undefined, handler)
      yield* faults.add({ target: { method: "other" }, fault: { kind: "corrupt" } })
      const { text } = yield* post(url, call("eth_blockNumber"))
      expect(text).toBe('{ "id":7,"result": 18446744073709551615 }')
    })
  )

  it.scopedLive("slow: the real answer after ms, and up to jitter more", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      const rule = yield* faults.add({ fault: { kind: "slow", ms: 120 } })
      const [took, answer] = yield* ms(read(url, call("eth_blockNumber")))
      expect(answer).toEqual(healthy)
      expect(took).toBeGreaterThanOrEqual(119)
      yield* faults.remove(rule.id)
      yield* faults.add({ fault: { kind: "slow", ms: 0, jitter: 200 }, seed: 3 })
      const steady = yield* served()
      yield* steady.faults.add({ fault: { kind: "slow", ms: 400 } })
      const waits: Array<number> = []
      for (let i = 0; i < 4; i++) {
        const order: Array<string> = []
        const asked = (name: string, at: string) =>
          Effect.map(ms(post(at, call("x"))), ([wait]) => {
            order.push(name)
            return wait
          })
        const [wait] = yield* Effect.all([asked("jitter", url), asked("steady", steady.url)], {
          concurrency: "unbounded"
        })
        expect(order).toEqual(["jitter", "steady"])
        waits.push(wait)
      }
      expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(20)
    })
  )

  it.scopedLive("freeze: accepted and never answered, until the client goes", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "freeze" } })
      expect(yield* Effect.flip(post(url, call("eth_blockNumber"), 200))).toMatch(/TimeoutError/)
      yield* faults.clear()
      expect(yield* read(url, call("eth_blockNumber"))).toEqual(healthy)
      expect(yield* faults.requests()).toMatchObject([
        { outcome: "abandoned", faults: ["fault-1"] },
        { outcome: "answered", faults: [] }
      ])
    })
  )

  it.scopedLive("reset: no response, but a reset", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "reset" } })
      expect(yield* Effect.flip(post(url, call("eth_blockNumber")))).toMatch(/ECONNRESET|other side closed/)
    })
  )

  it.scopedLive("stall: the first half of the real body, and then nothing", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "stall" } })
      const { ended, text } = yield* pieces(url, 1_000)
      const whole = JSON.stringify(healthy)
      expect(ended).toBe(false)
      expect(text).toBe(whole.slice(0, Math.floor(whole.length / 2)))
    })
  )

  it.scopedLive("slowBody: the real body in many pieces, spread over ms", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "slowBody", ms: 600 } })
      const { at, ended, text } = yield* pieces(url, LIMIT)
      expect(ended).toBe(true)
      expect(JSON.parse(text)).toEqual(healthy)
      // a busy machine brings some of them together
      expect(at.length).toBeGreaterThan(4)
      expect(at.at(-1) ?? 0).toBeGreaterThanOrEqual(590)
    })
  )

  it.scopedLive("garbage, html, truncate: bodies of a right length that are no JSON", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      const whole = JSON.stringify(healthy)
      const bodies = yield* Effect.forEach(
        [
          { kind: "garbage" },
          { kind: "html" },
          { kind: "truncate" },
          { kind: "truncate", keep: 0 },
          { kind: "truncate", keep: 0.9 }
        ] as const,
        (fault) =>
          Effect.gen(function* () {
            yield* faults.clear()
            yield* faults.add({ fault })
            const { headers, status, text } = yield* post(url, call("eth_blockNumber"))
            expect(status).toBe(200)
            expect(headers.get("content-length")).toBe(String(Buffer.byteLength(text)))
            expect(() => JSON.parse(text)).toThrow()
            return text
          })
      )
      expect(bodies[1]).toMatch(/^<html>/)
      expect(bodies.slice(2)).toEqual([
        whole.slice(0, Math.floor(whole.length / 2)),
        "",
        whole.slice(0, Math.floor(whole.length * 0.9))
      ])
    })
  )

  it.scopedLive("status: with a body of one's own, or the provider's", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      const answers = yield* Effect.forEach(
        [
          { kind: "status", status: 503 },
          { kind: "status", status: 500, body: "plain" },
          { kind: "status", status: 403, body: { a: [1] }, retryAfter: 7 },
          { kind: "status", status: 503, retryAfter: "Wed, 21 Oct 2015 07:28:00 GMT" },
          { kind: "status", status: 204 }
        ] as const,
        (fault) =>
          Effect.gen(function* () {
            yield* faults.clear()
            yield* faults.add({ fault })
            return yield* post(url, call("eth_blockNumber"))
          })
      )
      expect(answers.map(({ status }) => status)).toEqual([503, 500, 403, 503, 204])
      expect(JSON.parse(answers[0]?.text ?? "")).toMatchObject({
        statusCode: 503,
        errorCode: "sandbox.fault"
      })
      expect(answers[1]?.text).toBe("plain")
      expect(JSON.parse(answers[2]?.text ?? "")).toEqual({ a: [1] })
      expect(answers[2]?.headers.get("retry-after")).toBe("7")
      expect(answers[3]?.headers.get("retry-after")).toBe("Wed, 21 Oct 2015 07:28:00 GMT")
      expect(answers[4]?.text).toBe("")
    })
  )

  it.scopedLive("rateLimit: counts in windows, and refuses in the words of whoever was asked", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      const { id } = yield* faults.add({ fault: { kind: "rateLimit", requests: 3, perMs: 60_000 } })
      const six = yield* Effect.forEach(Array.from({ length: 6 }), () => post(url, call("eth_blockNumber")))
      expect(six.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429])
      expect(JSON.parse(six[3]?.text ?? "")).toMatchObject({ id: 7, error: { code: -32005 } })
      expect(Number(six[3]?.headers.get("retry-after"))).toBeGreaterThan(30)
      const rest = yield* ask(`${url}/v4/data/balances`)
      expect(JSON.parse(rest.text)).toMatchObject({ statusCode: 429, errorCode: expect.any(String) })
      expect(yield* faults.list).toMatchObject([{ seen: 7, hits: 4, state: "active" }])
      yield* faults.remove(id)
      yield* faults.add({ fault: { kind: "rateLimit", requests: 1, perMs: 300 } })
      const status = Effect.map(post(url, call("eth_blockNumber")), (reply) => reply.status)
      const [waited, next] = yield* ms(
        Effect.zipRight(
          Effect.repeat(status, { until: (said) => said === 429 }),
          Effect.repeat(status, { until: (said) => said === 200 })
        )
      )
      expect(next).toBe(200)
      expect(waited).toBeGreaterThanOrEqual(250)
    })
  )

  it.scopedLive("wrongId: another id in single answers and in batches, and the result as it is", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ target: { method: "eth_blockNumber" }, fault: { kind: "wrongId" } })
      for (const id of [7, "seven", null]) {
        const answer = yield* read(url, call("eth_blockNumber", id))
        expect(field(answer, "result")).toBe("0x64")
        expect(field(answer, "id")).not.toEqual(id)
        expect(field(answer, "id")).not.toBeUndefined()
      }
      const batch = yield* read(url, [call("other", 1), call("eth_blockNumber", 2), call("other", 3)])
      expect([0, 1, 2].map((i) => field(batch, i, "id") === i + 1)).toEqual([true, false, true])
    })
  )

  it.scopedLive("error: with the call's own id, and the node never sees the call", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const { faults, url } = yield* served(undefined, (received) => {
        asked.push(parseBody(received.body))
        return node(received)
      })
      yield* faults.add({
        target: { method: "eth_send*" },
        fault: { kind: "error", code: -32000, message: "nonce too low", data: { a: 1 } }
      })
      const error = { code: -32000, message: "nonce too low", data: { a: 1 } }
      expect(yield* read(url, call("eth_sendRawTransaction", "x"))).toEqual({
        jsonrpc: "2.0",
        id: "x",
        error
      })
      expect(asked).toEqual([])
      const batch = yield* read(url, [
        call("eth_blockNumber", 1),
        call("eth_sendTransaction", 2),
        call("eth_blockNumber", 3)
      ])
      expect(batch).toEqual([
        { ...healthy, id: 1 },
        { jsonrpc: "2.0", id: 2, error },
        { ...healthy, id: 3 }
      ])
      expect(asked).toEqual([[call("eth_blockNumber", 1), call("eth_blockNumber", 3)]])
    })
  )

  const corrupted = (how: "digit" | "drop" | "type" | undefined, seed: number) =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "corrupt", ...(how === undefined ? {} : { how }) }, seed })
      return yield* read(url, call("other", 7, "0xabcdef", 12))
    })

  it.scopedLive("corrupt: one real change in the result, of the kind that was asked for", () =>
    Effect.gen(function* () {
      const whole = { jsonrpc: "2.0", id: 7, result: result(call("other", 7, "0xabcdef", 12)) }
      const leaves = (value: unknown): number =>
        typeof value === "object" && value !== null
          ? Object.values(value).reduce<number>((sum, item) => sum + leaves(item), 0)
          : 1
      for (let seed = 0; seed < 12; seed++) {
        const [digit, drop, type, any] = yield* Effect.forEach(
          ["digit", "drop", "type", undefined] as const,
          (how) => corrupted(how, seed),
          { concurrency: "unbounded" }
        )
        for (const answer of [digit, drop, type, any]) {
          expect(answer).toMatchObject({ jsonrpc: "2.0", id: 7 })
          expect(answer).not.toEqual(whole)
        }
        const one = JSON.stringify(digit)
        const other = JSON.stringify(whole)
        expect(one).toHaveLength(other.length)
        expect([...one].filter((letter, i) => letter !== other[i])).toHaveLength(1)
        expect(leaves(drop)).toBeLessThan(leaves(whole))
      }
    })
  )

  it.scopedLive("corrupt: REST answers too; answers of failed calls and big numbers stay", () =>
    Effect.gen(function* () {
      const big = '{"id":7,"result":{"a":18446744073709551615,"b":1}}'
      const { faults, url } = yield* served(undefined, (received) =>
        received.path === "/big"
          ? Effect.succeed({ ...jsonResponse(null), body: Buffer.from(big) })
          : received.path === "/bad"
            ? Effect.succeed(jsonResponse({ id: 7, error: { code: 1, message: "no" } }))
            : node(received)
      )
      yield* faults.add({ fault: { kind: "corrupt", how: "drop" }, seed: 5 })
      const rest = JSON.parse((yield* ask(`${url}/v4/x`)).text)
      expect(rest).not.toEqual({ path: "/v4/x", items: [{ id: 12, name: "first" }] })
      expect(yield* read(`${url}/bad`, call("x"))).toEqual({ id: 7, error: { code: 1, message: "no" } })
      const texts = yield* Effect.forEach(Array.from({ length: 8 }), () => post(`${url}/big`, call("x")))
      expect(new Set(texts.map(({ text }) => text))).toEqual(
        new Set(['{"id":7,"result":{"b":1}}', '{"id":7,"result":{"a":18446744073709551615}}'])
      )
    })
  )

  it.scopedLive("stale and lying on a Bitcoin-style node", () =>
    Effect.gen(function* () {
      const blocks: Handler = (received) =>
        Effect.sync(() => {
          const asked = parseBody(received.body)
          const [first] = [field(asked, "params", 0)]
          const results: Readonly<Record<string, unknown>> = {
            getblockcount: 100,
            getbestblockhash: "hash-100",
            getblockhash: `hash-${String(first)}`,
            getblockchaininfo: { chain: "regtest", blocks: 100, headers: 100, bestblockhash: "hash-100" },
            getblock: {
              height: Number(String(first).slice(5)),
              confirmations: 101 - Number(String(first).slice(5)),
              nextblockhash: "hash-next"
            }
          }
          const method = String(field(asked, "method"))
          if (!(method in results)) throw new Error(`unexpected ${method}`)
          return jsonResponse({ id: field(asked, "id"), result: results[method] })
        })
      const { faults, url } = yield* served({ network: "bitcoin-mainnet", label: "gateway" }, blocks)
      yield* faults.add({ fault: { kind: "stale", blocks: 10 } })
      expect(yield* rpc(url, "getblockcount")).toBe(90)
      expect(yield* rpc(url, "getbestblockhash")).toBe("hash-90")
      expect(yield* rpc(url, "getblockchaininfo")).toEqual({
        chain: "regtest",
        blocks: 90,
        headers: 90,
        bestblockhash: "hash-90"
      })
      expect(yield* rpc(url, "getblock", "hash-89")).toEqual({
        height: 89,
        confirmations: 2,
        nextblockhash: "hash-next"
      })
      expect(yield* rpc(url, "getblock", "hash-90")).toEqual({ height: 90, confirmations: 1 })
      expect(yield* read(url, call("getblock", 7, "hash-91"))).toMatchObject({ error: { code: -5 } })
      expect(yield* read(url, call("getblockhash", 7, 91))).toMatchObject({ error: { code: -8 } })
      yield* faults.clear()
      yield* faults.add({ fault: { kind: "lying", blocks: 7 } })
      yield* faults.add({ fault: { kind: "wrongChain" } })
      expect(yield* rpc(url, "getblockcount")).toBe(107)
      expect(yield* rpc(url, "getblockchaininfo")).toMatchObject({ blocks: 107, chain: "test" })
    })
  )

  it.scopedLive("stale on Solana: the heights, and the slot of every answer's context", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served({ network: "solana-mainnet", label: "gateway" }, (received) =>
        Effect.sync(() => {
          const asked = parseBody(received.body)
          const method = field(asked, "method")
          const result =
            method === "getSlot"
              ? 500
              : method === "getBlockHeight"
                ? 400
                : { context: { slot: 500 }, value: 9 }
          return jsonResponse({ id: field(asked, "id"), result })
        })
      )
      yield* faults.add({ target: { network: "solana-mainnet" }, fault: { kind: "stale", blocks: 30 } })
      expect(yield* rpc(url, "getSlot")).toBe(470)
      expect(yield* rpc(url, "getBlockHeight")).toBe(370)
      expect(yield* rpc(url, "getBalance", "x")).toEqual({ context: { slot: 470 }, value: 9 })
    })
  )
})

describe("rewriting", () => {
  it.scopedLive("asks for plain answers, because nobody could read compressed ones", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served(undefined, (received) =>
        Effect.map(node(received), (answer) =>
          answer !== "drop" && received.headers["accept-encoding"]?.includes("gzip")
            ? {
                ...answer,
                headers: { ...answer.headers, "content-encoding": "gzip" },
                body: gzipSync(answer.body)
              }
            : answer
        )
      )
      expect((yield* post(url, call("eth_blockNumber"))).headers.get("content-encoding")).toBe("gzip")
      yield* faults.add({ fault: { kind: "lying", blocks: 1 } })
      const { headers, text } = yield* post(url, call("eth_blockNumber"))
      expect(headers.get("content-encoding")).toBeNull()
      expect(JSON.parse(text)).toEqual({ ...healthy, result: "0x65" })
    })
  )

  it.scopedLive("asks the node itself for its height, past the faults behind", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "stale", blocks: 10 } })
      const slow = yield* faults.add({ fault: { kind: "slow", ms: 200 } })
      yield* faults.add({ fault: { kind: "lying", blocks: 50 } })
      const [took, answer] = yield* ms(rpc(url, "eth_blockNumber"))
      expect(answer).toBe("0x5a")
      expect(took).toBeGreaterThanOrEqual(199)
      expect((yield* faults.list).find(({ rule }) => rule.id === slow.id)).toMatchObject({ seen: 1 })
    })
  )
})

describe("rules", () => {
  it.scopedLive("apply where everything that they name fits", () =>
    Effect.gen(function* () {
      const fault = { kind: "status", status: 418 } as const
      const hit = (target: Faults.FaultTarget, where: Faults.FaultPlace, path: string, body?: unknown) =>
        Effect.gen(function* () {
          const { faults, url } = yield* served(where)
          yield* faults.add({ target, fault })
          const { status } = yield* body === undefined ? ask(url + path) : post(url + path, body)
          return status === 418
        })
      const atNode = { network: ID, node: NODE, label: NODE }
      const route = { label: "rest" }
      const body = call("eth_call")
      const cases: ReadonlyArray<
        readonly [boolean, Faults.FaultTarget, Faults.FaultPlace, string, unknown?]
      > = [
        [true, {}, atNode, "/", body],
        [true, { network: ID }, atNode, "/", body],
        [true, { network: "ethereum-*" }, atNode, "/", body],
        [false, { network: "base-mainnet" }, atNode, "/", body],
        [false, { network: ID }, route, "/v4/x"],
        [true, { node: "normal-1" }, atNode, "/", body],
        [true, { node: NODE }, atNode, "/", body],
        [true, { network: ID, node: "normal-*" }, atNode, "/", body],
        [false, { node: "normal-2" }, atNode, "/", body],
        [false, { node: "normal" }, atNode, "/", body],
        [false, { node: "*" }, route, "/v4/x"],
        [true, { route: "/v4/data/*" }, route, "/v4/data/balances?chain=x"],
        [true, { route: "/data/*" }, route, "/v3/data/balances"],
        [true, { route: "*/balances" }, route, "/v3/data/balances"],
        [false, { route: "/data" }, route, "/v3/data/balances"],
        [false, { route: "/v3/data/balances." }, route, "/v3/data/balancesX"],
        [true, { method: "eth_*" }, atNode, "/", body],
        [true, { method: "eth_call" }, atNode, "/", [call("a"), body]],
        [false, { method: "eth_call" }, atNode, "/", call("eth_callMany")],
        [false, { method: "*" }, atNode, "/"],
        [true, { verb: "GET" }, route, "/v4/x"],
        [false, { verb: "POST" }, route, "/v4/x"],
        [false, { network: ID, method: "eth_send*" }, atNode, "/", body]
      ]
      for (const [expected, target, where, path, sent] of cases)
        expect([target, yield* hit(target, where, path, sent)]).toEqual([target, expected])
    })
  )

  it.scopedLive("let the first ones pass, and stop after their times", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      const rule = yield* faults.add({
        target: { method: "eth_blockNumber" },
        fault: { kind: "status", status: 500 },
        after: 2,
        times: 3
      })
      expect(rule).toMatchObject({ id: "fault-1", seed: 1 })
      const statuses = yield* Effect.forEach(Array.from({ length: 7 }), (_, i) =>
        Effect.map(post(url, call(i === 3 ? "other" : "eth_blockNumber")), ({ status }) => status)
      )
      expect(statuses).toEqual([200, 200, 500, 200, 500, 500, 200])
      expect(yield* faults.list).toMatchObject([{ rule, state: "spent", seen: 5, hits: 3 }])
      expect((yield* faults.requests()).map((seen) => seen.faults.length)).toEqual([0, 0, 1, 0, 1, 1, 0])
    })
  )

  it.scopedLive("end after their duration", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ fault: { kind: "status", status: 500 }, duration: 1_000 })
      const status = Effect.map(post(url, call("x")), (reply) => reply.status)
      let failures = 0
      while ((yield* status) === 500) failures++
      expect(failures).toBeGreaterThan(0)
      expect(yield* status).toBe(200)
      expect(yield* faults.list).toMatchObject([{ state: "over", seen: failures, hits: failures }])
    })
  )

  it.scopedLive("apply in their order: the first is outermost, and a final one ends the chain", () =>
    Effect.gen(function* () {
      const { faults, url } = yield* served()
      yield* faults.add({ id: "slow", fault: { kind: "slow", ms: 100 } })
      yield* faults.add({ id: "first", fault: { kind: "status", status: 501 } })
      yield* faults.add({ id: "second", fault: { kind: "status", status: 502 } })
      const [took, { status }] = yield* ms(post(url, call("x")))
      expect(status).toBe(501)
      expect(took).toBeGreaterThanOrEqual(99)
      expect((yield* faults.list).map(({ hits, seen }) => [seen, hits])).toEqual([
        [1, 1],
        [1, 1],
        [0, 0]
      ])
      expect(yield* faults.requests()).toMatchObject([{ status: 501, faults: ["slow", "first"] }])
      expect(yield* faults.remove("first")).toBe(true)
      expect(yield* faults.remove("first")).toBe(false)
      expect((yield* post(url, call("x"))).status).toBe(502)
    })
  )

  it.effect("are cleared by what their targets name", () =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      const fault = { kind: "reset" } as const
      yield* faults.add({ target: { network: "a", node: "n" }, fault })
      yield* faults.add({ target: { network: "a" }, fault })
      yield* faults.add({ target: { network: "b" }, fault })
      expect(yield* faults.clear({ network: "a", node: "n" })).toBe(1)
      expect(yield* faults.clear({ network: "a" })).toBe(1)
      expect((yield* faults.list).map(({ rule }) => rule.target.network)).toEqual(["b"])
      expect(yield* faults.clear()).toBe(1)
    })
  )

  it.effect("never cut off the sandbox's own routes", () =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      yield* faults.add({ fault: { kind: "freeze" } })
      const handler = faults.wrapHandler({ label: "provider" }, node)
      const get = (path: string): HandlerRequest => ({
        method: "GET",
        path,
        headers: {},
        body: Buffer.alloc(0)
      })
      expect(yield* handler(get("/sandbox/faults"))).toMatchObject({ status: 200 })
      expect(yield* Effect.timeoutOption(Effect.as(handler(get("/x")), 0), 0)).toMatchObject({ _tag: "None" })
    })
  )
})

describe("determinism", () => {
  const received = (body: unknown): HandlerRequest => ({
    method: "POST",
    path: "/",
    headers: {},
    body: Buffer.from(JSON.stringify(body))
  })

  const shown = (answer: HandlerResponse | "drop") =>
    answer === "drop" ? "drop" : `${answer.status} ${answer.body.toString()}`

  /** What a sequence of requests meets, with the rules' counters at the end. */
  const run = (rules: ReadonlyArray<Faults.FaultInput>, methods: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      yield* Effect.forEach(rules, faults.add, { discard: true })
      const handler = faults.wrapHandler({ network: ID, node: NODE, label: NODE }, node)
      const answers = yield* Effect.forEach(methods, (method, i) =>
        handler(received(call(method, i, "0x12ab")))
      )
      const counters = (yield* faults.list).map(({ hits, seen, state }) => ({ hits, seen, state }))
      return { answers: answers.map(shown), counters }
    })

  const rule = fc.record({
    target: fc.constantFrom({}, { method: "eth_*" }, { method: "net_version" }),
    fault: fc.constantFrom<Faults.FaultKind>(
      { kind: "reset" },
      { kind: "status", status: 503 },
      { kind: "corrupt" },
      { kind: "corrupt", changes: 3 },
      { kind: "wrongId" },
      { kind: "truncate" },
      { kind: "stale", blocks: 5 },
      { kind: "wrongChain" }
    ),
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    seed: fc.maxSafeInteger(),
    after: fc.nat(3),
    times: fc.integer({ min: 1, max: 10 })
  })
  const methods = fc.array(fc.constantFrom("eth_blockNumber", "eth_getBalance", "net_version"), {
    maxLength: 30
  })

  it("the same seeds and the same requests give the same faults, whatever they are", () =>
    fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 4 }), methods, async (rules, sequence) => {
        const [one, other] = await Effect.runPromise(
          Effect.all([run(rules, sequence), run(rules, sequence)], { concurrency: "unbounded" })
        )
        expect(other).toEqual(one)
        for (const [i, { hits, seen }] of (one?.counters ?? []).entries()) {
          const { after = 0, times = 0 } = rules[i] ?? {}
          expect(hits).toBeLessThanOrEqual(Math.min(times, Math.max(0, seen - after)))
        }
      }),
      { numRuns: 200 }
    ))

  it("a rule's fate does not depend on other rules, and rules without a seed differ", async () => {
    const sequence = Array.from({ length: 64 }, () => "eth_blockNumber")
    const half = { fault: { kind: "slow", ms: 0 }, probability: 0.5 } as const
    const mark = { fault: { kind: "status", status: 500 }, probability: 0.5, seed: 11 } as const
    const [alone, behind, defaults] = await Effect.runPromise(
      Effect.all([
        run([mark], sequence),
        run([half, half, mark], sequence),
        run(
          [
            { fault: { kind: "wrongId" }, probability: 0.5 },
            { ...mark, seed: 1 }
          ],
          sequence
        )
      ])
    )
    expect(behind.answers).toEqual(alone.answers)
    expect(behind.counters.slice(0, 2).map(({ hits }) => hits)).not.toEqual([0, 0])
    // The first rule's default seed is 1 as well: both meet the same requests.
    expect(defaults.counters[0]?.hits).toBe(defaults.counters[1]?.hits)
    const [one, two] = await Effect.runPromise(
      Effect.all([run([{ ...mark, seed: 1 }], sequence), run([{ ...mark, seed: 2 }], sequence)])
    )
    expect(one.answers).not.toEqual(two.answers)
  })

  it("probability is the share that it says", async () => {
    const sequence = Array.from({ length: 4_000 }, () => "eth_blockNumber")
    for (const probability of [0, 0.1, 0.5, 0.9, 1]) {
      const { counters } = await Effect.runPromise(
        run([{ fault: { kind: "reset" }, probability, seed: 42 }], sequence)
      )
      // four standard deviations of 4,000 throws at 0.5 are 0.032
      expect(Math.abs((counters[0]?.hits ?? -1) / 4_000 - probability)).toBeLessThan(
        probability % 1 === 0 ? 1e-9 : 0.032
      )
    }
  })
})

describe("refusals", () => {
  const reset = { kind: "reset" }
  const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
    [{ fault: reset, probability: 2 }, /probability: a probability from 0 to 1/],
    [{ fault: reset, probability: Number.NaN }, /probability/],
    [{ fault: { kind: "explode" } }, /fault\.kind: .*"slow".*"explode"/s],
    [{}, /fault: .*missing/],
    [{ fault: { kind: "slow", ms: -1 } }, /fault\.ms: milliseconds from 0/],
    [{ fault: { kind: "slow", ms: Number.POSITIVE_INFINITY } }, /fault\.ms/],
    [{ fault: { kind: "slow" } }, /fault\.ms: .*missing/],
    [{ fault: { kind: "slowBody", ms: 0 } }, /fault\.ms/],
    [{ fault: { kind: "status", status: 99 } }, /fault\.status: an HTTP status from 200 to 599/],
    [{ fault: { kind: "stale", blocks: 0 } }, /fault\.blocks: a whole number of blocks from 1/],
    [{ fault: { kind: "stale", blocks: 1.5 } }, /fault\.blocks/],
    [{ fault: { kind: "rateLimit", requests: -1, perMs: 10 } }, /fault\.requests/],
    [{ fault: { kind: "error", code: 0.5, message: "x" } }, /fault\.code/],
    [{ fault: { kind: "corrupt", how: "nicely" } }, /fault\.how/],
    [{ fault: { kind: "truncate", keep: 1.1 } }, /fault\.keep/],
    [{ fault: reset, times: 0 }, /times/],
    [{ fault: reset, after: -1 }, /after/],
    [{ fault: reset, duration: 0 }, /duration/],
    [{ fault: reset, seed: 0.1 }, /seed/],
    [{ fault: reset, id: "a b" }, /id: an id of/],
    [{ fault: reset, probabilty: 1 }, /probabilty: .*unexpected/],
    [{ fault: reset, target: { nod: "x" } }, /target\.nod: .*unexpected/],
    [{ fault: reset, target: { route: "data" } }, /target\.route: a path that begins with/],
    [{ fault: reset, target: { verb: "FETCH" } }, /target\.verb/],
    [{ fault: reset, target: { method: "" } }, /target\.method/],
    [{ fault: { kind: "error", code: 1, message: "x" }, target: { verb: "GET" } }, /never sent with GET/],
    [{ fault: { kind: "wrongId" }, target: { route: "/v4/data/*" } }, /no route to a node/],
    [{ fault: reset, target: { method: "eth_call", route: "/v4/data/*" } }, /no route to a node/],
    [
      { fault: { kind: "stale", blocks: 1 }, target: { network: "ripple-mainnet" } },
      /not supported on ripple-mainnet/
    ],
    [{ fault: { kind: "lying", blocks: 1 }, target: { network: "stellar-*" } }, /not supported on stellar-/],
    [
      { fault: { kind: "wrongChain", chainId: 5 }, target: { network: "bitcoin-mainnet" } },
      /leave "chainId" out/
    ]
  ]

  it.effect.each(cases)("%j", ([input, message]) =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      const error = yield* Effect.flip(Effect.flatMap(Faults.decodeRule(input), faults.add))
      expect(error._tag).toBe("FaultRefused")
      expect(error.message).toMatch(message)
      expect(yield* faults.list).toEqual([])
    })
  )

  it.effect("of a second rule with the same id, and of the 1,001st", () =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      yield* faults.add({ id: "x", fault: { kind: "reset" } })
      expect((yield* Effect.flip(faults.add({ id: "x", fault: { kind: "html" } }))).message).toMatch(
        /There is a rule "x" already/
      )
      for (let i = 1; i < 1_000; i++) yield* faults.add({ fault: { kind: "reset" } })
      expect((yield* Effect.flip(faults.add({ fault: { kind: "reset" } }))).message).toMatch(/1000 rules/)
    })
  )
})

describe("a proxy", () => {
  it.scopedLive("keeps its url, slows down before its fault, and heals from every rule of its own", () =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      const proxy = yield* NodeProxy.make({ faults, network: ID, node: NODE, handler: node })
      const status = Effect.map(post(proxy.url, call("x")), (reply) => reply.status)
      yield* proxy.fault({ status: 503 })
      yield* proxy.slow(100)
      const [took, first] = yield* ms(status)
      expect(first).toBe(503)
      expect(took).toBeGreaterThanOrEqual(99)
      yield* proxy.fault({ kind: "status", status: 500, retryAfter: 3 })
      yield* proxy.slow(0)
      expect(yield* status).toBe(500)
      expect(yield* faults.list).toHaveLength(1)
      yield* faults.add({ target: { network: ID, node: "normal-1" }, fault: { kind: "status", status: 501 } })
      yield* faults.add({ target: { node: NODE }, fault: { kind: "status", status: 502 } })
      yield* faults.add({ id: "all", target: { network: ID }, fault: { kind: "status", status: 599 } })
      yield* proxy.heal
      expect((yield* faults.list).map(({ rule }) => rule.id)).toEqual(["all"])
      expect(yield* status).toBe(599)
      yield* faults.clear()
      expect(yield* status).toBe(200)
      yield* proxy.close
      // The first one may still be on a connection that was kept, and is just being reset.
      yield* Effect.flip(status)
      expect(yield* Effect.flip(status)).toMatch(/ECONNREFUSED/)
      yield* proxy.open
      expect(yield* status).toBe(200)
      expect(yield* proxy.requests).toBe(5)
    })
  )

  it.scopedLive("takes its rules with it, and refuses nonsense as a defect", () =>
    Effect.gen(function* () {
      const faults = yield* Faults.make
      yield* Effect.scoped(
        Effect.gen(function* () {
          const proxy = yield* NodeProxy.make({ faults, network: ID, node: NODE, handler: node })
          yield* proxy.fault("freeze")
          expect(yield* faults.list).toHaveLength(1)
          const exit = yield* Effect.exit(Effect.sandbox(proxy.slow(-5)))
          expect(String(exit)).toMatch(/milliseconds from 0/)
        })
      )
      expect(yield* faults.list).toEqual([])
    })
  )
})

describe.runIf(available)("a real anvil", () => {
  /** Three blocks are empty, the fourth has a transfer, two more are empty: the height is 6. */
  const chain = Effect.gen(function* () {
    const anvil = yield* Anvil.start({ chainId: 1 })
    const { faults, url } = yield* served(undefined, (received) =>
      Effect.catchAll(forwardRequest(anvil.url, received), () =>
        Effect.succeed<HandlerResponse | "drop">("drop")
      )
    )
    yield* rpc(url, "anvil_mine", "0x3")
    const signed = yield* Effect.promise(() =>
      privateKeyToAccount(KEY).signTransaction({
        chainId: 1,
        nonce: 0,
        to: RECEIVER,
        value: 5n,
        gas: 21_000n,
        maxFeePerGas: 100n * 10n ** 9n,
        maxPriorityFeePerGas: 10n ** 9n
      })
    )
    const hash = yield* rpc(url, "eth_sendRawTransaction", signed)
    yield* rpc(url, "anvil_mine", "0x2")
    expect(yield* rpc(url, "eth_blockNumber")).toBe("0x6")
    return { faults, url, hash }
  })

  class Real extends Context.Tag("Real")<Real, Effect.Effect.Success<typeof chain>>() {}

  layer(Layer.scoped(Real, chain), { excludeTestServices: true })((it) => {
    const healed = Effect.tap(Real, ({ faults }) => faults.clear())

    it.effect("held back by stale: height, blocks, state, receipts and logs are those of the past", () =>
      Effect.gen(function* () {
        const { faults, hash, url } = yield* healed
        const balance = (block?: unknown) =>
          rpc(url, "eth_getBalance", ...(block === undefined ? [RECEIVER] : [RECEIVER, block]))
        const third = yield* rpc(url, "eth_getBlockByNumber", "0x3", false)
        const fifth = yield* rpc(url, "eth_getBlockByNumber", "0x5", false)
        const sixth = yield* rpc(url, "eth_getBlockByNumber", "latest", true)
        expect([yield* balance("latest"), yield* balance("0x3")]).toEqual(["0x5", "0x0"])

        const stale = yield* faults.add({ target: { network: ID }, fault: { kind: "stale", blocks: 1 } })
        expect(yield* rpc(url, "eth_blockNumber")).toBe("0x5")
        expect(yield* rpc(url, "eth_getBlockByNumber", "latest", false)).toEqual(fifth)
        expect(yield* rpc(url, "eth_getBlockByNumber", "0x6", false)).toBeNull()
        expect(yield* rpc(url, "eth_getBlockByHash", field(sixth, "hash"), false)).toBeNull()
        expect(yield* rpc(url, "eth_getBlockByHash", field(fifth, "hash"), false)).toEqual(fifth)
        expect(field(yield* rpc(url, "eth_getTransactionReceipt", hash), "blockNumber")).toBe("0x4")
        expect(yield* balance("latest")).toBe("0x5")
        yield* faults.remove(stale.id)

        yield* faults.add({ fault: { kind: "stale", blocks: 3 } })
        expect(yield* rpc(url, "eth_getBlockByNumber", "latest", false)).toEqual(third)
        for (const block of ["latest", "pending", "0x3", undefined]) expect(yield* balance(block)).toBe("0x0")
        expect(yield* read(url, call("eth_getBalance", 7, RECEIVER, "0x4"))).toEqual({
          jsonrpc: "2.0",
          id: 7,
          error: { code: -32000, message: "header not found" }
        })
        expect(yield* rpc(url, "eth_getTransactionReceipt", hash)).toBeNull()
        expect(yield* rpc(url, "eth_getTransactionByHash", hash)).toBeNull()
        expect(yield* rpc(url, "eth_getTransactionCount", SENDER, "pending")).toBe("0x0")
        expect(yield* rpc(url, "eth_getBlockReceipts", "0x4")).toBeNull()
        expect(yield* rpc(url, "eth_getLogs", { fromBlock: "0x4", toBlock: "latest" })).toEqual([])
        expect(yield* rpc(url, "eth_getLogs", { fromBlock: "0x0", toBlock: "0x6" })).toEqual([])
        expect(field(yield* rpc(url, "eth_feeHistory", "0x2", "latest", []), "oldestBlock")).toBe("0x2")
        // In a batch every call for itself, and what has nothing to do with heights as it is.
        const batch = yield* read(url, [
          call("eth_chainId", "a"),
          call("eth_getBlockByNumber", "b", "0x5", false),
          call("eth_blockNumber", "c"),
          call("no_such_method", "d")
        ])
        expect(batch).toMatchObject([
          { id: "a", result: "0x1" },
          { id: "b", result: null },
          { id: "c", result: "0x3" },
          { id: "d", error: { code: -32601 } }
        ])
        yield* faults.clear()
        yield* faults.add({ fault: { kind: "stale", blocks: 100 } })
        expect(yield* rpc(url, "eth_blockNumber")).toBe("0x0")
        yield* faults.clear()
        expect(yield* rpc(url, "eth_getBlockByNumber", "latest", true)).toEqual(sixth)
      })
    )

    it.effect("lying: a height above the real one, and a newest block that fits it", () =>
      Effect.gen(function* () {
        const { faults, url } = yield* healed
        const real = yield* rpc(url, "eth_getBlockByNumber", "latest", false)
        yield* faults.add({ target: { method: "eth_*" }, fault: { kind: "lying", blocks: 250 } })
        expect(yield* rpc(url, "eth_blockNumber")).toBe("0x100")
        const claimed = yield* rpc(url, "eth_getBlockByNumber", "latest", false)
        expect(claimed).toMatchObject({ number: "0x100", hash: field(real, "hash") })
        expect(yield* rpc(url, "eth_getBlockByNumber", "0x6", false)).toEqual(real)
      })
    )

    it.effect("wrongChain: another chain id in both of its forms, and everything else as it is", () =>
      Effect.gen(function* () {
        const { faults, url } = yield* healed
        yield* faults.add({ fault: { kind: "wrongChain" } })
        expect(yield* rpc(url, "eth_chainId")).toBe("0x3d")
        expect(yield* rpc(url, "net_version")).toBe("61")
        expect(yield* rpc(url, "eth_blockNumber")).toBe("0x6")
        yield* faults.clear()
        yield* faults.add({ fault: { kind: "wrongChain", chainId: 8453 } })
        expect(yield* rpc(url, "eth_chainId")).toBe("0x2105")
        expect(yield* rpc(url, "net_version")).toBe("8453")
      })
    )

    it.effect("corrupt: the same seed spoils the same digit of a real answer", () =>
      Effect.gen(function* () {
        const { faults, url } = yield* healed
        const real = yield* rpc(url, "eth_getBlockByNumber", "0x4", true)
        const spoilt = (seed: number) =>
          Effect.gen(function* () {
            yield* faults.clear()
            yield* faults.add({ fault: { kind: "corrupt", how: "digit" }, seed })
            return yield* rpc(url, "eth_getBlockByNumber", "0x4", true)
          })
        const [one, again, other] = yield* Effect.forEach([1, 1, 2], spoilt)
        expect(one).toEqual(again)
        expect(one).not.toEqual(other)
        for (const answer of [one, other]) {
          const [text, whole] = [JSON.stringify(answer), JSON.stringify(real)]
          expect(text).toHaveLength(whole.length)
          expect([...text].filter((letter, i) => letter !== whole[i])).toHaveLength(1)
        }
      })
    )
  })
})

describe("a handler that fails", () => {
  it.scopedLive("is a 500 for its client, not a silence", () =>
    Effect.gen(function* () {
      const url = `http://127.0.0.1:${yield* listen(() => Effect.dieMessage("broken on purpose"))}`
      const { status, text } = yield* post(url, call("x"))
      expect(status).toBe(500)
      expect(JSON.parse(text)).toMatchObject({ message: expect.stringContaining("broken on purpose") })
    })
  )
})

it("the client of the admin routes is bundled for a page without anything of Node", async () => {
  const bundle = await build({
    entryPoints: [resolve(import.meta.dirname, "../../src/sandbox/Client.ts")],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    external: ["node:*"]
  })
  const output = Object.values(bundle.metafile.outputs)[0]
  expect(output?.imports).toEqual([])
  expect(Object.keys(bundle.metafile.inputs).some((path) => path.endsWith("sandbox/api/Admin.ts"))).toBe(true)
})
