/** What a payment on an EVM chain needs of its nodes: tokens, fees, and whether they have taken a transaction. */
import * as Effect from "effect/Effect"
import type { Hex } from "../../chains/evm/Types.js"
import { textOf } from "../../data/abiText.js"
import { caip2IdOfChainId } from "../../data/caip2.js"
import type { NetworkRow, RollupStacks } from "../../data/Network.js"
import type { NodeError, SigningFailed } from "../../data/SdkError.js"
import { isRecord } from "../../data/untrusted.js"
import { CallOptions } from "../../wire/Transport.js"
import type { Broadcaster, TransactionStatus } from "../broadcast.js"
import * as caps from "../caps.js"
import {
  isWithin,
  makeMalformedError,
  maxOf,
  minOf,
  parseQuantity,
  requireWhole,
  withAgreement
} from "../evidence.js"
import type { ReadError, Signed, Speed } from "../Signer.js"
import { percentileOf } from "../signerChecks.js"
import { readFactsWithDecimals, type TokenFacts, type TokenFactsError } from "../tokens.js"
import type { NonceSource } from "./Nonces.js"
import type { EvmCalls, EvmClient, EvmTransaction, PrivateClient, WithPrivateClient } from "./Types.js"

/** For how many blocks nodes without an archive keep the state. */
const STATE_BLOCKS = 128

/** Milliseconds until nodes show a transaction that waits for a block at another one. */
const PROPAGATION_MS = 3_000

/** The hash of a block's transaction, if it is the account's with this nonce. */
const hashIfMatching = (transaction: unknown, address: Hex, nonce: number): string | undefined =>
  isRecord(transaction) &&
  typeof transaction.hash === "string" &&
  String(transaction.from).toLowerCase() === address.toLowerCase() &&
  Number(transaction.nonce) === nonce
    ? transaction.hash
    : undefined

/** Finds the mined transaction with a nonce of an account; undefined if a node cannot show it. */
const findMinedHash = (
  rpc: EvmCalls,
  address: Hex,
  nonce: number
): Effect.Effect<string | undefined, ReadError> =>
  Effect.gen(function* () {
    const head = Number((yield* rpc.getBlockByNumber("latest"))?.number)
    const isUsedAt = (block: number) =>
      Effect.map(rpc.getTransactionCount(address, String(block)), (count) => Number(count) > nonce)
    let [low, high] = [Math.max(0, head - STATE_BLOCKS), head]
    if (!(yield* isUsedAt(high)) || (yield* isUsedAt(low))) return undefined
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2)
      if (yield* isUsedAt(middle)) high = middle
      else low = middle
    }
    const transactions = (yield* rpc.getBlockByNumber(high, true))?.transactions ?? []
    return transactions.map((each) => hashIfMatching(each, address, nonce)).find((hash) => hash !== undefined)
  })

/** A number of an account's next transaction, as clients that decode answers take it: a larger one would be another number. */
const requireNonce = (count: unknown): Effect.Effect<number, NodeError> =>
  Effect.flatMap(requireWhole("getTransactionCount", "the nonce", count), (nonce) =>
    nonce <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Effect.succeed(Number(nonce))
      : Effect.fail(makeMalformedError("getTransactionCount", `no account has the nonce ${nonce}`))
  )

/** Looks up a transaction with a nonce of an account at a node. */
const lookUpTransaction = (
  rpc: EvmCalls,
  address: Hex,
  nonce: number,
  hash: string
): Effect.Effect<TransactionStatus, ReadError> =>
  Effect.flatMap(rpc.getTransactionByHash(hash), (found) =>
    found !== null
      ? Effect.succeed("known")
      : Effect.map(findMinedHash(rpc, address, nonce), (mined) =>
          mined === undefined ? "absent" : mined === hash ? "known" : "replaced"
        )
  )

/** Sends to a private node alone, and looks for the transaction there while blocks do not have it. */
const makePrivateBroadcaster = (open: Broadcaster, { rpc }: PrivateClient): Broadcaster => {
  // a node of the pool that the caller has chosen is none of this client
  const alone = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(CallOptions, ({ node: _, ...options }) =>
      Effect.provideService(call, CallOptions, options)
    )
  return {
    ...open,
    isPrivate: true,
    broadcast: ({ raw }) => alone(rpc.sendRawTransaction(raw)),
    lookUp: (hash) =>
      Effect.flatMap(open.lookUp(hash), (status) =>
        status === "absent"
          ? Effect.map(alone(rpc.getTransactionByHash(hash)), (found) => (found === null ? status : "known"))
          : Effect.succeed(status)
      )
  }
}

