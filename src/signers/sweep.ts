/**
 * Sweeps of token addresses: an address that has tokens and no coins cannot pay the fee of sending them. Another account, the gas
 * account, pays exactly what is missing first.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { OnThisEffect } from "../data/effectVersion.js"
import { leftOf, rightOf } from "../data/eitherValues.js"
import { evmFamilies, type NetworkRow } from "../data/Network.js"
import {
  GasOverCap,
  type InsufficientFunds,
  type InvalidArgument,
  type LoadError,
  SweepIncomplete
} from "../data/SdkError.js"
import * as Units from "../data/Units.js"
import { isRecord } from "../data/untrusted.js"
import type {
  Prepared,
  PrepareError,
  SendOptions,
  Sent,
  Signer,
  SubmitError,
  TokenPayment
} from "./Signer.js"
import { waitProblem } from "./SignerDefinition.js"
import { findNetworkRow, invalidArgument, toSmallestUnit } from "./signerChecks.js"

/**
 * The part of a signer that a sweep uses. Signers of all families have it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SweepSigner<in out Tx>
  extends Pick<Signer<Tx>, "network" | "address" | "prepare" | "submit"> {}

/**
 * A sweep of an address that has tokens. `from` is its signer, and `gas` the signer of the account that pays the gas; both are of one
 * network. `to` gets the tokens, by default `"all"` of them. `maxGas` is the most that may leave the gas account, its own fees included, in
 * whole coins as a decimal string or in the smallest unit as a bigint. The fee of the token payment may not be above it either.
 *
 * @since 0.1.0
 * @category models
 */
export interface TokenSweep<in out Tx> extends Pick<TokenPayment, "to" | "token" | "decimals" | "memo"> {
  readonly from: SweepSigner<Tx>
  readonly gas: SweepSigner<Tx>
  readonly amount?: string | bigint
  readonly maxGas: string | bigint
}

/** What an address lacks of the chain's own coin: what it needs and what it has, in the smallest unit. @since 0.1.0 @category models */
export interface Shortage {
  readonly needed: bigint
  readonly available: bigint
}

/**
 * The next payments of a sweep. If coins are missing, `shortage` says how many, and `funding` is what the gas account pays the address.
 * Otherwise `payment` sends the tokens: a payment that cannot be paid has no preview. `cost` is the most that `funding` takes from the gas
 * account, its fee included, in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface PreparedSweep<out Tx> {
  readonly network: string
  readonly from: string
  readonly gas: string
  readonly shortage?: Shortage
  readonly funding?: Prepared<Tx>
  readonly payment?: Prepared<Tx>
  readonly cost: bigint
}

/**
 * A sweep that nodes have taken. `payment` has sent the tokens. `fundings` are the gas account's payments: none if the address had coins,
 * one as a rule, and more if the fee rose meanwhile. `cost` is the most that they took from it, in the smallest unit.
 *
 * @since 0.1.0
 * @category models
 */
export interface Swept<out Tx> {
  readonly payment: Sent<Tx>
  readonly fundings: ReadonlyArray<Sent<Tx>>
  readonly cost: bigint
}

/**
 * The errors of preparing a sweep. Nothing is signed then.
 *
 * @since 0.1.0
 * @category errors
 */
export type PrepareSweepError = PrepareError | GasOverCap

/**
 * The errors of a sweep. Before the gas account has paid they are those of its payment. `SweepIncomplete` says that it has paid, or may
 * have, and why the tokens are not sent yet. Later ones are those of the payment of the tokens.
 *
 * @since 0.1.0
 * @category errors
 */
export type SweepError = PrepareSweepError | SubmitError | SweepIncomplete

/** A sweep whose options can be used. */
interface SweepContext<in out Tx> {
  readonly sweep: TokenSweep<Tx>
  readonly row: NetworkRow
  readonly cap: bigint
}

const CALL = "sweepToken"

const sweepProblem = <Tx>(sweep: TokenSweep<Tx>): string | undefined => {
  if (!isRecord(sweep) || !isRecord(sweep.from) || !isRecord(sweep.gas))
    return "a sweep is { from, gas, token, to, maxGas }, and from and gas are signers"
  const { from, gas, token } = sweep
  if (typeof token !== "string") return "token must be text: a sweep without one is a payment of the account"
  if (from.network !== gas.network)
    return `from is on ${from.network} and gas on ${gas.network}: gas is paid on the network of the tokens`
  return from.address === gas.address
    ? `gas is ${gas.address}, as is from: an account that pays its own gas uses sendToken`
    : undefined
}

