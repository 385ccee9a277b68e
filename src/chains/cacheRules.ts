/**
 * Which answers of which families can never change, and for how long others hold: one table a family, for the cache alone. They stand
 * here and not in the endpoints' own lines, because every application ships those, and few have a cache.
 *
 * @since 0.1.0
 */

import type { FamilyId } from "../data/Network.js"
import { isRecord } from "../data/untrusted.js"
import type { BlockReference, CacheRules, Validity } from "../transport/Cache.js"

type Params = ReadonlyArray<unknown>
type Rule = (params: Params) => Validity | undefined

/** The milliseconds for which fees hold: they are estimates of the next blocks. */
const FEES_MS = 3_000

/** The milliseconds for which the head of a chain holds: less than any public chain's block takes to reach most nodes. */
const HEAD_MS = 250

const always: Rule = () => ({ _tag: "forever" })
const asAnswerSays: Rule = () => ({ _tag: "answerBlock" })
const shortly: Rule = () => ({ _tag: "limited", ms: FEES_MS })
const untilNextBlock: Rule = () => ({ _tag: "limited", ms: HEAD_MS })

const atBlock = (block: number | undefined): Validity | undefined =>
  block === undefined ? undefined : { _tag: "blockNumber", block }

const isHash = (value: unknown): value is string =>
  typeof value === "string" && /^(0x)?[0-9a-f]{64}$/i.test(value)

const ofBlockHash = (hash: unknown): Validity | undefined =>
  isHash(hash) ? { _tag: "blockHash", hash: hash.toLowerCase() } : undefined

const hashAt =
  (position: number): Rule =>
  (params) =>
    ofBlockHash(params[position])

