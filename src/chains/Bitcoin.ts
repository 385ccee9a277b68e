/**
 * Bitcoin and the chains that speak the JSON-RPC of Bitcoin Core (Litecoin, Zcash, Bitcoin Cash, Dogecoin). Amounts are
 * whole coins as the nodes give them: JSON numbers with up to eight decimals, so that amounts above 67 million coins
 * (2^26: Dogecoin has such) can lose their last digits. Multiply by 10^8 and round for the smallest unit. Only `getBlockStats`
 * gives that unit itself. Times are in seconds since 1970; hashes are hex in the order that people read.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { type Family, type FamilyAccounts, type FamilyNodes, rpcProbe } from "../balancer/Family.js"
import { type Dialect, type Fault, group, rpc } from "../data/Endpoint.js"
import { bytesOfHex, hexOf } from "../data/hex.js"
import { numberIntegers } from "../data/integers.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { Client, MakeClient, RawRpc } from "../transport/Client.js"
import { confirmed, type Seen, type WaitError, type WaitOptions } from "./internal/Confirmation.js"
import { faultOf } from "./internal/faults.js"
import { isUnknownTransaction } from "./internal/unknown.js"

/**
 * Bytes in hexadecimal, without 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * An amount in whole coins as an argument. Text ("0.00000001") is exact whatever its size.
 *
 * @since 0.1.0
 * @category types
 */
export type Amount = number | string

/**
 * The part of a block to give: 0 its bytes, 1 ids of transactions, 2 transactions, 3 those with the outputs they spend. Nodes of
 * Dogecoin and older ones know `false` (0) and `true` (1) only.
 *
 * @since 0.1.0
 * @category types
 */
export type Verbosity = 0 | 1 | 2 | 3 | boolean

/**
 * How an estimate trades a low fee against the risk of waiting.
 *
 * @since 0.1.0
 * @category types
 */
export type EstimateMode = "UNSET" | "ECONOMICAL" | "CONSERVATIVE" | "unset" | "economical" | "conservative"

/**
 * An output of a transaction, by the transaction's id and its place.
 *
 * @since 0.1.0
 * @category types
 */
export interface Outpoint {
  readonly txid: Hex
  readonly vout: number
}

/**
 * An input of a transaction under construction.
 *
 * @since 0.1.0
 * @category types
 */
export interface Input extends Outpoint {
  readonly sequence?: number
}

/**
 * Outputs of a transaction under construction: an amount (whole coins) by address, and bytes under `data`. A list keeps
 * their order.
 *
 * @since 0.1.0
 * @category types
 */
export type Outputs = Readonly<Record<string, Amount>> | ReadonlyArray<Readonly<Record<string, Amount>>>

/**
 * A script: as words, as bytes, and its kind. `address` is given where one exists; `addresses` by older nodes.
 *
 * @since 0.1.0
 * @category types
 */
export interface Script {
  readonly asm: string
  readonly hex: Hex
  readonly type?: string
  readonly desc?: string
  readonly address?: string
  readonly addresses?: ReadonlyArray<string>
  readonly reqSigs?: number
}

/**
 * An input. That of a block's first transaction has `coinbase` in place of an output to spend.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionInput {
  readonly txid?: Hex
  readonly vout?: number
  readonly scriptSig?: { readonly asm: string; readonly hex: Hex }
  readonly coinbase?: Hex
  readonly txinwitness?: ReadonlyArray<Hex>
  readonly prevout?: {
    readonly generated: boolean
    readonly height: number
    readonly value: number
    readonly scriptPubKey: Script
  }
  readonly sequence: number
}

/**
 * An output. `value` is in whole coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface TransactionOutput {
  readonly value: number
  readonly n: number
  readonly scriptPubKey: Script
}

/**
 * A transaction as decoded from its bytes. `weight` and `vsize` exist where there are witnesses.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedTransaction {
  readonly txid: Hex
  readonly hash?: Hex
  readonly version: number
  readonly size: number
  readonly vsize?: number
  readonly weight?: number
  readonly locktime: number
  readonly vin: ReadonlyArray<TransactionInput>
  readonly vout: ReadonlyArray<TransactionOutput>
}

/**
 * A transaction as the node knows it. What names its block is there once it is in one; `fee` (whole coins) where the
 * node has the outputs it spends.
 *
 * @since 0.1.0
 * @category types
 */
export interface Transaction extends DecodedTransaction {
  readonly hex: Hex
  readonly in_active_chain?: boolean
  readonly blockhash?: Hex
  readonly confirmations?: number
  readonly time?: number
  readonly blocktime?: number
  readonly fee?: number
}

/**
 * A block's header. `confirmations` is -1 off the main chain; `mediantime` is the median of the last eleven times.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockHeader {
  readonly hash: Hex
  readonly confirmations: number
  readonly height: number
  readonly version: number
  readonly versionHex?: Hex
  readonly merkleroot: Hex
  readonly time: number
  readonly mediantime?: number
  /** A hex string on Zcash. */
  readonly nonce: number | Hex
  readonly bits: Hex
  readonly target?: Hex
  readonly difficulty: number
  readonly chainwork: Hex
  readonly nTx?: number
  readonly previousblockhash?: Hex
  readonly nextblockhash?: Hex
}

/**
 * A block: with ids of its transactions, or with whole ones from verbosity 2 on.
 *
 * @since 0.1.0
 * @category types
 */
export interface Block extends BlockHeader {
  readonly size: number
  readonly strippedsize?: number
  readonly weight?: number
  readonly tx: ReadonlyArray<Hex | Transaction>
}

/**
 * The statistics of a block. Amounts and fees are in the smallest unit, fee rates in it per virtual byte. Only the figures
 * that were asked for are there.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockStats {
  readonly avgfee?: number
  readonly avgfeerate?: number
  readonly avgtxsize?: number
  readonly blockhash?: Hex
  readonly feerate_percentiles?: ReadonlyArray<number>
  readonly height?: number
  readonly ins?: number
  readonly maxfee?: number
  readonly maxfeerate?: number
  readonly maxtxsize?: number
  readonly medianfee?: number
  readonly mediantime?: number
  readonly mediantxsize?: number
  readonly minfee?: number
  readonly minfeerate?: number
  readonly mintxsize?: number
  readonly outs?: number
  readonly subsidy?: number
  readonly swtotal_size?: number
  readonly swtotal_weight?: number
  readonly swtxs?: number
  readonly time?: number
  readonly total_out?: number
  readonly total_size?: number
  readonly total_weight?: number
  readonly totalfee?: number
  readonly txs?: number
  readonly utxo_increase?: number
  readonly utxo_size_inc?: number
  readonly utxo_increase_actual?: number
  readonly utxo_size_inc_actual?: number
}

/**
 * A soft fork: from which height on its rules hold, and how far its signalling (BIP 9) is. `bit` and `statistics` are there while
 * blocks signal.
 *
 * @since 0.1.0
 * @category types
 */
