import type * as Original from "effect/Redacted"
import { as } from "./cast.js"

/** A value that does not print itself. Values that Effect redacted are not recognised. */
class Redacted {
  readonly #value: unknown
  constructor(value: unknown) {
    this.#value = value
  }
  static valueOf(self: Redacted): unknown {
    return self.#value
  }
  toString(): string {
    return "<redacted>"
  }
  toJSON(): string {
    return "<redacted>"
  }
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return "<redacted>"
  }
}

export const make: typeof Original.make = /*#__PURE__*/ as((value: unknown) => new Redacted(value))
export const value: typeof Original.value = /*#__PURE__*/ as(Redacted.valueOf)
export const isRedacted: typeof Original.isRedacted = /*#__PURE__*/ as((u: unknown) => u instanceof Redacted)
