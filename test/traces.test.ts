/** Spans and counts: one of each for every logical call, whatever way it takes. */

import * as Resource from "@effect/opentelemetry/Resource"
import * as OtelTracer from "@effect/opentelemetry/Tracer"
import { describe, expect, it } from "@effect/vitest"
import { SpanKind, SpanStatusCode } from "@opentelemetry/api"
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import type * as Tracer from "effect/Tracer"
import * as Metrics from "../src/balancer/Metrics.js"
import * as Sdk from "../src/client/Sdk.js"
import type { SdkConfig } from "../src/config/Config.js"
import { ETHEREUM } from "../src/data/rows.js"
import * as Ethereum from "../src/entries/effect/Ethereum.js"
import { Http, HttpFailure, type HttpRequest, type HttpResponse, layerFetch } from "../src/http/Http.js"
import * as Picked from "../src/pick/effect/evm.js"
import { CallOptions, type CallOptionsShape } from "../src/wire/Transport.js"
import { startSocketNode } from "./sockets.js"
import { attributesOf, makeRecorder, type Recorded } from "./spans.js"

const network = "ethereum-mainnet"
const A = "https://hugo:opensesame@a.example/0123456789abcdef0123456789abcdef"
const B = "https://b.example:8443/v1"
const C = "https://c.example"
const secrets = ["hugo", "opensesame", "0123456789abcdef", "KEYOFTHEUSER"]
const ADDRESS = "0x0000000000000000000000000000000000000001"

/** What a node does with a request. */
type Act =
  | { readonly result: unknown; readonly ms?: number }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly text: string }
  | { readonly fails: HttpFailure["kind"] }
  | "hangs"

type Behaviour = (method: string, n: number, params?: unknown) => Act

const fine: Behaviour = (method) => ({ result: method === "eth_chainId" ? "0x1" : "0x2a" })
const dead: Behaviour = () => ({ fails: "connect" })
const takes =
  (ms: number): Behaviour =>
  (method) => ({ result: method === "eth_chainId" ? "0x1" : "0x2a", ms: method === "eth_chainId" ? 0 : ms })

interface Ask {
  readonly id: unknown
  readonly method: string
  readonly params?: unknown
}

const replyTo = ({ id }: Ask, act: Act): unknown =>
  typeof act === "object" && "result" in act
    ? { jsonrpc: "2.0", id, result: act.result }
    : typeof act === "object" && "error" in act
      ? { jsonrpc: "2.0", id, error: act.error }
      : undefined

const response = (status: number, text: string): HttpResponse => ({
  status,
  text,
  header: () => undefined,
  bytes: new TextEncoder().encode(text)
})

/** An Http whose nodes behave so, by the beginning of their urls. It dies of any other request. */
const http = (nodes: { readonly [url: string]: Behaviour }) => {
  const sent: Array<HttpRequest> = []
  const send = (request: HttpRequest): Effect.Effect<HttpResponse, HttpFailure> =>
    Effect.suspend(() => {
      const known = Object.keys(nodes).find((url) => request.url.startsWith(url.replace(/\/\/.*@/, "//")))
      const behave = known === undefined ? undefined : nodes[known]
      if (behave === undefined) return Effect.dieMessage(`unexpected: ${request.method} ${request.url}`)
      const n = sent.push(request) - 1
      const body: unknown = typeof request.body === "string" ? JSON.parse(request.body) : undefined
      const asks = (Array.isArray(body) ? body : [body ?? { method: request.method }]) as ReadonlyArray<Ask>
      const acts = asks.map(({ method, params }) => behave(method, n, params))
      const [act] = acts
      const timeout = Effect.delay(
        Effect.fail(new HttpFailure({ kind: "timeout", reason: "no answer" })),
        request.timeout
      )
      if (act === undefined || act === "hangs") return timeout
      if ("fails" in act) return Effect.fail(new HttpFailure({ kind: act.fails, reason: "it fails" }))
      if ("status" in act) return Effect.succeed(response(act.status, act.text))
      const replies = asks.map((ask, i) => replyTo(ask, acts[i] ?? "hangs"))
      const text = JSON.stringify(Array.isArray(body) ? replies : replies[0])
      return Effect.delay(Effect.succeed(response(200, text)), "ms" in act ? (act.ms ?? 0) : 0)
    })
  return { sent, layer: Layer.succeed(Http, { send }) }
}

