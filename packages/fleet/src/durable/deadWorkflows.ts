/** Workflows that nobody carries out any more. */
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

/** A workflow, as far as it is asked what came of its executions. */
interface PollableWorkflow {
  readonly name: string
  readonly poll: (
    id: string
  ) => Effect.Effect<Workflow.Result<unknown, unknown> | undefined, never, WorkflowEngine.WorkflowEngine>
}

/**
 * So long an order may stand written down without a workflow that the engine knows. Whoever writes it down begins it at once, or hears that
 * the store was away and may ask again; and what has ended is kept as long before it is forgotten.
 */
const BEGIN_LIMIT_MS = Duration.toMillis("1 day")

/**
 * Whether an execution has died: it is at an end, while what it was to do is not. Of one that ended long ago the engine may have forgotten
 * all, so one that is not known to the engine has died as well, if it is known to have begun or had the time for it.
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
      // one that the engine itself has ended, of a message that it could not read, say, has no result to be read
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

/** The end of an order whose workflow died. */
export const toDeadOutcome = (how: string): Either.Either<never, SdkError.SigningFailed> =>
  Either.left(new SdkError.SigningFailed({ reason: `its workflow died ${how}, and nothing was paid` }))

/** The same of one of which nothing was signed. */
export const DEAD_UNSIGNED: ReturnType<typeof toDeadOutcome> = toDeadOutcome("before it was signed")

/** Entries that are seen through at once. */
const MAX_CONCURRENT = 16

/** Looks after entries of all accounts again and again. What fails is left to the next time, and no account waits for another's nodes. */
export const recoverRepeatedly = <L, E, R>(
  queues: ReadonlyMap<string, L>,
  every: Duration.DurationInput,
  listEntries: (line: L) => Effect.Effect<ReadonlyArray<Entry>, E, R>,
  recover: (line: L, entry: Entry) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> => {
  const logFailure = Effect.catchAllCause((cause) =>
    Effect.logDebug("payments are looked after later", cause)
  )
  return Effect.forEach(
    [...queues.values()],
    (line) =>
      listEntries(line).pipe(
        Effect.flatMap((entries) =>
          Effect.forEach(entries, (entry) => logFailure(recover(line, entry)), {
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
