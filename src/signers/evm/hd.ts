/** Keys of EVM chains from seeds (BIP-32), on the curve that ox brings: loaded with the first signer that is made from a mnemonic. */
import * as HdKey from "ox/HdKey"

/** The private key at a path, as hexadecimal. */
export const deriveHdKey = (seed: Uint8Array, path: string): `0x${string}` =>
  HdKey.fromSeed(seed).derive(path).privateKey
