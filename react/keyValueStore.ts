/** The store of answers that outlive the page, which Effect 3 has in its platform. */
import { KeyValueStore } from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"

export { KeyValueStore } from "@effect/platform/KeyValueStore"

/** The store for the values of a schema. */
export const openStoreOf = <A, I>(schema: Schema.Schema<A, I>) =>
  Effect.map(KeyValueStore, (store) => store.forSchema(schema))
