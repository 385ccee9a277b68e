/**
 * Amounts of an asset: the coin of a network by the network's id, or a token by its decimals. The functions of `amounts.ts`, which take
 * decimals alone, do without the table of networks.
 *
 * @since 0.1.0
 */
import { formatUnits, parseUnits } from "./amounts.js"
import { definedRow, findDefinedRow } from "./definedNetworks.js"
import { type AnyNetwork, isNetwork, networks, suggest } from "./Network.js"
import { InvalidArgument, kindOf, UnsupportedNetwork } from "./SdkError.js"

/**
 * What an amount is counted in: the coin of a network, by its id or its definition, or whatever has `decimals`, such as a row of
 * `effect-chains/chains` or the metadata of a token.
 *
 * @since 0.1.0
 * @category models
 */
export type Asset = AnyNetwork | { readonly decimals: number }

const findDecimals = (call: string, asset: Asset): number => {
  if (typeof asset === "string") {
    const row = findDefinedRow(asset) ?? (isNetwork(asset) ? networks[asset] : undefined)
    if (row !== undefined) return row.decimals
    const suggestion = suggest(asset)
    throw new UnsupportedNetwork({ network: asset, ...(suggestion === undefined ? {} : { suggestion }) })
  }
  const row = definedRow(asset)
  if (row !== undefined) return row.decimals
  if (typeof asset === "object" && asset !== null && "decimals" in asset) return asset.decimals
  const reason = `the asset must be a network or have decimals, not ${kindOf(asset)}`
  throw new InvalidArgument({ call, reason })
}

/**
 * The smallest units in an amount of an asset: `parseAmount("1.5", "ton-mainnet")` is `1500000000n` nanotons, and `parseAmount("1.5", {
 * decimals: 6 })` is `1500000n`. It reads what `parseUnits` reads, and throws `InvalidArgument` for everything else, or
 * `UnsupportedNetwork` for an id that no network has.
 *
 * @since 0.1.0
 * @category conversions
 */
export const parseAmount = (amount: string, asset: Asset): bigint =>
  parseUnits(amount, findDecimals("parseAmount", asset))

/**
 * An amount of the smallest units in whole coins of an asset: `formatAmount(12n, "ripple-mainnet")` is `"0.000012"`. Throws
 * `InvalidArgument` if the asset has no usable decimals, and `UnsupportedNetwork` for an id that no network has.
 *
 * @since 0.1.0
 * @category conversions
 */
export const formatAmount = (units: bigint, asset: Asset): string =>
  formatUnits(units, findDecimals("formatAmount", asset))
