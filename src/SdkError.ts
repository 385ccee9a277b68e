/**
 * Every failure of the SDK: one tagged class per kind, its sentence, and the unions that methods declare.
 *
 * @since 0.1.0
 */
import type { YieldableError } from "effect/Cause"
import * as Data from "effect/Data"
import type { Equals } from "effect/Types"

/** The page of the package, whose README has a heading per tag. */
const docs = "https://www.npmjs.com/package/effect-chains#"

/** What all errors of the SDK have beside their own fields. */
interface Described<Tag extends string> {
  readonly _tag: Tag
  /** One line each: what was asked, of whom, and what the other side said. Never a secret. */
  readonly details: ReadonlyArray<string>
  /** Where this error is explained: derived from the tag, stable. */
  readonly docsUrl: string
}

/** The constructor of `Data.TaggedError`, whose instances are described besides. */
type DescribedError<Tag extends string> = new <A extends Record<string, unknown> = {}>(
  fields: Equals<A, {}> extends true ? void : A
) => YieldableError & Described<Tag> & Readonly<A>

const inspect = Symbol.for("nodejs.util.inspect.custom")

/** The base of all errors: printed in several lines, the sentence first. */
const Base = <Tag extends string>(tag: Tag): DescribedError<Tag> => {
  class Printed extends Data.TaggedError(tag)<{}> {
    get details(): ReadonlyArray<string> {
      return []
    }
    get docsUrl(): string {
      return `${docs}${tag.toLowerCase()}`
    }
    override toString(): string {
      return [`${tag}: ${this.message}`, ...this.details.map((line) => `  ${line}`), `  Docs: ${this.docsUrl}`].join("\n")
    }
    [inspect](): string {
      return this.toString()
    }
  }
  // a class expression cannot be generic in its own constructor's argument; Data.TaggedError has the same cast inside
  return Printed as unknown as DescribedError<Tag>
}

/**
 * A url as it may be printed: the origin, and `/…` for a path. User info, path and query are where providers put
 * their keys, so none of them is ever shown.
 *
 * @since 0.1.0
 * @category rendering
 */
export const displayUrl = (url: string): string => {
  try {
    const { origin, pathname, search } = new URL(url)
    return pathname.length > 1 || search !== "" ? `${origin}/…` : origin
  } catch {
    return "(not a url)"
  }
}

/**
 * One thing that is wrong with a configuration: the path of the field, and what to write instead.
 *
 * @since 0.1.0
 * @category models
 */
export interface ConfigIssue {
  readonly path: string
  readonly message: string
}

/**
 * The configuration cannot be used. `issues` names every field that is wrong, all of them at once.
 *
 * @since 0.1.0
 * @category initialisation
 */
export class InvalidConfig extends Base("InvalidConfig")<{ readonly issues: ReadonlyArray<ConfigIssue> }> {
  override get message(): string {
    return `Invalid configuration: ${this.issues.map((issue) => `${issue.path} ${issue.message}`).join("; ")}`
  }
}

/**
 * The network is not known to the SDK, or the called service does not cover it. `suggestion` is the nearest known id.
 *
 * @since 0.1.0
 * @category initialisation
 */
export class UnsupportedNetwork extends Base("UnsupportedNetwork")<{
  readonly network: string
  readonly suggestion?: string
}> {
  override get message(): string {
    return `Unsupported network ${this.network}`
  }
  override get details(): ReadonlyArray<string> {
    return this.suggestion === undefined ? [] : [`Did you mean "${this.suggestion}"?`]
  }
}

/**
 * The network has no such data: token balances and transaction histories exist on networks of the data API only.
 *
 * @since 0.1.0
 * @category services
 */
export class NotSupportedForNetwork extends Base("NotSupportedForNetwork")<{ readonly network: string }> {
  override get message(): string {
    return `Not supported for ${this.network} network.`
  }
}

/**
 * Balances of this network are asked for one address per call, and the call had none or several.
 *
 * @since 0.1.0
 * @category services
 */
