import type * as Original from "effect/Data"
import { as } from "./cast.js"
import { Effect, fail, STEP } from "./fiberRuntime.js"

/** Errors that are effects, which fail with them. They are equal only to themselves. */
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
