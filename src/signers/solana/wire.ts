/** Whole transactions as kit reads and writes them: loaded with the first one that is not a payment. */
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createAddressWithSeed,
  createTransactionMessage,
  decompileTransactionMessage,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signatureBytes,
  type Transaction
} from "@solana/kit"
import { bytesToHex } from "../../data/hex.js"
import type { ContractCall } from "../Signer.js"
import { encodeSignature, toVerifiedSignature } from "./kit.js"
import {
  ADVANCE_NONCE,
  COMPUTE_UNITS_PER_INSTRUCTION,
  MAX_COMPUTE_UNITS,
  priorityFeeOf,
  programs,
  signaturePrograms
} from "./layout.js"
import type { SolanaAccount, SolanaInstruction, SolanaWire } from "./Types.js"

/** An instruction with its accounts as places among all accounts of the transaction. */
interface WireInstruction {
  readonly program: string
  readonly accounts: ReadonlyArray<number>
  readonly data: Uint8Array
}

/** The addresses that a transaction takes from a lookup table, by their places there. */
export interface TableLookup {
  readonly table: string
  readonly writable: ReadonlyArray<number>
  readonly readonly: ReadonlyArray<number>
}

/** A transaction in one form for all versions. `accounts` are those in the message itself, signers first. */
export interface WireTransaction {
  readonly transaction: Transaction
  readonly version: SolanaWire["version"]
  readonly accounts: ReadonlyArray<string>
  readonly writable: ReadonlyArray<string>
  readonly signers: ReadonlyArray<string>
  readonly lookups: ReadonlyArray<TableLookup>
  readonly instructions: ReadonlyArray<WireInstruction>
  /** A blockhash, or the value of a nonce account. */
  readonly lifetime: string
  /** The highest fee that its payer pays, in lamports. */
  readonly fee: bigint
}

/** The base fee of a signature, in lamports. */
const FEE_PER_SIGNATURE = 5_000

/** The numbers of the compute budget's instructions that a fee depends on. */
const SET_LIMIT = 2
const SET_PRICE = 3

const isComputeBudget = ({ program }: Pick<WireInstruction, "program">): boolean =>
  program === programs.computeBudget

const toDataView = ({ data }: WireInstruction): DataView =>
  new DataView(data.buffer, data.byteOffset, data.byteLength)

/** The highest priority fee of legacy transactions and of version 0, whose limit and price are instructions. */
const priorityFeeOfInstructions = (instructions: ReadonlyArray<WireInstruction>): bigint => {
  const budget = instructions.filter(isComputeBudget)
  const limit = budget.find(({ data }) => data[0] === SET_LIMIT && data.length >= 5)
  const price = budget.find(({ data }) => data[0] === SET_PRICE && data.length >= 9)
  const units =
    limit === undefined
      ? (instructions.length - budget.length) * COMPUTE_UNITS_PER_INSTRUCTION
      : toDataView(limit).getUint32(1, true)
  return price === undefined
    ? 0n
    : priorityFeeOf(Math.min(units, MAX_COMPUTE_UNITS), toDataView(price).getBigUint64(1, true))
}

const baseFeeOf = (signers: number, instructions: ReadonlyArray<WireInstruction>): bigint =>
  BigInt(
    FEE_PER_SIGNATURE *
      instructions
        .filter(({ program }) => signaturePrograms.has(program))
        .reduce((sum, { data }) => sum + (data[0] ?? 0), signers)
  )

type CompiledMessage = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>["decode"]>

/** The instructions of a message. Version 1 has their heads in front, and their contents behind all of them. */
const instructionsOf = (message: CompiledMessage) =>
  message.version === 1
    ? message.instructionHeaders.map(({ programAccountIndex }, at) => ({
        programIndex: programAccountIndex,
        accounts: message.instructionPayloads[at]?.instructionAccountIndices ?? [],
        data: message.instructionPayloads[at]?.instructionData
      }))
    : message.instructions.map(({ accountIndices = [], data, programAddressIndex }) => ({
        programIndex: programAddressIndex,
        accounts: accountIndices,
        data
      }))

const lookupsOf = (message: CompiledMessage): ReadonlyArray<TableLookup> =>
  message.version === 0
    ? (message.addressTableLookups ?? []).map(({ lookupTableAddress, readonlyIndexes, writableIndexes }) => ({
        table: lookupTableAddress,
        writable: writableIndexes,
        readonly: readonlyIndexes
      }))
    : []

