/**
 * Transactions in the current data API: one by its hash, its internal calls, transactions without a block, and outputs
 * and histories on chains of Bitcoin's kind.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ChainQuery, HashQuery, routePath } from "./Blockchains.js"
import { Utxo } from "./Data.js"
import { HistoryRow } from "./History.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"

const optional = Schema.optional

const Log = Schema.Struct({
  address: Schema.String,
  topics: Schema.Array(Schema.String),
  data: Schema.String,
  blockNumber: Schema.Number,
  transactionHash: Schema.String,
  logIndex: Schema.Number,
  removed: Schema.Boolean,
  blockTimestamp: optional(Schema.String)
})

/**
 * A transaction of an EVM network. Amounts and prices are in wei. Without a block it has no fee and no outcome.
 *
 * @since 0.1.0
 * @category schemas
 */
export const EvmTransaction = Schema.Struct({
  hash: Schema.String,
  blockNumber: Schema.NullOr(Schema.Number),
  from: Schema.String,
  to: Schema.NullOr(Schema.String),
  value: Schema.String,
  gas: Schema.Number,
  gasPrice: optional(Schema.String),
  nonce: Schema.Number,
  transactionIndex: optional(Schema.Number),
  input: Schema.String,
  type: Schema.Number,
  status: optional(Schema.Boolean),
  gasUsed: optional(Schema.Number),
  effectiveGasPrice: optional(Schema.Number),
  contractAddress: Schema.NullOr(Schema.String),
  fee: Schema.NullOr(Schema.String),
  logs: Schema.Array(Log)
})

const Output = Schema.Struct({
  value: Schema.Number,
  script: Schema.String,
  address: Schema.NullOr(Schema.String)
})

const Coin = Schema.Struct({
  ...Output.fields,
  version: Schema.Number,
  height: optional(Schema.Number),
  coinbase: Schema.Boolean
})

/**
 * A transaction of a chain of Bitcoin's kind. Amounts are in satoshis, `time` is in seconds since 1970. Without a block
 * it has no `blockNumber`, `block` and `index`. Newly minted coins have no `coin`. Sizes are the node's.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UtxoTransaction = Schema.Struct({
  hash: Schema.String,
  blockNumber: optional(Schema.Number),
  block: optional(Schema.String),
  fee: Schema.Number,
  index: optional(Schema.Number),
  time: Schema.Number,
  size: Schema.Number,
  vsize: optional(Schema.Number),
  weight: optional(Schema.Number),
  version: Schema.Number,
  locktime: Schema.Number,
  inputs: Schema.Array(
    Schema.Struct({
      prevout: Schema.Struct({ hash: Schema.String, index: Schema.Number }),
      sequence: Schema.Number,
      script: Schema.String,
      address: optional(Schema.String),
      coin: optional(Coin)
    })
  ),
  outputs: Schema.Array(Output)
})

/**
 * An internal call of a transaction. All numbers are text: `value` in wei, `timeStamp` in seconds since 1970. `traceId`
 * is the call's index within each of its parents. A deployment has `contractAddress` and an empty `to`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const InternalTransaction = Schema.Struct({
  blockNumber: Schema.String,
  timeStamp: Schema.String,
  hash: Schema.String,
  from: Schema.String,
  to: Schema.String,
  value: Schema.String,
  contractAddress: Schema.String,
  input: Schema.String,
  type: Schema.String,
  gas: Schema.String,
  gasUsed: Schema.String,
  traceId: Schema.String,
  isError: Schema.Literal("0", "1"),
  errCode: Schema.String
})

const WholeNumber = Schema.NumberFromString.pipe(
  Schema.filter((value) => Number.isSafeInteger(value) && value >= 0)
).annotations({ message: () => ({ message: "must be a whole number from 0", override: true }) })

/**
 * A query for an output.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OutputQuery = Schema.Struct({ ...HashQuery.fields, index: WholeNumber })

/**
 * An output, spent or not. `value` is in satoshis. Without a block it has no `height`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const OutputInfo = Schema.Struct({ hash: Schema.String, index: Schema.Number, ...Coin.fields })

const Addresses = Schema.NonEmptyArray(
  Schema.String.pipe(
    Schema.filter((text) => text.trim() !== "", { message: () => "must be text that is not empty" })
  )
)

/**
 * A query for unspent outputs of addresses, enough for `totalValue` in whole coins.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UtxosQuery = Schema.Struct({
  chain: Schema.String,
  addresses: Addresses,
  totalValue: Schema.Number.pipe(
    Schema.filter((value) => value > 0, { message: () => "must be a number of coins above 0" })
  )
})

/**
 * A query for the histories of addresses.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HistoriesQuery = Schema.Struct({
  chain: Schema.String,
  addresses: Addresses,
  txType: optional(Schema.Literal("incoming", "outgoing"))
})

/**
 * Transactions.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("chainTransactions")
  .add(
    HttpApiEndpoint.get("transaction", routePath("transaction"))
      .setUrlParams(HashQuery)
      .addSuccess(Schema.Union(EvmTransaction, UtxoTransaction))
  )
  .add(
    HttpApiEndpoint.get("internalTransactions", routePath("internalTransactions"))
      .setUrlParams(HashQuery)
      .addSuccess(Schema.Array(InternalTransaction))
  )
  .add(
    HttpApiEndpoint.get("mempool", routePath("mempool"))
      .setUrlParams(ChainQuery)
      .addSuccess(Schema.Array(Schema.String))
  )
  .add(
    HttpApiEndpoint.get("utxoInfo", routePath("utxoInfo")).setUrlParams(OutputQuery).addSuccess(OutputInfo)
  )
  .add(
    HttpApiEndpoint.post("utxosBatch", routePath("utxosBatch"))
      .setPayload(UtxosQuery)
      .addSuccess(Schema.Array(Utxo))
  )
  .add(
    HttpApiEndpoint.post("utxoHistoryBatch", routePath("utxoHistoryBatch"))
      .setPayload(HistoriesQuery)
      .addSuccess(Schema.Array(HistoryRow))
  )
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
