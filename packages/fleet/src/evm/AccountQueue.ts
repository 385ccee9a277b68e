/**
 * The queue of an account: its transactions in the order of their nonces. Two runners may do everything here at the same time. Decisions are
 * in the ledger, and only signed transactions of the ledger are sent.
 */

import type { SqlError } from "@effect/sql/SqlError"
import * as Cache from "effect/Cache"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Network, type SdkError, Units } from "effect-chains"
import type {
  EvmCalls,
  EvmClient,
  EvmSigner,
  EvmTransaction,
  PrepareError,
  ReadError
} from "effect-chains/effect/signers/Evm"
import { readCall, withAgreement } from "effect-chains/effect/signers/Evm"
import type { WithPolicy } from "effect-chains/effect/signers/policy"
import { keepIfAllowed } from "../durable/authorize.js"
import type { Unsigned } from "../durable/Order.js"
import { feeBumps } from "../durable/retries.js"
import type { Account, Ledger, SignedTransaction } from "../Ledger.js"
import { type Order, type Plan, PlanText, SendError } from "./Order.js"

/** The block of a mined transaction, from its receipt. */
interface MinedReceipt {
  readonly blockNumber: string
  readonly blockHash: string
  readonly status?: string
}

/**
 * The part of a client that durable transactions use. Every client of an EVM network has it.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmTransactionClient extends EvmClient {
  /** Orders name their network by its id, so a custom network cannot be used. */
  readonly network: Network.Network
  readonly rpc: EvmCalls & {
    readonly blockNumber: () => Effect.Effect<bigint, ReadError>
    readonly getTransactionReceipt: (hash: string) => Effect.Effect<MinedReceipt | null, ReadError>
  }
}

/**
 * An account that pays, with the client of its network. Its key stays in the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmAccount extends WithPolicy {
  readonly client: EvmTransactionClient
  readonly signer: EvmSigner
}

/**
 * How transactions are driven to their end.
 *
 * - `maxInFlight` (64) is how many transactions of an account are sent at once. Nodes keep no more of one account.
 * - `bumpFeeAfter` (90 seconds) is how long the first of them waits for a block until its fee is bumped.
 * - `maxFeeMultiplier` (4) caps bumped fees, as a multiple of the preview's highest fee. An order's `maxFee` takes its place.
 * - `giveUpAfter` (10 minutes) is how long a transaction that nodes refuse is sent again. Then an empty transaction takes its nonce. An order
 *   without a nonce ends as `NoQuorum` if nodes contradict each other for this long.
 * - `pollingInterval` (1 second) is the time between two checks of the chain.
 * - `suspendAfter` (30 seconds) is how long a transaction is checked until it is suspended. It takes no memory then, and is resumed later.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly maxInFlight: number
  readonly bumpFeeAfter: Duration.DurationInput
  readonly maxFeeMultiplier: number
  readonly giveUpAfter: Duration.DurationInput
  readonly pollingInterval: Duration.DurationInput
  readonly suspendAfter: Duration.DurationInput
}

export const defaults: Policy = {
  maxInFlight: 64,
  bumpFeeAfter: "90 seconds",
  maxFeeMultiplier: 4,
  giveUpAfter: "10 minutes",
  pollingInterval: "1 second",
  suspendAfter: "30 seconds"
}

/** What a check of a nonce has found. `isMined`: it is in a block, which is not deep enough yet. */
export type CheckResult =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | { readonly _tag: "Mined"; readonly signed: SignedTransaction; readonly receipt: MinedReceipt }
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Refused"; readonly error: SdkError.RpcError; readonly since: number }

/** A nonce, what it is for, and how deep its transaction has to be. */
export interface NonceTarget {
  readonly nonce: number
  readonly purpose: SignedTransaction["purpose"]
  readonly plan: Plan | undefined
  readonly confirmations: number
}

/** The errors of a check: those of the store, of nodes and of the signer. */
export type CheckError = SqlError | PrepareError | Unsigned

/** The transactions of an account. */
export interface AccountQueue {
  readonly account: Account
  readonly network: Network.Network
  /** The address as its signer writes it. */
  readonly address: string
  /** Prepares a transaction, and keeps its plan by `keep` if the policy of the account allows it. */
  readonly plan: <A, E>(
    order: Order,
    keep: (plan: Plan) => Effect.Effect<A, E>
  ) => Effect.Effect<A, E | PrepareError | SdkError.PolicyDenied>
  /** The first nonce that may be free: how many transactions of the account are in the chain. Two nodes agree on it where there are two. */
  readonly transactionCount: Effect.Effect<number, ReadError>
  readonly checkNonce: (target: NonceTarget) => Effect.Effect<CheckResult, CheckError>
  /**
   * How many of the account's transactions are worked on at once. A runner that takes over a thousand finishes some of them soon. If it worked
   * on all at once and died, it would have finished none.
   */
  readonly workLimit: Effect.Semaphore
  /** Sends a transaction of the ledger to nodes that do not have it. */
  readonly broadcast: (signed: SignedTransaction) => Effect.Effect<void, ReadError>
}

