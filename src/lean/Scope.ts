import type * as Original from "effect/Scope"
import { as } from "./cast.js"
import type { Exit } from "./fiberRuntime.js"
import { type LeanScope, makeScope, provideScope, scopeTag } from "./finalizers.js"

export const Scope: typeof Original.Scope = /*#__PURE__*/ as(scopeTag)
export const make: typeof Original.make = /*#__PURE__*/ as(() => makeScope)
export const close: typeof Original.close = /*#__PURE__*/ as((scope: LeanScope, end: Exit) =>
  scope.close(end)
)
export const extend: typeof Original.extend = /*#__PURE__*/ as(provideScope)
