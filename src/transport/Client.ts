/**
 * The interpreter of endpoint tables: a table and a transport in, an object of functions out. Also the types of that
 * object, and of its Promise counterpart.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Stream from "effect/Stream"
import { checkedBytes } from "../data/bytes.js"
import type { Result } from "../data/CallResult.js"
import {
  type AnswerBy,
  type AnyChosen,
  type Choice,
  type Chooser,
  type Choosing,
  type Chosen,
  type Dialect,
  dialectOf,
  type Endpoint,
  type Repeat,
  type RestSpec,
  type RpcSpec,
  type Spec,
  type StreamChooser,
  specOf
} from "../data/Endpoint.js"
import { type Integers, numberIntegers, UnsafeInteger } from "../data/integers.js"
import type { NetworkInfo } from "../data/Network.js"
import {
  type CallTimeout,
  InvalidArgument,
  type NoActiveNode,
  type RpcCallError,
  reasonOf
} from "../data/SdkError.js"
import { acceptedBy } from "../wire/accepted.js"
import { recase, recaseDeep } from "../wire/casing.js"
import { batch, decodeRest, decodeRpc, type JsonRpcRequest, nextId } from "../wire/jsonRpc.js"
import { parseLossless, parseTexts } from "../wire/lossless.js"
import { readerOf as resultReaderOf } from "../wire/results.js"
import { join, queryString, route } from "../wire/route.js"
import type { Call, CallError, TransportService } from "../wire/Transport.js"

export type { JsonRpcRequest } from "../wire/jsonRpc.js"

/**
 * The mark of a function that may have an effect: the effect of repeating it. Functions without it only read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Effectful<R extends Repeat = Repeat> {
  readonly repeat: R
}

/**
 * The Effect surface of a table: a function per endpoint, groups as nested objects. Writes and broadcasts are marked.
 *
 * @since 0.1.0
 * @category types
 */
export type Client<G> = {
  readonly [K in keyof G]: G[K] extends Endpoint<infer F, infer R>
    ? R extends "read"
      ? F
      : F & Effectful<R>
    : Client<G[K]>
}

/** A function with another answer. The other one of a function that chooses is a choice, too. */
type Answered<F, A> =
  F extends Chosen<infer Args, infer I, infer Usual, infer _H, infer E>
    ? Chooser<Args, I, Usual, Extract<A, Choice>, E>
    : F extends (...args: infer Args) => Effect.Effect<infer _A, infer E>
      ? F extends Effectful<infer R>
        ? ((...args: Args) => Effect.Effect<A, E>) & Effectful<R>
        : (...args: Args) => Effect.Effect<A, E>
      : F

/**
 * A client some of whose answers have fields of a chain's own: those of `A`, by their functions.
 *
 * @since 0.1.0
 * @category types
 */
export type Answering<C, A> = { readonly [K in keyof C]: K extends keyof A ? Answered<C[K], A[K]> : C[K] }

/**
 * The outcome of one request of a batch: the result, or why there is none, by whatever options.
 *
 * @since 0.1.0
 * @category types
 */
export type BatchItem = Either.Either<unknown, CallError>

/**
 * Options of a raw call. `integers` is the one type that all integers of the answer have, whatever their size; by default
 * it is the one that the chain's table declares. With `number`, a result with an integer above 2^53 is an error.
 *
 * @since 0.1.0
 * @category models
 */
export interface RawOptions {
  readonly integers?: "number" | "bigint" | "string"
}

/**
 * The calls that every JSON-RPC client has beside its table. Methods that no table knows count as writes: they are not sent
 * again when nobody knows whether they were done. Signed transactions are, and "already known" is then their success.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawRpc {
  /** Sends a whole JSON-RPC body with the caller's id, and yields its `result`. */
  readonly rawRpcCall: (<A = unknown>(
    body: JsonRpcRequest,
    options?: RawOptions
  ) => Effect.Effect<A, RpcCallError>) &
    Effectful<"write">
  /** Sends several bodies in one request; yields one outcome per body, in the order of the bodies. */
  readonly rawBatchRpcCall: ((
    bodies: ReadonlyArray<JsonRpcRequest>,
    options?: RawOptions
  ) => Effect.Effect<ReadonlyArray<BatchItem>, RpcCallError>) &
    Effectful<"write">
  /** The url of the node that calls go to now, with `path` behind it. A key in the url is part of it. */
  readonly getRpcNodeUrl: (path?: string) => Effect.Effect<string, NoActiveNode>
}

