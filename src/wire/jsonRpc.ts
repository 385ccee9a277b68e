import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type Dialect, type Fault, Refused, type Repeat } from "../data/Endpoint.js"
import { leftOf } from "../data/eitherValues.js"
import { type IntegerCodec, numberIntegers, UnsafeInteger } from "../data/integers.js"
import {
  decodeErrorBody,
  hideErrorSecrets,
  InvalidArgument,
  NodeError,
  type NodeErrorKind,
  RequestRejected,
  RpcError,
  reasonOf
} from "../data/SdkError.js"
import { isRecord, toPrintableJson } from "../data/untrusted.js"
import { findAcceptedValue } from "./accepted.js"
import { splitList } from "./splitList.js"
import type { Call, CallError, Rejection, Reply } from "./Transport.js"

/**
 * A JSON-RPC 2.0 request body. Without an id it gets one.
 *
 * @since 0.1.0
 * @category types
 */
export interface JsonRpcRequest {
  readonly jsonrpc?: "2.0" | "1.0"
  readonly id?: string | number
  readonly method: string
  readonly params?: unknown
}

let lastId = 0

/** The next id. Ids are unique in the process, so that the answer to another call is never accepted. */
export const nextId = (): number => ++lastId

/** The faults that an answer of the protocol can have. For the node's own fault see `rejectNode` and `rejectByStatus`. */
type ProtocolFault = Exclude<Rejection["fault"], "node">

const reject = (fault: ProtocolFault, error: Rejection["error"]): Either.Either<never, Rejection> =>
  Either.left({ fault, error })

export const rejectNode = (
  reply: Reply,
  call: string,
  kind: NodeErrorKind,
  reason: string
): Either.Either<never, Rejection> =>
  Either.left({
    fault: "node",
    error: new NodeError({ kind, call, url: reply.url, reason, status: reply.status })
  })

/** Whether a status asks for a pause. */
const asksForPause = (status: number): boolean => status === 408 || status === 429

/** Whether a status means that the node, or a proxy before it, is broken or busy. */
const statusBlamesNode = (status: number): boolean => status >= 500 || asksForPause(status)

/** The error codes of rate limits that nodes of any family and gateways before them use. */
const RATE_LIMIT_CODES: ReadonlyArray<number> = [429, -32429, -16429]

/** The fault of an error of the protocol. What a family classifies as the node's is `limited` by status or code, else `declined`. */
const classifyFault = (
  fault: Fault,
  code: number,
  status: number,
  dialect: { readonly limits?: Dialect["limits"] | undefined }
): ProtocolFault =>
  fault !== "node"
    ? fault
    : asksForPause(status) || RATE_LIMIT_CODES.includes(code) || dialect.limits?.includes(code) === true
      ? "limited"
      : "declined"

/** Whether a status refuses the client itself: 401 to 403, 408 or 429. */
export const isRefusalStatus = (status: number): boolean =>
  (status >= 401 && status <= 403) || status === 408 || status === 429

/**
 * Rejects an answer with an error status whose body is not an answer of the protocol. It says nothing about the request: the url may be gone,
 * unpaid or moved, or a proxy before the node refuses the request.
 */
export const rejectByStatus = (reply: Reply, call: string): Either.Either<never, Rejection> => {
  const { status, text, url } = reply
  const { messages } = decodeErrorBody(text, status)
  const reason = messages.join("; ").replace(/^(?!HTTP \d)/, `HTTP ${status}: `)
  const error = new NodeError({ kind: "status", call, url, reason, status })
  return status >= 500
    ? Either.left({ fault: "node", error })
    : reject(asksForPause(status) ? "limited" : "unclear", error)
}

export const isErrorStatus = (status: number): boolean => status < 200 || status >= 300

/** Describes a malformed body in an error message. */
const describeMalformed = (text: string, error: unknown): string => {
  const trimmed = text.trim()
  if (trimmed === "") return "an empty body"
  if (trimmed.startsWith("<")) return decodeErrorBody(text, 200).messages.join().replace("HTTP 200 with ", "")
  return `a body that is not valid JSON (${reasonOf(error)})`
}

/** Rejects a body that cannot be parsed. An unsafe integer is the caller's matter, since other nodes would answer the same. */
export const rejectUnreadable = (
  reply: Reply,
  call: string,
  error: unknown
): Either.Either<never, Rejection> => {
  if (error instanceof UnsafeInteger) {
    const { status, url } = reply
    return reject("caller", new NodeError({ kind: "malformed", call, url, reason: error.message, status }))
  }
  return isErrorStatus(reply.status)
    ? rejectByStatus(reply, call)
    : rejectNode(reply, call, "malformed", describeMalformed(reply.text, error))
}