export interface SoftFork {
  readonly type: "buried" | "bip9" | (string & {})
  readonly active: boolean
  readonly height?: number
  readonly bip9?: {
    readonly status: "defined" | "started" | "locked_in" | "active" | "failed" | (string & {})
    readonly status_next?: string
    readonly bit?: number
    readonly start_time: number
    readonly timeout: number
    readonly since: number
    readonly min_activation_height?: number
    readonly start_height?: number
    readonly timeout_height?: number
    readonly statistics?: {
      readonly period: number
      readonly threshold?: number
      readonly elapsed: number
      readonly count: number
      readonly possible?: boolean
    }
    readonly signalling?: string
  }
}

/**
 * The state of the node's chain. `softforks` are by name, a list on older nodes, and gone on newer ones (`getDeploymentInfo`).
 * `verificationprogress` is a fraction; a pruned node has blocks from `pruneheight` on.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockchainInfo {
  readonly chain: "main" | "test" | "testnet4" | "signet" | "regtest" | (string & {})
  readonly blocks: number
  readonly headers: number
  readonly bestblockhash: Hex
  readonly bits?: Hex
  readonly target?: Hex
  readonly difficulty: number
  readonly time?: number
  readonly mediantime?: number
  readonly verificationprogress: number
  readonly initialblockdownload?: boolean
  readonly chainwork: Hex
  readonly size_on_disk?: number
  readonly pruned: boolean
  readonly pruneheight?: number
  readonly automatic_pruning?: boolean
  readonly prune_target_size?: number
  readonly softforks?: Readonly<Record<string, SoftFork>> | ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly warnings?: string | ReadonlyArray<string>
}

/**
 * The end of a branch.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainTip {
  readonly height: number
  readonly hash: Hex
  readonly branchlen: number
  readonly status: "active" | "valid-fork" | "valid-headers" | "headers-only" | "invalid" | (string & {})
}

/**
 * The number of transactions in a range of blocks. `window_interval` is in seconds, `txrate` per second.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainTransactionStats {
  readonly time: number
  readonly txcount?: number
  readonly window_final_block_hash: Hex
  readonly window_final_block_height?: number
  readonly window_block_count: number
  readonly window_tx_count?: number
  readonly window_interval?: number
  readonly txrate?: number
}

/**
 * A fee estimate: whole coins per 1000 virtual bytes, for being in a block within `blocks` blocks. Without enough data
 * there are `errors` in its place (Dogecoin: -1).
 *
 * @since 0.1.0
 * @category types
 */
export interface FeeEstimate {
  readonly feerate?: number
  /** What bcoin calls it. */
  readonly fee?: number
  readonly errors?: ReadonlyArray<string>
  readonly blocks: number
}

/**
 * A transaction that waits. Fees are in whole coins (older nodes give them beside `fees`, and those with its descendants and its
 * ancestors in the smallest unit), sizes in virtual bytes. Litecoin's extension blocks have weights of their own (`mweb`).
 *
 * @since 0.1.0
 * @category types
 */
export interface MempoolEntry {
  readonly vsize?: number
  readonly size?: number
  readonly weight?: number
  readonly time: number
  readonly height: number
  readonly descendantcount: number
  readonly descendantsize: number
  readonly descendantfees?: number
  readonly ancestorcount?: number
  readonly ancestorsize?: number
  readonly ancestorfees?: number
  readonly wtxid?: Hex
  readonly fees?: {
    readonly base: number
    readonly modified: number
    readonly ancestor: number
    readonly descendant: number
  }
  readonly fee?: number
  readonly modifiedfee?: number
  readonly depends: ReadonlyArray<Hex>
  readonly spentby?: ReadonlyArray<Hex>
  readonly "bip125-replaceable"?: boolean
  readonly unbroadcast?: boolean
  readonly mwebweight?: number
  readonly descendantmwebweight?: number
  readonly ancestormwebweight?: number
}

/**
 * Waiting transactions: their ids, or entries by id; with `mempool_sequence` if that was asked for.
 *
 * @since 0.1.0
 * @category types
 */
export type Mempool =
  | ReadonlyArray<Hex>
  | Readonly<Record<Hex, MempoolEntry>>
  | { readonly txids: ReadonlyArray<Hex>; readonly mempool_sequence: number }

/**
 * The state of the pool of waiting transactions. Sizes are in bytes, fees in whole coins per 1000 virtual bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface MempoolInfo {
  readonly loaded?: boolean
  readonly size: number
  readonly bytes: number
  readonly usage: number
  readonly total_fee?: number
  readonly maxmempool?: number
  readonly mempoolminfee?: number
  readonly minrelaytxfee?: number
  readonly incrementalrelayfee?: number
  readonly unbroadcastcount?: number
  readonly fullrbf?: boolean
}

/**
 * The tokens on an output of Bitcoin Cash (CashTokens): so many fungible ones of a category, and one that is not.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenData {
  readonly category: Hex
  readonly amount: string
  readonly nft?: { readonly capability: "none" | "mutable" | "minting"; readonly commitment: Hex }
}

/**
 * An output that is not spent. `value` is in whole coins. Nodes of Bitcoin Cash tell the tokens on it.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnspentOutput {
  readonly bestblock: Hex
  readonly confirmations: number
  readonly value: number
  readonly scriptPubKey: Script
  readonly version?: number
  readonly coinbase: boolean
  readonly tokenData?: TokenData
}

/**
 * All outputs that are not spent. `total_amount` is in whole coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface UnspentOutputSet {
  readonly height: number
  readonly bestblock: Hex
  readonly txouts: number
  readonly bogosize?: number
  readonly hash_serialized_3?: Hex
  readonly hash_serialized_2?: Hex
  readonly hash_serialized?: Hex
  readonly muhash?: Hex
  readonly transactions?: number
  readonly disk_size?: number
  readonly total_amount: number
}

/**
 * Whether an address is one of this chain, and its details.
 *
 * @since 0.1.0
 * @category types
 */
export interface ValidatedAddress {
  readonly isvalid: boolean
  readonly address?: string
  readonly scriptPubKey?: Hex
  readonly isscript?: boolean
  readonly iswitness?: boolean
  readonly witness_version?: number
  readonly witness_program?: Hex
  readonly error?: string
  readonly error_locations?: ReadonlyArray<number>
}

