/**
 * Amounts between the smallest unit of a coin and whole coins: exact, in both directions. By decimals, or of an asset.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as amounts from "./assetAmounts.js"
import { type InvalidArgument, isSdkError, type UnsupportedNetwork } from "./SdkError.js"

export type { Asset } from "./assetAmounts.js"
export { format, parse } from "./Units.js"

const attempt = <A>(convert: () => A): Either.Either<A, InvalidArgument | UnsupportedNetwork> => {
  try {
    return Either.right(convert())
  } catch (error) {
    if (isSdkError(error) && (error._tag === "InvalidArgument" || error._tag === "UnsupportedNetwork"))
      return Either.left(error)
    throw error
  }
}

/**
 * The smallest units in an amount of an asset: `parseAmount("1.5", "ton-mainnet")` is `1500000000n` nanotons, and `parseAmount("1.5", {
 * decimals: 6 })` is `1500000n`. Left with `InvalidArgument` for a sign, blanks, an exponent, or more digits after the point than the
 * asset has, and with `UnsupportedNetwork` for an id that no network has.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseAmount = (
  amount: string,
  asset: amounts.Asset
): Either.Either<bigint, InvalidArgument | UnsupportedNetwork> =>
  attempt(() => amounts.parseAmount(amount, asset))

/**
 * An amount of the smallest units in whole coins of an asset: `formatAmount(12n, "ripple-mainnet")` is `"0.000012"`. Left with
 * `InvalidArgument` if the asset has no usable decimals, and with `UnsupportedNetwork` for an id that no network has.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatAmount = (
  units: bigint,
  asset: amounts.Asset
): Either.Either<string, InvalidArgument | UnsupportedNetwork> =>
  attempt(() => amounts.formatAmount(units, asset))
