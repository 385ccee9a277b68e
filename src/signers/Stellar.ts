/**
 * Signers of Stellar, over `@stellar/stellar-base`: payments in lumens and in issued assets, with the reserves, trust lines and memos
 * that the ledger and its exchanges ask for. Every payment has a time after which it can no longer land.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadPeer } from "../data/loadOnce.js"
import { isRecord } from "../data/untrusted.js"
import { withRequest } from "./accountKey.js"
import type { Cosignature, Prepared, ReadError, Signed, SignerError, WithPolicy } from "./Signer.js"
import { assembleSigner, makeCosign, type PaymentTerms, refuseNull } from "./SignerDefinition.js"
import { makeSequencedOperations } from "./sequencedOperations.js"
import { catchMalformedAnswer, invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"
import { type BaseModule, makeAccount } from "./stellar/accounts.js"
import type { CompleteTransaction, StellarAccount } from "./stellar/base.js"
import { makeBroadcaster } from "./stellar/broadcaster.js"
import { passphraseOf } from "./stellar/networks.js"
import { prepare, type SignerContext } from "./stellar/payments.js"
import { readAccount, readLatestLedger, waitForConfirmations } from "./stellar/reading.js"
import { describeSponsored } from "./stellar/sponsoredEntries.js"
import type { StellarClient, StellarFrom, StellarSigner, StellarTransaction } from "./stellar/Types.js"

export { addressProblem } from "./stellar/address.js"
export type * from "./stellar/Types.js"

/** The account on its network, and what signs for it. */
interface OwnAccount extends SignerContext {
  readonly base: BaseModule
  readonly account: StellarAccount
  readonly passphrase: string
}

/** What keeps reserves for other accounts, and what pays the fees of signed transactions, which most accounts never do. */
const loadSponsorships = /*#__PURE__*/ loadPeer(
  "@stellar/stellar-base",
  () => import("./stellar/sponsorships.js")
)

const loadFeeBumps = /*#__PURE__*/ loadPeer("@stellar/stellar-base", () => import("./stellar/feeBumps.js"))

/** Seconds from the newest ledger on in which a payment can get into one. */
const VALID_SECONDS = 90

const isComplete = (transaction: StellarTransaction): transaction is CompleteTransaction =>
  transaction.sequence !== undefined && transaction.expires !== undefined

/** A payment with the sequence after the newest one that may still get into a ledger. */
const completeTransaction = (
  { address, rpc }: SignerContext,
  transaction: StellarTransaction,
  newest: CompleteTransaction | undefined
): Effect.Effect<CompleteTransaction, ReadError> =>
  Effect.flatMap(
    Effect.all([readAccount(rpc, address), readLatestLedger(rpc)], { concurrency: "unbounded" }),
    ([state, { time }]) => {
      if (state === undefined) return Effect.fail(invalidArgument("sign", `${address} has no account yet`))
      const nextSequence = state.sequence + 1n
      const after = newest === undefined || newest.expires < time ? nextSequence : newest.sequence + 1n
      return Effect.succeed({
        ...transaction,
        sequence: transaction.sequence ?? (after > nextSequence ? after : nextSequence),
        expires: transaction.expires ?? time + VALID_SECONDS
      })
    }
  )

const readTerms = ({ amount, fee, from, to, token }: StellarTransaction): PaymentTerms => ({
  ...{ amount, fee, from, to, token }
})

/** Why a transaction cannot be signed as it is; undefined if it can. */
const findProblem = (transaction: StellarTransaction): string | undefined =>
  (transaction.bump === undefined && transaction.sponsors === undefined) || isComplete(transaction)
    ? undefined
    : "it has no sequence and expires, which prepareFeeBump and prepareSponsorship set"

const signTransaction = async (
  { base, passphrase }: OwnAccount,
  account: StellarAccount,
  transaction: CompleteTransaction
): Promise<Signed> => {
  if (transaction.bump !== undefined) {
    const { signFeeBump } = await import("./stellar/feeBumps.js")
    return signFeeBump(account, transaction, passphrase)
  }
  if (transaction.sponsors !== undefined) {
    const { signSponsorship } = await import("./stellar/sponsorships.js")
    return signSponsorship(account, transaction, passphrase)
  }
  return base.signTransaction(account, transaction, passphrase)
}

