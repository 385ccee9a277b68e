/**
 * What declarations of the Promise surface name of effect, for projects that have none: kinds of values that are told apart, and do
 * nothing. The build gives them these in the place of `effect/*`, so an editor shows the same names.
 */
declare const kind: unique symbol

interface Kind<out Name, out A = unknown, out E = unknown, out R = unknown> {
  readonly [kind]: () => readonly [Name, A, E, R]
}

export interface Effect<out A, out E = never, out R = never> extends Kind<"Effect", A, E, R> {}
export interface Stream<out A, out E = never, out R = never> extends Kind<"Stream", A, E, R> {}
export interface Layer<in A, out E = never, out R = never> extends Kind<"Layer", (a: A) => void, E, R> {}
export interface Exit<out A, out E = never> extends Kind<"Exit", A, E> {}
export interface Either<out A, out E = never> extends Kind<"Either", A, E> {}
export interface Schedule<out A, in I = unknown, out R = never>
  extends Kind<"Schedule", A, (i: I) => void, R> {}
export interface Redacted<out A = string> extends Kind<"Redacted", A> {}
export interface Context<in S> extends Kind<"Context", (s: S) => void> {}
export interface Scope extends Kind<"Scope"> {}
export interface Clock extends Kind<"Clock"> {}
export interface Span extends Kind<"Span"> {}
export interface SpanOptions extends Kind<"SpanOptions"> {}
export interface Tracer extends Kind<"Tracer"> {}
export interface HttpClient extends Kind<"HttpClient"> {}
export interface ConfigError extends Kind<"ConfigError"> {}

export interface Config<out A> extends Kind<"Config", A> {}
export declare namespace Config {
  export type Wrap<A> = A | Config<A>
}

export interface Metric<in out T, in I, out O> extends Kind<"Metric", T, (i: I) => void, O> {}
export declare namespace Metric {
  export type Counter<A> = Metric<"Counter", A, A>
}
export declare namespace MetricKeyType {
  export interface Histogram extends Kind<"MetricKeyType"> {}
}
export declare namespace MetricState {
  export interface Histogram extends Kind<"MetricState"> {}
}

export interface Tag<in out Self, in out Service> extends Kind<"Tag", (self: Self) => Self, Service> {}
export interface TagClass<Self, Id extends string, Service> extends Tag<Self, Service> {
  new (_: never): Kind<Id, Service>
  readonly key: Id
}
export interface ReferenceClass<Self, Id extends string, Service> extends TagClass<Self, Id, Service> {}
export interface SchemaClass<out A, out I = A, out R = never> extends Kind<"Schema", A, I, R> {
  new (_: never): Kind<"Schema", A>
}

/** Inputs of the data API are declared as schemas, from which their types follow. */
export interface Schema<out A, out I = A, out R = never> extends Kind<"Schema", A, I, R> {
  readonly Type: A
  readonly Encoded: I
}
export declare namespace Schema {
  export type AnyNoContext = Schema<unknown, unknown>
}
export interface filter<S extends Schema.AnyNoContext> extends Schema<S["Type"], S["Encoded"]> {}
export interface Union<M extends ReadonlyArray<Schema.AnyNoContext>>
  extends Schema<M[number]["Type"], M[number]["Encoded"]> {}
export interface NonEmptyArray<S extends Schema.AnyNoContext>
  extends Schema<
    readonly [S["Type"], ...ReadonlyArray<S["Type"]>],
    readonly [S["Encoded"], ...ReadonlyArray<S["Encoded"]>]
  > {}
export interface optional<out S extends Schema.AnyNoContext> extends Kind<"optional", S> {
  readonly from: S
}
export declare namespace Struct {
  export type Encoded<F> = {
    readonly [K in keyof F as F[K] extends optional<Schema.AnyNoContext> ? never : K]: F[K] extends Schema<
      unknown,
      infer I
    >
      ? I
      : never
  } & {
    readonly [K in keyof F as F[K] extends optional<Schema.AnyNoContext> ? K : never]?: F[K] extends optional<
      Schema<unknown, infer I>
    >
      ? I
      : never
  }
}
declare const text: Schema<string>
declare const amount: Schema<number>

export { amount as Number, text as String }

export interface YieldableError extends Error {}
export type DurationInput = number | bigint | `${number} ${string}`
export type Simplify<A> = { [K in keyof A]: A[K] } & {}
export type Equals<X, Y> = (<T>() => T extends X ? 1 : 2) extends <T>() => T extends Y ? 1 : 2 ? true : false
// biome-ignore lint/suspicious/noConfusingVoidType: an argument that may be left out
export type VoidIfEmpty<S> = keyof S extends never ? void : S