type Nodes = Parameters<typeof http>[0]

/** A client of these nodes, which nobody checks behind the back of a test; the first one is asked first. */
const client = (nodes: Nodes, config: Partial<SdkConfig<typeof network, "eventual">> = {}) => {
  const { layer, sent } = http(nodes)
  const urls = [A, B, C].filter((url) => url in nodes)
  return Sdk.makeHttp({
    network,
    apiKey: "KEYOFTHEUSER",
    quiet: true,
    verifyChain: false,
    hedge: false,
    retryDelay: 1,
    ...config,
    rpc: {
      nodes: urls.map((url) => ({ url })),
      statusCheckInterval: Number.POSITIVE_INFINITY
    }
  }).pipe(
    Effect.provide(layer),
    // the first node is the active one
    Effect.withRandom(Random.fixed([0])),
    Effect.map((sdk) => ({ sdk, sent }))
  )
}

const options = (given: CallOptionsShape) => Effect.provideService(CallOptions, given)

/** Runs an effect under a span of the caller's, letting the clock go as far as it takes. */
const traced = <X, E>(effect: Effect.Effect<X, E>, tracer: Tracer.Tracer) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect.pipe(Effect.withSpan("caller"), Effect.withTracer(tracer)))
    for (let i = 0; i < 150_000 && fiber.unsafePoll() === null; i++) {
      // services and families are loaded by promises, lists leave at the end of the turn
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 2)))
      yield* TestClock.adjust(i < 10 ? 0 : 50)
    }
    return yield* Fiber.await(fiber)
  })

const counts = (outcome: string, of = Metrics.calls) =>
  Effect.map(
    Metric.value(Metric.tagged(Metric.tagged(of, "network", network), "outcome", outcome)),
    ({ count }) => count
  )

const outcomes = ["ok", "interrupted", "CallTimeout", "RpcError", "NodeError", "NoQuorum", "InvalidArgument"]

/** The calls that an effect adds to the metric, by their outcome. */
const counted = <X, E, R>(effect: Effect.Effect<X, E, R>, of = Metrics.calls) =>
  Effect.gen(function* () {
    const all = Effect.forEach([...outcomes, "GatewayError"], (outcome) => counts(outcome, of))
    const before = yield* all
    const value = yield* effect
    const after = yield* all
    const more = [...outcomes, "GatewayError"].map(
      (outcome, i) => [outcome, (after[i] ?? 0) - (before[i] ?? 0)] as const
    )
    return [value, Object.fromEntries(more.filter(([, count]) => count > 0))] as const
  })

const one = (spans: ReadonlyArray<Recorded>): Recorded => {
  const [first] = spans
  if (first === undefined || spans.length > 1) throw new Error(`${spans.length} spans, not one`)
  return first
}

/** The spans of a call, and what it has added to the metric. */
const run = <X, E>(effect: Effect.Effect<X, E>) =>
  Effect.gen(function* () {
    const recorder = makeRecorder()
    const [exit, calls] = yield* counted(traced(effect, recorder.tracer))
    expect(recorder.faults).toEqual([])
    for (const { exit: end, name } of recorder.spans) expect([name, end]).not.toEqual([name, undefined])
    const text = recorder.text()
    for (const secret of secrets) expect(text).not.toContain(secret)
    return { ...recorder, exit, calls, caller: one(recorder.named("caller")) }
  })

const told = {
  "effect_chains.network": network,
  "effect_chains.attempts": 1,
  "effect_chains.hedged": false,
  "effect_chains.outcome": "ok",
  "rpc.system": "jsonrpc"
}
const atA = { "server.address": "a.example", "server.port": 443, "http.response.status_code": 200 }
const atB = { "server.address": "b.example", "server.port": 8443, "http.response.status_code": 200 }

