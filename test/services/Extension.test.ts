// @runtime both
import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/TestClock"
import * as Extension from "../../src/config/Extension.js"
import { make as makeLogger } from "../../src/config/Logger.js"
import { resolve } from "../../src/config/resolveConfig.js"

const isLean = process.env.EFFECT_CHAINS_RUNTIME === "lean"

const network = "ethereum-mainnet"

/** A configuration with extensions, a logger that keeps its lines, and a scope to start them in. */
const setUp = (
  extensions: ReadonlyArray<Extension.Extension>,
  wallets: ReadonlyArray<Extension.Extension> = []
) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const write = (message: string): void => {
      lines.push(message)
    }
    const sink = { trace: write, debug: write, info: write, warn: write, error: write }
    const config = yield* Effect.orDie(
      resolve({ network, logger: sink, configureExtensions: extensions, configureWalletProviders: wallets })
    )
    const logger = makeLogger(config, sink)
    const scope = yield* Scope.make()
    const start = Scope.extend(
      Extension.start(config.extensions, { network }, { error: (line) => logger.error(() => line) }),
      scope
    )
    return { config, lines, start, close: Scope.close(scope, Exit.void) }
  })

describe("extensions", () => {
  it.effect(
    "that do not list the network are refused, by name; those without a list go with every network",
    () =>
      Effect.gen(function* () {
        const fine = yield* setUp([
          { name: "any" },
          { name: "eth", supportedNetworks: ["polygon-mainnet", network] }
        ])
        yield* Extension.check(fine.config)
        for (const supportedNetworks of [["polygon-mainnet"] as const, []]) {
          const { config } = yield* setUp([{ name: "any" }, { name: "staking", supportedNetworks }])
          const error = yield* Effect.flip(Extension.check(config))
          expect(error._tag).toBe("ExtensionNotSupported")
          expect(error.message).toBe("Extension staking is not supported on ethereum-mainnet network.")
        }
        const wallets = yield* setUp([], [{ name: "wallet", supportedNetworks: ["bsc-mainnet"] }])
        expect((yield* Effect.flip(Extension.check(wallets.config))).message).toContain("wallet")
      })
  )

  it.effect("start in their order, wallet providers last, and end in the opposite one", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const extension = (name: string, pause: number): Extension.Extension => ({
        name,
        init: async (context) => {
          await new Promise((resolve) => setTimeout(resolve, pause))
          events.push(`init ${name} ${context.network}`)
        },
        destroy: () => {
          events.push(`destroy ${name}`)
        }
      })
      const { close, start } = yield* setUp([extension("a", 15), extension("b", 0)], [extension("w", 5)])
      yield* start
      expect(events).toEqual([`init a ${network}`, `init b ${network}`, `init w ${network}`])
      yield* close
      expect(events.slice(3)).toEqual(["destroy w", "destroy b", "destroy a"])
    })
  )

  it.effect("may be instances of a class, whose methods find their members", () =>
    Effect.gen(function* () {
      class Counter implements Extension.Extension {
        readonly name = "counter"
        private events: Array<string> = []
        init(): void {
          this.events.push("init")
        }
        async destroy(): Promise<void> {
          this.events.push("destroy")
        }
        seen(): ReadonlyArray<string> {
          return this.events
        }
      }
      const counter = new Counter()
      const { close, lines, start } = yield* setUp([counter])
      yield* start
      yield* close
      expect(lines).toEqual([])
      expect(counter.seen()).toEqual(["init", "destroy"])
    })
  )

  it.effect("that fail to start are logged and left out, and hold up neither the client nor the others", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const broken = (name: string, init: () => void | Promise<void>): Extension.Extension => ({
        name,
        init,
        destroy: () => {
          events.push(`destroy ${name}`)
        }
      })
      const { close, lines, start } = yield* setUp([
        broken("throws", () => {
          throw new Error("no disk")
        }),
        broken("rejects", () => Promise.reject(new Error("no net"))),
        broken("odd", () => {
          throw Object.create(null)
        }),
        broken("works", () => {})
      ])
      yield* start
      yield* close
      expect(lines).toEqual([
        "Extension throws failed to init. Error: no disk",
        "Extension rejects failed to init. Error: no net",
        "Extension odd failed to init. Error: [object Object]"
      ])
      expect(events).toEqual(["destroy works"])
    })
  )

  it.effect("that fail to end are logged, and the others end all the same", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const { close, lines, start } = yield* setUp([
        { name: "first", destroy: () => void events.push("first") },
        { name: "second", destroy: () => Promise.reject(new Error("busy")) }
      ])
      yield* start
      yield* close
      expect(events).toEqual(["first"])
      expect(lines).toEqual(["Extension second failed to destroy. Error: busy"])
    })
  )

  it.effect("that never end are left behind after ten seconds: the client always ends", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const { close, lines, start } = yield* setUp([
        { name: "first", destroy: () => void events.push("first") },
        { name: "endless", destroy: () => new Promise<void>(() => {}) }
      ])
      yield* start
      const ending = yield* Effect.fork(close)
      yield* TestClock.adjust("9 seconds")
      expect(events).toEqual([])
      yield* TestClock.adjust("1 seconds")
      yield* Fiber.join(ending)
      expect(events).toEqual(["first"])
      expect(lines).toEqual(["Extension endless failed to destroy. Error: it takes longer than 10 seconds"])
    })
  )
})