/**
 * A script decoded, and the addresses under which it can be paid.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedScript {
  readonly asm: string
  readonly type?: string
  readonly desc?: string
  readonly address?: string
  readonly addresses?: ReadonlyArray<string>
  readonly reqSigs?: number
  readonly p2sh?: string
  readonly segwit?: Script & { readonly "p2sh-segwit"?: string }
}

/**
 * Whether the pool would take a transaction. `fees.base` is in whole coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface MempoolAcceptance {
  readonly txid: Hex
  readonly wtxid?: Hex
  readonly allowed?: boolean
  readonly "package-error"?: string
  readonly vsize?: number
  readonly fees?: { readonly base: number; readonly "effective-feerate"?: number }
  readonly "reject-reason"?: string
  readonly "reject-details"?: string
}

/**
 * The outcome of a package of transactions, by witness id. Fees are in whole coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface PackageResult {
  readonly package_msg: string
  readonly "tx-results": Readonly<
    Record<
      Hex,
      {
        readonly txid: Hex
        readonly "other-wtxid"?: Hex
        readonly vsize?: number
        readonly fees?: { readonly base: number; readonly "effective-feerate"?: number }
        readonly error?: string
      }
    >
  >
  readonly "replaced-transactions"?: ReadonlyArray<Hex>
}

/**
 * The spender of an output: nobody in the pool, where `spendingtxid` is missing.
 *
 * @since 0.1.0
 * @category types
 */
export interface Spending extends Outpoint {
  readonly spendingtxid?: Hex
}

/**
 * The compact filter of a block (BIP 157).
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockFilter {
  readonly filter: Hex
  readonly header: Hex
}

/**
 * How far the node's indexes are, by name.
 *
 * @since 0.1.0
 * @category types
 */
export type IndexInfo = Readonly<
  Record<string, { readonly synced: boolean; readonly best_block_height: number }>
>

/**
 * The state of mining. `networkhashps` is in hashes per second.
 *
 * @since 0.1.0
 * @category types
 */
export interface MiningInfo {
  readonly blocks: number
  readonly difficulty: number
  readonly networkhashps: number
  readonly pooledtx: number
  readonly chain: string
  readonly currentblocksize?: number
  readonly currentblockweight?: number
  readonly currentblocktx?: number
  readonly warnings?: string | ReadonlyArray<string>
}

/**
 * The node on the peer-to-peer network. Fees are in whole coins per 1000 virtual bytes.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetworkInfo {
  readonly version: number
  readonly subversion: string
  readonly protocolversion: number
  readonly localservices: Hex
  readonly localservicesnames?: ReadonlyArray<string>
  readonly localrelay?: boolean
  readonly timeoffset: number
  readonly connections: number
  readonly connections_in?: number
  readonly connections_out?: number
  readonly networkactive?: boolean
  readonly networks: ReadonlyArray<{
    readonly name: string
    readonly limited: boolean
    readonly reachable: boolean
    readonly proxy: string
    readonly proxy_randomize_credentials?: boolean
  }>
  readonly relayfee: number
  readonly incrementalfee?: number
  readonly localaddresses: ReadonlyArray<{
    readonly address: string
    readonly port: number
    readonly score: number
  }>
  readonly warnings?: string | ReadonlyArray<string>
}

/**
 * A peer of the node. Versions differ in their fields. Pings are in seconds.
 *
 * @since 0.1.0
 * @category types
 */
export interface PeerInfo extends Readonly<Record<string, unknown>> {
  readonly id: number
  readonly addr: string
  readonly services: Hex
  readonly lastsend: number
  readonly lastrecv: number
  readonly bytessent: number
  readonly bytesrecv: number
  readonly conntime: number
  readonly version: number
  readonly subver: string
  readonly inbound: boolean
  readonly addrbind?: string
  readonly addrlocal?: string
  readonly network?: string
  readonly mapped_as?: number
  readonly servicesnames?: ReadonlyArray<string>
  readonly relaytxes?: boolean
  readonly last_transaction?: number
  readonly last_block?: number
  readonly timeoffset?: number
  readonly pingtime?: number
  readonly minping?: number
  readonly pingwait?: number
  readonly addnode?: boolean
  readonly connection_type?: string
  readonly startingheight?: number
  readonly banscore?: number
  readonly synced_headers?: number
  readonly synced_blocks?: number
  readonly inflight?: ReadonlyArray<number>
  readonly whitelisted?: boolean
  readonly permissions?: ReadonlyArray<string>
  readonly minfeefilter?: number
  readonly bytessent_per_msg?: Readonly<Record<string, number>>
  readonly bytesrecv_per_msg?: Readonly<Record<string, number>>
}

/**
 * Bytes sent and received since the node started. `timemillis` is in milliseconds since 1970. `uploadtarget` is how much of what
 * the node may send in a time (seconds) is left.
 *
 * @since 0.1.0
 * @category types
 */
export interface NetTotals {
  readonly totalbytesrecv: number
  readonly totalbytessent: number
  readonly timemillis: number
  readonly uploadtarget?: {
    readonly timeframe: number
    readonly target: number
    readonly target_reached: boolean
    readonly serve_historical_blocks: boolean
    readonly bytes_left_in_cycle: number
    readonly time_left_in_cycle: number
  }
}

/**
 * An address that needs several signatures, with its script.
 *
 * @since 0.1.0
 * @category types
 */
export interface Multisig {
  readonly address: string
  readonly redeemScript: Hex
  readonly descriptor?: string
}

/**
 * An output script descriptor, checked.
 *
 * @since 0.1.0
 * @category types
 */
export interface DescriptorInfo {
  readonly descriptor: string
  readonly checksum: string
  readonly isrange: boolean
  readonly issolvable: boolean
  readonly hasprivatekeys: boolean
}

/**
 * The missing parts of a partially signed transaction (BIP 174). Fees are in whole coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface PsbtAnalysis {
  readonly inputs?: ReadonlyArray<{
    readonly has_utxo: boolean
    readonly is_final: boolean
    readonly missing?: {
      readonly pubkeys?: ReadonlyArray<Hex>
      readonly signatures?: ReadonlyArray<Hex>
      readonly redeemscript?: Hex
      readonly witnessscript?: Hex
    }
    readonly next?: string
  }>
  readonly estimated_vsize?: number
  readonly estimated_feerate?: number
  readonly fee?: number
  readonly next: string
  readonly error?: string
}

/**
 * The way to a key from that of the wallet whose fingerprint this is (BIP 32).
 *
 * @since 0.1.0
 * @category types
 */
export interface KeyPath {
  readonly pubkey: Hex
  readonly master_fingerprint: Hex
  readonly path: string
}

/**
 * What both inputs and outputs of a partially signed transaction have: scripts, ways to keys, and what the node does not know.
 *
 * @since 0.1.0
 * @category types
 */
export interface PsbtPart extends Readonly<Record<string, unknown>> {
  readonly redeem_script?: Script
  readonly witness_script?: Script
  readonly bip32_derivs?: ReadonlyArray<KeyPath>
  readonly unknown?: Readonly<Record<string, string>>
}

