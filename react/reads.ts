"use client"

/**
 * Reads that few components have: `effect-chains/react/reads`. Many at once, whose number may change from render to render, and streams
 * whose first item a component waits for.
 *
 * ```tsx
 * const balances = useReads(addresses.map((address) => read("rpc.getBalance", [address])))
 * const total = balances.reduce((sum, { data = 0n }) => sum + data, 0n)
 * ```
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import type { AnyNetwork } from "../src/data/Network.js"
import { cacheKeyOf } from "./CacheEntry.js"
import { asHook } from "./calls.js"
import type { Path } from "./paths.js"
import {
  type AnyOptions,
  getSuspensePromise,
  identity,
  makeBrowserSuspense,
  normalizeRefresh,
  ReadObserver,
  resolvePlaceholder,
  type Snapshot,
  type Source,
  withDefaults
} from "./ReadObserver.js"
import { makeRefresher } from "./Refresh.js"
import {
  type Clients,
  type NetworkEntry,
  useClients,
  useNetworkEntry,
  useReadDefaults
} from "./SdkProvider.js"
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

/** A read whose type is not looked at: what is asked of a list must not say what its reads are. */
interface AnyReadCall {
  readonly path: string
  readonly args: ReadonlyArray<unknown>
  readonly options: object
}

/**
 * A read that is one of several: plain data, made by {@link read}. `B` is what is selected from its answer, `E` its errors.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadCall<out B, out E> extends AnyReadCall {
  /** The type of its reading; there is no such field. */
  readonly reading?: readonly [B, E]
}

/**
 * Options of one of several reads. Those of its neighbours may be others.
 *
 * @since 0.1.0
 * @category models
 */
export interface ReadCallOptions<N extends AnyNetwork, A, B = A>
  extends Omit<ReadOptions<N, A, B>, "placeholderData"> {
  readonly placeholderData?: A
}

/**
 * One read of several, by its dotted path: `read("rpc.getBalance", [address])`, typed by the network of `options`, or that of `Register`.
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
  path: P,
  args: Args,
  options?: ReadCallOptions<N, Answer<N, P, Args>, B>
) => ReadCall<B, Failure<N, P>> = /*#__PURE__*/ asHook(
  (path: string, args: ReadonlyArray<unknown>, options: object = {}) => ({ path, args, options })
)

/** A read as this render has it. */
interface ObservedRead {
  readonly entry: NetworkEntry
  readonly rx: Source
  readonly options: AnyOptions
  readonly isEnabled: boolean
  readonly observer: AnyObserver
}

type AnyObserver = ReadObserver<unknown, unknown, unknown>
type GetSnapshot = () => Snapshot

/** The views of a component on its reads: one for each time that a read is in its list. */
class Observers {
  readonly #known = new WeakMap<Source, Array<AnyObserver>>()

  constructor(readonly clients: Clients) {}

  /** Hands out the views of one render. */
  startRender(): (rx: Source) => AnyObserver {
    const used = new Map<Source, number>()
    return (rx) => {
      const count = used.get(rx) ?? 0
      used.set(rx, count + 1)
      const all = this.#known.get(rx) ?? []
      this.#known.set(rx, all)
      const view = all[count] ?? new ReadObserver<unknown, unknown, unknown>(this.clients, rx)
      all[count] = view
      return view
    }
  }
}

const makeGetSnapshots = (
  parts: ReadonlyArray<ObservedRead>,
  isServed: boolean
): ReadonlyArray<GetSnapshot> =>
  parts.map(({ isEnabled, options: { placeholderData, select = identity }, observer }) =>
    observer.makeGetSnapshot(
      { isEnabled, select, getPlaceholder: () => resolvePlaceholder(placeholderData, Option.none()) },
      isServed
    )
  )

const hasSameItems = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>): boolean =>
  one.length === other.length && one.every((value, i) => value === other[i])

/** Looks at all reads, and sees the same as long as none of them changes. */
const combineSnapshots = (looks: ReadonlyArray<GetSnapshot>): (() => ReadonlyArray<Snapshot>) => {
  let last: ReadonlyArray<Snapshot> | undefined
  return () => {
    const next = looks.map((look) => look())
    if (last === undefined || !hasSameItems(last, next)) last = next
    return last
  }
}

/** Ends what has begun for all reads. */
const endAll = (ends: ReadonlyArray<() => void>) => () => {
  for (const end of ends) end()
}

