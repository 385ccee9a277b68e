// @vitest-environment node
/** The Rx surface of a client, without React, against a real server. */
import { Registry, Result, type Rx } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { dehydrate, reactive } from "../../react/index.js"
import { makeLatestRx } from "../../react/Reactive.js"
import { makeHttp, type Sdk } from "../../src/client/Sdk.js"
import type { Network } from "../../src/data/Network.js"
import { layerFetch } from "../../src/http/Http.js"
import { catalogue } from "../../src/services/Services.js"
import { type Answer, startSocketNode } from "../sockets.js"
import { deferReply, startServer, type TestServer } from "./testServer.js"

const ADDRESS = `0x${"a1".repeat(20)}`

let chain: TestServer
let scope: Scope.CloseableScope
let registry: Registry.Registry

beforeEach(async () => {
  chain = await startServer()
  scope = Effect.runSync(Scope.make())
  registry = Registry.make({ defaultIdleTTL: 50 })
})

afterEach(async () => {
  registry.dispose()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await chain.close()
  expect(chain.unexpected).toEqual([])
})

const client = <const N extends Network>(network: N, url?: string): Promise<Sdk<N>> => {
  const config = chain.config(network)
  return Effect.runPromise(
    makeHttp<N>(url === undefined ? config : { ...config, rpc: { ...config.rpc, nodes: [{ url }] } }).pipe(
      Effect.provide(layerFetch),
      Scope.extend(scope)
    )
  )
}

/** The first state of an Rx that is as it should be. */
const waitUntil = <A>(rx: Rx.Rx<A>, fits: (value: A) => boolean): Promise<A> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("it never came")), 300_000)
    const end = registry.subscribe(
      rx,
      (value) => {
        if (!fits(value)) return
        clearTimeout(late)
        setTimeout(() => end())
        resolve(value)
      },
      { immediate: true }
    )
  })

const untilAnswered = <A, E>(rx: Rx.Rx<Result.Result<A, E>>) =>
  waitUntil(rx, (result) => !Result.isInitial(result) && !result.waiting)

const valueOf = <A, E>(result: Result.Result<A, E>): A => Result.getOrThrow(result)

/** Every path of the functions in a group. */
const pathsOf = (group: object, before = ""): ReadonlyArray<string> =>
  Object.entries(group).flatMap(([name, member]) =>
    typeof member === "object" && member !== null && !("read" in member)
      ? pathsOf(member, `${before}${name}.`)
      : [`${before}${name}`]
  )

/** Every path of the catalogue with its kind. */
const kindsOf = (group: object, before = ""): ReadonlyArray<readonly [string, string]> =>
  Object.entries(group).flatMap(([name, member]) =>
    typeof member === "string"
      ? [[`${before}${name}`, member] as const]
      : kindsOf(member, `${before}${name}.`)
  )

const at = (group: object, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => Reflect.get(Object(value), name), group)

describe("the kinds of methods", () => {
  it("are those of the catalogue for services: writes are an Rx to set, all others functions", async () => {
    const surface = reactive(await client("ethereum-mainnet"))
    const kinds = kindsOf(catalogue)
    expect(kinds.length).toBeGreaterThan(70)
    for (const [path, kind] of kinds) {
      expect(`${path} ${typeof at(surface, path)}`).toBe(
        `${path} ${kind === "write" ? "object" : "function"}`
      )
    }
  })

  it("are those of the endpoints for nodes", async () => {
    const { rpc } = reactive(await client("ethereum-mainnet"))
    const writes = pathsOf(rpc).filter((path) => typeof at(rpc, path) === "object")
    expect(writes).toContain("sendRawTransaction")
    expect(writes).toContain("rawRpcCall")
    expect(writes).not.toContain("getBalance")
    expect(writes).not.toContain("beacon.v1.getGenesis")
    expect(chain.requests).toEqual([])
  })
})

