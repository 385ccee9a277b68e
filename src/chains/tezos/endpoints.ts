/**
 * The endpoints of Tezos, and how its nodes report errors.
 *
 * @since 0.1.0
 */
import { type BytesForm, byFieldName, eachOf, hex, hex0x, whenTextOrBytes } from "../../data/bytes.js"
import { type Failure, get, group, post } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { isRecord } from "../../data/untrusted.js"
import { isRefusalStatus } from "../../wire/jsonRpc.js"
import { toFailure } from "../internal/faults.js"
import type {
  Address,
  AppliedOperation,
  AttestationRights,
  BakingRight,
  Block,
  BlockDescriptor,
  BlockHeader,
  BlockMetadata,
  BlockRef,
  ChainRef,
  Checkpoint,
  CodeRun,
  CompanionKeys,
  ConsensusKeys,
  Constants,
  Contract,
  ContractRef,
  CurrentlyStaked,
  CycleDeposit,
  DalParticipation,
  DalShards,
  Delegate,
  DelegateRef,
  Denunciation,
  Entrypoints,
  ExpectedIssuance,
  Hex,
  Int,
  InternalOperation,
  InvalidBlock,
  Json,
  LazyStorageDiff,
  LegacyBigMapDiff,
  Level,
  LevelValidators,
  MempoolFilter,
  Micheline,
  MinimalDelegated,
  Mutez,
  NodeVersion,
  Nonce,
  NormalizeTypes,
  Operation,
  Participation,
  PendingOperations,
  PendingStakingParameters,
  ProtocolComponent,
  ProtocolData,
  ProtocolError,
  ProtocolSource,
  Quotient,
  RollupCommitment,
  RollupInbox,
  SaplingDiff,
  Script,
  ShellHeader,
  SignedOperation,
  StakerDeposit,
  StakingParameters,
  TicketBalance,
  Time,
  Unparsing,
  UnsignedOperation,
  UnstakeRequests,
  Validator,
  VotingInfo,
  VotingPeriodInfo
} from "./Types.js"

const toRecord = (input: object | undefined): object => {
  if (input === undefined) return {}
  if (isRecord(input)) return input
  throw new Error("the input must be an object")
}

/** The input with its chain. */
const withChain = (input?: ChainRef): Readonly<Record<string, unknown>> => ({
  ...toRecord(input),
  chainId: input?.chainId ?? "main"
})

/** The input with its chain and block. */
const withBlock = (input?: BlockRef): Readonly<Record<string, unknown>> => ({
  ...withChain(input),
  block: input?.block ?? "head"
})

/** Errors of an answer, as a node lists them. */
const readErrors = (answer: unknown): ReadonlyArray<ProtocolError> => {
  const isError = (item: unknown): item is ProtocolError =>
    isRecord(item) && typeof item.id === "string" && typeof item.kind === "string"
  return Array.isArray(answer) ? answer.filter(isError) : []
}

const describeError = ({ id, kind: _, msg, ...details }: ProtocolError): string =>
  typeof msg === "string"
    ? `${id}: ${msg}`
    : Object.keys(details).length === 0
      ? id
      : `${id}: ${JSON.stringify(details)}`

/**
 * Octez answers with 500 when the protocol refuses a request: errors of the protocol (`proto.…`) and those that are
 * permanent, or bound to the request's branch, are the caller's. 410 is history that this node has thrown away; the next one
 * may have it, or room in its mempool.
 */
const failure = (answer: unknown, status: number, text: string): Failure | undefined => {
  // nothing there: an account without a script, say, or a block that another node has
  if (status === 404 && text === "") return { messages: ["nothing is there"], fault: "elsewhere" }
  // a part of the path or the query that cannot be read is told in plain text
  if (status === 400 && /^(failed to|cannot|could not) parse/i.test(text)) {
    return toFailure(text.slice(0, 2000), status, "caller")
  }
  const errors = readErrors(answer)
  const messages = errors.map(describeError)
  if (status === 410 && (errors.length > 0 || text === "")) {
    return {
      messages: messages.length === 0 ? ["the node no longer has this block"] : messages,
      fault: "elsewhere"
    }
  }
  if (errors.length === 0) return undefined
  if (errors.some(({ id }) => /pruned|purged|block_not_found|unknown_block|full_mempool/i.test(id))) {
    return { messages, fault: "elsewhere" }
  }
  if (isRefusalStatus(status)) return undefined
  const callers = errors.every(({ id, kind }) => id.startsWith("proto.") || kind !== "temporary")
  return { messages, fault: callers || status < 500 ? "caller" : "node" }
}

/** A block so many before or after another one (`head~2`, `BL…+1`) has a hash and a level that its name does not tell. */
const canonical = (text: string): string | undefined => (/[~+-]/.test(text) ? undefined : text)

/** Paths are plain text to the compiler, which is spared the reading of hundreds of them: what they take is said beside. */
const chain: string = "/chains/{chainId}"

const block = `${chain}/blocks/{block}`

const context = `${block}/context`

const contract = `${context}/contracts/{contractId}`

const delegate = `${context}/delegates/{delegate}`

const scripts = `${block}/helpers/scripts`

const getOfChain = <A>(path: string) => get(path).returns<A>().args<[input?: ChainRef]>(withChain)

const getOfRollup = <A>(path: string) =>
  get(path).returns<A>().args<[input: BlockRef & { readonly rollup: Address }]>(withBlock)

const getAtBlock = <A>(path: string) => get(path).returns<A>().args<[input?: BlockRef]>(withBlock)

const getOfContract = <A>(path: string) => get(path).returns<A>().args<[input: ContractRef]>(withBlock)

const getOfDelegate = <A>(path: string) => get(path).returns<A>().args<[input: DelegateRef]>(withBlock)

const text = whenTextOrBytes(hex(), () => bytesByName)

