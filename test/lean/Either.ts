import type * as Original from "effect/Either"
import { dual } from "effect/Function"
import { as } from "../../src/lean/cast.js"

export * from "../../src/lean/Either.js"

type Any =
  | { readonly _tag: "Left"; readonly left: unknown }
  | { readonly _tag: "Right"; readonly right: unknown }

const orThrow = (self: Any, told: (left: unknown) => unknown): unknown => {
  if (self._tag === "Right") return self.right
  throw told(self.left)
}

export const getOrThrowWith: typeof Original.getOrThrowWith = /*#__PURE__*/ as(dual(2, orThrow))
export const getOrThrow: typeof Original.getOrThrow = /*#__PURE__*/ as((self: Any) =>
  orThrow(self, () => new Error("getOrThrow called on a Left"))
)
