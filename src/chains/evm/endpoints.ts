/**
 * How nodes of EVM chains speak, and the endpoints of every EVM chain, each of which a bundle leaves out that does not name it.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import type { MakeHasBlockCall } from "../../balancer/Family.js"
import { type BytesForm, byFieldName, eachOf, hex0x } from "../../data/bytes.js"
import { type Dialect, type Fault, type PastBlock, Refused, rpc } from "../../data/Endpoint.js"
import { numberIntegers } from "../../data/integers.js"
import { withoutTail } from "../../data/tail.js"
import { isRecord, toPrintableJson } from "../../data/untrusted.js"
import { makeInternalRead, nextId } from "../../wire/jsonRpc.js"
import { standardFaults } from "../internal/faults.js"
import type {
  AccessListResult,
  AccountAccess,
  BadBlock,
  Block,
  BlockBy,
  BlockTracesBy,
  BytesInput,
  Capabilities,
  FeeHistory,
  FilledTransaction,
  ForkConfigs,
  FoundUserOperation,
  Hex,
  HexInput,
  Log,
  LogFilter,
  Mined,
  OptionalBlock,
  Proof,
  Quantity,
  Receipt,
  Simulation,
  SimulationBy,
  StateOverrides,
  StorageRange,
  Syncing,
  Trace,
  TraceBy,
  TraceCallOptions,
  TraceFilter,
  TraceOptions,
  TraceResult,
  TraceType,
  Transaction,
  TransactionRequest,
  TxPoolContent,
  TxPoolInspect,
  TxPoolStatus,
  UncleResult,
  UserOperation,
  UserOperationCall,
  UserOperationGas,
  UserOperationReceipt
} from "./Types.js"

const isQuantity = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{1,256}$/i.test(value)

/** A quantity as nodes take it; `what` names it in the error. */
const toQuantity = (value: Quantity, what: string): Hex => {
  if (
    typeof value === "bigint"
      ? value >= 0n
      : typeof value === "number" && Number.isSafeInteger(value) && value >= 0
  ) {
    return `0x${value.toString(16)}`
  }
  if (typeof value === "string") {
    if (isQuantity(value)) return value
    if (/^\d+$/.test(value)) return `0x${BigInt(value).toString(16)}`
  }
  throw new Error(`${what} must be a whole number from 0 or a 0x string, not ${toPrintableJson(value, 200)}`)
}

const tags: ReadonlySet<unknown> = new Set(["latest", "pending", "earliest", "safe", "finalized"])

/** A block as nodes take it. */
const toBlockParam = (value: Block = "latest"): unknown =>
  tags.has(value) || typeof value === "object" ? value : toQuantity(value, "the block")

/**
 * A quantity of the wire (0x string) as `bigint`; throws on anything else.
 *
 * @since 0.1.0
 * @category conversions
 */
export const quantity = (value: string): bigint => {
  if (!isQuantity(value)) {
    throw new Error(`a quantity was expected, not ${toPrintableJson(value, 200)}`)
  }
  return BigInt(value)
}

/** A number of transactions, as an account can have sent: no number of JavaScript is above 2^53, and no account near it (EIP-2681). */
const parseNonce = (value: string): bigint => {
  const count = quantity(value)
  if (count > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error(`a number of transactions was expected, not ${toPrintableJson(value, 200)}`)
  return count
}

const toIndex = (value: Quantity): Hex => toQuantity(value, "the index")

/** A request with its numbers, at any depth, as nodes take them: all of them are quantities. Texts are sent as they are. */
const encodeDeep = (value: unknown, name = "value"): unknown =>
  typeof value === "number" || typeof value === "bigint"
    ? toQuantity(value, `the ${name}`)
    : Array.isArray(value)
      ? value.map((item) => encodeDeep(item, name))
      : isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([key, field]) => [key, encodeDeep(field, key)]))
        : value

/** Bytes of any length, as `hex0x` reads them. */
const anyBytes = /*#__PURE__*/ hex0x()

/** A hash, or another word of 32 bytes. */
const word = /*#__PURE__*/ hex0x(32)

/** A topic, several of which any will do, or none. */
const topic: BytesForm = (value, place, args) =>
  Array.isArray(value)
    ? value.map((one, i) => (one === null ? one : word(one, `${place}[${i}]`, args)))
    : value === null
      ? value
      : word(value, place, args)

/** The fields of requests that are bytes (execution-apis, ERC-4337), at whatever depth they stand. @since 0.1.0 @category getters */
export const transactionBytes = /*#__PURE__*/ byFieldName({
  accessList: /*#__PURE__*/ byFieldName({ storageKeys: /*#__PURE__*/ eachOf(word) }),
  blobVersionedHashes: /*#__PURE__*/ eachOf(word),
  blockHash: word,
  callData: anyBytes,
  code: anyBytes,
  data: anyBytes,
  factoryData: anyBytes,
  initCode: anyBytes,
  input: anyBytes,
  paymasterAndData: anyBytes,
  paymasterData: anyBytes,
  signature: anyBytes,
  topics: /*#__PURE__*/ eachOf(topic)
})

/** A block that is named by its hash. */
const blockBytes = /*#__PURE__*/ byFieldName({ blockHash: word })

