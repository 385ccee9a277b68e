/**
 * The cache entries of reads. rx's registry holds the answers; an entry says which read an Rx is, which components observe it, and how
 * long its answer is kept afterwards.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import type * as Registry from "./Registry.js"
import * as Result from "./Result.js"
import type * as Rx from "./Rx.js"

/**
 * A read of a network's client: the path of its method, and its arguments.
 *
 * @since 0.1.0
 * @category models
 */
export interface CachedRead {
  readonly network: string
  readonly path: string
  readonly args: ReadonlyArray<unknown>
}

/** The events that refetch a stale read, named as the options that turn them off. */
export type RefetchTrigger = "refetchOnFocus" | "refetchOnReconnect"

/** A component that observes a read. */
export interface Observer {
  readonly onTrigger: (trigger: RefetchTrigger) => void
}

/** An Rx whose value is a `Result`: of a read, a list or a stream, of a client, its nodes or the page's wallet. */
export type ResultRx<A = unknown, E = unknown> = Rx.Rx<Result.Result<A, E>>

/** How long the registry keeps an Rx without an answer, in milliseconds: React mounts a component again within it. */
export const IDLE_TTL_MS = 400

/** The default `staleTime`, in milliseconds: the components of a page mount within it, and share one request. */
export const DEFAULT_STALE_MS = 1_000

/** False on servers. */
export const isBrowser = typeof window !== "undefined"

/** The default `gcTime`, in milliseconds: on a server no longer than it takes to send a page. */
const DEFAULT_GC_MS = isBrowser ? 300_000 : 5_000

/** The longest `gcTime`, in milliseconds: `setTimeout` overflows above 2^31. */
const MAX_TIMER_MS = 2_000_000_000

/** The cache entry of a read. Components that mount later find its answer. */
export class CacheEntry {
  readonly observers = new Set<Observer>()
  /** Whether the read has an answer. Without one, its request is aborted soon after the last observer. */
  hasAnswer = false
  /** How many pages of a list are loaded. */
  pageCount = 0
  /** When the last page of a list came, or its end, in milliseconds since 1970. */
  pagedAt = 0
  /** Whether the answer was invalidated, and nothing has refetched it yet. */
  isInvalidated = false
  /** The answer that `setData` has set: the next read returns it instead of sending a request. */
  nextAnswer: Effect.Effect<unknown> | undefined
  /** The Rx that sends the request. */
  rx: ResultRx | undefined
  #gcTimeMs: number | undefined

  /** `cacheKey` is equal on server and browser; a read that is never dehydrated has none. */
  constructor(
    readonly read: CachedRead,
    readonly cacheKey?: string
  ) {}

  /** Of several `gcTime`s the longest counts. */
  extendGcTime(gcTime: Duration.DurationInput | undefined): void {
    if (gcTime !== undefined) this.#gcTimeMs = Math.max(this.#gcTimeMs ?? 0, Duration.toMillis(gcTime))
  }

  get gcTimeMs(): number {
    return this.hasAnswer ? Math.min(this.#gcTimeMs ?? DEFAULT_GC_MS, MAX_TIMER_MS) : IDLE_TTL_MS
  }
}

const entries = new WeakMap<object, CacheEntry>()

/** The cache entry of an Rx, if it is a read. */
export const cacheEntryOf = (rx: object): CacheEntry | undefined => entries.get(rx)

/** The cache key of an Rx: its network, path and arguments. */
export const cacheKeyOf = (rx: object): string | undefined => cacheEntryOf(rx)?.cacheKey

/** Gives the cache entry of a read to an Rx that is derived from the read. */
export const attachEntry = <R extends ResultRx>(rx: R, entry: CacheEntry | undefined): R => {
  if (entry !== undefined) entries.set(rx, entry)
  return rx
}

/** Gives a cache entry the Rx of its read. The registry keeps the Rx for the entry's `gcTimeMs`. */
export const cacheRead = <R extends ResultRx>(rx: R, entry: CacheEntry): R => {
  entry.rx = rx
  return Object.defineProperty(attachEntry(rx, entry), "idleTTL", { get: () => entry.gcTimeMs })
}

/** Whether an answer is older than `staleTime`. A failure always is stale. */
const isStale = (result: Result.Result<unknown, unknown>, staleTime: Duration.DurationInput): boolean =>
  !Result.isSuccess(result) || Date.now() - result.timestamp >= Duration.toMillis(staleTime)

/**
 * Refetches a read unless its answer is fresh. A request in flight is not restarted: a slow one would never finish. A list of several pages
 * is not refetched either: it would start again from its first page.
 */
export const refetchIfStale = (
  registry: Registry.Registry,
  rx: ResultRx,
  staleTime: Duration.DurationInput = 0
): void => {
  const result = registry.get(rx)
  const hasPages = (cacheEntryOf(rx)?.pageCount ?? 0) > 1
  if (!result.waiting && !hasPages && isStale(result, staleTime)) registry.refresh(rx)
}
