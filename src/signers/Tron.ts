/**
 * Signers of Tron, over `@noble/curves`: payments in TRX and in tokens (TRC-20). The SDK encodes transactions itself and lets no node do
 * it, so what is signed is what was asked for.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { findProblem, hex } from "../data/bytes.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { bytesToHex, hexToBytes } from "../data/hex.js"
import { loadOnce, loadPeer } from "../data/loadOnce.js"
import type { NetworkRow } from "../data/Network.js"
import { InvalidKey, SigningFailed } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { ignoreRequest, makeAccountKey, type SignBytes, withPreimage, withRequest } from "./accountKey.js"
import { broadcastTransaction } from "./broadcast.js"
import type { Cosignature, FromMnemonic, ReadError, Signed, SignerError, WithPolicy } from "./Signer.js"
import { assembleSigner, makeCosign, type PaymentTerms, refuseNull, toSent } from "./SignerDefinition.js"
import {
  catchMalformedAnswer,
  invalidKey,
  loadNetworkRow,
  missingKeySource,
  reveal,
  trySigning
} from "./signerChecks.js"
import { addressProblem, toBase58Address } from "./tron/address.js"
import { makeBroadcaster, readNewestBlock, VALID_MS, waitForConfirmations } from "./tron/broadcaster.js"
import {
  isAsPreviewed,
  isSharedPayment,
  prepare,
  prepareTransaction,
  type SignerContext
} from "./tron/payments.js"
import { type Contract, computeId, encodeRawData, encodeSharedData, encodeSigned } from "./tron/protobuf.js"
import type { TronClient, TronFrom, TronSigner, TronTransaction } from "./tron/Types.js"

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
/** A signature with its parity as java-tron takes it: as Ethereum does. */
const toChainSignature = (signature: Uint8Array): Uint8Array =>
  Uint8Array.of(...signature.subarray(0, 64), (signature[64] ?? 0) + 27)

/** What encodes staking is loaded with the first such transaction. */
const loadStakingContracts = /*#__PURE__*/ loadOnce(
  () => import("./tron/stakingContracts.js"),
  Effect.succeed
)

/** The contract of a transaction that stakes; undefined for one that pays or calls. */
const toStakingContract = (
  transaction: TronTransaction
): Effect.Effect<Contract | undefined, SigningFailed> =>
  transaction.staking === undefined
    ? Effect.succeed(undefined)
    : Effect.flatMap(
        Effect.mapError(loadStakingContracts, ({ reason }) => new SigningFailed({ reason })),
        ({ encodeStaking }) => trySigning(async () => encodeStaking(transaction))
      )

/** A transaction with the newest block in it, signed. */
const signTransaction = (
  { rpc }: SignerContext,
  { account, curve }: KeyWithCurve,
  transaction: TronTransaction,
  tellApart: MakeUnique = (bytesAt, timestamp) => bytesAt(timestamp)
): Effect.Effect<SignedPayment, SigningFailed | ReadError> =>
  Effect.gen(function* () {
    const contract = yield* toStakingContract(transaction)
    const { blockID, time: newest } = yield* readNewestBlock(rpc)
    const { address } = account
    const expiration = newest + VALID_MS
    const bytesAt = (timestamp: bigint) =>
      encodeRawData(transaction, { blockId: blockID, timestamp, expiration }, contract)
    const raw = tellApart(bytesAt, newest)
    const id = computeId(raw)
    const expiring = { ...transaction, expiration }
    const signature = yield* trySigning(
      (request) => curve.signVerified(id, withRequest(account, withPreimage(request, raw)).sign, address),
      expiring
    )
    return {
      raw: encodeSigned(raw, [toChainSignature(signature)]),
      hash: bytesToHex(id),
      transaction: expiring
    }
  })

/** Its fee is what the chain takes. */
const readTerms = ({ amount, from, staking, to, token }: TronTransaction): PaymentTerms =>
  staking === undefined
    ? { amount, from, to, token }
    : {
        ...{ from, to, token },
        amount: staking.action === "stake" ? amount : 0n,
        staking: { ...staking, amount }
      }

/** A member's signature of a transaction that has its block already. */
const cosignTransaction = (
  { account, curve }: KeyWithCurve,
  transaction: TronTransaction
): Effect.Effect<Cosignature, SigningFailed> =>
  trySigning(async (request) => {
    const raw = encodeSharedData(transaction)
    const { sign } = withRequest(account, withPreimage(request, raw))
    const signature = await curve.signVerified(computeId(raw), sign, account.address)
    return { signature: bytesToHex(toChainSignature(signature)) }
  }, transaction)

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
          (signature) => `0x${bytesToHex(toChainSignature(signature))}`
        ),
      readTerms,
      prepare: (payment) => prepare(context, payment),
      isAsPreviewed,
      readCall: ({ data, to }) =>
        data === undefined ? undefined : { contract: to, method: `0x${data.slice(0, 8).toLowerCase()}` },
      findProblem: ({ data, shared }) =>
        shared !== undefined
          ? "it is one that several members sign: approve of effect-chains/signers/proposal does"
          : data === undefined
            ? undefined
            : findProblem(() => hex()(data, "data", [])),
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
    cosign: makeCosign<TronTransaction>({
      network,
      address,
      policy: own.policy,
      readTerms,
      isAsPreviewed: isSharedPayment,
      sign: (transaction) => cosignTransaction(key, transaction)
    }),
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
  }).pipe(Effect.map(refuseNull))
