/**
 * The line of an account: its transactions in the order of their nonces. Everything here may be done twice, by two runners at once:
 * what was decided stands in the ledger, and only bytes that stand there are sent.
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
import { agreed } from "effect-chains/effect/signers/Evm"
import { feeBumps } from "../durable/retries.js"
import type { Account, Ledger, SignedTransaction } from "../Ledger.js"
import { type Order, type Plan, PlanText, SendError } from "./Order.js"

/** The block of a transaction that was mined, as its receipt tells it. */
interface MinedReceipt {
  readonly blockNumber: string
  readonly blockHash: string
  readonly status?: string
}

/**
 * The client of an EVM network, as far as durable transactions use it. Every client of an EVM network is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmTransactionClient extends EvmClient {
  /** One of the table: orders name their network by its id. */
  readonly network: Network.Network
  readonly rpc: EvmCalls & {
    readonly blockNumber: () => Effect.Effect<bigint, ReadError>
    readonly getTransactionReceipt: (hash: string) => Effect.Effect<MinedReceipt | null, ReadError>
  }
}

/**
 * An account that pays, and the nodes of its network. Its key stays in the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface EvmAccount {
  readonly client: EvmTransactionClient
  readonly signer: EvmSigner
}

/**
 * How transactions are seen through. `window` is how many of an account are handed to nodes at once (64: what nodes keep of one account);
 * `raiseAfter` how long the first of them waits for a block before its fee is raised (90 seconds), up to `raiseUpTo` times the highest
 * fee of its preview (4) where the order has no `maxFee`. `patience` is how long one is handed on that nodes refuse, before its nonce is
 * filled by nothing (10 minutes), and how long nodes may contradict each other about an order that has no nonce, before it ends as
 * `NoQuorum`. The chain is looked at every `poll` (1 second); after `attention` (30 seconds) a transaction is left to the database for a
 * while, and takes no memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly window: number
  readonly raiseAfter: Duration.DurationInput
  readonly raiseUpTo: number
  readonly patience: Duration.DurationInput
  readonly poll: Duration.DurationInput
  readonly attention: Duration.DurationInput
}

export const defaults: Policy = {
  window: 64,
  raiseAfter: "90 seconds",
  raiseUpTo: 4,
  patience: "10 minutes",
  poll: "1 second",
  attention: "30 seconds"
}

/** What a look at a nonce has found. Of one that waits, whether it is in a block already, which is not deep enough. */
export type CheckResult =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | { readonly _tag: "Mined"; readonly bytes: SignedTransaction; readonly receipt: MinedReceipt }
  | { readonly _tag: "Taken" }
  | { readonly _tag: "Refused"; readonly error: SdkError.RpcError; readonly since: number }

/** A nonce, what it is for, and how deep it has to be. */
export interface NonceTarget {
  readonly nonce: number
  readonly purpose: SignedTransaction["purpose"]
  readonly plan: Plan | undefined
  readonly confirmations: number
}

/** Errors of a look: the store's, those of nodes, and of what signs. */
export type CheckError = SqlError | PrepareError | SdkError.SigningFailed

export interface AccountQueue {
  readonly account: Account
  readonly network: Network.Network
  /** The address as its signer writes it. */
  readonly address: string
  readonly prepare: (order: Order) => Effect.Effect<Plan, PrepareError>
  /** How many transactions of the account are in the chain, by two nodes where there are two: the first nonce that may be free. */
  readonly count: Effect.Effect<number, ReadError>
  readonly look: (wanted: NonceTarget) => Effect.Effect<CheckResult, CheckError>
  /**
   * What is done for the account's transactions is done for so many of them at once. Of a thousand that are taken over together some are
   * done with soon, and what was done for them is kept: all side by side would all be lost, if this runner dies before the end.
   */
  readonly turn: Effect.Semaphore
  /** Hands bytes of the ledger to nodes that do not have them. */
  readonly hand: (bytes: SignedTransaction) => Effect.Effect<void, ReadError>
}

/** Transactions that are prepared or looked at side by side. */
const MAX_CONCURRENT = 16

/** So deep in the chain a transaction of others must be before it is believed that it has taken a nonce of ours. */
const TAKEN_DEPTH = 32

const WAITING: CheckResult = { _tag: "Waiting", isMined: false }

const decodePlan = Schema.decode(PlanText)
const encodePlan = Schema.encodeSync(PlanText)

/** What ends a transaction, and is no trouble of nodes or of the store, which passes. */
export const isSendError = Schema.is(SendError)

