/** Payments of Algorand whose fee another account pays, in a group of two transactions. Loaded with the first of them. */
import { ed25519 } from "@noble/curves/ed25519.js"
import { assignGroupID, type Transaction } from "algosdk"
import * as Effect from "effect/Effect"
import { base64Of, bytesOfBase64 } from "../../data/base64.js"
import type { PolicyDenied, SigningFailed } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import { withRequest } from "../accountKey.js"
import * as caps from "../caps.js"
import type { Cosignature, Payment, Prepared, PrepareError, Signed } from "../Signer.js"
import { authorizeBy, type CosigningDefinition, findCosigningProblem } from "../SignerDefinition.js"
import {
  checkAddress,
  checkBalance,
  checkBytes,
  checkFeeCap,
  invalidArgument,
  trySigning
} from "../signerChecks.js"
import type { Account } from "./accounts.js"
import { addressProblem, decodeAddress } from "./address.js"
import type { Genesis } from "./networks.js"
import { prepare, readOwnAccount, readParams, readValidity, type SignerContext } from "./payments.js"
import { buildTransaction, requireDated, signVerified } from "./sdk.js"
import type { AlgorandSponsoredPayment, AlgorandTransaction } from "./Types.js"

/** The name of the first call in errors. */
const CALL = "prepareSponsored"

/** Rounds from the newest on in which such a payment can be: about nine minutes, since two sign it. */
const VALID_ROUNDS = 200n

/** The transactions of a group: nodes ask for the least fee of each, and do not care which of them pays. */
const GROUP_SIZE = 2n

/** A payment without a fee, and what pays the fee of both. */
interface Group {
  readonly payment: Transaction
  readonly payer: Transaction
  /** The address of the key that signs for the payer. */
  readonly key: string
}

/** Builds both transactions, each with the id of their group. Throws if another account pays nothing for it. */
const buildGroup = (transaction: AlgorandTransaction, genesis: Genesis): Group => {
  const { sponsored, ...payment } = requireDated(transaction)
  if (sponsored === undefined) throw new Error("the account pays its fee itself")
  if (payment.staking !== undefined) throw new Error("it registers keys, and is no payment")
  const { feePayer, key = feePayer } = sponsored
  if (feePayer === payment.from) throw new Error("feePayer is the account itself")
  const { fee, firstValid, lastValid, lease } = payment
  const own = { from: feePayer, to: feePayer, amount: 0n, fee, firstValid, lastValid, lease }
  const built = {
    payment: buildTransaction({ ...payment, fee: 0n }, genesis),
    payer: buildTransaction(own, genesis)
  }
  assignGroupID([built.payment, built.payer])
  return { ...built, key }
}

const isSignedBy = (key: string, transaction: Transaction, signature: Uint8Array): boolean =>
  signature.length === 64 &&
  ed25519.verify(signature, transaction.bytesToSign(), decodeAddress(key), { zip215: false })

/** Bytes of Base64; none if it is none. */
const readSignature = (signature: string): Uint8Array => {
  try {
    return bytesOfBase64(signature)
  } catch {
    return new Uint8Array()
  }
}

/** Signs a payment without a fee, beside the signature of the account that pays the fee. */
export const signSponsored = async (
  { address, sign }: Pick<Account, "address" | "sign">,
  transaction: AlgorandTransaction,
  genesis: Genesis
): Promise<Signed> => {
  const { key, payer, payment } = buildGroup(transaction, genesis)
  const { feePayer = "", signature } = transaction.sponsored ?? {}
  if (signature === undefined)
    throw new Error(
      `${feePayer} has to sign it too: cosignFee of its signer does, and submitSponsored takes that`
    )
  const theirs = readSignature(signature)
  if (!isSignedBy(key, payer, theirs))
    throw new Error(`what it has besides is not the signature of ${feePayer}`)
  const own = await signVerified(payment.bytesToSign(), sign, address)
  const signed = [payment.attachSignature(address, own), payer.attachSignature(key, theirs)]
  return {
    raw: base64Of(Uint8Array.from(signed.flatMap((each) => [...each]))),
    hash: payment.txID()
  }
}

