/**
 * The content of blocks of Bitcoin's kind: outputs, their spenders, and each transaction's net change per address. Its
 * nodes, litecoind, bcoin and bcash, need an index of transactions (`-txindex`, `--index-tx`).
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
 * A transaction as the store has it, in its column `body`. Amounts are satoshis. `time` is in seconds since 1970: the
 * block's, or the time of arrival for a transaction without a block, which has no `blockNumber`. `size` is in bytes,
 * virtual if the node has it. An input without `coin` is newly minted. `address` is as the node writes it, and null if
 * a script has none or several.
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

/** An output in the node's form. Outputs of Litecoin's extension blocks are not in a block and have no value. */
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
 * The previous output of newly minted coins, as the chain writes it.
 *
 * @since 0.1.0
 * @category constants
 */
export const COINBASE_INPUT = { hash: "00".repeat(32), index: 0xff_ff_ff_ff }

/** The number of transactions whose outputs a reader caches. */
const MAX_REMEMBERED = 5_000

/** The limit of concurrent calls for a block or a pool. Nodes accept a limited number. */
const MAX_CONCURRENT_CALLS = 8

/**
 * Converts whole coins of JSON to satoshis, which is as exact as the number.
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

/** Finds the outputs of transactions by hash, and caches them. The oldest ones are evicted. */
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
      // minted coins have no input amounts, and so no fee
      const hasFee = spent.every((coin) => coin !== undefined)
      return {
        hash: transaction.txid,
        ...at,
        fee: hasFee ? Math.max(0, sumCoins(spent) - sumCoins(coins)) : 0,
        size: transaction.vsize ?? transaction.size,
        inputs,
        outputs: coins
      }
    }
  )

/** The net changes of a transaction by address, in the order of their appearance. */
const netChanges = ({ inputs, outputs }: UtxoRecord): ReadonlyMap<string, bigint> => {
  const net = new Map<string, bigint>()
  const add = (address: string | null, amount: bigint): void => {
    if (address !== null) net.set(address, (net.get(address) ?? 0n) + amount)
  }
  for (const { coin } of inputs) if (coin !== undefined) add(coin.address, -BigInt(coin.value))
  for (const { address, value } of outputs) add(address, BigInt(value))
  return net
}

/** One movement per address with a net change. A receiver's sender is unknown. */
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
 * The movements of transactions that have entered a node's pool since the last poll. A transaction that leaves the pool
 * meanwhile is skipped, and one that cannot be read now is read in the next poll.
 */
const makePendingReader = (rpc: Rpc): Effect.Effect<ReadonlyArray<Movement>, SandboxError> => {
  let known: ReadonlySet<string> = new Set()
  return Effect.gen(function* () {
    const pool = yield* Effect.flatMap(rpc("getrawmempool", [true]), readPool)
    const outputs = makeOutputCache(rpc)
    const found = yield* Effect.forEach(
      Object.entries(pool).filter(([hash]) => !known.has(hash)),
      ([hash, { time }]) =>
        rpc("getrawtransaction", [hash, true]).pipe(
          Effect.flatMap(readTransaction),
          Effect.flatMap((transaction) => readRecord(outputs, transaction, { time })),
          Effect.option
        ),
      { concurrency: MAX_CONCURRENT_CALLS }
    )
    const arrived = found.flatMap((each) => (Option.isSome(each) ? [each.value] : []))
    known = new Set([
      ...Object.keys(pool).filter((hash) => known.has(hash)),
      ...arrived.map(({ hash }) => hash)
    ])
    return arrived.flatMap(toMovements)
  })
}

/** The provider has notifications of pending transactions on Bitcoin alone. */
const hasMempoolNotifications = (network: string): boolean =>
  Network.isNetwork(network) && Network.info(network).notification === "BTC"

/**
 * Fetches blocks with their transactions. The first block shows which parameters the node takes: a verbosity (Bitcoin
 * Core) or two booleans (bcoin).
 */
const makeBlockFetcher = (rpc: Rpc) => {
  const dialects: ReadonlyArray<ReadonlyArray<unknown>> = [[2], [true, true]]
  let dialect: ReadonlyArray<unknown> | undefined
  return (hash: string): Effect.Effect<unknown, SandboxError> =>
    Effect.suspend(() =>
      dialect === undefined
        ? Effect.firstSuccessOf(
            dialects.map((params) =>
              Effect.tap(rpc("getblock", [hash, ...params]), () => {
                dialect = params
              })
            )
          )
        : rpc("getblock", [hash, ...dialect])
    )
}

/**
 * Reads the blocks of a network from its node. `network` is the id under which the store keeps outputs, their spenders,
 * and transactions (`UtxoRecord`). Movements are net changes of addresses: `sender` has less, `receiver` more, and
 * `amount` is in satoshis. The sender's amount includes the fee. The coinbase of the first block is left out: no node
 * has it as a transaction, and it cannot be spent.
 *
 * Fails with the node's message (`chain`), also if the node has no index of transactions.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReader = (network: string, rpc: Rpc): BlockReader => {
  const known = makeOutputCache(rpc)
  const fetchBlock = makeBlockFetcher(rpc)

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
        const { hash, previousblockhash, time, tx } = yield* Effect.flatMap(fetchBlock(id), readBlock)
        const spendable = height === 0 ? [] : tx
        // a transaction may spend an output of its own block
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
 * The pending transactions of a node, newest first, without a `blockNumber`. One that leaves the pool meanwhile is
 * skipped. Fails with the node's message (`chain`).
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
