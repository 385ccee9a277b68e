/**
 * The places where a node's height and its chain show in JSON-RPC, family by family: by them a real node looks held back, ahead
 * of itself, or on another chain.
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
 * The dialect of a family. `makeStaleEdits` yields the edits of calls at a node that knows nothing of the last `blocks` blocks (as far as
 * its answers show it), `makeLyingEdits` those at one that claims so many more, `makeWrongChainEdits` those at one of another chain.
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

/** The change of a result; answers that are errors stay. */
const changeResult =
  (change: (result: unknown) => unknown) =>
  (answer: JsonObject): JsonObject =>
    "result" in answer ? { ...answer, result: change(answer.result) } : answer

/** An answer with an error in the place of its result. */
const withError = ({ result: _, ...answer }: JsonObject, code: number, message: string): JsonObject => ({
  ...answer,
  error: { code, message }
})

const paramsOf = (call: RpcCall): ReadonlyArray<unknown> => (Array.isArray(call.params) ? call.params : [])

/** The fields of an object that are numbers, moved by so many. */
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

/** The position of the block parameter, by method. */
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

/** Methods that answer null for a block that the node has not got; the others fail. */
const LOOKUP_METHODS = /^eth_get(Block|Uncle|Transaction(ByBlock|ByHash|Receipt))/

/** Klaytn has the same methods under a second name. */
const methodNameOf = (call: RpcCall): string => call.method.replace(/^klay_/, "eth_")

const evm: Dialect = {
  makeStaleEdits: (blocks, ask) =>
    Effect.gen(function* () {
      const height = toNumber(yield* ask("eth_blockNumber", []))
      if (height === undefined) return () => undefined
      const limit = Math.max(0, height - blocks)
      const safe = yield* ask("eth_getBlockByNumber", ["finalized", false])
      const finalized = isJsonObject(safe) ? (toNumber(safe.number) ?? 0) : 0
      const isBeyond = (value: unknown): boolean => (toNumber(value) ?? 0) > limit
      /** Blocks have a `number`, their transactions and logs a `blockNumber`. */
      const visible = (value: unknown): unknown =>
        isJsonObject(value) && (isBeyond(value.blockNumber) || isBeyond(value.number)) ? null : value

      /** A block parameter as the node that is held back understands it; "beyond" for one that it has not got. */
      const resolve = (block: unknown): unknown => {
        if (block === undefined || block === "latest" || block === "pending") return toHex(limit)
        if (block === "safe" || block === "finalized") return toHex(Math.max(0, finalized - blocks))
        const number = isJsonObject(block) ? block.blockNumber : block
        return isBeyond(number) ? "beyond" : block
      }

      const filtered = (call: RpcCall): CallEdit => {
        const [filter, ...rest] = paramsOf(call)
        if (!isJsonObject(filter) || "blockHash" in filter)
          return {
            after: changeResult((logs) => (Array.isArray(logs) ? logs.filter((log) => visible(log)) : logs))
          }
        const bound = (block: unknown): unknown => {
          const resolved = resolve(block)
          return resolved === "beyond" ? toHex(limit) : resolved
        }
        if (resolve(filter.fromBlock) === "beyond") return { answer: { result: [] } }
        const clamped = {
          ...filter,
          fromBlock: bound(filter.fromBlock),
          toBlock: bound(filter.toBlock)
        }
        return { call: { ...call, params: [clamped, ...rest] } }
      }

      return (call: RpcCall): CallEdit | undefined => {
        const name = methodNameOf(call)
        if (name === "eth_blockNumber") return { after: changeResult(() => toHex(limit)) }
        if (name === "eth_getLogs") return filtered(call)
        if (name === "eth_getFilterChanges" || name === "eth_getFilterLogs")
          return {
            after: changeResult((logs) => (Array.isArray(logs) ? logs.filter((log) => visible(log)) : logs))
          }
        const place = BLOCK_PARAMETER[name]
        if (place !== undefined) {
          const params = [...paramsOf(call)]
          const block = resolve(params[place])
          if (block === "beyond")
            return LOOKUP_METHODS.test(name)
              ? { answer: { result: null } }
              : { answer: { error: { code: -32_000, message: "header not found" } } }
          // Parameters that the caller left out before the block stay left out: the node has to see that.
          if (params.length < place) return undefined
          params[place] = block
          // receipts of a block by its hash may still be those of a block that it has not got
          const after = changeResult((result) =>
            Array.isArray(result) && result.some((item) => isJsonObject(item) && isBeyond(item.blockNumber))
              ? null
              : result
          )
          return { call: { ...call, params }, after }
        }
        return LOOKUP_METHODS.test(name) ? { after: changeResult(visible) } : undefined
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
    // net_version is text in decimal, everything else is hexadecimal
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
    // A chain is known by the hash of its first block.
    return call.method === "getblockhash" && toNumber(paramsOf(call)[0]) === 0
      ? { after: changeResult((hash) => (typeof hash === "string" ? [...hash].reverse().join("") : hash)) }
      : undefined
  }
}

const HEIGHT_FIELDS = ["absoluteSlot", "blockHeight"]

/** Heights only: a Solana node has no state of the past to show. */
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

/** The dialects of other families than the EVM's. */
const byFamily: Partial<Readonly<Record<Network.Family, Dialect>>> = {
  utxo,
  "utxo-estimatefee": utxo,
  doge: utxo,
  solana
}

/**
 * The dialect of a network, undefined where its heights are not supported. Networks that are not in the table are EVM
 * networks with a chain id of their own.
 *
 * @since 0.1.0
 * @category getters
 */
export const findDialect = (network: string): Dialect | undefined =>
  Network.isNetwork(network) && !Network.isEvm(network) ? byFamily[Network.info(network).family] : evm

/**
 * Whether the chain id of a network can be chosen, as that of EVM networks.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasChainId = (network: string): boolean => findDialect(network) === evm
