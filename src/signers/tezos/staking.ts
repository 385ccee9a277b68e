/** Staking on Tezos: previews of which baker an account delegates to, and of what it stakes with it and takes back. */
import * as Effect from "effect/Effect"
import type { Constants } from "../../chains/tezos/Types.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidAmount, type MissingPeer } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { requireWhole } from "../evidence.js"
import type { Prepared, PrepareError, ReadError } from "../Signer.js"
import {
  checkAddress,
  checkBalance,
  invalidArgument,
  isSweep,
  sweepableAmount,
  toSmallestUnit,
  warnOfHighFee
} from "../signerChecks.js"
import { CALL, checkRequest, type StakingRequest } from "../stakingRequests.js"
import { addressProblem, isContract } from "./address.js"
import type { stakingActions } from "./contents.js"
import { draftTransaction, type PreviewContext, priceDraft, warnOfReveal } from "./payments.js"
import type { TezosCalls, TezosClient, TezosSigner, TezosTransaction } from "./Types.js"

type Call<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, ReadError>

interface OfAccount {
  readonly contractId: string
}

/**
 * The calls of staking besides those of signers. Every client of Tezos has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosStakingCalls {
  readonly getConstants: Call<
    [],
    Effect.Effect.Success<ReturnType<TezosCalls["getConstants"]>> &
      Pick<Constants, "blocks_per_cycle" | "minimal_block_delay" | "unstake_finalization_delay">
  >
  readonly getContractDelegate: Call<[input: OfAccount], string>
  readonly getContractStakedBalance: Call<[input: OfAccount], string | null>
  readonly getContractUnstakedFinalizableBalance: Call<[input: OfAccount], string | null>
  readonly getDelegateDeactivated: Call<[input: { readonly delegate: string }], boolean>
}

/**
 * A client of Tezos, as far as staking uses it.
 *
 * @since 0.1.0
 * @category models
 */
export interface TezosStakingClient extends TezosClient {
  readonly rpc: TezosStakingCalls & TezosCalls
}

/** An account that stakes, on its network. */
interface StakingContext extends PreviewContext {
  readonly rpc: TezosStakingClient["rpc"]
}

/** What the actions take. */
const rules = {
  delegate: ["validator"],
  undelegate: [],
  stake: ["amount"],
  unstake: ["amount"],
  finalize_unstake: []
} as const satisfies Record<(typeof stakingActions)[number], ReadonlyArray<string>>

type CheckedRequest = StakingRequest & { readonly action: keyof typeof rules }

/** What an action does: to whom, with how many mutez, and what that means in sentences. */
interface Plan {
  readonly to: string
  readonly amount: bigint
  readonly warnings: ReadonlyArray<string>
}

/** Nodes answer 404 for what is not there. */
const undefinedIfMissing = <A>(
  answer: Effect.Effect<A, ReadError>
): Effect.Effect<A | undefined, ReadError> =>
  Effect.catchIf(
    answer,
    (error) => error._tag === "RequestRejected" && error.status === 404,
    () => Effect.succeed(undefined)
  )

const readMutez = (
  call: "getContractStakedBalance" | "getContractUnstakedFinalizableBalance",
  { account, rpc }: StakingContext
) =>
  Effect.flatMap(rpc[call]({ contractId: account.address }), (mutez) =>
    requireWhole(call, "the balance", mutez ?? "0")
  )

const readStaked = (context: StakingContext) => readMutez("getContractStakedBalance", context)

const readBaker = ({ account, rpc }: StakingContext): Effect.Effect<string | undefined, ReadError> =>
  undefinedIfMissing(rpc.getContractDelegate({ contractId: account.address }))

/** The days until what is unstaked can be taken back: whole cycles, and the rest of the current one. */
const readUnstakeDays = ({ rpc }: StakingContext): Effect.Effect<string, PrepareError> =>
  Effect.flatMap(rpc.getConstants(), (constants) => {
    const { blocks_per_cycle, minimal_block_delay, unstake_finalization_delay } = constants
    if (unstake_finalization_delay === undefined) return Effect.succeed("some cycles of the chain")
    const days = ((unstake_finalization_delay + 1) * blocks_per_cycle * Number(minimal_block_delay)) / 86_400
    return Number.isFinite(days) && days > 0
      ? Effect.succeed(`about ${Number(days.toFixed(1))} days`)
      : Effect.fail(invalidArgument("getConstants", "the node tells no length of a cycle"))
  })

/** Changing the baker unstakes all that was staked with the one before. */
const warnOfStaked = (context: StakingContext): Effect.Effect<ReadonlyArray<string>, PrepareError> =>
  Effect.flatMap(readStaked(context), (staked) =>
    staked === 0n
      ? Effect.succeed([])
      : Effect.map(readUnstakeDays(context), (time) => [
          `It unstakes all that the account has staked, ${show(context, staked)}, which can be taken back after ${time}.`
        ])
  )

const show = ({ row }: StakingContext, mutez: bigint): string =>
  `${Units.format(mutez, row.decimals)} ${row.symbol}`

const planDelegate = (context: StakingContext, validator: string): Effect.Effect<Plan, PrepareError> =>
  Effect.gen(function* () {
    const { network, rpc } = context
    const problem = addressProblem(validator)
    yield* checkAddress(
      network,
      validator,
      problem ??
        (isContract(validator) ? "must be a baker's (tz1 to tz4), and is that of a contract" : undefined)
    )
    const [isDeactivated, before] = yield* Effect.all(
      [undefinedIfMissing(rpc.getDelegateDeactivated({ delegate: validator })), readBaker(context)],
      { concurrency: "unbounded" }
    )
    if (isDeactivated === undefined)
      return yield* invalidArgument(CALL, `${validator} is no baker of ${network}`)
    if (before === validator)
      return yield* invalidArgument(CALL, `the account delegates to ${validator} already`)
    return {
      to: validator,
      amount: 0n,
      warnings: [
        "All coins of the account, those of later payments too, earn with the baker, and can be spent at any time.",
        ...(isDeactivated ? ["The baker is not active: it earns nothing now."] : []),
        ...(yield* warnOfStaked(context))
      ]
    }
  })

