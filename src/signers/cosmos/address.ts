/** Addresses of Cosmos (bech32, BIP-173). */
import type { Network } from "../../data/Network.js"
import { chainOf } from "./networks.js"

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** The remainder of the checksum's code. */
const remainderOf = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => {
    const top = sum >>> 25
    return GENERATORS.reduce(
      (rest, generator, bit) => ((top >>> bit) & 1 ? rest ^ generator : rest),
      ((sum & 0x1ffffff) << 5) ^ value
    )
  }, 1)

const codesOf = (prefix: string): ReadonlyArray<number> => Array.from(prefix, (digit) => digit.charCodeAt(0))

/** The text before an address as its checksum has it: the upper bits, and the lower ones. */
const expanded = (prefix: string): ReadonlyArray<number> => [
  ...codesOf(prefix).map((code) => code >> 5),
  0,
  ...codesOf(prefix).map((code) => code & 31)
]

/** Values of `from` bits as such of `to` bits; what is left at the end is padded with zeros. */
const regrouped = (values: Iterable<number>, from: number, to: number): Array<number> => {
  const out: Array<number> = []
  let held = 0
  let bits = 0
  for (const value of values) {
    held = (held << from) | value
    for (bits += from; bits >= to; bits -= to) out.push((held >> (bits - to)) & ((1 << to) - 1))
    held &= (1 << bits) - 1
  }
  return bits > 0 ? [...out, (held << (to - bits)) & ((1 << to) - 1)] : out
}

/** The address of bytes, behind a prefix. */
export const encodeBech32 = (prefix: string, bytes: Uint8Array): string => {
  const words = regrouped(bytes, 8, 5)
  const remainder = remainderOf([...expanded(prefix), ...words, 0, 0, 0, 0, 0, 0]) ^ 1
  const checksum = [25, 20, 15, 10, 5, 0].map((shift) => (remainder >>> shift) & 31)
  return `${prefix}1${[...words, ...checksum].map((word) => ALPHABET[word]).join("")}`
}

/** Accounts of keys have 20 bytes, those of modules and contracts may have 32. */
const LENGTHS: ReadonlyArray<number> = [20, 32]

/** What other prefixes of the chain are of. */
const kinds: ReadonlyArray<readonly [suffix: string, kind: string]> = [
  ["valoper", "a validator"],
  ["valcons", "a validator's key"],
  ["pub", "a public key"]
]

/** The problem of the text before an address. */
const prefixProblem = (found: string, prefix: string, network: Network): string | undefined => {
  if (found === prefix) return undefined
  const kind = kinds.find(
    ([suffix]) => found.startsWith(prefix) && found.slice(prefix.length).startsWith(suffix)
  )
  return kind === undefined
    ? `must begin with ${prefix}1, and is one of another chain than ${network} (${found})`
    : `must be an account's, and is that of ${kind[1]}`
}

/**
 * The problem of an address of a network of the family, if there is one: its shape, a wrong digit (its checksum fails), or that it is
 * one of another chain, or of a validator.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, network: Network = "cosmos-mainnet"): string | undefined => {
  const chain = chainOf(network)
  if (chain === undefined) return `cannot be one of ${network}, which is of another family`
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address)) return `must begin with ${chain.prefix}1, and is one of an EVM chain`
  if (/[a-z]/.test(address) && /[A-Z]/.test(address)) return "has small letters and capitals"
  const [, prefix, digits] =
    /^([!-~]{1,83})1([02-9ac-hj-np-z]{6,})$/.exec(address.length > 128 ? "" : address.toLowerCase()) ?? []
  if (prefix === undefined || digits === undefined) return `must be ${chain.prefix}1 and digits of bech32`
  const words = Array.from(digits, (digit) => ALPHABET.indexOf(digit))
  if (remainderOf([...expanded(prefix), ...words]) !== 1) return "has a wrong digit: its checksum fails"
  const problem = prefixProblem(prefix, chain.prefix, network)
  if (problem !== undefined) return problem
  const own = words.slice(0, -6)
  const length = Math.floor((own.length * 5) / 8)
  return LENGTHS.includes(length) &&
    encodeBech32(prefix, Uint8Array.from(regrouped(own, 5, 8).slice(0, length))) === address
    ? undefined
    : `must be ${chain.prefix}1 and digits of bech32 for ${LENGTHS.join(" or ")} bytes, in small letters`
}
