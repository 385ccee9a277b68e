/** Keys on secp256k1 (BIP-32): loaded with the first signer that needs one. */
import { HDKey } from "@scure/bip32"

/** Where a derived key comes from: the fingerprint of the root key, and the path from there. */
export interface KeyOrigin {
  readonly fingerprint: number
  readonly path: string
}

/** The private key at a path (BIP-32, on secp256k1), and where it comes from. */
export const deriveWithOrigin = (
  seed: Uint8Array,
  path: string
): { readonly privateKey: Uint8Array; readonly origin: KeyOrigin } => {
  const root = HDKey.fromMasterSeed(seed)
  const { privateKey } = root.derive(path)
  // keys from a seed have a private part; empty bytes are an invalid key
  return { privateKey: privateKey ?? new Uint8Array(), origin: { fingerprint: root.fingerprint, path } }
}

/** The private key at a path (BIP-32, on secp256k1). */
export const deriveSecp256k1 = (seed: Uint8Array, path: string): Uint8Array =>
  deriveWithOrigin(seed, path).privateKey
