import type * as Original from "effect/Random"
import { as } from "./cast.js"
import { sync } from "./fiberRuntime.js"

/** `Math.random`; there is no service here. */
export const next: typeof Original.next = /*#__PURE__*/ as(/*#__PURE__*/ sync(() => Math.random()))
export const nextInt: typeof Original.nextInt = /*#__PURE__*/ as(
  /*#__PURE__*/ sync(() => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER))
)
