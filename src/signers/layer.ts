/** Signers as layers, over the client of a network. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How the signers of a family become layers: under a tag of the user's, over the tag of a client. */
export const makeLayer =
  <Client, From, Made, E>(make: (client: Client, from: From) => Effect.Effect<Made, E>) =>
  <Self, Id, C extends Client>(
    tag: Context.Tag<Self, Made>,
    client: Context.Tag<Id, C>,
    from: From
  ): Layer.Layer<Self, E, Id> =>
    Layer.effect(
      tag,
      Effect.flatMap(client, (sdk) => make(sdk, from))
    )
