/**
 * Payments of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin that are made once, whatever becomes of the processes that make them.
 *
 * @since 0.1.0
 */
import * as Singleton from "@effect/cluster/Singleton"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Coins from "./bitcoin/Coins.js"
import { type Confirmed, digestOf, type Ended, Order, Outcome } from "./bitcoin/Order.js"
import {
  accountOf,
  type BitcoinAccount,
  BitcoinSend,
  type Desk,
  defaults,
  lineOf,
  type Policy,
  run
} from "./bitcoin/Sending.js"
import * as Sweep from "./bitcoin/Sweep.js"
import * as Asking from "./durable/Asking.js"
import { whileAway } from "./durable/Lasting.js"
import type { Services } from "./engine.js"
import * as Ledger from "./Ledger.js"

export { Confirmed, Ended, Order } from "./bitcoin/Order.js"
export type { BitcoinAccount, BitcoinNodes, Policy } from "./bitcoin/Sending.js"
export { type AskError, type Durable, KeyReused } from "./durable/Asking.js"

/**
 * Durable payments of Bitcoin and its kin. Once `submit` has succeeded, the payment is made or has a typed end, though every process
 * should be killed; `send` waits for that, and may be called again with the same order to wait again. `result` tells what came of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class BitcoinTransactions extends Context.Tag("@effect-chains/fleet/BitcoinTransactions")<
  BitcoinTransactions,
  Asking.Durable<Order, Confirmed, Ended>
>() {}

const kind = {
  order: Order,
  outcome: Outcome,
  accountOf,
  digestOf,
  execute: (order: Order) => BitcoinSend.execute({ order }),
  begin: (order: Order) => BitcoinSend.execute({ order }, { discard: true })
}

/**
 * Durable payments in a process that carries out none: an API, say, whose runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  BitcoinTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = Layer.effect(BitcoinTransactions, Asking.make(kind, undefined))

/**
 * Durable payments of these accounts, in a process that carries them out. Every runner of a fleet has the same accounts; their keys stay
 * in the processes, and no key is in the database. One that lacks an account waits until another runner takes its work.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<BitcoinAccount>, E, R>,
  policy: Partial<Policy> = {}
): Layer.Layer<BitcoinTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const desk: Desk = {
        ledger: Ledger.make(sql),
        coins: Coins.make(sql),
        policy: { ...defaults, ...policy }
      }
      const lines = Asking.linesOf((yield* accounts).map((each) => lineOf(each, desk.coins, desk.policy)))
      const carrying = run(Asking.finding(accountOf, lines), desk)
      return Layer.mergeAll(
        BitcoinSend.toLayer(({ order }) => whileAway(carrying(order), Schedule.spaced("1 second"))),
        Singleton.make("fleet/bitcoin", Sweep.make(lines, desk)),
        Layer.effect(BitcoinTransactions, Asking.make(kind, lines))
      )
    })
  )