const toFilter = <F extends { readonly fromBlock?: Block; readonly toBlock?: Block }>(value: F): unknown => ({
  ...value,
  ...(value.fromBlock === undefined ? {} : { fromBlock: toBlockParam(value.fromBlock) }),
  ...(value.toBlock === undefined ? {} : { toBlock: toBlockParam(value.toBlock) })
})

/** The words of an eth_call reply. An empty one means that there is no contract, or none with this function. */
const abiWords = (reply: string): string => {
  if (typeof reply !== "string" || !/^0x[0-9a-f]*$/i.test(reply)) throw new Error("a 0x string was expected")
  if (reply === "0x") throw new Refused("there is no contract with this function at the address")
  return reply.slice(2)
}

const decodeUint = (reply: string): bigint => BigInt(`0x${abiWords(reply).slice(0, 64)}`)

const utf8 = /*#__PURE__*/ new TextDecoder("utf-8", { ignoreBOM: true })

const bytesFromDigits = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** A `string` of the contract ABI; or the `bytes32` that the first tokens (MKR, SAI) used in its place. */
const decodeText = (reply: string): string => {
  const digits = abiWords(reply)
  if (digits.length === 64) return utf8.decode(bytesFromDigits(withoutTail(digits, "00")))
  const start = Number(BigInt(`0x${digits.slice(0, 64)}`)) * 2
  const size = digits.slice(start, start + 64)
  const length = size.length === 64 ? Number(BigInt(`0x${size}`)) * 2 : Number.NaN
  const content = digits.slice(start + 64, start + 64 + length)
  if (content.length !== length) throw new Refused("the contract's answer is not a string")
  return utf8.decode(bytesFromDigits(content))
}

/** EIP-165: a contract that does not know supportsInterface supports nothing. */
const decodeBool = (reply: string): boolean => reply !== "0x" && decodeUint(reply) === 1n

/** A call of a token's function without arguments, by its selector. */
const makeTokenCall =
  (selector: string) =>
  (tokenAddress: HexInput): ReadonlyArray<unknown> => [{ to: tokenAddress, data: selector }, "latest"]

/** The hash under which a signed transaction is known: the Keccak-256 of its bytes. */
const computeTransactionHash = async ([raw]: ReadonlyArray<unknown>): Promise<Hex> => {
  const { keccak256 } = await import("../../data/keccak.js")
  const digest = keccak256(bytesFromDigits(String(raw).replace(/^0x/, "")))
  return `0x${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`
}

/** Position of the block among the parameters, of the methods that need history when it is not the latest. */
const historicalBlockAt: Readonly<Record<string, number>> = {
  getBalance: 1,
  getStorageAt: 2,
  getStorageValues: 1,
  getBlockByNumber: 0
}

const isPast = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && value !== "latest"

/**
 * Which calls belong on an archive node (specification, section 4): getCode, call, debug and trace methods always;
 * balance, storage, block-by-number and log queries when their block is not the latest.
 *
 * @since 0.1.0
 * @category getters
 */
export const needsArchive = (method: string, params: unknown): boolean => {
  if (/^(debug|trace)_/.test(method)) return true
  // a method without a prefix is none of these
  const name = method.slice(method.indexOf("_") + 1 || method.length)
  if (name === "getCode" || name === "call") return true
  if (!Array.isArray(params)) return false
  if (name === "getLogs") {
    const [range] = params
    return typeof range === "object" && range !== null && (isPast(range.fromBlock) || isPast(range.toBlock))
  }
  const position = historicalBlockAt[name]
  return position !== undefined && isPast(params[position])
}

