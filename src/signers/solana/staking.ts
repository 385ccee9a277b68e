/** Staking on Solana: previews of what an account delegates to a validator, takes back and withdraws, with its key alone. */
import * as Effect from "effect/Effect"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import { InvalidAmount, type MissingPeer, reasonOf } from "../../data/SdkError.js"
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
  warnOfHighFee,
  warnOfKept
} from "../signerChecks.js"
import { CALL, checkRequest, type StakingRequest } from "../stakingRequests.js"
import { addressProblem } from "./address.js"
import { programs } from "./layout.js"
import { readRent, type SignerContext } from "./payments.js"
import { CONFIRMED, readAccounts, readLifetime } from "./reading.js"
import {
  makeStakeInstructions,
  parseStake,
  type SolanaStakingAction,
  STAKE_BYTES,
  type StakeState,
  spentOf,
  VOTE_PROGRAM
} from "./stakeProgram.js"
import type { SolanaCalls, SolanaClient, SolanaSigner, SolanaStaking, SolanaTransaction } from "./Types.js"
import { prepareTransaction } from "./transactions.js"
import { findSeededAddress } from "./wire.js"

interface VoteAccount {
  readonly commission?: number
}

/**
 * The calls of staking besides those of signers. Every client of Solana has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaStakingCalls {
  readonly getEpochInfo: (config?: typeof CONFIRMED) => Effect.Effect<
    Effect.Effect.Success<ReturnType<SolanaCalls["getEpochInfo"]>> & {
      readonly epoch: bigint
      readonly slotIndex: bigint
      readonly slotsInEpoch: bigint
    },
    ReadError
  >
  readonly getVoteAccounts: (config?: {
    readonly votePubkey?: string
  }) => Effect.Effect<
    { readonly current: ReadonlyArray<VoteAccount>; readonly delinquent: ReadonlyArray<VoteAccount> },
    ReadError
  >
}

/**
 * A client of Solana, as far as staking uses it.
 *
 * @since 0.1.0
 * @category models
 */
export interface SolanaStakingClient extends SolanaClient {
  readonly rpc: SolanaStakingCalls & SolanaCalls
}

/** An account that stakes, on its network. */
interface StakingContext extends SignerContext {
  readonly rpc: SolanaStakingClient["rpc"]
}

/** What the actions take. */
const rules = {
  delegate: ["validator", "amount"],
  undelegate: ["stakeAccount", "amount"],
  finalize_unstake: ["stakeAccount"]
} as const satisfies Record<SolanaStakingAction, ReadonlyArray<string>>

type CheckedRequest = StakingRequest & { readonly action: SolanaStakingAction }

/** What an action does: to whom, what it stakes, and what that means in sentences. */
interface Plan {
  readonly to: string
  readonly staking: SolanaStaking
  readonly warnings: ReadonlyArray<string>
}

/** What delegating all coins leaves in the account, for the fees of taking them back. */
const KEEPS = 10_000_000n

/** The seeds that are looked at for an account that is not there yet. */
const MAX_ACCOUNTS = 100

/** Milliseconds of a slot, about. */
const SLOT_MS = 400n

const show = ({ coin }: SignerContext, lamports: bigint): string =>
  `${Units.format(lamports, coin.decimals)} ${coin.asset}`

const failAmount = (amount: StakingRequest["amount"], reason: string) =>
  Effect.fail(new InvalidAmount({ amount: String(amount), reason }))

/** The epoch, and how long it still lasts, about. */
const readEpoch = ({
  rpc
}: StakingContext): Effect.Effect<{ readonly epoch: bigint; readonly left: string }, ReadError> =>
  Effect.gen(function* () {
    const info = yield* rpc.getEpochInfo(CONFIRMED)
    const epoch = yield* requireWhole("getEpochInfo", "epoch", info.epoch)
    const slots = yield* requireWhole("getEpochInfo", "slotsInEpoch", info.slotsInEpoch)
    const index = yield* requireWhole("getEpochInfo", "slotIndex", info.slotIndex)
    const hours = Number((slots > index ? slots - index : 0n) * SLOT_MS) / 3_600_000
    return { epoch, left: `about ${Math.max(1, Math.ceil(hours))} hours` }
  })

