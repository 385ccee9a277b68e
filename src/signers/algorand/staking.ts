/** Staking on Algorand: previews of an account that registers the keys of its node, to vote and earn, or goes offline. */
import * as Effect from "effect/Effect"
import { bytesOfBase64 } from "../../data/base64.js"
import { loadPeer } from "../../data/loadOnce.js"
import type { NetworkRow } from "../../data/Network.js"
import type { InvalidArgument, MissingPeer } from "../../data/SdkError.js"
import * as Units from "../../data/Units.js"
import { isRecord } from "../../data/untrusted.js"
import * as caps from "../caps.js"
import { maxOf } from "../evidence.js"
import type { Prepared, PrepareError, ReadError } from "../Signer.js"
import { checkBalance, checkFeeCap, invalidArgument, toSmallestUnit } from "../signerChecks.js"
import { CALL, checkRequest, type StakingRequest } from "../stakingRequests.js"
import { genesisOf } from "./networks.js"
import { computeFee, isUint64, readOwnAccount, readParams, type SignerContext } from "./payments.js"
import type {
  AlgorandCalls,
  AlgorandClient,
  AlgorandParticipation,
  AlgorandSigner,
  AlgorandTransaction
} from "./Types.js"

type AccountInfo = Effect.Effect.Success<ReturnType<AlgorandCalls["getAccountInfo"]>>

/**
 * The calls of staking besides those of signers. Every client of algod has them.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandStakingCalls {
  readonly getAccountInfo: (input: {
    readonly address: string
    readonly exclude: "all"
  }) => Effect.Effect<
    AccountInfo & { readonly status: string; readonly "incentive-eligible"?: boolean },
    ReadError
  >
}

/**
 * A client of algod, as far as staking uses it.
 *
 * @since 0.1.0
 * @category models
 */
export interface AlgorandStakingClient extends AlgorandClient {
  readonly rpc: AlgorandStakingCalls & AlgorandCalls
}

/** What the actions take. */
const rules = { go_online: ["participation"], go_offline: [] } as const

/** The fee that makes an account earn for blocks, and the least and the most that such an account has. */
const INCENTIVE_FEE = 2_000_000n
const INCENTIVE_LEAST = 30_000_000_000n
const INCENTIVE_MOST = 70_000_000_000_000n

/** The most rounds for which keys are good. */
const MAX_KEY_ROUNDS = 2n ** 24n - 1n

const hasLength = (text: unknown, length: number): boolean => {
  try {
    return typeof text === "string" && bytesOfBase64(text).length === length
  } catch {
    // no Base64
    return false
  }
}

/** What is wrong with keys in a round; undefined if nothing is. */
const keysProblem = (keys: AlgorandParticipation, round: bigint): string | undefined => {
  if (!isRecord(keys))
    return "must be { voteKey, selectionKey, stateProofKey, voteFirst, voteLast, voteKeyDilution }"
  const { selectionKey, stateProofKey, voteFirst, voteKey, voteKeyDilution, voteLast } = keys
  if (!hasLength(voteKey, 32) || !hasLength(selectionKey, 32))
    return "voteKey and selectionKey must be 32 bytes in Base64"
  if (!hasLength(stateProofKey, 64)) return "stateProofKey must be 64 bytes in Base64"
  if (![voteFirst, voteLast, voteKeyDilution].every(isUint64) || voteKeyDilution === 0n)
    return "voteFirst, voteLast and voteKeyDilution must be bigints of 64 bits"
  if (voteFirst > voteLast || voteLast - voteFirst > MAX_KEY_ROUNDS)
    return `voteLast must be behind voteFirst, by ${MAX_KEY_ROUNDS} rounds at most`
  return voteLast > round
    ? undefined
    : `the keys were good until round ${voteLast}, and the newest is ${round}: make new ones on the node`
}

interface StakingContext extends SignerContext {
  readonly rpc: AlgorandStakingClient["rpc"]
}

