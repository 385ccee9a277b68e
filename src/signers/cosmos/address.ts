/** Addresses of Cosmos (bech32, BIP-173). */
import {
  bech32,
  computeChecksum,
  computeRemainder,
  decodeWords,
  encodeWords,
  expandPrefix,
  regroupBits,
  toSingleCase,
  wordsToBytes
} from "../bech32.js"
import { chainOf } from "./networks.js"

/** The address of bytes, behind a prefix. */
export const encodeBech32 = (prefix: string, bytes: Uint8Array): string => {
  const words = regroupBits(bytes, 8, 5, true) ?? []
  return `${prefix}1${encodeWords([...words, ...computeChecksum(bech32, [...expandPrefix(prefix), ...words])])}`
}

/** Addresses of keys have 20 bytes; those of modules and contracts may have 32. */
const ADDRESS_LENGTHS: ReadonlyArray<number> = [20, 32]

/** What other prefixes of the chain are of. */
const otherKinds: ReadonlyArray<readonly [suffix: string, kind: string]> = [
  ["valoper", "a validator"],
  ["valcons", "a validator's key"],
  ["pub", "a public key"]
]

/** The problem of the text before an address of an account or, with the suffix, of a validator. */
const prefixProblem = (found: string, { network, prefix, suffix }: Wanted): string | undefined => {
  if (found === prefix + suffix) return undefined
  const rest = found.startsWith(prefix) ? found.slice(prefix.length) : undefined
  const kind = rest === "" ? "an account" : otherKinds.find(([each]) => rest?.startsWith(each))?.[1]
  return kind === undefined
    ? `must begin with ${prefix}${suffix}1, and is one of another chain than ${network} (${found})`
    : `must be ${suffix === "" ? "an account's" : "a validator's"}, and is that of ${kind}`
}

/** What an address is to be: the chain's prefix, and `valoper` behind it for validators. */
interface Wanted {
  readonly network: string
  readonly prefix: string
  readonly suffix: "" | "valoper"
}

/**
 * The problem of an address of a network of the family, if there is one: its shape, a wrong digit (its checksum fails), or that it
 * belongs to another chain or a validator.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, network: string = "cosmos-mainnet"): string | undefined =>
  bech32Problem(address, network, "")

/** The problem of the address of a validator, such as `cosmosvaloper1…`; undefined if it has none. */
export const validatorProblem = (address: string, network: string): string | undefined =>
  bech32Problem(address, network, "valoper")

const bech32Problem = (address: string, network: string, suffix: Wanted["suffix"]): string | undefined => {
  const chain = chainOf(network)
  if (chain === undefined) return `cannot be one of ${network}, which is of another family`
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address))
    return `must begin with ${chain.prefix}${suffix}1, and is one of an EVM chain`
  const text = toSingleCase(address)
  if (text === undefined) return "has small letters and capitals"
  // the digits contain no 1, so the last 1 ends the prefix
  const at = text.lastIndexOf("1") + 1
  const words = decodeWords(text.slice(at))
  if (
    !/^[!-~]{1,83}1$/.test(text.slice(0, at)) ||
    words === undefined ||
    words.length < 6 ||
    text.length > 128
  )
    return `must be ${chain.prefix}${suffix}1 and digits of bech32`
  const prefix = text.slice(0, at - 1)
  if (computeRemainder(bech32, [...expandPrefix(prefix), ...words]) !== 1n)
    return "has a wrong digit: its checksum fails"
  const problem = prefixProblem(prefix, { network, prefix: chain.prefix, suffix })
  if (problem !== undefined) return problem
  const bytes = wordsToBytes(words.slice(0, -6))
  return ADDRESS_LENGTHS.some((length) => length === bytes?.length)
    ? undefined
    : `must be ${chain.prefix}${suffix}1 and digits of bech32 for ${ADDRESS_LENGTHS.join(" or ")} bytes`
}
