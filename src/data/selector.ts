import { bytesToHex } from "./hex.js"
import { keccak256 } from "./keccak.js"

/** The first four bytes of a call of a contract's function, by its signature, as hexadecimal digits. */
export const selectorOf = (signature: string): string =>
  bytesToHex(keccak256(new TextEncoder().encode(signature)).subarray(0, 4))
