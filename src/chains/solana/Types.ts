/**
 * What Solana's nodes take and tell.
 *
 * @since 0.1.0
 */

/**
 * The address of an account: Base58 of 32 bytes.
 *
 * @since 0.1.0
 * @category types
 */
export type Pubkey = string

/**
 * The signature of a transaction, which is its id: Base58 of 64 bytes.
 *
 * @since 0.1.0
 * @category types
 */
export type Signature = string

/**
 * A whole number as an argument: a slot, an epoch, lamports (10^-9 SOL).
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = number | bigint

/**
 * The certainty that the cluster must have of the data. Nodes take `finalized` where none is given.
 *
 * @since 0.1.0
 * @category types
 */
export type Commitment = "processed" | "confirmed" | "finalized"

/**
 * The certainty that the cluster must have of the data.
 *
 * @since 0.1.0
 * @category types
 */
export interface CommitmentConfig {
  readonly commitment?: Commitment
}

/**
 * The same, and the slot that the node must have reached: one that has not yet is passed over.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContextConfig extends CommitmentConfig {
  readonly minContextSlot?: Integer
}

/**
 * The encoding of the data of an account. `base58` is for at most 128 bytes; `jsonParsed` gives a structure where the node
 * knows the program, and Base64 where it does not.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountEncoding = "base58" | "base64" | "base64+zstd" | "jsonParsed"

/**
 * A part of an account's data, in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface DataSlice {
  readonly offset: number
  readonly length: number
}

/**
 * Options of reading accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountConfig extends ContextConfig {
  readonly encoding?: AccountEncoding
  readonly dataSlice?: DataSlice
}

/**
 * A choice of accounts of a program. `bytes` is in `encoding`, Base58 by default.
 *
 * @since 0.1.0
 * @category types
 */
export type ProgramAccountFilter =
  | {
      readonly memcmp: {
        readonly offset: number
        readonly bytes: string
        readonly encoding?: "base58" | "base64"
      }
    }
  | { readonly dataSize: number }
  | { readonly tokenAccountState: true }

/**
 * Options of listing the accounts of a program.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProgramAccountsConfig extends AccountConfig {
  readonly filters?: ReadonlyArray<ProgramAccountFilter>
  readonly withContext?: boolean
  readonly sortResults?: boolean
}

/**
 * A choice of token accounts: those of a mint, or those of a token program.
 *
 * @since 0.1.0
 * @category types
 */
export type TokenAccountFilter = { readonly mint: Pubkey } | { readonly programId: Pubkey }

/**
 * The encoding of transactions.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionEncoding = "json" | "jsonParsed" | "base64" | "base58"

/**
 * The part of each transaction that a block shows.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionDetails = "full" | "accounts" | "signatures" | "none"

/**
 * Options of reading a block. Without `maxSupportedTransactionVersion` a block with a versioned transaction is an error.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockConfig extends CommitmentConfig {
  readonly encoding?: TransactionEncoding
  readonly transactionDetails?: TransactionDetails
  readonly maxSupportedTransactionVersion?: number
  readonly rewards?: boolean
}

/**
 * Options of reading a transaction. Without `maxSupportedTransactionVersion` a versioned one is an error.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionConfig extends CommitmentConfig {
  readonly encoding?: TransactionEncoding
  readonly maxSupportedTransactionVersion?: number
}

/**
 * The slots and the validator to count.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockProductionConfig extends CommitmentConfig {
  readonly identity?: Pubkey
  readonly range?: { readonly firstSlot: Integer; readonly lastSlot?: Integer }
}

/**
 * Options of a leader schedule; `identity` picks one validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface LeaderScheduleConfig extends CommitmentConfig {
  readonly identity?: Pubkey
}

/**
 * Options of inflation rewards; `epoch` is by default the last one that is over.
 *
 * @since 0.1.0
 * @category types
 */
