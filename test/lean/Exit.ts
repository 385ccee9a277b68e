import type * as Original from "effect/Exit"
import { as } from "../../src/lean/cast.js"
import { die as dying, type Exit } from "../../src/lean/fiberRuntime.js"

export * from "../../src/lean/Exit.js"

export const isInterrupted: typeof Original.isInterrupted = /*#__PURE__*/ as(
  (exit: Exit) => exit._tag === "Failure" && exit.cause._tag === "Interrupt"
)
export const die: typeof Original.die = /*#__PURE__*/ as(dying)
