import type * as Original from "effect/Scope"
import { as } from "./cast.js"
import { type Ends, open, tag, within } from "./finalizers.js"
import type { Exit } from "./machine.js"

export const Scope: typeof Original.Scope = /*#__PURE__*/ as(tag)
export const make: typeof Original.make = /*#__PURE__*/ as(() => open)
export const close: typeof Original.close = /*#__PURE__*/ as((scope: Ends, end: Exit) => scope.close(end))
export const extend: typeof Original.extend = /*#__PURE__*/ as(within)
