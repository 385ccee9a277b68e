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
import * as declarations from "./errorDeclarations.js"
import { optionalExact } from "./exactSchema.js"
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
    const error = new Error(sanitizeText(String(thrown.message)))
    error.name = thrown.name
    return error
  }
})

/** A height that nobody knows is left out. */
const Height = Schema.optionalToRequired(Amount, Schema.UndefinedOr(Schema.Number), {
  decode: Option.getOrUndefined,
  encode: Option.fromNullable
})

const Attempts = Schema.Array(
  Schema.Struct({
    node: Schema.String,
    ms: Amount,
    outcome: Schema.Literal(
      "caller",
      "elsewhere",
      "unclear",
      "declined",
      "busy",
      "notProtocol",
      "unreached",
      "down",
      "noAnswer",
      "behind"
    )
  })
)

/** The schemas of fields, by the names that declarations have for them. */
const fieldSchemas = {
  string: Schema.String,
  strings: Schema.Array(Schema.String),
  number: Amount,
  "number or bigint": Schema.Union(Amount, Schema.BigInt),
  boolean: Schema.Boolean,
  data: Plain,
  values: Values,
  thrown: Thrown
}

type Tag = E.SdkError["_tag"]

/** An error by its tag. */
type Tagged<T> = Extract<E.SdkError, { readonly _tag: T }>

type FieldSchema<F> = F extends keyof typeof fieldSchemas
  ? (typeof fieldSchemas)[F]
  : F extends "height"
    ? typeof Height
    : F extends readonly [string, ...ReadonlyArray<string>]
      ? Schema.Literal<[...F]>
      : F extends { readonly listOf: infer Fields }
        ? Schema.Array$<Schema.Struct<SchemasOf<Fields>>>
        : F extends { readonly errors: ReadonlyArray<infer T> }
          ? Schema.Union<ReadonlyArray<SchemaOf<T>>>
          : never

type OptionalSchema<S> =
  S extends Schema.Schema<infer A, infer I>
    ? Schema.optionalWith<Schema.Schema<A, I>, { exact: true }>
    : never

/** The schemas of declared fields. A name that ends with `?` may be left out. */
type SchemasOf<Fields> = {
  readonly [K in keyof Fields as K extends `${infer Name}?` ? Name : K]: K extends `${string}?`
    ? OptionalSchema<FieldSchema<Fields[K]>>
    : FieldSchema<Fields[K]>
}

type SchemaOf<T> = T extends Tag ? ErrorSchema<T> : never

/** The list of the errors that a field can hold, as a declaration has it. */
type ListedErrors<Fields> = {
  readonly [K in keyof Fields]: Fields[K] extends { readonly errors: infer Tags } ? Tags : never
}[keyof Fields]

/** Their schemas, in the same order: the compiler sees when a list lacks one that its declaration has, or the other way round. */
type SchemasOfList<Tags> = [Tags] extends [never]
  ? readonly []
  : Tags extends ReadonlyArray<unknown>
    ? { readonly [I in keyof Tags]: SchemaOf<Tags[I]> }
    : never

type SchemasOfErrors<T extends Tag> = Extract<
  SchemasOfList<ListedErrors<(typeof declarations)[T]["fields"]>>,
  ReadonlyArray<unknown>
>

/**
 * The schema of an error. The encoded form has the sentence besides, for readers that do not know the SDK.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorSchema<T extends Tag>
  extends Schema.transform<
    Schema.Struct<
      {
        readonly _tag: Schema.Literal<[T]>
        readonly message: OptionalSchema<typeof Schema.String>
        readonly attempts: OptionalSchema<typeof Attempts>
      } & SchemasOf<(typeof declarations)[T]["fields"]>
    >,
    Schema.declare<Tagged<T>>
  > {}

/** Fields of a struct, whose schemas need no services. */
type NoContextFields = {
  readonly [name: PropertyKey]:
    | Schema.Schema.AnyNoContext
    | typeof Height
    | ReturnType<typeof optionalExact<unknown, unknown>>
}

const toFieldSchema = (
  field: Exclude<declarations.ErrorField, "height">,
  errors: ReadonlyArray<Schema.Schema.AnyNoContext>
): Schema.Schema.AnyNoContext =>
  typeof field === "string"
    ? fieldSchemas[field]
    : isWords(field)
      ? Schema.Literal(...field)
      : "listOf" in field
        ? Schema.Array(Schema.Struct(toSchemas(field.listOf, errors)))
        : Schema.Union(...errors)

