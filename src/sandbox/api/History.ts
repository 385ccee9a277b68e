/**
 * Histories of addresses on chains of Bitcoin's kind, in the format of the provider's API v3.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Unavailable } from "./Refusal.js"

const wholeNumber = (least: number, most: number, message: string) =>
  Schema.NumberFromString.pipe(
    Schema.filter((value) => Number.isInteger(value) && value >= least && value <= most)
  ).annotations({ message: () => ({ message, override: true }) })

const Height = wholeNumber(0, Number.MAX_SAFE_INTEGER, "must be the height of a block")

/**
 * A query for transactions: `pageSize` of them (1 to 50) after the newest `offset`. `incoming` are transactions that
 * increased the address's balance, `outgoing` all others that spent from it. Heights are inclusive. `type` is the kind
 * of network, by default the mainnet.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HistoryQuery = Schema.Struct({
  pageSize: wholeNumber(1, 50, "must be a whole number from 1 to 50"),
  offset: Schema.optionalWith(wholeNumber(0, Number.MAX_SAFE_INTEGER, "must be a whole number from 0"), {
    default: () => 0
  }),
  txType: Schema.optional(Schema.Literal("incoming", "outgoing")),
  blockFrom: Schema.optional(Height),
  blockTo: Schema.optional(Height),
  type: Schema.optional(Schema.Literal("testnet", "mainnet"))
})

const Amount = Schema.Union(Schema.Number, Schema.String)

const Coin = Schema.Struct({ address: Schema.NullOr(Schema.String), value: Amount })

/**
 * A transaction. Amounts are numbers of satoshis on Bitcoin, and decimal strings in whole coins on Litecoin and
 * Dogecoin. `time` is in seconds since 1970. A transaction that is not in a block has no `blockNumber`, and newly
 * minted coins have no `coin`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const HistoryRow = Schema.Struct({
  hash: Schema.String,
  blockNumber: Schema.optional(Schema.Number),
  time: Schema.Number,
  fee: Amount,
  size: Schema.Number,
  inputs: Schema.Array(
    Schema.Struct({
      prevout: Schema.Struct({ hash: Schema.String, index: Schema.Number }),
      coin: Schema.optional(Coin)
    })
  ),
  outputs: Schema.Array(Coin)
})

const historyEndpoint = <const Chain extends "bitcoin" | "litecoin" | "dogecoin">(chain: Chain) =>
  HttpApiEndpoint.get(chain, `/${chain}/transaction/address/:address`)
    .setPath(Schema.Struct({ address: Schema.String }))
    .setUrlParams(HistoryQuery)
    .addSuccess(Schema.Array(HistoryRow))

/**
 * Histories of addresses.
 *
 * @since 0.1.0
 * @category combinators
 */
export const group = HttpApiGroup.make("history")
  .add(historyEndpoint("bitcoin"))
  .add(historyEndpoint("litecoin"))
  .add(historyEndpoint("dogecoin"))
  .addError(Unavailable)
