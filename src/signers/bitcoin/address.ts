/** Addresses of Bitcoin and its relatives: Base58Check, SegWit (BIP-173, BIP-350), and CashAddr. */
import { bytesToHex, hexToBytes } from "../../data/hex.js"
import { decodeBase58Check, encodeBase58Check } from "../base58Check.js"
import {
  bech32,
  cashAddr,
  computeChecksum,
  computeRemainder,
  decodeWords,
  encodeWords,
  expandPrefix,
  lowBitsOfPrefix,
  regroupBits,
  toSingleCase,
  wordsToBytes
} from "../bech32.js"
import { type Chain, chainOf, chains } from "./networks.js"
import { dustLimitOf } from "./selection.js"

/** An address as it is shown, and the script of outputs to it. An address in the old form may be meant for another chain. */
export interface Receiver {
  readonly to: string
  readonly script: Uint8Array
  readonly isOld: boolean
}

const p2pkh = (hash: Uint8Array): Uint8Array => Uint8Array.of(0x76, 0xa9, 0x14, ...hash, 0x88, 0xac)

/** With a hash of 20 bytes or, on Bitcoin Cash, of 32. */
const p2sh = (hash: Uint8Array): Uint8Array =>
  Uint8Array.of(hash.length === 20 ? 0xa9 : 0xaa, hash.length, ...hash, 0x87)

/** What is before the hash of an address: a byte, or, on Zcash, two. */
const versionBytes = (version: number): ReadonlyArray<number> =>
  version > 0xff ? [version >> 8, version & 0xff] : [version]

const parseBase58 = (address: string, { pubKeyHash, scriptHash }: Chain): Uint8Array | undefined => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(address)) return undefined
  const bytes = decodeBase58Check(address)
  if (bytes === undefined) return undefined
  const hash = bytes.subarray(-20)
  const begins = (version: number): boolean => versionBytes(version).join() === bytes.subarray(0, -20).join()
  return begins(pubKeyHash) ? p2pkh(hash) : begins(scriptHash) ? p2sh(hash) : undefined
}

/** The field of secp256k1. */
const FIELD_PRIME = 2n ** 256n - 2n ** 32n - 977n

/** Whether a point of the curve has this x coordinate. An output to a key without one could never be spent. */
const isOnCurve = (bytes: Uint8Array): boolean => {
  const x = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)
  let [power, base] = [1n, (x ** 3n + 7n) % FIELD_PRIME]
  for (let left = (FIELD_PRIME - 1n) / 2n; left > 0n; left >>= 1n) {
    if (left & 1n) power = (power * base) % FIELD_PRIME
    base = (base * base) % FIELD_PRIME
  }
  return x < FIELD_PRIME && power === 1n
}

/** The checksum that each version of SegWit has. */
const CHECKSUM_CONSTANTS = [1n, 0x2bc830a3n] as const

const parseSegwit = (address: string, { bech32: prefix }: Chain): Uint8Array | undefined => {
  const text = toSingleCase(address)
  if (prefix === "" || text?.startsWith(`${prefix}1`) !== true) return undefined
  const words = decodeWords(text.slice(prefix.length + 1))
  if (words === undefined) return undefined
  const program = wordsToBytes(words.slice(1, -6))
  if (program === undefined) return undefined
  const version = Number(words[0])
  // other versions than the first two have no checksum here
  const isKnown =
    version === 0
      ? program.length === 20 || program.length === 32
      : program.length === 32 && isOnCurve(program)
  // a long text has no known program, and its checksum would take long
  return isKnown &&
    computeRemainder(bech32, [...expandPrefix(prefix), ...words]) === CHECKSUM_CONSTANTS[version]
    ? Uint8Array.of(version === 0 ? 0 : 0x51, program.length, ...program)
    : undefined
}

/** The first byte of a CashAddr address: its kind (4 more if its wallet accepts tokens) and the length of its hash. */
const cashKinds: Readonly<
  Partial<Record<number, { readonly length: number; readonly scriptOf: typeof p2pkh }>>
> = {
  0: { length: 20, scriptOf: p2pkh },
  8: { length: 20, scriptOf: p2sh },
  11: { length: 32, scriptOf: p2sh },
  16: { length: 20, scriptOf: p2pkh },
  24: { length: 20, scriptOf: p2sh },
  27: { length: 32, scriptOf: p2sh }
}

const parseCashAddress = (address: string, prefix: string): Receiver | undefined => {
  const text = toSingleCase(address)
  if (text === undefined) return undefined
  const to = text.includes(":") ? text : `${prefix}:${text}`
  if (!to.startsWith(`${prefix}:`)) return undefined
  const words = decodeWords(to.slice(prefix.length + 1))
  if (words === undefined) return undefined
  const payload = wordsToBytes(words.slice(0, -8))
  if (payload === undefined) return undefined
  const kind = cashKinds[Number(payload[0])]
  const hash = payload.subarray(1)
  return hash.length === kind?.length &&
    computeRemainder(cashAddr, [...lowBitsOfPrefix(prefix), 0, ...words]) === 1n
    ? { to, script: kind.scriptOf(hash), isOld: false }
    : undefined
}

