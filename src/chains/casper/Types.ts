/**
 * What Casper nodes take and give.
 *
 * @since 0.1.0
 */

/**
 * A hash, hexadecimal: of a block, a deploy, a state root.
 *
 * @since 0.1.0
 * @category types
 */
export type Digest = string

/**
 * A public key, hexadecimal: 01 (Ed25519) or 02 (secp256k1) and the key.
 *
 * @since 0.1.0
 * @category types
 */
export type PublicKey = string

/**
 * The hash of an account: `account-hash-` and hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type AccountHash = string

/**
 * An unforgeable reference, a purse say: `uref-`, hexadecimal digits, `-` and the access rights.
 *
 * @since 0.1.0
 * @category types
 */
export type URef = string

/**
 * A key of the global state, such as `hash-…`, `account-hash-…` or `deploy-…`.
 *
 * @since 0.1.0
 * @category types
 */
export type Key = string

/**
 * An amount of motes (10^-9 CSPR), a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Motes = string

/**
 * A block: its height as a number, or its hash. Without it, the newest.
 *
 * @since 0.1.0
 * @category types
 */
export type BlockId = number | bigint | Digest

/**
 * A state: that after a block, by hash or height, or that of a root. Without it, the newest.
 *
 * @since 0.1.0
 * @category types
 */
export type StateIdentifier =
  | { readonly BlockHash: Digest }
  | { readonly BlockHeight: number | bigint }
  | { readonly StateRootHash: Digest }

/**
 * A purse: by its reference, or as the main purse of an account.
 *
 * @since 0.1.0
 * @category types
 */
export type PurseIdentifier =
  | { readonly main_purse_under_public_key: PublicKey }
  | { readonly main_purse_under_account_hash: AccountHash }
  | { readonly main_purse_under_entity_addr: string }
  | { readonly purse_uref: URef }

/**
 * An item of a dictionary: through the named key of an account or contract, through the seed, or by its own address.
 *
 * @since 0.1.0
 * @category types
 */
export type DictionaryIdentifier =
  | {
      readonly AccountNamedKey: {
        readonly key: string
        readonly dictionary_name: string
        readonly dictionary_item_key: string
      }
    }
  | {
      readonly ContractNamedKey: {
        readonly key: string
        readonly dictionary_name: string
        readonly dictionary_item_key: string
      }
    }
  | {
      readonly EntityNamedKey: {
        readonly key: string
        readonly dictionary_name: string
        readonly dictionary_item_key: string
      }
    }
  | { readonly URef: { readonly seed_uref: URef; readonly dictionary_item_key: string } }
  | { readonly Dictionary: string }

/**
 * An entity of Casper 2: an account or a contract.
 *
 * @since 0.1.0
 * @category types
 */
export type EntityIdentifier =
  | { readonly PublicKey: PublicKey }
  | { readonly AccountHash: AccountHash }
  | { readonly EntityAddr: string }
  | { readonly ContractHash: string }

/**
 * A package of contracts.
 *
 * @since 0.1.0
 * @category types
 */
export type PackageIdentifier = { readonly PackageAddr: string } | { readonly ContractPackageHash: string }

/**
 * An era: by its number, or by a block of it.
 *
 * @since 0.1.0
 * @category types
 */
export type EraIdentifier =
  | { readonly Era: number | bigint }
  | { readonly Block: { readonly Hash: Digest } | { readonly Height: number | bigint } }

/**
 * The hash of a transaction, and which kind it is of: a deploy of 1.x, or a transaction of 2.x.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionHash = { readonly Deploy: Digest } | { readonly Version1: Digest }

/**
 * The type of a contract's value.
 *
 * @since 0.1.0
 * @category types
 */
export type CLType =
  | string
  | { readonly Option: CLType }
  | { readonly List: CLType }
  | { readonly ByteArray: number }
  | { readonly Result: { readonly ok: CLType; readonly err: CLType } }
  | { readonly Map: { readonly key: CLType; readonly value: CLType } }
  | { readonly Tuple1: ReadonlyArray<CLType> }
  | { readonly Tuple2: ReadonlyArray<CLType> }
  | { readonly Tuple3: ReadonlyArray<CLType> }

/**
 * A contract's value: its type, its bytes (hexadecimal), and their value as a node reads it.
 *
 * @since 0.1.0
 * @category types
 */
export interface CLValue {
  readonly cl_type: CLType
  readonly bytes: string
  readonly parsed?: unknown
}

/**
 * Arguments of a contract: names and values.
 *
 * @since 0.1.0
 * @category types
 */
export type RuntimeArgs = ReadonlyArray<readonly [name: string, value: CLValue]>

