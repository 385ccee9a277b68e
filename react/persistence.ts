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
import { type CachedRead, cacheEntryOf } from "./CacheEntry.js"
import { encodeAnswer } from "./hydration.js"
import { type Clients, useClients } from "./SdkProvider.js"

/** The time between two looks for news, in milliseconds. */
const SAVE_INTERVAL_MS = 2_000

/** Most answers that are kept, the newest. */
const MAX_ANSWERS = 1_000

/** What is kept: answers by the names of their reads, with their times, by a program of a version. */
const StoredAnswers = Schema.Struct({
  version: Schema.String,
  values: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.String, at: Schema.Number }))
})

type StoredAnswers = typeof StoredAnswers.Type

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
export interface PersistProviderProps {
  readonly store: Layer.Layer<KeyValueStore>
  readonly name?: string
  readonly version?: string
  readonly maxAge?: Duration.DurationInput
  readonly isKept?: (read: CachedRead) => boolean
  readonly fallback?: React.ReactNode
  readonly children?: React.ReactNode
}

type Settings = Required<Omit<PersistProviderProps, "children" | "fallback">>

/** Identities are those of a page, and mean something else in the next one. */
const IDENTITY_KEY = /[[:,]#\d+/

/** The wallet is that of a page: in the next one it has to be asked, and what it announces is no data. */
const canPersist = (key: string, { path }: CachedRead): boolean =>
  !IDENTITY_KEY.test(key) && !path.startsWith("wallet.")

type StoredAnswer = StoredAnswers["values"][number]

/** The answers that are there now. */
const collectAnswers = ({ registry }: Clients, { isKept }: Settings): ReadonlyArray<StoredAnswer> =>
  [...registry.getNodes().values()].flatMap(({ rx }) => {
    const held = cacheEntryOf(rx)
    const key = held?.cacheKey
    // one that is out of date would be asked for by the look at it
    if (key === undefined || held?.rx === undefined || held.isInvalidated) return []
    if (!canPersist(key, held.read) || !isKept(held.read)) return []
    const result = registry.get(held.rx)
    return Result.isSuccess(result) && !(result.value instanceof Uint8Array)
      ? [{ key, value: encodeAnswer(result.value, result.timestamp), at: result.timestamp }]
      : []
  })

/** Those that are not too old, the newest last. */
const selectRecent = (values: Iterable<StoredAnswer>, { maxAge }: Settings): ReadonlyArray<StoredAnswer> => {
  const now = Date.now()
  const oldest = now - Duration.toMillis(maxAge)
  return [...values]
    .filter(({ at }) => at >= oldest && at <= now)
    .sort((one, other) => one.at - other.at)
    .slice(-MAX_ANSWERS)
}

/** A store that does not work costs its answers, and nothing else. */
const logFailure = <A>(what: string, effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.catchAll(effect, ({ message }) =>
    Effect.as(Effect.logWarning(`effect-chains/react/persistence: ${what}: ${message}`), undefined)
  )

/** Runs all of an effect that needs no time before it returns, and the rest as it comes: a page that goes waits for nothing. */
const runWithoutWaiting = (effect: Effect.Effect<unknown>): void => {
  Effect.runSyncExit(effect)
}

const openStore = ({ name, store }: Settings) =>
  Effect.map(KeyValueStore, (all) => ({ name, kept: all.forSchema(StoredAnswers) })).pipe(
    Effect.provide(store)
  )

/** Brings what was kept, and tells which answers these are. */
const restoreAnswers = (clients: Clients, settings: Settings) =>
  logFailure(
    "nothing is restored",
    Effect.gen(function* () {
      const { kept, name } = yield* openStore(settings)
      const found = Option.getOrUndefined(yield* kept.get(name))
      const values = found?.version === settings.version ? selectRecent(found.values, settings) : []
      clients.hydrate(values)
      return values
    })
  )

/** Keeps what is new every two seconds, and when the page goes. Returns the function that ends it. */
const startSaving = (
  clients: Clients,
  settings: Settings,
  restored: ReadonlyArray<StoredAnswer>
): (() => void) => {
  // what nobody has looked at in this visit is kept for the next one
  const all = new Map(restored.map((value) => [value.key, value]))
  let last = fingerprintOf(restored)
  const keep = (): void => {
    for (const value of collectAnswers(clients, settings)) all.set(value.key, value)
    const values = selectRecent(all.values(), settings)
    const text = fingerprintOf(values)
    if (text === last) return
    last = text
    const { version } = settings
    runWithoutWaiting(
      logFailure(
        "nothing is kept",
        Effect.flatMap(openStore(settings), ({ kept, name }) => kept.set(name, { version, values }))
      )
    )
  }
  const timer = setInterval(keep, SAVE_INTERVAL_MS)
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

const fingerprintOf = (values: ReadonlyArray<StoredAnswer>): string =>
  values.map(({ at, key }) => `${key} ${at}`).join("\n")

/**
 * Keeps the answers that the components below it read, for the next visit. They are shown at once then, and asked for again as `staleTime`
 * says. A store that cannot be read, or is full, costs a line of the log.
 *
 * @since 0.1.0
 * @category components
 */
export const PersistProvider = (props: PersistProviderProps): React.ReactNode => {
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
    const begun = Effect.map(restoreAnswers(clients, settings), (restored = []) => {
      if (isOver) return
      setReady(clients)
      end = startSaving(clients, settings, restored)
    })
    runWithoutWaiting(begun)
    return () => {
      isOver = true
      end()
    }
  }, [clients, name, store, version])
  return ready === clients ? children : fallback
}