const checkSweep = <Tx>(
  sweep: TokenSweep<Tx>
): Effect.Effect<SweepContext<Tx>, InvalidArgument | LoadError | PrepareSweepError> =>
  Effect.gen(function* () {
    const problem = sweepProblem(sweep)
    if (problem !== undefined) return yield* invalidArgument(CALL, problem)
    const { network } = sweep.from
    const row = yield* findNetworkRow(network)
    if (row === undefined) return yield* invalidArgument(CALL, `${network} is no network of this package`)
    return { sweep, row, cap: yield* toSmallestUnit(sweep.maxGas, row.decimals, row.symbol) }
  })

const overCap = <Tx>({ cap, row, sweep }: SweepContext<Tx>, needed: bigint): GasOverCap =>
  new GasOverCap({
    address: sweep.from.address,
    gas: sweep.gas.address,
    needed: Units.format(needed, row.decimals),
    cap: Units.format(cap, row.decimals),
    asset: row.symbol
  })

/** Reads the shortage from the error of a preview; undefined if tokens are missing, and not coins. */
const toShortage = (
  { available, needed, token }: InsufficientFunds,
  { decimals }: NetworkRow
): Shortage | undefined => {
  const parse = (amount: string) => Option.getOrUndefined(Units.parse(amount, decimals))
  const [wanted, held] = [parse(needed), parse(available)]
  return token !== undefined || wanted === undefined || held === undefined
    ? undefined
    : { needed: wanted, available: held }
}

/**
 * The preview of the token payment, or what it lacks. Every family checks the tokens first, so that an address without tokens gets no gas.
 */
const preparePayment = <Tx>(
  context: SweepContext<Tx>
): Effect.Effect<Either.Either<Prepared<Tx>, Shortage>, PrepareSweepError> => {
  const { cap, row, sweep } = context
  const { amount = "all", decimals, from, memo, to, token } = sweep
  const payment = {
    to,
    token,
    amount,
    maxFee: cap,
    ...(decimals === undefined ? {} : { decimals }),
    ...(memo === undefined ? {} : { memo })
  }
  const handle = (error: PrepareError): Effect.Effect<Either.Either<never, Shortage>, PrepareSweepError> => {
    if (error._tag === "FeeOverCap") {
      const fee = Option.getOrElse(Units.parse(error.fee, row.decimals), () => cap + 1n)
      return Effect.fail(overCap(context, fee))
    }
    const shortage = error._tag === "InsufficientFunds" ? toShortage(error, row) : undefined
    return shortage === undefined ? Effect.fail(error) : Effect.succeed(Either.left(shortage))
  }
  return Effect.matchEffect(from.prepare(payment), {
    onFailure: handle,
    onSuccess: (prepared): Effect.Effect<Either.Either<Prepared<Tx>, Shortage>> =>
      Effect.succeed(Either.right(prepared))
  })
}

/**
 * What a fee may rise until it is paid, in hundredths of it. On EVM chains it follows the base fee, which a block raises by an eighth at
 * most; elsewhere it hardly changes between two blocks (Solana names more compute units than a payment takes), and an address is paid
 * exactly what is missing.
 */
const EVM_MARGIN = 25n

const isEvm = ({ family }: NetworkRow): boolean => evmFamilies.some((each) => each === family)

/** The gas account's payment of what is missing, which its cap allows. */
const prepareFunding = <Tx>(
  context: SweepContext<Tx>,
  { available, needed }: Shortage,
  spent: bigint
): Effect.Effect<Prepared<Tx>, PrepareSweepError> =>
  Effect.gen(function* () {
    const { cap, row, sweep } = context
    const { from, gas } = sweep
    const amount = needed - available + (isEvm(row) ? (needed * EVM_MARGIN) / 100n : 0n)
    if (spent + amount >= cap) return yield* overCap(context, spent + amount + 1n)
    const prepared = yield* gas.prepare({ to: from.address, amount, maxFee: cap })
    const total = spent + costOf(prepared)
    return total <= cap ? prepared : yield* overCap(context, total)
  })

/** The most that a payment of coins takes from its account. */
const costOf = <Tx>({ amount, fee }: Prepared<Tx>): bigint => amount + fee

/** The next payments of a sweep whose gas account has spent an amount already. */
const prepareNext = <Tx>(
  context: SweepContext<Tx>,
  found: Either.Either<Prepared<Tx>, Shortage>,
  spent: bigint
): Effect.Effect<PreparedSweep<Tx>, PrepareSweepError> => {
  const { from, gas } = context.sweep
  const parts = { network: from.network, from: from.address, gas: gas.address }
  if (Either.isRight(found)) return Effect.succeed({ ...parts, payment: rightOf(found), cost: 0n })
  const shortage = leftOf(found)
  return Effect.map(prepareFunding(context, shortage, spent), (funding) => ({
    ...parts,
    shortage,
    funding,
    cost: costOf(funding)
  }))
}