/**
 * An input of a partially signed transaction: the output that it spends (`amount` in whole coins), and its signatures by key.
 *
 * @since 0.1.0
 * @category types
 */
export interface PsbtInput extends PsbtPart {
  readonly non_witness_utxo?: DecodedTransaction
  readonly witness_utxo?: { readonly amount: number; readonly scriptPubKey: Script }
  readonly partial_signatures?: Readonly<Record<Hex, Hex>>
  readonly sighash?: string
  readonly final_scriptSig?: { readonly asm: string; readonly hex: Hex }
  readonly final_scriptwitness?: ReadonlyArray<Hex>
}

/**
 * A partially signed transaction (BIP 174), decoded. `fee` is in whole coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedPsbt {
  readonly tx: DecodedTransaction
  readonly inputs: ReadonlyArray<PsbtInput>
  readonly outputs: ReadonlyArray<PsbtPart>
  readonly unknown: Readonly<Record<string, string>>
  readonly fee?: number
}

/**
 * A partially signed transaction with its signatures put together: `hex` once it is complete.
 *
 * @since 0.1.0
 * @category types
 */
export interface FinalizedPsbt {
  readonly psbt?: string
  readonly hex?: Hex
  readonly complete: boolean
}

/**
 * Soft forks of the chain, by name, at a block.
 *
 * @since 0.1.0
 * @category types
 */
export interface DeploymentInfo {
  readonly hash: Hex
  readonly height: number
  readonly deployments: Readonly<Record<string, SoftFork>>
}

/**
 * A transaction of the template of a block. `depends` has the places (from 1) of those that must be in the block with it; `fee` is in
 * the smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface TemplateTransaction extends Readonly<Record<string, unknown>> {
  readonly data: Hex
  readonly txid?: Hex
  readonly hash: Hex
  readonly depends: ReadonlyArray<number>
  readonly fee?: number
  readonly sigops?: number
  readonly weight?: number
}

/**
 * The template by which a miner makes the next block (BIP 22), with the version bits that it may set (BIP 9). `mweb` is Litecoin's
 * extension block.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockTemplate extends Readonly<Record<string, unknown>> {
  readonly version: number
  readonly capabilities?: ReadonlyArray<string>
  readonly rules?: ReadonlyArray<string>
  readonly vbavailable?: Readonly<Record<string, number>>
  readonly vbrequired?: number
  readonly previousblockhash: Hex
  readonly transactions: ReadonlyArray<TemplateTransaction>
  readonly coinbaseaux?: Readonly<Record<string, Hex>>
  readonly longpollid?: string
  readonly mintime?: number
  readonly mutable?: ReadonlyArray<string>
  readonly noncerange?: Hex
  readonly sigoplimit?: number
  readonly sizelimit?: number
  readonly weightlimit?: number
  readonly default_witness_commitment?: Hex
  readonly mweb?: Hex
  readonly coinbasevalue?: number
  readonly target: Hex
  readonly curtime: number
  readonly bits: Hex
  readonly height: number
}

/**
 * Addresses as the address index of Zcash takes them.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressQuery {
  readonly addresses: ReadonlyArray<string>
}

/**
 * The balance of transparent addresses of Zcash, in its smallest unit (10^-8 ZEC).
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressBalance {
  readonly balance: number
  readonly received: number
}

/**
 * An unspent output of a transparent address of Zcash, in its smallest unit (10^-8 ZEC).
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressOutput {
  readonly address: string
  readonly txid: Hex
  readonly outputIndex: number
  readonly script: Hex
  readonly satoshis: number
  readonly height: number
}

/**
 * A double spend proof of Bitcoin Cash.
 *
 * @since 0.1.0
 * @category types
 */
export interface DoubleSpendProof extends Readonly<Record<string, unknown>> {
  readonly dspid: Hex
  readonly txid: Hex | null
  readonly outpoint?: Outpoint
}

/**
 * A descriptor of output scripts (BIP 380); of one with a range the last index, or the first and the last, by default 1000.
 *
 * @since 0.1.0
 * @category types
 */
export type ScanObject =
  | string
  | { readonly desc: string; readonly range?: number | readonly [begin: number, end: number] }

/**
 * The unspent outputs that a scan found, and their sum, in whole coins. `txouts` counts all outputs that were looked at.
 *
 * @since 0.1.0
 * @category types
 */
export interface TxOutScan {
  readonly success: boolean
  readonly txouts: number
  readonly height: number
  readonly bestblock: Hex
  readonly unspents: ReadonlyArray<{
    readonly txid: Hex
    readonly vout: number
    readonly scriptPubKey: Hex
    readonly desc: string
    readonly amount: number
    readonly coinbase?: boolean
    readonly height: number
    readonly blockhash?: Hex
    readonly confirmations?: number
  }>
  readonly total_amount: number
}

/**
 * Which blocks to scan: by default all, by their `basic` filters. `checkBlocks` looks into the found blocks too, and leaves out those
 * of which a filter was wrong.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockScanOptions {
  readonly startHeight?: number
  readonly stopHeight?: number
  readonly filterType?: string
  readonly checkBlocks?: boolean
}

/**
 * The blocks that a scan found by their filters. A filter may be wrong now and then, unless the scan looked into its blocks too.
 *
 * @since 0.1.0
 * @category types
 */
export interface BlockScan {
  readonly from_height: number
  readonly to_height: number
  readonly relevant_blocks: ReadonlyArray<Hex>
  readonly completed: boolean
}

/**
 * The newest block when a wait was over: the one that was waited for, or any other if the time was up.
 *
 * @since 0.1.0
 * @category types
 */
export interface WaitedBlock {
  readonly hash: Hex
  readonly height: number
}

/**
 * Outputs that descriptors spent and received, in blocks and in the pool (where height and hash are missing). Amounts are in whole
 * coins.
 *
 * @since 0.1.0
 * @category types
 */
export interface DescriptorActivity {
  readonly activity: ReadonlyArray<DescriptorSpend | DescriptorReceipt>
}

/**
 * An output of a descriptor that was spent, and where.
 *
 * @since 0.1.0
 * @category types
 */
export interface DescriptorSpend {
  readonly type: "spend"
  readonly amount: number
  readonly blockhash?: Hex
  readonly height?: number
  readonly spend_txid: Hex
  readonly spend_vin?: number
  readonly spend_vout?: number
  readonly prevout_txid: Hex
  readonly prevout_vout: number
  readonly prevout_spk: ActivityScript
}

/**
 * An output that a descriptor received.
 *
 * @since 0.1.0
 * @category types
 */
export interface DescriptorReceipt {
  readonly type: "receive"
  readonly amount: number
  readonly blockhash?: Hex
  readonly height?: number
  readonly txid: Hex
  readonly vout: number
  readonly output_spk: ActivityScript
}

