"use client"

import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
/**
 * Hooks that few components need: `effect-chains/react/reads`. Many reads at once, whose number may change between renders, and streams
 * with Suspense.
 *
 * ```tsx
 * const balances = useReads(addresses.map((address) => read("rpc.getBalance", [address])))
 * const total = balances.reduce((sum, { data = 0n }) => sum + data, 0n)
 * ```
 *
 * @since 0.1.0
 */
import type { OnThisEffect } from "../src/data/effectVersion.js"
import type { AnyNetwork } from "../src/data/Network.js"
import { cacheKeyOf, type ResultRx } from "./CacheEntry.js"
import {
  type ClientStore,
  type NetworkClient,
  useClients,
  useNetworkClient,
  useReadDefaults
} from "./ClientStore.js"
import { asHook } from "./calls.js"
import type { Path } from "./paths.js"
import { type AnyOptions, type GetSnapshot, identity, ReadObserver, type Snapshot } from "./ReadObserver.js"
import { makeRefresher } from "./Refresh.js"
import { getSuspensePromise } from "./suspense.js"
import type {
  Answer,
  Arguments,
  DefaultNetwork,
  Failure,
  LiveOptions,
  Reading,
  ReadOptions,
  SuspenseReading
} from "./types.js"
import { makeBrowserSuspense, normalizeRefresh, resolvePlaceholder, withDefaults } from "./useRx.js"

/** A read of any type: a constraint with types would decide the inference of a list's elements. */
interface AnyReadCall {
  readonly path: string
  readonly args: ReadonlyArray<unknown>
  readonly options: object
}

/**
 * One of several reads, as plain data made by {@link read}. `B` is the type of its selection, `E` of its errors.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadCall<out B, out E> extends AnyReadCall {
  /** Carries the types; no value has this field. */
  readonly reading?: readonly [B, E]
}

/**
 * Options of one of several reads.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadCallOptions<N extends AnyNetwork, A, B = A>
  extends Omit<ReadOptions<N, A, B>, "placeholderData"> {
  readonly placeholderData?: A
}

/**
 * One of several reads by its dotted path: `read("rpc.getBalance", [address])`. Its types are those of the network in `options`, or in
 * `Register`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const read: <
  P extends Path<N, "read">,
  N extends AnyNetwork = DefaultNetwork,
  const Args extends Arguments<N, P> = Arguments<N, P>,
  B = Answer<N, P, Args>
>(
  path: OnThisEffect<P>,
  args: Args,
  options?: ReadCallOptions<N, Answer<N, P, Args>, B>
) => ReadCall<B, Failure<N, P>> = /*#__PURE__*/ asHook(
  (path: string, args: ReadonlyArray<unknown>, options: object = {}) => ({ path, args, options })
)

type AnyObserver = ReadObserver<unknown, unknown, unknown>

/** A read in one render. */
interface ObservedRead {
  readonly client: NetworkClient
  readonly rx: ResultRx
  readonly options: AnyOptions
  readonly isEnabled: boolean
  readonly observer: AnyObserver
}

/** The observers of a component: one for each occurrence of a read in its list. */
class Observers {
  readonly #observers = new WeakMap<ResultRx, Array<AnyObserver>>()

  constructor(readonly clients: ClientStore) {}

  /** Returns the function that gives each read of a render its observer. */
  startRender(): (rx: ResultRx) => AnyObserver {
    const counts = new Map<ResultRx, number>()
    return (rx) => {
      const count = counts.get(rx) ?? 0
      counts.set(rx, count + 1)
      const all = this.#observers.get(rx) ?? []
      this.#observers.set(rx, all)
      const observer = all[count] ?? new ReadObserver<unknown, unknown, unknown>(this.clients, rx)
      all[count] = observer
      return observer
    }
  }
}

const makeGetSnapshots = (
  reads: ReadonlyArray<ObservedRead>,
  isHydrating: boolean
): ReadonlyArray<GetSnapshot> =>
  reads.map(({ isEnabled, observer, options: { placeholderData, select = identity } }) =>
    observer.makeGetSnapshot(
      { isEnabled, select, getPlaceholder: () => resolvePlaceholder(placeholderData, Option.none()) },
      isHydrating
    )
  )

const hasSameItems = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i])

