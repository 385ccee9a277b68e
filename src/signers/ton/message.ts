/** Messages of people, signed as TON Connect's `signData` does: what is signed begins as no message of a wallet does. */
import { sha256 } from "@noble/hashes/sha2.js"
import { base64Of } from "../../data/base64.js"
import { hexToBytes } from "../../data/hex.js"

const utf8 = new TextEncoder()

/** A number of so many bytes, the most significant one first. */
const toBigEndian = (value: number | bigint, size: number): Uint8Array =>
  hexToBytes(
    BigInt.asUintN(size * 8, BigInt(value))
      .toString(16)
      .padStart(size * 2, "0")
  )

/** Whose signature it is (a raw address), and when it was given, in seconds. */
export interface MessageContext {
  readonly address: string
  readonly timestamp: number
}

/** The hash of a message. The domain is that of an app which asks a wallet: there is none here. */
const hashMessage = (
  kind: "txt" | "bin",
  bytes: Uint8Array,
  { address, timestamp }: MessageContext
): Uint8Array =>
  sha256(
    Uint8Array.of(
      0xff,
      0xff,
      ...utf8.encode("ton-connect/sign-data/"),
      ...toBigEndian(BigInt(address.slice(0, -65)), 4),
      ...hexToBytes(address.slice(-64)),
      ...toBigEndian(0, 4),
      ...toBigEndian(timestamp, 8),
      ...utf8.encode(kind),
      ...toBigEndian(bytes.length, 4),
      ...bytes
    )
  )

/** The answer of a wallet to `signData`, as JSON. */
export const signMessage = async (
  message: string | Uint8Array,
  { address, timestamp }: MessageContext,
  sign: (hash: Uint8Array) => Promise<Uint8Array>
): Promise<string> => {
  const given: unknown = message
  if (typeof given !== "string" && !(given instanceof Uint8Array))
    throw new Error("a message is text or bytes")
  const isText = typeof given === "string"
  const bytes = isText ? utf8.encode(given) : given
  const signature = await sign(hashMessage(isText ? "txt" : "bin", bytes, { address, timestamp }))
  const payload = isText ? { type: "text", text: given } : { type: "binary", bytes: base64Of(bytes) }
  return JSON.stringify({ signature: base64Of(signature), address, timestamp, domain: "", payload })
}
