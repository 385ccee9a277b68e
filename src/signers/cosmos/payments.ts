/** Payments of an account of Cosmos: their previews. */
import * as Effect from "effect/Effect"
import type { NetworkRow } from "../../data/Network.js"
import { InsufficientFunds, InvalidAmount, type InvalidArgument } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { parseMemo, warnOfTextAroundId } from "../memos.js"
import type { NodesOf, Outgoing, Payment, Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toSmallestUnit,
  warnOfHighFee
} from "../signerChecks.js"
import { readTokenFacts, type TokenFacts, toOutgoing } from "../tokens.js"
import { addressProblem } from "./address.js"
import type { Chain } from "./networks.js"
import type { Message } from "./protobuf.js"
import {
  type AccountNumbers,
  findExpectedSequence,
  findWarnings,
  readAccountNumbers,
  readDenomMetadata,
  readFeeFunctions,
  readHeight,
  readSpendable
} from "./reading.js"
import type { CosmosCalls, CosmosTransaction } from "./Types.js"

export type ProtobufModule = typeof import("./protobuf.js")

/** An account on its network. */
export interface SignerContext {
  readonly network: string
  readonly nodes: NodesOf["nodes"]
  readonly rpc: CosmosCalls
  readonly row: NetworkRow
  readonly chain: Chain
  readonly protobuf: ProtobufModule
  readonly address: string
  readonly publicKey: Uint8Array
  /** A transaction as several members would sign it (Base64), for trials. */
  readonly encodeTrial?: (message: Message, trial: TrialTerms) => string
  /** The fee and the gas of a payment that members sign already. */
  readonly signed?: Pick<CosmosTransaction, "fee" | "gas">
}

/** What a transaction says besides its message. */
export type TrialTerms = Parameters<ProtobufModule["encodeParts"]>[1]

/** The names of coins that the chain knows. */
const DENOM_PATTERN = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/

/** The problem of a memo on a chain with this limit in bytes; undefined if there is none. */
const memoProblem = (memo: string | undefined, most: number): string | undefined => {
  if (memo === undefined) return undefined
  const { length } = new TextEncoder().encode(memo)
  return length <= most ? undefined : `a memo must have at most ${most} bytes, and this one has ${length}`
}

/** An amount of a coin. Whole coins are what the chain must know the decimals for. */
const parseTokenAmount = (amount: Payment["amount"], denom: string, { decimals, name }: TokenFacts) =>
  decimals === undefined && typeof amount === "string"
    ? Effect.fail(
        new InvalidAmount({
          amount,
          reason: `must be a bigint in the smallest unit, or come with decimals: the chain does not tell those of ${denom}`
        })
      )
    : toSmallestUnit(amount, decimals ?? 0, name)

/** The CAIP-19 id of a coin. Slashes in denominations are escaped. */
export const toCaipAsset = ({ chainId }: Chain, denom: string): string =>
  denom.startsWith("ibc/")
    ? `cosmos:${chainId}/ibc:${denom.slice(4)}`
    : `cosmos:${chainId}/denom:${encodeURIComponent(denom)}`

/** The gas limit is above the simulated gas, which does not include the fee, and the chain's state changes until the payment. */
const withGasMargin = (gas: bigint): bigint => (gas * 7n) / 5n

/** Refuses a gas limit that members have signed, if less than what a trial takes now. */
const checkSignedGas = (signed: bigint, withMargin: bigint): Effect.Effect<void, InvalidArgument> =>
  signed >= (withMargin * 5n) / 7n
    ? Effect.void
    : Effect.fail(
        invalidArgument(
          "prepare",
          `its gas limit, ${signed}, is less than what it takes now: propose it again`
        )
      )

/** The signature of a trial, which nodes do not look at. */
const NO_BYTES = new Uint8Array()

