/** The quota of the Effect surface: its metric, and clients whose layers are made one by one. */
import { createServer } from "node:http"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { credits, layer, quota, waitTime } from "../src/client/Quota.js"
import * as Sdk from "../src/client/Sdk.js"
import * as Transport from "../src/client/Transport.js"
import * as Config from "../src/config/Config.js"
import * as Logger from "../src/config/Logger.js"
import { layerFetch } from "../src/http/Http.js"
import * as Gateway from "../src/services/Gateway.js"
import * as WalletProvider from "../src/services/WalletProvider.js"
import { CallOptions } from "../src/wire/Transport.js"

class One extends Sdk.Tag("One", "ethereum-mainnet")<One>() {}
class Other extends Sdk.Tag("Other", "ethereum-mainnet")<Other>() {}

/** A node that notes when it was asked, in milliseconds from when it began: a busy machine makes these later, never earlier. */
const node = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly at: ReadonlyArray<number>; readonly end: () => void }>(
    (resume) => {
      const begun = performance.now()
      const at: Array<number> = []
      const server = createServer(async (request, response) => {
        let text = ""
        for await (const chunk of request) text += chunk
        const { id, method }: { readonly id?: number; readonly method?: string } = JSON.parse(text || "{}")
        at.push(performance.now() - begun)
        response.setHeader("content-type", "application/json")
        response.end(
          JSON.stringify({ jsonrpc: "2.0", id, result: method === "eth_chainId" ? "0x1" : "0x10" })
        )
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" ? address?.port : 0
        const end = () => server.close().closeAllConnections()
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, at, end }))
      })
    }
  ),
  ({ end }) => Effect.sync(end)
)

it.scopedLive("is one for layers that are made one by one, and tells how long calls wait", () =>
  Effect.gen(function* () {
    const { at, url } = yield* node
    const options = {
      apiKey: "secret",
      quiet: true,
      quota: quota({ requestsPerSecond: 20, burst: 1 }),
      rpc: { nodes: [{ url, sendApiKey: true }], oneTimeLoadBalancing: true }
    } as const
    const ask = <E, R>(tag: Effect.Effect<One["Type"], E, R>) =>
      Effect.flatMap(tag, ({ rpc }) =>
        Effect.all(
          Array.from({ length: 10 }, () => rpc.gasPrice()),
          { concurrency: "unbounded" }
        )
      )
    yield* Effect.all(
      [
        Effect.provide(ask(One), One.layerHttp(options)),
        Effect.provide(ask(Other), Other.layerHttp(options))
      ],
      { concurrency: "unbounded" }
    ).pipe(Effect.provide(layerFetch))
    // 20 calls and the checks of two clients, 50 ms apart; with a quota each they would take half of it
    expect(at.length).toBeGreaterThanOrEqual(20)
    expect(Math.max(...at)).toBeGreaterThan((at.length - 4) * 45)
    const { count, max } = yield* Metric.value(Metric.tagged(waitTime, "network", "ethereum-mainnet"))
    expect(count).toBeGreaterThanOrEqual(20)
    expect(max).toBeGreaterThan(500)
  })
)