/**
 * The code that a deploy runs: the one field says which.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutableItem {
  readonly ModuleBytes?: { readonly module_bytes: string; readonly args: RuntimeArgs }
  readonly StoredContractByHash?: {
    readonly hash: string
    readonly entry_point: string
    readonly args: RuntimeArgs
  }
  readonly StoredContractByName?: {
    readonly name: string
    readonly entry_point: string
    readonly args: RuntimeArgs
  }
  readonly StoredVersionedContractByHash?: {
    readonly hash: string
    readonly version?: number | null
    readonly entry_point: string
    readonly args: RuntimeArgs
  }
  readonly StoredVersionedContractByName?: {
    readonly name: string
    readonly version?: number | null
    readonly entry_point: string
    readonly args: RuntimeArgs
  }
  readonly Transfer?: { readonly args: RuntimeArgs }
}

/**
 * A signature, hexadecimal, and whose it is.
 *
 * @since 0.1.0
 * @category types
 */
export interface Approval {
  readonly signer: PublicKey
  readonly signature: string
}

/**
 * A signed deploy. `timestamp` is in RFC 3339, `ttl` a duration such as `30m`; `Price` is the type of `gas_price`:
 * `bigint` in answers.
 *
 * @since 0.1.0
 * @category types
 */
export interface Deploy<out Price = number | bigint> {
  readonly hash: Digest
  readonly header: {
    readonly account: PublicKey
    readonly timestamp: string
    readonly ttl: string
    readonly gas_price: Price
    readonly body_hash: Digest
    readonly dependencies: ReadonlyArray<Digest>
    readonly chain_name: string
  }
  readonly payment: ExecutableItem
  readonly session: ExecutableItem
  readonly approvals: ReadonlyArray<Approval>
}

/**
 * A signed transaction of Casper 2, or a deploy.
 *
 * @since 0.1.0
 * @category types
 */
export type Transaction<Price = number | bigint> =
  | { readonly Deploy: Deploy<Price> }
  | { readonly Version1: TransactionV1<Price> }

/**
 * Who has sent a transaction: by key, or by account.
 *
 * @since 0.1.0
 * @category types
 */
export type InitiatorAddr = { readonly PublicKey: PublicKey } | { readonly AccountHash: AccountHash }

/**
 * How a transaction of Casper 2 pays: up to a limit (motes), at the price of its kind, or with what is paid already.
 * `Price` is the type of the limit: `bigint` in answers.
 *
 * @since 0.1.0
 * @category types
 */
export type PricingMode<Price = number | bigint> =
  | {
      readonly PaymentLimited: {
        readonly payment_amount: Price
        readonly gas_price_tolerance: number
        readonly standard_payment: boolean
      }
    }
  | {
      readonly Fixed: { readonly additional_computation_factor: number; readonly gas_price_tolerance: number }
    }
  | { readonly Prepaid: { readonly receipt: Digest } }

/**
 * A transaction of Casper 2. The fields of the payload are bytes by index, hexadecimal, or named, by the node's version.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionV1<out Price = number | bigint> {
  readonly hash: Digest
  readonly payload: {
    readonly initiator_addr: InitiatorAddr
    readonly timestamp: string
    readonly ttl: string
    readonly chain_name: string
    readonly pricing_mode: PricingMode<Price>
    readonly fields: Readonly<Record<string, unknown>>
  }
  readonly approvals: ReadonlyArray<Approval>
}

/**
 * Every answer says by which version of the API it was made.
 *
 * @since 0.1.0
 * @category types
 */
export interface Versioned {
  readonly api_version: string
}

/**
 * How an execution of Casper 1 changed the value of a key: a word, or an object whose one field says how. Casper 2 tells
 * of such executions with kinds that only it has: `WriteAddressableEntity`, `Prune` and `WriteBidKind`.
 *
 * @since 0.1.0
 * @category types
 */
export type TransformV1 =
  | "Identity"
  | "WriteContractWasm"
  | "WriteContract"
  | "WriteContractPackage"
  | "WriteAddressableEntity"
  | {
      readonly WriteCLValue?: CLValue
      readonly WriteAccount?: AccountHash
      readonly WriteDeployInfo?: StoredDeployInfo
      readonly WriteEraInfo?: EraInfo
      readonly WriteTransfer?: Transfer
      readonly WriteBid?: Bid
      readonly WriteBidKind?: BidKind
      readonly WriteWithdraw?: ReadonlyArray<WithdrawPurse>
      readonly WriteUnbonding?: ReadonlyArray<UnbondingPurse>
      readonly AddInt32?: number
      readonly AddUInt64?: bigint
      readonly AddUInt128?: string
      readonly AddUInt256?: string
      readonly AddUInt512?: string
      readonly AddKeys?: ReadonlyArray<NamedKey>
      readonly Prune?: Key
      readonly Failure?: string
    }

/**
 * How an execution of Casper 2 changed the value of a key: `Identity` not at all, otherwise the one field says how.
 *
 * @since 0.1.0
 * @category types
 */
