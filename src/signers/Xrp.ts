/**
 * Signers of the XRP Ledger, over `ripple-keypairs` and `ripple-binary-codec`: payments in XRP and in issued tokens, with the reserves
 * and tags that the ledger asks for. Every payment ends with a ledger that it names, so that none can land late.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { loadPeer } from "../data/loadOnce.js"
import { numbered } from "./numbered.js"
import { assemble, type ReadError, refused, rowOf, type Signed, type SignerError, signing } from "./Signer.js"
import { accountOf, type Ripple } from "./xrp/accounts.js"
import { type Place, prepare } from "./xrp/payments.js"
import { landed, ledgerOf, rootOf, shownOf } from "./xrp/reading.js"
import type { Account, Complete } from "./xrp/ripple.js"
import type { XrpClient, XrpFrom, XrpSigner, XrpTransaction } from "./xrp/Types.js"
import { valueOf } from "./xrp/tokens.js"

export { addressProblem } from "./xrp/address.js"
export type * from "./xrp/Types.js"

/** The account on its network, and what signs for it. */
interface Own extends Place {
  readonly ripple: Ripple
  readonly account: Account
}

/** A payment can get into so many ledgers from the newest one on: a little more than a minute. */
const LEDGERS = 20

/** Milliseconds until servers show a payment that another one has taken: a ledger takes four seconds. */
const WITHIN = 8_000

const isComplete = (transaction: XrpTransaction): transaction is Complete =>
  transaction.sequence !== undefined && transaction.lastLedger !== undefined

/** A payment with the number behind that of the newest one, as long as this can get into a ledger: otherwise it would wait for nothing. */
const wholeOf = (
  { address, rpc }: Place,
  transaction: XrpTransaction,
  newest: Complete | undefined
): Effect.Effect<Complete, ReadError> =>
  Effect.flatMap(
    Effect.all([rootOf(rpc, address), ledgerOf(rpc)], { concurrency: "unbounded" }),
    ([root, { seq }]) => {
      if (root === undefined) return Effect.fail(refused("sign", `${address} has no account yet`))
      const after = newest === undefined || newest.lastLedger <= seq ? 0 : newest.sequence + 1
      return Effect.succeed({
        ...transaction,
        sequence: transaction.sequence ?? Math.max(root.sequence, after),
        lastLedger: transaction.lastLedger ?? seq + LEDGERS
      })
    }
  )

/** What servers say of a payment that they have taken as it should be: applied, or waiting for its turn. */
const isWell = (result: string): boolean => /^(tesSUCCESS|terQUEUED|terPRE_SEQ|tefALREADY)$/.test(result)

/** Hands a payment to servers; `doubt` is what they say of one that they keep, and that may fail yet. */
const way = ({ nodes, rpc }: Place, transaction: Complete) => {
  let doubt: string | undefined
  return {
    nodes,
    within: WITHIN,
    broadcast: ({ raw }: Signed) =>
      Effect.map(rpc.submit(raw), ({ engine_result }) => {
        if (!isWell(engine_result)) doubt = engine_result
      }),
    look: (hash: string) => shownOf(rpc, hash, transaction),
    // a validated ledger has the last word
    settled: (hash: string) => (doubt === undefined ? Effect.void : landed(rpc, hash, transaction, 1))
  }
}

const over = (own: Own): XrpSigner => {
  const { account, address, network, ripple, row, rpc } = own
  const networkId = row.xrp?.networkId ?? 0
  return {
    ...assemble<XrpTransaction>({
      network,
      address,
      ...numbered<XrpTransaction, Complete>({
        address,
        isWhole: isComplete,
        whole: (transaction, newest) => wholeOf(own, transaction, newest),
        signed: (transaction) => signing(() => ripple.signed(account, transaction, networkId)),
        way: (transaction) => way(own, transaction),
        landed: (hash, transaction, confirmations) => landed(rpc, hash, transaction, confirmations)
      }),
      signMessage: (message) => signing(() => ripple.signMessage(account, message)),
      terms: ({ amount, fee, from, most, to, token }) => ({
        ...{ amount, fee, from, to, token },
        ...(token === undefined && most === undefined ? {} : { spent: valueOf(most ?? amount) })
      }),
      prepare: (payment) => prepare(own, payment)
    }),
    publicKey: account.publicKey
  }
}

/**
 * Makes a signer of the XRP Ledger from a mnemonic (`m/44'/144'/0'/0/index`), a private key (a family seed, or 32 bytes as
 * hexadecimal), or a public key and a function that signs. Make one signer per account and process: it numbers the payments.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (client: XrpClient, from: XrpFrom): Effect.Effect<XrpSigner, SignerError> =>
  Effect.gen(function* () {
    const { network, nodes, rpc } = client
    const row = yield* rowOf(network, ["xrp"])
    const ripple = yield* loadPeer(
      "ripple-keypairs ripple-binary-codec @noble/curves",
      () => import("./xrp/ripple.js")
    )
    const account = yield* accountOf(ripple, from)
    return over({ network, nodes, rpc, row, ripple, account, address: account.address, key: account.key })
  })
