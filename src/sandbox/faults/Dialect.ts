/**
 * The parts of JSON-RPC that show a node's height and chain, by family. Editing them makes a real node look behind,
 * ahead, or on another chain.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Network from "../../data/Network.js"
import { type CallEdit, isJsonObject, type JsonObject, type RpcCall, toHex, toNumber } from "./CallEdits.js"

/**
 * Makes a call at the real node; undefined if it gave no result.
 *
 * @since 0.1.0
 * @category models
 */
export type AskNode = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown>

/**
 * The dialect of a family. `makeStaleEdits` yields the edits for a node that does not have the last `blocks` blocks, as
 * far as its answers show it. `makeLyingEdits` is for a node that claims that many more blocks, `makeWrongChainEdits`
 * for a node of another chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dialect {
  readonly makeStaleEdits: (
    blocks: number,
    ask: AskNode
  ) => Effect.Effect<(call: RpcCall) => CallEdit | undefined>
  readonly makeLyingEdits: (blocks: number) => (call: RpcCall) => CallEdit | undefined
  readonly makeWrongChainEdits: (chainId: number | undefined) => (call: RpcCall) => CallEdit | undefined
}

/** Changes a result. Errors do not change. */
const changeResult =
  (change: (result: unknown) => unknown) =>
  (answer: JsonObject): JsonObject =>
    "result" in answer ? { ...answer, result: change(answer.result) } : answer

const withError = ({ result: _, ...answer }: JsonObject, code: number, message: string): JsonObject => ({
  ...answer,
  error: { code, message }
})

const paramsOf = (call: RpcCall): ReadonlyArray<unknown> => (Array.isArray(call.params) ? call.params : [])

/** Adds to the numeric fields of an object. */
const shiftFields = (value: unknown, by: number, ...names: ReadonlyArray<string>): unknown =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => {
          const number = names.includes(name) ? toNumber(item) : undefined
          return [name, number === undefined ? item : Math.max(0, number + by)]
        })
      )
    : value

const shiftNumber =
  (by: number) =>
  (value: unknown): unknown => {
    const number = toNumber(value)
    return number === undefined ? value : Math.max(0, number + by)
  }

const shiftHex =
  (by: number) =>
  (value: unknown): unknown => {
    const number = toNumber(value)
    return number === undefined ? value : toHex(Math.max(0, number + by))
  }

const BLOCK_PARAMETER: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_call: 1,
  eth_estimateGas: 1,
  eth_createAccessList: 1,
  eth_feeHistory: 1,
  eth_simulateV1: 1,
  debug_traceCall: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_getBlockByNumber: 0,
  eth_getBlockReceipts: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getUncleCountByBlockNumber: 0,
  eth_getUncleByBlockNumberAndIndex: 0,
  eth_getTransactionByBlockNumberAndIndex: 0,
  debug_traceBlockByNumber: 0,
  trace_block: 0
}

/** Methods that answer null for an unknown block. The others fail. */
const LOOKUP_METHODS = /^eth_get(Block|Uncle|Transaction(ByBlock|ByHash|Receipt))/

/** Klaytn has the same methods under another name. */
const methodNameOf = (call: RpcCall): string => call.method.replace(/^klay_/, "eth_")

/** The heights of a stale EVM node: its newest block, and its newest final one. */
interface StaleHeights {
  readonly latest: number
  readonly finalized: number
}

const isAbove = (value: unknown, height: number): boolean => (toNumber(value) ?? 0) > height

/** Null for a block, transaction or log above a height. Blocks have a `number`, the others a `blockNumber`. */
const hideAbove =
  (height: number) =>
  (value: unknown): unknown =>
    isJsonObject(value) && (isAbove(value.blockNumber, height) || isAbove(value.number, height))
      ? null
      : value

const hideLogsAbove = (height: number): CallEdit => {
  const hide = hideAbove(height)
  return {
    after: changeResult((logs) => (Array.isArray(logs) ? logs.filter((log) => hide(log)) : logs))
  }
}

