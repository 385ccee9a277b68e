/**
 * Durable sweeps of token addresses on EVM networks: an account pays the gas that an address lacks, and the address sends its tokens. Each
 * transaction is made once, whatever happens to the processes that make them.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as DurableTransactions from "./durable/DurableTransactions.js"
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
import { makeSweeps } from "./sweep/sweepLayers.js"

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

const sweeps = makeSweeps({
  name: "fleet/evm-sweeps",
  service: EvmSweeps,
  transactions: EvmTransactions,
  workflow: EvmSweep,
  order: SweepOrder,
  outcome: Outcome,
  sweepError: SweepError,
  sweepOutcome,
  accountOf,
  digestOf,
  toOrder,
  executionId: (id, key) =>
    EvmSweep.executionId({ order: { ...id, key, gas: id.from, token: "", to: "", maxGas: 0n } }),
  toSweepAccount: ({ client, signer }: EvmAccount) => ({
    id: { network: client.network, from: signer.address },
    signer,
    readBalance: Effect.suspend(() => client.rpc.getBalance(signer.address))
  }),
  timing: defaults
})

/**
 * Durable sweeps in a process that submits orders and runs none, such as an API. Its runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<EvmSweeps, never, SqlClient.SqlClient | WorkflowEngine.WorkflowEngine> =
  sweeps.layerClient

/**
 * Durable sweeps of these accounts, in a runner. Give it the accounts of its `EvmTransactions`, which make the transactions: the addresses with
 * tokens and the accounts that pay gas.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: <E, R>(
  accounts: Effect.Effect<ReadonlyArray<EvmAccount>, E, R>,
  policy?: Partial<Pick<Policy, "pollingInterval" | "suspendAfter">>
) => Layer.Layer<EvmSweeps, E, R | EvmTransactions | Services> = sweeps.layer
