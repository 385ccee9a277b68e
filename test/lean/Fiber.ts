import type * as Original from "effect/Fiber"
import * as Option from "effect/Option"
import { as } from "../../src/lean/cast.js"
import { each, awaited as ended, type Fiber, joined, sync } from "../../src/lean/machine.js"

export * from "../../src/lean/Fiber.js"

const awaited: typeof Original.await = /*#__PURE__*/ as(ended)

export { awaited as await }

export const joinAll: typeof Original.joinAll = /*#__PURE__*/ as((fibers: Iterable<Fiber>) =>
  each([...fibers], joined)
)
export const poll: typeof Original.poll = /*#__PURE__*/ as((fiber: Fiber) =>
  sync(() => Option.fromNullable(fiber.unsafePoll()))
)
