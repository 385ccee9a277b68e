/**
 * Payments of Bitcoin, Bitcoin Cash, Litecoin and Dogecoin that are made exactly once, whatever happens to the processes that make them.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AccountQueue from "./bitcoin/AccountQueue.js"
import { type ConfirmedTransaction, digestOf, Order, Outcome, type SendError } from "./bitcoin/Order.js"
import * as Recovery from "./bitcoin/Recovery.js"
import { accountOf, BitcoinSend, makeExecute, type PaymentServices } from "./bitcoin/SendWorkflow.js"
import * as UtxoStore from "./bitcoin/UtxoStore.js"
import * as DurableTransactions from "./durable/DurableTransactions.js"
import type { Services } from "./engine.js"
import * as Ledger from "./Ledger.js"

export type { WithPolicy } from "effect-chains/effect/signers/policy"
export type {
  BitcoinAccount,
  BitcoinTransactionClient,
  Policy
} from "./bitcoin/AccountQueue.js"
export { ConfirmedTransaction, Order, SendError } from "./bitcoin/Order.js"
export {
  type DurableTransactions,
  KeyReused,
  type SubmitError
} from "./durable/DurableTransactions.js"

/**
 * Durable payments of Bitcoin and its kin. Once `submit` has succeeded, the payment is made or fails with a typed error, even if every
 * process is killed. `send` waits for that; call it again with the same order to wait again. `result` looks up the outcome of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class BitcoinTransactions extends Context.Tag("@effect-chains/fleet/BitcoinTransactions")<
  BitcoinTransactions,
  DurableTransactions.DurableTransactions<Order, ConfirmedTransaction, SendError>
>() {}

const family = {
  order: Order,
  outcome: Outcome,
  accountOf,
  digestOf,
  workflow: BitcoinSend
}

/**
 * Durable payments in a process that submits orders and runs none, such as an API. Its runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  BitcoinTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = DurableTransactions.makeLayerClient(BitcoinTransactions, family)

/**
 * Durable payments of these accounts, in a runner. Give every runner of a fleet the same accounts: one that lacks an account waits until another
 * runner takes its work. Keys stay in the processes; no key is in the database.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<AccountQueue.BitcoinAccount>, E, R>,
  policy: Partial<AccountQueue.Policy> = {}
): Layer.Layer<BitcoinTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const services: PaymentServices = {
        ledger: Ledger.make(sql),
        utxos: UtxoStore.make(sql),
        policy: { ...AccountQueue.defaults, ...policy }
      }
      const queues = DurableTransactions.toQueueMap(
        (yield* accounts).map((each) => AccountQueue.make(each, services.utxos, services.policy))
      )
      const execute = makeExecute(DurableTransactions.makeFindQueue(accountOf, queues), services)
      return DurableTransactions.makeLayer(BitcoinTransactions, family, {
        name: "fleet/bitcoin",
        queues,
        execute,
        recovery: Recovery.make(queues, services)
      })
    })
  )
