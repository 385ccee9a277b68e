/**
 * Every failure of the SDK: one tagged class per kind, its sentence, and the unions that methods declare.
 *
 * @since 0.1.0
 */
import type { YieldableError } from "effect/Cause"
import * as Data from "effect/Data"
import type { Equals, Simplify } from "effect/Types"
import type * as declarations from "./errorDeclarations.js"
import { findSecretsInUrl, makeHideSecrets } from "./secrets.js"
import { type HideSecrets, isRecord, sanitize, sanitizeText, toPrintableJson } from "./untrusted.js"

/** The page of an error, which the package holds. */
const docsUrlOf = (tag: string): string =>
  `https://unpkg.com/effect-chains/docs/errors/${tag.toLowerCase()}.md`

/**
 * How an attempt at a node failed:
 *
 * - `caller`: the request is wrong, or its execution fails (a revert). Every node would answer so.
 * - `elsewhere`: the node works but lacks what the call needs. Another node may have it.
 * - `unclear`: an error of the protocol that may come from the request or from the node.
 * - `declined`: an error of the protocol by which the node says that it cannot serve the call now.
 * - `busy`: the node asks for a pause by a status or a code.
 * - `notProtocol`: an HTTP error whose body is no answer of the protocol.
 * - `unreached`: no connection was made, or the request was not sent.
 * - `down`: an HTTP status of 500 or above whose body is no answer of the protocol.
 * - `noAnswer`: the request was sent, and no usable answer came: a timeout, a lost connection, a malformed answer.
 * - `behind`: the node has not reached the block that the call asks for.
 *
 * @since 0.1.0
 * @category models
 */
export type AttemptOutcome =
  | "caller"
  | "elsewhere"
  | "unclear"
  | "declined"
  | "busy"
  | "notProtocol"
  | "unreached"
  | "down"
  | "noAnswer"
  | "behind"

/**
 * An attempt of a call that has failed: the node as it may be printed, how long the attempt took in milliseconds, and how it
 * ended.
 *
 * @since 0.1.0
 * @category models
 */
export interface AttemptRecord {
  readonly node: string
  readonly ms: number
  readonly outcome: AttemptOutcome
}

/** Attempts stand beside the errors and not in them: two errors that say the same are equal, whichever nodes were asked. */
const attemptsByError = new WeakMap<object, ReadonlyArray<AttemptRecord>>()

/**
 * The error of a call, from now on with the attempts that the call has made.
 *
 * @since 0.1.0
 * @category conversions
 */
export const withAttempts = <E extends object>(error: E, attempts: ReadonlyArray<AttemptRecord>): E => {
  attemptsByError.set(error, attempts)
  return error
}

/** The fields that all errors of the SDK share. */
interface ErrorDescription<Tag extends string> {
  readonly _tag: Tag
  /** One line each: the question, its receiver, and the words of the other side. Never a secret. */
  readonly details: ReadonlyArray<string>
  /** Where this error is explained: derived from the tag, stable. */
  readonly docsUrl: string
  /** The attempts of a call that have failed, in their order: at most the first 16. Empty where no node was asked. */
  readonly attempts: ReadonlyArray<AttemptRecord>
}

/** The constructor of `Data.TaggedError`, whose instances are described besides. */
type DescribedError<Tag extends string> = new <A extends Record<string, unknown> = {}>(
  // biome-ignore lint/suspicious/noConfusingVoidType: only void lets an error without fields be made without arguments
  fields: Equals<A, {}> extends true ? void : A
) => YieldableError & ErrorDescription<Tag> & Readonly<A>

/** What this module exports: its classes are the errors. */
type Classes = typeof import("./SdkError.js")

type ErrorOf<Tag> = Tag extends keyof Classes
  ? Classes[Tag] extends new (
      ...fields: never
    ) => infer E
    ? E
    : never
  : never

/** The types of fields, by the names that declarations have for them. */
interface FieldTypes {
  readonly string: string
  readonly strings: ReadonlyArray<string>
  readonly number: number
  readonly "number or bigint": number | bigint
  readonly boolean: boolean
  readonly data: unknown
  readonly values: ReadonlyArray<unknown>
  readonly thrown: unknown
  readonly height: number | undefined
}

type FieldType<F> = F extends keyof FieldTypes
  ? FieldTypes[F]
  : F extends ReadonlyArray<infer Word>
    ? Word
    : F extends { readonly listOf: infer Fields }
      ? ReadonlyArray<TypesOf<Fields>>
      : F extends { readonly errors: ReadonlyArray<infer Tag> }
        ? ErrorOf<Tag>
        : never

type TypesOf<Fields> = Simplify<
  {
    readonly [K in keyof Fields as K extends `${string}?` ? never : K]: FieldType<Fields[K]>
  } & {
    readonly [K in keyof Fields as K extends `${infer Name}?` ? Name : never]?: FieldType<Fields[K]>
  }
>

/** The fields of an error, by its declaration. */
type FieldsOf<Tag extends keyof typeof declarations> = TypesOf<(typeof declarations)[Tag]["fields"]>

const inspect = Symbol.for("nodejs.util.inspect.custom")

/**
 * A value as JSON can hold it, whatever it is: an error that cannot be told would hide what happened.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toPlainData = (value: unknown): unknown => {
  try {
    const json = JSON.stringify(sanitize(value), (_, item: unknown) =>
      typeof item === "bigint"
        ? String(item)
        : item instanceof Error
          ? { name: item.name, message: item.message }
          : item
    )
    return json === undefined ? toText(value) : JSON.parse(json)
  } catch {
    return toText(value)
  }
}

/** Anything as text. Objects without prototype, and those whose `toString` throws, have none of their own. */
const toText = (value: unknown): string => {
  try {
    return String(value) || Object.prototype.toString.call(value)
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/**
 * The reason of a failure as text, whatever was thrown.
 *
 * @since 0.1.0
 * @category conversions
 */
export const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.message !== "" ? String(thrown.message) : toText(thrown)

/**
 * The kind of a value, for a person. Text is not repeated: it may be a key that stands in the wrong place.
 *
 * @since 0.1.0
 * @category conversions
 */
export const kindOf = (value: unknown): string =>
  value === null || value === undefined
    ? String(value)
    : Array.isArray(value)
      ? "a list"
      : typeof value === "object"
        ? "an object"
        : typeof value === "string"
          ? "a string"
          : typeof value === "function"
            ? "a function"
            : `${typeof value} ${String(value).slice(0, 60)}`
const mapFields = (
  fields: object,
  change: (value: unknown, name: string) => unknown
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]))

