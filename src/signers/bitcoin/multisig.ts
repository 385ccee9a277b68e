/** Accounts of several keys (BIP-383), whose descriptor says how many of them sign: addresses, transactions and the members' signatures. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bip32Path, RawTx, Transaction } from "@scure/btc-signer"
import { hash160, sha256x2 } from "@scure/btc-signer/utils.js"
import { base64Of, bytesOfBase64 } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import type { PaymentTerms } from "../SignerDefinition.js"
import { encodeScript, parseReceiver } from "./address.js"
import {
  type DescriptorKey,
  formatKey,
  parseDescriptorKey,
  stripChecksum,
  withChecksum
} from "./descriptor.js"
import { publicTextOf } from "./extendedKeys.js"
import type { Chain } from "./networks.js"
import { type AccountKey, type FindKey, REPLACEABLE, SIGHASH_ALL, signVerified } from "./scure.js"
import { sum, type Unlock } from "./selection.js"
import type { BitcoinOutput, BitcoinTransaction } from "./Types.js"

/** The scripts of an address: of outputs to it, and those whose hashes it has. */
export interface MultisigScripts {
  readonly address: string
  readonly script: Uint8Array
  readonly witnessScript: Uint8Array
  readonly redeemScript?: Uint8Array
}

/** A key of an account, as its descriptor and its members have it. */
interface MemberKey {
  /** The extended public key as text, which names the member. */
  readonly member: string
  readonly key: DescriptorKey
}

/** An account of several keys. */
export interface Multisig {
  readonly chain: Chain
  readonly descriptor: string
  readonly threshold: number
  readonly members: ReadonlyArray<MemberKey>
  readonly branches: DescriptorKey["branches"]
  readonly hasPath: (path: string) => boolean
  readonly publicKeyAt: (member: MemberKey, path: string) => Uint8Array
  readonly scriptsAt: (path: string) => MultisigScripts
  readonly unlock: Unlock
}

/** A payment of an account of several keys. `from` is the account's descriptor, and the first output is the payment. */
export interface MultisigTransaction extends BitcoinTransaction {
  readonly from: string
}

const PATTERN = /^(sh\()?wsh\((sortedmulti|multi)\((\d{1,2}),([^()]+)\)\)(\))?$/

/** The most keys whose number is one operation of a script. */
const MAX_KEYS = 16

const PATH_PATTERN = /^(\d{1,10})\/(0|[1-9]\d{0,9})$/
const HIGHEST_INDEX = 0x7fffffff

const OP_0 = 0x50
const OP_CHECKMULTISIG = 0xae

