/**
 * Hydration: a server passes the answers of reads to the browser as text, and the browser does not request them again.
 *
 * @since 0.1.0
 */
import { networkIdOf } from "../src/data/definedNetworks.js"
import type { AnyNetwork } from "../src/data/Network.js"
import { type CacheEntry, cacheEntryOf, cacheKeyOf, type ResultRx } from "./CacheEntry.js"
import type { Path } from "./paths.js"
import type * as Registry from "./Registry.js"
import * as Result from "./Result.js"
import { listRx, makeSerializable } from "./reactivity.js"
import type { Answer, Arguments } from "./types.js"
import { toKey } from "./values.js"

/**
 * An answer that a server passes to the browser. `key` is the cache key of the read, `value` its answer as JSON with `bigint`s encoded.
 *
 * @since 0.1.0
 * @category models
 */
export interface DehydratedAnswer {
  readonly key: string
  readonly value: string
}

/**
 * Encodes an answer as JSON. A bigint is a string that begins with `#`, and a string that begins with `#` gets a second one. `at` is the
 * time of the answer in milliseconds since 1970, by default that of its decoding.
 */
export const encodeAnswer = (answer: unknown, at?: number): string =>
  JSON.stringify({ answer, at }, (_, value: unknown) =>
    typeof value === "bigint" || (typeof value === "string" && value[0] === "#") ? `#${value}` : value
  )

const reviveValue = (_: string, value: unknown): unknown =>
  typeof value !== "string" || value[0] !== "#"
    ? value
    : value[1] === "#"
      ? value.slice(1)
      : BigInt(value.slice(1))

/** Lets registries find an Rx by its cache key, and give it a hydrated answer as its value. */
export const makeHydratable = <R extends ResultRx>(rx: R, cacheEntry: CacheEntry): R =>
  cacheEntry.cacheKey === undefined
    ? rx
    : makeSerializable(rx, cacheEntry.cacheKey, (text) => {
        cacheEntry.hasAnswer = true
        const { answer, at }: { readonly answer?: unknown; readonly at?: number } = JSON.parse(
          text,
          reviveValue
        )
        return Result.success(answer, { timestamp: at })
      })

/**
 * The answers in a registry, for the provider's `initialValues` in the browser. It sends no requests, and leaves out files, and reads
 * that have no answer, have failed, or were invalidated.
 *
 * @since 0.1.0
 * @category components
 */
export const dehydrate = (registry: Registry.Registry): ReadonlyArray<DehydratedAnswer> =>
  listRx(registry).flatMap((rx) => {
    const key = cacheKeyOf(rx)
    // `registry.get` would refetch an invalidated answer
    if (key === undefined || cacheEntryOf(rx)?.isInvalidated) return []
    // an Rx with a cache key is a read
    const result = registry.get(rx as ResultRx)
    return Result.isSuccess(result) && !(result.value instanceof Uint8Array)
      ? [{ key, value: encodeAnswer(result.value) }]
      : []
  })

/**
 * Makes one of the provider's `initialValues` from an answer that the server has read itself.
 *
 * ```tsx
 * <SdkProvider config={config} initialValues={[initialValue("ethereum-mainnet", "rpc.getBalance", ["0x…"], 12n)]}>
 * ```
 *
 * @since 0.1.0
 * @category components
 */
export const initialValue = <N extends AnyNetwork, P extends Path<N, "read">>(
  network: N,
  path: P,
  args: Arguments<N, P>,
  answer: Answer<N, P>
): DehydratedAnswer => ({
  key: `${networkIdOf(network)} ${path} ${toKey(args)}`,
  value: encodeAnswer(answer)
})