/** Sources of protocols are sent with 0x, too. */
const source: BytesForm = (value, place, args) =>
  (typeof value === "string" && value.startsWith("0x") ? hex0x : hex)()(value, place, args)

const texts: BytesForm = (value, place, args) =>
  (Array.isArray(value) ? eachOf(text) : text)(value, place, args)

/** What has one meaning in all calls: the fields of operations, of Michelson and of protocols' sources. */
const bytesByName: BytesForm = byFieldName({
  arbitrary: text,
  bytes: text,
  dal_proof: text,
  data: text,
  fitness: texts,
  implementation: source,
  interface: source,
  kernel: text,
  message: texts,
  nonce: text,
  output_proof: text,
  proof: text,
  proof_of_work_nonce: text,
  pvm_step: text,
  raw_data: text,
  secret: text,
  serialized_proof: text,
  shard: eachOf(eachOf(text)),
  solution: texts
})

/**
 * The endpoints of Tezos.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  { query: "snake", body: "snake", integers: numberIntegers, bytes: bytesByName, canonical, failure },
  {
    /** Id of a chain. */
    getChainId: getOfChain<string>(`${chain}/chain_id`),
    /** Newest block that can no longer be undone for this node. */
    getCheckpoint: getOfChain<Checkpoint>(`${chain}/checkpoint`),
    /** Oldest block of which this node has the header. */
    getLevelsCaboose: getOfChain<BlockDescriptor>(`${chain}/levels/caboose`),
    /** Newest block that can no longer be undone. */
    getLevelsCheckpoint: getOfChain<BlockDescriptor>(`${chain}/levels/checkpoint`),
    /** Oldest block of which this node has everything. */
    getLevelsSavepoint: getOfChain<BlockDescriptor>(`${chain}/levels/savepoint`),
    /** Whether the node has caught up with the chain. */
    isBootstrapped: getOfChain<{
      readonly bootstrapped: boolean
      readonly sync_state: "synced" | "unsynced" | "stuck"
    }>(`${chain}/is_bootstrapped`),
    /** Why the node has refused a block. */
    getInvalidBlocks: get(`${chain}/invalid_blocks/{blockHash}`)
      .returns<InvalidBlock>()
      .args<[input: ChainRef & { readonly blockHash: string }]>(withChain)
      .lists("errors"),
    /** Blocks that the node has refused. */
    getAllInvalidBlocks: getOfChain<ReadonlyArray<InvalidBlock>>(`${chain}/invalid_blocks`).lists(),
    /** Operations in the node's mempool, all or of some kinds. */
    getPendingOperations: get(`${chain}/mempool/pending_operations`)
      .returns<PendingOperations>()
      .args<
        [
          input?: ChainRef & {
            readonly version?: string
            readonly validated?: boolean
            readonly refused?: boolean
            readonly outdated?: boolean
            readonly branchRefused?: boolean
            readonly branchDelayed?: boolean
            readonly validationPass?: number | ReadonlyArray<number>
            readonly source?: Address | ReadonlyArray<Address>
            readonly operationHash?: string | ReadonlyArray<string>
          }
        ]
      >(withChain)
      .lists("refused", "outdated", "branch_refused", "branch_delayed", "unprocessed"),
    /** What the node's mempool accepts: least fees, by size and gas. */
    getMempoolFilter: get(`${chain}/mempool/filter`)
      .returns<MempoolFilter>()
      .args<[input?: ChainRef & { readonly includeDefault?: boolean }]>(withChain),
    /** Hashes of blocks, newest first, down from each of the heads asked for. */
    getBlockHashes: get(`${chain}/blocks`)
      .returns<ReadonlyArray<ReadonlyArray<string>>>()
      .args<
        [
          input?: ChainRef & {
            readonly length?: number
            readonly head?: string | ReadonlyArray<string>
            readonly minDate?: Time
          }
        ]
      >(withChain)
      .lists(),
    /** Newest block of a chain. */
    getBlocksHead: getOfChain<Block>(`${chain}/blocks/head`).lists("operations"),
    /** Block with its operations and what became of them. */
    getBlock: get(block)
      .echoes({ hash: "block", "header.level": "block" })
      .returns<Block>()
      .args<[input?: BlockRef & { readonly version?: string; readonly metadata?: "always" | "never" }]>(
        withBlock
      )
      .lists("operations"),
    /** Hash of a block. */
    getBlockHash: getAtBlock<string>(`${block}/hash`),
    /** Header of a block. */
    getBlockHeader: getAtBlock<BlockHeader>(`${block}/header`)
      .echoes({ hash: "block", level: "block" })
      .lists("fitness"),
    /** Part of a block's header that all protocols have. */
    getBlockShell: getAtBlock<ShellHeader>(`${block}/header/shell`)
      .echoes({ level: "block" })
      .lists("fitness"),
    /** Header of a block as bytes, hexadecimal. */
    getBlockHeaderRaw: getAtBlock<Hex>(`${block}/header/raw`),
    /** Part of a block's header that is its protocol's. */
    getBlockProtocolData: getAtBlock<ProtocolData>(`${block}/header/protocol_data`),
    /** What a block did beside its operations. */
    getBlockMetadata: getAtBlock<BlockMetadata>(`${block}/metadata`).lists("max_operation_list_length"),
    /** Hash of a block's metadata. */
    getBlockMetadataHash: getAtBlock<string>(`${block}/metadata_hash`),
    /** Hash of the state after a block. */
    getResultingContextHash: getAtBlock<string>(`${block}/resulting_context_hash`),
    /** Blocks that an operation may name as its branch. */
    getLiveBlocks: getAtBlock<ReadonlyArray<string>>(`${block}/live_blocks`).lists(),
    /** Operations of a block, in four lists: consensus, votes, anonymous, managers. */
    getOperations: get(`${block}/operations`)
      .returns<ReadonlyArray<ReadonlyArray<Operation>>>()
      .args<[input?: BlockRef & { readonly version?: string; readonly metadata?: "always" | "never" }]>(
        withBlock
      )
      .lists(),
    /** One of the four lists of a block's operations. */
    getOperationList: get(`${block}/operations/{list}`)
      .returns<ReadonlyArray<Operation>>()
      .args<[input: BlockRef & { readonly list: number }]>(withBlock)
      .lists(),
    /** Operation by its place in a block. */
    getOperation: get(`${block}/operations/{list}/{offset}`)
      .returns<Operation>()
      .args<[input: BlockRef & { readonly list: number; readonly offset: number }]>(withBlock)
      .lists("contents"),
    /** Hashes of a block's operations, in four lists. */
    getOperationHashes: getAtBlock<ReadonlyArray<ReadonlyArray<string>>>(`${block}/operation_hashes`).lists(),
    /** Hashes of the metadata of a block's operations, in four lists. */
    getOperationMetadataHashes: getAtBlock<ReadonlyArray<ReadonlyArray<string>>>(
      `${block}/operation_metadata_hashes`
    ).lists(),
    /** Protocol of a block and of the block after it. */
    getProtocols: getAtBlock<{ readonly protocol: string; readonly next_protocol: string }>(
      `${block}/protocols`
    ),
    /** Protocol by its hash, as seen from a block. */
    getProtocol: get(`${block}/protocols/{protocolHash}`)
      .returns<Json>()
      .args<[input: BlockRef & { readonly protocolHash: string }]>(withBlock),
    /** Hashes of the protocols that the node knows. */
    getKnownProtocols: get("/protocols").returns<ReadonlyArray<string>>().lists(),
    /** Source of a protocol. */
    getProtocolSource: get("/protocols/{protocolHash}").returns<ProtocolSource>().lists("components"),
    /** Parameters of the protocol. */
    getConstants: getAtBlock<Constants>(`${context}/constants`),
    /** Accounts and contracts that exist: a long list. */
    getContracts: getAtBlock<ReadonlyArray<Address>>(`${context}/contracts`).lists(),
    /** Account or contract; balance in mutez. */
    getContract: get(contract).returns<Contract>().args<[input: ContractRef & NormalizeTypes]>(withBlock),
    /** What an account can spend, in mutez. */
    getContractBalance: getOfContract<Mutez>(`${contract}/balance`),
    /** What an account can spend and what is frozen as bonds of rollups, in mutez. */
    getContractBalanceAndFrozenBonds: getOfContract<Mutez>(`${contract}/balance_and_frozen_bonds`),
    /** What an account can spend, in mutez, under the name of newer protocols. */
    getContractSpendable: getOfContract<Mutez>(`${contract}/spendable`),
    /** All that an account owns, staked tez too, in mutez. */
    getContractFullBalance: getOfContract<Mutez>(`${contract}/full_balance`),
    /** Bonds of rollups that an account has frozen, in mutez. */
    getContractFrozenBonds: getOfContract<Mutez>(`${contract}/frozen_bonds`),
    /** What an account has staked, in mutez; null for contracts. */
    getContractStakedBalance: getOfContract<Mutez | null>(`${contract}/staked_balance`),
    /** What an account has unstaked and cannot take back yet, in mutez; null for contracts. */
    getContractUnstakedFrozenBalance: getOfContract<Mutez | null>(`${contract}/unstaked_frozen_balance`),
    /** What an account has unstaked and can take back, in mutez; null for contracts. */
    getContractUnstakedFinalizableBalance: getOfContract<Mutez | null>(
      `${contract}/unstaked_finalizable_balance`
    ),
    /** Stake that an account is being given back; null for contracts. */
    getContractUnstakeRequests: getOfContract<UnstakeRequests | null>(`${contract}/unstake_requests`).lists(
      "finalizable"
    ),
    /** What an account can spend and what is frozen as bonds, in mutez, under the name of newer protocols. */
    getContractSpendableAndFrozenBonds: getOfContract<Mutez>(`${contract}/spendable_and_frozen_bonds`),
    /** Share of an account in its baker's stake, in pseudotokens. */
    getContractStakingNumerator: getOfContract<Int>(`${contract}/staking_numerator`),
    /** What an account will lose by pending accusations of its baker, in mutez. */
    getContractEstimatedSlash: getOfContract<Mutez>(`${contract}/estimated_own_pending_slashed_amount`),
    /** Number of operations that an account has sent. */
    getContractCounter: getOfContract<Int>(`${contract}/counter`),
    /** Baker that an account delegates to. */
    getContractDelegate: getOfContract<Address>(`${contract}/delegate`),
    /** Public key of an account; null until it is revealed. */
    getContractManagerKey: getOfContract<string | null>(`${contract}/manager_key`),
    /** Public key of an account; null until it is revealed. */
    getManagerKey: get(`${contract}/manager_key`)
      .returns<string | null>()
      .args<[address: Address, at?: BlockRef]>((address, at) => ({ ...withBlock(at), contractId: address })),
    /** Type of what an entry point of a contract takes. */
    getContractEntrypoint: get(`${contract}/entrypoints/{entrypoint}`)
      .returns<Micheline>()
      .args<[input: ContractRef & NormalizeTypes & { readonly entrypoint: string }]>(withBlock),
    /** Entry points of a contract. */
    getContractEntrypoints: get(`${contract}/entrypoints`)
      .returns<Entrypoints>()
      .args<[input: ContractRef & NormalizeTypes]>(withBlock),
    /** Program and storage of a contract. */
    getContractScript: getOfContract<Script>(`${contract}/script`),
    /** Program and storage of a contract, written in one way. */
    getContractScriptNormalized: post(`${contract}/script/normalized`)
      .returns<Script | null>()
      .args<[input: ContractRef & NormalizeTypes & { readonly unparsingMode: Unparsing }]>(withBlock),
    /** Storage of a contract. */
    getContractStorage: getOfContract<Micheline>(`${contract}/storage`),
    /** Storage of a contract, written in one way. */
    getContractStorageNormalized: post(`${contract}/storage/normalized`)
      .returns<Micheline | null>()
      .args<[input: ContractRef & { readonly unparsingMode: Unparsing }]>(withBlock),
    /** Bytes of storage that a contract uses. */
    getContractUsedStorage: getOfContract<Int>(`${contract}/storage/used_space`),
    /** Bytes of storage that a contract has paid for. */
    getContractPaidStorage: getOfContract<Int>(`${contract}/storage/paid_space`),
    /** Value of a contract's big map, by key; null if there is none. Only for contracts with one big map, as of old. */
    getContractBigMapValue: post(`${contract}/big_map_get`)
      .returns<Micheline | null>()
      .args<[input: ContractRef & { readonly key: Micheline; readonly type: Micheline }]>(withBlock)
      .keep("key", "type"),
    /** Tickets that a contract has. */
    getContractTickets: getOfContract<ReadonlyArray<TicketBalance>>(
      `${contract}/all_ticket_balances`
    ).lists(),
    /** How many of a ticket an account or contract has. */
    getContractTicketBalance: post(`${contract}/ticket_balance`)
      .returns<Int>()
      .args<
        [
          input: ContractRef & {
            readonly ticketer: Address
            readonly contentType: Micheline
            readonly content: Micheline
          }
        ]
      >(withBlock)
      .keep("contentType", "content"),
    /** Values of a big map, page by page. */
    getBigMap: get(`${context}/big_maps/{bigMapId}`)
      .returns<ReadonlyArray<Micheline>>()
      .args<
        [
          input: BlockRef & {
            readonly bigMapId: string | number
            readonly offset?: number
            readonly length?: number
          }
        ]
      >(withBlock)
      .lists(),
    /** Value of a big map by the hash of its key (`expr…`). */
    getBigMapValue: get(`${context}/big_maps/{bigMapId}/{scriptExpression}`)
      .returns<Micheline>()
      .args<[input: BlockRef & { readonly bigMapId: string | number; readonly scriptExpression: string }]>(
        withBlock
      ),
    /** Value of a big map by the hash of its key, written in one way. */
    getBigMapValueNormalized: post(`${context}/big_maps/{bigMapId}/{scriptExpression}/normalized`)
      .returns<Micheline>()
      .args<
        [
          input: BlockRef & {
            readonly bigMapId: string | number
            readonly scriptExpression: string
            readonly unparsingMode: Unparsing
          }
        ]
      >(withBlock),
    /** Bakers, all or those that are active, inactive, or have the least stake or not. */
    getDelegates: get(`${context}/delegates`)
      .returns<ReadonlyArray<Address>>()
      .args<
        [
          input?: BlockRef & {
            readonly active?: boolean
            readonly inactive?: boolean
            readonly withMinimalStake?: boolean
            readonly withoutMinimalStake?: boolean
          }
        ]
      >(withBlock)
      .lists(),
    /** All about a baker; which fields there are depends on the protocol. */
    getDelegate: getOfDelegate<Delegate>(delegate),
    /** Stake that gives a baker its rights, in mutez. */
    getDelegateStakingBalance: getOfDelegate<Mutez>(`${delegate}/staking_balance`),
    /** All that a baker owns, in mutez. */
    getDelegateFullBalance: getOfDelegate<Mutez>(`${delegate}/full_balance`),
    /** What a baker has frozen, in mutez. */
    getDelegateFrozenDeposits: getOfDelegate<Mutez>(`${delegate}/current_frozen_deposits`),
    /** Accounts that delegate to a baker. */
    getDelegateContracts: getOfDelegate<ReadonlyArray<Address>>(`${delegate}/delegated_contracts`).lists(),
    /** What others delegate to a baker, in mutez. */
    getDelegateDelegatedBalance: getOfDelegate<Mutez>(`${delegate}/delegated_balance`),
    /** Whether a baker is inactive. */
    getDelegateDeactivated: getOfDelegate<boolean>(`${delegate}/deactivated`),
    /** Cycle at whose end an idle baker becomes inactive. */
    getDelegateGracePeriod: getOfDelegate<number>(`${delegate}/grace_period`),
    /** Weight of a baker's vote, in mutez. */
    getDelegateVotingPower: getOfDelegate<Int>(`${delegate}/voting_power`),
    /** Key with which a baker bakes, and those that will follow. */
    getDelegateConsensusKey: getOfDelegate<ConsensusKeys>(`${delegate}/consensus_key`),
    /** How many attestations a baker has missed in this cycle, and may miss. */
    getDelegateParticipation: getOfDelegate<Participation>(`${delegate}/participation`),
    /** Conditions under which others may stake with a baker. */
    getDelegateStakingParameters: getOfDelegate<StakingParameters>(`${delegate}/active_staking_parameters`),
    /** All that a baker owns, in mutez, under the name of newer protocols. */
    getDelegateOwnFullBalance: getOfDelegate<Mutez>(`${delegate}/own_full_balance`),
    /** What a baker has staked itself, in mutez. */
    getDelegateOwnStaked: getOfDelegate<Mutez>(`${delegate}/own_staked`),
    /** What a baker owns and has not staked, in mutez. */
    getDelegateOwnDelegated: getOfDelegate<Mutez>(`${delegate}/own_delegated`),
    /** What others have staked with a baker, in mutez. */
    getDelegateExternalStaked: getOfDelegate<Mutez>(`${delegate}/external_staked`),
    /** What others delegate to a baker and have not staked, in mutez. */
    getDelegateExternalDelegated: getOfDelegate<Mutez>(`${delegate}/external_delegated`),
    /** All that is staked with a baker, in mutez. */
    getDelegateTotalStaked: getOfDelegate<Mutez>(`${delegate}/total_staked`),
    /** All that counts as delegated to a baker and is not staked, in mutez. */
    getDelegateTotalDelegated: getOfDelegate<Mutez>(`${delegate}/total_delegated`),
    /** What others have staked with a baker, in mutez, under the name of older protocols. */
    getDelegateTotalDelegatedStake: getOfDelegate<Mutez>(`${delegate}/total_delegated_stake`),
    /** What has been unstaked from a baker, by cycle, in mutez. */
    getDelegateTotalUnstakedPerCycle: getOfDelegate<ReadonlyArray<CycleDeposit>>(
      `${delegate}/total_unstaked_per_cycle`
    ).lists(),
    /** Least that was delegated to a baker in this cycle, in mutez. */
    getDelegateMinDelegated: getOfDelegate<MinimalDelegated>(`${delegate}/min_delegated_in_current_cycle`),
    /** Shares of all stakers of a baker, in pseudotokens. */
    getDelegateStakingDenominator: getOfDelegate<Int>(`${delegate}/staking_denominator`),
    /** Accounts that stake with a baker, and how much. */
    getDelegateStakers: getOfDelegate<ReadonlyArray<StakerDeposit>>(`${delegate}/stakers`).lists(),
    /** Accounts that delegate to a baker, under the name of newer protocols. */
    getDelegateDelegators: getOfDelegate<ReadonlyArray<Address>>(`${delegate}/delegators`).lists(),
    /** Weight of a baker in the choice of future bakers, in mutez. */
    getDelegateBakingPower: getOfDelegate<Int>(`${delegate}/baking_power`),
    /** Weight that a baker's vote would have now, in mutez. */
    getDelegateCurrentVotingPower: getOfDelegate<Int>(`${delegate}/current_voting_power`),
    /** A baker's votes in the current period. */
    getDelegateVotingInfo: getOfDelegate<VotingInfo>(`${delegate}/voting_info`),
    /** Key with which a baker attests data, and those that will follow. */
    getDelegateCompanionKey: getOfDelegate<CompanionKeys>(`${delegate}/companion_key`),
    /** A baker's part in attesting data in this cycle. */
    getDelegateDalParticipation: getOfDelegate<DalParticipation>(`${delegate}/dal_participation`),
    /** Conditions of staking with a baker that are yet to come. */
    getDelegatePendingStakingParameters: getOfDelegate<ReadonlyArray<PendingStakingParameters>>(
      `${delegate}/pending_staking_parameters`
    ).lists(),
    /** Whether a baker may not take part in the consensus for now. */
    getDelegateIsForbidden: getOfDelegate<boolean>(`${delegate}/is_forbidden`),
    /** Accusations of a baker that it has not been punished for yet. */
    getDelegateDenunciations: getOfDelegate<ReadonlyArray<Denunciation>>(`${delegate}/denunciations`).lists(),
    /** What a baker and its stakers will lose by pending accusations, in mutez. */
    getDelegateEstimatedSlash: getOfDelegate<Mutez>(`${delegate}/estimated_shared_pending_slashed_amount`),
    /** Accusations of bakers that have not been punished yet. */
    getDenunciations: getAtBlock<ReadonlyArray<{ readonly slashed_delegate: Address } & Denunciation>>(
      `${context}/denunciations`
    ).lists(),
    /** What bakers and others have staked, in mutez. */
    getTotalCurrentlyStaked: getAtBlock<CurrentlyStaked>(`${context}/total_currently_staked`),
    /** Cycle in which adaptive issuance began; null if it has not. */
    getAdaptiveIssuanceLaunchCycle: getAtBlock<number | null>(`${context}/adaptive_issuance_launch_cycle`),
    /** Number that INDEX_ADDRESS has given to an address; null if it has none. */
    getDestinationIndex: get(`${context}/destination/{destination}/index`)
      .returns<Int | null>()
      .args<[input: BlockRef & { readonly destination: Address }]>(withBlock),
    /** Level at which a block's protocol began. */
    getProtocolFirstLevel: getAtBlock<number>(`${context}/protocol/first_level`),
    /** How far the making of the next random seed is. */
    getSeedComputation: getAtBlock<
      | { readonly nonce_revelation_stage: null }
      | { readonly seed_discriminant: Hex; readonly seed_challenge: Hex }
      | { readonly computation_finished: null }
    >(`${context}/seed_computation`),
    /** Bakers and their shards of the data availability layer. */
    getDalShards: get(`${context}/dal/shards`)
      .returns<ReadonlyArray<DalShards>>()
      .args<
        [
          input?: BlockRef & {
            readonly level?: number
            readonly delegates?: Address | ReadonlyArray<Address>
          }
        ]
      >(withBlock)
      .lists(),
    /** Tez in existence, in mutez. */
    getTotalSupply: getAtBlock<Mutez>(`${context}/total_supply`),
    /** Tez that are staked for this cycle, in mutez. */
    getTotalFrozenStake: getAtBlock<Mutez>(`${context}/total_frozen_stake`),
    /** What the chain mints in this cycle and the next ones, in mutez. */
    getExpectedIssuance: getAtBlock<ReadonlyArray<ExpectedIssuance>>(
      `${context}/issuance/expected_issuance`
    ).lists(),
    /** Yearly issuance, in percent. */
    getYearlyIssuanceRate: getAtBlock<string>(`${context}/issuance/current_yearly_rate`),
    /** Yearly issuance, in percent, to the last digit. */
    getYearlyIssuanceRateExact: getAtBlock<Quotient>(`${context}/issuance/current_yearly_rate_exact`),
    /** Parts of the yearly issuance, in percent: by the stake, and by time. */
    getYearlyIssuanceRateDetails: getAtBlock<{ readonly static: Quotient; readonly dynamic: Quotient }>(
      `${context}/issuance/current_yearly_rate_details`
    ),
    /** Mutez that the chain mints per minute. */
    getIssuancePerMinute: getAtBlock<Mutez>(`${context}/issuance/issuance_per_minute`),
    /** Address of the contract for liquidity baking. */
    getLiquidityBakingAddress: getAtBlock<Address>(`${context}/liquidity_baking/cpmm_address`),
    /** Nonce that the baker of a level has committed to. */
    getNonce: get(`${context}/nonces/{level}`)
      .returns<Nonce>()
      .args<[input: BlockRef & { readonly level: number }]>(withBlock),
    /** Changes of a Sapling state since a place in it. */
    getSaplingDiff: get(`${context}/sapling/{saplingId}/get_diff`)
      .returns<SaplingDiff>()
      .args<
        [
          input: BlockRef & {
            readonly saplingId: string | number
            readonly offsetCommitment?: number
            readonly offsetNullifier?: number
          }
        ]
      >(withBlock)
      .lists("commitments_and_ciphertexts", "nullifiers"),
    /** Smart rollups. */
    getSmartRollups: getAtBlock<ReadonlyArray<Address>>(`${context}/smart_rollups/all`).lists(),
    /** Inbox that all smart rollups share. */
    getSmartRollupsInbox: getAtBlock<RollupInbox>(`${context}/smart_rollups/all/inbox`),
    /** Accounts that may stake on a private smart rollup; null if all may. */
    getSmartRollupWhitelist: getOfRollup<ReadonlyArray<Address> | null>(
      `${context}/smart_rollups/smart_rollup/{rollup}/whitelist`
    ).lists("?"),
    /** Accounts that have staked on commitments of a smart rollup. */
    getSmartRollupStakers: getOfRollup<ReadonlyArray<Address>>(
      `${context}/smart_rollups/smart_rollup/{rollup}/stakers`
    ).lists(),
    /** Commitment of a smart rollup by its hash. */
    getSmartRollupCommitment: get(
      `${context}/smart_rollups/smart_rollup/{rollup}/commitment/{commitmentHash}`
    )
      .returns<RollupCommitment>()
      .args<[input: BlockRef & { readonly rollup: Address; readonly commitmentHash: string }]>(withBlock),
    /** Kind of machine of a smart rollup. */
    getSmartRollupKind: getOfRollup<string>(`${context}/smart_rollups/smart_rollup/{rollup}/kind`),
    /** First commitment of a smart rollup, and its level. */
    getSmartRollupGenesis: getOfRollup<{ readonly level: number; readonly commitment_hash: string }>(
      `${context}/smart_rollups/smart_rollup/{rollup}/genesis_info`
    ),
    /** Newest commitment of a smart rollup that can no longer be refuted, and its level. */
    getSmartRollupLastCemented: getOfRollup<{ readonly hash: string; readonly level: number }>(
      `${context}/smart_rollups/smart_rollup/{rollup}/last_cemented_commitment_hash_with_level`
    ),
    /** Ballots of the current vote. */
    getBallots: getAtBlock<{ readonly yay: Int; readonly nay: Int; readonly pass: Int }>(
      `${block}/votes/ballots`
    ),
    /** Ballots of the current vote, by baker. */
    getBallotList: getAtBlock<
      ReadonlyArray<{ readonly pkh: Address; readonly ballot: "yay" | "nay" | "pass" }>
    >(`${block}/votes/ballot_list`).lists(),
    /** Period of voting that a block is in. */
    getVotingPeriod: getAtBlock<VotingPeriodInfo>(`${block}/votes/current_period`),
    /** Period of voting that the block after a block is in. */
    getSuccessorVotingPeriod: getAtBlock<VotingPeriodInfo>(`${block}/votes/successor_period`),
    /** Protocol that is voted on; null if there is none. */
    getCurrentProposal: getAtBlock<string | null>(`${block}/votes/current_proposal`),
    /** Part of the votes that has to be cast, in hundredths of a percent. */
    getCurrentQuorum: getAtBlock<number>(`${block}/votes/current_quorum`),
    /** Bakers that may vote, and the weights of their votes. */
    getVoteListings: getAtBlock<ReadonlyArray<{ readonly pkh: Address; readonly voting_power: Int }>>(
      `${block}/votes/listings`
    ).lists(),
    /** Proposals, and the weight of those that support them. */
    getProposals: getAtBlock<ReadonlyArray<readonly [protocol: string, support: Int]>>(
      `${block}/votes/proposals`
    ).lists(),
    /** How many proposals a baker has made or supported in this period. */
    getProposalCount: getOfDelegate<number>(`${block}/votes/proposal_count/{delegate}`),
    /** Weight of all votes. */
    getTotalVotingPower: getAtBlock<Int>(`${block}/votes/total_voting_power`),
    /** Place of a block, or of one `offset` later, in its cycle. */
    getCurrentLevel: get(`${block}/helpers/current_level`)
      .returns<Level>()
      .args<[input?: BlockRef & { readonly offset?: number }]>(withBlock),
    /** First and last level of a block's cycle, or of one `offset` later. */
    getLevelsInCurrentCycle: get(`${block}/helpers/levels_in_current_cycle`)
      .returns<{ readonly first: number; readonly last: number }>()
      .args<[input?: BlockRef & { readonly offset?: number }]>(withBlock),
    /** Round in which a block was made. */
    getRound: getAtBlock<number>(`${block}/helpers/round`),
    /** Who may bake which level in which round. */
    getBakingRights: get(`${block}/helpers/baking_rights`)
      .returns<ReadonlyArray<BakingRight>>()
      .args<
        [
          input?: BlockRef & {
            readonly level?: number | ReadonlyArray<number>
            readonly cycle?: number
            readonly delegate?: Address | ReadonlyArray<Address>
            readonly consensusKey?: Address | ReadonlyArray<Address>
            readonly maxRound?: number
            readonly all?: boolean
          }
        ]
      >(withBlock)
      .lists(),
    /** Who may attest which level. */
    getAttestationRights: get(`${block}/helpers/attestation_rights`)
      .returns<ReadonlyArray<AttestationRights>>()
      .args<
        [
          input?: BlockRef & {
            readonly level?: number | ReadonlyArray<number>
            readonly cycle?: number
            readonly delegate?: Address | ReadonlyArray<Address>
            readonly consensusKey?: Address | ReadonlyArray<Address>
          }
        ]
      >(withBlock)
      .lists(),
    /** Bakers that validate a level, with their slots. */
    getValidators: get(`${block}/helpers/validators`)
      .returns<ReadonlyArray<Validator> | ReadonlyArray<LevelValidators>>()
      .args<
        [
          input?: BlockRef & {
            readonly level?: number | ReadonlyArray<number>
            readonly delegate?: Address | ReadonlyArray<Address>
          }
        ]
      >(withBlock)
      .lists(),
    /** How many blocks in a row were made in round 0. */
    getConsecutiveRoundZero: getAtBlock<number>(`${block}/helpers/consecutive_round_zero`),
    /** Share of active bakers that sign with a tz4 key, in percent (`12.34%`). */
    getTz4BakerNumberRatio: get(`${block}/helpers/tz4_baker_number_ratio`)
      .returns<string>()
      .args<[input?: BlockRef & { readonly cycle?: number }]>(withBlock),
    /** Level from which on all bakers attest every block; null if it is not known. */
    getAllBakersAttestActivationLevel: getAtBlock<Level | null>(
      `${block}/helpers/all_bakers_attest_activation_level`
    ),
    /** Weight of all bakers in this cycle, in mutez, and the weight of each. */
    getBakingPowerDistribution: getAtBlock<
      readonly [
        total: Int,
        bakers: ReadonlyArray<
          readonly [baker: { readonly delegate: Address; readonly consensus_pkh: Address }, power: Int]
        >
      ]
    >(`${block}/helpers/baking_power_distribution_for_current_cycle`).lists(),
    /** Weight of all bakers in this cycle, in mutez. */
    getTotalBakingPower: getAtBlock<Int>(`${block}/helpers/total_baking_power`),
    /** Words that begin with a prefix and mean something at a block: hashes, addresses. */
    complete: get(`${block}/helpers/complete/{prefix}`)
      .returns<ReadonlyArray<string>>()
      .args<[input: BlockRef & { readonly prefix: string }]>(withBlock)
      .lists(),
    /** An operation as bytes, hexadecimal, ready to be signed. Bytes of a node one does not trust have to be checked. */
    forgeOperation: post(`${block}/helpers/forge/operations`)
      .returns<Hex>()
      .args<[input: BlockRef & { readonly operation: UnsignedOperation }]>(withBlock)
      .whole("operation")
      .verbatim(),
    /** Operations read from bytes. */
    parseOperations: post(`${block}/helpers/parse/operations`)
      .returns<ReadonlyArray<Operation>>()
      .args<
        [
          input: BlockRef & {
            readonly operations: ReadonlyArray<{ readonly branch: string; readonly data: Hex }>
            readonly checkSignature?: boolean
          }
        ]
      >(withBlock)
      .keep("operations")
      .lists(),
    /** Runs signed operations with all checks, without sending them; what fails is in the metadata of the contents. */
    preapplyOperations: post(`${block}/helpers/preapply/operations`)
      .returns<ReadonlyArray<AppliedOperation>>()
      .args<[input: BlockRef & { readonly operations: ReadonlyArray<SignedOperation> }]>(withBlock)
      .whole("operations")
      .verbatim()
      .lists(),
    /**
     * Runs an operation without checking its signature, as if it came some blocks later. Newer nodes want the chain's
     * id (`NetX…`) as `chain_id`. What fails is in the metadata of the contents.
     */
    simulateOperation: post(`${scripts}/simulate_operation{?version}`)
      .returns<AppliedOperation>()
      .args<
        [
          input: BlockRef & {
            readonly operation: SignedOperation
            readonly chain_id?: string
            readonly blocksBeforeActivation?: number
            readonly latency?: number
            readonly successorLevel?: boolean
            readonly version?: string
          }
        ]
      >(withBlock)
      .keep("operation")
      .lists("contents"),
    /** Runs an operation without checking its signature. What fails is in the metadata of the contents. */
    runOperation: post(`${scripts}/run_operation{?version}`)
      .returns<AppliedOperation>()
      .args<
        [
          input: BlockRef & {
            readonly operation: SignedOperation
            readonly chain_id: string
            readonly version?: string
          }
        ]
      >(withBlock)
      .keep("operation")
      .lists("contents"),
    /** Runs a program that is on no chain. */
    runCode: post(`${scripts}/run_code`)
      .returns<{
        readonly storage: Micheline
        readonly operations: ReadonlyArray<InternalOperation>
        readonly big_map_diff?: ReadonlyArray<LegacyBigMapDiff>
        readonly lazy_storage_diff?: ReadonlyArray<LazyStorageDiff>
      }>()
      .args<[input: CodeRun]>(withBlock)
      .keep("script", "storage", "input")
      .lists("operations"),
    /** Runs a program that is on no chain, and says what it did step by step. */
    traceCode: post(`${scripts}/trace_code`)
      .returns<Readonly<Record<string, Json>>>()
      .args<[input: CodeRun]>(withBlock)
      .keep("script", "storage", "input"),
    /** Result of a view of a contract (`view` in its program). */
    runScriptView: post(`${scripts}/run_script_view`)
      .returns<{ readonly data: Micheline }>()
      .args<
        [
          input: BlockRef & {
            readonly contract: Address
            readonly view: string
            readonly input: Micheline
            readonly chain_id: string
            readonly unlimitedGas?: boolean
            readonly source?: Address
            readonly payer?: Address
            readonly gas?: Int
            readonly unparsingMode?: Unparsing
            readonly now?: Int
            readonly level?: Int
          }
        ]
      >(withBlock)
      .keep("input"),
    /** Result of a view of a contract that is an entry point with a callback (TZIP-4). */
    runView: post(`${scripts}/run_view`)
      .returns<{ readonly data: Micheline }>()
      .args<
        [
          input: BlockRef & {
            readonly contract: Address
            readonly entrypoint: string
            readonly input: Micheline
            readonly chain_id: string
            readonly source?: Address
            readonly payer?: Address
            readonly gas?: Int
            readonly unparsingMode?: Unparsing
            readonly now?: Int
            readonly level?: Int
          }
        ]
      >(withBlock)
      .keep("input"),
    /** Data packed as Michelson's PACK does, hexadecimal. */
    packData: post(`${scripts}/pack_data`)
      .returns<{ readonly packed: Hex; readonly gas: Int | "unaccounted" }>()
      .args<[input: BlockRef & { readonly data: Micheline; readonly type: Micheline; readonly gas?: Int }]>(
        withBlock
      )
      .keep("data", "type"),
    /** Types of a program, or why it has none. */
    typecheckCode: post(`${scripts}/typecheck_code`)
      .returns<{ readonly type_map: Json; readonly gas: Int | "unaccounted" }>()
      .args<
        [
          input: BlockRef & {
            readonly program: Micheline
            readonly gas?: Int
            readonly legacy?: boolean
            readonly showTypes?: boolean
          }
        ]
      >(withBlock)
      .keep("program"),
    /** Gas left after data was found to be of a type. */
    typecheckData: post(`${scripts}/typecheck_data`)
      .returns<{ readonly gas: Int | "unaccounted" }>()
      .args<
        [
          input: BlockRef & {
            readonly data: Micheline
            readonly type: Micheline
            readonly gas?: Int
            readonly legacy?: boolean
          }
        ]
      >(withBlock)
      .keep("data", "type"),
    /** Bytes that a program and its storage take up. */
    scriptSize: post(`${scripts}/script_size`)
      .returns<{ readonly script_size: number }>()
      .args<
        [
          input: BlockRef & {
            readonly program: Micheline
            readonly storage: Micheline
            readonly gas?: Int
            readonly legacy?: boolean
          }
        ]
      >(withBlock)
      .keep("program", "storage"),
    /** Data written in one way. */
    normalizeData: post(`${scripts}/normalize_data`)
      .returns<{ readonly normalized: Micheline }>()
      .args<
        [
          input: BlockRef & {
            readonly data: Micheline
            readonly type: Micheline
            readonly unparsingMode: Unparsing
            readonly legacy?: boolean
          }
        ]
      >(withBlock)
      .keep("data", "type"),
    /** Sends a signed operation (hexadecimal), and yields its hash. Safe to repeat. */
    injectOperation: post("/injection/operation{?async,chain}")
      .bytes({ operationBytes: hex() })
      .body<{ readonly operationBytes: Hex; readonly async?: boolean; readonly chain?: string }>()
      .returns<string>()
      .whole("operationBytes")
      .verbatim()
      .broadcast(),
    /** Sends a signed block with its operations, and yields its hash. Safe to repeat. */
    injectBlock: post("/injection/block{?async,force,chain}")
      .body<{
        readonly data: Hex
        readonly operations: ReadonlyArray<ReadonlyArray<{ readonly branch: string; readonly data: Hex }>>
        readonly async?: boolean
        readonly force?: boolean
        readonly chain?: string
      }>()
      .returns<string>()
      .keep("operations")
      .broadcast(),
    /** Adds a protocol to the node, and yields its hash. */
    injectProtocol: post("/injection/protocol{?async}")
      .body<{
        readonly expectedEnvVersion: number
        readonly components: ReadonlyArray<ProtocolComponent>
        readonly async?: boolean
      }>()
      .returns<string>()
      .keep("components")
      .write(),
    /** Configuration of the node. */
    getConfig: get("/config/").returns<Readonly<Record<string, Json>>>(),
    /** How much of the chain's history the node keeps. */
    getHistoryMode: get("/config/history_mode").returns<{ readonly history_mode: Json }>(),
    /** Data availability layer in the node's configuration. */
    getNetworkDal: get("/config/network/dal").returns<Readonly<Record<string, Json>>>(),
    /** Protocols that users have put in the place of others. */
    getUserActivatedProtocolOverrides: get("/config/network/user_activated_protocol_overrides")
      .returns<ReadonlyArray<{ readonly replaced_protocol: string; readonly replacement_protocol: string }>>()
      .lists(),
    /** Levels at which users have changed the protocol. */
    getUserActivatedUpgrades: get("/config/network/user_activated_upgrades")
      .returns<ReadonlyArray<{ readonly level: number; readonly replacement_protocol: string }>>()
      .lists(),
    /** JSON schema of all errors. */
    getErrorsSchema: get("/errors/").returns<Readonly<Record<string, Json>>>(),
    /** Version of the node, and the network that it is on. */
    getNodeVersion: get("/version/").returns<NodeVersion>(),
    /** Id of the node on the peer-to-peer network. */
    getNodeId: get("/network/self").returns<string>(),
    /** Bytes that the node has sent and received. */
    getNetworkStat: get("/network/stat").returns<Readonly<Record<string, Json>>>(),
    /** Connections of the node. */
    getConnections: get("/network/connections").returns<ReadonlyArray<Json>>().lists(),
    /** Peers that the node knows. */
    getPeers: get("/network/peers")
      .query<{ readonly filter?: string }>()
      .returns<ReadonlyArray<readonly [id: string, info: Json]>>()
      .lists()
  }
)
