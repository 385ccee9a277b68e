"use client"

import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as React from "react"
/**
 * Answers that outlive the page: `effect-chains/react/persistence`. A `KeyValueStore` of `@effect/platform` keeps them. The next visit shows
 * them at once, and refetches those that are older than `staleTime`.
 *
 * ```tsx
 * const store = KeyValueStore.layerStorage(() => localStorage)
 *
 * <SdkProvider config={config}>
 *   <PersistProvider store={store} maxAge="1 hour">
 *     <App />
 *   </PersistProvider>
 * </SdkProvider>
 * ```
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import { type CachedRead, cacheEntryOf } from "./CacheEntry.js"
import { type ClientStore, useClients } from "./ClientStore.js"
import { encodeAnswer } from "./hydration.js"
import { type KeyValueStore, openStoreOf } from "./keyValueStore.js"
import * as Result from "./Result.js"
import { listRx } from "./reactivity.js"

/** The time between two saves, in milliseconds. */
const SAVE_INTERVAL_MS = 2_000

/** The most answers that are stored. The newest stay. */
const MAX_ANSWERS = 1_000

/** The stored value: answers by cache key, with their times in milliseconds since 1970. */
const StoredAnswers = Schema.Struct({
  version: Schema.String,
  values: Schema.Array(Schema.Struct({ key: Schema.String, value: Schema.String, at: Schema.Number }))
})

type StoredAnswers = typeof StoredAnswers.Type

/**
 * The props of the provider that stores answers.
 *
 * - `store`: where answers are stored, such as `KeyValueStore.layerStorage(() => localStorage)`.
 * - `name`: the key in the store; default `"effect-chains"`. Give each user of a browser a name of their own.
 * - `version`: answers of another version are discarded; default `"1"`.
 * - `maxAge`: older answers are discarded. Milliseconds, or `"1 hour"`; default one day.
 * - `shouldPersist`: selects the reads that are stored; default all. Files, failures, the page's wallet, and reads whose arguments are
 *   compared by identity are never stored. Keys and signers are not reads.
 * - `fallback`: rendered until the store has answered. A server renders only this.
 *
 * @since 0.1.0
 * @category components
 */
export interface PersistProviderProps {
  readonly store: Layer.Layer<KeyValueStore>
  readonly name?: string
  readonly version?: string
  readonly maxAge?: Duration.DurationInput
  readonly shouldPersist?: (read: CachedRead) => boolean
  readonly fallback?: React.ReactNode
  readonly children?: React.ReactNode
}

type Settings = Required<Omit<PersistProviderProps, "children" | "fallback">>

