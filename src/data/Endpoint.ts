/**
 * The declaration language: an endpoint is one line of data, from which every surface is derived. No I/O happens here.
 *
 * ```ts
 * const endpoints = group({ query: "snake" }, {
 *   // a JSON-RPC method: argument tuple and result are types, everything else is data
 *   getBalance: rpc<[address: string, block?: BlockTag], bigint>("eth_getBalance").params(…).decode(quantity),
 *   // a REST route: the names in the template are inferred and required
 *   getStateRoot: get("/eth/v1/beacon/states/{stateId}/root").returns<Root>()
 * })
 * ```
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { BytesForm, BytesForms } from "./bytes.js"
import type { IntegerCodec } from "./integers.js"
import type { RestCallError, RpcCallError } from "./SdkError.js"

/**
 * The effect of repeating a call: none (`read`), the same once more (`write`: never sent twice after an ambiguous
 * failure), or none because it is signed (`broadcast`: safe to send again, to any node).
 *
 * @since 0.1.0
 * @category models
 */
export type Repeat = "read" | "write" | "broadcast"

/**
 * A block before the head, by its number or its hash.
 *
 * @since 0.1.0
 * @category models
 */
export type PastBlock = number | `0x${string}`

/**
 * What the interpreter checks of every call, whichever way it goes: the bytes among its arguments, and that the answer is of the
 * declared kind and about what was asked. It is data, so that a test can sweep all tables.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checks {
  /** The arguments that are bytes, by position, or by the name of a field of the one input. */
  readonly bytes?: BytesForms
  /** Paths in the result whose values are lists (`""`: the result itself, `"?"`: the result unless it is null): `null` there is an empty list. */
  readonly lists?: ReadonlyArray<string>
  /** Fields of the wire result that repeat an argument (path: position or name): another value is another thing's answer. */
  readonly echoes?: Readonly<Record<string, number | string>>
}

declare const Method: unique symbol

/**
 * A declared endpoint: `F` is the function that the Effect surface has in its place, `R` the effect of repeating it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Endpoint<out F, out R extends Repeat = Repeat> {
  readonly [Method]: readonly [F, R]
  readonly spec: Spec
}

/**
 * An answer that follows from one of the arguments, as a function of types: `answer` is written in terms of `this["choice"]`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Choice<C = unknown> {
  readonly choice: C
  readonly answer: unknown
}

/**
 * The answer by an argument of type `C`.
 *
 * @since 0.1.0
 * @category types
 */
export type AnswerBy<H extends Choice, C> = (H & { readonly choice: C })["answer"]

/**
 * The arguments of a call, with another type in the place `I`. Their names stay.
 *
 * @since 0.1.0
 * @category types
 */
export type Choosing<Args extends ReadonlyArray<unknown>, I extends number, C> = {
  readonly [K in keyof Args]: K extends `${I}` ? C : Args[K]
}

/** The argument at `I` of those that were given, where `Usual` stands for one that was left out. */
type Given<Args, I extends number, Usual> = `${I}` extends keyof Args
  ? Exclude<Args[`${I}`], undefined> | (undefined extends Args[`${I}`] ? Usual : never)
  : Usual

/**
 * The answer to given arguments of a function whose answer follows from one of them; of any other function nothing.
 *
 * @since 0.1.0
 * @category types
 */
export type AnswerTo<F, Args> =
  F extends Chosen<infer _Args, infer I, infer Usual, infer H extends Choice, infer _E>
    ? AnswerBy<H, Given<Args, I, Usual>>
    : never

declare const Chooses: unique symbol

/**
 * The mark of a function whose answer follows from its argument in the place `I`, where `Usual` stands for one that is left
 * out. The surfaces over a client make their own functions of it. No value has it: it is for types alone.
 *
 * @since 0.1.0
 * @category types
 */
export interface Chosen<
  in out Args extends ReadonlyArray<unknown>,
  in out I extends number,
  in out Usual extends Exclude<Args[I], undefined>,
  in out H extends Choice,
  out E
