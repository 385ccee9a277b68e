/** Signers of accounts that number their payments, where each also names its end: what nodes have taken counts until then. */
import * as Effect from "effect/Effect"
import { BroadcastUnclear, NonceTaken, type SigningFailed } from "../data/SdkError.js"
import { type Broadcaster, broadcastTransaction } from "./broadcast.js"
import type { Prepared, ReadError, SendOptions, Sent, Signed, SubmitError } from "./Signer.js"
import { type SignerDefinition, toSent } from "./SignerDefinition.js"
import { invalidArgument } from "./signerChecks.js"

/** How a family broadcasts a payment, and how it confirms that nodes have accepted it. */
interface SequencedBroadcaster extends Broadcaster {
  readonly confirmAccepted: (hash: string) => Effect.Effect<unknown, SubmitError>
}

/** A number that an account has set aside, or one of another account's sequence. */
type OtherNumber = Pick<NonceTaken, "address" | "nonce">

/** What a family knows of its payments: `Whole` is one that has its number and its end. */
interface SequencedFamily<Tx, Whole extends Tx & { readonly sequence: number | bigint }> {
  readonly address: string
  readonly isComplete: (transaction: Tx) => transaction is Whole
  /** A payment with its number and its end, behind the newest one that nodes have taken of this signer. */
  readonly completeTransaction: (
    transaction: Tx,
    newest: Whole | undefined
  ) => Effect.Effect<Whole, ReadError>
  readonly signTransaction: (whole: Whole) => Effect.Effect<Signed, SigningFailed>
  /** The number of a payment that is none of the account's sequence, and whose it is; undefined if it is one. */
  readonly findOtherNumber?: (whole: Whole) => OtherNumber | undefined
  readonly makeBroadcaster: (whole: Whole) => SequencedBroadcaster
  /** Waits until a payment is deep enough in the ledger. One that failed there is a failure. */
  readonly waitForConfirmations: (
    hash: string,
    whole: Whole,
    confirmations: number
  ) => Effect.Effect<void, SubmitError>
}

/** Makes the operations of a signer whose payments run one after another, since each has the sequence after the previous one. */
export const makeSequencedOperations = <Tx, Whole extends Tx & { readonly sequence: number | bigint }>({
  address,
  isComplete,
  waitForConfirmations,
  signTransaction,
  makeBroadcaster,
  completeTransaction,
  findOtherNumber = () => undefined
}: SequencedFamily<Tx, Whole>): Pick<SignerDefinition<Tx>, "broadcast" | "sign" | "waitForConfirmations"> &
  Required<Pick<SignerDefinition<Tx>, "rebroadcast" | "runExclusive">> => {
  let newest: Whole | undefined
  const ensureComplete = (transaction: Tx): Effect.Effect<Whole, ReadError> =>
    isComplete(transaction) ? Effect.succeed(transaction) : completeTransaction(transaction, newest)
  /** Broadcasts a signed payment, and waits until it is accepted. */
  const broadcastComplete = (
    transaction: Whole,
    made: Signed,
    wasBroadcast = false
  ): Effect.Effect<void, SubmitError> => {
    const { confirmAccepted, ...broadcaster } = makeBroadcaster(transaction)
    return Effect.flatMap(
      broadcastTransaction(broadcaster, made, wasBroadcast),
      (outcome): Effect.Effect<unknown, SubmitError> =>
        outcome === "accepted"
          ? Effect.catchAll(confirmAccepted(made.hash), (error) => Effect.fail(toUnclearError(made, error)))
          : Effect.fail(
              new NonceTaken(findOtherNumber(transaction) ?? { address, nonce: transaction.sequence })
            )
    )
  }
  return {
    sign: (transaction) => Effect.flatMap(ensureComplete(transaction), signTransaction),
    broadcast: (prepared, beforeBroadcast): Effect.Effect<Sent<Tx>, SubmitError> =>
      Effect.gen(function* () {
        const transaction = yield* ensureComplete(prepared.transaction)
        const made = yield* signTransaction(transaction)
        const out = { ...made, prepared: { ...prepared, transaction } }
        beforeBroadcast(out)
        if (findOtherNumber(transaction) !== undefined) {
          yield* broadcastComplete(transaction, made)
          return toSent(out)
        }
        const before = newest
        // before the broadcast, since the caller's fiber may be interrupted during it: the next payment gets the next sequence
        newest = transaction
        yield* Effect.tapError(broadcastComplete(transaction, made), (error) =>
          Effect.sync(() => {
            if (!canStillArrive(error)) newest = before
          })
        )
        return toSent(out)
      }),
    rebroadcast: ({ hash, prepared: { transaction }, raw }) =>
      isComplete(transaction) ? broadcastComplete(transaction, { hash, raw }, true) : Effect.fail(neverSent),
    waitForConfirmations: ({ hash, prepared: { transaction } }, confirmations) =>
      isComplete(transaction)
        ? waitForConfirmations(hash, transaction, confirmations)
        : Effect.fail(neverSent),
    runExclusive: Effect.unsafeMakeSemaphore(1).withPermits(1)
  }
}

/** Sends a payment that others have signed, and that has its number and its end, and waits as `options` say. */
export const sendSigned = <Whole extends { readonly from: string; readonly sequence: number | bigint }>(
  prepared: Prepared<Whole>,
  signing: Effect.Effect<Signed, SigningFailed>,
  family: Pick<SequencedFamily<Whole, Whole>, "makeBroadcaster" | "waitForConfirmations">,
  { confirmations }: SendOptions
): Effect.Effect<Sent<Whole>, SubmitError> => {
  const { broadcast, waitForConfirmations } = makeSequencedOperations<Whole, Whole>({
    ...family,
    address: prepared.transaction.from,
    isComplete: (transaction): transaction is Whole => transaction === prepared.transaction,
    completeTransaction: Effect.succeed,
    signTransaction: () => signing
  })
  return Effect.tap(
    broadcast(prepared, () => {}),
    (sent) => (confirmations === undefined ? Effect.void : waitForConfirmations(sent, confirmations))
  )
}

/** After nodes have accepted a payment, an error of the confirmation does not mean that it is unpaid. */
const toUnclearError = ({ hash, raw }: Signed, error: SubmitError): SubmitError =>
  error._tag.startsWith("Transaction") ? error : new BroadcastUnclear({ hash, raw, reason: error.message })

const neverSent = /*#__PURE__*/ invalidArgument("submit", "it was not sent")

/** Whether a payment has its number, or may get it yet. */
const canStillArrive = ({ _tag }: SubmitError): boolean =>
  _tag === "BroadcastUnclear" || _tag === "TransactionNotConfirmed" || _tag === "TransactionFailed"
