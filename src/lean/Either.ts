import type * as Original from "effect/Either"
import { as } from "./cast.js"
import { Effect, type Fiber, fail, isEffect, STEP } from "./fiberRuntime.js"

/** An effect that succeeds with the value. */
class Right extends Effect {
  readonly _tag = "Right"
  readonly right: unknown
  constructor(value: unknown) {
    super()
    this.right = value
  }
  [STEP](fiber: Fiber): Effect | undefined {
    return fiber.continueWith(this.right)
  }
}

/** An effect that fails with the value. */
class Left extends Effect {
  readonly _tag = "Left"
  readonly left: unknown
  constructor(value: unknown) {
    super()
    this.left = value
  }
  [STEP](): Effect {
    return fail(this.left)
  }
}

type Any = Left | Right

export const right: typeof Original.right = /*#__PURE__*/ as((value: unknown) => new Right(value))
export const left: typeof Original.left = /*#__PURE__*/ as((value: unknown) => new Left(value))

export const isEither: typeof Original.isEither = /*#__PURE__*/ as(
  (value: unknown) => isEffect(value) && /^(Left|Right)$/.test(String(Reflect.get(value, "_tag")))
)
export const isLeft: typeof Original.isLeft = /*#__PURE__*/ as(({ _tag }: Any) => _tag === "Left")
export const isRight: typeof Original.isRight = /*#__PURE__*/ as(({ _tag }: Any) => _tag === "Right")

export const map: typeof Original.map = /*#__PURE__*/ as((self: Any, f: (value: unknown) => unknown) =>
  self._tag === "Right" ? right(f(self.right)) : self
)

export const mapLeft: typeof Original.mapLeft = /*#__PURE__*/ as(
  (self: Any, f: (error: unknown) => unknown) => (self._tag === "Left" ? left(f(self.left)) : self)
)

export const getOrNull: typeof Original.getOrNull = /*#__PURE__*/ as((self: Any) =>
  self._tag === "Right" ? self.right : null
)

const matchEither = (
  self: Any,
  on: Readonly<Record<"onLeft" | "onRight", (value: unknown) => unknown>>
): unknown => (self._tag === "Right" ? on.onRight(self.right) : on.onLeft(self.left))

export const match: typeof Original.match = /*#__PURE__*/ as(
  (...args: Parameters<typeof matchEither> | [Parameters<typeof matchEither>[1]]) => {
    const [first, second] = args
    return second === undefined ? (self: Any) => matchEither(self, as(first)) : matchEither(as(first), second)
  }
)
