/**
 * Token holdings, which are the sums of the movements in the store.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type { Transaction } from "../../Store.js"

/**
 * The kinds of tokens.
 *
 * @since 0.1.0
 * @category models
 */
export type TokenKind = "fungible" | "nft" | "multitoken"

/**
 * Tokens of an address, or in existence. `amount` is in the smallest unit and above zero, `block` the height of its
 * last change.
 *
 * @since 0.1.0
 * @category models
 */
export interface Holding {
  readonly kind: TokenKind
  readonly token: string
  readonly tokenId: string | undefined
  readonly amount: bigint
  readonly block: number
}

/**
 * A token of the store.
 *
 * @since 0.1.0
 * @category models
 */
export interface StoredToken {
  readonly kind: TokenKind
  readonly name: string | undefined
  readonly symbol: string | undefined
  readonly decimals: number | undefined
}

const Kind = Schema.Literal("fungible", "nft", "multitoken")

const Row = Schema.Struct({
  kind: Kind,
  token: Schema.String,
  token_id: Schema.NullOr(Schema.String),
  block: Schema.Number,
  sender: Schema.NullOr(Schema.String),
  receiver: Schema.NullOr(Schema.String),
  amount: Schema.String
})

const COLUMNS = "kind, token, token_id, block, sender, receiver, amount"
const IS_TOKEN_SQL = "kind IN ('fungible', 'nft', 'multitoken')"

/** Sums the changes of movements by key. Keys are in the order of their first movement. */
const sumByKey = (
  rows: ReadonlyArray<typeof Row.Type>,
  change: (row: typeof Row.Type) => bigint
): ReadonlyArray<Holding> => {
  const sums = new Map<string, Holding>()
  for (const row of rows) {
    const key = `${row.token} ${row.token_id}`
    sums.set(key, {
      kind: row.kind,
      token: row.token,
      tokenId: row.token_id ?? undefined,
      amount: (sums.get(key)?.amount ?? 0n) + change(row),
      block: row.block
    })
  }
  return [...sums.values()].filter(({ amount }) => amount > 0n)
}

/**
 * The tokens of an address, in the order in which they first arrived. The address is in lower case.
 *
 * @since 0.1.0
 * @category operations
 */
export const findHoldings = (
  { all }: Transaction,
  network: string,
  address: string
): ReadonlyArray<Holding> =>
  sumByKey(
    all(
      Row,
      `SELECT ${COLUMNS} FROM movements WHERE network = ? AND (sender = ? OR receiver = ?) AND ${IS_TOKEN_SQL} ` +
        "ORDER BY block, position",
      network,
      address,
      address
    ),
    ({ amount, receiver, sender }) =>
      (receiver === address ? BigInt(amount) : 0n) - (sender === address ? BigInt(amount) : 0n)
  )

const findMovementRows = (
  { all }: Transaction,
  network: string,
  token: string,
  tokenId: string | undefined
): ReadonlyArray<typeof Row.Type> =>
  tokenId === undefined
    ? all(
        Row,
        `SELECT ${COLUMNS} FROM movements WHERE network = ? AND token = ? AND ${IS_TOKEN_SQL} ORDER BY block, position`,
        network,
        token
      )
    : all(
        Row,
        `SELECT ${COLUMNS} FROM movements WHERE network = ? AND token = ? AND token_id = ? AND ${IS_TOKEN_SQL} ` +
          "ORDER BY block, position",
        network,
        token,
        tokenId
      )

/**
 * The existing tokens of a contract, in the order in which they were minted.
 *
 * @since 0.1.0
 * @category operations
 */
export const findTokensOfContract = (
  open: Transaction,
  network: string,
  token: string
): ReadonlyArray<Holding> =>
  sumByKey(
    findMovementRows(open, network, token, undefined),
    ({ amount, receiver, sender }) =>
      (sender === null ? BigInt(amount) : 0n) - (receiver === null ? BigInt(amount) : 0n)
  )

/**
 * The owners of a token, or of any token of a contract, with their amounts, in the order in which they first owned it.
 *
 * @since 0.1.0
 * @category operations
 */
export const findOwners = (
  open: Transaction,
  network: string,
  token: string,
  tokenId: string | undefined
): ReadonlyArray<{ readonly address: string; readonly amount: bigint }> => {
  const sums = new Map<string, bigint>()
  const add = (address: string | null, amount: bigint): void => {
    if (address !== null) sums.set(address, (sums.get(address) ?? 0n) + amount)
  }
  for (const { amount, receiver, sender } of findMovementRows(open, network, token, tokenId)) {
    add(sender, -BigInt(amount))
    add(receiver, BigInt(amount))
  }
  return [...sums].flatMap(([address, amount]) => (amount > 0n ? [{ address, amount }] : []))
}

const TokenRow = Schema.Struct({
  kind: Kind,
  name: Schema.NullOr(Schema.String),
  symbol: Schema.NullOr(Schema.String),
  decimals: Schema.NullOr(Schema.Number)
})

/**
 * The stored details of a contract that has moved tokens.
 *
 * @since 0.1.0
 * @category operations
 */
export const findToken = ({ all }: Transaction, network: string, token: string): StoredToken | undefined => {
  const [row] = all(
    TokenRow,
    "SELECT kind, name, symbol, decimals FROM tokens WHERE network = ? AND token = ?",
    network,
    token
  )
  return (
    row && {
      kind: row.kind,
      name: row.name ?? undefined,
      symbol: row.symbol ?? undefined,
      decimals: row.decimals ?? undefined
    }
  )
}

const Amounts = Schema.Struct({ amount: Schema.String })

/**
 * The coins of an address on a chain of Bitcoin's kind, in the smallest unit.
 *
 * @since 0.1.0
 * @category operations
 */
export const sumCoins = ({ all }: Transaction, network: string, address: string): bigint =>
  all(
    Amounts,
    "SELECT amount FROM outputs WHERE network = ? AND address = ? AND spent IS NULL",
    network,
    address
  ).reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/**
 * Sums all outputs that an address of a UTXO chain was ever paid, in the smallest unit.
 *
 * @since 0.1.0
 * @category operations
 */
export const sumReceived = ({ all }: Transaction, network: string, address: string): bigint =>
  all(Amounts, "SELECT amount FROM outputs WHERE network = ? AND address = ?", network, address).reduce(
    (sum, { amount }) => sum + BigInt(amount),
    0n
  )
