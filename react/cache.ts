"use client"

/**
 * The hooks that control the cache of reads: invalidate answers, prefetch them, and set them.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as React from "react"
import type { AnyNetwork } from "../src/data/Network.js"
import { type CachedRead, cacheEntryOf, cacheKeyOf, DEFAULT_STALE_MS, refetchIfStale } from "./CacheEntry.js"
import { type NetworkClient, useClients, useNetworkClient, useReadDefaults } from "./ClientStore.js"
import { useAnyInvalidate } from "./invalidation.js"
import type { Path } from "./paths.js"
import * as Result from "./Result.js"
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
  const client = useNetworkClient(options?.network)
  const defaults = useReadDefaults()
  return React.useCallback(
    async (path, args, readOptions) => {
      const { gcTime, staleTime = DEFAULT_STALE_MS } = { ...defaults, ...readOptions }
      const rx = client.read(path, args)
      cacheEntryOf(rx)?.extendGcTime(gcTime)
      refetchIfStale(clients.registry, rx, staleTime)
      await clients.settle(rx)
    },
    [clients, client, defaults]
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

/** Looks up the answer of a read in the cache, without a request. */
const findCachedAnswer = ({ read, registry }: NetworkClient, path: string, args: ReadonlyArray<unknown>) => {
  const rx = read(path, args)
  const isCached = registry.getNodes().has(cacheKeyOf(rx) ?? rx)
  return { rx, isCached, value: isCached ? Result.value(registry.get(rx)) : Option.none() }
}

const setAnswer = (
  client: NetworkClient,
  path: string,
  args: ReadonlyArray<unknown>,
  next: unknown
): (() => void) => {
  const { registry } = client
  const storeAnswer = (answer: unknown): void => {
    const { isCached, rx } = findCachedAnswer(client, path, args)
    const cacheEntry = cacheEntryOf(rx)
    if (cacheEntry) cacheEntry.nextAnswer = Effect.succeed(answer)
    // aborts a request in flight, whose answer would be older
    if (isCached) registry.refresh(rx)
    registry.get(rx)
  }
  const { value: previous } = findCachedAnswer(client, path, args)
  const answer: unknown = typeof next === "function" ? next(Option.getOrUndefined(previous)) : next
  if (answer === undefined) return () => {}
  storeAnswer(answer)
  return () => {
    const { rx, value } = findCachedAnswer(client, path, args)
    if (Option.isNone(value)) return
    // if the answer has changed since, only the chain knows the right one
    if (Option.isSome(previous) && value.value === answer) storeAnswer(previous.value)
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
  const client = useNetworkClient(options?.network)
  return React.useCallback((path, args, next) => setAnswer(client, path, args, next), [client])
}