describe("an extension as a layer", () => {
  class Client extends Context.Tag("test/Client")<Client, { readonly network: "ethereum-mainnet" }>() {}
  const client = Layer.succeed(Client, { network })

  it.effect("lives as long as the layer", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const extension: Extension.Extension = {
        name: "one",
        supportedNetworks: [network],
        init: (context) => void events.push(`init ${context.network}`),
        destroy: () => void events.push("destroy")
      }
      const live = Layer.provide(Extension.layer(Client, extension), client)
      yield* Effect.scoped(
        Effect.zipRight(
          Layer.build(live),
          Effect.sync(() => events.push("used"))
        )
      )
      expect(events).toEqual([`init ${network}`, "used", "destroy"])
    })
  )

  it.effect("is refused on networks that it does not list, and started nowhere", () =>
    Effect.gen(function* () {
      const extension: Extension.Extension = {
        name: "two",
        supportedNetworks: ["tron-mainnet"],
        init: () => {
          throw new Error("it was started")
        }
      }
      const live = Layer.provide(Extension.layer(Client, extension), client)
      expect(yield* Effect.flip(Effect.scoped(Layer.build(live)))).toMatchObject({
        _tag: "ExtensionNotSupported",
        extension: "two"
      })
    })
  )

  it.effect("gives its handle under a tag, and is given the client", () =>
    Effect.gen(function* () {
      class Handle extends Context.Tag("test/Handle")<Handle, { readonly of: string }>() {}
      const live = Layer.provide(
        Extension.layerHandle(Handle, Client, { name: "one", init: (sdk) => ({ of: sdk.network }) }),
        client
      )
      expect(yield* Effect.provide(Handle, live)).toEqual({ of: network })
    })
  )

  it.effect.skipIf(isLean)("that is asked for its handle fails with its init", () =>
    Effect.gen(function* () {
      class Handle extends Context.Tag("test/Handle")<Handle, number>() {}
      const broken = { name: "broken", init: (): Promise<number> => Promise.reject(new Error("no port")) }
      const live = Layer.provide(Extension.layerHandle(Handle, Client, broken), client)
      expect(yield* Effect.flip(Effect.scoped(Layer.build(live)))).toMatchObject({
        _tag: "ExtensionFailed",
        reason: "no port"
      })
    })
  )

  // a layer writes to the log of the program, which the lean runtime has none of
  it.effect.skipIf(isLean)("whose init fails has nothing to end, and the others go on", () =>
    Effect.gen(function* () {
      const events: Array<string> = []
      const broken: Extension.Extension = {
        name: "broken",
        init: () => Promise.reject(new Error("no port")),
        destroy: () => void events.push("broken ended")
      }
      const fine: Extension.Extension = {
        name: "fine",
        init: () => void events.push("init"),
        destroy: () => void events.push("destroy")
      }
      const live = Layer.mergeAll(Extension.layer(Client, broken), Extension.layer(Client, fine)).pipe(
        Layer.provide(client)
      )
      yield* Effect.scoped(Layer.build(live))
      expect(events).toEqual(["init", "destroy"])
    })
  )
})
