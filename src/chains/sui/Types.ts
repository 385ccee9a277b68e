/**
 * What Sui's nodes and its indexer take and give.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import type { Choice } from "../../data/Endpoint.js"
import type { TransactionFailed } from "../../data/SdkError.js"
import type { Json } from "../../data/untrusted.js"
import type { WaitError, WaitOptions } from "../internal/Confirmation.js"

/**
 * An address: 0x and up to 64 hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * The id of an object or a package: 0x and up to 64 hexadecimal digits.
 *
 * @since 0.1.0
 * @category types
 */
export type ObjectId = string

/**
 * The digest of a transaction, a checkpoint, an object or an event: 32 bytes in Base58.
 *
 * @since 0.1.0
 * @category types
 */
export type Digest = string

/**
 * Bytes, Base64.
 *
 * @since 0.1.0
 * @category types
 */
export type Base64 = string

/**
 * An integer of 64 bits as nodes write it, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type U64 = string

/**
 * An integer of 128 bits as nodes write it, a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type U128 = string

/**
 * An integer of 64 bits as callers give it. It goes out as a decimal string.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = number | bigint | string

/**
 * The type of a coin, such as `0x2::sui::SUI`.
 *
 * @since 0.1.0
 * @category types
 */
export type CoinType = string

/**
 * A page of a list. `nextCursor` is the cursor of the next page, if `hasNextPage` says that there is one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Page<A, Cursor> {
  readonly data: ReadonlyArray<A>
  readonly hasNextPage: boolean
  readonly nextCursor?: Cursor | null
}

/**
 * Further arguments of a development inspection.
 *
 * @since 0.1.0
 * @category types
 */
export interface DevInspectArgs {
  readonly gasBudget?: U64 | null
  readonly gasObjects?: ReadonlyArray<readonly [ObjectId, number | bigint, Digest]> | null
  readonly gasSponsor?: Address | null
  readonly showRawTxnDataAndEffects?: boolean | null
  readonly skipChecks?: boolean | null
}

/**
 * The effects and the returned values of an inspected transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface DevInspectResult {
  readonly effects: TransactionEffects
  readonly error?: string | null
  readonly events: ReadonlyArray<Event>
  readonly rawEffects?: ReadonlyArray<number>
  readonly rawTxnData?: ReadonlyArray<number>
  readonly results?: ReadonlyArray<ExecutionResult> | null
}

/**
 * What a transaction did: its status, its cost and the objects that it changed.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionEffects = {
  readonly abortError?: MoveAbort | null
  readonly accumulatorEvents?: ReadonlyArray<AccumulatorEvent>
  readonly created?: ReadonlyArray<OwnedObjectRef>
  readonly deleted?: ReadonlyArray<ObjectRef>
  readonly dependencies?: ReadonlyArray<Digest>
  readonly eventsDigest?: Digest | null
  readonly executedEpoch: U64
  readonly gasObject: OwnedObjectRef
  readonly gasUsed: GasCostSummary
  readonly messageVersion: "v1"
  readonly modifiedAtVersions?: ReadonlyArray<ModifiedAtVersion>
  readonly mutated?: ReadonlyArray<OwnedObjectRef>
  readonly sharedObjects?: ReadonlyArray<ObjectRef>
  readonly status: ExecutionStatus
  readonly transactionDigest: Digest
  readonly unwrapped?: ReadonlyArray<OwnedObjectRef>
  readonly unwrappedThenDeleted?: ReadonlyArray<ObjectRef>
  readonly wrapped?: ReadonlyArray<ObjectRef>
}

/**
 * The place and the code at which a Move call has aborted.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveAbort {
  readonly error_code?: bigint | null
  readonly function?: string | null
  readonly line?: number | null
  readonly module_id?: string | null
}

/**
 * A change of the balance that an address holds outside of coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface AccumulatorEvent {
  readonly accumulatorObj: ObjectId
  readonly address: Address
  readonly operation: AccumulatorOperation
  readonly ty: string
  readonly value: AccumulatorValue
}

/**
 * Whether a value is added or taken away.
 *
 * @since 0.1.0
 * @category types
 */
export type AccumulatorOperation = "merge" | "split"

/**
 * The value of a change of an accumulator.
 *
 * @since 0.1.0
 * @category types
 */
export type AccumulatorValue =
  | { readonly integer: bigint }
  | { readonly integerTuple: readonly [bigint, bigint] }
  | { readonly eventDigest: ReadonlyArray<readonly [bigint, Digest]> }

/**
 * A version of an object with its owner.
 *
 * @since 0.1.0
 * @category types
 */
export interface OwnedObjectRef {
  readonly owner: Owner
  readonly reference: ObjectRef
}

/**
 * The owner of an object.
 *
 * @since 0.1.0
 * @category types
 */
export type Owner =
  | { readonly AddressOwner: Address }
  | { readonly ObjectOwner: Address }
  | { readonly Shared: { readonly initial_shared_version: bigint } }
  | "Immutable"
  | { readonly ConsensusAddressOwner: { readonly owner: Address; readonly start_version: bigint } }

/**
 * A version of an object, by id, version and digest.
 *
 * @since 0.1.0
 * @category types
 */
export interface ObjectRef {
  readonly digest: Digest
  readonly objectId: ObjectId
  readonly version: bigint
}

/**
 * What a transaction has cost, in MIST.
 *
 * @since 0.1.0
 * @category types
 */
export interface GasCostSummary {
  readonly computationCost: U64
  readonly nonRefundableStorageFee: U64
  readonly storageCost: U64
  readonly storageRebate: U64
}

