import type * as Original from "effect/MetricLabel"
import { as } from "./micro.js"

/** See {@link ./Metric.ts}. */
export const make: typeof Original.make = /*#__PURE__*/ as(() => undefined)
