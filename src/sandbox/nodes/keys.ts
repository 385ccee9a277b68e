/**
 * The keys of the sandbox on chains that are no EVM chains. They follow from a text that is public: never use them elsewhere.
 *
 * @since 0.1.0
 */
import { createECDH, createHash, createPrivateKey, createPublicKey } from "node:crypto"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { encodeBase58 } from "../../chains/internal/base58.js"

/**
 * An address with its private key, in the form for wallets of its chain: in the import format of Bitcoin (for a
 * compressed public key), on Solana as base58 of seed and public key.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account {
  readonly address: string
  readonly privateKey: string
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest()

const secret = (name: string): Buffer => sha256(`effect-chains sandbox ${name}`)

/** Ten accounts, and the miner that pays all others. */
const names = Array.from({ length: 10 }, (_, i) => String(i + 1))

const base58Check = (...parts: ReadonlyArray<Uint8Array>): string => {
  const bytes = Buffer.concat(parts)
  return encodeBase58(new Uint8Array(Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)])))
}

/**
 * The first byte of addresses and of private keys on a chain of Bitcoin's kind.
 *
 * @since 0.1.0
 * @category models
 */
export interface Versions {
  readonly address: number
  readonly privateKey: number
}

const utxoAccount =
  (versions: Versions) =>
  (name: string): Account => {
    const pair = createECDH("secp256k1")
    pair.setPrivateKey(secret(name))
    const hash = ripemd160(sha256(pair.getPublicKey(null, "compressed")))
    return {
      address: base58Check(Buffer.from([versions.address]), hash),
      privateKey: base58Check(Buffer.from([versions.privateKey]), pair.getPrivateKey(), Buffer.from([1]))
    }
  }

/**
 * Ten accounts of a chain of Bitcoin's kind (P2PKH), and the miner, which gets the coinbases and pays.
 *
 * @since 0.1.0
 * @category conversions
 */
export const utxo = (
  versions: Versions
): { readonly accounts: ReadonlyArray<Account>; readonly miner: Account } => ({
  accounts: names.map(utxoAccount(versions)),
  miner: utxoAccount(versions)("miner")
})

/** The bytes before the 32 of an Ed25519 seed in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex")

/**
 * Ten accounts of Solana.
 *
 * @since 0.1.0
 * @category conversions
 */
export const solana = (): ReadonlyArray<Account> =>
  names.map((name) => {
    const seed = secret(name)
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" })
    const { x = "" } = createPublicKey(key).export({ format: "jwk" })
    const publicKey = Buffer.from(x, "base64url")
    return {
      address: encodeBase58(new Uint8Array(publicKey)),
      privateKey: encodeBase58(new Uint8Array(Buffer.concat([seed, publicKey])))
    }
  })
