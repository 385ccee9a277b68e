import * as Micro from "effect/Micro"
import type * as Original from "effect/Scope"
import { as } from "./micro.js"

export const Scope: typeof Original.Scope = /*#__PURE__*/ as(Micro.MicroScope)
export const make: typeof Original.make = /*#__PURE__*/ as(() => Micro.scopeMake)
export const close: typeof Original.close = /*#__PURE__*/ as(
  (scope: Micro.MicroScope.Closeable, exit: Micro.MicroExit<unknown, unknown>) => scope.close(exit)
)
export const extend: typeof Original.extend = /*#__PURE__*/ as(Micro.provideScope)
