/**
 * The errors of the SDK, one declaration each. A declaration gives the fields of the class (`SdkError.ts`), the schema
 * (`SdkErrorSchema.ts`), the exit code of the command line (`cli/Failure.ts`) and the head of its page (`scripts/entries.mjs`). The message
 * is the class's own.
 *
 * `SdkError.ts` imports types alone from here: an application that reads no schema has nothing of this table.
 */

/** The type of a field. A name that ends with `?` may be left out. */
export type ErrorField =
  | "string"
  | "strings"
  | "number"
  | "number or bigint"
  | "boolean"
  /** Data of a node, as JSON can hold it. */
  | "data"
  /** Values of a contract: JSON has bigints with their digits as `$bigint`. */
  | "values"
  /** A thrown value: JSON has its name and its message. */
  | "thrown"
  /** A block height, undefined where none is known. */
  | "height"
  /** One of these words. */
  | ReadonlyArray<string>
  | { readonly listOf: ErrorFields }
  /** Another error, with one of these tags. */
  | { readonly errors: ReadonlyArray<string> }

/** The fields of an error by their names. */
export interface ErrorFields {
  readonly [name: string]: ErrorField
}

/** The exit of the command line that an error leads to. */
export type ErrorExit = "wrong" | "refused" | "unreachable" | "lacking" | "unsettled" | "interrupted" | "bug"

/** The declaration of an error. */
export interface ErrorDeclaration {
  readonly fields: ErrorFields
  readonly exit: ErrorExit
  /** The exits of some values of the field `kind`. */
  readonly exitOfKind?: Readonly<Record<string, ErrorExit>>
}

const nodeErrorKinds = [
  "connect",
  "network",
  "timeout",
  "status",
  "malformed",
  "too-large",
  "redirect",
  "wrong-chain",
  "behind",
  "rpc"
] as const

/** Why a node takes no calls: its last error, a pause that it has asked for (`limited`), or other nodes that answer sooner (`slow`). */
const nodeFaultKinds = [...nodeErrorKinds, "limited", "slow"] as const

/** A node or the provider did not answer at all. */
const exitsWithoutAnswer = { connect: "unreachable", network: "unreachable", timeout: "unreachable" } as const

