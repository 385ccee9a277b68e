/**
 * The checks before anything is signed: keys, addresses, amounts, balances and fees.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { findDefinedRow } from "../data/definedNetworks.js"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId, NetworkRow } from "../data/Network.js"
import { allIds } from "../data/NetworkTable.js"
import { rowsOf } from "../data/rowsOf.js"
import {
  FeeOverCap,
  InsufficientFunds,
  InvalidAddress,
  InvalidAmount,
  InvalidArgument,
  InvalidKey,
  type LoadError,
  NodeError,
  reasonOf,
  SigningFailed
} from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { isRecord } from "../data/untrusted.js"
import type { PolicyRequest, Secret, Speed } from "./Signer.js"

/**
 * Reads answers of nodes. An answer in the wrong form throws where it is read; this makes it an error of the node, and not a defect.
 *
 * @since 0.1.0
 * @category operations
 */
export const catchMalformedAnswer = <A, E>(
  read: Effect.Effect<A, E>,
  call = "prepare"
): Effect.Effect<A, E | NodeError> =>
  Effect.catchAllCause(read, (cause): Effect.Effect<never, E | NodeError> => {
    const defect = Cause.squash(cause)
    const isUnread =
      Either.isRight(Cause.failureOrCause(cause)) &&
      (defect instanceof TypeError || defect instanceof RangeError || defect instanceof SyntaxError)
    return isUnread
      ? Effect.fail(
          new NodeError({
            kind: "malformed",
            call,
            url: "",
            reason: `an answer has not the form that it should have: ${reasonOf(defect)}`
          })
        )
      : Effect.failCause(cause)
  })

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
 * The row of a network; undefined if there is none.
 *
 * @since 0.1.0
 * @category getters
 */
