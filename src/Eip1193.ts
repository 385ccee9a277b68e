/**
 * The pool of nodes as an EIP-1193 provider: for viem's `custom` transport, ethers' `BrowserProvider`, and whatever else
 * takes one.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { RawRpc } from "./Client.js"
import { reasonOf } from "./SdkError.js"

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
 * A provider after EIP-1193. Its requests go through the pool: health checks, failover and archive routing included. It
 * has no accounts, signs nothing and emits no events.
 *
 * @since 0.1.0
 * @category models
 */
export interface Eip1193Provider {
  /** Resolves to the result; rejects with `ProviderRpcError`. */
  readonly request: (request: Eip1193Request) => Promise<unknown>
}

/** EIP-1193: the provider is disconnected from all chains. */
const DISCONNECTED = 4900
/** EIP-1474: internal error. */
const INTERNAL = -32_603
/** EIP-1474: invalid parameters. */
const INVALID_PARAMS = -32_602

/**
 * How a provider rejects: `code` and `data` are the node's own where it said no itself, 4900 where no node could be
 * reached, -32603 where the nodes failed. `cause` is the error of the SDK.
 *
 * @since 0.1.0
 * @category errors
 */
export class ProviderRpcError extends Error {
  override readonly name = "ProviderRpcError"
  readonly code: number
  readonly data: unknown
  constructor(message: string, code: number, options: { readonly data?: unknown; readonly cause: unknown }) {
    super(message, { cause: options.cause })
    this.code = code
    this.data = options.data
  }
}

const rejection = (
  cause: Cause.Cause<Effect.Effect.Error<ReturnType<RawRpc["rawRpcCall"]>>>
): ProviderRpcError => {
  const failed = Cause.failureOption(cause)
  if (failed._tag === "None") {
    const defect = Cause.squash(cause)
    return new ProviderRpcError(reasonOf(defect), INTERNAL, { cause: defect })
  }
  const error = failed.value
  const code =
    error._tag === "RpcError"
      ? error.code
      : error._tag === "NoActiveNode"
        ? DISCONNECTED
        : error._tag === "InvalidArgument"
          ? INVALID_PARAMS
          : INTERNAL
  return new ProviderRpcError(error.message, code, {
    cause: error,
    ...(error._tag === "RpcError" ? { data: error.data } : {})
  })
}

/**
 * Makes a provider of the raw calls of a client. Calls have the limits of the client's configuration.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ rawRpcCall }: Pick<RawRpc, "rawRpcCall">): Eip1193Provider => ({
  request: async ({ method, params }) => {
    const exit = await Effect.runPromiseExit(
      rawRpcCall({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) })
    )
    if (Exit.isSuccess(exit)) return exit.value
    throw rejection(exit.cause)
  }
})
