/**
 * The reactive values under the hooks. The other files of this folder take them from here alone, so that Effect 4 needs one
 * other module: `reactivity.effect4.ts` has the same exports over its atoms.
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
