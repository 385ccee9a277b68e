import type * as Original from "effect/Fiber"
import * as Option from "effect/Option"
import { as } from "../../src/lean/cast.js"
import {
  awaitFiber as ended,
  type Fiber,
  forEachInOrder,
  joinFiber,
  sync
} from "../../src/lean/fiberRuntime.js"

export * from "../../src/lean/Fiber.js"

const awaited: typeof Original.await = /*#__PURE__*/ as(ended)

export { awaited as await }

export const joinAll: typeof Original.joinAll = /*#__PURE__*/ as((fibers: Iterable<Fiber>) =>
  forEachInOrder([...fibers], joinFiber)
)
export const poll: typeof Original.poll = /*#__PURE__*/ as((fiber: Fiber) =>
  sync(() => Option.fromNullable(fiber.unsafePoll()))
)