/** Transactions that are prepared or checked at once. */
const MAX_CONCURRENT = 16

/** Somebody else's transaction has taken a nonce of ours only once it is this deep. */
const TAKEN_DEPTH = 32

const WAITING: CheckResult = { _tag: "Waiting", isMined: false }

const decodePlan = Schema.decode(PlanText)
const encodePlan = Schema.encodeSync(PlanText)

/** Whether an error ends a transaction. Others, of nodes or the store, pass. */
export const isSendError = Schema.is(SendError)

/** The signer does not know the fleet's other transactions, which come before this one. */
const ALLOW_NONCE_GAP = { allowNonceGap: true }

/** The cap of a fee where the order has none. */
const maxBumpedFee = (fee: bigint, { maxFeeMultiplier }: Policy): bigint =>
  (fee * BigInt(Math.round(maxFeeMultiplier * 100))) / 100n

const computeFeeCap = ({ network, payment, transaction }: Order, fee: bigint, policy: Policy): bigint => {
  const given = payment?.maxFee ?? transaction?.maxFee
  if (typeof given === "bigint") return given
  const most = given === undefined ? Option.none() : Units.parse(given, Network.info(network).decimals)
  return Option.getOrElse(most, () => maxBumpedFee(fee, policy))
}

/** Nodes replace a transaction if both its prices rise by a tenth. */
const bumpPrice = (price: bigint): bigint => price + price / 8n + 1n
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** A transaction that replaces another one of its nonce. Undefined if its fee would be above the cap. */
const bumpFee = (
  { cap, transaction }: Plan,
  before: EvmTransaction,
  now: { readonly price: bigint; readonly tip: bigint }
): Plan | undefined => {
  const old = before.gasPrice ?? before.maxFeePerGas ?? 0n
  const most = cap / transaction.gas
  const price = min(max(bumpPrice(old), now.price), most)
  if (price < bumpPrice(old)) return undefined
  const { gasPrice: _, maxFeePerGas: __, maxPriorityFeePerGas: ___, ...rest } = transaction
  return {
    cap,
    transaction:
      before.gasPrice === undefined
        ? {
            ...rest,
            maxFeePerGas: price,
            maxPriorityFeePerGas: min(max(bumpPrice(before.maxPriorityFeePerGas ?? 0n), now.tip), price)
          }
        : { ...rest, gasPrice: price }
  }
}

const isEqual = (one: bigint, other: bigint): boolean => one === other

/** What nodes say of the account's transactions. Counts and the height are kept for one polling interval. */
const makeReads = ({ client: { rpc }, signer }: EvmAccount, { pollingInterval }: Policy) =>
  Effect.gen(function* () {
    const readCount = (block: "latest" | number) =>
      Effect.suspend(() => rpc.getTransactionCount(signer.address, String(block)))
    let minedCount = 0
    const recordMined = (count: number): number => {
      minedCount = Math.max(minedCount, count)
      return count
    }
    return {
      // One node may lie: its count says what is checked first. It neither ends a transaction nor keeps it from nodes.
      countByOneNode: yield* Effect.cachedWithTTL(Effect.map(readCount("latest"), Number), pollingInterval),
      agreedCount: yield* Effect.cachedWithTTL(
        Effect.map(withAgreement(readCount("latest"), isEqual), (count) => recordMined(Number(count))),
        pollingInterval
      ),
      /** The count at a height. Nodes that contradict each other count none. */
      agreedCountAt: (height: number) =>
        Effect.catchTag(withAgreement(readCount(height), isEqual), "NoQuorum", () => Effect.succeed(0n)),
      blockHeight: yield* Effect.cachedWithTTL(
        Effect.map(
          Effect.suspend(() => rpc.blockNumber()),
          Number
        ),
        pollingInterval
      ),
      /** The highest count of mined transactions that two nodes have agreed on where there are two. */
      minedCount: () => minedCount,
      recordMined,
      /** Two nodes agree on a receipt where there are two: one that lies or is behind ends nothing. */
      agreedReceipt: ({ hash }: SignedTransaction) =>
        withAgreement(
          rpc.getTransactionReceipt(hash),
          // the number says how deep it is
          (one, other) =>
            one?.blockHash === other?.blockHash &&
            one?.status === other?.status &&
            one?.blockNumber === other?.blockNumber
        )
    }
  })

