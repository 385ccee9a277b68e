/** Makers of hooks: of a read, and of a list that comes page by page. */
import { Result, Rx } from "@effect-rx/rx-react"
import * as React from "react"
import { lastItems } from "../src/services/internal/lastItems.js"
import { attachEntry, type CacheEntry, cacheEntryOf } from "./CacheEntry.js"
import { isEmptyList, valueOf } from "./Reactive.js"
import { type AnyOptions, identity, type Source } from "./ReadObserver.js"
import { useNetworkEntry } from "./SdkProvider.js"
import type { Reading } from "./types.js"
import type { UseSource } from "./useSource.js"

/** Makes the hook of any read, by path and arguments. */
export const makeReadHook =
  (useRx: UseSource) =>
  (path: string, args: ReadonlyArray<unknown>, options: AnyOptions = {}): Reading<unknown, unknown> => {
    const entry = useNetworkEntry(options.network)
    return useRx(entry, entry.read(path, args), options).reading
  }

/** Makes the hook of a read that takes one query. */
export const makeQueryHook = (useRx: UseSource, path: string) => (given: unknown, options?: AnyOptions) =>
  makeReadHook(useRx)(path, [given], options)

interface LoadedPages {
  readonly done: boolean
  readonly items: ReadonlyArray<unknown>
}

export const emptyList: ReadonlyArray<never> = []

/** The Rx of a list whose items are shown: an empty list is a success without items. */
const makeListRx = (pages: Source<LoadedPages>, entry: CacheEntry | undefined): Source<LoadedPages> =>
  attachEntry(
    Rx.setLazy(
      Rx.map(pages, (result) =>
        isEmptyList(result)
          ? Result.success(
              { done: true, items: emptyList },
              { waiting: result.waiting, timestamp: entry?.pagedAt }
            )
          : result
      ),
      false
    ),
    entry
  )

const listSources = new WeakMap<object, Source<LoadedPages>>()

/** The placeholder of a list, as that of its pages. */
const toPagesPlaceholder = (placeholder: unknown): AnyOptions["placeholderData"] => {
  const pagesOf = (items: unknown): unknown => (items === undefined ? undefined : { done: true, items })
  return typeof placeholder === "function"
    ? (before: unknown) => pagesOf(placeholder((before as LoadedPages | undefined)?.items))
    : placeholder === "previous"
      ? placeholder
      : pagesOf(placeholder)
}

/** A reading with more fields. Its getters stay getters, and it is the same object as long as both parts are. */
export const useMerged = (reading: object, more: object): object =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: `more` is a new object in every render, so its values are compared
  React.useMemo(
    () => Object.defineProperties({ ...more }, Object.getOwnPropertyDescriptors(reading)),
    [reading, ...Object.values(more)]
  )

/** Makes the hook of a list that takes one query and comes page by page. */
export const makePagesHook =
  (useRx: UseSource, path: string) =>
  (given: unknown, options: AnyOptions = {}): object => {
    const entry = useNetworkEntry(options.network)
    const rx = entry.pages(path, [given])
    const list = listSources.get(rx) ?? makeListRx(rx as Source<LoadedPages>, cacheEntryOf(rx))
    listSources.set(rx, list)
    const { placeholderData, select = identity, ...rest } = options
    const { reading, result } = useRx(entry, list, {
      ...rest,
      // components select from the items
      select: (all) => select((all as LoadedPages).items),
      placeholderData: toPagesPlaceholder(placeholderData)
    })
    const { isRefreshing } = reading
    const loaded = valueOf(result) as LoadedPages | undefined
    const isBroken = Result.isFailure(result)
    // the number of items when the next page was requested
    const [requestedAt, setRequestedAt] = React.useState<number>()
    const hasMore = loaded?.done === false && !lastItems.has(Object(loaded.items.at(-1)))
    const isLoadingMore = hasMore && isRefreshing && requestedAt === loaded.items.length
    const loadMore = React.useCallback(() => {
      if (!hasMore || isRefreshing) return
      setRequestedAt(loaded.items.length)
      // after a failure the list starts again from its first page
      if (isBroken) entry.registry.refresh(rx)
      else entry.registry.set(rx, undefined)
    }, [entry, rx, isBroken, isRefreshing, hasMore, loaded])
    return useMerged(reading, { hasMore, isLoadingMore, loadMore })
  }