/** A block parameter as a stale node understands it; "beyond" for a block that it does not have. */
const resolveBlock = ({ finalized, latest }: StaleHeights, block: unknown): unknown => {
  if (block === undefined || block === "latest" || block === "pending") return toHex(latest)
  if (block === "safe" || block === "finalized") return toHex(finalized)
  const number = isJsonObject(block) ? block.blockNumber : block
  return isAbove(number, latest) ? "beyond" : block
}

const makeStaleLogsEdit = (heights: StaleHeights, call: RpcCall): CallEdit => {
  const [filter, ...rest] = paramsOf(call)
  if (!isJsonObject(filter) || "blockHash" in filter) return hideLogsAbove(heights.latest)
  const clamp = (block: unknown): unknown => {
    const resolved = resolveBlock(heights, block)
    return resolved === "beyond" ? toHex(heights.latest) : resolved
  }
  if (resolveBlock(heights, filter.fromBlock) === "beyond") return { answer: { result: [] } }
  const clamped = { ...filter, fromBlock: clamp(filter.fromBlock), toBlock: clamp(filter.toBlock) }
  return { call: { ...call, params: [clamped, ...rest] } }
}

const makeStaleBlockEdit = (heights: StaleHeights, call: RpcCall, position: number): CallEdit | undefined => {
  const params = [...paramsOf(call)]
  const block = resolveBlock(heights, params[position])
  if (block === "beyond")
    return LOOKUP_METHODS.test(methodNameOf(call))
      ? { answer: { result: null } }
      : { answer: { error: { code: -32_000, message: "header not found" } } }
  // A parameter missing before the block is the caller's mistake, which the node itself has to refuse.
  if (params.length < position) return undefined
  params[position] = block
  // The hash of a block is valid at a stale node too, but it must not return receipts of a block that it does not have.
  const after = changeResult((result) =>
    Array.isArray(result) &&
    result.some((item) => isJsonObject(item) && isAbove(item.blockNumber, heights.latest))
      ? null
      : result
  )
  return { call: { ...call, params }, after }
}

const evm: Dialect = {
  makeStaleEdits: (blocks, ask) =>
    Effect.gen(function* () {
      const height = toNumber(yield* ask("eth_blockNumber", []))
      if (height === undefined) return () => undefined
      const safe = yield* ask("eth_getBlockByNumber", ["finalized", false])
      const finalized = isJsonObject(safe) ? (toNumber(safe.number) ?? 0) : 0
      const heights: StaleHeights = {
        latest: Math.max(0, height - blocks),
        finalized: Math.max(0, finalized - blocks)
      }
      return (call: RpcCall): CallEdit | undefined => {
        const name = methodNameOf(call)
        if (name === "eth_blockNumber") return { after: changeResult(() => toHex(heights.latest)) }
        if (name === "eth_getLogs") return makeStaleLogsEdit(heights, call)
        if (name === "eth_getFilterChanges" || name === "eth_getFilterLogs")
          return hideLogsAbove(heights.latest)
        const position = BLOCK_PARAMETER[name]
        if (position !== undefined) return makeStaleBlockEdit(heights, call, position)
        return LOOKUP_METHODS.test(name) ? { after: changeResult(hideAbove(heights.latest)) } : undefined
      }
    }),
  makeLyingEdits: (blocks) => (call) => {
    const name = methodNameOf(call)
    if (name === "eth_blockNumber") return { after: changeResult(shiftHex(blocks)) }
    const [block] = paramsOf(call)
    return name === "eth_getBlockByNumber" && (block === "latest" || block === "pending")
      ? {
          after: changeResult((result) =>
            isJsonObject(result) && result.number !== null
              ? { ...result, number: shiftHex(blocks)(result.number) }
              : result
          )
        }
      : undefined
  },
  makeWrongChainEdits: (chainId) => (call) => {
    const other = (real: unknown): number => chainId ?? (toNumber(real) === 61 ? 1 : 61)
    const name = methodNameOf(call)
    // net_version is decimal text, everything else is hexadecimal
    if (name === "eth_chainId") return { after: changeResult((real) => toHex(other(real))) }
    return name === "net_version" ? { after: changeResult((real) => String(other(real))) } : undefined
  }
}

