/**
 * Policies of signers for Promise clients: `effect-chains/signers/policy`.
 *
 * ```ts
 * const { data, error } = await policy({ limits: [{ network: "ethereum-mainnet", amount: "0.5" }] })
 * ```
 *
 * @since 0.1.0
 */
import { runToResult } from "./client/promiseBridge.js"
import type { Result } from "./data/CallResult.js"
import {
  make,
  type Policy,
  type PolicyError,
  type PolicyOptions,
  type PolicyRules
} from "./signers/policyRules.js"

export {
  type AllowedContract,
  type AssetAmount,
  type Confirmation,
  type ContractCall,
  makeMemoryStore,
  type Policy,
  type PolicyError,
  type PolicyOptions,
  type PolicyRequest,
  type PolicyRules,
  type SigningHours,
  type SpendingClaim,
  type SpendingLimit,
  type SpendingReservation,
  type SpendingStore,
  type WithPolicy
} from "./signers/policyRules.js"

/**
 * Makes a policy. Give it to signers as `policy`, beside what they are made from; all signers with one policy share its limits.
 *
 * @since 0.1.0
 * @category constructors
 */
export const policy = (
  rules: PolicyRules,
  options: PolicyOptions = {}
): Promise<Result<Policy, PolicyError>> => runToResult(make(rules, options))