export const makeNonceSource = (
  { nodes, privateClient, rpc }: Pick<EvmClient, "nodes" | "rpc"> & WithPrivateClient,
  address: Hex,
  sign: (transaction: EvmTransaction) => Effect.Effect<Signed, SigningFailed>
): NonceSource<EvmTransaction> => ({
  address,
  readCount: Effect.suspend(() => Effect.flatMap(rpc.getTransactionCount(address, "pending"), requireNonce)),
  sign: (transaction, nonce) => sign({ ...transaction, nonce }),
  makeBroadcaster: (transaction, nonce) => {
    const open: Broadcaster = {
      nodes,
      propagationMs: PROPAGATION_MS,
      broadcast: ({ raw }) => rpc.sendRawTransaction(raw),
      lookUp: (hash) => lookUpTransaction(rpc, address, nonce, hash)
    }
    if (transaction.private !== true) return open
    // checked before anything is signed; what is private must never be sent in public
    if (privateClient === undefined) throw new Error("a private transaction without a privateClient")
    return makePrivateBroadcaster(open, privateClient)
  }
})

/** The function selectors of `decimals()`, `symbol()`, `balanceOf(address)` and `transfer(address,uint256)`. */
const DECIMALS = "0x313ce567"
const SYMBOL = "0x95d89b41"
export const BALANCE_OF = "0x70a08231"
export const TRANSFER = "0xa9059cbb"

export const encodeWord = (value: string | bigint): string =>
  (typeof value === "bigint" ? value.toString(16) : value.replace(/^0x/, "").toLowerCase()).padStart(64, "0")

/** Reads one number from the answer of a contract; undefined for other answers. */
export const parseWord = (answer: unknown): bigint | undefined =>
  typeof answer === "string" && /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined

export interface TokenWithDecimals extends TokenFacts {
  readonly token: Hex
  readonly decimals: number
}

/** A token, as far as a payment has to know it. */
export const readToken = (
  rpc: Pick<EvmCalls, "call">,
  row: NetworkRow,
  token: string,
  decimals?: number
): Effect.Effect<TokenWithDecimals, TokenFactsError> => {
  const read = (data: string) => rpc.call({ to: token, data })
  return Effect.map(
    readFactsWithDecimals({
      row,
      token: token.toLowerCase(),
      asset: `${caip2IdOfChainId(row)}/erc20:${token}`,
      decimals,
      fromChain: {
        decimals: Effect.map(
          withAgreement(read(DECIMALS), (one, other) => one === other),
          parseWord
        ),
        symbol: Effect.map(read(SYMBOL), (hex: unknown) =>
          typeof hex === "string" && /^0x(?:[0-9a-f]{2}){1,200}$/i.test(hex)
            ? textOf(hex.slice(2))
            : undefined
        )
      }
    }),
    (facts) => ({ ...facts, token: token as Hex })
  )
}

/** The same for a contract that may be no token: undefined if it tells no decimals, as collections do not. */
export const findToken = (
  rpc: Pick<EvmCalls, "call">,
  row: NetworkRow,
  contract: string
): Effect.Effect<TokenWithDecimals | undefined, TokenFactsError> =>
  Effect.catchIf(
    readToken(rpc, row, contract),
    (error) => error._tag === "InvalidArgument" || saysRevert(error),
    () => Effect.succeed(undefined)
  )

/** Whether a node says that a call reverts. */
export const saysRevert = (error: TokenFactsError): boolean =>
  error._tag === "RpcError" && (error.code === 3 || /revert/i.test(error.rpcMessage))

export type Fees = Pick<EvmTransaction, "gasPrice" | "maxFeePerGas" | "maxPriorityFeePerGas">

/** The fees of a transaction, and how long it is expected to wait with them, as far as nodes tell. */
export interface PricedFees {
  readonly fees: Fees
  readonly expectedBlocks?: number
  readonly warnings: ReadonlyArray<string>
}

/** A priority fee, and how long a transaction with it is expected to wait. */
interface Market extends Omit<PricedFees, "fees"> {
  readonly tip: bigint
}

/** What a node tells of the fees of recent blocks, and the percentiles of priority fees that it was asked for. */
export interface FeeHistory {
  readonly answer: unknown
  readonly percentiles: ReadonlyArray<number>
}

