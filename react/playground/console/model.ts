/**
 * What the page knows of a method: its arguments, their types and its doc line, read off the SDK's sources.
 *
 * @since 0.1.0
 */

/**
 * What a value looks like, as far as an input for it has to know: `scalar` is text, numbers and choices (`options`, which
 * are all there is if `closed`), `json` besides where objects and lists are allowed too; `object` has fields of its own;
 * `json` is anything else.
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
 * An argument, or a field of one. `type` is as the sources have it.
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
 * What a method does: the SDK's `MethodKind`, and `broadcast` for a write that is safe to repeat.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = "read" | "write" | "broadcast" | "stream" | "live"

/**
 * A method: its dotted path in the client, what it does, its doc line, what it takes and yields, and its name on the wire.
 *
 * @since 0.1.0
 * @category models
 */
export interface Method {
  readonly path: string
  readonly kind: Kind
  readonly doc: string
  readonly args: ReadonlyArray<Argument>
  readonly returns: string
  readonly wire?: string
}

/**
 * Everything that was read: the methods of every family's nodes (`rpc.…`), and those of every service.
 *
 * @since 0.1.0
 * @category models
 */
export interface AllMethods {
  readonly families: Readonly<Record<string, ReadonlyArray<Method>>>
  readonly services: Readonly<Record<string, ReadonlyArray<Method>>>
}
