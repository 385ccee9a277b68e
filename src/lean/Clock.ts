import type * as Original from "effect/Clock"
import { Reference } from "./Context.js"
import { as } from "./cast.js"
import { liveClock } from "./liveClock.js"

export const ClockTypeId: typeof Original.ClockTypeId = /*#__PURE__*/ as("effect-chains/lean/Clock")

/** The clock is an ordinary service here. */
export const Clock: typeof Original.Clock = /*#__PURE__*/ as(
  /*#__PURE__*/ Reference<never>()("effect-chains/lean/Clock", { defaultValue: () => liveClock })
)
