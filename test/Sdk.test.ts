import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { describe, expect, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import type { EffectExtensionContext } from "../src/client/extensions.js"
import * as Sdk from "../src/client/Sdk.js"
import type { SdkConfig } from "../src/config/Config.js"
import { isNetwork, networks } from "../src/data/Network.js"
import { Http, type HttpRequest, type HttpResponse } from "../src/http/Http.js"
import { CallOptions, type CallOptionsShape } from "../src/wire/Transport.js"

const node = "http://127.0.0.1:1"
const rpc = { nodes: [{ url: node }] }
const quiet = { rpc, quiet: true, verifyChain: false, retryCount: 0 } as const

const response = (value: unknown, status = 200): HttpResponse => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return { status, text, header: () => undefined, bytes: new TextEncoder().encode(text) }
}

/** An Http that records its requests; the test decides the answer. */
const double = (answer: (request: HttpRequest) => Effect.Effect<HttpResponse>) => {
  const requests: Array<HttpRequest> = []
  const interrupted: Array<string> = []
  const layer = Layer.succeed(Http, {
    send: (request) =>
      Effect.suspend(() => {
        requests.push(request)
        return Effect.onInterrupt(answer(request), () => Effect.sync(() => interrupted.push(request.url)))
      })
  })
  return { interrupted, layer, requests }
}

/** Answers JSON-RPC with a result that depends on where it is asked. */
const answering = (result: (request: HttpRequest) => unknown) => (request: HttpRequest) =>
  Effect.sync(() =>
    response({ jsonrpc: "2.0", id: JSON.parse(String(request.body)).id, result: result(request) })
  )

const unexpected = (request: HttpRequest) =>
  Effect.die(new Error(`unexpected: ${request.method} ${request.url}`))

/** What the program's Effect logger gets while a client is made. */
const linesOf = (config: SdkConfig, answer: typeof unexpected = unexpected) =>
  Effect.gen(function* () {
    const lines: Array<readonly [string, string]> = []
    const recording = Logger.make(({ logLevel, message }) => {
      lines.push([logLevel.label, String(message)])
    })
    yield* Effect.scoped(Sdk.makeHttp(config)).pipe(
      Effect.provide(double(answer).layer),
      Effect.provide(Logger.replace(Logger.defaultLogger, recording))
    )
    return lines
  })

