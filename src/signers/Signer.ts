/**
 * What signers of all families have in common: what they are made from, payments and their previews, and the checks before anything
 * is signed.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { findDefinedRow } from "../data/definedNetworks.js"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId, NetworkRow } from "../data/Network.js"
import { allIds } from "../data/NetworkTable.js"
import { rowsOf } from "../data/rowsOf.js"
import {
  type BlockNotReached,
  BroadcastUnclear,
  type DustAmount,
  FeeOverCap,
  type GatewayCallError,
  InsufficientFunds,
  InvalidAddress,
  InvalidAmount,
  InvalidArgument,
  InvalidKey,
  type InvalidMnemonic,
  LoadError,
  type MemoRequired,
  type MissingPeer,
  NodeError,
  type NonceTaken,
  type NoQuorum,
  type RpcCallError,
  reasonOf,
  SigningFailed,
  type TransactionDropped,
  type TransactionFailed,
  type TransactionNotConfirmed,
  type TransactionReplaced,
  type WalletUnclear
} from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { isRecord } from "../data/untrusted.js"

/**
 * The nodes of a client, as in `sdk.nodes` on both surfaces. A signer asks each node about a payment. Without them it asks the client,
 * and trusts the node that answers.
 *
 * @since 0.1.0
 * @category models
 */
export interface NodesOf {
  readonly nodes?:
    | (() => ReadonlyArray<{ readonly failed: boolean }>)
    | { readonly snapshot: Effect.Effect<ReadonlyArray<{ readonly failed: boolean }>> }
    | undefined
}

/**
 * A secret as text, or wrapped so that nothing prints it. The Promise surface takes text.
 *
 * @since 0.1.0
 * @category models
 */
export type Secret = string | Redacted.Redacted

/**
 * The words of a mnemonic (BIP-39, English), and the key to use: the one at `path`, or the one with the number `index` (default 0) on the
 * family's standard path. `derivation: "tatum"` uses the path of `@tatumio/tatum`'s wallet packages for the network, and fails with
 * `InvalidKey` if they have none.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromMnemonic<S extends Secret = Secret> {
  readonly mnemonic: S
  readonly passphrase?: S
  readonly index?: number
  readonly path?: string
  readonly derivation?: "standard" | "tatum"
}

/**
 * A private key in the chain's own format.
 *
 * @since 0.1.0
 * @category models
 */
export interface FromPrivateKey<S extends Secret = Secret> {
  readonly privateKey: S
}

/**
 * A memo and its kind. An `id` is a whole number by which a receiver assigns payments to its users: a memo id of Stellar, a destination
 * tag of the XRP Ledger, text elsewhere. `text` is text, even if it looks like a number. `hash` and `return` are 32 bytes as hexadecimal,
 * for Stellar only.
 *
 * @since 0.1.0
 * @category models
 */
export type Memo =
  | { readonly id: string | bigint }
  | { readonly text: string }
  | { readonly hash: string }
  | { readonly return: string }

/**
 * A payment. `amount` is a decimal string in whole coins or tokens, or a bigint in the smallest unit. `maxFee` is the highest fee, in the
 * chain's own coin and in the same forms; without it the family's default cap applies. `token` (a contract, mint or asset of the network)
 * pays in that token; `decimals` (0 to 255) saves the read of the token's decimals. `allowNonceGap` lets an account of an EVM chain pay
 * behind transactions that no block has and that this signer has not sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Payment {
  readonly to: string
  readonly amount: string | bigint
  readonly token?: string
  readonly decimals?: number
  readonly memo?: string | Memo
  readonly maxFee?: string | bigint
  readonly allowNonceGap?: boolean
}

/**
 * A payment in a token.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenPayment extends Payment {
  readonly token: string
}

/**
 * How long a send takes: until the transaction has `confirmations`, or, without them, until a node has accepted it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SendOptions {
  readonly confirmations?: number
}

/**
 * Something that leaves the account: an amount of an asset, in whole coins or tokens. `asset` is the symbol of the chain's own coin, or
 * the id of a token (CAIP-19). `symbol` is what a token calls itself, which nobody verifies: at most 11 letters, digits and `.$-+`, and
 * absent otherwise. Of tokens, `units` is the amount in the smallest unit, and `decimals` is the number that it was computed with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outgoing {
  readonly asset: string
  readonly token?: string
  readonly symbol?: string
  readonly amount: string
  readonly units?: bigint
  readonly decimals?: number
}

/**
 * The preview of a payment: exactly this is signed. `amount` is in the smallest unit of what is sent, `fee` and `change` in that of the
 * chain's coin. `fee` is the highest possible fee. `outgoing` lists what leaves the account, with the highest fee, and `warnings` what a
 * person should know before signing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prepared<out Tx> {
  readonly network: string
  readonly from: string
  readonly to: string
  readonly token?: string
  readonly amount: bigint
  readonly fee: bigint
  readonly change?: bigint
  readonly outgoing: ReadonlyArray<Outgoing>
  readonly warnings: ReadonlyArray<string>
  readonly transaction: Tx
}

/**
 * A signed transaction: its bytes as the chain's nodes take them, and its hash or id.
 *
 * @since 0.1.0
 * @category models
 */