export type TransformV2 =
  | "Identity"
  | {
      readonly Write?: StoredValueV2
      readonly AddInt32?: number
      readonly AddUInt64?: bigint
      readonly AddUInt128?: string
      readonly AddUInt256?: string
      readonly AddUInt512?: string
      readonly AddKeys?: ReadonlyArray<NamedKey>
      readonly Prune?: Key
      readonly Failure?: TransformError
    }

/**
 * Why a value could not be changed.
 *
 * @since 0.1.0
 * @category types
 */
export type TransformError =
  | "Deprecated"
  | {
      readonly Serialization?:
        | "EarlyEndOfStream"
        | "Formatting"
        | "LeftOverBytes"
        | "OutOfMemory"
        | "NotRepresentable"
        | "ExceededRecursionDepth"
      readonly TypeMismatch?: { readonly expected: string; readonly found: string }
    }

/**
 * A change of an execution of Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface Effect {
  readonly key: Key
  readonly kind: TransformV2
}

/**
 * The effects of an execution of Casper 1.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionEffect {
  readonly operations: ReadonlyArray<{
    readonly key: Key
    readonly kind: "Read" | "Write" | "Add" | "NoOp" | "Prune"
  }>
  readonly transforms: ReadonlyArray<{ readonly key: Key; readonly transform: TransformV1 }>
}

/**
 * A transfer between purses. `id` is the sender's own number for it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transfer {
  readonly deploy_hash: Digest
  readonly from: AccountHash
  readonly to?: AccountHash | null
  readonly source: URef
  readonly target: URef
  readonly amount: Motes
  readonly gas: string
  readonly id?: bigint | null
}

/**
 * A transfer as Casper 2 has it: `Version1` or `Version2`.
 *
 * @since 0.1.0
 * @category types
 */
export interface VersionedTransfer {
  readonly Version1?: Transfer
  readonly Version2?: {
    readonly transaction_hash: TransactionHash
    readonly from: InitiatorAddr
    readonly to?: AccountHash | null
    readonly source: URef
    readonly target: URef
    readonly amount: Motes
    readonly gas: string
    readonly id?: bigint | null
  }
}

/**
 * The outcome of a deploy: `Success`, or `Failure` with a message. `cost` is in motes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionResultV1 {
  readonly Success?: {
    readonly effect: ExecutionEffect
    readonly transfers: ReadonlyArray<string>
    readonly cost: Motes
  }
  readonly Failure?: {
    readonly effect: ExecutionEffect
    readonly transfers: ReadonlyArray<string>
    readonly cost: Motes
    readonly error_message: string
  }
}

/**
 * The outcome of a transaction of Casper 2. It failed if there is an `error_message`. `limit` and `consumed` are gas,
 * `cost` and `refund` motes.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionResultV2 {
  readonly initiator: InitiatorAddr
  readonly error_message?: string | null
  readonly current_price?: number
  readonly limit: string
  readonly consumed: string
  readonly cost: Motes
  readonly refund?: Motes
  readonly transfers: ReadonlyArray<VersionedTransfer>
  readonly size_estimate: bigint
  readonly effects: ReadonlyArray<Effect>
}

/**
 * The block in which a transaction was executed, and the outcome. Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionInfo {
  readonly block_hash: Digest
  readonly block_height: bigint
  readonly execution_result?: {
    readonly Version1?: ExecutionResultV1
    readonly Version2?: ExecutionResultV2
  } | null
}

/**
 * A deploy, with its outcomes: `execution_results` of 1.x, `execution_info` of 2.x.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeployInfo extends Versioned {
  readonly deploy: Deploy<bigint>
  readonly execution_results?: ReadonlyArray<{
    readonly block_hash: Digest
    readonly result: ExecutionResultV1
  }>
  readonly block_hash?: Digest
  readonly block_height?: bigint
  readonly execution_info?: ExecutionInfo | null
}

/**
 * A transaction with its outcome.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionInfo extends Versioned {
  readonly transaction: Transaction<bigint>
  readonly execution_info?: ExecutionInfo | null
}

/**
 * The weight of a validator in the next era.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorWeight {
  readonly validator: PublicKey
  readonly weight: Motes
}

/**
 * The end of an era of Casper 1. Rewards are in motes.
 *
 * @since 0.1.0
 * @category types
 */
export interface EraEndV1 {
  readonly era_report: {
    readonly equivocators: ReadonlyArray<PublicKey>
    readonly rewards: ReadonlyArray<{ readonly validator: PublicKey; readonly amount: bigint }>
    readonly inactive_validators: ReadonlyArray<PublicKey>
  }
  readonly next_era_validator_weights: ReadonlyArray<ValidatorWeight>
}

/**
 * The end of an era of Casper 2. Rewards are in motes, those of each validator by the eras that they are for.
 *
 * @since 0.1.0
 * @category types
 */
