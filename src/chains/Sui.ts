/**
 * Sui: the JSON-RPC API of full nodes, and the GraphQL API of indexers that succeeds it. Amounts of SUI are in MIST (10^-9 SUI).
 * Integers of 64 bits and more are decimal strings, as nodes have them; what nodes write as JSON integers is `bigint`, except
 * counts, decimals and bytes.
 *
 * The project has deprecated JSON-RPC: the Sui Foundation's own nodes have served none since July 2026, while nodes of hosters and
 * older ones do. Full nodes serve gRPC instead, which this client does not speak. `graphql` works with any indexer of 2025 or later.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import {
  at,
  type ChainCheck,
  type Family,
  type FamilyAccounts,
  type Probe,
  type ReadNativeBalances,
  rpcProbe
} from "../balancer/Family.js"
import { base64, eachOf } from "../data/bytes.js"
import { type Choice, type Fault, group, merge, post, rpc } from "../data/Endpoint.js"
import { numberIntegers } from "../data/integers.js"
import { isRecord, type Json } from "../data/untrusted.js"
import type { Client, MakeMethods, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import {
  pollUntilConfirmed,
  type SeenTransaction,
  type WaitError,
  type WaitOptions
} from "./internal/Confirmation.js"
import { faultOf } from "./internal/faults.js"

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
 * Names the type of a GraphQL query's answer: `graphql` then answers with it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const graphQlDocument = <A>(query: string): GraphQlDocument<A> =>
  // the mark is for the compiler alone: the answer of a query is known to its author, and to nobody who reads the text
  query as GraphQlDocument<A>

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

/** A 64-bit integer of a caller, as nodes read it. */
const toDecimal = (value: Integer | null | undefined): string | null | undefined =>
  value === undefined || value === null ? value : String(value)

const toBigInt = (value: string): bigint => BigInt(value)

/** Fields that are a `number` wherever they stand: counts, positions, versions of formats, weights, shares and bytes. */
const numbers: ReadonlyArray<string> = [
  "!**.fields",
  "!**.parsedJson",
  "!**.value",
  "**.Input",
  "**.NestedResult.[]",
  "**.Result",
  "**.TypeParameter",
  "**.apy",
  "**.authenticator_data.[]",
  "**.bitmap",
  "**.coinObjectCount",
  "**.decimals",
  "**.digest.[]",
  "**.fileFormatVersion",
  "**.indexMod4",
  "**.line",
  "**.mutableReferenceOutputs.[].[].[]",
  "**.pk_map.[].[]",
  "**.random_bytes.[]",
  "**.rawEffects.[]",
  "**.rawTxnData.[]",
  "**.returnValues.[].[].[]",
  "**.stakeSubsidyDecreaseRate",
  "**.threshold"
]

/** The words by which a node says that it has not what was asked for: it may have been pruned there, or not yet have arrived. */
const absentMessage =
  /could not find the referenced|not found for (?:sequence number|digest)|indexes are not available|has been pruned/i

/** Codes of the chain: a transaction that validators refuse, and a failure that passes. */
const REFUSED_CODE = -32_002
const TRANSIENT_CODE = -32_050

/** What inputs of a transaction lack, no other node has: the validators have said so. */
const inputsMessage = /transaction inputs|signature/i

