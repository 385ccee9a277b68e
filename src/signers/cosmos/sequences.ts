/**
 * The sequence of one account: payments go out one after another, so that those of concurrent sends have consecutive numbers, and one
 * that is refused leaves no hole.
 */
import * as Effect from "effect/Effect"
import { type BroadcastUnclear, NonceTaken } from "../../data/SdkError.js"
import { type Handing, handOver } from "../broadcast.js"
import type { ReadError, Signed } from "../Signer.js"
import { isRefusal } from "./reading.js"

/** The chain, as far as sequences are concerned. */
export interface Chain {
  readonly address: string
  readonly isKnown: Handing["isKnown"]
  /** Hands a transaction to a node, which may say which sequence it expects instead. */
  readonly broadcast: (signed: Signed) => Effect.Effect<"taken" | bigint, ReadError>
}

interface Start {
  readonly sequence: bigint
}

export interface Sequences {
  /** Hands over what `sign` makes from the chain's numbers of now, with the sequence that is free. */
  readonly send: <S extends Start, A extends Signed, E, E2>(
    start: Effect.Effect<S, E>,
    sign: (start: S) => Effect.Effect<A, E2>
  ) => Effect.Effect<A, E | E2 | ReadError | NonceTaken | BroadcastUnclear>
}

/** How often another sequence is taken, and the milliseconds before: a node may hear of the ones before from others. */
const TRIES = 5
const PAUSE = 400

export const make = ({ address, broadcast, isKnown }: Chain): Sequences => {
  const turn = Effect.unsafeMakeSemaphore(1)
  /** What waits for a block, by its sequence. */
  const sent = new Map<bigint, Signed>()
  let next = 0n

  const hand = (signed: Signed) =>
    Effect.suspend(() => {
      let expected: bigint | undefined
      const handing: Handing = {
        isKnown,
        broadcast: (same) =>
          Effect.map(broadcast(same), (answer) => {
            if (answer === "taken") return answer
            expected = answer
            return "replaced" as const
          })
      }
      return Effect.map(handOver(handing, signed), (taken) =>
        taken === "taken" ? undefined : (expected ?? 0n)
      )
    })

  /** The first sequence from one on that no payment of ours has. Nodes that have lost one get it again: those behind wait for it. */
  const free = (first: bigint): Effect.Effect<bigint> =>
    Effect.gen(function* () {
      for (let sequence = first; ; sequence++) {
        const lost = sent.get(sequence)
        if (lost === undefined) return sequence
        const isRefused = yield* Effect.match(hand(lost), {
          onFailure: (error) => isRefusal(error),
          onSuccess: () => false
        })
        // it will not come back
        if (isRefused) return sequence
      }
    })

  const from = <A extends Signed, E>(
    start: bigint,
    sign: (sequence: bigint) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | ReadError | NonceTaken | BroadcastUnclear> =>
    Effect.gen(function* () {
      let sequence = yield* free(start)
      for (let tries = 1; tries <= TRIES; tries++) {
        const signed = yield* sign(sequence)
        const expected = yield* hand(signed)
        if (expected === undefined) {
          sent.set(sequence, signed)
          next = sequence + 1n
          return signed
        }
        sequence = yield* Effect.delay(free(expected), PAUSE * (tries - 1))
      }
      return yield* new NonceTaken({ address, nonce: Number(sequence) })
    })

  return {
    send: (start, sign) =>
      turn.withPermits(1)(
        Effect.flatMap(start, (now) => {
          const there = now.sequence
          for (const sequence of sent.keys()) if (sequence < there) sent.delete(sequence)
          return from(there > next ? there : next, (sequence) => sign({ ...now, sequence }))
        })
      )
  }
}
