/** Sends requests of other libraries through the node pool. Loaded with the first such request. */

import * as Effect from "effect/Effect"
import type { RpcCallError } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import type { JsonRpcRequest } from "../../wire/jsonRpc.js"
import { onAbort } from "../abortSignals.js"
import type { ClientParts } from "../clientParts.js"
import type { KitTransport, RequestOptions } from "./Adapter.js"
import {
  type Eip1193Request,
  make as makeProvider,
  ProviderRpcError,
  type RawCalls,
  sendRaw
} from "./Eip1193.js"

/** Sends a call on a surface. Calls end with the client. */
export type SendCall = (call: Effect.Effect<unknown, RpcCallError>) => ReturnType<RawCalls["rawRpcCall"]>

type Fields = Readonly<Record<string, unknown>>

/** Interrupts when the signal is aborted. */
const untilAborted = (signal: AbortSignal): Effect.Effect<never> =>
  Effect.async((resume) => {
    const abort = (): void => resume(Effect.interrupt)
    if (signal.aborted) abort()
    const forget = onAbort(signal, abort)
    return Effect.sync(forget)
  })

/** Makes raw calls that end with the client, and with the signal. */
const makeRawCalls = (
  { raw }: ClientParts,
  sendCall: SendCall,
  signal: AbortSignal | undefined
): RawCalls => ({
  rawRpcCall: (body) => {
    const sent: Effect.Effect<unknown, RpcCallError> = raw.rawRpcCall(body)
    return sendCall(signal === undefined ? sent : Effect.raceFirst(sent, untilAborted(signal)))
  }
})

/** The names of viem's errors by code. viem, and libraries over it, check these names. */
const viemNames: Readonly<Record<number, string>> = {
  [-32700]: "ParseRpcError",
  [-32600]: "InvalidRequestRpcError",
  [-32601]: "MethodNotFoundRpcError",
  [-32602]: "InvalidParamsRpcError",
  [-32603]: "InternalRpcError",
  [-32000]: "InvalidInputRpcError",
  [-32001]: "ResourceNotFoundRpcError",
  [-32002]: "ResourceUnavailableRpcError",
  [-32003]: "TransactionRejectedRpcError",
  [-32004]: "MethodNotSupportedRpcError",
  [-32005]: "LimitExceededRpcError",
  [-32006]: "JsonRpcVersionUnsupportedError",
  4900: "ProviderDisconnectedError"
}

/** Converts an error to viem's form. viem searches `details` for the node's message. */
const toViemError = (error: unknown): unknown =>
  error instanceof ProviderRpcError
    ? Object.assign(error, {
        name: viemNames[error.code] ?? "RpcRequestError",
        details: error.message,
        shortMessage: error.message
      })
    : error

/** Returns the node's own error, if there is one. */
const getNodeError = (error: unknown): Fields | undefined =>
  isRecord(error) && error._tag === "RpcError" ? error : undefined

/** Sends single requests of EVM libraries. */
export const makeEvmRequests = (parts: ClientParts, sendCall: SendCall) => {
  const eip1193 = async (request: Eip1193Request, { signal }: RequestOptions = {}): Promise<unknown> => {
    try {
      return await makeProvider(makeRawCalls(parts, sendCall, signal)).request(request)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }

  const viem = (request: Eip1193Request, options?: RequestOptions): Promise<unknown> =>
    eip1193(request, options).catch((error: unknown) => {
      throw toViemError(error)
    })

  const sendPayload = async (payload: unknown): Promise<unknown> => {
    const { id, method, params }: Fields = isRecord(payload) ? payload : {}
    const envelope = { jsonrpc: "2.0", id }
    try {
      return { ...envelope, result: await eip1193({ method: String(method), params }) }
    } catch (error) {
      // a node's own error is an answer
      if (!(error instanceof ProviderRpcError) || getNodeError(error.cause) === undefined) throw error
      const { code, data, message } = error
      return { ...envelope, error: { code, message, ...(data === undefined ? {} : { data }) } }
    }
  }

  return {
    eip1193,
    viem,
    /** web3 sends several requests as a list. */
    web3: (payload: unknown): Promise<unknown> =>
      Array.isArray(payload) ? Promise.all(payload.map(sendPayload)) : sendPayload(payload)
  }
}

const isRequest = (payload: unknown): payload is JsonRpcRequest =>
  isRecord(payload) && typeof payload.method === "string"

/** A transport of `@solana/kit`. kit makes its own errors from a node's; any other failure rejects. */
export const makeSolanaRequest = (parts: ClientParts, sendCall: SendCall): KitTransport => {
  const request = async ({ payload, signal }: { readonly payload: unknown } & RequestOptions) => {
    if (!isRequest(payload)) throw new TypeError("the payload must be a JSON-RPC request with a method")
    const envelope = { jsonrpc: "2.0", id: payload.id }
    try {
      // integers are `bigint`: kit converts those that its types declare as numbers
      return { ...envelope, result: await sendRaw(makeRawCalls(parts, sendCall, signal), payload) }
    } catch (error) {
      const nodeError = getNodeError(error)
      if (nodeError !== undefined) {
        const { code, data, rpcMessage: message } = nodeError
        return { ...envelope, error: { code, message, data } }
      }
      signal?.throwIfAborted()
      throw error
    }
  }
  // the type of the answer is kit's to say
  return request as KitTransport
}