describe("the span of a call", () => {
  it.scoped("is of kind client, a child of the caller's, and tells how it went", () =>
    Effect.gen(function* () {
      const { sdk, sent } = yield* client({ [A]: fine })
      const { calls, caller, exit, spans } = yield* run(sdk.rpc.gasPrice())
      expect(exit).toEqual(Exit.succeed(42n))
      expect(calls).toEqual({ ok: 1 })
      const [, call, ...others] = spans
      expect(others).toEqual([])
      expect(call).toMatchObject({ name: "eth_gasPrice", kind: "client", parent: caller.id, links: [] })
      expect(attributesOf(call)).toEqual({ ...told, ...atA, "rpc.method": "eth_gasPrice" })
      // nodes learn nothing of it
      for (const name of Object.keys(sent.at(-1)?.headers ?? {})) expect(name).not.toMatch(/trace|span|b3/i)
    })
  )

  it.scoped("is there for clients of a single family, and for a tracer that comes with a layer", () =>
    Effect.gen(function* () {
      const { layer } = http({ [A]: fine })
      const config = { network, quiet: true, verifyChain: false, rpc: { nodes: [{ url: A }] } } as const
      const sdk = yield* Effect.provide(Ethereum.make(config), layer)
      const { named, tracer } = makeRecorder()
      yield* Effect.provide(sdk.rpc.gasPrice(), Layer.setTracer(tracer))
      expect(attributesOf(one(named("eth_gasPrice")))).toMatchObject({ ...told, ...atA })
      yield* sdk.rpc.gasPrice()
      yield* sdk.rpc.gasPrice().pipe(Effect.withTracerEnabled(false), Effect.withTracer(tracer))
      expect(named("eth_gasPrice")).toHaveLength(1)
    })
  )

  it.scoped("is counted in clients of a single family, and of picked endpoints", () =>
    Effect.gen(function* () {
      const { layer } = http({ [A]: fine })
      const nodes = { quiet: true, verifyChain: false, rpc: { nodes: [{ url: A }] } } as const
      const family = yield* Effect.provide(Ethereum.make({ network, ...nodes }), layer)
      expect(yield* counted(family.rpc.gasPrice())).toEqual([42n, { ok: 1 }])
      const picked = yield* Effect.provide(
        Picked.createClient({ network: ETHEREUM, endpoints: { gasPrice: Picked.gasPrice }, ...nodes }),
        layer
      )
      expect(yield* counted(picked.rpc.gasPrice())).toEqual([42n, { ok: 1 }])
    })
  )

  it.scoped("names the template of a route", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: () => ({ status: 200, text: '{"data":{"root":"0x1"}}' }) })
      const { named } = yield* run(sdk.rpc.beacon.v1.getStateRoot({ stateId: "head" }))
      const span = one(named("GET /eth/v1/beacon/states/{stateId}/root"))
      expect(attributesOf(span)).toMatchObject({
        "http.request.method": "GET",
        "url.template": "/eth/v1/beacon/states/{stateId}/root"
      })
      expect(span.attributes.has("rpc.method")).toBe(false)
    })
  )

  it.scoped("counts the attempts of a call that goes on to another node", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: dead, [B]: fine })
      const { calls, named } = yield* run(sdk.rpc.gasPrice())
      expect(attributesOf(one(named("eth_gasPrice")))).toMatchObject({
        ...told,
        ...atB,
        "effect_chains.attempts": 2
      })
      expect(calls).toEqual({ ok: 1 })
    })
  )

  it.scoped("tells of a second attempt beside a slow one", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: takes(5_000), [B]: takes(20) }, { hedge: { delay: 100 } })
      const { calls, named } = yield* run(sdk.rpc.gasPrice())
      expect(attributesOf(one(named("eth_gasPrice")))).toMatchObject({
        ...told,
        ...atB,
        "effect_chains.attempts": 2,
        "effect_chains.hedged": true
      })
      expect(calls).toEqual({ ok: 1 })
    })
  )

  it.scoped("ends with the error of a call that fails", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: () => ({ error: { code: 3, message: "execution reverted" } }) })
      const { calls, named } = yield* run(sdk.rpc.call({ to: ADDRESS }))
      const span = one(named("eth_call"))
      expect(attributesOf(span)).toMatchObject({
        "effect_chains.outcome": "RpcError",
        "error.type": "RpcError",
        "rpc.jsonrpc.error_code": 3,
        ...atA
      })
      expect(span.exit?._tag).toBe("Failure")
      expect(calls).toEqual({ RpcError: 1 })
    })
  )

  it.scoped("tells the status of a node that fails", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: () => ({ status: 503, text: "" }) }, { retryCount: 0 })
      const { calls, named } = yield* run(sdk.rpc.gasPrice())
      expect(attributesOf(one(named("eth_gasPrice")))).toMatchObject({
        "error.type": "NodeError",
        ...atA,
        "http.response.status_code": 503
      })
      expect(calls).toEqual({ NodeError: 1 })
    })
  )

  it.scoped("is there for a call with bad options", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: fine })
      const { calls, named } = yield* run(options({ timeout: -1 })(sdk.rpc.gasPrice()))
      expect(attributesOf(one(named("eth_gasPrice")))).toMatchObject({
        "effect_chains.attempts": 0,
        "error.type": "InvalidArgument"
      })
      expect(calls).toEqual({ InvalidArgument: 1 })
    })
  )
})

