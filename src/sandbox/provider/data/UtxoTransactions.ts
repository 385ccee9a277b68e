/**
 * Transactions and outputs of Bitcoin's kind by their hash: the store knows their place in the chain, the node all else.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { UtxoBlock } from "../../api/Blockchains.js"
import { type Missing, missing } from "../../api/Refusal.js"
import type { OutputInfo, UtxoTransaction } from "../../api/Transactions.js"
import { read } from "../../indexer/Answer.js"
import { NOWHERE, type Rpc, satoshis } from "../../indexer/Utxo.js"
import type { SandboxError } from "../../SandboxError.js"
import type { StoreService } from "../../Store.js"

const optional = Schema.optional

const Script = Schema.Struct({ hex: Schema.String })

/** Outputs and inputs of Litecoin's extension blocks have neither values nor sources. */
const NodeOutput = Schema.Struct({
  n: optional(Schema.Number),
  value: optional(Schema.Number),
  scriptPubKey: optional(
    Schema.Struct({
      hex: Schema.String,
      address: optional(Schema.String),
      addresses: optional(Schema.Array(Schema.String))
    })
  )
})

const NodeTransaction = Schema.Struct({
  txid: Schema.String,
  version: Schema.Number,
  locktime: Schema.Number,
  size: Schema.Number,
  vsize: optional(Schema.Number),
  weight: optional(Schema.Number),
  blockhash: optional(Schema.NullOr(Schema.String)),
  vin: Schema.Array(
    Schema.Struct({
      txid: optional(Schema.String),
      vout: optional(Schema.Number),
      coinbase: optional(Schema.String),
      sequence: optional(Schema.Number),
      scriptSig: optional(Script)
    })
  ),
  vout: Schema.Array(NodeOutput)
})

type NodeTransaction = typeof NodeTransaction.Type
type Output = (typeof UtxoTransaction.Type)["outputs"][number]
type Input = (typeof UtxoTransaction.Type)["inputs"][number]

const readTransaction = read("getrawtransaction", NodeTransaction)
const readPool = read(
  "getrawmempool",
  Schema.Record({ key: Schema.String, value: Schema.Struct({ time: Schema.Number }) })
)
const readHashes = read("getrawmempool", Schema.Array(Schema.String))

/** Transactions that are asked for at a time. */
const CALLS = 8

/** The network and its node. */
interface Source {
  readonly network: string
  readonly rpc: Rpc
  readonly use: StoreService["use"]
}

/** The place of a transaction in the chain: a height and a position in the block, unless it waits for one. */
interface Found {
  readonly block?: number
  readonly position?: number
  /** Seconds since 1970. */
  readonly time: number
}

const Place = Schema.Struct({ block: Schema.Number, position: Schema.Number, time: Schema.Number })

const placeIn = ({ network, use }: Source, hash: string) =>
  Effect.map(
    use(({ all }) =>
      all(
        Place,
        "SELECT block, position, time FROM transactions WHERE network = ? AND hash = ?",
        network,
        hash
      )
    ),
    ([place]): Found | undefined => place && { ...place, time: place.time / 1_000 }
  )

/** A transaction in a block, or one that waits for a block. Nodes have the same failure for an unknown hash as for others. */
const find = (source: Source, hash: string): Effect.Effect<Found, Missing | SandboxError> =>
  Effect.gen(function* () {
    const place = yield* placeIn(source, hash)
    if (place !== undefined) return place
    const pool = yield* Effect.flatMap(source.rpc("getrawmempool", [true]), readPool)
    const { [hash]: waiting } = pool
    return (
      waiting ??
      // one that has been mined in between is in the store by the next question
      (yield* Effect.fail(missing("transaction.not.found", `${source.network} has no transaction ${hash}`)))
    )
  })

const transactionOf = ({ rpc }: Source, hash: string): Effect.Effect<NodeTransaction, SandboxError> =>
  Effect.flatMap(rpc("getrawtransaction", [hash, true]), readTransaction)

const outputsOf = ({ vout }: NodeTransaction): ReadonlyMap<number, Output> =>
  new Map(
    vout.flatMap(({ n, scriptPubKey, value }) => {
      if (n === undefined || value === undefined || scriptPubKey === undefined) return []
      const { address, addresses = [], hex } = scriptPubKey
      const only = addresses.length === 1 ? addresses[0] : undefined
      return [[n, { value: satoshis(value), script: hex, address: address ?? only ?? null }] as const]
    })
  )

/** An output as the coin that an input spends. */
const coinOf = (
  transaction: NodeTransaction,
  index: number,
  height: number | undefined
): NonNullable<Input["coin"]> | undefined => {
  const output = outputsOf(transaction).get(index)
  return (
    output && {
      version: transaction.version,
      ...(height === undefined ? {} : { height }),
      ...output,
      coinbase: transaction.vin.some(({ coinbase }) => coinbase !== undefined)
    }
  )
}

