"use client"

/**
 * The hooks that steer what is held of reads: what is out of date, what will be looked at, and what an answer is going to be.
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
 * Says that answers are out of date: of a method, with any arguments or with these, or of the reads that a predicate chooses.
 *
 * @since 0.1.0
 * @category types
 */
export interface Invalidate<N extends AnyNetwork> {
  <P extends Path<N, "read">>(path: P, args?: Arguments<N, P>): Promise<void>
  (isMeant: (read: CachedRead) => boolean): Promise<void>
}

/**
 * The function that says of answers that they are out of date: `invalidate("address.getBalance")`, with arguments for one read
 * of a method, or with a predicate. What a component reads is asked for again at once, and the promise resolves when all of it
 * is answered; the rest is asked for when a component comes that reads it.
 *
 * @since 0.1.0
 * @category hooks
 */
export const useInvalidate: <N extends AnyNetwork = DefaultNetwork>(
  options?: NetworkOptions<N>
) => Invalidate<N> = useAnyInvalidate

/**
 * Asks for a read before a component does. An answer that is fresh is not asked for again. The promise never rejects.
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
 * The function that asks for a read before a component does: `prefetch("rpc.getBalance", [address])` on a link that the pointer
 * is over, for example. The answer is held for `gcTime`, as that of a component that is gone.
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
      await clients.waitUntilSettled(rx)
    },
    [clients, entry, defaults]
  )
}

/**
 * Says the answer of a read, or how it follows from the last one; a function that returns undefined changes nothing. Returns the
 * function that takes it back.
 *
 * @since 0.1.0
 * @category types
 */
export type SetData<N extends AnyNetwork> = <P extends Path<N, "read">>(
  path: P,
  args: Arguments<N, P>,
  next: Answer<N, P> | ((last: Answer<N, P> | undefined) => Answer<N, P> | undefined)
) => () => void

/** What is there of a read. Nothing is asked for. */
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
    const held = cacheEntryOf(rx)
    if (held) held.nextAnswer = Option.some(answer)
    // what is under way is older than this
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
    // somebody has said more since: what is left of it only the chain knows
    if (Option.isSome(before) && value.value === answer) put(before.value)
    else registry.refresh(rx)
  }
}

/**
 * The function that says what the answer of a read is, before the chain does: `setData("rpc.getBalance", [address], (wei) => …)`.
 * Components show it at once, and a request that is under way does not overwrite it. It returns the function that takes it back,
 * as `onMutate` of a write wants it.
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