const cosignTransaction = async (
  { base, passphrase }: OwnAccount,
  account: StellarAccount,
  transaction: StellarTransaction
): Promise<Cosignature> => {
  if (transaction.sponsors === undefined) return base.cosignTransaction(account, transaction, passphrase)
  const { cosignSponsorship } = await import("./stellar/sponsorships.js")
  return cosignSponsorship(account, transaction, passphrase)
}

/** Whether a preview of a sponsorship says what is sponsored. */
const isAsPreviewed = ({ transaction, warnings }: Prepared<StellarTransaction>): boolean =>
  transaction.sponsors === undefined || warnings.includes(describeSponsored(transaction))

const makeSigner = (own: OwnAccount, given: WithPolicy): StellarSigner => {
  const { account, address, base, network, passphrase, rpc } = own
  const signer = assembleSigner<StellarTransaction>(
    {
      network,
      address,
      ...makeSequencedOperations<StellarTransaction, CompleteTransaction>({
        address,
        isComplete: isComplete,
        completeTransaction: (transaction, newest) => completeTransaction(own, transaction, newest),
        signTransaction: (transaction) =>
          trySigning(
            (request) => signTransaction(own, withRequest(account, request), transaction),
            transaction
          ),
        findOtherNumber: ({ bump, sequence }) =>
          bump === undefined ? undefined : { address: bump.source, nonce: sequence },
        makeBroadcaster: (transaction) => makeBroadcaster(own, transaction),
        waitForConfirmations: (hash, transaction, confirmations) =>
          waitForConfirmations(rpc, hash, transaction, confirmations)
      }),
      signMessage: (message) =>
        trySigning((request) => base.signMessage(withRequest(account, request), message)),
      readTerms,
      findProblem,
      isAsPreviewed,
      isIndependent: ({ bump }) => bump !== undefined,
      prepare: (payment) => prepare(own, payment)
    },
    given
  )
  return {
    ...signer,
    prepareFeeBump: (raw, options = {}) =>
      catchMalformedAnswer(
        Effect.flatMap(loadFeeBumps, (feeBumps) => feeBumps.prepareFeeBump(own, passphrase, raw, options)),
        "prepareFeeBump"
      ),
    prepareSponsorship: (request) =>
      catchMalformedAnswer(
        Effect.flatMap(loadSponsorships, (sponsorships) => sponsorships.prepareSponsorship(own, request)),
        "prepareSponsorship"
      ),
    submitSponsorship: (prepared, cosignature, options) =>
      Effect.suspend(() => {
        const { sponsors } = isRecord(prepared) && isRecord(prepared.transaction) ? prepared.transaction : {}
        return sponsors === undefined || !isRecord(cosignature)
          ? invalidArgument(
              "submitSponsorship",
              "it takes what prepareSponsorship has made, and what cosign of the sponsored account's signer has"
            )
          : signer.submit(
              {
                ...prepared,
                transaction: {
                  ...prepared.transaction,
                  sponsors: { ...sponsors, signature: cosignature.signature }
                }
              },
              options
            )
      }),
    prepareWithoutFee: (payment) =>
      catchMalformedAnswer(
        Effect.flatMap(loadFeeBumps, (feeBumps) => feeBumps.prepareWithoutFee(own, payment)),
        "prepareWithoutFee"
      ),
    cosign: makeCosign<StellarTransaction>({
      network,
      address,
      policy: given.policy,
      readTerms,
      isAsPreviewed,
      sign: (transaction) =>
        trySigning(
          (request) => cosignTransaction(own, withRequest(account, request), transaction),
          transaction
        )
    })
  }
}

/**
 * Makes a signer of Stellar from a mnemonic (`m/44'/148'/index'`), a private key (a seed, `S…`), or the address of an account and a
 * function that signs. Make one signer per account and process: it numbers the payments.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (
  client: StellarClient,
  from: OnThisEffect<StellarFrom>
): Effect.Effect<StellarSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* loadNetworkRow(network, ["stellar"])
    const passphrase = passphraseOf(row)
    if (passphrase === undefined) return yield* invalidArgument("signer", `${network} has no signer yet`)
    const base = yield* loadPeer("@stellar/stellar-base @noble/curves", () => import("./stellar/base.js"))
    const account = yield* makeAccount(base, from)
    return makeSigner({ network, nodes, rpc, row, base, account, passphrase, address: account.address }, from)
  }).pipe(Effect.map(refuseNull))