it.scopedLive("holds for a client that is made of its parts", () =>
  Effect.gen(function* () {
    const { at, url } = yield* node
    const config = Config.layer({
      network: "ethereum-mainnet",
      apiKey: "secret",
      quiet: true,
      rpc: { nodes: [{ url, sendApiKey: true }], oneTimeLoadBalancing: true }
    })
    const parts = One.layerWithoutDependencies.pipe(
      Layer.provide(WalletProvider.layer),
      Layer.provide([Gateway.layer, Transport.layer]),
      Layer.provideMerge(layer(quota({ requestsPerSecond: 20, burst: 1 }))),
      Layer.provide([Logger.layer, Sdk.layerFamily]),
      Layer.provide([config, layerFetch])
    )
    const asked = Effect.flatMap(One, ({ rpc }) =>
      Effect.all(
        Array.from({ length: 10 }, () => rpc.gasPrice()),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.provide(asked, parts)
    // calls wait before they are sent to any node, and are refused by their own names
    const late = yield* asked.pipe(
      Effect.provideService(CallOptions, { timeout: 150 }),
      Effect.flip,
      Effect.provide(parts)
    )
    expect(late).toMatchObject({ _tag: "QuotaExceeded", call: "eth_gasPrice" })
    expect(Math.max(...at)).toBeGreaterThan((at.length - 4) * 45)
  })
)

it.scopedLive(
  "counts the credits of a client, by events and a metric, and of one that is made of its parts",
  () =>
    Effect.gen(function* () {
      const { url } = yield* node
      const options = {
        network: "ethereum-mainnet",
        apiKey: "secret",
        quiet: true,
        verifyChain: false,
        provider: { baseUrl: url },
        rpc: { nodes: [{ url: `${url}/node` }], oneTimeLoadBalancing: true }
      } as const
      const call = { to: `0x${"00".repeat(20)}` } as const
      const counted = Metric.value(
        credits.pipe(Metric.tagged("network", "ethereum-mainnet"), Metric.tagged("route", "eth_call"))
      )
      const { count: before } = yield* counted
      const sdk = yield* Sdk.makeHttp({ ...options, quota: quota() })
      const charged: Array<number | undefined> = []
      sdk.nodes.listen((event) => {
        if (event._tag === "Charged" && event.route === "eth_call") charged.push(event.credits)
      })
      yield* sdk.rpc.call(call)
      yield* sdk.rpc.call(call)
      expect(charged).toEqual([5, 5])
      const found = yield* sdk.credits()
      expect(found?.routes.eth_call).toEqual({ calls: 2, credits: 10 })
      expect((yield* counted).count - before).toBe(10)
      expect(yield* (yield* Sdk.makeHttp(options)).credits()).toBeUndefined()

      const parts = One.layerWithoutDependencies.pipe(
        Layer.provide(WalletProvider.layer),
        Layer.provide([Gateway.layer, Transport.layer]),
        Layer.provideMerge(layer(quota())),
        Layer.provide([Logger.layer, Sdk.layerFamily]),
        Layer.provide(Config.layer(options)),
        Layer.provide(layerFetch)
      )
      const spent = yield* Effect.provide(
        Effect.flatMap(One, ({ credits, provider, rpc }) =>
          rpc
            .call(call)
            .pipe(
              Effect.zipRight(Effect.either(provider.get({ path: "data/tokens" }))),
              Effect.zipRight(credits())
            )
        ),
        parts
      )
      expect(spent?.routes).toMatchObject({
        eth_call: { calls: 1, credits: 5 },
        "GET v4/data/tokens": { credits: 20 }
      })
    }).pipe(Effect.provide(layerFetch))
)

it.scopedLive("holds for nodes whose entries have limits, and says what is wrong with these", () =>
  Effect.gen(function* () {
    const { at, url } = yield* node
    const shared = quota()
    const made = (limit: { readonly requestsPerSecond: number }, option: object = { quota: shared }) =>
      Sdk.makeHttp({
        network: "ethereum-mainnet",
        quiet: true,
        verifyChain: false,
        rpc: { nodes: [{ url, quota: limit }], oneTimeLoadBalancing: true },
        ...option
      })
    expect(yield* Effect.flip(made({ requestsPerSecond: 0 }))).toMatchObject({
      _tag: "InvalidConfig",
      issues: [{ path: "rpc.nodes[0].quota.requestsPerSecond" }]
    })
    expect(yield* Effect.flip(made({ requestsPerSecond: 20 }, {}))).toMatchObject({
      issues: [{ path: "quota" }]
    })
    const clients = yield* Effect.all([made({ requestsPerSecond: 20 }), made({ requestsPerSecond: 20 })])
    yield* Effect.forEach(
      Array.from({ length: 40 }, (_, i) => i),
      (i) => Effect.flatMap(Effect.fromNullable(clients[i % 2]), ({ rpc }) => rpc.gasPrice()),
      { concurrency: "unbounded" }
    )
    // twenty at once, and then 50 ms apart
    expect(at.length).toBeGreaterThanOrEqual(40)
    expect(Math.max(...at)).toBeGreaterThan((at.length - 22) * 40)
  }).pipe(Effect.provide(layerFetch))
)
