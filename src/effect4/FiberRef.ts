/** What fibers inherit are references. The minimum level of the log is one that the sources read. */
import * as Effect from "effect4/Effect"
import * as References from "effect4/References"
import { type LogLevel, levelOf } from "./LogLevel.js"

export const currentMinimumLogLevel = References.MinimumLogLevel

export const get = (reference: typeof currentMinimumLogLevel): Effect.Effect<LogLevel> =>
  Effect.map(reference, levelOf)