const isWords = (field: declarations.ErrorField): field is ReadonlyArray<string> => Array.isArray(field)

const toSchemas = (
  fields: declarations.ErrorFields,
  errors: ReadonlyArray<Schema.Schema.AnyNoContext>
): NoContextFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) =>
      field === "height"
        ? [name, Height]
        : name.endsWith("?")
          ? [name.slice(0, -1), optionalExact(toFieldSchema(field, errors))]
          : [name, toFieldSchema(field, errors)]
    )
  )

/**
 * The schema of an error, by its declaration. `errors` are the schemas of the errors that a field of it can hold. Encoded, an error has its
 * message besides, for readers that do not know the SDK.
 */
const makeErrorSchema = <const T extends Tag>(
  tag: T,
  Class: new (fields: never) => Tagged<T>,
  { fields }: declarations.ErrorDeclaration,
  ...errors: SchemasOfErrors<T>
): ErrorSchema<T> => {
  // each is the schema of an error, which the compiler does not see of a list by a tag that it does not know
  const own = toSchemas(fields, errors as ReadonlyArray<Schema.Schema.AnyNoContext>)
  const itself = Schema.declare(
    (value: unknown): value is Tagged<T> => E.isSdkError(value) && value._tag === tag,
    { identifier: tag }
  )
  const encoded = Schema.Struct({
    _tag: Schema.Literal(tag),
    message: optionalExact(Schema.String),
    ...own,
    attempts: optionalExact(Attempts)
  })
  const names = Object.keys(own)
  const schema = Schema.transform(encoded, itself, {
    strict: false,
    decode: ({
      _tag,
      message,
      attempts,
      ...rest
    }: { readonly attempts?: ReadonlyArray<E.AttemptRecord> } & Record<string, unknown>) => {
      // the fields are those of the declaration, which the class is typed by
      const error = new (Class as unknown as new (fields: object) => Tagged<T>)(rest)
      return attempts === undefined ? error : E.withAttempts(error, attempts)
    },
    encode: (error: Tagged<T>) => ({
      _tag: tag,
      message: error.message,
      // by name: an iteration over an error leaves its cause out
      ...Object.fromEntries(
        names.filter((name) => Object.hasOwn(error, name)).map((name) => [name, Reflect.get(error, name)])
      ),
      ...(error.attempts.length === 0 ? {} : { attempts: error.attempts })
    })
  })
  // the compiler cannot follow fields that are looked up by their kinds
  return schema as unknown as ErrorSchema<T>
}

