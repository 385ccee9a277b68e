/**
 * Avalanche's P-Chain (validators and networks) and X-Chain (assets): the JSON-RPC APIs of AvalancheGo, of which the
 * provider has each at its own network. Amounts are in nAVAX (10^-9 AVAX) or in an asset's smallest unit. Answers keep the
 * names of the wire, and most of their integers are decimal strings; inside of transactions in JSON, amounts, weights and
 * times are `bigint`, all else `number`. The C-Chain is an EVM chain.
 *
 * @since 0.1.0
 */

import { type Family, rpcProbe } from "../balancer/Family.js"
import { hex0x } from "../data/bytes.js"
import { type Fault, group, rpc } from "../data/Endpoint.js"
import type { Json } from "../data/untrusted.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { standardFaultOf } from "./internal/faults.js"

/**
 * An integer of 64 bits, a decimal string: an amount, a height, a time in seconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export type Int = string

/**
 * The id of a block, transaction, chain, subnet or asset: CB58.
 *
 * @since 0.1.0
 * @category types
 */
export type Id = string

/**
 * The id of a node: `NodeID-…`, CB58.
 *
 * @since 0.1.0
 * @category types
 */
export type NodeId = string

/**
 * An address with its chain: `P-avax1…`, `X-avax1…` (`fuji1…` on the test network), Bech32.
 *
 * @since 0.1.0
 * @category types
 */
export type Address = string

/**
 * Bytes with their checksum, hexadecimal with 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * How bytes are written: `hex` is the default, `hexnc` has no checksum, and `json` is the content itself.
 *
 * @since 0.1.0
 * @category types
 */
export type Encoding = "hex" | "hexnc" | "json"

/**
 * Who may spend an output or get a reward, as answers about validators and subnets have it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Owner {
  readonly locktime: Int
  readonly threshold: Int
  readonly addresses: ReadonlyArray<Address>
}

/**
 * Who may spend an output or get a reward, as transactions have it.
 *
 * @since 0.1.0
 * @category types
 */
export interface OutputOwners {
  readonly addresses: ReadonlyArray<Address>
  readonly locktime: bigint
  readonly threshold: number
}

/**
 * An unspent output.
 *
 * @since 0.1.0
 * @category types
 */
export interface UtxoId {
  readonly txID: Id
  readonly outputIndex: number
}

/**
 * An output of a transaction. Those that are locked for staking have their content one level deeper.
 *
 * @since 0.1.0
 * @category types
 */
export interface Output {
  readonly assetID: Id
  readonly fxID: Id
  readonly output: Partial<OutputOwners> & {
    readonly amount?: bigint
    readonly groupID?: number
    readonly payload?: string
    readonly output?: OutputOwners & { readonly amount: bigint }
  }
}

