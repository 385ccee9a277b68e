/** Keys on ed25519 (SLIP-10): loaded with the first signer that needs one. */
import { hmac } from "@noble/hashes/hmac.js"
import { sha512 } from "@noble/hashes/sha2.js"

/** Derives the private key at a path (SLIP-10, ed25519). All parts of the path are hardened. */
export const deriveEd25519 = (seed: Uint8Array, path: string): Uint8Array => {
  const start = hmac(sha512, new TextEncoder().encode("ed25519 seed"), seed)
  const end = path
    .split("/")
    .slice(1)
    .reduce((parent, part) => {
      const data = new Uint8Array(37)
      data.set(parent.subarray(0, 32), 1)
      new DataView(data.buffer).setUint32(33, Number.parseInt(part, 10) + 0x8000_0000)
      return hmac(sha512, parent.subarray(32), data)
    }, start)
  return end.slice(0, 32)
}