/** Makes one `getSnapshot` of several. It returns the same list as long as none of them changes. */
const combineSnapshots = (getSnapshots: ReadonlyArray<GetSnapshot>): (() => ReadonlyArray<Snapshot>) => {
  let last: ReadonlyArray<Snapshot> | undefined
  return () => {
    const next = getSnapshots.map((getSnapshot) => getSnapshot())
    if (last === undefined || !hasSameItems(last, next)) last = next
    return last
  }
}

/** Makes one function that stops all. */
const stopAll = (stops: ReadonlyArray<() => void>) => () => {
  for (const stop of stops) stop()
}

/** A key that changes when the list has other reads, or when one is enabled or disabled. */
const keyOfReads = (reads: ReadonlyArray<ObservedRead>): string =>
  reads.map(({ isEnabled, rx }) => `${isEnabled} ${cacheKeyOf(rx)}`).join("\n")

/** Keeps the clients of a list alive. */
const useClientsOf = (clients: ClientStore, reads: ReadonlyArray<ObservedRead>): void => {
  const networks = [...new Set(reads.map(({ client }) => client.network))]
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is new in every render, so its content is compared
  React.useEffect(() => {
    for (const network of networks) clients.keepAlive(network)
  }, [clients, networks.join()])
}

/** Repeats the reads of a list, each as its option `refresh` says. */
const useRefreshers = (clients: ClientStore, reads: ReadonlyArray<ObservedRead>, key: string): void => {
  const policies = reads.map(({ options }) => {
    const refresh = normalizeRefresh(options)
    return `${Schedule.isSchedule(refresh) ? "schedule" : refresh} ${options.keepHidden}`
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads are compared by cache key, and of schedules the first one counts
  React.useEffect(
    () =>
      stopAll(
        reads.flatMap(({ client: { blocks, registry }, isEnabled, options, rx }) => {
          const refresh = normalizeRefresh(options)
          if (!isEnabled || refresh === false) return []
          return [registry.mount(makeRefresher(rx, refresh, options.keepHidden ?? false, blocks.watch))]
        })
      ),
    [clients, key, policies.join()]
  )
}

/** The `subscribe` of all reads of a list. */
const useSubscribe = (clients: ClientStore, reads: ReadonlyArray<ObservedRead>, key: string) =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads are compared by cache key
  React.useCallback(
    (onChange: () => void) =>
      stopAll(
        reads.map(({ isEnabled, observer }) =>
          isEnabled ? observer.subscribe(onChange) : observer.subscribeIdle(onChange)
        )
      ),
    [clients, key]
  )

const useObservedReads = (calls: ReadonlyArray<AnyReadCall>, isSuspense: boolean) => {
  const clients = useClients()
  const defaults = useReadDefaults()
  const observers = React.useMemo(() => new Observers(clients), [clients])
  const observerFor = observers.startRender()
  return calls.map(({ args, options, path }): ObservedRead => {
    // the type of `read` has checked the options
    const {
      enabled = true,
      network = clients.network,
      placeholderData,
      ...ownOptions
    } = options as AnyOptions
    const client = clients.clientFor(network)
    const rx = client.read(path, args)
    return {
      client,
      rx,
      options: withDefaults(rx, isSuspense ? ownOptions : { ...ownOptions, placeholderData }, defaults),
      isEnabled: isSuspense || enabled,
      observer: observerFor(rx)
    }
  })
}

/** Suspends until all reads have an answer. It starts all of them before it suspends on the first. */
const suspendUntilAnswered = (
  reads: ReadonlyArray<ObservedRead>,
  snapshots: ReadonlyArray<Snapshot>
): void => {
  const promises = reads.map(({ client, rx }, i) => {
    const snapshot = snapshots[i]
    return snapshot && getSuspensePromise(client.registry, rx, snapshot)
  })
  const promise = promises.find((each) => each !== undefined)
  if (promise !== undefined) throw promise
}

const makeReadsHook =
  (isSuspense: boolean) =>
  (calls: ReadonlyArray<AnyReadCall>): ReadonlyArray<Reading<unknown, unknown>> => {
    const clients = useClients()
    const reads = useObservedReads(calls, isSuspense)
    useClientsOf(clients, reads)
    const key = keyOfReads(reads)
    useRefreshers(clients, reads, key)
    const getSnapshots = makeGetSnapshots(reads, false)
    const snapshots = React.useSyncExternalStore(
      useSubscribe(clients, reads, key),
      combineSnapshots(getSnapshots),
      combineSnapshots(isSuspense ? getSnapshots : makeGetSnapshots(reads, true))
    )
    const committed = React.useRef<ReadonlyArray<Reading<unknown, unknown>>>([])
    const next = snapshots.map(({ reading }) => reading)
    const readings = hasSameItems(committed.current, next) ? committed.current : next
    React.useInsertionEffect(() => {
      committed.current = readings
      for (const [i, { observer, options }] of reads.entries()) {
        const [getSnapshot, snapshot] = [getSnapshots[i], snapshots[i]]
        if (getSnapshot !== undefined && snapshot !== undefined)
          observer.setOptions(options, getSnapshot, snapshot)
      }
    })
    if (isSuspense) suspendUntilAnswered(reads, snapshots)
    return readings
  }

/**
 * Many reads at once: `useReads(addresses.map((address) => read("rpc.getBalance", [address])))`. The length of the list may change between
 * renders. Each read has its own reading, and shares its answer with other hooks. The returned list keeps its identity until one changes.
 *
 * @since 0.1.0
 * @category getters
 */
export const useReads: <const Calls extends ReadonlyArray<AnyReadCall>>(
  calls: Calls
) => {
  readonly [K in keyof Calls]: Calls[K] extends ReadCall<infer B, infer E> ? Reading<B, E> : never
} = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadsHook(false))

/**
 * The Suspense twin of {@link useReads}. It starts all reads at once, and suspends until each has an answer. It throws the first error of a
 * read without an answer.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseReads: <const Calls extends ReadonlyArray<AnyReadCall>>(
  calls: Calls
) => {
  readonly [K in keyof Calls]: Calls[K] extends ReadCall<infer B, infer E> ? SuspenseReading<B, E> : never
} = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadsHook(true))

const useSuspenseItem = /*#__PURE__*/ makeBrowserSuspense("Watch*")

const useLatestItem = (path: string, args: ReadonlyArray<unknown>, options: AnyOptions = {}) => {
  const client = useNetworkClient(options.network)
  return useSuspenseItem(client, client.live(path, args), options).reading
}

/**
 * Suspends until the first item of a stream, and returns the latest one: `useSuspenseWatch("rpc.subscribe.newPendingTransactions", [])`.
 * Of several items between two renders it returns the last; `useWatch` gets each of them.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseWatch: <
  P extends Path<N, "live">,
  N extends AnyNetwork = DefaultNetwork,
  B = Answer<N, P>
>(
  path: P,
  args: Arguments<N, P>,
  options?: Omit<LiveOptions<N, Answer<N, P>, B>, "enabled">
) => SuspenseReading<B, Failure<N, P>> = /*#__PURE__*/ asHook(useLatestItem)

/**
 * Suspends until the next block of an EVM chain, and returns the latest one. `useWatchBlocks` gets each of them.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseWatchBlocks: <
  N extends AnyNetwork = DefaultNetwork,
  B = Answer<N, "rpc.subscribe.newHeads">
>(
  options?: Omit<LiveOptions<N, Answer<N, "rpc.subscribe.newHeads">, B>, "enabled">
) => SuspenseReading<B, Failure<N, "rpc.subscribe.newHeads">> = /*#__PURE__*/ asHook((options?: AnyOptions) =>
  useLatestItem("rpc.subscribe.newHeads", [], options)
)

/**
 * Suspends until the next log of an EVM chain that matches a filter, and returns the latest one. `useWatchLogs` gets each of them.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSuspenseWatchLogs: <
  N extends AnyNetwork = DefaultNetwork,
  B = Answer<N, "rpc.subscribe.logs">
>(
  filter: Arguments<N, "rpc.subscribe.logs">[0],
  options?: Omit<LiveOptions<N, Answer<N, "rpc.subscribe.logs">, B>, "enabled">
) => SuspenseReading<B, Failure<N, "rpc.subscribe.logs">> = /*#__PURE__*/ asHook(
  (filter: unknown, options?: AnyOptions) => useLatestItem("rpc.subscribe.logs", [filter], options)
)
