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
  type BitcoinCalls,
  type BitcoinClient,
  type BitcoinSigner,
  type BitcoinTransaction,
  leastAmount
} from "effect-chains/effect/signers/Bitcoin"
import type { PrepareError, ReadError } from "effect-chains/effect/signers/Evm"
import { ending, hearing, lasting, raised, settling } from "../durable/Lasting.js"
import type { Known } from "../durable/Order.js"
import type { Account, Ledger } from "../Ledger.js"
import type { Bytes, Coin, Coins, CoinsTaken, IsOver } from "./Coins.js"
import { Confirmed, digestOf, Ended, Order, Outcome, type Plan, PlanText } from "./Order.js"

/**
 * The client of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, as far as durable payments use it. Every client of these is one. Its nodes
 * have an index of transactions (`txindex`).
 *
 * @since 0.1.0
 * @category models
 */
export interface BitcoinNodes extends BitcoinClient {
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
  readonly client: BitcoinNodes
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
  success: Confirmed,
  error: Ended,
  idempotencyKey: ({ order }) => `${order.network}/${order.from}/${order.key}`,
  suspendedRetrySchedule: hearing
})

const settle = settling(Outcome)
const decodePlan = Schema.decode(PlanText)
const encodePlan = Schema.encodeSync(PlanText)
const isEnd = Schema.is(Ended)

/** The account of an order, as the ledger names it. */
export const accountOf = ({ from, network }: Pick<Known, "from" | "network">): Account => ({
  network,
  address: from
})

/** So many blocks must have come before it is believed that others have spent coins of ours. */
const TAKEN = 6

/** Since when something is wrong, and how high the chain was then. */
const Trouble = Schema.Struct({ since: Schema.Number, height: Schema.Number })
type Trouble = typeof Trouble.Type

const Turn = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: Confirmed }),
  Schema.TaggedStruct("Refused", { error: Ended }),
  Schema.TaggedStruct("Waiting", {
    isMined: Schema.Boolean,
    trouble: Schema.optionalWith(Trouble, { exact: true })
  })
)
type Turn = typeof Turn.Type

const Reservation = Schema.Union(
  Schema.TaggedStruct("Done", { confirmed: Confirmed }),
  Schema.TaggedStruct("Reserved", { plan: Schema.String }),
  Schema.TaggedStruct("Waiting", {})
)
type Reservation = typeof Reservation.Type

/** What a look has found. `Gone`: nodes do not take it, since what it spends is not there any more. */
type Seen =
  | { readonly _tag: "Waiting"; readonly isMined: boolean }
  | { readonly _tag: "Mined"; readonly bytes: Bytes; readonly blockHash: string }
  | { readonly _tag: "Refused" | "Gone"; readonly error: SdkError.RpcError; readonly bytes: Bytes }

const WAITING: Seen = { _tag: "Waiting", isMined: false }

/** Core: no such transaction in the pool or in blocks. */
const UNKNOWN = -5

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const sumOf = (all: ReadonlyArray<{ readonly amount: bigint }>): bigint =>
  all.reduce((sum, { amount }) => sum + amount, 0n)

const capOf = ({ network, payment: { maxFee } }: Order, fee: bigint, { raiseUpTo }: Policy): bigint => {
  if (typeof maxFee === "bigint") return maxFee
  const most = maxFee === undefined ? Option.none() : Units.parse(maxFee, Network.info(network).decimals)
  return Option.getOrElse(most, () => (fee * BigInt(Math.round(raiseUpTo * 100))) / 100n)
}

/** Errors of a look: the store's, those of nodes, and of what signs. */
type LookError = SqlError | PrepareError | SdkError.SigningFailed | IsOver | CoinsTaken

