import * as Context from "effect4/Context"

export * from "effect4/Context"

/** A tag is a service. */
export type Tag<Identifier, Shape> = Context.Service<Identifier, Shape>
export type TagClass<Self, Id extends string, Shape> = Context.ServiceClass<Self, Id, Shape>

/** Its two type parameters come first, and its key last. */
export const Tag =
  <const Key extends string>(key: Key) =>
  <Self, Shape>() =>
    Context.Service<Self, Shape>()(key)

/** A reference is its own class, and has a key where it had a type parameter and then a key. */
export const Reference =
  <_Self>() =>
  <Shape>(key: string, options: { readonly defaultValue: () => Shape }) =>
    Context.Reference<Shape>(key, options)
