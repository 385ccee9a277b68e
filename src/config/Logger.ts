/**
 * The SDK's logger: writes to the user's logger, to the Effect logger, or nowhere.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"
import * as Layer from "effect/Layer"
import * as LogLevel from "effect/LogLevel"
import { sanitizeText } from "../data/untrusted.js"
import { Config, type ResolvedConfig } from "./Config.js"
import { makeSecretHider } from "./headers.js"
import type { LogSink } from "./LogSink.js"

export type { LogSink } from "./LogSink.js"

/**
 * Writes a line. `message` is called only if the line is written. `fields` are the line's facts by name.
 *
 * @since 0.1.0
 * @category models
 */
export type WriteLine = (message: () => string, fields?: object) => Effect.Effect<void>

/**
 * The SDK's logger. `debug` writes with `verbose`, or in an Effect program whose minimum level is Debug.
 *
 * @since 0.1.0
 * @category models
 */
export interface LoggerService {
  readonly verbose: boolean
  readonly debug: WriteLine
  readonly info: WriteLine
  readonly warn: WriteLine
  readonly error: WriteLine
}

/**
 * The logger of the current client.
 *
 * @since 0.1.0
 * @category services
 */
export class Logger extends /*#__PURE__*/ Context.Tag("effect-chains/services/Logger")<
  Logger,
  LoggerService
>() {}

type Level = "debug" | "info" | "warn" | "error"

/** Writes a line to a custom logger. Its exceptions and rejections are dropped. */
const writeToSink = (sink: LogSink, level: Level, message: string): void => {
  try {
    const written: unknown = sink[level](message)
    if (written instanceof Promise) written.catch(() => {})
  } catch {
    // a broken logger must not fail a call
  }
}

/** The part of a configuration that loggers need. */
type LoggerSettings = Pick<ResolvedConfig, "logger" | "quiet" | "verbose"> &
  Partial<Pick<ResolvedConfig, "apiKey" | "network" | "nodes">>

/**
 * Makes a logger that writes to the configuration's `logger`, or to `sink`. Exceptions of a sink are dropped. Lines
 * have neither secrets nor control characters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (config: LoggerSettings, sink: LogSink): LoggerService => {
  const hide = makeSecretHider(config)
  // lines may repeat text of nodes, with secrets or line breaks
  const write =
    (level: Level): WriteLine =>
    (message, fields) =>
      config.quiet
        ? Effect.void
        : Effect.sync(() => {
            const line = fields === undefined ? message() : `${message()} ${JSON.stringify(fields)}`
            writeToSink(config.logger ?? sink, level, sanitizeText(line, hide))
          })
  const verbose = config.verbose && !config.quiet
  return {
    verbose,
    debug: verbose ? write("debug") : () => Effect.void,
    info: write("info"),
    warn: write("warn"),
    error: write("error")
  }
}

/**
 * Writes a line to the Effect logger. With `verbose` it is written whatever the minimum level is, except for None.
 */
const writeToEffectLogger = (
  { network, verbose }: LoggerSettings,
  level: LogLevel.LogLevel,
  message: () => string,
  fields?: object
): Effect.Effect<void> =>
  Effect.flatMap(FiberRef.get(FiberRef.currentMinimumLogLevel), (minimum) => {
    const least = verbose && minimum !== LogLevel.None ? level : minimum
    return least.ordinal > level.ordinal
      ? Effect.void
      : Effect.logWithLevel(level, message()).pipe(
          Effect.annotateLogs({ "effect_chains.network": network, ...fields }),
          Effect.locally(FiberRef.currentMinimumLogLevel, least)
        )
  })

/**
 * Makes a logger that writes to the configuration's `logger`, or to the Effect logger. Lines follow the minimum level
 * of the fiber that writes them, and are annotated with the network and their facts. With `verbose`, debug lines are
 * written whatever that level is, except for None.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeEffect = (config: LoggerSettings): LoggerService => {
  const { logger, quiet, verbose } = config
  if (logger !== undefined || quiet) return make(config, silentSink)
  const hide = makeSecretHider(config)
  const write =
    (level: LogLevel.LogLevel): WriteLine =>
    (message, fields) =>
      writeToEffectLogger(config, level, () => sanitizeText(message(), hide), fields)
  return {
    verbose,
    debug: write(LogLevel.Debug),
    info: write(LogLevel.Info),
    warn: write(LogLevel.Warning),
    error: write(LogLevel.Error)
  }
}

/** Writes nothing. */
const silentSink: LogSink = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

/**
 * The layer of the configuration's logger, or of the Effect logger.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Logger, never, Config> = /*#__PURE__*/ Layer.effect(
  Logger,
  /*#__PURE__*/ Effect.map(Config, makeEffect)
)

/**
 * Like {@link layer}, but writes to `sink` if the configuration has no logger.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerSink = (sink: LogSink): Layer.Layer<Logger, never, Config> =>
  Layer.effect(
    Logger,
    Effect.map(Config, (config) => make(config, sink))
  )
