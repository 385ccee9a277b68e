import { type Registry, Result, type Rx } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import type { Network } from "../src/data/Network.js"
import type { Unexpected } from "../src/data/SdkError.js"
import { nameOf } from "./hydration.js"
import { errorOf, valueOf } from "./Reactive.js"
import { refreshing } from "./Refresh.js"
import { type Clients, type Entry, useClients } from "./SdkProvider.js"
import type { Reading, ReadOptions, Refresh } from "./types.js"
import { same } from "./values.js"

export type Source<A = unknown, E = unknown> = Rx.Rx<Result.Result<A, E>>

export type AnyOptions<A = unknown, B = unknown> = ReadOptions<Network, A, B>

const awaited = Result.initial<never, never>(true)

/** The view of one component on an Rx. It knows what the component was shown, and which of it the component reads. */
class View<A, E, B> {
  /** The state of the Rx, and the part of it that the component was shown. */
  #current: Result.Result<A, E> = awaited
  #shown: Result.Result<A, E> = awaited
  /** The selection from the answer that was shown. */
  #made: Result.Result<B, E> = awaited
  #last: Reading<B, E | Unexpected> | undefined
  #of: Result.Result<A, E> = awaited
  /** The wishes of the component: whether to read at all, the selection, the refresh, and whether it looks at more than that. */
  #enabled = true
  #wish: Refresh = false
  #tracked = false
  #tell = (): void => {}

  readonly #clients: Clients
  readonly #rx: Source<A, E>
  #select: (answer: A) => B

  constructor(clients: Clients, rx: Source<A, E>, select: (answer: A) => B) {
    this.#clients = clients
    this.#rx = rx
    this.#select = select
  }

  wants(select: (answer: A) => B, enabled: boolean): void {
    this.#select = select
    this.#enabled = enabled
  }

