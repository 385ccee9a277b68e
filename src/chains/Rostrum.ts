/**
 * Rostrum, electrs and Fulcrum: Electrum servers that index a chain by address, with their JSON-RPC over HTTP. Amounts of results
 * are `bigint`: satoshis (10^-8 coin), or the smallest unit of a token. Heights, positions and counts are numbers. Only
 * fees and decoded transactions are in whole coins, as JSON numbers. A server answers the methods that its program knows.
 *
 * @since 0.1.0
 */

import { type Family, rpcProbe } from "../balancer/Family.js"
import { byFieldName, eachOf, hex, unlessNumber } from "../data/bytes.js"
import { type Fault, group, rpc } from "../data/Endpoint.js"
import type { Client, RawRpc } from "../transport/Client.js"
import { bigintIntegers } from "../wire/bigintIntegers.js"
import type * as Bitcoin from "./Bitcoin.js"
import { checkingNames } from "./internal/checkingNames.js"
import { standardFaultOf } from "./internal/faults.js"

/**
 * Bytes in hexadecimal, without 0x.
 *
 * @since 0.1.0
 * @category types
 */
export type Hex = string

/**
 * First digits of a hash, hexadecimal: as many as the caller likes.
 *
 * @since 0.1.0
 * @category models
 */
export type HashPrefix = string

/**
 * Whether outputs that carry tokens count. Servers leave them out by default.
 *
 * @since 0.1.0
 * @category types
 */
export type TokenFilter = "include_tokens" | "tokens_only" | "exclude_tokens" | (string & {})

/**
 * An address, and which of its outputs count.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressQuery {
  readonly address: string
  readonly filter?: TokenFilter
}

/**
 * A script hash (SHA-256 of the output script, reversed, hex), and which of its outputs count.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScriptHashQuery {
  readonly scripthash: Hex
  readonly filter?: TokenFilter
}

/**
 * An address, one token out of all, and where to go on: the `cursor` of the answer before.
 *
 * @since 0.1.0
 * @category types
 */
export interface AddressTokens {
  readonly address: string
  readonly cursor?: string | null
  readonly token?: string
}

/**
 * A script hash, one token out of all, and where to go on: the `cursor` of the answer before.
 *
 * @since 0.1.0
 * @category types
 */
export interface ScriptHashTokens {
  readonly scripthash: Hex
  readonly cursor?: string | null
  readonly token?: string
}

/**
 * An address decoded: its output script (hex), its kind, and its share of a token.
 *
 * @since 0.1.0
 * @category types
 */
export interface DecodedAddress {
  readonly payload: Hex
  readonly type: string
  readonly is_token_aware?: boolean
  readonly token_amount?: bigint | null
  readonly token_id?: string | null
}

/**
 * A balance, in satoshis. `unconfirmed` is the change by the pool, and may be negative.
 *
 * @since 0.1.0
 * @category types
 */
export interface Balance {
  readonly confirmed: bigint
  readonly unconfirmed: bigint
}

/**
 * The block, and the transaction in it, that first used an address. In the pool the hash is zeros and the height 0. Rostrum has the
 * height under both names, Fulcrum under `height` alone.
 *
 * @since 0.1.0
 * @category types
 */
export interface FirstUse {
  readonly block_hash: Hex
  readonly block_height?: number
  readonly height?: number
  readonly tx_hash: Hex
}

/**
 * A transaction of an address. `height` is 0 in the pool, and -1 there with inputs that wait too; `fee` (satoshis) is
 * given in the pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface HistoryItem {
  readonly tx_hash: Hex
  readonly height: number
  readonly fee?: bigint | null
}

/**
 * An output that is not spent. `value` is in satoshis; `height` is 0 in the pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface Unspent {
  readonly tx_hash: Hex
  readonly tx_pos: number
  readonly height: number
  readonly value: bigint
  readonly has_token?: boolean
  readonly outpoint_hash?: Hex
  readonly token_data?: TokenData
}

/**
 * The token in an output of Bitcoin Cash, in Fulcrum's words: `amount` is a decimal string, `commitment` hex.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenData {
  readonly amount: string
  readonly category: Hex
  readonly nft?: { readonly capability: "none" | "mutable" | "minting"; readonly commitment: Hex }
}

/**
 * An output that is not spent, in Fulcrum's words. `value` is in satoshis; the height is missing in the pool.
 *
 * @since 0.1.0
 * @category types
 */
