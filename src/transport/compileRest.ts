/** Compiles the rows of endpoint tables that are REST routes. */
import * as Effect from "effect/Effect"
import { checkArgumentBytes } from "../data/bytes.js"
import type { Dialect, RestSpec } from "../data/Endpoint.js"
import { numberIntegers } from "../data/integers.js"
import { InvalidArgument, reasonOf } from "../data/SdkError.js"
import { makeAccepted } from "../wire/accepted.js"
import { recase, recaseDeep } from "../wire/casing.js"
import { decodeRest } from "../wire/jsonRpc.js"
import { makeResultReader } from "../wire/resultReader.js"
import { parseRoute, type Route, toQueryString } from "../wire/route.js"
import type { Call, CallError, TransportService } from "../wire/Transport.js"
import {
  checkArgumentCount,
  type EndpointFunction,
  failWithInvalidArgument,
  nextEndpointId
} from "./endpointFunction.js"

type Arguments = ReadonlyArray<unknown>

type Fields = Readonly<Record<string, unknown>>

const toFields = (input: unknown = {}): Fields => {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return { ...input }
  throw new Error(`the input must be an object, not ${Array.isArray(input) ? "a list" : String(input)}`)
}

/** Finds a field that would be lost because the body is another single field, or because there is no body. */
const findLostField = (payload: RestSpec["payload"], fields: Fields): string | undefined => {
  if (payload === undefined || payload._tag === "form") return undefined
  const own = payload._tag === "none" ? undefined : payload.name
  return Object.keys(fields).find((name) => name !== own)
}

/** Encodes the body of a request. Yields its content type, too, if that is not JSON. */
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

/** Checks that the path has all its values, and that none of them leads to another route. */
const checkPathValues = (input: Fields, pathNames: ReadonlySet<string>): void => {
  for (const name of pathNames) {
    const value = input[name] ?? ""
    if (value === "") throw new Error(`${name} is missing`)
    // a url resolves these as the current folder and its parent
    if (value === "." || value === "..") throw new Error(`${name} must not be ${value}`)
  }
}

/** The fields of an input by where they are sent, except for those of the path. */
interface SplitFields {
  readonly fields: Fields
  readonly headers: Readonly<Record<string, string>>
  readonly query: ReadonlyArray<readonly [string, unknown]>
}

/** Makes the function that splits an input into body, headers and query. */
const makeSplitter = (
  { headers: headerNames = {}, keep = [], verbatim }: RestSpec,
  dialect: Dialect,
  { pathNames, queryNames }: Route,
  isWithoutBody: boolean
): ((input: Fields) => SplitFields) => {
  const queryCase = dialect.query ?? "camel"
  const bodyCase = verbatim ? "camel" : (dialect.body ?? "camel")
  return (input) => {
    const query: Array<readonly [string, unknown]> = []
    // without a prototype, so that a field may have any name
    const fields: Record<string, unknown> = Object.create(null)
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(input)) {
      const header = Object.hasOwn(headerNames, name) ? headerNames[name] : undefined
      if (pathNames.has(name) || value === undefined) continue
      if (header !== undefined) headers[header] = String(value)
      else if (isWithoutBody || queryNames.has(name)) query.push([recase(name, queryCase), value])
      else
        fields[recase(name, bodyCase)] = keep.includes(name) ? value : recaseDeep(value, bodyCase, keep, name)
    }
    return { fields, headers, query }
  }
}

/** A request of a route: the arguments and the input after checks and conversions, and what is sent. */
interface RestRequest {
  readonly args: Arguments
  readonly input: Fields
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer> | Blob
}

/** Makes the function that encodes the arguments of a route. It throws if they are invalid. */
const makeEncoder = (spec: RestSpec, dialect: Dialect): ((given: Arguments) => RestRequest) => {
  const { stringify } = dialect.integers ?? numberIntegers
  const route = parseRoute(`${dialect.prefix ?? ""}${spec.template}`)
  const prepare = spec.prepare as ((...args: Arguments) => Fields) | undefined
  const isWithoutBody = spec.verb === "GET" || spec.verb === "DELETE"
  const splitFields = makeSplitter(spec, dialect, route, isWithoutBody)
  const { bytes, payload } = spec
  const { bytes: convertInput } = dialect
  return (given) => {
    checkArgumentCount(given, prepare?.length ?? 1)
    const args = bytes === undefined ? given : checkArgumentBytes(bytes, given)
    const prepared = prepare === undefined ? toFields(args[0]) : prepare(...args)
    const input = convertInput === undefined ? prepared : toFields(convertInput(prepared, "", args))
    checkPathValues(input, route.pathNames)
    const { fields, headers, query } = splitFields(input)
    const lost = findLostField(payload, fields)
    if (lost !== undefined) throw new Error(`${lost} is not a field that it takes`)
    const path = `${route.build(input)}${toQueryString(query)}`
    // without any argument, no body is sent
    const isEmpty = args.length === 0 && Object.keys(fields).length === 0
    if (isWithoutBody || payload?._tag === "none" || isEmpty) return { args, input, path, headers }
    const { body, contentType } = encodeBody(spec, fields, stringify)
    const typed = contentType === undefined ? headers : { ...headers, "content-type": contentType }
    return { args, input, path, headers: typed, body }
  }
}

/** Compiles a REST route to its function. */
export const compileRest = (
  spec: RestSpec,
  dialect: Dialect,
  transport: TransportService
): EndpointFunction => {
  const { parse } = dialect.integers ?? numberIntegers
  const label = `${spec.verb} ${dialect.prefix ?? ""}${spec.template}`
  const encode = makeEncoder(spec, dialect)
  const readResult = makeResultReader(spec, dialect)
  const signed = spec.signed as ((...args: Arguments) => boolean) | undefined
  const { accepted, minTimeout, noContent = false, text = false, numbers = dialect.numbers ?? [] } = spec
  const { classify, refusal, failure, limits } = dialect
  const options = { label, parse, numbers, noContent, text, limits, classify, refusal, failure }
  const endpointId = nextEndpointId()
  const isRead = spec.verb === "GET" && spec.repeat === "read"
  const send = (given: Arguments): Effect.Effect<unknown, CallError> => {
    let request: RestRequest
    try {
      request = encode(given)
    } catch (error) {
      return failWithInvalidArgument(label, error)
    }
    const { args, body, headers, input, path } = request
    const call: Call<unknown> = {
      label,
      repeat: signed?.(...args) === true ? "broadcast" : spec.repeat,
      archive: spec.archive ?? false,
      gateway: spec.gateway ?? dialect.gateway ?? false,
      deduplicationKey: isRead
        ? `${endpointId} ${path}${spec.headers === undefined ? "" : JSON.stringify(headers)}`
        : undefined,
      verb: spec.verb,
      path,
      body: body instanceof Blob ? undefined : body,
      headers,
      minTimeout,
      marksTestnet: dialect.marked,
      accepted: accepted && makeAccepted(accepted, [input]),
      decode: (reply) => decodeRest(reply, { ...options, decode: readResult?.(args) })
    }
    return body instanceof Blob ? sendBlob(body, call, transport) : transport.send(call)
  }
  return (...args: Arguments) => Effect.suspend(() => send(args))
}

/** Reads a blob before it is sent, so that it can be sent again. */
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
