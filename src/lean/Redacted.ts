import type * as Original from "effect/Redacted"
import { as } from "./cast.js"

/** Entries of the package have a copy of this module each, and read what another copy has redacted: a private field would be of one alone. */
const read = /*#__PURE__*/ Symbol.for("redacted")

/** A value that does not print itself. Values that Effect redacted are not recognised. */
class Redacted {
  readonly [read]: () => unknown
  constructor(value: unknown) {
    this[read] = () => value
  }
  static valueOf(self: Redacted): unknown {
    return self[read]()
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
export const isRedacted: typeof Original.isRedacted = /*#__PURE__*/ as((u: unknown) => read in Object(u))