const tryDecode = <A>(
  { decode, label }: Pick<Call<A>, "decode" | "label">,
  reply: Reply
): Either.Either<A, Rejection> => {
  try {
    return decode(reply)
  } catch (error) {
    return rejectNode(reply, label, "malformed", `an answer that cannot be read (${reasonOf(error)})`)
  }
}

/** Decodes an answer. If the decoder throws, that is the node's fault. Secrets are removed from errors. */
export const readReply = <A>(
  call: Pick<Call<A>, "decode" | "label">,
  reply: Reply
): Either.Either<A, Rejection> => {
  const read = tryDecode(call, reply)
  return Either.mapLeft(read, (rejection) =>
    // Stryker disable next-line ConditionalExpression,EqualityOperator,StringLiteral: both sides are one, of two types
    rejection.fault === "node"
      ? { fault: rejection.fault, error: hideErrorSecrets(rejection.error, reply.hide) }
      : { fault: rejection.fault, error: hideErrorSecrets(rejection.error, reply.hide) }
  )
}

/** Decodes a value by the endpoint's decoder. */
const decodeValue = (
  value: unknown,
  reply: Reply,
  call: string,
  decode: ((value: unknown) => unknown) | undefined
): Either.Either<unknown, Rejection> => {
  if (decode === undefined) return Either.right(value)
  try {
    return Either.right(decode(value))
  } catch (error) {
    return error instanceof Refused
      ? reject("caller", new InvalidArgument({ call, reason: error.message }))
      : rejectNode(reply, call, "malformed", `a result that cannot be read (${reasonOf(error)})`)
  }
}

interface RpcReadOptions {
  readonly method: string
  readonly id: string | number
  readonly parse: IntegerCodec["parse"]
  readonly numbers: ReadonlyArray<string>
  readonly decode: ((result: unknown) => unknown) | undefined
  readonly dialect: Dialect
}

const isSameId = (a: unknown, b: string | number): boolean =>
  a === b || (typeof a === "bigint" && typeof b === "number" && a === BigInt(b))

/** The code of an error; 0 if the node's is not an integer. */
const toErrorCode = (code: unknown): number => {
  // Number would throw for an object whose toString is not a function
  const isPlain = typeof code === "number" || typeof code === "bigint" || typeof code === "string"
  const number = isPlain ? Number(code) : 0
  return Number.isSafeInteger(number) ? number : 0
}

/** The fault by the codes of JSON-RPC 2.0 (section 5.1), for tables without a classification of their own. */
const standardFault = (code: number): Fault =>
  code === -32602 ? "caller" : code === -32601 ? "elsewhere" : "unclear"

/** Whether an answer is an error. Some nodes send an empty text as `error` beside every result. */
export const hasError = (json: Readonly<Record<string, unknown>>): boolean =>
  isRecord(json.error) || (typeof json.error === "string" && (json.error !== "" || !("result" in json)))

/** The error of an answer. */
export const toRpcError = (
  { error }: Readonly<Record<string, unknown>>,
  method: string,
  url: string
): RpcError => {
  const { code, message, data } = isRecord(error) ? error : { code: 0, message: error, data: undefined }
  return new RpcError({
    method,
    code: toErrorCode(code),
    rpcMessage: typeof message === "string" && message !== "" ? message : (toPrintableJson(error) ?? ""),
    url,
    ...(data === undefined ? {} : { data })
  })
}

/** Decodes one JSON-RPC answer whose id is right. */
const readMember = (json: Readonly<Record<string, unknown>>, reply: Reply, reading: RpcReadOptions) => {
  const { method } = reading
  const { classify, refusal } = reading.dialect
  if (hasError(json)) {
    const error = toRpcError(json, method, reply.url)
    if (isRefusalStatus(reply.status))
      return reject(asksForPause(reply.status) ? "limited" : "unclear", error)
    const { code, data, message } = error
    const fault = classify?.({ code, message, data }) ?? standardFault(code)
    return reject(classifyFault(fault, code, reply.status, reading.dialect), error)
  }
  if (!("result" in json))
    return rejectNode(reply, method, "malformed", "an answer with neither result nor error")
  const no = refusal?.(json.result)
  if (no !== undefined) {
    const { code = 0, message } = no
    const error = new RpcError({ method, code, rpcMessage: message, data: json.result, url: reply.url })
    return reject(
      classifyFault(classify?.({ code, message }) ?? "caller", code, reply.status, reading.dialect),
      error
    )
  }
  return decodeValue(json.result, reply, method, reading.decode)
}

