import type * as Original from "effect/Config"
import { as } from "./cast.js"
import { type Effect, fail, succeed, suspend } from "./fiberRuntime.js"

/** A variable of the process alone: there are no other providers. The failure says nothing more than the name. */
export const string: typeof Original.string = /*#__PURE__*/ as((name: string) =>
  suspend((): Effect => {
    const value = globalThis.process?.env?.[name]
    return value !== undefined ? succeed(value) : fail(name)
  })
)