/**
 * The version at which an object was changed.
 *
 * @since 0.1.0
 * @category types
 */
export interface ModifiedAtVersion {
  readonly objectId: ObjectId
  readonly sequenceNumber: U64
}

/**
 * Whether a transaction has succeeded, and why not.
 *
 * @since 0.1.0
 * @category types
 */
export type ExecutionStatus =
  | { readonly status: "success" }
  | { readonly error: string; readonly status: "failure" }

/**
 * An event of a Move call. `parsedJson` has the fields of its type.
 *
 * @since 0.1.0
 * @category types
 */
export type Event = {
  readonly id: EventId
  readonly packageId: ObjectId
  readonly parsedJson: Json
  readonly sender: Address
  readonly timestampMs?: U64 | null
  readonly transactionModule: string
  readonly type: string
} & (
  | { readonly bcs: Base64; readonly bcsEncoding: "base64" }
  | { readonly bcs: string; readonly bcsEncoding: "base58" }
)

/**
 * The place of an event: the transaction, and its number there.
 *
 * @since 0.1.0
 * @category types
 */
export interface EventId {
  readonly eventSeq: U64
  readonly txDigest: Digest
}

/**
 * The values that a command has returned, and the references that it has changed, in BCS.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExecutionResult {
  readonly mutableReferenceOutputs?: ReadonlyArray<readonly [Argument, ReadonlyArray<number>, string]>
  readonly returnValues?: ReadonlyArray<readonly [ReadonlyArray<number>, string]>
}

/**
 * An argument of a command: the gas coin, an input, or the result of an earlier command.
 *
 * @since 0.1.0
 * @category types
 */
export type Argument =
  | "GasCoin"
  | { readonly Input: number }
  | { readonly Result: number }
  | { readonly NestedResult: readonly [number, number] }

/**
 * The effects that a transaction would have.
 *
 * @since 0.1.0
 * @category types
 */
export interface DryRunResult {
  readonly balanceChanges: ReadonlyArray<BalanceChange>
  readonly effects: TransactionEffects
  readonly events: ReadonlyArray<Event>
  readonly executionErrorSource?: string | null
  readonly input: TransactionData
  readonly objectChanges: ReadonlyArray<ObjectChange>
  readonly suggestedGasPrice?: U64 | null
}

/**
 * A change of the balance of an owner, negative where coins were spent.
 *
 * @since 0.1.0
 * @category types
 */
export interface BalanceChange {
  readonly amount: string
  readonly coinType: string
  readonly owner: Owner
}

/**
 * What a transaction does, who sends it and what pays for it.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionData = {
  readonly gasData: GasData
  readonly messageVersion: "v1"
  readonly sender: Address
  readonly transaction: TransactionKind
}

/**
 * The gas payment of a transaction, in MIST.
 *
 * @since 0.1.0
 * @category types
 */
export interface GasData {
  readonly budget: U64
  readonly owner: Address
  readonly payment: ReadonlyArray<ObjectRef>
  readonly price: U64
}

/**
 * What a transaction does: the commands of a user, or a change by the system.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionKind =
  | {
      readonly computation_charge: U64
      readonly epoch: U64
      readonly epoch_start_timestamp_ms: U64
      readonly kind: "ChangeEpoch"
      readonly storage_charge: U64
      readonly storage_rebate: U64
    }
  | { readonly kind: "Genesis"; readonly objects: ReadonlyArray<ObjectId> }
  | {
      readonly commit_timestamp_ms: U64
      readonly epoch: U64
      readonly kind: "ConsensusCommitPrologue"
      readonly round: U64
    }
  | {
      readonly inputs: ReadonlyArray<CallArg>
      readonly kind: "ProgrammableTransaction"
      readonly transactions: ReadonlyArray<Command>
    }
  | {
      readonly epoch: U64
      readonly kind: "AuthenticatorStateUpdate"
      readonly new_active_jwks: ReadonlyArray<ActiveJwk>
      readonly round: U64
    }
  | {
      readonly epoch: U64
      readonly kind: "RandomnessStateUpdate"
      readonly random_bytes: ReadonlyArray<number>
      readonly randomness_round: U64
    }
  | { readonly kind: "EndOfEpochTransaction"; readonly transactions: ReadonlyArray<EndOfEpochTransaction> }
  | {
      readonly commit_timestamp_ms: U64
      readonly consensus_commit_digest: Digest
      readonly epoch: U64
      readonly kind: "ConsensusCommitPrologueV2"
      readonly round: U64
    }
  | {
      readonly commit_timestamp_ms: U64
      readonly consensus_commit_digest: Digest
      readonly consensus_determined_version_assignments: ConsensusDeterminedVersionAssignments
      readonly epoch: U64
      readonly kind: "ConsensusCommitPrologueV3"
      readonly round: U64
      readonly sub_dag_index?: U64 | null
    }
  | {
      readonly additional_state_digest: Digest
      readonly commit_timestamp_ms: U64
      readonly consensus_commit_digest: Digest
      readonly consensus_determined_version_assignments: ConsensusDeterminedVersionAssignments
      readonly epoch: U64
      readonly kind: "ConsensusCommitPrologueV4"
      readonly round: U64
      readonly sub_dag_index?: U64 | null
    }
  | {
      readonly inputs: ReadonlyArray<CallArg>
      readonly kind: "ProgrammableSystemTransaction"
      readonly transactions: ReadonlyArray<Command>
    }

/**
 * An input of a transaction: an object, a pure value, or funds of an address.
 *
 * @since 0.1.0
 * @category types
 */
