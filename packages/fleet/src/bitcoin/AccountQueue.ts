/**
 * The payments of an account of Bitcoin's kind. Each reserves outputs of the account, which no other payment has then. All transactions that are
 * signed for a payment spend one of the same outputs, so that only one of them can land.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Network, SdkError } from "effect-chains"
import {
  type BitcoinCalls,
  type BitcoinClient,
  type BitcoinSigner,
  type BitcoinTransaction,
  isUnknownTransaction,
  leastAmount,
  withAgreement
} from "effect-chains/effect/signers/Bitcoin"
import type { PrepareError, ReadError } from "effect-chains/effect/signers/Evm"
import type { WithPolicy } from "effect-chains/effect/signers/policy"
import type { Unsigned } from "../durable/Order.js"
import { feeBumps } from "../durable/retries.js"
import type { Account } from "../Ledger.js"
import { type Order, type Plan, PlanText, type SendError } from "./Order.js"
import type { PaymentEnded, PaymentKey, SignedTransaction, Utxo, UtxoStore, UtxosTaken } from "./UtxoStore.js"

/**
 * The part of a client that durable payments use. Every client of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin has it. Its nodes need an
 * index of transactions (`txindex`).
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinTransactionClient extends BitcoinClient {
  /** Orders name their network by its id, so a custom network cannot be used. */
  readonly network: Network.Network
  readonly rpc: BitcoinCalls & {
    readonly getBlockCount: () => Effect.Effect<number, ReadError>
    readonly getBlockHeader: (
      hash: string,
      verbose: true
    ) => Effect.Effect<{ readonly height: number } | string, ReadError>
    readonly getRawTransaction: (
      txid: string,
      verbose: true
    ) => Effect.Effect<
      { readonly blockhash?: string | null; readonly confirmations?: number } | string,
      ReadError
    >
    readonly getTxOut: (
      txid: string,
      vout: number,
      includeMempool: false
    ) => Effect.Effect<object | null, ReadError>
  }
}

/**
 * An account that pays, with the client of its network. Its key stays in the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinAccount extends WithPolicy {
  readonly client: BitcoinTransactionClient
  readonly signer: BitcoinSigner
}

/**
 * How payments are driven to their end.
 *
 * - `bumpFeeAfter` (30 minutes) is how long a payment waits for a block until its fee is doubled.
 * - `maxFeeMultiplier` (4) caps bumped fees, as a multiple of the preview's fee. An order's `maxFee` takes its place.
 * - `giveUpAfter` (10 minutes) is how long a payment that nodes refuse is sent again. Then its coins are paid back to the account.
 * - `pollingInterval` (5 seconds) is the time between two checks of the chain.
 * - `suspendAfter` (30 seconds) is how long a payment is checked until it is suspended. It takes no memory then, and is resumed later. A payment
 *   of an account with too little fails after this time.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly bumpFeeAfter: Duration.DurationInput
  readonly maxFeeMultiplier: number
  readonly giveUpAfter: Duration.DurationInput
  readonly pollingInterval: Duration.DurationInput
  readonly suspendAfter: Duration.DurationInput
}

export const defaults: Policy = {
  bumpFeeAfter: "30 minutes",
  maxFeeMultiplier: 4,
  giveUpAfter: "10 minutes",
  pollingInterval: "5 seconds",
  suspendAfter: "30 seconds"
}

export const decodePlan = Schema.decode(PlanText)
export const encodePlan = Schema.encodeSync(PlanText)

/** What a check needs of an order. */
export type OrderRef = Pick<Order, "key" | "network" | "from" | "confirmations">

type Outpoint = Pick<Utxo, "txid" | "vout">

/**
 * What a check has found. `first` is the first transaction that was signed for the payment. `Gone`: nothing that was signed can land, since
 * outputs that all of it spends are not there any more.
 */
