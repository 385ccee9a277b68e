/**
 * A schema per error of the SDK, under the name of its class, and one of them all: errors cross `@effect/rpc`, HttpApi and
 * workers, and come back as instances of their classes, with their sentence, their fields and their attempts. Encoded,
 * a bigint in the data of others is its digits (in the arguments of a revert `{ $bigint }`), and a thrown value its name and message.
 *
 * ```ts
 * class Wallets extends RpcGroup.make(
 *   Rpc.make("balance", { payload: { address: Schema.String }, success: Schema.BigInt, error: SdkErrorSchema.RpcCallError })
 * ) {}
 * ```
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Types from "effect/Types"
import { type Exactly, optionalExact } from "./exactSchema.js"
import * as E from "./SdkError.js"
import { isRecord, sanitizeText } from "./untrusted.js"

/** JSON has no numbers beyond the finite ones, which limits of time may be. */
const Amount = Schema.transform(
  Schema.Union(Schema.Number, Schema.Literal("Infinity", "-Infinity", "NaN")),
  Schema.Number,
  {
    strict: true,
    decode: Number,
    encode: (amount) =>
      Number.isFinite(amount)
        ? amount
        : Number.isNaN(amount)
          ? ("NaN" as const)
          : amount > 0
            ? ("Infinity" as const)
            : ("-Infinity" as const)
  }
)

/** Data of others, as JSON can hold it. */
const Plain: Schema.Schema<unknown> = Schema.transform(Schema.Unknown, Schema.Unknown, {
  strict: true,
  decode: (data) => data,
  encode: E.toPlainData
})

/** Values of contracts, whose numbers are bigints: JSON has them with their digits as `$bigint`. */
const Values: Schema.Schema<ReadonlyArray<unknown>> = Schema.transform(
  Schema.Array(Schema.Unknown),
  Schema.Array(Schema.Unknown),
  {
    strict: true,
    decode: (values) => values.map(unmarkBigints),
    encode: (values) => values.map((value) => E.toPlainData(markBigints(value)))
  }
)

/** The same value at any depth, with another in the place of each that is changed. */
const mapDeep =
  (change: (value: unknown) => unknown) =>
  (value: unknown): unknown => {
    const changed = change(value)
    if (changed !== value) return changed
    if (Array.isArray(value)) return value.map(mapDeep(change))
    return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapDeep(change)(inner)]))
      : value
  }

const markBigints = /*#__PURE__*/ mapDeep((value) =>
  typeof value === "bigint" ? { $bigint: String(value) } : value
)

const unmarkBigints = /*#__PURE__*/ mapDeep((value) =>
  isRecord(value) && typeof value.$bigint === "string" && /^-?\d+$/.test(value.$bigint)
    ? BigInt(value.$bigint)
    : value
)

/** What was thrown: an error with its name and its words, without the secrets in them, or the text of anything else. */
const Thrown: Schema.Schema<unknown> = Schema.transform(Schema.Defect, Schema.Unknown, {
  strict: true,
  decode: (thrown) => thrown,
  encode: (thrown) => {
    if (!(thrown instanceof Error)) return sanitizeText(E.reasonOf(thrown))
    const told = new Error(sanitizeText(String(thrown.message)))
    told.name = thrown.name
    return told
  }
})

const text = Schema.String
const texts = Schema.Array(text)
const maybeText = optionalExact(text)
const maybeAmount = optionalExact(Amount)

/** A height that nobody knows is left out. */
const Height = Schema.optionalToRequired(Amount, Schema.UndefinedOr(Schema.Number), {
  decode: Option.getOrUndefined,
  encode: Option.fromNullable
})

const Attempts = Schema.Array(
  Schema.Struct({
    node: text,
    ms: Amount,
    outcome: Schema.Literal(
      "caller",
      "elsewhere",
      "unclear",
      "declined",
      "busy",
      "foreign",
      "unreached",
      "down",
      "lost",
      "behind"
    )
  })
)

const kind = Schema.Literal(
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
)

/** An error by its tag. */
type Tagged<Tag> = Extract<E.SdkError, { readonly _tag: Tag }>

/** The fields that an error is made of: none, where its class is made without arguments. */
type FieldsOf<C extends new (fields: never) => unknown> = ConstructorParameters<C>[0] extends infer F
  ? undefined extends F
    ? {}
    : Types.Simplify<F>
  : never

/**
 * The schema of an error, by those of its fields. The encoded form has the sentence besides, for readers that do not know the
 * SDK.
 */
const makeErrorSchema = <
  const Tag extends E.SdkError["_tag"],
  C extends new (
    fields: never
  ) => Tagged<Tag>,
  const F extends Schema.Struct.Fields