export interface UtxoInfo {
  readonly confirmed_height?: number
  readonly scripthash: Hex
  readonly token_data?: TokenData
  readonly value: bigint
}

/**
 * A proof that an output was spent twice: its id, the transaction that is endangered, the proof (hex), the output, and the
 * transactions of the pool that depend on it.
 *
 * @since 0.1.0
 * @category types
 */
export interface DsProof {
  readonly dspid: Hex
  readonly txid: Hex | null
  readonly hex: Hex
  readonly outpoint: { readonly txid: Hex; readonly vout: number }
  readonly descendants?: ReadonlyArray<Hex>
}

/**
 * Blocks to look through for a prefix (hex) of reusable payment addresses: up to, but without, `to_height`; by default to the
 * newest, or as far as the server goes.
 *
 * @since 0.1.0
 * @category types
 */
export interface RpaQuery {
  readonly prefix: HashPrefix
  readonly from_height: number
  readonly to_height?: number
}

/**
 * Whether a package of transactions was taken, and why some of them were not.
 *
 * @since 0.1.0
 * @category types
 */
export interface PackageBroadcast {
  readonly success: boolean
  readonly errors?: ReadonlyArray<{ readonly txid: Hex; readonly error: string }>
}

/**
 * Least fees of the pool of a server's node, in whole coins per 1000 bytes, and what else that node tells.
 *
 * @since 0.1.0
 * @category types
 */
export interface MempoolInfo {
  readonly mempoolminfee?: number
  readonly minrelaytxfee?: number
  readonly incrementalrelayfee?: number
  readonly unbroadcastcount?: number
  readonly fullrbf?: boolean
}

/**
 * A header with the proof that a checkpoint commits to it.
 *
 * @since 0.1.0
 * @category types
 */
export interface HeaderProof {
  readonly header: Hex
  readonly branch: ReadonlyArray<Hex>
  readonly root: Hex
}

/**
 * A header, decoded. `time` is in seconds since 1970.
 *
 * @since 0.1.0
 * @category types
 */
export interface VerboseHeader {
  readonly hash?: Hex
  readonly height: number
  readonly hex?: Hex
  readonly version?: number
  readonly previousblockhash?: Hex
  readonly merkleroot?: Hex
  readonly time?: number
  readonly mediantime?: number
  readonly bits?: number | Hex
  readonly nonce?: number | Hex
}

/**
 * Headers in a row (hex, one after the other), at most `max`; with a checkpoint the proof that it commits to the last.
 *
 * @since 0.1.0
 * @category types
 */
export interface Headers {
  readonly count: number
  readonly hex: Hex
  readonly max: number
  readonly branch?: ReadonlyArray<Hex>
  readonly root?: Hex
}

/**
 * The newest block.
 *
 * @since 0.1.0
 * @category types
 */
export interface Tip {
  readonly height: number
  readonly hex: Hex
}

/**
 * The proof that a transaction is in a block: the hashes beside it up to the root, and its place.
 *
 * @since 0.1.0
 * @category types
 */
export interface MerkleProof {
  readonly block_height: number
  readonly merkle: ReadonlyArray<Hex>
  readonly pos: number
}

/**
 * The id of a transaction with the proof that it is in its block.
 *
 * @since 0.1.0
 * @category types
 */
export interface IdWithProof {
  readonly tx_hash: Hex
  readonly merkle: ReadonlyArray<Hex>
}

/**
 * An output, and who has spent it. `amount` is in satoshis, `token_amount` in the smallest unit of the token.
 *
 * @since 0.1.0
 * @category types
 */
