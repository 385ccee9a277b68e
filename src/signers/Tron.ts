/**
 * Signers of Tron, over `@noble/curves`: payments in TRX and in tokens (TRC-20). The SDK encodes transactions itself and lets no node do
 * it, so what is signed is what was asked for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { makeOutcomeCheck, pollUntilConfirmed } from "../chains/internal/Confirmation.js"
import { findProblem, hex } from "../data/bytes.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { bytesToHex, hexToBytes } from "../data/hex.js"
import { loadPeer } from "../data/loadOnce.js"
import type { NetworkRow } from "../data/Network.js"
import { describeRevertData } from "../data/revert.js"
import { InvalidKey, type SigningFailed, TransactionDropped } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { ignoreRequest, makeAccountKey, type SignBytes, withPreimage, withRequest } from "./accountKey.js"
import { type Broadcaster, broadcastTransaction, type TransactionStatus } from "./broadcast.js"
import { makeMalformedError, parseWhole, withAgreement } from "./evidence.js"
import type { FromMnemonic, ReadError, Signed, SignerError, SubmitError, WithPolicy } from "./Signer.js"
import { assembleSigner, toSent } from "./SignerDefinition.js"
import {
  catchMalformedAnswer,
  invalidKey,
  loadNetworkRow,
  missingKeySource,
  reveal,
  trySigning
} from "./signerChecks.js"
import { addressProblem, toBase58Address } from "./tron/address.js"
import { isAsPreviewed, prepare, prepareTransaction, type SignerContext } from "./tron/payments.js"
import { computeId, encodeRawData, encodeSigned } from "./tron/protobuf.js"
import type { TronCalls, TronClient, TronFrom, TronSigner, TronTransaction } from "./tron/Types.js"

export { addressProblem } from "./tron/address.js"
export type * from "./tron/Types.js"

type CurveModule = typeof import("./tron/curve.js")

interface Account {
  readonly address: string
  /** Signs 32 bytes: `r`, `s` and the parity of `y`, 65 bytes, or 64 of those that do not tell the latter. */
  readonly sign: SignBytes
}

const accountFromBytes = (curve: CurveModule, key: Uint8Array): Effect.Effect<Account, InvalidKey> =>
  Effect.try({
    try: () => ({ address: curve.addressFromPrivateKey(key), sign: curve.makeSignHash(key) }),
    catch: () => new InvalidKey({ reason: "it is none of the curve's keys" })
  })

const accountFromPrivateKey = (curve: CurveModule, given: string): Effect.Effect<Account, InvalidKey> => {
  const digits = given.replace(/^0x/, "")
  return /^[0-9a-f]{64}$/i.test(digits)
    ? accountFromBytes(curve, hexToBytes(digits))
    : invalidKey("a private key of Tron is 32 bytes: 64 hexadecimal digits")
}

/** The incumbent's wallet package has the same path. */
const accountFromMnemonic = (curve: CurveModule, from: FromMnemonic) =>
  Effect.flatMap(
    loadPeer("@scure/bip39 @scure/bip32", () =>
      Promise.all([import("./keys/bip39.js"), import("./keys/bip32.js")])
    ),
    ([{ deriveKey }, { deriveSecp256k1 }]) => {
      const standard = (index: number) => `m/44'/195'/0'/0/${index}`
      return Effect.flatMap(deriveKey(from, { standard, tatum: standard }, deriveSecp256k1), (key) =>
        accountFromBytes(curve, key)
      )
    }
  )

const makeAccount = (curve: CurveModule, from: TronFrom): Effect.Effect<Account, SignerError> => {
  if (!isRecord(from as unknown)) return missingKeySource
  if ("mnemonic" in from) return accountFromMnemonic(curve, from)
  if ("privateKey" in from) return accountFromPrivateKey(curve, reveal(from.privateKey))
  if ("account" in from)
    return Effect.map(
      makeAccountKey(from.account, { secp256k1: curve.secp256k1Library }),
      ({ publicKey, sign }) => ({
        address: curve.addressFromPublicKey(publicKey),
        sign
      })
    )
  const { address, sign } = from
  if (typeof sign !== "function")
    return invalidKey("must have mnemonic, privateKey, account, or sign with address")
  const problem = addressProblem(address)
  return problem === undefined
    ? Effect.succeed({ address: toBase58Address(address), sign: ignoreRequest(sign) })
    : invalidKey(`its address ${problem}`)
}

/** Milliseconds from the newest block on in which a transaction can get into one. */
const VALID_MS = 60_000n

/** A transaction that is signed, with the time after which no block takes it. */
interface SignedPayment extends Signed {
  readonly transaction: TronTransaction
}