/**
 * What a sweep has cost already, for one that goes on: `spent` is what its gas account has spent on it, in the smallest unit. The rest of
 * `maxGas` is left.
 *
 * @since 0.1.0
 * @category models
 */
export interface PrepareSweepOptions {
  readonly spent?: bigint
}

/**
 * The preview of a sweep: what the gas account pays, or, if nothing is missing, the payment of the tokens. Nothing is signed. An address
 * without tokens fails with `InsufficientFunds`, whose `token` is set.
 *
 * @since 0.1.0
 * @category operations
 */
export const prepareSweep = <Tx>(
  sweep: OnThisEffect<TokenSweep<Tx>>,
  { spent = 0n }: PrepareSweepOptions = {}
): Effect.Effect<PreparedSweep<Tx>, PrepareSweepError> =>
  Effect.flatMap(checkSweep(sweep), (context) =>
    Effect.flatMap(preparePayment(context), (found) => prepareNext(context, found, spent))
  )

/** Pauses until nodes show coins that are in a block: one node may be some blocks behind another. In milliseconds. */
const PAUSES = [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000]

/**
 * The preview of the token payment once its coins are there. A node that still shows `before` is behind: it would have the address funded
 * twice.
 */
const prepareFunded = <Tx>(
  context: SweepContext<Tx>,
  before: bigint
): Effect.Effect<Either.Either<Prepared<Tx>, Shortage>, PrepareSweepError> =>
  Effect.gen(function* () {
    let found: Either.Either<Prepared<Tx>, Shortage> | undefined
    for (const pause of PAUSES) {
      if (pause > 0) yield* Effect.sleep(pause)
      found = yield* preparePayment(context)
      if (Either.isRight(found) || leftOf(found).available > before) return found
    }
    return yield* invalidArgument(
      CALL,
      `no node shows the gas that ${context.sweep.from.address} was paid, or something else has spent it`
    )
  })

/** The payments of the gas account in one sweep: more would mean that the fee rises faster than it is paid. */
const MAX_FUNDINGS = 3

/** After these errors the gas account's payment is none, and never will be. */
const isUnpaid = ({ _tag }: SubmitError): boolean =>
  _tag === "SigningFailed" ||
  _tag === "NonceTaken" ||
  _tag === "TransactionDropped" ||
  _tag === "TransactionExpired" ||
  _tag === "TransactionFailed"

/**
 * Sends the tokens of an address that has no coins for its fee. If coins are missing, the gas account pays them, and the sweep waits until
 * they are in a block; `confirmations` is how long it waits for the payment of the tokens. Make one sweep of an address at a time: a second
 * one does not see the first one's gas before a block has it. After `SweepIncomplete` make the same call again: it looks at the coins
 * first, and pays what is still missing.
 *
 * @since 0.1.0
 * @category operations
 */
export const sweepToken = <Tx>(
  sweep: OnThisEffect<TokenSweep<Tx> & SendOptions>
): Effect.Effect<Swept<Tx>, SweepError> =>
  Effect.gen(function* () {
    const context = yield* checkSweep(sweep)
    const { confirmations, from, gas } = sweep
    // before the gas account pays, and not with the second payment
    const problem = waitProblem(sweep)
    if (problem !== undefined) return yield* invalidArgument(CALL, problem)
    const fundings: Array<Sent<Tx>> = []
    let cost = 0n
    const incomplete = (cause: SweepIncomplete["cause"]): SweepIncomplete =>
      new SweepIncomplete({
        address: from.address,
        gas: gas.address,
        hashes: fundings.map(({ hash }) => hash),
        cause
      })
    let found = yield* preparePayment(context)
    while (Either.isLeft(found)) {
      const shortage: Shortage = leftOf(found)
      const { funding = undefined } = yield* Effect.mapError(prepareNext(context, found, cost), (error) =>
        fundings.length === 0 ? error : incomplete(error)
      )
      if (funding === undefined || fundings.length === MAX_FUNDINGS)
        return yield* incomplete(
          invalidArgument(CALL, `its fee has risen ${MAX_FUNDINGS} times while its gas was paid`)
        )
      const paid = yield* Effect.mapError(gas.submit(funding, { confirmations: 1 }), (error) =>
        fundings.length === 0 && isUnpaid(error) ? error : incomplete(error)
      )
      fundings.push(paid)
      cost += costOf(funding)
      found = yield* Effect.mapError(prepareFunded(context, shortage.available), incomplete)
    }
    const payment = yield* Effect.mapError(
      from.submit(rightOf(found), confirmations === undefined ? {} : { confirmations }),
      (error) => (fundings.length > 0 && error._tag === "SigningFailed" ? incomplete(error) : error)
    )
    return { payment, fundings, cost }
  })
