/**
 * Checks operations of Tezos. `@taquito/local-forging` decodes them, and `@noble/curves` verifies them. The recordings
 * have no keys, so an operation has to reveal its own.
 *
 * @since 0.1.0
 */
import { ed25519 } from "@noble/curves/ed25519.js"
import { p256 } from "@noble/curves/nist.js"
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { blake2b } from "@noble/hashes/blake2.js"
import { LocalForger } from "@taquito/local-forging"
import { decodeBase58Check, encodeBase58Check } from "../../../signers/base58Check.js"
import { RejectedTransaction } from "./TransactionCheck.js"

type Verify = (signature: Uint8Array, hash: Uint8Array, key: Uint8Array) => boolean

/** The curves by the prefix bytes of their keys, with those of their addresses. */
const curves: ReadonlyArray<{
  readonly key: ReadonlyArray<number>
  readonly address: ReadonlyArray<number>
  readonly verify: Verify
}> = [
  { key: [13, 15, 37, 217], address: [6, 161, 159], verify: (...all) => ed25519.verify(...all) },
  {
    key: [3, 254, 226, 86],
    address: [6, 161, 161],
    verify: (...all) => secp256k1.verify(...all, { prehash: false })
  },
  {
    key: [3, 178, 139, 127],
    address: [6, 161, 164],
    verify: (...all) => p256.verify(...all, { prehash: false })
  }
]

const forger = new LocalForger()

const SIGNATURE_BYTES = 64

/**
 * The hash of an operation (hexadecimal), if its source has signed it for the chain. `isBlock` says whether its branch
 * is a recent block of the chain.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkOperation = async (
  operation: string,
  isBlock: (hash: string) => boolean
): Promise<{ readonly hash: string } | RejectedTransaction> => {
  const bytes = new Uint8Array(Buffer.from(operation, "hex"))
  if (bytes.length * 2 !== operation.length) return new RejectedTransaction("unreadable", "Invalid_hex")
  const hash = encodeBase58Check(Uint8Array.of(5, 116, ...blake2b(bytes, { dkLen: 32 })))
  const forged = operation.slice(0, -2 * SIGNATURE_BYTES)
  const read = await forger.parse(forged)
  if ((await forger.forge(read)) !== forged.toLowerCase())
    return new RejectedTransaction("unreadable", "Extra_bytes")
  if (!isBlock(read.branch)) return new RejectedTransaction("chain", read.branch, hash)
  const contents: ReadonlyArray<object> = read.contents
  const sources = new Set(contents.map((each) => String(Reflect.get(each, "source"))))
  const [source = ""] = sources
  const keys = contents.flatMap((each) => ("public_key" in each ? String(each.public_key) : []))
  const [key] = keys
  if (key === undefined || sources.size !== 1)
    return new RejectedTransaction("signature", "contract.unrevealed_key", hash)
  const named = decodeBase58Check(key) ?? new Uint8Array()
  const curve = curves.find((each) => each.key.every((byte, i) => named[i] === byte))
  const plain = named.subarray(4)
  const isOwn =
    curve !== undefined &&
    encodeBase58Check(Uint8Array.of(...curve.address, ...blake2b(plain, { dkLen: 20 }))) === source
  if (!isOwn) return new RejectedTransaction("signature", "contract.manager.inconsistent_hash", hash)
  const message = blake2b(Uint8Array.of(3, ...bytes.subarray(0, -SIGNATURE_BYTES)), { dkLen: 32 })
  return curve.verify(bytes.subarray(-SIGNATURE_BYTES), message, plain)
    ? { hash }
    : new RejectedTransaction("signature", "operation.invalid_signature", hash)
}
