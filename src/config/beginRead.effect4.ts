/** Reads that Effect 4 batches: requests of its own, which it collects. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Request from "effect/Request"
import * as RequestResolver from "effect/RequestResolver"
import type { ToEffectRequest } from "../wire/effectRequest.js"
import type { CallError } from "../wire/Transport.js"

/** A read as a request of Effect, which collects it with others. */
interface BatchedRead extends Request.Request<unknown, CallError> {
  readonly effect: Effect.Effect<unknown, CallError>
}

const BatchedRead = /*#__PURE__*/ Request.of<BatchedRead>()

/** Sends collected reads in one tick, so that they become one batch. */
const sendReads = /*#__PURE__*/ RequestResolver.makeBatched((reads: ReadonlyArray<BatchedRead>) =>
  Effect.forEach(
    reads,
    (read) => Effect.flatMap(Effect.exit(read.effect), (exit) => Request.complete(read, exit)),
    { concurrency: "unbounded", discard: true }
  )
)

/** Begins a read as a request, which ends with its batch. */
export const beginRead: ToEffectRequest = (read) =>
  Effect.contextWithEffect((context: Context.Context<never>) =>
    Effect.request(BatchedRead({ effect: Effect.provide(read, context) }), sendReads)
  )