/**
 * An input of a transaction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Input extends UtxoId {
  readonly assetID: Id
  readonly fxID: Id
  readonly input: {
    readonly amount?: bigint
    readonly signatureIndices?: ReadonlyArray<number>
    readonly locktime?: bigint
    readonly input?: { readonly amount: bigint; readonly signatureIndices: ReadonlyArray<number> }
  }
}

/**
 * A validator, as transactions have it. Times are in seconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxValidator {
  readonly nodeID: NodeId
  readonly start: bigint
  readonly end: bigint
  readonly weight: bigint
  readonly subnetID?: Id
}

/**
 * A transaction in JSON. Which fields its content has depends on its kind: those here are of transfers, imports, exports and
 * staking.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction {
  readonly id: Id
  readonly credentials?: ReadonlyArray<{
    readonly signatures?: ReadonlyArray<Hex>
    readonly fxID?: Id
    readonly credential?: { readonly signatures: ReadonlyArray<Hex> }
  }>
  readonly unsignedTx: {
    readonly networkID?: number
    readonly blockchainID?: Id
    readonly inputs?: ReadonlyArray<Input>
    readonly outputs?: ReadonlyArray<Output>
    readonly memo?: string
    readonly sourceChain?: Id
    readonly importedInputs?: ReadonlyArray<Input>
    readonly destinationChain?: Id
    readonly exportedOutputs?: ReadonlyArray<Output>
    readonly validator?: TxValidator
    readonly stake?: ReadonlyArray<Output>
    readonly rewardsOwner?: OutputOwners
    readonly [field: string]:
      | Json
      | ReadonlyArray<Input>
      | ReadonlyArray<Output>
      | TxValidator
      | OutputOwners
      | undefined
  }
}

/**
 * A block in JSON.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block {
  readonly id?: Id
  readonly parentID: Id
  readonly height: bigint
  readonly time?: bigint
  readonly txs?: ReadonlyArray<Transaction>
  readonly tx?: Transaction
  readonly merkleRoot?: Id
}

/**
 * A block in the encoding that was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncodedBlock {
  readonly block: Hex | Block
  readonly encoding: Encoding
}

/**
 * A transaction in the encoding that was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface EncodedTx {
  readonly tx: Hex | Transaction
  readonly encoding: Encoding
}

/**
 * A place among unspent outputs: the last one of a page is the start of the next.
 *
 * @since 0.1.0
 * @category types
 */
export interface UtxoIndex {
  readonly address: Address
  readonly utxo: Id
}

/**
 * Unspent outputs, and where the next page begins. There are more as long as as many are fetched as were asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface Utxos {
  readonly numFetched: Int
  readonly utxos: ReadonlyArray<Hex>
  readonly endIndex: UtxoIndex
  readonly sourceChain?: string
  readonly encoding: Encoding
}

/**
 * Whose unspent outputs are asked for: 1024 at most. With `sourceChain`, those that come from another chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface UtxoQuery {
  readonly addresses: ReadonlyArray<Address>
  readonly limit?: number
  readonly startIndex?: UtxoIndex
  readonly sourceChain?: string
  readonly encoding?: "hex"
}

/**
 * The balance of addresses on the P-Chain, in nAVAX and by asset.
 *
 * @since 0.1.0
 * @category types
 */
export interface PBalance {
  readonly balance: Int
  readonly unlocked: Int
  readonly lockedStakeable: Int
  readonly lockedNotStakeable: Int
  readonly balances: Readonly<Record<Id, Int>>
  readonly unlockeds: Readonly<Record<Id, Int>>
  readonly lockedStakeables: Readonly<Record<Id, Int>>
  readonly lockedNotStakeables: Readonly<Record<Id, Int>>
  readonly utxoIDs: ReadonlyArray<UtxoId>
}

/**
 * The BLS key of a validator, and the proof that it has it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Signer {
  readonly publicKey: Hex
  readonly proofOfPossession: Hex
}

/**
 * Stake that somebody has lent to a validator.
 *
 * @since 0.1.0
 * @category types
 */
export interface Delegator {
  readonly txID: Id
  readonly startTime: Int
  readonly endTime: Int
  readonly weight?: Int
  readonly stakeAmount?: Int
  readonly nodeID: NodeId
  readonly rewardOwner?: Owner
  readonly potentialReward?: Int
}

/**
 * A validator of the primary network, or of a subnet. Times are in seconds since 1970; `uptime` and `delegationFee` are in
 * percent. The delegators are there only if one node was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export interface Validator {
  readonly txID: Id
  readonly startTime: Int
  readonly endTime?: Int
  readonly weight?: Int
  readonly stakeAmount?: Int
  readonly nodeID: NodeId
  readonly validationRewardOwner?: Owner
  readonly delegationRewardOwner?: Owner
  readonly potentialReward?: Int
  readonly accruedDelegateeReward?: Int
  readonly delegationFee?: string
  readonly uptime?: string
  readonly connected?: boolean
  readonly signer?: Signer
  readonly delegatorCount?: Int
  readonly delegatorWeight?: Int
  readonly delegators?: ReadonlyArray<Delegator> | null
  readonly validationID?: Id
  readonly publicKey?: Hex
  readonly remainingBalanceOwner?: Owner
  readonly deactivationOwner?: Owner
  readonly minNonce?: Int
  readonly balance?: Int
}

/**
 * A validator of an L1, a network that pays for its validators by time. `balance` is in nAVAX.
 *
 * @since 0.1.0
 * @category types
 */
