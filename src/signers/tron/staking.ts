/** Staking on Tron: previews of what an account stakes for bandwidth or energy, takes back, votes with, claims, and lends to others. */
import * as Effect from "effect/Effect"
import type { Account } from "../../chains/tron/Types.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidAmount } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { parseWhole, requireWhole } from "../evidence.js"
import type { Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  checkFeeCap,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toSmallestUnit,
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { CALL, checkRequest, type StakingRequest } from "../stakingRequests.js"
import { addressProblem, toBase58Address } from "./address.js"
import { limitPrices, readPrices } from "./calls.js"
import { computeBytesFee, describeResources, readNeeds } from "./resources.js"
import { encodeStaking, SUN_PER_VOTE, type TronStakingAction } from "./stakingContracts.js"
import type { TronCalls, TronClient, TronSigner, TronTransaction } from "./Types.js"

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface Visible {
  readonly visible?: boolean
}

/** The fields of an account that staking reads besides those that payments do. */
type StakingAccount = Effect.Effect.Success<ReturnType<TronCalls["getAccount"]>> &
  Pick<Account, "frozenV2" | "latest_withdraw_time" | "unfrozenV2" | "votes">

/**
 * The calls of staking besides those of signers. Every client of Tron has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronStakingCalls {
  readonly getAccount: Call<[address: string, options?: Visible], StakingAccount>
  readonly getAccountResources: Call<
    [address: string, options?: Visible],
    Effect.Effect.Success<ReturnType<TronCalls["getAccountResources"]>> & {
      readonly tronPowerLimit?: bigint
    }
  >
  readonly getBrokerage: Call<[address: string, options?: Visible], { readonly brokerage?: bigint }>
  readonly getCanDelegatedMaxSize: Call<
    [owner: string, type: 0 | 1, options?: Visible],
    { readonly max_size?: bigint }
  >
  readonly getDelegatedResourceV2: Call<
    [from: string, to: string, options?: Visible],
    {
      readonly delegatedResource?: ReadonlyArray<{
        readonly frozen_balance_for_bandwidth?: bigint
        readonly frozen_balance_for_energy?: bigint
      }>
    }
  >
  readonly getReward: Call<[address: string, options?: Visible], { readonly reward?: bigint }>
  readonly listWitnesses: Call<
    [],
    { readonly witnesses: ReadonlyArray<{ readonly address: string; readonly isJobs?: boolean }> }
  >
}

/**
 * A client of Tron, as far as staking uses it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TronStakingClient extends TronClient {
  readonly rpc: TronStakingCalls & TronCalls
}

/** What the actions take. */
const rules = {
  stake: ["amount", "resource"],
  unstake: ["amount", "resource"],
  finalize_unstake: [],
  cancel_unstake: [],
  delegate: ["validator", "amount"],
  claim: [],
  delegate_resource: ["receiver", "amount", "resource"],
  undelegate_resource: ["receiver", "amount", "resource"]
} as const satisfies Record<TronStakingAction, ReadonlyArray<string>>

type CheckedRequest = StakingRequest & { readonly action: TronStakingAction }
type Resource = NonNullable<StakingRequest["resource"]>

/** An account that stakes, on its network, and the time of the newest block. */
interface StakingContext {
  readonly network: string
  readonly rpc: TronStakingClient["rpc"]
  readonly row: NetworkRow
  readonly address: string
  readonly account: StakingAccount
  readonly balance: bigint
  readonly now: bigint
}

/** What an action does: to whom, with how many sun, and what that means in sentences. */
interface Plan {
  readonly to: string
  readonly amount: bigint
  readonly warnings: ReadonlyArray<string>
}

const VISIBLE = { visible: true }

/** The least that can be staked or lent. */
const LEAST = 1_000_000n

/** How many amounts an account may take back at once. */
const MAX_UNSTAKES = 32

/** Milliseconds between two claims. */
const CLAIM_MS = 86_400_000n

/** What staking of all coins leaves in the account: an account without coins could not burn any for the bandwidth of its unstake. */
const STAKE_KEEPS = 1_000_000n

const toSun = (value: unknown): bigint => parseWhole(value) ?? 0n
const sum = (amounts: ReadonlyArray<unknown>): bigint =>
  amounts.reduce<bigint>((total, each) => total + toSun(each), 0n)

const show = ({ row }: StakingContext, sun: bigint): string =>
  `${Units.format(sun, row.decimals)} ${row.symbol}`

const showTime = (milliseconds: bigint): string => new Date(Number(milliseconds)).toISOString()

const failAmount = (amount: StakingRequest["amount"], reason: string) =>
  Effect.fail(new InvalidAmount({ amount: String(amount), reason }))

/** The coins staked for a resource, that nobody else has the use of. */
const stakedFor = ({ account }: StakingContext, resource: Resource): bigint =>
  sum(
    (account.frozenV2 ?? []).filter(({ type = "BANDWIDTH" }) => type === resource).map(({ amount }) => amount)
  )

/** Amounts that are taken back: those whose time is over, and the others. */
const splitUnstakes = ({ account, now }: StakingContext) => {
  const all = account.unfrozenV2 ?? []
  const isOver = (each: (typeof all)[number]) => toSun(each.unfreeze_expire_time) <= now
  const amounts = (some: typeof all) => sum(some.map(({ unfreeze_amount }) => unfreeze_amount))
  const waiting = all.filter((each) => !isOver(each))
  return { ready: amounts(all.filter(isOver)), waiting: amounts(waiting), count: waiting.length }
}

/** Days until what is unstaked can be taken back. */
const readUnstakeDays = ({ rpc }: StakingContext): Effect.Effect<bigint, PrepareError> =>
  Effect.flatMap(rpc.getChainParameters(), ({ chainParameter }) =>
    requireWhole(
      "getChainParameters",
      "getUnfreezeDelayDays",
      chainParameter.find(({ key }) => key === "getUnfreezeDelayDays")?.value
    )
  )

/** An amount in sun, of which `"all"` is what there is, and no more than that. */
const chooseAmount = (
  { row }: StakingContext,
  { amount: given = 0n }: CheckedRequest,
  all: bigint,
  reason: string
): Effect.Effect<bigint, PrepareError> =>
  Effect.flatMap(
    isSweep(given) ? Effect.succeed(all) : toSmallestUnit(given, row.decimals, row.symbol),
    (amount): Effect.Effect<bigint, PrepareError> =>
      amount === 0n || amount > all ? failAmount(given, reason) : Effect.succeed(amount)
  )

const planStake = (context: StakingContext, { amount: given = 0n, resource }: CheckedRequest) =>
  Effect.gen(function* () {
    const { address, row } = context
    const days = yield* readUnstakeDays(context)
    const amount = isSweep(given) ? LEAST : yield* toSmallestUnit(given, row.decimals, row.symbol)
    if (amount < LEAST)
      return yield* failAmount(given, `is less than the ${show(context, LEAST)} that can be staked`)
    return {
      to: address,
      amount,
      warnings: [
        `The coins are staked for ${String(resource).toLowerCase()} and for votes, and cannot be spent. After unstake it takes ${days} days until they can.`
      ]
    }
  })

const planUnstake = (context: StakingContext, request: CheckedRequest) =>
  Effect.gen(function* () {
    const { resource = "BANDWIDTH" } = request
    const staked = stakedFor(context, resource)
    const { count, ready } = splitUnstakes(context)
    const amount = yield* chooseAmount(
      context,
      request,
      staked,
      `is more than the ${show(context, staked)} that the account has staked for ${resource.toLowerCase()} and not lent`
    )
    if (count >= MAX_UNSTAKES)
      return yield* invalidArgument(
        CALL,
        `the account takes back ${count} amounts already, and no more at once: finalize_unstake or cancel_unstake first`
      )
    const days = yield* readUnstakeDays(context)
    return {
      to: context.address,
      amount,
      warnings: [
        `The coins give no ${resource.toLowerCase()} and no votes from now on. After ${days} days, finalize_unstake makes them spendable.`,
        ...((context.account.votes ?? []).length === 0
          ? []
          : ["Votes that the rest of the stake is not enough for are taken back, in proportion."]),
        ...(ready === 0n ? [] : [`It makes ${show(context, ready)} spendable, whose time is over.`])
      ]
    }
  })

const planFinalize = (context: StakingContext): Effect.Effect<Plan, PrepareError> => {
  const { ready } = splitUnstakes(context)
  return ready === 0n
    ? Effect.fail(invalidArgument(CALL, "the account has unstaked nothing that can be taken back yet"))
    : Effect.succeed({
        to: context.address,
        amount: 0n,
        warnings: [`It makes ${show(context, ready)} spendable.`]
      })
}

const planCancel = (context: StakingContext): Effect.Effect<Plan, PrepareError> => {
  const { ready, waiting } = splitUnstakes(context)
  return ready + waiting === 0n
    ? Effect.fail(invalidArgument(CALL, "the account takes nothing back that could be cancelled"))
    : Effect.succeed({
        to: context.address,
        amount: 0n,
        warnings: [
          `It stakes ${show(context, waiting)} again that were being taken back.`,
          ...(ready === 0n ? [] : [`It makes ${show(context, ready)} spendable, whose time is over.`])
        ]
      })
}

/** What a person should know of a super representative. */
const readRepresentative = ({ network, rpc }: StakingContext, validator: string) =>
  Effect.gen(function* () {
    const [{ witnesses }, { brokerage }] = yield* Effect.all(
      [rpc.listWitnesses(), rpc.getBrokerage(validator, VISIBLE)],
      { concurrency: "unbounded" }
    )
    const found = witnesses.find(({ address }) => toBase58Address(address) === validator)
    if (found === undefined)
      return yield* invalidArgument(
        CALL,
        `${validator} is no super representative of ${network}, nor a candidate`
      )
    const kept = parseWhole(brokerage ?? 0n)
    return [
      ...(kept === undefined || kept === 0n ? [] : [`It keeps ${kept} % of the rewards.`]),
      ...(found.isJobs === true
        ? []
        : ["It is none of those who produce blocks now, and earns less, or nothing."])
    ]
  })

const planVote = (context: StakingContext, request: CheckedRequest) =>
  Effect.gen(function* () {
    const { address, account, network, rpc } = context
    const { amount: given = 0n, validator = "" } = request
    const to = toBase58Address(yield* checkAddress(network, validator, addressProblem(validator)))
    const [lines, { tronPowerLimit }] = yield* Effect.all(
      [readRepresentative(context, to), rpc.getAccountResources(address, VISIBLE)],
      { concurrency: "unbounded" }
    )
    // the chain counts whole coins
    const power = toSun(tronPowerLimit) * SUN_PER_VOTE
    const amount = yield* chooseAmount(
      context,
      request,
      power,
      `is more than the ${show(context, power)} that the account has staked to vote with`
    )
    if (amount % SUN_PER_VOTE !== 0n)
      return yield* failAmount(given, "has digits after the point: a vote is a whole TRX")
    const others = (account.votes ?? []).filter(({ vote_address }) => toBase58Address(vote_address) !== to)
    return {
      to,
      amount,
      warnings: [
        "It takes the place of all earlier votes. Rewards are paid by claim, at most once in 24 hours.",
        ...(others.length === 0
          ? []
          : [
              `The account votes for ${others.map(({ vote_address }) => toBase58Address(vote_address)).join(", ")} no more.`
            ]),
        ...lines
      ]
    }
  })

const planClaim = (context: StakingContext): Effect.Effect<Plan, PrepareError> =>
  Effect.gen(function* () {
    const { account, address, now, rpc } = context
    const { reward } = yield* rpc.getReward(address, VISIBLE)
    const sun = yield* requireWhole("getReward", "the reward", reward ?? 0n)
    if (sun === 0n) return yield* invalidArgument(CALL, "there are no rewards to claim")
    const next = toSun(account.latest_withdraw_time) + CLAIM_MS
    if (toSun(account.latest_withdraw_time) > 0n && next > now)
      return yield* invalidArgument(
        CALL,
        `rewards can be claimed once in 24 hours, and next at ${showTime(next)}`
      )
    return { to: address, amount: 0n, warnings: [`It pays the rewards so far: ${show(context, sun)}.`] }
  })

/** Another account that gets the use of a stake. */
const checkReceiver = ({ address, network }: StakingContext, receiver = "") =>
  Effect.flatMap(checkAddress(network, receiver, addressProblem(receiver)), (valid) => {
    const to = toBase58Address(valid)
    return to === address
      ? Effect.fail(
          invalidArgument(CALL, "receiver is the account itself, which has the use of its stake already")
        )
      : Effect.succeed(to)
  })

const planLend = (context: StakingContext, request: CheckedRequest) =>
  Effect.gen(function* () {
    const { address, rpc } = context
    const { amount: given, resource = "BANDWIDTH" } = request
    const to = yield* checkReceiver(context, request.receiver)
    const [{ max_size }, receiver] = yield* Effect.all(
      [
        rpc.getCanDelegatedMaxSize(address, resource === "ENERGY" ? 1 : 0, VISIBLE),
        rpc.getAccount(to, VISIBLE)
      ],
      { concurrency: "unbounded" }
    )
    if (receiver.address === undefined)
      return yield* invalidArgument(CALL, `receiver: ${to} has no account yet`)
    const free = toSun(max_size)
    const amount = yield* chooseAmount(
      context,
      request,
      free,
      `is more than the ${show(context, free)} whose ${resource.toLowerCase()} the account can lend now`
    )
    if (amount < LEAST)
      return yield* failAmount(given, `is less than the ${show(context, LEAST)} that can be lent`)
    return {
      to,
      amount,
      warnings: [
        `The receiver has the use of the ${resource.toLowerCase()} until undelegate_resource. The stake and its votes stay the account's.`
      ]
    }
  })

const planTakeBack = (context: StakingContext, request: CheckedRequest) =>
  Effect.gen(function* () {
    const { address, rpc } = context
    const { resource = "BANDWIDTH" } = request
    const to = yield* checkReceiver(context, request.receiver)
    const { delegatedResource = [] } = yield* rpc.getDelegatedResourceV2(address, to, VISIBLE)
    const lent = sum(
      delegatedResource.map((each) =>
        resource === "ENERGY" ? each.frozen_balance_for_energy : each.frozen_balance_for_bandwidth
      )
    )
    const amount = yield* chooseAmount(
      context,
      request,
      lent,
      `is more than the ${show(context, lent)} whose ${resource.toLowerCase()} ${to} has of the account`
    )
    return {
      to,
      amount,
      warnings: [
        `The account has the use of the ${resource.toLowerCase()} again, once what the receiver used has recovered.`
      ]
    }
  })

const plans: Readonly<
  Record<
    TronStakingAction,
    (context: StakingContext, request: CheckedRequest) => Effect.Effect<Plan, PrepareError>
  >
> = {
  stake: planStake,
  unstake: planUnstake,
  finalize_unstake: planFinalize,
  cancel_unstake: planCancel,
  delegate: planVote,
  claim: planClaim,
  delegate_resource: planLend,
  undelegate_resource: planTakeBack
}

const readContext = (
  { network, rpc }: TronStakingClient,
  row: NetworkRow,
  address: string
): Effect.Effect<StakingContext, PrepareError> =>
  Effect.gen(function* () {
    const [account, { block_header }] = yield* Effect.all(
      [rpc.getAccount(address, VISIBLE), rpc.getNowBlock()],
      {
        concurrency: "unbounded"
      }
    )
    const balance = yield* requireWhole("getAccount", "the balance", account.balance ?? 0n)
    const now = yield* requireWhole("getNowBlock", "the time", block_header.raw_data.timestamp)
    return { network, rpc, row, address, account, balance, now }
  })

const resourceProblem = ({ resource }: StakingRequest): string | undefined =>
  resource === undefined || resource === "BANDWIDTH" || resource === "ENERGY"
    ? undefined
    : "resource must be BANDWIDTH or ENERGY"

/** The fee of a transaction that stakes, which has no call, and where its bandwidth comes from. */
const priceStaking = (
  context: StakingContext,
  transaction: TronTransaction,
  maxFee: StakingRequest["maxFee"]
) =>
  Effect.gen(function* () {
    const { account, address, row } = context
    const [price, needs] = yield* Effect.all(
      [readPrices(context.rpc), readNeeds(context, transaction, { contract: encodeStaking(transaction) })],
      { concurrency: "unbounded" }
    )
    const bytes = computeBytesFee(needs, transaction)
    const fee = bytes(price)
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    yield* checkFeeCap(fee, maxFee, coin, bytes(limitPrices(price)))
    return { coin, fee, resources: describeResources(needs, account, price) }
  })

/** The preview of staking on Tron. */
export const prepareStaking = (
  client: TronStakingClient,
  row: NetworkRow,
  { address }: Pick<TronSigner, "address">,
  given: StakingRequest
): Effect.Effect<Prepared<TronTransaction>, PrepareError> =>
  Effect.gen(function* () {
    const request = yield* checkRequest(given, rules)
    const problem = resourceProblem(request)
    if (problem !== undefined) return yield* invalidArgument(CALL, problem)
    const context = yield* readContext(client, row, address)
    const { balance } = context
    const { action, maxFee, resource } = request
    const planned = yield* plans[action](context, request)
    const { to } = planned
    const stakes = action === "stake"
    const sweeps = stakes && isSweep(request.amount ?? 0n)
    const staking = { action, ...(resource === undefined ? {} : { resource }) }
    const draft = { from: address, to, amount: planned.amount, staking }
    // of all coins, the fee is that of at least as many bytes
    const tried = sweeps ? { ...draft, amount: balance } : draft
    const { coin, fee, resources } = yield* priceStaking(context, tried, maxFee)
    const amount = sweeps ? yield* sweepableAmount(balance, fee + STAKE_KEEPS, coin) : planned.amount
    const spent = stakes ? amount : 0n
    yield* checkBalance(spent + fee, balance, coin)
    if (stakes && amount < LEAST)
      return yield* failAmount(
        request.amount,
        `leaves less than the ${show(context, LEAST)} that can be staked`
      )
    return {
      network: client.network,
      from: address,
      to,
      amount: spent,
      fee,
      staking: { ...staking, amount },
      resources,
      outgoing: [{ asset: row.symbol, amount: Units.format(spent + fee, row.decimals) }],
      warnings: [
        ...planned.warnings,
        ...(sweeps ? warnOfKept("all", STAKE_KEEPS, coin, "for the fee of taking coins back") : []),
        ...(stakes ? warnOfHighFee(fee, amount) : [])
      ],
      transaction: { ...draft, amount }
    }
  })