const inputOf = (
  source: Source,
  { scriptSig, sequence = 0xff_ff_ff_ff, ...input }: NodeTransaction["vin"][number]
): Effect.Effect<Input, SandboxError> =>
  Effect.gen(function* () {
    const { txid, vout } = input
    if (txid === undefined || vout === undefined)
      return { prevout: NOWHERE, sequence, script: input.coinbase ?? "" }
    const spent = yield* transactionOf(source, txid)
    const coin = coinOf(spent, vout, (yield* placeIn(source, txid))?.block)
    return {
      prevout: { hash: txid, index: vout },
      sequence,
      script: scriptSig?.hex ?? "",
      ...(typeof coin?.address === "string" ? { address: coin.address } : {}),
      ...(coin === undefined ? {} : { coin })
    }
  })

const sum = (values: ReadonlyArray<{ readonly value: number }>): number =>
  values.reduce((total, { value }) => total + value, 0)

/**
 * A transaction by its hash, which is in lower case. Fails where neither the chain nor the node's pool has it, and with the node's
 * message (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const transaction = (
  source: Source,
  hash: string
): Effect.Effect<typeof UtxoTransaction.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { block, position, time } = yield* find(source, hash)
    const said = yield* transactionOf(source, hash)
    const inputs = yield* Effect.forEach(said.vin, (input) => inputOf(source, input), { concurrency: CALLS })
    const outputs = [...outputsOf(said).values()]
    const coins = inputs.flatMap(({ coin }) => coin ?? [])
    const { locktime, size, version, vsize, weight } = said
    return {
      hash,
      ...(block === undefined ? {} : { blockNumber: block }),
      ...(block === undefined || typeof said.blockhash !== "string" ? {} : { block: said.blockhash }),
      // a transaction whose inputs are minted, or of unknown amounts, has no fee that could be told
      fee: coins.length === inputs.length ? Math.max(0, sum(coins) - sum(outputs)) : 0,
      ...(position === undefined ? {} : { index: position }),
      time,
      size,
      ...(vsize === undefined ? {} : { vsize }),
      ...(weight === undefined ? {} : { weight }),
      version,
      locktime,
      inputs,
      outputs
    }
  })

/**
 * An output, whether it is spent or not. Fails where its transaction is unknown or has no such output, and with the node's message
 * (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const output = (
  source: Source,
  hash: string,
  index: number
): Effect.Effect<typeof OutputInfo.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { block } = yield* find(source, hash)
    const coin = coinOf(yield* transactionOf(source, hash), index, block)
    return coin === undefined
      ? yield* Effect.fail(missing("utxo.not.found", `${hash} has no output ${index}`))
      : { hash, index, ...coin }
  })

/**
 * The hashes of the transactions that wait at a node for a block.
 *
 * @since 0.1.0
 * @category operations
 */
export const mempool = (rpc: Rpc): Effect.Effect<ReadonlyArray<string>, SandboxError> =>
  Effect.flatMap(rpc("getrawmempool", []), readHashes)

const NodeBlock = Schema.Struct({
  hash: Schema.String,
  height: Schema.Number,
  time: Schema.Number,
  size: Schema.Number,
  weight: optional(Schema.Number),
  previousblockhash: optional(Schema.NullOr(Schema.String)),
  merkleroot: Schema.String,
  tx: Schema.Array(Schema.String)
})

const readBlock = read("getblock", NodeBlock)
/** 80 bytes, which all programs have alike: not all of them tell every field of it. */
const readHeader = read("getblockheader", Schema.String.pipe(Schema.pattern(/^[0-9a-f]{160}$/)))
const BlockRow = Schema.Struct({ hash: Schema.String })

/**
 * A block by its height, or by its hash in lower case, with its transactions. The coinbase of the first block is left out: no node
 * has it as a transaction. Fails where the chain has no such block, and with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const block = (
  source: Source,
  id: { readonly height: number } | { readonly hash: string }
): Effect.Effect<typeof UtxoBlock.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { network, rpc, use } = source
    const [column, value] = "height" in id ? (["block", id.height] as const) : (["hash", id.hash] as const)
    const [stored] = yield* use(({ all }) =>
      all(BlockRow, `SELECT hash FROM blocks WHERE network = ? AND ${column} = ?`, network, value)
    )
    if (stored === undefined)
      return yield* Effect.fail(missing("block.not.found", `${network} has no block ${value}`))
    const said = yield* Effect.flatMap(rpc("getblock", [stored.hash]), readBlock)
    const { hash, height, merkleroot, previousblockhash, size, time, tx, weight } = said
    const header = Buffer.from(
      yield* Effect.flatMap(rpc("getblockheader", [stored.hash, false]), readHeader),
      "hex"
    )
    const txs = yield* Effect.forEach(height === 0 ? [] : tx, (each) => transaction(source, each))
    return {
      hash,
      height,
      time,
      size,
      ...(weight === undefined ? {} : { weight }),
      bits: header.readUInt32LE(72),
      nonce: header.readUInt32LE(76),
      prevBlock: previousblockhash ?? "",
      merkleRoot: merkleroot,
      nTx: tx.length,
      txs
    }
  })
