import { hexToBytes } from "./hex.js"
import { withoutTail } from "./tail.js"

/** The bytes of a text in an answer of the ABI: a string behind its offset and length, or one word filled up with zeros. */
const textBytes = (hex: string): string => {
  if (hex.length <= 64) return withoutTail(hex, "00")
  const start = Number(BigInt(`0x${hex.slice(0, 64)}`)) * 2
  const length = Number(BigInt(`0x${hex.slice(start, start + 64) || "0"}`)) * 2
  return hex.slice(start + 64, start + 64 + length)
}

/** The text in an answer of the ABI, as hexadecimal digits; none where there is nothing. */
export const textOf = (hex: string): string | undefined => {
  const text = new TextDecoder().decode(hexToBytes(textBytes(hex)))
  return text === "" ? undefined : text
}
