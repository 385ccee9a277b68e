// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import { get, group, merge, post, rpc } from "../src/data/Endpoint.js"
import { NodeError } from "../src/data/SdkError.js"
import { make as makeClient, makeRawRpc } from "../src/transport/Client.js"
import * as Coalesce from "../src/transport/Coalesce.js"
import { CallOptions, type CallOptionsShape } from "../src/wire/Transport.js"
import { type HeldCall, makeHeldCall } from "./held.js"
import { runs } from "./properties.js"

const routing = { archive: true, batchArchive: true }
const methods = {
  balance: rpc<[address: string, block?: string], bigint>("balance")
    .archive((_, block) => block === "old")
    .decode((text: string) => BigInt(text)),
  block: rpc<[number: number], { readonly number: number; readonly list: Array<number> }>("block"),
  airdrop: rpc<[to: string], string>("airdrop").write(),
  submit: rpc<[tx: string], string>("submit").broadcast(),
  route: get("/blocks/{id}").query<{ at?: string; token?: string }>().headers({ token: "x-token" }),
  ask: post("/ask").body<{ q: string }>()
}
// the same method, read in another way
const table = merge(group({}, methods), group({}, { plain: rpc<[address: string], string>("balance") }))

const setup = (everywhere = true) =>
  Effect.gen(function* () {
    const { sent, transport } = makeHeldCall()
    const layered = yield* Coalesce.make(transport, { coalesce: everywhere })
    return {
      sent,
      rpc: makeClient(table, layered, routing),
      raw: makeRawRpc(table, layered, routing)
    }
  })

/** Starts calls, and lets them get as far as they can without an answer. */
const start = <A, E>(...calls: ReadonlyArray<Effect.Effect<A, E>>) =>
  Effect.zipLeft(
    Effect.forEach(calls, (call) => Effect.fork(call)),
    TestClock.adjust(0)
  )

const only = (sent: ReadonlyArray<HeldCall>): HeldCall => {
  const [first] = sent
  if (first === undefined || sent.length > 1) throw new Error(`${sent.length} requests were sent, not one`)
  return first
}

const labels = (sent: ReadonlyArray<HeldCall>): ReadonlyArray<string> => sent.map(({ call }) => call.label)
const using = (options: CallOptionsShape) => Effect.provideService(CallOptions, options)

