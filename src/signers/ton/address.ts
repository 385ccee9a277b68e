/** Addresses of TON: workchain and hash, or the friendly form with a checksum and flags. */
import { base64Of, bytesOfAnyBase64 } from "../../data/base64.js"
import { findDefinedRow } from "../../data/definedNetworks.js"
import { bytesToHex, hexToBytes } from "../../data/hex.js"

/** An address as the chain has it (`0:9a33…`), and whether it asks a contract to return what it refuses. */
export interface ParsedAddress {
  readonly raw: string
  readonly isBounceable: boolean
}

/** The checksum of friendly addresses (CRC-16, XMODEM). */
const crc16 = (bytes: Iterable<number>): number => {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << 8
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? ((sum << 1) ^ 0x1021) & 0xffff : sum << 1
  }
  return sum
}

const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80

/** The basic chain and the masterchain. */
const workchains: ReadonlyMap<number, number> = new Map([
  [0x00, 0],
  [0xff, -1]
])

/** What an address is on a network, or its problem. */
export const parseAddress = (address: string, isTest: boolean): ParsedAddress | string => {
  if (typeof address !== "string") return "must be text"
  if (/^(0|-1):[0-9a-f]{64}$/i.test(address)) return { raw: address.toLowerCase(), isBounceable: true }
  if (/^0x[0-9a-f]{40}$/i.test(address)) return "is one of an EVM chain"
  if (!/^(?:[A-Za-z0-9+/]{48}|[A-Za-z0-9_-]{48})$/.test(address))
    return "must be 48 characters of base64, or a workchain and 64 hexadecimal digits"
  const bytes = bytesOfAnyBase64(address)
  if (crc16(bytes) !== 0) return "has a wrong character: its checksum fails"
  const [flags = 0, chain = 0] = bytes
  const kind = flags & ~TEST_ONLY
  const workchain = workchains.get(chain)
  if ((kind !== BOUNCEABLE && kind !== NON_BOUNCEABLE) || workchain === undefined)
    return "has flags or a workchain that are not known"
  if ((flags & TEST_ONLY) !== 0 && !isTest) return "is one of ton-testnet"
  return { raw: `${workchain}:${bytesToHex(bytes.subarray(2, 34))}`, isBounceable: kind === BOUNCEABLE }
}

/** The friendly form of an address that {@link parseAddress} has given, for a url. */
export const formatAddress = ({ isBounceable, raw }: ParsedAddress, isTest: boolean): string => {
  const flags = (isBounceable ? BOUNCEABLE : NON_BOUNCEABLE) | (isTest ? TEST_ONLY : 0)
  const bytes = [flags, raw.startsWith("0:") ? 0x00 : 0xff, ...hexToBytes(raw.slice(-64))]
  const sum = crc16(bytes)
  return base64Of(Uint8Array.of(...bytes, sum >> 8, sum & 0xff))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
}

/** Whether addresses of the test networks are valid on a network. */
const isTestNetwork = (network: string): boolean =>
  network === "ton-testnet" || findDefinedRow(network)?.testnet === true

/**
 * The problem of an address of TON, if there is one: its form, its checksum, or that it is valid only on the test network.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, network: string): string | undefined => {
  const found = parseAddress(address, isTestNetwork(network))
  return typeof found === "string" ? found : undefined
}
