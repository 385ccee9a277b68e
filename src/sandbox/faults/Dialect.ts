/**
 * The places where a node's height and its chain show in JSON-RPC, family by family: by them a real node looks held back, ahead
 * of itself, or on another chain.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Network from "../../data/Network.js"
import { type Edit, isJson, type Json, type RpcCall, toHex, toNumber } from "./Exchange.js"

/**
 * Makes a call at the real node; undefined if it gave no result.
 *
 * @since 0.1.0
 * @category models
 */
export type Ask = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown>

/**
 * The dialect of a family. `held` yields the edits of calls at a node that knows nothing of the last `blocks` blocks (as far as
 * its answers show it), `raised` those at one that claims so many more, `disguised` those at one of another chain.
 *
 * @since 0.1.0
 * @category models
 */
export interface Dialect {
  readonly held: (blocks: number, ask: Ask) => Effect.Effect<(call: RpcCall) => Edit | undefined>
  readonly raised: (blocks: number) => (call: RpcCall) => Edit | undefined
  readonly disguised: (chainId: number | undefined) => (call: RpcCall) => Edit | undefined
}

/** The change of a result; answers that are errors stay. */
const onResult =
  (change: (result: unknown) => unknown) =>
  (answer: Json): Json =>
    "result" in answer ? { ...answer, result: change(answer.result) } : answer

/** An answer with an error in the place of its result. */
const failed = ({ result: _, ...answer }: Json, code: number, message: string): Json => ({
  ...answer,
  error: { code, message }
})

const paramsOf = (call: RpcCall): ReadonlyArray<unknown> => (Array.isArray(call.params) ? call.params : [])

/** The fields of an object that are numbers, moved by so many. */
const moved = (value: unknown, by: number, ...names: ReadonlyArray<string>): unknown =>
  isJson(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, item]) => {
          const number = names.includes(name) ? toNumber(item) : undefined
          return [name, number === undefined ? item : Math.max(0, number + by)]
        })
      )
    : value

const shifted =
  (by: number) =>
  (value: unknown): unknown => {
    const number = toNumber(value)
    return number === undefined ? value : Math.max(0, number + by)
  }

const shiftedHex =
  (by: number) =>
  (value: unknown): unknown => {
    const number = toNumber(value)
    return number === undefined ? value : toHex(Math.max(0, number + by))
  }