const NO_HISTORY: Effect.Effect<FeeHistory | undefined> = /*#__PURE__*/ Effect.succeed(undefined)

/** The percentile of the priority fees that the usual price of gas has. */
const MEDIAN = 50

/**
 * The price of gas: of chains with a base fee, room for it to double. Without a speed the priority fee is what the node suggests, and with one
 * that percentile of what recent blocks were paid, as long as anybody has paid.
 */
export const readFees = (
  rpc: EvmCalls,
  speed?: Speed,
  history: Effect.Effect<FeeHistory | undefined, ReadError> = NO_HISTORY
): Effect.Effect<PricedFees, ReadError> =>
  Effect.flatMap(rpc.getBlockByNumber("latest"), (block): Effect.Effect<PricedFees, ReadError> => {
    const baseFee = block?.baseFeePerGas ?? undefined
    if (baseFee === undefined)
      return Effect.map(rpc.gasPrice(), (gasPrice) => ({ fees: { gasPrice }, warnings: [] }))
    return Effect.flatMap(parseQuantity("eth_getBlockByNumber", baseFee), (base) => {
      const suggested = Effect.catchAll(rpc.maxPriorityFeePerGas(), () =>
        Effect.map(rpc.gasPrice(), (price) => (price > base ? price - base : 0n))
      )
      const chosen: Effect.Effect<Market, ReadError> =
        speed === undefined
          ? Effect.map(suggested, (tip) => ({ tip, warnings: [] }))
          : Effect.flatMap(history, (recent) => readMarket(recent, speed, suggested))
      return Effect.map(chosen, ({ tip, ...market }) => ({
        ...market,
        fees: { maxPriorityFeePerGas: tip, maxFeePerGas: 2n * base + tip }
      }))
    })
  })

/** The percentile of a block's priority fees that is enough to be in it: what is below has other reasons, such as a builder's own. */
const ENOUGH = 10

/** Reads the priority fee of a speed (`tip`), and in how many blocks a transaction with that fee is expected to be. */
const readMarket = (
  history: FeeHistory | undefined,
  speed: Speed,
  suggested: Effect.Effect<bigint, ReadError>
): Effect.Effect<Market, ReadError> => {
  const usual = medianOf(paidAt(history, percentileOf(speed)).filter((each) => each > 0n))
  return Effect.map(usual === undefined ? suggested : Effect.succeed(usual), (tip) => {
    const enough = paidAt(history, ENOUGH)
    const open = enough.filter((least) => least <= tip).length
    return {
      tip,
      ...(open === 0 ? {} : { expectedBlocks: enough.length / open }),
      warnings:
        open === 0 && enough.length > 0
          ? ["No block of late has taken so low a priority fee: the payment may wait long."]
          : []
    }
  })
}

export const priceOf = ({ gasPrice, maxFeePerGas }: Fees): bigint => gasPrice ?? maxFeePerGas ?? 0n

/** The median of numbers; undefined without numbers. */
const medianOf = (values: ReadonlyArray<bigint>): bigint | undefined =>
  [...values].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))[values.length >> 1]

const parseQuantities = (list: unknown): ReadonlyArray<bigint> =>
  Array.isArray(list)
    ? list.flatMap((each) =>
        typeof each === "string" && /^0x[0-9a-f]{1,64}$/i.test(each) ? [BigInt(each)] : []
      )
    : []

/** What the blocks of a fee history were paid besides their base fees. */
const rewardsOf = (history: unknown): ReadonlyArray<unknown> =>
  isRecord(history) && Array.isArray(history.reward) ? history.reward : []

/** What each of the blocks was paid at a percentile that was asked for. */
const paidAt = (history: FeeHistory | undefined, percentile: number): ReadonlyArray<bigint> =>
  history === undefined
    ? []
    : rewardsOf(history.answer).flatMap(
        (block) => parseQuantities(block)[history.percentiles.indexOf(percentile)] ?? []
      )

/** The gas prices of a fee history: the median base fee, and the median of the tips. */
const parseRecentPrice = (history: FeeHistory | undefined): bigint | undefined => {
  const answer = history?.answer
  const base = medianOf(parseQuantities(isRecord(answer) ? answer.baseFeePerGas : undefined))
  const tip = medianOf(paidAt(history, MEDIAN).filter((each) => each > 0n))
  return base === undefined ? tip : base + (tip ?? 0n)
}

