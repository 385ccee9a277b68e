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

/** An Rx as one component sees it. It knows what the component was shown, and what it wants to know of it. */
const viewOf = <A, E, B>(clients: Clients, rx: Source<A, E>) => {
  const { brought, registry } = clients
  let current: Result.Result<A, E> = awaited
  let shown: Result.Result<A, E> = awaited
  let enabled = true
  let select: (answer: A) => B
  let tracked = false
  let made: Result.Result<B, E> = awaited
  let last: Reading<B, E | Unexpected> | undefined
  let wish: Refresh = false
  let tell = (): void => {}
  /** What is wanted of an answer: the same as before if it is equal to that. */
  const choose = (answer: A): B => {
    const next = select(answer)
    const before = last?.data
    return before !== undefined && same(before, next) ? before : next
  }
  /** What is wanted of a result; where that cannot be told, it has failed, and the last one stands beside. */
  const chosen = (result: Result.Result<A, E>): Result.Result<B, E> => {
    try {
      return Result.map(result, choose)
    } catch (defect) {
      return Result.failureWithPrevious(Cause.die(defect), {
        previous: Option.some(made),
        waiting: result.waiting
      })
    }
  }
  /** Whether the component would see a difference. */
  const differ = (): boolean =>
    shown._tag !== current._tag ||
    (tracked && shown.waiting !== current.waiting) ||
    Reflect.get(shown, "cause") !== Reflect.get(current, "cause") ||
    (valueOf(shown) !== valueOf(current) && valueOf(chosen(current)) !== last?.data)
  const look = (result: Result.Result<A, E>): Result.Result<A, E> => {
    // what has been there is not forgotten until there is an answer
    current = Result.isInitial(result) && !Result.isInitial(current) ? Result.waiting(current) : result
    if (shown !== current && differ()) shown = current
    return shown
  }
  const refresh = (): Promise<Reading<B, E | Unexpected>> =>
    new Promise((resolve) => {
      const leave = clients.enter()
      const heard = (result: Result.Result<A, E>): void => {
        if (result.waiting) return
        // not while others are being told
        queueMicrotask(end)
        look(result)
        tell()
        resolve(read())
      }
      const stop = registry.subscribe(rx, heard)
      const end = (): void => {
        stop()
        leave()
      }
      registry.refresh(rx)
      heard(registry.get(rx))
    })
  const said = (status: string, data: B | undefined, error: unknown): Reading<B, E | Unexpected> => {
    const state = {
      status,
      data,
      error,
      get isRefreshing() {
        tracked = true
        return enabled && current.waiting && !Result.isInitial(current)
      },
      get result() {
        tracked = true
        return chosen(current)
      },
      refresh
    }
    // the status says which of the cases of a reading it is
    return state as Reading<B, E | Unexpected>
  }
  let of: Result.Result<A, E> = awaited
  /** How things stand: the same as before as long as they do. */
  const read = (): Reading<B, E | Unexpected> => {
    made = chosen(current)
    const status = Result.isSuccess(made)
      ? "success"
      : Result.isFailure(made)
        ? "error"
        : enabled
          ? "loading"
          : "idle"
    const data = valueOf(made)
    const error = Result.isFailure(made) ? errorOf(made.cause) : undefined
    // a selection that throws makes a new error every time
    if (
      last === undefined ||
      of !== shown ||
      last.status !== status ||
      last.data !== data ||
      `${last.error}` !== `${error}`
    ) {
      last = said(status, data, error)
      of = shown
    }
    return last
  }
  return {
    wants: (choice: (answer: A) => B, wanted: boolean) => {
      select = choice
      enabled = wanted
    },
    subscribe: (changed: () => void) => registry.subscribe(rx, changed),
    /** Hears of what the component itself asks for, and of nothing else. */
    rest: (changed: () => void) => {
      tell = changed
      return () => {}
    },
    snapshot: () => look(enabled ? registry.get(rx) : current),
    server: () => look(enabled && brought.has(nameOf(rx) ?? "") ? registry.get(rx) : awaited),
    read,
    /** What has the read done again. A schedule may be made in every render: the first one counts. */
    again: ({ keepHidden = false, refresh = false }: AnyOptions, { blocks }: Entry) => {
      if (!(Schedule.isSchedule(wish) && Schedule.isSchedule(refresh))) wish = refresh
      return wish !== false ? refreshing(rx, wish, keepHidden, blocks.watch) : undefined
    }
  }
}

export const itself = <A>(answer: A): A => answer

/** What an Rx has for a component, which is rendered again when that changes. */
const useResult = <A, E>(entry: Entry, rx: Source<A, E>, options: AnyOptions) => {
  const { enabled = true, select = itself } = options
  const clients = useClients()
  const { registry } = clients
  const view = React.useMemo(() => viewOf<A, E, unknown>(clients, rx), [clients, rx])
  view.wants(select, enabled)
  const result = React.useSyncExternalStore(enabled ? view.subscribe : view.rest, view.snapshot, view.server)
  const policy = view.again(enabled ? options : {}, entry)
  React.useEffect(() => policy && registry.mount(policy), [registry, policy])
  return { registry, result, reading: view.read() }
}

/** How a hook uses an Rx: it says how things stand, or waits. */
export type Use = (entry: Entry, rx: Source, options: AnyOptions) => Reading<unknown, unknown>

/** What every hook that reads is made of. */
export const useReading: Use = (entry, rx, options) => useResult(entry, rx, options).reading

const promises = new WeakMap<Source, Promise<void>>()

/** Whether there is nothing to show yet, nor anything to say. */
const isAwaited = (result: Result.Result<unknown, unknown>): boolean =>
  result.waiting && Option.isNone(Result.value(result))

/** Settles with the first answer, which is kept a little for whoever waits for it. */
const firstAnswer = (registry: Registry.Registry, rx: Source, again: boolean): Promise<void> => {
  const known = promises.get(rx)
  if (known !== undefined) return known
  const promise = new Promise<void>((resolve) => {
    const end = registry.subscribe(rx, (result) => {
      if (isAwaited(result) || !promises.delete(rx)) return
      resolve()
      setTimeout(end, Result.isSuccess(result) ? 1_000 : 0)
    })
    // others may hear of it, and must not while a component renders
    if (again) queueMicrotask(() => registry.refresh(rx))
  })
  promises.set(rx, promise)
  return promise
}

/** Failures that boundaries have: whoever meets one later comes after its boundary was reset. */
const caught = new WeakSet<Result.Result<unknown, unknown>>()

/** The same, for components that wait for the first answer. */
export const useSuspenseReading: Use = (entry, rx, options) => {
  const { reading, registry, result } = useResult(entry, rx, { ...options, enabled: true })
  const again = caught.has(result)
  if (isAwaited(result) || again) {
    // React shows what it has to show meanwhile, and has the browser render the rest
    if (typeof window === "undefined") throw new Error("For browsers")
    throw firstAnswer(registry, rx, again)
  }
  if (reading.status === "error" && reading.data === undefined) {
    // React renders what has failed once more before it looks for a boundary, but not after this task
    setTimeout(() => caught.add(result))
    throw reading.error
  }
  return reading
}
