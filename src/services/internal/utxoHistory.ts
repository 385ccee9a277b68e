import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Units from "../../data/Units.js"
import { toUnits } from "./amounts.js"

/** The decimals of the coins with such a history. */
const DECIMALS = 8

/** The provider writes whole coins as text, and satoshis as a number. */
const Value = Schema.Union(
  Schema.Number.pipe(Schema.filter((value) => Number.isSafeInteger(value) && value >= 0)),
  Schema.String.pipe(
    Schema.filter((value) => Option.exists(Units.parse(value, DECIMALS), (amount) => amount >= 0n))
  )
).pipe(
  Schema.annotations({
    message: () => ({ message: "must be coins as text, or a whole number of satoshis", override: true })
  })
)

const optionalField = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullishOr(schema))

/** A source or a target of coins: not every script has an address. */
const Coin = Schema.Struct({ address: optionalField(Schema.String), value: Value })

/** A transaction in a history, with the fields for amounts. New coins have no sender. */
export const HistoryRow = Schema.Struct({
  hash: Schema.String,
  blockNumber: optionalField(Schema.Number),
  time: Schema.Number,
  inputs: optionalField(Schema.Array(Schema.Struct({ coin: optionalField(Coin) }))),
  outputs: optionalField(Schema.Array(Coin))
})

type Coins = ReadonlyArray<typeof Coin.Type | null | undefined>

const toSatoshis = (value: string | number): bigint =>
  typeof value === "number" ? BigInt(value) : (toUnits(value, DECIMALS) ?? 0n)

/** The share of an address in coins, in satoshis. */
const sumOfAddress = (address: string, coins: Coins): bigint =>
  coins.reduce((all, coin) => (coin?.address === address ? all + toSatoshis(coin.value) : all), 0n)

/** The net change of an address by a transaction: whole coins, their direction, and the fee if the address paid it. */
export const netChangeOf = (
  row: typeof HistoryRow.Type,
  address: string
): { readonly transactionType: "incoming" | "outgoing"; readonly amount: string } => {
  const spent = sumOfAddress(
    address,
    (row.inputs ?? []).map(({ coin }) => coin)
  )
  const received = sumOfAddress(address, row.outputs ?? [])
  return spent > 0n && spent >= received
    ? { transactionType: "outgoing", amount: Units.format(spent - received, DECIMALS) }
    : { transactionType: "incoming", amount: Units.format(received - spent, DECIMALS) }
}