export interface InflationRewardConfig extends ContextConfig {
  readonly epoch?: Integer
}

/**
 * Options of the list of the largest accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface LargestAccountsConfig extends CommitmentConfig {
  readonly filter?: "circulating" | "nonCirculating"
  readonly sortResults?: boolean
}

/**
 * Options of the activation of a stake account.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakeActivationConfig extends ContextConfig {
  readonly epoch?: Integer
}

/**
 * A choice of signatures of an address: at most `limit` (1000), newest first, older than `before` and newer than `until`.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignaturesConfig extends ContextConfig {
  readonly limit?: number
  readonly before?: Signature
  readonly until?: Signature
}

/**
 * Options of reading the states of transactions.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignatureStatusesConfig {
  /** Looks into the ledger too, not only into the recent states that the node has in memory. */
  readonly searchTransactionHistory?: boolean
}

/**
 * Options of the supply.
 *
 * @since 0.1.0
 * @category types
 */
export interface SupplyConfig extends CommitmentConfig {
  readonly excludeNonCirculatingAccountsList?: boolean
}

/**
 * Options of the list of vote accounts.
 *
 * @since 0.1.0
 * @category types
 */
export interface VoteAccountsConfig extends CommitmentConfig {
  readonly votePubkey?: Pubkey
  readonly keepUnstakedDelinquents?: boolean
  readonly delinquentSlotDistance?: Integer
}

/**
 * Options of an airdrop.
 *
 * @since 0.1.0
 * @category types
 */
export interface AirdropConfig extends CommitmentConfig {
  readonly recentBlockhash?: string
}

/**
 * Options of sending a transaction, which is Base58 by default.
 *
 * @since 0.1.0
 * @category types
 */
export interface SendConfig {
  readonly encoding?: "base58" | "base64"
  readonly skipPreflight?: boolean
  readonly preflightCommitment?: Commitment
  readonly maxRetries?: number
  readonly minContextSlot?: Integer
}

/**
 * Options of simulating a transaction, which is Base58 by default. `sigVerify` and `replaceRecentBlockhash` exclude each
 * other.
 *
 * @since 0.1.0
 * @category types
 */
export interface SimulateConfig extends ContextConfig {
  readonly encoding?: "base58" | "base64"
  readonly sigVerify?: boolean
  readonly replaceRecentBlockhash?: boolean
  readonly innerInstructions?: boolean
  readonly accounts?: {
    readonly addresses: ReadonlyArray<Pubkey>
    readonly encoding?: "base64" | "base64+zstd" | "jsonParsed"
  }
}

/**
 * A value and the slot at which the node read it.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithContext<out A> {
  readonly context: { readonly slot: bigint; readonly apiVersion?: string }
  readonly value: A
}

/**
 * What a node has read out of the data of an account or instruction, for programs that it knows. Accounts of some sysvars
 * have a list.
 *
 * @since 0.1.0
 * @category types
 */
export interface Parsed {
  readonly type: string
  readonly info?: Readonly<Record<string, unknown>> | ReadonlyArray<unknown>
}

/**
 * The data of an account: text and its encoding; or a structure that the node has parsed; or Base58 alone (nodes of old).
 *
 * @since 0.1.0
 * @category types
 */
export type AccountData<P = Parsed> =
  | readonly [data: string, encoding: "base58" | "base64" | "base64+zstd"]
  | { readonly program: string; readonly parsed: P; readonly space: bigint }
  | string

/**
 * An account. `lamports` is its balance, `owner` the program that it belongs to, `space` its size in bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account<out P = Parsed> {
  readonly lamports: bigint
  readonly owner: Pubkey
  readonly data: AccountData<P>
  readonly executable: boolean
  readonly rentEpoch: bigint
  readonly space?: bigint
}

/**
 * An account with its address.
 *
 * @since 0.1.0
 * @category types
 */
