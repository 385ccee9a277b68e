/** What signers of Bitcoin and its kin need of @scure/btc-signer: loaded with the first of them. Keys stay in closures. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { p2pkh, p2wpkh, RawTx, Script, Transaction, WIF } from "@scure/btc-signer"
import { sha256x2 } from "@scure/btc-signer/utils.js"
import { base64Of } from "../../data/base64.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import type { SignBytes } from "../accountKey.js"
import { toLowS } from "../keys/lowS.js"
import { encodeCashAddress, parseReceiver } from "./address.js"
import { type Chain, chains, hasSignedAmounts } from "./networks.js"
import type { AddressType, BitcoinInput, BitcoinTransaction } from "./Types.js"

export { secp256k1Library } from "../keys/secp256k1.js"

/** The account's fields that signing needs. */
export interface AccountKey {
  readonly chain: Chain
  readonly type: AddressType
  readonly publicKey: Uint8Array
  readonly script: Uint8Array
  readonly sign: SignBytes
}

/** The digests are hashes already. */
const PREHASHED = { prehash: false } as const

const SCALAR_ONE = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0))

// other packages bring version 1, which may be found if version 2 is missing; its signatures are not bytes
if (!((secp256k1.sign(SCALAR_ONE, SCALAR_ONE, PREHASHED) as unknown) instanceof Uint8Array))
  throw new Error("@noble/curves must be of version 2")

export const makeSignDigest =
  (privateKey: Uint8Array): SignBytes =>
  (digest) =>
    secp256k1.sign(digest, privateKey, PREHASHED)

/** Throws unless it is a key of the curve. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array => secp256k1.getPublicKey(privateKey, true)

export const isPublicKey = (bytes: Uint8Array): boolean => secp256k1.utils.isValidPublicKey(bytes, true)

/** The address of a key, and the script of outputs to it. */
export const addressOf = (
  publicKey: Uint8Array,
  type: AddressType,
  chain: Chain
): { readonly address: string; readonly script: Uint8Array } => {
  const { address, script } = (type === "p2wpkh" ? p2wpkh : p2pkh)(publicKey, chain)
  return { address: chain.cash === undefined ? address : encodeCashAddress(script, chain.cash), script }
}

/** Decodes a key in a network's wallet import format; undefined if the text is none. */
const decodeWif = (text: string, chain: Chain): Uint8Array | undefined => {
  try {
    return WIF(chain).decode(text)
  } catch {
    return undefined
  }
}

/** Decodes a private key in a network's wallet import format. The problem does not repeat the text. */
export const parseWif = (text: string, chain: Chain): Uint8Array | string => {
  const key = decodeWif(text, chain)
  if (key !== undefined) return key
  const other = Object.entries(chains).find(([, each]) => decodeWif(text, each) !== undefined)?.[0]
  return other === undefined
    ? "a private key is 64 hexadecimal digits, or text in the wallet import format, of a compressed public key"
    : `it is a private key of ${other}`
}

/** Reads an output of a transaction (hexadecimal) with a known id. Throws if the transaction or the output is another one. */
export const readOutput = (
  raw: string,
  { txid, vout }: Pick<BitcoinInput, "txid" | "vout">
): { readonly amount: bigint; readonly script: Uint8Array } => {
  const { lockTime, version, inputs, outputs } = RawTx.decode(hexToBytes(raw))
  const bare = RawTx.encode({ lockTime, version, inputs, outputs, segwitFlag: false })
  const output = outputs[vout]
  if (bytesToHex(sha256x2(bare).reverse()) !== txid || output === undefined)
    throw new Error(`a node gave another transaction for ${txid}`)
  return output
}

const FOREIGN_SIGNATURE = "the signature is not that of the account's key"

/** What someone has signed, as chains take it: with the lower of both values that `s` can have. Throws unless the key has signed it. */
const signVerified = async (digest: Uint8Array, { publicKey, sign }: AccountKey): Promise<Uint8Array> => {
  const given = await sign(digest)
  const compact = given.length === 64 ? given : secp256k1.Signature.fromBytes(given, "der").toBytes("compact")
  const signature = toLowS(compact)
  if (!secp256k1.verify(signature, digest, publicKey, PREHASHED)) throw new Error(FOREIGN_SIGNATURE)
  return signature
}

/** Every input may be spent together with all of these outputs, and no others. */
const SIGHASH_ALL = 0x01

/** The same on Bitcoin Cash, whose bit makes the signature invalid on Bitcoin. */
const SIGHASH_ALL_FORKID = 0x41

const hashTypeOf = ({ chain }: AccountKey): number =>
  chain.cash === undefined ? SIGHASH_ALL : SIGHASH_ALL_FORKID

const uint32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/**
 * The hash to sign for an input. Before SegWit it covers the transaction with the output's script in this input. Bitcoin Cash uses
 * SegWit's hash (BIP-143) for all inputs.
 */
