/** The services that a client consists of, each of them replaced. */
import { describe, expect, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as NodePool from "../src/balancer/NodePool.js"
import * as Sdk from "../src/client/Sdk.js"
import * as Transport from "../src/client/Transport.js"
import * as Config from "../src/config/Config.js"
import * as Logger from "../src/config/Logger.js"
import { toEffect } from "../src/data/eitherValues.js"
import { defineNetwork } from "../src/define.js"
import { Http, type HttpRequest, type HttpResponse } from "../src/http/Http.js"
import * as Gateway from "../src/services/Gateway.js"
import * as WalletProvider from "../src/services/WalletProvider.js"
import { makeRecorder } from "./spans.js"

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

const own = defineNetwork({
  id: "own-chain",
  family: "evm",
  chainId: 990_123,
  currency: { symbol: "OWN", decimals: 18 }
})
class Own extends Sdk.Tag("Own", own)<Own>() {}

const ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
const node = "https://node.example"

const options = {
  network: "ethereum-mainnet",
  quiet: true,
  verifyChain: false,
  retryCount: 0,
  rpc: { nodes: [{ url: node }], statusCheckInterval: Number.POSITIVE_INFINITY }
} as const

const response = (value: unknown): HttpResponse => {
  const text = JSON.stringify(value)
  return { status: 200, text, header: () => undefined, bytes: new TextEncoder().encode(text) }
}

/** An Http whose nodes say 1 to everything, and that knows no other address. */
const http = (requests: Array<HttpRequest> = []) =>
  Layer.succeed(Http, {
    send: (request) =>
      Effect.suspend(() => {
        requests.push(request)
        return request.url.startsWith(node)
          ? Effect.succeed(
              response({ jsonrpc: "2.0", id: JSON.parse(String(request.body)).id, result: "0x1" })
            )
          : Effect.dieMessage(`unexpected: ${request.method} ${request.url}`)
      })
  })

const unexpected = () => Effect.dieMessage("unexpected")

/** The default of every service, in the order of their needs. */
const defaults = {
  config: Config.layer(options),
  gateway: Gateway.layer,
  http: http(),
  logger: Logger.layer,
  nodePool: NodePool.layer,
  transport: Transport.layer,
  wallet: WalletProvider.layer
}

/** What a client without dependencies is made of: these services, some of them other ones than the default. */
const services = (given: Partial<typeof defaults>) => {
  const { config, gateway, http, logger, nodePool, transport, wallet } = { ...defaults, ...given }
  return wallet.pipe(
    Layer.provideMerge(Layer.merge(gateway, transport)),
    Layer.provideMerge(nodePool),
    Layer.provideMerge(Layer.merge(logger, Sdk.layerFamily)),
    Layer.provideMerge(Layer.merge(config, http))
  )
}

/** A client of these services. */
/** The client of a layer, which lasts as long as the test. */
const open = <E>(layer: Layer.Layer<Eth, E>) =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Eth))

const over = (given: Partial<typeof defaults>) => Layer.provide(Eth.layerWithoutDependencies, services(given))