/** The position of the block parameter, by method. */
const blockAt: Readonly<Record<string, number>> = {
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
const lookups = /^eth_get(Block|Uncle|Transaction(ByBlock|ByHash|Receipt))/

/** Klaytn has the same methods under a second name. */
const nameOf = (call: RpcCall): string => call.method.replace(/^klay_/, "eth_")

const evm: Dialect = {
  held: (blocks, ask) =>
    Effect.gen(function* () {
      const height = toNumber(yield* ask("eth_blockNumber", []))
      if (height === undefined) return () => undefined
      const limit = Math.max(0, height - blocks)
      const safe = yield* ask("eth_getBlockByNumber", ["finalized", false])
      const finalized = isJson(safe) ? (toNumber(safe.number) ?? 0) : 0
      const isBeyond = (value: unknown): boolean => (toNumber(value) ?? 0) > limit
      /** Blocks have a `number`, their transactions and logs a `blockNumber`. */
      const visible = (value: unknown): unknown =>
        isJson(value) && (isBeyond(value.blockNumber) || isBeyond(value.number)) ? null : value

      /** A block parameter as the node that is held back understands it; "beyond" for one that it has not got. */
      const resolve = (block: unknown): unknown => {
        if (block === undefined || block === "latest" || block === "pending") return toHex(limit)
        if (block === "safe" || block === "finalized") return toHex(Math.max(0, finalized - blocks))
        const number = isJson(block) ? block.blockNumber : block
        return isBeyond(number) ? "beyond" : block
      }

      const filtered = (call: RpcCall): Edit => {
        const [filter, ...rest] = paramsOf(call)
        if (!isJson(filter) || "blockHash" in filter)
          return {
            after: onResult((logs) => (Array.isArray(logs) ? logs.filter((log) => visible(log)) : logs))
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

      return (call: RpcCall): Edit | undefined => {
        const name = nameOf(call)
        if (name === "eth_blockNumber") return { after: onResult(() => toHex(limit)) }
        if (name === "eth_getLogs") return filtered(call)
        if (name === "eth_getFilterChanges" || name === "eth_getFilterLogs")
          return {
            after: onResult((logs) => (Array.isArray(logs) ? logs.filter((log) => visible(log)) : logs))
          }
        const place = blockAt[name]
        if (place !== undefined) {
          const params = [...paramsOf(call)]
          const block = resolve(params[place])
          if (block === "beyond")
            return lookups.test(name)
              ? { answer: { result: null } }
              : { answer: { error: { code: -32_000, message: "header not found" } } }
          // Parameters that the caller left out before the block stay left out: the node has to see that.
          if (params.length < place) return undefined
          params[place] = block
          // receipts of a block by its hash may still be those of a block that it has not got
          const after = onResult((result) =>
            Array.isArray(result) && result.some((item) => isJson(item) && isBeyond(item.blockNumber))
              ? null
              : result
          )
          return { call: { ...call, params }, after }
        }
        return lookups.test(name) ? { after: onResult(visible) } : undefined
      }
    }),
  raised: (blocks) => (call) => {
    const name = nameOf(call)
    if (name === "eth_blockNumber") return { after: onResult(shiftedHex(blocks)) }
    const [block] = paramsOf(call)
    return name === "eth_getBlockByNumber" && (block === "latest" || block === "pending")
      ? {
          after: onResult((result) =>
            isJson(result) && result.number !== null
              ? { ...result, number: shiftedHex(blocks)(result.number) }
              : result
          )
        }
      : undefined
  },
  disguised: (chainId) => (call) => {
    const other = (real: unknown): number => chainId ?? (toNumber(real) === 61 ? 1 : 61)
    const name = nameOf(call)
    // net_version is text in decimal, everything else is hexadecimal
    if (name === "eth_chainId") return { after: onResult((real) => toHex(other(real))) }
    return name === "net_version" ? { after: onResult((real) => String(other(real))) } : undefined
  }
}

const utxo: Dialect = {
  held: (blocks, ask) =>
    Effect.gen(function* () {
      const height = toNumber(yield* ask("getblockcount", []))
      if (height === undefined) return () => undefined
      const limit = Math.max(0, height - blocks)
      const hash = yield* ask("getblockhash", [limit])
      const block = (answer: Json): Json => {
        const { result } = answer
        if (!isJson(result)) return answer
        const at = toNumber(result.height) ?? 0
        if (at > limit) return failed(answer, -5, "Block not found")
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
      return (call: RpcCall): Edit | undefined => {
        switch (call.method) {
          case "getblockcount":
            return { after: onResult(() => limit) }
          case "getbestblockhash":
            return { after: onResult((real) => hash ?? real) }
          case "getblockchaininfo":
            return {
              after: onResult((info) => {
                const lower = moved(info, limit - height, "blocks", "headers")
                return isJson(lower) ? { ...lower, bestblockhash: hash ?? lower.bestblockhash } : lower
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
  raised: (blocks) => (call) =>
    call.method === "getblockcount"
      ? { after: onResult(shifted(blocks)) }
      : call.method === "getblockchaininfo"
        ? { after: onResult((info) => moved(info, blocks, "blocks", "headers")) }
        : undefined,
  disguised: () => (call) => {
    if (call.method === "getblockchaininfo")
      return {
        after: onResult((info) =>
          isJson(info) ? { ...info, chain: info.chain === "test" ? "main" : "test" } : info
        )
      }
    // A chain is known by the hash of its first block.
    return call.method === "getblockhash" && toNumber(paramsOf(call)[0]) === 0
      ? { after: onResult((hash) => (typeof hash === "string" ? [...hash].reverse().join("") : hash)) }
      : undefined
  }
}

const heights = ["absoluteSlot", "blockHeight"]

/** Heights only: a Solana node has no state of the past to show. */
const solanaShift =
  (by: number) =>
  (call: RpcCall): Edit => ({
    after: onResult((result) => {
      if (call.method === "getSlot" || call.method === "getBlockHeight") return shifted(by)(result)
      if (call.method === "getEpochInfo") return moved(result, by, ...heights)
      return isJson(result) && isJson(result.context)
        ? { ...result, context: moved(result.context, by, "slot") }
        : result
    })
  })

const solana: Dialect = {
  held: (blocks) => Effect.succeed(solanaShift(-blocks)),
  raised: solanaShift,
  disguised: () => (call) =>
    call.method === "getGenesisHash"
      ? { after: onResult((hash) => (typeof hash === "string" ? [...hash].reverse().join("") : hash)) }
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
export const dialectOf = (network: string): Dialect | undefined =>
  Network.isNetwork(network) && !Network.isEvm(network) ? byFamily[Network.info(network).family] : evm

/**
 * Whether the chain id of a network can be chosen, as that of EVM networks.
 *
 * @since 0.1.0
 * @category getters
 */
export const hasChainId = (network: string): boolean => dialectOf(network) === evm