export interface EraEndV2 {
  readonly equivocators: ReadonlyArray<PublicKey>
  readonly inactive_validators: ReadonlyArray<PublicKey>
  readonly next_era_validator_weights: ReadonlyArray<ValidatorWeight>
  readonly rewards: Readonly<Record<PublicKey, ReadonlyArray<Motes>>>
  readonly next_era_gas_price: number
}

/**
 * The header of a block of Casper 1. `timestamp` is in RFC 3339; `era_end` is there in the last block of an era.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeaderV1<out End = EraEndV1> {
  readonly parent_hash: Digest
  readonly state_root_hash: Digest
  readonly body_hash: Digest
  readonly random_bit: boolean
  readonly accumulated_seed: Digest
  readonly era_end?: End | null
  readonly timestamp: string
  readonly era_id: bigint
  readonly height: bigint
  readonly protocol_version: string
}

/**
 * The header of a block of Casper 2, with its proposer and the price of gas.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeaderV2 extends BlockHeaderV1<EraEndV2> {
  readonly proposer: PublicKey
  readonly current_gas_price: number
  readonly last_switch_block_hash?: Digest | null
}

/**
 * A validator's signature under a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockProof {
  readonly public_key: PublicKey
  readonly signature: string
}

/**
 * A block of Casper 1.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockV1 {
  readonly hash: Digest
  readonly header: BlockHeaderV1
  readonly body: {
    readonly proposer: PublicKey
    readonly deploy_hashes: ReadonlyArray<Digest>
    readonly transfer_hashes: ReadonlyArray<Digest>
  }
}

/**
 * A block of Casper 2. Transactions are by lane; `rewarded_signatures` are bit fields of earlier blocks.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockV2 {
  readonly hash: Digest
  readonly header: BlockHeaderV2
  readonly body: {
    readonly transactions: Readonly<Record<string, ReadonlyArray<TransactionHash>>>
    readonly rewarded_signatures: ReadonlyArray<ReadonlyArray<bigint>>
  }
}

/**
 * A block with the signatures under it: `block` of 1.x, `block_with_signatures` of 2.x. Null where the node has none.
 *
 * @since 0.1.0
 * @category types
 */
export interface GetBlock extends Versioned {
  readonly block?: (BlockV1 & { readonly proofs: ReadonlyArray<BlockProof> }) | null
  readonly block_with_signatures?: {
    readonly block: { readonly Version1?: BlockV1; readonly Version2?: BlockV2 }
    readonly proofs: ReadonlyArray<BlockProof>
  } | null
}

/**
 * The transfers of a block: of 1.x plain, of 2.x by version.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTransfers extends Versioned {
  readonly block_hash?: Digest | null
  readonly transfers?: ReadonlyArray<Transfer | VersionedTransfer> | null
}

/**
 * The root of the state after a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateRootHash extends Versioned {
  readonly state_root_hash?: Digest | null
}

/**
 * A key that an account or contract has a name for.
 *
 * @since 0.1.0
 * @category types
 */
export interface NamedKey {
  readonly name: string
  readonly key: Key
}

/**
 * An account as the state has it. Keys have weights; actions need a sum of them.
 *
 * @since 0.1.0
 * @category types
 */
export interface Account {
  readonly account_hash: AccountHash
  readonly named_keys: ReadonlyArray<NamedKey>
  readonly main_purse: URef
  readonly associated_keys: ReadonlyArray<{ readonly account_hash: AccountHash; readonly weight: number }>
  readonly action_thresholds: { readonly deployment: number; readonly key_management: number }
}

/**
 * A function of a contract of Casper 1.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntryPointV1 {
  readonly name: string
  readonly args: ReadonlyArray<{ readonly name: string; readonly cl_type: CLType }>
  readonly ret: CLType
  readonly access: "Public" | { readonly Groups: ReadonlyArray<string> }
  readonly entry_point_type: "Session" | "Contract"
}

/**
 * A function of a contract of Casper 2. One that runs in the caller's context has the type `Caller`.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntryPointV2 {
  readonly name: string
  readonly args: ReadonlyArray<{ readonly name: string; readonly cl_type: CLType }>
  readonly ret: CLType
  readonly access: "Public" | "Template" | { readonly Groups: ReadonlyArray<string> }
  readonly entry_point_type: "Caller" | "Called" | "Factory"
}

/**
 * The same with who pays for it.
 *
 * @since 0.1.0
 * @category types
 */
export interface PaidEntryPoint extends EntryPointV2 {
  readonly entry_point_payment: "Caller" | "DirectInvocationOnly" | "SelfOnward"
}

/**
 * A function of a contract of before Casper 2, as a node of Casper 2 tells of it.
 *
 * @since 0.1.0
 * @category types
 */