/** Reads the gas of a message by simulating it, with the account's sequence behind its pending payments. */
export const simulateGas = (
  { chain, encodeTrial, protobuf, publicKey, rpc }: SignerContext,
  message: Message,
  { feeGranter, memo }: Pick<CosmosTransaction, "feeGranter" | "memo">,
  { sequence }: AccountNumbers
): Effect.Effect<bigint, ReadError> => {
  const tried = (at: bigint): Effect.Effect<bigint, ReadError> => {
    const trial = {
      fee: 0n,
      gas: 0n,
      sequence: at,
      timeoutHeight: 0n,
      ...(feeGranter === undefined ? {} : { feeGranter }),
      ...(memo === undefined ? {} : { memo })
    }
    const raw =
      encodeTrial?.(message, trial) ??
      protobuf.attachSignature(protobuf.encodeParts(message, trial, publicKey, chain), NO_BYTES).raw
    return Effect.flatMap(rpc.simulate({ tx_bytes: raw }), ({ gas_info }) =>
      /^[1-9]\d{0,17}$/.test(gas_info.gas_used)
        ? Effect.succeed(withGasMargin(BigInt(gas_info.gas_used)))
        : Effect.fail(invalidArgument("simulate", "the node tells no gas"))
    )
  }
  return Effect.catchAll(tried(sequence), (error) => {
    const expected = findExpectedSequence(error)
    return expected === undefined || expected <= sequence ? Effect.fail(error) : tried(expected)
  })
}

/** What is paid: the coin, the amount, and the coin's name. */
interface PaidAsset {
  readonly denom: string
  readonly facts: TokenFacts
  readonly amount: bigint
  readonly isOwn: boolean
  /** It pays all that the account can spend, in place of `amount`. */
  readonly sweeps: boolean
}

/** Reads what is paid, and checks that the account has it. */
export const readPaidAsset = (
  { chain, row, rpc }: SignerContext,
  { amount, decimals, token }: Payment
): Effect.Effect<PaidAsset, PrepareError> =>
  Effect.gen(function* () {
    const isOwn = token === undefined || token === chain.denom
    if (!isOwn && (typeof token !== "string" || !DENOM_PATTERN.test(token)))
      return yield* invalidArgument(
        "prepare",
        `${String(token)} is no denomination, such as ibc/… or factory/…`
      )
    const denom = isOwn ? chain.denom : token
    const own: TokenFacts = { asset: row.symbol, name: row.symbol, decimals: row.decimals, warnings: [] }
    const metadata = readDenomMetadata(rpc, denom)
    const facts = isOwn
      ? own
      : yield* readTokenFacts({
          row,
          token: denom,
          asset: toCaipAsset(chain, denom),
          decimals,
          fromChain: {
            decimals: Effect.map(metadata, (said) => said.decimals),
            symbol: Effect.map(metadata, ({ symbol }) => symbol)
          }
        })
    const sweeps = isSweep(amount)
    return {
      denom,
      facts,
      amount: sweeps ? 1n : yield* parseTokenAmount(amount, denom, facts),
      isOwn,
      sweeps
    }
  })

/** The other accounts of a payment: whose coins it pays, and who pays its fee. `encode` makes the message that does so. */
interface Granters extends Pick<CosmosTransaction, "feeGranter" | "onBehalfOf"> {
  readonly encode?: (transaction: CosmosTransaction) => Message
}

/** What leaves the account at most, and other accounts. */
const listOutgoing = (
  { row }: SignerContext,
  { amount, denom, facts, isOwn }: PaidAsset,
  fee: bigint,
  { feeGranter, onBehalfOf }: Granters
): ReadonlyArray<Outgoing> => {
  const coins = (units: bigint, from: string | undefined): Outgoing => ({
    asset: row.symbol,
    amount: Units.format(units, row.decimals),
    ...(from === undefined ? {} : { from })
  })
  if (isOwn && feeGranter === onBehalfOf) return [coins(amount + fee, onBehalfOf)]
  const paid = isOwn
    ? coins(amount, onBehalfOf)
    : { ...toOutgoing(denom, amount, facts), ...(onBehalfOf === undefined ? {} : { from: onBehalfOf }) }
  return [paid, coins(fee, feeGranter)]
}

