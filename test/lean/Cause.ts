import type * as Original from "effect/Cause"
import { as } from "../../src/lean/cast.js"
import { type Cause, squash } from "../../src/lean/fiberRuntime.js"

export * from "../../src/lean/Cause.js"

const is =
  (tag: Cause["_tag"]) =>
  ({ _tag }: Cause): boolean =>
    _tag === tag

export const fail: typeof Original.fail = /*#__PURE__*/ as((error: unknown) => ({ _tag: "Fail", error }))
export const die: typeof Original.die = /*#__PURE__*/ as((defect: unknown) => ({ _tag: "Die", defect }))
export const isFailType: typeof Original.isFailType = /*#__PURE__*/ as(is("Fail"))
export const isInterrupted: typeof Original.isInterrupted = /*#__PURE__*/ as(is("Interrupt"))
export const isDie: typeof Original.isDie = /*#__PURE__*/ as(is("Die"))
export const pretty: typeof Original.pretty = /*#__PURE__*/ as((cause: Cause) => {
  const squashed = squash(cause)
  return squashed instanceof Error ? (squashed.stack ?? String(squashed)) : String(squashed)
})