/** The first address of a stake account of this owner that is not there yet, with its seed, and what it has to keep. */
const findFreeAccount = (context: StakingContext) =>
  Effect.gen(function* () {
    const { address, rpc } = context
    const seeds = Array.from({ length: MAX_ACCOUNTS }, (_, at) => `stake:${at}`)
    const accounts = yield* Effect.tryPromise({
      try: () => Promise.all(seeds.map((seed) => findSeededAddress(address, seed, programs.stake))),
      catch: (error) => invalidArgument(CALL, reasonOf(error))
    })
    const [states, rent] = yield* Effect.all([readAccounts(rpc, accounts), readRent(context, STAKE_BYTES)], {
      concurrency: "unbounded"
    })
    const at = states.indexOf(undefined)
    const [stakeAccount, seed] = [accounts[at], seeds[at]]
    return stakeAccount === undefined || seed === undefined
      ? yield* invalidArgument(
          CALL,
          `the account has ${MAX_ACCOUNTS} stake accounts already: withdraw one with finalize_unstake first`
        )
      : { stakeAccount, seed, rent }
  })

/** What a person should know of a validator. */
const readValidator = ({ network, rpc }: StakingContext, validator: string) =>
  Effect.gen(function* () {
    const [[account], { current, delinquent }] = yield* Effect.all(
      [readAccounts(rpc, [validator]), rpc.getVoteAccounts({ votePubkey: validator })],
      { concurrency: "unbounded" }
    )
    if (account?.owner !== VOTE_PROGRAM)
      return yield* invalidArgument(
        CALL,
        `${validator} is no vote account of ${network}: a validator's is that to delegate to`
      )
    const [found = delinquent[0]] = current
    return [
      ...(found?.commission ? [`The validator keeps ${found.commission} % of the rewards.`] : []),
      ...(current.length === 0 ? ["The validator does not vote at present: it earns nothing now."] : [])
    ]
  })

const planDelegate = (context: StakingContext, { amount: given = 0n, validator = "" }: CheckedRequest) =>
  Effect.gen(function* () {
    const { address, coin, network, rpc } = context
    const to = yield* checkAddress(network, validator, addressProblem(validator))
    const fixed = isSweep(given) ? undefined : yield* toSmallestUnit(given, coin.decimals, coin.asset)
    const [lines, free, [own], { left }] = yield* Effect.all(
      [
        readValidator(context, to),
        findFreeAccount(context),
        readAccounts(rpc, [address]),
        readEpoch(context)
      ],
      { concurrency: "unbounded" }
    )
    const balance = own?.lamports ?? 0n
    const asset = { address, ...coin }
    const amount = fixed ?? (yield* sweepableAmount(balance, free.rent + KEEPS, asset))
    yield* checkBalance(amount + free.rent, balance, asset)
    const plan: Plan = {
      to,
      staking: { action: "delegate", amount, ...free },
      warnings: [
        `The coins are in the stake account ${free.stakeAccount}, which is the account's, with ${show(context, free.rent)} that it keeps for its bytes. They earn from the next epoch on, in ${left}.`,
        "To spend them again takes undelegate, the end of the epoch of that time (up to about 2 days), and finalize_unstake.",
        ...lines,
        ...warnOfKept(given, KEEPS, coin, "for the fees of taking coins back")
      ]
    }
    return plan
  })

/** A stake account that the account may stake and withdraw with. */
const readOwnStake = (
  { address, network, rpc }: StakingContext,
  stakeAccount = "",
  role: "staker" | "withdrawer"
): Effect.Effect<StakeState, PrepareError> =>
  Effect.gen(function* () {
    yield* checkAddress(network, stakeAccount, addressProblem(stakeAccount))
    const [found] = yield* readAccounts(rpc, [stakeAccount])
    const state = parseStake(found)
    if (state === undefined)
      return yield* invalidArgument(CALL, `stakeAccount: ${stakeAccount} is no stake account`)
    return state[role] === address
      ? state
      : yield* invalidArgument(
          CALL,
          `stakeAccount: the ${role} of ${stakeAccount} is ${state[role]}, and not this account`
        )
  })

const planUndelegate = (context: StakingContext, { amount: given = 0n, stakeAccount = "" }: CheckedRequest) =>
  Effect.gen(function* () {
    const { address, coin } = context
    const [{ delegation }, { left }] = yield* Effect.all(
      [readOwnStake(context, stakeAccount, "staker"), readEpoch(context)],
      { concurrency: "unbounded" }
    )
    if (delegation === undefined)
      return yield* invalidArgument(CALL, `stakeAccount: ${stakeAccount} is not delegated`)
    if (delegation.deactivationEpoch !== undefined)
      return yield* invalidArgument(
        CALL,
        `stakeAccount: ${stakeAccount} is taken back already, in epoch ${delegation.deactivationEpoch}`
      )
    const staked = delegation.lamports
    const amount = isSweep(given) ? staked : yield* toSmallestUnit(given, coin.decimals, coin.asset)
    if (amount > staked)
      return yield* failAmount(
        given,
        `is more than the ${show(context, staked)} that ${stakeAccount} has delegated`
      )
    const ends = `earn nothing after this epoch, which ends in ${left}. After that, finalize_unstake makes them spendable.`
    if (amount === staked) {
      const whole: Plan = {
        to: address,
        staking: { action: "undelegate", amount, stakeAccount },
        warnings: [`The coins ${ends}`]
      }
      return whole
    }
    const free = yield* findFreeAccount(context)
    const part: Plan = {
      to: address,
      staking: { action: "undelegate", amount, ...free, source: stakeAccount },
      warnings: [
        `The coins go to the stake account ${free.stakeAccount}, which keeps ${show(context, free.rent)} for its bytes. They ${ends}`
      ]
    }
    return part
  })