/** The ways of a read through the stack, each with the spans of its requests. */
const ways: Readonly<
  Record<string, { readonly given: CallOptionsShape; readonly inner: string | undefined }>
> = {
  alone: { given: {}, inner: undefined },
  batched: { given: { batch: true }, inner: "batch of 2" },
  coalesced: { given: { coalesce: true }, inner: "eth_getBalance" },
  "coalesced in a list": { given: { coalesce: true, batch: true }, inner: "eth_getBalance" },
  quorum: { given: { quorum: { nodes: 2, agree: 2 } }, inner: "eth_getBalance" }
}

describe("calls that end without an answer are counted", () => {
  for (const [way, { given }] of Object.entries(ways)) {
    const both = (rpc: Sdk.Sdk<typeof network>["rpc"]) =>
      options(given)(
        Effect.all([rpc.getBalance(ADDRESS), rpc.getBalance(`${ADDRESS.slice(0, -1)}2`)], { concurrency: 2 })
      )

    it.scoped(`by their time-out: ${way}`, () =>
      Effect.gen(function* () {
        const { sdk } = yield* client(
          { [A]: () => "hangs", [B]: () => "hangs" },
          { timeout: 300, attemptTimeout: 300 }
        )
        const each = options(given)(
          Effect.all(
            [
              Effect.exit(sdk.rpc.getBalance(ADDRESS)),
              Effect.exit(sdk.rpc.getBalance(`${ADDRESS.slice(0, -1)}2`))
            ],
            {
              concurrency: 2
            }
          )
        )
        const { calls } = yield* run(each)
        expect(calls).toEqual(way === "quorum" ? { NoQuorum: 2 } : { CallTimeout: 2 })
      })
    )

    it.scoped(`by their interruption: ${way}`, () =>
      Effect.gen(function* () {
        const { sdk } = yield* client(
          { [A]: () => "hangs", [B]: () => "hangs" },
          { timeout: 60_000, attemptTimeout: 60_000 }
        )
        const { calls, spans } = yield* run(Effect.timeoutOption(both(sdk.rpc), 1_000))
        expect(calls).toEqual({ interrupted: 2 })
        for (const span of spans.filter(({ name }) => name !== "caller"))
          expect([span.name, attributesOf(span)["effect_chains.outcome"]]).toEqual([span.name, "interrupted"])
      })
    )
  }
})