/**
 * An output script, decoded.
 *
 * @since 0.1.0
 * @category types
 */
export interface ActivityScript {
  readonly asm: string
  readonly desc: string
  readonly hex: Hex
  readonly address?: string
  readonly type: string
}

/**
 * The chains that a node keeps: one, or a second one that began with a snapshot and is not checked to its beginning yet.
 *
 * @since 0.1.0
 * @category types
 */
export interface ChainStates {
  readonly headers: number
  readonly chainstates: ReadonlyArray<{
    readonly blocks: number
    readonly bestblockhash: Hex
    readonly bits?: Hex
    readonly target?: Hex
    readonly difficulty: number
    readonly verificationprogress: number
    readonly snapshot_blockhash?: Hex
    readonly coins_db_cache_bytes: number
    readonly coins_tip_cache_bytes: number
    readonly validated: boolean
  }>
}

/** Codes that speak of the node: busy with starting or catching up, out of memory, broken. */
const nodeCodes: ReadonlySet<number> = new Set([-28, -10, -9, -20, -7, -32429])

/** Words in errors that say more of the node than of the request. */
const faults: ReadonlyArray<readonly [RegExp, Fault]> = [
  [
    /pruned|(block|transaction|tx) not (found|available|in mempool|yet in block)|no such mempool|-txindex|index is (disabled|not)/i,
    "elsewhere"
  ],
  [/rate limit|too many requests|work queue depth|try again/i, "node"]
]

/**
 * Whose fault a JSON-RPC error of a Bitcoin node is.
 *
 * @since 0.1.0
 * @category getters
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  if (nodeCodes.has(error.code)) return "node"
  const fault = faults.find(([pattern]) => pattern.test(error.message))?.[1]
  // Bitcoin Core's own codes, but for that of its safe mode, speak of the request, its wallets or its transaction
  const isRefusal = error.code < 0 && error.code >= -36 && error.code !== -2
  return fault ?? (isRefusal ? "caller" : faultOf(error))
}

const readHex = (text: string): Uint8Array => {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new Error("a transaction must be hex")
  return bytesOfHex(text)
}

/** Reads the parts of a serialized transaction, one after the other. */
const reader = (bytes: Uint8Array) => {
  let at = 0
  const skip = (count: number): void => {
    at += count
    if (at > bytes.length) throw new Error("the transaction ends too early")
  }
  const uint = (size: number): number => {
    const start = at
    skip(size)
    return bytes.slice(start, at).reduceRight((value, byte) => value * 256 + byte, 0)
  }
  const count = (): number => {
    const first = uint(1)
    return first < 0xfd ? first : uint(2 ** (first - 0xfc))
  }
  const times = (work: () => void): void => {
    for (let left = count(); left > 0; left--) work()
  }
  return { skip, count, times, at: () => at }
}

/** The bytes that the id of a transaction is the hash of: those without the witnesses (BIP 144). */
const withoutWitnesses = (bytes: Uint8Array): Uint8Array => {
  if (bytes[4] !== 0) return bytes
  if (bytes[5] !== 1) throw new Error("the transaction has a form that is not known here")
  const { at, count, skip, times } = reader(bytes)
  skip(6)
  times(() => {
    skip(36)
    skip(count())
    skip(4)
  })
  times(() => {
    skip(8)
    skip(count())
  })
  const end = at()
  return Uint8Array.from([...bytes.slice(0, 4), ...bytes.slice(6, end), ...bytes.slice(-4)])
}

/** The id of a signed transaction: rejects where it is made otherwise (Zcash from version 5 on, Litecoin's MWEB). */
const transactionId = async ([raw]: ReadonlyArray<unknown>): Promise<Hex> => {
  const { sha256 } = await import("@noble/hashes/sha2.js")
  const bytes = readHex(String(raw))
  const overwintered = ((bytes[3] ?? 0) & 0x80) !== 0
  if (overwintered && (bytes[0] ?? 0) > 4) throw new Error("the id is no hash of the bytes")
  const digest = sha256(sha256(overwintered ? bytes : withoutWitnesses(bytes)))
  return hexOf(digest.reverse())
}

/** The transaction is in the pool or in a block: nodes say so in these words. */
const known =
  /already in (block ?chain|utxo set|mempool)|txn-already-(known|in-mempool)|txn-same-nonwitness-data-in-mempool/i

/** Methods outside of the table that only read: those of wallets, of peers and of the node itself. */
const reads =
  /^(?:get(?:balances?|walletinfo|transaction|addressinfo|addressesbylabel|received\w+|unconfirmedbalance|rpcinfo|memoryinfo|nodeaddresses|addrmaninfo|addednodeinfo|zmqnotifications|chainstates|orphantxs|prioritisedtransactions|address\w+|spentinfo|blockhashes|txoutset\w+)|list\w+|z_(?:getbalance\w*|gettotalbalance|list\w+)|help|ping|echo|signmessagewithprivkey)$/

/** A soft fork that never times out has 2^63 - 1 for its `timeout`. */
const dialect: Dialect = { integers: numberIntegers, numbers: ["**.timeout"], classify, reads }

