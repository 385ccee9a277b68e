/**
 * An EIP-1193 provider over the node pool, and its error.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Result } from "../../data/CallResult.js"
import type { Aborted, RpcCallError } from "../../data/SdkError.js"
import type { JsonRpcRequest } from "../../transport/Client.js"

/**
 * A request as EIP-1193 has it: a method, and its parameters as a list or by name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Eip1193Request {
  readonly method: string
  readonly params?: unknown
}

/**
 * An EIP-1193 provider. Its requests go through the node pool, with health checks, failover and archive routing. It
 * has no accounts, signs nothing and emits no events.
 *
 * Filters of `rpc.eip1193()` have ids of the client's own, and move to another node when theirs fails. A filter that is
 * not polled for five minutes is dropped. Filters of {@link make} do none of that.
 *
 * @since 0.1.0
 * @category models
 */
export interface Eip1193Provider {
  /** Resolves to the result; rejects with `ProviderRpcError`. */
  readonly request: (request: Eip1193Request) => Promise<unknown>
}

/** Codes of EIP-1193 and EIP-1474 for failures without a code from a node. */
const codeByTag: ReadonlyMap<unknown, number> = new Map([
  ["NoActiveNode", 4900],
  ["Aborted", 4900],
  ["InvalidArgument", -32_602]
])

const INTERNAL_ERROR = -32_603

/**
 * The error of a provider. `code` and `data` are the node's own if a node answered with an error; 4900 if no node
 * could be reached or the client has been destroyed; -32603 if the nodes failed. `cause` is the error of the SDK.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProviderRpcError extends Error {
  override readonly name: string = "ProviderRpcError"
  readonly code: number
  readonly data: unknown
  constructor(message: string, code: number, options: { readonly data?: unknown; readonly cause: unknown }) {
    super(message, { cause: options.cause })
    this.code = code
    this.data = options.data
  }
}

/** Converts the error of a call. */
const toProviderError = (error: unknown): ProviderRpcError => {
  const { _tag, code, data }: { readonly _tag?: unknown; readonly code?: unknown; readonly data?: unknown } =
    Object(error)
  const message = error instanceof Error ? error.message : String(error)
  return _tag === "RpcError" && typeof code === "number"
    ? new ProviderRpcError(message, code, { cause: error, data })
    : new ProviderRpcError(message, codeByTag.get(_tag) ?? INTERNAL_ERROR, { cause: error })
}

/**
 * Raw calls of a client, on either surface.
 *
 * @since 0.1.0
 * @category models
 */
export interface RawCalls {
  readonly rawRpcCall: (
    body: JsonRpcRequest
  ) => Effect.Effect<unknown, RpcCallError | Aborted> | Promise<Result<unknown, RpcCallError>>
}

/**
 * Sends a raw call on either surface. Rejects with the error of the SDK.
 *
 * @since 0.1.0
 * @category operations
 */
export const sendRaw = async ({ rawRpcCall }: RawCalls, body: JsonRpcRequest): Promise<unknown> => {
  const sent = rawRpcCall(body)
  if (Effect.isEffect(sent)) {
    const exit = await Effect.runPromiseExit(sent)
    if (Exit.isSuccess(exit)) return exit.value
    throw Cause.squash(exit.cause)
  }
  const result = await sent
  if (result.status === "SUCCESS") return result.data
  throw result.error.cause
}

/**
 * Makes a provider from the raw calls of a client: for clients of `effect-chains/chains/*`, which have no `eip1193`.
 * Calls have the limits of the client's configuration. Filters are not pinned: a later poll may reach a node that does
 * not know the filter.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (calls: RawCalls): Eip1193Provider => ({
  request: async ({ method, params }) => {
    try {
      return await sendRaw(calls, { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) })
    } catch (error) {
      throw toProviderError(error)
    }
  }
})
