import { SystemError } from "@effect/platform/Error"
import { KeyValueStore, makeStringOnly } from "@effect/platform/KeyValueStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { clear, del, get, keys, set } from "idb-keyval"

const asking = <A>(method: string, ask: () => Promise<A>) =>
  Effect.tryPromise({
    try: ask,
    catch: (cause) =>
      new SystemError({ reason: "Unknown", module: "KeyValueStore", method, description: `${cause}` })
  })

export const store = Layer.succeed(
  KeyValueStore,
  makeStringOnly({
    get: (key) =>
      Effect.map(
        asking("get", () => get<string>(key)),
        Option.fromNullable
      ),
    set: (key, value) => asking("set", () => set(key, value)),
    remove: (key) => asking("remove", () => del(key)),
    clear: asking("clear", () => clear()),
    size: Effect.map(
      asking("size", () => keys()),
      (all) => all.length
    )
  })
)
