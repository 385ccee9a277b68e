/** What signers of Bitcoin and its kin need of @scure/btc-signer: loaded with the first of them. Keys stay in closures. */
import { schnorr, secp256k1 } from "@noble/curves/secp256k1.js"
import { p2pkh, p2sh, p2tr, p2wpkh, RawTx, Script, Transaction, WIF } from "@scure/btc-signer"
import type { TransactionInput } from "@scure/btc-signer/psbt.js"
import { sha256x2, taprootTweakPrivKey } from "@scure/btc-signer/utils.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import type { SignBytes } from "../accountKey.js"
import { toLowS } from "../keys/lowS.js"
import { encodeScript, parseReceiver } from "./address.js"
import { type Chain, chains, hasSignedAmounts } from "./networks.js"
import type { AddressType, BitcoinInput, BitcoinTransaction, Outpoint } from "./Types.js"

export { secp256k1Library } from "../keys/secp256k1.js"

/** The account's fields that signing needs. */
export interface AccountKey {
  readonly chain: Chain
  readonly type: AddressType
  readonly publicKey: Uint8Array
  readonly script: Uint8Array
  /** The script whose hash the address has, if it has one of a script. */
  readonly redeemScript?: Uint8Array | undefined
  readonly sign: SignBytes
}

/** The digests are hashes already. */
const PREHASHED = { prehash: false } as const

const SCALAR_ONE = Uint8Array.from({ length: 32 }, (_, i) => (i === 31 ? 1 : 0))

// other packages bring version 1, which may be found if version 2 is missing; its signatures are not bytes
if (!((secp256k1.sign(SCALAR_ONE, SCALAR_ONE, PREHASHED) as unknown) instanceof Uint8Array))
  throw new Error("@noble/curves must be of version 2")

/** What signs digests with a key: by ECDSA, or, for Taproot, by Schnorr with the key of the output (BIP-86: no script beside it). */
export const makeSignDigest = (privateKey: Uint8Array, type: AddressType): SignBytes => {
  if (type !== "p2tr") return (digest) => secp256k1.sign(digest, privateKey, PREHASHED)
  const tweaked = taprootTweakPrivKey(privateKey)
  return (digest) => schnorr.sign(digest, tweaked)
}

/** Throws unless it is a key of the curve. */
export const publicKeyOf = (privateKey: Uint8Array): Uint8Array => secp256k1.getPublicKey(privateKey, true)

export const isPublicKey = (bytes: Uint8Array): boolean => secp256k1.utils.isValidPublicKey(bytes, true)

/** A compressed public key without its first byte, as Taproot has keys. */
export const xOnly = (publicKey: Uint8Array): Uint8Array => publicKey.subarray(1)

/** What pays a key, by the type of its address. */
const payments = {
  p2pkh,
  p2wpkh,
  p2tr: (publicKey: Uint8Array, chain: Chain) => p2tr(xOnly(publicKey), undefined, chain),
  "p2sh-p2wpkh": (publicKey: Uint8Array, chain: Chain) => p2sh(p2wpkh(publicKey, chain), chain)
} satisfies Record<AddressType, unknown>

