import * as Micro from "effect/Micro"
import type * as Original from "effect/Random"
import { as } from "./micro.js"

/** The chance of the machine; there is no service of it. */
export const next: typeof Original.next = /*#__PURE__*/ as(/*#__PURE__*/ Micro.sync(Math.random))
export const nextInt: typeof Original.nextInt = /*#__PURE__*/ as(
  /*#__PURE__*/ Micro.sync(() => Math.floor(Math.random() * Number.MAX_SAFE_INTEGER))
)
