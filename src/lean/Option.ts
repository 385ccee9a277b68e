import type * as Original from "effect/Option"
import { as } from "./cast.js"

type Any = { readonly _tag: "None" } | { readonly _tag: "Some"; readonly value: unknown }

const NONE: Any = { _tag: "None" }

/** An option is a plain object here, without `pipe`, and no effect. */
export const some: typeof Original.some = /*#__PURE__*/ as((value: unknown): Any => ({ _tag: "Some", value }))
export const none: typeof Original.none = /*#__PURE__*/ as((): Any => NONE)

export const getOrElse: typeof Original.getOrElse = /*#__PURE__*/ as((self: Any, otherwise: () => unknown) =>
  self._tag === "Some" ? self.value : otherwise()
)
export const getOrUndefined: typeof Original.getOrUndefined = /*#__PURE__*/ as((self: Any) =>
  self._tag === "Some" ? self.value : undefined
)
export const exists: typeof Original.exists = /*#__PURE__*/ as(
  (self: Any, is: (value: unknown) => boolean) => self._tag === "Some" && is(self.value)
)

const matchOption = (
  self: Any,
  on: { readonly onNone: () => unknown; readonly onSome: (value: unknown) => unknown }
): unknown => (self._tag === "Some" ? on.onSome(self.value) : on.onNone())

export const match: typeof Original.match = /*#__PURE__*/ as(
  (...args: Parameters<typeof matchOption> | [Parameters<typeof matchOption>[1]]) => {
    const [first, second] = args
    return second === undefined ? (self: Any) => matchOption(self, as(first)) : matchOption(as(first), second)
  }
)
