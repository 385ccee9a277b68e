/**
 * The sequence of one account. Payments are broadcast one after another, so that concurrent sends get consecutive numbers and a refused
 * payment leaves no gap.
 */
import * as Effect from "effect/Effect"
import { NonceTaken } from "../../data/SdkError.js"
import { type BroadcastError, type Broadcaster, broadcastTransaction, isKnownToNodes } from "../broadcast.js"
import { maxOf } from "../evidence.js"
import type { ReadError, Signed } from "../Signer.js"

interface SequenceState {
  readonly sequence: bigint
  readonly timeoutHeight: bigint
}

/** A payment with its sequence. */
interface SequencedPayment extends Signed {
  readonly transaction: SequenceState
}

/** The chain, as far as sequences are concerned. */
export interface SequenceSource<A extends SequencedPayment> {
  readonly address: string
  readonly makeBroadcaster: (out: A) => Broadcaster
  /** Whether a payment can be in no block any more, at the height of another one that is made now. */
  readonly isExpired: (payment: SequenceState, now: SequenceState) => boolean
}

export interface Sequences<A extends SequencedPayment> {
  /** Signs a payment with the next free sequence and broadcasts it. `beforeBroadcast` is called right before. */
  readonly send: <S extends SequenceState, E, E2>(
    start: Effect.Effect<S, E>,
    sign: (start: S) => Effect.Effect<A, E2>,
    beforeBroadcast: (out: A) => void
  ) => Effect.Effect<A, E | E2 | BroadcastError | NonceTaken>
  /** Broadcasts the same bytes again. */
  readonly rebroadcast: (out: A) => Effect.Effect<void, BroadcastError | NonceTaken>
}

/** How often another sequence is tried if other programs keep taking it. */
const MAX_TRIES = 4

/** If a node refuses a payment, sends it the earlier payments again, so that the next attempt can succeed. */
const resendEarlierFirst = (own: Broadcaster, before: ReadonlyArray<Signed>): Broadcaster => ({
  ...own,
  broadcast: (signed): Effect.Effect<unknown, ReadError> =>
    Effect.tapError(own.broadcast(signed), () =>
      Effect.forEach(before, (one) => Effect.ignore(own.broadcast(one)))
    )
})

/** Whether nodes have a payment, or take it now. */
const isThereOrTaken = (broadcaster: Broadcaster, payment: Signed): Effect.Effect<boolean> =>
  Effect.flatMap(isKnownToNodes(broadcaster, payment.hash), (isKnown) =>
    isKnown
      ? Effect.succeed(true)
      : Effect.match(broadcastTransaction(broadcaster, payment), {
          onFailure: ({ _tag }) => _tag === "BroadcastUnclear",
          onSuccess: () => true
        })
  )

/** The payments that wait for a block, by their sequences, and the next free sequence. */
class PendingPayments<A extends SequencedPayment> {
  private readonly bySequence = new Map<bigint, A>()
  private next = 0n
  constructor(private readonly isExpired: SequenceSource<A>["isExpired"]) {}

  add(payment: A): void {
    const { sequence } = payment.transaction
    this.bySequence.set(sequence, payment)
    this.next = sequence + 1n
  }
  remove(sequence: bigint): void {
    this.bySequence.delete(sequence)
  }
  /** Removes a payment that no block can have any more, so that the next one gets its sequence. */
  release(sequence: bigint): void {
    this.remove(sequence)
    this.next = sequence
  }
  /** The payments before a sequence. Nodes may have lost them, and the payment with the sequence waits for them. */
  findEarlier(sequence: bigint): ReadonlyArray<A> {
    return [...this.bySequence.values()].filter(({ transaction }) => transaction.sequence < sequence)
  }
  /** The first sequence that neither a block nor a payment of this signer has. */
  takeFreeSequence(now: SequenceState): bigint {
    const { bySequence } = this
    for (const [sequence, { transaction }] of bySequence) {
      const isGone = sequence >= now.sequence && this.isExpired(transaction, now)
      if (sequence < now.sequence || isGone) bySequence.delete(sequence)
      if (isGone && sequence < this.next) this.next = sequence
    }
    let sequence = maxOf(now.sequence, this.next)
    while (bySequence.has(sequence)) sequence++
    return sequence
  }
}

export const make = <A extends SequencedPayment>({
  address,
  makeBroadcaster,
  isExpired
}: SequenceSource<A>): Sequences<A> => {
  const turn = Effect.unsafeMakeSemaphore(1)
  const pending = new PendingPayments<A>(isExpired)

  const makeResendingBroadcaster = (out: A): Broadcaster =>
    resendEarlierFirst(makeBroadcaster(out), pending.findEarlier(out.transaction.sequence))

  /** After a refusal: the first of those before it that nodes do not take any more leaves its sequence to the next payment. */
  const releaseLostSequence = (sequence: bigint): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (const one of pending.findEarlier(sequence)) {
        if (yield* isThereOrTaken(makeBroadcaster(one), one)) continue
        return pending.release(one.transaction.sequence)
      }
    })

  const broadcastPayment = (out: A): Effect.Effect<"accepted" | "replaced", BroadcastError> =>
    Effect.suspend(() => {
      const { sequence } = out.transaction
      // before the broadcast, since the caller's fiber may be interrupted during it
      pending.add(out)
      return broadcastTransaction(makeResendingBroadcaster(out), out).pipe(
        Effect.tap((outcome) =>
          outcome === "accepted" ? Effect.void : Effect.sync(() => pending.remove(sequence))
        ),
        Effect.tapError(({ _tag }) => {
          if (_tag === "BroadcastUnclear") return Effect.void
          pending.release(sequence)
          return releaseLostSequence(sequence)
        })
      )
    })

  const send = <S extends SequenceState, E, E2>(
    start: Effect.Effect<S, E>,
    sign: (start: S) => Effect.Effect<A, E2>,
    beforeBroadcast: (out: A) => void
  ): Effect.Effect<A, E | E2 | BroadcastError | NonceTaken> =>
    Effect.gen(function* () {
      let sequence = 0n
      for (let left = MAX_TRIES; left > 0; left--) {
        const now = yield* start
        sequence = pending.takeFreeSequence(now)
        const out = yield* sign({ ...now, sequence })
        beforeBroadcast(out)
        if ((yield* broadcastPayment(out)) === "accepted") return out
      }
      return yield* new NonceTaken({ address, nonce: Number(sequence) })
    })

  return {
    send: (start, sign, beforeBroadcast) => turn.withPermits(1)(send(start, sign, beforeBroadcast)),
    rebroadcast: (out) =>
      turn.withPermits(1)(
        Effect.flatMap(broadcastTransaction(makeResendingBroadcaster(out), out, true), (outcome) =>
          outcome === "accepted"
            ? Effect.void
            : Effect.fail(new NonceTaken({ address, nonce: Number(out.transaction.sequence) }))
        )
      )
  }
}
