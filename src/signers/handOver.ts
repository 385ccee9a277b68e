/** How signed transactions are handed to nodes: never paid twice, whatever becomes of an answer. */
import * as Effect from "effect/Effect"
import { BroadcastUnclear } from "../data/SdkError.js"
import type { ReadError, Signed } from "./Signer.js"

/** What is asked of nodes about signed transactions. */
export interface Nodes<A> {
  /** Hands a transaction to a node. A failure means that the transaction was refused, or may have been taken. */
  readonly broadcast: (signed: Signed) => Effect.Effect<A, ReadError>
  readonly isKnown: (hash: string) => Effect.Effect<boolean, ReadError>
  /** What a node says that has taken it. */
  readonly taken: A
}

/** How often a transaction is handed over that may have been taken. */
export const TRIES = 4

/** Whether a node got the transaction, and its answer was lost, before another one has refused it. */
export const isLost = ({ attempts }: ReadError): boolean => attempts.some(({ outcome }) => outcome === "lost")

/** Errors after which it may be that a node has the transaction. */
const isUnclear = (error: ReadError): boolean =>
  error._tag === "NodeError" || error._tag === "CallTimeout" || isLost(error)

/** Whether nodes have a transaction, as far as they can be asked. */
export const known = <A>({ isKnown }: Nodes<A>, hash: string): Effect.Effect<boolean> =>
  Effect.orElseSucceed(isKnown(hash), () => false)

export const unclear = ({ hash, raw }: Signed, reason: string): BroadcastUnclear =>
  new BroadcastUnclear({ hash, raw, reason })

/** The same bytes again, as long as it cannot be told whether a node has them: that cannot pay twice. */
export const handOver = <A>(
  nodes: Nodes<A>,
  signed: Signed
): Effect.Effect<A, ReadError | BroadcastUnclear> => {
  const looked = (error: ReadError): Effect.Effect<A, BroadcastUnclear> =>
    Effect.flatMap(known(nodes, signed.hash), (isThere) =>
      isThere ? Effect.succeed(nodes.taken) : Effect.fail(unclear(signed, error.message))
    )
  const attempt = (left: number, before?: ReadError): Effect.Effect<A, ReadError | BroadcastUnclear> =>
    Effect.matchEffect(nodes.broadcast(signed), {
      // its place is taken by this very transaction where an earlier attempt has arrived
      onSuccess: (said) =>
        said !== nodes.taken && before !== undefined ? looked(before) : Effect.succeed(said),
      onFailure: (error) =>
        isUnclear(error) && left > 0
          ? Effect.delay(attempt(left - 1, error), 250 * (TRIES - left + 1))
          : isUnclear(error) || before !== undefined
            ? looked(before ?? error)
            : Effect.fail(error)
    })
  return attempt(TRIES)
}