type WidenedChosen<F, More> =
  F extends Chosen<infer Args, infer I, infer Usual, infer H, infer E>
    ? Chooser<Args, I, Usual, H, E | More>
    : never

/** A member that calls nodes, with more errors. A write has its own alone; raw calls may be reads. */
type WidenedMember<K, F, More> = K extends "rawRpcCall"
  ? (<A = unknown>(body: JsonRpcRequest, options?: RawOptions) => Effect.Effect<A, RpcCallError | More>) &
      Effectful<"write">
  : F extends AnyChosen
    ? WidenedChosen<F, More>
    : F extends Effectful
      ? K extends "rawBatchRpcCall"
        ? F extends (...args: infer Args) => Effect.Effect<infer A, infer E>
          ? ((...args: Args) => Effect.Effect<A, E | More>) & Effectful<"write">
          : never
        : F
      : F extends (...args: infer Args) => Effect.Effect<infer A, infer E>
        ? // whatever is sent to nodes can be late
          CallTimeout extends E
          ? (...args: Args) => Effect.Effect<A, E | More>
          : F
        : F extends (...args: infer Args) => Stream.Stream<infer A, infer E>
          ? CallTimeout extends E
            ? (...args: Args) => Stream.Stream<A, E | More>
            : F
          : F extends (...args: never) => unknown
            ? F
            : F extends object
              ? Widened<F, More>
              : F

/**
 * A client, or services, whose reads of nodes can fail with more: with what the options or the configuration of all its
 * calls bring. Nothing more is the same client.
 *
 * @since 0.1.0
 * @category types
 */
export type Widened<C, More> = [More] extends [never]
  ? C
  : { readonly [K in keyof C]: WidenedMember<K, C[K], More> }

type ErrorOf<F> = F extends (...args: never) => Effect.Effect<unknown, infer E> ? E : never

/**
 * A function of the Promise surface whose answer follows from one of its arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface PromisedChooser<
  in out Args extends ReadonlyArray<unknown>,
  in out I extends number,
  in out Usual extends Exclude<Args[I], undefined>,
  in out H extends Choice,
  out E
> extends Chosen<Args, I, Usual, H, E> {
  <const C extends Exclude<Args[I], undefined> = Usual>(
    ...args: Choosing<Args, I, C>
  ): Promise<Result<AnswerBy<H, C>, E>>
}

/**
 * A function of the Promise surface whose iterable has items that follow from one of its arguments.
 *
 * @since 0.1.0
 * @category types
 */
export type PromisedStreamChooser<
  Args extends ReadonlyArray<unknown>,
  I extends number,
  Usual extends Exclude<Args[I], undefined>,
  H extends Choice,
  E
> = <const C extends Exclude<Args[I], undefined> = Usual>(
  ...args: Choosing<Args, I, C>
) => AsyncIterable<Result<AnswerBy<H, C>, E>>

type PromisedChosen<F> =
  F extends Chosen<infer Args, infer I, infer Usual, infer H, infer E>
    ? PromisedChooser<Args, I, Usual, H, E>
    : never

type PromisedRaw<K, F> = K extends "rawRpcCall"
  ? <A = unknown>(body: JsonRpcRequest, options?: RawOptions) => Promise<Result<A, ErrorOf<F>>>
  : (
      bodies: ReadonlyArray<JsonRpcRequest>,
      options?: RawOptions
    ) => Promise<Result<ReadonlyArray<Result<unknown, CallError>>, ErrorOf<F>>>

/**
 * The Promise surface of a client: the same names and arguments, and a `Result` in place of the Effect.
 *
 * @since 0.1.0
 * @category types
 */
