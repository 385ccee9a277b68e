/** A level is a word. */
import * as Levels from "effect4/LogLevel"

export interface LogLevel {
  readonly name: Levels.LogLevel
  readonly ordinal: number
}

export const levelOf = (name: Levels.LogLevel): LogLevel => ({ name, ordinal: Levels.getOrdinal(name) })

const level = (name: Levels.Severity) => ({ name, ordinal: Levels.getOrdinal(name) })

export const Debug = /*#__PURE__*/ level("Debug")
export const Info = /*#__PURE__*/ level("Info")
export const Warning = /*#__PURE__*/ level("Warn")
export { Failure as Error }

const Failure = /*#__PURE__*/ level("Error")
export const None: LogLevel = /*#__PURE__*/ levelOf("None")
