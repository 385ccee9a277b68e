/**
 * Which answers of which families can never change, and for how long others hold: one table a family, for the cache alone. They stand
 * here and not in the endpoints' own lines, because every application ships those, and few have a cache.
 *
 * @since 0.1.0
 */
import { isRecord } from "../data/untrusted.js"
import type { Family } from "../data/Network.js"
import type { BlockReference, CacheRules, Validity } from "../transport/Cache.js"

type Params = ReadonlyArray<unknown>
type Rule = (params: Params) => Validity | undefined

/** The milliseconds for which fees hold: they are estimates of the next blocks. */
const FEES = 3_000

/** The milliseconds for which the head of a chain holds: less than any public chain's block takes to reach most nodes. */
const HEAD = 250

const always: Rule = () => ({ _tag: "always" })
const told: Rule = () => ({ _tag: "told" })
const fees: Rule = () => ({ _tag: "for", ms: FEES })
const head: Rule = () => ({ _tag: "for", ms: HEAD })

const at = (block: number | undefined): Validity | undefined =>
  block === undefined ? undefined : { _tag: "at", block }

const isHash = (value: unknown): value is string =>
  typeof value === "string" && /^(0x)?[0-9a-f]{64}$/i.test(value)

const of = (hash: unknown): Validity | undefined =>
  isHash(hash) ? { _tag: "of", hash: hash.toLowerCase() } : undefined

const ofHash =
  (position: number): Rule =>
  (params) =>
    of(params[position])

