/** Transparent payments on Zcash: transactions of version 5 (ZIP-225), and the hashes that are signed of them (ZIP-244). Loaded with the first one. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { blake2b } from "@noble/hashes/blake2.js"
import * as Effect from "effect/Effect"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { InvalidArgument } from "../../data/SdkError.js"
import { makeMalformedError, withAgreement } from "../evidence.js"
import type { Prepared, PrepareError, Signed } from "../Signer.js"
import { parseReceiver } from "./address.js"
import type { Chain } from "./networks.js"
import type { SignerContext } from "./reading.js"
import { type FindKey, SIGHASH_ALL, signVerified } from "./scure.js"
import { sum } from "./selection.js"
import type { BitcoinTransaction } from "./Types.js"

/** The rules under which transactions of version 5 are mined, by the id of their branch (ZIP-200): each signature names one. */
const BRANCHES: Readonly<Record<string, string>> = {
  c2d6d0b4: "NU5",
  c8e71055: "NU6",
  "4dec4df0": "NU6.1",
  "5437f330": "NU6.2",
  "37a5165b": "NU6.3"
}

/** How many blocks can have a transaction before it expires, as with the nodes' own wallets: about 50 minutes. */
const VALID_BLOCKS = 40

/** Version 5, with the bit of all versions since Overwinter. */
const HEADER = 0x80000005
const VERSION_GROUP = 0x26a7270a
const FINAL = 0xffffffff

/** Adds what a transaction needs of the chain: the rules of the next block, and the height after which no block takes it. */
export const withConsensus = (
  { rpc }: SignerContext,
  preparing: Effect.Effect<Prepared<BitcoinTransaction>, PrepareError>
): Effect.Effect<Prepared<BitcoinTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const call = rpc.getBlockChainInfo?.()
    if (call === undefined)
      return yield* new InvalidArgument({
        call: "prepare",
        reason: "the client has no getBlockChainInfo, which says the rules of the next block"
      })
    const [prepared, { blocks, consensus }] = yield* Effect.all(
      [
        preparing,
        withAgreement(call, (one, other) => one.consensus?.nextblock === other.consensus?.nextblock)
      ],
      { concurrency: "unbounded" }
    )
    const branchId = String(consensus?.nextblock).toLowerCase()
    if (!/^[0-9a-f]{8}$/.test(branchId) || !Number.isSafeInteger(blocks) || blocks < 1)
      return yield* makeMalformedError("getblockchaininfo", "it does not say the rules of the next block")
    if (!Object.hasOwn(BRANCHES, branchId))
      return yield* new InvalidArgument({
        call: "prepare",
        reason: `the next block follows rules that are not known here (${branchId}): update this package`
      })
    const expiryHeight = blocks + VALID_BLOCKS
    return { ...prepared, transaction: { ...prepared.transaction, zcash: { branchId, expiryHeight } } }
  })

const littleEndian = (value: bigint, length: number): ReadonlyArray<number> =>
  Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))

const uint32 = (value: number): ReadonlyArray<number> => littleEndian(BigInt(value), 4)

const uint64 = (value: bigint): ReadonlyArray<number> => littleEndian(value, 8)

/** A number before as many bytes or entries. */
const compactSize = (count: number): ReadonlyArray<number> =>
  count < 0xfd
    ? [count]
    : count <= 0xffff
      ? [0xfd, ...littleEndian(BigInt(count), 2)]
      : [0xfe, ...uint32(count)]

const withLength = (bytes: Uint8Array): ReadonlyArray<number> => [...compactSize(bytes.length), ...bytes]

const text = new TextEncoder()

/** A hash of BLAKE2b with 16 bytes that say what it is of. */
const hash = (personalization: string | Uint8Array, bytes: Iterable<number>): Uint8Array =>
  blake2b(Uint8Array.from(bytes), {
    dkLen: 32,
    personalization: typeof personalization === "string" ? text.encode(personalization) : personalization
  })

/** An input with the output that it spends. */
export interface SpentInput {
  /** As bytes of the chain, which are the id in reverse. */
  readonly txid: Uint8Array
  readonly vout: number
  readonly sequence: number
  readonly amount: bigint
  readonly script: Uint8Array
}

/** What a transaction is, as its hashes are of it. The digests of shielded parts are those of none, unless they are given. */
export interface TransactionParts {
  readonly branchId: number
  readonly lockTime: number
  readonly expiryHeight: number
  readonly inputs: ReadonlyArray<SpentInput>
  readonly outputs: ReadonlyArray<{ readonly amount: bigint; readonly script: Uint8Array }>
  readonly sapling?: Uint8Array
  readonly orchard?: Uint8Array
}

const outpointOf = ({ txid, vout }: SpentInput): ReadonlyArray<number> => [...txid, ...uint32(vout)]

const headerOf = ({ branchId, expiryHeight, lockTime }: TransactionParts): ReadonlyArray<number> =>
  [HEADER, VERSION_GROUP, branchId, lockTime, expiryHeight].flatMap(uint32)

const hashPrevouts = ({ inputs }: TransactionParts) => hash("ZTxIdPrevoutHash", inputs.flatMap(outpointOf))

