// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import { group, rpc } from "../src/data/Endpoint.js"
import { NodeError } from "../src/data/SdkError.js"
import { init } from "../src/promise.js"
import { make as makeClient } from "../src/transport/Client.js"
import * as Quorum from "../src/transport/Quorum.js"
import { CallOptions, type CallOptionsShape, type QuorumOptions } from "../src/wire/Transport.js"
import { type HeldCall, makeHeldCall } from "./held.js"

const table = group(
  {},
  {
    balance: rpc<[address: string, block?: string], bigint>("balance")
      .archive((_, block) => block === "old")
      .decode((text: string) => BigInt(text)),
    block: rpc<[number: number], object>("block"),
    submit: rpc<[tx: string], string>("submit").broadcast()
  }
)
const key = "0123456789abcdef0123456789abcdef"
const urls = ["a", "b", "c", "d"].map((name) => `https://${name}.example/${key}`)
const two: QuorumOptions = { nodes: 3, agree: 2 }

const setup = (nodes: ReadonlyArray<string> = urls) => {
  const { sent, transport } = makeHeldCall()
  const asked: Array<boolean> = []
  const layered = Quorum.make(
    transport,
    (archive) => {
      asked.push(archive)
      return Effect.succeed(nodes)
    },
    30_000
  )
  return { sent, asked, rpc: makeClient(table, layered, { archive: true, batchArchive: true }) }
}

const using = (options: CallOptionsShape) => Effect.provideService(CallOptions, options)

const start = <A, E>(call: Effect.Effect<A, E>) => Effect.zipLeft(Effect.fork(call), TestClock.adjust(0))

/** The end of a call, which must be over. */
const ended = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.flatMap(Effect.zipRight(TestClock.adjust(0), Fiber.poll(fiber)), (exit) =>
    exit._tag === "None"
      ? Effect.dieMessage("the call goes on")
      : Effect.either(Effect.flatten(Effect.succeed(exit.value)))
  )

const to = (sent: ReadonlyArray<HeldCall>, index: number): HeldCall => {
  const one = sent.find(({ options }) => options.node === urls[index])
  if (one === undefined) throw new Error(`nothing was sent to ${urls[index]}`)
  return one
}

const down = (): NodeError =>
  new NodeError({ kind: "network", call: "balance", url: "https://x.example", reason: "it is down" })