export interface L1Validator {
  readonly subnetID: Id
  readonly nodeID: NodeId
  readonly publicKey: Hex
  readonly remainingBalanceOwner: Owner
  readonly deactivationOwner: Owner
  readonly startTime: Int
  readonly weight: Int
  readonly minNonce: Int
  readonly balance: Int
  readonly height: Int
}

/**
 * A subnet or L1: who may change it, and what it has become.
 *
 * @since 0.1.0
 * @category types
 */
export interface Subnet {
  readonly isPermissioned: boolean
  readonly controlKeys: ReadonlyArray<Address>
  readonly threshold: Int
  readonly locktime: Int
  readonly subnetTransformationTxID: Id
  readonly conversionID: Id
  readonly managerChainID: Id
  readonly managerAddress: Hex | null
}

/**
 * The stake of addresses, in nAVAX and by asset.
 *
 * @since 0.1.0
 * @category types
 */
export interface Stake {
  readonly staked: Int
  readonly stakeds: Readonly<Record<Id, Int>>
  readonly stakedOutputs: ReadonlyArray<Hex>
  readonly encoding: Encoding
}

/**
 * A chain, and the subnet that validates it.
 *
 * @since 0.1.0
 * @category types
 */
export interface Blockchain {
  readonly id: Id
  readonly name: string
  readonly subnetID: Id
  readonly vmID: Id
}

/**
 * A validator's state on the P-Chain: whether a transaction is in a block, on its way, or lost.
 *
 * @since 0.1.0
 * @category types
 */
export interface PTxStatus {
  readonly status: "Committed" | "Processing" | "Dropped" | "Unknown" | (string & {})
  readonly reason?: string
}

/**
 * The parameters of fees by gas, on the P-Chain.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeConfig {
  readonly weights: ReadonlyArray<bigint>
  readonly maxCapacity: bigint
  readonly maxPerSecond: bigint
  readonly targetPerSecond: bigint
  readonly minPrice: bigint
  readonly excessConversionConstant: bigint
}

/**
 * Gas now: how much there is, how much too much was used, and its price in nAVAX.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeState {
  readonly capacity: bigint
  readonly excess: bigint
  readonly price: bigint
  readonly timestamp: string
}

/**
 * An asset: `denomination` is the number of its decimals.
 *
 * @since 0.1.0
 * @category types
 */
export interface Asset {
  readonly assetID: Id
  readonly name: string
  readonly symbol: string
  readonly denomination: Int
}

/** Fields of transactions that are a `number` wherever they stand: all but amounts, weights, heights and times. */
const numbers: ReadonlyArray<string> = [
  "**.groupID",
  "**.networkID",
  "**.outputIndex",
  "**.signatureIndices.[]",
  "**.threshold"
]

/** Data that another node may have; a part of it that is not up yet. */
const elsewhereMessage =
  /not found|no such|unknown|isn't|not (?:yet )?(?:bootstrapped|available|accepted|indexed)|missing/i

const nodeMessage =
  /bootstrapp|not ready|timed out|timeout|mempool is full|overloaded|rate limit|too many|try again/i

const callerMessage =
  /couldn't (?:parse|decode|issue)|problem (?:parsing|decoding)|invalid|illegal|malformed|insufficient|must be|should be|exceeds|argument|conflict|signature|no addresses/i

