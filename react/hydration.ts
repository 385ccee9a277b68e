/**
 * Answers of reads as text, from a server to a browser: the browser does not ask for them again.
 *
 * @since 0.1.0
 */
import { type Registry, Result, Rx } from "@effect-rx/rx-react"
import type { AnyNetwork } from "../src/data/Network.js"
import { type CacheEntry, cacheEntryOf, cacheKeyOf } from "./CacheEntry.js"
import type { Path } from "./paths.js"
import type { Answer, Arguments } from "./types.js"
import { toKey } from "./values.js"

/**
 * The answer of a read, ready for JSON: `key` names the read, `value` is the answer as text, with its `bigint`s.
 *
 * @since 0.1.0
 * @category models
 */
export interface DehydratedAnswer {
  readonly key: string
  readonly value: string
}

/** JSON with bigints, as texts behind a mark; texts that begin with the mark have it twice. Without `at` an answer is as new as its page. */
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

/** An Rx that registries know by its name: an answer that was brought from elsewhere is its value. */
export const makeHydratable = <R extends object>(rx: R, held: CacheEntry): R =>
  Object.assign(rx, {
    [Rx.SerializableTypeId]: {
      key: held.cacheKey,
      encode: (result: unknown) => result,
      decode: (text: string) => {
        held.hasAnswer = true
        const { answer, at }: { readonly answer?: unknown; readonly at?: number } = JSON.parse(
          text,
          reviveValue
        )
        return Result.success(answer, { timestamp: at })
      }
    }
  })

/**
 * The answers that a registry has of reads, for `initialValues` of the provider in the browser. Reads without an answer,
 * those that have failed or are out of date, and files are left out. Nothing is asked for.
 *
 * @since 0.1.0
 * @category components
 */
export const dehydrate = (registry: Registry.Registry): ReadonlyArray<DehydratedAnswer> =>
  [...registry.getNodes().values()].flatMap(({ rx }) => {
    const key = cacheKeyOf(rx)
    // one that is out of date would be asked for by the look at it
    if (key === undefined || cacheEntryOf(rx)?.isInvalidated) return []
    // an Rx with a name is a read
    const result: Result.Result<unknown, unknown> = registry.get(rx)
    return Result.isSuccess(result) && !(result.value instanceof Uint8Array)
      ? [{ key, value: encodeAnswer(result.value) }]
      : []
  })

/**
 * An answer that a server has got, as one of the provider's `initialValues`.
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
): DehydratedAnswer => ({ key: `${network} ${path} ${toKey(args)}`, value: encodeAnswer(answer) })
