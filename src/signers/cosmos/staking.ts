/** Staking on Cosmos: previews of what an account delegates to validators, takes back, moves and claims. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Delegation, DelegatorReward, StakingParams, Validator } from "../../chains/cosmos/Types.js"
import { hexToBytes } from "../../data/hex.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import {
  InsufficientFunds,
  InvalidAmount,
  type InvalidArgument,
  type MissingPeer
} from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { requireWhole } from "../evidence.js"
import type { Prepared, PrepareError, ReadError } from "../Signer.js"
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
import { CALL, checkRequest, type StakingRequest } from "../stakingRequests.js"
import { validatorProblem } from "./address.js"
import { chainOf } from "./networks.js"
import { type ProtobufModule, type SignerContext, simulateGas } from "./payments.js"
import {
  readAccountNumbers,
  readFeeFunctions,
  readHeight,
  readSpendable,
  undefinedIfMissing
} from "./reading.js"
import type { CosmosClient, CosmosSigner, CosmosTransaction } from "./Types.js"

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface OfDelegation {
  readonly validator_addr: string
  readonly delegator_addr: string
}

/**
 * The calls of staking besides those of signers. Every client of Cosmos has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosStakingCalls {
  readonly getDelegation: Call<[OfDelegation], { readonly delegation_response: Pick<Delegation, "balance"> }>
  readonly getDelegationRewards: Call<
    [{ readonly delegator_address: string; readonly validator_address: string }],
    { readonly rewards: DelegatorReward["reward"] }
  >
  readonly getDelegatorWithdrawAddress: Call<
    [{ readonly delegator_address: string }],
    { readonly withdraw_address: string }
  >
  readonly getStakingParams: Call<
    [],
    { readonly params: Pick<StakingParams, "bond_denom" | "unbonding_time"> }
  >
  readonly getValidatorInfoForAddress: Call<
    [{ readonly validator_addr: string }],
    { readonly validator: Pick<Validator, "commission" | "jailed" | "status"> }
  >
}

/**
 * A client of Cosmos, as far as staking uses it.
 *
 * @since 0.1.0
 * @category models
 */
export interface CosmosStakingClient extends CosmosClient {
  readonly rpc: CosmosClient["rpc"] & CosmosStakingCalls
}

/** An account that stakes, on its network. */
interface StakingContext extends SignerContext {
  readonly rpc: CosmosStakingClient["rpc"]
  readonly request: CheckedRequest
}

/** What the actions take. */
const rules = {
  delegate: ["validator", "amount"],
  undelegate: ["validator", "amount"],
  redelegate: ["validator", "from", "amount"],
  claim: ["validator"]
} as const

/** A request whose validators are some. */
interface CheckedRequest extends StakingRequest {
  readonly action: keyof typeof rules
  readonly validator: string
}

const readContext = (
  { network, nodes, rpc }: CosmosStakingClient,
  row: NetworkRow,
  { address, publicKey }: Pick<CosmosSigner, "address" | "publicKey">,
  request: CheckedRequest
): Effect.Effect<StakingContext, InvalidArgument | MissingPeer> =>
  Effect.gen(function* () {
    const chain = chainOf(network)
    if (chain === undefined)
      return yield* invalidArgument(CALL, `${network} has no chain id that is known here`)
    const protobuf: ProtobufModule = yield* loadPeer(
      "cosmjs-types @noble/curves",
      () => import("./protobuf.js")
    )
    return { network, nodes, rpc, row, chain, protobuf, address, publicKey: hexToBytes(publicKey), request }
  })

/** What the chain says of the validator and of the stake with it. */
interface StakeFacts {
  /** The days until coins that are taken back can be spent. */
  readonly days: number
  /** What may be taken back or moved, in the smallest unit. */
  readonly delegated: bigint
  readonly warnings: ReadonlyArray<string>
}

/** Days of a duration, such as `1814400s`. */
const parseDays = (duration: string): number | undefined => {
  const seconds = /^(\d{1,10})(?:\.\d+)?s$/.exec(duration)?.[1]
  return seconds === undefined ? undefined : Number(seconds) / 86_400
}