describe("equal reads in flight", () => {
  it.scoped("share one request", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(...Array.from({ length: 1_000 }, () => rpc.balance("0x1")))
      only(sent).result("42")
      expect(new Set(yield* Fiber.joinAll(fibers))).toEqual(new Set([42n]))
      expect(sent).toHaveLength(1)
    })
  )

  it.scoped("have a value of their own, which nobody else can change", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(rpc.block(1), rpc.block(1), rpc.block(1))
      only(sent).result({ number: 1, list: [1] })
      const [a, ...others] = yield* Fiber.joinAll(fibers)
      a?.list.push(2)
      expect(a).toEqual({ number: 1, list: [1, 2] })
      expect(others).toEqual([
        { number: 1, list: [1] },
        { number: 1, list: [1] }
      ])
      expect(others[0]).not.toBe(others[1])
    })
  )

  it.scoped("are nothing that is kept: after the answer, the next one is asked again", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      for (const value of ["1", "2", "3"]) {
        const fibers = yield* start(rpc.balance("0x1"), rpc.balance("0x1"))
        sent[sent.length - 1]?.result(value)
        expect(yield* Fiber.joinAll(fibers)).toEqual([BigInt(value), BigInt(value)])
      }
      expect(sent).toHaveLength(3)
    })
  )

  it.scoped("share a failure, which is not kept either", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(rpc.balance("0x1"), rpc.balance("0x1"))
      only(sent).answer(`{"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such address"}}`)
      for (const fiber of fibers) {
        const outcome = yield* Effect.either(Fiber.join(fiber))
        expect(Either.isLeft(outcome) && outcome.left).toMatchObject({ _tag: "RpcError", code: -32602 })
      }
      yield* start(rpc.balance("0x1"))
      expect(sent).toHaveLength(2)
    })
  )

  it.scoped("are equal in method, parameters, endpoint, routing and options", () =>
    Effect.gen(function* () {
      const { raw, rpc, sent } = yield* setup()
      const different = [
        rpc.balance("0x1"),
        rpc.balance("0x2"),
        rpc.balance("0x1", "old"),
        rpc.plain("0x1"),
        raw.rawRpcCall({ method: "balance", params: ["0x1"] }),
        using({ timeout: 1_000 })(rpc.balance("0x1")),
        using({ attemptTimeout: 1_000 })(rpc.balance("0x1")),
        using({ node: "https://a.example" })(rpc.balance("0x1")),
        using({ minBlock: 7 })(rpc.balance("0x1")),
        using({ archive: "strict" })(rpc.balance("0x1")),
        rpc.route({ id: 1 }),
        rpc.route({ id: 1, at: "x" }),
        rpc.route({ id: 1, token: "a" }),
        rpc.route({ id: 1, token: "b" })
      ]
      yield* start<unknown, unknown>(...different, ...different)
      expect(sent).toHaveLength(different.length)
      expect(sent.map(({ call }) => call.archive)).toEqual(different.map((_, i) => i === 2))
      expect(sent.map(({ options }) => options)).toContainEqual({ node: "https://a.example" })
    })
  )

  it.scoped("may be raw calls, where no caller has given an id", () =>
    Effect.gen(function* () {
      const { raw, sent } = yield* setup()
      const call = (id?: string | number) =>
        raw.rawRpcCall({ method: "balance", params: ["0x1"], ...(id === undefined ? {} : { id }) })
      const fibers = yield* start(call(), call(), call(7), call(7), call("x"))
      const ids = sent.map(({ json }) =>
        typeof json === "object" && json !== null ? Reflect.get(json, "id") : json
      )
      expect(ids).toHaveLength(4)
      expect(ids.filter((id) => id === 7 || id === "x")).toEqual([7, 7, "x"])
      for (const each of sent) each.result("42")
      expect(yield* Fiber.joinAll(fibers)).toEqual(["42", "42", "42", "42", "42"])
    })
  )

  it.scoped("are asked one by one where nobody wants it", () =>
    Effect.gen(function* () {
      const off = yield* setup(false)
      yield* start(off.rpc.balance("0x1"), off.rpc.balance("0x1"))
      expect(off.sent).toHaveLength(2)
      yield* start(
        using({ coalesce: true })(off.rpc.balance("0x1")),
        using({ coalesce: true })(off.rpc.balance("0x1"))
      )
      expect(off.sent).toHaveLength(3)
      const on = yield* setup(true)
      yield* start(on.rpc.balance("0x1"), using({ coalesce: false })(on.rpc.balance("0x1")))
      expect(on.sent).toHaveLength(2)
    })
  )
})

describe("what may have an effect", () => {
  it.scoped("is never shared, and neither is what is asked with POST", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const calls = [rpc.airdrop("0x1"), rpc.submit("0x1"), rpc.ask({ q: "?" })]
      yield* start<unknown, unknown>(...calls, ...calls)
      expect(labels(sent)).toEqual(["airdrop", "submit", "POST /ask", "airdrop", "submit", "POST /ask"])
    })
  )

  it.scoped("is seen by every read after it, whatever reads are in flight", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const [before] = yield* start(rpc.balance("0x1"))
      const [write] = yield* start(rpc.submit("0xaa"))
      sent[1]?.result("0xhash")
      yield* Fiber.join(write ?? Fiber.never)
      const [after, beside] = yield* start(rpc.balance("0x1"), rpc.balance("0x1"))
      expect(labels(sent)).toEqual(["balance", "submit", "balance"])
      sent[0]?.result("1")
      sent[2]?.result("2")
      expect(yield* Fiber.join(before ?? Fiber.never)).toBe(1n)
      expect(yield* Fiber.join(after ?? Fiber.never)).toBe(2n)
      expect(yield* Fiber.join(beside ?? Fiber.never)).toBe(2n)
    })
  )
})