/** The gas prices of a block's transactions. */
const parsePaidPrices = (block: unknown): bigint | undefined => {
  const transactions: ReadonlyArray<unknown> =
    isRecord(block) && Array.isArray(block.transactions) ? block.transactions : []
  return medianOf(
    parseQuantities(transactions.map((each) => (isRecord(each) ? each.gasPrice : undefined))).filter(
      (each) => each > 0n
    )
  )
}

const parseBaseFee = (block: { readonly baseFeePerGas?: Hex } | null): bigint | undefined =>
  parseQuantities([block?.baseFeePerGas])[0]

/** How far prices of two honest nodes that are a few blocks apart may differ. */
const MAX_PRICE_FACTOR = 4n

/** Whether two prices or fees are about equal. Below the amount that is never refused, differences do not count. */
const isNear = (one: bigint | undefined, other: bigint | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other
  const { free } = caps.evm
  return (one <= free && other <= free) || isWithin(MAX_PRICE_FACTOR)(one, other)
}

/**
 * Reads the fees of recent blocks once for all that a preview needs of them: what a speed costs, and, without a cap of the caller
 * (`isCapped`), what gas costs at most. On the latter two nodes agree, if there are two. Undefined if nodes keep no history, or none is needed.
 */
export const readFeeHistory = (
  rpc: EvmCalls,
  speed: Speed | undefined,
  isCapped: boolean
): Effect.Effect<FeeHistory | undefined, ReadError> => {
  // nodes take percentiles that grow
  const percentiles = [
    ...new Set([...(isCapped ? [] : [MEDIAN]), ...(speed === undefined ? [] : [ENOUGH, percentileOf(speed)])])
  ].sort((one, other) => one - other)
  if (percentiles.length === 0) return NO_HISTORY
  const call = Effect.map(
    rpc.feeHistory(caps.evm.blocks, "latest", percentiles),
    (answer): FeeHistory => ({ answer, percentiles })
  )
  return Effect.catchIf(
    isCapped
      ? call
      : withAgreement(call, (one, other) => isNear(parseRecentPrice(one), parseRecentPrice(other))),
    ({ _tag }) => isCapped || _tag !== "NoQuorum",
    () => NO_HISTORY
  )
}

/** The gas prices of recent blocks, on which two nodes agree if there are two; undefined if nodes tell none. */
const readRecentPrice = (
  rpc: EvmCalls,
  history: Effect.Effect<FeeHistory | undefined, ReadError>
): Effect.Effect<bigint | undefined, ReadError> =>
  Effect.map(history, parseRecentPrice).pipe(
    Effect.flatMap((recent) =>
      recent === undefined
        ? Effect.map(
            withAgreement(rpc.getBlockByNumber("latest"), (one, other) =>
              isNear(parseBaseFee(one), parseBaseFee(other))
            ),
            (block) => parsePaidPrices(block) ?? parseBaseFee(block)
          )
        : Effect.succeed(recent)
    )
  )

/** The highest price of gas that is paid without a cap of the caller, in wei. */
export const readMaxPrice = (
  rpc: EvmCalls,
  { symbol }: NetworkRow,
  history: Effect.Effect<FeeHistory | undefined, ReadError>
): Effect.Effect<bigint, ReadError> =>
  Effect.map(readRecentPrice(rpc, history), (recent) => {
    const { factor, free, most } = caps.evm
    const ceiling = symbol === "ETH" ? most.ether : most.other
    const usual = recent === undefined ? ceiling : recent * factor
    return minOf(ceiling, maxOf(usual, free))
  })

/** The fields of a transaction that its gas depends on. */
interface CallData {
  readonly to?: Hex
  readonly data?: Hex
}

/** The bytes of some data: how many are zeros, and how many are not. */
const countBytes = (data: string = "0x") => {
  const bytes = data.slice(2).match(/../g) ?? []
  const zeros = bytes.filter((byte) => byte === "00").length
  return { zeros: BigInt(zeros), others: BigInt(bytes.length - zeros) }
}

const TRANSACTION_GAS = 21_000n

/** The gas that a transaction takes before anything is run: its bytes (EIP-2028), and a new contract. No estimate is below. */
const computeIntrinsicGas = ({ data, to }: CallData): bigint => {
  const { others, zeros } = countBytes(data)
  return TRANSACTION_GAS + 4n * zeros + 16n * others + (to === undefined ? 32_000n : 0n)
}