export const findNetworkRow = (network: string): Effect.Effect<NetworkRow | undefined, LoadError> => {
  const defined = findDefinedRow(network)
  const family = allIds.familyOf(network)
  return defined !== undefined || family === undefined
    ? Effect.succeed(defined)
    : loadOnce(rowsOf[family], ({ rows }) => Effect.succeed(rows.find(({ id }) => id === network)))
}

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
  const refuse = () =>
    Effect.fail(
      invalidArgument(
        "signer",
        `${network} is of the family ${String(own)}, and this signer is one of ${families.join(" or ")}: import that of its family`
      )
    )
  if (family === undefined) return refuse()
  if (defined !== undefined) return Effect.succeed(defined)
  return loadOnce(rowsOf[family], ({ rows }) => {
    const row = rows.find(({ id }) => id === network)
    // never undefined: the table is written from the same lines as the ids
    return row === undefined ? refuse() : Effect.succeed(row)
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
 * What is signed inside an effect: a signer sets it for whoever holds the key. Undefined where nothing is signed yet, as while a wallet
 * is connected.
 *
 * @since 0.1.0
 * @category services
 */
export class CurrentRequest extends Context.Reference<CurrentRequest>()(
  "effect-chains/signers/CurrentRequest",
  { defaultValue: (): PolicyRequest | undefined => undefined }
) {}

/** A request with its transaction as it is signed. */
const withTransaction = (
  request: PolicyRequest | undefined,
  transaction: unknown
): PolicyRequest | undefined => {
  if (request?.kind === "transaction") return { ...request, transaction }
  return request?.kind === "payment"
    ? { ...request, prepared: { ...request.prepared, transaction } }
    : request
}

/**
 * Runs a function of the key's holder, which may see what is signed. Whatever it throws becomes the reason. `transaction` is that of the
 * request with the fields that it gets only when it is signed, such as its nonce, so that the holder can compute what it signs.
 *
 * @since 0.1.0
 * @category operations
 */
export const trySigning = <A>(
  sign: (request: PolicyRequest | undefined) => Promise<A>,
  transaction?: unknown
): Effect.Effect<A, SigningFailed> =>
  Effect.flatMap(CurrentRequest, (request) =>
    Effect.tryPromise({
      try: () => sign(transaction === undefined ? request : withTransaction(request, transaction)),
      catch: (error) => new SigningFailed({ reason: reasonOf(error) })
    })
  )

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
  // nodes write quantities so: 0x10 in a form would be taken for 16 of the smallest unit
  if (value === undefined && String(amount).startsWith("0x"))
    return refuse("is a quantity of a node: pass BigInt(amount), which is in the smallest unit")
  if (value === undefined)
    return refuse(
      `must be a decimal number such as "1.5", with at most the ${decimals} digits after the point that ${asset} has`
    )
  return value > 0n ? Effect.succeed(value) : refuse("must be above zero")
}

/** An asset of an account: the chain's own coin, or the `token` that is paid. */
interface AssetOfAccount {
  readonly address: string
  readonly asset: string
  readonly token?: string
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
  { address, asset, decimals, token }: AssetOfAccount
): Effect.Effect<void, InsufficientFunds> =>
  needed <= available
    ? Effect.void
    : Effect.fail(
        new InsufficientFunds({
          address,
          asset,
          ...(token === undefined ? {} : { token }),
          needed: Units.format(needed, decimals),
          available: Units.format(available, decimals)
        })
      )

/**
 * Whether a payment sweeps: it sends all that the account can send of the asset.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSweep = (amount: string | bigint): amount is "all" => amount === "all"

/**
 * The amount of a payment in the smallest unit. Undefined for a sweep, whose amount follows from the balance.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toFixedAmount = (
  amount: string | bigint,
  decimals: number,
  asset: string
): Effect.Effect<bigint | undefined, InvalidAmount> =>
  isSweep(amount) ? Effect.succeed(undefined) : toSmallestUnit(amount, decimals, asset)

/**
 * The amount of a sweep: a balance without what stays in the account or is its fee. Fails if that is nothing.
 *
 * @since 0.1.0
 * @category operations
 */
export const sweepableAmount = (
  balance: bigint,
  kept: bigint,
  asset: AssetOfAccount
): Effect.Effect<bigint, InsufficientFunds> =>
  Effect.as(checkBalance(kept + 1n, balance, asset), balance - kept)

/**
 * The line of a sweep's preview about what stays in the account.
 *
 * @since 0.1.0
 * @category constructors
 */
export const warnOfKept = (
  amount: string | bigint,
  kept: bigint,
  { asset, decimals }: Omit<AssetOfAccount, "address">,
  why: string
): ReadonlyArray<string> =>
  isSweep(amount) && kept > 0n
    ? [`${Units.format(kept, decimals)} ${asset} stay in the account: ${why}.`]
    : []

/**
 * Refuses a fee above the caller's cap, or, without a cap, above `most`, the family's default. Yields the cap that holds. All are in the
 * smallest unit; the caller's cap has the forms of {@link Payment}.
 *
 * @since 0.1.0
 * @category operations
 */
export const checkFeeCap = (
  fee: bigint,
  maxFee: string | bigint | undefined,
  { asset, decimals }: Omit<AssetOfAccount, "address">,
  most: bigint
): Effect.Effect<bigint, FeeOverCap | InvalidAmount> =>
  Effect.flatMap(
    maxFee === undefined ? Effect.succeed(most) : toSmallestUnit(maxFee, decimals, asset),
    (cap) =>
      fee <= cap
        ? Effect.succeed(cap)
        : Effect.fail(
            new FeeOverCap({
              fee: Units.format(fee, decimals),
              cap: Units.format(cap, decimals),
              asset
            })
          )
  )

/** The percentiles of recent fees that the named speeds pay. */
const percentiles: Readonly<Record<Extract<Speed, string>, number>> = { slow: 25, normal: 50, fast: 90 }

const isNamedSpeed = (speed: unknown): speed is Extract<Speed, string> =>
  typeof speed === "string" && Object.hasOwn(percentiles, speed)

/**
 * The problem of the option `speed` of a payment. Undefined if it has none.
 *
 * @since 0.1.0
 * @category predicates
 */
export const speedProblem = (speed: unknown): string | undefined => {
  if (speed === undefined || isNamedSpeed(speed)) return undefined
  const percentile = isRecord(speed) ? speed.percentile : undefined
  return typeof percentile === "number" && percentile >= 0 && percentile <= 100
    ? undefined
    : `speed must be ${Object.keys(percentiles).join(", ")}, or { percentile } from 0 to 100`
}

/**
 * The problem of the option `private`; undefined if it has none. A payment that has to stay private is never sent in public instead.
 *
 * @since 0.1.0
 * @category conversions
 */
export const privateProblem = (isPrivate: unknown, hasPrivateClient: boolean): string | undefined =>
  isPrivate === undefined || isPrivate === false || (isPrivate === true && hasPrivateClient)
    ? undefined
    : isPrivate === true
      ? "private: this signer was made without privateClient, which signers of EVM chains take"
      : "private must be true or false"

/**
 * The percentile of a speed, from 0 to 100.
 *
 * @since 0.1.0
 * @category conversions
 */
export const percentileOf = (speed: Speed = "normal"): number =>
  isNamedSpeed(speed) ? percentiles[speed] : speed.percentile

/**
 * The fee of a speed, of those that others have paid of late. Without any it is 0.
 *
 * @since 0.1.0
 * @category conversions
 */
export const feeAtSpeed = (recent: ReadonlyArray<bigint>, speed?: Speed): bigint => {
  const percentile = percentileOf(speed)
  const sorted = [...recent].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0n
}

/**
 * The warning of a fee that is more than the coins that are paid.
 *
 * @since 0.1.0
 * @category constructors
 */
export const warnOfHighFee = (fee: bigint, amount: bigint): ReadonlyArray<string> =>
  fee > amount ? ["The fee is more than what is paid."] : []
