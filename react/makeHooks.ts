/** Makers of hooks: of a read, and of a list that comes page by page. */
import * as React from "react"
import { lastItems } from "../src/services/internal/lastItems.js"
import { attachEntry, type CacheEntry, cacheEntryOf, type ResultRx } from "./CacheEntry.js"
import { useNetworkClient } from "./ClientStore.js"
import { isEmptyList, valueOf } from "./Reactive.js"
import { type AnyOptions, identity } from "./ReadObserver.js"
import * as Result from "./Result.js"
import * as Rx from "./Rx.js"
import type { Reading } from "./types.js"
import type { UseRx } from "./useRx.js"

/** Makes the hook of any read, by path and arguments. */
export const makeReadHook =
  (useRx: UseRx) =>
  (path: string, args: ReadonlyArray<unknown>, options: AnyOptions = {}): Reading<unknown, unknown> => {
    const client = useNetworkClient(options.network)
    return useRx(client, client.read(path, args), options).reading
  }

/** Makes the hook of a read that takes one query. */
export const makeQueryHook = (useRx: UseRx, path: string) => (query: unknown, options?: AnyOptions) =>
  makeReadHook(useRx)(path, [query], options)

interface LoadedPages {
  readonly done: boolean
  readonly items: ReadonlyArray<unknown>
}

export const emptyList: ReadonlyArray<never> = []

/** The Rx of a list as components see it: an empty list is a success without items, while that of its pages fails. */
const makeListRx = (pages: ResultRx<LoadedPages>, entry: CacheEntry | undefined): ResultRx<LoadedPages> =>
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

const listsByPages = new WeakMap<object, ResultRx<LoadedPages>>()

/** Converts the option `placeholderData`: applications give the items of a list, and the list's Rx has pages. */
const toPagesPlaceholder = (placeholder: unknown): AnyOptions["placeholderData"] => {
  const toPages = (items: unknown): unknown => (items === undefined ? undefined : { done: true, items })
  return typeof placeholder === "function"
    ? (previous: unknown) => toPages(placeholder((previous as LoadedPages | undefined)?.items))
    : placeholder === "previous"
      ? placeholder
      : toPages(placeholder)
}

/** Adds fields to a reading. Its getters stay getters. Returns the same object until the reading or a field changes. */
export const useMerged = (reading: object, fields: object): object =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fields` is a new object in every render, so its values are compared
  React.useMemo(
    () => Object.defineProperties({ ...fields }, Object.getOwnPropertyDescriptors(reading)),
    [reading, ...Object.values(fields)]
  )

/** Makes the hook of a list that takes one query and comes page by page. */
export const makePagesHook =
  (useRx: UseRx, path: string) =>
  (query: unknown, options: AnyOptions = {}): object => {
    const client = useNetworkClient(options.network)
    const rx = client.pages(path, [query])
    const list = listsByPages.get(rx) ?? makeListRx(rx as ResultRx<LoadedPages>, cacheEntryOf(rx))
    listsByPages.set(rx, list)
    const { placeholderData, select = identity, ...rest } = options
    const { reading, result } = useRx(client, list, {
      ...rest,
      // components select from the items
      select: (pages) => select((pages as LoadedPages).items),
      placeholderData: toPagesPlaceholder(placeholderData)
    })
    const { isRefreshing } = reading
    const loaded = valueOf(result) as LoadedPages | undefined
    const hasFailed = Result.isFailure(result)
    // how many items the list had when `loadMore` requested the next page
    const [requestedAt, setRequestedAt] = React.useState<number>()
    const hasMore = loaded?.done === false && !lastItems.has(Object(loaded.items.at(-1)))
    const isLoadingMore = hasMore && isRefreshing && requestedAt === loaded.items.length
    const loadMore = React.useCallback(() => {
      if (!hasMore || isRefreshing) return
      setRequestedAt(loaded.items.length)
      // after a failure the list starts again from its first page
      if (hasFailed) client.registry.refresh(rx)
      else client.registry.set(rx, undefined)
    }, [client, rx, hasFailed, isRefreshing, hasMore, loaded])
    return useMerged(reading, { hasMore, isLoadingMore, loadMore })
  }
