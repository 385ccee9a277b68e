/**
 * Staking as payments for Promise clients: `effect-chains/signers/staking`.
 *
 * ```ts
 * const { data, error } = await prepareStaking(sdk, signer, { action: "delegate", validator, amount: "10" })
 * ```
 *
 * @since 0.1.0
 */
import { type PromisedClient, runToResult, toEffectClient } from "./client/promiseBridge.js"
import type { Result } from "./data/CallResult.js"
import type { Prepared } from "./signers/Signer.js"
import * as Staking from "./signers/staking.js"

export type {
  AlgorandParticipation,
  AlgorandStakingCalls,
  AlgorandStakingClient,
  CosmosStakingCalls,
  CosmosStakingClient,
  PrepareStakingError,
  SolanaStakingCalls,
  SolanaStakingClient,
  StakingClient,
  StakingRequest,
  StakingSigner,
  StakingTransaction,
  TezosStakingCalls,
  TezosStakingClient,
  TronStakingCalls,
  TronStakingClient
} from "./signers/staking.js"

/**
 * The preview of a transaction that stakes, for `submit` of the signer. Nothing is signed.
 *
 * @since 0.1.0
 * @category operations
 */
export const prepareStaking = <Tx extends Staking.StakingTransaction>(
  client: PromisedClient<Staking.StakingClient>,
  signer: Staking.StakingSigner<Tx>,
  request: Staking.StakingRequest
): Promise<Result<Prepared<Tx>, Staking.PrepareStakingError>> =>
  runToResult(Staking.prepareStaking(toEffectClient<Staking.StakingClient>(client), signer, request))
