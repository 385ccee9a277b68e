/**
 * Events of contracts from the store. Those of tokens and of Uniswap's pools are decoded.
 *
 * @since 0.1.0
 */
import { keccak_256 } from "@noble/hashes/sha3.js"
import * as Schema from "effect/Schema"
import * as Units from "../../../data/Units.js"
import type { ChainEvent } from "../../api/Data.js"
import { decodeTransfer, splitWords, topics, wordToAddress, wordToNumber } from "../../indexer/Tokens.js"
import type { ColumnValue, Transaction } from "../../Store.js"
import type { PagePart } from "./Pages.js"

/**
 * A filter of events. Every field is optional, and a list matches any of its items. Addresses are in lower case,
 * `signatures` are first topics.
 *
 * @since 0.1.0
 * @category models
 */
export interface EventFilter {
  readonly contracts: ReadonlyArray<string>
  readonly signatures: ReadonlyArray<string>
  readonly eventType: keyof typeof topicsByType | undefined
  readonly blockFrom: number | undefined
  readonly blockTo: number | undefined
}

/** Tickers of coins that are worth about a dollar. */
const STABLECOINS = [
  "USDT",
  "USDC",
  "DAI",
  "BUSD",
  "TUSD",
  "USDP",
  "GUSD",
  "FRAX",
  "LUSD",
  "PYUSD",
  "CUSD",
  "EURC",
  "EURT"
]

const topicsByType = {
  tokenTransfer: [topics.transfer],
  stablecoinTransfer: [topics.transfer],
  multitokenTransfer: [topics.single, topics.batch],
  uniswapTrade: [topics.swapV2, topics.swapV3]
} as const

/**
 * The first topics in a text, which has topics or events such as `Transfer(address,address,uint256)`. Undefined if
 * there is other text in it.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseSignatures = (text: string): ReadonlyArray<string> | undefined => {
  const signature = /0x[0-9a-f]{64}|(?<![\w$])[a-z_$][\w$]*\((?:[\w[\]]+(?:,[\w[\]]+)*)?\)/gi
  const found = text.replace(/\s+/g, "").match(signature) ?? []
  const rest = text.replace(/\s+/g, "").replace(signature, "").replace(/,/g, "")
  return rest !== ""
    ? undefined
    : found.map((each) =>
        each.startsWith("0x") && each.length === 66
          ? each.toLowerCase()
          : `0x${Buffer.from(keccak_256(new TextEncoder().encode(each))).toString("hex")}`
      )
}

const Row = Schema.Struct({
  block: Schema.Number,
  time: Schema.Number,
  hash: Schema.String,
  transaction_index: Schema.Number,
  log_index: Schema.Number,
  address: Schema.String,
  topic_0: Schema.NullOr(Schema.String),
  topic_1: Schema.NullOr(Schema.String),
  topic_2: Schema.NullOr(Schema.String),
  topic_3: Schema.NullOr(Schema.String),
  data: Schema.String,
  symbol: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Number)
})

type Row = typeof Row.Type

type DecodedEvent = Readonly<Record<string, unknown>>

/** Decodes a signed number in two's complement. */
const wordToSigned = (word: string): bigint => BigInt.asIntN(256, wordToNumber(word))

const decodeSwap = ({ data, topic_0, topic_1, topic_2 }: Row): DecodedEvent | undefined => {
  const from = wordToAddress(topic_1 ?? undefined)
  const to = wordToAddress(topic_2 ?? undefined)
  const [first, second, third, fourth, fifth] = splitWords(data) ?? []
  if (from === undefined || to === undefined || first === undefined || second === undefined) return undefined
  if (third === undefined || fourth === undefined) return undefined
  // the amounts are the contract's numbers, since its tokens' decimals are not read
  const common = { label: "Swap", type: "uniswapTrade", from, to, partiallyRaw: true }
  if (topic_0 === topics.swapV2)
    return {
      ...common,
      subtype: "v2",
      amount0In: String(wordToNumber(first)),
      amount1In: String(wordToNumber(second)),
      amount0Out: String(wordToNumber(third)),
      amount1Out: String(wordToNumber(fourth))
    }
  return fifth === undefined
    ? undefined
    : {
        ...common,
        subtype: "v3",
        amount0: String(wordToSigned(first)),
        amount1: String(wordToSigned(second)),
        sqrtPriceX96: String(wordToNumber(third)),
        liquidity: String(wordToNumber(fourth)),
        tick: Number(wordToSigned(fifth))
      }
}

