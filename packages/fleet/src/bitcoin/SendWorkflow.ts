/**
 * The workflow of a payment of Bitcoin's kind: it gets coins of its account, which nobody else has then, is signed, kept, handed to nodes,
 * and looked for until it is deep in the chain. All that is signed for it spends one of the same coins, so that only one can land. Each
 * activity may run twice.
 */
import type { SqlError } from "@effect/sql/SqlError"
import * as Activity from "@effect/workflow/Activity"
import * as DurableClock from "@effect/workflow/DurableClock"
import * as Workflow from "@effect/workflow/Workflow"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Network, SdkError, Units } from "effect-chains"
import {
  agreed,
  type BitcoinCalls,
  type BitcoinClient,
  type BitcoinSigner,
  type BitcoinTransaction,
  isUnknownTransaction,
  leastAmount
} from "effect-chains/effect/signers/Bitcoin"
import type { PrepareError, ReadError } from "effect-chains/effect/signers/Evm"
import type { OrderId } from "../durable/Order.js"
import {
  feeBumps,
  makeFindOutcome,
  makeRecordOutcome,
  outcomeSchedule,
  retryForever
} from "../durable/retries.js"
import type { Account, Ledger } from "../Ledger.js"
import { ConfirmedTransaction, digestOf, Order, Outcome, type Plan, PlanText, SendError } from "./Order.js"
import type { PaymentEnded, SignedTransaction, Utxo, UtxoStore, UtxosTaken } from "./UtxoStore.js"

/**
 * The client of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, as far as durable payments use it. Every client of these is one. Its nodes
 * have an index of transactions (`txindex`).
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinTransactionClient extends BitcoinClient {
  /** One of the table: orders name their network by its id. */
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
 * An account that pays, and the nodes of its network. Its key stays in the process.
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinAccount {
  readonly client: BitcoinTransactionClient
  readonly signer: BitcoinSigner
}

/**
 * How payments are seen through. `raiseAfter` is how long one waits for a block before its fee is doubled (30 minutes), up to `raiseUpTo`
 * times the fee of its preview (4) where the order has no `maxFee`. `patience` is how long one is handed on that nodes refuse, before its
 * coins are paid back to the account (10 minutes). The chain is looked at every `poll` (5 seconds); after `attention` (30 seconds) a
 * payment is left to the database for a while, and takes no memory. An account that has too little is believed after one attention.
 *
 * @since 0.1.0
 * @category models
 */
export interface Policy {
  readonly raiseAfter: Duration.DurationInput
  readonly raiseUpTo: number
  readonly patience: Duration.DurationInput
  readonly poll: Duration.DurationInput
  readonly attention: Duration.DurationInput
}

export const defaults: Policy = {
  raiseAfter: "30 minutes",
  raiseUpTo: 4,
  patience: "10 minutes",
  poll: "5 seconds",
  attention: "30 seconds"
}

export const BitcoinSend = Workflow.make({
  name: "fleet/BitcoinSend",
  payload: { order: Order },
  success: ConfirmedTransaction,
  error: SendError,
  idempotencyKey: ({ order }) => `${order.network}/${order.from}/${order.key}`,
  suspendedRetrySchedule: outcomeSchedule
})

export const recordOutcome = makeRecordOutcome(Outcome)
export const decodePlan = Schema.decode(PlanText)
const encodePlan = Schema.encodeSync(PlanText)
const isSendError = Schema.is(SendError)

/** The account of an order, as the ledger names it. */
export const accountOf = ({ from, network }: Pick<OrderId, "from" | "network">): Account => ({
  network,
  address: from
})

/** What a line needs to know of an order. */
export type OrderRef = Pick<Order, "key" | "network" | "from" | "confirmations">

/** So many blocks must have come before it is believed that others have spent coins of ours. */
export const TAKEN_DEPTH = 6

/** What is wrong, since when without a break, and how high the chain was then. */
const Problem = Schema.Struct({
  kind: Schema.Literal("Refused", "Gone"),
  since: Schema.Number,
  height: Schema.Number
})
export type Trouble = typeof Problem.Type

const PollResult = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Refused", { error: SendError }),
  Schema.TaggedStruct("Waiting", {
    isMined: Schema.Boolean,
    trouble: Schema.optionalWith(Problem, { exact: true })
  })
).annotations({ title: "Turn" })
type PollResult = typeof PollResult.Type

