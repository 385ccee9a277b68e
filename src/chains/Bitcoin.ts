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
import { hex } from "../data/bytes.js"
import { group, rpc } from "../data/Endpoint.js"
import type { RpcCallError } from "../data/SdkError.js"
import type { Client, MakeMethods, RawRpc } from "../transport/Client.js"
import { dialect, getRawTransaction } from "./bitcoin/endpoints.js"
import type { Block, Hex, Transaction, Verbosity } from "./bitcoin/Types.js"
import { cash, modern, table, zcash } from "./bitcoin/table.js"
import {
  neverFails,
  pollUntilConfirmed,
  type SeenTransaction,
  type WaitError,
  type WaitOptions
} from "./internal/Confirmation.js"
import { isUnknownTransaction } from "./internal/unknown.js"

export { classify } from "./bitcoin/endpoints.js"
export type * from "./bitcoin/Types.js"

/**
 * The endpoints of Bitcoin, Litecoin and Zcash.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const endpoints = /*#__PURE__*/ group(dialect, /*#__PURE__*/ Object.assign({}, table, modern, zcash))

/**
 * The endpoints of Bitcoin Cash.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const estimateFeeEndpoints = /*#__PURE__*/ group(
  dialect,
  /*#__PURE__*/ Object.assign({}, table, modern, cash)
)

/** Endpoints of Dogecoin beside those that all have. */
const dogeMethods = {
  /** Block by hash: with ids of its transactions or, with `false`, as hex. */
  getBlock: /*#__PURE__*/ rpc<[blockHash: Hex, verbose?: Verbosity], Block | Hex>("getblock")
    .bytes({ 0: /*#__PURE__*/ hex(32) })
    .echoes({ hash: 0 })
    .params((hash, verbose) => [hash, verbose ?? true]),
  /** Fee in whole coins per 1000 bytes for being in a block within so many; -1 without enough data. */
  estimateFee: /*#__PURE__*/ rpc<[blocks: number], number>("estimatefee"),
  /** Priority with which a transaction without a fee is in a block within so many; -1 without enough data. */
  estimatePriority: /*#__PURE__*/ rpc<[blocks: number], number>("estimatepriority"),
  /** The same, with the number of blocks for which the estimate holds. */
  estimateSmartPriority: /*#__PURE__*/ rpc<
    [blocks: number],
    { readonly priority: number; readonly blocks: number }
  >("estimatesmartpriority"),
  /** State of the node. */
  getInfo: /*#__PURE__*/ rpc<[], Readonly<Record<string, unknown>>>("getinfo")
}

/**
 * The endpoints of Dogecoin.
 *
 * @since 0.1.0
 * @category endpoints
 */
export const dogeEndpoints = /*#__PURE__*/ group(dialect, /*#__PURE__*/ Object.assign({}, table, dogeMethods))

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
export const composed = (methods: MakeMethods): BitcoinComposed => {
  const rpc = methods(group(dialect, { getRawTransaction }))
  const checkTransaction = (
    txid: Hex
  ): Effect.Effect<SeenTransaction<Transaction> | undefined, RpcCallError> =>
    rpc.getRawTransaction(txid, true).pipe(
      Effect.map((transaction) =>
        typeof transaction === "string"
          ? undefined
          : { transaction, confirmations: transaction.confirmations ?? 0 }
      ),
      Effect.catchIf(isUnknownTransaction, () => Effect.succeed(undefined))
    )
  return {
    waitForTransaction: (txid, options = {}) =>
      pollUntilConfirmed(txid, options, checkTransaction(txid), neverFails)
  }
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

const probe = () => rpcProbe("getblockcount", [], [])

/**
 * How nodes of Bitcoin and its kin are checked.
 *
 * @since 0.1.0
 * @category families
 */
export const checks = { probe } satisfies FamilyNodes

/**
 * The family of Bitcoin, Litecoin and Zcash.
 *
 * @since 0.1.0
 * @category families
 */
export const bitcoin: Family<typeof endpoints, BitcoinRpc> = { endpoints, probe, composed }

/**
 * The family of Bitcoin Cash.
 *
 * @since 0.1.0
 * @category families
 */
export const bitcoinCash: Family<typeof estimateFeeEndpoints, BitcoinCashRpc> = {
  endpoints: estimateFeeEndpoints,
  probe,
  composed
}

/**
 * The family of Dogecoin.
 *
 * @since 0.1.0
 * @category families
 */
export const doge: Family<typeof dogeEndpoints, DogeRpc> = {
  endpoints: dogeEndpoints,
  probe,
  composed
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
