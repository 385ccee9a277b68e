"use client"

/**
 * `reactivity.ts` over Effect 4: its exports and their types as far as the hooks use them. Effect 4 has the registry itself, and the
 * hooks observe it with React's `useSyncExternalStore`, so that no package stands between.
 */
import * as Atom from "effect/reactivity/Atom"
import * as React from "react"
import * as Registry from "./Registry.effect4.js"
import type * as Rx from "./Rx.effect4.js"

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

/** Lets registries find an Rx by a key. `decode` makes its value from the text that `setSerializable` has set for the key. */
export const makeSerializable = <R extends Rx.Rx<unknown>>(
  rx: R,
  key: string,
  decode: (text: string) => unknown
): R => {
  const { read } = rx
  return Object.assign(rx, {
    [Atom.SerializableTypeId]: { key, encode: (value: unknown) => value, decode },
    read: (get: Atom.AtomContext) => {
      const text = Registry.takeSerialized(get.registry, key)
      return text === undefined ? read(get) : decode(text)
    }
  })
}
