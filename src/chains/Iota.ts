/**
 * IOTA and Shimmer (Stardust): the node, its indexer and explorer, and Wasp with its chains. Nothing is renamed: fields are
 * those of the wire. Amounts are decimal text (10^-6 of the coin), times are in seconds unless they say otherwise.
 *
 * @since 0.1.0
 */

import { type Family, getProbe } from "../balancer/Family.js"
import { type BytesForm, byFieldName, eachOf, hex0x, whenTextOrBytes } from "../data/bytes.js"
import { del, type Failure, get, group, merge, post, put, type Refusal } from "../data/Endpoint.js"
import { numberIntegers } from "../data/integers.js"
import { isRecord } from "../data/untrusted.js"
import type { Client, JsonRpcRequest, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { checkingNames } from "./internal/checkingNames.js"
import { faultOf, readMessage, toFailure } from "./internal/faults.js"

/**
 * Bytes, hexadecimal with 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * An amount in the smallest unit of the coin (10^-6 IOTA, 10^-6 SMR), or of a native token, as decimal text. Token
 * amounts in outputs are hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export type Amount = string

/**
 * A number of native tokens, an integer of 256 bits: hexadecimal with 0x, without leading zeros.
 *
 * @since 0.1.0
 * @category models
 */
export type TokenCount = string

/**
 * A whole number as an argument.
 *
 * @since 0.1.0
 * @category types
 */
export type Integer = string | number | bigint

/**
 * An address of a public key.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ed25519Address {
  readonly type: 0
  readonly pubKeyHash: Hex
}

/**
 * An address of an alias.
 *
 * @since 0.1.0
 * @category types
 */
export interface AliasAddress {
  readonly type: 8
  readonly aliasId: Hex
}

/**
 * An address of an NFT.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftAddress {
  readonly type: 16
  readonly nftId: Hex
}

/**
 * An address in an output.
 *
 * @since 0.1.0
 * @category types
 */
export type OutputAddress = Ed25519Address | AliasAddress | NftAddress

/**
 * An amount of a native token, hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface NativeToken {
  readonly id: Hex
  readonly amount: TokenCount
}

/**
 * Only this address may spend.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressUnlockCondition {
  readonly type: 0
  readonly address: OutputAddress
}

/**
 * The spender has to give the storage deposit back.
 *
 * @since 0.1.0
 * @category types
 */
export interface StorageDepositReturnUnlockCondition {
  readonly type: 1
  readonly returnAddress: OutputAddress
  readonly amount?: Amount
  readonly returnAmount?: Amount
}

/**
 * Nobody may spend before a time (seconds).
 *
 * @since 0.1.0
 * @category types
 */
export interface TimelockUnlockCondition {
  readonly type: 2
  readonly unixTime: number
}

/**
 * After a time (seconds) only another address may spend.
 *
 * @since 0.1.0
 * @category types
 */
export interface ExpirationUnlockCondition {
  readonly type: 3
  readonly returnAddress: OutputAddress
  readonly unixTime: number
}

/**
 * The address that may change the state of an alias.
 *
 * @since 0.1.0
 * @category types
 */
export interface StateControllerAddressUnlockCondition {
  readonly type: 4
  readonly address: OutputAddress
}

/**
 * The address that may change the rules of an alias.
 *
 * @since 0.1.0
 * @category types
 */
export interface GovernorAddressUnlockCondition {
  readonly type: 5
  readonly address: OutputAddress
}

/**
 * The alias that a foundry belongs to, for ever.
 *
 * @since 0.1.0
 * @category types
 */
export interface ImmutableAliasAddressUnlockCondition {
  readonly type: 6
  readonly address: AliasAddress
}

/**
 * The conditions for spending an output.
 *
 * @since 0.1.0
 * @category types
 */
export type UnlockCondition =
  | AddressUnlockCondition
  | StorageDepositReturnUnlockCondition
  | TimelockUnlockCondition
  | ExpirationUnlockCondition
  | StateControllerAddressUnlockCondition
  | GovernorAddressUnlockCondition
  | ImmutableAliasAddressUnlockCondition

/**
 * A feature of an output that no later owner changes: the issuer (1), or metadata (2).
 *
 * @since 0.1.0
 * @category types
 */
export type ImmutableFeature =
  | { readonly type: 1; readonly address: OutputAddress }
  | { readonly type: 2; readonly data: Hex }

/**
 * The features of an output beside its amount: sender (0), issuer (1), metadata (2), tag (3).
 *
 * @since 0.1.0
 * @category types
 */
export type Feature =
  | ImmutableFeature
  | { readonly type: 0; readonly address: OutputAddress }
  | { readonly type: 3; readonly tag: Hex }

/**
 * The treasury after a change.
 *
 * @since 0.1.0
 * @category types
 */
export interface TreasuryOutput {
  readonly type: 2
  readonly amount: Amount
}

/**
 * An output that holds coins and native tokens.
 *
 * @since 0.1.0
 * @category types
 */
export interface BasicOutput {
  readonly type: 3
  readonly amount: Amount
  readonly nativeTokens?: ReadonlyArray<NativeToken>
  readonly unlockConditions: ReadonlyArray<UnlockCondition>
  readonly features?: ReadonlyArray<Feature>
}

/**
 * An output that is the state of an alias.
 *
 * @since 0.1.0
 * @category types
 */
export interface AliasOutput {
  readonly type: 4
  readonly amount: Amount
  readonly nativeTokens?: ReadonlyArray<NativeToken>
  readonly aliasId: Hex
  readonly stateIndex: number
  readonly stateMetadata?: Hex
  readonly foundryCounter: number
  readonly unlockConditions: ReadonlyArray<UnlockCondition>
  readonly features?: ReadonlyArray<Feature>
  readonly immutableFeatures?: ReadonlyArray<ImmutableFeature>
}

/**
 * The numbers of tokens that a foundry has made, and may make (hexadecimal).
 *
 * @since 0.1.0
 * @category types
 */
export interface SimpleTokenScheme {
  readonly type: 0
  readonly mintedTokens: TokenCount
  readonly meltedTokens: TokenCount
  readonly maximumSupply?: TokenCount
  readonly maxSupply?: TokenCount
}

/**
 * An output that makes a native token.
 *
 * @since 0.1.0
 * @category types
 */
export interface FoundryOutput {
  readonly type: 5
  readonly amount: Amount
  readonly nativeTokens?: ReadonlyArray<NativeToken>
  readonly serialNumber: number
  readonly tokenScheme: SimpleTokenScheme
  readonly unlockConditions: ReadonlyArray<UnlockCondition>
  readonly features?: ReadonlyArray<Feature>
  readonly immutableFeatures?: ReadonlyArray<ImmutableFeature>
}

/**
 * An output that is an NFT.
 *
 * @since 0.1.0
 * @category types
 */
export interface NftOutput {
  readonly type: 6
  readonly amount: Amount
  readonly nativeTokens?: ReadonlyArray<NativeToken>
  readonly nftId: Hex
  readonly unlockConditions: ReadonlyArray<UnlockCondition>
  readonly features?: ReadonlyArray<Feature>
  readonly immutableFeatures?: ReadonlyArray<ImmutableFeature>
}

/**
 * An output of the ledger.
 *
 * @since 0.1.0
 * @category types
 */
export type Output = BasicOutput | AliasOutput | FoundryOutput | NftOutput

/**
 * A signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ed25519Signature {
  readonly type: 0
  readonly publicKey: Hex
  readonly signature: Hex
}

/**
 * The unlock of an input: a signature (0), or the unlock of another input (1 reference, 2 alias, 3 NFT).
 *
 * @since 0.1.0
 * @category types
 */
export type Unlock =
  | { readonly type: 0; readonly signature: Ed25519Signature }
  | { readonly type: 1 | 2 | 3; readonly reference: number }

/**
 * The inputs that a transaction spends, and the outputs that it makes.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionEssence {
  readonly type: 1
  readonly networkId: string
  readonly inputsCommitment: Hex
  readonly inputs: ReadonlyArray<{
    readonly type: 0
    readonly transactionId: Hex
    readonly transactionOutputIndex: number
  }>
  readonly outputs: ReadonlyArray<Output>
  readonly payload?: TaggedDataPayload
}

/**
 * A signed transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionPayload {
  readonly type: 6
  readonly essence: TransactionEssence
  readonly unlocks: ReadonlyArray<Unlock>
}

/**
 * Data with a tag.
 *
 * @since 0.1.0
 * @category types
 */
export interface TaggedDataPayload {
  readonly type: 5
  readonly tag?: Hex
  readonly data?: Hex
}

/**
 * A change of the treasury.
 *
 * @since 0.1.0
 * @category types
 */
export interface TreasuryTransactionPayload {
  readonly type: 4
  readonly input: { readonly type: 1; readonly milestoneId: Hex }
  readonly output: TreasuryOutput
}

/**
 * Funds that have migrated from the old network.
 *
 * @since 0.1.0
 * @category types
 */
export interface ReceiptPayload {
  readonly type: 0 | 3
  readonly migratedAt: number
  readonly final: boolean
  readonly funds: ReadonlyArray<{
    readonly tailTransactionHash: string
    readonly address: Ed25519Address
    readonly deposit: number
  }>
  readonly transaction: TreasuryTransactionPayload
}

/**
 * Protocol parameters that a milestone sets.
 *
 * @since 0.1.0
 * @category types
 */
export interface ProtocolParameters {
  readonly type: 1
  readonly targetMilestoneIndex: number
  readonly protocolVersion: number
  readonly params: Hex
}

/**
 * A milestone; its time is in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface MilestonePayload {
  readonly type: 7
  readonly index: number
  readonly timestamp: number
  readonly protocolVersion: number
  readonly previousMilestoneId: Hex
  readonly parents: ReadonlyArray<Hex>
  readonly inclusionMerkleRoot: Hex
  readonly appliedMerkleRoot: Hex
  readonly options?: ReadonlyArray<ReceiptPayload | ProtocolParameters>
  readonly metadata?: Hex
  readonly signatures: ReadonlyArray<Ed25519Signature>
}

/**
 * The payload of a block.
 *
 * @since 0.1.0
 * @category types
 */
export type Payload =
  | TransactionPayload
  | MilestonePayload
  | TaggedDataPayload
  | TreasuryTransactionPayload
  | ReceiptPayload

/**
 * A block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly protocolVersion: number
  readonly parents: ReadonlyArray<Hex>
  readonly payload?: Exclude<Payload, TreasuryTransactionPayload>
  readonly nonce: string
}

/**
 * A block to submit. Parents and nonce that are left out are made by the node.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockRequest {
  readonly protocolVersion: number
  readonly parents?: ReadonlyArray<Hex>
  readonly payload?: Payload
  readonly nonce?: string
}

/**
 * A block by its id.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockId {
  readonly blockId: Hex
}

/**
 * A milestone in short.
 *
 * @since 0.1.0
 * @category types
 */
export interface Milestone {
  readonly index: number
  readonly timestamp?: number
  readonly milestoneId?: Hex
}

/**
 * The rules of a network that milestones may change.
 *
 * @since 0.1.0
 * @category types
 */
export interface Protocol {
  readonly version: number
  readonly networkName: string
  readonly bech32Hrp: string
  readonly minPowScore: number
  readonly belowMaxDepth: number
  readonly rentStructure: {
    readonly vByteCost: number
    readonly vByteFactorData: number
    readonly vByteFactorKey: number
  }
  readonly tokenSupply: Amount
}

/**
 * The coin of a network, and how its amounts are shown.
 *
 * @since 0.1.0
 * @category types
 */
export interface BaseToken {
  readonly name: string
  readonly tickerSymbol: string
  readonly unit: string
  readonly subunit?: string
  readonly decimals: number
  readonly useMetricPrefix: boolean
}

/**
 * Software, state and protocol of a node.
 *
 * @since 0.1.0
 * @category types
 */
export interface NodeInfo {
  readonly name: string
  readonly version: string
  readonly status: {
    readonly isHealthy: boolean
    readonly latestMilestone: Milestone
    readonly confirmedMilestone: Milestone
    readonly pruningIndex: number
  }
  readonly supportedProtocolVersions: ReadonlyArray<number>
  readonly protocol: Protocol
  readonly pendingProtocolParameters: ReadonlyArray<ProtocolParameters>
  readonly baseToken: BaseToken
  readonly metrics: {
    readonly blocksPerSecond: number
    readonly referencedBlocksPerSecond: number
    readonly referencedRate: number
  }
  readonly features: ReadonlyArray<string>
}

/**
 * The state of a block. `conflictReason` is the number of the rule that its transaction broke.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockMetadata {
  readonly blockId: Hex
  readonly parents: ReadonlyArray<Hex>
  readonly isSolid: boolean
  readonly referencedByMilestoneIndex?: number
  readonly milestoneIndex?: number
  readonly ledgerInclusionState?: "included" | "conflicting" | "noTransaction"
  readonly conflictReason?: number
  readonly whiteFlagIndex?: number
  readonly shouldPromote?: boolean
  readonly shouldReattach?: boolean
}

/**
 * The origin of an output, and whether it is spent. Times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface OutputMetadata {
  readonly blockId: Hex
  readonly transactionId: Hex
  readonly outputIndex: number
  readonly isSpent: boolean
  readonly milestoneIndexSpent?: number
  readonly milestoneTimestampSpent?: number
  readonly transactionIdSpent?: Hex
  readonly milestoneIndexBooked: number
  readonly milestoneTimestampBooked: number
  readonly ledgerIndex: number
}

/**
 * An output with where it comes from.
 *
 * @since 0.1.0
 * @category types
 */
export interface OutputResponse {
  readonly metadata: OutputMetadata
  readonly output: Output
}

/**
 * Receipts with the milestones that they are in.
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipts {
  readonly receipts: ReadonlyArray<{ readonly receipt: ReceiptPayload; readonly milestoneIndex: number }>
}

/**
 * The treasury and the milestone of its last change.
 *
 * @since 0.1.0
 * @category types
 */
export interface Treasury {
  readonly milestoneId: Hex
  readonly amount: Amount
}

/**
 * Outputs that a milestone has made and consumed.
 *
 * @since 0.1.0
 * @category types
 */
export interface UtxoChanges {
  readonly index: number
  readonly createdOutputs: ReadonlyArray<Hex>
  readonly consumedOutputs: ReadonlyArray<Hex>
}

/**
 * A peer of a node.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peer {
  readonly id: string
  readonly multiAddresses: ReadonlyArray<string>
  readonly alias?: string
  readonly relation: "known" | "unknown" | "autopeered"
  readonly connected: boolean
  readonly gossip?: { readonly heartbeat: Heartbeat | null; readonly metrics: GossipMetrics }
}

/**
 * The state of a peer in its own words.
 *
 * @since 0.1.0
 * @category types
 */
export interface Heartbeat {
  readonly solidMilestoneIndex: number
  readonly prunedMilestoneIndex: number
  readonly latestMilestoneIndex: number
  readonly connectedNeighbors: number
  readonly syncedNeighbors: number
}

/**
 * The counts of messages that were exchanged with a peer.
 *
 * @since 0.1.0
 * @category types
 */
export interface GossipMetrics {
  readonly newBlocks: number
  readonly knownBlocks: number
  readonly receivedBlocks: number
  readonly receivedBlockRequests: number
  readonly receivedMilestoneRequests: number
  readonly receivedHeartbeats: number
  readonly sentBlocks: number
  readonly sentBlockRequests: number
  readonly sentMilestoneRequests: number
  readonly sentHeartbeats: number
  readonly droppedPackets: number
}

/**
 * Ids of outputs; `cursor` is where the next page starts.
 *
 * @since 0.1.0
 * @category types
 */
export interface OutputsResponse {
  readonly ledgerIndex: number
  readonly cursor?: string | null
  readonly items: ReadonlyArray<Hex>
}

/**
 * Outputs by the native tokens in them.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenFilter {
  readonly hasNativeTokens?: boolean
  readonly minNativeTokenCount?: Integer
  readonly maxNativeTokenCount?: Integer
}

/**
 * A page of a list, and its size.
 *
 * @since 0.1.0
 * @category types
 */
export interface PageQuery {
  readonly pageSize?: number
  readonly cursor?: string
}

/**
 * A choice of outputs. Times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface OutputsQuery extends TokenFilter, PageQuery {
  readonly unlockableByAddress?: string
  readonly createdBefore?: Integer
  readonly createdAfter?: Integer
}

/**
 * A choice of outputs by the conditions for spending them. Times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ConditionFilter {
  readonly address?: string
  readonly hasStorageDepositReturn?: boolean
  readonly storageDepositReturnAddress?: string
  readonly hasTimelock?: boolean
  readonly timelockedBefore?: Integer
  readonly timelockedAfter?: Integer
  readonly hasExpiration?: boolean
  readonly expiresBefore?: Integer
  readonly expiresAfter?: Integer
  readonly expirationReturnAddress?: string
  readonly sender?: string
  readonly tag?: Hex
}

/**
 * The balances of an address; `sigLockedBalance` needs only its signature.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance {
  readonly totalBalance: Amount
  readonly sigLockedBalance?: Amount
  readonly availableBalance?: Amount
  readonly ledgerIndex: number
}

/**
 * Blocks that name a block as a parent.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockChildren {
  readonly blockId: Hex
  readonly maxResults?: number
  readonly count?: number
  readonly children: ReadonlyArray<Hex>
  readonly cursor?: string
}

/**
 * Milestones; times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface Milestones {
  readonly items: ReadonlyArray<{
    readonly milestoneId: Hex
    readonly index: number
    readonly timestamp?: number
  }>
  readonly cursor?: string
}

/**
 * Blocks that a milestone refers to.
 *
 * @since 0.1.0
 * @category types
 */
export interface MilestoneBlocks {
  readonly milestoneId?: Hex
  readonly blocks: ReadonlyArray<Hex | { readonly blockId: Hex; readonly payloadType?: string | number }>
  readonly cursor?: string
}

/**
 * The changes in the outputs of an address. Times are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressUpdates {
  readonly address: string
  readonly items: ReadonlyArray<{
    readonly outputId: Hex
    readonly isSpent: boolean
    readonly milestoneIndex: number
    readonly milestoneTimestamp: number
  }>
  readonly cursor?: string
}

/**
 * The changes of a milestone to the ledger.
 *
 * @since 0.1.0
 * @category types
 */
export interface MilestoneUpdates {
  readonly milestoneIndex: number
  readonly items: ReadonlyArray<{
    readonly address: string
    readonly outputId: Hex
    readonly isSpent: boolean
  }>
  readonly cursor?: string
}

/**
 * Addresses that own most.
 *
 * @since 0.1.0
 * @category types
 */
export interface RichestAddresses {
  readonly top: ReadonlyArray<{ readonly address: string; readonly balance: Amount }>
  readonly ledgerIndex: number
}

/**
 * The numbers of addresses by their balance; a range is a power of ten.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenDistribution {
  readonly distribution: ReadonlyArray<{
    readonly range: { readonly start: number; readonly end: number }
    readonly addressCount: string
    readonly totalBalance: Amount
  }>
  readonly ledgerIndex: number
}

/**
 * A chain of Wasp.
 *
 * @since 0.1.0
 * @category types
 */
export interface Chain {
  readonly chainID: string
}

/**
 * A chain of Wasp, now or as of a block (its index or trie root).
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainAt {
  readonly chainID: string
  readonly block?: string | number
}

/**
 * Coins and native tokens, as decimal text.
 *
 * @since 0.1.0
 * @category types
 */
export interface Assets {
  readonly baseTokens: Amount
  readonly nativeTokens: ReadonlyArray<{ readonly id: Hex; readonly amount: Amount }>
}

/**
 * What a request has with it, or may take: coins and native tokens, as decimal text, and the ids of NFTs.
 *
 * @since 0.1.0
 * @category types
 */
export interface RequestAssets extends Assets {
  readonly nfts: ReadonlyArray<Hex>
}

/**
 * A dictionary of bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Dict {
  readonly Items: ReadonlyArray<{ readonly key: Hex; readonly value: Hex }>
}

/**
 * An NFT on a chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface Nft {
  readonly id: Hex
  readonly issuer: string
  readonly metadata: Hex
  readonly owner: string
}

/**
 * A fraction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Ratio {
  readonly a: number
  readonly b: number
}

/**
 * The price of gas.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeePolicy {
  readonly gasPerToken: Ratio
  readonly evmGasRatio: Ratio
  readonly validatorFeeShare: number
}

/**
 * The limits of gas.
 *
 * @since 0.1.0
 * @category types
 */
export interface GasLimits {
  readonly maxGasPerBlock: number
  readonly minGasPerRequest: number
  readonly maxGasPerRequest: number
  readonly maxGasExternalViewCall: number
}

/**
 * The public data of a chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainMetadata {
  readonly name: string
  readonly description: string
  readonly website: string
  readonly evmJsonRpcURL: string
  readonly evmWebSocketURL: string
}

/**
 * A chain with its rules.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainInfo {
  readonly chainID: string
  readonly chainOwnerId: string
  readonly evmChainId: number
  readonly gasFeePolicy: FeePolicy
  readonly gasLimits: GasLimits
  readonly isActive: boolean
  readonly metadata: ChainMetadata
  readonly publicURL: string
}

/**
 * A chain as its governance contract has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface GovernanceChainInfo {
  readonly chainID: string
  readonly chainOwnerId: string
  readonly gasFeePolicy: FeePolicy
  readonly gasLimits: GasLimits
  readonly metadata: ChainMetadata
  readonly publicURL: string
}

/**
 * A node of the peer-to-peer network.
 *
 * @since 0.1.0
 * @category types
 */
export interface PeeringIdentity {
  readonly isTrusted: boolean
  readonly name: string
  readonly peeringURL: string
  readonly publicKey: Hex
}

/**
 * The same, and whether it is alive.
 *
 * @since 0.1.0
 * @category types
 */
export interface PeeringStatus extends PeeringIdentity {
  readonly isAlive: boolean
  readonly numUsers: number
}

/**
 * A node of a committee.
 *
 * @since 0.1.0
 * @category types
 */
export interface CommitteeNode {
  readonly accessAPI: string
  readonly node: PeeringStatus
}

/**
 * The nodes that run a chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface Committee {
  readonly chainId: string
  readonly active: boolean
  readonly stateAddress: string
  readonly accessNodes: ReadonlyArray<CommitteeNode>
  readonly candidateNodes: ReadonlyArray<CommitteeNode>
  readonly committeeNodes: ReadonlyArray<CommitteeNode>
}

/**
 * A contract of a chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractInfo {
  readonly hName: Hex
  readonly name: string
  readonly programHash: Hex
}

/**
 * A block of a chain. Gas is decimal text, the time RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockInfo {
  readonly blockIndex: number
  readonly timestamp: string
  readonly totalRequests: number
  readonly numSuccessfulRequests: number
  readonly numOffLedgerRequests: number
  readonly previousAliasOutput: string
  readonly gasBurned: string
  readonly gasFeeCharged: Amount
}

/**
 * The addresses that control a chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface ControlAddresses {
  readonly governingAddress: string
  readonly stateAddress: string
  readonly sinceBlockIndex: number
}

/**
 * An event of a contract. The time is in nanoseconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface ContractEvent {
  readonly contractID: number
  readonly topic: string
  readonly timestamp: bigint
  readonly payload: Hex
}

/**
 * Events of contracts.
 *
 * @since 0.1.0
 * @category types
 */
export interface Events {
  readonly events: ReadonlyArray<ContractEvent>
}

/**
 * A request to a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface RequestInfo {
  readonly requestId: string
  readonly senderAccount: string
  readonly targetAddress: string
  readonly callTarget: { readonly contractHName: Hex; readonly functionHName: Hex }
  readonly params: Dict
  readonly allowance: RequestAssets
  readonly fungibleTokens: RequestAssets
  readonly nft: Nft | null
  readonly gasBudget: string
  readonly isEVM: boolean
  readonly isOffLedger: boolean
}

/**
 * The outcome of a request. Gas is decimal text; a request that failed has an error.
 *
 * @since 0.1.0
 * @category types
 */
export interface Receipt {
  readonly request: RequestInfo
  readonly blockIndex: number
  readonly requestIndex: number
  readonly errorMessage?: string
  readonly rawError?: { readonly code?: string; readonly params?: ReadonlyArray<string> }
  readonly gasBudget: string
  readonly gasBurned: string
  readonly gasFeeCharged: Amount
  readonly storageDepositCharged: Amount
  readonly gasBurnLog: ReadonlyArray<{ readonly code: number; readonly gasBurned: number }>
}

/**
 * Ids of requests.
 *
 * @since 0.1.0
 * @category types
 */
export interface RequestIds {
  readonly requestIds: ReadonlyArray<string>
}

/**
 * A counter of messages with the last one. The time is in RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export interface Metric<A> {
  readonly lastMessage: A
  readonly messages: number
  readonly timestamp: string
}

/**
 * An output as a node of the ledger sends it: its type, and its bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface RawOutput {
  readonly outputType: number
  readonly raw: Hex
}

/**
 * The same with its id.
 *
 * @since 0.1.0
 * @category types
 */
export interface IdentifiedOutput {
  readonly output: RawOutput
  readonly outputId: Hex
}

/**
 * A request on the ledger, with the output that it is made of.
 *
 * @since 0.1.0
 * @category types
 */
export interface OnLedgerRequest extends IdentifiedOutput {
  readonly id: string
  readonly raw: Hex
}

/**
 * Messages between a node and the ledger about a chain, by kind.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainMessageMetrics {
  readonly inAliasOutput: Metric<RawOutput>
  readonly inOnLedgerRequest: Metric<OnLedgerRequest>
  readonly inOutput: Metric<IdentifiedOutput>
  readonly inStateOutput: Metric<IdentifiedOutput>
  readonly inTxInclusionState: Metric<{ readonly state: string; readonly txId: Hex }>
  readonly outPublishGovernanceTransaction: Metric<{ readonly txId: Hex }>
  readonly outPublisherStateTransaction: Metric<{ readonly stateIndex: number; readonly txId: Hex }>
  readonly outPullLatestOutput: Metric<string>
  readonly outPullOutputByID: Metric<{ readonly outputId: Hex }>
  readonly outPullTxInclusionState: Metric<{ readonly txId: Hex }>
}

/**
 * Messages between a node and the ledger about all its chains, by kind.
 *
 * @since 0.1.0
 * @category types
 */
export interface MessageMetrics extends ChainMessageMetrics {
  readonly inMilestone: Metric<{
    readonly index?: number
    readonly milestoneId?: Hex
    readonly timestamp?: number
  }>
  readonly registeredChainIDs: ReadonlyArray<string>
}

/**
 * Events that wait in the pipes of the consensus.
 *
 * @since 0.1.0
 * @category types
 */
export interface PipeMetrics {
  readonly eventACSMsgPipeSize: number
  readonly eventPeerLogIndexMsgPipeSize: number
  readonly eventStateTransitionMsgPipeSize: number
  readonly eventTimerMsgPipeSize: number
  readonly eventVMResultMsgPipeSize: number
}

/**
 * The progress of the consensus in its round. Times are RFC 3339.
 *
 * @since 0.1.0
 * @category types
 */
export interface WorkflowMetrics {
  readonly currentStateIndex?: number
  readonly flagStateReceived: boolean
  readonly flagBatchProposalSent: boolean
  readonly flagConsensusBatchKnown: boolean
  readonly flagVMStarted: boolean
  readonly flagVMResultSigned: boolean
  readonly flagTransactionFinalized: boolean
  readonly flagTransactionPosted: boolean
  readonly flagTransactionSeen: boolean
  readonly flagInProgress: boolean
  readonly timeBatchProposalSent: string
  readonly timeConsensusBatchKnown: string
  readonly timeVMStarted: string
  readonly timeVMResultSigned: string
  readonly timeTransactionFinalized: string
  readonly timeTransactionPosted: string
  readonly timeTransactionSeen: string
  readonly timeCompleted: string
}

/**
 * Shares of a key that several nodes hold.
 *
 * @since 0.1.0
 * @category types
 */
export interface DkShares {
  readonly address: string
  readonly peerIdentities: ReadonlyArray<Hex>
  readonly peerIndex: number
  readonly publicKey: Hex
  readonly publicKeyShares: ReadonlyArray<Hex>
  readonly threshold: number
}

/**
 * A node of Wasp with the ledger that it follows.
 *
 * @since 0.1.0
 * @category types
 */
export interface WaspInfo {
  readonly version: string
  readonly publicKey: Hex
  readonly peeringURL: string
  readonly l1Params: {
    readonly baseToken: BaseToken
    readonly maxPayloadSize: number
    readonly protocol: Protocol
  }
}

/**
 * A user of a node.
 *
 * @since 0.1.0
 * @category types
 */
export interface User {
  readonly username: string
  readonly permissions: ReadonlyArray<string>
}

/**
 * The answer to a JSON-RPC request. One with an error never is an answer: it fails.
 *
 * @since 0.1.0
 * @category types
 */
export interface JsonRpcAnswer {
  readonly jsonrpc: "2.0"
  readonly id: string | number | null
  readonly result: unknown
}

/**
 * A blob of a chain, now or as of a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlobPlace extends ChainAt {
  readonly blobHash: Hex
}

/**
 * A choice of events of a contract.
 *
 * @since 0.1.0
 * @category types
 */
export interface EventsOfContract extends ChainAt {
  readonly contractHname: Hex
  readonly fromBlock?: Integer
  readonly toBlock?: Integer
}

const fields = (input: object): Readonly<Record<string, unknown>> => {
  if (!isRecord(input)) throw new Error("the input must be an object")
  return { ...input }
}

/** Words about data that a node has pruned or has not seen yet: another one may know it. */
const failure = (answer: unknown, status: number): Failure | undefined => {
  const error = isRecord(answer) && !("jsonrpc" in answer) ? answer.error : undefined
  const isOwn = isRecord(error) && "code" in error && typeof error.message === "string"
  const message = isOwn ? String(error.message) : readMessage(answer, "error")
  return toFailure(message, status, status === 404 ? "elsewhere" : "caller")
}

const id = hex0x(32)

/** What has one meaning in all calls of the ledger's nodes. */
const bytesByName: BytesForm = byFieldName({
  aliasId: id,
  appliedMerkleRoot: hex0x(),
  blockId: id,
  data: hex0x(),
  foundryId: hex0x(38),
  id: hex0x(),
  inclusionMerkleRoot: hex0x(),
  inputsCommitment: id,
  metadata: hex0x(),
  milestoneId: id,
  nftId: id,
  outputId: hex0x(34),
  params: hex0x(),
  parents: eachOf(hex0x()),
  previousMilestoneId: id,
  pubKeyHash: id,
  publicKey: hex0x(),
  signature: whenTextOrBytes(hex0x(), () => bytesByName),
  stateMetadata: hex0x(),
  tag: hex0x(),
  transactionId: id
})

const nodeEndpoints = group(
  { integers: numberIntegers, bytes: bytesByName, failure },
  {
    /** Succeeds if the node is up and follows the network. */
    getNodeHealth: get("/health").noContent(),
    /** Groups of routes that the node has. */
    getAvailableRouteGroups: get("/api/routes")
      .returns<{ readonly routes: ReadonlyArray<string> }>()
      .lists("routes"),
    /** Software, state and protocol of the node. */
    getNodeInfo: get("/api/core/v2/info")
      .returns<NodeInfo>()
      .lists("supportedProtocolVersions", "pendingProtocolParameters", "features"),
    /** Blocks that a new one can refer to. */
    getTips: get("/api/core/v2/tips").returns<{ readonly tips: ReadonlyArray<Hex> }>().lists("tips"),
    /** Submits a block, and yields its id. Safe to repeat where it carries a transaction, or is complete. */
    submitBlock: post("/api/core/v2/blocks")
      .returns<BlockId>()
      .args<[block: BlockRequest]>(fields)
      .write()
      .signed(
        (block) => block.payload?.type === 6 || (block.nonce !== undefined && block.parents !== undefined)
      ),
    /** Submits a whole block as bytes, and yields its id. Safe to repeat. */
    submitBlockBytes: post("/api/core/v2/blocks")
      .returns<BlockId>()
      .args<[block: Uint8Array]>((block) => ({ block }))
      .raw("block", "application/vnd.iota.serializer-v1")
      .broadcast(),
    /** Block. */
    getBlockDataById: get("/api/core/v2/blocks/{blockId}").returns<Block>().lists("parents"),
    /** What became of a block. */
    getBlockMetadata: get("/api/core/v2/blocks/{blockId}/metadata")
      .echoes({ blockId: "blockId" })
      .returns<BlockMetadata>()
      .lists("parents"),
    /** Output with where it comes from. */
    findOutputById: get("/api/core/v2/outputs/{outputId}")
      .returns<OutputResponse>()
      .args<[outputId: Hex]>((outputId) => ({ outputId })),
    /** Where an output comes from, and whether it is spent. */
    getOutputMetadata: get("/api/core/v2/outputs/{outputId}/metadata")
      .returns<OutputMetadata>()
      .args<[outputId: Hex]>((outputId) => ({ outputId })),
    /** Receipts of migrated funds. */
    getAllReceipts: get("/api/core/v2/receipts").returns<Receipts>().lists("receipts"),
    /** Receipts of funds that migrated at an index of the old network. */
    getReceiptsByMigrationIndex: get("/api/core/v2/receipts/{migratedAt}")
      .returns<Receipts>()
      .args<[migratedAt: Integer]>((migratedAt) => ({ migratedAt }))
      .lists("receipts"),
    /** Treasury. */
    getTreasuryInformation: get("/api/core/v2/treasury").returns<Treasury>(),
    /** Block that put a transaction in the ledger. */
    getTransactionIncludedBlock: get("/api/core/v2/transactions/{transactionId}/included-block")
      .returns<Block>()
      .args<[transactionId: Hex]>((transactionId) => ({ transactionId }))
      .lists("parents"),
    /** What became of the block that put a transaction in the ledger. */
    findIncludedBlockMetadata: get("/api/core/v2/transactions/{transactionId}/included-block/metadata")
      .returns<BlockMetadata>()
      .args<[transactionId: Hex]>((transactionId) => ({ transactionId }))
      .lists("parents"),
    /** Milestone by its id. */
    getMilestoneById: get("/api/core/v2/milestones/{milestoneId}")
      .returns<MilestonePayload>()
      .args<[milestoneId: Hex]>((milestoneId) => ({ milestoneId }))
      .lists("parents", "signatures"),
    /** Outputs that a milestone has made and consumed, by its id. */
    getMilestoneUtxoChangesByMilestone: get("/api/core/v2/milestones/{milestoneId}/utxo-changes")
      .returns<UtxoChanges>()
      .args<[milestoneId: Hex]>((milestoneId) => ({ milestoneId }))
      .lists("createdOutputs", "consumedOutputs"),
    /** Milestone by its index. */
    lookupMilestoneByIndex: get("/api/core/v2/milestones/by-index/{index}")
      .echoes({ index: 0 })
      .returns<MilestonePayload>()
      .args<[index: Integer]>((index) => ({ index }))
      .lists("parents", "signatures"),
    /** Outputs that a milestone has made and consumed, by its index. */
    getMilestoneUtxoChangesById: get("/api/core/v2/milestones/by-index/{index}/utxo-changes")
      .echoes({ index: 0 })
      .returns<UtxoChanges>()
      .args<[index: Integer]>((index) => ({ index }))
      .lists("createdOutputs", "consumedOutputs"),
    /** Peers of the node. */
    getPeers: get("/api/core/v2/peers").returns<ReadonlyArray<Peer>>().lists(),
    /** Makes the node connect to a peer. */
    addPeer: post("/api/core/v2/peers")
      .body<{ readonly multiAddress: string; readonly alias?: string }>()
      .returns<Peer>()
      .write()
      .lists("multiAddresses"),
    /** Peer of the node. */
    getPeerInfo: get("/api/core/v2/peers/{peerId}")
      .echoes({ id: 0 })
      .returns<Peer>()
      .args<[peerId: string]>((peerId) => ({ peerId }))
      .lists("multiAddresses"),
    /** Makes the node leave a peer. */
    removePeer: del("/api/core/v2/peers/{peerId}")
      .args<[peerId: string]>((peerId) => ({ peerId }))
      .noContent()
      .write(),
    /** Roots of the Merkle trees that a milestone with these parents would have. */
    computeMerkleRouteHashes: post("/api/core/v2/whiteflag")
      .body<{
        readonly index: number
        readonly timestamp: number
        readonly parents: ReadonlyArray<Hex>
        readonly previousMilestoneId: Hex
      }>()
      .returns<{ readonly inclusionMerkleRoot: Hex; readonly appliedMerkleRoot: Hex }>(),
    /** Makes the node forget what is older: by index, by depth, or down to a size. */
    pruneDatabase: post("/api/core/v2/control/database/prune")
      .body<{ readonly index?: number; readonly depth?: number; readonly targetDatabaseSize?: string }>()
      .returns<{ readonly index: number }>()
      .write(),
    /** Makes the node write a snapshot to a file. */
    createSnapshot: post("/api/core/v2/control/snapshot/create")
      .body<{ readonly index: number }>()
      .returns<{ readonly index: number; readonly filePath: string }>()
      .write(),
    /** Ids of outputs of any kind. */
    getOutputs: get("/api/indexer/v1/outputs")
      .query<OutputsQuery>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Ids of basic outputs. */
    getBasicOutputs: get("/api/indexer/v1/outputs/basic")
      .query<OutputsQuery & ConditionFilter>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Ids of the outputs of aliases. */
    getAliasOutputs: get("/api/indexer/v1/outputs/alias")
      .query<
        OutputsQuery & {
          readonly stateController?: string
          readonly governor?: string
          readonly issuer?: string
          readonly sender?: string
        }
      >()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Id of the unspent output of an alias. */
    getCurrentUnspentAliasOutput: get("/api/indexer/v1/outputs/alias/{aliasId}")
      .returns<OutputsResponse>()
      .args<[aliasId: Hex]>((aliasId) => ({ aliasId }))
      .lists("items"),
    /** Ids of the outputs of foundries. */
    getFoundryOutputs: get("/api/indexer/v1/outputs/foundry")
      .query<OutputsQuery & { readonly aliasAddress?: string }>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Id of the unspent output of a foundry. */
    getCurrentUnspentFoundryOutput: get("/api/indexer/v1/outputs/foundry/{foundryId}")
      .returns<OutputsResponse>()
      .args<[foundryId: Hex]>((foundryId) => ({ foundryId }))
      .lists("items"),
    /** Ids of the outputs of NFTs. */
    getNftOutputs: get("/api/indexer/v1/outputs/nft")
      .query<OutputsQuery & ConditionFilter & { readonly issuer?: string }>()
      .returns<OutputsResponse>()
      .lists("items"),
    /** Id of the unspent output of an NFT. */
    getCurrentNftOutput: get("/api/indexer/v1/outputs/nft/{nftId}")
      .returns<OutputsResponse>()
      .args<[nftId: Hex]>((nftId) => ({ nftId }))
      .lists("items"),
    /** What an address owns. */
    getBalanceByAddress: get("/api/explorer/v2/balance/{address}")
      .returns<Balance>()
      .args<[address: string]>((address) => ({ address })),
    /** Blocks that name a block as a parent. */
    getBlockChildren: get("/api/explorer/v2/blocks/{blockId}/children")
      .echoes({ blockId: 0 })
      .returns<BlockChildren>()
      .args<[blockId: Hex, page?: PageQuery & { readonly sort?: "asc" | "desc" }]>((blockId, page) => ({
        ...page,
        blockId
      }))
      .lists("children"),
    /** Milestones between two times (seconds). */
    getMilestones: get("/api/explorer/v2/milestones")
      .query<
        PageQuery & {
          readonly startTimestamp?: Integer
          readonly endTimestamp?: Integer
          readonly sort?: "asc" | "desc"
        }
      >()
      .returns<Milestones>()
      .lists("items"),
    /** Blocks that a milestone refers to, by its id. */
    getBlocksByMilestone: get("/api/explorer/v2/milestones/{milestoneId}/blocks")
      .query<PageQuery & { readonly sort?: "asc" | "desc" }>()
      .returns<MilestoneBlocks>()
      .lists("blocks"),
    /** Blocks that a milestone refers to, by its index. */
    getBlocksByMilestoneIndex: get("/api/explorer/v2/milestones/by-index/{milestoneIndex}/blocks")
      .query<PageQuery & { readonly sort?: "asc" | "desc" }>()
      .returns<MilestoneBlocks>()
      .lists("blocks"),
    /** How the outputs of an address have changed. */
    getLedgerUpdatesByAddress: get("/api/explorer/v2/ledger/updates/by-address/{address}")
      .query<
        PageQuery & {
          readonly sort?: "asc" | "desc"
          readonly startMilestoneIndex?: Integer
          readonly endMilestoneIndex?: Integer
        }
      >()
      .returns<AddressUpdates>()
      .lists("items"),
    /** How a milestone has changed the ledger. */
    getLedgerUpdatesByMilestone: get("/api/explorer/v2/ledger/updates/by-milestone/{milestoneId}")
      .query<PageQuery>()
      .returns<MilestoneUpdates>()
      .lists("items"),
    /** Addresses that own most, now or at a milestone. */
    getTopRichestAddresses: get("/api/explorer/v2/ledger/richest-addresses")
      .query<{ readonly top?: number; readonly ledgerIndex?: Integer }>()
      .returns<RichestAddresses>()
      .lists("top"),
    /** How many addresses own how much, now or at a milestone. */
    getTokenDistribution: get("/api/explorer/v2/ledger/token-distribution")
      .returns<TokenDistribution>()
      .args<[ledgerIndex?: Integer]>((ledgerIndex) => ({ ledgerIndex }))
      .lists("distribution")
  }
)

const chain = "/v1/chains/{chainID}" as const

const accounts = `${chain}/core/accounts` as const

const blocklog = `${chain}/core/blocklog` as const

/** A wait that ended without a receipt says nothing against the node. Its errors have names in capitals. */
const waspFailure = (answer: unknown, status: number, text: string): Failure | undefined => {
  if (status === 408 && text === "")
    return { messages: ["the time is up, and there is no receipt yet"], fault: "caller" }
  if (!isRecord(answer) || typeof answer.Message !== "string") return undefined
  const more = typeof answer.Error === "string" && answer.Error !== "" ? `: ${answer.Error}` : ""
  return toFailure(answer.Message + more, status, status === 404 ? "elsewhere" : "caller")
}

/** The same for the nodes of its smart contracts. Keys and values of dictionaries are bytes. */
const waspBytesByName = byFieldName({
  blobHash: hex0x(),
  contractHName: hex0x(4),
  contractHname: hex0x(4),
  functionHName: hex0x(4),
  key: hex0x(),
  nftID: id,
  outputBytes: hex0x(),
  peerIdentities: eachOf(hex0x()),
  publicKey: hex0x(),
  request: hex0x(),
  requestBytes: hex0x(),
  value: hex0x()
})

const waspEndpoints = group(
  { integers: numberIntegers, bytes: waspBytesByName, failure: waspFailure },
  {
    /** Token for a user of the node. */
    authenticate: post("/auth")
      .returns<{ readonly jwt: string; readonly error?: string }>()
      .args<[input: { readonly loginRequest: { readonly username: string; readonly password: string } }]>(
        checkingNames(({ loginRequest }) => fields(loginRequest))
      ),
    /** How users of the node prove who they are. */
    authInfo: get("/auth/info").returns<{ readonly authURL: string; readonly scheme: string }>(),
    /** Chains of the node. */
    getChains: get("/v1/chains").returns<ReadonlyArray<ChainInfo>>().lists(),
    /** Chain with its rules. */
    getChainInfo: get(chain).echoes({ chainID: "chainID" }).query<ChainAt>().returns<ChainInfo>(),
    /** Makes the node run a chain. */
    activateChain: post(`${chain}/activate`).noBody().noContent().write(),
    /** Makes the node stop running a chain. */
    deactivateChain: post(`${chain}/deactivate`).noBody().noContent().write(),
    /** Gives a node access to a chain. */
    addAccessNode: put(`${chain}/access-node/{peer}`).noBody().noContent().write(),
    /** Takes the access to a chain from a node. */
    removeAccessNode: del(`${chain}/access-node/{peer}`).noContent().write(),
    /** Sets the record that the node keeps of a chain. */
    setChainRecord: post(`${chain}/chainrecord`)
      .body<{ readonly accessNodes: ReadonlyArray<string>; readonly isActive: boolean }>()
      .noContent()
      .write(),
    /** Calls a view of a contract. Arguments and result are dictionaries of bytes. */
    callView: post(`${chain}/callview`)
      .body<{
        readonly arguments: Dict
        readonly block?: string
        readonly contractHName?: Hex
        readonly contractName?: string
        readonly functionHName?: Hex
        readonly functionName?: string
      }>()
      .verbatim()
      .returns<Dict>()
      .lists("Items"),
    /** Who runs a chain. */
    getCommitteeInfo: get(`${chain}/committee`)
      .echoes({ chainId: "chainID" })
      .query<ChainAt>()
      .returns<Committee>()
      .lists("accessNodes", "candidateNodes", "committeeNodes"),
    /** Contracts of a chain. */
    getContracts: get(`${chain}/contracts`).query<ChainAt>().returns<ReadonlyArray<ContractInfo>>().lists(),
    /** Accounts of a chain. */
    getAccounts: get(accounts)
      .query<ChainAt>()
      .returns<{ readonly accounts: ReadonlyArray<string> }>()
      .lists("accounts"),
    /** Coins and native tokens of an account on a chain. */
    accountsGetAccountBalance: get(`${accounts}/account/{agentID}/balance`)
      .query<ChainAt>()
      .returns<Assets>()
      .lists("nativeTokens"),
    /** Serial numbers of the foundries of an account on a chain. */
    accountsGetAccountFoundries: get(`${accounts}/account/{agentID}/foundries`)
      .query<ChainAt>()
      .returns<{ readonly foundrySerialNumbers: ReadonlyArray<number> }>()
      .lists("foundrySerialNumbers"),
    /** NFTs of an account on a chain. */
    accountsGetAccountNFTIDs: get(`${accounts}/account/{agentID}/nfts`)
      .query<ChainAt>()
      .returns<{ readonly nftIds: ReadonlyArray<Hex> }>()
      .lists("nftIds"),
    /** Number that the account's next request has to have, as decimal text. */
    accountsGetAccountNonce: get(`${accounts}/account/{agentID}/nonce`)
      .query<ChainAt>()
      .returns<{ readonly nonce: string }>(),
    /** Output of a foundry of a chain. */
    accountsGetFoundryOutput: get(`${accounts}/foundry_output/{serialNumber}`)
      .query<ChainAt>()
      .returns<{ readonly foundryId: Hex; readonly assets: Assets }>(),
    /** NFT on a chain. */
    accountsGetNFTData: get(`${accounts}/nftdata/{nftID}`)
      .echoes({ id: "nftID" })
      .query<ChainAt>()
      .returns<Nft>(),
    /** Native tokens that a chain knows. */
    accountsGetNativeTokenIDRegistry: get(`${accounts}/token_registry`)
      .query<ChainAt>()
      .returns<{ readonly nativeTokenRegistryIds: ReadonlyArray<Hex> }>()
      .lists("nativeTokenRegistryIds"),
    /** Coins and native tokens of all accounts of a chain. */
    accountsGetTotalAssets: get(`${accounts}/total_assets`)
      .query<ChainAt>()
      .returns<Assets>()
      .lists("nativeTokens"),
    /** Blobs of a chain. */
    blobsGetAllBlobs: get(`${chain}/core/blobs`)
      .query<ChainAt>()
      .returns<{ readonly Blobs: ReadonlyArray<{ readonly hash: Hex; readonly size: number }> }>()
      .lists("Blobs"),
    /** Fields of a blob with their sizes. */
    // a field's key, which calls for single fields have beside the place, means nothing here
    blobsGetBlobInfo: get(`${chain}/core/blobs/{blobHash}`)
      .returns<{ readonly fields: Readonly<Record<string, number>> }>()
      .args<[input: BlobPlace & { readonly fieldKey?: string }]>(
        checkingNames(({ blobHash, block, chainID, fieldKey: _ }) => ({ blobHash, block, chainID }))
      ),
    /** Field of a blob. */
    blobsGetBlobValue: get(`${chain}/core/blobs/{blobHash}/data/{fieldKey}`)
      .query<ChainAt>()
      .returns<{ readonly valueData: Hex }>(),
    /** Block of a chain. */
    blocklogGetBlockInfo: get(`${blocklog}/blocks/{blockIndex}`)
      .echoes({ blockIndex: "blockIndex" })
      .query<ChainAt>()
      .returns<BlockInfo>(),
    /** Newest block of a chain. */
    blocklogGetLatestBlockInfo: get(`${blocklog}/blocks/latest`).query<ChainAt>().returns<BlockInfo>(),
    /** Ids of the requests of a block. */
    blocklogGetRequestIDsForBlock: get(`${blocklog}/blocks/{blockIndex}/requestids`)
      .query<ChainAt>()
      .returns<RequestIds>()
      .lists("requestIds"),
    /** Ids of the requests of the newest block. */
    blocklogGetRequestIDsForLatestBlock: get(`${blocklog}/blocks/latest/requestids`)
      .query<ChainAt>()
      .returns<RequestIds>()
      .lists("requestIds"),
    /** Receipts of the requests of a block. */
    blocklogGetRequestReceiptsOfBlock: get(`${blocklog}/blocks/{blockIndex}/receipts`)
      .query<ChainAt>()
      .returns<ReadonlyArray<Receipt>>()
      .lists(),
    /** Receipts of the requests of the newest block. */
    blocklogGetRequestReceiptsOfLatestBlock: get(`${blocklog}/blocks/latest/receipts`)
      .query<ChainAt>()
      .returns<ReadonlyArray<Receipt>>()
      .lists(),
    /** Who controls a chain. */
    blocklogGetControlAddresses: get(`${blocklog}/controladdresses`)
      .query<ChainAt>()
      .returns<ControlAddresses>(),
    /** Receipt of a request. */
    blocklogGetRequestReceipt: get(`${blocklog}/requests/{requestID}`)
      .query<ChainAt>()
      .returns<Receipt>()
      .lists("gasBurnLog"),
    /** Whether a request has been processed. */
    blocklogGetRequestIsProcessed: get(`${blocklog}/requests/{requestID}/is_processed`)
      .query<ChainAt>()
      .returns<{ readonly chainId: string; readonly requestId: string; readonly isProcessed: boolean }>(),
    /** Text of an error of a contract, with places for its parameters. */
    errorsGetErrorMessageFormat: get(`${chain}/core/errors/{contractHname}/message/{errorID}`)
      .query<ChainAt>()
      .returns<{ readonly messageFormat: string }>(),
    /** Addresses that may control a chain. */
    getAllowedStateControllerAddresses: get(`${chain}/core/governance/allowedstatecontrollers`)
      .query<ChainAt>()
      .returns<{ readonly addresses: ReadonlyArray<string> }>()
      .lists("addresses"),
    /** Chain as its governance contract has it. */
    governanceGetChainInfo: get(`${chain}/core/governance/chaininfo`)
      .query<ChainAt>()
      .returns<GovernanceChainInfo>(),
    /** Owner of a chain. */
    governanceGetChainOwner: get(`${chain}/core/governance/chainowner`)
      .query<ChainAt>()
      .returns<{ readonly chainOwner: string }>(),
    /** What a request off the ledger would cost. Nothing is sent. */
    estimateGasOffledger: post(`${chain}/estimategas-offledger`)
      .returns<Receipt>()
      .args<[input: Chain, body: { readonly fromAddress: string; readonly requestBytes: Hex }]>(
        (place, body) => ({ ...fields(body), ...place })
      )
      .lists("gasBurnLog"),
    /** What a request on the ledger would cost. Nothing is sent. */
    estimateGasOnledger: post(`${chain}/estimategas-onledger`)
      .returns<Receipt>()
      .args<[input: Chain, body: { readonly outputBytes: Hex }]>((place, body) => ({
        ...fields(body),
        ...place
      }))
      .lists("gasBurnLog"),
    /** Requests that wait, as the node writes them. */
    getMempoolContents: get(`${chain}/mempool`).text(),
    /** Receipt of a request. */
    getReceipt: get(`${chain}/receipts/{requestID}`).returns<Receipt>().lists("gasBurnLog"),
    /** Receipt of a request as soon as it is there, or the time (seconds) is up. */
    waitForRequest: get(`${chain}/requests/{requestID}/wait`)
      .query<{ readonly timeoutSeconds?: number; readonly waitForL1Confirmation?: boolean }>()
      .returns<Receipt>()
      .minTimeout(75_000)
      .lists("gasBurnLog"),
    /** Value in the state of a chain. */
    getStateValue: get(`${chain}/state/{stateKey}`).returns<{ readonly state: Hex }>(),
    /** Makes the node write the accounts of a chain to a file. */
    dumpAccounts: post(`${chain}/dump-accounts`).noBody().noContent().write(),
    /** Messages between the node and the ledger about a chain. */
    getChainMessageMetrics: get("/v1/metrics/chain/{chainID}/messages").returns<ChainMessageMetrics>(),
    /** Events that wait in the pipes of a chain's consensus. */
    getChainPipeMetrics: get("/v1/metrics/chain/{chainID}/pipe").returns<PipeMetrics>(),
    /** How far a chain's consensus is with its round. */
    getChainWorkflowMetrics: get("/v1/metrics/chain/{chainID}/workflow").returns<WorkflowMetrics>(),
    /** Messages between the node and the ledger. */
    getNodeMessageMetrics: get("/v1/metrics/node/messages")
      .returns<MessageMetrics>()
      .lists("registeredChainIDs"),
    /** Configuration of the node. */
    getConfiguration: get("/v1/node/config").returns<Readonly<Record<string, unknown>>>(),
    /** Makes a key that several nodes hold shares of. The time to wait is in milliseconds. */
    generateDKS: post("/v1/node/dks")
      .body<{
        readonly peerIdentities: ReadonlyArray<Hex>
        readonly threshold: number
        readonly timeoutMS: number
      }>()
      .returns<DkShares>()
      .write()
      .lists("peerIdentities", "publicKeyShares"),
    /** Key that several nodes hold shares of. */
    getDKSInfo: get("/v1/node/dks/{sharedAddress}")
      .returns<DkShares>()
      .args<[sharedAddress: string]>((sharedAddress) => ({ sharedAddress }))
      .lists("peerIdentities", "publicKeyShares"),
    /** Node with the ledger that it follows. */
    getInfo: get("/v1/node/info").returns<WaspInfo>(),
    /** Certificate of the node's owner. */
    ownerCertificate: get("/v1/node/owner/certificate").returns<{ readonly certificate: Hex }>(),
    /** Nodes that the node is connected to. */
    getAllPeers: get("/v1/node/peers").returns<ReadonlyArray<PeeringStatus>>().lists(),
    /** Who the node is on the peer-to-peer network. */
    getPeeringIdentity: get("/v1/node/peers/identity").returns<PeeringIdentity>(),
    /** Nodes that the node trusts. */
    getTrustedPeers: get("/v1/node/peers/trusted").returns<ReadonlyArray<PeeringIdentity>>().lists(),
    /** Makes the node trust another one. */
    trustPeer: post("/v1/node/peers/trusted")
      .body<{ readonly name: string; readonly peeringURL: string; readonly publicKey: Hex }>()
      .noContent()
      .write(),
    /** Makes the node trust another one no longer. */
    distrustPeer: del("/v1/node/peers/trusted/{peer}")
      .args<[peer: string]>((peer) => ({ peer }))
      .noContent()
      .write(),
    /** Shuts the node down. */
    shutdownNode: post("/v1/node/shutdown").noBody().noContent().write(),
    /** Version of the node's software. */
    getVersion: get("/v1/node/version").returns<{ readonly version: string }>(),
    /** Sends a signed request to a chain without going through the ledger. Safe to repeat. */
    offLedger: post("/v1/requests/offledger")
      .body<{ readonly chainId: string; readonly request: Hex }>()
      .noContent()
      .broadcast(),
    /** Users of the node. */
    getUsers: get("/v1/users").returns<ReadonlyArray<User>>().lists(),
    /** Adds a user of the node. */
    addUser: post("/v1/users")
      .body<{
        readonly username: string
        readonly password: string
        readonly permissions: ReadonlyArray<string>
      }>()
      .noContent()
      .write(),
    /** User of the node. */
    getUser: get("/v1/users/{username}")
      .returns<User>()
      .args<[username: string]>((username) => ({ username }))
      .lists("permissions"),
    /** Removes a user of the node. */
    deleteUser: del("/v1/users/{username}")
      .args<[username: string]>((username) => ({ username }))
      .noContent()
      .write(),
    /** Gives a user of the node another password. */
    changeUserPassword: put("/v1/users/{username}/password")
      .body<{ readonly password: string }>()
      .noContent()
      .write(),
    /** Gives a user of the node other permissions. */
    changeUserPermissions: put("/v1/users/{username}/permissions")
      .body<{ readonly permissions: ReadonlyArray<string> }>()
      .noContent()
      .write()
  }
)

/** Events have their time in nanoseconds, which a number cannot hold. */
const eventEndpoints = group(
  { integers: bigintIntegers, numbers: ["**.contractID"], bytes: waspBytesByName, failure: waspFailure },
  {
    /** Events of a block of a chain. */
    blocklogGetEventsOfBlock: get(`${blocklog}/events/block/{blockIndex}`)
      .query<ChainAt>()
      .returns<Events>()
      .lists("events"),
    /** Events of the newest block of a chain. */
    blocklogGetEventsOfLatestBlock: get(`${blocklog}/events/block/latest`)
      .query<ChainAt>()
      .returns<Events>()
      .lists("events"),
    /** Events of a contract. */
    blocklogGetEventsOfContract: get(`${blocklog}/events/contract/{contractHname}`)
      .query<EventsOfContract>()
      .returns<Events>()
      .lists("events"),
    /** Events of a request. */
    blocklogGetEventsOfRequest: get(`${blocklog}/events/request/{requestID}`)
      .query<ChainAt>()
      .returns<Events>()
      .lists("events")
  }
)

/** The refusal of a JSON-RPC answer, in an HTTP 200. */
const refusal = (answer: unknown): Refusal | undefined => {
  const error = isRecord(answer) ? answer.error : undefined
  if (!isRecord(error)) return undefined
  const { code, message } = error
  return {
    message: typeof message === "string" ? message : JSON.stringify(error),
    ...(typeof code === "number" ? { code } : {})
  }
}

const evmEndpoints = group(
  {
    integers: numberIntegers,
    refusal,
    failure: waspFailure,
    classify: (error) => (/revert/i.test(error.message) ? "caller" : faultOf(error))
  },
  {
    /** Sends a JSON-RPC request to the EVM of a chain. It reads, or sends what is signed: safe to repeat. */
    submitJSONRPCRequest: post(`${chain}/evm`)
      .returns<JsonRpcAnswer>()
      .args<[input: Chain & { readonly request?: JsonRpcRequest }]>(
        checkingNames(({ chainID, request }) => ({ ...request, chainID }))
      )
      .verbatim()
      .broadcast()
  }
)

/**
 * The endpoints of IOTA and Shimmer: node, indexer, explorer and Wasp.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = merge(merge(nodeEndpoints, waspEndpoints), merge(eventEndpoints, evmEndpoints))

/**
 * The client of IOTA and Shimmer.
 *
 * @since 0.1.0
 * @category clients
 */
export interface IotaRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of IOTA.
 *
 * @since 0.1.0
 * @category families
 */
export const iota: Family<typeof endpoints, IotaRpc> = {
  endpoints,
  layout: { servers: { waspUrl: { routes: /^\/(?:v1\/|auth\b)/ } } },
  probe: () => getProbe("/api/core/v2/info", ["status", "latestMilestone", "index"])
}
