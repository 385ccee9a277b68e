/**
 * Signers of Stellar, over `@stellar/stellar-base`: payments in lumens and in issued assets, with the reserves, trust lines and memos
 * that the ledger and its exchanges ask for. Every payment has a time after which it can no longer land.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadPeer } from "../data/loadOnce.js"
import { withRequest } from "./accountKey.js"
import type { ReadError, SignerError, WithPolicy } from "./Signer.js"
import { assembleSigner, makeCosign, type PaymentTerms } from "./SignerDefinition.js"
import { makeSequencedOperations } from "./sequencedOperations.js"
import { invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"
import { type BaseModule, makeAccount } from "./stellar/accounts.js"
import type { CompleteTransaction, StellarAccount } from "./stellar/base.js"
import { makeBroadcaster } from "./stellar/broadcaster.js"
import { passphraseOf } from "./stellar/networks.js"
import { prepare, type SignerContext } from "./stellar/payments.js"
import { readAccount, readLatestLedger, waitForConfirmations } from "./stellar/reading.js"
import type { StellarClient, StellarFrom, StellarSigner, StellarTransaction } from "./stellar/Types.js"

export { addressProblem } from "./stellar/address.js"
export type * from "./stellar/Types.js"

/** The account on its network, and what signs for it. */
interface OwnAccount extends SignerContext {
  readonly base: BaseModule
  readonly account: StellarAccount
  readonly passphrase: string
}

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
            (request) => base.signTransaction(withRequest(account, request), transaction, passphrase),
            transaction
          ),
        makeBroadcaster: (transaction) => makeBroadcaster(own, transaction),
        waitForConfirmations: (hash, transaction, confirmations) =>
          waitForConfirmations(rpc, hash, transaction, confirmations)
      }),
      signMessage: (message) =>
        trySigning((request) => base.signMessage(withRequest(account, request), message)),
      readTerms,
      prepare: (payment) => prepare(own, payment)
    },
    given
  )
  return {
    ...signer,
    cosign: makeCosign<StellarTransaction>({
      network,
      address,
      policy: given.policy,
      readTerms,
      sign: (transaction) =>
        trySigning(
          (request) => base.cosignTransaction(withRequest(account, request), transaction, passphrase),
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
  })
