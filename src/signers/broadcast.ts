/** How a signed transaction is handed to nodes: so that it is never paid twice, whatever becomes of the requests. */
import * as Effect from "effect/Effect"
import { BroadcastUnclear } from "../data/SdkError.js"
import type { ReadError, Signed } from "./Signer.js"

/** What a node has said of a transaction: it has it, or another one stands in its place. */
export type Taken = "taken" | "replaced"

/** Hands a transaction to a node. A failure means that it was refused, or may have been taken. */
export interface Handing {
  readonly broadcast: (signed: Signed) => Effect.Effect<Taken, ReadError>
  readonly isKnown: (hash: string) => Effect.Effect<boolean, ReadError>
}

/** How often the same bytes are sent, where nobody can tell whether a node has them, and the milliseconds before it is tried again. */
const TRIES = 4
const PAUSE = 250

/** Whether a node got the transaction, and its answer was lost, before another one has refused it. */
export const isLost = ({ attempts }: ReadError): boolean => attempts.some(({ outcome }) => outcome === "lost")

/** Errors after which it may be that a node has the transaction. */
const isUnclear = (error: ReadError): boolean =>
  error._tag === "NodeError" || error._tag === "CallTimeout" || isLost(error)

/** Whether nodes know a transaction, as far as they can be asked. */
export const knows = ({ isKnown }: Handing, hash: string): Effect.Effect<boolean> =>
  Effect.orElseSucceed(isKnown(hash), () => false)

/** The same bytes again, as long as it cannot be told whether a node has them. */
export const handOver = (
  handing: Handing,
  signed: Signed
): Effect.Effect<Taken, ReadError | BroadcastUnclear> => {
  const { hash, raw } = signed
  const looked = (error: ReadError): Effect.Effect<Taken, BroadcastUnclear> =>
    Effect.flatMap(knows(handing, hash), (isThere) =>
      isThere
        ? Effect.succeed("taken" as const)
        : Effect.fail(new BroadcastUnclear({ hash, raw, reason: error.message }))
    )
  const attempt = (left: number, before?: ReadError): Effect.Effect<Taken, ReadError | BroadcastUnclear> =>
    Effect.matchEffect(handing.broadcast(signed), {
      // this very transaction stands there where an earlier attempt has arrived
      onSuccess: (taken) =>
        taken === "replaced" && before !== undefined ? looked(before) : Effect.succeed(taken),
      onFailure: (error) =>
        isUnclear(error) && left > 0
          ? Effect.delay(attempt(left - 1, error), PAUSE * (TRIES - left + 1))
          : before !== undefined
            ? looked(before)
            : Effect.fail(error)
    })
  return attempt(TRIES)
}
