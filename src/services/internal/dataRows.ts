import * as Schema from "effect/Schema"
import { Amount, NonNegativeAmount, toPlainDecimal } from "./amounts.js"
import { DirectionSchema, Kind, TransferKind } from "./dataInput.js"

/** A field that the data API may leave out, or have as null. */
const optionalField = <A, I>(schema: Schema.Schema<A, I>, message: string) =>
  Schema.optional(
    Schema.NullishOr(schema).pipe(Schema.annotations({ message: () => ({ message, override: true }) }))
  )

/** The numbers of its answers arrive as their digits. */
const Count = Schema.NumberFromString

/** Text, if any. */
export const OptionalText = optionalField(Schema.String, "must be text")

/** A number as its digits, if any. */
export const OptionalCount = optionalField(Count, "must be a number")

/** A balance of the data API. */
export const BalanceRow = Schema.Struct({
  address: Schema.String,
  chain: OptionalText,
  type: Kind,
  balance: NonNegativeAmount,
  decimals: OptionalCount,
  symbol: OptionalText,
  tokenAddress: OptionalText,
  tokenId: OptionalText,
  lastUpdatedBlockNumber: OptionalCount
})

/** A transfer of the data API. */
export const TransferRow = Schema.Struct({
  chain: Schema.String,
  blockNumber: Count,
  hash: Schema.String,
  transactionType: TransferKind,
  transactionIndex: OptionalCount,
  tokenAddress: OptionalText,
  tokenId: OptionalText,
  amount: Amount,
  timestamp: Count,
  address: Schema.String,
  counterAddress: OptionalText,
  transactionSubtype: optionalField(DirectionSchema, "must be one of incoming, outgoing, zero-transfer")
})

/** A page of the data API. */
export const pageStruct = <A, I>(row: Schema.Schema<A, I>) =>
  Schema.Struct({
    result: Schema.Array(row).pipe(Schema.annotations({ message: () => "must be a list" })),
    prevPage: OptionalText,
    nextPage: OptionalText
  })

/** Fields without those that are undefined or null. */
export type Present<A> = {
  readonly [K in keyof A as null extends A[K] ? never : undefined extends A[K] ? never : K]: A[K]
} & {
  readonly [K in keyof A as null extends A[K] ? K : undefined extends A[K] ? K : never]?: NonNullable<A[K]>
}

/** Leaves out the fields that an answer lacks: an absent field and an undefined one are not the same. */
export const omitMissing = <A extends object>(fields: A): Present<A> => {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  // the type expresses that absent fields are filtered out, which Object.fromEntries cannot
  return Object.fromEntries(entries) as Present<A>
}

/** A transfer for the caller, with its amount in full. */
export const toTransfer = (row: typeof TransferRow.Type): Present<typeof TransferRow.Type> =>
  omitMissing({ ...row, amount: toPlainDecimal(row.amount) })

/**
 * Gives rows the addresses as the caller has written them. The provider writes those of EVM networks in small letters, and one answer
 * may have rows of nodes, too, which have the caller's spelling.
 */
export const makeAskedSpelling = (
  addresses: ReadonlyArray<string>
): (<A extends { readonly address: string }>(row: A) => A) => {
  const asked = new Map(addresses.map((address) => [address.toLowerCase(), address]))
  return (row) => {
    const address = /^0x/i.test(row.address) ? asked.get(row.address.toLowerCase()) : undefined
    return address === undefined ? row : { ...row, address }
  }
}
