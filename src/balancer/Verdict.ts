/**
 * What an answer that is no success says of the node that gave it.
 *
 * @since 0.1.0
 */
import type * as Clock from "effect/Clock"
import type { HttpResponse } from "../internal/http.js"
import { NodeError } from "../SdkError.js"
import type { Rejection } from "../Transport.js"

/**
 * Why an attempt of a call has no answer: whose fault that is, and what goes with it.
 *
 * - `behind`: nobody's; the node is not at the block yet that the call asks for, and is asked again when it is.
 * - `unsent`: the call itself has not reached the node.
 * - `pause`: when the node wants to be asked again, in milliseconds.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refusal {
  readonly fault: Rejection["fault"] | "behind"
  readonly error: Rejection["error"]
  readonly unsent?: boolean
  readonly pause?: number | undefined
}

/**
 * What a node is blamed for: `url` is the node's, `call` what it was asked.
 *
 * @since 0.1.0
 * @category verdicts
 */
export const failureOf = (
  kind: NodeError["kind"],
  call: string,
  { url }: { readonly url: string },
  reason: string
): NodeError => new NodeError({ kind, call, url, reason })

/**
 * Whether a write may have had its effect although it failed like this.
 *
 * @since 0.1.0
 * @category verdicts
 */
export const isAmbiguous = (error: Rejection["error"]): boolean =>
  (error._tag === "RpcError" &&
    (error.code === INTERNAL_ERROR || /time(d|s)?[ -]?out|deadline/i.test(error.message))) ||
  (error._tag === "NodeError" &&
    (error.kind === "network" ||
      error.kind === "timeout" ||
      error.kind === "malformed" ||
      error.kind === "too-large" ||
      (error.kind === "status" && (error.status ?? 0) >= 500)))

/** The JSON-RPC code for an error inside the node (JSON-RPC 2.0, section 5.1). */
const INTERNAL_ERROR = -32603

/**
 * Whether a node has answered with a status of 500 to 599 and nothing of the protocol.
 *
 * @since 0.1.0
 * @category verdicts
 */
export const isServerError = (error: Rejection["error"]): boolean =>
  error._tag === "NodeError" && error.kind === "status" && (error.status ?? 0) >= 500

/** A node that has had enough, and does not say until when, is left alone for so long (in milliseconds). */
const COOLING = 1_000

/**
 * Of a node that has had enough: when it wants to be asked again, in milliseconds (RFC 9110, section 10.2.3).
 *
 * @since 0.1.0
 * @category verdicts
 */
export const pauseOf = (
  response: HttpResponse,
  { error }: Rejection,
  clock: Clock.Clock
): number | undefined => {
  const header = response.header("retry-after")
  const seconds = header === undefined ? Number.NaN : Number(header)
  const said = Number.isNaN(seconds)
    ? Date.parse(header ?? "") - clock.unsafeCurrentTimeMillis()
    : seconds * 1_000
  if (Number.isFinite(said)) return Math.max(0, said)
  const limited = error._tag === "NodeError" && (error.status === 429 || error.code === LIMIT_EXCEEDED)
  return limited ? COOLING : undefined
}

/** The JSON-RPC code for "request limit exceeded" (EIP-1474). */
const LIMIT_EXCEEDED = -32005
