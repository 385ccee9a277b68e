import { keccak256 } from "./keccak.js"

/** Chains whose addresses carry their chain id in the checksum (EIP-1191): RSK and its testnet. */
const withChainId: ReadonlySet<number | undefined> = new Set([30, 31])

/** The letters of an address in the case that their checksum gives them (EIP-55); `salt` is that of EIP-1191. */
const checksummed = (digits: string, salt = ""): string => {
  const lower = digits.toLowerCase()
  const hash = keccak256(new TextEncoder().encode(`${salt}${lower}`))
  return Array.from(lower, (digit, i) => {
    const byte = hash[i >> 1] ?? 0
    const nibble = i % 2 === 0 ? byte >> 4 : byte & 15
    return nibble >= 8 ? digit.toUpperCase() : digit
  }).join("")
}

/** An address of an EVM chain with the capitals of its checksum (EIP-55). */
export const checksumAddress = (address: string): string => `0x${checksummed(address.slice(2))}`

/** The same for a text that may be something else, which stays as it is. */
export const checksumIfAddress = (text: string): string =>
  /^0x[0-9a-f]{40}$/i.test(text) ? checksumAddress(text) : text

/**
 * The problem of an address of an EVM chain, if there is one: its shape, or a letter in the wrong case, which says that
 * it was mistyped (EIP-55; EIP-1191 on chains of that `chainId`). An address in one case alone has no checksum, and is taken as it is.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, chainId?: number): string | undefined => {
  if (!/^0x[0-9a-f]{40}$/i.test(address) || address.startsWith("0X"))
    return "must be an address: 0x and 40 hexadecimal digits"
  const digits = address.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return undefined
  const fits =
    digits === checksummed(digits) ||
    (withChainId.has(chainId) && digits === checksummed(digits, `${chainId}0x`))
  return fits
    ? undefined
    : "has a letter that does not fit its checksum (EIP-55), so it is mistyped; in small letters alone it would not be checked"
}
