/**
 * Polkadot: the JSON-RPC API that nodes of Substrate have, for the relay chain and those like it. Hashes, storage and
 * extrinsics are hexadecimal with 0x, in the chain's encoding (SCALE). A call that names no block is about the newest one.
 *
 * @since 0.1.0
 */

import { type Family, rpcProbe } from "../balancer/Family.js"
import { eachOf, hex0x } from "../data/bytes.js"
import { type Fault, group, rpc } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import { standardFaultOf } from "./internal/faults.js"

/**
 * Bytes, hexadecimal with 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = `0x${string}`

/**
 * The hash of a block or an extrinsic, 32 bytes.
 *
 * @since 0.1.0
 * @category types
 */
export type Hash = Hex

/**
 * The number of a block.
 *
 * @since 0.1.0
 * @category types
 */
export type BlockNumber = number | bigint

/**
 * The header of a block. Its number is hexadecimal.
 *
 * @since 0.1.0
 * @category types
 */
export interface Header {
  readonly parentHash: Hash
  readonly number: Hex
  readonly stateRoot: Hash
  readonly extrinsicsRoot: Hash
  readonly digest: { readonly logs: ReadonlyArray<Hex> }
}

/**
 * A block. A justification is the proof of one engine of consensus (four bytes) that the block is final.
 *
 * @since 0.1.0
 * @category types
 */
export interface SignedBlock {
  readonly block: { readonly header: Header; readonly extrinsics: ReadonlyArray<Hex> }
  readonly justifications: ReadonlyArray<
    readonly [engine: ReadonlyArray<number>, justification: ReadonlyArray<number>]
  > | null
}

/**
 * The version of the runtime, which is the program of the chain, and of its interfaces.
 *
 * @since 0.1.0
 * @category types
 */
export interface RuntimeVersion {
  readonly specName: string
  readonly implName: string
  readonly authoringVersion: number
  readonly specVersion: number
  readonly implVersion: number
  readonly apis: ReadonlyArray<readonly [id: Hex, version: number]>
  readonly transactionVersion: number
  readonly stateVersion?: number
  readonly systemVersion?: number
}

/**
 * Values of the storage that a block changed; null where one was removed.
 *
 * @since 0.1.0
 * @category types
 */
export interface StorageChanges {
  readonly block: Hash
  readonly changes: ReadonlyArray<readonly [key: Hex, value: Hex | null]>
}

/**
 * The proof of values of the storage at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface ReadProof {
  readonly at: Hash
  readonly proof: ReadonlyArray<Hex>
}

/**
 * The state of a node: how many peers it has, and whether it is behind.
 *
 * @since 0.1.0
 * @category types
 */
export interface Health {
  readonly peers: number
  readonly isSyncing: boolean
  readonly shouldHavePeers: boolean
}

/**
 * A peer of the node.
 *
 * @since 0.1.0
 * @category types
 */
export interface Peer {
  readonly peerId: string
  readonly roles: string
  readonly bestHash: Hash
  readonly bestNumber: number
}

/**
 * How far a node is: where it began, where it is, and the highest block that it knows of.
 *
 * @since 0.1.0
 * @category types
 */
export interface SyncState {
  readonly startingBlock: number
  readonly currentBlock: number
  readonly highestBlock?: number | null
}

/**
 * The kind of a chain.
 *
 * @since 0.1.0
 * @category types
 */
export type ChainType = "Live" | "Local" | "Development" | { readonly Custom: string }

/**
 * The properties of a chain: the prefix of its addresses, and its coin.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainProperties {
  readonly ss58Format?: number | null
  readonly tokenDecimals?: number | ReadonlyArray<number> | null
  readonly tokenSymbol?: string | ReadonlyArray<string> | null
  readonly isEthereum?: boolean
}

/**
 * The weight and the fee of an extrinsic. `partialFee`, without a tip, is a decimal string in the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface DispatchInfo {
  readonly weight: { readonly ref_time: bigint; readonly proof_size: bigint }
  readonly class: "normal" | "operational" | "mandatory"
  readonly partialFee: string
}

/**
 * The parts of a fee, hexadecimal, in the smallest unit; null for an extrinsic without one.
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeDetails {
  readonly inclusionFee: {
    readonly baseFee: Hex
    readonly lenFee: Hex
    readonly adjustedWeightFee: Hex
  } | null
}

/**
 * The votes of a round, by weight, and who has not voted.
 *
 * @since 0.1.0
 * @category types
 */