export type CallArg =
  | ({ readonly type: "object" } & (
      | {
          readonly digest: Digest
          readonly objectId: ObjectId
          readonly objectType: "immOrOwnedObject"
          readonly version: U64
        }
      | {
          readonly initialSharedVersion: U64
          readonly mutable: boolean
          readonly objectId: ObjectId
          readonly objectType: "sharedObject"
        }
      | {
          readonly digest: Digest
          readonly objectId: ObjectId
          readonly objectType: "receiving"
          readonly version: U64
        }
    ))
  | { readonly type: "pure"; readonly value: Json; readonly valueType?: string | null }
  | {
      readonly reservation: Reservation
      readonly type: "fundsWithdrawal"
      readonly typeArg: WithdrawalTypeArg
      readonly withdrawFrom: WithdrawFrom
    }

/**
 * The most that a transaction may take from the funds of an address.
 *
 * @since 0.1.0
 * @category types
 */
export type Reservation = { readonly maxAmountU64: U64 }

/**
 * The coin type of funds.
 *
 * @since 0.1.0
 * @category types
 */
export type WithdrawalTypeArg = { readonly balance: string }

/**
 * Whose funds a transaction takes.
 *
 * @since 0.1.0
 * @category types
 */
export type WithdrawFrom = "sender" | "sponsor"

/**
 * A command of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export type Command =
  | { readonly MoveCall: MoveCall }
  | { readonly TransferObjects: readonly [ReadonlyArray<Argument>, Argument] }
  | { readonly SplitCoins: readonly [Argument, ReadonlyArray<Argument>] }
  | { readonly MergeCoins: readonly [Argument, ReadonlyArray<Argument>] }
  | { readonly Publish: ReadonlyArray<ObjectId> }
  | { readonly Upgrade: readonly [ReadonlyArray<ObjectId>, ObjectId, Argument] }
  | { readonly MakeMoveVec: readonly [string | null, ReadonlyArray<Argument>] }

/**
 * A call of a Move function.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveCall {
  readonly arguments?: ReadonlyArray<Argument>
  readonly function: string
  readonly module: string
  readonly package: ObjectId
  readonly type_arguments?: ReadonlyArray<string>
}

/**
 * A key of an identity provider that zkLogin accepts.
 *
 * @since 0.1.0
 * @category types
 */
export interface ActiveJwk {
  readonly epoch: U64
  readonly jwk: Jwk
  readonly jwk_id: JwkId
}

/**
 * A JSON Web Key.
 *
 * @since 0.1.0
 * @category types
 */
export interface Jwk {
  readonly alg: string
  readonly e: string
  readonly kty: string
  readonly n: string
}

/**
 * The id of a JSON Web Key.
 *
 * @since 0.1.0
 * @category types
 */
export interface JwkId {
  readonly iss: string
  readonly kid: string
}

/**
 * A transaction of the system at the end of an epoch.
 *
 * @since 0.1.0
 * @category types
 */
export type EndOfEpochTransaction =
  | "AuthenticatorStateCreate"
  | "RandomnessStateCreate"
  | "CoinDenyListStateCreate"
  | "StoreExecutionTimeObservations"
  | "AccumulatorRootCreate"
  | "CoinRegistryCreate"
  | "DisplayRegistryCreate"
  | "AddressAliasStateCreate"
  | "WriteAccumulatorStorageCost"
  | { readonly ChangeEpoch: ChangeEpoch }
  | { readonly AuthenticatorStateExpire: AuthenticatorStateExpire }
  | { readonly BridgeStateCreate: Digest }
  | { readonly BridgeCommitteeUpdate: bigint }

/**
 * The totals of an epoch that ends.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChangeEpoch {
  readonly computation_charge: U64
  readonly epoch: U64
  readonly epoch_start_timestamp_ms: U64
  readonly storage_charge: U64
  readonly storage_rebate: U64
}

/**
 * The epoch before which keys of identity providers expire.
 *
 * @since 0.1.0
 * @category types
 */
export interface AuthenticatorStateExpire {
  readonly min_epoch: U64
}

/**
 * The versions of shared objects that consensus gave to transactions that it cancelled.
 *
 * @since 0.1.0
 * @category types
 */
export type ConsensusDeterminedVersionAssignments =
  | {
      readonly CancelledTransactions: ReadonlyArray<
        readonly [Digest, ReadonlyArray<readonly [ObjectId, bigint]>]
      >
    }
  | {
      readonly CancelledTransactionsV2: ReadonlyArray<
        readonly [Digest, ReadonlyArray<readonly [readonly [ObjectId, bigint], bigint]>]
      >
    }

/**
 * What a transaction did with an object.
 *
 * @since 0.1.0
 * @category types
 */
export type ObjectChange =
  | {
      readonly digest: Digest
      readonly modules: ReadonlyArray<string>
      readonly packageId: ObjectId
      readonly type: "published"
      readonly version: U64
    }
  | {
      readonly digest: Digest
      readonly objectId: ObjectId
      readonly objectType: string
      readonly recipient: Owner
      readonly sender: Address
      readonly type: "transferred"
      readonly version: U64
    }
  | {
      readonly digest: Digest
      readonly objectId: ObjectId
      readonly objectType: string
      readonly owner: Owner
      readonly previousVersion: U64
      readonly sender: Address
      readonly type: "mutated"
      readonly version: U64
    }
  | {
      readonly objectId: ObjectId
      readonly objectType: string
      readonly sender: Address
      readonly type: "deleted"
      readonly version: U64
    }
  | {
      readonly objectId: ObjectId
      readonly objectType: string
      readonly sender: Address
      readonly type: "wrapped"
      readonly version: U64
    }
  | {
      readonly digest: Digest
      readonly objectId: ObjectId
      readonly objectType: string
      readonly owner: Owner
      readonly sender: Address
      readonly type: "created"
      readonly version: U64
    }

