/**
 * Signers of Algorand, over algosdk and `@noble/curves`: payments in ALGO and in assets (ASA). Each payment names the last round that can
 * have it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { base64Of } from "../data/base64.js"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadPeer } from "../data/loadOnce.js"
import type { SigningFailed } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import { withRequest } from "./accountKey.js"
import { type Account, makeAccount } from "./algorand/accounts.js"
import { addressProblem } from "./algorand/address.js"
import { makeBroadcaster, waitForConfirmations } from "./algorand/broadcaster.js"
import { genesisOf } from "./algorand/networks.js"
import { isAssetId, isUint64, prepare, readValidity, type SignerContext } from "./algorand/payments.js"
import type { DatedTransaction } from "./algorand/sdk.js"
import type { AlgorandClient, AlgorandFrom, AlgorandSigner, AlgorandTransaction } from "./algorand/Types.js"
import { broadcastTransaction } from "./broadcast.js"
import type { Prepared, Sent, Signed, SignerError, SubmitError } from "./Signer.js"
import {
  assembleSigner,
  type CosigningDefinition,
  makeCosign,
  type Outbound,
  type PaymentTerms,
  refuseNull,
  toSent
} from "./SignerDefinition.js"
import {
  catchMalformedAnswer,
  checkBytes,
  invalidArgument,
  loadNetworkRow,
  trySigning
} from "./signerChecks.js"

export { addressProblem } from "./algorand/address.js"
export type * from "./algorand/Types.js"

type SentPayment = Sent<AlgorandTransaction>

/** What pays the fees of other accounts, which most accounts never do. */
const loadSponsored = /*#__PURE__*/ loadPeer("algosdk @noble/curves", () => import("./algorand/sponsored.js"))

const signTransaction = (
  { genesis, sdk }: SignerContext,
  account: Account,
  transaction: DatedTransaction
): Effect.Effect<Signed, SigningFailed> =>
  trySigning(async (request) => {
    const { address, sign } = withRequest(account, request)
    if (transaction.sponsored !== undefined) {
      const { signSponsored } = await import("./algorand/sponsored.js")
      return signSponsored({ address, sign }, transaction, genesis)
    }
    const built = sdk.buildTransaction(transaction, genesis)
    return sdk.attachSignature(built, address, await sdk.signVerified(built.bytesToSign(), sign, address))
  }, transaction)

const readTerms = ({ amount, fee, from, staking, to, token }: AlgorandTransaction): PaymentTerms => ({
  ...{ amount, fee, from, to, token },
  ...(staking === undefined ? {} : { staking: { action: staking.action, amount } })
})

/** Whether a preview says who pays the fee. */
const isAsPreviewed = ({ outgoing, transaction }: Prepared<AlgorandTransaction>): boolean =>
  outgoing.at(-1)?.from === transaction.sponsored?.feePayer

/** Why a transaction cannot be one of this chain; undefined if it can. */
const findProblem = (transaction: AlgorandTransaction): string | undefined => {
  const { amount, fee, firstValid = 0n, from, lastValid = 0n, staking, to, token } = transaction
  if (staking !== undefined && (to !== from || token !== undefined || amount !== 0n))
    return "what registers keys pays nobody: to is the account itself, and amount zero"
  const problem = addressProblem(to)
  if (problem !== undefined) return `its receiver ${problem}`
  if (token !== undefined && !isAssetId(token)) return "its token is no asset: its id is a decimal number"
  return [amount, fee, firstValid, lastValid].every(isUint64) && (amount > 0n || staking !== undefined)
    ? undefined
    : "amount, fee and rounds must be bigints of 64 bits, and the amount above zero"
}

/** Signs a transaction that the caller made. Missing fields get their current values. */
const signOwnTransaction =
  (context: SignerContext, account: Account) => (transaction: AlgorandTransaction) => {
    const problem = findProblem(transaction)
    return problem === undefined
      ? Effect.flatMap(readValidity(context), (dates) =>
          signTransaction(context, account, { ...dates, ...transaction })
        )
      : Effect.fail(invalidArgument("sign", problem))
  }

const broadcastPayment =
  (context: SignerContext, account: Account) =>
  (
    prepared: Prepared<AlgorandTransaction>,
    beforeBroadcast: (out: Outbound<AlgorandTransaction>) => void
  ): Effect.Effect<SentPayment, SubmitError> =>
    Effect.gen(function* () {
      const problem = findProblem(prepared.transaction)
      if (problem !== undefined) return yield* invalidArgument("submit", problem)
      const { sponsored } = prepared.transaction
      const transaction =
        sponsored === undefined
          ? { ...prepared.transaction, ...(yield* readValidity(context)) }
          : yield* checkBytes("submit", () => context.sdk.requireDated(prepared.transaction))
      const made = yield* signTransaction(context, account, transaction)
      const out = { ...made, prepared: { ...prepared, transaction } }
      beforeBroadcast(out)
      yield* broadcastTransaction(makeBroadcaster(context, transaction), made)
      return toSent(out)
    })