/** The schema of {@link E.InvalidConfig}. @since 0.1.0 @category schemas */
export const InvalidConfig: ErrorSchema<"InvalidConfig"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidConfig",
  E.InvalidConfig,
  declarations.InvalidConfig
)
/** The schema of {@link E.UnsupportedNetwork}. @since 0.1.0 @category schemas */
export const UnsupportedNetwork: ErrorSchema<"UnsupportedNetwork"> = /*#__PURE__*/ makeErrorSchema(
  "UnsupportedNetwork",
  E.UnsupportedNetwork,
  declarations.UnsupportedNetwork
)
/** The schema of {@link E.NotSupportedForNetwork}. @since 0.1.0 @category schemas */
export const NotSupportedForNetwork: ErrorSchema<"NotSupportedForNetwork"> = /*#__PURE__*/ makeErrorSchema(
  "NotSupportedForNetwork",
  E.NotSupportedForNetwork,
  declarations.NotSupportedForNetwork
)
/** The schema of {@link E.UtxoSingleAddress}. @since 0.1.0 @category schemas */
export const UtxoSingleAddress: ErrorSchema<"UtxoSingleAddress"> = /*#__PURE__*/ makeErrorSchema(
  "UtxoSingleAddress",
  E.UtxoSingleAddress,
  declarations.UtxoSingleAddress
)
/** The schema of {@link E.ExtensionNotSupported}. @since 0.1.0 @category schemas */
export const ExtensionNotSupported: ErrorSchema<"ExtensionNotSupported"> = /*#__PURE__*/ makeErrorSchema(
  "ExtensionNotSupported",
  E.ExtensionNotSupported,
  declarations.ExtensionNotSupported
)
/** The schema of {@link E.ExtensionFailed}. @since 0.1.0 @category schemas */
export const ExtensionFailed: ErrorSchema<"ExtensionFailed"> = /*#__PURE__*/ makeErrorSchema(
  "ExtensionFailed",
  E.ExtensionFailed,
  declarations.ExtensionFailed
)
/** The schema of {@link E.ChainNotSupported}. @since 0.1.0 @category schemas */
export const ChainNotSupported: ErrorSchema<"ChainNotSupported"> = /*#__PURE__*/ makeErrorSchema(
  "ChainNotSupported",
  E.ChainNotSupported,
  declarations.ChainNotSupported
)
/** The schema of {@link E.NoChainId}. @since 0.1.0 @category schemas */
export const NoChainId: ErrorSchema<"NoChainId"> = /*#__PURE__*/ makeErrorSchema(
  "NoChainId",
  E.NoChainId,
  declarations.NoChainId
)
/** The schema of {@link E.WalletNotInstalled}. @since 0.1.0 @category schemas */
export const WalletNotInstalled: ErrorSchema<"WalletNotInstalled"> = /*#__PURE__*/ makeErrorSchema(
  "WalletNotInstalled",
  E.WalletNotInstalled,
  declarations.WalletNotInstalled
)
/** The schema of {@link E.WalletNotFound}. @since 0.1.0 @category schemas */
export const WalletNotFound: ErrorSchema<"WalletNotFound"> = /*#__PURE__*/ makeErrorSchema(
  "WalletNotFound",
  E.WalletNotFound,
  declarations.WalletNotFound
)
/** The schema of {@link E.WalletNotChosen}. @since 0.1.0 @category schemas */
export const WalletNotChosen: ErrorSchema<"WalletNotChosen"> = /*#__PURE__*/ makeErrorSchema(
  "WalletNotChosen",
  E.WalletNotChosen,
  declarations.WalletNotChosen
)
/** The schema of {@link E.AccountAccessDenied}. @since 0.1.0 @category schemas */
export const AccountAccessDenied: ErrorSchema<"AccountAccessDenied"> = /*#__PURE__*/ makeErrorSchema(
  "AccountAccessDenied",
  E.AccountAccessDenied,
  declarations.AccountAccessDenied
)
/** The schema of {@link E.TransactionDenied}. @since 0.1.0 @category schemas */
export const TransactionDenied: ErrorSchema<"TransactionDenied"> = /*#__PURE__*/ makeErrorSchema(
  "TransactionDenied",
  E.TransactionDenied,
  declarations.TransactionDenied
)
/** The schema of {@link E.WalletBusy}. @since 0.1.0 @category schemas */
export const WalletBusy: ErrorSchema<"WalletBusy"> = /*#__PURE__*/ makeErrorSchema(
  "WalletBusy",
  E.WalletBusy,
  declarations.WalletBusy
)
/** The schema of {@link E.WalletError}. @since 0.1.0 @category schemas */
export const WalletError: ErrorSchema<"WalletError"> = /*#__PURE__*/ makeErrorSchema(
  "WalletError",
  E.WalletError,
  declarations.WalletError
)
/** The schema of {@link E.WalletUnclear}. @since 0.1.0 @category schemas */
export const WalletUnclear: ErrorSchema<"WalletUnclear"> = /*#__PURE__*/ makeErrorSchema(
  "WalletUnclear",
  E.WalletUnclear,
  declarations.WalletUnclear
)
/** The schema of {@link E.WrongChain}. @since 0.1.0 @category schemas */
export const WrongChain: ErrorSchema<"WrongChain"> = /*#__PURE__*/ makeErrorSchema(
  "WrongChain",
  E.WrongChain,
  declarations.WrongChain
)
/** The schema of {@link E.MissingPeer}. @since 0.1.0 @category schemas */
export const MissingPeer: ErrorSchema<"MissingPeer"> = /*#__PURE__*/ makeErrorSchema(
  "MissingPeer",
  E.MissingPeer,
  declarations.MissingPeer
)
/** The schema of {@link E.InvalidMnemonic}. @since 0.1.0 @category schemas */
export const InvalidMnemonic: ErrorSchema<"InvalidMnemonic"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidMnemonic",
  E.InvalidMnemonic,
  declarations.InvalidMnemonic
)
/** The schema of {@link E.InvalidKey}. @since 0.1.0 @category schemas */
export const InvalidKey: ErrorSchema<"InvalidKey"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidKey",
  E.InvalidKey,
  declarations.InvalidKey
)
/** The schema of {@link E.InvalidAddress}. @since 0.1.0 @category schemas */
export const InvalidAddress: ErrorSchema<"InvalidAddress"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidAddress",
  E.InvalidAddress,
  declarations.InvalidAddress
)
/** The schema of {@link E.InvalidAmount}. @since 0.1.0 @category schemas */
export const InvalidAmount: ErrorSchema<"InvalidAmount"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidAmount",
  E.InvalidAmount,
  declarations.InvalidAmount
)
/** The schema of {@link E.InsufficientFunds}. @since 0.1.0 @category schemas */
export const InsufficientFunds: ErrorSchema<"InsufficientFunds"> = /*#__PURE__*/ makeErrorSchema(
  "InsufficientFunds",
  E.InsufficientFunds,
  declarations.InsufficientFunds
)
/** The schema of {@link E.DustAmount}. @since 0.1.0 @category schemas */
export const DustAmount: ErrorSchema<"DustAmount"> = /*#__PURE__*/ makeErrorSchema(
  "DustAmount",
  E.DustAmount,
  declarations.DustAmount
)
/** The schema of {@link E.FeeOverCap}. @since 0.1.0 @category schemas */
export const FeeOverCap: ErrorSchema<"FeeOverCap"> = /*#__PURE__*/ makeErrorSchema(
  "FeeOverCap",
  E.FeeOverCap,
  declarations.FeeOverCap
)
/** The schema of {@link E.PolicyDenied}. @since 0.1.0 @category schemas */
export const PolicyDenied: ErrorSchema<"PolicyDenied"> = /*#__PURE__*/ makeErrorSchema(
  "PolicyDenied",
  E.PolicyDenied,
  declarations.PolicyDenied
)