/** A number as EVM nodes write it, and `earliest`; of other tags nobody can say what they will be. */
const evmNumber = (value: unknown): number | undefined => {
  const number =
    value === "earliest"
      ? 0
      : typeof value === "string" && /^0x[0-9a-f]{1,13}$/i.test(value)
        ? Number(value)
        : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** A block in the parameters of an EVM call: a number, a hash, or an object that has one of them (EIP-1898). */
const evmBlock = (value: unknown): Validity | undefined =>
  isRecord(value)
    ? value.blockHash === undefined
      ? at(evmNumber(value.blockNumber))
      : of(value.blockHash)
    : isHash(value)
      ? of(value)
      : at(evmNumber(value))

const evmAt =
  (position: number): Rule =>
  (params) =>
    evmBlock(params[position])

/** Blocks that follow the head hold as it does. */
const evmBlockOrHead: Rule = (params) =>
  params[0] === "latest" || params[0] === "safe" || params[0] === "finalized"
    ? head(params)
    : evmBlock(params[0])

const evmLogs: Rule = ([filter]) => {
  if (!isRecord(filter)) return undefined
  if (filter.blockHash !== undefined) return of(filter.blockHash)
  const from = evmNumber(filter.fromBlock)
  const to = evmNumber(filter.toBlock)
  return from === undefined || to === undefined ? undefined : at(Math.max(from, to))
}

const evmMethods: Readonly<Record<string, Rule>> = {
  eth_chainId: always,
  net_version: always,
  eth_blockNumber: head,
  eth_gasPrice: fees,
  eth_maxPriorityFeePerGas: fees,
  eth_blobBaseFee: fees,
  eth_baseFee: fees,
  eth_feeHistory: (params) => evmBlock(params[1]) ?? fees(params),
  eth_getBlockByNumber: evmBlockOrHead,
  eth_getBlockReceipts: evmAt(0),
  eth_getBlockTransactionCountByNumber: evmAt(0),
  eth_getTransactionByBlockNumberAndIndex: evmAt(0),
  eth_getUncleByBlockNumberAndIndex: evmAt(0),
  eth_getUncleCountByBlockNumber: evmAt(0),
  eth_getBalance: evmAt(1),
  eth_getTransactionCount: evmAt(1),
  eth_getCode: evmAt(1),
  eth_getStorageAt: evmAt(2),
  eth_getStorageValues: evmAt(1),
  eth_getProof: evmAt(2),
  eth_call: evmAt(1),
  eth_getLogs: evmLogs,
  trace_block: evmAt(0),
  debug_getRawBlock: evmAt(0),
  debug_getRawHeader: evmAt(0),
  debug_getRawReceipts: evmAt(0),
  eth_getTransactionByHash: told,
  eth_getTransactionReceipt: told,
  trace_transaction: told,
  eth_getBlockByHash: ofHash(0),
  eth_getBlockTransactionCountByHash: ofHash(0),
  eth_getTransactionByBlockHashAndIndex: ofHash(0),
  eth_getUncleByBlockHashAndIndex: ofHash(0),
  eth_getUncleCountByBlockHash: ofHash(0)
}

const heightIn = (block: unknown): number | undefined =>
  isRecord(block) ? evmNumber(block.number) : undefined
const hashIn = (block: unknown): string | undefined =>
  isRecord(block) && isHash(block.hash) ? block.hash.toLowerCase() : undefined

/** The block of an answer of an EVM node: a block itself, or what is in one; of a list, its first element's. */
const evmBlockOf = (result: unknown): BlockReference | undefined => {
  const value: unknown = Array.isArray(result) ? result[0] : result
  if (!isRecord(value)) return undefined
  const number =
    value.blockNumber === undefined
      ? evmNumber(value.number)
      : typeof value.blockNumber === "number"
        ? value.blockNumber
        : evmNumber(value.blockNumber)
  const hash = value.blockHash ?? value.hash
  return number !== undefined && isHash(hash) ? { number, hash: hash.toLowerCase() } : undefined
}

const blockAt = (tag: string) => ({ method: "eth_getBlockByNumber", params: [tag, false] })

/**
 * EVM chains. Where nodes know no tag `finalized`, what is 10,000 blocks deep is final: Ethereum Classic has lost 7,000.
 *
 * @since 0.1.0
 * @category constants
 */
export const evm: CacheRules = {
  validityOf: (method, params) => evmMethods[method.replace(/^(klay|kaia)_/, "eth_")]?.(params),
  genesis: { ...blockAt("0x0"), read: hashIn },
  final: [
    { ...blockAt("finalized"), read: heightIn },
    {
      method: "eth_blockNumber",
      params: [],
      read: (height) => {
        const number = evmNumber(height)
        return number === undefined ? undefined : number - 10_000
      }
    }
  ],
  numberOf: (hash) => ({ method: "eth_getBlockByHash", params: [hash, false], read: heightIn }),
  hashAt: (block) => ({ ...blockAt(`0x${block.toString(16)}`), read: hashIn }),
  blockOf: evmBlockOf
}

const whole = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined
const hash = (value: unknown): string | undefined => (isHash(value) ? value.toLowerCase() : undefined)

/** Answers with confirmations, or with the next block, change with every block: of those by hash the raw ones alone are kept. */
const raw =
  (position: number): Rule =>
  (params) =>
    params[position] === 0 || params[position] === false ? of(params[0]) : undefined

const utxoMethods: Readonly<Record<string, Rule>> = {
  getblockcount: head,
  getbestblockhash: head,
  estimatesmartfee: fees,
  estimatefee: fees,
  getblockhash: (params) => at(whole(params[0])),
  getblockstats: ([block]) => (typeof block === "number" ? at(whole(block)) : of(block)),
  getblock: raw(1),
  getblockheader: raw(1),
  getblockfilter: ofHash(0),
  // of a block that is named; without one it may be anywhere
  getrawtransaction: (params) => (params[1] === false || params[1] === 0 ? of(params[2]) : undefined)
}

/**
 * Bitcoin and those that speak as it does, where what is 100 blocks deep is final: so deep must coins be that miners may spend.
 *
 * @since 0.1.0
 * @category constants
 */
export const utxo: CacheRules = {
  validityOf: (method, params) => utxoMethods[method]?.(params),
  genesis: { method: "getblockhash", params: [0], read: hash },
  final: [
    {
      method: "getblockcount",
      params: [],
      read: (height) => {
        const number = whole(height)
        return number === undefined ? undefined : number - 100
      }
    }
  ],
  numberOf: (block) => ({
    method: "getblockheader",
    params: [block, true],
    read: (header) => (isRecord(header) ? whole(header.height) : undefined)
  }),
  hashAt: (block) => ({ method: "getblockhash", params: [block], read: hash }),
  blockOf: () => undefined
}

/** Nodes of Solana say by themselves what is final, where nothing less is asked for. */
const finalized =
  (position: number): Rule =>
  (params) => {
    const options = params[position]
    const commitment: unknown = isRecord(options) ? options.commitment : undefined
    return commitment === undefined || commitment === null || commitment === "finalized"
      ? { _tag: "always" }
      : undefined
  }

const solanaMethods: Readonly<Record<string, Rule>> = {
  getGenesisHash: always,
  getEpochSchedule: always,
  getBlock: finalized(1),
  getTransaction: finalized(1),
  getBlockHeight: head,
  getSlot: head,
  getRecentPrioritizationFees: fees
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/**
 * Solana. Slots are its heights.
 *
 * @since 0.1.0
 * @category constants
 */
export const solana: CacheRules = {
  validityOf: (method, params) => solanaMethods[method]?.(params),
  genesis: { method: "getGenesisHash", params: [], read: text },
  final: [{ method: "getSlot", params: [{ commitment: "finalized" }], read: whole }],
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
export const facts: { readonly [F in Family]?: CacheRules } = {
  evm,
  "evm-beacon": evm,
  "evm-native": evm,
  zksync: evm,
  utxo,
  "utxo-estimatefee": utxo,
  doge: utxo,
  solana
}