>(
  tag: Tag,
  Class: C,
  fields: F & Exactly<FieldsOf<C>, F>
) => {
  const own: F = fields
  const itself = Schema.declare(
    (value: unknown): value is Tagged<Tag> => E.isSdkError(value) && value._tag === tag,
    { identifier: tag }
  )
  const encoded = Schema.Struct({
    _tag: Schema.Literal(tag),
    message: maybeText,
    ...own,
    attempts: optionalExact(Attempts)
  })
  // the fields are those of the class, which the compiler has checked above and cannot follow through a generic struct
  const made = Class as unknown as new (fields: object) => Tagged<Tag>
  const names = Object.keys(own)
  return Schema.transform(encoded, itself, {
    strict: false,
    decode: ({
      _tag,
      message,
      attempts,
      ...rest
    }: { readonly attempts?: ReadonlyArray<E.AttemptRecord> } & Record<string, unknown>) => {
      const error = new made(rest)
      return attempts === undefined ? error : E.withAttempts(error, attempts)
    },
    encode: (error: Tagged<Tag>) => ({
      _tag: tag,
      message: error.message,
      // by name: an iteration over an error leaves its cause out
      ...Object.fromEntries(
        names.filter((name) => Object.hasOwn(error, name)).map((name) => [name, Reflect.get(error, name)])
      ),
      ...(error.attempts.length === 0 ? {} : { attempts: error.attempts })
    })
  })
}

/**
 * The schema of {@link E.InvalidConfig}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidConfig = /*#__PURE__*/ makeErrorSchema("InvalidConfig", E.InvalidConfig, {
  issues: Schema.Array(Schema.Struct({ path: text, message: text }))
})

/**
 * The schema of {@link E.UnsupportedNetwork}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UnsupportedNetwork = /*#__PURE__*/ makeErrorSchema("UnsupportedNetwork", E.UnsupportedNetwork, {
  network: text,
  suggestion: maybeText,
  networks: optionalExact(Schema.Array(text))
})

/**
 * The schema of {@link E.NotSupportedForNetwork}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NotSupportedForNetwork = /*#__PURE__*/ makeErrorSchema(
  "NotSupportedForNetwork",
  E.NotSupportedForNetwork,
  {
    network: text,
    networks: optionalExact(Schema.Array(text))
  }
)

/**
 * The schema of {@link E.UtxoSingleAddress}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UtxoSingleAddress = /*#__PURE__*/ makeErrorSchema("UtxoSingleAddress", E.UtxoSingleAddress, {
  network: text,
  addresses: Amount
})

/**
 * The schema of {@link E.UnsupportedNetworkForNow}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UnsupportedNetworkForNow = /*#__PURE__*/ makeErrorSchema(
  "UnsupportedNetworkForNow",
  E.UnsupportedNetworkForNow,
  { network: text }
)

/**
 * The schema of {@link E.ExtensionNotSupported}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExtensionNotSupported = /*#__PURE__*/ makeErrorSchema(
  "ExtensionNotSupported",
  E.ExtensionNotSupported,
  {
    extension: text,
    network: text
  }
)

/**
 * The schema of {@link E.ExtensionFailed}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ExtensionFailed = /*#__PURE__*/ makeErrorSchema("ExtensionFailed", E.ExtensionFailed, {
  extension: text,
  reason: text
})

/**
 * The schema of {@link E.ChainNotSupported}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainNotSupported = /*#__PURE__*/ makeErrorSchema("ChainNotSupported", E.ChainNotSupported, {
  chain: text
})

/**
 * The schema of {@link E.NetworkNotSupported}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NetworkNotSupported = /*#__PURE__*/ makeErrorSchema(
  "NetworkNotSupported",
  E.NetworkNotSupported,
  {
    network: text
  }
)

/**
 * The schema of {@link E.NoChainId}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NoChainId = /*#__PURE__*/ makeErrorSchema("NoChainId", E.NoChainId, { network: text })

/**
 * The schema of {@link E.WalletNotInstalled}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletNotInstalled = /*#__PURE__*/ makeErrorSchema(
  "WalletNotInstalled",
  E.WalletNotInstalled,
  {}
)

/**
 * The schema of {@link E.WalletNotFound}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletNotFound = /*#__PURE__*/ makeErrorSchema("WalletNotFound", E.WalletNotFound, {
  wallet: text
})

/**
 * The schema of {@link E.WalletNotChosen}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletNotChosen = /*#__PURE__*/ makeErrorSchema("WalletNotChosen", E.WalletNotChosen, {
  wallets: texts
})

