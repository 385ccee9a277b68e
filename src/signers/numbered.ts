/** Signers of accounts that number their payments, where each also names its end: what nodes have taken counts until then. */
import * as Effect from "effect/Effect"
import { BroadcastUnclear, NonceTaken, type SigningFailed } from "../data/SdkError.js"
import { type Handing, handOver } from "./broadcast.js"
import {
  type Parts,
  type ReadError,
  refused,
  type Sent,
  type Signed,
  type SubmitError,
  sentOf
} from "./Signer.js"

/** How a family hands one payment to nodes, and what is to be known of it before it counts as sent. */
interface Way extends Handing {
  readonly settled: (hash: string) => Effect.Effect<unknown, SubmitError>
}

/** What a family knows of its payments: `Whole` is one that has its number and its end. */
interface Numbering<Tx, Whole extends Tx & { readonly sequence: number | bigint }> {
  readonly address: string
  readonly isWhole: (transaction: Tx) => transaction is Whole
  /** A payment with its number and its end, behind the newest one that nodes have taken of this signer. */
  readonly whole: (transaction: Tx, newest: Whole | undefined) => Effect.Effect<Whole, ReadError>
  readonly signed: (whole: Whole) => Effect.Effect<Signed, SigningFailed>
  readonly way: (whole: Whole) => Way
  /** Waits until a payment is so deep in the ledger; one that failed there is a failure. */
  readonly landed: (hash: string, whole: Whole, confirmations: number) => Effect.Effect<void, SubmitError>
}

/** Payments are made one after another, since each has the number behind that of the last one. */
export const numbered = <Tx, Whole extends Tx & { readonly sequence: number | bigint }>({
  address,
  isWhole,
  landed,
  signed,
  way,
  whole
}: Numbering<Tx, Whole>): Pick<Parts<Tx>, "hand" | "sign" | "wait"> &
  Required<Pick<Parts<Tx>, "handAgain" | "turn">> => {
  let newest: Whole | undefined
  const complete = (transaction: Tx): Effect.Effect<Whole, ReadError> =>
    isWhole(transaction) ? Effect.succeed(transaction) : whole(transaction, newest)
  /** Hands over one that is signed, until it is known how it stands. */
  const give = (transaction: Whole, made: Signed, isOpen = false): Effect.Effect<void, SubmitError> => {
    const { settled, ...handing } = way(transaction)
    return Effect.flatMap(
      handOver(handing, made, isOpen),
      (taken): Effect.Effect<unknown, SubmitError> =>
        taken === "taken"
          ? Effect.catchAll(settled(made.hash), (error) => Effect.fail(stillUnclear(made, error)))
          : Effect.fail(new NonceTaken({ address, nonce: transaction.sequence }))
    )
  }
  return {
    sign: (transaction) => Effect.flatMap(complete(transaction), signed),
    hand: (prepared, leaves): Effect.Effect<Sent<Tx>, SubmitError> =>
      Effect.gen(function* () {
        const transaction = yield* complete(prepared.transaction)
        const made = yield* signed(transaction)
        const out = { ...made, prepared: { ...prepared, transaction } }
        const before = newest
        // before it goes out, for whoever waits for it may be interrupted: the next one goes behind it
        newest = transaction
        leaves(out)
        yield* Effect.tapError(give(transaction, made), (error) =>
          Effect.sync(() => {
            if (!mayCome(error)) newest = before
          })
        )
        return sentOf(out)
      }),
    handAgain: ({ hash, prepared: { transaction }, raw }) =>
      isWhole(transaction) ? give(transaction, { hash, raw }, true) : Effect.fail(notSent),
    wait: ({ hash, prepared: { transaction } }, confirmations) =>
      isWhole(transaction) ? landed(hash, transaction, confirmations) : Effect.fail(notSent),
    turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
  }
}

/** Where nobody can be asked what has come of a payment that nodes have taken, it may have been paid. */
const stillUnclear = ({ hash, raw }: Signed, error: SubmitError): SubmitError =>
  error._tag.startsWith("Transaction") ? error : new BroadcastUnclear({ hash, raw, reason: error.message })

const notSent = /*#__PURE__*/ refused("submit", "it was not sent")

/** Whether a payment has its number, or may get it yet. */
const mayCome = ({ _tag }: SubmitError): boolean =>
  _tag === "BroadcastUnclear" || _tag === "TransactionNotConfirmed" || _tag === "TransactionFailed"