export class UtxoSingleAddress extends Base("UtxoSingleAddress")<{
  readonly network: string
  readonly addresses: number
}> {
  override get message(): string {
    return `UTXO based networks like ${this.network} support only one address per call.`
  }
  override get details(): ReadonlyArray<string> {
    return [`The call had ${this.addresses} addresses.`]
  }
}

/**
 * Native balances are not available on this network.
 *
 * @since 0.1.0
 * @category services
 */
export class UnsupportedNetworkForNow extends Base("UnsupportedNetworkForNow")<{ readonly network: string }> {
  override get message(): string {
    return `Unsupported network ${this.network} for now.`
  }
}

/**
 * An extension or wallet provider does not list the configured network among those it supports.
 *
 * @since 0.1.0
 * @category initialisation
 */
export class ExtensionNotSupported extends Base("ExtensionNotSupported")<{
  readonly name: string
  readonly network: string
}> {
  override get message(): string {
    return `Extension ${this.name} is not supported on ${this.network} network.`
  }
}

/**
 * A notification carries a chain code that the network table does not know.
 *
 * @since 0.1.0
 * @category services
 */
export class ChainNotSupported extends Base("ChainNotSupported")<{ readonly chain: string }> {
  override get message(): string {
    return `Chain ${this.chain} is not supported.`
  }
}

/**
 * The network has no notification code, so nothing on it can be subscribed to.
 *
 * @since 0.1.0
 * @category services
 */
export class NetworkNotSupported extends Base("NetworkNotSupported")<{ readonly network: string }> {
  override get message(): string {
    return `Network ${this.network} is not supported.`
  }
}

/**
 * The network has no chain id (EIP-155), which the browser wallet needs.
 *
 * @since 0.1.0
 * @category wallet
 */
export class NoChainId extends Base("NoChainId")<{ readonly network: string }> {
  override get message(): string {
    return `No chain id exists for network ${this.network}.`
  }
}

/**
 * No browser wallet (EIP-1193 provider) is there to talk to.
 *
 * @since 0.1.0
 * @category wallet
 */
export class WalletNotInstalled extends Base("WalletNotInstalled") {
  override get message(): string {
    return "The browser wallet is not installed, or it is impossible to connect to it."
  }
}

/**
 * The user refused to show accounts to the page (EIP-1193 code 4001).
 *
 * @since 0.1.0
 * @category wallet
 */
export class AccountAccessDenied extends Base("AccountAccessDenied")<{ readonly detail: string }> {
  override get message(): string {
    return `User denied account access. Error is ${this.detail}.`
  }
}

/**
 * The user refused to sign a transaction (EIP-1193 code 4001).
 *
 * @since 0.1.0
 * @category wallet
 */
export class TransactionDenied extends Base("TransactionDenied")<{ readonly detail: string }> {
  override get message(): string {
    return `User denied transaction signature. Error is ${this.detail}.`
  }
}

/**
 * The retry helper ran out of time before any attempt ended.
 *
 * @since 0.1.0
 * @category services
 */
export class RetryTimeout extends Base("RetryTimeout") {
  override get message(): string {
    return "Retry timeout failed"
  }
}

/**
 * The retry helper ran out of time, and its last attempt had given null.
 *
 * @since 0.1.0
 * @category services
 */
export class NullResult extends Base("NullResult") {
  override get message(): string {
    return "Null result"
  }
}

/**
 * A client without a single node url was asked to send something (`rpc.nodes` is empty).
 *
 * @since 0.1.0
 * @category nodes
 */
export class NoRpcUrls extends Base("NoRpcUrls")<{ readonly network: string }> {
  override get message(): string {
    return "No RPC URLs provided"
  }
}

/**
 * No node of the asked kind, nor of the other, can be called. `manual` is set when a status check has found all nodes
 * down, and adds the hint to set node urls by hand.
 *
 * @since 0.1.0
 * @category nodes
 */
