/** Partially signed transactions (BIP-174, BIP-370, BIP-371): what they change, and the account's signatures. Loaded with the first one. */
import { bip32Path, Transaction } from "@scure/btc-signer"
import { hash160 } from "@scure/btc-signer/utils.js"
import * as Effect from "effect/Effect"
import { base64Of, bytesOfBase64 } from "../../data/base64.js"
import { bytesToHex } from "../../data/hex.js"
import { InvalidArgument, reasonOf, type SigningFailed } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { withRequest } from "../accountKey.js"
import type { Payment, PolicyRequest, Prepared, ReadError, Signed } from "../Signer.js"
import { checkFeeCap, invalidArgument, trySigning, warnOfHighFee } from "../signerChecks.js"
import { addressOf } from "./address.js"
import { hasPsbts, hasSignedAmounts } from "./networks.js"
import { coinOf, isOwnOutput } from "./payments.js"
import { type SignerContext, toUnits } from "./reading.js"
import {
  makeTransaction,
  SIGHASH_ALL,
  SIGHASH_DEFAULT,
  type SpentOutput,
  signatureFields,
  signInput,
  unlockingFields,
  xOnly
} from "./scure.js"
import { feeForSize, sizeOf, sum } from "./selection.js"
import type {
  BitcoinTransaction,
  PsbtInput,
  PsbtOutput,
  PsbtSummary,
  SignedPsbt,
  SignPsbtError
} from "./Types.js"

/** A key of the account. */
type Owner = SignerContext["account"]

/** An input as it is read: what it spends, and whether the whole transaction of that output proves it. */
interface ReadInput extends PsbtInput {
  readonly script: Uint8Array
  readonly owner: Owner | undefined
  readonly isProven: boolean
  readonly hashType: number | undefined
}

/** The fields of an input that sign it. */
type Signatures = Pick<
  ReturnType<Transaction["getInput"]>,
  "finalScriptSig" | "finalScriptWitness" | "partialSig" | "tapKeySig"
>

/** A partially signed transaction that was read. */
interface ReadPsbt {
  readonly tx: Transaction
  readonly inputs: ReadonlyArray<ReadInput>
  readonly summary: PsbtSummary
}

const decode = (given: unknown): Transaction => {
  if (typeof given !== "string" && !(given instanceof Uint8Array))
    throw new Error("it must be Base64, or a Uint8Array")
  const bytes = typeof given === "string" ? bytesOfBase64(given.trim()) : given.slice()
  // what is not known here is for others; the first versions of the library have no other name for that
  return Transaction.fromPSBT(bytes, {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    allowUnknown: true
  })
}

const isSameScript = (one: Uint8Array, other: Uint8Array): boolean => bytesToHex(one) === bytesToHex(other)

/** The address of a script, as far as it has one. */
const withAddress = (script: Uint8Array, network: string): { readonly address?: string } => {
  const address = addressOf(bytesToHex(script), network)
  return address === undefined ? {} : { address }
}

/** Whether an input is finished. The first versions of the library give unfinished ones an empty script. */
const isFinal = ({ finalScriptSig, finalScriptWitness }: Signatures): boolean =>
  (finalScriptSig?.length ?? 0) > 0 || (finalScriptWitness?.length ?? 0) > 0

const hasSignature = (input: Signatures): boolean =>
  isFinal(input) || input.tapKeySig !== undefined || (input.partialSig ?? []).length > 0

/** Where the keys of an input or an output come from. */
type Origins = Pick<ReturnType<Transaction["getInput"]>, "bip32Derivation" | "tapBip32Derivation">

/**
 * The key of the account that owns a script: of an HD account, the one at a path that the transaction names. Whatever it names, the script
 * has to be that of the key.
 */
const findOwner = (
  { keyAt }: SignerContext,
  script: Uint8Array,
  { bip32Derivation = [], tapBip32Derivation = [] }: Origins
): Owner | undefined => {
  const origins = [...bip32Derivation.map(([, der]) => der), ...tapBip32Derivation.map(([, { der }]) => der)]
  return [{}, ...origins.map(({ path }) => ({ path: path.slice(-2).join("/") }))]
    .map(keyAt)
    .find((key) => isSameScript(script, key.script))
}

