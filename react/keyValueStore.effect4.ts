/** The store of answers that outlive the page, which is a part of Effect 4. */
import * as Effect from "effect/Effect"
import { KeyValueStore, toSchemaStore } from "effect/persistence/KeyValueStore"
import type * as Schema from "effect/Schema"

export { KeyValueStore } from "effect/persistence/KeyValueStore"

/** The store for the values of a schema. */
export const openStoreOf = <A, I>(schema: Schema.Schema<A, I>) =>
  Effect.map(KeyValueStore, (store) => toSchemaStore(store, schema))