/**
 * The schema of {@link E.AccountAccessDenied}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AccountAccessDenied = /*#__PURE__*/ makeErrorSchema(
  "AccountAccessDenied",
  E.AccountAccessDenied,
  {
    detail: text
  }
)

/**
 * The schema of {@link E.TransactionDenied}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionDenied = /*#__PURE__*/ makeErrorSchema("TransactionDenied", E.TransactionDenied, {
  detail: text
})

/**
 * The schema of {@link E.WalletBusy}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletBusy = /*#__PURE__*/ makeErrorSchema("WalletBusy", E.WalletBusy, {
  method: text,
  detail: text
})

/**
 * The schema of {@link E.WalletError}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletError = /*#__PURE__*/ makeErrorSchema("WalletError", E.WalletError, {
  kind: Schema.Literal("unauthorized", "unsupported", "disconnected", "malformed", "failed"),
  method: text,
  detail: text,
  code: maybeAmount
})

/**
 * The schema of {@link E.WalletUnclear}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WalletUnclear = /*#__PURE__*/ makeErrorSchema("WalletUnclear", E.WalletUnclear, {
  from: text,
  to: maybeText,
  value: text,
  nonce: maybeAmount,
  code: maybeAmount,
  reason: text
})

/**
 * The schema of {@link E.WrongChain}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WrongChain = /*#__PURE__*/ makeErrorSchema("WrongChain", E.WrongChain, {
  kind: Schema.Literal("unknown", "unsupported", "unchanged"),
  network: text,
  expected: Amount,
  actual: text,
  detail: text
})

/**
 * The schema of {@link E.MissingPeer}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MissingPeer = /*#__PURE__*/ makeErrorSchema("MissingPeer", E.MissingPeer, {
  package: text,
  install: text,
  reason: text
})

/**
 * The schema of {@link E.InvalidMnemonic}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidMnemonic = /*#__PURE__*/ makeErrorSchema("InvalidMnemonic", E.InvalidMnemonic, {
  reason: text,
  position: optionalExact(Amount)
})

/**
 * The schema of {@link E.InvalidKey}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidKey = /*#__PURE__*/ makeErrorSchema("InvalidKey", E.InvalidKey, { reason: text })

/**
 * The schema of {@link E.InvalidAddress}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidAddress = /*#__PURE__*/ makeErrorSchema("InvalidAddress", E.InvalidAddress, {
  address: text,
  network: text,
  reason: text
})

/**
 * The schema of {@link E.InvalidAmount}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidAmount = /*#__PURE__*/ makeErrorSchema("InvalidAmount", E.InvalidAmount, {
  amount: text,
  reason: text
})

/**
 * The schema of {@link E.InsufficientFunds}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InsufficientFunds = /*#__PURE__*/ makeErrorSchema("InsufficientFunds", E.InsufficientFunds, {
  address: text,
  asset: text,
  needed: text,
  available: text
})

/**
 * The schema of {@link E.DustAmount}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DustAmount = /*#__PURE__*/ makeErrorSchema("DustAmount", E.DustAmount, {
  amount: text,
  least: text,
  asset: text
})

/**
 * The schema of {@link E.FeeOverCap}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FeeOverCap = /*#__PURE__*/ makeErrorSchema("FeeOverCap", E.FeeOverCap, {
  fee: text,
  cap: text,
  asset: text
})

/**
 * The schema of {@link E.MemoRequired}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const MemoRequired = /*#__PURE__*/ makeErrorSchema("MemoRequired", E.MemoRequired, {
  address: text,
  reason: text
})

/**
 * The schema of {@link E.NonceTaken}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NonceTaken = /*#__PURE__*/ makeErrorSchema("NonceTaken", E.NonceTaken, {
  address: text,
  nonce: Schema.Union(Amount, Schema.BigInt)
})

/**
 * The schema of {@link E.SigningFailed}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SigningFailed = /*#__PURE__*/ makeErrorSchema("SigningFailed", E.SigningFailed, { reason: text })

/**
 * The schema of {@link E.BroadcastUnclear}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BroadcastUnclear = /*#__PURE__*/ makeErrorSchema("BroadcastUnclear", E.BroadcastUnclear, {
  hash: text,
  raw: text,
  reason: text
})

/**
 * The schema of {@link E.TransactionReplaced}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionReplaced = /*#__PURE__*/ makeErrorSchema(
  "TransactionReplaced",
  E.TransactionReplaced,
  {
    hash: text,
    by: text
  }
)

