/**
 * What is known of a read beside its answer: which one it is, how long its answer is held, and who looks at it.
 *
 * @since 0.1.0
 */
import { type Registry, Result, type Rx } from "@effect-rx/rx-react"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"

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

/** The occasions for asking again, as the options of components name them. */
export type RefetchTrigger = "refetchOnFocus" | "refetchOnReconnect"

/** A component that looks at a read. */
export interface Observer {
  readonly handleTrigger: (occasion: RefetchTrigger) => void
}

type Source = Rx.Rx<Result.Result<unknown, unknown>>

/** The time for which anything is kept that has no answer, in milliseconds: components come back within it. */
export const IDLE_TTL_MS = 400

/** The time for which an answer is new enough for components that come, in milliseconds: those of a page come together. */
export const DEFAULT_STALE_MS = 1_000

/** Servers have no pages. */
export const isBrowser = typeof window !== "undefined"

/** The time for which answers are held that nobody looks at: a server keeps them no longer than it takes to send a page. */
const DEFAULT_GC_MS = isBrowser ? 300_000 : 5_000

/** Timers are not made for longer. */
const MAX_TIMER_MS = 2_000_000_000

/** A read that is held, with its answer, for components that come later. */
export class CacheEntry {
  readonly observers = new Set<Observer>()
  /** Whether there has been an answer: what is still under way is given up with the last look at it. */
  hasAnswer = false
  /** Whether the answer is out of date, and nobody has asked again so far. */
  isInvalidated = false
  /** The next answer, where somebody says what it is. */
  nextAnswer: Option.Option<unknown> = Option.none()
  /** The Rx that asks for it. */
  rx: Source | undefined
  #time: number | undefined

  /** The name is the same one on every machine; what is not to be carried to another has none. */
  constructor(
    readonly read: CachedRead,
    readonly cacheKey?: string
  ) {}

  /** Several wishes for the time to be held: the longest counts. */
  extendGcTime(gcTimeMs: Duration.DurationInput | undefined): void {
    if (gcTimeMs !== undefined) this.#time = Math.max(this.#time ?? 0, Duration.toMillis(gcTimeMs))
  }

  get time(): number {
    return this.hasAnswer ? Math.min(this.#time ?? DEFAULT_GC_MS, MAX_TIMER_MS) : IDLE_TTL_MS
  }
}

const entries = new WeakMap<object, CacheEntry>()

/** What is known of an Rx, if it is that of a read. */
export const cacheEntryOf = (rx: object): CacheEntry | undefined => entries.get(rx)

/** The name of an Rx: the network, the path and the arguments. */
export const cacheKeyOf = (rx: object): string | undefined => cacheEntryOf(rx)?.cacheKey

/** What is known of a read is known of an Rx that shows it in another way. */
export const attachEntry = <R extends Source>(rx: R, held: CacheEntry | undefined): R => {
  if (held !== undefined) entries.set(rx, held)
  return rx
}

/** Gives the Rx of a read the life time that its components wish for. */
export const cacheRead = <R extends Source>(rx: R, held: CacheEntry): R => {
  held.rx = rx
  return Object.defineProperty(attachEntry(rx, held), "idleTTL", { get: () => held.time })
}

/** Whether an answer is older than it may be. A failure always is. */
const isStale = (result: Result.Result<unknown, unknown>, staleTime: Duration.DurationInput): boolean =>
  !Result.isSuccess(result) || Date.now() - result.timestamp >= Duration.toMillis(staleTime)

/** Asks again, unless an answer is under way (slow ones would never arrive), or is as new as it has to be. */
export const refetchIfStale = (
  registry: Registry.Registry,
  rx: Source,
  staleTime: Duration.DurationInput = 0
): void => {
  const result = registry.get(rx)
  if (!result.waiting && isStale(result, staleTime)) registry.refresh(rx)
}