const readDelegated = ({ address, rpc }: StakingContext, validator: string) =>
  Effect.flatMap(
    undefinedIfMissing(rpc.getDelegation({ delegator_addr: address, validator_addr: validator })),
    (answer) => {
      const { balance } = answer?.delegation_response ?? {}
      return requireWhole("getDelegation", "the amount", balance?.amount ?? "0")
    }
  )

/** What a validator keeps of rewards, and why it would earn none. */
const warnOfValidator = ({
  commission: { commission_rates },
  jailed,
  status
}: Pick<Validator, "commission" | "jailed" | "status">): ReadonlyArray<string> => {
  const rate = Number(commission_rates.rate) * 100
  return [
    ...(Number.isFinite(rate) ? [`The validator keeps ${Number(rate.toFixed(2))} % of the rewards.`] : []),
    ...(jailed
      ? ["The validator is jailed: it earns nothing."]
      : status === "BOND_STATUS_BONDED"
        ? []
        : ["The validator is none of the active ones: it earns nothing now."])
  ]
}

const readStakeFacts = (context: StakingContext): Effect.Effect<StakeFacts, PrepareError> =>
  Effect.gen(function* () {
    const { chain, network, request, rpc } = context
    const { action, from, validator } = request
    const [answer, { params }, delegated] = yield* Effect.all(
      [
        undefinedIfMissing(rpc.getValidatorInfoForAddress({ validator_addr: validator })),
        rpc.getStakingParams(),
        readDelegated(context, from ?? validator)
      ],
      { concurrency: "unbounded" }
    )
    if (params.bond_denom !== chain.denom)
      return yield* invalidArgument(
        CALL,
        `${network} stakes ${params.bond_denom}, and not its coin ${chain.denom}`
      )
    const days = parseDays(params.unbonding_time)
    if (days === undefined)
      return yield* invalidArgument("getStakingParams", "the node tells no time of unbonding")
    if (answer === undefined)
      return yield* invalidArgument(CALL, `${validator} is no validator of ${network}`)
    const isNew = action === "delegate" || action === "redelegate"
    return { days, delegated, warnings: isNew ? warnOfValidator(answer.validator) : [] }
  })

/** The rewards of an account with a validator, in the smallest unit of the chain's coin. */
const readRewards = ({ address, chain, request, rpc }: StakingContext) =>
  Effect.map(
    rpc.getDelegationRewards({ delegator_address: address, validator_address: request.validator }),
    ({ rewards }) => {
      const own = rewards.find(({ denom }) => denom === chain.denom)?.amount ?? "0"
      return Option.getOrElse(Units.parse(own.split(".")[0] ?? "", 0), () => 0n)
    }
  )

/** Says where rewards go, which an account may have chosen long ago. */
const warnOfWithdrawal = ({ address, rpc }: StakingContext) =>
  Effect.map(rpc.getDelegatorWithdrawAddress({ delegator_address: address }), ({ withdraw_address }) =>
    withdraw_address === address
      ? []
      : [`The rewards go to ${withdraw_address}, which the account has named for that.`]
  )

const describeDays = (days: number): string => `${Number(days.toFixed(2))} days`

/** What an action means for the coins, in sentences. */
const describeAction = (
  context: StakingContext,
  { days }: StakeFacts
): Effect.Effect<ReadonlyArray<string>, PrepareError> => {
  const { request, row } = context
  const time = describeDays(days)
  switch (request.action) {
    case "delegate":
      return Effect.succeed([
        `The coins stay the account's and cannot be spent. After undelegate it takes ${time} until they can.`,
        "If the validator breaks the chain's rules, the chain takes a part of them."
      ])
    case "undelegate":
      return Effect.map(warnOfWithdrawal(context), (lines) => [
        `The coins earn nothing from now on, and can be spent after ${time}.`,
        ...lines
      ])
    case "redelegate":
      return Effect.map(warnOfWithdrawal(context), (lines) => [
        `The coins cannot be moved on from the new validator for ${time}.`,
        ...lines
      ])
    case "claim":
      return Effect.flatMap(
        Effect.all([readRewards(context), warnOfWithdrawal(context)], { concurrency: "unbounded" }),
        ([rewards, lines]): Effect.Effect<ReadonlyArray<string>, PrepareError> =>
          rewards === 0n
            ? Effect.fail(invalidArgument(CALL, `there are no rewards with ${request.validator} to claim`))
            : Effect.succeed([
                `It pays the rewards so far: ${Units.format(rewards, row.decimals)} ${row.symbol}.`,
                ...lines
              ])
      )
  }
}