export interface KeyedAccount<out P = Parsed> {
  readonly pubkey: Pubkey
  readonly account: Account<P>
}

/**
 * An amount of tokens: in the smallest unit (`amount`), and in whole tokens (`uiAmountString`; `uiAmount` is a float).
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenAmount {
  readonly amount: string
  readonly decimals: number
  readonly uiAmount: number | null
  readonly uiAmountString: string
}

/**
 * A token account as nodes parse it. Amounts are there of what a delegate may spend, and of the rent's reserve of wrapped SOL;
 * `extensions` are those of Token-2022.
 *
 * @since 0.1.0
 * @category types
 */
export interface ParsedTokenAccount {
  readonly type: "account"
  readonly info: {
    readonly mint: Pubkey
    readonly owner: Pubkey
    readonly state: "initialized" | "frozen" | "uninitialized"
    readonly isNative: boolean
    readonly tokenAmount: TokenAmount
    readonly delegate?: Pubkey
    readonly delegatedAmount?: TokenAmount
    readonly rentExemptReserve?: TokenAmount
    readonly closeAuthority?: Pubkey
    readonly extensions?: ReadonlyArray<unknown>
  }
}

/**
 * One of the largest accounts of a mint.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenHolding extends TokenAmount {
  readonly address: Pubkey
}

/**
 * Why an instruction failed: a name, or the code that its program gave. Older nodes have a text beside `BorshIoError`.
 *
 * @since 0.1.0
 * @category types
 */
export type InstructionError = string | { readonly Custom: number } | { readonly BorshIoError: string }

/**
 * Why a transaction failed: a name, or the index of the instruction and why that failed, or the index of the instruction or
 * account that it is about.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionError =
  | string
  | { readonly InstructionError: readonly [index: number, error: InstructionError] }
  | { readonly DuplicateInstruction: bigint }
  | { readonly InsufficientFundsForRent: { readonly account_index: bigint } }
  | { readonly ProgramExecutionTemporarilyRestricted: { readonly account_index: bigint } }

/**
 * The reward of a validator or delegator. `commission` is in percent, `commissionBps` (newer nodes) in hundredths of one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Reward {
  readonly pubkey: Pubkey
  readonly lamports: bigint
  readonly postBalance: bigint
  readonly rewardType: "Fee" | "Rent" | "Voting" | "Staking" | (string & {}) | null
  readonly commission?: number | null
  readonly commissionBps?: bigint
}

/**
 * An instruction that names accounts by their index. `data` is Base58.
 *
 * @since 0.1.0
 * @category types
 */
export interface Instruction {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  readonly data: string
  readonly stackHeight?: number | null
}

/**
 * An instruction as `jsonParsed` gives it: parsed (of a memo, its text), or with its addresses where the node does not know
 * the program.
 *
 * @since 0.1.0
 * @category types
 */
export type ParsedInstruction =
  | {
      readonly program: string
      readonly programId: Pubkey
      readonly parsed: Parsed | string
      readonly stackHeight?: number | null
    }
  | {
      readonly programId: Pubkey
      readonly accounts: ReadonlyArray<Pubkey>
      readonly data: string
      readonly stackHeight?: number | null
    }

/**
 * An account of a transaction as `jsonParsed` gives it.
 *
 * @since 0.1.0
 * @category types
 */
export interface ParsedAccountKey {
  readonly pubkey: Pubkey
  readonly signer: boolean
  readonly writable: boolean
  readonly source?: "transaction" | "lookupTable"
}

/**
 * Addresses that a versioned transaction takes from a table.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressTableLookup {
  readonly accountKey: Pubkey
  readonly writableIndexes: ReadonlyArray<number>
  readonly readonlyIndexes: ReadonlyArray<number>
}

/**
 * What a transaction of version 1 may use of the cluster, and the lamports that it offers for that; null for what it leaves
 * to the cluster.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionBudget {
  readonly computeUnitLimit: bigint | null
  readonly heapSize: bigint | null
  readonly loadedAccountsDataSizeLimit: bigint | null
  readonly priorityFee: bigint | null
}

/**
 * The content that the signers of a transaction have signed. `header` is there with the encoding `json` only.
 *
 * @since 0.1.0
 * @category types
 */