/**
 * Which fields of transactions the answer has.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionOptions {
  readonly showBalanceChanges?: boolean
  readonly showEffects?: boolean
  readonly showEvents?: boolean
  readonly showInput?: boolean
  readonly showObjectChanges?: boolean
  readonly showRawEffects?: boolean
  readonly showRawInput?: boolean
}

/**
 * How long a node waits before it answers.
 *
 * @since 0.1.0
 * @category types
 */
export type ExecuteRequestType = "WaitForEffectsCert" | "WaitForLocalExecution"

/**
 * A transaction. Which fields it has follows from the options of the call. `checkpoint` is missing until a checkpoint has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionResponse {
  readonly balanceChanges?: ReadonlyArray<BalanceChange> | null
  readonly checkpoint?: U64 | null
  readonly confirmedLocalExecution?: boolean | null
  readonly digest: Digest
  readonly effects?: TransactionEffects | null
  readonly errors?: ReadonlyArray<string>
  readonly events?: ReadonlyArray<Event> | null
  readonly objectChanges?: ReadonlyArray<ObjectChange> | null
  readonly rawEffects?: ReadonlyArray<number>
  readonly rawTransaction?: Base64
  readonly timestampMs?: U64 | null
  readonly transaction?: SignedTransaction | null
}

/**
 * A transaction with its signatures.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedTransaction {
  readonly data: TransactionData
  readonly txSignatures: ReadonlyArray<GenericSignature>
}

/**
 * A signature of any scheme.
 *
 * @since 0.1.0
 * @category types
 */
export type GenericSignature =
  | { readonly MultiSig: MultiSig }
  | { readonly MultiSigLegacy: MultiSigLegacy }
  | { readonly Signature: Signature }
  | { readonly ZkLoginAuthenticator: ZkLoginAuthenticator }
  | { readonly PasskeyAuthenticator: PasskeyAuthenticator }

/**
 * A signature of several keys.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiSig {
  readonly bitmap: number
  readonly multisig_pk: MultiSigPublicKey
  readonly sigs: ReadonlyArray<CompressedSignature>
}

/**
 * The keys of a multisig with their weights.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiSigPublicKey {
  readonly pk_map: ReadonlyArray<readonly [PublicKey, number]>
  readonly threshold: number
}

/**
 * A public key with its scheme.
 *
 * @since 0.1.0
 * @category types
 */
export type PublicKey =
  | { readonly Ed25519: Base64 }
  | { readonly Secp256k1: Base64 }
  | { readonly Secp256r1: Base64 }
  | { readonly ZkLogin: Base64 }
  | { readonly Passkey: Base64 }

/**
 * A signature of one key of a multisig.
 *
 * @since 0.1.0
 * @category types
 */
export type CompressedSignature =
  | { readonly Ed25519: Base64 }
  | { readonly Secp256k1: Base64 }
  | { readonly Secp256r1: Base64 }
  | { readonly ZkLogin: Base64 }
  | { readonly Passkey: Base64 }

/**
 * A signature of several keys in the older form.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiSigLegacy {
  readonly bitmap: Base64
  readonly multisig_pk: MultiSigPublicKeyLegacy
  readonly sigs: ReadonlyArray<CompressedSignature>
}

/**
 * The keys of a multisig in the older form, with their weights.
 *
 * @since 0.1.0
 * @category types
 */
export interface MultiSigPublicKeyLegacy {
  readonly pk_map: ReadonlyArray<readonly [PublicKey, number]>
  readonly threshold: number
}

/**
 * A signature of one key.
 *
 * @since 0.1.0
 * @category types
 */
export type Signature =
  | { readonly Ed25519SuiSignature: Base64 }
  | { readonly Secp256k1SuiSignature: Base64 }
  | { readonly Secp256r1SuiSignature: Base64 }

/**
 * A signature by zkLogin.
 *
 * @since 0.1.0
 * @category types
 */
export interface ZkLoginAuthenticator {
  readonly inputs: ZkLoginInputs
  readonly maxEpoch: bigint
  readonly userSignature: Signature
}

/**
 * The proof of a signature by zkLogin, and its public inputs.
 *
 * @since 0.1.0
 * @category types
 */
export interface ZkLoginInputs {
  readonly addressSeed: string
  readonly headerBase64: string
  readonly issBase64Details: Claim
  readonly proofPoints: ZkLoginProof
}

/**
 * A claim of a token that signs with zkLogin.
 *
 * @since 0.1.0
 * @category types
 */
export interface Claim {
  readonly indexMod4: number
  readonly value: string
}

/**
 * The points of a Groth16 proof.
 *
 * @since 0.1.0
 * @category types
 */
export interface ZkLoginProof {
  readonly a: ReadonlyArray<string>
  readonly b: ReadonlyArray<ReadonlyArray<string>>
  readonly c: ReadonlyArray<string>
}

/**
 * A signature by a passkey.
 *
 * @since 0.1.0
 * @category types
 */
export interface PasskeyAuthenticator {
  readonly authenticator_data: ReadonlyArray<number>
  readonly client_data_json: string
}

/**
 * A checkpoint: the transactions that validators have agreed on since the previous one.
 *
 * @since 0.1.0
 * @category types
 */
