/**
 * Transactions of EVM networks by their hash, and their internal calls, from the nodes and their traces.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type Missing, makeMissing } from "../../api/Refusal.js"
import type { EvmTransaction, InternalTransaction } from "../../api/Transactions.js"
import { decodeAnswer } from "../../indexer/decodeAnswer.js"
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

const readTransaction = decodeAnswer("eth_getTransactionByHash", NodeTransaction)
const readReceipt = decodeAnswer("eth_getTransactionReceipt", Receipt)
const readTraces = decodeAnswer("trace_transaction", Traces)
const readHeader = decodeAnswer("eth_getBlockByNumber", Header)

const findRaw = (rpc: Rpc, network: string, hash: string) =>
  rpc("eth_getTransactionByHash", [hash]).pipe(
    Effect.flatMap(readTransaction),
    Effect.flatMap((said) =>
      said === null
        ? Effect.fail(makeMissing("transaction.not.found", `${network} has no transaction ${hash}`))
        : Effect.succeed(said)
    )
  )

const toField = <const Name extends string>(name: Name, value: bigint | null | undefined) =>
  value === null || value === undefined ? {} : { [name]: Number(value) }

/**
 * A transaction with its outcome. Fails for a hash that the node does not know, and with the node's message (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readTransactionWithOutcome = (
  rpc: Rpc,
  network: string,
  hash: string
): Effect.Effect<typeof EvmTransaction.Type, Missing | SandboxError> =>
  Effect.gen(function* () {
    const sent = yield* findRaw(rpc, network, hash)
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
      ...toField("transactionIndex", sent.transactionIndex),
      input: sent.input,
      type: Number(sent.type ?? 0n),
      ...(typeof receipt?.status === "bigint" ? { status: receipt.status === 1n } : {}),
      ...toField("gasUsed", receipt?.gasUsed),
      ...toField("effectiveGasPrice", receipt?.effectiveGasPrice),
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

/** The parties and the amount of a call, a deployment or a self-destruct. */
const findParties = ({ action, result, type }: Trace) => {
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

/** The error of a trace or of one of its parents, which reverts it too. */
const findFailure = (traces: ReadonlyArray<Trace>, { traceAddress }: Trace): string | undefined =>
  traces.find(
    (above) => above.error && above.traceAddress.every((index, depth) => traceAddress[depth] === index)
  )?.error ?? undefined

/**
 * The internal calls of a transaction in the order of their start, without the transaction's own call. A call whose
 * parent was reverted has failed too. Fails for a hash that the node does not know, and with the node's message
 * (`chain`).
 *
 * @since 0.1.0
 * @category operations
 */
export const readInternals = (
  rpc: Rpc,
  network: string,
  hash: string
): Effect.Effect<ReadonlyArray<typeof InternalTransaction.Type>, Missing | SandboxError> =>
  Effect.gen(function* () {
    const { blockNumber } = yield* findRaw(rpc, network, hash)
    // a pending transaction has not run
    if (blockNumber === null) return []
    const block = `0x${blockNumber.toString(16)}`
    const { timestamp } = yield* Effect.flatMap(rpc("eth_getBlockByNumber", [block, false]), readHeader)
    const traces = yield* Effect.flatMap(rpc("trace_transaction", [hash]), readTraces)
    return traces.flatMap((trace) => {
      const { action, result, traceAddress, type } = trace
      if (traceAddress.length === 0) return []
      const { value, ...parties } = findParties(trace)
      const failure = findFailure(traces, trace)
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