describe("spans of calls that share requests", () => {
  it.scoped("of a list are linked with the list's", () =>
    Effect.gen(function* () {
      const { sdk, sent } = yield* client({ [A]: dead, [B]: fine })
      const five = Effect.forEach(
        Array.from({ length: 5 }),
        (_, i) => sdk.rpc.getBalance(`${ADDRESS.slice(0, -1)}${i}`),
        {
          concurrency: "unbounded"
        }
      )
      const { calls, caller, named } = yield* run(options({ batch: true })(five))
      expect(calls).toEqual({ ok: 5 })
      expect(sent.map(({ url }) => new URL(url).host)).toEqual(["a.example", "b.example:8443"])
      const list = one(named("batch of 5"))
      const own = named("eth_getBalance")
      expect(own).toHaveLength(5)
      expect(list).toMatchObject({ parent: undefined, kind: "client", links: own.map(({ id }) => id) })
      expect(attributesOf(list)).toMatchObject({ ...told, ...atB, "effect_chains.attempts": 2 })
      for (const span of own) {
        expect(span).toMatchObject({ parent: caller.id, kind: "client", links: [list.id] })
        expect(attributesOf(span)).toMatchObject({
          ...told,
          ...atB,
          "effect_chains.attempts": 2,
          "rpc.method": "eth_getBalance"
        })
      }
    })
  )

  it.scoped("of a flight are linked with the flight's, whoever joins it", () =>
    Effect.gen(function* () {
      const { sdk, sent } = yield* client({ [A]: takes(200) })
      const late = Effect.delay(sdk.rpc.gasPrice(), 100)
      const three = Effect.all([sdk.rpc.gasPrice(), sdk.rpc.gasPrice(), late], { concurrency: 3 })
      const { calls, caller, named } = yield* run(options({ coalesce: true })(three))
      expect(calls).toEqual({ ok: 3 })
      expect(sent).toHaveLength(1)
      const all = named("eth_gasPrice")
      const flight = one(all.filter(({ parent }) => parent === undefined))
      const own = all.filter((span) => span !== flight)
      expect(own).toHaveLength(3)
      expect([...flight.links].sort()).toEqual(own.map(({ id }) => id).sort())
      for (const span of own) {
        expect(span).toMatchObject({ parent: caller.id, links: [flight.id] })
        expect(attributesOf(span)).toMatchObject({ ...told, ...atA })
      }
    })
  )

  it.scoped("have the tracer of the caller, not that of the client", () =>
    Effect.gen(function* () {
      const maker = makeRecorder()
      const { sdk } = yield* client({ [A]: fine }).pipe(
        Effect.withSpan("maker"),
        Effect.withTracer(maker.tracer)
      )
      const { named } = yield* run(
        options({ coalesce: true, batch: true })(
          Effect.all([sdk.rpc.gasPrice(), sdk.rpc.blockNumber()], { concurrency: 2 })
        )
      )
      const list = one(named("batch of 2"))
      const flights = named("eth_gasPrice").filter(({ parent }) => parent === undefined)
      expect(flights).toHaveLength(1)
      expect(list.links).toContain(flights[0]?.id)
      expect(maker.spans.map(({ name }) => name)).toEqual(["maker"])
    })
  )

  it.scoped("of callers who have switched theirs off make none", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: fine })
      const both = Effect.all([sdk.rpc.gasPrice(), sdk.rpc.blockNumber()], { concurrency: 2 })
      const { spans } = yield* run(
        Effect.withTracerEnabled(options({ coalesce: true, batch: true })(both), false)
      )
      expect(spans.map(({ name }) => name)).toEqual(["caller"])
    })
  )

  it.scoped("of a quorum are the parents of those of its requests", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({ [A]: fine, [B]: fine, [C]: dead })
      const asked = options({ quorum: { nodes: 3, agree: 2 } })(sdk.rpc.getBalance(ADDRESS))
      const { calls, caller, named } = yield* run(asked)
      expect(calls).toEqual({ ok: 1 })
      const all = named("eth_getBalance")
      const whole = one(all.filter(({ parent }) => parent === caller.id))
      expect(all.filter(({ parent }) => parent === whole.id)).toHaveLength(3)
      expect(all).toHaveLength(4)
      expect(attributesOf(whole)).toMatchObject({ ...told, "effect_chains.attempts": 3 })
    })
  )
})

