/**
 * Fees from the nodes' estimates and from the payments in the newest blocks.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as BigInteger from "effect/BigInt"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Network } from "../../data/Network.js"
import * as Units from "../../data/Units.js"
import { networkOfChain } from "../../services/internal/networks.js"
import { type Fee, group } from "../api/Fee.js"
import { makeInvalid, makeUnavailable } from "../api/Refusal.js"
import { type Rpc, UtxoRecord } from "../indexer/Utxo.js"
import { Nodes } from "../Nodes.js"
import { SandboxError } from "../SandboxError.js"
import { Store, type Transaction } from "../Store.js"

type FeeSteps = Omit<typeof Fee.Type, "time">

/** The number of newest blocks that count. */
const BLOCK_COUNT = 20

/** The percentiles of paid fees: slow, medium and fast. */
const PERCENTILES = [10, 50, 90] as const

const Quantity = Schema.transform(
  Schema.String.pipe(Schema.pattern(/^0x[0-9a-fA-F]{1,64}$/)),
  Schema.BigIntFromSelf,
  { strict: true, decode: (hex) => BigInt(hex), encode: (value) => `0x${value.toString(16)}` }
)

const FeeHistory = Schema.Struct({
  oldestBlock: Quantity,
  baseFeePerGas: Schema.NonEmptyArray(Quantity),
  gasUsedRatio: Schema.Array(Schema.Number),
  reward: Schema.optional(Schema.NullishOr(Schema.Array(Schema.Array(Quantity))))
})

const askDecoded = <A, I>(
  rpc: Rpc,
  method: string,
  params: ReadonlyArray<unknown>,
  schema: Schema.Schema<A, I>
): Effect.Effect<A, SandboxError> =>
  Effect.flatMap(rpc(method, params), (said) =>
    Effect.mapError(
      Schema.decodeUnknown(schema)(said),
      ({ message }) =>
        new SandboxError({
          reason: "chain",
          message: `The node's answer to ${method} cannot be read: ${message}`
        })
    )
  )

/** The smallest value that `percent` of the values do not exceed; 0 for none. */
const percentileOf = (values: ReadonlyArray<bigint>, percent: number): bigint =>
  [...values].sort(BigInteger.Order)[Math.floor(((values.length - 1) * percent) / 100)] ?? 0n

/** Percentiles of the tips in the newest blocks with transactions, on top of the next block's base fee. */
const readGasFees = (rpc: Rpc): Effect.Effect<FeeSteps, SandboxError> =>
  Effect.gen(function* () {
    const history = yield* askDecoded(
      rpc,
      "eth_feeHistory",
      [`0x${BLOCK_COUNT.toString(16)}`, "latest", PERCENTILES],
      FeeHistory
    )
    const { baseFeePerGas, gasUsedRatio, oldestBlock } = history
    const full = (history.reward ?? []).filter((_, i) => (gasUsedRatio[i] ?? 0) > 0)
    // without payments, the node's own suggestion counts
    const usual = full.length === 0 ? yield* askDecoded(rpc, "eth_maxPriorityFeePerGas", [], Quantity) : 0n
    const baseFee = baseFeePerGas[baseFeePerGas.length - 1] ?? 0n
    const [slow = 0n, medium = 0n, fast = 0n] = PERCENTILES.map(
      (_, step) =>
        baseFee +
        (full.length === 0
          ? usual
          : percentileOf(
              full.map((tips) => tips[step] ?? 0n),
              50
            ))
    ).sort(BigInteger.Order)
    return {
      slow: String(slow),
      medium: String(medium),
      fast: String(fast),
      baseFee: String(baseFee),
      block: String(oldestBlock + BigInt(gasUsedRatio.length) - 1n)
    }
  })

/** The estimate of Bitcoin Core and of bcoin, in coins per 1000 bytes. Without enough data it is missing or -1. */
const Estimate = Schema.Struct({
  feerate: Schema.optional(Schema.Number),
  fee: Schema.optional(Schema.Number)
})
const Relay = Schema.Struct({ relayfee: Schema.Number })
const Body = Schema.Struct({ body: Schema.parseJson(UtxoRecord) })

