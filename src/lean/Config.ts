import type * as Original from "effect/Config"
import * as Micro from "effect/Micro"
import { as, fail } from "./micro.js"

/** A variable of the process alone: there are no other providers. The failure says nothing more than the name. */
export const string: typeof Original.string = /*#__PURE__*/ as((name: string) =>
  Micro.suspend((): Micro.Micro<unknown, unknown> => {
    const value = globalThis.process?.env?.[name]
    return value !== undefined ? Micro.succeed(value) : as(fail(name))
  })
)