/**
 * Whose fault an error is. Nodes have the code of bad parameters also for transactions and checkpoints that they do not have.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = ({ code, message }: { readonly code: number; readonly message: string }): Fault => {
  if (code === REFUSED_CODE) return "caller"
  if (code === TRANSIENT_CODE) return "node"
  if (absentMessage.test(message) && !inputsMessage.test(message)) return "elsewhere"
  return faultOf({ code, message })
}

const jsonRpc = group(
  {
    integers: bigintIntegers,
    numbers,
    classify,
    reads: /^(?:rpc\.discover|suix?_(?:get|multiGet|tryGet|query|resolve)\w+)$/
  },
  {
    /** Chain's identifier: the first four bytes of the genesis checkpoint's digest, hexadecimal. */
    getChainIdentifier: rpc<[], string>("sui_getChainIdentifier"),
    /** Sequence number of the newest checkpoint that the node has executed. */
    getLatestCheckpointSequenceNumber: rpc<[], bigint>("sui_getLatestCheckpointSequenceNumber")
      .decode(toBigInt)
      .height(),
    /** Number of transactions that the node knows. */
    getTotalTransactionBlocks: rpc<[], bigint>("sui_getTotalTransactionBlocks").decode(toBigInt),
    /** Checkpoint by its sequence number or its digest. */
    getCheckpoint: rpc<[id: Integer | Digest], Checkpoint>("sui_getCheckpoint")
      .params((id) => [String(id)])
      .echoes({ sequenceNumber: 0, digest: 0 })
      .lists("checkpointCommitments", "transactions"),
    /** Checkpoints after a cursor, oldest first unless `descendingOrder`. */
    getCheckpoints: rpc<
      [cursor?: Integer | null, limit?: number | null, descendingOrder?: boolean],
      Page<Checkpoint, U64>
    >("sui_getCheckpoints")
      .params((cursor, limit, descendingOrder) => [toDecimal(cursor), limit, descendingOrder ?? false])
      .lists("data"),
    /** Object by its id. */
    getObject: rpc<[objectId: ObjectId, options?: ObjectOptions], ObjectResponse>("sui_getObject").echoes({
      "data.objectId": 0
    }),
    /** Objects by their ids, in this order. */
    multiGetObjects: rpc<
      [objectIds: ReadonlyArray<ObjectId>, options?: ObjectOptions],
      ReadonlyArray<ObjectResponse>
    >("sui_multiGetObjects").lists(),
    /** Object at a version, as far as the node still has it. */
    tryGetPastObject: rpc<[objectId: ObjectId, version: Integer, options?: ObjectOptions], ObjectRead>(
      "sui_tryGetPastObject"
    ).params((objectId, version, options) => [objectId, BigInt(version), options]),
    /** Objects at versions, in this order. */
    tryMultiGetPastObjects: rpc<
      [pastObjects: ReadonlyArray<PastObject>, options?: ObjectOptions],
      ReadonlyArray<ObjectRead>
    >("sui_tryMultiGetPastObjects")
      .params((pastObjects, options) => [
        pastObjects.map(({ objectId, version }) => ({ objectId, version: String(version) })),
        options
      ])
      .lists(),
    /** Transaction by its digest. */
    getTransactionBlock: rpc<[digest: Digest, options?: TransactionOptions], TransactionResponse>(
      "sui_getTransactionBlock"
    ).echoes({ digest: 0 }),
    /** Transactions by their digests, in this order. */
    multiGetTransactionBlocks: rpc<
      [digests: ReadonlyArray<Digest>, options?: TransactionOptions],
      ReadonlyArray<TransactionResponse>
    >("sui_multiGetTransactionBlocks").lists(),
    /** Events of a transaction. */
    getEvents: rpc<[transactionDigest: Digest], ReadonlyArray<Event>>("sui_getEvents").lists(),
    /** Limits and switches of a version of the protocol, by default of the newest. */
    getProtocolConfig: rpc<[version?: Integer | null], ProtocolConfig>("sui_getProtocolConfig").params(
      (version) => [toDecimal(version)]
    ),
    /** How a function of a module takes its arguments. */
    getMoveFunctionArgTypes: rpc<
      [packageId: ObjectId, module: string, fn: string],
      ReadonlyArray<MoveFunctionArgType>
    >("sui_getMoveFunctionArgTypes").lists(),
    /** Signature of a function. */
    getNormalizedMoveFunction: rpc<[packageId: ObjectId, module: string, fn: string], MoveFunction>(
      "sui_getNormalizedMoveFunction"
    ).lists("parameters", "return", "typeParameters"),
    /** Types and functions of a module. */
    getNormalizedMoveModule: rpc<[packageId: ObjectId, module: string], MoveModule>(
      "sui_getNormalizedMoveModule"
    ).lists("friends"),
    /** Modules of a package, by their names. */
    getNormalizedMoveModulesByPackage: rpc<[packageId: ObjectId], { readonly [name: string]: MoveModule }>(
      "sui_getNormalizedMoveModulesByPackage"
    ),
    /** Struct of a module. */
    getNormalizedMoveStruct: rpc<[packageId: ObjectId, module: string, struct: string], MoveStructType>(
      "sui_getNormalizedMoveStruct"
    ).lists("fields", "typeParameters"),
    /** Whether a signature by zkLogin of these bytes is valid for its author. */
    verifyZkLoginSignature: rpc<
      [bytes: Base64, signature: Base64, intentScope: ZkLoginIntentScope, author: Address],
      ZkLoginVerifyResult
    >("sui_verifyZkLoginSignature")
      .bytes({ 0: base64(), 1: base64() })
      .lists("errors"),
    /** Effects that a transaction would have, in full form and with gas. */
    dryRunTransactionBlock: rpc<[txBytes: Base64], DryRunResult>("sui_dryRunTransactionBlock")
      .bytes({ 0: base64() })
      .lists("balanceChanges", "events", "objectChanges"),
    /** Effects and returned values of a transaction's kind (BCS), which may be any call with any arguments. */
    devInspectTransactionBlock: rpc<
      [sender: Address, txBytes: Base64, options?: DevInspectOptions],
      DevInspectResult
    >("sui_devInspectTransactionBlock")
      .bytes({ 1: base64() })
      .params((sender, txBytes, options) => [
        sender,
        txBytes,
        toDecimal(options?.gasPrice),
        toDecimal(options?.epoch),
        options?.additionalArgs
      ])
      .lists("events"),
    /** Sends a signed transaction (BCS). Safe to repeat: a node answers for the same one with the same effects. */
    executeTransactionBlock: rpc<
      [
        txBytes: Base64,
        signatures: ReadonlyArray<Base64>,
        options?: TransactionOptions | null,
        requestType?: ExecuteRequestType | null
      ],
      TransactionResponse
    >("sui_executeTransactionBlock")
      .bytes({ 0: base64(), 1: eachOf(base64()) })
      .broadcast(),
    /** Balances of all coin types of an owner. */
    getAllBalances: rpc<[owner: Address], ReadonlyArray<Balance>>("suix_getAllBalances").lists(),
    /** Balance of a coin type, by default of SUI. */
    getBalance: rpc<[owner: Address, coinType?: CoinType | null], Balance>("suix_getBalance"),
    /** Coins of an owner, of all types. */
    getAllCoins: rpc<[owner: Address, cursor?: string | null, limit?: number | null], Page<Coin, string>>(
      "suix_getAllCoins"
    ).lists("data"),
    /** Coins of one type, by default of SUI. */
    getCoins: rpc<
      [owner: Address, coinType?: CoinType | null, cursor?: string | null, limit?: number | null],
      Page<Coin, string>
    >("suix_getCoins").lists("data"),
    /** Names and decimals of a coin type; null if nobody has registered them. */
    getCoinMetadata: rpc<[coinType: CoinType], CoinMetadata | null>("suix_getCoinMetadata"),
    /** Supply of a coin type. */
    getTotalSupply: rpc<[coinType: CoinType], Supply>("suix_getTotalSupply"),
    /** Objects of an owner. */
    getOwnedObjects: rpc<
      [address: Address, query?: ObjectQuery | null, cursor?: ObjectId | null, limit?: number | null],
      Page<ObjectResponse, ObjectId>
    >("suix_getOwnedObjects").lists("data"),
    /** Dynamic fields of an object. */
    getDynamicFields: rpc<
      [parentObjectId: ObjectId, cursor?: ObjectId | null, limit?: number | null],
      Page<DynamicFieldInfo, ObjectId>
    >("suix_getDynamicFields").lists("data"),
    /** Object in a dynamic field, by the field's name. */
    getDynamicFieldObject: rpc<[parentObjectId: ObjectId, name: DynamicFieldName], ObjectResponse>(
      "suix_getDynamicFieldObject"
    ),
    /** Events that match a filter, oldest first unless `descendingOrder`. */
    queryEvents: rpc<
      [query: EventFilter, cursor?: EventId | null, limit?: number | null, descendingOrder?: boolean],
      Page<Event, EventId>
    >("suix_queryEvents").lists("data"),
    /** Transactions that match a filter, oldest first unless `descendingOrder`. */
    queryTransactionBlocks: rpc<
      [query: TransactionQuery, cursor?: Digest | null, limit?: number | null, descendingOrder?: boolean],
      Page<TransactionResponse, Digest>
    >("suix_queryTransactionBlocks").lists("data"),
    /** State of the system: the epoch, the validators and the stake. */
    getLatestSuiSystemState: rpc<[], SystemState>("suix_getLatestSuiSystemState").lists(
      "activeValidators",
      "atRiskValidators",
      "pendingRemovals",
      "validatorReportRecords"
    ),
    /** Price of gas in this epoch, in MIST. */
    getReferenceGasPrice: rpc<[], bigint>("suix_getReferenceGasPrice").decode(toBigInt),
    /** Validators of an epoch with their voting power, by default of this one. */
    getCommitteeInfo: rpc<[epoch?: Integer | null], CommitteeInfo>("suix_getCommitteeInfo")
      .params((epoch) => [toDecimal(epoch)])
      .lists("validators"),
    /** Yields of the validators. */
    getValidatorsApy: rpc<[], ValidatorApys>("suix_getValidatorsApy").lists("apys"),
    /** Stake of an owner. */
    getStakes: rpc<[owner: Address], ReadonlyArray<DelegatedStake>>("suix_getStakes").lists(),
    /** Stake by the ids of its objects. */
    getStakesByIds: rpc<[stakedSuiIds: ReadonlyArray<ObjectId>], ReadonlyArray<DelegatedStake>>(
      "suix_getStakesByIds"
    ).lists(),
    /** Address that a name stands for; null if it stands for none. */
    resolveNameServiceAddress: rpc<[name: string], Address | null>("suix_resolveNameServiceAddress"),
    /** Names that stand for an address. */
    resolveNameServiceNames: rpc<
      [address: Address, cursor?: ObjectId | null, limit?: number | null],
      Page<string, ObjectId>
    >("suix_resolveNameServiceNames").lists("data")
  }
)

