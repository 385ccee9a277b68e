/**
 * What IOTA's nodes and their smart contract chains (Wasp) take and give.
 *
 * @since 0.1.0
 */

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
