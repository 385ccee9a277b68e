import type * as Original from "effect/Data"
import { as } from "./cast.js"
import { Effect, fail, STEP } from "./fiberRuntime.js"

/** Errors are effects that fail with themselves. They have no structural equality. */
export const TaggedError: typeof Original.TaggedError = /*#__PURE__*/ as((tag: string) => {
  class Failing extends Error {
    constructor(fields?: object) {
      super()
      Object.assign(this, fields, { _tag: tag })
    }
    [STEP](): Effect {
      return fail(this)
    }
  }
  const { pipe, [Symbol.iterator]: iterator } = Effect.prototype
  Object.assign(Failing.prototype, { name: tag, pipe, [Symbol.iterator]: iterator })
  return Failing
})
