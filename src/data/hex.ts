/** Bytes as hexadecimal digits, without 0x. */
export const hexOf = (bytes: Iterable<number> | ArrayLike<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The bytes of hexadecimal digits, in pairs. */
export const bytesOfHex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
