import type * as Original from "effect/DefaultServices"
import { Clock } from "./Clock.js"
import { make } from "./Context.js"
import { as } from "./cast.js"
import { liveClock } from "./liveClock.js"

/** The clock is the only default service. */
export const liveServices: typeof Original.liveServices = /*#__PURE__*/ as(
  /*#__PURE__*/ make(Clock, liveClock)
)