export interface Message {
  readonly accountKeys: ReadonlyArray<Pubkey | ParsedAccountKey>
  readonly header?: {
    readonly numRequiredSignatures: number
    readonly numReadonlySignedAccounts: number
    readonly numReadonlyUnsignedAccounts: number
  }
  readonly instructions: ReadonlyArray<Instruction | ParsedInstruction>
  readonly recentBlockhash: string
  readonly addressTableLookups?: ReadonlyArray<AddressTableLookup> | null
  readonly transactionConfig?: TransactionBudget
}

/**
 * A transaction: the text and its encoding (`base58`, `base64`), or its parts (`json`, `jsonParsed`).
 *
 * @since 0.1.0
 * @category types
 */
export type EncodedTransaction =
  | readonly [data: string, encoding: "base58" | "base64"]
  | { readonly signatures: ReadonlyArray<Signature>; readonly message: Message }

/**
 * The accounts of a transaction alone, of a block with the details `accounts`.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionAccounts {
  readonly signatures: ReadonlyArray<Signature>
  readonly accountKeys: ReadonlyArray<ParsedAccountKey>
}

/**
 * The tokens of an account before or after a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: Pubkey
  readonly owner?: Pubkey
  readonly programId?: Pubkey
  readonly uiTokenAmount: TokenAmount
}

/**
 * Accounts that a transaction has by address tables.
 *
 * @since 0.1.0
 * @category types
 */
export interface LoadedAddresses {
  readonly writable: ReadonlyArray<Pubkey>
  readonly readonly: ReadonlyArray<Pubkey>
}

/**
 * Instructions that an instruction has called.
 *
 * @since 0.1.0
 * @category types
 */
export interface InnerInstructions {
  readonly index: number
  readonly instructions: ReadonlyArray<Instruction | ParsedInstruction>
}

/**
 * The return value of a program. `data` is text and its encoding.
 *
 * @since 0.1.0
 * @category types
 */
export interface ReturnData {
  readonly programId: Pubkey
  readonly data: readonly [data: string, encoding: "base64"]
}

/**
 * The effects of a transaction. `fee` and the balances (by account, before and after) are in lamports; `err` is null on success.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionMeta {
  readonly err: TransactionError | null
  readonly status: { readonly Ok: null } | { readonly Err: TransactionError }
  readonly fee: bigint
  readonly preBalances: ReadonlyArray<bigint>
  readonly postBalances: ReadonlyArray<bigint>
  readonly preTokenBalances?: ReadonlyArray<TokenBalance> | null
  readonly postTokenBalances?: ReadonlyArray<TokenBalance> | null
  readonly innerInstructions?: ReadonlyArray<InnerInstructions> | null
  readonly logMessages?: ReadonlyArray<string> | null
  readonly rewards?: ReadonlyArray<Reward> | null
  readonly loadedAddresses?: LoadedAddresses
  readonly returnData?: ReturnData | null
  readonly computeUnitsConsumed?: bigint
  readonly costUnits?: bigint
}

/**
 * A transaction in a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTransaction {
  readonly transaction: EncodedTransaction | TransactionAccounts
  readonly meta: TransactionMeta | null
  readonly version?: "legacy" | number
}

/**
 * A transaction with its place. `blockTime` is in seconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends BlockTransaction {
  readonly transaction: EncodedTransaction
  readonly slot: bigint
  readonly blockTime: bigint | null
}

/**
 * A block. `transactions` or `signatures` are there as the details asked for; `blockTime` is in seconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly blockhash: string
  readonly previousBlockhash: string
  readonly parentSlot: bigint
  readonly blockHeight: bigint | null
  readonly blockTime: bigint | null
  readonly transactions?: ReadonlyArray<BlockTransaction>
  readonly signatures?: ReadonlyArray<Signature>
  readonly rewards?: ReadonlyArray<Reward>
  readonly numRewardPartitions?: bigint | null
}

/**
 * The stake, in lamports, that has voted for a block at each depth of lockout, and all that is active.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockCommitment {
  readonly commitment: ReadonlyArray<bigint> | null
  readonly totalStake: bigint
}

/**
 * Of each validator, how many slots it led and how many blocks it made in them.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockProduction {
  readonly byIdentity: Readonly<Record<Pubkey, readonly [leaderSlots: bigint, blocksProduced: bigint]>>
  readonly range: { readonly firstSlot: bigint; readonly lastSlot: bigint }
}

/**
 * A node of the cluster. Addresses are IP and port, null where the node does not offer the service.
 *
 * @since 0.1.0
 * @category types
 */
