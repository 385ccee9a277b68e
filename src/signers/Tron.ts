/**
 * Signers of Tron, over `@noble/curves`: payments in TRX and in tokens (TRC-20). Transactions are written here, byte by byte, and not
 * by a node: what is signed is what was asked for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { confirmed } from "../chains/internal/Confirmation.js"
import { hex, findProblem } from "../data/bytes.js"
import { isRecord } from "../data/untrusted.js"
import { hexToBytes, bytesToHex } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { NetworkRow } from "../data/Network.js"
import { InvalidKey, type SigningFailed, TransactionDropped, TransactionFailed } from "../data/SdkError.js"
import { type Handing, handOver, type Shown } from "./broadcast.js"
import { agreed } from "./evidence.js"
import {
  assemble,
  type FromMnemonic,
  invalidKey,
  madeFromNothing,
  type ReadError,
  readingAnswers,
  reveal,
  rowOf,
  type Signed,
  type SignerError,
  type SubmitError,
  sentOf,
  signing
} from "./Signer.js"
import { addressProblem } from "./tron/address.js"
import type { SignHash } from "./tron/curve.js"
import { isAsShown, type Place, prepare, prepareTransaction } from "./tron/payments.js"
import { idOf, rawData, signedHex } from "./tron/protobuf.js"
import type { TronCalls, TronClient, TronFrom, TronSigner, TronTransaction } from "./tron/Types.js"

export { addressProblem } from "./tron/address.js"
export type * from "./tron/Types.js"

type Curve = typeof import("./tron/curve.js")

interface Account {
  readonly address: string
  readonly sign: SignHash
}

const ofBytes = (curve: Curve, key: Uint8Array): Effect.Effect<Account, InvalidKey> =>
  Effect.try({
    try: () => ({ address: curve.addressOfPrivate(key), sign: curve.signWith(key) }),
    catch: () => new InvalidKey({ reason: "it is none of the curve's keys" })
  })

const ofPrivateKey = (curve: Curve, given: string): Effect.Effect<Account, InvalidKey> => {
  const digits = given.replace(/^0x/, "")
  return /^[0-9a-f]{64}$/i.test(digits)
    ? ofBytes(curve, hexToBytes(digits))
    : invalidKey("a private key of Tron is 32 bytes: 64 hexadecimal digits")
}

/** The incumbent's wallet package has the same path. */
const ofMnemonic = (curve: Curve, from: FromMnemonic) =>
  Effect.flatMap(
    loadPeer("@scure/bip39 @scure/bip32", () =>
      Promise.all([import("./keys/phrase.js"), import("./keys/bip32.js")])
    ),
    ([{ keyOf }, { secp256k1 }]) => {
      const standard = (index: number) => `m/44'/195'/0'/0/${index}`
      return Effect.flatMap(keyOf(from, { standard, tatum: standard }, secp256k1), (key) =>
        ofBytes(curve, key)
      )
    }
  )

const accountOf = (curve: Curve, from: TronFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return madeFromNothing
  if ("mnemonic" in from) return ofMnemonic(curve, from)
  if ("privateKey" in from) return ofPrivateKey(curve, reveal(from.privateKey))
  const { address, sign } = from
  if (typeof sign !== "function") return invalidKey("must have mnemonic, privateKey, or sign with address")
  const problem = addressProblem(address)
  return problem === undefined ? Effect.succeed({ address, sign }) : invalidKey(`its address ${problem}`)
}

/** Milliseconds from the newest block on in which a transaction can get into one. */
const LIFETIME = 60_000n

/** A transaction that is signed, with the time after which no block takes it. */
interface SignedOut extends Signed {
  readonly transaction: TronTransaction
}

/** Transactions that are remembered: more are not made within a block. */
const MOST = 1_024

/** The bytes of a transaction in which it is told apart from those before: two that are equal would be one, and be paid once. */
type Apart = (bytesAt: (timestamp: bigint) => Uint8Array, timestamp: bigint) => Uint8Array

const apart = (): Apart => {
  const made = new Set<string>()
  const find: Apart = (bytesAt, timestamp) => {
    const raw = bytesAt(timestamp)
    const id = bytesToHex(idOf(raw))
    if (made.has(id)) return find(bytesAt, timestamp + 1n)
    made.add(id)
    const [oldest] = made
    if (made.size > MOST && oldest !== undefined) made.delete(oldest)
    return raw
  }
  return find
}

interface Key {
  readonly account: Account
  readonly curve: Curve
}
/** The newest block. A transaction is over a while after it, so two nodes tell about the same time, where there are two. */
const newestOf = (rpc: TronCalls) =>
  agreed(rpc.getNowBlock(), (one, other) => {
    const apart = (one.block_header.raw_data.timestamp ?? 0n) - (other.block_header.raw_data.timestamp ?? 0n)
    return apart <= LIFETIME && -apart <= LIFETIME
  })