export interface Signed {
  readonly raw: string
  readonly hash: string
}

/**
 * A payment that nodes have taken.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sent<out Tx> {
  readonly hash: string
  readonly prepared: Prepared<Tx>
}

/**
 * The errors of making a signer.
 *
 * @since 0.1.0
 * @category errors
 */
export type SignerError =
  | InvalidMnemonic
  | InvalidKey
  | InvalidArgument
  | MissingPeer
  | SigningFailed
  | LoadError

/**
 * The errors of reading what a payment needs from nodes.
 *
 * @since 0.1.0
 * @category errors
 */
export type ReadError = RpcCallError | NoQuorum | BlockNotReached

/**
 * The errors of preparing a payment. Nothing is signed then. On chains whose nodes do not know balances, the data API is asked, and its
 * errors are among these.
 *
 * @since 0.1.0
 * @category errors
 */
export type PrepareError =
  | ReadError
  | GatewayCallError
  | LoadError
  | InvalidAddress
  | InvalidAmount
  | InsufficientFunds
  | DustAmount
  | FeeOverCap
  | MemoRequired

/**
 * The errors of signing and broadcasting a prepared payment. After `BroadcastUnclear` it may have been sent, and after `WalletUnclear`,
 * which only wallets of pages cause.
 *
 * @since 0.1.0
 * @category errors
 */
export type SubmitError =
  | ReadError
  | SigningFailed
  | NonceTaken
  | BroadcastUnclear
  | WalletUnclear
  | TransactionReplaced
  | TransactionDropped
  | TransactionFailed
  | TransactionNotConfirmed

/**
 * An account that signs, on its network. `prepare` previews a payment, `submit` signs and sends exactly that preview, and `send` and
 * `sendToken` do both. No payment is made twice: after an unclear outcome the signer looks for the transaction, and only ever sends the
 * same bytes again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Signer<in out Tx> {
  readonly network: string
  readonly address: string
  /** Signs a transaction, without sending it. */
  readonly sign: (transaction: Tx) => Effect.Effect<Signed, SigningFailed | ReadError>
  /** Signs a message in the chain's own format, which cannot be mistaken for a transaction. */
  readonly signMessage: (
    message: string | Uint8Array
  ) => Effect.Effect<string, SigningFailed | InvalidArgument>
  /** The preview of a payment. Nothing is signed. */
  readonly prepare: (payment: Payment) => Effect.Effect<Prepared<Tx>, PrepareError>
  /**
   * Signs and sends what was prepared. If an earlier submit or send of it ended with `BroadcastUnclear` or was interrupted, it sends the
   * same bytes again; the preview and the error both identify them. A wallet of the page has no bytes: after `WalletUnclear` it is not
   * asked for the same preview again.
   */
  readonly submit: (
    prepared: Prepared<Tx> | BroadcastUnclear,
    options?: SendOptions
  ) => Effect.Effect<Sent<Tx>, SubmitError | InvalidArgument>
  /** Pays in the chain's own coin. */
  readonly send: (
    payment: Omit<Payment, "token"> & SendOptions
  ) => Effect.Effect<Sent<Tx>, PrepareError | SubmitError>
  /** Pays in a token. */
  readonly sendToken: (
    payment: TokenPayment & SendOptions
  ) => Effect.Effect<Sent<Tx>, PrepareError | SubmitError>
}

