/**
 * The content of EVM blocks: coins and tokens that changed hands, fees, failures, and the logs of contracts.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { BlockReader, ContractEvent, Movement } from "../Indexer.js"
import { SandboxError } from "../SandboxError.js"
import type { Transaction } from "../Store.js"
import { decodeAnswer } from "./decodeAnswer.js"
import {
  decodeTransfer,
  readTokenFacts,
  type TokenFacts,
  type TokenTransfer,
  ZERO_ADDRESS
} from "./Tokens.js"
import type { Rpc } from "./Utxo.js"

const Hex = Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]*$/))

const Quantity = Schema.transform(
  Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]+$/)),
  Schema.BigIntFromSelf,
  { strict: true, decode: (text) => BigInt(text), encode: (number) => `0x${number.toString(16)}` }
)

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optional(Schema.NullOr(schema))

const NodeBlock = Schema.Struct({
  number: Quantity,
  hash: Hex,
  parentHash: Hex,
  timestamp: Quantity,
  transactions: Schema.Array(
    Schema.Struct({ hash: Hex, from: Hex, to: optional(Hex), value: Quantity, gasPrice: optional(Quantity) })
  )
})

const NodeHead = Schema.Struct({ number: Quantity, hash: Hex })

const Receipts = Schema.Array(
  Schema.Struct({
    transactionHash: Hex,
    transactionIndex: Quantity,
    status: optional(Quantity),
    gasUsed: Quantity,
    effectiveGasPrice: optional(Quantity),
    contractAddress: optional(Hex),
    logs: Schema.Array(
      Schema.Struct({ address: Hex, topics: Schema.Array(Hex), data: Hex, logIndex: Quantity })
    )
  })
)

const Traces = Schema.Array(
  Schema.Struct({
    type: Schema.String,
    action: Schema.Struct({
      callType: optional(Schema.String),
      from: optional(Hex),
      to: optional(Hex),
      value: optional(Quantity),
      address: optional(Hex),
      refundAddress: optional(Hex),
      balance: optional(Quantity)
    }),
    result: optional(Schema.Struct({ address: optional(Hex) })),
    error: optional(Schema.String),
    traceAddress: Schema.Array(Schema.Number),
    blockHash: optional(Hex),
    transactionHash: optional(Hex)
  })
)

type NodeTransaction = (typeof NodeBlock.Type)["transactions"][number]
type Receipt = (typeof Receipts.Type)[number]
type Trace = (typeof Traces.Type)[number]

const makeChainError = (message: string): SandboxError => new SandboxError({ reason: "chain", message })

const readHead = decodeAnswer("eth_getBlockByNumber", NodeHead)
const readBlock = decodeAnswer("eth_getBlockByNumber", NodeBlock)
const readReceipts = decodeAnswer("eth_getBlockReceipts", Receipts)
const readTraces = decodeAnswer("trace_block", Traces)

const toLower = (address: string): string => address.toLowerCase()

/** The party of a token's log, which is undefined for the zero address. */
const partyOf = (address: string): string | undefined => (address === ZERO_ADDRESS ? undefined : address)

type TransactionPlace = Pick<Movement, "hash" | "transactionIndex">

/** The movement of coins in a nested call. A call that was reverted, itself or with its caller, moves none. */
const toInternalMovement = (
  { action, result, type }: Trace,
  within: TransactionPlace
): Movement | undefined => {
  const isCall = type === "call" && (action.callType ?? "call") === "call"
  const [sender, receiver, amount] =
    type === "suicide" || type === "selfdestruct"
      ? [action.address, action.refundAddress, action.balance]
      : [action.from, type === "create" ? result?.address : isCall ? action.to : undefined, action.value]
  if (!sender || !receiver || !amount) return undefined
  return { kind: "internal", ...within, sender: toLower(sender), receiver: toLower(receiver), amount }
}

const findInternalMovements = (
  traces: ReadonlyArray<Trace>,
  within: TransactionPlace
): ReadonlyArray<Movement> => {
  const undone = traces.flatMap(({ error, traceAddress }) => (error ? [traceAddress] : []))
  return traces.flatMap((trace) => {
    const at = trace.traceAddress
    if (at.length === 0 || undone.some((above) => above.every((index, depth) => at[depth] === index)))
      return []
    return toInternalMovement(trace, within) ?? []
  })
}

interface TokenMovement extends Movement {
  readonly kind: TokenTransfer["kind"]
  readonly token: string
}

