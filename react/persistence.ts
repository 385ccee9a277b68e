"use client"

/**
 * Answers that outlive the page: `effect-chains/react/persistence`. They are kept in a `KeyValueStore` of `@effect/platform`, shown at once
 * when the page is there again, and asked for anew where they are older than `staleTime`.
 *
 * ```tsx
 * const store = KeyValueStore.layerStorage(() => localStorage)
 *
 * <SdkProvider config={config}>
 *   <Persisted store={store} maxAge="1 hour">
 *     <App />
 *   </Persisted>
 * </SdkProvider>
 * ```
 *
 * @since 0.1.0
 */
import { KeyValueStore } from "@effect/platform/KeyValueStore"
import { Result } from "@effect-rx/rx-react"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as React from "react"
import { type CachedRead, heldOf } from "./Held.js"
import { encode } from "./hydration.js"
import { type Clients, useClients } from "./SdkProvider.js"

/** The time between two looks for news, in milliseconds. */
const PACE = 2_000

/** Most answers that are kept, the newest. */
const MOST = 1_000

/** What is kept: answers by the names of their reads, with their times, by a program of a version. */
const Kept = Schema.Struct({
  version: Schema.String,
  values: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.String, at: Schema.Number }))
})

type Kept = typeof Kept.Type

/**
 * What is kept, and where.
 *
 * - `store`: the place, such as `KeyValueStore.layerStorage(() => localStorage)`.
 * - `name`: the key in the store; default `"effect-chains"`. Users of one browser need a name each.
 * - `version`: answers of another one are thrown away; default `"1"`.
 * - `maxAge`: answers that are older are thrown away. Milliseconds, or `"1 hour"`; default one day.
 * - `isKept`: which reads are kept; default all. Files, failures, the wallet of the page, and reads whose arguments are compared by identity
 *   never are. Keys and signers are no reads.
 * - `fallback`: what is shown until the store has answered. On a server that is all that is rendered.
 *
 * @since 0.1.0
 * @category components
 */
export interface PersistedProps {
  readonly store: Layer.Layer<KeyValueStore>
  readonly name?: string
  readonly version?: string
  readonly maxAge?: Duration.DurationInput
  readonly isKept?: (read: CachedRead) => boolean
  readonly fallback?: React.ReactNode
  readonly children?: React.ReactNode
}

type Settings = Required<Omit<PersistedProps, "children" | "fallback">>

/** Identities are those of a page, and mean something else in the next one. */
const IDENTITY = /[[:,]#\d+/

/** The wallet is that of a page: in the next one it has to be asked, and what it announces is no data. */
const isKeepable = (key: string, { path }: CachedRead): boolean =>
  !IDENTITY.test(key) && !path.startsWith("wallet.")

type Value = Kept["values"][number]

/** The answers that are there now. */
const answersOf = ({ registry }: Clients, { isKept }: Settings): ReadonlyArray<Value> =>
  [...registry.getNodes().values()].flatMap(({ rx }) => {
    const held = heldOf(rx)
    const key = held?.name
    // one that is out of date would be asked for by the look at it
    if (key === undefined || held?.rx === undefined || held.isOld) return []
    if (!isKeepable(key, held.read) || !isKept(held.read)) return []
    const result = registry.get(held.rx)
    return Result.isSuccess(result) && !(result.value instanceof Uint8Array)
      ? [{ key, value: encode(result.value, result.timestamp), at: result.timestamp }]
      : []
  })

/** Those that are not too old, the newest last. */
const fresh = (values: Iterable<Value>, { maxAge }: Settings): ReadonlyArray<Value> => {
  const now = Date.now()
  const oldest = now - Duration.toMillis(maxAge)
  return [...values]
    .filter(({ at }) => at >= oldest && at <= now)
    .sort((one, other) => one.at - other.at)
    .slice(-MOST)
}

/** A store that does not work costs its answers, and nothing else. */
const told = <A>(what: string, effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.catchAll(effect, ({ message }) =>
    Effect.as(Effect.logWarning(`effect-chains/react/persistence: ${what}: ${message}`), undefined)
  )

/** Runs all of an effect that needs no time before it returns, and the rest as it comes: a page that goes waits for nothing. */
const runNow = (effect: Effect.Effect<unknown>): void => {
  Effect.runSyncExit(effect)
}

const opened = ({ name, store }: Settings) =>
  Effect.map(KeyValueStore, (all) => ({ name, kept: all.forSchema(Kept) })).pipe(Effect.provide(store))

/** Brings what was kept, and tells which answers these are. */
const restoring = (clients: Clients, settings: Settings) =>
  told(
    "nothing is restored",
    Effect.gen(function* () {
      const { kept, name } = yield* opened(settings)
      const found = Option.getOrUndefined(yield* kept.get(name))
      const values = found?.version === settings.version ? fresh(found.values, settings) : []
      clients.bring(values)
      return values
    })
  )

/** Keeps what is new every two seconds, and when the page goes. Returns the function that ends it. */
const keeping = (clients: Clients, settings: Settings, restored: ReadonlyArray<Value>): (() => void) => {
  // what nobody has looked at in this visit is kept for the next one
  const all = new Map(restored.map((value) => [value.key, value]))
  let last = textOf(restored)
  const keep = (): void => {
    for (const value of answersOf(clients, settings)) all.set(value.key, value)
    const values = fresh(all.values(), settings)
    const text = textOf(values)
    if (text === last) return
    last = text
    const { version } = settings
    runNow(
      told(
        "nothing is kept",
        Effect.flatMap(opened(settings), ({ kept, name }) => kept.set(name, { version, values }))
      )
    )
  }
  const timer = setInterval(keep, PACE)
  const onHidden = (): void => {
    if (document.visibilityState === "hidden") keep()
  }
  document.addEventListener("visibilitychange", onHidden)
  window.addEventListener("pagehide", keep)
  return () => {
    clearInterval(timer)
    document.removeEventListener("visibilitychange", onHidden)
    window.removeEventListener("pagehide", keep)
    keep()
  }
}

const textOf = (values: ReadonlyArray<Value>): string =>
  values.map(({ at, key }) => `${key} ${at}`).join("\n")

/**
 * Keeps the answers that the components below it read, for the next visit. They are shown at once then, and asked for again as `staleTime`
 * says. A store that cannot be read, or is full, costs a line of the log.
 *
 * @since 0.1.0
 * @category components
 */
export const Persisted = (props: PersistedProps): React.ReactNode => {
  const { children, fallback = null, isKept = () => true, maxAge = "1 day" } = props
  const { name = "effect-chains", store, version = "1" } = props
  const clients = useClients()
  const [ready, setReady] = React.useState<Clients>()
  const latest = React.useRef({ isKept, maxAge })
  React.useInsertionEffect(() => {
    latest.current = { isKept, maxAge }
  })
  // before anything is painted, where the store answers at once
  React.useLayoutEffect(() => {
    const settings = {
      name,
      store,
      version,
      maxAge: latest.current.maxAge,
      isKept: (read: CachedRead) => latest.current.isKept(read)
    }
    let end = (): void => {}
    let isOver = false
    const begun = Effect.map(restoring(clients, settings), (restored = []) => {
      if (isOver) return
      setReady(clients)
      end = keeping(clients, settings, restored)
    })
    runNow(begun)
    return () => {
      isOver = true
      end()
    }
  }, [clients, name, store, version])
  return ready === clients ? children : fallback
}