export interface Checkpoint {
  readonly checkpointCommitments: ReadonlyArray<CheckpointCommitment>
  readonly digest: Digest
  readonly endOfEpochData?: EndOfEpochData | null
  readonly epoch: U64
  readonly epochRollingGasCostSummary: GasCostSummary
  readonly networkTotalTransactions: U64
  readonly previousDigest?: Digest | null
  readonly sequenceNumber: U64
  readonly timestampMs: U64
  readonly transactions: ReadonlyArray<Digest>
  readonly validatorSignature: Base64
}

/**
 * A commitment to the state at a checkpoint.
 *
 * @since 0.1.0
 * @category types
 */
export type CheckpointCommitment =
  | { readonly ECMHLiveObjectSetDigest: LiveObjectSetDigest }
  | { readonly CheckpointArtifactsDigest: Digest }

/**
 * The digest of all live objects.
 *
 * @since 0.1.0
 * @category types
 */
export interface LiveObjectSetDigest {
  readonly digest: ReadonlyArray<number>
}

/**
 * What follows from the last checkpoint of an epoch.
 *
 * @since 0.1.0
 * @category types
 */
export interface EndOfEpochData {
  readonly epochCommitments: ReadonlyArray<CheckpointCommitment>
  readonly nextEpochCommittee: ReadonlyArray<readonly [Base64, U64]>
  readonly nextEpochProtocolVersion: U64
}

/**
 * How a Move function takes an argument.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveFunctionArgType = "Pure" | { readonly Object: ObjectValueKind }

/**
 * How a Move function takes an object.
 *
 * @since 0.1.0
 * @category types
 */
export type ObjectValueKind = "ByImmutableReference" | "ByMutableReference" | "ByValue"

/**
 * The signature of a Move function.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveFunction {
  readonly isEntry: boolean
  readonly parameters: ReadonlyArray<MoveType>
  readonly return: ReadonlyArray<MoveType>
  readonly typeParameters: ReadonlyArray<MoveAbilities>
  readonly visibility: MoveVisibility
}

/**
 * A type of Move.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveType =
  | "Bool"
  | "U8"
  | "U16"
  | "U32"
  | "U64"
  | "U128"
  | "U256"
  | "Address"
  | "Signer"
  | {
      readonly Struct: {
        readonly address: string
        readonly module: string
        readonly name: string
        readonly typeArguments: ReadonlyArray<MoveType>
      }
    }
  | { readonly Vector: MoveType }
  | { readonly TypeParameter: number }
  | { readonly Reference: MoveType }
  | { readonly MutableReference: MoveType }

/**
 * The abilities of a Move type.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveAbilities {
  readonly abilities: ReadonlyArray<MoveAbility>
}

/**
 * An ability of a Move type.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveAbility = "Copy" | "Drop" | "Store" | "Key"

/**
 * Who may call a Move function.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveVisibility = "Private" | "Public" | "Friend"

/**
 * The types and functions of a Move module.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveModule {
  readonly address: string
  readonly enums?: { readonly [name: string]: MoveEnumType }
  readonly exposedFunctions: { readonly [name: string]: MoveFunction }
  readonly fileFormatVersion: number
  readonly friends: ReadonlyArray<MoveModuleId>
  readonly name: string
  readonly structs: { readonly [name: string]: MoveStructType }
}

/**
 * A Move enum.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveEnumType {
  readonly abilities: MoveAbilities
  readonly typeParameters: ReadonlyArray<MoveTypeParameter>
  readonly variantDeclarationOrder?: ReadonlyArray<string> | null
  readonly variants: { readonly [name: string]: ReadonlyArray<MoveField> }
}

/**
 * A type parameter of a Move type.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveTypeParameter {
  readonly constraints: MoveAbilities
  readonly isPhantom: boolean
}

/**
 * A field of a Move type.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveField {
  readonly name: string
  readonly type: MoveType
}

/**
 * A Move module, by address and name.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveModuleId {
  readonly address: string
  readonly name: string
}

/**
 * A Move struct.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveStructType {
  readonly abilities: MoveAbilities
  readonly fields: ReadonlyArray<MoveField>
  readonly typeParameters: ReadonlyArray<MoveTypeParameter>
}

/**
 * Which fields of objects the answer has.
 *
 * @since 0.1.0
 * @category types
 */
export interface ObjectOptions {
  readonly showBcs?: boolean
  readonly showContent?: boolean
  readonly showDisplay?: boolean
  readonly showOwner?: boolean
  readonly showPreviousTransaction?: boolean
  readonly showStorageRebate?: boolean
  readonly showType?: boolean
}

/**
 * An object, or why there is none.
 *
 * @since 0.1.0
 * @category types
 */
export interface ObjectResponse {
  readonly data?: ObjectData | null
  readonly error?: ObjectResponseError | null
}

/**
 * An object. Which fields it has follows from the options of the call.
 *
 * @since 0.1.0
 * @category types
 */
export interface ObjectData {
  readonly bcs?: RawData | null
  readonly content?: ParsedData | null
  readonly digest: Digest
  readonly display?: DisplayFieldsResponse | null
  readonly objectId: ObjectId
  readonly owner?: Owner | null
  readonly previousTransaction?: Digest | null
  readonly storageRebate?: U64 | null
  readonly type?: string | null
  readonly version: U64
}

/**
 * The content of an object in BCS: of a Move object, or the modules of a package.
 *
 * @since 0.1.0
 * @category types
 */