/** The codes of GraphQL errors that speak of the query, and not of the server. */
const queryErrorCode = /^(?:BAD_USER_INPUT|GRAPHQL_PARSE_FAILED|GRAPHQL_VALIDATION_FAILED)$/

/** The first error of an answer that has no data. */
const readError = (
  answer: unknown
): { readonly message: string; readonly isOfQuery: boolean } | undefined => {
  if (!isRecord(answer) || (answer.data !== undefined && answer.data !== null)) return undefined
  const first: unknown = at("errors", 0)(answer)
  const message: unknown = at("message")(first)
  if (typeof message !== "string") return undefined
  return { message, isOfQuery: queryErrorCode.test(String(at("extensions", "code")(first))) }
}

const graphQl = group(
  {
    integers: numberIntegers,
    refusal: (answer) => readError(answer),
    failure: (answer) => {
      const error = readError(answer)
      return error && { messages: [error.message], fault: error.isOfQuery ? "caller" : "unclear" }
    }
  },
  {
    /** Answer to a GraphQL query of an indexer, at `graphqlUrl`. A document of `graphQlDocument` gives it a type. */
    graphql: post("/graphql")
      .returns<GraphQlAnswer<Json>>()
      .args((query: string, variables?: { readonly [name: string]: Json }, operationName?: string) => ({
        query,
        variables,
        operationName
      }))
      .verbatim()
      .choosing<0, string, GraphQlAnswerOf>()
  }
)