export interface ClusterNode {
  readonly pubkey: Pubkey
  readonly gossip: string | null
  readonly tpu: string | null
  readonly tpuQuic?: string | null
  readonly tpuForwards?: string | null
  readonly tpuForwardsQuic?: string | null
  readonly tpuVote?: string | null
  readonly tvu?: string | null
  readonly serveRepair?: string | null
  readonly rpc: string | null
  readonly pubsub?: string | null
  readonly version: string | null
  /** The node's program, of newer nodes. */
  readonly clientId?: string | null
  readonly featureSet: number | null
  readonly shredVersion: number | null
}

/**
 * The position of the cluster in its epoch.
 *
 * @since 0.1.0
 * @category types
 */
export interface EpochInfo {
  readonly absoluteSlot: bigint
  readonly blockHeight: bigint
  readonly epoch: bigint
  readonly slotIndex: bigint
  readonly slotsInEpoch: bigint
  readonly transactionCount: bigint | null
}

/**
 * The division into epochs, from the genesis configuration.
 *
 * @since 0.1.0
 * @category types
 */
export interface EpochSchedule {
  readonly slotsPerEpoch: bigint
  readonly leaderScheduleSlotOffset: bigint
  readonly warmup: boolean
  readonly firstNormalEpoch: bigint
  readonly firstNormalSlot: bigint
}

/**
 * The newest snapshots of a node.
 *
 * @since 0.1.0
 * @category types
 */
export interface SnapshotSlots {
  readonly full: bigint
  readonly incremental: bigint | null
}

/**
 * The parameters of inflation: rates are fractions, terms are years.
 *
 * @since 0.1.0
 * @category types
 */
export interface InflationGovernor {
  readonly initial: number
  readonly terminal: number
  readonly taper: number
  readonly foundation: number
  readonly foundationTerm: number
}

/**
 * The inflation of an epoch, as fractions.
 *
 * @since 0.1.0
 * @category types
 */
export interface InflationRate {
  readonly total: number
  readonly validator: number
  readonly foundation: number
  readonly epoch: bigint
}

/**
 * The reward of an address for an epoch, in lamports. `commission` is in percent.
 *
 * @since 0.1.0
 * @category types
 */
export interface InflationReward {
  readonly epoch: bigint
  readonly effectiveSlot: bigint
  readonly amount: bigint
  readonly postBalance: bigint
  readonly commission?: number | null
}

/**
 * An address and its balance in lamports.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountBalance {
  readonly address: Pubkey
  readonly lamports: bigint
}

/**
 * A blockhash, and the last block height at which transactions with it are taken.
 *
 * @since 0.1.0
 * @category types
 */
export interface LatestBlockhash {
  readonly blockhash: string
  readonly lastValidBlockHeight: bigint
}

/**
 * The work of the cluster in a minute (`samplePeriodSecs`).
 *
 * @since 0.1.0
 * @category types
 */
