/** The digits of Base32. */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** The first byte of each kind of text, by the text's first letter. */
const VERSION_BYTES = { account: 6 << 3, muxed: 12 << 3, seed: 18 << 3, contract: 2 << 3 }

/** The checksum of the ledger's texts (CRC-16, XMODEM), its lower byte first. */
const computeChecksum = (bytes: Iterable<number>): ReadonlyArray<number> => {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = ((sum << 1) ^ (sum & 0x8000 ? 0x1021 : 0)) & 0xffff
  }
  return [sum & 0xff, sum >> 8]
}

const encodeBase32 = (bytes: ReadonlyArray<number>): string => {
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("")
  return bits.replace(/.{1,5}/g, (five) => ALPHABET.charAt(Number.parseInt(five.padEnd(5, "0"), 2)))
}

const encodeStrKey = (kind: number, bytes: Iterable<number>): string => {
  const whole = [kind, ...bytes]
  return encodeBase32([...whole, ...computeChecksum(whole)])
}

/** The kind and the bytes of a text; nothing if its checksum fails, or if it is not the only text of its bytes. */
const decodeStrKey = (text: string): { readonly kind: number; readonly bytes: Uint8Array } | undefined => {
  const bits = [...text].map((digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, "0")).join("")
  const whole = Array.from(bits.matchAll(/.{8}/g), ([eight]) => Number.parseInt(eight, 2))
  const [kind = 0, ...bytes] = whole.slice(0, -2)
  return encodeStrKey(kind, bytes) === text ? { kind, bytes: Uint8Array.from(bytes) } : undefined
}

/** Decodes a text of the ledger, if its checksum is right: an account, a muxed account, a seed or a contract. */
export const strKeyKindOf = (text: string): keyof typeof VERSION_BYTES | undefined => {
  const found = /^[A-Z2-7]{56}([A-Z2-7]{13})?$/.test(text) ? decodeStrKey(text) : undefined
  if (found === undefined) return undefined
  const size = found.kind === VERSION_BYTES.muxed ? 40 : 32
  return found.bytes.length === size
    ? (["account", "muxed", "seed", "contract"] as const).find((kind) => VERSION_BYTES[kind] === found.kind)
    : undefined
}

/** An account as payments name it: a muxed address has the number of a part of it, too. */
export interface Destination {
  readonly account: string
  readonly muxedId?: bigint
}

/** The account that an address names, or the problem of the address. */
export const parseDestination = (address: string): Destination | string => {
  if (typeof address !== "string") return "must be text"
  if (!/^[A-Z2-7]{56}([A-Z2-7]{13})?$/.test(address)) return "must be G and 55, or M and 68 digits of base32"
  const found = decodeStrKey(address)
  if (found === undefined) return "has a wrong digit: its checksum fails"
  const { bytes, kind } = found
  if (kind === VERSION_BYTES.account && bytes.length === 32) return { account: address }
  if (kind === VERSION_BYTES.muxed && bytes.length === 40)
    return {
      account: encodeStrKey(VERSION_BYTES.account, bytes.subarray(0, 32)),
      muxedId: new DataView(bytes.buffer).getBigUint64(32)
    }
  return kind === VERSION_BYTES.contract
    ? "must begin with G or M, and is that of a contract, which takes no payments of this kind"
    : "must begin with G or M, and is no account"
}

/**
 * The problem of an address of Stellar, an account (`G…`) or a muxed one (`M…`), if there is one: its shape, a wrong digit (its checksum
 * fails), or that it is something else, such as a contract.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string): string | undefined => {
  const found = parseDestination(address)
  return typeof found === "string" ? found : undefined
}

/** The address of a public key. */
export const encodeAddress = (publicKey: Uint8Array): string => encodeStrKey(VERSION_BYTES.account, publicKey)

/** The public key of the address of an account. */
export const decodePublicKey = (address: string): Uint8Array =>
  decodeStrKey(address)?.bytes ?? new Uint8Array()

/** The private key of a seed (`S…`); undefined if the text is none. */
export const keyFromSeed = (seed: string): Uint8Array | undefined => {
  const found = decodeStrKey(seed)
  return found?.kind === VERSION_BYTES.seed && found.bytes.length === 32 ? found.bytes : undefined
}