/**
 * The endpoints of Sui.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(jsonRpc, graphQl)

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
  /** Transaction with its effects once it is in a checkpoint; `effects.status` tells whether it has failed. */
  readonly waitForTransaction: (
    digest: Digest,
    options?: SuiWaitOptions
  ) => Effect.Effect<TransactionResponse, WaitError>
}

/**
 * The client of Sui.
 *
 * @since 0.1.0
 * @category clients
 */
export interface SuiRpc extends Client<typeof endpoints>, RawRpc, SuiComposed {}

/**
 * Makes the methods of the client of Sui beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (methods: MakeMethods): SuiComposed => {
  const { getLatestCheckpointSequenceNumber, getTransactionBlock } = jsonRpc
  const nodes = methods(
    group(
      { integers: bigintIntegers, numbers, classify },
      { getLatestCheckpointSequenceNumber, getTransactionBlock }
    )
  )
  const checkTransaction = (
    digest: Digest,
    { confirmations = 1, show }: SuiWaitOptions
  ): Effect.Effect<SeenTransaction<TransactionResponse> | undefined, WaitError> =>
    Effect.gen(function* () {
      const transaction = yield* Effect.catchTag(
        nodes.getTransactionBlock(digest, { ...show, showEffects: true }),
        "RpcError",
        (error) => (absentMessage.test(error.rpcMessage) ? Effect.succeed(undefined) : Effect.fail(error))
      )
      const { checkpoint } = transaction ?? {}
      if (transaction === undefined) return undefined
      if (checkpoint === undefined || checkpoint === null) return { transaction, confirmations: 0 }
      if (confirmations === 1) return { transaction, confirmations: 1 }
      const latest = yield* nodes.getLatestCheckpointSequenceNumber()
      return { transaction, confirmations: Math.max(1, Number(latest - BigInt(checkpoint)) + 1) }
    })
  return {
    waitForTransaction: (digest, options = {}) =>
      pollUntilConfirmed(digest, options, checkTransaction(digest, options))
  }
}

/** The identifier of the main network. Those of the others may change: the development network begins anew at times. */
const MAINNET = "35834a8a"