/**
 * Whose fault an error is. Nodes have one code for nearly all of them, and the reason in words.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  const usual = standardFaultOf(error)
  if (usual !== "unclear") return usual
  if (nodeMessage.test(error.message)) return "node"
  return callerMessage.test(error.message)
    ? "caller"
    : elsewhereMessage.test(error.message)
      ? "elsewhere"
      : "unclear"
}

/** Methods outside of the tables that only read: those of the node, and of its other chains. */
const reads =
  /^(?:platform|avm|avax|xvm|info|index|health|proposervm)\.(?:get|is|peers|uptime|validates|validatedBy|sampleValidators|health|readiness|liveness|acps|upgrades)\w*$/

const dialect = {
  integers: bigintIntegers,
  numbers,
  parameters: "named",
  classify,
  reads,
  broadcasts: /^(?:platform|avm|avax|wallet)\.issueTx$/
} as const

/** Heights go out as text: a node reads both, and text of any size. */
const withHeight = <A extends { readonly height: number | bigint | string }>(input: A): object => ({
  ...input,
  height: String(input.height)
})

/**
 * The endpoints of the P-Chain.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const pEndpoints = group(dialect, {
  /** Height of the newest block. */
  getHeight: rpc<[], { readonly height: Int }>("platform.getHeight"),
  /** Height that the node proposes for the next block of an L1. */
  getProposedHeight: rpc<[], { readonly height: Int }>("platform.getProposedHeight"),
  /** Time of the chain. */
  getTimestamp: rpc<[], { readonly timestamp: string }>("platform.getTimestamp"),
  /** Block by id, as bytes or in JSON. */
  getBlock: rpc<[block: { readonly blockID: Id; readonly encoding?: Encoding }], EncodedBlock>(
    "platform.getBlock"
  ).echoes({ "block.id": "blockID" }),
  /** Block by height, as bytes or in JSON. */
  getBlockByHeight: rpc<
    [block: { readonly height: number | bigint | string; readonly encoding?: Encoding }],
    EncodedBlock
  >("platform.getBlockByHeight")
    .echoes({ "block.height": "height" })
    .params(withHeight),
  /** Transaction by id, as bytes or in JSON. */
  getTx: rpc<[tx: { readonly txID: Id; readonly encoding?: Encoding }], EncodedTx>("platform.getTx").echoes({
    "tx.id": "txID"
  }),
  /** How far a transaction is. */
  getTxStatus: rpc<[tx: { readonly txID: Id }], PTxStatus>("platform.getTxStatus"),
  /** Sends a signed transaction, and yields its id. Safe to repeat. */
  issueTx: rpc<[tx: { readonly tx: Hex; readonly encoding?: "hex" }], { readonly txID: Id }>(
    "platform.issueTx"
  )
    .bytes({ tx: hex0x() })
    .broadcast(),
  /** Unspent outputs of addresses. */
  getUTXOs: rpc<[query: UtxoQuery], Utxos>("platform.getUTXOs").lists("utxos"),
  /** Balance of addresses. Nodes advise `getUTXOs` in its place. */
  getBalance: rpc<[query: { readonly addresses: ReadonlyArray<Address> }], PBalance>(
    "platform.getBalance"
  ).lists("utxoIDs"),
  /** Stake of addresses. */
  getStake: rpc<
    [query: { readonly addresses: ReadonlyArray<Address>; readonly validatorsOnly?: boolean }],
    Stake
  >("platform.getStake").lists("stakedOutputs"),
  /** Outputs that paid the reward of a staking transaction. */
  getRewardUTXOs: rpc<
    [tx: { readonly txID: Id; readonly encoding?: "hex" }],
    { readonly numFetched: Int; readonly utxos: ReadonlyArray<Hex>; readonly encoding: Encoding }
  >("platform.getRewardUTXOs").lists("utxos"),
  /** Validators of the primary network or a subnet. */
  getCurrentValidators: rpc<
    [query?: { readonly subnetID?: Id; readonly nodeIDs?: ReadonlyArray<NodeId> }],
    { readonly validators: ReadonlyArray<Validator> }
  >("platform.getCurrentValidators").lists("validators"),
  /** Weights of validators at a height, by node; `proposed` is the height that the node proposes. */
  getValidatorsAt: rpc<
    [query: { readonly height: number | bigint | "proposed"; readonly subnetID?: Id }],
    {
      readonly validators: Readonly<
        Record<NodeId, bigint | Int | { readonly publicKey: Hex | null; readonly weight: Int }>
      >
    }
  >("platform.getValidatorsAt"),
  /** Validator of an L1 by the id of its validation. */
  getL1Validator: rpc<[validator: { readonly validationID: Id }], L1Validator>("platform.getL1Validator"),
  /** Ids of some validators, chosen by chance and weight. */
  sampleValidators: rpc<
    [query: { readonly size: number; readonly subnetID?: Id }],
    { readonly validators: ReadonlyArray<NodeId> }
  >("platform.sampleValidators").lists("validators"),
  /** Subnet or L1. */
  getSubnet: rpc<[subnet: { readonly subnetID: Id }], Subnet>("platform.getSubnet").lists("controlKeys"),
  /** Subnets by their ids, or all. Nodes advise `getSubnet` in its place. */
  getSubnets: rpc<
    [query?: { readonly ids?: ReadonlyArray<Id> }],
    {
      readonly subnets: ReadonlyArray<{
        readonly id: Id
        readonly controlKeys: ReadonlyArray<Address>
        readonly threshold: Int
      }>
    }
  >("platform.getSubnets").lists("subnets"),
  /** All chains but this one. */
  getBlockchains: rpc<[], { readonly blockchains: ReadonlyArray<Blockchain> }>(
    "platform.getBlockchains"
  ).lists("blockchains"),
  /** Whether the node validates a chain or follows it. */
  getBlockchainStatus: rpc<
    [chain: { readonly blockchainID: Id }],
    {
      readonly status: "Validating" | "Created" | "Preferred" | "Syncing" | "Unknown" | (string & {})
    }
  >("platform.getBlockchainStatus"),
  /** Subnet that validates a chain. */
  validatedBy: rpc<[chain: { readonly blockchainID: Id }], { readonly subnetID: Id }>("platform.validatedBy"),
  /** Chains that a subnet validates. */
  validates: rpc<[subnet: { readonly subnetID: Id }], { readonly blockchainIDs: ReadonlyArray<Id> }>(
    "platform.validates"
  ).lists("blockchainIDs"),
  /** All coins that may be there at most, in nAVAX. */
  getCurrentSupply: rpc<
    [query?: { readonly subnetID?: Id }],
    { readonly supply: Int; readonly height?: Int }
  >("platform.getCurrentSupply"),
  /** Least stake of a validator and of a delegator, in nAVAX. */
  getMinStake: rpc<
    [query?: { readonly subnetID?: Id }],
    { readonly minValidatorStake: Int; readonly minDelegatorStake: Int }
  >("platform.getMinStake"),
  /** Stake of a whole network. */
  getTotalStake: rpc<[query?: { readonly subnetID?: Id }], { readonly stake?: Int; readonly weight: Int }>(
    "platform.getTotalStake"
  ),
  /** Asset that a subnet is staked with. */
  getStakingAssetID: rpc<[query?: { readonly subnetID?: Id }], { readonly assetID: Id }>(
    "platform.getStakingAssetID"
  ),
  /** Parameters of fees. */
  getFeeConfig: rpc<[], FeeConfig>("platform.getFeeConfig").lists("weights"),
  /** Gas and its price now. */
  getFeeState: rpc<[], FeeState>("platform.getFeeState")
})

