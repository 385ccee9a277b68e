import * as Schema from "effect/Schema"
import { toUnits } from "./amounts.js"

const nonEmptyText = (message: string): Schema.filter<typeof Schema.String> =>
  Schema.String.pipe(Schema.filter((value) => value.trim() !== "", { message: () => message }))

/** The schema of text that is not blank. */
export const NonEmptyText = nonEmptyText("must be text that is not empty")

/** A chain, as the provider names it: the id of a network, or the short name of a chain. */
export const ChainName = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9-]{2,50}$/, {
    message: () => "must be the id of a network or the name of a chain"
  })
)

const integerFrom = (least: number, message: string): Schema.filter<typeof Schema.Number> =>
  Schema.Number.pipe(
    Schema.filter((value) => Number.isSafeInteger(value) && value >= least, { message: () => message })
  )

/** Items per page. */
export const PageSize = integerFrom(1, "must be a whole number from 1")

/** The number of a page, or of a block: both count from 0. */
export const Index = integerFrom(0, "must be a whole number from 0")

/** A query: its fields by name. */
export const queryStruct = <F extends Schema.Struct.Fields>(fields: F): Schema.Struct<F> =>
  Schema.Struct(fields).pipe(Schema.annotations({ message: () => "must be an object" }))

/** The schema of one of several words. */
export const oneOfWords = <W extends readonly [string, ...ReadonlyArray<string>]>(
  ...words: W
): Schema.Schema<W[number]> =>
  Schema.Literal(...words).pipe(
    Schema.annotations({
      message: () => ({ message: `must be one of ${words.join(", ")}`, override: true })
    })
  )

/** The kinds of assets. */
export const Kind = oneOfWords("native", "fungible", "nft", "multitoken")

/** The kinds of transfers. */
export const TransferKind = oneOfWords("native", "fungible", "nft", "multitoken", "internal")

/** The directions of transfers. */
export const DirectionSchema = oneOfWords("incoming", "outgoing", "zero-transfer")

/** One or several, which go on the wire as one text with commas. */
export const OneOrMoreTexts = Schema.Union(NonEmptyText, Schema.NonEmptyArray(NonEmptyText)).pipe(
  Schema.annotations({
    message: () => ({ message: "must be text that is not empty, or a list of such texts", override: true })
  })
)

/** The text of {@link OneOrMoreTexts} in a query. */
export const joinWithCommas = (several: string | ReadonlyArray<string>): string =>
  typeof several === "string" ? several : several.join(",")

/** One address, or several. */
export type AddressQuery = {
  readonly address?: string | undefined
  readonly addresses?: ReadonlyArray<string> | undefined
}

/** The fields of {@link AddressQuery} in a query. */
export const addressFields = {
  address: Schema.optional(NonEmptyText),
  addresses: Schema.optional(Schema.NonEmptyArray(NonEmptyText))
}

/** A page of a list, which counts from 0. */
export const pageFields = { pageSize: Schema.optional(PageSize), page: Schema.optional(Index) }

/** The pages of a stream, and the number of items after which it ends. */
export const streamFields = { pageSize: Schema.optional(PageSize), limit: Schema.optional(Index) }

export const EITHER_PROBLEM = "must have either address or addresses, a list of at least one"

/** The problem where both of the two are given, or neither. */
export const findAddressProblem = ({ address, addresses }: AddressQuery): string | undefined =>
  (address === undefined) === (addresses === undefined) ? EITHER_PROBLEM : undefined

export const addressesOf = ({ address, addresses = [] }: AddressQuery): ReadonlyArray<string> =>
  address === undefined ? addresses : [address]

/**
 * A query as it is sent: lists are joined by commas, and numbers are text, because the gateway leaves out zeros, which are defaults for
 * pages but not for blocks. `keep` names the fields whose zero is no default.
 */
export const toWireQuery = (
  fields: Readonly<Record<string, string | number | boolean | ReadonlyArray<string> | undefined>>,
  keep: ReadonlyArray<string> = ["blockFrom", "blockTo", "from", "to", "tokenId"]
): Readonly<Record<string, string | number | boolean | undefined>> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === "number" && keep.includes(name)
        ? String(value)
        : typeof value === "object"
          ? joinWithCommas(value)
          : value
    ])
  )

/** Decimals that a token can have: they are one byte in its contract. */
const Decimals = Schema.Union(Schema.Number, Schema.NumberFromString)
  .pipe(Schema.filter((value) => Number.isInteger(value) && value >= 0 && value <= 255))
  .pipe(
    Schema.annotations({
      message: () => ({ message: "must be a whole number from 0 to 255", override: true })
    })
  )

/** A token to deploy. Amounts are decimal strings in whole tokens. */
export const tokenFields = {
  owner: NonEmptyText,
  minter: Schema.optional(NonEmptyText),
  pauser: Schema.optional(NonEmptyText),
  name: NonEmptyText,
  symbol: NonEmptyText,
  initialSupply: NonEmptyText,
  initialHolder: NonEmptyText,
  decimals: Schema.optional(Decimals)
}

/** The decimals of a token that is deployed without any being named. */
const DEFAULT_DECIMALS = 18

/** The problem of the supply of a token to deploy, if there is one. */
export const findSupplyProblem = (token: {
  readonly initialSupply: string
  readonly decimals?: number | undefined
}): Schema.FilterIssue | undefined => {
  const { decimals = DEFAULT_DECIMALS, initialSupply } = token
  return (toUnits(initialSupply, decimals) ?? -1n) >= 0n
    ? undefined
    : {
        path: ["initialSupply"],
        message: `must be a decimal string that is not negative, with at most ${decimals} digits after the point`
      }
}