/** Transactions that are remembered: more are not made within a block. */
const MAX_REMEMBERED = 1_024

/** Makes the bytes of a transaction unique: two equal transactions would be one, and be paid once. */
type MakeUnique = (bytesAt: (timestamp: bigint) => Uint8Array, timestamp: bigint) => Uint8Array

const makeMakeUnique = (): MakeUnique => {
  const made = new Set<string>()
  const find: MakeUnique = (bytesAt, timestamp) => {
    const raw = bytesAt(timestamp)
    const id = bytesToHex(computeId(raw))
    if (made.has(id)) return find(bytesAt, timestamp + 1n)
    made.add(id)
    const [oldest] = made
    if (made.size > MAX_REMEMBERED && oldest !== undefined) made.delete(oldest)
    return raw
  }
  return find
}

interface KeyWithCurve {
  readonly account: Account
  readonly curve: CurveModule
}
/** The latest time that there is, in milliseconds since 1970. */
const MAX_TIME = 8_640_000_000_000_000n

/** Reads the newest block. Transactions expire some time after it, so two nodes have to report about the same time if there are two. */
const readNewestBlock = (rpc: TronCalls) =>
  Effect.flatMap(
    withAgreement(rpc.getNowBlock(), (one, other) => {
      const difference =
        (one.block_header.raw_data.timestamp ?? 0n) - (other.block_header.raw_data.timestamp ?? 0n)
      return difference <= VALID_MS && -difference <= VALID_MS
    }),
    (block): Effect.Effect<{ readonly blockID: string; readonly newest: bigint }, ReadError> => {
      const { block_header, blockID } = block
      const newest = parseWhole(block_header?.raw_data?.timestamp ?? 0n)
      return typeof blockID === "string" &&
        /^[0-9a-f]{64}$/i.test(blockID) &&
        newest !== undefined &&
        newest <= MAX_TIME
        ? Effect.succeed({ blockID, newest })
        : Effect.fail(makeMalformedError("getNowBlock", "the newest block has no id or no time"))
    }
  )

/** A transaction with the newest block in it, signed. */
const signTransaction = (
  { rpc }: SignerContext,
  { account, curve }: KeyWithCurve,
  transaction: TronTransaction,
  tellApart: MakeUnique = (bytesAt, timestamp) => bytesAt(timestamp)
): Effect.Effect<SignedPayment, SigningFailed | ReadError> =>
  Effect.flatMap(readNewestBlock(rpc), ({ blockID, newest }) => {
    const { address } = account
    const expiration = newest + VALID_MS
    const bytesAt = (timestamp: bigint) =>
      encodeRawData(transaction, { blockId: blockID, timestamp, expiration })
    const raw = tellApart(bytesAt, newest)
    const id = computeId(raw)
    const expiring = { ...transaction, expiration }
    return Effect.map(
      trySigning(
        (request) => curve.signVerified(id, withRequest(account, withPreimage(request, raw)).sign, address),
        expiring
      ),
      // java-tron takes the parity as Ethereum does
      (signature) => ({
        raw: encodeSigned(raw, Uint8Array.of(...signature.subarray(0, 64), (signature[64] ?? 0) + 27)),
        hash: bytesToHex(id),
        transaction: expiring
      })
    )
  })

/** The milliseconds until nodes show a transaction that one of them has accepted: two blocks. */
const PROPAGATION_MS = 8_000

/** Milliseconds after its end in which blocks of other nodes may still have a transaction. */
const CLOCK_MARGIN_MS = 30_000n

/** Looks up a transaction: a node has it, in a block or in its mempool, or no block can have it any more. */
const lookUpTransaction = (
  rpc: TronCalls,
  hash: string,
  { expiration }: TronTransaction
): Effect.Effect<TransactionStatus, ReadError | TransactionDropped> =>
  Effect.gen(function* () {
    // the time is read first: a transaction that is missing after it expired stays missing
    const { timestamp = 0n } = (yield* rpc.getNowBlock()).block_header.raw_data
    if ((yield* rpc.getTransactionById(hash)).txID !== undefined) return "known"
    const waiting = yield* Effect.orElseSucceed(rpc.getTransactionFromPending(hash), () => undefined)
    if (waiting?.txID !== undefined) return "known"
    return expiration === undefined || timestamp <= expiration + CLOCK_MARGIN_MS
      ? "absent"
      : yield* new TransactionDropped({
          hash,
          reason: `blocks could have it until ${new Date(Number(expiration)).toISOString()}, and none has`
        })
  })

