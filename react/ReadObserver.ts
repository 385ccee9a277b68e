/**
 * What one component shows of a read, and when it has to render again.
 *
 * A render makes a `getSnapshot` for its own `select` and `enabled`, since React may give the render up. Only after the commit,
 * `setOptions` makes it the observer's own. Every state of a reading is a row of this table:
 *
 * | result of the Rx     | enabled | placeholder | `status`    | `data`                   | `error`   |
 * | -------------------- | ------- | ----------- | ----------- | ------------------------ | --------- |
 * | initial              | no      | not used    | `"idle"`    | undefined                | undefined |
 * | initial              | yes     | none        | `"loading"` | undefined                | undefined |
 * | initial              | yes     | one         | `"success"` | the placeholder          | undefined |
 * | success              | either  | not used    | `"success"` | the answer               | undefined |
 * | failure              | either  | not used    | `"error"`   | the last answer, if any  | the error |
 *
 * `select` makes `data` from the value in the table. If `select` throws, the row of a failure applies.
 * `isRefreshing` is true while an enabled read whose status is `"success"` or `"error"` waits for a result.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import type { AnyNetwork } from "../src/data/Network.js"
import type { Unexpected } from "../src/data/SdkError.js"
import {
  type CacheEntry,
  cacheEntryOf,
  DEFAULT_STALE_MS,
  type Observer,
  type RefetchTrigger,
  type ResultRx,
  refetchIfStale
} from "./CacheEntry.js"
import type { ClientStore } from "./ClientStore.js"
import { errorOf, valueOf } from "./Reactive.js"
import * as Result from "./Result.js"
import { scheduleTask } from "./reactivity.js"
import type { Reading, ReadOptions } from "./types.js"
import { isEqual } from "./values.js"

export type AnyOptions<A = unknown, B = unknown> = ReadOptions<AnyNetwork, A, B>

const waitingResult = Result.initial<never, never>(true)

/** The state of an Rx as a component sees it. */
export interface Snapshot<A = unknown, B = unknown, E = unknown> {
  readonly result: Result.Result<A, E>
  readonly selected: Result.Result<B, E>
  readonly isEnabled: boolean
  readonly isRefreshing: boolean
  readonly reading: Reading<B, E | Unexpected>
}

export type GetSnapshot<A = unknown, B = unknown, E = unknown> = () => Snapshot<A, B, E>

/** The options of one render that decide what it shows. */
interface Selection<A, B> {
  readonly select: (answer: A) => B
  readonly isEnabled: boolean
  readonly getPlaceholder: () => Option.Option<A>
}

export const identity = <A>(answer: A): A => answer

/**
 * Applies `select`. A selection that is equal to the previous one keeps its identity. If `select` throws, the result is a failure with the
 * previous selection as its previous success.
 */
const applySelect = <A, B, E>(
  result: Result.Result<A, E>,
  select: (answer: A) => B,
  previous: Snapshot<A, B, E> | undefined
): Result.Result<B, E> => {
  const data = previous?.reading.data
  try {
    return Result.map(result, (answer) => {
      const next = select(answer)
      return data !== undefined && isEqual(data, next) ? data : next
    })
  } catch (defect) {
    return Result.failureWithPrevious(Cause.die(defect), {
      previous: Option.fromNullable(previous?.selected),
      waiting: result.waiting
    })
  }
}

/** Listeners that wait for the next task, because others were notified in this one. */
let deferredListeners: Array<() => void> | undefined

/**
 * Notifies the first listener of a task at once, and those of the next microtasks together in one later task: React renders once for
 * all of them.
 */
const notify = (onChange: () => void): void => {
  if (deferredListeners) return void deferredListeners.push(onChange)
  onChange()
  queueMicrotask(() => {
    if (deferredListeners) return
    const listeners: Array<() => void> = []
    deferredListeners = listeners
    // React's scheduler, which fake timers of tests do not replace
    scheduleTask(() => {
      deferredListeners = undefined
      for (const listener of listeners) listener()
    })
  })
}