const utxo: Dialect = {
  makeStaleEdits: (blocks, ask) =>
    Effect.gen(function* () {
      const height = toNumber(yield* ask("getblockcount", []))
      if (height === undefined) return () => undefined
      const limit = Math.max(0, height - blocks)
      const hash = yield* ask("getblockhash", [limit])
      const block = (answer: JsonObject): JsonObject => {
        const { result } = answer
        if (!isJsonObject(result)) return answer
        const at = toNumber(result.height) ?? 0
        if (at > limit) return withError(answer, -5, "Block not found")
        const { nextblockhash, ...rest } = result
        const confirmations = toNumber(result.confirmations)
        return {
          ...answer,
          result: {
            ...rest,
            ...(nextblockhash === undefined || at === limit ? {} : { nextblockhash }),
            ...(confirmations === undefined || confirmations < 1 ? {} : { confirmations: limit - at + 1 })
          }
        }
      }
      return (call: RpcCall): CallEdit | undefined => {
        switch (call.method) {
          case "getblockcount":
            return { after: changeResult(() => limit) }
          case "getbestblockhash":
            return { after: changeResult((real) => hash ?? real) }
          case "getblockchaininfo":
            return {
              after: changeResult((info) => {
                const lower = shiftFields(info, limit - height, "blocks", "headers")
                return isJsonObject(lower) ? { ...lower, bestblockhash: hash ?? lower.bestblockhash } : lower
              })
            }
          case "getblockhash":
            return (toNumber(paramsOf(call)[0]) ?? 0) > limit
              ? { answer: { error: { code: -8, message: "Block height out of range" } } }
              : undefined
          case "getblock":
          case "getblockheader":
            return { after: block }
          default:
            return undefined
        }
      }
    }),
  makeLyingEdits: (blocks) => (call) =>
    call.method === "getblockcount"
      ? { after: changeResult(shiftNumber(blocks)) }
      : call.method === "getblockchaininfo"
        ? { after: changeResult((info) => shiftFields(info, blocks, "blocks", "headers")) }
        : undefined,
  makeWrongChainEdits: () => (call) => {
    if (call.method === "getblockchaininfo")
      return {
        after: changeResult((info) =>
          isJsonObject(info) ? { ...info, chain: info.chain === "test" ? "main" : "test" } : info
        )
      }
    // the hash of the first block identifies a chain
    return call.method === "getblockhash" && toNumber(paramsOf(call)[0]) === 0
      ? { after: changeResult((hash) => (typeof hash === "string" ? [...hash].reverse().join("") : hash)) }
      : undefined
  }
}

const HEIGHT_FIELDS = ["absoluteSlot", "blockHeight"]

/** Changes heights only: a Solana node cannot answer for an earlier slot. */
const shiftSolana =
  (by: number) =>
  (call: RpcCall): CallEdit => ({
    after: changeResult((result) => {
      if (call.method === "getSlot" || call.method === "getBlockHeight") return shiftNumber(by)(result)
      if (call.method === "getEpochInfo") return shiftFields(result, by, ...HEIGHT_FIELDS)
      return isJsonObject(result) && isJsonObject(result.context)
        ? { ...result, context: shiftFields(result.context, by, "slot") }
        : result
    })
  })

const solana: Dialect = {
  makeStaleEdits: (blocks) => Effect.succeed(shiftSolana(-blocks)),
  makeLyingEdits: shiftSolana,
  makeWrongChainEdits: () => (call) =>
    call.method === "getGenesisHash"
      ? { after: changeResult((hash) => (typeof hash === "string" ? [...hash].reverse().join("") : hash)) }
      : undefined
}

/** The dialects by family, other than the EVM's. */
const byFamily: Partial<Readonly<Record<Network.FamilyId, Dialect>>> = {
  utxo,
  "utxo-estimatefee": utxo,
  doge: utxo,
  solana
}

/**
 * The dialect of a network; undefined if heights are not supported. Networks that are not in the table are EVM networks
 * with a chain id of their own.
 *
 * @since 0.1.0
 * @category getters
 */
export const findDialect = (network: string): Dialect | undefined =>
  Network.isNetwork(network) && !Network.isEvm(network) ? byFamily[Network.info(network).family] : evm

/**
 * Whether a network's chain id can be chosen, as for EVM networks.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasChainId = (network: string): boolean => findDialect(network) === evm
