/** A client whose nodes, clock and log a test holds in its hands. */
import { expect } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as TestClock from "effect/TestClock"
import { ClientFamily } from "../../src/balancer/Family.js"
import * as NodePool from "../../src/balancer/NodePool.js"
import { evm } from "../../src/chains/Evm.js"
import * as Config from "../../src/config/Config.js"
import * as Logger from "../../src/config/Logger.js"
import { dialectOf, group, rpc } from "../../src/data/Endpoint.js"
import type { Network } from "../../src/data/Network.js"
import { Http, HttpFailure, type HttpRequest, type HttpResponse } from "../../src/http/Http.js"
import { make as makeClient, makeRawRpc } from "../../src/transport/Client.js"
import { CallOptions, type CallOptionsShape, type TransportService } from "../../src/wire/Transport.js"

/** Methods of the tests' own that are known to read: of those that no table has, nobody knows what they do. */
export const tested = group(dialectOf(evm.endpoints), {
  ...evm.endpoints,
  ...Object.fromEntries(
    ["test_silence", "test_read", ...Array.from({ length: 100 }, (_, i) => `test_read${i}`)].map((method) => [
      method,
      rpc<[], unknown>(method)
    ])
  )
})

/** A request as a node sees it. `n` counts the requests of this method to this url, from 0. */
export interface NodeRequest {
  readonly url: string
  readonly method: string
  readonly id: unknown
  readonly params: unknown
  readonly at: number
  readonly n: number
  readonly request: HttpRequest
}

export type NodeAnswer =
  | {
      readonly status?: number
      readonly text: string
      readonly after?: number
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly failure: HttpFailure["kind"]; readonly after?: number }
  | "hang"

export type Behaviour = (ask: NodeRequest) => NodeAnswer | undefined

export const textAnswer = (body: unknown, status = 200): NodeAnswer => ({
  status,
  text: typeof body === "string" ? body : JSON.stringify(body)
})
export const resultAnswer = (ask: NodeRequest, value: unknown): NodeAnswer =>
  textAnswer({ jsonrpc: "2.0", id: ask.id, result: value })
export const errorAnswer = (ask: NodeRequest, code: number, message: string, status = 200): NodeAnswer =>
  textAnswer({ jsonrpc: "2.0", id: ask.id, error: { code, message } }, status)
export const failureAnswer = (failure: HttpFailure["kind"]): NodeAnswer => ({ failure })
export const delayAnswer = (answer: NodeAnswer, after: number): NodeAnswer =>
  answer === "hang" ? answer : { ...answer, after }

export const isProbe = (ask: NodeRequest): boolean => ask.method === "eth_blockNumber"
export const isCheck = (ask: NodeRequest): boolean => ask.method === "eth_chainId"

/** A node in good order, but for what `special` says. */
export const makeNode =
  (
    special: Behaviour = () => undefined,
    options: { readonly height?: number; readonly chain?: string } = {}
  ): Behaviour =>
  (ask) =>
    special(ask) ??
    (isCheck(ask)
      ? resultAnswer(ask, options.chain ?? "0x1")
      : isProbe(ask)
        ? resultAnswer(ask, `0x${(options.height ?? 100).toString(16)}`)
        : resultAnswer(ask, "0x2a"))

export const unreachableNode: Behaviour = () => failureAnswer("connect")

export interface World {
  readonly network?: Network
  readonly config?: Partial<Omit<Config.SdkConfig, "network">>
  /** Behaviour by url without what follows the first path segment; a request to any other url fails the test. */
  readonly nodes: { [url: string]: Behaviour }
  readonly family?: typeof ClientFamily.Service
}

export const A = "https://a.example"
export const B = "https://b.example"
export const C = "https://c.example"
export const LIST = "https://rpc.tatum.io/ethereum-mainnet/list.json"
export const ARCHIVE_LIST = "https://rpc.tatum.io/ethereum-mainnet-archive/list.json"

/** Nodes that nobody checks behind the back of a test. */
export const staticConfig = (...urls: ReadonlyArray<string>) => ({
  rpc: { nodes: urls.map((url) => ({ url })), statusCheckInterval: Number.POSITIVE_INFINITY }
})

/** Nodes with the checks that are the default. */
export const checkedConfig = (...urls: ReadonlyArray<string>) => ({
  rpc: { nodes: urls.map((url) => ({ url })) }
})

/** The first random numbers are 0: the first node of each type is active. */
export const pickFirst = Effect.withRandom(Random.fixed([0]))