const makeBroadcaster = ({ nodes, rpc }: SignerContext, transaction: TronTransaction): Broadcaster => ({
  nodes,
  propagationMs: PROPAGATION_MS,
  broadcast: ({ raw }) => rpc.broadcastHex(raw),
  lookUp: (hash) => lookUpTransaction(rpc, hash, transaction)
})

type TransactionInfo = Effect.Effect.Success<ReturnType<TronCalls["getTransactionInfoById"]>>

/** The message of a node. Most write its bytes as hexadecimal digits. */
const decodeMessage = (message: string): string =>
  /^(?:[\da-f]{2}){2,}$/i.test(message) ? new TextDecoder().decode(hexToBytes(message)) : message

/** Results of contracts that are no failure. `DEFAULT` stands at transactions that run none. */
const doneResults: ReadonlyArray<string | undefined> = [undefined, "SUCCESS", "DEFAULT"]

const checkOutcome = makeOutcomeCheck<TransactionInfo>(({ contractResult, receipt, resMessage, result }) => {
  if (result !== "FAILED" && doneResults.includes(receipt?.result)) return undefined
  const data = contractResult?.[0] ? `0x${contractResult[0]}` : undefined
  const reason =
    (data === undefined ? undefined : describeRevertData(data)) ??
    (resMessage ? decodeMessage(resMessage) : (receipt?.result ?? "it was refused"))
  return data === undefined ? { reason } : { reason, data }
})

/** Waits until a transaction is deep enough in the chain. One that failed in its block is a failure. */
const waitForConfirmations = (
  rpc: TronCalls,
  hash: string,
  confirmations: number
): Effect.Effect<unknown, SubmitError> =>
  pollUntilConfirmed(
    hash,
    { confirmations, pollingInterval: 3_000 },
    Effect.flatMap(rpc.getTransactionInfoById(hash), (info) =>
      info.blockNumber === undefined
        ? Effect.succeed(undefined)
        : Effect.map(rpc.getNowBlock(), ({ block_header: { raw_data } }) => ({
            transaction: info,
            confirmations: Number((raw_data.number ?? 0n) - (info.blockNumber ?? 0n)) + 1
          }))
    ),
    checkOutcome
  )

const makeSigner = (context: SignerContext, key: KeyWithCurve, own: WithPolicy): TronSigner => {
  const { account, curve } = key
  const { address, network, rpc } = context
  const tellApart = makeMakeUnique()
  const signer = assembleSigner<TronTransaction>(
    {
      network,
      address,
      sign: (transaction) =>
        Effect.map(signTransaction(context, key, transaction), ({ hash, raw }) => ({ hash, raw })),
      signMessage: (message) =>
        Effect.map(
          trySigning((request) =>
            curve.signVerified(curve.hashMessage(message), withRequest(account, request).sign, address)
          ),
          (signature) => `0x${bytesToHex(signature.subarray(0, 64))}${signature[64] === 0 ? "1b" : "1c"}`
        ),
      // its fee is what the chain takes
      readTerms: ({ amount, from, to, token }) => ({ amount, from, to, token }),
      prepare: (payment) => prepare(context, payment),
      isAsPreviewed,
      readCall: ({ data, to }) =>
        data === undefined ? undefined : { contract: to, method: `0x${data.slice(0, 8).toLowerCase()}` },
      findProblem: ({ data }) =>
        data === undefined ? undefined : findProblem(() => hex()(data, "data", [])),
      broadcast: (prepared, beforeBroadcast) =>
        Effect.flatMap(
          signTransaction(context, key, prepared.transaction, tellApart),
          ({ transaction, ...made }) => {
            const out = { ...made, prepared: { ...prepared, transaction } }
            beforeBroadcast(out)
            return Effect.as(broadcastTransaction(makeBroadcaster(context, transaction), made), toSent(out))
          }
        ),
      rebroadcast: (out) =>
        broadcastTransaction(makeBroadcaster(context, out.prepared.transaction), out, true),
      waitForConfirmations: ({ hash }, confirmations) => waitForConfirmations(rpc, hash, confirmations)
    },
    own
  )
  return {
    ...signer,
    prepareTransaction: (request) => catchMalformedAnswer(prepareTransaction(context, request)),
    sendTransaction: (request) =>
      Effect.flatMap(catchMalformedAnswer(prepareTransaction(context, request)), (prepared) =>
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
export const make = (
  client: TronClient,
  from: OnThisEffect<TronFrom>
): Effect.Effect<TronSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row: NetworkRow = yield* loadNetworkRow(network, ["tron"])
    const curve = yield* loadPeer("@noble/curves", () => import("./tron/curve.js"))
    const account = yield* makeAccount(curve, from)
    return makeSigner({ network, nodes, rpc, row, address: account.address }, { account, curve }, from)
  })
