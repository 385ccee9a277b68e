/**
 * The content of a Solana cluster's slots: coins and tokens that changed hands, and fees.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { highestTransactionVersion } from "../../chains/Solana.js"
import type { BlockReader, Movement, ReadBlock } from "../Indexer.js"
import type { Transaction } from "../Store.js"
import { decodeAnswer } from "./decodeAnswer.js"
import type { Rpc } from "./Utxo.js"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const Digits = Schema.String.pipe(Schema.pattern(/^\d+$/))

const TokenBalances = Schema.Array(
  Schema.Struct({
    mint: Schema.String,
    owner: optional(Schema.String),
    uiTokenAmount: Schema.Struct({ amount: Digits, decimals: Schema.Number })
  })
)

const NodeTransaction = Schema.Struct({
  transaction: Schema.Struct({
    signatures: Schema.NonEmptyArray(Schema.String),
    message: Schema.Struct({ accountKeys: Schema.Array(Schema.Struct({ pubkey: Schema.String })) })
  }),
  meta: Schema.Struct({
    err: Schema.Unknown,
    fee: Schema.Number,
    preBalances: Schema.Array(Schema.Number),
    postBalances: Schema.Array(Schema.Number),
    preTokenBalances: optional(TokenBalances),
    postTokenBalances: optional(TokenBalances)
  })
})

type NodeTransaction = typeof NodeTransaction.Type

const NodeBlock = Schema.NullOr(Schema.Struct({ transactions: Schema.Array(NodeTransaction) }))

const readSlot = decodeAnswer("getSlot", Schema.Number)
const readFirst = decodeAnswer("getFirstAvailableBlock", Schema.Number)
const readBlock = decodeAnswer("getBlock", NodeBlock)

/** The changes of owners' balances of an asset, in the order of their first change. */
type BalanceChanges = Map<string, bigint>

const addChange = (changes: BalanceChanges, owner: string, amount: bigint): BalanceChanges =>
  changes.set(owner, (changes.get(owner) ?? 0n) + amount)

/**
 * Movements from the owners that have less to those that have more. With several on both sides it is unknown who paid
 * whom.
 */
const toMovements = (
  changes: BalanceChanges,
  movement: Pick<Movement, "kind" | "hash" | "transactionIndex" | "token">
): ReadonlyArray<Movement> => {
  const less = [...changes].filter(([, change]) => change < 0n)
  const more = [...changes].filter(([, change]) => change > 0n)
  const [[giver] = []] = less
  const [[taker] = []] = more
  const of = (sender: string | undefined, receiver: string | undefined, amount: bigint) => ({
    ...movement,
    sender,
    receiver,
    amount
  })
  if (less.length === 1 && more.length > 0) return more.map(([owner, amount]) => of(giver, owner, amount))
  if (more.length === 1 && less.length > 0) return less.map(([owner, amount]) => of(owner, taker, -amount))
  return [
    ...less.map(([owner, amount]) => of(owner, undefined, -amount)),
    ...more.map(([owner, amount]) => of(undefined, owner, amount))
  ]
}

const findCoinChanges = ({ meta, transaction }: NodeTransaction): BalanceChanges => {
  const changes: BalanceChanges = new Map()
  transaction.message.accountKeys.forEach(({ pubkey }, i) => {
    const paid = i === 0 ? meta.fee : 0
    addChange(changes, pubkey, BigInt((meta.postBalances[i] ?? 0) - (meta.preBalances[i] ?? 0) + paid))
  })
  return changes
}

const findTokenChanges = ({ meta }: NodeTransaction): ReadonlyMap<string, BalanceChanges> => {
  const mints = new Map<string, BalanceChanges>()
  const count = (balances: typeof TokenBalances.Type | null | undefined, sign: bigint): void => {
    for (const { mint, owner, uiTokenAmount } of balances ?? []) {
      const changes = mints.get(mint) ?? new Map<string, bigint>()
      mints.set(mint, changes)
      if (owner) addChange(changes, owner, sign * BigInt(uiTokenAmount.amount))
    }
  }
  count(meta.preTokenBalances, -1n)
  count(meta.postTokenBalances, 1n)
  return mints
}

