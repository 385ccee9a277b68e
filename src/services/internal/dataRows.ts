import * as Schema from "effect/Schema"
import { Amount, Holding, plain } from "./amounts.js"
import { Direction, Kind, TransferKind } from "./dataInput.js"

/** A field that the data API may leave out, or have as null. */
const absent = <A, I>(schema: Schema.Schema<A, I>, message: string) =>
  Schema.optional(Schema.NullishOr(schema).annotations({ message: () => ({ message, override: true }) }))

/** The numbers of its answers arrive as their digits. */
const Count = Schema.NumberFromString

/** Text, if any. */
export const SomeText = absent(Schema.String, "must be text")

/** A number as its digits, if any. */
export const SomeCount = absent(Count, "must be a number")

/** A balance of the data API. */
export const BalanceRow = Schema.Struct({
  address: Schema.String,
  chain: SomeText,
  type: Kind,
  balance: Holding,
  decimals: SomeCount,
  symbol: SomeText,
  tokenAddress: SomeText,
  tokenId: SomeText,
  lastUpdatedBlockNumber: SomeCount
})

/** A transfer of the data API. */
export const TransferRow = Schema.Struct({
  chain: Schema.String,
  blockNumber: Count,
  hash: Schema.String,
  transactionType: TransferKind,
  transactionIndex: SomeCount,
  tokenAddress: SomeText,
  tokenId: SomeText,
  amount: Amount,
  timestamp: Count,
  address: Schema.String,
  counterAddress: SomeText,
  transactionSubtype: absent(Direction, "must be one of incoming, outgoing, zero-transfer")
})

/** A page of the data API. */
export const pageOf = <A, I>(row: Schema.Schema<A, I>) =>
  Schema.Struct({
    result: Schema.Array(row).annotations({ message: () => "must be a list" }),
    prevPage: SomeText,
    nextPage: SomeText
  })

/** Fields without those that are undefined or null. */
export type Present<A> = {
  readonly [K in keyof A as null extends A[K] ? never : undefined extends A[K] ? never : K]: A[K]
} & {
  readonly [K in keyof A as null extends A[K] ? K : undefined extends A[K] ? K : never]?: NonNullable<A[K]>
}

/** Leaves out the fields that an answer lacks: an absent field and an undefined one are not the same. */
export const present = <A extends object>(fields: A): Present<A> => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  // the type says that absent fields are filtered out, which Object.fromEntries cannot express
  return Object.fromEntries(entries) as Present<A>
}

/** A transfer as it is handed out, with its amount written out. */
export const transferOf = (row: typeof TransferRow.Type): Present<typeof TransferRow.Type> =>
  present({ ...row, amount: plain(row.amount) })