export type CheckResult =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | {
      readonly _tag: "Mined"
      readonly signed: SignedTransaction
      readonly first: SignedTransaction
      readonly blockHash: string
    }
  | { readonly _tag: "Refused"; readonly error: SendError }
  | { readonly _tag: "Gone"; readonly first: SignedTransaction; readonly spent: ReadonlyArray<Outpoint> }

const WAITING: CheckResult = { _tag: "Waiting", isMined: false }

/** A payment to check, and whether it is to pay or to be paid back. */
interface CheckTarget {
  readonly order: OrderRef
  readonly plan: Plan
  readonly purpose: SignedTransaction["purpose"]
}

/** The errors of a check: those of the store, of nodes and of the signer. */
export type CheckError = SqlError | PrepareError | Unsigned | PaymentEnded | UtxosTaken

/** The payments of an account. */
export interface AccountQueue {
  readonly account: Account
  readonly network: Network.Network
  readonly rpc: BitcoinTransactionClient["rpc"]
  /** Where the store has a payment. */
  readonly keyOf: (order: Pick<Order, "key">) => PaymentKey
  readonly height: Effect.Effect<number, ReadError>
  /** A preview that spends no output of another payment, and none of `excluded`. */
  readonly prepare: (
    payment: Order["payment"],
    excluded?: ReadonlyArray<Utxo>
  ) => Effect.Effect<Effect.Effect.Success<ReturnType<BitcoinSigner["prepare"]>>, SqlError | PrepareError>
  readonly rules: WithPolicy
  /** Payments are prepared one after another: at once, each would choose the same output. */
  readonly prepareLock: Effect.Semaphore
  readonly checkPayment: (
    order: OrderRef,
    plan: Plan,
    purpose: SignedTransaction["purpose"]
  ) => Effect.Effect<CheckResult, CheckError>
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
export const sumAmounts = (all: ReadonlyArray<{ readonly amount: bigint }>): bigint =>
  all.reduce((sum, { amount }) => sum + amount, 0n)

export const toUtxo = ({ amount, txid, vout }: Utxo): Utxo => ({ amount, txid, vout })

/** Where a node has a transaction: in a block, in no block (empty), or nowhere (undefined). */
const blockHashOf = (found: { readonly blockhash?: string | null } | undefined): string | undefined =>
  found && (found.blockhash ?? "")

/** Asks one node, or two that have to agree. */
type Ask = <A>(
  call: Effect.Effect<A, ReadError>,
  isSame: (one: A, other: A) => boolean
) => Effect.Effect<A, ReadError>

/** What nodes say of transactions, and of the outputs that these spend. */
const makeReads = ({ rpc }: BitcoinTransactionClient, ask: Ask) => ({
  findTransaction: (hash: string) =>
    ask(
      rpc.getRawTransaction(hash, true).pipe(
        Effect.map((found) => (typeof found === "string" ? undefined : found)),
        Effect.catchIf(isUnknownTransaction, () => Effect.succeed(undefined))
      ),
      (one, other) => blockHashOf(one) === blockHashOf(other)
    ),
  /** The outputs that a transaction spends and that are in no block any more, or are spent in one. */
  findSpentInputs: ({ plan }: SignedTransaction) =>
    Effect.gen(function* () {
      const { transaction } = yield* Effect.orDie(decodePlan(plan))
      return yield* Effect.filter(transaction.inputs, ({ txid, vout }) =>
        Effect.map(
          ask(rpc.getTxOut(txid, vout, false), (one, other) => (one === null) === (other === null)),
          (output) => output === null
        )
      )
    })
})

type Reads = ReturnType<typeof makeReads>

/** The newest transaction that can land. An output that a higher fee took may be gone: then those before it are good. */
const findLandable = ({ findSpentInputs }: Reads, known: ReadonlyArray<SignedTransaction>) =>
  Effect.findFirst(known.toReversed(), (signed) =>
    Effect.map(findSpentInputs(signed), ({ length }) => length === 0)
  )

/** Where change goes, and the least amount that the network relays. */
interface Change {
  readonly address: string
  readonly minAmount: bigint
}

/** The same payment from other inputs, with a fee of at least `wanted`: change that is too little is fee, too. */
const planWith = (
  before: Plan,
  paid: BitcoinTransaction["outputs"][number],
  { address, minAmount }: Change,
  inputs: BitcoinTransaction["inputs"],
  wanted: bigint
): Plan => {
  const rest = sumAmounts(inputs) - paid.amount - wanted
  const outputs = rest >= minAmount ? [paid, { address, amount: rest }] : [paid]
  return {
    ...before,
    transaction: { ...before.transaction, inputs, outputs, fee: sumAmounts(inputs) - sumAmounts(outputs) }
  }
}

/** The same payment with the double fee. Its change pays for it, or another output where the change is too little. */
const bumpFee = (
  plan: Plan,
  before: Plan,
  change: Change,
  prepare: AccountQueue["prepare"]
): Effect.Effect<Plan | undefined, SqlError> =>
  Effect.gen(function* () {
    const { transaction: old } = before
    const fee = min(old.fee * 2n, plan.cap)
    // Nodes want as much more as it takes to relay a transaction: the first fee was enough for that.
    if (fee < old.fee + plan.transaction.fee) return undefined
    const [paid, oldChange] = old.outputs
    if (paid === undefined) return undefined
    if (oldChange !== undefined && old.fee + oldChange.amount >= fee) {
      const bumped = planWith(before, paid, change, old.inputs, fee)
      if (bumped.transaction.fee <= plan.cap) return bumped
    }
    // a payment to the account itself finds an output that is there
    const found = yield* Effect.option(
      prepare({ to: change.address, amount: fee - old.fee + change.minAmount })
    )
    if (Option.isNone(found)) return undefined
    const wanted = fee + found.value.fee
    return wanted > plan.cap
      ? undefined
      : planWith(before, paid, change, [...old.inputs, ...found.value.transaction.inputs], wanted)
  })

/** Pays everything back to the account, with a fee for which nodes replace what was signed before. */
const planRefund = (plan: Plan, before: Plan, { address, minAmount }: Change): Plan | undefined => {
  const { transaction: old } = before
  const fee = max(min(old.fee * 2n, plan.cap), old.fee + plan.transaction.fee)
  const amount = sumAmounts(old.inputs) - fee
  return amount < minAmount
    ? undefined
    : { ...before, transaction: { ...old, outputs: [{ address, amount }], fee } }
}

/** What the parts of a queue share. */
interface Parts extends Pick<AccountQueue, "account" | "keyOf" | "prepare"> {
  readonly signer: BitcoinSigner
  readonly client: BitcoinTransactionClient
  readonly store: UtxoStore
  readonly change: Change
  /** Whether nodes replace a transaction by one with a higher fee. */
  readonly isReplaceable: boolean
  /** Reads that one node answers. */
  readonly reads: Reads
}

const makeSigning = ({ change, isReplaceable, keyOf, prepare, reads, signer, store }: Parts) => {
  /** Signs a round and stores it, and reserves `added` outputs. Gives what is stored: another runner may have been first. */
  const signAndStore = (
    order: OrderRef,
    plan: Plan,
    { purpose, round }: Pick<SignedTransaction, "purpose" | "round">,
    added: BitcoinTransaction["inputs"]
  ) =>
    Effect.gen(function* () {
      const signed = yield* signer.sign({ ...plan.transaction, replaceable: isReplaceable })
      const made = { ...signed, round, plan: encodePlan(plan), purpose }
      return yield* store.storeSigned(keyOf(order), made, added.map(toUtxo))
    })

  /** Replaces the newest transaction that can land. Undefined if none can, or the fee would be above the cap. */
  const signReplacement = (
    order: OrderRef,
    plan: Plan,
    purpose: SignedTransaction["purpose"],
    known: ReadonlyArray<SignedTransaction>
  ): Effect.Effect<SignedTransaction | undefined, CheckError> =>
    Effect.gen(function* () {
      const landable = yield* findLandable(reads, known)
      if (Option.isNone(landable)) return undefined
      const before = yield* Effect.orDie(decodePlan(landable.value.plan))
      const isRefund = purpose === "back" || known.some((each) => each.purpose === "back")
      const next = isRefund ? planRefund(plan, before, change) : yield* bumpFee(plan, before, change, prepare)
      if (next === undefined) return undefined
      const stored = yield* signAndStore(
        order,
        next,
        { purpose: isRefund ? "back" : "pay", round: known.length },
        next.transaction.inputs.slice(before.transaction.inputs.length)
      )
      yield* Metric.increment(feeBumps)
      return stored
    })
  return { signAndStore, signReplacement }
}

/** Sends a transaction, and its parents where nodes have lost them. Gives why no node has it then. */
const makeBroadcast = ({ account, client: { rpc }, reads, store }: Parts) => {
  const broadcast = ({ hash, raw }: SignedTransaction): Effect.Effect<SendError | undefined, ReadError> =>
    Effect.gen(function* () {
      const refusal = yield* rpc.sendRawTransaction(raw).pipe(
        // bcoin answers with an id for a transaction that it refuses, too
        Effect.as(
          new SdkError.TransactionDropped({ hash, reason: "a node has given its id, and no node has it" })
        ),
        Effect.catchTag("RpcError", (error) => Effect.succeed(error))
      )
      return (yield* reads.findTransaction(hash)) === undefined ? refusal : undefined
    })
  return (signed: SignedTransaction): Effect.Effect<SendError | undefined, SqlError | ReadError> =>
    Effect.gen(function* () {
      const refusal = yield* broadcast(signed)
      if (refusal === undefined) return undefined
      const { transaction } = yield* Effect.orDie(decodePlan(signed.plan))
      const parents = yield* store.findRawParents(
        account.network,
        transaction.inputs.map(({ txid }) => txid)
      )
      if (parents.length === 0) return refusal
      yield* Effect.forEach(parents, (raw) => Effect.ignore(rpc.sendRawTransaction(raw)))
      return yield* broadcast(signed)
    })
}

/** The transaction of a payment that nodes have: in a block with its confirmations, or in the pool. */
const findOnChain = (
  { findTransaction }: Reads,
  { confirmations: wanted = 1 }: OrderRef,
  known: ReadonlyArray<SignedTransaction>
): Effect.Effect<{ readonly result?: CheckResult; readonly pooled?: SignedTransaction }, ReadError> =>
  Effect.gen(function* () {
    let pooled: SignedTransaction | undefined
    for (const signed of known.toReversed()) {
      const found = yield* findTransaction(signed.hash)
      if (found === undefined) continue
      const { blockhash, confirmations = 0 } = found
      if (typeof blockhash === "string" && confirmations > 0)
        return {
          result:
            confirmations >= wanted
              ? { _tag: "Mined", signed, first: known[0] ?? signed, blockHash: blockhash }
              : { _tag: "Waiting", isMined: true }
        }
      pooled ??= signed
    }
    return pooled === undefined ? {} : { pooled }
  })

type Broadcast = ReturnType<typeof makeBroadcast>

/** All transactions that were signed for a payment, at least one. */
type SignedTransactions = readonly [first: SignedTransaction, ...more: ReadonlyArray<SignedTransaction>]

/** Makes the check of a payment whose transaction nodes refuse while they have no other one of it. An older one may still land. */
const makeCheckRefused =
  (reads: Reads, signReplacement: ReturnType<typeof makeSigning>["signReplacement"], broadcast: Broadcast) =>
  (
    { findSpentInputs }: Reads,
    { order, plan, purpose }: CheckTarget,
    known: SignedTransactions,
    refused: { readonly signed: SignedTransaction; readonly error: SendError }
  ): Effect.Effect<CheckResult, CheckError> =>
    Effect.gen(function* () {
      // all that was signed spends the outputs of the first
      const [first] = known
      const spent = yield* findSpentInputs(first)
      if (spent.length > 0) return { _tag: "Gone", first, spent }
      const landable = Option.getOrElse(yield* findLandable(reads, known), () => refused.signed)
      if (landable.round === refused.signed.round) return { _tag: "Refused", error: refused.error }
      const needsRefund = purpose === "back" && landable.purpose === "pay"
      const refund = needsRefund ? yield* signReplacement(order, plan, purpose, known) : undefined
      const error = yield* broadcast(refund ?? landable)
      return error === undefined ? WAITING : { _tag: "Refused", error }
    })

const makeCheck = (parts: Parts, policy: Policy): AccountQueue["checkPayment"] => {
  const { signAndStore, signReplacement } = makeSigning(parts)
  const broadcast = makeBroadcast(parts)
  const checkRefused = makeCheckRefused(parts.reads, signReplacement, broadcast)

  const checkBy = (reads: Reads, target: CheckTarget): Effect.Effect<CheckResult, CheckError> =>
    Effect.gen(function* () {
      const { order, plan, purpose } = target
      const known = yield* parts.store.listSigned(parts.keyOf(order))
      const { pooled, result } = yield* findOnChain(reads, order, known)
      if (result !== undefined) return result
      const newest = known.at(-1) ?? (yield* signAndStore(order, plan, { purpose: "pay", round: 0 }, []))
      const now = yield* Clock.currentTimeMillis
      const isLate = parts.isReplaceable && now - newest.created >= Duration.toMillis(policy.bumpFeeAfter)
      const isOther = newest.purpose === "pay" && purpose === "back"
      const next = isLate || isOther ? yield* signReplacement(order, plan, purpose, known) : undefined
      const signed = next ?? newest
      if (signed.hash === pooled?.hash) return WAITING
      const error = yield* broadcast(signed)
      // a transaction with a lower fee waits on, whatever happens to its replacement
      if (error === undefined || pooled !== undefined) return WAITING
      const all = known.some(({ round }) => round === signed.round) ? known : [...known, signed]
      const [first = newest, ...more] = all
      return yield* checkRefused(reads, target, [first, ...more], { signed, error })
    })

  const agreedReads = makeReads(parts.client, withAgreement)
  // One node may lie or be behind. What would end a payment is checked again, by two nodes where there are two.
  return (order, plan, purpose) => {
    const target = { order, plan, purpose }
    return Effect.flatMap(checkBy(parts.reads, target), (seen) =>
      seen._tag === "Mined" || seen._tag === "Gone" ? checkBy(agreedReads, target) : Effect.succeed(seen)
    )
  }
}

/** Makes the queue of an account. */
export const make = (
  { client, signer, ...rules }: BitcoinAccount,
  store: UtxoStore,
  policy: Policy
): AccountQueue => {
  const { address } = signer
  const account: Account = { network: client.network, address }
  const keyOf: AccountQueue["keyOf"] = ({ key }) => ({ ...account, key })
  const prepare: AccountQueue["prepare"] = (payment, excluded = []) =>
    Effect.flatMap(store.listReserved(account), (reserved) =>
      signer.prepare({ ...payment, without: [...reserved, ...excluded] })
    )
  const parts: Parts = {
    account,
    client,
    keyOf,
    prepare,
    signer,
    store,
    change: { address, minAmount: leastAmount(address, client.network) ?? 0n },
    // nodes of Bitcoin Cash replace nothing
    isReplaceable: Network.info(client.network).family !== "utxo-estimatefee",
    reads: makeReads(client, (call) => call)
  }
  return {
    account,
    network: client.network,
    rpc: client.rpc,
    keyOf,
    prepare,
    rules,
    height: Effect.suspend(() => client.rpc.getBlockCount()),
    prepareLock: Effect.unsafeMakeSemaphore(1),
    checkPayment: makeCheck(parts, policy)
  }
}
