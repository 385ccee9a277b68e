import type * as Original from "effect/Config"
import { as } from "./cast.js"
import { type Effect, fail, succeed, suspend } from "./fiberRuntime.js"

/** Reads a variable of the process; there are no other providers. Fails with the variable's name. */
export const string: typeof Original.string = /*#__PURE__*/ as((name: string) =>
  suspend((): Effect => {
    const value = globalThis.process?.env?.[name]
    return value !== undefined ? succeed(value) : fail(name)
  })
)