/** The amount of an action: of what can be spent, or of what is delegated. */
const checkAmount = (
  { request: { action, amount = 0n, from, validator }, row }: StakingContext,
  delegated: bigint
): Effect.Effect<bigint, PrepareError> =>
  Effect.gen(function* () {
    const { decimals, symbol } = row
    if (action === "claim") return 0n
    // tried with the least amount until the fee is known
    if (action === "delegate" && isSweep(amount)) return 1n
    const wanted = isSweep(amount) ? delegated : yield* toSmallestUnit(amount, decimals, symbol)
    return action === "delegate" || (wanted <= delegated && wanted > 0n)
      ? wanted
      : yield* new InvalidAmount({
          amount: String(amount),
          reason: `is more than the ${Units.format(delegated, decimals)} ${symbol} that are delegated to ${from ?? validator}`
        })
  })

/** The transaction with its fee, once it is sure that the account can pay it. */
const addFee = (context: StakingContext, plan: Omit<CosmosTransaction, "fee" | "gas">) =>
  Effect.gen(function* () {
    const { address, chain, request, row, rpc } = context
    const own = { address, asset: row.symbol, decimals: row.decimals }
    const [numbers, price, coins, { encodeStaking }] = yield* Effect.all(
      [
        readAccountNumbers(rpc, address),
        readFeeFunctions(rpc, chain),
        readSpendable(rpc, address, chain.denom),
        loadPeer("cosmjs-types", () => import("./stakingMessages.js"))
      ],
      { concurrency: "unbounded" }
    )
    const { amount: given = 0n, maxFee } = request
    if (numbers === undefined)
      return yield* new InsufficientFunds({
        address,
        asset: row.symbol,
        needed: Units.format(plan.amount, row.decimals),
        available: "0"
      })
    const delegates = request.action === "delegate"
    yield* checkBalance(delegates ? plan.amount : 0n, coins, own)
    const gas = yield* simulateGas(context, encodeStaking({ ...plan, fee: 0n, gas: 0n }), {}, numbers)
    const { fee, most } = price(gas)
    yield* checkFeeCap(fee, maxFee, own, most)
    const amount = delegates && isSweep(given) ? yield* sweepableAmount(coins, fee, own) : plan.amount
    yield* checkBalance(delegates ? amount + fee : fee, coins, own)
    return { ...plan, amount, fee, gas }
  })

/** The preview of staking on Cosmos. */
export const prepareStaking = (
  client: CosmosStakingClient,
  row: NetworkRow,
  signer: Pick<CosmosSigner, "address" | "publicKey">,
  request: StakingRequest
): Effect.Effect<Prepared<CosmosTransaction>, PrepareError | MissingPeer> =>
  Effect.gen(function* () {
    const { network } = client
    const { from, validator, ...checked } = yield* checkRequest(request, rules)
    const checkValidator = (address = "") =>
      // in capitals it is shorter as a QR code
      Effect.map(checkAddress(network, address, validatorProblem(address, network)), (valid) =>
        valid.toLowerCase()
      )
    const to = yield* checkValidator(validator)
    const source = from === undefined ? {} : { from: yield* checkValidator(from) }
    const context = yield* readContext(client, row, signer, { ...checked, ...source, validator: to })
    yield* readHeight(client.rpc, context.chain)
    const facts = yield* readStakeFacts(context)
    const amount = yield* checkAmount(context, facts.delegated)
    const lines = yield* describeAction(context, facts)
    const { address, chain } = context
    const { action } = checked
    const plan = { from: address, to, denom: chain.denom, amount, staking: { action, ...source } }
    const transaction = yield* addFee(context, plan)
    const { fee } = transaction
    const spent = action === "delegate" ? transaction.amount : 0n
    const prepared: Prepared<CosmosTransaction> = {
      network,
      from: address,
      to,
      amount: spent,
      fee,
      staking: { ...plan.staking, amount: transaction.amount },
      outgoing: [{ asset: row.symbol, amount: Units.format(spent + fee, row.decimals) }],
      warnings: [...lines, ...facts.warnings, ...(spent === 0n ? [] : warnOfHighFee(fee, spent))],
      transaction
    }
    return prepared
  })
