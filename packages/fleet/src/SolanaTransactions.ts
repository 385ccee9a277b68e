/**
 * Payments of Solana that are made exactly once, whatever happens to the processes that make them.
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
import * as Ledger from "./Ledger.js"
import * as AccountQueue from "./solana/AccountQueue.js"
import { type ConfirmedTransaction, digestOf, Order, Outcome, type SendError } from "./solana/Order.js"
import * as Recovery from "./solana/Recovery.js"
import { accountOf, makeExecute, SolanaSend } from "./solana/SendWorkflow.js"
import * as SignedStore from "./solana/SignedStore.js"

export type { WithPolicy } from "effect-chains/effect/signers/policy"
export {
  type DurableTransactions,
  KeyReused,
  type SubmitError
} from "./durable/DurableTransactions.js"
export type { Policy, SolanaAccount, SolanaTransactionClient } from "./solana/AccountQueue.js"
export { ConfirmedTransaction, Order, SendError } from "./solana/Order.js"

/**
 * Durable payments of Solana. Once `submit` has succeeded, the payment is made or fails with a typed error, even if every process is killed.
 * `send` waits for that; call it again with the same order to wait again. `result` looks up the outcome of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class SolanaTransactions extends Context.Tag("@effect-chains/fleet/SolanaTransactions")<
  SolanaTransactions,
  DurableTransactions.DurableTransactions<Order, ConfirmedTransaction, SendError>
>() {}

const family = {
  order: Order,
  outcome: Outcome,
  accountOf,
  digestOf,
  workflow: SolanaSend
}

/**
 * Durable payments in a process that submits orders and runs none, such as an API. Its runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  SolanaTransactions,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = DurableTransactions.makeLayerClient(SolanaTransactions, family)

/**
 * Durable payments of these accounts, in a runner. Give every runner of a fleet the same accounts: one that lacks an account waits until another
 * runner takes its work. Keys stay in the processes; no key is in the database.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<AccountQueue.SolanaAccount>, E, R>,
  policy: Partial<AccountQueue.Policy> = {}
): Layer.Layer<SolanaTransactions, E, R | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const signed = SignedStore.make(sql)
      const queues = DurableTransactions.toQueueMap(
        (yield* accounts).map((each) => AccountQueue.make(each, signed))
      )
      const find = DurableTransactions.makeFindQueue(accountOf, queues)
      const ledger = Ledger.make(sql)
      const settings = { ...AccountQueue.defaults, ...policy }
      const execute = makeExecute(find, ledger, signed, settings)
      return DurableTransactions.makeLayer(SolanaTransactions, family, {
        name: "fleet/solana",
        queues,
        execute,
        recovery: Recovery.make(queues, ledger, signed, settings)
      })
    })
  )
