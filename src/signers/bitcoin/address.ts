/** Addresses of Bitcoin and its kin: Base58 with a checksum, those of SegWit (BIP-173, BIP-350), and CashAddr. */
import { hexToBytes, bytesToHex } from "../../data/hex.js"
import { decodeBase58Check, encodeBase58Check } from "../base58Check.js"
import {
  bech32,
  bytesOf,
  cashAddr,
  checksumOf,
  expanded,
  inOneCase,
  lowBits,
  regrouped,
  remainderOf,
  textOf,
  wordsOf
} from "../bech32.js"
import { type Chain, chainOf, chains } from "./networks.js"
import { dustOf } from "./selection.js"

/** An address as it is shown, and the script of outputs to it. Of the old form it may be meant for another chain. */
export interface Receiver {
  readonly to: string
  readonly script: Uint8Array
  readonly isOld: boolean
}

const p2pkh = (hash: Uint8Array): Uint8Array => Uint8Array.of(0x76, 0xa9, 0x14, ...hash, 0x88, 0xac)

/** With a hash of 20 bytes or, on Bitcoin Cash, of 32. */
const p2sh = (hash: Uint8Array): Uint8Array =>
  Uint8Array.of(hash.length === 20 ? 0xa9 : 0xaa, hash.length, ...hash, 0x87)

const base58 = (address: string, { pubKeyHash, scriptHash }: Chain): Uint8Array | undefined => {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(address)) return undefined
  const bytes = decodeBase58Check(address)
  if (bytes?.length !== 21) return undefined
  const hash = bytes.subarray(1)
  return bytes[0] === pubKeyHash ? p2pkh(hash) : bytes[0] === scriptHash ? p2sh(hash) : undefined
}

/** The field of secp256k1. */
const P = 2n ** 256n - 2n ** 32n - 977n

/** Whether a point of the curve has this x: outputs to a key that is none could never be spent. */
const isOnCurve = (bytes: Uint8Array): boolean => {
  const x = bytes.reduce((value, byte) => value * 256n + BigInt(byte), 0n)
  let [power, base] = [1n, (x ** 3n + 7n) % P]
  for (let left = (P - 1n) / 2n; left > 0n; left >>= 1n) {
    if (left & 1n) power = (power * base) % P
    base = (base * base) % P
  }
  return x < P && power === 1n
}

/** The checksum that each version of SegWit has. */
const CHECKS = [1n, 0x2bc830a3n] as const

const segwit = (address: string, { bech32: prefix }: Chain): Uint8Array | undefined => {
  const text = inOneCase(address)
  if (prefix === "" || text?.startsWith(`${prefix}1`) !== true) return undefined
  const words = wordsOf(text.slice(prefix.length + 1))
  if (words === undefined) return undefined
  const program = bytesOf(words.slice(1, -6))
  if (program === undefined) return undefined
  const version = Number(words[0])
  // other versions than the first two have no checksum here
  const isKnown =
    version === 0
      ? program.length === 20 || program.length === 32
      : program.length === 32 && isOnCurve(program)
  // a long text has no known program, and its checksum would take long
  return isKnown && remainderOf(bech32, [...expanded(prefix), ...words]) === CHECKS[version]
    ? Uint8Array.of(version === 0 ? 0 : 0x51, program.length, ...program)
    : undefined
}

/** What the first byte of a CashAddr address says: its kind (4 more where its wallet takes tokens too) and the length of its hash. */
const kinds: Readonly<Partial<Record<number, { readonly length: number; readonly scriptOf: typeof p2pkh }>>> =
  {
    0: { length: 20, scriptOf: p2pkh },
    8: { length: 20, scriptOf: p2sh },
    11: { length: 32, scriptOf: p2sh },
    16: { length: 20, scriptOf: p2pkh },
    24: { length: 20, scriptOf: p2sh },
    27: { length: 32, scriptOf: p2sh }
  }

const cash = (address: string, prefix: string): Receiver | undefined => {
  const text = inOneCase(address)
  if (text === undefined) return undefined
  const to = text.includes(":") ? text : `${prefix}:${text}`
  if (!to.startsWith(`${prefix}:`)) return undefined
  const words = wordsOf(to.slice(prefix.length + 1))
  if (words === undefined) return undefined
  const payload = bytesOf(words.slice(0, -8))
  if (payload === undefined) return undefined
  const kind = kinds[Number(payload[0])]
  const hash = payload.subarray(1)
  return hash.length === kind?.length && remainderOf(cashAddr, [...lowBits(prefix), 0, ...words]) === 1n
    ? { to, script: kind.scriptOf(hash), isOld: false }
    : undefined
}

