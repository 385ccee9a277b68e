/** Bytes as hexadecimal digits, without 0x. */
export const bytesToHex = (bytes: Iterable<number> | ArrayLike<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The bytes of hexadecimal digits, in pairs; throws on what is none, which would become other bytes. */
export const hexToBytes = (digits: string): Uint8Array => {
  if (digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits))
    throw new Error("bytes are an even number of hexadecimal digits")
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
