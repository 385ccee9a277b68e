import { type Registry, Result, type Rx } from "@effect-rx/rx-react"
import { scheduleTask } from "@effect-rx/rx-react/RegistryContext"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import type { AnyNetwork } from "../src/data/Network.js"
import type { Unexpected } from "../src/data/SdkError.js"
import {
  cacheEntryOf,
  cacheKeyOf,
  DEFAULT_STALE_MS,
  isBrowser,
  type Observer,
  type RefetchTrigger,
  refetchIfStale
} from "./CacheEntry.js"
import { errorOf, valueOf } from "./Reactive.js"
import { makeRefresher } from "./Refresh.js"
import { type Clients, type NetworkEntry, useClients, useReadDefaults } from "./SdkProvider.js"
import type { ReadDefaults, Reading, ReadOptions } from "./types.js"
import { isEqual } from "./values.js"

export type Source<A = unknown, E = unknown> = Rx.Rx<Result.Result<A, E>>

export type AnyOptions<A = unknown, B = unknown> = ReadOptions<AnyNetwork, A, B>

const waitingResult = Result.initial<never, never>(true)

/** A state of an Rx as a component sees it. */
export interface Snapshot<A = unknown, B = unknown, E = unknown> {
  readonly sourceResult: Result.Result<A, E>
  /** The selection from it. */
  readonly selectedResult: Result.Result<B, E>
  readonly isEnabled: boolean
  readonly isRefreshing: boolean
  readonly reading: Reading<B, E | Unexpected>
}

type GetSnapshot<A, B, E> = () => Snapshot<A, B, E>

/** What a component wants to see of an Rx. */
interface Selection<A, B> {
  readonly select: (answer: A) => B
  readonly isEnabled: boolean
  /** What is shown until there is an answer. */
  readonly getPlaceholder: () => Option.Option<A>
}

export const identity = <A>(answer: A): A => answer

/**
 * The selection from a result: the same object as before if it is equal to that. Where it throws, the result is a failure, with
 * the last selection beside it.
 */
const applySelect = <A, B, E>(
  result: Result.Result<A, E>,
  select: (answer: A) => B,
  before: Snapshot<A, B, E> | undefined
): Result.Result<B, E> => {
  const data = before?.reading.data
  try {
    return Result.map(result, (answer) => {
      const next = select(answer)
      return data !== undefined && isEqual(data, next) ? data : next
    })
  } catch (defect) {
    return Result.failureWithPrevious(Cause.die(defect), {
      previous: Option.fromNullable(before?.selectedResult),
      waiting: result.waiting
    })
  }
}

/** Components that are told a moment later: there are such while others have just been told. */
let deferredListeners: Array<() => void> | undefined

/** Tells at once of what comes first, or with it, and of what comes in the next tasks together: React would render the page for each. */
const notify = (changed: () => void): void => {
  if (deferredListeners) return void deferredListeners.push(changed)
  changed()
  queueMicrotask(() => {
    if (deferredListeners) return
    const told: Array<() => void> = []
    deferredListeners = told
    // by the scheduler of React, which no timers of tests stand in for
    scheduleTask(() => {
      deferredListeners = undefined
      for (const each of told) each()
    })
  })
}

/**
 * The view of one component on an Rx. Its state is that of the last commit: a render that React gives up leaves nothing behind
 * but the knowledge of what the component reads.
 */
export class ReadObserver<A, E, B> implements Observer {
  /** What the component shows, how it looks at the Rx, and its options. */
  #shown: Snapshot<A, B, E> | undefined
  #look: GetSnapshot<A, B, E> | undefined
  #options: AnyOptions = {}
  /** The last state, for a component that is not enabled, or where the registry has let go of the Rx. */
  #kept: Result.Result<A, E> = waitingResult
  /** Whether the component looks at more than the answer. */
  #tracked = false
  #tell = (): void => {}

  readonly #clients: Clients
  readonly #rx: Source<A, E>

  constructor(clients: Clients, rx: Source<A, E>) {
    this.#clients = clients
    this.#rx = rx
  }