const decodeEvent = (row: Row, eventType: EventFilter["eventType"]): DecodedEvent | undefined => {
  const { data, decimals, symbol, topic_0, topic_1, topic_2, topic_3 } = row
  if (topic_0 === topics.swapV2 || topic_0 === topics.swapV3) return decodeSwap(row)
  const transfer = decodeTransfer({
    data,
    topics: [topic_0, topic_1, topic_2, topic_3].flatMap((topic) => topic ?? [])
  })
  if (transfer === undefined) return undefined
  const { from, kind, to } = transfer
  const common = { label: "Transfer", from, to }
  switch (kind) {
    case "fungible":
      return {
        ...common,
        type: eventType === "stablecoinTransfer" ? eventType : "tokenTransfer",
        subtype: kind,
        value: Units.format(transfer.value, decimals ?? 0),
        ...(decimals === null ? {} : { decimals }),
        ...(eventType === "stablecoinTransfer" ? { stablecoin: symbol ?? "" } : {})
      }
    case "nft":
      return { ...common, type: "tokenTransfer", subtype: kind, tokenId: String(transfer.tokenId) }
    case "multitoken": {
      const { batch, items, operator } = transfer
      const of = { ...common, type: "multitokenTransfer", operator }
      return batch
        ? {
            ...of,
            subtype: "batch",
            multitokenIds: items.map(({ tokenId }) => String(tokenId)),
            multitokenValues: items.map(({ value }) => String(value))
          }
        : {
            ...of,
            subtype: "single",
            multitokenId: String(items[0]?.tokenId ?? 0n),
            multitokenValue: String(items[0]?.value ?? 0n)
          }
    }
  }
}

/**
 * Events, newest first, and one more than fits on the page if there are more. The amounts of fungible tokens are
 * decimal strings in whole tokens. All other values are as in the log.
 *
 * @since 0.1.0
 * @category operations
 */
export const findEvents = (
  { all }: Transaction,
  network: string,
  { blockFrom, blockTo, contracts, eventType, signatures }: EventFilter,
  { from, head, size }: PagePart
): ReadonlyArray<typeof ChainEvent.Type> => {
  const isIn = (
    column: string,
    values: ReadonlyArray<string>
  ): ReadonlyArray<readonly [string, ColumnValue]> =>
    values.length === 0 ? [] : [[`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)]]
  const given: ReadonlyArray<readonly [string, ColumnValue]> = [
    ["e.network = ?", network],
    ["e.block <= ?", Math.min(blockTo ?? Number.MAX_SAFE_INTEGER, head ?? Number.MAX_SAFE_INTEGER)],
    ["e.block >= ?", blockFrom ?? 0],
    ...isIn("e.address", contracts),
    ...isIn("e.topic_0", signatures),
    ...(eventType === undefined ? [] : isIn("e.topic_0", topicsByType[eventType])),
    ...(eventType === "stablecoinTransfer" ? isIn("UPPER(t.symbol)", STABLECOINS) : [])
  ]
  const rows = all(
    Row,
    `SELECT e.block, e.time, e.hash, e.transaction_index, e.log_index, e.address, e.topic_0, e.topic_1, e.topic_2,
  e.topic_3, e.data, t.symbol, t.decimals
FROM events e LEFT JOIN tokens t ON t.network = e.network AND t.token = e.address
WHERE ${given.map(([sql]) => sql).join(" AND ")} ORDER BY e.block DESC, e.log_index DESC LIMIT ? OFFSET ?`,
    ...given.map(([, value]) => value),
    size + 1,
    from
  )
  return rows.map((row) => ({
    chain: network,
    address: row.address,
    blockNumber: row.block,
    timestamp: row.time,
    decoded: decodeEvent(row, eventType),
    raw: {
      topic_0: row.topic_0 ?? undefined,
      topic_1: row.topic_1 ?? undefined,
      topic_2: row.topic_2 ?? undefined,
      topic_3: row.topic_3 ?? undefined,
      data: row.data
    },
    txHash: row.hash,
    txIndex: row.transaction_index,
    logIndex: row.log_index
  }))
}
