/**
 * Coins that nobody looks after: those of workflows that died. One runner of the fleet does this. Coins for which nothing was signed are
 * given back; what was signed may land whatever is said here, so it is seen through as its workflow would have done.
 */
import * as Effect from "effect/Effect"
import { isDead, tending, unsigned } from "../durable/dead.js"
import type { Services } from "../engine.js"
import type { Entry } from "../Ledger.js"
import {
  attend,
  BitcoinSend,
  type Desk,
  decodePlan,
  type Given,
  type Line,
  settle,
  TAKEN
} from "./Sending.js"

/** Whether the workflow of an entry has died: an execution is named after these alone. */
const isOrphan = ({ account: { address: from }, network }: Line, entry: Entry) =>
  Effect.flatMap(
    BitcoinSend.executionId({ order: { key: entry.key, network, from, payment: { to: "", amount: 0n } } }),
    (id) => isDead(BitcoinSend, id, entry, entry.plan !== undefined)
  )

/** Looks after all accounts again and again. */
export const make = (lines: ReadonlyMap<string, Line>, desk: Desk): Effect.Effect<void, never, Services> => {
  const { coins, ledger, policy } = desk
  /** What is known of payments that are seen through, by their lines and keys: who begins anew waits longer. */
  const before = new Map<string, Pick<Given, "refusal" | "trouble">>()
  const tend = (line: Line, entry: Entry) =>
    Effect.gen(function* () {
      if (!(yield* isOrphan(line, entry))) return
      const { key, plan = "" } = entry
      const at = line.at({ key })
      if (yield* coins.giveBack(at, settle(ledger, at, unsigned))) return
      const name = `${line.network}/${line.account.address}/${key}`
      const given: Given = { plan: yield* decodePlan(plan), ...before.get(name) }
      const confirmations = Math.max(TAKEN, given.plan.confirmations ?? 1)
      const order = { key, network: line.network, from: line.account.address, confirmations }
      before.delete(name)
      const turn = yield* attend(desk, line, order, given)
      if (turn._tag === "Refused") before.set(name, { refusal: turn.error })
      if (turn._tag === "Waiting") before.set(name, { refusal: given.refusal, trouble: turn.trouble })
    })
  return tending(lines, policy.attention, ({ account }) => ledger.open(account), tend)
}
