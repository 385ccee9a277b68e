/** Messages that accounts of Bitcoin and its relatives sign: as BIP-137 and as BIP-322 have it. Loaded with the first message. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { RawTx, RawWitness, Script, Transaction } from "@scure/btc-signer"
import { VarBytes } from "@scure/btc-signer/script.js"
import { sha256x2, tagSchnorr } from "@scure/btc-signer/utils.js"
import { base64Of } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import {
  type AccountKey,
  FOREIGN_SIGNATURE,
  type SpentOutput,
  signatureFields,
  signInput,
  signVerified
} from "./scure.js"
import type { AddressType, MessageFormat } from "./Types.js"

/** The first byte of a signature of BIP-137, which identifies the key and the kind of its address. It has none for Taproot. */
const headers: Readonly<Partial<Record<AddressType, number>>> = {
  p2pkh: 31,
  p2wpkh: 39,
  "p2sh-p2wpkh": 35
}

const text = new TextEncoder()

/** A signature from which the public key can be recovered, in Base64. */
const signRecoverable = async (bytes: Uint8Array, key: AccountKey): Promise<string> => {
  const digest = sha256x2(VarBytes.encode(text.encode(key.chain.message)), VarBytes.encode(bytes))
  const signature = await signVerified(digest, key)
  const header = headers[key.type]
  if (header === undefined) throw new Error(`there are no signatures of BIP-137 for ${key.type}`)
  const own = bytesToHex(key.publicKey)
  for (const recovery of [0, 1, 2, 3]) {
    try {
      const found = secp256k1.recoverPublicKey(Uint8Array.of(recovery, ...signature), digest, {
        prehash: false
      })
      if (bytesToHex(found) === own) return base64Of(Uint8Array.of(header + recovery, ...signature))
    } catch {
      // no point of the curve has this number
    }
  }
  throw new Error(FOREIGN_SIGNATURE)
}

/** The id of a transaction that no chain can have: it pays nothing to the account, and commits to the message. */
const computeCommitment = (bytes: Uint8Array, { script }: SpentOutput): Uint8Array => {
  const finalScriptSig = Script.encode(["OP_0", tagSchnorr("BIP0322-signed-message", bytes)])
  const input = { txid: new Uint8Array(32), index: 0xffffffff, finalScriptSig, sequence: 0 }
  return sha256x2(
    RawTx.encode({
      version: 0,
      segwitFlag: false,
      inputs: [input],
      outputs: [{ amount: 0n, script }],
      lockTime: 0
    })
  ).reverse()
}

/** The simple signature of BIP-322: the witness, in Base64, with which the account would spend the transaction of the message. */
const signWitness = async (bytes: Uint8Array, key: AccountKey): Promise<string> => {
  const spent: SpentOutput = { amount: 0n, script: key.script }
  const tx = new Transaction({ version: 0, allowUnknownOutputs: true })
  tx.addInput({ txid: computeCommitment(bytes, spent), index: 0, sequence: 0, witnessUtxo: spent })
  tx.addOutput({ script: Script.encode(["RETURN"]), amount: 0n })
  const signature = await signInput(tx, 0, key, [spent])
  tx.updateInput(0, signatureFields(key, signature))
  tx.finalizeIdx(0)
  const witness = tx.getInput(0).finalScriptWitness
  if (witness === undefined) throw new Error("only addresses of SegWit have a witness")
  return base64Of(RawWitness.encode(witness))
}

/** Signs a message in a format that the account's type has: Base64. */
export const signMessage = (
  message: string | Uint8Array,
  format: MessageFormat,
  key: AccountKey
): Promise<string> => {
  const bytes = typeof message === "string" ? text.encode(message) : message
  return format === "bip137" ? signRecoverable(bytes, key) : signWitness(bytes, key)
}
