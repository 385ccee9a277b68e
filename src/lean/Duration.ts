import type * as Original from "effect/Duration"
import { as } from "./cast.js"

const units: Readonly<Record<string, number>> = {
  nano: 1e-6,
  micro: 1e-3,
  milli: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000
}

/**
 * Converts milliseconds (number), nanoseconds (bigint) or text such as "10 seconds". There are no other durations
 * here.
 */
export const toMillis: typeof Original.toMillis = /*#__PURE__*/ as((duration: unknown): number => {
  if (typeof duration === "number") return Number.isNaN(duration) ? 0 : Math.max(0, duration)
  if (typeof duration === "bigint") return Math.max(0, Number(duration) / 1e6)
  const [, count = "", unit = ""] =
    /^(-?\d+(?:\.\d+)?)\s+(nano|micro|milli|second|minute|hour|day|week)s?$/.exec(String(duration)) ?? []
  const scale = units[unit]
  if (scale === undefined) throw new Error("Invalid DurationInput")
  return Math.max(0, Number(count) * scale)
})
