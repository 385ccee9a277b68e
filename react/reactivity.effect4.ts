"use client"

/**
 * `reactivity.ts` over Effect 4: its exports and their types as far as the hooks use them. Effect 4 has the registry itself, and the
 * hooks observe it with React's `useSyncExternalStore`, so that no package stands between.
 */
import * as Atom from "effect/reactivity/Atom"
import * as React from "react"
import * as Registry from "./Registry.js"
import type * as Rx from "./Rx.js"

export * as Result from "./Result.js"
export * as Rx from "./Rx.js"
export { Registry }

/** Queues a task: without a timer, whose delay browsers raise when timers start each other. */
const makeQueue = (): ((task: () => void) => void) => {
  if (typeof setImmediate === "function") return setImmediate
  const { port1, port2 } = new MessageChannel()
  const tasks: Array<() => void> = []
  port1.onmessage = () => tasks.shift()?.()
  return (task) => {
    tasks.push(task)
    port2.postMessage(null)
  }
}

const queue = /*#__PURE__*/ makeQueue()

/** Runs a function in a task of its own. Returns the function that cancels it. */
export const scheduleTask = (run: () => void): (() => void) => {
  let isCancelled = false
  queue(() => {
    if (!isCancelled) run()
  })
  return () => {
    isCancelled = true
  }
}

/** The registry of the provider above. */
export const RegistryContext = /*#__PURE__*/ React.createContext(
  /*#__PURE__*/ Registry.make({ scheduleTask, defaultIdleTTL: 400 })
)

/** Every Rx that has a value in a registry. */
export const listRx = (registry: Registry.Registry): ReadonlyArray<Rx.Rx<unknown>> =>
  [...registry.getNodes().values()].map(({ atom }) => atom)

/** Texts by key, until the atom of the key is read. */
const serialized = new WeakMap<Registry.Registry, Map<string, string>>()

/**
 * Lets registries find an Rx by a key. `decode` makes its value from the text that {@link setSerialized} has set for the key. A registry's
 * own preloaded values do not do: an atom that has one is built all the same, depends on its client from then on, and is read again when
 * there is one.
 */
export const makeSerializable = <R extends Rx.Rx<unknown>>(
  rx: R,
  key: string,
  decode: (text: string) => unknown
): R => {
  const { read } = rx
  return Object.assign(rx, {
    [Atom.SerializableTypeId]: { key, encode: (value: unknown) => value, decode },
    read: (get: Atom.AtomContext) => {
      const texts = serialized.get(get.registry)
      const text = texts?.get(key)
      if (text === undefined) return read(get)
      texts?.delete(key)
      return decode(text)
    }
  })
}

/** Sets the text of the value that the Rx with a key has when it is next read. */
export const setSerialized = (registry: Registry.Registry, key: string, text: string): void => {
  const texts = serialized.get(registry) ?? new Map<string, string>()
  serialized.set(registry, texts)
  texts.set(key, text)
}
