/**
 * The content of blocks of Bitcoin's kind: outputs, their spenders, and the net change of every transaction for an address. It
 * is read from litecoind, bcoin and bcash, which have to know every transaction by its hash (`-txindex`, `--index-tx`).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Network from "../../data/Network.js"
import type { BlockReader, Movement, ReadBlock } from "../Indexer.js"
import { SandboxError } from "../SandboxError.js"
import type { Transaction } from "../Store.js"
import { decodeAnswer } from "./decodeAnswer.js"

/**
 * A JSON-RPC call at a node of the network; yields the result. Fails with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category models
 */
export type Rpc = (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, SandboxError>

const Coin = Schema.Struct({ address: Schema.NullOr(Schema.String), value: Schema.Number })

/**
 * A transaction in the form of the store, in its column `body`. Amounts are satoshis; `time` is in seconds since 1970: of its
 * block, or of the moment that the node got it while it is in none, and then it has no `blockNumber`. `size` is virtual if the
 * node has it so, in bytes. An input without `coin` is newly minted. `address` is as the node writes it, and null where a
 * script has none or several.
 *
 * @since 0.1.0
 * @category models
 */
export const UtxoRecord = Schema.Struct({
  hash: Schema.String,
  blockNumber: Schema.optional(Schema.Number),
  time: Schema.Number,
  fee: Schema.Number,
  size: Schema.Number,
  inputs: Schema.Array(
    Schema.Struct({
      prevout: Schema.Struct({ hash: Schema.String, index: Schema.Number }),
      coin: Schema.optional(Coin)
    })
  ),
  outputs: Schema.Array(Coin)
})

/**
 * See the schema `UtxoRecord`.
 *
 * @since 0.1.0
 * @category models
 */
export type UtxoRecord = typeof UtxoRecord.Type

/** The place of coins, in the node's form. Outputs that a block does not have, of Litecoin's extension blocks, have no value. */
const NodeOutput = Schema.Struct({
  n: Schema.optional(Schema.Number),
  value: Schema.optional(Schema.Number),
  scriptPubKey: Schema.optional(
    Schema.Struct({
      address: Schema.optional(Schema.String),
      addresses: Schema.optional(Schema.Array(Schema.String))
    })
  )
})

const NodeTransaction = Schema.Struct({
  txid: Schema.String,
  size: Schema.Number,
  vsize: Schema.optional(Schema.Number),
  vin: Schema.Array(
    Schema.Struct({ txid: Schema.optional(Schema.String), vout: Schema.optional(Schema.Number) })
  ),
  vout: Schema.Array(NodeOutput)
})

type NodeTransaction = typeof NodeTransaction.Type

const NodeBlock = Schema.Struct({
  hash: Schema.String,
  height: Schema.Number,
  time: Schema.Number,
  previousblockhash: Schema.optional(Schema.NullOr(Schema.String)),
  tx: Schema.Array(NodeTransaction)
})

const Tip = Schema.Struct({ blocks: Schema.Number, bestblockhash: Schema.String })

const Pool = Schema.Record({ key: Schema.String, value: Schema.Struct({ time: Schema.Number }) })

const readHash = decodeAnswer("getblockhash", Schema.String)
const readTip = decodeAnswer("getblockchaininfo", Tip)
const readBlock = decodeAnswer("getblock", NodeBlock)
const readTransaction = decodeAnswer("getrawtransaction", NodeTransaction)
const readPool = decodeAnswer("getrawmempool", Pool)

/**
 * The source of newly minted coins, in the chain's own spelling.
 *
 * @since 0.1.0
 * @category constants
 */
export const COINBASE_INPUT = { hash: "00".repeat(32), index: 0xff_ff_ff_ff }

/** Transactions whose outputs are remembered by a reader. */
const MAX_REMEMBERED = 5_000

/** Calls at the same time for one block or pool: nodes take a limited number of them at once. */
const MAX_CONCURRENT_CALLS = 8

/**
 * Whole coins of JSON as satoshis: exact as long as the number is.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toSatoshis = (coins: number): number => Number(coins.toFixed(8).replace(".", ""))

type Coins = ReadonlyMap<number, typeof Coin.Type>

const toOutputs = ({ vout }: NodeTransaction): Coins =>
  new Map(
    vout.flatMap(({ n, scriptPubKey, value }) => {
      if (n === undefined || value === undefined) return []
      const { address, addresses = [] } = scriptPubKey ?? {}
      const only = addresses.length === 1 ? addresses[0] : undefined
      return [[n, { address: address ?? only ?? null, value: toSatoshis(value) }] as const]
    })
  )

const sumCoins = (coins: ReadonlyArray<typeof Coin.Type | undefined>): number =>
  coins.reduce((sum, coin) => sum + (coin?.value ?? 0), 0)

/** The outputs of transactions by their hash; those that were met are remembered, the oldest of them forgotten. */
const makeOutputCache = (rpc: Rpc) => {
  const known = new Map<string, Coins>()
  const remember = (transaction: NodeTransaction): Coins => {
    const coins = toOutputs(transaction)
    known.set(transaction.txid, coins)
    for (const oldest of known.keys()) {
      if (known.size <= MAX_REMEMBERED) break
      known.delete(oldest)
    }
    return coins
  }
  const find = (hash: string): Effect.Effect<Coins, SandboxError> =>
    Effect.suspend(() => {
      const coins = known.get(hash)
      return coins !== undefined
        ? Effect.succeed(coins)
        : rpc("getrawtransaction", [hash, true]).pipe(Effect.flatMap(readTransaction), Effect.map(remember))
    })
  return { find, remember }
}

/** A transaction with the outputs that its inputs spend. */
const readRecord = (
  { find }: ReturnType<typeof makeOutputCache>,
  transaction: NodeTransaction,
  at: { readonly time: number; readonly blockNumber?: number }
): Effect.Effect<UtxoRecord, SandboxError> =>
  Effect.map(
    Effect.forEach(
      transaction.vin,
      ({ txid, vout }): Effect.Effect<UtxoRecord["inputs"][number], SandboxError> => {
        if (txid === undefined || vout === undefined) return Effect.succeed({ prevout: COINBASE_INPUT })
        const prevout = { hash: txid, index: vout }
        return Effect.flatMap(find(txid), (coins) => {
          const coin = coins.get(vout)
          return coin === undefined
            ? new SandboxError({
                reason: "chain",
                message: `${transaction.txid} spends output ${vout} of ${txid}, which the node does not have`
              })
            : Effect.succeed({ prevout, coin })
        })
      },
      { concurrency: MAX_CONCURRENT_CALLS }
    ),
    (inputs): UtxoRecord => {
      const spent = inputs.map(({ coin }) => coin)
      const coins = [...toOutputs(transaction).values()]
      // a transaction whose inputs are minted, or of unknown amounts, has no fee that could be told
      const told = spent.every((coin) => coin !== undefined)
      return {
        hash: transaction.txid,
        ...at,
        fee: told ? Math.max(0, sumCoins(spent) - sumCoins(coins)) : 0,
        size: transaction.vsize ?? transaction.size,
        inputs,
        outputs: coins
      }
    }
  )

/** The changes of a transaction, by address: the first one met comes first. */
const netChanges = ({ inputs, outputs }: UtxoRecord): ReadonlyMap<string, bigint> => {
  const net = new Map<string, bigint>()
  const add = (address: string | null, amount: bigint): void => {
    if (address !== null) net.set(address, (net.get(address) ?? 0n) + amount)
  }
  for (const { coin } of inputs) if (coin !== undefined) add(coin.address, -BigInt(coin.value))
  for (const { address, value } of outputs) add(address, BigInt(value))
  return net
}

/** One movement per address that has more or less than before; the giver of a receiver cannot be told. */
const toMovements = (transaction: UtxoRecord, transactionIndex: number): ReadonlyArray<Movement> =>
  [...netChanges(transaction)].flatMap(([address, net]) =>
    net === 0n
      ? []
      : {
          kind: "native",
          hash: transaction.hash,
          transactionIndex,
          sender: net < 0n ? address : undefined,
          receiver: net > 0n ? address : undefined,
          amount: net < 0n ? -net : net
        }
  )

const makeWriter =
  (network: string, height: number, time: number, transactions: ReadonlyArray<UtxoRecord>) =>
  (transaction: Transaction): void => {
    transactions.forEach((each, position) => {
      transaction.run(
        "INSERT OR REPLACE INTO transactions (network, hash, block, time, position, body) VALUES (?, ?, ?, ?, ?, ?)",
        network,
        each.hash,
        height,
        time,
        position,
        JSON.stringify(each)
      )
      for (const { coin, prevout } of each.inputs)
        if (coin !== undefined)
          transaction.run(
            "UPDATE outputs SET spent = ?, spender = ? WHERE network = ? AND hash = ? AND position = ?",
            height,
            each.hash,
            network,
            prevout.hash,
            prevout.index
          )
      each.outputs.forEach(({ address, value }, index) => {
        transaction.run(
          "INSERT OR REPLACE INTO outputs (network, hash, position, address, amount, block) VALUES (?, ?, ?, ?, ?, ?)",
          network,
          each.hash,
          index,
          address,
          String(value),
          height
        )
      })
    })
  }

/**
 * The movements of transactions that have come into a node's pool since the last question. One that leaves while it is read is
 * left out, and one that cannot be read now is read with the next question.
 */
const makePendingReader = (rpc: Rpc): Effect.Effect<ReadonlyArray<Movement>, SandboxError> => {
  let told: ReadonlySet<string> = new Set()
  return Effect.gen(function* () {
    const pool = yield* Effect.flatMap(rpc("getrawmempool", [true]), readPool)
    const known = makeOutputCache(rpc)
    const found = yield* Effect.forEach(
      Object.entries(pool).filter(([hash]) => !told.has(hash)),
      ([hash, { time }]) =>
        rpc("getrawtransaction", [hash, true]).pipe(
          Effect.flatMap(readTransaction),
          Effect.flatMap((transaction) => readRecord(known, transaction, { time })),
          Effect.option
        ),
      { concurrency: MAX_CONCURRENT_CALLS }
    )
    const come = found.flatMap((each) => (Option.isSome(each) ? [each.value] : []))
    told = new Set([...Object.keys(pool).filter((hash) => told.has(hash)), ...come.map(({ hash }) => hash)])
    return come.flatMap(toMovements)
  })
}

/** The provider tells of transactions that wait for a block on Bitcoin alone. */
const hasMempoolNotifications = (network: string): boolean =>
  Network.isNetwork(network) && Network.info(network).notification === "BTC"

/**
 * Reads the blocks of a network over its node. `network` is the id under which the store keeps outputs, their spenders, and
 * transactions (`UtxoRecord`, newly minted coins without a coin at their input). Movements are those of addresses whose net
 * changed: `sender` where it went down, `receiver` where it went up, `amount` in satoshis, the fee within the amount of the
 * sender. The coinbase of the first block is left out: no node has it as a transaction, and no transaction can spend it.
 *
 * Whether the node takes a verbosity (Bitcoin Core's way) or two booleans (bcoin's) is found out at the first block.
 * Fails with the node's message (`chain`), also if it does not know transactions by their hash.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReader = (network: string, rpc: Rpc): BlockReader => {
  const known = makeOutputCache(rpc)
  const dialects: ReadonlyArray<ReadonlyArray<unknown>> = [[2], [true, true]]
  let dialect: ReadonlyArray<unknown> | undefined

  const decoded = (hash: string): Effect.Effect<unknown, SandboxError> =>
    dialect === undefined
      ? Effect.firstSuccessOf(
          dialects.map((params) =>
            Effect.tap(rpc("getblock", [hash, ...params]), () => {
              dialect = params
            })
          )
        )
      : rpc("getblock", [hash, ...dialect])

  return {
    ...(hasMempoolNotifications(network) ? { pending: makePendingReader(rpc) } : {}),
    readHead: Effect.map(
      Effect.flatMap(rpc("getblockchaininfo", []), readTip),
      ({ bestblockhash, blocks }) => ({
        block: blocks,
        hash: bestblockhash
      })
    ),
    readBlock: (height) =>
      Effect.gen(function* () {
        const id = yield* Effect.flatMap(rpc("getblockhash", [height]), readHash)
        const { hash, previousblockhash, time, tx } = yield* Effect.flatMap(
          Effect.suspend(() => decoded(id)),
          readBlock
        )
        const spendable = height === 0 ? [] : tx
        // an output that is spent may be of this very block
        for (const transaction of spendable) known.remember(transaction)
        const transactions = yield* Effect.forEach(spendable, (transaction) =>
          readRecord(known, transaction, { time, blockNumber: height })
        )
        return {
          block: height,
          hash,
          parent: previousblockhash ?? "",
          time: time * 1_000,
          hashes: tx.map(({ txid }) => txid),
          movements: transactions.flatMap(toMovements),
          events: [],
          write: makeWriter(network, height, time * 1_000, transactions)
        } satisfies ReadBlock
      })
  }
}

/**
 * The transactions that wait at the node for a block, newest first, without a `blockNumber`. One that leaves while it is
 * read is left out. Fails with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category getters
 */
export const readPending = (rpc: Rpc): Effect.Effect<ReadonlyArray<UtxoRecord>, SandboxError> =>
  Effect.gen(function* () {
    const pool = yield* Effect.flatMap(rpc("getrawmempool", [true]), readPool)
    const known = makeOutputCache(rpc)
    const found = yield* Effect.forEach(
      Object.entries(pool),
      ([hash, { time }]) =>
        rpc("getrawtransaction", [hash, true]).pipe(
          Effect.flatMap(readTransaction),
          Effect.flatMap((transaction) => readRecord(known, transaction, { time })),
          Effect.either
        ),
      { concurrency: MAX_CONCURRENT_CALLS }
    )
    return found
      .flatMap((each) => (Either.isRight(each) ? [each.right] : []))
      .sort((one, other) => other.time - one.time)
  })
