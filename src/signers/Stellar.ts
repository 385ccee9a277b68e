/**
 * Signers of Stellar, over `@stellar/stellar-base`: payments in lumens and in issued assets, with the reserves, trust lines and memos
 * that the ledger and its exchanges ask for. Every payment has a time after which it can no longer land.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isRecord } from "../data/foreign.js"
import type { Network } from "../data/Network.js"
import { NonceTaken, type SigningFailed, TransactionFailed } from "../data/SdkError.js"
import { type Handing, handOver, isLost } from "./broadcast.js"
import {
  assemble,
  loadPeer,
  type Prepared,
  type ReadError,
  refused,
  rowOf,
  type Sent,
  type Signed,
  type SignerError,
  type SubmitError,
  signing
} from "./Signer.js"
import { accountOf, type Base } from "./stellar/accounts.js"
import type { Account, Complete } from "./stellar/base.js"
import { type Place, prepare } from "./stellar/payments.js"
import { found, landed, ledgerOf, stateOf } from "./stellar/reading.js"
import type { StellarClient, StellarFrom, StellarSigner, StellarTransaction } from "./stellar/Types.js"

export { addressProblem } from "./stellar/address.js"
export type * from "./stellar/Types.js"

/** The account on its network, and what signs for it. */
interface Own extends Place {
  readonly base: Base
  readonly account: Account
  readonly passphrase: string
}

/** What signatures are bound to, so that none is worth anything on another network. */
const passphrases: { readonly [N in Network]?: string } = {
  "stellar-mainnet": "Public Global Stellar Network ; September 2015",
  "stellar-testnet": "Test SDF Network ; September 2015"
}

/** Seconds from the newest ledger on in which a payment can get into one. */
const LIFETIME = 90

const isComplete = (transaction: StellarTransaction): transaction is Complete =>
  transaction.sequence !== undefined && transaction.expires !== undefined

/**
 * The numbers of one account's payments. Those that nodes have taken count before all nodes know them, as long as they can get into a
 * ledger.
 */
const numbering = ({ address, rpc }: Place) => {
  let newest: Complete | undefined
  return {
    complete: (transaction: StellarTransaction): Effect.Effect<Complete, ReadError> =>
      isComplete(transaction)
        ? Effect.succeed(transaction)
        : Effect.flatMap(
            Effect.all([stateOf(rpc, address), ledgerOf(rpc)], { concurrency: "unbounded" }),
            ([state, { time }]) => {
              if (state === undefined) return Effect.fail(refused("sign", `${address} has no account yet`))
              const told = state.sequence + 1n
              const after = newest === undefined || newest.expires < time ? told : newest.sequence + 1n
              return Effect.succeed({
                ...transaction,
                sequence: transaction.sequence ?? (after > told ? after : told),
                expires: transaction.expires ?? time + LIFETIME
              })
            }
          ),
    take: (transaction: Complete): void => {
      newest = transaction
    }
  }
}

const signed = (
  { account, address, base, passphrase }: Own,
  transaction: Complete
): Effect.Effect<Signed, SigningFailed | ReadError> =>
  transaction.from === address
    ? signing(() => base.signed(account, transaction, passphrase))
    : Effect.fail(refused("sign", `it is paid by ${transaction.from}, and this signer is ${address}`))

/** Hands a payment to nodes, which answer once it is in a ledger; `failure` is why it has failed there. */
const handing = ({ rpc }: Place) => {
  const said: { failure?: string } = {}
  const way: Handing = {
    broadcast: ({ hash, raw }) =>
      Effect.matchEffect(rpc.submitTransaction({ tx: raw }), {
        onSuccess: () => Effect.succeed("taken" as const),
        onFailure: (error) =>
          error._tag !== "RequestRejected"
            ? Effect.fail(error)
            : Effect.flatMap(found(rpc, hash), (there) => {
                if (there?.successful === false) said.failure = error.message
                if (there !== undefined) return Effect.succeed("taken" as const)
                return /\btx_bad_seq\b/.test(error.message) && !isLost(error)
                  ? Effect.succeed("replaced" as const)
                  : Effect.fail(error)
              })
      }),
    isKnown: (hash) => Effect.map(found(rpc, hash), (there) => there !== undefined)
  }
  return { said, way }
}

/** What is signed is what was shown. */
const isShown = ({ amount, fee, to, token, transaction }: Prepared<StellarTransaction>): boolean =>
  isRecord(transaction) &&
  transaction.to === to &&
  transaction.amount === amount &&
  transaction.token === token &&
  transaction.fee === fee

/** Signs a payment and hands it to nodes, one after another. */
const handingOver = (own: Own, { complete, take }: ReturnType<typeof numbering>) => {
  const { address } = own
  return (prepared: Prepared<StellarTransaction>): Effect.Effect<Sent<StellarTransaction>, SubmitError> =>
    Effect.gen(function* () {
      if (!isShown(prepared))
        return yield* refused("submit", "its transaction is another one than that of its preview")
      const transaction = yield* complete(prepared.transaction)
      const made = yield* signed(own, transaction)
      const { hash } = made
      const { said, way } = handing(own)
      const taken = yield* Effect.tapError(handOver(way, made), (error) =>
        // it may be there: the next one goes behind it
        Effect.sync(() => (error._tag === "BroadcastUnclear" ? take(transaction) : undefined))
      )
      if (taken === "replaced") return yield* new NonceTaken({ address, nonce: transaction.sequence })
      take(transaction)
      if (said.failure !== undefined) return yield* new TransactionFailed({ hash, reason: said.failure })
      return { hash, prepared: { ...prepared, transaction } }
    })
}

const over = (own: Own): StellarSigner => {
  const { account, address, base, network, rpc } = own
  const numbers = numbering(own)
  return assemble<StellarTransaction>({
    network,
    address,
    sign: (transaction) =>
      isRecord(transaction)
        ? Effect.flatMap(numbers.complete(transaction), (whole) => signed(own, whole))
        : Effect.fail(refused("sign", "a transaction is what prepare has made")),
    signMessage: (message) => signing(() => base.signMessage(account, message)),
    prepare: (payment) => prepare(own, payment),
    hand: handingOver(own, numbers),
    wait: ({ hash, prepared: { transaction } }, confirmations) =>
      isComplete(transaction)
        ? landed(rpc, hash, transaction, confirmations)
        : Effect.fail(refused("submit", "it was not sent")),
    turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
  })
}

/**
 * Makes a signer of Stellar from a mnemonic (`m/44'/148'/index'`), a private key (a seed, `S…`), or the address of an account and a
 * function that signs. Make one signer per account and process: it numbers the payments.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: StellarClient, from: StellarFrom): Effect.Effect<StellarSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, rpc } = client
    const row = yield* rowOf(network, ["stellar"])
    const passphrase = passphrases[network]
    if (passphrase === undefined) return yield* refused("signer", `${network} has no signer yet`)
    const base = yield* loadPeer("@stellar/stellar-base @noble/curves", () => import("./stellar/base.js"))
    const account = yield* accountOf(base, from)
    return over({ network, rpc, row, base, account, passphrase, address: account.address })
  })