/** A cache key with an object's identity number, which is different after a reload. */
const IDENTITY_KEY = /[[:,]#\d+/

/** Whether the answer of a read may be shown in the next visit. That of the page's wallet may not. */
const canPersist = (key: string, { path }: CachedRead): boolean =>
  !IDENTITY_KEY.test(key) && !path.startsWith("wallet.")

type StoredAnswer = StoredAnswers["values"][number]

/** The answers in the registry that are to be stored. */
const collectAnswers = (
  { registry }: ClientStore,
  { shouldPersist }: Settings
): ReadonlyArray<StoredAnswer> =>
  listRx(registry).flatMap((rx) => {
    const cacheEntry = cacheEntryOf(rx)
    const key = cacheEntry?.cacheKey
    // `registry.get` would refetch an invalidated answer
    if (key === undefined || cacheEntry?.rx === undefined || cacheEntry.isInvalidated) return []
    if (!canPersist(key, cacheEntry.read) || !shouldPersist(cacheEntry.read)) return []
    const result = registry.get(cacheEntry.rx)
    return Result.isSuccess(result) && !(result.value instanceof Uint8Array)
      ? [{ key, value: encodeAnswer(result.value, result.timestamp), at: result.timestamp }]
      : []
  })

/** The answers that are not too old, the newest last. */
const selectRecent = (values: Iterable<StoredAnswer>, { maxAge }: Settings): ReadonlyArray<StoredAnswer> => {
  const now = Date.now()
  const oldest = now - Duration.toMillis(maxAge)
  return [...values]
    .filter(({ at }) => at >= oldest && at <= now)
    .sort((one, other) => one.at - other.at)
    .slice(-MAX_ANSWERS)
}

/** Logs a failure of the store as a warning: the page works without it. */
const logFailure = <A>(what: string, effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.catchAll(effect, ({ message }) =>
    Effect.as(Effect.logWarning(`effect-chains/react/persistence: ${what}: ${message}`), undefined)
  )

/** Runs an effect synchronously as far as possible: a page that is being closed does not wait for promises. */
const runWithoutWaiting = (effect: Effect.Effect<unknown>): void => {
  Effect.runSyncExit(effect)
}

const openStore = ({ name, store }: Settings) =>
  Effect.map(openStoreOf(StoredAnswers), (stored) => ({ name, stored })).pipe(Effect.provide(store))

/** Hydrates the stored answers, and returns them. */
const restoreAnswers = (clients: ClientStore, settings: Settings) =>
  logFailure(
    "nothing is restored",
    Effect.gen(function* () {
      const { name, stored } = yield* openStore(settings)
      const saved = Option.getOrUndefined(yield* stored.get(name))
      const values = saved?.version === settings.version ? selectRecent(saved.values, settings) : []
      clients.hydrate(values)
      return values
    })
  )

/** Saves new answers every two seconds, and when the page is hidden or closed. Returns the function that stops it. */
const startSaving = (
  clients: ClientStore,
  settings: Settings,
  restored: ReadonlyArray<StoredAnswer>
): (() => void) => {
  // answers that no component has observed in this visit stay stored
  const answers = new Map(restored.map((value) => [value.key, value]))
  let last = fingerprintOf(restored)
  const save = (): void => {
    for (const value of collectAnswers(clients, settings)) answers.set(value.key, value)
    const values = selectRecent(answers.values(), settings)
    const text = fingerprintOf(values)
    if (text === last) return
    last = text
    const { version } = settings
    runWithoutWaiting(
      logFailure(
        "nothing is kept",
        Effect.flatMap(openStore(settings), ({ name, stored }) => stored.set(name, { version, values }))
      )
    )
  }
  const timer = setInterval(save, SAVE_INTERVAL_MS)
  const onHidden = (): void => {
    if (document.visibilityState === "hidden") save()
  }
  document.addEventListener("visibilitychange", onHidden)
  window.addEventListener("pagehide", save)
  return () => {
    clearInterval(timer)
    document.removeEventListener("visibilitychange", onHidden)
    window.removeEventListener("pagehide", save)
    save()
  }
}

const fingerprintOf = (values: ReadonlyArray<StoredAnswer>): string =>
  values.map(({ at, key }) => `${key} ${at}`).join("\n")

/**
 * Stores the answers of the reads below it for the next visit, which shows them at once and refetches them after `staleTime`. If the store
 * cannot be read, or is full, a warning is logged.
 *
 * @since 0.1.0
 * @category components
 */
export const PersistProvider = (props: OnThisEffect<PersistProviderProps>): React.ReactNode => {
  const { children, fallback = null, shouldPersist = () => true, maxAge = "1 day" } = props
  const { name = "effect-chains", store, version = "1" } = props
  const clients = useClients()
  const [ready, setReady] = React.useState<ClientStore>()
  const latest = React.useRef({ shouldPersist, maxAge })
  React.useInsertionEffect(() => {
    latest.current = { shouldPersist, maxAge }
  })
  // a store that answers synchronously is read before the first paint
  React.useLayoutEffect(() => {
    const settings = {
      name,
      store,
      version,
      maxAge: latest.current.maxAge,
      shouldPersist: (read: CachedRead) => latest.current.shouldPersist(read)
    }
    let end = (): void => {}
    let isUnmounted = false
    const restoring = Effect.map(restoreAnswers(clients, settings), (restored = []) => {
      if (isUnmounted) return
      setReady(clients)
      end = startSaving(clients, settings, restored)
    })
    runWithoutWaiting(restoring)
    return () => {
      isUnmounted = true
      end()
    }
  }, [clients, name, store, version])
  return ready === clients ? children : fallback
}