/** The CashAddr address of outputs with a script that {@link read} has given. */
export const cashAddressOf = (script: Uint8Array, prefix: string): string => {
  const isKey = script[0] === 0x76
  const hash = isKey ? script.subarray(3, 23) : script.subarray(2, -1)
  const payload = regrouped([isKey ? 0x00 : hash.length === 20 ? 0x08 : 0x0b, ...hash], 8, 5, true)
  return `${prefix}:${textOf([...payload, ...checksumOf(cashAddr, [...lowBits(prefix), 0, ...payload])])}`
}

/** What an address is on a chain, if it is one of it. On Bitcoin Cash the old form is shown in the new one. */
const readIn = (address: string, chain: Chain): Receiver | undefined => {
  const script = base58(address, chain) ?? segwit(address, chain)
  if (chain.cash === undefined)
    return script === undefined ? undefined : { to: address, script, isOld: false }
  return script === undefined
    ? cash(address, chain.cash)
    : { to: cashAddressOf(script, chain.cash), script, isOld: true }
}

/** What an address is on a chain, or its problem. */
export const read = (address: string, chain: Chain): Receiver | string => {
  if (typeof address !== "string") return "must be text"
  const other = Object.entries(chains).find(([, each]) => readIn(address, each) !== undefined)?.[0]
  return (
    readIn(address, chain) ??
    (other === undefined ? "is mistyped, or of another chain" : `is one of ${other}`)
  )
}

/**
 * The problem of an address of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, if there is one: its characters, its checksum, or the
 * network that it is of in place of this one.
 *
 * @since 0.1.0
 * @category predicates
 */
export const addressProblem = (address: string, network: string): string | undefined => {
  const chain = chainOf(network)
  if (chain === undefined) return `cannot be read: addresses of ${network} are not known here`
  const found = read(address, chain)
  return typeof found === "string" ? found : undefined
}

/**
 * The script (hexadecimal) of outputs to an address of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin: the same for all texts that the chain
 * has for it. Undefined where {@link addressProblem} has something to say.
 *
 * @since 0.1.0
 * @category conversions
 */
export const scriptOf = (address: string, network: string): string | undefined => {
  const chain = chainOf(network)
  const script = chain === undefined ? undefined : readIn(address, chain)?.script
  return script === undefined ? undefined : bytesToHex(script)
}

/** The scripts of P2PKH, P2SH (with both lengths), P2WPKH, P2WSH and P2TR. */
const withAddress =
  /^(?:76a914[0-9a-f]{40}88ac|a914[0-9a-f]{40}87|aa20[0-9a-f]{64}87|0014[0-9a-f]{40}|(?:00|51)20[0-9a-f]{64})$/

/** The address of a program of SegWit. */
const segwitAddressOf = (script: Uint8Array, prefix: string): string => {
  const version = script[0] === 0 ? 0 : 1
  const words = [version, ...regrouped(script.subarray(2), 8, 5, true)]
  const checksum = checksumOf(bech32, [...expanded(prefix), ...words], CHECKS[version])
  return `${prefix}1${textOf([...words, ...checksum])}`
}

/**
 * The address of a script (hexadecimal) on a network of Bitcoin, Bitcoin Cash, Litecoin or Dogecoin, as that chain writes it now (CashAddr
 * with its prefix on Bitcoin Cash): the reverse of {@link scriptOf}. Undefined of scripts and networks that have none.
 *
 * @since 0.1.0
 * @category conversions
 */
export const addressOf = (script: string, network: string): string | undefined => {
  const chain = chainOf(network)
  if (chain === undefined || !withAddress.test(script)) return undefined
  const bytes = hexToBytes(script)
  const [first] = bytes
  if (first === 0 || first === 0x51)
    return chain.bech32 === "" ? undefined : segwitAddressOf(bytes, chain.bech32)
  if (chain.cash !== undefined) return cashAddressOf(bytes, chain.cash)
  if (first === 0xaa) return undefined
  return first === 0x76
    ? encodeBase58Check(Uint8Array.of(chain.pubKeyHash, ...bytes.subarray(3, 23)))
    : encodeBase58Check(Uint8Array.of(chain.scriptHash, ...bytes.subarray(2, 22)))
}

/**
 * The least that nodes relay an output to an address with, in the smallest unit. Undefined where {@link addressProblem} has something to
 * say.
 *
 * @since 0.1.0
 * @category conversions
 */
export const leastAmount = (address: string, network: string): bigint | undefined => {
  const chain = chainOf(network)
  if (chain === undefined) return undefined
  const found = read(address, chain)
  return typeof found === "string" ? undefined : dustOf(chain, found.script)
}
