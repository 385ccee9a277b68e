/**
 * The endpoints of beacon nodes, and how they report errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, byFieldName, eachOf, hex0x, whenTextOrBytes } from "../../data/bytes.js"
import { type Failure, get, group, post } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import { toFailure } from "../internal/faults.js"
import type {
  Answer,
  Attestation,
  AttestationRewards,
  AttesterSlashing,
  BeaconState,
  BlobSidecar,
  BlockHeaderInfo,
  BlockRewards,
  Committee,
  Data,
  DataColumnSidecar,
  DepositContract,
  FinalityCheckpoints,
  Fork,
  ForkChoice,
  Genesis,
  Head,
  Hex,
  Identity,
  Integer,
  LightClientBootstrap,
  LightClientFinalityUpdate,
  LightClientOptimisticUpdate,
  LightClientUpdate,
  NodeVersions,
  Peer,
  PeerCount,
  PeerDirection,
  PeerState,
  Peers,
  PendingConsolidation,
  PendingDeposit,
  PendingPartialWithdrawal,
  ProposerSlashing,
  Randao,
  Root,
  SignedBlindedBlock,
  SignedBlock,
  SignedBlsToExecutionChange,
  SignedVoluntaryExit,
  SpecConstants,
  SyncCommittee,
  SyncCommitteeReward,
  SyncingStatus,
  Uint,
  Validator,
  ValidatorBalance,
  ValidatorFilter,
  ValidatorId,
  ValidatorIdentity,
  ValidatorStatusFilter,
  Version,
  VersionedAnswer,
  VersionedData
} from "./Types.js"

/**
 * The refusal of a beacon node: a number, that of the status but for bad requests, beside a message. Another
 * one may have blocks and states that it lacks; Prysm says so with 500, too.
 */
const failure = (answer: unknown, status: number): Failure | undefined => {
  if (!isRecord(answer) || typeof answer.message !== "string" || "details" in answer) return undefined
  const { code, message } = answer
  if (typeof code !== "number" || (code !== status && status !== 400)) return undefined
  const isMissing = status === 404 || /not ?found|could not find|no block/i.test(message)
  return toFailure(message, status === 500 && isMissing ? 404 : status, isMissing ? "elsewhere" : "caller")
}

/** Without a list, an empty one: all validators. */
const withIds = (input: { readonly ids?: ReadonlyArray<string> }): Readonly<Record<string, unknown>> => ({
  ...input,
  ids: input.ids ?? []
})

/** A slot, an index or a word (`head`) may stand in the place of bytes. */
const bytesOrName = (form: BytesForm): BytesForm =>
  whenTextOrBytes((value, place, args) =>
    typeof value === "string" && /^([a-z]+|\d+)$/.test(value) ? value : form(value, place, args)
  )

const root = hex0x(32)

const validator = bytesOrName(hex0x(48))

const validators: BytesForm = (value, place, args) =>
  (Array.isArray(value) ? eachOf(validator) : validator)(value, place, args)

/** What has one meaning in all calls. */
const bytesByName = byFieldName({
  blockId: bytesOrName(root),
  blockRoot: root,
  body_root: root,
  id: validators,
  ids: validators,
  parentRoot: root,
  parent_root: root,
  signature: hex0x(96),
  stateId: bytesOrName(root),
  state_root: root,
  validatorId: validator,
  versionedHashes: eachOf(root)
})

