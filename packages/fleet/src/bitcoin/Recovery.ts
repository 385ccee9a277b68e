/**
 * Coins that nobody looks after: those of workflows that died. One runner of the fleet does this. Coins for which nothing was signed are
 * given back; what was signed may land whatever is said here, so it is seen through as its workflow would have done.
 */
import * as Effect from "effect/Effect"
import { DEAD_UNSIGNED, isDead, recoverRepeatedly } from "../durable/deadWorkflows.js"
import type { Services } from "../engine.js"
import type { Entry } from "../Ledger.js"
import {
  type AccountQueue,
  BitcoinSend,
  decodePlan,
  type PaymentServices,
  type PollState,
  poll,
  recordOutcome,
  TAKEN_DEPTH
} from "./SendWorkflow.js"

/** Whether the workflow of an entry has died: an execution is named after these alone. */
const isOrphan = ({ account: { address: from }, network }: AccountQueue, entry: Entry) =>
  Effect.flatMap(
    BitcoinSend.executionId({ order: { key: entry.key, network, from, payment: { to: "", amount: 0n } } }),
    (id) => isDead(BitcoinSend, id, entry, entry.plan !== undefined)
  )

/** Looks after all accounts again and again. */
export const make = (
  lines: ReadonlyMap<string, AccountQueue>,
  desk: PaymentServices
): Effect.Effect<void, never, Services> => {
  const { utxos, ledger, policy } = desk
  /** What is known of payments that are seen through, by their lines and keys: who begins anew waits longer. */
  const polled = new Map<string, Pick<PollState, "refusal" | "trouble">>()
  const recover = (line: AccountQueue, entry: Entry) =>
    Effect.gen(function* () {
      if (!(yield* isOrphan(line, entry))) return
      const { key, plan = "" } = entry
      const at = line.at({ key })
      if (yield* utxos.endUnsigned(at, recordOutcome(ledger, at, DEAD_UNSIGNED))) return
      const name = `${line.network}/${line.account.address}/${key}`
      const given: PollState = { plan: yield* decodePlan(plan), ...polled.get(name) }
      const confirmations = Math.max(TAKEN_DEPTH, given.plan.confirmations ?? 1)
      const order = { key, network: line.network, from: line.account.address, confirmations }
      polled.delete(name)
      const turn = yield* poll(desk, line, order, given)
      if (turn._tag === "Refused") polled.set(name, { refusal: turn.error })
      if (turn._tag === "Waiting") polled.set(name, { refusal: given.refusal, trouble: turn.trouble })
    })
  return recoverRepeatedly(lines, policy.attention, ({ account }) => ledger.listOpen(account), recover)
}