/** Decodes the answer to a single JSON-RPC request. If the body is an answer with the right id, the status does not matter. */
export const decodeRpc = (reply: Reply, reading: RpcReadOptions): Either.Either<unknown, Rejection> => {
  const { dialect, id, method } = reading
  let json: unknown
  try {
    json = reading.parse(reply.text, reading.numbers, "result")
  } catch (error) {
    return rejectUnreadable(reply, method, error)
  }
  if (!isRecord(json)) {
    if (isErrorStatus(reply.status)) return rejectByStatus(reply, method)
    const what = Array.isArray(json)
      ? "an array for a single call"
      : json === null
        ? "null"
        : `a bare ${typeof json === "bigint" ? "number" : typeof json}`
    return rejectNode(reply, method, "malformed", `${what} in place of a JSON-RPC answer`)
  }
  // an error without an id is taken as the answer, unless the status blames the node
  const ours =
    isSameId(json.id, id) ||
    (dialect.anonymous === true && json.id === undefined) ||
    (dialect.textIds === true && json.id === String(id)) ||
    (hasError(json) &&
      (json.id ?? null) === null &&
      !statusBlamesNode(reply.status) &&
      !isRefusalStatus(reply.status))
  if (ours && ("result" in json || hasError(json))) return readMember(json, reply, reading)
  if (isErrorStatus(reply.status)) return rejectByStatus(reply, method)
  if (json.id === undefined && json.result === undefined && json.error === undefined) {
    return rejectNode(reply, method, "malformed", "an object that is no JSON-RPC answer")
  }
  return ours
    ? readMember(json, reply, reading)
    : rejectNode(
        reply,
        method,
        "malformed",
        `the answer to another request (id ${toPrintableJson(json.id) ?? "none"})`
      )
}

/** Makes a read of the SDK itself. Its answer is not decoded by an endpoint. */
export const makeInternalRead = (
  id: number,
  method: string,
  params: ReadonlyArray<unknown>,
  dialect: Dialect = {}
): Pick<Call<unknown>, "label" | "repeat" | "archive" | "gateway" | "verb" | "path" | "body" | "decode"> => {
  const { parse } = numberIntegers
  return {
    label: method,
    repeat: "read",
    archive: false,
    gateway: false,
    verb: "POST",
    path: "",
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    decode: (reply) => decodeRpc(reply, { method, id, parse, numbers: [], decode: undefined, dialect })
  }
}

interface RestReadOptions {
  readonly label: string
  readonly parse: IntegerCodec["parse"]
  readonly numbers: ReadonlyArray<string>
  readonly decode: ((result: unknown) => unknown) | undefined
  readonly noContent: boolean
  readonly text: boolean
  readonly limits?: Dialect["limits"] | undefined
  readonly classify: Dialect["classify"]
  readonly refusal: Dialect["refusal"]
  readonly failure: Dialect["failure"]
}

/** Rejects an answer with an error status, by its body if the family can classify it. */
const rejectByBody = (reply: Reply, reading: RestReadOptions): Either.Either<never, Rejection> => {
  const { label, failure } = reading
  let answer: unknown
  try {
    answer = JSON.parse(reply.text)
  } catch {
    // not JSON: the status decides
  }
  const said = failure?.(answer, reply.status, reply.text)
  if (said === undefined) return rejectByStatus(reply, label)
  const { fault, messages } = said
  const { status, url } = reply
  const body = reply.text
  return reject(
    classifyFault(fault, 0, status, reading),
    fault === "node"
      ? new NodeError({
          kind: "status",
          call: label,
          url,
          reason: `HTTP ${status}: ${messages.join("; ")}`,
          status
        })
      : new RequestRejected({ call: label, status, messages, body, url })
  )
}

/** Decodes the answer of a REST route. */
export const decodeRest = (reply: Reply, reading: RestReadOptions): Either.Either<unknown, Rejection> => {
  const { label } = reading
  if (isErrorStatus(reply.status)) return rejectByBody(reply, reading)
  if (reading.noContent) return Either.right(undefined)
  if (reading.text) return decodeValue(reply.text, reply, label, reading.decode)
  let json: unknown
  try {
    json = reading.parse(reply.text, reading.numbers)
  } catch (error) {
    return rejectUnreadable(reply, label, error)
  }
  const no = reading.refusal?.(json)
  if (no !== undefined) {
    const { code = 0, message } = no
    const { status, url } = reply
    const error = new RequestRejected({
      call: label,
      status,
      messages: [message],
      body: reply.text,
      url
    })
    return reject(
      classifyFault(reading.classify?.({ code, message }) ?? "caller", code, status, reading),
      error
    )
  }
  return decodeValue(json, reply, label, reading.decode)
}