export interface Utxo {
  readonly status: "spent" | "unspent"
  readonly amount: bigint
  readonly height: number
  readonly scripthash: Hex
  readonly scriptpubkey?: Hex
  readonly addresses?: ReadonlyArray<string>
  readonly tx_hash?: Hex
  readonly tx_pos?: number
  readonly outpoint_hash?: Hex
  readonly token_id?: string | null
  readonly token_id_hex?: Hex | null
  readonly group?: string | null
  readonly group_authority?: bigint | null
  readonly group_quantity?: bigint | null
  readonly template_scripthash?: Hex | null
  readonly template_argumenthash?: Hex | null
  readonly token_amount?: bigint | null
  readonly commitment?: Hex | null
  readonly spent: {
    readonly tx_hash: Hex | null
    readonly tx_pos: number | null
    readonly height: number | null
  }
}

/**
 * The transaction that registered a name.
 *
 * @since 0.1.0
 * @category types
 */
export interface CashAccount {
  readonly tx: Hex
  readonly blockhash: Hex
  readonly height?: number
}

/**
 * The identity and the features of a server.
 *
 * @since 0.1.0
 * @category types
 */
export interface ServerFeatures {
  readonly genesis_hash: Hex
  readonly hash_function: string
  readonly server_version: string
  readonly protocol_max: string
  readonly protocol_min: string
  readonly pruning?: number | null
  readonly hosts?: Readonly<Record<string, HostPorts>>
  readonly dsproof?: boolean
  readonly cashtokens?: boolean
  readonly broadcast_package?: boolean
  readonly rpa?: RpaFeature | null
}

/**
 * The ports of a server; null or missing are those that it lacks.
 *
 * @since 0.1.0
 * @category types
 */
export interface HostPorts {
  readonly tcp_port?: number | null
  readonly ssl_port?: number | null
  readonly ws_port?: number | null
  readonly wss_port?: number | null
}

/**
 * The limits of a server's index of reusable payment addresses.
 *
 * @since 0.1.0
 * @category types
 */
export interface RpaFeature {
  readonly history_block_limit: number
  readonly max_history: number
  readonly prefix_bits: number
  readonly prefix_bits_min: number
  readonly starting_height: number
}

/**
 * Balances by token, in the token's smallest unit. `cursor` asks for the rest; it is null or missing at the end.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenBalances {
  readonly confirmed: Readonly<Record<string, bigint>>
  readonly unconfirmed: Readonly<Record<string, bigint>>
  readonly cursor?: string | null
}

/**
 * Transactions that moved tokens. `cursor` asks for the rest; it is null or missing at the end.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenHistory {
  readonly history?: ReadonlyArray<HistoryItem>
  readonly transactions?: ReadonlyArray<HistoryItem>
  readonly cursor?: string | null
}

/**
 * An output that carries tokens. `value` is in satoshis, `token_amount` in the token's smallest unit.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenUnspent {
  readonly tx_hash: Hex
  readonly tx_pos: number
  readonly height: number
  readonly value: bigint
  readonly token_id?: string | null
  readonly token_id_hex?: Hex | null
  readonly group?: string | null
  readonly token_amount: bigint | null
  readonly commitment?: Hex | null
  readonly outpoint_hash?: Hex
}

/**
 * Outputs that carry tokens. `cursor` asks for the rest; it is null or missing at the end.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenUnspents {
  readonly unspent: ReadonlyArray<TokenUnspent>
  readonly cursor?: string | null
}

/**
 * The genesis of a token, and its maker's words about it.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenGenesis {
  readonly name?: string | null
  readonly ticker?: string | null
  readonly decimal_places?: number | null
  readonly document_hash?: Hex | null
  readonly document_url?: string | null
  readonly height: number
  readonly token_id?: string
  readonly token_id_hex?: Hex
  readonly group?: string
  readonly op_return?: Hex | null
  readonly op_return_id?: bigint | null
  readonly crc20?: Crc20 | null
  readonly txid?: Hex
  readonly txidem?: Hex
  readonly tx_hash?: Hex
}

/**
 * A token's own words about itself, hidden in its genesis (CRC-20).
 *
 * @since 0.1.0
 * @category types
 */
export interface Crc20 {
  readonly symbol: string
  readonly decimals: number
  readonly name: string
  readonly genesis_out: Hex
}

