/** Keys on secp256k1 (BIP-32): loaded with the first signer that needs one. */
import { HDKey } from "@scure/bip32"

/** The private key at a path (BIP-32, on secp256k1). */
export const deriveSecp256k1 = (seed: Uint8Array, path: string): Uint8Array => {
  const { privateKey } = HDKey.fromMasterSeed(seed).derive(path)
  // keys from a seed have a private part; empty bytes are an invalid key
  return privateKey ?? new Uint8Array()
}
