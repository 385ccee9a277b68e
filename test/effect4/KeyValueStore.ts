/** The stores of Effect 4, of which an absent value is undefined. */
import * as Effect from "effect4/Effect"
import * as Option from "effect4/Option"
import * as Stores from "effect4/persistence/KeyValueStore"

export * from "effect4/persistence/KeyValueStore"

type Options = Omit<Stores.MakeStringOptions, "get"> & {
  readonly get: (key: string) => Effect.Effect<Option.Option<string>, Stores.KeyValueStoreError>
}

export const makeStringOnly = ({ get, ...options }: Options): Stores.KeyValueStore =>
  Stores.makeStringOnly({ ...options, get: (key) => Effect.map(get(key), Option.getOrUndefined) })
