/** A client ends with its scope: calls in flight end, later calls fail with `Aborted`, and closing waits for that. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as Sdk from "../src/client/Sdk.js"
import { Http, type HttpRequest, type HttpResponse } from "../src/http/Http.js"

const response = (value: unknown): HttpResponse => {
  const text = JSON.stringify(value)
  return { status: 200, text, header: () => undefined, bytes: new TextEncoder().encode(text) }
}

/** An Http whose requests the test answers, and that counts those that have begun and been interrupted. */
const makeHttp = (answer: (request: HttpRequest) => Effect.Effect<HttpResponse>) => {
  const counts = { sent: 0, interrupted: 0 }
  const layer = Layer.succeed(Http, {
    send: (request) =>
      Effect.suspend(() => {
        counts.sent++
        return Effect.onInterrupt(answer(request), () => Effect.sync(() => void counts.interrupted++))
      })
  })
  return { counts, layer }
}

const silent = () => makeHttp(() => Effect.never)

const answering = () =>
  makeHttp(({ body }) =>
    Effect.sync(() => response({ jsonrpc: "2.0", id: JSON.parse(String(body)).id, result: "0x1" }))
  )

const config = {
  quiet: true,
  verifyChain: false,
  hedge: false,
  rpc: { nodes: [{ url: "https://node.example" }], statusCheckInterval: Number.POSITIVE_INFINITY }
} as const

class Eth extends Sdk.Tag("Eth", "ethereum-mainnet")<Eth>() {}

const aborted = { _tag: "Aborted", message: "The client has been destroyed" }

/** A client in a scope that the test closes. */
const makeOpen = (http: Layer.Layer<Http>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const sdk = yield* Effect.provide(
      Scope.extend(Sdk.makeHttp({ network: "ethereum-mainnet", ...config }), scope),
      http
    )
    return { sdk, close: Scope.close(scope, Exit.void) }
  })

const address = `0x${"00".repeat(20)}`

describe("an Effect client whose scope has closed", () => {
  it.live("has interrupted its calls in flight, which fail with Aborted", () =>
    Effect.gen(function* () {
      const { counts, layer } = silent()
      const { close, sdk } = yield* makeOpen(layer)
      const calls = yield* Effect.forEach(
        [
          sdk.rpc.blockNumber(),
          sdk.rpc.sendRawTransaction("0x00"),
          sdk.rpc.waitForTransaction(`0x${"00".repeat(32)}`),
          sdk.rates.getCurrentRate("BTC", "EUR"),
          Effect.uninterruptible(sdk.rpc.gasPrice())
        ],
        (call: Effect.Effect<unknown, Error>) => Effect.fork(Effect.flip(call))
      )
      while (counts.sent < 5) yield* Effect.yieldNow()
      yield* close
      expect(counts.interrupted).toBe(5)
      for (const call of calls) expect(yield* Fiber.join(call)).toMatchObject(aborted)
    })
  )

  it.live("fails all later calls with Aborted, and sends nothing", () =>
    Effect.gen(function* () {
      const { counts, layer } = answering()
      const { close, sdk } = yield* makeOpen(layer)
      yield* sdk.rpc.blockNumber()
      yield* close
      const { sent } = counts
      const later: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        sdk.rpc.blockNumber(),
        sdk.rpc.rawRpcCall({ method: "eth_blockNumber" }),
        sdk.rpc.rawBatchRpcCall([{ method: "eth_blockNumber" }]),
        sdk.rpc.sendRawTransaction("0x00"),
        sdk.rpc.waitForTransaction(`0x${"00".repeat(32)}`),
        sdk.rates.getCurrentRate("BTC", "EUR"),
        sdk.address.getBalance({ addresses: [address] }),
        Stream.runDrain(sdk.rpc.subscribe.newHeads()),
        Effect.tryPromise({
          try: () => sdk.rpc.eip1193().request({ method: "eth_blockNumber" }),
          catch: (error) => Reflect.get(Object(error), "cause")
        }),
        Effect.tryPromise({
          try: () => sdk.rpc.viemTransport()().request({ method: "eth_blockNumber" }),
          catch: (error) => Reflect.get(Object(error), "cause")
        })
      ]
      for (const call of later) expect(yield* Effect.flip(call)).toMatchObject(aborted)
      expect(counts.sent).toBe(sent)
    })
  )

  it.live("ends its streams, which wait for nothing more", () =>
    Effect.gen(function* () {
      const { counts, layer } = answering()
      const { close, sdk } = yield* makeOpen(layer)
      const polled = { polling: 1 }
      const heads = yield* Effect.fork(Effect.flip(Stream.runDrain(sdk.rpc.subscribe.newHeads(polled))))
      while (counts.sent === 0) yield* Effect.yieldNow()
      yield* close
      expect(yield* Fiber.join(heads)).toMatchObject(aborted)
    })
  )

  it.live("is waited for by ManagedRuntime.dispose", () =>
    Effect.promise(async () => {
      const events: Array<string> = []
      const http = makeHttp(() =>
        Effect.onInterrupt(Effect.never, () =>
          Effect.zipRight(
            Effect.sleep(20),
            Effect.sync(() => void events.push("the request has ended"))
          )
        )
      )
      const runtime = ManagedRuntime.make(Layer.provide(Eth.layerHttp(config), http.layer))
      const call = runtime.runPromise(Effect.flatMap(Eth, ({ rpc }) => Effect.flip(rpc.blockNumber())))
      const { rpc } = await runtime.runPromise(Eth)
      while (http.counts.sent === 0) await new Promise((resolve) => setImmediate(resolve))
      await runtime.dispose()
      events.push("the runtime has ended")
      expect(events).toEqual(["the request has ended", "the runtime has ended"])
      expect(await call).toMatchObject(aborted)
      expect(await Effect.runPromise(Effect.flip(rpc.blockNumber()))).toMatchObject(aborted)
    })
  )
})
