/**
 * Signers of Stellar, over `@stellar/stellar-base`: payments in lumens and in issued assets, with the reserves, trust lines and memos
 * that the ledger and its exchanges ask for. Every payment has a time after which it can no longer land.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadPeer } from "../data/loadOnce.js"
import type { Network } from "../data/Network.js"
import { TransactionFailed } from "../data/SdkError.js"
import { numbered } from "./numbered.js"
import { assemble, type ReadError, refused, rowOf, type Signed, type SignerError, signing } from "./Signer.js"
import { accountOf, type Base } from "./stellar/accounts.js"
import type { Account, Complete } from "./stellar/base.js"
import { type Place, prepare } from "./stellar/payments.js"
import { found, landed, ledgerOf, madeWith, stateOf } from "./stellar/reading.js"
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
const passphrases: Readonly<Record<string, string>> = {
  "stellar-mainnet": "Public Global Stellar Network ; September 2015",
  "stellar-testnet": "Test SDF Network ; September 2015"
} satisfies { readonly [N in Network]?: string }

/** Seconds from the newest ledger on in which a payment can get into one. */
const LIFETIME = 90

const isComplete = (transaction: StellarTransaction): transaction is Complete =>
  transaction.sequence !== undefined && transaction.expires !== undefined

/** A payment with the number behind that of the newest one, as long as this can get into a ledger. */
const wholeOf = (
  { address, rpc }: Place,
  transaction: StellarTransaction,
  newest: Complete | undefined
): Effect.Effect<Complete, ReadError> =>
  Effect.flatMap(
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
  )

/** Milliseconds until nodes show a payment that one of them has taken: a ledger takes six seconds at most. */
const WITHIN = 12_000

/** Hands a payment to nodes, which answer once it is in a ledger; `failed` is why it has failed there. */
const way = ({ nodes, rpc }: Place, { from, sequence }: Complete) => {
  let failed: string | undefined
  let said: string | undefined
  return {
    nodes,
    within: WITHIN,
    broadcast: ({ raw }: Signed) =>
      Effect.tapError(rpc.submitTransaction({ tx: raw }), ({ message }) =>
        Effect.sync(() => {
          said ??= message
        })
      ),
    look: (hash: string) =>
      Effect.flatMap(found(rpc, hash), (there) => {
        if (there?.successful === false) failed = said ?? "the ledger has refused it"
        return there !== undefined
          ? Effect.succeed("known" as const)
          : Effect.map(madeWith(rpc, from, sequence), (other) =>
              other === undefined ? "absent" : other === hash ? "known" : "replaced"
            )
      }),
    settled: (hash: string) =>
      failed === undefined ? Effect.void : Effect.fail(new TransactionFailed({ hash, reason: failed }))
  }
}

const over = (own: Own): StellarSigner => {
  const { account, address, base, network, passphrase, rpc } = own
  return assemble<StellarTransaction>({
    network,
    address,
    ...numbered<StellarTransaction, Complete>({
      address,
      isWhole: isComplete,
      whole: (transaction, newest) => wholeOf(own, transaction, newest),
      signed: (transaction) => signing(() => base.signed(account, transaction, passphrase)),
      way: (transaction) => way(own, transaction),
      landed: (hash, transaction, confirmations) => landed(rpc, hash, transaction, confirmations)
    }),
    signMessage: (message) => signing(() => base.signMessage(account, message)),
    terms: ({ amount, fee, from, to, token }) => ({ amount, fee, from, to, token }),
    prepare: (payment) => prepare(own, payment)
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
    const { network, nodes, rpc } = client
    const row = yield* rowOf(network, ["stellar"])
    const passphrase = row.stellar?.passphrase ?? passphrases[network]
    if (passphrase === undefined) return yield* refused("signer", `${network} has no signer yet`)
    const base = yield* loadPeer("@stellar/stellar-base @noble/curves", () => import("./stellar/base.js"))
    const account = yield* accountOf(base, from)
    return over({ network, nodes, rpc, row, base, account, passphrase, address: account.address })
  })
