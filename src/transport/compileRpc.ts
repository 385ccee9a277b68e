/** Compiles the rows of endpoint tables that are JSON-RPC methods. */
import * as Effect from "effect/Effect"
import { checkArgumentBytes } from "../data/bytes.js"
import type { Dialect, RpcSpec } from "../data/Endpoint.js"
import { numberIntegers } from "../data/integers.js"
import { makeAccepted } from "../wire/accepted.js"
import { recaseDeep } from "../wire/casing.js"
import { decodeRpc, nextId } from "../wire/jsonRpc.js"
import { makeResultReader } from "../wire/resultReader.js"
import type { Call, CallError, TransportService } from "../wire/Transport.js"
import type { Routing } from "./ClientTypes.js"
import {
  checkArgumentCount,
  dropTrailingNulls,
  failWithInvalidArgument,
  nextEndpointId
} from "./endpointFunction.js"

type Arguments = ReadonlyArray<unknown>

/** Reads a block height from a value; NaN if it is none. `Number` would throw for some other types. */
export const toHeight = (value: unknown): number =>
  typeof value === "bigint" || typeof value === "number" || typeof value === "string"
    ? Number(value)
    : Number.NaN

/** Makes the look-up of an id on the chain by a method. */
export const makeLookup =
  (dialect: Dialect, routing: Routing, transport: TransportService) => (method: string) =>
    compileRpc({ kind: "rpc", method, repeat: "read" }, dialect, routing, transport)

/** The arguments of a call after checks and conversions, and the params that are sent. */
interface Encoded {
  readonly args: Arguments
  readonly params: unknown
}

/** Makes the function that encodes the arguments of a method. It throws if they are invalid. */
const makeEncoder = (
  { bytes, dual, params: ownEncode }: RpcSpec,
  { bytes: convertArgument, names = "camel", parameters = "positional" }: Dialect
): ((given: Arguments) => Encoded) => {
  const encode = ownEncode as ((...args: Arguments) => unknown) | undefined
  const wrap = (params: unknown): unknown =>
    Array.isArray(params)
      ? dropTrailingNulls(params)
      : parameters === "wrapped"
        ? [recaseDeep(params, names, [])]
        : recaseDeep(params, names, [])
  // a method with named parameters takes them as its one argument
  const toParams = (args: Arguments): unknown =>
    parameters === "positional" ? args : (checkArgumentCount(args, 1)[0] ?? {})
  return (given) => {
    let args = dual === undefined ? given : given.filter((_, i) => i !== dual.argument)
    if (bytes !== undefined) args = checkArgumentBytes(bytes, args)
    if (convertArgument !== undefined) args = args.map((arg, i) => convertArgument(arg, `args[${i}]`, given))
    return {
      args,
      params: wrap(encode === undefined ? toParams(args) : encode(...checkArgumentCount(args, encode.length)))
    }
  }
}

/** Makes the rule which calls of a method go to archive nodes. */
const makeArchiveRule = (
  spec: RpcSpec,
  dialect: Dialect,
  routing: Routing
): ((method: string, params: unknown, args: Arguments) => boolean) => {
  const rule = spec.archive as boolean | ((...args: Arguments) => boolean) | undefined
  return (method, params, args) =>
    routing.archive &&
    (rule === undefined
      ? (dialect.archive?.(method, params) ?? false)
      : typeof rule === "boolean"
        ? rule
        : rule(...args))
}

/** Compiles a JSON-RPC method to its function. */
export const compileRpc = (
  spec: RpcSpec,
  dialect: Dialect,
  routing: Routing,
  transport: TransportService
): ((...args: Arguments) => Effect.Effect<unknown, CallError>) => {
  const { parse, stringify } = dialect.integers ?? numberIntegers
  const encode = makeEncoder(spec, dialect)
  const isForArchive = makeArchiveRule(spec, dialect, routing)
  const readResult = makeResultReader(spec, dialect)
  const numbers = (spec.numbers ?? dialect.numbers ?? []).map((path) =>
    /^!?\*\*/.test(path) ? path : `result.${path}`
  )
  const { dual, minTimeout, signed } = spec
  const { past } = dialect
  const nativeMethod = dual === undefined ? spec.method : spec.method.replace(/^eth_/, dual.prefix)
  const endpointId = nextEndpointId()
  const isRead = spec.repeat === "read"
  const send = (given: Arguments): Effect.Effect<unknown, CallError> => {
    const id = nextId()
    const method = dual !== undefined && given[dual.argument] === true ? nativeMethod : spec.method
    let encoded: Encoded
    let text: string
    let archive: boolean
    try {
      encoded = encode(given)
      text = stringify(encoded.params)
      archive = isForArchive(method, encoded.params, given)
    } catch (error) {
      return failWithInvalidArgument(method, error)
    }
    const { args, params } = encoded
    const call: Call<unknown> = {
      label: method,
      repeat: signed?.(params) === true ? "broadcast" : spec.repeat,
      deduplicationKey: isRead ? `${endpointId} ${method} ${text}` : undefined,
      // a slow call must not delay the others of a list
      id: isRead && minTimeout === undefined ? id : undefined,
      archive,
      gateway: spec.gateway ?? dialect.gateway ?? false,
      verb: "POST",
      path: dialect.prefix ?? "",
      body: `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${text}}`,
      decode: (reply) =>
        decodeRpc(reply, { method, id, parse, numbers, decode: readResult?.(args), dialect }),
      heightOf: spec.height === true ? toHeight : undefined,
      minTimeout,
      pastBlock: past && archive ? () => past(method, params) : undefined,
      accepted: spec.accepted && makeAccepted(spec.accepted, params, makeLookup(dialect, routing, transport))
    }
    return transport.send(call)
  }
  // suspended, since an effect may run several times and each run needs a new id
  return (...args) => Effect.suspend(() => send(args))
}
