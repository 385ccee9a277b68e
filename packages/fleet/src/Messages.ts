/**
 * The engine's message storage with two changes:
 *
 * - When a shard moves, the engine interrupts the activities of its workflows, even after the new runner has started them. Such interrupts are
 *   not stored.
 * - The engine drops a reply that the store does not take within a second. Nobody would work on its message again until its runner ends. Here
 *   replies are retried.
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

/** Whether the shard of an entity has moved to another process. */
const isHandedOver = ({ shardId }: EntityAddress): Effect.Effect<boolean> =>
  Effect.map(
    Effect.serviceOption(Sharding.Sharding),
    Option.exists(({ hasShardId }) => !hasShardId(shardId))
  )

/** The message storage of a fleet. */
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
     * Retries until a reply is stored, or another process has its shard. A failed try may have stored it, or an earlier runner may have
     * stored its own: either is replaced.
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
        // a workflow and its activities are in one shard: only the process that has it may interrupt them
        return _tag === "Interrupt" && address.entityType.startsWith("Workflow/")
          ? Effect.unlessEffect(storage.saveEnvelope(message), isHandedOver(address))
          : storage.saveEnvelope(message)
      },
      unprocessedMessages: (shards) => Effect.map(storage.unprocessedMessages(shards), withKeptReplies),
      unprocessedMessagesById: (ids) => Effect.map(storage.unprocessedMessagesById(ids), withKeptReplies)
    }
  })
)