const Reservation = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: ConfirmedTransaction }),
  Schema.TaggedStruct("Reserved", { plan: Schema.String }),
  Schema.TaggedStruct("Waiting", {})
).annotations({ title: "Reservation" })
type Reservation = typeof Reservation.Type

type Outpoint = Pick<Utxo, "txid" | "vout">

/** What a look has found. `Gone`: nothing that was signed can land, since coins that all of it spends are not there any more. */
type CheckResult =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | {
      readonly _tag: "Mined"
      readonly bytes: SignedTransaction
      readonly first: SignedTransaction
      readonly blockHash: string
    }
  | { readonly _tag: "Refused"; readonly error: SendError }
  | { readonly _tag: "Gone"; readonly bytes: SignedTransaction; readonly spent: ReadonlyArray<Outpoint> }

const WAITING: CheckResult = { _tag: "Waiting", isMined: false }

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const sumAmounts = (all: ReadonlyArray<{ readonly amount: bigint }>): bigint =>
  all.reduce((sum, { amount }) => sum + amount, 0n)

const computeFeeCap = (
  { network, payment: { maxFee } }: Order,
  fee: bigint,
  { raiseUpTo }: Policy
): bigint => {
  if (typeof maxFee === "bigint") return maxFee
  const most = maxFee === undefined ? Option.none() : Units.parse(maxFee, Network.info(network).decimals)
  return Option.getOrElse(most, () => (fee * BigInt(Math.round(raiseUpTo * 100))) / 100n)
}

/** Errors of a look: the store's, those of nodes, and of what signs. */
type CheckError = SqlError | PrepareError | SdkError.SigningFailed | PaymentEnded | UtxosTaken

/** Where a node has a transaction: in a block, in no block, or nowhere. */
const blockHashOf = (found: { readonly blockhash?: string | null } | undefined): string | undefined =>
  found && (found.blockhash ?? "")