const makeWitnessScript = (threshold: number, keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  Uint8Array.of(
    OP_0 + threshold,
    ...keys.flatMap((key) => [key.length, ...key]),
    OP_0 + keys.length,
    OP_CHECKMULTISIG
  )

const compareHex = (one: Uint8Array, other: Uint8Array): number =>
  bytesToHex(one) < bytesToHex(other) ? -1 : 1

const isSame = (one: Uint8Array, other: Uint8Array): boolean => bytesToHex(one) === bytesToHex(other)

/** Reads the descriptor of an account. */
const readMultisig = (text: string, chain: Chain): Multisig => {
  const [, sh, kind = "", count, list = "", end] = PATTERN.exec(stripChecksum(text)) ?? []
  if (kind === "" || (sh === undefined) !== (end === undefined))
    throw new Error("it must be wsh(sortedmulti(2,key,key,…)), wsh(multi(…)), or one of them in sh(…)")
  if (chain.bech32 === "") throw new Error("this network has no SegWit, which such accounts need")
  const members = list.split(",").map((each): MemberKey => {
    const key = parseDescriptorKey(each, chain)
    return { key, member: publicTextOf(key.node, chain) }
  })
  const threshold = Number(count)
  if (members.length > MAX_KEYS) throw new Error(`it has more than ${MAX_KEYS} keys`)
  if (threshold < 1 || threshold > members.length)
    throw new Error(`${threshold} of its ${members.length} keys cannot sign`)
  if (new Set(members.map(({ member }) => member)).size < members.length)
    throw new Error("it has a key twice")
  const [first] = members
  const branches = first?.key.branches ?? [0, 1]
  if (members.some(({ key }) => key.branches.join() !== branches.join()))
    throw new Error("its keys end with different numbers")
  if (branches[0] === branches[1])
    throw new Error("it has no addresses for change: end each key with /<0;1>/*")
  const before = `${sh ?? ""}wsh(${kind}(`
  const keys = members.map(({ key }) => formatKey(key, chain)).join(",")
  const descriptor = withChecksum(`${before}${threshold},${keys}))${end ?? ""}`)

  const nodes = new Map(
    members.map(({ key }) => [key, branches.map((branch) => key.node.deriveChild(branch))])
  )
  const hasPath = (path: string): boolean => {
    const [, branch, index] = PATH_PATTERN.exec(path) ?? []
    return branches.some((each) => String(each) === branch) && Number(index) <= HIGHEST_INDEX
  }
  const publicKeyAt = ({ key }: MemberKey, path: string): Uint8Array => {
    if (!hasPath(path)) throw new Error(`the account has no address at the path ${path}`)
    const [branch, index] = path.split("/").map(Number)
    const node = nodes.get(key)?.[branch === branches[0] ? 0 : 1]
    const publicKey = node?.deriveChild(index ?? 0).publicKey
    if (!publicKey) throw new Error("a derived key has a public part")
    return publicKey
  }
  const deriveScripts = (path: string): MultisigScripts => {
    const derived = members.map((member) => publicKeyAt(member, path))
    const witnessScript = makeWitnessScript(threshold, kind === "multi" ? derived : derived.sort(compareHex))
    const program = Uint8Array.of(0x00, 0x20, ...sha256(witnessScript))
    const script = sh === undefined ? program : Uint8Array.of(0xa9, 0x14, ...hash160(program), 0x87)
    const address = encodeScript(script, chain)
    if (address === undefined) throw new Error("the script has an address")
    return { address, script, witnessScript, ...(sh === undefined ? {} : { redeemScript: program }) }
  }
  const derivedScripts = new Map<string, MultisigScripts>()
  const scriptsAt = (path: string): MultisigScripts => {
    const scripts = derivedScripts.get(path) ?? deriveScripts(path)
    derivedScripts.set(path, scripts)
    return scripts
  }
  // its operations, and each key with its length
  const size = 3 + 34 * members.length
  const unlock: Unlock = {
    // the empty item that the operation takes, signatures and the script, with their lengths
    bytes: 1 + threshold * (1 + 72) + (size < 0xfd ? 1 : 3) + size,
    isWitness: true,
    ...(sh === undefined ? {} : { script: 1 + 34 })
  }
  return { chain, descriptor, threshold, members, branches, hasPath, publicKeyAt, scriptsAt, unlock }
}

/** The accounts that were read last: keys are derived from them for each step of a proposal. */
const MAX_KNOWN = 16
const known = new WeakMap<Chain, Map<string, Multisig>>()

/**
 * Reads the descriptor of an account of several keys: `wsh(sortedmulti(2,…))`, `wsh(multi(2,…))`, or either in `sh(…)`. Throws what is wrong
 * with it.
 */
export const parseMultisig = (text: string, chain: Chain): Multisig => {
  const ofChain = known.get(chain) ?? new Map<string, Multisig>()
  const found = ofChain.get(text)
  if (found !== undefined) return found
  const made = readMultisig(text, chain)
  known.set(chain, ofChain.set(text, made))
  const oldest = ofChain.keys().next().value
  if (ofChain.size > MAX_KNOWN && oldest !== undefined) ofChain.delete(oldest)
  return made
}

const FINAL = 0xffffffff

/** The path of an input or an output of the account, which transactions of it have. */
const pathOf = ({ path }: { readonly path?: string }): string => {
  if (path === undefined) throw new Error("an input or the change of it has no path")
  return path
}

/** What other programs need to find their keys. */
const fieldsAt = ({ members, publicKeyAt, scriptsAt }: Multisig, path: string) => {
  const { redeemScript, witnessScript } = scriptsAt(path)
  return {
    witnessScript,
    ...(redeemScript === undefined ? {} : { redeemScript }),
    bip32Derivation: members.map((member): [Uint8Array, { fingerprint: number; path: Array<number> }] => [
      publicKeyAt(member, path),
      {
        fingerprint: member.key.origin.fingerprint,
        path: bip32Path(`${member.key.origin.path}/${path}`)
      }
    ])
  }
}

/** A payment as a transaction that nobody has signed. */
const toTransaction = (
  multisig: Multisig,
  { fee, inputs, outputs, replaceable = false }: BitcoinTransaction
): Transaction => {
  const { chain, scriptsAt } = multisig
  const tx = new Transaction({ version: 2, allowUnknownOutputs: true })
  for (const input of inputs) {
    const path = pathOf(input)
    const { amount, txid, vout } = input
    const witnessUtxo = { amount, script: scriptsAt(path).script }
    const sequence = replaceable ? REPLACEABLE : FINAL
    tx.addInput({ txid, index: vout, sequence, witnessUtxo, ...fieldsAt(multisig, path) })
  }
  for (const [at, { address, amount, path }] of outputs.entries()) {
    const found = parseReceiver(address, chain)
    if (typeof found === "string") throw new Error(`${address} ${found}`)
    tx.addOutput({ script: found.script, amount })
    if (path !== undefined) tx.updateOutput(at, fieldsAt(multisig, path))
  }
  if (tx.fee !== fee) throw new Error(`its fee would be ${tx.fee} in the smallest unit, and it says ${fee}`)
  return tx
}

/** Writes a payment as a partially signed transaction (BIP-174) without signatures. */
export const encodePayload = (multisig: Multisig, transaction: BitcoinTransaction): string =>
  base64Of(toTransaction(multisig, transaction).toPSBT())

const readPsbt = (text: string): Transaction =>
  Transaction.fromPSBT(bytesOfBase64(text.trim()), { allowUnknownOutputs: true, allowUnknown: true })

/** The path of an input or output that is the account's; undefined if none of those that it names is. */
const findPath = (
  { hasPath, scriptsAt }: Multisig,
  script: Uint8Array,
  { bip32Derivation = [] }: Pick<ReturnType<Transaction["getInput"]>, "bip32Derivation">
): string | undefined =>
  bip32Derivation
    .map(([, { path }]) => path.slice(-2).join("/"))
    .find((path) => hasPath(path) && isSame(scriptsAt(path).script, script))

const readInput = (multisig: Multisig, tx: Transaction, at: number) => {
  const input = tx.getInput(at)
  const { index, txid, witnessUtxo } = input
  if (txid === undefined || index === undefined || witnessUtxo === undefined)
    throw new Error(`its input ${at} does not say what it spends`)
  const path = findPath(multisig, witnessUtxo.script, input)
  if (path === undefined) throw new Error(`its input ${at} is none of the account's`)
  return { txid: bytesToHex(txid), vout: index, amount: witnessUtxo.amount, path }
}

const readOutput = (multisig: Multisig, tx: Transaction, at: number): BitcoinOutput => {
  const output = tx.getOutput(at)
  const { amount, script } = output
  if (amount === undefined || script === undefined) throw new Error(`its output ${at} is not complete`)
  // the first one is the payment, to whomever it goes
  const path = at === 0 ? undefined : findPath(multisig, script, output)
  if (at > 0 && path === undefined) throw new Error(`its output ${at} is no change of the account`)
  const address = encodeScript(script, multisig.chain)
  if (address === undefined || typeof parseReceiver(address, multisig.chain) === "string")
    throw new Error(`its output ${at} pays a script that has no address`)
  return { address, amount, ...(path === undefined ? {} : { path }) }
}

const indexes = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)