/** A sentence of anybody's, or several, as it may be printed. Other values are not for printing, and stay as they are. */
const sanitizeSentence = (value: unknown): unknown =>
  typeof value === "string" ? sanitizeText(value) : Array.isArray(value) ? value.map(sanitizeSentence) : value

/** The base of all errors: printed in several lines, the sentence first, and told in JSON with that sentence. */
const Base = <Tag extends string>(tag: Tag): DescribedError<Tag> => {
  class Printed extends Data.TaggedError(tag)<Readonly<Record<string, unknown>>> {
    constructor(fields: Readonly<Record<string, unknown>> = {}) {
      super(mapFields(fields, (value, name) => (name === "data" ? value : sanitizeSentence(value))))
    }
    get details(): ReadonlyArray<string> {
      return []
    }
    get docsUrl(): string {
      return docsUrlOf(tag)
    }
    get attempts(): ReadonlyArray<AttemptRecord> {
      return attemptsByError.get(this) ?? []
    }
    override toString(): string {
      return [
        `${tag}: ${this.message}`,
        ...this.details.map((line) => `  ${line}`),
        ...this.attempts.map(
          ({ ms, node, outcome }) => `  Tried: ${node} (${outcome}, ${Math.round(ms)} ms)`
        ),
        `  Docs: ${this.docsUrl}`
      ].join("\n")
    }
    override toJSON(): Readonly<Record<string, unknown>> {
      const fields = Object.entries(this).map(([name, value]) => [name, toPlainData(value)])
      const { attempts } = this
      return {
        _tag: tag,
        message: this.message,
        ...Object.fromEntries(fields),
        ...(attempts.length === 0 ? {} : { attempts })
      }
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
 * @category conversions
 */
export const displayUrl = (url: string): string => {
  try {
    const { origin, pathname, search } = new URL(url)
    return pathname.length > 1 || search !== "" ? `${origin}/…` : origin
  } catch {
    return "(not a url)"
  }
}

/** Hides the secrets of a node's url in the words of nodes and libraries: some proxies repeat it. */
const hideUrlSecrets = (url: string): HideSecrets => makeHideSecrets(findSecretsInUrl(url))

/**
 * The same failure, of the same attempts, with other values in fields that it has, and with `more` fields.
 *
 * @since 0.1.0
 * @category conversions
 */
export const copyError = <E extends Error>(
  error: E,
  change: (value: unknown, field: string) => unknown,
  more: Readonly<Record<string, unknown>> = {}
): E => {
  // every class here is made of its fields, which no type says of a constructor that is looked up
  const Class = error.constructor as new (fields: Readonly<Record<string, unknown>>) => E
  return withAttempts(new Class({ ...mapFields(error, change), ...more }), attemptsByError.get(error) ?? [])
}

/**
 * The same failure of a node, with the milliseconds (`retryAfter`) after which it, or another one, takes calls again.
 *
 * @since 0.1.0
 * @category conversions
 */
export const withRetryAfter = <E extends NodeError | RpcError>(error: E, ms: number): E =>
  copyError(error, (value) => value, { retryAfter: ms })

/**
 * The same failure, in words without secrets.
 *
 * @since 0.1.0
 * @category conversions
 */
export const hideErrorSecrets = <
  E extends NodeError | RpcError | RequestRejected | InvalidArgument | GatewayError
>(
  error: E,
  secrets?: HideSecrets
): E => copyError(error, (value) => sanitize(value, secrets, Number.POSITIVE_INFINITY))

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
 * @category errors
 */
export class InvalidConfig extends /*#__PURE__*/ Base("InvalidConfig")<FieldsOf<"InvalidConfig">> {
  override get message(): string {
    return `Invalid configuration: ${this.issues.map((issue) => `${issue.path} ${issue.message}`).join("; ")}`
  }
}

/**
 * The network is not known to the SDK. `suggestion` is the nearest known id.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnsupportedNetwork extends /*#__PURE__*/ Base("UnsupportedNetwork")<
  FieldsOf<"UnsupportedNetwork">
> {
  override get message(): string {
    const hint = this.suggestion === undefined ? "" : `. Did you mean "${this.suggestion}"?`
    return `Unsupported network ${this.network}${hint}`
  }
}

/**
 * What a network can lack: a service, or a part of one.
 *
 * @since 0.1.0
 * @category models
 */
export type Feature = FieldsOf<"NotSupportedForNetwork">["feature"]

/**
 * The network does not have what was called. `feature` is the service, or its part. `networks` are those that have it, where they are known.
 * Nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotSupportedForNetwork extends /*#__PURE__*/ Base("NotSupportedForNetwork")<
  FieldsOf<"NotSupportedForNetwork">
> {
  // programs that come from `@tatumio/tatum` know its sentences, of which it has one for each of these
  override get message(): string {
    const { feature, network } = this
    return feature === "address balances"
      ? `Unsupported network ${network} for now.`
      : feature === "notification"
        ? `Network ${network} is not supported.`
        : feature === "data" || feature === "fee" || feature === "token"
          ? `Unsupported network ${network}`
          : `Not supported for ${network} network.`
  }
  override get details(): ReadonlyArray<string> {
    const { feature, networks } = this
    return [
      `Not there: ${feature}`,
      ...(networks === undefined ? [] : [`Networks that have it: ${networks.join(", ")}`])
    ]
  }
}

/**
 * Balances of this network are asked for one address per call, and the call had none or several.
 *
 * @since 0.1.0
 * @category errors
 */
export class UtxoSingleAddress extends /*#__PURE__*/ Base("UtxoSingleAddress")<
  FieldsOf<"UtxoSingleAddress">
> {
  override get message(): string {
    return `UTXO based networks like ${this.network} support only one address per call.`
  }
  override get details(): ReadonlyArray<string> {
    return [`The call had ${this.addresses} addresses.`]
  }
}

/**
 * An extension or wallet provider does not list the configured network among those it supports.
 *
 * @since 0.1.0
 * @category errors
 */
export class ExtensionNotSupported extends /*#__PURE__*/ Base("ExtensionNotSupported")<
  FieldsOf<"ExtensionNotSupported">
> {
  override get message(): string {
    return `Extension ${this.extension} is not supported on ${this.network} network.`
  }
}

/**
 * The handle of an extension was asked for that is not there: its `init` has failed, or the configuration has no such extension.
 *
 * @since 0.1.0
 * @category errors
 */
export class ExtensionFailed extends /*#__PURE__*/ Base("ExtensionFailed")<FieldsOf<"ExtensionFailed">> {
  override get message(): string {
    return `Extension ${this.extension} failed: ${this.reason}`
  }
}

/**
 * A notification carries a chain code that the network table does not know.
 *
 * @since 0.1.0
 * @category errors
 */
export class ChainNotSupported extends /*#__PURE__*/ Base("ChainNotSupported")<
  FieldsOf<"ChainNotSupported">
> {
  override get message(): string {
    return `Chain ${this.chain} is not supported.`
  }
}

/**
 * The network has no chain id (EIP-155), which the browser wallet needs.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoChainId extends /*#__PURE__*/ Base("NoChainId")<FieldsOf<"NoChainId">> {
  override get message(): string {
    return `No chain id exists for network ${this.network}.`
  }
}

/**
 * No browser wallet (EIP-1193 provider) is there to talk to.
 *
 * @since 0.1.0
 * @category errors
 */
export class WalletNotInstalled extends /*#__PURE__*/ Base("WalletNotInstalled") {
  override get message(): string {
    return "The browser wallet is not installed, or it is impossible to connect to it."
  }
}

/**
 * The wallet that the user has chosen is not on the page, at least not yet; no other one takes its place. `wallet` is its
 * `rdns` (EIP-6963), or the name that it has in the configuration.
 *
 * @since 0.1.0
 * @category errors
 */
export class WalletNotFound extends /*#__PURE__*/ Base("WalletNotFound")<FieldsOf<"WalletNotFound">> {
  override get message(): string {
    return `The browser wallet that was chosen (${this.wallet}) is not on this page, and no other one is used instead. Enable it and try again, choose another with wallet.use, or forget it with wallet.disconnect.`
  }
}

/**
 * Nobody has said which wallet to use: there are several on the page, or the user has disconnected. `wallets` has the
 * `rdns` (EIP-6963) of those that are there.
 *
 * @since 0.1.0
 * @category errors
 */
export class WalletNotChosen extends /*#__PURE__*/ Base("WalletNotChosen")<FieldsOf<"WalletNotChosen">> {
  override get message(): string {
    return `No browser wallet is chosen: have the user choose one, and pass its rdns to wallet.use. On this page there are: ${this.wallets.join(", ") || "none"}.`
  }
}

/**
 * The user refused to show accounts to the page (EIP-1193 code 4001).
 *
 * @since 0.1.0
 * @category errors
 */
export class AccountAccessDenied extends /*#__PURE__*/ Base("AccountAccessDenied")<
  FieldsOf<"AccountAccessDenied">
> {
  override get message(): string {
    return `User denied account access. Error is ${this.detail}.`
  }
}

/**
 * The user refused to sign a transaction (EIP-1193 code 4001).
 *
 * @since 0.1.0
 * @category errors
 */
export class TransactionDenied extends /*#__PURE__*/ Base("TransactionDenied")<
  FieldsOf<"TransactionDenied">
> {
  override get message(): string {
    return `User denied transaction signature. Error is ${this.detail}.`
  }
}

/**
 * The wallet still waits for its user to answer an earlier request (EIP-1474 code -32002): that one has to be answered
 * in the wallet first. `method` is the request that it did not take.
 *
 * @since 0.1.0
 * @category errors
 */
export class WalletBusy extends /*#__PURE__*/ Base("WalletBusy")<FieldsOf<"WalletBusy">> {
  override get message(): string {
    return "The browser wallet waits for an answer to an earlier request: open the wallet and answer it."
  }
  override get details(): ReadonlyArray<string> {
    return [`Request: ${this.method}`, `The wallet: ${this.detail}`]
  }
}

/**
 * Why a wallet did not do as it was asked: it has not let the page in (`unauthorized`, 4100), lacks the method
 * (`unsupported`, 4200), has no connection to its chain (`disconnected`, 4900 and 4901), answered with something that
 * EIP-1193 does not allow (`malformed`), or failed in another way (`failed`).
 *
 * @since 0.1.0
 * @category models
 */
export type WalletErrorKind = (typeof declarations.WalletError.fields.kind)[number]

/**
 * The wallet failed at a request, and it was not its user who refused. `code` is the wallet's own (EIP-1193, EIP-1474),
 * absent where it gave none; `detail` are its words.
 *
 * @since 0.1.0
 * @category errors
 */
export class WalletError extends /*#__PURE__*/ Base("WalletError")<FieldsOf<"WalletError">> {
  override get message(): string {
    return `The browser wallet failed at ${this.method}: ${this.detail}`
  }
  override get details(): ReadonlyArray<string> {
    return this.code === undefined ? [] : [`Code: ${this.code}`]
  }
}

/**
 * The wallet was asked to send a transaction, and did not say what became of it: it failed in its own words, or answered with no hash. It
 * may have been sent all the same. `from` and `to` are addresses, `to` is absent where a contract is made, and `value` is wei in digits.
 * The transaction has the nonce `nonce` or a later one, absent where it is not known. `code` is the wallet's own (EIP-1193, EIP-1474),
 * `reason` are its words.
 *
 * @since 0.1.0
 * @category errors
 */
export class WalletUnclear extends /*#__PURE__*/ Base("WalletUnclear")<FieldsOf<"WalletUnclear">> {
  override get message(): string {
    return `The wallet was asked to send a transaction, which may have been sent: ${this.reason}`
  }
  override get details(): ReadonlyArray<string> {
    const { code, from, nonce, to, value } = this
    return [
      `From: ${from}`,
      ...(nonce === undefined ? [] : [`Nonce: ${nonce} or later`]),
      ...(to === undefined ? [] : [`To: ${to}`]),
      `Value: ${value} wei`,
      ...(code === undefined ? [] : [`Code: ${code}`])
    ]
  }
}

/**
 * The wallet is on another chain than the client's network and could not be brought there, so nothing was signed. It does
 * not know the chain (`unknown`, code 4902), cannot switch chains (`unsupported`), or says that it has switched and has
 * not (`unchanged`). `expected` and `actual` are chain ids; `detail` says what to do.
 *
 * @since 0.1.0
 * @category errors
 */
export class WrongChain extends /*#__PURE__*/ Base("WrongChain")<FieldsOf<"WrongChain">> {
  override get message(): string {
    return `The browser wallet is on chain ${this.actual}, and ${this.network} is chain ${this.expected}. ${this.detail}`
  }
}

/**
 * The decimals of a token could not be read from the nodes, so nothing was signed. `cause` is the failure of the call.
 *
 * @since 0.1.0
 * @category errors
 */
export class DecimalsUnreadable extends /*#__PURE__*/ Base("DecimalsUnreadable")<
  FieldsOf<"DecimalsUnreadable">
> {
  override get message(): string {
    return `The decimals of the token ${this.token} could not be read: ${this.cause.message}`
  }
  override get details(): ReadonlyArray<string> {
    return this.cause.details
  }
}

/**
 * A library that signing needs is not installed, or is of a version that does not fit. `install` is the command that installs it,
 * `reason` is what was said when it was loaded. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class MissingPeer extends /*#__PURE__*/ Base("MissingPeer")<FieldsOf<"MissingPeer">> {
  override get message(): string {
    return `${this.package} cannot be loaded: run ${this.install}`
  }
  override get details(): ReadonlyArray<string> {
    return [`Reason: ${this.reason}`]
  }
}

/**
 * The words are no mnemonic after BIP-39. `position` is that of the first word that is not in the list, from 1 on; it is absent
 * where the number of words or their checksum is wrong. The words themselves are never told.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidMnemonic extends /*#__PURE__*/ Base("InvalidMnemonic")<FieldsOf<"InvalidMnemonic">> {
  override get message(): string {
    return `The mnemonic cannot be used: ${this.reason}`
  }
}

/**
 * What a signer was to be made from cannot be used: a private key that is none of this chain, a derivation path that is none, or
 * an object that signs nothing. The key itself is never told.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidKey extends /*#__PURE__*/ Base("InvalidKey")<FieldsOf<"InvalidKey">> {
  override get message(): string {
    return `The key cannot be used: ${this.reason}`
  }
}

/**
 * An address is none of the network's: mistyped, or one of another network. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidAddress extends /*#__PURE__*/ Base("InvalidAddress")<FieldsOf<"InvalidAddress">> {
  override get message(): string {
    return `${this.address} is no address of ${this.network}: it ${this.reason}`
  }
}

/**
 * An amount cannot be sent: it is zero or negative, has more digits after the point than the asset, or is no number. A string is
 * in whole coins, a bigint in the smallest unit. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidAmount extends /*#__PURE__*/ Base("InvalidAmount")<FieldsOf<"InvalidAmount">> {
  override get message(): string {
    return `${this.amount} cannot be sent: it ${this.reason}`
  }
}

/**
 * The account has less than a payment takes. `needed` and `available` are decimal strings in whole coins or tokens; what is needed
 * of the chain's own coin has the highest fee in it. `token` is the payment's token if that is what is missing, and absent if it is the
 * chain's own coin. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class InsufficientFunds extends /*#__PURE__*/ Base("InsufficientFunds")<
  FieldsOf<"InsufficientFunds">
> {
  override get message(): string {
    return `${this.address} has ${this.available} ${this.asset}, and ${this.needed} ${this.asset} are needed`
  }
}

/**
 * An amount is smaller than what the chain takes: an output that costs more to spend than it is worth, or less than the reserve of
 * a new account. Both are decimal strings in whole coins. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class DustAmount extends /*#__PURE__*/ Base("DustAmount")<FieldsOf<"DustAmount">> {
  override get message(): string {
    return `${this.amount} ${this.asset} is less than the ${this.least} ${this.asset} that can be sent`
  }
}

/**
 * The fee of a payment is above the cap that the caller gave (`maxFee`), or without one above the default cap of the family, since
 * the network is dear or a node is mistaken or lies. Both are decimal strings in whole coins. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class FeeOverCap extends /*#__PURE__*/ Base("FeeOverCap")<FieldsOf<"FeeOverCap">> {
  override get message(): string {
    return `The fee is ${this.fee} ${this.asset}, and at most ${this.cap} ${this.asset} are allowed: a maxFee of ${this.fee} or more allows it`
  }
}

/**
 * The policy of a signer does not allow what it was asked to sign. `rule` is the rule that refuses it (`limit`, `recipient`, `contract`,
 * `hours`, `confirmation`, `signing`, or one of your own), and `reason` says what it allows. Nothing was signed, and no key, device or
 * wallet was asked.
 *
 * @since 0.1.0
 * @category errors
 */
export class PolicyDenied extends /*#__PURE__*/ Base("PolicyDenied")<FieldsOf<"PolicyDenied">> {
  override get message(): string {
    return `The policy of ${this.address} on ${this.network} does not allow it (${this.rule}): ${this.reason}`
  }
}

/**
 * A sweep takes more of its gas account than `maxGas`, or a fee above it. `address` has the tokens, `gas` is the account that pays.
 * Both amounts are decimal strings in whole coins. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class GasOverCap extends /*#__PURE__*/ Base("GasOverCap")<FieldsOf<"GasOverCap">> {
  override get message(): string {
    return `The tokens of ${this.address} take ${this.needed} ${this.asset} of gas, and at most ${this.cap} ${this.asset} are allowed: a maxGas of ${this.needed} or more allows it`
  }
}

/**
 * A sweep ended after its gas account had paid, or may have paid: the gas is at `address` or on its way, and the tokens are where they
 * were. `hashes` are the gas account's transactions, as far as they are known. The same call goes on from there.
 *
 * @since 0.1.0
 * @category errors
 */
export class SweepIncomplete extends /*#__PURE__*/ Base("SweepIncomplete")<FieldsOf<"SweepIncomplete">> {
  override get message(): string {
    const paid = this.hashes.length === 0 ? "may have paid" : `has paid (${this.hashes.join(", ")})`
    return `${this.gas} ${paid} gas to ${this.address}, whose tokens are not sent yet: ${this.cause.message}. The gas stays there, and the same call goes on with it`
  }
  override get details(): ReadonlyArray<string> {
    return this.cause.details
  }
}

/**
 * The receiver takes payments with a memo (a tag, a comment) alone, and the payment has none. Nothing was signed.
 *
 * @since 0.1.0
 * @category errors
 */
export class MemoRequired extends /*#__PURE__*/ Base("MemoRequired")<FieldsOf<"MemoRequired">> {
  override get message(): string {
    return `${this.address} needs a memo: ${this.reason}`
  }
}

/**
 * Another transaction of the account, which this signer has not made, keeps taking the nonce or sequence that this one was to
 * have. Nothing was sent. `nonce` is a bigint on chains whose numbers have 64 bits.
 *
 * @since 0.1.0
 * @category errors
 */
export class NonceTaken extends /*#__PURE__*/ Base("NonceTaken")<FieldsOf<"NonceTaken">> {
  override get message(): string {
    return `${this.address} has used the number ${this.nonce} for another transaction`
  }
}

/**
 * What holds the key did not sign: its user has refused, it could not be reached, or what came back is not the signature of this
 * account over what was to be signed. Nothing was sent.
 *
 * @since 0.1.0
 * @category errors
 */
export class SigningFailed extends /*#__PURE__*/ Base("SigningFailed")<FieldsOf<"SigningFailed">> {
  override get message(): string {
    return `It was not signed: ${this.reason}`
  }
}

/**
 * A signed transaction was handed to nodes, and whether one of them has taken it cannot be told. Look for `hash` before anything
 * is paid again; `raw` is the transaction, which can be sent again without being paid twice.
 *
 * @since 0.1.0
 * @category errors
 */
export class BroadcastUnclear extends /*#__PURE__*/ Base("BroadcastUnclear")<FieldsOf<"BroadcastUnclear">> {
  override get message(): string {
    return `Transaction ${this.hash} may have been sent: ${this.reason}`
  }
}

/**
 * A transaction of this signer was replaced by another one of it with the same nonce (`speedUp`, `cancel`). `by` is the hash of
 * that one.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransactionReplaced extends /*#__PURE__*/ Base("TransactionReplaced")<
  FieldsOf<"TransactionReplaced">
> {
  override get message(): string {
    return `Transaction ${this.hash} was replaced by ${this.by}`
  }
}

/**
 * A contract refused a call. `errorName` and `args` are those of its error where it gave one: of the ABI, `Error(string)` or
 * `Panic(uint256)`, with the types of answers: numbers above 48 bits are `bigint`, and their digits as text in JSON. `data` are the bytes
 * that it gave, and `reason` is what they say, or what the node said.
 *
 * @since 0.1.0
 * @category errors
 */
export class ContractReverted extends /*#__PURE__*/ Base("ContractReverted")<FieldsOf<"ContractReverted">> {
  constructor(fields: FieldsOf<"ContractReverted">) {
    const { args, data } = fields
    const safeArgs = args === undefined ? undefined : sanitize(args)
    super({
      ...fields,
      ...(Array.isArray(safeArgs) ? { args: safeArgs } : {}),
      ...(data === undefined ? {} : { data: String(sanitize(data)) })
    })
  }
  override get message(): string {
    return `${this.functionName} of ${this.address} was refused: ${this.reason}`
  }
  override get details(): ReadonlyArray<string> {
    return this.data === undefined ? [] : [`Data: ${sanitizeText(this.data)}`]
  }
}

/**
 * A transaction is in the chain, and what it was to do has not been done: a contract has refused it, or its gas did not suffice.
 * Its fee is paid. `receipt` is what tells that, as the node gave it: a receipt, a status or a transaction, by the chain. `reason` is the
 * chain's own where it gives one, and `data` are the bytes that a contract has reverted with.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransactionFailed<out Receipt = unknown> extends /*#__PURE__*/ Base("TransactionFailed")<
  FieldsOf<"TransactionFailed">
> {
  declare readonly receipt: Receipt
  constructor(fields: FieldsOf<"TransactionFailed"> & { readonly receipt: Receipt }) {
    const { data } = fields
    super({ ...fields, ...(data === undefined ? {} : { data: String(sanitize(data)) }) })
  }
  override get message(): string {
    return `Transaction ${this.hash} is in the chain, and has failed: ${this.reason}`
  }
  override get details(): ReadonlyArray<string> {
    return this.data === undefined ? [] : [`Data: ${this.data}`]
  }
}

/**
 * The retry helper ran out of time before any attempt ended.
 *
 * @since 0.1.0
 * @category errors
 */
export class RetryTimeout extends /*#__PURE__*/ Base("RetryTimeout") {
  override get message(): string {
    return "Retry timeout failed"
  }
}

/**
 * The retry helper ran out of time, and its last attempt had given null.
 *
 * @since 0.1.0
 * @category errors
 */
export class NullResult extends /*#__PURE__*/ Base("NullResult") {
  override get message(): string {
    return "Null result"
  }
}

/**
 * A client without a single node url was asked to send something (`rpc.nodes` is empty).
 *
 * @since 0.1.0
 * @category errors
 */
export class NoRpcUrls extends /*#__PURE__*/ Base("NoRpcUrls")<FieldsOf<"NoRpcUrls">> {
  override get message(): string {
    return "No RPC URLs provided"
  }
}

/** How many nodes the message of `NoActiveNode` names. Its field `nodes` has all of them. */
const MAX_NODES_IN_MESSAGE = 4

/**
 * No node of the asked kind, nor of the other, can be called. `manual` is true when the last round of checks
 * found no healthy node; the message then advises you to set node urls by hand. `retryAfter` says in how many milliseconds it is worth asking again, where
 * that is known; `nodes` has each node that takes no calls, its url without secrets, with the last cause; `last` is the error with which the
 * nodes of the other kind have refused the call.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoActiveNode extends /*#__PURE__*/ Base("NoActiveNode")<FieldsOf<"NoActiveNode">> {
  override get message(): string {
    const { manual, nodes = [], type } = this
    const found = manual
      ? `No active ${type} node found, fallback failed, please set node urls manually.`
      : `No active ${type} node found.`
    const causes = nodes
      .slice(0, MAX_NODES_IN_MESSAGE)
      .map(({ kind, reason, url }) => `${url}: ${reason} (${kind})`)
    const more = nodes.length - causes.length
    return causes.length === 0
      ? found
      : `${found} ${causes.join("; ")}${more === 0 ? "" : `; and ${more} more in \`nodes\``}`
  }
  override get details(): ReadonlyArray<string> {
    return [
      `Network: ${this.network}`,
      `Why: ${this.reason}`,
      ...(this.last === undefined ? [] : [`A node of the other kind said: ${this.last.message}`]),
      ...retryLine(this.retryAfter)
    ]
  }
}

/**
 * A node that does not keep the whole history answered with nothing for a past block, and does not hold that block: nobody can
 * say whether there is nothing. `block` is the one that was asked for, `url` the last node that was asked.
 *
 * @since 0.1.0
 * @category errors
 */
export class StateUnavailable extends /*#__PURE__*/ Base("StateUnavailable")<FieldsOf<"StateUnavailable">> {
  constructor(fields: FieldsOf<"StateUnavailable">) {
    super({ ...fields, url: displayUrl(fields.url) })
  }
  override get message(): string {
    return `${this.call}: no node that can be asked now holds block ${this.block}`
  }
  override get details(): ReadonlyArray<string> {
    return [`Node: ${this.url}`, "Ask again when an archive node is well, or add one to rpc.nodes."]
  }
}

/**
 * Why a node could not serve a call: the connection failed before (`connect`) or after (`network`) the request left,
 * it took too long, answered with a status that speaks of the node, with something the protocol does not allow, with
 * more bytes than `maxResponseBytes`, with a redirect, serves another chain, has fallen far `behind` its own earlier height, or
 * said itself that it cannot (`rpc`).
 *
 * @since 0.1.0
 * @category models
 */
export type NodeErrorKind = (typeof declarations.NodeError.fields.kind)[number]

/** The line of an error that says when it is worth asking again. */
const retryLine = (retryAfter: number | undefined): ReadonlyArray<string> =>
  retryAfter === undefined ? [] : [`Ask again in ${Math.ceil(retryAfter)} ms.`]

/**
 * The nodes could not serve the call; this is the failure of the last one. `url` is that node's origin, and empty where the answers of
 * several nodes make the failure. `kind` says which way it failed, `status` is the HTTP status where there was one, `code` the JSON-RPC code
 * where the node itself said that it cannot. `retryAfter` says in how many milliseconds the first node takes calls again, where the nodes have
 * asked for a pause (429, `Retry-After`) that is longer than the call
 * may take.
 *
 * @since 0.1.0
 * @category errors
 */
export class NodeError extends /*#__PURE__*/ Base("NodeError")<FieldsOf<"NodeError">> {
  constructor(fields: FieldsOf<"NodeError">) {
    super({
      ...fields,
      url: fields.url === "" ? "" : displayUrl(fields.url),
      reason: sanitizeText(fields.reason, hideUrlSecrets(fields.url))
    })
  }
  override get message(): string {
    return `${this.call} failed: ${this.reason}`
  }
  override get details(): ReadonlyArray<string> {
    return [
      ...(this.url === "" ? [] : [`Node: ${this.url}`]),
      ...(this.status === undefined ? [] : [`HTTP status: ${this.status}`]),
      ...retryLine(this.retryAfter)
    ]
  }
}

/**
 * The node answered with a JSON-RPC error: of the request (bad parameters, a reverted call, an unknown method), or of itself, where no
 * node has answered better. `code`, `data` and `rpcMessage` are the node's own (JSON-RPC 2.0, section 5.1). `retryAfter` is that of
 * `NodeError`, for codes that ask for a pause.
 *
 * @since 0.1.0
 * @category errors
 */
export class RpcError extends /*#__PURE__*/ Base("RpcError")<FieldsOf<"RpcError">> {
  constructor(fields: FieldsOf<"RpcError">) {
    const hide = hideUrlSecrets(fields.url)
    super({
      ...fields,
      url: displayUrl(fields.url),
      rpcMessage: sanitizeText(fields.rpcMessage, hide),
      ...("data" in fields ? { data: sanitize(fields.data, hide) } : {})
    })
  }
  override get message(): string {
    return this.rpcMessage
  }
  override get details(): ReadonlyArray<string> {
    return [
      `Method: ${this.method}`,
      `Code: ${this.code}`,
      ...(typeof this.data === "string" ? [`Data: ${sanitizeText(this.data)}`] : []),
      `Node: ${this.url}`,
      ...retryLine(this.retryAfter)
    ]
  }
}

/**
 * The node refused the request with an HTTP status that speaks of the request (4xx other than 401, 403, 408, 429).
 * `body` is its answer, cut at 2,000 characters.
 *
 * @since 0.1.0
 * @category errors
 */
export class RequestRejected extends /*#__PURE__*/ Base("RequestRejected")<FieldsOf<"RequestRejected">> {
  constructor(fields: FieldsOf<"RequestRejected">) {
    const hide = hideUrlSecrets(fields.url)
    super({
      ...fields,
      url: displayUrl(fields.url),
      messages: fields.messages.map((message) => sanitizeText(message, hide)),
      body: sanitizeText(fields.body, hide, MAX_MESSAGE_LENGTH)
    })
  }
  override get message(): string {
    return this.messages.join("; ") || `HTTP ${this.status} without a reason`
  }
  override get details(): ReadonlyArray<string> {
    return [`Call: ${this.call}`, `HTTP status: ${this.status}`, `Node: ${this.url}`]
  }
}

/**
 * The arguments cannot be sent, and nothing has left the process: they are not serialisable, or not what the call takes. Or the
 * nodes were asked, and there is nothing where the arguments point: no contract at the address, say.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidArgument extends /*#__PURE__*/ Base("InvalidArgument")<FieldsOf<"InvalidArgument">> {
  override get message(): string {
    return `${this.call}: ${this.reason}`
  }
}

/**
 * A text is no id by CAIP: `kind` is what was looked for, and `at` the place of the first character that cannot stand there. The text
 * is not repeated, since it may be a key that stands in the wrong place.
 *
 * @since 0.1.0
 * @category errors
 */
export class InvalidCaip extends /*#__PURE__*/ Base("InvalidCaip")<FieldsOf<"InvalidCaip">> {
  override get message(): string {
    const { at, kind, reason } = this
    const what = kind === "id" ? "" : ` of ${/^a/.test(kind) ? "an" : "a"} ${kind}`
    return `Not the CAIP id${what}: ${reason} (character ${at + 1})`
  }
}

/**
 * The whole call, with all its attempts, took longer than `timeout` (milliseconds). `last` is the error of the last
 * attempt that ended.
 *
 * @since 0.1.0
 * @category errors
 */
export class CallTimeout extends /*#__PURE__*/ Base("CallTimeout")<FieldsOf<"CallTimeout">> {
  override get message(): string {
    return `${this.call} took longer than ${this.timeout} ms`
  }
  override get details(): ReadonlyArray<string> {
    return this.last === undefined ? [] : [`Last attempt: ${this.last}`]
  }
}

/**
 * A read was to be answered by a node that is at `minBlock` or higher, and none got there within `timeout` (milliseconds).
 * `height` is that of the best node, absent if none has told its own; `url` is that node's.
 *
 * @since 0.1.0
 * @category errors
 */
export class BlockNotReached extends /*#__PURE__*/ Base("BlockNotReached")<FieldsOf<"BlockNotReached">> {
  constructor(fields: FieldsOf<"BlockNotReached">) {
    super({ ...fields, url: displayUrl(fields.url) })
  }
  override get message(): string {
    const best = this.height === undefined ? "no node tells its height" : `the best one is at ${this.height}`
    return `${this.call}: no node has reached block ${this.minBlock} within ${this.timeout} ms, ${best}`
  }
  override get details(): ReadonlyArray<string> {
    return [`Node: ${this.url}`, "Ask again later, with a longer timeout, or for an earlier block."]
  }
}

/**
 * A call was not sent, because the quota of the key (or of its node) has no room for it before its deadline. It could be served after
 * `retryAfter` milliseconds.
 *
 * @since 0.1.0
 * @category errors
 */
export class QuotaExceeded extends /*#__PURE__*/ Base("QuotaExceeded")<FieldsOf<"QuotaExceeded">> {
  override get message(): string {
    return `${this.call}: the quota has no room for this call before its deadline, and will have in ${this.retryAfter} ms`
  }
  override get details(): ReadonlyArray<string> {
    return ["Nothing was sent. Ask again later, with a longer timeout, or raise the quota."]
  }
}

/** A value in few words, for a person. */
const MAX_VALUE_LENGTH = 200

/**
 * A value as it may stand in a line of text.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatValue = (value: unknown): string => toPrintableJson(value, MAX_VALUE_LENGTH) ?? "nothing"

/**
 * Fewer than `agree` of `nodes` nodes have said the same. `answers` has the answer of each of them, in the order in which
 * they came; it is empty if there are not as many nodes.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoQuorum extends /*#__PURE__*/ Base("NoQuorum")<FieldsOf<"NoQuorum">> {
  constructor(fields: FieldsOf<"NoQuorum">) {
    super({
      ...fields,
      answers: fields.answers.map(({ said, url }) => ({
        url: displayUrl(url),
        said: sanitizeText(said, hideUrlSecrets(url))
      }))
    })
  }
  override get message(): string {
    return this.answers.length === 0
      ? `${this.call}: there are not ${this.agree} nodes to ask`
      : `${this.call}: no ${this.agree} of ${this.nodes} nodes agree`
  }
  override get details(): ReadonlyArray<string> {
    return this.answers.map(({ said, url }) => `${url}: ${said}`)
  }
}

/**
 * A transaction was not as deep in the chain as wanted when the time (milliseconds) was up: `confirmations` is how deep it
 * was last seen, 0 if it was in no block. It may still get there: this says nothing about the transaction.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransactionNotConfirmed extends /*#__PURE__*/ Base("TransactionNotConfirmed")<
  FieldsOf<"TransactionNotConfirmed">
> {
  override get message(): string {
    return `Transaction ${this.hash} had ${this.confirmations} of ${this.wanted} confirmations after ${this.timeout} ms`
  }
}

/**
 * A transaction can no longer get into the chain: another one has taken its nonce (EVM, nonce accounts of Solana) or spent its coins (Bitcoin), or
 * its time is over.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransactionDropped extends /*#__PURE__*/ Base("TransactionDropped")<
  FieldsOf<"TransactionDropped">
> {
  override get message(): string {
    return `Transaction ${this.hash} cannot be confirmed any more: ${this.reason}`
  }
}

/**
 * A transaction can no longer get into the chain: it was valid up to the block `lastValidBlockHeight`, and the chain is final up to
 * `height` without it. Paying again cannot pay twice.
 *
 * @since 0.1.0
 * @category errors
 */
export class TransactionExpired extends /*#__PURE__*/ Base("TransactionExpired")<
  FieldsOf<"TransactionExpired">
> {
  override get message(): string {
    return `Transaction ${this.hash} can no longer land: it was valid up to block ${this.lastValidBlockHeight}, and the chain is final up to block ${this.height} without it`
  }
}

/**
 * There is no WebSocket here for a subscription that needs one: Node has its own from version 22 on. On Node 20 the package
 * `undici` (7 or later) brings one, or the configuration (`subscriptions.webSocket`).
 *
 * @since 0.1.0
 * @category errors
 */
export class WebSocketUnavailable extends /*#__PURE__*/ Base("WebSocketUnavailable") {
  override get message(): string {
    return "There is no WebSocket here: use Node 22 or later, install undici (npm install undici), or configure subscriptions.webSocket."
  }
}

/**
 * The consumer of a subscription was so slow that more items waited than its `buffer` holds, and the next one was lost:
 * the stream ends rather than have a hole in it. `overflow: "sliding"` drops the oldest ones in place of that.
 *
 * @since 0.1.0
 * @category errors
 */
export class SubscriptionOverflow extends /*#__PURE__*/ Base("SubscriptionOverflow")<
  FieldsOf<"SubscriptionOverflow">
> {
  override get message(): string {
    return `More than ${this.buffer} items of ${this.subscription} waited for a consumer that is too slow`
  }
}

/**
 * The provider's REST API did not answer as asked, or the gateways to which a contract has referred (EIP-3668). `messages`, `code` and `dashboardLog` are the provider's own words
 * where it had any; `status` is the HTTP status, absent when no answer came. `uploaded` are the urls of files that earlier
 * steps of the same call have uploaded.
 *
 * @since 0.1.0
 * @category errors
 */
export class GatewayError extends /*#__PURE__*/ Base("GatewayError")<FieldsOf<"GatewayError">> {
  override get message(): string {
    return this.messages.join("; ")
  }
  override get details(): ReadonlyArray<string> {
    return [
      `Call: ${this.call}`,
      ...(this.uploaded ?? []).map((url) => `Uploaded before: ${url}`),
      ...(this.status === undefined ? [] : [`HTTP status: ${this.status}`]),
      ...(this.code === undefined ? [] : [`Code: ${this.code}`]),
      ...(this.dashboardLog === undefined ? [] : [`Dashboard: ${this.dashboardLog}`])
    ]
  }
}

/**
 * The client was destroyed or its scope closed before the call ended, or the caller's `AbortSignal` fired (Promise
 * surface).
 *
 * @since 0.1.0
 * @category errors
 */
export class Aborted extends /*#__PURE__*/ Base("Aborted")<FieldsOf<"Aborted">> {
  override get message(): string {
    const { reason } = this
    return reason instanceof Error && reason.message !== ""
      ? sanitizeText(reason.message)
      : "The call was aborted"
  }
}

/**
 * A bug: something failed that no code accounts for (Promise surface). `defect` is the thrown value.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unexpected extends /*#__PURE__*/ Base("Unexpected")<FieldsOf<"Unexpected">> {
  override get message(): string {
    return sanitizeText(reasonOf(this.defect))
  }
}

/**
 * A part of effect-chains is in a chunk of its own, which could not be loaded: the connection is down, or the server has only
 * the chunks of a newer build, and the page has to be reloaded. The next call tries again.
 *
 * @since 0.1.0
 * @category errors
 */
export class LoadError extends /*#__PURE__*/ Base("LoadError")<FieldsOf<"LoadError">> {
  override get message(): string {
    return `A part of effect-chains cannot be loaded: ${sanitizeText(this.reason)}`
  }
}

/**
 * The errors of a JSON-RPC call of a node. Options of the call may bring further ones: `quorum` a {@link NoQuorum}, `minBlock` a
 * {@link BlockNotReached}.
 *
 * @since 0.1.0
 * @category errors
 */
export type RpcCallError =
  | NoActiveNode
  | NodeError
  | RpcError
  | RequestRejected
  | InvalidArgument
  | CallTimeout
  | StateUnavailable
  | QuotaExceeded
  | Aborted

/**
 * The errors of a REST call of a node. Options of the call may bring further ones, as to {@link RpcCallError}.
 *
 * @since 0.1.0
 * @category errors
 */
export type RestCallError =
  | NoActiveNode
  | NodeError
  | RequestRejected
  | InvalidArgument
  | CallTimeout
  | QuotaExceeded
  | Aborted

/**
 * The errors of a request to the provider's API.
 *
 * @since 0.1.0
 * @category errors
 */
export type GatewayCallError = GatewayError | QuotaExceeded | Aborted

/**
 * Any error of the SDK.
 *
 * @since 0.1.0
 * @category errors
 */
export type SdkError = {
  // the guard speaks of this type itself
  readonly [K in Exclude<keyof Classes, "isSdkError">]: Classes[K] extends new (
    ...fields: never
  ) => infer E
    ? E
    : never
}[Exclude<keyof Classes, "isSdkError">]

/**
 * The errors of making a client. Unreachable nodes are not among them.
 *
 * @since 0.1.0
 * @category errors
 */
export type InitError = InvalidConfig | UnsupportedNetwork | ExtensionNotSupported | LoadError

/**
 * The provider's words in the body of a failed answer.
 *
 * @since 0.1.0
 * @category models
 */
export interface ErrorBody {
  readonly messages: ReadonlyArray<string>
  readonly code?: string
  readonly dashboardLog?: string
}

/** The longest sentence, and the longest list of them: a longer one is a page or a dump. */
const MAX_MESSAGE_LENGTH = 2_000
const MAX_MESSAGES = 20

const text = (value: unknown): string =>
  typeof value === "string"
    ? sanitizeText(value, undefined, MAX_MESSAGE_LENGTH)
    : (toPrintableJson(value, MAX_MESSAGE_LENGTH) ?? "")

/** Whether a member is absent, or has nothing to read: then the whole body says more. */
const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

/**
 * Reads the body of a failed answer: JSON with `data` (a list, whose `attr.` prefixes go) or `message`, `errorCode` and
 * `dashboardLog`; plain text; an HTML page, of which the title is kept; or nothing, for which the status stands.
 *
 * @since 0.1.0
 * @category conversions
 */
export const decodeErrorBody = (body: string, status: number): ErrorBody => {
  const trimmed = body.trim()
  if (trimmed === "") return { messages: [`HTTP ${status} with an empty body`] }
  if (/^<(!--|!doctype|html|head|body|\?xml)/i.test(trimmed)) {
    // the title stands at the top; looking for it in a whole hostile page could take minutes
    const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(trimmed.slice(0, MAX_MESSAGE_LENGTH))?.[1]?.trim()
    return { messages: [`HTTP ${status} with an HTML page${title ? `: ${title}` : ""}`] }
  }
  let json: unknown
  try {
    json = JSON.parse(trimmed)
  } catch {
    return { messages: [text(trimmed)] }
  }
  if (!isRecord(json)) return { messages: [text(json)] }
  const { data, message, errorCode, dashboardLog } = json
  const lines =
    Array.isArray(data) && data.length > 0
      ? data.slice(0, MAX_MESSAGES).map((item) => text(item).replace("attr.", ""))
      : Array.isArray(message) && message.length > 0
        ? message.slice(0, MAX_MESSAGES).map(text)
        : [text(isMissing(message) ? json : message)]
  return {
    messages: lines,
    ...(isMissing(errorCode) ? {} : { code: text(errorCode) }),
    ...(isMissing(dashboardLog) ? {} : { dashboardLog: text(dashboardLog) })
  }
}

/**
 * Whether a value is an error of the SDK, of this copy of the package or another one: errors are told by the page that explains
 * them, which all copies name alike.
 *
 * ```ts
 * if (isSdkError(error) && error._tag === "NoActiveNode") await retryLater(error.retryAfter)
 * ```
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSdkError = (value: unknown): value is SdkError => {
  if (typeof value !== "object" || value === null) return false
  const { _tag, docsUrl }: { readonly _tag?: unknown; readonly docsUrl?: unknown } = value
  return typeof _tag === "string" && docsUrl === docsUrlOf(_tag)
}
