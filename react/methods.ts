/** What hooks of a client's methods are made of: reads, and lists by pages. */
import { Result, Rx } from "@effect-rx/rx-react"
import * as React from "react"
import { lastItems } from "../src/services/internal/lastItems.js"
import { heldOf, showing } from "./Held.js"
import { isEmpty, valueOf } from "./Reactive.js"
import { type AnyOptions, itself, type Source, type Use } from "./Reading.js"
import { useEntry } from "./SdkProvider.js"
import type { Reading } from "./types.js"

/** A hook of methods, which asks for an answer, or for all that come. */
export const reads =
  (use: Use) =>
  (path: string, args: ReadonlyArray<unknown>, options: AnyOptions = {}): Reading<unknown, unknown> => {
    const entry = useEntry(options.network)
    return use(entry, entry.read(path, args), options).reading
  }

/** A hook of the read at a path, which takes one query. */
export const query = (use: Use, path: string) => (given: unknown, options?: AnyOptions) =>
  reads(use)(path, [given], options)

interface Pages {
  readonly done: boolean
  readonly items: ReadonlyArray<unknown>
}

export const nobody: ReadonlyArray<never> = []

/** A list without items is no error. */
const orEmpty = (result: Result.Result<Pages, unknown>): Result.Result<Pages, unknown> =>
  isEmpty(result) ? Result.success({ done: true, items: nobody }, { waiting: result.waiting }) : result

const lists = new WeakMap<object, Source<Pages>>()

/** What stands for a list stands for its pages. */
const listed = (placeholder: unknown): AnyOptions["placeholderData"] => {
  const pagesOf = (items: unknown): unknown => (items === undefined ? undefined : { done: true, items })
  return typeof placeholder === "function"
    ? (before: unknown) => pagesOf(placeholder((before as Pages | undefined)?.items))
    : placeholder === "previous"
      ? placeholder
      : pagesOf(placeholder)
}

/** A reading with more fields; its getters stay getters. It is the same object as long as both parts are. */
export const useAll = (reading: object, more: object): object =>
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it consists of, not an object that every render makes
  React.useMemo(
    () => Object.defineProperties({ ...more }, Object.getOwnPropertyDescriptors(reading)),
    [reading, ...Object.values(more)]
  )

/** A hook of the list at a path, which takes one query and comes page by page. */
export const pages =
  (use: Use, path: string) =>
  (given: unknown, options: AnyOptions = {}): object => {
    const entry = useEntry(options.network)
    const rx = entry.pages(path, [given])
    const list = lists.get(rx) ?? showing(Rx.setLazy(Rx.map(rx, orEmpty), false), heldOf(rx))
    lists.set(rx, list)
    const { placeholderData, select = itself, ...rest } = options
    const { reading, state } = use(entry, list, {
      ...rest,
      // the reading is that of a list
      select: (all) => select((all as Pages).items),
      placeholderData: listed(placeholderData)
    })
    const { isRefreshing } = reading
    const loaded = valueOf(state) as Pages | undefined
    const isBroken = Result.isFailure(state)
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
    return useAll(reading, { hasMore, isLoadingMore, loadMore })
  }