export interface PerformanceSample {
  readonly slot: bigint
  readonly numTransactions: bigint
  readonly numNonVoteTransactions?: bigint | null
  readonly numSlots: bigint
  readonly samplePeriodSecs: number
}

/**
 * The lowest priority fee that landed in a slot, in micro-lamports per compute unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface PrioritizationFee {
  readonly slot: bigint
  readonly prioritizationFee: bigint
}

/**
 * A transaction of an address. `blockTime` is in seconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignatureInfo {
  readonly signature: Signature
  readonly slot: bigint
  readonly err: TransactionError | null
  readonly memo: string | null
  readonly blockTime: bigint | null
  readonly confirmationStatus: Commitment | null
  /** The place of the transaction in its block, of newer nodes. */
  readonly transactionIndex?: number
}

/**
 * The state of a transaction. `confirmations` is null once it is finalized.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignatureStatus {
  readonly slot: bigint
  readonly confirmations: bigint | null
  readonly err: TransactionError | null
  readonly status: { readonly Ok: null } | { readonly Err: TransactionError }
  readonly confirmationStatus: Commitment | null
}

/**
 * The stake of an account in an epoch, in lamports.
 *
 * @since 0.1.0
 * @category types
 */
export interface StakeActivation {
  readonly state: "active" | "inactive" | "activating" | "deactivating"
  readonly active: bigint
  readonly inactive: bigint
}

/**
 * All lamports there are.
 *
 * @since 0.1.0
 * @category types
 */
export interface Supply {
  readonly total: bigint
  readonly circulating: bigint
  readonly nonCirculating: bigint
  readonly nonCirculatingAccounts: ReadonlyArray<Pubkey>
}

/**
 * The version of a node's software.
 *
 * @since 0.1.0
 * @category types
 */
export interface Version {
  readonly "solana-core": string
  readonly "feature-set": number | null
}

/**
 * A vote account. `activatedStake` is in lamports, `commission` in percent.
 *
 * @since 0.1.0
 * @category types
 */
export interface VoteAccount {
  readonly votePubkey: Pubkey
  readonly nodePubkey: Pubkey
  readonly activatedStake: bigint
  readonly epochVoteAccount: boolean
  readonly commission: number
  /** The commission in hundredths of a percent, of newer nodes. */
  readonly inflationRewardsCommissionBps?: bigint
  readonly lastVote: bigint
  readonly rootSlot: bigint
  readonly epochCredits: ReadonlyArray<readonly [epoch: bigint, credits: bigint, previousCredits: bigint]>
}

/**
 * The vote accounts that vote, and those that lag behind.
 *
 * @since 0.1.0
 * @category types
 */
export interface VoteAccounts {
  readonly current: ReadonlyArray<VoteAccount>
  readonly delinquent: ReadonlyArray<VoteAccount>
}

/**
 * The effects that a transaction would have. `err` is null if it would succeed. Balances and the fee are in lamports; newer
 * nodes have more fields than older ones, and null where they know nothing (as of a transaction that does not load).
 *
 * @since 0.1.0
 * @category types
 */
export interface Simulation {
  readonly err: TransactionError | null
  readonly logs: ReadonlyArray<string> | null
  readonly accounts?: ReadonlyArray<Account | null> | null
  readonly unitsConsumed?: bigint | null
  readonly loadedAccountsDataSize?: number | null
  readonly returnData?: ReturnData | null
  readonly innerInstructions?: ReadonlyArray<InnerInstructions> | null
  readonly replacementBlockhash?: LatestBlockhash | null
  readonly fee?: bigint | null
  readonly preBalances?: ReadonlyArray<bigint> | null
  readonly postBalances?: ReadonlyArray<bigint> | null
  readonly preTokenBalances?: ReadonlyArray<TokenBalance> | null
  readonly postTokenBalances?: ReadonlyArray<TokenBalance> | null
  readonly loadedAddresses?: LoadedAddresses | null
}
