/**
 * Transactions of EVM networks that are made once, whatever becomes of the processes that make them.
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
import * as Asking from "./durable/Asking.js"
import { whileAway } from "./durable/Lasting.js"
import type { Services } from "./engine.js"
import * as Line from "./evm/Line.js"
import { type Confirmed, digestOf, type Ended, Order, Outcome } from "./evm/Order.js"
import { accountOf, EvmSend, run } from "./evm/Sending.js"
import * as Sweep from "./evm/Sweep.js"
import * as Ledger from "./Ledger.js"

export { type AskError, type Durable, KeyReused } from "./durable/Asking.js"
export type { EvmAccount, EvmNodes, Policy } from "./evm/Line.js"
export { Confirmed, Ended, Order } from "./evm/Order.js"

/**
 * Durable transactions of EVM networks. Once `submit` has succeeded, the transaction is made or has a typed end, though every process
 * should be killed; `send` waits for that, and may be called again with the same order to wait again. `result` tells what came of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class EvmTransactions extends Context.Tag("@effect-chains/fleet/EvmTransactions")<
  EvmTransactions,
  Asking.Durable<Order, Confirmed, Ended>
>() {}

const kind = {
  order: Order,
  outcome: Outcome,
  accountOf,
  digestOf,
  execute: (order: Order) => EvmSend.execute({ order }),
  begin: (order: Order) => EvmSend.execute({ order }, { discard: true })
}

/**
 * Durable transactions in a process that carries out none: an API, say, whose runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  EvmTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = Layer.effect(EvmTransactions, Asking.make(kind, undefined))

/**
 * Durable transactions of these accounts, in a process that carries them out. Every runner of a fleet has the same accounts; their keys
 * stay in the processes, and no key is in the database. One that lacks an account waits until another runner takes its work.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<Line.EvmAccount>, E, R>,
  policy: Partial<Line.Policy> = {}
): Layer.Layer<EvmTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const settings = { ...Line.defaults, ...policy }
      const ledger = Ledger.make(yield* SqlClient.SqlClient)
      const made = yield* Effect.forEach(yield* accounts, (each) => Line.make(each, ledger, settings))
      const lines = Asking.linesOf(made)
      const carrying = run(Asking.finding(accountOf, lines), ledger, settings)
      return Layer.mergeAll(
        EvmSend.toLayer(({ order }) => whileAway(carrying(order), Schedule.spaced("1 second"))),
        Singleton.make("fleet/evm", Sweep.make(lines, ledger, settings)),
        Layer.effect(EvmTransactions, Asking.make(kind, lines))
      )
    })
  )