describe("a read", () => {
  it("has the same Rx for equal arguments: nested, in any order of fields, with bigints", async () => {
    const { address, rpc } = reactive(await client("ethereum-mainnet"))
    const rx = rpc.call({ to: ADDRESS, value: 5n, data: "0x" }, "latest")
    expect(rpc.call({ data: "0x", value: 5n, to: ADDRESS }, "latest")).toBe(rx)
    expect(rpc.call({ to: ADDRESS, value: 6n, data: "0x" }, "latest")).not.toBe(rx)
    expect(rpc.call({ to: ADDRESS, value: 5n, data: "0x" }, 5n)).not.toBe(
      rpc.call({ to: ADDRESS, value: 5n, data: "0x" }, "5n" as never)
    )
    expect(rpc.call({ to: ADDRESS }, 5n)).not.toBe(rpc.call({ to: ADDRESS }, 5 as never))
    expect(rpc.getLogs({ topics: [["0x1", "0x2"], null] })).toBe(
      rpc.getLogs({ topics: [["0x1", "0x2"], null] })
    )
    expect(rpc.getLogs({ topics: [["0x1", "0x2"]] })).not.toBe(rpc.getLogs({ topics: [["0x1"], ["0x2"]] }))
    expect(rpc.getBalance(ADDRESS)).not.toBe(rpc.getBalance(ADDRESS, "earliest"))
    expect(rpc.getBalance(ADDRESS)).not.toBe(rpc.getCode(ADDRESS))
    expect(address.getBalance({ address: ADDRESS })).toBe(address.getBalance({ address: ADDRESS }))
  })

  it("asks when it is looked at, once for all who look", async () => {
    chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
    const { rpc } = reactive(await client("ethereum-mainnet"))
    const rx = rpc.getBalance(ADDRESS)
    expect(chain.requests).toEqual([])
    const [one, other] = await Promise.all([untilAnswered(rx), untilAnswered(rpc.getBalance(ADDRESS))])
    expect(valueOf(one)).toBe(16n)
    expect(other).toBe(one)
    expect(chain.count("eth_getBalance")).toBe(1)
  })

  it("has the method's own error, and the last answer beside it", async () => {
    chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
    const rx = reactive(await client("ethereum-mainnet")).rpc.getBalance(ADDRESS)
    await untilAnswered(rx)
    chain.rules.set("eth_getBalance", () => ({ error: { code: -32_000, message: "no state" } }))
    const failed = waitUntil(rx, Result.isFailure)
    registry.refresh(rx)
    const result = await failed
    expect(Result.error(result)).toMatchObject({ value: { _tag: "RpcError", code: -32_000 } })
    expect(Result.value(result)).toMatchObject({ value: 16n })
  })

  it("keeps the identity of an answer that is the same", async () => {
    chain.rules.set("eth_getBlockByNumber", () => ({ result: { number: "0x1", transactions: ["0x2"] } }))
    const rx = reactive(await client("ethereum-mainnet")).rpc.getBlockByNumber(1)
    const first = valueOf(await untilAnswered(rx))
    const again = waitUntil(rx, (result) => result.waiting).then(() => untilAnswered(rx))
    registry.refresh(rx)
    expect(valueOf(await again)).toBe(first)
    expect(chain.count("eth_getBlockByNumber")).toBe(2)
  })

  it("is dehydrated with its network, path and arguments", async () => {
    chain.rules.set("eth_getBalance", () => ({ result: "0x10" }))
    chain.rules.set("eth_getCode", () => ({ error: { code: -32_000, message: "no state" } }))
    const { rpc } = reactive(await client("ethereum-mainnet"))
    await Promise.all([untilAnswered(rpc.getBalance(ADDRESS)), untilAnswered(rpc.getCode(ADDRESS))])
    expect(dehydrate(registry)).toEqual([
      { key: `ethereum-mainnet rpc.getBalance ["${ADDRESS}"]`, value: '{"answer":"#16"}' }
    ])
  })
})

describe("a write", () => {
  it("is sent when it is set, each time, and a later one takes none back", async () => {
    const held = deferReply()
    chain.rules.set("eth_sendRawTransaction", held.reply)
    const write = reactive(await client("ethereum-mainnet")).rpc.sendRawTransaction
    const end = registry.mount(write)
    expect(chain.requests).toEqual([])
    registry.set(write, ["0x01"])
    await expect.poll(() => chain.count("eth_sendRawTransaction")).toBe(1)
    registry.set(write, ["0x02"])
    await expect.poll(() => chain.count("eth_sendRawTransaction")).toBe(2)
    expect(chain.countAborted()).toBe(0)
    held.answer("0xaa")
    held.answer("0xbb")
    expect(valueOf(await waitUntil(write, (result) => !result.waiting))).toBe("0xbb")
    expect(chain.requests.map(({ params }) => params)).toEqual([["0x01"], ["0x02"]])
    expect(chain.countAborted()).toBe(0)
    end()
  })
})

