/**
 * Chains in the current data API: balances, heights and counts of transactions, and prices of currencies.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { v4Routes } from "../../data/v4Routes.js"
import { Invalid, Missing, Unavailable } from "./Refusal.js"

const NonBlank = Schema.String.pipe(
  Schema.filter((text) => text.trim() !== "", { message: () => "must be text that is not empty" })
)

const chain = { chain: NonBlank, type: Schema.optional(Schema.String) }

/**
 * A query for the balance of an address, or the number of its transactions.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AccountQuery = Schema.Struct({ ...chain, address: NonBlank })

/**
 * A query for the balances of comma-separated addresses.
 *
 * @since 0.1.0
 * @category schemas
 */
export const AccountsQuery = Schema.Struct({ ...chain, addresses: NonBlank })

/**
 * A query about a chain.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ChainQuery = Schema.Struct(chain)

/**
 * A query for a block by its height.
 *
 * @since 0.1.0
 * @category schemas
 */
export const BlockQuery = Schema.Struct({ ...chain, blockNumber: Schema.NumberFromString })

/**
 * A query for a block by its hash.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HashQuery = Schema.Struct({ ...chain, hash: NonBlank })

/** A balance in whole coins. Addresses of UTXO chains have what they got and spent, too. */
const AccountBalance = Schema.Struct({
  balance: Schema.String,
  incoming: Schema.optional(Schema.String),
  outgoing: Schema.optional(Schema.String)
})

/**
 * A block of an EVM network. Its time is in seconds since 1970, prices are in wei.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Block = Schema.Struct({
  hash: Schema.String,
  number: Schema.Number,
  parentHash: Schema.String,
  timestamp: Schema.Number,
  gasUsed: Schema.Number,
  gasLimit: Schema.Number,
  miner: Schema.String,
  size: Schema.Number,
  difficulty: Schema.String,
  baseFeePerGas: Schema.optional(Schema.String),
  transactions: Schema.Array(Schema.Unknown)
})

/**
 * A block of a chain of Bitcoin's kind. Its time is in seconds since 1970.
 *
 * @since 0.1.0
 * @category schemas
 */
export const UtxoBlock = Schema.Struct({
  hash: Schema.String,
  height: Schema.Number,
  time: Schema.Number,
  size: Schema.Number,
  weight: Schema.optional(Schema.Number),
  bits: Schema.Number,
  nonce: Schema.Number,
  prevBlock: Schema.String,
  merkleRoot: Schema.String,
  nTx: Schema.Number,
  txs: Schema.Array(Schema.Unknown)
})

/**
 * A query for the rate of a currency.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SymbolQuery = Schema.Struct({
  symbol: NonBlank,
  basePair: Schema.optionalWith(NonBlank, { default: () => "EUR" })
})

/**
 * An item of a batch of rates.
 *
 * @since 0.1.0
 * @category schemas
 */
export const SymbolItem = Schema.Struct({ symbol: NonBlank, basePair: NonBlank, batchId: NonBlank })

/**
 * A transaction whose gas is to be estimated. `chain` is the code of a currency, `amount` in whole coins or in tokens
 * of `contractAddress`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const GasQuery = Schema.Struct({
  chain: NonBlank,
  from: NonBlank,
  to: NonBlank,
  amount: NonBlank,
  data: Schema.optional(Schema.String),
  contractAddress: Schema.optional(NonBlank)
})

/** The path of a route of the current data API. */
export const routePath = (route: keyof typeof v4Routes): `/${string}` => `/${v4Routes[route].v4}`

/** The fields of every rate. */
export const ExchangeRate = {
  value: Schema.String,
  basePair: Schema.String,
  timestamp: Schema.Number,
  source: Schema.String
}

/**
 * Routes about chains.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("blockchains")
  .add(
    HttpApiEndpoint.get("balance", routePath("balance")).setUrlParams(AccountQuery).addSuccess(AccountBalance)
  )
  .add(
    HttpApiEndpoint.get("balanceBatch", routePath("balanceBatch"))
      .setUrlParams(AccountsQuery)
      .addSuccess(Schema.Array(Schema.Struct({ address: Schema.String, ...AccountBalance.fields })))
  )
  .add(
    HttpApiEndpoint.get("currentBlock", routePath("currentBlock"))
      .setUrlParams(ChainQuery)
      .addSuccess(Schema.Struct({ blockNumber: Schema.Number }))
  )
  .add(
    HttpApiEndpoint.get("block", routePath("block"))
      .setUrlParams(BlockQuery)
      .addSuccess(Schema.Union(Block, UtxoBlock))
  )
  .add(
    HttpApiEndpoint.get("blockByHash", routePath("blockByHash"))
      .setUrlParams(HashQuery)
      .addSuccess(Schema.Union(Block, UtxoBlock))
  )
  .add(
    HttpApiEndpoint.get("transactionCount", routePath("transactionCount"))
      .setUrlParams(AccountQuery)
      .addSuccess(Schema.Struct({ count: Schema.Number }))
  )
  .add(
    HttpApiEndpoint.get("rateBySymbol", routePath("rateBySymbol"))
      .setUrlParams(SymbolQuery)
      .addSuccess(Schema.Struct({ id: Schema.String, ...ExchangeRate }))
  )
  .add(
    HttpApiEndpoint.post("rateBySymbolBatch", routePath("rateBySymbolBatch"))
      .setPayload(Schema.NonEmptyArray(SymbolItem))
      .addSuccess(
        Schema.Array(Schema.Struct({ batchId: Schema.String, symbol: Schema.String, ...ExchangeRate }))
      )
  )
  .add(
    HttpApiEndpoint.post("gas", routePath("gas"))
      .setPayload(GasQuery)
      .addSuccess(Schema.Struct({ gasPrice: Schema.String, gasLimit: Schema.String }))
  )
  .addError(Invalid)
  .addError(Missing)
  .addError(Unavailable)