/** The numbers of a message's head, which have to fit to its accounts and to each other. */
const checkHeader = ({ header, staticAccounts }: CompiledMessage): void => {
  const { numReadonlyNonSignerAccounts, numReadonlySignerAccounts, numSignerAccounts } = header
  if (
    numSignerAccounts === 0 ||
    numReadonlySignerAccounts >= numSignerAccounts ||
    numSignerAccounts + numReadonlyNonSignerAccounts > staticAccounts.length
  )
    throw new Error("its header counts other accounts than it has")
  if (new Set(staticAccounts).size < staticAccounts.length) throw new Error("it names an account twice")
}

const readMessage = (message: CompiledMessage): Omit<WireTransaction, "transaction"> => {
  checkHeader(message)
  const { header, staticAccounts: accounts, version } = message
  const { numReadonlyNonSignerAccounts, numReadonlySignerAccounts, numSignerAccounts } = header
  const lookups = lookupsOf(message)
  const count = lookups.reduce(
    (sum, { readonly, writable }) => sum + readonly.length + writable.length,
    accounts.length
  )
  const instructions = instructionsOf(message).map(({ accounts: indexes, data, programIndex }) => {
    const program = accounts[programIndex]
    // the payer is no program, and programs are not taken from tables
    if (program === undefined || programIndex === 0 || indexes.some((index) => index >= count))
      throw new Error("an instruction names an account that it does not have")
    return { program, accounts: indexes, data: Uint8Array.from(data ?? []) }
  })
  const firstReadonlySigner = numSignerAccounts - numReadonlySignerAccounts
  const firstReadonly = accounts.length - numReadonlyNonSignerAccounts
  const priorityFee =
    message.version === 1
      ? (decompileTransactionMessage(message).config?.priorityFeeLamports ?? 0n)
      : priorityFeeOfInstructions(instructions)
  return {
    version,
    accounts,
    writable: accounts.filter((_, at) =>
      at < numSignerAccounts ? at < firstReadonlySigner : at < firstReadonly
    ),
    signers: accounts.slice(0, numSignerAccounts),
    lookups,
    instructions,
    lifetime: message.lifetimeToken,
    fee: baseFeeOf(numSignerAccounts, instructions) + priorityFee
  }
}

const isEqual = (one: ArrayLike<number>, other: ArrayLike<number>): boolean =>
  one.length === other.length && Array.from(one).every((byte, at) => byte === other[at])

/** A message of which each byte has been read; undefined if bytes are none. */
const decodeMessage = (bytes: Uint8Array): CompiledMessage | undefined => {
  try {
    const message = getCompiledTransactionMessageDecoder().decode(bytes)
    return isEqual(getCompiledTransactionMessageEncoder().encode(message), bytes) ? message : undefined
  } catch {
    // kit's words for malformed bytes name its codecs
    return undefined
  }
}

/** A transaction of which each byte has been read; undefined if bytes are none. */
const decodeEnvelope = (bytes: Uint8Array): Transaction | undefined => {
  try {
    const transaction = getTransactionDecoder().decode(bytes)
    return isEqual(getTransactionEncoder().encode(transaction), bytes) ? transaction : undefined
  } catch {
    return undefined
  }
}

/** The first byte of messages of version 1. */
const VERSION_1 = 0x81

/**
 * Reads a transaction, or the message of one, which nobody has signed yet. Throws with what is wrong. Bytes that are read are the only
 * spelling of what was read in them.
 */
export const readWire = (bytes: Uint8Array): WireTransaction => {
  const envelope = decodeEnvelope(bytes)
  const signed = envelope === undefined ? undefined : decodeMessage(Uint8Array.from(envelope.messageBytes))
  const message = signed ?? decodeMessage(bytes)
  if (message === undefined)
    throw new Error(
      bytes[0] === VERSION_1
        ? "it is of version 1, which the installed @solana/kit cannot read, or it is cut off"
        : "its bytes are no transaction of Solana, and no message of one"
    )
  const read = readMessage(message)
  const transaction: Transaction =
    signed !== undefined && envelope !== undefined
      ? envelope
      : {
          // kit brands the bytes of messages, and its decoder takes those of whole transactions alone
          messageBytes: bytes as unknown as Transaction["messageBytes"],
          signatures: Object.fromEntries(read.signers.map((signer) => [signer, null]))
        }
  return { ...read, transaction }
}