const hashSequences = ({ inputs }: TransactionParts) =>
  hash(
    "ZTxIdSequencHash",
    inputs.flatMap(({ sequence }) => uint32(sequence))
  )

const encodeOutputs = ({ outputs }: TransactionParts): ReadonlyArray<number> =>
  outputs.flatMap(({ amount, script }) => [...uint64(amount), ...withLength(script)])

const hashOutputs = (parts: TransactionParts) => hash("ZTxIdOutputsHash", encodeOutputs(parts))

/** The hash of a whole transaction, with one of its transparent part: for its id, or for a signature. */
const hashTransaction = (parts: TransactionParts, transparent: Uint8Array): Uint8Array => {
  const { branchId, orchard = hash("ZTxIdOrchardHash", []), sapling = hash("ZTxIdSaplingHash", []) } = parts
  const personalization = Uint8Array.of(...text.encode("ZcashTxHash_"), ...uint32(branchId))
  const header = hash("ZTxIdHeadersHash", headerOf(parts))
  return hash(personalization, [...header, ...transparent, ...sapling, ...orchard])
}

/** The id of a transaction, as bytes of the chain. It does not depend on signatures. */
export const computeTxid = (parts: TransactionParts): Uint8Array =>
  hashTransaction(
    parts,
    hash("ZTxIdTranspaHash", [...hashPrevouts(parts), ...hashSequences(parts), ...hashOutputs(parts)])
  )

/** The hash that signs an input for all inputs with their amounts, and all outputs. */
export const computeDigest = (parts: TransactionParts, at: number): Uint8Array => {
  const { inputs } = parts
  const own = inputs.slice(at, at + 1)
  const encodeInput = (input: SpentInput) => [
    ...outpointOf(input),
    ...uint64(input.amount),
    ...withLength(input.script),
    ...uint32(input.sequence)
  ]
  const amounts = hash(
    "ZTxTrAmountsHash",
    inputs.flatMap(({ amount }) => uint64(amount))
  )
  const scripts = hash(
    "ZTxTrScriptsHash",
    inputs.flatMap(({ script }) => withLength(script))
  )
  return hashTransaction(
    parts,
    hash("ZTxIdTranspaHash", [
      SIGHASH_ALL,
      ...hashPrevouts(parts),
      ...amounts,
      ...scripts,
      ...hashSequences(parts),
      ...hashOutputs(parts),
      ...hash("Zcash___TxInHash", own.flatMap(encodeInput))
    ])
  )
}

/** The bytes of a transaction with the scripts that unlock its inputs, and without shielded parts. */
const encode = (parts: TransactionParts, unlocking: ReadonlyArray<Uint8Array>): Uint8Array =>
  Uint8Array.from([
    ...headerOf(parts),
    ...compactSize(parts.inputs.length),
    ...parts.inputs.flatMap((input, at) => [
      ...outpointOf(input),
      ...withLength(unlocking[at] ?? new Uint8Array()),
      ...uint32(input.sequence)
    ]),
    ...compactSize(parts.outputs.length),
    ...encodeOutputs(parts),
    // spends and outputs of Sapling, and actions of Orchard
    ...[0, 0, 0]
  ])

const toParts = (
  { fee, inputs, outputs, zcash }: BitcoinTransaction,
  chain: Chain,
  keyOf: FindKey
): TransactionParts => {
  if (zcash === undefined || !Object.hasOwn(BRANCHES, zcash.branchId))
    throw new Error("it does not name rules that are known here: prepare it again")
  if (sum(inputs) - sum(outputs) !== fee)
    throw new Error(`its fee would be ${sum(inputs) - sum(outputs)} in the smallest unit, and it says ${fee}`)
  return {
    branchId: Number.parseInt(zcash.branchId, 16),
    lockTime: 0,
    expiryHeight: zcash.expiryHeight,
    inputs: inputs.map((input) => ({
      txid: hexToBytes(input.txid).reverse(),
      vout: input.vout,
      sequence: FINAL,
      amount: input.amount,
      script: keyOf(input).script
    })),
    outputs: outputs.map(({ address, amount }) => {
      const found = parseReceiver(address, chain)
      if (typeof found === "string") throw new Error(`${address} ${found}`)
      return { amount, script: found.script }
    })
  }
}

/** The bytes of a transaction, signed, and its id. */
export const signTransaction = async (
  transaction: BitcoinTransaction,
  chain: Chain,
  keyOf: FindKey
): Promise<Signed> => {
  const parts = toParts(transaction, chain, keyOf)
  const unlocking: Array<Uint8Array> = []
  for (const [at, input] of transaction.inputs.entries()) {
    const key = keyOf(input)
    const compact = await signVerified(computeDigest(parts, at), key)
    const der = secp256k1.Signature.fromBytes(compact, "compact").toBytes("der")
    unlocking.push(
      Uint8Array.from([...withLength(Uint8Array.of(...der, SIGHASH_ALL)), ...withLength(key.publicKey)])
    )
  }
  return { raw: bytesToHex(encode(parts, unlocking)), hash: bytesToHex(computeTxid(parts).reverse()) }
}