const toTokenMovements = (
  address: string,
  transfer: TokenTransfer,
  within: TransactionPlace
): ReadonlyArray<TokenMovement> => {
  const common = {
    kind: transfer.kind,
    ...within,
    sender: partyOf(transfer.from),
    receiver: partyOf(transfer.to),
    token: address
  }
  if (common.sender === undefined && common.receiver === undefined) return []
  switch (transfer.kind) {
    case "fungible":
      return [{ ...common, amount: transfer.value }]
    case "nft":
      return [{ ...common, amount: 1n, tokenId: String(transfer.tokenId) }]
    case "multitoken":
      return transfer.items.map(({ tokenId, value }) => ({
        ...common,
        amount: value,
        tokenId: String(tokenId)
      }))
  }
}

interface TransactionContent {
  readonly movements: ReadonlyArray<Movement>
  readonly events: ReadonlyArray<ContractEvent>
  readonly tokens: ReadonlyArray<readonly [address: string, kind: TokenTransfer["kind"]]>
}

const readTransaction = (
  transaction: NodeTransaction,
  receipt: Receipt,
  traces: ReadonlyArray<Trace>
): TransactionContent => {
  const hash = toLower(transaction.hash)
  const within: TransactionPlace = { hash, transactionIndex: Number(receipt.transactionIndex) }
  const sender = toLower(transaction.from)
  const to = transaction.to ?? receipt.contractAddress
  const receiver = to ? toLower(to) : undefined
  const { value } = transaction
  const price = receipt.effectiveGasPrice ?? transaction.gasPrice ?? 0n
  const fee: Movement = {
    kind: "fee",
    ...within,
    sender,
    receiver: undefined,
    amount: receipt.gasUsed * price
  }
  if (receipt.status === 0n)
    return {
      movements: [{ kind: "failed", ...within, sender, receiver, amount: value }, fee],
      events: [],
      tokens: []
    }

  const events = receipt.logs.map(({ address, data, logIndex, topics }) => ({
    ...within,
    logIndex: Number(logIndex),
    address: toLower(address),
    topics: topics.map(toLower),
    data: toLower(data)
  }))
  const transfers = events.flatMap((event) => {
    const transfer = decodeTransfer(event)
    return transfer === undefined ? [] : toTokenMovements(event.address, transfer, within)
  })
  return {
    movements: [
      ...(value > 0n ? [{ kind: "native" as const, ...within, sender, receiver, amount: value }] : []),
      ...findInternalMovements(traces, within),
      ...transfers,
      fee
    ],
    events,
    tokens: transfers.map(({ kind, token }) => [token, kind] as const)
  }
}

const groupByTransaction = (traces: ReadonlyArray<Trace>): ReadonlyMap<string, ReadonlyArray<Trace>> => {
  const groups = new Map<string, Array<Trace>>()
  for (const trace of traces) {
    const { transactionHash } = trace
    const group = transactionHash ? groups.get(transactionHash) : undefined
    if (group !== undefined) group.push(trace)
    else if (transactionHash) groups.set(transactionHash, [trace])
  }
  return groups
}

const MAX_CONCURRENT_CALLS = 8

/** The details of contracts. Each contract is asked once, and again when its blocks are read again. */
const makeContractCache = (rpc: Rpc) => {
  const known = new Map<string, { readonly block: number; readonly token: TokenFacts }>()
  return {
    /** Forgets details from this block or a later one, which may have changed with it. */
    forget: (height: number): void => {
      for (const [address, { block }] of known) if (block >= height) known.delete(address)
    },
    get: (
      address: string,
      kind: TokenFacts["kind"],
      block: number
    ): Effect.Effect<TokenFacts, SandboxError> =>
      Effect.suspend(() => {
        const found = known.get(address)
        return found !== undefined
          ? Effect.succeed(found.token)
          : Effect.tap(readTokenFacts(rpc, address, kind), (token) => known.set(address, { block, token }))
      })
  }
}

const makeWriter =
  (height: number, tokens: ReadonlyArray<readonly [string, TokenFacts]>) =>
  (transaction: Transaction, network: string): void => {
    for (const [address, { decimals, kind, name, symbol }] of tokens)
      transaction.run(
        "INSERT OR IGNORE INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?)",
        network,
        address,
        height,
        kind,
        name ?? null,
        symbol ?? null,
        decimals ?? null
      )
  }

