/**
 * Transactions of EVM networks that are made exactly once, whatever happens to the processes that make them.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as DurableTransactions from "./durable/DurableTransactions.js"
import type { Services } from "./engine.js"
import * as AccountQueue from "./evm/AccountQueue.js"
import { type ConfirmedTransaction, digestOf, Order, Outcome, type SendError } from "./evm/Order.js"
import * as Recovery from "./evm/Recovery.js"
import { accountOf, EvmSend, makeExecute } from "./evm/SendWorkflow.js"
import * as Ledger from "./Ledger.js"

export type { WithPolicy } from "effect-chains/effect/signers/policy"
export {
  type DurableTransactions,
  KeyReused,
  type SubmitError
} from "./durable/DurableTransactions.js"
export type { EvmAccount, EvmTransactionClient, Policy } from "./evm/AccountQueue.js"
export { ConfirmedTransaction, Order, SendError } from "./evm/Order.js"

/**
 * Durable transactions of EVM networks. Once `submit` has succeeded, the transaction is made or fails with a typed error, even if every
 * process is killed. `send` waits for that; call it again with the same order to wait again. `result` looks up the outcome of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class EvmTransactions extends Context.Tag("@effect-chains/fleet/EvmTransactions")<
  EvmTransactions,
  DurableTransactions.DurableTransactions<Order, ConfirmedTransaction, SendError>
>() {}

const family = {
  order: Order,
  outcome: Outcome,
  accountOf,
  digestOf,
  workflow: EvmSend
}

/**
 * Durable transactions in a process that submits orders and runs none, such as an API. Its runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  EvmTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = DurableTransactions.makeLayerClient(EvmTransactions, family)

/**
 * Durable transactions of these accounts, in a runner. Give every runner of a fleet the same accounts: one that lacks an account waits
 * until another runner takes its work. Keys stay in the processes; no key is in the database.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<AccountQueue.EvmAccount>, E, R>,
  policy: Partial<AccountQueue.Policy> = {}
): Layer.Layer<EvmTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const settings = { ...AccountQueue.defaults, ...policy }
      const ledger = Ledger.make(yield* SqlClient.SqlClient)
      const all = yield* Effect.forEach(yield* accounts, (each) => AccountQueue.make(each, ledger, settings))
      const queues = DurableTransactions.toQueueMap(all)
      const execute = makeExecute(DurableTransactions.makeFindQueue(accountOf, queues), ledger, settings)
      return DurableTransactions.makeLayer(EvmTransactions, family, {
        name: "fleet/evm",
        queues,
        execute,
        recovery: Recovery.make(queues, ledger, settings)
      })
    })
  )
