/**
 * The interpreter of endpoint tables: a table and a transport in, an object of functions out. Also the types of that
 * object, and of its Promise counterpart.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import type * as Stream from "effect/Stream"
import { checkArgumentBytes } from "../data/bytes.js"
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
import { type IntegerCodec, numberIntegers, UnsafeInteger } from "../data/integers.js"
import type { NetworkInfo } from "../data/Network.js"
import {
  type CallTimeout,
  InvalidArgument,
  type NoActiveNode,
  type RpcCallError,
  reasonOf
} from "../data/SdkError.js"
import { makeAccepted } from "../wire/accepted.js"
import { recase, recaseDeep } from "../wire/casing.js"
import { decodeRest, decodeRpc, type JsonRpcRequest, nextId, sendBatch } from "../wire/jsonRpc.js"
import { parseIntegersAsText, parseLossless } from "../wire/lossless.js"
import { makeResultReader as resultReaderOf } from "../wire/resultReader.js"
import { joinUrl, parseRoute, toQueryString } from "../wire/route.js"
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
type WithAnswer<F, A> =
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
export type WithAnswers<C, A> = { readonly [K in keyof C]: K extends keyof A ? WithAnswer<C[K], A[K]> : C[K] }

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

type ChosenWithErrors<F, More> =
  F extends Chosen<infer Args, infer I, infer Usual, infer H, infer E>
    ? Chooser<Args, I, Usual, H, E | More>
    : never

/** A member that calls nodes, with more errors. A write has its own alone; raw calls may be reads. */
type MemberWithErrors<K, F, More> = K extends "rawRpcCall"
  ? (<A = unknown>(body: JsonRpcRequest, options?: RawOptions) => Effect.Effect<A, RpcCallError | More>) &
      Effectful<"write">
  : F extends AnyChosen
    ? ChosenWithErrors<F, More>
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
              ? WithErrors<F, More>
              : F

/**
 * A client, or services, whose reads of nodes can fail with more: with what the options or the configuration of all its
 * calls bring. Nothing more is the same client.
 *
 * @since 0.1.0
 * @category types
 */
export type WithErrors<C, More> = [More] extends [never]
  ? C
  : { readonly [K in keyof C]: MemberWithErrors<K, C[K], More> }

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
const toHeight = (value: unknown): number =>
  typeof value === "bigint" || typeof value === "number" || typeof value === "string"
    ? Number(value)
    : Number.NaN

/** Endpoints have numbers, which keep their reads apart: two of the same method may read its answer differently. */
let lastEndpointId = 0

type EndpointFunction = (...args: ReadonlyArray<never>) => Effect.Effect<unknown, CallError>

/** Marks a function for the surfaces over a client: it may have an effect, or it tells the height. */
const withMarks = (send: EndpointFunction, spec: Spec): EndpointFunction =>
  Object.assign(
    send,
    spec.repeat === "read" ? undefined : { repeat: spec.repeat },
    spec.kind === "rpc" && spec.height === true ? { height: true } : undefined
  )

const failWithInvalidArgument = (call: string, error: unknown): Effect.Effect<never, InvalidArgument> =>
  Effect.fail(new InvalidArgument({ call, reason: reasonOf(error) }))

/** Arguments left out at the end are left out on the wire too; those in between are null. */
const dropTrailingNulls = (params: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  let length = params.length
  while (length > 0 && (params[length - 1] === undefined || params[length - 1] === null)) length--
  return length === params.length ? params : params.slice(0, length)
}

/** Refuses one argument more than a call takes: it would be lost. Parameters that go out as they are, the node counts. */
const checkArgumentCount = (args: ReadonlyArray<unknown>, most: number): ReadonlyArray<unknown> => {
  const { length } = dropTrailingNulls(args)
  if (length > most) {
    const takes = most === 0 ? "no arguments" : most === 1 ? "one argument" : `${most} arguments`
    throw new Error(`it takes ${takes}, and the call has ${length}`)
  }
  return args
}