describe("a caller who leaves", () => {
  it.scoped.each([0, 1, 2])("leaves the others alone, be it the first one or not (%i)", (index) =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(rpc.balance("0x1"), rpc.balance("0x1"), rpc.balance("0x1"))
      yield* Fiber.interrupt(fibers[index] ?? Fiber.never)
      expect(only(sent).aborted()).toBe(false)
      only(sent).result("42")
      const rest = fibers.filter((_, i) => i !== index)
      expect(yield* Fiber.joinAll(rest)).toEqual([42n, 42n])
    })
  )

  it.scoped("ends the request if there is no other, and the next one starts anew", () =>
    Effect.gen(function* () {
      const { rpc, sent } = yield* setup()
      const fibers = yield* start(rpc.balance("0x1"), rpc.balance("0x1"))
      yield* Fiber.interruptAll(fibers)
      expect(only(sent).aborted()).toBe(true)
      const [next] = yield* start(rpc.balance("0x1"))
      sent[1]?.result("42")
      expect(yield* Fiber.join(next ?? Fiber.never)).toBe(42n)
    })
  )

  it.effect("is not needed to end requests: the scope does", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { rpc, sent } = yield* Scope.extend(setup(), scope)
      const [fiber] = yield* start(rpc.balance("0x1"))
      yield* Scope.close(scope, Exit.void)
      expect(only(sent).aborted()).toBe(true)
      expect(Exit.isInterrupted(yield* Fiber.await(fiber ?? Fiber.never))).toBe(true)
    })
  )
})

/** What can happen to reads of two addresses: somebody asks, the n-th of those who wait leaves, an answer or failure comes. */
const event = FastCheck.oneof(
  { weight: 4, arbitrary: FastCheck.record({ kind: FastCheck.constant("ask"), of: FastCheck.nat(1) }) },
  { weight: 2, arbitrary: FastCheck.record({ kind: FastCheck.constant("leave"), of: FastCheck.nat(20) }) },
  { weight: 1, arbitrary: FastCheck.record({ kind: FastCheck.constant("answer"), of: FastCheck.nat(1) }) },
  { weight: 1, arbitrary: FastCheck.record({ kind: FastCheck.constant("fail"), of: FastCheck.nat(1) }) },
  { weight: 1, arbitrary: FastCheck.record({ kind: FastCheck.constant("write"), of: FastCheck.constant(0) }) }
)

it.effect.prop(
  "whatever happens, everybody gets the answer to a request of the right age, and no request is without callers",
  [FastCheck.array(event, { maxLength: 40 })],
  ([events]) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { rpc, sent } = yield* setup()
        interface Model {
          readonly of: number
          readonly request: HeldCall
          readonly fibers: Set<Fiber.RuntimeFiber<bigint, unknown>>
          open: boolean
          ended: boolean
        }
        const model: Array<Model> = []
        let value = 0
        for (const { kind, of } of events) {
          const current = model.find((each) => each.of === of && each.open && !each.ended)
          if (kind === "ask") {
            const before = sent.length
            const [fiber] = yield* start(rpc.balance(String(of)))
            if (fiber === undefined) throw new Error("nothing was started")
            expect(sent.length - before).toBe(current === undefined ? 1 : 0)
            const request = sent[before]
            if (current !== undefined) current.fibers.add(fiber)
            else if (request !== undefined)
              model.push({ of, request, fibers: new Set([fiber]), open: true, ended: false })
          } else if (kind === "leave") {
            const waiting = model.flatMap((each) =>
              each.ended ? [] : [...each.fibers].map((fiber) => ({ each, fiber }))
            )
            const one = waiting[of % Math.max(1, waiting.length)]
            if (one === undefined) continue
            yield* Fiber.interrupt(one.fiber)
            one.each.fibers.delete(one.fiber)
            one.each.ended = one.each.fibers.size === 0
            expect(one.each.request.aborted()).toBe(one.each.ended)
          } else if (kind === "write") {
            const [fiber] = yield* start(rpc.submit("0x"))
            sent[sent.length - 1]?.result("0x")
            yield* Fiber.join(fiber ?? Fiber.never)
            for (const each of model) each.open = false
          } else {
            const one = model.find((each) => each.of === of && !each.ended)
            if (one === undefined) continue
            one.ended = true
            value++
            if (kind === "answer") one.request.result(String(value))
            else
              one.request.fail(
                new NodeError({ kind: "network", call: "x", url: "https://a.example", reason: String(value) })
              )
            for (const fiber of one.fibers) {
              const outcome = yield* Effect.either(Fiber.join(fiber))
              if (kind === "answer") expect(outcome).toEqual(Either.right(BigInt(value)))
              else expect(Either.isLeft(outcome) && outcome.left).toMatchObject({ reason: String(value) })
            }
          }
        }
        for (const each of model.filter(({ ended }) => !ended)) yield* Fiber.interruptAll(each.fibers)
        expect(model.filter(({ ended, request }) => !ended && !request.aborted())).toEqual([])
      })
    ),
  { fastCheck: { numRuns: runs(60) } }
)