export interface NamedEntryPoint {
  readonly name: string
  readonly entry_point: EntryPointV2
}

/**
 * A contract. `Entry` is how its functions are told of: nodes of Casper 1 and 2 differ.
 *
 * @since 0.1.0
 * @category types
 */
export interface Contract<out Entry = EntryPointV1 | NamedEntryPoint> {
  readonly contract_package_hash: string
  readonly contract_wasm_hash: string
  readonly named_keys: ReadonlyArray<NamedKey>
  readonly entry_points: ReadonlyArray<Entry>
  readonly protocol_version: string
}

/**
 * The code of a contract of before Casper 2, hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractWasm {
  readonly bytes: string
}

/**
 * A version of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractVersionKey {
  readonly protocol_version_major: number
  readonly contract_version: number
}

/**
 * The holders of some keys, who alone may call some functions.
 *
 * @since 0.1.0
 * @category types
 */
export interface UserGroup {
  readonly group: string
  readonly keys: ReadonlyArray<URef>
}

/**
 * The same of Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface NamedUserGroup {
  readonly group_name: string
  readonly group_users: ReadonlyArray<URef>
}

/**
 * The versions of a contract. `Group` and `Disabled` are how groups and disabled versions are told of: nodes of Casper 1
 * have objects, those of Casper 2 other names and pairs of numbers.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractPackage<
  out Group = UserGroup | NamedUserGroup,
  out Disabled = ContractVersionKey | readonly [protocolMajor: number, version: number]
> {
  readonly access_key: URef
  readonly versions: ReadonlyArray<ContractVersionKey & { readonly contract_hash: string }>
  readonly disabled_versions: ReadonlyArray<Disabled>
  readonly groups: ReadonlyArray<Group>
  readonly lock_status: "Locked" | "Unlocked"
}

/**
 * The versions of a contract as nodes of Casper 2 have them.
 *
 * @since 0.1.0
 * @category types
 */
export type ContractPackageV2 = ContractPackage<
  NamedUserGroup,
  readonly [protocolMajor: number, version: number]
>

/**
 * A stake that vests: when it begins (milliseconds since 1970), and how much is locked week by week.
 *
 * @since 0.1.0
 * @category types
 */
export interface VestingSchedule {
  readonly initial_release_timestamp_millis: bigint
  readonly locked_amounts?: ReadonlyArray<Motes> | null
}

/**
 * A stake that is given to a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Delegator {
  readonly delegator_public_key: PublicKey
  readonly staked_amount: Motes
  readonly bonding_purse: URef
  readonly validator_public_key: PublicKey
  readonly vesting_schedule?: VestingSchedule | null
}

/**
 * The delegators of a bid, by key, as nodes of Casper 1 have them.
 *
 * @since 0.1.0
 * @category types
 */
export type DelegatorsV1 = Readonly<Record<PublicKey, Delegator>>

/**
 * The delegators of a bid, in a list, as nodes of Casper 2 have them.
 *
 * @since 0.1.0
 * @category types
 */
export type DelegatorsV2 = ReadonlyArray<{
  readonly delegator_public_key: PublicKey
  readonly delegator: Delegator
}>

/**
 * A validator's bid. `delegation_rate` is its share of its delegators' rewards, in percent; `Delegators` is a list from
 * nodes of Casper 2, and an object from those of Casper 1.
 *
 * @since 0.1.0
 * @category types
 */
export interface Bid<out Delegators = DelegatorsV1 | DelegatorsV2> {
  readonly validator_public_key: PublicKey
  readonly bonding_purse: URef
  readonly staked_amount: Motes
  readonly delegation_rate: number
  readonly vesting_schedule?: VestingSchedule | null
  readonly delegators: Delegators
  readonly inactive: boolean
}

/**
 * A validator's bid as the auction of Casper 1 has it: without `validator_public_key`, which tells it from that of
 * Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuctionBidV1 {
  readonly validator_public_key?: undefined
  readonly bonding_purse: URef
  readonly staked_amount: Motes
  readonly delegation_rate: number
  readonly delegators: ReadonlyArray<{
    readonly public_key: PublicKey
    readonly staked_amount: Motes
    readonly bonding_purse: URef
    readonly delegatee: PublicKey
  }>
  readonly inactive: boolean
}

/**
 * A delegator of Casper 2: by key, or by purse.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegatorKind {
  readonly PublicKey?: PublicKey
  readonly Purse?: string
}

/**
 * A validator's own bid of Casper 2. Amounts of delegation and the delegation rate (percent) are its limits and its
 * share.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorBid {
  readonly validator_public_key: PublicKey
  readonly bonding_purse: URef
  readonly staked_amount: Motes
  readonly delegation_rate: number
  readonly vesting_schedule?: VestingSchedule | null
  readonly inactive: boolean
  readonly minimum_delegation_amount: bigint
  readonly maximum_delegation_amount: bigint
  readonly reserved_slots: number
}

/**
 * A delegator's bid of Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegatorBid {
  readonly delegator_kind: DelegatorKind
  readonly staked_amount: Motes
  readonly bonding_purse: URef
  readonly validator_public_key: PublicKey
  readonly vesting_schedule?: VestingSchedule | null
}

/**
 * A stake of Casper 2 on its way out, era by era.
 *
 * @since 0.1.0
 * @category types
 */
