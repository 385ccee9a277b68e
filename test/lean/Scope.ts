import * as Micro from "effect/Micro"
import type * as Original from "effect/Scope"
import { as } from "../../src/lean/micro.js"

export * from "../../src/lean/Scope.js"

export const extend: typeof Original.extend = /*#__PURE__*/ as(Micro.provideScope)