/**
 * What a transaction pays, as its preview has to show it.
 *
 * @since 0.1.0
 * @category models
 */
export interface PaymentTerms extends Pick<Prepared<unknown>, "from" | "to" | "amount"> {
  readonly token: string | undefined
  /** Absent if the preview's fee is more than the transaction's own. */
  readonly fee?: bigint
  /** What may leave the account, as `outgoing` has it, if the transaction names that besides its amount. */
  readonly spent?: string
}

/**
 * A payment that is being broadcast. Its preview has the transaction as it was signed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Outbound<out Tx> extends Sent<Tx>, Signed {}

/**
 * A payment that nodes have taken, without its bytes.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSent = <Tx>({ hash, prepared }: Outbound<Tx>): Sent<Tx> => ({ hash, prepared })

/**
 * What a chain family implements for its signers. `broadcast` signs a prepared payment and sends it to nodes, and calls `beforeBroadcast`
 * right before that. `rebroadcast` sends the same bytes again, and `waitForConfirmations` waits until the payment is deep enough in the
 * chain. `runExclusive` runs one payment at a time, if payments depend on earlier ones. `readTerms` and `isAsPreviewed` compare a
 * transaction with its preview, so that only what was shown is signed.
 *
 * @since 0.1.0
 * @category models
 */
export interface SignerDefinition<in out Tx>
  extends Pick<Signer<Tx>, "network" | "address" | "sign" | "signMessage" | "prepare"> {
  readonly broadcast: (
    prepared: Prepared<Tx>,
    beforeBroadcast: (out: Outbound<Tx>) => void
  ) => Effect.Effect<Sent<Tx>, SubmitError>
  /** Absent if another program broadcasts payments. */
  readonly rebroadcast?: (out: Outbound<Tx>) => Effect.Effect<unknown, SubmitError>
  readonly waitForConfirmations: (
    sent: Sent<Tx>,
    confirmations: number
  ) => Effect.Effect<unknown, SubmitError>
  readonly runExclusive?: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly readTerms?: (transaction: Tx) => PaymentTerms
  readonly isAsPreviewed?: (prepared: Prepared<Tx>) => boolean
  /** Why a transaction cannot be encoded, if it cannot: its bytes are invalid. */
  readonly findProblem?: (transaction: Tx) => string | undefined
}

/** The problem of the option `confirmations`. It is checked before anything is sent, so that nobody pays again after a failed wait. */
const waitProblem = ({ confirmations = 1 }: SendOptions): string | undefined =>
  Number.isSafeInteger(confirmations) && confirmations >= 1
    ? undefined
    : "confirmations must be a whole number of at least 1"

const PAYMENT_EXPECTED = "a payment is { to, amount }"

const UNKNOWN_BROADCAST =
  "this signer has not sent these bytes, or knows by now what came of them: look for the hash, and hand raw to nodes by rpc if it has to go out again"
/**
 * Reads answers of nodes. An answer in the wrong form throws where it is read; this makes it an error of the node, and not a defect.
 *
 * @since 0.1.0
 * @category operations
 */
export const catchMalformedAnswer = <A, E>(read: Effect.Effect<A, E>): Effect.Effect<A, E | NodeError> =>
  Effect.catchAllCause(read, (cause): Effect.Effect<never, E | NodeError> => {
    const defect = Cause.squash(cause)
    const isUnread =
      Either.isRight(Cause.failureOrCause(cause)) &&
      (defect instanceof TypeError || defect instanceof RangeError || defect instanceof SyntaxError)
    return isUnread
      ? Effect.fail(
          new NodeError({
            kind: "malformed",
            call: "prepare",
            url: "",
            reason: `an answer has not the form that it should have: ${reasonOf(defect)}`
          })
        )
      : Effect.failCause(cause)
  })

