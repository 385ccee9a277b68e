/**
 * Simulations of prepared transactions for Promise clients: `effect-chains/signers/simulate`.
 *
 * ```ts
 * const { data, error } = await simulate(sdk, prepared)
 * ```
 *
 * @since 0.1.0
 */
import { type PromisedClient, promisifyMake } from "./client/promiseBridge.js"
import type { Result } from "./data/CallResult.js"
import type { Prepared } from "./signers/Signer.js"
import * as Simulate from "./signers/simulate.js"

export type {
  AlgorandSimulationCalls,
  AlgorandSimulationClient,
  Approval,
  BalanceChange,
  BitcoinSimulationCalls,
  BitcoinSimulationClient,
  CosmosSimulationCalls,
  CosmosSimulationClient,
  EvmSimulationCalls,
  EvmSimulationClient,
  SimulatedTransaction,
  SimulateError,
  Simulation,
  SimulationClient,
  SolanaSimulationCalls,
  SolanaSimulationClient,
  StellarSimulationCalls,
  StellarSimulationClient,
  TezosSimulationCalls,
  TezosSimulationClient,
  TonSimulationCalls,
  TonSimulationClient,
  TronSimulationCalls,
  TronSimulationClient,
  XrpSimulationCalls,
  XrpSimulationClient
} from "./signers/simulate.js"

/**
 * Simulates a prepared transaction over the nodes of a client: which balances would change, what others may take afterwards, and where that
 * differs from the preview. Nothing is signed or sent.
 *
 * @since 0.1.0
 * @category operations
 */
export const simulate: (
  client: PromisedClient<Simulate.SimulationClient>,
  prepared: Prepared<Simulate.SimulatedTransaction>
) => Promise<Result<Simulate.Simulation, Simulate.SimulateError>> = /*#__PURE__*/ promisifyMake(
  Simulate.simulate
)