/** The nonces of an account are the fleet's: what waits before a transaction is its own, which the signer does not know. */
const ALLOW_NONCE_GAP = { allowNonceGap: true }

/** The most that a fee may become where nobody has said so. */
const maxBumpedFee = (fee: bigint, { raiseUpTo }: Policy): bigint =>
  (fee * BigInt(Math.round(raiseUpTo * 100))) / 100n

const computeFeeCap = ({ network, payment, transaction }: Order, fee: bigint, policy: Policy): bigint => {
  const given = payment?.maxFee ?? transaction?.maxFee
  if (typeof given === "bigint") return given
  const most = given === undefined ? Option.none() : Units.parse(given, Network.info(network).decimals)
  return Option.getOrElse(most, () => maxBumpedFee(fee, policy))
}

/** Nodes let one transaction replace another for a tenth more, of both its prices. */
const bumpPrice = (price: bigint): bigint => price + price / 8n + 1n
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** A transaction that can replace another one of its nonce, unless that costs more than its fee may be. */
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

/** The line of an account. */
export const make = (
  { client, signer }: EvmAccount,
  ledger: Ledger,
  policy: Policy
): Effect.Effect<AccountQueue> =>
  Effect.gen(function* () {
    const { rpc } = client
    const account: Account = { network: client.network, address: signer.address.toLowerCase() }
    const readCount = (block: "latest" | number) =>
      Effect.suspend(() => rpc.getTransactionCount(signer.address, block))
    const isEqual = (one: bigint, other: bigint): boolean => one === other
    /** The most transactions that blocks have had of the account, by two nodes where there are two. */
    let highestCount = 0
    const recordCount = (known: number): number => {
      highestCount = Math.max(highestCount, known)
      return known
    }
    // one node's word: it tells what is looked at first, and neither ends a transaction nor keeps it from nodes
    const countByOneNode = yield* Effect.cachedWithTTL(Effect.map(readCount("latest"), Number), policy.poll)
    const count = yield* Effect.cachedWithTTL(
      Effect.map(agreed(readCount("latest"), isEqual), (agreedOn) => recordCount(Number(agreedOn))),
      policy.poll
    )
    const blockHeight = yield* Effect.cachedWithTTL(
      Effect.map(
        Effect.suspend(() => rpc.blockNumber()),
        Number
      ),
      policy.poll
    )

    /** Where a node has a transaction. */
    const locate = (hash: string): Effect.Effect<"block" | "pool" | undefined, ReadError> =>
      Effect.map(rpc.getTransactionByHash(hash), (found) =>
        found === null
          ? undefined
          : "blockNumber" in found && typeof found.blockNumber === "string"
            ? "block"
            : "pool"
      )
    const broadcasts = yield* Cache.make({
      capacity: 4_096,
      timeToLive: "5 seconds",
      lookup: ({ hash, raw }: { readonly hash: string; readonly raw: string }) =>
        Effect.gen(function* () {
          const before = yield* locate(hash)
          if (before !== undefined) return before
          // nodes say in many words that they have it, or have one in its place: whether they know it is asked instead
          return yield* rpc.sendRawTransaction(raw).pipe(
            Effect.as("pool" as const),
            Effect.catchTag("RpcError", (error) =>
              Effect.flatMap(locate(hash), (place) =>
                place === undefined ? Effect.fail(error) : Effect.succeed(place)
              )
            )
          )
        })
    })
    /** Hands bytes to nodes that do not have them, and tells where they have them. */
    const broadcast = ({ hash, raw }: SignedTransaction) => broadcasts.get(Data.struct({ hash, raw }))

    /** The plan of an empty transaction, of the account to itself. */
    const planFiller: Effect.Effect<Plan, PrepareError> = Effect.map(
      signer.prepareTransaction({ to: signer.address, value: 0n, allowNonceGap: true }),
      ({ fee, transaction }) => ({ transaction, cap: maxBumpedFee(fee, policy) })
    )

    const readFees = Effect.all({
      price: rpc.gasPrice(),
      tip: Effect.orElseSucceed(rpc.maxPriorityFeePerGas(), () => 0n)
    })

    /** Signs the next round of a nonce and keeps it. Gives back what is kept: another runner may have been first. */
    const signNextRound = ({ nonce, plan, purpose }: NonceTarget, before: SignedTransaction | undefined) =>
      Effect.gen(function* () {
        const first = purpose === "fill" || plan === undefined ? yield* planFiller : plan
        const old = before === undefined ? undefined : yield* Effect.orDie(decodePlan(before.plan))
        // what fills a nonce may cost what the transaction might have that it replaces
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

    /** What a block says of bytes, on which two nodes agree where there are two: one that lies, or is behind, ends nothing. */
    const agreedReceipt = ({ hash }: SignedTransaction) =>
      agreed(
        rpc.getTransactionReceipt(hash),
        // the number tells how deep it is
        (one, other) =>
          one?.blockHash === other?.blockHash &&
          one?.status === other?.status &&
          one?.blockNumber === other?.blockNumber
      )

    /** A node says that the nonce is in the chain: which of our bytes is there, and how deep; undefined where none of them is. */
    const checkMined = (
      known: ReadonlyArray<SignedTransaction>,
      { confirmations, nonce }: NonceTarget
    ): Effect.Effect<CheckResult | undefined, ReadError> =>
      Effect.gen(function* () {
        // the head is read before the receipt: what is still there then is as deep as it says
        const height = yield* blockHeight
        const depthOf = ({ blockNumber }: MinedReceipt): number => height - Number(blockNumber) + 1
        for (const bytes of known.toReversed()) {
          const first = yield* rpc.getTransactionReceipt(bytes.hash)
          if (first === null) continue
          const receipt = depthOf(first) >= confirmations ? yield* agreedReceipt(bytes) : null
          if (receipt === null || depthOf(receipt) < confirmations) return { _tag: "Waiting", isMined: true }
          recordCount(nonce + 1)
          return { _tag: "Mined", bytes, receipt }
        }
        const deep = height - Math.max(TAKEN_DEPTH, confirmations)
        if (deep < 0) return undefined
        // nodes that contradict each other do not say that it is taken
        const then = yield* Effect.catchTag(agreed(readCount(deep), isEqual), "NoQuorum", () =>
          Effect.succeed(0n)
        )
        if (then <= nonce) return undefined
        const receipts = yield* Effect.forEach(known, agreedReceipt)
        return receipts.every((each) => each === null) ? { _tag: "Taken" } : WAITING
      })

    const look = (wanted: NonceTarget): Effect.Effect<CheckResult, CheckError> =>
      Effect.gen(function* () {
        const { nonce, purpose } = wanted
        const there = Math.max(yield* countByOneNode, highestCount)
        if (nonce - there >= policy.window) return WAITING
        const known = yield* ledger.listSigned(account, nonce)
        const isPast = there > nonce
        const before = isPast ? yield* checkMined(known, wanted) : undefined
        if (before !== undefined) return before
        // whether its nonce is past or not: the node that has said so may lie
        const newest = known.at(-1)
        const now = yield* Clock.currentTimeMillis
        const isLate =
          newest !== undefined &&
          nonce <= there &&
          now - newest.created >= Duration.toMillis(policy.raiseAfter)
        const isOther = newest?.purpose === "pay" && purpose === "fill"
        const chosen =
          newest === undefined || isLate || isOther ? yield* signNextRound(wanted, newest) : newest
        if (chosen === undefined) return WAITING
        const handing = yield* Effect.either(broadcast(chosen))
        if (Either.isRight(handing))
          return handing.right === "block" ? ((yield* checkMined(known, wanted)) ?? WAITING) : WAITING
        const error = handing.left
        if (error._tag !== "RpcError") return yield* Effect.fail(error)
        // one with a lower fee waits on, or has landed, whatever becomes of that which should replace it
        for (const { hash } of known.filter((each) => each.hash !== chosen.hash)) {
          const place = yield* locate(hash)
          if (place === "block") return (yield* checkMined(known, wanted)) ?? WAITING
          if (place === "pool") return WAITING
        }
        // a nonce that another transaction may have is refused by all nodes: it is looked for there
        return isPast ? WAITING : { _tag: "Refused", error, since: known[0]?.created ?? now }
      })

    return {
      account,
      network: client.network,
      address: signer.address,
      count,
      hand: (bytes) => Effect.asVoid(broadcast(bytes)),
      look,
      turn: Effect.unsafeMakeSemaphore(MAX_CONCURRENT),
      prepare: (order) =>
        Effect.map(
          order.payment === undefined
            ? signer.prepareTransaction({ ...order.transaction, ...ALLOW_NONCE_GAP })
            : signer.prepare({ ...order.payment, ...ALLOW_NONCE_GAP }),
          ({ fee, transaction }) => ({ transaction, cap: computeFeeCap(order, fee, policy) })
        )
    }
  })
