/**
 * The repetition of reads: after a while, by a schedule, or with every new block; but not while the page is hidden.
 *
 * @since 0.1.0
 */
import { Result, Rx } from "@effect-rx/rx-react"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import type { Sdk } from "../src/client/Sdk.js"
import { NoActiveNode } from "../src/data/SdkError.js"
import { CacheEntry, cacheRead, refetchIfStale } from "./CacheEntry.js"
import {
  type GetClient,
  makeCachedReadRx,
  makeLatestRx,
  streamWithClient,
  valueOf,
  withClient
} from "./Reactive.js"
import type { Refresh } from "./types.js"
import { toKey } from "./values.js"

type Source = Rx.Rx<Result.Result<unknown, unknown>>

/** Runs a function as soon as the page can be seen, once; returns the function that gives it up. */
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

const refreshers = new WeakMap<Source, Map<string, Rx.Rx<unknown>>>()

/** The Rx that is mounted beside a read to repeat it; subscribers with the same wish share it. */
export const makeRefresher = (
  rx: Source,
  refresh: Exclude<Refresh, false>,
  keepHidden: boolean,
  blocks: Source
): Rx.Rx<unknown> => {
  const known = refreshers.get(rx) ?? new Map<string, Rx.Rx<unknown>>()
  refreshers.set(rx, known)
  // durations are compared by their length
  const wish = refresh === "blocks" || Schedule.isSchedule(refresh) ? refresh : Duration.toMillis(refresh)
  const key = toKey([wish, keepHidden])
  const policy: Rx.Rx<unknown> =
    known.get(key) ??
    // it ends with the last subscriber, and not later
    Rx.setIdleTTL(
      Rx.make((get): Effect.Effect<unknown> => {
        // schedules may be made anew by every component that comes: none stays longer than it is used
        get.addFinalizer(() => known.delete(key))
        const turn = (done: () => void = () => {}): (() => void) =>
          runWhenVisible(keepHidden, () => {
            refetchIfStale(get.registry, rx)
            done()
          })
        if (refresh === "blocks") {
          let height = valueOf(get.once(blocks))
          let end = (): void => {}
          get.subscribe(blocks, (result) => {
            const next = valueOf(result)
            // the first height says where the chain is, and not that it has moved
            if (height !== undefined && next !== undefined && height !== next) {
              // the blocks that came while the page was hidden are one turn
              end()
              end = turn()
            }
            height = next
          })
          get.addFinalizer(() => end())
          return Effect.void
        }
        let turns = 0
        const taken = Effect.async<void>((resume) => {
          const done = (): void => resume(Effect.void)
          // the first turn was the read itself
          if (turns++ > 0) return Effect.sync(turn(done))
          done()
        })
        const schedule = Schedule.isSchedule(refresh) ? refresh : Schedule.spaced(refresh)
        return Effect.repeat(taken, schedule)
      }),
      0
    )
  known.set(key, policy)
  return policy
}

/** The height of a chain: at the time of the question, and from now on. */
export interface BlockHeight {
  readonly height: Rx.Rx<Result.Result<bigint, unknown>>
  readonly watch: Rx.Rx<Result.Result<bigint, unknown>>
}

type HeightEffect = Effect.Effect<bigint | number, unknown>

const isHeightCall = (value: unknown): value is () => HeightEffect =>
  typeof value === "function" && "height" in value

/** The height by the endpoint that has it, else by a look at all nodes. */
const fetchHeight = ({ network, nodes, rpc }: Sdk): Effect.Effect<bigint, unknown> => {
  // where the subscription is to slots, the question is for slots too
  const told: (() => HeightEffect) | undefined =
    Object.values(rpc).find(isHeightCall) ?? Reflect.get(rpc, "getSlot")
  if (told !== undefined) return Effect.map(told(), BigInt)
  return Effect.flatMap(Effect.zipRight(nodes.check, nodes.snapshot), (all) => {
    const height = Math.max(0, ...all.map(({ lastBlock }) => lastBlock))
    return height > 0
      ? Effect.succeed(BigInt(height))
      : new NoActiveNode({ network, type: "NORMAL", manual: false, reason: "no node tells its height" })
  })
}

interface HeadSubscriptions {
  readonly newHeads?: () => Stream.Stream<{ readonly number: string }, unknown>
  readonly slot?: () => Stream.Stream<{ readonly slot: bigint }, unknown>
}

/** Blocks as they come, where the chain's nodes tell of them. */
const subscribeHeads = ({ rpc }: Sdk): Stream.Stream<bigint, unknown> | undefined => {
  const { newHeads, slot }: HeadSubscriptions = Reflect.get(rpc, "subscribe") ?? {}
  return newHeads
    ? Stream.map(newHeads(), (head) => BigInt(head.number))
    : slot && Stream.map(slot(), (at) => at.slot)
}

/** The pause between questions for the height where nodes do not tell it, in milliseconds. */
const POLL_INTERVAL_MS = 10_000

export const makeBlockHeight = (
  client: GetClient,
  ready: Rx.Rx<Result.Result<{ readonly sdk: Sdk }, unknown>>,
  network: string
): BlockHeight => {
  const held = new CacheEntry({ network, path: "blockNumber", args: [] })
  // the answer of heightOf, or what somebody says in its place
  const height = cacheRead(
    makeCachedReadRx(held, (get) => withClient(client(get), fetchHeight)),
    held
  ) as BlockHeight["height"]
  const polled = makeRefresher(height, POLL_INTERVAL_MS, false, height)
  const told = makeLatestRx(streamWithClient(client, (sdk) => subscribeHeads(sdk) ?? Stream.empty))
  const watch: BlockHeight["watch"] = Rx.readable((get) => {
    const made = get(ready)
    if (Result.isSuccess(made) && subscribeHeads(made.value.sdk) !== undefined) {
      const heads = get(told)
      if (Result.isSuccess(heads)) return heads
    }
    // no node tells of blocks: none can, none has so far, or none does any more
    get.mount(polled)
    // a height that was held may be an old one
    if (Option.isNone(get.self()))
      queueMicrotask(() => refetchIfStale(get.registry, height, POLL_INTERVAL_MS))
    const asked = get(height)
    // the last height stays until there is an answer
    return Result.isInitial(asked) ? Result.waitingFrom(get.self<typeof asked>()) : asked
  })
  // an Rx that changes by itself never goes stale without subscribers: registries would not let go of its dependencies
  return { height, watch: Rx.setLazy(watch, false) }
}
