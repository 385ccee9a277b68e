/**
 * Staking as payments: what an account delegates to validators, takes back, moves and claims, with a preview before anything is signed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId } from "../data/Network.js"
import { type LoadError, type MissingPeer, NotSupportedForNetwork } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { CosmosStakingClient, prepareStaking as prepareStakingOfCosmos } from "./cosmos/staking.js"
import type { CosmosSigner, CosmosTransaction } from "./cosmos/Types.js"
import type { Prepared, PrepareError, Staking, StakingRequest } from "./Signer.js"
import { catchMalformedAnswer, findNetworkRow, invalidArgument } from "./signerChecks.js"

export type { CosmosStakingCalls, CosmosStakingClient } from "./cosmos/staking.js"
export type { StakingRequest } from "./Signer.js"

/**
 * The clients whose networks have staking here. It is the client that the signer is made from.
 *
 * @since 0.1.0
 * @category models
 */
export type StakingClient = CosmosStakingClient

/**
 * The part of a signer that staking needs.
 *
 * @since 0.1.0
 * @category models
 */
export type StakingSigner = Pick<CosmosSigner, "address" | "network" | "publicKey">

/**
 * The errors of preparing a transaction that stakes. Nothing is signed then.
 *
 * @since 0.1.0
 * @category errors
 */
export type PrepareStakingError = PrepareError | MissingPeer | NotSupportedForNetwork

const CALL = "prepareStaking"

/** The parts of families that have staking, each in a chunk of its own. */
const families: Readonly<Partial<Record<FamilyId, Effect.Effect<typeof prepareStakingOfCosmos, LoadError>>>> =
  {
    cosmos: /*#__PURE__*/ loadOnce(
      () => import("./cosmos/staking.js"),
      (family) => Effect.succeed(family.prepareStaking)
    )
  }

const actions: ReadonlyArray<string> = [
  "delegate",
  "undelegate",
  "redelegate",
  "claim"
] satisfies ReadonlyArray<Staking["action"]>

const requestProblem = (
  client: StakingClient,
  signer: StakingSigner,
  request: StakingRequest
): string | undefined => {
  if (!isRecord(client) || !isRecord(client.rpc)) return "its first argument is the client of a network"
  if (!isRecord(signer) || typeof signer.address !== "string") return "its second argument is a signer"
  if (signer.network !== client.network)
    return `the signer is one of ${signer.network}, and the client one of ${client.network}`
  if (!isRecord(request)) return "it takes { action, validator, amount }"
  const { action, amount } = request
  if (!actions.includes(action)) return `action must be ${actions.join(", ")}`
  return (amount === undefined) === (action === "claim")
    ? undefined
    : action === "claim"
      ? "claim takes no amount: it claims all rewards"
      : `${action} takes an amount`
}

/**
 * The preview of a transaction that stakes, for `submit` of the signer. `staking` has the action and its amount, `outgoing` what the account
 * cannot spend from then on, and `warnings` what that means: how long coins stay bound, and what may be lost. Nothing is signed. Fails with
 * `NotSupportedForNetwork` for families without staking here.
 *
 * @since 0.1.0
 * @category operations
 */
export const prepareStaking = (
  client: StakingClient,
  signer: StakingSigner,
  request: OnThisEffect<StakingRequest>
): Effect.Effect<Prepared<CosmosTransaction>, PrepareStakingError> =>
  catchMalformedAnswer(
    Effect.gen(function* () {
      const problem = requestProblem(client, signer, request)
      if (problem !== undefined) return yield* invalidArgument(CALL, problem)
      const { network } = client
      const row = yield* findNetworkRow(network)
      const family = row === undefined ? undefined : families[row.family]
      if (row === undefined || family === undefined)
        return yield* new NotSupportedForNetwork({ network, feature: "staking" })
      const prepareOfFamily = yield* family
      return yield* prepareOfFamily(client, row, signer, request)
    }),
    CALL
  )