> {
  readonly [Chooses]: readonly [Args, I, Usual, H, E]
}

/**
 * A function of this kind, whatever its arguments and answers are.
 *
 * @since 0.1.0
 * @category types
 */
export interface AnyChosen {
  readonly [Chooses]: unknown
}

/**
 * A function whose answer follows from one of its arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface Chooser<
  in out Args extends ReadonlyArray<unknown>,
  in out I extends number,
  in out Usual extends Exclude<Args[I], undefined>,
  in out H extends Choice,
  out E
> extends Chosen<Args, I, Usual, H, E> {
  <const C extends Exclude<Args[I], undefined> = Usual>(
    ...args: Choosing<Args, I, C>
  ): Effect.Effect<AnswerBy<H, C>, E>
}

declare const ChoosesItems: unique symbol

/**
 * A function whose stream has items that follow from one of its arguments: a {@link Chooser} of streams, under a mark of its own.
 *
 * @since 0.1.0
 * @category types
 */
export interface StreamChooser<
  in out Args extends ReadonlyArray<unknown>,
  in out I extends number,
  in out Usual extends Exclude<Args[I], undefined>,
  in out H extends Choice,
  out E
> {
  readonly [ChoosesItems]: readonly [Args, I, Usual, H, E]
  <const C extends Exclude<Args[I], undefined> = Usual>(
    ...args: Choosing<Args, I, C>
  ): Stream.Stream<AnswerBy<H, C>, E>
}

/**
 * The data of a JSON-RPC method.
 *
 * @since 0.1.0
 * @category models
 */
export interface RpcSpec extends Checks {
  readonly kind: "rpc"
  readonly method: string
  readonly repeat: Repeat
  readonly archive?: boolean | ((...args: ReadonlyArray<never>) => boolean)
  readonly gateway?: boolean
  readonly params?: (...args: ReadonlyArray<never>) => unknown
  readonly decode?: (result: never) => unknown
  readonly accepted?: Accepted
  readonly height?: true
  readonly minTimeout?: number
  readonly numbers?: ReadonlyArray<string>
  readonly dual?: Dual
  readonly signed?: (params: unknown) => boolean
  readonly dialect?: Dialect
}

/**
 * A method that a chain has under two names: when the argument at `argument` is true, the `eth_` of its name gives way to
 * `prefix`. That argument is not sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dual {
  readonly argument: number
  readonly prefix: string
}

/**
 * The data of a REST route.
 *
 * @since 0.1.0
 * @category models
 */
export interface RestSpec extends Checks {
  readonly kind: "rest"
  readonly verb: "GET" | "POST" | "PUT" | "DELETE"
  readonly template: string
  readonly repeat: Repeat
  readonly archive?: boolean
  readonly gateway?: boolean
  readonly noContent?: boolean
  readonly text?: boolean
  readonly verbatim?: boolean
  readonly keep?: ReadonlyArray<string>
  readonly prepare?: (...args: ReadonlyArray<never>) => Readonly<Record<string, unknown>>
  readonly accepted?: Accepted
  readonly minTimeout?: number
  readonly signed?: (...args: ReadonlyArray<never>) => boolean
  readonly payload?: Payload
  readonly headers?: Readonly<Record<string, string>>
  readonly decode?: (result: never) => unknown
  readonly numbers?: ReadonlyArray<string>
  readonly dialect?: Dialect
}

/**
 * The body of a request: a JSON object of the input's fields (the default), the JSON of one field, one field as
 * it is (`bytes`: text or bytes, with its content type), a form of the fields, or nothing.
 *
 * @since 0.1.0
 * @category models
 */
export type Payload =
  | { readonly _tag: "field"; readonly name: string }
  | { readonly _tag: "bytes"; readonly name: string; readonly contentType: string }
  | { readonly _tag: "form" }
  | { readonly _tag: "none" }

/**
 * The data of an endpoint.
 *
 * @since 0.1.0
 * @category models
 */
export type Spec = RpcSpec | RestSpec