export type RawData =
  | {
      readonly bcsBytes: Base64
      readonly dataType: "moveObject"
      readonly hasPublicTransfer: boolean
      readonly type: string
      readonly version: bigint
    }
  | {
      readonly dataType: "package"
      readonly id: ObjectId
      readonly linkageTable: { readonly [name: string]: UpgradeInfo }
      readonly moduleMap: { readonly [name: string]: Base64 }
      readonly typeOriginTable: ReadonlyArray<TypeOrigin>
      readonly version: bigint
    }

/**
 * The version of a dependency to which a package is linked.
 *
 * @since 0.1.0
 * @category types
 */
export interface UpgradeInfo {
  readonly upgraded_id: ObjectId
  readonly upgraded_version: bigint
}

/**
 * The package that first had a type.
 *
 * @since 0.1.0
 * @category types
 */
export interface TypeOrigin {
  readonly datatype_name: string
  readonly module_name: string
  readonly package: ObjectId
}

/**
 * The content of an object, parsed: its fields, or the modules of a package.
 *
 * @since 0.1.0
 * @category types
 */
export type ParsedData =
  | {
      readonly dataType: "moveObject"
      readonly fields: MoveStruct
      readonly hasPublicTransfer: boolean
      readonly type: string
    }
  | { readonly dataType: "package"; readonly disassembled: { readonly [name: string]: Json } }

/**
 * The fields of a Move struct.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveStruct =
  | ReadonlyArray<MoveValue>
  | { readonly fields: { readonly [name: string]: MoveValue }; readonly type: string }
  | { readonly [name: string]: MoveValue }

/**
 * A Move value. Integers up to 32 bits are `bigint`, larger ones are decimal strings.
 *
 * @since 0.1.0
 * @category types
 */
export type MoveValue =
  | bigint
  | boolean
  | Address
  | ReadonlyArray<MoveValue>
  | string
  | { readonly id: ObjectId }
  | MoveStruct
  | null
  | MoveVariant

/**
 * A variant of a Move enum.
 *
 * @since 0.1.0
 * @category types
 */
export interface MoveVariant {
  readonly fields: { readonly [name: string]: MoveValue }
  readonly type: string
  readonly variant: string
}

/**
 * The fields by which an object wants to be shown.
 *
 * @since 0.1.0
 * @category types
 */
export interface DisplayFieldsResponse {
  readonly data?: { readonly [name: string]: string } | null
  readonly error?: ObjectResponseError | null
}

/**
 * Why there is no object.
 *
 * @since 0.1.0
 * @category types
 */
export type ObjectResponseError =
  | { readonly code: "notExists"; readonly object_id: ObjectId }
  | { readonly code: "dynamicFieldNotFound"; readonly parent_object_id: ObjectId }
  | {
      readonly code: "deleted"
      readonly digest: Digest
      readonly object_id: ObjectId
      readonly version: bigint
    }
  | { readonly code: "unknown" }
  | { readonly code: "displayError"; readonly error: string }

/**
 * The limits and the switches of a version of the protocol.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolConfig {
  readonly attributes: { readonly [name: string]: ProtocolConfigValue | null }
  readonly featureFlags: { readonly [name: string]: boolean }
  readonly maxSupportedProtocolVersion: U64
  readonly minSupportedProtocolVersion: U64
  readonly protocolVersion: U64
}

/**
 * The value of a limit of the protocol, as text.
 *
 * @since 0.1.0
 * @category types
 */
export type ProtocolConfigValue =
  | { readonly u16: string }
  | { readonly u32: string }
  | { readonly u64: U64 }
  | { readonly f64: string }
  | { readonly bool: string }

/**
 * An object at a version, or why there is none.
 *
 * @since 0.1.0
 * @category types
 */
export type ObjectRead =
  | { readonly details: ObjectData; readonly status: "VersionFound" }
  | { readonly details: ObjectId; readonly status: "ObjectNotExists" }
  | { readonly details: ObjectRef; readonly status: "ObjectDeleted" }
  | { readonly details: readonly [ObjectId, bigint]; readonly status: "VersionNotFound" }
  | {
      readonly details: {
        readonly asked_version: bigint
        readonly latest_version: bigint
        readonly object_id: ObjectId
      }
      readonly status: "VersionTooHigh"
    }

/**
 * An object at a version.
 *
 * @since 0.1.0
 * @category types
 */
export interface PastObject {
  readonly objectId: ObjectId
  readonly version: Integer
}

/**
 * What a signature by zkLogin is about.
 *
 * @since 0.1.0
 * @category types
 */
export type ZkLoginIntentScope = "TransactionData" | "PersonalMessage"

/**
 * Whether a signature by zkLogin is valid, and what is wrong with it.
 *
 * @since 0.1.0
 * @category types
 */
export interface ZkLoginVerifyResult {
  readonly errors: ReadonlyArray<string>
  readonly success: boolean
}

/**
 * The balance of a coin type: the total in its smallest unit, and the part that is in no coin object.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance {
  readonly coinObjectCount: number
  readonly coinType: string
  readonly fundsInAddressBalance?: U128
  readonly lockedBalance: { readonly [name: string]: U128 }
  readonly totalBalance: U128
}

/**
 * A coin object and its balance.
 *
 * @since 0.1.0
 * @category types
 */
export interface Coin {
  readonly balance: U64
  readonly coinObjectId: ObjectId
  readonly coinType: string
  readonly digest: Digest
  readonly previousTransaction: Digest
  readonly version: U64
}

/**
 * The names and the decimals of a coin type.
 *
 * @since 0.1.0
 * @category types
 */