type Reads = Effect.Effect.Success<ReturnType<typeof makeReads>>

/** Where a node has a transaction. */
type Location = "block" | "pool"

const locate = (
  { rpc }: EvmTransactionClient,
  hash: string
): Effect.Effect<Location | undefined, ReadError> =>
  Effect.map(rpc.getTransactionByHash(hash), (found) =>
    found === null
      ? undefined
      : "blockNumber" in found && typeof found.blockNumber === "string"
        ? "block"
        : "pool"
  )

/** Sends transactions to nodes that do not have them, and says where nodes have them then. */
const makeBroadcast = (client: EvmTransactionClient) =>
  Effect.map(
    Cache.make({
      capacity: 4_096,
      timeToLive: "5 seconds",
      lookup: ({ hash, raw }: { readonly hash: string; readonly raw: string }) =>
        Effect.gen(function* () {
          const before = yield* locate(client, hash)
          if (before !== undefined) return before
          // Nodes refuse a transaction that they have, each in its own words. The error counts only if the node does not have it.
          return yield* client.rpc.sendRawTransaction(raw).pipe(
            Effect.as<Location>("pool"),
            Effect.catchTag("RpcError", (error) =>
              Effect.flatMap(locate(client, hash), (location) =>
                location === undefined ? Effect.fail(error) : Effect.succeed(location)
              )
            )
          )
        })
    }),
    (cache) =>
      ({ hash, raw }: SignedTransaction) =>
        cache.get(Data.struct({ hash, raw }))
  )

/** Signs the next round of a nonce and stores it. Gives what is stored: another runner may have been first. */
const makeSign = (
  { client: { rpc }, signer }: EvmAccount,
  account: Account,
  ledger: Ledger,
  policy: Policy
) => {
  /** An empty transaction of the account to itself. */
  const planFiller: Effect.Effect<Plan, PrepareError> = Effect.map(
    signer.prepareTransaction({ to: signer.address, value: 0n, ...ALLOW_NONCE_GAP }),
    ({ fee, transaction }) => ({ transaction, cap: maxBumpedFee(fee, policy) })
  )
  const readFees = Effect.all({
    price: rpc.gasPrice(),
    tip: Effect.orElseSucceed(rpc.maxPriorityFeePerGas(), () => 0n)
  })
  return ({ nonce, plan, purpose }: NonceTarget, before: SignedTransaction | undefined) =>
    Effect.gen(function* () {
      const first = purpose === "fill" || plan === undefined ? yield* planFiller : plan
      const old = before === undefined ? undefined : yield* Effect.orDie(decodePlan(before.plan))
      // a filler may cost as much as the transaction that it replaces
      const allowed = old === undefined ? first : { ...first, cap: max(first.cap, old.cap) }
      const next = old === undefined ? allowed : bumpFee(allowed, old.transaction, yield* readFees)
      if (next === undefined) return before
      const signed = yield* signer.sign({ ...next.transaction, nonce })
      if (before !== undefined) yield* Metric.increment(feeBumps)
      return yield* ledger.storeSigned(account, nonce, {
        ...signed,
        round: before === undefined ? 0 : before.round + 1,
        plan: encodePlan(next),
        purpose: plan === undefined ? "fill" : purpose
      })
    })
}

/** A node says that the nonce is mined: by which of our transactions, and how deep. Undefined if it is by none of them. */
const checkMined = (
  { rpc }: EvmTransactionClient,
  reads: Reads,
  known: ReadonlyArray<SignedTransaction>,
  { confirmations, nonce }: NonceTarget
): Effect.Effect<CheckResult | undefined, ReadError> =>
  Effect.gen(function* () {
    // The height is read before the receipt, so that a receipt is at least as deep as computed.
    const height = yield* reads.blockHeight
    const depthOf = ({ blockNumber }: MinedReceipt): number => height - Number(blockNumber) + 1
    for (const signed of known.toReversed()) {
      const first = yield* rpc.getTransactionReceipt(signed.hash)
      if (first === null) continue
      const receipt = depthOf(first) >= confirmations ? yield* reads.agreedReceipt(signed) : null
      if (receipt === null || depthOf(receipt) < confirmations) return { _tag: "Waiting", isMined: true }
      reads.recordMined(nonce + 1)
      return { _tag: "Mined", signed, receipt }
    }
    const deep = height - Math.max(TAKEN_DEPTH, confirmations)
    if (deep < 0) return undefined
    if ((yield* reads.agreedCountAt(deep)) <= nonce) return undefined
    const receipts = yield* Effect.forEach(known, reads.agreedReceipt)
    return receipts.every((each) => each === null) ? { _tag: "Taken" } : WAITING
  })

