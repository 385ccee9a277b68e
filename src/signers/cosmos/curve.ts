/** What signers of Cosmos need of `@noble/curves`: loaded with the first of them. Keys stay in the closures of accounts. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { ripemd160 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { base64Of } from "../../data/base64.js"
import type { SignBytes } from "../accountKey.js"
import { toLowS } from "../keys/lowS.js"
import { encodeBech32 } from "./address.js"

export { secp256k1Library } from "../keys/secp256k1.js"

/** The compressed public key of a private key. Throws if the private key is not on the curve. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array => secp256k1.getPublicKey(privateKey, true)

/** Whether bytes are a public key in the form that accounts have. */
export const isPublicKey = (bytes: Uint8Array): boolean => secp256k1.utils.isValidPublicKey(bytes, true)

export const addressOf = (publicKey: Uint8Array, prefix: string): string =>
  encodeBech32(prefix, ripemd160(sha256(publicKey)))

export const makeSignHash =
  (privateKey: Uint8Array): SignBytes =>
  (hash) =>
    secp256k1.sign(hash, privateKey, { prehash: false })

/** Signs a hash, with the lower `s` that the chain requires. Throws if the signature is invalid. */
export const signVerified = async (
  hash: Uint8Array,
  sign: SignBytes,
  publicKey: Uint8Array
): Promise<Uint8Array> => {
  // a copy, so that the key's holder cannot change what is sent
  const given = await sign(hash.slice())
  const low = toLowS(Uint8Array.from(given).slice(0, 64))
  if (!secp256k1.verify(low, hash, publicKey, { prehash: false }))
    throw new Error("the signature is not that of the account")
  return low
}

/** The hash of a message to sign (ADR-036): a transaction without a chain, which no chain accepts. */
export const hashMessage = (message: string | Uint8Array, signer: string): Uint8Array => {
  const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message
  // the fields in the order of their names, as signatures of this kind have them
  const document = {
    account_number: "0",
    chain_id: "",
    fee: { amount: [], gas: "0" },
    memo: "",
    msgs: [{ type: "sign/MsgSignData", value: { data: base64Of(bytes), signer } }],
    sequence: "0"
  }
  return sha256(new TextEncoder().encode(JSON.stringify(document)))
}