/** The payments of an account. */
export const lineOf = ({ client, signer }: BitcoinAccount, coins: Coins, policy: Policy) => {
  const { rpc } = client
  const { address } = signer
  const account: Account = { network: client.network, address }
  const at = ({ key }: Order) => ({ ...account, key })
  const least = leastAmount(address, client.network) ?? 0n

  const find = (hash: string) =>
    rpc.getRawTransaction(hash, true).pipe(
      Effect.map((found) => (typeof found === "string" ? undefined : found)),
      Effect.catchIf(
        (error) => error._tag === "RpcError" && error.code === UNKNOWN,
        () => Effect.succeed(undefined)
      )
    )

  /** A preview that spends no coin of another payment. */
  const prepare = (payment: Order["payment"], more: ReadonlyArray<Coin> = []) =>
    Effect.flatMap(coins.busy(account), (busy) => signer.prepare({ ...payment, without: [...busy, ...more] }))

  /** The same payment with the double fee: of its change, and where that is too little of another coin. */
  const raise = (plan: Plan, before: Plan): Effect.Effect<Plan | undefined, SqlError> =>
    Effect.gen(function* () {
      const { transaction: old } = before
      const fee = smaller(old.fee * 2n, plan.cap)
      // nodes want as much more as it takes to relay it, which the first fee was enough for
      if (fee < old.fee + plan.transaction.fee) return undefined
      const [paid, change] = old.outputs
      if (paid === undefined) return undefined
      const of = (inputs: BitcoinTransaction["inputs"], wanted: bigint): Plan => {
        const rest = sumOf(inputs) - paid.amount - wanted
        const outputs = rest >= least ? [paid, { address, amount: rest }] : [paid]
        return { ...before, transaction: { ...old, inputs, outputs, fee: sumOf(inputs) - sumOf(outputs) } }
      }
      if (change !== undefined && old.fee + change.amount >= fee) {
        const raised = of(old.inputs, fee)
        if (raised.transaction.fee <= plan.cap) return raised
      }
      // what a payment to the account itself would spend is a coin that is there
      const found = yield* Effect.option(prepare({ to: address, amount: fee - old.fee + least }))
      if (Option.isNone(found)) return undefined
      const wanted = fee + found.value.fee
      return wanted > plan.cap ? undefined : of([...old.inputs, ...found.value.transaction.inputs], wanted)
    })

  /** The coins back to the account, with a fee that lets this take the place of what was signed before. */
  const back = (plan: Plan, before: Plan): Plan | undefined => {
    const { transaction: old } = before
    const fee = larger(smaller(old.fee * 2n, plan.cap), old.fee + plan.transaction.fee)
    const amount = sumOf(old.inputs) - fee
    return amount < least
      ? undefined
      : { ...before, transaction: { ...old, outputs: [{ address, amount }], fee } }
  }

  /** Signs the next round and keeps it. Gives back what is kept: another runner may have been first. */
  const sign = (
    order: Order,
    plan: Plan,
    purpose: Bytes["purpose"],
    newest: Bytes | undefined
  ): Effect.Effect<Bytes | undefined, LookError> =>
    Effect.gen(function* () {
      const before = newest === undefined ? undefined : yield* Effect.orDie(decodePlan(newest.plan))
      const next =
        before === undefined ? plan : purpose === "back" ? back(plan, before) : yield* raise(plan, before)
      if (next === undefined) return newest
      const { inputs } = next.transaction
      const had = before?.transaction.inputs.length ?? inputs.length
      const signed = yield* signer.sign({ ...next.transaction, replaceable: true })
      const kept = yield* coins.store(
        at(order),
        { ...signed, round: newest === undefined ? 0 : newest.round + 1, plan: encodePlan(next), purpose },
        inputs.slice(had).map(coinOf)
      )
      if (newest !== undefined) yield* Metric.increment(raised)
      return kept
    })

  /** Hands bytes of the database to nodes, with those of ours that have given what they spend where these are lost. */
  const hand = ({ plan, raw }: Bytes): Effect.Effect<string, SqlError | ReadError> =>
    Effect.catchTag(rpc.sendRawTransaction(raw), "RpcError", (error) =>
      Effect.gen(function* () {
        const { transaction } = yield* Effect.orDie(decodePlan(plan))
        const givers = yield* coins.givers(
          account.network,
          transaction.inputs.map(({ txid }) => txid)
        )
        if (givers.length === 0) return yield* error
        yield* Effect.forEach(givers, (giver) => Effect.ignore(rpc.sendRawTransaction(giver)))
        return yield* rpc.sendRawTransaction(raw)
      })
    )

  const look = (order: Order, plan: Plan, purpose: Bytes["purpose"]): Effect.Effect<Seen, LookError> =>
    Effect.gen(function* () {
      const known = yield* coins.bytes(at(order))
      let pooled: Bytes | undefined
      for (const bytes of known.toReversed()) {
        const found = yield* find(bytes.hash)
        if (found === undefined) continue
        const { blockhash, confirmations = 0 } = found
        if (typeof blockhash === "string" && confirmations > 0)
          return confirmations >= (order.confirmations ?? 1)
            ? { _tag: "Mined", bytes, blockHash: blockhash }
            : { _tag: "Waiting", isMined: true }
        pooled ??= bytes
      }
      const newest = known.at(-1)
      const now = yield* Clock.currentTimeMillis
      const isLate = newest !== undefined && now - newest.created >= Duration.toMillis(policy.raiseAfter)
      const isOther = newest?.purpose === "pay" && purpose === "back"
      const bytes =
        newest === undefined || isLate || isOther
          ? yield* sign(order, plan, newest?.purpose === "back" ? "back" : purpose, newest)
          : newest
      if (bytes === undefined || bytes.hash === pooled?.hash) return WAITING
      const taken = yield* Effect.either(hand(bytes))
      if (Either.isRight(taken)) return WAITING
      const error = taken.left
      if (error._tag !== "RpcError") return yield* Effect.fail(error)
      // one with a lower fee waits on, whatever becomes of that which should replace it
      if (pooled !== undefined || (yield* find(bytes.hash)) !== undefined) return WAITING
      const { transaction } = yield* Effect.orDie(decodePlan(bytes.plan))
      const outputs = yield* Effect.forEach(transaction.inputs, ({ txid, vout }) =>
        rpc.getTxOut(txid, vout, false)
      )
      return { _tag: outputs.includes(null) ? "Gone" : "Refused", error, bytes }
    })

  return {
    account,
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

const coinOf = ({ amount, txid, vout }: Coin): Coin => ({ amount, txid, vout })

type Line = ReturnType<typeof lineOf>

/** What a process needs for its payments. */
export interface Desk {
  readonly ledger: Ledger
  readonly coins: Coins
  readonly policy: Policy
}

const told = ending(Outcome)

/** Whether nothing but time is between an error and another try. */
const passes = (error: PrepareError): boolean =>
  !isEnd(error) ||
  error._tag === "RpcError" ||
  // what lists coins may be away
  (error._tag === "InvalidArgument" && error.call !== "prepare")

/** Whether an account has too little, even if all that its other payments give back were there. */
const isPoor = (
  { available, needed }: SdkError.InsufficientFunds,
  { network }: Order,
  busy: ReadonlyArray<Coin>
): boolean => {
  const units = (amount: string) =>
    Option.getOrElse(Units.parse(amount, Network.info(network).decimals), () => 0n)
  return units(needed) > units(available) + sumOf(busy)
}

/** A while of looking for coins, until a payment has them or cannot have them. */
const reserve = (desk: Desk, line: Line, order: Order): Effect.Effect<Reservation, Ended> =>
  Effect.gen(function* () {
    const { coins, ledger, policy } = desk
    const at = line.at(order)
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    const finish = (error: Ended) =>
      Effect.gen(function* () {
        yield* lasting(coins.giveBack(at, settle(ledger, at, Either.left(error))))
        return yield* Effect.fail(error)
      })
    const lost: Array<Coin> = []
    for (;;) {
      const tried = yield* Effect.either(
        Effect.gen(function* () {
          const { plan } = yield* ledger.enter(line.account, order.key, digestOf(order))
          if (plan !== undefined) return plan
          const { fee, transaction } = yield* line.prepare(order.payment, lost)
          const made = encodePlan({ transaction, cap: capOf(order, fee, policy) })
          return yield* coins.reserve(at, made, transaction.inputs.map(coinOf))
        }).pipe(line.turn.withPermits(1))
      )
      if (Either.isRight(tried)) return { _tag: "Reserved", plan: tried.right }
      const error = tried.left
      if (error._tag === "CoinsTaken") {
        lost.push(...error.coins)
        continue
      }
      if (error._tag === "IsOver") {
        const outcome = yield* told(desk.ledger, { ...accountOf(order), key: order.key })
        if (outcome !== undefined)
          return Either.isRight(outcome)
            ? { _tag: "Done", confirmed: outcome.right }
            : yield* Effect.fail(outcome.left)
      }
      const isOver = (yield* Clock.currentTimeMillis) >= until
      if (error._tag === "InsufficientFunds") {
        const busy = yield* lasting(coins.busy(line.account))
        // lists of coins are late: what has come with the last block may be missing in them
        if (isOver && isPoor(error, order, busy)) return yield* finish(error)
      } else if (error._tag !== "SqlError" && error._tag !== "IsOver" && isEnd(error) && !passes(error))
        return yield* finish(error)
      else yield* Effect.logDebug("tried again", error)
      if (isOver) return { _tag: "Waiting" }
      yield* Effect.sleep(policy.poll)
    }
  })

/** What a payment in the chain means to who has asked for it. */
const mined = (
  line: Line,
  { from, key, network }: Order,
  { blockHash, bytes }: Extract<Seen, { _tag: "Mined" }>,
  refusal: Ended | undefined
): Effect.Effect<Either.Either<Confirmed, Ended>, ReadError> =>
  Effect.gen(function* () {
    if (bytes.purpose === "back")
      return Either.left(
        refusal ??
          new SdkError.TransactionFailed({
            hash: bytes.hash,
            reason: "nodes refused the payment, and its coins were paid back to the account"
          })
      )
    const header = yield* line.rpc.getBlockHeader(blockHash, true)
    return typeof header === "string"
      ? yield* Effect.dieMessage("a node gave the bytes of a header that were not asked for")
      : Either.right({ key, network, from, hash: bytes.hash, block: header.height, blockHash })
  })

/** A while of looking at a payment, until something has come of it. */
const attend = (
  desk: Desk,
  line: Line,
  order: Order,
  given: { readonly plan: Plan; readonly refusal: Ended | undefined; readonly trouble: Trouble | undefined }
): Effect.Effect<Turn, Ended> =>
  Effect.gen(function* () {
    const { coins, ledger, policy } = desk
    const { plan, refusal } = given
    const at = line.at(order)
    const purpose = refusal === undefined ? "pay" : "back"
    const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(policy.attention)
    let { trouble } = given
    let isMined = false
    /** The end as the ledger has it. */
    const ended = (outcome: Either.Either<Confirmed, Ended>) =>
      Effect.gen(function* () {
        const kept = (yield* told(desk.ledger, { ...accountOf(order), key: order.key })) ?? outcome
        return Either.isRight(kept)
          ? { _tag: "Done" as const, confirmed: kept.right }
          : yield* Effect.fail(kept.left)
      })
    for (;;) {
      const looked = yield* Effect.either(
        Effect.gen(function* () {
          const seen = yield* line.look(order, plan, purpose)
          if (seen._tag === "Mined") return { seen, outcome: yield* mined(line, order, seen, refusal) }
          if (seen._tag === "Waiting") return { seen }
          return { seen, height: yield* line.height }
        })
      )
      const now = yield* Clock.currentTimeMillis
      const isOver = now >= until
      if (Either.isLeft(looked)) {
        const error = looked.left
        if (error._tag === "IsOver") {
          const outcome = yield* told(desk.ledger, { ...accountOf(order), key: order.key })
          if (outcome !== undefined) return yield* ended(outcome)
        }
        // a key that does not sign is asked for the whole of an attention; what it signed before may still land
        if (error._tag === "SigningFailed" && isOver) {
          const outcome = Either.left(error)
          if (yield* lasting(coins.giveBack(at, settle(ledger, at, outcome)))) return yield* ended(outcome)
        }
        yield* Effect.logDebug("tried again", error)
      } else {
        const { height, outcome, seen } = looked.right
        if (outcome !== undefined && seen._tag === "Mined") {
          const spent = (yield* Effect.orDie(decodePlan(seen.bytes.plan))).transaction.inputs
          yield* lasting(coins.land(at, spent, settle(ledger, at, outcome)))
          return yield* ended(outcome)
        }
        if ((seen._tag === "Refused" || seen._tag === "Gone") && height !== undefined) {
          trouble ??= { since: now, height }
          const isLong = now - trouble.since >= Duration.toMillis(policy.patience)
          if (isLong && seen._tag === "Refused" && purpose === "pay")
            return { _tag: "Refused", error: seen.error }
          if (isLong && seen._tag === "Gone" && height - trouble.height >= TAKEN) {
            const failed = Either.left(
              new SdkError.TransactionFailed({
                hash: seen.bytes.hash,
                reason: "what it spends is not there any more: somebody else has spent coins of the account"
              })
            )
            yield* lasting(settle(ledger, at, failed))
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
export const run = (find: (order: Order) => Effect.Effect<Line>, desk: Desk) =>
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
        error: Ended,
        execute: Effect.flatMap(find(order), (line) => reserve(desk, line, order))
      })
      if (found._tag === "Done") return found.confirmed
      if (found._tag === "Reserved") reserved = found.plan
      else yield* rest("wait", turn)
    }
    const plan = yield* Effect.orDie(decodePlan(reserved))
    let refusal: Ended | undefined
    let trouble: Trouble | undefined
    for (let turn = 0; ; turn++) {
      const given = { plan, refusal, trouble }
      const seen: Turn = yield* Activity.make({
        name: `attend/${turn}`,
        success: Turn,
        error: Ended,
        execute: Effect.flatMap(find(order), (line) => attend(desk, line, order, given))
      })
      if (seen._tag === "Done") return seen.confirmed
      if (seen._tag === "Refused") refusal = seen.error
      else {
        trouble = seen.trouble
        yield* rest("rest", turn)
      }
    }
  })
