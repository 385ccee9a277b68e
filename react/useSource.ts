/** The base of every hook that reads: it observes an Rx, with or without Suspense. */

import { Result } from "@effect-rx/rx-react"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import { cacheEntryOf, isBrowser } from "./CacheEntry.js"
import { type AnyOptions, identity, ReadObserver, type Snapshot, type Source } from "./ReadObserver.js"
import { makeRefresher, type RefreshPolicy } from "./Refresh.js"
import { type NetworkEntry, useClients, useReadDefaults } from "./SdkProvider.js"
import { getSuspensePromise } from "./suspense.js"
import type { ReadDefaults } from "./types.js"

/** The value that is shown until there is an answer. */
export const resolvePlaceholder = (
  placeholder: AnyOptions["placeholderData"],
  previous: Option.Option<unknown>
): Option.Option<unknown> =>
  placeholder === "previous"
    ? previous
    : Option.fromNullable(
        typeof placeholder === "function" ? placeholder(Option.getOrUndefined(previous)) : placeholder
      )

/** Reads of the chain's current state: only they take the provider's default for `refresh`. */
const CHAIN_PATHS = /^(rpc|address|token|nft|data|fee|contracts)\./

/** The options of a hook, over the provider's defaults for reads. */
export const withDefaults = (
  rx: Source,
  options: AnyOptions,
  { refresh, ...defaults }: ReadDefaults
): AnyOptions => {
  const path = cacheEntryOf(rx)?.read.path
  if (path === undefined) return options
  return { ...defaults, ...(refresh !== undefined && CHAIN_PATHS.test(path) && { refresh }), ...options }
}

/** The option `refresh`, with durations in milliseconds: equal ones compare as equal. */
export const normalizeRefresh = ({ refresh = false }: AnyOptions): RefreshPolicy | false =>
  refresh === false || refresh === "blocks" || Schedule.isSchedule(refresh)
    ? refresh
    : Duration.toMillis(refresh)

/** Repeats a read as the option `refresh` says. */
const useRefresh = (entry: NetworkEntry, rx: Source, options: AnyOptions): void => {
  const { registry } = entry
  const { keepHidden = false } = options
  const refresh = normalizeRefresh(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a schedule may be new in every render, and the first one counts
  const first = React.useMemo(() => refresh, [registry, rx, Schedule.isSchedule(refresh) || refresh])
  React.useEffect(
    () =>
      first === false ? undefined : registry.mount(makeRefresher(rx, first, keepHidden, entry.blocks.watch)),
    [registry, rx, first, keepHidden, entry]
  )
}

/** Observes an Rx, and renders the component when its snapshot changes. */
const useSnapshot = (entry: NetworkEntry, rx: Source, given: AnyOptions, isSuspense: boolean): Snapshot => {
  const options = withDefaults(rx, given, useReadDefaults())
  const { enabled: isEnabled = true, placeholderData, select = identity } = options
  const clients = useClients()
  const observer = React.useMemo(
    () => new ReadObserver<unknown, unknown, unknown>(clients, rx),
    [clients, rx]
  )
  const previous = React.useRef<Option.Option<unknown>>(Option.none())
  const [getSnapshot, getServerSnapshot] = React.useMemo(() => {
    const selection = {
      isEnabled,
      select,
      getPlaceholder: () => resolvePlaceholder(placeholderData, previous.current)
    }
    const current = observer.makeGetSnapshot(selection, false)
    // a component that suspends waits for its answer on the server too
    return [current, isSuspense ? current : observer.makeGetSnapshot(selection, true)]
  }, [observer, isEnabled, select, placeholderData, isSuspense])
  const snapshot = React.useSyncExternalStore(
    isEnabled ? observer.subscribe : observer.subscribeIdle,
    getSnapshot,
    getServerSnapshot
  )
  // after the commit: React may give up a render
  React.useInsertionEffect(() => {
    observer.setOptions(options, getSnapshot, snapshot)
    const answer = Result.value(snapshot.result)
    if (Option.isSome(answer)) previous.current = answer
  })
  useRefresh(entry, rx, isEnabled ? options : {})
  return snapshot
}

/** A way to use an Rx in a component: {@link useSource}, or {@link useSuspenseSource}. */
export type UseSource = (entry: NetworkEntry, rx: Source, options: AnyOptions) => Snapshot

/** The base of hooks that return before there is an answer. */
export const useSource: UseSource = (entry, rx, options) => useSnapshot(entry, rx, options, false)

/** The base of hooks that suspend until there is an answer, in the browser and on the server. */
export const useSuspenseSource: UseSource = (entry, rx, { enabled: _, placeholderData: __, ...options }) => {
  const snapshot = useSnapshot(entry, rx, options, true)
  const promise = getSuspensePromise(entry.registry, rx, snapshot)
  // thrown, since React's `use` never continues in tests that render in an `act` without awaiting it
  if (promise !== undefined) throw promise
  return snapshot
}

/** The base of hooks that suspend on what no server has: a wallet, or an event that is still to come. */
export const makeBrowserSuspense =
  (hook: string): UseSource =>
  (entry, rx, options) => {
    if (!isBrowser)
      throw new Error(`useSuspense${hook}: no server waits for that: use a boundary or use${hook}`)
    return useSuspenseSource(entry, rx, options)
  }