/** Reads by which a chain is asked whether something is there. */
const makeLookup = (dialect: Dialect, routing: Routing, transport: TransportService) => (method: string) =>
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
  const { bytes, dual, minTimeout, signed } = spec
  const native = dual === undefined ? spec.method : spec.method.replace(/^eth_/, dual.prefix)
  const kind = ++lastEndpointId
  const { bytes: named, names = "camel", parameters = "positional", past } = dialect
  const wrap = (params: unknown): unknown =>
    Array.isArray(params)
      ? dropTrailingNulls(params)
      : parameters === "wrapped"
        ? [recaseDeep(params, names, [])]
        : recaseDeep(params, names, [])
  // a method of named parameters takes them as its one argument
  const natural = (own: ReadonlyArray<unknown>): unknown =>
    parameters === "positional" ? own : (checkArgumentCount(own, 1)[0] ?? {})
  // an effect may be run again: an id belongs to one sending
  const send = (args: ReadonlyArray<unknown>): Effect.Effect<unknown, CallError> => {
    const id = nextId()
    const method = dual !== undefined && args[dual.argument] === true ? native : spec.method
    let own = dual === undefined ? args : args.filter((_, i) => i !== dual.argument)
    let params: unknown
    let text: string
    let archive: boolean
    try {
      if (bytes !== undefined) own = checkArgumentBytes(bytes, own)
      if (named !== undefined) own = own.map((arg, i) => named(arg, `args[${i}]`, args))
      params = wrap(encode === undefined ? natural(own) : encode(...checkArgumentCount(own, encode.length)))
      text = stringify(params)
      archive =
        routing.archive &&
        (when === undefined
          ? (dialect.archive?.(method, params) ?? false)
          : typeof when === "boolean"
            ? when
            : when(...args))
    } catch (error) {
      return failWithInvalidArgument(method, error)
    }
    const isRead = spec.repeat === "read"
    const call: Call<unknown> = {
      label: method,
      repeat: signed?.(params) === true ? "broadcast" : spec.repeat,
      deduplicationKey: isRead ? `${kind} ${method} ${text}` : undefined,
      // others would wait for it in a list
      id: isRead && minTimeout === undefined ? id : undefined,
      archive,
      gateway: spec.gateway ?? dialect.gateway ?? false,
      verb: "POST",
      path: dialect.prefix ?? "",
      body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${text}}`,
      decode: (reply) => decodeRpc(reply, { method, id, parse, numbers, decode: read?.(own), dialect }),
      heightOf: spec.height === true ? toHeight : undefined,
      minTimeout,
      pastBlock: past && archive ? () => past(method, params) : undefined,
      accepted: spec.accepted && makeAccepted(spec.accepted, params, makeLookup(dialect, routing, transport))
    }
    return transport.send(call)
  }
  return (...args: ReadonlyArray<unknown>) => Effect.suspend(() => send(args))
}

type Fields = Readonly<Record<string, unknown>>

const toFields = (input: unknown = {}): Fields => {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return { ...input }
  throw new Error(`the input must be an object, not ${Array.isArray(input) ? "a list" : String(input)}`)
}

/** A field that would be lost where the body is no object of the fields: it is one of them, or there is none. */
const findLostField = (payload: RestSpec["payload"], fields: Fields): string | undefined => {
  if (payload === undefined || payload._tag === "form") return undefined
  const own = payload._tag === "none" ? undefined : payload.name
  return Object.keys(fields).find((name) => name !== own)
}

/** The body of a request, and its content type where that is not JSON. */
const encodeBody = (
  spec: RestSpec,
  fields: Fields,
  stringify: (value: unknown) => string
): { readonly body: string | Uint8Array<ArrayBuffer> | Blob; readonly contentType?: string } => {
  const { payload } = spec
  if (payload === undefined || payload._tag === "none") return { body: stringify(fields) }
  if (payload._tag === "form") {
    return {
      body: toQueryString(Object.entries(fields)).slice(1),
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

const compileRest = (spec: RestSpec, dialect: Dialect, transport: TransportService): EndpointFunction => {
  const { parse, stringify } = dialect.integers ?? numberIntegers
  const { build, pathNames, queryNames } = parseRoute(`${dialect.prefix ?? ""}${spec.template}`)
  const label = `${spec.verb} ${dialect.prefix ?? ""}${spec.template}`
  const prepare = spec.prepare as ((...args: ReadonlyArray<unknown>) => Fields) | undefined
  const read = resultReaderOf(spec, dialect)
  const signed = spec.signed as ((...args: ReadonlyArray<unknown>) => boolean) | undefined
  const queries = spec.verb === "GET" || spec.verb === "DELETE"
  const queryCase = dialect.query ?? "camel"
  const bodyCase = spec.verbatim ? "camel" : (dialect.body ?? "camel")
  const keep = spec.keep ?? []
  const headerNames = spec.headers ?? {}
  const {
    accepted,
    bytes,
    minTimeout,
    noContent = false,
    text = false,
    numbers = dialect.numbers ?? []
  } = spec
  const { bytes: named, classify, refusal, failure, limits } = dialect
  const options = { label, parse, numbers, noContent, text, limits, classify, refusal, failure }
  const kind = ++lastEndpointId
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
      checkArgumentCount(args, prepare?.length ?? 1)
      if (bytes !== undefined) args = checkArgumentBytes(bytes, args)
      const made = prepare === undefined ? toFields(args[0]) : prepare(...args)
      const input = named === undefined ? made : toFields(named(made, "", args))
      sent = input
      for (const name of pathNames) {
        const value = input[name] ?? ""
        if (value === "") throw new Error(`${name} is missing`)
        // a url reads them as this folder and the one above
        if (value === "." || value === "..") throw new Error(`${name} must not be ${value}`)
      }
      for (const [name, value] of Object.entries(input)) {
        const header = Object.hasOwn(headerNames, name) ? headerNames[name] : undefined
        if (pathNames.has(name) || value === undefined) continue
        if (header !== undefined) headers[header] = String(value)
        else if (queries || queryNames.has(name)) pairs.push([recase(name, queryCase), value])
        else
          fields[recase(name, bodyCase)] = keep.includes(name)
            ? value
            : recaseDeep(value, bodyCase, keep, name)
      }
      const lost = findLostField(spec.payload, fields)
      if (lost !== undefined) throw new Error(`${lost} is not a field that it takes`)
      target = `${build(input)}${toQueryString(pairs)}`
      // a route that takes nothing is asked with nothing
      const bare = queries || spec.payload?._tag === "none"
      if (!bare && (args.length > 0 || Object.keys(fields).length > 0)) {
        const { body: content, contentType } = encodeBody(spec, fields, stringify)
        if (content instanceof Blob) blob = content
        else body = content
        if (contentType !== undefined) headers["content-type"] = contentType
      }
    } catch (error) {
      return failWithInvalidArgument(label, error)
    }
    const call: Call<unknown> = {
      label,
      repeat: signed?.(...args) === true ? "broadcast" : spec.repeat,
      archive: spec.archive ?? false,
      gateway: spec.gateway ?? dialect.gateway ?? false,
      deduplicationKey: isRead
        ? `${kind} ${target}${spec.headers === undefined ? "" : JSON.stringify(headers)}`
        : undefined,
      verb: spec.verb,
      path: target,
      body,
      headers,
      minTimeout,
      marksTestnet: dialect.marked,
      accepted: accepted && makeAccepted(accepted, [sent]),
      decode: (reply) => decodeRest(reply, { ...options, decode: read?.(args) })
    }
    return blob === undefined ? transport.send(call) : sendBlob(blob, call, transport)
  }
  return (...args: ReadonlyArray<unknown>) => Effect.suspend(() => send(args))
}

/** A blob has to be read before it can be sent, and sent again. */
const sendBlob = (
  blob: Blob,
  call: Call<unknown>,
  transport: TransportService
): ReturnType<EndpointFunction> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => blob.arrayBuffer(),
      catch: (error) => new InvalidArgument({ call: call.label, reason: reasonOf(error) })
    }),
    (bytes) => transport.send({ ...call, body: new Uint8Array(bytes) })
  )

/** The methods of a table by their names on the wire, which is how raw calls have them. */
const collectMethods = (endpoints: object, into: Map<string, RpcSpec> = new Map()): Map<string, RpcSpec> => {
  for (const value of Object.values(endpoints)) {
    const spec = specOf(value)
    if (spec === undefined) collectMethods(value, into)
    else if (spec.kind === "rpc") {
      into.set(spec.method, spec)
      if (spec.dual !== undefined) into.set(spec.method.replace(/^eth_/, spec.dual.prefix), spec)
    }
  }
  return into
}

const isJsonRpcRequest = (body: unknown): body is JsonRpcRequest => {
  if (typeof body !== "object" || body === null) return false
  const { id, method }: { readonly id?: unknown; readonly method?: unknown } = body
  const named = typeof id === "string" || Number.isSafeInteger(id) || (id ?? undefined) === undefined
  return typeof method === "string" && named
}

/** A reader of answers, by the type that integers are to have. */
type ParseAnswer = IntegerCodec["parse"]

/** Endpoints say which integers are to be numbers; a chain says which ones may be rounded (`rounded`). */
const makeNumberParser =
  (parse: ParseAnswer, rounded: ReadonlyArray<string>): ParseAnswer =>
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
const makeParserSelector = ({
  integers: usual = numberIntegers,
  numbers = []
}: Dialect): ((options: RawOptions | undefined) => ParseAnswer) => {
  const isNumber = usual.isNumber ?? usual.parse === numberIntegers.parse
  const number = isNumber
    ? makeNumberParser(usual.parse, numbers)
    : makeNumberParser(numberIntegers.parse, [])
  const own: ParseAnswer = isNumber ? number : (text) => usual.parse(text, [], "result")
  return (options = {}) => {
    const { integers, ...others } = options
    const [other] = Object.keys(others)
    if (other !== undefined) throw new Error(`a raw call has no option ${other}`)
    if (integers === undefined) return own
    if (integers === "number") return number
    if (integers === "bigint") return parseLossless
    if (integers === "string") return parseIntegersAsText
    throw new Error('integers must be "number", "bigint" or "string"')
  }
}

/** The parts that raw calls over one table share. */
interface RawContext {
  readonly dialect: Dialect
  readonly transport: TransportService
  readonly routing: Routing
  /** The methods of the table, by their names on the wire. */
  readonly methods: ReadonlyMap<string, RpcSpec>
  readonly repeatOf: (request: JsonRpcRequest) => Repeat
  readonly acceptedOf: (request: JsonRpcRequest) => Call<unknown>["accepted"]
  readonly selectParser: (options: RawOptions | undefined) => ParseAnswer
  readonly stringify: IntegerCodec["stringify"]
  /** The fields that all of its requests share. */
  readonly sharedFields: Pick<Call<unknown>, "gateway" | "verb" | "path">
  readonly endpointId: number
}

const makeRawCall =
  (raw: RawContext) =>
  (request: JsonRpcRequest, options?: RawOptions): Effect.Effect<unknown, CallError> =>
    Effect.suspend(() => sendRaw(raw, request, options))

const sendRaw = (
  raw: RawContext,
  request: JsonRpcRequest,
  options: RawOptions | undefined
): Effect.Effect<unknown, CallError> => {
  if (!isJsonRpcRequest(request)) {
    return failWithInvalidArgument(
      "rawRpcCall",
      "the body needs a method, and its id must be text or a whole number"
    )
  }
  const { dialect, endpointId, methods, routing, transport } = raw
  const { id: given, ...rest } = request
  const id = given ?? nextId()
  const { method, params } = request
  const repeat = raw.repeatOf(request)
  const { past } = dialect
  const archive = routing.archive && (dialect.archive?.(method, params) ?? false)
  // a request with an id of the caller's own goes out under that id, and is shared with nobody
  const isRead = repeat === "read" && typeof given !== "string" && typeof given !== "number"
  let text: string
  let parse: ParseAnswer
  try {
    parse = raw.selectParser(options)
    text = raw.stringify({ ...rest, jsonrpc: request.jsonrpc ?? "2.0" }).slice(0, -1)
  } catch (error) {
    return failWithInvalidArgument(method, error)
  }
  return transport.send({
    label: method,
    repeat,
    deduplicationKey: isRead ? `${endpointId} ${options?.integers} ${text}` : undefined,
    id: isRead && typeof id === "number" ? id : undefined,
    archive,
    pastBlock: past && archive ? () => past(method, params) : undefined,
    ...raw.sharedFields,
    body: `${text},"id":${JSON.stringify(id)}}`,
    decode: (reply) => decodeRpc(reply, { method, id, parse, numbers: [], decode: undefined, dialect }),
    ...(methods.get(method)?.height && { heightOf: toHeight }),
    accepted: raw.acceptedOf(request)
  })
}

/** The bodies of a batch with ids of their own. */
const withIds = (bodies: ReadonlyArray<JsonRpcRequest>) => {
  const taken = new Set(bodies.map((body) => body.id))
  const freeId = (): number => {
    const id = nextId()
    return taken.has(id) ? freeId() : id
  }
  return bodies.map((body) => ({ ...body, jsonrpc: body.jsonrpc ?? "2.0", id: body.id ?? freeId() }))
}

const makeRawBatch =
  (raw: RawContext) =>
  (
    bodies: ReadonlyArray<JsonRpcRequest>,
    options?: RawOptions
  ): Effect.Effect<ReadonlyArray<BatchItem>, CallError> =>
    Effect.suspend(() => sendRawBatch(raw, bodies, options))

const sendRawBatch = (
  raw: RawContext,
  bodies: ReadonlyArray<JsonRpcRequest>,
  options: RawOptions | undefined
): Effect.Effect<ReadonlyArray<BatchItem>, CallError> => {
  if (!Array.isArray(bodies) || bodies.length === 0 || !bodies.every(isJsonRpcRequest)) {
    return failWithInvalidArgument(
      "rawBatchRpcCall",
      "a batch is a list of at least one JSON-RPC body with a method, whose id, if any, is text or a whole number"
    )
  }
  const { methods, routing, transport } = raw
  const requests = withIds(bodies)
  if (new Set(requests.map((request) => request.id)).size !== requests.length) {
    return failWithInvalidArgument("rawBatchRpcCall", "two bodies of the batch have the same id")
  }
  const listed = requests.filter(({ method }) => transport.isSentAlone?.(method) !== true)
  let body: string
  let parse: ParseAnswer
  try {
    parse = raw.selectParser(options)
    body = raw.stringify(listed)
  } catch (error) {
    return failWithInvalidArgument("rawBatchRpcCall", error)
  }
  const tells = listed.map(({ method }) => methods.get(method)?.height === true)
  const repeats = new Set(listed.map(raw.repeatOf))
  return sendBatch(requests, listed, {
    ...raw,
    sendOne: (request) => makeRawCall(raw)(request, options),
    parse,
    send: (decode, onMaybeDelivered) =>
      transport.send({
        label: `batch of ${listed.length}`,
        repeat: (["write", "broadcast"] as const).find((repeat) => repeats.has(repeat)) ?? "read",
        onMaybeDelivered,
        archive: routing.batchArchive,
        ...raw.sharedFields,
        body,
        decode,
        heightOf: (outcomes) => {
          const found = outcomes.flatMap((each, i) =>
            tells[i] && each?._tag === "Right" ? [toHeight(each.right)] : []
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
export const makeRawRpc = (endpoints: object, transport: TransportService, routing: Routing): RawRpc => {
  const dialect = dialectOf(endpoints)
  const methods = collectMethods(endpoints)
  const raw: RawContext = {
    dialect,
    transport,
    routing,
    methods,
    repeatOf: ({ method, params }) => {
      const spec = methods.get(method)
      return spec?.signed?.(params) === true || dialect.broadcasts?.test(method) === true
        ? "broadcast"
        : (spec?.repeat ?? (dialect.reads?.test(method) === true ? "read" : "write"))
    },
    acceptedOf: ({ method, params }) => {
      const accepted = methods.get(method)?.accepted
      return accepted && makeAccepted(accepted, params, makeLookup(dialect, routing, transport))
    },
    selectParser: makeParserSelector(dialect),
    stringify: (dialect.integers ?? numberIntegers).stringify,
    sharedFields: { gateway: dialect.gateway ?? false, verb: "POST", path: dialect.prefix ?? "" },
    endpointId: ++lastEndpointId
  }
  return {
    // the result has the type that the caller says: nothing can check it, as with JSON.parse
    rawRpcCall: Object.assign(makeRawCall(raw), { repeat: "write" }) as RawRpc["rawRpcCall"],
    // what options bring is added by the types of those that set them
    rawBatchRpcCall: Object.assign(makeRawBatch(raw), { repeat: "write" }) as RawRpc["rawBatchRpcCall"],
    getRpcNodeUrl: (path = "") =>
      Effect.map(transport.nodeUrl(routing.archive && dialect.archiveUrl !== false), (url) =>
        joinUrl(url, path)
      )
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
      withMarks(
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
    ([name, value]): ReadonlyArray<readonly [string, EndpointFunction]> => {
      const spec = specOf(value)
      return spec?.kind === "rpc"
        ? [[name, withMarks(compileRpc(spec, { ...dialect, ...spec.dialect }, routing, transport), spec)]]
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
export type PickedRpc<G> = {
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
export const makeFactory =
  (transport: TransportService, routing: Routing): MakeClient =>
  (endpoints) => ({
    ...make(endpoints, transport, routing),
    ...makeRawRpc(endpoints, transport, routing)
  })