/** Why a transaction cannot be one of an account; undefined if it can. */
const findForeignTransaction = <Tx>(
  { address, findProblem, readTerms }: SignerDefinition<Tx>,
  transaction: Tx
): string | undefined => {
  if (!isRecord(transaction)) return "a transaction is what prepare has made"
  const from = readTerms === undefined ? address : readTerms(transaction).from
  return from === address
    ? findProblem?.(transaction)
    : `it is paid by ${from}, and this signer is ${address}`
}

/** A message is text or bytes. Bytes as hexadecimal digits are text like any other. */
const isMessage = (message: unknown): boolean => typeof message === "string" || message instanceof Uint8Array

const PREVIEW_MISMATCH = "its transaction is another one than that of its preview"

/** Why a preview is not signed; undefined if it is. */
const findPreviewMismatch = <Tx>(
  definition: SignerDefinition<Tx>,
  prepared: Prepared<Tx>
): string | undefined => {
  if (!isRecord(prepared) || !Array.isArray(prepared.outgoing)) return "it takes what prepare has made"
  const { address, isAsPreviewed, network, readTerms } = definition
  const { amount, fee, from, network: wanted, outgoing, to, token, transaction } = prepared
  if (from !== address || wanted !== network)
    return `it was prepared for ${from} on ${wanted}, and this signer is ${address} on ${network}`
  const problem = findForeignTransaction(definition, transaction)
  if (problem !== undefined) return problem
  if (isAsPreviewed?.(prepared) === false) return PREVIEW_MISMATCH
  if (readTerms === undefined) return undefined
  const said = readTerms(transaction)
  const isSpent = (each: Outgoing) => each.token === token && each.amount === said.spent
  return said.to === to &&
    said.amount === amount &&
    said.token === token &&
    (said.fee ?? fee) === fee &&
    (said.spent === undefined || outgoing.some(isSpent))
    ? undefined
    : PREVIEW_MISMATCH
}

/** How many payments with an unclear outcome are remembered. */
const MAX_UNCLEAR = 1_024

/** Whether a payment may still arrive after its broadcast ended like this, an interruption included. */
const canStillArrive = (exit: Exit.Exit<unknown, SubmitError>): boolean => {
  if (Exit.isSuccess(exit)) return false
  const error = Cause.failureOrCause(exit.cause)
  return (
    Either.isRight(error) ||
    error.left._tag === "BroadcastUnclear" ||
    error.left._tag === "TransactionNotConfirmed"
  )
}

/**
 * Broadcasts each payment once. A payment with an unclear outcome is broadcast again as the same bytes, and is not signed a second time.
 */
const makeOutbox = <Tx>({ broadcast, rebroadcast }: SignerDefinition<Tx>) => {
  /** By their hashes, with the transactions that they were made of. */
  const unclear = new Map<string, { readonly by: Tx; readonly out: Outbound<Tx> }>()
  const rememberUnclear = (by: Tx, out: Outbound<Tx>): void => {
    unclear.set(out.hash, { by, out })
    const [oldest] = unclear.keys()
    if (unclear.size > MAX_UNCLEAR && oldest !== undefined) unclear.delete(oldest)
  }
  const sendFirst = (prepared: Prepared<Tx>): Effect.Effect<Sent<Tx>, SubmitError> =>
    Effect.suspend(() => {
      let out: Outbound<Tx> | undefined
      const sendOnce = broadcast(prepared, (outbound) => {
        out = outbound
      })
      return Effect.onExit(sendOnce, (exit) =>
        Effect.sync(() => {
          if (out !== undefined && canStillArrive(exit)) rememberUnclear(prepared.transaction, out)
        })
      )
    })
  return {
    /** The preview of an unclear payment, by its error. */
    findPrepared: ({ hash }: BroadcastUnclear): Prepared<Tx> | undefined => unclear.get(hash)?.out.prepared,
    /** Broadcasts a prepared payment, or its earlier bytes if there are any. */
    broadcastOnce: (prepared: Prepared<Tx>): Effect.Effect<Sent<Tx>, SubmitError> =>
      Effect.suspend(() => {
        const { transaction } = prepared
        const before = [...unclear.values()].find(
          ({ by, out }) => by === transaction || out.prepared.transaction === transaction
        )
        if (before === undefined || rebroadcast === undefined) return sendFirst(prepared)
        const { out } = before
        return rebroadcast(out).pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (!canStillArrive(exit)) unclear.delete(out.hash)
            })
          ),
          Effect.as(toSent(out))
        )
      })
  }
}