/** The fee of a payment that the account can make. */
const addFee = (
  context: SignerContext,
  paid: PaidAsset,
  given: Omit<CosmosTransaction, "fee" | "gas">,
  {
    encode,
    maxFee,
    numbers
  }: Required<Pick<Granters, "encode">> & { readonly numbers: AccountNumbers } & Pick<Payment, "maxFee">
) =>
  Effect.gen(function* () {
    const { chain, row, rpc } = context
    const { feeGranter: payer = context.address, onBehalfOf: address = context.address } = given
    const own = { address: payer, asset: row.symbol, decimals: row.decimals }
    const isShared = paid.isOwn && address === payer
    const [price, coins, others] = yield* Effect.all(
      [
        readFeeFunctions(rpc, chain),
        readSpendable(rpc, payer, chain.denom),
        isShared ? Effect.succeed(0n) : readSpendable(rpc, address, paid.denom)
      ],
      { concurrency: "unbounded" }
    )
    const { facts, isOwn, sweeps } = paid
    const asset = isOwn
      ? { ...own, address }
      : { address, asset: facts.name, token: paid.denom, decimals: facts.decimals ?? 0 }
    const held = isShared ? coins : others
    const trial = sweeps ? yield* sweepableAmount(held, 0n, asset) : paid.amount
    yield* checkBalance(trial, held, asset)
    const plan = { ...given, amount: trial }
    const message = encode({ ...plan, fee: 0n, gas: 0n })
    const tried = yield* simulateGas(context, message, plan, numbers)
    const { gas = tried, fee = price(gas).fee } = context.signed ?? {}
    yield* checkSignedGas(gas, tried)
    yield* checkFeeCap(fee, maxFee, own, price(gas).most)
    const amount = sweeps ? yield* sweepableAmount(held, isShared ? fee : 0n, asset) : paid.amount
    yield* checkBalance(isShared ? amount + fee : fee, coins, own)
    return { ...plan, amount, fee, gas }
  })

/** Checks the chain and reads the account before the payment is simulated. */
const readPrerequisites = ({ address, chain, rpc }: SignerContext, to: string) =>
  Effect.all(
    [readAccountNumbers(rpc, address), findWarnings(rpc, to), rpc.getAllParams(), readHeight(rpc, chain)],
    {
      concurrency: "unbounded"
    }
  )

/** The preview of a payment. Grants of other accounts are for the caller to check. */
export const prepare = (
  context: SignerContext,
  payment: Payment,
  granters: Granters = {}
): Effect.Effect<Prepared<CosmosTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const { address, network } = context
    const given = yield* checkAddress(network, payment.to, addressProblem(payment.to, network))
    // in capitals it is shorter as a QR code
    const to = given.toLowerCase()
    const paid = yield* readPaidAsset(context, payment)
    const { denom, facts, isOwn } = paid
    const { decimals, name: asset } = facts
    const parsedMemo = yield* parseMemo(payment.memo, ["id", "text"])
    const memo = parsedMemo?.text
    const [numbers, warnings, { params }] = yield* readPrerequisites(context, to)
    const problem = memoProblem(memo, Number(params.max_memo_characters))
    if (problem !== undefined) return yield* invalidArgument("prepare", problem)
    if (numbers === undefined)
      return yield* new InsufficientFunds({
        address,
        asset,
        ...(isOwn ? {} : { token: denom }),
        needed: Units.format(paid.amount, decimals ?? 0),
        available: "0"
      })
    const { encode = context.protobuf.encodePayment, ...parties } = granters
    const plan = {
      ...{ from: address, to, denom, amount: paid.amount, ...parties },
      ...(memo === undefined ? {} : { memo })
    }
    const transaction = yield* addFee(context, paid, plan, { numbers, encode, ...payment })
    const { amount, fee } = transaction
    return {
      network,
      from: address,
      to,
      ...(isOwn ? {} : { token: denom }),
      amount,
      fee,
      outgoing: listOutgoing(context, { ...paid, amount }, fee, granters),
      warnings: [
        ...(to === address ? ["The receiver is the account itself."] : warnings),
        ...(decimals === undefined
          ? [`The chain does not tell the decimals of ${asset}: its amount is in the smallest unit.`]
          : []),
        ...facts.warnings,
        ...(isOwn ? warnOfHighFee(fee, amount) : []),
        ...warnOfTextAroundId(parsedMemo)
      ],
      transaction
    }
  })