  /** The trigger that repeats the read. A schedule may be made in every render: the first one counts. */
  again({ keepHidden = false, refresh = false }: AnyOptions, { blocks }: Entry) {
    if (!(Schedule.isSchedule(this.#wish) && Schedule.isSchedule(refresh))) this.#wish = refresh
    return this.#wish !== false ? refreshing(this.#rx, this.#wish, keepHidden, blocks.watch) : undefined
  }

  readonly subscribe = (changed: () => void) => this.#clients.registry.subscribe(this.#rx, changed)

  /** Hears of the component's own requests, and of no others. */
  readonly rest = (changed: () => void) => {
    this.#tell = changed
    return () => {}
  }

  readonly snapshot = () => this.#look(this.#enabled ? this.#clients.registry.get(this.#rx) : this.#current)

  readonly server = () =>
    this.#look(
      this.#enabled && this.#clients.brought.has(nameOf(this.#rx) ?? "")
        ? this.#clients.registry.get(this.#rx)
        : awaited
    )

  /** The reading: the same object as long as nothing changes. */
  read(): Reading<B, E | Unexpected> {
    const made = this.#chosen(this.#current)
    this.#made = made
    const data = valueOf(made)
    const error = Result.isFailure(made) ? errorOf(made.cause) : undefined
    const unanswered = this.#enabled ? "loading" : "idle"
    const status = Result.isSuccess(made) ? "success" : Result.isFailure(made) ? "error" : unanswered
    const last = this.#last
    // a selection that throws makes a new error every time
    if (
      last !== undefined &&
      this.#of === this.#shown &&
      last.status === status &&
      last.data === data &&
      `${last.error}` === `${error}`
    )
      return last
    this.#of = this.#shown
    this.#last = this.#said(status, data, error)
    return this.#last
  }

  #said(status: string, data: B | undefined, error: unknown): Reading<B, E | Unexpected> {
    const view = this
    const state = {
      status,
      data,
      error,
      get isRefreshing() {
        view.#tracked = true
        return view.#enabled && view.#current.waiting && !Result.isInitial(view.#current)
      },
      get result() {
        view.#tracked = true
        return view.#chosen(view.#current)
      },
      refresh: this.#refresh
    }
    // the status decides which case of a reading it is
    return state as Reading<B, E | Unexpected>
  }

  readonly #refresh = (): Promise<Reading<B, E | Unexpected>> =>
    new Promise((resolve) => {
      const { registry } = this.#clients
      const leave = this.#clients.enter()
      const heard = (result: Result.Result<A, E>): void => {
        if (result.waiting) return
        // not while other subscribers are being told
        queueMicrotask(end)
        this.#look(result)
        this.#tell()
        resolve(this.read())
      }
      const stop = registry.subscribe(this.#rx, heard)
      const end = (): void => {
        stop()
        leave()
      }
      registry.refresh(this.#rx)
      heard(registry.get(this.#rx))
    })

  #look(result: Result.Result<A, E>): Result.Result<A, E> {
    const shown = this.#shown
    // the last value stays until there is an answer
    const current =
      Result.isInitial(result) && !Result.isInitial(this.#current) ? Result.waiting(this.#current) : result
    this.#current = current
    // the component would show a difference
    const isNews =
      shown._tag !== current._tag ||
      (this.#tracked && shown.waiting !== current.waiting) ||
      Reflect.get(shown, "cause") !== Reflect.get(current, "cause") ||
      (valueOf(shown) !== valueOf(current) && valueOf(this.#chosen(current)) !== this.#last?.data)
    if (isNews) this.#shown = current
    return this.#shown
  }

  /**
   * The selection from a result: the same object as before if it is equal to that. Where it throws, the result is a failure, with
   * the last selection beside it.
   */
  #chosen(result: Result.Result<A, E>): Result.Result<B, E> {
    try {
      return Result.map(result, (answer) => {
        const next = this.#select(answer)
        const before = this.#last?.data
        return before !== undefined && same(before, next) ? before : next
      })
    } catch (defect) {
      return Result.failureWithPrevious(Cause.die(defect), {
        previous: Option.some(this.#made),
        waiting: result.waiting
      })
    }
  }
}

export const itself = <A>(answer: A): A => answer

/** The reading of an Rx for a component, which is rendered again when it changes. */
const useResult = <A, E>(entry: Entry, rx: Source<A, E>, options: AnyOptions) => {
  const { enabled = true, select = itself } = options
  const clients = useClients()
  const { registry } = clients
  const view = React.useMemo(() => new View<A, E, unknown>(clients, rx, itself), [clients, rx])
  view.wants(select, enabled)
  const result = React.useSyncExternalStore(enabled ? view.subscribe : view.rest, view.snapshot, view.server)
  const policy = view.again(enabled ? options : {}, entry)
  React.useEffect(() => policy && registry.mount(policy), [registry, policy])
  return { registry, result, reading: view.read() }
}

/** The two ways in which a hook uses an Rx: it returns the reading, or waits for it. */
export type Use = (entry: Entry, rx: Source, options: AnyOptions) => Reading<unknown, unknown>

/** The base of every hook that reads. */
export const useReading: Use = (entry, rx, options) => useResult(entry, rx, options).reading

const promises = new WeakMap<Source, Promise<void>>()

/** Whether there is neither an answer nor an error yet. */
const isAwaited = (result: Result.Result<unknown, unknown>): boolean =>
  result.waiting && Option.isNone(Result.value(result))

/** Settles with the first answer, which is kept a little for the components that wait for it. */
const firstAnswer = (registry: Registry.Registry, rx: Source, again: boolean): Promise<void> => {
  const known = promises.get(rx)
  if (known !== undefined) return known
  const promise = new Promise<void>((resolve) => {
    const end = registry.subscribe(rx, (result) => {
      if (isAwaited(result) || !promises.delete(rx)) return
      resolve()
      setTimeout(end, Result.isSuccess(result) ? 1_000 : 0)
    })
    // other components may hear of it, and must not while one renders
    if (again) queueMicrotask(() => registry.refresh(rx))
  })
  promises.set(rx, promise)
  return promise
}

/** Failures that boundaries have: a component that meets one later comes after its boundary was reset. */
const caught = new WeakSet<Result.Result<unknown, unknown>>()

/** The same, for components that wait for the first answer. */
export const useSuspenseReading: Use = (entry, rx, options) => {
  const { reading, registry, result } = useResult(entry, rx, { ...options, enabled: true })
  const again = caught.has(result)
  if (isAwaited(result) || again) {
    // React shows the fallback meanwhile, and has the browser render the rest
    if (typeof window === "undefined") throw new Error("For browsers")
    throw firstAnswer(registry, rx, again)
  }
  if (reading.status === "error" && reading.data === undefined) {
    // React renders a failed component once more before it looks for a boundary, but not after this task;
    // a selection that has thrown is made again, and asks for nothing
    if (Result.isFailure(result)) setTimeout(() => caught.add(result))
    throw reading.error
  }
  return reading
}