export interface Unbond {
  readonly validator_public_key: PublicKey
  readonly unbond_kind: {
    readonly Validator?: PublicKey
    readonly DelegatedPublicKey?: PublicKey
    readonly DelegatedPurse?: string
  }
  readonly eras: ReadonlyArray<{
    readonly bonding_purse: URef
    readonly era_of_creation: bigint
    readonly amount: Motes
    readonly new_validator?: PublicKey | null
  }>
}

/**
 * A bid of Casper 2: the one field says of which kind.
 *
 * @since 0.1.0
 * @category types
 */
export interface BidKind {
  readonly Unified?: Bid<DelegatorsV2>
  readonly Validator?: ValidatorBid
  readonly Delegator?: DelegatorBid
  readonly Bridge?: {
    readonly old_validator_public_key: PublicKey
    readonly new_validator_public_key: PublicKey
    readonly era_id: bigint
  }
  readonly Credit?: {
    readonly validator_public_key: PublicKey
    readonly era_id: bigint
    readonly amount: Motes
  }
  readonly Reservation?: {
    readonly delegator_kind: DelegatorKind
    readonly validator_public_key: PublicKey
    readonly delegation_rate: number
  }
  readonly Unbond?: Unbond
}

/**
 * A stake that is withdrawn.
 *
 * @since 0.1.0
 * @category types
 */
export interface WithdrawPurse {
  readonly bonding_purse: URef
  readonly validator_public_key: PublicKey
  readonly unbonder_public_key: PublicKey
  readonly era_of_creation: bigint
  readonly amount: Motes
}

/**
 * A stake on its way out, or to another validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnbondingPurse extends WithdrawPurse {
  readonly new_validator?: PublicKey | null
}

/**
 * A share of an era's rewards: the one field says whose.
 *
 * @since 0.1.0
 * @category types
 */
export interface SeigniorageAllocation {
  readonly Validator?: { readonly validator_public_key: PublicKey; readonly amount: Motes }
  readonly Delegator?: {
    readonly delegator_public_key: PublicKey
    readonly validator_public_key: PublicKey
    readonly amount: Motes
  }
  readonly DelegatorKind?: {
    readonly delegator_kind: DelegatorKind
    readonly validator_public_key: PublicKey
    readonly amount: Motes
  }
}

/**
 * The rewards of an era.
 *
 * @since 0.1.0
 * @category types
 */
export interface EraInfo {
  readonly seigniorage_allocations: ReadonlyArray<SeigniorageAllocation>
}

/**
 * What the state keeps of a deploy: its transfers by their addresses.
 *
 * @since 0.1.0
 * @category types
 */
export interface StoredDeployInfo {
  readonly deploy_hash: Digest
  readonly transfers: ReadonlyArray<string>
  readonly from: AccountHash
  readonly source: URef
  readonly gas: string
}

/**
 * A value of the global state: the one field says which. Nodes of Casper 1 and 2 differ in some.
 *
 * @since 0.1.0
 * @category types
 */
export interface StoredValue {
  readonly CLValue?: CLValue
  readonly Account?: Account
  readonly ContractWasm?: string | ContractWasm
  readonly Contract?: Contract
  readonly ContractPackage?: ContractPackage
  readonly Transfer?: Transfer
  readonly DeployInfo?: StoredDeployInfo
  readonly EraInfo?: EraInfo
  readonly Bid?: Bid
  readonly BidKind?: BidKind
  readonly Withdraw?: ReadonlyArray<WithdrawPurse>
  readonly Unbonding?: ReadonlyArray<UnbondingPurse>
  readonly AddressableEntity?: AddressableEntity
  readonly SmartContract?: Package
  readonly ByteCode?: ByteCode
  readonly MessageTopic?: MessageTopic
  readonly Message?: string
  readonly NamedKey?: { readonly named_key: CLValue; readonly name: CLValue }
  readonly Prepayment?: Prepayment
  readonly EntryPoint?: EntryPointValue
  readonly RawBytes?: string
}

/**
 * A value of the global state as nodes of Casper 2 have it.
 *
 * @since 0.1.0
 * @category types
 */
export interface StoredValueV2 extends StoredValue {
  readonly ContractWasm?: ContractWasm
  readonly Contract?: Contract<NamedEntryPoint>
  readonly ContractPackage?: ContractPackageV2
  readonly Bid?: Bid<DelegatorsV2>
}

