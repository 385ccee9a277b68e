/**
 * Signers of the XRP Ledger, over `ripple-keypairs` and `ripple-binary-codec`: payments in XRP and in issued tokens, with the reserves
 * and tags that the ledger asks for. Every payment ends with a ledger that it names, so that none can land late.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { isRecord } from "../data/foreign.js"
import { NonceTaken, type SigningFailed } from "../data/SdkError.js"
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
import { accountOf, type Ripple } from "./xrp/accounts.js"
import { type Place, prepare } from "./xrp/payments.js"
import { isKnown, landed, ledgerOf, rootOf } from "./xrp/reading.js"
import type { Account, Complete } from "./xrp/ripple.js"
import type { XrpClient, XrpFrom, XrpSigner, XrpTransaction } from "./xrp/Types.js"

export { addressProblem } from "./xrp/address.js"
export type * from "./xrp/Types.js"

/** The account on its network, and what signs for it. */
interface Own extends Place {
  readonly ripple: Ripple
  readonly account: Account
}

/** A payment can get into so many ledgers from the newest one on: a little more than a minute. */
const LEDGERS = 20

const isComplete = (transaction: XrpTransaction): transaction is Complete =>
  transaction.sequence !== undefined && transaction.lastLedger !== undefined

/**
 * The numbers of one account's payments. Those that servers have taken count before all servers know them, as long as they can get
 * into a ledger: a number behind one that was given up would wait for nothing.
 */
const numbering = ({ address, rpc }: Place) => {
  let newest: Complete | undefined
  return {
    complete: (transaction: XrpTransaction): Effect.Effect<Complete, ReadError> =>
      isComplete(transaction)
        ? Effect.succeed(transaction)
        : Effect.flatMap(
            Effect.all([rootOf(rpc, address), ledgerOf(rpc)], { concurrency: "unbounded" }),
            ([root, { seq }]) => {
              if (root === undefined) return Effect.fail(refused("sign", `${address} has no account yet`))
              const after = newest === undefined || newest.lastLedger < seq ? 0 : newest.sequence + 1
              return Effect.succeed({
                ...transaction,
                sequence: transaction.sequence ?? Math.max(root.sequence, after),
                lastLedger: transaction.lastLedger ?? seq + LEDGERS
              })
            }
          ),
    take: (transaction: Complete): void => {
      newest = transaction
    }
  }
}

const signed = (
  { account, address, ripple }: Own,
  transaction: Complete
): Effect.Effect<Signed, SigningFailed | ReadError> =>
  transaction.from === address
    ? signing(() => ripple.signed(account, transaction))
    : Effect.fail(refused("sign", `it is paid by ${transaction.from}, and this signer is ${address}`))

/** What servers say of a payment that they have taken as it should be: applied, or waiting for its turn. */
const isWell = (result: string): boolean => /^(tesSUCCESS|terQUEUED|terPRE_SEQ|tefALREADY)$/.test(result)

/** Hands a payment to servers; `doubt` is what they say of one that they keep, and that may fail yet. */
const handing = ({ rpc }: Place) => {
  const said: { doubt?: string } = {}
  const way: Handing = {
    broadcast: ({ hash, raw }) =>
      Effect.matchEffect(rpc.submit(raw), {
        onSuccess: ({ engine_result }) => {
          if (!isWell(engine_result)) said.doubt = engine_result
          return Effect.succeed("taken" as const)
        },
        onFailure: (error) =>
          // this very payment has taken its number where an earlier attempt has arrived
          /^tefPAST_SEQ\b/.test(error.message)
            ? Effect.flatMap(isKnown(rpc, hash), (isThere) =>
                isThere
                  ? Effect.succeed("taken" as const)
                  : isLost(error)
                    ? Effect.fail(error)
                    : Effect.succeed("replaced" as const)
              )
            : Effect.fail(error)
      }),
    isKnown: (hash) => isKnown(rpc, hash)
  }
  return { said, way }
}

/** What is signed is what was shown. */
const isShown = ({ amount, fee, to, token, transaction }: Prepared<XrpTransaction>): boolean =>
  isRecord(transaction) &&
  transaction.to === to &&
  transaction.amount === amount &&
  transaction.token === token &&
  transaction.fee === fee

/** Signs a payment and hands it to servers, one after another. */
const handingOver = (own: Own, { complete, take }: ReturnType<typeof numbering>) => {
  const { address, rpc } = own
  return (prepared: Prepared<XrpTransaction>): Effect.Effect<Sent<XrpTransaction>, SubmitError> =>
    Effect.gen(function* () {
      if (!isShown(prepared))
        return yield* refused("submit", "its transaction is another one than that of its preview")
      const transaction = yield* complete(prepared.transaction)
      const made = yield* signed(own, transaction)
      const { said, way } = handing(own)
      const taken = yield* Effect.tapError(handOver(way, made), (error) =>
        // it may be there: the next one goes behind it
        Effect.sync(() => (error._tag === "BroadcastUnclear" ? take(transaction) : undefined))
      )
      if (taken === "replaced") return yield* new NonceTaken({ address, nonce: transaction.sequence })
      take(transaction)
      // a validated ledger has the last word
      if (said.doubt !== undefined) yield* landed(rpc, made.hash, transaction, 1)
      return { hash: made.hash, prepared: { ...prepared, transaction } }
    })
}

const over = (own: Own): XrpSigner => {
  const { account, address, network, ripple, rpc } = own
  const numbers = numbering(own)
  return {
    ...assemble<XrpTransaction>({
      network,
      address,
      sign: (transaction) =>
        isRecord(transaction)
          ? Effect.flatMap(numbers.complete(transaction), (whole) => signed(own, whole))
          : Effect.fail(refused("sign", "a transaction is what prepare has made")),
      signMessage: (message) => signing(() => ripple.signMessage(account, message)),
      prepare: (payment) => prepare(own, payment),
      hand: handingOver(own, numbers),
      wait: ({ hash, prepared: { transaction } }, confirmations) =>
        isComplete(transaction)
          ? landed(rpc, hash, transaction, confirmations)
          : Effect.fail(refused("submit", "it was not sent")),
      turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
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
    const { network, rpc } = client
    const row = yield* rowOf(network, ["xrp"])
    const ripple = yield* loadPeer(
      "ripple-keypairs ripple-binary-codec @noble/curves",
      () => import("./xrp/ripple.js")
    )
    const account = yield* accountOf(ripple, from)
    return over({ network, rpc, row, ripple, account, address: account.address })
  })
