import type * as Original from "effect/Exit"
import * as Micro from "effect/Micro"
import { as } from "../../src/lean/micro.js"

export * from "../../src/lean/Exit.js"

export const isInterrupted: typeof Original.isInterrupted = /*#__PURE__*/ as(Micro.exitIsInterrupt)
export const die: typeof Original.die = /*#__PURE__*/ as(Micro.exitDie)