export const InvalidConfig = {
  fields: { issues: { listOf: { path: "string", message: "string" } } },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const UnsupportedNetwork = {
  fields: { network: "string", "suggestion?": "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

/** What a network can lack, by the service that has it. */
const features = [
  "address balances",
  "address history",
  "contract",
  "data",
  "explorer",
  "fee",
  "nft",
  "notification",
  "proposals",
  "simulation",
  "staking",
  "token",
  "token balances",
  "wallet"
] as const

export const NotSupportedForNetwork = {
  fields: { network: "string", feature: features, "networks?": "strings" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const UtxoSingleAddress = {
  fields: { network: "string", addresses: "number" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const ExtensionNotSupported = {
  fields: { extension: "string", network: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const ExtensionFailed = {
  fields: { extension: "string", reason: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const ChainNotSupported = {
  fields: { chain: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const NoChainId = { fields: { network: "string" }, exit: "wrong" } as const satisfies ErrorDeclaration

export const WalletNotInstalled = { fields: {}, exit: "wrong" } as const satisfies ErrorDeclaration

export const WalletNotFound = {
  fields: { wallet: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const WalletNotChosen = {
  fields: { wallets: "strings" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const AccountAccessDenied = {
  fields: { detail: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const TransactionDenied = {
  fields: { detail: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const WalletBusy = {
  fields: { method: "string", detail: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const WalletError = {
  fields: {
    kind: ["unauthorized", "unsupported", "disconnected", "malformed", "failed"],
    method: "string",
    detail: "string",
    "code?": "number"
  },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const WalletUnclear = {
  fields: {
    from: "string",
    "to?": "string",
    value: "string",
    "nonce?": "number",
    "code?": "number",
    reason: "string"
  },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const WrongChain = {
  fields: {
    kind: ["unknown", "unsupported", "unchanged"],
    network: "string",
    expected: "number",
    actual: "string",
    detail: "string"
  },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const DecimalsUnreadable = {
  fields: {
    token: "string",
    cause: {
      errors: [
        "NoActiveNode",
        "NodeError",
        "RpcError",
        "RequestRejected",
        "CallTimeout",
        "NoQuorum",
        "BlockNotReached",
        "StateUnavailable",
        "QuotaExceeded"
      ]
    }
  },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const MissingPeer = {
  fields: { package: "string", install: "string", reason: "string" },
  exit: "lacking"
} as const satisfies ErrorDeclaration

export const InvalidMnemonic = {
  fields: { reason: "string", "position?": "number" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const InvalidKey = { fields: { reason: "string" }, exit: "wrong" } as const satisfies ErrorDeclaration

export const InvalidAddress = {
  fields: { address: "string", network: "string", reason: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const InvalidAmount = {
  fields: { amount: "string", reason: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const InsufficientFunds = {
  fields: { address: "string", asset: "string", "token?": "string", needed: "string", available: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const DustAmount = {
  fields: { amount: "string", least: "string", asset: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const FeeOverCap = {
  fields: { fee: "string", cap: "string", asset: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const PolicyDenied = {
  fields: { network: "string", address: "string", rule: "string", reason: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const GasOverCap = {
  fields: { address: "string", gas: "string", needed: "string", cap: "string", asset: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const SweepIncomplete = {
  fields: {
    address: "string",
    gas: "string",
    hashes: "strings",
    cause: {
      errors: [
        "NoActiveNode",
        "NodeError",
        "RpcError",
        "RequestRejected",
        "InvalidArgument",
        "CallTimeout",
        "StateUnavailable",
        "QuotaExceeded",
        "Aborted",
        "NoQuorum",
        "BlockNotReached",
        "GatewayError",
        "LoadError",
        "InvalidAddress",
        "InvalidAmount",
        "InsufficientFunds",
        "DustAmount",
        "FeeOverCap",
        "GasOverCap",
        "MemoRequired",
        "SigningFailed",
        "PolicyDenied",
        "NonceTaken",
        "BroadcastUnclear",
        "WalletUnclear",
        "TransactionReplaced",
        "TransactionDropped",
        "TransactionExpired",
        "TransactionFailed",
        "TransactionNotConfirmed"
      ]
    }
  },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const MemoRequired = {
  fields: { address: "string", reason: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const NonceTaken = {
  fields: { address: "string", nonce: "number or bigint" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const SigningFailed = {
  fields: { reason: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const BroadcastUnclear = {
  fields: { hash: "string", raw: "string", reason: "string" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const TransactionReplaced = {
  fields: { hash: "string", by: "string" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const ContractReverted = {
  fields: {
    address: "string",
    functionName: "string",
    "errorName?": "string",
    "args?": "values",
    "data?": "string",
    reason: "string"
  },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const TransactionFailed = {
  // `receipt` may be absent: errors that were stored before it was there have none
  fields: { hash: "string", reason: "string", "data?": "string", "receipt?": "data" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const RetryTimeout = { fields: {}, exit: "unreachable" } as const satisfies ErrorDeclaration

export const NullResult = { fields: {}, exit: "refused" } as const satisfies ErrorDeclaration

export const NoRpcUrls = {
  fields: { network: "string" },
  exit: "unreachable"
} as const satisfies ErrorDeclaration

export const NoActiveNode = {
  fields: {
    network: "string",
    type: ["NORMAL", "ARCHIVE"],
    manual: "boolean",
    reason: "string",
    "retryAfter?": "number",
    "nodes?": { listOf: { url: "string", kind: nodeFaultKinds, reason: "string" } },
    "last?": { errors: ["RpcError", "RequestRejected", "StateUnavailable"] }
  },
  exit: "unreachable"
} as const satisfies ErrorDeclaration

export const StateUnavailable = {
  fields: { call: "string", block: "string", url: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const NodeError = {
  fields: {
    kind: nodeErrorKinds,
    call: "string",
    url: "string",
    reason: "string",
    "status?": "number",
    "code?": "number",
    "retryAfter?": "number"
  },
  exit: "refused",
  exitOfKind: exitsWithoutAnswer
} as const satisfies ErrorDeclaration

export const RpcError = {
  fields: {
    method: "string",
    code: "number",
    rpcMessage: "string",
    "data?": "data",
    url: "string",
    "retryAfter?": "number"
  },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const RequestRejected = {
  fields: { call: "string", status: "number", messages: "strings", body: "string", url: "string" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const InvalidArgument = {
  fields: { call: "string", reason: "string" },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const InvalidCaip = {
  fields: {
    kind: ["id", "chain", "account", "asset", "transaction", "block"],
    at: "number",
    reason: "string"
  },
  exit: "wrong"
} as const satisfies ErrorDeclaration

export const CallTimeout = {
  fields: { call: "string", timeout: "number", "last?": "string" },
  exit: "unreachable"
} as const satisfies ErrorDeclaration

export const BlockNotReached = {
  fields: { call: "string", minBlock: "number", height: "height", url: "string", timeout: "number" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const QuotaExceeded = {
  fields: { call: "string", retryAfter: "number" },
  exit: "unreachable"
} as const satisfies ErrorDeclaration

export const NoQuorum = {
  fields: {
    call: "string",
    nodes: "number",
    agree: "number",
    answers: { listOf: { url: "string", said: "string" } }
  },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const TransactionNotConfirmed = {
  fields: { hash: "string", confirmations: "number", wanted: "number", timeout: "number" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const TransactionDropped = {
  fields: { hash: "string", reason: "string" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const TransactionExpired = {
  fields: { hash: "string", lastValidBlockHeight: "number or bigint", height: "number or bigint" },
  exit: "unsettled"
} as const satisfies ErrorDeclaration

export const WebSocketUnavailable = { fields: {}, exit: "unreachable" } as const satisfies ErrorDeclaration

export const SubscriptionOverflow = {
  fields: { subscription: "string", buffer: "number" },
  exit: "refused"
} as const satisfies ErrorDeclaration

export const GatewayError = {
  fields: {
    call: "string",
    kind: nodeErrorKinds,
    messages: "strings",
    "status?": "number",
    "code?": "string",
    "dashboardLog?": "string",
    "uploaded?": "strings"
  },
  exit: "refused",
  exitOfKind: exitsWithoutAnswer
} as const satisfies ErrorDeclaration

export const Aborted = {
  fields: { reason: "thrown" },
  exit: "interrupted"
} as const satisfies ErrorDeclaration

export const Unexpected = { fields: { defect: "thrown" }, exit: "bug" } as const satisfies ErrorDeclaration

export const LoadError = { fields: { reason: "string" }, exit: "lacking" } as const satisfies ErrorDeclaration