/** The address of a key, and the script of outputs to it, with the one whose hash that has. */
export const addressOf = (
  publicKey: Uint8Array,
  type: AddressType,
  chain: Chain
): Pick<AccountKey, "script" | "redeemScript"> & { readonly address: string } => {
  const payment = payments[type](publicKey, chain)
  const { script } = payment
  const address = encodeScript(script, chain)
  if (address === undefined) throw new Error("the script of a key has an address")
  return {
    address,
    script,
    ...("redeemScript" in payment ? { redeemScript: payment.redeemScript } : {})
  }
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

/** An output, without its place. */
export interface SpentOutput {
  readonly amount: bigint
  readonly script: Uint8Array
}

/** What a transaction spends and pays, and its size in virtual bytes. */
export interface DecodedTransaction {
  readonly inputs: ReadonlyArray<Outpoint & { readonly sequence: number }>
  readonly outputs: ReadonlyArray<SpentOutput>
  readonly size: number
}

/** Decodes a transaction (hexadecimal) with a known id. Throws if it is another one. */
export const decodeTransaction = (raw: string, txid: string): DecodedTransaction => {
  const bytes = hexToBytes(raw)
  const { lockTime, version, inputs, outputs } = RawTx.decode(bytes)
  const bare = RawTx.encode({ lockTime, version, inputs, outputs, segwitFlag: false })
  if (bytesToHex(sha256x2(bare).reverse()) !== txid)
    throw new Error(`a node gave another transaction for ${txid}`)
  return {
    inputs: inputs.map(({ index, sequence, txid: id }) => ({ txid: bytesToHex(id), vout: index, sequence })),
    outputs,
    size: Math.ceil((bare.length * 3 + bytes.length) / 4)
  }
}

/** Reads an output of a transaction (hexadecimal) with a known id. Throws if the transaction or the output is another one. */
export const readOutput = (raw: string, { txid, vout }: Outpoint): SpentOutput => {
  const output = decodeTransaction(raw, txid).outputs[vout]
  if (output === undefined) throw new Error(`a node gave another transaction for ${txid}`)
  return output
}

export const FOREIGN_SIGNATURE = "the signature is not that of the account's key"

/** What someone has signed, as chains take it: with the lower of both values that `s` can have. Throws unless the key has signed it. */
export const signVerified = async (
  digest: Uint8Array,
  { publicKey, sign }: AccountKey
): Promise<Uint8Array> => {
  const given = await sign(digest)
  const compact = given.length === 64 ? given : secp256k1.Signature.fromBytes(given, "der").toBytes("compact")
  const signature = toLowS(compact)
  if (!secp256k1.verify(signature, digest, publicKey, PREHASHED)) throw new Error(FOREIGN_SIGNATURE)
  return signature
}

/** The 32 bytes of the key that an output of Taproot is locked with. */
const outputKeyOf = ({ script }: Pick<AccountKey, "script">): Uint8Array => script.subarray(2)

const signSchnorrVerified = async (digest: Uint8Array, key: AccountKey): Promise<Uint8Array> => {
  const signature = await key.sign(digest)
  if (!schnorr.verify(signature, digest, outputKeyOf(key))) throw new Error(FOREIGN_SIGNATURE)
  return signature
}

/** Every input may be spent together with all of these outputs, and no others. */
export const SIGHASH_ALL = 0x01

/** The same on Bitcoin Cash, whose bit makes the signature invalid on Bitcoin. */
const SIGHASH_ALL_FORKID = 0x41

/** The same on Taproot, where it takes no byte (BIP-341). */
export const SIGHASH_DEFAULT = 0x00

/** A key of Taproot may be asked to name the type of its hash. */
interface SigningKey extends AccountKey {
  readonly hashType?: number
}

const hashTypeOf = ({ chain }: AccountKey): number =>
  chain.cash === undefined ? SIGHASH_ALL : SIGHASH_ALL_FORKID

const uint32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

/**
 * The hash to sign for an input. Before SegWit it covers the transaction with the output's script in this input. Bitcoin Cash uses
 * SegWit's hash (BIP-143) for all inputs. Taproot's covers the outputs that all inputs spend.
 */
const computeDigest = (
  tx: Transaction,
  at: number,
  key: SigningKey,
  spent: ReadonlyArray<SpentOutput>
): Uint8Array => {
  if (key.type === "p2tr")
    return tx.preimageWitnessV1(
      at,
      spent.map(({ script }) => script),
      key.hashType ?? SIGHASH_DEFAULT,
      spent.map(({ amount }) => amount)
    )
  const script = p2pkh(key.publicKey).script
  const amount = spent[at]?.amount ?? 0n
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

/** The signature of an input as its script takes it: with the byte of its hash, which Taproot's default does not have. */
export const signInput = async (
  tx: Transaction,
  at: number,
  key: SigningKey,
  spent: ReadonlyArray<SpentOutput>
): Promise<Uint8Array> => {
  const digest = computeDigest(tx, at, key, spent)
  if (key.type === "p2tr") {
    const signature = await signSchnorrVerified(digest, key)
    return key.hashType === SIGHASH_ALL ? Uint8Array.of(...signature, SIGHASH_ALL) : signature
  }
  const signature = await signVerified(digest, key)
  const der = secp256k1.Signature.fromBytes(signature, "compact").toBytes("der")
  return Uint8Array.of(...der, hashTypeOf(key))
}

/** The fields of an input that has a signature. */
export const signatureFields = (
  { publicKey, type }: AccountKey,
  signature: Uint8Array
): Pick<TransactionInput, "partialSig" | "tapKeySig"> =>
  type === "p2tr" ? { tapKeySig: signature } : { partialSig: [[publicKey, signature]] }

/** What an input has beside its signature, so that it can be finished. */
export const unlockingFields = ({
  publicKey,
  redeemScript,
  type
}: AccountKey): Pick<TransactionInput, "tapInternalKey" | "redeemScript"> => ({
  ...(type === "p2tr" ? { tapInternalKey: xOnly(publicKey) } : {}),
  ...(redeemScript === undefined ? {} : { redeemScript })
})

const toInput = ({ amount, previous, txid, vout }: BitcoinInput, key: AccountKey) => {
  if (hasSignedAmounts(key))
    return { txid, index: vout, witnessUtxo: { script: key.script, amount }, ...unlockingFields(key) }
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
    tx.updateInput(at, signatureFields(key, signature))
    tx.finalizeIdx(at)
  } else {
    const finalScriptSig = Script.encode([signature, publicKey])
    tx.updateInput(at, { finalScriptSig })
  }
}

/** The sequences of inputs: of final transactions, and of replaceable ones (BIP-125). */
const FINAL = 0xffffffff
export const REPLACEABLE = 0xfffffffd

/** The key that spends an input: of an account with several addresses, by its path. */
export type FindKey<K extends AccountKey = AccountKey> = (place: { readonly path?: string }) => K

/** A transaction of an account that nobody has signed. Throws if its fee is not what it says. */
export const makeTransaction = (
  { fee, inputs, outputs, replaceable = false }: BitcoinTransaction,
  chain: Chain,
  keyOf: FindKey
): Transaction => {
  // its inputs wait for no number of blocks, which is all that version 2 is for
  // the library does not know Bitcoin Cash's script hashes of 32 bytes; scripts come from addresses that were checked
  const tx = new Transaction({ version: 1, allowUnknownOutputs: true })
  const sequence = replaceable ? REPLACEABLE : FINAL
  for (const input of inputs) tx.addInput({ ...toInput(input, keyOf(input)), sequence })
  for (const { address, amount } of outputs) {
    const found = parseReceiver(address, chain)
    if (typeof found === "string") throw new Error(`${address} ${found}`)
    tx.addOutput({ script: found.script, amount })
  }
  if (tx.fee !== fee) throw new Error(`its fee would be ${tx.fee} in the smallest unit, and it says ${fee}`)
  return tx
}

/** The bytes of a transaction, signed, and its id. */
export const signTransaction = async (
  transaction: BitcoinTransaction,
  chain: Chain,
  keyOf: FindKey
): Promise<{ readonly raw: string; readonly hash: string }> => {
  const tx = makeTransaction(transaction, chain, keyOf)
  const keys = transaction.inputs.map(keyOf)
  const spent = transaction.inputs.map((input) => ({ amount: input.amount, script: keyOf(input).script }))
  const signatures: Array<readonly [key: AccountKey, signature: Uint8Array]> = []
  for (const [at, key] of keys.entries()) signatures.push([key, await signInput(tx, at, key, spent)])
  for (const [at, [key, signature]] of signatures.entries()) setUnlockingScript(tx, at, key, signature)
  return { raw: tx.hex, hash: tx.id }
}