describe("spans beside those of calls", () => {
  it.scoped("of filters: one for the call, and those of its requests in it", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({
        [A]: (method) => ({ result: method === "eth_getFilterChanges" ? [] : "0x7" })
      })
      const made = sdk.rpc.rawRpcCall({ method: "eth_newPendingTransactionFilter", params: [] })
      const program = Effect.flatMap(made, (id) =>
        sdk.rpc.rawRpcCall({ method: "eth_getFilterChanges", params: [id] })
      )
      const { calls, caller, exit, named } = yield* run(program)
      expect(exit).toEqual(Exit.succeed([]))
      expect(calls).toEqual({ ok: 2 })
      for (const name of ["eth_newPendingTransactionFilter", "eth_getFilterChanges"]) {
        const [whole, part, ...others] = named(name)
        expect([whole?.parent, part?.parent, others]).toEqual([caller.id, whole?.id, []])
      }
    })
  )

  it.scoped("of a subscription last from its beginning to its end, with its reads in them", () =>
    Effect.gen(function* () {
      let height = 16
      const hex = (number: number) => `0x${number.toString(16)}`
      const block = (_: string, __: number, params: unknown): Act => {
        const [at] = Array.isArray(params) ? params : []
        const number = at === "latest" ? ++height : Number(at)
        return { result: { number: hex(number), hash: hex(number), parentHash: hex(number - 1) } }
      }
      const webSocket = () => {
        throw new Error("there are no sockets here")
      }
      const { sdk } = yield* client({ [A]: block }, { subscriptions: { webSocket } })
      const heads = sdk.rpc.subscribe.newHeads().pipe(Stream.take(2), Stream.runCollect)
      const { caller, exit, named } = yield* run(heads)
      expect(exit._tag).toBe("Success")
      const span = one(named("subscribe.newHeads"))
      expect(span).toMatchObject({ kind: "client", parent: caller.id, events: [["polling", {}]] })
      expect(attributesOf(span)).toMatchObject({
        "effect_chains.network": network,
        "effect_chains.mode": "polling",
        "effect_chains.outcome": "ok"
      })
      const reads = named("eth_getBlockByNumber")
      expect(reads.length).toBeGreaterThan(0)
      for (const { parent } of reads) expect(parent).toBe(span.id)
    })
  )

  it.scopedLive("of a subscription tell of its sockets, and of its end by its reader", () =>
    Effect.gen(function* () {
      const node = yield* Effect.acquireRelease(
        Effect.promise(() =>
          startSocketNode((method) => ({ result: method === "eth_chainId" ? "0x1" : "0x10" }))
        ),
        ({ close }) => Effect.promise(close)
      )
      const sdk = yield* Sdk.makeHttp({
        network,
        quiet: true,
        rpc: { nodes: [{ url: `${node.url}/opensesame` }], statusCheckInterval: Number.POSITIVE_INFINITY }
      }).pipe(Effect.provide(layerFetch))
      const { faults, named, text, tracer } = makeRecorder()
      const stood = yield* Effect.makeLatch()
      const onMode = () => stood.unsafeOpen()
      const reader = yield* sdk.rpc.subscribe
        .newPendingTransactions({ onMode })
        .pipe(Stream.runDrain, Effect.withSpan("caller"), Effect.withTracer(tracer), Effect.fork)
      yield* stood.await
      yield* Fiber.interrupt(reader)
      const span = one(named("subscribe.newPendingTransactions"))
      const at = { "server.address": "127.0.0.1", "server.port": node.port }
      expect(span).toMatchObject({ parent: one(named("caller")).id, events: [["socket", at]] })
      expect(attributesOf(span)).toMatchObject({
        ...at,
        "effect_chains.mode": "socket",
        "effect_chains.outcome": "interrupted"
      })
      expect(faults).toEqual([])
      expect(text()).not.toContain("opensesame")
    })
  )

  it.scoped("of services: one for the method, and one in it for each request to the provider", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({
        "https://api.tatum.io": (_, n) =>
          n === 0 ? { status: 502, text: "" } : { status: 200, text: '{"value":"1.5"}' }
      })
      const [{ caller, exit, named }, requests] = yield* counted(
        run(sdk.rates.getCurrentRate("BTC", "EUR")),
        Metrics.requests
      )
      expect(exit._tag).toBe("Success")
      expect(requests).toEqual({ ok: 1 })
      const whole = one(named("rates.getCurrentRate"))
      expect(whole).toMatchObject({ kind: "internal", parent: caller.id })
      const request = one(named("GET rate/{currency}"))
      expect(request).toMatchObject({ kind: "client", parent: whole.id })
      expect(attributesOf(request)).toEqual({
        "effect_chains.network": network,
        "effect_chains.attempts": 2,
        "effect_chains.hedged": false,
        "effect_chains.outcome": "ok",
        "http.request.method": "GET",
        "url.template": "rate/{currency}",
        "server.address": "api.tatum.io",
        "server.port": 443,
        "http.response.status_code": 200
      })
    })
  )

  it.scoped("of services that ask nodes and the provider: all calls are children of the method's", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({
        [A]: fine,
        "https://api.tatum.io": () => ({ status: 200, text: '{"result":[]}' })
      })
      const { exit, spans, named } = yield* run(sdk.address.getBalance({ addresses: [ADDRESS] }))
      expect(exit._tag).toBe("Success")
      const whole = one(named("address.getBalance"))
      const calls = spans.filter(({ parent }) => parent === whole.id).map(({ name }) => name)
      expect(calls.length).toBeGreaterThan(1)
      expect(spans).toHaveLength(calls.length + 2)
    })
  )

  it.scoped("of requests to the provider that fail, and that are given up", () =>
    Effect.gen(function* () {
      const { sdk } = yield* client({
        "https://api.tatum.io": (_, n) => (n === 0 ? { status: 403, text: '{"message":"no"}' } : "hangs")
      })
      const rate = sdk.rates.getCurrentRate("BTC", "EUR")
      const [failed, first] = yield* counted(run(rate), Metrics.requests)
      expect(first).toEqual({ GatewayError: 1 })
      expect(attributesOf(one(failed.named("GET rate/{currency}")))).toMatchObject({
        "http.response.status_code": 403,
        "error.type": "GatewayError"
      })
      const [left, second] = yield* counted(run(Effect.timeoutOption(rate, 100)), Metrics.requests)
      expect(second).toEqual({ interrupted: 1 })
      expect(attributesOf(one(left.named("GET rate/{currency}")))["effect_chains.outcome"]).toBe(
        "interrupted"
      )
    })
  )
})