/**
 * Makes a signer from its definition. It refuses previews for another account or network, and transactions that differ from their
 * preview.
 *
 * @since 0.1.0
 * @category constructors
 */
export const assembleSigner = <Tx>(definition: SignerDefinition<Tx>): Signer<Tx> => {
  const {
    address,
    network,
    sign,
    signMessage,
    runExclusive = (effect) => effect,
    waitForConfirmations
  } = definition
  const { findPrepared, broadcastOnce } = makeOutbox(definition)
  const prepare = (payment: Payment) =>
    catchMalformedAnswer(Effect.suspend(() => definition.prepare(payment)))
  const sendAndWait = <E>(
    sending: Effect.Effect<Sent<Tx>, E>,
    { confirmations }: SendOptions
  ): Effect.Effect<Sent<Tx>, E | SubmitError> =>
    confirmations === undefined
      ? runExclusive(sending)
      : Effect.flatMap(runExclusive(sending), (sent) =>
          Effect.as(waitForConfirmations(sent, confirmations), sent)
        )
  const prepareAndSend = (payment: Payment & SendOptions) => {
    const problem = isRecord(payment) ? waitProblem(payment) : PAYMENT_EXPECTED
    return problem === undefined
      ? sendAndWait(Effect.flatMap(prepare(payment), broadcastOnce), payment)
      : Effect.fail(invalidArgument("send", problem))
  }
  return {
    network,
    address,
    sign: (transaction) => {
      const problem = findForeignTransaction(definition, transaction)
      return problem === undefined ? sign(transaction) : Effect.fail(invalidArgument("sign", problem))
    },
    signMessage: (message) =>
      isMessage(message)
        ? signMessage(message)
        : Effect.fail(invalidArgument("signMessage", "a message must be text or a Uint8Array")),
    prepare: (payment) =>
      isRecord(payment)
        ? runExclusive(prepare(payment))
        : Effect.fail(invalidArgument("prepare", PAYMENT_EXPECTED)),
    submit: (given, options = {}) => {
      const prepared = given instanceof BroadcastUnclear ? findPrepared(given) : given
      const problem =
        prepared === undefined
          ? UNKNOWN_BROADCAST
          : (findPreviewMismatch(definition, prepared) ?? waitProblem(options))
      return prepared === undefined || problem !== undefined
        ? Effect.fail(invalidArgument("submit", problem ?? UNKNOWN_BROADCAST))
        : sendAndWait(broadcastOnce(prepared), options)
    },
    send: prepareAndSend,
    sendToken: prepareAndSend
  }
}

/**
 * The error of arguments that cannot be used.
 *
 * @since 0.1.0
 * @category constructors
 */
export const invalidArgument = (call: string, reason: string): InvalidArgument =>
  new InvalidArgument({ call, reason })

/**
 * Bytes of a caller as a check of them yields them. What the check throws names the place, and is the failure of the call.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkBytes = <A>(call: string, check: () => A): Effect.Effect<A, InvalidArgument> =>
  Effect.try({ try: check, catch: (error) => invalidArgument(call, reasonOf(error)) })

/**
 * The failure of a key that cannot be used. The key is not in it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const invalidKey = (reason: string): Effect.Effect<never, InvalidKey> =>
  Effect.fail(new InvalidKey({ reason }))

/**
 * The failure of a signer that is made from nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const missingKeySource: Effect.Effect<never, InvalidKey> = /*#__PURE__*/ invalidKey(
  "say what the signer is made from: { mnemonic }, { privateKey }, …"
)

/**
 * An address, unless it has a problem on its network.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkAddress = (
  network: string,
  address: string,
  problem: string | undefined
): Effect.Effect<string, InvalidAddress> =>
  problem === undefined
    ? Effect.succeed(address)
    : Effect.fail(new InvalidAddress({ address: String(address), network, reason: problem }))

/**
 * The row of a client's network, which must be of one of these families.
 *
 * @since 0.1.0
 * @category getters
 */
