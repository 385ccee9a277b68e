/**
 * Payments of workflows that died. One runner of the fleet drives them to their end. Outputs of a payment that was never signed are released.
 * What was signed may still land, so it is sent and checked as its workflow would have done.
 */
import * as Effect from "effect/Effect"
import { DEAD_UNSIGNED, isDead, recoverRepeatedly } from "../durable/deadWorkflows.js"
import type { Services } from "../engine.js"
import type { Entry } from "../Ledger.js"
import { type AccountQueue, decodePlan } from "./AccountQueue.js"
import {
  BitcoinSend,
  type PaymentServices,
  type PollState,
  poll,
  recordOutcome,
  TAKEN_DEPTH
} from "./SendWorkflow.js"

/** Whether the workflow of an entry has died. The id of an execution depends on its network, account and key alone. */
const isOrphan = ({ account: { address: from }, network }: AccountQueue, entry: Entry) =>
  Effect.flatMap(
    BitcoinSend.executionId({ order: { key: entry.key, network, from, payment: { to: "", amount: 0n } } }),
    (id) => isDead(BitcoinSend, id, entry, entry.plan !== undefined)
  )

/** Recovers payments of all accounts again and again. */
export const make = (
  queues: ReadonlyMap<string, AccountQueue>,
  services: PaymentServices
): Effect.Effect<void, never, Services> => {
  const { utxos, ledger, policy } = services
  /** What the last rounds know of payments, by account and key: without it they would wait anew. */
  const polled = new Map<string, Pick<PollState, "refusal" | "problem">>()
  const recover = (queue: AccountQueue, entry: Entry) =>
    Effect.gen(function* () {
      if (!(yield* isOrphan(queue, entry))) return
      const { key, plan = "" } = entry
      const at = queue.keyOf({ key })
      if (yield* utxos.endUnsigned(at, recordOutcome(ledger, at, DEAD_UNSIGNED))) return
      const name = `${queue.network}/${queue.account.address}/${key}`
      const state: PollState = { plan: yield* decodePlan(plan), ...polled.get(name) }
      const confirmations = Math.max(TAKEN_DEPTH, state.plan.confirmations ?? 1)
      const order = { key, network: queue.network, from: queue.account.address, confirmations }
      polled.delete(name)
      const result = yield* poll(services, queue, order, state)
      if (result._tag === "Refused") polled.set(name, { refusal: result.error })
      if (result._tag === "Waiting") polled.set(name, { refusal: state.refusal, problem: result.problem })
    })
  return recoverRepeatedly(queues, policy.suspendAfter, ({ account }) => ledger.listOpen(account), recover)
}