/** Keeps clients, looks at reads and repeats them as long as the component is there. */
const useSubscription = (clients: Clients, parts: ReadonlyArray<ObservedRead>) => {
  const networks = [...new Set(parts.map(({ entry }) => entry.network))]
  const names = parts.map(({ isEnabled, rx }) => `${isEnabled} ${cacheKeyOf(rx)}`).join("\n")
  const wishes = parts.map(({ options }) => {
    const wish = normalizeRefresh(options)
    return `${Schedule.isSchedule(wish) ? "schedule" : wish} ${options.keepHidden}`
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: lists are new in every render, and the same where their names are
  React.useEffect(() => {
    for (const network of networks) clients.keepAlive(network)
  }, [clients, networks.join()])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads are the same where their names are, and of schedules the first one counts
  React.useEffect(
    () =>
      endAll(
        parts.flatMap(({ entry, isEnabled, options, rx }) => {
          const wish = normalizeRefresh(options)
          if (!isEnabled || wish === false) return []
          return [
            entry.registry.mount(makeRefresher(rx, wish, options.keepHidden ?? false, entry.blocks.watch))
          ]
        })
      ),
    [clients, names, wishes.join()]
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads are the same where their names are
  return React.useCallback(
    (changed: () => void) =>
      endAll(
        parts.map(({ isEnabled, observer }) =>
          isEnabled ? observer.subscribe(changed) : observer.subscribeIdle(changed)
        )
      ),
    [clients, names]
  )
}

const useObservedReads = (calls: ReadonlyArray<AnyReadCall>, isSuspense: boolean) => {
  const clients = useClients()
  const defaults = useReadDefaults()
  const views = React.useMemo(() => new Observers(clients), [clients])
  const viewOf = views.startRender()
  return calls.map(({ args, options: given, path }): ObservedRead => {
    // the type of its constructor says what they are
    const { enabled = true, network = clients.network, placeholderData, ...others } = given as AnyOptions
    const entry = clients.entryFor(network)
    const rx = entry.read(path, args)
    const options = withDefaults(rx, isSuspense ? others : { ...others, placeholderData }, defaults)
    return { entry, rx, options, isEnabled: isSuspense || enabled, observer: viewOf(rx) }
  })
}

const makeReadsHook =
  (isSuspense: boolean) =>
  (calls: ReadonlyArray<AnyReadCall>): ReadonlyArray<Reading<unknown, unknown>> => {
    const clients = useClients()
    const parts = useObservedReads(calls, isSuspense)
    const subscribe = useSubscription(clients, parts)
    const looks = makeGetSnapshots(parts, false)
    const seen = React.useSyncExternalStore(
      subscribe,
      combineSnapshots(looks),
      combineSnapshots(isSuspense ? looks : makeGetSnapshots(parts, true))
    )
    const shown = React.useRef<ReadonlyArray<Reading<unknown, unknown>>>([])
    const readings = seen.map(({ reading }) => reading)
    const told = hasSameItems(shown.current, readings) ? shown.current : readings
    React.useInsertionEffect(() => {
      shown.current = told
      for (const [i, { options, observer }] of parts.entries()) {
        const [one, look] = [seen[i], looks[i]]
        if (one !== undefined && look !== undefined) observer.commit(one, look, options)
      }
    })
    if (!isSuspense) return told
    // all are under way before the component waits for the first of them
    const promises = parts.map(({ entry, rx }, i) => {
      const one = seen[i]
      return one && getSuspensePromise(entry.registry, rx, one)
    })
    const promise = promises.find((each) => each !== undefined)
    if (promise !== undefined) throw promise
    return told
  }

/**
 * Many reads at once, in a list whose length may change between renders: `useReads(addresses.map((address) => read("rpc.getBalance",
 * [address])))`. Each has a reading of its own, and shares its answer with the hooks that read the same. The list is the same one as long as
 * nothing changes.
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
 * The Suspense twin of {@link useReads}: all are asked for at once, and the component waits until each has an answer. It throws the first
 * error of a read that has none.
 *
 * @since 0.1.0
 * @category getters
 */
export const useSuspenseReads: <const Calls extends ReadonlyArray<AnyReadCall>>(
  calls: Calls
) => {
  readonly [K in keyof Calls]: Calls[K] extends ReadCall<infer B, infer E> ? SuspenseReading<B, E> : never
} = /*#__PURE__*/ asHook(/*#__PURE__*/ makeReadsHook(true))

/** Waits for the first item of a stream, and has the last one. */
const useSuspenseItem = /*#__PURE__*/ makeBrowserSuspense("Watch*")

const useLatestItem = (path: string, args: ReadonlyArray<unknown>, options: AnyOptions = {}) => {
  const entry = useNetworkEntry(options.network)
  return useSuspenseItem(entry, entry.live(path, args), options).reading
}

/**
 * Waits for the first item of a stream, and has the latest from then on: `useSuspenseWatch("rpc.subscribe.newPendingTransactions", [])`.
 * Of items that come between two renders it has the last one; `useWatch` is told of each.
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
 * Waits for the next block of an EVM chain, and has the newest from then on. `useWatchBlocks` is told of each.
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
 * Waits for the next log of an EVM chain that fits a filter, and has the newest from then on. `useWatchLogs` is told of each.
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