describe("Sdk.make", () => {
  it.scoped("makes the client of a network, which calls its nodes", () =>
    Effect.gen(function* () {
      const { layer, requests } = double(answering(() => "0x10"))
      const sdk = yield* Effect.provide(Sdk.makeHttp({ network: "ethereum-mainnet", ...quiet }), layer)
      expect(sdk.network).toBe("ethereum-mainnet")
      expect(yield* sdk.rpc.blockNumber()).toBe(16n)
      expect(yield* sdk.rpc.rawRpcCall<string>({ method: "eth_blockNumber" })).toBe("0x10")
      expect(yield* sdk.rpc.getRpcNodeUrl("/x")).toBe(`${node}/x`)
      expect(yield* sdk.nodes.snapshot).toMatchObject([{ url: node, active: true, failed: false }])
      expect(requests.map(({ method, url }) => [method, url])).toEqual([
        ["POST", node],
        ["POST", node]
      ])
    })
  )

  it.scoped("checks the options of calls: reads, writes and services tell what is wrong", () =>
    Effect.gen(function* () {
      const { layer, requests } = double(unexpected)
      const sdk = yield* Effect.provide(Sdk.makeHttp({ network: "ethereum-mainnet", ...quiet }), layer)
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [{ timeOut: 5 }, "timeOut is not an option; did you mean timeout?"],
        [{ timeout: 1n }, "timeout must be a number above 0, not bigint 1"],
        [{ node: -1 }, "node must be a url, not number -1"],
        [{ quorum: null }, "quorum must be { nodes, agree }"],
        // it is for promises: an Effect is interrupted
        [{ signal: AbortSignal.abort() }, "signal is not an option"]
      ]
      for (const [options, message] of wrong) {
        // wrong on purpose: what JavaScript may pass
        const using = Effect.provideService(CallOptions, options as CallOptionsShape)
        const read = yield* Effect.flip(using(sdk.rpc.blockNumber()))
        expect(read).toMatchObject({ _tag: "InvalidArgument", call: "eth_blockNumber" })
        expect(read.message).toContain(message)
        const write = yield* Effect.flip(using(sdk.rpc.sendRawTransaction("0x00")))
        expect(write.message).toContain(`eth_sendRawTransaction: ${message}`)
        const rate = yield* Effect.flip(using(sdk.rates.getCurrentRate("BTC", "EUR")))
        expect(rate.message).toContain(message)
      }
      expect(requests).toEqual([])
    })
  )

  it.scoped("fails with the typed error, and sends nothing", () =>
    Effect.gen(function* () {
      const { layer, requests } = double(unexpected)
      const tagOf = (config: object) =>
        // wrong on purpose: what JavaScript may pass
        Effect.provide(Effect.flip(Sdk.makeHttp(config as SdkConfig)), layer).pipe(
          Effect.map((error) => error._tag)
        )
      expect(yield* tagOf({ network: "etherum-mainnet", ...quiet })).toBe("UnsupportedNetwork")
      expect(yield* tagOf({ network: "ethereum-mainnet", retries: 1 })).toBe("InvalidConfig")
      const configureExtensions = [{ name: "x", supportedNetworks: ["bsc-mainnet"] }]
      expect(yield* tagOf({ network: "ethereum-mainnet", configureExtensions })).toBe("ExtensionNotSupported")
      expect(requests).toEqual([])
    })
  )

  it.effect("starts its extensions, and ends them with the scope", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const configureExtensions = [
        { name: "x", init: () => void events.push("init"), destroy: () => void events.push("destroy") }
      ]
      const scope = yield* Scope.make()
      yield* Sdk.makeHttp({ network: "ethereum-mainnet", ...quiet, configureExtensions }).pipe(
        Scope.extend(scope),
        Effect.provide(double(unexpected).layer)
      )
      expect(events).toEqual(["init"])
      yield* Scope.close(scope, Exit.void)
      expect(events).toEqual(["init", "destroy"])
    })
  )

  it.effect("gives the handles of its extensions", () =>
    Effect.gen(function* () {
      const counter = {
        name: "counter",
        init: async ({ rpc }: EffectExtensionContext<"ethereum-mainnet">) => ({
          height: () => rpc.blockNumber()
        })
      }
      const scope = yield* Scope.make()
      const configureExtensions = [counter]
      const rpc = { nodes: [{ url: node }] }
      const sdk = yield* Sdk.makeHttp({
        network: "ethereum-mainnet",
        ...quiet,
        rpc,
        configureExtensions
      }).pipe(Scope.extend(scope), Effect.provide(double(answering(() => "0x10")).layer))
      const { height } = yield* sdk.extension(counter)
      expect(yield* height()).toBe(16n)
      expect(yield* Effect.flip(sdk.extension({ name: "other" }))).toMatchObject({ _tag: "ExtensionFailed" })
      yield* Scope.close(scope, Exit.void)
    })
  )

  it.effect(
    "hands lines of its extensions to the loggers of the program, and none of a client that is quiet",
    () =>
      Effect.gen(function* () {
        const config = {
          network: "ethereum-mainnet",
          apiKey: "KEY",
          rpc,
          configureExtensions: [
            {
              name: "speaks",
              init: async ({ logger }: EffectExtensionContext<"ethereum-mainnet">) => {
                logger.info("it starts")
                logger.error("it fails")
              }
            }
          ]
        } as const
        expect(yield* linesOf(config)).toEqual([
          ["INFO", "it starts"],
          ["ERROR", "it fails"]
        ])
        expect(yield* linesOf({ ...config, quiet: true })).toEqual([])
      })
  )

  it.effect("leaves no fiber behind when the scope closes", () =>
    Effect.gen(function* () {
      const { layer, requests } = double(answering(() => "0x1"))
      const scope = yield* Scope.make()
      const nodes = [{ url: `${node}/a` }, { url: `${node}/b` }]
      const sdk = yield* Sdk.makeHttp({ network: "ethereum-mainnet", ...quiet, rpc: { nodes } }).pipe(
        Scope.extend(scope),
        Effect.provide(layer)
      )
      yield* sdk.rpc.blockNumber()
      yield* TestClock.adjust("61 seconds")
      const running = requests.length
      expect(running).toBeGreaterThan(1)
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("1 hours")
      expect(requests).toHaveLength(running)
    })
  )

  it.scoped("interrupts the request of a call that is interrupted", () =>
    Effect.gen(function* () {
      const { interrupted, layer, requests } = double(() => Effect.never)
      const sdk = yield* Effect.provide(Sdk.makeHttp({ network: "ethereum-mainnet", ...quiet }), layer)
      const call = yield* Effect.fork(sdk.rpc.blockNumber())
      yield* TestClock.adjust(0)
      expect(requests).toHaveLength(1)
      yield* Fiber.interrupt(call)
      expect(interrupted).toEqual([node])
    })
  )

  it.scoped("makes clients of which each has its own options and nodes", () =>
    Effect.gen(function* () {
      const { layer, requests } = double(
        answering((request) => (request.url.endsWith("/1") ? "0x1" : "0x38"))
      )
      const make = <const N extends "ethereum-mainnet" | "bsc-mainnet">(network: N, path: string) =>
        Effect.provide(
          Sdk.makeHttp({ network, ...quiet, rpc: { nodes: [{ url: `${node}/${path}` }] } }),
          layer
        )
      const eth = yield* make("ethereum-mainnet", "1")
      const bsc = yield* make("bsc-mainnet", "2")
      expect(yield* Effect.all([eth.rpc.chainId(), bsc.rpc.chainId()])).toEqual([1n, 56n])
      yield* Effect.provideService(eth.rpc.chainId(), CallOptions, { timeout: 50 })
      expect(requests.map(({ timeout, url }) => [url.slice(-1), timeout])).toEqual([
        ["1", 10_000],
        ["2", 10_000],
        ["1", 50]
      ])
    })
  )
})

