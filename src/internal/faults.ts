import type { Fault } from "../Endpoint.js"

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