/** Makes a function that broadcasts one of the transactions of a nonce, and says where they are then. */
const makeCheckBroadcast =
  (
    client: EvmTransactionClient,
    reads: Reads,
    broadcast: Effect.Effect.Success<ReturnType<typeof makeBroadcast>>
  ) =>
  (
    chosen: SignedTransaction,
    known: ReadonlyArray<SignedTransaction>,
    target: NonceTarget,
    isPast: boolean
  ): Effect.Effect<CheckResult, CheckError> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const mined = Effect.map(checkMined(client, reads, known, target), (result) => result ?? WAITING)
      const sent = yield* Effect.either(broadcast(chosen))
      if (Either.isRight(sent)) return sent.right === "block" ? yield* mined : WAITING
      const error = sent.left
      if (error._tag !== "RpcError") return yield* Effect.fail(error)
      // One with a lower fee may still wait in the pool, or be mined, whatever happens to its replacement.
      for (const { hash } of known.filter((each) => each.hash !== chosen.hash)) {
        const location = yield* locate(client, hash)
        if (location === "block") return yield* mined
        if (location === "pool") return WAITING
      }
      // All nodes refuse a nonce that another transaction may have taken: `checkMined` finds that one.
      return isPast ? WAITING : { _tag: "Refused", error, since: known[0]?.created ?? now }
    })

/** Whether to replace the newest transaction of a nonce: it waits for too long, or it pays and the nonce is to be filled. */
const needsReplacement = (
  newest: SignedTransaction,
  { nonce, purpose }: NonceTarget,
  { count, now }: { readonly count: number; readonly now: number },
  { bumpFeeAfter }: Policy
): boolean =>
  (nonce <= count && now - newest.created >= Duration.toMillis(bumpFeeAfter)) ||
  (newest.purpose === "pay" && purpose === "fill")

/** Makes the queue of an account. */
export const make = (
  { client, signer, ...rules }: EvmAccount,
  ledger: Ledger,
  policy: Policy
): Effect.Effect<AccountQueue> =>
  Effect.gen(function* () {
    const account: Account = { network: client.network, address: signer.address.toLowerCase() }
    const reads = yield* makeReads({ client, signer }, policy)
    const broadcast = yield* makeBroadcast(client)
    const checkBroadcast = makeCheckBroadcast(client, reads, broadcast)
    const signNextRound = makeSign({ client, signer }, account, ledger, policy)

    const checkNonce = (target: NonceTarget): Effect.Effect<CheckResult, CheckError> =>
      Effect.gen(function* () {
        const { nonce } = target
        const count = Math.max(yield* reads.countByOneNode, reads.minedCount())
        if (nonce - count >= policy.maxInFlight) return WAITING
        const known = yield* ledger.listSigned(account, nonce)
        const isPast = count > nonce
        const mined = isPast ? yield* checkMined(client, reads, known, target) : undefined
        if (mined !== undefined) return mined
        // It is signed and broadcast even if its nonce is past: the node that said so may lie.
        const newest = known.at(-1)
        const now = yield* Clock.currentTimeMillis
        const chosen =
          newest === undefined || needsReplacement(newest, target, { count, now }, policy)
            ? yield* signNextRound(target, newest)
            : newest
        return chosen === undefined ? WAITING : yield* checkBroadcast(chosen, known, target, isPast)
      })

    return {
      account,
      network: client.network,
      address: signer.address,
      transactionCount: reads.agreedCount,
      broadcast: (signed) => Effect.asVoid(broadcast(signed)),
      checkNonce,
      workLimit: Effect.unsafeMakeSemaphore(MAX_CONCURRENT),
      plan: (order, keep) =>
        Effect.flatMap(
          order.payment === undefined
            ? signer.prepareTransaction({ ...order.transaction, ...ALLOW_NONCE_GAP })
            : signer.prepare({ ...order.payment, ...ALLOW_NONCE_GAP }),
          (prepared) => {
            const { transaction } = prepared
            const cap = computeFeeCap(order, prepared.fee, policy)
            const call = order.payment === undefined ? readCall(transaction) : undefined
            return keepIfAllowed(rules, { prepared, fee: cap, call }, keep({ transaction, cap }))
          }
        )
    }
  })
