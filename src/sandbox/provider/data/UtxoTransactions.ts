/**
 * Transactions and outputs on chains of Bitcoin's kind by their hash. The store has their position in the chain, and
 * the node everything else.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { UtxoBlock } from "../../api/Blockchains.js"
import { type Missing, makeMissing } from "../../api/Refusal.js"
import type { OutputInfo, UtxoTransaction } from "../../api/Transactions.js"
import { decodeAnswer } from "../../indexer/decodeAnswer.js"
import { COINBASE_INPUT, type Rpc, toSatoshis } from "../../indexer/Utxo.js"
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

const readTransaction = decodeAnswer("getrawtransaction", NodeTransaction)
const readPool = decodeAnswer(
  "getrawmempool",
  Schema.Record({ key: Schema.String, value: Schema.Struct({ time: Schema.Number }) })
)
const readHashes = decodeAnswer("getrawmempool", Schema.Array(Schema.String))

const MAX_CONCURRENT_CALLS = 8

interface NodeSource {
  readonly network: string
  readonly rpc: Rpc
  readonly transact: StoreService["transact"]
}

/** The position of a transaction in the chain: a height and an index in the block, unless it is pending. */
interface TransactionPlace {
  readonly block?: number
  readonly position?: number
  /** Seconds since 1970. */
  readonly time: number
}

const Place = Schema.Struct({ block: Schema.Number, position: Schema.Number, time: Schema.Number })

const findPlace = ({ network, transact }: NodeSource, hash: string) =>
  Effect.map(
    transact(({ all }) =>
      all(
        Place,
        "SELECT block, position, time FROM transactions WHERE network = ? AND hash = ?",
        network,
        hash
      )
    ),
    ([place]): TransactionPlace | undefined => place && { ...place, time: place.time / 1_000 }
  )

/** A transaction in a block, or a pending one. Nodes fail for an unknown hash as for any other reason. */
const findTransaction = (
  source: NodeSource,
  hash: string
): Effect.Effect<TransactionPlace, Missing | SandboxError> =>
  Effect.gen(function* () {
    const place = yield* findPlace(source, hash)
    if (place !== undefined) return place
    const pool = yield* Effect.flatMap(source.rpc("getrawmempool", [true]), readPool)
    const { [hash]: waiting } = pool
    return (
      waiting ??
      // a transaction that has been mined meanwhile is in the store at the second attempt
      (yield* Effect.fail(
        makeMissing("transaction.not.found", `${source.network} has no transaction ${hash}`)
      ))
    )
  })

const readNodeTransaction = (
  { rpc }: NodeSource,
  hash: string
): Effect.Effect<NodeTransaction, SandboxError> =>
  Effect.flatMap(rpc("getrawtransaction", [hash, true]), readTransaction)

const toOutputs = ({ vout }: NodeTransaction): ReadonlyMap<number, Output> =>
  new Map(
    vout.flatMap(({ n, scriptPubKey, value }) => {
      if (n === undefined || value === undefined || scriptPubKey === undefined) return []
      const { address, addresses = [], hex } = scriptPubKey
      const only = addresses.length === 1 ? addresses[0] : undefined
      return [[n, { value: toSatoshis(value), script: hex, address: address ?? only ?? null }] as const]
    })
  )

const toCoin = (
  transaction: NodeTransaction,
  index: number,
  height: number | undefined
): NonNullable<Input["coin"]> | undefined => {
  const output = toOutputs(transaction).get(index)
  return (
    output && {
      version: transaction.version,
      ...(height === undefined ? {} : { height }),
      ...output,
      coinbase: transaction.vin.some(({ coinbase }) => coinbase !== undefined)
    }
  )
}