/** The most outputs: a payment, and change. */
const MAX_OUTPUTS = 2

/** Reads a payment back. Throws unless all that it does is one, and names what is not. */
export const decodePayload = (multisig: Multisig, payload: string): MultisigTransaction => {
  const tx = readPsbt(payload)
  if (tx.inputsLength < 1 || tx.outputsLength < 1 || tx.outputsLength > MAX_OUTPUTS)
    throw new Error("a payment has inputs, one output and at most one for change")
  const inputs = indexes(tx.inputsLength).map((at) => readInput(multisig, tx, at))
  const outputs = indexes(tx.outputsLength).map((at) => readOutput(multisig, tx, at))
  const replaceable = tx.getInput(0).sequence === REPLACEABLE
  const transaction: MultisigTransaction = {
    from: multisig.descriptor,
    inputs,
    outputs,
    fee: sum(inputs) - sum(outputs),
    ...(replaceable ? { replaceable } : {})
  }
  if (!isSame(tx.unsignedTx, toTransaction(multisig, transaction).unsignedTx))
    throw new Error("it has another version, lock time or sequence than payments here have")
  return transaction
}

/** The id that the transaction has once it is signed: the script in its inputs is known before. */
export const idOf = (multisig: Multisig, transaction: BitcoinTransaction): string => {
  const { inputs, ...rest } = RawTx.decode(toTransaction(multisig, transaction).unsignedTx)
  const bytes = RawTx.encode({
    ...rest,
    inputs: inputs.map((input, at) => {
      const { redeemScript = [] } = multisig.scriptsAt(pathOf(transaction.inputs[at] ?? {}))
      const push = redeemScript.length === 0 ? [] : [redeemScript.length, ...redeemScript]
      return { ...input, finalScriptSig: Uint8Array.from(push) }
    }),
    segwitFlag: false
  })
  return bytesToHex(sha256x2(bytes).reverse())
}

/** What a payment pays. Throws if it is none. */
export const readTerms = ({
  fee,
  from,
  outputs
}: MultisigTransaction): PaymentTerms & { readonly fee: bigint } => {
  const [paid] = outputs
  if (paid === undefined) throw new Error("it pays nobody")
  return { from, to: paid.address, amount: paid.amount, fee, token: undefined }
}