/** The methods of all nodes that descend from Bitcoin Core. */
const common = {
  /** Makes an unsigned transaction (hex). `locktime` is a height, or a time in seconds since 1970. */
  createRawTransaction: rpc<
    [inputs: ReadonlyArray<Input>, outputs: Outputs, locktime?: number, replaceable?: boolean],
    Hex
  >("createrawtransaction").params((inputs, outputs, locktime, replaceable) => [
    inputs,
    outputs,
    locktime ?? (replaceable === undefined ? undefined : 0),
    replaceable
  ]),
  /** Decodes a transaction given as hex. */
  decodeRawTransaction: rpc<[transaction: Hex, isWitness?: boolean], DecodedTransaction>(
    "decoderawtransaction"
  ),
  /** Decodes a script given as hex. */
  decodeScript: rpc<[script: Hex], DecodedScript>("decodescript"),
  /** Fee (whole coins per 1000 virtual bytes) for being in a block within `blocks` blocks. */
  estimateSmartFee: rpc<[blocks: number, mode?: EstimateMode], FeeEstimate>("estimatesmartfee"),
  /** Hash of the newest block. */
  getBestBlockHash: rpc<[], Hex>("getbestblockhash"),
  /** State of the node's chain. */
  getBlockChainInfo: rpc<[], BlockchainInfo>("getblockchaininfo"),
  /** Height of the newest block. */
  getBlockCount: rpc<[], number>("getblockcount").height(),
  /** Hash of the block at a height. */
  getBlockHash: rpc<[height: number], Hex>("getblockhash"),
  /** Header of a block, decoded or, with `false`, as hex. */
  getBlockHeader: rpc<[blockHash: Hex, verbose?: boolean], BlockHeader | Hex>("getblockheader").params(
    (hash, verbose) => [hash, verbose ?? true]
  ),
  /** What happened in a block: all, or the named figures. Amounts are in the smallest unit. */
  getBlockStats: rpc<[hashOrHeight: Hex | number, stats?: ReadonlyArray<string>], BlockStats>(
    "getblockstats"
  ),
  /** Ends of all branches that the node knows. */
  getChainTips: rpc<[], ReadonlyArray<ChainTip>>("getchaintips"),
  /** How many transactions the chain has, and had in a range of blocks (by default a month) up to a block. */
  getChainTxStats: rpc<[blocks?: number, blockHash?: Hex], ChainTransactionStats>("getchaintxstats"),
  /** Number of peers. */
  getConnectionCount: rpc<[], number>("getconnectioncount"),
  /** Difficulty, as a multiple of the least. */
  getDifficulty: rpc<[], number>("getdifficulty"),
  /** Transactions in the pool on which one there depends: ids or, if asked, entries by id. */
  getMempoolAncestors: rpc<[txid: Hex, verbose?: boolean], Mempool>("getmempoolancestors").params(
    (txid, verbose) => [txid, verbose ?? false]
  ),
  /** Transactions in the pool that depend on one there: ids or, if asked, entries by id. */
  getMempoolDescendants: rpc<[txid: Hex, verbose?: boolean], Mempool>("getmempooldescendants").params(
    (txid, verbose) => [txid, verbose ?? false]
  ),
  /** Transaction in the pool. */
  getMempoolEntry: rpc<[txid: Hex], MempoolEntry>("getmempoolentry"),
  /** State of the pool. */
  getMempoolInfo: rpc<[], MempoolInfo>("getmempoolinfo"),
  /** State of mining. */
  getMiningInfo: rpc<[], MiningInfo>("getmininginfo"),
  /** Bytes sent and received. */
  getNetTotals: rpc<[], NetTotals>("getnettotals"),
  /** Hashes per second of the network, from so many blocks (120) before a height (the newest). */
  getNetworkHashPs: rpc<[blocks?: number, height?: number], number>("getnetworkhashps"),
  /** The node on the peer-to-peer network. */
  getNetworkInfo: rpc<[], NetworkInfo>("getnetworkinfo"),
  /** Peers of the node. */
  getPeerInfo: rpc<[], ReadonlyArray<PeerInfo>>("getpeerinfo"),
  /** Transactions in the pool: ids or, if asked, entries by id. */
  getRawMemPool: rpc<[verbose?: boolean, mempoolSequence?: boolean], Mempool>("getrawmempool").params(
    (verbose, sequence) => [verbose ?? false, sequence]
  ),
  /** Transaction as hex or, if asked, decoded. Nodes without an index need its block, unless it is in the pool. */
  getRawTransaction: rpc<[txid: Hex, verbose?: boolean | 0 | 1 | 2, blockHash?: Hex], Hex | Transaction>(
    "getrawtransaction"
  ).params((txid, verbose, blockHash) => [txid, verbose ?? false, blockHash]),
  /** Output, if it is not spent; null if it is, or does not exist. Looks into the pool too, unless told not to. */
  getTxOut: rpc<[txid: Hex, vout: number, includeMempool?: boolean], UnspentOutput | null>("gettxout").params(
    (txid, vout, includeMempool) => [txid, vout, includeMempool ?? true]
  ),
  /** Proof (hex) that transactions are in a block. */
  getTxOutProof: rpc<[txids: ReadonlyArray<Hex>, blockHash?: Hex], Hex>("gettxoutproof"),
  /** All outputs that are not spent, counted: takes minutes on nodes without an index of them. */
  getTxOutSetInfo: rpc<
    [
      hashType?: "hash_serialized_3" | "muhash" | "none" | (string & {}),
      hashOrHeight?: Hex | number,
      useIndex?: boolean
    ],
    UnspentOutputSet
  >("gettxoutsetinfo"),
  /** Address for `required` of so many public keys (hex). */
  createMultisig: rpc<[required: number, keys: ReadonlyArray<Hex>, addressType?: string], Multisig>(
    "createmultisig"
  ),
  /** What a miner needs to make the next block (BIP 22). */
  getBlockTemplate: rpc<[request?: Readonly<Record<string, unknown>>], BlockTemplate>("getblocktemplate"),
  /** Sends a block (hex). Null if it was taken, otherwise why not. Safe to repeat. */
  submitBlock: rpc<[block: Hex], string | null>("submitblock").broadcast(),
  /**
   * Sends a signed transaction (hex), and yields its id. `maxFeeRate` is in whole coins per 1000 virtual bytes; nodes of
   * Dogecoin and older ones take a boolean there: whether high fees are allowed. Safe to repeat.
   */
  sendRawTransaction: rpc<[transaction: Hex, maxFeeRate?: Amount | boolean, maxBurnAmount?: Amount], Hex>(
    "sendrawtransaction"
  ).broadcast({ known, result: transactionId }),
  /** Whether an address is one of this chain. */
  validateAddress: rpc<[address: string], ValidatedAddress>("validateaddress"),
  /** Whether a message was signed (Base64) by the owner of an address. */
  verifyMessage: rpc<[address: string, signature: string, message: string], boolean>("verifymessage"),
  /** Ids of the transactions that a proof (hex) commits to; none if it is wrong. */
  verifyTxOutProof: rpc<[proof: Hex], ReadonlyArray<Hex>>("verifytxoutproof")
}

/** A node looks through all outputs, or through the filters of all blocks, for minutes. */
const SCAN = 600_000

/** A node that is to wait for a block is asked to give up before its caller does (milliseconds). */
const WAIT = 60_000
const WAITED = WAIT + 15_000

