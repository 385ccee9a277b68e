/**
 * Payments of workflows that died. One runner of the fleet drives them to their end. What was signed may still land, so it is sent and checked
 * as its workflow would have done; nothing else is signed.
 */
import * as Effect from "effect/Effect"
import { DEAD_UNSIGNED, isDead, recoverRepeatedly } from "../durable/deadWorkflows.js"
import type { Services } from "../engine.js"
import type { Entry, Ledger } from "../Ledger.js"
import type { AccountQueue, Policy } from "./AccountQueue.js"
import { poll, recordOutcome, SolanaSend } from "./SendWorkflow.js"
import type { SignedStore } from "./SignedStore.js"

/** Recovers payments of all accounts again and again. A round takes at least as long as a turn of a runner. */
export const make = (
  queues: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  store: SignedStore,
  policy: Policy
): Effect.Effect<void, never, Services> => {
  /** Payments that were dead and unsigned in the last round. A runner that has lost one may still work on it for one turn. */
  const deadUnsigned = new Set<string>()
  const recover = (queue: AccountQueue, entry: Entry) =>
    Effect.gen(function* () {
      const { key } = entry
      const { address: from, network } = queue.account
      const at = queue.keyOf({ key })
      const signed = yield* store.listSigned(at)
      // the id of an execution depends on these three alone
      const order = { key, network: queue.network, from, payment: { to: "", amount: 0n } }
      const id = yield* SolanaSend.executionId({ order })
      if (!(yield* isDead(SolanaSend, id, entry, signed.length > 0))) return
      const name = `${network}/${from}/${key}`
      if (signed.length > 0) {
        const polled = yield* poll(queue, store, policy, order, undefined)
        if (polled._tag === "Ended") yield* recordOutcome(ledger, at, polled.outcome)
      } else if (deadUnsigned.delete(name)) yield* recordOutcome(ledger, at, DEAD_UNSIGNED)
      else deadUnsigned.add(name)
    })
  return recoverRepeatedly(queues, policy.suspendAfter, ({ account }) => ledger.listOpen(account), recover)
}