const readInput = (context: SignerContext, tx: Transaction, at: number): ReadInput => {
  const input = tx.getInput(at)
  const { index, nonWitnessUtxo, sighashType, txid, witnessUtxo } = input
  if (txid === undefined || index === undefined) throw new Error(`its input ${at} names no output`)
  const spent = nonWitnessUtxo?.outputs[index] ?? witnessUtxo
  if (spent === undefined) throw new Error(`its input ${at} does not have the output that it spends`)
  const { amount, script } = spent
  const owner = findOwner(context, script, input)
  return {
    txid: bytesToHex(txid),
    vout: index,
    amount,
    script,
    owner,
    ...withAddress(script, context.account.network),
    isOwn: owner !== undefined,
    isSigned: hasSignature(input),
    isProven: nonWitnessUtxo !== undefined,
    hashType: sighashType
  }
}

const readOutput = (context: SignerContext, tx: Transaction, at: number): PsbtOutput => {
  const output = tx.getOutput(at)
  const { amount, script } = output
  if (amount === undefined || script === undefined)
    throw new Error(`its output ${at} has no amount, or no script`)
  return {
    amount,
    ...withAddress(script, context.account.network),
    isOwn: findOwner(context, script, output) !== undefined
  }
}

const indexes = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)

/** Whether an input is signed for all inputs and outputs, so that nobody can change them. */
const isForAll = ({ hashType = SIGHASH_ALL }: ReadInput): boolean =>
  hashType === SIGHASH_ALL || hashType === SIGHASH_DEFAULT

const warningsOf = (
  inputs: ReadonlyArray<ReadInput>,
  outputs: ReadonlyArray<PsbtOutput>,
  fee: bigint
): ReadonlyArray<string> => {
  const others = inputs.filter(({ isOwn }) => !isOwn)
  const unproven = others.filter(({ isProven }) => !isProven)
  return [
    ...(others.length > 0 ? [`${others.length} of its ${inputs.length} inputs are of others.`] : []),
    ...(unproven.length > 0
      ? [`Nothing proves the amounts of ${unproven.length} inputs of others: the fee may be higher.`]
      : []),
    ...inputs.flatMap((input, at) =>
      isForAll(input)
        ? []
        : [`The input ${at} is to be signed with the type ${input.hashType}: others could change the rest.`]
    ),
    ...(outputs.some(({ address }) => address === undefined)
      ? ["It pays a script that has no address."]
      : []),
    ...warnOfHighFee(fee, sum(outputs))
  ]
}

/** Reads a partially signed transaction. Throws if it is none, or does not have what it spends. */
const read = (context: SignerContext, given: unknown): ReadPsbt => {
  const { decimals, symbol } = context.row
  const tx = decode(given)
  const inputs = indexes(tx.inputsLength).map((at) => readInput(context, tx, at))
  const outputs = indexes(tx.outputsLength).map((at) => readOutput(context, tx, at))
  const fee = sum(inputs) - sum(outputs)
  if (fee < 0n) throw new Error("it pays more than it spends")
  const isOwn = (each: { readonly isOwn: boolean }): boolean => each.isOwn
  const balanceChange = sum(outputs.filter(isOwn)) - sum(inputs.filter(isOwn))
  const outgoing =
    balanceChange < 0n ? [{ asset: symbol, amount: Units.format(-balanceChange, decimals) }] : []
  return {
    tx,
    inputs,
    summary: {
      version: tx.opts.PSBTVersion === 2 ? 2 : 0,
      inputs: inputs.map(({ hashType: _, isProven: __, owner: ___, script: ____, ...input }) => input),
      outputs,
      fee,
      balanceChange,
      outgoing,
      warnings: warningsOf(inputs, outputs, fee)
    }
  }
}

const readChecked = (
  context: SignerContext,
  call: string,
  given: unknown
): Effect.Effect<ReadPsbt, InvalidArgument> => {
  const { chain, network } = context.account
  return hasPsbts(chain)
    ? Effect.try({
        try: () => read(context, given),
        catch: (error) =>
          new InvalidArgument({
            call,
            reason: `the partially signed transaction is invalid: ${reasonOf(error)}`
          })
      })
    : invalidArgument(call, `there are no partially signed transactions on ${network}`)
}