/** The payments of an account. */
export const makeQueue = ({ client, signer }: BitcoinAccount, coins: UtxoStore, policy: Policy) => {
  const { rpc } = client
  const { address } = signer
  const account: Account = { network: client.network, address }
  const at = ({ key }: Pick<Order, "key">) => ({ ...account, key })
  const minAmount = leastAmount(address, client.network) ?? 0n
  // Bitcoin Cash has no replacing by a fee
  const isReplaceable = Network.info(client.network).family !== "utxo-estimatefee"

  /** What nodes say of transactions and of the outputs that they spend: by the first that is asked, or by two. */
  const makeReads = (
    ask: <A>(
      call: Effect.Effect<A, ReadError>,
      isSame: (one: A, other: A) => boolean
    ) => Effect.Effect<A, ReadError>
  ) => ({
    find: (hash: string) =>
      ask(
        rpc.getRawTransaction(hash, true).pipe(
          Effect.map((found) => (typeof found === "string" ? undefined : found)),
          Effect.catchIf(isUnknownTransaction, () => Effect.succeed(undefined))
        ),
        (one, other) => blockHashOf(one) === blockHashOf(other)
      ),
    /** The outputs that bytes spend and that are in no block any more, or are spent in one. */
    missing: ({ plan }: SignedTransaction) =>
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
  const oneNode = makeReads((call) => call)
  const twoNodes = makeReads(agreed)
  const { find, missing } = oneNode

  /** The newest bytes that can land: a coin that a higher fee took may be gone, without which those before it are good. */
  const findLandable = (known: ReadonlyArray<SignedTransaction>) =>
    Effect.findFirst(known.toReversed(), (bytes) => Effect.map(missing(bytes), ({ length }) => length === 0))

  /** A preview that spends no coin of another payment. */
  const prepare = (payment: Order["payment"], more: ReadonlyArray<Utxo> = []) =>
    Effect.flatMap(coins.listReserved(account), (busy) =>
      signer.prepare({ ...payment, without: [...busy, ...more] })
    )

  /** The same payment with the double fee: of its change, and where that is too little of another coin. */
  const raise = (plan: Plan, before: Plan): Effect.Effect<Plan | undefined, SqlError> =>
    Effect.gen(function* () {
      const { transaction: old } = before
      const fee = min(old.fee * 2n, plan.cap)
      // nodes want as much more as it takes to relay it, which the first fee was enough for
      if (fee < old.fee + plan.transaction.fee) return undefined
      const [paid, change] = old.outputs
      if (paid === undefined) return undefined
      const planWith = (inputs: BitcoinTransaction["inputs"], wanted: bigint): Plan => {
        const rest = sumAmounts(inputs) - paid.amount - wanted
        const outputs = rest >= minAmount ? [paid, { address, amount: rest }] : [paid]
        return {
          ...before,
          transaction: { ...old, inputs, outputs, fee: sumAmounts(inputs) - sumAmounts(outputs) }
        }
      }
      if (change !== undefined && old.fee + change.amount >= fee) {
        const raised = planWith(old.inputs, fee)
        if (raised.transaction.fee <= plan.cap) return raised
      }
      // what a payment to the account itself would spend is a coin that is there
      const found = yield* Effect.option(prepare({ to: address, amount: fee - old.fee + minAmount }))
      if (Option.isNone(found)) return undefined
      const wanted = fee + found.value.fee
      return wanted > plan.cap
        ? undefined
        : planWith([...old.inputs, ...found.value.transaction.inputs], wanted)
    })

  /** The coins back to the account, with a fee that lets this take the place of what was signed before. */
  const planRefund = (plan: Plan, before: Plan): Plan | undefined => {
    const { transaction: old } = before
    const fee = max(min(old.fee * 2n, plan.cap), old.fee + plan.transaction.fee)
    const amount = sumAmounts(old.inputs) - fee
    return amount < minAmount
      ? undefined
      : { ...before, transaction: { ...old, outputs: [{ address, amount }], fee } }
  }

  /** Signs a round and keeps it, with coins beside those of before. Gives back what is kept: another runner may have been first. */
  const signAndStore = (
    order: OrderRef,
    plan: Plan,
    { purpose, round }: Pick<SignedTransaction, "purpose" | "round">,
    more: BitcoinTransaction["inputs"]
  ) =>
    Effect.gen(function* () {
      const signed = yield* signer.sign({ ...plan.transaction, replaceable: isReplaceable })
      const made = { ...signed, round, plan: encodePlan(plan), purpose }
      return yield* coins.storeSigned(at(order), made, more.map(toUtxo))
    })

  /** Signs anew over the newest bytes that can land. Undefined where none can, or it would cost more than it may. */
  const signReplacement = (
    order: OrderRef,
    plan: Plan,
    purpose: SignedTransaction["purpose"],
    known: ReadonlyArray<SignedTransaction>
  ): Effect.Effect<SignedTransaction | undefined, CheckError> =>
    Effect.gen(function* () {
      const good = yield* findLandable(known)
      if (Option.isNone(good)) return undefined
      const before = yield* Effect.orDie(decodePlan(good.value.plan))
      const isBack = purpose === "back" || known.some((each) => each.purpose === "back")
      const next = isBack ? planRefund(plan, before) : yield* raise(plan, before)
      if (next === undefined) return undefined
      const kept = yield* signAndStore(
        order,
        next,
        { purpose: isBack ? "back" : "pay", round: known.length },
        next.transaction.inputs.slice(before.transaction.inputs.length)
      )
      yield* Metric.increment(feeBumps)
      return kept
    })

  /** Hands bytes of the database to nodes, and tells why they do not have them then. */
  const broadcast = ({ hash, raw }: SignedTransaction): Effect.Effect<SendError | undefined, ReadError> =>
    Effect.gen(function* () {
      const said = yield* rpc.sendRawTransaction(raw).pipe(
        // bcoin gives an id for what it refuses, too
        Effect.as(
          new SdkError.TransactionDropped({ hash, reason: "a node has given its id, and no node has it" })
        ),
        Effect.catchTag("RpcError", (error) => Effect.succeed(error))
      )
      return (yield* find(hash)) === undefined ? said : undefined
    })

  /** The same, with those bytes of ours that have given what these spend, where nodes have lost them. */
  const broadcastWithParents = (
    bytes: SignedTransaction
  ): Effect.Effect<SendError | undefined, SqlError | ReadError> =>
    Effect.gen(function* () {
      const refusal = yield* broadcast(bytes)
      if (refusal === undefined) return undefined
      const { transaction } = yield* Effect.orDie(decodePlan(bytes.plan))
      const givers = yield* coins.findRawParents(
        account.network,
        transaction.inputs.map(({ txid }) => txid)
      )
      if (givers.length === 0) return refusal
      yield* Effect.forEach(givers, (giver) => Effect.ignore(rpc.sendRawTransaction(giver)))
      return yield* broadcast(bytes)
    })

  const checkWith = (
    { find, missing }: typeof oneNode,
    order: OrderRef,
    plan: Plan,
    purpose: SignedTransaction["purpose"]
  ): Effect.Effect<CheckResult, CheckError> =>
    Effect.gen(function* () {
      const known = yield* coins.listSigned(at(order))
      let pooled: SignedTransaction | undefined
      for (const bytes of known.toReversed()) {
        const found = yield* find(bytes.hash)
        if (found === undefined) continue
        const { blockhash, confirmations = 0 } = found
        if (typeof blockhash === "string" && confirmations > 0)
          return confirmations >= (order.confirmations ?? 1)
            ? { _tag: "Mined", bytes, first: known[0] ?? bytes, blockHash: blockhash }
            : { _tag: "Waiting", isMined: true }
        pooled ??= bytes
      }
      const newest = known.at(-1) ?? (yield* signAndStore(order, plan, { purpose: "pay", round: 0 }, []))
      const now = yield* Clock.currentTimeMillis
      const isLate = isReplaceable && now - newest.created >= Duration.toMillis(policy.raiseAfter)
      const isOther = newest.purpose === "pay" && purpose === "back"
      const next = isLate || isOther ? yield* signReplacement(order, plan, purpose, known) : undefined
      const bytes = next ?? newest
      if (bytes.hash === pooled?.hash) return WAITING
      const error = yield* broadcastWithParents(bytes)
      // one with a lower fee waits on, whatever becomes of that which should replace it
      if (error === undefined || pooled !== undefined) return WAITING
      const all = known.some(({ round }) => round === bytes.round) ? known : [...known, bytes]
      const [first = newest] = all
      // all that was signed spends the coins of the first
      const spent = yield* missing(first)
      if (spent.length > 0) return { _tag: "Gone", bytes: first, spent }
      const good = Option.getOrElse(yield* findLandable(all), () => bytes)
      if (good.round === bytes.round) return { _tag: "Refused", error }
      const paysBack = purpose === "back" && good.purpose === "pay"
      const other = (paysBack ? yield* signReplacement(order, plan, purpose, all) : undefined) ?? good
      const refusal = yield* broadcastWithParents(other)
      return refusal === undefined ? WAITING : { _tag: "Refused", error: refusal }
    })

  /** A look at a payment. What would end it is looked at once more, by two nodes where there are two: one may lie, or be behind. */
  const look = (
    order: OrderRef,
    plan: Plan,
    purpose: SignedTransaction["purpose"]
  ): Effect.Effect<CheckResult, CheckError> =>
    Effect.flatMap(checkWith(oneNode, order, plan, purpose), (seen) =>
      seen._tag === "Mined" || seen._tag === "Gone"
        ? checkWith(twoNodes, order, plan, purpose)
        : Effect.succeed(seen)
    )

  return {
    account,
    network: client.network,
    at,
    look,
    prepare,
    signer,
    rpc,
    height: Effect.suspend(() => rpc.getBlockCount()),
    // of payments that are prepared at once each would choose the same coin
    turn: Effect.unsafeMakeSemaphore(1)
  }
}

const toUtxo = ({ amount, txid, vout }: Utxo): Utxo => ({ amount, txid, vout })

export type AccountQueue = ReturnType<typeof makeQueue>

/** What a process needs for its payments. */
export interface PaymentServices {
  readonly ledger: Ledger
  readonly utxos: UtxoStore
  readonly policy: Policy
}

const findOutcome = makeFindOutcome(Outcome)

/** Whether nothing but time is between an error and another try. */
const isTransient = (error: PrepareError): boolean =>
  !isSendError(error) ||
  error._tag === "RpcError" ||
  // what lists coins may be away
  (error._tag === "InvalidArgument" && error.call !== "prepare")

/** Whether an account has too little, even if all that its other payments give back were there. */
const isUnderfunded = (
  { available, needed }: SdkError.InsufficientFunds,
  { network }: Order,
  busy: ReadonlyArray<Utxo>
): boolean => {
  const units = (amount: string) =>
    Option.getOrElse(Units.parse(amount, Network.info(network).decimals), () => 0n)
  return units(needed) > units(available) + sumAmounts(busy)
}

/** A while of looking for coins, until a payment has them or cannot have them. */
const reserve = (
  desk: PaymentServices,
  line: AccountQueue,
  order: Order
): Effect.Effect<Reservation, SendError> =>
  Effect.gen(function* () {
    const { utxos, ledger, policy } = desk
    const at = line.at(order)
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    const finish = (error: SendError) =>
      Effect.gen(function* () {
        yield* retryForever(utxos.endUnsigned(at, recordOutcome(ledger, at, Either.left(error))))
        return yield* Effect.fail(error)
      })
    const lost: Array<Utxo> = []
    for (;;) {
      const tried = yield* Effect.either(
        Effect.gen(function* () {
          const { plan } = yield* ledger.findOrCreate(line.account, order.key, digestOf(order))
          if (plan !== undefined) return plan
          const { fee, transaction } = yield* line.prepare(order.payment, lost)
          const { confirmations = 1 } = order
          const made = encodePlan({ transaction, cap: computeFeeCap(order, fee, policy), confirmations })
          return yield* utxos.reserve(at, made, transaction.inputs.map(toUtxo))
        }).pipe(line.turn.withPermits(1))
      )
      if (Either.isRight(tried)) return { _tag: "Reserved", plan: tried.right }
      const error = tried.left
      if (error._tag === "CoinsTaken") {
        lost.push(...error.utxos)
        continue
      }
      if (error._tag === "IsOver") {
        const outcome = yield* findOutcome(desk.ledger, { ...accountOf(order), key: order.key })
        if (outcome !== undefined)
          return Either.isRight(outcome)
            ? { _tag: "Done", confirmed: outcome.right }
            : yield* Effect.fail(outcome.left)
      }
      const isOver = (yield* Clock.currentTimeMillis) >= until
      if (error._tag === "InsufficientFunds") {
        const busy = yield* retryForever(utxos.listReserved(line.account))
        // lists of coins are late: what has come with the last block may be missing in them
        if (isOver && isUnderfunded(error, order, busy)) return yield* finish(error)
      } else if (
        error._tag !== "SqlError" &&
        error._tag !== "IsOver" &&
        isSendError(error) &&
        !isTransient(error)
      )
        return yield* finish(error)
      else yield* Effect.logDebug("tried again", error)
      if (isOver) return { _tag: "Waiting" }
      yield* Effect.sleep(policy.poll)
    }
  })

/** What a payment in the chain means to who has asked for it. */
const toOutcome = (
  line: AccountQueue,
  { from, key, network }: OrderRef,
  { blockHash, bytes, first }: Extract<CheckResult, { _tag: "Mined" }>,
  refusal: SendError | undefined
): Effect.Effect<Either.Either<ConfirmedTransaction, SendError>, ReadError> =>
  Effect.gen(function* () {
    if (bytes.purpose === "back")
      return Either.left(
        refusal?._tag === "RpcError"
          ? refusal
          : new SdkError.TransactionDropped({
              hash: first.hash,
              reason: `no node has it, and its coins were paid back to the account by ${bytes.hash}`
            })
      )
    const header = yield* line.rpc.getBlockHeader(blockHash, true)
    return typeof header === "string"
      ? yield* Effect.dieMessage("a node gave the bytes of a header that were not asked for")
      : Either.right({ key, network, from, hash: bytes.hash, block: header.height, blockHash })
  })

/** What is known of a payment from the whiles before. */
export interface PollState {
  readonly plan: Plan
  readonly refusal?: SendError | undefined
  readonly trouble?: Trouble | undefined
}

/** A while of looking at a payment, until something has come of it. */
export const poll = (
  desk: PaymentServices,
  line: AccountQueue,
  order: OrderRef,
  given: PollState
): Effect.Effect<PollResult, SendError> =>
  Effect.gen(function* () {
    const { utxos, ledger, policy } = desk
    const { plan, refusal } = given
    const at = line.at(order)
    const purpose = refusal === undefined ? "pay" : "back"
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    let { trouble } = given
    let isMined = false
    /** The end as the ledger has it. */
    const ended = (outcome: Either.Either<ConfirmedTransaction, SendError>) =>
      Effect.gen(function* () {
        const kept = (yield* findOutcome(desk.ledger, { ...accountOf(order), key: order.key })) ?? outcome
        return Either.isRight(kept)
          ? { _tag: "Done" as const, confirmed: kept.right }
          : yield* Effect.fail(kept.left)
      })
    for (;;) {
      const looked = yield* Effect.either(
        Effect.gen(function* () {
          const seen = yield* line.look(order, plan, purpose)
          if (seen._tag === "Mined") return { seen, outcome: yield* toOutcome(line, order, seen, refusal) }
          if (seen._tag === "Waiting") return { seen }
          return { seen, height: yield* line.height }
        })
      )
      const now = yield* Clock.currentTimeMillis
      const isOver = now >= until
      if (Either.isLeft(looked)) {
        const error = looked.left
        if (error._tag === "IsOver") {
          const outcome = yield* findOutcome(desk.ledger, { ...accountOf(order), key: order.key })
          if (outcome !== undefined) return yield* ended(outcome)
        }
        // a key that does not sign is asked for the whole of an attention; what it signed before may still land
        if (error._tag === "SigningFailed" && isOver) {
          const outcome = Either.left(error)
          if (yield* retryForever(utxos.endUnsigned(at, recordOutcome(ledger, at, outcome))))
            return yield* ended(outcome)
        }
        yield* Effect.logDebug("tried again", error)
      } else {
        const { height, outcome, seen } = looked.right
        if (outcome !== undefined && seen._tag === "Mined") {
          const spent = (yield* Effect.orDie(decodePlan(seen.bytes.plan))).transaction.inputs
          yield* retryForever(utxos.endLanded(at, spent, recordOutcome(ledger, at, outcome)))
          return yield* ended(outcome)
        }
        if ((seen._tag === "Refused" || seen._tag === "Gone") && height !== undefined) {
          if (trouble?.kind !== seen._tag) trouble = { kind: seen._tag, since: now, height }
          const isLong = now - trouble.since >= Duration.toMillis(policy.patience)
          const isDeep = height - trouble.height >= TAKEN_DEPTH
          // where nodes have said nothing one may have it that is not asked about it: then a block should have it by now
          if (
            isLong &&
            seen._tag === "Refused" &&
            purpose === "pay" &&
            (seen.error._tag === "RpcError" || isDeep)
          )
            return { _tag: "Refused", error: seen.error }
          if (isLong && seen._tag === "Gone" && isDeep) {
            const failed = Either.left(
              new SdkError.TransactionDropped({
                hash: seen.bytes.hash,
                reason: "what it spends is not there any more: somebody else has spent coins of the account"
              })
            )
            yield* retryForever(utxos.endLanded(at, seen.spent, recordOutcome(ledger, at, failed)))
            return yield* ended(failed)
          }
        } else trouble = undefined
        isMined = seen._tag === "Waiting" && seen.isMined
      }
      if (isOver) return { _tag: "Waiting", isMined, ...(trouble === undefined ? {} : { trouble }) }
      yield* Effect.sleep(policy.poll)
    }
  })

/** A payment from its coins to its end. */
export const makeExecute = (find: (order: Order) => Effect.Effect<AccountQueue>, desk: PaymentServices) =>
  Effect.fnUntraced(function* (order: Order) {
    // blocks are minutes apart: who waits for them needs no haste
    const rest = (name: string, turn: number) =>
      DurableClock.sleep({
        name: `${name}/${turn}`,
        duration: Duration.seconds(Math.min(60, 2 * turn + 1)),
        inMemoryThreshold: "0 millis"
      })
    let reserved: string | undefined
    for (let turn = 0; reserved === undefined; turn++) {
      const found: Reservation = yield* Activity.make({
        name: `reserve/${turn}`,
        success: Reservation,
        error: SendError,
        execute: Effect.flatMap(find(order), (line) => reserve(desk, line, order))
      })
      if (found._tag === "Done") return found.confirmed
      if (found._tag === "Reserved") reserved = found.plan
      else yield* rest("wait", turn)
    }
    const plan = yield* Effect.orDie(decodePlan(reserved))
    let refusal: SendError | undefined
    let trouble: Trouble | undefined
    for (let turn = 0; ; turn++) {
      const given = { plan, refusal, trouble }
      const seen: PollResult = yield* Activity.make({
        name: `attend/${turn}`,
        success: PollResult,
        error: SendError,
        execute: Effect.flatMap(find(order), (line) => poll(desk, line, order, given))
      })
      if (seen._tag === "Done") return seen.confirmed
      if (seen._tag === "Refused") refusal = seen.error
      else {
        trouble = seen.trouble
        yield* rest("rest", turn)
      }
    }
  })
