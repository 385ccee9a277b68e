/**
 * Transactions of EVM networks by their hash, and the calls inside them, from the nodes and their traces.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Missing, missing } from "../../api/Refusal.js"
import type { EvmTransaction, InternalTransaction } from "../../api/Transactions.js"
import { read } from "../../indexer/Answer.js"
import type { Rpc } from "../../indexer/Utxo.js"
import type { SandboxError } from "../../SandboxError.js"

const Quantity = Schema.transform(
  Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]+$/)),
  Schema.BigIntFromSelf,
  { strict: true, decode: (text) => BigInt(text), encode: (number) => `0x${number.toString(16)}` }
)

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const NodeTransaction = Schema.NullOr(
  Schema.Struct({
    hash: Schema.String,
    blockNumber: Schema.NullOr(Quantity),
    from: Schema.String,
    to: optional(Schema.String),
    value: Quantity,
    gas: Quantity,
    gasPrice: optional(Quantity),
    nonce: Quantity,
    transactionIndex: optional(Quantity),
    input: Schema.String,
    type: optional(Quantity)
  })
)

const Receipt = Schema.NullOr(
  Schema.Struct({
    status: optional(Quantity),
    gasUsed: Quantity,
    effectiveGasPrice: optional(Quantity),
    contractAddress: optional(Schema.String),
    logs: Schema.Array(
      Schema.Struct({
        address: Schema.String,
        topics: Schema.Array(Schema.String),
        data: Schema.String,
        blockNumber: Quantity,
        transactionHash: Schema.String,
        logIndex: Quantity,
        removed: optional(Schema.Boolean),
        blockTimestamp: optional(Schema.String)
      })
    )
  })
)

const Traces = Schema.Array(
  Schema.Struct({
    type: Schema.String,
    action: Schema.Struct({
      callType: optional(Schema.String),
      from: optional(Schema.String),
      to: optional(Schema.String),
      value: optional(Quantity),
      gas: optional(Quantity),
      input: optional(Schema.String),
      init: optional(Schema.String),
      address: optional(Schema.String),
      refundAddress: optional(Schema.String),
      balance: optional(Quantity)
    }),
    result: optional(Schema.Struct({ address: optional(Schema.String), gasUsed: optional(Quantity) })),
    error: optional(Schema.String),
    traceAddress: Schema.Array(Schema.Number)
  })
)

type Trace = (typeof Traces.Type)[number]

const Header = Schema.Struct({ timestamp: Quantity })

const readTransaction = read("eth_getTransactionByHash", NodeTransaction)
const readReceipt = read("eth_getTransactionReceipt", Receipt)
const readTraces = read("trace_transaction", Traces)
const readHeader = read("eth_getBlockByNumber", Header)

const found = (rpc: Rpc, network: string, hash: string) =>
  rpc("eth_getTransactionByHash", [hash]).pipe(
    Effect.flatMap(readTransaction),
    Effect.flatMap((said) =>
      said === null
        ? Effect.fail(missing("transaction.not.found", `${network} has no transaction ${hash}`))
        : Effect.succeed(said)
    )
  )

const given = <const Name extends string>(name: Name, value: bigint | null | undefined) =>
  value === null || value === undefined ? {} : { [name]: Number(value) }

/**
 * A transaction with its outcome. Fails where the node does not know it, and with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const transaction = (
  rpc: Rpc,
  network: string,
  hash: string
): Effect.Effect<typeof EvmTransaction.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const sent = yield* found(rpc, network, hash)
    const receipt = yield* Effect.flatMap(rpc("eth_getTransactionReceipt", [hash]), readReceipt)
    const price = receipt?.effectiveGasPrice ?? sent.gasPrice
    return {
      hash: sent.hash,
      blockNumber: sent.blockNumber === null ? null : Number(sent.blockNumber),
      from: sent.from,
      to: sent.to ?? null,
      value: String(sent.value),
      gas: Number(sent.gas),
      ...(typeof sent.gasPrice === "bigint" ? { gasPrice: String(sent.gasPrice) } : {}),
      nonce: Number(sent.nonce),
      ...given("transactionIndex", sent.transactionIndex),
      input: sent.input,
      type: Number(sent.type ?? 0n),
      ...(typeof receipt?.status === "bigint" ? { status: receipt.status === 1n } : {}),
      ...given("gasUsed", receipt?.gasUsed),
      ...given("effectiveGasPrice", receipt?.effectiveGasPrice),
      contractAddress: receipt?.contractAddress ?? null,
      fee: receipt === null || typeof price !== "bigint" ? null : String(receipt.gasUsed * price),
      logs: (receipt?.logs ?? []).map(({ blockNumber, blockTimestamp, logIndex, removed, ...log }) => ({
        ...log,
        blockNumber: Number(blockNumber),
        logIndex: Number(logIndex),
        removed: removed === true,
        ...(typeof blockTimestamp === "string" ? { blockTimestamp } : {})
      }))
    }
  })

/** The parties and the amount of a call, of the making of a contract, or of its end. */
const partiesOf = ({ action, result, type }: Trace) => {
  const { address, balance, from, refundAddress, to, value } = action
  if (type === "suicide" || type === "selfdestruct")
    return { from: address ?? "", to: refundAddress ?? "", value: balance ?? 0n, contractAddress: "" }
  const isCall = type === "call"
  return {
    from: from ?? "",
    to: isCall ? (to ?? "") : "",
    value: value ?? 0n,
    contractAddress: isCall ? "" : (result?.address ?? "")
  }
}

/** The failure that a trace has, or that of a call above it, which undoes it. */
const failureOf = (traces: ReadonlyArray<Trace>, { traceAddress }: Trace): string | undefined =>
  traces.find(
    (above) => above.error && above.traceAddress.every((index, depth) => traceAddress[depth] === index)
  )?.error ?? undefined

/**
 * The calls inside a transaction, in the order in which they began: the one that the transaction itself is comes with it, not
 * here. A call that was undone with a call above it has failed, too. Fails where the node does not know the transaction, and with
 * the node's message (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const internals = (
  rpc: Rpc,
  network: string,
  hash: string
): Effect.Effect<ReadonlyArray<typeof InternalTransaction.Type>, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { blockNumber } = yield* found(rpc, network, hash)
    // what is in no block has not been carried out
    if (blockNumber === null) return []
    const block = `0x${blockNumber.toString(16)}`
    const { timestamp } = yield* Effect.flatMap(rpc("eth_getBlockByNumber", [block, false]), readHeader)
    const traces = yield* Effect.flatMap(rpc("trace_transaction", [hash]), readTraces)
    return traces.flatMap((trace) => {
      const { action, result, traceAddress, type } = trace
      if (traceAddress.length === 0) return []
      const { value, ...parties } = partiesOf(trace)
      const failure = failureOf(traces, trace)
      return {
        blockNumber: String(blockNumber),
        timeStamp: String(timestamp),
        hash,
        ...parties,
        value: String(value),
        input: action.input ?? action.init ?? "",
        type: type === "call" ? (action.callType ?? "call") : type,
        gas: String(action.gas ?? 0n),
        gasUsed: String(result?.gasUsed ?? 0n),
        traceId: traceAddress.join("_"),
        isError: failure === undefined ? ("0" as const) : ("1" as const),
        errCode: failure ?? ""
      }
    })
  })
