/** Suspense: what a component throws while a read has no answer. */
import { type Registry, Result } from "@effect-rx/rx-react"
import * as Option from "effect/Option"
import type { Snapshot, Source } from "./ReadObserver.js"

/** The promises that components wait for. */
const firstAnswers = new WeakMap<Source, Promise<void>>()

/** Whether a read has neither an answer nor an error yet. */
const isPending = (result: Result.Result<unknown, unknown>): boolean =>
  result.waiting && Option.isNone(Result.value(result))

/**
 * Failures that components have waited for, and those that error boundaries have caught. A component that meets a failure of neither set,
 * or of the second one, was rendered after a reset: it refetches.
 */
const awaitedFailures = new WeakSet<Result.Result<unknown, unknown>>()
const caughtFailures = new WeakSet<Result.Result<unknown, unknown>>()

/** Settles with the first answer, which stays in the registry long enough for the components that wait for it. */
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
    // a refresh notifies other components, which React forbids while one renders
    if (isRepeated) queueMicrotask(() => registry.refresh(rx))
  })
  firstAnswers.set(rx, promise)
  return promise
}

/** Whether a failure belongs to an earlier attempt, which a component that mounts now must not see. */
const isEarlierFailure = (result: Result.Result<unknown, unknown>): boolean =>
  Result.isFailure(result) &&
  Option.isNone(result.previousSuccess) &&
  (!awaitedFailures.has(result) || caughtFailures.has(result))

/** The promise that a component suspends on, or undefined if there is an answer. Throws the error if there is one and no answer. */
export const getSuspensePromise = (
  registry: Registry.Registry,
  rx: Source,
  { reading, result }: Snapshot
): Promise<void> | undefined => {
  const isRepeated = isEarlierFailure(result)
  if (isPending(result) || isRepeated) return waitForFirstAnswer(registry, rx, isRepeated)
  if (reading.status !== "error" || reading.data !== undefined) return undefined
  // React renders a failed component once more in this task before it looks for a boundary. A selection that throws fails without
  // a failed result: it is only selected again
  if (Result.isFailure(result)) setTimeout(() => caughtFailures.add(result))
  throw reading.error
}
