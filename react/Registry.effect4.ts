/** The registry of Effect 4's atoms under the name of rx. */
import type * as AtomRegistry from "effect/reactivity/AtomRegistry"

export { make } from "effect/reactivity/AtomRegistry"

export type Registry = AtomRegistry.AtomRegistry