type BatchOutcome = Either.Either<unknown, CallError>

interface BatchContext {
  readonly sendOne: (request: JsonRpcRequest) => Effect.Effect<unknown, CallError>
  readonly parse: IntegerCodec["parse"]
  readonly dialect: Dialect
  readonly repeatOf: (request: JsonRpcRequest) => Repeat
  readonly acceptedOf: (request: JsonRpcRequest) => Call<unknown>["accepted"]
  readonly send: (
    decode: (reply: Reply) => Either.Either<BatchOutcomes, Rejection>,
    repeated: () => void
  ) => Effect.Effect<BatchOutcomes, CallError>
}

/** One outcome per request, in order; undefined for requests that must be sent one by one. */
type BatchOutcomes = ReadonlyArray<BatchOutcome | undefined>

type RequestWithId = JsonRpcRequest & { readonly id: string | number }

/**
 * Decodes one object in place of a list of answers. An error means that the batch was refused and nothing was done. A result means that the
 * node has read one request; writes that it may have read, too, are not sent again.
 */
const readSingle = (
  json: Readonly<Record<string, unknown>>,
  reply: Reply,
  requests: ReadonlyArray<RequestWithId>,
  batching: BatchContext
): BatchOutcomes => {
  const refused = hasError(json)
  return requests.map((request) => {
    if (!refused && isSameId(json.id, request.id)) return readItem(json, reply, request, batching)
    return refused || batching.repeatOf(request) !== "write"
      ? undefined
      : makeMissing(reply, request, "one answer in place of a list; the node may have done this all the same")
  })
}

const makeMissing = (reply: Reply, request: RequestWithId, reason: string): BatchOutcome =>
  Either.left(new NodeError({ kind: "malformed", call: request.method, url: reply.url, reason }))

/** A member of a list that cannot be parsed. */
class UnreadableMember {
  constructor(
    readonly id: unknown,
    readonly reason: string
  ) {}
}

/** Whether an error concerns one member of a list only: an unsafe integer, or nesting that is too deep. */
const isMemberError = (error: unknown): error is Error =>
  error instanceof UnsafeInteger || error instanceof RangeError

/** Parses the answer to a batch. A member that cannot be parsed does not affect the others. */
const readBody = (text: string, parse: IntegerCodec["parse"]): unknown => {
  try {
    return parse(text, [], "result")
  } catch (error) {
    const elements = isMemberError(error) ? splitList(text) : undefined
    if (elements === undefined) throw error
    return elements.map((element) => readElement(element.text, parse))
  }
}

const readElement = (text: string, parse: IntegerCodec["parse"]): unknown => {
  try {
    return parse(text, [], "result")
  } catch (error) {
    if (!isMemberError(error)) throw error
    const json: unknown = JSON.parse(text)
    return new UnreadableMember(isRecord(json) ? json.id : undefined, error.message)
  }
}

/** Content Too Large (RFC 9110, section 15.5.14). */
const TOO_LARGE = 413

const readBatch = (
  reply: Reply,
  requests: ReadonlyArray<RequestWithId>,
  batching: BatchContext
): Either.Either<BatchOutcomes, Rejection> => {
  const label = `batch of ${requests.length}`
  // the server has not read the request, so nothing was done
  if (reply.status === TOO_LARGE) return Either.right(requests.map(() => undefined))
  let json: unknown
  try {
    json = readBody(reply.text, batching.parse)
  } catch (error) {
    // a node that does not support batches (rippled, for example) has done nothing
    return reply.status === 400
      ? Either.right(requests.map(() => undefined))
      : rejectUnreadable(reply, label, error)
  }
  if (isRecord(json) && (json.jsonrpc !== undefined || (hasError(json) && reply.status < 500))) {
    return isRefusalStatus(reply.status)
      ? rejectByStatus(reply, label)
      : Either.right(readSingle(json, reply, requests, batching))
  }
  if (!Array.isArray(json)) {
    return isErrorStatus(reply.status)
      ? rejectByStatus(reply, label)
      : rejectNode(reply, label, "malformed", "neither a list of answers nor an error")
  }
  const answers = indexById(json)
  const refusals = json.filter(
    (member) => isRecord(member) && (member.id ?? null) === null && hasError(member)
  )
  return Either.right(
    requests.map((request, i): BatchOutcome => {
      const mine = answers.get(request.id)
      // an error without an id, from a node that could not read the request's
      const refusal = refusals[refusals.length === requests.length ? i : 0]
      return mine === undefined
        ? refusal === undefined
          ? makeMissing(reply, request, "the batch has no answer to it")
          : readItem(refusal, reply, request, batching)
        : mine === "several"
          ? makeMissing(reply, request, "the batch has two answers to it")
          : mine instanceof UnreadableMember
            ? makeMissing(reply, request, mine.reason)
            : readItem(mine, reply, request, batching)
    })
  )
}

