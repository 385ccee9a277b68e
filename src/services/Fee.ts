/**
 * The current fees of a transaction: gas prices of Ethereum, fee rates of Bitcoin, Litecoin and Dogecoin.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Config } from "../config/Config.js"
import type { Uncovered } from "../data/Coverage.js"
import type * as Network from "../data/Network.js"
import { type GatewayCallError, type LoadError, NotSupportedForNetwork } from "../data/SdkError.js"
import { Gateway } from "./Gateway.js"
import { divideByPowerOf10, NonNegativeAmount } from "./internal/amounts.js"
import { isEvm } from "./internal/networks.js"
import { makeAnswerReader } from "./internal/schema.js"

type Table = typeof Network.networks

/**
 * The networks that the provider estimates fees for.
 *
 * @since 0.1.0
 * @category types
 */
export type FeeNetwork = {
  [N in Network.Network]: Table[N] extends { readonly fee: true } ? N : never
}[Network.Network]

/**
 * The networks whose fees are gas prices.
 *
 * @since 0.1.0
 * @category types
 */
export type GasNetwork = {
  [N in FeeNetwork]: Table[N]["family"] extends `evm${string}` ? N : never
}[FeeNetwork]

/**
 * The gas prices of an EVM network. All prices are decimal strings in Gwei (10^9 wei), exact.
 *
 * @since 0.1.0
 * @category models
 */
export interface GasFee<N extends string = GasNetwork> {
  readonly chain: N
  readonly gasPrice: {
    readonly slow: string
    readonly medium: string
    readonly fast: string
    /** The base fee of the block (EIP-1559). */
    readonly baseFee: string
    readonly unit: "Gwei"
  }
  /** The time of the provider's calculation: ISO 8601. */
  readonly lastRecalculated: string
  /** The last block of the provider's calculation. */
  readonly basedOnBlockNumber: number
}

/**
 * The fee rates of a Bitcoin-style network: decimal strings in the smallest unit (satoshi, litoshi, koinu) per byte.
 *
 * @since 0.1.0
 * @category models
 */
export interface FeeRate<N extends string = Exclude<FeeNetwork, GasNetwork>> {
  readonly chain: N
  readonly slow: string
  readonly medium: string
  readonly fast: string
  /** The time of the provider's calculation: ISO 8601. */
  readonly lastRecalculated: string
  /** The last block of the provider's calculation. */
  readonly basedOnBlockNumber: number
}

/**
 * The current fees of a transaction. `chain` discriminates the two cases; a client of one network has one of them.
 *
 * @since 0.1.0
 * @category models
 */
export type CurrentFee<N extends Network.AnyNetwork = FeeNetwork> = N extends GasNetwork
  ? GasFee<N>
  : N extends FeeNetwork
    ? FeeRate<N>
    : N extends Network.NetworkDefinition<infer Id, infer F>
      ? F extends `evm${string}`
        ? GasFee<Id>
        : FeeRate<Id>
      : never

/**
 * The errors of a question for fees.
 *
 * @since 0.1.0
 * @category errors
 */
export type FeeError<N extends Network.AnyNetwork = Network.Network> =
  | GatewayCallError
  | LoadError
  | Uncovered<N, "fee", NotSupportedForNetwork>

/**
 * Fees.
 *
 * @since 0.1.0
 * @category models
 */
export interface FeeService<N extends Network.AnyNetwork = Network.Network> {
  /** The current fees of a transaction. */
  readonly getCurrentFee: () => Effect.Effect<CurrentFee<N>, FeeError<N>>
}

/**
 * Fees, as a service.
 *
 * @since 0.1.0
 * @category services
 */
export class Fee extends /*#__PURE__*/ Context.Tag("effect-chains/services/Fee")<Fee, FeeService>() {}

const Steps = { slow: NonNegativeAmount, medium: NonNegativeAmount, fast: NonNegativeAmount }
const Basis = {
  time: Schema.String,
  block: Schema.NumberFromString.pipe(Schema.nonNegative(), Schema.int())
}

const gasPrices = makeAnswerReader(
  "fee.getCurrentFee",
  Schema.Struct({ ...Steps, ...Basis, baseFee: NonNegativeAmount })
)
const feeRates = makeAnswerReader("fee.getCurrentFee", Schema.Struct({ ...Steps, ...Basis }))

/** One Gwei is 10^9 wei. */
const GWEI = 9

const isFeeNetwork = (_: string, { fee }: Network.NetworkInfo): _ is FeeNetwork => fee === true

const isGasNetwork = (_: FeeNetwork, info: Network.NetworkInfo): _ is GasNetwork => isEvm(info)

/**
 * Makes the service over the provider's REST API.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: Effect.Effect<FeeService, never, Config | Gateway> = Effect.gen(function* () {
  const { network, info } = yield* Config
  const gateway = yield* Gateway
  if (!isFeeNetwork(network, info))
    return { getCurrentFee: () => Effect.fail(new NotSupportedForNetwork({ feature: "fee", network })) }
  const readFee = gateway.request({ method: "GET", path: `blockchain/fee/${info.currency}`, exact: true })
  if (isGasNetwork(network, info)) {
    return {
      getCurrentFee: () =>
        readFee.pipe(
          Effect.flatMap(gasPrices),
          Effect.map(({ slow, medium, fast, baseFee, time, block }) => ({
            chain: network,
            gasPrice: {
              slow: divideByPowerOf10(slow, GWEI),
              medium: divideByPowerOf10(medium, GWEI),
              fast: divideByPowerOf10(fast, GWEI),
              baseFee: divideByPowerOf10(baseFee, GWEI),
              unit: "Gwei" as const
            },
            lastRecalculated: time,
            basedOnBlockNumber: block
          }))
        )
    }
  }
  return {
    getCurrentFee: () =>
      readFee.pipe(
        Effect.flatMap(feeRates),
        Effect.map(({ slow, medium, fast, time, block }) => ({
          chain: network,
          slow: divideByPowerOf10(slow),
          medium: divideByPowerOf10(medium),
          fast: divideByPowerOf10(fast),
          lastRecalculated: time,
          basedOnBlockNumber: block
        }))
      )
  }
})

/**
 * The service as a layer.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<Fee, never, Config | Gateway> = /*#__PURE__*/ Layer.effect(Fee, make)