/**
 * A unique token of a parent: by its group and id (Nexa), or its commitment (Bitcoin Cash; null if it has none).
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenNft {
  readonly group?: string
  readonly token_id_hex?: Hex
  readonly commitment?: Hex | null
  readonly document_hash?: Hex | null
  readonly document_url?: string | null
  readonly name?: string | null
  readonly ticker?: string | null
}

/**
 * The unique tokens of a parent. `cursor` asks for the rest; it is null or missing at the end.
 *
 * @since 0.1.0
 * @category types
 */
export interface TokenNfts {
  readonly nft: ReadonlyArray<TokenNft>
  readonly cursor?: string | null
}

/** Words in errors that say more of the server than of the request. */
const faults: ReadonlyArray<readonly [RegExp, Fault]> = [
  [
    /excessive resource|too many|rate limit|busy|timed? ?out|try again|warming|not connected|unavailable/i,
    "node"
  ],
  [/daemon error: [^:]*: -28/i, "node"],
  [
    /unknown method|unsupported|not (yet )?(indexed|synced)|no such mempool|missing transaction|pruned/i,
    "elsewhere"
  ]
]

/**
 * Whose fault a JSON-RPC error of an Electrum server is.
 *
 * @since 0.1.0
 * @category getters
 */
export const classify = (error: { readonly code: number; readonly message: string }): Fault => {
  // -101 and -102: too much asked of the server, by this client or by all
  if (error.code === -101 || error.code === -102) return "node"
  const fault = faults.find(([pattern]) => pattern.test(error.message))?.[1]
  // servers call every refusal of their node an "internal error": no reason to give the server up
  if (error.code === -32603) return fault ?? "elsewhere"
  // 1: a bad request; 2: the words of the server's node, with a code of Bitcoin Core
  const isRefusal = error.code === 1 || (error.code === 2 && /-(1|3|5|8|22|25|26|27)\b/.test(error.message))
  return fault ?? (isRefusal ? "caller" : standardFaultOf(error))
}

/** Fields that are a number wherever they stand: heights, positions, counts. */
const numbers: ReadonlyArray<string> = [
  "height",
  "block_height",
  "tx_pos",
  "pos",
  "count",
  "max",
  "decimal_places",
  "decimals",
  "confirmed_height"
].map((name) => `**.${name}`)

/** Fields that are a number in the features of a server: ports and limits. */
const limitNumbers: ReadonlyArray<string> = [
  "pruning",
  "tcp_port",
  "ssl_port",
  "ws_port",
  "wss_port",
  "history_block_limit",
  "max_history",
  "prefix_bits",
  "prefix_bits_min",
  "starting_height"
].map((name) => `**.${name}`)

/** Fields that are a number in a decoded transaction, where amounts are whole coins. */
const decodedNumbers: ReadonlyArray<string> = [
  "height",
  "confirmations",
  "version",
  "size",
  "vsize",
  "weight",
  "locktime",
  "time",
  "blocktime",
  "fee",
  "fee_satoshi",
  "sequence",
  "vout",
  "value",
  "value_coin",
  "value_coins",
  "n",
  "reqSigs"
].map((name) => `**.${name}`)

const toCoins = (fee: unknown): number => {
  if (typeof fee === "number" || typeof fee === "bigint") return Number(fee)
  throw new Error(`a fee was expected, not ${JSON.stringify(fee)}`)
}

const heightOrNull = (height: unknown): number | null => {
  if (height === null) return null
  if (typeof height === "bigint") return Number(height)
  throw new Error(`a height was expected, not ${JSON.stringify(height)}`)
}

const byAddress = checkingNames(({ address, filter }: AddressQuery) => [address, filter])

const byScriptHash = checkingNames(({ filter, scripthash }: ScriptHashQuery) => [scripthash, filter])

const addressTokens = checkingNames(({ address, cursor, token }: AddressTokens) => [
  address,
  cursor ?? null,
  token
])

const scriptHashTokens = checkingNames(({ cursor, scripthash, token }: ScriptHashTokens) => [
  scripthash,
  cursor ?? null,
  token
])

/** What has one meaning in all calls. */
const bytesByName = byFieldName({
  commitment: hex(),
  outpoint_hash: hex(32),
  scripthash: hex(32),
  tx_hash: hex(32)
})