/** The targets in blocks: slow, medium and fast. */
const TARGET_BLOCKS = [12, 6, 2] as const

const toFeeRate = (coins: number): bigint => BigInt(coins.toFixed(8).replace(".", ""))

/** The fees in satoshis per 1000 bytes that the newest blocks' transactions have paid. */
const readPaidRates = (transaction: Transaction, network: string, height: number): ReadonlyArray<bigint> =>
  transaction
    .all(
      Body,
      "SELECT body FROM transactions WHERE network = ? AND block > ? AND position > 0",
      network,
      height - BLOCK_COUNT
    )
    .flatMap(({ body: { fee, size } }) =>
      // transactions without a fee are the miner's own
      fee === 0 ? [] : (BigInt(fee) * 1_000n + BigInt(size) - 1n) / BigInt(size)
    )

/** The node's estimates, or else the payments in the newest blocks. Neither is less than the nodes' minimum. */
const readFeeRates = (
  rpc: Rpc,
  paidIn: (height: number) => Effect.Effect<ReadonlyArray<bigint>, SandboxError>
): Effect.Effect<FeeSteps, SandboxError> =>
  Effect.gen(function* () {
    const height = yield* askDecoded(rpc, "getblockcount", [], Schema.NonNegativeInt)
    const { relayfee } = yield* askDecoded(rpc, "getnetworkinfo", [], Relay)
    const least = toFeeRate(relayfee)
    const estimates = yield* Effect.forEach(TARGET_BLOCKS, (blocks) =>
      Effect.map(
        askDecoded(rpc, "estimatesmartfee", [blocks], Estimate),
        ({ fee, feerate }) => feerate ?? fee ?? -1
      )
    )
    const estimated = estimates.every((estimate) => estimate > 0)
    const seen = estimated ? [] : yield* paidIn(height)
    const steps = estimated
      ? estimates.map(toFeeRate)
      : PERCENTILES.map((percent) => percentileOf(seen, percent))
    const [slow = least, medium = least, fast = least] = steps
      .map(BigInteger.max(least))
      .sort(BigInteger.Order)
    return {
      slow: Units.format(slow, 3),
      medium: Units.format(medium, 3),
      fast: Units.format(fast, 3),
      block: String(height)
    }
  })

const currencies = ["BTC", "DOGE", "ETH", "LTC"]

const api = HttpApi.make("provider").add(group)

/**
 * Fees of Bitcoin, Dogecoin, Ethereum and Litecoin. Other currencies are refused (400). Fails if the node does not
 * answer (503).
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  HttpApiGroup.ApiGroup<"provider", "fee">,
  never,
  Nodes | Store
> = HttpApiBuilder.group(api, "fee", (handlers) =>
  Effect.gen(function* () {
    const nodes = yield* Nodes
    const { transact } = yield* Store

    const readSteps = (currency: string, network: Network): Effect.Effect<FeeSteps, SandboxError> => {
      const rpc: Rpc = (method, params) => nodes.rpc(network, method, params)
      return currency === "ETH"
        ? readGasFees(rpc)
        : readFeeRates(rpc, (height) =>
            Effect.zipRight(
              nodes.indexNewBlocks(network),
              transact((transaction) => readPaidRates(transaction, network, height))
            )
          )
    }

    return handlers.handle("fee", ({ path: { currency }, urlParams: { type } }) =>
      Effect.gen(function* () {
        const network = currencies.includes(currency)
          ? networkOfChain(currency, type === "testnet")
          : undefined
        if (network === undefined)
          return yield* Effect.fail(
            makeInvalid("validation.failed", "Request validation failed.", [
              `currency must be one of ${currencies.join(", ")}`
            ])
          )
        const fees = yield* Effect.mapError(readSteps(currency, network), ({ message }) =>
          makeUnavailable(message)
        )
        const time = new Date(yield* Clock.currentTimeMillis).toISOString()
        return { ...fees, time }
      })
    )
  })
)
