/**
 * Payments of accounts with several members (a multisig) for Promise clients: `effect-chains/signers/proposal`.
 *
 * ```ts
 * const { data, error } = await propose(sdk, { from: safe, to, amount: "1.5" })
 * ```
 *
 * @since 0.1.0
 */
import { type PromisedClient, runToResult, toEffectCalls, toEffectClient } from "./client/promiseBridge.js"
import type { Result } from "./data/CallResult.js"
import type {
  ApproveError,
  ExecuteError,
  ExecuteOptions,
  Proposal,
  ProposalClient,
  ProposalError,
  ProposalInspection,
  ProposalRequest,
  ProposalSigner,
  SafeExecutor
} from "./signers/proposal.js"
import * as Proposals from "./signers/proposal.js"
import type { Sent } from "./signers/Signer.js"
import type { Promised } from "./transport/Client.js"

export type {
  ApproveError,
  BitcoinProposalCalls,
  BitcoinProposalClient,
  ExecuteError,
  ExecuteOptions,
  Proposal,
  ProposalClient,
  ProposalError,
  ProposalInspection,
  ProposalMember,
  ProposalOutgoing,
  ProposalPreview,
  ProposalRequest,
  ProposalSignature,
  ProposalSigner,
  ProposalStatus,
  SafeCalls,
  SafeClient,
  SafeExecutor,
  TronProposalCalls,
  TronProposalClient,
  XrpProposalCalls,
  XrpProposalClient
} from "./signers/proposal.js"

/**
 * Proposes a payment of an account that has several members: a value to sign, which nobody has signed yet.
 *
 * @since 0.1.0
 * @category operations
 */
export const propose = (
  client: PromisedClient<ProposalClient>,
  request: ProposalRequest
): Promise<Result<Proposal, ProposalError>> =>
  runToResult(Proposals.propose(toEffectClient<ProposalClient>(client), request))

/**
 * Says what is true of a proposal now: who has approved it, who is missing, and whether it can be executed.
 *
 * @since 0.1.0
 * @category operations
 */
export const inspect = (
  client: PromisedClient<ProposalClient>,
  proposal: Proposal
): Promise<Result<ProposalInspection, ProposalError>> =>
  runToResult(Proposals.inspect(toEffectClient<ProposalClient>(client), proposal))

/**
 * Signs a proposal as one of its members, after inspecting it.
 *
 * @since 0.1.0
 * @category operations
 */
export const approve = (
  client: PromisedClient<ProposalClient>,
  signer: Promised<ProposalSigner>,
  proposal: Proposal
): Promise<Result<Proposal, ApproveError>> =>
  runToResult(
    Proposals.approve(toEffectClient<ProposalClient>(client), toEffectCalls<ProposalSigner>(signer), proposal)
  )

/**
 * Joins the signatures of two copies of a proposal.
 *
 * @since 0.1.0
 * @category operations
 */
export const merge = (one: Proposal, other: Proposal): Promise<Result<Proposal, ProposalError>> =>
  runToResult(Proposals.merge(one, other))

/**
 * Executes a proposal, after inspecting it: sends the payment once its signatures reach the threshold.
 *
 * @since 0.1.0
 * @category operations
 */
export const execute = (
  client: PromisedClient<ProposalClient>,
  proposal: Proposal,
  options: ExecuteOptions<Promised<SafeExecutor>> = {}
): Promise<Result<Sent<unknown>, ExecuteError>> => {
  const { signer, ...rest } = options
  return runToResult(
    Proposals.execute(toEffectClient<ProposalClient>(client), proposal, {
      ...rest,
      ...(signer === undefined ? {} : { signer: toEffectCalls<SafeExecutor>(signer) })
    })
  )
}
