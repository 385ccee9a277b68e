/**
 * Signers of Tron, over `@noble/curves`: payments in TRX and in tokens (TRC-20). Transactions are written here, byte by byte, and not
 * by a node: what is signed is what was asked for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { confirmed } from "../chains/internal/Confirmation.js"
import { isRecord } from "../data/foreign.js"
import { bytesOfHex, hexOf } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { NetworkRow } from "../data/Network.js"
import { InvalidKey, type SigningFailed, TransactionFailed } from "../data/SdkError.js"
import { type Handing, handOver } from "./broadcast.js"
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
    ? ofBytes(curve, bytesOfHex(digits))
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

/** The newest block. A transaction is over a while after it, so two nodes tell about the same time, where there are two. */
const newestOf = (rpc: TronCalls) =>
  agreed(rpc.getNowBlock(), (one, other) => {
    const apart = (one.block_header.raw_data.timestamp ?? 0n) - (other.block_header.raw_data.timestamp ?? 0n)
    return apart <= LIFETIME && -apart <= LIFETIME
  })

/** A transaction with the newest block in it, signed. */
const signed = (
  { rpc }: Place,
  curve: Curve,
  { address, sign }: Account,
  transaction: TronTransaction
): Effect.Effect<Signed, SigningFailed | ReadError> =>
  Effect.flatMap(newestOf(rpc), ({ block_header: { raw_data }, blockID }) => {
    const timestamp = raw_data.timestamp ?? 0n
    const raw = rawData(transaction, { blockId: blockID, timestamp, expiration: timestamp + LIFETIME })
    const id = idOf(raw)
    return Effect.map(
      signing(() => curve.signatureOf(id, sign, address)),
      // java-tron takes the parity as it is in Ethereum
      (signature) => ({
        raw: signedHex(raw, Uint8Array.of(...signature.subarray(0, 64), (signature[64] ?? 0) + 27)),
        hash: hexOf(id)
      })
    )
  })

const handing = (rpc: TronCalls): Handing => ({
  broadcast: ({ raw }) =>
    rpc.broadcastHex(raw).pipe(
      Effect.as("taken" as const),
      Effect.catchIf(
        (error) => /DUP_TRANSACTION/.test(error.message),
        () => Effect.succeed("taken" as const)
      )
    ),
  isKnown: (hash) => Effect.map(rpc.getTransactionById(hash), ({ txID }) => txID !== undefined)
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

const over = (place: Place, account: Account, curve: Curve): TronSigner => {
  const { address, network, rpc } = place
  const signer = assemble<TronTransaction>({
    network,
    address,
    sign: (transaction) => signed(place, curve, account, transaction),
    signMessage: (message) =>
      Effect.map(
        signing(() => curve.signatureOf(curve.messageHash(message), account.sign, address)),
        (signature) => `0x${hexOf(signature.subarray(0, 64))}${signature[64] === 0 ? "1b" : "1c"}`
      ),
    // its fee is what the chain takes
    terms: ({ amount, from, to, token }) => ({ amount, from, to, token }),
    prepare: (payment) => prepare(place, payment),
    isAsShown,
    hand: (prepared) =>
      Effect.flatMap(signed(place, curve, account, prepared.transaction), (made) =>
        Effect.as(handOver(handing(rpc), made), { hash: made.hash, prepared })
      ),
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
    const { network, rpc } = client
    const row: NetworkRow = yield* rowOf(network, ["tron"])
    const curve = yield* loadPeer("@noble/curves", () => import("./tron/curve.js"))
    const account = yield* accountOf(curve, from)
    return over({ network, rpc, row, address: account.address }, account, curve)
  })
