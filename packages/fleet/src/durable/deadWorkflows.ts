/** Workflows that have died: their execution has ended, and their order has not. */
import { EntityAddress } from "@effect/cluster/EntityAddress"
import { EntityId } from "@effect/cluster/EntityId"
import { EntityType } from "@effect/cluster/EntityType"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as Sharding from "@effect/cluster/Sharding"
import type * as Workflow from "@effect/workflow/Workflow"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { SdkError } from "effect-chains"
import type { Entry } from "../Ledger.js"
import { isUnavailable } from "./retries.js"

/** The part of a workflow that reads the results of its executions. */
interface PollableWorkflow {
  readonly name: string
  readonly poll: (
    id: string
  ) => Effect.Effect<Workflow.Result<unknown, unknown> | undefined, never, WorkflowEngine.WorkflowEngine>
}

/**
 * How long an order may be in the ledger without an execution, in milliseconds. Its execution starts right after it is written, or its caller
 * gets an error and may try again. Executions that have ended are kept at least as long.
 */
const BEGIN_LIMIT_MS = Duration.toMillis("1 day")

/**
 * Whether the execution of an open order has ended. The engine forgets old executions: one that it does not know has died, if it has begun or
 * had the time to.
 */
export const isDead = (
  workflow: PollableWorkflow,
  id: string,
  { created }: Entry,
  hasBegun: boolean
): Effect.Effect<
  boolean,
  never,
  WorkflowEngine.WorkflowEngine | Sharding.Sharding | MessageStorage.MessageStorage
> =>
  Effect.gen(function* () {
    const result = yield* workflow.poll(id).pipe(
      Effect.map((found) => found?._tag),
      // an execution that the engine itself has ended, of a message that it cannot read, has no readable result
      Effect.catchAllCause((cause) =>
        isUnavailable(cause) ? Effect.failCause(cause) : Effect.succeed("Complete" as const)
      )
    )
    if (result !== undefined) return result === "Complete"
    if (!hasBegun && (yield* Clock.currentTimeMillis) - created < BEGIN_LIMIT_MS) return false
    const sharding = yield* Sharding.Sharding
    const storage = yield* MessageStorage.MessageStorage
    const entityId = EntityId.make(id)
    const address = new EntityAddress({
      entityType: EntityType.make(`Workflow/${workflow.name}`),
      entityId,
      shardId: sharding.getShardId(entityId, "default")
    })
    return Option.isNone(yield* storage.requestIdForPrimaryKey({ address, tag: "run", id: "" }))
  }).pipe(Effect.orDie)

/** The outcome of an order whose workflow died. */
export const toDeadOutcome = (how: string): Either.Either<never, SdkError.SigningFailed> =>
  Either.left(new SdkError.SigningFailed({ reason: `its workflow died ${how}, and nothing was paid` }))

/** The outcome where nothing was signed. */
export const DEAD_UNSIGNED: ReturnType<typeof toDeadOutcome> = toDeadOutcome("before it was signed")

/** Entries of an account that are recovered at once. */
const MAX_CONCURRENT = 16

/** Recovers entries of all accounts again and again. A failure is left to the next round. No account waits for another's nodes. */
export const recoverRepeatedly = <Q, E, R>(
  queues: ReadonlyMap<string, Q>,
  every: Duration.DurationInput,
  listEntries: (queue: Q) => Effect.Effect<ReadonlyArray<Entry>, E, R>,
  recover: (queue: Q, entry: Entry) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> => {
  const logFailure = Effect.catchAllCause((cause) => Effect.logDebug("payments are recovered later", cause))
  return Effect.forEach(
    [...queues.values()],
    (queue) =>
      listEntries(queue).pipe(
        Effect.flatMap((entries) =>
          Effect.forEach(entries, (entry) => logFailure(recover(queue, entry)), {
            concurrency: MAX_CONCURRENT,
            discard: true
          })
        ),
        logFailure,
        Effect.repeat(Schedule.spaced(every))
      ),
    { concurrency: "unbounded", discard: true }
  )
}