const computeDigest = (tx: Transaction, at: number, key: AccountKey, amount: bigint): Uint8Array => {
  const script = p2pkh(key.publicKey).script
  if (hasSignedAmounts(key)) return tx.preimageWitnessV0(at, script, hashTypeOf(key), amount)
  const { inputs, ...rest } = RawTx.decode(tx.unsignedTx)
  const bytes = RawTx.encode({
    ...rest,
    inputs: inputs.map((input, i) => ({
      ...input,
      finalScriptSig: i === at ? script : new Uint8Array()
    }))
  })
  return sha256x2(bytes, uint32(SIGHASH_ALL))
}

const toInput = ({ amount, previous, txid, vout }: BitcoinInput, key: AccountKey) => {
  if (hasSignedAmounts(key)) return { txid, index: vout, witnessUtxo: { script: key.script, amount } }
  if (previous === undefined)
    throw new Error(`the amount of ${txid} is not proven: the whole transaction is needed`)
  const output = readOutput(previous, { txid, vout })
  if (output.amount !== amount) throw new Error(`${txid} has another amount at ${vout}`)
  return { txid, index: vout, nonWitnessUtxo: hexToBytes(previous) }
}

/** Puts a signature into its input. The library does not support Bitcoin Cash, so its script is written here. */
const setUnlockingScript = (tx: Transaction, at: number, key: AccountKey, signature: Uint8Array): void => {
  const { chain, publicKey } = key
  if (chain.cash === undefined) {
    tx.updateInput(at, { partialSig: [[publicKey, signature]] })
    tx.finalizeIdx(at)
  } else {
    const finalScriptSig = Script.encode([signature, publicKey])
    tx.updateInput(at, { finalScriptSig })
  }
}

/** The sequences of inputs: of final transactions, and of replaceable ones (BIP-125). */
const FINAL = 0xffffffff
const REPLACEABLE = 0xfffffffd

/** The bytes of a transaction, signed, and its id. */
export const signTransaction = async (
  { fee, inputs, outputs, replaceable = false }: BitcoinTransaction,
  key: AccountKey
): Promise<{ readonly raw: string; readonly hash: string }> => {
  // its inputs wait for no number of blocks, which is all that version 2 is for
  // the library does not know Bitcoin Cash's script hashes of 32 bytes; scripts come from addresses that were checked
  const tx = new Transaction({ version: 1, allowUnknownOutputs: true })
  const sequence = replaceable ? REPLACEABLE : FINAL
  for (const input of inputs) tx.addInput({ ...toInput(input, key), sequence })
  for (const { address, amount } of outputs) {
    const found = parseReceiver(address, key.chain)
    if (typeof found === "string") throw new Error(`${address} ${found}`)
    tx.addOutput({ script: found.script, amount })
  }
  if (tx.fee !== fee) throw new Error(`its fee would be ${tx.fee} in the smallest unit, and it says ${fee}`)
  const ders: Array<Uint8Array> = []
  for (const [at, { amount }] of inputs.entries()) {
    const signature = await signVerified(computeDigest(tx, at, key, amount), key)
    ders.push(secp256k1.Signature.fromBytes(signature, "compact").toBytes("der"))
  }
  for (const [at, der] of ders.entries())
    setUnlockingScript(tx, at, key, Uint8Array.of(...der, hashTypeOf(key)))
  return { raw: tx.hex, hash: tx.id }
}

const withVarInt = (bytes: Uint8Array): ReadonlyArray<number> => {
  const { length } = bytes
  const count =
    length < 0xfd
      ? [length]
      : length <= 0xffff
        ? [0xfd, length & 0xff, length >> 8]
        : [0xfe, ...uint32(length)]
  return [...count, ...bytes]
}

/** The first byte of a message's signature, which identifies the key and the kind of its address (BIP-137). */
const MESSAGE_HEADER: Readonly<Record<AddressType, number>> = { p2pkh: 31, p2wpkh: 39 }

/** A message, signed in Bitcoin's format: Base64. */
export const signMessage = async (message: string | Uint8Array, key: AccountKey): Promise<string> => {
  const text = new TextEncoder()
  const bytes = typeof message === "string" ? text.encode(message) : message
  const digest = sha256x2(
    Uint8Array.from([...withVarInt(text.encode(key.chain.message)), ...withVarInt(bytes)])
  )
  const signature = await signVerified(digest, key)
  const own = bytesToHex(key.publicKey)
  for (const recovery of [0, 1, 2, 3]) {
    try {
      const found = secp256k1.recoverPublicKey(Uint8Array.of(recovery, ...signature), digest, PREHASHED)
      if (bytesToHex(found) === own)
        return base64Of(Uint8Array.of(MESSAGE_HEADER[key.type] + recovery, ...signature))
    } catch {
      // no point of the curve has this number
    }
  }
  throw new Error(FOREIGN_SIGNATURE)
}
