/**
 * Where the SDK's log lines go: the user's own logger, the Effect logger, or nowhere.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { tell } from "../data/foreign.js"
import { Config, type ResolvedConfig } from "./Config.js"
import { hidingOf } from "./headers.js"
import type { LogSink } from "./LogSink.js"

export type { LogSink } from "./LogSink.js"

/**
 * The SDK's logger. `debug` takes its message as a function, which is called only when the configuration says
 * `verbose`: a line that nobody reads costs nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface LoggerService {
  readonly verbose: boolean
  readonly debug: (message: () => string) => Effect.Effect<void>
  readonly info: (message: string) => Effect.Effect<void>
  readonly warn: (message: string) => Effect.Effect<void>
  readonly error: (message: string) => Effect.Effect<void>
}

/**
 * The logger of the client at hand.
 *
 * @since 0.1.0
 * @category services
 */
export class Logger extends Context.Tag("effect-chains/services/Logger")<Logger, LoggerService>() {}

type Level = "debug" | "info" | "warn" | "error"

/** Lines go to the logger of the surrounding Effect program, with its format and level. */
const effectLog: Readonly<Record<Level, (message: string) => Effect.Effect<void>>> = {
  debug: Effect.logDebug,
  info: Effect.logInfo,
  warn: Effect.logWarning,
  error: Effect.logError
}

/** Gives a line to a custom logger. Its exceptions, at once or from a promise, are dropped. */
const hand = (sink: LogSink, level: Level, message: string): void => {
  try {
    const written: unknown = sink[level](message)
    if (written instanceof Promise) written.catch(() => {})
  } catch {
    // the caller asked for data, not for a log line
  }
}

/**
 * Makes a logger from the configuration's `quiet`, `verbose` and `logger`. Exceptions of a custom logger are
 * dropped and end no call. Lines hold neither secrets of the configuration nor control characters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  config: Pick<ResolvedConfig, "logger" | "quiet" | "verbose"> &
    Partial<Pick<ResolvedConfig, "apiKey" | "nodes">>,
  fallback?: LogSink
): LoggerService => {
  const sink = config.logger ?? fallback
  const hide = hidingOf(config)
  // lines repeat the words of others, and a line is one line
  const write = (level: Level, message: string): Effect.Effect<void> =>
    config.quiet
      ? Effect.void
      : sink === undefined
        ? effectLog[level](tell(message, hide))
        : Effect.sync(() => hand(sink, level, tell(message, hide)))
  const verbose = config.verbose && !config.quiet
  return {
    verbose,
    debug: (message) => (verbose ? Effect.suspend(() => write("debug", message())) : Effect.void),
    info: (message) => write("info", message),
    warn: (message) => write("warn", message),
    error: (message) => write("error", message)
  }
}

/**
 * The logger that the configuration asks for; without a custom one, lines go to the Effect logger.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Logger, never, Config> = /*#__PURE__*/ Layer.effect(
  Logger,
  /*#__PURE__*/ Effect.map(Config, (config) => make(config))
)

/**
 * Like {@link layer}, but lines go to `sink` where the configuration has no logger.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerSink = (sink: LogSink): Layer.Layer<Logger, never, Config> =>
  Layer.effect(
    Logger,
    Effect.map(Config, (config) => make(config, sink))
  )
