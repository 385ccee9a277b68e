import { type Registry, Result, type Rx } from "@effect-rx/rx-react"
import * as Cause from "effect/Cause"
import * as Option from "effect/Option"
import * as React from "react"
import type { Network } from "../src/Network.js"
import { Unexpected } from "../src/SdkError.js"
import { nameOf } from "./hydration.js"
import { refreshing } from "./Refresh.js"
import { type Clients, type Entry, useClients } from "./SdkProvider.js"
import type { Reading, ReadOptions } from "./types.js"
import { same } from "./values.js"

export type Source<A = unknown, E = unknown> = Rx.Rx<Result.Result<A, E>>

export type AnyOptions<A = unknown, B = unknown> = ReadOptions<Network, A, B>

const nothing = Result.initial<never, never>()
const awaited = Result.initial<never, never>(true)

/** The typed error of a cause; what nobody had foreseen has a type too. */
export const errorOf = <E>(cause: Cause.Cause<E>): E | Unexpected =>
  Option.getOrElse(Cause.failureOption(cause), () => new Unexpected({ defect: Cause.squash(cause) }))

/** What an Rx has, be it that it has failed since. */
export const valueOf = <A, E>(result: Result.Result<A, E>): A | undefined =>
  Option.getOrUndefined(Result.value(result))

/** Whether a component that does not look at whether an answer is under way sees a difference. */
const differ = (one: Result.Result<unknown, unknown>, other: Result.Result<unknown, unknown>): boolean =>
  one._tag !== other._tag ||
  valueOf(one) !== valueOf(other) ||
  (Result.isFailure(one) && Result.isFailure(other) && one.cause !== other.cause)

/** An Rx as one component sees it. */
const viewOf = <A, E, B>({ brought, registry }: Clients, rx: Source<A, E>, enabled: boolean) => {
  const start = (): Result.Result<A, E> => (enabled ? awaited : nothing)
  let current = start()
  let shown = current
  let selected: B | undefined
  let tracked = false
  const look = (result: Result.Result<A, E>): Result.Result<A, E> => {
    current = result
    if (differ(shown, current) || (tracked && shown.waiting !== current.waiting)) shown = current
    return shown
  }
  return {
    subscribe: (changed: () => void) => (enabled ? registry.subscribe(rx, changed) : () => {}),
    snapshot: () => look(enabled ? registry.get(rx) : nothing),
    server: () => look(enabled && brought.has(nameOf(rx) ?? "") ? registry.get(rx) : start()),
    read: (result: Result.Result<A, E>, select: (answer: A) => B): Reading<B, E | Unexpected> => {
      const choose = (answer: A): B => {
        const next = select(answer)
        if (!same(selected, next)) selected = next
        // it is the next one, or one that is equal to it
        return selected as B
      }
      const more = {
        get isRefreshing() {
          tracked = true
          return current.waiting && !Result.isInitial(current)
        },
        get result() {
          tracked = true
          return Result.map(current, choose)
        },
        refresh: () => {
          if (enabled) registry.refresh(rx)
        }
      }
      const reading = <S extends object>(state: S): S & typeof more =>
        Object.defineProperties(state, Object.getOwnPropertyDescriptors(more)) as S & typeof more
      if (Result.isSuccess(result)) {
        return reading({ status: "success", data: choose(result.value), error: undefined })
      }
      if (Result.isFailure(result)) {
        const data = Option.getOrUndefined(Option.map(Result.value(result), choose))
        return reading({ status: "error", data, error: errorOf(result.cause) })
      }
      return reading({ status: enabled ? "loading" : "idle", data: undefined, error: undefined })
    }
  }
}

const itself = <A>(answer: A): A => answer

/** What an Rx has for a component, which is rendered again when that changes. */
const useResult = <A, E>(
  entry: Entry,
  rx: Source<A, E>,
  { enabled = true, keepHidden = false, refresh = false, select = itself }: AnyOptions
) => {
  const clients = useClients()
  const view = React.useMemo(() => viewOf<A, E, unknown>(clients, rx, enabled), [clients, rx, enabled])
  const result = React.useSyncExternalStore(view.subscribe, view.snapshot, view.server)
  const policy =
    enabled && refresh !== false ? refreshing(rx, refresh, keepHidden, entry.blocks.watch) : undefined
  React.useEffect(
    () => (policy === undefined ? undefined : clients.registry.mount(policy)),
    [clients, policy]
  )
  const reading = React.useMemo(() => view.read(result, select), [view, result, select])
  return { registry: clients.registry, result, reading }
}

/** How a hook uses an Rx: it says how things stand, or waits. */
export type Use = (entry: Entry, rx: Source, options: AnyOptions) => Reading<unknown, unknown>

/** What every hook that reads is made of. */
export const useReading: Use = (entry, rx, options) => useResult(entry, rx, options).reading

const promises = new WeakMap<Source, Promise<void>>()

/** Settles with the first answer, which is kept a little for whoever waits for it. */
const firstAnswer = (registry: Registry.Registry, rx: Source): Promise<void> => {
  const known = promises.get(rx)
  if (known !== undefined) return known
  const promise = new Promise<void>((resolve) => {
    const end = registry.subscribe(rx, (result) => {
      if (Result.isInitial(result) || !promises.delete(rx)) return
      resolve()
      setTimeout(end, Result.isSuccess(result) ? 1_000 : 0)
    })
  })
  promises.set(rx, promise)
  return promise
}

/** The same, for components that wait for the first answer. */
export const useSuspenseReading: Use = (entry, rx, options) => {
  const { reading, registry, result } = useResult(entry, rx, { ...options, enabled: true })
  if (Result.isInitial(result)) {
    // React shows what it has to show meanwhile, and has the browser render the rest
    if (typeof window === "undefined") throw new Error("It is read in the browser")
    throw firstAnswer(registry, rx)
  }
  if (Result.isFailure(result) && Option.isNone(Result.value(result))) throw reading.error
  return reading
}