describe("a read that one node is not believed for", () => {
  it.effect("goes to as many nodes as wanted, and ends as soon as enough of them agree", () =>
    Effect.gen(function* () {
      const { asked, rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: two, attemptTimeout: 500 })(rpc.balance("0x1", "old")))
      expect(asked).toEqual([true])
      expect(sent.map(({ options }) => options)).toEqual(
        urls.slice(0, 3).map((node) => ({ node, attemptTimeout: 500, timeout: 30_000 }))
      )
      to(sent, 1).result("7")
      expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
      to(sent, 2).result("7")
      expect(yield* ended(fiber)).toEqual(Either.right(7n))
      expect(to(sent, 0).aborted()).toBe(true)
    })
  )

  it.effect("compares answers as its caller says, where they need not be equal to mean the same", () =>
    Effect.gen(function* () {
      const isSame = (one: unknown, other: unknown) =>
        typeof one === "bigint" && typeof other === "bigint" && one <= other * 2n && other <= one * 2n
      const { rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: { ...two, isSame } })(rpc.balance("0x1")))
      to(sent, 0).result("700000")
      to(sent, 1).result("7")
      to(sent, 2).result("9")
      // the first of those that mean the same
      expect(yield* ended(fiber)).toEqual(Either.right(7n))
      const disagreeing = setup()
      const none = yield* start(using({ quorum: { ...two, isSame } })(disagreeing.rpc.balance("0x1")))
      for (const [at, answer] of ["7", "70", "700"].entries()) to(disagreeing.sent, at).result(answer)
      expect(yield* ended(none)).toMatchObject({ left: { _tag: "NoQuorum" } })
    })
  )

  it.effect("believes no liar, and compares what was read, not how it was written", () =>
    Effect.gen(function* () {
      const { rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: two })(rpc.block(1)))
      to(sent, 0).answer(
        `{"jsonrpc":"2.0","id":${to(sent, 0).call.id},"result":{"n":"0x1","list":[1,{"a":null}]}}`
      )
      to(sent, 1).result({ n: "0x2", list: [1, { a: null }] })
      to(sent, 2).result({ list: [1, { a: null }], n: "0x1" })
      expect(yield* ended(fiber)).toEqual(Either.right({ n: "0x1", list: [1, { a: null }] }))
    })
  )

  it.effect("fails with who said what, and no key, as soon as no quorum is possible", () =>
    Effect.gen(function* () {
      const { rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: { nodes: 3, agree: 3 } })(rpc.balance("0x1")))
      to(sent, 0).result("1")
      to(sent, 2).result("2")
      const outcome = yield* ended(fiber)
      if (Either.isRight(outcome)) throw new Error("it succeeded")
      expect(outcome.left).toMatchObject({
        _tag: "NoQuorum",
        message: "balance: no 3 of 3 nodes agree",
        answers: [
          { url: "https://a.example/…", said: "1" },
          { url: "https://c.example/…", said: "2" }
        ]
      })
      expect(JSON.stringify(outcome.left)).not.toContain(key)
      expect(to(sent, 1).aborted()).toBe(true)
    })
  )

  it.effect("asks other nodes in place of those that fail, within the time of the call", () =>
    Effect.gen(function* () {
      const { rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: two, timeout: 1_000 })(rpc.balance("0x1")))
      to(sent, 1).result("7")
      yield* TestClock.adjust(400)
      to(sent, 0).fail(down())
      yield* TestClock.adjust(0)
      expect(to(sent, 3).options).toEqual({ node: urls[3], timeout: 600 })
      yield* TestClock.adjust(600)
      to(sent, 2).fail(down())
      to(sent, 3).fail(down())
      const outcome = yield* ended(fiber)
      expect(Either.isLeft(outcome) && outcome.left).toMatchObject({ _tag: "NoQuorum" })
      expect(sent).toHaveLength(4)
    })
  )

  it.effect("may be wrong in the opinion of enough nodes, whatever their words", () =>
    Effect.gen(function* () {
      const { rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: two })(rpc.balance("0x1")))
      const reverted = (one: HeldCall, message: string) =>
        one.answer(JSON.stringify({ jsonrpc: "2.0", id: one.call.id, error: { code: 3, message } }))
      reverted(to(sent, 0), "execution reverted")
      reverted(to(sent, 1), "reverted")
      expect(yield* ended(fiber)).toMatchObject({ left: { _tag: "RpcError", code: 3 } })
    })
  )

  it.effect("needs as many nodes, whole numbers, and no pinned node", () =>
    Effect.gen(function* () {
      const few = setup(urls.slice(0, 1))
      expect(yield* Effect.flip(using({ quorum: two })(few.rpc.balance("0x1")))).toMatchObject({
        _tag: "NoQuorum",
        answers: [],
        message: "balance: there are not 2 nodes to ask"
      })
      const wrong: ReadonlyArray<CallOptionsShape> = [
        { quorum: { nodes: 2, agree: 3 } },
        { quorum: { nodes: 0, agree: 0 } },
        { quorum: { nodes: 2.5, agree: 1 } },
        { quorum: { nodes: Number.NaN, agree: 1 } },
        { quorum: two, node: "https://a.example" }
      ]
      const { rpc, sent } = setup()
      for (const options of wrong) {
        expect(yield* Effect.flip(using(options)(rpc.balance("0x1")))).toMatchObject({
          _tag: "InvalidArgument"
        })
      }
      expect([...few.sent, ...sent]).toEqual([])
    })
  )

  it.effect("is one call where no quorum is wanted, and a broadcast is sent once anyway", () =>
    Effect.gen(function* () {
      const { asked, rpc, sent } = setup()
      yield* start(rpc.balance("0x1"))
      yield* start(using({ quorum: two })(rpc.submit("0x")))
      expect(sent).toHaveLength(2)
      expect(asked).toEqual([])
    })
  )

  it.effect("ends at all nodes with its caller", () =>
    Effect.gen(function* () {
      const { rpc, sent } = setup()
      const fiber = yield* start(using({ quorum: two })(rpc.balance("0x1")))
      yield* Fiber.interrupt(fiber)
      expect(sent.map(({ aborted }) => aborted())).toEqual([true, true, true])
    })
  )
})

it("a client with nodes of its own asks those, and archive nodes for what is old", async () => {
  const asked: Array<string> = []
  const balances: { readonly [host: string]: string } = { a: "0x1", b: "0x2", c: "0x2", d: "0x3", e: "0x3" }
  const sdk = await init({
    network: "ethereum-mainnet",
    quiet: true,
    rpc: {
      statusCheckInterval: Number.POSITIVE_INFINITY,
      nodes: ["a", "b", "c", "d", "e"].map((name) => ({
        url: `https://${name}.example/`,
        type: name > "c" ? ("archive" as const) : ("normal" as const)
      }))
    },
    fetch: async (url, request) => {
      const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(
        String(request?.body)
      )
      const host = new URL(String(url)).hostname.slice(0, 1)
      if (method !== "eth_chainId") asked.push(host)
      const result = method === "eth_chainId" ? "0x1" : balances[host]
      return new Response(JSON.stringify({ jsonrpc: "2.0", id, result }))
    }
  })
  try {
    const address = `0x${"1".repeat(40)}`
    const careful = sdk.with({ quorum: { nodes: 2, agree: 2 } })
    expect(await careful.rpc.getBalance(address, 1n)).toMatchObject({ status: "SUCCESS", data: 3n })
    expect(asked.toSorted()).toEqual(["d", "e"])
    asked.length = 0
    const outcome = await careful.rpc.gasPrice()
    expect(outcome).toMatchObject({ status: "ERROR", error: { cause: { _tag: "NoQuorum" } } })
    expect(asked.toSorted()).toEqual(["a", "b"])
    const most = sdk.with({ quorum: { nodes: 3, agree: 2 }, coalesce: true, batch: true })
    expect(await most.rpc.gasPrice()).toMatchObject({ status: "SUCCESS", data: 2n })
  } finally {
    await sdk.destroy()
  }
})
