/**
 * Rankings of a chain's tokens: the newest, those with the most receivers, and those with the most recent movements.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Units from "../../../data/Units.js"
import type { RankedToken } from "../../api/Market.js"
import type { Transaction } from "../../Store.js"
import { findPrices } from "../Rate.js"
import type { PagePart } from "./Pages.js"

const Row = Schema.Struct({
  token: Schema.String,
  name: Schema.NullOr(Schema.String),
  symbol: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Number),
  first: Schema.Number
})

type Row = typeof Row.Type

/** Fungible tokens with the time and the block of their first movement. */
const TOKENS_SQL = `SELECT t.token, t.name, t.symbol, t.decimals, MIN(m.time) AS first, MIN(m.block) AS born
  FROM tokens t
  JOIN movements m ON m.network = t.network AND m.token = t.token
  WHERE t.network = ?1 AND t.kind = 'fungible' GROUP BY t.token`

/**
 * The SQL of a ranking. Tokens with a count of zero are left out, and equal ones are in the order of their addresses.
 */
const makeRankingSql = (counted: string): string =>
  `SELECT token, name, symbol, decimals, first FROM (${TOKENS_SQL}) AS ranked
   JOIN (${counted}) AS counts USING (token) ORDER BY counted DESC, token LIMIT ?2 OFFSET ?3`

const rankingSql = {
  newest: `SELECT token, name, symbol, decimals, first FROM (${TOKENS_SQL}) ORDER BY born DESC, token LIMIT ?2 OFFSET ?3`,
  popular: makeRankingSql(
    `SELECT token, COUNT(DISTINCT receiver) AS counted FROM movements
     WHERE network = ?1 AND kind = 'fungible' AND receiver IS NOT NULL GROUP BY token`
  ),
  moving: makeRankingSql(
    `SELECT token, COUNT(*) AS counted FROM movements
     WHERE network = ?1 AND kind = 'fungible' AND time BETWEEN ?4 AND ?5 GROUP BY token`
  )
}

const Supply = Schema.Struct({
  sender: Schema.NullOr(Schema.String),
  receiver: Schema.NullOr(Schema.String),
  amount: Schema.String
})

/** The supply of a contract's existing tokens, in the smallest unit. */
const sumSupply = ({ all }: Transaction, network: string, token: string): bigint =>
  all(
    Supply,
    "SELECT sender, receiver, amount FROM movements WHERE network = ? AND token = ? AND (sender IS NULL OR receiver IS NULL)",
    network,
    token
  ).reduce((sum, { amount, sender }) => sum + (sender === null ? 1n : -1n) * BigInt(amount), 0n)

const MINUTE_MS = 60_000

/** The periods of changes, in minutes. */
const changeMinutes = { "5m": 5, "15m": 15, "1h": 60, "3h": 180, "6h": 360, "1d": 1_440 }

/** The market data of the price table for a token's own symbol. */
const findMarket = (
  { decimals, symbol }: Row,
  supply: bigint,
  { now, seed }: { readonly now: number; readonly seed: string }
) => {
  const worthAt = symbol === null ? undefined : findPrices(symbol, seed)
  if (worthAt === undefined) return {}
  const worth = worthAt(now)
  const priceChanges = Object.fromEntries(
    Object.entries(changeMinutes).map(([name, minutes]) => {
      const before = worthAt(now - minutes * MINUTE_MS)
      return [name, Number(((100 * (worth - before)) / before).toFixed(2))]
    })
  )
  return { priceUSD: worth, priceChanges, fdv: worth * Number(Units.format(supply, decimals ?? 0)) }
}

/**
 * The kind of ranking. `moving` ranks the tokens that moved between two times (milliseconds since 1970).
 *
 * @since 0.1.0
 * @category models
 */
export type RankingKind =
  | { readonly by: "newest" | "popular" }
  | { readonly by: "moving"; readonly from: number; readonly to: number }

/**
 * A part of a ranking. Prices are those of the tokens' own symbols, at `now`.
 *
 * @since 0.1.0
 * @category operations
 */
export const findRanked = (
  open: Transaction,
  { chain, network }: { readonly chain: string; readonly network: string },
  { part, wanted }: { readonly wanted: RankingKind; readonly part: Pick<PagePart, "from" | "size"> },
  at: { readonly now: number; readonly seed: string }
): ReadonlyArray<typeof RankedToken.Type> =>
  open
    .all(
      Row,
      rankingSql[wanted.by],
      network,
      part.size,
      part.from,
      ...(wanted.by === "moving" ? [wanted.from, wanted.to] : [])
    )
    .map((row, i) => ({
      rank: part.from + i + 1,
      ...(row.name === null ? {} : { name: row.name }),
      ...(row.symbol === null ? {} : { symbol: row.symbol }),
      tokenAddress: row.token,
      chain,
      type: "fungible" as const,
      ...findMarket(row, sumSupply(open, network, row.token), at),
      firstMint: new Date(row.first).toISOString()
    }))