/** Says what a partially signed transaction changes. */
export const inspectPsbt = (
  context: SignerContext,
  given: unknown
): Effect.Effect<PsbtSummary, InvalidArgument> =>
  Effect.map(readChecked(context, "inspectPsbt", given), ({ summary }) => summary)

/** Where the account's key comes from, in the fields of inputs and of outputs. A key that is not derived is its own root. */
const originFields = (owner: Owner) => {
  const { origin, publicKey, type } = owner
  const der = {
    fingerprint: origin?.fingerprint ?? new DataView(hash160(publicKey).buffer).getUint32(0),
    path: bip32Path(origin?.path ?? "m")
  }
  return type === "p2tr"
    ? {
        ...unlockingFields(owner),
        tapBip32Derivation: [[xOnly(publicKey), { hashes: [], der }] satisfies [Uint8Array, unknown]]
      }
    : { ...unlockingFields(owner), bip32Derivation: [[publicKey, der] satisfies [Uint8Array, unknown]] }
}

/** The transaction with what another program needs to find the account's inputs and outputs. */
const makePsbt = (context: SignerContext, transaction: BitcoinTransaction, version: 0 | 2): Uint8Array => {
  const { account, keyAt } = context
  const tx = makeTransaction(transaction, account.chain, keyAt)
  for (const [at, input] of transaction.inputs.entries()) tx.updateInput(at, originFields(keyAt(input)))
  for (const [at, output] of transaction.outputs.entries())
    if (isOwnOutput(context, output)) tx.updateOutput(at, originFields(keyAt(output)))
  return tx.toPSBT(version)
}

/** Writes a transaction of the account, without signatures. */
export const exportPsbt = (
  context: SignerContext,
  transaction: BitcoinTransaction,
  version: unknown
): Effect.Effect<string, InvalidArgument> => {
  const call = "exportPsbt"
  const { chain, network } = context.account
  if (!hasPsbts(chain))
    return invalidArgument(call, `there are no partially signed transactions on ${network}`)
  return version === 0 || version === 2
    ? Effect.try({
        try: () => base64Of(makePsbt(context, transaction, version)),
        catch: (error) => new InvalidArgument({ call, reason: reasonOf(error) })
      })
    : invalidArgument(call, "version must be 0 (BIP-174) or 2 (BIP-370)")
}

/** Compares an input of the account with what nodes know of the output. Taproot's signature is invalid if any amount is not true. */
const checkAmount = (
  { account, row, rpc }: SignerContext,
  call: string,
  { amount, owner = account, txid, vout }: ReadInput
): Effect.Effect<void, InvalidArgument | ReadError> =>
  Effect.gen(function* () {
    const output = (yield* rpc.getTxOut(txid, vout)) ?? (yield* rpc.getTxOut(txid, vout, false))
    if (output === null && account.type !== "p2tr")
      return yield* invalidArgument(
        call,
        `nothing proves the amount of ${txid}:${vout}: no node has it, and its transaction (non_witness_utxo) is absent`
      )
    if (output === null) return
    const held = toUnits(row.decimals, output.value)
    if (held !== amount || output.scriptPubKey.hex !== bytesToHex(owner.script))
      return yield* invalidArgument(
        call,
        `${txid}:${vout} has ${Units.format(held, row.decimals)} ${row.symbol} of ${owner.address}, or of another address, and the transaction says ${Units.format(amount, row.decimals)}`
      )
  })