export interface Votes {
  readonly currentWeight: number
  readonly missing: ReadonlyArray<string>
}

/**
 * A round of voting on finality.
 *
 * @since 0.1.0
 * @category types
 */
export interface Round {
  readonly round: number
  readonly totalWeight: number
  readonly thresholdWeight: number
  readonly prevotes: Votes
  readonly precommits: Votes
}

/**
 * The rounds of voting on finality: the best one, and those that still run.
 *
 * @since 0.1.0
 * @category types
 */
export interface RoundState {
  readonly setId: number
  readonly best: Round
  readonly background: ReadonlyArray<Round>
}

/** A block that the node dropped, or has not got yet; a part of it that is not up. */
const elsewhereMessage =
  /not found|unknown ?block|discarded|pruned|not available|unavailable|not ready|unsafe|header was not/i

const nodeMessage = /pool is full|immediately dropped|server is busy|overloaded|try again|too many/i

/**
 * Whose fault an error is. Codes from 1000 to 1017 are those of the pool of extrinsics, and speak of the extrinsic.
 *
 * @since 0.1.0
 * @category errors
 */
export const classify = (error: {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}): Fault => {
  const text = typeof error.data === "string" ? `${error.message}: ${error.data}` : error.message
  if (nodeMessage.test(text)) return "node"
  if (error.code >= 1000 && error.code <= 1017) return "caller"
  const usual = standardFaultOf(error)
  return usual === "unclear" && elsewhereMessage.test(text) ? "elsewhere" : usual
}

/** The hash of an extrinsic, which its sender knows before a node tells it. */
const extrinsicHash = async ([extrinsic]: ReadonlyArray<unknown>): Promise<Hash> => {
  const [{ blake2b }, { bytesToHex, hexToBytes }] = await Promise.all([
    import("@noble/hashes/blake2.js"),
    import("@noble/hashes/utils.js")
  ])
  return `0x${bytesToHex(blake2b(hexToBytes(String(extrinsic).replace(/^0x/, "")), { dkLen: 32 }))}`
}

/** All integers are small, but those of weights. */
const numbers = ["**.*", "!**.weight"]

/** Methods outside of the table that only read. */
const reads =
  /^(?:(?:chain|state|childstate|beefy|mmr)_(?:get|query|call|trieMigrationStatus)\w*|system_(?:dryRun(?:At)?|account_nextIndex|reservedPeers|unstable_networkState)|babe_epochAuthorship|payment_query\w+|chainSpec_v1_\w+|archive_v1_(?:body|call|finalizedHeight|genesisHash|hashByHeight|header))$/

