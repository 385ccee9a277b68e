/** Raw JSON-RPC calls and batches of the caller. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Dialect, dialectOf, type Repeat, type RpcSpec, specOf } from "../data/Endpoint.js"
import { rightOf } from "../data/eitherValues.js"
import { type IntegerCodec, numberIntegers, UnsafeInteger } from "../data/integers.js"
import { makeAccepted } from "../wire/accepted.js"
import { decodeRpc, type JsonRpcRequest, nextId, sendBatch } from "../wire/jsonRpc.js"
import { parseIntegersAsText, parseLossless } from "../wire/lossless.js"
import { joinUrl } from "../wire/route.js"
import type { Call, CallError, TransportService } from "../wire/Transport.js"
import type { BatchItem, RawOptions, RawRpc, Routing } from "./ClientTypes.js"
import { makeLookup, toHeight } from "./compileRpc.js"
import { failWithInvalidArgument, nextEndpointId } from "./endpointFunction.js"

/** The methods of a table by their JSON-RPC names. */
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

/** Parses the body of an answer. */
type ParseAnswer = IntegerCodec["parse"]

/** Parses integers as numbers. `rounded` are the paths at which the chain allows them to lose precision. */
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

/** Makes the function that selects the parser of an answer by the caller's options, by default that of the dialect. */
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

/** The context of the raw calls over one table. */
interface RawContext {
  readonly dialect: Dialect
  readonly transport: TransportService
  readonly routing: Routing
  /** The methods of the table by their JSON-RPC names. */
  readonly methods: ReadonlyMap<string, RpcSpec>
  readonly repeatOf: (request: JsonRpcRequest) => Repeat
  readonly acceptedOf: (request: JsonRpcRequest) => Call<unknown>["accepted"]
  readonly selectParser: (options: RawOptions | undefined) => ParseAnswer
  readonly stringify: IntegerCodec["stringify"]
  /** The fields that all its calls share. */
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
  // a request with the caller's own id is neither shared nor batched
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

/** Gives each body of a batch without an id a free one. */
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
            tells[i] && each && Either.isRight(each) ? [toHeight(rightOf(each))] : []
          )
          return found.length === 0 ? undefined : Math.min(...found)
        }
      })
  })
}

/**
 * Makes the raw calls of a client, in the dialect of a table.
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
    endpointId: nextEndpointId()
  }
  return {
    // the caller names the type of the result, which is not checked, as with JSON.parse
    rawRpcCall: Object.assign(makeRawCall(raw), { repeat: "write" }) as RawRpc["rawRpcCall"],
    // the errors that options add are part of the types that set them
    rawBatchRpcCall: Object.assign(makeRawBatch(raw), { repeat: "write" }) as RawRpc["rawBatchRpcCall"],
    getRpcNodeUrl: (path = "") =>
      Effect.map(transport.nodeUrl(routing.archive && dialect.archiveUrl !== false), (url) =>
        joinUrl(url, path)
      )
  }
}
