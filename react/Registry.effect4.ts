/** The registry of Effect 4's atoms under the name of rx. */
import * as AtomRegistry from "effect/reactivity/AtomRegistry"

export type Registry = AtomRegistry.AtomRegistry

/** Texts by key, until the atom of the key is read. */
const serialized = new WeakMap<Registry, Map<string, string>>()

/**
 * Makes a registry. `setSerializable` sets the text of the value that the atom with a key has when it is next read. That of Effect 4 does
 * not do: it runs an atom that has such a value all the same, so that a hydrated read depends on its client, and is requested as soon as
 * there is one.
 */
export const make = (options?: Parameters<typeof AtomRegistry.make>[0]): Registry => {
  const texts = new Map<string, string>()
  const registry = Object.assign(AtomRegistry.make(options), {
    setSerializable: (key: string, text: string) => void texts.set(key, text)
  })
  serialized.set(registry, texts)
  return registry
}

/** The text for a key, once. */
export const takeSerialized = (registry: Registry, key: string): string | undefined => {
  const texts = serialized.get(registry)
  const text = texts?.get(key)
  texts?.delete(key)
  return text
}