/** Further methods of newer nodes. */
const modern = {
  /** Block by hash: with ids of its transactions or, by verbosity, as hex (0) or with whole transactions (2, 3). */
  getBlock: rpc<[blockHash: Hex, verbosity?: Verbosity], Block | Hex>("getblock").params(
    (hash, verbosity) => [hash, verbosity ?? 1]
  ),
  /** Compact filter of a block (BIP 157). */
  getBlockFilter: rpc<[blockHash: Hex, type?: string], BlockFilter>("getblockfilter"),
  /** Soft forks at a block (by default the newest). */
  getDeploymentInfo: rpc<[blockHash?: Hex], DeploymentInfo>("getdeploymentinfo"),
  /** How far the node's indexes are, all or one. */
  getIndexInfo: rpc<[name?: string], IndexInfo>("getindexinfo"),
  /** Which transactions of the pool spend outputs. */
  getTxSpendingPrevout: rpc<[outpoints: ReadonlyArray<Outpoint>], ReadonlyArray<Spending>>(
    "gettxspendingprevout"
  ),
  /** Whether the pool would take signed transactions (hex). `maxFeeRate` is in whole coins per 1000 virtual bytes. */
  testMempoolAccept: rpc<
    [transactions: ReadonlyArray<Hex>, maxFeeRate?: Amount],
    ReadonlyArray<MempoolAcceptance>
  >("testmempoolaccept"),
  /** Sends signed transactions (hex) of which the last pays for the others. Safe to repeat. */
  submitPackage: rpc<
    [transactions: ReadonlyArray<Hex>, maxFeeRate?: Amount, maxBurnAmount?: Amount],
    PackageResult
  >("submitpackage").broadcast(),
  /** Sends a header (hex), whose parent the node must know. Safe to repeat. */
  submitHeader: rpc<[header: Hex], null>("submitheader").broadcast(),
  /** Puts the signatures of several copies of a transaction (hex) together. */
  combineRawTransaction: rpc<[transactions: ReadonlyArray<Hex>], Hex>("combinerawtransaction"),
  /** Addresses of a descriptor; of one with a range, those from `begin` to `end`. */
  deriveAddresses: rpc<
    [descriptor: string, range?: number | readonly [begin: number, end: number]],
    ReadonlyArray<string>
  >("deriveaddresses"),
  /** Checks a descriptor. */
  getDescriptorInfo: rpc<[descriptor: string], DescriptorInfo>("getdescriptorinfo"),
  /** Outputs that descriptors spent and received in blocks, and in the pool unless told not to. */
  getDescriptorActivity: rpc<
    [blockHashes: ReadonlyArray<Hex>, descriptors: ReadonlyArray<ScanObject>, includeMempool?: boolean],
    DescriptorActivity
  >("getdescriptoractivity").patience(SCAN),
  /** Finds the unspent outputs of descriptors among all: takes minutes, and a node does one such scan at a time. */
  scanTxOutSet: rpc<[descriptors: ReadonlyArray<ScanObject>], TxOutScan>("scantxoutset")
    .params((descriptors) => ["start", descriptors])
    .patience(SCAN),
  /** How far a scan of the outputs is on the node that is asked, in percent; null if none runs there. */
  scanTxOutSetStatus: rpc<[], { readonly progress: number } | null>("scantxoutset").params(() => ["status"]),
  /** Ends the scan of the outputs on the node that is asked; false if none runs there. */
  scanTxOutSetAbort: rpc<[], boolean>("scantxoutset").params(() => ["abort"]),
  /** Finds the blocks that concern descriptors by their filters, between two heights: takes minutes on a whole chain. */
  scanBlocks: rpc<[descriptors: ReadonlyArray<ScanObject>, options?: BlockScanOptions], BlockScan>(
    "scanblocks"
  )
    .params((descriptors, options) => [
      "start",
      descriptors,
      options?.startHeight,
      options?.stopHeight,
      options?.filterType,
      options?.checkBlocks === undefined ? undefined : { filter_false_positives: options.checkBlocks }
    ])
    .patience(SCAN),
  /** How far a scan of the blocks is on the node that is asked, in percent; null if none runs there. */
  scanBlocksStatus: rpc<[], { readonly progress: number; readonly current_height: number } | null>(
    "scanblocks"
  ).params(() => ["status"]),
  /** Ends the scan of the blocks on the node that is asked; false if none runs there. */
  scanBlocksAbort: rpc<[], boolean>("scanblocks").params(() => ["abort"]),
  /** Waits until a block is the newest, for a minute or so many milliseconds; the call's own limits give way to 75 seconds. */
  waitForBlock: rpc<[blockHash: Hex, timeout?: number], WaitedBlock>("waitforblock")
    .params((hash, timeout) => [hash, timeout ?? WAIT])
    .patience(WAITED),
  /** Waits until the chain has a height, for a minute or so many milliseconds; the call's own limits give way to 75 seconds. */
  waitForBlockHeight: rpc<[height: number, timeout?: number], WaitedBlock>("waitforblockheight")
    .params((height, timeout) => [height, timeout ?? WAIT])
    .patience(WAITED),
  /**
   * Waits for another block than the newest (or `currentTip`, where nodes take it), for a minute or so many milliseconds; the
   * call's own limits give way to 75 seconds.
   */
  waitForNewBlock: rpc<[timeout?: number, currentTip?: Hex], WaitedBlock>("waitfornewblock")
    .params((timeout, currentTip) => [timeout ?? WAIT, currentTip])
    .patience(WAITED),
  /** Chains that the node keeps: a second one if it began with a snapshot. */
  getChainStates: rpc<[], ChainStates>("getchainstates"),
  /** Makes a partially signed transaction (Base64) without signatures. */
  createPsbt: rpc<
    [inputs: ReadonlyArray<Input>, outputs: Outputs, locktime?: number, replaceable?: boolean],
    string
  >("createpsbt").params((inputs, outputs, locktime, replaceable) => [
    inputs,
    outputs,
    locktime ?? (replaceable === undefined ? undefined : 0),
    replaceable
  ]),
  /** Makes a partially signed transaction (Base64) of an unsigned one (hex). */
  convertToPsbt: rpc<[transaction: Hex, permitSignatures?: boolean, isWitness?: boolean], string>(
    "converttopsbt"
  ),
  /** Decodes a partially signed transaction (Base64). */
  decodePsbt: rpc<[psbt: string], DecodedPsbt>("decodepsbt"),
  /** What a partially signed transaction (Base64) still lacks. */
  analyzePsbt: rpc<[psbt: string], PsbtAnalysis>("analyzepsbt"),
  /** Puts the signatures of several copies of a partially signed transaction (Base64) together. */
  combinePsbt: rpc<[psbts: ReadonlyArray<string>], string>("combinepsbt"),
  /** Puts the inputs and outputs of several partially signed transactions (Base64) into one. */
  joinPsbts: rpc<[psbts: ReadonlyArray<string>], string>("joinpsbts"),
  /** Adds to a partially signed transaction (Base64) what the node knows of the outputs that it spends. */
  utxoUpdatePsbt: rpc<[psbt: string, descriptors?: ReadonlyArray<unknown>], string>("utxoupdatepsbt"),
  /** Makes the signed transaction of a partially signed one (Base64), if it has all signatures. */
  finalizePsbt: rpc<[psbt: string, extract?: boolean], FinalizedPsbt>("finalizepsbt"),
  /** Seconds since the node started. */
  uptime: rpc<[], number>("uptime")
}

