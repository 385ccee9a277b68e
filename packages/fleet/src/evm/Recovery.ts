/**
 * What nobody looks after: orders and nonces of workflows that died, and holes before nonces of others. One runner of the fleet does this.
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

/** So deep an empty transaction has to be, and one that nobody waits for: at least so deep, if it was wanted deeper. */
const MIN_CONFIRMATIONS = 12

/** Holes that are filled at once. */
const MAX_HOLES = 64

/** Whether the workflow of an entry has died: an execution is named after these alone. */
const isOrphan = ({ address: from, network }: AccountQueue, entry: Entry) =>
  Effect.flatMap(EvmSend.executionId({ order: { key: entry.key, network, from, transaction: {} } }), (id) =>
    isDead(EvmSend, id, entry, entry.nonce !== undefined)
  )

/** Sees a nonce through: what was signed for it is paid; what was not is filled, and so is what nodes refuse for too long. */
const finishNonce = (line: AccountQueue, ledger: Ledger, { patience }: Policy, entry: Entry, nonce: number) =>
  Effect.gen(function* () {
    const signed = yield* ledger.listSigned(line.account, nonce)
    const purpose = entry.state === "open" && signed.length > 0 ? "pay" : "fill"
    if (purpose === "fill" && entry.state === "open") yield* ledger.abandonNonce(entry)
    const asked = Option.getOrUndefined(decodePlan(entry.plan ?? ""))
    const seen = yield* line.look({
      nonce,
      purpose,
      plan: purpose === "fill" ? undefined : asked,
      confirmations: Math.max(MIN_CONFIRMATIONS, asked?.confirmations ?? 1)
    })
    if (seen._tag === "Mined" && seen.bytes.purpose === "pay")
      yield* recordOutcome(
        ledger,
        entry,
        toOutcome({ ...entry, network: line.network, from: line.address }, nonce, seen)
      )
    else if (seen._tag === "Taken")
      yield* recordOutcome(
        ledger,
        entry,
        Either.left(new SdkError.NonceTaken({ address: line.address, nonce }))
      )
    else if (seen._tag === "Refused") {
      if ((yield* Clock.currentTimeMillis) - seen.since >= Duration.toMillis(patience))
        yield* ledger.abandonNonce(entry)
    } else if (seen._tag === "Mined") {
      yield* Metric.increment(filledNonces)
      yield* recordOutcome(ledger, entry, toDeadOutcome("and its nonce was filled"))
    }
  })

/** Nonces before the first one of ours that the chain does not have: ours of before are handed on again, and others are filled. */
const fillHoles = (line: AccountQueue, ledger: Ledger, from: number, to: number) =>
  Effect.forEach(
    Array.from({ length: Math.min(MAX_HOLES, to - from) }, (_, i) => from + i),
    (nonce) =>
      Effect.gen(function* () {
        const newest = (yield* ledger.listSigned(line.account, nonce)).at(-1)
        if (newest !== undefined) return yield* line.hand(newest)
        yield* ledger.createFiller(line.account, nonce, "")
      }),
    { discard: true }
  )

/** Looks after the orders of all accounts that have no nonce. */
const recoverOrders = (
  lines: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  { attention }: Policy
): Effect.Effect<void, never, Services> =>
  recoverRepeatedly(
    lines,
    attention,
    ({ account }) =>
      Effect.map(ledger.listOpen(account), (entries) => entries.filter(({ nonce }) => nonce === undefined)),
    // one that has got its nonce meanwhile has not ended: it is looked after as the others are that have one
    (line, entry) =>
      Effect.gen(function* () {
        if (yield* isOrphan(line, entry)) yield* recordOutcome(ledger, entry, DEAD_UNSIGNED)
      })
  )

/** Looks after the nonces of all accounts. */
const recoverNonces = (
  lines: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  policy: Policy
): Effect.Effect<void, never, Services> => {
  /** How many transactions the chain had where a hole was seen: a single node may be behind. */
  const holes = new Map<AccountQueue, number>()
  const checkHoles = (line: AccountQueue, nonce: number) =>
    Effect.gen(function* () {
      yield* Metric.set(
        Metric.tagged(Metric.tagged(pendingNonce, "network", line.network), "address", line.address),
        nonce
      )
      const count = yield* line.count
      if (count < nonce) {
        if (holes.get(line) === count) yield* fillHoles(line, ledger, count, nonce)
        holes.set(line, count)
      } else holes.delete(line)
    })
  return recoverRepeatedly(
    lines,
    Duration.min(policy.attention, "5 seconds"),
    (line) =>
      Effect.tap(ledger.listPending(line.account), ([first]) =>
        first?.nonce === undefined ? Effect.void : checkHoles(line, first.nonce)
      ),
    (line, entry) =>
      Effect.gen(function* () {
        const { nonce } = entry
        if (nonce !== undefined && (entry.state === "filling" || (yield* isOrphan(line, entry))))
          yield* finishNonce(line, ledger, policy, entry, nonce)
      })
  )
}

/** Looks after all accounts again and again. */
export const make = (
  lines: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  policy: Policy
): Effect.Effect<void, never, Services> =>
  Effect.all([recoverNonces(lines, ledger, policy), recoverOrders(lines, ledger, policy)], {
    concurrency: "unbounded",
    discard: true
  })
