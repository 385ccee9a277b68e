/**
 * How nodes of Bitcoin and its kin speak, and the endpoints of all that descend from Bitcoin Core, each of which a bundle leaves out that
 * does not name it.
 *
 * @since 0.1.0
 */
import { eachOf, hex, unlessNumber } from "../../data/bytes.js"
import { type Dialect, type Fault, rpc } from "../../data/Endpoint.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { coinNumbers } from "../../wire/coinNumbers.js"
import { standardFaultOf } from "../internal/faults.js"
import { inputBytes, toUnsignedParams } from "../internal/unsigned.js"
import type {
  Amount,
  BlockchainInfo,
  BlockHeader,
  BlockStats,
  BlockTemplate,
  ChainTip,
  ChainTransactionStats,
  DecodedScript,
  DecodedTransaction,
  EstimateMode,
  FeeEstimate,
  Hex,
  Input,
  Mempool,
  MempoolEntry,
  MempoolInfo,
  MiningInfo,
  Multisig,
  NetTotals,
  NetworkInfo,
  Outputs,
  PeerInfo,
  Transaction,
  UnspentOutput,
  UnspentOutputSet,
  ValidatedAddress
} from "./Types.js"

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
  return fault ?? (isRefusal ? "caller" : standardFaultOf(error))
}

const bytesFromHex = (text: string): Uint8Array => {
  if (!/^([0-9a-f]{2})+$/i.test(text)) throw new Error("a transaction must be hex")
  return hexToBytes(text)
}