/** The preview of a payment whose fee another account pays. */
export const prepareSponsored = (
  context: SignerContext,
  request: AlgorandSponsoredPayment
): Effect.Effect<Prepared<AlgorandTransaction>, PrepareError> =>
  Effect.gen(function* () {
    if (!isRecord(request)) return yield* invalidArgument(CALL, "a payment is { to, amount, feePayer }")
    const { address, network, row, rpc } = context
    const { feePayer: given, maxFee, ...payment } = request
    const feePayer = yield* checkAddress(network, given, addressProblem(given))
    if (feePayer === address) return yield* invalidArgument(CALL, "feePayer: it is the account itself")
    const { fee: byteFee, minFee } = yield* readParams(context)
    if (byteFee > 0n)
      return yield* invalidArgument(
        CALL,
        "the chain is full: nodes ask each transaction for a fee by its bytes, which no other one can pay. Try again later, or pay the fee yourself"
      )
    const fee = GROUP_SIZE * minFee
    const coin = { address: feePayer, asset: row.symbol, decimals: row.decimals }
    yield* checkFeeCap(fee, maxFee, coin, caps.algorand.fee)
    const prepared = yield* prepare({ ...context, fee: 0n }, payment)
    const theirs = yield* rpc.getAccountInfo({ address: feePayer, exclude: "all" })
    yield* checkBalance(fee + theirs["min-balance"], theirs.amount, coin)
    const { "auth-addr": key = feePayer } = theirs
    const { firstValid, lease } = yield* readValidity(context)
    const { outgoing, token, transaction, warnings } = prepared
    return {
      ...prepared,
      fee,
      outgoing: [
        // in a token's payment, the last line is the fee
        ...(token === undefined ? outgoing : outgoing.slice(0, -1)),
        { asset: row.symbol, amount: Units.format(fee, row.decimals), from: feePayer }
      ],
      warnings: [
        `${feePayer} pays the fee, if it signs too, up to round ${firstValid + VALID_ROUNDS}.`,
        ...warnings
      ],
      transaction: {
        ...transaction,
        ...{ fee, firstValid, lastValid: firstValid + VALID_ROUNDS, lease },
        sponsored: { feePayer, ...(key === feePayer ? {} : { key }) }
      }
    }
  })

/** What a preview is to the account that pays its fee. */
const viewOfPayer = (
  { address, row }: SignerContext,
  { amount, fee, from, network, to, token, transaction }: Prepared<AlgorandTransaction>,
  id: string
): Prepared<AlgorandTransaction> => {
  const paid =
    token === undefined
      ? `${Units.format(amount, row.decimals)} ${row.symbol}`
      : `${amount} of the smallest unit of the asset ${token}`
  return {
    network,
    from: address,
    to: from,
    amount: 0n,
    fee,
    outgoing: [{ asset: row.symbol, amount: Units.format(fee, row.decimals) }],
    warnings: [`It pays the fee of ${id}, by which ${from} pays ${paid} to ${to}.`],
    transaction
  }
}

const refuseFee = (reason: string) => invalidArgument("cosignFee", reason)

/** Refuses what the account cannot pay for, or what costs more than it may. */
const checkPayer = (
  context: SignerContext,
  { fee, lastValid = 0n }: AlgorandTransaction,
  { maxFee }: Pick<Payment, "maxFee">
) =>
  Effect.gen(function* () {
    const { address, row } = context
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const [own, { lastRound, minFee }] = yield* Effect.all([readOwnAccount(context), readParams(context)], {
      concurrency: "unbounded"
    })
    const asked = GROUP_SIZE * minFee
    yield* checkFeeCap(fee, maxFee, coin, asked < caps.algorand.fee ? asked : caps.algorand.fee)
    if (lastRound >= lastValid)
      return yield* refuseFee(
        `rounds up to ${lastValid} could have it, and the newest is ${lastRound}: prepare it again`
      )
    yield* checkBalance(fee + own["min-balance"], own.amount, coin)
  })

/** The account that pays fees, and what its signer checks. */
export interface FeePayer {
  readonly context: SignerContext
  readonly account: Account
  readonly cosigning: Omit<CosigningDefinition<AlgorandTransaction>, "sign">
}

/** Signs what pays the fee of a preview, as the account that pays it. */
export const cosignFee = (
  { account, context, cosigning }: FeePayer,
  prepared: Prepared<AlgorandTransaction>,
  options: Pick<Payment, "maxFee">
): Effect.Effect<Cosignature, PrepareError | SigningFailed | PolicyDenied> =>
  Effect.gen(function* () {
    const { address, genesis, key = address, network } = context
    const problem = findCosigningProblem(cosigning, prepared)
    if (problem !== undefined) return yield* refuseFee(problem)
    const { transaction } = prepared
    const group = yield* checkBytes("cosignFee", () => buildGroup(transaction, genesis))
    const { feePayer } = transaction.sponsored ?? {}
    if (feePayer !== address)
      return yield* refuseFee(`${feePayer} pays its fee, and this signer is ${address}`)
    if (group.key !== key)
      return yield* refuseFee(`the key of ${group.key} signs for it, and not that of ${key}`)
    yield* checkPayer(context, transaction, isRecord(options) ? options : {})
    const signing = trySigning(async (request): Promise<Cosignature> => {
      const { sign } = withRequest(account, request)
      const signature = await signVerified(group.payer.bytesToSign(), sign, key)
      return { publicKey: key, signature: base64Of(signature) }
    }, transaction)
    const view = viewOfPayer(context, prepared, group.payment.txID())
    return yield* authorizeBy(
      cosigning.policy,
      { network, address, kind: "payment", prepared: view },
      signing
    )
  })