/** A payment of an account, with the transaction that nobody has signed. */
interface UnsignedPayment {
  readonly multisig: Multisig
  readonly transaction: BitcoinTransaction
  readonly tx: Transaction
}

const toUnsigned = (multisig: Multisig, transaction: BitcoinTransaction): UnsignedPayment => ({
  multisig,
  transaction,
  tx: toTransaction(multisig, transaction)
})

const digestAt = ({ multisig, transaction, tx }: UnsignedPayment, at: number): Uint8Array => {
  const input = transaction.inputs[at]
  const { witnessScript } = multisig.scriptsAt(pathOf(input ?? {}))
  return tx.preimageWitnessV0(at, witnessScript, SIGHASH_ALL, input?.amount ?? 0n)
}

/** The member's signature of an input, with the byte of its hash. Throws unless there is one that the member has made. */
const findSignature = (
  payment: UnsignedPayment,
  member: MemberKey,
  signed: Transaction,
  at: number
): [Uint8Array, Uint8Array] => {
  const { multisig, transaction } = payment
  const publicKey = multisig.publicKeyAt(member, pathOf(transaction.inputs[at] ?? {}))
  const [, signature] = (signed.getInput(at).partialSig ?? []).find(([key]) => isSame(key, publicKey)) ?? []
  if (signature === undefined) throw new Error(`it has no signature of ${member.member} for the input ${at}`)
  const isValid =
    signature.at(-1) === SIGHASH_ALL &&
    secp256k1.verify(signature.subarray(0, -1), digestAt(payment, at), publicKey, {
      prehash: false,
      format: "der"
    })
  if (!isValid)
    throw new Error(`the signature of ${member.member} for the input ${at} is not one of all outputs`)
  return [publicKey, signature]
}

const memberOf = ({ members }: Multisig, name: string): MemberKey => {
  const found = members.find(({ member }) => member === name)
  if (found === undefined) throw new Error(`${name} is no key of the account`)
  return found
}

/** Reads a member's signatures from a partially signed transaction, as any wallet gives it. Throws unless they are of all inputs. */
const readSignatures = (
  multisig: Multisig,
  transaction: BitcoinTransaction,
  name: string,
  text: string
): ReadonlyArray<[Uint8Array, Uint8Array]> => {
  const signed = readPsbt(text)
  const payment = toUnsigned(multisig, transaction)
  if (!isSame(signed.unsignedTx, payment.tx.unsignedTx)) throw new Error("it is of another transaction")
  const member = memberOf(multisig, name)
  return transaction.inputs.map((_, at) => findSignature(payment, member, signed, at))
}

/** Whether a member has signed all inputs. Throws what is wrong. */
export const isMemberSignature = (
  multisig: Multisig,
  transaction: BitcoinTransaction,
  name: string,
  text: string
): boolean => readSignatures(multisig, transaction, name, text).length === transaction.inputs.length

/** Signs all inputs with a member's keys: the payment as a partially signed transaction with the signatures. */
export const signAsMember = async (
  multisig: Multisig,
  transaction: BitcoinTransaction,
  name: string,
  keyOf: FindKey<AccountKey>
): Promise<string> => {
  const member = memberOf(multisig, name)
  const payment = toUnsigned(multisig, transaction)
  const { tx } = payment
  const signatures: Array<[Uint8Array, Uint8Array]> = []
  for (const [at, input] of transaction.inputs.entries()) {
    const key = keyOf(input)
    const publicKey = multisig.publicKeyAt(member, pathOf(input))
    if (!isSame(key.publicKey, publicKey))
      throw new Error(`the signer has no key at the path ${pathOf(input)}`)
    const compact = await signVerified(digestAt(payment, at), key)
    const der = secp256k1.Signature.fromBytes(compact, "compact").toBytes("der")
    signatures.push([publicKey, Uint8Array.of(...der, SIGHASH_ALL)])
  }
  for (const [at, signature] of signatures.entries()) tx.updateInput(at, { partialSig: [signature] })
  return base64Of(tx.toPSBT())
}

/** The payment with the signatures of as many members as it takes. */
export const joinSignatures = (
  multisig: Multisig,
  transaction: BitcoinTransaction,
  signatures: ReadonlyArray<{ readonly member: string; readonly signature: string }>
): { readonly raw: string; readonly hash: string } => {
  const tx = toTransaction(multisig, transaction)
  const read = signatures.map(({ member, signature }) =>
    readSignatures(multisig, transaction, member, signature)
  )
  for (const at of transaction.inputs.keys()) {
    tx.updateInput(at, { partialSig: read.flatMap((each) => (each[at] === undefined ? [] : [each[at]])) })
    tx.finalizeIdx(at)
  }
  return { raw: tx.hex, hash: tx.id }
}