/**
 * The endpoints of Polkadot.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  { integers: bigintIntegers, numbers, classify, reads },
  {
    /** Block by hash, or the newest; null if the node does not know it. */
    chainGetBlock: rpc<[hash?: Hash], SignedBlock | null>("chain_getBlock").bytes({ 0: hex0x(32) }),
    /** Hash of a block by its number, or of the newest; null if there is none. */
    chainGetBlockHash: rpc<[block?: BlockNumber], Hash | null>("chain_getBlockHash"),
    /** Hashes of several blocks by their numbers. */
    chainGetBlockHashes: rpc<[blocks: ReadonlyArray<BlockNumber>], ReadonlyArray<Hash | null>>(
      "chain_getBlockHash"
    )
      .params((blocks) => [blocks])
      .lists(),
    /** Hash of the newest final block. */
    chainGetFinalizedHead: rpc<[], Hash>("chain_getFinalizedHead"),
    /** Header by the hash of its block, or the newest; null if the node does not know it. */
    chainGetHeader: rpc<[hash?: Hash], Header | null>("chain_getHeader").bytes({ 0: hex0x(32) }),
    /** Answer of a function of the runtime, at a block. */
    stateCall: rpc<[method: string, data: Hex, at?: Hash], Hex>("state_call").bytes({
      1: hex0x(),
      2: hex0x(32)
    }),
    /** Keys of the storage that begin with a prefix, a page of them, after `startKey`. */
    stateGetKeysPaged: rpc<
      [prefix: Hex, count: number, startKey?: Hex | null, at?: Hash],
      ReadonlyArray<Hex>
    >("state_getKeysPaged")
      .bytes({ 0: hex0x(), 2: hex0x(), 3: hex0x(32) })
      .lists(),
    /** Metadata of the runtime, which describe all of its calls and values. */
    stateGetMetadata: rpc<[at?: Hash], Hex>("state_getMetadata").bytes({ 0: hex0x(32) }),
    /** Proof of values of the storage. */
    stateGetReadProof: rpc<[keys: ReadonlyArray<Hex>, at?: Hash], ReadProof>("state_getReadProof")
      .echoes({ at: 1 })
      .bytes({ 0: eachOf(hex0x()), 1: hex0x(32) })
      .lists("proof"),
    /** Proof of values of a child storage. */
    stateGetChildReadProof: rpc<[childKey: Hex, keys: ReadonlyArray<Hex>, at?: Hash], ReadProof>(
      "state_getChildReadProof"
    )
      .echoes({ at: 2 })
      .bytes({ 0: hex0x(), 1: eachOf(hex0x()), 2: hex0x(32) })
      .lists("proof"),
    /** Version of the runtime. */
    stateGetRuntimeVersion: rpc<[at?: Hash], RuntimeVersion>("state_getRuntimeVersion")
      .bytes({ 0: hex0x(32) })
      .lists("apis"),
    /** Value of the storage; null if there is none. */
    stateGetStorage: rpc<[key: Hex, at?: Hash], Hex | null>("state_getStorage").bytes({
      0: hex0x(),
      1: hex0x(32)
    }),
    /** Hash of a value of the storage; null if there is none. */
    stateGetStorageHash: rpc<[key: Hex, at?: Hash], Hash | null>("state_getStorageHash").bytes({
      0: hex0x(),
      1: hex0x(32)
    }),
    /** Size of a value of the storage, in bytes; null if there is none. */
    stateGetStorageSize: rpc<[key: Hex, at?: Hash], number | null>("state_getStorageSize").bytes({
      0: hex0x(),
      1: hex0x(32)
    }),
    /** Values of the storage at one block. */
    stateQueryStorageAt: rpc<[keys: ReadonlyArray<Hex>, at?: Hash], ReadonlyArray<StorageChanges>>(
      "state_queryStorageAt"
    )
      .echoes({ "0.block": 1 })
      .bytes({ 0: eachOf(hex0x()), 1: hex0x(32) })
      .lists(),
    /** Keys of a child storage that begin with a prefix, a page of them, after `startKey`. */
    childstateGetKeysPaged: rpc<
      [childKey: Hex, prefix: Hex, count: number, startKey?: Hex | null, at?: Hash],
      ReadonlyArray<Hex>
    >("childstate_getKeysPaged")
      .bytes({ 0: hex0x(), 1: hex0x(), 3: hex0x(), 4: hex0x(32) })
      .lists(),
    /** Value of a child storage; null if there is none. */
    childstateGetStorage: rpc<[childKey: Hex, key: Hex, at?: Hash], Hex | null>(
      "childstate_getStorage"
    ).bytes({ 0: hex0x(), 1: hex0x(), 2: hex0x(32) }),
    /** Several values of a child storage. */
    childstateGetStorageEntries: rpc<
      [childKey: Hex, keys: ReadonlyArray<Hex>, at?: Hash],
      ReadonlyArray<Hex | null>
    >("childstate_getStorageEntries")
      .bytes({ 0: hex0x(), 1: eachOf(hex0x()), 2: hex0x(32) })
      .lists(),
    /** Hash of a value of a child storage; null if there is none. */
    childstateGetStorageHash: rpc<[childKey: Hex, key: Hex, at?: Hash], Hash | null>(
      "childstate_getStorageHash"
    ).bytes({ 0: hex0x(), 1: hex0x(), 2: hex0x(32) }),
    /** Size of a value of a child storage, in bytes; null if there is none. */
    childstateGetStorageSize: rpc<[childKey: Hex, key: Hex, at?: Hash], number | null>(
      "childstate_getStorageSize"
    ).bytes({ 0: hex0x(), 1: hex0x(), 2: hex0x(32) }),
    /** Next nonce of an account (SS58), with what waits in the node's pool. */
    systemAccountNextIndex: rpc<[account: string], number>("system_accountNextIndex"),
    /** Name of the chain. */
    systemChain: rpc<[], string>("system_chain"),
    /** Kind of the chain. */
    systemChainType: rpc<[], ChainType>("system_chainType"),
    /** Whether the node is in step and has peers. */
    systemHealth: rpc<[], Health>("system_health"),
    /** Addresses that the node listens on. */
    systemLocalListenAddresses: rpc<[], ReadonlyArray<string>>("system_localListenAddresses").lists(),
    /** Id of the node among its peers. */
    systemLocalPeerId: rpc<[], string>("system_localPeerId"),
    /** Name of the node's program. */
    systemName: rpc<[], string>("system_name"),
    /** Roles of the node: `Full`, `Authority` … */
    systemNodeRoles: rpc<[], ReadonlyArray<string>>("system_nodeRoles").lists(),
    /** Peers of the node. Public nodes refuse it. */
    systemPeers: rpc<[], ReadonlyArray<Peer>>("system_peers").lists(),
    /** Properties of the chain: the prefix of its addresses, and its coin. */
    systemProperties: rpc<[], ChainProperties>("system_properties"),
    /** How far the node is. */
    systemSyncState: rpc<[], SyncState>("system_syncState"),
    /** Version of the node's program. */
    systemVersion: rpc<[], string>("system_version"),
    /** Extrinsics that wait in the node's pool. */
    authorPendingExtrinsics: rpc<[], ReadonlyArray<Hex>>("author_pendingExtrinsics").lists(),
    /** Sends a signed extrinsic, and yields its hash. Safe to repeat. */
    authorSubmitExtrinsic: rpc<[extrinsic: Hex], Hash>("author_submitExtrinsic")
      .bytes({ 0: hex0x() })
      .broadcast({
        known: /already imported/i,
        result: extrinsicHash
      }),
    /** Weight and fee of an extrinsic, without a tip. */
    paymentQueryInfo: rpc<[extrinsic: Hex, at?: Hash], DispatchInfo>("payment_queryInfo").bytes({
      0: hex0x(),
      1: hex0x(32)
    }),
    /** Parts of the fee of an extrinsic. */
    paymentQueryFeeDetails: rpc<[extrinsic: Hex, at?: Hash], FeeDetails>("payment_queryFeeDetails").bytes({
      0: hex0x(),
      1: hex0x(32)
    }),
    /** Proof that a block is final; null where there is none yet. */
    grandpaProveFinality: rpc<[block: BlockNumber], Hex | null>("grandpa_proveFinality"),
    /** Rounds of voting on finality. */
    grandpaRoundState: rpc<[], RoundState>("grandpa_roundState").lists("background"),
    /** Hash of the newest block that is final by BEEFY, the votes for bridges. */
    beefyGetFinalizedHead: rpc<[], Hash>("beefy_getFinalizedHead"),
    /** Names of the methods that the node has. */
    rpcMethods: rpc<[], { readonly methods: ReadonlyArray<string> }>("rpc_methods").lists("methods")
  }
)

/**
 * The client of Polkadot.
 *
 * @since 0.1.0
 * @category clients
 */
export interface PolkadotRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Polkadot.
 *
 * @since 0.1.0
 * @category families
 */
export const polkadot: Family<typeof endpoints, PolkadotRpc> = {
  endpoints,
  probe: () => rpcProbe("chain_getHeader", [], ["number"])
}