describe("a client without dependencies", () => {
  it.scoped("has the configuration that is provided, which has to be that of its network", () =>
    Effect.gen(function* () {
      const requests: Array<HttpRequest> = []
      const rpc = { ...options.rpc, nodes: [{ url: `${node}/other` }] }
      const config = Config.layer({ ...options, rpc })
      const { rpc: calls } = yield* open(over({ config, http: http(requests) }))
      expect(yield* calls.blockNumber()).toBe(1n)
      expect(requests.map(({ url }) => url)).toEqual([`${node}/other`])
      const wrong = Config.layer({ ...options, network: "polygon-mainnet" })
      expect(yield* Effect.flip(open(over({ config: wrong })))).toMatchObject({
        _tag: "InvalidConfig",
        issues: [{ path: "network", message: expect.stringContaining("is polygon-mainnet") }]
      })
    })
  )

  it.scoped("is one of a network of one's own, by its id", () =>
    Effect.gen(function* () {
      expect(Own.key).toBe("effect-chains/Sdk/own-chain/Own")
      const made = (config: typeof defaults.config) =>
        Layer.build(Layer.provide(Own.layerWithoutDependencies, services({ config })))
      const sdk = Context.get(yield* made(Config.layer({ ...options, network: own })), Own)
      expect(sdk.network).toBe("own-chain")
      expect(yield* sdk.rpc.getBalance(ADDRESS)).toBe(1n)
      expect(yield* Effect.flip(made(defaults.config))).toMatchObject({
        issues: [
          {
            path: "network",
            message: expect.stringMatching(/^is ethereum-mainnet, and .* one of own-chain:/)
          }
        ]
      })
    })
  )

  it.scoped("refuses an extension of the configuration that does not support the network", () =>
    Effect.gen(function* () {
      const wrong = { name: "x", supportedNetworks: ["polygon-mainnet"] } as const
      const config = Config.layer({ ...options, configureExtensions: [wrong] })
      expect(yield* Effect.flip(open(over({ config })))).toMatchObject({
        _tag: "ExtensionNotSupported",
        extension: "x"
      })
    })
  )

  it.scoped("writes to the logger that is provided", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const write =
        (level: string): Logger.WriteLine =>
        (message, fields) =>
          Effect.sync(() => void lines.push(`${level}: ${message()} ${JSON.stringify(fields)}`))
      const logger = Layer.succeed(Logger.Logger, {
        verbose: true,
        debug: write("debug"),
        info: write("info"),
        warn: write("warn"),
        error: write("error")
      })
      const { rpc } = yield* open(over({ logger }))
      yield* rpc.blockNumber()
      expect(lines.some((line) => line.includes("eth_blockNumber"))).toBe(true)
    })
  )

  it.scoped("sends calls of nodes and of the provider by the Http that is provided", () =>
    Effect.gen(function* () {
      const urls: Array<string> = []
      const own = Layer.succeed(Http, {
        send: ({ body, url }) =>
          Effect.sync(() => {
            urls.push(url)
            const { id = 0 } = JSON.parse(String(body ?? "{}"))
            return response(
              url.startsWith(node) ? { jsonrpc: "2.0", id, result: "0x1" } : { value: "2", basePair: "EUR" }
            )
          })
      })
      const { rates, rpc } = yield* open(over({ http: own }))
      yield* rpc.blockNumber()
      yield* rates.getCurrentRate("BTC", "EUR")
      expect(urls).toEqual([node, expect.stringContaining("/rate/")])
    })
  )

  it.scoped("asks the provider through the gateway that is provided", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const gateway = Layer.succeed(Gateway.Gateway, {
        request: <A>({ path }: Gateway.GatewayRequest) =>
          Effect.sync(() => {
            asked.push(path)
            // the caller says the type
            return { value: "2", basePair: "EUR" } as A
          }),
        download: unexpected
      })
      const { rates } = yield* open(over({ gateway }))
      expect(yield* rates.getCurrentRate("BTC", "EUR")).toMatchObject({ value: "2" })
      expect(asked).toEqual(["rate/BTC"])
    })
  )

  it.scoped("sends all calls of nodes by the transport that is provided, its services' too", () =>
    Effect.gen(function* () {
      const labels: Array<string> = []
      const transport = Layer.succeed(Transport.Transport, {
        send: (call) =>
          Effect.suspend(() => {
            labels.push(call.label)
            const text = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: "0x7" })
            return Effect.mapError(
              toEffect(call.decode({ status: 200, text, url: node })),
              ({ error }) => error
            )
          }),
        nodeUrl: unexpected
      })
      const page = WalletProvider.layerFrom({
        request: async ({ method }) =>
          method === "eth_chainId"
            ? "0x1"
            : method === "eth_sendTransaction"
              ? `0x${"1".repeat(64)}`
              : [ADDRESS]
      })
      const { rpc, wallet } = yield* open(over({ transport, wallet: page }))
      expect(yield* rpc.getBalance(ADDRESS)).toBe(7n)
      yield* wallet.transferErc20(ADDRESS, "1", ADDRESS)
      expect(labels).toEqual(["eth_getBalance", "eth_call"])
    })
  )

  it.scoped("sends all calls over the pool that is provided, and shows it", () =>
    Effect.gen(function* () {
      const labels: Array<string> = []
      const shown = { url: node, type: "NORMAL", active: true, failed: false, lastBlock: 9 } as const
      const nodePool = Layer.succeed(NodePool.NodePool, {
        send: (call) =>
          Effect.suspend(() => {
            labels.push(call.label)
            const text = JSON.stringify({ jsonrpc: "2.0", id: call.id, result: "0x5" })
            return Effect.mapError(
              toEffect(call.decode({ status: 200, text, url: node })),
              ({ error }) => error
            )
          }),
        nodeUrl: () => Effect.succeed(node),
        check: Effect.void,
        report: unexpected,
        listen: () => () => {},
        snapshot: Effect.succeed([{ ...shown, lastResponseTime: 1 }]),
        state: () => {
          throw new Error("unexpected")
        }
      })
      const { nodes, rpc } = yield* open(over({ nodePool }))
      expect(yield* rpc.blockNumber()).toBe(5n)
      expect(yield* rpc.getRpcNodeUrl()).toBe(node)
      expect(yield* nodes.snapshot).toMatchObject([shown])
      expect(labels).toEqual(["eth_blockNumber"])
    })
  )

  it.scoped("has the wallet that is provided", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const wallet = WalletProvider.layerFrom({
        request: async ({ method }) => {
          asked.push(method)
          return method === "eth_chainId" ? "0x1" : [ADDRESS]
        }
      })
      const eth = yield* open(over({ wallet }))
      expect(yield* eth.wallet.getWallet()).toBe(ADDRESS)
      expect(asked).toContain("eth_requestAccounts")
    })
  )
})