export class NoActiveNode extends Base("NoActiveNode")<{
  readonly network: string
  readonly type: "NORMAL" | "ARCHIVE"
  readonly manual: boolean
  readonly reason: string
}> {
  override get message(): string {
    return this.manual
      ? `No active ${this.type} node found, fallback failed, please set node urls manually.`
      : `No active ${this.type} node found.`
  }
  override get details(): ReadonlyArray<string> {
    return [`Network: ${this.network}`, `Why: ${this.reason}`]
  }
}

/**
 * Why a node could not serve a call: the connection failed before (`connect`) or after (`network`) the request left,
 * it took too long, answered with a status that speaks of the node, with something the protocol does not allow, with
 * more bytes than `maxResponseBytes`, with a redirect, serves another chain, or said itself that it cannot (`rpc`).
 *
 * @since 0.1.0
 * @category models
 */
export type NodeErrorKind =
  | "connect"
  | "network"
  | "timeout"
  | "status"
  | "malformed"
  | "too-large"
  | "redirect"
  | "wrong-chain"
  | "rpc"

/**
 * The nodes could not serve the call; this is what the last one tried did. `kind` says which way it failed, `status`
 * is the HTTP status where there was one, `code` the JSON-RPC code where the node itself said that it cannot.
 *
 * @since 0.1.0
 * @category nodes
 */
export class NodeError extends Base("NodeError")<{
  readonly kind: NodeErrorKind
  readonly call: string
  readonly url: string
  readonly reason: string
  readonly status?: number
  readonly code?: number
}> {
  override get message(): string {
    return `${this.call} failed: ${this.reason}`
  }
  override get details(): ReadonlyArray<string> {
    return [`Node: ${displayUrl(this.url)}`, ...(this.status === undefined ? [] : [`HTTP status: ${this.status}`])]
  }
}

/**
 * The node answered with a JSON-RPC error that speaks of the request: bad parameters, a reverted call, an unknown
 * method. `code`, `data` and `rpcMessage` are the node's own (JSON-RPC 2.0, section 5.1).
 *
 * @since 0.1.0
 * @category nodes
 */
export class RpcError extends Base("RpcError")<{
  readonly method: string
  readonly code: number
  readonly rpcMessage: string
  readonly data?: unknown
  readonly url: string
}> {
  override get message(): string {
    return this.rpcMessage
  }
  override get details(): ReadonlyArray<string> {
    return [
      `Method: ${this.method}`,
      `Code: ${this.code}`,
      ...(typeof this.data === "string" ? [`Data: ${this.data}`] : []),
      `Node: ${displayUrl(this.url)}`
    ]
  }
}

/**
 * The node refused the request with an HTTP status that speaks of the request (4xx other than 401, 403, 408, 429).
 * `body` is its answer, cut at 2,000 characters.
 *
 * @since 0.1.0
 * @category nodes
 */
export class RequestRejected extends Base("RequestRejected")<{
  readonly call: string
  readonly status: number
  readonly messages: ReadonlyArray<string>
  readonly body: string
  readonly url: string
}> {
  override get message(): string {
    return this.messages.join("; ")
  }
  override get details(): ReadonlyArray<string> {
    return [`Call: ${this.call}`, `HTTP status: ${this.status}`, `Node: ${displayUrl(this.url)}`]
  }
}

/**
 * The arguments cannot be sent: not serialisable, or not what the call takes. Nothing has left the process.
 *
 * @since 0.1.0
 * @category nodes
 */
export class InvalidArgument extends Base("InvalidArgument")<{ readonly call: string; readonly reason: string }> {
  override get message(): string {
    return `${this.call}: ${this.reason}`
  }
}

/**
 * The whole call, with all its attempts, took longer than `timeout` (milliseconds). `last` is what the last attempt
 * that ended had to say.
 *
 * @since 0.1.0
 * @category nodes
 */
export class CallTimeout extends Base("CallTimeout")<{
  readonly call: string
  readonly timeout: number
  readonly last?: string
}> {
  override get message(): string {
    return `${this.call} took longer than ${this.timeout} ms`
  }
  override get details(): ReadonlyArray<string> {
    return this.last === undefined ? [] : [`Last attempt: ${this.last}`]
  }
}

