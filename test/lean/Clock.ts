import type * as Original from "effect/Clock"
import { clockWith as with_ } from "../../src/lean/Effect.js"

export * from "../../src/lean/Clock.js"

export const clockWith: typeof Original.clockWith = with_
export const currentTimeMillis: typeof Original.currentTimeMillis = /*#__PURE__*/ with_(
  (clock) => clock.currentTimeMillis
)
