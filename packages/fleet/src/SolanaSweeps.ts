/**
 * Durable sweeps of token addresses on Solana: an account pays the gas that an address lacks, and the address sends its tokens. Each
 * transaction is made once, whatever happens to the processes that make them.
 *
 * @since 0.1.0
 */
import type * as SqlClient from "@effect/sql/SqlClient"
import type * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as DurableTransactions from "./durable/DurableTransactions.js"
import type { Services } from "./engine.js"
import { SolanaTransactions } from "./SolanaTransactions.js"
import { defaults, type Policy, type SolanaAccount } from "./solana/AccountQueue.js"
import { Outcome } from "./solana/Order.js"
import { accountOf } from "./solana/SendWorkflow.js"
import {
  digestOf,
  SolanaSweep,
  SweepError,
  SweepOrder,
  type SweptTokens,
  sweepOutcome,
  toOrder
} from "./solana/Sweep.js"
import { makeSweeps } from "./sweep/sweepLayers.js"

export {
  type DurableTransactions,
  KeyReused,
  type SubmitError
} from "./durable/DurableTransactions.js"
export type { Policy, SolanaAccount } from "./solana/AccountQueue.js"
export { ConfirmedTransaction } from "./solana/Order.js"
export { SweepError, SweepOrder, SweptTokens } from "./solana/Sweep.js"

/**
 * Durable sweeps on Solana. Once `submit` has succeeded, the tokens are sent or the sweep fails with a typed error, even if every process
 * is killed. `send` waits for that; call it again with the same order to wait again. `result` looks up the outcome of a key.
 *
 * @since 0.1.0
 * @category services
 */
export class SolanaSweeps extends Context.Tag("@effect-chains/fleet/SolanaSweeps")<
  SolanaSweeps,
  DurableTransactions.DurableTransactions<SweepOrder, SweptTokens, SweepError>
>() {}

const sweeps = makeSweeps({
  name: "fleet/solana-sweeps",
  service: SolanaSweeps,
  transactions: SolanaTransactions,
  workflow: SolanaSweep,
  order: SweepOrder,
  outcome: Outcome,
  sweepError: SweepError,
  sweepOutcome,
  accountOf,
  digestOf,
  toOrder,
  executionId: (id, key) =>
    SolanaSweep.executionId({ order: { ...id, key, gas: id.from, token: "", to: "", maxGas: 0n } }),
  toSweepAccount: ({ client, signer }: SolanaAccount) => ({
    id: { network: client.network, from: signer.address },
    signer
  }),
  timing: defaults
})

/**
 * Durable sweeps in a process that submits orders and runs none, such as an API. Its runners have the keys.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerClient: Layer.Layer<
  SolanaSweeps,
  never,
  SqlClient.SqlClient | WorkflowEngine.WorkflowEngine
> = sweeps.layerClient

/**
 * Durable sweeps of these accounts, in a runner. Give it the accounts of its `SolanaTransactions`, which make the transactions: the addresses with
 * tokens and the accounts that pay gas.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: <E, R>(
  accounts: Effect.Effect<ReadonlyArray<SolanaAccount>, E, R>,
  policy?: Partial<Pick<Policy, "pollingInterval" | "suspendAfter">>
) => Layer.Layer<SolanaSweeps, E, R | SolanaTransactions | Services> = sweeps.layer
