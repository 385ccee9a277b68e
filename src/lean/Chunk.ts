import type * as Original from "effect/Chunk"
import { as } from "./cast.js"

/** Chunks are arrays here. */
export const unsafeFromArray: typeof Original.unsafeFromArray = /*#__PURE__*/ as((items: unknown) => items)
export const fromIterable: typeof Original.fromIterable = /*#__PURE__*/ as((items: Iterable<unknown>) => [
  ...items
])
export const toReadonlyArray: typeof Original.toReadonlyArray = /*#__PURE__*/ as((items: unknown) => items)
