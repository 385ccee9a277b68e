/**
 * What the hooks need of rx beside `Rx.ts`, `Result.ts` and `Registry.ts`. The other files of this folder take rx from these alone, so that
 * Effect 4 needs no other files than their twins, such as `reactivity.effect4.ts`.
 *
 * @since 0.1.0
 */
import { Rx as RxNamespace } from "@effect-rx/rx-react"
import type * as Registry from "./Registry.js"
import type * as Rx from "./Rx.js"

export { RegistryContext, scheduleTask } from "@effect-rx/rx-react/RegistryContext"

/** Every Rx that has a value in a registry. */
export const listRx = (registry: Registry.Registry): ReadonlyArray<Rx.Rx<unknown>> =>
  [...registry.getNodes().values()].map(({ rx }) => rx)

/** Lets registries find an Rx by a key. `decode` makes its value from the text that `setSerializable` has set for the key. */
export const makeSerializable = <R extends Rx.Rx<unknown>>(
  rx: R,
  key: string,
  decode: (text: string) => unknown
): R =>
  Object.assign(rx, { [RxNamespace.SerializableTypeId]: { key, encode: (value: unknown) => value, decode } })
