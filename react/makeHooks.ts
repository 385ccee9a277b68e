/** What hooks of a client's methods are made of: reads, and lists by pages. */
import { Result, Rx } from "@effect-rx/rx-react"
import * as React from "react"
import { lastItems } from "../src/services/internal/lastItems.js"
import { attachEntry, cacheEntryOf } from "./CacheEntry.js"
import { isEmptyList, valueOf } from "./Reactive.js"
import { type AnyOptions, identity, type Source, type UseSource } from "./ReadObserver.js"
import { useNetworkEntry } from "./SdkProvider.js"
import type { Reading } from "./types.js"

/** A hook of methods, which asks for an answer, or for all that come. */
export const makeReadHook =
  (use: UseSource) =>
  (path: string, args: ReadonlyArray<unknown>, options: AnyOptions = {}): Reading<unknown, unknown> => {
    const entry = useNetworkEntry(options.network)
    return use(entry, entry.read(path, args), options).reading
  }

/** A hook of the read at a path, which takes one query. */
export const makeQueryHook = (use: UseSource, path: string) => (given: unknown, options?: AnyOptions) =>
  makeReadHook(use)(path, [given], options)

interface LoadedPages {
  readonly done: boolean
  readonly items: ReadonlyArray<unknown>
}

export const emptyList: ReadonlyArray<never> = []

/** A list without items is no error. */
const emptyToSuccess = (result: Result.Result<LoadedPages, unknown>): Result.Result<LoadedPages, unknown> =>
  isEmptyList(result) ? Result.success({ done: true, items: emptyList }, { waiting: result.waiting }) : result

const listSources = new WeakMap<object, Source<LoadedPages>>()

/** What stands for a list stands for its pages. */
const toPagesPlaceholder = (placeholder: unknown): AnyOptions["placeholderData"] => {
  const pagesOf = (items: unknown): unknown => (items === undefined ? undefined : { done: true, items })
  return typeof placeholder === "function"
    ? (before: unknown) => pagesOf(placeholder((before as LoadedPages | undefined)?.items))
    : placeholder === "previous"
      ? placeholder
      : pagesOf(placeholder)
}

/** A reading with more fields; its getters stay getters. It is the same object as long as both parts are. */
export const useMerged = (reading: object, more: object): object =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it consists of, not an object that every render makes
  React.useMemo(
    () => Object.defineProperties({ ...more }, Object.getOwnPropertyDescriptors(reading)),
    [reading, ...Object.values(more)]
  )

/** A hook of the list at a path, which takes one query and comes page by page. */
export const makePagesHook =
  (use: UseSource, path: string) =>
  (given: unknown, options: AnyOptions = {}): object => {
    const entry = useNetworkEntry(options.network)
    const rx = entry.pages(path, [given])
    const list =
      listSources.get(rx) ?? attachEntry(Rx.setLazy(Rx.map(rx, emptyToSuccess), false), cacheEntryOf(rx))
    listSources.set(rx, list)
    const { placeholderData, select = identity, ...rest } = options
    const { reading, sourceResult } = use(entry, list, {
      ...rest,
      // the reading is that of a list
      select: (all) => select((all as LoadedPages).items),
      placeholderData: toPagesPlaceholder(placeholderData)
    })
    const { isRefreshing } = reading
    const loaded = valueOf(sourceResult) as LoadedPages | undefined
    const isBroken = Result.isFailure(sourceResult)
    // the number of items at the time of the request for more
    const [asked, setAsked] = React.useState<number>()
    const hasMore = loaded?.done === false && !lastItems.has(Object(loaded.items.at(-1)))
    const isLoadingMore = hasMore && isRefreshing && asked === loaded.items.length
    const loadMore = React.useCallback(() => {
      if (!hasMore || isRefreshing) return
      setAsked(loaded.items.length)
      // a list that has broken off begins anew
      if (isBroken) entry.registry.refresh(rx)
      else entry.registry.set(rx, undefined)
    }, [entry, rx, isBroken, isRefreshing, hasMore, loaded])
    return useMerged(reading, { hasMore, isLoadingMore, loadMore })
  }