/**
 * The endpoints of a beacon node, by the version in their routes: `v2` has routes that `v1` no longer has, or has in an
 * older format.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = {
  v1: group(
    {
      query: "snake",
      body: "snake",
      integers: numberIntegers,
      bytes: bytesByName,
      failure,
      prefix: "/eth/v1"
    },
    {
      /** Time, fork version and validators root of the chain's start. */
      getGenesis: get("/beacon/genesis").returns<Data<Genesis>>(),
      /** Headers of a slot, of a block's children, or of the head. */
      getBlockHeaders: get("/beacon/headers")
        .query<{ readonly slot?: Integer; readonly parentRoot?: Hex }>()
        .returns<Answer<ReadonlyArray<BlockHeaderInfo>>>()
        .lists("data"),
      /** Header of a block. */
      getBlockHeader: get("/beacon/headers/{blockId}")
        .echoes({ "data.root": "blockId", "data.header.message.slot": "blockId" })
        .returns<Answer<BlockHeaderInfo>>(),
      /** Root of a block. */
      getBlockRoot: get("/beacon/blocks/{blockId}/root").returns<Answer<Root>>(),
      /** Attestations in a block. Nodes that have Electra may offer only the one of `v2`. */
      getBlockAttestations: get("/beacon/blocks/{blockId}/attestations")
        .returns<Answer<ReadonlyArray<Attestation>>>()
        .lists("data"),
      /** Block with the header of its execution payload in place of the payload. */
      getBlindedBlock: get("/beacon/blinded_blocks/{blockId}")
        .echoes({ "data.message.slot": "blockId" })
        .returns<VersionedAnswer<SignedBlindedBlock>>(),
      /** Blobs of a block, all or those with the given versioned hashes. */
      getBlobs: get("/beacon/blobs/{blockId}")
        .query<{ readonly versionedHashes?: ReadonlyArray<Hex> }>()
        .returns<Answer<ReadonlyArray<Hex>>>()
        .lists("data"),
      /** Blobs of a block with their proofs (Deneb, Electra). The specification now has only `getBlobs`. */
      getBlobSidecars: get("/beacon/blob_sidecars/{blockId}")
        .query<{ readonly indices?: ReadonlyArray<Integer> }>()
        .returns<VersionedAnswer<ReadonlyArray<BlobSidecar>>>()
        .lists("data"),
      /** Root of a state. */
      getStateRoot: get("/beacon/states/{stateId}/root").returns<Answer<Root>>(),
      /** Fork versions of a state. */
      getStateFork: get("/beacon/states/{stateId}/fork").returns<Answer<Fork>>(),
      /** Justified and finalized checkpoints of a state. */
      getStateFinalityCheckpoints: get("/beacon/states/{stateId}/finality_checkpoints").returns<
        Answer<FinalityCheckpoints>
      >(),
      /** Validators of a state, all or by id (up to 64) and status. */
      getStateValidators: get("/beacon/states/{stateId}/validators")
        .query<{
          readonly id?: ValidatorId | ReadonlyArray<ValidatorId>
          readonly status?: ValidatorStatusFilter | ReadonlyArray<ValidatorStatusFilter>
        }>()
        .returns<Answer<ReadonlyArray<Validator>>>()
        .lists("data"),
      /** Validators of a state by filters of any length, which go in the body. */
      postStateValidators: post("/beacon/states/{stateId}/validators")
        .body<ValidatorFilter>()
        .returns<Answer<ReadonlyArray<Validator>>>()
        .lists("data"),
      /** Validator of a state, by index or public key. */
      getStateValidator: get("/beacon/states/{stateId}/validators/{validatorId}")
        .echoes({ "data.index": "validatorId", "data.validator.pubkey": "validatorId" })
        .returns<Answer<Validator>>(),
      /** Balances of the validators of a state, all or by id (up to 64), in Gwei. */
      getStateValidatorBalances: get("/beacon/states/{stateId}/validator_balances")
        .query<{ readonly id?: ValidatorId | ReadonlyArray<ValidatorId> }>()
        .returns<Answer<ReadonlyArray<ValidatorBalance>>>()
        .lists("data"),
      /** Balances of the validators of a state, in Gwei: all, or those of a list of any length. */
      postStateValidatorBalances: post("/beacon/states/{stateId}/validator_balances")
        .body<{ readonly ids?: ReadonlyArray<string> }>()
        .prepare(withIds)
        .whole("ids")
        .returns<Answer<ReadonlyArray<ValidatorBalance>>>()
        .lists("data"),
      /** Indices, keys and activation epochs of the validators of a state: all, or those of a list of any length. */
      postStateValidatorIdentities: post("/beacon/states/{stateId}/validator_identities")
        .body<{ readonly ids?: ReadonlyArray<string> }>()
        .prepare(withIds)
        .whole("ids")
        .returns<Answer<ReadonlyArray<ValidatorIdentity>>>()
        .lists("data"),
      /** Committees of an epoch (default: that of the state), all or by index or slot. */
      getStateCommittees: get("/beacon/states/{stateId}/committees")
        .query<{ readonly epoch?: Integer; readonly index?: Integer; readonly slot?: Integer }>()
        .returns<Answer<ReadonlyArray<Committee>>>()
        .lists("data"),
      /** Sync committee of an epoch (default: that of the state). */
      getStateSyncCommittees: get("/beacon/states/{stateId}/sync_committees")
        .query<{ readonly epoch?: Integer }>()
        .returns<Answer<SyncCommittee>>(),
      /** RANDAO mix of an epoch (default: that of the state). */
      getStateRandao: get("/beacon/states/{stateId}/randao")
        .query<{ readonly epoch?: Integer }>()
        .returns<Answer<Randao>>(),
      /** Consolidations that wait in a state (since Electra). */
      getStatePendingConsolidations: get("/beacon/states/{stateId}/pending_consolidations")
        .returns<VersionedAnswer<ReadonlyArray<PendingConsolidation>>>()
        .lists("data"),
      /** Deposits that wait in a state (since Electra). */
      getStatePendingDeposits: get("/beacon/states/{stateId}/pending_deposits")
        .returns<VersionedAnswer<ReadonlyArray<PendingDeposit>>>()
        .lists("data"),
      /** Partial withdrawals that wait in a state (since Electra). */
      getStatePendingPartialWithdrawals: get("/beacon/states/{stateId}/pending_partial_withdrawals")
        .returns<VersionedAnswer<ReadonlyArray<PendingPartialWithdrawal>>>()
        .lists("data"),
      /** Indices of the proposers of this epoch and the next, slot by slot (since Fulu). */
      getStateProposerLookahead: get("/beacon/states/{stateId}/proposer_lookahead")
        .returns<VersionedAnswer<ReadonlyArray<Uint>>>()
        .lists("data"),
      /** What the proposer of a block earned with it, in Gwei. */
      getBlockRewards: get("/beacon/rewards/blocks/{blockId}").returns<Answer<BlockRewards>>(),
      /** What the members of the sync committee earned with a block, all or those of a list, in Gwei. */
      getSyncCommitteeRewards: post("/beacon/rewards/sync_committee/{blockId}")
        .body<{ readonly ids?: ReadonlyArray<string> }>()
        .prepare(withIds)
        .whole("ids")
        .returns<Answer<ReadonlyArray<SyncCommitteeReward>>>()
        .lists("data"),
      /** What validators, all or those of a list, earned with their attestations in an epoch, in Gwei. */
      getAttestationRewards: post("/beacon/rewards/attestations/{epoch}")
        .body<{ readonly ids?: ReadonlyArray<string> }>()
        .prepare(withIds)
        .whole("ids")
        .returns<Answer<AttestationRewards>>(),
      /** What a light client needs to start from a block. */
      getLightClientBootstrap: get("/beacon/light_client/bootstrap/{blockRoot}").returns<
        VersionedData<LightClientBootstrap>
      >(),
      /** Steps of a light client through `count` sync committee periods. */
      getLightClientUpdates: get("/beacon/light_client/updates")
        .query<{ readonly startPeriod: Integer; readonly count: Integer }>()
        .returns<ReadonlyArray<VersionedData<LightClientUpdate>>>()
        .lists(),
      /** Newest finalized header for light clients. */
      getLightClientFinalityUpdate: get("/beacon/light_client/finality_update").returns<
        VersionedData<LightClientFinalityUpdate>
      >(),
      /** Newest signed header for light clients. */
      getLightClientOptimisticUpdate: get("/beacon/light_client/optimistic_update").returns<
        VersionedData<LightClientOptimisticUpdate>
      >(),
      /** Proposer slashings in the node's pool. */
      getPoolProposerSlashings: get("/beacon/pool/proposer_slashings")
        .returns<Data<ReadonlyArray<ProposerSlashing>>>()
        .lists("data"),
      /** Sends proof against a proposer. Safe to repeat. */
      submitPoolProposerSlashing: post("/beacon/pool/proposer_slashings")
        .body<ProposerSlashing>()
        .verbatim()
        .noContent()
        .broadcast(),
      /** Voluntary exits in the node's pool. */
      getPoolVoluntaryExits: get("/beacon/pool/voluntary_exits")
        .returns<Data<ReadonlyArray<SignedVoluntaryExit>>>()
        .lists("data"),
      /** Sends a signed voluntary exit. Safe to repeat. */
      submitPoolVoluntaryExit: post("/beacon/pool/voluntary_exits")
        .body<SignedVoluntaryExit>()
        .verbatim()
        .noContent()
        .broadcast(),
      /** Changes of withdrawal credentials in the node's pool. */
      getPoolBlsToExecutionChanges: get("/beacon/pool/bls_to_execution_changes")
        .returns<Data<ReadonlyArray<SignedBlsToExecutionChange>>>()
        .lists("data"),
      /** Forks that the node knows of: past, present and to come. */
      getForkSchedule: get("/config/fork_schedule").returns<Data<ReadonlyArray<Fork>>>().lists("data"),
      /** Constants, presets and configuration that the node runs with. */
      getSpec: get("/config/spec").returns<Data<SpecConstants>>(),
      /** Address and chain of the deposit contract. */
      getDepositContract: get("/config/deposit_contract").returns<Data<DepositContract>>(),
      /** The node's fork choice. */
      getForkChoice: get("/debug/fork_choice").returns<ForkChoice>().lists("fork_choice_nodes"),
      /** Data columns of a block that the node has, all or by index (since Fulu). */
      getDataColumnSidecars: get("/debug/beacon/data_column_sidecars/{blockId}")
        .query<{ readonly indices?: ReadonlyArray<Integer> }>()
        .returns<VersionedAnswer<ReadonlyArray<DataColumnSidecar>>>()
        .lists("data"),
      /** Who the node is on the peer-to-peer network. */
      getNodeIdentity: get("/node/identity").returns<Data<Identity>>(),
      /** Peers of the node, all or by state and direction. */
      getPeers: get("/node/peers")
        .query<{
          readonly state?: PeerState | ReadonlyArray<PeerState>
          readonly direction?: PeerDirection | ReadonlyArray<PeerDirection>
        }>()
        .returns<Peers>()
        .lists("data"),
      /** Peer of the node. */
      getPeer: get("/node/peers/{peerId}").echoes({ "data.peer_id": "peerId" }).returns<Data<Peer>>(),
      /** Number of peers by the state of their connection. */
      getPeerCount: get("/node/peer_count").returns<Data<PeerCount>>(),
      /** Name and version of the node's software. */
      getNodeVersion: get("/node/version").returns<Data<Version>>(),
      /** Progress of the node's synchronisation. */
      getSyncingStatus: get("/node/syncing").returns<Data<SyncingStatus>>(),
      /** Succeeds if the node is up. A syncing node answers with HTTP `syncingStatus`: 206, a success, by default. */
      getHealth: get("/node/health").query<{ readonly syncingStatus?: Integer }>().noContent()
    }
  ),
  v2: group(
    {
      query: "snake",
      body: "snake",
      integers: numberIntegers,
      bytes: bytesByName,
      failure,
      prefix: "/eth/v2"
    },
    {
      /** Block, with its execution payload. */
      getBlock: get("/beacon/blocks/{blockId}")
        .echoes({ "data.message.slot": "blockId" })
        .returns<VersionedAnswer<SignedBlock>>(),
      /** Attestations in a block, of any fork. */
      getBlockAttestations: get("/beacon/blocks/{blockId}/attestations")
        .returns<VersionedAnswer<ReadonlyArray<Attestation>>>()
        .lists("data"),
      /** Attestations in the node's pool, all or by slot and committee. */
      getPoolAttestations: get("/beacon/pool/attestations")
        .query<{ readonly slot?: Integer; readonly committeeIndex?: Integer }>()
        .returns<VersionedData<ReadonlyArray<Attestation>>>()
        .lists("data"),
      /** Attester slashings in the node's pool. */
      getPoolAttesterSlashings: get("/beacon/pool/attester_slashings")
        .returns<VersionedData<ReadonlyArray<AttesterSlashing>>>()
        .lists("data"),
      /** Whole state: hundreds of megabytes on mainnet. */
      getState: get("/debug/beacon/states/{stateId}").returns<VersionedAnswer<BeaconState>>(),
      /** Leaves of the fork choice. */
      getHeads: get("/debug/beacon/heads").returns<Data<ReadonlyArray<Head>>>().lists("data"),
      /** Names and versions of the beacon node and its execution client. */
      getNodeVersion: get("/node/version").returns<Data<NodeVersions>>()
    }
  )
}
