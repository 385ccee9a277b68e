const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Bytes as Base58 (Bitcoin's alphabet). */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let value = 0n
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  let digits = ""
  for (; value > 0n; value /= 58n) digits = (alphabet[Number(value % 58n)] ?? "") + digits
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + digits
}

/** No chain has longer texts: the largest transaction of Solana takes 1,683 characters, and reading takes their square. */
const LONGEST = 4_096

/** The bytes of a Base58 text; throws on a character that is none of the alphabet, and on more than 4,096. */
export const decodeBase58 = (text: string): Uint8Array => {
  if (text.length > LONGEST) throw new Error(`${text.length} characters are too many for Base58`)
  let value = 0n
  for (const character of text) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) throw new Error(`${character} is no Base58 character`)
    value = value * 58n + BigInt(digit)
  }
  const bytes: Array<number> = []
  for (; value > 0n; value /= 256n) bytes.unshift(Number(value % 256n))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...new Array<number>(zeros).fill(0), ...bytes])
}
