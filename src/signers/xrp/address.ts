import { findDefinedRow } from "../../data/definedNetworks.js"
import { decodeBase58Check, encodeBase58Check } from "../base58Check.js"

/** The digits of the ledger's Base58. */
export const RIPPLE_ALPHABET = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"

/** An account as payments name it. An X-address tells the tag and the network too. */
export interface Destination {
  readonly address: string
  readonly tag?: number
}

const encodeClassic = (account: Uint8Array): string =>
  encodeBase58Check(Uint8Array.of(0, ...account), RIPPLE_ALPHABET)

/** The two bytes that X-addresses begin with, by the letter that these become. */
const X_PREFIXES = { X: 0x0544, T: 0x0493 }

/** Whether X-addresses begin with X on a network. */
const isMainNetwork = (network: string): boolean => {
  const defined = findDefinedRow(network)
  return defined === undefined ? network === "ripple-mainnet" : defined.testnet !== true
}

/** What stands in an X-address: two bytes for the network, the account, whether there is a tag, and the tag in 64 bits. */
const parseXAddress = (bytes: Uint8Array, network: string | undefined): Destination | string => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length !== 31 || ![X_PREFIXES.X, X_PREFIXES.T].includes(view.getUint16(0)))
    return "must begin with r, X or T, and is one of another chain"
  const isTest = view.getUint16(0) === X_PREFIXES.T
  if (network !== undefined && isTest === isMainNetwork(network))
    return `is one of ${isTest ? "the test networks" : "the main network"}`
  const kind = view.getUint8(22)
  const tag = view.getUint32(23, true)
  if (kind > 1 || view.getUint32(27) !== 0 || (kind === 0 && tag !== 0))
    return "has a tag of more than 32 bits, which the ledger does not know"
  return { address: encodeClassic(bytes.subarray(2, 22)), ...(kind === 1 ? { tag } : {}) }
}

/** The account that an address names, or the problem of the address. */
export const parseDestination = (address: string, network?: string): Destination | string => {
  if (typeof address !== "string") return "must be text"
  if (/^0x[0-9a-f]{40}$/i.test(address))
    return "must be an address of the XRP Ledger, and is one of an EVM chain"
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,47}$/.test(address)) return "must be r, X or T and digits of base58"
  const bytes = decodeBase58Check(address, RIPPLE_ALPHABET)
  if (bytes === undefined) return "has a wrong digit: its checksum fails"
  return bytes.length === 21 && bytes[0] === 0 ? { address } : parseXAddress(bytes, network)
}

/**
 * The problem of an address of the XRP Ledger, classic (`r…`) or an X-address, if there is one: its shape, a wrong digit (its checksum
 * fails), or that it is one of another chain or, where a network is given, of another network.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, network?: string): string | undefined => {
  const found = parseDestination(address, network)
  return typeof found === "string" ? found : undefined
}