describe("warnings", () => {
  const keyed = { apiKey: "KEY", rpc }

  /** A network whose nodes are one gateway of the provider, so that no list is waited for. */
  const gateway = "near-mainnet"
  const silent = () => Effect.never

  it.effect("say that the API key is missing, and only then", () =>
    Effect.gen(function* () {
      const [line, ...rest] = yield* linesOf({ network: gateway }, silent)
      expect(line?.[0]).toBe("WARN")
      expect(line?.[1]).toMatch(/^API key not provided - only a subset of SDK features will be enabled\./)
      expect(rest).toEqual([])
      expect(yield* linesOf({ network: gateway, apiKey: "KEY" }, silent)).toEqual([])
      expect(yield* linesOf({ network: gateway, apiKey: { v3: "KEY" } }, silent)).toEqual([])
      expect(yield* linesOf({ network: gateway, apiKey: "" }, silent)).toHaveLength(1)
      // own nodes take no key
      expect(yield* linesOf({ network: gateway, rpc })).toEqual([])
      // the provider that gives such keys is asked for nothing here
      const provider = { baseUrl: "http://127.0.0.1:4100" }
      expect(yield* linesOf({ network: gateway, provider }, silent)).toEqual([])
    })
  )

  it.effect("are not written when quiet", () =>
    Effect.gen(function* () {
      expect(yield* linesOf({ network: gateway, quiet: true }, silent)).toEqual([])
    })
  )

  it.effect("say nothing of any network's client: all have one, with a table and a probe", () =>
    Effect.gen(function* () {
      for (const network of ["near-mainnet", "avax-p-mainnet", "polygon-mainnet"] as const) {
        expect(yield* linesOf({ network, ...keyed })).toEqual([])
      }
      for (const [id, { family }] of Object.entries(networks)) {
        const { endpoints, probe } = yield* Sdk.loadFamily(family)
        expect([id, Object.keys(endpoints).length > 0, typeof probe]).toEqual([id, true, "function"])
      }
    })
  )

  it.scoped("leave exact integers to raw calls, as where networks had nothing else", () =>
    Effect.gen(function* () {
      const { layer } = double(answering(() => ({ height: 1 })))
      const sdk = yield* Effect.provide(Sdk.makeHttp({ network: "near-mainnet", ...quiet }), layer)
      expect(yield* sdk.rpc.rawRpcCall({ method: "status" })).toEqual({ height: 1n })
    })
  )

  it.effect("say that a network has been shut down", () =>
    Effect.gen(function* () {
      const sunset = Object.entries(networks).filter(
        ([, info]) => "status" in info && info.status === "sunset"
      )
      expect(sunset.length).toBeGreaterThan(3)
      for (const network of sunset.map(([id]) => id).filter(isNetwork)) {
        const lines = yield* linesOf({ network, ...keyed })
        expect(lines).toContainEqual(["WARN", `Network ${network} has been shut down by its operators.`])
      }
    })
  )

  it.effect("go to the logger of the configuration", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const write = (message: string): void => {
        lines.push(message)
      }
      const logger = { trace: write, debug: write, info: write, warn: write, error: write }
      expect(yield* linesOf({ network: gateway, logger }, silent)).toEqual([])
      expect(lines).toHaveLength(1)
    })
  )
})

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}
class Bsc extends Sdk.Tag("Bsc", "bsc-mainnet")<Bsc>() {}
class Klaytn extends Sdk.Tag("Klaytn", "klaytn-mainnet")<Klaytn>() {}
class EthToo extends Sdk.Tag("EthToo", "ethereum-mainnet")<EthToo>() {}