/**
 * A function of an entity of Casper 2, by the machine that runs it.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntryPointValue {
  readonly V1CasperVm: PaidEntryPoint
}

/**
 * What an entity has said about a topic in a block. The time is in milliseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface MessageTopic {
  readonly message_count: number
  readonly blocktime: bigint
  readonly topic_name: string
}

/**
 * Gas that is paid for in advance. The data is hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface Prepayment {
  readonly receipt: Digest
  readonly prepayment_kind: number
  readonly prepayment_data: string
}

/**
 * Code of a contract: its kind, and its bytes in hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface ByteCode {
  readonly kind: "Empty" | "V1CasperWasm" | "V2CasperWasm"
  readonly bytes: string
}

/**
 * What an entity of Casper 2 is: the one field says which.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntityKind {
  readonly System?: "Mint" | "HandlePayment" | "StandardPayment" | "Auction"
  readonly Account?: AccountHash
  readonly SmartContract?: "VmCasperV1" | "VmCasperV2"
}

/**
 * An account or contract of Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressableEntity {
  readonly protocol_version: string
  readonly entity_kind: EntityKind
  readonly package_hash: string
  readonly byte_code_hash: string
  readonly main_purse: URef
  readonly associated_keys: ReadonlyArray<{ readonly account_hash: AccountHash; readonly weight: number }>
  readonly action_thresholds: {
    readonly deployment: number
    readonly upgrade_management: number
    readonly key_management: number
  }
}

/**
 * A version of an entity of Casper 2.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntityVersionKey {
  readonly protocol_version_major: number
  readonly entity_version: number
}

/**
 * A package of Casper 2: the versions of an entity.
 *
 * @since 0.1.0
 * @category types
 */
export interface Package {
  readonly versions: ReadonlyArray<{
    readonly entity_version_key: EntityVersionKey
    readonly addressable_entity_hash: string
  }>
  readonly disabled_versions: ReadonlyArray<EntityVersionKey>
  readonly groups: ReadonlyArray<NamedUserGroup>
  readonly lock_status: "Locked" | "Unlocked"
}

/**
 * A value out of the state, with the proof that it is in it (hexadecimal).
 *
 * @since 0.1.0
 * @category types
 */
export interface StateItem extends Versioned {
  readonly stored_value: StoredValue
  readonly merkle_proof: string
}

/**
 * The same, with the header of the block where one was asked for. Of 2.x the header says its version.
 *
 * @since 0.1.0
 * @category types
 */
export interface GlobalState extends StateItem {
  readonly block_header?:
    | BlockHeaderV1
    | { readonly Version1: BlockHeaderV1 }
    | { readonly Version2: BlockHeaderV2 }
    | null
}

/**
 * An item of a dictionary, and its address.
 *
 * @since 0.1.0
 * @category types
 */
export interface DictionaryItem extends StateItem {
  readonly dictionary_key: string
}

/**
 * An account with the proof that the state has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccountInfo extends Versioned {
  readonly account: Account
  readonly merkle_proof: string
}

/**
 * An entity of Casper 2, or an account that is none yet.
 *
 * @since 0.1.0
 * @category types
 */
export interface EntityInfo extends Versioned {
  readonly entity: {
    readonly AddressableEntity?: {
      readonly entity: AddressableEntity
      readonly named_keys: ReadonlyArray<NamedKey>
      readonly entry_points: ReadonlyArray<EntryPointValue>
      readonly bytecode?: { readonly code: ByteCode; readonly merkle_proof: string } | null
    }
    readonly Account?: Account
    readonly Contract?: {
      readonly contract: Contract<NamedEntryPoint>
      readonly wasm?: { readonly wasm: ContractWasm; readonly merkle_proof: string } | null
    }
  }
  readonly merkle_proof: string
}

/**
 * A package of contracts.
 *
 * @since 0.1.0
 * @category types
 */
export interface PackageInfo extends Versioned {
  readonly package: {
    readonly Package?: Package
    readonly ContractPackage?: ContractPackageV2
  }
  readonly merkle_proof: string
}

/**
 * The balance of a purse.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance extends Versioned {
  readonly balance: Motes
}

/**
 * A balance with its proof.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProvenBalance extends Versioned {
  readonly balance_value: Motes
  readonly merkle_proof: string
}

/**
 * A balance, its part that can be spent, and its parts that are held back.
 *
 * @since 0.1.0
 * @category types
 */
export interface BalanceDetails extends Versioned {
  readonly total_balance: Motes
  readonly available_balance: Motes
  readonly total_balance_proof: string
  readonly holds: ReadonlyArray<{ readonly time: bigint; readonly amount: Motes; readonly proof: string }>
}

/**
 * The payments of an era.
 *
 * @since 0.1.0
 * @category types
 */