describe("a stream", () => {
  it("of events has the latest one, is not waiting for ever, and ends with its last subscriber", async () => {
    const answers: Readonly<Record<string, Answer>> = {
      eth_subscribe: { result: "0x1" },
      eth_unsubscribe: { result: true },
      eth_blockNumber: { result: "0x1" }
    }
    const node = await startSocketNode(
      (method) => answers[method] ?? { error: { code: -1, message: method } }
    )
    try {
      const sdk = await client("ethereum-mainnet", node.url)
      const rx = reactive(sdk).rpc.subscribe.newPendingTransactions()
      const seen: Array<string> = []
      const end = registry.subscribe(rx, (result) => seen.push(`${result._tag} ${result.waiting}`), {
        immediate: true
      })
      await expect
        .poll(() => node.peers[0]?.requests.some(({ method }) => method === "eth_subscribe"))
        .toBe(true)
      node.peers[0]?.send({
        jsonrpc: "2.0",
        method: "eth_subscription",
        params: { subscription: "0x1", result: "0xaa" }
      })
      await expect.poll(() => seen).toEqual(["Initial true", "Success false"])
      end()
      await expect.poll(() => node.open().length).toBe(0)
    } finally {
      await node.close()
    }
  })

  it("that fails keeps the latest item, is not waiting, and says why (Q4, Q5)", async () => {
    const heights = new ControlledStream()
    const rx = makeLatestRx(() => heights.stream)
    const seen: Array<string> = []
    const end = registry.subscribe(
      rx,
      (result) =>
        seen.push(`${result._tag} ${Option.getOrUndefined(Result.value(result))} ${result.waiting}`),
      { immediate: true }
    )
    heights.emit((emit) => emit.single(5))
    await expect.poll(() => seen).toEqual(["Initial undefined true", "Success 5 false"])
    heights.emit((emit) => emit.fail("no more"))
    await expect.poll(() => seen.at(-1)).toBe("Failure 5 false")
    expect(Result.error(registry.get(rx))).toMatchObject({ value: "no more" })
    end()
    await expect.poll(() => heights.ended).toBe(true)
  })

  it("by pages has all items so far, and asks for a page when it is told to", async () => {
    chain.rules.set("GET /v4/data/transaction/history", (query) => {
      const page = Number(Reflect.get(Object(query), "offset") ?? 0)
      return { result: { result: page === 0 ? [row(1), row(2)] : [row(3)] } }
    })
    const { address } = reactive(await client("ethereum-mainnet"))
    const rx = address.streamTransactions({ address: ADDRESS, pageSize: 2 })
    const end = registry.mount(rx)
    const first = valueOf(await untilAnswered(rx))
    expect(first.items.map(({ hash }) => hash)).toEqual(["0x1", "0x2"])
    const second = waitUntil(rx, (result) => Result.isSuccess(result) && result.value.items.length === 3)
    registry.set(rx, undefined)
    expect(valueOf(await second).items.map(({ hash }) => hash)).toEqual(["0x1", "0x2", "0x3"])
    end()
  })
})

/** What a stream says, by what both versions of Effect have. */
type Step = (emit: {
  readonly single: (item: number) => Promise<void>
  readonly fail: (error: string) => Promise<void>
}) => Promise<void>

/** A stream that says what the test wants it to. */
class ControlledStream {
  ended = false
  private say: ((step: Step) => void) | undefined
  readonly stream: Stream.Stream<number, string> = Stream.ensuring(
    Stream.async<number, string>((emit) => {
      this.say = (step) => void step(emit)
    }),
    Effect.sync(() => {
      this.ended = true
    })
  )
  emit(step: Step): void {
    if (this.say === undefined) throw new Error("nobody listens")
    this.say(step)
  }
}

const row = (n: number): object => ({
  chain: "ethereum-mainnet",
  hash: `0x${n}`,
  address: ADDRESS,
  blockNumber: n,
  timestamp: n,
  transactionType: "native",
  transactionSubtype: "incoming",
  amount: "1"
})