const findMovements = (each: NodeTransaction, transactionIndex: number): ReadonlyArray<Movement> => {
  const { meta, transaction } = each
  const within = { hash: transaction.signatures[0], transactionIndex }
  const payer = transaction.message.accountKeys[0]?.pubkey
  const fee: Movement = {
    kind: "fee",
    ...within,
    sender: payer,
    receiver: undefined,
    amount: BigInt(meta.fee)
  }
  if (meta.err !== null && meta.err !== undefined)
    return [{ kind: "failed", ...within, sender: payer, receiver: undefined, amount: 0n }, fee]
  return [
    ...toMovements(findCoinChanges(each), { kind: "native", ...within }),
    ...[...findTokenChanges(each)].flatMap(([token, changes]) =>
      toMovements(changes, { kind: "fungible", ...within, token })
    ),
    fee
  ]
}

/** The number of slots that the store keeps. There are twenty in a second, and older ones are not read. */
const MAX_KEPT_SLOTS = 1_000

const makeWriter =
  (slot: number, transactions: ReadonlyArray<NodeTransaction>) =>
  (transaction: Transaction, network: string): void => {
    transaction.run("DELETE FROM blocks WHERE network = ? AND block = ?", network, slot - MAX_KEPT_SLOTS)
    for (const { meta } of transactions)
      for (const { mint, uiTokenAmount } of meta.postTokenBalances ?? [])
        transaction.run(
          "INSERT OR IGNORE INTO tokens VALUES (?, ?, ?, 'fungible', NULL, NULL, ?)",
          network,
          mint,
          slot,
          uiTokenAmount.decimals
        )
  }

const CONFIRMED = { commitment: "confirmed" }

/**
 * Reads the blocks of a cluster from its node. Heights are slots, and a skipped slot is empty. The movements of a
 * transaction follow from the balances before and after it: coins (`native`), tokens (`fungible`) by the owners of
 * their accounts, and the payer's payment (`fee`). A failed transaction has only the fee. The newest confirmed slot is
 * complete, since the cluster writes to a slot above it. `run` identifies the node's process: each process begins a new
 * chain.
 *
 * Fails with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReader = (rpc: Rpc, run: Effect.Effect<unknown>): BlockReader => {
  const hashOf = (slot: number) => Effect.map(run, (life) => `${life}-${slot}`)
  const beginnings = new Map<unknown, number>()
  /** The first slot of a process, which does not know earlier ones. */
  const beginning = Effect.flatMap(run, (life) => {
    const known = beginnings.get(life)
    return known !== undefined
      ? Effect.succeed(known)
      : rpc("getFirstAvailableBlock", []).pipe(
          Effect.flatMap(readFirst),
          Effect.tap((slot) => beginnings.set(life, slot))
        )
  })
  return {
    readHead: Effect.gen(function* () {
      const block = yield* Effect.flatMap(rpc("getSlot", [CONFIRMED]), readSlot)
      return { block, hash: yield* hashOf(block) }
    }),
    readBlock: (slot) =>
      Effect.gen(function* () {
        const options = {
          ...CONFIRMED,
          encoding: "jsonParsed",
          transactionDetails: "full",
          maxSupportedTransactionVersion: highestTransactionVersion,
          rewards: false
        }
        const first = yield* beginning
        const found = slot < first ? null : yield* Effect.flatMap(rpc("getBlock", [slot, options]), readBlock)
        const transactions = found?.transactions ?? []
        return {
          block: slot,
          hash: yield* hashOf(slot),
          parent: yield* hashOf(slot - 1),
          // the node's own time has no documented unit
          time: Date.now(),
          hashes: transactions.map(({ transaction }) => transaction.signatures[0]),
          movements: transactions.flatMap(findMovements),
          events: [],
          write: makeWriter(slot, transactions)
        } satisfies ReadBlock
      })
  }
}
