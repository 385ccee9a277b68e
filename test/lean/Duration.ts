/** Durations of effect are none of the lean runtime's: here they are milliseconds. */
import type * as Original from "effect/Duration"
import { as } from "../../src/lean/cast.js"

export * from "../../src/lean/Duration.js"

export const millis: typeof Original.millis = /*#__PURE__*/ as((n: number) => n)
export const seconds: typeof Original.seconds = /*#__PURE__*/ as((n: number) => n * 1_000)
export const minutes: typeof Original.minutes = /*#__PURE__*/ as((n: number) => n * 60_000)
export const hours: typeof Original.hours = /*#__PURE__*/ as((n: number) => n * 3_600_000)