/**
 * How a broadcast that an earlier attempt has delivered is recognised (`known`, by the node's error message), and the
 * success that it stands for (`result`, from the call's wire parameters). By other words (`ambiguous`) a node says only that its
 * place on the chain is taken: that is the success it stands for if the method `by`, asked for the result, finds it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Accepted {
  readonly known: RegExp
  /** Made from the wire parameters (of a REST route: its one input) and the node's words. */
  readonly result: (params: ReadonlyArray<unknown>, said: string) => Promise<unknown>
  readonly ambiguous?: { readonly known: RegExp; readonly by: string }
}

/**
 * A JSON-RPC method under declaration.
 *
 * @since 0.1.0
 * @category combinators
 */
export interface Rpc<Args extends ReadonlyArray<unknown>, A, R extends Repeat>
  extends Endpoint<(...args: Args) => Effect.Effect<A, RpcCallError>, R> {
  /** Sent to an archive node: always, or when the arguments say so. Without it the group's rule decides. */
  archive(when?: (...args: Args) => boolean): Rpc<Args, A, R>
  /** Sent through the provider's gateway instead of a node of the pool. */
  gateway(): Rpc<Args, A, R>
  /** The wire parameters made from the arguments; without it they are the arguments. */
  params(encode: (...args: Args) => unknown): Rpc<Args, A, R>
  /** The result made from the wire result; an exception counts as the node's fault. */
  decode<W>(decode: (result: W) => A): Rpc<Args, A, R>
  /** May have an effect: never sent a second time after an ambiguous failure. */
  write(): Rpc<Args, A, "write">
  /** Signed: safe to send again; an "already known" on a resend is the success it stands for. */
  broadcast(accepted?: Accepted): Rpc<Args, A, "broadcast">
  /** Its result is the height of the chain: it shows when a node falls behind its own earlier answers. */
  height(): Rpc<Args, A, R>
  /** The node may take this long to answer, in milliseconds: limits that are shorter give way, and it is in no batch. */
  minTimeout(milliseconds: number): Rpc<Args, A, R>
  /** Of a write: whether these wire parameters carry signatures, so that sending them again is safe. */
  signed(when: (params: unknown) => boolean): Rpc<Args, A, R>
  /** The arguments that are bytes, by position: text that is none is refused before it is sent, and a `Uint8Array` is encoded. */
  bytes(forms: BytesForms): Rpc<Args, A, R>
  /** The result is a list, or has lists at these paths: `null` in their place is an empty one, anything else the node's fault. */
  lists(...paths: ReadonlyArray<string>): Rpc<Args, A, R>
  /** Fields of the wire result that repeat an argument, by its position: an answer about anything else is the node's fault. */
  echoes(fields: Readonly<Record<string, number | string>>): Rpc<Args, A, R>
  /** Key paths whose integers stay `number` in a group of `bigint` integers (`*` for any key, `[]` for any index). */
  numbers(paths: ReadonlyArray<string>): Rpc<Args, A, R>
  /** Its answer follows from the argument in the place `I`, where `Usual` stands for one that is left out. */
  choosing<I extends number, Usual extends Exclude<Args[I], undefined>, H extends Choice>(): Endpoint<
    Chooser<Args, I, Usual, H, RpcCallError>,
    R
  >
}

/** The names between braces of a route template (`{+…}`: with slashes), without those of `{?…}`, which go to the query. */
type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `?${string}` ? never : Name extends `+${infer Long}` ? Long : Name) | Names<Rest>
  : never

/** One flat input: the names of the template, the query and the body. Nothing to give: nothing to pass. */
type Input<P extends string, Q> = [P] extends [never]
  ? {} extends Q
    ? [input?: Q]
    : [input: Q]
  : [input: { readonly [K in P]: string | number | bigint } & Q]

/**
 * A REST route under declaration.
 *
 * @since 0.1.0
 * @category combinators
 */
export interface Rest<
  P extends string,
  Q,
  A,
  R extends Repeat,
  Args extends ReadonlyArray<unknown> = Input<P, Q>
