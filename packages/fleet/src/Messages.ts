/**
 * The engine's messages, with two changes that a fleet needs. Of a workflow whose shard goes to another runner the engine interrupts the
 * activities, also where the new runner has them already: it would be interrupted in the midst of its work. And an answer that the store
 * does not take within a second is forgotten: nobody would work at its message again until its runner ends.
 */
import { PersistenceError } from "@effect/cluster/ClusterError"
import type { EntityAddress } from "@effect/cluster/EntityAddress"
import { type Incoming, IncomingRequest } from "@effect/cluster/Message"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import type { ReplyWithContext } from "@effect/cluster/Reply"
import * as Sharding from "@effect/cluster/Sharding"
import type * as Rpc from "@effect/rpc/Rpc"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { retrySchedule } from "./durable/retries.js"

/** Whether this process has handed the shard of an entity to another one. */
const isHandedOver = ({ shardId }: EntityAddress): Effect.Effect<boolean> =>
  Effect.map(
    Effect.serviceOption(Sharding.Sharding),
    Option.exists(({ hasShardId }) => !hasShardId(shardId))
  )

/** The engine's messages of a fleet. */
export const layer: Layer.Layer<
  MessageStorage.MessageStorage,
  never,
  MessageStorage.MessageStorage | SqlClient.SqlClient
> = Layer.effect(
  MessageStorage.MessageStorage,
  Effect.gen(function* () {
    const storage = yield* MessageStorage.MessageStorage
    const sql = yield* SqlClient.SqlClient

    /**
     * Tries until an answer is kept, or another process has its shard. Whether a try that failed has kept it is not known: what stands
     * there, which may be the answer of a runner before, makes room for this one.
     */
    const saveReplyUntilKept = <R extends Rpc.Any>(address: EntityAddress, answer: ReplyWithContext<R>) => {
      const { _tag, id, requestId } = answer.reply
      const again = sql.withTransaction(
        Effect.andThen(
          _tag === "WithExit"
            ? sql`DELETE FROM cluster_replies WHERE request_id = ${String(requestId)} AND kind = 0`
            : sql`DELETE FROM cluster_replies WHERE id = ${String(id)}`,
          storage.saveReply(answer)
        )
      )
      return Effect.catchTag(storage.saveReply(answer), "PersistenceError", () =>
        PersistenceError.refail(
          Effect.retry(again, { schedule: retrySchedule, until: () => isHandedOver(address) })
        )
      )
    }

    const withKeptReplies = <R extends Rpc.Any>(messages: ReadonlyArray<Incoming<R>>): Array<Incoming<R>> =>
      messages.map((message) =>
        message._tag === "IncomingRequest"
          ? new IncomingRequest({
              ...message,
              respond: (answer) => saveReplyUntilKept(message.envelope.address, answer)
            })
          : message
      )

    return {
      ...storage,
      saveEnvelope: (message) => {
        const { _tag, address } = message.envelope
        // a workflow and its activities are of one shard, so that one who may interrupt them has it
        return _tag === "Interrupt" && address.entityType.startsWith("Workflow/")
          ? Effect.unlessEffect(storage.saveEnvelope(message), isHandedOver(address))
          : storage.saveEnvelope(message)
      },
      unprocessedMessages: (shards) => Effect.map(storage.unprocessedMessages(shards), withKeptReplies),
      unprocessedMessagesById: (ids) => Effect.map(storage.unprocessedMessagesById(ids), withKeptReplies)
    }
  })
)
