/** What a program of Effect may rely on: calls are descriptions, and logs, configuration and layers are those of the program. */
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as List from "effect/List"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import fc from "fast-check"
import * as Changes from "../src/balancer/Changes.js"
import * as Sdk from "../src/client/Sdk.js"
import * as SdkLogger from "../src/config/Logger.js"
import { Http, HttpFailure, type HttpRequest, type HttpResponse } from "../src/http/Http.js"
import { runs } from "./properties.js"

const response = (value: unknown): HttpResponse => {
  const text = JSON.stringify(value)
  return { status: 200, text, header: () => undefined, bytes: new TextEncoder().encode(text) }
}

const idOf = ({ body }: HttpRequest): unknown => JSON.parse(String(body)).id

const answer = (request: HttpRequest): HttpResponse =>
  response({ jsonrpc: "2.0", id: idOf(request), result: "0x1" })

const nodes = [{ url: "https://a.example" }, { url: "https://b.example" }]

const config = {
  verifyChain: false,
  rpc: { nodes, statusCheckInterval: Number.POSITIVE_INFINITY }
} as const

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

const overHttp = (send: (request: HttpRequest) => Effect.Effect<HttpResponse, HttpFailure>) =>
  Layer.succeed(Http, { send })

interface Line {
  readonly level: string
  readonly text: string
  readonly annotations: Readonly<Record<string, unknown>>
  readonly spans: ReadonlyArray<string>
}

/** Runs a program, and yields the lines of its log from `minimum` on. */
const linesOf = <A, E, R>(program: Effect.Effect<A, E, R>, minimum = LogLevel.Debug) =>
  Effect.suspend(() => {
    const lines: Array<Line> = []
    const recording = Logger.make(({ annotations, logLevel, message, spans }) => {
      lines.push({
        level: logLevel.label,
        text: String(message),
        annotations: Object.fromEntries(HashMap.toEntries(annotations)),
        spans: List.toArray(spans).map(({ label }) => label)
      })
    })
    return program.pipe(
      Logger.withMinimumLogLevel(minimum),
      Effect.provide(Logger.replace(Logger.defaultLogger, recording)),
      Effect.as(lines)
    )
  })

describe("a call", () => {
  it.scopedLive("is a description: each run is a call of its own, with an id of its own", () =>
    Effect.gen(function* () {
      const ids: Array<unknown> = []
      const http = overHttp((request) =>
        Effect.sync(() => {
          const { body } = request
          const sent: unknown = JSON.parse(String(body))
          ids.push(...[sent].flat().map((each) => Reflect.get(Object(each), "id")))
          return Array.isArray(sent)
            ? response(sent.map(({ id }) => ({ jsonrpc: "2.0", id, result: "0x1" })))
            : answer(request)
        })
      )
      const sdk = yield* Effect.provide(
        Sdk.makeHttp({ network: "ethereum-mainnet", quiet: true, hedge: false, ...config }),
        http
      )
      const reported: Array<number> = []
      sdk.nodes.listen((event) => void ("id" in event && reported.push(event.id)))
      for (const call of [
        sdk.rpc.blockNumber(),
        sdk.rpc.rawRpcCall({ method: "eth_blockNumber" }),
        sdk.rpc.sendRawTransaction("0x00"),
        sdk.rpc.rawBatchRpcCall([{ method: "eth_chainId" }, { method: "eth_gasPrice" }])
      ]) {
        yield* call
        yield* call
      }
      expect(ids).toHaveLength(10)
      expect(new Set(ids).size).toBe(10)
      // each call is an attempt and an answer
      expect(new Set(reported).size).toBe(reported.length / 2)
    })
  )
})

