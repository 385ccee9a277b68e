import type * as Original from "effect/MetricLabel"
import { as } from "./cast.js"

/** See {@link ./Metric.ts}. */
export const make: typeof Original.make = /*#__PURE__*/ as(() => undefined)