> extends Endpoint<(...args: Args) => Effect.Effect<A, RestCallError>, R> {
  /** The query parameters (of a GET or DELETE; of a POST those that the template lists in `{?…}`). */
  query<Q2>(): Rest<P, Q & Q2, A, R>
  /** The fields of the JSON body. */
  body<B>(): Rest<P, Q & B, A, R>
  /** The type of the answer. */
  returns<A2>(): Rest<P, Q, A2, R, Args>
  /** The result made from the wire result; an exception counts as the node's fault. */
  decode<W>(decode: (result: W) => A): Rest<P, Q, A, R, Args>
  /** An empty answer is right: the call succeeds with nothing. */
  noContent(): Rest<P, Q, void, R, Args>
  /** The answer is plain text, not JSON. */
  text(): Rest<P, Q, string, R, Args>
  /** The body is the user's own data: its keys are never renamed. */
  verbatim(): Rest<P, Q, A, R, Args>
  /**
   * Names of fields, at any depth, whose values are the user's own data: no key inside them is renamed. `parent.name` is
   * the field only where it stands in that parent (or in an element of its list).
   */
  keep(...names: ReadonlyArray<string>): Rest<P, Q, A, R, Args>
  /** Arguments of its own in place of the one input; `prepare` makes the record of path, query and body from them. */
  args<Own extends ReadonlyArray<unknown>>(
    prepare: (...args: Own) => Readonly<Record<string, unknown>>
  ): Rest<P, Q, A, R, Own>
  /** The record that is sent (path, query and body), made from the input. */
  prepare(prepare: (...args: Args) => Readonly<Record<string, unknown>>): Rest<P, Q, A, R, Args>
  /** The whole JSON body is the value of this field. */
  whole(name: string): Rest<P, Q, A, R, Args>
  /** The body is this field as it is, text or bytes, of this content type. */
  raw(name: string, contentType: string): Rest<P, Q, A, R, Args>
  /** The body is a form (application/x-www-form-urlencoded). */
  form(): Rest<P, Q, A, R, Args>
  /** There is no body: everything that the route takes is in its path and query. */
  noBody(): Rest<P, Q, A, R, Args>
  /** Fields of the input that are sent as headers: field name to header name. */
  headers(names: Readonly<Record<string, string>>): Rest<P, Q, A, R, Args>
  /** Sent to an archive node. */
  archive(): Rest<P, Q, A, R, Args>
  /** Sent through the provider's gateway instead of a node of the pool. */
  gateway(): Rest<P, Q, A, R, Args>
  /** May have an effect: never sent a second time after an ambiguous failure. */
  write(): Rest<P, Q, A, "write", Args>
  /** Signed: safe to send again; an "already known" on a resend is the success it stands for. */
  broadcast(accepted?: Accepted): Rest<P, Q, A, "broadcast", Args>
  /** The node may take this long to answer, in milliseconds: the longest that an attempt or a call waits is not shorter. */
  minTimeout(milliseconds: number): Rest<P, Q, A, R, Args>
  /** Of a write: whether these arguments carry signatures, so that sending them again is safe. */
  signed(when: (...args: Args) => boolean): Rest<P, Q, A, R, Args>
  /** The fields of the input (or arguments, by position) that are bytes: text that is none is refused, a `Uint8Array` is encoded. */
  bytes(forms: BytesForms): Rest<P, Q, A, R, Args>
  /** The result is a list, or has lists at these paths: `null` in their place is an empty one, anything else the node's fault. */
  lists(...paths: ReadonlyArray<string>): Rest<P, Q, A, R, Args>
  /** Fields of the wire result that repeat an argument (by position) or field of the input: another's answer is the node's fault. */
  echoes(fields: Readonly<Record<string, number | string>>): Rest<P, Q, A, R, Args>
  /** Key paths whose integers stay `number` in a group of `bigint` integers. */
  numbers(paths: ReadonlyArray<string>): Rest<P, Q, A, R, Args>
  /** Its answer follows from the argument in the place `I`, where `Usual` stands for one that is left out. */
  choosing<I extends number, Usual extends Exclude<Args[I], undefined>, H extends Choice>(): Endpoint<
    Chooser<Args, I, Usual, H, RestCallError>,
    R
  >
}

