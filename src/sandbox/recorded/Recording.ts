/**
 * The types of recordings and of their view of a request, and the constructor of a family's recordings.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import { dialectOf, type Endpoint, type Spec, specOf } from "../../data/Endpoint.js"
import type { Network } from "../../data/Network.js"
import type { SandboxError } from "../SandboxError.js"

/**
 * A recording's view of a request. `height` is the newest block now, `now` the time in milliseconds since 1970.
 *
 * @since 0.1.0
 * @category models
 */
export interface RecordedRequest {
  readonly network: Network
  readonly testnet: boolean
  readonly verb: string
  /** The path without its query. */
  readonly path: string
  /** The `accept` header: the media types that the caller accepts. */
  readonly accept: string
  /** The parameters of a JSON-RPC call. */
  readonly params: unknown
  /** The body: JSON, the fields of a form, or text. */
  readonly body: unknown
  readonly height: number
  readonly now: number
  /** The time of a block in milliseconds since 1970. */
  readonly timeOf: (height: number) => number
  /**
   * A parameter: by position in the JSON-RPC parameters, or by name in the path, the query, the body or named
   * parameters. Dots lead into objects and lists: `account_identifier.address`.
   */
  readonly get: (name: string | number) => unknown
  /** The parameter as text; `fallback` if it is missing. */
  readonly text: (name: string | number, fallback: string) => string
  /** The parameter as a whole number (decimal or 0x); `fallback` if it is none. */
  readonly whole: (name: string | number, fallback: number) => number
}

/**
 * A recorded answer: to a JSON-RPC `method`, or to `verb` (default: GET) and `path`, where `:name` is one segment and
 * `*` the rest. A function computes the answer from the request: a value, or an effect that calls a node. If the effect
 * fails, the connection is dropped. `status` is the HTTP status (default: 200).
 *
 * @since 0.1.0
 * @category models
 */
export interface Recording {
  readonly verb?: "GET" | "POST"
  readonly path?: string
  readonly method?: string
  readonly status?: number
  readonly answer: unknown
}

/**
 * A refusal: `body` with an HTTP status, or the `error` of a JSON-RPC answer.
 *
 * @since 0.1.0
 * @category models
 */
export class RecordedRefusal {
  constructor(
    readonly body: unknown,
    readonly status = 200
  ) {}
}

/**
 * Thrown by an answer for an unknown block hash. The family answers it as its nodes do.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnknownBlockHash extends Error {
  constructor(readonly hash: string) {
    super(`No recording has ${hash}`)
  }
}

/**
 * Runs an answer about a block; `nothing` is the nodes' answer for an unknown block, where that is not an error.
 *
 * @since 0.1.0
 * @category constructors
 */
export const orIfUnknownHash = <A, B>(nothing: B, answer: () => A): A | B => {
  try {
    return answer()
  } catch (error) {
    if (error instanceof UnknownBlockHash) return nothing
    throw error
  }
}

/**
 * A REST answer that is text, not JSON.
 *
 * @since 0.1.0
 * @category models
 */
export class PlainText {
  constructor(readonly text: string) {}
}

/**
 * The recordings of a family. `height` is the first answers' height, and grows by one every `blockTime` milliseconds.
 * `protocol` decides how a request without a recording is read. `error` makes the body of a refusal at a REST route.
 *
 * @since 0.1.0
 * @category models
 */
export interface RecordedFamily {
  readonly height: number
  readonly blockTime: number
  readonly protocol: "rpc" | "rest" | "both"
  readonly recordings: ReadonlyArray<Recording>
  readonly error?: (message: string, status: number) => unknown
  /** The nodes' answer for an unknown block hash. */
  readonly unknown?: (hash: string) => unknown
  /** The status of a request without a recording: 501 unless the chain has one status for all of its errors. */
  readonly absent?: number
  /** The prefix of methods that are Ethereum's (`eth_`) under another name, which a node does not have. */
  readonly native?: string
  /** rippled has errors inside of results. Tendermint takes methods over GET too. */
  readonly style?: "rippled" | "tendermint"
}

/**
 * The JSON form of a value that the client decodes without changing its shape. The depth limit is for recursive types.
 */
type WireForm<A, Depth extends ReadonlyArray<0> = []> = unknown extends A
  ? unknown
  : Depth["length"] extends 7
    ? unknown
    : A extends bigint
      ? bigint | number
      : A extends string | number | boolean | null | undefined
        ? A
        : { readonly [K in keyof A]: WireForm<A[K], [...Depth, 0]> }

type EndpointResult<E> =
  E extends Endpoint<infer F>
    ? F extends (...args: never) => Effect.Effect<infer A, infer _E>
      ? WireForm<A>
      : never
    : never

/**
 * Answers by the methods of the client's table, with the types of that table.
 *
 * @since 0.1.0
 * @category models
 */
export type Answers<G> = {
  readonly [K in keyof G]?:
    | EndpointResult<G[K]>
    | ((
        request: RecordedRequest
      ) =>
        | EndpointResult<G[K]>
        | RecordedRefusal
        | PlainText
        | Effect.Effect<EndpointResult<G[K]> | RecordedRefusal, SandboxError>)
}

const makePath = (prefix: string, template: string): string =>
  `${prefix}${template}`
    .replace(/\{\?[^{}]*\}/g, "")
    .replace(/\{\+[^{}]*\}/g, "*")
    .replace(/\{([^{}]*)\}/g, ":$1")

const makeRecording = (spec: Spec, prefix: string, answer: unknown): Recording => {
  if (spec.kind === "rpc") return { method: spec.method, answer }
  if (spec.verb !== "GET" && spec.verb !== "POST")
    throw new Error(`${spec.verb} ${spec.template} cannot be recorded`)
  return { verb: spec.verb, path: makePath(spec.dialect?.prefix ?? prefix, spec.template), answer }
}

/**
 * Makes recordings for the methods of a client's table. `answers` have the types of the table. `raw` are those whose
 * JSON differs from that.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeRecordings = <G extends object>(
  endpoints: G,
  answers: Answers<NoInfer<G>>,
  raw: { readonly [K in keyof NoInfer<G>]?: unknown } = {}
): ReadonlyArray<Recording> =>
  [...Object.entries(answers), ...Object.entries(raw)].map(([name, answer]) => {
    const spec = specOf(Reflect.get(endpoints, name))
    if (spec === undefined) throw new Error(`${name} is no method`)
    return makeRecording(spec, dialectOf(endpoints).prefix ?? "", answer)
  })