/**
 * The endpoints of the X-Chain.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const xEndpoints = group(dialect, {
  /** Height of the newest block. */
  getHeight: rpc<[], { readonly height: Int }>("avm.getHeight"),
  /** Block by id, as bytes or in JSON. */
  getBlock: rpc<[block: { readonly blockID: Id; readonly encoding?: Encoding }], EncodedBlock>(
    "avm.getBlock"
  ).echoes({ "block.id": "blockID" }),
  /** Block by height, as bytes or in JSON. */
  getBlockByHeight: rpc<
    [block: { readonly height: number | bigint | string; readonly encoding?: Encoding }],
    EncodedBlock
  >("avm.getBlockByHeight")
    .echoes({ "block.height": "height" })
    .params(withHeight),
  /** Transaction by id, as bytes or in JSON. */
  getTx: rpc<[tx: { readonly txID: Id; readonly encoding?: Encoding }], EncodedTx>("avm.getTx").echoes({
    "tx.id": "txID"
  }),
  /** How far a transaction is. Nodes advise `getTx` in its place. */
  getTxStatus: rpc<
    [tx: { readonly txID: Id }],
    { readonly status: "Accepted" | "Processing" | "Rejected" | "Unknown" | (string & {}) }
  >("avm.getTxStatus"),
  /** Sends a signed transaction, and yields its id. Safe to repeat. */
  issueTx: rpc<[tx: { readonly tx: Hex; readonly encoding?: "hex" }], { readonly txID: Id }>("avm.issueTx")
    .bytes({ tx: hex0x() })
    .broadcast(),
  /** Unspent outputs of addresses. */
  getUTXOs: rpc<[query: UtxoQuery], Utxos>("avm.getUTXOs").lists("utxos"),
  /** Balance of an asset. Nodes advise `getUTXOs` in its place. */
  getBalance: rpc<
    [query: { readonly address: Address; readonly assetID: Id; readonly includePartial?: boolean }],
    { readonly balance: Int; readonly utxoIDs: ReadonlyArray<UtxoId> }
  >("avm.getBalance").lists("utxoIDs"),
  /** Balances of all assets of an address. Nodes advise `getUTXOs` in its place. */
  getAllBalances: rpc<
    [query: { readonly address: Address; readonly includePartial?: boolean }],
    { readonly balances: ReadonlyArray<{ readonly asset: Id; readonly balance: Int }> }
  >("avm.getAllBalances").lists("balances"),
  /** Asset by id, or by the name that the chain has for it (`AVAX`). */
  getAssetDescription: rpc<[asset: { readonly assetID: Id }], Asset>("avm.getAssetDescription").echoes({
    assetID: "assetID"
  }),
  /** Fees in nAVAX: of any transaction, and of one that makes an asset. */
  getTxFee: rpc<[], { readonly txFee: Int; readonly createAssetTxFee: Int }>("avm.getTxFee")
})

/**
 * The client of the P-Chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AvalanchePRpc extends Client<typeof pEndpoints>, RawRpc {}

/**
 * The client of the X-Chain.
 *
 * @since 0.1.0
 * @category clients
 */
export interface AvalancheXRpc extends Client<typeof xEndpoints>, RawRpc {}

/**
 * The family of the P-Chain.
 *
 * @since 0.1.0
 * @category families
 */
export const avalancheP: Family<typeof pEndpoints, AvalanchePRpc> = {
  endpoints: pEndpoints,
  layout: { servers: { jsonRpcUrl: { routes: /^$/, path: "/ext/bc/P" } } },
  probe: () => rpcProbe("platform.getHeight", {}, ["height"])
}

/**
 * The family of the X-Chain.
 *
 * @since 0.1.0
 * @category families
 */
export const avalancheX: Family<typeof xEndpoints, AvalancheXRpc> = {
  endpoints: xEndpoints,
  layout: { servers: { jsonRpcUrl: { routes: /^$/, path: "/ext/bc/X" } } },
  probe: () => rpcProbe("avm.getHeight", {}, ["height"])
}
