import type * as Scopes from "effect4/Scope"

export * from "effect4/Scope"
export { provide as extend } from "effect4/Scope"

export type CloseableScope = Scopes.Closeable