export type Promised<C> = {
  readonly [K in keyof C]: K extends "rawRpcCall" | "rawBatchRpcCall"
    ? PromisedRaw<K, C[K]>
    : C[K] extends AnyChosen
      ? PromisedChosen<C[K]>
      : C[K] extends (...args: infer Args) => Effect.Effect<infer A, infer E>
        ? (...args: Args) => Promise<Result<A, E>>
        : C[K] extends StreamChooser<infer Args, infer I, infer Usual, infer H, infer E>
          ? PromisedStreamChooser<Args, I, Usual, H, E>
          : C[K] extends (...args: infer Args) => Stream.Stream<infer A, infer E>
            ? (...args: Args) => AsyncIterable<Result<A, E>>
            : C[K] extends (...args: never) => unknown
              ? C[K]
              : C[K] extends object
                ? Promised<C[K]>
                : C[K]
}

/**
 * The rules by which the calls of a network are routed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Routing {
  /** Calls are routed to archive nodes by the family's rule. */
  readonly archive: boolean
  /** Batches prefer an archive node, which has whatever they contain. */
  readonly batchArchive: boolean
}

/**
 * How calls are routed on a network.
 *
 * @since 0.1.0
 * @category getters
 */
export const routingOf = (info: NetworkInfo): Routing => ({
  archive: info.archive === true,
  batchArchive: info.loadBalanced === true
})

/** The height that an answer is, if it is one. Only numbers and texts are read: `Number` throws on some other values. */
const heightOf = (value: unknown): number =>
  typeof value === "bigint" || typeof value === "number" || typeof value === "string"
    ? Number(value)
    : Number.NaN

/** Endpoints have numbers, which keep their reads apart: two of the same method may read its answer differently. */
let kinds = 0

type Send = (...args: ReadonlyArray<never>) => Effect.Effect<unknown, CallError>

/** Marks a function for the surfaces over a client: it may have an effect, or it tells the height. */
const marked = (send: Send, spec: Spec): Send =>
  Object.assign(
    send,
    spec.repeat === "read" ? undefined : { repeat: spec.repeat },
    spec.kind === "rpc" && spec.height === true ? { height: true } : undefined
  )

const invalid = (call: string, error: unknown): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call, reason: reasonOf(error) }))

/** Arguments left out at the end are left out on the wire too; those in between are null. */
const trim = (params: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let length = params.length
  while (length > 0 && (params[length - 1] === undefined || params[length - 1] === null)) length--
  return length === params.length ? params : params.slice(0, length)
}

/** Refuses one argument more than a call takes: it would be lost. Parameters that go out as they are, the node counts. */
const atMost = (args: ReadonlyArray<unknown>, most: number): ReadonlyArray<unknown> => {
  const { length } = trim(args)
  if (length > most) {
    const takes = most === 0 ? "no arguments" : most === 1 ? "one argument" : `${most} arguments`
    throw new Error(`it takes ${takes}, and the call has ${length}`)
  }
  return args
}

/** Reads by which a chain is asked whether something is there. */
const finder = (dialect: Dialect, routing: Routing, transport: TransportService) => (method: string) =>
  compileRpc({ kind: "rpc", method, repeat: "read" }, dialect, routing, transport)

