/**
 * Compares and normalizes addresses. Many families have several spellings of one address: capitals and small letters, hexadecimal
 * digits and Base58, with a prefix and without. No node is asked.
 *
 * ```ts
 * const asked = "0x742d35cc6634c0532925a3b844bc454e4438f44e"
 * isSameAddress(asked, "0x742d35Cc6634C0532925a3b844Bc454e4438f44e", "ethereum-mainnet") // true
 * ```
 *
 * @since 0.1.0
 */
export { type AddressOf, isSameAddress, normalizeAddress } from "./signers/addresses.js"