it.scoped("the gateway of a client without dependencies has spans of its requests", () =>
  Effect.gen(function* () {
    const { spans, tracer } = makeRecorder()
    const answering = Layer.succeed(Http, {
      send: () => Effect.succeed(response({ value: "2", basePair: "EUR" }))
    })
    const { rates } = yield* open(over({ http: answering }))
    yield* Effect.withTracer(rates.getCurrentRate("BTC", "EUR"), tracer)
    expect(spans.map(({ name }) => name)).toEqual(["rates.getCurrentRate", "GET rate/{currency}"])
  })
)

describe("an Http that never answers", () => {
  const silent = Layer.succeed(Http, { send: () => Effect.never })

  /** Waits until somebody has a deadline in so many milliseconds: what is loaded with the first call comes in its own time. */
  const sleepsFor = (ms: number) =>
    Effect.gen(function* () {
      const at = (yield* Clock.currentTimeMillis) + ms
      while (!Array.from(yield* TestClock.sleeps()).includes(at))
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    })

  /** How a call of a client ends when so many milliseconds have gone by. */
  const endsAfter =
    (ms: number, call: (eth: Sdk.Sdk<"ethereum-mainnet">) => Effect.Effect<unknown, Error>) =>
    (eth: Sdk.Sdk<"ethereum-mainnet">) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(Effect.flip(call(eth)))
        yield* sleepsFor(ms)
        yield* TestClock.adjust(ms - 1)
        expect(fiber.unsafePoll()).toBeNull()
        yield* TestClock.adjust(1)
        return yield* Fiber.join(fiber)
      })

  const surfaces = {
    "by Http": Eth.layerHttp({ ...options, timeout: 5_000 }).pipe(Layer.provide(silent)),
    "by its parts": over({ config: Config.layer({ ...options, timeout: 5_000 }), http: silent })
  }
  for (const [name, layer] of Object.entries(surfaces)) {
    it.scoped(`does not keep a call of nodes beyond its deadline, of a client ${name}`, () =>
      Effect.gen(function* () {
        const eth = yield* open(layer)
        const error = yield* endsAfter(5_000, ({ rpc }) => rpc.blockNumber())(eth)
        expect(error).toMatchObject({ _tag: "CallTimeout" })
      })
    )

    it.scoped(`does not keep a call of the provider beyond its deadline, of a client ${name}`, () =>
      Effect.gen(function* () {
        const eth = yield* open(layer)
        const error = yield* endsAfter(5_000, ({ rates }) => rates.getCurrentRate("BTC", "EUR"))(eth)
        expect(error).toMatchObject({ _tag: "GatewayError", kind: "timeout" })
      })
    )

    it.scoped(`does not keep a call by url beyond its deadline, of a client ${name}`, () =>
      Effect.gen(function* () {
        const eth = yield* open(layer)
        const error = yield* endsAfter(5_000, ({ provider }) =>
          provider.rpcCall("https://other.example", { method: "eth_chainId" })
        )(eth)
        expect(error).toMatchObject({ _tag: "NodeError", kind: "timeout" })
      })
    )
  }

  it.scoped("does not keep a file that stands still", () =>
    Effect.gen(function* () {
      const eth = yield* open(surfaces["by Http"])
      const { length } = yield* TestClock.sleeps()
      const fiber = yield* Effect.fork(Effect.flip(eth.ipfs.uploadFile({ file: new Uint8Array([1]) })))
      while ((yield* TestClock.sleeps()).length === length)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("10 minutes")
      expect(yield* Fiber.join(fiber)).toMatchObject({ _tag: "GatewayError", kind: "timeout" })
    })
  )
})