/**
 * The endpoints of Electrum servers.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = group(
  // too much asked of the server, by this client or by all
  { integers: bigintIntegers, numbers, bytes: bytesByName, classify, limits: [-101, -102] },
  {
    /** Decodes an address. */
    blockchainAddressDecode: rpc<[address: string], DecodedAddress>("blockchain.address.decode"),
    /** Balance of an address, in satoshis. */
    blockchainAddressGetBalance: rpc<[query: AddressQuery], Balance>("blockchain.address.get_balance").params(
      byAddress
    ),
    /** First transaction that paid to an address; null if there is none (Fulcrum). */
    blockchainAddressGetFirstUse: rpc<[query: AddressQuery], FirstUse | null>(
      "blockchain.address.get_first_use"
    ).params(byAddress),
    /** Transactions of an address, oldest first, those in the pool last. */
    blockchainAddressGetHistory: rpc<[query: AddressQuery], ReadonlyArray<HistoryItem>>(
      "blockchain.address.get_history"
    )
      .params(byAddress)
      .lists(),
    /** Transactions of an address that are in the pool. */
    blockchainAddressGetMempool: rpc<[query: AddressQuery], ReadonlyArray<HistoryItem>>(
      "blockchain.address.get_mempool"
    )
      .params(byAddress)
      .lists(),
    /** Status of an address, a hash over its history; null if it has none (Fulcrum). */
    blockchainAddressGetStatus: rpc<[address: string], Hex | null>("blockchain.address.get_status"),
    /** Script hash of an address. */
    blockchainAddressToScriptHash: rpc<[address: string], Hex>("blockchain.address.get_scripthash"),
    /** Status of an address, a hash over its history; null if it has none. News come over a socket only, not here. */
    blockchainAddressSubscribe: rpc<[address: string], Hex | null>("blockchain.address.subscribe"),
    /** Ends the subscription of an address; false if there was none. */
    blockchainAddressUnsubscribe: rpc<[address: string], boolean>("blockchain.address.unsubscribe"),
    /** Unspent outputs of an address (satoshis). */
    blockchainListUnspent: rpc<[query: AddressQuery], ReadonlyArray<Unspent>>(
      "blockchain.address.listunspent"
    )
      .params(byAddress)
      .lists(),
    /** Whole block as hex, by height or hash. */
    blockchainBlockGet: rpc<[heightOrHash: number | Hex], Hex>("blockchain.block.get").bytes({
      0: unlessNumber(hex(32))
    }),
    /** Header (hex) at a height; with a checkpoint height also the proof that it commits to it. */
    blockchainBlockHeader: rpc<
      [query: { readonly height: number; readonly cp_height?: number }],
      Hex | HeaderProof
    >("blockchain.block.header").params(checkingNames(({ cp_height = 0, height }) => [height, cp_height])),
    /** Header by height or hash, decoded. */
    blockchainBlockHeaderVerbose: rpc<[heightOrHash: number | Hex], VerboseHeader>(
      "blockchain.block.header_verbose"
    )
      .bytes({ 0: unlessNumber(hex(32)) })
      .numbers([...numbers, "version", "time", "mediantime", "bits", "nonce"]),
    /** Headers (hex) in a row from a height on; with a checkpoint height also the proof for the last. */
    blockchainBlockHeaders: rpc<
      [query: { readonly start_height: number; readonly count: number; readonly cp_height?: number }],
      Headers
    >("blockchain.block.headers").params(
      checkingNames(({ count, cp_height = 0, start_height }) => [start_height, count, cp_height])
    ),
    /** Fee (whole coins per 1000 bytes) for being in a block within so many; -1 without enough data. */
    blockchainEstimateFee: rpc<[blocks: number], number>("blockchain.estimatefee").decode(toCoins),
    /** Header (hex) by height or hash (Fulcrum). */
    blockchainHeaderGet: rpc<[heightOrHash: number | Hex], Tip>("blockchain.header.get").bytes({
      0: unlessNumber(hex(32))
    }),
    /** Newest block (Fulcrum). */
    blockchainHeadersGetTip: rpc<[], Tip>("blockchain.headers.get_tip"),
    /** Newest block. News come over a socket only, not here. */
    blockchainHeadersSubscribe: rpc<[], Tip>("blockchain.headers.subscribe"),
    /** Newest block. */
    blockchainHeadersTip: rpc<[], Tip>("blockchain.headers.tip"),
    /** Least fee (whole coins per 1000 bytes) with which the server's node takes a transaction. */
    blockchainRelayFee: rpc<[], number>("blockchain.relayfee").decode(toCoins),
    /** Balance of a script hash, in satoshis. */
    blockchainScriptHashGetBalance: rpc<[query: ScriptHashQuery], Balance>(
      "blockchain.scripthash.get_balance"
    ).params(byScriptHash),
    /** First transaction that paid to a script hash; null if there is none (Fulcrum). */
    blockchainScriptHashGetFirstUse: rpc<[query: ScriptHashQuery], FirstUse | null>(
      "blockchain.scripthash.get_first_use"
    ).params(byScriptHash),
    /** Transactions of a script hash, oldest first, those in the pool last. */
    blockchainScriptHashGetHistory: rpc<[query: ScriptHashQuery], ReadonlyArray<HistoryItem>>(
      "blockchain.scripthash.get_history"
    )
      .params(byScriptHash)
      .lists(),
    /** Transactions of a script hash that are in the pool. */
    blockchainScriptHashGetMempool: rpc<[query: ScriptHashQuery], ReadonlyArray<HistoryItem>>(
      "blockchain.scripthash.get_mempool"
    )
      .params(byScriptHash)
      .lists(),
    /** Status of a script hash, a hash over its history; null if it has none (Fulcrum). */
    blockchainScriptHashGetStatus: rpc<[scripthash: Hex], Hex | null>(
      "blockchain.scripthash.get_status"
    ).bytes({ 0: hex(32) }),
    /** Unspent outputs of a script hash (satoshis). */
    blockchainScriptHashListUnspent: rpc<[query: ScriptHashQuery], ReadonlyArray<Unspent>>(
      "blockchain.scripthash.listunspent"
    )
      .params(byScriptHash)
      .lists(),
    /** Status of a script hash, a hash over its history; null if it has none. News come over a socket only, not here. */
    blockchainScriptHashSubscribe: rpc<[scripthash: Hex], Hex | null>(
      "blockchain.scripthash.subscribe"
    ).bytes({ 0: hex(32) }),
    /** Ends the subscription of a script hash; false if there was none. */
    blockchainScriptHashUnsubscribe: rpc<[scripthash: Hex], boolean>(
      "blockchain.scripthash.unsubscribe"
    ).bytes({ 0: hex(32) }),
    /** Sends a signed transaction (hex), and yields its id. Safe to repeat. */
    blockchainTransactionBroadcast: rpc<[transaction: Hex], Hex>("blockchain.transaction.broadcast")
      .bytes({ 0: hex() })
      .broadcast(),
    /** Transactions in blocks that pay to reusable addresses of a prefix (Fulcrum). */
    blockchainRpaGetHistory: rpc<[query: RpaQuery], ReadonlyArray<HistoryItem>>("blockchain.rpa.get_history")
      .params(checkingNames(({ from_height, prefix, to_height }) => [prefix, from_height, to_height]))
      .lists(),
    /** Transactions in the pool that pay to reusable addresses of a prefix (hex; Fulcrum). */
    blockchainRpaGetMempool: rpc<[prefix: HashPrefix], ReadonlyArray<HistoryItem>>(
      "blockchain.rpa.get_mempool"
    ).lists(),
    /**
     * Sends signed transactions (hex) of which the last pays for its parents, before it; `verbose` is the node's own answer
     * (Fulcrum, on Bitcoin). Safe to repeat.
     */
    blockchainTransactionBroadcastPackage: rpc<
      [transactions: ReadonlyArray<Hex>, verbose?: boolean],
      PackageBroadcast | Bitcoin.PackageResult
    >("blockchain.transaction.broadcast_package")
      .bytes({ 0: eachOf(hex()) })
      .numbers(["**.vsize", "**.base", "**.effective-feerate"])
      .broadcast(),
    /** Proof that a transaction in the pool was spent twice, by its id or the proof's own; null if there is none (Fulcrum). */
    blockchainTransactionDsproofGet: rpc<[hash: Hex], DsProof | null>("blockchain.transaction.dsproof.get")
      .bytes({ 0: hex(32) })
      .numbers(["outpoint.vout"]),
    /** Transactions in the pool that were spent twice (Fulcrum). */
    blockchainTransactionDsproofList: rpc<[], ReadonlyArray<Hex>>(
      "blockchain.transaction.dsproof.list"
    ).lists(),
    /** Height of the block that a transaction is in: 0 in the pool, null if it is unknown (Fulcrum). */
    blockchainTransactionGetHeight: rpc<[txHash: Hex], number | null>("blockchain.transaction.get_height")
      .bytes({ 0: hex(32) })
      .decode(heightOrNull),
    /** Transaction as hex or, if asked, decoded (amounts in whole coins). */
    blockchainTransactionGet: rpc<
      [query: { readonly tx_hash: Hex; readonly verbose?: boolean }],
      Hex | Bitcoin.Transaction
    >("blockchain.transaction.get")
      .echoes({ txid: "tx_hash" })
      .params(checkingNames(({ tx_hash, verbose }) => [tx_hash, verbose]))
      .numbers(decodedNumbers),
    /** Block that a transaction is in; with its header (hex) if asked (Fulcrum). */
    blockchainTransactionGetConfirmedBlockhash: rpc<
      [txHash: Hex, includeHeader?: boolean],
      { readonly block_hash: Hex; readonly block_header?: Hex; readonly block_height: number }
    >("blockchain.transaction.get_confirmed_blockhash").bytes({ 0: hex(32) }),
    /** Proof that a transaction is in a block. Without `height` the server looks it up, if it can. */
    blockchainTransactionGetMerkle: rpc<
      [query: { readonly tx_hash: Hex; readonly height?: number }],
      MerkleProof
    >("blockchain.transaction.get_merkle")
      .echoes({ block_height: "height" })
      .params(checkingNames(({ height, tx_hash }) => [tx_hash, height]))
      .lists("merkle"),
    /** Id of the transaction at a place in a block; with `merkle` also the proof for it. */
    blockchainTransactionIdFromPos: rpc<
      [query: { readonly height: number; readonly tx_pos: number; readonly merkle?: boolean }],
      Hex | IdWithProof
    >("blockchain.transaction.id_from_pos").params(
      checkingNames(({ height, merkle = false, tx_pos }) => [height, tx_pos, merkle])
    ),
    /** Output by its transaction and place, or by its hash (Nexa), and who has spent it. */
    blockchainUtxoGet: rpc<
      [query: { readonly tx_hash?: Hex; readonly output_index?: number; readonly outpoint_hash?: Hex }],
      Utxo
    >("blockchain.utxo.get").params(
      checkingNames(({ outpoint_hash, output_index, tx_hash }) => {
        if (tx_hash !== undefined && output_index !== undefined) return [tx_hash, output_index]
        if (outpoint_hash !== undefined) return [outpoint_hash]
        throw new Error("an output is named by tx_hash and output_index, or by outpoint_hash")
      })
    ),
    /** Output by its transaction and place; null if it is spent, or does not exist (Fulcrum). */
    blockchainUtxoGetInfo: rpc<
      [query: { readonly tx_hash: Hex; readonly output_index: number }],
      UtxoInfo | null
    >("blockchain.utxo.get_info").params(
      checkingNames(({ output_index, tx_hash }) => [tx_hash, output_index])
    ),
    /** Transaction that registered a name (CashAccount) in a block. */
    cashAccountQueryName: rpc<
      [query: { readonly name: string; readonly height: number }],
      CashAccount | ReadonlyArray<CashAccount>
    >("cashaccount.query.name").params(checkingNames(({ height, name }) => [name, height])),
    /** Fees of the pool: pairs of a rate (satoshis per byte) and the bytes that wait with it or more, until the next. */
    mempoolGetFeeHistogram: rpc<[], ReadonlyArray<readonly [rate: number, bytes: number]>>(
      "mempool.get_fee_histogram"
    )
      .numbers(["[].[]"])
      .lists(),
    /** Least fees of the pool (whole coins per 1000 bytes; Fulcrum). */
    mempoolGetInfo: rpc<[], MempoolInfo>("mempool.get_info").numbers(["*"]),
    /** Text that the server's owner shows. */
    serverBanner: rpc<[], string>("server.banner"),
    /** Address to which the server's owner takes donations. */
    serverDonationAddress: rpc<[], string>("server.donation_address"),
    /** What the server is and offers. */
    serverFeatures: rpc<[], ServerFeatures>("server.features").numbers(limitNumbers),
    /** Other servers that this one knows: address, host name, features. */
    serverPeersSubscribe: rpc<
      [],
      ReadonlyArray<readonly [address: string, host: string, features: ReadonlyArray<string>]>
    >("server.peers.subscribe").lists(),
    /** Succeeds if the server is up. */
    serverPing: rpc<[], null>("server.ping"),
    /** Tells the server who asks and in which version, and yields its name and the version it answers in. */
    serverVersion: rpc<
      [
        client: {
          readonly client_name: string
          readonly protocol_version: string | readonly [min: string, max: string]
        }
      ],
      readonly [software: string, protocol: string]
    >("server.version")
      .params(checkingNames(({ client_name, protocol_version }) => [client_name, protocol_version]))
      .lists(),
    /** Tokens of an address, in their smallest units. */
    tokenAddressGetBalance: rpc<[query: AddressTokens], TokenBalances>("token.address.get_balance").params(
      addressTokens
    ),
    /** Transactions in which an address moved tokens. */
    tokenAddressGetHistory: rpc<[query: AddressTokens], TokenHistory>("token.address.get_history").params(
      addressTokens
    ),
    /** The same in the pool. */
    tokenAddressGetMempool: rpc<[query: AddressTokens], TokenHistory>("token.address.get_mempool").params(
      addressTokens
    ),
    /** Unspent outputs of an address that carry tokens. */
    tokenAddressListUnspent: rpc<[query: AddressTokens], TokenUnspents>("token.address.listunspent")
      .params(addressTokens)
      .lists("unspent"),
    /** How a token came to be. */
    tokenGenesisInfo: rpc<[token: string], TokenGenesis>("token.genesis.info"),
    /** Unique tokens of a parent. */
    tokenNftList: rpc<[query: { readonly token: string; readonly cursor?: string | null }], TokenNfts>(
      "token.nft.list"
    )
      .params(checkingNames(({ cursor, token }) => [token, cursor]))
      .lists("nft"),
    /** Tokens of a script hash, in their smallest units. */
    tokenScripthashGetBalance: rpc<[query: ScriptHashTokens], TokenBalances>(
      "token.scripthash.get_balance"
    ).params(scriptHashTokens),
    /** Transactions in which a script hash moved tokens. */
    tokenScripthashGetHistory: rpc<[query: ScriptHashTokens], TokenHistory>(
      "token.scripthash.get_history"
    ).params(scriptHashTokens),
    /** The same in the pool. */
    tokenScripthashGetMempool: rpc<[query: ScriptHashTokens], TokenHistory>(
      "token.scripthash.get_mempool"
    ).params(scriptHashTokens),
    /** Unspent outputs of a script hash that carry tokens. */
    tokenScripthashListUnspent: rpc<[query: ScriptHashTokens], TokenUnspents>("token.scripthash.listunspent")
      .params(scriptHashTokens)
      .lists("unspent"),
    /** Transactions that moved a token, or the unique one of it with a commitment (hex). */
    tokenTransactionGetHistory: rpc<
      [query: { readonly token: string; readonly cursor?: string | null; readonly commitment?: Hex }],
      TokenHistory
    >("token.transaction.get_history").params(
      checkingNames(({ commitment, cursor, token }) => [token, cursor ?? null, commitment])
    )
  }
)

/**
 * The JSON-RPC client of an Electrum server.
 *
 * @since 0.1.0
 * @category clients
 */
export interface RostrumRpc extends Client<typeof endpoints>, RawRpc {}

/**
 * The family of Electrum servers.
 *
 * @since 0.1.0
 * @category families
 */
export const rostrum: Family<typeof endpoints, RostrumRpc> = {
  endpoints,
  probe: () => rpcProbe("blockchain.headers.tip", [], ["height"])
}
