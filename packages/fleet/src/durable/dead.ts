/** Workflows that nobody carries out any more. */
import { EntityAddress } from "@effect/cluster/EntityAddress"
import { EntityId } from "@effect/cluster/EntityId"
import { EntityType } from "@effect/cluster/EntityType"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as Sharding from "@effect/cluster/Sharding"
import type * as Workflow from "@effect/workflow/Workflow"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Account, Entry, Ledger } from "../Ledger.js"

/** A workflow, as far as it is asked what came of its executions. */
interface Asked {
  readonly name: string
  readonly poll: (
    id: string
  ) => Effect.Effect<Workflow.Result<unknown, unknown> | undefined, never, WorkflowEngine.WorkflowEngine>
}

/**
 * Whether an execution has died: it is at an end, while what it was to do is not. Of one that ended long ago the engine may have forgotten
 * all, so one that is known to have begun, but not to the engine, has died as well.
 */
export const isDead = (
  workflow: Asked,
  id: string,
  hasBegun: boolean
): Effect.Effect<
  boolean,
  never,
  WorkflowEngine.WorkflowEngine | Sharding.Sharding | MessageStorage.MessageStorage
> =>
  Effect.gen(function* () {
    const result = yield* workflow.poll(id)
    if (result !== undefined || !hasBegun) return result?._tag === "Complete"
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

/** Entries that are seen through at once. */
const AT_ONCE = 16

/** Looks once after all that has not ended, of all accounts. What fails is left to the next time. */
export const tending = <L extends { readonly account: Account }, E, R>(
  lines: ReadonlyMap<string, L>,
  ledger: Ledger,
  tend: (line: L, entry: Entry) => Effect.Effect<void, E, R>
): Effect.Effect<void, never, R> => {
  const later = Effect.catchAllCause((cause) => Effect.logDebug("payments are looked after later", cause))
  return Effect.forEach(
    [...lines.values()],
    (line) =>
      ledger.open(line.account).pipe(
        Effect.flatMap((entries) =>
          Effect.forEach(entries, (entry) => later(tend(line, entry)), {
            concurrency: AT_ONCE,
            discard: true
          })
        ),
        later
      ),
    { concurrency: "unbounded", discard: true }
  )
}
