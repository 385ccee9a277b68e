/**
 * Permits on EVM chains for Promise clients: `effect-chains/signers/permit`.
 *
 * ```ts
 * const { data, error } = await preparePermit(sdk, { owner, token, spender, amount: "100", until })
 * ```
 *
 * @since 0.1.0
 */
import { type PromisedClient, runToResult, toEffectCalls, toEffectClient } from "./client/promiseBridge.js"
import type { Result } from "./data/CallResult.js"
import type { EvmClient, TypedDataDefinition } from "./signers/evm/Types.js"
import type { PermitRequest, PreparedPermit, SignedPermit, SignPermitError } from "./signers/permit.js"
import * as Permit from "./signers/permit.js"
import type { PrepareError } from "./signers/Signer.js"
import type { Promised } from "./transport/Client.js"

export type {
  PermitDomain,
  PermitRequest,
  PermitSigner,
  PermitStandard,
  PreparedPermit,
  SignedPermit,
  SignPermitError
} from "./signers/permit.js"

/**
 * The preview of a permit. Nothing is signed.
 *
 * @since 0.1.0
 * @category operations
 */
export const preparePermit = (
  client: PromisedClient<EvmClient>,
  request: PermitRequest
): Promise<Result<PreparedPermit, PrepareError>> =>
  runToResult(Permit.preparePermit(toEffectClient<EvmClient>(client), request))

/**
 * Signs a permit, and has a node try the call that uses it.
 *
 * @since 0.1.0
 * @category operations
 */
export const signPermit = (
  client: PromisedClient<EvmClient>,
  signer: Promised<Permit.PermitSigner>,
  permit: PreparedPermit
): Promise<Result<SignedPermit, SignPermitError>> =>
  runToResult(
    Permit.signPermit(toEffectClient<EvmClient>(client), toEffectCalls<Permit.PermitSigner>(signer), permit)
  )

/**
 * The typed data (EIP-712) of a permit, for whoever signs elsewhere.
 *
 * @since 0.1.0
 * @category conversions
 */
export const typedDataOf = (permit: PreparedPermit): Promise<Result<TypedDataDefinition, PrepareError>> =>
  runToResult(Permit.typedDataOf(permit))