  /** The eyes of a render, which see the same as long as nothing changes: all that is there, or what came with the page. */
  makeGetSnapshot(wish: Selection<A, B>, isServed: boolean): GetSnapshot<A, B, E> {
    let of: Result.Result<A, E> | undefined
    let by: Result.Result<A, E> | undefined
    let seen: Snapshot<A, B, E> | undefined
    const look = (): Snapshot<A, B, E> => {
      const state = isServed ? this.#served(wish) : this.#state(wish)
      const kept = isServed ? waitingResult : this.#kept
      if (seen !== undefined && state === of && (kept === by || !Result.isInitial(state))) return seen
      of = state
      by = kept
      // the last value stays until there is an answer
      const isLost = Result.isInitial(state) && !Result.isInitial(kept)
      seen = this.#seen(isLost ? Result.waiting(kept) : state, wish, look, seen ?? this.#shown)
      return seen
    }
    return look
  }

  #state({ isEnabled }: Selection<A, B>): Result.Result<A, E> {
    return isEnabled ? this.#clients.registry.get(this.#rx) : this.#kept
  }

  #served(wish: Selection<A, B>): Result.Result<A, E> {
    return wish.isEnabled && this.#clients.hydratedKeys.has(cacheKeyOf(this.#rx) ?? "")
      ? this.#state(wish)
      : waitingResult
  }

  /** The component is as it was rendered. */
  commit(seen: Snapshot<A, B, E>, look: GetSnapshot<A, B, E>, options: AnyOptions): void {
    this.#shown = seen
    this.#look = look
    this.#options = options
    this.#kept = seen.sourceResult
    cacheEntryOf(this.#rx)?.extendGcTime(options.gcTime)
  }

  readonly subscribe = (changed: () => void) => {
    const held = cacheEntryOf(this.#rx)
    const end = this.#clients.registry.subscribe(this.#rx, (state) => {
      if (this.#isNews(state)) notify(changed)
    })
    held?.observers.add(this)
    // not while React mounts others; the component may be gone by then
    queueMicrotask(() => {
      if (held?.rx && held.observers.has(this))
        refetchIfStale(this.#clients.registry, held.rx, this.#options.staleTime ?? DEFAULT_STALE_MS)
    })
    return () => {
      held?.observers.delete(this)
      end()
    }
  }

  /** Hears of the component's own requests, and of no others. */
  readonly subscribeIdle = (changed: () => void) => {
    this.#tell = changed
    return () => {}
  }

  handleTrigger(occasion: RefetchTrigger): void {
    const { staleTime = DEFAULT_STALE_MS, [occasion]: isWished = true } = this.#options
    // a list would lose its pages
    if (isWished && cacheEntryOf(this.#rx)?.rx === this.#rx)
      refetchIfStale(this.#clients.registry, this.#rx, staleTime)
  }

  /** Whether the component would show a difference. */
  #isNews(state: Result.Result<A, E>): boolean {
    const shown = this.#shown
    // most news of most screens is that a read is under way, or has the same answer
    if (!this.#tracked && shown !== undefined && isSameAnswer(shown.sourceResult, state)) return false
    const seen = this.#look?.()
    if (shown === undefined || seen === undefined) return true
    return (
      !hasSameFields(shown.reading, seen.reading) ||
      (this.#tracked && shown.isRefreshing !== seen.isRefreshing)
    )
  }

  #seen(
    sourceResult: Result.Result<A, E>,
    { isEnabled, select, getPlaceholder }: Selection<A, B>,
    look: GetSnapshot<A, B, E>,
    before: Snapshot<A, B, E> | undefined
  ): Snapshot<A, B, E> {
    const placeholder = isEnabled && Result.isInitial(sourceResult) ? getPlaceholder() : Option.none()
    const isPlaceholderData = Option.isSome(placeholder)
    const shown: Result.Result<A, E> = isPlaceholderData
      ? Result.success(placeholder.value, { waiting: true })
      : sourceResult
    const selectedResult = applySelect(shown, select, before)
    const status = isEnabled ? "loading" : "idle"
    const reading = this.#said(
      {
        status: Result.isSuccess(selectedResult)
          ? "success"
          : Result.isFailure(selectedResult)
            ? "error"
            : status,
        data: valueOf(selectedResult),
        error: Result.isFailure(selectedResult) ? errorOf(selectedResult.cause) : undefined,
        isPlaceholderData
      },
      look
    )
    const isRefreshing = isEnabled && selectedResult.waiting && !Result.isInitial(selectedResult)
    // what is read of it beside the answer is that of now
    const isSame =
      before?.isEnabled === isEnabled &&
      (!this.#tracked || before.isRefreshing === isRefreshing) &&
      hasSameFields(before.reading, reading)
    return {
      sourceResult,
      selectedResult,
      isEnabled,
      isRefreshing,
      reading: isSame ? before.reading : reading
    }
  }

  #said(state: ReadingFields, look: GetSnapshot<A, B, E>): Reading<B, E | Unexpected> {
    const track = (): Snapshot<A, B, E> => {
      this.#tracked = true
      return look()
    }
    const reading = {
      ...state,
      get isRefreshing() {
        return track().isRefreshing
      },
      get result() {
        return track().selectedResult
      },
      refresh: this.#refresh
    }
    // the status decides which case of a reading it is
    return reading as Reading<B, E | Unexpected>
  }

  readonly #refresh = (): Promise<Reading<B, E | Unexpected>> =>
    new Promise((resolve) => {
      void this.#clients.waitUntilSettled(this.#rx, true).then((result) => {
        this.#kept = result
        this.#tell()
        const seen = this.#look?.()
        if (seen) resolve(seen.reading)
      })
    })
}

/** Whether two results are the same answer. */
const isSameAnswer = (
  one: Result.Result<unknown, unknown>,
  other: Result.Result<unknown, unknown>
): boolean => Result.isSuccess(one) && Result.isSuccess(other) && one.value === other.value

/** The part of a reading that is told to every component. */
interface ReadingFields {
  readonly status: string
  readonly data: unknown
  readonly error: unknown
  readonly isPlaceholderData: boolean
}

/** Whether two readings tell the same. A selection that throws makes a new error every time. */
const hasSameFields = (one: ReadingFields, other: ReadingFields): boolean =>
  one.status === other.status &&
  one.data === other.data &&
  `${one.error}` === `${other.error}` &&
  one.isPlaceholderData === other.isPlaceholderData

/** What stands for an answer that is not there yet. */
export const resolvePlaceholder = (
  placeholder: AnyOptions["placeholderData"],
  previous: Option.Option<unknown>
): Option.Option<unknown> =>
  placeholder === "previous"
    ? previous
    : Option.fromNullable(
        typeof placeholder === "function" ? placeholder(Option.getOrUndefined(previous)) : placeholder
      )

/** Reads of what the chain says now: a provider's default for their refresh is for them. */
const CHAIN_PATHS = /^(rpc|address|token|nft|data|fee|contracts)\./

/** The options of a hook, with the provider's defaults for reads. */
export const withDefaults = (
  rx: Source,
  options: AnyOptions,
  { refresh, ...defaults }: ReadDefaults
): AnyOptions => {
  const path = cacheEntryOf(rx)?.read.path
  if (path === undefined) return options
  return { ...defaults, ...(refresh !== undefined && CHAIN_PATHS.test(path) && { refresh }), ...options }
}

/** The wish for repetition, where durations of one length are the same. */
export const normalizeRefresh = ({ refresh = false }: AnyOptions) =>
  refresh === false || refresh === "blocks" || Schedule.isSchedule(refresh)
    ? refresh
    : Duration.toMillis(refresh)

/** Repeats a read as its component wishes. */
const useRefresh = (entry: NetworkEntry, rx: Source, options: AnyOptions): void => {
  const { registry } = entry
  const { keepHidden = false } = options
  const wish = normalizeRefresh(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: of schedules that are made in every render the first one counts
  const first = React.useMemo(() => wish, [registry, rx, Schedule.isSchedule(wish) || wish])
  React.useEffect(
    () =>
      first === false ? undefined : registry.mount(makeRefresher(rx, first, keepHidden, entry.blocks.watch)),
    [registry, rx, first, keepHidden, entry]
  )
}

/** The state of an Rx for a component, which is rendered again when it changes. */
const useSnapshot = (entry: NetworkEntry, rx: Source, given: AnyOptions, isSuspense: boolean): Snapshot => {
  const options = withDefaults(rx, given, useReadDefaults())
  const { enabled: isEnabled = true, placeholderData, select = identity } = options
  const clients = useClients()
  const view = React.useMemo(() => new ReadObserver<unknown, unknown, unknown>(clients, rx), [clients, rx])
  const previous = React.useRef<Option.Option<unknown>>(Option.none())
  const [look, served] = React.useMemo(() => {
    const wish = {
      isEnabled,
      select,
      getPlaceholder: () => resolvePlaceholder(placeholderData, previous.current)
    }
    const all = view.makeGetSnapshot(wish, false)
    // where a component waits for its answer, so does the server
    return [all, isSuspense ? all : view.makeGetSnapshot(wish, true)]
  }, [view, isEnabled, select, placeholderData, isSuspense])
  const seen = React.useSyncExternalStore(isEnabled ? view.subscribe : view.subscribeIdle, look, served)
  // renders may be given up: what counts is what is shown
  React.useInsertionEffect(() => {
    view.commit(seen, look, options)
    const answer = Result.value(seen.sourceResult)
    if (Option.isSome(answer)) previous.current = answer
  })
  useRefresh(entry, rx, isEnabled ? options : {})
  return seen
}

/** The two ways in which a hook uses an Rx: it has its state, or waits for it. */
export type UseSource = (entry: NetworkEntry, rx: Source, options: AnyOptions) => Snapshot

/** The base of every hook that reads. */
export const useSource: UseSource = (entry, rx, options) => useSnapshot(entry, rx, options, false)

const firstAnswers = new WeakMap<Source, Promise<void>>()

/** Whether there is neither an answer nor an error yet. */
const isPending = (result: Result.Result<unknown, unknown>): boolean =>
  result.waiting && Option.isNone(Result.value(result))

/** Failures that components have waited for, and those of them that boundaries have: who meets these comes after a reset. */
const awaitedFailures = new WeakSet<Result.Result<unknown, unknown>>()
const caughtFailures = new WeakSet<Result.Result<unknown, unknown>>()

/** Settles with the first answer, which is kept a little for the components that wait for it. */
const waitForFirstAnswer = (registry: Registry.Registry, rx: Source, isRepeated: boolean): Promise<void> => {
  const known = firstAnswers.get(rx)
  if (known !== undefined) return known
  const promise = new Promise<void>((resolve) => {
    const end = registry.subscribe(rx, (result) => {
      if (isPending(result) || !firstAnswers.delete(rx)) return
      awaitedFailures.add(result)
      resolve()
      setTimeout(end, Result.isSuccess(result) ? 1_000 : 0)
    })
    // other components may hear of it, and must not while one renders
    if (isRepeated) queueMicrotask(() => registry.refresh(rx))
  })
  firstAnswers.set(rx, promise)
  return promise
}

/** Whether a failure is an older one, of which the component is not to hear. */
const isEarlierFailure = (result: Result.Result<unknown, unknown>): boolean =>
  Result.isFailure(result) &&
  Option.isNone(result.previousSuccess) &&
  (!awaitedFailures.has(result) || caughtFailures.has(result))

/** What a component that needs an answer has to wait for, if there is none so far. Throws the error that there is in its place. */
export const getSuspensePromise = (
  registry: Registry.Registry,
  rx: Source,
  { reading, sourceResult }: Snapshot
): Promise<void> | undefined => {
  const isRepeated = isEarlierFailure(sourceResult)
  if (isPending(sourceResult) || isRepeated) return waitForFirstAnswer(registry, rx, isRepeated)
  if (reading.status !== "error" || reading.data !== undefined) return undefined
  // React renders a failed component once more before it looks for a boundary, but not after this task;
  // a selection that has thrown is made again, and asks for nothing
  if (Result.isFailure(sourceResult)) setTimeout(() => caughtFailures.add(sourceResult))
  throw reading.error
}

/** The same, for components that wait for the first answer: on a server too, which sends it when it is there. */
export const useSuspenseSource: UseSource = (entry, rx, { enabled: _, placeholderData: __, ...options }) => {
  const seen = useSnapshot(entry, rx, options, true)
  const promise = getSuspensePromise(entry.registry, rx, seen)
  // React shows the fallback meanwhile; its `use` would never go on in tests that render in an `act` without waiting for that
  if (promise !== undefined) throw promise
  return seen
}

/** Waits for what no server has: wallets, and events that are still to come. */
export const makeBrowserSuspense =
  (hook: string): UseSource =>
  (entry, rx, options) => {
    if (!isBrowser)
      throw new Error(`useSuspense${hook}: no server waits for that: use a boundary or use${hook}`)
    return useSuspenseSource(entry, rx, options)
  }