/** Refuses what an account does not sign, by a reason. */
const checkSignable = (
  context: SignerContext,
  { inputs, summary }: ReadPsbt,
  maxFee: Payment["maxFee"] | undefined
): Effect.Effect<ReadonlyArray<number>, SignPsbtError> =>
  Effect.gen(function* () {
    const call = "signPsbt"
    const { account } = context
    const own = indexes(inputs.length).filter((at) => inputs[at]?.isOwn === true && !inputs[at].isSigned)
    if (own.length === 0)
      return yield* invalidArgument(call, `${account.address} has no input there that is not signed`)
    for (const input of own.flatMap((at) => inputs[at] ?? [])) {
      const { hashType, isProven, txid, vout } = input
      if (!isForAll(input))
        return yield* invalidArgument(
          call,
          `${txid}:${vout} is to be signed with the type ${hashType}, by which others could change the rest: only ALL (1) and DEFAULT (0) are signed`
        )
      if (!isProven && !hasSignedAmounts(account))
        return yield* invalidArgument(
          call,
          `nothing proves the amount of ${txid}:${vout}: its transaction (non_witness_utxo) is absent`
        )
      if (!isProven) yield* checkAmount(context, call, input)
    }
    const { fee, outputs } = summary
    // more than any script of an address has
    const size = sizeOf(
      inputs.length,
      "p2pkh",
      outputs.map(() => 34)
    )
    yield* checkFeeCap(fee, maxFee, coinOf(context), feeForSize(size, account.chain.most))
    return own
  })

/**
 * What a policy is asked: a payment, if the account alone pays and one other address gets something, or none. Anything else is a
 * transaction without a preview.
 */
const toRequest = ({ account }: SignerContext, summary: PsbtSummary): PolicyRequest => {
  const { address: from, network } = account
  const { fee, inputs, outgoing, outputs, warnings } = summary
  const [paid, ...rest] = outputs.filter(({ isOwn }) => !isOwn)
  const to = paid === undefined ? from : paid.address
  if (!inputs.every(({ isOwn }) => isOwn) || rest.length > 0 || to === undefined)
    return { network, address: from, kind: "transaction", transaction: summary }
  const own = sum(outputs.filter(({ isOwn }) => isOwn))
  const prepared: Prepared<PsbtSummary> = {
    network,
    from,
    to,
    amount: paid?.amount ?? own,
    fee,
    ...(paid === undefined || own === 0n ? {} : { change: own }),
    outgoing,
    warnings,
    transaction: summary
  }
  return { network, address: from, kind: "payment", prepared }
}

/** The whole transaction, if all inputs have what they need. */
const completeTransaction = (psbt: Uint8Array): Signed | undefined => {
  try {
    const tx = Transaction.fromPSBT(psbt, { allowUnknownInputs: true, allowUnknownOutputs: true })
    for (const at of indexes(tx.inputsLength)) if (!isFinal(tx.getInput(at))) tx.finalizeIdx(at)
    return { raw: bytesToHex(tx.extract()), hash: tx.id }
  } catch {
    // others have to sign it, or an input is of a kind that only its owner can finish
    return undefined
  }
}

/** Signs the inputs of the account. */
const signOwn = async (
  { tx, inputs }: ReadPsbt,
  own: ReadonlyArray<number>,
  request: PolicyRequest | undefined
): Promise<SignedPsbt> => {
  const spent: ReadonlyArray<SpentOutput> = inputs
  const signatures: Array<readonly [at: number, owner: Owner, signature: Uint8Array]> = []
  for (const at of own) {
    const { hashType, owner } = inputs[at] ?? {}
    if (owner === undefined) continue
    const key = withRequest(owner, request)
    const signing = hashType === undefined ? key : { ...key, hashType }
    signatures.push([at, owner, await signInput(tx, at, signing, spent)])
  }
  for (const [at, owner, signature] of signatures)
    tx.updateInput(at, { ...unlockingFields(owner), ...signatureFields(owner, signature) }, true)
  const bytes = tx.toPSBT()
  const transaction = completeTransaction(bytes)
  return { psbt: base64Of(bytes), ...(transaction === undefined ? {} : { transaction }) }
}

/** A partially signed transaction that was checked: what a policy is asked, and what signs it. */
export interface CheckedPsbt {
  readonly request: PolicyRequest
  readonly signing: Effect.Effect<SignedPsbt, SigningFailed>
}

/** Checks a partially signed transaction, before anybody is asked to sign it. */
export const checkPsbt = (
  context: SignerContext,
  given: unknown,
  maxFee: Payment["maxFee"] | undefined
): Effect.Effect<CheckedPsbt, SignPsbtError> =>
  Effect.gen(function* () {
    const found = yield* readChecked(context, "signPsbt", given)
    const own = yield* checkSignable(context, found, maxFee)
    return {
      request: toRequest(context, found.summary),
      signing: trySigning((request) => signOwn(found, own, request))
    }
  })
