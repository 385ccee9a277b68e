/**
 * The option `refresh`: repeats a read after a duration, by a schedule, or with every new block, and waits while the page is hidden.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Sdk } from "../src/client/Sdk.js"
import { NoActiveNode } from "../src/data/SdkError.js"
import { CacheEntry, cacheRead, type ResultRx, refetchIfStale } from "./CacheEntry.js"
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
import * as Result from "./Result.js"
import * as Rx from "./Rx.js"
import { toKey } from "./values.js"

/** Runs a function once, as soon as the page is visible. Returns the function that cancels it. */
const runWhenVisible = (keepHidden: boolean, run: () => void): (() => void) => {
  const page: Document | undefined = globalThis.document
  const end = (): void => page?.removeEventListener("visibilitychange", runIfVisible)
  const runIfVisible = (): void => {
    if (!keepHidden && page?.visibilityState === "hidden") return
    end()
    run()
  }
  page?.addEventListener("visibilitychange", runIfVisible)
  runIfVisible()
  return end
}

/** The option `refresh` of a read that is repeated, with a duration in milliseconds. */
export type RefreshPolicy = "blocks" | number | Schedule.Schedule<unknown>

/** Starts a refetch as soon as the page is visible, and then calls `onDone`. Returns the function that cancels it. */
type Refetch = (onDone?: () => void) => () => void

/** Refetches with every new block. */
const refetchOnBlocks = (get: Rx.Context, blocks: ResultRx, refetch: Refetch): void => {
  let height = valueOf(get.once(blocks))
  let cancel = (): void => {}
  get.subscribe(blocks, (result) => {
    const next = valueOf(result)
    // the first height says where the chain is, not that it has a new block
    if (height !== undefined && next !== undefined && height !== next) {
      // all blocks of the time while the page is hidden cause one refetch
      cancel()
      cancel = refetch()
    }
    height = next
  })
  get.addFinalizer(() => cancel())
}

/** Refetches with every step of a schedule except the first: the read itself is the first step. */
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

const refreshers = new WeakMap<ResultRx, Map<string, Rx.Rx<unknown>>>()

/** The Rx that repeats a read while it is mounted. Subscribers with an equal `refresh` share it. */
export const makeRefresher = (
  rx: ResultRx,
  refresh: RefreshPolicy,
  keepHidden: boolean,
  blocks: ResultRx
): Rx.Rx<unknown> => {
  const shared = refreshers.get(rx) ?? new Map<string, Rx.Rx<unknown>>()
  refreshers.set(rx, shared)
  const key = toKey([refresh, keepHidden])
  const refresher: Rx.Rx<unknown> =
    shared.get(key) ??
    // ends with its last subscriber, without delay
    Rx.setIdleTTL(
      Rx.make((get): Effect.Effect<unknown> => {
        // a new subscriber may start it again
        shared.set(key, refresher)
        // every component may bring a schedule of its own, so a refresher without subscribers leaves the map
        get.addFinalizer(() => shared.delete(key))
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
  readonly height: ResultRx<bigint>
  readonly watch: ResultRx<bigint>
}

/** Reads the height from the endpoint that has it, else from a health check of all nodes. */
const fetchHeight = (sdk: Sdk): Effect.Effect<bigint, unknown> => {
  const { network, nodes, rpc } = sdk
  const heightCall = findHeightCall(rpc)
  if (heightCall !== undefined)
    // the call answers a number or a bigint
    return Effect.map(
      effectAt(sdk, `rpc.${heightCall}`, [], "read") as Effect.Effect<bigint | number, unknown>,
      BigInt
    )
  return Effect.flatMap(Effect.zipRight(nodes.check, nodes.snapshot), (snapshots) => {
    const height = Math.max(0, ...snapshots.map(({ lastBlock }) => lastBlock))
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
  getClient: GetClient,
  ready: ResultRx<{ readonly sdk: Sdk }>,
  network: string
): BlockHeight => {
  const cacheEntry = new CacheEntry({ network, path: "blockNumber", args: [] })
  // the answer is a bigint, by fetchHeight or by setData
  const height = cacheRead(
    makeCachedReadRx(cacheEntry, (get) => withClient(getClient(get), fetchHeight)),
    cacheEntry
  ) as BlockHeight["height"]
  const heads = makeLatestRx(streamWithClient(getClient, (sdk) => subscribeHeads(sdk) ?? Stream.empty))
  const watch: BlockHeight["watch"] = Rx.readable((get) => {
    const client = get(ready)
    if (Result.isSuccess(client) && subscribeHeads(client.value.sdk) !== undefined) {
      const latest = get(heads)
      if (Result.isSuccess(latest)) return latest
    }
    // poll: the chain has no subscription, or the subscription has no block yet, or it has failed
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
