import { scheduleTask } from "@effect-rx/rx-react/RegistryContext"
import * as React from "react"
import { type CachedRead, cacheEntryOf } from "./CacheEntry.js"
import { type Clients, useClients, useNetworkEntry } from "./SdkProvider.js"
import type { NetworkOptions } from "./types.js"
import { toKey } from "./values.js"

/** Has reads of a network asked for again: those that components look at now, the others with the next look at them. */
const invalidateReads = async (
  clients: Clients,
  network: string,
  isMeant: (read: CachedRead) => boolean
): Promise<void> => {
  const { registry } = clients
  const reads = [...registry.getNodes().values()].flatMap(({ rx }) => {
    const held = cacheEntryOf(rx)
    return held?.rx === rx && held.read.network === network && isMeant(held.read) ? [held] : []
  })
  await Promise.all(
    reads.map(({ observers, rx }) => {
      if (rx) registry.refresh(rx)
      return rx && observers.size > 0 ? clients.waitUntilSettled(rx) : undefined
    })
  )
  // components are told a moment later
  await new Promise<void>(scheduleTask)
}

/** Has reads of a network asked for again: of a method, with these arguments or any, or those that a predicate chooses. */
export const useAnyInvalidate = (options?: NetworkOptions) => {
  const clients = useClients()
  const { network } = useNetworkEntry(options?.network)
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