/** The builder behind both kinds: every method returns a new one with one field more. */
class Builder {
  constructor(readonly spec: Spec) {}
  private set(fields: Readonly<Record<string, unknown>>): Builder {
    return new Builder({ ...this.spec, ...fields })
  }
  archive(when: unknown = true): Builder {
    return this.set({ archive: when })
  }
  gateway(): Builder {
    return this.set({ gateway: true })
  }
  params(params: unknown): Builder {
    return this.set({ params })
  }
  decode(decode: unknown): Builder {
    return this.set({ decode })
  }
  write(): Builder {
    return this.set({ repeat: "write" })
  }
  height(): Builder {
    return this.set({ height: true })
  }
  broadcast(accepted?: Accepted): Builder {
    return this.set({ repeat: "broadcast", ...(accepted === undefined ? {} : { accepted }) })
  }
  minTimeout(milliseconds: number): Builder {
    return this.set({ minTimeout: milliseconds })
  }
  signed(signed: unknown): Builder {
    return this.set({ signed })
  }
  numbers(numbers: ReadonlyArray<string>): Builder {
    return this.set({ numbers })
  }
  bytes(bytes: BytesForms): Builder {
    return this.set({ bytes })
  }
  lists(...lists: ReadonlyArray<string>): Builder {
    return this.set({ lists: lists.length === 0 ? [""] : lists })
  }
  echoes(echoes: unknown): Builder {
    return this.set({ echoes })
  }
  noContent(): Builder {
    return this.set({ noContent: true })
  }
  text(): Builder {
    return this.set({ text: true })
  }
  verbatim(): Builder {
    return this.set({ verbatim: true })
  }
  keep(...keep: ReadonlyArray<string>): Builder {
    return this.set({ keep })
  }
  args(prepare: unknown): Builder {
    return this.set({ prepare })
  }
  prepare(prepare: unknown): Builder {
    return this.set({ prepare })
  }
  whole(name: string): Builder {
    return this.set({ payload: { _tag: "field", name } })
  }
  raw(name: string, contentType: string): Builder {
    return this.set({ payload: { _tag: "bytes", name, contentType } })
  }
  form(): Builder {
    return this.set({ payload: { _tag: "form" } })
  }
  noBody(): Builder {
    return this.set({ payload: { _tag: "none" } })
  }
  headers(headers: unknown): Builder {
    return this.set({ headers })
  }
  choosing(): this {
    return this
  }
  query(): this {
    return this
  }
  body(): this {
    return this
  }
  returns(): this {
    return this
  }
}

/** The one place where data gets its types: a builder holds no value of `F`, so no code can check this. */
const makeEndpoint = <E>(spec: Spec): E => new Builder(spec) as E

/**
 * A JSON-RPC method: its arguments (with their names), its result, its name on the wire. A second argument that may be left out takes no
 * `number` but a bigint, text or options: `map` and `Effect.forEach` pass an index there. A test holds all tables to it, since a type that
 * refuses it costs each program a twentieth of the compiler's work.
 *
 * @since 0.1.0
 * @category constructors
 */
export const rpc = <Args extends ReadonlyArray<unknown>, A>(method: string): Rpc<Args, A, "read"> =>
  makeEndpoint({ kind: "rpc", method, repeat: "read" })

/**
 * The same method with a last argument that chooses its native name.
 *
 * @since 0.1.0
 * @category constructors
 */
export const dual = <Args extends ReadonlyArray<unknown>, A, R extends Repeat>(
  endpoint: Endpoint<(...args: never) => Effect.Effect<A, RpcCallError>, R>,
  how: Dual
): Rpc<Args, A, R> => {
  const { spec } = endpoint
  return makeEndpoint(spec.kind === "rpc" ? { ...spec, dual: how } : spec)
}

