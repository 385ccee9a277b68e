/** Suspense: what a component throws while a read has no answer. */
import * as Option from "effect/Option"
import type { ResultRx } from "./CacheEntry.js"
import type { Snapshot } from "./ReadObserver.js"
import type * as Registry from "./Registry.js"
import * as Result from "./Result.js"

/** The promises that components suspend on, until the first result of each read. */
const firstResults = new WeakMap<ResultRx, Promise<void>>()

/** Whether a read has neither an answer nor an error yet. */
const isPending = (result: Result.Result<unknown, unknown>): boolean =>
  result.waiting && Option.isNone(Result.value(result))

/**
 * `awaitedFailures` ended a suspension. `caughtFailures` reached an error boundary. A component that renders with a failure that it has not
 * awaited, or that a boundary has caught before, starts anew, after a reset for example: it refetches.
 */
const awaitedFailures = new WeakSet<Result.Result<unknown, unknown>>()
const caughtFailures = new WeakSet<Result.Result<unknown, unknown>>()

/** Resolves with the first result. The registry keeps an answer for a second, until the components that wait for it have mounted. */
const waitForFirstResult = (
  registry: Registry.Registry,
  rx: ResultRx,
  isRepeated: boolean
): Promise<void> => {
  const pending = firstResults.get(rx)
  if (pending !== undefined) return pending
  const promise = new Promise<void>((resolve) => {
    const end = registry.subscribe(rx, (result) => {
      if (isPending(result) || !firstResults.delete(rx)) return
      awaitedFailures.add(result)
      resolve()
      setTimeout(end, Result.isSuccess(result) ? 1_000 : 0)
    })
    // a refresh notifies other components, and React forbids that during a render
    if (isRepeated) queueMicrotask(() => registry.refresh(rx))
  })
  firstResults.set(rx, promise)
  return promise
}

/** Whether a failure belongs to an earlier attempt, which a component that mounts now must not see. */
const isEarlierFailure = (result: Result.Result<unknown, unknown>): boolean =>
  Result.isFailure(result) &&
  Option.isNone(result.previousSuccess) &&
  (!awaitedFailures.has(result) || caughtFailures.has(result))

/** The promise that a component suspends on; undefined if there is an answer. Throws the error of a read without an answer. */
export const getSuspensePromise = (
  registry: Registry.Registry,
  rx: ResultRx,
  { reading, result }: Snapshot
): Promise<void> | undefined => {
  const isRepeated = isEarlierFailure(result)
  if (isPending(result) || isRepeated) return waitForFirstResult(registry, rx, isRepeated)
  if (reading.status !== "error" || reading.data !== undefined) return undefined
  // React renders a failed component once more in this task before it looks for a boundary, and must find the failure awaited. If only
  // `select` has thrown, the result is no failure, and the next render selects again
  if (Result.isFailure(result)) setTimeout(() => caughtFailures.add(result))
  throw reading.error
}