/**
 * The schema of {@link E.TransactionFailed}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionFailed = /*#__PURE__*/ makeErrorSchema("TransactionFailed", E.TransactionFailed, {
  hash: text,
  reason: text
})

/**
 * The schema of {@link E.ContractReverted}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ContractReverted = /*#__PURE__*/ makeErrorSchema("ContractReverted", E.ContractReverted, {
  address: text,
  functionName: text,
  errorName: maybeText,
  args: optionalExact(Values),
  data: maybeText,
  reason: text
})

/**
 * The schema of {@link E.RetryTimeout}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RetryTimeout = /*#__PURE__*/ makeErrorSchema("RetryTimeout", E.RetryTimeout, {})

/**
 * The schema of {@link E.NullResult}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NullResult = /*#__PURE__*/ makeErrorSchema("NullResult", E.NullResult, {})

/**
 * The schema of {@link E.NoRpcUrls}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NoRpcUrls = /*#__PURE__*/ makeErrorSchema("NoRpcUrls", E.NoRpcUrls, { network: text })

/**
 * The schema of {@link E.StateUnavailable}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const StateUnavailable = /*#__PURE__*/ makeErrorSchema("StateUnavailable", E.StateUnavailable, {
  call: text,
  block: text,
  url: text
})

/**
 * The schema of {@link E.NodeError}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NodeError = /*#__PURE__*/ makeErrorSchema("NodeError", E.NodeError, {
  kind,
  call: text,
  url: text,
  reason: text,
  status: maybeAmount,
  code: maybeAmount,
  retryAfter: maybeAmount
})

/**
 * The schema of {@link E.RpcError}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RpcError = /*#__PURE__*/ makeErrorSchema("RpcError", E.RpcError, {
  method: text,
  code: Amount,
  rpcMessage: text,
  data: optionalExact(Plain),
  url: text,
  retryAfter: maybeAmount
})

/**
 * The schema of {@link E.RequestRejected}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RequestRejected = /*#__PURE__*/ makeErrorSchema("RequestRejected", E.RequestRejected, {
  call: text,
  status: Amount,
  messages: texts,
  body: text,
  url: text
})

/**
 * The schema of {@link E.NoActiveNode}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NoActiveNode = /*#__PURE__*/ makeErrorSchema("NoActiveNode", E.NoActiveNode, {
  network: text,
  type: Schema.Literal("NORMAL", "ARCHIVE"),
  manual: Schema.Boolean,
  reason: text,
  retryAfter: maybeAmount,
  last: optionalExact(Schema.Union(RpcError, RequestRejected, StateUnavailable))
})

/**
 * The schema of {@link E.InvalidCaip}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidCaip = /*#__PURE__*/ makeErrorSchema("InvalidCaip", E.InvalidCaip, {
  kind: Schema.Literal("id", "chain", "account", "asset", "transaction", "block"),
  at: Amount,
  reason: text
})

/**
 * The schema of {@link E.InvalidArgument}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InvalidArgument = /*#__PURE__*/ makeErrorSchema("InvalidArgument", E.InvalidArgument, {
  call: text,
  reason: text
})

/**
 * The schema of {@link E.CallTimeout}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const CallTimeout = /*#__PURE__*/ makeErrorSchema("CallTimeout", E.CallTimeout, {
  call: text,
  timeout: Amount,
  last: maybeText
})

/**
 * The schema of {@link E.BlockNotReached}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BlockNotReached = /*#__PURE__*/ makeErrorSchema("BlockNotReached", E.BlockNotReached, {
  call: text,
  minBlock: Amount,
  height: Height,
  url: text,
  timeout: Amount
})

/**
 * The schema of {@link E.QuotaExceeded}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const QuotaExceeded = /*#__PURE__*/ makeErrorSchema("QuotaExceeded", E.QuotaExceeded, {
  call: text,
  retryAfter: Amount
})

/**
 * The schema of {@link E.NoQuorum}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NoQuorum = /*#__PURE__*/ makeErrorSchema("NoQuorum", E.NoQuorum, {
  call: text,
  nodes: Amount,
  agree: Amount,
  answers: Schema.Array(Schema.Struct({ url: text, said: text }))
})

/**
 * The schema of {@link E.DecimalsUnreadable}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const DecimalsUnreadable = /*#__PURE__*/ makeErrorSchema("DecimalsUnreadable", E.DecimalsUnreadable, {
  token: text,
  cause: Schema.Union(
    NoActiveNode,
    NodeError,
    RpcError,
    RequestRejected,
    CallTimeout,
    NoQuorum,
    BlockNotReached,
    StateUnavailable,
    QuotaExceeded
  )
})

