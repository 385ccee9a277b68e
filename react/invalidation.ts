import * as React from "react"
import { type CachedRead, cacheEntryOf } from "./CacheEntry.js"
import { type ClientStore, useClients, useNetworkClient } from "./ClientStore.js"
import { listRx, scheduleTask } from "./reactivity.js"
import type { NetworkOptions } from "./types.js"
import { toKey } from "./values.js"

/** Invalidates reads of a network. Observed reads are refetched at once, the others when a component next observes them. */
const invalidateReads = async (
  clients: ClientStore,
  network: string,
  isMeant: (read: CachedRead) => boolean
): Promise<void> => {
  const { registry } = clients
  const reads = listRx(registry).flatMap((rx) => {
    const cacheEntry = cacheEntryOf(rx)
    return cacheEntry?.rx === rx && cacheEntry.read.network === network && isMeant(cacheEntry.read)
      ? [cacheEntry]
      : []
  })
  await Promise.all(
    reads.map(({ observers, rx }) => {
      if (rx) registry.refresh(rx)
      return rx && observers.size > 0 ? clients.settle(rx) : undefined
    })
  )
  // components are notified in the next task
  await new Promise<void>(scheduleTask)
}

/** The untyped `useInvalidate`: a function that invalidates reads by path, by path and arguments, or by predicate. */
export const useAnyInvalidate = (options?: NetworkOptions) => {
  const clients = useClients()
  const { network } = useNetworkClient(options?.network)
  return React.useCallback(
    (match: string | ((read: CachedRead) => boolean), args?: ReadonlyArray<unknown>): Promise<void> => {
      const key = args && toKey(args)
      return invalidateReads(clients, network, (read) =>
        typeof match === "function"
          ? match(read)
          : read.path === match && (key === undefined || key === toKey(read.args))
      )
    },
    [clients, network]
  )
}