/** A block that is named by its number; the tags mean blocks at the head, which every node has, but for the first one. */
const parseBlockNumber = (block: unknown): PastBlock | undefined => {
  const number =
    block === "earliest" ? 0 : typeof block === "string" && /^0x/.test(block) ? Number(block) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

/** Position of the block among the parameters, of methods that answer with nothing where they lack the data. */
const listingBlockAt: Readonly<Record<string, number>> = {
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getLogs: 0,
  trace_block: 0,
  trace_filter: 0
}

/** The past block in which a call looks for something: of a range, the first one. */
const findPastBlock = (method: string, params: unknown): PastBlock | undefined => {
  const position = listingBlockAt[method]
  const value: unknown = position === undefined || !Array.isArray(params) ? undefined : params[position]
  if (typeof value !== "object" || value === null) return parseBlockNumber(value)
  const { blockHash, fromBlock }: { readonly blockHash?: unknown; readonly fromBlock?: unknown } = value
  return typeof blockHash === "string" && blockHash.startsWith("0x")
    ? `0x${blockHash.slice(2)}`
    : parseBlockNumber(fromBlock)
}

/**
 * Asks a node whether it holds a block: header and body, which nodes that have thrown their history away refuse or do not know.
 *
 * @since 0.1.0
 * @category getters
 */
export const makeHeldBlockCall: MakeHasBlockCall = (block) => {
  const isNumber = typeof block === "number"
  const call = makeInternalRead(
    nextId(),
    isNumber ? "eth_getBlockByNumber" : "eth_getBlockByHash",
    [isNumber ? `0x${block.toString(16)}` : block, false],
    dialect
  )
  return { ...call, decode: (reply) => Either.map(call.decode(reply), (found) => found !== null) }
}

/**
 * Words of nodes and providers in their errors, in the order in which they count. The rest of a revert may be words of
 * the contract, so that nothing after it must decide.
 */
const faultByMessage: ReadonlyArray<readonly [RegExp, Fault]> = [
  [/revert|vm:? (err|exc|exe)|(filter|subscription|type) not/i, "caller"],
  // the request itself takes the time, as it may on every node
  [/(execution|query|enabled).{0,12}time/i, "unclear"],
  [
    /rate.?limit|too many req|(requests?|credits) (count|limit)|quota|overload|busy|healthy|backend (?!resp)|timed? ?out|try again|temporar|shutting|initial sync|unauthor|authenti/i,
    "node"
  ],
  [
    /not (be |yet |currently )?(found|avail|canon|incl|enab)|n.t exist|(not |un)support|unavail|disabled|unknown block|no state|missing trie|prun|archive|historical|indexing|older than|of ?range|beyond|unfinal|window|is full/i,
    "elsewhere"
  ],
  // the transaction is wrong, or the request asks for too much
  [
    /^invalid (?!char|resp|up)|gas|nonce|funds|transfer|\bfee|underpr|already ?[eikr]|known trans|chain ?id|another chain|sender|account (0x|lim)|blob|stack [lou]|depth|collision|write prot|data out|range|exceeds|too (large|long|short)|too many bl|size|limit the|less num|more than|negative|replay/i,
    "caller"
  ]
]

/** The faults by the codes of EVM nodes, where the words are not known. */
const faultByCode: Readonly<Record<number, Fault>> = {
  [-32003]: "caller",
  [-32015]: "caller",
  [-32001]: "elsewhere",
  4444: "elsewhere",
  [-32005]: "node"
}

/**
 * Whose fault a JSON-RPC error of an EVM node is. An unknown error (-32000 or -32603 with other words) is unclear.
 *
 * @since 0.1.0
 * @category getters
 */
export const classify = ({ code, message }: { readonly code: number; readonly message: string }): Fault => {
  // 3 is a revert; 4 says of a transaction that it was taken, and waits (EIP-7966); -38… are of eth_simulateV1
  if (code === 3 || code === 4 || Math.trunc(code / 1000) === -38) return "caller"
  // the words that count stand at the beginning, and the rest may be of any length
  const text = message.slice(0, 1000)
  return (
    faultByMessage.find(([pattern]) => pattern.test(text))?.[1] ??
    faultByCode[code] ??
    standardFaults[code] ??
    "unclear"
  )
}

/** Methods outside of the table that only read. Those of filters belong to a node. */
const reads =
  /^(?:(?:eth|klay|kaia|debug|erigon|bor|zks|alchemy|linea|qn)_get(?!Filter)\w+|(?:eth|klay|kaia)_(?:accounts|coinbase|mining|hashrate|baseFee|callMany|callBundle|estimate\w+|fillTransaction|supportedEntryPoints)|debug_(?:trace\w+|accountRange|accountAt|dumpBlock|dbGet|intermediateRoots|executionWitness)|(?:trace|ots|net|txpool|web3|rollup|optimism)_\w+|erigon_(?:forks|blockNumber)|alchemy_simulate\w+|linea_estimateGas|(?:anvil|hardhat)_(?:nodeInfo|metadata)|admin_(?:nodeInfo|peers)|rpc_modules)$/

/** Methods outside of the table that send signed transactions. */
const broadcasts = /^(?:eth|klay|kaia)_send(?:RawTransaction\w*|Private\w*Transaction|UserOperation|Bundle)$/

/**
 * How EVM nodes speak JSON-RPC, and which calls belong on an archive node.
 *
 * @since 0.1.0
 * @category getters
 */
export const dialect: Dialect = {
  integers: numberIntegers,
  archive: needsArchive,
  past: findPastBlock,
  limits: [-32005],
  classify,
  reads,
  broadcasts
}

/** Height of the newest block. @since 0.1.0 @category endpoints */
export const blockNumber = /*#__PURE__*/ rpc<[], bigint>("eth_blockNumber").decode(quantity).height()

/** Chain id (EIP-155). @since 0.1.0 @category endpoints */
export const chainId = /*#__PURE__*/ rpc<[], bigint>("eth_chainId").decode(quantity)

/** Price of a unit of gas, in wei, as the node suggests it. @since 0.1.0 @category endpoints */
export const gasPrice = /*#__PURE__*/ rpc<[], bigint>("eth_gasPrice").decode(quantity)

/** Priority fee per unit of gas, in wei, as the node suggests it (EIP-1559). @since 0.1.0 @category endpoints */
export const maxPriorityFeePerGas = /*#__PURE__*/ rpc<[], bigint>("eth_maxPriorityFeePerGas").decode(quantity)

/** Base fee per unit of blob gas, in wei (EIP-7516). @since 0.1.0 @category endpoints */
export const blobBaseFee = /*#__PURE__*/ rpc<[], bigint>("eth_blobBaseFee").decode(quantity)

/** Base fee per unit of gas of the next block, in wei. @since 0.1.0 @category endpoints */
export const baseFee = /*#__PURE__*/ rpc<[], bigint>("eth_baseFee").decode(quantity)

/** Base fees and priority fees of past blocks. @since 0.1.0 @category endpoints */
export const feeHistory = /*#__PURE__*/ rpc<
  [blockCount: Quantity, newestBlock: Block, rewardPercentiles?: ReadonlyArray<number>],
  FeeHistory
>("eth_feeHistory")
  .params((count, newest, percentiles) => [
    toQuantity(count, "the count"),
    toBlockParam(newest),
    percentiles ?? []
  ])
  .lists("baseFeePerGas", "gasUsedRatio")

/** Balance of an address, in wei. @since 0.1.0 @category endpoints */
export const getBalance = /*#__PURE__*/ rpc<[address: HexInput, block?: OptionalBlock], bigint>(
  "eth_getBalance"
)
  .bytes({ 1: blockBytes })
  .params((address, at) => [address, toBlockParam(at)])
  .decode(quantity)

/** Number of transactions sent from an address: its next nonce. @since 0.1.0 @category endpoints */
export const getTransactionCount = /*#__PURE__*/ rpc<[address: HexInput, block?: OptionalBlock], bigint>(
  "eth_getTransactionCount"
)
  .bytes({ 1: blockBytes })
  .params((address, at) => [address, toBlockParam(at)])
  .decode(parseNonce)

/** Code of a contract; `0x` where there is none. @since 0.1.0 @category endpoints */
export const getCode = /*#__PURE__*/ rpc<[address: HexInput, block?: OptionalBlock], Hex>("eth_getCode")
  .bytes({ 1: blockBytes })
  .params((address, at) => [address, toBlockParam(at)])

/** Value of a storage slot of a contract. @since 0.1.0 @category endpoints */
export const getStorageAt = /*#__PURE__*/ rpc<
  [address: HexInput, position: Quantity, block?: OptionalBlock],
  Hex
>("eth_getStorageAt")
  .bytes({ 2: blockBytes })
  .params((address, position, at) => [address, toQuantity(position, "the position"), toBlockParam(at)])

/** Values of storage slots of several contracts, by address, in the order of the slots asked for. @since 0.1.0 @category endpoints */
export const getStorageValues = /*#__PURE__*/ rpc<
  [slots: Readonly<Record<HexInput, ReadonlyArray<HexInput>>>, block?: OptionalBlock],
  Readonly<Record<Hex, ReadonlyArray<Hex>>>
>("eth_getStorageValues").params((slots, at) => [slots, toBlockParam(at)])

/** Account and storage slots with Merkle proofs (EIP-1186). @since 0.1.0 @category endpoints */
export const getProof = /*#__PURE__*/ rpc<
  [address: HexInput, storageKeys: ReadonlyArray<HexInput>, block?: OptionalBlock],
  Proof
>("eth_getProof")
  .echoes({ address: 0 })
  .params((address, keys, at) => [address, keys, toBlockParam(at)])
  .lists("accountProof", "storageProof")

/** Runs a call without a transaction, and yields what it returned. @since 0.1.0 @category endpoints */
export const call = /*#__PURE__*/ rpc<[transaction: TransactionRequest, block?: OptionalBlock], Hex>(
  "eth_call"
)
  .bytes({ 0: transactionBytes, 1: blockBytes })
  .params((transaction, at) => [encodeDeep(transaction), toBlockParam(at)])

/** Gas that a transaction would use. @since 0.1.0 @category endpoints */
export const estimateGas = /*#__PURE__*/ rpc<
  [transaction: TransactionRequest, block?: OptionalBlock],
  bigint
>("eth_estimateGas")
  .bytes({ 0: transactionBytes, 1: blockBytes })
  .params((transaction, at) =>
    at === undefined ? [encodeDeep(transaction)] : [encodeDeep(transaction), toBlockParam(at)]
  )
  .decode(quantity)

/** Access list for a transaction (EIP-2930), and the gas used with it. @since 0.1.0 @category endpoints */
export const createAccessList = /*#__PURE__*/ rpc<
  [transaction: TransactionRequest, block?: OptionalBlock],
  AccessListResult
>("eth_createAccessList")
  .bytes({ 0: transactionBytes, 1: blockBytes })
  .params((transaction, at) => [encodeDeep(transaction), toBlockParam(at)])
  .lists("accessList")

/** Simulates blocks of calls on top of each other (eth_simulateV1). @since 0.1.0 @category endpoints */
export const simulate = /*#__PURE__*/ rpc<[payload: Simulation, block?: OptionalBlock], unknown>(
  "eth_simulateV1"
)
  .bytes({ 0: transactionBytes })
  .params((payload, at) => [encodeDeep(payload), toBlockParam(at)])
  .lists()
  .choosing<0, Simulation, SimulationBy>()

/** Block by hash, with hashes of its transactions or, if asked, whole ones; null if unknown. @since 0.1.0 @category endpoints */
export const getBlockByHash = /*#__PURE__*/ rpc<
  [blockHash: BytesInput, includeTransactions?: boolean],
  unknown
>("eth_getBlockByHash")
  .echoes({ hash: 0 })
  .bytes({ 0: word })
  .params((hash, include) => [hash, include ?? false])
  .lists("transactions", "uncles")
  .choosing<1, false, BlockBy<Mined>>()

/** Block by height or tag, with whole transactions or, if asked, their hashes; null if it does not exist yet. @since 0.1.0 @category endpoints */
export const getBlockByNumber = /*#__PURE__*/ rpc<[block: Block, includeTransactions?: boolean], unknown>(
  "eth_getBlockByNumber"
)
  .echoes({ number: 0 })
  .params((at, include) => [toBlockParam(at), include ?? true])
  .lists("transactions", "uncles")
  .choosing<1, true, BlockBy>()

/** What a block has touched (EIP-7928); null if it does not exist yet. @since 0.1.0 @category endpoints */
export const getBlockAccessList = /*#__PURE__*/ rpc<[block: Block], ReadonlyArray<AccountAccess> | null>(
  "eth_getBlockAccessList"
)
  .params((at) => [toBlockParam(at)])
  .lists("?")

/** Receipts of all transactions of a block; null if it does not exist yet. @since 0.1.0 @category endpoints */
export const getBlockReceipts = /*#__PURE__*/ rpc<[block: Block], ReadonlyArray<Receipt> | null>(
  "eth_getBlockReceipts"
)
  .echoes({ "0.blockNumber": 0 })
  .params((at) => [toBlockParam(at)])
  .lists("?")

/** Number of transactions of a block, as 0x string; null if unknown. @since 0.1.0 @category endpoints */
export const getBlockTransactionCountByHash = /*#__PURE__*/ rpc<[blockHash: BytesInput], Hex | null>(
  "eth_getBlockTransactionCountByHash"
).bytes({ 0: word })

/** Number of transactions of a block, as 0x string; null if it does not exist yet. @since 0.1.0 @category endpoints */
export const getBlockTransactionCountByNumber = /*#__PURE__*/ rpc<[block: Block], Hex | null>(
  "eth_getBlockTransactionCountByNumber"
).params((at) => [toBlockParam(at)])

/** Transaction by hash; null if unknown. @since 0.1.0 @category endpoints */
export const getTransactionByHash = /*#__PURE__*/ rpc<[transactionHash: BytesInput], Transaction | null>(
  "eth_getTransactionByHash"
)
  .echoes({ hash: 0 })
  .bytes({ 0: word })

/** Transaction by its place in a block; null if there is none. @since 0.1.0 @category endpoints */
export const getTransactionByBlockHashAndIndex = /*#__PURE__*/ rpc<
  [blockHash: BytesInput, index: Quantity],
  Transaction | null
>("eth_getTransactionByBlockHashAndIndex")
  .echoes({ blockHash: 0, transactionIndex: 1 })
  .bytes({ 0: word })
  .params((hash, at) => [hash, toIndex(at)])

/** Transaction by its place in a block; null if there is none. @since 0.1.0 @category endpoints */
export const getTransactionByBlockNumberAndIndex = /*#__PURE__*/ rpc<
  [block: Block, index: Quantity],
  Transaction | null
>("eth_getTransactionByBlockNumberAndIndex")
  .echoes({ blockNumber: 0, transactionIndex: 1 })
  .params((at, i) => [toBlockParam(at), toIndex(i)])

/** Receipt of a mined transaction; null while it is not. @since 0.1.0 @category endpoints */
export const getTransactionReceipt = /*#__PURE__*/ rpc<[transactionHash: BytesInput], Receipt | null>(
  "eth_getTransactionReceipt"
)
  .echoes({ transactionHash: 0 })
  .bytes({ 0: word })
  .lists("logs")

/** Address of the contract that a transaction has created; null if it is not mined or created none. @since 0.1.0 @category endpoints */
export const getContractAddress = /*#__PURE__*/ rpc<[transactionHash: BytesInput], Hex | null>(
  "eth_getTransactionReceipt"
)
  .echoes({ transactionHash: 0 })
  .bytes({ 0: word })
  .decode((receipt: Receipt | null) => receipt?.contractAddress ?? null)

/** Uncle block by its place; null if there is none. @since 0.1.0 @category endpoints */
export const getUncleByBlockHashAndIndex = /*#__PURE__*/ rpc<
  [blockHash: BytesInput, index: Quantity],
  UncleResult | null
>("eth_getUncleByBlockHashAndIndex")
  .bytes({ 0: word })
  .params((hash, at) => [hash, toIndex(at)])
  .lists("uncles")

/** Uncle block by its place; null if there is none. @since 0.1.0 @category endpoints */
export const getUncleByBlockNumberAndIndex = /*#__PURE__*/ rpc<
  [block: Block, index: Quantity],
  UncleResult | null
>("eth_getUncleByBlockNumberAndIndex")
  .params((at, i) => [toBlockParam(at), toIndex(i)])
  .lists("uncles")

/** Number of uncles of a block, as 0x string; null if unknown. @since 0.1.0 @category endpoints */
export const getUncleCountByBlockHash = /*#__PURE__*/ rpc<[blockHash: BytesInput], Hex | null>(
  "eth_getUncleCountByBlockHash"
).bytes({ 0: word })

/** Number of uncles of a block, as 0x string; null if it does not exist yet. @since 0.1.0 @category endpoints */
export const getUncleCountByBlockNumber = /*#__PURE__*/ rpc<[block: Block], Hex | null>(
  "eth_getUncleCountByBlockNumber"
).params((at) => [toBlockParam(at)])

/** Logs that match a filter. Nodes limit the range of blocks. @since 0.1.0 @category endpoints */
export const getLogs = /*#__PURE__*/ rpc<[filter: LogFilter], ReadonlyArray<Log>>("eth_getLogs")
  .bytes({ 0: transactionBytes })
  .params((value) => [toFilter(value)])
  .lists()

/** Sends a signed transaction, and yields its hash. Safe to repeat. @since 0.1.0 @category endpoints */
export const sendRawTransaction = /*#__PURE__*/ rpc<[signedTransaction: BytesInput], Hex>(
  "eth_sendRawTransaction"
)
  .bytes({ 0: anyBytes })
  .broadcast({
    known:
      /already (known|imported|exists)|alreadyknown|\bknown transaction|already in (the )?(mempool|pool|system)|tx with same hash/i,
    result: computeTransactionHash,
    // if a transaction was mined before it came again, nodes look at its nonce alone
    ambiguous: { known: /nonce (is )?too low|oldnonce/i, by: "eth_getTransactionByHash" }
  })

/**
 * Sends a signed transaction, and yields its receipt (EIP-7966). The node waits for it so long (milliseconds), or as long
 * as it thinks right.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const sendRawTransactionSync = /*#__PURE__*/ rpc<
  [signedTransaction: BytesInput, timeout?: bigint],
  Receipt
>("eth_sendRawTransactionSync")
  .params((transaction, timeout) => [transaction, timeout === undefined ? timeout : Number(timeout)])
  .bytes({ 0: anyBytes })
  .broadcast()
  .lists("logs")

/** A transaction with its missing fields as the node would fill them in. @since 0.1.0 @category endpoints */
export const fillTransaction = /*#__PURE__*/ rpc<[transaction: TransactionRequest], FilledTransaction>(
  "eth_fillTransaction"
)
  .bytes({ 0: transactionBytes })
  .params((transaction) => [encodeDeep(transaction)])

/** Sends a user operation to a bundler (ERC-4337), and yields its hash. @since 0.1.0 @category endpoints */
export const sendUserOperation = /*#__PURE__*/ rpc<
  [userOperation: UserOperation<HexInput, Quantity>, entryPoint: HexInput],
  Hex
>("eth_sendUserOperation")
  .bytes({ 0: transactionBytes })
  .params((operation, entryPoint) => [encodeDeep(operation), entryPoint])
  .broadcast()

/** Gas that a user operation would need. Its signature need not be right, but as long as a right one. @since 0.1.0 @category endpoints */
export const estimateUserOperationGas = /*#__PURE__*/ rpc<
  [
    userOperation: UserOperationCall<HexInput, Quantity> & Partial<UserOperationGas<Quantity>>,
    entryPoint: HexInput,
    stateOverrides?: StateOverrides
  ],
  UserOperationGas
>("eth_estimateUserOperationGas")
  .bytes({ 0: transactionBytes, 2: transactionBytes })
  .params((operation, entryPoint, overrides) => [encodeDeep(operation), entryPoint, encodeDeep(overrides)])

/** User operation by its hash; null if unknown. @since 0.1.0 @category endpoints */
export const getUserOperationByHash = /*#__PURE__*/ rpc<
  [userOperationHash: BytesInput],
  FoundUserOperation | null
>("eth_getUserOperationByHash").bytes({ 0: word })

/** Outcome of a user operation; null while it is in no block. @since 0.1.0 @category endpoints */
export const getUserOperationReceipt = /*#__PURE__*/ rpc<
  [userOperationHash: BytesInput],
  UserOperationReceipt | null
>("eth_getUserOperationReceipt")
  .echoes({ userOpHash: 0 })
  .bytes({ 0: word })
  .lists("logs")

/** Entry points that the bundler takes user operations for. @since 0.1.0 @category endpoints */
export const supportedEntryPoints = /*#__PURE__*/ rpc<[], ReadonlyArray<Hex>>(
  "eth_supportedEntryPoints"
).lists()

/** Version of the Ethereum protocol that the node speaks. @since 0.1.0 @category endpoints */
export const protocolVersion = /*#__PURE__*/ rpc<[], string>("eth_protocolVersion")

/** Configuration of the current, the next and the last fork (EIP-7910). @since 0.1.0 @category endpoints */
export const config = /*#__PURE__*/ rpc<[], ForkConfigs>("eth_config")

/** The data that the node has, by sort. @since 0.1.0 @category endpoints */
export const capabilities = /*#__PURE__*/ rpc<[], Capabilities>("eth_capabilities")

/** Progress of the node's synchronisation. @since 0.1.0 @category endpoints */
export const syncing = /*#__PURE__*/ rpc<[], Syncing>("eth_syncing")

/** Name and version of the node's software. @since 0.1.0 @category endpoints */
export const clientVersion = /*#__PURE__*/ rpc<[], string>("web3_clientVersion")

/** Keccak-256 of bytes. @since 0.1.0 @category endpoints */
export const sha3 = /*#__PURE__*/ rpc<[data: BytesInput], Hex>("web3_sha3").bytes({ 0: anyBytes })

/** Network id, decimal. @since 0.1.0 @category endpoints */
export const netVersion = /*#__PURE__*/ rpc<[], string>("net_version")

/** Whether the node listens for peers. @since 0.1.0 @category endpoints */
export const netListening = /*#__PURE__*/ rpc<[], boolean>("net_listening")

/** Number of peers. @since 0.1.0 @category endpoints */
export const netPeerCount = /*#__PURE__*/ rpc<[], bigint>("net_peerCount").decode(quantity)

/** Blocks that the node has refused. @since 0.1.0 @category endpoints */
export const debugGetBadBlocks = /*#__PURE__*/ rpc<[], ReadonlyArray<BadBlock>>("debug_getBadBlocks").lists()

/** Storage of a contract in the middle of a block. @since 0.1.0 @category endpoints */
export const debugStorageRangeAt = /*#__PURE__*/ rpc<
  [
    blockHash: BytesInput,
    transactionIndex: number,
    contractAddress: HexInput,
    startKey: HexInput,
    limit: number
  ],
  StorageRange
>("debug_storageRangeAt").bytes({ 0: word })

/** Traces a block given as RLP. @since 0.1.0 @category endpoints */
export const debugTraceBlock = /*#__PURE__*/ rpc<[blockRlp: BytesInput, options?: TraceOptions], unknown>(
  "debug_traceBlock"
)
  .bytes({ 0: anyBytes })
  .lists()
  .choosing<1, {}, BlockTracesBy>()

/** Traces a block by hash. @since 0.1.0 @category endpoints */
export const debugTraceBlockByHash = /*#__PURE__*/ rpc<
  [blockHash: BytesInput, options?: TraceOptions],
  unknown
>("debug_traceBlockByHash")
  .bytes({ 0: word })
  .lists()
  .choosing<1, {}, BlockTracesBy>()

/** Traces a block by height or tag. @since 0.1.0 @category endpoints */
export const debugTraceBlockByNumber = /*#__PURE__*/ rpc<[block: Block, options?: TraceOptions], unknown>(
  "debug_traceBlockByNumber"
)
  .params((at, options) => [toBlockParam(at), options])
  .lists()
  .choosing<1, {}, BlockTracesBy>()

/** Traces a call without a transaction. @since 0.1.0 @category endpoints */
export const debugTraceCall = /*#__PURE__*/ rpc<
  [transaction: TransactionRequest, block: Block, options?: TraceCallOptions],
  unknown
>("debug_traceCall")
  .bytes({ 0: transactionBytes, 1: blockBytes, 2: transactionBytes })
  .params((transaction, at, options) => [encodeDeep(transaction), toBlockParam(at), options])
  .choosing<2, {}, TraceBy>()

/** Traces a mined transaction. @since 0.1.0 @category endpoints */
export const debugTraceTransaction = /*#__PURE__*/ rpc<
  [transactionHash: BytesInput, options?: TraceOptions],
  unknown
>("debug_traceTransaction")
  .bytes({ 0: word })
  .choosing<1, {}, TraceBy>()

/** A block as RLP. @since 0.1.0 @category endpoints */
export const debugGetRawBlock = /*#__PURE__*/ rpc<[block: Block], Hex>("debug_getRawBlock").params((at) => [
  toBlockParam(at)
])

/** What a block has touched (EIP-7928) as RLP. @since 0.1.0 @category endpoints */
export const debugGetRawBlockAccessList = /*#__PURE__*/ rpc<[block: Block], Hex>(
  "debug_getRawBlockAccessList"
).params((at) => [toBlockParam(at)])

/** The header of a block as RLP. @since 0.1.0 @category endpoints */
export const debugGetRawHeader = /*#__PURE__*/ rpc<[block: Block], Hex>("debug_getRawHeader").params((at) => [
  toBlockParam(at)
])

/** The receipts of a block as RLP (EIP-2718). @since 0.1.0 @category endpoints */
export const debugGetRawReceipts = /*#__PURE__*/ rpc<[block: Block], ReadonlyArray<Hex>>(
  "debug_getRawReceipts"
)
  .params((at) => [toBlockParam(at)])
  .lists()

/** A transaction as RLP (EIP-2718). @since 0.1.0 @category endpoints */
export const debugGetRawTransaction = /*#__PURE__*/ rpc<[transactionHash: BytesInput], Hex>(
  "debug_getRawTransaction"
).bytes({ 0: word })

/** Flat traces of all transactions of a block. @since 0.1.0 @category endpoints */
export const traceBlock = /*#__PURE__*/ rpc<[block: Block, options?: TraceOptions], ReadonlyArray<Trace>>(
  "trace_block"
)
  .params((at, options) => [toBlockParam(at), options])
  .lists()

/** Runs a call and traces it. @since 0.1.0 @category endpoints */
export const traceCall = /*#__PURE__*/ rpc<
  [transaction: TransactionRequest, traceTypes: ReadonlyArray<TraceType>, block?: OptionalBlock],
  TraceResult
>("trace_call")
  .bytes({ 0: transactionBytes, 2: blockBytes })
  .params((transaction, traceTypes, at) => [encodeDeep(transaction), traceTypes, toBlockParam(at)])

/** Runs several calls on top of each other and traces them; one list of trace types per call. @since 0.1.0 @category endpoints */
export const traceCallMany = /*#__PURE__*/ rpc<
  [
    transactions: ReadonlyArray<TransactionRequest>,
    traceTypes: ReadonlyArray<ReadonlyArray<TraceType>>,
    block?: OptionalBlock
  ],
  ReadonlyArray<TraceResult>
>("trace_callMany")
  .bytes({ 0: transactionBytes, 2: blockBytes })
  .params((transactions, traceTypes, at) => {
    if (transactions.length !== traceTypes.length) {
      throw new Error(`there are ${transactions.length} calls and ${traceTypes.length} lists of trace types`)
    }
    return [transactions.map((transaction, i) => [encodeDeep(transaction), traceTypes[i]]), toBlockParam(at)]
  })
  .lists()

/** Flat traces that match a filter. @since 0.1.0 @category endpoints */
export const traceFilter = /*#__PURE__*/ rpc<[filter: TraceFilter], ReadonlyArray<Trace>>("trace_filter")
  .bytes({ 0: transactionBytes })
  .params((value) => [toFilter(value)])
  .lists()

/** Traces a signed transaction without sending it. @since 0.1.0 @category endpoints */
export const traceRawTransaction = /*#__PURE__*/ rpc<
  [signedTransaction: BytesInput, traceTypes: ReadonlyArray<TraceType>],
  TraceResult
>("trace_rawTransaction").bytes({ 0: anyBytes })

/** Replays all transactions of a block. @since 0.1.0 @category endpoints */
export const traceReplayBlockTransactions = /*#__PURE__*/ rpc<
  [block: Block, traceTypes: ReadonlyArray<TraceType>],
  ReadonlyArray<TraceResult>
>("trace_replayBlockTransactions")
  .params((at, traceTypes) => [toBlockParam(at), traceTypes])
  .lists()

/** Replays a transaction. @since 0.1.0 @category endpoints */
export const traceReplayTransaction = /*#__PURE__*/ rpc<
  [transactionHash: BytesInput, traceTypes: ReadonlyArray<TraceType>],
  TraceResult
>("trace_replayTransaction").bytes({ 0: word })

/** Flat traces of a transaction; null if unknown. @since 0.1.0 @category endpoints */
export const traceTransaction = /*#__PURE__*/ rpc<[transactionHash: BytesInput], ReadonlyArray<Trace> | null>(
  "trace_transaction"
)
  .bytes({ 0: word })
  .lists("?")

/** Transactions waiting in the node's pool. @since 0.1.0 @category endpoints */
export const txPoolContent = /*#__PURE__*/ rpc<[], TxPoolContent>("txpool_content")

/** Transactions of one sender waiting in the node's pool. @since 0.1.0 @category endpoints */
export const txPoolContentFrom = /*#__PURE__*/ rpc<
  [address: HexInput],
  {
    readonly pending: Readonly<Record<string, Transaction>>
    readonly queued: Readonly<Record<string, Transaction>>
  }
>("txpool_contentFrom")

/** Transactions waiting in the node's pool, as sentences. @since 0.1.0 @category endpoints */
export const txPoolInspect = /*#__PURE__*/ rpc<[], TxPoolInspect>("txpool_inspect")

/** Number of transactions waiting in the node's pool. @since 0.1.0 @category endpoints */
export const txPoolStatus = /*#__PURE__*/ rpc<[], TxPoolStatus>("txpool_status")

/** Name of a token (ERC-20, ERC-721). @since 0.1.0 @category endpoints */
export const getTokenName = /*#__PURE__*/ rpc<[tokenAddress: HexInput], string>("eth_call")
  .params(makeTokenCall("0x06fdde03"))
  .decode(decodeText)

/** Ticker of a token. @since 0.1.0 @category endpoints */
export const getTokenSymbol = /*#__PURE__*/ rpc<[tokenAddress: HexInput], string>("eth_call")
  .params(makeTokenCall("0x95d89b41"))
  .decode(decodeText)

/** Decimals of a token (ERC-20). @since 0.1.0 @category endpoints */
export const getTokenDecimals = /*#__PURE__*/ rpc<[tokenAddress: HexInput], bigint>("eth_call")
  .params(makeTokenCall("0x313ce567"))
  .decode(decodeUint)

/** Tokens in existence, in the token's smallest unit. @since 0.1.0 @category endpoints */
export const getTokenTotalSupply = /*#__PURE__*/ rpc<[tokenAddress: HexInput], bigint>("eth_call")
  .params(makeTokenCall("0x18160ddd"))
  .decode(decodeUint)

/** Most tokens that can ever exist, in the token's smallest unit (ERC-20 with a cap). @since 0.1.0 @category endpoints */
export const getTokenCap = /*#__PURE__*/ rpc<[tokenAddress: HexInput], bigint>("eth_call")
  .params(makeTokenCall("0x355274ea"))
  .decode(decodeUint)

/** Whether a contract is a multitoken (ERC-165, interface of ERC-1155). @since 0.1.0 @category endpoints */
export const supportsInterfaceERC1155 = /*#__PURE__*/ rpc<[contractAddress: HexInput], boolean>("eth_call")
  .params(makeTokenCall(`0x01ffc9a7d9b67a26${"0".repeat(56)}`))
  .decode(decodeBool)
