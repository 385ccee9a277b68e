/**
 * The sequence of one account: payments go out one after another, so that those of concurrent sends have consecutive numbers, and one
 * that is refused leaves no hole.
 */
import * as Effect from "effect/Effect"
import { NonceTaken } from "../../data/SdkError.js"
import { type BroadcastError, type Broadcaster, broadcastTransaction, isKnownToNodes } from "../broadcast.js"
import type { ReadError, Signed } from "../Signer.js"

interface SequenceState {
  readonly sequence: bigint
  readonly timeoutHeight: bigint
}

/** A payment that goes out, with its sequence. */
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
  /** Hands over what `sign` makes from the chain's numbers of now, with the sequence that is free; tells of it right before. */
  readonly send: <S extends SequenceState, E, E2>(
    start: Effect.Effect<S, E>,
    sign: (start: S) => Effect.Effect<A, E2>,
    beforeBroadcast: (out: A) => void
  ) => Effect.Effect<A, E | E2 | BroadcastError | NonceTaken>
  /** Hands over the same bytes again. */
  readonly rebroadcast: (out: A) => Effect.Effect<void, BroadcastError | NonceTaken>
}

/** How often another sequence is taken where others keep taking it. */
const MAX_TRIES = 4

/** Where a node does not take a payment, it gets those before it again, and this one once more after them. */
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

export const make = <A extends SequencedPayment>({
  address,
  makeBroadcaster,
  isExpired
}: SequenceSource<A>): Sequences<A> => {
  const turn = Effect.unsafeMakeSemaphore(1)
  /** What waits for a block, by its sequence. */
  const sent = new Map<bigint, A>()
  let next = 0n

  /** Those before a payment, which nodes may have lost, and for which it waits. */
  const findEarlier = (sequence: bigint): ReadonlyArray<A> =>
    [...sent.values()].filter(({ transaction }) => transaction.sequence < sequence)

  const makeResendingBroadcaster = (out: A): Broadcaster =>
    resendEarlierFirst(makeBroadcaster(out), findEarlier(out.transaction.sequence))

  /** After a refusal: the first of those before it that nodes do not take any more leaves its sequence to the next payment. */
  const releaseLostSequence = (sequence: bigint): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (const one of findEarlier(sequence)) {
        if (yield* isThereOrTaken(makeBroadcaster(one), one)) continue
        sent.delete(one.transaction.sequence)
        next = one.transaction.sequence
        return
      }
    })

  const broadcastPayment = (out: A): Effect.Effect<"accepted" | "replaced", BroadcastError> =>
    Effect.suspend(() => {
      const { sequence } = out.transaction
      const forget = Effect.sync(() => {
        sent.delete(sequence)
      })
      // before it goes out: whoever waits for it may be interrupted
      sent.set(sequence, out)
      next = sequence + 1n
      return broadcastTransaction(makeResendingBroadcaster(out), out).pipe(
        Effect.tap((outcome) => (outcome === "accepted" ? Effect.void : forget)),
        Effect.tapError(({ _tag }) => {
          if (_tag === "BroadcastUnclear") return Effect.void
          next = sequence
          return Effect.zipRight(forget, releaseLostSequence(sequence))
        })
      )
    })

  /** The first sequence that neither the chain has counted nor one of ours has that may be in a block yet. */
  const takeFreeSequence = (now: SequenceState): bigint => {
    const there = now.sequence
    for (const [sequence, { transaction }] of sent) {
      const isGone = sequence >= there && isExpired(transaction, now)
      if (sequence < there || isGone) sent.delete(sequence)
      if (isGone && sequence < next) next = sequence
    }
    let sequence = there > next ? there : next
    while (sent.has(sequence)) sequence++
    return sequence
  }

  const send = <S extends SequenceState, E, E2>(
    start: Effect.Effect<S, E>,
    sign: (start: S) => Effect.Effect<A, E2>,
    beforeBroadcast: (out: A) => void
  ): Effect.Effect<A, E | E2 | BroadcastError | NonceTaken> =>
    Effect.gen(function* () {
      let sequence = 0n
      for (let left = MAX_TRIES; left > 0; left--) {
        const now = yield* start
        sequence = takeFreeSequence(now)
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