const readInput = (
  source: NodeSource,
  { scriptSig, sequence = 0xff_ff_ff_ff, ...input }: NodeTransaction["vin"][number]
): Effect.Effect<Input, SandboxError> =>
  Effect.gen(function* () {
    const { txid, vout } = input
    if (txid === undefined || vout === undefined)
      return { prevout: COINBASE_INPUT, sequence, script: input.coinbase ?? "" }
    const spent = yield* readNodeTransaction(source, txid)
    const coin = toCoin(spent, vout, (yield* findPlace(source, txid))?.block)
    return {
      prevout: { hash: txid, index: vout },
      sequence,
      script: scriptSig?.hex ?? "",
      ...(typeof coin?.address === "string" ? { address: coin.address } : {}),
      ...(coin === undefined ? {} : { coin })
    }
  })

const sumValues = (values: ReadonlyArray<{ readonly value: number }>): number =>
  values.reduce((total, { value }) => total + value, 0)

/**
 * A transaction by its hash in lower case. Fails if neither the chain nor the pool has it, and with the node's message
 * (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readUtxoTransaction = (
  source: NodeSource,
  hash: string
): Effect.Effect<typeof UtxoTransaction.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { block, position, time } = yield* findTransaction(source, hash)
    const said = yield* readNodeTransaction(source, hash)
    const inputs = yield* Effect.forEach(said.vin, (input) => readInput(source, input), {
      concurrency: MAX_CONCURRENT_CALLS
    })
    const outputs = [...toOutputs(said).values()]
    const coins = inputs.flatMap(({ coin }) => coin ?? [])
    const { locktime, size, version, vsize, weight } = said
    return {
      hash,
      ...(block === undefined ? {} : { blockNumber: block }),
      ...(block === undefined || typeof said.blockhash !== "string" ? {} : { block: said.blockhash }),
      // minted coins have no input amounts, and so no fee
      fee: coins.length === inputs.length ? Math.max(0, sumValues(coins) - sumValues(outputs)) : 0,
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
 * An output, spent or not. Fails if its transaction is unknown or has no such output, and with the node's message
 * (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readOutput = (
  source: NodeSource,
  hash: string,
  index: number
): Effect.Effect<typeof OutputInfo.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { block } = yield* findTransaction(source, hash)
    const coin = toCoin(yield* readNodeTransaction(source, hash), index, block)
    return coin === undefined
      ? yield* Effect.fail(makeMissing("utxo.not.found", `${hash} has no output ${index}`))
      : { hash, index, ...coin }
  })

/**
 * The hashes of a node's pending transactions.
 *
 * @since 0.1.0
 * @category operations
 */
export const readMempool = (rpc: Rpc): Effect.Effect<ReadonlyArray<string>, SandboxError> =>
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

const readBlock = decodeAnswer("getblock", NodeBlock)
/** The header has 80 bytes in every program, while some do not return all of its fields. */
const readHeader = decodeAnswer("getblockheader", Schema.String.pipe(Schema.pattern(/^[0-9a-f]{160}$/)))
const BlockRow = Schema.Struct({ hash: Schema.String })

/**
 * A block by its height, or by its hash in lower case, with its transactions. The coinbase of the first block is left
 * out, since no node has it as a transaction. Fails if the chain has no such block, and with the node's message
 * (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readUtxoBlock = (
  source: NodeSource,
  id: { readonly height: number } | { readonly hash: string }
): Effect.Effect<typeof UtxoBlock.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { network, rpc, transact } = source
    const [column, value] = "height" in id ? (["block", id.height] as const) : (["hash", id.hash] as const)
    const [stored] = yield* transact(({ all }) =>
      all(BlockRow, `SELECT hash FROM blocks WHERE network = ? AND ${column} = ?`, network, value)
    )
    if (stored === undefined)
      return yield* Effect.fail(makeMissing("block.not.found", `${network} has no block ${value}`))
    const said = yield* Effect.flatMap(rpc("getblock", [stored.hash]), readBlock)
    const { hash, height, merkleroot, previousblockhash, size, time, tx, weight } = said
    const header = Buffer.from(
      yield* Effect.flatMap(rpc("getblockheader", [stored.hash, false]), readHeader),
      "hex"
    )
    const txs = yield* Effect.forEach(height === 0 ? [] : tx, (each) => readUtxoTransaction(source, each))
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