/** The calls of payments whose fees other accounts pay. */
const makeSponsoring = (
  context: SignerContext,
  account: Account,
  { submit }: Pick<AlgorandSigner, "submit">,
  cosigning: Omit<CosigningDefinition<AlgorandTransaction>, "sign">
): Pick<AlgorandSigner, "prepareSponsored" | "cosignFee" | "submitSponsored"> => {
  // one with an unclear outcome is found by its object again
  const signedBefore = new WeakMap<AlgorandTransaction, AlgorandTransaction>()
  const addSignature = (transaction: AlgorandTransaction, signature: string): AlgorandTransaction => {
    const before = signedBefore.get(transaction)
    if (before?.sponsored?.signature === signature) return before
    const { sponsored } = transaction
    const signed =
      sponsored === undefined ? transaction : { ...transaction, sponsored: { ...sponsored, signature } }
    signedBefore.set(transaction, signed)
    return signed
  }
  return {
    prepareSponsored: (payment) =>
      catchMalformedAnswer(
        Effect.flatMap(loadSponsored, (sponsored) => sponsored.prepareSponsored(context, payment)),
        "prepareSponsored"
      ),
    cosignFee: (prepared, options = {}) =>
      catchMalformedAnswer(
        Effect.flatMap(loadSponsored, (sponsored) =>
          sponsored.cosignFee({ context, account, cosigning }, prepared, options)
        ),
        "cosignFee"
      ),
    submitSponsored: (prepared, cosignature, options) =>
      Effect.suspend(() => {
        const { transaction } = isRecord(prepared) ? prepared : {}
        return !isRecord(transaction) || transaction.sponsored === undefined || !isRecord(cosignature)
          ? invalidArgument(
              "submitSponsored",
              "it takes what prepareSponsored has made, and what cosignFee of the fee payer's signer has"
            )
          : submit({ ...prepared, transaction: addSignature(transaction, cosignature.signature) }, options)
      })
  }
}

/**
 * Makes a signer of Algorand from a mnemonic (its own of 25 words, or BIP-39 at `m/44'/283'/index'/0'/0'`), a private key (32 or 64 bytes
 * as hexadecimal or Base64), or a function that signs. Its fees are paid in ALGO.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  client: AlgorandClient,
  from: OnThisEffect<AlgorandFrom>
): Effect.Effect<AlgorandSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["algorand-algod"])
    const genesis = genesisOf(network)
    if (genesis === undefined)
      return yield* invalidArgument("signer", `the first state of ${network} is not known here`)
    const sdk = yield* loadPeer("algosdk @noble/curves", () => import("./algorand/sdk.js"))
    const account = yield* makeAccount(sdk, from)
    const { address: key, payer: address } = account
    const context: SignerContext = {
      ...{ network, nodes, rpc, row, genesis, sdk, address },
      ...(key === address ? {} : { key, signatureBytes: sdk.REKEYED_SIGNATURE_BYTES })
    }
    const signer = assembleSigner<AlgorandTransaction>(
      {
        network,
        address,
        sign: signOwnTransaction(context, account),
        signMessage: (message) =>
          Effect.map(
            trySigning((request) =>
              sdk.signVerified(sdk.toMessageBytes(message), withRequest(account, request).sign, key)
            ),
            base64Of
          ),
        readTerms,
        isAsPreviewed,
        prepare: (payment) => prepare(context, payment),
        broadcast: broadcastPayment(context, account),
        rebroadcast: (out) =>
          broadcastTransaction(makeBroadcaster(context, out.prepared.transaction), out, true),
        waitForConfirmations: ({ hash, prepared }, confirmations) =>
          waitForConfirmations(rpc, hash, prepared.transaction, confirmations)
      },
      from
    )
    const cosigning = { network, address, policy: from.policy, readTerms, isAsPreviewed }
    return {
      ...signer,
      ...makeSponsoring(context, account, signer, cosigning),
      cosign: makeCosign<AlgorandTransaction>({
        ...cosigning,
        sign: (transaction) =>
          trySigning(
            (request) => sdk.cosignTransaction(transaction, genesis, withRequest(account, request).sign, key),
            transaction
          )
      })
    }
  }).pipe(Effect.map(refuseNull))