export const makeWorld = (options: World) =>
  Effect.gen(function* () {
    const clock = yield* Clock.clockWith(Effect.succeed)
    const sent: Array<NodeRequest> = []
    const counts = new Map<string, number>()
    const surprises: Array<string> = []
    const logs: Array<string> = []
    let open = 0
    const http = Layer.succeed(Http, {
      send: (request) =>
        Effect.suspend((): Effect.Effect<HttpResponse, HttpFailure> => {
          const known = Object.keys(options.nodes).find(
            (key) => request.url === key || request.url.startsWith(`${key}/`)
          )
          const behaviour = known === undefined ? undefined : options.nodes[known]
          const json: { readonly method?: string; readonly id?: unknown; readonly params?: unknown } =
            typeof request.body === "string" ? JSON.parse(request.body) : {}
          const method = json.method ?? `${request.method} ${request.url.slice(known?.length ?? 0)}`
          const counted = `${request.url} ${method}`
          const n = counts.get(counted) ?? 0
          counts.set(counted, n + 1)
          const { id, params } = json
          const ask: NodeRequest = {
            url: request.url,
            method,
            id,
            params,
            at: clock.unsafeCurrentTimeMillis(),
            n,
            request
          }
          sent.push(ask)
          const answer = behaviour?.(ask)
          if (answer === undefined) {
            surprises.push(`${request.method} ${request.url} ${method}`)
            return Effect.dieMessage(`unexpected request to ${request.url}`)
          }
          const timeout = Effect.zipRight(
            Effect.sleep(request.timeout),
            new HttpFailure({ kind: "timeout", reason: `no answer within ${request.timeout} ms` })
          )
          if (answer === "hang") return timeout
          const ended =
            "failure" in answer
              ? Effect.fail(
                  new HttpFailure({ kind: answer.failure, reason: `it is a failure: ${answer.failure}` })
                )
              : Effect.succeed<HttpResponse>({
                  status: answer.status ?? 200,
                  header: (name) => answer.headers?.[name],
                  bytes: new Uint8Array(),
                  text: answer.text
                })
          const { after = 0 } = answer
          if (after > request.timeout) return timeout
          return after === 0 ? ended : Effect.zipRight(Effect.sleep(after), ended)
        }).pipe((effect) =>
          Effect.acquireUseRelease(
            Effect.sync(() => open++),
            () => effect,
            () => Effect.sync(() => open--)
          )
        )
    })
    const write = (level: string) => (message: string) => void logs.push(`${level}: ${message}`)
    const logger = {
      trace: write("trace"),
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error")
    }
    const config = Config.layer({ logger, ...options.config, network: options.network ?? "ethereum-mainnet" })
    const context = yield* Layer.build(
      NodePool.layer.pipe(
        Layer.provide(
          Layer.succeed(
            ClientFamily,
            options.family ?? {
              probe: evm.probe ?? fail(),
              chain: evm.chain ?? fail(),
              makeHasBlockCall: evm.makeHasBlockCall ?? fail()
            }
          )
        ),
        Layer.provide(http),
        Layer.provide(Layer.provideMerge(Logger.layer, config))
      )
    )
    const pool = Context.get(context, NodePool.NodePool)
    const transport: TransportService = pool
    yield* Effect.addFinalizer(() => Effect.sync(() => expect(surprises).toEqual([])))
    const routing = { archive: true, batchArchive: true }
    const calls = (): ReadonlyArray<NodeRequest> =>
      sent.filter((ask) => !isProbe(ask) && !isCheck(ask) && !ask.url.endsWith("/list.json"))
    return {
      rpc: makeClient(evm.endpoints, transport, routing),
      raw: makeRawRpc(tested, transport, routing),
      transport,
      pool,
      sent,
      logs,
      calls,
      probes: () => sent.filter(isProbe),
      checks: () => sent.filter(isCheck),
      hosts: () => calls().map((ask) => ask.url),
      open: () => open,
      failed: Effect.map(pool.snapshot, (nodes) => nodes.filter((each) => each.failed).map(({ url }) => url)),
      active: Effect.map(pool.snapshot, (nodes) => nodes.filter((each) => each.active).map(({ url }) => url))
    }
  }).pipe(pickFirst)

export const fail = (): never => {
  throw new Error("the EVM family has no checks")
}

export const runTimed = <X, E, R>(effect: Effect.Effect<X, E, R>) =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    const fiber = yield* Effect.fork(effect)
    for (let i = 0; i < 400; i++) {
      if (fiber.unsafePoll() !== null) break
      yield* TestClock.adjust(i < 20 ? 0 : 250)
    }
    const polled = fiber.unsafePoll()
    if (polled === null) throw new Error("the call hangs")
    return { exit: polled, took: (yield* Clock.currentTimeMillis) - start }
  })

/** Runs a call to its end, moving the clock as far as it takes. */
export const runEither = <X, E, R>(effect: Effect.Effect<X, E, R>) =>
  Effect.flatMap(runTimed(effect), ({ exit }) => Effect.either(Effect.flatten(Effect.succeed(exit))))

export const runRight = <X, E, R>(effect: Effect.Effect<X, E, R>) =>
  Effect.map(runEither(effect), (outcome) => Either.getOrThrowWith(outcome, (e) => e))
export const runLeft = <X, E, R>(effect: Effect.Effect<X, E, R>) =>
  Effect.map(runEither(effect), (outcome) => {
    if (Either.isRight(outcome)) throw new Error(`it succeeded with ${String(outcome.right)}`)
    return outcome.left
  })
export const settle = TestClock.adjust(0)
export const withCallOptions = (more: CallOptionsShape) => Effect.provideService(CallOptions, more)

/** Makes a call that succeeds, and yields when that was. */
export const calledAt = <X, E, R>(effect: Effect.Effect<X, E, R>) =>
  Effect.zipLeft(Clock.currentTimeMillis, runRight(effect))

/** A node that is well, and takes so many milliseconds for everything. */
export const slowNode = (ms: number): Behaviour => {
  const well = makeNode()
  return (ask) => delayAnswer(well(ask) ?? "hang", ms)
}

/** How an effect ends that takes just so many milliseconds. */
export const runWithin = <X, E, R>(ms: number, effect: Effect.Effect<X, E, R>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(effect)
    yield* settle
    yield* TestClock.adjust(ms - 1)
    yield* settle
    expect(fiber.unsafePoll()).toBe(null)
    yield* TestClock.adjust(1)
    return yield* Fiber.await(fiber)
  })