describe("the log", () => {
  it.scopedLive("has the annotations and spans of the calling fiber in all lines of a call", () =>
    Effect.gen(function* () {
      const http = overHttp((request) =>
        request.url.includes("//a.")
          ? Effect.fail(new HttpFailure({ kind: "network", reason: "refused" }))
          : Effect.succeed(answer(request))
      )
      const lines = yield* linesOf(
        Effect.gen(function* () {
          const sdk = yield* Effect.provide(
            Sdk.makeHttp({
              network: "ethereum-mainnet",
              verbose: true,
              selection: "round-robin",
              hedge: false,
              ...config
            }),
            http
          )
          const call = sdk.rpc
            .blockNumber()
            .pipe(Effect.annotateLogs("order", 7), Effect.withLogSpan("checkout"))
          yield* call
          yield* call
        })
      )
      const ofCalls = lines.filter(({ annotations }) => annotations.call === "eth_blockNumber")
      expect(ofCalls.map(({ text }) => text)).toEqual(expect.arrayContaining(["Attempted", "Answered"]))
      const failed = lines.filter(({ text }) => /^Failed|unstable/.test(text))
      expect(failed.length).toBeGreaterThan(0)
      for (const line of [...ofCalls, ...failed])
        expect(line).toMatchObject({ annotations: { order: 7 }, spans: ["checkout"] })
    })
  )

  it("never says that a fiber of the client has failed", async () => {
    const fault = fc.constantFrom("answer", "refuse", "hang", "garbage", "busy")
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          faults: fc.array(fault, { minLength: 1, maxLength: 8 }),
          interruptAfter: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
          verifyChain: fc.boolean(),
          batch: fc.boolean()
        }),
        async ({ batch, faults, interruptAfter, verifyChain }) => {
          let count = 0
          const http = overHttp((request) =>
            Effect.suspend(() => {
              const kind = faults[count++ % faults.length]
              return kind === "refuse"
                ? Effect.fail(new HttpFailure({ kind: "network", reason: "refused" }))
                : kind === "hang"
                  ? Effect.never
                  : kind === "garbage"
                    ? Effect.succeed({ ...response(1), text: "<html>" })
                    : kind === "busy"
                      ? Effect.succeed({ ...response(1), status: 429 })
                      : Effect.succeed(answer(request))
            })
          )
          const program = Effect.scoped(
            Effect.gen(function* () {
              const sdk = yield* Effect.provide(
                Sdk.makeHttp({
                  network: "ethereum-mainnet",
                  apiKey: "KEY",
                  timeout: 40,
                  attemptTimeout: 15,
                  retryDelay: 1,
                  hedge: { delay: 2, maxExtraLoad: 1 },
                  batch,
                  rpc: { nodes },
                  verifyChain
                }),
                http
              )
              const calls = Effect.all(
                [
                  Effect.exit(sdk.rpc.blockNumber()),
                  Effect.exit(sdk.rpc.gasPrice()),
                  Effect.exit(sdk.rpc.sendRawTransaction("0x00"))
                ],
                { concurrency: "unbounded" }
              )
              const fiber = yield* Effect.fork(calls)
              yield* interruptAfter === undefined
                ? Fiber.await(fiber)
                : Effect.zipRight(Effect.sleep(interruptAfter), Fiber.interrupt(fiber))
            })
          )
          const lines = await Effect.runPromise(linesOf(program, LogLevel.All))
          expect(lines.filter(({ text }) => /unhandled error/.test(text))).toEqual([])
        }
      ),
      { numRuns: runs(40) }
    )
  })

  it.scopedLive("goes to a Logger that the program provides", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const write: SdkLogger.WriteLine = (message) => Effect.sync(() => void lines.push(message()))
      const own = Layer.succeed(SdkLogger.Logger, {
        verbose: true,
        debug: write,
        info: write,
        warn: write,
        error: write
      })
      const http = overHttp((request) => Effect.succeed(answer(request)))
      yield* Effect.flatMap(Eth, ({ rpc }) => rpc.blockNumber()).pipe(
        Effect.provide(Layer.provide(Eth.layerHttp(config), [http, own]))
      )
      expect(lines).toEqual(expect.arrayContaining(["Attempted", "Answered"]))
    })
  )

  it.live("says that a key is missing to clients of the provider's nodes alone", () =>
    Effect.gen(function* () {
      const refused = new HttpFailure({ kind: "network", reason: "refused" })
      const http = overHttp(() => Effect.fail(refused))
      const warnings = (options: object) =>
        Effect.map(
          linesOf(
            Effect.scoped(Effect.provide(Sdk.makeHttp({ network: "ethereum-mainnet", ...options }), http)),
            LogLevel.Warning
          ),
          (lines) => lines.filter(({ text }) => /API key/.test(text)).length
        )
      expect(yield* warnings({})).toBe(1)
      expect(yield* warnings({ apiKey: "KEY" })).toBe(0)
      expect(yield* warnings({ rpc: { nodes } })).toBe(0)
    })
  )
})

describe("the events of a pool", () => {
  it.scopedLive("come with the layer of the client alone", () =>
    Effect.gen(function* () {
      const http = overHttp((request) => Effect.succeed(answer(request)))
      const program = Effect.gen(function* () {
        const events = yield* Effect.fork(Stream.runCollect(Stream.take(Changes.changes(Eth), 2)))
        // the stream may begin within a call
        while (Option.isNone(yield* Fiber.poll(events)))
          yield* Effect.flatMap(Eth, ({ rpc }) => rpc.blockNumber())
        return Chunk.toReadonlyArray(yield* Fiber.join(events)).map(({ _tag }) => _tag)
      })
      const live = Layer.provide(Eth.layerHttp({ ...config, hedge: false }), http)
      expect((yield* Effect.provide(program, live)).sort()).toEqual(["Answered", "Attempted"])
    })
  )
})