/** The CashAddr address of outputs with a script that {@link parseReceiver} has given. */
export const encodeCashAddress = (script: Uint8Array, prefix: string): string => {
  const isKey = script[0] === 0x76
  const hash = isKey ? script.subarray(3, 23) : script.subarray(2, -1)
  const payload = regroupBits([isKey ? 0x00 : hash.length === 20 ? 0x08 : 0x0b, ...hash], 8, 5, true)
  return `${prefix}:${encodeWords([...payload, ...computeChecksum(cashAddr, [...lowBitsOfPrefix(prefix), 0, ...payload])])}`
}

/** Reads an address of a chain; undefined if it is none. On Bitcoin Cash the old form becomes the new one. */
export const parseScript = (address: string, chain: Chain): Receiver | undefined => {
  const old = parseBase58(address, chain)
  if (chain.cash !== undefined)
    return old === undefined
      ? parseCashAddress(address, chain.cash)
      : { to: encodeCashAddress(old, chain.cash), script: old, isOld: true }
  if (old !== undefined) return { to: address, script: old, isOld: false }
  const script = parseSegwit(address, chain)
  return script === undefined ? undefined : { to: address.toLowerCase(), script, isOld: false }
}

/** What an address is on a chain, or its problem. */
export const parseReceiver = (address: string, chain: Chain): Receiver | string => {
  if (typeof address !== "string") return "must be text"
  const other = Object.entries(chains).find(([, each]) => parseScript(address, each) !== undefined)?.[0]
  return (
    parseScript(address, chain) ??
    (other !== undefined
      ? `is one of ${other}`
      : chain.actionFee !== undefined && /^(?:u1|utest1|zs1|ztestsapling1|zc|tex)/.test(address)
        ? "is a shielded or a unified one, and only transparent ones are paid: t1… and t3…"
        : "is mistyped, or of another chain")
  )
}

/**
 * The problem of an address of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, if there is one: its characters, its checksum, or another
 * network.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, network: string): string | undefined => {
  const chain = chainOf(network)
  if (chain === undefined) return `cannot be read: addresses of ${network} are not known here`
  const found = parseReceiver(address, chain)
  return typeof found === "string" ? found : undefined
}

/**
 * The script (hexadecimal) of outputs to an address of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin. All forms of an address have the same
 * script. Undefined for addresses with an {@link addressProblem}.
 *
 * @since 0.1.0
 * @category conversions
 */
export const scriptOf = (address: string, network: string): string | undefined => {
  const chain = chainOf(network)
  const script = chain === undefined ? undefined : parseScript(address, chain)?.script
  return script === undefined ? undefined : bytesToHex(script)
}

/** The scripts of P2PKH, P2SH (with both lengths), P2WPKH, P2WSH and P2TR. */
const scriptWithAddress =
  /^(?:76a914[0-9a-f]{40}88ac|a914[0-9a-f]{40}87|aa20[0-9a-f]{64}87|0014[0-9a-f]{40}|(?:00|51)20[0-9a-f]{64})$/

/** The address of a program of SegWit. */
const encodeSegwit = (script: Uint8Array, prefix: string): string => {
  const version = script[0] === 0 ? 0 : 1
  const words = [version, ...regroupBits(script.subarray(2), 8, 5, true)]
  const checksum = computeChecksum(bech32, [...expandPrefix(prefix), ...words], CHECKSUM_CONSTANTS[version])
  return `${prefix}1${encodeWords([...words, ...checksum])}`
}

/** The address of a script's bytes; undefined for scripts that have none on the chain. */
export const encodeScript = (bytes: Uint8Array, chain: Chain): string | undefined => {
  const [first] = bytes
  if (first === 0 || first === 0x51)
    return chain.bech32 === "" ? undefined : encodeSegwit(bytes, chain.bech32)
  if (chain.cash !== undefined) return encodeCashAddress(bytes, chain.cash)
  if (first === 0xaa) return undefined
  return first === 0x76
    ? encodeBase58Check(Uint8Array.of(...versionBytes(chain.pubKeyHash), ...bytes.subarray(3, 23)))
    : encodeBase58Check(Uint8Array.of(...versionBytes(chain.scriptHash), ...bytes.subarray(2, 22)))
}

/**
 * The address of a script (hexadecimal) on a network of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, in the chain's current form
 * (CashAddr with its prefix on Bitcoin Cash): the reverse of {@link scriptOf}. Undefined for scripts and networks without addresses.
 *
 * @since 0.1.0
 * @category conversions
 */
export const addressOf = (script: string, network: string): string | undefined => {
  const chain = chainOf(network)
  return chain === undefined || !scriptWithAddress.test(script)
    ? undefined
    : encodeScript(hexToBytes(script), chain)
}

/**
 * The least amount of an output to an address that nodes relay, in the smallest unit. Undefined for addresses with an {@link
 * addressProblem}.
 *
 * @since 0.1.0
 * @category conversions
 */
export const leastAmount = (address: string, network: string): bigint | undefined => {
  const chain = chainOf(network)
  if (chain === undefined) return undefined
  const found = parseReceiver(address, chain)
  return typeof found === "string" ? undefined : dustLimitOf(chain, found.script)
}
