import type { Failure, Fault } from "../../data/Endpoint.js"
import { isRecord } from "../../data/foreign.js"
import { refusesUs } from "../../wire/jsonRpc.js"

/** What codes of JSON-RPC 2.0 and of HTTP say on every chain. */
export const standard: Readonly<Record<number, Fault>> = {
  [-32700]: "caller",
  [-32600]: "caller",
  [-32602]: "caller",
  // a method that one program lacks, another one behind the same network may have
  [-32601]: "elsewhere",
  429: "node"
}

/** Codes of the provider's gateway, which stands before nodes of every family. */
const gateway: Readonly<Record<number, Fault>> = {
  [-16401]: "caller",
  [-16402]: "caller",
  [-16405]: "elsewhere",
  [-16412]: "caller",
  [-16429]: "node",
  [-16503]: "node"
}

/** Whose fault an error is whose code and words a family has no meaning of its own for. */
export const faultOf = ({ code, message }: { readonly code: number; readonly message: string }): Fault =>
  standard[code] ??
  gateway[code] ??
  (/rate.?limit|too many requests|overloaded|try again/i.test(message) ? "node" : "unclear")

/** What is wrong with a request, in the words of what Tendermint calls an internal error. */
export const ofTendermint =
  /already exists|too large|invalid|illegal|odd length|must be|should be|cannot be|unmarshal|(converting|decod|pars)ing|failed to (parse|decode)|expected|unknown/i

/** What proxies write: the phrase of a status, a route that they lack. */
const ofProxy =
  /^(no route|not found|bad request|method not allowed|forbidden|unauthorized|gone|payment required|unknown api|missing authentication)/i

/** What a failed answer says in a field of its own, unless it is in the shape or the words of a proxy. */
export const said = (answer: unknown, field: "error" | "message"): string | undefined => {
  if (!isRecord(answer) || "statusCode" in answer) return undefined
  const text = answer[field]
  return typeof text === "string" && !ofProxy.test(text) ? text : undefined
}

/** What a node of a family said in its own shape with a 4xx that refuses the request, not its sender. */
export const refused = (message: string | undefined, status: number, fault: Fault): Failure | undefined =>
  message === undefined || status < 400 || status >= 500 || refusesUs(status)
    ? undefined
    : { messages: [message], fault }