/** A transaction with the newest block in it, signed. */
const signed = (
  { rpc }: Place,
  { account: { address, sign }, curve }: Key,
  transaction: TronTransaction,
  tellApart: Apart = (bytesAt, timestamp) => bytesAt(timestamp)
): Effect.Effect<SignedOut, SigningFailed | ReadError> =>
  Effect.flatMap(newestOf(rpc), ({ block_header: { raw_data }, blockID }) => {
    const { timestamp: newest = 0n } = raw_data
    const expiration = newest + LIFETIME
    const bytesAt = (timestamp: bigint) => rawData(transaction, { blockId: blockID, timestamp, expiration })
    const raw = tellApart(bytesAt, newest)
    const id = idOf(raw)
    return Effect.map(
      signing(() => curve.signatureOf(id, sign, address)),
      // java-tron takes the parity as it is in Ethereum
      (signature) => ({
        raw: signedHex(raw, Uint8Array.of(...signature.subarray(0, 64), (signature[64] ?? 0) + 27)),
        hash: bytesToHex(id),
        transaction: { ...transaction, expiration }
      })
    )
  })

/** Milliseconds until nodes show a transaction that one of them has taken: two blocks. */
const WITHIN = 8_000

/** Milliseconds after its end in which blocks of other nodes may still have a transaction. */
const SLACK = 30_000n

/** What a node shows of a transaction: it has it, in a block or waiting for one, or no block can have it any more. */
const shownOf = (
  rpc: TronCalls,
  hash: string,
  { expiration }: TronTransaction
): Effect.Effect<Shown, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    // the time comes first: what is missing then will stay so
    const { timestamp = 0n } = (yield* rpc.getNowBlock()).block_header.raw_data
    if ((yield* rpc.getTransactionById(hash)).txID !== undefined) return "known"
    const waiting = yield* Effect.orElseSucceed(rpc.getTransactionFromPending(hash), () => undefined)
    if (waiting?.txID !== undefined) return "known"
    return expiration === undefined || timestamp <= expiration + SLACK
      ? "absent"
      : yield* new TransactionDropped({
          hash,
          reason: `blocks could have it until ${new Date(Number(expiration)).toISOString()}, and none has`
        })
  })

const handing = ({ nodes, rpc }: Place, transaction: TronTransaction): Handing => ({
  nodes,
  within: WITHIN,
  broadcast: ({ raw }) => rpc.broadcastHex(raw),
  look: (hash) => shownOf(rpc, hash, transaction)
})

/** Waits until a transaction is so deep in the chain; one that failed there is a failure. */
const landed = (rpc: TronCalls, hash: string, confirmations: number): Effect.Effect<void, SubmitError> =>
  Effect.flatMap(
    confirmed(
      hash,
      { confirmations, pollingInterval: 3_000 },
      Effect.flatMap(rpc.getTransactionInfoById(hash), (info) =>
        info.blockNumber === undefined
          ? Effect.succeed(undefined)
          : Effect.map(rpc.getNowBlock(), ({ block_header: { raw_data } }) => ({
              transaction: info,
              confirmations: Number((raw_data.number ?? 0n) - (info.blockNumber ?? 0n)) + 1
            }))
      )
    ),
    ({ resMessage = "it was refused", result }) =>
      result === "FAILED" ? Effect.fail(new TransactionFailed({ hash, reason: resMessage })) : Effect.void
  )

const over = (place: Place, key: Key): TronSigner => {
  const { account, curve } = key
  const { address, network, rpc } = place
  const tellApart = apart()
  const signer = assemble<TronTransaction>({
    network,
    address,
    sign: (transaction) => Effect.map(signed(place, key, transaction), ({ hash, raw }) => ({ hash, raw })),
    signMessage: (message) =>
      Effect.map(
        signing(() => curve.signatureOf(curve.messageHash(message), account.sign, address)),
        (signature) => `0x${bytesToHex(signature.subarray(0, 64))}${signature[64] === 0 ? "1b" : "1c"}`
      ),
    // its fee is what the chain takes
    terms: ({ amount, from, to, token }) => ({ amount, from, to, token }),
    prepare: (payment) => prepare(place, payment),
    isAsShown,
    problemOf: ({ data }) => (data === undefined ? undefined : findProblem(() => hex()(data, "data", []))),
    hand: (prepared, leaves) =>
      Effect.flatMap(signed(place, key, prepared.transaction, tellApart), ({ transaction, ...made }) => {
        const out = { ...made, prepared: { ...prepared, transaction } }
        leaves(out)
        return Effect.as(handOver(handing(place, transaction), made), sentOf(out))
      }),
    handAgain: (out) => handOver(handing(place, out.prepared.transaction), out, true),
    wait: ({ hash }, confirmations) => landed(rpc, hash, confirmations)
  })
  return {
    ...signer,
    prepareTransaction: (request) => readingAnswers(prepareTransaction(place, request)),
    sendTransaction: (request) =>
      Effect.flatMap(readingAnswers(prepareTransaction(place, request)), (prepared) =>
        signer.submit(prepared, request)
      )
  }
}

/**
 * Makes a signer of Tron from a mnemonic (`m/44'/195'/0'/0/index`), a private key (32 bytes as hexadecimal), or a function that signs.
 * Its fees are paid in TRX.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: TronClient, from: TronFrom): Effect.Effect<TronSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row: NetworkRow = yield* rowOf(network, ["tron"])
    const curve = yield* loadPeer("@noble/curves", () => import("./tron/curve.js"))
    const account = yield* accountOf(curve, from)
    return over({ network, nodes, rpc, row, address: account.address }, { account, curve })
  })
