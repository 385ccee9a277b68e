/**
 * The form of recordings, their view of a request, and the making of a family's recordings.
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
  /** The header of that name: the media types that the caller accepts. */
  readonly accept: string
  /** The parameters of a JSON-RPC call. */
  readonly params: unknown
  /** The body: JSON, the fields of a form, or text. */
  readonly body: unknown
  readonly height: number
  readonly now: number
  /** When a block was made, in milliseconds since 1970. */
  readonly timeOf: (height: number) => number
  /**
   * A value that the caller gave: by position of the JSON-RPC parameters, or by name out of the path, the query, the body
   * or named parameters. Dots lead into objects and lists: `account_identifier.address`.
   */
  readonly get: (name: string | number) => unknown
  /** The same as text; `fallback` where the caller gave none. */
  readonly text: (name: string | number, fallback: string) => string
  /** The same as a whole number (decimal or 0x); `fallback` where it is none. */
  readonly whole: (name: string | number, fallback: number) => number
}

/**
 * A recorded answer: to a JSON-RPC `method`, or to `verb` (default GET) and `path`, where `:name` is one segment and `*`
 * the rest. A function gives the answer for the request at hand: a value, or an effect where a node has to be asked, and then
 * the connection is dropped if that fails. `status` is the HTTP status, 200 by default.
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
 * An answer that is no success: `body` with an HTTP status, or the `error` of a JSON-RPC answer.
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
 * Thrown by an answer: the caller's hash is of no block that the recordings have. The family says so as its nodes do.
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
 * An answer about a block, or that nothing which nodes have in place of an error for a block that they do not have.
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
 * An answer of a REST route that is text and no JSON.
 *
 * @since 0.1.0
 * @category models
 */
export class PlainText {
  constructor(readonly text: string) {}
}

/**
 * The recordings of a family. `height` is that of the first answers, and grows by one every `blockTime` milliseconds.
 * `protocol` decides how a request without a recording is read, and `error` makes the body of a refusal at a REST route.
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
  /** What nodes answer where a hash names a block that they do not have. */
  readonly unknown?: (hash: string) => unknown
  /** The status of a request without a recording: 501, but where a chain has one status for all of its errors. */
  readonly absent?: number
  /** The prefix of methods that are Ethereum's (`eth_`) under another name: a node behind has them under that one. */
  readonly native?: string
  /** rippled keeps its errors inside of results, Tendermint takes its methods over GET too. */
  readonly style?: "rippled" | "tendermint"
}

/** The wire form of a value that the client decodes without changing its shape. Some types have no end. */
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
 * Answers by the names that the client's table has for its methods, of the types that it promises.
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

/** A route of a recording. */
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
 * Recordings of the methods of a client's table: `answers` have the types that the table promises, `raw` are those whose
 * results look different on the wire.
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
