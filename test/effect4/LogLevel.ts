import { type LogLevel, levelOf } from "../../src/effect4/LogLevel.js"

export * from "../../src/effect4/LogLevel.js"

export const All: LogLevel = /*#__PURE__*/ levelOf("All")