it.scoped("a real OpenTelemetry SDK gets the same spans", () =>
  Effect.gen(function* () {
    const exporter = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const tracing = OtelTracer.layer.pipe(
      Layer.provide(Layer.succeed(OtelTracer.OtelTracerProvider, provider)),
      Layer.provide(Resource.layer({ serviceName: "test" }))
    )
    const { sdk } = yield* client({ [A]: dead, [B]: fine })
    const both = Effect.all([sdk.rpc.gasPrice(), sdk.rpc.blockNumber()], { concurrency: 2 })
    const program = both.pipe(options({ batch: true }), Effect.withSpan("caller"))
    yield* Effect.provide(program, tracing)
    yield* sdk.rpc.call({ to: ADDRESS }).pipe(Effect.provide(tracing))
    const spans = exporter.getFinishedSpans()
    const list = spans.find(({ name }) => name === "batch of 2")
    const caller = spans.find(({ name }) => name === "caller")
    expect(list?.parentSpanContext).toBeUndefined()
    for (const name of ["eth_gasPrice", "eth_blockNumber"]) {
      const span = spans.find((each) => each.name === name)
      expect(span).toMatchObject({ kind: SpanKind.CLIENT, status: { code: SpanStatusCode.OK } })
      expect(span?.parentSpanContext?.spanId).toBe(caller?.spanContext().spanId)
      expect(span?.links.map(({ context }) => context.spanId)).toEqual([list?.spanContext().spanId])
      expect(list?.links.map(({ context }) => context.spanId)).toContain(span?.spanContext().spanId)
      expect(span?.attributes).toEqual({
        ...told,
        ...atB,
        "effect_chains.attempts": 2,
        "rpc.method": name
      })
    }
    expect(spans).toHaveLength(5)
    yield* Effect.promise(() => provider.shutdown())
  })
)
