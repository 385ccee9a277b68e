"use client"

/**
 * The hooks that control the cache of reads: invalidate answers, prefetch them, and set them.
 *
 * @since 0.1.0
 */
import { Result } from "@effect-rx/rx-react"
import * as Option from "effect/Option"
import * as React from "react"
import type { AnyNetwork } from "../src/data/Network.js"
import { type CachedRead, cacheEntryOf, cacheKeyOf, DEFAULT_STALE_MS, refetchIfStale } from "./CacheEntry.js"
import { useAnyInvalidate } from "./invalidation.js"
import type { Path } from "./paths.js"
import { type NetworkEntry, useClients, useNetworkEntry, useReadDefaults } from "./SdkProvider.js"
import type { Answer, Arguments, DefaultNetwork, NetworkOptions, ReadDefaults } from "./types.js"

/**
 * Invalidates answers: of a method, of a method with these arguments, or of the reads that a predicate selects.
 *
 * @since 0.1.0
 * @category types
 */
export interface Invalidate<N extends AnyNetwork> {
  <P extends Path<N, "read">>(path: P, args?: Arguments<N, P>): Promise<void>
  (isMeant: (read: CachedRead) => boolean): Promise<void>
}

/**
 * Returns the function that invalidates answers: `invalidate("address.getBalance")`, with arguments for one read of a method, or with a
 * predicate. Reads that a component shows are refetched at once, and the promise resolves when all of them have answered. The others are
 * refetched when a component next reads them.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useInvalidate: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => Invalidate<N> = useAnyInvalidate

/**
 * Reads before a component does, unless there is a fresh answer. The promise never rejects.
 *
 * @since 0.1.0
 * @category types
 */
export type Prefetch<N extends AnyNetwork> = <P extends Path<N, "read">>(
  path: P,
  args: Arguments<N, P>,
  options?: Pick<ReadDefaults, "gcTime" | "staleTime">
) => Promise<void>

/**
 * Returns the function that reads before a component does: `prefetch("rpc.getBalance", [address])` when the pointer is over a link, for
 * example. The cache keeps the answer for `gcTime`.
 *
 * @since 0.1.0
 * @category hooks
 */
export const usePrefetch = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): Prefetch<N> => {
  const clients = useClients()
  const entry = useNetworkEntry(options?.network)
  const defaults = useReadDefaults()
  return React.useCallback(
    async (path, args, given) => {
      const { gcTime, staleTime = DEFAULT_STALE_MS } = { ...defaults, ...given }
      const rx = entry.read(path, args)
      cacheEntryOf(rx)?.extendGcTime(gcTime)
      refetchIfStale(clients.registry, rx, staleTime)
      await clients.settle(rx)
    },
    [clients, entry, defaults]
  )
}

/**
 * Sets the answer of a read, or computes it from the last one. A function that returns undefined changes nothing. Returns the function
 * that undoes it.
 *
 * @since 0.1.0
 * @category types
 */
export type SetData<N extends AnyNetwork> = <P extends Path<N, "read">>(
  path: P,
  args: Arguments<N, P>,
  next: Answer<N, P> | ((last: Answer<N, P> | undefined) => Answer<N, P> | undefined)
) => () => void

/** The cached answer of a read. It sends no request. */
const findCached = ({ read, registry }: NetworkEntry, path: string, args: ReadonlyArray<unknown>) => {
  const rx = read(path, args)
  const isThere = registry.getNodes().has(cacheKeyOf(rx) ?? rx)
  return { rx, isThere, value: isThere ? Result.value(registry.get(rx)) : Option.none() }
}

const setAnswer = (
  entry: NetworkEntry,
  path: string,
  args: ReadonlyArray<unknown>,
  next: unknown
): (() => void) => {
  const { registry } = entry
  const put = (answer: unknown): void => {
    const { isThere, rx } = findCached(entry, path, args)
    const cacheEntry = cacheEntryOf(rx)
    if (cacheEntry) cacheEntry.nextAnswer = Option.some(answer)
    // a request in flight would answer with an older state
    if (isThere) registry.refresh(rx)
    registry.get(rx)
  }
  const { value: before } = findCached(entry, path, args)
  const answer: unknown = typeof next === "function" ? next(Option.getOrUndefined(before)) : next
  if (answer === undefined) return () => {}
  put(answer)
  return () => {
    const { rx, value } = findCached(entry, path, args)
    if (Option.isNone(value)) return
    // the answer has changed since, so only the chain knows the right one
    if (Option.isSome(before) && value.value === answer) put(before.value)
    else registry.refresh(rx)
  }
}

/**
 * Returns the function that sets the answer of a read before the chain has it:
 * `setData("rpc.getBalance", [address], (wei) => …)`. Components show it at once, and a request in flight does not overwrite it. It returns
 * the function that undoes it, for `onMutate` of a write.
 *
 * ```tsx
 * const setData = useSetData()
 * const { run } = useWrite("wallet.transferNative", {
 *   onMutate: () => setData("rpc.getBalance", [address], (wei = 0n) => wei - value),
 *   invalidates: ["rpc.getBalance"]
 * })
 * ```
 *
 * @since 0.1.0
 * @category hooks
 */
export const useSetData = <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
): SetData<N> => {
  const entry = useNetworkEntry(options?.network)
  return React.useCallback((path, args, next) => setAnswer(entry, path, args, next), [entry])
}