describe("clients as services", () => {
  const at = (path: string) => ({ ...quiet, rpc: { nodes: [{ url: `${node}/${path}` }] } })

  it.effect("of three networks, and two of one network, live in one program", () =>
    Effect.gen(function* () {
      const { layer, requests } = double(answering((request) => `0x${request.url.slice(-1)}`))
      const program = Effect.gen(function* () {
        const eth = yield* Eth
        const bsc = yield* Bsc
        const klaytn = yield* Klaytn
        const too = yield* EthToo
        expect([eth.network, bsc.network, klaytn.network, too.network]).toEqual([
          "ethereum-mainnet",
          "bsc-mainnet",
          "klaytn-mainnet",
          "ethereum-mainnet"
        ])
        return yield* Effect.all([
          eth.rpc.chainId(),
          bsc.rpc.chainId(),
          klaytn.rpc.chainId(true),
          too.rpc.chainId()
        ])
      })
      const clients = Layer.mergeAll(
        Eth.layerHttp(at("1")),
        Bsc.layerHttp(at("2")),
        Klaytn.layerHttp(at("3")),
        EthToo.layerHttp(at("4"))
      )
      expect(yield* Effect.provide(program, Layer.provide(clients, layer))).toEqual([1n, 2n, 3n, 4n])
      expect(requests.map(({ body }) => JSON.parse(String(body)).method)).toEqual([
        "eth_chainId",
        "eth_chainId",
        "klay_chainId",
        "eth_chainId"
      ])
    })
  )

  it("have keys with their networks and ids", () => {
    expect([Eth.key, Bsc.key, EthToo.key]).toEqual([
      "effect-chains/Sdk/ethereum-mainnet/Eth",
      "effect-chains/Sdk/bsc-mainnet/Bsc",
      "effect-chains/Sdk/ethereum-mainnet/EthToo"
    ])
  })

  it.effect("of two networks under one id do not merge into one", () =>
    Effect.gen(function* () {
      class Main extends Sdk.Tag("Chain", "ethereum-mainnet")<Main>() {}
      class Test extends Sdk.Tag("Chain", "ethereum-sepolia")<Test>() {}
      const { layer } = double(answering((request) => `0x${request.url.slice(-1)}`))
      const clients = Layer.merge(Main.layerHttp(at("1")), Test.layerHttp(at("2")))
      const ids = Effect.gen(function* () {
        const main = yield* Main
        const test = yield* Test
        return [yield* main.rpc.chainId(), yield* test.rpc.chainId()]
      })
      expect(yield* Effect.provide(ids, Layer.provide(clients, layer))).toEqual([1n, 2n])
    })
  )

  it.effect("fail as layers with the typed error", () =>
    Effect.gen(function* () {
      const layer = Eth.layerHttp({ timeout: -1 }).pipe(Layer.provide(double(unexpected).layer))
      const error = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
      expect(error).toMatchObject({ _tag: "InvalidConfig", issues: [{ path: "timeout" }] })
    })
  )

  /** A platform client that leads nowhere. */
  const platform = (asked: Array<{ readonly url: string; readonly key: string | undefined }>) =>
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make((request) => {
        asked.push({ url: request.url, key: request.headers["x-api-key"] })
        const { body } = request
        const text =
          body._tag === "Uint8Array"
            ? new TextDecoder().decode(body.body)
            : body._tag === "Raw"
              ? String(body.body)
              : "{}"
        const answer = { jsonrpc: "2.0", id: JSON.parse(text).id, result: "0x1" }
        return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(JSON.stringify(answer))))
      })
    )

  it.effect("come under a tag of the application's own with Sdk.layer", () =>
    Effect.gen(function* () {
      class Chain extends Context.Tag("app/Chain")<Chain, Sdk.Sdk<"polygon-mainnet">>() {}
      const asked: Array<{ readonly url: string; readonly key: string | undefined }> = []
      const live = Sdk.layer(Chain, { network: "polygon-mainnet", ...at("9") }).pipe(
        Layer.provide(platform(asked))
      )
      const height = Effect.flatMap(Chain, ({ rpc }) => rpc.blockNumber())
      expect(yield* Effect.provide(height, live)).toBe(1n)
      expect(asked.map(({ url }) => url)).toContain(`${node}/9`)
    })
  )

  it.effect("send through the platform's client", () =>
    Effect.gen(function* () {
      const asked: Array<{ readonly url: string; readonly key: string | undefined }> = []
      const live = Eth.layer(at("9")).pipe(Layer.provide(platform(asked)))
      expect(
        yield* Effect.provide(
          Effect.flatMap(Eth, (eth) => eth.rpc.chainId()),
          live
        )
      ).toBe(1n)
      expect(asked).toEqual([{ url: `${node}/9`, key: undefined }])
    })
  )

  it.effect("are configured from the environment, which the object overrides", () =>
    Effect.gen(function* () {
      const variables = new Map([
        ["TATUM_API_KEY", "FROM-ENVIRONMENT"],
        ["TATUM_NODES", `${node}/e`],
        ["TATUM_QUIET", "true"]
      ])
      const call = (config?: Parameters<typeof Eth.layerEnv>[0]) =>
        Effect.gen(function* () {
          const asked: Array<{ readonly url: string; readonly key: string | undefined }> = []
          const live = Eth.layerEnv(config).pipe(Layer.provide(platform(asked)))
          yield* Effect.provide(
            Effect.flatMap(Eth, (eth) => eth.rpc.chainId()),
            live
          )
          return asked
        }).pipe(Effect.withConfigProvider(ConfigProvider.fromMap(variables)))
      // the key is not for nodes of one's own
      expect(yield* call({ verifyChain: false })).toEqual([{ url: `${node}/e`, key: undefined }])
      const nodes = [{ url: `${node}/own`, sendApiKey: true }]
      expect(yield* call({ verifyChain: false, rpc: { nodes } })).toEqual([
        { url: `${node}/own`, key: "FROM-ENVIRONMENT" }
      ])
      expect(yield* call({ verifyChain: false, rpc: { nodes }, apiKey: "OWN" })).toEqual([
        { url: `${node}/own`, key: "OWN" }
      ])
    })
  )

  it.effect("of two networks have variables of their own, by prefix, the base url included", () =>
    Effect.gen(function* () {
      const variables = new Map([
        ["ETH_NODES", `${node}/e`],
        ["BSC_NODES", `${node}/b`],
        ["BSC_RETRY_COUNT", "many"],
        ["ODD_URL", "no url"],
        ["TATUM_URL", "neither"],
        ["TATUM_NODES", `${node}/nobody`]
      ])
      const of = Effect.withConfigProvider(ConfigProvider.fromMap(variables))
      const asked: Array<{ readonly url: string; readonly key: string | undefined }> = []
      const over = Layer.provide(platform(asked))
      const eth = Eth.layerEnv({ prefix: "ETH", quiet: true, verifyChain: false }).pipe(over)
      yield* of(
        Effect.provide(
          Effect.flatMap(Eth, ({ rpc }) => rpc.chainId()),
          eth
        )
      )
      expect(asked).toEqual([{ url: `${node}/e`, key: undefined }])
      const failing = (layer: Layer.Layer<Bsc, unknown>) =>
        Effect.map(of(Effect.flip(Effect.scoped(Layer.build(layer)))), String)
      expect(yield* failing(Bsc.layerEnv({ prefix: "BSC" }).pipe(over))).toMatch(/BSC_RETRY_COUNT.*a number/)
      expect(yield* failing(Bsc.layerEnv({ prefix: "ODD" }).pipe(over))).toMatch(
        /ODD_URL must be an absolute url/
      )
    })
  )

  it.effect("are configured by Configs, each of which may come from anywhere", () =>
    Effect.gen(function* () {
      const asked: Array<{ readonly url: string; readonly key: string | undefined }> = []
      const live = Eth.layerConfig({
        apiKey: Config.redacted("SECRET"),
        quiet: Config.succeed(true),
        verifyChain: Config.boolean("VERIFY").pipe(Config.withDefault(false)),
        rpc: Config.map(Config.string("NODE"), (url) => ({ nodes: [{ url, sendApiKey: true }] }))
      }).pipe(Layer.provide(platform(asked)))
      const variables = new Map([
        ["SECRET", "FROM-SECRET"],
        ["NODE", `${node}/c`]
      ])
      const call = Effect.provide(
        Effect.flatMap(Eth, ({ rpc }) => rpc.chainId()),
        live
      )
      yield* Effect.withConfigProvider(call, ConfigProvider.fromMap(variables))
      expect(asked).toEqual([{ url: `${node}/c`, key: "FROM-SECRET" }])
      const error = yield* Effect.flip(Effect.withConfigProvider(call, ConfigProvider.fromMap(new Map())))
      expect(String(error)).toContain("SECRET")
    })
  )

  it.effect("whose environment cannot be read fail with its error", () =>
    Effect.gen(function* () {
      const live = Eth.layerEnv().pipe(Layer.provide(platform([])))
      const error = yield* Effect.scoped(Layer.build(live)).pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["TATUM_RETRY_COUNT", "many"]]))),
        Effect.flip
      )
      expect(String(error)).toContain("TATUM_RETRY_COUNT")
    })
  )
})

