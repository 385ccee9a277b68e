/**
 * Amounts between whole coins and the smallest unit, by decimals, by network and by token.
 *
 * ```ts
 * const drops = parseAmount("1.5", "ripple-mainnet")
 * console.log(formatAmount(drops, "ripple-mainnet"), formatUnits(25_000_000n, 6))
 * ```
 *
 * @since 0.1.0
 */
export { formatEther, formatUnits, parseEther, parseUnits } from "./data/amounts.js"
export { type Asset, formatAmount, parseAmount } from "./data/assetAmounts.js"
