/**
 * What nodes of Bitcoin and its kin take and tell.
 *
 * @since 0.1.0
 */

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
 * An amount in whole coins in an answer: a number, or its text where a double has other digits (from about ninety million coins on, as
 * Dogecoin has them). `Number` of it rounds, `Units.parse` of its text does not.
 *
 * @since 0.1.0
 * @category types
 */
export type Coins = number | string

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
    readonly value: Coins
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
  readonly value: Coins
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
  readonly fee?: Coins
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
  /** The ids of the rules that the newest block and the next one follow (Zcash). */
  readonly consensus?: { readonly chaintip: Hex; readonly nextblock: Hex }
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
  readonly fee?: Coins
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
    readonly base: Coins
    readonly modified: Coins
    readonly ancestor: Coins
    readonly descendant: Coins
  }
  readonly fee?: Coins
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
  readonly total_fee?: Coins
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
  readonly value: Coins
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
  readonly total_amount: Coins
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
  readonly fees?: { readonly base: Coins; readonly "effective-feerate"?: number }
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
        readonly fees?: { readonly base: Coins; readonly "effective-feerate"?: number }
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
  readonly fee?: Coins
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
  readonly witness_utxo?: { readonly amount: Coins; readonly scriptPubKey: Script }
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
  readonly fee?: Coins
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
  readonly fee?: Coins
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
  readonly balance: Coins
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
    readonly amount: Coins
    readonly coinbase?: boolean
    readonly height: number
    readonly blockhash?: Hex
    readonly confirmations?: number
  }>
  readonly total_amount: Coins
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
  readonly amount: Coins
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
  readonly amount: Coins
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