/**
 * The provider's REST API did not answer as asked. `messages`, `code` and `dashboardLog` are the provider's own words
 * where it had any; `status` is the HTTP status, absent when no answer came.
 *
 * @since 0.1.0
 * @category provider
 */
export class GatewayError extends Base("GatewayError")<{
  readonly call: string
  readonly kind: NodeErrorKind
  readonly messages: ReadonlyArray<string>
  readonly status?: number
  readonly code?: string
  readonly dashboardLog?: string
}> {
  override get message(): string {
    return this.messages.join("; ")
  }
  override get details(): ReadonlyArray<string> {
    return [
      `Call: ${this.call}`,
      ...(this.status === undefined ? [] : [`HTTP status: ${this.status}`]),
      ...(this.code === undefined ? [] : [`Code: ${this.code}`]),
      ...(this.dashboardLog === undefined ? [] : [`Dashboard: ${this.dashboardLog}`])
    ]
  }
}

/**
 * The caller's `AbortSignal` fired before the call ended (Promise surface).
 *
 * @since 0.1.0
 * @category promise
 */
export class Aborted extends Base("Aborted")<{ readonly reason: unknown }> {
  override get message(): string {
    return this.reason instanceof Error ? this.reason.message : "The call was aborted"
  }
}

/**
 * A bug: something failed that no code accounts for (Promise surface). `defect` is what was thrown.
 *
 * @since 0.1.0
 * @category promise
 */
export class Unexpected extends Base("Unexpected")<{ readonly defect: unknown }> {
  override get message(): string {
    return this.defect instanceof Error ? this.defect.message : String(this.defect)
  }
}

/**
 * What a JSON-RPC call of a node can fail with.
 *
 * @since 0.1.0
 * @category unions
 */
export type RpcCallError = NoActiveNode | NodeError | RpcError | RequestRejected | InvalidArgument | CallTimeout

/**
 * What a REST call of a node can fail with.
 *
 * @since 0.1.0
 * @category unions
 */
export type RestCallError = NoActiveNode | NodeError | RequestRejected | InvalidArgument | CallTimeout

/**
 * What the making of a client can fail with. Unreachable nodes are not among it.
 *
 * @since 0.1.0
 * @category unions
 */
export type InitError = InvalidConfig | UnsupportedNetwork | ExtensionNotSupported

/**
 * The provider's words in the body of a failed answer.
 *
 * @since 0.1.0
 * @category decoding
 */
export interface ErrorBody {
  readonly messages: ReadonlyArray<string>
  readonly code?: string
  readonly dashboardLog?: string
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)))

/**
 * Reads the body of a failed answer: JSON with `data` (a list, whose `attr.` prefixes go) or `message`, `errorCode` and
 * `dashboardLog`; plain text; an HTML page, of which the title is kept; or nothing, for which the status stands.
 *
 * @since 0.1.0
 * @category decoding
 */
export const decodeErrorBody = (body: string, status: number): ErrorBody => {
  const trimmed = body.trim()
  if (trimmed === "") return { messages: [`HTTP ${status} with an empty body`] }
  if (/^<(!doctype|html|head|body|\?xml)/i.test(trimmed)) {
    const title = /<title[^>]*>([^<]*)<\/title>/i.exec(trimmed)?.[1]?.trim()
    return { messages: [`HTTP ${status} with an HTML page${title ? `: ${title}` : ""}`] }
  }
  let json: unknown
  try {
    json = JSON.parse(trimmed)
  } catch {
    return { messages: [trimmed.slice(0, 2000)] }
  }
  if (!isRecord(json)) return { messages: [text(json)] }
  const { data, message, errorCode, dashboardLog } = json
  return {
    messages:
      Array.isArray(data) && data.length > 0
        ? data.map((item) => text(item).replace("attr.", ""))
        : Array.isArray(message)
          ? message.map(text)
          : [message === undefined ? text(json) : text(message)],
    ...(errorCode === undefined || errorCode === null ? {} : { code: String(errorCode) }),
    ...(dashboardLog === undefined || dashboardLog === null ? {} : { dashboardLog: text(dashboardLog) })
  }
}
