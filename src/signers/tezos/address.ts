/** Texts of Tezos: Base58Check with a prefix for the kind. */
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { decodeBase58Check, encodeBase58Check } from "../base58Check.js"

/** The first bytes of what a signer reads and writes, in hexadecimal digits. */
export const prefixes = {
  tz1: "06a19f",
  tz2: "06a1a1",
  tz3: "06a1a4",
  tz4: "06a1a6",
  KT1: "025a79",
  edpk: "0d0f25d9",
  sppk: "03fee256",
  edsk: "0d0f3a07",
  edskWhole: "2bf64e07",
  spsk: "11a2e0c9",
  edsig: "09f5cd8612",
  spsig: "0d7365133f",
  operation: "0574",
  expression: "0d2c401b"
} as const

export type PrefixKind = keyof typeof prefixes

/** The text of bytes of a kind. */
export const encodeWithPrefix = (kind: PrefixKind, bytes: Uint8Array): string =>
  encodeBase58Check(Uint8Array.of(...hexToBytes(prefixes[kind]), ...bytes))

/** What a text of Base58 holds, its checksum being right; undefined otherwise: what cannot be read may be a key, and is not repeated. */
const decodeContent = (text: string): Uint8Array | undefined => {
  try {
    return decodeBase58Check(text)
  } catch {
    return undefined
  }
}

/** Decodes a text of a kind with a fixed length; undefined if it is none. */
export const decodeWithPrefix = (kind: PrefixKind, text: string, length: number): Uint8Array | undefined => {
  const content = decodeContent(text)
  const prefix = prefixes[kind]
  return content?.length === prefix.length / 2 + length && bytesToHex(content).startsWith(prefix)
    ? content.slice(prefix.length / 2)
    : undefined
}

const accountPrefixes = ["tz1", "tz2", "tz3", "tz4", "KT1"] as const

/** Whether an address belongs to a contract. */
export const isContract = (address: string): boolean => address.startsWith("KT1")

/**
 * The problem of an address of Tezos (tz1 to tz4 of accounts, KT1 of contracts), if there is one: its shape, a wrong digit (its checksum
 * fails), or that it is of another kind.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string): string | undefined => {
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address)) return "must be an address of Tezos, and is one of an EVM chain"
  if (/^sr1/.test(address)) return "is one of a rollup, which takes no payments"
  if (!/^(tz[1-4]|KT1)[1-9A-HJ-NP-Za-km-z]{33}$/.test(address))
    return "must be tz1, tz2, tz3, tz4 or KT1 and 33 digits of base58"
  return accountPrefixes.some((kind) => decodeWithPrefix(kind, address, 20) !== undefined)
    ? undefined
    : "has a wrong digit: its checksum fails"
}

/** A token: its contract (FA1.2), and its number there (FA2). */
export interface ParsedToken {
  readonly contract: string
  readonly id?: string
}

/** The problem of a token's name, if there is one. */
export const tokenProblem = (token: string): string | undefined => {
  const { contract, id } = parseToken(token)
  if (!isContract(contract) || addressProblem(contract) !== undefined)
    return "must be the address of a contract (KT1), with a point and the token's number behind it (FA2)"
  return id === undefined || /^(0|[1-9]\d{0,77})$/.test(id)
    ? undefined
    : "has a number that is none of a token"
}

export const parseToken = (token: string): ParsedToken => {
  const text = String(token)
  const point = text.indexOf(".")
  return point === -1 ? { contract: text } : { contract: text.slice(0, point), id: text.slice(point + 1) }
}
