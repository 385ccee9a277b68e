/**
 * What is on its way when a shard goes to another runner. The engine ends a workflow by interrupting it, and by that its activities, also
 * where the new runner has them already: it would be interrupted in the midst of its work.
 */
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as Sharding from "@effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

/** The engine's messages without interruptions of activities by a runner that has their workflow no more. */
export const layer: Layer.Layer<MessageStorage.MessageStorage, never, MessageStorage.MessageStorage> =
  Layer.effect(
    MessageStorage.MessageStorage,
    Effect.map(MessageStorage.MessageStorage, (storage) => ({
      ...storage,
      saveEnvelope: (message) => {
        const { _tag, address } = message.envelope
        const saved = storage.saveEnvelope(message)
        // a workflow and its activities are of one shard, so that one who may interrupt them has it
        return _tag === "Interrupt" && address.entityType.startsWith("Workflow/")
          ? Effect.flatMap(Effect.serviceOption(Sharding.Sharding), (sharding) =>
              Option.exists(sharding, ({ hasShardId }) => !hasShardId(address.shardId)) ? Effect.void : saved
            )
          : saved
      }
    }))
  )
