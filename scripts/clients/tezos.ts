import type { DelegatesResponse, LevelInfo, OperationEntry, RpcClientInterface as Rpc } from "@taquito/rpc"

type Chain = "/chains/{chain}"
type Block = `${Chain}/blocks/{block}`
type Context = `${Block}/context`
type Contract = `${Context}/contracts/{contract}`
type Delegate = `${Context}/delegates/{delegate}`
type Scripts = `${Block}/helpers/scripts`

/** The client's methods, by the paths of their requests. */
interface Paths {
  readonly getChainId: `GET ${Chain}/chain_id`
  readonly getPendingOperations: `GET ${Chain}/mempool/pending_operations`
  readonly getMempoolFilter: `GET ${Chain}/mempool/filter`
  readonly getBlock: `GET ${Block}`
  readonly getBlockHash: `GET ${Block}/hash`
  readonly getBlockHeader: `GET ${Block}/header`
  readonly getBlockMetadata: `GET ${Block}/metadata`
  readonly getLiveBlocks: `GET ${Block}/live_blocks`
  readonly getProtocols: `GET ${Block}/protocols`
  readonly getConstants: `GET ${Context}/constants`
  readonly getContract: `GET ${Contract}`
  readonly getBalance: `GET ${Contract}/balance`
  readonly getSpendable: `GET ${Contract}/spendable`
  readonly getBalanceAndFrozenBonds: `GET ${Contract}/balance_and_frozen_bonds`
  readonly getSpendableAndFrozenBonds: `GET ${Contract}/spendable_and_frozen_bonds`
  readonly getFullBalance: `GET ${Contract}/full_balance`
  readonly getStakedBalance: `GET ${Contract}/staked_balance`
  readonly getUnstakedFinalizableBalance: `GET ${Contract}/unstaked_finalizable_balance`
  readonly getUnstakedFrozenBalance: `GET ${Contract}/unstaked_frozen_balance`
  readonly getUnstakeRequests: `GET ${Contract}/unstake_requests`
  readonly getStorage: `GET ${Contract}/storage`
  readonly getStorageUsedSpace: `GET ${Contract}/storage/used_space`
  readonly getStoragePaidSpace: `GET ${Contract}/storage/paid_space`
  readonly getScript: `GET ${Contract}/script`
  readonly getNormalizedScript: `POST ${Contract}/script/normalized`
  readonly getManagerKey: `GET ${Contract}/manager_key`
  readonly getDelegate: `GET ${Contract}/delegate`
  readonly getEntrypoints: `GET ${Contract}/entrypoints`
  readonly getTicketBalance: `POST ${Contract}/ticket_balance`
  readonly getAllTicketBalances: `GET ${Contract}/all_ticket_balances`
  readonly getBigMapExpr: `GET ${Context}/big_maps/{id}/{expr}`
  readonly getAllDelegates: `GET ${Context}/delegates`
  readonly getDelegates: `GET ${Delegate}`
  readonly getVotingInfo: `GET ${Delegate}/voting_info`
  readonly getActiveStakingParameters: `GET ${Delegate}/active_staking_parameters`
  readonly getPendingStakingParameters: `GET ${Delegate}/pending_staking_parameters`
  readonly getAdaptiveIssuanceLaunchCycle: `GET ${Context}/adaptive_issuance_launch_cycle`
  readonly getDestinationIndex: `GET ${Context}/destination/{destination}/index`
  readonly getSaplingDiffById: `GET ${Context}/sapling/{id}/get_diff`
  readonly getBakingRights: `GET ${Block}/helpers/baking_rights`
  readonly getAttestationRights: `GET ${Block}/helpers/attestation_rights`
  readonly forgeOperations: `POST ${Block}/helpers/forge/operations`
  readonly preapplyOperations: `POST ${Block}/helpers/preapply/operations`
  readonly simulateOperation: `POST ${Scripts}/simulate_operation`
  readonly runCode: `POST ${Scripts}/run_code`
  readonly runScriptView: `POST ${Scripts}/run_script_view`
  readonly runView: `POST ${Scripts}/run_view`
  readonly packData: `POST ${Scripts}/pack_data`
  readonly getBallotList: `GET ${Block}/votes/ballot_list`
  readonly getBallots: `GET ${Block}/votes/ballots`
  readonly getCurrentProposal: `GET ${Block}/votes/current_proposal`
  readonly getCurrentQuorum: `GET ${Block}/votes/current_quorum`
  readonly getVotesListings: `GET ${Block}/votes/listings`
  readonly getProposals: `GET ${Block}/votes/proposals`
  readonly getCurrentPeriod: `GET ${Block}/votes/current_period`
  readonly getSuccessorPeriod: `GET ${Block}/votes/successor_period`
  readonly injectOperation: "POST /injection/operation"
}

type Methods = { readonly [Name in keyof Paths as Paths[Name]]: Rpc[Name] }

/** The fields of a baker that nodes also have calls for. */
type Field =
  | "deactivated"
  | "is_forbidden"
  | "participation"
  | "dal_participation"
  | "grace_period"
  | "baking_power"
  | "total_staked"
  | "total_delegated"
  | "min_delegated_in_current_cycle"
  | "own_full_balance"
  | "own_staked"
  | "own_delegated"
  | "external_staked"
  | "external_delegated"
  | "total_unstaked_per_cycle"
  | "denunciations"
  | "estimated_shared_pending_slashed_amount"
  | "staking_denominator"
  | "current_voting_power"
  | "voting_power"
  | "consensus_key"
  | "companion_key"
  | "stakers"
  | "delegators"
  | "full_balance"
  | "current_frozen_deposits"
  | "staking_balance"
  | "delegated_contracts"
  | "delegated_balance"
  | "total_delegated_stake"

type Fields = { readonly [F in Field as `GET ${Delegate}/${F}`]-?: Exclude<DelegatesResponse[F], undefined> }

/** Parts of blocks that nodes also have calls for, and calls with the same answer as others. */
interface Parts {
  readonly list: `GET ${Block}/operations`
  readonly pass: `GET ${Block}/operations/{pass}`
  readonly operation: `GET ${Block}/operations/{pass}/{offset}`
  readonly head: `GET ${Chain}/blocks/head`
  readonly level: `GET ${Block}/helpers/current_level`
  readonly run: `POST ${Scripts}/run_operation`
}

interface PartAnswers {
  readonly list: Array<Array<OperationEntry>>
  readonly pass: Array<OperationEntry>
  readonly operation: OperationEntry
  readonly head: Rpc["getBlock"]
  readonly level: LevelInfo
  readonly run: Rpc["simulateOperation"]
}

type Others = { readonly [Name in keyof Parts as Parts[Name]]: PartAnswers[Name] }

export type Answers = Methods & Fields & Others