const chain: ChainCheck = {
  verb: "POST",
  path: "",
  body: { jsonrpc: "2.0", id: 1, method: "sui_getChainIdentifier", params: [] },
  expected: ({ testnet }) => (testnet === true ? "that of a test network" : MAINNET),
  chainIn: (answer) => {
    const id = at("result")(answer)
    return typeof id === "string" && /^[0-9a-f]{8}$/.test(id) ? id : undefined
  },
  isExpected: (chain, { testnet = false }) => (chain === MAINNET) !== testnet
}

/** What is asked of an indexer, which has no JSON-RPC. */
const indexerProbe: Probe = {
  verb: "POST",
  path: "/graphql",
  body: { query: "{ checkpoint { sequenceNumber } }" },
  height: at("data", "checkpoint", "sequenceNumber")
}

/**
 * The family of Sui.
 *
 * @since 0.1.0
 * @category families
 */
export const sui: Family<typeof endpoints, SuiRpc> = {
  endpoints,
  chain,
  composed,
  layout: { servers: { graphqlUrl: { routes: /^\/graphql$/, tail: "/graphql" } } },
  probe: () => ({ ...rpcProbe("sui_getLatestCheckpointSequenceNumber", [], []), otherwise: indexerProbe })
}

const nativeBalances: ReadNativeBalances = (client, addresses) => {
  const { getBalance } = jsonRpc
  const nodes = client(group({ integers: bigintIntegers, numbers, classify }, { getBalance }))
  return Effect.forEach(addresses, (address) =>
    Effect.map(nodes.getBalance(address), ({ totalBalance }) => BigInt(totalBalance))
  )
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^0x[0-9a-fA-F]{1,64}$/, "0x and up to 64 hexadecimal digits"],
  nativeBalances
} satisfies FamilyAccounts
