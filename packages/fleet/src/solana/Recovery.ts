/**
 * Payments that nobody looks after: those of workflows that died. One runner of the fleet does this. What was signed may land whatever is
 * said here, so it is handed on and looked for as its workflow would have done; nothing else is signed.
 */
import * as Effect from "effect/Effect"
import { DEAD_UNSIGNED, isDead, recoverRepeatedly } from "../durable/deadWorkflows.js"
import type { Services } from "../engine.js"
import type { Entry, Ledger } from "../Ledger.js"
import { type AccountQueue, type Policy, poll, recordOutcome, SolanaSend } from "./SendWorkflow.js"
import type { SignedStore } from "./SignedStore.js"

/** Looks after all accounts again and again, not sooner than what a runner is at has come to an end. */
export const make = (
  queues: ReadonlyMap<string, AccountQueue>,
  ledger: Ledger,
  signed: SignedStore,
  policy: Policy
): Effect.Effect<void, never, Services> => {
  /** Those of which nothing was signed when they were seen dead: a runner that has lost its work may be at it for one attention more. */
  const deadUnsigned = new Set<string>()
  const recover = (line: AccountQueue, entry: Entry) =>
    Effect.gen(function* () {
      const { key } = entry
      const { address: from, network } = line.account
      const at = line.at({ key })
      const bytes = yield* signed.listSigned(at)
      // an execution is named after these alone
      const order = { key, network: line.network, from, payment: { to: "", amount: 0n } }
      const id = yield* SolanaSend.executionId({ order })
      if (!(yield* isDead(SolanaSend, id, entry, bytes.length > 0))) return
      const name = `${network}/${from}/${key}`
      if (bytes.length > 0) {
        const come = yield* poll(line, signed, policy, order, undefined)
        if (come._tag === "Over") yield* recordOutcome(ledger, at, come.outcome)
      } else if (deadUnsigned.delete(name)) yield* recordOutcome(ledger, at, DEAD_UNSIGNED)
      else deadUnsigned.add(name)
    })
  return recoverRepeatedly(queues, policy.attention, ({ account }) => ledger.listOpen(account), recover)
}