/** A number as EVM nodes write it, and `earliest`; of other tags nobody can say what they will be. */
const parseEvmNumber = (value: unknown): number | undefined => {
  const number =
    value === "earliest"
      ? 0
      : typeof value === "string" && /^0x[0-9a-f]{1,13}$/i.test(value)
        ? Number(value)
        : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** A block in the parameters of an EVM call: a number, a hash, or an object that has one of them (EIP-1898). */
const parseEvmBlock = (value: unknown): Validity | undefined =>
  isRecord(value)
    ? value.blockHash === undefined
      ? atBlock(parseEvmNumber(value.blockNumber))
      : ofBlockHash(value.blockHash)
    : isHash(value)
      ? ofBlockHash(value)
      : atBlock(parseEvmNumber(value))

const evmBlockAt =
  (position: number): Rule =>
  (params) =>
    parseEvmBlock(params[position])

/** Blocks that follow the head hold as it does. */
const evmBlockOrHead: Rule = (params) =>
  params[0] === "latest" || params[0] === "safe" || params[0] === "finalized"
    ? untilNextBlock(params)
    : parseEvmBlock(params[0])

const evmLogs: Rule = ([filter]) => {
  if (!isRecord(filter)) return undefined
  if (filter.blockHash !== undefined) return ofBlockHash(filter.blockHash)
  const from = parseEvmNumber(filter.fromBlock)
  const to = parseEvmNumber(filter.toBlock)
  return from === undefined || to === undefined ? undefined : atBlock(Math.max(from, to))
}

const evmMethods: Readonly<Record<string, Rule>> = {
  eth_chainId: always,
  net_version: always,
  eth_blockNumber: untilNextBlock,
  eth_gasPrice: shortly,
  eth_maxPriorityFeePerGas: shortly,
  eth_blobBaseFee: shortly,
  eth_baseFee: shortly,
  eth_feeHistory: (params) => parseEvmBlock(params[1]) ?? shortly(params),
  eth_getBlockByNumber: evmBlockOrHead,
  eth_getBlockReceipts: evmBlockAt(0),
  eth_getBlockTransactionCountByNumber: evmBlockAt(0),
  eth_getTransactionByBlockNumberAndIndex: evmBlockAt(0),
  eth_getUncleByBlockNumberAndIndex: evmBlockAt(0),
  eth_getUncleCountByBlockNumber: evmBlockAt(0),
  eth_getBalance: evmBlockAt(1),
  eth_getTransactionCount: evmBlockAt(1),
  eth_getCode: evmBlockAt(1),
  eth_getStorageAt: evmBlockAt(2),
  eth_getStorageValues: evmBlockAt(1),
  eth_getProof: evmBlockAt(2),
  eth_call: evmBlockAt(1),
  eth_getLogs: evmLogs,
  trace_block: evmBlockAt(0),
  debug_getRawBlock: evmBlockAt(0),
  debug_getRawHeader: evmBlockAt(0),
  debug_getRawReceipts: evmBlockAt(0),
  eth_getTransactionByHash: asAnswerSays,
  eth_getTransactionReceipt: asAnswerSays,
  trace_transaction: asAnswerSays,
  eth_getBlockByHash: hashAt(0),
  eth_getBlockTransactionCountByHash: hashAt(0),
  eth_getTransactionByBlockHashAndIndex: hashAt(0),
  eth_getUncleByBlockHashAndIndex: hashAt(0),
  eth_getUncleCountByBlockHash: hashAt(0)
}

const heightOf = (block: unknown): number | undefined =>
  isRecord(block) ? parseEvmNumber(block.number) : undefined
const hashOf = (block: unknown): string | undefined =>
  isRecord(block) && isHash(block.hash) ? block.hash.toLowerCase() : undefined

/** The block of an answer of an EVM node: a block itself, or what is in one; of a list, its first element's. */
const evmBlockOfResult = (result: unknown): BlockReference | undefined => {
  const value: unknown = Array.isArray(result) ? result[0] : result
  if (!isRecord(value)) return undefined
  const number =
    value.blockNumber === undefined
      ? parseEvmNumber(value.number)
      : typeof value.blockNumber === "number"
        ? value.blockNumber
        : parseEvmNumber(value.blockNumber)
  const hash = value.blockHash ?? value.hash
  return number !== undefined && isHash(hash) ? { number, hash: hash.toLowerCase() } : undefined
}

const blockByTag = (tag: string) => ({ method: "eth_getBlockByNumber", params: [tag, false] })

/**
 * EVM chains. Where nodes know no tag `finalized`, what is 10,000 blocks deep is final: Ethereum Classic has lost 7,000.
 *
 * @since 0.1.0
 * @category constants
 */
export const evm: CacheRules = {
  validityOf: (method, params) => evmMethods[method.replace(/^(klay|kaia)_/, "eth_")]?.(params),
  genesis: { ...blockByTag("0x0"), read: hashOf },
  final: [
    { ...blockByTag("finalized"), read: heightOf },
    {
      method: "eth_blockNumber",
      params: [],
      read: (height) => {
        const number = parseEvmNumber(height)
        return number === undefined ? undefined : number - 10_000
      }
    }
  ],
  numberOf: (hash) => ({ method: "eth_getBlockByHash", params: [hash, false], read: heightOf }),
  hashAt: (block) => ({ ...blockByTag(`0x${block.toString(16)}`), read: hashOf }),
  blockOf: evmBlockOfResult
}

const parseHeight = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined
const parseHash = (value: unknown): string | undefined => (isHash(value) ? value.toLowerCase() : undefined)

/** Answers with confirmations, or with the next block, change with every block: of those by hash the raw ones alone are kept. */
const rawBlockAt =
  (position: number): Rule =>
  (params) =>
    params[position] === 0 || params[position] === false ? ofBlockHash(params[0]) : undefined

const utxoMethods: Readonly<Record<string, Rule>> = {
  getblockcount: untilNextBlock,
  getbestblockhash: untilNextBlock,
  estimatesmartfee: shortly,
  estimatefee: shortly,
  getblockhash: (params) => atBlock(parseHeight(params[0])),
  getblockstats: ([block]) => (typeof block === "number" ? atBlock(parseHeight(block)) : ofBlockHash(block)),
  getblock: rawBlockAt(1),
  getblockheader: rawBlockAt(1),
  getblockfilter: hashAt(0),
  // of a block that is named; without one it may be anywhere
  getrawtransaction: (params) => (params[1] === false || params[1] === 0 ? ofBlockHash(params[2]) : undefined)
}

/**
 * Bitcoin and those that speak as it does, where what is 100 blocks deep is final: so deep must coins be that miners may spend.
 *
 * @since 0.1.0
 * @category constants
 */
export const utxo: CacheRules = {
  validityOf: (method, params) => utxoMethods[method]?.(params),
  genesis: { method: "getblockhash", params: [0], read: parseHash },
  final: [
    {
      method: "getblockcount",
      params: [],
      read: (height) => {
        const number = parseHeight(height)
        return number === undefined ? undefined : number - 100
      }
    }
  ],
  numberOf: (block) => ({
    method: "getblockheader",
    params: [block, true],
    read: (header) => (isRecord(header) ? parseHeight(header.height) : undefined)
  }),
  hashAt: (block) => ({ method: "getblockhash", params: [block], read: parseHash }),
  blockOf: () => undefined
}

/** Nodes of Solana say by themselves what is final, where nothing less is asked for. */
const finalizedAt =
  (position: number): Rule =>
  (params) => {
    const options = params[position]
    const commitment: unknown = isRecord(options) ? options.commitment : undefined
    return commitment === undefined || commitment === null || commitment === "finalized"
      ? { _tag: "forever" }
      : undefined
  }

const solanaMethods: Readonly<Record<string, Rule>> = {
  getGenesisHash: always,
  getEpochSchedule: always,
  getBlock: finalizedAt(1),
  getTransaction: finalizedAt(1),
  getBlockHeight: untilNextBlock,
  getSlot: untilNextBlock,
  getRecentPrioritizationFees: shortly
}

const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/**
 * Solana. Slots are its heights.
 *
 * @since 0.1.0
 * @category constants
 */
export const solana: CacheRules = {
  validityOf: (method, params) => solanaMethods[method]?.(params),
  genesis: { method: "getGenesisHash", params: [], read: asText },
  final: [{ method: "getSlot", params: [{ commitment: "finalized" }], read: parseHeight }],
  // no answer of Solana is named by the hash of a block
  numberOf: () => ({ method: "getSlot", params: [], read: () => undefined }),
  hashAt: () => ({ method: "getSlot", params: [], read: () => undefined }),
  blockOf: () => undefined
}

/**
 * The facts of the families that have such; of others nothing is kept.
 *
 * @since 0.1.0
 * @category constants
 */
export const facts: { readonly [F in FamilyId]?: CacheRules } = {
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  utxo,
  "utxo-estimatefee": utxo,
  doge: utxo,
  solana
}
