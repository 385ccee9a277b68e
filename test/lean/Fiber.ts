import type * as Original from "effect/Fiber"
import * as Micro from "effect/Micro"
import * as Option from "effect/Option"
import { as } from "../../src/lean/micro.js"

export * from "../../src/lean/Fiber.js"

type Fiber = Micro.MicroFiber<unknown, unknown>

const awaited: typeof Original.await = /*#__PURE__*/ as(Micro.fiberAwait)

export { awaited as await }

export const joinAll: typeof Original.joinAll = /*#__PURE__*/ as((fibers: Iterable<Fiber>) =>
  Micro.forEach(fibers, Micro.fiberJoin)
)
export const poll: typeof Original.poll = /*#__PURE__*/ as((fiber: Fiber) =>
  Micro.sync(() => Option.fromNullable(fiber.unsafePoll()))
)