/** The signers other than this one whose signature is missing. Throws if one is there and is wrong. */
export const findMissingSigners = async (
  { signers, transaction: { messageBytes, signatures } }: WireTransaction,
  own: string
): Promise<ReadonlyArray<string>> => {
  const message = Uint8Array.from(messageBytes)
  const missing: Array<string> = []
  for (const signer of signers) {
    if (signer === own) continue
    const signature = signatures[address(signer)] ?? undefined
    if (signature === undefined) missing.push(signer)
    else await toVerifiedSignature(signer, message, signature)
  }
  return missing
}

/** Encodes a transaction with the signature of one of its signers, in Base64. Those of others stay. Without one its place is zeros. */
export const encodeWire = (
  { transaction }: Pick<WireTransaction, "transaction">,
  of: string,
  signature?: Uint8Array
): string =>
  getBase64EncodedWireTransaction({
    ...transaction,
    signatures: {
      ...transaction.signatures,
      [address(of)]: signature === undefined ? null : signatureBytes(signature)
    }
  })

/** The signature that a transaction is known by: that of its payer. All others have signed. */
export const findHash = (
  { signers: [payer = ""], transaction: { signatures } }: WireTransaction,
  of: string,
  own: Uint8Array
): string => encodeSignature(payer === of ? own : Uint8Array.from(signatures[address(payer)] ?? []))

/** How many bytes of an instruction's data tell its method: those of Anchor's programs have eight. */
const METHOD_BYTES = 8

/** The programs that a transaction calls, as policies see them. That of the compute budget has no effect but the fee. */
export const callsOf = ({
  instructions
}: Pick<WireTransaction, "instructions">): ReadonlyArray<ContractCall> =>
  instructions
    .filter((instruction) => !isComputeBudget(instruction))
    .map(({ data, program }) => ({
      contract: program,
      method: `0x${bytesToHex(data.subarray(0, METHOD_BYTES))}`
    }))

/** The nonce account that a transaction uses, if its first instruction uses one. */
export const findNonceAccount = ({ accounts, instructions: [first] }: WireTransaction): string | undefined =>
  first?.program === programs.system && isEqual(first.data, ADVANCE_NONCE)
    ? accounts[first.accounts[0] ?? -1]
    : undefined

/** The address of an account of a program that follows from another one. */
export const findSeededAddress = (
  base: string,
  seed: string,
  program: string = programs.system
): Promise<string> =>
  createAddressWithSeed({ baseAddress: address(base), programAddress: address(program), seed })

/** What instructions are compiled for. A limit or a price among them takes the place of these. */
export interface Plan {
  readonly payer: string
  readonly instructions: ReadonlyArray<SolanaInstruction>
  readonly tables: Readonly<Record<string, ReadonlyArray<string>>>
}

const roleOf = ({ isSigner = false, isWritable = false }: SolanaAccount): AccountRole =>
  isSigner
    ? isWritable
      ? AccountRole.WRITABLE_SIGNER
      : AccountRole.READONLY_SIGNER
    : isWritable
      ? AccountRole.WRITABLE
      : AccountRole.READONLY

const toKitInstruction = ({ accounts = [], data, program }: SolanaInstruction): Instruction => ({
  programAddress: address(program),
  accounts: accounts.map((account) => ({ address: address(account.address), role: roleOf(account) })),
  ...(data === undefined ? {} : { data })
})

const compileMessage = (message: Parameters<typeof compileTransaction>[0]): Uint8Array =>
  Uint8Array.from(getTransactionEncoder().encode(compileTransaction(message)))

/**
 * Compiles instructions to version 0. Addresses come from the lookup tables where that makes the transaction shorter. Throws on invalid
 * addresses.
 */
export const compileInstructions = (
  { instructions, payer, tables }: Plan,
  lifetime: { readonly blockhash: string; readonly lastValidBlockHeight: bigint }
): Uint8Array => {
  const message = appendTransactionMessageInstructions(
    instructions.map(toKitInstruction),
    setTransactionMessageLifetimeUsingBlockhash(
      { ...lifetime, blockhash: blockhash(lifetime.blockhash) },
      setTransactionMessageFeePayer(address(payer), createTransactionMessage({ version: 0 }))
    )
  )
  const addresses = Object.fromEntries(
    Object.entries(tables).map(([table, listed]) => [table, listed.map((each) => address(each))])
  )
  const compressed = compressTransactionMessageUsingAddressLookupTables(message, addresses)
  const [plainBytes, compressedBytes] = [compileMessage(message), compileMessage(compressed)]
  return compressedBytes.length < plainBytes.length ? compressedBytes : plainBytes
}
