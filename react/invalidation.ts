import { scheduleTask } from "@effect-rx/rx-react/RegistryContext"
import type { Network } from "../src/data/Network.js"
import { type CachedRead, heldOf } from "./Held.js"
import type { Clients } from "./SdkProvider.js"

/** Has reads of a network asked for again: those that components look at now, the others with the next look at them. */
export const invalidating = async (
  clients: Clients,
  network: Network,
  isMeant: (read: CachedRead) => boolean
): Promise<void> => {
  const { registry } = clients
  const reads = [...registry.getNodes().values()].flatMap(({ rx }) => {
    const held = heldOf(rx)
    return held?.rx === rx && held.read.network === network && isMeant(held.read) ? [held] : []
  })
  await Promise.all(
    reads.map(({ observers, rx }) => {
      if (rx) registry.refresh(rx)
      return rx && observers.size > 0 ? clients.settled(rx) : undefined
    })
  )
  // components are told a moment later
  await new Promise<void>(scheduleTask)
}