const rest =
  (verb: RestSpec["verb"]) =>
  <T extends string>(template: T): Rest<Names<T>, {}, unknown, "read"> =>
    makeEndpoint({ kind: "rest", verb, template, repeat: "read" })

/**
 * A route that is read with GET.
 *
 * @since 0.1.0
 * @category constructors
 */
export const get = /*#__PURE__*/ rest("GET")

/**
 * A route that is asked with POST. Fields outside of the template and its `{?…}` go to the JSON body.
 *
 * @since 0.1.0
 * @category constructors
 */
export const post = /*#__PURE__*/ rest("POST")

/**
 * A route that is asked with PUT.
 *
 * @since 0.1.0
 * @category constructors
 */
export const put = /*#__PURE__*/ rest("PUT")

/**
 * A route that is asked with DELETE.
 *
 * @since 0.1.0
 * @category constructors
 */
export const del = /*#__PURE__*/ rest("DELETE")

/**
 * How names are written on the wire. Ours are camelCase.
 *
 * @since 0.1.0
 * @category models
 */
export type Casing = "camel" | "snake" | "dash" | "dot"

/**
 * Whose fault an answer is that is no success:
 *
 * - `caller`: the request's (bad parameters, a reverted call); the caller gets it at once, and no node is harmed.
 * - `elsewhere`: nobody's; this node lacks data that another one may have (a pruned state, a newer block, a method).
 * - `node`: the node's, by its own words; another one is tried, and the probe tells whether this one is well. By a code that asks for a
 *   pause (`limits` of its dialect) the node gets that pause.
 * - `unclear`: nobody can tell from the answer; another node is tried, and the probe tells whether this one is well.
 *
 * @since 0.1.0
 * @category models
 */
export type Fault = "caller" | "elsewhere" | "node" | "unclear"

/**
 * The dialect of a group of endpoints. Groups nest, and an inner group overrides the outer one field by field.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dialect {
  /** Put before every route of the group. */
  readonly prefix?: string
  /** Case of query names; default camel (sent as written). */
  readonly query?: Casing
  /** Case of the body's field names, nested ones too, outside of the fields that endpoints keep; default camel. */
  readonly body?: Casing
  /** Case of the names in JSON-RPC parameters that are an object; default camel. */
  readonly names?: Casing
  /** JSON-RPC parameters: a list (default), one object (`named`), or a list of one object (`wrapped`). */
  readonly parameters?: "positional" | "named" | "wrapped"
  /** The bytes among the fields of arguments, by the names that mean the same in every call of the group (`byName` makes it). */
  readonly bytes?: BytesForm
  /**
   * The one form in which a text is compared with what an answer repeats, where the family writes the same value in several:
   * `undefined` if it has none, and then it is not compared. Without it, `0x` and the case of letters make no difference.
   */
  readonly canonical?: (text: string) => string | undefined
  /** Nodes answer JSON-RPC requests without an id (rippled): such an answer is ours. */
  readonly anonymous?: boolean
  /** Nodes answer JSON-RPC requests with the id as text, be it a number or not (TON): such an answer is ours. */
  readonly textIds?: boolean
  /** JSON-RPC methods outside of the table that only read: raw calls of them may be repeated. */
  readonly reads?: RegExp
  /** JSON-RPC methods outside of the table that send signed transactions: raw calls of them may be repeated, too. */
  readonly broadcasts?: RegExp
  /** The JavaScript type of JSON integers; default `number`, where an unsafe one is a typed error. */
  readonly integers?: IntegerCodec
  /**
   * Key paths whose integers stay `number` in every answer; an endpoint's own list replaces it. `**.name` is a name at any
   * depth, and `!**.name` the user's own data under it, in which names mean nothing and integers stay `bigint`.
   */
  readonly numbers?: ReadonlyArray<string>
  /** Which JSON-RPC calls belong on an archive node, by wire method and parameters. Raw calls follow it too. */
  readonly archive?: (method: string, params: unknown) => boolean
  /** The past block that a JSON-RPC call is about, by wire method and parameters, if nodes that lack it answer with nothing. */
  readonly past?: (method: string, params: unknown) => PastBlock | undefined
  /** `getRpcNodeUrl` tells the archive node of a network that has such, unless this is false. */
  readonly archiveUrl?: boolean
  /**
   * The codes by which nodes of this family say that they are asked too much, beside those of all families (429, -32429, -16429). Of an
   * error that is the node's by `classify`, they tell a rate limit from words.
   */
  readonly limits?: ReadonlyArray<number>
  /** Whose fault a JSON-RPC error is; where it is missing nobody can tell (`unclear`). */
  readonly classify?: (error: {
    readonly code: number
    readonly message: string
    readonly data?: unknown
  }) => Fault
  /** The chain's refusal inside an HTTP 200; nothing if the answer is a success. */
  readonly refusal?: (answer: unknown) => Refusal | undefined
  /**
   * Reads the body of a failed answer of a REST route, if it has the shape in which nodes of this family say no: then it
   * speaks of the request, or says whose fault it is. `answer` is undefined if the body (`text`) is no JSON. Where it yields
   * nothing the answer is not the family's: 5xx are the node's, 408 and 429 ask for a pause, and of other statuses nobody can tell.
   */
  readonly failure?: (answer: unknown, status: number, text: string) => Failure | undefined
  /** Everything in the group goes through the provider's gateway. */
  readonly gateway?: boolean
  /** REST calls that go to the provider say that a network is a testnet (`type=testnet`) if no key does. */
  readonly marked?: boolean
}

