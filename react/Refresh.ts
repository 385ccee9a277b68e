/**
 * The option `refresh`: repeats a read after a duration, by a schedule, or with every new block, and waits while the page is hidden.
 *
 * @since 0.1.0
 */
import { Result, Rx } from "@effect-rx/rx-react"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Sdk } from "../src/client/Sdk.js"
import { NoActiveNode } from "../src/data/SdkError.js"
import { CacheEntry, cacheRead, refetchIfStale } from "./CacheEntry.js"
import { findHeightCall } from "./heightCall.js"
import {
  effectAt,
  type GetClient,
  makeCachedReadRx,
  makeLatestRx,
  streamWithClient,
  valueOf,
  withClient
} from "./Reactive.js"
import { toKey } from "./values.js"

type Source = Rx.Rx<Result.Result<unknown, unknown>>

/** Runs a function once, as soon as the page is visible. Returns the function that cancels it. */
const runWhenVisible = (keepHidden: boolean, run: () => void): (() => void) => {
  const page: Document | undefined = globalThis.document
  const end = (): void => page?.removeEventListener("visibilitychange", look)
  const look = (): void => {
    if (!keepHidden && page?.visibilityState === "hidden") return
    end()
    run()
  }
  page?.addEventListener("visibilitychange", look)
  look()
  return end
}

/** The option `refresh` of a read that is repeated, with a duration in milliseconds. */
export type RefreshPolicy = "blocks" | number | Schedule.Schedule<unknown>

/** Starts a refetch as soon as the page is visible, and then calls `onDone`. Returns the function that cancels it. */
type Refetch = (onDone?: () => void) => () => void

/** Refetches with every new block. */
const refetchOnBlocks = (get: Rx.Context, blocks: Source, refetch: Refetch): void => {
  let height = valueOf(get.once(blocks))
  let cancel = (): void => {}
  get.subscribe(blocks, (result) => {
    const next = valueOf(result)
    // the first height says where the chain is, not that it has a new block
    if (height !== undefined && next !== undefined && height !== next) {
      // the blocks that come while the page is hidden are one refetch
      cancel()
      cancel = refetch()
    }
    height = next
  })
  get.addFinalizer(() => cancel())
}

/** Refetches with every step of a schedule but the first, which is the read itself. */
const refetchOnSchedule = (
  schedule: Schedule.Schedule<unknown>,
  refetch: Refetch
): Effect.Effect<unknown> => {
  let steps = 0
  const step = Effect.async<void>((resume) => {
    const onDone = (): void => resume(Effect.void)
    if (steps++ > 0) return Effect.sync(refetch(onDone))
    onDone()
  })
  return Effect.repeat(step, schedule)
}

const refreshers = new WeakMap<Source, Map<string, Rx.Rx<unknown>>>()

/** The Rx that repeats a read while it is mounted. Subscribers with an equal `refresh` share it. */
export const makeRefresher = (
  rx: Source,
  refresh: RefreshPolicy,
  keepHidden: boolean,
  blocks: Source
): Rx.Rx<unknown> => {
  const known = refreshers.get(rx) ?? new Map<string, Rx.Rx<unknown>>()
  refreshers.set(rx, known)
  const key = toKey([refresh, keepHidden])
  const refresher: Rx.Rx<unknown> =
    known.get(key) ??
    // ends with its last subscriber, without delay
    Rx.setIdleTTL(
      Rx.make((get): Effect.Effect<unknown> => {
        // a new subscriber may start it again
        known.set(key, refresher)
        // each component may make a schedule of its own, so an unused one must not stay in the map
        get.addFinalizer(() => known.delete(key))
        const refetch: Refetch = (onDone = () => {}) =>
          runWhenVisible(keepHidden, () => {
            refetchIfStale(get.registry, rx)
            onDone()
          })
        if (refresh !== "blocks")
          return refetchOnSchedule(Schedule.isSchedule(refresh) ? refresh : Schedule.spaced(refresh), refetch)
        refetchOnBlocks(get, blocks, refetch)
        return Effect.void
      }),
      0
    )
  return refresher
}

/** The height of a chain: `height` reads it once, `watch` follows it. */
export interface BlockHeight {
  readonly height: Rx.Rx<Result.Result<bigint, unknown>>
  readonly watch: Rx.Rx<Result.Result<bigint, unknown>>
}

/** Reads the height from the endpoint that has it, else from a health check of all nodes. */
const fetchHeight = (sdk: Sdk): Effect.Effect<bigint, unknown> => {
  const { network, nodes, rpc } = sdk
  const name = findHeightCall(rpc)
  if (name !== undefined)
    // the call answers a number or a bigint
    return Effect.map(
      effectAt(sdk, `rpc.${name}`, [], "read") as Effect.Effect<bigint | number, unknown>,
      BigInt
    )
  return Effect.flatMap(Effect.zipRight(nodes.check, nodes.snapshot), (all) => {
    const height = Math.max(0, ...all.map(({ lastBlock }) => lastBlock))
    return height > 0
      ? Effect.succeed(BigInt(height))
      : new NoActiveNode({
          network,
          type: "NORMAL",
          manual: false,
          reason: "no node has a height"
        })
  })
}

interface HeadSubscriptions {
  readonly newHeads?: () => Stream.Stream<{ readonly number: string }, unknown>
  readonly slot?: () => Stream.Stream<{ readonly slot: bigint }, unknown>
}

/** New blocks by subscription; undefined where the chain has none. */
const subscribeHeads = ({ rpc }: Sdk): Stream.Stream<bigint, unknown> | undefined => {
  const { newHeads, slot }: HeadSubscriptions = Reflect.get(rpc, "subscribe") ?? {}
  return newHeads
    ? Stream.map(newHeads(), (head) => BigInt(head.number))
    : slot && Stream.map(slot(), (at) => at.slot)
}

/** The pause between two reads of the height where there is no subscription, in milliseconds. */
const POLL_INTERVAL_MS = 10_000

export const makeBlockHeight = (
  client: GetClient,
  ready: Rx.Rx<Result.Result<{ readonly sdk: Sdk }, unknown>>,
  network: string
): BlockHeight => {
  const cacheEntry = new CacheEntry({ network, path: "blockNumber", args: [] })
  // the answer is a bigint, by fetchHeight or by setData
  const height = cacheRead(
    makeCachedReadRx(cacheEntry, (get) => withClient(client(get), fetchHeight)),
    cacheEntry
  ) as BlockHeight["height"]
  const subscribed = makeLatestRx(streamWithClient(client, (sdk) => subscribeHeads(sdk) ?? Stream.empty))
  const watch: BlockHeight["watch"] = Rx.readable((get) => {
    const made = get(ready)
    if (Result.isSuccess(made) && subscribeHeads(made.value.sdk) !== undefined) {
      const latest = get(subscribed)
      if (Result.isSuccess(latest)) return latest
    }
    // poll: the chain has no subscription, or it has not answered yet, or it has ended
    get.mount(makeRefresher(height, POLL_INTERVAL_MS, false, height))
    // a cached height may be old
    if (Option.isNone(get.self()))
      queueMicrotask(() => refetchIfStale(get.registry, height, POLL_INTERVAL_MS))
    const result = get(height)
    // keep the last height until there is an answer
    return Result.isInitial(result) ? Result.waitingFrom(get.self<typeof result>()) : result
  })
  // a lazy Rx that is never invalidated would keep its dependencies in the registry
  return { height, watch: Rx.setLazy(watch, false) }
}
