/** How transactions with blobs are signed and sent (EIP-4844, with the proofs of EIP-7594). Loaded with the first of them. */
import * as Hash from "ox/Hash"
import * as Hex from "ox/Hex"
import * as Rlp from "ox/Rlp"
import * as Signature from "ox/Signature"
import * as Eip4844 from "ox/TxEnvelopeEip4844"
import type { EvmBlob } from "./Types.js"

/** The hash by which a transaction names a blob: a version, and the hash of its commitment. */
export const computeVersionedHash = (commitment: Hex.Hex): Hex.Hex =>
  `0x01${Hash.sha256(commitment).slice(4)}`

/** The bytes of a transaction as blocks have them, which are what is signed and hashed: its blobs stand there by their hashes. */
export const codecOf = (
  fields: Omit<Eip4844.TxEnvelopeEip4844, "type" | "blobVersionedHashes">,
  blobs: ReadonlyArray<EvmBlob>
) => {
  const envelope = Eip4844.from({
    ...fields,
    blobVersionedHashes: blobs.map(({ commitment }) => computeVersionedHash(commitment))
  })
  return {
    serialize: (signature?: Signature.Signature): Hex.Hex =>
      Eip4844.serialize(envelope, signature === undefined ? {} : { signature }),
    // ox types bytes by their first one, which it checks itself
    readSignature: (raw: Hex.Hex): Signature.Signature | undefined =>
      Signature.extract(Eip4844.deserialize(raw as Eip4844.Serialized))
  }
}

/** The version of what stands beside a transaction: one in which each blob has the proofs of its cells. */
const WRAPPER_VERSION = "0x01"

/** A signed transaction as nodes take it: with its blobs, their commitments and their proofs. */
export const addBlobs = (signed: Hex.Hex, blobs: ReadonlyArray<EvmBlob>): Hex.Hex =>
  Hex.concat(
    Eip4844.serializedType,
    Rlp.fromHex([
      Rlp.toHex(Hex.slice(signed, 1)),
      WRAPPER_VERSION,
      blobs.map(({ data }) => data),
      blobs.map(({ commitment }) => commitment),
      blobs.flatMap(({ proofs }) => proofs)
    ])
  )
