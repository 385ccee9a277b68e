import { describe, expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as EffectLogger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { layer as configLayer, type SdkConfig } from "../../src/config/Config.js"
import * as Logger from "../../src/config/Logger.js"

type Line = readonly [level: string, message: string]

const sink = (): { readonly lines: Array<Line>; readonly sink: Logger.LogSink } => {
  const lines: Array<Line> = []
  const at = (level: string) => (message: string) => {
    lines.push([level, message])
  }
  return {
    lines,
    sink: { trace: at("trace"), debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") }
  }
}

const all = (logger: Logger.LoggerService) =>
  Effect.all([
    logger.debug(() => "one"),
    logger.info(() => "two"),
    logger.warn(() => "three"),
    logger.error(() => "four")
  ])

const calm = { quiet: false, verbose: false, logger: undefined }

/** The lines of the program's Effect logger while an effect runs. */
const effectLines = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<ReadonlyArray<Line>, E, R> => {
  const lines: Array<Line> = []
  const recording = EffectLogger.make(({ logLevel, message }) => {
    lines.push([logLevel.label, String(message)])
  })
  return effect.pipe(
    EffectLogger.withMinimumLogLevel(LogLevel.All),
    Effect.provide(EffectLogger.replace(EffectLogger.defaultLogger, recording)),
    Effect.as(lines)
  )
}

describe("the logger", () => {
  it.effect("writes each level to the function of that name, debug only when verbose", () =>
    Effect.gen(function* () {
      const calmly = sink()
      yield* all(Logger.makeEffect({ ...calm, logger: calmly.sink }))
      const rest = [
        ["info", "two"],
        ["warn", "three"],
        ["error", "four"]
      ]
      expect(calmly.lines).toEqual(rest)
      const loudly = sink()
      yield* all(Logger.makeEffect({ ...calm, verbose: true, logger: loudly.sink }))
      expect(loudly.lines).toEqual([["debug", "one"], ...rest])
    })
  )

  it.effect("writes nothing when quiet, verbose or not, to no logger at all", () =>
    Effect.gen(function* () {
      const custom = sink()
      for (const verbose of [false, true]) {
        for (const logger of [custom.sink, undefined]) {
          const quiet = Logger.make({ quiet: true, verbose, logger }, custom.sink)
          expect(quiet.verbose).toBe(false)
          expect(yield* effectLines(all(quiet))).toEqual([])
          expect(yield* effectLines(all(Logger.makeEffect({ quiet: true, verbose, logger })))).toEqual([])
        }
      }
      expect(custom.lines).toEqual([])
    })
  )

  it.effect("calls the function of a debug line only when somebody reads it", () =>
    Effect.gen(function* () {
      let called = 0
      const message = () => {
        called++
        return "costly"
      }
      const { sink: custom } = sink()
      yield* Logger.makeEffect({ ...calm, logger: custom }).debug(message)
      yield* Logger.makeEffect({ quiet: true, verbose: true, logger: custom }).debug(message)
      expect(called).toBe(0)
      const loud = Logger.makeEffect({ ...calm, verbose: true, logger: custom })
      const line = loud.debug(message)
      expect(called).toBe(0)
      yield* line
      yield* line
      expect(called).toBe(2)
    })
  )

  it.effect("writes to the Effect logger of the program where there is no other", () =>
    Effect.gen(function* () {
      const lines = yield* effectLines(all(Logger.makeEffect({ ...calm, verbose: true })))
      expect(lines).toEqual([
        ["DEBUG", "one"],
        ["INFO", "two"],
        ["WARN", "three"],
        ["ERROR", "four"]
      ])
    })
  )

  it.effect("follows the level of the fiber, or of verbose, and says the facts of a line by name", () =>
    Effect.gen(function* () {
      const lines: Array<readonly [string, string, unknown]> = []
      const recording = EffectLogger.make(({ annotations, logLevel, message }) => {
        lines.push([logLevel.label, String(message), Object.fromEntries(annotations)])
      })
      const at = (level: LogLevel.LogLevel, verbose: boolean) => {
        lines.length = 0
        const logger = Logger.makeEffect({ ...calm, verbose, network: "ethereum-mainnet" })
        return Effect.all([logger.debug(() => "one", { url: "https://a" }), logger.warn(() => "two")]).pipe(
          EffectLogger.withMinimumLogLevel(level),
          Effect.provide(EffectLogger.replace(EffectLogger.defaultLogger, recording)),
          Effect.map(() => [...lines])
        )
      }
      const network = { "effect_chains.network": "ethereum-mainnet" }
      const one = ["DEBUG", "one", { ...network, url: "https://a" }]
      const two = ["WARN", "two", network]
      expect(yield* at(LogLevel.Info, false)).toEqual([two])
      expect(yield* at(LogLevel.Error, false)).toEqual([])
      expect(yield* at(LogLevel.Debug, false)).toEqual([one, two])
      expect(yield* at(LogLevel.Info, true)).toEqual([one, two])
      expect(yield* at(LogLevel.Error, true)).toEqual([one, two])
      expect(yield* at(LogLevel.None, true)).toEqual([])
      const custom = sink()
      yield* Logger.make({ ...calm, verbose: true }, custom.sink).debug(() => "one", { url: "https://a" })
      expect(custom.lines).toEqual([["debug", 'one {"url":"https://a"}']])
    })
  )

  it.effect("prefers the logger of the configuration to the fallback, and that to the Effect logger", () =>
    Effect.gen(function* () {
      const own = sink()
      const fallback = sink()
      expect(
        yield* effectLines(Logger.make({ ...calm, logger: own.sink }, fallback.sink).info(() => "a"))
      ).toEqual([])
      expect(yield* effectLines(Logger.make(calm, fallback.sink).info(() => "b"))).toEqual([])
      expect([own.lines, fallback.lines]).toEqual([[["info", "a"]], [["info", "b"]]])
    })
  )

  it.effect("calls the functions of a logger as its methods", () =>
    Effect.gen(function* () {
      class Counting {
        count = 0
        trace(): void {
          this.count++
        }
        debug = this.trace
        info(): void {
          this.count++
        }
        warn = this.trace
        error = this.trace
      }
      const logger = new Counting()
      yield* all(Logger.makeEffect({ ...calm, verbose: true, logger }))
      expect(logger.count).toBe(4)
    })
  )

  it.effect("that throws is no problem of the call, be it at once or later", () =>
    Effect.gen(function* () {
      const unhandled: Array<unknown> = []
      const catching = (reason: unknown): void => {
        unhandled.push(reason)
      }
      process.on("unhandledRejection", catching)
      const now = () => {
        throw new Error("disk full")
      }
      const later = async () => {
        throw new Error("disk full")
      }
      for (const fail of [now, later]) {
        const logger = { trace: fail, debug: fail, info: fail, warn: fail, error: fail }
        yield* all(Logger.makeEffect({ ...calm, verbose: true, logger }))
      }
      // a rejection that nobody handles is told at the end of its turn
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      process.off("unhandledRejection", catching)
      expect(unhandled).toEqual([])
    })
  )

  const built = (layer: typeof Logger.layer, config: Omit<SdkConfig, "network">) =>
    Effect.scoped(
      Effect.map(
        Layer.build(Layer.provide(layer, configLayer({ network: "ethereum-mainnet", ...config }))),
        (context) => Context.get(context, Logger.Logger)
      )
    )

  it.effect("is the one that the configuration asks for, as a layer", () =>
    Effect.gen(function* () {
      const own = sink()
      const fallback = sink()
      yield* (yield* built(Logger.layer, { logger: own.sink })).info(() => "a")
      yield* (yield* built(Logger.layerSink(fallback.sink), { logger: own.sink })).info(() => "b")
      yield* (yield* built(Logger.layerSink(fallback.sink), {})).info(() => "c")
      yield* (yield* built(Logger.layerSink(fallback.sink), { quiet: true })).info(() => "d")
      expect(yield* effectLines((yield* built(Logger.layer, { verbose: true })).debug(() => "e"))).toEqual([
        ["DEBUG", "e"]
      ])
      expect([own.lines, fallback.lines]).toEqual([
        [
          ["info", "a"],
          ["info", "b"]
        ],
        [["info", "c"]]
      ])
    })
  )
})
