/** Signers of accounts that number their payments, where each also names its end: what nodes have taken counts until then. */
import * as Effect from "effect/Effect"
import { NonceTaken, type SigningFailed } from "../data/SdkError.js"
import { type Handing, handOver } from "./broadcast.js"
import { type Parts, type ReadError, refused, type Sent, type Signed, type SubmitError } from "./Signer.js"

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
}: Numbering<Tx, Whole>): Pick<Parts<Tx>, "hand" | "sign" | "wait"> & Required<Pick<Parts<Tx>, "turn">> => {
  let newest: Whole | undefined
  const complete = (transaction: Tx): Effect.Effect<Whole, ReadError> =>
    isWhole(transaction) ? Effect.succeed(transaction) : whole(transaction, newest)
  return {
    sign: (transaction) => Effect.flatMap(complete(transaction), signed),
    hand: (prepared): Effect.Effect<Sent<Tx>, SubmitError> =>
      Effect.gen(function* () {
        const transaction = yield* complete(prepared.transaction)
        const made = yield* signed(transaction)
        const { settled, ...handing } = way(transaction)
        const taken = yield* Effect.tapError(handOver(handing, made), ({ _tag }) =>
          Effect.sync(() => {
            // it may be there: the next one goes behind it
            if (_tag === "BroadcastUnclear") newest = transaction
          })
        )
        if (taken === "replaced") return yield* new NonceTaken({ address, nonce: transaction.sequence })
        newest = transaction
        yield* settled(made.hash)
        return { hash: made.hash, prepared: { ...prepared, transaction } }
      }),
    wait: ({ hash, prepared: { transaction } }, confirmations) =>
      isWhole(transaction)
        ? landed(hash, transaction, confirmations)
        : Effect.fail(refused("submit", "it was not sent")),
    turn: Effect.unsafeMakeSemaphore(1).withPermits(1)
  }
}