const planFinalize = (context: StakingContext, { stakeAccount = "" }: CheckedRequest) =>
  Effect.gen(function* () {
    const [{ delegation, lamports }, { epoch, left }] = yield* Effect.all(
      [readOwnStake(context, stakeAccount, "withdrawer"), readEpoch(context)],
      { concurrency: "unbounded" }
    )
    if (delegation !== undefined && delegation.deactivationEpoch === undefined)
      return yield* invalidArgument(CALL, `stakeAccount: ${stakeAccount} is delegated: undelegate it first`)
    if (delegation?.deactivationEpoch !== undefined && delegation.deactivationEpoch >= epoch)
      return yield* invalidArgument(
        CALL,
        `stakeAccount: ${stakeAccount} is taken back when this epoch ends, in ${left}`
      )
    const plan: Plan = {
      to: context.address,
      staking: { action: "finalize_unstake", amount: lamports, stakeAccount },
      warnings: [`It makes ${show(context, lamports)} spendable, and removes the stake account.`]
    }
    return plan
  })

const plans: Readonly<
  Record<
    SolanaStakingAction,
    (context: StakingContext, request: CheckedRequest) => Effect.Effect<Plan, PrepareError>
  >
> = { delegate: planDelegate, undelegate: planUndelegate, finalize_unstake: planFinalize }

/** What the stake program says by its numbers, where a person can do something about it. */
const programErrors: Readonly<Record<string, string>> = {
  1: "the stake account is locked up",
  12: "less would be delegated than the least that the chain takes (getStakeMinimumDelegation), of the amount or of the rest"
}

/** Says why the stake program refuses a transaction in a trial. */
const explainRefusal = (error: PrepareError): PrepareError => {
  if (error._tag !== "InvalidArgument") return error
  const [, code = ""] = /"Custom":(\d+)/.exec(error.reason) ?? []
  const words = programErrors[code]
  return words === undefined ? error : invalidArgument(CALL, `the chain refuses it: ${words}`)
}

/** The preview of staking on Solana. What it takes follows from its instructions: that of the simulation is not needed. */
export const prepareStaking = (
  { network, nodes, rpc }: SolanaStakingClient,
  row: NetworkRow,
  { address }: Pick<SolanaSigner, "address">,
  given: StakingRequest
): Effect.Effect<Prepared<SolanaTransaction>, PrepareError | MissingPeer> =>
  Effect.gen(function* () {
    const request = yield* checkRequest(given, rules)
    const kit = yield* loadPeer("@solana/kit", () => import("./kit.js"))
    const coin = { asset: row.symbol, decimals: row.decimals }
    const context: StakingContext = { network, nodes, rpc, row, kit, address, coin }
    const { staking, to, warnings } = yield* plans[request.action](context, request)
    const { maxFee } = request
    const prepared = yield* Effect.mapError(
      prepareTransaction(
        // submit signs these very bytes: the same transaction twice is one
        { context, date: (compile) => Effect.flatMap(readLifetime(rpc), compile) },
        {
          instructions: makeStakeInstructions({ from: address, to, staking }),
          ...(maxFee === undefined ? {} : { maxFee })
        }
      ),
      explainRefusal
    )
    const { fee, transaction } = prepared
    const amount = spentOf({ staking })
    const { action, amount: staked, stakeAccount } = staking
    return {
      ...prepared,
      ...{ to, amount },
      staking: { action, amount: staked, stakeAccount },
      outgoing: [{ asset: coin.asset, amount: Units.format(amount + fee, coin.decimals) }],
      warnings: [
        ...warnings,
        ...prepared.warnings,
        ...(action === "delegate" ? warnOfHighFee(fee, amount) : [])
      ],
      transaction: { ...transaction, to, amount, staking }
    }
  })