/**
 * A chain's refusal of a request, inside an answer that is no error by its status.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refusal {
  readonly message: string
  readonly code?: number
}

/**
 * The words of a node in an answer with a failed status, and whose fault that is.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure {
  readonly messages: ReadonlyArray<string>
  readonly fault: Fault
}

/** Where a group keeps its dialect: on the table itself, out of the way of its keys. */
const DialectKey: unique symbol = Symbol.for("effect-chains/Endpoint/dialect")

/**
 * Gives a table of endpoints (and groups) its dialect.
 *
 * @since 0.1.0
 * @category constructors
 */
export const group = <G extends object>(dialect: Dialect, endpoints: G): G =>
  Object.defineProperty({ ...endpoints }, DialectKey, { value: dialect })

/** An endpoint that keeps its dialect wherever it stands; a group keeps it by itself. */
const withDialect = (value: unknown, dialect: Dialect): unknown => {
  const spec = specOf(value)
  return spec === undefined ? value : makeEndpoint({ ...spec, dialect: { ...dialect, ...spec.dialect } })
}

/**
 * Two tables as one, where every endpoint keeps the dialect of the table that it comes from. Raw calls follow the first.
 *
 * @since 0.1.0
 * @category constructors
 */
export const merge = <A extends object, B extends object>(first: A, second: B): A & B => {
  const members = [first, second].flatMap((table) =>
    Object.entries(table).map(([name, value]) => [name, withDialect(value, dialectOf(table))])
  )
  return Object.defineProperty(Object.fromEntries(members), DialectKey, { value: dialectOf(first) })
}

/**
 * The dialect of a group, as declared.
 *
 * @since 0.1.0
 * @category getters
 */
export const dialectOf = (endpoints: object): Dialect =>
  (endpoints as { readonly [DialectKey]?: Dialect })[DialectKey] ?? {}

/**
 * The data of an endpoint, or nothing if the value is a group.
 *
 * @since 0.1.0
 * @category getters
 */
export const specOf = (value: unknown): Spec | undefined =>
  value instanceof Builder ? value.spec : undefined

/**
 * Thrown by a `decode` when the result is well-formed, but says that the arguments were wrong: no contract at the
 * address, say. The caller gets it as `InvalidArgument`, and no node is blamed.
 *
 * @since 0.1.0
 * @category errors
 */
export class Refused extends Error {}