export interface CoinMetadata {
  readonly decimals: number
  readonly description: string
  readonly iconUrl?: string | null
  readonly id?: ObjectId | null
  readonly name: string
  readonly symbol: string
}

/**
 * The validators of an epoch with their voting power.
 *
 * @since 0.1.0
 * @category types
 */
export interface CommitteeInfo {
  readonly epoch: U64
  readonly validators: ReadonlyArray<readonly [Base64, U64]>
}

/**
 * The name of a dynamic field: its Move type and its value.
 *
 * @since 0.1.0
 * @category types
 */
export interface DynamicFieldName {
  readonly type: string
  readonly value: Json
}

/**
 * A dynamic field of an object: its name and the object that has its value.
 *
 * @since 0.1.0
 * @category types
 */
export type DynamicFieldInfo = {
  readonly digest: Digest
  readonly name: DynamicFieldName
  readonly objectId: ObjectId
  readonly objectType: string
  readonly type: DynamicFieldType
  readonly version: bigint
} & (
  | { readonly bcsEncoding: "base64"; readonly bcsName: Base64 }
  | { readonly bcsEncoding: "base58"; readonly bcsName: string }
)

/**
 * Whether the value of a dynamic field is an object of its own.
 *
 * @since 0.1.0
 * @category types
 */
export type DynamicFieldType = "DynamicField" | "DynamicObject"

/**
 * The state of the system: the epoch, the validators and the stake.
 *
 * @since 0.1.0
 * @category types
 */
export interface SystemState {
  readonly activeValidators: ReadonlyArray<Validator>
  readonly atRiskValidators: ReadonlyArray<readonly [Address, U64]>
  readonly epoch: U64
  readonly epochDurationMs: U64
  readonly epochStartTimestampMs: U64
  readonly inactivePoolsId: ObjectId
  readonly inactivePoolsSize: U64
  readonly maxValidatorCount: U64
  readonly minValidatorJoiningStake: U64
  readonly pendingActiveValidatorsId: ObjectId
  readonly pendingActiveValidatorsSize: U64
  readonly pendingRemovals: ReadonlyArray<U64>
  readonly protocolVersion: U64
  readonly referenceGasPrice: U64
  readonly safeMode: boolean
  readonly safeModeComputationRewards: U64
  readonly safeModeNonRefundableStorageFee: U64
  readonly safeModeStorageRebates: U64
  readonly safeModeStorageRewards: U64
  readonly stakeSubsidyBalance: U64
  readonly stakeSubsidyCurrentDistributionAmount: U64
  readonly stakeSubsidyDecreaseRate: number
  readonly stakeSubsidyDistributionCounter: U64
  readonly stakeSubsidyPeriodLength: U64
  readonly stakeSubsidyStartEpoch: U64
  readonly stakingPoolMappingsId: ObjectId
  readonly stakingPoolMappingsSize: U64
  readonly storageFundNonRefundableBalance: U64
  readonly storageFundTotalObjectStorageRebates: U64
  readonly systemStateVersion: U64
  readonly totalStake: U64
  readonly validatorCandidatesId: ObjectId
  readonly validatorCandidatesSize: U64
  readonly validatorLowStakeGracePeriod: U64
  readonly validatorLowStakeThreshold: U64
  readonly validatorReportRecords: ReadonlyArray<readonly [Address, ReadonlyArray<Address>]>
  readonly validatorVeryLowStakeThreshold: U64
}

/**
 * A validator: its addresses, its keys, its stake and its commission.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly commissionRate: U64
  readonly description: string
  readonly exchangeRatesId: ObjectId
  readonly exchangeRatesSize: U64
  readonly gasPrice: U64
  readonly imageUrl: string
  readonly name: string
  readonly netAddress: string
  readonly networkPubkeyBytes: Base64
  readonly nextEpochCommissionRate: U64
  readonly nextEpochGasPrice: U64
  readonly nextEpochNetAddress?: string | null
  readonly nextEpochNetworkPubkeyBytes?: Base64 | null
  readonly nextEpochP2pAddress?: string | null
  readonly nextEpochPrimaryAddress?: string | null
  readonly nextEpochProofOfPossession?: Base64 | null
  readonly nextEpochProtocolPubkeyBytes?: Base64 | null
  readonly nextEpochStake: U64
  readonly nextEpochWorkerAddress?: string | null
  readonly nextEpochWorkerPubkeyBytes?: Base64 | null
  readonly operationCapId: ObjectId
  readonly p2pAddress: string
  readonly pendingPoolTokenWithdraw: U64
  readonly pendingStake: U64
  readonly pendingTotalSuiWithdraw: U64
  readonly poolTokenBalance: U64
  readonly primaryAddress: string
  readonly projectUrl: string
  readonly proofOfPossessionBytes: Base64
  readonly protocolPubkeyBytes: Base64
  readonly rewardsPool: U64
  readonly stakingPoolActivationEpoch?: U64 | null
  readonly stakingPoolDeactivationEpoch?: U64 | null
  readonly stakingPoolId: ObjectId
  readonly stakingPoolSuiBalance: U64
  readonly suiAddress: Address
  readonly votingPower: U64
  readonly workerAddress: string
  readonly workerPubkeyBytes: Base64
}

/**
 * Which objects are asked for, and which of their fields.
 *
 * @since 0.1.0
 * @category types
 */
export interface ObjectQuery {
  readonly filter?: ObjectFilter | null
  readonly options?: ObjectOptions | null
}

/**
 * Which objects are asked for.
 *
 * @since 0.1.0
 * @category types
 */