const readContext = (
  { network, nodes, rpc }: AlgorandStakingClient,
  row: NetworkRow,
  address: string
): Effect.Effect<StakingContext, InvalidArgument | MissingPeer> =>
  Effect.gen(function* () {
    const genesis = genesisOf(network)
    if (genesis === undefined)
      return yield* invalidArgument(CALL, `the first state of ${network} is not known here`)
    const sdk = yield* loadPeer("algosdk @noble/curves", () => import("./sdk.js"))
    return { network, nodes, rpc, row, genesis, sdk, address }
  })

/** What going online means, and what it costs to earn for blocks. */
const planOnline = (context: StakingContext, keys: AlgorandParticipation, most: bigint) =>
  Effect.gen(function* () {
    const { address, rpc } = context
    const [{ lastRound }, info] = yield* Effect.all(
      [readParams(context), rpc.getAccountInfo({ address, exclude: "all" })],
      { concurrency: "unbounded" }
    )
    const problem = keysProblem(keys, lastRound)
    if (problem !== undefined) return yield* invalidArgument(CALL, `participation: ${problem}`)
    if (info.status === "NotParticipating")
      return yield* invalidArgument(CALL, "the account has been marked as one that never participates")
    const canEarn = info.amount >= INCENTIVE_LEAST && info.amount <= INCENTIVE_MOST
    const isEligible = info["incentive-eligible"] === true
    const pays = canEarn && !isEligible && most >= INCENTIVE_FEE
    return {
      leastFee: pays ? INCENTIVE_FEE : 0n,
      warnings: [
        `The account votes with its node from 320 rounds (about 15 minutes) later on, up to round ${keys.voteLast}. Its coins stay spendable.`,
        "The node has to run: an account that does not vote harms the chain, and the chain takes it offline. Go offline before you stop it.",
        ...(pays
          ? [
              "The fee of 2 ALGO makes the account earn for the blocks that it proposes, as long as it has 30,000 ALGO."
            ]
          : isEligible && canEarn
            ? []
            : [
                canEarn
                  ? "It earns nothing for blocks: that takes a fee of 2 ALGO, which a maxFee of 2 ALGO or more allows."
                  : "It earns nothing for blocks: that takes between 30,000 and 70,000,000 ALGO in the account."
              ])
      ]
    }
  })

/** What going offline means. */
const planOffline = ({ address, rpc }: StakingContext) =>
  Effect.flatMap(
    rpc.getAccountInfo({ address, exclude: "all" }),
    ({ status }): Effect.Effect<Effect.Effect.Success<ReturnType<typeof planOnline>>, PrepareError> =>
      status === "Online"
        ? Effect.succeed({
            leastFee: 0n,
            warnings: [
              "The account votes for 320 rounds (about 15 minutes) more: let its node run until then."
            ]
          })
        : Effect.fail(invalidArgument(CALL, "the account is not online"))
  )

/** The preview of staking on Algorand. */
export const prepareStaking = (
  client: AlgorandStakingClient,
  row: NetworkRow,
  { address }: Pick<AlgorandSigner, "address">,
  given: StakingRequest
): Effect.Effect<Prepared<AlgorandTransaction>, PrepareError | MissingPeer> =>
  Effect.gen(function* () {
    const { action, maxFee, participation } = yield* checkRequest(given, rules)
    const context = yield* readContext(client, row, address)
    const coin = { address, asset: row.symbol, decimals: row.decimals }
    const most =
      maxFee === undefined ? caps.algorand.fee : yield* toSmallestUnit(maxFee, coin.decimals, coin.asset)
    const plan =
      participation === undefined
        ? yield* planOffline(context)
        : yield* planOnline(context, participation, most)
    const own = yield* readOwnAccount(context)
    const staking = { action, ...(participation === undefined ? {} : { participation }) }
    const draft = { from: address, to: address, amount: 0n, staking }
    const fee = maxOf(yield* computeFee(context, draft), plan.leastFee)
    yield* checkFeeCap(fee, maxFee, coin, caps.algorand.fee)
    yield* checkBalance(fee + own["min-balance"], own.amount, coin)
    return {
      network: client.network,
      ...{ from: address, to: address, amount: 0n, fee },
      staking: { action, amount: 0n },
      outgoing: [{ asset: coin.asset, amount: Units.format(fee, coin.decimals) }],
      warnings: plan.warnings,
      transaction: { ...draft, fee }
    }
  })