export interface EraSummary {
  readonly block_hash: Digest
  readonly era_id: bigint
  readonly stored_value: StoredValue
  readonly state_root_hash: Digest
  readonly merkle_proof: string
}

/**
 * The auction for the places of validators: those of this and the coming eras, and all bids. A bid of Casper 2 has a
 * `validator_public_key`, one of Casper 1 has none.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuctionInfo extends Versioned {
  readonly auction_state: {
    readonly state_root_hash: Digest
    readonly block_height: bigint
    readonly era_validators: ReadonlyArray<{
      readonly era_id: bigint
      readonly validator_weights: ReadonlyArray<{
        readonly public_key: PublicKey
        readonly weight: Motes
      }>
    }>
    readonly bids: ReadonlyArray<{
      readonly public_key: PublicKey
      readonly bid: AuctionBidV1 | Bid<DelegatorsV2>
    }>
  }
}

/**
 * The same as Casper 2 has it: bids of validators, delegators and others, each under its kind.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuctionInfoV2 extends Versioned {
  readonly auction_state: Omit<AuctionInfo["auction_state"], "bids"> & {
    readonly bids: ReadonlyArray<{ readonly public_key: PublicKey; readonly bid: BidKind }>
  }
}

/**
 * The payment of an era to a validator or delegator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Reward extends Versioned {
  readonly reward_amount: Motes
  readonly era_id: bigint
  readonly delegation_rate: number
  readonly switch_block_hash: Digest
}

/**
 * A peer of the node.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peer {
  readonly node_id: string
  readonly address: string
}

/**
 * The node: its identity, how far it is, and which blocks it has. Durations are text, such as `3days 2h`.
 *
 * @since 0.1.0
 * @category types
 */
export interface Status extends Versioned {
  readonly protocol_version?: string
  readonly peers: ReadonlyArray<Peer>
  readonly build_version: string
  readonly chainspec_name: string
  readonly starting_state_root_hash: Digest
  readonly last_added_block_info?: {
    readonly hash: Digest
    readonly timestamp: string
    readonly era_id: bigint
    readonly height: bigint
    readonly state_root_hash: Digest
    readonly creator: PublicKey
  } | null
  readonly our_public_signing_key?: PublicKey | null
  readonly round_length?: string | null
  readonly next_upgrade?: {
    readonly activation_point: bigint | string
    readonly protocol_version: string
  } | null
  readonly uptime: string
  readonly reactor_state: string
  readonly last_progress: string
  readonly available_block_range: { readonly low: bigint; readonly high: bigint }
  readonly block_sync: {
    readonly historical?: BlockSync | null
    readonly forward?: BlockSync | null
  }
  readonly latest_switch_block_hash?: Digest | null
}

/**
 * A block that the node is fetching.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockSync {
  readonly block_hash: Digest
  readonly block_height?: bigint | null
  readonly acquisition_state: string
}

/**
 * The files that the chain is configured by, hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface Chainspec extends Versioned {
  readonly chainspec_bytes: {
    readonly chainspec_bytes: string
    readonly maybe_genesis_accounts_bytes?: string | null
    readonly maybe_global_state_bytes?: string | null
  }
}

/**
 * The changes in the set of validators, by era.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorChanges extends Versioned {
  readonly changes: ReadonlyArray<{
    readonly public_key: PublicKey
    readonly status_changes: ReadonlyArray<{
      readonly era_id: bigint
      readonly validator_change: "Added" | "Removed" | "Banned" | "CannotPropose" | "SeenAsFaulty"
    }>
  }>
}

/**
 * The effects that a transaction would have: every outcome is an answer here.
 *
 * @since 0.1.0
 * @category types
 */
export interface SpeculativeResult<out Outcome = SpeculativeResultV2> extends Versioned {
  readonly execution_result: Outcome
}

/**
 * The effects that a deploy would have: nodes of Casper 1 tell of them in their own form, and at which block.
 *
 * @since 0.1.0
 * @category types
 */
export interface SpeculativeDeployResult extends SpeculativeResult<ExecutionResultV1 | SpeculativeResultV2> {
  readonly block_hash?: Digest
}

/**
 * The outcome that a transaction would have on Casper 2. It failed if `error` is there.
 *
 * @since 0.1.0
 * @category types
 */
export interface SpeculativeResultV2 {
  readonly block_hash: Digest
  readonly transfers: ReadonlyArray<VersionedTransfer>
  readonly limit: string
  readonly consumed: string
  readonly effects: ReadonlyArray<Effect>
  readonly messages: ReadonlyArray<Message>
  readonly error?: string | null
}

/**
 * A message of a contract of Casper 2: a text, or bytes in hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface Message {
  readonly hash_addr: string
  readonly message: { readonly String: string } | { readonly Bytes: string }
  readonly topic_name: string
  readonly topic_name_hash: string
  readonly topic_index: number
  readonly block_index: bigint
}