export class ReadObserver<A, E, B> implements Observer {
  /** The last commit: the snapshot on the page, the function that makes the next one, and the options. */
  #snapshot: Snapshot<A, B, E> | undefined
  #getSnapshot: GetSnapshot<A, B, E> | undefined
  #options: AnyOptions = {}
  /** The last result: shown while the component is disabled, and after the registry has removed the Rx until there is a new one. */
  #lastResult: Result.Result<A, E> = waitingResult
  /** Whether the component has read `isRefreshing` or `result`. */
  #isTracked = false
  #notifyIdle = (): void => {}

  readonly #clients: ClientStore
  readonly #rx: ResultRx<A, E>
  readonly #entry: CacheEntry | undefined

  constructor(clients: ClientStore, rx: ResultRx<A, E>) {
    this.#clients = clients
    this.#rx = rx
    this.#entry = cacheEntryOf(rx)
  }

  /**
   * Makes the `getSnapshot` of a render, which returns the same object as long as nothing changes. With `isHydrating` it sees only
   * results that came with the page.
   */
  makeGetSnapshot(selection: Selection<A, B>, isHydrating: boolean): GetSnapshot<A, B, E> {
    const { hydrated, registry } = this.#clients
    let shownResult: Result.Result<A, E> | undefined
    let shownLastResult: Result.Result<A, E> | undefined
    let snapshot: Snapshot<A, B, E> | undefined
    const getSnapshot = (): Snapshot<A, B, E> => {
      const lastResult = isHydrating ? waitingResult : this.#lastResult
      const result =
        selection.isEnabled && (!isHydrating || hydrated.has(this.#entry?.cacheKey ?? ""))
          ? registry.get(this.#rx)
          : lastResult
      if (
        snapshot !== undefined &&
        result === shownResult &&
        (lastResult === shownLastResult || !Result.isInitial(result))
      )
        return snapshot
      shownResult = result
      shownLastResult = lastResult
      const isRemoved = Result.isInitial(result) && !Result.isInitial(lastResult)
      snapshot = this.#makeSnapshot(
        isRemoved ? Result.waiting(lastResult) : result,
        selection,
        getSnapshot,
        snapshot ?? this.#snapshot
      )
      return snapshot
    }
    return getSnapshot
  }

  /** Stores what a commit has put on the page. */
  setOptions(options: AnyOptions, getSnapshot: GetSnapshot<A, B, E>, snapshot: Snapshot<A, B, E>): void {
    this.#options = options
    this.#getSnapshot = getSnapshot
    this.#snapshot = snapshot
    this.#lastResult = snapshot.result
    this.#entry?.extendGcTime(options.gcTime)
  }

  /** The current state, with the options of the last commit. Undefined before the first commit. */
  getSnapshot(): Snapshot<A, B, E> | undefined {
    return this.#getSnapshot?.()
  }

  readonly subscribe = (onChange: () => void) => {
    const entry = this.#entry
    const end = this.#clients.registry.subscribe(this.#rx, (result) => {
      if (this.#isChanged(result)) notify(onChange)
    })
    entry?.observers.add(this)
    // React is still mounting other components: refetch after that, if this one is still there
    queueMicrotask(() => {
      if (entry?.observers.has(this))
        refetchIfStale(this.#clients.registry, this.#rx, this.#options.staleTime ?? DEFAULT_STALE_MS)
    })
    return () => {
      entry?.observers.delete(this)
      end()
    }
  }

  /** The `subscribe` of a disabled component: only its own `refresh` notifies it. */
  readonly subscribeIdle = (onChange: () => void) => {
    this.#notifyIdle = onChange
    return () => {}
  }

  onTrigger(trigger: RefetchTrigger): void {
    const { staleTime = DEFAULT_STALE_MS, [trigger]: isWanted = true } = this.#options
    // lists are not refetched: they would lose their pages
    if (isWanted && this.#entry?.rx === this.#rx) refetchIfStale(this.#clients.registry, this.#rx, staleTime)
  }

  /** Whether a result changes what the component shows. */
  #isChanged(result: Result.Result<A, E>): boolean {
    const shown = this.#snapshot
    // most results only say that a read has started, or has the same answer
    if (!this.#isTracked && shown !== undefined && isSameAnswer(shown.result, result)) return false
    const next = this.getSnapshot()
    if (!shown || !next) return true
    return (
      !hasSameFields(shown.reading, next.reading) ||
      (this.#isTracked && shown.isRefreshing !== next.isRefreshing)
    )
  }

  #makeSnapshot(
    result: Result.Result<A, E>,
    { getPlaceholder, isEnabled, select }: Selection<A, B>,
    getSnapshot: GetSnapshot<A, B, E>,
    previous: Snapshot<A, B, E> | undefined
  ): Snapshot<A, B, E> {
    const placeholder = isEnabled && Result.isInitial(result) ? getPlaceholder() : Option.none()
    const isPlaceholderData = Option.isSome(placeholder)
    const selected = applySelect(
      isPlaceholderData ? Result.success(placeholder.value, { waiting: true }) : result,
      select,
      previous
    )
    const fields = toFields(selected, isEnabled, isPlaceholderData)
    const isRefreshing = isEnabled && selected.waiting && !Result.isInitial(selected)
    // a reading whose getters were never called need not change with `isRefreshing`
    const isSame =
      previous?.isEnabled === isEnabled &&
      (!this.#isTracked || previous.isRefreshing === isRefreshing) &&
      hasSameFields(previous.reading, fields)
    return {
      result,
      selected,
      isEnabled,
      isRefreshing,
      reading: isSame ? previous.reading : this.#makeReading(fields, getSnapshot)
    }
  }

  #makeReading(fields: ReadingFields, getSnapshot: GetSnapshot<A, B, E>): Reading<B, E | Unexpected> {
    const track = (): Snapshot<A, B, E> => {
      this.#isTracked = true
      return getSnapshot()
    }
    const reading = {
      ...fields,
      get isRefreshing() {
        return track().isRefreshing
      },
      get result() {
        return track().selected
      },
      refresh: this.#refresh
    }
    // the status decides which case of `Reading` it is
    return reading as Reading<B, E | Unexpected>
  }

  readonly #refresh = (): Promise<Reading<B, E | Unexpected>> =>
    new Promise((resolve) => {
      void this.#clients.settle(this.#rx, true).then((result) => {
        this.#lastResult = result
        this.#notifyIdle()
        const snapshot = this.getSnapshot()
        if (snapshot) resolve(snapshot.reading)
      })
    })
}

/** Whether two results are the same answer. */
const isSameAnswer = (
  one: Result.Result<unknown, unknown>,
  other: Result.Result<unknown, unknown>
): boolean => Result.isSuccess(one) && Result.isSuccess(other) && one.value === other.value

/** The fields whose change renders every component that has the reading. Changes of its getters render only components that call them. */
interface ReadingFields {
  readonly status: string
  readonly data: unknown
  readonly error: unknown
  readonly isPlaceholderData: boolean
}

/** The columns `status`, `data` and `error` of the table above. */
const toFields = (
  result: Result.Result<unknown, unknown>,
  isEnabled: boolean,
  isPlaceholderData: boolean
): ReadingFields => ({
  status: Result.isSuccess(result)
    ? "success"
    : Result.isFailure(result)
      ? "error"
      : isEnabled
        ? "loading"
        : "idle",
  data: valueOf(result),
  error: Result.isFailure(result) ? errorOf(result.cause) : undefined,
  isPlaceholderData
})

/** Whether two readings show the same. Errors are compared as text: a `select` that throws makes a new error each time. */
const hasSameFields = (one: ReadingFields, other: ReadingFields): boolean =>
  one.status === other.status &&
  one.data === other.data &&
  `${one.error}` === `${other.error}` &&
  one.isPlaceholderData === other.isPlaceholderData