const fetchReceipts = (rpc: Rpc, { hash, transactions }: typeof NodeBlock.Type) =>
  rpc("eth_getBlockReceipts", [hash]).pipe(
    Effect.filterOrFail(Array.isArray, () =>
      makeChainError(`The node has no receipts of block ${hash} any more`)
    ),
    Effect.flatMap(readReceipts),
    Effect.filterOrFail(
      ({ length }) => length === transactions.length,
      () => makeChainError(`The node does not have all receipts of block ${hash}`)
    )
  )

/**
 * Fetches the traces of blocks. The first failure shows whether the node can trace at all; if it cannot, there are
 * none.
 */
const makeTraceFetcher = (rpc: Rpc) => {
  let canTrace = true

  /** A node that cannot trace the first block either, but answers another call, has no traces. */
  const isUntraceable = Effect.matchEffect(rpc("trace_block", ["0x0"]), {
    onFailure: () => Effect.as(rpc("eth_chainId", []), true),
    onSuccess: () => Effect.succeed(false)
  })

  return ({ hash, number }: typeof NodeBlock.Type): Effect.Effect<ReadonlyArray<Trace>, SandboxError> =>
    Effect.suspend(() =>
      canTrace ? rpc("trace_block", [`0x${number.toString(16)}`]) : Effect.succeed([])
    ).pipe(
      Effect.catchAll((error) =>
        Effect.flatMap(isUntraceable, (untraceable) => {
          if (!untraceable) return Effect.fail(error)
          canTrace = false
          return Effect.succeed([])
        })
      ),
      Effect.flatMap(readTraces),
      Effect.filterOrFail(
        (traces) => traces.every(({ blockHash }) => !blockHash || blockHash === hash),
        () => makeChainError(`Block ${number} is no longer ${hash}: the chain has changed`)
      )
    )
}

/**
 * Reads the blocks of an EVM network from its node. The movements of a transaction are: coins (`native`, including
 * those for a new contract), coins that contracts passed on (`internal`, if the node has `trace_block`), tokens in the
 * order of their logs, and the sender's payment (`fee`). A failed transaction has only its value (`failed`) and the
 * fee. Amounts are in wei or in the token's smallest unit, addresses and hashes in lower case. A transfer log without
 * the standard's format counts as an event only. Each new contract is asked for its token's details.
 *
 * Fails with the node's message (`chain`), also if the chain changed while a block was read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeReader = (rpc: Rpc): BlockReader => {
  const contracts = makeContractCache(rpc)
  const fetchTraces = makeTraceFetcher(rpc)

  const readTransactions = (block: typeof NodeBlock.Type) =>
    Effect.gen(function* () {
      if (block.transactions.length === 0) return []
      const [receipts, traces] = yield* Effect.all([fetchReceipts(rpc, block), fetchTraces(block)], {
        concurrency: 2
      })
      const receiptByHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
      const tracesByHash = groupByTransaction(traces)
      return block.transactions.flatMap((transaction) => {
        const receipt = receiptByHash.get(transaction.hash)
        return receipt === undefined
          ? []
          : readTransaction(transaction, receipt, tracesByHash.get(transaction.hash) ?? [])
      })
    })

  return {
    readHead: Effect.map(
      Effect.flatMap(rpc("eth_getBlockByNumber", ["latest", false]), readHead),
      ({ hash, number }) => ({
        block: Number(number),
        hash: toLower(hash)
      })
    ),
    readBlock: (height) =>
      Effect.gen(function* () {
        contracts.forget(height)
        const said = yield* rpc("eth_getBlockByNumber", [`0x${height.toString(16)}`, true])
        if (said === null) return yield* makeChainError(`The node has no block ${height}`)
        const block = yield* readBlock(said)
        const all = yield* readTransactions(block)
        // reversed, since a map keeps the last entry of a key, and the first transfer says the kind
        const kinds = new Map(all.flatMap(({ tokens }) => tokens).reverse())
        const tokens = yield* Effect.forEach(
          kinds,
          ([address, kind]) =>
            Effect.map(contracts.get(address, kind, height), (token) => [address, token] as const),
          { concurrency: MAX_CONCURRENT_CALLS }
        )
        return {
          block: height,
          hash: toLower(block.hash),
          parent: toLower(block.parentHash),
          time: Number(block.timestamp) * 1_000,
          hashes: block.transactions.map(({ hash }) => toLower(hash)),
          movements: all.flatMap(({ movements }) => movements),
          events: all.flatMap(({ events }) => events),
          write: makeWriter(height, tokens)
        }
      })
  }
}