describe("the keys of services", () => {
  const folder = join(import.meta.dirname, "../src")
  const keys = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.startsWith("effect4"))
    .flatMap((file) => {
      const source = readFileSync(join(folder, file), "utf8").replace(/^\s*(\*|\/\/).*$/gm, "")
      const made =
        source.match(/Context\.(Generic)?Tag\b(?!Class|<)|Context\.Reference\b|Effect\.Service\b/g) ?? []
      const named = [
        ...source.matchAll(
          /(?:Context\.(?:Generic)?Tag|Context\.Reference<\w+>\(\)|Effect\.Service<\w+>\(\))(?:<[^(]*>)?\(\s*["'`]([^"'`]*)["'`]/g
        )
      ].map(([, key]) => key ?? "")
      return [{ file, made: made.length, named }]
    })
    .filter(({ made }) => made > 0)

  it("are all found here", () => {
    expect(keys.length).toBeGreaterThan(6)
    for (const { file, made, named } of keys) expect([file, named.length]).toEqual([file, made])
  })

  it("are unique, and start with the name of the package", () => {
    const all = keys.flatMap(({ named }) => named)
    expect(new Set(all).size).toBe(all.length)
    for (const key of all) expect(key).toMatch(/^effect-chains\/[A-Z$a-z]/)
  })
})