export type ObjectFilter =
  | { readonly MatchAll: ReadonlyArray<ObjectFilter> }
  | { readonly MatchAny: ReadonlyArray<ObjectFilter> }
  | { readonly MatchNone: ReadonlyArray<ObjectFilter> }
  | { readonly Package: ObjectId }
  | { readonly MoveModule: { readonly module: string; readonly package: ObjectId } }
  | { readonly StructType: string }
  | { readonly AddressOwner: Address }
  | { readonly ObjectOwner: ObjectId }
  | { readonly ObjectId: ObjectId }
  | { readonly ObjectIds: ReadonlyArray<ObjectId> }
  | { readonly Version: U64 }

/**
 * The stake of an owner with one validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface DelegatedStake {
  readonly stakes: ReadonlyArray<StakedSui>
  readonly stakingPool: ObjectId
  readonly validatorAddress: Address
}

/**
 * A stake and its state.
 *
 * @since 0.1.0
 * @category types
 */
export type StakedSui = {
  readonly principal: U64
  readonly stakeActiveEpoch: U64
  readonly stakeRequestEpoch: U64
  readonly stakedSuiId: ObjectId
} & (
  | { readonly status: "Pending" }
  | { readonly estimatedReward: U64; readonly status: "Active" }
  | { readonly status: "Unstaked" }
)

/**
 * The supply of a coin type, in its smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface Supply {
  readonly value: U64
}

/**
 * The yields of validators in an epoch.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorApys {
  readonly apys: ReadonlyArray<ValidatorApy>
  readonly epoch: U64
}

/**
 * The yield of a validator in a year, as a share.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatorApy {
  readonly address: Address
  readonly apy: number
}

/**
 * Which events are asked for.
 *
 * @since 0.1.0
 * @category types
 */
export type EventFilter =
  | { readonly All: ReadonlyArray<Json> }
  | { readonly Any: ReadonlyArray<EventFilter> }
  | { readonly Sender: Address }
  | { readonly Transaction: Digest }
  | { readonly MoveModule: { readonly module: string; readonly package: ObjectId } }
  | { readonly MoveEventType: string }
  | { readonly MoveEventModule: { readonly module: string; readonly package: ObjectId } }
  | { readonly TimeRange: { readonly endTime: U64; readonly startTime: U64 } }

/**
 * Which transactions are asked for, and which of their fields.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionQuery {
  readonly filter?: TransactionFilter | null
  readonly options?: TransactionOptions | null
}

/**
 * Which transactions are asked for.
 *
 * @since 0.1.0
 * @category types
 */
export type TransactionFilter =
  | { readonly Checkpoint: U64 }
  | {
      readonly MoveFunction: {
        readonly function?: string | null
        readonly module?: string | null
        readonly package: ObjectId
      }
    }
  | { readonly InputObject: ObjectId }
  | { readonly ChangedObject: ObjectId }
  | { readonly AffectedObject: ObjectId }
  | { readonly FromAddress: Address }
  | { readonly ToAddress: Address }
  | { readonly FromAndToAddress: { readonly from: Address; readonly to: Address } }
  | { readonly FromOrToAddress: { readonly addr: Address } }
  | { readonly TransactionKind: string }
  | { readonly TransactionKindIn: ReadonlyArray<string> }

/**
 * How a transaction is inspected: the price of gas in MIST, the epoch, and further arguments.
 *
 * @since 0.1.0
 * @category types
 */
export interface DevInspectOptions {
  readonly gasPrice?: Integer | null
  readonly epoch?: Integer | null
  readonly additionalArgs?: DevInspectArgs | null
}

declare const Answered: unique symbol

/**
 * The text of a GraphQL query that answers with `A`. `graphQlDocument` makes it.
 *
 * @since 0.1.0
 * @category types
 */
export type GraphQlDocument<A> = string & { readonly [Answered]: A }

/**
 * An error of a GraphQL answer, with the place in the query.
 *
 * @since 0.1.0
 * @category types
 */
export interface GraphQlError {
  readonly message: string
  readonly path?: ReadonlyArray<string | number> | null
  readonly locations?: ReadonlyArray<{ readonly line: number; readonly column: number }>
  readonly extensions?: { readonly [name: string]: Json }
}

/**
 * The answer to a GraphQL query. Where `errors` stands beside data, the data is a part of what was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface GraphQlAnswer<A> {
  readonly data: A
  readonly errors?: ReadonlyArray<GraphQlError>
  readonly extensions?: { readonly [name: string]: Json }
}

/**
 * The answer by the query: of a document its own type, of other text any JSON.
 *
 * @since 0.1.0
 * @category types
 */
export interface GraphQlAnswerOf extends Choice {
  readonly answer: this["choice"] extends GraphQlDocument<infer A> ? GraphQlAnswer<A> : GraphQlAnswer<Json>
}

/**
 * How long to wait for a transaction, and which of its fields to answer with: `confirmations` are checkpoints, the transaction's own
 * among them.
 *
 * @since 0.1.0
 * @category types
 */
export interface SuiWaitOptions extends WaitOptions {
  readonly show?: TransactionOptions
}

/**
 * The methods of the client of Sui beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface SuiComposed {
  /**
   * Transaction with its effects once it is in a checkpoint. One that has failed is `TransactionFailed`, unless `allowFailure` asks for it:
   * `effects.status` tells why.
   */
  readonly waitForTransaction: (
    digest: Digest,
    options?: SuiWaitOptions
  ) => Effect.Effect<TransactionResponse, WaitError | TransactionFailed<TransactionResponse>>
}
