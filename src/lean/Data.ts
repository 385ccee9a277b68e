import type * as Original from "effect/Data"
import * as Micro from "effect/Micro"
import { as, fail } from "./micro.js"

/** Errors of Micro, which fail by the same cause as all failures here. They are equal only to themselves. */
export const TaggedError: typeof Original.TaggedError = /*#__PURE__*/ as((tag: string) => {
  class Failing extends Micro.TaggedError(tag)<Readonly<Record<string, unknown>>> {
    override [Symbol.iterator](): Micro.MicroIterator<Micro.Micro<never, this>> {
      return as<Micro.Micro<never, this>>(fail(this))[Symbol.iterator]()
    }
  }
  return Failing
})
