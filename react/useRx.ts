/** The base of every hook that reads: it observes an Rx, with or without Suspense. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import { cacheEntryOf, isBrowser, type ResultRx } from "./CacheEntry.js"
import { type NetworkClient, useClients, useReadDefaults } from "./ClientStore.js"
import { type AnyOptions, identity, ReadObserver, type Snapshot } from "./ReadObserver.js"
import { makeRefresher, type RefreshPolicy } from "./Refresh.js"
import * as Result from "./Result.js"
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

/** Paths of reads of the chain's current state. The provider's default for `refresh` applies only to them. */
const CHAIN_PATHS = /^(rpc|address|token|nft|data|fee|contracts)\./

/** The options of a hook, over the provider's defaults for reads. */
export const withDefaults = (
  rx: ResultRx,
  options: AnyOptions,
  { refresh, ...defaults }: ReadDefaults
): AnyOptions => {
  const path = cacheEntryOf(rx)?.read.path
  if (path === undefined) return options
  return { ...defaults, ...(refresh !== undefined && CHAIN_PATHS.test(path) && { refresh }), ...options }
}

/** The option `refresh` with durations in milliseconds, so that React's dependencies compare equal durations as equal. */
export const normalizeRefresh = ({ refresh = false }: AnyOptions): RefreshPolicy | false =>
  refresh === false || refresh === "blocks" || Schedule.isSchedule(refresh)
    ? refresh
    : Duration.toMillis(refresh)

/** Repeats a read as the option `refresh` says. */
const useRefresh = (client: NetworkClient, rx: ResultRx, options: AnyOptions): void => {
  const { registry } = client
  const { keepHidden = false } = options
  const refresh = normalizeRefresh(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a schedule may be new in every render, and the first one counts
  const first = React.useMemo(() => refresh, [registry, rx, Schedule.isSchedule(refresh) || refresh])
  React.useEffect(
    () =>
      first === false ? undefined : registry.mount(makeRefresher(rx, first, keepHidden, client.blocks.watch)),
    [registry, rx, first, keepHidden, client]
  )
}

/** Observes an Rx, and renders the component when its snapshot changes. */
const useSnapshot = (
  client: NetworkClient,
  rx: ResultRx,
  ownOptions: AnyOptions,
  isSuspense: boolean
): Snapshot => {
  const options = withDefaults(rx, ownOptions, useReadDefaults())
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
  useRefresh(client, rx, isEnabled ? options : {})
  return snapshot
}

/** A hook that observes an Rx of a network's client: {@link useObservedRx}, or {@link useSuspenseRx}. */
export type UseRx = (client: NetworkClient, rx: ResultRx, options: AnyOptions) => Snapshot

/** The base of hooks that return before there is an answer. */
export const useObservedRx: UseRx = (client, rx, options) => useSnapshot(client, rx, options, false)

/** The base of hooks that suspend until there is an answer, in the browser and on the server. */
export const useSuspenseRx: UseRx = (client, rx, { enabled: _, placeholderData: __, ...options }) => {
  const snapshot = useSnapshot(client, rx, options, true)
  const promise = getSuspensePromise(client.registry, rx, snapshot)
  // thrown instead of passed to React's `use`, which never continues in tests that do not await their `act`
  if (promise !== undefined) throw promise
  return snapshot
}

/** The base of hooks that suspend only in browsers: on the page's wallet, or on the next event. On a server they throw. */
export const makeBrowserSuspense =
  (hook: string): UseRx =>
  (client, rx, options) => {
    if (!isBrowser)
      throw new Error(`useSuspense${hook}: no server waits for that: use a boundary or use${hook}`)
    return useSuspenseRx(client, rx, options)
  }
