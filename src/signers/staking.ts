/**
 * Staking as payments: what an account delegates to validators, takes back, moves and claims, with a preview before anything is signed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { OnThisEffect } from "../data/effectVersion.js"
import { loadOnce } from "../data/loadOnce.js"
import type { FamilyId, NetworkRow } from "../data/Network.js"
import { type LoadError, type MissingPeer, NotSupportedForNetwork } from "../data/SdkError.js"
import { isRecord } from "../data/untrusted.js"
import type { AlgorandStakingClient } from "./algorand/staking.js"
import type { AlgorandTransaction } from "./algorand/Types.js"
import type { CosmosStakingClient } from "./cosmos/staking.js"
import type { CosmosTransaction } from "./cosmos/Types.js"
import type { Prepared, PrepareError } from "./Signer.js"
import { catchMalformedAnswer, findNetworkRow, invalidArgument } from "./signerChecks.js"
import type { SolanaStakingClient } from "./solana/staking.js"
import type { SolanaTransaction } from "./solana/Types.js"
import { CALL, type StakingRequest } from "./stakingRequests.js"
import type { TezosStakingClient } from "./tezos/staking.js"
import type { TezosTransaction } from "./tezos/Types.js"
import type { TronStakingClient } from "./tron/staking.js"
import type { TronTransaction } from "./tron/Types.js"

export type { AlgorandStakingCalls, AlgorandStakingClient } from "./algorand/staking.js"
export type { AlgorandParticipation } from "./algorand/Types.js"
export type { CosmosStakingCalls, CosmosStakingClient } from "./cosmos/staking.js"
export type { SolanaStakingCalls, SolanaStakingClient } from "./solana/staking.js"
export type { StakingRequest } from "./stakingRequests.js"
export type { TezosStakingCalls, TezosStakingClient } from "./tezos/staking.js"
export type { TronStakingCalls, TronStakingClient } from "./tron/staking.js"

/**
 * The clients whose networks have staking here. It is the client that the signer is made from.
 *
 * @since 0.1.0
 * @category models
 */
export type StakingClient =
  | AlgorandStakingClient
  | CosmosStakingClient
  | SolanaStakingClient
  | TezosStakingClient
  | TronStakingClient

/**
 * The transactions that stake.
 *
 * @since 0.1.0
 * @category models
 */
export type StakingTransaction =
  | AlgorandTransaction
  | CosmosTransaction
  | SolanaTransaction
  | TezosTransaction
  | TronTransaction

/**
 * The part of a signer that staking needs: its `publicKey` on Cosmos and Tezos. Its key is not asked: `sign` only says which transactions
 * it takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface StakingSigner<in Tx> {
  readonly address: string
  readonly network: string
  readonly publicKey?: string
  readonly sign: (transaction: Tx) => unknown
}

/**
 * The errors of preparing a transaction that stakes. Nothing is signed then.
 *
 * @since 0.1.0
 * @category errors
 */
export type PrepareStakingError = PrepareError | MissingPeer | NotSupportedForNetwork

type PrepareStakingOfFamily<Client, Tx> = (
  client: Client,
  row: NetworkRow,
  account: Required<Pick<StakingSigner<Tx>, "address" | "publicKey">>,
  request: StakingRequest
) => Effect.Effect<Prepared<Tx>, PrepareError | MissingPeer>

type PrepareStakingOfAny = PrepareStakingOfFamily<StakingClient, StakingTransaction>

const loadFamily = <Client, Tx>(
  load: () => Promise<{ readonly prepareStaking: PrepareStakingOfFamily<Client, Tx> }>
): Effect.Effect<PrepareStakingOfAny, LoadError> =>
  // the family of a network says which calls its client has, and what its signers take
  loadOnce(load, ({ prepareStaking }) => Effect.succeed(prepareStaking as unknown as PrepareStakingOfAny))

/** The parts of families that have staking, each in a chunk of its own. */
const families: Readonly<Partial<Record<FamilyId, Effect.Effect<PrepareStakingOfAny, LoadError>>>> = {
  "algorand-algod": /*#__PURE__*/ loadFamily(() => import("./algorand/staking.js")),
  cosmos: /*#__PURE__*/ loadFamily(() => import("./cosmos/staking.js")),
  solana: /*#__PURE__*/ loadFamily(() => import("./solana/staking.js")),
  tezos: /*#__PURE__*/ loadFamily(() => import("./tezos/staking.js")),
  tron: /*#__PURE__*/ loadFamily(() => import("./tron/staking.js"))
}

/** The families whose transactions have the public key in them. */
const withPublicKey: ReadonlyArray<FamilyId> = ["cosmos", "tezos"]

const SIGNER_EXPECTED = "its second argument is a signer, with its publicKey on Cosmos and Tezos"

const requestProblem = (
  client: StakingClient,
  signer: StakingSigner<never>,
  request: StakingRequest
): string | undefined => {
  if (!isRecord(client) || !isRecord(client.rpc)) return "its first argument is the client of a network"
  if (!isRecord(signer) || typeof signer.address !== "string") return SIGNER_EXPECTED
  if (signer.network !== client.network)
    return `the signer is one of ${signer.network}, and the client one of ${client.network}`
  return isRecord(request) ? undefined : "it takes { action, validator, amount }"
}

/**
 * The preview of a transaction that stakes, for `submit` of the signer. `staking` has the action and its amount, `outgoing` what the account
 * cannot spend from then on, and `warnings` what that means: how long coins stay bound, and what may be lost. Nothing is signed. Fails with
 * `NotSupportedForNetwork` for families without staking here.
 *
 * @since 0.1.0
 * @category operations
 */
export const prepareStaking = <Tx extends StakingTransaction>(
  client: StakingClient,
  signer: StakingSigner<Tx>,
  request: OnThisEffect<StakingRequest>
): Effect.Effect<Prepared<Tx>, PrepareStakingError> =>
  catchMalformedAnswer(
    Effect.gen(function* () {
      const problem = requestProblem(client, signer, request)
      if (problem !== undefined) return yield* invalidArgument(CALL, problem)
      const { network } = client
      const row = yield* findNetworkRow(network)
      const family = row === undefined ? undefined : families[row.family]
      if (row === undefined || family === undefined)
        return yield* new NotSupportedForNetwork({ network, feature: "staking" })
      const { address, publicKey = "" } = signer
      if (withPublicKey.includes(row.family) && publicKey === "")
        return yield* invalidArgument(CALL, SIGNER_EXPECTED)
      const prepareOfFamily = yield* family
      // of the signer's network, and so of its family
      return (yield* prepareOfFamily(client, row, { address, publicKey }, request)) as Prepared<Tx>
    }),
    CALL
  )