const failAmount = (amount: StakingRequest["amount"], reason: string) =>
  Effect.fail(new InvalidAmount({ amount: String(amount), reason }))

const planStake = (context: StakingContext, amount: string | bigint): Effect.Effect<Plan, PrepareError> =>
  Effect.gen(function* () {
    const { account, row } = context
    const [baker, time] = yield* Effect.all([readBaker(context), readUnstakeDays(context)], {
      concurrency: "unbounded"
    })
    if (baker === undefined)
      return yield* invalidArgument(CALL, "the account delegates to no baker: delegate first, then stake")
    return {
      to: account.address,
      // tried with the least amount until the fee is known
      amount: isSweep(amount) ? 1n : yield* toSmallestUnit(amount, row.decimals, row.symbol),
      warnings: [
        `The coins are staked with ${baker} and cannot be spent. After unstake it takes ${time} until they can.`,
        "If the baker breaks the chain's rules, the chain takes a part of them."
      ]
    }
  })

const planUnstake = (context: StakingContext, given: string | bigint): Effect.Effect<Plan, PrepareError> =>
  Effect.gen(function* () {
    const { account, row } = context
    const [staked, time] = yield* Effect.all([readStaked(context), readUnstakeDays(context)], {
      concurrency: "unbounded"
    })
    const amount = isSweep(given) ? staked : yield* toSmallestUnit(given, row.decimals, row.symbol)
    return amount === 0n || amount > staked
      ? yield* failAmount(given, `is more than the ${show(context, staked)} that the account has staked`)
      : {
          to: account.address,
          amount,
          warnings: [
            `The coins earn nothing from now on. After ${time}, finalize_unstake makes them spendable.`
          ]
        }
  })

const planFinalize = (context: StakingContext): Effect.Effect<Plan, PrepareError> =>
  Effect.flatMap(
    readMutez("getContractUnstakedFinalizableBalance", context),
    (mutez): Effect.Effect<Plan, PrepareError> =>
      mutez === 0n
        ? Effect.fail(invalidArgument(CALL, "the account has unstaked nothing that can be taken back yet"))
        : Effect.succeed({
            to: context.account.address,
            amount: 0n,
            warnings: [`It makes ${show(context, mutez)} spendable.`]
          })
  )

const planAction = (
  context: StakingContext,
  { action, amount = 0n, validator = "" }: CheckedRequest
): Effect.Effect<Plan, PrepareError> => {
  switch (action) {
    case "delegate":
      return planDelegate(context, validator)
    case "undelegate":
      return Effect.flatMap(
        Effect.all([readBaker(context), warnOfStaked(context)], { concurrency: "unbounded" }),
        ([baker, warnings]): Effect.Effect<Plan, PrepareError> =>
          baker === undefined
            ? Effect.fail(invalidArgument(CALL, "the account delegates to no baker"))
            : Effect.succeed({ to: context.account.address, amount: 0n, warnings })
      )
    case "stake":
      return planStake(context, amount)
    case "unstake":
      return planUnstake(context, amount)
    case "finalize_unstake":
      return planFinalize(context)
  }
}

/**
 * What staking of all coins leaves in the account, in mutez, for the fee of taking them back: an account without coins could not pay for its
 * unstake.
 */
const STAKE_KEEPS = 10_000n

/** The preview of staking on Tezos. */
export const prepareStaking = (
  { network, rpc }: TezosStakingClient,
  row: NetworkRow,
  account: Pick<TezosSigner, "address" | "publicKey">,
  given: StakingRequest
): Effect.Effect<Prepared<TezosTransaction>, PrepareError | MissingPeer> =>
  Effect.gen(function* () {
    const request = yield* checkRequest(given, rules)
    const { forgeOperation } = yield* loadPeer(
      "@taquito/local-forging @noble/curves",
      () => import("./taquito.js")
    )
    const context: StakingContext = { network, rpc, row, account, forge: forgeOperation }
    const { action, maxFee } = request
    const { amount: planned, to, warnings } = yield* planAction(context, request)
    const stakes = action === "stake"
    const plan = { to, amount: planned, staking: { action } }
    const drafted = yield* draftTransaction(context, plan, stakes ? planned : 0n)
    const { balance, coin, draft } = drafted
    const sweeps = stakes && isSweep(request.amount ?? 0n)
    const { fee, priced, reveal } = yield* priceDraft(context, drafted, {
      // of all coins, the fee is that of at least as many bytes
      amount: sweeps ? balance : planned,
      ...(maxFee === undefined ? {} : { maxFee })
    })
    const amount = sweeps ? yield* sweepableAmount(balance, fee + STAKE_KEEPS, coin) : planned
    const spent = stakes ? amount : 0n
    yield* checkBalance(spent + fee, balance, coin)
    return {
      network,
      from: draft.from,
      to,
      amount: spent,
      fee,
      staking: { action, amount },
      outgoing: [{ asset: row.symbol, amount: Units.format(spent + fee, row.decimals) }],
      warnings: [
        ...warnings,
        ...(sweeps
          ? [`${show(context, STAKE_KEEPS)} stay in the account, for the fee of taking coins back.`]
          : []),
        ...warnOfReveal(reveal, row),
        ...(stakes ? warnOfHighFee(fee, amount) : [])
      ],
      transaction: { ...priced, amount }
    }
  })