/** Further methods of nodes of Zcash. */
const zcash = {
  /** Balance of transparent addresses, in the smallest unit (Zcash). */
  getAddressBalance: rpc<[query: AddressQuery], AddressBalance>("getaddressbalance"),
  /** Ids of the transactions of transparent addresses, between two heights (Zcash). */
  getAddressTxIds: rpc<
    [query: AddressQuery & { readonly start?: number; readonly end?: number }],
    ReadonlyArray<Hex>
  >("getaddresstxids"),
  /** Unspent outputs of transparent addresses, in the smallest unit (Zcash). */
  getAddressUtxos: rpc<[query: AddressQuery], ReadonlyArray<AddressOutput>>("getaddressutxos"),
  /** Shares of the reward of a block (whole coins), by default of the next (Zcash). */
  getBlockSubsidy: rpc<[height?: number], Readonly<Record<string, unknown>>>("getblocksubsidy"),
  /** Commitment trees at a block, by height or hash (Zcash). */
  getTreeState: rpc<[hashOrHeight: string], Readonly<Record<string, unknown>>>("z_gettreestate"),
  /** Roots of the subtrees of a pool, from an index on (Zcash). */
  getSubtreesByIndex: rpc<
    [pool: "sapling" | "orchard", startIndex: number, limit?: number],
    {
      readonly pool: string
      readonly start_index: number
      readonly subtrees: ReadonlyArray<{ readonly root: Hex; readonly end_height: number }>
    }
  >("z_getsubtreesbyindex"),
  /** Whether a shielded address is one of this chain (Zcash). */
  validateShieldedAddress: rpc<[address: string], Readonly<Record<string, unknown>>>("z_validateaddress"),
  /** Addresses inside a unified address, by kind (Zcash). */
  listUnifiedReceivers: rpc<[address: string], Readonly<Record<string, string>>>("z_listunifiedreceivers")
}

/**
 * The endpoints of Bitcoin, Litecoin and Zcash.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(dialect, { ...common, ...modern, ...zcash })

/**
 * The endpoints of Bitcoin Cash.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const estimateFeeEndpoints = group(dialect, {
  ...common,
  ...modern,
  /** Fee in whole coins per 1000 bytes. Some nodes take the number of blocks to wait. */
  estimateFee: rpc<[blocks?: number], number>("estimatefee"),
  /** Proof that a transaction in the pool was spent twice, by the transaction's id or its own; null if there is none. */
  getDsProof: rpc<[id: Hex, verbosity?: number, recursive?: boolean], DoubleSpendProof | null>("getdsproof"),
  /** Proofs of double spends that the node has: their ids, or more by verbosity. */
  getDsProofList: rpc<[verbosity?: number, includeOrphans?: boolean], ReadonlyArray<Hex | DoubleSpendProof>>(
    "getdsprooflist"
  ),
  /** How sure it is, from 0 to 1, that a transaction in the pool is not being double spent. */
  getDsProofScore: rpc<[txid: Hex], number>("getdsproofscore"),
  /** Hash of the newest block that the node will not give up any more. */
  getFinalizedBlockHash: rpc<[], Hex>("getfinalizedblockhash")
})

/**
 * The endpoints of Dogecoin.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const dogeEndpoints = group(dialect, {
  ...common,
  /** Block by hash: with ids of its transactions or, with `false`, as hex. */
  getBlock: rpc<[blockHash: Hex, verbose?: Verbosity], Block | Hex>("getblock").params((hash, verbose) => [
    hash,
    verbose ?? true
  ]),
  /** Fee in whole coins per 1000 bytes for being in a block within so many; -1 without enough data. */
  estimateFee: rpc<[blocks: number], number>("estimatefee"),
  /** Priority with which a transaction without a fee is in a block within so many; -1 without enough data. */
  estimatePriority: rpc<[blocks: number], number>("estimatepriority"),
  /** The same, with the number of blocks for which the estimate holds. */
  estimateSmartPriority: rpc<[blocks: number], { readonly priority: number; readonly blocks: number }>(
    "estimatesmartpriority"
  ),
  /** State of the node. */
  getInfo: rpc<[], Readonly<Record<string, unknown>>>("getinfo")
})

/**
 * The methods of the clients of Bitcoin and its kin beside single calls.
 *
 * @since 0.1.0
 * @category clients
 */
export interface BitcoinComposed {
  /** Transaction once it is as deep as wanted, in the branch that the chain has kept. */
  readonly waitForTransaction: (txid: Hex, options?: WaitOptions) => Effect.Effect<Transaction, WaitError>
}

/**
 * Makes the methods of the clients of Bitcoin and its kin beside single calls.
 *
 * @since 0.1.0
 * @category families
 */
export const composed = (client: MakeClient): BitcoinComposed => {
  const rpc = client(group(dialect, { getRawTransaction: endpoints.getRawTransaction }))
  const look = (txid: Hex): Effect.Effect<Seen<Transaction> | undefined, RpcCallError> =>
    rpc.getRawTransaction(txid, true).pipe(
      Effect.map((transaction) =>
        typeof transaction === "string"
          ? undefined
          : { transaction, confirmations: transaction.confirmations ?? 0 }
      ),
      Effect.catchIf(isUnknownTransaction, () => Effect.succeed(undefined))
    )
  return { waitForTransaction: (txid, options = {}) => confirmed(txid, options, look(txid)) }
}

/**
 * The JSON-RPC client of Bitcoin, Litecoin and Zcash.
 *
 * @since 0.1.0
 * @category clients
 */
export interface BitcoinRpc extends Client<typeof endpoints>, RawRpc, BitcoinComposed {}

/**
 * The JSON-RPC client of Bitcoin Cash.
 *
 * @since 0.1.0
 * @category clients
 */
export interface BitcoinCashRpc extends Client<typeof estimateFeeEndpoints>, RawRpc, BitcoinComposed {}

/**
 * The JSON-RPC client of Dogecoin.
 *
 * @since 0.1.0
 * @category clients
 */
export interface DogeRpc extends Client<typeof dogeEndpoints>, RawRpc, BitcoinComposed {}

const nodes = { probe: () => rpcProbe("getblockcount", [], []), composed } satisfies FamilyNodes

/**
 * The family of Bitcoin, Litecoin and Zcash.
 *
 * @since 0.1.0
 * @category families
 */
export const bitcoin: Family<typeof endpoints, BitcoinRpc> = {
  endpoints,
  ...nodes
}

/**
 * The family of Bitcoin Cash.
 *
 * @since 0.1.0
 * @category families
 */
export const bitcoinCash: Family<typeof estimateFeeEndpoints, BitcoinCashRpc> = {
  endpoints: estimateFeeEndpoints,
  ...nodes
}

/**
 * The family of Dogecoin.
 *
 * @since 0.1.0
 * @category families
 */
export const doge: Family<typeof dogeEndpoints, DogeRpc> = {
  endpoints: dogeEndpoints,
  ...nodes
}

/**
 * The form of the chain's addresses, and the source of their balances.
 *
 * @since 0.1.0
 * @category families
 */
export const accounts = {
  address: [/^[0-9A-Za-z]{4,100}$/, "4 to 100 letters and digits"],
  oneAddress: true
} satisfies FamilyAccounts
