import type { Failure, Fault } from "../../data/Endpoint.js"
import { isRecord } from "../../data/untrusted.js"
import { isRefusalStatus } from "../../wire/jsonRpc.js"

/** The faults by codes of JSON-RPC 2.0 and of HTTP, which every chain shares. */
export const standardFaults: Readonly<Record<number, Fault>> = {
  [-32700]: "caller",
  [-32600]: "caller",
  [-32602]: "caller",
  // a method that one program lacks, another one behind the same network may have
  [-32601]: "elsewhere",
  429: "node"
}

/** Codes of the provider's gateway, which stands before nodes of every family. */
const gatewayFaults: Readonly<Record<number, Fault>> = {
  [-16401]: "caller",
  [-16402]: "caller",
  [-16405]: "elsewhere",
  [-16412]: "caller",
  [-16429]: "node",
  [-16503]: "node"
}

/** Whose fault an error is, if the family has no meaning of its own for the code and the words. */
export const standardFaultOf = ({
  code,
  message
}: {
  readonly code: number
  readonly message: string
}): Fault =>
  standardFaults[code] ??
  gatewayFaults[code] ??
  (/rate.?limit|too many requests|overloaded|try again/i.test(message) ? "node" : "unclear")

/** Words that speak of the request, in errors that Tendermint calls internal. */
export const tendermintCallerFault =
  /already exists|too large|invalid|illegal|odd length|must be|should be|cannot be|unmarshal|(converting|decod|pars)ing|failed to (parse|decode)|expected|unknown/i

/** Words of proxies: the phrase of a status, a route that they lack. */
const proxyMessage =
  /^(no route|not found|bad request|method not allowed|forbidden|unauthorized|gone|payment required|unknown api|missing authentication)/i

/** The text in a field of a failed answer, unless it is in the shape or the words of a proxy. */
export const readMessage = (answer: unknown, field: "error" | "message"): string | undefined => {
  if (!isRecord(answer) || "statusCode" in answer) return undefined
  const text = answer[field]
  return typeof text === "string" && !proxyMessage.test(text) ? text : undefined
}

/** The failure of a node that answers in its family's own shape, with a 4xx that refuses the request, not its sender. */
export const toFailure = (message: string | undefined, status: number, fault: Fault): Failure | undefined =>
  message === undefined || status < 400 || status >= 500 || isRefusalStatus(status)
    ? undefined
    : { messages: [message], fault }