/** Reads the parts of a serialized transaction, one after the other. */
const makeReader = (bytes: Uint8Array) => {
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
const stripWitnesses = (bytes: Uint8Array): Uint8Array => {
  if (bytes[4] !== 0) return bytes
  if (bytes[5] !== 1) throw new Error("the transaction has a form that is not known here")
  const { at, count, skip, times } = makeReader(bytes)
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
const computeTransactionId = async ([raw]: ReadonlyArray<unknown>): Promise<Hex> => {
  const { sha256 } = await import("@noble/hashes/sha2.js")
  const bytes = bytesFromHex(String(raw))
  const overwintered = ((bytes[3] ?? 0) & 0x80) !== 0
  if (overwintered && (bytes[0] ?? 0) > 4) throw new Error("the id is no hash of the bytes")
  const digest = sha256(sha256(overwintered ? bytes : stripWitnesses(bytes)))
  return bytesToHex(digest.reverse())
}

/** The transaction is in the pool or in a block: nodes say so in these words. */
const knownTransactionMessage =
  /already in (block ?chain|utxo set|mempool)|txn-already-(known|in-mempool)|txn-same-nonwitness-data-in-mempool/i

/** Methods outside of the table that only read: those of wallets, of peers and of the node itself. */
const reads =
  /^(?:get(?:balances?|walletinfo|transaction|addressinfo|addressesbylabel|received\w+|unconfirmedbalance|rpcinfo|memoryinfo|nodeaddresses|addrmaninfo|addednodeinfo|zmqnotifications|chainstates|orphantxs|prioritisedtransactions|address\w+|spentinfo|blockhashes|txoutset\w+)|list\w+|z_(?:getbalance\w*|gettotalbalance|list\w+)|help|ping|echo|signmessagewithprivkey)$/

/**
 * How nodes of Bitcoin and its kin speak JSON-RPC. A soft fork that never times out has 2^63 - 1 for its `timeout`.
 *
 * @since 0.1.0
 * @category getters
 */
export const dialect: Dialect = { integers: coinNumbers, numbers: ["**.timeout"], classify, reads }

/** A hash of a block or of a transaction. */
const hash = /*#__PURE__*/ hex(32)

/** Makes an unsigned transaction (hex). `locktime` is a height, or a time in seconds since 1970. @since 0.1.0 @category endpoints */
export const createRawTransaction = /*#__PURE__*/ rpc<
  [inputs: ReadonlyArray<Input>, outputs: Outputs, locktime?: number, replaceable?: boolean],
  Hex
>("createrawtransaction")
  .bytes({ 0: inputBytes })
  .params(toUnsignedParams)

/** Decodes a transaction given as hex. @since 0.1.0 @category endpoints */
export const decodeRawTransaction = /*#__PURE__*/ rpc<
  [transaction: Hex, isWitness?: boolean],
  DecodedTransaction
>("decoderawtransaction")
  .bytes({ 0: /*#__PURE__*/ hex() })
  .lists("vin", "vout")

/** Decodes a script given as hex. @since 0.1.0 @category endpoints */
export const decodeScript = /*#__PURE__*/ rpc<[script: Hex], DecodedScript>("decodescript").bytes({
  0: /*#__PURE__*/ hex()
})

/** Fee (whole coins per 1000 virtual bytes) for being in a block within `blocks` blocks. @since 0.1.0 @category endpoints */
export const estimateSmartFee = /*#__PURE__*/ rpc<[blocks: number, mode?: EstimateMode], FeeEstimate>(
  "estimatesmartfee"
)

/** Hash of the newest block. @since 0.1.0 @category endpoints */
export const getBestBlockHash = /*#__PURE__*/ rpc<[], Hex>("getbestblockhash")

/** State of the node's chain. @since 0.1.0 @category endpoints */
export const getBlockChainInfo = /*#__PURE__*/ rpc<[], BlockchainInfo>("getblockchaininfo")

/** Height of the newest block. @since 0.1.0 @category endpoints */
export const getBlockCount = /*#__PURE__*/ rpc<[], number>("getblockcount").height()

/** Hash of the block at a height. @since 0.1.0 @category endpoints */
export const getBlockHash = /*#__PURE__*/ rpc<[height: number], Hex>("getblockhash")

/** Header of a block, decoded or, with `false`, as hex. @since 0.1.0 @category endpoints */
export const getBlockHeader = /*#__PURE__*/ rpc<[blockHash: Hex, verbose?: boolean], BlockHeader | Hex>(
  "getblockheader"
)
  .bytes({ 0: hash })
  .echoes({ hash: 0 })
  .params((hash, verbose) => [hash, verbose ?? true])

/** What happened in a block: all, or the named figures. Amounts are in the smallest unit. @since 0.1.0 @category endpoints */
export const getBlockStats = /*#__PURE__*/ rpc<
  [hashOrHeight: Hex | number, stats?: ReadonlyArray<string>],
  BlockStats
>("getblockstats")
  .echoes({ blockhash: 0, height: 0 })
  .bytes({ 0: /*#__PURE__*/ unlessNumber(hash) })

/** Ends of all branches that the node knows. @since 0.1.0 @category endpoints */
export const getChainTips = /*#__PURE__*/ rpc<[], ReadonlyArray<ChainTip>>("getchaintips").lists()

/** How many transactions the chain has, and had in a range of blocks (by default a month) up to a block. @since 0.1.0 @category endpoints */
export const getChainTxStats = /*#__PURE__*/ rpc<[blocks?: number, blockHash?: Hex], ChainTransactionStats>(
  "getchaintxstats"
)
  .echoes({ window_final_block_hash: 1 })
  .bytes({ 1: hash })

/** Number of peers. @since 0.1.0 @category endpoints */
export const getConnectionCount = /*#__PURE__*/ rpc<[], number>("getconnectioncount")

/** Difficulty, as a multiple of the least. @since 0.1.0 @category endpoints */
export const getDifficulty = /*#__PURE__*/ rpc<[], number>("getdifficulty")

/** Transactions in the pool on which one there depends: ids or, if asked, entries by id. @since 0.1.0 @category endpoints */
export const getMempoolAncestors = /*#__PURE__*/ rpc<[txid: Hex, verbose?: boolean], Mempool>(
  "getmempoolancestors"
)
  .bytes({ 0: hash })
  .params((txid, verbose) => [txid, verbose ?? false])

/** Transactions in the pool that depend on one there: ids or, if asked, entries by id. @since 0.1.0 @category endpoints */
export const getMempoolDescendants = /*#__PURE__*/ rpc<[txid: Hex, verbose?: boolean], Mempool>(
  "getmempooldescendants"
)
  .bytes({ 0: hash })
  .params((txid, verbose) => [txid, verbose ?? false])

/** Transaction in the pool. @since 0.1.0 @category endpoints */
export const getMempoolEntry = /*#__PURE__*/ rpc<[txid: Hex], MempoolEntry>("getmempoolentry")
  .bytes({ 0: hash })
  .lists("depends")

/** State of the pool. @since 0.1.0 @category endpoints */
export const getMempoolInfo = /*#__PURE__*/ rpc<[], MempoolInfo>("getmempoolinfo")

/** State of mining. @since 0.1.0 @category endpoints */
export const getMiningInfo = /*#__PURE__*/ rpc<[], MiningInfo>("getmininginfo")

/** Bytes sent and received. @since 0.1.0 @category endpoints */
export const getNetTotals = /*#__PURE__*/ rpc<[], NetTotals>("getnettotals")

/** Hashes per second of the network, from so many blocks (120) before a height (the newest). @since 0.1.0 @category endpoints */
export const getNetworkHashPs = /*#__PURE__*/ rpc<[blocks?: number, height?: bigint], number>(
  "getnetworkhashps"
)

/** The node on the peer-to-peer network. @since 0.1.0 @category endpoints */
export const getNetworkInfo = /*#__PURE__*/ rpc<[], NetworkInfo>("getnetworkinfo").lists(
  "networks",
  "localaddresses"
)

/** Peers of the node. @since 0.1.0 @category endpoints */
export const getPeerInfo = /*#__PURE__*/ rpc<[], ReadonlyArray<PeerInfo>>("getpeerinfo").lists()

/** Transactions in the pool: ids or, if asked, entries by id. @since 0.1.0 @category endpoints */
export const getRawMemPool = /*#__PURE__*/ rpc<[verbose?: boolean, mempoolSequence?: boolean], Mempool>(
  "getrawmempool"
).params((verbose, sequence) => [verbose ?? false, sequence])

/** Transaction as hex or, if asked, decoded. Nodes without an index need its block, unless it is in the pool. @since 0.1.0 @category endpoints */
export const getRawTransaction = /*#__PURE__*/ rpc<
  [txid: Hex, verbose?: boolean | 0 | 1 | 2, blockHash?: Hex],
  Hex | Transaction
>("getrawtransaction")
  .bytes({ 0: hash, 2: hash })
  .echoes({ txid: 0 })
  .params((txid, verbose, blockHash) => [txid, verbose ?? false, blockHash])

/** Output, if it is not spent; null if it is, or does not exist. Looks into the pool too, unless told not to. @since 0.1.0 @category endpoints */
export const getTxOut = /*#__PURE__*/ rpc<
  [txid: Hex, vout: number, includeMempool?: boolean],
  UnspentOutput | null
>("gettxout")
  .bytes({ 0: hash })
  .params((txid, vout, includeMempool) => [txid, vout, includeMempool ?? true])

/** Proof (hex) that transactions are in a block. @since 0.1.0 @category endpoints */
export const getTxOutProof = /*#__PURE__*/ rpc<[txids: ReadonlyArray<Hex>, blockHash?: Hex], Hex>(
  "gettxoutproof"
).bytes({ 0: /*#__PURE__*/ eachOf(hash), 1: hash })

/** All outputs that are not spent, counted: takes minutes on nodes without an index of them. @since 0.1.0 @category endpoints */
export const getTxOutSetInfo = /*#__PURE__*/ rpc<
  [
    hashType?: "hash_serialized_3" | "muhash" | "none" | (string & {}),
    hashOrHeight?: Hex | bigint,
    useIndex?: boolean
  ],
  UnspentOutputSet
>("gettxoutsetinfo").bytes({ 1: /*#__PURE__*/ unlessNumber(hash) })

/** Address for `required` of so many public keys (hex). @since 0.1.0 @category endpoints */
export const createMultisig = /*#__PURE__*/ rpc<
  [required: number, keys: ReadonlyArray<Hex>, addressType?: string],
  Multisig
>("createmultisig").bytes({ 1: /*#__PURE__*/ eachOf(/*#__PURE__*/ hex()) })

/** What a miner needs to make the next block (BIP 22). @since 0.1.0 @category endpoints */
export const getBlockTemplate = /*#__PURE__*/ rpc<
  [request?: Readonly<Record<string, unknown>>],
  BlockTemplate
>("getblocktemplate").lists("transactions")

/** Sends a block (hex). Null if it was taken, otherwise why not. Safe to repeat. @since 0.1.0 @category endpoints */
export const submitBlock = /*#__PURE__*/ rpc<[block: Hex], string | null>("submitblock")
  .bytes({ 0: /*#__PURE__*/ hex() })
  .broadcast()

/**
 * Sends a signed transaction (hex), and yields its id. `maxFeeRate` is in whole coins per 1000 virtual bytes; nodes of
 * Dogecoin and older ones take a boolean there: whether high fees are allowed. Safe to repeat.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const sendRawTransaction = /*#__PURE__*/ rpc<
  [transaction: Hex, maxFeeRate?: string | boolean, maxBurnAmount?: Amount],
  Hex
>("sendrawtransaction")
  .bytes({ 0: /*#__PURE__*/ hex() })
  .broadcast({ known: knownTransactionMessage, result: computeTransactionId })

/** Whether an address is one of this chain. @since 0.1.0 @category endpoints */
export const validateAddress = /*#__PURE__*/ rpc<[address: string], ValidatedAddress>("validateaddress")

/** Whether a message was signed (Base64) by the owner of an address. @since 0.1.0 @category endpoints */
export const verifyMessage = /*#__PURE__*/ rpc<
  [address: string, signature: string, message: string],
  boolean
>("verifymessage")

/** Ids of the transactions that a proof (hex) commits to; none if it is wrong. @since 0.1.0 @category endpoints */
export const verifyTxOutProof = /*#__PURE__*/ rpc<[proof: Hex], ReadonlyArray<Hex>>("verifytxoutproof")
  .bytes({ 0: /*#__PURE__*/ hex() })
  .lists()