/**
 * The schema of {@link E.TransactionNotConfirmed}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionNotConfirmed = /*#__PURE__*/ makeErrorSchema(
  "TransactionNotConfirmed",
  E.TransactionNotConfirmed,
  { hash: text, confirmations: Amount, wanted: Amount, timeout: Amount }
)

/**
 * The schema of {@link E.TransactionDropped}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TransactionDropped = /*#__PURE__*/ makeErrorSchema("TransactionDropped", E.TransactionDropped, {
  hash: text,
  reason: text
})

/**
 * The schema of {@link E.WebSocketUnavailable}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const WebSocketUnavailable = /*#__PURE__*/ makeErrorSchema(
  "WebSocketUnavailable",
  E.WebSocketUnavailable,
  {}
)

/**
 * The schema of {@link E.SubscriptionOverflow}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SubscriptionOverflow = /*#__PURE__*/ makeErrorSchema(
  "SubscriptionOverflow",
  E.SubscriptionOverflow,
  {
    subscription: text,
    buffer: Amount
  }
)

/**
 * The schema of {@link E.GatewayError}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GatewayError = /*#__PURE__*/ makeErrorSchema("GatewayError", E.GatewayError, {
  call: text,
  kind,
  messages: texts,
  status: maybeAmount,
  code: maybeText,
  dashboardLog: maybeText,
  uploaded: optionalExact(texts)
})

/**
 * The schema of {@link E.Aborted}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Aborted = /*#__PURE__*/ makeErrorSchema("Aborted", E.Aborted, { reason: Thrown })

/**
 * The schema of {@link E.Unexpected}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Unexpected = /*#__PURE__*/ makeErrorSchema("Unexpected", E.Unexpected, { defect: Thrown })

/**
 * The schema of {@link E.LoadError}.
 *
 * @since 0.1.0
 * @category schemas
 */
export const LoadError = /*#__PURE__*/ makeErrorSchema("LoadError", E.LoadError, { reason: text })

/**
 * The schema of the errors of a JSON-RPC call of a node.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RpcCallError = /*#__PURE__*/ Schema.Union(
  NoActiveNode,
  NodeError,
  RpcError,
  RequestRejected,
  InvalidArgument,
  CallTimeout,
  StateUnavailable,
  QuotaExceeded
)

/**
 * The schema of the errors of a REST call of a node.
 *
 * @since 0.1.0
 * @category schemas
 */
export const RestCallError = /*#__PURE__*/ Schema.Union(
  NoActiveNode,
  NodeError,
  RequestRejected,
  InvalidArgument,
  CallTimeout,
  QuotaExceeded
)

/**
 * The schema of the errors of a request to the provider's API.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GatewayCallError = /*#__PURE__*/ Schema.Union(GatewayError, QuotaExceeded)

/**
 * The schema of the errors of making a client.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InitError = /*#__PURE__*/ Schema.Union(
  InvalidConfig,
  UnsupportedNetwork,
  ExtensionNotSupported,
  LoadError
)

/**
 * The schema of any error of the SDK.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SdkError = /*#__PURE__*/ Schema.Union(
  InvalidConfig,
  UnsupportedNetwork,
  NotSupportedForNetwork,
  UtxoSingleAddress,
  UnsupportedNetworkForNow,
  ExtensionFailed,
  ExtensionNotSupported,
  ChainNotSupported,
  NetworkNotSupported,
  NoChainId,
  WalletNotInstalled,
  WalletNotFound,
  WalletNotChosen,
  AccountAccessDenied,
  TransactionDenied,
  WalletBusy,
  WalletError,
  WalletUnclear,
  WrongChain,
  MissingPeer,
  InvalidMnemonic,
  InvalidKey,
  InvalidAddress,
  InvalidAmount,
  InsufficientFunds,
  DustAmount,
  FeeOverCap,
  MemoRequired,
  NonceTaken,
  SigningFailed,
  BroadcastUnclear,
  TransactionReplaced,
  TransactionFailed,
  ContractReverted,
  RetryTimeout,
  NullResult,
  NoRpcUrls,
  StateUnavailable,
  NodeError,
  RpcError,
  RequestRejected,
  NoActiveNode,
  InvalidArgument,
  InvalidCaip,
  CallTimeout,
  QuotaExceeded,
  BlockNotReached,
  NoQuorum,
  DecimalsUnreadable,
  TransactionNotConfirmed,
  TransactionDropped,
  WebSocketUnavailable,
  SubscriptionOverflow,
  GatewayError,
  Aborted,
  Unexpected,
  LoadError
)
