/**
 * The page's description of a method: its arguments, their types and its doc line, read off the SDK's sources.
 *
 * @since 0.1.0
 */

/**
 * The shape of a value, as an input needs it. `scalar` is a text, a number or a choice: `options` are all of its values if it is
 * `closed`, and with `json` it may also be an object or a list. `object` has fields. `json` is anything else.
 *
 * @since 0.1.0
 * @category models
 */
export type Shape =
  | {
      readonly kind: "scalar"
      readonly of: ReadonlyArray<"string" | "number" | "bigint" | "boolean">
      readonly options?: ReadonlyArray<string>
      readonly closed?: true
      readonly json?: true
    }
  | { readonly kind: "object"; readonly fields: ReadonlyArray<Argument> }
  | { readonly kind: "json" }

/**
 * An argument, or a field of one. `type` is its text in the sources.
 *
 * @since 0.1.0
 * @category models
 */
export interface Argument {
  readonly name: string
  readonly type: string
  readonly shape: Shape
  readonly optional?: true
  readonly doc?: string
}

/**
 * The kind of a method: the SDK's `MethodKind`, and `broadcast` for a write that is safe to repeat.
 *
 * @since 0.1.0
 * @category models
 */
export type MethodKind = "read" | "write" | "broadcast" | "stream" | "live"

/**
 * A method: its dotted path in the client, its kind, its doc line, its arguments and its answer, and its name on the wire.
 *
 * @since 0.1.0
 * @category models
 */
export interface Method {
  readonly path: string
  readonly kind: MethodKind
  readonly doc: string
  readonly args: ReadonlyArray<Argument>
  readonly returns: string
  readonly wire?: string
}

/**
 * All methods that were read: those of every family's nodes (`rpc.…`), and those of every service.
 *
 * @since 0.1.0
 * @category models
 */
export interface MethodTable {
  readonly families: Readonly<Record<string, ReadonlyArray<Method>>>
  readonly services: Readonly<Record<string, ReadonlyArray<Method>>>
}
