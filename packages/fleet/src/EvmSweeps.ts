/**
 * Durable sweeps of token addresses on EVM networks: an account pays the gas that an address lacks, and the address sends its tokens. Each
 * transaction is made once, whatever happens to the processes that make them.
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
import * as DurableTransactions from "./durable/DurableTransactions.js"
import { retryWhileUnavailable } from "./durable/retries.js"
import { EvmTransactions } from "./EvmTransactions.js"
import type { Services } from "./engine.js"
import { defaults, type EvmAccount, type Policy } from "./evm/AccountQueue.js"
import { Outcome } from "./evm/Order.js"
import { accountOf } from "./evm/SendWorkflow.js"
import {
  digestOf,
  EvmSweep,
  SweepError,
  SweepOrder,
  type SweptTokens,
  sweepOutcome,
  toOrder
} from "./evm/Sweep.js"
import * as Ledger from "./Ledger.js"
import { makeExecute, makeRecovery, sweepAccountOf, withGasAccounts } from "./sweep/sweepWorkflow.js"

export {
  type DurableTransactions,
  KeyReused,
  type SubmitError
} from "./durable/DurableTransactions.js"
export type { EvmAccount, Policy } from "./evm/AccountQueue.js"
export { ConfirmedTransaction } from "./evm/Order.js"
export { SweepError, SweepOrder, SweptTokens } from "./evm/Sweep.js"

/**
 * Durable sweeps on EVM networks. Once `submit` has succeeded, the tokens are sent or the sweep fails with a typed error, even if every process
 * is killed. `send` waits for that; call it again with the same order to wait again. `result` looks up the outcome of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class EvmSweeps extends Context.Tag("@effect-chains/fleet/EvmSweeps")<
  EvmSweeps,
  DurableTransactions.DurableTransactions<SweepOrder, SweptTokens, SweepError>
>() {}

const family = {
  order: SweepOrder,
  outcome: sweepOutcome,
  accountOf: sweepAccountOf(accountOf),
  digestOf,
  execute: (order: SweepOrder) => EvmSweep.execute({ order }),
  start: (order: SweepOrder) => EvmSweep.execute({ order }, { discard: true })
}

/** What a runner knows an account by. */
const toSweepAccount = ({ client, signer }: EvmAccount) => ({
  account: accountOf({ network: client.network, from: signer.address }),
  network: client.network,
  signer,
  readBalance: Effect.suspend(() => client.rpc.getBalance(signer.address))
})

/**
 * Durable sweeps in a process that submits orders and runs none, such as an API. Its runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<EvmSweeps, never, SqlClient.SqlClient | WorkflowEngine.WorkflowEngine> =
  Layer.effect(EvmSweeps, DurableTransactions.make(family, undefined))

/**
 * Durable sweeps of these accounts, in a runner. Give it the accounts of its `EvmTransactions`, which make the transactions: the addresses with
 * tokens and the accounts that pay gas.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  accounts: Effect.Effect<ReadonlyArray<EvmAccount>, E, R>,
  policy: Partial<Pick<Policy, "pollingInterval" | "suspendAfter">> = {}
): Layer.Layer<EvmSweeps, E, R | EvmTransactions | Services> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const all = (yield* accounts).map(toSweepAccount)
      const ledger = Ledger.make(yield* SqlClient.SqlClient)
      const settings = { ...defaults, ...policy }
      const parts = {
        findAccount: DurableTransactions.makeFindQueue(accountOf, DurableTransactions.toQueueMap(all)),
        transactions: yield* EvmTransactions,
        toOrder,
        outcome: Outcome,
        sweepError: SweepError,
        sweepOutcome,
        accountOf
      }
      const execute = makeExecute(parts, ledger, settings)
      const ids = all.map(({ network, signer }) => ({ network, from: signer.address }))
      const recovery = makeRecovery(
        parts,
        EvmSweep,
        // the id of an execution depends on network, address and key alone
        (account, key) =>
          EvmSweep.executionId({
            order: { ...account, key, gas: account.from, token: "", to: "", maxGas: 0n }
          }),
        ids,
        ledger,
        settings.suspendAfter
      )
      const queues = DurableTransactions.toQueueMap(ids.map((id) => ({ account: family.accountOf(id) })))
      return Layer.mergeAll(
        EvmSweep.toLayer(({ order }) => retryWhileUnavailable(execute(order), Schedule.spaced("1 second"))),
        Singleton.make("fleet/evm-sweeps", recovery),
        Layer.effect(
          EvmSweeps,
          Effect.map(DurableTransactions.make(family, queues), withGasAccounts(family.accountOf, queues))
        )
      )
    })
  )