describe("the environment", () => {
  const asked: Array<string> = []
  const platform = Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) =>
      Effect.sync(() => {
        asked.push(url.href)
        return HttpClientResponse.fromWeb(
          request,
          new Response(JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" }))
        )
      })
    )
  )
  const build = (provider: ConfigProvider.ConfigProvider, options: { readonly prefix?: string } = {}) =>
    Effect.scoped(
      Layer.build(Layer.provide(Eth.layerEnv({ prefix: "ETH", ...options, verifyChain: false }), platform))
    ).pipe(Effect.withConfigProvider(provider))
  const variables = (all: Readonly<Record<string, string>>) =>
    ConfigProvider.fromMap(new Map(Object.entries(all)), { pathDelim: "_", seqDelim: "," })
  const url = "https://own.example"
  const failure = (provider: ConfigProvider.ConfigProvider, prefix = "ETH") =>
    Effect.map(Effect.flip(build(provider, { prefix })), String)

  it.effect("has durations as options have them", () =>
    Effect.gen(function* () {
      for (const time of ["5 seconds", "5000", "0.5 minutes"])
        yield* build(variables({ ETH_NODES: url, ETH_TIMEOUT: time }))
      expect(yield* failure(variables({ ETH_NODES: url, ETH_TIMEOUT: "soon" }))).toMatch(
        /ETH_TIMEOUT.*must be a duration/
      )
    })
  )

  it.effect.each([
    ["names as they are in the environment", variables({ ETH_NODES: url }), "ETH"],
    ["a flat map", ConfigProvider.fromMap(new Map([["ETH_NODES", url]])), "ETH"],
    ["JSON", ConfigProvider.fromJson({ ETH: { NODES: [url] } }), "ETH"],
    ["JSON in camel case", ConfigProvider.fromJson({ eth: { nodes: [url] } }), "eth"],
    ["constant case", ConfigProvider.constantCase(variables({ ETH_NODES: url })), "eth"],
    [
      "nested",
      ConfigProvider.nested(ConfigProvider.fromJson({ app: { ETH: { NODES: url } } }), "app"),
      "ETH"
    ],
    ["a prefix with an underscore", variables({ MY_ETH_NODES: url }), "MY_ETH"]
  ] as const)("may come from a provider of %s", ([, provider, prefix]) =>
    Effect.gen(function* () {
      const live = Layer.provide(Eth.layerEnv({ prefix, quiet: true }), platform)
      const sdk = yield* Effect.scoped(
        Effect.provide(
          Effect.flatMap(Eth, (eth) => eth.nodes.snapshot),
          live
        )
      ).pipe(Effect.withConfigProvider(provider))
      expect(sdk.map((node) => node.url)).toEqual([url])
    })
  )

  it.effect("is named in errors as it is written", () =>
    Effect.gen(function* () {
      expect(yield* failure(variables({ ETH_NODES: url, ETH_RETRY_COUNT: "many" }))).toMatch(
        /ETH_RETRY_COUNT.*must be a number/
      )
      expect(yield* failure(variables({ ETH_NODES: url, ETH_RETRY_COUNT: "-1" }))).toMatch(
        /ETH_RETRY_COUNT must/
      )
      expect(yield* failure(variables({ ETH_NODES: "no url" }))).toMatch(/ETH_NODES\[0\] must/)
      expect(yield* failure(ConfigProvider.fromJson({ ETH: { RETRY_COUNT: "many" } }))).toMatch(
        /ETH\.RETRY_COUNT.*must be a number/
      )
    })
  )

  it.effect("fails for names that are nearly those of options", () =>
    Effect.gen(function* () {
      for (const [provider, message] of [
        [variables({ ETH_NODE: url }), /ETH\.NODE.*did you mean NODES\?/],
        [ConfigProvider.fromMap(new Map([["ETH_NODE", url]])), /ETH_NODE.*did you mean NODES\?/],
        [variables({ ETH_NODES: url, ETH_TIME_OUT: "5" }), /did you mean TIMEOUT\?/],
        [ConfigProvider.fromJson({ ETH: { Nodes: [url] } }), /did you mean NODES\?/],
        [ConfigProvider.fromJson({ ETH: { NODES: [{ url }] } }), /NODES is a list of texts/]
      ] as const)
        expect(yield* failure(provider)).toMatch(message)
    })
  )

  it.effect("is said to be unread where the client has no nodes but the provider's", () =>
    Effect.gen(function* () {
      const unread = (all: Readonly<Record<string, string>>) =>
        Effect.map(linesOf(build(variables(all)), LogLevel.Warning), (lines) =>
          lines.filter(({ text }) => /Not read/.test(text)).map(({ text }) => text)
        )
      expect(yield* unread({ ETH_CONTRACT_ADDRESS: "0x" })).toEqual([
        "There are no nodes in ETH_NODES, so the client takes the provider's. Not read: ETH_CONTRACT_ADDRESS"
      ])
      expect(yield* unread({ ETH_CONTRACT_ADDRESS: "0x", ETH_NODES: url })).toEqual([])
      expect(yield* unread({ ETH_API_KEY: "KEY" })).toEqual([])
    })
  )
})