/** The schema of {@link E.GasOverCap}. @since 0.1.0 @category schemas */
export const GasOverCap: ErrorSchema<"GasOverCap"> = /*#__PURE__*/ makeErrorSchema(
  "GasOverCap",
  E.GasOverCap,
  declarations.GasOverCap
)
/** The schema of {@link E.MemoRequired}. @since 0.1.0 @category schemas */
export const MemoRequired: ErrorSchema<"MemoRequired"> = /*#__PURE__*/ makeErrorSchema(
  "MemoRequired",
  E.MemoRequired,
  declarations.MemoRequired
)
/** The schema of {@link E.NonceTaken}. @since 0.1.0 @category schemas */
export const NonceTaken: ErrorSchema<"NonceTaken"> = /*#__PURE__*/ makeErrorSchema(
  "NonceTaken",
  E.NonceTaken,
  declarations.NonceTaken
)
/** The schema of {@link E.SigningFailed}. @since 0.1.0 @category schemas */
export const SigningFailed: ErrorSchema<"SigningFailed"> = /*#__PURE__*/ makeErrorSchema(
  "SigningFailed",
  E.SigningFailed,
  declarations.SigningFailed
)
/** The schema of {@link E.BroadcastUnclear}. @since 0.1.0 @category schemas */
export const BroadcastUnclear: ErrorSchema<"BroadcastUnclear"> = /*#__PURE__*/ makeErrorSchema(
  "BroadcastUnclear",
  E.BroadcastUnclear,
  declarations.BroadcastUnclear
)
/** The schema of {@link E.TransactionReplaced}. @since 0.1.0 @category schemas */
export const TransactionReplaced: ErrorSchema<"TransactionReplaced"> = /*#__PURE__*/ makeErrorSchema(
  "TransactionReplaced",
  E.TransactionReplaced,
  declarations.TransactionReplaced
)
/** The schema of {@link E.TransactionFailed}. @since 0.1.0 @category schemas */
export const TransactionFailed: ErrorSchema<"TransactionFailed"> = /*#__PURE__*/ makeErrorSchema(
  "TransactionFailed",
  E.TransactionFailed,
  declarations.TransactionFailed
)
/** The schema of {@link E.ContractReverted}. @since 0.1.0 @category schemas */
export const ContractReverted: ErrorSchema<"ContractReverted"> = /*#__PURE__*/ makeErrorSchema(
  "ContractReverted",
  E.ContractReverted,
  declarations.ContractReverted
)
/** The schema of {@link E.RetryTimeout}. @since 0.1.0 @category schemas */
export const RetryTimeout: ErrorSchema<"RetryTimeout"> = /*#__PURE__*/ makeErrorSchema(
  "RetryTimeout",
  E.RetryTimeout,
  declarations.RetryTimeout
)
/** The schema of {@link E.NullResult}. @since 0.1.0 @category schemas */
export const NullResult: ErrorSchema<"NullResult"> = /*#__PURE__*/ makeErrorSchema(
  "NullResult",
  E.NullResult,
  declarations.NullResult
)
/** The schema of {@link E.NoRpcUrls}. @since 0.1.0 @category schemas */
export const NoRpcUrls: ErrorSchema<"NoRpcUrls"> = /*#__PURE__*/ makeErrorSchema(
  "NoRpcUrls",
  E.NoRpcUrls,
  declarations.NoRpcUrls
)
/** The schema of {@link E.StateUnavailable}. @since 0.1.0 @category schemas */
export const StateUnavailable: ErrorSchema<"StateUnavailable"> = /*#__PURE__*/ makeErrorSchema(
  "StateUnavailable",
  E.StateUnavailable,
  declarations.StateUnavailable
)
/** The schema of {@link E.NodeError}. @since 0.1.0 @category schemas */
export const NodeError: ErrorSchema<"NodeError"> = /*#__PURE__*/ makeErrorSchema(
  "NodeError",
  E.NodeError,
  declarations.NodeError
)
/** The schema of {@link E.RpcError}. @since 0.1.0 @category schemas */
export const RpcError: ErrorSchema<"RpcError"> = /*#__PURE__*/ makeErrorSchema(
  "RpcError",
  E.RpcError,
  declarations.RpcError
)
/** The schema of {@link E.RequestRejected}. @since 0.1.0 @category schemas */
export const RequestRejected: ErrorSchema<"RequestRejected"> = /*#__PURE__*/ makeErrorSchema(
  "RequestRejected",
  E.RequestRejected,
  declarations.RequestRejected
)
/** The schema of {@link E.NoActiveNode}. @since 0.1.0 @category schemas */
export const NoActiveNode: ErrorSchema<"NoActiveNode"> = /*#__PURE__*/ makeErrorSchema(
  "NoActiveNode",
  E.NoActiveNode,
  declarations.NoActiveNode,
  RpcError,
  RequestRejected,
  StateUnavailable
)
/** The schema of {@link E.InvalidCaip}. @since 0.1.0 @category schemas */
export const InvalidCaip: ErrorSchema<"InvalidCaip"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidCaip",
  E.InvalidCaip,
  declarations.InvalidCaip
)
/** The schema of {@link E.InvalidArgument}. @since 0.1.0 @category schemas */
export const InvalidArgument: ErrorSchema<"InvalidArgument"> = /*#__PURE__*/ makeErrorSchema(
  "InvalidArgument",
  E.InvalidArgument,
  declarations.InvalidArgument
)
/** The schema of {@link E.CallTimeout}. @since 0.1.0 @category schemas */
export const CallTimeout: ErrorSchema<"CallTimeout"> = /*#__PURE__*/ makeErrorSchema(
  "CallTimeout",
  E.CallTimeout,
  declarations.CallTimeout
)
/** The schema of {@link E.BlockNotReached}. @since 0.1.0 @category schemas */
export const BlockNotReached: ErrorSchema<"BlockNotReached"> = /*#__PURE__*/ makeErrorSchema(
  "BlockNotReached",
  E.BlockNotReached,
  declarations.BlockNotReached
)
/** The schema of {@link E.QuotaExceeded}. @since 0.1.0 @category schemas */
export const QuotaExceeded: ErrorSchema<"QuotaExceeded"> = /*#__PURE__*/ makeErrorSchema(
  "QuotaExceeded",
  E.QuotaExceeded,
  declarations.QuotaExceeded
)
/** The schema of {@link E.NoQuorum}. @since 0.1.0 @category schemas */
export const NoQuorum: ErrorSchema<"NoQuorum"> = /*#__PURE__*/ makeErrorSchema(
  "NoQuorum",
  E.NoQuorum,
  declarations.NoQuorum
)
/** The schema of {@link E.DecimalsUnreadable}. @since 0.1.0 @category schemas */
export const DecimalsUnreadable: ErrorSchema<"DecimalsUnreadable"> = /*#__PURE__*/ makeErrorSchema(
  "DecimalsUnreadable",
  E.DecimalsUnreadable,
  declarations.DecimalsUnreadable,
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
/** The schema of {@link E.TransactionNotConfirmed}. @since 0.1.0 @category schemas */
export const TransactionNotConfirmed: ErrorSchema<"TransactionNotConfirmed"> = /*#__PURE__*/ makeErrorSchema(
  "TransactionNotConfirmed",
  E.TransactionNotConfirmed,
  declarations.TransactionNotConfirmed
)
/** The schema of {@link E.TransactionDropped}. @since 0.1.0 @category schemas */
export const TransactionDropped: ErrorSchema<"TransactionDropped"> = /*#__PURE__*/ makeErrorSchema(
  "TransactionDropped",
  E.TransactionDropped,
  declarations.TransactionDropped
)
/** The schema of {@link E.TransactionExpired}. @since 0.1.0 @category schemas */
export const TransactionExpired: ErrorSchema<"TransactionExpired"> = /*#__PURE__*/ makeErrorSchema(
  "TransactionExpired",
  E.TransactionExpired,
  declarations.TransactionExpired
)
/** The schema of {@link E.WebSocketUnavailable}. @since 0.1.0 @category schemas */
export const WebSocketUnavailable: ErrorSchema<"WebSocketUnavailable"> = /*#__PURE__*/ makeErrorSchema(
  "WebSocketUnavailable",
  E.WebSocketUnavailable,
  declarations.WebSocketUnavailable
)
/** The schema of {@link E.SubscriptionOverflow}. @since 0.1.0 @category schemas */
export const SubscriptionOverflow: ErrorSchema<"SubscriptionOverflow"> = /*#__PURE__*/ makeErrorSchema(
  "SubscriptionOverflow",
  E.SubscriptionOverflow,
  declarations.SubscriptionOverflow
)
/** The schema of {@link E.GatewayError}. @since 0.1.0 @category schemas */
export const GatewayError: ErrorSchema<"GatewayError"> = /*#__PURE__*/ makeErrorSchema(
  "GatewayError",
  E.GatewayError,
  declarations.GatewayError
)
/** The schema of {@link E.Aborted}. @since 0.1.0 @category schemas */
export const Aborted: ErrorSchema<"Aborted"> = /*#__PURE__*/ makeErrorSchema(
  "Aborted",
  E.Aborted,
  declarations.Aborted
)
/** The schema of {@link E.Unexpected}. @since 0.1.0 @category schemas */
export const Unexpected: ErrorSchema<"Unexpected"> = /*#__PURE__*/ makeErrorSchema(
  "Unexpected",
  E.Unexpected,
  declarations.Unexpected
)
/** The schema of {@link E.LoadError}. @since 0.1.0 @category schemas */
export const LoadError: ErrorSchema<"LoadError"> = /*#__PURE__*/ makeErrorSchema(
  "LoadError",
  E.LoadError,
  declarations.LoadError
)

/** The schema of {@link E.SweepIncomplete}. @since 0.1.0 @category schemas */
export const SweepIncomplete: ErrorSchema<"SweepIncomplete"> = /*#__PURE__*/ makeErrorSchema(
  "SweepIncomplete",
  E.SweepIncomplete,
  declarations.SweepIncomplete,
  NoActiveNode,
  NodeError,
  RpcError,
  RequestRejected,
  InvalidArgument,
  CallTimeout,
  StateUnavailable,
  QuotaExceeded,
  Aborted,
  NoQuorum,
  BlockNotReached,
  GatewayError,
  LoadError,
  InvalidAddress,
  InvalidAmount,
  InsufficientFunds,
  DustAmount,
  FeeOverCap,
  GasOverCap,
  MemoRequired,
  SigningFailed,
  PolicyDenied,
  NonceTaken,
  BroadcastUnclear,
  WalletUnclear,
  TransactionReplaced,
  TransactionDropped,
  TransactionExpired,
  TransactionFailed,
  TransactionNotConfirmed
)

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
  QuotaExceeded,
  Aborted
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
  QuotaExceeded,
  Aborted
)

/**
 * The schema of the errors of a request to the provider's API.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GatewayCallError = /*#__PURE__*/ Schema.Union(GatewayError, QuotaExceeded, Aborted)

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
  ExtensionFailed,
  ExtensionNotSupported,
  ChainNotSupported,
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
  PolicyDenied,
  GasOverCap,
  SweepIncomplete,
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
  TransactionExpired,
  WebSocketUnavailable,
  SubscriptionOverflow,
  GatewayError,
  Aborted,
  Unexpected,
  LoadError
)