type Member = Readonly<Record<string, unknown>> | UnreadableMember

/** The members of an answer by their ids, which some dialects parse as `bigint`. */
const indexById = (members: ReadonlyArray<unknown>): ReadonlyMap<unknown, Member | "several"> => {
  const found = new Map<unknown, Member | "several">()
  for (const member of members) {
    if (!(member instanceof UnreadableMember) && !isRecord(member)) continue
    const id = typeof member.id === "bigint" ? toSafeNumber(member.id) : member.id
    found.set(id, found.has(id) ? "several" : member)
  }
  return found
}

/** The id as a number if it is a safe integer. */
const toSafeNumber = (id: bigint): number | bigint => {
  const number = Number(id)
  return Number.isSafeInteger(number) ? number : id
}

const readItem = (
  answer: Readonly<Record<string, unknown>>,
  reply: Reply,
  request: RequestWithId,
  batching: BatchContext
): BatchOutcome => {
  const { id, method } = request
  const { dialect, parse } = batching
  const decode = () =>
    readMember(answer, reply, { method, id, parse, numbers: [], decode: undefined, dialect })
  const read = readReply({ decode, label: method }, reply)
  return Either.match(read, { onLeft: ({ error }) => Either.left(error), onRight: Either.right })
}

/** Resolves the error of a request that an earlier attempt may have delivered: "already known" is a success. */
const resolveRepeated = (
  item: BatchOutcome,
  request: RequestWithId,
  batching: BatchContext
): Effect.Effect<BatchOutcome> => {
  if (Either.isRight(item)) return Effect.succeed(item)
  const error = leftOf(item)
  const value =
    error._tag === "RpcError" ? findAcceptedValue(batching.acceptedOf(request), error.message) : undefined
  return value === undefined
    ? Effect.succeed(item)
    : Effect.match(value, { onFailure: () => item, onSuccess: Either.right })
}

/** Pairs requests with the outcomes of those that were in the list. */
const pairWithOutcomes = (
  requests: ReadonlyArray<RequestWithId>,
  listed: ReadonlyArray<RequestWithId>,
  outcomes: BatchOutcomes
): ReadonlyArray<readonly [RequestWithId, BatchOutcome | undefined]> => {
  const found = new Map(listed.map((request, i) => [request, outcomes[i]]))
  return requests.map((request) => [request, found.get(request)])
}

/**
 * Sends a batch: `listed` as one list, then the others one by one. If the node refuses the list or answers with one object, all are sent one
 * by one.
 */
export const sendBatch = (
  requests: ReadonlyArray<RequestWithId>,
  listed: ReadonlyArray<RequestWithId>,
  batching: BatchContext
): Effect.Effect<ReadonlyArray<BatchOutcome>, CallError> =>
  Effect.suspend(() => {
    let isRepeated = false
    const sent =
      listed.length === 0
        ? Effect.succeed<BatchOutcomes>([])
        : batching.send(
            (reply) => readBatch(reply, listed, batching),
            () => {
              isRepeated = true
            }
          )
    return Effect.flatMap(sent, (outcomes) =>
      !isRepeated && outcomes.length === requests.length && !outcomes.includes(undefined)
        ? Effect.succeed(outcomes.filter((outcome) => outcome !== undefined))
        : Effect.forEach(
            pairWithOutcomes(requests, listed, outcomes),
            ([request, outcome]): Effect.Effect<BatchOutcome> => {
              if (outcome === undefined)
                return Effect.match(batching.sendOne(request), {
                  onFailure: Either.left,
                  onSuccess: Either.right
                })
              return isRepeated ? resolveRepeated(outcome, request, batching) : Effect.succeed(outcome)
            },
            { concurrency: 8 }
          )
    )
  })
