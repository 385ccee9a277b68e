import { type Registry, Result, Rx } from "@effect-rx/rx-react"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as React from "react"
import type { Network } from "../src/Network.js"
import type { Unexpected } from "../src/SdkError.js"
import { nameOf } from "./hydration.js"
import { errorOf, valueOf } from "./Reactive.js"
import { refreshing } from "./Refresh.js"
import { type Clients, type Entry, useClients } from "./SdkProvider.js"
import type { Reading, ReadOptions, Refresh } from "./types.js"
import { same } from "./values.js"

export type Source<A = unknown, E = unknown> = Rx.Rx<Result.Result<A, E>>

export type AnyOptions<A = unknown, B = unknown> = ReadOptions<Network, A, B>

const nothing = Result.initial<never, never>()
const awaited = Result.initial<never, never>(true)

/** What a read is that is not wanted. */
const idle = Rx.readable(() => nothing)

/** An Rx as one component sees it. It knows what the component was shown, and what it wants to know of it. */
const viewOf = <A, E, B>({ brought, registry }: Clients, rx: Source<A, E>) => {
  const start: Result.Result<A, E> = rx === idle ? nothing : awaited
  let current: Result.Result<A, E> = start
  let shown: Result.Result<A, E> = start
  let select: (answer: A) => B
  let tracked = false
  let last: Reading<B, E | Unexpected> | undefined
  let wish: Refresh = false
  /** What is wanted of an answer: the same as before if it is equal to that. */
  const choose = (answer: A): B => {
    const next = select(answer)
    const before = last?.data
    return before !== undefined && same(before, next) ? before : next
  }
  const dataOf = (result: Result.Result<A, E>): B | undefined => valueOf(Result.map(result, choose))
  /** Whether the component would see a difference. */
  const differ = (): boolean =>
    shown._tag !== current._tag ||
    (tracked && shown.waiting !== current.waiting) ||
    Reflect.get(shown, "cause") !== Reflect.get(current, "cause") ||
    (valueOf(shown) !== valueOf(current) && dataOf(current) !== last?.data)
  const look = (result: Result.Result<A, E>): Result.Result<A, E> => {
    current = result
    if (shown !== current && differ()) shown = current
    return shown
  }
  const said = (data: B | undefined): Reading<B, E | Unexpected> => {
    const state = {
      status: Result.isSuccess(current)
        ? "success"
        : Result.isFailure(current)
          ? "error"
          : current.waiting
            ? "loading"
            : "idle",
      data,
      error: Result.isFailure(current) ? errorOf(current.cause) : undefined,
      get isRefreshing() {
        tracked = true
        return current.waiting && !Result.isInitial(current)
      },
      get result() {
        tracked = true
        return Result.map(current, choose)
      },
      refresh: () => registry.refresh(rx)
    }
    // the status says which of the cases of a reading it is
    return state as Reading<B, E | Unexpected>
  }
  let of: Result.Result<A, E> = start
  return {
    wants: (choice: (answer: A) => B) => {
      select = choice
    },
    subscribe: (changed: () => void) => registry.subscribe(rx, changed),
    snapshot: () => look(registry.get(rx)),
    server: () => look(brought.has(nameOf(rx) ?? "") ? registry.get(rx) : start),
    /** How things stand: the same as before as long as they do. */
    read: () => {
      const data = dataOf(current)
      if (last === undefined || of !== shown || data !== last.data) {
        last = said(data)
        of = shown
      }
      return last
    },
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
  const source = enabled ? rx : idle
  const clients = useClients()
  const { registry } = clients
  const view = React.useMemo(() => viewOf<A, E, unknown>(clients, source), [clients, source])
  view.wants(select)
  const result = React.useSyncExternalStore(view.subscribe, view.snapshot, view.server)
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
  if (Result.isFailure(result) && Option.isNone(Result.value(result))) {
    // React renders what has failed once more before it looks for a boundary, but not after this task
    setTimeout(() => caught.add(result))
    throw reading.error
  }
  return reading
}