const compileRpc = (
  spec: RpcSpec,
  dialect: Dialect,
  routing: Routing,
  transport: TransportService
): ((...args: ReadonlyArray<unknown>) => Effect.Effect<unknown, CallError>) => {
  const { parse, stringify } = dialect.integers ?? numberIntegers
  const encode = spec.params as ((...args: ReadonlyArray<unknown>) => unknown) | undefined
  const read = resultReaderOf(spec, dialect)
  const when = spec.archive as boolean | ((...args: ReadonlyArray<unknown>) => boolean) | undefined
  const numbers = (spec.numbers ?? dialect.numbers ?? []).map((path) =>
    /^!?\*\*/.test(path) ? path : `result.${path}`
  )
  const { bytes, dual, patience, signed } = spec
  const native = dual === undefined ? spec.method : spec.method.replace(/^eth_/, dual.prefix)
  const kind = ++kinds
  const { bytes: named, names = "camel", parameters = "positional", past } = dialect
  const wrap = (params: unknown): unknown =>
    Array.isArray(params)
      ? trim(params)
      : parameters === "wrapped"
        ? [recaseDeep(params, names, [])]
        : recaseDeep(params, names, [])
  // a method of named parameters takes them as its one argument
  const natural = (own: ReadonlyArray<unknown>): unknown =>
    parameters === "positional" ? own : (atMost(own, 1)[0] ?? {})
  // an effect may be run again: an id belongs to one sending
  const send = (args: ReadonlyArray<unknown>): Effect.Effect<unknown, CallError> => {
    const id = nextId()
    const method = dual !== undefined && args[dual.argument] === true ? native : spec.method
    let own = dual === undefined ? args : args.filter((_, i) => i !== dual.argument)
    let params: unknown
    let text: string
    let archive: boolean
    try {
      if (bytes !== undefined) own = checkedBytes(bytes, own)
      if (named !== undefined) own = own.map((arg, i) => named(arg, `args[${i}]`, args))
      params = wrap(encode === undefined ? natural(own) : encode(...atMost(own, encode.length)))
      text = stringify(params)
      archive =
        routing.archive &&
        (when === undefined
          ? (dialect.archive?.(method, params) ?? false)
          : typeof when === "boolean"
            ? when
            : when(...args))
    } catch (error) {
      return invalid(method, error)
    }
    const isRead = spec.repeat === "read"
    const call: Call<unknown> = {
      label: method,
      repeat: signed?.(params) === true ? "broadcast" : spec.repeat,
      key: isRead ? `${kind} ${method} ${text}` : undefined,
      // others would wait for it in a list
      id: isRead && patience === undefined ? id : undefined,
      archive,
      gateway: spec.gateway ?? dialect.gateway ?? false,
      verb: "POST",
      path: dialect.prefix ?? "",
      body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${text}}`,
      decode: (reply) => decodeRpc(reply, { method, id, parse, numbers, decode: read?.(own), dialect }),
      heightOf: spec.height === true ? heightOf : undefined,
      patience,
      past: past && archive ? () => past(method, params) : undefined,
      accepted: spec.accepted && acceptedBy(spec.accepted, params, finder(dialect, routing, transport))
    }
    return transport.send(call)
  }
  return (...args: ReadonlyArray<unknown>) => Effect.suspend(() => send(args))
}

type Fields = Readonly<Record<string, unknown>>

const asFields = (input: unknown = {}): Fields => {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return { ...input }
  throw new Error(`the input must be an object, not ${Array.isArray(input) ? "a list" : String(input)}`)
}

/** A field that would be lost where the body is no object of the fields: it is one of them, or there is none. */
const lostOf = (payload: RestSpec["payload"], fields: Fields): string | undefined => {
  if (payload === undefined || payload._tag === "form") return undefined
  const own = payload._tag === "none" ? undefined : payload.name
  return Object.keys(fields).find((name) => name !== own)
}

/** The body of a request, and its content type where that is not JSON. */
const bodyOf = (
  spec: RestSpec,
  fields: Fields,
  stringify: (value: unknown) => string
): { readonly body: string | Uint8Array<ArrayBuffer> | Blob; readonly contentType?: string } => {
  const { payload } = spec
  if (payload === undefined || payload._tag === "none") return { body: stringify(fields) }
  if (payload._tag === "form") {
    return {
      body: queryString(Object.entries(fields)).slice(1),
      contentType: "application/x-www-form-urlencoded"
    }
  }
  const value = fields[payload.name]
  if (payload._tag === "field") return { body: stringify(value) }
  const { contentType } = payload
  if (typeof value === "string") return { body: value, contentType }
  if (value instanceof Uint8Array) return { body: new Uint8Array(value), contentType }
  if (value instanceof Blob) return { body: value, contentType }
  throw new Error(`${payload.name} must be text, bytes or a blob`)
}

const compileRest = (spec: RestSpec, dialect: Dialect, transport: TransportService): Send => {
  const { parse, stringify } = dialect.integers ?? numberIntegers
  const { build, path, query } = route(`${dialect.prefix ?? ""}${spec.template}`)
  const label = `${spec.verb} ${dialect.prefix ?? ""}${spec.template}`
  const prepare = spec.prepare as ((...args: ReadonlyArray<unknown>) => Fields) | undefined
  const read = resultReaderOf(spec, dialect)
  const signed = spec.signed as ((...args: ReadonlyArray<unknown>) => boolean) | undefined
  const queries = spec.verb === "GET" || spec.verb === "DELETE"
  const queryCase = dialect.query ?? "camel"
  const bodyCase = spec.verbatim ? "camel" : (dialect.body ?? "camel")
  const keep = spec.keep ?? []
  const headerNames = spec.headers ?? {}
  const { accepted, bytes, patience, noContent = false, text = false, numbers = dialect.numbers ?? [] } = spec
  const { bytes: named, classify, refusal, failure, limits } = dialect
  const options = { label, parse, numbers, noContent, text, limits, classify, refusal, failure }
  const kind = ++kinds
  const isRead = spec.verb === "GET" && spec.repeat === "read"
  const send = (given: ReadonlyArray<unknown>): Effect.Effect<unknown, CallError> => {
    let args = given
    const pairs: Array<readonly [string, unknown]> = []
    // without a prototype, so that a field may have any name
    const fields: Record<string, unknown> = Object.create(null)
    const headers: Record<string, string> = {}
    let target: string
    let body: string | Uint8Array<ArrayBuffer> | undefined
    let blob: Blob | undefined
    let sent: Fields
    try {
      atMost(args, prepare?.length ?? 1)
      if (bytes !== undefined) args = checkedBytes(bytes, args)
      const made = prepare === undefined ? asFields(args[0]) : prepare(...args)
      const input = named === undefined ? made : asFields(named(made, "", args))
      sent = input
      for (const name of path) {
        const value = input[name] ?? ""
        if (value === "") throw new Error(`${name} is missing`)
        // a url reads them as this folder and the one above
        if (value === "." || value === "..") throw new Error(`${name} must not be ${value}`)
      }
      for (const [name, value] of Object.entries(input)) {
        const header = Object.hasOwn(headerNames, name) ? headerNames[name] : undefined
        if (path.has(name) || value === undefined) continue
        if (header !== undefined) headers[header] = String(value)
        else if (queries || query.has(name)) pairs.push([recase(name, queryCase), value])
        else
          fields[recase(name, bodyCase)] = keep.includes(name)
            ? value
            : recaseDeep(value, bodyCase, keep, name)
      }
      const lost = lostOf(spec.payload, fields)
      if (lost !== undefined) throw new Error(`${lost} is not a field that it takes`)
      target = `${build(input)}${queryString(pairs)}`
      // a route that takes nothing is asked with nothing
      const bare = queries || spec.payload?._tag === "none"
      if (!bare && (args.length > 0 || Object.keys(fields).length > 0)) {
        const { body: content, contentType } = bodyOf(spec, fields, stringify)
        if (content instanceof Blob) blob = content
        else body = content
        if (contentType !== undefined) headers["content-type"] = contentType
      }
    } catch (error) {
      return invalid(label, error)
    }
    const call: Call<unknown> = {
      label,
      repeat: signed?.(...args) === true ? "broadcast" : spec.repeat,
      archive: spec.archive ?? false,
      gateway: spec.gateway ?? dialect.gateway ?? false,
      key: isRead
        ? `${kind} ${target}${spec.headers === undefined ? "" : JSON.stringify(headers)}`
        : undefined,
      verb: spec.verb,
      path: target,
      body,
      headers,
      patience,
      marked: dialect.marked,
      accepted: accepted && acceptedBy(accepted, [sent]),
      decode: (reply) => decodeRest(reply, { ...options, decode: read?.(args) })
    }
    return blob === undefined ? transport.send(call) : sendBlob(blob, call, transport)
  }
  return (...args: ReadonlyArray<unknown>) => Effect.suspend(() => send(args))
}

/** A blob has to be read before it can be sent, and sent again. */
const sendBlob = (blob: Blob, call: Call<unknown>, transport: TransportService): ReturnType<Send> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => blob.arrayBuffer(),
      catch: (error) => new InvalidArgument({ call: call.label, reason: reasonOf(error) })
    }),
    (bytes) => transport.send({ ...call, body: new Uint8Array(bytes) })
  )

/** The methods of a table by their names on the wire, which is how raw calls have them. */
const methodsOf = (endpoints: object, into: Map<string, RpcSpec> = new Map()): Map<string, RpcSpec> => {
  for (const value of Object.values(endpoints)) {
    const spec = specOf(value)
    if (spec === undefined) methodsOf(value, into)
    else if (spec.kind === "rpc") {
      into.set(spec.method, spec)
      if (spec.dual !== undefined) into.set(spec.method.replace(/^eth_/, spec.dual.prefix), spec)
    }
  }
  return into
}

const isRequest = (body: unknown): body is JsonRpcRequest => {
  if (typeof body !== "object" || body === null) return false
  const { id, method }: { readonly id?: unknown; readonly method?: unknown } = body
  const named = typeof id === "string" || Number.isSafeInteger(id) || (id ?? undefined) === undefined
  return typeof method === "string" && named
}

/** A reader of answers, by the type that integers are to have. */
type Reader = Integers["parse"]

/** Endpoints say which integers are to be numbers; a chain says which ones may be rounded (`rounded`). */
const numberReader =
  (parse: Reader, rounded: ReadonlyArray<string>): Reader =>
  (text) => {
    try {
      return parse(text, rounded, "result")
    } catch (error) {
      if (error instanceof UnsafeInteger)
        error.message += ': ask for { integers: "bigint" } or { integers: "string" }'
      throw error
    }
  }

/** The reader of a raw call's answer: its integers are as the caller or, if he does not say, the dialect wants them. */
const readerOf = ({
  integers: usual = numberIntegers,
  numbers = []
}: Dialect): ((options: RawOptions | undefined) => Reader) => {
  const isNumber = usual.isNumber ?? usual.parse === numberIntegers.parse
  const number = isNumber ? numberReader(usual.parse, numbers) : numberReader(numberIntegers.parse, [])
  const own: Reader = isNumber ? number : (text) => usual.parse(text, [], "result")
  return (options = {}) => {
    const { integers, ...others } = options
    const [other] = Object.keys(others)
    if (other !== undefined) throw new Error(`a raw call has no option ${other}`)
    if (integers === undefined) return own
    if (integers === "number") return number
    if (integers === "bigint") return parseLossless
    if (integers === "string") return parseTexts
    throw new Error('integers must be "number", "bigint" or "string"')
  }
}

/** The parts that raw calls over one table share. */
interface Raw {
  readonly dialect: Dialect
  readonly transport: TransportService
  readonly routing: Routing
  /** The methods of the table, by their names on the wire. */
  readonly known: ReadonlyMap<string, RpcSpec>
  readonly repeatOf: (request: JsonRpcRequest) => Repeat
  readonly acceptedOf: (request: JsonRpcRequest) => Call<unknown>["accepted"]
  readonly reader: (options: RawOptions | undefined) => Reader
  readonly stringify: Integers["stringify"]
  /** The fields that all of its requests share. */
  readonly sent: Pick<Call<unknown>, "gateway" | "verb" | "path">
  readonly kind: number
}

const rawCall =
  (raw: Raw) =>
  (request: JsonRpcRequest, options?: RawOptions): Effect.Effect<unknown, CallError> =>
    Effect.suspend(() => sendRaw(raw, request, options))

const sendRaw = (
  raw: Raw,
  request: JsonRpcRequest,
  options: RawOptions | undefined
): Effect.Effect<unknown, CallError> => {
  if (!isRequest(request)) {
    return invalid("rawRpcCall", "the body needs a method, and its id must be text or a whole number")
  }
  const { dialect, kind, known, routing, transport } = raw
  const { id: given, ...rest } = request
  const id = given ?? nextId()
  const { method, params } = request
  const repeat = raw.repeatOf(request)
  const { past } = dialect
  const archive = routing.archive && (dialect.archive?.(method, params) ?? false)
  // a request with an id of the caller's own goes out under that id, and is shared with nobody
  const isRead = repeat === "read" && typeof given !== "string" && typeof given !== "number"
  let text: string
  let parse: Reader
  try {
    parse = raw.reader(options)
    text = raw.stringify({ ...rest, jsonrpc: request.jsonrpc ?? "2.0" }).slice(0, -1)
  } catch (error) {
    return invalid(method, error)
  }
  return transport.send({
    label: method,
    repeat,
    key: isRead ? `${kind} ${options?.integers} ${text}` : undefined,
    id: isRead && typeof id === "number" ? id : undefined,
    archive,
    past: past && archive ? () => past(method, params) : undefined,
    ...raw.sent,
    body: `${text},"id":${JSON.stringify(id)}}`,
    decode: (reply) => decodeRpc(reply, { method, id, parse, numbers: [], decode: undefined, dialect }),
    ...(known.get(method)?.height && { heightOf }),
    accepted: raw.acceptedOf(request)
  })
}

/** The bodies of a batch with ids of their own. */
const numbered = (bodies: ReadonlyArray<JsonRpcRequest>) => {
  const taken = new Set(bodies.map((body) => body.id))
  const freeId = (): number => {
    const id = nextId()
    return taken.has(id) ? freeId() : id
  }
  return bodies.map((body) => ({ ...body, jsonrpc: body.jsonrpc ?? "2.0", id: body.id ?? freeId() }))
}

const rawBatch =
  (raw: Raw) =>
  (
    bodies: ReadonlyArray<JsonRpcRequest>,
    options?: RawOptions
  ): Effect.Effect<ReadonlyArray<BatchItem>, CallError> =>
    Effect.suspend(() => sendRawBatch(raw, bodies, options))

const sendRawBatch = (
  raw: Raw,
  bodies: ReadonlyArray<JsonRpcRequest>,
  options: RawOptions | undefined
): Effect.Effect<ReadonlyArray<BatchItem>, CallError> => {
  if (!Array.isArray(bodies) || bodies.length === 0 || !bodies.every(isRequest)) {
    return invalid(
      "rawBatchRpcCall",
      "a batch is a list of at least one JSON-RPC body with a method, whose id, if any, is text or a whole number"
    )
  }
  const { known, routing, transport } = raw
  const requests = numbered(bodies)
  if (new Set(requests.map((request) => request.id)).size !== requests.length) {
    return invalid("rawBatchRpcCall", "two bodies of the batch have the same id")
  }
  const listed = requests.filter(({ method }) => transport.isAlone?.(method) !== true)
  let body: string
  let parse: Reader
  try {
    parse = raw.reader(options)
    body = raw.stringify(listed)
  } catch (error) {
    return invalid("rawBatchRpcCall", error)
  }
  const tells = listed.map(({ method }) => known.get(method)?.height === true)
  const repeats = new Set(listed.map(raw.repeatOf))
  return batch(requests, listed, {
    ...raw,
    one: (request) => rawCall(raw)(request, options),
    parse,
    send: (decode, repeated) =>
      transport.send({
        label: `batch of ${listed.length}`,
        repeat: (["write", "broadcast"] as const).find((repeat) => repeats.has(repeat)) ?? "read",
        repeated,
        archive: routing.batchArchive,
        ...raw.sent,
        body,
        decode,
        heightOf: (outcomes) => {
          const found = outcomes.flatMap((each, i) =>
            tells[i] && each?._tag === "Right" ? [heightOf(each.right)] : []
          )
          return found.length === 0 ? undefined : Math.min(...found)
        }
      })
  })
}

/**
 * The raw calls over a table's dialect.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRaw = (endpoints: object, transport: TransportService, routing: Routing): RawRpc => {
  const dialect = dialectOf(endpoints)
  const known = methodsOf(endpoints)
  const raw: Raw = {
    dialect,
    transport,
    routing,
    known,
    repeatOf: ({ method, params }) => {
      const spec = known.get(method)
      return spec?.signed?.(params) === true || dialect.broadcasts?.test(method) === true
        ? "broadcast"
        : (spec?.repeat ?? (dialect.reads?.test(method) === true ? "read" : "write"))
    },
    acceptedOf: ({ method, params }) => {
      const accepted = known.get(method)?.accepted
      return accepted && acceptedBy(accepted, params, finder(dialect, routing, transport))
    },
    reader: readerOf(dialect),
    stringify: (dialect.integers ?? numberIntegers).stringify,
    sent: { gateway: dialect.gateway ?? false, verb: "POST", path: dialect.prefix ?? "" },
    kind: ++kinds
  }
  return {
    // the result has the type that the caller says: nothing can check it, as with JSON.parse
    rawRpcCall: Object.assign(rawCall(raw), { repeat: "write" }) as RawRpc["rawRpcCall"],
    // what options bring is added by the types of those that set them
    rawBatchRpcCall: Object.assign(rawBatch(raw), { repeat: "write" }) as RawRpc["rawBatchRpcCall"],
    getRpcNodeUrl: (path = "") =>
      Effect.map(transport.nodeUrl(routing.archive && dialect.archiveUrl !== false), (url) => join(url, path))
  }
}

/**
 * Makes the client of a table. Every endpoint is compiled once; a call only fills it in.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <G extends object>(
  endpoints: G,
  transport: TransportService,
  routing: Routing,
  outer: Dialect = {}
): Client<G> => {
  const dialect = { ...outer, ...dialectOf(endpoints) }
  const members = Object.entries(endpoints).map(([name, value]): readonly [string, unknown] => {
    const spec = specOf(value)
    if (spec === undefined) return [name, make(value, transport, routing, dialect)]
    // an endpoint of merged tables has the dialect of its own table, not that of the other one
    const own = spec.dialect === undefined ? dialect : { ...outer, ...spec.dialect }
    return [
      name,
      marked(
        spec.kind === "rpc" ? compileRpc(spec, own, routing, transport) : compileRest(spec, own, transport),
        spec
      )
    ]
  })
  // the members follow the table by construction, which a mapped type cannot express for Object.fromEntries
  return Object.fromEntries(members) as Client<G>
}

/**
 * Makes the client of a table of JSON-RPC methods, without raw calls: all that a client of a few picked endpoints needs.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRpc = <G extends object>(
  endpoints: G,
  transport: TransportService,
  routing: Routing
): Client<G> => {
  const dialect = dialectOf(endpoints)
  const members = Object.entries(endpoints).flatMap(
    ([name, value]): ReadonlyArray<readonly [string, Send]> => {
      const spec = specOf(value)
      return spec?.kind === "rpc"
        ? [[name, marked(compileRpc(spec, { ...dialect, ...spec.dialect }, routing, transport), spec)]]
        : []
    }
  )
  // the members follow the table by construction, which a mapped type cannot express for Object.fromEntries
  return Object.fromEntries(members) as Client<G>
}

/**
 * Makes the client of a table, without raw calls.
 *
 * @since 0.1.0
 * @category models
 */
export type MakeMethods = <G extends object>(endpoints: G) => Client<G>

/**
 * What composed methods are made of: clients of any table, and what those send by.
 *
 * @since 0.1.0
 * @category models
 */
export interface Connection {
  readonly methods: MakeMethods
  readonly transport: TransportService
  readonly routing: Routing
}

/**
 * A method that is no single call of its own table, as a value beside endpoints: `F` is the function that the Effect surface has in
 * its place.
 *
 * @since 0.1.0
 * @category models
 */
export interface Composed<out F> {
  readonly compose: (connection: Connection) => F
}

/**
 * The Effect surface of picked endpoints and composed methods.
 *
 * @since 0.1.0
 * @category types
 */
export type Picked<G> = {
  readonly [K in keyof G]: G[K] extends Composed<infer F> ? F : Client<Pick<G, K>>[K]
}

/**
 * Makes the client of a table: a family that makes calls of its own writes no more of it than it needs.
 *
 * @since 0.1.0
 * @category models
 */
export type MakeClient = <G extends object>(endpoints: G) => Client<G> & RawRpc

/**
 * Makes clients that send by a transport, with raw calls beside their tables.
 *
 * @since 0.1.0
 * @category constructors
 */
export const over =
  (transport: TransportService, routing: Routing): MakeClient =>
  (endpoints) => ({
    ...make(endpoints, transport, routing),
    ...makeRaw(endpoints, transport, routing)
  })
