/**
 * Signers of Stellar, over `@stellar/stellar-base`: payments in lumens and in issued assets, with the reserves, trust lines and memos
 * that the ledger and its exchanges ask for. Every payment has a time after which it can no longer land.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadPeer } from "../data/loadOnce.js"
import type { Network } from "../data/Network.js"
import { TransactionFailed } from "../data/SdkError.js"
import { withRequest } from "./accountKey.js"
import type { ReadError, Signed, SignerError, WithPolicy } from "./Signer.js"
import { assembleSigner } from "./SignerDefinition.js"
import { makeSequencedOperations } from "./sequencedOperations.js"
import { invalidArgument, loadNetworkRow, trySigning } from "./signerChecks.js"
import { type BaseModule, makeAccount } from "./stellar/accounts.js"
import type { CompleteTransaction, StellarAccount } from "./stellar/base.js"
import { prepare, type SignerContext } from "./stellar/payments.js"
import {
  findHashBySequence,
  findTransaction,
  readAccount,
  readLatestLedger,
  waitForConfirmations
} from "./stellar/reading.js"
import type { StellarClient, StellarFrom, StellarSigner, StellarTransaction } from "./stellar/Types.js"

export { addressProblem } from "./stellar/address.js"
export type * from "./stellar/Types.js"

/** The account on its network, and what signs for it. */
interface OwnAccount extends SignerContext {
  readonly base: BaseModule
  readonly account: StellarAccount
  readonly passphrase: string
}

/** The network id that signatures contain, so that they are invalid on other networks. */
const passphrases: Readonly<Record<string, string>> = {
  "stellar-mainnet": "Public Global Stellar Network ; September 2015",
  "stellar-testnet": "Test SDF Network ; September 2015"
} satisfies { readonly [N in Network]?: string }

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

/** The milliseconds until nodes show a payment that one of them has accepted: a ledger takes six seconds at most. */
const PROPAGATION_MS = 12_000

/** Broadcasts a payment; nodes answer once it is in a ledger. `failed` is why it failed there. */
const makeBroadcaster = ({ nodes, rpc }: SignerContext, { from, sequence }: CompleteTransaction) => {
  let failed: { readonly reason: string; readonly receipt: unknown } | undefined
  let said: string | undefined
  return {
    nodes,
    propagationMs: PROPAGATION_MS,
    broadcast: ({ raw }: Signed) =>
      Effect.tapError(rpc.submitTransaction({ tx: raw }), ({ message }) =>
        Effect.sync(() => {
          said ??= message
        })
      ),
    lookUp: (hash: string) =>
      Effect.flatMap(findTransaction(rpc, hash), (there) => {
        if (there?.successful === false)
          failed = { reason: said ?? "the ledger has refused it", receipt: there }
        return there !== undefined
          ? Effect.succeed("known" as const)
          : Effect.map(findHashBySequence(rpc, from, sequence), (other) =>
              other === undefined ? "absent" : other === hash ? "known" : "replaced"
            )
      }),
    confirmAccepted: (hash: string) =>
      failed === undefined ? Effect.void : Effect.fail(new TransactionFailed({ hash, ...failed }))
  }
}

const makeSigner = (own: OwnAccount, given: WithPolicy): StellarSigner => {
  const { account, address, base, network, passphrase, rpc } = own
  return assembleSigner<StellarTransaction>(
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
      readTerms: ({ amount, fee, from, to, token }) => ({ amount, fee, from, to, token }),
      prepare: (payment) => prepare(own, payment)
    },
    given
  )
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
    const passphrase = row.stellar?.passphrase ?? passphrases[network]
    if (passphrase === undefined) return yield* invalidArgument("signer", `${network} has no signer yet`)
    const base = yield* loadPeer("@stellar/stellar-base @noble/curves", () => import("./stellar/base.js"))
    const account = yield* makeAccount(base, from)
    return makeSigner({ network, nodes, rpc, row, base, account, passphrase, address: account.address }, from)
  })
