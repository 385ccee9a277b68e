/**
 * Recovers orders and nonces of workflows that died, and fills holes in the nonces of accounts. One runner of the fleet does this.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SdkError } from "effect-chains"
import { DEAD_UNSIGNED, isDead, recoverRepeatedly, toDeadOutcome } from "../durable/deadWorkflows.js"
import type { Services } from "../engine.js"
import type { Entry, Ledger } from "../Ledger.js"
import type { AccountQueue, Policy } from "./AccountQueue.js"
import { PlanText } from "./Order.js"
import { EvmSend, recordOutcome, toOutcome } from "./SendWorkflow.js"

const filledNonces = Metric.counter("fleet_nonces_filled", {
  description: "Nonces that were filled with an empty transaction, since nobody could use them",
  incremental: true
})

const pendingNonce = Metric.gauge("fleet_transactions_head", {
  description: "The first nonce of an account that has not ended"
})

const decodePlan = Schema.decodeOption(PlanText)

/** The least depth of an empty transaction, and of one that no workflow waits for. */
const MIN_CONFIRMATIONS = 12

/** Holes that are filled at once. */
const MAX_HOLES = 64

/** Whether the workflow of an entry has died. The id of an execution depends on its network, account and key alone. */
const isOrphan = ({ address: from, network }: AccountQueue, entry: Entry) =>
  Effect.flatMap(EvmSend.executionId({ order: { key: entry.key, network, from, transaction: {} } }), (id) =>
    isDead(EvmSend, id, entry, entry.nonce !== undefined)
  )

/** Drives a nonce to its end. What was signed is sent. An unsigned nonce is filled, and so is one that nodes refuse for too long. */
const finishNonce = (
  queue: AccountQueue,
  ledger: Ledger,
  { giveUpAfter }: Policy,
  entry: Entry,
  nonce: number
) =>
  Effect.gen(function* () {
    const signed = yield* ledger.listSigned(queue.account, nonce)
    const purpose = entry.state === "open" && signed.length > 0 ? "pay" : "fill"
    if (purpose === "fill" && entry.state === "open") yield* ledger.abandonNonce(entry)
    const plan = Option.getOrUndefined(decodePlan(entry.plan ?? ""))
    const seen = yield* queue.checkNonce({
      nonce,
      purpose,
      plan: purpose === "fill" ? undefined : plan,
      confirmations: Math.max(MIN_CONFIRMATIONS, plan?.confirmations ?? 1)
    })
    if (seen._tag === "Mined" && seen.signed.purpose === "pay")
      yield* recordOutcome(
        ledger,
        entry,
        toOutcome({ ...entry, network: queue.network, from: queue.address }, nonce, seen)
      )
    else if (seen._tag === "Taken")
      yield* recordOutcome(
        ledger,
        entry,
        Either.left(new SdkError.NonceTaken({ address: queue.address, nonce }))
      )
    else if (seen._tag === "Refused") {
      if ((yield* Clock.currentTimeMillis) - seen.since >= Duration.toMillis(giveUpAfter))
        yield* ledger.abandonNonce(entry)
    } else if (seen._tag === "Mined") {
      yield* Metric.increment(filledNonces)
      yield* recordOutcome(ledger, entry, toDeadOutcome("and its nonce was filled"))
    }
  })

/** Fills nonces that neither the chain nor an open entry has. Transactions that we have signed for them are sent again. */
const fillHoles = (queue: AccountQueue, ledger: Ledger, from: number, to: number) =>
  Effect.forEach(
    Array.from({ length: Math.min(MAX_HOLES, to - from) }, (_, i) => from + i),
    (nonce) =>
      Effect.gen(function* () {
        const newest = (yield* ledger.listSigned(queue.account, nonce)).at(-1)
        if (newest !== undefined) return yield* queue.broadcast(newest)
        yield* ledger.createFiller(queue.account, nonce, "")
      }),
    { discard: true }
  )

/** Recovers orders that have no nonce. */
const recoverOrders = (
  queues: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  { suspendAfter }: Policy
): Effect.Effect<void, never, Services> =>
  recoverRepeatedly(
    queues,
    suspendAfter,
    ({ account }) =>
      Effect.map(ledger.listOpen(account), (entries) => entries.filter(({ nonce }) => nonce === undefined)),
    // an order that has got its nonce meanwhile does not end here: it is recovered with its nonce
    (queue, entry) =>
      Effect.gen(function* () {
        if (yield* isOrphan(queue, entry)) yield* recordOutcome(ledger, entry, DEAD_UNSIGNED)
      })
  )

/** Recovers nonces, and fills holes. */
const recoverNonces = (
  queues: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  policy: Policy
): Effect.Effect<void, never, Services> => {
  /** The transaction count of the chain in the last round, where it had a hole. A single node may be behind, so it takes two rounds. */
  const holes = new Map<AccountQueue, number>()
  const checkHoles = (queue: AccountQueue, nonce: number) =>
    Effect.gen(function* () {
      yield* Metric.set(
        Metric.tagged(Metric.tagged(pendingNonce, "network", queue.network), "address", queue.address),
        nonce
      )
      const count = yield* queue.transactionCount
      if (count < nonce) {
        if (holes.get(queue) === count) yield* fillHoles(queue, ledger, count, nonce)
        holes.set(queue, count)
      } else holes.delete(queue)
    })
  return recoverRepeatedly(
    queues,
    Duration.min(policy.suspendAfter, "5 seconds"),
    (queue) =>
      Effect.tap(ledger.listPending(queue.account), ([first]) =>
        first?.nonce === undefined ? Effect.void : checkHoles(queue, first.nonce)
      ),
    (queue, entry) =>
      Effect.gen(function* () {
        const { nonce } = entry
        if (nonce !== undefined && (entry.state === "filling" || (yield* isOrphan(queue, entry))))
          yield* finishNonce(queue, ledger, policy, entry, nonce)
      })
  )
}

/** Recovers orders and nonces of all accounts again and again. */
export const make = (
  queues: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  policy: Policy
): Effect.Effect<void, never, Services> =>
  Effect.all([recoverNonces(queues, ledger, policy), recoverOrders(queues, ledger, policy)], {
    concurrency: "unbounded",
    discard: true
  })
