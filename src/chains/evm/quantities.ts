import { shown } from "../../data/foreign.js"
import type { Block, Hex, Quantity } from "./Types.js"

const isQuantity = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{1,256}$/i.test(value)

/** A quantity as nodes take it; `what` names it in the error. */
export const hex = (value: Quantity, what: string): Hex => {
  if (
    typeof value === "bigint"
      ? value >= 0n
      : typeof value === "number" && Number.isSafeInteger(value) && value >= 0
  ) {
    return `0x${value.toString(16)}`
  }
  if (typeof value === "string") {
    if (isQuantity(value)) return value
    if (/^\d+$/.test(value)) return `0x${BigInt(value).toString(16)}`
  }
  throw new Error(`${what} must be a whole number from 0 or a 0x string, not ${shown(value, 200)}`)
}

const tags: ReadonlySet<unknown> = new Set(["latest", "pending", "earliest", "safe", "finalized"])

/** A block as nodes take it. */
export const block = (value: Block = "latest"): unknown =>
  tags.has(value) || typeof value === "object" ? value : hex(value, "the block")

/**
 * A quantity of the wire (0x string) as `bigint`; throws on anything else.
 *
 * @since 0.1.0
 * @category conversions
 */
export const quantity = (value: string): bigint => {
  if (!isQuantity(value)) {
    throw new Error(`a quantity was expected, not ${shown(value, 200)}`)
  }
  return BigInt(value)
}