export const loadNetworkRow = (
  network: string,
  families: ReadonlyArray<FamilyId>
): Effect.Effect<NetworkRow, InvalidArgument | LoadError> => {
  const defined = findDefinedRow(network)
  const own = defined?.family ?? allIds.familyOf(network)
  const family = families.find((each) => each === own)
  if (family === undefined)
    return Effect.fail(
      new InvalidArgument({
        call: "signer",
        reason: `${network} is of the family ${String(own)}, and this signer is one of ${families.join(" or ")}: import that of its family`
      })
    )
  if (defined !== undefined) return Effect.succeed(defined)
  return loadOnce(rowsOf[family], ({ rows }) => {
    const row = rows.find(({ id }) => id === network)
    // the table is written from the same lines as the ids
    return row === undefined
      ? Effect.fail(new LoadError({ reason: `${network} has no row` }))
      : Effect.succeed(row)
  })
}

/**
 * The text of a secret.
 *
 * @since 0.1.0
 * @category getters
 */
export const reveal = (secret: Secret): string => {
  const text: unknown = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
  // other values are refused by the family that reads them
  return typeof text === "string" ? text : ""
}

/**
 * Runs a function of the key's holder. Whatever it throws becomes the reason.
 *
 * @since 0.1.0
 * @category operations
 */
export const trySigning = <A>(sign: () => Promise<A>): Effect.Effect<A, SigningFailed> =>
  Effect.tryPromise({
    try: sign,
    catch: (error) => new SigningFailed({ reason: reasonOf(error) })
  })

/**
 * An amount in the smallest unit: a bigint is that, a string is whole coins. It is above zero, and has no more digits than the asset.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSmallestUnit = (
  amount: string | bigint,
  decimals: number,
  asset: string
): Effect.Effect<bigint, InvalidAmount> => {
  const refuse = (reason: string) => Effect.fail(new InvalidAmount({ amount: String(amount), reason }))
  if (typeof amount !== "bigint" && typeof amount !== "string")
    return refuse("must be a decimal string in whole coins or a bigint in the smallest unit")
  const units = typeof amount === "bigint" ? Option.some(amount) : Units.parse(amount, decimals)
  const value = Option.getOrUndefined(units)
  if (value === undefined)
    return refuse(
      `must be a decimal number such as "1.5", with at most the ${decimals} digits after the point that ${asset} has`
    )
  return value > 0n ? Effect.succeed(value) : refuse("must be above zero")
}

/** The assets of a payment: the one that is sent, and the chain's own coin. */
interface AssetOfAccount {
  readonly address: string
  readonly asset: string
  readonly decimals: number
}

/**
 * Refuses a payment of more than the account has.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkBalance = (
  needed: bigint,
  available: bigint,
  { address, asset, decimals }: AssetOfAccount
): Effect.Effect<void, InsufficientFunds> =>
  needed <= available
    ? Effect.void
    : Effect.fail(
        new InsufficientFunds({
          address,
          asset,
          needed: Units.format(needed, decimals),
          available: Units.format(available, decimals)
        })
      )

/**
 * Refuses a fee above the caller's cap, or, without a cap, above `most`, the family's default. Both are in the smallest unit; the cap has
 * the forms of {@link Payment}.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkFeeCap = (
  fee: bigint,
  maxFee: string | bigint | undefined,
  { asset, decimals }: Omit<AssetOfAccount, "address">,
  most: bigint
): Effect.Effect<void, FeeOverCap | InvalidAmount> =>
  Effect.flatMap(
    maxFee === undefined ? Effect.succeed(most) : toSmallestUnit(maxFee, decimals, asset),
    (cap) =>
      fee <= cap
        ? Effect.void
        : Effect.fail(
            new FeeOverCap({
              fee: Units.format(fee, decimals),
              cap: Units.format(cap, decimals),
              asset
            })
          )
  )

/**
 * The warning of a fee that is more than the coins that are paid.
 *
 * @since 0.1.0
 * @category constructors
 */
export const warnOfHighFee = (fee: bigint, amount: bigint): ReadonlyArray<string> =>
  fee > amount ? ["The fee is more than what is paid."] : []