/** The least gas of a transaction on chains with EIP-7623, whatever it executes. */
const computeFloorGas = ({ data }: CallData): bigint => {
  const { others, zeros } = countBytes(data)
  return TRANSACTION_GAS + 10n * (zeros + 4n * others)
}

/**
 * What more it takes to write to a storage slot that is empty (EIP-2929, EIP-3529). A receiver of tokens may have none any more by the time of
 * the block, and nodes that estimate behind what waits for a block count tokens that it does not have yet.
 */
const EMPTY_SLOT_GAS = 17_100n

/** The gas of a transaction: an estimate that can be one, with room for what a contract does by the time that it is done. */
export const chooseGasLimit = (call: CallData, estimate: bigint): Effect.Effect<bigint, NodeError> => {
  const intrinsic = computeIntrinsicGas(call)
  if (estimate < intrinsic)
    return Effect.fail(
      makeMalformedError(
        "eth_estimateGas",
        `the estimate is ${estimate} gas, and the transaction takes ${intrinsic} before it runs`
      )
    )
  if (call.data === undefined) return Effect.succeed(estimate)
  const roomy = estimate + maxOf(estimate / 5n, EMPTY_SLOT_GAS)
  const floorGas = computeFloorGas(call)
  return Effect.succeed(maxOf(roomy, floorGas))
}

type ArbitrumNetwork = {
  [N in keyof RollupStacks]: RollupStacks[N] extends "arbitrum" ? N : never
}[keyof RollupStacks]

/** Rollups whose gas includes the data on the chain below. */
const arbitrumNetworks: Readonly<Record<ArbitrumNetwork, true>> = {
  "arb-nova-mainnet": true,
  "arbitrum-one-mainnet": true,
  "arb-testnet": true,
  "plume-mainnet": true,
  "robinhood-mainnet": true
}

/** The most gas of a kind of transaction without a cap of the caller. */
export const maxGasOf = ({ family, id, rollup }: NetworkRow, kind: "coins" | "tokens" | "call"): bigint =>
  caps.evm.gas[kind] +
  (family === "zksync" || rollup === "arbitrum" || Object.hasOwn(arbitrumNetworks, id)
    ? caps.evm.gas.below
    : 0n)

type OpNetwork = { [N in keyof RollupStacks]: RollupStacks[N] extends "op" ? N : never }[keyof RollupStacks]

/** Rollups whose transactions pay for their data on the chain below, besides gas. */
const opNetworks: Readonly<Record<OpNetwork, true>> = {
  "base-mainnet": true,
  "celo-mainnet": true,
  "optimism-mainnet": true,
  "unichain-mainnet": true,
  "lisk-mainnet": true,
  "base-sepolia": true,
  "celo-testnet": true,
  "optimism-testnet": true,
  "unichain-sepolia": true,
  "lisk-sepolia": true,
  "celo-sepolia": true
}

/** The contract of OP stack rollups that computes the fee of data on the chain below. */
const GAS_ORACLE = "0x420000000000000000000000000000000000000F"

/** A fee of the chain below: the most that it can be, and the most that it may be without a cap of the caller. */
export interface DataFee {
  readonly fee: bigint
  readonly most: bigint
}

/**
 * `getL1FeeUpperBound(uint256)`: the fee for a number of signed bytes. It varies with the chain below, so half as much again is kept
 * free.
 */
export const readDataFee = (
  rpc: EvmCalls,
  { id, rollup }: NetworkRow,
  data: string | undefined
): Effect.Effect<DataFee, ReadError> => {
  if (rollup !== "op" && !Object.hasOwn(opNetworks, id)) return Effect.succeed({ fee: 0n, most: 0n })
  const bytes = BigInt(Math.ceil((data?.length ?? 2) / 2) + 160)
  const readL1Fee = withAgreement(
    rpc.call({ to: GAS_ORACLE, data: `0xf1c7a58b${encodeWord(bytes)}` }),
    (one, other) => isNear(parseQuantities([one])[0], parseQuantities([other])[0])
  )
  return Effect.map(
    Effect.flatMap(readL1Fee, (fee) => parseQuantity("eth_call", fee)),
    (fee) => ({
      fee: (fee * 3n) / 2n,
      most: bytes * caps.evm.belowGas * caps.evm.most.ether
    })
  )
}
